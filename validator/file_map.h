// The use of the bytes of a file, as far as its metadata leads to them, for formats that know it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "validator/finding.h"

namespace hepcheck {

// Bytes counted from the first one of the file.
struct FileRange {
  std::uint64_t address = 0, size = 0;
  std::uint64_t kind = 0, object = 0;  // positions in the lists of FileMap

  std::uint64_t end() const { return address + size; }
  friend bool operator==(const FileRange&, const FileRange&) = default;
};

// A part of a range: a field of the structure, or bytes between two of them.
struct FileField {
  std::uint64_t address = 0, size = 0;
  std::uint64_t range = 0;  // position in the list of FileMap
  std::string name{};       // "data layout: version"; empty if the reader gives it none
  std::string value{};      // a number, a text in quotes, "zeros", or bytes in hexadecimal

  std::uint64_t end() const { return address + size; }
  friend bool operator==(const FileField&, const FileField&) = default;
};

// What the specification forbids, or advises against, at a byte.
struct FileFinding {
  std::uint64_t address = 0;  // 0 to the end of the file; not in order
  Severity severity{};
  bool decoded = false;  // somewhere in what the filters of the block at this address give
  std::string clause{}, object{}, observed{}, expected{};

  friend bool operator==(const FileFinding&, const FileFinding&) = default;
};

struct FileMap {
  std::uint64_t size = 0;               // of the file
  std::uint64_t base = 0;               // where its contents begin, after a user block
  std::uint64_t end = 0;                // the end of the file as its metadata states it
  std::vector<std::string> kinds{};     // "raw data", "OHDR"
  std::vector<std::string> objects{};   // the owner
  std::vector<FileRange> ranges{};      // by address; adjacent raw data is merged
  std::vector<FileField> fields{};      // if asked for: all bytes of metadata, range by range
  std::vector<FileFinding> findings{};  // with the fields
  std::vector<std::string> trouble{};   // the reason why there may be more
  // What a map of limited size lacks: ranges; and ranges that are listed without their fields.
  std::uint64_t ranges_left_out = 0, fields_left_out = 0;

  static constexpr std::uint64_t kRaw = 0;  // the kind of raw data

  struct Gap {
    std::uint64_t address, size;
  };
  // Unreferenced bytes between the base and the end of the file. If ranges are left out, nothing is
  // known about the bytes between the others, and there are none.
  std::vector<Gap> gaps() const;
  struct Overlap {
    std::uint64_t address, size;  // of the shared bytes
    std::size_t first, second;    // of the ranges
  };
  std::vector<Overlap> overlaps() const;
  // Its parts are in order, inside one another, and refer to what exists. A map of other origin may
  // contain anything.
  bool consistent() const;

  friend bool operator==(const FileMap&, const FileMap&) = default;
};

// The fields of the ranges, which are asked for in their order.
class FieldsOfRanges {
 public:
  explicit FieldsOfRanges(const FileMap& map) : map_(map) {}

  std::span<const FileField> of(std::uint64_t range) {
    const std::size_t begin = at_;
    while (at_ < map_.fields.size() && map_.fields[at_].range == range) ++at_;
    return std::span(map_.fields).subspan(begin, at_ - begin);
  }

 private:
  const FileMap& map_;
  std::size_t at_ = 0;
};

}  // namespace hepcheck
