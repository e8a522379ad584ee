// The table of entry points that each object of the driver begins with.
#pragma once

#include <CL/cl_icd.h>

namespace hone::test::driver {

const cl_icd_dispatch& dispatchTable();

// Each file of entry points puts its own into the table.
void addPlatformCalls(cl_icd_dispatch& table);
void addContextCalls(cl_icd_dispatch& table);
void addQueueCalls(cl_icd_dispatch& table);
void addMemoryCalls(cl_icd_dispatch& table);
void addTransferCalls(cl_icd_dispatch& table);
void addProgramCalls(cl_icd_dispatch& table);
void addKernelCalls(cl_icd_dispatch& table);
void addLaunchCalls(cl_icd_dispatch& table);
void addEventCalls(cl_icd_dispatch& table);

}  // namespace hone::test::driver
