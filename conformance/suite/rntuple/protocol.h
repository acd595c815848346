// The words of the hello of a program (defined in conformance/protocol-rntuple.md).
#pragma once

#include <string_view>

#include "conformance/suite/engine/reply.h"

namespace hepcheck::rntuple::suite {

using namespace hepcheck::suite;

inline constexpr std::string_view kOperations[] = {"read"};
// The kinds of fields.
inline constexpr std::string_view kDatatypes[] = {
    "bool",     "char",   "byte",  "integer", "float",   "string",  "collection",
    "optional", "record", "array", "bitset",  "variant", "wrapper", "cardinality"};
inline constexpr std::string_view kFeatures[] = {"projected"};
inline constexpr Vocabulary kWords{
    .operations = kOperations, .datatypes = kDatatypes, .features = kFeatures};

}  // namespace hepcheck::rntuple::suite
