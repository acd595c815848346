// What a repair says, as text, and files to repair.
#pragma once

#include <cstddef>
#include <format>
#include <span>
#include <string>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/lookup3.h"
#include "validator/repair/repair.h"
#include "validator/testing/number.h"

namespace hepcheck::hdf5::testing {

inline std::string text_of(const RepairedSubject& subject) {
  std::string text;
  for (const RepairChange& each : subject.changes)
    text += std::format("{}|{}|{}|{}|{}|{}\n", each.clause, each.object, each.attribute, each.act,
                        each.from, each.to);
  for (const RepairLeft& each : subject.left)
    text += std::format("{}|{}|{}|{}|{}|{}\n", each.clause, each.object, each.where, each.observed,
                        each.expected, each.why);
  for (const std::string& each : subject.notes) text += each + '\n';
  return text;
}

// With these status flags in its superblock, and a checksum that fits; unchanged if that has
// another version, or is not at the beginning.
inline std::string marked(std::string image, unsigned flags) {
  constexpr std::size_t kVersionAt = 8, kWidthAt = 9, kFlagsAt = 11, kAddressesAt = 12;
  if (!image.starts_with("\x89HDF") || image[kVersionAt] != 3) return image;
  image[kFlagsAt] = static_cast<char>(flags);
  const std::size_t size = kAddressesAt + 4 * static_cast<std::size_t>(image[kWidthAt] & 15);
  if (image.size() < size + kChecksum) return image;
  const std::string sum = number(lookup3(std::as_bytes(std::span(image)).first(size)), 4);
  return image.replace(size, sum.size(), sum);
}

}  // namespace hepcheck::hdf5::testing
