// List columns (9): conformant ones are clean at every depth, and changes are found exactly at the
// places that a count entry by entry gives, for any division of the work.
#include <algorithm>

#include "fuzz/hep001/grammar/list.h"
#include "fuzz/hep001/properties/cases.h"

namespace hepcheck::hep001::grammar {

namespace {

struct ListCase {
  RandomList list{};
  Cut cut{};
};

// Half of the lists are small; in the others, rows and lengths are at boundaries.
ListCase draw_list() {
  ListCase of{.cut = draw("cut", random_cut)};
  const bool large = draw("at boundaries", [](Choices& c) { return c.one_in(4); });
  of.list = draw("list", [large, boundaries = of.cut.boundaries()](Choices& c) {
    const std::uint64_t rows = large ? place_near(c, kMostRows, boundaries) : c.below(7);
    return random_list(c, rows, large ? kMostRows : 20, boundaries);
  });
  return of;
}

void mutate(RandomList& list) {
  list = draw("mutations", [list](Choices& c) {
    RandomList mutated = list;
    for (std::uint64_t n = 1 + c.below(4); n > 0; --n) grammar::mutate(mutated, c);
    return mutated;
  });
}

Complaints found(const RandomList& list, const Cut& cut) {
  TestTable table("/t", list.nrows);
  add(table, "l", list);
  return complaints(table, cut, About::kLists, newest());
}

RC_GTEST_PROP(Lists, ConformantListsHaveNoFindings, ()) {
  const ListCase of = draw_list();
  RC_ASSERT(wrong_list(of.list).empty());
  RC_ASSERT(found(of.list, of.cut) == Complaints{});
}

RC_GTEST_PROP(Lists, ChangesAreFound, ()) {
  ListCase of = draw_list();
  mutate(of.list);
  RC_ASSERT(found(of.list, of.cut) == summary(wrong_list(of.list)));
}

// The tails of members, the byte order, the division of work.
RC_GTEST_PROP(Lists, BytesOutsideTheRowsDoNotMatter, ()) {
  ListCase of = draw_list();
  if (draw("mutated", [](Choices& c) { return c.maybe(); })) mutate(of.list);
  RandomList other = of.list;
  other.big_endian = !other.big_endian;
  std::uint64_t entries = other.nrows;
  for (RandomLevel& level : other.levels) {
    const std::uint64_t below = level.offsets[entries];
    // Tails may be omitted if no other length depends on them.
    level.offsets.resize(entries + 1 + draw_below("offsets behind", 3), 7);
    level.mask.resize(level.has_mask ? entries + draw_below("mask behind", 3) : 0, 9);
    entries = below;
  }
  if (!other.strings) other.leaf = entries + draw_below("elements behind", 3);
  RC_ASSERT(found(of.list, of.cut) == found(other, draw("another cut", random_cut)));
}

// A member that is too short is a separate finding, and no value is invented for it.
RC_GTEST_PROP(Lists, TooShortMembersAreFound, ()) {
  const ListCase of = draw_list();
  const std::uint64_t at = draw_below("level", of.list.levels.size());
  std::uint64_t entries = of.list.nrows;
  for (std::uint64_t i = 0; i < at; ++i) entries = of.list.levels[i].offsets[entries];
  RandomList shorter = of.list;
  RandomLevel& level = shorter.levels[at];
  const bool of_the_mask =
      level.has_mask && entries > 0 && draw("the mask", [](Choices& c) { return c.maybe(); });
  if (of_the_mask)
    level.mask.resize(draw_below("left", entries));
  else
    level.offsets.resize(draw_below("left", entries + 1));
  Complaints all = found(shorter, of.cut);
  // It was known beforehand that there is nothing beyond.
  for (const auto& [id, place] : all) RC_ASSERT(!id.contains("outside the dataset"));
  std::erase_if(all, [](const auto& each) { return each.first.contains("not checked"); });
  RC_ASSERT(all == (Complaints{{of_the_mask ? "list-mask-extent" : "list-offsets-extent",
                                Place{.first = 0, .count = 1}}}));
}

// The elements of a mask are judged whether there are offsets or not.
TEST(Lists, MasksLongerThanOffsetsAreFound) {
  const RandomList list{.nrows = 3,
                        .levels = {{.offsets = {0, 0}, .has_mask = true, .mask = {1, 1, 2}}}};
  const Complaints all = found(list, {});
  ASSERT_TRUE(all.contains("list-mask-value"));
  EXPECT_EQ(all.at("list-mask-value"), (Place{.first = 2, .count = 1}));
}

// Entries are divided among the threads by 2^19 of them, which is too much for a property.
TEST(Lists, BoundariesBetweenThreadsAreExamined) {
  constexpr std::uint64_t kRun = std::uint64_t{1} << 19;
  RandomList list{.nrows = kRun + 3, .levels = {{.has_mask = true}}, .strings = false};
  RandomLevel& level = list.levels[0];
  level.offsets.resize(list.nrows + 1);
  level.mask.assign(list.nrows, 1);
  for (std::uint64_t i = 0; i <= list.nrows; ++i) level.offsets[i] = 2 * i;
  list.leaf = level.offsets.back();
  for (std::uint64_t at = kRun - 1; at <= kRun + 1; ++at) {
    RandomList mutated = list;
    mutated.levels[0].offsets[at] -= 3;  // one decrease, in whichever run its ends are
    mutated.levels[0].mask[at] = 0;
    mutated.levels[0].mask[at - 1] = 2;
    for (const unsigned jobs : {1u, 3u}) {
      const Cut cut{.jobs = jobs, .block_rows = 1 << 12};
      EXPECT_EQ(found(mutated, cut), summary(wrong_list(mutated)))
          << at << ", " << jobs << " threads";
    }
  }
  // The counts combine all runs: the longest entry is in the first, nulls are in both.
  for (const std::uint64_t at : {std::uint64_t{1}, kRun - 1, kRun, kRun + 1}) {
    level.mask[at] = at == 1 ? 1 : 0;
    const std::uint64_t length = at == 1 ? 40 : 0, change = length - 2;
    for (std::uint64_t i = at + 1; i <= list.nrows; ++i) level.offsets[i] += change;
  }
  level.offsets.back() = list.leaf = level.offsets[list.nrows - 1];  // empty
  TestTable table("/t", list.nrows);
  add(table, "l", list);
  const auto notes = report_of(table, {.block_rows = 1 << 12}, About::kLists, newest()).notes;
  EXPECT_TRUE(std::ranges::any_of(notes, [](const std::string& note) {
    return note.contains("524291 entries, 3 null, 1 empty, of 1048612 elements, at most 40");
  }));
}

RandomList list_of(const std::vector<std::string>& texts) {
  RandomList list{.nrows = texts.size(), .levels = {{}, {}}, .strings = true};
  for (const std::string& text : texts) {
    list.levels[0].offsets.push_back(list.levels[0].offsets.size());
    list.chars += text;
    list.levels[1].offsets.push_back(list.chars.size());
  }
  return list;
}

// Code points that are interrupted by plain bytes or incomplete, marks alone and with more, also at
// the very end.
TEST(Lists, TextsAreJudgedForAnyDivisionOfTheirBytes) {
  const std::string mark = "\xef\xbb\xbf", two = "\xc3\xa9";
  const auto torn = [&](const char* by) { return two.substr(0, 1) + by + two.substr(1); };
  for (const std::string& text : {mark, mark + "a", "a" + mark, mark.substr(0, 2), torn("a"),
                                  torn("aaaaaaa"), "aa" + two.substr(0, 1), two.substr(1)})
    for (const std::uint64_t block_rows : {1, 2, 3, 4, 100})
      for (const std::vector<std::string>& texts :
           {std::vector<std::string>{text}, {"a", text}, {text, two}}) {
        const RandomList list = list_of(texts);
        EXPECT_EQ(found(list, {.block_rows = block_rows}), summary(wrong_list(list)))
            << testing::PrintToString(text) << " in blocks of " << block_rows;
      }
}

// Texts in any order are followed a thousand times.
TEST(Lists, DescendingOffsetsAreFound) {
  for (const std::uint64_t jumps : {999, 1000, 1001}) {
    RandomList list{.nrows = 2 * jumps - 1, .levels = {{}, {}}, .strings = true, .chars = "a"};
    for (std::uint64_t i = 1; i <= list.nrows; ++i) {
      list.levels[0].offsets.push_back(i);
      list.levels[1].offsets.push_back(i % 2);
    }
    EXPECT_EQ(found(list, {}) == summary(wrong_list(list)), jumps <= 1000) << jumps;
  }
}

}  // namespace

}  // namespace hepcheck::hep001::grammar
