// The words of the hello of a program (defined in conformance/protocol-arrow.md).
#pragma once

#include <string_view>

#include "conformance/suite/engine/reply.h"

namespace hepcheck::arrow::suite {

inline constexpr std::string_view kOperations[] = {"describe", "read", "copy", "write"};
inline constexpr std::string_view kDatatypes[] = {"null",           "int",
                                                  "float",          "bool",
                                                  "binary",         "utf8",
                                                  "date",           "large-binary",
                                                  "large-utf8",     "decimal",
                                                  "time",           "timestamp",
                                                  "list",           "interval",
                                                  "duration",       "struct",
                                                  "large-list",     "fixed-size-list",
                                                  "union",          "map",
                                                  "dictionary",     "fixed-size-binary",
                                                  "binary-view",    "utf8-view",
                                                  "list-view",      "large-list-view",
                                                  "run-end-encoded"};
inline constexpr std::string_view kFeatures[] = {
    "stream", "file", "batches", "children", "null-counts", "metadata", "v4", "lz4", "zstd"};
inline constexpr hepcheck::suite::Vocabulary kWords{
    .operations = kOperations, .datatypes = kDatatypes, .features = kFeatures};

}  // namespace hepcheck::arrow::suite
