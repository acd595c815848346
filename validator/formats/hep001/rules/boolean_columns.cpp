// HEP001 8.8 "Boolean columns".
#include "validator/formats/hep001/derive/order.h"
#include "validator/formats/hep001/rules/attributes.h"
#include "validator/formats/hep001/rules/data.h"

namespace hepcheck::hep001 {

namespace {

bool is_boolean(const Table& table, const Column& column) {
  return table.revision->is_boolean_column(column.data->type);
}

// Readers accept every one-byte form as boolean; writers must use one.
void boolean_dataset_exact_type(const Table& table, const ValueSet& values, Probe& probe) {
  const Datatype& type = values.data.type;
  if (!table.revision->is_boolean_column(type)) return;
  probe.looked();
  if (!is_hep001_boolean(type))
    probe.fail({.object = values.path(),
                .observed = describe(type),
                .expected = "an enumeration over H5T_STD_I8LE with FALSE = 0 and TRUE = 1",
                .hint = "Use H5Tenum_create(H5T_STD_I8LE) with the members FALSE = 0 and "
                        "TRUE = 1."});
}

void boolean_column_value(const Table& table, const Column& column, const ColumnFacts& facts,
                          Probe& probe) {
  if (!is_boolean(table, column)) return;
  if (!established(facts.obstacle, probe) || !facts.no_boolean) return;
  probe.looked();
  const Difference& bad = *facts.no_boolean;
  if (bad.count > 0)
    probe.fail({.object = column.path(),
                .where = std::format("row {}", bad.first),
                .observed = "value " + bad.stored,
                .expected = "0 (FALSE) or 1 (TRUE)",
                .hint = "Store a column with missing rows as an enumeration of FALSE, TRUE and "
                        "MISSING, or as uint8 with a fill value above 1.",
                .more = bad.count - 1});
}

void boolean_column_no_fill(const Table& table, const Column& column, Probe& probe) {
  if (!is_boolean(table, column)) return;
  const Storage& storage = column.data->storage;
  if (storage.fill_unreadable && storage.fill_state != FillState::kUserDefined)
    return probe.blocked("the fill value cannot be read: " + *storage.fill_unreadable);
  probe.looked();
  if (storage.fill_state == FillState::kUserDefined)
    probe.fail({.object = column.path(),
                .observed = storage.fill_unreadable
                                ? std::string("a user-defined fill value")
                                : "fill value " + format_value(column.data->type, storage.fill),
                .expected = "no user-defined fill value on a boolean column",
                .hint = "Create the column without H5Pset_fill_value; store a column with missing "
                        "rows as an enumeration of FALSE, TRUE and MISSING."});
}

// Only its names show this intention.
void nullable_boolean_enum_codes(const Table&, const Column& column, Probe& probe) {
  const Datatype& type = column.data->type;
  if (!type.is(TypeClass::kEnum) || type.members.size() != 3) return;
  constexpr std::string_view kNames[] = {"FALSE", "TRUE", "MISSING"};
  if (!std::ranges::all_of(kNames, [&](auto name) { return find_member(type, std::string(name)); }))
    return;
  probe.looked();
  for (std::int64_t code = 0; code < 3; ++code)
    if (member_code(type, std::string(kNames[code])) != code)
      return probe.fail({.object = column.path(),
                         .observed = describe(type),
                         .expected = "FALSE = 0, TRUE = 1, MISSING = 2",
                         .hint = "Give the members these codes, and 2 as fill value."});
}

void boolean_prefer_bitmap(const Table& table, const IndexedColumn& indexed, Probe& probe) {
  if (!is_boolean(table, indexed.column)) return;
  if (!indexed.has_index(IndexKind::kChunkMinmax)) return;
  probe.looked();
  if (!indexed.has_index(IndexKind::kBitmap))
    probe.fail({.object = indexed.column.path(),
                .observed = "CHUNK_MINMAX, and no BITMAP",
                .expected = "a BITMAP, which answers queries for either value",
                .hint = "Build a BITMAP of FALSE and TRUE."});
}

// A value that is listed twice is bitmap-values-distinct.
void boolean_bitmap_two_values(const Table& table, const BitmapIndex& index,
                               const BitmapFacts& facts, Probe& probe) {
  if (!index.column || !is_boolean(table, *index.column)) return;
  if (!established(facts.obstacle, probe)) return;
  probe.looked();
  const std::uint64_t distinct = facts.values - facts.duplicate_value.count;
  if (distinct > 2)
    probe.fail({.object = index.index.values->path,
                .observed = std::format("{} values", distinct),
                .expected = "FALSE and TRUE at most",
                .hint = "Rebuild the index from the column."});
}

constexpr Rule kBooleanColumnsRules[] = {
    {"boolean-dataset-exact-type", boolean_dataset_exact_type},
    {"boolean-column-value", boolean_column_value},
    {"boolean-column-no-fill", boolean_column_no_fill},
    {"nullable-boolean-enum-codes", nullable_boolean_enum_codes},
    {"boolean-prefer-bitmap", boolean_prefer_bitmap},
    {"boolean-bitmap-two-values", boolean_bitmap_two_values},
};

}  // namespace

std::span<const Rule> boolean_column_rules() { return kBooleanColumnsRules; }

}  // namespace hepcheck::hep001
