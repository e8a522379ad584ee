// One launch as the host function sees it that stands in for a kernel's body.
//
//   device.kernel("scale", [](KernelCall& call) {
//     const auto in = call.buffer<const float>(0);
//     const auto out = call.buffer<float>(1);
//     for (std::size_t i = 0; i < call.global(0); ++i) out[i] = call.scalar<float>(2) * in[i];
//   });
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace hone::test {

/// The integer macros of a program's build options.
using Macros = std::map<std::string, std::int64_t>;

enum class ArgumentKind {
  buffer,
  scalar,
  local,
  sampler
};

/// An argument's value at the time of the enqueue.
struct ArgumentValue {
  ArgumentKind kind = ArgumentKind::scalar;
  std::vector<std::byte> scalar;  // of a scalar
  std::span<std::byte> bytes;     // of a buffer; empty where it is null
  std::size_t localBytes = 0;
};

class KernelCall {
 public:
  KernelCall(const Macros& macros, const std::vector<ArgumentValue>& arguments, unsigned dimensions,
             std::array<std::size_t, 3> offset, std::array<std::size_t, 3> global, std::array<std::size_t, 3> local)
      : macros_(macros),
        arguments_(arguments),
        dimensions_(dimensions),
        offset_(offset),
        global_(global),
        local_(local) {}

  unsigned dimensions() const { return dimensions_; }
  std::size_t offset(unsigned dimension) const { return offset_.at(dimension); }
  std::size_t global(unsigned dimension) const { return global_.at(dimension); }
  std::size_t local(unsigned dimension) const { return local_.at(dimension); }

  const Macros& macros() const { return macros_; }
  /// Throws std::out_of_range if the program was built without it.
  std::int64_t macro(const std::string& name) const { return macros_.at(name); }

  /// Throw std::invalid_argument if the argument is of another kind or, for a scalar, of another size.
  template <class T>
  std::span<T> buffer(unsigned index) const {
    const std::span<std::byte> bytes = expect(index, ArgumentKind::buffer).bytes;
    return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  template <class T>
  T scalar(unsigned index) const {
    const std::vector<std::byte>& bytes = expect(index, ArgumentKind::scalar).scalar;
    if (bytes.size() != sizeof(T))
      throw std::invalid_argument("argument " + std::to_string(index) + " has " + std::to_string(bytes.size()) +
                                  " bytes");
    T value;
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  std::size_t localBytes(unsigned index) const { return expect(index, ArgumentKind::local).localBytes; }

 private:
  const ArgumentValue& expect(unsigned index, ArgumentKind kind) const {
    if (index >= arguments_.size() || arguments_[index].kind != kind)
      throw std::invalid_argument("argument " + std::to_string(index) + " is not what the body takes it for");
    return arguments_[index];
  }

  const Macros& macros_;
  const std::vector<ArgumentValue>& arguments_;
  const unsigned dimensions_;
  const std::array<std::size_t, 3> offset_;
  const std::array<std::size_t, 3> global_;
  const std::array<std::size_t, 3> local_;
};

/// Runs when the launch completes in virtual time. Must not call OpenCL. What it throws fails the launch and the test.
using KernelBody = std::function<void(const KernelCall&)>;

/// What clGetKernelWorkGroupInfo tells of a compiled kernel.
struct KernelTraits {
  std::size_t maxWorkGroupSize = 0;  // 0: the device's
  std::uint64_t localBytes = 0;      // declared in the kernel
  std::uint64_t privateBytes = 0;
};
using TraitsOf = std::function<KernelTraits(const Macros&)>;

}  // namespace hone::test
