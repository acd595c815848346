// HDF5 files: the end-of-file address of the superblock, and the checksums of the superblock and of
// object headers.
#include <algorithm>
#include <cstring>

#include "fuzz/mutators/mutator.h"
#include "validator/formats/hep001/libhdf5/checksum.h"

namespace hepcheck::fuzz {

namespace {

using Image = std::span<std::uint8_t>;

std::uint64_t little(Image bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value |= std::uint64_t{bytes[at + i]} << (8 * i);
  return value;
}
void put_little(Image bytes, std::size_t at, std::size_t size, std::uint64_t value) {
  for (std::size_t i = 0; i < size; ++i)
    bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

void checksum(Image image, std::size_t from, std::size_t size) {
  if (size > image.size() || from > image.size() - size || image.size() - from - size < 4) return;
  const auto covered = std::as_bytes(image.subspan(from, size));
  put_little(image, from + size, 4, hep001::libhdf5::metadata_checksum(covered));
}

constexpr std::uint8_t kSignature[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

void mend_superblock(Image image) {
  if (image.size() < 96) return;
  std::ranges::copy(kSignature, image.begin());
  const std::uint8_t version = image[8];
  if (version <= 1)
    put_little(image, version == 0 ? 40 : 44, 8, image.size());  // end-of-file address
  if (version == 2 || version == 3) {
    put_little(image, 28, 8, image.size());
    checksum(image, 0, 44);
  }
}

// Object headers of version 2 say how long their first block is.
void mend_headers(Image image) {
  for (std::size_t at = 0; at + 16 < image.size(); ++at) {
    if (std::memcmp(&image[at], "OHDR", 4) != 0) continue;
    const std::uint8_t flags = image[at + 5];
    const std::size_t size_at = at + 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0);
    const std::size_t width = std::size_t{1} << (flags & 3);
    if (size_at + width > image.size()) continue;
    checksum(image, at, size_at + width - at + little(image, size_at, width));
  }
}

}  // namespace

void mend(Image file, std::minstd_rand& random) {
  if (random() % 8 != 0) mend_superblock(file);
  if (random() % 8 != 0) mend_headers(file);
}

}  // namespace hepcheck::fuzz
