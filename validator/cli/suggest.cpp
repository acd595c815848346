#include "validator/cli/suggest.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace hepcheck::cli {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the distance table; `older` allows for swapped neighbours.
  std::vector<std::size_t> older(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        next[j] = std::min(next[j], older[j - 2] + 1);
    }
    older = std::exchange(row, std::exchange(next, older));
  }
  return row[b.size()];
}

std::optional<std::string> nearest(std::string_view name,
                                   std::span<const std::string_view> candidates) {
  if (candidates.empty()) return std::nullopt;
  const auto best = std::ranges::min_element(candidates, {}, [&](std::string_view candidate) {
    // Part of a long id is as good a hint as a slip of the finger.
    return candidate.contains(name) ? std::size_t{1} : edit_distance(name, candidate);
  });
  const bool near = best->contains(name) || edit_distance(name, *best) <= name.size() / 3 + 1;
  return near && !name.empty() ? std::optional(std::string(*best)) : std::nullopt;
}

}  // namespace hepcheck::cli
