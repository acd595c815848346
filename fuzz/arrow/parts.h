// Streams and files of the corpus in parts, and what is read of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/table_text.h"
#include "validator/bytes.h"
#include "validator/formats/arrow/exchange/read_table.h"
#include "validator/formats/arrow/testing/build.h"

namespace hepcheck::arrow::parts {

template <class T>
T number_at(std::string_view bytes, std::size_t at) {
  T made{};
  if (at <= bytes.size() && bytes.size() - at >= sizeof made)
    std::memcpy(&made, bytes.data() + at, sizeof made);
  return made;
}

// Where a field of the root table of a flatbuffer is; 0 if it is absent.
inline std::size_t field_at(std::string_view buffer, unsigned field) {
  const std::size_t table = number_at<std::uint32_t>(buffer, 0);
  const std::size_t names =
      table - static_cast<std::size_t>(std::int64_t{number_at<std::int32_t>(buffer, table)});
  if (4 + 2 * field >= number_at<std::uint16_t>(buffer, names)) return 0;
  const std::size_t offset = number_at<std::uint16_t>(buffer, names + 4 + 2 * field);
  return offset == 0 ? 0 : table + offset;
}

inline constexpr std::uint32_t kContinuation = 0xFFFFFFFF;
inline constexpr std::size_t kBegin = 8,
                             kEnd = 10;  // before the stream of a file, and behind its footer

// A file in parts; a stream has messages only.
struct Parts {
  testing::Bytes begin{}, footer{};
  std::vector<testing::Bytes> messages{};
  testing::Bytes rest{};  // the end of the stream, and what is not taken apart

  bool file() const { return !begin.empty(); }
  testing::Bytes bytes() const {
    testing::Bytes made = begin;
    for (const testing::Bytes& each : messages) made += each;
    return made + rest + footer;
  }
};

inline Parts parts_of(std::string_view input) {
  Parts made;
  if (input.starts_with("ARROW1") && input.size() > kBegin + kEnd) {
    const std::size_t size = number_at<std::uint32_t>(input, input.size() - kEnd) + kEnd;
    const std::size_t footer = size < input.size() - kBegin ? input.size() - size : input.size();
    made.begin = input.substr(0, kBegin);
    made.footer = input.substr(footer);
    input = input.substr(kBegin, footer - kBegin);
  }
  while (number_at<std::uint32_t>(input, 0) == kContinuation) {
    const std::uint64_t metadata = number_at<std::uint32_t>(input, 4);
    if (metadata == 0 || metadata > input.size() - 8) break;
    const std::size_t body = field_at(input.substr(8, metadata), 3);
    const auto length = body == 0 ? 0 : number_at<std::uint64_t>(input, 8 + body);
    if (length > input.size() - 8 - metadata) break;
    const std::uint64_t size = 8 + metadata + length;
    made.messages.emplace_back(input.substr(0, size));
    input.remove_prefix(size);
  }
  made.rest = input;
  return made;
}

// The table that is read, or why none is.
inline std::string table_of(std::span<const std::byte> bytes) {
  const auto read = read_table(hepcheck::Bytes::of_image(bytes, "image"), {}, 1 << 20);
  if (!read) return read.error().text() + '\n';
  std::string text = conformance::table_text(read->table);
  for (const std::string& each : read->losses) text += each + '\n';
  return text;
}

}  // namespace hepcheck::arrow::parts
