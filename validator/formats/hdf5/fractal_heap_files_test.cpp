// Fractal heaps of several shapes: a direct block, rows of direct blocks, and blocks in blocks,
// with objects at their beginning, at their end and between, with and without checksums, with lists
// of free space that are complete, statistics that are right, and one of these numbers wrong; and
// the objects of ids of any type and length. What is read and reported equals the golden file: a
// line for each set of heaps, with a digest, and the number of heaps that violate each clause.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <format>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "validator/formats/hdf5/fractal_heap.h"
#include "validator/formats/hdf5/lookup3.h"
#include "validator/formats/hdf5/testing/said.h"
#include "validator/formats/hdf5/testing/zeros.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hdf5::fractal_heap_files {
namespace {

using testing::summed;
using testing::Zeros;

constexpr std::uint64_t kHeader = 512, kManager = 1'024, kBlocks = 4'096, kFile = 65'536;

struct Span {
  std::uint64_t begin = 0, end = 0;
  std::uint64_t size() const { return end - begin; }
};

// A run of places without blocks, in an indirect block.
struct Run {
  std::uint64_t block = 0;
  unsigned row = 0, column = 0, count = 0;
};

class Made {
 public:
  explicit Made(std::uint64_t seed) : random_(seed) {
    width_ = 2U << below(2);
    start_ = 64U << below(2);
    most_direct_ = start_ << below(3);
    bits_ = once_in(3) ? 32 : 16;
    summed_ = once_in(2);
    id_length_ = static_cast<unsigned>(once_in(2) ? 7 : 16 + below(6));
    runs_go_on_ = once_in(4);
    wrong_ = below(30);  // the number that is wrong; most of them are none
  }

  void write(Zeros& zeros) {
    if (once_in(12)) return write_empty(zeros);
    const unsigned rows = static_cast<unsigned>(below(direct_rows() + 3));
    const std::uint64_t root = rows == 0 ? direct(zeros, 0, start_) : indirect(zeros, 0, rows);
    std::uint64_t allocated = 0, last = 0, used = 0;
    for (const Span& each : blocks_) {
      allocated += each.size();
      last = std::max(last, each.end);
    }
    for (const Span& each : objects_) used += each.size();
    const std::uint64_t managed = rows == 0 ? start_ : start_ * width_ << (rows - 1);
    const std::uint64_t free = payload_of(std::max(rows, 1U), rows == 0) - used;
    const bool listed = !once_in(3);
    if (listed) manager(zeros, used);
    const auto or_wrong = [&](unsigned which, std::uint64_t right) {
      return which == wrong_ ? right + (once_in(2) ? 1 : ~std::uint64_t{0}) : right;
    };
    std::string bytes = "FRHP" + number(0, 1) + number(id_length_, 2) + number(0, 2) +
                        number(summed_ ? 2 : 0, 1) + number(most_managed(), 4);
    bytes += number(0, 8) + number(kUndefined, 8) + number(or_wrong(1, free), 8) +
             number(listed ? kManager : kUndefined, 8) + number(or_wrong(2, managed), 8) +
             number(or_wrong(3, allocated), 8) + number(or_wrong(4, rows == 0 ? 0 : last), 8) +
             number(or_wrong(5, objects_.size()), 8) + number(0, 16) +
             number(or_wrong(6, tiny_bytes_), 8) + number(or_wrong(7, tiny_), 8);
    bytes += number(width_, 2) + number(start_, 8) + number(most_direct_, 8) + number(bits_, 2) +
             number(or_wrong(8, 1), 2) + number(root, 8) + number(rows, 2);
    zeros.write(kHeader, summed(bytes));
  }

  // Those of the index, and others.
  const std::vector<std::string>& ids() const { return ids_; }
  std::vector<std::string> other_ids() {
    std::vector<std::string> made;
    for (int i = 0; i < 12; ++i) {
      std::string id(id_length_, '\0');
      if (!ids_.empty() && !once_in(4)) id = ids_[below(ids_.size())];
      if (once_in(3)) id[0] = static_cast<char>(below(4) << 6);
      if (once_in(3)) id[0] = static_cast<char>(id[0] | below(4) << 4);
      if (once_in(6)) id[0] = static_cast<char>(id[0] | below(16));
      if (once_in(2) && id.size() > 1) id[1 + below(id.size() - 1)] = static_cast<char>(below(256));
      if (once_in(4)) id.resize(1 + below(id.size()));
      made.push_back(std::move(id));
    }
    return made;
  }
  unsigned id_length() const { return id_length_; }

 private:
  std::uint64_t below(std::uint64_t end) { return random_() % end; }
  bool once_in(std::uint64_t times) { return below(times) == 0; }

  unsigned offset_bytes() const { return bits_ / 8; }
  std::uint64_t most_managed() const { return most_direct_ - prefix(); }
  unsigned length_bytes() const {
    const auto of_block = static_cast<unsigned>(std::bit_width(most_direct_) + 6) / 8;
    return std::min(of_block, most_managed() < 256 ? 1U : 2U);
  }
  std::uint64_t prefix() const { return 13 + offset_bytes() + (summed_ ? 4 : 0); }
  unsigned direct_rows() const {
    return static_cast<unsigned>(std::bit_width(most_direct_ / start_)) + 1;
  }
  std::uint64_t block_size(unsigned row) const { return row < 2 ? start_ : start_ << (row - 1); }
  std::uint64_t row_offset(unsigned row) const { return row == 0 ? 0 : width_ * block_size(row); }
  // Of an indirect block in that row.
  unsigned rows_in(unsigned row) const {
    unsigned rows = 0;
    while (row_offset(rows) < block_size(row)) ++rows;
    return rows;
  }
  std::uint64_t payload_of(unsigned rows, bool one) const {
    if (one) return start_ - prefix();
    std::uint64_t all = 0;
    for (unsigned row = 0; row < rows; ++row)
      all += width_ *
             (row < direct_rows() ? block_size(row) - prefix() : payload_of(rows_in(row), false));
    return all;
  }

  std::uint64_t take(std::uint64_t size) {
    const std::uint64_t at = next_;
    next_ += size;
    return at;
  }

  std::string head_of(const char* kind, std::uint64_t offset) {
    const bool owner = once_in(60), place = once_in(60);
    return kind + number(0, 1) + number(kHeader + (owner ? 1 : 0), 8) +
           number(offset + (place ? 1 : 0), offset_bytes());
  }

  // Without blocks; there may be huge objects.
  void write_empty(Zeros& zeros) {
    const std::uint64_t length = 1 + below(8), huge = below(2);
    zeros.write(kHeader,
                summed("FRHP" + number(0, 1) + number(length, 2) + number(0, 2) +
                       number(summed_ ? 2 : 0, 1) + number(most_managed(), 4) + number(0, 8) +
                       number(kUndefined, 8) + number(0, 8) + number(kUndefined, 8) +
                       number(0, 40) + number(huge, 8) + number(0, 16) + number(width_, 2) +
                       number(start_, 8) + number(most_direct_, 8) + number(bits_, 2) +
                       number(1, 2) + number(kUndefined, 8) + number(0, 2)));
    id_length_ = static_cast<unsigned>(length);
  }

  std::uint64_t direct(Zeros& zeros, std::uint64_t offset, std::uint64_t size) {
    const std::uint64_t at = take(size);
    std::string bytes = head_of("FHDB", offset);
    bytes.resize(size);
    std::uint64_t begin = offset + prefix();
    const std::uint64_t end = offset + size;
    blocks_.push_back({offset, end});
    while (begin < end && !once_in(3)) {
      if (once_in(3)) begin = gap(begin, std::min(end, begin + 1 + below(12)));
      if (begin == end) break;
      const std::uint64_t length =
          once_in(5) ? end - begin : 1 + below(std::min<std::uint64_t>(20, end - begin));
      for (std::uint64_t i = begin; i < begin + length; ++i)
        bytes[i - offset] = static_cast<char>('a' + below(26));
      objects_.push_back({begin, begin + length});
      std::string id =
          number(0, 1) + number(begin, offset_bytes()) + number(length, length_bytes());
      id.resize(id_length_);
      ids_.push_back(id);
      begin += length;
    }
    gap(begin, end);
    if (once_in(3)) tiny();
    if (summed_) {
      const std::uint32_t sum = lookup3(std::as_bytes(std::span(bytes)));
      bytes.replace(prefix() - 4, 4, number(sum + (once_in(60) ? 1 : 0), 4));
    }
    zeros.write(at, bytes);
    return at;
  }
  std::uint64_t gap(std::uint64_t begin, std::uint64_t end) {
    if (begin < end) gaps_.push_back({begin, end});
    return end;
  }
  // An object in its id.
  void tiny() {
    const bool wide = id_length_ > 18;
    const std::uint64_t length = 1 + below(id_length_ - (wide ? 2 : 1));
    std::string id = wide ? number(0x20 | (length - 1) >> 8, 1) + number(length - 1, 1)
                          : number(0x20 | (length - 1), 1);
    if (!wide && length > 16) return;
    id.resize(id_length_, 'z');
    ids_.push_back(id);
    ++tiny_;
    tiny_bytes_ += length;
  }

  std::uint64_t indirect(Zeros& zeros, std::uint64_t offset, unsigned rows) {
    const std::uint64_t at = take(prefix() + 4 + std::uint64_t{rows} * width_ * 8);
    std::string places;
    Run run{.block = offset};
    const auto end_run = [&] {
      if (run.count > 0) runs_.push_back(run);
      run.count = 0;
    };
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned column = 0; column < width_; ++column) {
        const std::uint64_t child = offset + row_offset(row) + column * block_size(row);
        const bool leaf = row < direct_rows();
        if (once_in(2) || next_ > kFile - 8'192) {
          if (run.count == 0) run.row = row, run.column = column;
          if (leaf || runs_go_on_) ++run.count;
          places += number(kUndefined, 8);
          continue;
        }
        end_run();
        places += number(
            leaf ? direct(zeros, child, block_size(row)) : indirect(zeros, child, rows_in(row)), 8);
      }
    end_run();
    std::string head = head_of("FHIB", offset);
    zeros.write(at, summed(head + places));
    return at;
  }

  struct Listed {
    std::uint64_t offset = 0;
    std::string bytes{};
  };

  // The header and the list of a manager, with single sections and those of rows.
  void manager(Zeros& zeros, std::uint64_t) {
    constexpr std::uint64_t kHead = 82;
    std::map<std::uint64_t, std::vector<Listed>> sets;
    std::uint64_t total = 0, further = 0, stored = 0;
    const auto add = [&](std::uint64_t offset, std::uint64_t size, const std::string& rest) {
      sets[size].push_back({offset, number(offset, offset_bytes()) + rest});
      total += size;
      ++stored;
    };
    std::ranges::sort(gaps_, {}, &Span::begin);
    for (const Span& each : gaps_) {
      if (once_in(50)) continue;
      add(each.begin + (once_in(80) ? 1 : 0), each.size(), number(0, 1));
      // Two inside of it.
      if (each.size() < 8 || !once_in(40)) continue;
      add(each.begin + 1, 1, number(0, 1));
      add(each.begin + 4, 2, number(0, 1));
    }
    for (const Run& run : runs_) {
      const std::uint64_t size =
          run.row < direct_rows() ? block_size(run.row) - prefix() : most_direct_;
      const auto last = static_cast<unsigned>(run.row + (run.column + run.count - 1) / width_);
      for (unsigned row = run.row + 1; row <= last; ++row) {
        total += block_size(row) - prefix();
        ++further;
      }
      // One call after the other: the order inside an expression depends on the compiler.
      const unsigned count = run.count + (once_in(runs_go_on_ ? 4 : 40) ? 1 : 0);
      const unsigned column = run.column + (once_in(40) ? 1 : 0);
      const std::uint64_t bytes = size + (once_in(40) ? 1 : 0);
      const std::uint64_t block = run.block + (once_in(60) ? 1 : 0);
      add(run.block + row_offset(run.row) + run.column * block_size(run.row), bytes,
          number(once_in(2) ? 1 : 3, 1) + number(block, offset_bytes()) + number(run.row, 2) +
              number(column, 2) + number(count, 2));
    }
    std::string list = "FSSE" + number(0, 1) + number(kManager, 8);
    const unsigned size_bytes = most_direct_ < 256 ? 1 : 2;
    for (auto& [size, set] : sets) {
      if (!once_in(8)) std::ranges::sort(set, {}, &Listed::offset);
      list += number(set.size(), stored < 256 ? 1 : 2) + number(size, size_bytes);
      for (const Listed& each : set) list += each.bytes;
    }
    list = summed(list);
    if (list.size() > kBlocks - kManager - kHead) return;
    if (wrong_ == 9) ++total;
    if (wrong_ == 10) ++further;
    const std::uint64_t most = wrong_ == 11 ? 2 * most_direct_ : most_direct_;
    zeros.write(kManager,
                summed("FSHD" + number(0, 1) + number(wrong_ == 12 ? 1 : 0, 1) + number(total, 8) +
                       number(stored + further, 8) + number(stored, 8) + number(further, 8) +
                       number(4, 2) + number(80, 2) + number(120, 2) + number(bits_, 2) +
                       number(most, 8) + number(stored == 0 ? kUndefined : kManager + kHead, 8) +
                       number(list.size(), 8) + number(list.size(), 8)));
    zeros.write(kManager + kHead, list);
  }

  std::mt19937_64 random_;
  std::uint64_t width_ = 2, start_ = 64, most_direct_ = 128, wrong_ = 0;
  unsigned bits_ = 16, id_length_ = 7;
  bool summed_ = false;
  bool runs_go_on_ = false;  // sections over rows of indirect blocks
  std::uint64_t next_ = kBlocks, tiny_ = 0, tiny_bytes_ = 0;
  std::vector<Span> blocks_{}, objects_{}, gaps_{};
  std::vector<Run> runs_{};
  std::vector<std::string> ids_{};
};

Region region_of(const std::string& id) { return {std::as_bytes(std::span(id)), {"id", 0, 0}}; }

std::string text_of(const std::optional<Region>& object) {
  if (!object) return "none";
  return {reinterpret_cast<const char*>(object->bytes.data()), object->bytes.size()};
}

TEST(FractalHeapFiles, ReportsEqualTheGoldenFile) {
  constexpr std::uint64_t kSets = 20, kHeaps = 40;
  std::string text;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    testing::Said said;
    std::size_t sound = 0;
    for (std::uint64_t i = 0; i < kHeaps; ++i) {
      Made made(1'000 * set + i);
      Zeros zeros(kFile);
      zeros.notes.keep_places(100);
      made.write(zeros);
      auto heap = FractalHeap::read(kHeader, zeros.file, i % 8 == 0 ? 0 : made.id_length());
      said.all += std::format("{}\n", heap ? heap->whole() : false);
      if (heap) {
        std::vector<Region> ids;
        for (const std::string& each : made.ids()) ids.push_back(region_of(each));
        said.all += std::format("{}\n", heap->take_ids(ids, zeros.file));
        for (const Region& each : ids) said.all += text_of(heap->object(each, zeros.file)) + '\n';
        heap->judge_index(zeros.file);
        sound += zeros.notes.placed().empty();
        for (const std::string& each : made.other_ids())
          said.all += text_of(heap->object(region_of(each), zeros.file)) + '\n';
      }
      said.add(zeros.notes);
      for (const Notes::NotExamined& each : zeros.notes.not_examined())
        said.all += each.reason + '\n';
      for (const Extent& each : zeros.file.extents.sorted())
        said.all +=
            std::format("{} {} {}\n", zeros.file.extents.kind(each), each.address, each.size);
    }
    text += said.text(set, std::format("{} sound, ", sound));
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/fractal_heap_files.txt"));
}

}  // namespace
}  // namespace hepcheck::hdf5::fractal_heap_files
