// What PoCL reads when it is loaded, set before main(): two devices, so that there is something to mix up, and a
// compile cache of the tests' own, so that nothing is left over from other programs. And no compile workers: a step
// compiles one candidate, so that the same launches lead to the same trials. Values that are set already are kept.
#include <cstdlib>

namespace {

[[maybe_unused]] const bool isSet = [] {
  setenv("POCL_DEVICES", "pthread pthread", 0);
  setenv("POCL_CACHE_DIR", HONE_TEST_POCL_CACHE, 0);
  setenv("HONE_WORKERS", "0", 0);
  return true;
}();

}  // namespace
