#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "opencl/device_query.h"
#include "opencl/workbench.h"

namespace hone::opencl {
namespace {

using detail::distinctIdentity;
using detail::factsFrom;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A device, or a platform, that answers what it was given, and CL_INVALID_VALUE otherwise.
class Answers {
 public:
  template <class T>
  Answers& with(cl_uint what, const std::vector<T>& values) {
    const auto* bytes = reinterpret_cast<const char*>(values.data());
    byQuery_[what].assign(bytes, bytes + values.size() * sizeof(T));
    return *this;
  }
  template <class T>
  Answers& with(cl_uint what, T value) {
    return with(what, std::vector<T>{value});
  }
  Answers& with(cl_uint what, const char* text) {
    return with(what, std::vector<char>(text, text + std::strlen(text) + 1));
  }
  Answers& without(cl_uint what) {
    byQuery_.erase(what);
    return *this;
  }

  cl_int operator()(cl_uint what, std::size_t size, void* value, std::size_t* sizeNeeded) const {
    const auto found = byQuery_.find(what);
    if (found == byQuery_.end()) return CL_INVALID_VALUE;
    if (sizeNeeded) *sizeNeeded = found->second.size();
    if (!value) return CL_SUCCESS;
    if (size < found->second.size()) return CL_INVALID_VALUE;
    std::memcpy(value, found->second.data(), found->second.size());
    return CL_SUCCESS;
  }

 private:
  std::map<cl_uint, std::vector<char>> byQuery_;
};

Answers platform() { return Answers().with(CL_PLATFORM_NAME, "Testing").with(CL_PLATFORM_VERSION, "OpenCL 3.0 T"); }

/// What every device must tell, and nothing else.
Answers plainDevice(const char* version = "OpenCL 1.2 X") {
  return Answers()
      .with(CL_DEVICE_NAME, " Card 7 ")
      .with(CL_DEVICE_VENDOR, "Maker")
      .with(CL_DEVICE_VERSION, version)
      .with(CL_DRIVER_VERSION, "42.1")
      .with(CL_DEVICE_EXTENSIONS, "")
      .with(CL_DEVICE_TYPE, cl_device_type{CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT})
      .with(CL_DEVICE_MAX_COMPUTE_UNITS, cl_uint{132})
      .with(CL_DEVICE_MAX_WORK_GROUP_SIZE, std::size_t{1024})
      .with(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, cl_uint{3})
      .with(CL_DEVICE_MAX_WORK_ITEM_SIZES, std::vector<std::size_t>{1024, 512, 64})
      .with(CL_DEVICE_LOCAL_MEM_SIZE, cl_ulong{49152});
}

// ---- PoCL

TEST(DeviceFacts, OfTheRuntimeAreTheDevices) {
  test::Workbench bench;
  const DeviceFacts& facts = bench.runtime.facts();
  std::size_t workGroup = 0, sizes[3] = {};
  cl_ulong localBytes = 0;
  cl_uint units = 0;
  char name[256] = {};
  clGetDeviceInfo(bench.device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(workGroup), &workGroup, nullptr);
  clGetDeviceInfo(bench.device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof(sizes), sizes, nullptr);
  clGetDeviceInfo(bench.device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(localBytes), &localBytes, nullptr);
  clGetDeviceInfo(bench.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units), &units, nullptr);
  clGetDeviceInfo(bench.device, CL_DEVICE_NAME, sizeof(name), name, nullptr);
  EXPECT_EQ(facts.maxWorkGroupSize, workGroup);
  EXPECT_EQ(facts.maxWorkItemSizes, std::vector<std::size_t>(sizes, sizes + 3));
  EXPECT_EQ(facts.localMemoryBytes, localBytes);
  EXPECT_EQ(facts.computeUnits, units);
  EXPECT_EQ(facts.name, name);
  EXPECT_EQ(facts.platform, "Portable Computing Language");
  EXPECT_EQ(facts.type, DeviceType::cpu);
  EXPECT_EQ(facts.localMemory, LocalMemory::global);
  EXPECT_TRUE(contains(toString(facts), name)) << toString(facts);
}

TEST(DeviceFacts, TwoDevicesOfOneNameDiffer) {
  const std::vector<cl_device_id> devices = test::poclDevices(2);
  const DeviceFacts first = deviceFacts(devices[0]), second = deviceFacts(devices[1]);
  EXPECT_EQ(first.name, second.name);
  EXPECT_NE(first.identity, second.identity);
  EXPECT_EQ(first.identity, deviceFacts(devices[0]).identity);
}

TEST(DeviceFacts, PartOfADeviceHasTheDevicesIdentityAndItsSize) {
  const cl_device_id device = test::poclDevices(2)[1];
  const DeviceFacts whole = deviceFacts(device);
  const cl_device_partition_property one[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  std::vector<cl_device_id> parts(whole.computeUnits);
  const auto count = static_cast<cl_uint>(parts.size());
  if (clCreateSubDevices(device, one, count, parts.data(), nullptr) != CL_SUCCESS)
    GTEST_SKIP() << "the device cannot be partitioned";
  EXPECT_EQ(deviceFacts(parts[0]).identity, whole.identity + " in part: 1 compute units");
  for (cl_device_id part : parts) clReleaseDevice(part);
}

// ---- what other devices answer

TEST(DeviceFacts, OfADeviceThatTellsNothingMoreThanItMustAreUnknown) {
  const DeviceFacts facts = factsFrom(plainDevice(), platform());
  EXPECT_EQ(facts.name, "Card 7");
  EXPECT_EQ(facts.type, DeviceType::gpu);
  EXPECT_EQ(facts.computeUnits, 132u);
  EXPECT_EQ(facts.maxWorkItemSizes, (std::vector<std::size_t>{1024, 512, 64}));
  EXPECT_FALSE(facts.preferredWorkGroupMultiple.has_value());
  EXPECT_TRUE(facts.subGroupSizes.empty());
  EXPECT_FALSE(facts.hasNonUniformWorkGroups);
  EXPECT_EQ(facts.localMemory, LocalMemory::none);
  EXPECT_FALSE(facts.hasFp64);
  EXPECT_FALSE(facts.hasFp16);
  EXPECT_FALSE(facts.timerResolution.has_value());
  EXPECT_EQ(facts.identity, "name:Testing, Card 7");
  EXPECT_EQ(toString(facts),
            "Card 7\n"
            "  identity                  name:Testing, Card 7\n"
            "  type                      GPU\n"
            "  vendor                    Maker (0x0000)\n"
            "  platform                  Testing\n"
            "  platform version          OpenCL 3.0 T\n"
            "  device version            OpenCL 1.2 X\n"
            "  language version          unknown\n"
            "  driver version            42.1\n"
            "  compute units             132\n"
            "  work-items in a group     1024\n"
            "  in each dimension         1024 x 512 x 64\n"
            "  preferred multiple        unknown\n"
            "  sub-group sizes           unknown\n"
            "  non-uniform work-groups   no\n"
            "  local memory              49152 bytes, none\n"
            "  fp64                      no\n"
            "  fp16                      no\n"
            "  profiling timer           unknown\n");
}

TEST(DeviceFacts, ThatEveryDeviceMustTellAreMissedByTheirQuery) {
  EXPECT_THROW(factsFrom(plainDevice().without(CL_DEVICE_MAX_WORK_GROUP_SIZE), platform()), Error);
  EXPECT_THROW(factsFrom(plainDevice().without(CL_DEVICE_MAX_WORK_ITEM_SIZES), platform()), Error);
  EXPECT_THROW(factsFrom(plainDevice().without(CL_DEVICE_LOCAL_MEM_SIZE), platform()), Error);
}

TEST(DeviceFacts, NonUniformWorkGroupsDependOnTheVersion) {
  constexpr cl_uint kSupport = 0x1065;
  const auto has = [](Answers device) { return factsFrom(device, platform()).hasNonUniformWorkGroups; };
  EXPECT_FALSE(has(plainDevice("OpenCL 1.2 X").with(kSupport, cl_bool{CL_TRUE})));
  EXPECT_TRUE(has(plainDevice("OpenCL 2.0 X")));
  EXPECT_TRUE(has(plainDevice("OpenCL 2.2")));
  EXPECT_FALSE(has(plainDevice("OpenCL 3.0 X")));
  EXPECT_FALSE(has(plainDevice("OpenCL 3.0 X").with(kSupport, cl_bool{CL_FALSE})));
  EXPECT_TRUE(has(plainDevice("OpenCL 3.0 X").with(kSupport, cl_bool{CL_TRUE})));
}

TEST(DeviceFacts, OfAnNvidiaDeviceComeFromItsExtension) {
  const auto nvidia = plainDevice("OpenCL 3.0 CUDA")
                          .with(CL_DEVICE_EXTENSIONS, "cl_khr_fp64 cl_khr_subgroups cl_nv_device_attribute_query")
                          .with(CL_DEVICE_VENDOR_ID, cl_uint{0x10de})
                          .with(CL_DEVICE_LOCAL_MEM_TYPE, cl_device_local_mem_type{CL_LOCAL})
                          .with(CL_DEVICE_PROFILING_TIMER_RESOLUTION, std::size_t{1000})
                          .with(0x4003, cl_uint{32})      // warp
                          .with(0x4008, cl_uint{0x1b})    // bus
                          .with(0x4009, cl_uint{3 << 3})  // slot
                          .with(0x400A, cl_uint{2});      // domain
  const DeviceFacts facts = factsFrom(nvidia, platform());
  EXPECT_EQ(facts.identity, "pci:0002:1b:03.0 Card 7");
  EXPECT_EQ(facts.preferredWorkGroupMultiple, 32u);
  EXPECT_EQ(facts.subGroupSizes, std::vector<std::size_t>{32});
  EXPECT_EQ(facts.localMemory, LocalMemory::dedicated);
  EXPECT_TRUE(facts.hasFp64);
  EXPECT_EQ(facts.timerResolution, std::chrono::nanoseconds(1000));
  EXPECT_TRUE(contains(toString(facts), "Maker (0x10de)"));
  EXPECT_TRUE(contains(toString(facts), "1000 ns"));
}

TEST(DeviceFacts, OfAnAmdDeviceComeFromItsExtension) {
  std::vector<unsigned char> topology(24);
  topology[0] = 1;  // PCIe
  topology[21] = 0xc3, topology[22] = 1, topology[23] = 2;
  const auto amd = plainDevice("OpenCL 2.1 AMD")
                       .with(CL_DEVICE_EXTENSIONS, "cl_amd_device_attribute_query cl_khr_fp16")
                       .with(0x4043, cl_uint{64})  // wavefront
                       .with(0x4037, topology);
  const DeviceFacts facts = factsFrom(amd, platform());
  EXPECT_EQ(facts.identity, "pci:0000:c3:01.2 Card 7");
  EXPECT_EQ(facts.preferredWorkGroupMultiple, 64u);
  EXPECT_TRUE(facts.hasFp16);
}

TEST(DeviceFacts, SubGroupSizesOfAnIntelDeviceAreAscending) {
  const auto intel = plainDevice("OpenCL 3.0 NEO")
                         .with(CL_DEVICE_EXTENSIONS, "cl_intel_required_subgroup_size")
                         .with(0x1067, std::size_t{64})  // preferred multiple, OpenCL 3.0
                         .with(0x4108, std::vector<std::size_t>{32, 8, 16});
  const DeviceFacts facts = factsFrom(intel, platform());
  EXPECT_EQ(facts.subGroupSizes, (std::vector<std::size_t>{8, 16, 32}));
  EXPECT_EQ(facts.preferredWorkGroupMultiple, 64u);
}

TEST(DeviceFacts, IdentityIsTheUuidOrElseThePlaceOrElseTheName) {
  std::vector<unsigned char> uuid(16);
  for (std::size_t i = 0; i < uuid.size(); ++i) uuid[i] = static_cast<unsigned char>(0xf0 + i);
  auto device = plainDevice()
                    .with(CL_DEVICE_EXTENSIONS, "cl_khr_device_uuid cl_khr_pci_bus_info")
                    .with(0x106A, uuid)
                    .with(0x410F, std::vector<cl_uint>{1, 0x2a, 0x1f, 7});
  const auto identity = [&] { return factsFrom(device, platform()).identity; };
  EXPECT_EQ(identity(), "uuid:f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
  device.with(0x106A, std::vector<unsigned char>(16));  // no UUID at all
  EXPECT_EQ(identity(), "pci:0001:2a:1f.7 Card 7");
  device.with(CL_DEVICE_EXTENSIONS, "cl_khr_device_uuid");  // who does not name an extension is not asked
  EXPECT_EQ(identity(), "name:Testing, Card 7");
}

TEST(DeviceFacts, EqualIdentitiesAreNumbered) {
  const std::vector<std::string> identities{"a", "b", "a", "a"};
  EXPECT_EQ(distinctIdentity(identities, 0), "a");
  EXPECT_EQ(distinctIdentity(identities, 1), "b");
  EXPECT_EQ(distinctIdentity(identities, 2), "a#1");
  EXPECT_EQ(distinctIdentity(identities, 3), "a#2");
}

}  // namespace
}  // namespace hone::opencl
