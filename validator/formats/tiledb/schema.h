// An array schema as it is stored, with every byte of it.                     [array_schema.md]
//
// All names and values are views of the decoded bytes, which must outlive the schema.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/tiledb/datatype.h"
#include "validator/formats/tiledb/tile.h"

namespace hepcheck::tiledb {

using Raw = std::span<const std::byte>;

struct Dimension {
  std::uint64_t at = 0;
  Stored<Raw> name{};
  Stored<std::uint8_t> datatype{};  // before version 5 that of the domain
  Stored<std::uint32_t> cell_val_num{1};
  Pipeline filters{};  // from version 5 on
  Stored<std::uint64_t> domain_size{};
  Stored<Raw> domain{};
  Stored<std::uint8_t> null_extent{};
  Stored<Raw> extent{};  // empty if there is none

  unsigned width() const { return width_of(datatype.value); }
  bool is_variable() const { return cell_val_num.value == kVariable; }
  bool allowed() const { return is_dimension_type(datatype.value); }
  // Two values of its datatype.
  bool has_values() const {
    return width() > 0 && allowed() && datatype.value != kStringAscii && !is_variable() &&
           domain.value.size() == 2 * width();
  }
  Raw low() const { return domain.value.first(width()); }
  Raw high() const { return domain.value.subspan(width(), width()); }
  // The bounds are numbers in order.
  bool is_sound() const;
  bool has_extent() const { return null_extent.value == 0 && !extent.value.empty(); }
};

struct Attribute {
  std::uint64_t at = 0;
  Stored<Raw> name{};
  Stored<std::uint8_t> datatype{};
  Stored<std::uint32_t> cell_val_num{1};
  Pipeline filters{};
  Stored<std::uint64_t> fill_size{};  // from version 6 on
  Stored<Raw> fill{};
  Stored<std::uint8_t> nullable{}, validity{};  // from version 7 on
  Stored<std::uint8_t> order{};                 // from version 17 on
  Stored<Raw> enumeration{};                    // from version 20 on

  bool is_variable() const { return cell_val_num.value == kVariable; }
};

struct Label {
  std::uint64_t at = 0;
  Stored<std::uint32_t> dimension{};
  Stored<Raw> name{};
  Stored<std::uint8_t> relative{};
  Stored<Raw> uri{};
  Stored<Raw> attribute{};
  Stored<std::uint8_t> order{}, datatype{};
  Stored<std::uint32_t> cell_val_num{};
  Stored<std::uint8_t> external{};
  // Only in the layout of the table.
  Stored<std::uint64_t> domain_size{}, start_size{};
  Stored<Raw> domain{};
};

struct EnumerationEntry {
  std::uint64_t at = 0;
  Stored<Raw> name{}, file{};
};

struct Range {
  std::uint64_t at = 0;
  std::uint64_t size = 0, minimum_size = 0;  // of a string dimension
  Raw bytes{};
  Raw low{}, high{};  // empty if they cannot be distinguished
  bool sound = false;
};

struct CurrentDomain {
  Stored<std::uint32_t> version{};
  Stored<std::uint8_t> empty{};
  Stored<std::uint8_t> type{};
  std::vector<Range> ranges{};

  bool has_ranges() const { return empty.value == 0 && type.value == 0; }
};

// How far a schema was read.
enum class Reached : std::uint8_t {
  kNothing,
  kHead,
  kPipelines,
  kDomain,
  kAttributes,
  kLabels,
  kEnumerations,
  kCurrentDomain,
  kEnd,
};

struct Schema {
  Stored<std::uint32_t> version{};
  Stored<std::uint8_t> duplicates{}, array_type{}, tile_order{}, cell_order{};
  Stored<std::uint64_t> capacity{};
  Pipeline coordinates{}, offsets{}, validity{};
  Stored<std::uint8_t> domain_datatype{};
  Stored<std::uint32_t> dimension_count{}, attribute_count{}, label_count{}, enumeration_count{};
  std::vector<Dimension> dimensions{};
  std::vector<Attribute> attributes{};
  std::vector<Label> labels{};
  bool labels_of_table = false;  // in the layout of the table
  std::vector<EnumerationEntry> enumerations{};
  std::optional<CurrentDomain> current_domain{};
  std::uint64_t end = 0;  // behind the last field
  Reached reached = Reached::kNothing;

  bool is_dense() const { return array_type.value == 0; }
  bool is_sparse() const { return array_type.value == 1; }
  std::uint32_t number() const { return version.value; }
};

// The names of parts, in paths.
inline Path path_of(const char* kind, std::size_t index, const Stored<Raw>& name) {
  return {.kind = kind, .index = index, .name = text_of(name.value)};
}

// Reads the decoded bytes of a file. What does not fit ends the reading and is noted in `into`.
// Returns false if the version is one that this text does not describe.
bool read_schema(Opened& file, Notes& notes, Schema& into);
// Judges what was read.
// `files_judged_elsewhere`: judge_file_names_unique is called where
// the files themselves say nothing worse.
void judge_schema(const Schema& schema, const Opened& file, Notes& notes,
                  bool files_judged_elsewhere = false);
void judge_file_names_unique(const Schema& schema, const Opened& file, Notes& notes);
// None of it can be judged.
void block_schema(const Stop& stop, Notes& notes);

// The decoded bytes that have this meaning.
std::vector<std::byte> write_schema(const Schema& schema);
// A generic tile as writers make it: chunks of 64 KiB, each compressed by zlib at level 1. Where
// stock zlib made a file, this is the same file.
std::vector<std::byte> write_tile(std::uint32_t version, Raw content);

// --- The chapters
// -----------------------------------------------------------------------------------

void read_domain(BoundedReader& read, Schema& into);
void read_attributes(BoundedReader& read, Schema& into);
void read_labels(BoundedReader& read, Schema& into);
void read_current_domain(BoundedReader& read, Schema& into);
// Labels in the layout of the table; false if they do not fit.
bool read_labels_of_table(Raw content, std::uint64_t at, Notes& notes, const Source& source,
                          Schema& into, std::uint64_t& end);

void judge_domain(const Schema& schema, BoundedReader& at);
void judge_attributes(const Schema& schema, BoundedReader& at);
void judge_labels(const Schema& schema, BoundedReader& at);
void judge_current_domain(const Schema& schema, BoundedReader& at);

void block_domain(const Stop& stop, Notes& notes);
void block_attributes(const Stop& stop, std::uint32_t version, Notes& notes);
void block_labels(const Stop& stop, Notes& notes);
void block_current_domain(const Stop& stop, Notes& notes);

// __<32 hexadecimal digits>_<version>
bool is_enumeration_name(std::string_view name);
// A path that stays in its array.
bool is_relative_uri(std::string_view uri);
// The name of a file, and not a path.
bool is_file_component(std::string_view name);

}  // namespace hepcheck::tiledb
