#include "validator/formats/hep001/libhdf5/file_values.h"

#include <algorithm>
#include <cstring>
#include <format>

#include "validator/counted.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/raw_places.h"
#include "validator/formats/hep001/model/comparable.h"
#include "validator/formats/hep001/storage/refusal.h"
#include "validator/formats/hep001/storage/row_streams.h"
#include "validator/integers.h"
#include "validator/worker_position.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

// The number of cached open datasets; a check needs the column and its indexes.
constexpr std::size_t kMostSources = 16;

// The first filter that cannot be reversed, unless all chunks were stored without it.
std::optional<Error> needs_missing_filter(const Dataset& dataset, hid_t opened) {
  std::optional<std::uint32_t> skipped;
  return needs_missing_filter(dataset, [&] {
    if (!skipped) skipped = filters_skipped_by_all(opened);
    return *skipped;
  });
}

// Whether nothing is stored where a fill value would be.
bool nothing_stored(hid_t opened) {
  H5D_space_status_t status = H5D_SPACE_STATUS_ERROR;
  H5D_fill_time_t when = H5D_FILL_TIME_ERROR;
  const PropertyHandle properties{H5Dget_create_plist(opened)};
  return H5Dget_space_status(opened, &status) >= 0 &&
         H5Pget_fill_time(properties.get(), &when) >= 0 &&
         status == H5D_SPACE_STATUS_NOT_ALLOCATED && when != H5D_FILL_TIME_NEVER;
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
      if (!opened.type) return library_failure(model.path);
      opened.space = SpaceHandle{H5Dget_space(opened.dataset.get())};
      if (!opened.space) return library_failure(model.path);
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
      if (!memory) return last_error(path);
      if (H5Dread(dataset.get(), type.get(), memory.get(), space.get(), H5P_DEFAULT, into) < 0)
        return last_error(path);  // must be freed before `memory` is closed
      return std::nullopt;
    }
  };

  std::optional<RawData> raw{};
  Opened opened{};  // if there is no `raw`
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
  const bool plain = fast_ && !contains_class(dataset.type, TypeClass::kCompound);
  if (plain) source->raw = contiguous_data(file_, dataset);
  if (!source->raw) {
    ObjectHandle handle{H5Oopen_by_token(context_.file, native_token(dataset.token))};
    if (!handle) return library_failure(dataset.path);
    if (auto error = no_values(dataset); error && nothing_stored(handle.get()))
      return std::unexpected(std::move(*error));
    if (auto error = needs_missing_filter(dataset, handle.get()))
      return std::unexpected(std::move(*error));
    if (plain) source->raw = chunked_data(context_, file_, handle.get(), dataset);
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
  const Result<std::uint64_t> bytes = streamed_row_bytes(dataset, first, count, context_.limits);
  if (!bytes) return std::unexpected(bytes.error());
  Result<SourcePointer> found = source(dataset);
  if (!found) return std::unexpected(found.error());
  if (variable ||
      (contains_class(dataset.type, TypeClass::kCompound) && dataset.space.one_dimensional()))
    return std::make_unique<LibraryStream>(*this, std::move(*found), dataset.type, first, count);
  if ((*found)->raw && dataset.space.one_dimensional())
    return std::make_unique<RawStream>(std::shared_ptr<const RawData>(*found, &*(*found)->raw),
                                       *bytes, first, count);
  return std::make_unique<RectangleStream>(
      [this, from = std::move(*found)](auto start, auto size, auto into, ChunkDecoder& decoder) {
        return read_rectangle(*from, start, size, into, decoder);
      },
      dataset, context_.limits.block_bytes, *bytes, first, count);
}

Result<std::vector<std::byte>> FileValues::read(const Dataset& dataset,
                                                std::span<const std::uint64_t> start,
                                                std::span<const std::uint64_t> count) {
  now_at(Stage::kValues, dataset.path);
  const Result<std::uint64_t> bytes = rectangle_bytes(dataset, start, count);
  if (!bytes) return std::unexpected(bytes.error());
  Result<SourcePointer> found = source(dataset);
  if (!found) return std::unexpected(found.error());
  std::vector<std::byte> out(*bytes);
  ChunkDecoder decoder;
  if (auto error = read_rectangle(**found, start, count, out, decoder))
    return std::unexpected(std::move(*error));
  return out;
}

}  // namespace hepcheck::hep001::libhdf5
