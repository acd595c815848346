// Compares the content of an input with the content that a program reports.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/suite/arrow/content.h"
#include "conformance/suite/engine/difference.h"

namespace hepcheck::arrow::suite {

// The first difference between two lists of fields: names, types, children, dictionaries, and what
// else is to be compared; metadata in any order. An absent name equals an empty one.
enum class Compared : std::uint8_t { kTypes, kNullability, kAll };
std::optional<Difference> schema_difference(const Json& expected, const Json& got,
                                            Compared compared);
std::optional<Difference> metadata_difference(const Json& expected, const Json& got);

// The first difference between the columns of concatenated batches: programs may divide them
// differently. Values are those of each column, in turn.
std::optional<Difference> value_difference(const std::vector<std::vector<Json>>& expected,
                                           const std::vector<std::vector<Json>>& got);

// What a program describes of an input.
struct Described {
  Json fields = Json::array(), metadata = Json::array();
  std::vector<std::int64_t> rows{};  // of each batch
  std::vector<std::vector<std::int64_t>> null_counts{};
};
// Parses the body of a reply to `describe` or `read`; throws `Malformed`. Columns are those of
// concatenated batches.
Described parse_described(const Json& body);
std::vector<std::vector<Json>> parse_columns(const Json& body);

// The first difference of a description, in the members that the program declares.
std::optional<Difference> description_difference(const Content& expected, const Described& got,
                                                 const Capabilities& can);
// The same for the null counts.
std::optional<Difference> null_count_difference(const Content& expected, const Described& got);

// The columns of all batches, or of these in turn.
std::vector<std::vector<Json>> columns_of(const Content& content);
std::vector<std::vector<Json>> columns_of(const Content& content,
                                          const std::vector<std::size_t>& batches);

}  // namespace hepcheck::arrow::suite
