// Search indexes. CHUNK_MINMAX is the one family that this program builds.
#pragma once

#include <cstdint>
#include <string>

#include "table.h"

namespace adapter {

// Over rows [0, rows), built whole, then referred to.
void build_index(const Table& table, const Column& column, const std::string& kind,
                 std::uint64_t rows);
// Takes indexes out of the column's list, then out of the file; of every KIND if none is named.
void drop_indexes(const Table& table, const Column& column, const std::string& kind);

// It is one of ours, which can be rewritten in its place.
bool can_rewrite(const Column& column, hid_t index);
void rewrite(const Column& column, hid_t index, std::uint64_t rows);
// What tells which state of the table an index describes (12.2).
void put_tokens(hid_t index, std::uint64_t generation, std::uint64_t rows);

}  // namespace adapter
