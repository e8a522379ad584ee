// Nelder-Mead for discrete, constrained spaces.
//
// Rule: a simplex of configurations x_1 .. x_m, best first; c is the mean position of all but the worst, x_m.
//   x(f) = nearest(c + f (c - x_m)):   reflection f = 1, expansion f = 2, contraction outside f = 1/2, inside f = -1/2
//   reflection better than x_1:        x_m becomes the better of reflection and expansion
//   else better than x_(m-1):          x_m becomes the reflection
//   else better than x_m:              x_m becomes the outside contraction, if that is no worse than the reflection
//   else:                              x_m becomes the inside contraction, if that is better than x_m
//   none of these:                     all shrink halfway towards x_1; where that moves nothing, a new simplex begins
// Positions are those of the values in their ranges; nearest is SearchSpace::nearest. A failed configuration costs
// infinity. What was judged already costs no trial; a step onto a vertex of the simplex moves nothing, so it shrinks.
//
// The default and some random configurations are tried first. The first simplex: the best of these, and vertices that
// each move a group of parameters to the farther end of their ranges. Later ones: the best configuration, and vertices
// that each move a group by a step; after `fruitless` of them without a new best, one around a random place, as large
// as the first.
//
// Source: Nelder, Mead 1965, with its coefficients. It departs from it where their simplex moves in a continuous space
// without constraints:
// - a vertex is the nearest valid configuration, so that none is lost to constraints, and each that was judged is free;
// - a simplex that steps onto itself would go round in circles: it shrinks; one that cannot shrink begins anew, instead
//   of ending the search;
// - with many parameters a simplex has fewer vertices than dimensions + 1, or its first round would be the whole
// search. The Shape is chosen on the recorded spaces; nelder_mead.cpp says how.
//
// Does not apply to parameters without an order (kinds, layouts): between two of their values lies nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "hone/strategy.h"
#include "search/candidate_list.h"
#include "search/random.h"
#include "search/random_engine.h"

namespace hone::detail {

class NelderMead final : public Strategy {
 public:
  struct Shape {
    std::size_t scouts = 8;    // random configurations that are tried before the first simplex begins
    std::size_t vertices = 8;  // of a simplex; dimensions + 1 where that is less
    double firstReach = 1;  // how far a vertex of the first simplex moves a parameter, relative to its number of steps
    std::size_t fruitless = 4;  // simplices around a best configuration, before one is begun at a random place
  };

  explicit NelderMead(std::uint64_t seed) : NelderMead(seed, Shape{}) {}
  NelderMead(std::uint64_t seed, Shape shape) : seed_(seed), shape_(shape), anywhere_(seed) {}

  Proposal propose(const SearchSpace& space, const Evidence& evidence, std::size_t atMost) override;

 private:
  struct Vertex {
    Rank rank;
    double cost;
  };

  /// The configuration's cost as far as trials were folded; infinite if it failed, empty if it was not judged.
  std::optional<double> costOf(const Evidence& evidence, Rank rank) const;
  bool isVertex(Rank rank) const;
  Rank moved(const SearchSpace& space, double factor) const;

  std::size_t trialsBeforeFirst() const { return shape_.scouts == 0 ? 0 : shape_.scouts + 1; }  // the default's, too
  void begin(const SearchSpace& space, const Evidence& evidence);
  Rank vertexNear(const SearchSpace& space, Rank centre, const std::vector<std::size_t>& parameters, double reach,
                  RandomEngine& engine) const;
  bool step(const SearchSpace& space, const Evidence& evidence);
  void shrink(const SearchSpace& space, const Evidence& evidence);
  void offerWanted(CandidateList& list, const SearchSpace& space, const Evidence& evidence);

  std::uint64_t seed_;
  Shape shape_;
  RandomOrder anywhere_;

  std::size_t folded_ = 0;  // how many trials are part of the state below
  std::optional<Trial> best_;
  std::size_t begun_ = 0;           // number of simplices
  std::size_t sinceBest_ = 0;       // simplices begun since the best was found
  std::vector<Vertex> simplex_;     // best first, once all costs are known
  std::optional<Rank> reflection_;  // empty while the simplex waits for its vertices' costs
};

}  // namespace hone::detail
