// Search indexes. This program builds only CHUNK_MINMAX.
#pragma once

#include <cstdint>
#include <string>

#include "table.h"

namespace adapter {

// Over rows [0, rows), built completely, then referred to.
void build_index(const Table& table, const Column& column, const std::string& kind,
                 std::uint64_t rows);
// Removes indexes from the column's list, then from the file; of every KIND if none is named.
void drop_indexes(const Table& table, const Column& column, const std::string& kind);

// Whether it has the structure that this program writes and can be rewritten in place.
bool can_rewrite(const Column& column, hid_t index);
void rewrite(const Column& column, hid_t index, std::uint64_t rows);
// The tokens that identify the state of the table that an index describes (12.2).
void put_tokens(hid_t index, std::uint64_t generation, std::uint64_t rows);

}  // namespace adapter
