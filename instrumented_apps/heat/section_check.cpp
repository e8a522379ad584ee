#include "heat/section_check.h"

#include <string>

#include "errors.h"
#include "output_check.h"

namespace hone::apps::heat {

namespace {

std::string placeText(const Grid& grid, std::size_t index) {
  const auto [width, height, depth] = grid.stored();
  std::string text = "x = " + std::to_string(index % width) + ", y = " + std::to_string(index / width % height);
  if (grid.dimensions == 3) text += ", z = " + std::to_string(index / width / height);
  return text;
}

}  // namespace

void SectionCheck::before() {
  expected_ = simulation_.field();
  simulation_.clearNext(expected_);
}

void SectionCheck::after(std::uint64_t launch) {
  const Grid& grid = simulation_.grid();
  next_ = expected_;  // for its rim
  for (std::int64_t step = 0; step < kSectionSteps; ++step) {
    referenceStep(grid, expected_, next_);
    expected_.swap(next_);
  }
  const Field actual = simulation_.field();
  const std::string prefix = "check failed at launch " + std::to_string(launch) + ": ";
  const Comparison comparison = compare(actual, expected_, {kTolerance, 1});
  if (comparison.wrong > 0) {
    throw CheckFailure(prefix + describe(comparison, "temperature", actual, expected_) + " (" +
                       placeText(grid, comparison.worst) + ")");
  }
  if (!simulation_.isGuardUntouched()) throw CheckFailure(prefix + "something was written behind the temperatures");
}

}  // namespace hone::apps::heat
