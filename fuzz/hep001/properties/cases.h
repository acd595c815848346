// Columns and indexes that the properties generate, and how the validator processes them.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/hep001/grammar/judge.h"
#include "fuzz/hep001/properties/random_values.h"

namespace hepcheck::hep001::grammar {

// Half of the columns are small, generated value by value; in the others, rows, chunks and
// exceptions are at boundaries, and a seed represents the values.
struct Case {
  RandomColumn column{};
  Cut cut{};
};

inline Case draw_case(Family family, std::uint64_t most_rows = 30) {
  Case made{.cut = draw("cut", random_cut)};
  if (draw("at boundaries", [](Choices& c) { return c.maybe(); })) {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>().as("values");
    made.column = draw("column", [family, seed, boundaries = made.cut.boundaries()](Choices& c) {
      Noise values(seed);
      return boundary_column(c, values, family, boundaries);
    });
  } else {
    made.column = draw_column(family, most_rows);
  }
  return made;
}
inline Case draw_case() { return draw_case(draw_family()); }
inline Case draw_hashable_case() {
  Case made = draw_case(draw("family", [](Choices& c) { return c.of(kHashable); }));
  RC_PRE(hashable(made.column.type));
  return made;
}

inline std::uint64_t draw_below(const std::string& name, std::uint64_t n) {
  return draw(name, [n](Choices& c) { return c.below(n); });
}

// A position in [0, n), often a boundary.
inline std::uint64_t draw_place(const std::string& name, std::uint64_t n, const Case& of) {
  auto boundaries = of.cut.boundaries();
  boundaries.push_back(of.column.chunk_rows());
  return draw(name, [n, boundaries](Choices& c) { return place_near(c, n, boundaries); });
}

// The column with other values in some of its rows, the tail included.
inline RandomColumn draw_change(const Case& of) {
  RandomColumn column = of.column;
  RC_PRE(column.extent() > 0);
  for (std::uint64_t n = 1 + draw_below("further changes", 3); n > 0; --n)
    column.rows[draw_place("changed row", column.extent(), of)] =
        draw_value("new value", column.type);
  return column;
}

inline TestTable table_of(const RandomColumn& column, Choices& noise) {
  TestTable table("/t", column.nrows);
  add(table, "c", column, noise);
  return table;
}

// k at the boundaries of the special cases for small and for large k.
inline Filter draw_filter() {
  return draw("filter", [](Choices& c) {
    constexpr std::uint32_t kHashes[] = {1, 2, 3, 4, 5, 6, 15, 16, 17};
    Filter filter{.k = c.of(kHashes),
                  .m_bits = std::uint64_t{8} << c.below(8),
                  .seed = static_cast<std::uint32_t>(c.bits())};
    if (c.maybe()) filter.m_bits = 8 * (1 + c.below(40));
    return filter;
  });
}

inline std::ostream& operator<<(std::ostream& out, const Filter& filter) {
  return out << "k " << filter.k << ", m_bits " << filter.m_bits << ", seed " << filter.seed;
}

// Up to three wrong bits.
inline void draw_flips(std::vector<std::byte>& bits) {
  RC_PRE(!bits.empty());
  for (std::uint64_t n = 1 + draw_below("further bits", 3); n > 0; --n) {
    const std::uint64_t bit = draw_below("bit", 8 * bits.size());
    bits[bit / 8] ^= std::byte{1} << (bit % 8);
  }
}

}  // namespace hepcheck::hep001::grammar
