// The command line of the instrumented programs: what each option sets, and what is said about each wrong one.
#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "device.h"
#include "errors.h"
#include "hone/error.h"
#include "legal_block.h"
#include "options.h"
#include "problem_size.h"
#include "restriction.h"
#include "run_program.h"

namespace hone::apps {
namespace {

const Program kProgram{"gemm", "a test", {"M", "N", "K"}, {1024, 512, 256}};

RunOptions parse(const std::vector<std::string>& arguments) { return parseOptions(kProgram, arguments); }

// What the InputError says; empty if there is none.
std::string complaint(const std::vector<std::string>& arguments) {
  try {
    parse(arguments);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(AppOptions, Budget) {
  EXPECT_EQ(parse({}).tuning.slowdownBudget, hone::Options().slowdownBudget);
  EXPECT_EQ(parse({"--budget", "0.05"}).tuning.slowdownBudget, 0.05);
  EXPECT_EQ(parse({"--budget", "0"}).tuning.slowdownBudget, 0);
  EXPECT_EQ(parse({"--budget", "inf"}).tuning.slowdownBudget, std::numeric_limits<double>::infinity());
}

TEST(AppOptions, DefaultsAreTheProgramsAndTheLibrarys) {
  const RunOptions options = parse({});
  const hone::Options library;
  EXPECT_EQ(options.device, "");
  EXPECT_EQ(options.problem, (std::vector<std::int64_t>{1024, 512, 256}));
  EXPECT_FALSE(options.launches.has_value());
  EXPECT_EQ(options.seconds, 60.0);
  EXPECT_EQ(options.tuning.mode, Mode::tune);
  EXPECT_EQ(options.tuning.strategy, library.strategy);
  EXPECT_EQ(options.tuning.maxTrials, library.maxTrials);
  EXPECT_EQ(options.tuning.seed, library.seed);
  EXPECT_TRUE(options.restrictions.empty());
  EXPECT_FALSE(options.endsSettled);
  EXPECT_FALSE(options.isChecked);
  EXPECT_EQ(options.jsonFile, "");
  EXPECT_FALSE(options.wantsHelp);
  EXPECT_FALSE(options.wantsDeviceList);
}

TEST(AppOptions, EachOptionSetsItsField) {
  const RunOptions options = parse({"--device", "H200", "--problem=127x61x33", "--launches", "500", "--seconds", "2.5",
                                    "--strategy", "random", "--trials", "7", "--seed", "18446744073709551615",
                                    "--tuning", "off", "--check", "--json", "out.json", "--until-settled"});
  EXPECT_TRUE(options.endsSettled);
  EXPECT_EQ(options.device, "H200");
  EXPECT_EQ(options.problem, (std::vector<std::int64_t>{127, 61, 33}));
  EXPECT_EQ(options.launches, 500u);
  EXPECT_EQ(options.seconds, 2.5);
  EXPECT_EQ(options.tuning.strategy, "random");
  EXPECT_EQ(options.tuning.maxTrials, 7u);
  EXPECT_EQ(options.tuning.seed, 18446744073709551615u);
  EXPECT_EQ(options.tuning.mode, Mode::off);
  EXPECT_TRUE(options.isChecked);
  EXPECT_EQ(options.jsonFile, "out.json");
}

TEST(AppOptions, TuningOnIsTheDefaultWrittenOut) { EXPECT_EQ(parse({"--tuning", "on"}).tuning.mode, Mode::tune); }

TEST(AppOptions, LaunchesAloneSetNoTimeLimit) { EXPECT_FALSE(parse({"--launches", "5"}).seconds.has_value()); }

TEST(AppOptions, AProgramsOwnOptions) {
  Program program = kProgram;
  program.ownOptions = {{"values", "", "a flag", {}}, {"space", "NAME", "one of two", {"narrow", "wide"}}};
  const RunOptions given = parseOptions(program, {"--values", "--space", "wide"});
  EXPECT_TRUE(given.has("values"));
  EXPECT_EQ(given.value("space", "narrow"), "wide");
  const RunOptions none = parseOptions(program, {});
  EXPECT_FALSE(none.has("values"));
  EXPECT_EQ(none.value("space", "narrow"), "narrow");
  EXPECT_THROW(parseOptions(program, {"--space", "broad"}), InputError);
  EXPECT_THROW(parseOptions(kProgram, {"--values"}), InputError);
  EXPECT_NE(helpText(program).find("--space NAME"), std::string::npos);
}

TEST(AppOptions, WhetherTheProblemIsTheDefault) {
  EXPECT_TRUE(parse({}).isDefaultProblem);
  EXPECT_FALSE(parse({"--problem", "1024x512x256"}).isDefaultProblem);
}

TEST(LegalBlock, IsTheLargestThatTheDeviceAllows) {
  opencl::DeviceFacts facts;
  facts.maxWorkGroupSize = 1024;
  EXPECT_EQ(legalBlock({32, 160, 224, 256}, facts, 224), 224);
  facts.maxWorkGroupSize = 200;
  EXPECT_EQ(legalBlock({32, 160, 224, 256}, facts, 224), 160);
  facts.maxWorkGroupSize = 8;
  EXPECT_EQ(legalBlock({32, 160, 224, 256}, facts, 224), 32);
}

TEST(AppOptions, HelpLooksAtNothingElse) {
  EXPECT_TRUE(parse({"--help", "--launches", "many"}).wantsHelp);
  EXPECT_TRUE(parse({"--list-devices", "--launches", "many"}).wantsDeviceList);
  for (const char* option : {"--device", "--list-devices", "--problem", "--launches", "--seconds", "--strategy",
                             "--trials", "--budget", "--seed", "--tuning", "--restrict", "--check", "--json"})
    EXPECT_NE(helpText(kProgram).find(option), std::string::npos) << option;
  EXPECT_NE(helpText(kProgram).find("1024x512x256"), std::string::npos);
}

TEST(AppOptions, RejectsWhatItDoesNotKnow) {
  EXPECT_EQ(complaint({"--lunches", "5"}), "unrecognised option '--lunches'");
  EXPECT_EQ(complaint({"--launch", "5"}), "unrecognised option '--launch'");  // no abbreviations
  EXPECT_EQ(complaint({"1024"}), "unexpected argument '1024'");
  EXPECT_EQ(complaint({"--check", "yes"}), "unexpected argument 'yes'");
  EXPECT_EQ(complaint({"--seed"}), "the required argument for option '--seed' is missing");
  EXPECT_EQ(complaint({"--seed", "1", "--seed", "2"}), "option '--seed' cannot be specified more than once");
}

TEST(AppOptions, RejectsBadNumbers) {
  EXPECT_EQ(complaint({"--launches", "0"}), "--launches '0': expected a whole number of at least 1");
  EXPECT_EQ(complaint({"--launches=-1"}), "--launches '-1': expected a whole number of at least 1");
  EXPECT_EQ(complaint({"--launches", "1e3"}), "--launches '1e3': expected a whole number of at least 1");
  EXPECT_EQ(complaint({"--trials", "0"}), "--trials '0': expected a whole number of at least 1");
  EXPECT_EQ(complaint({"--budget", "-0.1"}), "--budget '-0.1': expected a number from 0, or inf");
  EXPECT_EQ(complaint({"--budget", "nan"}), "--budget 'nan': expected a number from 0, or inf");
  EXPECT_EQ(complaint({"--seed", "18446744073709551616"}),
            "--seed '18446744073709551616': expected a whole number of at least 0");
  EXPECT_EQ(complaint({"--seconds", "0"}), "--seconds '0': expected a number above 0");
  EXPECT_EQ(complaint({"--seconds", "inf"}), "--seconds 'inf': expected a number above 0");
  EXPECT_EQ(complaint({"--seconds", "nan"}), "--seconds 'nan': expected a number above 0");
  EXPECT_EQ(complaint({"--seconds", "5s"}), "--seconds '5s': expected a number above 0");
}

TEST(AppOptions, RejectsBadWords) {
  EXPECT_EQ(complaint({"--tuning", "maybe"}), "--tuning 'maybe': expected on or off");
  std::string known;
  for (const std::string& name : strategyNames()) known += (known.empty() ? "" : ", ") + name;
  EXPECT_EQ(complaint({"--strategy", "guess"}), "--strategy 'guess': expected one of " + known);
  EXPECT_EQ(complaint({"--device", ""}), "--device '': expected an index or a part of a name");
  EXPECT_EQ(complaint({"--json", ""}), "--json '': expected a file");
}

TEST(AppOptions, RejectsBadProblems) {
  const std::string expected = "': expected MxNxK with whole numbers from 1 to 2147482623";
  for (const std::string text : {"1024", "1x2", "1x2x3x4", "1x2x3xa", "1x2x", "x1x2", "1x2x0", "1x-2x3", "1x2x3.5",
                                 "1x2x3 ", "1X2X3", "1x2x2147482624", "1x2x99999999999999999999", ""})
    EXPECT_EQ(complaint({"--problem", text}), "--problem '" + text + expected);
  EXPECT_EQ(parse({"--problem", "1x1x2147482623"}).problem, (std::vector<std::int64_t>{1, 1, 2147482623}));
}

TEST(AppOptions, ListOfProblems) {
  Program program = kProgram;
  program.takesProblemList = true;
  using Sizes = std::vector<std::int64_t>;
  const RunOptions list = parseOptions(program, {"--problems", "8x4x2,16x4x2"});
  EXPECT_EQ(list.problems, (std::vector<Sizes>{{8, 4, 2}, {16, 4, 2}}));
  EXPECT_EQ(list.allProblems(), list.problems);
  EXPECT_EQ(list.problem, (Sizes{8, 4, 2}));
  EXPECT_FALSE(list.isDefaultProblem);
  EXPECT_EQ(parseOptions(program, {}).allProblems(), (std::vector<Sizes>{{1024, 512, 256}}));
  EXPECT_TRUE(parseOptions(program, {}).isDefaultProblem);
  EXPECT_EQ(parseOptions(program, {"--problem", "1x2x3"}).allProblems(), (std::vector<Sizes>{{1, 2, 3}}));

  const auto complains = [&](const std::vector<std::string>& arguments) -> std::string {
    try {
      parseOptions(program, arguments);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const std::string expected = "': expected MxNxK with whole numbers from 1 to 2147482623";
  EXPECT_EQ(complains({"--problems", "8x4x2,"}), "--problems '" + expected);
  EXPECT_EQ(complains({"--problems", ""}), "--problems '" + expected);
  EXPECT_EQ(complains({"--problems", "8x4x2,8x0x2"}), "--problems '8x0x2" + expected);
  EXPECT_EQ(complains({"--problems", "8x4x2,1x1x1,8x4x2"}), "--problems '8x4x2,1x1x1,8x4x2': 8x4x2 is in it twice");
  EXPECT_EQ(complains({"--problem", "1x1x1", "--problems", "2x2x2"}),
            "--problems '2x2x2': not together with --problem");
  EXPECT_EQ(complaint({"--problems", "1x1x1"}), "unrecognised option '--problems'");  // of a program without lists
}

TEST(AppOptions, OneNumberForAllSizes) {
  Program program = kProgram;
  program.takesProblemList = program.isOneSizeEnough = true;
  using Sizes = std::vector<std::int64_t>;
  EXPECT_EQ(parseOptions(program, {"--problem", "7"}).problem, (Sizes{7, 7, 7}));
  EXPECT_EQ(parseOptions(program, {"--problems", "7,8x4x2"}).problems, (std::vector<Sizes>{{7, 7, 7}, {8, 4, 2}}));
  EXPECT_THROW(parseOptions(program, {"--problems", "7,7x7x7"}), InputError);
  try {
    parseOptions(program, {"--problem", "8x4"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "--problem '8x4': expected MxNxK, or one number, with whole numbers from 1 to 2147482623");
  }
}

TEST(AppOptions, ProblemTextIsWhatParseProblemReads) {
  EXPECT_EQ(problemText({1024, 1, 33}), "1024x1x33");
  EXPECT_EQ(parseProblem("1048576", {"N"}), (std::vector<std::int64_t>{1048576}));
}

TEST(AppRestrictions, ReadsSeveralParametersInOneOrSeveralOptions) {
  const auto restrictions = parse({"--restrict", "MWG=32:64,SA=0", "--restrict", "X=-1"}).restrictions;
  ASSERT_EQ(restrictions.size(), 3u);
  EXPECT_EQ(restrictions[0].parameter, "MWG");
  EXPECT_EQ(restrictions[0].values, (std::vector<std::int64_t>{32, 64}));
  EXPECT_EQ(restrictions[1].parameter, "SA");
  EXPECT_EQ(restrictions[1].values, (std::vector<std::int64_t>{0}));
  EXPECT_EQ(restrictions[2].parameter, "X");
  EXPECT_EQ(restrictions[2].values, (std::vector<std::int64_t>{-1}));
}

TEST(AppRestrictions, RejectsBadSyntaxNamingThePart) {
  const std::string expected = "; expected PARAMETER=VALUE:VALUE:...";
  EXPECT_EQ(complaint({"--restrict", "MWG"}), "--restrict 'MWG': there is no '='" + expected);
  EXPECT_EQ(complaint({"--restrict", "MWG=32,"}), "--restrict '': there is no '='" + expected);
  EXPECT_EQ(complaint({"--restrict", "=32"}), "--restrict '=32': there is no parameter" + expected);
  EXPECT_EQ(complaint({"--restrict", "SA=0,MWG="}), "--restrict 'MWG=': '' is not a whole number" + expected);
  EXPECT_EQ(complaint({"--restrict", "MWG=32;64"}), "--restrict 'MWG=32;64': '32;64' is not a whole number" + expected);
}

TEST(AppRestrictions, AreAppliedToTheDeclarations) {
  SpaceDeclarations space("gemm");
  space.addParameter("MWG", {16, 32, 64, 128}, 64);
  space.addParameter("SA", {0, 1}, 0);
  restrictCandidates(parseRestrictions("MWG=16:128,SA=1"), space);
  EXPECT_EQ(SearchSpace(space).size(), 2u);
  EXPECT_THROW(restrictCandidates(parseRestrictions("NWG=16"), space), UsageError);
  EXPECT_THROW(restrictCandidates(parseRestrictions("MWG=17"), space), UsageError);
}

const std::vector<DeviceEntry> kDevices{
    {"Intel(R) Xeon(R)", "PoCL", false}, {"NVIDIA H200", "CUDA", true}, {"NVIDIA H200", "CUDA", true}};

TEST(AppDevice, DefaultIsTheFirstGpuOrElseTheFirst) {
  EXPECT_EQ(chooseDevice(kDevices, ""), 1u);
  EXPECT_EQ(chooseDevice({kDevices[0]}, ""), 0u);
}

TEST(AppDevice, IsChosenByIndexOrPartOfTheName) {
  EXPECT_EQ(chooseDevice(kDevices, "2"), 2u);
  EXPECT_EQ(chooseDevice(kDevices, "h200"), 1u);
  EXPECT_EQ(chooseDevice(kDevices, "XEON"), 0u);
  EXPECT_EQ(chooseDevice(kDevices, kDevices[1].platform), 1u);
}

TEST(AppDevice, UnknownOnesAreAnsweredWithTheList) {
  for (const std::string wanted : {"3", "200", "radeon"}) {
    try {
      chooseDevice(kDevices, wanted);
      ADD_FAILURE() << wanted;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), "--device '" + wanted +
                                  "': there is no such device; there are 0: Intel(R) Xeon(R) (PoCL), 1: NVIDIA H200 "
                                  "(CUDA), 2: NVIDIA H200 (CUDA)");
    }
  }
  EXPECT_THROW(chooseDevice({}, ""), InputError);
  EXPECT_THROW(chooseDevice({}, "0"), InputError);
}

TEST(AppRunProgram, TurnsExceptionsIntoOneLineAndAnExitCode) {
  const auto run = [](const std::function<void()>& body) {
    std::ostringstream errors;
    const int code = runProgram("gemm", errors, body);
    return std::to_string(code) + ' ' + errors.str();
  };
  EXPECT_EQ(run([] {}), "0 ");
  EXPECT_EQ(run([] { throw CheckFailure("wrong"); }), "1 gemm: wrong\n");
  EXPECT_EQ(run([] { throw InputError("bad"); }), "2 gemm: bad\n");
  EXPECT_EQ(run([] { throw UsageError("gemm: bad"); }), "2 gemm: bad\n");  // the library names the kernel itself
  EXPECT_EQ(run([] { throw opencl::Error("\nbuild failed:\n\nline 1\nline 2\n", -11); }),
            "2 gemm: build failed: | line 1 | line 2\n");
  EXPECT_EQ(run([] { throw cl::Error(-4, "clCreateBuffer"); }), "2 gemm: clCreateBuffer failed with OpenCL error -4\n");
  EXPECT_EQ(run([] { throw std::bad_alloc(); }), "2 gemm: out of host memory\n");
}

}  // namespace
}  // namespace hone::apps
