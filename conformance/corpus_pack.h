// The files below fixtures/, as the build packed them.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace hepcheck::conformance {

struct PackedFile {
  std::string_view name;  // relative to fixtures/
  std::span<const std::byte> bytes;
};

std::span<const PackedFile> packed_files();

// The blob that they are in. The build generates this function (pack.cpp).
std::span<const std::byte> packed_corpus();

}  // namespace hepcheck::conformance
