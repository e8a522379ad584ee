#include "buffers.h"

namespace hone::apps {

namespace {

template <class Number>
cl::Buffer uploadAny(const OpenedDevice& on, const std::vector<Number>& numbers) {
  const cl::Buffer buffer(on.context, CL_MEM_READ_ONLY, numbers.size() * sizeof(Number));
  on.queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, numbers.size() * sizeof(Number), numbers.data());
  return buffer;
}

}  // namespace

cl::Buffer upload(const OpenedDevice& on, const std::vector<float>& numbers) { return uploadAny(on, numbers); }
cl::Buffer upload(const OpenedDevice& on, const std::vector<std::uint32_t>& numbers) { return uploadAny(on, numbers); }

cl::Buffer makeOutput(const OpenedDevice& on, std::size_t count) {
  return cl::Buffer(on.context, CL_MEM_READ_WRITE, outputBytes(count));
}

}  // namespace hone::apps
