// Arrow: the magic of a file, and for each message the marker, the size of its metadata, the offset
// of its root table and of the vtable, and the length of its body.
#include <algorithm>
#include <optional>

#include "fuzz/mutators/mutator.h"

namespace hepcheck::fuzz {

namespace {

constexpr std::uint8_t kMagic[] = {'A', 'R', 'R', 'O', 'W', '1'};
constexpr std::size_t kPrefix = 8, kBodyLength = 3;  // the field number of Message.bodyLength

// Most of the bytes still exist.
bool was_magic(Image bytes) {
  return std::ranges::count_if(kMagic, [&](const std::uint8_t& each) {
           return bytes[static_cast<std::size_t>(&each - kMagic)] == each;
         }) >= 3;
}

void repair_magic(Image file) {
  constexpr std::size_t kSize = sizeof kMagic;
  if (file.size() < 2 * kSize) return;
  const Image first = file.first(kSize), last = file.last(kSize);
  if (!was_magic(first) && !was_magic(last)) return;
  std::ranges::copy(kMagic, first.begin());
  std::ranges::copy(kMagic, last.begin());
}

// The beginning of the next message, at a multiple of 8.
std::size_t next_message(Image file, std::size_t at) {
  for (; at + kPrefix <= file.size(); at += 8)
    if (little(file, at, 4) == 0xFFFFFFFF) return at;
  return file.size();
}

// The position of a field in the metadata, if the path to it is valid. Repairs that path first.
std::optional<std::size_t> field_of_root(Image metadata, std::size_t field,
                                         std::minstd_rand& random) {
  if (metadata.size() < 16) return std::nullopt;
  std::size_t root = little(metadata, 0, 4);
  if (root < 4 || root > metadata.size() - 8 || root % 4 != 0) {
    root = 4 + 4 * (random() % (metadata.size() / 4 - 2));
    put_little(metadata, 0, 4, root);
  }
  const std::size_t vtable = static_cast<std::uint32_t>(root - little(metadata, root, 4));
  if (vtable + 4 > metadata.size() || vtable % 2 != 0) return std::nullopt;
  const std::size_t entry = vtable + 4 + 2 * field;
  if (entry + 2 > metadata.size() || 6 + 2 * field > little(metadata, vtable, 2))
    return std::nullopt;
  const std::size_t at = root + little(metadata, entry, 2);
  return at > root && at + 8 <= metadata.size() ? std::optional(at) : std::nullopt;
}

// The message between two positions.
void repair_message(Image message, std::minstd_rand& random) {
  std::size_t size = little(message, 4, 4);
  if (size == 0) return;  // the end of the stream
  if (size % 8 != 0 || size > message.size() - kPrefix) {
    size = std::min(size / 8 * 8, (message.size() - kPrefix) / 8 * 8);
    put_little(message, 4, 4, size);
  }
  const auto body_length = field_of_root(message.subspan(kPrefix, size), kBodyLength, random);
  if (body_length && random() % 4 != 0)
    put_little(message, kPrefix + *body_length, 8, message.size() - kPrefix - size);
}

}  // namespace

void repair_arrow(Image file, std::minstd_rand& random) {
  if (random() % 8 != 0) repair_magic(file);
  if (random() % 8 == 0) return;
  for (std::size_t at = next_message(file, 0); at < file.size();) {
    const std::size_t next = next_message(file, at + kPrefix);
    if (random() % 8 != 0) repair_message(file.subspan(at, next - at), random);
    at = next;
  }
}

}  // namespace hepcheck::fuzz
