// A container that a test fills.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/specifications.h"
#include "validator/formats/hdf5/testing/bytes.h"

namespace hepcheck::hdf5::testing {

// A file of zeros, judged by all clauses about files.
struct Zeros {
  std::vector<std::byte> image;
  Bytes bytes = Bytes::of_image(image, "test");
  Limits limits{};
  Notes notes{default_revision("hdf5"), 100,
              [](std::uint32_t object) { return '/' + std::to_string(object); }};
  Container file{bytes, limits, notes};

  explicit Zeros(std::size_t size = 4096) : image(size) {
    file.end = image.size();
    file.whole_format = true;
  }
  void write(std::size_t at, std::string_view text) {
    std::ranges::copy(std::as_bytes(std::span(text)),
                      image.begin() + static_cast<std::ptrdiff_t>(at));
  }
  // What a clause has found.
  std::vector<std::string> found(const ClauseId& clause) const {
    std::vector<std::string> made;
    for (const Finding& each : notes.probe_of(clause).findings()) made.push_back(each.observed);
    return made;
  }
};

}  // namespace hepcheck::hdf5::testing
