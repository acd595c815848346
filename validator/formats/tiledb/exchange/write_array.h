// Writes the schema of a one-dimensional dense array for the layout of a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "validator/exchange/layout.h"

namespace hepcheck::tiledb {

struct NewMember {
  std::string path{};  // in the array
  std::vector<std::byte> bytes{};
};

struct NewArray {
  std::vector<NewMember> members{};
  std::vector<std::string> losses{};
};

// `time`: milliseconds since 1970, for the name of the schema. The layout has a column at least.
NewArray array_of(const exchange::TableLayout& table, std::uint64_t time);

}  // namespace hepcheck::tiledb
