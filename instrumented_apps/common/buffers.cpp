#include "buffers.h"

#include "errors.h"
#include "format.h"

namespace hone::apps {

namespace {

/// `make` allocates so many bytes. Others may use the device, so that what it has in all need not be there.
template <class Make>
cl::Buffer allocated(const OpenedDevice& on, std::size_t bytes, Make make) {
  try {
    return make();
  } catch (const cl::Error& error) {
    const cl_int code = error.err();
    if (code != CL_MEM_OBJECT_ALLOCATION_FAILURE && code != CL_OUT_OF_RESOURCES && code != CL_INVALID_BUFFER_SIZE)
      throw;
    const auto memory = static_cast<double>(on.device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>());
    throw InputError("out of device memory: there is no room for a buffer of " + mebibytes(static_cast<double>(bytes)) +
                     "; the device has " + mebibytes(memory) + " in all");
  }
}

template <class Number>
cl::Buffer uploadAny(const OpenedDevice& on, const std::vector<Number>& numbers) {
  const std::size_t bytes = numbers.size() * sizeof(Number);
  return allocated(on, bytes, [&] {
    const cl::Buffer buffer(on.context, CL_MEM_READ_ONLY, bytes);
    on.queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, bytes, numbers.data());
    return buffer;
  });
}

}  // namespace

cl::Buffer upload(const OpenedDevice& on, const std::vector<float>& numbers) { return uploadAny(on, numbers); }
cl::Buffer upload(const OpenedDevice& on, const std::vector<double>& numbers) { return uploadAny(on, numbers); }
cl::Buffer upload(const OpenedDevice& on, const std::vector<std::uint32_t>& numbers) { return uploadAny(on, numbers); }

cl::Buffer makeOutput(const OpenedDevice& on, std::size_t count, std::size_t elementBytes) {
  const std::size_t bytes = outputBytes(count, elementBytes);
  return allocated(on, bytes, [&] { return cl::Buffer(on.context, CL_MEM_READ_WRITE, bytes); });
}

}  // namespace hone::apps
