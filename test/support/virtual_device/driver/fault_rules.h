// The script of what goes wrong: rules, and how often each was asked.
#pragma once

#include <CL/cl.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/virtual_device/faults.h"

namespace hone::test::driver {

template <class Effect>
class Rules {
 public:
  void add(Effect effect, Condition when) { rules_.push_back({std::move(effect), std::move(when), 0}); }
  void clear() { rules_.clear(); }
  bool isEmpty() const { return rules_.empty(); }

  /// The effect of the first rule whose condition holds. Every rule that `concerns` is true of is asked, so that their
  /// counts do not depend on each other.
  template <class Concerns>
  std::optional<Effect> ask(const Macros& macros, const Concerns& concerns) {
    std::optional<Effect> effect;
    for (Rule& rule : rules_) {
      if (!concerns(rule.effect)) continue;
      if (rule.when(macros, ++rule.asked) && !effect) effect = rule.effect;
    }
    return effect;
  }
  std::optional<Effect> ask(const Macros& macros) {
    return ask(macros, [](const Effect&) { return true; });
  }

 private:
  struct Rule {
    Effect effect;
    Condition when;
    std::uint64_t asked;
  };
  std::vector<Rule> rules_;
};

struct CallFault {
  std::string name;
  cl_int code;
};

enum class BuildFaultKind {
  fail,
  hang,
  crash
};
struct BuildFault {
  BuildFaultKind kind;
  int signal;
};

struct FaultRules {
  Rules<CallFault> calls;
  Rules<cl_int> enqueues;
  Rules<cl_int> events;
  Rules<Timestamps> timestamps;
  Rules<WrongResult> results;
  Rules<BuildFault> builds;
  Rules<bool> binaries;
  std::uint64_t buildReleases = 0;
  int hangingBuilds = 0;
};

}  // namespace hone::test::driver
