#include "problem_order.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "hone/declarations.h"
#include "support/misuse.h"

namespace hone::detail {
namespace {

using test::messageOf;

struct Blur {
  Blur() : declarations("blur") { declarations.addParameter("WG", {8, 16}, 8); }

  std::vector<std::int64_t> launch(const ProblemSizes& problem) {
    const OrderedSizes sizes = orderedSizesOfLaunch(*declarations.sharedData(), problem);
    return {sizes.values.begin(), sizes.values.begin() + static_cast<std::ptrdiff_t>(sizes.count)};
  }
  std::string misuse(const ProblemSizes& problem) {
    return messageOf([&] { launch(problem); });
  }
  SpaceDeclarations declarations;
};

std::vector<NamedSize> sizes(std::size_t count) {
  static const std::string letters = "abcdefghijklmnopq";
  std::vector<NamedSize> list;
  for (std::size_t i = 0; i < count; ++i) list.emplace_back(std::string_view(letters).substr(i, 1), i);
  return list;
}

TEST(ProblemOrder, DeclaredSizesComeInOrderOfDeclaration) {
  Blur blur;
  blur.declarations.problem("width", "height", "depth");
  EXPECT_EQ(blur.launch({{"width", 1}, {"height", 2}, {"depth", 3}}), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(blur.launch({{"depth", 3}, {"width", 1}, {"height", 2}}), (std::vector<std::int64_t>{1, 2, 3}));
}

TEST(ProblemOrder, FirstLaunchDeclaresWhereNothingWasDeclared) {
  Blur blur;
  EXPECT_EQ(blur.launch({{"width", 1}, {"height", 2}}), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(blur.launch({{"height", 4}, {"width", 3}}), (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(blur.declarations.data().problemNames, (std::vector<std::string>{"width", "height"}));
  EXPECT_EQ(blur.misuse({{"width", 1}, {"depth", 2}}),
            "blur: problem size 'depth' was not declared, nor given by the first measurement");
}

TEST(ProblemOrder, FirstLaunchWithoutSizesDeclaresThatThereAreNone) {
  Blur blur;
  EXPECT_TRUE(blur.launch({}).empty());
  EXPECT_EQ(blur.misuse({{"width", 1}}),
            "blur: problem size 'width' was not declared, nor given by the first measurement");
}

TEST(ProblemOrder, FirstLaunchDoesNotChangeWhatWasDeclared) {
  Blur blur;
  blur.declarations.problem("width");
  EXPECT_EQ(blur.misuse({{"height", 1}}),
            "blur: problem size 'height' was not declared, nor given by the first measurement");
  EXPECT_EQ(blur.misuse({}), "blur: 0 problem sizes were given, 1 are declared");
  EXPECT_EQ(blur.misuse({{"width", 1}, {"width", 1}}), "blur: problem size 'width' is given twice");
  EXPECT_EQ(blur.launch({{"width", 1}}), std::vector<std::int64_t>{1});
}

TEST(ProblemOrder, RejectedFirstLaunchDeclaresNothing) {
  Blur blur;
  EXPECT_EQ(blur.misuse({{"WG", 1}}), "blur: the name 'WG' is declared twice");
  EXPECT_EQ(blur.misuse({{"", 1}}), "blur: a parameter or problem size has an empty name");
  EXPECT_EQ(blur.misuse({{"n", 1}, {"n", 2}}), "blur: the name 'n' is declared twice");
  EXPECT_EQ(blur.misuse(sizes(kMaximumProblemSizes + 1)), "blur: 17 problem sizes; at most 16 are possible");
  EXPECT_EQ(messageOf([&] { orderedSizes(blur.declarations.data(), {}); }),
            "blur: a report was asked for before the first measurement");
  EXPECT_EQ(blur.launch(sizes(kMaximumProblemSizes)).size(), kMaximumProblemSizes);
}

TEST(ProblemOrder, QuestionsAreAnsweredFromTheFirstLaunchOn) {
  Blur blur;
  blur.declarations.problem("width", "height");
  blur.launch({{"width", 1}, {"height", 2}});
  const OrderedSizes asked = orderedSizes(blur.declarations.data(), {{"height", 2}, {"width", 1}});
  EXPECT_EQ(asked.count, 2u);
  EXPECT_EQ(asked.values[0], 1);
  EXPECT_EQ(asked.values[1], 2);
}

TEST(ProblemOrder, ThreadsThatLaunchFirstAgreeOnTheOrder) {
  Blur blur;
  std::vector<std::vector<std::int64_t>> seen(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    threads.emplace_back([&, i] {
      seen[i] = i % 2 == 0 ? blur.launch({{"width", 1}, {"height", 2}}) : blur.launch({{"height", 2}, {"width", 1}});
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& sizes : seen) EXPECT_EQ(sizes, seen[0]);
}

}  // namespace
}  // namespace hone::detail
