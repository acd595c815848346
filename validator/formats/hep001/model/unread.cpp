#include "validator/formats/hep001/model/unread.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace hepcheck::hep001 {

namespace {

using Reason = Unread::Reason;

// The first one is kept.
void add(Reason& into, const Reason& reason) {
  if (!into) into = reason;
}

Reason at(const std::string& path, const Reason& why) {
  return why ? Reason(path + ": " + *why) : std::nullopt;
}

Reason of(const Child& child) {
  const auto why = why_unread(child);
  return why ? Reason(child.path + " cannot be read: " + *why) : std::nullopt;
}

// An attribute that exists without a readable value, or may be among those that could not be
// listed.
template <class Host>
Reason attribute_of(const Host& host, std::string_view name) {
  const Attribute* attribute = host.attribute(name);
  if (!attribute) return at(host.path, host.attributes_unreadable);
  return at(host.path + '@' + attribute->name, attribute->unreadable);
}

// Its links, its attributes, and everything below it.
Reason within(const Group& group) {
  Reason reason = at(group.path, group.unreadable);
  add(reason, at(group.path, group.attributes_unreadable));
  for (const Child& child : group.children) {
    add(reason, of(child));
    if (child.dataset) add(reason, at(child.path, child.dataset->attributes_unreadable));
    if (child.group && !reason) add(reason, within(*child.group));
  }
  return reason;
}

bool is_reserved(const Child& child) {
  return child.name == "CATEGORIES" || child.name == "SEARCH_INDEXES";
}

bool may_be_column(const Child& child) {
  return child.object == ObjectKind::kDataset || child.object == ObjectKind::kUnknown;
}

// For a reserved group: it exists but cannot be read, or its links cannot.
Reason of_reserved(const Table& table, std::string_view name) {
  Reason reason = at(table.path(), table.group.unreadable);
  if (const Child* child = table.group.child(name)) {
    add(reason, of(*child));
    if (child->group) add(reason, at(child->path, child->group->unreadable));
  }
  return reason;
}

std::vector<const Child*> unread_in(const Group* group) {
  std::vector<const Child*> found;
  if (!group) return found;
  for (const Child& child : group->children)
    if (may_be_column(child) && why_unread(child)) found.push_back(&child);
  return found;
}

void add_columns(const Table& table, Unread& unread) {
  add(unread.columns, at(table.path(), table.group.unreadable));
  // The number of valid rows is unknown.
  if (!table.nrows) add(unread.columns, attribute_of(table.group, "NROWS"));
  for (const Child& child : table.group.children) {
    if (may_be_column(child)) add(unread.columns, of(child));
    if (child.dataset) add(unread.columns, at(child.path, child.dataset->attributes_unreadable));
  }
}

void add_lists(const Table& table, Unread& unread) {
  if (!table.revision || !table.revision->list_columns) return;
  add(unread.lists, at(table.path(), table.group.unreadable));
  if (!table.nrows) add(unread.lists, attribute_of(table.group, "NROWS"));
  for (const Child& child : table.group.children) {
    if (is_reserved(child) || child.object == ObjectKind::kDataset) continue;
    add(unread.lists, of(child));
    if (child.group) add(unread.lists, within(*child.group));
  }
}

void add_categories(const Table& table, Unread& unread) {
  add(unread.categories, of_reserved(table, "CATEGORIES"));
  if (table.categories_group)
    for (const Child& child : table.categories_group->children) {
      add(unread.categories, of(child));
      if (child.group) add(unread.categories, within(*child.group));
    }
  for (const Categories& each : table.categories)
    add(unread.categories, at(each.data->path, each.data->attributes_unreadable));
}

void add_indexes(const Table& table, Unread& unread) {
  add(unread.indexes, of_reserved(table, "SEARCH_INDEXES"));
  if (table.search_indexes_group)
    for (const Child& child : table.search_indexes_group->children) {
      add(unread.indexes, of(child));
      if (!child.dataset) continue;
      for (const char* name : {"KIND", "VALUES"})
        add(unread.indexes, attribute_of(*child.dataset, name));
    }
}

void add_references(const Table& table, Unread& unread) {
  add(unread.references, unread.columns);
  for (const Column& column : table.columns)
    for (const char* name : {"CATEGORIES", "SEARCH_INDEX_LIST"})
      add(unread.references, attribute_of(*column.data, name));
}

}  // namespace

Reason Unread::any() const {
  Reason reason = columns;
  for (const Reason* each : {&lists, &categories, &indexes, &references}) add(reason, *each);
  return reason;
}

std::optional<std::string> why_unread(const Child& child) {
  if (!child.hard()) return std::nullopt;
  if (child.unreadable) return child.unreadable;
  return child.dataset ? child.dataset->unreadable : std::nullopt;
}

std::optional<std::string> unlisted(const Table& table, std::string_view reserved) {
  return of_reserved(table, reserved);
}

std::vector<const Child*> unread_columns(const Table& table) {
  std::vector<const Child*> found = unread_in(&table.group);
  std::erase_if(found, [](const Child* child) { return is_reserved(*child); });
  return found;
}

std::vector<const Child*> unread_categories(const Table& table) {
  return unread_in(table.categories_group);
}

std::vector<const Child*> unread_indexes(const Table& table) {
  std::vector<const Child*> found = unread_in(table.search_indexes_group);
  std::erase_if(found, [&](const Child* child) {
    return std::ranges::any_of(table.accompanying,
                               [&](const auto& data) { return data->token == child->token; });
  });
  return found;
}

Unread unread_of(const Table& table) {
  Unread unread;
  add_columns(table, unread);
  add_lists(table, unread);
  add_categories(table, unread);
  add_indexes(table, unread);
  add_references(table, unread);
  return unread;
}

}  // namespace hepcheck::hep001
