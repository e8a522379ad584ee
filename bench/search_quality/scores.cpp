#include "search_quality/scores.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace hone::bench {

TimesOfSpace::TimesOfSpace(std::vector<double> validTimes, std::size_t rows)
    : ascending_(std::move(validTimes)), rows_(rows) {
  std::sort(ascending_.begin(), ascending_.end());
}

double TimesOfSpace::median() const { return quantile(ascending_, 0.5); }

double quantile(std::vector<double> numbers, double q) {
  std::sort(numbers.begin(), numbers.end());
  const double position = q * static_cast<double>(numbers.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, numbers.size() - 1);
  return numbers[below] + (position - static_cast<double>(below)) * (numbers[above] - numbers[below]);
}

double mean(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

double baseline(const TimesOfSpace& space, std::size_t trials) {
  const double meanRank = static_cast<double>(space.rows() + 1) / static_cast<double>(trials + 1);
  const double index = std::nearbyint(meanRank - 1);  // from 0; rounds a half to even
  const double last = static_cast<double>(space.ascending().size() - 1);
  return space.ascending()[static_cast<std::size_t>(std::clamp(index, 0.0, last))];
}

std::size_t scoringBudget(const TimesOfSpace& space) {
  const double goal = space.optimum() + 0.05 * (space.median() - space.optimum());
  std::size_t trials = 1;
  while (baseline(space, trials) > goal) ++trials;  // ends at trials = 2 rows at the latest: the index is 0 then
  return trials;
}

double normalisedScore(const TimesOfSpace& space, const std::vector<double>& meanBestAfter) {
  const std::size_t budget = scoringBudget(space);
  double sum = 0;
  std::size_t counted = 0;
  for (std::size_t trials = 1; trials <= budget; ++trials) {
    const double random = baseline(space, trials);
    if (random <= space.optimum()) break;  // at the budget's end, where there is nothing left to gain
    sum += (random - meanBestAfter[trials - 1]) / (random - space.optimum());
    ++counted;
  }
  return counted == 0 ? 0 : sum / static_cast<double>(counted);
}

double expectedFractionOfRandom(const TimesOfSpace& space, std::size_t trials) {
  const auto rows = static_cast<double>(space.rows());
  const auto drawn = static_cast<double>(std::min(trials, space.rows()));
  double noneSoFar = 1;  // the probability that none of the best i was drawn
  double expectation = 0;
  for (std::size_t i = 0; i < space.ascending().size(); ++i) {
    const double left = rows - static_cast<double>(i);
    const double noneNow = noneSoFar * std::max(0.0, (left - drawn) / left);
    expectation += (noneSoFar - noneNow) * space.optimum() / space.ascending()[i];
    noneSoFar = noneNow;
  }
  return expectation + noneSoFar * space.optimum() / space.worst();
}

}  // namespace hone::bench
