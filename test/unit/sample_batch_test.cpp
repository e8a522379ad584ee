#include "session/sample_batch.h"

#include <gtest/gtest.h>

namespace hone::detail {
namespace {

TEST(SampleBatch, OneLaunchIsASampleWhereTheTimerResolvesIt) {
  SampleBatch batch;
  EXPECT_EQ(batch.add(5, 0), 5);
  EXPECT_EQ(batch.add(50, 1), 50);  // half a tick is 1 %
}

TEST(SampleBatch, ShortLaunchesAreOneSampleUntilTheTicksDoNotCount) {
  // Half a tick of 6 is 8.3 %; of the mean of n it is 8.3 % / sqrt(n), which is below 1 % from 70 on.
  SampleBatch batch;
  for (int i = 1; i < 70; ++i) EXPECT_EQ(batch.add(6, 1), std::nullopt) << i;
  EXPECT_EQ(batch.add(6, 1), 6);
  EXPECT_EQ(batch.add(6, 1), std::nullopt);  // the next sample
}

}  // namespace
}  // namespace hone::detail
