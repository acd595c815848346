// HEP001 7.4 "Optional table group attributes".
#include "validator/formats/hep001/rules/names.h"

namespace hepcheck::hep001 {

namespace {

// The elements of INDEX_COLUMNS, if it is a list of references.
const std::vector<Reference>* index_columns(const Table& table, Probe& probe) {
  const Attribute* a = readable(table.attribute("INDEX_COLUMNS"), probe);
  if (!a) return nullptr;
  if (!a->type.is(TypeClass::kReference)) {
    probe.blocked("INDEX_COLUMNS does not contain references", by({"index-columns-std-ref"}));
    return nullptr;
  }
  if (!a->space.one_dimensional()) {
    probe.blocked("INDEX_COLUMNS is not one-dimensional", by({"index-columns-1d"}));
    return nullptr;
  }
  return &a->references;
}

void index_columns_not_null(const Table& table, Probe& probe) {
  const std::vector<Reference>* references = index_columns(table, probe);
  if (!references) return;
  for (std::size_t i = 0; i < references->size(); ++i) {
    probe.looked();
    if ((*references)[i].null())
      probe.fail({.object = table.path(),
                  .attribute = "INDEX_COLUMNS",
                  .where = std::format("element {}", i),
                  .observed = "null reference",
                  .expected = "a reference to a column dataset",
                  .hint = "Fill the element with H5Rcreate_object, or remove it."});
  }
}

bool is_list_column(const Table& table, const Reference& reference) {
  return reference.resolved() && table.list_by_token.contains(reference.token);
}

void index_columns_not_list_column(const Table& table, Probe& probe) {
  const std::vector<Reference>* references = index_columns(table, probe);
  if (!references) return;
  for (std::size_t i = 0; i < references->size(); ++i) {
    const Reference& reference = (*references)[i];
    if (reference.null()) continue;  // index-columns-not-null
    probe.looked();
    if (is_list_column(table, reference))
      probe.fail({.object = table.path(),
                  .attribute = "INDEX_COLUMNS",
                  .where = std::format("element {}", i),
                  .observed = describe(reference) + ", a list column",
                  .expected = "a column dataset; list columns cannot label rows",
                  .hint = "Refer to a column dataset, or remove the element."});
  }
}

void index_columns_resolve_to_column(const Table& table, Probe& probe) {
  const std::vector<Reference>* references = index_columns(table, probe);
  if (!references || references->empty()) return;
  // Intended as columns, though not of rank 1 or not hard-linked: column-rank-1, column-hard-link.
  std::unordered_set<ObjectToken, ObjectTokenHash> meant;
  for (const Child& child : table.group.children) {
    if (child.is_dataset()) meant.insert(child.token);
    if (child.soft_target && child.object == ObjectKind::kDataset) meant.insert(*child.soft_target);
  }
  std::unordered_set<ObjectToken, ObjectTokenHash> seen;
  for (std::size_t i = 0; i < references->size(); ++i) {
    const Reference& reference = (*references)[i];
    if (reference.null()) continue;                  // index-columns-not-null
    if (is_list_column(table, reference)) continue;  // index-columns-not-list-column
    const bool known = reference.resolved() && meant.contains(reference.token);
    if (!known && may_be_unread_member(table, &table.group, reference)) {
      probe.blocked("a child of the table group cannot be read");
      continue;
    }
    probe.looked();
    Finding finding{.object = table.path(),
                    .attribute = "INDEX_COLUMNS",
                    .where = std::format("element {}", i),
                    .observed = describe(reference),
                    .expected = "a column dataset directly below this table group",
                    .hint = "Refer to a column of the same table."};
    if (!known) {
      probe.fail(std::move(finding));
    } else if (!seen.insert(reference.token).second) {
      finding.observed = "a second reference to " + reference.path;
      finding.expected = "each row index column once";
      finding.hint = "Remove the repetition.";
      probe.warn(std::move(finding));
    }
  }
}

void column_order_recommended(const Table& table, Probe& probe) {
  const std::size_t columns = table.columns.size() + table.lists.size();
  if (columns < 2) return;
  const bool there = table.attribute("column-order");
  if (!there && table.group.attributes_unreadable)
    return probe.blocked(table.path() + ": " + *table.group.attributes_unreadable);
  probe.looked();
  if (!there)
    probe.fail({.object = table.path(),
                .attribute = "column-order",
                .observed = std::format("absent, with {} columns", columns),
                .expected = "column-order on a table of more than one column",
                .hint = "List the column names in their logical order."});
}

// The value of _index, if it has a valid form.
std::optional<std::string> underscore_index(const Table& table, Probe& probe) {
  const Attribute* a = readable_scalar(table.attribute("_index"), "underscore-index-scalar", probe);
  a = readable_string(a, "underscore-index-fixed-string", probe);
  return a ? string_value(*a) : std::nullopt;
}

// An absent or empty INDEX_COLUMNS does not name a first column (9.2).
const Reference* first_row_index(const Table& table) {
  const Attribute* a = table.attribute("INDEX_COLUMNS");
  return a && !a->references.empty() ? &a->references[0] : nullptr;
}

void underscore_index_equals_first(const Table& table, Probe& probe) {
  const std::optional<std::string> value = underscore_index(table, probe);
  const Reference* first = first_row_index(table);
  if (!value || !first) return;
  if (!first->resolved())
    return probe.blocked(
        "the first element of INDEX_COLUMNS does not resolve",
        first->null() ? by({"index-columns-not-null"}) : by({"index-columns-resolve-to-column"}));
  std::vector<std::string> names;
  bool linked_softly = false;
  for (const Child& child : table.group.children) {
    if (child.hard() && child.token == first->token) names.push_back(child.name);
    linked_softly |= child.soft_target == first->token;
  }
  if (names.empty())
    return probe.blocked(
        "the first element of INDEX_COLUMNS is not a column",
        linked_softly ? by({"column-hard-link"}) : by({"index-columns-resolve-to-column"}));
  probe.looked();
  if (!std::ranges::contains(names, *value))
    probe.fail({.object = table.path(),
                .attribute = "_index",
                .observed = '"' + *value + '"',
                .expected = '"' + names.front() +
                            "\", the name of the column that "
                            "INDEX_COLUMNS[0] refers to",
                .hint = "Write that column's name, or delete _index."});
}

void underscore_index_names_column(const Table& table, Probe& probe) {
  const std::optional<std::string> value = underscore_index(table, probe);
  if (!value || first_row_index(table)) return;  // underscore-index-equals-first
  probe.looked();
  if (table.column_by_name.contains(*value)) return;
  const Child* child = table.group.child(*value);
  // Intended as a column: column-rank-1, column-hard-link.
  if (child && (child->is_dataset() || !child->hard())) return;
  probe.fail({.object = table.path(),
              .attribute = "_index",
              .observed = '"' + *value + "\" is not a column of this table",
              .expected = "the name of a column dataset",
              .hint = "Write the name of the column with the row labels, or delete _index."});
}

constexpr Rule kTableAttributesRules[] = {
    {"title-scalar", on_table<"TITLE", is_scalar>, Sees::kTableAttributes},
    {"title-fixed-string", on_table<"TITLE", is_fixed_string>, Sees::kTableAttributes},
    {"title-utf8", on_table<"TITLE", is_utf8<"title-fixed-string">>, Sees::kTableAttributes},
    {"index-columns-1d", on_table<"INDEX_COLUMNS", is_one_dimensional>, Sees::kTableAttributes},
    {"index-columns-not-null", index_columns_not_null, Sees::kTableAttributes},
    {"index-columns-not-list-column", index_columns_not_list_column, Sees::kColumns},
    {"index-columns-resolve-to-column", index_columns_resolve_to_column, Sees::kColumns},
    {"column-order-1d", on_table<"column-order", is_one_dimensional>, Sees::kTableAttributes},
    {"column-order-fixed-string", on_table<"column-order", is_fixed_string>,
     Sees::kTableAttributes},
    {"column-order-utf8", on_table<"column-order", is_utf8<"column-order-fixed-string">>,
     Sees::kTableAttributes},
    {"column-order-recommended", column_order_recommended, Sees::kColumns},
    {"underscore-index-scalar", on_table<"_index", is_scalar>, Sees::kTableAttributes},
    {"underscore-index-fixed-string", on_table<"_index", is_fixed_string>, Sees::kTableAttributes},
    {"underscore-index-utf8", on_table<"_index", is_utf8<"underscore-index-fixed-string">>,
     Sees::kTableAttributes},
    {"underscore-index-equals-first", underscore_index_equals_first, Sees::kColumns},
    {"underscore-index-names-column", underscore_index_names_column, Sees::kColumns},
    {"encoding-type-scalar", on_table<"encoding-type", is_scalar>, Sees::kTableAttributes},
    {"encoding-type-fixed-string", on_table<"encoding-type", is_fixed_string>,
     Sees::kTableAttributes},
    {"encoding-type-utf8", on_table<"encoding-type", is_utf8<"encoding-type-fixed-string">>,
     Sees::kTableAttributes},
    {"encoding-version-scalar", on_table<"encoding-version", is_scalar>, Sees::kTableAttributes},
    {"encoding-version-fixed-string", on_table<"encoding-version", is_fixed_string>,
     Sees::kTableAttributes},
    {"encoding-version-utf8",
     on_table<"encoding-version", is_utf8<"encoding-version-fixed-string">>,
     Sees::kTableAttributes},
    {"table-description-scalar", on_table<"description", is_scalar>, Sees::kTableAttributes},
    {"table-description-fixed-string", on_table<"description", is_fixed_string>,
     Sees::kTableAttributes},
    {"table-description-utf8", on_table<"description", is_utf8<"table-description-fixed-string">>,
     Sees::kTableAttributes},
    {"table-units-vocabulary-scalar", on_table<"units_vocabulary", is_scalar>,
     Sees::kTableAttributes},
    {"table-units-vocabulary-fixed-string", on_table<"units_vocabulary", is_fixed_string>,
     Sees::kTableAttributes},
    {"table-units-vocabulary-utf8",
     on_table<"units_vocabulary", is_utf8<"table-units-vocabulary-fixed-string">>,
     Sees::kTableAttributes},
};

}  // namespace

std::span<const Rule> table_attribute_rules() { return kTableAttributesRules; }

}  // namespace hepcheck::hep001
