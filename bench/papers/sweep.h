// How long every configuration of a space takes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "console.h"
#include "hone/search_space.h"
#include "workload.h"

namespace hone::bench {

struct SweptSpace {
  SearchSpace space;
  std::vector<std::string> names;  // of its parameters
};

/// Measures what the table at `file` lacks and adds it there, in the format of recorded spaces, so that a sweep that
/// was ended goes on where it was. A configuration's launches take turns with the default's; its samples are relative
/// to theirs and given in ms of a device on which the default takes what it took at the sweep's beginning: a machine
/// that becomes slower changes nothing. `samples`: of each configuration; two where it is clearly slower than the
/// default.
void sweep(apps::Workload& workload, const SweptSpace& swept, const std::filesystem::path& file, std::size_t samples,
           apps::Console& console);

}  // namespace hone::bench
