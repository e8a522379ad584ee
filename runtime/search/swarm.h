// Particle swarm for discrete, constrained spaces: the strategy whose candidates do not wait for each other.
//
// Rule: a particle whose trial was judged moves; each parameter takes, independently of the others,
//   the value of the best configuration of all              with probability gamma,
//   the value of the best that this particle has been at    with probability beta,
//   a random value                                          with probability alpha,
//   the value it has now                                    otherwise.
// As published, most moves come back to where some particle has been, each is looked up in the list of all
// configurations, and beta and alpha are shares of what gamma, and then beta, has left. It departs from that:
// - a move is drawn until it is valid and new: neither judged nor another particle's next trial;
// - where no draw is valid and new, a few more are moved to the nearest valid configuration: in tightly coupled spaces
//   hardly a mixture of configurations is valid;
// - where that leads nowhere new, the particle gets lost: it goes on from a random configuration, keeping its best.
// All particles begin lost, the first one at the default. A particle whose trial failed goes back to its best, or is
// lost if it has none, so that a failure attracts nobody. A particle moves as soon as it can, not once all others were
// judged; trials that were not asked for attract, and serve lost particles as places to go on from.
//
// Sources: Kennedy, Eberhart 1995; for tuning kernels, with this exclusive choice, Nugteren and Codreanu, CLTune, 2015.
// The Rule is chosen on the recorded spaces; swarm.cpp says how.
//
// Does not apply to a few dozens of trials, one at a time: annealing finds as much earlier. Nor where good
// configurations have no values in common: a mixture of two of them is then as good as any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "hone/strategy.h"
#include "search/random.h"

namespace hone::detail {

class Swarm final : public Strategy {
 public:
  /// REQUIRES: particles > 0, random + own + best <= 1
  struct Rule {
    std::size_t particles = 8;
    double random = 0.2;  // alpha
    double own = 0.2;     // beta
    double best = 0.6;    // gamma
  };

  explicit Swarm(std::uint64_t seed) : Swarm(seed, Rule{}) {}
  Swarm(std::uint64_t seed, Rule rule) : seed_(seed), rule_(rule), anywhere_(seed), particles_(rule.particles) {}

  Proposal propose(const SearchSpace& space, const Evidence& evidence, std::size_t atMost) override;

 private:
  struct Particle {
    std::optional<Rank> next;   // what it waits for; empty while it is lost
    std::optional<Trial> best;  // of its own trials
  };

  void fold(const SearchSpace& space, const Evidence& evidence);
  bool isNew(const Evidence& evidence, Rank rank) const;
  std::optional<Rank> moved(const SearchSpace& space, const Evidence& evidence, Rank from, Rank own) const;

  std::uint64_t seed_;
  Rule rule_;
  RandomOrder anywhere_;

  std::size_t folded_ = 0;  // how many trials are part of the state below
  std::optional<Trial> best_;
  std::vector<Particle> particles_;  // who has waited longest, first
};

}  // namespace hone::detail
