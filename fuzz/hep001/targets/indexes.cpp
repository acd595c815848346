// The verifiers of the four index families on any column with any index contents. Oracle: the slow
// judges of fuzz/hep001/grammar, which count value by value.
#include <sstream>

#include "fuzz/hep001/grammar/judge.h"
#include "fuzz/targets/target.h"

using namespace hepcheck;
using namespace hepcheck::fuzz;
using namespace hepcheck::hep001;
using namespace hepcheck::hep001::grammar;

namespace {

std::string listed(const Complaints& complaints) {
  std::ostringstream text;
  for (const auto& [id, place] : complaints) text << ' ' << id << ": " << place << ';';
  return complaints.empty() ? " nothing" : text.str();
}

void compare(const Complaints& found, const Wrong& wrong) {
  const Complaints wanted = summary(wrong);
  if (found != wanted) object("found" + listed(found) + " wanted" + listed(wanted));
}

void any_bits(std::vector<std::byte>& bits, Choices& choices) {
  for (std::uint64_t n = choices.below(4); n > 0 && !bits.empty(); --n)
    bits[choices.below(bits.size())] = static_cast<std::byte>(choices.below(256));
}

}  // namespace

FUZZ_TARGET(indexes) {
  InputChoices choices(input(data, size));
  const std::uint64_t kind = choices.below(4);
  const Cut cut = random_cut(choices);
  const Family family = choices.of(kFamilies);
  const RandomColumn column = choices.one_in(4)
                                  ? boundary_column(choices, choices, family, cut.boundaries())
                                  : random_column(choices, family, 40);
  TestTable table("/t", column.nrows);
  add(table, "c", column, choices);
  switch (kind) {
    case 0: {
      auto entries = expected_minmax(column);
      for (std::uint64_t n = choices.below(3); n > 0 && !entries.empty(); --n) {
        ExpectedChunk& entry = entries[choices.below(entries.size())];
        switch (choices.below(5)) {
          case 0: entry.min = random_value(choices, column.type); break;
          case 1: entry.max = random_value(choices, column.type); break;
          case 2: entry.nan_count = choices.below(9); break;
          case 3: entry.fill_count = choices.below(9); break;
          case 4: entry.n = choices.below(9); break;
        }
      }
      add_minmax(table, "c", column, entries);
      compare(complaints(table, cut), wrong_minmax(column, entries, placeholder(column)));
      break;
    }
    case 1: {
      ExpectedOrder order = expected_order(column);
      for (std::uint64_t n = choices.below(3); n > 0 && column.nrows > 0; --n) {
        std::uint64_t& one = order.rows[choices.below(column.nrows)];
        if (choices.one_in(4))
          one = choices.below(column.nrows + 3);
        else
          std::swap(one, order.rows[choices.below(column.nrows)]);
      }
      if (choices.one_in(4)) order.nan_tail = choices.below(5);
      if (choices.one_in(4)) order.fill_tail = choices.below(5);
      if (column.nrows == 0) order = {};
      add_sorted(table, "c", order);
      compare(without_blocked(complaints(table, cut)), wrong_order(column, order));
      break;
    }
    case 2: {
      const std::vector<Value> values = distinct(column);
      auto bits = expected_bitmap(column, values);
      any_bits(bits, choices);
      add_bitmap(table, "c", column, values, bits);
      compare(complaints(table, cut), wrong_bits(column, values, bits));
      break;
    }
    case 3: {
      if (!hashable(column.type)) return 0;
      const grammar::Filter filter{.k = 1 + static_cast<std::uint32_t>(choices.below(6)),
                                   .m_bits = 8 * (1 + choices.below(20)),
                                   .seed = static_cast<std::uint32_t>(choices.bits())};
      auto bits = expected_bloom(column, filter);
      any_bits(bits, choices);
      add_bloom(table, "c", filter, bits);
      compare(complaints(table, cut), wrong_filters(column, filter, bits, stored_rows(table)));
      break;
    }
  }
  return 0;
}
