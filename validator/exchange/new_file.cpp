#include "validator/exchange/new_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <format>

namespace hepcheck::exchange {

namespace {

// Used by the signal handler: the name of a file that is not complete.
struct Unfinished {
  std::atomic<bool> there{false};
  std::array<char, 4096> name{};
};
Unfinished unfinished;

void remember(const std::string& name) {
  unfinished.there = false;
  if (name.size() >= unfinished.name.size()) return;
  std::memcpy(unfinished.name.data(), name.c_str(), name.size() + 1);
  unfinished.there = true;
}

// While it exists, signals that end the program wait.
class HeldSignals {
 public:
  HeldSignals() {
    sigset_t ending;
    sigemptyset(&ending);
    for (const int number : {SIGHUP, SIGINT, SIGTERM}) sigaddset(&ending, number);
    pthread_sigmask(SIG_BLOCK, &ending, &before_);
  }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals() {
    const int trouble = errno;
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = trouble;
  }

 private:
  sigset_t before_{};
};

constexpr std::size_t kSmall = std::size_t{64} << 10;
// For a larger piece, Linux looks for a long run of free pages, which can take several times as
// long as the copy.
constexpr std::size_t kPiece = std::size_t{256} << 10;

std::string folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

// The name survives a loss of power only if the directory is on disk as well.
bool sync_folder(const std::string& path) {
  const Descriptor folder{open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  return folder && fsync(folder.get()) == 0;
}

}  // namespace

Result<NewFile> NewFile::of(const std::string& path, Options options) {
  NewFile made;
  made.path_ = path;
  made.options_ = options;
  if (path == "-") {
    made.file_ = Descriptor{dup(STDOUT_FILENO)};
    if (!made.file_) return failure(path, std::strerror(errno));
    return made;
  }
  struct stat there{};
  const bool exists = lstat(path.c_str(), &there) == 0;
  if (exists && !options.replace) return failure(path, "it exists already");
  // A name of a device or of a directory of names, such as a socket, has other users.
  if (exists && !S_ISREG(there.st_mode) && !S_ISLNK(there.st_mode))
    return failure(path, "it is not a regular file, and is not replaced");
  std::error_code unknown;
  if (exists && !options.source.empty() &&
      std::filesystem::equivalent(path, options.source, unknown))
    return failure(path, "it is the file that is read, and is not replaced");
  std::string name = folder_of(path) + "/.hepcheck-new-XXXXXX";
  {
    // A signal must not come while the file exists and the handler does not know it.
    const HeldSignals held;
    made.file_ = Descriptor{mkostemp(name.data(), O_CLOEXEC)};
    if (made.file_) remember(name);
  }
  if (!made.file_) return failure(path, std::strerror(errno));
  made.temporary_ = name;
  const mode_t mask = umask(0);
  umask(mask);
  if (fchmod(made.file_.get(), 0666 & ~mask) != 0) return failure(path, std::strerror(errno));
  return made;
}

NewFile::NewFile(NewFile&& other) noexcept
    : path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, {})),
      options_(other.options_), file_(std::move(other.file_)),
      waiting_(std::exchange(other.waiting_, {})), size_(other.size_), failure_(other.failure_) {}

NewFile::~NewFile() {
  if (temporary_.empty()) return;
  unlink(temporary_.c_str());
  unfinished.there = false;
}

void NewFile::on_signal() {
  if (unfinished.there) unlink(unfinished.name.data());
}

void NewFile::put(std::span<const std::byte> bytes) {
  while (failure_ == 0 && !bytes.empty()) {
    const ssize_t n = ::write(file_.get(), bytes.data(), std::min(bytes.size(), kPiece));
    if (n < 0 && errno != EINTR) failure_ = errno;
    if (n > 0) bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

void NewFile::flush() {
  put(std::as_bytes(std::span(waiting_)));
  waiting_.clear();
}

void NewFile::write(std::span<const std::byte> bytes) {
  size_ += bytes.size();
  if (waiting_.size() + bytes.size() > kSmall) flush();
  if (bytes.size() > kSmall)
    put(bytes);
  else
    waiting_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

Result<void> NewFile::finish() {
  flush();
  const auto trouble = [&] {
    if (failure_ == 0) failure_ = errno;
    return failure(path_, std::strerror(failure_));
  };
  if (failure_ != 0) return trouble();
  if (temporary_.empty()) return {};
  if (options_.durable && fsync(file_.get()) != 0) return trouble();
  const bool named = options_.replace ? rename(temporary_.c_str(), path_.c_str()) == 0
                                      : renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD,
                                                  path_.c_str(), RENAME_NOREPLACE) == 0;
  if (!named) return trouble();
  unfinished.there = false;
  temporary_.clear();
  if (options_.durable && !sync_folder(path_))
    return failure(
        path_, std::format("it was written, but its directory could not be written to disk ({})",
                           std::strerror(errno)));
  return {};
}

}  // namespace hepcheck::exchange
