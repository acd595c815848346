// The canonical bytes of a stored value, for targets that compare them.
#pragma once

#include <cstddef>
#include <vector>

#include "validator/formats/hep001/derive/bloom.h"

namespace hepcheck::fuzz {

inline std::vector<std::byte> canonical_of(const hep001::Datatype& type,
                                           const std::vector<std::byte>& stored) {
  if (type.variable_string()) return stored;
  return hep001::visit_codec(type, [&](auto codec) {
    std::byte scratch[8];
    const auto bytes = hep001::canonical_bytes(codec, stored.data(), scratch);
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  });
}

}  // namespace hepcheck::fuzz
