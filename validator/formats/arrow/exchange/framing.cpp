#include "validator/formats/arrow/exchange/framing.h"

#include <string_view>
#include <utility>

namespace hepcheck::arrow {

namespace {

constexpr std::string_view kMagic = "ARROW1";
constexpr std::size_t kBlock = 24;  // bytes

template <class T>
std::string raw(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::uint32_t count(const std::string& blocks) {
  return static_cast<std::uint32_t>(blocks.size() / kBlock);
}

}  // namespace

std::string Framing::begin() const {
  return stream_ ? "" : std::string(kMagic) + std::string(2, '\0');
}

std::string Framing::message(Header kind, FlatTable header, std::uint64_t at, std::int64_t length) {
  const std::string metadata = FlatTable()
                                   .scalar(message::kVersion, kV5)
                                   .scalar(message::kHeaderTag, static_cast<std::uint8_t>(kind))
                                   .table(message::kHeader, std::move(header))
                                   .scalar(message::kBodyLength, length)
                                   .finished();
  const auto size = static_cast<std::int32_t>(metadata.size());
  const std::string block =
      raw(static_cast<std::int64_t>(at)) + raw(size + 8) + std::string(4, '\0') + raw(length);
  if (kind == Header::kDictionaryBatch) dictionaries_ += block;
  if (kind == Header::kRecordBatch) batches_ += block;
  return raw<std::uint32_t>(0xFFFFFFFF) + raw(size) + metadata;
}

std::string Framing::end(FlatTable schema) const {
  std::string made = raw<std::uint32_t>(0xFFFFFFFF) + raw<std::uint32_t>(0);
  if (stream_) return made;
  const std::string footer =
      FlatTable()
          .scalar(footer::kVersion, kV5)
          .table(footer::kSchema, std::move(schema))
          .structs(footer::kDictionaries, count(dictionaries_), dictionaries_)
          .structs(footer::kRecordBatches, batches(), batches_)
          .finished();
  return made + footer + raw(static_cast<std::int32_t>(footer.size())) + std::string(kMagic);
}

std::uint32_t Framing::batches() const { return count(batches_); }

}  // namespace hepcheck::arrow
