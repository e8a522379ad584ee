#include "opencl/variant_cache.h"

namespace hone::opencl::detail {

std::shared_ptr<Variant> VariantCache::find(const std::string& options) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = byOptions_.find(options);
  if (found == byOptions_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->variant;
}

void VariantCache::insert(const std::string& options, std::shared_ptr<Variant> variant) {
  Entries released;  // destroyed after the lock: releasing a program is the driver's work
  const std::lock_guard<std::mutex> lock(mutex_);
  if (byOptions_.count(options) != 0) return;
  entries_.push_front({options, std::move(variant)});
  byOptions_.emplace(options, entries_.begin());

  for (auto last = entries_.end(); entries_.size() > capacity_ && last != entries_.begin();) {
    --last;
    if (last->variant.use_count() > 1) continue;  // launched by some session
    byOptions_.erase(last->options);
    const auto victim = last++;
    released.splice(released.begin(), entries_, victim);
  }
}

}  // namespace hone::opencl::detail
