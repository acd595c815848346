// The result of the reader for one state of a file that is being written.
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

  static Span of(std::uint64_t address, std::uint64_t size);  // saturates at 64 bits
  bool meets(const Span& other) const { return begin < other.end && other.begin < end; }
  bool holds(const Span& other) const { return begin <= other.begin && other.end <= end; }
};

// A block of metadata that a reader visits, and accepts. Addresses are counted from the first byte
// of the file.
struct BlockSeen {
  std::string_view kind{};  // "EADB"
  Span span{};
  std::uint64_t object = 0;  // the header of the object that owns it
};

struct ChunkSeen {
  Span span{};
  std::string_view by{};  // the kind of its parent block
  std::uint64_t by_block = 0;
};

// The chunks of an index, by position, counted in chunks.
class ChunkList {
 public:
  using Place = std::span<const std::uint64_t>;
  struct Entry {
    Place place{};
    const ChunkSeen& chunk;
  };

  void add(Place place, const ChunkSeen& chunk);
  // Must be called after the last insertion: sorts them, and of two at one position keeps the
  // later.
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
// Less than 0 if the first precedes the second.
std::strong_ordering in_order(ChunkList::Place a, ChunkList::Place b);

struct DatasetSeen {
  std::string path{};
  std::uint64_t header = 0;
  bool described = false;  // the following members are valid
  bool chunked = false, filtered = false;
  std::uint8_t layout_version = 0;
  IndexType index{};
  std::uint64_t index_address = kUndefined;
  std::vector<std::uint64_t> sizes{}, maxima{}, chunk{};
  // Properties of its elements:
  bool variable_length = false, heap_reference = false;
  std::optional<unsigned> reference{};  // it is a reference of that kind
  std::vector<std::uint32_t>
      references{};  // positions in an element of references that state their kind
  std::uint32_t element_size = 0;
  ChunkList chunks{};

  bool inside(ChunkList::Place place) const;  // begins inside the size
  unsigned unlimited() const;
};

// By header. Datasets that a change does not affect are the same object before and after it.
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
  void replace(Kept dataset);  // of an existing one

 private:
  std::vector<Kept> all_{};
};
// Calls `use` with each of `now` and its previous state; null if it is new.
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

// An error that a reader would report.
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
  std::string unreadable{};  // the reason if not, as far as it is known
  bool readable = false;     // it has a valid superblock, and everything after it was examined
  std::uint8_t version = 0;  // of the superblock
  std::uint8_t flags = 0;    // its status
  std::uint64_t base = 0, end = 0;  // the end as stated by the superblock
  unsigned offset_size = 8, length_size = 8;
  std::vector<BlockSeen> blocks{}, raw{};           // by address; raw data has the kind ""
  std::vector<std::uint64_t> reach{}, raw_reach{};  // of each block and those before it: the end
  std::shared_ptr<const Paths> paths = std::make_shared<const Paths>();  // of objects
  Datasets datasets{};
  std::set<std::uint64_t> tables{};  // headers of groups that are tables
  std::vector<Trouble> errors{};     // except those of the superblock
  std::set<std::string> beyond{};    // datasets with chunks beyond their extent
  bool entangled = false;            // ContainerWalk::entangled

  bool swmr() const { return (flags & 5) == 5; }
  const Paths& objects() const { return *paths; }
  // The block that begins there; null if there is none.
  const BlockSeen* block_at(std::uint64_t address) const;
  // The first block that overlaps the span; null if there is none.
  const BlockSeen* block_in(const Span& span) const;
};

// During a write, allocated space beyond the end that was not written yet reads as zeros. To
// examine many states of it, the caller adds that space once.
inline constexpr std::uint64_t kRoom = 1 << 20;
Seen see_with_room(const Image& image);
// The result if, since `before`, only bytes in `span` have changed among those that existed. If
// they belong to one dataset only, which is sound before and after, no other is read.
Seen see_again(const Image& image, const Seen& before, const Span& span);

// As stored on disk, with its present length; for a file that a SWMR writer has open as its readers
// see it, otherwise with the end that its superblock states.
Seen see_on_disk(const Image& image);

// The marks in the superblock of a file that is open for writing; 0 if it has none.
std::uint8_t marks_of(const Image& image);
inline bool swmr_marked(const Image& image) { return (marks_of(image) & 5) == 5; }
// Clears the marks like h5clear -s, and changes nothing else; false if it has none. With `end`,
// also corrects the end of the file in the superblock, as readers concurrent with a SWMR writer
// assume it.
bool clear_marks(Image& image, bool end = false);

}  // namespace hepcheck::hdf5::trace
