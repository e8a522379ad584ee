// A swept space as a picture, as in figures 3 to 7 of AtuneRT's paper: how the time depends on each parameter.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/recorded_space.h"

namespace hone::bench {

struct PictureTexts {
  std::string title;     // "scan 16777216: 140 configurations"
  std::string subtitle;  // the device and its driver
};

/// An SVG document. Left, a heat map of the two parameters that matter most: for each pair of values the best time that
/// any values of the others give. Right, a diagram a parameter: the best time that goes with each of its values, and
/// the times of the tuned configuration with this parameter changed. Default and tuned configuration are marked. A
/// space with one parameter has its diagram alone. REQUIRES: both configurations are rows that have a time
std::string drawParameters(const test::RecordedSpace& space, const std::vector<std::int64_t>& defaultConfiguration,
                           const std::vector<std::int64_t>& tunedConfiguration, const PictureTexts& texts);

/// By how much the best time that goes with a value of the p-th parameter differs between its values: largest /
/// smallest. 1: the parameter does not matter, or has one value.
double importance(const test::RecordedSpace& space, std::size_t p);

}  // namespace hone::bench
