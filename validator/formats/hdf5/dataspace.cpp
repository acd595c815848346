#include "validator/formats/hdf5/dataspace.h"

#include <algorithm>
#include <format>

#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

void version(const Dataspace& it, Look& look) {
  look.looked();
  if (it.version != 1 && it.version != 2)
    look.fail(0, std::format("version {}", it.version), "version 1 or 2");
}

void rank(const Dataspace& it, Look& look) {
  look.looked();
  if (it.rank > kMostDimensions) look.fail(1, std::format("{} dimensions", it.rank), "32 at most");
}

void type(const Dataspace& it, Look& look) {
  if (it.version != 2) return;
  look.looked();
  if (it.type > 2)
    look.fail(3, std::format("type {}", it.type), "0 (scalar), 1 (simple) or 2 (null)");
  else if (it.type != 1 && it.rank != 0)
    look.fail(3, std::format("type {} with {} dimensions", it.type, it.rank), "no dimensions");
}

void fits(const Dataspace& it, Look& look) {
  look.looked();
  if (!it.whole)
    look.fail(0, "the message ends before its last dimension",
              std::format("a message that holds the sizes{} of {} dimensions",
                          (it.flags & 1) != 0 ? " and maxima" : "", it.rank));
}

void max(const Dataspace& it, Look& look) {
  look.looked();
  for (unsigned d = 0; d < it.rank; ++d)
    if (it.sizes[d] > it.maxima[d])
      return look.fail(
          0,
          std::format("size {} of dimension {}, with the maximum {}", it.sizes[d], d, it.maxima[d]),
          "a size up to the maximum");
}

constexpr Rule<Dataspace> kDataspaceRules[] = {
    {"swmr-dataspace-version", version}, {"swmr-dataspace-rank", rank},
    {"swmr-dataspace-type", type},       {"swmr-dataspace-fits", fits},
    {"swmr-dataspace-max", max},
};

// --- The form of a sound message ----------------------------------------------------------------

void space_flags_reserved(const Dataspace& it, Look& look) {
  look.looked();
  if ((it.flags & (it.version == 1 ? 0xfc : 0xfe)) != 0)
    look.fail(2, std::format("flags {:#04x}", it.flags),
              it.version == 1 ? "bits 2 to 7 clear" : "bits 1 to 7 clear");
}

void permutation(const Dataspace& it, Look& look) {
  if (it.version != 1) return;
  look.looked();
  if ((it.flags & 2) != 0) look.fail(2, "permutation indices", "none");
}

void space_reserved(const Dataspace& it, Look& look) {
  if (it.version != 1) return;
  look.looked();
  if (it.reserved) look.fail(3, "reserved bytes that are not zero", "zeros");
}

constexpr Rule<Dataspace> kSpaceFormRules[] = {
    {"h5-dataspace-flags-reserved", space_flags_reserved},
    {"h5-dataspace-permutation", permutation},
    {"h5-dataspace-reserved", space_reserved},
};

// --- What can be counted ------------------------------------------------------------------------

void size_limited(const Dataspace& it, Look& look) {
  look.looked();
  for (unsigned d = 0; d < it.rank; ++d)
    if (it.sizes[d] == kUndefined)
      return look.fail(0, std::format("an unlimited current size of dimension {}", d), "a number");
}

void elements_counted(const Dataspace& it, Look& look) {
  look.looked();
  if (it.elements() == kUndefined)
    look.fail(0, "more elements than 64 bits can count", "fewer than 2^64");
}

constexpr Rule<Dataspace> kElementsRules[] = {
    {"h5-dataspace-size-limited", size_limited},
    {"h5-dataspace-elements", elements_counted},
};

struct SpaceBytes {
  std::uint64_t elements;
  std::uint32_t type_size;
};

constexpr Rule kBytesRule("h5-dataset-size", [](const SpaceBytes& it, Look& look) {
  look.looked();
  if (product(it.elements, it.type_size) == kUndefined)
    look.fail(0, std::format("{} elements of {} bytes", it.elements, it.type_size),
              "fewer than 2^64 bytes");
});

}  // namespace

void dataspace_rules(RuleList& list) {
  list.structure<kDataspaceRules, kSpaceFormRules, kElementsRules, kBytesRule>();
}

bool elements_hold(const Dataspace& space, const Place& at, Notes& notes) {
  return judge<kElementsRules>(space, at, notes);
}

bool bytes_hold(const Dataspace& space, std::uint32_t type_size, const Place& at, Notes& notes) {
  return judge<kBytesRule>(SpaceBytes{space.elements(), type_size}, at, notes);
}

std::uint64_t Dataspace::elements() const {
  if (null()) return 0;
  if (std::ranges::contains(size(), 0U)) return 0;
  std::uint64_t count = 1;
  for (const std::uint64_t each : size()) count = product(count, each);
  return count;
}

unsigned Dataspace::unlimited() const {
  return static_cast<unsigned>(std::ranges::count(maximum(), kUndefined));
}

bool Dataspace::can_grow() const {
  for (unsigned d = 0; d < rank; ++d)
    if (sizes[d] < maxima[d]) return true;
  return false;
}

Dataspace parse_dataspace(const Region& message, unsigned length_size) {
  Cursor read(message);
  Dataspace made{.version = read.u8("version"), .rank = read.u8("rank"), .flags = read.u8("flags")};
  made.type = read.u8("type");
  if (made.version == 1) {
    made.reserved = made.type != 0;
    made.type = 1;
    made.reserved |= read.u32("reserved") != 0;
  }
  if (made.rank > kMostDimensions) return made;
  for (unsigned d = 0; d < made.rank; ++d)
    made.sizes[d] = read.number_or_undefined(length_size, "size");
  made.maxima = made.sizes;
  if ((made.flags & 1) != 0)
    for (unsigned d = 0; d < made.rank; ++d)
      made.maxima[d] = read.number_or_undefined(length_size, "maximum");
  made.whole = read.good();
  made.encoded = read.at();
  // Nobody writes permutation indices, and no clause asks that they fit.
  if (made.version == 1 && (made.flags & 2) != 0) {
    const std::uint64_t size = std::min(read.rest(), std::uint64_t{made.rank} * length_size);
    made.encoded += read.take(size, "permutation indices").size();
  }
  return made;
}

std::optional<Dataspace> read_dataspace(const Region& message, Container& file) {
  const Dataspace made = parse_dataspace(message, file.length_size);
  if (!judge<kDataspaceRules>(made, message.place, file.notes)) return std::nullopt;
  judge_each<kSpaceFormRules>(made, message.place, file.notes);
  return made;
}

}  // namespace hepcheck::hdf5
