// The OpenCL half of the C interface.
#include "c_interface.h"

#include <chrono>
#include <functional>
#include <limits>
#include <utility>

#include "hone/opencl.h"
#include "hone/opencl_c.h"

struct hone_runtime_options {
  hone::opencl::RuntimeOptions value;
};

struct hone_runtime {
  std::shared_ptr<hone::opencl::Runtime> runtime;
};

namespace hone::opencl::detail {

namespace {

using hone::detail::CodedFailure;
using hone::detail::guarded;
using hone::detail::notNull;
using hone::detail::TicketedMeasurement;
using hone::detail::TunedCode;

/// Calls the function; what OpenCL refuses gets the C interface's status.
template <class Function>
decltype(auto) translated(Function function) {
  try {
    return function();
  } catch (const Error& error) {
    throw CodedFailure(HONE_ERROR_OPENCL, error.what(), error.code());
  }
}

struct ProgramMeasurement final : TicketedMeasurement {
  explicit ProgramMeasurement(ProgramTicket begun) : ticket(std::move(begun)) {}
  std::int64_t value(const Parameter& parameter) const override { return ticket[parameter]; }
  void stop() override { ticket.stop(); }
  void stop(double cost) override { ticket.stop(cost); }
  void stop(const Elapsed& elapsed) override {
    translated([&] { ticket.stop(elapsed); });
  }

  ProgramTicket ticket;
};

class ProgramCode final : public TunedCode {
 public:
  ProgramCode(std::shared_ptr<Runtime> runtime, const char* source, const char* name, Options options)
      : runtime_(std::move(runtime)), program_(*runtime_, source, name, std::move(options)) {}

  TunedProgram& program() { return program_; }
  const TunedProgram& program() const { return program_; }

  Declarations& declarations() override { return program_; }
  void declareProblem(std::vector<std::string> names) override { program_.declareProblem(std::move(names)); }
  Parameter bind(int* variable, const Range& range, std::int64_t defaultValue, const std::string& name) override {
    return bindTo(variable, range, defaultValue, name);
  }
  Parameter bind(std::int64_t* variable, const Range& range, std::int64_t defaultValue,
                 const std::string& name) override {
    return bindTo(variable, range, defaultValue, name);
  }

  void start(const ProblemSizes& problem) override {
    translated([&] { program_.startMeasurement(problem); });
    for (const Bound& bound : bound_) bound.assign(program_[bound.parameter]);
  }
  void stop() override { program_.stopMeasurement(); }
  void stop(double cost) override { program_.stopMeasurement(cost); }
  void stop(const Elapsed& elapsed) override {
    translated([&] { program_.stopMeasurement(elapsed); });
  }
  std::unique_ptr<TicketedMeasurement> measure(const ProblemSizes& problem) override {
    return translated([&] { return std::make_unique<ProgramMeasurement>(program_.measure(problem)); });
  }
  Report report(const ProblemSizes& problem) const override { return program_.report(problem); }
  void settle() override { program_.settle(); }
  bool step() override { throw UsageError("a program's candidates are prepared by its runtime: hone_runtime_step"); }

 private:
  /// C declares problem sizes by names that are known at run time only.
  struct OpenProgram final : TunedProgram {
    using TunedProgram::declareProblem;
    using TunedProgram::TunedProgram;
  };
  struct Bound {
    Parameter parameter;
    std::function<void(std::int64_t)> assign;
  };

  template <class Variable>
  Parameter bindTo(Variable* variable, const Range& range, std::int64_t defaultValue, const std::string& name) {
    for (std::int64_t value : range.values()) {
      if (value < std::numeric_limits<Variable>::min() || value > std::numeric_limits<Variable>::max())
        throw UsageError("parameter '" + name + "': value " + std::to_string(value) + " does not fit its variable");
    }
    const Parameter parameter = program_.addParameter(name, range, defaultValue);
    bound_.push_back({parameter, [variable](std::int64_t value) { *variable = static_cast<Variable>(value); }});
    *variable = static_cast<Variable>(defaultValue);
    return parameter;
  }

  std::shared_ptr<Runtime> runtime_;  // outlives the program
  OpenProgram program_;
  std::vector<Bound> bound_;
};

TunedProgram& programOf(const hone_tuner* program) {
  auto* code = dynamic_cast<ProgramCode*>(notNull(program, "program").code.get());
  if (!code) throw UsageError("this tuner is no program: hone_program_create makes one");
  return code->program();
}

ProgramTicket& programTicketOf(const hone_ticket* ticket) {
  auto* measurement = dynamic_cast<ProgramMeasurement*>(notNull(ticket, "ticket").measurement.get());
  if (!measurement) throw UsageError("this ticket's tuner is no program: hone_program_create makes one");
  return measurement->ticket;
}

RuntimeOptions& optionsOf(hone_runtime_options* options) { return notNull(options, "options").value; }

Expression expressionOf(TunedProgram& program, const char* text, const char* name) {
  return program.expression(&notNull(text, name));
}

}  // namespace

}  // namespace hone::opencl::detail

using hone::detail::guarded;
using hone::detail::notNull;
using hone::opencl::detail::expressionOf;
using hone::opencl::detail::optionsOf;
using hone::opencl::detail::programOf;
using hone::opencl::detail::programTicketOf;
using hone::opencl::detail::translated;

cl_int hone_last_opencl_error(void) { return hone::detail::lastOpenclCode(); }

// ---- Event times

hone_status hone_tuner_stop_events(hone_tuner* tuner, cl_event first, cl_event last) {
  return guarded(__func__, [&] {
    hone::detail::TunedCode& code = *notNull(tuner, "tuner").code;
    translated([&] { code.stop(hone::opencl::elapsed(first, last)); });
  });
}

hone_status hone_ticket_stop_events(hone_ticket* ticket, cl_event first, cl_event last) {
  return guarded(__func__, [&] {
    hone::detail::TicketedMeasurement& measurement = *notNull(ticket, "ticket").measurement;
    translated([&] { measurement.stop(hone::opencl::elapsed(first, last)); });
  });
}

// ---- The device

hone_status hone_runtime_options_create(hone_runtime_options** options) {
  return guarded(__func__, [&] {
    hone_runtime_options*& made = notNull(options, "options");
    made = new hone_runtime_options;
  });
}

void hone_runtime_options_destroy(hone_runtime_options* options) { delete options; }

hone_status hone_runtime_options_set_thread(hone_runtime_options* options, int has_own_thread) {
  return guarded(__func__, [&] {
    optionsOf(options).work = has_own_thread ? hone::opencl::Work::byThread : hone::opencl::Work::bySteps;
  });
}

hone_status hone_runtime_options_set_workers(hone_runtime_options* options, size_t workers) {
  return guarded(__func__, [&] { optionsOf(options).workers = workers; });
}

hone_status hone_runtime_options_set_worker(hone_runtime_options* options, const char* program) {
  return guarded(__func__, [&] { optionsOf(options).worker = &notNull(program, "program"); });
}

hone_status hone_runtime_options_set_compile_limit(hone_runtime_options* options, double seconds) {
  return guarded(__func__, [&] {
    hone::opencl::RuntimeOptions& chosen = optionsOf(options);
    if (!(seconds >= 0.001 && seconds <= 1e6))
      throw hone::UsageError("a limit of " + std::to_string(seconds) + " s is not from 0.001 to 1e6 s");
    chosen.compileLimit = std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
  });
}

hone_status hone_runtime_create(cl_context context, cl_device_id device, const hone_runtime_options* options,
                                hone_runtime** runtime) {
  return guarded(__func__, [&] {
    notNull(context, "context");
    notNull(device, "device");
    notNull(runtime, "runtime");
    const hone::opencl::RuntimeOptions chosen = options ? options->value : hone::opencl::RuntimeOptions{};
    auto made = translated([&] { return std::make_shared<hone::opencl::Runtime>(context, device, chosen); });
    *runtime = new hone_runtime{std::move(made)};
  });
}

void hone_runtime_destroy(hone_runtime* runtime) { delete runtime; }

hone_status hone_runtime_step(hone_runtime* runtime, int* did_something) {
  return guarded(__func__, [&] {
    const bool did = notNull(runtime, "runtime").runtime->step();
    if (did_something) *did_something = did;
  });
}

hone_status hone_runtime_wait_until_idle(hone_runtime* runtime) {
  return guarded(__func__, [&] { notNull(runtime, "runtime").runtime->waitUntilIdle(); });
}

// ---- Programs

hone_status hone_program_create(hone_runtime* runtime, const char* source, const char* name,
                                const hone_options* options, hone_tuner** program) {
  return guarded(__func__, [&] {
    notNull(runtime, "runtime");
    notNull(source, "source");
    notNull(name, "name");
    notNull(program, "program");
    auto code = translated([&] {
      return std::make_shared<hone::opencl::detail::ProgramCode>(runtime->runtime, source, name,
                                                                 options ? options->value : hone::Options{});
    });
    *program = new hone_tuner{std::move(code)};
  });
}

hone_status hone_program_set_build_options(hone_tuner* program, const char* options) {
  return guarded(__func__, [&] { programOf(program).buildOptions(&notNull(options, "options")); });
}

hone_status hone_program_define(hone_tuner* program, const char* name, const char* expression) {
  return guarded(__func__, [&] {
    hone::opencl::TunedProgram& defined = programOf(program);
    defined.define(&notNull(name, "name"), expressionOf(defined, expression, "expression"));
  });
}

hone_status hone_program_local_memory(hone_tuner* program, const char* bytes) {
  return guarded(__func__, [&] {
    hone::opencl::TunedProgram& limited = programOf(program);
    limited.localMemory(expressionOf(limited, bytes, "bytes"));
  });
}

hone_status hone_program_work_group(hone_tuner* program, const char* const* sizes, size_t dimensions) {
  return guarded(__func__, [&] {
    hone::opencl::TunedProgram& limited = programOf(program);
    if (dimensions < 1 || dimensions > 3)
      throw hone::UsageError("a work-group of " + std::to_string(dimensions) + " dimensions; 1 to 3 are possible");
    std::vector<hone::Expression> expressions;
    for (const std::string& text : hone::detail::textsOf(sizes, dimensions, "sizes"))
      expressions.push_back(limited.expression(text));
    switch (dimensions) {
      case 1: limited.workGroup(expressions[0]); break;
      case 2: limited.workGroup(expressions[0], expressions[1]); break;
      default: limited.workGroup(expressions[0], expressions[1], expressions[2]);
    }
  });
}

hone_status hone_program_build(hone_tuner* program) {
  return guarded(__func__, [&] { translated([&] { programOf(program).build(); }); });
}

hone_status hone_program_kernel(const hone_tuner* program, const char* name, cl_kernel* kernel) {
  return guarded(__func__, [&] {
    const hone::opencl::TunedProgram& asked = programOf(program);
    notNull(name, "name");
    notNull(kernel, "kernel");
    *kernel = asked.kernel(name)();
  });
}

hone_status hone_ticket_kernel(const hone_ticket* ticket, const char* name, cl_kernel* kernel) {
  return guarded(__func__, [&] {
    const hone::opencl::ProgramTicket& asked = programTicketOf(ticket);
    notNull(name, "name");
    notNull(kernel, "kernel");
    *kernel = asked.kernel(name)();
  });
}

hone_status hone_program_queue(hone_tuner* program, cl_command_queue applications, cl_command_queue* used) {
  return guarded(__func__, [&] {
    hone::opencl::TunedProgram& asked = programOf(program);
    notNull(applications, "applications");
    notNull(used, "used");
    *used = translated([&] { return asked.queue(applications)(); });
  });
}

hone_status hone_ticket_queue(hone_ticket* ticket, cl_command_queue applications, cl_command_queue* used) {
  return guarded(__func__, [&] {
    hone::opencl::ProgramTicket& asked = programTicketOf(ticket);
    notNull(applications, "applications");
    notNull(used, "used");
    *used = translated([&] { return asked.queue(applications)(); });
  });
}
