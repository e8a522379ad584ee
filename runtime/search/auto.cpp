#include "search/auto.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "search/expected_improvement.h"
#include "search/gaussian_process.h"

// Departures from the sources, with the fraction of the optimum after 25 / 50 / 100 / 200 trials, mean over 15 recorded
// spaces; standard error about .005 at 25 and 50. P0 is the normalised gain over random search, 1 the optimum at once.
// - Powers of two in a value as a coordinate of their own (features.h): without, .877/.929/.960/.986, with it
//   .875/.921/.979/.994 (12 seeds). A work-group of 112 has little in common with one of 128.
// - Scales of 2 are expected rather than of 1: .868/.918/.977/.991 became .890/.939/.979/.992 (16 seeds).
// - Climbing to the most promising neighbours: .882/.935 became .888/.943 at 25/50 (64 seeds).
// - No factor for two values not being equal, as some have it: with 0.3 of a range .882/.935, with 0.15 .893/.944, with
//   0.05 .900/.954, without .894/.950 (64 seeds; the last two while climbing).
// - Promises count what is a configuration's own (promise_pool.h): P0 .822 became .857 (24 seeds, first 200 trials).
// - Products and ratios: no difference in the fractions; P0 of the first 100 trials .682 became .706 (48 seeds).
// - Measuring the best again, where each trial is one noisy sample: .983 became .985 at 200 (12 seeds).
// No different: 4, 5 or 8 trials spread out; 8 centres; 200 or 400 random draws; a compression of 0.25 to 1; a spread
// of 0.7 or 1.5 for log scales; a factor for the probability of not failing, from the trials around; asking for more
// than the best, the more so the longer a search is in vain.

namespace hone::detail {

namespace {

// Streams of random numbers from one seed.
constexpr std::uint64_t kSpreadStream = 0x73707265;
constexpr std::uint64_t kPoolStream = 0x706f6f6c;
constexpr std::uint64_t kClimbStream = 0x636c696d;

/// Measurements of a prior trial: its noise is all its own.
constexpr double kAsItIs = std::numeric_limits<double>::infinity();

/// Of trials, the cheapest first; the earlier of equals first, and failures last.
std::vector<std::size_t> byCost(const std::vector<Trial>& trials) {
  const auto costOf = [&](std::size_t i) {
    return isUsable(trials[i].relativeCost) ? *trials[i].relativeCost : std::numeric_limits<double>::infinity();
  };
  std::vector<std::size_t> order(trials.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return costOf(a) < costOf(b); });
  return order;
}

/// Trials to learn from, where there are more than the model takes: the better half of those, and of the others the
/// ones that are judged at even distances in time. In the order of judging.
std::vector<std::size_t> chosenTrials(const std::vector<Trial>& trials, std::size_t atMost) {
  std::vector<std::size_t> chosen(trials.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  if (chosen.size() <= atMost) return chosen;
  chosen = byCost(trials);
  const std::size_t best = atMost / 2, others = chosen.size() - best;
  std::sort(chosen.begin() + static_cast<std::ptrdiff_t>(best), chosen.end());
  for (std::size_t i = best; i < atMost; ++i) chosen[i] = chosen[best + (i - best) * others / (atMost - best)];
  chosen.resize(atMost);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

/// The number of trials to which the model is fitted, once so many were judged: each time a quarter more.
std::size_t trialsToFit(std::size_t judged) {
  std::size_t trials = 0;
  for (std::size_t next = 1; next <= judged; next += std::max<std::size_t>(1, next / 4)) trials = next;
  return trials;
}

double squaredDistance(const SearchSpace& space, const Point& a, const Point& b) {
  double sum = 0;
  for (std::size_t p = 0; p < a.size(); ++p) {
    if (a[p] == b[p]) continue;
    const double steps = static_cast<double>(std::max(a[p], b[p]) - std::min(a[p], b[p]));
    const double distance = steps / static_cast<double>(space.values(p).size() - 1);
    sum += distance * distance;
  }
  return sum;
}

}  // namespace

void Auto::offerSpreadOut(CandidateList& list, const SearchSpace& space, const Evidence& evidence) const {
  std::vector<Point> taken;
  for (const Trial& trial : evidence.trials()) taken.push_back(space.point(trial.rank));
  for (const PriorTrial* prior : unjudged(evidence, evidence.trials().size())) {
    list.offer(prior->rank);
    taken.push_back(space.point(prior->rank));
  }
  while (!list.isFull()) {
    RandomEngine engine = RandomEngine::derived(seed_ ^ kSpreadStream, taken.size());
    std::optional<Rank> farthest;
    double most = -1;
    for (std::size_t draw = 0; draw < rule_.spreadDraws; ++draw) {
      const Rank rank = engine.below(space.size());
      if (!space.isValid(rank)) continue;
      const Point point = space.point(rank);
      double nearest = std::numeric_limits<double>::infinity();
      for (const Point& other : taken) nearest = std::min(nearest, squaredDistance(space, point, other));
      if (nearest > most && nearest > 0) {
        most = nearest;
        farthest = rank;
      }
    }
    if (!farthest) return;
    list.offer(*farthest);
    taken.push_back(space.point(*farthest));
  }
}

/// The first so many trials as the model sees them, at most so many of them, then the prior trials.
std::vector<ObservedPoint> Auto::observed(const SearchSpace& space, const Evidence& evidence, std::size_t trials,
                                          std::size_t atMost) const {
  const std::vector<Trial> judged(evidence.trials().begin(),
                                  evidence.trials().begin() + static_cast<std::ptrdiff_t>(trials));
  std::vector<std::optional<double>> costs;
  for (const Trial& trial : judged) costs.push_back(trial.relativeCost);
  const CostScale scale(costs);
  std::vector<ObservedPoint> points;
  for (std::size_t i : chosenTrials(judged, atMost))
    points.push_back({space.point(judged[i].rank), scale.value(judged[i].relativeCost),
                      static_cast<double>(std::max<std::size_t>(1, judged[i].measurements))});
  for (const PriorTrial* prior : unjudged(evidence, trials)) {
    const double noise = prior->noise / scale.spread();
    points.push_back({space.point(prior->rank), scale.value(prior->relativeCost), kAsItIs, noise * noise});
  }
  return points;
}

/// The prior trials that none of the first so many trials has judged.
std::vector<const PriorTrial*> Auto::unjudged(const Evidence& evidence, std::size_t trials) const {
  std::vector<const PriorTrial*> priors;
  for (const PriorTrial& prior : priorTrials_) {
    const Trial* trial = evidence.find(prior.rank);
    const bool isJudged = trial && static_cast<std::size_t>(trial - evidence.trials().data()) < trials;
    if (!isJudged && isUsable(prior.relativeCost)) priors.push_back(&prior);
  }
  return priors;
}

void Auto::fit(const SearchSpace& space, const Evidence& evidence) {
  const std::size_t trials = trialsToFit(evidence.trials().size());
  if (trials == fittedTrials_ && evidence.revisions() == fittedRevisions_ && !model_.features.empty()) return;
  model_ = fitModel(*features_, observed(space, evidence, trials, rule_.fitPoints));
  fittedTrials_ = trials;
  fittedRevisions_ = evidence.revisions();
}

void Auto::fillPool(PromisePool& pool, const SearchSpace& space, const Evidence& evidence) const {
  const std::vector<Trial>& trials = evidence.trials();
  RandomEngine engine = RandomEngine::derived(seed_ ^ kPoolStream, trials.size());
  std::vector<std::size_t> centres = byCost(trials);
  centres.resize(std::min(centres.size(), rule_.centres));
  for (std::size_t centre : centres) addNeighbours(pool, space, trials[centre].rank, engine);
  for (const PriorTrial* prior : unjudged(evidence, trials.size())) pool.add(prior->rank);
  if (space.size() - trials.size() <= rule_.randomDraws) {
    for (Rank rank = 0; rank < space.size(); ++rank) pool.add(rank);
  } else {
    for (std::size_t draw = 0; draw < rule_.randomDraws; ++draw) pool.add(engine.below(space.size()));
  }
}

/// Returns whether there was a new one.
bool Auto::addNeighbours(PromisePool& pool, const SearchSpace& space, Rank centre, RandomEngine& engine) const {
  std::vector<Rank> neighbours = space.neighbours(centre);
  if (neighbours.size() > rule_.neighbours) {
    shuffle(neighbours, engine);
    neighbours.resize(rule_.neighbours);
  }
  bool hasAdded = false;
  for (Rank rank : neighbours) hasAdded = pool.add(rank) || hasAdded;
  return hasAdded;
}

void Auto::offerPromising(CandidateList& list, const SearchSpace& space, const Evidence& evidence) {
  fit(space, evidence);
  const std::vector<ObservedPoint> points = observed(space, evidence, evidence.trials().size(), rule_.modelPoints);
  GaussianProcess process(model_.parameters, observations(*features_, model_, points));
  // What a prior trial promises is still to be had; where nothing was judged yet, the default is what there is.
  const std::size_t judged = std::min(evidence.trials().size(), rule_.modelPoints);
  double best = judged > 0 ? points.front().value : CostScale({}).value(1.0);
  for (std::size_t i = 0; i < judged; ++i) best = std::min(best, points[i].value);

  PromisePool pool(space, evidence, *features_, model_, process, best);
  fillPool(pool, space, evidence);
  if (evidence.trials().size() >= rule_.trialsBeforeDoubt) findDoubtful(evidence, process, pool);
  RandomEngine engine = RandomEngine::derived(seed_ ^ kClimbStream, evidence.trials().size());
  while (!list.isFull()) {
    std::optional<Rank> next = pool.best();
    if (!next) return;
    for (std::size_t climb = 0; climb < rule_.climbs; ++climb) {
      if (!addNeighbours(pool, space, *next, engine)) break;
      const Rank from = *next;
      next = pool.best();
      if (next == from) break;
    }
    list.offer(*next);
    pool.takeBest();
  }
}

/// The best trial, where measuring it again promises more than any configuration of the pool.
///
/// With m measurements of deviation s behind the best value, one more moves it by s / sqrt(m (m + 1)), as far as is
/// known before. What that is worth: the expectation of what the next one is better then, if it is (knowledge gradient;
/// Frazier, Powell, Dayanik 2009).
void Auto::findDoubtful(const Evidence& evidence, const GaussianProcess& process, PromisePool& pool) {
  const Trial* best = evidence.best();
  if (!best || !isUsable(best->relativeCost)) return;
  double next = std::numeric_limits<double>::infinity();
  for (const Trial& trial : evidence.trials()) {
    if (trial.rank != best->rank && isUsable(trial.relativeCost)) next = std::min(next, *trial.relativeCost);
  }
  if (!std::isfinite(next)) return;
  const auto m = static_cast<double>(best->measurements);
  const double variance = model_.parameters.noise * process.scale() * process.scale() / (m * (m + 1));
  const double gain = logExpectedImprovement(0, std::log(next / *best->relativeCost), variance);
  pool.best();
  if (static_cast<float>(gain) > pool.bestPromise()) doubtful_.push_back(best->rank);
}

Proposal Auto::propose(const SearchSpace& space, const Evidence& evidence, std::size_t atMost) {
  if (!features_) features_.emplace(space);
  CandidateList list(space, evidence, atMost);
  doubtful_.clear();
  const std::size_t judged = evidence.trials().size();
  const bool isModelled = judged + unjudged(evidence, judged).size() >= rule_.spreadTrials;
  if (!list.isFull() && isModelled) offerPromising(list, space, evidence);
  if (!list.isFull() && !isModelled) offerSpreadOut(list, space, evidence);
  anywhere_.fill(list, space, evidence);
  Proposal proposal = std::move(list).take();
  proposal.remeasure = std::move(doubtful_);
  return proposal;
}

}  // namespace hone::detail
