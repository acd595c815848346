#include "validator/formats/hdf5/repair/stored.h"

#include <algorithm>
#include <string_view>

#include "validator/formats/hdf5/lookup3.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

std::uint64_t number(std::span<const std::byte> block, std::size_t at, std::size_t size) {
  return Cursor(Region{block.subspan(at, size)}).number(static_cast<unsigned>(size));
}

void put(std::span<std::byte> block, std::size_t at, std::size_t size, std::uint64_t value) {
  for (std::size_t i = 0; i < size; ++i) block[at + i] = static_cast<std::byte>(value >> (8 * i));
}

void renew_checksum(std::span<std::byte> block) {
  const std::size_t at = block.size() - kChecksum;
  put(block, at, kChecksum, lookup3(block.first(at)));
}

std::optional<std::uint64_t> allocation_end_at(const ContainerWalk& walk) {
  const std::optional<SpaceInfo>& space = walk.space();
  if (!space || !space->whole || space->version == 0 || space->end_of_allocation == kUndefined)
    return std::nullopt;
  return space->lists.place.block + space->lists.place.offset;
}

std::optional<Overwrite> without_lists(ContainerWalk& walk, const Bytes& file) {
  constexpr std::byte kNone{0xff};
  const std::optional<SpaceInfo>& space = walk.space();
  if (!space || space->lists.size() == 0 || !space->whole) return std::nullopt;
  const Place& at = space->lists.place;
  const Extents& extents = walk.container().extents;
  for (const Extent& extent : extents.all()) {
    if (walk.container().base + extent.address != at.block) continue;
    Overwrite made{.position = at.block, .bytes = std::vector<std::byte>(extent.size)};
    const std::uint64_t size = space->lists.size();
    if (!file.read(at.block, made.bytes) || at.offset > extent.size ||
        size > extent.size - at.offset)
      return std::nullopt;
    const std::vector<std::byte> before = made.bytes;
    const std::size_t width = walk.container().offset_size;
    const auto numbers = std::span(made.bytes).subspan(at.offset, size);
    std::ranges::fill(numbers.subspan(space->version == 0 ? 0 : width), kNone);
    if (allocation_end_at(walk)) put(numbers, 0, width, walk.superblock().end());
    if (made.bytes == before) return std::nullopt;
    const std::string_view kind = extents.kind(extent);
    if (kind == "OHDR" || kind == "OCHK") renew_checksum(made.bytes);
    return made;
  }
  return std::nullopt;
}

}  // namespace hepcheck::hdf5
