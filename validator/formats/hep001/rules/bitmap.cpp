// HEP001 10.6 "Bitmap index (KIND = BITMAP)".
#include "validator/formats/hep001/rules/families.h"
#include "validator/formats/hep001/rules/names.h"

namespace hepcheck::hep001 {

namespace {

void bitmap_rows_equal_k(const Table&, const BitmapIndex& index, Probe& probe) {
  const auto& values = index.index.values;
  if (!values || values->unreadable) return;  // bitmap-values-resolves
  if (!counts(index, probe)) return;
  if (!values->space.one_dimensional())
    return probe.blocked("the values dataset is not of rank 1", by({"bitmap-values-rank-1"}));
  if (!of_right_rank(index, probe)) return;
  probe.looked();
  if (index.data().space.extent[0] != values->space.extent[0])
    probe.fail({.object = index.path(),
                .observed = std::format("{} bitmap rows", index.data().space.extent[0]),
                .expected = std::format("{}, the number of values in {}", values->space.extent[0],
                                        values->path),
                .hint = kRebuild,
                .witness = index.data().space.extent[0] < values->space.extent[0]
                               ? std::format("rows with value {} of {} have no bits",
                                             index.data().space.extent[0], values->path)
                               : std::format("none: bitmap row {} belongs to no value",
                                             values->space.extent[0])});
}

void bitmap_row_bytes(const Table& table, const BitmapIndex& index, Probe& probe) {
  if (!index.column || !table.nrows || !counts(index, probe)) return;
  if (!of_right_rank(index, probe)) return;
  probe.looked();
  const std::uint64_t needed = (logical_rows(table, *index.column->data) + 7) / 8;
  if (index.data().space.extent[1] < needed)
    probe.fail({.object = index.path(),
                .observed = std::format("{} bytes per bitmap row", index.data().space.extent[1]),
                .expected = std::format("{} bytes, ceil(NROWS / 8)", needed),
                .hint = kRebuild,
                .witness = std::format("{}: row {} has no bit under any value",
                                       index.column->name(), 8 * index.data().space.extent[1])});
}

// MSB-first packing is one defect, instead of many wrong bits.
void bitmap_bit_set(const Table&, const BitmapIndex& index, const BitmapFacts& facts,
                    Probe& probe) {
  if (established(facts.obstacle, probe) && !facts.reversed)
    report(facts.missing_bit, index.path(), "row", kRebuild, probe);
}

void bitmap_bit_clear(const Table&, const BitmapIndex& index, const BitmapFacts& facts,
                      Probe& probe) {
  if (established(facts.obstacle, probe) && !facts.reversed)
    report(facts.extra_bit, index.path(), "row", kRebuild, probe);
}

void bitmap_lsb_first(const Table&, const BitmapIndex& index, const BitmapFacts& facts,
                      Probe& probe) {
  if (!established(facts.obstacle, probe)) return;
  probe.looked();
  if (!facts.reversed) return;
  const Difference& shown = facts.missing_bit.count ? facts.missing_bit : facts.extra_bit;
  probe.fail(
      {.object = index.path(),
       .where = std::format("row {}", shown.first),
       .observed = "bits packed from the most significant one",
       .expected = "row r at bit r % 8 of byte r / 8, counted from the least significant bit",
       .hint = "Pack with bitorder='little' (numpy.packbits).",
       .witness = shown.witness,
       .more = facts.missing_bit.count + facts.extra_bit.count - 1});
}

void bitmap_values_resolves(const Table& table, const BitmapIndex& index, Probe& probe) {
  const Attribute* link = readable(index.data().attribute("VALUES"), probe);
  if (!link) return;  // bitmap-values-attr-present
  if (!link->type.is(TypeClass::kReference))
    return probe.blocked("VALUES does not contain a reference", by({kValues.reference}));
  if (link->references.empty()) return probe.blocked("VALUES is empty", by({kValues.shape}));
  if (!index.index.values &&
      may_be_unread_member(table, table.search_indexes_group, link->references[0]))
    return probe.blocked("a dataset in SEARCH_INDEXES cannot be read");
  probe.looked();
  if (!index.index.values)
    probe.fail({.object = index.path(),
                .attribute = "VALUES",
                .observed = describe(link->references[0]),
                .expected = "a dataset directly in SEARCH_INDEXES of " + table.path(),
                .hint = "Store the indexed values next to the bitmap and refer to them."});
}

const Dataset* values_of(const BitmapIndex& index) {
  const auto& values = index.index.values;
  return values && !values->unreadable ? values.get() : nullptr;  // bitmap-values-resolves
}

void bitmap_values_rank_1(const Table&, const BitmapIndex& index, Probe& probe) {
  const Dataset* values = values_of(index);
  if (!values) return;
  probe.looked();
  if (!values->space.one_dimensional())
    probe.fail({.object = values->path,
                .observed = describe(values->space),
                .expected = "a values dataset of rank 1",
                .hint = kRebuild});
}

void bitmap_values_type(const Table& table, const BitmapIndex& index, Probe& probe) {
  const Dataset* values = values_of(index);
  if (!values || !index.column) return;
  probe.looked();
  const Datatype& wanted = index.column->data->type;
  Finding finding{
      .object = values->path,
      .observed = describe(values->type),
      .expected = "the column's datatype, " + describe(wanted),
      .hint = "Store the indexed values in the datatype of the column; codes, not labels."};
  switch (compare(values->type, wanted)) {
    case Sameness::kIdentical: break;
    case Sameness::kByteOrderOnly:
      if (!table.revision->any_byte_order) probe.warn(std::move(finding));
      break;
    case Sameness::kDifferent: probe.fail(std::move(finding)); break;
  }
}

void bitmap_values_distinct(const Table&, const BitmapIndex& index, const BitmapFacts& facts,
                            Probe& probe) {
  if (!established(facts.obstacle, probe)) return;
  report(facts.duplicate_value, index.index.values->path, "element", kRebuild, probe);
}

// In a bitmap packed from the most significant bit, these bits belong to real rows:
// bitmap-lsb-first.
void bitmap_pad_bits_zero(const Table& table, const BitmapIndex& index, const BitmapFacts& facts,
                          Probe& probe) {
  if (!established(facts.obstacle, probe) || table.nrows.value_or(0) % 8 == 0) return;
  if (facts.reversed) return probe.blocked("another packing", by({"bitmap-lsb-first"}));
  report(facts.pad_bits, index.path(), "bitmap row",
         "Clear the bits from NROWS to the end of the byte, also when rows are truncated.", probe);
}

void bitmap_exhaustive_complete(const Table& table, const BitmapIndex& index,
                                const BitmapFacts& facts, Probe& probe) {
  const Attribute* exhaustive =
      readable_scalar(index.data().attribute("exhaustive"), "bitmap-exhaustive-scalar", probe);
  if (!exhaustive) return;
  if (!is_boolean_enum(exhaustive->type))
    return probe.blocked("exhaustive is not a boolean", by({enumeration_clause(exhaustive->type)}));
  const auto value = signed_value(*exhaustive);
  if (value == 0) return;
  if (value != 1)
    return probe.blocked("exhaustive is neither FALSE nor TRUE", by({"bool-value-is-member"}));
  if (!established(facts.obstacle, probe)) return;
  if (!facts.unlisted)
    return probe.blocked("it is unknown which rows are missing", {table.revision->fill_clause});
  report(*facts.unlisted, index.path(), "row",
         "List every value of the column, or write exhaustive as FALSE.", probe);
}

constexpr Rule kBitmapRules[] = {
    {"bitmap-rank-2", has_rank<BitmapIndex>},
    {"bitmap-rows-equal-k", bitmap_rows_equal_k},
    {"bitmap-row-bytes", bitmap_row_bytes},
    {"bitmap-uint8", elements_are_uint8<BitmapIndex>},
    {"bitmap-bit-set", bitmap_bit_set},
    {"bitmap-bit-clear", bitmap_bit_clear},
    {"bitmap-lsb-first", bitmap_lsb_first},
    {"bitmap-pad-bits-zero", bitmap_pad_bits_zero},
    {"bitmap-exhaustive-scalar", on_index<BitmapIndex, "exhaustive", is_scalar>},
    {"bitmap-exhaustive-complete", bitmap_exhaustive_complete},
    {"bitmap-values-attr-present", has_attribute<BitmapIndex, "VALUES">},
    {"bitmap-values-attr-scalar", on_index<BitmapIndex, "VALUES", is_scalar>},
    {"bitmap-values-resolves", bitmap_values_resolves},
    {"bitmap-values-rank-1", bitmap_values_rank_1},
    {"bitmap-values-type", bitmap_values_type},
    {"bitmap-values-distinct", bitmap_values_distinct},
    {"bitmap-ordered-scalar", on_index<BitmapIndex, "ordered", is_scalar>},
    {"bitmap-one-column", one_column<BitmapIndex>},
};

}  // namespace

std::span<const Rule> bitmap_rules() { return kBitmapRules; }

}  // namespace hepcheck::hep001
