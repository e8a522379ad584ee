#include "hone/opencl/tuned_program.h"

#include <algorithm>

#include "opencl/device_limits.h"
#include "opencl/program_tuner.h"
#include "opencl/section_detour.h"
#include "problem_order.h"

namespace hone::opencl {

using detail::KernelSet;
using detail::PreparedVariant;
using detail::ProfilingQueues;
using detail::ProgramTuner;
using detail::SectionDetour;
using hone::detail::OpenMeasurement;
using hone::detail::OrderedSizes;
using hone::detail::StartedLaunch;
using hone::detail::TunerCore;

// ---- ProgramTicket

ProgramTicket::ProgramTicket(ProgramTuner& tuner, const OpenMeasurement& open,
                             std::shared_ptr<PreparedVariant> prepared, std::unique_ptr<KernelSet> kernels)
    : tuner_(&tuner), open_(open), prepared_(std::move(prepared)), kernels_(std::move(kernels)) {}

ProgramTicket::ProgramTicket(ProgramTicket&& other) noexcept
    : tuner_(std::exchange(other.tuner_, nullptr)),
      open_(other.open_),
      prepared_(std::move(other.prepared_)),
      kernels_(std::move(other.kernels_)),
      applicationsQueue_(other.applicationsQueue_),
      detour_(std::move(other.detour_)) {}

ProgramTicket::~ProgramTicket() {
  if (!tuner_) return;
  prepared_->variant->giveBack(std::move(kernels_));
  tuner_->core().abandon(open_);
}

Kernel ProgramTicket::kernel(std::string_view name) const {
  if (!tuner_) throw UsageError("a ticket was asked for a kernel after it was stopped");
  const std::vector<std::string>& names = prepared_->variant->kernelNames();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    std::string known;
    for (const std::string& one : names) known += (known.empty() ? "" : ", ") + one;
    throw UsageError(tuner_->core().declarations().owner + ": there is no kernel '" + std::string(name) +
                     "'; the program has " + known);
  }
  return Kernel(kernels_->kernels[static_cast<std::size_t>(found - names.begin())].get());
}

Queue ProgramTicket::queueFor(cl_command_queue applications) {
  if (!tuner_) throw UsageError("a ticket was asked for a queue after it was stopped");
  if (applicationsQueue_ && applicationsQueue_ != applications)
    throw UsageError(tuner_->core().declarations().owner + ": one measurement was asked for two queues");
  if (!std::exchange(applicationsQueue_, applications) && open_.isSampled) {
    ProfilingQueues& queues = tuner_->runtime().profilingQueues();
    try {
      auto standIn = queues.standInFor(applications);
      if (standIn && !standIn->isOutOfOrder)
        detour_ = std::make_unique<SectionDetour>(queues, std::move(*standIn), applications);
    } catch (const Error& error) {
      if (queues.isToBeTold())
        tuner_->core().deliver(std::string("launches could not be measured on a queue of the runtime's: ") +
                               error.what());
    }
  }
  return Queue(detour_ ? detour_->queue() : applications);
}

/// Where kernels are compiled at their first launch, a measurement that was the variant's first is no sample.
template <class Stop>
void ProgramTicket::end(Stop stop) {
  if (!tuner_) throw UsageError("a ticket was stopped twice, or after it was moved from");
  ProgramTuner& tuner = *std::exchange(tuner_, nullptr);
  detour_.reset();
  const std::shared_ptr<PreparedVariant> prepared = std::move(prepared_);
  prepared->variant->giveBack(std::move(kernels_));
  const bool wasFirst = tuner.runtime().doesFirstLaunchCompile() && !prepared->hasRun.exchange(true);
  if (wasFirst) {
    tuner.core().withdraw(open_);
    open_.isSampled = false;
  }
  stop(tuner.core());  // throws for a wrong cost even where none is wanted
}

void ProgramTicket::stop() {
  end([this](TunerCore& core) { core.stopByClock(open_); });
}

void ProgramTicket::stop(double cost) {
  end([this, cost](TunerCore& core) { core.stopWithCost(open_, cost); });
}

void ProgramTicket::stop(const Elapsed& elapsed) {
  end([this, &elapsed](TunerCore& core) { core.stopWithEvents(open_, elapsed); });
}

// ---- TunedProgram

TunedProgram::TunedProgram(Runtime& runtime, std::string source, std::string name, Options options)
    : ProgramDeclarations(runtime, std::move(source), std::move(name), nullptr, std::move(options)) {}

TunedProgram::~TunedProgram() = default;

TunedProgram& TunedProgram::limitWorkGroup(std::vector<Expression> sizes) {
  data().checkOpen("a work-group");
  for (const Expression& size : sizes) data().checkReads(size, "a work-group");
  detail::requireWorkGroup(tuner().runtime().facts(), sizes, *this);
  tuner().addWorkGroup(std::move(sizes));
  return *this;
}

ProgramTicket TunedProgram::measure(const ProblemSizes& problem) {
  build();
  const OrderedSizes sizes = hone::detail::orderedSizesOfLaunch(*sharedData(), problem);
  std::optional<ProgramTicket> ticket;
  tuner().launch(sizes.values.data(), sizes.count, [&](const StartedLaunch& started, bool) {
    auto prepared = std::static_pointer_cast<PreparedVariant>(started.prepared);
    auto kernels = prepared->variant->take();
    ticket.emplace(ProgramTicket(tuner(), started.open, std::move(prepared), std::move(kernels)));
  });
  return std::move(*ticket);
}

void TunedProgram::startMeasurement(const ProblemSizes& problem) {
  if (open_) {
    open_.reset();
    tuner().core().deliver("a measurement was started while one was open; the open one is discarded");
  }
  open_.emplace(measure(problem));
}

void TunedProgram::requireOpen() const {
  if (!open_) throw UsageError(data().owner + ": no measurement was started");
}

const ProgramTicket& TunedProgram::opened() const {
  requireOpen();
  return *open_;
}

ProgramTicket& TunedProgram::opened() {
  requireOpen();
  return *open_;
}

ProgramTicket TunedProgram::takeOpen() {
  if (!open_) throw UsageError(data().owner + ": stopMeasurement without startMeasurement");
  ProgramTicket ticket = std::move(*open_);
  open_.reset();
  return ticket;
}

void TunedProgram::stopMeasurement() { takeOpen().stop(); }
void TunedProgram::stopMeasurement(double cost) { takeOpen().stop(cost); }
void TunedProgram::stopMeasurement(const Elapsed& elapsed) { takeOpen().stop(elapsed); }

Report TunedProgram::report(const ProblemSizes& problem) const {
  const OrderedSizes sizes = hone::detail::orderedSizes(data(), problem);
  return tuner().core().report(sizes.values.data(), sizes.count);
}

}  // namespace hone::opencl
