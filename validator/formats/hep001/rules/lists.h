// Requirements on the levels of a list column that the sections of chapter 9 state in the same
// words.
#pragma once

#include <string>
#include <utility>

#include "validator/formats/hep001/rules/attributes.h"
#include "validator/formats/hep001/rules/data.h"

namespace hepcheck::hep001 {

// A member of a level, and the clauses that require it.
enum class Member : std::uint8_t { kOffsets, kMask, kElements };

inline const ListMember& member_of(const ListLevel& level, Member member) {
  return member == Member::kOffsets ? level.offsets
         : member == Member::kMask  ? level.mask
                                    : level.values;
}
inline std::string path_of(const ListLevel& level, Member member) {
  return level.path + '/' +
         (member == Member::kOffsets ? "OFFSETS"
          : member == Member::kMask  ? "MASK"
                                     : level.values_name());
}

// Calls visit(level) for every level whose members have the meaning of 9.2, optionally only of one
// class.
template <class Visit>
void for_each_level(const ListColumn& list, std::optional<ListClass> cls, Visit visit) {
  for (const ListLevel& level : list.levels)
    if (level.judged && (!cls || level.cls == *cls)) visit(level);
}
// The same with the level's facts.
template <class Visit>
void for_each_level(const ListColumn& list, const ListFacts& facts, std::optional<ListClass> cls,
                    Visit visit) {
  for (std::size_t i = 0; i < list.levels.size(); ++i)
    if (list.levels[i].judged && (!cls || list.levels[i].cls == *cls))
      visit(list.levels[i], facts.levels[i]);
}

// The member by its hard link, if it exists and can be read. An unreadable one blocks the clause; a
// soft or external link is list-only-members, string-values-only-members.
inline const Child* readable_member(const ListLevel& level, Member member, Probe& probe) {
  const Child* link = member_of(level, member).link;
  if (!link || !link->hard()) return nullptr;
  if (link->unreadable) {
    probe.blocked(path_of(level, member) + ": " + *link->unreadable);
    return nullptr;
  }
  if (link->dataset && link->dataset->unreadable) {
    probe.blocked(path_of(level, member) + ": " + *link->dataset->unreadable);
    return nullptr;
  }
  return link;
}

// The target of a link, in words.
std::string describe(const Child& link);

void member_is_present(const ListLevel& level, Member member, Probe& probe);
// A dataset of rank 1; a group is accepted only if `group_too`, and other clauses examine it.
void member_has_rank_1(const ListLevel& level, Member member, bool group_too, Probe& probe);
// The member has at least `needed` elements; an object that is not a dataset of rank 1 is not
// judged.
void member_reaches(const ListLevel& level, Member member, std::uint64_t needed,
                    const std::string& expected, Probe& probe);
// Every link of the group is hard and has one of the names.
void has_only_members(const ListLevel& level, Probe& probe);

}  // namespace hepcheck::hep001
