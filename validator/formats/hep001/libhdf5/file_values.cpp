#include "validator/formats/hep001/libhdf5/file_values.h"

#include <algorithm>
#include <cstring>
#include <format>

#include "validator/counted.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/lzf.h"
#include "validator/formats/hep001/model/comparable.h"
#include "validator/integers.h"
#include "validator/worker_position.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

// Small enough to stay in a core's cache between reading and the last check.
constexpr std::uint64_t kBlockBytes = std::uint64_t{256} << 10;
// The number of cached open datasets; a check needs the column and its indexes.
constexpr std::size_t kMostSources = 16;

// The reason why a filter of the dataset cannot be reversed.
std::optional<Error> obstacle(const Dataset& dataset, const Filter& filter) {
  if (filter.id == kLzfFilter && !states_chunk_size(filter, dataset))
    return Error{dataset.path, "filter 32000 (lzf) does not state the size of a chunk"};
  if (!filter.available)
    return Error{dataset.path, std::format("filter {}{} is not available", filter.id,
                                           filter.name.empty() ? "" : " (" + filter.name + ")")};
  return std::nullopt;
}

std::optional<Error> refusal(const Dataset& dataset, const Limits& limits) {
  if (dataset.unreadable) return Error{dataset.path, *dataset.unreadable};
  if (dataset.storage.layout == StorageLayout::kVirtual)
    return Error{dataset.path, "a virtual dataset; its source files are never opened"};
  if (dataset.storage.layout == StorageLayout::kExternal)
    return Error{dataset.path, "stored in external files, which are never opened"};
  if (dataset.storage.layout != StorageLayout::kChunked)
    for (const Filter& filter : dataset.storage.filters)
      if (auto error = obstacle(dataset, filter)) return error;
  // Decoding a chunk requires memory for the whole chunk.
  std::uint64_t chunk_bytes = dataset.storage.filters.empty() ? 0 : dataset.type.size;
  for (const std::uint64_t n : dataset.storage.chunk) chunk_bytes = product(chunk_bytes, n);
  if (chunk_bytes > limits.block_bytes)
    return Error{dataset.path,
                 "a chunk is larger than the limit of " + counted(limits.block_bytes, "byte")};
  return std::nullopt;
}

// The first filter that cannot be reversed, unless all chunks were stored without it.
std::optional<Error> needs_missing_filter(const Dataset& dataset, hid_t opened) {
  const std::vector<Filter>& filters = dataset.storage.filters;
  std::optional<std::uint32_t> skipped;
  for (std::size_t i = 0; i < filters.size(); ++i) {
    auto error = obstacle(dataset, filters[i]);
    if (!error) continue;
    if (!skipped) skipped = filters_skipped_by_all(opened);
    if (i >= 32 || (*skipped >> i & 1) == 0) return error;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> row_bytes(const Dataset& dataset) {
  const std::span<const std::uint64_t> extent = dataset.space.extent;
  return checked_product(extent.subspan(std::min<std::size_t>(1, extent.size())),
                         dataset.type.size);
}

}  // namespace

struct FileValues::Source {
  // A dataset opened with its own datatype and read by hyperslabs.
  struct Opened {
    std::string path{};
    ObjectHandle dataset{};
    TypeHandle type{};
    SpaceHandle space{};

    static Result<Opened> of(ObjectHandle dataset, const Dataset& model) {
      Opened opened{.path = model.path, .dataset = std::move(dataset)};
      opened.type = TypeHandle{H5Dget_type(opened.dataset.get())};
      opened.space = SpaceHandle{H5Dget_space(opened.dataset.get())};
      if (!opened.type || !opened.space) return library_failure(model.path);
      return opened;
    }

    // Elements of a rectangle in row-major order, in the datatype of the file.
    std::optional<Error> read(std::span<const std::uint64_t> start,
                              std::span<const std::uint64_t> count, void* into) const {
      const std::vector<hsize_t> from(start.begin(), start.end());
      const std::vector<hsize_t> size(count.begin(), count.end());
      if (H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, from.data(), nullptr, size.data(),
                              nullptr) < 0)
        return last_error(path);
      const SpaceHandle memory{
          H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr)};
      if (H5Dread(dataset.get(), type.get(), memory.get(), space.get(), H5P_DEFAULT, into) < 0)
        return last_error(path);  // must be freed before `memory` is closed
      return std::nullopt;
    }
  };

  std::optional<RawData> raw{};
  Opened opened{};  // if there is no `raw`
};

// The buffers for decoding rows.
class FileValues::Workspace {
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

 private:
  virtual std::uint64_t step(std::uint64_t row) const = 0;
  virtual std::optional<Error> fill(Block& block) = 0;

  std::uint64_t row_, end_;
};

// One dimension, without the library.
class RawStream : public RowStream {
 public:
  RawStream(FileValues::SourcePointer source, std::size_t element_bytes, std::uint64_t first,
            std::uint64_t count)
      : RowStream(first, count), source_(std::move(source)), element_bytes_(element_bytes) {}

 private:
  std::uint64_t step(std::uint64_t row) const override {
    return source_->raw->good_step(row, kBlockBytes);
  }

  std::optional<Error> fill(Block& block) override {
    const RawData& raw = *source_->raw;
    const std::span<std::byte> room = space_.buffer(raw.room_for(block.first_row, block.rows));
    const Result<std::size_t> offset =
        raw.read_rows(block.first_row, block.rows, room, space_.decoder());
    if (!offset) return offset.error();
    block.bytes = room.subspan(*offset, block.rows * element_bytes_);
    return std::nullopt;
  }

  FileValues::SourcePointer source_;
  std::size_t element_bytes_;
  FileValues::Workspace space_{};
};

// Values of a fixed size in any number of dimensions, with or without the library.
class RectangleStream : public RowStream {
 public:
  RectangleStream(FileValues& values, FileValues::SourcePointer source, const Dataset& model,
                  std::uint64_t row_bytes, std::uint64_t first, std::uint64_t count)
      : RowStream(first, count), values_(values), source_(std::move(source)), row_bytes_(row_bytes),
        count_(model.space.extent), start_(count_.size(), 0),
        step_(std::max<std::uint64_t>(1, kBlockBytes / std::max<std::uint64_t>(1, row_bytes))) {
    if (model.storage.layout == StorageLayout::kChunked && !model.storage.chunk.empty())
      chunk_ = std::max<std::uint64_t>(1, model.storage.chunk[0]);
    // Whole chunks, so that each is decoded once.
    if (chunk_ <= values.context_.limits.block_bytes / std::max<std::uint64_t>(1, row_bytes))
      step_ = std::max(chunk_, step_ / chunk_ * chunk_);
  }

 private:
  std::uint64_t step(std::uint64_t row) const override { return step_ - row % chunk_ % step_; }

  std::optional<Error> fill(Block& block) override {
    start_[0] = block.first_row;
    count_[0] = block.rows;
    const std::span<std::byte> into = space_.buffer(block.rows * row_bytes_);
    block.bytes = into;
    return values_.read_rectangle(*source_, start_, count_, into, space_.decoder());
  }

  FileValues& values_;
  FileValues::SourcePointer source_;
  std::uint64_t row_bytes_;
  std::vector<std::uint64_t> count_, start_;
  std::uint64_t chunk_ = 1, step_;
  FileValues::Workspace space_{};
};

// One dimension of values with a variable-length part or with fields, through the library: strings,
// or elements with pointers that are valid until the next block, with their comparable forms.
class LibraryStream : public RowStream {
 public:
  LibraryStream(FileValues& values, FileValues::SourcePointer source, const Datatype& type,
                std::uint64_t first, std::uint64_t count)
      : RowStream(first, count), values_(values), source_(std::move(source)), type_(type),
        element_bytes_(std::max<std::size_t>(1, type.size)), strings_(type.variable_string()),
        pointers_(has_variable_part(type)) {}
  LibraryStream(const LibraryStream&) = delete;
  LibraryStream& operator=(const LibraryStream&) = delete;
  ~LibraryStream() override {
    const std::lock_guard lock(values_.library_);
    reclaim();
  }

 private:
  std::uint64_t step(std::uint64_t) const override {
    return std::max<std::uint64_t>(1, kBlockBytes / element_bytes_);
  }

  std::optional<Error> fill(Block& block) override {
    const std::lock_guard lock(values_.library_);
    reclaim();
    elements_.assign(block.rows * element_bytes_, std::byte{0});
    const std::uint64_t start[] = {block.first_row}, count[] = {block.rows};
    if (auto error = source_->opened.read(start, count, elements_.data())) {
      elements_.clear();  // it is unknown which of its pointers are valid
      return error;
    }
    if (!strings_) {
      block.bytes = elements_;
      block.strings = forms(block.rows);
      return std::nullopt;
    }
    views_.clear();
    for (std::uint64_t i = 0; i < block.rows; ++i)
      views_.push_back(text_at(elements_.data() + i * element_bytes_));
    block.strings = views_;
    return std::nullopt;
  }

  // A null pointer reads as "".
  static std::string_view text_at(const std::byte* at) {
    const char* text = nullptr;
    std::memcpy(&text, at, sizeof text);
    return text ? text : std::string_view{};
  }

  std::span<const std::string_view> forms(std::uint64_t rows) {
    forms_.clear();
    views_.clear();
    for (std::uint64_t i = 0; i < rows; ++i)
      forms_.push_back(
          comparable_form(type_, std::span(elements_).subspan(i * element_bytes_, type_.size)));
    views_.assign(forms_.begin(), forms_.end());
    return views_;
  }

  void reclaim() {
    if (elements_.empty() || !pointers_) return;
    const hsize_t n = elements_.size() / element_bytes_;
    const SpaceHandle memory{H5Screate_simple(1, &n, nullptr)};
    H5Treclaim(source_->opened.type.get(), memory.get(), H5P_DEFAULT, elements_.data());
    elements_.clear();
  }

  FileValues& values_;
  FileValues::SourcePointer source_;
  Datatype type_;
  std::size_t element_bytes_;
  bool strings_, pointers_;
  std::vector<std::byte> elements_{};
  std::vector<std::string> forms_{};
  std::vector<std::string_view> views_{};
};

FileValues::~FileValues() = default;

Result<FileValues::SourcePointer> FileValues::source(const Dataset& dataset) {
  const std::lock_guard lock(library_);
  if (const auto it = sources_.find(dataset.token); it != sources_.end()) return it->second;
  if (auto error = refusal(dataset, context_.limits)) return std::unexpected(std::move(*error));
  // Held by the last owner: closing is a call of the library as well.
  const auto close = [this](Source* source) {
    const std::lock_guard closing(library_);
    delete source;
  };
  std::shared_ptr<Source> source(new Source, close);
  // The library converts elements with fields to the parts that count.
  const bool plain = !contains_class(dataset.type, TypeClass::kCompound);
  if (plain) source->raw = RawData::contiguous(file_, dataset);
  if (!source->raw) {
    ObjectHandle handle{H5Oopen_by_token(context_.file, native_token(dataset.token))};
    if (!handle) return library_failure(dataset.path);
    if (auto error = needs_missing_filter(dataset, handle.get()))
      return std::unexpected(std::move(*error));
    if (plain) source->raw = RawData::chunked(context_, file_, handle.get(), dataset);
    if (!source->raw) {
      Result<Source::Opened> opened = Source::Opened::of(std::move(handle), dataset);
      if (!opened) return std::unexpected(opened.error());
      source->opened = std::move(*opened);
    }
  }
  if (sources_.size() >= kMostSources) sources_.clear();
  return sources_.emplace(dataset.token, std::move(source)).first->second;
}

std::optional<Error> FileValues::read_rectangle(const Source& source,
                                                std::span<const std::uint64_t> start,
                                                std::span<const std::uint64_t> count,
                                                std::span<std::byte> into, ChunkDecoder& decoder) {
  if (source.raw) return source.raw->read(start, count, into, decoder, cache_);
  if (into.empty()) return std::nullopt;
  // The library does not touch elements that were never written and have no fill value.
  std::ranges::fill(into, std::byte{0});
  const std::lock_guard lock(library_);
  return source.opened.read(start, count, into.data());
}

Result<std::unique_ptr<ValueStream>> FileValues::stream_rows(const Dataset& dataset,
                                                             std::uint64_t first,
                                                             std::uint64_t count) {
  now_at(Stage::kValues, dataset.path);
  const bool variable = has_variable_part(dataset.type);
  if (variable && !dataset.space.one_dimensional())
    return failure(dataset.path, "variable-length values have no fixed-size form");
  const std::optional<std::uint64_t> bytes = row_bytes(dataset);
  if (!dataset.extent() || first > *dataset.extent() || count > *dataset.extent() - first)
    return failure(dataset.path, "has fewer rows than requested");
  if (!bytes || *bytes > context_.limits.block_bytes)
    return failure(dataset.path, "a row is larger than the limit of " +
                                     counted(context_.limits.block_bytes, "byte"));
  Result<SourcePointer> found = source(dataset);
  if (!found) return std::unexpected(found.error());
  if (variable ||
      (contains_class(dataset.type, TypeClass::kCompound) && dataset.space.one_dimensional()))
    return std::make_unique<LibraryStream>(*this, std::move(*found), dataset.type, first, count);
  if ((*found)->raw && dataset.space.one_dimensional())
    return std::make_unique<RawStream>(std::move(*found), *bytes, first, count);
  return std::make_unique<RectangleStream>(*this, std::move(*found), dataset, *bytes, first, count);
}

Result<std::vector<std::byte>> FileValues::read(const Dataset& dataset,
                                                std::span<const std::uint64_t> start,
                                                std::span<const std::uint64_t> count) {
  now_at(Stage::kValues, dataset.path);
  if (has_variable_part(dataset.type))
    return failure(dataset.path, "variable-length values have no fixed-size form");
  if (start.size() != dataset.space.rank() || count.size() != dataset.space.rank() || start.empty())
    return failure(dataset.path, "the rectangle and the dataset have different ranks");
  const std::optional<std::uint64_t> bytes = checked_product(count, dataset.type.size);
  if (!bytes) return failure(dataset.path, "the rectangle is larger than the address space");
  Result<SourcePointer> found = source(dataset);
  if (!found) return std::unexpected(found.error());
  std::vector<std::byte> out(*bytes);
  ChunkDecoder decoder;
  if (auto error = read_rectangle(**found, start, count, out, decoder))
    return std::unexpected(std::move(*error));
  return out;
}

}  // namespace hepcheck::hep001::libhdf5
