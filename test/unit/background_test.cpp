#include "background.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>

namespace hone::detail {
namespace {

struct ScriptedTask final : BackgroundTask {
  bool step() override { return onStep(); }
  void addWaits(Waits& waits) override { onWaits(waits); }
  std::function<bool()> onStep = [] { return false; };
  std::function<void(Waits&)> onWaits = [](Waits&) {};
};

struct SocketPair {
  SocketPair() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0); }
  ~SocketPair() {
    close(ends[0]);
    close(ends[1]);
  }
  int ends[2] = {-1, -1};
};

/// A background whose thread waits for a socket.
struct WaitingBackground {
  WaitingBackground() {
    task.onWaits = [this](Waits& waits) {
      waits.descriptors.push_back({sockets.ends[0], POLLIN, 0});
      waits.isBusy = isBusy;
    };
    task.onStep = [this] {
      ++steps;
      char byte = 0;
      if (recv(sockets.ends[0], &byte, 1, MSG_DONTWAIT) != 1) return false;
      isBusy = false;
      received.set_value();
      return true;
    };
    background.add(task);
  }
  ~WaitingBackground() { background.remove(task); }

  SocketPair sockets;
  ScriptedTask task;
  std::atomic<int> steps{0};
  std::atomic<bool> isBusy{false};
  std::promise<void> received;
  Background background{Background::Driver::ownThread};
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

TEST(Background, DescriptorWakesTheThread) {
  WaitingBackground waiting;
  waiting.background.wake();
  waiting.background.waitUntilIdle();
  const int before = waiting.steps;
  ASSERT_EQ(write(waiting.sockets.ends[1], "x", 1), 1);
  waiting.received.get_future().wait();
  EXPECT_GT(waiting.steps, before);
}

TEST(Background, WakeReachesAThreadThatWaitsForDescriptors) {
  WaitingBackground waiting;
  for (int i = 0; i < 100; ++i) {
    waiting.background.wake();
    waiting.background.waitUntilIdle();
    const int before = waiting.steps;
    waiting.background.wake();
    waiting.background.waitUntilIdle();
    ASSERT_GT(waiting.steps, before);
  }
}

TEST(Background, ThreadThatWaitsForDescriptorsDoesNotStep) {
  WaitingBackground waiting;
  waiting.background.wake();
  waiting.background.waitUntilIdle();
  const int before = waiting.steps;
  poll(nullptr, 0, 50);
  EXPECT_EQ(waiting.steps, before);
}

TEST(Background, TimeWakesTheThread) {
  Background background(Background::Driver::ownThread);
  ScriptedTask task;
  std::promise<void> thirdStep;
  int steps = 0;
  task.onStep = [&] {
    if (++steps == 3) thirdStep.set_value();
    return false;
  };
  task.onWaits = [&](Waits& waits) {
    if (steps < 3) waits.addTime(std::chrono::microseconds(1));
  };
  background.add(task);
  background.wake();
  thirdStep.get_future().wait();
  background.remove(task);
}

TEST(Background, IsNotIdleWhileSomebodyIsAtWorkForATask) {
  WaitingBackground waiting;
  waiting.isBusy = true;
  waiting.background.wake();
  std::promise<void> isIdle;
  std::thread waiter([&] {
    waiting.background.waitUntilIdle();
    isIdle.set_value();
  });
  auto future = isIdle.get_future();
  EXPECT_EQ(future.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  ASSERT_EQ(write(waiting.sockets.ends[1], "x", 1), 1);
  waiter.join();
}

/// As a daemon does. It calls the kernel itself: that a thread uses a descriptor meanwhile is what the test is about,
/// and the thread sanitizer would report it as a race.
void closeAllButTheStandardDescriptors() {
  for (int number = 3; number < 256; ++number) syscall(SYS_close, number);
}

TEST(Background, ApplicationThatClosesItsDescriptorsWakesTheThread) {
  const pid_t child = fork();  // which closes the test's own as well
  if (child == 0) {
    WaitingBackground waiting;
    waiting.background.wake();
    waiting.background.waitUntilIdle();
    const int before = waiting.steps;
    closeAllButTheStandardDescriptors();
    waiting.background.wake();
    waiting.background.waitUntilIdle();
    _exit(waiting.steps > before ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(Background, DoesNothingInAForkedChild) {
  Background background(Background::Driver::ownThread);
  ScriptedTask task;
  std::atomic<int> steps{0};
  task.onStep = [&] {
    ++steps;
    return false;
  };
  background.add(task);
  background.wake();
  background.waitUntilIdle();
  const pid_t child = fork();
  if (child == 0) {
    const int before = steps;
    background.wake();
    background.step();
    background.waitUntilIdle();
    background.remove(task);
    background.~Background();  // the thread sleeps in the parent alone: neither joined nor woken
    _exit(steps == before ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  background.remove(task);
}

}  // namespace
}  // namespace hone::detail
