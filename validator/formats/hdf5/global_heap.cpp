#include "validator/formats/hdf5/global_heap.h"

#include <cstdint>

namespace hepcheck::hdf5 {

namespace {

constexpr std::uint64_t aligned(std::uint64_t size) {
  return size > kUndefined - 7 ? kUndefined : (size + 7) / 8 * 8;
}

// Reads from the file; none if the range is outside.
std::optional<Block> taken(Container& file, std::uint64_t address, std::uint64_t size) {
  if (!file.inside(address, size)) return std::nullopt;
  Block made(size, file.place("GCOL", address));
  if (!file.read(address, made.bytes())) return std::nullopt;
  return made;
}

}  // namespace

std::optional<std::string> heap_text(const Region& element, Container& file) {
  Cursor reference(element);
  const std::uint64_t length = reference.u32();
  const std::uint64_t collection = reference.address(file.offset_size);
  const std::uint32_t number = reference.u32();
  if (!reference.good()) return std::nullopt;
  if (length == 0) return std::string();
  const std::uint64_t head = aligned(8 + std::uint64_t{file.length_size});
  const auto start = taken(file, collection, head);
  if (!start || !start->region().begins("GCOL")) return std::nullopt;
  Cursor of_collection(start->region().part(8));
  const std::uint64_t end = sum(collection, of_collection.number(file.length_size));
  std::uint64_t at = collection + head;
  while (sum(at, head) <= end) {
    const auto object = taken(file, at, head);
    if (!object) return std::nullopt;
    Cursor read(object->region());
    const std::uint16_t index = read.u16();
    read.skip(6);
    const std::uint64_t size = read.number(file.length_size);
    if (index == 0) return std::nullopt;  // the rest is free
    if (index != number) {
      at = sum(at + head, aligned(size));
      continue;
    }
    if (size < length || sum(at + head, size) > end) return std::nullopt;
    const auto text = taken(file, at + head, length);
    if (!text) return std::nullopt;
    const auto bytes = text->region().bytes;
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return std::nullopt;
}

}  // namespace hepcheck::hdf5
