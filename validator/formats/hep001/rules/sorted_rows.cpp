// HEP001 10.5 "Sorted-row permutation index (KIND = SORTED_ROWS)".
#include "validator/formats/hep001/rules/families.h"

namespace hepcheck::hep001 {

namespace {

void sorted_length(const Table& table, const SortedIndex& index, Probe& probe) {
  if (!index.column || !table.nrows || !counts(index, probe)) return;
  if (!of_right_rank(index, probe)) return;
  probe.looked();
  const std::uint64_t rows = logical_rows(table, *index.column->data);
  if (index.data().space.extent[0] < rows)
    probe.fail({.object = index.path(),
                .observed = std::format("{} elements", index.data().space.extent[0]),
                .expected = std::format("{} elements, one per row", rows),
                .hint = kRebuild,
                .witness = std::format("{} of the {} rows are in no search through the index",
                                       rows - index.data().space.extent[0], rows)});
}

bool is_unsigned(const Datatype& type) { return type.is(TypeClass::kInteger) && !type.is_signed; }

void sorted_unsigned(const Table&, const SortedIndex& index, Probe& probe) {
  probe.looked();
  if (!is_unsigned(index.data().type))
    probe.fail({.object = index.path(),
                .observed = describe(index.data().type),
                .expected = "an unsigned integer type",
                .hint = kRebuild});
}

void sorted_wide_enough(const Table& table, const SortedIndex& index, Probe& probe) {
  if (!index.column || !table.nrows || !counts(index, probe)) return;
  const Datatype& type = index.data().type;
  if (!is_unsigned(type)) return probe.blocked("another datatype", by({"sorted-unsigned"}));
  probe.looked();
  const std::uint64_t rows = logical_rows(table, *index.column->data);
  if (type.precision < 64 && rows > std::uint64_t{1} << type.precision)
    probe.fail({.object = index.path(),
                .observed = describe(type),
                .expected = std::format("a type that can address {} rows", rows),
                .hint = "Rebuild the index as uint64."});
}

// The permutation is correct; clauses about the order check nothing else.
bool permuted(const SortedFacts& facts, Probe& probe) {
  if (!established(facts.obstacle, probe)) return false;
  if (facts.permutation.count > 0)
    probe.blocked("the index is not a permutation", by({"sorted-permutation"}));
  return facts.permutation.count == 0;
}

void sorted_permutation(const Table&, const SortedIndex& index, const SortedFacts& facts,
                        Probe& probe) {
  if (established(facts.obstacle, probe))
    report(facts.permutation, index.path(), "element", kRebuild, probe);
}

template <Difference SortedFacts::* kDifference>
void elements(const Table&, const SortedIndex& index, const SortedFacts& facts, Probe& probe) {
  constexpr bool kFills =
      kDifference == &SortedFacts::fill_placement || kDifference == &SortedFacts::fill_order;
  if (permuted(facts, probe))
    report(facts.*kDifference, index.path(), "element", kRebuild, probe,
           kFills && is_beyond_the_list(index));
}

// Clauses about rows that must be adjacent; if they are not, these clauses would only repeat the
// finding of the clause that requires it.
template <Difference SortedFacts::* kDifference, Difference SortedFacts::* kTogether, Name kClause>
void elements_once(const Table& table, const SortedIndex& index, const SortedFacts& facts,
                   Probe& probe) {
  if ((facts.*kTogether).count > 0)
    return probe.blocked("the rows are out of place", by({kClause.text}));
  elements<kDifference>(table, index, facts, probe);
}

// The order clause of a datatype family; `applies` selects by the column's datatype.
template <bool (*kApplies)(const Datatype&, const Revision&)>
void ordered_as(const Table& table, const SortedIndex& index, const SortedFacts& facts,
                Probe& probe) {
  if (index.column && kApplies(index.column->data->type, *table.revision))
    elements<&SortedFacts::order>(table, index, facts, probe);
}

template <TypeClass kClass>
bool is_of(const Datatype& type, const Revision&) {
  return type.is(kClass);
}
bool is_boolean(const Datatype& type, const Revision& revision) {
  return revision.is_boolean(type);
}
bool is_other_enum(const Datatype& type, const Revision& revision) {
  return type.is(TypeClass::kEnum) && !revision.is_boolean(type);
}

void sorted_string_bytewise(const Table& table, const SortedIndex& index, const SortedFacts& facts,
                            Probe& probe) {
  if (!index.column || !index.column->data->type.is(TypeClass::kString)) return;
  if (facts.order.count > 0 && facts.order_by_padding) return;  // sorted-string-padding-stripped
  elements<&SortedFacts::order>(table, index, facts, probe);
}

void sorted_string_padding_stripped(const Table& table, const SortedIndex& index,
                                    const SortedFacts& facts, Probe& probe) {
  if (!index.column || !index.column->data->type.fixed_string()) return;
  if (facts.order.count == 0 || facts.order_by_padding)
    return elements<&SortedFacts::order>(table, index, facts, probe);
  // sorted-string-bytewise has the finding, which says nothing about padding.
}

// The clause that neighbours in the wrong order violate.
ClauseId order_clause(const Datatype& type, const Revision& revision, const SortedFacts& facts) {
  switch (type.cls) {
    case TypeClass::kInteger: return "sorted-integer-order";
    case TypeClass::kFloat: return "sorted-float-order";
    case TypeClass::kOpaque: return "sorted-opaque-order";
    case TypeClass::kEnum:
      if (revision.is_boolean(type)) return "sorted-boolean-order";
      return "sorted-enum-order";
    default:
      if (facts.order_by_padding) return "sorted-string-padding-stripped";
      return "sorted-string-bytewise";
  }
}

void sorted_ties(const Table& table, const SortedIndex& index, const SortedFacts& facts,
                 Probe& probe) {
  if (facts.order.count > 0)
    return probe.blocked("the rows are out of place",
                         by({order_clause(index.column->data->type, *table.revision, facts)}));
  elements<&SortedFacts::ties>(table, index, facts, probe);
}

template <void (*kCheck)(const Table&, const SortedIndex&, const SortedFacts&, Probe&)>
void of_floats(const Table& table, const SortedIndex& index, const SortedFacts& facts,
               Probe& probe) {
  if (index.column && index.column->data->type.is(TypeClass::kFloat))
    kCheck(table, index, facts, probe);
}

void sorted_fill_tail_placement(const Table& table, const SortedIndex& index,
                                const SortedFacts& facts, Probe& probe) {
  if (facts.obstacle || facts.fill_rows > 0)
    elements<&SortedFacts::fill_placement>(table, index, facts, probe);
}

void sorted_fill_tail_order(const Table& table, const SortedIndex& index, const SortedFacts& facts,
                            Probe& probe) {
  if (facts.obstacle || facts.fill_rows > 0)
    elements_once<&SortedFacts::fill_order, &SortedFacts::fill_placement,
                  "sorted-fill-tail-placement">(table, index, facts, probe);
}

// The rows at the end that have no position in the order, the attribute that states their number,
// and the clauses that require its form.
struct Tail {
  const char* attribute;
  std::optional<std::uint64_t> SortedFacts::* stored;
  std::uint64_t SortedFacts::* counted;
  std::string SortedFacts::* witness;
  ClauseId scalar_clause, integer_clause;
};
constexpr Tail kNanTail{"nan_tail_length",
                        &SortedFacts::nan_tail_length,
                        &SortedFacts::nan_rows,
                        &SortedFacts::nan_tail_witness,
                        "sorted-nan-tail-length-scalar",
                        "sorted-nan-tail-length-uint64"};
constexpr Tail kFillTail{"fill_tail_length",
                         &SortedFacts::fill_tail_length,
                         &SortedFacts::fill_rows,
                         &SortedFacts::fill_tail_witness,
                         "sorted-fill-tail-length-scalar",
                         "sorted-fill-tail-length-uint64"};

template <const Tail& kTail>
void tail_length_value(const Table& table, const SortedIndex& index, const SortedFacts& facts,
                       Probe& probe) {
  if (!counts(index, probe)) return;
  const Attribute* attribute =
      readable_scalar(index.data().attribute(kTail.attribute), kTail.scalar_clause, probe);
  if (!attribute) return;
  if (!attribute->type.is(TypeClass::kInteger))
    return probe.blocked("the length is not an integer", by({kTail.integer_clause}));
  const bool no_rows = facts.obstacle && !facts.obstacle->broken && table.nrows == 0;
  if (no_rows) {
    probe.looked();
    if (unsigned_value(*attribute) == 0) return;
  } else if (!established(facts.obstacle, probe)) {
    return;
  } else {
    probe.looked();
    if (facts.*kTail.stored == facts.*kTail.counted) return;
  }
  const std::optional<std::uint64_t> stored = unsigned_value(*attribute);
  Finding finding{.object = index.path(),
                  .attribute = attribute->name,
                  .observed = stored ? std::to_string(*stored) : describe(attribute->type),
                  .expected = std::format("{}, the number of such rows", facts.*kTail.counted),
                  .hint = "Write the number of rows in that tail.",
                  .witness = no_rows ? "none: the table has no rows" : facts.*kTail.witness};
  if (is_beyond_the_list(index))
    probe.warn(std::move(finding));
  else
    probe.fail(std::move(finding));
}

void sorted_ordered_true(const Table&, const SortedIndex& index, Probe& probe) {
  const Attribute* ordered =
      readable_scalar(index.data().attribute("ordered"), "sorted-ordered-scalar", probe);
  if (!ordered) return;  // sorted-ordered-present
  if (!ordered->type.is(TypeClass::kEnum))
    return probe.blocked("ordered is not a boolean", by({enumeration_clause(ordered->type)}));
  const std::optional<std::int64_t> value = signed_value(*ordered);
  if (value != 0 && value != 1)
    return probe.blocked("ordered is neither", by({"bool-value-is-member"}));
  probe.looked();
  if (value == 0)
    probe.fail({.object = index.path(),
                .attribute = "ordered",
                .observed = "FALSE",
                .expected = "TRUE",
                .hint = "Write the value TRUE."});
}

constexpr Rule kSortedRowsRules[] = {
    {"sorted-orderable-type", orderable_type<SortedIndex>},
    {"sorted-excluded-type", excluded_type<SortedIndex>},
    {"sorted-rank-1", has_rank<SortedIndex>},
    {"sorted-length", sorted_length},
    {"sorted-unsigned", sorted_unsigned},
    {"sorted-wide-enough", sorted_wide_enough},
    {"sorted-permutation", sorted_permutation},
    {"sorted-ties", sorted_ties},
    {"sorted-integer-order", ordered_as<is_of<TypeClass::kInteger>>},
    {"sorted-float-order", ordered_as<is_of<TypeClass::kFloat>>},
    {"sorted-boolean-order", ordered_as<is_boolean>},
    {"sorted-opaque-order", ordered_as<is_of<TypeClass::kOpaque>>},
    {"sorted-enum-order", ordered_as<is_other_enum>},
    {"sorted-string-bytewise", sorted_string_bytewise},
    {"sorted-string-padding-stripped", sorted_string_padding_stripped},
    {"sorted-negative-zero",
     of_floats<elements_once<&SortedFacts::zero_ties, &SortedFacts::order, "sorted-float-order">>},
    {"sorted-nan-tail-last", of_floats<elements<&SortedFacts::nan_placement>>},
    {"sorted-nan-tail-order",
     of_floats<elements_once<&SortedFacts::nan_order, &SortedFacts::nan_placement,
                             "sorted-nan-tail-last">>},
    {"sorted-nan-tail-length-value", tail_length_value<kNanTail>},
    {"sorted-fill-tail-placement", sorted_fill_tail_placement},
    {"sorted-fill-tail-order", sorted_fill_tail_order},
    {"sorted-fill-tail-length-value", tail_length_value<kFillTail>},
    {"sorted-nan-tail-length-present", has_attribute<SortedIndex, "nan_tail_length">},
    {"sorted-nan-tail-length-scalar", on_index<SortedIndex, "nan_tail_length", is_scalar>},
    {"sorted-nan-tail-length-uint64", on_index<SortedIndex, "nan_tail_length", is_uint<8>>},
    {"sorted-fill-tail-length-present", has_attribute<SortedIndex, "fill_tail_length">},
    {"sorted-fill-tail-length-scalar", on_index<SortedIndex, "fill_tail_length", is_scalar>},
    {"sorted-fill-tail-length-uint64", on_index<SortedIndex, "fill_tail_length", is_uint<8>>},
    {"sorted-ordered-present", has_attribute<SortedIndex, "ordered">},
    {"sorted-ordered-scalar", on_index<SortedIndex, "ordered", is_scalar>},
    {"sorted-ordered-true", sorted_ordered_true},
    {"sorted-one-column", one_column<SortedIndex>},
};

}  // namespace

std::span<const Rule> sorted_rows_rules() { return kSortedRowsRules; }

}  // namespace hepcheck::hep001
