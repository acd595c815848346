// List columns (HEP001 of 2026-07-09, section 9): rows as JSON arrays, null for a null one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "notation.h"

namespace adapter {

// A level is a group with OFFSETS, optionally MASK, and VALUES, which is a leaf dataset or another
// level; for strings a group with OFFSETS, optionally MASK, and CHARS.

bool is_list_column(hid_t group);
Json describe_list(hid_t level);

// Entries [first, first + count) of a level, or elements of a leaf.
std::vector<Json> read_entries(hid_t level, hsize_t first, hsize_t count);

// An empty column; `fill` is that of the leaf, if it has one. `label` writes a token onto a group.
using Label = std::function<void(hid_t group, const char* name, const char* token)>;
Id create_list(hid_t parent, const std::string& name, const Json& type,
               const std::optional<Json>& fill, const Label& label);
// Appends values after the first `before` entries: the innermost elements first, OFFSETS last, so
// that those entries stay complete at all times.
void append_entries(hid_t level, hsize_t before, const std::vector<Json>& values);
// Removes everything after the first entries.
void reclaim_entries(hid_t level, hsize_t entries);

}  // namespace adapter
