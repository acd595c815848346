#include "validator/formats/arrow/exchange/write_batch.h"

#include <lz4frame.h>
#include <zstd.h>

#include <array>
#include <cstring>
#include <new>

#include "validator/formats/arrow/exchange/types.h"
#include "validator/formats/arrow/shapes.h"

namespace hepcheck::arrow {

namespace {

using exchange::Kind;

constexpr std::uint64_t kAlignment = 64;
constexpr std::array<std::byte, kAlignment> kZeros{};

template <class T>
void put(std::string& into, T value) {
  into.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::size_t bound(Codec codec, std::size_t size) {
  return codec == Codec::kLz4Frame ? LZ4F_compressFrameBound(size, nullptr)
                                   : ZSTD_compressBound(size);
}

std::size_t compress(Codec codec, std::span<const std::byte> from, std::span<char> into) {
  if (codec == Codec::kLz4Frame) {
    const std::size_t n =
        LZ4F_compressFrame(into.data(), into.size(), from.data(), from.size(), nullptr);
    return LZ4F_isError(n) ? 0 : n;
  }
  const std::size_t n = ZSTD_compress(into.data(), into.size(), from.data(), from.size(), 1);
  return ZSTD_isError(n) ? 0 : n;
}

// The uncompressed length and a frame; or -1 and the plain bytes if a frame would not be shorter.
std::string compressed(Codec codec, std::span<const std::byte> bytes) {
  std::string made(8 + bound(codec, bytes.size()), '\0');
  const std::size_t n = compress(codec, bytes, std::span(made).subspan(8));
  std::int64_t stated = static_cast<std::int64_t>(bytes.size());
  if (n == 0 || n >= bytes.size()) {
    stated = -1;
    made.resize(8 + bytes.size());
    std::memcpy(made.data() + 8, bytes.data(), bytes.size());
  } else {
    made.resize(8 + n);
  }
  std::memcpy(made.data(), &stated, sizeof stated);
  return made;
}

std::string packed(const exchange::Buffer& values) {
  std::string bits((values.size() + 7) / 8, '\0');
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] != std::byte{0}) bits[i / 8] = static_cast<char>(bits[i / 8] | 1 << i % 8);
  return bits;
}

}  // namespace

void BodyWriter::buffer(std::span<const std::byte> bytes) {
  if (codec_ && !bytes.empty()) {
    own_.push_back(compressed(*codec_, bytes));
    bytes = bytes_of(own_.back());
  }
  put(buffers_, static_cast<std::int64_t>(length_));
  put(buffers_, static_cast<std::int64_t>(bytes.size()));
  ++buffer_count_;
  if (bytes.empty()) return;
  pieces_.push_back(bytes);
  const std::uint64_t padding = (kAlignment - bytes.size() % kAlignment) % kAlignment;
  if (padding > 0) pieces_.push_back(std::span(kZeros).first(padding));
  length_ += bytes.size() + padding;
}

void BodyWriter::made(std::string bytes) {
  own_.push_back(std::move(bytes));
  const std::string& kept = own_.back();
  buffer(bytes_of(kept));
}

void BodyWriter::validity(const exchange::Array& array) {
  if (array.nulls == 0) return buffer({});
  // Bits after the last slot are 0.
  std::string bits(reinterpret_cast<const char*>(array.valid.data()), (array.length + 7) / 8);
  if (array.length % 8 > 0)
    bits.back() = static_cast<char>(bits.back() & ((1 << array.length % 8) - 1));
  made(std::move(bits));
}

template <class T>
void BodyWriter::offsets(const exchange::Array& array) {
  std::string made;
  made.resize_and_overwrite((array.length + 1) * sizeof(T), [&](char* to, std::size_t size) {
    const std::uint64_t* const from = array.offsets.data();
    for (std::uint64_t i = 0, count = array.length + 1; i < count; ++i) {
      const auto offset = static_cast<T>(from[i]);
      std::memcpy(to + i * sizeof(T), &offset, sizeof offset);
    }
    return size;
  });
  this->made(std::move(made));
}

// Decimals of 64 bits widened to the width of the type, and interleaved parts of intervals.
void BodyWriter::meant(const exchange::Type& type, const exchange::Array& array,
                       std::uint64_t width) {
  std::string made;
  made.reserve(array.length * width);
  for (std::uint64_t i = 0; i < array.length; ++i) {
    for (std::size_t k = 0; k < type.children.size(); ++k)
      made += array.children[k].fixed(i, type.children[k].type.width);
    if (!type.children.empty()) continue;
    const std::string_view value = array.fixed(i, 8);
    made += value.substr(0, std::min<std::uint64_t>(8, width));
    if (width > 8) made.append(width - 8, value.back() < 0 ? '\xFF' : '\0');
  }
  this->made(std::move(made));
}

void BodyWriter::add(const exchange::Type& type, const exchange::Array& array) {
  ++node_count_;
  put(nodes_, static_cast<std::int64_t>(array.length));
  put(nodes_, static_cast<std::int64_t>(type.kind == Kind::kNull ? array.length : array.nulls));
  if (type.kind == Kind::kNull) return;
  validity(array);
  const std::optional<Type> special = type_meant(type);
  if (special && special->tag == TypeTag::kDecimal)
    return meant(type, array, static_cast<std::uint64_t>(special->bit_width) / 8);
  if (special && type.kind == Kind::kStruct) return meant(type, array, special->unit == 1 ? 8 : 16);
  switch (type.kind) {
    case Kind::kNull:
    case Kind::kFixedList:
    case Kind::kStruct: break;
    case Kind::kBoolean: made(packed(array.bytes)); break;
    case Kind::kInteger:
    case Kind::kFloat:
    case Kind::kFixedBytes: buffer(array.bytes); break;
    case Kind::kText:
    case Kind::kBytes:
    case Kind::kList:
      if (type.large)
        offsets<std::int64_t>(array);
      else
        offsets<std::int32_t>(array);
      if (type.kind != Kind::kList) buffer(array.bytes);
      break;
  }
  for (std::size_t k = 0; k < type.children.size(); ++k)
    add(type.children[k].type, array.children[k]);
}

FlatTable BodyWriter::table(std::uint64_t rows) const {
  FlatTable made;
  made.scalar(record_batch::kLength, static_cast<std::int64_t>(rows))
      .structs(record_batch::kNodes, node_count_, nodes_)
      .structs(record_batch::kBuffers, buffer_count_, buffers_);
  if (codec_)
    made.table(record_batch::kCompression,
               FlatTable().scalar(body_compression::kCodec, static_cast<std::int8_t>(*codec_)));
  return made;
}

}  // namespace hepcheck::arrow
