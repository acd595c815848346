// RNTuples: the magic of the file, and the checksums of anchors and raw envelopes, header first,
// since footer and page lists repeat that of the header.
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "fuzz/mutators/mutator.h"

namespace hepcheck::fuzz {

namespace {

std::uint64_t number(Image bytes, std::size_t at, std::size_t size, bool big) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i)
    value |= std::uint64_t{bytes[at + i]} << 8 * (big ? size - 1 - i : i);
  return value;
}

void put(Image bytes, std::size_t at, std::uint64_t value, bool big) {
  for (std::size_t i = 0; i < 8; ++i)
    bytes[at + i] = static_cast<std::uint8_t>(value >> 8 * (big ? 7 - i : i));
}

// Of the raw envelope at these bytes.
std::uint64_t repair_envelope(Image envelope) {
  const std::uint64_t sum = XXH3_64bits(envelope.data(), envelope.size() - 8);
  put(envelope, envelope.size() - 8, sum, false);
  return sum;
}

// The envelope that three numbers of an anchor describe; empty if it is not raw or not there.
Image envelope_at(Image file, std::size_t numbers) {
  const std::uint64_t seek = number(file, numbers, 8, true);
  const std::uint64_t size = number(file, numbers + 8, 8, true);
  if (size < 32 || seek > file.size() || size > file.size() - seek) return {};
  if (number(file, numbers + 16, 8, true) != size) return {};
  return file.subspan(seek, size);
}

// The page lists are found by their first word, wherever they are.
void repair_page_lists(Image file, std::uint64_t header_sum) {
  constexpr std::size_t kLeast = 48, kMost = 1 << 20;
  for (std::size_t at = 0; at + kLeast <= file.size(); ++at) {
    const std::uint64_t word = number(file, at, 8, false);
    const std::uint64_t length = word >> 16;
    if ((word & 0xFFFF) != 3 || length < kLeast || length > kMost || length > file.size() - at)
      continue;
    const Image list = file.subspan(at, length);
    put(list, 8, header_sum, false);
    repair_envelope(list);
  }
}

// The anchor whose byte count is at this position.
void repair_anchor(Image file, std::size_t at) {
  constexpr std::size_t kBefore = 6, kNumbers = 14, kShort = 70, kLong = 78;
  if (at + kShort > file.size()) return;
  const std::size_t size = number(file, at + 4, 2, true) >= 6 ? kLong : kShort;
  if (at + size > file.size()) return;
  const Image header = envelope_at(file, at + kNumbers),
              footer = envelope_at(file, at + kNumbers + 24);
  if (!header.empty()) {
    const std::uint64_t sum = repair_envelope(header);
    repair_page_lists(file, sum);
    if (footer.size() > 24) put(footer, 16, sum, false);
  }
  if (!footer.empty()) repair_envelope(footer);
  put(file, at + size - 8, XXH3_64bits(file.data() + at + kBefore, size - kBefore - 8), true);
}

}  // namespace

void repair_rntuple(Image file, std::minstd_rand& random) {
  constexpr std::string_view kClass = "ROOT::Experimental::RNTuple";
  if (file.size() > 4 && random() % 8 != 0) std::memcpy(file.data(), "root", 4);
  if (random() % 8 == 0) return;
  for (auto at = file.begin();;) {
    const auto found = std::search(at, file.end(), kClass.begin(), kClass.end());
    if (found == file.end()) return;
    // In front of the name of the class there are its length and the numbers of the key.
    const auto name = static_cast<std::size_t>(found - file.begin());
    if (name >= 27) {
      const std::size_t key = name - 27;
      repair_anchor(file, key + number(file, key + 14, 2, true));
    }
    at = found + kClass.size();
  }
}

}  // namespace hepcheck::fuzz
