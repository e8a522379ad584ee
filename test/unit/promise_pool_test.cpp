#include "search/promise_pool.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/searches.h"

namespace hone::detail {
namespace {

/// A line from 0 to 100, whose ends were judged.
class PromisePoolOnALine : public ::testing::Test {
 protected:
  PromisePoolOnALine() {
    evidence_.add({0, 1.0});
    evidence_.add({100, 1.2});
  }

  const SearchSpace space_ = test::grid({101});
  const Features features_{space_};
  const Model model_{features_.always(), {{{101, std::log(0.2)}}, 1e-6}};
  Evidence evidence_;
  GaussianProcess process_{model_.parameters, {{{0}, 1.0}, {{100}, 1.2}}};
  PromisePool pool_{space_, evidence_, features_, model_, process_, 0.0};  // far below: only variance gets there
};

TEST_F(PromisePoolOnALine, AddsWhatIsNew) {
  EXPECT_FALSE(pool_.best());
  EXPECT_TRUE(pool_.add(50));
  EXPECT_FALSE(pool_.add(50));
  EXPECT_FALSE(pool_.add(100));  // judged
  EXPECT_EQ(pool_.best(), Rank{50});
}

TEST_F(PromisePoolOnALine, BestIsFarFromWhatIsKnown) {
  for (Rank rank : {5, 45, 95, 10}) pool_.add(rank);
  EXPECT_EQ(pool_.best(), Rank{45});
}

TEST_F(PromisePoolOnALine, WhatWasTakenIsBelieved) {
  for (Rank rank : {25, 45, 46, 80}) pool_.add(rank);
  pool_.takeBest();
  const Rank second = pool_.best().value();
  EXPECT_TRUE(second == 25 || second == 80) << second;  // of 45 and 46, one is known now and the other nearly
  EXPECT_FALSE(pool_.add(45));
  for (int i = 0; i < 3; ++i) pool_.takeBest();
  EXPECT_FALSE(pool_.best());
}

}  // namespace
}  // namespace hone::detail
