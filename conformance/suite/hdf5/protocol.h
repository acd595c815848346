// The words of the hello of a program (defined in conformance/protocol-hdf5.md).
#pragma once

#include <string_view>

#include "conformance/suite/engine/reply.h"

namespace hepcheck::hdf5::suite {

using namespace hepcheck::suite;

inline constexpr std::string_view kOperations[] = {"read"};
inline constexpr std::string_view kDatatypes[] = {
    "integer", "other-integer", "float", "other-float", "string", "vlen-string", "enum",
    "opaque",  "bitfield",      "time",  "compound",    "array",  "vlen",        "reference"};
inline constexpr std::string_view kFeatures[] = {"attributes", "committed-types"};
inline constexpr Vocabulary kWords{
    .operations = kOperations, .datatypes = kDatatypes, .features = kFeatures};

}  // namespace hepcheck::hdf5::suite
