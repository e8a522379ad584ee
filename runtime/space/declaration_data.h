// What hone::Declarations collects, and what can be checked about it before anything is enumerated.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hone/declarations.h"
#include "hone/report.h"

namespace hone::detail {

constexpr std::size_t kMaximumProblemSizes = 16;  // launches carry them on the stack

struct ParameterDeclaration {
  std::string name;
  std::vector<std::int64_t> values;
  std::size_t defaultPosition;
};

struct ConstraintDeclaration {
  std::string name;  // the user's own words
  Expression condition;
  bool isForCandidatesOnly;  // the default need not satisfy it
};

struct DeclarationData {
  std::string owner;
  std::vector<ParameterDeclaration> parameters;
  std::vector<std::string> problemNames;
  std::vector<ConstraintDeclaration> constraints;
  std::atomic<bool> isSealed{false};  // atomic: several threads may begin the first measurement

  /// Ends the declarations. Throws UsageError if there are no parameters, if the default violates a constraint that
  /// reads no problem size, or if constraints on candidates leave no configuration at all.
  void seal();

  /// Throws UsageError, naming `what`, if the declarations have ended.
  void checkOpen(const std::string& what) const;
  /// Throws UsageError, naming `what`, if the expression reads a parameter or problem size of other declarations.
  void checkReads(const Expression& expression, const std::string& what) const;
  /// Throws UsageError if the name is empty or belongs to a parameter or problem size.
  void checkNameIsFree(const std::string& name) const;

  std::vector<std::int64_t> defaultConfiguration() const;
  NamedConfiguration named(const std::int64_t* configuration) const;

  /// Whether some constraint's outcome depends on the problem: then each problem has a space of its own.
  bool isSpaceProblemDependent() const;

  /// The first constraint, in order of declaration, with which no configuration is left; empty if some is.
  /// `problem` may be null; then constraints that read problem sizes are left out.
  std::optional<std::string> emptiedBy(const std::int64_t* problem) const;
};

/// "MWG=64, NWG=32"
std::string toString(const NamedConfiguration& configuration);

}  // namespace hone::detail
