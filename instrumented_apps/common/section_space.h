// The search space of a section whose configurations are a struct of the program's own.
//
//   struct Configuration { std::int64_t block = 256, items = 4; };   // as it stands, the default
//
//   class Space : public SectionSpace<Configuration> {
//    public:
//     explicit Space(opencl::TunedProgram& program, bool isWide) : SectionSpace(program) {
//       const Expression block = add("BLOCK", powersOfTwo(32, 1024), &Configuration::block);
//       const Expression items = addIf(isWide, "ITEMS", powersOfTwo(1, 16), &Configuration::items);
//       ... constraints, macros, work-groups
//     }
//   };
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "hone/opencl.hpp"

namespace hone::apps {

/// Handles of the parameters, and which member each is the value of.
/// Thread safety: immutable once declared.
template <class Configuration>
class SectionSpace {
 public:
  /// What the open measurement runs.
  Configuration configuration(const opencl::TunedProgram& program) const {
    Configuration configuration = fixed_;
    for (const auto& [parameter, member] : parameters_) configuration.*member = program[parameter];
    return configuration;
  }

 protected:
  using Member = std::int64_t Configuration::*;

  /// The program must outlive it.
  explicit SectionSpace(opencl::TunedProgram& program) : program_(program) {}

  /// The default, and the values of what is no parameter. Before add(), it can be changed.
  Configuration& fixed() { return fixed_; }

  /// A parameter with the member's value as its default. Further members have its value, too.
  template <class... Members>
  Expression add(const char* name, const Range& range, Member member, Members... others) {
    const Parameter parameter = program_.addParameter(name, range, fixed_.*member);
    for (const Member each : {member, Member(others)...}) parameters_.emplace_back(parameter, each);
    return parameter;
  }
  /// A parameter, or else the member's value.
  Expression addIf(bool isParameter, const char* name, const Range& range, Member member) {
    return isParameter ? add(name, range, member) : Expression(fixed_.*member);
  }
  /// Likewise where the source needs the value in any case: else it is a macro of that name.
  Expression addOrDefine(bool isParameter, const char* name, const Range& range, Member member) {
    if (!isParameter) program_.define(name, fixed_.*member);
    return addIf(isParameter, name, range, member);
  }

 private:
  opencl::TunedProgram& program_;
  Configuration fixed_;
  std::vector<std::pair<Parameter, Member>> parameters_;
};

}  // namespace hone::apps
