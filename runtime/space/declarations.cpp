#include "hone/declarations.h"

#include <algorithm>

#include "space/declaration_data.h"
#include "space/diagram_builder.h"
#include "space/expression_node.h"
#include "space/expression_parser.h"
#include "space/space_family.h"

namespace hone {

using detail::DeclarationData;
using detail::ExpressionNode;
using detail::Operation;

namespace {

detail::NodePointer makeReference(Operation operation, const std::string& name, std::size_t index, const void* owner) {
  ExpressionNode node{};
  node.operation = operation;
  node.name = name;
  node.index = index;
  node.owner = owner;
  return std::make_shared<const ExpressionNode>(std::move(node));
}

// Values that a message lists, before it stops and says how many there are.
constexpr std::size_t kValuesListed = 20;

std::string joined(const std::vector<std::int64_t>& values) {
  std::string text;
  for (std::size_t i = 0; i < std::min(values.size(), kValuesListed); ++i)
    text += (text.empty() ? "" : ", ") + std::to_string(values[i]);
  if (values.size() > kValuesListed) text += ", ... (" + std::to_string(values.size()) + " values)";
  return text;
}

/// Whether the parameter has one of these values, which are sorted.
Expression isAmong(const Expression& parameter, std::vector<std::int64_t> values) {
  return detail::makeLambda("is among", {parameter}, [values = std::move(values)](const std::int64_t* value) {
    return std::int64_t{std::binary_search(values.begin(), values.end(), *value)};
  });
}

}  // namespace

Declarations::Declarations(std::string owner) : data_(std::make_shared<DeclarationData>()) {
  data_->owner = std::move(owner);
}

Parameter Declarations::addParameter(const std::string& name, Range range, std::int64_t defaultValue) {
  const std::string what = "parameter '" + name + "'";
  data_->checkOpen(what);
  data_->checkNameIsFree(name);
  std::vector<std::int64_t> values = range.values();
  if (values.empty()) throw UsageError(data_->owner + ": " + what + " has no values");

  std::vector<std::int64_t> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const auto duplicate = std::adjacent_find(sorted.begin(), sorted.end());
  if (duplicate != sorted.end())
    throw UsageError(data_->owner + ": " + what + " has the value " + std::to_string(*duplicate) + " twice");

  const auto position = std::find(values.begin(), values.end(), defaultValue);
  if (position == values.end()) {
    throw UsageError(data_->owner + ": " + what + ": the default " + std::to_string(defaultValue) +
                     " is not one of its values (" + joined(values) + ")");
  }
  const std::size_t index = data_->parameters.size();
  const auto defaultPosition = static_cast<std::size_t>(position - values.begin());
  data_->parameters.push_back({name, std::move(values), defaultPosition});
  return Parameter(makeReference(Operation::parameter, name, index, data_.get()), index);
}

std::vector<Expression> Declarations::declareProblem(std::vector<std::string> names) {
  data_->checkOpen("a problem size");
  if (!data_->problemNames.empty())
    throw UsageError(data_->owner + ": problem sizes were declared before, the first is '" + data_->problemNames[0] +
                     "'");
  data_->declareProblem(std::move(names));
  std::vector<Expression> sizes;
  for (const std::string& name : data_->problemNames)
    sizes.emplace_back(makeReference(Operation::problemSize, name, sizes.size(), data_.get()));
  return sizes;
}

void Declarations::require(const Expression& constraint) { require(constraint.toString(), constraint); }

void Declarations::require(const std::string& name, const Expression& constraint) {
  const std::string what = "constraint '" + name + "'";
  data_->checkOpen(what);
  if (name.empty()) throw UsageError(data_->owner + ": a constraint has an empty name: " + constraint.toString());
  data_->checkReads(constraint, what);
  data_->constraints.push_back({name, constraint, detail::readsProblem(constraint.node()), false});
}

void Declarations::restrictTo(const std::string& parameter, const std::vector<std::int64_t>& values) {
  data_->checkOpen("the restriction of '" + parameter + "'");
  const auto& parameters = data_->parameters;
  const auto declared = std::find_if(parameters.begin(), parameters.end(),
                                     [&](const detail::ParameterDeclaration& p) { return p.name == parameter; });
  if (declared == parameters.end()) throw UsageError(data_->owner + ": there is no parameter '" + parameter + "'");
  if (values.empty()) throw UsageError(data_->owner + ": the restriction of '" + parameter + "' has no values");

  const auto index = static_cast<std::size_t>(declared - parameters.begin());
  const Expression handle(makeReference(Operation::parameter, parameter, index, data_.get()));
  std::vector<std::int64_t> known = declared->values, allowed = values;
  std::sort(known.begin(), known.end());
  std::sort(allowed.begin(), allowed.end());
  for (std::int64_t value : values) {
    if (!std::binary_search(known.begin(), known.end(), value)) {
      throw UsageError(data_->owner + ": parameter '" + parameter + "' has no value " + std::to_string(value) +
                       "; it has " + joined(declared->values));
    }
  }
  data_->constraints.push_back(
      {parameter + " restricted to " + joined(values), isAmong(handle, std::move(allowed)), false, true});
}

Expression Declarations::expression(const std::string& text) const {
  const auto lookUp = [this](const std::string& name) -> std::optional<Expression> {
    for (std::size_t p = 0; p < data_->parameters.size(); ++p) {
      if (data_->parameters[p].name == name)
        return Expression(makeReference(Operation::parameter, name, p, data_.get()));
    }
    for (std::size_t s = 0; s < data_->problemNames.size(); ++s) {
      if (data_->problemNames[s] == name)
        return Expression(makeReference(Operation::problemSize, name, s, data_.get()));
    }
    return std::nullopt;
  };
  return detail::parseExpression(text, lookUp);
}

namespace detail {

void DeclarationData::seal() {
  if (isSealed) return;
  if (parameters.empty()) throw UsageError(owner + ": no parameter was declared");

  const std::vector<std::int64_t> configuration = defaultConfiguration();
  if (const ConstraintDeclaration* violated = firstViolated(configuration.data(), nullptr)) {
    throw UsageError(owner + ": the default violates '" + violated->name +
                     "': " + toString(named(configuration.data())));
  }
  // The default is in the space, unless restrictions of candidates exclude it: only they can have emptied it.
  const bool isRestricted = std::any_of(constraints.begin(), constraints.end(),
                                        [](const ConstraintDeclaration& c) { return c.isRestriction; });
  const std::optional<Emptied> emptied = isRestricted ? emptiedBy(nullptr) : std::nullopt;
  if (emptied) throw UsageError(owner + ": no configuration is left: " + toString(*emptied));
  isSealed = true;
}

void DeclarationData::declareProblem(std::vector<std::string> names) {
  if (names.size() > kMaximumProblemSizes) {
    throw UsageError(owner + ": " + std::to_string(names.size()) + " problem sizes; at most " +
                     std::to_string(kMaximumProblemSizes) + " are possible");
  }
  for (const std::string& name : names) {
    checkNameIsFree(name);
    if (std::count(names.begin(), names.end(), name) > 1)
      throw UsageError(owner + ": the name '" + name + "' is declared twice");
  }
  problemNames = std::move(names);
}

void DeclarationData::fixProblem(std::vector<std::string> names) {
  const std::lock_guard<std::mutex> lock(problemMutex);
  if (isProblemFixed.load(std::memory_order_relaxed)) return;
  if (problemNames.empty()) declareProblem(std::move(names));
  isProblemFixed.store(true, std::memory_order_release);
}

void DeclarationData::checkOpen(const std::string& what) const {
  if (isSealed) throw UsageError(owner + ": " + what + " was declared after the first measurement");
}

void DeclarationData::checkReads(const Expression& expression, const std::string& what) const {
  forEachRead(expression.node(), [&](const ExpressionNode& read) {
    if (read.owner != this)
      throw UsageError(owner + ": " + what + " uses '" + read.name + "', which was declared elsewhere");
  });
}

void DeclarationData::checkNameIsFree(const std::string& name) const {
  if (name.empty()) throw UsageError(owner + ": a parameter or problem size has an empty name");
  const bool isParameter =
      std::any_of(parameters.begin(), parameters.end(), [&](const ParameterDeclaration& p) { return p.name == name; });
  const bool isProblemSize = std::find(problemNames.begin(), problemNames.end(), name) != problemNames.end();
  if (isParameter || isProblemSize) throw UsageError(owner + ": the name '" + name + "' is declared twice");
}

std::vector<std::int64_t> DeclarationData::defaultConfiguration() const {
  std::vector<std::int64_t> configuration;
  for (const ParameterDeclaration& parameter : parameters)
    configuration.push_back(parameter.values[parameter.defaultPosition]);
  return configuration;
}

NamedConfiguration DeclarationData::named(const std::int64_t* configuration) const {
  NamedConfiguration result;
  for (std::size_t i = 0; i < parameters.size(); ++i) result.emplace_back(parameters[i].name, configuration[i]);
  return result;
}

std::shared_ptr<const SpaceFamily> DeclarationData::spaces() const {
  const std::lock_guard<std::mutex> lock(spacesMutex_);
  const std::size_t declared = parameters.size() + constraints.size();
  if (!spaces_ || declaredThen_ != declared) spaces_ = std::make_shared<const SpaceFamily>(*this);
  declaredThen_ = declared;
  return spaces_;
}

const ConstraintDeclaration* DeclarationData::firstViolated(const std::int64_t* configuration,
                                                            const std::int64_t* problem) const {
  const auto isViolated = [&](const ConstraintDeclaration& constraint) {
    if (constraint.isRestriction || (!problem && constraint.readsProblem)) return false;
    return !evaluate(constraint.condition.node(), configuration, problem).isTrue();
  };
  const auto found = std::find_if(constraints.begin(), constraints.end(), isViolated);
  return found == constraints.end() ? nullptr : &*found;
}

std::optional<Emptied> DeclarationData::emptiedBy(const std::int64_t* problem) const {
  std::vector<const ConstraintDeclaration*> respected;
  for (const ConstraintDeclaration& constraint : constraints) {
    if (problem || !constraint.readsProblem) respected.push_back(&constraint);
  }
  const auto left = [&]() -> std::optional<BuiltDiagram> {
    try {
      return buildDiagram(*this, respected, problem);
    } catch (const UsageError&) {  // 2^63 configurations or more
      return std::nullopt;
    }
  };
  const auto isEmpty = [](const std::optional<BuiltDiagram>& built) { return built && built->diagram.size() == 0; };
  // Whether any configuration is left is asked once for all constraints; only an empty space pays for finding out why.
  if (!isEmpty(left())) return std::nullopt;
  const std::vector<const ConstraintDeclaration*> all = std::move(respected);
  respected.clear();
  std::vector<std::int64_t> example = defaultConfiguration();  // of what is left; at first, all is
  for (const ConstraintDeclaration* constraint : all) {
    respected.push_back(constraint);
    const std::optional<BuiltDiagram> built = left();
    if (isEmpty(built)) return Emptied{constraint->name, named(example.data())};
    if (!built || !built->unchecked.empty()) continue;
    const Point point = built->diagram.point(0);
    for (std::size_t p = 0; p < point.size(); ++p) example[p] = parameters[p].values[point[p]];
  }
  return std::nullopt;
}

std::string toString(const Emptied& emptied) {
  return "'" + emptied.constraint + "' removed the last ones, such as " + toString(emptied.example);
}

std::string toString(const NamedConfiguration& configuration) {
  std::string text;
  for (const auto& [name, value] : configuration)
    text += (text.empty() ? "" : ", ") + name + "=" + std::to_string(value);
  return text;
}

}  // namespace detail
}  // namespace hone
