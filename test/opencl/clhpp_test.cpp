// The cl:: classes, in two files of one C++17 program: clhpp_exceptions_test.cpp turns their exceptions on, this one
// leaves them off. The library must work with both, and must not care which file's inline functions the linker kept.

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "hone/opencl.hpp"

#ifdef CL_HPP_ENABLE_EXCEPTIONS
#error this file is the one without exceptions
#endif

#define HONE_CLHPP_SUITE ClhppWithoutExceptions
#include "opencl/clhpp_tests.inc"
