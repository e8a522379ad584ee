// Launches that take what a recorded space says: the launch's macros name the row.
//
//   const auto space = recordedSpace("pnpoly_rtx3090");
//   VirtualDevice device(recorded(space, Replay::samples));
//   device.faults().failBuild(failsIn(space, RecordedRow::Failure::compile));
//   device.faults().failEnqueue(failsIn(space, RecordedRow::Failure::runtime));
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "support/recorded_space.h"
#include "support/virtual_device/models/composed_model.h"

namespace hone::test {

enum class Replay {
  median,  // the row's time
  samples  // a program's n-th launch takes the row's n-th sample, and after the last one the first again; the row's
           // time where it has no samples
};

/// Asked for a launch whose macros are no configuration of the space, or one that failed, the model throws
/// std::out_of_range, naming the launch: whoever launches it ignores the constraints or the failure.
ComposedModel recorded(std::shared_ptr<const RecordedSpace> space, Replay replay = Replay::median);

/// The row of a program's macros, which may be more than the space's parameters. Throws std::out_of_range, naming the
/// macro or the configuration, if there is none.
const RecordedRow& rowOf(const RecordedSpace& space, const std::map<std::string, std::int64_t>& macros);

/// Whether the row of these macros failed, and so; the second number is not looked at. Throws as rowOf.
std::function<bool(const std::map<std::string, std::int64_t>& macros, std::uint64_t)> failsIn(
    std::shared_ptr<const RecordedSpace> space, RecordedRow::Failure kind);

/// The noise of a recorded space upon other costs: each configuration, known by its macros, gets the samples of one of
/// the space's rows, by chance, and a program's n-th launch the n-th of them relative to their median, again from the
/// first after the last. Throws std::invalid_argument if no row has samples.
Noise recordedNoise(const RecordedSpace& space, std::uint64_t seed);

}  // namespace hone::test
