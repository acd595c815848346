// What a stream or a file holds, cell by cell, in the notation of the protocol
// (conformance/protocol-arrow.md): what a right reader would reply, and what a writer has written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/suite/engine/reply.h"
#include "validator/result.h"

namespace hepcheck::arrow::suite {

using namespace hepcheck::suite;

struct ColumnContent {
  std::vector<Json> values{};
  std::int64_t null_count = 0;  // as its node says
  // Of a struct: the values of each child, whatever the struct says of its slots.
  std::vector<std::vector<Json>> children{};
};

struct BatchContent {
  std::int64_t rows = 0;
  std::vector<ColumnContent> columns{};
};

struct Content {
  Json fields = Json::array(), metadata = Json::array();
  bool big_endian = false;
  std::int16_t version = 0;  // of the messages, as Message.fbs numbers it
  bool compressed = false;   // some batch is
  std::vector<std::int64_t> features{};
  std::vector<BatchContent> batches{};
};

// Reads all of a sound input, independently of the program under test; the error says what stands
// in the way: a defect, a type that came after format 1.0, arrays of more than a million slots.
Result<Content> read_content(std::span<const std::byte> image, const std::string& name);

// The type classes that occur in fields: "int", "list", "dictionary", ...
std::vector<std::string> classes_in(const Json& fields);

}  // namespace hepcheck::arrow::suite
