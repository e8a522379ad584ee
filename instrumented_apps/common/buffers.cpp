#include "buffers.h"

namespace hone::apps {

cl::Buffer upload(const OpenedDevice& on, const std::vector<float>& numbers) {
  const cl::Buffer buffer(on.context, CL_MEM_READ_ONLY, numbers.size() * sizeof(float));
  on.queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, numbers.size() * sizeof(float), numbers.data());
  return buffer;
}

cl::Buffer makeOutput(const OpenedDevice& on, std::size_t count) {
  return cl::Buffer(on.context, CL_MEM_READ_WRITE, outputBytes(count));
}

}  // namespace hone::apps
