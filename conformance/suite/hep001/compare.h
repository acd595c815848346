// Compares the content of a file with the content that a program reports.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/suite/hep001/replies.h"

namespace hepcheck::hep001::suite {

// The subject of a difference; each clause is judged by some of them.
enum class Aspect : std::uint8_t {
  kLostTable,
  kExtraTable,
  kLostLater,  // the same of a table of a later minor revision
  kVersion,
  kRows,         // the stated number of rows
  kSurplusRows,  // values beyond the last row
  kLostRows,     // fewer values than rows
  kLostColumn,
  kExtraColumn,
  kHiddenColumn,  // a value of a datatype that it does not claim to interpret
  kColumnOrder,
  kType,
  kUnits,    // of a column that has units
  kNoUnits,  // of a column without
  kOwnVocabulary,
  kDefaultVocabulary,
  kCategories,      // the labels of a categorical column
  kDecoded,         // the label of a row, by the labels that it returned
  kDecodedMissing,  // a label for a missing category
  kOrdered,         // `ordered` of the labels
  kRowLabels,
  kTexts,       // title, description
  kMissing,     // which rows are missing, by a fill value that is not NaN
  kMissingNan,  // the same by a NaN
  kValue,
  kBoolean,     // a boolean column not reported as boolean
  kNotBoolean,  // another column reported as boolean
  kNullList,    // of a list column: which lists are null
  kNullText,    // which strings
  kNullLeaf,    // which elements of the leaf are missing
  kElement,     // anything else in the rows of a list column
  kLaterKind,   // rows of a list column of an unknown KIND
  kBounds,      // fill value, valid_min, valid_max: of the output of writers
};

struct Difference {
  Aspect aspect{};
  std::string table{}, where{}, observed{}, expected{};
  std::optional<std::uint64_t> row{};  // if it is about one
};

// Compares by the datatypes that the program declared; other columns must only be listed. Units,
// categories, row labels and descriptions count if declared.
std::vector<Difference> compare(const FileContent& expected, const FileContent& got,
                                const Capabilities& can);

// The same for the values of expected columns, and nothing else.
std::vector<Difference> compare_rows(const TableContent& expected, const TableContent& got,
                                     const Capabilities& can);

// Every datatype class of a column was declared.
bool declared(const Json& type, const Capabilities& can);

// The expected value of the first differing member of a datatype: "order: \"big\"". Members that
// the protocol does not define are ignored. Nothing if they agree.
struct TypeDifference {
  std::string observed{}, expected{};
};
std::optional<TypeDifference> type_difference(const Json& expected, const Json& got);

// Two values of a row, without the members for display.
bool same(const Json& a, const Json& b);

// Rows that a predicate matches.
std::vector<std::uint64_t> matching_rows(const TableContent& table, const ColumnContent& column,
                                         const Json& predicate);

}  // namespace hepcheck::hep001::suite
