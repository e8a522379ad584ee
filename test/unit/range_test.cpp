#include "hone/range.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

#include "support/misuse.h"

namespace hone {
namespace {

using test::messageOf;

using Values = std::vector<std::int64_t>;
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

TEST(Range, KeepsTheGivenOrder) { EXPECT_EQ(Range({8, 2, 4}).values(), (Values{8, 2, 4})); }

TEST(Range, TakesAnyIntegerType) {
  EXPECT_EQ(Range({1u, 2u}).values(), (Values{1, 2}));
  EXPECT_EQ(Range({'a'}).values(), (Values{97}));
}

TEST(Range, RejectsAnIntegerAbove63Bits) {
  EXPECT_EQ(messageOf([] { Range{std::uint64_t{1} << 63}; }), "integer 9223372036854775808 does not fit into 63 bits");
}

TEST(Range, IncludesTheLastValueWhereTheStepReachesIt) {
  EXPECT_EQ(range(1, 7, 3).values(), (Values{1, 4, 7}));
  EXPECT_EQ(range(1, 9, 3).values(), (Values{1, 4, 7}));
  EXPECT_EQ(range(-2, 1).values(), (Values{-2, -1, 0, 1}));
  EXPECT_EQ(range(5, 5, 100).values(), (Values{5}));
}

TEST(Range, ReachesBothEndsOfTheIntegers) {
  EXPECT_EQ(range(kMax - 1, kMax).values(), (Values{kMax - 1, kMax}));
  EXPECT_EQ(range(kMin, kMax, kMax).values(), (Values{kMin, -1, kMax - 1}));
}

TEST(Range, NamesTheStepOrBoundThatIsWrong) {
  EXPECT_EQ(messageOf([] { range(1, 8, 0); }), "range: step 0 is not positive");
  EXPECT_EQ(messageOf([] { range(1, 8, -2); }), "range: step -2 is not positive");
  EXPECT_EQ(messageOf([] { range(8, 7); }), "range: last value 7 is below the first, 8");
}

TEST(Range, PowersOfTwoIncludeBothBounds) {
  EXPECT_EQ(powersOfTwo(1, 8).values(), (Values{1, 2, 4, 8}));
  EXPECT_EQ(powersOfTwo(16, 16).values(), (Values{16}));
  const std::int64_t largest = std::int64_t{1} << 62;
  EXPECT_EQ(powersOfTwo(largest / 2, largest).values(), (Values{largest / 2, largest}));
}

TEST(Range, NamesTheBoundThatIsNoPowerOfTwo) {
  EXPECT_EQ(messageOf([] { powersOfTwo(0, 8); }), "powersOfTwo: 0 is not a power of two");
  EXPECT_EQ(messageOf([] { powersOfTwo(1, 12); }), "powersOfTwo: 12 is not a power of two");
  EXPECT_EQ(messageOf([] { powersOfTwo(kMin, 1); }), "powersOfTwo: -9223372036854775808 is not a power of two");
  EXPECT_EQ(messageOf([] { powersOfTwo(8, 4); }), "powersOfTwo: last value 4 is below the first, 8");
}

TEST(Range, BooleansAreZeroAndOne) { EXPECT_EQ(booleans().values(), (Values{0, 1})); }

}  // namespace
}  // namespace hone
