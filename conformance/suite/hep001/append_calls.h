// The order in which an append called the HDF5 library, to which the steps of an append refer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/suite/hep001/content.h"
#include "conformance/suite/hep001/recording.h"

namespace hepcheck::hep001::suite {

struct AppendCalls {
  std::vector<LibraryCall> all{};
  std::size_t commit = 0;  // the first that writes NROWS
  // The first ones after it that extend a column, write rows, change an index, change anything.
  std::optional<std::size_t> late_extent{}, late_rows{}, late_index{}, late{};
  std::optional<std::uint64_t> first_row{};  // the written value
  bool swmr = false;                         // opened so
  bool flushed_before = false;               // all rows and indexes, before NROWS is written
  bool flushed_after = false;                // after it

  bool writes_nrows(std::size_t i) const;
  std::string place(std::size_t i) const;  // "call 3 of 17: flush"
};

// For an append to a table; nothing if the calls were not recorded, or none of them writes NROWS.
std::optional<AppendCalls> append_calls(const std::vector<LibraryCall>& calls,
                                        const TableContent& before);

}  // namespace hepcheck::hep001::suite
