#include "compile/worker_count.h"

#include <gtest/gtest.h>

namespace hone::detail {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

TEST(WorkerCount, IsAQuarterOfTheCores) {
  EXPECT_EQ(workersFor(16, 139 * kGiB), 4u);
  EXPECT_EQ(workersFor(15, 139 * kGiB), 3u);
}

TEST(WorkerCount, IsAtLeastOneAndAtMostEight) {
  EXPECT_EQ(workersFor(1, 139 * kGiB), 1u);
  EXPECT_EQ(workersFor(0, 0), 1u);
  EXPECT_EQ(workersFor(35, 139 * kGiB), 8u);
  EXPECT_EQ(workersFor(1024, 139 * kGiB), 8u);
}

TEST(WorkerCount, LeavesTheDeviceMostOfItsMemory) {
  EXPECT_EQ(workersFor(64, 24 * kGiB), 2u);  // 1229 MiB are 5 %
  EXPECT_EQ(workersFor(64, 16 * kGiB), 1u);
  EXPECT_EQ(workersFor(64, 48 * kGiB), 4u);
}

TEST(WorkerCount, KnowsTheMachine) {
  EXPECT_GE(machineCores(), 1u);
  EXPECT_GE(ownCores(), 1u);
  EXPECT_LE(ownCores(), machineCores());
}

}  // namespace
}  // namespace hone::detail
