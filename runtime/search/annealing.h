// Simulated annealing on relative cost: the strategy for spaces whose neighbours resemble each other.
//
// Rule: from the current configuration with cost t, one neighbour with cost t' is tried. It becomes the current one
//   always                                        if t' <= t,
//   with probability exp(-((t' - t) / t) / T(n))  otherwise,   T(n) = firstTemperature * 2^(-n / halfLife),
// after n judged trials. A failed neighbour never does. The published rule has (t' - t) / T with T in milliseconds,
// which is random search where all times are short; relative to t, scaling all costs changes nothing.
//
// Neighbours differ in one parameter: a parameter is drawn, then one of its values. Nothing is tried twice. Once all
// neighbours were tried, two parameters are changed at once; where that finds nothing either, it goes anywhere.
//
// Sources: Kirkpatrick, Gelatt, Vecchi 1983; for tuning kernels, Nugteren and Codreanu, CLTune, 2015.
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
    std::size_t scouts = 5;         // random configurations that are tried before the default's neighbours
    double firstTemperature = 0.1;  // a neighbour that is 10 % slower is accepted with probability 1/e at first
    double halfLife = 40;           // trials

    double temperature(std::size_t trials) const;
  };

  explicit Annealing(std::uint64_t seed) : Annealing(seed, Schedule{}) {}
  Annealing(std::uint64_t seed, Schedule schedule) : seed_(seed), schedule_(schedule), anywhere_(seed) {}

  Proposal propose(const SearchSpace& space, const Evidence& evidence, std::size_t atMost) override;

 private:
  bool accepts(const Trial& trial) const;
  void moveTo(const SearchSpace& space, Rank rank, double cost);
  void offerPairChanges(CandidateList& list, const SearchSpace& space) const;

  std::uint64_t seed_;
  Schedule schedule_;
  RandomOrder anywhere_;

  std::size_t folded_ = 0;  // how many trials are part of the state below
  Rank current_ = 0;
  /// Of the current one. Infinite until a trial succeeds, so that any success is better.
  double cost_ = std::numeric_limits<double>::infinity();
  std::size_t movedAt_ = 0;       // how many trials were judged before the one that became current
  std::vector<Rank> neighbours_;  // of the current one, in the order in which they are tried
};

}  // namespace hone::detail
