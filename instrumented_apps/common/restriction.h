// --restrict: the values that candidates may take, parameter by parameter: MWG=32:64,SA=0.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hone/declarations.h"

namespace hone::apps {

struct Restriction {
  std::string parameter;
  std::vector<std::int64_t> values;
};

/// Throws InputError, naming the part that is wrong. Whether the parameter and its values exist is found out by
/// restrictCandidates().
std::vector<Restriction> parseRestrictions(const std::string& text);

/// Throws UsageError where the parameter or one of its values does not exist.
void restrictCandidates(const std::vector<Restriction>& restrictions, Declarations& declarations);

}  // namespace hone::apps
