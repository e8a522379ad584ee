// A part of a device that several commands share. All of them proceed at the same rate, which depends on how many there
// are (processor sharing), so a command ends when what each has received since it began reaches its own work. Costs
// O(log n) a command.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <queue>
#include <vector>

#include "support/virtual_device/device_description.h"

namespace hone::test::driver {

struct Event;

/// Thread safety: externally synchronised.
class Engine {
 public:
  Engine(OverlapLaw law, std::size_t room) : law_(std::move(law)), room_(room) {}

  bool hasRoom() const { return running_.size() < room_; }
  std::deque<Event*>& waiting() { return waiting_; }

  /// `work` is the ns that the command takes alone. REQUIRES: hasRoom(), no completion before `now`
  void begin(Event* command, double work, std::int64_t now);
  /// When the next of the running commands ends; empty where none runs.
  std::optional<std::int64_t> nextCompletion() const;
  /// Takes out the command that ends then. REQUIRES: nextCompletion()
  Event* complete();
  /// Takes out all commands, running and waiting.
  std::vector<Event*> clear();

 private:
  struct Running {
    double endsAt;  // received
    std::uint64_t number;
    Event* command;
    bool operator<(const Running& other) const {  // the queue's top is the largest
      return endsAt != other.endsAt ? endsAt > other.endsAt : number > other.number;
    }
  };

  void proceedTo(std::int64_t now);

  const OverlapLaw law_;
  const std::size_t room_;
  std::priority_queue<Running> running_;
  std::deque<Event*> waiting_;
  double received_ = 0;  // by each command that has been running since time began, or since the engine was idle last
  std::int64_t at_ = 0;
  std::uint64_t begun_ = 0;
};

}  // namespace hone::test::driver
