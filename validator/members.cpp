#include "validator/members.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <numeric>
#include <utility>

#include "validator/access_time.h"
#include "validator/counted.h"

namespace hepcheck {

namespace {

constexpr int kDirectory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
constexpr int kFile = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

struct CloseDirectory {
  void operator()(DIR* directory) const { closedir(directory); }
};
using Listing = std::unique_ptr<DIR, CloseDirectory>;

MemberKind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return MemberKind::kFile;
  if (S_ISDIR(mode)) return MemberKind::kDirectory;
  if (S_ISLNK(mode)) return MemberKind::kLink;
  if (S_ISFIFO(mode)) return MemberKind::kPipe;
  if (S_ISSOCK(mode)) return MemberKind::kSocket;
  return MemberKind::kDevice;
}

std::string cause_of(int error) {
  if (error == ENOENT) return "it vanished while the directory was read";
  if (error == ELOOP || error == ENOTDIR) return "it changed while the directory was read";
  if (error == EMFILE || error == ENFILE) return "too many open files";
  return "it cannot be read";
}

// A directory may have more members than a process may open files by default; the kernel lets every
// process raise its own limit up to a bound.
bool raise_open_files() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return false;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

// `name` is one component: it holds no '/', so no directory on the way can be a link.
Descriptor open_in(int directory, const char* name, int flags) {
  // The time of last access stays as it was where the system allows that: in our own files.
  Descriptor opened{openat(directory, name, flags | kKeepAccessTime)};
  if (!opened && errno == EMFILE && raise_open_files())
    opened = Descriptor{openat(directory, name, flags | kKeepAccessTime)};
  if (!opened && errno == EPERM) opened = Descriptor{openat(directory, name, flags)};
  return opened;
}

// Opens the directory on the way to the last component, which is left in `name`.
Descriptor parent_of(int directory, std::string_view& name) {
  Descriptor at{dup(directory)};
  for (std::size_t slash; at && (slash = name.find('/')) != name.npos;
       name.remove_prefix(slash + 1))
    at = open_in(at.get(), std::string(name.substr(0, slash)).c_str(), kDirectory);
  return at;
}

std::optional<mode_t> mode_of(int directory, std::string_view name) {
  if (directory < 0) return std::nullopt;
  const Descriptor at = parent_of(directory, name);
  struct stat status{};
  if (!at || fstatat(at.get(), std::string(name).c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
    return std::nullopt;
  return status.st_mode;
}

}  // namespace

std::string_view to_string(MemberKind kind) {
  switch (kind) {
    case MemberKind::kFile: return "a file";
    case MemberKind::kDirectory: return "a directory";
    case MemberKind::kLink: return "a symbolic link";
    case MemberKind::kPipe: return "a named pipe";
    case MemberKind::kSocket: return "a socket";
    case MemberKind::kDevice: return "a device";
  }
  std::unreachable();
}

// The user named the directory, so a link to it is followed; links in it are not.
DirectoryProbe::DirectoryProbe(std::string path)
    : path_(std::move(path)), directory_(::open(path_.c_str(), kDirectory & ~O_NOFOLLOW)) {}

bool DirectoryProbe::has_file(std::string_view name) const {
  const auto mode = mode_of(directory_.get(), name);
  return mode && S_ISREG(*mode);
}

bool DirectoryProbe::has_directory(std::string_view name) const {
  const auto mode = mode_of(directory_.get(), name);
  return mode && S_ISDIR(*mode);
}

std::vector<std::byte> DirectoryProbe::begin(std::string_view name, std::size_t size) const {
  if (!has_file(name)) return {};
  const Descriptor at = parent_of(directory_.get(), name);
  const Descriptor file = at ? open_in(at.get(), std::string(name).c_str(), kFile) : Descriptor{};
  struct stat status{};
  if (!file || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  std::vector<std::byte> bytes(std::min<std::size_t>(size, 4096));
  const ssize_t got = pread(file.get(), bytes.data(), bytes.size(), 0);
  bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return bytes;
}

class MemberLister {
 public:
  MemberLister(Members& into, const Limits& limits) : into_(into), limits_(limits) {}

  // Depth first. The depth is limited, so the recursion is.
  Result<void> list(Descriptor directory, const std::string& prefix, std::uint64_t depth) {
    if (depth > limits_.member_depth)
      return beyond("directories inside directories", counted(limits_.member_depth, "level"));
    const int number = directory.get();
    const Listing listing{fdopendir(number)};
    if (!listing) return failure(into_.name_, "it cannot be read");
    directory.release();  // the listing closes it
    while (true) {
      errno = 0;
      const dirent* const entry = readdir(listing.get());
      if (!entry) break;
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      if (const auto done = add(number, entry->d_name, prefix, depth); !done) return done;
    }
    if (errno != 0) return failure(into_.name_, "it cannot be listed");
    return {};
  }

 private:
  Result<void> add(int directory, const char* name, const std::string& prefix,
                   std::uint64_t depth) {
    Member member{.name = prefix + name};
    if (into_.members_.size() >= limits_.members)
      return beyond("members", counted(limits_.members, "member"));
    if (member.name.size() > limits_.member_name)
      return beyond("bytes in the name of a member", counted(limits_.member_name, "byte"));
    struct stat status{};
    if (fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
      return keep(std::move(member), cause_of(errno));
    member.kind = kind_of(status.st_mode);
    if (member.kind == MemberKind::kDirectory) {
      Descriptor inner = open_in(directory, name, kDirectory);
      if (!inner) return keep(std::move(member), cause_of(errno));
      const std::string next = member.name + '/';
      if (const auto kept = keep(std::move(member)); !kept) return kept;
      return list(std::move(inner), next, depth + 1);
    }
    if (member.kind != MemberKind::kFile) return keep(std::move(member));
    Descriptor file = open_in(directory, name, kFile);
    if (!file) return keep(std::move(member), cause_of(errno));
    // Something else may have taken its place since.
    if (fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
      return keep(std::move(member), cause_of(ENOTDIR));
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size > limits_.member_bytes - bytes_)
      return beyond("bytes of all members", counted(limits_.member_bytes, "byte"));
    bytes_ += size;
    member.bytes = Bytes::of_descriptor(file.get(), into_.name_ + '/' + member.name);
    return keep(std::move(member), {}, std::move(file));
  }

  Result<void> keep(Member member, std::string cause = {}, Descriptor file = {}) {
    if (!cause.empty()) member.error = Error{member.name, std::move(cause)};
    const Members::State state = file ? Members::state_of(file.get()) : Members::State{};
    into_.members_.push_back(std::move(member));
    into_.held_.push_back({std::move(file), state});
    return {};
  }

  std::unexpected<Error> beyond(const std::string& what, const std::string& limit) const {
    return failure(into_.name_, "more " + what + " than the limit of " + limit);
  }

  Members& into_;
  const Limits& limits_;
  std::uint64_t bytes_ = 0;
};

Members::State Members::state_of(int descriptor) {
  struct stat status{};
  if (fstat(descriptor, &status) != 0) return {};
  return {.size = static_cast<std::uint64_t>(status.st_size),
          .seconds = status.st_mtim.tv_sec,
          .nanoseconds = status.st_mtim.tv_nsec};
}

Result<Members> Members::open(const std::string& path, const Limits& limits) {
  Members made;
  made.name_ = path;
  Descriptor directory{::open(path.c_str(), kDirectory & ~O_NOFOLLOW)};
  if (!directory) return failure(path, errno == ENOENT ? "no such file" : "it cannot be read");
  if (const auto listed = MemberLister(made, limits).list(std::move(directory), "", 0); !listed)
    return std::unexpected(listed.error());
  std::vector<std::size_t> order(made.members_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return made.members_[i].name; });
  std::vector<Member> members;
  std::vector<Held> held;
  for (const std::size_t i : order) {
    members.push_back(std::move(made.members_[i]));
    held.push_back(std::move(made.held_[i]));
  }
  made.members_ = std::move(members);
  made.held_ = std::move(held);
  return made;
}

const Member* Members::find(std::string_view name) const {
  const auto it = std::ranges::lower_bound(members_, name, {}, &Member::name);
  return it != members_.end() && it->name == name ? &*it : nullptr;
}

std::vector<int> Members::descriptors() const {
  std::vector<int> all;
  for (const Held& each : held_)
    if (each.descriptor) all.push_back(each.descriptor.get());
  return all;
}

std::vector<std::string> Members::changed() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < held_.size(); ++i)
    if (held_[i].descriptor && state_of(held_[i].descriptor.get()) != held_[i].state)
      names.push_back(members_[i].name);
  return names;
}

}  // namespace hepcheck
