// The log that HONE_LOG asks for: lines are handed over by launches and written off the launch path.
#pragma once

#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace hone::detail {

/// Thread safety: internally synchronised; no lock is held while a line is written.
class Log {
 public:
  /// Lines are appended to the file; "-" is standard error. Throws UsageError if it cannot be opened.
  explicit Log(const std::string& file);
  /// Writes what is left: a run's last lines are the ones that matter.
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  /// Keeps a line for write(). Further lines of the text are indented.
  void add(std::string text);
  /// Writes what was added since; returns whether that was anything.
  bool write();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> owned_;  // null for standard error
  std::FILE* out_;
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

}  // namespace hone::detail
