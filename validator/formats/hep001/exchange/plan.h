// What a neutral table becomes in a file: datatypes, fill values, groups, attributes.
#pragma once

#include <string>
#include <vector>

#include "validator/exchange/table.h"
#include "validator/formats/hep001/exchange/encode.h"
#include "validator/formats/hep001/libhdf5/write_table.h"
#include "validator/formats/hep001/model/revision.h"

namespace hepcheck::hep001 {

// Thrown where a column has no place in a table.
struct Unstorable {
  std::string where{}, why{};
};

struct Plan {
  libhdf5::NewTable table{};
  std::vector<std::string> losses{};
  // What the values of the datasets are in.
  std::deque<std::vector<std::byte>> values{};
  Arena arena{};
};

// Into `plan`, which must not be moved afterwards.
void plan_table(const exchange::Table& table, const Revision& revision, Plan& plan);

}  // namespace hepcheck::hep001
