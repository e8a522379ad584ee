#include "tools/ask_tell.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "space/expression_node.h"
#include "space/expression_parser.h"
#include "support/misuse.h"
#include "support/temporary_file.h"

namespace hone::detail {
namespace {

using Json = nlohmann::ordered_json;
using test::messageOf;

// ---- Expressions

/// The value of the text where a = 7, b = 3; as text, since a fault has none.
std::string valueOf(const std::string& text) {
  SpaceDeclarations declarations("space");
  const Parameter a = declarations.addParameter("a", {7}, 7), b = declarations.addParameter("b", {3}, 3);
  const Expression expression = parseExpression(text, [&](const std::string& name) -> std::optional<Expression> {
    if (name == "a") return a;
    if (name == "b") return b;
    return std::nullopt;
  });
  const std::int64_t values[] = {7, 3};
  const Evaluation evaluation = evaluate(expression.node(), values, nullptr);
  return evaluation.fault == Evaluation::Fault::none ? std::to_string(evaluation.value) : "fault";
}

TEST(ExpressionParser, FollowsThePrecedenceOfC) {
  EXPECT_EQ(valueOf("1 + 2 * 3"), "7");
  EXPECT_EQ(valueOf("(1 + 2) * 3"), "9");
  EXPECT_EQ(valueOf("10 - 4 - 3"), "3");  // from the left
  EXPECT_EQ(valueOf("100 / 10 / 2"), "5");
  EXPECT_EQ(valueOf("a % b == 1 && a / b == 2"), "1");
  EXPECT_EQ(valueOf("0 && 0 || 1"), "1");
  EXPECT_EQ(valueOf("1 || 0 && 0"), "1");
  EXPECT_EQ(valueOf("1 < 2 == 1"), "1");
  EXPECT_EQ(valueOf("2 <= 2"), "1");
  EXPECT_EQ(valueOf("2 >= 3"), "0");
  EXPECT_EQ(valueOf("3 > 2"), "1");
  EXPECT_EQ(valueOf("a != b"), "1");
  EXPECT_EQ(valueOf("-a + 10"), "3");
  EXPECT_EQ(valueOf("!a"), "0");
  EXPECT_EQ(valueOf("!0 + 1"), "2");
  EXPECT_EQ(valueOf("0 ? 1 : 0 ? 2 : 3"), "3");
  EXPECT_EQ(valueOf("a > 5 ? b : 0"), "3");
  EXPECT_EQ(valueOf("min(a, b) + 10 * max(a, b) + 100 * ceilDiv(a, b)"), "373");
  EXPECT_EQ(valueOf("a % (b - 3)"), "fault");
}

TEST(ExpressionParser, ReadsWhatExpressionsPrint) {
  SpaceDeclarations declarations("space");
  const Parameter x = declarations.addParameter("x", {1}, 1), y = declarations.addParameter("y", {1}, 1);
  const auto lookUp = [&](const std::string& name) { return std::optional<Expression>(name == "x" ? x : y); };
  for (const Expression& expression :
       {x % (y * 2) == 0, !(x && y) || -x < 3, select(x == 1, y, x - (y - 1)), ceilDiv(x, y) * min(x, max(y, 4))}) {
    EXPECT_EQ(parseExpression(expression.toString(), lookUp).toString(), expression.toString());
  }
}

TEST(ExpressionParser, NamesTheColumnOfWhatItDoesNotUnderstand) {
  const auto message = [](const std::string& text) { return messageOf([&] { valueOf(text); }); };
  EXPECT_EQ(message("a +"), "'a +', column 4: it ends too early");
  EXPECT_EQ(message("(a"), "'(a', column 3: expected ')'");
  EXPECT_EQ(message("a b"), "'a b', column 3: unexpected 'b'");
  EXPECT_EQ(message("a = b"), "'a = b', column 3: unexpected '='");
  EXPECT_EQ(message("a + c"), "'a + c', column 5: there is no parameter 'c'");
  EXPECT_EQ(message("pow(a, b)"), "'pow(a, b)', column 1: there is no function 'pow'");
  EXPECT_EQ(message("2a"), "'2a', column 2: a name cannot begin with a digit");
  EXPECT_EQ(message("99999999999999999999"), "'99999999999999999999', column 1: the number is too large");
  EXPECT_EQ(message(""), "'', column 1: it ends too early");
}

TEST(ExpressionParser, BoundsItsRecursion) {
  EXPECT_NE(messageOf([] { valueOf(std::string(100'000, '(')); }).find("it is too long"), std::string::npos);
  EXPECT_NE(messageOf([] { valueOf(std::string(3999, '(')); }).find("it is nested too deep"), std::string::npos);
  EXPECT_NE(messageOf([] { valueOf(std::string(100, '-') + "a"); }).find("it is nested too deep"), std::string::npos);
  EXPECT_EQ(valueOf(std::string(99, '-') + "a"), "-7");
  EXPECT_EQ(valueOf(std::string(99, '(') + "a" + std::string(99, ')')), "7");
  std::string chain = "a";
  for (int i = 0; i < 1999; ++i) chain += "+1";
  EXPECT_EQ(valueOf(chain), "2006");
}

// ---- Spaces

NamedSpace parsed(const std::string& json) { return parseSpace(Json::parse(json), 1); }

std::set<std::vector<std::int64_t>> configurationsOf(const SearchSpace& space) {
  std::set<std::vector<std::int64_t>> configurations;
  for (Rank rank = 0; rank < space.size(); ++rank) configurations.insert(space.configuration(rank));
  return configurations;
}

TEST(SpaceFile, DeclaresParametersAndConstraints) {
  const NamedSpace space = parsed(
      R"({"parameters": {"m": [4, 8, 16], "v": [1, 2, 8]}, "constraints": ["m % v == 0", "m * v < 33"],
          "default": {"m": 8, "v": 2}})");
  EXPECT_EQ(space.names, (std::vector<std::string>{"m", "v"}));
  EXPECT_EQ(configurationsOf(space.space),
            (std::set<std::vector<std::int64_t>>{{4, 1}, {4, 2}, {8, 1}, {8, 2}, {16, 1}, {16, 2}}));
  EXPECT_EQ(space.space.configuration(space.space.start()), (std::vector<std::int64_t>{8, 2}));
}

TEST(SpaceFile, WithoutADefaultItStartsNearTheMiddle) {
  const NamedSpace space =
      parsed(R"({"parameters": {"x": [0, 1, 2, 3, 4], "y": [0, 1, 2]}, "constraints": ["x != 2"]})");
  const std::vector<std::int64_t> start = space.space.configuration(space.space.start());
  EXPECT_TRUE(start == (std::vector<std::int64_t>{1, 1}) || start == (std::vector<std::int64_t>{3, 1}));
}

TEST(SpaceFile, ListedConfigurationsAreAllThereAre) {
  const NamedSpace space = parsed(R"({"parameters": {"x": [1, 2], "y": [5, 6]}, "configurations": [[2, 5], [1, 6]]})");
  EXPECT_EQ(configurationsOf(space.space), (std::set<std::vector<std::int64_t>>{{2, 5}, {1, 6}}));
}

TEST(SpaceFile, ATableIsReadUpToItsTimes) {
  const test::TemporaryFile folder;
  const std::string file = (folder.folder() / "space.csv").string();
  std::ofstream(file) << "x,y,time_ms,error\n2,30,0.5,\n1,10,,compile\n2,10,0.25,\n";
  const NamedSpace space = readSpaceFile(file, 1);
  EXPECT_EQ(space.names, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(configurationsOf(space.space), (std::set<std::vector<std::int64_t>>{{2, 30}, {1, 10}, {2, 10}}));
  std::ofstream(file) << "x,y,time_ms\n1,2\n1,two\n";
  EXPECT_EQ(messageOf([&] { readSpaceFile(file, 1); }), file + ":3: 'two' is no integer");
  std::ofstream(file) << "x,y,time_ms\n1\n";
  EXPECT_EQ(messageOf([&] { readSpaceFile(file, 1); }), file + ":2: there are too few cells");
  EXPECT_EQ(messageOf([&] { readSpaceFile("/nowhere.csv", 1); }), "/nowhere.csv: cannot be opened");
}

TEST(SpaceFile, SaysWhatIsWrong) {
  const auto message = [](const std::string& json) { return messageOf([&] { parsed(json); }); };
  EXPECT_EQ(message("[]"), "the space is no JSON object");
  EXPECT_EQ(message("{}"), "the space has no 'parameters'");
  EXPECT_EQ(message(R"({"parameters": {"x": [1.5]}})"), "the values of 'x': expected an integer of 64 bits");
  EXPECT_EQ(message(R"({"parameters": {"x": 1}})"), "the values of 'x': expected an array of integers");
  EXPECT_EQ(message(R"({"parameters": {"x": [1]}, "colour": 1})"), "unknown key 'colour'");
  EXPECT_EQ(message(R"({"parameters": {"x": [1]}, "default": {}})"), "'default': expected a value for each parameter");
  EXPECT_EQ(message(R"({"parameters": {"x": [1]}, "constraints": ["x > 1"]})"), "no configuration is valid");
  EXPECT_EQ(message(R"({"parameters": {"x": [1]}, "configurations": [[2]]})"),
            "the space: parameter 'x': the default 2 is not one of its values (1)");
  EXPECT_EQ(message(R"({"parameters": {"x": [1]}, "configurations": [[]]})"),
            "'configurations': one has too few values");
  EXPECT_EQ(message(R"({"parameters": {"x": [1]}, "default": {"x": 1}, "configurations": [[1, 1]]})"),
            "'configurations': one has 2 values instead of 1");
  EXPECT_EQ(message(R"({"parameters": {"x": [1]}, "default": {"x": 1}, "configurations": [[3]]})"),
            "'configurations': one has a value that its parameter does not have");
}

// ---- Asking and telling

class AskTellTest : public ::testing::Test {
 protected:
  Json answer(const std::string& line) { return Json::parse(search_.answer(line)); }
  std::string error(const std::string& line) { return answer(line).value("error", "no error"); }

  AskTell search_{"random", 1};
};

constexpr const char* kSpace =
    R"({"space": {"parameters": {"x": [1, 2, 3], "y": [10, 20]}, "constraints": ["x < 3"]}})";

TEST_F(AskTellTest, FindsTheBestOfASpace) {
  EXPECT_EQ(answer(kSpace), (Json{{"space", {{"configurations", 4}, {"parameters", {"x", "y"}}}}}));
  EXPECT_EQ(answer(R"({"best": null})"), (Json{{"best", nullptr}}));
  std::set<std::string> seen;
  for (int trial = 1; trial <= 4; ++trial) {
    const Json asked = answer(R"({"ask": 1})");
    ASSERT_EQ(asked["ask"].size(), 1u);
    EXPECT_EQ(asked["converged"], trial == 4);
    const Json configuration = asked["ask"][0];
    EXPECT_TRUE(seen.insert(configuration.dump()).second);
    Json told{{"tell", configuration}, {"cost", nullptr}};
    if (configuration["y"] == 10) told["cost"] = 5 * configuration["x"].get<double>();
    EXPECT_EQ(answer(told.dump()), (Json{{"tell", trial}}));
  }
  EXPECT_EQ(answer(R"({"ask": 1})"), (Json{{"ask", Json::array()}, {"converged", true}}));
  EXPECT_EQ(answer(R"({"best": null})"), (Json{{"best", {{"x", 1}, {"y", 10}}}, {"cost", 5.0}}));
}

TEST_F(AskTellTest, ShowsStrategiesCostsRelativeToTheFirst) {
  // Whatever the unit, the same search.
  const auto orderIn = [](double unit) {
    AskTell search("annealing", 3);
    search.answer(R"({"space": {"parameters": {"x": [0,1,2,3,4,5,6,7,8,9], "y": [0,1,2,3,4,5,6,7,8,9]}}})");
    std::string order;
    for (int trial = 0; trial < 60; ++trial) {
      const Json configuration = Json::parse(search.answer(R"({"ask": 1})"))["ask"][0];
      order += configuration.dump();
      const double x = configuration["x"].get<double>() - 3, y = configuration["y"].get<double>() - 6;
      search.answer(Json{{"tell", configuration}, {"cost", unit * (1 + x * x + y * y)}}.dump());
    }
    return order;
  };
  EXPECT_EQ(orderIn(1), orderIn(0x1p-30));
}

TEST_F(AskTellTest, ASecondSpaceBeginsANewSearch) {
  answer(kSpace);
  answer(R"({"tell": {"x": 1, "y": 10}, "cost": 1})");
  answer(R"({"space": {"parameters": {"x": [1]}}})");
  EXPECT_EQ(answer(R"({"best": null})"), (Json{{"best", nullptr}}));
  EXPECT_EQ(answer(R"({"ask": 3})")["ask"], (Json::array({{{"x", 1}}})));
}

TEST_F(AskTellTest, AnswersEverythingElseWithAnError) {
  EXPECT_EQ(error(R"({"ask": 1})"), "there is no space yet");
  answer(kSpace);
  EXPECT_EQ(error("hello"), "not a JSON object");
  EXPECT_EQ(error("\xff\xfe{"), "not a JSON object");
  EXPECT_EQ(error(""), "not a JSON object");
  EXPECT_EQ(error("{}"), "expected 'space', 'ask', 'tell' or 'best'");
  for (const char* count : {"0", "-1", "10001", "1.5", "null", "\"1\"", "18446744073709551615"})
    EXPECT_EQ(error("{\"ask\": " + std::string(count) + "}"), "'ask': expected a number from 1 to 10000");
  EXPECT_EQ(error(R"({"tell": {"x": 1}, "cost": 1})"), "expected a value for each parameter");
  EXPECT_EQ(error(R"({"tell": {"x": 1, "z": 10}, "cost": 1})"), "'y' is missing");
  EXPECT_EQ(error(R"({"tell": {"x": 1, "y": 11}, "cost": 1})"), "'y' has no value 11");
  EXPECT_EQ(error(R"({"tell": {"x": 3, "y": 10}, "cost": 1})"), "the configuration is not valid");
  EXPECT_EQ(error(R"({"tell": {"x": 1, "y": 10}})"), "'cost' is missing");
  for (const char* cost : {"0", "-1", "\"1\"", "1e999"})
    EXPECT_NE(error(R"({"tell": {"x": 1, "y": 10}, "cost": )" + std::string(cost) + "}"), "no error") << cost;
  answer(R"({"tell": {"x": 1, "y": 10}, "cost": 2})");
  EXPECT_EQ(error(R"({"tell": {"x": 1, "y": 10}, "cost": 1})"), "'tell': this configuration was told before");
  EXPECT_EQ(error(R"({"space": {"parameters": {"x": []}}})"), "the space: parameter 'x' has no values");
  EXPECT_EQ(answer(R"({"best": null})")["cost"], 2.0);  // the search goes on
}

}  // namespace
}  // namespace hone::detail
