// Counts over equal cells of positions, from which the pictures of a report are drawn.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace hepcheck {

// The positions of differences. Only cells with a difference are stored, and at most kMostCells: if
// there would be more, all cells double their width. The result depends only on the positions, not
// on the order of insertion.
class Spread {
 public:
  static constexpr std::size_t kMostCells = 256;
  // Positions [at * width, (at + 1) * width) have `count` differences.
  struct Cell {
    std::uint64_t at = 0, count = 0;
    friend bool operator==(const Cell&, const Cell&) = default;
  };

  void add(std::uint64_t position, std::uint64_t count = 1) {
    const std::uint64_t at = position >> shift_;
    if (!cells_.empty() && cells_.back().at == at) {
      cells_.back().count += count;
      return;
    }
    const auto it = std::ranges::lower_bound(cells_, at, {}, &Cell::at);
    if (it != cells_.end() && it->at == at)
      it->count += count;
    else
      cells_.insert(it, {at, count});
    while (cells_.size() > kMostCells) widen();
  }

  void add(const Spread& other) {
    if (other.cells_.empty()) return;
    while (shift_ < other.shift_) widen();
    for (const Cell& cell : other.cells_) add(cell.at << other.shift_, cell.count);
  }

  std::uint64_t width() const { return std::uint64_t{1} << shift_; }
  const std::vector<Cell>& cells() const { return cells_; }
  bool empty() const { return cells_.empty(); }

  // The inverse of width() and cells().
  static Spread of(std::uint64_t width, std::vector<Cell> cells) {
    Spread made;
    while (made.shift_ < 63 && made.width() < width) ++made.shift_;
    for (const Cell& cell : cells) made.add(cell.at << made.shift_, cell.count);
    return made;
  }

  friend bool operator==(const Spread&, const Spread&) = default;

 private:
  void widen() {
    ++shift_;
    std::vector<Cell> wider;
    for (const Cell& cell : cells_) {
      if (wider.empty() || wider.back().at != cell.at >> 1)
        wider.push_back({cell.at >> 1, cell.count});
      else
        wider.back().count += cell.count;
    }
    cells_ = std::move(wider);
  }

  std::uint32_t shift_ = 0;
  std::vector<Cell> cells_{};  // by position
};

// Rows with the fill value, counted over equal cells of whole chunks.
struct MissingCells {
  static constexpr std::uint64_t kMostCells = 256;
  std::uint64_t rows_per_cell = 0;       // 0: they were not counted
  std::vector<std::uint64_t> missing{};  // rows per cell

  friend bool operator==(const MissingCells&, const MissingCells&) = default;
};

}  // namespace hepcheck
