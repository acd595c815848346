#include "fuzz/rntuple/checksums.h"

#include <xxhash.h>

#include <algorithm>
#include <string_view>

namespace hepcheck::fuzz::rntuple {

namespace {

using Image = std::span<std::uint8_t>;

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

// Page lists and metadata are found by their first word and the list with which their content
// begins, wherever they are.
void repair_other_envelopes(Image file, std::uint64_t header_sum) {
  constexpr std::uint64_t kPageList = 3, kMetadata = 4;
  constexpr std::size_t kLeast = 32, kMost = 1 << 20;
  for (std::size_t at = 0; at + kLeast <= file.size(); ++at) {
    const std::uint64_t word = number(file, at, 8, false);
    const std::uint64_t type = word & 0xFFFF, length = word >> 16;
    if ((type != kPageList && type != kMetadata) || length < kLeast || length > kMost ||
        length > file.size() - at)
      continue;
    const Image envelope = file.subspan(at, length);
    // Lists have negative sizes.
    const std::uint64_t list = ~number(envelope, type == kPageList ? 16 : 8, 8, false) + 1;
    if (list == 0 || list > length) continue;
    if (type == kPageList) put(envelope, 8, header_sum, false);
    repair_envelope(envelope);
  }
}

// The anchor of so many bytes whose byte count is at this position.
void repair_anchor(Image file, std::size_t at, std::size_t size) {
  constexpr std::size_t kPrefix = 6, kNumbers = 14, kLeast = 70;
  if (at > file.size() || size < kLeast || size > file.size() - at) return;
  const Image header = envelope_at(file, at + kNumbers),
              footer = envelope_at(file, at + kNumbers + 24);
  if (!header.empty()) {
    const std::uint64_t sum = repair_envelope(header);
    repair_other_envelopes(file, sum);
    if (footer.size() > 24) put(footer, 16, sum, false);
  }
  if (!footer.empty()) repair_envelope(footer);
  put(file, at + size - 8, XXH3_64bits(file.data() + at + kPrefix, size - kPrefix - 8), true);
}

// The anchor behind the key at this position, whose name of the class is behind 27 bytes, or 35 if
// its pointers are wide. The same key in a list of keys leads to another position.
void repair_anchor_of(Image file, std::size_t key, bool wide) {
  constexpr std::uint64_t kWide = 1000;
  if ((number(file, key + 4, 2, true) > kWide) != wide) return;
  if (number(file, key + 18, wide ? 8 : 4, true) != key) return;
  const std::uint64_t length = number(file, key + 14, 2, true),
                      size = number(file, key + 6, 4, true);
  if (number(file, key, 4, true) == length + size) repair_anchor(file, key + length, size);
}

}  // namespace

void repair_checksums(Image file) {
  constexpr std::string_view kClass = "ROOT::Experimental::RNTuple";
  for (auto at = file.begin();;) {
    const auto found = std::search(at, file.end(), kClass.begin(), kClass.end());
    if (found == file.end()) return;
    const auto name = static_cast<std::size_t>(found - file.begin());
    for (const bool wide : {false, true})
      if (const std::size_t before = wide ? 35 : 27; name >= before)
        repair_anchor_of(file, name - before, wide);
    at = found + kClass.size();
  }
}

}  // namespace hepcheck::fuzz::rntuple
