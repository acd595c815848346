// TileDB: the persisted size, the tile size, and the lengths of a single chunk, so that a changed
// file is read as far as its content.
#include "fuzz/mutators/mutator.h"

namespace hepcheck::fuzz {

namespace {

using Image = std::span<std::uint8_t>;

std::uint64_t little_endian(Image bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value |= std::uint64_t{bytes[at + i]} << (8 * i);
  return value;
}

void store(Image bytes, std::size_t at, std::size_t size, std::uint64_t value) {
  for (std::size_t i = 0; i < size; ++i)
    bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

}  // namespace

void repair(std::span<std::uint8_t> file, std::minstd_rand& random) {
  constexpr std::size_t kHeader = 34, kCount = 8, kChunk = 12;
  if (file.size() < kHeader + kCount + kChunk || random() % 8 == 0) return;
  const std::uint64_t pipeline = little_endian(file, 30, 4);
  if (pipeline > file.size() - kHeader - kCount - kChunk) return;
  const std::size_t payload = kHeader + pipeline;
  if (random() % 8 != 0) store(file, 4, 8, file.size() - payload);
  if (little_endian(file, payload, 8) != 1) return;
  const std::size_t chunk = payload + kCount;
  const std::size_t left = file.size() - chunk - kChunk;
  if (little_endian(file, chunk + 8, 4) > left) store(file, chunk + 8, 4, 0);
  if (random() % 8 != 0) store(file, chunk + 4, 4, left - little_endian(file, chunk + 8, 4));
  // Without filters the stored bytes are the content.
  if (pipeline == 8 && random() % 8 != 0) store(file, chunk, 4, left);
  if (random() % 8 != 0) store(file, 12, 8, little_endian(file, chunk, 4));
}

}  // namespace hepcheck::fuzz
