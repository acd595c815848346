#include "validator/formats/tiledb/undo_values.h"

#include "validator/integers.h"

namespace hepcheck::tiledb {

namespace {

using Buffer = std::vector<std::byte>;
using BytesView = std::span<const std::byte>;

// An unsigned little-endian number of 1, 2, 4 or 8 bytes.
std::uint64_t number_at(BytesView bytes, std::uint64_t at, unsigned width) {
  std::uint64_t value = 0;
  for (unsigned i = width; i-- > 0;)
    value = value << 8 | std::to_integer<std::uint64_t>(bytes[at + i]);
  return value;
}

void put(Buffer& into, std::uint64_t value, unsigned width) {
  for (unsigned i = 0; i < width; ++i, value >>= 8)
    into.push_back(static_cast<std::byte>(value & 0xFF));
}

// Values of which each but the first is the difference from the one before.
void put_sums(BytesView bytes, std::uint64_t value, unsigned width, Buffer& into) {
  for (std::uint64_t at = 0; at < bytes.size(); at += width) {
    value += number_at(bytes, at, width);
    put(into, value, width);
  }
}

}  // namespace

std::optional<Values> undo_delta(BytesView metadata, BytesView data, unsigned width) {
  constexpr std::uint64_t kHead = 8, kEntry = 8, kCount = 8;
  if (metadata.size() < kHead) return std::nullopt;
  const std::uint64_t metadata_parts = number_at(metadata, 0, 4);
  const std::uint64_t parts = metadata_parts + number_at(metadata, 4, 4);
  if (metadata.size() != sum(kHead, product(parts, kEntry))) return std::nullopt;
  Values made;
  std::uint64_t from = 0;
  for (std::uint64_t i = 0; i < parts; ++i) {
    const std::uint64_t original = number_at(metadata, kHead + kEntry * i, 4);
    const std::uint64_t size = number_at(metadata, kHead + kEntry * i + 4, 4);
    if (size > data.size() - from || size != sum(kCount, original) || original % width != 0 ||
        number_at(data, from, 8) != original / width)
      return std::nullopt;
    put_sums(data.subspan(from + kCount, original), 0, width,
             i < metadata_parts ? made.metadata : made.data);
    from += size;
  }
  if (from != data.size()) return std::nullopt;
  return made;
}

std::optional<Values> undo_positive_delta(BytesView metadata, BytesView data, unsigned width) {
  constexpr std::uint64_t kHead = 4;
  const std::uint64_t entry = std::uint64_t{width} + 4;
  if (metadata.size() < kHead) return std::nullopt;
  const std::uint64_t windows = number_at(metadata, 0, 4);
  const std::uint64_t used = sum(kHead, product(windows, entry));
  if (used > metadata.size()) return std::nullopt;
  Values made;
  std::uint64_t from = 0;
  for (std::uint64_t at = kHead; at < used; at += entry) {
    const std::uint64_t size = number_at(metadata, at + width, 4);
    if (size > data.size() - from || size % width != 0) return std::nullopt;
    put_sums(data.subspan(from, size), number_at(metadata, at, width), width, made.data);
    from += size;
  }
  if (from != data.size()) return std::nullopt;
  made.metadata.assign(metadata.begin() + static_cast<std::ptrdiff_t>(used), metadata.end());
  return made;
}

std::optional<Values> undo_bit_width(BytesView metadata, BytesView data, unsigned width,
                                     std::uint64_t most) {
  constexpr std::uint64_t kHead = 8;
  const std::uint64_t entry = std::uint64_t{width} + 5;
  if (metadata.size() < kHead) return std::nullopt;
  const std::uint64_t length = number_at(metadata, 0, 4), windows = number_at(metadata, 4, 4);
  const std::uint64_t used = sum(kHead, product(windows, entry));
  if (used > metadata.size() || length > most) return std::nullopt;
  Values made;
  std::uint64_t from = 0;
  for (std::uint64_t at = kHead; at < used; at += entry) {
    const std::uint64_t offset = number_at(metadata, at, width);
    const unsigned reduced = std::to_integer<unsigned>(metadata[at + width]) / 8;
    const std::uint64_t size = number_at(metadata, at + width + 1, 4);
    const bool whole = std::to_integer<unsigned>(metadata[at + width]) == 8 * reduced &&
                       (reduced == 1 || reduced == 2 || reduced == 4 || reduced == 8);
    if (!whole || reduced > width || size > data.size() - from || size % reduced != 0 ||
        size / reduced > (length - made.data.size()) / width)
      return std::nullopt;
    // Whether an offset counts for values that kept their width is not said.
    if (reduced == width && offset != 0) return std::nullopt;
    for (std::uint64_t i = 0; i < size; i += reduced)
      put(made.data, offset + number_at(data, from + i, reduced), width);
    from += size;
  }
  if (from != data.size() || made.data.size() != length) return std::nullopt;
  made.metadata.assign(metadata.begin() + static_cast<std::ptrdiff_t>(used), metadata.end());
  return made;
}

}  // namespace hepcheck::tiledb
