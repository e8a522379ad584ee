#include "opencl/blind_warm_up.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <map>
#include <utility>

#include "opencl/error.h"
#include "opencl/handle.h"
#include "opencl/kernel_limits.h"

namespace hone::opencl::detail {

namespace {

// Of each buffer; a launch touches next to nothing of it.
constexpr std::size_t kBufferBytes = std::size_t{1} << 30;
// Without an access, on either side.
constexpr std::size_t kGuardBytes = std::size_t{1} << 30;
// On one core; what follows would wait for it, as long as some compile.
constexpr std::chrono::milliseconds kLongestLaunch{500};
constexpr std::size_t kSomeGroups = 64;  // so many tell how long one takes, which is less than to launch and to wait
constexpr int kLooks = 3;                // the fastest counts

/// Zeros between guards. Memory is taken as it is touched.
class Zeros {
 public:
  explicit Zeros(std::size_t bytes) : mapped_(bytes + 2 * kGuardBytes) {
    void* all = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) return;
    begin_ = static_cast<char*>(all);
    if (mprotect(data(), bytes, PROT_READ | PROT_WRITE) != 0) release();
  }
  ~Zeros() { release(); }
  Zeros(Zeros&& other) noexcept : mapped_(other.mapped_), begin_(std::exchange(other.begin_, nullptr)) {}
  Zeros& operator=(Zeros&&) = delete;
  Zeros(const Zeros&) = delete;
  Zeros& operator=(const Zeros&) = delete;

  explicit operator bool() const { return begin_ != nullptr; }
  char* data() const { return begin_ + kGuardBytes; }

 private:
  void release() {
    if (begin_) munmap(std::exchange(begin_, nullptr), mapped_);
  }

  std::size_t mapped_;
  char* begin_ = nullptr;
};

/// A kernel's buffers, on zeros.
class Buffers {
 public:
  Buffers(cl_context context, cl_device_id device) : context_(context) {
    cl_ulong largest = 0;
    clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(largest), &largest, nullptr);
    bytes_ = static_cast<std::size_t>(std::min<cl_ulong>(kBufferBytes, largest));
  }

  /// Null where there is none.
  cl_mem add() {
    Zeros zeros(bytes_);
    if (!zeros) return nullptr;
    cl_int code = CL_SUCCESS;
    OwnedMemory buffer(clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes_, zeros.data(), &code));
    if (code != CL_SUCCESS) return nullptr;
    zeros_.push_back(std::move(zeros));
    buffers_.push_back(std::move(buffer));
    return buffers_.back().get();
  }

 private:
  cl_context context_;
  std::size_t bytes_;
  std::vector<Zeros> zeros_;  // outlive the buffers
  std::vector<OwnedMemory> buffers_;
};

struct Parameter {
  cl_kernel_arg_address_qualifier memory;
  std::string type;
};

/// Empty where the driver does not tell.
std::optional<Parameter> parameterOf(cl_kernel kernel, cl_uint index) {
  Parameter parameter{};
  std::size_t size = 0;
  if (clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(parameter.memory), &parameter.memory,
                         nullptr) != CL_SUCCESS ||
      clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, 0, nullptr, &size) != CL_SUCCESS)
    return std::nullopt;
  parameter.type.resize(size);
  if (clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, size, parameter.type.data(), nullptr) != CL_SUCCESS)
    return std::nullopt;
  parameter.type.resize(std::min(parameter.type.find('\0'), size));
  return parameter;
}

std::optional<std::vector<Parameter>> parametersOf(cl_kernel kernel) {
  cl_uint count = 0;
  if (clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(count), &count, nullptr) != CL_SUCCESS) return std::nullopt;
  std::vector<Parameter> parameters;
  for (cl_uint i = 0; i < count; ++i) {
    auto parameter = parameterOf(kernel, i);
    if (!parameter) return std::nullopt;
    parameters.push_back(std::move(*parameter));
  }
  return parameters;
}

bool setToBuffer(cl_kernel kernel, cl_uint index, Buffers& buffers) {
  const cl_mem buffer = buffers.add();
  return buffer && clSetKernelArg(kernel, index, sizeof(buffer), &buffer) == CL_SUCCESS;
}

bool setToZero(cl_kernel kernel, cl_uint index, const std::string& type) {
  const std::optional<std::size_t> bytes = sizeOfNumber(type);
  const std::array<unsigned char, 128> zeros{};  // the largest is double16
  return bytes && clSetKernelArg(kernel, index, *bytes, zeros.data()) == CL_SUCCESS;
}

/// `localBytes`: for each argument in local memory.
bool setArgument(cl_kernel kernel, cl_uint index, const Parameter& parameter, std::size_t localBytes,
                 Buffers& buffers) {
  switch (parameter.memory) {
    case CL_KERNEL_ARG_ADDRESS_LOCAL: return clSetKernelArg(kernel, index, localBytes, nullptr) == CL_SUCCESS;
    case CL_KERNEL_ARG_ADDRESS_PRIVATE: return setToZero(kernel, index, parameter.type);
    default: return parameter.type.ends_with('*') && setToBuffer(kernel, index, buffers);
  }
}

/// Returns whether all are set. What is used of local memory is not known: all there is cannot be too little.
bool setArguments(cl_kernel kernel, std::uint64_t localBytes, Buffers& buffers) {
  const auto parameters = parametersOf(kernel);
  if (!parameters) return false;
  const auto locals = std::count_if(parameters->begin(), parameters->end(), [](const Parameter& parameter) {
    return parameter.memory == CL_KERNEL_ARG_ADDRESS_LOCAL;
  });
  const auto bytesEach =
      static_cast<std::size_t>(localBytes) / static_cast<std::size_t>(std::max<std::ptrdiff_t>(locals, 1));
  for (cl_uint i = 0; i < parameters->size(); ++i) {
    if (!setArgument(kernel, i, (*parameters)[i], bytesEach, buffers)) return false;
  }
  return true;
}

/// Returns how long it took.
std::chrono::nanoseconds launch(cl_command_queue queue, cl_kernel kernel, const std::array<std::size_t, 3>& local,
                                const std::array<std::size_t, 3>& global) {
  const auto start = std::chrono::steady_clock::now();
  if (clEnqueueNDRangeKernel(queue, kernel, 3, nullptr, global.data(), local.data(), 0, nullptr, nullptr) == CL_SUCCESS)
    clFinish(queue);
  return std::chrono::steady_clock::now() - start;
}

void warmUp(cl_context context, cl_device_id device, std::uint64_t localMemoryBytes, cl_command_queue queue,
            cl_kernel kernel, bool isGridLarge) {
  const KernelLimits limits = limitsOf(kernel, device);
  const std::array<std::size_t, 3>& local = limits.requiredWorkGroupSize;
  if (local[0] == 0 || limits.localBytes > localMemoryBytes) return;
  Buffers buffers(context, device);
  if (!setArguments(kernel, localMemoryBytes - limits.localBytes, buffers)) return;
  // One work-group compiles as much as all of them, where they are not too many.
  launch(queue, kernel, local, local);
  if (!isGridLarge) return;
  const std::size_t groups = (kLargeGrid + local[0] - 1) / local[0];
  const auto gridOf = [&](std::size_t count) { return std::array{count * local[0], local[1], local[2]}; };
  // Zeros may be as much work as any other numbers.
  std::chrono::nanoseconds ofSome = std::chrono::hours(1);
  for (int i = 0; i < kLooks; ++i) ofSome = std::min(ofSome, launch(queue, kernel, local, gridOf(kSomeGroups)));
  if (ofSome / kSomeGroups * groups < kLongestLaunch) launch(queue, kernel, local, gridOf(groups));
}

}  // namespace

void warmUpBlindly(cl_context context, cl_device_id device, std::uint64_t localMemoryBytes,
                   const std::vector<cl_kernel>& kernels, bool isGridLarge) {
  cl_int code = CL_SUCCESS;
  const OwnedQueue queue(clCreateCommandQueueWithProperties(context, device, nullptr, &code));
  check(code, "clCreateCommandQueueWithProperties");
  for (const cl_kernel kernel : kernels) warmUp(context, device, localMemoryBytes, queue.get(), kernel, isGridLarge);
}

std::optional<std::size_t> sizeOfNumber(const std::string& type) {
  static const std::map<std::string, std::size_t> kNumbers = {{"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2},
                                                              {"int", 4},  {"uint", 4},  {"long", 8},  {"ulong", 8},
                                                              {"half", 2}, {"float", 4}, {"double", 8}};
  const std::size_t digits = static_cast<std::size_t>(
      std::find_if(type.begin(), type.end(), [](unsigned char c) { return std::isdigit(c) != 0; }) - type.begin());
  const auto number = kNumbers.find(type.substr(0, digits));
  if (number == kNumbers.end()) return std::nullopt;
  const std::string length = type.substr(digits);
  if (length.empty()) return number->second;
  if (length == "3") return 4 * number->second;
  for (const std::size_t known : {2, 4, 8, 16}) {
    if (length == std::to_string(known)) return known * number->second;
  }
  return std::nullopt;
}

}  // namespace hone::opencl::detail
