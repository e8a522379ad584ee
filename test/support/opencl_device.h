// The OpenCL devices that tests run on: PoCL's, which every machine can have. Start the tests with
// POCL_DEVICES="pthread pthread", so that there are two of them.
#pragma once

#include <cstddef>
#include <vector>

#include "opencl/handle.h"

namespace hone::test {

using opencl::detail::OwnedContext;
using opencl::detail::OwnedMemory;
using opencl::detail::OwnedQueue;

/// Throws std::runtime_error if there are none, or fewer than `atLeast`.
std::vector<cl_device_id> poclDevices(std::size_t atLeast = 1);

OwnedContext makeContext(const std::vector<cl_device_id>& devices);

/// `properties` as in CL_QUEUE_PROPERTIES.
OwnedQueue makeQueue(cl_context context, cl_device_id device,
                     cl_command_queue_properties properties = CL_QUEUE_PROFILING_ENABLE);

OwnedMemory makeBytes(cl_context context, std::size_t bytes, const void* contents = nullptr);
void writeBytes(cl_command_queue queue, cl_mem buffer, std::size_t bytes, const void* contents);
void readBytes(cl_command_queue queue, cl_mem buffer, std::size_t bytes, void* contents);

template <class T>
OwnedMemory makeBuffer(cl_context context, const std::vector<T>& contents) {
  return makeBytes(context, contents.size() * sizeof(T), contents.data());
}

/// Writes and waits.
template <class T>
void write(cl_command_queue queue, const OwnedMemory& buffer, const std::vector<T>& contents) {
  writeBytes(queue, buffer.get(), contents.size() * sizeof(T), contents.data());
}

/// Reads and waits.
template <class T>
std::vector<T> read(cl_command_queue queue, const OwnedMemory& buffer, std::size_t count) {
  std::vector<T> contents(count);
  readBytes(queue, buffer.get(), count * sizeof(T), contents.data());
  return contents;
}

}  // namespace hone::test
