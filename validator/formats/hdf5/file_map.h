// The use of the bytes of a file, as far as its metadata leads to them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/bytes.h"
#include "validator/finding.h"
#include "validator/formats/hdf5/message.h"
#include "validator/limits.h"

namespace hepcheck::hdf5 {

// Bytes counted from the first one of the file.
struct FileRange {
  std::uint64_t address = 0, size = 0;
  std::uint32_t kind = 0, object = 0;  // positions in the lists of FileMap

  std::uint64_t end() const { return address + size; }
};

// A part of a range: a field of the structure, or bytes between two of them.
struct FileField {
  std::uint64_t address = 0, size = 0;
  std::size_t range = 0;  // in the list of FileMap
  std::string name{};     // "data layout: version"; empty if the reader gives it none
  std::string value{};    // a number, a text in quotes, "zeros", or bytes in hexadecimal
};

// What the File Format Specification forbids, or advises against, at a byte.
struct FileFinding {
  std::uint64_t address = 0;  // 0 to the end of the file; not in order
  Severity severity{};
  bool decoded = false;  // somewhere in what the filters of the block at this address give
  std::string clause{}, object{}, observed{}, expected{};
};

struct FileMap {
  std::uint64_t size = 0;               // of the file
  std::uint64_t base = 0;               // the position of the superblock
  std::uint64_t end = 0;                // the end of the file as stated by the superblock
  std::vector<std::string> kinds{};     // "raw data", "OHDR"
  std::vector<std::string> objects{};   // the owner
  std::vector<FileRange> ranges{};      // by address; adjacent raw data is merged
  std::vector<FileField> fields{};      // if asked for: all bytes of metadata, range by range
  std::vector<FileFinding> findings{};  // with the fields
  std::vector<std::string> trouble{};   // the reason why there may be more

  static constexpr std::uint32_t kRaw = 0;  // the kind of raw data

  struct Gap {
    std::uint64_t address, size;
  };
  // Unreferenced bytes between the base and the end of the file.
  std::vector<Gap> gaps() const;
  struct Overlap {
    std::uint64_t address, size;  // of the shared bytes
    std::size_t first, second;    // of the ranges
  };
  std::vector<Overlap> overlaps() const;
};

struct MapOptions {
  bool fields = false;                // what each structure consists of; reads the values, too
  std::optional<std::string> only{};  // only the ranges of this object
};

// For a worker.
void tell_map(const Bytes& file, const Limits& limits, const MapOptions& options, const Tell& tell);

// For its parent.
class FileMapReader {
 public:
  void take(std::string_view message);
  FileMap map() &&;

 private:
  bool names(MessageReader& message, std::vector<std::string>& into);
  bool ranges(MessageReader& message);
  bool fields(MessageReader& message);
  bool findings(MessageReader& message);
  bool end(MessageReader& message);

  FileMap made_{};
  bool ended_ = false, nonsense_ = false;
};

}  // namespace hepcheck::hdf5
