#include "search/promise_pool.h"

#include <algorithm>
#include <utility>

#include "search/expected_improvement.h"

namespace hone::detail {

float PromisePool::promiseOf(const Prediction& prediction) const {
  const double variance = prediction.variance + process_.measurementVariance();
  return static_cast<float>(logExpectedImprovement(best_, prediction.mean, variance));
}

bool PromisePool::add(Rank rank) {
  if (evidence_.find(rank) || !space_.isValid(rank) || !known_.insert(rank).second) return false;
  Prediction prediction = process_.predict(features_.coordinates(model_.features, space_.point(rank)));
  const float promise = promiseOf(prediction);
  entries_.push_back({rank, std::move(prediction), promise, false});
  return true;
}

/// REQUIRES: entries_ is not empty
std::size_t PromisePool::findBest() {
  const auto isLess = [](const Entry& a, const Entry& b) { return a.promise < b.promise; };
  for (;;) {
    const auto first = std::max_element(entries_.begin(), entries_.end(), isLess);
    if (first->isExact) return static_cast<std::size_t>(first - entries_.begin());
    process_.refine(first->prediction);
    first->promise = promiseOf(first->prediction);
    first->isExact = true;
  }
}

std::optional<Rank> PromisePool::best() {
  if (entries_.empty()) return std::nullopt;
  return entries_[findBest()].rank;
}

void PromisePool::takeBest() {
  const auto taken = entries_.begin() + static_cast<std::ptrdiff_t>(findBest());
  process_.believe(std::move(taken->prediction));
  entries_.erase(taken);
  for (Entry& entry : entries_) entry.isExact = false;
}

}  // namespace hone::detail
