// The answer of a clGet...Info call.
//
//   const Answer answer{size, value, sizeNeeded};
//   switch (what) { case CL_DEVICE_NAME: return answer.text(name); ... }
#pragma once

#include <CL/cl.h>

#include <cstring>
#include <string>
#include <vector>

namespace hone::test::driver {

struct Answer {
  std::size_t size;
  void* value;
  std::size_t* sizeNeeded;

  cl_int bytes(const void* data, std::size_t count) const {
    if (value && size < count) return CL_INVALID_VALUE;
    if (value && count > 0) std::memcpy(value, data, count);
    if (sizeNeeded) *sizeNeeded = count;
    return CL_SUCCESS;
  }
  cl_int text(const std::string& text) const { return bytes(text.c_str(), text.size() + 1); }
  template <class T>
  cl_int list(const std::vector<T>& values) const {
    return bytes(values.data(), values.size() * sizeof(T));
  }
  template <class T>
  cl_int of(const T& number) const {
    return bytes(&number, sizeof(number));
  }
};

/// What clCreate... returns: the object, or null and why.
template <class Handle>
Handle give(cl_int* code, cl_int status, Handle object = nullptr) {
  if (code) *code = status;
  return object;
}

}  // namespace hone::test::driver
