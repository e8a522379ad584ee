// The program as others see it: its description, and how its work is opened.
#pragma once

#include "workload.h"

namespace hone::apps::conv2d {

Application application();

}  // namespace hone::apps::conv2d
