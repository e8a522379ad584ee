// A file descriptor that the library owns in a process that is not its own.
#pragma once

#include <sys/types.h>

#include <utility>

namespace hone::detail {

/// Applications close what they do not know (daemons close everything), and the number is then given to a file of
/// theirs: a socket of the library is used and closed only while it is still the one that was opened.
class Descriptor {
 public:
  Descriptor() = default;
  /// Takes over `number`; -1 for none.
  explicit Descriptor(int number);
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept
      : number_(std::exchange(other.number_, -1)), device_(other.device_), inode_(other.inode_) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this == &other) return *this;
    close();
    number_ = std::exchange(other.number_, -1);
    device_ = other.device_;
    inode_ = other.inode_;
    return *this;
  }

  int number() const { return number_; }
  /// False once somebody else has closed it. Sockets only: each has an inode of its own.
  bool isOurs() const;
  void close();

 private:
  int number_ = -1;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace hone::detail
