#include "opencl/variant_cache.h"

namespace hone::opencl::detail {

std::shared_ptr<Variant> VariantCache::find(const std::string& options) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return touch(options);
}

std::shared_ptr<Variant> VariantCache::touch(const std::string& options) {
  const auto found = byOptions_.find(options);
  if (found == byOptions_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->variant;
}

void VariantCache::insert(const std::string& options, std::shared_ptr<Variant> variant, std::size_t bytes) {
  Entries released;  // destroyed after the lock: releasing a program is the driver's work
  const std::lock_guard<std::mutex> lock(mutex_);
  if (byOptions_.count(options) != 0) return;
  entries_.push_front({options, std::move(variant), bytes});
  byOptions_.emplace(options, entries_.begin());
  bytes_ += bytes;
  released = removeBeyondBounds();
}

VariantCache::Entries VariantCache::removeBeyondBounds() {
  Entries removed;
  const auto isBeyond = [this] { return entries_.size() > bounds_.variants || bytes_ > bounds_.bytes; };
  for (auto last = entries_.end(); isBeyond() && last != entries_.begin();) {
    --last;
    const bool isHeld = last->variant.use_count() > 1;  // launched by some session
    if (isHeld || pinned_.count(last->options) != 0) continue;
    byOptions_.erase(last->options);
    bytes_ -= last->bytes;
    const auto victim = last++;
    removed.splice(removed.begin(), entries_, victim);
  }
  return removed;
}

std::shared_ptr<Variant> VariantCache::findOrBuild(const std::string& options,
                                                   const std::function<std::shared_ptr<Variant>()>& build) {
  {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      if (std::shared_ptr<Variant> known = touch(options)) return known;
      if (inBuild_.insert(options).second) break;
      buildEnded_.wait(lock);
    }
  }
  struct Ending {  // also where `build` throws
    ~Ending() {
      const std::lock_guard<std::mutex> lock(cache.mutex_);
      cache.inBuild_.erase(options);
      cache.buildEnded_.notify_all();
    }
    VariantCache& cache;
    const std::string& options;
  } const ending{*this, options};
  std::shared_ptr<Variant> variant = build();
  insert(options, variant, 0);
  return variant;
}

void VariantCache::pin(const std::string& options) {
  const std::lock_guard<std::mutex> lock(mutex_);
  pinned_.insert(options);
}

}  // namespace hone::opencl::detail
