// Random tables of the types that a program declares, as streams and files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "conformance/suite/engine/reply.h"

namespace hepcheck::arrow::suite {

struct RandomTable {
  std::string name{};   // "random/7.arrow", ".arrows" for a stream; named by its seed
  std::string image{};  // without compression
};

// The tables of `count` seeds from `seed` on; one file at a time is created in `folder`. The same
// seed and types give the same table.
std::vector<RandomTable> random_tables(const hepcheck::suite::Capabilities& can, std::uint64_t seed,
                                       std::uint64_t count, const std::filesystem::path& folder);

}  // namespace hepcheck::arrow::suite
