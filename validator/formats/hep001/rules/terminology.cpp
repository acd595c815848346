// HEP001 3 "Terminology": a column is attached by a hard link.
#include "validator/formats/hep001/rules/names.h"

namespace hepcheck::hep001 {

namespace {

void column_hard_link(const Table& table, Probe& probe) {
  NamedColumns named(table);
  for (const Column& column : table.columns) {
    probe.looked();
    // Two names for one dataset: accepted, because the text does not exclude it.
    const Column& first = table.columns[table.column_by_token.at(column.data->token)];
    if (&first != &column)
      probe.warn({.object = column.path(),
                  .observed = "a second name of " + first.path(),
                  .expected = "one hard link per column",
                  .hint = "Unlink one of the two names."});
    // If column-order lists it: categories-not-in-column-order, column-order-only-columns.
    if (const auto role = other_role(table, column); role && !table.attribute("column-order"))
      probe.warn({.object = column.path(),
                  .observed = "a column that is " + *role + " as well",
                  .expected = "a separate dataset for the column",
                  .hint = "Copy the dataset, and unlink one of the two names."});
  }
  for (const ListColumn& list : table.lists) {
    probe.looked();
    const ListColumn& first = table.lists[table.list_by_token.at(list.group().token)];
    if (&first != &list)
      probe.warn({.object = list.path(),
                  .observed = "a second name of " + first.path(),
                  .expected = "one hard link per column",
                  .hint = "Unlink one of the two names."});
  }
  for (const Child& child : table.group.children) {
    if (child.hard() || child.link == Child::LinkKind::kUserDefined ||
        is_reserved_group_name(child.name) || !named.call(child))
      continue;
    probe.fail({.object = child.path,
                .observed = child.link == Child::LinkKind::kSoft
                                ? "a soft link to " + child.link_target
                                : "an external link to " + child.link_target,
                .expected = "a column dataset attached by a hard link",
                .hint = "Move or hard-link the dataset into the table group."});
  }
}

constexpr Rule kTerminologyRules[] = {{"column-hard-link", column_hard_link, Sees::kColumns}};

}  // namespace

std::span<const Rule> terminology_rules() { return kTerminologyRules; }

}  // namespace hepcheck::hep001
