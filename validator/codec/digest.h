// Digests of bytes, in hexadecimal.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace hepcheck {

std::string md5(std::span<const std::byte> bytes);
std::string sha256(std::span<const std::byte> bytes);

}  // namespace hepcheck
