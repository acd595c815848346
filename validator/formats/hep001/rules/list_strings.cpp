// HEP001 9.4 "String elements: the STRING_VALUES group".
#include "validator/formats/hep001/rules/lists.h"

namespace hepcheck::hep001 {

namespace {

void string_values_only_members(const Table&, const ListColumn& list, Probe& probe) {
  for_each_level(list, ListClass::kStrings,
                 [&](const ListLevel& level) { has_only_members(level, probe); });
}

void string_chars_present(const Table&, const ListColumn& list, Probe& probe) {
  for_each_level(list, ListClass::kStrings, [&](const ListLevel& level) {
    member_is_present(level, Member::kElements, probe);
  });
}

void string_chars_rank_1(const Table&, const ListColumn& list, Probe& probe) {
  for_each_level(list, ListClass::kStrings, [&](const ListLevel& level) {
    member_has_rank_1(level, Member::kElements, false, probe);
  });
}

void string_chars_uint8(const Table&, const ListColumn& list, Probe& probe) {
  for_each_level(list, ListClass::kStrings, [&](const ListLevel& level) {
    const Child* link = readable_member(level, Member::kElements, probe);
    if (!link || !link->dataset) return;  // string-chars-rank-1
    probe.looked();
    if (!is_unsigned_integer(link->dataset->type, 1))
      probe.fail({.object = path_of(level, Member::kElements),
                  .observed = describe(link->dataset->type),
                  .expected = "uint8",
                  .hint = "Store the UTF-8 bytes of all strings, concatenated."});
  });
}

void string_chars_extent(const Table&, const ListColumn& list, const ListFacts& facts,
                         Probe& probe) {
  for_each_level(
      list, facts, ListClass::kStrings, [&](const ListLevel& level, const ListLevelFacts& known) {
        if (!level.values.data() || !established(known.no_end, probe)) return;
        member_reaches(level, Member::kElements, *known.end,
                       std::format("at least OFFSETS[{}] = {} bytes", *known.entries, *known.end),
                       probe);
      });
}

// Reports a difference in the strings of a level.
void report(const ListLevel& level, const Difference& difference, const char* expected,
            const char* hint, Probe& probe) {
  probe.looked();
  if (difference.count > 0)
    probe.fail({.object = path_of(level, Member::kElements),
                .where = std::format("entry {}", difference.first),
                .observed = difference.stored,
                .expected = expected,
                .hint = hint,
                .more = difference.count - 1});
}

bool were_read(const ListLevelFacts& level, Probe& probe) {
  if (level.unread) {
    probe.blocked(*level.unread);
    return false;
  }
  return established(level.no_entries, probe) && established(level.strings, probe);
}

void string_chars_utf8(const Table&, const ListColumn& list, const ListFacts& facts, Probe& probe) {
  for_each_level(list, facts, ListClass::kStrings,
                 [&](const ListLevel& level, const ListLevelFacts& known) {
                   if (were_read(known, probe))
                     report(level, known.not_utf8, "whole UTF-8 code points in each entry",
                            "Encode each string as UTF-8, and split between strings only.", probe);
                 });
}

void string_chars_no_bom(const Table&, const ListColumn& list, const ListFacts& facts,
                         Probe& probe) {
  for_each_level(list, facts, ListClass::kStrings,
                 [&](const ListLevel& level, const ListLevelFacts& known) {
                   if (were_read(known, probe))
                     report(level, known.byte_order_mark, "text without a byte order mark",
                            "Strip the mark, unless the string begins with U+FEFF.", probe);
                 });
}

constexpr Rule kListStringsRules[] = {
    {"string-values-only-members", string_values_only_members},
    {"string-chars-present", string_chars_present},
    {"string-chars-rank-1", string_chars_rank_1},
    {"string-chars-uint8", string_chars_uint8},
    {"string-chars-extent", string_chars_extent},
    {"string-chars-utf8", string_chars_utf8},
    {"string-chars-no-bom", string_chars_no_bom},
};

}  // namespace

std::span<const Rule> list_string_rules() { return kListStringsRules; }

}  // namespace hepcheck::hep001
