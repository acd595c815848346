#include "validator/formats/hdf5/heap_filters.h"

#include <algorithm>
#include <format>
#include <optional>
#include <utility>

#include "validator/codec/codec.h"
#include "validator/counted.h"
#include "validator/formats/hdf5/decode.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::uint16_t kHeapDeflate = 1, kHeapShuffle = 2, kHeapFletcher32 = 3;

struct HeapMask {
  std::uint32_t mask;
  std::size_t filters;
};

constexpr Rule kMaskRule("h5-fractal-heap-filtered-mask", [](const HeapMask& it, Look& look) {
  look.looked();
  if (it.filters < 32 && it.mask >> it.filters != 0)
    look.fail(0, std::format("mask {:#x} with {}", it.mask, counted(it.filters, "filter")),
              "no bit beyond the filters of the heap");
});

struct HeapDecoded {
  const HeapBytes& made;
  std::uint64_t stored, wanted;
};

constexpr Rule kDecodesRule("h5-fractal-heap-filtered-decodes", [](const HeapDecoded& it,
                                                                   Look& look) {
  look.looked();
  if (!it.made.trouble.empty())
    look.fail(0, std::format("{} bytes: {}", it.stored, it.made.trouble),
              std::format("bytes that decode to {}", it.wanted));
  else if (it.made.bytes.size() != it.wanted)
    look.fail(0, std::format("{} bytes decode to {}", it.stored, it.made.bytes.size()),
              std::format("{}", it.wanted));
});

// How many bytes the filters can make of so many at most. Deflate makes 1,032 of one.
std::uint64_t reach_of(const Filters& filters, std::uint64_t stored) {
  constexpr std::uint64_t kMostOfOne = 1'032, kFew = 64;
  std::uint64_t most = stored;
  for (const Filter& filter : filters.list)
    if (filter.id == kHeapDeflate) most = sum(product(most, kMostOfOne), kFew);
  return most;
}

// Undoes one filter; the trouble if it cannot be undone. The result has `most` bytes at most.
std::string undo(const Filter& filter, std::uint64_t most, std::vector<std::byte>& bytes) {
  constexpr std::size_t kSum = 4;
  if (filter.id == kHeapFletcher32) {
    if (bytes.size() < kSum) return "too short for its checksum";
    Cursor read(Region{std::span(bytes).last(kSum)});
    const std::uint32_t stored = read.u32();
    bytes.resize(bytes.size() - kSum);
    const std::uint32_t computed = fletcher32(bytes);
    const std::uint32_t exchanged = (computed & 0x00ff00ffU) << 8U | (computed >> 8U & 0x00ff00ffU);
    return stored == computed || stored == exchanged ? "" : "its Fletcher-32 checksum is wrong";
  }
  if (filter.id == kHeapShuffle) {
    if (filter.values.size() != 1 || filter.values[0] == 0)
      return "shuffled, but its filter does not state the element size";
    const std::size_t size = filter.values[0], count = bytes.size() / size;
    std::vector<std::byte> made = bytes;
    for (std::size_t byte = 0; byte < size && count > 0; ++byte)
      for (std::size_t i = 0; i < count; ++i) made[i * size + byte] = bytes[byte * count + i];
    bytes = std::move(made);
    return {};
  }
  Slab memory;
  const codec::Decoded made = codec::zlib(bytes, most, memory);
  if (!made.error.empty()) return made.error;
  if (!made.ended) return "inflates to more than " + counted(most, "byte");
  const auto all = memory.first(made.size);
  bytes.assign(all.begin(), all.end());
  return {};
}

}  // namespace

void heap_filter_rules(RuleList& list) { list.structure<kMaskRule, kDecodesRule>(); }

HeapBytes undo_heap_filters(const Filters& filters, std::uint32_t mask,
                            std::span<const std::byte> stored, std::uint64_t size) {
  HeapBytes made{.bytes = {stored.begin(), stored.end()}};
  for (std::size_t i = filters.list.size(); i > 0; --i) {
    const Filter& filter = filters.list[i - 1];
    if ((mask >> (i - 1) & 1U) != 0) continue;
    if (filter.id < kHeapDeflate || filter.id > kHeapFletcher32) {
      made.unknown = true;
      return made;
    }
    // A filter that was applied before this one may have enlarged the data.
    std::uint64_t most = size;
    for (const Filter& before : std::span(filters.list).first(i - 1))
      most += before.id == kHeapFletcher32 ? 4 : before.id == kHeapDeflate ? size / 8 + 64 : 0;
    made.trouble = undo(filter, most, made.bytes);
    if (!made.trouble.empty()) return made;
  }
  return made;
}

std::optional<Block> decode_heap_bytes(const Filters& filters, std::uint32_t mask,
                                       const Region& stored, std::uint64_t size, Container& file) {
  const auto judge_mask = [&] {
    judge<kMaskRule>(HeapMask{mask, filters.list.size()}, stored.place, file.notes);
  };
  if (size > file.limits().block_bytes) {
    file.notes.not_examined(
        "h5-fractal-heap-filtered-decodes",
        std::format("a block of a fractal heap of {}, which exceeds the limit of {}",
                    counted(size, "byte"), counted(file.limits().block_bytes, "byte")));
    judge_mask();
    return std::nullopt;
  }
  if (!file.charge(std::min(size, reach_of(filters, stored.size())))) return std::nullopt;
  const HeapBytes made = undo_heap_filters(filters, mask, stored.bytes, size);
  if (made.unknown) {
    file.notes.not_examined("h5-fractal-heap-filtered-decodes",
                            "a block of a fractal heap, because of a filter");
    judge_mask();
    return std::nullopt;
  }
  // Bytes that do not decode are one defect with a wrong mask.
  if (!judge<kDecodesRule>(HeapDecoded{made, stored.size(), size}, stored.place, file.notes))
    return std::nullopt;
  judge_mask();
  if (field_recording)
    record_field(stored.place, 0, stored.size(), "filtered, fields not shown", nullptr);
  Place inside = stored.place;
  inside.decoded = true;
  Block block(size, inside);
  std::ranges::copy(made.bytes, block.bytes().begin());
  return block;
}

}  // namespace hepcheck::hdf5
