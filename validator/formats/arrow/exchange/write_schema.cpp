#include "validator/formats/arrow/exchange/write_schema.h"

#include "validator/formats/arrow/exchange/types.h"
#include "validator/formats/arrow/shapes.h"

namespace hepcheck::arrow {

namespace {

using exchange::Kind;

FlatTable int_table(std::uint64_t width, bool is_signed) {
  return FlatTable()
      .scalar(0, static_cast<std::int32_t>(8 * width))
      .scalar(1, static_cast<std::uint8_t>(is_signed));
}

struct Tagged {
  TypeTag tag{};
  FlatTable table{};
};

Tagged meant_table(const Type& type) {
  FlatTable table;
  switch (type.tag) {
    case TypeTag::kTime: table.scalar(0, type.unit).scalar(1, type.bit_width); break;
    case TypeTag::kTimestamp:
      table.scalar(0, type.unit);
      if (!type.timezone.empty()) table.text(1, type.timezone);
      break;
    case TypeTag::kDecimal:
      table.scalar(0, type.precision).scalar(1, type.scale).scalar(2, type.bit_width);
      break;
    default: table.scalar(0, type.unit); break;
  }
  return {type.tag, std::move(table)};
}

Tagged type_table(const exchange::Type& type) {
  if (const auto meant = type_meant(type)) return meant_table(*meant);
  const auto count = static_cast<std::int32_t>(type.width);
  switch (type.kind) {
    case Kind::kNull: return {TypeTag::kNull, {}};
    case Kind::kBoolean: return {TypeTag::kBool, {}};
    case Kind::kInteger: return {TypeTag::kInt, int_table(type.width, type.is_signed)};
    case Kind::kFloat:
      return {TypeTag::kFloatingPoint,
              FlatTable().scalar(0, static_cast<std::int16_t>(type.width == 2   ? 0
                                                              : type.width == 4 ? 1
                                                                                : 2))};
    case Kind::kText: return {type.large ? TypeTag::kLargeUtf8 : TypeTag::kUtf8, {}};
    case Kind::kBytes: return {type.large ? TypeTag::kLargeBinary : TypeTag::kBinary, {}};
    case Kind::kFixedBytes: return {TypeTag::kFixedSizeBinary, FlatTable().scalar(0, count)};
    case Kind::kList: return {type.large ? TypeTag::kLargeList : TypeTag::kList, {}};
    case Kind::kFixedList: return {TypeTag::kFixedSizeList, FlatTable().scalar(0, count)};
    case Kind::kStruct: return {TypeTag::kStruct, {}};
  }
  return {};
}

std::vector<FlatTable> pairs(const exchange::Metadata& metadata) {
  std::vector<FlatTable> made;
  for (const auto& [key, value] : metadata)
    made.push_back(FlatTable().text(key_value::kKey, key).text(key_value::kValue, value));
  return made;
}

bool has_children(const exchange::Type& type) {
  return type.kind == Kind::kList || type.kind == Kind::kFixedList ||
         (type.kind == Kind::kStruct && !type_meant(type));
}

FlatTable field_table(const exchange::Field& field, const DictionaryIds& ids) {
  const exchange::Type& stored = field.type;
  const exchange::Type& type = stored.labels ? stored.labels->type : stored;
  Tagged tagged = type_table(type);
  FlatTable made;
  made.text(field::kName, field.name)
      .scalar(field::kNullable, static_cast<std::uint8_t>(field.nullable))
      .scalar(field::kTypeTag, static_cast<std::uint8_t>(tagged.tag))
      .table(field::kType, std::move(tagged.table));
  if (stored.labels)
    made.table(
        field::kDictionary,
        FlatTable()
            .scalar(dictionary_encoding::kId, ids.of(*stored.labels))
            .table(dictionary_encoding::kIndexType, int_table(stored.width, stored.is_signed))
            .scalar(dictionary_encoding::kIsOrdered, static_cast<std::uint8_t>(stored.ordered)));
  std::vector<FlatTable> children;
  if (has_children(type))
    for (const exchange::Field& child : type.children) children.push_back(field_table(child, ids));
  made.tables(field::kChildren, std::move(children));
  if (!field.metadata.empty()) made.tables(field::kCustomMetadata, pairs(field.metadata));
  return made;
}

}  // namespace

DictionaryIds::DictionaryIds(const exchange::Schema& schema) { find(schema.fields); }

void DictionaryIds::find(const std::vector<exchange::Field>& fields) {
  for (const exchange::Field& field : fields) {
    const exchange::Labels* labels = field.type.labels.get();
    if (labels && ids_.emplace(labels, static_cast<std::int64_t>(all_.size())).second)
      all_.push_back(labels);
    find(field.type.children);
  }
}

FlatTable schema_table(const exchange::Schema& schema, const DictionaryIds& ids) {
  std::vector<FlatTable> fields;
  for (const exchange::Field& field : schema.fields) fields.push_back(field_table(field, ids));
  FlatTable made;
  made.scalar(schema::kEndianness, std::int16_t{0}).tables(schema::kFields, std::move(fields));
  if (!schema.metadata.empty()) made.tables(schema::kCustomMetadata, pairs(schema.metadata));
  return made;
}

}  // namespace hepcheck::arrow
