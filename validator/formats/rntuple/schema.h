// The schema description of an RNTuple (7.1): fields, columns, aliases and extra type information,
// of the header and of the schema extension in the footer together.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "validator/formats/rntuple/column_type.h"
#include "validator/formats/rntuple/frame.h"

namespace hepcheck::rntuple {

enum : std::uint16_t {
  kLeaf = 0,
  kCollection = 1,
  kRecord = 2,
  kVariant = 3,
  kStreamed = 4,
};

struct Field {
  std::uint32_t field_version = 0, type_version = 0, parent = 0;
  std::uint16_t role = 0, flags = 0;
  std::uint64_t array_size = 0;
  std::string_view name{}, type{}, alias{}, description{};
  bool extension = false;
  std::uint64_t at = 0;  // in its envelope

  ByteSpan later{}, surplus{};  // numbers of later drafts, and bytes behind the strings

  std::vector<std::uint32_t> children{}, columns{}, aliases{};  // filled in by settle_schema

  bool repetitive() const { return (flags & 1) != 0; }
  bool projected() const { return !aliases.empty() && columns.empty(); }
};

struct Column {
  std::uint16_t type = 0, bits = 0;
  std::uint32_t field = 0;
  std::uint32_t flags = 0, stored_flags = 0;  // without and with the representation index
  std::uint16_t representation = 0;
  std::uint64_t first = 0;        // index of the first element
  bool suppressed_first = false;  // a negative index: deferred and suppressed
  bool extension = false;
  std::uint64_t at = 0;
  ByteSpan surplus{};

  bool deferred() const { return (flags & 0x08) != 0; }
  const ColumnType& kind() const { return column_type(type); }
  bool decodable() const { return kind().known() && kind().bits == bits; }
};

struct Alias {
  std::uint32_t column = 0, field = 0;
  bool extension = false;
  std::uint64_t at = 0;
  ByteSpan surplus{};
};

struct ExtraType {
  std::uint32_t numbers[3] = {};
  std::string_view type{};
  bool extension = false;
  std::uint64_t at = 0;
  ByteSpan surplus{};  // with the content, if there is one
};

constexpr int kSchemaLists = 4;

// The lists of a header, or of a schema extension.
struct SchemaLists {
  int count = 0;                      // of those that begin in the frame
  ByteSpan tails[kSchemaLists] = {};  // bytes behind the last item of each
};

struct Schema {
  std::vector<Field> fields{};
  std::vector<Column> columns{};
  std::vector<Alias> aliases{};
  std::vector<ExtraType> extra_types{};
  std::size_t header_columns = 0;
  SchemaLists of_header{}, of_extension{};
  bool later_draft = false;
  // Every parent and every field of a column exists, and the fields form trees.
  bool tree = true;
  const Path* header = nullptr;
  const Path* footer = nullptr;

  Path path_of(std::string_view kind, std::uint64_t id, bool extension) const {
    return {.up = extension ? footer : header, .kind = kind, .index = id};
  }
};

// Reads the four lists, as far as the frame goes. False if a list
// cannot be read.
bool read_lists(Cursor& cursor, bool extension, Schema& into);

// Judges header and extension together, and connects fields and columns.
void settle_schema(Schema& schema, Notes& notes);

void schema_rules(RuleList& list);

}  // namespace hepcheck::rntuple
