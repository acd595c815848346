// The totals of clusters, in cells of so many of them that there are not too many cells.
#include "validator/formats/rntuple/clusters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace hepcheck::rntuple {
namespace {

// What a column has in a cluster; no two are alike.
ColumnTotals some(std::uint64_t cluster, std::uint64_t column) {
  ColumnTotals made{.elements = cluster + 1,
                    .pages = 2 * cluster + column,
                    .stored = 1'000 + cluster * cluster,
                    .plain = 8 * cluster + 3 * column};
  if ((cluster + column) % 3 != 0) made.nulls = cluster / 2;
  return made;
}

void expect_equal(const ColumnTotals& a, const ColumnTotals& b) {
  EXPECT_EQ(a.elements, b.elements);
  EXPECT_EQ(a.pages, b.pages);
  EXPECT_EQ(a.stored, b.stored);
  EXPECT_EQ(a.plain, b.plain);
  EXPECT_EQ(a.nulls, b.nulls);
}

TEST(ClusterTotals, CellsAreTheSumsOfTheirClusters) {
  constexpr std::uint64_t kAllCells = 1 << 14, kMostOfAColumn = 64;
  for (const std::uint64_t columns : {1, 2, 255, 256, 257, 2'000, 20'000}) {
    const std::uint64_t most = std::clamp<std::uint64_t>(kAllCells / columns, 1, kMostOfAColumn);
    std::vector<std::uint64_t> looked{0};
    if (columns > 2) looked.insert(looked.end(), {columns / 2, columns - 1});
    Totals totals(columns);
    for (std::uint64_t count = 1; count <= (columns < 1'000 ? 300u : 40u); ++count) {
      totals.next_cluster();
      EXPECT_EQ(totals.clusters, count);
      for (const std::uint64_t column : looked)
        totals.cells[column].back().add(some(count - 1, column));
      std::uint64_t width = 1;
      while (most * width < count) width *= 2;
      EXPECT_EQ(totals.clusters_per_cell, width) << columns << ' ' << count;
      for (const std::uint64_t column : looked) {
        const std::vector<ColumnTotals>& cells = totals.cells[column];
        ASSERT_EQ(cells.size(), (count + width - 1) / width) << columns << ' ' << count;
        for (std::uint64_t i = 0; i < cells.size(); ++i) {
          ColumnTotals wanted;
          for (std::uint64_t k = i * width; k < std::min(count, (i + 1) * width); ++k)
            wanted.add(some(k, column));
          expect_equal(cells[i], wanted);
        }
      }
    }
  }
}

}  // namespace
}  // namespace hepcheck::rntuple
