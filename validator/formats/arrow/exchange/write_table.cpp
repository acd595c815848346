#include "validator/formats/arrow/exchange/write_table.h"

#include <algorithm>
#include <format>
#include <future>
#include <optional>
#include <system_error>
#include <vector>

#include "validator/formats/arrow/exchange/write_batch.h"
#include "validator/formats/arrow/exchange/write_schema.h"
#include "validator/formats/arrow/shapes.h"
#include "validator/worker_position.h"

namespace hepcheck::arrow {

namespace {

constexpr std::string_view kMagic = "ARROW1";

template <class T>
std::string raw(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// Whether all of its offsets, nested ones included, can be written.
bool fits(const exchange::Type& type, const exchange::Array& array, std::uint64_t most) {
  if (!type.large && !array.offsets.empty() && array.offsets.back() > most) return false;
  for (std::size_t k = 0; k < type.children.size(); ++k)
    if (!fits(type.children[k].type, array.children[k], most)) return false;
  return true;
}

class Writer {
 public:
  Writer(const exchange::Schema& schema, exchange::NewFile& into, const WriteOptions& options)
      : schema_(schema), ids_(schema), into_(into), options_(options) {
    if (options.compression == Compression::kLz4) codec_ = Codec::kLz4Frame;
    if (options.compression == Compression::kZstd) codec_ = Codec::kZstd;
  }

  Result<void> begin() {
    if (!options_.stream) put(std::string(kMagic) + std::string(2, '\0'));
    message(Header::kSchema, schema_table(schema_, ids_), nullptr, nullptr);
    for (const exchange::Labels* labels : ids_.all()) {
      if (!fits(labels->type, labels->values, options_.most_offset))
        return failure("a dictionary", "its values need larger offsets");
      BodyWriter body(codec_);
      body.add(labels->type, labels->values);
      message(Header::kDictionaryBatch,
              FlatTable()
                  .scalar(dictionary_batch::kId, ids_.of(*labels))
                  .table(dictionary_batch::kData, body.table(labels->values.length)),
              &body, &dictionaries_);
    }
    return {};
  }

  // In as many batches as 32-bit offsets require.
  Result<void> batch(const exchange::Batch& rows) {
    for (std::size_t i = 0; i < rows.columns.size(); ++i) {
      if (fits(schema_.fields[i].type, rows.columns[i], options_.most_offset)) continue;
      if (rows.rows < 2)
        return failure(std::format("column \"{}\"", schema_.fields[i].name),
                       std::format("row {} needs offsets of more than 32 bits", rows_));
      const std::uint64_t half = rows.rows / 2;
      if (auto done = batch(exchange::slice(schema_, rows, 0, half)); !done) return done;
      return batch(exchange::slice(schema_, rows, half, rows.rows - half));
    }
    BodyWriter body(codec_);
    for (std::size_t i = 0; i < rows.columns.size(); ++i)
      body.add(schema_.fields[i].type, rows.columns[i]);
    message(Header::kRecordBatch, body.table(rows.rows), &body, &batches_);
    rows_ += rows.rows;
    return {};
  }

  Result<Written> finish() {
    put(raw<std::uint32_t>(0xFFFFFFFF) + raw<std::uint32_t>(0));
    if (!options_.stream) {
      const std::string footer =
          FlatTable()
              .scalar(footer::kVersion, kV5)
              .table(footer::kSchema, schema_table(schema_, ids_))
              .structs(footer::kDictionaries, count(dictionaries_), dictionaries_)
              .structs(footer::kRecordBatches, count(batches_), batches_)
              .finished();
      put(footer + raw(static_cast<std::int32_t>(footer.size())) + std::string(kMagic));
    }
    const Written written{.rows = rows_, .batches = count(batches_), .bytes = into_.size()};
    return into_.finish().transform([&] { return written; });
  }

 private:
  static constexpr std::size_t kBlock = 24;
  static std::uint32_t count(const std::string& blocks) {
    return static_cast<std::uint32_t>(blocks.size() / kBlock);
  }

  void put(const std::string& bytes) { into_.write(std::as_bytes(std::span(bytes))); }

  void message(Header kind, FlatTable header, const BodyWriter* body, std::string* blocks) {
    const std::int64_t length = body ? body->length() : 0;
    const std::string metadata = FlatTable()
                                     .scalar(message::kVersion, kV5)
                                     .scalar(message::kHeaderTag, static_cast<std::uint8_t>(kind))
                                     .table(message::kHeader, std::move(header))
                                     .scalar(message::kBodyLength, length)
                                     .finished();
    const auto size = static_cast<std::int32_t>(metadata.size());
    if (blocks)
      *blocks += raw(static_cast<std::int64_t>(into_.size())) + raw(size + 8) +
                 std::string(4, '\0') + raw(length);
    put(raw<std::uint32_t>(0xFFFFFFFF) + raw(size) + metadata);
    if (body)
      for (const std::span<const std::byte> piece : body->pieces()) into_.write(piece);
  }

  const exchange::Schema& schema_;
  DictionaryIds ids_;
  exchange::NewFile& into_;
  const WriteOptions& options_;
  std::optional<Codec> codec_{};
  std::string dictionaries_{}, batches_{};  // blocks
  std::uint64_t rows_ = 0;
};

// Makes the next batch while the one before is written. Then two of them are in memory.
class Ahead {
 public:
  explicit Ahead(exchange::Source& source) : source_(source) {}

  using Batch = Result<std::optional<exchange::Batch>>;
  Batch next() {
    Batch made = next_.valid() ? next_.get() : source_.next();
    if (made && *made) start();
    return made;
  }

 private:
  void start() {
    try {
      next_ = std::async(std::launch::async, [this, here = position_here()] {
        const PositionOfThread place(here);
        return source_.next();
      });
    } catch (const std::system_error&) {  // the system provides no thread
    }
  }

  exchange::Source& source_;
  std::future<Batch> next_{};  // waits for its thread when it is destroyed
};

}  // namespace

Result<Written> write_table(exchange::Source& source, exchange::NewFile& into,
                            const WriteOptions& options) {
  Writer writer(source.schema(), into, options);
  if (const auto begun = writer.begin(); !begun) return std::unexpected(begun.error());
  Ahead ahead(source);
  while (true) {
    const Ahead::Batch rows = ahead.next();
    if (!rows) return std::unexpected(rows.error());
    if (!*rows) return writer.finish();
    if (const auto done = writer.batch(**rows); !done) return std::unexpected(done.error());
    if (into.failed()) return writer.finish();
  }
}

}  // namespace hepcheck::arrow
