// OpenCL's C handles, and what wraps them: the library takes both.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>

#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "hone/api.h"

namespace hone::opencl {

/// An OpenCL call failed that was not a candidate's: the default did not build or run, or an argument is wrong.
class HONE_API Error : public std::runtime_error {
 public:
  Error(const std::string& message, cl_int code) : std::runtime_error(message), code_(code) {}
  cl_int code() const { return code_; }

 private:
  cl_int code_;
};

namespace detail {

template <class T>
inline constexpr bool isHandle =
    std::is_same_v<T, cl_context> || std::is_same_v<T, cl_device_id> || std::is_same_v<T, cl_command_queue> ||
    std::is_same_v<T, cl_mem> || std::is_same_v<T, cl_sampler> || std::is_same_v<T, cl_event>;

template <class T, class = void>
struct HandleOf {
  using type = std::conditional_t<isHandle<T>, T, void>;
};
template <class T>
struct HandleOf<T, std::void_t<decltype(std::declval<const T&>()())>> {
  using returned = std::decay_t<decltype(std::declval<const T&>()())>;
  using type = std::conditional_t<isHandle<returned>, returned, void>;
};

/// T is the handle itself or a wrapper whose operator() gives it.
template <class T, class Handle>
inline constexpr bool wraps = std::is_same_v<typename HandleOf<T>::type, Handle>;

template <class T>
typename HandleOf<T>::type unwrap(const T& object) {
  if constexpr (isHandle<T>) {
    return object;
  } else {
    return object();
  }
}

}  // namespace detail

}  // namespace hone::opencl
