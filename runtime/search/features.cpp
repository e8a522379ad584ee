#include "search/features.h"

#include <algorithm>
#include <cmath>

namespace hone::detail {

namespace {

// A product's or ratio's logarithm is told apart this finely, between its least and its greatest value. Powers of two
// from 1 to 2^20, say, are 6 steps apart.
constexpr std::int32_t kLogSteps = 128;

// Longer ranges are told apart this finely; the kernel's tables have as many entries.
constexpr std::size_t kMostPositions = 1024;

// More twos are as good as these: 1024 divides the value.
constexpr std::int32_t kMostTwos = 10;

std::int32_t twosIn(std::int64_t value) {
  std::int32_t twos = 0;
  while (twos < kMostTwos && value % 2 == 0) {
    value /= 2;
    ++twos;
  }
  return twos;  // 0 has as many as there are
}

}  // namespace

Features::Features(const SearchSpace& space) {
  for (std::size_t p = 0; p < space.dimensions(); ++p) {
    const std::vector<std::int64_t>& values = space.values(p);
    Parameter parameter;
    parameter.count = values.size();
    const bool isPositive = std::all_of(values.begin(), values.end(), [](std::int64_t value) { return value > 0; });
    if (isPositive && values.size() > 2) {
      for (std::int64_t value : values) {
        parameter.logs.push_back(std::log2(static_cast<double>(value)));
        parameter.twos.push_back(twosIn(value));
      }
      const auto [least, most] = std::minmax_element(parameter.logs.begin(), parameter.logs.end());
      parameter.leastLog = *least;
      parameter.mostLog = *most;
      const std::vector<std::int32_t>& twos = parameter.twos;
      parameter.areTwosMonotone =
          std::is_sorted(twos.begin(), twos.end()) || std::is_sorted(twos.rbegin(), twos.rend());
      const std::int32_t fewest = *std::min_element(twos.begin(), twos.end());
      for (std::int32_t& count : parameter.twos) count -= fewest;
      parameter.mostTwos = *std::max_element(twos.begin(), twos.end());
    }
    parameters_.push_back(std::move(parameter));
    always_.push_back({Feature::Kind::position, p, p});
  }
  for (std::size_t a = 0; a < parameters_.size(); ++a) {
    if (!parameters_[a].areTwosMonotone) always_.push_back({Feature::Kind::twos, a, a});
    for (std::size_t b = a + 1; b < parameters_.size(); ++b) {
      if (parameters_[a].logs.empty() || parameters_[b].logs.empty()) continue;
      ofPairs_.push_back({Feature::Kind::product, a, b});
      ofPairs_.push_back({Feature::Kind::ratio, a, b});
      if (!parameters_[a].areTwosMonotone || !parameters_[b].areTwosMonotone)
        ofPairs_.push_back({Feature::Kind::twosOfProduct, a, b});
    }
  }
}

std::int32_t Features::count(const Feature& feature) const {
  const Parameter &a = parameters_[feature.a], &b = parameters_[feature.b];
  switch (feature.kind) {
    case Feature::Kind::position: return static_cast<std::int32_t>(std::min(a.count, kMostPositions));
    case Feature::Kind::twos: return a.mostTwos + 1;
    case Feature::Kind::twosOfProduct: return a.mostTwos + b.mostTwos + 1;
    case Feature::Kind::product:
    case Feature::Kind::ratio: break;
  }
  return kLogSteps + 1;
}

std::int32_t Features::coordinate(const Feature& feature, const Point& point) const {
  const Parameter &a = parameters_[feature.a], &b = parameters_[feature.b];
  const std::size_t atA = point[feature.a], atB = point[feature.b];
  switch (feature.kind) {
    case Feature::Kind::position:
      return static_cast<std::int32_t>(a.count <= kMostPositions ? atA : atA * (kMostPositions - 1) / (a.count - 1));
    case Feature::Kind::twos: return a.twos[atA];
    case Feature::Kind::twosOfProduct: return a.twos[atA] + b.twos[atB];
    case Feature::Kind::product:
    case Feature::Kind::ratio: break;
  }
  const double sign = feature.kind == Feature::Kind::product ? 1 : -1;
  const double least = a.leastLog + (sign > 0 ? b.leastLog : -b.mostLog);
  const double span = a.mostLog - a.leastLog + b.mostLog - b.leastLog;
  return static_cast<std::int32_t>(std::lround((a.logs[atA] + sign * b.logs[atB] - least) / span * kLogSteps));
}

Coordinates Features::coordinates(const std::vector<Feature>& features, const Point& point) const {
  Coordinates coordinates;
  coordinates.reserve(features.size());
  for (const Feature& feature : features) coordinates.push_back(coordinate(feature, point));
  return coordinates;
}

}  // namespace hone::detail
