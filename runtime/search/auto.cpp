#include "search/auto.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "search/expected_improvement.h"
#include "search/gaussian_process.h"
#include "search/random_engine.h"

namespace hone::detail {

namespace {

// Streams of random numbers from one seed.
constexpr std::uint64_t kSpreadStream = 0x73707265;
constexpr std::uint64_t kPoolStream = 0x706f6f6c;

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
    const double distance = kernelDistance(steps / static_cast<double>(space.values(p).size() - 1));
    sum += distance * distance;
  }
  return sum;
}

/// A configuration of the pool, and the logarithm of its expected improvement, as a float: differences that are due to
/// rounding vanish. An upper bound until it is exact.
struct Entry {
  Rank rank;
  Candidate candidate;
  float promise = 0;
  bool isExact = false;
};

float promiseOf(const Candidate& candidate, double best) {
  return static_cast<float>(logExpectedImprovement(best, candidate.mean, candidate.variance));
}

/// The entry with the greatest promise, the first of equals. Variances are dear, so they are found only for entries
/// whose bound is above all that is exact.
Entry& mostPromising(std::vector<Entry>& entries, const GaussianProcess& process, double best) {
  const auto isLess = [](const Entry& a, const Entry& b) { return a.promise < b.promise; };
  for (;;) {
    Entry& first = *std::max_element(entries.begin(), entries.end(), isLess);
    if (first.isExact) return first;
    process.refine(first.candidate);
    first.promise = promiseOf(first.candidate, best);
    first.isExact = true;
  }
}

}  // namespace

void Auto::offerSpreadOut(CandidateList& list, const SearchSpace& space, const Evidence& evidence) const {
  std::vector<Point> taken;
  for (const Trial& trial : evidence.trials()) taken.push_back(space.point(trial.rank));
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
    points.push_back({space.point(judged[i].rank), scale.value(judged[i].relativeCost)});
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
  if (trials == fittedTrials_ && !model_.features.empty()) return;
  model_ = fitModel(*features_, observed(space, evidence, trials, rule_.fitPoints));
  fittedTrials_ = trials;
}

std::vector<Rank> Auto::pool(const SearchSpace& space, const Evidence& evidence) const {
  std::vector<Rank> ranks;
  std::unordered_set<Rank> known;
  const auto add = [&](Rank rank) {
    if (!evidence.find(rank) && space.isValid(rank) && known.insert(rank).second) ranks.push_back(rank);
  };
  const std::vector<Trial>& trials = evidence.trials();
  RandomEngine engine = RandomEngine::derived(seed_ ^ kPoolStream, trials.size());
  std::vector<std::size_t> centres = byCost(trials);
  centres.resize(std::min(centres.size(), rule_.centres));
  for (std::size_t centre : centres) {
    std::vector<Rank> neighbours = space.neighbours(trials[centre].rank);
    if (neighbours.size() > rule_.neighbours) {
      shuffle(neighbours, engine);
      neighbours.resize(rule_.neighbours);
    }
    for (Rank rank : neighbours) add(rank);
  }
  for (const PriorTrial* prior : unjudged(evidence, trials.size())) add(prior->rank);
  if (space.size() - trials.size() <= rule_.randomDraws) {
    for (Rank rank = 0; rank < space.size(); ++rank) add(rank);
  } else {
    for (std::size_t draw = 0; draw < rule_.randomDraws; ++draw) add(engine.below(space.size()));
  }
  return ranks;
}

void Auto::offerPromising(CandidateList& list, const SearchSpace& space, const Evidence& evidence) {
  fit(space, evidence);
  const std::vector<ObservedPoint> points = observed(space, evidence, evidence.trials().size(), rule_.modelPoints);
  GaussianProcess process(model_.parameters, observations(*features_, model_, points));
  // What a prior trial promises is still to be had; where nothing was judged yet, the default is what there is.
  const std::size_t judged = std::min(evidence.trials().size(), rule_.modelPoints);
  double best = judged > 0 ? points.front().value : CostScale({}).value(1.0);
  for (std::size_t i = 0; i < judged; ++i) best = std::min(best, points[i].value);
  std::vector<Entry> entries;
  for (Rank rank : pool(space, evidence)) {
    Candidate candidate = process.candidate(features_->coordinates(model_.features, space.point(rank)));
    const float promise = promiseOf(candidate, best);
    entries.push_back({rank, std::move(candidate), promise, false});
  }
  while (!list.isFull() && !entries.empty()) {
    Entry& next = mostPromising(entries, process, best);
    list.offer(next.rank);
    process.believe(next.candidate);
    std::swap(next, entries.back());
    entries.pop_back();
    for (Entry& entry : entries) entry.isExact = false;
  }
}

Proposal Auto::propose(const SearchSpace& space, const Evidence& evidence, std::size_t atMost) {
  if (!features_) features_.emplace(space);
  CandidateList list(space, evidence, atMost);
  const std::size_t judged = evidence.trials().size();
  const bool isModelled = judged + unjudged(evidence, judged).size() >= rule_.spreadTrials;
  if (!list.isFull() && isModelled) offerPromising(list, space, evidence);
  if (!list.isFull() && !isModelled) offerSpreadOut(list, space, evidence);
  anywhere_.fill(list, space, evidence);
  return std::move(list).take();
}

}  // namespace hone::detail
