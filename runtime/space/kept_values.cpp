#include "space/kept_values.h"

#include <algorithm>
#include <numeric>

#include "space/program.h"

namespace hone::detail {

namespace {

// Rounds in which the bounds of one parameter's values shrink another's. Chains are short in practice, and what is left
// over is found when values are combined.
constexpr int kRounds = 4;

std::vector<std::vector<std::uint32_t>> allPositions(const DeclarationData& declarations) {
  std::vector<std::vector<std::uint32_t>> all;
  for (const ParameterDeclaration& parameter : declarations.parameters) {
    all.emplace_back(parameter.values.size());
    std::iota(all.back().begin(), all.back().end(), 0U);
  }
  return all;
}

}  // namespace

KeptValues::KeptValues(const DeclarationData& declarations) : KeptValues(declarations, allPositions(declarations)) {}

KeptValues::KeptValues(const DeclarationData& declarations, std::vector<std::vector<std::uint32_t>> positions)
    : declarations_(declarations), positions_(std::move(positions)), bounds_(positions_.size()) {
  for (std::size_t p = 0; p < positions_.size(); ++p) findBounds(p);
}

bool KeptValues::shrink(std::vector<Conjunct>& conjuncts, const std::int64_t* problem) {
  std::vector<Conjunct> coupling;
  for (Conjunct& conjunct : conjuncts) {
    if (conjunct.reads.size() > 1) {
      coupling.push_back(std::move(conjunct));
      continue;
    }
    const Program program(
        *conjunct.condition, [](std::size_t) { return std::size_t{0}; }, problem);
    std::vector<std::int64_t> stack(program.stackSize());
    if (conjunct.reads.empty()) {
      if (!program.run(nullptr, stack.data()).isTrue()) return false;
      continue;
    }
    drop(conjunct.reads[0], [&](std::int64_t value) { return !program.run(&value, stack.data()).isTrue(); });
    if (count(conjunct.reads[0]) == 0) return false;
  }
  conjuncts = std::move(coupling);

  bool hasChanged = true;
  for (int round = 0; round < kRounds && hasChanged; ++round) {
    hasChanged = false;
    for (const Conjunct& conjunct : conjuncts) {
      if (!doBoundsTell(*conjunct.condition)) continue;
      for (std::size_t p : conjunct.reads) {
        std::vector<Bounds> others = bounds_;
        hasChanged |= drop(p, [&](std::int64_t value) {
          others[p] = {value, value};
          return !canHold(*conjunct.condition, others, problem);
        });
        if (count(p) == 0) return false;
      }
    }
  }
  return true;
}

template <class IsExcluded>
bool KeptValues::drop(std::size_t parameter, const IsExcluded& isExcluded) {
  std::vector<std::uint32_t>& positions = positions_[parameter];
  const std::vector<std::int64_t>& values = declarations_.parameters[parameter].values;
  const auto end =
      std::remove_if(positions.begin(), positions.end(), [&](std::uint32_t i) { return isExcluded(values[i]); });
  if (end == positions.end()) return false;
  positions.erase(end, positions.end());
  findBounds(parameter);
  return true;
}

void KeptValues::findBounds(std::size_t parameter) {
  if (positions_[parameter].empty()) return;
  Bounds& bounds = bounds_[parameter];
  bounds = {value(parameter, 0), value(parameter, 0)};
  for (std::size_t place = 1; place < count(parameter); ++place) {
    bounds.least = std::min(bounds.least, value(parameter, place));
    bounds.greatest = std::max(bounds.greatest, value(parameter, place));
  }
}

}  // namespace hone::detail
