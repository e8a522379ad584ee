#include "session/sandwich.h"

#include <algorithm>

namespace hone::detail {

namespace {

constexpr std::size_t kMaximumWaiting = 64;  // more are launched ahead of the incumbent by nobody who measures
constexpr std::size_t kFarKept = 16;         // enough for a mean, where the disturbance lasts

}  // namespace

Sandwich::Sandwich(const SandwichThresholds& thresholds) : thresholds_(thresholds), yardstick_(thresholds.yardstick) {
  for (std::vector<Sample>* samples : {&waiting_, &counted_, &disturbed_}) samples->reserve(kMaximumWaiting);
  for (std::vector<double>* ratios : {&far_, &outliers_}) ratios->reserve(kFarKept);
}

Yardstick::Seen Sandwich::addIncumbent(double cost, double relativeCost) {
  const Yardstick::Seen seen = addToYardstick(cost, relativeCost);
  if (seen != Yardstick::Seen::newLevel) latest_.add(cost / yardstick_.level());
  return seen;
}

Yardstick::Seen Sandwich::addDefaultAlone(double cost, double relativeCost) {
  return addToYardstick(cost, relativeCost);
}

Yardstick::Seen Sandwich::addToYardstick(double cost, double relativeCost) {
  counted_.clear();
  outliers_.clear();
  disturbed_.clear();
  const Yardstick::Seen seen = yardstick_.add(cost / relativeCost);
  if (seen == Yardstick::Seen::far) {
    disturbed_.swap(waiting_);
    disturbedLevel_ = std::max(cost / relativeCost, yardstick_.level());
    if (far_.size() < kFarKept) far_.push_back(cost / yardstick_.level());
    return seen;
  }
  if (seen == Yardstick::Seen::newLevel) forget();
  if (!yardstick_.isCalm()) return seen;
  if (far_.size() <= thresholds_.outliersInARow) outliers_.swap(far_);
  far_.clear();
  witnesses_ = 0;
  for (const Sample& sample : waiting_)
    counted_.push_back({sample.entry, sample.value / yardstick_.level(), sample.isFirst});
  waiting_.clear();
  return seen;
}

std::optional<double> Sandwich::disturbedFirst(EntryIndex entry) const {
  const auto isIt = [&](const Sample& sample) { return sample.isFirst && sample.entry == entry; };
  const auto first = std::find_if(disturbed_.begin(), disturbed_.end(), isIt);
  if (first == disturbed_.end()) return std::nullopt;
  return first->value / disturbedLevel_;
}

void Sandwich::addOther(EntryIndex entry, double cost, bool isFirst) {
  if (waiting_.size() < kMaximumWaiting) waiting_.push_back({entry, cost, isFirst});
}

bool Sandwich::witness(double cost, double relativeCostOfDefault) {
  const bool isAsEver = yardstick_.isNear(cost / relativeCostOfDefault);
  witnesses_ = isAsEver ? witnesses_ + 1 : 0;
  return isAsEver;
}

double Sandwich::blameIncumbent() {
  outliers_.clear();
  outliers_.swap(far_);
  witnesses_ = 0;
  yardstick_.calmDown();
  return latest_.medianOfLatest(Yardstick::kLevelSamples);
}

void Sandwich::forget() {
  far_.clear();
  waiting_.clear();
  witnesses_ = 0;
  latest_.clear();
}

}  // namespace hone::detail
