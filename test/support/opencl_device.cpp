#include "support/opencl_device.h"

#include <stdexcept>
#include <string>

namespace hone::test {

namespace {

void require(cl_int code, const char* call) {
  if (code != CL_SUCCESS) throw std::runtime_error(std::string(call) + " gave " + std::to_string(code));
}

bool isPocl(cl_platform_id platform) {
  char name[256] = {};
  return clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(name), name, nullptr) == CL_SUCCESS &&
         std::string(name) == "Portable Computing Language";
}

}  // namespace

std::vector<cl_device_id> poclDevices(std::size_t atLeast) {
  cl_platform_id platforms[16] = {};
  cl_uint platformCount = 0;
  require(clGetPlatformIDs(16, platforms, &platformCount), "clGetPlatformIDs");
  std::vector<cl_device_id> devices;
  for (cl_uint i = 0; i < platformCount && i < 16; ++i) {
    if (!isPocl(platforms[i])) continue;
    cl_uint count = 0;
    require(clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 0, nullptr, &count), "clGetDeviceIDs");
    devices.resize(count);
    require(clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr), "clGetDeviceIDs");
  }
  if (devices.size() < atLeast || devices.empty()) {
    throw std::runtime_error("these tests need PoCL with POCL_DEVICES=\"pthread pthread\"; it has " +
                             std::to_string(devices.size()) + " devices");
  }
  return devices;
}

OwnedContext makeContext(const std::vector<cl_device_id>& devices) {
  cl_int code = CL_SUCCESS;
  OwnedContext context(
      clCreateContext(nullptr, static_cast<cl_uint>(devices.size()), devices.data(), nullptr, nullptr, &code));
  require(code, "clCreateContext");
  return context;
}

OwnedQueue makeQueue(cl_context context, cl_device_id device, cl_command_queue_properties properties) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  cl_int code = CL_SUCCESS;
  OwnedQueue queue(clCreateCommandQueueWithProperties(context, device, list, &code));
  require(code, "clCreateCommandQueueWithProperties");
  return queue;
}

OwnedMemory makeBytes(cl_context context, std::size_t bytes, const void* contents) {
  const cl_mem_flags flags = CL_MEM_READ_WRITE | (contents ? CL_MEM_COPY_HOST_PTR : 0);
  cl_int code = CL_SUCCESS;
  OwnedMemory memory(clCreateBuffer(context, flags, bytes, const_cast<void*>(contents), &code));
  require(code, "clCreateBuffer");
  return memory;
}

void writeBytes(cl_command_queue queue, cl_mem buffer, std::size_t bytes, const void* contents) {
  require(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, contents, 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
}

void readBytes(cl_command_queue queue, cl_mem buffer, std::size_t bytes, void* contents) {
  require(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, contents, 0, nullptr, nullptr), "clEnqueueReadBuffer");
}

}  // namespace hone::test
