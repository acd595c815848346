#include "validator/descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "validator/access_time.h"

namespace hepcheck {

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

Result<Descriptor> open_for_reading(const std::string& path, bool may_be_empty) {
  // Does not wait for the other end of a pipe or the carrier of a line.
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  Descriptor file{open(path.c_str(), kFlags | kKeepAccessTime)};
  if (!file && errno == EPERM)
    file = Descriptor{open(path.c_str(), kFlags)};  // not a descriptor that we opened
  if (!file) return failure(path, errno == ENOENT ? "no such file" : "cannot be read");
  struct stat status{};
  if (fstat(file.get(), &status) != 0) return failure(path, "cannot be read");
  if (S_ISDIR(status.st_mode)) return failure(path, "is a directory");
  if (!S_ISREG(status.st_mode) && !S_ISBLK(status.st_mode))
    return failure(path, "is not a regular file; use - to read standard input");
  if (!may_be_empty && S_ISREG(status.st_mode) && status.st_size == 0)
    return failure(path, "the file is empty");
  return file;
}

}  // namespace hepcheck
