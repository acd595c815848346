// HEP001 10.4 "Chunk min/max search index (KIND = CHUNK_MINMAX)".
#include <array>

#include "validator/formats/hep001/rules/families.h"

namespace hepcheck::hep001 {

namespace {

constexpr std::array<const char*, 5> kFields{"min", "max", "nan_count", "fill_count", "n"};

void minmax_compound(const Table&, const MinmaxIndex& index, Probe& probe) {
  probe.looked();
  if (!index.data().type.is(TypeClass::kCompound))
    probe.fail({.object = index.path(),
                .observed = describe(index.data().type),
                .expected = "a compound {min, max, nan_count, fill_count, n}",
                .hint = kRebuild});
}

// Names of required fields that are missing.
std::vector<std::string> missing_fields(const Datatype& type) {
  std::vector<std::string> missing;
  for (const char* field : kFields)
    if (!find_member(type, field)) missing.push_back(field);
  return missing;
}

bool lacks_only_nan_count(const Datatype& type) {
  return missing_fields(type) == std::vector<std::string>{"nan_count"} &&
         type.members.size() == kFields.size() - 1;
}

// Only nan_count is missing from an index over a column that cannot contain NaN:
// minmax-nan-count-present.
bool only_nan_count_missing(const MinmaxIndex& index) {
  return index.column && !index.column->data->type.is(TypeClass::kFloat) &&
         lacks_only_nan_count(index.data().type);
}

// The clause that an index violates which lacks fields or has others.
ClauseId field_clause(const MinmaxIndex& index) {
  if (!index.data().type.is(TypeClass::kCompound)) return "minmax-compound";
  if (only_nan_count_missing(index)) return "minmax-nan-count-present";
  return "minmax-field-set";
}

void minmax_field_set(const Table&, const MinmaxIndex& index, Probe& probe) {
  const Datatype& type = index.data().type;
  if (!type.is(TypeClass::kCompound)) return probe.blocked("no compound", by({"minmax-compound"}));
  if (only_nan_count_missing(index)) return;
  if (!index.column && lacks_only_nan_count(type))
    return probe.blocked(
        "the clause that requires nan_count depends on the column, which is unknown");
  probe.looked();
  if (missing_fields(type).empty() && type.members.size() == kFields.size()) return;
  probe.fail({.object = index.path(),
              .observed = describe(type),
              .expected = "exactly the fields min, max, nan_count, fill_count, n",
              .hint = kRebuild});
}

// The compound has the five fields, in any order.
bool whole_field_set(const MinmaxIndex& index) {
  const Datatype& type = index.data().type;
  return type.is(TypeClass::kCompound) && missing_fields(type).empty() &&
         type.members.size() == kFields.size();
}

void minmax_field_order(const Table&, const MinmaxIndex& index, Probe& probe) {
  if (!whole_field_set(index)) return probe.blocked("other fields", by({field_clause(index)}));
  probe.looked();
  const auto& members = index.data().type.members;
  if (!std::ranges::equal(members, kFields, {}, &TypeMember::name,
                          [](const char* name) { return std::string_view(name); }))
    probe.fail({.object = index.path(),
                .observed = describe(index.data().type),
                .expected = "the declaration order min, max, nan_count, fill_count, n",
                .hint = kRebuild});
}

template <Name kField>
void extreme_type(const Table& table, const MinmaxIndex& index, Probe& probe) {
  if (!index.column) return;
  const Datatype& wanted = index.column->data->type;
  if (!has_order(wanted) && !is_other_float(wanted)) return;  // minmax-orderable-type
  const TypeMember* field = find_member(index.data().type, std::string(kField.str()));
  if (!field || !field->type) return probe.blocked("no such field", by({field_clause(index)}));
  probe.looked();
  Finding finding{.object = index.path(),
                  .observed = std::string(kField.str()) + " is " + describe(*field->type),
                  .expected = "the column's datatype, " + describe(wanted),
                  .hint = kRebuild};
  switch (compare(*field->type, wanted)) {
    case Sameness::kIdentical: break;
    case Sameness::kByteOrderOnly:
      if (!table.revision->any_byte_order) probe.warn(std::move(finding));
      break;
    case Sameness::kDifferent: probe.fail(std::move(finding)); break;
  }
}

void minmax_nan_count_present(const Table&, const MinmaxIndex& index, Probe& probe) {
  if (!index.column || index.column->data->type.is(TypeClass::kFloat)) return;
  if (!index.data().type.is(TypeClass::kCompound))
    return probe.blocked("no compound", by({"minmax-compound"}));
  if (!only_nan_count_missing(index) && !find_member(index.data().type, "nan_count"))
    return probe.blocked("other fields", by({"minmax-field-set"}));
  probe.looked();
  if (only_nan_count_missing(index))
    probe.fail({.object = index.path(),
                .observed = "no field nan_count",
                .expected = "nan_count, set to 0, also for columns without NaN",
                .hint = kRebuild});
}

template <Name kField>
void count_is_uint64(const Table&, const MinmaxIndex& index, Probe& probe) {
  const TypeMember* field = find_member(index.data().type, std::string(kField.str()));
  if (!field || !field->type) return probe.blocked("no such field", by({field_clause(index)}));
  probe.looked();
  if (!is_unsigned_integer(*field->type, 8))
    probe.fail({.object = index.path(),
                .observed = std::string(kField.str()) + " is " + describe(*field->type),
                .expected = "uint64",
                .hint = kRebuild});
}

// A clause about the entries of the index, one Difference.
template <Difference MinmaxFacts::* kDifference>
void entries(const Table&, const MinmaxIndex& index, const MinmaxFacts& facts, Probe& probe) {
  if (established(facts.obstacle, probe))
    report(facts.*kDifference, index.path(), "chunk", kRebuild, probe);
}

// The same about a count.
template <Difference MinmaxFacts::* kDifference>
void counted_entries(const Table&, const MinmaxIndex& index, const MinmaxFacts& facts,
                     Probe& probe) {
  if (established(facts.obstacle, probe))
    report(facts.*kDifference, index.path(), "chunk", kRebuild, probe, is_beyond_the_list(index));
}

// The columns to which a clause applies; it may apply to an unknown column.
bool may_hold_nan(const MinmaxIndex& index) {
  return !index.column || index.column->data->type.is(TypeClass::kFloat);
}

void minmax_nan_count_value(const Table& table, const MinmaxIndex& index, const MinmaxFacts& facts,
                            Probe& probe) {
  if (may_hold_nan(index)) entries<&MinmaxFacts::nan_count>(table, index, facts, probe);
}

void minmax_nan_count_zero_non_float(const Table& table, const MinmaxIndex& index,
                                     const MinmaxFacts& facts, Probe& probe) {
  if (!index.column || !may_hold_nan(index))
    entries<&MinmaxFacts::nan_count>(table, index, facts, probe);
}

void minmax_n_full_chunk(const Table& table, const MinmaxIndex& index, const MinmaxFacts& facts,
                         Probe& probe) {
  if (facts.obstacle || facts.chunks > 1)
    counted_entries<&MinmaxFacts::n_full>(table, index, facts, probe);
}

// Clauses about chunks with a value, and about chunks without one.
template <Difference MinmaxFacts::* kDifference>
void of_values(const Table& table, const MinmaxIndex& index, const MinmaxFacts& facts,
               Probe& probe) {
  if (facts.obstacle || facts.chunks_with_values > 0)
    entries<kDifference>(table, index, facts, probe);
}

void minmax_nan_excluded(const Table& table, const MinmaxIndex& index, const MinmaxFacts& facts,
                         Probe& probe) {
  if (may_hold_nan(index)) of_values<&MinmaxFacts::nan_included>(table, index, facts, probe);
}

template <Difference MinmaxFacts::* kDifference>
void of_all_missing(const Table& table, const MinmaxIndex& index, const MinmaxFacts& facts,
                    Probe& probe) {
  if (facts.obstacle || facts.chunks_all_missing > 0)
    entries<kDifference>(table, index, facts, probe);
}

constexpr Rule kChunkMinmaxRules[] = {
    {"minmax-orderable-type", orderable_type<MinmaxIndex>},
    {"minmax-excluded-type", excluded_type<MinmaxIndex>},
    {"minmax-rank-1", has_rank<MinmaxIndex>},
    {"minmax-length-chunked", length_over_chunked<MinmaxIndex>},
    {"minmax-length-contiguous", length_over_contiguous<MinmaxIndex>},
    {"minmax-compound", minmax_compound},
    {"minmax-field-set", minmax_field_set},
    {"minmax-field-order", minmax_field_order},
    {"minmax-min-type", extreme_type<"min">},
    {"minmax-max-type", extreme_type<"max">},
    {"minmax-nan-count-present", minmax_nan_count_present},
    {"minmax-nan-count-uint64", count_is_uint64<"nan_count">},
    {"minmax-fill-count-uint64", count_is_uint64<"fill_count">},
    {"minmax-n-uint64", count_is_uint64<"n">},
    {"minmax-nan-count-value", minmax_nan_count_value},
    {"minmax-nan-count-zero-non-float", minmax_nan_count_zero_non_float},
    {"minmax-fill-count-value", counted_entries<&MinmaxFacts::fill_count>},
    {"minmax-n-full-chunk", minmax_n_full_chunk},
    {"minmax-n-last-chunk", counted_entries<&MinmaxFacts::n_last>},
    {"minmax-min-value", of_values<&MinmaxFacts::min>},
    {"minmax-max-value", of_values<&MinmaxFacts::max>},
    {"minmax-nan-excluded", minmax_nan_excluded},
    {"minmax-fill-excluded", of_values<&MinmaxFacts::fill_included>},
    {"minmax-all-missing-min-fill", of_all_missing<&MinmaxFacts::all_missing_min>},
    {"minmax-all-missing-max-fill", of_all_missing<&MinmaxFacts::all_missing_max>},
    {"minmax-one-column", one_column<MinmaxIndex>},
};

}  // namespace

std::span<const Rule> chunk_minmax_rules() { return kChunkMinmaxRules; }

}  // namespace hepcheck::hep001
