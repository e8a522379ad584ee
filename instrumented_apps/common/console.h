// The terminal: one line that is rewritten on stdout, and notes on stderr that do not run into it.
#pragma once

#include <mutex>
#include <ostream>
#include <string>

namespace hone::apps {

/// Thread safety: internally synchronised.
class Console {
 public:
  /// `isTerminal`: whether `out` is one; otherwise there is no status line.
  Console(std::ostream& out, std::ostream& errors, bool isTerminal)
      : out_(out), errors_(errors), isTerminal_(isTerminal) {}

  /// stdout and stderr.
  static Console ofProcess();

  bool isTerminal() const { return isTerminal_; }

  /// Rewrites the status line, cut to 79 columns so that it never wraps.
  void status(const std::string& text);
  /// Removes the status line.
  void clearStatus();
  /// A line of its own on the error stream, above the status line.
  void note(const std::string& line);

 private:
  void erase();

  std::ostream& out_;
  std::ostream& errors_;
  const bool isTerminal_;
  std::mutex mutex_;
  std::string shown_;
};

}  // namespace hone::apps
