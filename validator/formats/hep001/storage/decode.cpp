#include "validator/formats/hep001/storage/decode.h"

#include <libdeflate.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <format>
#include <new>

#include "validator/counted.h"
#include "validator/formats/hep001/storage/lzf.h"
#include "validator/formats/hep001/storage/packed.h"

namespace hepcheck::hep001 {

namespace {

// The numbers under which HDF5 registers its own filters.
constexpr int kDeflate = 1, kShuffle = 2, kFletcher32 = 3;
constexpr std::size_t kChecksumBytes = 4;
// The maximum number of bytes that one byte of a deflate stream can produce.
constexpr std::size_t kMostInflation = 1032;

// Eight rows of eight bytes become columns.
void transpose(std::uint64_t (&rows)[8]) {
  const auto swap = [&](std::size_t distance, std::uint64_t mask) {
    for (std::size_t i = 0; i < 8; ++i) {
      if ((i & distance) != 0) continue;
      const std::uint64_t moved = (rows[i] >> 8 * distance ^ rows[i + distance]) & mask;
      rows[i] ^= moved << 8 * distance;
      rows[i + distance] ^= moved;
    }
  };
  swap(4, 0x00000000FFFFFFFF);
  swap(2, 0x0000FFFF0000FFFF);
  swap(1, 0x00FF00FF00FF00FF);
}

// Byte b of element e is at b * elements + e; remaining bytes that fill no element stay in place.
template <std::size_t kSize>
void unshuffle_elements(const std::byte* from, std::byte* into, std::size_t elements) {
  std::size_t e = 0;
  if constexpr (std::endian::native == std::endian::little) {
    // A row holds one byte each of eight elements; the rows of several groups of them are
    // transposed together.
    constexpr std::size_t kGroups = 8 / kSize;
    for (; e + 8 * kGroups <= elements; e += 8 * kGroups) {
      std::uint64_t rows[8];
      for (std::size_t group = 0; group < kGroups; ++group)
        for (std::size_t b = 0; b < kSize; ++b)
          std::memcpy(&rows[group * kSize + b], from + b * elements + e + 8 * group, 8);
      transpose(rows);
      for (std::size_t group = 0; group < kGroups; ++group)
        for (std::size_t k = 0; k < 8; ++k) {
          const std::uint64_t element = rows[k] >> 8 * (group * kSize);
          std::memcpy(into + (e + 8 * group + k) * kSize, &element, kSize);
        }
    }
  }
  for (; e < elements; ++e)
    for (std::size_t b = 0; b < kSize; ++b) into[e * kSize + b] = from[b * elements + e];
}

void unshuffle(std::span<const std::byte> from, std::byte* into, std::size_t size) {
  const std::size_t elements = from.size() / size;
  switch (size) {
    case 2: unshuffle_elements<2>(from.data(), into, elements); break;
    case 4: unshuffle_elements<4>(from.data(), into, elements); break;
    case 8: unshuffle_elements<8>(from.data(), into, elements); break;
    default:
      // The size may be much larger than the chunk.
      for (std::size_t b = 0; b < size && elements > 0; ++b)
        for (std::size_t e = 0; e < elements; ++e) into[e * size + b] = from[b * elements + e];
  }
  const std::size_t whole = elements * size;
  std::copy(from.begin() + static_cast<std::ptrdiff_t>(whole), from.end(), into + whole);
}

// The first releases of the filter stored each half of the checksum with swapped bytes.
bool checksum_holds(std::span<const std::byte> data, const std::byte* stored) {
  std::uint32_t claimed = 0;
  for (std::size_t i = 0; i < kChecksumBytes; ++i)
    claimed |= std::to_integer<std::uint32_t>(stored[i]) << (8 * i);
  const std::uint32_t sum = fletcher32(data);
  const std::uint32_t swapped = (sum & 0x00FF00FF) << 8 | (sum & 0xFF00FF00) >> 8;
  return claimed == sum || claimed == swapped;
}

std::string_view name_of(const Filter& filter) {
  switch (filter.id) {
    case kNbitFilter: return "nbit";
    case kScaleOffsetFilter: return "scaleoffset";
    case kSzipFilter: return "szip";
    default: return "lzf";
  }
}

// How many bytes come out of a filter that states it.
std::uint64_t unpacked_bytes(const Filter& filter, std::span<const std::byte> from) {
  switch (filter.id) {
    case kNbitFilter: return nbit_bytes(filter.parameters);
    case kScaleOffsetFilter: return scale_offset_bytes(filter.parameters);
    case kSzipFilter: return szip_bytes(from);
    default: return filter.parameters[2];
  }
}

Unpacked unpack(const Filter& filter, std::span<const std::byte> from, std::span<std::byte> into) {
  switch (filter.id) {
    case kNbitFilter: return unpack_nbit(filter.parameters, from, into);
    case kScaleOffsetFilter: return unpack_scale_offset(filter.parameters, from, into);
    case kSzipFilter: return unpack_szip(filter.parameters, from, into);
    default:
      if (decode_lzf(from, into)) return {};
      return std::unexpected("the data is corrupt");
  }
}

std::span<std::byte> grow(std::vector<std::byte>& buffer, std::size_t bytes) {
  if (buffer.size() < bytes) buffer.resize(bytes);
  return std::span(buffer).first(bytes);
}

}  // namespace

bool can_decode(std::span<const Filter> filters) {
  return filters.size() <= 32 && std::ranges::all_of(filters, [](const Filter& filter) {
           if (filter.id == kShuffle)
             return filter.parameters.size() == 1 && filter.parameters[0] > 0;
           return filter.id == kDeflate || filter.id == kFletcher32;
         });
}

bool can_decode_some(std::span<const Filter> filters, std::uint32_t skipped_by_all) {
  const auto decoded = [](const Filter& filter) {
    switch (filter.id) {
      case kShuffle: return filter.parameters.size() == 1 && filter.parameters[0] > 0;
      case kDeflate:
      case kFletcher32: return true;
      case kNbitFilter:
        return nbit_keeps_all(filter.parameters) || nbit_bytes(filter.parameters) > 0;
      case kScaleOffsetFilter: return scale_offset_bytes(filter.parameters) > 0;
      case kSzipFilter: return has_szip();
      case kLzfFilter: return filter.parameters.size() >= 3;
      default: return false;
    }
  };
  if (filters.size() > 32) return false;
  for (std::size_t i = 0; i < filters.size(); ++i)
    if ((skipped_by_all >> i & 1) == 0 && !decoded(filters[i])) return false;
  return true;
}

std::uint32_t fletcher32(std::span<const std::byte> data) {
  // Big-endian words of 16 bits, the last one padded with zero. Sums are reduced modulo 65535
  // before they can overflow.
  constexpr std::size_t kWords = 360;
  std::uint32_t first = 0, second = 0;
  const auto reduce = [&] {
    first = (first & 0xFFFF) + (first >> 16);
    second = (second & 0xFFFF) + (second >> 16);
  };
  const std::size_t words = data.size() / 2;
  for (std::size_t from = 0; from < words; from += kWords) {
    for (std::size_t i = from; i < std::min(words, from + kWords); ++i) {
      first += std::to_integer<std::uint32_t>(data[2 * i]) << 8 |
               std::to_integer<std::uint32_t>(data[2 * i + 1]);
      second += first;
    }
    reduce();
  }
  if (data.size() % 2 != 0) {
    first += std::to_integer<std::uint32_t>(data.back()) << 8;
    second += first;
    reduce();
  }
  reduce();
  return second << 16 | first;
}

struct ChunkDecoder::Inflater {
  libdeflate_decompressor* handle = libdeflate_alloc_decompressor();
  Inflater() {
    if (!handle) throw std::bad_alloc();
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { libdeflate_free_decompressor(handle); }
};

ChunkDecoder::ChunkDecoder() = default;
ChunkDecoder::ChunkDecoder(ChunkDecoder&&) noexcept = default;
ChunkDecoder& ChunkDecoder::operator=(ChunkDecoder&&) noexcept = default;
ChunkDecoder::~ChunkDecoder() = default;

std::span<std::byte> ChunkDecoder::room_for_stored(std::size_t bytes) {
  return grow(stored_, bytes);
}

std::expected<std::span<const std::byte>, std::string> ChunkDecoder::inflate(
    std::span<const std::byte> from, std::span<std::byte> into) {
  if (!inflater_) inflater_ = std::make_unique<Inflater>();
  std::size_t got = 0;
  switch (libdeflate_zlib_decompress(inflater_->handle, from.data(), from.size(), into.data(),
                                     into.size(), &got)) {
    case LIBDEFLATE_SUCCESS: return into.first(got);
    case LIBDEFLATE_INSUFFICIENT_SPACE:
      return std::unexpected("deflate: more than " + counted(into.size(), "byte") + " come out");
    default: return std::unexpected("deflate: the data is corrupt");
  }
}

std::expected<void, std::string> ChunkDecoder::decode(std::span<const Filter> filters,
                                                      std::uint32_t filter_mask,
                                                      std::span<const std::byte> stored,
                                                      std::span<std::byte> into) {
  std::vector<const Filter*> applied;  // in the order of writing
  for (std::size_t i = 0; i < filters.size(); ++i)
    if ((filter_mask >> i & 1) == 0) applied.push_back(&filters[i]);

  std::span<const std::byte> data = stored;
  std::size_t turn = 0;
  for (std::size_t left = applied.size(); left-- > 0;) {
    const Filter& filter = *applied[left];
    if (filter.id == kFletcher32) {
      if (data.size() < kChecksumBytes)
        return std::unexpected("fletcher32: the checksum is missing");
      data = data.first(data.size() - kChecksumBytes);
      if (!checksum_holds(data, data.data() + data.size()))
        return std::unexpected("fletcher32: the checksum does not match");
      continue;
    }
    if (filter.id == kNbitFilter && nbit_keeps_all(filter.parameters)) continue;
    if (filter.id == kScaleOffsetFilter && scale_offset_keeps_all(filter.parameters)) continue;
    const auto is_deflate = [](const Filter* f) { return f->id == kDeflate; };
    if (is_deflate(&filter) && data.size() < into.size() / kMostInflation &&
        std::ranges::none_of(applied.begin(), applied.begin() + static_cast<std::ptrdiff_t>(left),
                             is_deflate))
      return std::unexpected(std::format("deflate: {} cannot contain a chunk of {}",
                                         counted(data.size(), "byte"), into.size()));
    // The last step writes to the destination; the steps before it alternate between buffers. A
    // chunk contains checksums, and a second deflate may have enlarged its input slightly.
    const std::size_t limit = left > 0 ? into.size() + into.size() / 64 + 1024 : into.size();
    const auto room = [&](std::uint64_t bytes) {
      return left > 0 ? grow(scratch_[turn++ % 2], bytes) : into;
    };
    if (filter.id == kDeflate) {
      auto inflated = inflate(data, room(limit));
      if (!inflated) return std::unexpected(std::move(inflated.error()));
      data = *inflated;
    } else if (filter.id == kShuffle) {
      const std::span<std::byte> target = room(data.size());
      if (data.size() > target.size())
        return std::unexpected(
            std::format("it has {} instead of {}", counted(data.size(), "byte"), into.size()));
      unshuffle(data, target.data(), filter.parameters[0]);
      data = target.first(data.size());
    } else {
      const std::uint64_t bytes = unpacked_bytes(filter, data);
      if (bytes == 0 || bytes > limit)
        return std::unexpected(
            std::format("{}: {} instead of {}", name_of(filter), counted(bytes, "byte"), limit));
      const std::span<std::byte> target = room(bytes).first(bytes);
      if (const auto done = unpack(filter, data, target); !done)
        return std::unexpected(std::string(name_of(filter)) + ": " + done.error());
      data = target;
    }
  }
  if (data.size() != into.size())
    return std::unexpected(
        std::format("it has {} instead of {}", counted(data.size(), "byte"), into.size()));
  if (data.data() != into.data()) std::ranges::copy(data, into.begin());
  return {};
}

}  // namespace hepcheck::hep001
