// Attributes and small datasets of a table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "notation.h"

namespace adapter {

Json unsigned_type(std::size_t size);
// ASCII text is terminated by NUL, all other text padded with NUL.
Json text_type(std::size_t size, bool ascii);

void put(hid_t owner, const std::string& name, const Json& type, const std::vector<Json>& values,
         bool scalar);
void put_text(hid_t owner, const std::string& name, const std::string& text, bool ascii = false);
// A member of `from`, if it exists.
void put_text(hid_t owner, const std::string& name, const Json& from, const char* member);
void put_references(hid_t owner, const std::string& name, const std::vector<std::string>& paths,
                    bool scalar);
// A uint64, in place if it exists.
void put_token(hid_t owner, const char* name, std::uint64_t value);
// The commit: one value, written in place.
void put_rows(hid_t group, std::uint64_t rows);

Id subgroup(hid_t group, const char* name);
// `grows`: chunked, with any later extent.
Id put_dataset(hid_t group, const std::string& name, const Json& type,
               const std::vector<Json>& values, bool grows = false);

// Missing values as stored by a column.
std::vector<Json> with_fill(std::vector<Json> values, const std::optional<Json>& fill);

}  // namespace adapter
