#include "search/model_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hone::detail {

namespace {

/// What is expected of a logarithm before anything was observed.
struct Expectation {
  double centre;
  double spread;

  double penalty(double value) const { return 0.5 * (value - centre) * (value - centre) / (spread * spread); }
  double slope(double value) const { return (value - centre) / (spread * spread); }
};

// At scale 2, the ends of a parameter's range have a correlation of 0.8.
const Expectation kLogScale{std::log(2.0), 1};
// Features of pairs matter less, mostly: at scale 3 the ends have 0.93.
const Expectation kLogScaleOfPairs{std::log(3.0), 1};
const Expectation kLogNoise{std::log(1e-3), 2};

constexpr double kLeastLogScale = -3, kMostLogScale = 5;
const double kLeastLogNoise = std::log(1e-6), kMostLogNoise = std::log(0.5);

constexpr int kSteps = 12;
constexpr int kStepsOfAddition = 6;
const double kLogScaleOfAddition = 0;  // where its descent begins
constexpr std::size_t kAdditions = 3;
constexpr std::size_t kPointsForAdditions = 10;
constexpr double kGainOfAddition = 1;  // Akaike's price of a parameter

const Expectation& expectation(const Feature& feature) {
  const bool isOfOne = feature.kind == Feature::Kind::position || feature.kind == Feature::Kind::twos;
  return isOfOne ? kLogScale : kLogScaleOfPairs;
}

// Below it, a slope is rounding: it has no sign to go by.
constexpr double kNoSlope = 1e-9;

/// One unknown of RPROP.
class Descent {
 public:
  void step(double slope, double& value, double least, double most) {
    if (std::abs(slope) < kNoSlope) return;
    if (slope * last_ > 0) size_ = std::min(1.0, size_ * 1.3);
    if (slope * last_ < 0) size_ *= 0.5;
    last_ = slope;
    value = std::clamp(value - std::copysign(size_, slope), least, most);
  }

 private:
  double size_ = 0.4;
  double last_ = 0;
};

class Fit {
 public:
  Fit(const Features& features, const std::vector<ObservedPoint>& observed)
      : features_(&features), observed_(&observed) {
    for (const Feature& feature : features.always()) add(feature, expectation(feature).centre);
    model_.parameters.noise = std::exp(kLogNoise.centre);
    take(observations(features, model_, observed));
  }

  /// The fit with one feature more, at this scale.
  Fit with(const Feature& feature, double logScale) const {
    Fit extended = *this;
    extended.add(feature, logScale);
    extended.take(observations(*features_, extended.model_, *observed_));
    return extended;
  }

  const Model& model() const { return model_; }
  double loss() const { return loss_; }
  std::size_t additions() const { return model_.features.size() - features_->always().size(); }

  /// Follows the slopes for a number of steps, and keeps the best place on the way.
  void descend(int steps) {
    Model best = model_;
    double least = std::numeric_limits<double>::infinity();
    std::vector<Descent> scales(model_.features.size());
    Descent noise;
    for (int step = 0; step < steps; ++step) {
      const Likelihood likely = likelihood(model_.parameters, observations_);
      const double logNoise = std::log(model_.parameters.noise);
      double loss = likely.negativeLog + kLogNoise.penalty(logNoise);
      for (std::size_t d = 0; d < model_.features.size(); ++d)
        loss += expectation(model_.features[d]).penalty(model_.parameters.dimensions[d].logScale);
      if (loss < least) {
        least = loss;
        best = model_;
        pairSlopes_ = likely.pairSlopes;
      }
      for (std::size_t d = 0; d < model_.features.size(); ++d) {
        double& logScale = model_.parameters.dimensions[d].logScale;
        const double slope = likely.slopes[d] + expectation(model_.features[d]).slope(logScale);
        scales[d].step(slope, logScale, kLeastLogScale, kMostLogScale);
      }
      double next = logNoise;
      noise.step(likely.noiseSlope + kLogNoise.slope(logNoise), next, kLeastLogNoise, kMostLogNoise);
      model_.parameters.noise = std::exp(next);
    }
    model_ = std::move(best);
    loss_ = least;
  }

  /// The feature of pairs with the greatest score, or null if none has a positive one.
  const Feature* mostPromising() const {
    const Feature* best = nullptr;
    double most = 0;
    for (const Feature& feature : features_->ofPairs()) {
      const auto& present = model_.features;
      if (std::find(present.begin(), present.end(), feature) != present.end()) continue;
      const double gain = score(feature);
      if (gain > most * (1 + kNoSlope)) {
        most = gain;
        best = &feature;
      }
    }
    return best;
  }

 private:
  void add(const Feature& feature, double logScale) {
    model_.features.push_back(feature);
    model_.parameters.dimensions.push_back({features_->count(feature), logScale});
  }
  void take(std::vector<Observation> observations) { observations_ = std::move(observations); }

  double score(const Feature& feature) const {
    std::vector<double> at;
    for (const ObservedPoint& observed : *observed_)
      at.push_back(static_cast<double>(features_->coordinate(feature, observed.point)));
    const double span = std::max(1, features_->count(feature) - 1);
    double gain = 0, squares = 0;
    auto slope = pairSlopes_.begin();
    for (std::size_t i = 0; i < at.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j, ++slope) {
        const double distance = (at[i] - at[j]) / span;
        const double change = *slope * distance * distance;
        gain += change;
        squares += change * change;
      }
    }
    return squares > 0 ? gain / std::sqrt(squares) : 0;
  }

  const Features* features_;
  const std::vector<ObservedPoint>* observed_;
  Model model_;
  std::vector<Observation> observations_;
  double loss_ = std::numeric_limits<double>::infinity();
  std::vector<double> pairSlopes_;  // where the model is
};

}  // namespace

Observation observation(const Features& features, const Model& model, const ObservedPoint& observed) {
  return {features.coordinates(model.features, observed.point), observed.value, observed.measurements,
          observed.ownNoise};
}

std::vector<Observation> observations(const Features& features, const Model& model,
                                      const std::vector<ObservedPoint>& observed) {
  std::vector<Observation> all;
  all.reserve(observed.size());
  for (const ObservedPoint& point : observed) all.push_back(observation(features, model, point));
  return all;
}

Model fitModel(const Features& features, const std::vector<ObservedPoint>& observed) {
  Fit fit(features, observed);
  fit.descend(kSteps);
  if (observed.size() < kPointsForAdditions) return fit.model();
  while (fit.additions() < kAdditions) {
    const Feature* feature = fit.mostPromising();
    if (!feature) break;
    Fit extended = fit.with(*feature, kLogScaleOfAddition);
    extended.descend(kStepsOfAddition);
    if (!(extended.loss() < fit.loss() - kGainOfAddition)) break;
    fit = std::move(extended);
  }
  return fit.model();
}

}  // namespace hone::detail
