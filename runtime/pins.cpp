#include "pins.h"

#include <algorithm>

#include "hone/error.h"

namespace hone::detail {

namespace {

std::vector<std::int64_t> configurationOf(const Pin& pin, const DeclarationData& declarations) {
  const std::vector<ParameterDeclaration>& parameters = declarations.parameters;
  std::vector<std::int64_t> configuration = declarations.defaultConfiguration();
  for (const auto& [name, value] : pin.configuration) {
    const auto isNamed = [&, &wanted = name](const ParameterDeclaration& p) { return p.name == wanted; };
    const auto parameter = std::find_if(parameters.begin(), parameters.end(), isNamed);
    if (parameter == parameters.end())
      throw UsageError(declarations.owner + ": a pin names the parameter '" + name + "', which does not exist");
    const auto& values = parameter->values;
    if (std::find(values.begin(), values.end(), value) == values.end()) {
      throw UsageError(declarations.owner + ": a pin gives the parameter '" + name + "' the value " +
                       std::to_string(value) + ", which it does not have");
    }
    configuration[static_cast<std::size_t>(parameter - parameters.begin())] = value;
  }
  if (const ConstraintDeclaration* violated = declarations.firstViolated(configuration.data(), nullptr)) {
    throw UsageError(declarations.owner + ": a pin violates '" + violated->name +
                     "': " + toString(declarations.named(configuration.data())));
  }
  return configuration;
}

}  // namespace

Pins::Pins(const std::vector<Pin>& pins, const DeclarationData& declarations) {
  for (const Pin& pin : pins) {
    const auto isDeclared = [&](const auto& value) {
      return std::any_of(declarations.parameters.begin(), declarations.parameters.end(),
                         [&](const ParameterDeclaration& p) { return p.name == value.first; });
    };
    const bool isOurs = pin.tuner.empty() ? std::all_of(pin.configuration.begin(), pin.configuration.end(), isDeclared)
                                          : pin.tuner == declarations.owner;
    if (isOurs) entries_.push_back({pin.problem, configurationOf(pin, declarations)});
  }
}

const std::vector<std::int64_t>* Pins::find(const std::int64_t* problem, const DeclarationData& declarations) const {
  const std::vector<std::string>& names = declarations.problemNames;
  const Entry* last = nullptr;
  for (const Entry& entry : entries_) {  // all of them, so that a wrong name is found with the first problem
    bool isForIt = true;
    for (const auto& [wanted, size] : entry.problem) {
      const auto name = std::find(names.begin(), names.end(), wanted);
      if (name == names.end())
        throw UsageError(declarations.owner + ": a pin names the problem size '" + wanted + "', which does not exist");
      isForIt = isForIt && problem[name - names.begin()] == size;
    }
    if (isForIt) last = &entry;
  }
  return last ? &last->configuration : nullptr;
}

const std::vector<std::int64_t>* Pins::forAll() const {
  const auto found = std::find_if(entries_.rbegin(), entries_.rend(), isForAll);
  return found == entries_.rend() ? nullptr : &found->configuration;
}

void Pins::dropForAll() { entries_.erase(std::remove_if(entries_.begin(), entries_.end(), isForAll), entries_.end()); }

}  // namespace hone::detail
