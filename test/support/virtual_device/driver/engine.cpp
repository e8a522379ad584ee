#include "support/virtual_device/driver/engine.h"

#include <algorithm>
#include <cmath>

namespace hone::test::driver {

void Engine::proceedTo(std::int64_t now) {
  if (running_.empty()) {
    received_ = 0;  // keeps the sums short, and so exact
  } else {
    received_ += static_cast<double>(now - at_) * law_(running_.size());
  }
  at_ = now;
}

void Engine::begin(Event* command, double work, std::int64_t now) {
  proceedTo(now);
  running_.push({received_ + work, begun_++, command});
}

std::optional<std::int64_t> Engine::nextCompletion() const {
  if (running_.empty()) return std::nullopt;
  const double left = std::max(0.0, running_.top().endsAt - received_);
  // A rounding error of the sums must not cost a nanosecond.
  constexpr double kSlack = 1e-6;
  return at_ + static_cast<std::int64_t>(std::ceil(left / law_(running_.size()) - kSlack));
}

Event* Engine::complete() {
  proceedTo(*nextCompletion());
  Event* command = running_.top().command;
  running_.pop();
  return command;
}

std::vector<Event*> Engine::clear() {
  std::vector<Event*> commands;
  for (; !running_.empty(); running_.pop()) commands.push_back(running_.top().command);
  commands.insert(commands.end(), waiting_.begin(), waiting_.end());
  waiting_.clear();
  return commands;
}

}  // namespace hone::test::driver
