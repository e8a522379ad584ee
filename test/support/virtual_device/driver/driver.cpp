#include "support/virtual_device/driver/driver.h"

#include <algorithm>

#include "support/virtual_device/driver/dispatch.h"

namespace hone::test::driver {

namespace {

/// So many destroyed objects stay readable: more than a test can release between a mistake and its use.
constexpr std::size_t kGraves = 20'000;

bool isKind(ObjectKind kind) { return kind >= ObjectKind::platform && kind <= ObjectKind::sampler; }

}  // namespace

const char* nameOf(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::platform: return "platform";
    case ObjectKind::device: return "device";
    case ObjectKind::context: return "context";
    case ObjectKind::queue: return "queue";
    case ObjectKind::memory: return "memory object";
    case ObjectKind::program: return "program";
    case ObjectKind::kernel: return "kernel";
    case ObjectKind::event: return "event";
    case ObjectKind::sampler: break;
  }
  return "sampler";
}

Object::Object(ObjectKind ofKind) : dispatch(&dispatchTable()), kind(ofKind) {}

Driver& Driver::instance() {
  static Driver* const driver = new Driver;  // never destroyed: programs call OpenCL until they have ended
  return *driver;
}

Device* Driver::addDevice(std::shared_ptr<LaunchModel> model, DeviceDescription description) {
  if (devices.empty()) {
    ++session_;
    nowNs_ = kBeginNs;
    counts = {};
    hostTimes = {};
    faults = {};
    violations.clear();
  }
  const bool hasUuid =
      std::any_of(description.uuid.begin(), description.uuid.end(), [](auto byte) { return byte != 0; });
  if (!hasUuid) {
    description.uuid = {'H', 'o', 'n', 'e'};
    description.uuid.back() = static_cast<unsigned char>(devices.size() + 1);
  }
  devices.push_back(make<Device>(std::move(model), std::move(description)));
  return devices.back();
}

void Driver::removeDevice(Device* device) {
  loseDevice(*device);  // what is still under way must not begin later
  devices.erase(std::find(devices.begin(), devices.end(), device));
  release(device);
}

int* Driver::liveCount(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::platform:
    case ObjectKind::device: return nullptr;
    case ObjectKind::context: return &counts.live.contexts;
    case ObjectKind::queue: return &counts.live.queues;
    case ObjectKind::memory: return &counts.live.memories;
    case ObjectKind::program: return &counts.live.programs;
    case ObjectKind::kernel: return &counts.live.kernels;
    case ObjectKind::event: return &counts.live.events;
    case ObjectKind::sampler: return &counts.live.samplers;
  }
  return nullptr;
}

Object* Driver::findObject(Object* object, ObjectKind kind) {
  if (!object || !isKind(object->kind)) return nullptr;
  if (object->references == 0) {
    reportViolation(std::string("use of a released ") + nameOf(object->kind));
    return nullptr;
  }
  return object->kind == kind ? object : nullptr;
}

void Driver::bury(std::unique_ptr<void, void (*)(void*)> object) {
  graveyard_.push_back(std::move(object));
  if (graveyard_.size() > kGraves) graveyard_.pop_front();
}

void Driver::reportViolation(const std::string& text) { violations.push_back(currentCall + ": " + text); }

Call::Call(const char* name, HostTime hostTime) : driver_(Driver::instance()), lock_(driver_.mutex) {
  driver_.currentCall = name;
  ++driver_.counts.calls[name];
  ++driver_.counts.threads[std::this_thread::get_id()].calls;
  if (hostTime == HostTime::asScripted) {
    const auto own = driver_.hostTimes.byName.find(name);
    driver_.advanceBy(own == driver_.hostTimes.byName.end() ? driver_.hostTimes.everyCallNs : own->second);
  }
  if (!driver_.faults.calls.isEmpty()) {
    const auto fault = driver_.faults.calls.ask({}, [&](const CallFault& rule) { return rule.name == name; });
    if (fault) fault_ = fault->code;
  }
}

Call::~Call() {
  driver_.deliverCallbacks(lock_);
  lock_.unlock();
  driver_.changed.notify_all();
}

void Call::countBlocking() { ++driver_.counts.threads[std::this_thread::get_id()].blocking; }
void Call::countBuild() { ++driver_.counts.threads[std::this_thread::get_id()].builds; }

}  // namespace hone::test::driver
