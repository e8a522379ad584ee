#include "merge_sort/space.h"

#include "legal_block.h"

namespace hone::apps::merge_sort {

namespace {

// Of a kernel that holds `elements` in local memory.
Expression localBytes(const Expression& elements, const Expression& padding, bool hasValues) {
  return (hasValues ? 8 : 4) * (elements + padding * elements / 32);
}

}  // namespace

Space::Space(opencl::TunedProgram& program, const opencl::DeviceFacts& facts, bool hasValues, bool isWide)
    : SectionSpace(program) {
  const auto addBlock = [&](const char* name, Member member) {
    const Range blocks = powersOfTwo(32, 1024);
    fixed().*member = legalBlock(blocks, facts, fixed().*member);
    const Expression block = add(name, blocks, member);
    program.workGroup(block);
    return block;
  };
  const Expression sortBlock = addBlock("SORT_BLOCK", &Configuration::sortBlock);
  addBlock("SPLIT_BLOCK", &Configuration::splitBlock);
  const Expression mergeBlock = addBlock("MERGE_BLOCK", &Configuration::mergeBlock);
  const Range items = powersOfTwo(1, 16);
  const Expression sortItems = addOrDefine(isWide, "SORT_ITEMS", items, &Configuration::sortItems);
  const Expression mergeItems = addOrDefine(isWide, "MERGE_ITEMS", items, &Configuration::mergeItems);
  const Expression padding = addOrDefine(isWide, "PADDING", booleans(), &Configuration::padding);
  program.define("HAS_VALUES", hasValues ? 1 : 0);
  program.localMemory(localBytes(sortBlock * sortItems, padding, hasValues));
  program.localMemory(localBytes(mergeBlock * mergeItems, padding, hasValues));
}

}  // namespace hone::apps::merge_sort
