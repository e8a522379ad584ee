// The compiled variants of one kernel, bounded.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "opencl/variant.h"

namespace hone::opencl::detail {

/// Variants by their compiler options. Beyond its capacity it lets go of the least recently asked for; those that a
/// session still holds live on, and count.
/// Thread safety: internally synchronised.
class VariantCache {
 public:
  explicit VariantCache(std::size_t capacity) : capacity_(capacity) {}

  /// Null if there is none.
  std::shared_ptr<Variant> find(const std::string& options);
  void insert(const std::string& options, std::shared_ptr<Variant> variant);

 private:
  struct Entry {
    std::string options;
    std::shared_ptr<Variant> variant;
  };
  using Entries = std::list<Entry>;

  const std::size_t capacity_;
  std::mutex mutex_;
  Entries entries_;  // most recently asked for first
  std::unordered_map<std::string, Entries::iterator> byOptions_;
};

}  // namespace hone::opencl::detail
