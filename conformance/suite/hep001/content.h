// What a file holds, in the notation of the protocol (conformance/protocol.md): what a right
// reader would reply, and what a writer was asked for. Values are JSON in that notation, null
// for a missing one, so that comparing and printing need no datatype.
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

  Json label(const Json& code) const;  // null for a missing code, and where there is none
};

struct IndexContent {
  std::string kind{}, path{};
  std::optional<std::string> description{};
  bool ordered = false;
  std::vector<Json> values{};  // BITMAP: the indexed values
  // Validity tokens, where the revision has any and they can be read; whether its contents count.
  std::optional<std::uint64_t> source_generation{}, source_nrows{};
  bool valid = true;
};

// A dataset below a list column: "OFFSETS", "VALUES/MASK".
struct MemberContent {
  std::string name{};
  std::uint64_t extent = 0, needed = 0;
};

struct ColumnContent {
  std::string name{};
  Json type{};
  std::optional<std::string> units{}, units_vocabulary{}, description{};
  bool own_vocabulary = false;  // not taken over from the table
  std::optional<CategoriesContent> categories{};
  std::vector<Json> values{};  // of a categorical column its codes
  std::vector<Json> labels{};  // categorical: the label of each row
  Json fill{};                 // null unless it is user-defined and can be had
  Json valid_min{}, valid_max{};
  bool missing_known = true;  // false: the fill value could not be had, null stands for nothing
  std::string unreadable{};   // why there are no values
  std::vector<IndexContent> indexes{};
  std::uint64_t extent = 0;
  std::uint64_t chunk = 0;  // rows a chunk; 0 if it is not chunked
  std::vector<std::string> filters{};
  std::optional<bool> boolean{};         // taken for a boolean column; of a reply perhaps unsaid
  std::vector<MemberContent> members{};  // of a list column

  bool is_list() const { return !type.is_null() && type.value("class", "") == "list"; }
  bool has_index(std::string_view kind) const;
};

struct TableContent {
  std::string path{};
  std::string version{};
  std::uint64_t rows = 0;
  std::optional<std::uint64_t> generation{};
  std::optional<std::string> title{}, description{};
  bool fixed_order = false;  // there is a column-order
  bool read = true;          // false: the values could not be had from the program
  std::vector<ColumnContent> columns{};
  std::vector<std::string> row_labels{};  // names of the row index columns, outermost first

  const ColumnContent* column(std::string_view name) const;
};

using FileContent = std::vector<TableContent>;

// Reads every table of a file, independently of the program under test. Not for files that a
// program has made or can reach: see inspect.h. The second form is for what is open already, as
// `name`.
Result<FileContent> read_content(std::span<const std::byte> image, const Specification& spec);
Result<FileContent> read_content(int descriptor, const std::string& name,
                                 const Specification& spec);

// The columns of a file's tables whose first rows, that many, can be read.
std::set<std::string> readable_columns(int descriptor, const std::string& name,
                                       const Specification& spec, std::uint64_t rows);

// Elements [0, rows) of a rank-1 dataset.
Result<std::vector<Json>> elements(const Dataset& dataset, ValueSource& values, std::uint64_t rows);
// The same, null where they equal its fill value, which becomes that of `column`.
Result<std::vector<Json>> present_elements(const Dataset& dataset, ValueSource& values,
                                           std::uint64_t rows, ColumnContent& column);

// A datatype in the notation, and one stored element of it.
Json type_notation(const Datatype& type);

// Bytes of a text: a string where they are UTF-8.
Json string_notation(std::string_view text);

// The classes that occur in a datatype: "integer", "string", "vlen-string", ...
std::vector<std::string> classes_in(const Json& type);

// Order and equality of values as queries see them (protocol.md, "query").
bool equal_values(const Json& type, const Json& a, const Json& b);
bool has_order(const Json& type);
bool less(const Json& type, const Json& a, const Json& b);  // false if either is NaN
bool is_nan(const Json& value);

// A value as one line for people, cut short.
std::string shown(const Json& value, std::size_t most = 60);

}  // namespace hepcheck::hep001::suite
