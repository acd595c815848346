// An array of a batch, and the functions that judge it.
//
// Each chapter of the layouts has one function here. They are called in the order of their
// dependencies: nulls, buffers, children; later ones do not examine what an earlier one found
// broken.
#pragma once

#include <cstdint>
#include <format>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "validator/formats/arrow/bits.h"
#include "validator/formats/arrow/body.h"
#include "validator/formats/arrow/rule.h"
#include "validator/formats/arrow/schema.h"

namespace hepcheck::arrow {

struct Array;

// The slots of a child that no null of a parent covers. Computed on demand, because claimed lengths
// may exceed any buffer.
class Cover {
 public:
  // Null: no slot is covered. `keys`: for dictionary keys, which count only if a sparse union
  // selects them. False: unknown.
  using Make = std::function<bool(const Cover& self, std::uint64_t length, bool keys,
                                  std::unique_ptr<Bits>& bare)>;

  Cover() = default;
  Cover(const Array& parent, Make make) : parent_(&parent), make_(std::move(make)) {}

  // Whether an unknown result means not examined instead of broken.
  bool unexamined() const;
  // The cost of computing it exceeds the budget.
  bool refuse() const {
    refused_ = true;
    return false;
  }

  // For the first `length` slots, which some buffer can hold.
  bool bare(std::uint64_t length, bool keys, std::unique_ptr<Bits>& made) const {
    return !make_ || make_(*this, length, keys, made);
  }

 private:
  const Array* parent_ = nullptr;
  Make make_{};
  mutable bool refused_ = false;
};

// The role of an array in its parent.
enum class Role : std::uint8_t {
  kPlain,
  kMapEntries,
  kMapKey,
  kDictionaryValues,
  kRunEnds,
  kRunValues,
};

// The slots of a map whose keys must be sorted, for the array of its keys.
struct MapSlots;
// The runs of a run-end encoded array, for the array of its values.
struct Runs;

struct Array {
  const Field& field;
  ArrayLayout layout;
  const Path& path;
  std::uint64_t byte;  // of the file, where its node is
  Node node;
  std::int16_t version;
  std::endian order;
  Role role = Role::kPlain;
  const Cover* cover = nullptr;
  Body* body = nullptr;
  const Runs* runs = nullptr;  // of its parent

  // --- Filled in one after the other -------------------------------------------------------------
  bool has_validity = false;  // by its layout
  bool counts_hold = false;   // its length and null count are valid
  Loaded validity{};
  std::optional<std::uint64_t> zeros{};  // null slots by the bitmap, if it can be counted
  bool nulls_known = false;              // which slots are null
  Loaded first{}, second{};              // the other buffers, in the order of the layout
  bool readable = false;                 // its values can be decoded, and are in memory
  bool given_up = false;                 // values of views were not examined, which was noted

  std::uint64_t length() const {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, node.length));
  }
  ByteSpan bitmap() const { return nulls_known ? validity.bytes : ByteSpan(); }
  unsigned number_of_first() const { return has_validity ? 1 : 0; }
  Place place() const { return {.path = &path, .byte = byte}; }
  Place in(const Loaded& loaded, unsigned buffer, std::uint64_t within = 0) const {
    return {.path = &path,
            .buffer = buffer,
            .within = within,
            .byte = loaded.byte + (loaded.compressed ? 0 : within)};
  }
};

// Which of the first `length` slots to examine; none if that is unknown. It must outlive results
// that depend on it.
class VisibleSlots {
 public:
  VisibleSlots(const Array& array, std::uint64_t length, bool keys = false);
  explicit operator bool() const { return known_; }
  // If it is unknown, the tables are not examined; the broken part has its own finding.
  template <const auto&... kTables>
  void block_if_unexamined(const Place& place, Notes& notes) const {
    if (unexamined_)
      block<kTables...>(place.object() + ": which slots are null could not be examined", {}, notes);
  }
  bool unexamined() const { return unexamined_; }
  const Seen& seen() const { return seen_; }

 private:
  std::unique_ptr<Bits> bare_{};
  Seen seen_{};
  bool known_ = false, unexamined_ = false;
};

// The tables could not be examined because this buffer, which they need, was not.
template <const auto&... kTables>
void block_if_unexamined(const Array& array, const Loaded& loaded, unsigned buffer, Notes& notes) {
  if (!loaded.unexamined()) return;
  std::vector<std::string_view> by;
  if (const std::string_view clause = array.body->batch().unreadable_by; !clause.empty())
    by.push_back(clause);
  block<kTables...>(std::format("{}: {}", array.in(loaded, buffer).object(), loaded.why), by,
                    notes);
}
// Reading it in parts was interrupted.
inline void break_off(Loaded& loaded) {
  loaded.state = Loaded::State::kNotExamined;
  loaded.why = "cannot be read";
}

// 2.2: the length of a batch.
void judge_batch_length(std::int64_t length, const Place& place, Notes& notes);
// 2.2 and 4.3: its node. Sets counts_hold; false if nothing else can be judged.
bool judge_node(Array& array, Notes& notes);
// 2.3, 2.4, 2.11: its nulls. The bitmap has been loaded.
void judge_nulls(Array& array, Notes& notes);
// 2.5, 2.12: slots of one width. True if the buffer contains all of them.
bool judge_slots(const Array& array, Notes& notes);
// Schema.fbs: the values of those.
bool has_value_rules(const Field& field);
void judge_values(const Array& array, Notes& notes);
// CanonicalExtensions.rst: the values of extension types. The arrays have no findings of their own.
// The values of a dictionary that its extension type does not want. They count only where they are
// used.
struct Unwanted {
  struct Value {
    std::uint64_t slot = 0;       // of the dictionary
    std::uint8_t rule = 0;        // of those of the extension type
    std::int64_t found = 0;       // a number, a size, or a number of elements
    std::uint32_t dimension = 0;  // with that size
    bool negative = false;        // some size is
  };
  static constexpr std::size_t kMost = 65536;  // as many as there are numbers of 16 bits

  std::vector<Value> values{};      // by ascending slots
  const Field* of = nullptr;        // whose extension type they follow
  bool known = false;               // the values could be judged
  bool too_many = false;            // to be kept
  std::set<const Field*> inside{};  // below its values; which values is not recorded
};
// Whether values that the extension type does not want count in dictionaries only where they are
// used; of numbers, and of tensors, which are structs.
bool limits_numbers(const Field& field);
bool limits_values(const Field& field);
// `into`: null, or the array is in the values of a dictionary.
void judge_extension_numbers(const Array& array, Unwanted* into, Notes& notes);
struct Tensors {
  const Array &structs, &data, &shape, &sizes;
};
void judge_tensors(const Tensors& tensors, Unwanted* into, Notes& notes);
// The array is dictionary-encoded, and these are known of its dictionary.
void judge_used_values(const Array& array, const Unwanted& unwanted, Notes& notes);
void block_extension_values(const Field& field, const std::string& reason, Notes& notes);
void pass_extension_values(const Field& field, std::uint64_t slots, Notes& notes);
// `sound`: the values can be followed, and are UTF-8.
void judge_json_texts(const Array& array, bool sound, Notes& notes);
void judge_json_views(const Array& array, std::span<const Loaded> data, bool sound, Notes& notes);
// 2.6: offsets and bytes. 2.7: offsets into the child. True if the offsets are valid.
bool judge_binary(Array& array, Notes& notes);
bool judge_list(const Array& array, std::int64_t child_length, Notes& notes);
// 2.8, 2.9, 2.10.2: the lengths of children.
void judge_fixed_size_list(const Array& array, std::int64_t child_length, Notes& notes);
void judge_child_length(const Array& array, const Path& child, std::uint64_t byte,
                        std::int64_t length, Notes& notes);
// Format 1.5, 3.7: views, and their data buffers. True if all of them are valid.
bool judge_views(Array& array, std::span<const Loaded> data, Notes& notes);
// 3.8.2: offsets and sizes. True if all slots are known.
bool judge_list_view(const Array& array, std::int64_t child_length, Notes& notes);
// 3.14: the children of a run-end encoded array.
struct Runs {
  const Array& parent;
  const Array* ends = nullptr;  // its bytes are the run ends
  bool known = false;           // they are there, ascend, and have no nulls
  bool unexamined = false;      // they could not be examined
  std::uint64_t used = 0;       // runs that cover a slot below the length
};
std::int64_t run_end(const Array& ends, std::uint64_t run);
void judge_run_lengths(const Array& parent, std::int64_t ends, std::int64_t values, Notes& notes);
void judge_run_ends(const Array& ends, Runs& runs, Notes& notes);
// Nulls of the keys of a map that are counted elsewhere than in the array.
void judge_key_nulls(const Array& keys, std::uint64_t nulls, Notes& notes);
void block_key_nulls(const Array& keys, Notes& notes);
// The nulls of its values, if it must not have any.
void judge_run_nulls(const Array& values, Notes& notes);
// 2.10: type ids, offsets. They determine which slots of the children count.
struct UnionSlots {
  bool ids_known = false, offsets_known = false;
};
UnionSlots judge_union(const Array& array, std::span<const std::int64_t> child_lengths,
                       Notes& notes);
// The child that a type id selects, by the ids of the union; -1 if there is none.
std::vector<int> children_by_id(const Field& field);

// Schema.fbs: maps.
struct MapSlots {
  const Array& map;
  ByteSpan offsets;
};
// `data`: the data buffers of keys that are views.
void judge_key_order(const Array& keys, const MapSlots& slots, Notes& notes,
                     std::span<const Loaded> data = {});

// 2.12: the indices of a dictionary-encoded array.
struct Keys {
  const Field* field = nullptr;
  bool used = false;                    // there are slots with an index
  std::uint64_t most = 0, most_at = 0;  // the largest that is not negative, and its slot
  bool any = false;                     // there is one that is not negative
  bool unexamined = false;              // they could not be examined
  Place place{};                        // of the largest
};
Keys read_keys(Array& array, Notes& notes);
// Visits the keys of the first `length` slots that are seen, except negative ones. False if they
// cannot be read.
using OnKey = std::function<void(std::uint64_t slot, std::uint64_t key)>;
bool each_key(const Array& array, std::uint64_t length, const Seen& seen, const OnKey& visit);

// Whether an offset or a slot of `width` bytes exists for each of `count`.
inline bool has_room(const Loaded& loaded, std::uint64_t count, std::uint64_t width) {
  return product(count, width) <= loaded.size && (width == 0 || count <= kLargestNumber / width);
}
// A signed number of 1, 2, 4 or 8 bytes.
std::int64_t offset_at(ByteSpan bytes, std::uint64_t i, std::uint64_t width, std::endian order);

// Buffer.length includes the padding, although it could exclude it.
void judge_unpadded(const Array& array, const Loaded& loaded, unsigned buffer, std::uint64_t exact,
                    Notes& notes);

}  // namespace hepcheck::arrow
