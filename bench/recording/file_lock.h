// One process at a time: a device that several of them share is measured by one, while the others compile.
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

namespace hone::bench {

/// Thread safety: externally synchronised; processes exclude each other.
class FileLock {
 public:
  /// Without a path, nobody is excluded. Throws std::runtime_error if the file cannot be opened.
  explicit FileLock(const std::string& path) {
    if (path.empty()) return;
    file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0) throw std::runtime_error(path + ": cannot be opened");
  }
  ~FileLock() {
    if (file_ >= 0) close(file_);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  void lock() const {
    if (file_ >= 0) flock(file_, LOCK_EX);
  }
  void unlock() const {
    if (file_ >= 0) flock(file_, LOCK_UN);
  }

 private:
  int file_ = -1;
};

}  // namespace hone::bench
