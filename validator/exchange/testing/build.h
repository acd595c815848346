// Builds neutral arrays and tables for tests.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/exchange/table.h"

namespace hepcheck::exchange::testing {

inline const Type kText{.kind = Kind::kText};
inline const Type kFloat{.kind = Kind::kFloat, .width = 8};

inline Type integer(std::uint64_t width, bool is_signed) {
  return {.kind = Kind::kInteger, .width = width, .is_signed = is_signed};
}
inline const Type kInt = integer(4, true);

inline void put(Array& array, std::string_view bytes) {
  const auto more = std::as_bytes(std::span(bytes));
  array.bytes.insert(array.bytes.end(), more.begin(), more.end());
}

inline Array texts(const std::vector<std::optional<std::string>>& values) {
  Array made = empty_array(kText);
  for (const auto& value : values) {
    if (value) put(made, *value);
    made.offsets.push_back(made.bytes.size());
    made.push(!value);
  }
  return made;
}

template <class T>
Array numbers(const std::vector<std::optional<T>>& values) {
  Array made;
  for (const auto& value : values) {
    const T number = value.value_or(T{});
    put(made, {reinterpret_cast<const char*>(&number), sizeof number});
    made.push(!value);
  }
  return made;
}

inline Type list_of(const Type& type) {
  Type made{.kind = Kind::kList};
  made.children.push_back({.name = "item", .type = type, .nullable = true});
  return made;
}

// Lists of the values of `inside`, with the given lengths; null if there is no length.
inline Array lists(const std::vector<std::optional<std::uint64_t>>& lengths, Array inside) {
  Array made;
  made.offsets.push_back(0);
  for (const auto& length : lengths) {
    made.offsets.push_back(made.offsets.back() + length.value_or(0));
    made.push(!length);
  }
  made.children.push_back(std::move(inside));
  return made;
}

// Integers that are positions in a list of labels.
inline Type labelled(const Type& keys, const std::vector<std::optional<std::string>>& labels) {
  Type made = keys;
  made.labels = std::make_shared<const Labels>(Labels{.type = kText, .values = texts(labels)});
  return made;
}

// A table of one column, "x".
inline Table one(const Type& type, const Array& array, Metadata metadata = {}) {
  Table made{.rows = array.length};
  made.schema.fields.push_back(
      {.name = "x", .type = type, .nullable = true, .metadata = std::move(metadata)});
  made.columns.push_back(array);
  return made;
}

}  // namespace hepcheck::exchange::testing
