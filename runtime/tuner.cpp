#include "hone/tuner.h"

#include <utility>

#include "background.h"
#include "problem_order.h"
#include "tuner_core.h"

namespace hone {

namespace detail {

struct BoundVariable {
  std::size_t parameter;
  void* variable;
  void (*assign)(void*, std::int64_t);
};

}  // namespace detail

using detail::Background;
using detail::OpenMeasurement;
using detail::OrderedSizes;
using detail::TunerCore;

// ---- Ticket

Ticket::Ticket(Ticket&& other) noexcept : core_(std::exchange(other.core_, nullptr)), open_(other.open_) {}

Ticket::~Ticket() {
  if (core_) core_->abandon(open_);
}

OpenMeasurement Ticket::take() {
  if (!core_) throw UsageError("a ticket was stopped twice, or after it was moved from");
  return open_;
}

void Ticket::stop() {
  const OpenMeasurement open = take();
  std::exchange(core_, nullptr)->stopByClock(open);
}

void Ticket::stop(double cost) {
  const OpenMeasurement open = take();
  std::exchange(core_, nullptr)->stopWithCost(open, cost);
}

void Ticket::stop(const Elapsed& elapsed) {
  const OpenMeasurement open = take();
  std::exchange(core_, nullptr)->stopWithEvents(open, elapsed);
}

// ---- Tuner

Tuner::Tuner(std::string name, Options options)
    : Declarations(std::move(name)),
      background_(std::make_unique<Background>(options.hasOwnThread ? Background::Driver::ownThread
                                                                    : Background::Driver::steps)),
      core_(
          std::make_unique<TunerCore>(sharedData(), std::move(options), detail::steadyClock(), *background_, nullptr)) {
  background_->add(*core_);
}

Tuner::~Tuner() { background_->remove(*core_); }

void Tuner::bind(const Parameter& parameter, void* variable, void (*assign)(void*, std::int64_t)) {
  bound_.push_back({parameter.index(), variable, assign});
  assign(variable, data().defaultConfiguration()[parameter.index()]);
}

OpenMeasurement Tuner::start(const ProblemSizes& problem) {
  if (!data().isSealed) {
    const std::lock_guard<std::mutex> lock(sealing_);
    core_->seal();
  }
  const OrderedSizes sizes = detail::orderedSizesOfLaunch(*sharedData(), problem);
  return core_->start(sizes.values.data(), sizes.count).open;
}

OpenMeasurement Tuner::takeOpen() {
  if (!open_.values) throw UsageError(data().owner + ": stopMeasurement without startMeasurement");
  return std::exchange(open_, OpenMeasurement{});
}

void Tuner::startMeasurement(const ProblemSizes& problem) {
  if (open_.values) {
    core_->abandon(takeOpen());
    core_->deliver("a measurement was started while one was open; the open one is discarded");
  }
  open_ = start(problem);
  for (const detail::BoundVariable& bound : bound_) bound.assign(bound.variable, open_.values[bound.parameter]);
}

void Tuner::stopMeasurement() { core_->stopByClock(takeOpen()); }
void Tuner::stopMeasurement(double cost) { core_->stopWithCost(takeOpen(), cost); }
void Tuner::stopMeasurement(const Elapsed& elapsed) { core_->stopWithEvents(takeOpen(), elapsed); }

Ticket Tuner::measure(const ProblemSizes& problem) { return Ticket(*core_, start(problem)); }

bool Tuner::step() { return background_->step(); }

void Tuner::settle() { core_->settle(); }

Report Tuner::report(const ProblemSizes& problem) const {
  const OrderedSizes sizes = detail::orderedSizes(data(), problem);
  return core_->report(sizes.values.data(), sizes.count);
}

}  // namespace hone
