// Enumeration files.                                                            [enumeration.md]
#pragma once

#include <cstdint>
#include <vector>

#include "validator/formats/tiledb/schema.h"

namespace hepcheck::tiledb {

struct Enumeration {
  Stored<std::uint32_t> version{};
  Stored<Raw> name{}, path{};
  Stored<std::uint8_t> datatype{};
  Stored<std::uint32_t> cell_val_num{};
  Stored<std::uint8_t> ordered{};
  Stored<std::uint64_t> data_size{};
  Stored<Raw> data{};
  Stored<std::uint64_t> offsets_size{};  // of values of variable size
  Stored<Raw> offsets{};
  std::uint64_t end = 0;
  bool named = false;  // it was read as far as the path name
  bool whole = false;  // and to its end

  bool is_variable() const { return cell_val_num.value == kVariable; }
  std::uint64_t offset(std::uint64_t i) const {
    return load<std::uint64_t>(offsets.value.data() + 8 * i);
  }
  // The number of values; 0 if the sizes make none.
  std::uint64_t count() const;
  // Whether each value has its bytes.
  bool has_values() const;
  Raw value(std::uint64_t i) const;
};

void read_enumeration(Opened& file, Notes& notes, Enumeration& into);
void judge_enumeration(const Enumeration& it, const Opened& file, Notes& notes);
void block_enumeration(const Stop& stop, Notes& notes);

std::vector<std::byte> write_enumeration(const Enumeration& it);

}  // namespace hepcheck::tiledb
