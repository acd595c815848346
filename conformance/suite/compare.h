// What is different between the content of a file and what a program says it is.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "conformance/suite/content.h"
#include "conformance/suite/session.h"

namespace hepcheck::hep001::suite {

// What a difference is about; clauses are judged by some of them each.
enum class Aspect : std::uint8_t {
  kLostTable,
  kExtraTable,
  kLostLater,    // the same of a table of a later minor revision
  kRows,         // the number of rows that it states
  kSurplusRows,  // values beyond the last row
  kLostRows,     // fewer values than rows
  kLostColumn,
  kExtraColumn,
  kHiddenColumn,  // one of a datatype that it does not claim to interpret
  kColumnOrder,
  kType,
  kUnits,    // of a column that has units
  kNoUnits,  // of a column without
  kOwnVocabulary,
  kDefaultVocabulary,
  kCategories,      // the labels of a categorical column
  kDecoded,         // the label of a row, by the labels it gave
  kDecodedMissing,  // a label for a missing category
  kOrdered,         // `ordered` of the labels
  kRowLabels,
  kTexts,       // title, description
  kMissing,     // which rows are missing, by a fill value that is not NaN
  kMissingNan,  // the same by a NaN
  kValue,
};

struct Difference {
  Aspect aspect{};
  std::string table{}, where{}, observed{}, expected{};
  std::optional<std::uint64_t> row{};  // if it is about one
};

// Compares by the datatypes that the program declared; other columns need only be listed. Units,
// categories, row labels and descriptions count if it declared them.
std::vector<Difference> compare(const FileContent& expected, const FileContent& got,
                                const Capabilities& can);

// Every datatype class of a column was declared.
bool declared(const Json& type, const Capabilities& can);

// Datatypes, whatever the order of their members.
bool same_type(const Json& a, const Json& b);

// Two values of a row, readable forms aside.
bool same(const Json& a, const Json& b);

// Replies as content. The error says in what way they are not what the protocol asks for.
using Parsed = std::expected<FileContent, std::string>;
Parsed parse_description(const Json& body, std::vector<std::string>& refused);
// Puts the values of a reply to `read` into a table that was described.
std::expected<void, std::string> parse_values(const Json& body, TableContent& into);

// Rows that a predicate matches.
std::vector<std::uint64_t> matching_rows(const TableContent& table, const ColumnContent& column,
                                         const Json& predicate);

}  // namespace hepcheck::hep001::suite
