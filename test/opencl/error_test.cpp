#include "opencl/error.h"

#include <gtest/gtest.h>

#include "support/opencl_device.h"

namespace hone::opencl {
namespace {

TEST(Error, NamesTheCodesOfTheStandard) {
  EXPECT_EQ(detail::errorName(CL_OUT_OF_RESOURCES), "CL_OUT_OF_RESOURCES");
  EXPECT_EQ(detail::errorName(-11), "CL_BUILD_PROGRAM_FAILURE");
  EXPECT_EQ(detail::errorName(-54), "CL_INVALID_WORK_GROUP_SIZE");
  EXPECT_EQ(detail::errorName(-9999), "OpenCL error -9999");  // NVIDIA's, for an illegal access in a kernel
}

TEST(Error, NamesTheCall) {
  EXPECT_EQ(detail::describeError("clFinish", CL_OUT_OF_RESOURCES), "clFinish: CL_OUT_OF_RESOURCES (-5)");
  try {
    detail::check(CL_INVALID_VALUE, "clFlush");
    FAIL() << "it did not throw";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "clFlush: CL_INVALID_VALUE (-30)");
    EXPECT_EQ(error.code(), CL_INVALID_VALUE);
  }
  EXPECT_NO_THROW(detail::check(CL_SUCCESS, "clFlush"));
}

// The standard's codes are -1 to -72 without a gap, but for -20 to -29.
TEST(Error, KnowsEveryCodeOfTheStandard) {
  for (cl_int code = -72; code <= -1; ++code) {
    if (code <= -20 && code >= -29) continue;
    EXPECT_EQ(detail::errorName(code).rfind("CL_", 0), 0u) << code;
  }
}

cl_uint references(cl_event event) {
  cl_uint count = 0;
  EXPECT_EQ(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof(count), &count, nullptr), CL_SUCCESS);
  return count;
}

TEST(Event, OwnsOneReference) {
  const auto context = test::makeContext({test::poclDevices()[0]});
  cl_int code = CL_SUCCESS;
  const cl_event handle = clCreateUserEvent(context.get(), &code);
  Event event(handle);
  EXPECT_EQ(references(handle), 1u);
  {
    const Event copy = event;
    EXPECT_EQ(copy(), handle);
    EXPECT_EQ(references(handle), 2u);
    Event assigned;
    assigned = copy;
    EXPECT_EQ(references(handle), 3u);
    assigned = Event();
    EXPECT_EQ(references(handle), 2u);
  }
  EXPECT_EQ(references(handle), 1u);
  Event moved = std::move(event);
  EXPECT_EQ(event(), nullptr);  // NOLINT: a moved-from event is empty
  EXPECT_EQ(references(handle), 1u);
  moved = *&moved;
  EXPECT_EQ(references(handle), 1u);
  EXPECT_EQ(moved.release(), handle);
  EXPECT_EQ(moved(), nullptr);
  EXPECT_EQ(references(handle), 1u);
  clReleaseEvent(handle);
}

TEST(Event, WaitThrowsWhereThereIsNothingToWaitFor) {
  EXPECT_THROW(Event().wait(), Error);
  const auto context = test::makeContext({test::poclDevices()[0]});
  cl_int code = CL_SUCCESS;
  const Event failed(clCreateUserEvent(context.get(), &code));
  clSetUserEventStatus(failed(), -5);
  EXPECT_THROW(failed.wait(), Error);
}

}  // namespace
}  // namespace hone::opencl
