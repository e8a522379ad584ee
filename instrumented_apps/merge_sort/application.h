// The program as others see it: its description, and how its work is opened.
#pragma once

#include "workload.h"

namespace hone::apps::merge_sort {

Application application();

}  // namespace hone::apps::merge_sort
