// Adds a new table to a file.
//
// Order (12.3): a group that no link leads to, with NROWS 0; the values, of lists the innermost
// first and the outermost OFFSETS last; attributes; a flush; NROWS and a flush; the link, and a
// flush. At no time can a reader find an incomplete table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "validator/formats/hep001/libhdf5/handle.h"
#include "validator/formats/hep001/model/datatype.h"
#include "validator/result.h"

namespace hepcheck::hep001::libhdf5 {

struct NewAttribute {
  std::string name{};
  Datatype type{};
  std::vector<std::byte> bytes{};        // elements as stored in memory
  std::optional<std::uint64_t> count{};  // one-dimensional, with this many elements; none: scalar
};

struct NewDataset {
  std::string name{};
  Datatype type{};
  std::uint64_t rows = 0;
  const std::byte* values = nullptr;             // elements as stored in memory
  std::optional<std::vector<std::byte>> fill{};  // one element
  std::vector<NewAttribute> attributes{};
  std::optional<std::size_t> categories{};  // positions in those of the table
};

// A group with its own members, in the order in which they are written.
struct NewGroup {
  std::string name{};
  std::vector<std::variant<NewDataset, NewGroup>> members{};
  std::vector<NewAttribute> attributes{};
};

struct NewTable {
  std::uint64_t rows = 0;
  std::vector<NewDataset> categories{};
  std::vector<std::variant<NewDataset, NewGroup>> columns{};
  std::vector<NewAttribute> attributes{};  // except for NROWS and INDEX_COLUMNS
  std::optional<std::vector<std::string>> index_columns{};
};

// The bytes of an empty file.
Result<std::vector<std::byte>> empty_file();

// Creates the groups on the path. "/" requires an empty file.
Result<void> write_table(hid_t file, const std::string& path, const NewTable& table);

}  // namespace hepcheck::hep001::libhdf5
