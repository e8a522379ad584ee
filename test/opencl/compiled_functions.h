// What PoCL has compiled, as its cache shows: <letters>/<program>/<kernel>/<specialisation>/<kernel>.so
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace hone::test {

/// A kernel's name that no earlier run has used, so that nothing of it is in the cache.
inline std::string newKernelName() {
  return "kernel" + std::to_string(std::chrono::system_clock::now().time_since_epoch().count());
}

/// The functions compiled so far for kernels of this name, by all programs of the machine that share the cache. One for
/// any size of work-group is among them where a binary was packed.
inline std::size_t compiledFunctions(const std::string& kernelName) {
  namespace fs = std::filesystem;
  std::size_t count = 0;
  for (const auto& letters : fs::directory_iterator(std::getenv("POCL_CACHE_DIR"))) {
    if (!letters.is_directory()) continue;
    for (const auto& program : fs::directory_iterator(letters)) {
      std::error_code isNotThere;
      for (const auto& specialisation : fs::directory_iterator(program.path() / kernelName, isNotThere))
        count += fs::exists(specialisation.path() / (kernelName + ".so")) ? 1 : 0;
    }
  }
  return count;
}

}  // namespace hone::test
