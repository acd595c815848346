// HEP001 12 "Consistency requirements": references resolve, column-order is complete.
#include "validator/formats/hep001/derive/facts.h"
#include "validator/formats/hep001/derive/order.h"
#include "validator/formats/hep001/model/unread.h"
#include "validator/formats/hep001/rules/data.h"
#include "validator/formats/hep001/rules/names.h"

namespace hepcheck::hep001 {

namespace {

void search_index_list_resolves(const Table& table, const Column& column, Probe& probe) {
  const Attribute* list = readable(column.data->attribute("SEARCH_INDEX_LIST"), probe);
  if (!list) return;
  if (!list->type.is(TypeClass::kReference))
    return probe.blocked("SEARCH_INDEX_LIST does not contain references",
                         by({kIndexList.reference}));
  if (!list->space.one_dimensional())
    return probe.blocked("SEARCH_INDEX_LIST is not one-dimensional", by({kIndexList.shape}));
  const auto unread = unlisted(table, "SEARCH_INDEXES");
  std::unordered_set<ObjectToken, ObjectTokenHash> seen;
  for (std::size_t i = 0; i < list->references.size(); ++i) {
    const Reference& reference = list->references[i];
    const bool known = reference.resolved() && table.index_by_token.contains(reference.token);
    if (!known && (unread || may_be_unread_member(table, table.search_indexes_group, reference))) {
      probe.blocked(unread.value_or("a dataset in SEARCH_INDEXES cannot be read"));
      continue;
    }
    probe.looked();
    Finding finding{.object = column.path(),
                    .attribute = "SEARCH_INDEX_LIST",
                    .where = std::format("element {}", i),
                    .observed = describe(reference),
                    .expected = "a search index directly in SEARCH_INDEXES of this table",
                    .hint = "Refer to the index, or remove the element."};
    if (!known) {
      probe.fail(std::move(finding));
    } else if (!seen.insert(reference.token).second) {
      finding.observed = "a second reference to " + reference.path;
      finding.expected = "each search index once";
      finding.hint = "Remove the repetition.";
      probe.warn(std::move(finding));
    }
  }
}

void categories_ref_resolves(const Table& table, Probe& probe) {
  const auto deeper = deeper_in_categories(table);
  const auto unread = unlisted(table, "CATEGORIES");
  for (const Column& column : table.columns) {
    const Attribute* link = readable(column.data->attribute("CATEGORIES"), probe);
    if (!link) continue;
    if (!link->type.is(TypeClass::kReference)) {
      probe.blocked("CATEGORIES does not contain a reference", by({kCategories.reference}));
      continue;
    }
    if (link->references.empty()) {
      probe.blocked("CATEGORIES is empty", by({kCategories.shape}));
      continue;
    }
    const Reference& reference = link->references[0];
    const bool known =
        reference.resolved() && (table.categories_by_token.contains(reference.token) ||
                                 deeper.contains(reference.token));  // categories-directly-under
    if (!known && (unread || may_be_unread_member(table, table.categories_group, reference))) {
      probe.blocked(unread.value_or("a dataset in CATEGORIES cannot be read"));
      continue;
    }
    probe.looked();
    if (known) continue;
    probe.fail({.object = column.path(),
                .attribute = "CATEGORIES",
                .observed = describe(reference),
                .expected = "a dataset directly in CATEGORIES of this table",
                .hint = "Move the labels into CATEGORIES and refer to them there."});
  }
}

void categories_referenced(const Table& table, Probe& probe) {
  const Unclear unclear = unclear_reference(table, "CATEGORIES", kCategories);
  for (const Categories& categories : table.categories) {
    probe.looked();
    if (!categories.columns.empty()) continue;
    if (unclear) return probe.blocked("a CATEGORIES attribute cannot be interpreted", *unclear);
    probe.fail({.object = categories.data->path,
                .observed = "no column refers to this categories dataset",
                .expected = "a CATEGORIES reference from at least one column",
                .hint = "Refer to it from its column, or delete it."});
  }
}

void column_order_complete(const Table& table, Probe& probe) {
  const auto order = column_order(table, probe);
  if (!order) return;
  const std::unordered_set<std::string_view> listed(order->begin(), order->end());
  std::vector<std::string> omitted;
  for (const Column& column : table.columns)
    if (!listed.contains(column.name())) omitted.push_back('"' + column.name() + '"');
  for (const ListColumn& list : table.lists)
    if (!listed.contains(list.name)) omitted.push_back('"' + list.name + '"');
  probe.looked();
  if (!omitted.empty())
    probe.fail({.object = table.path(),
                .attribute = "column-order",
                .observed = "without " + enumerate(omitted),
                .expected = "every column of the table",
                .hint = "Add the missing names."});
}

void column_order_no_duplicates(const Table& table, Probe& probe) {
  const auto order = column_order(table, probe);
  if (!order) return;
  probe.looked();
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < order->size(); ++i)
    if (!seen.insert((*order)[i]).second)
      probe.fail({.object = table.path(),
                  .attribute = "column-order",
                  .where = std::format("element {}", i),
                  .observed = '"' + (*order)[i] + "\" a second time",
                  .expected = "each column once",
                  .hint = "Remove the repetition."});
}

void column_order_only_columns(const Table& table, Probe& probe) {
  const auto order = column_order(table, probe);
  if (!order) return;
  // Children that were intended as columns: column-rank-1, column-hard-link. Categories datasets:
  // categories-not-in-column-order.
  std::unordered_set<std::string_view> accepted;
  for (const Child& child : table.group.children)
    if (child.is_dataset() || child.link == Child::LinkKind::kSoft ||
        child.link == Child::LinkKind::kExternal || (child.hard() && child.unreadable))
      if (!is_reserved_group_name(child.name) || child.is_dataset()) accepted.insert(child.name);
  for (const ListColumn& list : table.lists) accepted.insert(list.name);
  std::vector<std::string> with_group;
  for (const Categories& categories : table.categories) {
    accepted.insert(categories.data->name);
    with_group.push_back("CATEGORIES/" + categories.data->name);
  }
  accepted.insert(with_group.begin(), with_group.end());
  probe.looked();
  std::unordered_set<std::string_view> reported;
  for (std::size_t i = 0; i < order->size(); ++i) {
    const std::string& name = (*order)[i];
    const auto column = table.column_by_name.find(name);
    std::optional<std::string> role;
    if (column != table.column_by_name.end())
      role = other_role(table, table.columns[column->second]);
    if (role == "a categories dataset") role.reset();  // categories-not-in-column-order
    if (!role && !accepted.contains(name) && table.group.unreadable)
      return probe.blocked(table.path() + ": " + *table.group.unreadable);
    // A column is no group; the search through the children is linear.
    const bool found = column != table.column_by_name.end();
    if (const Child* child = found ? nullptr : table.group.child(name);
        child && !is_reserved_group_name(name) && may_be_list(table, *child)) {
      probe.blocked(child->path + " may be a list column, but cannot be read");
      continue;
    }
    if ((!role && accepted.contains(name)) || !reported.insert(name).second) continue;
    probe.fail({.object = table.path(),
                .attribute = "column-order",
                .where = std::format("element {}", i),
                .observed = role ? '"' + name + "\", which is " + *role + " as well"
                                 : '"' + name + "\", which is not a column of the table",
                .expected = "names of columns only",
                .hint = role ? "Give the column its own dataset." : "Correct or remove the name."});
  }
}

void fill_not_a_valid_code(const Table& table, const Column& column, Probe& probe) {
  const CategoryCount categories = category_count(table, column);
  if (!established(categories.broken, probe)) return;
  if (!categories.k) return;
  const std::vector<std::byte>* fill = fill_bytes(*column.data);
  if (!fill) return probe.blocked("no user-defined fill value", {table.revision->fill_clause});
  probe.looked();
  const Datatype& type = column.data->type;
  const CodeRange codes = code_range(type, *categories.k);
  const bool inside = !codes.empty && compare_values(type, *fill, codes.first) >= 0 &&
                      (!codes.last || compare_values(type, *fill, *codes.last) <= 0);
  if (inside)
    probe.fail({.object = column.path(),
                .observed = "fill value " + format_value(type, *fill),
                .expected = std::format("a fill value outside [0, {}), the positions of the "
                                        "categories dataset",
                                        *categories.k),
                .hint = "Use -1, or the largest code of the type."});
}

constexpr Rule kConsistencyRules[] = {
    {"search-index-list-resolves", search_index_list_resolves},
    {"categories-ref-resolves", categories_ref_resolves, Sees::kCategories},
    {"categories-referenced", categories_referenced, Sees::kCategories},
    {"column-order-complete", column_order_complete, Sees::kColumns},
    {"column-order-no-duplicates", column_order_no_duplicates, Sees::kEverything},
    {"column-order-only-columns", column_order_only_columns, Sees::kColumns},
    {"fill-not-a-valid-code", fill_not_a_valid_code},
};

}  // namespace

std::span<const Rule> consistency_rules() { return kConsistencyRules; }

}  // namespace hepcheck::hep001
