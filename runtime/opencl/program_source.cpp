#include "opencl/program_source.h"

#include <algorithm>

#include "hone/error.h"
#include "space/expression_node.h"

namespace hone::opencl::detail {

using hone::detail::Evaluation;

bool ProgramSource::doMacrosReadProblem() const {
  return std::any_of(macros.begin(), macros.end(),
                     [](const auto& macro) { return hone::detail::readsProblem(macro.second.node()); });
}

std::string ProgramSource::optionsFor(const hone::detail::DeclarationData& declarations,
                                      const std::int64_t* configuration, const std::int64_t* problem) const {
  std::string all = options;
  const auto append = [&](const std::string& name, std::int64_t value) {
    all += (all.empty() ? "-D " : " -D ") + name + "=" + std::to_string(value);
  };
  for (const auto& [name, value] : declarations.named(configuration)) append(name, value);
  for (const auto& [name, expression] : macros) {
    const Evaluation evaluation = hone::detail::evaluate(expression.node(), configuration, problem);
    if (evaluation.fault != Evaluation::Fault::none)
      throw UsageError(declarations.owner + ": macro " + name + " = '" + expression.toString() + "' has no value");
    append(name, evaluation.value);
  }
  return all;
}

}  // namespace hone::opencl::detail
