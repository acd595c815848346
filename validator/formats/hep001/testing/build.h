// Builds tables for tests, properties and fuzzing.
//
// A TableBuilder holds a table group as the model represents it, and the values of its datasets in
// memory. Start from good_table(), mutate one thing, call finish():
//
//   TableBuilder t = good_table();
//   t.dataset("ts").space.extent = {9};
//   examine(t.finish(), t.values, ...);
//
// Paths are relative to the table group: "" is the group itself, "SEARCH_INDEXES/ts__minmax" a
// dataset below it. Requesting an object that does not exist is a bug in the caller (assert).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "validator/formats/hep001/model/table.h"
#include "validator/formats/hep001/model/values.h"

namespace hepcheck::hep001 {

// hep001-2026-06-16, which all of these follow except newer_table().
const Specification& older_revision();

// A value to be stored in any datatype: an integer (or the code of an enumeration or bitfield),
// a floating-point number, or text (strings and opaque bytes).
class Cell {
 public:
  template <std::integral T>
  Cell(T value) : value_(static_cast<std::int64_t>(value)) {}
  template <std::floating_point T>
  Cell(T value) : value_(static_cast<double>(value)) {}
  Cell(std::string value) : value_(std::move(value)) {}
  Cell(std::string_view value) : value_(std::string(value)) {}
  Cell(const char* value) : value_(std::string(value)) {}

  // One element of `type` as a file stores it; strings are padded and cut to size. Integers,
  // binary32, binary64, strings, opaque, enumerations; others are given as text of type.size.
  std::vector<std::byte> stored_as(const Datatype& type) const;
  std::string text() const;  // of a text cell

 private:
  std::variant<std::int64_t, double, std::string> value_;
};
using Cells = std::vector<Cell>;

// The elements in sequence.
std::vector<std::byte> stored_as(const Datatype& type, const Cells& cells);

// The entries of CHUNK_MINMAX over values of this type.
Datatype chunk_minmax_type(const Datatype& value);

// Attributes. The first form is scalar, the second one-dimensional.
Attribute attribute(std::string name, Datatype type, const Cell& value);
Attribute attribute(std::string name, Datatype type, const Cells& values);
// Fixed-length UTF-8 strings, NULLPAD, as long as the longest; ASCII, NULLTERM, with a NUL.
Attribute utf8(std::string name, std::string_view value);
Attribute utf8_list(std::string name, const std::vector<std::string>& values);
Attribute ascii(std::string name, std::string_view value);
Attribute variable_length(std::string name, std::string_view value);  // scalar, UTF-8
Attribute boolean(std::string name, bool value);                      // section 6
Attribute reference(std::string name, Reference target);
Attribute references(std::string name, std::vector<Reference> targets);
// The same value repeated to fill another shape, or over a null dataspace.
Attribute shaped(Attribute attribute, std::vector<std::uint64_t> extent);
Attribute without_value(Attribute attribute);
// The same references in the legacy datatype H5T_STD_REF_OBJ.
Attribute legacy(Attribute attribute);

Reference null_reference();
Reference dangling_reference();
Reference reference_elsewhere(std::string file);
Reference region_of(Reference object);
Reference attribute_of(Reference object);

Dataspace simple_space(std::vector<std::uint64_t> extent);
Dataspace null_space();

class TableBuilder {
 public:
  // A group with CLASS, VERSION and NROWS, and nothing below it.
  explicit TableBuilder(std::string path = "/t", std::uint64_t nrows = 0);

  Group& group(std::string_view path = {});
  Dataset& dataset(std::string_view path);
  Child& child(std::string_view path);
  bool has(std::string_view path) const;
  // The paths of the table group, and of the groups and datasets below it.
  std::vector<std::string> objects() const;
  bool is_dataset(std::string_view path);
  // An object reference to a dataset or group below the table group, or to the group itself.
  Reference to(std::string_view path) const;
  // A fresh object of this file outside the table.
  Reference outside(std::string path, ObjectKind kind = ObjectKind::kDataset);

  // The attributes of the object at `path`; set replaces one of the same name.
  Attributes& attributes(std::string_view path = {});
  Attribute& attribute(std::string_view path, std::string_view name);
  void set(std::string_view path, Attribute attribute);
  void erase(std::string_view path, std::string_view name);
  std::optional<std::string>& attributes_unreadable(std::string_view path);

  // A column of as many rows as there are cells, contiguous unless `chunk` says how many rows a
  // chunk has. The fill value is user-defined.
  Dataset& add_column(std::string_view name, Datatype type, const Cells& cells, const Cell& fill,
                      std::uint64_t chunk = 0);
  // Any dataset, with the library's default fill value; contiguous.
  Dataset& add_dataset(std::string_view path, Datatype type, std::vector<std::uint64_t> extent,
                       const Cells& cells = {});
  Group& add_group(std::string_view path);
  Child& add_named_datatype(std::string_view path);
  Child& add_soft_link(std::string_view path, std::string target);
  Child& add_external_link(std::string_view path, std::string file, std::string target);
  Child& add_user_link(std::string_view path);
  // A second name for the object at `existing`.
  Child& add_hard_link(std::string_view path, std::string_view existing);
  void remove(std::string_view path);
  void rename(std::string_view path, std::string_view name);

  // Replaces the values of a dataset, not its extent.
  void store(std::string_view path, const Cells& cells);
  // Writes column-order from the names of the columns.
  void list_columns();

  // Assigns the roles. Must be called after the last change and before a rule sees the table.
  const Table& finish(const Specification& spec = older_revision());

  Table table;
  MemoryValues values;

 private:
  Child& add(std::string_view path, ObjectKind kind);
  ObjectToken fresh_token();

  std::uint64_t last_token_ = 0;
};

// The smallest table without any finding: two columns of 5 rows, contiguous.
TableBuilder small_table();

// A table with all features of HEP001 and without findings: NROWS 10, extent 16,
// chunks of 4, garbage in the tail. Every optional attribute is there.
//
//   row_id     uint64                                row index, named by _index
//   ts         int64, valid_min, valid_max           CHUNK_MINMAX, SORTED_ROWS
//   energy     float64 with NaN and missing rows     CHUNK_MINMAX, SORTED_ROWS
//   label      int8, categorical, one missing row    BITMAP
//   name       fixed UTF-8 strings                   CHUNK_BLOOM
//   grade      enumeration with a MISSING member
//   passed     boolean (section 6), no missing row
//   impedance  compound {re: float32, im: float32}
//
// Indexes are called SEARCH_INDEXES/COLUMN__minmax, __sorted, __bitmap, __values, __bloom; the
// labels are CATEGORIES/label__CATEGORIES.
TableBuilder good_table();

// The same for the newest revision, also without findings: tokens on every
// index, indexes that can grow, `passed` without a fill value, and two list columns.
//
//   tracks     list<int16> with a MASK, one row null
//   tags       list<string>
TableBuilder newer_table();

}  // namespace hepcheck::hep001
