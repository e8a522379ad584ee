#include "hone/opencl/program_declarations.h"

#include <algorithm>

#include "opencl/device_limits.h"
#include "opencl/program_tuner.h"

namespace hone::opencl {

namespace {

/// A configuration is its macros, which a program that is compiled already cannot take.
std::string requireText(std::string source, const std::string& name) {
  if (source.find('\0') != std::string::npos)
    throw UsageError(name + ": the program is a binary; each configuration is compiled from OpenCL C");
  return source;
}

}  // namespace

ProgramDeclarations::ProgramDeclarations(Runtime& runtime, std::string source, std::string name,
                                         std::unique_ptr<detail::KernelPlan> plan, Options options)
    : Declarations(name),
      tuner_(std::make_unique<detail::ProgramTuner>(runtime.state(), *this, requireText(std::move(source), name),
                                                    std::move(plan), std::move(options))) {}

ProgramDeclarations::~ProgramDeclarations() = default;

ProgramDeclarations& ProgramDeclarations::buildOptions(std::string options) {
  data().checkOpen("the build options");
  tuner_->source().options = std::move(options);
  return *this;
}

ProgramDeclarations& ProgramDeclarations::define(const std::string& name, const Expression& value) {
  const std::string what = "macro '" + name + "'";
  data().checkOpen(what);
  data().checkNameIsFree(name);
  data().checkReads(value, what);
  auto& macros = tuner_->source().macros;
  if (std::any_of(macros.begin(), macros.end(), [&](const auto& macro) { return macro.first == name; }))
    throw UsageError(data().owner + ": " + what + " is defined twice");
  macros.emplace_back(name, value);
  return *this;
}

ProgramDeclarations& ProgramDeclarations::localMemory(const Expression& bytes) {
  data().checkOpen("the local memory");
  data().checkReads(bytes, "the local memory");
  detail::requireLocalMemory(tuner_->runtime().facts(), bytes, *this);
  return *this;
}

void ProgramDeclarations::build() { tuner_->build(); }

void ProgramDeclarations::settle() { tuner_->core().settle(); }

}  // namespace hone::opencl
