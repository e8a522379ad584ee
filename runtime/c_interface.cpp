#include "c_interface.h"

#include <cstdio>
#include <utility>

namespace hone::detail {

namespace {

constexpr std::size_t kLongestText = 4096;  // a build log is cut there

/// C has no other way to hand a text back than to keep it: one for each thread, without the heap, which may be what has
/// failed.
struct LastFailure {
  char text[kLongestText];
  int openclCode;
};
thread_local LastFailure lastFailure{};

// The same numbers on both sides.
static_assert(static_cast<int>(Phase::warmingUp) == HONE_PHASE_WARMING_UP);
static_assert(static_cast<int>(Phase::exploring) == HONE_PHASE_EXPLORING);
static_assert(static_cast<int>(Phase::settled) == HONE_PHASE_SETTLED);

class TunerCode final : public TunedCode {
 public:
  TunerCode(const char* name, Options options) : tuner_(name, std::move(options)) {}

  Declarations& declarations() override { return tuner_; }
  void declareProblem(std::vector<std::string> names) override { tuner_.declareProblem(std::move(names)); }
  Parameter bind(int* variable, const Range& range, std::int64_t defaultValue, const std::string& name) override {
    return tuner_.addParameter(variable, range, defaultValue, name);
  }
  Parameter bind(std::int64_t* variable, const Range& range, std::int64_t defaultValue,
                 const std::string& name) override {
    return tuner_.addParameter(variable, range, defaultValue, name);
  }

  void start(const ProblemSizes& problem) override { tuner_.startMeasurement(problem); }
  void stop() override { tuner_.stopMeasurement(); }
  void stop(double cost) override { tuner_.stopMeasurement(cost); }
  void stop(const Elapsed& elapsed) override { tuner_.stopMeasurement(elapsed); }
  std::unique_ptr<TicketedMeasurement> measure(const ProblemSizes& problem) override {
    return std::make_unique<Measurement>(tuner_.measure(problem));
  }
  Report report(const ProblemSizes& problem) const override { return tuner_.report(problem); }
  void settle() override { tuner_.settle(); }
  bool step() override { return tuner_.step(); }

 private:
  /// C declares problem sizes by names that are known at run time only.
  struct OpenTuner final : Tuner {
    using Tuner::declareProblem;
    using Tuner::Tuner;
  };

  struct Measurement final : TicketedMeasurement {
    explicit Measurement(Ticket begun) : ticket(std::move(begun)) {}
    std::int64_t value(const Parameter& parameter) const override { return ticket[parameter]; }
    void stop() override { ticket.stop(); }
    void stop(double cost) override { ticket.stop(cost); }
    void stop(const Elapsed& elapsed) override { ticket.stop(elapsed); }

    Ticket ticket;
  };

  OpenTuner tuner_;
};

Range rangeOf(const std::int64_t* values, std::size_t count) {
  if (count > 0) notNull(values, "values");
  return Range(count > 0 ? std::vector<std::int64_t>(values, values + count) : std::vector<std::int64_t>());
}

/// The sizes with their names; valid until the next call on this thread. It keeps its memory: a launch allocates
/// nothing.
const std::vector<NamedSize>& sizesOf(const char* const* names, const std::int64_t* sizes, std::size_t count) {
  thread_local std::vector<NamedSize> named;
  named.clear();
  if (count == 0) return named;
  notNull(names, "names");
  notNull(sizes, "sizes");
  for (std::size_t i = 0; i < count; ++i) named.emplace_back(&notNull(names[i], "names"), sizes[i]);
  return named;
}

TunedCode& codeOf(const hone_tuner* tuner) { return *notNull(tuner, "tuner").code; }
TicketedMeasurement& measurementOf(const hone_ticket* ticket) { return *notNull(ticket, "ticket").measurement; }
Options& optionsOf(hone_options* options) { return notNull(options, "options").value; }

template <class Variable>
hone_status bind(const char* function, hone_tuner* tuner, const char* name, const std::int64_t* values,
                 std::size_t count, std::int64_t defaultValue, Variable* variable, std::size_t* parameter) {
  return guarded(function, [&] {
    TunedCode& code = codeOf(tuner);
    notNull(name, "name");
    notNull(variable, "variable");
    code.parameters.reserve(code.parameters.size() + 1);  // so that nothing can fail once it is declared
    code.parameters.push_back(code.bind(variable, rangeOf(values, count), defaultValue, name));
    if (parameter) *parameter = code.parameters.back().index();
  });
}

}  // namespace

hone_status failed(hone_status status, const char* function, const char* message, int openclCode) noexcept {
  std::snprintf(lastFailure.text, sizeof(lastFailure.text), "%s: %s", function, message);
  lastFailure.openclCode = openclCode;
  return status;
}

int lastOpenclCode() noexcept { return lastFailure.openclCode; }

std::vector<std::string> textsOf(const char* const* texts, std::size_t count, const char* name) {
  std::vector<std::string> result;
  if (count > 0) notNull(texts, name);
  for (std::size_t i = 0; i < count; ++i) result.emplace_back(&notNull(texts[i], name));
  return result;
}

}  // namespace hone::detail

using hone::detail::codeOf;
using hone::detail::guarded;
using hone::detail::measurementOf;
using hone::detail::notNull;
using hone::detail::optionsOf;

// ---- Errors

const char* hone_last_error(void) { return hone::detail::lastFailure.text; }

const char* hone_version(void) { return HONE_VERSION; }

// ---- Options

hone_status hone_options_create(hone_options** options) {
  return guarded(__func__, [&] {
    hone_options*& made =
        notNull(options, "options");  // first: the right-hand side of an assignment comes before the left
    made = new hone_options;
  });
}

void hone_options_destroy(hone_options* options) { delete options; }

hone_status hone_options_set_mode(hone_options* options, int mode) {
  return guarded(__func__, [&] {
    switch (hone::Mode& chosen = optionsOf(options).mode; mode) {
      case HONE_MODE_TUNE: chosen = hone::Mode::tune; break;
      case HONE_MODE_USE: chosen = hone::Mode::use; break;
      case HONE_MODE_OFF: chosen = hone::Mode::off; break;
      default: throw hone::UsageError("there is no mode " + std::to_string(mode));
    }
  });
}

hone_status hone_options_set_strategy(hone_options* options, const char* strategy) {
  return guarded(__func__, [&] { optionsOf(options).strategy = &notNull(strategy, "strategy"); });
}

hone_status hone_options_set_seed(hone_options* options, uint64_t seed) {
  return guarded(__func__, [&] { optionsOf(options).seed = seed; });
}

hone_status hone_options_set_budget(hone_options* options, double budget) {
  return guarded(__func__, [&] { optionsOf(options).slowdownBudget = budget; });
}

hone_status hone_options_set_trials(hone_options* options, uint64_t trials) {
  return guarded(__func__, [&] { optionsOf(options).maxTrials = trials; });
}

hone_status hone_options_set_thread(hone_options* options, int has_own_thread) {
  return guarded(__func__, [&] { optionsOf(options).hasOwnThread = has_own_thread != 0; });
}

hone_status hone_options_set_variants(hone_options* options, size_t variants) {
  return guarded(__func__, [&] { optionsOf(options).maxVariants = variants; });
}

hone_status hone_options_set_log(hone_options* options, const char* file) {
  return guarded(__func__, [&] { optionsOf(options).logFile = &notNull(file, "file"); });
}

hone_status hone_options_add_pins(hone_options* options, const char* file) {
  return guarded(__func__, [&] {
    std::vector<hone::Pin>& pins = optionsOf(options).pins;
    const std::vector<hone::Pin> read = hone::readPins(&notNull(file, "file"));
    pins.insert(pins.end(), read.begin(), read.end());
  });
}

hone_status hone_options_set_diagnostics(hone_options* options, hone_diagnostics function, void* user_data) {
  return guarded(__func__, [&] {
    std::function<void(const hone::Diagnostic&)>& diagnostics = optionsOf(options).diagnostics;
    diagnostics = nullptr;
    if (!function) return;
    diagnostics = [function, user_data](const hone::Diagnostic& diagnostic) {
      try {
        function(diagnostic.source.c_str(), diagnostic.message.c_str(), user_data);
      } catch (...) {  // of a C++ program's callback; there is nobody it could reach
      }
    };
  });
}

// ---- Declarations

hone_status hone_tuner_create(const char* name, const hone_options* options, hone_tuner** tuner) {
  return guarded(__func__, [&] {
    notNull(name, "name");
    notNull(tuner, "tuner");
    auto code = std::make_shared<hone::detail::TunerCode>(name, options ? options->value : hone::Options{});
    *tuner = new hone_tuner{std::move(code)};
  });
}

void hone_tuner_destroy(hone_tuner* tuner) { delete tuner; }

hone_status hone_tuner_add_parameter(hone_tuner* tuner, const char* name, const int64_t* values, size_t count,
                                     int64_t default_value, size_t* parameter) {
  return guarded(__func__, [&] {
    hone::detail::TunedCode& code = codeOf(tuner);
    notNull(name, "name");
    code.parameters.reserve(code.parameters.size() + 1);
    code.parameters.push_back(
        code.declarations().addParameter(name, hone::detail::rangeOf(values, count), default_value));
    if (parameter) *parameter = code.parameters.back().index();
  });
}

hone_status hone_tuner_bind_int64(hone_tuner* tuner, const char* name, const int64_t* values, size_t count,
                                  int64_t default_value, int64_t* variable, size_t* parameter) {
  return hone::detail::bind(__func__, tuner, name, values, count, default_value, variable, parameter);
}

hone_status hone_tuner_bind_int(hone_tuner* tuner, const char* name, const int64_t* values, size_t count,
                                int64_t default_value, int* variable, size_t* parameter) {
  return hone::detail::bind(__func__, tuner, name, values, count, default_value, variable, parameter);
}

hone_status hone_tuner_problem(hone_tuner* tuner, const char* const* names, size_t count) {
  return guarded(__func__, [&] { codeOf(tuner).declareProblem(hone::detail::textsOf(names, count, "names")); });
}

hone_status hone_tuner_require(hone_tuner* tuner, const char* expression) {
  return guarded(__func__, [&] {
    hone::Declarations& declarations = codeOf(tuner).declarations();
    declarations.require(declarations.expression(&notNull(expression, "expression")));
  });
}

hone_status hone_tuner_require_function(hone_tuner* tuner, const char* name, const char* const* reads, size_t count,
                                        hone_predicate function, void* user_data) {
  return guarded(__func__, [&] {
    hone::Declarations& declarations = codeOf(tuner).declarations();
    notNull(name, "name");
    notNull(function, "function");
    std::vector<hone::Expression> expressions;
    for (const std::string& text : hone::detail::textsOf(reads, count, "reads"))
      expressions.push_back(declarations.expression(text));
    const auto predicate = [function, user_data](const std::int64_t* values) -> std::int64_t {
      try {
        return function(values, user_data);
      } catch (...) {  // of a C++ program's callback: what it cannot judge is not allowed
        return 0;
      }
    };
    declarations.require(name, hone::detail::makeLambda(name, std::move(expressions), predicate));
  });
}

hone_status hone_tuner_restrict(hone_tuner* tuner, const char* name, const int64_t* values, size_t count) {
  return guarded(__func__, [&] {
    codeOf(tuner).declarations().restrictTo(&notNull(name, "name"), hone::detail::rangeOf(values, count).values());
  });
}

// ---- The three calls

hone_status hone_tuner_start(hone_tuner* tuner, const char* const* names, const int64_t* sizes, size_t count) {
  return guarded(__func__, [&] { codeOf(tuner).start(hone::detail::sizesOf(names, sizes, count)); });
}

hone_status hone_tuner_stop(hone_tuner* tuner) {
  return guarded(__func__, [&] { codeOf(tuner).stop(); });
}

hone_status hone_tuner_stop_cost(hone_tuner* tuner, double cost) {
  return guarded(__func__, [&] { codeOf(tuner).stop(cost); });
}

// ---- Tickets

hone_status hone_tuner_measure(hone_tuner* tuner, const char* const* names, const int64_t* sizes, size_t count,
                               hone_ticket** ticket) {
  return guarded(__func__, [&] {
    hone::detail::TunedCode& code = codeOf(tuner);
    notNull(ticket, "ticket");
    auto made = std::make_unique<hone_ticket>(hone_ticket{tuner->code, nullptr});
    made->measurement = code.measure(hone::detail::sizesOf(names, sizes, count));
    *ticket = made.release();
  });
}

hone_status hone_ticket_value(const hone_ticket* ticket, size_t parameter, int64_t* value) {
  return guarded(__func__, [&] {
    const hone::detail::TicketedMeasurement& measurement = measurementOf(ticket);
    notNull(value, "value");
    const std::vector<hone::Parameter>& parameters = ticket->code->parameters;
    if (parameter >= parameters.size()) {
      throw hone::UsageError("there is no parameter " + std::to_string(parameter) + "; there are " +
                             std::to_string(parameters.size()) + ", counted from 0");
    }
    *value = measurement.value(parameters[parameter]);
  });
}

hone_status hone_ticket_stop(hone_ticket* ticket) {
  return guarded(__func__, [&] { measurementOf(ticket).stop(); });
}

hone_status hone_ticket_stop_cost(hone_ticket* ticket, double cost) {
  return guarded(__func__, [&] { measurementOf(ticket).stop(cost); });
}

void hone_ticket_destroy(hone_ticket* ticket) { delete ticket; }

// ---- What was found

hone_status hone_tuner_report(const hone_tuner* tuner, const char* const* names, const int64_t* sizes,
                              size_t size_count, hone_report* report, int64_t* best, size_t count) {
  return guarded(__func__, [&] {
    const hone::detail::TunedCode& code = codeOf(tuner);
    notNull(report, "report");
    if (best && count != code.parameters.size()) {
      throw hone::UsageError("'best' has " + std::to_string(count) + " elements for " +
                             std::to_string(code.parameters.size()) + " parameters");
    }
    const hone::Report known = code.report(hone::detail::sizesOf(names, sizes, size_count));
    report->phase = static_cast<int>(known.phase);
    report->is_decided = known.isDecided;
    report->launches = known.launches;
    report->trials = known.trials;
    report->failed = known.failed;
    report->settled_at = known.settledAt.value_or(0);
    report->default_cost = known.defaultCost.value_or(0);
    report->best_cost = known.bestCost.value_or(0);
    report->balance = known.account.balance;
    report->spent = known.account.spent;
    report->saved = known.account.saved;
    report->by_default = known.account.byDefault;
    for (std::size_t p = 0; best && p < known.best.size(); ++p) best[p] = known.best[p].second;
  });
}

const char* hone_phase_name(int phase) {
  if (phase < HONE_PHASE_WARMING_UP || phase > HONE_PHASE_SETTLED) return "unknown";
  return toString(static_cast<hone::Phase>(phase));
}

hone_status hone_tuner_settle(hone_tuner* tuner) {
  return guarded(__func__, [&] { codeOf(tuner).settle(); });
}

hone_status hone_tuner_step(hone_tuner* tuner, int* did_something) {
  return guarded(__func__, [&] {
    const bool did = codeOf(tuner).step();
    if (did_something) *did_something = did;
  });
}
