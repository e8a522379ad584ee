// The compiled variants of one kernel, bounded.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "opencl/variant.h"

namespace hone::opencl::detail {

/// Variants by their compiler options. Beyond its bounds it lets go of the least recently asked for. Those that a
/// session still holds (incumbents, candidates under way) live on and count, as do those that are pinned.
/// Thread safety: internally synchronised; no lock is held while a variant is built or released.
class VariantCache {
 public:
  struct Bounds {
    std::size_t variants;
    std::size_t bytes;  // of binaries, as far as they are known
  };

  explicit VariantCache(Bounds bounds) : bounds_(bounds) {}

  /// Null if there is none.
  std::shared_ptr<Variant> find(const std::string& options);
  /// `bytes` is the size of the variant's binary, 0 where it is not known. What is there already is kept.
  void insert(const std::string& options, std::shared_ptr<Variant> variant, std::size_t bytes);

  /// The variant; where there is none, what `build` makes. Several threads that ask for the same one wait for one build
  /// of it. Throws what `build` throws; then the next thread tries.
  std::shared_ptr<Variant> findOrBuild(const std::string& options,
                                       const std::function<std::shared_ptr<Variant>()>& build);

  /// Keeps a variant, from now on or once it is inserted, whether or not it is asked for.
  void pin(const std::string& options);

 private:
  struct Entry {
    std::string options;
    std::shared_ptr<Variant> variant;
    std::size_t bytes;
  };
  using Entries = std::list<Entry>;

  // With the lock held:
  std::shared_ptr<Variant> touch(const std::string& options);
  Entries removeBeyondBounds();

  const Bounds bounds_;
  std::mutex mutex_;
  std::condition_variable buildEnded_;
  Entries entries_;  // most recently asked for first
  std::unordered_map<std::string, Entries::iterator> byOptions_;
  std::unordered_set<std::string> pinned_;
  std::unordered_set<std::string> inBuild_;
  std::size_t bytes_ = 0;
};

}  // namespace hone::opencl::detail
