// HEP001 7.6 "Self-contained contents": the permitted objects below a table group. The clauses in
// this file divide the children among them, so each foreign child is reported once.
#include "validator/formats/hep001/rules/names.h"

namespace hepcheck::hep001 {

namespace {

constexpr const char* kSelfContainedHint =
    "Move it out of the table group to another part of the file.";

Finding foreign(const Child& child, std::string observed, std::string expected) {
  return {.object = child.path,
          .observed = std::move(observed),
          .expected = std::move(expected),
          .hint = kSelfContainedHint};
}

bool is_nested_table(const Table& table, const Child& child) {
  if (!child.is_group()) return false;
  return child.token == table.group.token || (child.group && marks_table(*child.group));
}

// An unreadable object might be anything, so the verdict cannot be a pass.
void block_on_unreadable(const Group& group, Probe& probe) {
  const auto block = [&](const std::string& path, const std::optional<std::string>& reason) {
    if (reason) probe.blocked(path + " cannot be read: " + *reason);
  };
  block(group.path, group.unreadable);
  block(group.path, group.attributes_unreadable);
  for (const Child& child : group.children) {
    if (child.hard()) block(child.path, child.unreadable);
    if (child.dataset) {
      block(child.path, child.dataset->unreadable);
      block(child.path, child.dataset->attributes_unreadable);
    }
    if (child.group) block_on_unreadable(*child.group, probe);
  }
}

void descendants_serve_the_model(const Table& table, Probe& probe) {
  NamedColumns named(table);
  probe.looked();
  block_on_unreadable(table.group, probe);
  for (const Child& child : table.group.children) {
    if (is_reserved_group_name(child.name)) continue;  // *-is-group
    constexpr const char* expected = "columns, CATEGORIES and SEARCH_INDEXES, hard-linked";
    if (child.link == Child::LinkKind::kUserDefined)
      probe.fail(foreign(child, "a user-defined link", expected));
    else if (child.link == Child::LinkKind::kExternal && !named.call(child))
      probe.warn(foreign(child, "an external link to " + child.link_target, expected));
    else if (child.hard() && child.object == ObjectKind::kUnknown && !child.unreadable)
      probe.fail(foreign(child, "an object of an unknown kind", expected));
  }
}

void no_named_datatype(const Table& table, Probe& probe) {
  probe.looked();
  for (const Child& child : table.group.children)
    if (child.hard() && child.object == ObjectKind::kNamedDatatype &&
        !is_reserved_group_name(child.name))
      probe.fail(foreign(child, "a named datatype", "no named datatype below a table group"));
}

void no_soft_link(const Table& table, Probe& probe) {
  NamedColumns named(table);
  probe.looked();
  for (const Child& child : table.group.children) {
    if (child.link != Child::LinkKind::kSoft || is_reserved_group_name(child.name) ||
        named.call(child))  // column-hard-link
      continue;
    Finding finding =
        foreign(child, "a soft link to " + child.link_target, "no soft link below a table group");
    finding.hint = "Delete the link, or move it out of the table group.";
    probe.fail(std::move(finding));
  }
}

// Reports the outermost table groups below `group`.
void report_tables_below(const Table& table, const Group& group, Probe& probe) {
  for (const Child& child : group.children) {
    if (is_nested_table(table, child))
      probe.fail(foreign(child, "a table group", "no other table below a table group"));
    else if (child.group)
      report_tables_below(table, *child.group, probe);
  }
}

void no_nested_table(const Table& table, Probe& probe) {
  probe.looked();
  report_tables_below(table, table.group, probe);
}

void no_multidimensional_dataset(const Table& table, Probe& probe) {
  NamedColumns named(table);
  probe.looked();
  for (const Child& child : table.group.children) {
    const Dataset* dataset = readable_dataset(child);
    if (!dataset || dataset->space.rank() < 2 || named.call(child)) continue;  // column-rank-1
    probe.fail(foreign(child, "a dataset of " + describe(dataset->space),
                       "no multidimensional dataset below a table group"));
  }
}

void no_user_subgroup(const Table& table, Probe& probe) {
  probe.looked();
  for (const Child& child : table.group.children) {
    if (!child.is_group() || is_reserved_group_name(child.name) ||
        table.list_by_name.contains(child.name) ||
        is_nested_table(table, child))  // no-nested-table
      continue;
    if (may_be_list(table, child)) {
      probe.blocked(child.path + " may be a list column, but cannot be read");
      continue;
    }
    Finding finding = foreign(child, "a group", "no subgroup except CATEGORIES and SEARCH_INDEXES");
    if (table.revision->list_columns) {
      finding.expected = "no subgroup except list columns, CATEGORIES and SEARCH_INDEXES";
      if (child.group && child.group->child("OFFSETS") && !child.group->attribute("CLASS"))
        finding.hint = "If it is a list column, write CLASS and KIND on it.";
    }
    probe.fail(std::move(finding));
  }
}

constexpr Rule kSelfContainedRules[] = {
    {"descendants-serve-the-model", descendants_serve_the_model, Sees::kEverything},
    {"no-named-datatype", no_named_datatype, Sees::kEverything},
    {"no-soft-link", no_soft_link, Sees::kEverything},
    {"no-nested-table", no_nested_table, Sees::kEverything},
    {"no-multidimensional-dataset", no_multidimensional_dataset, Sees::kColumns},
    {"no-user-subgroup", no_user_subgroup, Sees::kEverything},
};

}  // namespace

std::span<const Rule> self_contained_rules() { return kSelfContainedRules; }

}  // namespace hepcheck::hep001
