// Events whose times a test sets; they count who holds them.
#pragma once

#include <gtest/gtest.h>

#include "hone/measurement.h"

namespace hone::test {

struct ScriptedEvent {
  TimeReading reading;
  int references = 1;  // the test's own

  void completeAfter(double ns) {
    reading.state = TimeReading::State::known;
    reading.ns = ns;
  }
  void breakTime() {
    reading.state = TimeReading::State::broken;
    reading.reason = "scripted";
  }
  void fail() {
    reading.state = TimeReading::State::failed;
    reading.reason = "scripted";
  }
};

class ScriptedTimes final : public EventTimes {
 public:
  void check(void* first, void* last) const override {
    if (!first || !last) throw UsageError("null event");
  }
  void retain(void* event) const override { ++static_cast<ScriptedEvent*>(event)->references; }
  void release(void* event) const override {
    EXPECT_GT(static_cast<ScriptedEvent*>(event)->references, 1) << "released more often than retained";
    --static_cast<ScriptedEvent*>(event)->references;
  }
  TimeReading read(void* first, void* last) const override {
    ++reads;
    EXPECT_EQ(first, last);
    return static_cast<ScriptedEvent*>(first)->reading;
  }
  Elapsed of(ScriptedEvent& event) const { return {this, &event, &event}; }

  mutable int reads = 0;
};

}  // namespace hone::test
