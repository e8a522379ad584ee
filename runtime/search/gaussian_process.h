// Gaussian process regression: what the judged configurations say about the others, and how surely.
//
// Model: values are  mean + scale * f(x) + noise,  f a Gaussian process of mean 0, variance 1 and correlation k
// (kernel.h); the noise of each point is independent, with a known variance relative to scale^2. With
// C = K + diag(noise):
//   mean    = 1' C^-1 y / 1' C^-1 1                        generalised least squares
//   scale^2 = (y - mean)' C^-1 (y - mean) / n              both where the likelihood is greatest
// A prediction at x with correlations k to the points has
//   E   = mean + k' C^-1 (y - mean)
//   Var = scale^2 (1 - k' C^-1 k)
//
// Source: Rasmussen, Williams, Gaussian Processes for Machine Learning, 2006, algorithm 2.1 and 5.4.1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/kernel.h"

namespace hone::detail {

/// What is chosen so that the observations are likely; variances relative to scale^2.
struct ProcessParameters {
  std::vector<KernelDimension> dimensions;
  double noise = 0;  // of a single measurement: its error, and what is the configuration's own and in no dimension
};

struct Observation {
  Coordinates at;
  double value = 0;
  double measurements = 1;  // that the value is the mean of
  double ownNoise = 0;      // variance beside that of measuring: it comes from elsewhere

  double noise(const ProcessParameters& parameters) const { return parameters.noise / measurements + ownNoise; }
};

/// A place whose value is predicted. Made by GaussianProcess::predict.
struct Prediction {
  Coordinates at;
  double mean = 0;
  double variance = 0;  // an upper bound until it is refined

  /// L^-1 k in the first `solvedCount` places, k in the others.
  std::vector<double> solved;
  std::size_t solvedCount = 0;
};

/// Thread safety: externally synchronised.
class GaussianProcess {
 public:
  /// Conditions on the observations: n^3 / 6 multiplications. Where their covariances are singular up to rounding,
  /// noise is added until they are not.
  /// REQUIRES: observations.size() > 0, finite values, coordinates within the dimensions' counts
  GaussianProcess(const ProcessParameters& parameters, const std::vector<Observation>& observations);

  double mean() const { return mean_; }
  double scale() const { return scale_; }
  /// The variance of a single measurement around the process.
  double measurementVariance() const { return measurementNoise_ * scale_ * scale_; }

  /// With the exact mean, and as the bound of its variance what would be left of it after the one observation alone
  /// that has most in common with the place. O(n d).
  Prediction predict(Coordinates at) const;
  /// Makes the variance exact, that of the process without noise: n^2 / 2 multiplications, later n for each place
  /// that is believed since. REQUIRES: a prediction of this process
  void refine(Prediction& prediction) const;
  /// Goes on as if the place had been observed with the mean predicted for it: no mean changes, the variances near it
  /// fall. (Kriging believer: Ginsbourger, Le Riche, Carraro 2010.)
  void believe(Prediction prediction);

 private:
  void addPlace(Coordinates at, double noise);

  std::vector<KernelTable> tables_;
  double measurementNoise_;
  std::vector<Coordinates> at_;                         // observed, then believed
  std::vector<std::vector<std::int32_t>> coordinates_;  // the same by dimension
  std::vector<double> noise_;
  std::size_t observed_;
  std::vector<std::vector<double>> factor_;  // L, the Cholesky factor of C: rows, up to the diagonal
  std::vector<double> weights_;              // C^-1 (y - mean)
  double mean_ = 0;
  double scale_ = 0;
};

/// How well the parameters explain the observations, with the best mean and scale.
struct Likelihood {
  double negativeLog = 0;  // n / 2 log(scale^2) + 1/2 log det C; infinite where C is singular up to rounding

  std::vector<double> slopes;  // d negativeLog / d logScale, for each dimension
  double noiseSlope = 0;       // d negativeLog / d log(noise)
  /// d negativeLog / d log k(x_i, x_j), for i > j at i (i - 1) / 2 + j: what a further dimension would do.
  std::vector<double> pairSlopes;
};

/// n^3 / 6 multiplications, and n^2 d / 2 for the correlations; with slopes, about six times as many.
/// REQUIRES: as GaussianProcess
Likelihood likelihood(const ProcessParameters& parameters, const std::vector<Observation>& observations);

}  // namespace hone::detail
