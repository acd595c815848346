#include "validator/file_map.h"

#include <algorithm>

namespace hepcheck {

std::vector<FileMap::Gap> FileMap::gaps() const {
  std::vector<Gap> made;
  if (ranges_left_out > 0) return made;
  std::uint64_t reached = base;
  for (const FileRange& range : ranges) {
    if (range.address > reached) made.push_back({reached, range.address - reached});
    reached = std::max(reached, range.end());
  }
  if (end > reached) made.push_back({reached, end - reached});
  return made;
}

std::vector<FileMap::Overlap> FileMap::overlaps() const {
  std::vector<Overlap> made;
  std::size_t furthest = 0;
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].address < ranges[furthest].end())
      made.push_back({ranges[i].address,
                      std::min(ranges[i].end(), ranges[furthest].end()) - ranges[i].address,
                      furthest, i});
    if (ranges[i].end() > ranges[furthest].end()) furthest = i;
  }
  return made;
}

bool FileMap::consistent() const {
  const auto is_sound = [&](const FileRange& range) {
    return range.size <= ~range.address && range.kind < kinds.size() &&
           range.object < objects.size();
  };
  const auto is_inside = [&](const FileField& field) {
    if (field.range >= ranges.size() || field.size > ~field.address) return false;
    const FileRange& range = ranges[field.range];
    return field.address >= range.address && field.end() <= range.end();
  };
  return std::ranges::all_of(ranges, is_sound) &&
         std::ranges::is_sorted(ranges, {}, &FileRange::address) &&
         std::ranges::all_of(fields, is_inside) &&
         std::ranges::is_sorted(fields, {}, &FileField::range);
}

}  // namespace hepcheck
