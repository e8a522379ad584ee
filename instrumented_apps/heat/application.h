// The program as others see it: its description, and how its work is opened.
#pragma once

#include <string>
#include <vector>

#include "workload.h"

namespace hone::apps::heat {

/// `dimensions`: 2 or 3, as many sizes does a problem have.
Application application(int dimensions = 2);

/// What --dimensions says, since the other options depend on it; 2 where it says nothing that makes sense, which
/// parseOptions() then finds out.
int dimensionsIn(const std::vector<std::string>& arguments);

}  // namespace hone::apps::heat
