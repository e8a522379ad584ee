// A search that is looked over its shoulder: what its space is, and what it tries, in order.
//
//   const auto watch = std::make_shared<Watch>();
//   options.makeStrategy = watched("auto", watch);
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "hone/search_space.h"
#include "hone/strategy.h"

namespace hone::bench {

/// Thread safety: internally synchronised.
class Watch {
 public:
  void note(const SearchSpace& space, const Evidence& evidence);

  /// Empty before the strategy was asked for the first time.
  std::optional<SearchSpace> space() const;
  /// As the strategy was shown them last; what was judged after that is missing.
  std::vector<Trial> trials() const;

 private:
  mutable std::mutex mutex_;
  std::optional<SearchSpace> space_;
  std::vector<Trial> trials_;
};

/// For Options::makeStrategy: a strategy of the library, as it is.
std::function<std::unique_ptr<Strategy>(std::uint64_t seed)> watched(const std::string& strategy,
                                                                     std::shared_ptr<Watch> watch);

/// Likewise, but one that never proposes anything: the space is looked at, and nothing is built.
std::function<std::unique_ptr<Strategy>(std::uint64_t seed)> onlyLooking(std::shared_ptr<Watch> watch);

}  // namespace hone::bench
