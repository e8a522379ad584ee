#include "session/sample_batch.h"

#include <gtest/gtest.h>

namespace hone::detail {
namespace {

TEST(SampleBatch, OneLaunchIsASampleWhereTheTimerResolvesIt) {
  SampleBatch batch;
  EXPECT_EQ(batch.add(5, 0), 5);
  EXPECT_EQ(batch.add(100, 1), 100);  // 1 %
}

TEST(SampleBatch, ShortLaunchesAddUpToAHundredTicks) {
  SampleBatch batch;
  for (int i = 0; i < 16; ++i) EXPECT_EQ(batch.add(i % 2 == 0 ? 5 : 7, 1), std::nullopt);  // 96 ticks
  EXPECT_EQ(batch.add(6, 1), 6);
  EXPECT_EQ(batch.add(6, 1), std::nullopt);  // the next sample
}

}  // namespace
}  // namespace hone::detail
