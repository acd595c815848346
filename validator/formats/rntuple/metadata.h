// User metadata: key-value pairs (7.4).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "validator/formats/rntuple/frame.h"

namespace hepcheck::rntuple {

struct Pair {
  std::int32_t type = 0;
  std::string_view key{};
  std::vector<ByteSpan> values{};  // one, or those of a list; of strings the characters
  ByteSpan tail{}, surplus{};      // of the list, and behind the value

  bool known() const { return (type >= 1 && type <= 4) || is_list(); }
  bool is_list() const { return type >= -4 && type <= -1; }
  bool of_strings() const { return type == 4 || type == -4; }
};

struct Metadata {
  std::vector<Pair> pairs{};
  ByteSpan tail{}, surplus{};  // of the list of pairs, and behind it
  bool complete = false;       // it was read to its end
};

// Reads and judges the pairs of an envelope. `writer`: of the header. False if the rest cannot be
// read.
bool read_metadata(Cursor& cursor, std::string_view writer, Metadata& into);

void metadata_rules(RuleList& list);

}  // namespace hepcheck::rntuple
