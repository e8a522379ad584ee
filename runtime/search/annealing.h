// Simulated annealing on relative cost: the strategy for spaces whose neighbours resemble each other.
//
// Rule: from the current configuration with cost t, one neighbour with cost t' is tried. It becomes the current one
//   always                                        if t' <= t,
//   with probability exp(-((t' - t) / t) / T(n))  otherwise,   T(n) = s * firstTemperature * 2^(-n / halfLife),
// after n judged trials. A failed neighbour never does. s is the spread of the space, as the first samples show it: the
// median of |ln(t_i / t_j)| over the pairs of the first scouts + 1 trials that succeed.
//
// Neighbours differ in one parameter: a parameter is drawn, then one of its values. Nothing is tried twice. Once all
// neighbours were tried, two parameters are changed at once; where that finds nothing either, it goes anywhere.
//
// Sources: Kirkpatrick, Gelatt, Vecchi 1983; for tuning kernels, Nugteren and Codreanu, CLTune, 2015. It departs from
// them where
// - CLTune has (t' - t) / T with T in milliseconds, which is random search where all times are short and hill climbing
//   where they are long. Relative to t and to the spread, neither scaling all costs nor raising them to a power changes
//   what is typically accepted;
// - CLTune cools linearly over a number of trials that is fixed beforehand; an online search does not know its own;
// - CLTune draws among all neighbours alike, and ends where all that it draws was tried;
// - a few random configurations are tried first: they are what the spread is taken from, and a better place to begin.
// The Schedule is chosen on the recorded spaces; annealing.cpp says how.
//
// Does not apply where a configuration says nothing about its neighbours, or where the trials would cover most of the
// space anyway: random search does as well and is simpler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "hone/strategy.h"
#include "search/candidate_list.h"
#include "search/random.h"

namespace hone::detail {

class Annealing final : public Strategy {
 public:
  struct Schedule {
    std::size_t scouts = 5;  // random configurations that are tried before the default's neighbours
    /// In units of the spread: a neighbour that loses a fifth of it is accepted with probability 1/e at first.
    double firstTemperature = 0.2;
    double halfLife = 40;  // trials

    double temperature(std::size_t trials) const;
  };

  explicit Annealing(std::uint64_t seed) : Annealing(seed, Schedule{}) {}
  Annealing(std::uint64_t seed, Schedule schedule) : seed_(seed), schedule_(schedule), anywhere_(seed) {}

  Proposal propose(const SearchSpace& space, const Evidence& evidence, std::size_t atMost) override;

 private:
  void calibrate(double cost);
  bool accepts(const Trial& trial) const;
  void moveTo(const SearchSpace& space, Rank rank, double cost);
  void offerPairChanges(CandidateList& list, const SearchSpace& space) const;

  std::uint64_t seed_;
  Schedule schedule_;
  RandomOrder anywhere_;

  std::size_t folded_ = 0;          // how many trials are part of the state below
  std::vector<double> firstCosts_;  // of the trials that succeeded first
  double spread_ = 1;               // as long as no two have succeeded
  Rank current_ = 0;
  /// Of the current one. Infinite until a trial succeeds, so that any success is better.
  double cost_ = std::numeric_limits<double>::infinity();
  std::size_t movedAt_ = 0;       // how many trials were judged before the one that became current
  std::vector<Rank> neighbours_;  // of the current one, in the order in which they are tried
};

}  // namespace hone::detail
