#include "opencl/geometry.h"

#include "hone/error.h"
#include "space/expression_node.h"

namespace hone::opencl::detail {

using hone::detail::Evaluation;

namespace {

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

void GeometryDeclaration::checkComplete(const std::string& kernel) const {
  if (global.empty()) throw UsageError(kernel + ": no global size was declared");
  if (!local.empty() && local.size() != global.size()) {
    throw UsageError(kernel + ": the global size has " + std::to_string(global.size()) +
                     " dimensions, the local size " + std::to_string(local.size()));
  }
}

Expression GeometryDeclaration::workGroups() const {
  Expression product = ceilDiv(global[0], local[0]);
  for (std::size_t i = 1; i < global.size(); ++i) product = product * ceilDiv(global[i], local[i]);
  return product;
}

Geometry GeometryDeclaration::at(const std::int64_t* configuration, const std::int64_t* problem,
                                 const std::string& kernel) const {
  Geometry geometry;
  geometry.dimensions = static_cast<cl_uint>(global.size());
  geometry.hasLocal = !local.empty();
  for (std::size_t i = 0; i < global.size(); ++i)
    geometry.global[i] = positiveSizeFrom(global[i], configuration, problem, kernel + ": global size");
  for (std::size_t i = 0; i < local.size(); ++i)
    geometry.local[i] = positiveSizeFrom(local[i], configuration, problem, kernel + ": local size");
  return geometry;
}

}  // namespace hone::opencl::detail
