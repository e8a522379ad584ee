// What all OpenCL objects of the driver have in common: the loader's dispatch table first, then two counts of
// references, the application's and the driver's own.
#pragma once

#include <CL/cl_icd.h>

#include <cstdint>

namespace hone::test::driver {

enum class ObjectKind : std::uint32_t {  // odd numbers, so that memory of others is hardly taken for an object
  platform = 0x484F4E01,
  device,
  context,
  queue,
  memory,
  program,
  kernel,
  event,
  sampler
};

const char* nameOf(ObjectKind kind);

struct Object {
  explicit Object(ObjectKind ofKind);
  ~Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  const cl_icd_dispatch* const dispatch;  // where the loader looks for it
  const ObjectKind kind;
  std::uint32_t references = 1;  // the application's
  std::uint32_t holds = 0;       // the driver's own
  std::uint64_t session = 0;     // which of the driver's sessions has made it
};

/// The handle that the application has of an object, and back.
template <class Handle>
Handle handleOf(Object* object) {
  return reinterpret_cast<Handle>(object);
}

/// A reference of the driver's own.
template <class T>
class Hold {
 public:
  Hold() = default;
  explicit Hold(T* object) : object_(object) {
    if (object_) ++object_->holds;
  }
  Hold(Hold&& other) noexcept : object_(other.object_) { other.object_ = nullptr; }
  Hold& operator=(Hold&& other) noexcept {
    if (this != &other) {
      reset();
      object_ = other.object_;
      other.object_ = nullptr;
    }
    return *this;
  }
  ~Hold() { reset(); }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  void reset() {
    if (!object_) return;
    T* object = object_;
    object_ = nullptr;
    --object->holds;
    destroyIfUnused(object);
  }

 private:
  T* object_ = nullptr;
};

/// Destroys the object once it has no references. What a released handle points to stays readable for a while, so that
/// its use is noticed.
template <class T>
void destroyIfUnused(T* object);

}  // namespace hone::test::driver
