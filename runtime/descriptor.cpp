#include "descriptor.h"

#include <sys/stat.h>
#include <unistd.h>

namespace hone::detail {

Descriptor::Descriptor(int number) : number_(number) {
  struct stat status {};
  if (number_ < 0 || fstat(number_, &status) != 0) return;
  device_ = status.st_dev;
  inode_ = status.st_ino;
}

bool Descriptor::isOurs() const {
  struct stat status {};
  return number_ >= 0 && fstat(number_, &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
}

void Descriptor::close() {
  if (isOurs()) ::close(number_);
  number_ = -1;
}

}  // namespace hone::detail
