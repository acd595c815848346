// A table group as plain values: everything that a rule may examine.
//
// The model records the contents of the file, valid or not: attributes keep their exact datatype,
// shape and bytes; references state their target or why they have none; every link below the table
// group is kept. A part that could not be read has the reason in `unreadable`. Values of datasets
// are not included: a ValueSource delivers them by block (values.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "validator/formats/hep001/model/datatype.h"
#include "validator/formats/hep001/model/index_gate.h"
#include "validator/formats/hep001/model/list_column.h"
#include "validator/formats/hep001/model/revision.h"

namespace hepcheck::hep001 {

// Identity of an object within one file (an HDF5 object token); equal tokens, same object.
struct ObjectToken {
  std::array<std::uint8_t, 16> bytes{};
  friend auto operator<=>(const ObjectToken&, const ObjectToken&) = default;
};

struct ObjectTokenHash {
  std::size_t operator()(const ObjectToken& token) const;
};

struct Dataspace {
  enum class Kind : std::uint8_t { kScalar, kSimple, kNull };
  Kind kind = Kind::kScalar;
  std::vector<std::uint64_t> extent{};  // simple: one entry per dimension

  static constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};
  std::vector<std::uint64_t> max_extent{};

  bool scalar() const { return kind == Kind::kScalar; }
  bool one_dimensional() const { return kind == Kind::kSimple && extent.size() == 1; }
  std::size_t rank() const { return extent.size(); }
  // Number of elements; saturates at 2^64 - 1.
  std::uint64_t elements() const;
};
std::string describe(const Dataspace& space);  // "scalar", "null", "shape (3, 2)"

enum class ObjectKind : std::uint8_t { kGroup, kDataset, kNamedDatatype, kUnknown };

// One element of a reference attribute.
struct Reference {
  enum class Kind : std::uint8_t { kNull, kObject, kRegion, kAttribute };
  enum class Target : std::uint8_t {
    kNothing,   // null reference
    kObject,    // an object of this file: `token`, `object`, `path`
    kDangling,  // the object does not exist (any more): `why`
    kElsewhere  // names another file, which is never opened: `file`
  };
  Kind kind = Kind::kNull;
  Target target = Target::kNothing;
  ObjectToken token{};
  ObjectKind object = ObjectKind::kUnknown;
  std::string path{};  // one path of the target, for messages
  std::string file{};
  std::string why{};

  bool null() const { return kind == Kind::kNull; }
  bool resolved() const { return target == Target::kObject; }
  bool dangling() const { return target == Target::kDangling; }
};

struct Attribute {
  std::string name{};
  Datatype type{};
  Dataspace space{};
  // The stored elements, concatenated, in the datatype and byte order of the file. Empty for
  // variable-length types, references and null dataspaces.
  std::vector<std::byte> bytes{};
  // Variable-length strings, one per element; a null pointer reads as "".
  std::vector<std::string> strings{};
  // Elements of a reference attribute (class kReference), of either generation.
  std::vector<Reference> references{};
  std::optional<std::string> unreadable{};
};

// The attributes of an object by name, in one block of memory: most objects have a few, and rules
// ask for them by name again and again.
class Attributes {
 public:
  using value_type = std::pair<std::string, Attribute>;
  using iterator = std::vector<value_type>::iterator;
  using const_iterator = std::vector<value_type>::const_iterator;

  Attributes() = default;
  // In any order; of several with one name, the first.
  explicit Attributes(std::vector<value_type> all);

  const_iterator begin() const { return all_.begin(); }
  const_iterator end() const { return all_.end(); }
  iterator begin() { return all_.begin(); }
  iterator end() { return all_.end(); }
  std::size_t size() const { return all_.size(); }
  bool empty() const { return all_.empty(); }

  const_iterator find(std::string_view name) const {
    // Comparing with a few names one after the other is faster than halving.
    constexpr std::size_t kFew = 16;
    if (all_.size() <= kFew) return std::ranges::find(all_, name, &value_type::first);
    const auto at = std::ranges::lower_bound(all_, name, {}, &value_type::first);
    return at != all_.end() && at->first == name ? at : all_.end();
  }
  iterator find(std::string_view name) {
    return all_.begin() + (std::as_const(*this).find(name) - all_.cbegin());
  }
  bool contains(std::string_view name) const { return find(name) != end(); }
  // These take time in proportion to the number of attributes, and invalidate references to them.
  void emplace(std::string name, Attribute attribute);
  void insert_or_assign(std::string name, Attribute attribute);
  void erase(const_iterator at) { all_.erase(at); }

 private:
  std::vector<value_type> all_{};  // by name
};

// Strips the terminator and padding from a stored fixed-length string: NULLTERM ends at the
// first NUL, NULLPAD loses trailing NULs, SPACEPAD trailing spaces.
std::string_view strip_padding(std::string_view stored, StringPadding padding);

// The string elements of an attribute, without padding; empty if it has no strings.
std::vector<std::string> string_elements(const Attribute& attribute);
// The only element of a scalar or one-element string attribute.
std::optional<std::string> string_value(const Attribute& attribute);
// Whether it is there and has this string value.
bool is_string(const Attribute* attribute, std::string_view value);
// The first element as an integer, for any width, sign and byte order; nothing if the class is not
// integer or enumeration, or the value does not fit.
std::optional<std::uint64_t> unsigned_value(const Attribute& attribute);
std::optional<std::int64_t> signed_value(const Attribute& attribute);

struct Filter {
  int id = 0;
  std::string name{};
  bool optional = false;
  std::vector<unsigned> parameters{};
  bool available = true;  // the library can decode it
};

enum class StorageLayout : std::uint8_t { kCompact, kContiguous, kChunked, kVirtual, kExternal };
enum class FillState : std::uint8_t { kUndefined, kDefault, kUserDefined };

struct Storage {
  StorageLayout layout = StorageLayout::kContiguous;
  std::optional<std::uint64_t> address{};  // contiguous: the address of its bytes in the file
  std::vector<std::uint64_t> chunk{};      // chunked: elements per dimension
  std::vector<Filter> filters{};           // in the order in which they are applied when writing
  FillState fill_state = FillState::kDefault;
  // User-defined fill value in the dataset's own datatype and byte order.
  std::vector<std::byte> fill{};
  std::optional<std::string> fill_string{};  // variable-length string datatypes
  std::optional<std::string>
      fill_form{};  // of other types with variable parts: its comparable form
  std::optional<std::string> fill_unreadable{};  // the reason why the fill value is unknown
};

struct Dataset {
  std::string name{};  // link name in its group
  std::string path{};
  ObjectToken token{};
  Datatype type{};
  Dataspace space{};
  Storage storage{};
  Attributes attributes{};
  std::optional<std::string> unreadable{};  // it exists but cannot be opened
  // Not all of its attributes could be listed: one that is not in `attributes` may exist.
  std::optional<std::string> attributes_unreadable{};

  const Attribute* attribute(std::string_view name) const;
  // Length of the first dimension; nothing for scalar and null dataspaces.
  std::optional<std::uint64_t> extent() const;
};

struct Group;

// A link and its target. Only hard links are followed.
struct Child {
  enum class LinkKind : std::uint8_t { kHard, kSoft, kExternal, kUserDefined };
  std::string name{};  // raw link name bytes; need not be UTF-8
  std::string path{};
  LinkKind link = LinkKind::kHard;
  std::string link_target{};  // soft: path; external: "file:path"; for messages
  ObjectKind object = ObjectKind::kUnknown;
  ObjectToken token{};
  std::shared_ptr<Dataset> dataset{};  // hard link to a dataset
  std::shared_ptr<Group> group{};      // hard link to a group that was not visited before
  // The target of a soft link, if it is an object of this file: to report that a name in
  // column-order is a soft link to a dataset.
  std::optional<ObjectToken> soft_target{};
  std::optional<std::string> unreadable{};

  bool hard() const { return link == LinkKind::kHard; }
  bool is_dataset() const { return hard() && object == ObjectKind::kDataset; }
  bool is_group() const { return hard() && object == ObjectKind::kGroup; }
};

struct Group {
  std::string path{};
  ObjectToken token{};
  Attributes attributes{};
  std::vector<Child> children{};
  std::optional<std::string> unreadable{};             // not all of its links could be listed
  std::optional<std::string> attributes_unreadable{};  // or not all of its attributes

  const Attribute* attribute(std::string_view name) const;
  const Child* child(std::string_view name) const;  // linear; for the few reserved names
};

// True if the attribute's string value equals COLUMN_TABLE, in any storage (7.1).
bool marks_table(const Group& group);

// A column: a rank-1 dataset that is a direct, hard-linked child of the table group (3, 8.1).
struct Column {
  std::shared_ptr<const Dataset> data{};
  const std::string& name() const { return data->name; }
  const std::string& path() const { return data->path; }
};

// A dataset directly in CATEGORIES (8.7), with the columns that refer to it.
struct Categories {
  std::shared_ptr<const Dataset> data{};
  std::vector<std::size_t> columns{};  // positions in Table::columns
};

enum class IndexKind : std::uint8_t {
  kChunkMinmax,
  kSortedRows,
  kBitmap,
  kChunkBloom,
  kUnknown,
};

// A dataset directly in SEARCH_INDEXES that acts as a search index: it has KIND, or a
// SEARCH_INDEX_LIST refers to it, and it is not the VALUES dataset of another index (10.1).
struct SearchIndex {
  std::shared_ptr<const Dataset> data{};
  IndexKind kind = IndexKind::kUnknown;  // by the string value of KIND
  std::vector<std::size_t> columns{};    // distinct datasets that list it
  bool listed_by_list_column = false;    // which no column may (list-no-search-index-list)
  // BITMAP: the dataset in SEARCH_INDEXES that VALUES resolves to.
  std::shared_ptr<const Dataset> values{};
  IndexGate gate{};  // whether its contents are valid
};

struct Table {
  Group group;                           // attributes and every direct child
  const Revision* revision = nullptr;    // by which it is interpreted; assign_roles sets it
  std::optional<std::uint64_t> nrows{};  // NROWS, if it contains a readable integer

  // The roles of the objects below the table group, by the rules of the specification. Computed by
  // assign_roles; rules read these and never recompute them.
  std::vector<Column> columns{};
  std::vector<ListColumn> lists{};              // columns too, if the revision has them
  const Group* categories_group = nullptr;      // hard link CATEGORIES to a group
  const Group* search_indexes_group = nullptr;  // hard link SEARCH_INDEXES to a group
  std::vector<Categories> categories{};
  std::vector<SearchIndex> indexes{};
  std::vector<std::shared_ptr<const Dataset>> accompanying{};  // targets of VALUES
  std::vector<std::shared_ptr<const Dataset>> strays{};        // in SEARCH_INDEXES, without a role

  std::unordered_map<ObjectToken, std::size_t, ObjectTokenHash> column_by_token;
  std::unordered_map<std::string, std::size_t> column_by_name;
  std::unordered_map<ObjectToken, std::size_t, ObjectTokenHash> list_by_token;
  std::unordered_map<std::string, std::size_t> list_by_name;
  std::unordered_map<ObjectToken, std::size_t, ObjectTokenHash> categories_by_token;
  std::unordered_map<ObjectToken, std::size_t, ObjectTokenHash> index_by_token;

  const std::string& path() const { return group.path; }
  const Attribute* attribute(std::string_view name) const { return group.attribute(name); }
};

// Computes everything below `group` in `table` from `table.group`, as interpreted by the revision.
// Must be called again after the group is mutated. Linear in the number of objects and references.
void assign_roles(Table& table, const Revision& revision);

// The rows of a column that belong to the table and exist: min(NROWS, extent).
std::uint64_t logical_rows(const Table& table, const Dataset& column);
// The number of rows in a chunk of this column; the whole column if it is not chunked.
std::uint64_t chunk_rows(const Dataset& column);
// Chunks that contain logical rows: ceil(rows / chunk_rows), 1 if not chunked, 0 if no rows.
std::uint64_t data_bearing_chunks(const Table& table, const Dataset& column);

// The column has a fill value that was set explicitly and is known (8.5).
bool has_user_fill(const Dataset& column);
// Fixed-size memory form of a fill value as the column stores it; nothing unless the fill
// value is user-defined and readable.
const std::vector<std::byte>* fill_bytes(const Dataset& column);

}  // namespace hepcheck::hep001
