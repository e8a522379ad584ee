#include "papers/watched_strategy.h"

#include <utility>

namespace hone::bench {

namespace {

class WatchedStrategy final : public Strategy {
 public:
  WatchedStrategy(std::unique_ptr<Strategy> strategy, std::shared_ptr<Watch> watch)
      : strategy_(std::move(strategy)), watch_(std::move(watch)) {}

  Proposal propose(const SearchSpace& space, const Evidence& evidence, std::size_t atMost) override {
    watch_->note(space, evidence);
    return strategy_->propose(space, evidence, atMost);
  }
  std::size_t patience() const override { return strategy_->patience(); }

 private:
  std::unique_ptr<Strategy> strategy_;
  std::shared_ptr<Watch> watch_;
};

class LookingStrategy final : public Strategy {
 public:
  explicit LookingStrategy(std::shared_ptr<Watch> watch) : watch_(std::move(watch)) {}

  Proposal propose(const SearchSpace& space, const Evidence& evidence, std::size_t) override {
    watch_->note(space, evidence);
    return {};
  }

 private:
  std::shared_ptr<Watch> watch_;
};

}  // namespace

void Watch::note(const SearchSpace& space, const Evidence& evidence) {
  const std::lock_guard lock(mutex_);
  if (!space_) space_ = space;
  trials_ = evidence.trials();
}

std::optional<SearchSpace> Watch::space() const {
  const std::lock_guard lock(mutex_);
  return space_;
}

std::vector<Trial> Watch::trials() const {
  const std::lock_guard lock(mutex_);
  return trials_;
}

std::function<std::unique_ptr<Strategy>(std::uint64_t seed)> watched(const std::string& strategy,
                                                                     std::shared_ptr<Watch> watch) {
  return [strategy, watch](std::uint64_t seed) {
    return std::make_unique<WatchedStrategy>(makeStrategy(strategy, seed), watch);
  };
}

std::function<std::unique_ptr<Strategy>(std::uint64_t seed)> onlyLooking(std::shared_ptr<Watch> watch) {
  return [watch](std::uint64_t) { return std::make_unique<LookingStrategy>(watch); };
}

}  // namespace hone::bench
