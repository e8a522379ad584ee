// The model-guided strategy: a model of the cost learns from all trials so far, and the configuration that promises the
// greatest improvement is tried next. It needs the fewest trials to a near-best configuration.
//
// Rule:
//   the first trials     what is known from elsewhere; then spread out, each the farthest of some random configurations
//                        from those judged or listed
//   model                a Gaussian process (gaussian_process.h) on log costs (cost_scale.h) over the positions of the
//                        parameters' values, powers of two in them (features.h), and the products and ratios of
//                        parameters that make the trials more likely (model_fit.h)
//   pool                 neighbours of the best configurations, and random ones; then, a few times, the neighbours of
//                        what is the most promising so far
//   next                 the most promising of the pool, by expected improvement (promise_pool.h)
//   further ones ahead   the same, as if those before had been judged and had cost what the model expects
//   measured again       the best trial, where that promises more than anything new
// All of it follows from the seed and the evidence. The model's parameters are found anew each time a quarter more
// trials were judged, from these trials alone; those judged since then only condition it.
//
// Sources: Jones, Schonlau, Welch 1998 (expected improvement; EGO); Snoek, Larochelle, Adams 2012 (Matern 5/2, a scale
// a parameter); Ginsbourger, Le Riche, Carraro 2010 (kriging believer). Departures, with what each is worth: auto.cpp.
//
// Same seed, same evidence, same proposals, with any compiler: costs enter rounded to 2^-32, promises are compared as
// floats, slopes below 1e-9 have no sign, and ties go to the first in the pool. Rounding changes a search only where it
// falls on one of these edges.
//
// Does not apply where proposing must take less than a millisecond, or where a configuration says nothing about its
// neighbours: random search is as good there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "hone/strategy.h"
#include "search/candidate_list.h"
#include "search/cost_scale.h"
#include "search/features.h"
#include "search/model_fit.h"
#include "search/promise_pool.h"
#include "search/random.h"
#include "search/random_engine.h"

namespace hone::detail {

/// What is known of a configuration from elsewhere: another problem, an earlier run.
struct PriorTrial {
  Rank rank = 0;
  double relativeCost = 1;  // to the default of the problem that is tuned
  double noise = 0.1;       // standard deviation of the cost's logarithm: 0.1 is about 10 %
};

class Auto final : public Strategy {
 public:
  struct Rule {
    std::size_t spreadTrials = 6;        // before the model is asked
    std::size_t spreadDraws = 20;        // random configurations of which the farthest is tried
    std::size_t centres = 4;             // best configurations whose neighbours are in the pool
    std::size_t neighbours = 256;        // of a centre; where it has more, so many random ones of them
    std::size_t randomDraws = 100;       // random configurations in the pool
    std::size_t climbs = 5;              // times that the neighbours of the most promising one are added
    std::size_t modelPoints = 120;       // trials that condition the model at most
    std::size_t trialsBeforeDoubt = 50;  // before the best is measured again
    std::size_t fitPoints = 60;          // trials that it is fitted to at most
  };

  explicit Auto(std::uint64_t seed) : Auto(seed, {}, Rule{}) {}
  /// The prior trials condition the model, each with its noise, until they are judged; they are candidates themselves.
  /// REQUIRES: ranks of the space that is searched
  Auto(std::uint64_t seed, std::vector<PriorTrial> priorTrials, Rule rule)
      : seed_(seed), rule_(rule), priorTrials_(std::move(priorTrials)), anywhere_(seed) {}
  explicit Auto(std::uint64_t seed, std::vector<PriorTrial> priorTrials) : Auto(seed, std::move(priorTrials), Rule{}) {}

  Proposal propose(const SearchSpace& space, const Evidence& evidence, std::size_t atMost) override;

  /// With 40 / 60 / 80 / 100, a search on 18 recorded spaces (search_quality --patience, eight candidates at a time)
  /// ends after 78 / 104 / 128 / 152 trials 5.2 / 1.9 / 1.4 / 1.2 % above the optimum in the mean, and in 21 / 14 / 11
  /// / 9 % of the runs by more than 3 %. What the trials beyond 40 cost, some hundred launches, is soon saved.
  std::size_t patience() const override { return 80; }

 private:
  void offerSpreadOut(CandidateList& list, const SearchSpace& space, const Evidence& evidence) const;
  void offerPromising(CandidateList& list, const SearchSpace& space, const Evidence& evidence);
  std::vector<ObservedPoint> observed(const SearchSpace& space, const Evidence& evidence, std::size_t trials,
                                      std::size_t atMost) const;
  std::vector<const PriorTrial*> unjudged(const Evidence& evidence, std::size_t trials) const;
  void fillPool(PromisePool& pool, const SearchSpace& space, const Evidence& evidence) const;
  bool addNeighbours(PromisePool& pool, const SearchSpace& space, Rank centre, RandomEngine& engine) const;
  void findDoubtful(const Evidence& evidence, const GaussianProcess& process, PromisePool& pool);
  void fit(const SearchSpace& space, const Evidence& evidence);

  std::uint64_t seed_;
  Rule rule_;
  std::vector<PriorTrial> priorTrials_;
  RandomOrder anywhere_;

  std::optional<Features> features_;
  std::size_t fittedTrials_ = 0;  // how many the model below was fitted to
  std::size_t fittedRevisions_ = 0;
  Model model_;
  std::vector<Rank> doubtful_;
};

}  // namespace hone::detail
