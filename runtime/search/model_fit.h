// Which features the model looks at, and how far each reaches: where the judged trials are most likely.
//
// Rule: minimises  -log likelihood(log scales, log noise) + their squared distances from the expected ones, each in
// units of its spread, / 2   (maximum a posteriori), by the signs of the slopes:
//   a step grows by 1.3 while its slope keeps its sign, and halves where that turns
// Then features of pairs are added, up to three, one at a time: the one with the greatest score
//   - sum over points i > j  of  s_ij t_ij^2  /  sqrt(sum of s_ij^2 t_ij^4)
// where s_ij = d(-log likelihood) / d log k(x_i, x_j) and t_ij their distance in that feature, which is what adding it
// with a long scale would do. It stays if that makes the trials more likely by what a parameter has to gain.
//
// Sources: Rasmussen, Williams 2006, 5.4 (likelihood); Riedmiller, Braun 1993 (RPROP: signs, since the slopes of few
// points differ by orders of magnitude); Rao 1948 (score test).
#pragma once

#include <cstddef>
#include <vector>

#include "search/features.h"
#include "search/gaussian_process.h"

namespace hone::detail {

struct Model {
  std::vector<Feature> features;
  ProcessParameters parameters;  // as many dimensions
};

/// An observation whose coordinates are not chosen yet.
struct ObservedPoint {
  Point point;
  double value = 0;
  double measurements = 1;
  double ownNoise = 0;
};

Observation observation(const Features& features, const Model& model, const ObservedPoint& observed);
std::vector<Observation> observations(const Features& features, const Model& model,
                                      const std::vector<ObservedPoint>& observed);

/// Depends on its arguments only. About 20 to 40 likelihoods. REQUIRES: observed is not empty, finite values
Model fitModel(const Features& features, const std::vector<ObservedPoint>& observed);

}  // namespace hone::detail
