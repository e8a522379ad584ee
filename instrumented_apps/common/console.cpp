#include "console.h"

#include <unistd.h>

#include <iostream>

namespace hone::apps {

namespace {

constexpr std::size_t kColumns = 79;
constexpr const char* kEraseLine = "\r\x1b[K";

}  // namespace

Console Console::ofProcess() { return Console(std::cout, std::cerr, isatty(STDOUT_FILENO) == 1); }

void Console::status(const std::string& text) {
  if (!isTerminal_) return;
  const std::lock_guard lock(mutex_);
  shown_ = text.substr(0, kColumns);
  out_ << kEraseLine << shown_ << std::flush;
}

void Console::clearStatus() {
  const std::lock_guard lock(mutex_);
  erase();
  shown_.clear();
}

void Console::note(const std::string& line) {
  const std::lock_guard lock(mutex_);
  erase();
  errors_ << line << std::endl;
  if (!shown_.empty()) out_ << shown_ << std::flush;
}

void Console::erase() {
  if (!shown_.empty()) out_ << kEraseLine << std::flush;
}

}  // namespace hone::apps
