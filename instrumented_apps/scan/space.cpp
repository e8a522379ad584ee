#include "scan/space.h"

#include "legal_block.h"

namespace hone::apps::scan {

Range blocks() { return {32, 64, 96, 128, 160, 192, 224, 256, 320, 384, 448, 512, 768, 1024}; }

std::string whyNoLookBack(const cl::Device& device, const opencl::DeviceFacts& facts) {
  const bool isNvidia = facts.vendor.find("NVIDIA") != std::string::npos;
  const auto type = device.getInfo<CL_DEVICE_TYPE>();
  if ((type & CL_DEVICE_TYPE_CPU) == 0 && !isNvidia)
    return "it is not known that work-groups of this device go on while others wait for them";
  if (device.getInfo<CL_DEVICE_EXTENSIONS>().find("cl_khr_int64_base_atomics") == std::string::npos)
    return "the device has no cl_khr_int64_base_atomics";
  return "";
}

Space::Space(opencl::TunedProgram& program, const opencl::DeviceFacts& facts, const std::string& whyNoLookBack,
             bool isWide)
    : SectionSpace(program) {
  fixed().block = legalBlock(blocks(), facts, fixed().block);
  const Expression block = add("BLOCK", blocks(), &Configuration::block);
  const Expression items = add("ITEMS", powersOfTwo(1, 16), &Configuration::items);
  const Expression lookBack = add("LOOK_BACK", booleans(), &Configuration::lookBack);
  const Expression groups = addIf(isWide, "GROUPS", {4, 16, 64}, &Configuration::groups);
  const Expression staged = addIf(isWide, "STAGED", booleans(), &Configuration::staged);
  const Expression rakers = addIf(isWide, "RAKERS", {1, 8, 32}, &Configuration::rakers);
  const Settings settings{block, items, lookBack, staged, rakers};

  if (!whyNoLookBack.empty()) program.require(whyNoLookBack, lookBack == 0);
  if (isWide) program.require(implies(lookBack == 1, groups == fixed().groups));  // it has as many as there are tiles
  defineMacros(program, settings);
  program.workGroup(block);
  program.localMemory(localBytes(settings));
}

void defineMacros(opencl::ProgramDeclarations& program, const Settings& settings) {
  program.define("SCAN_BLOCK", settings.block).define("SCAN_ITEMS", settings.items);
  program.define("SCAN_LOOK_BACK", settings.lookBack).define("SCAN_STAGED", settings.staged);
  program.define("SCAN_RAKERS", settings.rakers);
}

Expression localBytes(const Settings& settings) {
  const Expression tile = settings.block * settings.items;
  const Expression stage = select(settings.staged == 1, tile + tile / 32, 1);
  constexpr int kWindow = 8 * 32 + 3 * 4;  // of scanLookBack, with what it found
  return 4 * (settings.block + 2 * settings.rakers + stage) + kWindow;
}

}  // namespace hone::apps::scan
