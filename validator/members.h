// A directory that is judged as one subject: its members, opened without following links.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validator/bytes.h"
#include "validator/descriptor.h"
#include "validator/limits.h"
#include "validator/result.h"

namespace hepcheck {

// What may be asked to recognise a directory. It lists nothing, so that a directory with many
// entries costs no more than a small one. Links are never followed.
class DirectoryProbe {
 public:
  explicit DirectoryProbe(std::string path);

  // The path as the caller named it; a format may look at its ending.
  const std::string& path() const { return path_; }
  // False if the path is not a directory that can be opened.
  explicit operator bool() const { return static_cast<bool>(directory_); }
  // `name` is relative, with '/' between directories.
  bool has_file(std::string_view name) const;
  bool has_directory(std::string_view name) const;
  // The first bytes of a regular file, at most 4096; fewer or none if there are not so many.
  std::vector<std::byte> begin(std::string_view name, std::size_t size) const;

 private:
  std::string path_;
  Descriptor directory_{};
};

// Only files are opened for reading. Everything else is listed as what it is.
enum class MemberKind : std::uint8_t { kFile, kDirectory, kLink, kPipe, kSocket, kDevice };
std::string_view to_string(MemberKind kind);  // "a symbolic link"

struct Member {
  std::string name{};  // relative to the directory, with '/' between directories; any bytes
  MemberKind kind = MemberKind::kFile;
  Bytes bytes{};                 // of a file; empty if there is an error
  std::optional<Error> error{};  // a file or directory that could not be opened
};

class Members {
 public:
  // Lists and opens everything in a directory and the directories in it, within the limits on
  // members, their depth, their names and their bytes; going beyond one is an error.
  static Result<Members> open(const std::string& path, const Limits& limits);

  const std::string& name() const { return name_; }
  // In the order of their names, byte by byte.
  std::span<const Member> all() const { return members_; }
  const Member* find(std::string_view name) const;
  // The descriptors of all open files.
  std::vector<int> descriptors() const;
  // The files that were written to, or cut, since they were opened.
  std::vector<std::string> changed() const;

 private:
  friend class MemberLister;
  struct State {
    std::uint64_t size = 0;
    std::int64_t seconds = 0, nanoseconds = 0;
    friend bool operator==(const State&, const State&) = default;
  };
  static State state_of(int descriptor);

  struct Held {
    Descriptor descriptor;
    State state;
  };

  std::string name_{};
  std::vector<Member> members_{};
  std::vector<Held> held_{};  // one for each member
};

}  // namespace hepcheck
