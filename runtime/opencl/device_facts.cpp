#include "hone/opencl/device_facts.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>

#include "opencl/device_query.h"
#include "opencl/error.h"

namespace hone::opencl {

namespace detail {

namespace {

// What older headers lack. Each is asked for only where the device names the extension, or has the version.
constexpr cl_uint kPreferredMultiple = 0x1067;     // CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, OpenCL 3.0
constexpr cl_uint kNonUniformSupport = 0x1065;     // CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, OpenCL 3.0
constexpr cl_uint kUuid = 0x106A;                  // CL_DEVICE_UUID_KHR, cl_khr_device_uuid
constexpr cl_uint kPciBusInfo = 0x410F;            // CL_DEVICE_PCI_BUS_INFO_KHR, cl_khr_pci_bus_info
constexpr cl_uint kSubGroupSizesIntel = 0x4108;    // CL_DEVICE_SUB_GROUP_SIZES_INTEL, cl_intel_required_subgroup_size
constexpr cl_uint kWarpSizeNvidia = 0x4003;        // CL_DEVICE_WARP_SIZE_NV, cl_nv_device_attribute_query
constexpr cl_uint kPciBusNvidia = 0x4008;          // CL_DEVICE_PCI_BUS_ID_NV, the same
constexpr cl_uint kPciSlotNvidia = 0x4009;         // CL_DEVICE_PCI_SLOT_ID_NV, the same
constexpr cl_uint kPciDomainNvidia = 0x400A;       // CL_DEVICE_PCI_DOMAIN_ID_NV, the same
constexpr cl_uint kWavefrontWidthAmd = 0x4043;     // CL_DEVICE_WAVEFRONT_WIDTH_AMD, cl_amd_device_attribute_query
constexpr cl_uint kTopologyAmd = 0x4037;           // CL_DEVICE_TOPOLOGY_AMD, the same
constexpr std::size_t kTopologyPlaceAmd = 21;      // where its bytes for bus, device and function begin
constexpr unsigned char kTopologyTypePcieAmd = 1;  // in its first byte

template <class T>
std::optional<T> tryInfo(const InfoQuery& query, cl_uint what) {
  T value{};
  if (query(what, sizeof(value), &value, nullptr) != CL_SUCCESS) return std::nullopt;
  return value;
}

template <class T>
std::vector<T> tryList(const InfoQuery& query, cl_uint what) {
  std::size_t bytes = 0;
  if (query(what, 0, nullptr, &bytes) != CL_SUCCESS) return {};
  std::vector<T> values(bytes / sizeof(T));
  if (values.empty() || query(what, values.size() * sizeof(T), values.data(), nullptr) != CL_SUCCESS) return {};
  return values;
}

std::string tryText(const InfoQuery& query, cl_uint what) {
  const std::vector<char> characters = tryList<char>(query, what);
  std::string text(characters.begin(), std::find(characters.begin(), characters.end(), '\0'));
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

template <class T>
T info(const InfoQuery& query, cl_uint what) {
  T value{};
  check(query(what, sizeof(value), &value, nullptr), "clGetDeviceInfo");
  return value;
}

/// What optional queries depend on.
class Offer {
 public:
  explicit Offer(const InfoQuery& device) {
    std::istringstream words(tryText(device, CL_DEVICE_EXTENSIONS));
    for (std::string word; words >> word;) extensions_.push_back(word);
    // "OpenCL 3.0 ..."
    if (std::sscanf(tryText(device, CL_DEVICE_VERSION).c_str(), "OpenCL %d.", &majorVersion_) != 1) majorVersion_ = 1;
  }

  bool has(const char* extension) const {
    return std::find(extensions_.begin(), extensions_.end(), extension) != extensions_.end();
  }
  int majorVersion() const { return majorVersion_; }

 private:
  std::vector<std::string> extensions_;
  int majorVersion_ = 1;
};

DeviceType typeFrom(cl_device_type type) {
  if (type & CL_DEVICE_TYPE_GPU) return DeviceType::gpu;
  if (type & CL_DEVICE_TYPE_CPU) return DeviceType::cpu;
  return type & CL_DEVICE_TYPE_ACCELERATOR ? DeviceType::accelerator : DeviceType::other;
}

LocalMemory localMemoryFrom(cl_device_local_mem_type type) {
  if (type == CL_LOCAL) return LocalMemory::dedicated;
  return type == CL_GLOBAL ? LocalMemory::global : LocalMemory::none;
}

std::string hexadecimal(const std::array<unsigned char, 16>& bytes) {
  std::string text;
  for (const unsigned char byte : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof(digits), "%02x", byte);
    text += digits;
  }
  return text;
}

/// "0000:1b:00.0"; empty where it is unknown.
std::string placeOnBus(const InfoQuery& device, const Offer& offer) {
  std::optional<std::array<cl_uint, 4>> place;  // domain, bus, device, function
  if (offer.has("cl_khr_pci_bus_info")) place = tryInfo<std::array<cl_uint, 4>>(device, kPciBusInfo);
  if (!place && offer.has("cl_nv_device_attribute_query")) {
    const auto bus = tryInfo<cl_uint>(device, kPciBusNvidia);
    const auto slot = tryInfo<cl_uint>(device, kPciSlotNvidia);  // device and function, as in a PCI address
    const auto domain = tryInfo<cl_uint>(device, kPciDomainNvidia);
    if (bus && slot) place = {domain.value_or(0), *bus, *slot >> 3, *slot & 7};
  }
  if (!place && offer.has("cl_amd_device_attribute_query")) {
    const auto bytes = tryInfo<std::array<unsigned char, 24>>(device, kTopologyAmd);
    if (bytes && (*bytes)[0] == kTopologyTypePcieAmd) {
      const unsigned char* numbers = bytes->data() + kTopologyPlaceAmd;
      place = {0, numbers[0], numbers[1], numbers[2]};
    }
  }
  if (!place) return "";
  char text[64];
  std::snprintf(text, sizeof(text), "%04x:%02x:%02x.%x", (*place)[0], (*place)[1], (*place)[2], (*place)[3]);
  return text;
}

std::string identityFrom(const InfoQuery& device, const Offer& offer, const std::string& platform) {
  using Uuid = std::array<unsigned char, 16>;
  if (offer.has("cl_khr_device_uuid")) {
    const auto uuid = tryInfo<Uuid>(device, kUuid);
    if (uuid && *uuid != Uuid{}) return "uuid:" + hexadecimal(*uuid);
  }
  const std::string name = tryText(device, CL_DEVICE_NAME);
  const std::string place = placeOnBus(device, offer);
  if (!place.empty()) return "pci:" + place + " " + name;
  return "name:" + platform + ", " + name;
}

/// The number of work-items that a warp or a wavefront has.
std::optional<std::size_t> lockstepWidth(const InfoQuery& device, const Offer& offer) {
  std::optional<cl_uint> width;
  if (offer.has("cl_nv_device_attribute_query")) width = tryInfo<cl_uint>(device, kWarpSizeNvidia);
  if (!width && offer.has("cl_amd_device_attribute_query")) width = tryInfo<cl_uint>(device, kWavefrontWidthAmd);
  if (!width || *width == 0) return std::nullopt;
  return *width;
}

std::vector<std::size_t> subGroupSizes(const InfoQuery& device, const Offer& offer) {
  std::vector<std::size_t> sizes;
  if (offer.has("cl_intel_required_subgroup_size")) sizes = tryList<std::size_t>(device, kSubGroupSizesIntel);
  if (sizes.empty() && offer.has("cl_khr_subgroups")) {
    if (const auto width = lockstepWidth(device, offer)) sizes.push_back(*width);
  }
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

/// Every device of OpenCL 2.x has them, none before; since 3.0 it tells.
bool hasNonUniformWorkGroups(const InfoQuery& device, const Offer& offer) {
  if (offer.majorVersion() < 3) return offer.majorVersion() == 2;
  return tryInfo<cl_bool>(device, kNonUniformSupport).value_or(CL_FALSE) != CL_FALSE;
}

InfoQuery queryOf(cl_device_id device) {
  return [device](cl_uint what, std::size_t size, void* value, std::size_t* sizeNeeded) {
    return clGetDeviceInfo(device, what, size, value, sizeNeeded);
  };
}

InfoQuery queryOf(cl_platform_id platform) {
  return [platform](cl_uint what, std::size_t size, void* value, std::size_t* sizeNeeded) {
    return clGetPlatformInfo(platform, what, size, value, sizeNeeded);
  };
}

/// The device that this one is a part of, or itself.
cl_device_id rootOf(cl_device_id device) {
  for (;;) {
    const auto parent = tryInfo<cl_device_id>(queryOf(device), CL_DEVICE_PARENT_DEVICE);
    if (!parent || !*parent) return device;
    device = *parent;
  }
}

/// The identity among the platform's devices; `own` where it is none of them.
std::string identityAmong(cl_platform_id platform, const std::string& platformName, cl_device_id device,
                          const std::string& own) {
  cl_uint count = 0;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) return own;
  std::vector<cl_device_id> devices(count);
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr) != CL_SUCCESS) return own;
  const auto found = std::find(devices.begin(), devices.end(), device);
  if (found == devices.end()) return own;
  std::vector<std::string> identities;
  for (auto other = devices.begin(); other <= found; ++other) {
    const InfoQuery query = queryOf(*other);
    identities.push_back(identityFrom(query, Offer(query), platformName));
  }
  return distinctIdentity(identities, identities.size() - 1);
}

}  // namespace

DeviceFacts factsFrom(const InfoQuery& device, const InfoQuery& platform) {
  const Offer offer(device);
  DeviceFacts facts;
  facts.name = tryText(device, CL_DEVICE_NAME);
  facts.vendor = tryText(device, CL_DEVICE_VENDOR);
  facts.vendorId = tryInfo<cl_uint>(device, CL_DEVICE_VENDOR_ID).value_or(0);
  facts.type = typeFrom(info<cl_device_type>(device, CL_DEVICE_TYPE));
  facts.platform = tryText(platform, CL_PLATFORM_NAME);
  facts.platformVersion = tryText(platform, CL_PLATFORM_VERSION);
  facts.deviceVersion = tryText(device, CL_DEVICE_VERSION);
  facts.languageVersion = tryText(device, CL_DEVICE_OPENCL_C_VERSION);
  facts.driverVersion = tryText(device, CL_DRIVER_VERSION);
  facts.identity = identityFrom(device, offer, facts.platform);

  facts.computeUnits = info<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS);
  facts.maxWorkGroupSize = info<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  facts.maxWorkItemSizes.resize(info<cl_uint>(device, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS));
  check(device(CL_DEVICE_MAX_WORK_ITEM_SIZES, facts.maxWorkItemSizes.size() * sizeof(std::size_t),
               facts.maxWorkItemSizes.data(), nullptr),
        "clGetDeviceInfo");
  if (offer.majorVersion() >= 3) facts.preferredWorkGroupMultiple = tryInfo<std::size_t>(device, kPreferredMultiple);
  if (!facts.preferredWorkGroupMultiple) facts.preferredWorkGroupMultiple = lockstepWidth(device, offer);
  facts.subGroupSizes = subGroupSizes(device, offer);
  facts.hasNonUniformWorkGroups = hasNonUniformWorkGroups(device, offer);

  facts.localMemory = localMemoryFrom(tryInfo<cl_device_local_mem_type>(device, CL_DEVICE_LOCAL_MEM_TYPE).value_or(0));
  facts.localMemoryBytes = info<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE);
  facts.hasFp64 =
      offer.has("cl_khr_fp64") || tryInfo<cl_device_fp_config>(device, CL_DEVICE_DOUBLE_FP_CONFIG).value_or(0) != 0;
  facts.hasFp16 = offer.has("cl_khr_fp16");
  if (const auto ns = tryInfo<std::size_t>(device, CL_DEVICE_PROFILING_TIMER_RESOLUTION))
    facts.timerResolution = std::chrono::nanoseconds(*ns);
  return facts;
}

std::string distinctIdentity(const std::vector<std::string>& identities, std::size_t position) {
  const auto own = identities.begin() + static_cast<std::ptrdiff_t>(position);
  const auto equalsBefore = std::count(identities.begin(), own, *own);
  return equalsBefore == 0 ? *own : *own + "#" + std::to_string(equalsBefore);
}

DeviceFacts factsOf(cl_device_id device) {
  cl_platform_id platform = nullptr;
  check(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof(platform), &platform, nullptr), "clGetDeviceInfo");
  DeviceFacts facts = factsFrom(queryOf(device), queryOf(platform));

  const cl_device_id root = rootOf(device);
  const InfoQuery rootQuery = queryOf(root);
  facts.identity =
      identityAmong(platform, facts.platform, root, identityFrom(rootQuery, Offer(rootQuery), facts.platform));
  if (root != device) facts.identity += " in part: " + std::to_string(facts.computeUnits) + " compute units";
  return facts;
}

}  // namespace detail

namespace {

const char* toString(DeviceType type) {
  switch (type) {
    case DeviceType::cpu: return "CPU";
    case DeviceType::gpu: return "GPU";
    case DeviceType::accelerator: return "accelerator";
    case DeviceType::other: break;
  }
  return "other";
}

const char* toString(LocalMemory memory) {
  switch (memory) {
    case LocalMemory::dedicated: return "dedicated";
    case LocalMemory::global: return "in global memory";
    case LocalMemory::none: break;
  }
  return "none";
}

std::string joined(const std::vector<std::size_t>& values, const char* separator) {
  std::string text;
  for (const std::size_t value : values) text += (text.empty() ? "" : separator) + std::to_string(value);
  return text;
}

}  // namespace

std::string toString(const DeviceFacts& facts) {
  std::ostringstream text;
  text << facts.name << "\n";
  const auto line = [&](const char* title, const std::string& value) {
    char column[32];
    std::snprintf(column, sizeof(column), "  %-25s ", title);
    text << column << (value.empty() ? "unknown" : value) << "\n";
  };
  const auto yesOrNo = [](bool is) { return std::string(is ? "yes" : "no"); };
  char vendorId[16];
  std::snprintf(vendorId, sizeof(vendorId), " (0x%04x)", facts.vendorId);

  line("identity", facts.identity);
  line("type", toString(facts.type));
  line("vendor", facts.vendor + vendorId);
  line("platform", facts.platform);
  line("platform version", facts.platformVersion);
  line("device version", facts.deviceVersion);
  line("language version", facts.languageVersion);
  line("driver version", facts.driverVersion);
  line("compute units", std::to_string(facts.computeUnits));
  line("work-items in a group", std::to_string(facts.maxWorkGroupSize));
  line("in each dimension", joined(facts.maxWorkItemSizes, " x "));
  line("preferred multiple", facts.preferredWorkGroupMultiple ? std::to_string(*facts.preferredWorkGroupMultiple) : "");
  line("sub-group sizes", joined(facts.subGroupSizes, ", "));
  line("non-uniform work-groups", yesOrNo(facts.hasNonUniformWorkGroups));
  line("local memory", std::to_string(facts.localMemoryBytes) + " bytes, " + toString(facts.localMemory));
  line("fp64", yesOrNo(facts.hasFp64));
  line("fp16", yesOrNo(facts.hasFp16));
  line("profiling timer", facts.timerResolution ? std::to_string(facts.timerResolution->count()) + " ns" : "");
  return text.str();
}

}  // namespace hone::opencl
