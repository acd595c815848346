#include "validator/formats/arrow/schema.h"

namespace hepcheck::arrow {

namespace {

Type read_type(unsigned tag, const Table& table) {
  Type type{.tag = static_cast<TypeTag>(tag)};
  switch (type.tag) {
    case TypeTag::kInt:
      type.bit_width = table.get<std::int32_t>(0);
      type.is_signed = table.get<std::uint8_t>(1) != 0;
      break;
    case TypeTag::kFloatingPoint:
    case TypeTag::kInterval: type.unit = table.get<std::int16_t>(0); break;
    case TypeTag::kDecimal:
      type.precision = table.get<std::int32_t>(0);
      type.scale = table.get<std::int32_t>(1);
      type.bit_width = table.get<std::int32_t>(2, 128);
      break;
    case TypeTag::kDate:
    case TypeTag::kDuration: type.unit = table.get<std::int16_t>(0, 1); break;
    case TypeTag::kTime:
      type.unit = table.get<std::int16_t>(0, 1);
      type.bit_width = table.get<std::int32_t>(1, 32);
      break;
    case TypeTag::kTimestamp:
      type.unit = table.get<std::int16_t>(0);
      type.timezone = table.string(1).value_or("");
      break;
    case TypeTag::kUnion:
      type.mode = table.get<std::int16_t>(0);
      if (const Vector ids = table.vector(1); ids.present()) {
        type.has_type_ids = true;
        for (std::uint32_t i = 0; i < ids.size(); ++i)
          type.type_ids.push_back(ids.get<std::int32_t>(i));
      }
      break;
    case TypeTag::kFixedSizeBinary:
    case TypeTag::kFixedSizeList: type.size = table.get<std::int32_t>(0); break;
    case TypeTag::kMap: type.keys_sorted = table.get<std::uint8_t>(0) != 0; break;
    default: break;
  }
  return type;
}

Encoding read_encoding(const Table& table) {
  Encoding encoding{.id = table.get<std::int64_t>(dictionary_encoding::kId)};
  if (const Table index = table.table(dictionary_encoding::kIndexType); index.present()) {
    encoding.bit_width = index.get<std::int32_t>(0);
    encoding.is_signed = index.get<std::uint8_t>(1) != 0;
  }
  encoding.ordered = table.get<std::uint8_t>(dictionary_encoding::kIsOrdered) != 0;
  encoding.kind = table.get<std::int16_t>(dictionary_encoding::kKind);
  return encoding;
}

class SchemaReader {
 public:
  explicit SchemaReader(std::uint64_t most) : most_(most) {}

  std::vector<Field> fields(const Vector& tables) {
    std::vector<Field> made;
    for (std::uint32_t i = 0; i < tables.size() && count_ < most_; ++i)
      made.push_back(field(tables.table(i)));
    whole_ &= made.size() == tables.size();
    return made;
  }
  std::uint32_t count() const { return count_; }
  bool whole() const { return whole_; }

 private:
  Field field(const Table& table) {
    Field made{.name = table.string(field::kName),
               .nullable = table.get<std::uint8_t>(field::kNullable) != 0,
               .at = table.at(),
               .number = count_++};
    made.type = read_type(table.get<std::uint8_t>(field::kTypeTag), table.table(field::kType));
    if (const Table encoding = table.table(field::kDictionary); encoding.present())
      made.encoding = read_encoding(encoding);
    made.metadata = read_metadata(table.vector(field::kCustomMetadata));
    const Vector children = table.vector(field::kChildren);
    made.children = fields(children);
    made.whole = made.children.size() == children.size();
    return made;
  }

  std::uint64_t most_;
  std::uint32_t count_ = 0;
  bool whole_ = true;
};

}  // namespace

std::vector<KeyValue> read_metadata(const Vector& pairs) {
  std::vector<KeyValue> made;
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    const Table pair = pairs.table(i);
    made.push_back({pair.string(key_value::kKey), pair.string(key_value::kValue), pair.at()});
  }
  return made;
}

ArrayLayout Field::array_layout() const {
  if (!encoding) return layout;
  return {ArrayLayout::Kind::kDictionary, static_cast<std::uint64_t>(encoding->bit_width) / 8};
}

std::string_view Field::arrays_invalidated_by() const {
  const std::int32_t width = encoding ? encoding->bit_width : 0;
  if (!encoding) return invalidated_by;
  return width == 8 || width == 16 || width == 32 || width == 64 ? ""
                                                                 : "arrow-dictionary-index-width";
}

Schema read_schema(const Table& table, std::uint64_t most) {
  Schema schema{.endianness = table.get<std::int16_t>(schema::kEndianness)};
  SchemaReader reader(most);
  schema.fields = reader.fields(table.vector(schema::kFields));
  schema.count = reader.count();
  schema.whole = reader.whole();
  schema.metadata = read_metadata(table.vector(schema::kCustomMetadata));
  const Vector features = table.vector(schema::kFeatures);
  for (std::uint32_t i = 0; i < features.size(); ++i)
    schema.features.push_back(features.get<std::int64_t>(i));
  return schema;
}

Path path_of(const Path& up, std::string_view kind, std::uint64_t index, const Field& field) {
  return {.up = &up, .kind = kind, .index = index, .name = field.name};
}

}  // namespace hepcheck::arrow
