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
    : SectionSpace(program) {
  const Range blocks = scan::blocks();
  fixed().block = fixed().scanBlock = legalBlock(blocks, facts, fixed().block);
  const Expression block = isWide ? add("BLOCK", blocks, &Configuration::block)
                                  : add("BLOCK", blocks, &Configuration::block, &Configuration::scanBlock);
  addOrDefine(isWide, "CELLS", powersOfTwo(1, 8), &Configuration::cells);
  const Expression scanBlock = isWide ? add("SUM_BLOCK", blocks, &Configuration::scanBlock) : block;
  const Expression scanItems = addIf(isWide, "SUM_ITEMS", powersOfTwo(1, 16), &Configuration::scanItems);
  const Expression lookBack = addIf(isWide, "LOOK_BACK", booleans(), &Configuration::lookBack);
  if (isWide && !whyNoLookBack.empty()) program.require(whyNoLookBack, lookBack == 0);

  const scan::Configuration scan = fixed().ofScan();
  const scan::Settings settings{scanBlock, scanItems, lookBack, scan.staged, scan.rakers};
  scan::defineMacros(program, settings);
  program.workGroup(block);
  if (isWide) program.workGroup(scanBlock);
  program.localMemory(scan::localBytes(settings));
}

}  // namespace hone::apps::marching_cubes
