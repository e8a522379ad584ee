// Hone for OpenCL: kernels and programs that tune themselves, and event times for the three calls.
//
// Works with the C handles and with any wrapper whose operator() gives the handle, as the cl:: classes do. Include
// hone/opencl.hpp instead to convert results to the cl:: classes as well.
#pragma once

#include "hone/hone.h"
#include "hone/opencl/device_facts.h"
#include "hone/opencl/event.h"
#include "hone/opencl/handles.h"
#include "hone/opencl/launch.h"
#include "hone/opencl/program_declarations.h"
#include "hone/opencl/runtime.h"
#include "hone/opencl/tuned_kernel.h"
#include "hone/opencl/tuned_program.h"
