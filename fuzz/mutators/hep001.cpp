// HDF5 files: the end-of-file address of the superblock, the checksums of the superblock and of
// object headers; and the tokens of a table's search indexes, without which the indexes are
// ignored.
#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "fuzz/mutators/mutator.h"
#include "validator/formats/hep001/libhdf5/checksum.h"

namespace hepcheck::fuzz {

namespace {

void checksum(Image image, std::size_t from, std::size_t size) {
  if (size > image.size() || from > image.size() - size || image.size() - from - size < 4) return;
  const auto covered = std::as_bytes(image.subspan(from, size));
  put_little(image, from + size, 4, hep001::libhdf5::metadata_checksum(covered));
}

constexpr std::uint8_t kSignature[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

void repair_superblock(Image image) {
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

// Object headers of version 2 state the length of their first block.
void repair_headers(Image image) {
  for (std::size_t at = 0; at + 16 < image.size(); ++at) {
    if (std::memcmp(&image[at], "OHDR", 4) != 0) continue;
    const std::uint8_t flags = image[at + 5];
    const std::size_t size_at = at + 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0);
    const std::size_t width = std::size_t{1} << (flags & 3);
    if (size_at + width > image.size()) continue;
    checksum(image, at, size_at + width - at + little(image, size_at, width));
  }
}

// The length of their other blocks is stated by the reference, an address and a length.
void repair_continuations(Image image) {
  constexpr std::size_t kLeast = 8;
  for (std::size_t block = 0; block + kLeast <= image.size(); ++block) {
    if (std::memcmp(&image[block], "OCHK", 4) != 0) continue;
    for (std::size_t at = 0; at + 16 <= image.size(); ++at) {
      if (little(image, at, 8) != block) continue;
      const std::uint64_t size = little(image, at + 8, 8);
      if (size >= kLeast && size <= image.size() - block) checksum(image, block, size - 4);
    }
  }
}

// The position of the value of a scalar attribute of 8 bytes with this name: after the name, the
// datatype and the dataspace, whose sizes precede the name; in messages of version 1 each is padded
// to a multiple of 8 bytes.
std::optional<std::size_t> value_behind(Image image, std::size_t name, std::size_t length) {
  for (const auto& [version, head, pad] : {std::tuple(1, 8, 8), {3, 9, 1}}) {
    const auto begin = name - static_cast<std::size_t>(head);
    if (name < static_cast<std::size_t>(head) || image[begin] != version ||
        little(image, begin + 2, 2) != length)
      continue;
    std::uint64_t at = name;
    for (const std::size_t part : {2, 4, 6}) {
      const std::uint64_t size = little(image, begin + part, 2),
                          step = static_cast<std::uint64_t>(pad);
      at += (size + step - 1) / step * step;
    }
    if (at + 8 <= image.size()) return at;
  }
  return std::nullopt;
}
template <class Take>
void for_each_value(Image image, std::string_view name, const Take& take) {
  const std::string_view all(reinterpret_cast<const char*>(image.data()), image.size());
  const std::string with_nul(name.data(), name.size() + 1);
  for (std::size_t at = all.find(with_nul); at != all.npos; at = all.find(with_nul, at + 1))
    if (const auto value = value_behind(image, at, with_nul.size())) take(*value);
}

// The tokens of every index become those of the first table.
void repair_tokens(Image image) {
  for (const auto& [of_table, of_index] :
       {std::pair("GENERATION", "SOURCE_GENERATION"), {"NROWS", "SOURCE_NROWS"}}) {
    std::optional<std::uint64_t> token;
    for_each_value(image, of_table, [&](std::size_t at) {
      if (!token) token = little(image, at, 8);
    });
    if (token)
      for_each_value(image, of_index, [&](std::size_t at) { put_little(image, at, 8, *token); });
  }
}

}  // namespace

void repair_hep001(Image file, std::minstd_rand& random) {
  if (random() % 8 != 0) repair_superblock(file);
  if (random() % 2 != 0) repair_tokens(file);
  if (random() % 8 == 0) return;
  repair_continuations(file);
  repair_headers(file);
}

}  // namespace hepcheck::fuzz
