#include "conformance/suite/hep001/memory_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace hepcheck::hep001::suite {

Result<Descriptor> memory_file(const std::string& bytes) {
  const auto trouble = [] { return failure("file in memory", std::strerror(errno)); };
  Descriptor file{::memfd_create("hepcheck", MFD_CLOEXEC | MFD_ALLOW_SEALING)};
  if (!file) return trouble();
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t wrote = ::write(file.get(), bytes.data() + done, bytes.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return trouble();
    done += static_cast<std::size_t>(wrote);
  }
  constexpr int kSeals = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;
  if (::fcntl(file.get(), F_ADD_SEALS, kSeals) != 0) return trouble();
  return file;
}

}  // namespace hepcheck::hep001::suite
