// What is best in one place, used in another.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hone::bench {

/// times[i][j]: what is best in place i takes in place j; empty where it does not run there.
struct CrossTimes {
  std::vector<std::string> places;
  std::vector<std::vector<std::optional<double>>> times;

  /// The part of place j's own performance that i's best reaches there: times[j][j] / times[i][j].
  std::optional<double> performance(std::size_t i, std::size_t j) const;
  /// The smallest of those that run; empty with one place alone.
  std::optional<double> worst() const;
};

/// A row for each i, a column for each j, in per cent.
std::string crossTable(const CrossTimes& cross);

}  // namespace hone::bench
