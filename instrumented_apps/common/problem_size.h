// --problem: what a launch works on, written as sizes with an x between them: 1024x1024x1024.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hone::apps {

/// The largest size of any dimension. Kernels count in int, and a tile may reach over the edge by its own length.
inline constexpr std::int64_t kMaximumSize = 2147483647 - 1024;

/// Reads `names.size()` sizes or, where that is enough, one for all of them. Throws InputError, naming the option, its
/// text and what was expected, unless each is a whole number from 1 to kMaximumSize.
std::vector<std::int64_t> parseProblem(const std::string& text, const std::vector<std::string>& names,
                                       bool isOneEnough = false, const std::string& option = "--problem");

/// {1024, 512} -> "1024x512"
std::string problemText(const std::vector<std::int64_t>& sizes);

}  // namespace hone::apps
