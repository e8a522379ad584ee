// Several kernels that share one configuration, and the three calls around their launches.
//
//   hone::opencl::TunedProgram sort(runtime, source, "merge_sort");
//   auto TILE = sort.addParameter("TILE", {128, 256, 512, 1024}, 256);            // -D TILE=...
//   sort.build();
//   sort.startMeasurement({{"n", n}});                                             // never compiles a candidate
//   cl::Kernel tiles = sort.kernel("sortTiles"), pass = sort.kernel("mergePass");
//   ... launches with sort[TILE] ...
//   sort.stopMeasurement(hone::opencl::elapsed(firstEvent, lastEvent));
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "hone/api.h"
#include "hone/measurement.h"
#include "hone/opencl/borrowed_handle.h"
#include "hone/opencl/event.h"
#include "hone/opencl/handles.h"
#include "hone/opencl/program_declarations.h"
#include "hone/report.h"
#include "hone/tuner.h"

namespace hone::opencl {

namespace detail {
class SectionDetour;
struct KernelSet;
struct PreparedVariant;
}  // namespace detail

/// The command queue of a measurement, from ProgramTicket::queue.
using Queue = BorrowedHandle<cl_command_queue>;

/// A kernel of the configuration that a measurement runs. It is this measurement's own until that is stopped or
/// dropped: set its arguments and enqueue it in between, and ask again for the next measurement.
using Kernel = BorrowedHandle<cl_kernel>;

/// One measurement of a TunedProgram, from measure(). Dropped without stop, it leaves no sample. Must not outlive its
/// program.
/// Thread safety: externally synchronised; tickets of one program are independent of each other.
class HONE_API ProgramTicket {
 public:
  ProgramTicket(ProgramTicket&& other) noexcept;
  ProgramTicket& operator=(ProgramTicket&&) = delete;
  ~ProgramTicket();

  /// The parameter's value for this measurement. REQUIRES: a parameter of this program
  std::int64_t operator[](const Parameter& parameter) const { return open_.values[parameter.index()]; }

  /// Throws UsageError, listing the kernels that there are, if the program has none of that name, or after stop.
  Kernel kernel(std::string_view name) const;

  /// Where to enqueue the launches, for an application whose own queue has no profiling: on that queue, or while event
  /// times are wanted, on one of the runtime's that has it. In-order queues keep their order: what is on the
  /// application's queue already comes before, what is enqueued there after the measurement was stopped or dropped
  /// comes after, and a clFinish covers it; enqueue nothing there in between. A queue that has profiling or runs out of
  /// order is what it is. Throws UsageError after stop, or for a second queue in one measurement.
  template <class CommandQueue, std::enable_if_t<detail::wraps<CommandQueue, cl_command_queue>, int> = 0>
  Queue queue(const CommandQueue& applications) {
    return queueFor(detail::unwrap(applications));
  }

  /// Ends the measurement, as TunedProgram::stopMeasurement does; throws UsageError the second time.
  void stop();
  void stop(double cost);
  void stop(const Elapsed& elapsed);

 private:
  friend class TunedProgram;
  ProgramTicket(detail::ProgramTuner& tuner, const hone::detail::OpenMeasurement& open,
                std::shared_ptr<detail::PreparedVariant> prepared, std::unique_ptr<detail::KernelSet> kernels);
  Queue queueFor(cl_command_queue applications);
  template <class Stop>
  void end(Stop stop);

  detail::ProgramTuner* tuner_;  // null once stopped
  hone::detail::OpenMeasurement open_;
  std::shared_ptr<detail::PreparedVariant> prepared_;
  std::unique_ptr<detail::KernelSet> kernels_;
  cl_command_queue applicationsQueue_ = nullptr;  // that was asked for
  std::unique_ptr<detail::SectionDetour> detour_;
};

/// A program whose kernels share one configuration, compiled for each; the launches are the caller's.
///
/// A measurement runs a configuration that is compiled already: the best one known, or a candidate. Costs are the
/// caller's: event times, the wall clock, or another cost. Where an OpenCL implementation compiles at a kernel's first
/// launch (those for CPUs do), a configuration's first measurement is no sample. That launch waits for the compiler,
/// unless the kernel requires its work-group's size (reqd_work_group_size) and its arguments are buffers, local memory
/// and numbers: then workers have compiled it before, in a launch with zeros. Thread safety: measure() and report() are
/// internally synchronised. Declarations, startMeasurement, stopMeasurement and what lies between them are externally
/// synchronised.
class HONE_API TunedProgram : public ProgramDeclarations {
 public:
  /// `source` is OpenCL C with one kernel or more, `name` is for people, and for pins. Throws UsageError for a binary,
  /// for an unknown strategy, for something in the environment that cannot be understood, or for a log that cannot be
  /// opened.
  TunedProgram(Runtime& runtime, std::string source, std::string name, Options options = {});
  ~TunedProgram();

  /// A work-group with which some kernel is launched, in 1 to 3 dimensions; configurations beyond the device's limits
  /// are left out.
  template <class... Expressions>
  TunedProgram& workGroup(const Expressions&... sizes) {
    static_assert(sizeof...(sizes) >= 1 && sizeof...(sizes) <= 3, "1 to 3 dimensions");
    return limitWorkGroup({Expression(sizes)...});
  }

  /// Begins a measurement. If one is open (an exception came between), that is discarded and reported. Throws
  /// UsageError if the problem sizes are not those declared or, where none were declared, not those of the first
  /// measurement; Error if the default does not compile.
  void startMeasurement(const ProblemSizes& problem = {});

  /// Of the open measurement; throw UsageError if there is none. operator[] REQUIRES: a parameter of this program
  Kernel kernel(std::string_view name) const { return opened().kernel(name); }
  std::int64_t operator[](const Parameter& parameter) const { return opened()[parameter]; }
  /// Where to enqueue the launches; see ProgramTicket::queue.
  template <class CommandQueue, std::enable_if_t<detail::wraps<CommandQueue, cl_command_queue>, int> = 0>
  Queue queue(const CommandQueue& applications) {
    return opened().queue(applications);
  }

  /// Ends the measurement; its cost is the wall-clock time since startMeasurement. Throws UsageError if none is open.
  void stopMeasurement();
  /// Ends the measurement; its cost is any finite, positive number (energy, bytes). Throws UsageError for another one.
  /// A program's costs are either all times or all of this kind.
  void stopMeasurement(double cost);
  /// Ends the measurement and returns at once; its cost is read when the events have completed.
  void stopMeasurement(const Elapsed& elapsed);

  /// A measurement of its own, from any number of threads. Throws as startMeasurement does.
  ProgramTicket measure(const ProblemSizes& problem = {});

  /// Throws UsageError if the problem was never measured.
  Report report(const ProblemSizes& problem = {}) const;

 private:
  TunedProgram& limitWorkGroup(std::vector<Expression> sizes);
  const ProgramTicket& opened() const;
  ProgramTicket& opened();
  void requireOpen() const;
  ProgramTicket takeOpen();

  std::optional<ProgramTicket> open_;
};

}  // namespace hone::opencl
