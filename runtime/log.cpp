#include "log.h"

#include <utility>

#include "hone/error.h"

namespace hone::detail {

// "e": programs that this one starts do not inherit the file.
Log::Log(const std::string& file)
    : owned_(file == "-" ? nullptr : std::fopen(file.c_str(), "ae")), out_(owned_ ? owned_.get() : stderr) {
  if (file != "-" && !owned_) throw UsageError("the log cannot be opened: '" + file + "'");
}

Log::~Log() { write(); }

void Log::add(std::string text) {
  text.erase(text.find_last_not_of('\n') + 1);  // compilers end their logs with empty lines
  for (auto at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 3)) text.replace(at, 1, "\n  ");
  text += '\n';
  const std::lock_guard<std::mutex> lock(mutex_);
  lines_.push_back(std::move(text));
}

bool Log::write() {
  std::vector<std::string> lines;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    lines.swap(lines_);
  }
  for (const std::string& line : lines) {
    std::fwrite(line.data(), 1, line.size(), out_);
    std::fflush(out_);  // a line at a time, since several tuners and processes may append to the same file
  }
  return !lines.empty();
}

}  // namespace hone::detail
