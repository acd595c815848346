#include "validator/rules/names.h"

namespace hepcheck {

void reserved_child_is_group(const Table& table, const char* name, Probe& probe) {
  const Child* child = table.group.child(name);
  if (!child || child->is_dataset()) return;
  if (child->hard() && child->unreadable)
    return probe.blocked(child->path + " cannot be read: " + *child->unreadable);
  probe.looked();
  if (child->is_group()) return;
  probe.fail({.object = child->path,
              .observed = child->link == Child::LinkKind::kSoft ? "a soft link to " + child->link_target
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
                .observed = child.link == Child::LinkKind::kSoft       ? "a soft link"
                            : child.link == Child::LinkKind::kExternal ? "an external link"
                            : child.link == Child::LinkKind::kUserDefined ? "a user-defined link"
                            : child.is_group()                            ? "a group"
                                                                          : "a named datatype",
                .expected = "only datasets in " + group->path,
                .hint = "Move it out of the table group."});
  }
}

}  // namespace hepcheck
