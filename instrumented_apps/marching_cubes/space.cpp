#include "marching_cubes/space.h"

#include "legal_block.h"

namespace hone::apps::marching_cubes {

scan::Configuration Configuration::ofScan() const {
  scan::Configuration scan;
  scan.block = scanBlock;
  scan.items = scanItems;
  scan.lookBack = lookBack;
  return scan;
}

Space::Space(opencl::TunedProgram& program, const opencl::DeviceFacts& facts, const std::string& whyNoLookBack,
             bool isWide)
    : isWide_(isWide) {
  const Range blocks = scan::blocks();
  fixed_.block = fixed_.scanBlock = legalBlock(blocks, facts, fixed_.block);
  const auto add = [&](const char* name, const Range& range, std::int64_t Configuration::*member) -> Expression {
    const Parameter parameter = program.addParameter(name, range, fixed_.*member);
    parameters_.emplace_back(parameter, member);
    return parameter;
  };
  const auto addIfWide = [&](const char* name, const Range& range, std::int64_t Configuration::*member) {
    return isWide ? add(name, range, member) : Expression(fixed_.*member);
  };
  const Expression block = add("BLOCK", blocks, &Configuration::block);
  if (isWide) {
    add("CELLS", powersOfTwo(1, 8), &Configuration::cells);
  } else {
    program.define("CELLS", fixed_.cells);
  }
  const Expression scanBlock = isWide ? add("SUM_BLOCK", blocks, &Configuration::scanBlock) : block;
  const Expression scanItems = addIfWide("SUM_ITEMS", powersOfTwo(1, 16), &Configuration::scanItems);
  const Expression lookBack = addIfWide("LOOK_BACK", booleans(), &Configuration::lookBack);
  if (isWide && !whyNoLookBack.empty()) program.require(whyNoLookBack, lookBack == 0);

  const scan::Configuration scan = fixed_.ofScan();
  const scan::Settings settings{scanBlock, scanItems, lookBack, scan.staged, scan.rakers};
  scan::defineMacros(program, settings);
  program.workGroup(block);
  if (isWide) program.workGroup(scanBlock);
  program.localMemory(scan::localBytes(settings));
}

Configuration Space::configuration(const opencl::TunedProgram& program) const {
  Configuration configuration = fixed_;
  for (const auto& [parameter, member] : parameters_) configuration.*member = program[parameter];
  if (!isWide_) configuration.scanBlock = configuration.block;
  return configuration;
}

}  // namespace hone::apps::marching_cubes
