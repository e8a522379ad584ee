#include "support/virtual_device/driver/scripted_start.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "support/virtual_device/driver/built_in_kernels.h"
#include "support/virtual_device/driver/driver.h"

namespace hone::test::driver {

namespace {

using Json = nlohmann::json;

class FactorsTime final : public LaunchModel {
 public:
  explicit FactorsTime(const Json& script)
      : ns_(script.value("ns", 0.0)),
        nsPerWorkItem_(script.value("ns_per_work_item", 0.0)),
        factors_(script.value("factors", Factors{})) {
    if (!(ns_ >= 0 && nsPerWorkItem_ >= 0 && ns_ + nsPerWorkItem_ > 0))
      throw std::runtime_error("\"launch\" needs a positive \"ns\" or \"ns_per_work_item\"");
  }

  double durationNs(const VirtualLaunch& launch) override {
    const auto items = static_cast<double>(launch.global[0] * launch.global[1] * launch.global[2]);
    double ns = ns_ + nsPerWorkItem_ * items;
    for (const auto& [name, byValue] : factors_) {
      const auto macro = launch.macros.find(name);
      if (macro == launch.macros.end()) continue;
      const auto factor = byValue.find(std::to_string(macro->second));
      if (factor != byValue.end()) ns *= factor->second;
    }
    return ns;
  }

 private:
  using Factors = std::map<std::string, std::map<std::string, double>>;
  const double ns_;
  const double nsPerWorkItem_;
  const Factors factors_;
};

void requireKnown(const Json& object, std::initializer_list<const char*> known) {
  for (const auto& [key, value] : object.items()) {
    bool isKnown = false;
    for (const char* name : known) isKnown |= key == name;
    if (!isKnown) throw std::runtime_error("\"" + key + "\" is not understood");
  }
}

VirtualDeviceType typeFrom(const std::string& name) {
  if (name == "cpu") return VirtualDeviceType::cpu;
  if (name == "gpu") return VirtualDeviceType::gpu;
  if (name == "accelerator") return VirtualDeviceType::accelerator;
  throw std::runtime_error("\"type\" is cpu, gpu or accelerator");
}

DeviceDescription descriptionFrom(const Json& script) {
  DeviceDescription is;
  is.name = script.value("name", is.name);
  is.type = typeFrom(script.value("type", "gpu"));
  is.computeUnits = script.value("compute_units", is.computeUnits);
  is.maxWorkGroupSize = script.value("max_work_group_size", is.maxWorkGroupSize);
  is.hasFp64 = script.value("fp64", is.hasFp64);
  is.localMemoryBytes = script.value("local_memory_bytes", is.localMemoryBytes);
  is.globalMemoryBytes = script.value("global_memory_bytes", is.globalMemoryBytes);
  is.timerResolutionNs = script.value("timer_resolution_ns", is.timerResolutionNs);
  if (is.timerResolutionNs < 1) throw std::runtime_error("\"timer_resolution_ns\" is 1 or more");
  return is;
}

void start(const Json& script) {
  Driver& driver = Driver::instance();
  requireKnown(script, {"devices", "host"});
  for (const Json& each : script.at("devices")) {
    requireKnown(each, {"name", "type", "compute_units", "max_work_group_size", "fp64", "local_memory_bytes",
                        "global_memory_bytes", "timer_resolution_ns", "build_ns", "launch"});
    requireKnown(each.at("launch"), {"ns", "ns_per_work_item", "factors"});
    Device* device = driver.addDevice(std::make_shared<FactorsTime>(each.at("launch")), descriptionFrom(each));
    device->bodies = builtInKernels();
    const std::chrono::nanoseconds buildTime(each.value("build_ns", std::int64_t{0}));
    device->buildTime = [=](const Macros&) { return BuildTime{buildTime, BuildTime::Clock::virtualTime, false}; };
  }
  const Json host = script.value("host", Json::object());
  requireKnown(host, {"every_call_ns", "by_name"});
  driver.hostTimes.everyCallNs = host.value("every_call_ns", driver.hostTimes.everyCallNs);
  const Json byName = host.value("by_name", Json::object());  // items() refers to it
  for (const auto& [name, ns] : byName.items()) driver.hostTimes.byName[name] = ns.get<std::int64_t>();
}

}  // namespace

void startFromEnvironment() {
  static std::once_flag once;
  std::call_once(once, [] {
    const char* file = std::getenv("HONE_VIRTUAL_DEVICE");
    if (!file || !*file) return;
    try {
      std::ifstream in(file);
      if (!in) throw std::runtime_error("cannot be read");
      const Json script = Json::parse(in);
      const std::lock_guard<std::mutex> lock(Driver::instance().mutex);
      start(script);
    } catch (const std::exception& error) {
      std::cerr << "HONE_VIRTUAL_DEVICE '" << file << "': " << error.what() << std::endl;
    }
  });
}

}  // namespace hone::test::driver
