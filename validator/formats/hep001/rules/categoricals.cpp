// HEP001 8.7 "Categorical columns".
#include "validator/formats/hep001/rules/data.h"
#include "validator/formats/hep001/rules/names.h"

namespace hepcheck::hep001 {

namespace {

void categories_is_group(const Table& table, Probe& probe) {
  reserved_child_is_group(table, "CATEGORIES", probe);
}

void categories_only_datasets(const Table& table, Probe& probe) {
  only_datasets_in(table.categories_group, probe);
}

void categorical_integer(const Table&, const Column& column, Probe& probe) {
  if (!column.data->attribute("CATEGORIES")) return;
  probe.looked();
  if (!column.data->type.is(TypeClass::kInteger))
    probe.fail({.object = column.path(),
                .observed = describe(column.data->type),
                .expected = "an integer datatype for a column with CATEGORIES",
                .hint = "Store integer codes, or remove the CATEGORIES attribute."});
}

void categories_directly_under(const Table& table, Probe& probe) {
  const auto deeper = deeper_in_categories(table);
  std::unordered_set<ObjectToken, ObjectTokenHash> reported;
  for (const Column& column : table.columns) {
    const Attribute* link = readable(column.data->attribute("CATEGORIES"), probe);
    if (!link || link->references.empty() || !link->references[0].resolved()) continue;
    const ObjectToken& token = link->references[0].token;
    const bool direct = table.categories_by_token.contains(token);
    const auto found = deeper.find(token);
    if (!direct && found == deeper.end()) continue;  // categories-ref-resolves
    probe.looked();
    if (!direct && reported.insert(token).second)
      probe.fail({.object = found->second->path,
                  .observed = "a categories dataset in a group below CATEGORIES",
                  .expected = "categories datasets directly in CATEGORIES",
                  .hint = "Move the dataset up with H5Lmove."});
  }
}

void categories_rank_1(const Table&, const Categories& categories, const CategoriesFacts* facts,
                       Probe& probe) {
  const Dataset& data = *categories.data;
  if (data.unreadable) return probe.blocked(data.path + " cannot be read: " + *data.unreadable);
  probe.looked();
  if (!data.space.one_dimensional())
    probe.fail({.object = data.path,
                .observed = describe(data.space),
                .expected = "a categories dataset of rank 1",
                .hint = "Store the labels as a one-dimensional dataset."});
  else if (facts && facts->unread)  // not all labels were read
    probe.blocked(*facts->unread);
}

void code_in_range(const Table& table, const Column& column, const ColumnFacts& facts,
                   Probe& probe) {
  const CategoryCount categories = category_count(table, column);
  if (!established(categories.broken, probe)) return;
  if (!categories.k) return;
  if (!established(facts.obstacle, probe) || !facts.code_out_of_range) return;
  probe.looked();
  const Difference& bad = *facts.code_out_of_range;
  if (bad.count > 0)
    probe.fail({.object = column.path(),
                .where = std::format("row {}", bad.first),
                .observed = "code " + bad.stored,
                .expected = std::format("the fill value, or a code in [0, {})", *categories.k),
                .hint = "Add the label to the categories dataset, or correct the code.",
                .more = bad.count - 1});
}

void categories_not_in_column_order(const Table& table, Probe& probe) {
  if (!table.categories_group) return;
  const auto order = column_order(table, probe);
  if (!order) return;
  std::unordered_set<std::string> names;
  for (const Categories& categories : table.categories) {
    names.insert(categories.data->name);
    names.insert("CATEGORIES/" + categories.data->name);
  }
  for (const std::string& element : *order) {
    probe.looked();
    if (!is_column_name(table, element) && names.contains(element))
      probe.fail({.object = table.path(),
                  .attribute = "column-order",
                  .observed = '"' + element + "\", a categories dataset",
                  .expected = "names of column datasets only",
                  .hint = "Remove the categories dataset from column-order."});
    else if (const auto it = table.column_by_name.find(element);
             it != table.column_by_name.end() &&
             other_role(table, table.columns[it->second]) == "a categories dataset")
      probe.fail({.object = table.path(),
                  .attribute = "column-order",
                  .observed = '"' + element + "\", which is a categories dataset as well",
                  .expected = "names of column datasets only",
                  .hint = "Give the column its own dataset."});
  }
}

constexpr Rule kCategoricalsRules[] = {
    {"categories-is-group", categories_is_group, Sees::kCategories},
    {"categories-only-datasets", categories_only_datasets, Sees::kCategories},
    {"categorical-integer", categorical_integer},
    {"categories-attr-scalar", on_column<"CATEGORIES", is_scalar>},
    {"categories-directly-under", categories_directly_under, Sees::kCategories},
    {"categories-rank-1", categories_rank_1},
    {"code-in-range", code_in_range},
    {"ordered-scalar", on_categories<"ordered", is_scalar>},
    {"categories-not-in-column-order", categories_not_in_column_order, Sees::kEverything},
};

}  // namespace

std::span<const Rule> categorical_rules() { return kCategoricalsRules; }

}  // namespace hepcheck::hep001
