// A table group of an open file, as HEP001 defines it for consumers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lists.h"

namespace adapter {

// The program does not process this table.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// It does not support this at all.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Diagnostic {
  std::string path, message;
};

struct Column {
  std::string name{};
  Id dataset{}, type{};        // a list column is a group, without its own datatype
  Json notation{};             // of the datatype
  std::optional<Json> fill{};  // the user-defined fill value

  bool is_list() const { return notation.at("class") == "list"; }
  bool later() const;  // it can be read only by a later revision

  hsize_t extent() const;
  hsize_t chunk(hsize_t rows) const;      // rows per chunk; all rows if it is not chunked
  bool missing(const Json& value) const;  // the canonical test (8.5)
  // Rows as stored, and with missing ones as null.
  std::vector<Json> stored(hsize_t first, hsize_t count) const {
    return is_list() ? read_entries(dataset, first, count) : read_rows(dataset, first, count);
  }
  std::vector<Json> values(hsize_t first, hsize_t count) const;
};

struct Table {
  std::string path{}, version{};
  Id group{};
  bool newer = false;  // of a revision with list columns and validity tokens
  std::uint64_t rows = 0;
  std::vector<Column> columns{};  // in the order of column-order, if there is one
  std::vector<Diagnostic> diagnostics{};

  const Column& column(const std::string& name) const;
};

// Paths of all table groups, each group once.
std::vector<std::string> find_tables(hid_t file);
bool is_table(hid_t group);
// Throws Refused if the program must or may not continue.
Table open_table(hid_t file, const std::string& path, bool newer);

std::optional<std::uint64_t> number_attribute(hid_t owner, const std::string& name);
// The objects to which an attribute of references refers; none without the attribute.
std::vector<Id> references(hid_t owner, const std::string& name);

// Search indexes of a column with this KIND.
std::vector<Id> indexes(const Column& column, const std::string& kind);

// A scalar uint64 attribute; none if it has another form (12.2).
std::optional<std::uint64_t> token(hid_t owner, const std::string& name);
// The validity check (12.2): whether the contents of an index are valid. Always true for older
// tables.
bool is_valid(const Table& table, hid_t index);

}  // namespace adapter
