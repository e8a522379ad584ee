#include "search/annealing.h"

#include <algorithm>
#include <cmath>

#include "search/random_engine.h"

// The schedule's defaults are chosen on the 15 recorded spaces, 100 seeds each, by the geometric mean over the spaces
// of the median best / optimum after 40 and 100 trials:
// - Temperature, without scouts and not yet relative to the spread: 0.1 and 40 give 1.23, 1.04; 0.001 (hill climbing)
//   1.34, 1.11; 0.5 gives 1.30, 1.09. Between 0.05 and 0.2 it hardly matters: nothing is tried twice, so that a climb
//   that is stuck moves on by itself. Relative to the spread (bench/search_quality; optimum / best after 50, 100, 200
//   trials; P0), 0.2 gives 0.89, 0.94, 0.97; 0.59, as does 0.1 of the current cost; 0.02 gives 0.89, 0.92, 0.96; 0.54
//   and 0.8 gives 0.86, 0.92, 0.97; 0.55.
// - Drawing a parameter first: 1.25, 1.07 instead of 1.36, 1.12 for drawing among all neighbours (at 0.05 and 20), of
//   which a parameter with 16 values has most. Preferring close values: no better.
// - Scouts: 1.15, 1.04 instead of 1.23, 1.04, and after 20 trials 1.32 instead of 1.54; the mean of the first 40 trials
//   costs 0.76 of the default instead of 0.81. A mediocre default's neighbours are mediocre. With a default among the
//   best tenth they gain and lose nothing. 3 and 10 scouts are alike.

namespace hone::detail {

namespace {

// Each kind of decision draws from engines of its own.
constexpr std::uint64_t kOrderStream = 0x6f72646572;
constexpr std::uint64_t kPairStream = 0x70616972;

// How often two parameters are changed at random in search of untried pairs. On the GEMM space three of four draws are
// valid. Bounded, because in some spaces none is; 200 draws take 25 us.
constexpr int kPairDraws = 200;

/// The configuration's neighbours in random order: a parameter is drawn among those with neighbours left, then a value.
std::vector<Rank> drawnNeighbours(const SearchSpace& space, Rank rank, RandomEngine& engine) {
  const Point centre = space.point(rank);
  std::vector<std::vector<Rank>> byParameter(space.dimensions());
  for (Rank neighbour : space.neighbours(rank)) {
    const Point changed = space.point(neighbour);
    const auto [where, ignored] = std::mismatch(changed.begin(), changed.end(), centre.begin());
    byParameter[static_cast<std::size_t>(where - changed.begin())].push_back(neighbour);
  }
  std::vector<Rank> order;
  const auto isEmpty = [](const std::vector<Rank>& ranks) { return ranks.empty(); };
  for (auto& ranks : byParameter) shuffle(ranks, engine);
  for (std::erase_if(byParameter, isEmpty); !byParameter.empty(); std::erase_if(byParameter, isEmpty)) {
    std::vector<Rank>& ranks = byParameter[engine.below(byParameter.size())];
    order.push_back(ranks.back());
    ranks.pop_back();
  }
  return order;
}

}  // namespace

double Annealing::Schedule::temperature(std::size_t trials) const {
  return firstTemperature * std::exp2(-static_cast<double>(trials) / halfLife);
}

void Annealing::calibrate(double cost) {
  if (firstCosts_.size() > schedule_.scouts || !(cost > 0) || std::isinf(cost)) return;
  firstCosts_.push_back(cost);
  std::vector<double> distances;
  for (std::size_t i = 0; i < firstCosts_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) distances.push_back(std::abs(std::log(firstCosts_[i] / firstCosts_[j])));
  }
  if (distances.empty()) return;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  spread_ = *middle;
}

bool Annealing::accepts(const Trial& trial) const {
  if (!trial.relativeCost) return false;
  if (*trial.relativeCost <= cost_) return true;
  // No neighbour: it changes two parameters, or it was proposed ahead for an earlier current configuration. Of these,
  // only a better one is worth moving to.
  if (std::find(neighbours_.begin(), neighbours_.end(), trial.rank) == neighbours_.end()) return false;
  const double relativeLoss = *trial.relativeCost / cost_ - 1;
  const double chance = std::exp(-relativeLoss / (spread_ * schedule_.temperature(folded_)));
  return RandomEngine::derived(seed_, folded_).unit() < chance;
}

void Annealing::moveTo(const SearchSpace& space, Rank rank, double cost) {
  current_ = rank;
  cost_ = cost;
  movedAt_ = folded_;
  RandomEngine engine = RandomEngine::derived(seed_ ^ kOrderStream, movedAt_);
  neighbours_ = drawnNeighbours(space, rank, engine);
}

void Annealing::offerPairChanges(CandidateList& list, const SearchSpace& space) const {
  const std::size_t dimensions = space.dimensions();
  if (dimensions < 2) return;
  RandomEngine engine = RandomEngine::derived(seed_ ^ kPairStream, movedAt_);
  const Point centre = space.point(current_);
  for (int draw = 0; draw < kPairDraws && !list.isFull(); ++draw) {
    const std::size_t first = engine.below(dimensions);
    const std::size_t second = (first + 1 + engine.below(dimensions - 1)) % dimensions;
    Point changed = centre;
    for (std::size_t p : {first, second}) changed[p] = static_cast<std::uint32_t>(engine.below(space.values(p).size()));
    if (const auto rank = space.rank(changed)) list.offer(*rank);
  }
}

Proposal Annealing::propose(const SearchSpace& space, const Evidence& evidence, std::size_t atMost) {
  const std::vector<Trial>& trials = evidence.trials();
  if (folded_ == 0) moveTo(space, space.start(), cost_);
  for (; folded_ < trials.size(); ++folded_) {
    if (trials[folded_].relativeCost) calibrate(*trials[folded_].relativeCost);
    if (accepts(trials[folded_])) moveTo(space, trials[folded_].rank, *trials[folded_].relativeCost);
  }

  CandidateList list(space, evidence, atMost);
  list.offer(space.start());
  const std::size_t scoutsLeft = schedule_.scouts + 1 - std::min(schedule_.scouts + 1, trials.size() + list.size());
  if (scoutsLeft > 0) anywhere_.fill(list, space, evidence, scoutsLeft);
  for (Rank neighbour : neighbours_) list.offer(neighbour);
  if (!list.isFull()) offerPairChanges(list, space);
  anywhere_.fill(list, space, evidence);
  return std::move(list).take();
}

}  // namespace hone::detail
