// HEP001 9.2 "Members of a list column group": OFFSETS, VALUES, MASK at every level.
#include "validator/formats/hep001/rules/lists.h"

namespace hepcheck::hep001 {

namespace {

constexpr const char* kRewrite = "Rewrite the column from its lists.";

// Reports a difference in the contents of a member: positions are entries.
void report_difference(const Difference& difference, const std::string& path, const char* expected,
                       const char* hint, Probe& probe) {
  probe.looked();
  if (difference.count == 0) return;
  probe.fail({.object = path,
              .where = std::format("entry {}", difference.first),
              .observed = difference.stored,
              .expected = expected,
              .hint = hint,
              .more = difference.count - 1});
}

// The contents of a level were examined; otherwise the clause is not checked, with the reason.
bool were_read(const ListLevelFacts& level, const std::optional<Obstacle>& obstacle, Probe& probe) {
  if (level.unread) {
    probe.blocked(*level.unread);
    return false;
  }
  return established(level.no_entries, probe) && established(obstacle, probe);
}

void list_only_members(const Table&, const ListColumn& list, Probe& probe) {
  for_each_level(list, ListClass::kList,
                 [&](const ListLevel& level) { has_only_members(level, probe); });
}

// --- OFFSETS -----------------------------------------------------------------------------------

void list_offsets_present(const Table&, const ListColumn& list, Probe& probe) {
  for_each_level(
      list, {}, [&](const ListLevel& level) { member_is_present(level, Member::kOffsets, probe); });
}

void list_offsets_rank_1(const Table&, const ListColumn& list, Probe& probe) {
  for_each_level(list, {}, [&](const ListLevel& level) {
    member_has_rank_1(level, Member::kOffsets, false, probe);
  });
}

void list_offsets_uint64(const Table&, const ListColumn& list, Probe& probe) {
  for_each_level(list, {}, [&](const ListLevel& level) {
    const Child* link = readable_member(level, Member::kOffsets, probe);
    if (!link || !link->dataset) return;  // list-offsets-rank-1
    probe.looked();
    if (!is_unsigned_integer(link->dataset->type, 8))
      probe.fail({.object = path_of(level, Member::kOffsets),
                  .observed = describe(link->dataset->type),
                  .expected = "uint64",
                  .hint = "Store the offsets as H5T_STD_U64LE; those of Arrow are narrower."});
  });
}

void list_offsets_extent(const Table&, const ListColumn& list, const ListFacts& facts,
                         Probe& probe) {
  for_each_level(list, facts, {}, [&](const ListLevel& level, const ListLevelFacts& known) {
    if (!level.offsets.data()) return;  // list-offsets-present, -rank-1
    if (!established(known.no_entries, probe)) return;
    constexpr std::uint64_t kMost = ~std::uint64_t{0};
    const std::uint64_t entries = *known.entries;
    // There is no dataset of 2^64 elements.
    member_reaches(level, Member::kOffsets, entries == kMost ? kMost : entries + 1,
                   std::format("at least {} + 1 offsets, for its {} entries", entries, entries),
                   probe);
  });
}

void list_offsets_first_zero(const Table&, const ListColumn& list, const ListFacts& facts,
                             Probe& probe) {
  for_each_level(list, facts, {}, [&](const ListLevel& level, const ListLevelFacts& known) {
    if (!were_read(known, known.offsets, probe)) return;
    if (level.offsets.data()->extent() == 0) return;  // list-offsets-extent
    report_difference(known.first, path_of(level, Member::kOffsets), "0 as the first offset",
                      "Shift all offsets, as for a slice of an Arrow array.", probe);
  });
}

void list_offsets_non_decreasing(const Table&, const ListColumn& list, const ListFacts& facts,
                                 Probe& probe) {
  for_each_level(list, facts, {}, [&](const ListLevel& level, const ListLevelFacts& known) {
    if (were_read(known, known.offsets, probe))
      report_difference(known.decrease, path_of(level, Member::kOffsets),
                        "offsets that never decrease over the entries of the level", kRewrite,
                        probe);
  });
}

// --- VALUES ------------------------------------------------------------------------------------

void list_values_present(const Table&, const ListColumn& list, Probe& probe) {
  for_each_level(list, ListClass::kList, [&](const ListLevel& level) {
    member_is_present(level, Member::kElements, probe);
  });
}

void list_values_form(const Table&, const ListColumn& list, Probe& probe) {
  for_each_level(list, ListClass::kList, [&](const ListLevel& level) {
    const Child* link = level.values.link;
    if (!link || !link->hard()) return;  // list-values-present, list-only-members
    if (link->unreadable && link->object == ObjectKind::kUnknown)
      return probe.blocked(path_of(level, Member::kElements) + ": " + *link->unreadable);
    const bool last = &level == &list.levels.back();
    if (link->is_group() && last) {
      if (list.end == ListEnd::kTable) return;  // no-nested-table
      if (list.end == ListEnd::kUnreadable)
        return probe.blocked(path_of(level, Member::kElements) + ": " + list.unreadable);
    }
    probe.looked();
    if (link->is_dataset() || (link->is_group() && !last)) return;
    const bool cycle = list.end == ListEnd::kCycle;
    probe.fail(
        {.object = path_of(level, Member::kElements),
         .observed = cycle ? "a group that contains this one" : describe(*link),
         .expected = "a dataset, or a group of CLASS LIST_COLUMN or STRING_VALUES",
         .hint = link->is_group() && !cycle ? "Write CLASS (and KIND) on the group." : kRewrite});
  });
}

void list_values_rank_1(const Table&, const ListColumn& list, Probe& probe) {
  for_each_level(list, ListClass::kList, [&](const ListLevel& level) {
    member_has_rank_1(level, Member::kElements, true, probe);
  });
}

void list_values_extent(const Table&, const ListColumn& list, const ListFacts& facts,
                        Probe& probe) {
  if (!list.leaf()) return;  // for a nested level it is list-offsets-extent, string-chars-extent
  const ListLevel& level = list.levels.back();
  const ListLevelFacts& known = facts.levels.back();
  if (!established(known.no_end, probe)) return;
  member_reaches(level, Member::kElements, *known.end,
                 std::format("at least OFFSETS[{}] = {} elements", *known.entries, *known.end),
                 probe);
  if (facts.leaf.unread) probe.blocked(*facts.leaf.unread);
}

// --- MASK --------------------------------------------------------------------------------------

void list_mask_rank_1(const Table&, const ListColumn& list, Probe& probe) {
  for_each_level(list, {}, [&](const ListLevel& level) {
    member_has_rank_1(level, Member::kMask, false, probe);
  });
}

void list_mask_extent(const Table&, const ListColumn& list, const ListFacts& facts, Probe& probe) {
  for_each_level(list, facts, {}, [&](const ListLevel& level, const ListLevelFacts& known) {
    if (!level.mask.data() || !established(known.no_entries, probe)) return;
    member_reaches(level, Member::kMask, *known.entries,
                   std::format("at least {} elements, one per entry", *known.entries), probe);
  });
}

void list_mask_value(const Table&, const ListColumn& list, const ListFacts& facts, Probe& probe) {
  for_each_level(list, facts, {}, [&](const ListLevel& level, const ListLevelFacts& known) {
    if (level.mask.link && were_read(known, known.mask, probe))
      report_difference(known.mask_value, path_of(level, Member::kMask),
                        "0 (FALSE, null) or 1 (TRUE)", kRewrite, probe);
  });
}

void list_null_entry_empty(const Table&, const ListColumn& list, const ListFacts& facts,
                           Probe& probe) {
  for_each_level(list, facts, {}, [&](const ListLevel& level, const ListLevelFacts& known) {
    if (level.mask.link && were_read(known, known.nulls, probe))
      report_difference(
          known.null_not_empty, path_of(level, Member::kMask),
          "equal offsets before and after a null entry",
          "Check the meaning of the mask: TRUE means present. Then remove the elements of null "
          "entries.",
          probe);
  });
}

constexpr Rule kListMembersRules[] = {
    {"list-only-members", list_only_members},
    {"list-offsets-present", list_offsets_present},
    {"list-offsets-rank-1", list_offsets_rank_1},
    {"list-offsets-uint64", list_offsets_uint64},
    {"list-offsets-extent", list_offsets_extent},
    {"list-offsets-first-zero", list_offsets_first_zero},
    {"list-offsets-non-decreasing", list_offsets_non_decreasing},
    {"list-values-present", list_values_present},
    {"list-values-form", list_values_form},
    {"list-values-rank-1", list_values_rank_1},
    {"list-values-extent", list_values_extent},
    {"list-mask-rank-1", list_mask_rank_1},
    {"list-mask-extent", list_mask_extent},
    {"list-mask-value", list_mask_value},
    {"list-null-entry-empty", list_null_entry_empty},
};

}  // namespace

std::span<const Rule> list_member_rules() { return kListMembersRules; }

}  // namespace hepcheck::hep001
