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

}  // namespace hone
