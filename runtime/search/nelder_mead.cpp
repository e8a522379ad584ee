#include "search/nelder_mead.h"

#include <algorithm>
#include <limits>
#include <numeric>

// Scouts were chosen on every second of the 15 recorded spaces and confirmed on the others (bench/search_quality, 100
// seeds, default at random; optimum / best after 25, 50, 100 trials; P0): none 0.76, 0.85, 0.92; 0.53. 5 give 0.81,
// 0.89, 0.93; 0.67 and 8 give 0.82, 0.89, 0.94; 0.70, on both halves alike; 12 no more.
//
// The rest of the shape was chosen before there were scouts, 60 seeds each, by the geometric mean over the spaces of
// the median best / optimum after 40 and 100 trials, and of its 90th percentile over the seeds:
// - Vertices: 8 give 1.17, 1.06 (90th percentile 1.27, 1.10), 4 give 1.19, 1.07 (1.66, 1.22). More are worse where
//   there are more dimensions: on GEMM's 10, 11 vertices give 1.28, 1.08 and 8 give 1.18, 1.07.
// - Reach: moving to the farther end gives 1.17, 1.06, by 0.6 of the range 1.42, 1.09, by 0.3 1.71, 1.11. On few,
//   coarse values a simplex shrinks fast and never grows back.
// - Later simplices: around the best and one step wide 1.04 after 100 trials, around the best and a random place in
//   turn 1.07, half or all of the range wide 1.08 to 1.10 (7 vertices). `fruitless` from 1 to never: alike.
// - A vertex is its configuration, not the fractional position that led to it: alike after 100 trials, and simpler.

namespace hone::detail {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Transitions that only meet configurations judged before, in one go; each takes up to a simplex of calls to nearest,
// 1 us each on the GEMM space. Where they lead nowhere, a random configuration is tried in between.
constexpr int kTransitionsATrial = 8;

constexpr double kOneStep = 0;  // a reach: every vertex moves a parameter by one step at least

// Attempts to find a vertex that is not judged, or at least not in the simplex already.
constexpr int kVertexAttempts = 4;

}  // namespace

std::optional<double> NelderMead::costOf(const Evidence& evidence, Rank rank) const {
  const Trial* trial = evidence.find(rank);
  if (!trial || static_cast<std::size_t>(trial - evidence.trials().data()) >= folded_) return std::nullopt;
  const double cost = trial->relativeCost.value_or(kInfinity);
  return cost >= 0 ? cost : kInfinity;  // not a number: as good as failed
}

bool NelderMead::isVertex(Rank rank) const {
  return std::any_of(simplex_.begin(), simplex_.end(), [&](const Vertex& vertex) { return vertex.rank == rank; });
}

Rank NelderMead::moved(const SearchSpace& space, double factor) const {
  std::vector<double> centroid(space.dimensions(), 0.0);
  const double weight = 1.0 / static_cast<double>(simplex_.size() - 1);
  for (std::size_t v = 0; v + 1 < simplex_.size(); ++v) {
    const Point point = space.point(simplex_[v].rank);
    for (std::size_t p = 0; p < centroid.size(); ++p) centroid[p] += weight * point[p];
  }
  const Point worst = space.point(simplex_.back().rank);
  std::vector<double> position(centroid.size());
  for (std::size_t p = 0; p < position.size(); ++p) {
    const auto last = static_cast<double>(space.values(p).size() - 1);
    position[p] = std::clamp(centroid[p] + factor * (centroid[p] - worst[p]), 0.0, last);
  }
  return space.nearest(position);
}

Rank NelderMead::vertexNear(const SearchSpace& space, Rank centre, const std::vector<std::size_t>& parameters,
                            double reach, RandomEngine& engine) const {
  const Point from = space.point(centre);
  std::vector<double> position(from.begin(), from.end());
  for (std::size_t p : parameters) {
    const auto last = static_cast<double>(space.values(p).size() - 1);
    const double distance = std::max(1.0, reach * last);
    const bool fitsUp = position[p] + distance <= last;
    const bool fitsDown = position[p] - distance >= 0;
    const bool goesUp = fitsUp && fitsDown ? engine.below(2) == 0 : 2 * position[p] < last;
    position[p] = std::clamp(position[p] + (goesUp ? distance : -distance), 0.0, last);
  }
  return space.nearest(position);
}

void NelderMead::begin(const SearchSpace& space, const Evidence& evidence) {
  RandomEngine engine = RandomEngine::derived(seed_, begun_);
  const bool isFirst = begun_++ == 0;
  const bool isAnywhere = !isFirst && (!best_ || sinceBest_ >= shape_.fruitless);
  sinceBest_ = isAnywhere ? 0 : sinceBest_ + 1;
  const double reach = isFirst || isAnywhere ? shape_.firstReach : kOneStep;
  Rank centre = isAnywhere ? engine.below(space.size()) : best_ ? best_->rank : space.start();
  if (!space.isValid(centre)) centre = space.start();

  std::vector<std::size_t> order(space.dimensions());
  std::iota(order.begin(), order.end(), std::size_t{0});
  shuffle(order, engine);
  const std::size_t groups = std::min(shape_.vertices - 1, order.size());
  reflection_.reset();
  simplex_ = {{centre, kInfinity}};
  for (std::size_t group = 0; group < groups; ++group) {
    std::vector<std::size_t> parameters;
    for (std::size_t i = group; i < order.size(); i += groups) parameters.push_back(order[i]);
    std::optional<Rank> found;
    for (int attempt = 0; attempt < kVertexAttempts; ++attempt) {
      const Rank rank = vertexNear(space, centre, parameters, reach, engine);
      if (!isVertex(rank)) found = rank;
      if (found && !costOf(evidence, *found)) break;
      parameters.push_back(engine.below(order.size()));  // the group led nowhere new: move one more
    }
    if (found) simplex_.push_back({*found, kInfinity});
  }
}

void NelderMead::shrink(const SearchSpace& space, const Evidence& evidence) {
  const std::vector<Vertex> old = std::move(simplex_);
  const Point best = space.point(old.front().rank);
  simplex_ = {old.front()};
  bool isSame = true;
  for (std::size_t v = 1; v < old.size(); ++v) {
    const Point point = space.point(old[v].rank);
    std::vector<double> position(point.size());
    for (std::size_t p = 0; p < point.size(); ++p) position[p] = 0.5 * (best[p] + static_cast<double>(point[p]));
    const Rank rank = space.nearest(position);
    isSame = isSame && rank == old[v].rank;
    if (!isVertex(rank)) simplex_.push_back({rank, kInfinity});
  }
  reflection_.reset();
  if (isSame || simplex_.size() < 2) begin(space, evidence);
}

/// One transition of the rule; false if it waits for a trial.
bool NelderMead::step(const SearchSpace& space, const Evidence& evidence) {
  if (!reflection_) {
    for (Vertex& vertex : simplex_) {
      const auto cost = costOf(evidence, vertex.rank);
      if (!cost) return false;
      vertex.cost = *cost;
    }
    if (simplex_.size() < 2) {
      begin(space, evidence);
      return true;
    }
    std::stable_sort(simplex_.begin(), simplex_.end(),
                     [](const Vertex& a, const Vertex& b) { return a.cost < b.cost; });
    reflection_ = moved(space, 1);
  }
  const auto reflected = costOf(evidence, *reflection_);
  if (!reflected) return false;
  Vertex next{*reflection_, *reflected};
  const double worst = simplex_.back().cost;
  bool isAccepted = true;
  if (next.cost < simplex_.front().cost) {
    const Rank expansion = moved(space, 2);
    const auto cost = costOf(evidence, expansion);
    if (!cost) return false;
    if (*cost < next.cost) next = {expansion, *cost};
  } else if (next.cost >= simplex_[simplex_.size() - 2].cost) {
    const bool isOutside = next.cost < worst;
    const Rank contraction = moved(space, isOutside ? 0.5 : -0.5);
    const auto cost = costOf(evidence, contraction);
    if (!cost) return false;
    isAccepted = isOutside ? *cost <= next.cost : *cost < worst;
    next = {contraction, *cost};
  }
  if (isAccepted && !isVertex(next.rank)) {
    simplex_.back() = next;
    reflection_.reset();
  } else {
    shrink(space, evidence);
  }
  return true;
}

void NelderMead::offerWanted(CandidateList& list, const SearchSpace& space, const Evidence& evidence) {
  if (begun_ == 0) {
    list.offer(space.start());
    anywhere_.fill(list, space, evidence, trialsBeforeFirst() - evidence.trials().size() - list.size());
    return;
  }
  if (!reflection_) {
    for (const Vertex& vertex : simplex_) list.offer(vertex.rank);
    return;
  }
  list.offer(*reflection_);
  const auto reflected = costOf(evidence, *reflection_);
  const bool isBest = reflected && *reflected < simplex_.front().cost;
  const bool isWorst = reflected && *reflected >= simplex_.back().cost;
  // Once the reflection is known only one of the three decides; before that, all of them are worth preparing.
  for (double factor : {2.0, -0.5, 0.5}) {
    const bool decides = factor == 2.0 ? isBest : factor == -0.5 ? isWorst : !isBest && !isWorst;
    if ((!reflected || decides) && !list.isFull()) list.offer(moved(space, factor));
  }
}

Proposal NelderMead::propose(const SearchSpace& space, const Evidence& evidence, std::size_t atMost) {
  if (begun_ == 0 && trialsBeforeFirst() == 0) begin(space, evidence);
  while (folded_ < evidence.trials().size()) {
    const Trial& trial = evidence.trials()[folded_++];
    if (trial.relativeCost && (!best_ || *trial.relativeCost < *best_->relativeCost)) {
      best_ = trial;
      sinceBest_ = 0;
    }
    if (folded_ == trialsBeforeFirst()) begin(space, evidence);
    if (begun_ == 0) continue;
    for (int i = 0; i < kTransitionsATrial && step(space, evidence); ++i) {
    }
  }
  CandidateList list(space, evidence, atMost);
  offerWanted(list, space, evidence);
  if (list.size() == 0) anywhere_.fill(list, space, evidence);
  return std::move(list).take();
}

}  // namespace hone::detail
