#include "validator/copy_file.h"

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <format>
#include <memory>
#include <optional>
#include <vector>

namespace hepcheck {

namespace {

// Whether the system reported that it cannot copy between these two files, rather than a failure.
bool not_offered(int error) {
  return error == ENOSYS || error == EOPNOTSUPP || error == EINVAL || error == EXDEV ||
         error == EBADF;
}

bool copy_through_memory(int from, int to, off_t at, off_t end) {
  constexpr std::size_t kBytes = std::size_t{1} << 20;
  const auto buffer = std::make_unique_for_overwrite<std::byte[]>(kBytes);
  while (at < end) {
    const ssize_t got =
        pread(from, buffer.get(), std::min(kBytes, static_cast<std::size_t>(end - at)), at);
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = EIO;  // the file has become shorter
    if (got <= 0 || !write_bytes(to, {buffer.get(), static_cast<std::size_t>(got)},
                                 static_cast<std::uint64_t>(at)))
      return false;
    at += got;
  }
  return true;
}

bool copy_range(int from, int to, off_t at, off_t end) {
  while (at < end) {
    off_t source = at, target = at;
    const ssize_t copied =
        copy_file_range(from, &source, to, &target, static_cast<std::size_t>(end - at), 0);
    if (copied < 0 && errno == EINTR) continue;
    if (copied == 0 || (copied < 0 && not_offered(errno)))
      return copy_through_memory(from, to, at, end);
    if (copied < 0) return false;
    at += copied;
  }
  return true;
}

// Names of extended attributes; none if the file system does not support them.
std::optional<std::vector<std::string>> attribute_names(int file) {
  std::vector<std::string> names;
  std::string list;
  ssize_t size = 0;
  do {  // other programs may add some between the two calls
    size = flistxattr(file, nullptr, 0);
    if (size > 0) {
      list.resize(static_cast<std::size_t>(size));
      size = flistxattr(file, list.data(), list.size());
    }
  } while (size < 0 && errno == ERANGE);
  if (size < 0 && errno == ENOTSUP) return names;
  if (size < 0) return std::nullopt;
  list.resize(static_cast<std::size_t>(size));
  for (std::size_t at = 0; at < list.size(); at += names.back().size() + 1)
    names.emplace_back(list.c_str() + at);
  return names;
}

std::optional<std::string> attribute(int file, const std::string& name) {
  std::string value;
  ssize_t size = 0;
  do {
    size = fgetxattr(file, name.c_str(), nullptr, 0);
    if (size > 0) {
      value.resize(static_cast<std::size_t>(size));
      size = fgetxattr(file, name.c_str(), value.data(), value.size());
    }
  } while (size < 0 && errno == ERANGE);
  if (size < 0) return std::nullopt;
  value.resize(static_cast<std::size_t>(size));
  return value;
}

// Maintained by the kernel and computed from the contents.
bool follows_contents(const std::string& name) {
  return name == "security.ima" || name == "security.evm";
}

bool copy_attributes(int from, int to, std::string& what) {
  what = "its extended attributes";
  const auto names = attribute_names(from), there = attribute_names(to);
  if (!names || !there) return false;
  for (const std::string& name : *names) {
    if (follows_contents(name)) continue;
    const auto value = attribute(from, name);
    if (!value && errno == ENODATA) continue;
    if (value && attribute(to, name) == value) continue;
    if (value && fsetxattr(to, name.c_str(), value->data(), value->size(), 0) == 0) continue;
    what = std::format("its extended attribute {}", name);
    return false;
  }
  // A directory may give new files an access control list that the original does not have.
  for (const std::string& name : *there)
    if (!std::ranges::contains(*names, name) && !name.starts_with("security.") &&
        fremovexattr(to, name.c_str()) != 0 && errno != ENODATA) {
      what = std::format("the absence of the extended attribute {}", name);
      return false;
    }
  return true;
}

}  // namespace

bool write_bytes(int to, std::span<const std::byte> bytes, std::uint64_t offset) {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(to, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = EIO;
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
  return true;
}

bool copy_bytes(int from, int to, std::uint64_t size) {
  const auto end = static_cast<off_t>(size);
  for (off_t at = 0; at < end;) {
    off_t data = lseek(from, at, SEEK_DATA);
    if (data < 0 && errno == ENXIO) break;  // a hole to the end
    off_t hole = data < 0 ? -1 : lseek(from, data, SEEK_HOLE);
    if (hole < 0) data = at, hole = end;  // the file system does not report holes
    hole = std::min(hole, end);
    if (data < hole && !copy_range(from, to, data, hole)) return false;
    at = std::max(hole, data);
  }
  return ftruncate(to, end) == 0;
}

bool copy_metadata(int from, int to, std::string& what) {
  struct stat wanted{}, given{};
  what = "its owner and permissions";
  if (fstat(from, &wanted) != 0 || fstat(to, &given) != 0) return false;
  what = "its owner";
  if (given.st_uid != wanted.st_uid && fchown(to, wanted.st_uid, static_cast<gid_t>(-1)) != 0)
    return false;
  what = "its group";
  if (given.st_gid != wanted.st_gid && fchown(to, static_cast<uid_t>(-1), wanted.st_gid) != 0)
    return false;
  if (!copy_attributes(from, to, what)) return false;
  what = "its permissions";
  return fchmod(to, wanted.st_mode & 07777) == 0;
}

}  // namespace hepcheck
