// What is different between the content of a file and what a program says it is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/suite/hep001/replies.h"

namespace hepcheck::hep001::suite {

// What a difference is about; clauses are judged by some of them each.
enum class Aspect : std::uint8_t {
  kLostTable,
  kExtraTable,
  kLostLater,  // the same of a table of a later minor revision
  kVersion,
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
  kBoolean,     // a column not taken for boolean, which is one
  kNotBoolean,  // a column taken for boolean, which is none
  kNullList,    // of a list column: which lists are null
  kNullText,    // which texts
  kNullLeaf,    // which elements of the leaf are missing
  kElement,     // anything else in the rows of a list column
  kLaterKind,   // rows of a list column of a KIND that nobody knows
  kBounds,      // fill value, valid_min, valid_max: of what writers make
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

// The same of the values of columns that are expected, and of nothing else.
std::vector<Difference> compare_rows(const TableContent& expected, const TableContent& got,
                                     const Capabilities& can);

// Every datatype class of a column was declared.
bool declared(const Json& type, const Capabilities& can);

// What of a datatype is another than it should be, what it should be: "order: \"big\"". Members
// that the protocol does not have are passed over. Nothing if they agree.
struct TypeDifference {
  std::string observed{}, expected{};
};
std::optional<TypeDifference> type_difference(const Json& expected, const Json& got);

// Two values of a row, readable forms aside.
bool same(const Json& a, const Json& b);

// Rows that a predicate matches.
std::vector<std::uint64_t> matching_rows(const TableContent& table, const ColumnContent& column,
                                         const Json& predicate);

}  // namespace hepcheck::hep001::suite
