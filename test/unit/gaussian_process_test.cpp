#include "search/gaussian_process.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hone::detail {
namespace {

/// Four points in two dimensions. Figures that are compared with it were found by Gaussian elimination in a few lines
/// of another language, from the formulas in the header.
const ProcessParameters kParameters{{{5, 0.0}, {3, 0.5}}, 0.01};
const std::vector<Observation> kObservations{{{0, 0}, 1.0}, {{1, 2}, 0.2}, {{3, 1}, 0.5}, {{4, 0}, 2.0}};

TEST(Kernel, IsMatern) {
  EXPECT_NEAR(matern(std::sqrt(5.0)), 0.5239941088318203, 1e-15);
  const KernelTable table({5, std::log(2.0)});
  EXPECT_EQ(table.factor.at(0), 1);
  EXPECT_NEAR(table.factor.at(2), 0.950959921678633, 1e-15);  // m(sqrt(5) (2 / 4) / 2)
}

TEST(Kernel, SlopesAreThoseOfTheLogarithm) {
  constexpr double kStep = 1e-5;
  for (double logScale : {-1.0, 0.0, 2.0}) {
    const KernelTable table({7, logScale}), more({7, logScale + kStep}), less({7, logScale - kStep});
    for (std::size_t steps = 0; steps < 7; ++steps) {
      const double slope = std::log(more.factor[steps] / less.factor[steps]) / (2 * kStep);
      EXPECT_NEAR(table.slope[steps], slope, 1e-7);
    }
  }
}

TEST(Kernel, OneValueIsTheSame) { EXPECT_EQ(KernelTable({1, 0.0}).factor, std::vector<double>{1}); }

TEST(GaussianProcess, PredictsAsByHand) {
  // Two points whose correlation is c, noise v: the mean lies between them, and the weights are
  // -+ (difference / 2) / (1 + v - c).
  const ProcessParameters parameters{{{2, 0.0}}, 0.1};
  const GaussianProcess process(parameters, {{{0}, 1.0}, {{1}, 3.0}});
  const double c = KernelTable({2, 0.0}).factor[1], weight = 1 / (1 + 0.1 - c);
  EXPECT_NEAR(process.mean(), 2, 1e-12);
  EXPECT_NEAR(process.scale(), std::sqrt(weight), 1e-6);  // ((-1) (-w) + 1 w) / 2
  EXPECT_NEAR(process.predict({0}).mean, 2 - weight * (1 - c), 1e-6);
}

TEST(GaussianProcess, PredictsAsTheReference) {
  const GaussianProcess process(kParameters, kObservations);
  EXPECT_NEAR(process.mean(), 1.5806995231247716, 1e-9);
  EXPECT_NEAR(process.scale(), 1.535706720434677, 1e-9);
  Prediction prediction = process.predict({2, 1});
  EXPECT_NEAR(prediction.mean, 0.3318173002198148, 1e-9);
  EXPECT_GT(prediction.variance, 0.06647603500324724);
  process.refine(prediction);
  EXPECT_NEAR(prediction.variance, 0.06647603500324724, 1e-9);
  process.refine(prediction);
  EXPECT_NEAR(prediction.variance, 0.06647603500324724, 1e-9);
}

TEST(GaussianProcess, BoundIsTheVarianceAfterOneObservation) {
  const GaussianProcess process({{{9, 0.0}}, 0.2}, {{{0}, 1.0}, {{8}, 2.0}});
  const double c = KernelTable({9, 0.0}).factor[2], variance = process.scale() * process.scale();
  EXPECT_NEAR(process.predict({2}).variance, variance * (1 - c * c / 1.2), 1e-12);
}

TEST(GaussianProcess, ForgetsDistantObservations) {
  const GaussianProcess process({{{9, -3.0}}, 1e-6}, {{{0}, 1.0}, {{1}, 5.0}});
  Prediction far = process.predict({8});
  process.refine(far);
  EXPECT_NEAR(far.mean, process.mean(), 1e-6);
  EXPECT_NEAR(far.variance, process.scale() * process.scale(), 1e-6);
}

TEST(GaussianProcess, OwnNoiseTakesWeightFromAnObservation) {
  const ProcessParameters parameters{{{3, 0.0}}, 1e-6};
  const auto at2 = [&](double ownNoise) {
    return GaussianProcess(parameters, {{{0}, 0.0}, {{1}, 0.0}, {{2}, 1.0, 1, ownNoise}}).predict({2}).mean;
  };
  EXPECT_NEAR(at2(0), 1, 1e-3);
  EXPECT_LT(at2(1), 0.7);
  EXPECT_LT(at2(100), at2(1));
}

TEST(GaussianProcess, RepeatedMeasurementsShareTheirNoise) {
  const ProcessParameters parameters{{{5, 0.0}, {3, 0.5}}, 0.04};
  std::vector<Observation> repeated = kObservations;
  for (Observation& observation : repeated) observation.measurements = 4;
  EXPECT_NEAR(GaussianProcess(parameters, repeated).predict({2, 1}).mean, 0.3318173002198148, 1e-9);
}

TEST(GaussianProcess, BelievingIsConditioningOnThePrediction) {
  GaussianProcess process(kParameters, kObservations);
  Prediction other = process.predict({1, 0});
  process.refine(other);
  for (const Coordinates& at : {Coordinates{2, 1}, {2, 0}}) {
    std::vector<Observation> more = kObservations;
    if (at == Coordinates{2, 0}) more.push_back({{2, 1}, process.predict({2, 1}).mean});
    more.push_back({at, process.predict(at).mean});
    process.believe(process.predict(at));

    const GaussianProcess conditioned(kParameters, more);
    Prediction expected = conditioned.predict({1, 0});
    conditioned.refine(expected);
    process.refine(other);
    EXPECT_NEAR(other.mean, expected.mean, 1e-9);
    const double scales = conditioned.scale() / process.scale();  // the process keeps the scale of what was observed
    EXPECT_NEAR(other.variance * scales * scales, expected.variance, 1e-9);
  }
}

TEST(GaussianProcess, SurvivesEqualPlacesWithoutNoise) {
  const ProcessParameters parameters{{{5, 3.0}}, 0};
  std::vector<Observation> same(50, {{2}, 1.0});
  for (std::size_t i = 0; i < same.size(); ++i) same[i].value = static_cast<double>(i % 3);
  GaussianProcess process(parameters, same);
  for (int i = 0; i < 5; ++i) process.believe(process.predict({2}));
  Prediction prediction = process.predict({2});
  process.refine(prediction);
  EXPECT_NEAR(prediction.mean, 0.98, 1e-3);  // of 17 zeros, 17 ones and 16 twos
  EXPECT_GT(prediction.variance, 0);
  EXPECT_TRUE(std::isfinite(prediction.variance));
}

TEST(GaussianProcess, EqualValuesLeaveNothingToExpect) {
  GaussianProcess process(kParameters, {{{0, 0}, 3.0}, {{4, 2}, 3.0}});
  Prediction prediction = process.predict({2, 1});
  process.refine(prediction);
  EXPECT_NEAR(prediction.mean, 3, 1e-9);
  EXPECT_GT(prediction.variance, 0);
  EXPECT_LT(prediction.variance, 1e-12);
}

TEST(Likelihood, IsTheReferences) {
  EXPECT_NEAR(likelihood(kParameters, kObservations).negativeLog, 0.025275619432166163, 1e-7);
}

TEST(Likelihood, SlopesAreDifferences) {
  constexpr double kStep = 1e-5;
  std::vector<Observation> observations = kObservations;
  observations[1].measurements = 3;
  observations[2].ownNoise = 0.05;
  const auto at = [&](double first, double second, double noise) {
    return likelihood({{{5, first}, {3, 0.5 + second}}, 0.01 * std::exp(noise)}, observations).negativeLog;
  };
  const Likelihood likely = likelihood(kParameters, observations);
  EXPECT_NEAR(likely.slopes.at(0), (at(kStep, 0, 0) - at(-kStep, 0, 0)) / (2 * kStep), 1e-6);
  EXPECT_NEAR(likely.slopes.at(1), (at(0, kStep, 0) - at(0, -kStep, 0)) / (2 * kStep), 1e-6);
  EXPECT_NEAR(likely.noiseSlope, (at(0, 0, kStep) - at(0, 0, -kStep)) / (2 * kStep), 1e-6);
}

TEST(Likelihood, PairSlopesTellWhatAFurtherDimensionWouldDo) {
  constexpr double kLogScale = 7;
  const std::vector<std::int32_t> third{0, 3, 1, 2};
  ProcessParameters extended = kParameters;
  extended.dimensions.push_back({4, kLogScale});
  std::vector<Observation> observations = kObservations;
  for (std::size_t i = 0; i < third.size(); ++i) observations[i].at.push_back(third[i]);

  const Likelihood likely = likelihood(kParameters, kObservations);
  const KernelTable table(extended.dimensions.back());
  double expected = likely.negativeLog;
  for (std::size_t i = 0, pair = 0; i < third.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j, ++pair) {
      const auto steps = static_cast<std::size_t>(std::abs(third[i] - third[j]));
      expected += likely.pairSlopes.at(pair) * std::log(table.factor[steps]);
    }
  }
  const double change = expected - likely.negativeLog;
  EXPECT_NEAR(likelihood(extended, observations).negativeLog, expected, std::abs(change) * 1e-3);
}

}  // namespace
}  // namespace hone::detail
