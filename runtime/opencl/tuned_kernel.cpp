#include <algorithm>

#include "opencl/kernel_launcher.h"

namespace hone::opencl {

TunedKernel::TunedKernel(Runtime& runtime, std::string source, std::string kernelName, Options options)
    : Declarations(kernelName) {
  detail::KernelDeclaration kernel;
  kernel.source = std::move(source);
  kernel.kernelName = std::move(kernelName);
  launcher_ = std::make_unique<detail::KernelLauncher>(runtime.state(), *this, std::move(kernel), std::move(options));
}

TunedKernel::~TunedKernel() = default;

TunedKernel& TunedKernel::buildOptions(std::string options) {
  data().checkOpen("the build options");
  launcher_->kernel().buildOptions = std::move(options);
  return *this;
}

TunedKernel& TunedKernel::define(const std::string& name, const Expression& value) {
  const std::string what = "macro '" + name + "'";
  data().checkOpen(what);
  data().checkNameIsFree(name);
  data().checkReads(value, what);
  auto& macros = launcher_->kernel().macros;
  if (std::any_of(macros.begin(), macros.end(), [&](const auto& macro) { return macro.first == name; }))
    throw UsageError(data().owner + ": " + what + " is defined twice");
  macros.emplace_back(name, value);
  return *this;
}

TunedKernel& TunedKernel::setGlobal(std::vector<Expression> sizes) {
  data().checkOpen("the global size");
  for (const Expression& size : sizes) data().checkReads(size, "the global size");
  launcher_->kernel().global = std::move(sizes);
  return *this;
}

TunedKernel& TunedKernel::setLocal(std::vector<Expression> sizes) {
  data().checkOpen("the local size");
  for (const Expression& size : sizes) data().checkReads(size, "the local size");
  launcher_->kernel().local = std::move(sizes);
  return *this;
}

TunedKernel& TunedKernel::localMemory(const Expression& bytes) {
  data().checkOpen("the local memory");
  data().checkReads(bytes, "the local memory");
  launcher_->kernel().localMemory = bytes;
  return *this;
}

void TunedKernel::build() { launcher_->build(); }

Event TunedKernel::run(const Launch& launch, std::initializer_list<Size> problem, const Argument* arguments,
                       std::size_t count) {
  return launcher_->launch(launch, problem, arguments, count);
}

void TunedKernel::settle() { launcher_->core().settle(); }

Report TunedKernel::report(std::initializer_list<Size> problem) const { return launcher_->report(problem); }

}  // namespace hone::opencl
