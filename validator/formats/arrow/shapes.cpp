#include "validator/formats/arrow/shapes.h"

#include <format>

namespace hepcheck::arrow {

namespace {

constexpr FieldShape kByte{.width = 1, .align = 1}, kShort{.width = 2, .align = 2}, kInt{},
    kLong{.width = 8, .align = 8};
constexpr FieldShape kString{.kind = FieldKind::kString};

constexpr FieldShape one(const Shape& shape) {
  return {.kind = FieldKind::kTable, .shape = &shape};
}
constexpr FieldShape many(const Shape& shape) {
  return {.kind = FieldKind::kTables, .shape = &shape};
}
constexpr FieldShape vector_of(std::uint8_t width, std::uint8_t align) {
  return {.kind = FieldKind::kVector, .width = width, .align = align};
}

// --- Types --------------------------------------------------------------------------------------

constexpr Shape kNoFields{.name = "a type without parameters"};

constexpr FieldShape kIntFields[] = {kInt, kByte};
constexpr Shape kIntShape{"Int", kIntFields};
constexpr FieldShape kOneShort[] = {kShort};
constexpr Shape kFloatShape{"FloatingPoint", kOneShort}, kDateShape{"Date", kOneShort},
    kIntervalShape{"Interval", kOneShort}, kDurationShape{"Duration", kOneShort};
constexpr FieldShape kDecimalFields[] = {kInt, kInt, kInt};
constexpr Shape kDecimalShape{"Decimal", kDecimalFields};
constexpr FieldShape kTimeFields[] = {kShort, kInt};
constexpr Shape kTimeShape{"Time", kTimeFields};
constexpr FieldShape kTimestampFields[] = {kShort, kString};
constexpr Shape kTimestampShape{"Timestamp", kTimestampFields};
constexpr FieldShape kUnionFields[] = {kShort, vector_of(4, 4)};
constexpr Shape kUnionShape{"Union", kUnionFields};
constexpr FieldShape kOneInt[] = {kInt};
constexpr Shape kFixedSizeBinaryShape{"FixedSizeBinary", kOneInt},
    kFixedSizeListShape{"FixedSizeList", kOneInt};
constexpr FieldShape kOneByte[] = {kByte};
constexpr Shape kMapShape{"Map", kOneByte};

constexpr const Shape* kTypes[] = {&kNoFields,
                                   &kNoFields,  // Null
                                   &kIntShape,
                                   &kFloatShape,
                                   &kNoFields,  // Binary
                                   &kNoFields,  // Utf8
                                   &kNoFields,  // Bool
                                   &kDecimalShape,
                                   &kDateShape,
                                   &kTimeShape,
                                   &kTimestampShape,
                                   &kIntervalShape,
                                   &kNoFields,  // List
                                   &kNoFields,  // Struct
                                   &kUnionShape,
                                   &kFixedSizeBinaryShape,
                                   &kFixedSizeListShape,
                                   &kMapShape,
                                   &kDurationShape,
                                   &kNoFields,   // LargeBinary
                                   &kNoFields,   // LargeUtf8
                                   &kNoFields,   // LargeList
                                   &kNoFields,   // RunEndEncoded
                                   &kNoFields,   // BinaryView
                                   &kNoFields,   // Utf8View
                                   &kNoFields,   // ListView
                                   &kNoFields};  // LargeListView
static_assert(std::size(kTypes) == kKnownTypes + 1);

constexpr FieldShape type_union() { return {.kind = FieldKind::kUnion, .members = kTypes}; }

// --- Schemas ------------------------------------------------------------------------------------

constexpr FieldShape kKeyValueFields[] = {kString, kString};
constexpr Shape kKeyValueShape{"KeyValue", kKeyValueFields};

constexpr FieldShape kEncodingFields[] = {kLong, one(kIntShape), kByte, kShort};
constexpr Shape kEncodingShape{"DictionaryEncoding", kEncodingFields};

extern const Shape kFieldShape;
const FieldShape kFieldFields[] = {kString,
                                   kByte,
                                   kByte,
                                   type_union(),
                                   one(kEncodingShape),
                                   many(kFieldShape),
                                   many(kKeyValueShape)};
const Shape kFieldShape{"Field", kFieldFields};

const FieldShape kSchemaFields[] = {kShort, many(kFieldShape), many(kKeyValueShape),
                                    vector_of(8, 8)};
const Shape kSchemaShape{"Schema", kSchemaFields};

// --- Messages -----------------------------------------------------------------------------------

constexpr FieldShape kCompressionFields[] = {kByte, kByte};
constexpr Shape kCompressionShape{"BodyCompression", kCompressionFields};

constexpr FieldShape kRecordBatchFields[] = {kLong, vector_of(16, 8), vector_of(16, 8),
                                             one(kCompressionShape), vector_of(8, 8)};
constexpr Shape kRecordBatchShape{"RecordBatch", kRecordBatchFields};

constexpr FieldShape kDictionaryBatchFields[] = {kLong, one(kRecordBatchShape), kByte};
constexpr Shape kDictionaryBatchShape{"DictionaryBatch", kDictionaryBatchFields};

// Tensors are named, their contents are not judged.
constexpr Shape kTensorShape{"Tensor"}, kSparseTensorShape{"SparseTensor"};

const Shape* const kHeaders[] = {&kNoFields,         &kSchemaShape, &kDictionaryBatchShape,
                                 &kRecordBatchShape, &kTensorShape, &kSparseTensorShape};
const FieldShape kMessageFields[] = {
    kShort, kByte, {.kind = FieldKind::kUnion, .members = kHeaders}, kLong, many(kKeyValueShape)};

const FieldShape kFooterFields[] = {kShort, one(kSchemaShape), vector_of(24, 8), vector_of(24, 8),
                                    many(kKeyValueShape)};

constexpr std::string_view kTypeNames[] = {
    "none",          "Null",      "Int",           "FloatingPoint",
    "Binary",        "Utf8",      "Bool",          "Decimal",
    "Date",          "Time",      "Timestamp",     "Interval",
    "List",          "Struct",    "Union",         "FixedSizeBinary",
    "FixedSizeList", "Map",       "Duration",      "LargeBinary",
    "LargeUtf8",     "LargeList", "RunEndEncoded", "BinaryView",
    "Utf8View",      "ListView",  "LargeListView"};

}  // namespace

const Shape kMessageShape{"Message", kMessageFields}, kFooterShape{"Footer", kFooterFields};

std::string type_name(unsigned tag) {
  return tag < std::size(kTypeNames) ? std::string(kTypeNames[tag])
                                     : std::format("a type of tag {}", tag);
}

}  // namespace hepcheck::arrow
