#include "background.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>

namespace hone::detail {
namespace {

struct ScriptedTask final : BackgroundTask {
  bool step() override { return onStep(); }
  std::function<bool()> onStep = [] { return false; };
};

TEST(Background, StepsRunOnTheCallersThreadAndTellWhetherThereWasWork) {
  Background background(Background::Driver::steps);
  ScriptedTask task;
  int left = 2;
  task.onStep = [&] { return left-- > 0; };
  background.add(task);
  background.wake();  // starts no thread
  EXPECT_TRUE(background.step());
  EXPECT_TRUE(background.step());
  EXPECT_FALSE(background.step());
}

TEST(Background, ThreadWorksUntilNothingIsLeftAndSleepsUntilWoken) {
  Background background(Background::Driver::ownThread);
  ScriptedTask task;
  std::promise<void> firstDone;
  std::promise<void> secondDone;
  std::atomic<int> steps{0};
  task.onStep = [&] {
    const int count = ++steps;
    if (count == 10) firstDone.set_value();
    if (count == 12) secondDone.set_value();
    return count < 10;
  };
  background.add(task);
  background.wake();
  firstDone.get_future().wait();
  while (steps < 12) background.wake();
  secondDone.get_future().wait();
  background.remove(task);
}

TEST(Background, RemoveWaitsForTheTasksOwnStepOnly) {
  Background background(Background::Driver::ownThread);
  ScriptedTask slow;
  ScriptedTask other;
  std::promise<void> hasBegun;
  std::promise<void> mayEnd;
  bool isOver = false;
  slow.onStep = [&] {
    if (!isOver) {
      hasBegun.set_value();
      mayEnd.get_future().wait();
      isOver = true;
    }
    return false;
  };
  background.add(slow);
  background.add(other);
  background.wake();
  hasBegun.get_future().wait();
  background.remove(other);  // returns although `slow` is in the middle of its step
  EXPECT_FALSE(isOver);
  mayEnd.set_value();
  background.remove(slow);
  EXPECT_TRUE(isOver);
}

}  // namespace
}  // namespace hone::detail
