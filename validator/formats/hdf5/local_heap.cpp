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

FreeList follow(const Region& segment, std::uint64_t first, unsigned length_size) {
  using End = FreeList::End;
  const std::uint64_t least = 2 * std::uint64_t{length_size};
  FreeList list{.offset = first};
  // No more distinct blocks fit.
  for (std::uint64_t left = segment.size() / least + 1;
       list.offset != kEndOfList && list.offset != kUndefined; --left) {
    if (left == 0) {
      list.end = End::kLoop;
      return list;
    }
    Cursor read(segment.part(list.offset));
    const std::uint64_t next = read.address(length_size);
    list.size = read.number(length_size);
    if (!read.good() || list.size > segment.size() - list.offset)
      list.end = End::kOutside;
    else if (list.size < least)
      list.end = End::kSmall;
    if (list.end != End::kGood) return list;
    list.offset = next;
  }
  return list;
}

}  // namespace

void local_heap_rules(RuleList& list) { list.structure<kLocalHeapHeaderRules, kFreeListRule>(); }

std::optional<LocalHeap> LocalHeap::read(std::uint64_t address, Container& file) {
  const std::uint64_t length = 8 + 2 * std::uint64_t{file.length_size} + file.offset_size;
  const auto block = file.block("HEAP", address, length);
  if (!block) return std::nullopt;
  LocalHeapHeader header{.region = block->region(), .file = file};
  Cursor fields(header.region);
  fields.skip(4);
  header.version = fields.u8();
  fields.skip(3);
  header.size = fields.number(file.length_size);
  header.free = fields.address(file.length_size);
  header.segment = fields.address(file.offset_size);
  const Place place = header.region.place;
  if (!judge<kLocalHeapHeaderRules>(header, place, file.notes)) return std::nullopt;
  auto segment = file.block("heap segment", header.segment, header.size);
  if (!segment || !judge<kFreeListRule>(follow(segment->region(), header.free, file.length_size),
                                        place, file.notes))
    return std::nullopt;
  file.accept("HEAP", address, length);
  file.accept("heap segment", header.segment, header.size);
  LocalHeap made;
  made.segment_ = std::move(*segment);
  return made;
}

std::optional<std::string_view> LocalHeap::text(std::uint64_t offset) const {
  const Region rest = segment_.region().part(offset);
  const auto zero = std::ranges::find(rest.bytes, std::byte{0});
  if (zero == rest.bytes.end()) return std::nullopt;
  return std::string_view(reinterpret_cast<const char*>(rest.bytes.data()),
                          static_cast<std::size_t>(zero - rest.bytes.begin()));
}

}  // namespace hepcheck::hdf5
