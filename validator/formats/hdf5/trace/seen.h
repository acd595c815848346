// What our reader sees in one state of a file that is being written.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "validator/formats/hdf5/layout.h"
#include "validator/trace/replay.h"

namespace hepcheck::hdf5::trace {

using hepcheck::trace::Image;

struct Span {
  std::uint64_t begin = 0, end = 0;

  static Span of(std::uint64_t address, std::uint64_t size);  // ends where 64 bits do
  bool meets(const Span& other) const { return begin < other.end && other.begin < end; }
  bool holds(const Span& other) const { return begin <= other.begin && other.end <= end; }
};

// A block of metadata that a reader finds, and takes for sound. Addresses count from the first byte
// of the file.
struct BlockSeen {
  std::string_view kind{};  // "EADB"
  Span span{};
  std::uint64_t object = 0;  // the header of the object that it belongs to
};

struct ChunkSeen {
  Span span{};
  std::string_view by{};  // the kind of block that names it
  std::uint64_t by_block = 0;
};

// The chunks that an index names, by their place, which is counted in chunks.
class ChunkList {
 public:
  using Place = std::span<const std::uint64_t>;
  struct Entry {
    Place place{};
    const ChunkSeen& chunk;
  };

  void add(Place place, const ChunkSeen& chunk);
  // To be called when all are there: they come in order, and of two at one place the later stays.
  void sort();

  std::size_t size() const { return chunks_.size(); }
  Entry operator[](std::size_t i) const { return {place(i), chunks_[i]}; }
  auto all() const {
    return std::views::iota(std::size_t{0}, size()) |
           std::views::transform([this](std::size_t i) { return (*this)[i]; });
  }
  const ChunkSeen* find(Place place) const;

 private:
  Place place(std::size_t i) const { return Place(places_).subspan(i * rank_, rank_); }

  std::size_t rank_ = 0;
  std::vector<std::uint64_t> places_{};  // `rank_` numbers each
  std::vector<ChunkSeen> chunks_{};
};
// Smaller than 0 if the first comes before the second.
std::strong_ordering in_order(ChunkList::Place a, ChunkList::Place b);

struct DatasetSeen {
  std::string path{};
  std::uint64_t header = 0;
  bool described = false;  // what follows holds
  bool chunked = false, filtered = false;
  std::uint8_t layout_version = 0;
  IndexType index{};
  std::uint64_t index_address = kUndefined;
  std::vector<std::uint64_t> sizes{}, maxima{}, chunk{};
  // Of its elements:
  bool variable_length = false, heap_reference = false;
  std::optional<unsigned> reference{};      // it is a reference of that kind
  std::vector<std::uint32_t> references{};  // where in an element those lie that say their kind
  std::uint32_t element_size = 0;
  ChunkList chunks{};

  bool inside(ChunkList::Place place) const;  // begins inside the size
  unsigned unlimited() const;
};

// By their headers. Those that a change leaves alone are the same object before and after it.
class Datasets {
 public:
  using Kept = std::shared_ptr<const DatasetSeen>;

  // In order of their headers.
  void put(Kept dataset);
  const DatasetSeen* find(std::uint64_t header) const;  // null if there is none
  bool contains(std::uint64_t header) const { return find(header) != nullptr; }
  auto all() const {
    return all_ |
           std::views::transform([](const Kept& each) -> const DatasetSeen& { return *each; });
  }
  void replace(Kept dataset);  // of one that is there

 private:
  std::vector<Kept> all_{};
};
// Calls `use` with each of `now` and what it was before; null if it was none.
template <class Use>
void each_dataset(const Datasets& now, const Datasets& before, const Use& use) {
  const auto all_before = before.all();
  auto old = all_before.begin();
  for (const DatasetSeen& dataset : now.all()) {
    while (old != all_before.end() && (*old).header < dataset.header) ++old;
    const bool known = old != all_before.end() && (*old).header == dataset.header;
    use(dataset, known ? &*old : nullptr);
  }
}

// Something that a reader would stumble over.
struct Trouble {
  std::string_view clause{};
  std::string kind{};  // of the block
  std::uint64_t block = 0, offset = 0;
  std::string object{};  // its path
  std::string observed{}, expected{};

  auto key() const { return std::tuple(clause, std::string_view(kind), block, offset); }
};

using Paths = std::map<std::uint64_t, std::string>;  // by header

struct Seen {
  std::string unreadable{};  // why it is not, as far as that is known
  bool readable = false;     // it has a superblock that holds, and all behind it was examined
  std::uint8_t version = 0;  // of the superblock
  std::uint8_t flags = 0;    // its status
  std::uint64_t base = 0, end = 0;  // the end as the superblock states it
  unsigned offset_size = 8, length_size = 8;
  std::vector<BlockSeen> blocks{}, raw{};           // by address; raw data are of the kind ""
  std::vector<std::uint64_t> reach{}, raw_reach{};  // of each block and those before it: the end
  std::shared_ptr<const Paths> paths = std::make_shared<const Paths>();  // of objects
  Datasets datasets{};
  std::set<std::uint64_t> tables{};  // headers of groups that are tables
  std::vector<Trouble> errors{};     // but for those of the superblock
  std::set<std::string> beyond{};    // datasets with chunks beyond their size
  bool entangled = false;            // Walk::entangled

  bool swmr() const { return (flags & 5) == 5; }
  const Paths& objects() const { return *paths; }
  // The block that begins there; null if there is none.
  const BlockSeen* block_at(std::uint64_t address) const;
  // The first block that shares bytes with the span; null if there is none.
  const BlockSeen* block_in(const Span& span) const;
};

// While it is being written: what has room behind the end, and was not written yet, is zeros.
// To look at many states of it, the caller adds that room once.
inline constexpr std::uint64_t kRoom = 1 << 20;
Seen see_with_room(const Image& image);
// What that finds if, since `before` was seen, of what was there only bytes in `span` have changed.
// Where they are of one dataset alone, and it is sound before and after, no other is read.
Seen see_again(const Image& image, const Seen& before, const Span& span);
Seen see(const Image& image);

// As it lies on the disk, with the length that it has; of one that a SWMR writer has open as its
// readers see it, otherwise with the end that its superblock says.
Seen see_on_disk(const Image& image);

// The marks in the superblock that the file is open for writing; 0 if it has none.
std::uint8_t marks_of(const Image& image);
inline bool swmr_marked(const Image& image) { return (marks_of(image) & 5) == 5; }
// The marks are cleared as h5clear -s does, and nothing else changes; false if it has none. With
// `end`, what the superblock says of the end of the file becomes true, as readers beside a SWMR
// writer take it.
bool clear_marks(Image& image, bool end = false);

}  // namespace hepcheck::hdf5::trace
