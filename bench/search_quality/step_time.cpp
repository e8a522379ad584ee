#include "search_quality/step_time.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "support/reference_spaces.h"

namespace hone::bench {

namespace {

constexpr std::size_t kTrials = 200;

/// Smooth, with its minimum at one configuration, over a factor of 20 or so: exp of the squared distance to it, as
/// SearchSpace::nearest measures distances.
double costOf(const Point& point, const Point& best, const SearchSpace& space) {
  double squares = 0;
  for (std::size_t p = 0; p < point.size(); ++p) {
    const double steps = std::max<double>(1, static_cast<double>(space.values(p).size() - 1));
    const double difference = (static_cast<double>(point[p]) - static_cast<double>(best[p])) / steps;
    squares += difference * difference;
  }
  return std::exp(squares);
}

}  // namespace

double stepTimeUs(const Contestant& contestant, std::size_t searches) {
  using Clock = std::chrono::steady_clock;
  SpaceDeclarations declarations("gemm");
  test::declareGemm(declarations);
  const SearchSpace space(declarations);

  std::vector<double> durations;
  for (std::size_t seed = 1; seed <= searches; ++seed) {
    const auto strategy = contestant.make(seed);
    const Point best = space.point(space.size() / static_cast<Rank>(seed + 1));
    Evidence evidence;
    while (evidence.trials().size() < kTrials) {
      Clock::time_point start = Clock::now();
      const Proposal proposal = strategy->propose(space, evidence, 1);
      Clock::duration duration = Clock::now() - start;
      if (proposal.candidates.empty()) break;
      const Rank rank = proposal.candidates.front();
      const double cost = costOf(space.point(rank), best, space);
      start = Clock::now();
      if (!evidence.find(rank)) evidence.add({rank, cost});
      duration += Clock::now() - start;
      durations.push_back(std::chrono::duration<double, std::micro>(duration).count());
    }
  }
  return quantile(std::move(durations), 0.5);
}

}  // namespace hone::bench
