#include "hone/strategy.h"

namespace hone {

const Trial* Evidence::find(Rank rank) const {
  const auto found = position_.find(rank);
  return found == position_.end() ? nullptr : &trials_[found->second];
}

const Trial* Evidence::best() const { return best_ < trials_.size() ? &trials_[best_] : nullptr; }

void Evidence::add(Trial trial) {
  const std::size_t position = trials_.size();
  trials_.push_back(trial);
  position_.emplace(trial.rank, position);
  if (trial.relativeCost && (best_ >= position || *trial.relativeCost < *trials_[best_].relativeCost)) best_ = position;
}

void Evidence::revise(const Trial& trial) {
  const std::size_t position = position_.at(trial.rank);
  trials_[position] = trial;
  ++revisions_;
  best_ = std::numeric_limits<std::size_t>::max();
  for (std::size_t i = 0; i < trials_.size(); ++i) {
    const std::optional<double>& cost = trials_[i].relativeCost;
    if (cost && (best_ > i || *cost < *trials_[best_].relativeCost)) best_ = i;
  }
}

}  // namespace hone
