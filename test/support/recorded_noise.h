// How the samples of recorded spaces scatter: noise as devices have it, for statistics that are to be tried on it.
//
//   for (const std::vector<double>& samples : relativeSamples(*recordedSpace("pnpoly_rtx3090"))) ...
#pragma once

#include <vector>

#include "support/recorded_space.h"

namespace hone::test {

/// The row's samples in the order in which they were taken, each divided by their median (the mean of the middle two of
/// an even number). Empty if it has none. So the first sample's bias and the correlation of neighbouring samples are as
/// they were recorded; all samples of a row come from one batch, so what changes between batches is not in them.
std::vector<double> relativeSamples(const RecordedRow& row);

/// Those of every row that has samples, in the order of the rows.
std::vector<std::vector<double>> relativeSamples(const RecordedSpace& space);

}  // namespace hone::test
