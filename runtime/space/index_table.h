// Finds items of a list by their content: open addressing over their indices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace hone::detail {

inline std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15;  // 2^64 / golden ratio, odd
  return hash ^ (hash >> 32);
}

/// Thread safety: externally synchronised.
class IndexTable {
 public:
  explicit IndexTable(std::size_t expected) {
    std::size_t size = 16;
    while (size < 2 * expected) size *= 2;
    slots_.assign(size, Slot{});
  }

  /// The index of an equal item, or `candidate`, which is then kept.
  template <class IsEqual>
  std::uint32_t findOrAdd(std::uint64_t hash, std::uint32_t candidate, const IsEqual& isEqual) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    for (std::size_t i = hash & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[i];
      if (slot.index == kFree) {
        slot = {hash, candidate};
        ++count_;
        return candidate;
      }
      if (slot.hash == hash && isEqual(slot.index)) return slot.index;
    }
  }

 private:
  static constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t index = kFree;
  };

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.index == kFree) continue;
      std::size_t i = slot.hash & (slots_.size() - 1);
      while (slots_[i].index != kFree) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace hone::detail
