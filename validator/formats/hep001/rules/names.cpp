#include "validator/formats/hep001/rules/names.h"

namespace hepcheck::hep001 {

void reserved_child_is_group(const Table& table, const char* name, Probe& probe) {
  const Child* child = table.group.child(name);
  if (!child || child->is_dataset()) return;
  if (child->hard() && child->unreadable)
    return probe.blocked(child->path + " cannot be read: " + *child->unreadable);
  probe.looked();
  if (child->is_group()) return;
  probe.fail({.object = child->path,
              .observed = child->link == Child::LinkKind::kSoft
                              ? "a soft link to " + child->link_target
                          : child->link == Child::LinkKind::kExternal
                              ? "an external link to " + child->link_target
                          : child->link == Child::LinkKind::kUserDefined ? "a user-defined link"
                                                                         : "no group",
              .expected = "a group attached by a hard link",
              .hint = std::string("Create ") + name + " as a group of the table group."});
}

void only_datasets_in(const Group* group, Probe& probe) {
  if (!group) return;
  if (group->unreadable) probe.blocked(group->path + ": " + *group->unreadable);
  probe.looked();
  for (const Child& child : group->children) {
    if (child.is_dataset() || (child.group && marks_table(*child.group))) continue;
    if (child.hard() && child.unreadable) {
      probe.blocked(child.path + " cannot be read: " + *child.unreadable);
      continue;
    }
    probe.fail({.object = child.path,
                .observed = child.link == Child::LinkKind::kSoft          ? "a soft link"
                            : child.link == Child::LinkKind::kExternal    ? "an external link"
                            : child.link == Child::LinkKind::kUserDefined ? "a user-defined link"
                            : child.is_group()                            ? "a group"
                                                                          : "a named datatype",
                .expected = "only datasets in " + group->path,
                .hint = "Move it out of the table group."});
  }
}

namespace {

void collect(const Group& group,
             std::unordered_map<ObjectToken, const Child*, ObjectTokenHash>& into) {
  for (const Child& child : group.children) {
    if (child.hard()) into.emplace(child.token, &child);
    if (child.group) collect(*child.group, into);
  }
}

}  // namespace

std::unordered_map<ObjectToken, const Child*, ObjectTokenHash> deeper_in_categories(
    const Table& table) {
  std::unordered_map<ObjectToken, const Child*, ObjectTokenHash> found;
  if (table.categories_group)
    for (const Child& child : table.categories_group->children)
      if (child.group) collect(*child.group, found);
  return found;
}

std::optional<std::vector<std::string>> column_order(const Table& table, Probe& probe) {
  const Attribute* order = readable(table.attribute("column-order"), probe);
  if (!order) return std::nullopt;
  if (!order->type.fixed_string()) {
    probe.blocked("column-order does not contain fixed-length strings",
                  by({"column-order-fixed-string"}));
    return std::nullopt;
  }
  if (!order->space.one_dimensional()) {
    probe.blocked("column-order is not one-dimensional", by({"column-order-1d"}));
    return std::nullopt;
  }
  return string_elements(*order);
}

bool may_be_list(const Table& table, const Child& child) {
  if (!table.revision->list_columns || !child.is_group()) return false;
  if (child.unreadable) return true;
  if (!child.group) return false;
  const Attribute* cls = child.group->attribute("CLASS");
  return cls ? cls->unreadable.has_value() : child.group->attributes_unreadable.has_value();
}

std::optional<std::string> other_role(const Table& table, const Column& column) {
  const ObjectToken& token = column.data->token;
  if (const auto it = table.categories_by_token.find(token);
      it != table.categories_by_token.end() && !table.categories[it->second].columns.empty())
    return "a categories dataset";  // without a column: categories-referenced
  if (table.index_by_token.contains(token)) return "a search index";
  if (std::ranges::contains(table.accompanying, token, [](const auto& d) { return d->token; }))
    return "the values of a bitmap";
  return std::nullopt;
}

}  // namespace hepcheck::hep001
