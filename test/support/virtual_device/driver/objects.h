// The OpenCL objects as the driver keeps them. dispose() lets go of all that an object refers to: what is left of a
// destroyed one stays in memory for a while, so that its use is noticed.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "support/virtual_device/driver/engine.h"
#include "support/virtual_device/driver/kernel_signature.h"
#include "support/virtual_device/driver/object.h"
#include "support/virtual_device/virtual_device.h"

namespace hone::test::driver {

struct Platform : Object {
  static constexpr ObjectKind kKind = ObjectKind::platform;
  Platform() : Object(kKind) {}
};

struct Device : Object {
  static constexpr ObjectKind kKind = ObjectKind::device;
  Device(std::shared_ptr<LaunchModel> model, DeviceDescription description);

  const std::shared_ptr<LaunchModel> model;
  DeviceDescription description;
  std::map<std::string, KernelBody> bodies;
  std::map<std::string, TraitsOf> traits;
  BuildTimeOf buildTime;
  bool isLost = false;
  std::uint64_t launches = 0;      // begun
  std::uint64_t lostAtLaunch = 0;  // on script, from 1; 0: never
  Engine compute;
  Engine copies;  // share the way to the device, not its compute units

  void dispose() {}
};

struct Context : Object {
  static constexpr ObjectKind kKind = ObjectKind::context;
  explicit Context(std::vector<Device*> of) : Object(kKind), devices(std::move(of)) {}

  const std::vector<Device*> devices;
  std::vector<cl_context_properties> properties;

  void dispose() {}
};

struct Event;

struct Queue : Object {
  static constexpr ObjectKind kKind = ObjectKind::queue;
  Queue(Context& of, Device& on, cl_command_queue_properties with)
      : Object(kKind), context(&of), device(on), properties(with) {}

  bool isOutOfOrder() const { return (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0; }
  bool isProfiling() const { return (properties & CL_QUEUE_PROFILING_ENABLE) != 0; }

  Hold<Context> context;
  Device& device;
  const cl_command_queue_properties properties;
  std::vector<cl_queue_properties> propertyList;
  /// In order: the last command, if it has not ended. Out of order: the last barrier, likewise.
  Event* last = nullptr;
  Event* firstPending = nullptr;  // commands that have not ended, in a list
  Event* lastPending = nullptr;
  std::vector<Event*> unflushed;

  void dispose() { context.reset(); }
};

struct Memory : Object {
  static constexpr ObjectKind kKind = ObjectKind::memory;
  explicit Memory(Context& of) : Object(kKind), context(&of) {}
  void dispose();

  Hold<Context> context;
  Hold<Memory> parent;  // of a sub-buffer
  std::size_t origin = 0;
  std::size_t size = 0;
  cl_mem_flags flags = 0;
  void* hostPointer = nullptr;
  std::unique_ptr<std::byte[]> storage;  // with a guard behind the end; empty where the host's memory is used
  std::byte* start = nullptr;
  cl_uint mapCount = 0;
};

struct Sampler : Object {
  static constexpr ObjectKind kKind = ObjectKind::sampler;
  explicit Sampler(Context& of) : Object(kKind), context(&of) {}
  void dispose() { context.reset(); }

  Hold<Context> context;
};

struct Program : Object {
  static constexpr ObjectKind kKind = ObjectKind::program;
  explicit Program(Context& of) : Object(kKind), context(&of) {}
  void dispose() {
    context.reset();
    source.clear();
    source.shrink_to_fit();
  }

  Hold<Context> context;
  std::vector<Device*> devices;
  std::string source;
  bool isFromBinary = false;
  cl_build_status status = CL_BUILD_NONE;
  std::string options;
  std::string log;
  Macros macros;
  std::shared_ptr<const std::vector<KernelSignature>> kernels;
  std::map<std::string, std::uint64_t> launchesBegun;  // by kernel
  int kernelObjects = 0;
};

struct Kernel : Object {
  static constexpr ObjectKind kKind = ObjectKind::kernel;
  Kernel(Program& of, const KernelSignature& with)
      : Object(kKind), program(&of), signatures(of.kernels), signature(with), arguments(with.arguments.size()) {
    ++program->kernelObjects;
  }
  void dispose() {
    --program->kernelObjects;
    program.reset();
  }

  struct Value {
    bool isSet = false;
    std::vector<std::byte> bytes;  // of a scalar
    Object* object = nullptr;      // a memory or a sampler; not retained, as in OpenCL
    std::size_t localBytes = 0;
  };

  Hold<Program> program;
  const std::shared_ptr<const std::vector<KernelSignature>> signatures;
  const KernelSignature& signature;  // one of them
  std::vector<Value> arguments;
  std::thread::id setter;  // who has set arguments since the last enqueue
};

KernelTraits traitsOf(const Device& device, const Kernel& kernel);

/// What a kernel launch needs until it has ended.
struct LaunchData {
  Hold<Program> program;
  std::shared_ptr<const std::vector<KernelSignature>> signatures;
  const KernelSignature* signature = nullptr;  // one of them
  VirtualLaunch launch;
  std::array<std::size_t, 3> offset{};
  std::optional<WrongResult> wrongResult;
  std::vector<ArgumentValue> arguments;
  std::vector<Hold<Memory>> memories;
};

/// An event, and the command whose event it is. A command has one even where the application has not asked for it.
struct Event : Object {
  static constexpr ObjectKind kKind = ObjectKind::event;
  Event(Context& of, Queue* on, cl_command_type what) : Object(kKind), context(&of), queue(on), type(what) {}
  void dispose() {
    context.reset();
    queue.reset();
  }

  bool hasEnded() const { return status <= CL_COMPLETE; }

  Hold<Context> context;
  Hold<Queue> queue;  // null for a user event
  const cl_command_type type;
  cl_int status = CL_QUEUED;  // an error, below 0, is CL_COMPLETE's counterpart
  std::int64_t queuedNs = 0, submitNs = 0, startNs = 0, endNs = 0;
  std::optional<Timestamps> brokenTimestamps;

  // The command. An event that waits for nothing more is submitted; one without an engine ends at once.
  std::size_t waitsFor = 0;
  cl_int failure = CL_SUCCESS;    // known before it begins: an event of its wait list has failed
  cl_int failsWith = CL_SUCCESS;  // on script, when it ends
  struct Dependent {
    Event* event;
    bool inheritsFailure;
  };
  std::vector<Dependent> dependents;
  Engine* engine = nullptr;
  double work = 0;  // of a copy, in ns; that of a launch is asked of the model when it begins
  std::unique_ptr<LaunchData> launch;
  std::function<void()> action;        // of a copy
  std::vector<Hold<Memory>> memories;  // of a copy
  Event* previousPending = nullptr;    // in the queue's list
  Event* nextPending = nullptr;
  bool isFlushed = true;

  struct Callback {
    void(CL_CALLBACK* function)(cl_event, cl_int, void*);
    void* data;
    cl_int at;
  };
  std::vector<Callback> callbacks;
};

}  // namespace hone::test::driver
