#include "validator/formats/hdf5/decode.h"

#include <algorithm>
#include <format>
#include <ranges>
#include <string>

#include "validator/codec/codec.h"
#include "validator/counted.h"
#include "validator/formats/hdf5/filter_rules.h"
#include "validator/formats/hdf5/rule.h"
#include "validator/formats/hdf5/unpack.h"
#include "validator/formats/hdf5/values.h"

namespace hepcheck::hdf5 {

namespace {

using filter_id::kDeflate, filter_id::kShuffle, filter_id::kFletcher32, filter_id::kLzf;
constexpr std::uint64_t kSumBytes = 4;

std::string where(const Chunk& chunk) {
  return std::format("the chunk of {} bytes at address {}", chunk.size, chunk.address);
}

struct Decoded {
  const Chunk& chunk;
  std::string trouble;  // of a filter; empty if there was none
  std::uint64_t size, wanted;
};

constexpr Rule kDecodedRule("swmr-chunk-decodes", [](const Decoded& it, Look& look) {
  look.looked();
  if (!it.trouble.empty())
    look.fail(0, std::format("{}: {}", where(it.chunk), it.trouble), "a chunk that can be decoded");
  else if (it.size != it.wanted)
    look.fail(0, std::format("{} decodes to {} bytes", where(it.chunk), it.size),
              std::format("{}, as stated by the layout", it.wanted));
});

struct Sum {
  const Chunk& chunk;
  std::uint32_t stored, computed;
};

constexpr Rule kFletcher32Rule("swmr-chunk-fletcher32", [](const Sum& it, Look& look) {
  look.looked();
  const std::uint32_t exchanged =
      (it.computed & 0x00ff00ffU) << 8U | (it.computed >> 8U & 0x00ff00ffU);
  if (it.stored != it.computed && it.stored != exchanged)
    look.fail(0, std::format("checksum {:08x} of {}", it.stored, where(it.chunk)),
              std::format("{:08x}", it.computed));
});

}  // namespace

void decode_rules(RuleList& list) { list.values<kDecodedRule, kFletcher32Rule>(); }

std::uint32_t fletcher32(std::span<const std::byte> bytes) {
  // The number of words that can be added before the sums must be reduced.
  constexpr std::size_t kWords = 360;
  std::uint32_t one = 0, two = 0;
  const auto fold = [](std::uint32_t sum) { return (sum & 0xffffU) + (sum >> 16U); };
  while (bytes.size() > 1) {
    const std::size_t step = std::min(bytes.size() / 2, kWords);
    for (std::size_t i = 0; i < step; ++i) {
      one += std::to_integer<std::uint32_t>(bytes[2 * i]) << 8U |
             std::to_integer<std::uint32_t>(bytes[2 * i + 1]);
      two += one;
    }
    one = fold(one);
    two = fold(two);
    bytes = bytes.subspan(2 * step);
  }
  if (!bytes.empty()) {
    one += std::to_integer<std::uint32_t>(bytes[0]) << 8U;
    two += one;
    one = fold(one);
    two = fold(two);
  }
  return fold(two) << 16U | fold(one);
}

bool leads_to_heap(std::span<const std::byte> reference) {
  constexpr unsigned kNull = 0, kObject = 2, kAnotherFile = 1;
  const auto kind = std::to_integer<unsigned>(reference[0]);
  const auto flags = std::to_integer<unsigned>(reference[1]);
  return (kind != kNull && kind != kObject) || (flags & kAnotherFile) != 0;
}

Decoder::Decoder(Container& file, const Dataset& dataset, Values* values)
    : file_(file), dataset_(dataset), values_(values), bytes_(dataset.layout.chunk_bytes()) {
  const bool filtered = dataset.filtered(), references = !dataset.type.references.empty();
  // Filters with wrong values have their own clauses.
  wanted_ = (filtered || references || values) && dataset.filters.sound && readable();
  if (!dataset.type.all_references)
    file.notes.not_examined(
        "swmr-eligible-no-heap-reference",
        "references in elements beyond " + counted(dataset.type.references.size(), "reference"),
        Notes::What::kValues);
}

// Whether undo() undoes it.
bool Decoder::is_decoded(std::uint16_t filter) const {
  return filter == kDeflate || filter == kShuffle || filter == kFletcher32 ||
         (filter == kLzf && file_.whole_format);
}

// Reports the reason if the chunks cannot be decoded.
bool Decoder::readable() {
  std::string why;
  const std::vector<Filter>& filters = dataset_.filters.list;
  for (const Filter& filter : filters) {
    if (is_decoded(filter.id)) continue;
    const bool packs = file_.whole_format &&
                       (filter.id == filter_id::kNbit || filter.id == filter_id::kScaleOffset);
    packed_ |= packs;
    if (!packs) why = std::format("the chunks, which are filtered by {}", filter.id);
  }
  if (why.empty() && bytes_ > file_.limits().block_bytes)
    why = "the chunks, which exceed the limit of " + counted(file_.limits().block_bytes, "byte");
  if (why.empty()) return true;
  if (dataset_.filtered())
    file_.notes.not_examined("swmr-chunk-decodes", std::move(why), Notes::What::kValues);
  return packed_ && bytes_ <= file_.limits().block_bytes;
}

// How many bytes longer a filter makes a chunk at most.
std::uint64_t Decoder::enlarged(std::uint16_t filter) const {
  constexpr std::uint64_t kScaleOffsetHead = 21, kOneMore = 1;
  switch (filter) {
    case kFletcher32: return kSumBytes;
    case kDeflate: return bytes_ / 8 + 64;
    case filter_id::kNbit: return kOneMore;
    case filter_id::kScaleOffset: return kScaleOffsetHead + kOneMore;
    default: return 0;
  }
}

bool Decoder::take(const Chunk& chunk) {
  const bool plain = (dataset_.layout.flags & DataLayout::kEdgeChunksUnfiltered) != 0 &&
                     over_the_edge(dataset_, chunk);
  const bool references = !dataset_.type.references.empty();
  if (!wanted_ || ((plain || !dataset_.filtered()) && !references && !values_)) return true;
  if (!file_.read(chunk.address, data_.resize(chunk.size)))
    return true;  // as reported by the container
  std::string trouble;
  if (!plain && dataset_.filtered()) {
    const std::vector<Filter>& filters = dataset_.filters.list;
    for (std::size_t i = filters.size(); i > 0; --i) {
      if ((chunk.mask >> (i - 1) & 1U) != 0) continue;
      const std::uint16_t id = filters[i - 1].id;
      if (packed_ && (id == filter_id::kNbit || id == filter_id::kScaleOffset)) {
        if (!judge_packed_chunk(filters[i - 1], data_.bytes(), dataset_, chunk.at, file_.notes))
          return false;
        if (!leaves_chunks_alone(filters[i - 1]) && !unpack(filters[i - 1])) return true;
        continue;
      }
      if (packed_ && !is_decoded(id)) return true;
      std::uint64_t most = bytes_;
      // The filters applied before this one may have enlarged the data.
      for (const Filter& before : std::span(filters).first(i - 1)) most += enlarged(before.id);
      if (!undo(filters[i - 1], most, chunk)) return false;
    }
    if (!judge<kDecodedRule>(Decoded{chunk, "", data_.size, bytes_}, chunk.at, file_.notes))
      return false;
  }
  if (references && data_.size == bytes_) look_at_references();
  if (values_ && data_.size == bytes_) {
    Place place = file_.place("raw data", chunk.address);
    place.decoded = !plain && dataset_.filtered();
    values_->chunk(dataset_, chunk.scaled, {data_.bytes(), place});
  }
  return true;
}

// Undoes n-bit or scale-offset. Returns false after reporting that it is not followed.
bool Decoder::unpack(const Filter& filter) {
  const auto undo = filter.id == filter_id::kNbit ? unpack_nbit : unpack_scale_offset;
  const bool good = undo(filter, data_.bytes(), dataset_.type.size, spare_.resize(bytes_));
  if (good) {
    std::swap(data_, spare_);
  } else if (wanted_) {
    wanted_ = false;
    file_.notes.not_examined("swmr-chunk-decodes",
                             std::format("the chunks, which are filtered by {}", filter.id),
                             Notes::What::kValues);
  }
  return good;
}

// Undoes a filter of data_, giving `most` bytes at most. Returns false after reporting that the
// chunk does not decode.
bool Decoder::undo(const Filter& filter, std::uint64_t most, const Chunk& chunk) {
  const auto trouble = [&](std::string what) {
    judge<kDecodedRule>(Decoded{chunk, std::move(what), 0, 0}, chunk.at, file_.notes);
    return false;
  };
  if (filter.id == kFletcher32) {
    if (data_.size < kSumBytes) return trouble("too short for its checksum");
    const std::span<const std::byte> all = data_.bytes();
    Cursor read(Region{all.last(kSumBytes)});
    const std::uint32_t stored = read.u32();
    const Sum sum{chunk, stored, fletcher32(all.first(all.size() - kSumBytes))};
    if (!judge<kFletcher32Rule>(sum, chunk.at, file_.notes)) return false;
    data_.size -= kSumBytes;
    return true;
  }
  // A fault of the filter itself is reported once, and not for every chunk.
  const auto ends = [&](std::string what) {
    wanted_ = false;
    return trouble(std::move(what));
  };
  if (filter.id == kShuffle) {
    if (filter.values.size() != 1 || filter.values[0] == 0)
      return ends("shuffled, but its filter does not state the element size");
    const std::size_t size = filter.values[0], count = data_.size / size;
    const std::span<const std::byte> from = data_.bytes();
    const std::span<std::byte> to = spare_.resize(from.size());
    for (std::size_t byte = 0; byte < size && count > 0; ++byte)
      for (std::size_t i = 0; i < count; ++i) to[i * size + byte] = from[byte * count + i];
    std::ranges::copy(from.subspan(count * size), to.subspan(count * size).begin());
    std::swap(data_, spare_);
    return true;
  }
  constexpr std::uint32_t kMostLevel = 9;  // libhdf5 refuses more, even for reading
  const bool deflated = filter.id == kDeflate;
  if (deflated && (filter.values.size() != 1 || filter.values[0] > kMostLevel))
    return ends("deflated, but its filter does not state a level from 0 to 9");
  const codec::Decoded made =
      (deflated ? codec::zlib : codec::lzf)(data_.bytes(), most, spare_.memory);
  if (!made.error.empty()) return trouble(made.error);
  if (!made.ended)
    return trouble(std::format("{} to more than {}", deflated ? "inflates" : "decodes",
                               counted(made.size, "byte")));
  spare_.size = made.size;
  std::swap(data_, spare_);
  return true;
}

void Decoder::look_at_references() {
  const std::uint64_t size = dataset_.type.size;
  for (std::uint64_t at = 0; at + size <= data_.size; at += size)
    for (const std::uint32_t offset : dataset_.type.references)
      if (offset + std::uint64_t{2} <= size && leads_to_heap(data_.bytes().subspan(at + offset, 2)))
        heap_reference_ = true;
}

}  // namespace hepcheck::hdf5
