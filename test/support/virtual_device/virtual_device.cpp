#include "support/virtual_device/virtual_device.h"

#include <stdexcept>
#include <utility>

#include "support/virtual_device/driver/driver.h"

namespace hone::test {

namespace {

driver::Driver& theDriver() { return driver::Driver::instance(); }

std::unique_lock<std::mutex> locked() { return std::unique_lock<std::mutex>(theDriver().mutex); }

driver::Device& deviceOf(void* device) { return *static_cast<driver::Device*>(device); }

void* makeDevice(std::shared_ptr<LaunchModel> model, DeviceDescription description) {
  if (!model) throw std::invalid_argument("a virtual device needs a model");
  const auto lock = locked();
  return theDriver().addDevice(std::move(model), std::move(description));
}

}  // namespace

VirtualDevice::VirtualDevice(std::shared_ptr<LaunchModel> model, DeviceDescription description)
    : device_(makeDevice(std::move(model), std::move(description))), faults_(device_) {}

VirtualDevice::~VirtualDevice() {
  const auto lock = locked();
  theDriver().removeDevice(&deviceOf(device_));
}

_cl_device_id* VirtualDevice::id() const { return driver::handleOf<cl_device_id>(&deviceOf(device_)); }

_cl_platform_id* VirtualDevice::platform() const { return driver::handleOf<cl_platform_id>(&theDriver().platform); }

void VirtualDevice::kernel(const std::string& name, KernelBody body) {
  const auto lock = locked();
  deviceOf(device_).bodies[name] = std::move(body);
}

void VirtualDevice::kernelTraits(const std::string& name, TraitsOf traits) {
  const auto lock = locked();
  deviceOf(device_).traits[name] = std::move(traits);
}

void VirtualDevice::buildTime(BuildTimeOf time) {
  const auto lock = locked();
  deviceOf(device_).buildTime = std::move(time);
}

void VirtualDevice::hostTimes(HostTimes times) {
  const auto lock = locked();
  theDriver().hostTimes = std::move(times);
}

std::chrono::nanoseconds VirtualDevice::now() const {
  const auto lock = locked();
  return std::chrono::nanoseconds(theDriver().now() - driver::Driver::kBeginNs);
}

void VirtualDevice::advance(std::chrono::nanoseconds time) {
  auto lock = locked();
  theDriver().advanceBy(time.count());
  theDriver().deliverCallbacks(lock);
  theDriver().changed.notify_all();
}

void VirtualDevice::drain() {
  auto lock = locked();
  theDriver().drain();
  theDriver().deliverCallbacks(lock);
  theDriver().changed.notify_all();
}

Counts VirtualDevice::counts() const {
  const auto lock = locked();
  return theDriver().counts;
}

std::vector<std::string> VirtualDevice::takeViolations() {
  const auto lock = locked();
  return std::exchange(theDriver().violations, {});
}

VirtualDevice::Progress VirtualDevice::progress() const {
  const auto lock = locked();
  return {theDriver().counts.launches, std::chrono::nanoseconds(theDriver().now())};
}

void VirtualDevice::failWithoutProgress() {
  throw std::runtime_error("runUntil: 100,000 steps have brought the goal no nearer");
}

// ---- faults

void Faults::failCall(std::string name, std::int32_t code, Condition when) {
  const auto lock = locked();
  theDriver().faults.calls.add({std::move(name), code}, std::move(when));
}

void Faults::failEnqueue(Condition when, std::int32_t code) {
  const auto lock = locked();
  theDriver().faults.enqueues.add(code, std::move(when));
}

void Faults::failEvent(Condition when, std::int32_t code) {
  const auto lock = locked();
  theDriver().faults.events.add(code, std::move(when));
}

void Faults::breakTimestamps(Timestamps how, Condition when) {
  const auto lock = locked();
  theDriver().faults.timestamps.add(how, std::move(when));
}

void Faults::giveWrongResults(WrongResult how, Condition when) {
  const auto lock = locked();
  theDriver().faults.results.add(how, std::move(when));
}

void Faults::failBuild(Condition when) {
  const auto lock = locked();
  theDriver().faults.builds.add({driver::BuildFaultKind::fail, 0}, std::move(when));
}

void Faults::hangBuild(Condition when) {
  const auto lock = locked();
  theDriver().faults.builds.add({driver::BuildFaultKind::hang, 0}, std::move(when));
}

void Faults::releaseBuilds() {
  const auto lock = locked();
  ++theDriver().faults.buildReleases;
  theDriver().changed.notify_all();
}

int Faults::hangingBuilds() const {
  const auto lock = locked();
  return theDriver().faults.hangingBuilds;
}

void Faults::crashBuild(Condition when, int signal) {
  const auto lock = locked();
  theDriver().faults.builds.add({driver::BuildFaultKind::crash, signal}, std::move(when));
}

void Faults::rejectBinary(Condition when) {
  const auto lock = locked();
  theDriver().faults.binaries.add(true, std::move(when));
}

void Faults::loseDevice() {
  auto lock = locked();
  theDriver().loseDevice(deviceOf(device_));
  theDriver().settle();
  theDriver().deliverCallbacks(lock);
  theDriver().changed.notify_all();
}

void Faults::loseDeviceAtLaunch(std::uint64_t number) {
  const auto lock = locked();
  deviceOf(device_).lostAtLaunch = number;
}

void Faults::clear() {
  const auto lock = locked();
  driver::FaultRules& rules = theDriver().faults;
  driver::FaultRules fresh;
  fresh.buildReleases = rules.buildReleases + 1;
  fresh.hangingBuilds = rules.hangingBuilds;
  rules = std::move(fresh);
  deviceOf(device_).lostAtLaunch = 0;
  theDriver().changed.notify_all();
}

}  // namespace hone::test
