#include "validator/formats/hep001/rules/lists.h"

namespace hepcheck::hep001 {

std::string describe(const Child& link) {
  switch (link.link) {
    case Child::LinkKind::kSoft: return "a soft link to " + link.link_target;
    case Child::LinkKind::kExternal: return "an external link to " + link.link_target;
    case Child::LinkKind::kUserDefined: return "a link of a user-defined kind";
    case Child::LinkKind::kHard: break;
  }
  switch (link.object) {
    case ObjectKind::kDataset: return "a dataset";
    case ObjectKind::kGroup: return "a group";
    case ObjectKind::kNamedDatatype: return "a committed datatype";
    case ObjectKind::kUnknown: break;
  }
  return "an object of an unknown kind";
}

void member_is_present(const ListLevel& level, Member member, Probe& probe) {
  if (!member_of(level, member).link && level.group->unreadable)
    return probe.blocked(level.path + ": " + *level.group->unreadable);
  probe.looked();
  if (member_of(level, member).link) return;
  probe.fail({.object = path_of(level, member),
              .observed = "absent",
              .expected = "a member of this name in " + level.path,
              .hint = "Write the member, or delete the column."});
}

void member_has_rank_1(const ListLevel& level, Member member, bool group_too, Probe& probe) {
  const Child* link = readable_member(level, member, probe);
  if (!link || (group_too && !link->is_dataset())) return;
  probe.looked();
  const bool dataset = link->is_dataset() && link->dataset;
  if (dataset && link->dataset->space.one_dimensional()) return;
  probe.fail({.object = path_of(level, member),
              .observed = dataset ? describe(link->dataset->space) : describe(*link),
              .expected = "a dataset of rank 1",
              .hint = "Store the member as a one-dimensional dataset."});
}

void member_reaches(const ListLevel& level, Member member, std::uint64_t needed,
                    const std::string& expected, Probe& probe) {
  const Dataset* data = member_of(level, member).data();
  if (!data || !data->space.one_dimensional()) return;
  probe.looked();
  if (*data->extent() >= needed) return;
  probe.fail({.object = path_of(level, member),
              .observed = std::format("extent {}", *data->extent()),
              .expected = expected,
              .hint = "Extend the members of a list before committing NROWS."});
}

void has_only_members(const ListLevel& level, Probe& probe) {
  if (level.group->unreadable) probe.blocked(level.path + ": " + *level.group->unreadable);
  probe.looked();
  for (const Child& child : level.group->children) {
    const bool table = child.group && marks_table(*child.group);  // no-nested-table
    const bool named =
        child.name == "OFFSETS" || child.name == "MASK" || child.name == level.values_name();
    if (table || (named && child.hard())) continue;
    probe.fail({.object = level.path + '/' + child.name,
                .observed = describe(child),
                .expected = std::format("hard links OFFSETS, {} and MASK, and nothing else",
                                        level.values_name()),
                .hint = named ? "Attach the member by a hard link." : "Move it out of the group."});
  }
}

}  // namespace hepcheck::hep001
