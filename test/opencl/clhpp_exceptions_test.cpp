// The same tests as clhpp_test.cpp, with the exceptions of the cl:: classes on.

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#define CL_HPP_ENABLE_EXCEPTIONS
#include "hone/opencl.hpp"

#define HONE_CLHPP_SUITE ClhppWithExceptions
#include "opencl/clhpp_tests.inc"
