#include "compile/worker_program.h"

#include <dlfcn.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <vector>

namespace hone::detail {

namespace {

namespace fs = std::filesystem;

/// The file that this code was loaded from, the library or the program.
fs::path ownFile() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&findWorkerProgram), &info) == 0 || !info.dli_fname) return {};
  std::error_code ignored;
  return fs::canonical(info.dli_fname, ignored);  // of a program: what it was called by, which may not be its path
}

bool isProgram(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::string findWorkerProgram() {
  std::error_code ignored;
  for (const fs::path& file : {ownFile(), fs::read_symlink("/proc/self/exe", ignored)}) {
    if (file.empty()) continue;
    const fs::path folder = file.parent_path();
    for (const char* place : {"", "libexec/hone", "../libexec/hone", "../../libexec/hone"}) {
      const fs::path candidate = (folder / place / "hone-worker").lexically_normal();
      if (isProgram(candidate)) return candidate.string();
    }
  }
  return "";
}

}  // namespace hone::detail
