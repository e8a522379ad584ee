#include "hone/declarations.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "hone/search_space.h"
#include "space/declaration_data.h"
#include "support/misuse.h"

namespace hone {
namespace {

using test::messageOf;

std::string sealing(const Declarations& declarations) {
  return messageOf([&] { declarations.sharedData()->seal(); });
}

constexpr const char* kNothing = "nothing was thrown";

TEST(Declarations, RejectsParameterWithoutValues) {
  SpaceDeclarations blur("blur");
  EXPECT_EQ(messageOf([&] { blur.addParameter("WG", {}, 1); }), "blur: parameter 'WG' has no values");
}

TEST(Declarations, RejectsValueGivenTwice) {
  SpaceDeclarations blur("blur");
  EXPECT_EQ(messageOf([&] { blur.addParameter("WG", {8, 16, 8}, 8); }), "blur: parameter 'WG' has the value 8 twice");
}

TEST(Declarations, RejectsDefaultOutsideTheRange) {
  SpaceDeclarations blur("blur");
  EXPECT_EQ(messageOf([&] {
              blur.addParameter("WG", {8, 16}, 12);
            }),
            "blur: parameter 'WG': the default 12 is not one of its values (8, 16)");
}

TEST(Declarations, RejectsEmptyName) {
  SpaceDeclarations blur("blur");
  EXPECT_EQ(messageOf([&] { blur.addParameter("", {8}, 8); }), "blur: a parameter or problem size has an empty name");
  EXPECT_EQ(messageOf([&] { blur.problem(""); }), "blur: a parameter or problem size has an empty name");
}

TEST(Declarations, RejectsNameDeclaredTwice) {
  SpaceDeclarations blur("blur");
  blur.addParameter("WG", {8}, 8);
  EXPECT_EQ(messageOf([&] { blur.addParameter("WG", {16}, 16); }), "blur: the name 'WG' is declared twice");
  EXPECT_EQ(messageOf([&] { blur.problem("WG"); }), "blur: the name 'WG' is declared twice");
  EXPECT_EQ(messageOf([&] { blur.problem("M", "M"); }), "blur: the name 'M' is declared twice");
}

TEST(Declarations, RejectedDeclarationLeavesNothingBehind) {
  SpaceDeclarations blur("blur");
  EXPECT_THROW(blur.addParameter("WG", {8, 16}, 12), UsageError);
  EXPECT_THROW(blur.problem("M", "M"), UsageError);
  EXPECT_TRUE(blur.data().parameters.empty());
  EXPECT_TRUE(blur.data().problemNames.empty());
  blur.problem("M", "N");
  EXPECT_EQ(blur.addParameter("WG", {8, 16}, 16).index(), 0u);
}

TEST(Declarations, RejectsSecondProblem) {
  SpaceDeclarations gemm("gemm");
  gemm.problem("M", "N");
  EXPECT_EQ(messageOf([&] { gemm.problem("K"); }), "gemm: problem sizes were declared before, the first is 'M'");
}

TEST(Declarations, RejectsForeignParameter) {
  SpaceDeclarations blur("blur"), other("other");
  const Parameter WG = blur.addParameter("WG", {8}, 8);
  const Parameter TILE = other.addParameter("TILE", {8}, 8);
  EXPECT_EQ(messageOf([&] { blur.require(WG == TILE); }),
            "blur: constraint 'WG == TILE' uses 'TILE', which was declared elsewhere");
  EXPECT_EQ(messageOf([&] {
              blur.require("equal", {WG, TILE}, [](auto a, auto b) { return a == b; });
            }),
            "blur: constraint 'equal' uses 'TILE', which was declared elsewhere");
}

TEST(Declarations, RejectsDeclarationsAfterTheFirstMeasurement) {
  SpaceDeclarations blur("blur");
  const Parameter WG = blur.addParameter("WG", {8}, 8);
  blur.sharedData()->seal();
  EXPECT_EQ(messageOf([&] { blur.addParameter("TILE", {8}, 8); }),
            "blur: parameter 'TILE' was declared after the first measurement");
  EXPECT_EQ(messageOf([&] { blur.problem("M"); }), "blur: a problem size was declared after the first measurement");
  EXPECT_EQ(messageOf([&] { blur.require(WG > 4); }),
            "blur: constraint 'WG > 4' was declared after the first measurement");
  EXPECT_EQ(messageOf([&] { blur.restrictTo("WG", {8}); }),
            "blur: the restriction of 'WG' was declared after the first measurement");
}

TEST(Declarations, NeedsAParameter) {
  SpaceDeclarations blur("blur");
  EXPECT_EQ(sealing(blur), "blur: no parameter was declared");
}

TEST(Declarations, DefaultMustSatisfyConstraintsWithoutProblemSizes) {
  SpaceDeclarations blur("blur");
  const Parameter WG = blur.addParameter("WG", {8, 16}, 8);
  const Parameter TILE = blur.addParameter("TILE", {1, 2}, 2);
  blur.require("wide enough", WG * TILE > 16);
  EXPECT_EQ(sealing(blur), "blur: the default violates 'wide enough': WG=8, TILE=2");
}

TEST(Declarations, DefaultMustNotDivideByZero) {
  SpaceDeclarations blur("blur");
  const Parameter WG = blur.addParameter("WG", {0, 16}, 0);
  blur.require(64 % WG == 0);
  EXPECT_EQ(sealing(blur), "blur: the default violates '64 % WG == 0': WG=0");
}

TEST(Declarations, ConstraintsWithProblemSizesRestrictCandidatesOnly) {
  SpaceDeclarations blur("blur");
  const Parameter WG = blur.addParameter("WG", {8, 16}, 8);
  const auto [width] = blur.problem("width");
  blur.require(width % WG == 1);
  EXPECT_EQ(sealing(blur), kNothing);
}

TEST(Declarations, RestrictionKeepsTheDefaultButNotAsACandidate) {
  SpaceDeclarations blur("blur");
  blur.addParameter("WG", {8, 16, 32, 64}, 8);
  blur.restrictTo("WG", {32, 64});
  EXPECT_EQ(sealing(blur), kNothing);
  EXPECT_EQ(blur.data().defaultConfiguration(), (std::vector<std::int64_t>{8}));
  const SearchSpace space(blur);
  ASSERT_EQ(space.size(), 2u);
  EXPECT_EQ(space.configuration(0), (std::vector<std::int64_t>{32}));
  EXPECT_EQ(space.start(), 0u);
}

TEST(Declarations, RejectsRestrictionOfOrToTheUnknown) {
  SpaceDeclarations blur("blur");
  blur.addParameter("WG", {8, 16}, 8);
  EXPECT_EQ(messageOf([&] { blur.restrictTo("TILE", {8}); }), "blur: there is no parameter 'TILE'");
  EXPECT_EQ(messageOf([&] { blur.restrictTo("WG", {8, 12}); }), "blur: parameter 'WG' has no value 12; it has 8, 16");
  EXPECT_EQ(messageOf([&] { blur.restrictTo("WG", {}); }), "blur: the restriction of 'WG' has no values");
}

TEST(Declarations, MessagesListTwentyValuesAtMost) {
  SpaceDeclarations blur("blur");
  EXPECT_EQ(messageOf([&] { blur.addParameter("WG", range(1, 1'000'000), 0); }),
            "blur: parameter 'WG': the default 0 is not one of its values (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, "
            "14, 15, 16, 17, 18, 19, 20, ... (1000000 values))");
}

TEST(Declarations, RestrictionToHalfAMillionValuesIsNothingSpecial) {
  SpaceDeclarations blur("blur");
  blur.addParameter("WG", range(1, 1'000'000), 2);
  blur.restrictTo("WG", range(2, 1'000'000, 2).values());
  EXPECT_EQ(sealing(blur), kNothing);
  EXPECT_EQ(SearchSpace(blur).size(), 500'000u);
}

TEST(Declarations, NamesTheConstraintThatRemovedTheLastConfiguration) {
  SpaceDeclarations blur("blur");
  const Parameter WG = blur.addParameter("WG", {8, 16, 32}, 8);
  blur.require("small", WG <= 16);
  blur.restrictTo("WG", {32});
  blur.require("positive", WG > 0);
  EXPECT_EQ(sealing(blur),
            "blur: no configuration is left: 'WG restricted to 32' removed the last ones, "
            "such as WG=8");
}

TEST(Declarations, NamesTheCulpritForTheGivenProblem) {
  SpaceDeclarations blur("blur");
  const Parameter WG = blur.addParameter("WG", {8, 16}, 8);
  const auto [width, height] = blur.problem("width", "height");
  blur.require("divides width", width % WG == 0);
  blur.require("divides height", height % WG == 0);
  const auto culprit = [&](std::int64_t w, std::int64_t h) {
    const std::vector<std::int64_t> sizes{w, h};
    const auto emptied = blur.data().emptiedBy(sizes.data());
    return emptied ? toString(*emptied) : kNothing;
  };
  EXPECT_EQ(culprit(16, 16), kNothing);
  EXPECT_EQ(culprit(15, 16), "'divides width' removed the last ones, such as WG=8");
  EXPECT_EQ(culprit(16, 15), "'divides height' removed the last ones, such as WG=8");
  EXPECT_FALSE(blur.data().emptiedBy(nullptr));
}

TEST(Declarations, ProblemSizesComeInOrder) {
  SpaceDeclarations gemm("gemm");
  const auto [M, N, K] = gemm.problem("M", "N", "K");
  EXPECT_EQ((M + N * K).toString(), "M + N * K");
  EXPECT_EQ(gemm.data().problemNames, (std::vector<std::string>{"M", "N", "K"}));
}

TEST(Declarations, NamedLambdaConstraintRestrictsLikeItsTwin) {
  SpaceDeclarations withLambda("a"), withExpression("b");
  for (SpaceDeclarations* declarations : {&withLambda, &withExpression}) {
    const Parameter x = declarations->addParameter("x", range(0, 9), 6);
    const Parameter y = declarations->addParameter("y", range(0, 9), 3);
    if (declarations == &withLambda) {
      declarations->require("divides", {x, y}, [](auto a, auto b) { return b != 0 && a % b == 0; });
    } else {
      declarations->require(x % y == 0);
    }
  }
  const SearchSpace a(withLambda), b(withExpression);
  ASSERT_EQ(a.size(), b.size());
  for (Rank rank = 0; rank < a.size(); ++rank) EXPECT_EQ(a.point(rank), b.point(rank));
  EXPECT_EQ(withLambda.data().constraints[0].name, "divides");
  EXPECT_EQ(withExpression.data().constraints[0].name, "x % y == 0");
}

TEST(Declarations, UnderstandsExpressionsOverWhatIsDeclared) {
  SpaceDeclarations declarations("gemm");
  const Parameter tile = declarations.addParameter("TILE", {8, 16, 32}, 8);
  const auto [n] = declarations.problem("N");
  declarations.require(declarations.expression("N % TILE == 0"));
  EXPECT_EQ(SearchSpace(declarations, {48}).size(), 2u);
  EXPECT_EQ(declarations.expression("ceilDiv(N, TILE) * TILE").toString(), (ceilDiv(n, tile) * tile).toString());
}

}  // namespace
}  // namespace hone
