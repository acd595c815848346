// Random tables of the types that a program declares, as streams and files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/suite/engine/reply.h"
#include "validator/catalogue/clause.h"

namespace hepcheck::arrow::suite {

struct RandomTable {
  std::string name{};   // "random/7.arrow", ".arrows" for a stream; named by its seed
  std::string image{};  // without compression
};

// The tables of `count` seeds from `seed` on, without maps and unions; of types that came after
// format 1.0 only if the revision has them. The same seed, types and revision give the same table.
std::vector<RandomTable> random_tables(const hepcheck::suite::Capabilities& can,
                                       const Specification& spec, std::uint64_t seed,
                                       std::uint64_t count);

}  // namespace hepcheck::arrow::suite
