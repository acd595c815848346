// The statistics of a fractal heap, and its free space.
#include <algorithm>
#include <bit>
#include <format>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/fractal_heap.h"
#include "validator/formats/hdf5/free_space.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

// --- Statistics ---------------------------------------------------------------------------------

struct HeapStatistics {
  const HeapGeometry& geometry;
  std::uint64_t managed_size = 0, allocated = 0, objects = 0;
  std::uint64_t tiny = 0, tiny_bytes = 0;
  // What is left of all direct blocks, allocated or not, and of the allocated ones.
  std::uint64_t free = 0, free_allocated = 0;
  std::uint64_t last_end = 0;  // of the direct blocks
  bool iterator_at_place = false;

  bool free_as_stated() const { return geometry.free == free || geometry.free == free_allocated; }
};

void managed_size(const HeapStatistics& it, Look& look) {
  look.looked();
  if (it.geometry.managed_size != it.managed_size)
    look.fail(0, std::format("{} bytes of managed space", it.geometry.managed_size),
              std::format("{}, which the root block spans", it.managed_size));
}

void allocated(const HeapStatistics& it, Look& look) {
  look.looked();
  if (it.geometry.allocated != it.allocated)
    look.fail(0, std::format("{} bytes of allocated space", it.geometry.allocated),
              std::format("{}, the sum of the direct blocks", it.allocated));
}

void iterator(const HeapStatistics& it, Look& look) {
  look.looked();
  const HeapGeometry& g = it.geometry;
  // With a root that is a direct block the library writes 0; the end of the block is as good.
  const bool good =
      (g.rows == 0 && g.iterator == 0) ||
      (g.iterator <= it.managed_size && it.iterator_at_place && g.iterator >= it.last_end);
  if (!good)
    look.fail(0, std::format("the next block at {} of the heap", g.iterator),
              std::format("the beginning of a place from {} to {}", it.last_end, it.managed_size));
}

void object_count(const HeapStatistics& it, Look& look) {
  look.looked();
  if (it.geometry.managed_objects != it.objects)
    look.fail(0, std::format("{} managed objects", it.geometry.managed_objects),
              std::format("{}, as many as the index leads to", it.objects));
}

void free_bytes(const HeapStatistics& it, Look& look) {
  look.looked();
  if (!it.free_as_stated())
    look.fail(0, std::format("{} free bytes", it.geometry.free),
              std::format("{}, what is left of its direct blocks", it.free));
}

void tiny_statistics(const HeapStatistics& it, Look& look) {
  look.looked();
  if (it.geometry.tiny_objects != it.tiny || it.geometry.tiny_bytes != it.tiny_bytes)
    look.fail(0,
              std::format("{} tiny objects of {} bytes", it.geometry.tiny_objects,
                          it.geometry.tiny_bytes),
              std::format("{} of {} bytes, as in the index", it.tiny, it.tiny_bytes));
}

constexpr Rule<HeapStatistics> kManagedRules[] = {
    {"h5-fractal-heap-managed-size", managed_size}, {"h5-fractal-heap-allocated", allocated},
    {"h5-fractal-heap-iterator", iterator},         {"h5-fractal-heap-object-count", object_count},
    {"h5-fractal-heap-free", free_bytes},
};
constexpr Rule kTinyStatisticsRule("h5-fractal-heap-tiny-statistics", tiny_statistics);

// --- Free space ---------------------------------------------------------------------------------

struct SingleSection {
  const FreeSection& section;
  bool in_block, over_object;
};

constexpr Rule kSingleRule("h5-free-space-heap-single", [](const SingleSection& it, Look& look) {
  look.looked();
  if (!it.in_block)
    look.fail(
        0,
        std::format("a section of {} bytes at {} of the heap", it.section.size, it.section.offset),
        "a section inside a direct block, after its prefix");
  else if (it.over_object)
    look.fail(0,
              std::format("a section of {} bytes at {} of the heap, over something else",
                          it.section.size, it.section.offset),
              "a section that shares no byte with an object or another section");
});

struct CompleteSections {
  std::uint64_t found, gaps;
  bool equal;
};

constexpr Rule kCompleteRule("h5-free-space-heap-complete", [](const CompleteSections& it,
                                                               Look& look) {
  look.looked();
  if (!it.equal)
    look.fail(0, std::format("{} single sections", it.found),
              std::format("the {} gaps of the direct blocks", it.gaps));
});

struct RowSection {
  const FreeSection& section;
  const HeapPlace* inner;  // the indirect block; null if there is none
  std::uint64_t width = 0, offset_wanted = 0, size_wanted = 0;
  bool inside = false;  // the places are in the indirect block
  bool empty = true;
};

constexpr Rule kRowRule("h5-free-space-heap-row", [](const RowSection& it, Look& look) {
  look.looked();
  const FreeSection& s = it.section;
  const std::string found =
      std::format("a section of {} places from row {}, column {} of the block at {}", s.count,
                  s.row, s.column, s.block_offset);
  if (!it.inner) return look.fail(0, found, "the offset of an indirect block");
  if (!it.inside)
    return look.fail(0, found, std::format("places of {} rows of {}", it.inner->rows, it.width));
  if (!it.empty) return look.fail(0, found, "places without blocks");
  if (s.offset != it.offset_wanted || s.size != it.size_wanted)
    look.fail(0, std::format("{}, with {} bytes at {}", found, s.size, s.offset),
              std::format("{} bytes at {}", it.size_wanted, it.offset_wanted));
});

}  // namespace

void fractal_heap_space_rules(RuleList& list) {
  list.structure<kManagedRules, kTinyStatisticsRule, kSingleRule, kCompleteRule, kRowRule>();
}

class HeapSpaceJudge {
 public:
  HeapSpaceJudge(const FractalHeap& heap, Container& file)
      : heap_(heap), geometry_(heap.geometry_), file_(file),
        prefix_(geometry_.prefix(file.offset_size)) {}

  // Whether the heap has as much free space as it states.
  bool statistics() const {
    HeapStatistics found{.geometry = geometry_,
                         .objects = heap_.managed_.size(),
                         .tiny = heap_.tiny_,
                         .tiny_bytes = heap_.tiny_bytes_};
    judge<kTinyStatisticsRule>(found, heap_.place_, file_.notes);
    if (geometry_.root == kUndefined || geometry_.managed_size == 0) return true;
    std::uint64_t used = 0;
    for (const FractalHeap::Managed& each : heap_.managed_) used += each.size;
    found.managed_size = geometry_.rows == 0 ? geometry_.start
                                             : product(product(geometry_.start, geometry_.width),
                                                       std::uint64_t{1} << (geometry_.rows - 1));
    for (const FractalHeap::Stretch& block : heap_.blocks_) {
      found.allocated += block.end() - block.offset;
      found.free_allocated += block.end() - block.offset - prefix_;
      found.last_end = std::max(found.last_end, block.end());
    }
    found.free_allocated -= std::min(found.free_allocated, used);
    found.free = all_payload();
    found.free -= std::min(found.free, used);
    found.iterator_at_place =
        geometry_.iterator == found.managed_size || is_place(geometry_.iterator, 0, geometry_.rows);
    judge_each<kManagedRules>(found, heap_.place_, file_.notes);
    return found.free_as_stated();
  }

  // `known`: whether the heap states it rightly. If not, its sections may differ for that reason.
  void free_space(bool known) const {
    if (geometry_.manager == kUndefined) return;
    const FreeSpaceOwner owner{
        .heap = true, .bits = geometry_.bits, .most_direct = geometry_.most_direct};
    const auto space = read_free_space(geometry_.manager, owner, file_);
    if (!space) return;
    const bool singles = space->whole;
    std::vector<FreeSection> found;
    std::optional<FurtherRows> further(std::in_place);
    for (const FreeSection& section : space->sections) {
      if (section.type == FreeSection::kSingle) found.push_back(section);
      if (section.of_row() && !row(section, further)) further.reset();
    }
    if (!single_sections(found)) return;
    // A section of another size than its gap is one defect with what follows from it.
    if (singles && known && !complete(found, space->at)) return;
    if (further) judge_section_order(*space, file_);
    judge_heap_total(*space, further, file_);
  }

 private:
  std::uint64_t payload(unsigned row) const {
    const std::uint64_t size = geometry_.block_size(row);
    return size > prefix_ ? size - prefix_ : 0;
  }

  // Of all direct blocks that the current rows may have.
  std::uint64_t all_payload() const {
    if (geometry_.rows == 0) return payload(0);
    std::vector<std::uint64_t> of_row;
    for (unsigned row = 0; row < geometry_.rows; ++row) {
      if (row < geometry_.direct_rows()) {
        of_row.push_back(payload(row));
        continue;
      }
      const unsigned below = geometry_.rows_of(geometry_.block_size(row));
      of_row.push_back(sum_of_rows(of_row, std::min(below, row)));
    }
    return sum_of_rows(of_row, geometry_.rows);
  }

  std::uint64_t sum_of_rows(const std::vector<std::uint64_t>& of_row, unsigned rows) const {
    std::uint64_t all = 0;
    for (unsigned row = 0; row < rows; ++row) all = sum(all, of_row[row]);
    return product(all, geometry_.width);
  }

  // Whether a place of the doubling table begins at this offset.
  bool is_place(std::uint64_t offset, std::uint64_t begin, unsigned rows) const {
    for (unsigned row = 0; row < rows; ++row) {
      const std::uint64_t first = begin + geometry_.row_offset(row);
      const std::uint64_t size = geometry_.block_size(row);
      if (offset < first || offset - first >= product(size, geometry_.width)) continue;
      const std::uint64_t rest = (offset - first) % size;
      if (rest == 0) return true;
      return row >= geometry_.direct_rows() &&
             is_place(offset, offset - rest, std::min(geometry_.rows_of(size), row));
    }
    return false;
  }

  // Judges a row section; false if the further rows that it stands for are not known.
  bool row(const FreeSection& section, std::optional<FurtherRows>& further) const {
    const auto inner = std::ranges::find(heap_.inner_, section.block_offset, &HeapPlace::offset);
    RowSection judged{.section = section,
                      .inner = inner == heap_.inner_.end() ? nullptr : &*inner,
                      .width = geometry_.width};
    const std::uint64_t first = std::uint64_t{section.row} * geometry_.width + section.column;
    judged.inside = judged.inner && section.column < geometry_.width && section.count > 0 &&
                    first + section.count <= judged.inner->rows * geometry_.width;
    if (judged.inside) {
      if (!file_.charge(section.count)) return false;
      for (std::uint64_t i = first; i < first + section.count; ++i)
        judged.empty &= i >= judged.inner->taken.size() || !judged.inner->taken[i];
      judged.offset_wanted =
          sum(section.block_offset, geometry_.row_offset(section.row) +
                                        section.column * geometry_.block_size(section.row));
      // A place of an indirect block is as large as the blocks below it.
      judged.size_wanted =
          section.row < geometry_.direct_rows() ? payload(section.row) : section.size;
    }
    if (!judge<kRowRule>(judged, section.at, file_.notes)) return false;
    const auto last = static_cast<unsigned>((first + section.count - 1) / geometry_.width);
    if (last >= geometry_.direct_rows()) {
      file_.notes.not_examined("h5-free-space-total", "a section over rows of indirect blocks");
      return false;
    }
    for (unsigned each = section.row + 1U; each <= last && further; ++each) {
      further->payload = sum(further->payload, payload(each));
      ++further->count;
    }
    return further.has_value();
  }

  // False if one is refused. Sorts them.
  bool single_sections(std::vector<FreeSection>& sections) const {
    std::ranges::sort(sections, {}, &FreeSection::offset);
    bool sound = true;
    std::uint64_t end = 0;  // of the sections before
    for (const FreeSection& section : sections) {
      SingleSection judged{section, false, section.offset < end};
      const auto after = std::ranges::upper_bound(heap_.blocks_, section.offset, {},
                                                  &FractalHeap::Stretch::offset);
      if (after != heap_.blocks_.begin()) {
        const FractalHeap::Stretch& block = *std::prev(after);
        judged.in_block = section.offset - block.offset >= prefix_ && section.end() <= block.end();
      }
      const auto next = std::ranges::lower_bound(heap_.managed_, section.end(), {},
                                                 &FractalHeap::Managed::offset);
      if (next != heap_.managed_.begin()) {
        const FractalHeap::Managed& object = *std::prev(next);
        judged.over_object |= object.offset + object.size > section.offset;
      }
      sound &= judge<kSingleRule>(judged, section.at, file_.notes);
      end = std::max(end, section.end());
    }
    return sound;
  }

  // Whether the sections are the gaps between prefix, objects and end of each block.
  bool complete(const std::vector<FreeSection>& sections, const Place& at) const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> gaps;
    auto object = heap_.managed_.begin();
    for (const FractalHeap::Stretch& block : heap_.blocks_) {
      std::uint64_t begin = block.offset + prefix_;
      for (; object != heap_.managed_.end() && object->offset < block.end(); ++object) {
        if (begin < object->offset) gaps.emplace_back(begin, object->offset);
        begin = object->offset + object->size;
      }
      if (begin < block.end()) gaps.emplace_back(begin, block.end());
    }
    const bool equal = std::ranges::equal(sections, gaps, {}, [](const FreeSection& section) {
      return std::pair(section.offset, section.end());
    });
    judge<kCompleteRule>(CompleteSections{sections.size(), gaps.size(), equal}, at, file_.notes);
    return equal;
  }

  const FractalHeap& heap_;
  const HeapGeometry& geometry_;
  Container& file_;
  std::uint64_t prefix_;
};

void FractalHeap::judge_index(Container& file) const {
  if (!file.whole_format || !whole_) return;
  const HeapSpaceJudge judge(*this, file);
  const bool free_known = judge.statistics();
  huge_.judge_statistics(geometry_, place_, file);
  judge.free_space(free_known);
}

}  // namespace hepcheck::hdf5
