#include "opencl/argument_shape.h"

#include "opencl/geometry.h"
#include "space/declaration_data.h"

namespace hone::opencl::detail {

using hone::detail::ArgumentShape;

namespace {

constexpr const char* kWhat = "localBytes";  // short enough for a std::string without the heap: launches evaluate these

}  // namespace

std::size_t localBytesOf(const Argument& argument, const hone::detail::DeclarationData& declarations,
                         const std::int64_t* configuration, const std::int64_t* problem) {
  if (!argument.data()) return argument.size();  // a plain number of bytes
  const Expression& bytes = argument.localBytes();
  declarations.checkReads(bytes, kWhat);
  return sizeFrom(bytes, configuration, problem, kWhat);
}

std::optional<std::vector<ArgumentShape>> shapeOf(const Argument* arguments, std::size_t count) {
  std::vector<ArgumentShape> shapes;
  for (std::size_t i = 0; i < count; ++i) {
    const Argument& argument = arguments[i];
    ArgumentShape shape;
    switch (argument.kind()) {
      case Argument::Kind::scalar: {
        const auto* bytes = static_cast<const unsigned char*>(argument.data());
        shape.kind = ArgumentShape::Kind::scalar;
        shape.bytes = argument.size();
        shape.contents.assign(bytes, bytes + argument.size());
        break;
      }
      case Argument::Kind::memory: {
        if (!argument.handle()) break;
        const auto memory = static_cast<cl_mem>(argument.handle());
        cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
        if (clGetMemObjectInfo(memory, CL_MEM_TYPE, sizeof(type), &type, nullptr) != CL_SUCCESS) return std::nullopt;
        if (type != CL_MEM_OBJECT_BUFFER) return std::nullopt;
        if (clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof(shape.bytes), &shape.bytes, nullptr) != CL_SUCCESS)
          return std::nullopt;
        shape.kind = ArgumentShape::Kind::buffer;
        break;
      }
      case Argument::Kind::local:
        shape.kind = ArgumentShape::Kind::local;
        shape.bytes = argument.size();
        break;
      case Argument::Kind::null: break;
      case Argument::Kind::sampler: return std::nullopt;
    }
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

}  // namespace hone::opencl::detail
