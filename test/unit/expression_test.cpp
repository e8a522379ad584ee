#include "hone/expression.h"

#include <gtest/gtest.h>

#include <limits>

#include "hone/declarations.h"
#include "space/declaration_data.h"
#include "space/expression_node.h"

namespace hone {
namespace {

using detail::Evaluation;
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

/// Three parameters a, b, c whose values a test gives, and one problem size n.
class ExpressionTest : public ::testing::Test {
 protected:
  Evaluation evaluated(const Expression& expression, std::vector<std::int64_t> values = {0, 0, 0},
                       std::int64_t size = 0) {
    return detail::evaluate(expression.node(), values.data(), &size);
  }
  std::int64_t valueOf(const Expression& expression, std::vector<std::int64_t> values = {0, 0, 0},
                       std::int64_t size = 0) {
    const Evaluation result = evaluated(expression, std::move(values), size);
    EXPECT_EQ(result.fault, Evaluation::Fault::none) << expression.toString();
    return result.value;
  }
  Evaluation::Fault faultOf(const Expression& expression, std::vector<std::int64_t> values = {0, 0, 0}) {
    return evaluated(expression, std::move(values)).fault;
  }

  SpaceDeclarations declarations{"test"};
  Parameter a = declarations.addParameter("a", {0}, 0);
  Parameter b = declarations.addParameter("b", {0}, 0);
  Parameter c = declarations.addParameter("c", {0}, 0);
  Expression n = declarations.problem("n")[0];
};

// ---- Printing

TEST_F(ExpressionTest, PrintsNoParenthesesWherePrecedenceDecides) {
  EXPECT_EQ((a + b * c).toString(), "a + b * c");
  EXPECT_EQ((a * b % c == 0).toString(), "a * b % c == 0");
  EXPECT_EQ(((a + b <= n && c != 1) || !a).toString(), "a + b <= n && c != 1 || !a");
  EXPECT_EQ(((a < b) == (b < c)).toString(), "a < b == b < c");
}

TEST_F(ExpressionTest, PrintsParenthesesWherePrecedenceWouldRegroup) {
  EXPECT_EQ(((a + b) * c).toString(), "(a + b) * c");
  EXPECT_EQ((a % (b * c) == 0).toString(), "a % (b * c) == 0");
  EXPECT_EQ((a && (b || c)).toString(), "a && (b || c)");
  EXPECT_EQ((!(a == b)).toString(), "!(a == b)");
  EXPECT_EQ((-(a + b)).toString(), "-(a + b)");
  EXPECT_EQ(((a == b) < c).toString(), "(a == b) < c");
}

TEST_F(ExpressionTest, PrintsLeftAssociativeOperatorsAsTheyGroup) {
  EXPECT_EQ((a - b - c).toString(), "a - b - c");
  EXPECT_EQ((a - (b - c)).toString(), "a - (b - c)");
  EXPECT_EQ((a / (b / c)).toString(), "a / (b / c)");
  EXPECT_EQ((a - (b + c)).toString(), "a - (b + c)");
}

TEST_F(ExpressionTest, PrintsFunctionsWithTheirArguments) {
  EXPECT_EQ((ceilDiv(n + 1, a) * b).toString(), "ceilDiv(n + 1, a) * b");
  EXPECT_EQ(select(a == 2, b + 1, c).toString(), "select(a == 2, b + 1, c)");
  EXPECT_EQ(min(a, max(b, 3)).toString(), "min(a, max(b, 3))");
  EXPECT_EQ(implies(a == 1, b != 0).toString(), "!(a == 1) || b != 0");
}

TEST_F(ExpressionTest, PrintsNoTwoSignsInARow) {
  EXPECT_EQ((-(-a)).toString(), "-(-a)");
  EXPECT_EQ((-Expression(-3)).toString(), "-(-3)");
  EXPECT_EQ((a - -3).toString(), "a - -3");
  EXPECT_EQ((!!a).toString(), "!(!a)");
}

// ---- Values

TEST_F(ExpressionTest, RoundsQuotientsTowardsZero) {
  EXPECT_EQ(valueOf(a / b, {7, 2, 0}), 3);
  EXPECT_EQ(valueOf(a / b, {-7, 2, 0}), -3);
  EXPECT_EQ(valueOf(a % b, {-7, 2, 0}), -1);
  EXPECT_EQ(valueOf(a % b, {7, -2, 0}), 1);
}

TEST_F(ExpressionTest, CeilDivRoundsUpForEverySign) {
  EXPECT_EQ(valueOf(ceilDiv(a, b), {7, 2, 0}), 4);
  EXPECT_EQ(valueOf(ceilDiv(a, b), {8, 2, 0}), 4);
  EXPECT_EQ(valueOf(ceilDiv(a, b), {0, 2, 0}), 0);
  EXPECT_EQ(valueOf(ceilDiv(a, b), {-7, 2, 0}), -3);
  EXPECT_EQ(valueOf(ceilDiv(a, b), {7, -2, 0}), -3);
  EXPECT_EQ(valueOf(ceilDiv(a, b), {-7, -2, 0}), 4);
  EXPECT_EQ(valueOf(ceilDiv(a, b), {-7, -1, 0}), 7);
  EXPECT_EQ(valueOf(ceilDiv(a, b), {kMax, 1, 0}), kMax);
  EXPECT_EQ(valueOf(ceilDiv(a, b), {kMin, 1, 0}), kMin);
}

TEST_F(ExpressionTest, ComparisonsAndLogicYieldZeroOrOne) {
  EXPECT_EQ(valueOf(a < b, {1, 2, 0}), 1);
  EXPECT_EQ(valueOf(a >= b, {1, 2, 0}), 0);
  EXPECT_EQ(valueOf(a <= b, {2, 2, 0}), 1);
  EXPECT_EQ(valueOf(a > b, {2, 2, 0}), 0);
  EXPECT_EQ(valueOf(a != b, {2, 2, 0}), 0);
  EXPECT_EQ(valueOf(a && b, {5, 7, 0}), 1);
  EXPECT_EQ(valueOf(a || b, {0, 7, 0}), 1);
  EXPECT_EQ(valueOf(a || b, {5, 0, 0}), 1);
  EXPECT_EQ(valueOf(!a, {5, 0, 0}), 0);
}

TEST_F(ExpressionTest, SelectAndImpliesFollowTheCondition) {
  EXPECT_EQ(valueOf(select(a, b, c), {1, 10, 20}), 10);
  EXPECT_EQ(valueOf(select(a, b, c), {0, 10, 20}), 20);
  EXPECT_EQ(valueOf(implies(a, b), {0, 0, 0}), 1);
  EXPECT_EQ(valueOf(implies(a, b), {1, 0, 0}), 0);
  EXPECT_EQ(valueOf(implies(a, b), {1, 1, 0}), 1);
}

TEST_F(ExpressionTest, ReadsParametersAndProblemSizes) {
  EXPECT_EQ(valueOf(100 * a + 10 * b + c + n, {1, 2, 3}, 4000), 4123);
  EXPECT_EQ(valueOf(min(a, b) - max(a, b), {3, 8, 0}), -5);
}

// ---- No value

TEST_F(ExpressionTest, DivisionByZeroHasNoValue) {
  EXPECT_EQ(faultOf(a / b), Evaluation::Fault::divisionByZero);
  EXPECT_EQ(faultOf(a % b), Evaluation::Fault::divisionByZero);
  EXPECT_EQ(faultOf(ceilDiv(a, b)), Evaluation::Fault::divisionByZero);
  EXPECT_FALSE(evaluated(a / b == a / b).isTrue());
  EXPECT_FALSE(evaluated(!(a / b)).isTrue());
}

TEST_F(ExpressionTest, OverflowHasNoValue) {
  EXPECT_EQ(faultOf(a + 1, {kMax, 0, 0}), Evaluation::Fault::overflow);
  EXPECT_EQ(faultOf(a - 1, {kMin, 0, 0}), Evaluation::Fault::overflow);
  EXPECT_EQ(faultOf(a * b, {kMax / 2 + 1, 2, 0}), Evaluation::Fault::overflow);
  EXPECT_EQ(faultOf(-a, {kMin, 0, 0}), Evaluation::Fault::overflow);
  EXPECT_EQ(faultOf(a / b, {kMin, -1, 0}), Evaluation::Fault::overflow);
  EXPECT_EQ(faultOf(ceilDiv(a, b), {kMin, -1, 0}), Evaluation::Fault::overflow);
  EXPECT_FALSE(evaluated(a + 1 > 0, {kMax, 0, 0}).isTrue());
}

TEST_F(ExpressionTest, RemainderByMinusOneIsZeroEvenOfTheLeastInteger) {
  EXPECT_EQ(valueOf(a % b, {kMin, -1, 0}), 0);
  EXPECT_EQ(valueOf(a % b, {5, -1, 0}), 0);
}

TEST_F(ExpressionTest, ShortCircuitSkipsWhatHasNoValue) {
  const Expression undefined = b % a == 0;
  EXPECT_EQ(valueOf(a != 0 && undefined), 0);
  EXPECT_EQ(valueOf(a == 0 || undefined), 1);
  EXPECT_EQ(valueOf(implies(a != 0, undefined)), 1);
  EXPECT_EQ(valueOf(select(a == 0, 7, b / a)), 7);
  EXPECT_EQ(faultOf(undefined && a), Evaluation::Fault::divisionByZero);
  EXPECT_EQ(faultOf(a || undefined), Evaluation::Fault::divisionByZero);
  EXPECT_EQ(faultOf(select(undefined, 1, 2)), Evaluation::Fault::divisionByZero);
}

// ---- Lambdas

TEST_F(ExpressionTest, LambdaAgreesWithItsExpressionTwin) {
  const Expression twin = a % (b * c) == 0 && a >= n;
  const Expression lambda = hone::lambda(
      "fits", {a, b, c, n}, [](auto x, auto y, auto z, auto size) { return x % (y * z) == 0 && x >= size; });
  for (std::int64_t x = 0; x < 20; ++x) {
    for (std::int64_t y = 1; y < 4; ++y) {
      for (std::int64_t z = 1; z < 4; ++z) EXPECT_EQ(valueOf(lambda, {x, y, z}, 9), valueOf(twin, {x, y, z}, 9));
    }
  }
}

TEST_F(ExpressionTest, LambdaPrintsAsItsNameAndGetsItsReadsInOrder) {
  const Expression lambda =
      hone::lambda("digits", {c, a, b * 2}, [](auto x, auto y, auto z) { return 100 * x + 10 * y + z; });
  EXPECT_EQ((lambda + 1).toString(), "digits + 1");
  EXPECT_EQ(valueOf(lambda, {1, 2, 3}), 314);
}

TEST_F(ExpressionTest, LambdaIsNotCalledWithoutItsArguments) {
  int calls = 0;
  const Expression lambda = hone::lambda("counted", {a / b}, [&calls](auto) { return ++calls; });
  EXPECT_EQ(faultOf(lambda), Evaluation::Fault::divisionByZero);
  EXPECT_EQ(calls, 0);
}

TEST_F(ExpressionTest, KnowsWhatItReads) {
  const Expression expression = select(a == 1, hone::lambda("f", {n}, [](auto x) { return x; }), 3);
  std::string names;
  detail::forEachRead(expression.node(), [&](const detail::ExpressionNode& read) { names += read.name; });
  EXPECT_EQ(names, "an");
  EXPECT_TRUE(detail::readsProblem(expression.node()));
  EXPECT_FALSE(detail::readsProblem((a + b).node()));
}

}  // namespace
}  // namespace hone
