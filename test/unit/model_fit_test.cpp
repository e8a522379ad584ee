#include "search/model_fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "search/random_engine.h"
#include "support/searches.h"

namespace hone::detail {
namespace {

using Kind = Feature::Kind;

SearchSpace powers() {
  SpaceDeclarations declarations("powers");
  for (const char* name : {"a", "b", "c"}) declarations.addParameter(name, powersOfTwo(1, 128), 1);
  return SearchSpace(declarations);
}

/// Random configurations and what they cost.
std::vector<ObservedPoint> observe(const SearchSpace& space, std::size_t count,
                                   const std::function<double(const std::vector<std::int64_t>&)>& value) {
  RandomEngine engine(1);
  std::vector<ObservedPoint> observed;
  while (observed.size() < count) {
    const Rank rank = engine.below(space.size());
    observed.push_back({space.point(rank), value(space.configuration(rank))});
  }
  return observed;
}

double logOf(std::int64_t value) { return std::log2(static_cast<double>(value)); }

double logScaleOf(const Model& model, const Feature& feature) {
  const auto found = std::find(model.features.begin(), model.features.end(), feature);
  if (found == model.features.end()) return std::nan("");
  return model.parameters.dimensions[static_cast<std::size_t>(found - model.features.begin())].logScale;
}

TEST(ModelFit, WhatDoesNotMatterReachesFar) {
  const SearchSpace space = powers();
  const Features features(space);
  const auto observed = observe(space, 40, [](const auto& c) { return std::sin(logOf(c[1])); });
  const Model model = fitModel(features, observed);
  EXPECT_GT(logScaleOf(model, {Kind::position, 0, 0}), logScaleOf(model, {Kind::position, 1, 1}) + 1);
  EXPECT_GT(logScaleOf(model, {Kind::position, 2, 2}), logScaleOf(model, {Kind::position, 1, 1}) + 1);
}

TEST(ModelFit, AddsTheProductThatCostsHangOn) {
  const SearchSpace space = powers();
  const Features features(space);
  const auto product = [](const auto& c) { return std::abs(logOf(c[0]) + logOf(c[2]) - 8); };
  EXPECT_FALSE(std::isnan(logScaleOf(fitModel(features, observe(space, 40, product)), {Kind::product, 0, 2})));
  const auto ratio = [](const auto& c) { return std::abs(logOf(c[1]) - logOf(c[2]) - 1); };
  EXPECT_FALSE(std::isnan(logScaleOf(fitModel(features, observe(space, 40, ratio)), {Kind::ratio, 1, 2})));
}

TEST(ModelFit, AddsNothingWhereParametersActAlone) {
  const SearchSpace space = powers();
  const Features features(space);
  const auto observed = observe(space, 40, [](const auto& c) { return logOf(c[0]) + 0.5 * logOf(c[1]); });
  EXPECT_EQ(fitModel(features, observed).features, features.always());
}

TEST(ModelFit, AddsNothingToNoise) {
  const SearchSpace space = powers();
  const Features features(space);
  RandomEngine engine(5);
  const auto observed = observe(space, 40, [&](const auto&) { return engine.unit(); });
  EXPECT_EQ(fitModel(features, observed).features, features.always());
}

TEST(ModelFit, AddsNothingToAHandfulOfTrials) {
  const SearchSpace space = powers();
  const Features features(space);
  const auto product = [](const auto& c) { return std::abs(logOf(c[0]) + logOf(c[2]) - 8); };
  EXPECT_EQ(fitModel(features, observe(space, 9, product)).features, features.always());
}

TEST(ModelFit, FindsTheNoise) {
  const SearchSpace space = powers();
  const Features features(space);
  RandomEngine engine(3);
  const auto noisy = [&](double by) {
    return fitModel(features, observe(space, 50, [&](const auto& c) { return logOf(c[0]) + by * engine.unit(); }))
        .parameters.noise;
  };
  EXPECT_GT(noisy(3), 10 * noisy(0));
}

TEST(ModelFit, SurvivesWhatTellsNothing) {
  const SearchSpace space = powers();
  const Features features(space);
  for (std::size_t count : {1, 2, 30}) {
    const Model model = fitModel(features, observe(space, count, [](const auto&) { return 1.0; }));
    EXPECT_EQ(model.features.size(), model.parameters.dimensions.size());
    for (const KernelDimension& dimension : model.parameters.dimensions) EXPECT_TRUE(std::isfinite(dimension.logScale));
    EXPECT_GT(model.parameters.noise, 0);
  }
}

}  // namespace
}  // namespace hone::detail
