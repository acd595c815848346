// List columns as logical values, level by level, and the statements of chapter 9 about them,
// computed in the slowest and most obvious way. Nothing here uses validator/formats/hep001/derive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "fuzz/hep001/grammar/judge.h"

namespace hepcheck::hep001::grammar {

// The entries of one level, and the tails of its members.
struct RandomLevel {
  std::vector<std::uint64_t> offsets{0};  // one more than entries, and a tail
  bool has_mask = false;
  std::vector<std::uint8_t> mask{};  // one per entry, and a tail
};

struct RandomList {
  std::uint64_t nrows = 0;
  std::vector<RandomLevel> levels{};  // the outermost first
  bool strings = false;               // the innermost level contains strings
  std::string chars{};                // the bytes of the strings
  std::uint64_t leaf = 0;             // otherwise: the number of elements of the leaf
  bool big_endian = false;            // the offsets, and the leaf
};
std::ostream& operator<<(std::ostream& out, const RandomList& list);

// Conformant, with one to five levels; rows, lengths and texts often end at a boundary. `most_rows`
// approximately bounds each level.
RandomList random_list(Choices& choices, std::uint64_t nrows, std::uint64_t most_rows,
                       const std::vector<std::uint64_t>& lengths);
// Changes one offset, one element of a mask or one byte of the text. No level gets more entries
// than its capacity.
void mutate(RandomList& list, Choices& choices);

// Adds the list column to a table.
void add(TestTable& table, const std::string& name, const RandomList& list);

// Positions are entries, of all levels together.
Wrong wrong_list(const RandomList& list);

}  // namespace hepcheck::hep001::grammar
