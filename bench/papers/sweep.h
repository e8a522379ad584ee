// How long every configuration of a space takes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "console.h"
#include "papers/search_run.h"
#include "workload.h"

namespace hone::bench {

/// Measures what the table at `file` lacks and adds it there, in the format of recorded spaces, so that a sweep that
/// was ended goes on where it was. A configuration's launches take turns with the default's; its samples are relative
/// to theirs and given in ms of a device on which the default takes what it took at the beginning: a machine that
/// becomes slower changes nothing. `samples`: of each configuration; two where it is clearly slower than the default,
/// fewer where launches take long.
void sweep(apps::Workload& workload, const NamedSpace& space, const std::filesystem::path& file, std::size_t samples,
           apps::Console& console);

/// Builds and launches every `count`-th configuration, from `index` on, so that it is in the driver's cache.
void compile(apps::Workload& workload, const NamedSpace& space, std::size_t index, std::size_t count);

}  // namespace hone::bench
