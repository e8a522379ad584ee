// What PoCL reads when it is loaded, set before main(): two devices, so that there is something to mix up, and a
// compile cache of the tests' own, so that nothing is left over from other programs. Values that are set already are
// kept.
#include <cstdlib>

namespace {

[[maybe_unused]] const bool isSet = [] {
  setenv("POCL_DEVICES", "pthread pthread", 0);
  setenv("POCL_CACHE_DIR", HONE_TEST_POCL_CACHE, 0);
  return true;
}();

}  // namespace
