// What an array directory contains, whether it is a directory or a tar archive of one.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validator/bytes.h"
#include "validator/limits.h"
#include "validator/members.h"

namespace hepcheck::tiledb {

struct Entry {
  std::string name{};  // relative, with '/' between directories
  MemberKind kind = MemberKind::kFile;
  Bytes bytes{};        // of a file
  std::string error{};  // why it could not be opened
};

class Tree {
 public:
  static Tree of(const Members& members);
  // The entries of a tar archive (POSIX ustar), which must outlive the tree. If all of them are in
  // one directory, it is left out. Nothing if the archive is broken, with the reason.
  static std::optional<Tree> of_archive(std::span<const std::byte> archive, const Limits& limits,
                                        std::string& reason);

  std::span<const Entry> all() const { return entries_; }
  const Entry* find(std::string_view name) const;
  bool has_file(std::string_view name) const;
  bool has_directory(std::string_view name) const;
  // What is directly in a directory; "" is the array itself.
  std::vector<const Entry*> in(std::string_view directory) const;

 private:
  void sort();

  std::vector<Entry> entries_{};  // in the order of their names
};

// Whether it begins with a header of a tar archive.
bool is_archive(const Bytes& file);
// Whether one of its first entries belongs to an array.
bool is_archived_array(const Bytes& file);

}  // namespace hepcheck::tiledb
