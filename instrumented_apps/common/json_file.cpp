#include "json_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "errors.h"

namespace hone::apps {

namespace {

[[noreturn]] void fail(const std::string& option, const std::string& path, int reason) {
  throw InputError(option + " '" + path + "': cannot write: " + std::strerror(reason));
}

}  // namespace

void requireWritable(const std::string& path, const std::string& option) {
  std::error_code ignored;
  const bool existed = std::filesystem::exists(path, ignored);
  errno = 0;
  {
    const std::ofstream file(path, std::ios::app);
    if (!file) fail(option, path, errno);
  }
  if (!existed) std::filesystem::remove(path, ignored);
}

void writeJson(const std::string& path, const nlohmann::ordered_json& json) {
  errno = 0;
  std::ofstream file(path);
  // Drivers may name a device in an encoding of their own; such bytes are replaced instead of ending the program.
  file << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << std::endl;
  if (!file) fail("--json", path, errno);
}

}  // namespace hone::apps
