#include "validator/formats/arrow/exchange/write_table.h"

#include <algorithm>
#include <format>
#include <future>
#include <optional>
#include <system_error>
#include <vector>

#include "validator/formats/arrow/exchange/framing.h"
#include "validator/formats/arrow/exchange/write_batch.h"
#include "validator/formats/arrow/exchange/write_schema.h"
#include "validator/formats/arrow/shapes.h"
#include "validator/worker_position.h"

namespace hepcheck::arrow {

namespace {

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
      : schema_(schema), ids_(schema), into_(into), options_(options), framing_(options.stream) {
    if (options.compression == Compression::kLz4) codec_ = Codec::kLz4Frame;
    if (options.compression == Compression::kZstd) codec_ = Codec::kZstd;
  }

  Result<void> begin() {
    put(framing_.begin());
    message(Header::kSchema, schema_table(schema_, ids_), nullptr);
    for (const exchange::Labels* labels : ids_.all()) {
      if (!fits(labels->type, labels->values, options_.most_offset))
        return failure("a dictionary", "its values need larger offsets");
      BodyWriter body(codec_);
      body.add(labels->type, labels->values);
      message(Header::kDictionaryBatch,
              FlatTable()
                  .scalar(dictionary_batch::kId, ids_.of(*labels))
                  .table(dictionary_batch::kData, body.table(labels->values.length)),
              &body);
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
    message(Header::kRecordBatch, body.table(rows.rows), &body);
    rows_ += rows.rows;
    return {};
  }

  Result<Written> finish() {
    put(framing_.end(schema_table(schema_, ids_)));
    const Written written{.rows = rows_, .batches = framing_.batches(), .bytes = into_.size()};
    return into_.finish().transform([&] { return written; });
  }

 private:
  void put(const std::string& bytes) { into_.write(std::as_bytes(std::span(bytes))); }

  void message(Header kind, FlatTable header, const BodyWriter* body) {
    put(framing_.message(kind, std::move(header), into_.size(), body ? body->length() : 0));
    if (body)
      for (const std::span<const std::byte> piece : body->pieces()) into_.write(piece);
  }

  const exchange::Schema& schema_;
  DictionaryIds ids_;
  exchange::NewFile& into_;
  const WriteOptions& options_;
  std::optional<Codec> codec_{};
  Framing framing_;
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
