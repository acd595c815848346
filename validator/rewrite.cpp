#include "validator/rewrite.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <format>
#include <ranges>
#include <string_view>
#include <thread>
#include <utility>

#include "validator/bytes.h"
#include "validator/copy_file.h"

namespace hepcheck {

namespace {

constexpr const char* kInPlace = "; --in-place writes to the file itself";
constexpr const char* kChanged = "another program changed the file in the meantime";

// The state that a signal handler needs; it uses only members that are never partially written.
struct Interruption {
  std::atomic<int> folder = -1;  // of the copy; -1 if there is none
  char name[NAME_MAX + 1] = {};  // of the copy
  std::atomic<bool> in_place = false;
  std::atomic<int> pending = 0;

  void remember(int its_folder, const std::string& its_name) {
    folder = -1;
    name[its_name.copy(name, NAME_MAX)] = '\0';
    folder = its_folder;
  }
};
constinit Interruption interruption;

enum class Lock : std::uint8_t { kOurs, kTaken, kUnknown };

// Not every file system supports locks.
Lock lock(int file, int how) {
  while (flock(file, how) != 0) {
    if (errno == EINTR) continue;
    return errno == EWOULDBLOCK ? Lock::kTaken : Lock::kUnknown;
  }
  return Lock::kOurs;
}

// A Rewrite that has just renamed its copy to this name still holds its lock for a moment.
Lock lock_soon(int file, int how) {
  constexpr int kTries = 100;
  constexpr std::chrono::milliseconds kBetween{10};
  Lock state = lock(file, how);
  for (int i = 1; i < kTries && state == Lock::kTaken; ++i) {
    std::this_thread::sleep_for(kBetween);
    state = lock(file, how);
  }
  return state;
}

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}
bool same_time(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}
bool unchanged(const struct stat& a, const struct stat& b) {
  return same_file(a, b) && a.st_size == b.st_size && same_time(a.st_mtim, b.st_mtim) &&
         same_time(a.st_ctim, b.st_ctim);
}

// Hidden, next to the file, and recognisable after its process was killed. A name that is too long
// is truncated at a character boundary.
std::string name_of_copy(std::string name) {
  constexpr std::string_view kEnding = ".hepcheck";
  std::size_t length = std::min(name.size(), NAME_MAX - 1 - kEnding.size());
  while (length < name.size() && length > 0 && (name[length] & 0xc0) == 0x80) --length;
  return std::format(".{}{}", name.substr(0, length), kEnding);
}

}  // namespace

// ------------------------------------------------------------------------------------- opening

Error Rewrite::trouble(const std::string& what, const char* advice) const {
  return {path_, std::format("{} ({}){}", what, strerror(errno), advice)};
}

bool Rewrite::leads_to(const std::string& name, const Descriptor& file) const {
  struct stat by_name{}, by_descriptor{};
  return fstatat(folder_.get(), name.c_str(), &by_name, AT_SYMLINK_NOFOLLOW) == 0 &&
         fstat(file.get(), &by_descriptor) == 0 && same_file(by_name, by_descriptor);
}

// Opened for writing even if only the copy is written, so that a read-only file is not replaced
// either.
Result<void> Rewrite::open_original() {
  constexpr int kFlags = O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW;
  original_ = Descriptor{openat(folder_.get(), name_.c_str(), kFlags)};
  if (!original_) return std::unexpected(trouble("cannot be written"));
  const int how = (options_.in_place ? LOCK_EX : LOCK_SH) | LOCK_NB;
  if (options_.lock && lock_soon(original_.get(), how) == Lock::kTaken)
    return failure(path_, "another program has it open");
  if (fstat(original_.get(), &before_) != 0) return std::unexpected(trouble("cannot be written"));
  if (!S_ISREG(before_.st_mode)) return failure(path_, "is not a regular file");
  if (!options_.in_place && before_.st_nlink > 1)
    return failure(
        path_,
        std::format("it has {} names (hard links), and the others would keep the old contents{}",
                    before_.st_nlink, kInPlace));
  return {};
}

// The copy also serves as the lock: the process that creates it may write. A copy without a lock
// was left by a process that was killed.
Result<void> Rewrite::take_turn() {
  constexpr int kFlags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  const int folder = folder_.get();
  const char* name = copy_name_.c_str();
  for (bool waiting_reported = false;;) {
    Descriptor copy{openat(folder, name, kFlags | O_CREAT | O_EXCL, 0600)};
    const bool made = static_cast<bool>(copy);
    if (!made && errno != EEXIST)
      return std::unexpected(trouble("no copy can be created in its directory", kInPlace));
    if (!made) copy = Descriptor{openat(folder, name, kFlags)};
    if (!copy && errno == ENOENT) continue;  // its owner has just finished
    struct stat found{};
    const bool ours = made || (copy && fstat(copy.get(), &found) == 0 && S_ISREG(found.st_mode) &&
                               found.st_nlink <= 1 &&
                               (found.st_uid == geteuid() || found.st_uid == before_.st_uid));
    if (!ours)
      return failure(path_, std::format("{} exists and was not left by an earlier run of this "
                                        "user; remove it if no program is using it",
                                        copy_name_));
    Lock state = lock(copy.get(), LOCK_EX | LOCK_NB);
    if (state == Lock::kTaken) {
      if (!std::exchange(waiting_reported, true) && options_.waiting) options_.waiting();
      // It may have become the file already, and a shared lock does not exclude a Rewrite.
      state = lock(copy.get(), LOCK_SH);
      if (state == Lock::kOurs) continue;
    }
    if (state != Lock::kOurs && !made)
      return failure(path_,
                     std::format("{} exists; remove it if no other hepcheck is changing the file",
                                 copy_name_));
    if (state == Lock::kOurs && !leads_to(copy_name_, copy)) continue;  // it has become the file
    if (made) {
      copy_ = std::move(copy);
      interruption.remember(folder, copy_name_);
      return {};
    }
    unlinkat(folder, name, 0);
  }
}

Result<std::unique_ptr<Rewrite>> Rewrite::of(const std::string& path, Options options) {
  if (const Result<Descriptor> readable = open_for_reading(path); !readable)
    return std::unexpected(readable.error());
  std::error_code unknown;
  const auto real = std::filesystem::canonical(path, unknown);
  std::unique_ptr<Rewrite> made(new Rewrite);
  made->options_ = std::move(options);
  made->path_ = path;
  made->name_ = real.filename().string();
  made->copy_name_ = name_of_copy(made->name_);
  made->folder_ = Descriptor{open(real.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (!made->folder_) return std::unexpected(made->trouble("its directory cannot be opened"));
  if (const auto opened = made->open_original(); !opened) return std::unexpected(opened.error());
  if (made->options_.in_place) return made;

  if (const auto turn = made->take_turn(); !turn) return std::unexpected(turn.error());
  // Another Rewrite may have replaced the file in the meantime. From now on none does.
  if (!made->leads_to(made->name_, made->original_))
    if (const auto opened = made->open_original(); !opened) return std::unexpected(opened.error());
  if (std::string what; !copy_metadata(made->original_.get(), made->copy_.get(), what))
    return std::unexpected(made->trouble(std::format("a copy cannot have {}", what), kInPlace));
  return made;
}

Result<std::unique_ptr<Rewrite>> Rewrite::of_private(Descriptor file, std::string name) {
  std::unique_ptr<Rewrite> made(new Rewrite);
  made->path_ = std::move(name);
  made->copy_ = std::move(file);
  if (fstat(made->copy_.get(), &made->before_) != 0)
    return std::unexpected(made->trouble("cannot be written"));
  made->size_ = made->length_ = static_cast<std::uint64_t>(made->before_.st_size);
  made->begun_ = made->private_ = true;
  return made;
}

Rewrite::~Rewrite() { (void)abandon(); }

bool Rewrite::changed() const {
  if (private_) return false;
  struct stat now{};
  return fstat(original_.get(), &now) != 0 || !unchanged(before_, now) ||
         !leads_to(name_, original_);
}

// ------------------------------------------------------------------------------------- writing

Result<void> Rewrite::begin() {
  size_ = length_ = static_cast<std::uint64_t>(before_.st_size);
  if (copy_ && !copy_bytes(original_.get(), copy_.get(), size_))
    return std::unexpected(trouble(
        std::format("no copy of {} bytes can be created in its directory", size_), kInPlace));
  if (changed()) return failure(path_, kChanged);
  begun_ = true;
  interruption.in_place = options_.in_place;
  return {};
}

void Rewrite::fail(std::string what) {
  if (!failure_) failure_ = trouble((copy_ ? "a copy of it" : "it") + std::move(what));
}

// In place: the original contents are saved before they are overwritten.
bool Rewrite::put_aside(std::uint64_t offset, std::size_t size) {
  const auto end = static_cast<std::uint64_t>(before_.st_size);
  if (copy_ || offset >= end) return true;
  std::vector<std::byte> bytes(std::min<std::uint64_t>(size, end - offset));
  if (!Bytes::of_descriptor(original_.get(), path_).read(offset, bytes)) return false;
  overwritten_.push_back({offset, std::move(bytes)});
  return true;
}

void Rewrite::put(std::uint64_t offset, std::span<const std::byte> bytes) {
  size_ = std::max(size_, offset + bytes.size());
  if (failure_) return;
  if (!put_aside(offset, bytes.size()) || !write_bytes(descriptor(), bytes, offset))
    return fail(" could not be written");
  length_ = std::max(length_, offset + bytes.size());
}

// The part of a truncated tail that would be contents again.
void Rewrite::clear_tail(std::uint64_t end) {
  static constexpr std::array<std::byte, 4096> kZeros{};
  const std::uint64_t last = std::min(end, length_);
  while (!failure_ && size_ < last)
    put(size_, std::span(kZeros).first(std::min<std::uint64_t>(kZeros.size(), last - size_)));
}

void Rewrite::write(std::uint64_t offset, std::span<const std::byte> bytes) {
  clear_tail(offset);
  put(offset, bytes);
}

// The tail to be truncated is kept until the end, because it could not be restored.
void Rewrite::resize(std::uint64_t size) {
  clear_tail(size);
  size_ = size;
  if (failure_ || size <= length_) return;
  if (ftruncate(descriptor(), static_cast<off_t>(size)) != 0) return fail(" could not be extended");
  length_ = size;
}

void Rewrite::sync() {
  if (!failure_ && !copy_ && fsync(original_.get()) != 0) fail(" could not be written to disk");
}

// ------------------------------------------------------------------------------------- the end

Result<void> Rewrite::finish() {
  const std::optional<Error> late = settle();
  if (!failure_ && private_) {
    length_ = size_;
    return {};
  }
  if (!failure_) {
    const bool replaced = copy_.get() >= 0;
    copy_ = {};
    end();
    if (late) return std::unexpected(*late);
    // Too late to roll back, and not necessary: both files are complete.
    if (replaced && fsync(folder_.get()) != 0 && errno != EINVAL && errno != ENOTSUP)
      return std::unexpected(
          trouble("the changes were made, but its directory could not be written to disk"));
    return {};
  }
  Error why = *failure_;
  const bool in_place = !copy_;
  const Result<void> undone = abandon();
  if (in_place) why.cause += "; " + (undone ? "it is unchanged" : undone.error().cause);
  return std::unexpected(std::move(why));
}

// Writes everything to disk, and renames the copy or truncates the file. What was truncated cannot
// be restored, so that is the last change to the file itself: what fails after it is returned.
std::optional<Error> Rewrite::settle() {
  const int file = descriptor();
  const bool shorter = length_ > size_;
  const auto truncate = [&] {
    if (!failure_ && shorter && ftruncate(file, static_cast<off_t>(size_)) != 0)
      fail(" could not be truncated");
  };
  if (copy_) truncate();
  if (!failure_ && fsync(file) != 0) fail(" could not be written to disk");
  if (!failure_ && (copy_ ? changed() : !leads_to(name_, original_)))
    failure_ = Error{path_, kChanged};
  if (!copy_) truncate();
  if (failure_ || private_) return std::nullopt;
  if (!copy_) {
    if (shorter && fsync(file) != 0)
      return trouble("the changes were made, but it could not be written to disk");
    return std::nullopt;
  }
  interruption.folder = -1;
  if (renameat(folder_.get(), copy_name_.c_str(), folder_.get(), name_.c_str()) != 0)
    failure_ = trouble("the copy cannot be renamed", kInPlace);
  return std::nullopt;
}

Result<void> Rewrite::abandon() {
  bool undone = true;
  if (private_) {
    copy_ = {};
  } else if (copy_) {
    unlinkat(folder_.get(), copy_name_.c_str(), 0);
    copy_ = {};
  } else if (begun_) {
    undone = undo();
  }
  end();
  if (undone) return {};
  return std::unexpected(trouble("the changes could not be rolled back; it may be damaged"));
}

bool Rewrite::undo() {
  for (const Overwritten& part : overwritten_ | std::views::reverse)
    if (!write_bytes(original_.get(), part.bytes, part.offset)) return false;
  return ftruncate(original_.get(), before_.st_size) == 0 && fsync(original_.get()) == 0;
}

void Rewrite::end() {
  begun_ = false;
  overwritten_.clear();
  interruption.folder = -1;
  interruption.in_place = false;
  if (const int number = interruption.pending.exchange(0)) raise(number);
}

void Rewrite::on_failure() {
  if (const int folder = interruption.folder; folder >= 0) unlinkat(folder, interruption.name, 0);
}

void Rewrite::on_signal(int number) {
  if (interruption.in_place) {
    interruption.pending = number;
    return;
  }
  if (const int folder = interruption.folder; folder >= 0) unlinkat(folder, interruption.name, 0);
  signal(number, SIG_DFL);
  raise(number);
}

}  // namespace hepcheck
