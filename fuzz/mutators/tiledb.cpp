// TileDB: the persisted size, the tile size, and the lengths of a single chunk, so that a changed
// file is read as far as its content.
#include "fuzz/mutators/mutator.h"

namespace hepcheck::fuzz {

void repair_tiledb(std::span<std::uint8_t> file, std::minstd_rand& random) {
  constexpr std::size_t kHeader = 34, kCount = 8, kChunk = 12;
  if (file.size() < kHeader + kCount + kChunk || random() % 8 == 0) return;
  const std::uint64_t pipeline = little(file, 30, 4);
  if (pipeline > file.size() - kHeader - kCount - kChunk) return;
  const std::size_t payload = kHeader + pipeline;
  if (random() % 8 != 0) put_little(file, 4, 8, file.size() - payload);
  if (little(file, payload, 8) != 1) return;
  const std::size_t chunk = payload + kCount;
  const std::size_t left = file.size() - chunk - kChunk;
  if (little(file, chunk + 8, 4) > left) put_little(file, chunk + 8, 4, 0);
  if (random() % 8 != 0) put_little(file, chunk + 4, 4, left - little(file, chunk + 8, 4));
  // Without filters the stored bytes are the content.
  if (pipeline == 8 && random() % 8 != 0) put_little(file, chunk, 4, left);
  if (random() % 8 != 0) put_little(file, 12, 8, little(file, chunk, 4));
}

}  // namespace hepcheck::fuzz
