#include "hone/tuner.h"

#include <gtest/gtest.h>

#include <thread>

#include "hone/hone.h"
#include "support/misuse.h"
#include "support/scoped_variable.h"
#include "support/temporary_file.h"

namespace hone {
namespace {

using test::messageOf;
using test::ScopedVariable;
using test::TemporaryFile;

Options steppedBy(std::vector<std::string>* messages = nullptr) {
  Options options;
  options.hasOwnThread = false;
  options.strategy = "random";
  if (messages)
    options.diagnostics = [messages](const Diagnostic& d) { messages->push_back(d.source + ": " + d.message); };
  return options;
}

TEST(Tuner, BoundVariablesGetTheDefaultAtOnceAndTheBestInTheEnd) {
  int block = -1;
  bool isUnrolled = true;
  Tuner tuner("blur", steppedBy());
  tuner.addParameter(&block, powersOfTwo(16, 256), 64, "block");
  tuner.addParameter(&isUnrolled, booleans(), false, "unrolled");
  EXPECT_EQ(block, 64);
  EXPECT_FALSE(isUnrolled);
  for (int i = 0; i < 200; ++i) {
    tuner.startMeasurement({{"width", 1920}});
    tuner.stopMeasurement(10.0 + std::abs(block - 128) + (isUnrolled ? 0 : 5));
    tuner.step();
  }
  tuner.startMeasurement({{"width", 1920}});
  EXPECT_EQ(block, 128);
  EXPECT_TRUE(isUnrolled);
  tuner.stopMeasurement(10.0);
  const Report report = tuner.report({{"width", 1920}});
  EXPECT_EQ(report.phase, Phase::settled);
  EXPECT_EQ(report.defaultCost, 79.0);
  EXPECT_EQ(report.bestCost, 10.0);
  EXPECT_EQ(report.best, (NamedConfiguration{{"block", 128}, {"unrolled", 1}}));
}

TEST(Tuner, BoundVariablesHoldValidValuesAtEveryMoment) {
  int a = 0;
  int b = 0;
  Tuner tuner("pair", steppedBy());
  const Parameter A = tuner.addParameter(&a, range(1, 6), 1, "a");
  const Parameter B = tuner.addParameter(&b, range(1, 6), 1, "b");
  tuner.require(A + B <= 6);
  for (int i = 0; i < 300; ++i) {
    tuner.startMeasurement();
    EXPECT_LE(a + b, 6);
    tuner.stopMeasurement(20.0 - a - b);
    EXPECT_LE(a + b, 6);
    tuner.step();
  }
  EXPECT_EQ(tuner.report().best[0].second + tuner.report().best[1].second, 6);
}

TEST(Tuner, TicketsLeaveVariablesAloneAndGiveTheirOwnValues) {
  int x = 0;
  Tuner tuner("tickets", steppedBy());
  const Parameter X = tuner.addParameter(&x, range(0, 3), 0, "x");
  const Parameter y = tuner.addParameter("y", range(0, 3), 1);
  for (int i = 0; i < 200; ++i) {
    Ticket ticket = tuner.measure();
    EXPECT_EQ(x, 0);
    ticket.stop(10.0 - static_cast<double>(ticket[X] + ticket[y]));
    tuner.step();
  }
  EXPECT_EQ(tuner.report().best, (NamedConfiguration{{"x", 3}, {"y", 3}}));
}

TEST(Tuner, DroppedTicketLeavesNoSample) {
  Tuner tuner("dropped", steppedBy());
  tuner.addParameter("x", range(0, 3), 0);
  for (int i = 0; i < 100; ++i) {
    const Ticket ticket = tuner.measure();
    tuner.step();
  }
  EXPECT_EQ(tuner.report().phase, Phase::warmingUp);
  EXPECT_EQ(tuner.report().launches, 100u);
}

TEST(Tuner, TicketCanBeStoppedOnce) {
  Tuner tuner("twice", steppedBy());
  tuner.addParameter("x", range(0, 3), 0);
  Ticket ticket = tuner.measure();
  Ticket moved = std::move(ticket);
  moved.stop(1.0);
  EXPECT_EQ(messageOf([&] { moved.stop(1.0); }), "a ticket was stopped twice, or after it was moved from");
}

TEST(Tuner, SecondStartDiscardsTheOpenMeasurementAndReportsIt) {
  std::vector<std::string> messages;
  Tuner tuner("open", steppedBy(&messages));
  tuner.addParameter("x", range(0, 3), 0);
  tuner.startMeasurement();
  tuner.startMeasurement();
  tuner.stopMeasurement();
  EXPECT_EQ(messages,
            std::vector<std::string>{"open: a measurement was started while one was open; the open one is discarded"});
}

TEST(Tuner, MeasuresWithItsOwnThreadUntilSettled) {
  Options options;
  options.strategy = "random";
  Tuner tuner("threaded", options);
  const Parameter x = tuner.addParameter("x", range(0, 7), 0);
  const auto work = [&] {
    for (int i = 0; i < 20'000'000; ++i) {
      Ticket ticket = tuner.measure();
      ticket.stop(10.0 - static_cast<double>(ticket[x]));
      if (i % 64 == 0 && tuner.report().phase == Phase::settled) return;
      std::this_thread::yield();
    }
  };
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  EXPECT_EQ(tuner.report().phase, Phase::settled);
  EXPECT_EQ(tuner.report().best[0].second, 7);
}

TEST(Tuner, SettleEndsExploring) {
  Tuner tuner("settle", steppedBy());
  tuner.addParameter("x", range(0, 7), 0);
  for (int i = 0; i < 8; ++i) {
    tuner.startMeasurement();
    tuner.stopMeasurement(1.0);
    tuner.step();
  }
  tuner.settle();
  EXPECT_EQ(tuner.report().phase, Phase::settled);
}

TEST(Tuner, ProblemSizesMayComeInAnyOrder) {
  Tuner tuner("order", steppedBy());
  tuner.addParameter("x", range(0, 7), 0);
  tuner.startMeasurement({{"width", 10}, {"height", 20}});
  tuner.stopMeasurement(1.0);
  tuner.startMeasurement({{"height", 20}, {"width", 10}});
  tuner.stopMeasurement(1.0);
  EXPECT_EQ(tuner.report({{"width", 10}, {"height", 20}}).launches, 2u);
}

TEST(Tuner, ConstraintsSeeProblemSizes) {
  Tuner tuner("tiles", steppedBy());
  const auto [N] = tuner.problem("n");
  const Parameter tile = tuner.addParameter("tile", {1, 2, 4, 8}, 8);
  tuner.require(N % tile == 0);
  for (int i = 0; i < 100; ++i) {
    Ticket ticket = tuner.measure({{"n", 6}});
    ticket.stop(static_cast<double>(20 - ticket[tile]));
    tuner.step();
  }
  // 8 and 4 do not divide 6; the default runs on all the same, being the default.
  EXPECT_EQ(tuner.report({{"n", 6}}).trials, 2u);
  EXPECT_EQ(tuner.report({{"n", 6}}).best[0].second, 8);
}

TEST(Tuner, SaysWhichConstraintLeftNothingForAProblem) {
  std::vector<std::string> messages;
  Tuner tuner("tiles", steppedBy(&messages));
  const auto [N] = tuner.problem("n");
  const Parameter tile = tuner.addParameter("tile", {2, 4, 8}, 8);
  tuner.require(tile >= 2);
  tuner.require("tiles divide", {N, tile}, [](auto n, auto t) { return n % t == 0; });
  for (int i = 0; i < 10; ++i) {
    tuner.measure({{"n", 7}}).stop(1.0);
    tuner.step();
  }
  EXPECT_EQ(messages, std::vector<std::string>{"tiles: no configuration is left for n=7: 'tiles divide' removed the "
                                               "last ones, such as tile=2; the default runs"});
  EXPECT_EQ(tuner.report({{"n", 7}}).phase, Phase::settled);
}

TEST(Tuner, MisuseThrowsAndNamesTheValue) {
  EXPECT_EQ(messageOf([] {
              Options options;
              options.strategy = "astrology";
              Tuner tuner("blur", options);
            }).substr(0, 29),
            "there is no strategy 'astrolo");
  unsigned char small = 0;
  Tuner tuner("blur", steppedBy());
  EXPECT_EQ(messageOf([&] {
              tuner.addParameter(&small, {1, 256}, 1, "small");
            }),
            "parameter 'small': value 256 does not fit its variable");
  EXPECT_EQ(messageOf([&] { tuner.startMeasurement(); }), "blur: no parameter was declared");
  tuner.addParameter("x", {1, 2}, 1);
  EXPECT_EQ(messageOf([&] { tuner.report(); }), "blur: a report was asked for before the first measurement");
  EXPECT_EQ(messageOf([&] { tuner.stopMeasurement(); }), "blur: stopMeasurement without startMeasurement");
  tuner.startMeasurement({{"n", 1}});
  EXPECT_EQ(messageOf([&] { tuner.stopMeasurement(-3.0); }), "blur: the cost -3.000000 is not finite and positive");
  EXPECT_EQ(messageOf([&] { tuner.addParameter("y", {1}, 1); }),
            "blur: parameter 'y' was declared after the first measurement");
  EXPECT_EQ(messageOf([&] {
              tuner.startMeasurement({{"m", 1}});
            }),
            "blur: problem size 'm' was not declared, nor given by the first measurement");
  EXPECT_EQ(messageOf([&] { tuner.startMeasurement(); }), "blur: 0 problem sizes were given, 1 are declared");
  EXPECT_EQ(messageOf([&] {
              tuner.report({{"n", 2}});
            }),
            "blur: a report was asked for a problem that was never launched: n=2");
  EXPECT_EQ(messageOf([&] { tuner.startMeasurement({{"n", 1}, {"n", 2}}); }), "blur: problem size 'n' is given twice");
}

// ---- the environment

/// The values of x, from 0 to 9 and 0 by default, that the launches ran; 7 is the best.
std::vector<int> launchesOf(const Options& options, int launches) {
  int x = -1;
  Tuner tuner("seven", options);
  tuner.addParameter(&x, range(0, 9), 0, "x");
  std::vector<int> values;
  for (int i = 0; i < launches; ++i) {
    tuner.startMeasurement({{"n", 3}});
    values.push_back(x);
    tuner.stopMeasurement(10.0 + std::abs(x - 7));
    tuner.step();
  }
  return values;
}

TEST(TunerEnvironment, ModeOffRunsTheDefault) {
  const TemporaryFile log;
  const ScopedVariable mode("HONE_MODE", "off");
  const ScopedVariable file("HONE_LOG", log.path());
  EXPECT_EQ(launchesOf(steppedBy(), 100), std::vector<int>(100, 0));
  EXPECT_FALSE(log.exists());
}

TEST(TunerEnvironment, LogOfASearchPinsWhatItFound) {
  const TemporaryFile log;
  {
    const ScopedVariable file("HONE_LOG", log.path());
    launchesOf(steppedBy(), 300);
  }
  ASSERT_FALSE(log.lines().empty());
  const std::string last = log.lines().back();
  const TemporaryFile pins(last.substr(last.find('{')));
  const ScopedVariable pin("HONE_PIN", pins.path());
  EXPECT_EQ(launchesOf(steppedBy(), 100), std::vector<int>(100, 7));
  const ScopedVariable mode("HONE_MODE", "use");
  EXPECT_EQ(launchesOf(steppedBy(), 100), std::vector<int>(100, 7));
}

TEST(TunerEnvironment, ModeUseTriesNothing) {
  const ScopedVariable mode("HONE_MODE", "use");
  EXPECT_EQ(launchesOf(steppedBy(), 100), std::vector<int>(100, 0));
}

TEST(TunerEnvironment, SeedAndStrategyGiveTheSearch) {
  Options byOptions = steppedBy();
  byOptions.strategy = "annealing";
  byOptions.seed = 5;
  const std::vector<int> expected = launchesOf(byOptions, 100);
  EXPECT_NE(launchesOf(steppedBy(), 100), expected);
  const ScopedVariable strategy("HONE_STRATEGY", "annealing");
  const ScopedVariable seed("HONE_SEED", "5");
  EXPECT_EQ(launchesOf(steppedBy(), 100), expected);
}

TEST(TunerEnvironment, MisuseThrowsFromTheConstructor) {
  const auto misuse = [](const char* name, const char* value) {
    const ScopedVariable variable(name, value);
    return messageOf([] { Tuner tuner("seven", steppedBy()); });
  };
  EXPECT_EQ(misuse("HONE_MODE", "on"), "HONE_MODE: 'on' is none of tune, use, off");
  EXPECT_EQ(misuse("HONE_PIN", "/nowhere"), "HONE_PIN: pins: cannot read '/nowhere'");
  EXPECT_EQ(misuse("HONE_LOG", "/nowhere/log"), "the log cannot be opened: '/nowhere/log'");
}

TEST(Tuner, PinsRunInsteadOfASearch) {
  Options options = steppedBy();
  options.pins = {{"seven", {{"n", 4}}, {{"x", 1}}}, {"seven", {{"n", 3}}, {{"x", 2}}}};
  EXPECT_EQ(launchesOf(options, 100), std::vector<int>(100, 2));
}

TEST(Instantiate, CallsTheInstanceOfTheValue) {
  const auto square = [](auto u) {
    constexpr int kValue = u;
    return kValue * kValue;
  };
  EXPECT_EQ((instantiate<1, 2, 4, 8>(4, square)), 16);
  EXPECT_EQ(messageOf([&] { instantiate<1, 2>(3, square); }), "instantiate: no instance for value 3");
}

}  // namespace
}  // namespace hone
