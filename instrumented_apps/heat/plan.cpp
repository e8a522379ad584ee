#include "heat/plan.h"

#include <algorithm>
#include <cmath>

namespace hone::apps::heat {

std::vector<std::uint64_t> sectionsOf(const std::vector<Grid>& levels, std::uint64_t total) {
  double weights = 0;
  for (const Grid& level : levels) weights += 1 / level.cellCount();
  std::vector<std::uint64_t> sections;
  std::uint64_t left = total;
  for (std::size_t level = 0; level < levels.size(); ++level) {  // the rest goes to those after
    const double weight = 1 / levels[level].cellCount();
    const std::uint64_t after = levels.size() - 1 - level;
    const auto share =
        static_cast<std::uint64_t>(std::llround(static_cast<double>(left) * std::min(weight / weights, 1.0)));
    sections.push_back(after == 0 ? left : std::clamp<std::uint64_t>(share, 1, left - after));
    left -= sections.back();
    weights -= weight;
  }
  return sections;
}

}  // namespace hone::apps::heat
