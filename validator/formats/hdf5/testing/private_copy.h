// A file that only a test knows, as the commands that change files have it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "validator/bytes.h"
#include "validator/rewrite.h"
#include "validator/testing/memory_file.h"

namespace hepcheck::hdf5::testing {

inline std::unique_ptr<Rewrite> copy_of(std::string_view bytes) {
  return Rewrite::of_private(memory_file(bytes), "copy").value();
}

inline std::string bytes_of(const Rewrite& file) {
  const Bytes bytes = Bytes::of_descriptor(file.descriptor(), "copy");
  std::string made(bytes.size(), '\0');
  EXPECT_TRUE(bytes.read(0, std::as_writable_bytes(std::span(made))));
  return made;
}

}  // namespace hepcheck::hdf5::testing
