// Where variants are compiled: the seam between the rooms that want binaries and whoever builds them. Jobs and results
// are plain bytes, so that they can cross a process boundary. No OpenCL here.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hone::detail {

/// What a builder must know of a kernel argument to launch the kernel once with unreal data.
struct ArgumentShape {
  enum class Kind {
    scalar,
    buffer,
    local,
    null
  };
  Kind kind = Kind::null;
  std::size_t bytes = 0;                // of the scalar, buffer or local memory
  std::vector<unsigned char> contents;  // of the scalar

  bool operator==(const ArgumentShape&) const = default;
};

/// A launch that makes the driver finish what it leaves to the first one.
struct WarmUp {
  unsigned dimensions = 0;
  std::array<std::size_t, 3> offset{};
  std::array<std::size_t, 3> global{};
  std::array<std::size_t, 3> local{};
  bool hasLocal = false;
  std::vector<ArgumentShape> arguments;

  bool operator==(const WarmUp&) const = default;
};

/// Launches that do the same for all kernels of a program, where nothing is known of their arguments.
struct BlindWarmUp {
  bool isGridLarge = false;  // as far as the problem's sizes tell

  bool operator==(const BlindWarmUp&) const = default;
};

struct CompileJob {
  std::string source;            // OpenCL C
  std::string options;           // macros included
  std::string kernel;            // empty: all that the program has
  std::optional<WarmUp> warmUp;  // of that kernel
  std::string folder = {};       // where relative paths in the options begin; empty: wherever the builder is
  /// What builds in the application's own process ignores it: a crash would be the application's.
  std::optional<BlindWarmUp> blindWarmUp = {};

  bool operator==(const CompileJob&) const = default;
};

struct CompileResult {
  /// What the builder was doing when it crashed, or when it had to be stopped because it took too long.
  enum class Death {
    none,  // it gave an answer
    building,
    warmingUp
  };
  std::vector<unsigned char> binary;  // empty: it failed
  std::string log;                    // why, where it failed
  Death death = Death::none;
  std::chrono::nanoseconds buildTime{0};
  std::chrono::nanoseconds warmUpTime{0};
  /// Something a person would want to know, whatever became of the job; mostly empty.
  std::string notice = {};

  bool operator==(const CompileResult&) const = default;
};

/// Compiles jobs, begun in the order in which they were submitted.
/// Thread safety: internally synchronised.
class CompileService {
 public:
  using Done = std::function<void(CompileResult)>;

  virtual ~CompileService() = default;

  /// `done` is called once, from a later step of the background thread, unless the job is cancelled before.
  virtual void submit(const void* owner, CompileJob job, Done done) = 0;

  /// Drops the owner's jobs; none of its `done` functions runs during or after the call. REQUIRES: not called from one
  /// of them
  virtual void cancel(const void* owner) = 0;

  /// How many jobs are built at a time, at most.
  virtual std::size_t capacity() const { return 1; }

  /// How many jobs are being built now: on a CPU device, what is taken from the launches. Takes no lock.
  virtual std::size_t building() const { return 0; }
};

}  // namespace hone::detail
