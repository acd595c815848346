#include "cli/confined_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <ostream>
#include <ranges>
#include <utility>
#ifdef _LIBCPP_VERSION
#include <fstream>
#else
#include <ext/stdio_filebuf.h>
#endif

namespace hepcheck::cli {

namespace fs = std::filesystem;

bool is_confined(std::string_view path) {
  return !path.contains('\0') &&
         std::ranges::all_of(
             std::views::split(path, '/'),
             [](const auto& part) { return !part.empty() && part.front() != '.'; }) &&
         !path.empty();
}

std::string ConfinedFile::whole() const { return (fs::path(folder) / path).string(); }

Result<Descriptor> open_confined(const ConfinedFile& file, int flags) {
  const auto refused = [&](const char* cause) { return failure(file.whole(), cause); };
  constexpr int kFolder = O_PATH | O_DIRECTORY | O_CLOEXEC;
  Descriptor at{open(file.folder.empty() ? "." : file.folder.c_str(), kFolder)};
  if (!at) return refused("the directory of the settings cannot be opened");
  const fs::path path(file.path);
  for (const fs::path& part : path.parent_path()) {
    at = Descriptor{openat(at.get(), part.c_str(), kFolder | O_NOFOLLOW)};
    if (!at) return refused("the directory does not exist inside that of the settings");
  }
  // Does not wait for the other end of a pipe.
  constexpr int kPlainly = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  Descriptor opened{openat(at.get(), path.filename().c_str(), flags | kPlainly, 0666)};
  if (!opened && errno == ENOENT && (flags & O_CREAT) == 0) return opened;
  if (!opened) return refused(errno == ELOOP ? "it is a link" : "it cannot be opened");
  struct stat status{};
  if (fstat(opened.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return refused("it is not a regular file");
  if (status.st_nlink > 1) return refused("it is a link");
  return opened;
}

Result<std::string> read_confined(const ConfinedFile& file) {
  Result<Descriptor> opened = open_confined(file, O_RDONLY);
  if (!opened) return std::unexpected(opened.error());
  if (!*opened) return failure(file.whole(), "no such file");
  constexpr std::size_t kMost = std::size_t{1} << 32;
  std::string text, part(std::size_t{1} << 16, '\0');
  while (true) {
    const ssize_t got = read(opened->get(), part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 || text.size() > kMost) return failure(file.whole(), "it cannot be read");
    if (got == 0) return text;
    text.append(part, 0, static_cast<std::size_t>(got));
  }
}

bool write_through(Descriptor file, const std::function<void(std::ostream&)>& write) {
  constexpr auto kMode = std::ios::out | std::ios::binary;
#ifdef _LIBCPP_VERSION
  std::filebuf buffer;
  if (!buffer.__open(file.release(), kMode)) return false;
#else
  __gnu_cxx::stdio_filebuf<char> buffer(file.release(), kMode);
#endif
  std::ostream out(&buffer);
  write(out);
  return out.flush() && buffer.close();
}

}  // namespace hepcheck::cli
