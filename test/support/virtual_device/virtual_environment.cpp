// What the OpenCL loader reads, set before main() and so before the first OpenCL call: where it finds the virtual
// device, beside the system's own drivers.
#include <cstdlib>

namespace {

[[maybe_unused]] const bool isSet = [] {
  setenv("OCL_ICD_VENDORS", HONE_TEST_ICD_FOLDER, 1);
  return true;
}();

}  // namespace
