#include "environment.h"

#include <gtest/gtest.h>

#include <map>

#include "support/misuse.h"
#include "support/temporary_file.h"

namespace hone::detail {
namespace {

using test::messageOf;
using test::TemporaryFile;

Environment of(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

Options optionsOfTheProgram() {
  Options options;
  options.mode = Mode::use;
  options.strategy = "random";
  options.makeStrategy = [](std::uint64_t seed) { return makeStrategy("random", seed); };
  options.seed = 7;
  options.pins = {{"program", {}, {{"x", 1}}}};
  options.logFile = "of the program";
  return options;
}

std::string misuse(const char* name, const std::string& value) {
  return messageOf([&] { withEnvironment({}, of({{name, value}})); });
}

void expectTheProgramsOwn(const Options& options) {
  EXPECT_EQ(options.mode, Mode::use);
  EXPECT_EQ(options.strategy, "random");
  EXPECT_TRUE(options.makeStrategy);
  EXPECT_EQ(options.seed, 7u);
  ASSERT_EQ(options.pins.size(), 1u);
  EXPECT_EQ(options.pins[0].tuner, "program");
  EXPECT_EQ(options.logFile, "of the program");
}

TEST(Environment, WithoutVariablesTheProgramsOptionsStand) {
  expectTheProgramsOwn(withEnvironment(optionsOfTheProgram(), of({})));
}

TEST(Environment, EmptyVariableSaysNothing) {
  expectTheProgramsOwn(withEnvironment(
      optionsOfTheProgram(),
      of({{"HONE_MODE", ""}, {"HONE_STRATEGY", ""}, {"HONE_SEED", ""}, {"HONE_PIN", ""}, {"HONE_LOG", ""}})));
}

TEST(Environment, StandsAboveTheProgramsOptions) {
  const TemporaryFile pins(R"({"tuner":"environment","configuration":{"x":2}})");
  const Options options = withEnvironment(optionsOfTheProgram(), of({{"HONE_MODE", "tune"},
                                                                     {"HONE_STRATEGY", "nelder-mead"},
                                                                     {"HONE_SEED", "18446744073709551615"},
                                                                     {"HONE_PIN", pins.path()},
                                                                     {"HONE_LOG", "of the environment"}}));
  EXPECT_EQ(options.mode, Mode::tune);
  EXPECT_EQ(options.strategy, "nelder-mead");
  EXPECT_FALSE(options.makeStrategy);
  EXPECT_EQ(options.seed, 18446744073709551615u);
  ASSERT_EQ(options.pins.size(), 1u);
  EXPECT_EQ(options.pins[0].tuner, "environment");
  EXPECT_EQ(options.logFile, "of the environment");
}

TEST(Environment, KnowsTheModes) {
  const auto mode = [](const char* text) { return withEnvironment({}, of({{"HONE_MODE", text}})).mode; };
  EXPECT_EQ(mode("tune"), Mode::tune);
  EXPECT_EQ(mode("use"), Mode::use);
  EXPECT_EQ(mode("off"), Mode::off);
  EXPECT_EQ(misuse("HONE_MODE", "Off"), "HONE_MODE: 'Off' is none of tune, use, off");
}

TEST(Environment, RejectsASeedThatIsNoWholeNumber) {
  EXPECT_EQ(misuse("HONE_SEED", "12x"), "HONE_SEED: '12x' is no whole number from 0 to 2^64 - 1");
  for (const char* seed : {"-1", "+1", " 1", "1 ", "1.5", "0x10", "18446744073709551616"})
    EXPECT_EQ(misuse("HONE_SEED", seed).substr(0, 10), "HONE_SEED:") << seed;
  EXPECT_EQ(withEnvironment({}, of({{"HONE_SEED", "0"}})).seed, 0u);
}

TEST(Environment, NamesTheVariableThatIsToBlame) {
  EXPECT_EQ(
      misuse("HONE_STRATEGY", "astrology"),
      "HONE_STRATEGY: there is no strategy 'astrology'; the strategies are: annealing, auto, exhaustive, nelder-mead, "
      "random, swarm");
  EXPECT_EQ(misuse("HONE_PIN", "/nowhere/pins"), "HONE_PIN: pins: cannot read '/nowhere/pins'");
}

TEST(Environment, OffLeavesNoFileToTouch) {
  const Options byEnvironment = withEnvironment(
      optionsOfTheProgram(), of({{"HONE_MODE", "off"}, {"HONE_PIN", "/nowhere/pins"}, {"HONE_LOG", "/nowhere/log"}}));
  EXPECT_EQ(byEnvironment.mode, Mode::off);
  EXPECT_TRUE(byEnvironment.pins.empty());
  EXPECT_EQ(byEnvironment.logFile, "");

  Options options = optionsOfTheProgram();
  options.mode = Mode::off;
  const Options byProgram = withEnvironment(options, of({{"HONE_LOG", "/nowhere/log"}}));
  EXPECT_EQ(byProgram.mode, Mode::off);
  EXPECT_TRUE(byProgram.pins.empty());
  EXPECT_EQ(byProgram.logFile, "");
}

TEST(Environment, HasTheLastWordWhenTheProgramIsOff) {
  Options options;
  options.mode = Mode::off;
  const Options tuned = withEnvironment(options, of({{"HONE_MODE", "tune"}, {"HONE_LOG", "log"}}));
  EXPECT_EQ(tuned.mode, Mode::tune);
  EXPECT_EQ(tuned.logFile, "log");
}

TEST(WorkerSettings, AreWhatTheEnvironmentSays) {
  const WorkerSettings silent = workerSettings(of({{"HONE_WORKERS", ""}}));
  EXPECT_EQ(silent.workers, std::nullopt);
  EXPECT_EQ(silent.program, "");
  const WorkerSettings settings = workerSettings(of({{"HONE_WORKERS", "3"}, {"HONE_WORKER", "/opt/hone-worker"}}));
  EXPECT_EQ(settings.workers, 3u);
  EXPECT_EQ(settings.program, "/opt/hone-worker");
  EXPECT_EQ(workerSettings(of({{"HONE_WORKERS", "0"}})).workers, 0u);
}

TEST(WorkerSettings, RefusesWhatIsNoNumberOfWorkers) {
  for (const char* text : {"-1", "two", "3 ", "65536"}) {
    EXPECT_EQ(messageOf([&] {
                workerSettings(of({{"HONE_WORKERS", text}}));
              }),
              std::string("HONE_WORKERS: '") + text + "' is no whole number from 0 to 65535");
  }
}

}  // namespace
}  // namespace hone::detail
