#include "search/gaussian_process.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace hone::detail {

namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

Eigen::Map<const Vector> view(const std::vector<double>& values, std::size_t size) {
  return {values.data(), static_cast<Index>(size)};
}
Eigen::Map<const Vector> view(const std::vector<double>& values) { return view(values, values.size()); }

std::vector<KernelTable> tablesOf(const std::vector<KernelDimension>& dimensions) {
  std::vector<KernelTable> tables;
  for (const KernelDimension& dimension : dimensions) tables.emplace_back(dimension);
  return tables;
}

std::size_t stepsBetween(std::int32_t a, std::int32_t b) { return static_cast<std::size_t>(std::abs(a - b)); }

double correlation(const std::vector<KernelTable>& tables, const Coordinates& a, const Coordinates& b) {
  double product = 1;
  for (std::size_t d = 0; d < tables.size(); ++d) product *= tables[d].factor[stepsBetween(a[d], b[d])];
  return product;
}

/// Of the observations; the lower triangle.
Matrix correlations(const std::vector<KernelTable>& tables, const std::vector<Observation>& observations) {
  const auto n = static_cast<Index>(observations.size());
  Matrix k(n, n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = j; i < n; ++i) {
      k(i, j) = correlation(tables, observations[static_cast<std::size_t>(i)].at,
                            observations[static_cast<std::size_t>(j)].at);
    }
  }
  return k;
}

// Relative to the process's variance. It keeps two observations that agree in all that the kernel sees apart from
// rounding: the factor's last element is then 1e-4, and 1e-14 the rounding error of a hundred points.
constexpr double kJitter = 1e-8;
constexpr double kLeastVariance = 1e-12;

// Where all values are equal, any positive scale says that nothing is expected to be much better.
constexpr double kLeastScale = 1e-9;

/// C = L L', and the best mean and scale.
struct Conditioned {
  Eigen::LLT<Matrix> factor;
  bool isRegular = false;
  double mean = 0;
  double scale = 0;
  Vector weights;  // C^-1 (y - mean)
};

Conditioned condition(const Matrix& correlations, const ProcessParameters& parameters,
                      const std::vector<Observation>& observations, double jitter) {
  const auto n = static_cast<Index>(observations.size());
  Matrix covariances = correlations;
  Vector values(n);
  for (Index i = 0; i < n; ++i) {
    const Observation& observation = observations[static_cast<std::size_t>(i)];
    covariances(i, i) += observation.noise(parameters) + jitter;
    values(i) = observation.value;
  }
  Conditioned result;
  result.factor.compute(covariances);
  result.isRegular = result.factor.info() == Eigen::Success;
  if (!result.isRegular) return result;
  const Vector ones = result.factor.solve(Vector::Ones(n));
  result.mean = ones.dot(values) / ones.sum();
  const Vector deviations = values.array() - result.mean;
  result.weights = result.factor.solve(deviations);
  const double quadratic = std::max(0.0, deviations.dot(result.weights));
  result.scale = std::max(kLeastScale, std::sqrt(quadratic / static_cast<double>(n)));
  return result;
}

}  // namespace

GaussianProcess::GaussianProcess(const ProcessParameters& parameters, const std::vector<Observation>& observations)
    : tables_(tablesOf(parameters.dimensions)), measurementNoise_(parameters.noise), observed_(observations.size()) {
  const Matrix k = correlations(tables_, observations);
  double jitter = kJitter;
  Conditioned conditioned = condition(k, parameters, observations, jitter);
  while (!conditioned.isRegular) conditioned = condition(k, parameters, observations, jitter *= 10);
  mean_ = conditioned.mean;
  scale_ = conditioned.scale;
  weights_.assign(conditioned.weights.begin(), conditioned.weights.end());
  const Matrix& lower = conditioned.factor.matrixLLT();
  for (Index i = 0; i < lower.rows(); ++i) {
    factor_.emplace_back();
    for (Index j = 0; j <= i; ++j) factor_.back().push_back(lower(i, j));
  }
  coordinates_.resize(tables_.size());
  for (const Observation& observation : observations) addPlace(observation.at, observation.noise(parameters));
}

Prediction GaussianProcess::predict(Coordinates at) const {
  Prediction prediction;
  std::vector<double>& k = prediction.solved;
  k.assign(at_.size(), 1);
  for (std::size_t d = 0; d < tables_.size(); ++d) {
    const double* factor = tables_[d].factor.data();
    const std::int32_t* others = coordinates_[d].data();
    for (std::size_t i = 0; i < k.size(); ++i) k[i] *= factor[stepsBetween(at[d], others[i])];
  }
  double most = 0;
  for (std::size_t i = 0; i < k.size(); ++i) most = std::max(most, k[i] * k[i] / (1 + noise_[i]));
  prediction.at = std::move(at);
  prediction.mean = mean_ + view(k, observed_).dot(view(weights_));
  prediction.variance = std::max(kLeastVariance, 1 - most) * scale_ * scale_;
  return prediction;
}

void GaussianProcess::refine(Prediction& prediction) const {
  std::vector<double>& solved = prediction.solved;
  for (std::size_t i = solved.size(); i < at_.size(); ++i)
    solved.push_back(correlation(tables_, prediction.at, at_[i]));
  for (std::size_t& i = prediction.solvedCount; i < at_.size(); ++i)
    solved[i] = (solved[i] - view(factor_[i], i).dot(view(solved, i))) / factor_[i][i];
  prediction.variance = std::max(kLeastVariance, 1 - view(solved).squaredNorm()) * scale_ * scale_;
}

void GaussianProcess::believe(Prediction prediction) {
  refine(prediction);
  std::vector<double> row = std::move(prediction.solved);
  row.push_back(std::sqrt(prediction.variance / (scale_ * scale_) + measurementNoise_ + kJitter));
  factor_.push_back(std::move(row));
  addPlace(std::move(prediction.at), measurementNoise_);
}

void GaussianProcess::addPlace(Coordinates at, double noise) {
  for (std::size_t d = 0; d < coordinates_.size(); ++d) coordinates_[d].push_back(at[d]);
  at_.push_back(std::move(at));
  noise_.push_back(noise);
}

Likelihood likelihood(const ProcessParameters& parameters, const std::vector<Observation>& observations) {
  const std::vector<KernelTable> tables = tablesOf(parameters.dimensions);
  const Matrix k = correlations(tables, observations);
  const Conditioned conditioned = condition(k, parameters, observations, kJitter);
  const std::size_t n = observations.size();
  Likelihood result;
  result.slopes.assign(tables.size(), 0);
  if (!conditioned.isRegular) {
    result.negativeLog = std::numeric_limits<double>::infinity();
    result.pairSlopes.assign(n * (n - 1) / 2, 0);
    return result;
  }
  result.negativeLog = static_cast<double>(n) * std::log(conditioned.scale) +
                       conditioned.factor.matrixLLT().diagonal().array().log().sum();

  // d negativeLog / d C_ij = 1/2 (C^-1 - w w' / scale^2)_ij, w the weights; each pair stands in C twice. The lower
  // triangle of C^-1 = M' M with M = L^-1.
  const auto size = static_cast<Index>(n);
  const Matrix inverse = conditioned.factor.matrixL().solve(Matrix::Identity(size, size));
  const Vector scaled = conditioned.weights / conditioned.scale;
  Matrix slopes = Matrix::Zero(size, size);
  slopes.selfadjointView<Eigen::Lower>().rankUpdate(inverse.transpose());
  slopes.selfadjointView<Eigen::Lower>().rankUpdate(scaled, -1);
  result.pairSlopes.reserve(n * (n - 1) / 2);
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = static_cast<Index>(i);
    result.noiseSlope += 0.5 * slopes(row, row) * parameters.noise / observations[i].measurements;
    for (std::size_t j = 0; j < i; ++j) {
      const double slope = slopes(row, static_cast<Index>(j)) * k(row, static_cast<Index>(j));
      result.pairSlopes.push_back(slope);
      for (std::size_t d = 0; d < tables.size(); ++d)
        result.slopes[d] += slope * tables[d].slope[stepsBetween(observations[i].at[d], observations[j].at[d])];
    }
  }
  return result;
}

}  // namespace hone::detail
