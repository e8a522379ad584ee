// What hone::Declarations collects, and what can be checked about it before anything is enumerated.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "hone/declarations.h"
#include "hone/report.h"

namespace hone::detail {

class SpaceFamily;

constexpr std::size_t kMaximumProblemSizes = 16;  // launches carry them on the stack

struct ParameterDeclaration {
  std::string name;
  std::vector<std::int64_t> values;
  std::size_t defaultPosition;
};

struct ConstraintDeclaration {
  std::string name;  // the user's own words
  Expression condition;
  bool readsProblem;   // then the default need not satisfy it
  bool isRestriction;  // of the values that candidates take, by restrictTo: neither the default nor a pin need
                       // satisfy it
};

/// Why no configuration is left.
struct Emptied {
  std::string constraint;      // the first, in order of declaration, with which none is
  NamedConfiguration example;  // what the ones before it had left
};

struct DeclarationData {
  std::string owner;
  std::vector<ParameterDeclaration> parameters;
  std::vector<std::string> problemNames;
  std::vector<ConstraintDeclaration> constraints;
  // Several threads may begin the first measurement.
  std::atomic<bool> isSealed{false};
  std::atomic<bool> isProblemFixed{false};
  std::mutex problemMutex;  // for fixing it

  /// Ends the declarations. Throws UsageError if there are no parameters, if the default violates a constraint that
  /// reads no problem size, or if constraints on candidates leave no configuration at all.
  void seal();

  /// Declares the problem sizes. Throws UsageError if a name is empty or taken, or if there are too many.
  void declareProblem(std::vector<std::string> names);
  /// Ends the declaration of problem sizes; where none were declared, with these. Does nothing the second time.
  /// Thread safety: internally synchronised; problemNames does not change once isProblemFixed.
  void fixProblem(std::vector<std::string> names);

  /// Throws UsageError, naming `what`, if the declarations have ended.
  void checkOpen(const std::string& what) const;
  /// Throws UsageError, naming `what`, if the expression reads a parameter or problem size of other declarations.
  void checkReads(const Expression& expression, const std::string& what) const;
  /// Throws UsageError if the name is empty or belongs to a parameter or problem size.
  void checkNameIsFree(const std::string& name) const;

  std::vector<std::int64_t> defaultConfiguration() const;
  NamedConfiguration named(const std::int64_t* configuration) const;

  /// The spaces of what is declared by now; built when first asked for, and again where more was declared since.
  /// Thread safety: internally synchronised.
  std::shared_ptr<const SpaceFamily> spaces() const;

  /// The first constraint that the configuration violates, restrictions of candidates aside; null if there is none.
  /// `problem` may be null; then constraints that read problem sizes are left out.
  const ConstraintDeclaration* firstViolated(const std::int64_t* configuration, const std::int64_t* problem) const;

  /// Empty if some configuration is left. `problem` may be null; then constraints that read problem sizes are left out.
  std::optional<Emptied> emptiedBy(const std::int64_t* problem) const;

 private:
  mutable std::mutex spacesMutex_;  // for what follows
  mutable std::shared_ptr<const SpaceFamily> spaces_;
  mutable std::size_t declaredThen_ = 0;  // parameters and constraints when spaces_ was built; they only get more
};

/// Throws UsageError if there are no parameters, or not as many problem sizes as declared.
void checkSpaceArguments(const DeclarationData& declarations, const std::vector<std::int64_t>& problem);

/// "MWG=64, NWG=32"
std::string toString(const NamedConfiguration& configuration);
/// "'x % y == 0' removed the last ones, such as x=3, y=2"
std::string toString(const Emptied& emptied);

}  // namespace hone::detail
