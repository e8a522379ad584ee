#include "support/virtual_device/driver/run_kernel.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <limits>

#include "support/virtual_device/driver/driver.h"
#include "support/virtual_device/driver/memory_guard.h"

namespace hone::test::driver {

namespace {

template <class T>
void changeElement(std::byte* at, WrongResult how) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  using Limits = std::numeric_limits<T>;
  if (how == WrongResult::notANumber) {
    value = Limits::has_quiet_NaN ? Limits::quiet_NaN() : Limits::max();
  } else if constexpr (std::is_floating_point_v<T>) {
    value = value == 0 ? T{1} / 1000 : value * (1 + T{1} / 1000);
  } else {
    value = static_cast<T>(value + 1);
  }
  std::memcpy(at, &value, sizeof(T));
}

/// Elements of a buffer, by the type that the kernel's source gives it.
struct Elements {
  std::size_t bytes;
  void (*change)(std::byte* at, WrongResult how);

  static Elements of(const std::string& type) {
    const std::string base = type.substr(0, type.find_first_of("0123456789*"));
    if (base == "double") return {8, changeElement<double>};
    if (base == "long" || base == "ulong") return {8, changeElement<std::int64_t>};
    if (base == "int" || base == "uint") return {4, changeElement<std::int32_t>};
    if (base == "short" || base == "ushort" || base == "half") return {2, changeElement<std::int16_t>};
    if (base == "char" || base == "uchar") return {1, changeElement<signed char>};
    return {4, changeElement<float>};
  }
};

void spoil(std::span<std::byte> now, const std::vector<std::byte>& before, Elements elements, WrongResult how) {
  const auto [first, firstBefore] = std::mismatch(now.begin(), now.end(), before.begin());
  if (first == now.end()) return;  // nothing was written
  std::size_t behind = now.size();
  while (now[behind - 1] == before[behind - 1]) --behind;
  const std::size_t begin = static_cast<std::size_t>(first - now.begin()) / elements.bytes;
  const std::size_t end = (behind + elements.bytes - 1) / elements.bytes;
  const std::size_t middle = (begin + end) / 2;
  switch (how) {
    case WrongResult::offByLittle:
    case WrongResult::notANumber: elements.change(&now[middle * elements.bytes], how); break;
    case WrongResult::secondHalfLost:
      std::copy(before.begin() + static_cast<std::ptrdiff_t>(middle * elements.bytes), before.end(),
                now.begin() + static_cast<std::ptrdiff_t>(middle * elements.bytes));
      break;
    case WrongResult::oneTooMany:
      // Behind the buffer's own end lies its guard, which is as large as the largest element.
      elements.change(now.data() + end * elements.bytes, WrongResult::offByLittle);
      break;
  }
}

bool isOutput(const KernelArgument& argument) { return argument.kind == ArgumentKind::buffer && !argument.isConst; }

}  // namespace

std::optional<std::string> runKernel(const Device& device, const LaunchData& data) {
  const VirtualLaunch& launch = data.launch;
  const auto body = device.bodies.find(launch.kernel);
  if (body == device.bodies.end()) return std::nullopt;
  const std::vector<KernelArgument>& declared = data.signature->arguments;
  std::vector<std::vector<std::byte>> before(declared.size());
  for (std::size_t i = 0; i < declared.size() && data.wrongResult; ++i) {
    const std::span<std::byte> bytes = data.arguments[i].bytes;
    if (isOutput(declared[i])) before[i].assign(bytes.begin(), bytes.end());
  }
  const KernelCall call(launch.macros, data.arguments, launch.dimensions, data.offset, launch.global, launch.local);
  try {
    body->second(call);
  } catch (const std::exception& error) {
    return std::string("the body threw: ") + error.what();
  }
  for (const Hold<Memory>& memory : data.memories) {
    if (!isGuardIntact(*memory)) {
      repairGuard(*memory);
      return "the body wrote beyond the end of a buffer";
    }
  }
  for (std::size_t i = 0; i < declared.size() && data.wrongResult; ++i) {
    if (isOutput(declared[i]) && !before[i].empty())
      spoil(data.arguments[i].bytes, before[i], Elements::of(declared[i].type), *data.wrongResult);
  }
  for (const Hold<Memory>& memory : data.memories) repairGuard(*memory);
  return std::nullopt;
}

}  // namespace hone::test::driver
