// Any code, three calls.
//
//   hone::Tuner tuner("blur");
//   int blockSize = 64;
//   tuner.addParameter(&blockSize, hone::powersOfTwo(16, 1024), 64, "blockSize");
//   for (;;) {
//     tuner.startMeasurement({{"width", width}});   // sets blockSize
//     blur(blockSize);
//     tuner.stopMeasurement();                       // the wall clock between the two calls
//   }
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <vector>

#include "hone/api.h"
#include "hone/declarations.h"
#include "hone/measurement.h"
#include "hone/options.h"
#include "hone/report.h"

namespace hone {

namespace detail {
class Session;
class TunerCore;
class Background;
struct BoundVariable;

/// The configuration that was handed out for one launch.
struct OpenMeasurement {
  Session* session = nullptr;
  const std::int64_t* values = nullptr;  // one per parameter; valid as long as the tuner
  std::size_t entry = 0;                 // the configuration's place in the session
  bool isSampled = false;                // whether its cost is wanted
  std::int64_t startNs = 0;              // the clock's reading; only where isSampled
};
}  // namespace detail

/// One launch's configuration, from Tuner::measure(). Dropped without stop, it leaves no sample. Must not outlive its
/// tuner.
/// Thread safety: externally synchronised; tickets of one tuner are independent of each other.
class HONE_API Ticket {
 public:
  Ticket(Ticket&& other) noexcept;
  Ticket& operator=(Ticket&&) = delete;
  ~Ticket();

  /// The parameter's value for this launch. REQUIRES: a parameter of this tuner
  std::int64_t operator[](const Parameter& parameter) const { return open_.values[parameter.index()]; }

  /// As Tuner::stopMeasurement; throws UsageError the second time.
  void stop();
  void stop(double cost);
  void stop(const Elapsed& elapsed);

 private:
  friend class Tuner;
  Ticket(detail::TunerCore& core, const detail::OpenMeasurement& open) : core_(&core), open_(open) {}
  detail::OpenMeasurement take();

  detail::TunerCore* core_;  // null once stopped
  detail::OpenMeasurement open_;
};

/// Tunes any code between startMeasurement and stopMeasurement.
///
/// Bound variables hold valid values at every moment. Candidates are proposed by a thread of the tuner's own, which
/// starts when there is something to propose and ends with the tuner.
/// Thread safety: measure() and report() are internally synchronised. Declarations, startMeasurement and
/// stopMeasurement are externally synchronised: they write the bound variables.
class HONE_API Tuner : public Declarations {
 public:
  /// `name` is for people, and for pins. Throws UsageError for an unknown strategy, for something in the environment
  /// that cannot be understood, or for a log that cannot be opened.
  explicit Tuner(std::string name, Options options = {});
  ~Tuner();

  /// A parameter without a variable, for tickets.
  using Declarations::addParameter;

  /// A parameter bound to a variable, which gets the default at once and each launch's value in startMeasurement. The
  /// variable must outlive the tuner. Throws UsageError as Declarations::addParameter does, and if a value of the range
  /// does not fit into the variable.
  template <class T, IfInteger<T> = 0>
  Parameter addParameter(T* variable, const Range& range, std::int64_t defaultValue, const std::string& name) {
    for (std::int64_t value : range.values()) {
      if (static_cast<std::int64_t>(static_cast<T>(value)) != value || (std::is_unsigned_v<T> && value < 0))
        throw UsageError("parameter '" + name + "': value " + std::to_string(value) + " does not fit its variable");
    }
    const Parameter parameter = Declarations::addParameter(name, range, defaultValue);
    bind(parameter, variable,
         [](void* target, std::int64_t value) { *static_cast<T*>(target) = static_cast<T>(value); });
    return parameter;
  }

  /// Begins a launch: sets the bound variables to its configuration. If a measurement is open (an exception came
  /// between), it is discarded and reported. Throws UsageError if the problem sizes are not those declared or, where
  /// none were declared, not those of the first measurement; and if a pin does not fit to the declarations.
  void startMeasurement(const ProblemSizes& problem = {});

  /// Ends the launch; its cost is the wall-clock time since startMeasurement. Throws UsageError if none is open.
  void stopMeasurement();
  /// Ends the launch; its cost is any finite, positive number (energy, bytes). Throws UsageError for another one.
  /// A tuner's costs are either all times or all of this kind.
  void stopMeasurement(double cost);
  /// Ends the launch and returns at once; its cost is read when the events have completed.
  void stopMeasurement(const Elapsed& elapsed);

  /// Begins a launch without touching the bound variables. Throws as startMeasurement does.
  Ticket measure(const ProblemSizes& problem = {});

  /// Does what the tuner's own thread would do next; returns whether there was anything to do. For programs that set
  /// Options::hasOwnThread to false.
  bool step();

  /// Ends exploring for the problems launched so far: no candidate runs any more. In a final of at most 60 launches the
  /// default, the incumbent and those that came close to it run in turns; the winner runs from then on. Where a problem
  /// has settled already, incumbent and default are compared anew; where nothing is searched for (a pin, Mode::use),
  /// nothing happens.
  void settle();

  /// Throws UsageError if the problem was never measured.
  Report report(const ProblemSizes& problem = {}) const;

 private:
  void bind(const Parameter& parameter, void* variable, void (*assign)(void*, std::int64_t));
  detail::OpenMeasurement start(const ProblemSizes& problem);
  detail::OpenMeasurement takeOpen();

  std::mutex sealing_;  // tickets of several threads may be the first measurement
  std::unique_ptr<detail::Background> background_;
  std::unique_ptr<detail::TunerCore> core_;
  std::vector<detail::BoundVariable> bound_;
  detail::OpenMeasurement open_;
};

/// Calls `function` with the one of Values that equals `value`, as a compile-time constant:
/// `hone::instantiate<1, 2, 4, 8>(unroll, [&](auto u) { launchBlur<u>(); })`. Returns what the function returns.
/// Throws UsageError if `value` is none of them.
template <auto First, auto... Rest, class Function>
decltype(auto) instantiate(std::int64_t value, Function&& function) {
  if (value == static_cast<std::int64_t>(First)) return function(std::integral_constant<decltype(First), First>{});
  if constexpr (sizeof...(Rest) > 0) {
    return instantiate<Rest...>(value, function);
  } else {
    throw UsageError("instantiate: no instance for value " + std::to_string(value));
  }
}

}  // namespace hone
