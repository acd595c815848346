// The content of a file, in the notation of the protocol (conformance/protocol.md): the reply of a
// correct reader, and the request to a writer. Values are JSON in that notation, null for a missing
// one, so comparing and printing need no datatype.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "conformance/suite/engine/text.h"
#include "conformance/suite/hep001/protocol.h"
#include "validator/formats/hep001/model/table.h"
#include "validator/formats/hep001/model/values.h"
#include "validator/result.h"

namespace hepcheck::hep001::suite {

struct CategoriesContent {
  Json type{};
  std::vector<Json> labels{};
  bool ordered = false;

  Json label(const Json& code) const;  // null for a missing code, and if there is none
};

struct IndexContent {
  std::string kind{}, path{};
  std::optional<std::string> description{};
  bool ordered = false;
  std::vector<Json> values{};  // BITMAP: the indexed values
  // Validity tokens, if the revision has them and they can be read; whether its contents are valid.
  std::optional<std::uint64_t> source_generation{}, source_nrows{};
  bool valid = true;
};

// A dataset below a list column: "OFFSETS", "VALUES/MASK".
struct MemberContent {
  std::string name{};
  std::uint64_t extent = 0, needed = 0;
};

struct ColumnDescription {
  std::string name{};
  Json type{};
  std::optional<std::string> units{}, units_vocabulary{}, description{};
  bool own_vocabulary = false;  // not inherited from the table
  std::optional<CategoriesContent> categories{};
  Json fill{};  // null unless it is user-defined and known
  Json valid_min{}, valid_max{};
  bool missing_known = true;  // false: the fill value is unknown, null is not used
  std::string unreadable{};   // the reason why there are no values
  std::vector<IndexContent> indexes{};
  std::uint64_t extent = 0;
  std::uint64_t chunk = 0;  // rows per chunk; 0 if it is not chunked
  std::vector<std::string> filters{};
  std::optional<bool> boolean{};  // treated as a boolean column; in a reply possibly unstated
  std::vector<MemberContent> members{};  // of a list column

  bool is_list() const { return !type.is_null() && type.value("class", "") == "list"; }
  bool has_index(std::string_view kind) const;
};

struct ColumnContent : ColumnDescription {
  std::vector<Json> values{};  // the codes of a categorical column
  std::vector<Json> labels{};  // categorical: the label of each row
};

struct TableContent {
  std::string path{};
  std::string version{};
  std::uint64_t rows = 0;
  std::optional<std::uint64_t> generation{};
  std::optional<std::string> title{}, description{};
  bool fixed_order = false;  // there is a column-order
  bool read = true;          // false: the program did not return the values
  std::vector<ColumnContent> columns{};
  std::vector<std::string> row_labels{};  // names of the row index columns, outermost first

  const ColumnContent* column(std::string_view name) const;
};

using FileContent = std::vector<TableContent>;

// Reads every table of a file, independently of the program under test. Not for files that a
// program has created or can access: see inspect.h. The second form is for an open file with this
// `name`.
Result<FileContent> read_content(std::span<const std::byte> image, const Specification& spec);
Result<FileContent> read_content(int descriptor, const std::string& name,
                                 const Specification& spec);

// The columns of a file's tables whose first rows, this many, can be read.
std::set<std::string> readable_columns(int descriptor, const std::string& name,
                                       const Specification& spec, std::uint64_t rows);

// Elements [0, rows) of a rank-1 dataset.
Result<std::vector<Json>> elements(const Dataset& dataset, ValueSource& values, std::uint64_t rows);
// The same, null if they equal its fill value, which becomes that of `column`.
Result<std::vector<Json>> present_elements(const Dataset& dataset, ValueSource& values,
                                           std::uint64_t rows, ColumnContent& column);

// A datatype in the notation, and one stored element of it.
Json type_notation(const Datatype& type);

// The bytes of a text: a string if they are UTF-8.
Json string_notation(std::string_view text);

// The classes that occur in a datatype: "integer", "string", "vlen-string", ...
std::vector<std::string> classes_in(const Json& type);

// Order and equality of values in queries (protocol.md, "query").
bool equal_values(const Json& type, const Json& a, const Json& b);
bool has_order(const Json& type);
bool less(const Json& type, const Json& a, const Json& b);  // false if either is NaN
bool is_nan(const Json& value);

// A value as one line for display, truncated.
std::string shown(const Json& value, std::size_t most = 60);

}  // namespace hepcheck::hep001::suite
