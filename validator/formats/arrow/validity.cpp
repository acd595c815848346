// Chapters 2.2, 2.3, 2.4 and 2.11, and the part of 4.3 about nodes: lengths, nulls, bitmaps.
#include <algorithm>
#include <bit>
#include <format>

#include "validator/formats/arrow/array.h"
#include "validator/formats/arrow/rule.h"
#include "validator/vectors.h"

namespace hepcheck::arrow {

namespace {

bool is_union(const Array& array) {
  return array.layout.kind == ArrayLayout::Kind::kSparseUnion ||
         array.layout.kind == ArrayLayout::Kind::kDenseUnion;
}

constexpr Rule kLength("arrow-node-length-not-negative", [](const Array& it, Look& look) {
  look.ask(
      it.node.length >= 0, [&] { return std::format("length {}", it.node.length); }, "0 or more");
});

constexpr Rule kInt31("arrow-batch-length-within-int31", [](const std::int64_t& length,
                                                            Look& look) {
  look.ask(
      length <= 0x7FFFFFFF, [&] { return std::format("length {}", length); }, "2147483647 or less");
});

void null_count_not_negative(const Array& it, Look& look) {
  look.ask(
      it.node.null_count >= 0, [&] { return std::format("null_count {}", it.node.null_count); },
      "0 or more");
}

void null_count_within_length(const Array& it, Look& look) {
  look.ask(
      it.node.null_count <= it.node.length,
      [&] { return std::format("null_count {} of length {}", it.node.null_count, it.node.length); },
      "no more than the length");
}

void null_array_count(const Array& it, Look& look) {
  if (it.layout.kind != ArrayLayout::Kind::kNull || !it.counts_hold) return;
  look.ask(
      it.node.null_count == it.node.length,
      [&] { return std::format("null_count {} of length {}", it.node.null_count, it.node.length); },
      "the length: all slots are null");
}

void union_count_zero(const Array& it, Look& look) {
  if (!is_union(it) || it.has_validity || !it.counts_hold) return;
  look.ask(
      it.node.null_count == 0, [&] { return std::format("null_count {}", it.node.null_count); },
      "0: a union itself has no nulls");
}

void run_end_count_zero(const Array& it, Look& look) {
  if (it.layout.kind != ArrayLayout::Kind::kRunEndEncoded || !it.counts_hold) return;
  look.ask(
      it.node.null_count == 0, [&] { return std::format("null_count {}", it.node.null_count); },
      "0: the nulls are those of its values");
}

constexpr Rule kRunEndsWithoutNulls("arrow-run-ends-no-nulls", [](const Array& it, Look& look) {
  look.ask(
      it.node.null_count == 0, [&] { return std::format("null_count {}", it.node.null_count); },
      "no run end that is null");
});

// For valid counts: no slots imply no nulls.
constexpr Rule kValidityPresent("arrow-validity-present", [](const Array& it, Look& look) {
  look.ask(
      it.node.null_count == 0 || it.validity.size > 0,
      [&] { return std::format("null_count {} and no bitmap", it.node.null_count); },
      "a validity bitmap");
});

constexpr Rule kValiditySize("arrow-validity-size", [](const Array& it, Look& look) {
  if (it.validity.size == 0) return;
  look.ask(
      divided_up(it.length(), 8) <= it.validity.size,
      [&] { return std::format("{} bytes for {} slots", it.validity.size, it.length()); },
      "a bit for each slot");
});

constexpr Rule kExact("arrow-null-count-exact", [](const Array& it, Look& look) {
  if (!it.zeros || !it.counts_hold) return;
  look.ask(
      static_cast<std::uint64_t>(it.node.null_count) == *it.zeros,
      [&] { return std::format("null_count {}", it.node.null_count); },
      [&] { return std::format("{}, the zero bits of the bitmap", *it.zeros); });
});

constexpr Rule kZeroPadding("arrow-validity-padding-zero", [](const Array& it, Look& look) {
  const ByteSpan bytes = it.validity.bytes;
  const std::uint64_t length = it.length(), last = length / 8;
  std::uint64_t at = last;
  if (at < bytes.size() && length % 8 != 0 &&
      (static_cast<unsigned>(bytes[at]) >> (length % 8)) == 0)
    ++at;
  while (at < bytes.size() && bytes[at] == std::byte{0}) ++at;
  look.looked();
  if (at >= bytes.size()) return;
  look.move_to(at, it.validity.byte + (it.validity.compressed ? 0 : at));
  look.fail(std::format("{:#04x} after {} slots", static_cast<unsigned>(bytes[at]), length),
            "zero bits");
});

// --- Nullability ---------------------------------------------------------------------------------

struct NullsOf {
  const Array& array;
  std::uint64_t nulls;  // in slots that no null of a parent covers
};

std::string nulls_of(const NullsOf& it) { return std::format("{} nulls", it.nulls); }

constexpr Rule kNullable("arrow-field-not-nullable-no-nulls", [](const NullsOf& it, Look& look) {
  if (it.array.field.nullable) return;
  look.ask(it.nulls == 0, [&] { return nulls_of(it); }, "none: it is not nullable");
});

constexpr Rule kEntriesWithoutNulls("arrow-map-entries-no-nulls", [](const NullsOf& it,
                                                                     Look& look) {
  look.ask(it.nulls == 0, [&] { return nulls_of(it); }, "no entry that is null");
});

constexpr Rule kKeys("arrow-map-keys-no-nulls", [](const NullsOf& it, Look& look) {
  look.ask(it.nulls == 0, [&] { return nulls_of(it); }, "no key that is null");
});

constexpr Rule<Array> kCounts[] = {
    {"arrow-node-null-count-not-negative", null_count_not_negative},
    {"arrow-node-null-count-within-length", null_count_within_length}};
constexpr Rule<Array> kKinds[] = {{"arrow-null-array-null-count", null_array_count},
                                  {"arrow-union-null-count-zero", union_count_zero},
                                  {"arrow-run-end-null-count-zero", run_end_count_zero}};

HEPCHECK_VECTORS std::uint64_t zero_bits(ByteSpan bitmap, std::uint64_t length) {
  std::uint64_t ones = 0;
  for (std::uint64_t w = 0; 64 * w < length; ++w)
    ones += static_cast<std::uint64_t>(std::popcount(word_of(bitmap, w) & within(length, w)));
  return length - ones;
}

// Nulls that no null of a parent covers; none if unknown.
std::optional<std::uint64_t> bare_nulls(const Array& array) {
  if (*array.zeros == 0) return 0;
  std::unique_ptr<Bits> bare;
  if (array.cover && !array.cover->bare(array.length(), false, bare)) return std::nullopt;
  if (!bare) return array.zeros;
  std::uint64_t nulls = 0;
  for (std::uint64_t w = 0; 64 * w < array.length(); ++w)
    nulls += static_cast<std::uint64_t>(std::popcount(~word_of(array.validity.bytes, w) &
                                                      bare->word(w) & within(array.length(), w)));
  return nulls;
}

bool judges_nullability(const Array& array) {
  switch (array.role) {
    case Role::kDictionaryValues:
    case Role::kRunEnds: return false;
    case Role::kMapEntries:
    case Role::kMapKey: return true;
    default: return !array.field.nullable;
  }
}

void block_nullability(const Array& array, Notes& notes) {
  const std::string reason =
      array.place().object() + ": which slots are null could not be examined";
  switch (array.role) {
    case Role::kMapEntries: return block<kEntriesWithoutNulls>(reason, {}, notes);
    case Role::kMapKey: return block<kKeys>(reason, {}, notes);
    default: block<kNullable>(reason, {}, notes);
  }
}

void judge_nullability(const Array& array, Notes& notes) {
  if (!judges_nullability(array)) return;
  const std::optional<std::uint64_t> nulls = bare_nulls(array);
  if (!nulls && array.cover->unexamined()) block_nullability(array, notes);
  if (!nulls) return;
  const NullsOf it{array, *nulls};
  switch (array.role) {
    case Role::kMapEntries: judge_each<kEntriesWithoutNulls>(it, array.place(), notes); break;
    case Role::kMapKey: judge_each<kKeys>(it, array.place(), notes); break;
    default: judge_each<kNullable>(it, array.place(), notes);
  }
}

}  // namespace

void judge_key_nulls(const Array& keys, std::uint64_t nulls, Notes& notes) {
  judge_each<kKeys>(NullsOf{keys, nulls}, keys.place(), notes);
}

void block_key_nulls(const Array& keys, Notes& notes) { block_nullability(keys, notes); }

bool Cover::unexamined() const {
  if (!parent_) return false;
  return refused_ || parent_->validity.unexamined() || parent_->first.unexamined() ||
         parent_->second.unexamined() || (parent_->cover && parent_->cover->unexamined());
}

VisibleSlots::VisibleSlots(const Array& array, std::uint64_t length, bool keys) {
  if (array.has_validity && !array.nulls_known) {
    unexamined_ = array.validity.unexamined();
    return;
  }
  if (array.cover && !array.cover->bare(length, keys, bare_)) {
    unexamined_ = array.cover->unexamined();
    return;
  }
  if (array.has_validity && array.zeros.value_or(0) > 0) seen_.validity = array.validity.bytes;
  seen_.bare = bare_.get();
  known_ = true;
}

bool judge_node(Array& array, Notes& notes) {
  if (!judge<kLength>(array, array.place(), notes)) return false;
  judge_each<kInt31>(array.node.length, array.place(), notes);
  array.counts_hold = judge<kCounts>(array, array.place(), notes);
  judge_each<kKinds>(array, array.place(), notes);
  return true;
}

void judge_nulls(Array& array, Notes& notes) {
  if (!array.has_validity) return;
  const bool run_ends = array.role == Role::kRunEnds;
  if (run_ends && array.counts_hold && !judge<kRunEndsWithoutNulls>(array, array.place(), notes))
    return;
  block_if_unexamined<kValidityPresent, kValiditySize, kExact, kZeroPadding>(array, array.validity,
                                                                             0, notes);
  if (array.validity.unexamined() && judges_nullability(array)) block_nullability(array, notes);
  if (!array.validity.usable()) return;
  const Place bitmap{.path = &array.path, .buffer = 0, .byte = array.validity.byte};
  if (!run_ends && array.counts_hold && !judge<kValidityPresent>(array, bitmap, notes)) return;
  if (!judge<kValiditySize>(array, bitmap, notes)) return;
  const bool looked_into = array.validity.size == array.validity.bytes.size();
  if (!looked_into) return;
  array.nulls_known = true;
  array.zeros = array.validity.size == 0 ? 0 : zero_bits(array.validity.bytes, array.length());
  if (array.validity.size > 0) {
    if (!judge<kExact>(array, array.place(), notes)) return;
    judge_each<kZeroPadding>(array, bitmap, notes);
    judge_unpadded(array, array.validity, 0, divided_up(array.length(), 8), notes);
  }
  if (array.counts_hold) judge_nullability(array, notes);
}

void judge_batch_length(std::int64_t length, const Place& place, Notes& notes) {
  judge_each<kInt31>(length, place, notes);
}

void validity_rules(RuleList& list) {
  list.structure<kLength, kInt31, kCounts, kKinds, kRunEndsWithoutNulls, kValidityPresent,
                 kValiditySize>();
  list.values<kExact, kZeroPadding, kNullable, kEntriesWithoutNulls, kKeys>();
}

}  // namespace hepcheck::arrow
