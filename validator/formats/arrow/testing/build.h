// Builds streams and files for tests, byte by byte: an independent FlatBuffers writer, and the
// parts of messages. Omitted parts are absent.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hepcheck::arrow::testing {

using Bytes = std::string;

// The types of Type in Schema.fbs.
inline constexpr std::uint8_t kNullTag = 1, kIntTag = 2, kFloatTag = 3, kUtf8Tag = 5, kListTag = 12,
                              kStructTag = 13, kUnionTag = 14, kMapTag = 17;

template <class T>
Bytes raw(T value) {
  Bytes made(sizeof value, '\0');
  std::memcpy(made.data(), &value, sizeof value);
  return made;
}

// The other byte order of an integer.
template <class T>
Bytes big(T value) {
  return raw(std::byteswap(value));
}

template <class... T>
Bytes raw_all(T... values) {
  return (raw(values) + ... + Bytes());
}

inline Bytes padded(Bytes bytes, std::size_t unit = 8) {
  bytes.resize((bytes.size() + unit - 1) / unit * unit);
  return bytes;
}

struct TableOf;
using Tables = std::vector<TableOf>;

// A vector of scalars or structs, whose elements have that width.
struct Elements {
  std::size_t width;
  Bytes bytes;
};

// Fields by number. A scalar is given by its bytes.
struct TableOf {
  struct Value;
  std::vector<std::pair<unsigned, Value>> fields;
};
struct Text {
  Bytes text;
};
struct TableOf::Value : std::variant<Bytes, Text, Elements, TableOf, Tables> {
  using variant::variant;
};

// A flatbuffer with this root; children follow their parents.
Bytes flatbuffer(const TableOf& root);

// --- Messages ------------------------------------------------------------------------------------

TableOf field(const Bytes& name, std::uint8_t type_tag, TableOf type = {}, Tables children = {},
              bool nullable = true);
TableOf int_type(std::int32_t width = 32, bool is_signed = true);
TableOf dictionary_encoding(std::int64_t id);
TableOf dictionary(TableOf field, std::int64_t id, TableOf index_type = int_type());
TableOf schema(Tables fields, bool big_endian = false);

struct NodeOf {
  std::int64_t length, null_count;
};
// The bytes of a batch's body, buffer by buffer, each aligned to 8 (or to 64: `unit`).
struct BodyOf {
  Bytes bytes{}, entries{};
  void add(const Bytes& buffer, std::size_t unit = 64);
};
BodyOf body_of(const std::vector<Bytes>& buffers);
// A message with a record batch.
Bytes batch(std::int64_t length, const std::vector<NodeOf>& nodes,
            const std::vector<Bytes>& buffers);
TableOf record_batch(std::int64_t length, const std::vector<NodeOf>& nodes, const BodyOf& body);
TableOf dictionary_batch(std::int64_t id, TableOf data, bool delta = false);

enum : std::uint8_t { kSchemaTag = 1, kDictionaryTag, kRecordTag };
// Prefix, metadata, body.
Bytes message(std::uint8_t tag, TableOf header, const Bytes& body = {}, std::int16_t version = 4,
              Tables custom_metadata = {});
// A pair of custom metadata; either part may be absent.
TableOf key_value(const std::optional<Bytes>& key, const std::optional<Bytes>& value);
inline Bytes end_of_stream() { return raw_all(std::uint32_t{0xFFFFFFFF}, std::uint32_t{0}); }

}  // namespace hepcheck::arrow::testing
