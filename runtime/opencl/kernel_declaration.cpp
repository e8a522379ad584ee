#include "opencl/kernel_declaration.h"

#include <algorithm>

#include "opencl/error.h"
#include "space/expression_node.h"

namespace hone::opencl::detail {

using hone::detail::Evaluation;

namespace {

template <class T>
T deviceInfo(cl_device_id device, cl_device_info what) {
  T value{};
  check(clGetDeviceInfo(device, what, sizeof(value), &value, nullptr), "clGetDeviceInfo");
  return value;
}

std::vector<std::size_t> maxWorkItemSizes(cl_device_id device) {
  std::vector<std::size_t> sizes(deviceInfo<cl_uint>(device, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS));
  check(
      clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizes.size() * sizeof(std::size_t), sizes.data(), nullptr),
      "clGetDeviceInfo");
  return sizes;
}

std::size_t positiveSizeFrom(const Expression& expression, const std::int64_t* configuration,
                             const std::int64_t* problem, const std::string& what) {
  const std::size_t size = sizeFrom(expression, configuration, problem, what);
  if (size == 0) throw UsageError(what + " '" + expression.toString() + "' is 0");
  return size;
}

}  // namespace

std::size_t sizeFrom(const Expression& expression, const std::int64_t* configuration, const std::int64_t* problem,
                     const std::string& what) {
  const Evaluation evaluation = hone::detail::evaluate(expression.node(), configuration, problem);
  if (evaluation.fault != Evaluation::Fault::none) {
    const char* fault = evaluation.fault == Evaluation::Fault::overflow ? "overflows" : "divides by zero";
    throw UsageError(what + " '" + expression.toString() + "' " + fault);
  }
  if (evaluation.value < 0) {
    throw UsageError(what + " '" + expression.toString() + "' is negative: " + std::to_string(evaluation.value));
  }
  return static_cast<std::size_t>(evaluation.value);
}

void KernelDeclaration::complete(cl_device_id device, Declarations& declarations) const {
  if (global.empty()) throw UsageError(kernelName + ": no global size was declared");
  if (!local.empty() && local.size() != global.size()) {
    throw UsageError(kernelName + ": the global size has " + std::to_string(global.size()) +
                     " dimensions, the local size " + std::to_string(local.size()));
  }
  for (const auto& [name, value] : macros) declarations.data().checkNameIsFree(name);
  if (!local.empty()) {
    const std::vector<std::size_t> limits = maxWorkItemSizes(device);
    Expression workGroup = local[0];
    for (std::size_t i = 0; i < local.size(); ++i) {
      if (i > 0) workGroup = workGroup * local[i];
      declarations.require(local[i] >= 1 && local[i] <= limits.at(i));
    }
    declarations.require(workGroup <= deviceInfo<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE));
  }
  if (localMemory) declarations.require(*localMemory <= deviceInfo<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE));
}

bool KernelDeclaration::doMacrosReadProblem() const {
  return std::any_of(macros.begin(), macros.end(),
                     [](const auto& macro) { return hone::detail::readsProblem(macro.second.node()); });
}

std::string KernelDeclaration::optionsFor(const hone::detail::DeclarationData& declarations,
                                          const std::int64_t* configuration, const std::int64_t* problem) const {
  std::string options = buildOptions;
  const auto append = [&](const std::string& name, std::int64_t value) {
    options += (options.empty() ? "-D " : " -D ") + name + "=" + std::to_string(value);
  };
  for (const auto& [name, value] : declarations.named(configuration)) append(name, value);
  for (const auto& [name, expression] : macros) {
    const Evaluation evaluation = hone::detail::evaluate(expression.node(), configuration, problem);
    if (evaluation.fault != Evaluation::Fault::none)
      throw UsageError(kernelName + ": macro " + name + " = '" + expression.toString() + "' has no value");
    append(name, evaluation.value);
  }
  return options;
}

Geometry KernelDeclaration::geometryFor(const std::int64_t* configuration, const std::int64_t* problem) const {
  Geometry geometry;
  geometry.dimensions = static_cast<cl_uint>(global.size());
  geometry.hasLocal = !local.empty();
  for (std::size_t i = 0; i < global.size(); ++i)
    geometry.global[i] = positiveSizeFrom(global[i], configuration, problem, kernelName + ": global size");
  for (std::size_t i = 0; i < local.size(); ++i)
    geometry.local[i] = positiveSizeFrom(local[i], configuration, problem, kernelName + ": local size");
  return geometry;
}

}  // namespace hone::opencl::detail
