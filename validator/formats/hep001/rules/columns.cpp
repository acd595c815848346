// HEP001 8.1 "Required properties", 8.3 "Datatypes" of column datasets.
#include "validator/formats/hep001/derive/facts.h"
#include "validator/formats/hep001/rules/names.h"
#include "validator/utf8.h"

namespace hepcheck::hep001 {

namespace {

void column_rank_1(const Table& table, Probe& probe) {
  NamedColumns named(table);
  for (const Child& child : table.group.children) {
    if (child.is_dataset() && child.dataset && child.dataset->unreadable)
      probe.blocked(child.path + " cannot be read: " + *child.dataset->unreadable);
    const Dataset* dataset = readable_dataset(child);
    if (!dataset) continue;
    if (dataset->space.rank() >= 2 && !named.call(child)) continue;  // no-multidimensional-dataset
    probe.looked();
    if (!dataset->space.one_dimensional())
      probe.fail({.object = child.path,
                  .observed = describe(dataset->space),
                  .expected = "a column dataset of rank 1",
                  .hint = "Store the column as a one-dimensional dataset of NROWS or more rows."});
  }
}

void equal_extents(const Table& table, Probe& probe) {
  if (table.columns.empty()) return;
  probe.looked();
  const auto extent = [](const Column& column) { return column.data->extent().value_or(0); };
  const auto [shortest, longest] = std::ranges::minmax_element(table.columns, {}, extent);
  if (extent(*shortest) == extent(*longest)) return;
  probe.fail(
      {.object = table.path(),
       .observed = std::format("extent {} of {}, but {} of {}", extent(*shortest), shortest->name(),
                               extent(*longest), longest->name()),
       .expected = "the same extent for every column",
       .hint =
           "Extend the short columns with H5Dset_extent; an interrupted append can cause this."});
}

void extent_ge_nrows(const Table& table, const Column& column, const ColumnFacts* facts,
                     Probe& probe) {
  if (!table.nrows) return;  // nrows-present, nrows-uint64
  probe.looked();
  const std::uint64_t extent = column.data->extent().value_or(0);
  if (extent < *table.nrows)
    probe.fail({.object = column.path(),
                .observed = std::format("extent {}", extent),
                .expected = std::format("at least NROWS, {}", *table.nrows),
                .hint = "Extend the column before committing NROWS, or lower NROWS."});
  else if (facts && facts->unread)  // an extent is only a claim; not all of these rows were read
    probe.blocked(*facts->unread);
}

void column_name_utf8(const Table&, const AnyColumn& column, Probe& probe) {
  probe.looked();
  if (!hepcheck::is_utf8(column.name))
    probe.fail({.object = column.path,
                .observed = "a link name that is not valid UTF-8",
                .expected = "a UTF-8 column name",
                .hint = "Rename the column with H5Lmove."});
}

void column_name_not_reserved(const Table& table, const AnyColumn& column, Probe& probe) {
  probe.looked();
  const auto finding = [&] {
    return Finding{.object = column.path,
                   .observed = "a column named " + column.name,
                   .expected = "a name that is not reserved",
                   .hint = "Rename the column with H5Lmove."};
  };
  judge_unreserved(table, column.name, finding, probe);
}

void column_name_no_leading_underscore(const Table&, const AnyColumn& column, Probe& probe) {
  probe.looked();
  if (column.name.starts_with('_'))
    probe.fail({.object = column.path,
                .observed = "a column named " + column.name,
                .expected = "a name without a leading underscore",
                .hint = "Rename the column; later revisions may claim such names."});
}

// Whether a field is atomic: numbers, strings, references and fixed arrays of them are; a nested
// record or a sequence is open to interpretation; a sequence of records is a table.
Severity nesting(const Datatype& type) {
  switch (type.cls) {
    case TypeClass::kCompound: return Severity::kWarning;
    case TypeClass::kVlen:
      return contains_class(type, TypeClass::kCompound) ? Severity::kError : Severity::kWarning;
    case TypeClass::kArray: return type.base ? nesting(*type.base) : Severity::kNone;
    default: return Severity::kNone;
  }
}

void compound_fields_atomic(const Table&, const ValueSet& values, Probe& probe) {
  if (!values.data.type.is(TypeClass::kCompound)) return;
  for (const TypeMember& member : values.data.type.members) {
    if (!member.type) continue;
    if (values.leaf && has_variable_part(*member.type)) continue;  // list-no-vlen-dataset
    probe.looked();
    Finding finding{.object = values.path(),
                    .observed = "field " + member.name + ": " + describe(*member.type),
                    .expected = "logically atomic fields",
                    .hint = "Store the parts as columns of their own."};
    const Severity severity = nesting(*member.type);
    if (severity == Severity::kError)
      probe.error(std::move(finding));
    else if (severity == Severity::kWarning)
      probe.warn(std::move(finding));
  }
}

bool is_sequence(const Column& column) { return column.data->type.is(TypeClass::kVlen); }

void prefer_list_column(const Table&, const Column& column, Probe& probe) {
  probe.looked();
  if (is_sequence(column))
    probe.fail({.object = column.path(),
                .observed = describe(column.data->type),
                .expected = "a list column for values of varying length",
                .hint = "Store the elements of all rows, concatenated, with OFFSETS (9)."});
}

void prefer_fixed_length(const Table& table, const Column& column, Probe& probe) {
  if (table.revision->list_columns && is_sequence(column)) return;  // prefer-list-column
  probe.looked();
  if (has_variable_part(column.data->type))
    probe.fail({.object = column.path(),
                .observed = describe(column.data->type),
                .expected = "a fixed-length datatype where possible",
                .hint = "Use a fixed-length string or array if the values allow it."});
}

constexpr Rule kColumnsRules[] = {
    {"column-rank-1", column_rank_1, Sees::kColumns},
    {"equal-extents", equal_extents, Sees::kColumns},
    {"extent-ge-nrows", extent_ge_nrows},
    {"column-name-utf8", column_name_utf8},
    {"column-name-not-reserved", column_name_not_reserved},
    {"column-name-no-leading-underscore", column_name_no_leading_underscore},
    {"compound-fields-atomic", compound_fields_atomic},
    {"prefer-list-column", prefer_list_column},
    {"prefer-fixed-length", prefer_fixed_length},
};

}  // namespace

std::span<const Rule> column_rules() { return kColumnsRules; }

}  // namespace hepcheck::hep001
