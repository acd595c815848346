#include "validator/formats/arrow/testing/build.h"

#include <algorithm>

namespace hepcheck::arrow::testing {

namespace {

class Writer {
 public:
  Bytes take(const TableOf& root) {
    bytes_ = raw(std::uint32_t{0});
    const std::size_t at = table(root);
    put(0, static_cast<std::uint32_t>(at));
    return padded(std::move(bytes_));
  }

 private:
  template <class T>
  void put(std::size_t at, T value) {
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }
  void align(std::size_t unit, std::size_t ahead = 0) {
    while ((bytes_.size() + ahead) % unit != 0) bytes_ += '\0';
  }

  static std::size_t width(const TableOf::Value& value) {
    return value.index() == 0 ? std::get<0>(value).size() : 4;
  }

  std::size_t table(const TableOf& it) {
    unsigned count = 0;
    for (const auto& [id, value] : it.fields) count = std::max(count, id + 1);
    align(2);
    const std::size_t vtable = bytes_.size();
    bytes_ += Bytes(4 + 2 * count, '\0');
    align(8);
    const std::size_t at = bytes_.size();
    bytes_ += raw(static_cast<std::int32_t>(at - vtable));
    std::vector<std::pair<std::size_t, const TableOf::Value*>> offsets;
    for (const auto& [id, value] : it.fields) {
      align(std::min<std::size_t>(8, width(value)));
      put(vtable + 4 + 2 * id, static_cast<std::uint16_t>(bytes_.size() - at));
      if (value.index() != 0) offsets.emplace_back(bytes_.size(), &value);
      bytes_ += value.index() == 0 ? std::get<0>(value) : Bytes(4, '\0');
    }
    put(vtable, static_cast<std::uint16_t>(4 + 2 * count));
    put(vtable + 2, static_cast<std::uint16_t>(bytes_.size() - at));
    for (const auto& [place, value] : offsets) {
      const std::size_t target = child(*value);
      put(place, static_cast<std::uint32_t>(target - place));
    }
    return at;
  }

  std::size_t child(const TableOf::Value& value) {
    if (const auto* text = std::get_if<Text>(&value)) {
      align(4);
      const std::size_t at = bytes_.size();
      bytes_ += raw(static_cast<std::uint32_t>(text->text.size())) + text->text + '\0';
      return at;
    }
    if (const auto* elements = std::get_if<Elements>(&value)) {
      align(std::min<std::size_t>(8, elements->width), 4);
      const std::size_t at = bytes_.size();
      bytes_ += raw(static_cast<std::uint32_t>(elements->bytes.size() / elements->width)) +
                elements->bytes;
      return at;
    }
    if (const auto* one = std::get_if<TableOf>(&value)) return table(*one);
    const Tables& many = std::get<Tables>(value);
    align(4);
    const std::size_t at = bytes_.size();
    bytes_ += raw(static_cast<std::uint32_t>(many.size())) + Bytes(4 * many.size(), '\0');
    for (std::size_t i = 0; i < many.size(); ++i) {
      const std::size_t place = at + 4 + 4 * i, target = table(many[i]);
      put(place, static_cast<std::uint32_t>(target - place));
    }
    return at;
  }

  Bytes bytes_{};
};

}  // namespace

Bytes flatbuffer(const TableOf& root) { return Writer().take(root); }

TableOf field(const Bytes& name, std::uint8_t type_tag, TableOf type, Tables children,
              bool nullable) {
  return {{{0, Text{name}},
           {1, raw(static_cast<std::uint8_t>(nullable))},
           {2, raw(type_tag)},
           {3, std::move(type)},
           {5, std::move(children)}}};
}

TableOf int_type(std::int32_t width, bool is_signed) {
  return {{{0, raw(width)}, {1, raw(static_cast<std::uint8_t>(is_signed))}}};
}

TableOf dictionary_encoding(std::int64_t id) { return {{{0, raw(id)}, {1, int_type()}}}; }

TableOf dictionary(TableOf field, std::int64_t id, TableOf index_type) {
  field.fields.emplace_back(4u, TableOf{{{0, raw(id)}, {1, std::move(index_type)}}});
  return field;
}

TableOf schema(Tables fields, bool big_endian) {
  return {{{0, raw(static_cast<std::int16_t>(big_endian))}, {1, std::move(fields)}}};
}

void BodyOf::add(const Bytes& buffer, std::size_t unit) {
  bytes = padded(std::move(bytes), unit);
  entries +=
      raw_all(static_cast<std::int64_t>(bytes.size()), static_cast<std::int64_t>(buffer.size()));
  bytes = padded(bytes + buffer);
}

BodyOf body_of(const std::vector<Bytes>& buffers) {
  BodyOf body;
  for (const Bytes& buffer : buffers) body.add(buffer);
  return body;
}

TableOf record_batch(std::int64_t length, const std::vector<NodeOf>& nodes, const BodyOf& body) {
  Bytes structs;
  for (const NodeOf& node : nodes) structs += raw_all(node.length, node.null_count);
  return {{{0, raw(length)}, {1, Elements{16, structs}}, {2, Elements{16, body.entries}}}};
}

TableOf dictionary_batch(std::int64_t id, TableOf data, bool delta) {
  return {{{0, raw(id)}, {1, std::move(data)}, {2, raw(static_cast<std::uint8_t>(delta))}}};
}

Bytes batch(std::int64_t length, const std::vector<NodeOf>& nodes,
            const std::vector<Bytes>& buffers) {
  const BodyOf body = body_of(buffers);
  return message(kRecordTag, record_batch(length, nodes, body), body.bytes);
}

TableOf key_value(const std::optional<Bytes>& key, const std::optional<Bytes>& value) {
  TableOf pair;
  if (key) pair.fields.emplace_back(0u, Text{*key});
  if (value) pair.fields.emplace_back(1u, Text{*value});
  return pair;
}

Bytes message(std::uint8_t tag, TableOf header, const Bytes& body, std::int16_t version,
              Tables custom_metadata) {
  TableOf root{{{0, raw(version)},
                {1, raw(tag)},
                {2, std::move(header)},
                {3, raw(static_cast<std::int64_t>(body.size()))}}};
  if (!custom_metadata.empty()) root.fields.emplace_back(4u, std::move(custom_metadata));
  const Bytes metadata = flatbuffer(root);
  return raw_all(std::uint32_t{0xFFFFFFFF}, static_cast<std::int32_t>(metadata.size())) + metadata +
         body;
}

}  // namespace hepcheck::arrow::testing
