#include "merge_sort/space.h"

#include "legal_block.h"

namespace hone::apps::merge_sort {

namespace {

// Of a kernel that holds `elements` in local memory.
Expression localBytes(const Expression& elements, const Expression& padding, bool hasValues) {
  return (hasValues ? 8 : 4) * (elements + padding * elements / 32);
}

}  // namespace

Space::Space(opencl::TunedProgram& program, const opencl::DeviceFacts& facts, bool hasValues, bool isWide) {
  const Range blocks = powersOfTwo(32, 1024);
  const auto add = [&](const char* name, const Range& range, std::int64_t Configuration::*member) -> Expression {
    const Parameter parameter = program.addParameter(name, range, fixed_.*member);
    parameters_.emplace_back(parameter, member);
    return parameter;
  };
  const auto addBlock = [&](const char* name, std::int64_t Configuration::*member) {
    fixed_.*member = legalBlock(blocks, facts, fixed_.*member);
    const Expression block = add(name, blocks, member);
    program.workGroup(block);
    return block;
  };
  const auto addIfWide = [&](const char* name, const Range& range, std::int64_t Configuration::*member) {
    if (isWide) return add(name, range, member);
    program.define(name, fixed_.*member);
    return Expression(fixed_.*member);
  };
  const Expression sortBlock = addBlock("SORT_BLOCK", &Configuration::sortBlock);
  addBlock("SPLIT_BLOCK", &Configuration::splitBlock);
  const Expression mergeBlock = addBlock("MERGE_BLOCK", &Configuration::mergeBlock);
  const Expression sortItems = addIfWide("SORT_ITEMS", powersOfTwo(1, 16), &Configuration::sortItems);
  const Expression mergeItems = addIfWide("MERGE_ITEMS", powersOfTwo(1, 16), &Configuration::mergeItems);
  const Expression padding = addIfWide("PADDING", booleans(), &Configuration::padding);
  program.define("HAS_VALUES", hasValues ? 1 : 0);
  program.localMemory(localBytes(sortBlock * sortItems, padding, hasValues));
  program.localMemory(localBytes(mergeBlock * mergeItems, padding, hasValues));
}

Configuration Space::configuration(const opencl::TunedProgram& program) const {
  Configuration configuration = fixed_;
  for (const auto& [parameter, member] : parameters_) configuration.*member = program[parameter];
  return configuration;
}

}  // namespace hone::apps::merge_sort
