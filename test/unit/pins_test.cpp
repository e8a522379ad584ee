#include "pins.h"

#include <gtest/gtest.h>

#include <limits>

#include "hone/declarations.h"
#include "support/misuse.h"
#include "support/temporary_file.h"

namespace hone {
namespace {

using detail::Pins;
using test::messageOf;
using test::TemporaryFile;

using Values = std::vector<std::int64_t>;

std::vector<Pin> pinsOf(const std::string& text) { return readPins(TemporaryFile(text).path()); }

/// What reading the text throws, without the file's name: "line 1: ...".
std::string misuseOf(const std::string& text) {
  const TemporaryFile file(text);
  const std::string message = messageOf([&] { readPins(file.path()); });
  const std::string before = "pins: " + file.path() + ", ";
  return message.substr(0, before.size()) == before ? message.substr(before.size()) : message;
}

TEST(PinFile, WritesWhatItReads) {
  const std::string whole =
      R"({"tuner":"gemm","problem":{"N":512,"M":-1},"configuration":{"NWG":32,"MWG":-9223372036854775808}})";
  const std::vector<Pin> pins = pinsOf(whole);
  ASSERT_EQ(pins.size(), 1u);
  EXPECT_EQ(pins[0].tuner, "gemm");
  EXPECT_EQ(pins[0].problem, (NamedConfiguration{{"N", 512}, {"M", -1}}));
  EXPECT_EQ(pins[0].configuration,
            (NamedConfiguration{{"NWG", 32}, {"MWG", std::numeric_limits<std::int64_t>::min()}}));
  EXPECT_EQ(toJson(pins[0]), whole);
}

TEST(PinFile, TunerAndProblemMayBeLeftOut) {
  const std::vector<Pin> pins = pinsOf(R"({"configuration":{}})");
  ASSERT_EQ(pins.size(), 1u);
  EXPECT_EQ(pins[0].tuner, "");
  EXPECT_TRUE(pins[0].problem.empty());
  EXPECT_TRUE(pins[0].configuration.empty());
  EXPECT_EQ(toJson(pins[0]), R"({"configuration":{}})");
}

TEST(PinFile, NamesSurviveQuotesAndLineEnds) {
  Pin pin;
  pin.tuner = "a \"b\"\n\\c";
  const std::vector<Pin> pins = pinsOf(toJson(pin));
  ASSERT_EQ(pins.size(), 1u);
  EXPECT_EQ(pins[0].tuner, pin.tuner);
}

TEST(PinFile, ReadsALineEachAndSkipsEmptyOnes) {
  const std::vector<Pin> pins = pinsOf("\n{\"configuration\":{\"x\":1}}\r\n \t\r\n{\"configuration\":{\"x\":2}}");
  ASSERT_EQ(pins.size(), 2u);
  EXPECT_EQ(pins[0].configuration, (NamedConfiguration{{"x", 1}}));
  EXPECT_EQ(pins[1].configuration, (NamedConfiguration{{"x", 2}}));
  EXPECT_TRUE(pinsOf("").empty());
}

TEST(PinFile, NamesTheLineThatIsMalformed) {
  const std::string good = "{\"configuration\":{\"x\":1}}\n";
  EXPECT_EQ(misuseOf(good + "\n" + good + "MWG=64"), "line 4: not a JSON object");
  EXPECT_EQ(misuseOf("[1]"), "line 1: not a JSON object");
  EXPECT_EQ(misuseOf(R"({"configuration":{"x":1})"), "line 1: not a JSON object");  // cut short
  EXPECT_EQ(misuseOf(good + R"({"tuner":"gemm"})"), "line 2: there is no 'configuration'");
  EXPECT_EQ(misuseOf(R"({"tuner":1,"configuration":{}})"), "line 1: 'tuner' is not a string");
  EXPECT_EQ(misuseOf(R"({"problem":[512],"configuration":{}})"), "line 1: 'problem' is not an object");
  EXPECT_EQ(misuseOf(R"({"configuration":64})"), "line 1: 'configuration' is not an object");
  EXPECT_EQ(misuseOf(R"({"kernel":"gemm","configuration":{}})"), "line 1: unknown key 'kernel'");
}

TEST(PinFile, RejectsNumbersThatAreNoIntegersOf64Bits) {
  for (const char* value : {"1.5", "\"1\"", "true", "null", "9223372036854775808", "18446744073709551615",
                            "100000000000000000000", "-9223372036854775809"}) {
    EXPECT_EQ(misuseOf("{\"configuration\":{\"x\":" + std::string(value) + "}}"),
              "line 1: 'configuration': the value of 'x' is not an integer of 64 bits")
        << value;
  }
  EXPECT_EQ(misuseOf(R"({"problem":{"n":1.5},"configuration":{}})"),
            "line 1: 'problem': the value of 'n' is not an integer of 64 bits");
  const std::vector<Pin> largest = pinsOf(R"({"configuration":{"x":9223372036854775807}})");
  EXPECT_EQ(largest.at(0).configuration[0].second, std::numeric_limits<std::int64_t>::max());
}

TEST(PinFile, NamesTheFileThatCannotBeRead) {
  const TemporaryFile file;
  EXPECT_EQ(messageOf([&] { readPins(file.path()); }), "pins: cannot read '" + file.path() + "'");
  EXPECT_EQ(messageOf([&] { readPins(file.folder()); }), "pins: cannot read '" + file.folder().string() + "'");
}

/// gemm(M, N): A of 1, 2, 4 (default 2) and B of 1, 2, 4 (default 1), A * B at most 8.
struct Gemm {
  Gemm() : declarations("gemm") {
    declarations.problem("M", "N");
    const Parameter A = declarations.addParameter("A", {1, 2, 4}, 2);
    const Parameter B = declarations.addParameter("B", {1, 2, 4}, 1);
    declarations.require("small", A * B <= 8);
  }
  Pins pins(const std::vector<Pin>& pins) const { return Pins(pins, declarations.data()); }
  /// The values pinned for the problem; none where there is no pin for it.
  Values find(const Pins& pins, std::int64_t m, std::int64_t n) const {
    const Values problem{m, n};
    const Values* found = pins.find(problem.data(), declarations.data());
    return found ? *found : Values{};
  }
  std::string misuse(const Pin& pin) const {
    return messageOf([&] { pins({pin}); });
  }
  SpaceDeclarations declarations;
};

TEST(Pins, LastPinThatIsForTheProblemIsFound) {
  const Gemm gemm;
  const Pins pins = gemm.pins({{"gemm", {{"M", 5}}, {{"A", 4}, {"B", 1}}},
                               {"gemm", {}, {{"A", 4}, {"B", 2}}},
                               {"gemm", {{"N", 8}}, {{"A", 2}, {"B", 2}}},
                               {"gemm", {{"N", 8}, {"M", 4}}, {{"A", 1}, {"B", 1}}}});
  EXPECT_EQ(gemm.find(pins, 4, 8), (Values{1, 1}));
  EXPECT_EQ(gemm.find(pins, 3, 8), (Values{2, 2}));
  EXPECT_EQ(gemm.find(pins, 8, 4), (Values{4, 2}));
  EXPECT_EQ(gemm.find(pins, 4, 9), (Values{4, 2}));  // one size of two is not enough, whichever it is
  EXPECT_EQ(gemm.find(pins, 5, 1), (Values{4, 2}));  // the one for all came later
}

TEST(Pins, NothingIsPinnedForOtherProblemsOrWithoutPins) {
  const Gemm gemm;
  EXPECT_EQ(gemm.find(gemm.pins({{"gemm", {{"M", 4}}, {{"A", 1}}}}), 5, 4), Values{});
  EXPECT_EQ(gemm.find(Pins(), 4, 8), Values{});
}

TEST(Pins, ParametersThatAreLeftOutHaveTheirDefaults) {
  const Gemm gemm;
  EXPECT_EQ(gemm.find(gemm.pins({{"gemm", {}, {{"B", 4}}}}), 1, 1), (Values{2, 4}));
  EXPECT_EQ(gemm.find(gemm.pins({{"gemm", {}, {}}}), 1, 1), (Values{2, 1}));
}

TEST(Pins, ThoseOfOtherTunersAreLeftOut) {
  const Gemm gemm;
  const Pins pins = gemm.pins({{"blur", {}, {{"WG", 64}}}, {"blur", {{"width", 3}}, {{"A", 1}}}});
  EXPECT_EQ(gemm.find(pins, 3, 3), Values{});
}

TEST(Pins, PinWithoutATunerIsForAllThatHaveItsParameters) {
  const Gemm gemm;
  EXPECT_EQ(gemm.find(gemm.pins({{"", {}, {{"WG", 64}}}}), 1, 1), Values{});
  EXPECT_EQ(gemm.find(gemm.pins({{"", {}, {{"A", 1}, {"WG", 64}}}}), 1, 1), Values{});
  EXPECT_EQ(gemm.find(gemm.pins({{"", {}, {{"A", 1}}}}), 1, 1), (Values{1, 1}));
}

TEST(Pins, OneForAllProblemsIsKnownWithoutAProblem) {
  const Gemm gemm;
  EXPECT_EQ(Pins().forAll(), nullptr);
  EXPECT_EQ(gemm.pins({{"gemm", {{"M", 4}}, {{"A", 1}}}}).forAll(), nullptr);
  const Pins pins = gemm.pins({{"gemm", {{"M", 4}}, {{"A", 1}}}, {"gemm", {}, {{"A", 4}}}});
  ASSERT_NE(pins.forAll(), nullptr);
  EXPECT_EQ(*pins.forAll(), (Values{4, 1}));
}

TEST(Pins, MisuseNamesWhatDoesNotExist) {
  const Gemm gemm;
  EXPECT_EQ(gemm.misuse({"gemm", {}, {{"C", 1}}}), "gemm: a pin names the parameter 'C', which does not exist");
  EXPECT_EQ(gemm.misuse({"gemm", {}, {{"A", 3}}}),
            "gemm: a pin gives the parameter 'A' the value 3, which it does not have");
  EXPECT_EQ(gemm.misuse({"gemm", {}, {{"A", 4}, {"B", 4}}}), "gemm: a pin violates 'small': A=4, B=4");
}

TEST(Pins, ProblemSizeThatDoesNotExistIsFoundWithTheFirstProblem) {
  const Gemm gemm;
  const std::string expected = "gemm: a pin names the problem size 'K', which does not exist";
  const Pins alone = gemm.pins({{"gemm", {{"K", 1}}, {{"A", 1}}}});
  EXPECT_EQ(messageOf([&] { gemm.find(alone, 4, 8); }), expected);
  const Pins behindOthers = gemm.pins({{"gemm", {{"M", 4}}, {{"A", 1}}}, {"gemm", {{"M", 5}, {"K", 1}}, {{"A", 1}}}});
  EXPECT_EQ(messageOf([&] { gemm.find(behindOthers, 4, 8); }), expected);
}

TEST(Pins, RestrictionsOfCandidatesDoNotConcernThem) {
  Gemm gemm;
  gemm.declarations.restrictTo("A", {2});
  EXPECT_EQ(gemm.find(gemm.pins({{"gemm", {}, {{"A", 4}}}}), 1, 1), (Values{4, 1}));
}

TEST(Pins, ConstraintsThatReadAProblemSizeWaitForTheProblem) {
  SpaceDeclarations declarations("blur");
  const auto [N] = declarations.problem("n");
  const Parameter tile = declarations.addParameter("tile", {1, 2, 4}, 1);
  declarations.require(N % tile == 0);
  const Pins pins({{"blur", {}, {{"tile", 4}}}}, declarations.data());
  const Values six{6};
  ASSERT_NE(pins.find(six.data(), declarations.data()), nullptr);
  EXPECT_EQ(*pins.find(six.data(), declarations.data()), Values{4});
}

}  // namespace
}  // namespace hone
