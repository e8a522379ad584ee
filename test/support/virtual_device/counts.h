// What the driver has counted.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <thread>

namespace hone::test {

/// Objects that were made and not destroyed yet. The driver's own references count: an event lives until its command
/// has ended, a queue as long as its commands.
struct LiveObjects {
  int contexts = 0, queues = 0, memories = 0, programs = 0, kernels = 0, events = 0, samplers = 0;

  int all() const { return contexts + queues + memories + programs + kernels + events + samplers; }
  bool operator==(const LiveObjects&) const = default;
};

struct ThreadCounts {
  std::uint64_t calls = 0;
  /// Calls that wait for commands, whether they had to or not: clFinish, clWaitForEvents, blocking reads, writes, maps.
  std::uint64_t blocking = 0;
  std::uint64_t builds = 0;  // clBuildProgram
};

struct Counts {
  std::map<std::string, std::uint64_t> calls;  // by name
  std::map<std::thread::id, ThreadCounts> threads;
  LiveObjects live;
  std::uint64_t launches = 0;          // kernel launches that were accepted
  std::uint64_t began = 0, ended = 0;  // of these
  std::size_t mostInFlight = 0;        // accepted and not ended
  std::uint64_t memoryBytes = 0;       // allocated now
  std::uint64_t mostMemoryBytes = 0;
  std::uint64_t memoryBytesAskedFor = 0;  // all allocations together, refused ones included

  std::uint64_t callsOf(const std::string& name) const {
    const auto found = calls.find(name);
    return found == calls.end() ? 0 : found->second;
  }
  ThreadCounts of(std::thread::id thread) const {
    const auto found = threads.find(thread);
    return found == threads.end() ? ThreadCounts{} : found->second;
  }
  std::uint64_t blocking() const {
    std::uint64_t sum = 0;
    for (const auto& [id, thread] : threads) sum += thread.blocking;
    return sum;
  }
};

}  // namespace hone::test
