// What is different between the content of an input and what a program says it is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/suite/arrow/content.h"

namespace hepcheck::arrow::suite {

struct Difference {
  std::string where{}, observed{}, expected{};
};

// Two cells. Further members of objects are passed over.
bool same(const Json& expected, const Json& got);
std::string shown(const Json& value);

// The first difference between two lists of fields: names, types, children, dictionaries; with
// `all` also nullability and metadata, in whatever order. A name that is absent is an empty one.
std::optional<Difference> schema_difference(const Json& expected, const Json& got, bool all);
std::optional<Difference> metadata_difference(const Json& expected, const Json& got);

// The first difference between the columns of batches, one behind the other: programs may cut them
// elsewhere. Values are those of each column, in turn.
std::optional<Difference> value_difference(const std::vector<std::vector<Json>>& expected,
                                           const std::vector<std::vector<Json>>& got);

// The columns of all batches, or of these in turn.
std::vector<std::vector<Json>> columns_of(const Content& content);
std::vector<std::vector<Json>> columns_of(const Content& content,
                                          const std::vector<std::size_t>& batches);

}  // namespace hepcheck::arrow::suite
