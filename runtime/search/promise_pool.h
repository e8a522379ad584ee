// Configurations that may be tried next, and the most promising of them under a model of the cost.
//
// Promise: the logarithm of the expected improvement (expected_improvement.h), as a float, so that differences which
// are due to rounding vanish; of equals, the configuration that was added first. The improvement is that of the cost as
// it will be measured, not of the smooth process alone: part of what the model calls noise is a configuration's own,
// and a search that ignores it gets stuck where the model is sure. Measured on recorded spaces without noise: P0 .857,
// without it .822 (auto.cpp).
//
// Variances are dear: a configuration's is found only once its bound would make it the most promising.
#pragma once

#include <cstddef>
#include <optional>
#include <unordered_set>
#include <vector>

#include "hone/strategy.h"
#include "search/features.h"
#include "search/gaussian_process.h"
#include "search/model_fit.h"

namespace hone::detail {

/// Refers to its arguments. Thread safety: externally synchronised.
class PromisePool {
 public:
  /// `best` is the value to improve on. REQUIRES: the model's process
  PromisePool(const SearchSpace& space, const Evidence& evidence, const Features& features, const Model& model,
              GaussianProcess& process, double best)
      : space_(space), evidence_(evidence), features_(features), model_(model), process_(process), best_(best) {}

  /// Adds the configuration, unless it was judged or was added before, or is not valid. Returns whether it did.
  bool add(Rank rank);

  /// The most promising configuration, if there is any.
  std::optional<Rank> best();

  /// Its promise. REQUIRES: there is one
  float bestPromise() { return entries_[findBest()].promise; }

  /// Takes the most promising one out, and believes the value that is predicted for it. REQUIRES: there is one
  void takeBest();

 private:
  struct Entry {
    Rank rank;
    Prediction prediction;
    float promise;  // an upper bound until it is exact
    bool isExact;
  };
  std::size_t findBest();
  float promiseOf(const Prediction& prediction) const;

  const SearchSpace& space_;
  const Evidence& evidence_;
  const Features& features_;
  const Model& model_;
  GaussianProcess& process_;
  double best_;
  std::unordered_set<Rank> known_;
  std::vector<Entry> entries_;
};

}  // namespace hone::detail
