// The value of a constant integer expression of C: what stands behind #if, or in reqd_work_group_size.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hone::test::driver {

/// Of tokens whose macros are expanded; names that are left count as 0, as in #if. Empty where it is no expression or
/// divides by zero.
std::optional<std::int64_t> evaluate(const std::vector<std::string>& tokens);

}  // namespace hone::test::driver
