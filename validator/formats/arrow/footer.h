// The footer of a file: chapter 4.6 and File.fbs.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "validator/formats/arrow/message.h"
#include "validator/formats/arrow/schema.h"

namespace hepcheck::arrow {

struct Block {
  std::int64_t offset = 0;
  std::int32_t metadata_length = 0;
  std::int64_t body_length = 0;
  std::uint64_t byte = 0;  // of the file, if the footer contains it
};

struct Footer {
  SharedBytes bytes{};
  std::uint64_t at = 0;  // its first byte
  std::int16_t version = 0;
  std::optional<Schema> schema{};
  std::vector<Block> dictionaries{}, record_batches{};
  std::vector<KeyValue> metadata{};  // its own
};

// Null if it is invalid, or too large.
std::optional<Footer> read_footer(const Bytes& file, std::uint64_t at, std::uint64_t size,
                                  const Limits& limits, Notes& notes);

// The results of the walk through the stream of a file.
struct Found {
  std::vector<Message> batches{};  // dictionary batches and record batches
  std::unordered_map<std::uint64_t, std::size_t> by_offset{};  // their number
  std::unordered_map<std::uint64_t, Header> others{};          // other messages, by offset
  std::optional<std::int16_t> first_version{};
  SharedBytes first_bytes{};               // of the first message
  std::vector<KeyValue> first_metadata{};  // its own
  bool whole = false;                      // the stream could be read to its end
  std::uint64_t stopped_at = 0;            // the position where it could not
};

// The messages to judge, in the order of the footer's blocks; each once.
struct Listed {
  std::vector<Message> dictionaries{}, record_batches{};
  bool all_dictionaries = true;  // each block leads to one
};
Listed judge_blocks(const Bytes& file, const Footer& footer, const Found& found,
                    const Limits& limits, Notes& notes);

// Compares the footer with the stream; `schema` is that of the stream, if it has one.
void judge_footer(const Footer& footer, const Schema* schema, const Found& found, Notes& notes);

}  // namespace hepcheck::arrow
