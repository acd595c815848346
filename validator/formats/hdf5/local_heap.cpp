#include "validator/formats/hdf5/local_heap.h"

#include <algorithm>
#include <format>
#include <vector>

#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::uint64_t kEndOfList = 1;

struct LocalHeapHeader {
  Region region;
  const Container& file;
  std::uint8_t version = 0;
  std::uint64_t size = 0, free = 0, segment = 0;
};

void signature(const LocalHeapHeader& it, Look& look) {
  look.looked();
  if (!it.region.begins("HEAP")) look.fail(0, "other bytes", "HEAP");
}

void version(const LocalHeapHeader& it, Look& look) {
  look.looked();
  if (it.version != 0) look.fail(4, std::format("version {}", it.version), "version 0");
}

void segment(const LocalHeapHeader& it, Look& look) {
  look.looked();
  if (!it.file.inside(it.segment, it.size))
    look.fail(8, std::format("a segment of {} bytes at address {}", it.size, it.segment),
              "a segment inside the file");
}

constexpr Rule<LocalHeapHeader> kLocalHeapHeaderRules[] = {
    {"swmr-local-heap-signature", signature},
    {"swmr-local-heap-version", version},
    {"swmr-local-heap-segment", segment},
};

// How far its chain of free blocks is valid.
struct FreeList {
  enum class End : std::uint8_t { kGood, kOutside, kSmall, kLoop } end = End::kGood;
  std::uint64_t offset = 0, size = 0;  // of the block that marks the end
};

constexpr Rule kFreeListRule("swmr-local-heap-free-list", [](const FreeList& it, Look& look) {
  look.looked();
  const std::string block = std::format("a free block of {} bytes at {}", it.size, it.offset);
  if (it.end == FreeList::End::kOutside)
    look.fail(0, block, "free blocks inside the segment");
  else if (it.end == FreeList::End::kSmall)
    look.fail(0, block, "free blocks that hold their two numbers");
  else if (it.end == FreeList::End::kLoop)
    look.fail(0, std::format("the free block at {} again", it.offset), "each block once");
});

// `taken`: receives each free block.
template <class Take>
FreeList follow(const Region& segment, std::uint64_t first, unsigned length_size,
                const Take& taken) {
  using End = FreeList::End;
  const std::uint64_t least = 2 * std::uint64_t{length_size};
  FreeList list{.offset = first};
  // No more distinct blocks fit.
  for (std::uint64_t left = segment.size() / least + 1;
       list.offset != kEndOfList && !(list.offset == kUndefined && list.offset == first); --left) {
    if (left == 0) {
      list.end = End::kLoop;
      return list;
    }
    Cursor read(segment.part(list.offset));
    const std::uint64_t next = read.number_or_undefined(length_size, "next");
    list.size = read.number(length_size, "size");
    if (!read.good() || list.size > segment.size() - list.offset)
      list.end = End::kOutside;
    else if (list.size < least)
      list.end = End::kSmall;
    if (list.end != End::kGood) return list;
    name_contents(segment.part(list.offset, list.size), "free space");
    taken(list.offset, list.size);
    list.offset = next;
  }
  return list;
}

// What is judged when the list of free blocks is sound.
struct HeapSpace {
  Region header;
  std::uint64_t free_list = kEndOfList;
  bool apart = true;  // no two free blocks share a byte
  std::uint64_t apart_at = 0;
};

void heap_reserved(const HeapSpace& it, Look& look) {
  look.looked();
  for (std::uint64_t i = 5; i < 8; ++i)
    if (it.header.bytes[i] != std::byte{0})
      return look.fail(i, "a reserved byte that is not zero", "zero");
}

void empty_list(const HeapSpace& it, Look& look) {
  look.looked();
  if (it.free_list == kUndefined)
    look.fail(8, "an undefined head of the list of free blocks",
              "1, the end of the list in real files", "libhdf5 refuses a heap with this head.");
}

void free_apart(const HeapSpace& it, Look& look) {
  look.looked();
  if (!it.apart)
    look.fail(0, std::format("the free block at {} begins inside another", it.apart_at),
              "free blocks that share no byte");
}

constexpr Rule<HeapSpace> kHeapSpaceRules[] = {
    {"h5-local-heap-reserved-zero", heap_reserved},
    {"h5-local-heap-empty-list-as-one", empty_list},
    {"h5-local-heap-free-blocks-apart", free_apart},
};

// The texts of a group in its heap; undefined offsets where there is nothing to report.
struct HeapTexts {
  bool empty_first;
  bool sound;  // no link of the group is refused, and they are where their names belong
  std::uint64_t astray = kUndefined;  // one that is not aligned
  std::uint64_t freed = kUndefined;   // one in a free block
};

// A wrong offset, or a wrong segment, may be why a link is refused, or why names are not in order;
// that is the finding then.
void empty_name(const HeapTexts& it, Look& look) {
  if (!it.sound) return;
  look.looked();
  if (!it.empty_first)
    look.fail(0, "a segment that does not begin with the empty string", "a zero");
}

void name_aligned(const HeapTexts& it, Look& look) {
  if (!it.sound) return;
  look.looked();
  if (it.astray != kUndefined)
    look.fail(0, std::format("a text at {}", it.astray), "texts at multiples of 8");
}

void name_not_free(const HeapTexts& it, Look& look) {
  if (!it.sound) return;
  look.looked();
  if (it.freed != kUndefined)
    look.fail(0, std::format("the text in use at {} lies in a free block", it.freed),
              "free blocks without texts that are in use",
              "The next name that is written may replace it.");
}

constexpr Rule<HeapTexts> kHeapTextRules[] = {
    {"h5-local-heap-empty-name", empty_name},
    {"h5-local-heap-name-aligned", name_aligned},
    {"h5-local-heap-name-not-free", name_not_free},
};

}  // namespace

void local_heap_rules(RuleList& list) {
  list.structure<kLocalHeapHeaderRules, kFreeListRule, kHeapSpaceRules, kHeapTextRules>();
}

std::optional<LocalHeap> LocalHeap::read(std::uint64_t address, Container& file) {
  const std::uint64_t length = 8 + 2 * std::uint64_t{file.length_size} + file.offset_size;
  const auto block = file.block("HEAP", address, length);
  if (!block) return std::nullopt;
  LocalHeapHeader header{.region = block->region(), .file = file};
  Cursor fields(header.region);
  fields.take(4, "signature");
  header.version = fields.u8("version");
  fields.take(3, "reserved");
  header.size = fields.number(file.length_size, "size");
  header.free = fields.number_or_undefined(file.length_size, "free");
  header.segment = fields.address(file.offset_size, "segment");
  const Place place = header.region.place;
  if (!judge<kLocalHeapHeaderRules>(header, place, file.notes)) return std::nullopt;
  auto segment = file.block("heap segment", header.segment, header.size);
  if (!segment) return std::nullopt;
  LocalHeap made;
  const FreeList list = follow(
      segment->region(), header.free, file.length_size,
      [&](std::uint64_t offset, std::uint64_t size) { made.free_.push_back({offset, size}); });
  if (!judge<kFreeListRule>(list, place, file.notes)) return std::nullopt;
  std::ranges::sort(made.free_, {}, &Free::offset);
  HeapSpace space{.header = header.region, .free_list = header.free};
  for (std::size_t i = 1; i < made.free_.size(); ++i) {
    if (made.free_[i - 1].offset + made.free_[i - 1].size <= made.free_[i].offset) continue;
    space.apart = false;
    space.apart_at = made.free_[i].offset;
  }
  judge_each<kHeapSpaceRules>(space, place, file.notes);
  file.accept("HEAP", address, length);
  file.accept("heap segment", header.segment, header.size);
  name_unused(segment->region());
  made.place_ = place;
  made.segment_ = std::move(*segment);
  return made;
}

void LocalHeap::judge_texts(const std::vector<GroupText>& texts, bool sound,
                            Container& file) const {
  HeapTexts judged{.empty_first = begins_empty(), .sound = sound};
  for (const GroupText& each : texts) {
    if (each.offset % 8 != 0 && judged.astray == kUndefined) judged.astray = each.offset;
    if (!each.in_use || judged.freed != kUndefined) continue;
    const auto after = std::ranges::lower_bound(free_, each.offset + each.size, {}, &Free::offset);
    if (after != free_.begin() && std::prev(after)->offset + std::prev(after)->size > each.offset)
      judged.freed = each.offset;
  }
  judge_each<kHeapTextRules>(judged, place_, file.notes);
}

bool LocalHeap::begins_empty() const {
  const auto bytes = segment_.region().bytes;
  return !bytes.empty() && bytes.front() == std::byte{0};
}

std::optional<std::string_view> LocalHeap::text(std::uint64_t offset) const {
  const Region rest = segment_.region().part(offset);
  const auto zero = std::ranges::find(rest.bytes, std::byte{0});
  if (zero == rest.bytes.end()) return std::nullopt;
  const auto size = static_cast<std::size_t>(zero - rest.bytes.begin());
  name_contents(rest.part(0, size + 1), "text");
  return std::string_view(reinterpret_cast<const char*>(rest.bytes.data()), size);
}

}  // namespace hepcheck::hdf5
