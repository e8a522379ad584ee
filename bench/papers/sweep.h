// How long every configuration of a space takes: several processes share the compiling, which is most of it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "console.h"
#include "papers/search_run.h"
#include "recording/file_lock.h"
#include "workload.h"

namespace hone::bench {

/// Every `count`-th configuration, from `index` on.
struct SweepPart {
  std::size_t index = 0, count = 1;
};

/// Measures what the table at `file` lacks of a part and adds it there, in the format of recorded spaces, so that a
/// sweep that was ended goes on where it was. A configuration's launches take turns with the default's; its samples are
/// relative to theirs and given in ms of a device on which the default takes what it took at the beginning: a machine
/// that becomes slower changes nothing. `samples`: of each configuration; two where it is clearly slower than the
/// default, fewer where launches take long. Nothing is measured without the lock.
void sweep(apps::Workload& workload, const NamedSpace& space, const SweepPart& part, const std::filesystem::path& file,
           std::size_t samples, FileLock& lock, apps::Console& console);

/// Builds and launches each configuration of a part, so that it is in the driver's cache.
void compile(apps::Workload& workload, const NamedSpace& space, const SweepPart& part);

}  // namespace hone::bench
