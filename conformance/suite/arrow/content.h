// The content of a stream or a file, cell by cell, in the notation of the protocol
// (conformance/protocol-arrow.md): the reply of a correct reader, and the output of a writer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "conformance/suite/engine/reply.h"
#include "validator/catalogue/clause.h"
#include "validator/result.h"

namespace hepcheck::arrow::suite {

using namespace hepcheck::suite;

struct ColumnContent {
  std::vector<Json> values{};
  std::int64_t null_count = 0;  // as stated by its node
  // For a struct: the values of each child, regardless of the validity of the struct.
  std::vector<std::vector<Json>> children{};
};

struct BatchContent {
  std::int64_t rows = 0;
  std::vector<ColumnContent> columns{};
};

struct Content {
  Json fields = Json::array(), metadata = Json::array();
  bool big_endian = false;
  bool is_file = false;
  std::set<std::int16_t> versions{};  // of the messages and the footer, as numbered by Message.fbs
  std::set<std::string> codecs{};     // of its batches: "lz4", "zstd"
  std::vector<std::int64_t> features{};
  std::vector<BatchContent> batches{};
};

// Reads a valid input completely, independently of the program under test; the error states the
// obstacle: a defect, a type that the revision does not have, arrays of more than a million slots.
Result<Content> read_content(std::span<const std::byte> image, const std::string& name,
                             const Specification& spec);

// The type classes that occur in fields: "int", "list", "dictionary", ...
std::vector<std::string> classes_in(const Json& fields);

}  // namespace hepcheck::arrow::suite
