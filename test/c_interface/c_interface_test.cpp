#include "c_interface.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "hone/hone_c.h"
#include "hone/version.h"
#include "support/temporary_file.h"

extern "C" int hone_test_tune_in_c(void);  // in plain_c.c: 0, or the line that went wrong

namespace hone {
namespace {

const std::vector<std::int64_t> kOneToSix = {1, 2, 3, 4, 5, 6};
const char* const kWidth[] = {"width"};

/// A tuner without a thread, and without a budget that would keep trials waiting.
struct StepTuner {
  explicit StepTuner(hone_diagnostics diagnostics = nullptr, void* userData = nullptr) {
    EXPECT_EQ(hone_options_create(&options), HONE_OK);
    EXPECT_EQ(hone_options_set_thread(options, 0), HONE_OK);
    EXPECT_EQ(hone_options_set_strategy(options, "random"), HONE_OK);
    EXPECT_EQ(hone_options_set_budget(options, std::numeric_limits<double>::infinity()), HONE_OK);
    EXPECT_EQ(hone_options_set_diagnostics(options, diagnostics, userData), HONE_OK);
    EXPECT_EQ(hone_tuner_create("code", options, &tuner), HONE_OK);
  }
  ~StepTuner() {
    hone_tuner_destroy(tuner);
    hone_options_destroy(options);
  }

  std::size_t add(const char* name, std::int64_t byDefault) {
    std::size_t index = 99;
    EXPECT_EQ(hone_tuner_add_parameter(tuner, name, kOneToSix.data(), kOneToSix.size(), byDefault, &index), HONE_OK);
    return index;
  }
  /// Measures with a cost of 10 + the distance of the first two parameters' sum from `best`.
  void measure(std::int64_t width, std::int64_t best) {
    hone_ticket* ticket = nullptr;
    std::int64_t x = 0, y = 0;
    ASSERT_EQ(hone_tuner_measure(tuner, kWidth, &width, 1, &ticket), HONE_OK);
    ASSERT_EQ(hone_ticket_value(ticket, 0, &x), HONE_OK);
    ASSERT_EQ(hone_ticket_value(ticket, 1, &y), HONE_OK);
    EXPECT_EQ(hone_ticket_stop_cost(ticket, 10.0 + static_cast<double>(std::abs(x + y - best))), HONE_OK);
    hone_ticket_destroy(ticket);
    EXPECT_EQ(hone_tuner_step(tuner, nullptr), HONE_OK);
  }

  hone_options* options = nullptr;
  hone_tuner* tuner = nullptr;
};

/// "hone_tuner_start: ..." without the function, once that is checked.
std::string textOf(const std::string& function) {
  const std::string text = hone_last_error();
  EXPECT_EQ(text.substr(0, function.size() + 2), function + ": ");
  return text.substr(std::min(text.size(), function.size() + 2));
}

TEST(CInterface, TunesInPlainC) { EXPECT_EQ(hone_test_tune_in_c(), 0) << hone_last_error(); }

TEST(CInterface, SaysItsVersion) { EXPECT_STREQ(hone_version(), HONE_VERSION); }

TEST(CInterface, BoundVariablesAndReportAgree) {
  StepTuner step;
  int x = 0;
  std::int64_t y = 0;
  std::size_t xIndex = 9, yIndex = 9;
  ASSERT_EQ(hone_tuner_bind_int(step.tuner, "x", kOneToSix.data(), 6, 2, &x, &xIndex), HONE_OK);
  ASSERT_EQ(hone_tuner_bind_int64(step.tuner, "y", kOneToSix.data(), 6, 3, &y, &yIndex), HONE_OK);
  EXPECT_EQ(xIndex, 0u);
  EXPECT_EQ(yIndex, 1u);
  EXPECT_EQ(x, 2);
  EXPECT_EQ(y, 3);
  const std::int64_t width = 7;
  hone_report report;
  std::int64_t best[2] = {};
  for (int i = 0; i < 2000; ++i) {
    ASSERT_EQ(hone_tuner_start(step.tuner, kWidth, &width, 1), HONE_OK);
    ASSERT_EQ(hone_tuner_stop_cost(step.tuner, 10.0 + std::abs(x - 5) + static_cast<double>(std::abs(y - 1))), HONE_OK);
    ASSERT_EQ(hone_tuner_step(step.tuner, nullptr), HONE_OK);
    ASSERT_EQ(hone_tuner_report(step.tuner, kWidth, &width, 1, &report, best, 2), HONE_OK);
    if (report.is_decided) break;
  }
  EXPECT_EQ(report.phase, HONE_PHASE_SETTLED);
  EXPECT_EQ(report.trials, 35u);  // all of 6 x 6 but the default
  EXPECT_EQ(report.failed, 0u);
  EXPECT_GT(report.settled_at, 0u);
  EXPECT_GE(report.launches, report.settled_at);
  EXPECT_EQ(report.default_cost, 15.0);
  EXPECT_EQ(report.best_cost, 10.0);
  EXPECT_TRUE(std::isinf(report.balance));
  EXPECT_GT(report.by_default, 0);
  EXPECT_EQ(best[0], 5);
  EXPECT_EQ(best[1], 1);
  ASSERT_EQ(hone_tuner_start(step.tuner, kWidth, &width, 1), HONE_OK);
  EXPECT_EQ(x, 5);
  EXPECT_EQ(y, 1);
  EXPECT_EQ(hone_tuner_stop_cost(step.tuner, 10.0), HONE_OK);
}

TEST(CInterface, ConstraintsAreExpressionsAndFunctions) {
  StepTuner step;
  step.add("x", 1);
  step.add("y", 1);
  ASSERT_EQ(hone_tuner_problem(step.tuner, kWidth, 1), HONE_OK);
  ASSERT_EQ(hone_tuner_require(step.tuner, "x * y <= width"), HONE_OK);
  const char* const reads[] = {"y", "x + y", "width"};
  struct Seen {
    std::int64_t offset;
    bool areRight;
  } seen = {100, true};
  const auto isOdd = [](const std::int64_t* values, void* data) {
    auto* all = static_cast<Seen*>(data);
    all->areRight = all->areRight && values[2] == 12 && values[1] > values[0];
    return static_cast<int>((values[0] + all->offset) % 2);
  };
  ASSERT_EQ(hone_tuner_require_function(step.tuner, "y is odd", reads, 3, isOdd, &seen), HONE_OK);
  const std::int64_t allowed[] = {1, 3, 4, 6};
  ASSERT_EQ(hone_tuner_restrict(step.tuner, "x", allowed, 4), HONE_OK);
  hone_report report = {};
  const std::int64_t width = 12;
  std::int64_t best[2] = {};
  for (int i = 0; i < 2000 && !report.is_decided; ++i) {
    step.measure(width, 12);
    ASSERT_EQ(hone_tuner_report(step.tuner, kWidth, &width, 1, &report, best, 2), HONE_OK);
  }
  // x of {1, 3, 4, 6}, y of {1, 3, 5}, x * y <= 12: y = 1 with each x, y = 3 with 1, 3 and 4, y = 5 with 1.
  EXPECT_EQ(report.trials, 7u);  // those but the default
  EXPECT_EQ(best[0] + best[1], 7);
  EXPECT_TRUE(seen.areRight);
}

TEST(CInterface, TicketsOfSeveralThreads) {
  hone_options* options = nullptr;
  ASSERT_EQ(hone_options_create(&options), HONE_OK);
  ASSERT_EQ(hone_options_set_strategy(options, "exhaustive"), HONE_OK);
  ASSERT_EQ(hone_options_set_budget(options, std::numeric_limits<double>::infinity()), HONE_OK);
  hone_tuner* tuner = nullptr;
  ASSERT_EQ(hone_tuner_create("threads", options, &tuner), HONE_OK);
  hone_options_destroy(options);
  std::size_t x = 9;
  ASSERT_EQ(hone_tuner_add_parameter(tuner, "x", kOneToSix.data(), 6, 1, &x), HONE_OK);
  const auto work = [&] {
    for (int i = 0; i < 20'000'000; ++i) {
      hone_ticket* ticket = nullptr;
      std::int64_t value = 0;
      hone_report report;
      ASSERT_EQ(hone_tuner_measure(tuner, nullptr, nullptr, 0, &ticket), HONE_OK);
      ASSERT_EQ(hone_ticket_value(ticket, x, &value), HONE_OK);
      ASSERT_EQ(hone_ticket_stop_cost(ticket, 10.0 - static_cast<double>(value)), HONE_OK);
      hone_ticket_destroy(ticket);
      ASSERT_EQ(hone_tuner_report(tuner, nullptr, nullptr, 0, &report, nullptr, 0), HONE_OK);
      if (report.is_decided) return;
      std::this_thread::yield();
    }
  };
  std::thread first(work), second(work);
  first.join();
  second.join();
  hone_report report;
  std::int64_t best = 0;
  ASSERT_EQ(hone_tuner_report(tuner, nullptr, nullptr, 0, &report, &best, 1), HONE_OK);
  EXPECT_EQ(report.phase, HONE_PHASE_SETTLED);
  EXPECT_EQ(best, 6);
  hone_tuner_destroy(tuner);
}

TEST(CInterface, WallClockIsTheCostOfStop) {
  StepTuner step;
  step.add("x", 1);
  hone_ticket* ticket = nullptr;
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(hone_tuner_start(step.tuner, nullptr, nullptr, 0), HONE_OK);
    std::this_thread::yield();
    ASSERT_EQ(hone_tuner_stop(step.tuner), HONE_OK);
    ASSERT_EQ(hone_tuner_measure(step.tuner, nullptr, nullptr, 0, &ticket), HONE_OK);
    ASSERT_EQ(hone_ticket_stop(ticket), HONE_OK);
    hone_ticket_destroy(ticket);
  }
  hone_report report;
  ASSERT_EQ(hone_tuner_report(step.tuner, nullptr, nullptr, 0, &report, nullptr, 0), HONE_OK);
  EXPECT_EQ(report.launches, 10u);
  EXPECT_GT(report.default_cost, 0);
}

TEST(CInterface, SettleEndsExploring) {
  StepTuner step;
  step.add("x", 1);
  step.add("y", 1);
  for (int i = 0; i < 20; ++i) step.measure(1, 12);
  ASSERT_EQ(hone_tuner_settle(step.tuner), HONE_OK);
  hone_report report;
  const std::int64_t width = 1;
  ASSERT_EQ(hone_tuner_report(step.tuner, kWidth, &width, 1, &report, nullptr, 0), HONE_OK);
  EXPECT_EQ(report.phase, HONE_PHASE_SETTLED);
  EXPECT_STREQ(hone_phase_name(report.phase), "settled");
  EXPECT_STREQ(hone_phase_name(3), "unknown");
  EXPECT_STREQ(hone_phase_name(-1), "unknown");
}

TEST(CInterface, TicketsOutliveTheirTuner) {
  hone_tuner* tuner = nullptr;
  hone_ticket *stopped = nullptr, *dropped = nullptr;
  ASSERT_EQ(hone_tuner_create("short", nullptr, &tuner), HONE_OK);
  ASSERT_EQ(hone_tuner_add_parameter(tuner, "x", kOneToSix.data(), 6, 4, nullptr), HONE_OK);
  ASSERT_EQ(hone_tuner_measure(tuner, nullptr, nullptr, 0, &stopped), HONE_OK);
  ASSERT_EQ(hone_tuner_measure(tuner, nullptr, nullptr, 0, &dropped), HONE_OK);
  hone_tuner_destroy(tuner);
  std::int64_t value = 0;
  EXPECT_EQ(hone_ticket_value(stopped, 0, &value), HONE_OK);
  EXPECT_EQ(value, 4);
  EXPECT_EQ(hone_ticket_stop(stopped), HONE_OK);
  EXPECT_EQ(hone_ticket_stop(stopped), HONE_ERROR_USAGE);
  EXPECT_EQ(textOf("hone_ticket_stop"), "a ticket was stopped twice, or after it was moved from");
  hone_ticket_destroy(stopped);
  hone_ticket_destroy(dropped);
}

TEST(CInterface, DiagnosticsReachTheCallbackAndItsExceptionsEndThere) {
  struct Heard {
    std::vector<std::string> lines;
  } heard;
  const auto hear = [](const char* source, const char* message, void* data) {
    static_cast<Heard*>(data)->lines.push_back(std::string(source) + ": " + message);
    throw std::runtime_error("nobody catches this");
  };
  StepTuner step(hear, &heard);
  step.add("x", 1);
  ASSERT_EQ(hone_tuner_start(step.tuner, nullptr, nullptr, 0), HONE_OK);
  ASSERT_EQ(hone_tuner_start(step.tuner, nullptr, nullptr, 0), HONE_OK);
  EXPECT_EQ(heard.lines,
            std::vector<std::string>{"code: a measurement was started while one was open; the open one is discarded"});
  EXPECT_EQ(hone_tuner_stop(step.tuner), HONE_OK);
}

TEST(CInterface, ThrowingConstraintAllowsNothing) {
  StepTuner step;
  step.add("x", 1);
  const char* const reads[] = {"x"};
  const auto throwing = [](const std::int64_t*, void*) -> int { throw 1; };
  ASSERT_EQ(hone_tuner_require_function(step.tuner, "never", reads, 1, throwing, nullptr), HONE_OK);
  EXPECT_EQ(hone_tuner_start(step.tuner, nullptr, nullptr, 0), HONE_ERROR_USAGE);
  EXPECT_EQ(textOf("hone_tuner_start"), "code: the default violates 'never': x=1");
}

TEST(CInterface, PinsRunInsteadOfASearch) {
  const test::TemporaryFile pins("{\"tuner\":\"code\",\"configuration\":{\"x\":5}}\n");
  hone_options* options = nullptr;
  hone_tuner* tuner = nullptr;
  ASSERT_EQ(hone_options_create(&options), HONE_OK);
  ASSERT_EQ(hone_options_add_pins(options, pins.path().c_str()), HONE_OK);
  ASSERT_EQ(hone_options_set_mode(options, HONE_MODE_USE), HONE_OK);
  ASSERT_EQ(hone_tuner_create("code", options, &tuner), HONE_OK);
  int x = 0;
  ASSERT_EQ(hone_tuner_bind_int(tuner, "x", kOneToSix.data(), 6, 1, &x, nullptr), HONE_OK);
  ASSERT_EQ(hone_tuner_start(tuner, nullptr, nullptr, 0), HONE_OK);
  EXPECT_EQ(x, 5);
  hone_tuner_destroy(tuner);
  EXPECT_EQ(hone_options_add_pins(options, "/nowhere"), HONE_ERROR_USAGE);
  hone_options_destroy(options);
}

TEST(CInterface, OptionsReachTheTuner) {
  const test::TemporaryFile log("");
  hone_options* options = nullptr;
  ASSERT_EQ(hone_options_create(&options), HONE_OK);
  const Options& set = options->value;
  ASSERT_EQ(hone_options_set_mode(options, HONE_MODE_OFF), HONE_OK);
  EXPECT_EQ(set.mode, Mode::off);
  ASSERT_EQ(hone_options_set_mode(options, HONE_MODE_TUNE), HONE_OK);
  EXPECT_EQ(set.mode, Mode::tune);
  EXPECT_EQ(hone_options_set_mode(options, 7), HONE_ERROR_USAGE);
  EXPECT_EQ(textOf("hone_options_set_mode"), "there is no mode 7");
  ASSERT_EQ(hone_options_set_seed(options, 42), HONE_OK);
  EXPECT_EQ(set.seed, 42u);
  ASSERT_EQ(hone_options_set_trials(options, 3), HONE_OK);
  EXPECT_EQ(set.maxTrials, 3u);
  ASSERT_EQ(hone_options_set_budget(options, 0.25), HONE_OK);
  EXPECT_EQ(set.slowdownBudget, 0.25);
  ASSERT_EQ(hone_options_set_variants(options, 5), HONE_OK);
  EXPECT_EQ(set.maxVariants, 5u);
  ASSERT_EQ(hone_options_set_log(options, log.path().c_str()), HONE_OK);
  EXPECT_EQ(set.logFile, log.path());
  ASSERT_EQ(hone_options_set_strategy(options, "astrology"), HONE_OK);
  hone_tuner* tuner = nullptr;
  EXPECT_EQ(hone_tuner_create("code", options, &tuner), HONE_ERROR_USAGE);
  EXPECT_EQ(tuner, nullptr);
  EXPECT_NE(std::string(hone_last_error()).find("astrology"), std::string::npos);
  hone_options_destroy(options);
}

TEST(CInterface, MisuseIsToldByNameAndChangesNoResult) {
  StepTuner step;
  std::size_t index = 77;
  const std::int64_t twice[] = {1, 2, 1};
  EXPECT_EQ(hone_tuner_add_parameter(step.tuner, "x", twice, 3, 1, &index), HONE_ERROR_USAGE);
  EXPECT_EQ(textOf("hone_tuner_add_parameter"), "code: parameter 'x' has the value 1 twice");
  EXPECT_EQ(hone_tuner_add_parameter(step.tuner, "x", nullptr, 0, 1, &index), HONE_ERROR_USAGE);
  EXPECT_EQ(textOf("hone_tuner_add_parameter"), "code: parameter 'x' has no values");
  EXPECT_EQ(hone_tuner_add_parameter(step.tuner, "x", twice, 2, 9, &index), HONE_ERROR_USAGE);
  EXPECT_EQ(index, 77u);
  const std::int64_t large[] = {1, std::int64_t{1} << 40};
  int narrow = 5;
  EXPECT_EQ(hone_tuner_bind_int(step.tuner, "x", large, 2, 1, &narrow, nullptr), HONE_ERROR_USAGE);
  EXPECT_EQ(textOf("hone_tuner_bind_int"), "parameter 'x': value 1099511627776 does not fit its variable");
  EXPECT_EQ(narrow, 5);

  step.add("x", 1);
  EXPECT_EQ(hone_tuner_require(step.tuner, "x * z < 4"), HONE_ERROR_USAGE);
  EXPECT_EQ(textOf("hone_tuner_require"), "'x * z < 4', column 5: there is no parameter 'z'");
  EXPECT_EQ(hone_tuner_restrict(step.tuner, "z", twice, 2), HONE_ERROR_USAGE);
  EXPECT_EQ(hone_tuner_stop(step.tuner), HONE_ERROR_USAGE);
  EXPECT_EQ(textOf("hone_tuner_stop"), "code: stopMeasurement without startMeasurement");
  hone_report report = {};
  report.launches = 1234;
  EXPECT_EQ(hone_tuner_report(step.tuner, nullptr, nullptr, 0, &report, nullptr, 0), HONE_ERROR_USAGE);
  EXPECT_EQ(report.launches, 1234u);

  const std::int64_t width = 3;
  ASSERT_EQ(hone_tuner_start(step.tuner, kWidth, &width, 1), HONE_OK);
  EXPECT_EQ(hone_tuner_stop_cost(step.tuner, -1.0), HONE_ERROR_USAGE);
  EXPECT_EQ(hone_tuner_add_parameter(step.tuner, "late", twice, 2, 1, nullptr), HONE_ERROR_USAGE);
  const char* const height[] = {"height"};
  EXPECT_EQ(hone_tuner_start(step.tuner, height, &width, 1), HONE_ERROR_USAGE);
  EXPECT_EQ(hone_tuner_start(step.tuner, nullptr, nullptr, 0), HONE_ERROR_USAGE);
  std::int64_t best[2] = {};
  EXPECT_EQ(hone_tuner_report(step.tuner, kWidth, &width, 1, &report, best, 2), HONE_ERROR_USAGE);
  EXPECT_EQ(textOf("hone_tuner_report"), "'best' has 2 elements for 1 parameters");
  hone_ticket* ticket = nullptr;
  std::int64_t value = 55;
  ASSERT_EQ(hone_tuner_measure(step.tuner, kWidth, &width, 1, &ticket), HONE_OK);
  EXPECT_EQ(hone_ticket_value(ticket, 1, &value), HONE_ERROR_USAGE);
  EXPECT_EQ(textOf("hone_ticket_value"), "there is no parameter 1; there are 1, counted from 0");
  EXPECT_EQ(value, 55);
  hone_ticket_destroy(ticket);
}

TEST(CInterface, NullArgumentsAreNamed) {
  StepTuner step;
  step.add("x", 1);
  hone_ticket* ticket = nullptr;
  const std::int64_t one = 1;
  ASSERT_EQ(hone_tuner_measure(step.tuner, kWidth, &one, 1, &ticket), HONE_OK);
  const char* const holes[] = {"x", nullptr};
  const auto yes = [](const std::int64_t*, void*) { return 1; };
  int variable = 0;
  std::int64_t wide = 0;
  hone_report report;
  hone_tuner* made = nullptr;
  const auto expectNull = [](hone_status status, const std::string& name) {
    EXPECT_EQ(status, HONE_ERROR_NULL) << hone_last_error();
    const std::string text = hone_last_error();
    EXPECT_EQ(text.substr(text.find(": ") + 2), "'" + name + "' is null") << text;
  };
  expectNull(hone_options_create(nullptr), "options");
  expectNull(hone_options_set_mode(nullptr, 0), "options");
  expectNull(hone_options_set_strategy(nullptr, "auto"), "options");
  expectNull(hone_options_set_strategy(step.options, nullptr), "strategy");
  expectNull(hone_options_set_seed(nullptr, 1), "options");
  expectNull(hone_options_set_budget(nullptr, 1), "options");
  expectNull(hone_options_set_trials(nullptr, 1), "options");
  expectNull(hone_options_set_thread(nullptr, 1), "options");
  expectNull(hone_options_set_variants(nullptr, 1), "options");
  expectNull(hone_options_set_log(nullptr, "-"), "options");
  expectNull(hone_options_set_log(step.options, nullptr), "file");
  expectNull(hone_options_add_pins(nullptr, "x"), "options");
  expectNull(hone_options_add_pins(step.options, nullptr), "file");
  expectNull(hone_options_set_diagnostics(nullptr, nullptr, nullptr), "options");
  expectNull(hone_tuner_create(nullptr, nullptr, &made), "name");
  expectNull(hone_tuner_create("code", nullptr, nullptr), "tuner");
  expectNull(hone_tuner_add_parameter(nullptr, "y", &one, 1, 1, nullptr), "tuner");
  expectNull(hone_tuner_add_parameter(step.tuner, nullptr, &one, 1, 1, nullptr), "name");
  expectNull(hone_tuner_add_parameter(step.tuner, "y", nullptr, 1, 1, nullptr), "values");
  expectNull(hone_tuner_bind_int(nullptr, "y", &one, 1, 1, &variable, nullptr), "tuner");
  expectNull(hone_tuner_bind_int(step.tuner, nullptr, &one, 1, 1, &variable, nullptr), "name");
  expectNull(hone_tuner_bind_int(step.tuner, "y", nullptr, 1, 1, &variable, nullptr), "values");
  expectNull(hone_tuner_bind_int(step.tuner, "y", &one, 1, 1, nullptr, nullptr), "variable");
  expectNull(hone_tuner_bind_int64(nullptr, "y", &one, 1, 1, &wide, nullptr), "tuner");
  expectNull(hone_tuner_bind_int64(step.tuner, "y", &one, 1, 1, nullptr, nullptr), "variable");
  expectNull(hone_tuner_problem(nullptr, kWidth, 1), "tuner");
  expectNull(hone_tuner_problem(step.tuner, nullptr, 1), "names");
  expectNull(hone_tuner_problem(step.tuner, holes, 2), "names");
  expectNull(hone_tuner_require(nullptr, "x"), "tuner");
  expectNull(hone_tuner_require(step.tuner, nullptr), "expression");
  expectNull(hone_tuner_require_function(nullptr, "c", kWidth, 1, yes, nullptr), "tuner");
  expectNull(hone_tuner_require_function(step.tuner, nullptr, kWidth, 1, yes, nullptr), "name");
  expectNull(hone_tuner_require_function(step.tuner, "c", nullptr, 1, yes, nullptr), "reads");
  expectNull(hone_tuner_require_function(step.tuner, "c", holes, 2, yes, nullptr), "reads");
  expectNull(hone_tuner_require_function(step.tuner, "c", holes, 1, nullptr, nullptr), "function");
  expectNull(hone_tuner_restrict(nullptr, "x", &one, 1), "tuner");
  expectNull(hone_tuner_restrict(step.tuner, nullptr, &one, 1), "name");
  expectNull(hone_tuner_restrict(step.tuner, "x", nullptr, 1), "values");
  expectNull(hone_tuner_start(nullptr, kWidth, &one, 1), "tuner");
  expectNull(hone_tuner_start(step.tuner, nullptr, &one, 1), "names");
  expectNull(hone_tuner_start(step.tuner, kWidth, nullptr, 1), "sizes");
  expectNull(hone_tuner_start(step.tuner, &holes[1], &one, 1), "names");
  expectNull(hone_tuner_stop(nullptr), "tuner");
  expectNull(hone_tuner_stop_cost(nullptr, 1), "tuner");
  expectNull(hone_tuner_measure(nullptr, kWidth, &one, 1, &ticket), "tuner");
  expectNull(hone_tuner_measure(step.tuner, kWidth, &one, 1, nullptr), "ticket");
  expectNull(hone_ticket_value(nullptr, 0, &wide), "ticket");
  expectNull(hone_ticket_value(ticket, 0, nullptr), "value");
  expectNull(hone_ticket_stop(nullptr), "ticket");
  expectNull(hone_ticket_stop_cost(nullptr, 1), "ticket");
  expectNull(hone_tuner_report(nullptr, kWidth, &one, 1, &report, nullptr, 0), "tuner");
  expectNull(hone_tuner_report(step.tuner, kWidth, &one, 1, nullptr, nullptr, 0), "report");
  expectNull(hone_tuner_settle(nullptr), "tuner");
  expectNull(hone_tuner_step(nullptr, nullptr), "tuner");
  hone_options_destroy(nullptr);
  hone_tuner_destroy(nullptr);
  hone_ticket_destroy(nullptr);
  hone_ticket_destroy(ticket);
}

TEST(CInterface, EachKindOfFailureHasItsCode) {
  using detail::guarded;
  EXPECT_EQ(guarded("f", [] {}), HONE_OK);
  EXPECT_EQ(guarded("f", [] { throw UsageError("wrong"); }), HONE_ERROR_USAGE);
  EXPECT_STREQ(hone_last_error(), "f: wrong");
  EXPECT_EQ(guarded("f", [] { throw std::bad_alloc(); }), HONE_ERROR_MEMORY);
  EXPECT_STREQ(hone_last_error(), "f: out of memory");
  EXPECT_EQ(guarded("f", [] { std::vector<int>().reserve(std::numeric_limits<std::size_t>::max()); }),
            HONE_ERROR_MEMORY);
  EXPECT_EQ(guarded("f", [] { throw detail::CodedFailure(HONE_ERROR_OPENCL, "no", -5); }), HONE_ERROR_OPENCL);
  EXPECT_EQ(detail::lastOpenclCode(), -5);
  EXPECT_EQ(guarded("f", [] { throw std::runtime_error("odd"); }), HONE_ERROR_INTERNAL);
  EXPECT_STREQ(hone_last_error(), "f: odd");
  EXPECT_EQ(detail::lastOpenclCode(), 0);
  EXPECT_EQ(guarded("f", [] { throw 1; }), HONE_ERROR_INTERNAL);
  EXPECT_STREQ(hone_last_error(), "f: an exception of unknown type");
  EXPECT_EQ(guarded("f", [] { throw UsageError(std::string(10000, 'x')); }), HONE_ERROR_USAGE);
  EXPECT_EQ(std::string(hone_last_error()).size(), 4095u);  // cut, not overrun
}

TEST(CInterface, EachThreadHasItsOwnLastError) {
  EXPECT_EQ(hone_tuner_stop(nullptr), HONE_ERROR_NULL);
  std::string elsewhere = "none";
  std::thread([&] { elsewhere = hone_last_error(); }).join();
  EXPECT_EQ(elsewhere, "");
  EXPECT_EQ(textOf("hone_tuner_stop"), "'tuner' is null");
}

}  // namespace
}  // namespace hone
