// The tables of Schema.fbs, Message.fbs and File.fbs: their fields and numbers.
#pragma once

#include <cstdint>
#include <string>

#include "validator/formats/arrow/flatbuffer.h"

namespace hepcheck::arrow {

extern const Shape kMessageShape, kFooterShape;

// The numbers of fields.
namespace message {
enum : unsigned { kVersion, kHeaderTag, kHeader, kBodyLength, kCustomMetadata };
}
namespace schema {
enum : unsigned { kEndianness, kFields, kCustomMetadata, kFeatures };
}
namespace field {
enum : unsigned { kName, kNullable, kTypeTag, kType, kDictionary, kChildren, kCustomMetadata };
}
namespace dictionary_encoding {
enum : unsigned { kId, kIndexType, kIsOrdered, kKind };
}
namespace record_batch {
enum : unsigned { kLength, kNodes, kBuffers, kCompression, kVariadicCounts };
}
namespace dictionary_batch {
enum : unsigned { kId, kData, kIsDelta };
}
namespace body_compression {
enum : unsigned { kCodec, kMethod };
}
namespace footer {
enum : unsigned { kVersion, kSchema, kDictionaries, kRecordBatches, kCustomMetadata };
}
namespace key_value {
enum : unsigned { kKey, kValue };
}

// Message.header.
enum class Header : std::uint8_t {
  kNone,
  kSchema,
  kDictionaryBatch,
  kRecordBatch,
  kTensor,
  kSparseTensor,
};
constexpr unsigned kKnownHeaders = 5;

// Message.version, Footer.version.
constexpr std::int16_t kV4 = 3, kV5 = 4;

// Field.type.
enum class TypeTag : std::uint8_t {
  kNone,
  kNull,
  kInt,
  kFloatingPoint,
  kBinary,
  kUtf8,
  kBool,
  kDecimal,
  kDate,
  kTime,
  kTimestamp,
  kInterval,
  kList,
  kStruct,
  kUnion,
  kFixedSizeBinary,
  kFixedSizeList,
  kMap,
  kDuration,
  kLargeBinary,
  kLargeUtf8,
  kLargeList,
  kRunEndEncoded,
  kBinaryView,
  kUtf8View,
  kListView,
  kLargeListView,
};
constexpr unsigned kKnownTypes = 26;
// "Int"; also for unknown tags.
std::string type_name(unsigned tag);

}  // namespace hepcheck::arrow
