// Streams of the rows of a dataset, in blocks that suit its storage.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "validator/formats/hep001/model/values.h"
#include "validator/formats/hep001/storage/raw_data.h"

namespace hepcheck::hep001 {

// Small enough to stay in a core's cache between reading and the last check.
inline constexpr std::uint64_t kBlockBytes = std::uint64_t{256} << 10;

// The buffers for decoding rows.
class Workspace {
 public:
  ChunkDecoder& decoder() { return decoder_; }
  // Uninitialised, because it is overwritten.
  std::span<std::byte> buffer(std::uint64_t bytes) {
    if (size_ < bytes) {
      bytes_.reset();
      bytes_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
      size_ = bytes;
    }
    return {bytes_.get(), bytes};
  }

 private:
  ChunkDecoder decoder_{};
  std::unique_ptr<std::byte[]> bytes_{};
  std::uint64_t size_ = 0;
};

// Rows of a dataset, in steps that the derived streams choose.
class RowStream : public ValueStream {
 public:
  RowStream(std::uint64_t first, std::uint64_t count) : row_(first), end_(first + count) {}

  Result<std::optional<Block>> next() override {
    if (row_ == end_) return std::optional<Block>{};
    Block block{
        .first_row = row_, .rows = std::min(step(row_), end_ - row_), .bytes = {}, .strings = {}};
    if (auto error = fill(block)) return std::unexpected(std::move(*error));
    row_ += block.rows;
    return block;
  }

 protected:
  std::uint64_t last_row() const { return end_; }  // one after it

 private:
  virtual std::uint64_t step(std::uint64_t row) const = 0;
  virtual std::optional<Error> fill(Block& block) = 0;

  std::uint64_t row_, end_;
};

// One dimension of stored elements.
class RawStream : public RowStream {
 public:
  RawStream(std::shared_ptr<const RawData> source, std::size_t element_bytes, std::uint64_t first,
            std::uint64_t count)
      : RowStream(first, count), source_(std::move(source)), element_bytes_(element_bytes) {}

 private:
  std::uint64_t step(std::uint64_t row) const override {
    return source_->good_step(row, kBlockBytes);
  }

  std::optional<Error> fill(Block& block) override {
    const RawData& raw = *source_;
    const std::span<std::byte> room = space_.buffer(raw.room_for(block.first_row, block.rows));
    const Result<std::size_t> offset =
        raw.read_rows(block.first_row, block.rows, room, space_.decoder());
    if (!offset) return offset.error();
    block.bytes = room.subspan(*offset, block.rows * element_bytes_);
    return std::nullopt;
  }

  std::shared_ptr<const RawData> source_;
  std::size_t element_bytes_;
  Workspace space_{};
};

// Values of a fixed size in any number of dimensions.
class RectangleStream : public RowStream {
 public:
  using Read = std::function<std::optional<Error>(
      std::span<const std::uint64_t> start, std::span<const std::uint64_t> count,
      std::span<std::byte> into, ChunkDecoder& decoder)>;

  // `most_bytes`: of a step, unless a row is larger.
  RectangleStream(Read read, const Dataset& model, std::uint64_t most_bytes,
                  std::uint64_t row_bytes, std::uint64_t first, std::uint64_t count)
      : RowStream(first, count), read_(std::move(read)), row_bytes_(row_bytes),
        count_(model.space.extent), start_(count_.size(), 0),
        step_(std::max<std::uint64_t>(1, kBlockBytes / std::max<std::uint64_t>(1, row_bytes))) {
    if (model.storage.layout == StorageLayout::kChunked && !model.storage.chunk.empty())
      chunk_ = std::max<std::uint64_t>(1, model.storage.chunk[0]);
    // Whole chunks, so that each is decoded once.
    if (chunk_ <= most_bytes / std::max<std::uint64_t>(1, row_bytes))
      step_ = std::max(chunk_, step_ / chunk_ * chunk_);
  }

 private:
  std::uint64_t step(std::uint64_t row) const override { return step_ - row % chunk_ % step_; }

  std::optional<Error> fill(Block& block) override {
    start_[0] = block.first_row;
    count_[0] = block.rows;
    const std::span<std::byte> into = space_.buffer(block.rows * row_bytes_);
    block.bytes = into;
    return read_(start_, count_, into, space_.decoder());
  }

  Read read_;
  std::uint64_t row_bytes_;
  std::vector<std::uint64_t> count_, start_;
  std::uint64_t chunk_ = 1, step_;
  Workspace space_{};
};

}  // namespace hepcheck::hep001
