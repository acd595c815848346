// Plans the datatypes, fill values, groups and attributes of a neutral table in a file.
#pragma once

#include <string>
#include <vector>

#include "validator/exchange/table.h"
#include "validator/formats/hep001/exchange/encode.h"
#include "validator/formats/hep001/libhdf5/write_table.h"
#include "validator/formats/hep001/model/revision.h"

namespace hepcheck::hep001 {

// Thrown if a table cannot store a column.
struct Unstorable {
  std::string where{}, why{};
};

struct Plan {
  libhdf5::NewTable table{};
  std::vector<std::string> losses{};
  // The storage of the values of the datasets.
  std::deque<std::vector<std::byte>> values{};
  Arena arena{};
};

// Writes to `plan`, which must not be moved afterwards. `memory`: the maximum number of bytes of
// all values.
void plan_table(const exchange::Table& table, const Revision& revision, std::uint64_t memory,
                Plan& plan);

}  // namespace hepcheck::hep001
