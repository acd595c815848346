#include "validator/hdf5/file_values.h"

#include <algorithm>
#include <cstring>
#include <format>

#include "validator/hdf5/error.h"
#include "validator/hdf5/lzf.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::uint64_t kBlockBytes = std::uint64_t{1} << 20;

std::optional<Error> refusal(const Dataset& dataset) {
  if (dataset.unreadable) return Error{dataset.path, *dataset.unreadable};
  if (dataset.storage.layout == Layout::kVirtual)
    return Error{dataset.path, "a virtual dataset; its source files are never opened"};
  if (dataset.storage.layout == Layout::kExternal)
    return Error{dataset.path, "stored in external files, which are never opened"};
  for (const Filter& filter : dataset.storage.filters) {
    if (filter.id == kLzfFilter && !states_chunk_size(filter, dataset))
      return Error{dataset.path, "filter 32000 (lzf) does not state the size of a chunk"};
    if (!filter.available)
      return Error{dataset.path, std::format("filter {}{} is not available", filter.id,
                                             filter.name.empty() ? "" : " (" + filter.name + ")")};
  }
  return std::nullopt;
}

std::optional<std::uint64_t> row_bytes(const Dataset& dataset) {
  std::uint64_t bytes = dataset.type.size;
  for (std::size_t i = 1; i < dataset.space.extent.size(); ++i)
    if (__builtin_mul_overflow(bytes, dataset.space.extent[i], &bytes)) return std::nullopt;
  return bytes;
}

// A dataset opened with its own datatype, read by hyperslabs.
struct Opened {
  ObjectHandle dataset{};
  TypeHandle type{};
  SpaceHandle space{};

  static Result<Opened> open(const FileContext& context, const Dataset& model) {
    if (auto error = refusal(model)) return std::unexpected(std::move(*error));
    Opened opened;
    opened.dataset = ObjectHandle{H5Oopen_by_token(context.file, native_token(model.token))};
    if (!opened.dataset) return library_failure(model.path);
    opened.type = TypeHandle{H5Dget_type(opened.dataset.get())};
    opened.space = SpaceHandle{H5Dget_space(opened.dataset.get())};
    if (!opened.type || !opened.space) return library_failure(model.path);
    return opened;
  }

  // Elements of a rectangle in row-major order, in the file's own datatype.
  bool read(std::span<const std::uint64_t> start, std::span<const std::uint64_t> count,
            void* into) const {
    const std::vector<hsize_t> from(start.begin(), start.end());
    const std::vector<hsize_t> size(count.begin(), count.end());
    if (H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, from.data(), nullptr, size.data(),
                            nullptr) < 0)
      return false;
    const SpaceHandle memory{
        H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr)};
    return H5Dread(dataset.get(), type.get(), memory.get(), space.get(), H5P_DEFAULT, into) >= 0;
  }
};

// Logical bytes of an element in memory: pointers followed, gaps between fields left out.
void append_logical(const Datatype& type, const std::byte* at, std::string& into) {
  if (type.variable_string()) {
    const char* text;
    std::memcpy(&text, at, sizeof text);
    into.append(text ? text : "").push_back('\0');
  } else if (type.is(TypeClass::kVlen) && type.base) {
    hvl_t items;
    std::memcpy(&items, at, sizeof items);
    into.append(reinterpret_cast<const char*>(&items.len), sizeof items.len);
    const auto* first = static_cast<const std::byte*>(items.p);
    for (std::size_t i = 0; i < items.len; ++i)
      append_logical(*type.base, first + i * type.base->size, into);
  } else if (type.is(TypeClass::kArray) && type.base && type.base->size > 0) {
    for (std::size_t i = 0; i < type.size / type.base->size; ++i)
      append_logical(*type.base, at + i * type.base->size, into);
  } else if (type.is(TypeClass::kCompound)) {
    for (const TypeMember& member : type.members)
      if (member.type) append_logical(*member.type, at + member.offset, into);
  } else {
    into.append(reinterpret_cast<const char*>(at), type.size);
  }
}

class FileStream : public ValueStream {
 public:
  FileStream(Opened opened, const Dataset& model, std::uint64_t rows, std::uint64_t row_bytes)
      : opened_(std::move(opened)), path_(model.path), rows_(rows), row_bytes_(row_bytes),
        element_(model.type), variable_(model.type.variable_string()),
        logical_(!variable_ && model.space.rank() == 1 &&
                 (has_variable_part(model.type) || contains_class(model.type, TypeClass::kCompound))),
        extent_(model.space.extent) {
    step_ = std::max<std::uint64_t>(1, kBlockBytes / std::max<std::uint64_t>(1, row_bytes_));
    if (model.storage.layout == Layout::kChunked && !model.storage.chunk.empty()) {
      // Whole chunks, so that each chunk is decoded once.
      const std::uint64_t chunk = std::max<std::uint64_t>(1, model.storage.chunk[0]);
      step_ = std::max(chunk, step_ / chunk * chunk);
    }
  }
  FileStream(const FileStream&) = delete;
  FileStream& operator=(const FileStream&) = delete;
  ~FileStream() override { reclaim(); }

  Result<std::optional<Block>> next() override {
    if (row_ == rows_) return std::optional<Block>{};
    Block block{.first_row = row_, .rows = std::min(step_, rows_ - row_), .bytes = {}, .strings = {}};
    std::vector<std::uint64_t> start(extent_.size(), 0), count(extent_.begin(), extent_.end());
    start[0] = block.first_row;
    count[0] = block.rows;
    reclaim();
    if (variable_) {
      pointers_.assign(block.rows, nullptr);
      if (!opened_.read(start, count, pointers_.data())) return library_failure(path_);
      views_.clear();
      for (const char* text : pointers_) views_.push_back(text ? text : std::string_view{});
      block.strings = views_;
    } else {
      bytes_.resize(block.rows * row_bytes_);
      if (!opened_.read(start, count, bytes_.data())) {
        bytes_.clear();  // no telling which of its pointers are good
        return library_failure(path_);
      }
      block.bytes = bytes_;
      if (logical_) block.strings = logical_rows(block.rows);
    }
    row_ += block.rows;
    return block;
  }

 private:
  // What the library has allocated for the last block.
  void reclaim() {
    const bool parts = logical_ && !bytes_.empty() && has_variable_part(element_);
    if (pointers_.empty() && !parts) return;
    const hsize_t n = variable_ ? pointers_.size() : bytes_.size() / element_.size;
    void* elements = variable_ ? static_cast<void*>(pointers_.data()) : bytes_.data();
    const SpaceHandle memory{H5Screate_simple(1, &n, nullptr)};
    H5Treclaim(opened_.type.get(), memory.get(), H5P_DEFAULT, elements);
    pointers_.clear();
    bytes_.clear();
  }

  std::span<const std::string_view> logical_rows(std::uint64_t rows) {
    std::vector<std::size_t> ends;
    text_.clear();
    for (std::uint64_t i = 0; i < rows; ++i) {
      append_logical(element_, bytes_.data() + i * element_.size, text_);
      ends.push_back(text_.size());
    }
    views_.clear();
    for (std::size_t start = 0; const std::size_t end : ends) {
      views_.push_back(std::string_view(text_).substr(start, end - start));
      start = end;
    }
    return views_;
  }

  Opened opened_;
  std::string path_;
  std::uint64_t rows_, row_bytes_, step_ = 1, row_ = 0;
  Datatype element_;
  bool variable_, logical_;
  std::vector<std::uint64_t> extent_;
  std::vector<std::byte> bytes_{};
  std::vector<char*> pointers_{};
  std::string text_{};
  std::vector<std::string_view> views_{};
};

}  // namespace

Result<std::unique_ptr<ValueStream>> FileValues::stream(const Dataset& dataset,
                                                        std::uint64_t rows) {
  const std::optional<std::uint64_t> bytes = row_bytes(dataset);
  if (!dataset.extent() || rows > *dataset.extent())
    return failure(dataset.path, "has fewer rows than asked for");
  if (!bytes) return failure(dataset.path, "a row is larger than the address space");
  Result<Opened> opened = Opened::open(context_, dataset);
  if (!opened) return std::unexpected(opened.error());
  return std::make_unique<FileStream>(std::move(*opened), dataset, rows, *bytes);
}

Result<std::vector<std::byte>> FileValues::read(const Dataset& dataset,
                                                std::span<const std::uint64_t> start,
                                                std::span<const std::uint64_t> count) {
  if (has_variable_part(dataset.type))
    return failure(dataset.path, "variable-length values have no fixed-size form");
  if (start.size() != dataset.space.rank() || count.size() != dataset.space.rank() || start.empty())
    return failure(dataset.path, "the rectangle has another rank than the dataset");
  std::uint64_t bytes = dataset.type.size;
  for (const std::uint64_t n : count)
    if (__builtin_mul_overflow(bytes, n, &bytes))
      return failure(dataset.path, "the rectangle is larger than the address space");
  Result<Opened> opened = Opened::open(context_, dataset);
  if (!opened) return std::unexpected(opened.error());
  std::vector<std::byte> out(bytes);
  if (bytes > 0 && !opened->read(start, count, out.data())) return library_failure(dataset.path);
  return out;
}

}  // namespace hepcheck::hdf5
