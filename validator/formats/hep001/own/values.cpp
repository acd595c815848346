#include "validator/formats/hep001/own/values.h"

#include <algorithm>
#include <format>
#include <utility>

#include "validator/counted.h"
#include "validator/formats/hdf5/chunk_index.h"
#include "validator/formats/hep001/model/comparable.h"
#include "validator/formats/hep001/own/dataset.h"
#include "validator/formats/hep001/own/elements.h"
#include "validator/formats/hep001/storage/refusal.h"
#include "validator/formats/hep001/storage/row_streams.h"
#include "validator/integers.h"
#include "validator/worker_position.h"

namespace hepcheck::hep001::own {

namespace {

// The number of cached sources; a check needs the column and its indexes.
constexpr std::size_t kMostSources = 16;

}  // namespace

struct OwnValues::Source {
  std::optional<RawData> raw{};
  std::shared_ptr<const ElementForm> form{};
  // Of a compact dataset: its values.
  std::vector<std::byte> compact{};
  FileBytes compact_bytes{std::nullopt};
};

// One dimension of values with a variable-length part or with fields: strings, or elements with
// pointers that are valid until the next block, with their comparable forms.
class ElementStream : public RowStream {
 public:
  ElementStream(OwnValues& values, OwnValues::SourcePointer source, const Dataset& dataset,
                std::uint64_t first, std::uint64_t count)
      : RowStream(first, count), values_(values), source_(std::move(source)), type_(dataset.type),
        path_(dataset.path), found_(values.context_) {}

 private:
  std::uint64_t step(std::uint64_t row) const override {
    // Whole chunks that have to be decoded may have many rows; elements in memory may be larger.
    const std::uint64_t most =
        std::max<std::uint64_t>(1, 4 * kBlockBytes / std::max<std::size_t>(1, source_->form->size));
    return std::min(most, source_->raw->good_step(row, kBlockBytes));
  }

  std::optional<Error> fill(Block& block) override {
    const RawData& raw = *source_->raw;
    const ElementForm& form = *source_->form;
    // A step inside a chunk uses what was decoded before.
    if (block.first_row < begin_ || block.first_row + block.rows > end_) {
      const std::uint64_t count = std::max(block.rows, raw.good_step(block.first_row, kBlockBytes));
      const std::uint64_t rows = std::min(count, last_row() - block.first_row);
      room_ = space_.buffer(raw.room_for(block.first_row, rows));
      const Result<std::size_t> offset =
          raw.read_rows(block.first_row, rows, room_, space_.decoder());
      if (!offset) return offset.error();
      room_ = room_.subspan(*offset);
      begin_ = block.first_row;
      end_ = begin_ + rows;
    }
    const auto stored =
        room_.subspan((block.first_row - begin_) * form.stored_size, block.rows * form.stored_size);
    views_.clear();
    forms_.clear();
    found_.clear();
    if (type_.variable_string()) return texts(stored, block);
    if (form.copied()) {
      block.bytes = stored;
    } else {
      elements_.assign(block.rows * form.size, std::byte{0});
      const std::lock_guard lock(values_.context_.mutex);
      if (auto why = found_.convert(form, stored, elements_)) return Error{path_, std::move(*why)};
      block.bytes = elements_;
    }
    for (std::uint64_t i = 0; i < block.rows; ++i)
      forms_.push_back(comparable_form(type_, block.bytes.subspan(i * form.size, form.size)));
    views_.assign(forms_.begin(), forms_.end());
    block.strings = views_;
    return std::nullopt;
  }

  std::optional<Error> texts(std::span<const std::byte> stored, Block& block) {
    const std::size_t size = source_->form->stored_size;
    const std::lock_guard lock(values_.context_.mutex);
    for (std::uint64_t i = 0; i < block.rows; ++i) {
      std::string_view text;
      if (auto why = found_.text(stored.subspan(i * size, size), text))
        return Error{path_, std::move(*why)};
      views_.push_back(text);
    }
    block.strings = views_;
    return std::nullopt;
  }

  OwnValues& values_;
  OwnValues::SourcePointer source_;
  Datatype type_;
  std::string path_;
  Workspace space_{};
  std::span<std::byte> room_{};        // stored elements
  std::uint64_t begin_ = 0, end_ = 0;  // their rows
  std::vector<std::byte> elements_{};
  Elements found_;
  std::vector<std::string> forms_{};
  std::vector<std::string_view> views_{};
};

OwnValues::OwnValues(Context& context) : context_(context), file_(context.file) {}
OwnValues::~OwnValues() = default;

Result<OwnValues::SourcePointer> OwnValues::source(const Dataset& dataset) {
  const std::lock_guard lock(context_.mutex);
  if (const auto it = sources_.find(dataset.token); it != sources_.end()) return it->second;
  Result<SourcePointer> made = open_source(dataset);
  if (!made) return made;
  if (sources_.size() >= kMostSources) sources_.clear();
  return sources_.emplace(dataset.token, std::move(*made)).first->second;
}

Result<OwnValues::SourcePointer> OwnValues::open_source(const Dataset& dataset) {
  if (auto error = refusal(dataset, context_.limits)) return std::unexpected(std::move(*error));
  const auto made = std::make_shared<Source>();
  std::optional<std::string> trouble;
  const auto header = context_.header(own::address_of(dataset.token), trouble);
  if (!header) return failure(dataset.path, *trouble);
  const auto stored = read_stored(*header, dataset.path, context_, trouble);
  if (!stored) return failure(dataset.path, *trouble);
  const hdf5::Dataset& messages = stored->messages;
  const hdf5::DataLayout& layout = messages.layout;
  hdf5::Container& file = context_.container();
  made->form = stored->form;
  RawData::Form form{.element_bytes = made->form->stored_size};
  constexpr unsigned kNeverWritten = 1;
  if (messages.fill && messages.fill->when != kNeverWritten &&
      messages.fill->value.size() == form.element_bytes)
    form.fill = messages.fill->value;
  if (layout.layout_class() != hdf5::LayoutClass::kCompact && layout.address == hdf5::kUndefined &&
      messages.fill && messages.fill->when != kNeverWritten)
    if (auto error = no_values(dataset)) return std::unexpected(std::move(*error));
  const std::uint64_t bytes = product(messages.space.elements(), form.element_bytes);
  switch (layout.layout_class()) {
    case hdf5::LayoutClass::kCompact:
      if (layout.compact.size() < bytes)
        return failure(dataset.path, "its header ends before the values");
      made->compact.assign(layout.compact.bytes.begin(), layout.compact.bytes.end());
      made->compact_bytes = FileBytes(Bytes::of_image(made->compact, dataset.path));
      made->raw = RawData::contiguous(made->compact_bytes, dataset, std::move(form), 0);
      return made;
    case hdf5::LayoutClass::kContiguous: {
      if (layout.address == hdf5::kUndefined) {
        made->raw = RawData::contiguous(file_, dataset, std::move(form), std::nullopt);
        return made;
      }
      if (!file.inside(layout.address, bytes) || (layout.version > 2 && layout.size < bytes))
        return failure(dataset.path, "the file ends before the values");
      made->raw = RawData::contiguous(file_, dataset, std::move(form), file.base + layout.address);
      return made;
    }
    case hdf5::LayoutClass::kChunked: break;
    case hdf5::LayoutClass::kVirtual: return failure(dataset.path, "a virtual dataset");
  }
  // A model keeps the first parameters only, and n-bit may have many.
  form.filters = dataset.storage.filters;
  for (std::size_t i = 0; i < form.filters->size() && i < messages.filters.list.size(); ++i) {
    const auto& all = messages.filters.list[i].values;
    (*form.filters)[i].parameters.assign(all.begin(), all.end());
  }
  const std::vector<Filter> filters = *form.filters;
  made->raw = RawData::chunked(file_, dataset, std::move(form), context_.limits.block_bytes);
  if (!made->raw)
    return failure(dataset.path, "chunks that are larger than the limit of " +
                                     counted(context_.limits.block_bytes, "byte") +
                                     ", or more than can be counted");
  bool room = true;
  const Attempt attempt(context_);
  const hdf5::Chunks::Listener take = [&](const hdf5::Dataset&, const hdf5::Chunk& chunk) {
    const bool plain = (layout.flags & hdf5::DataLayout::kEdgeChunksUnfiltered) != 0 &&
                       hdf5::over_the_edge(messages, chunk);
    room = room && made->raw->add_chunk(chunk.scaled, sum(file.base, chunk.address), chunk.size,
                                        plain ? ~std::uint32_t{0} : chunk.mask);
  };
  hdf5::Chunks chunks(file, messages, nullptr, take);
  const bool sound = hdf5::walk_chunk_index(messages, file, chunks);
  if (auto why = attempt.trouble(); why || !sound)
    return failure(dataset.path, "its chunks: " + why.value_or("the index is refused"));
  if (!room) return failure(dataset.path, "more chunks than can be remembered");
  if (!made->raw->complete()) return failure(dataset.path, "two chunks have the same position");
  if (auto error =
          needs_missing_filter(dataset, [&] { return made->raw->filters_skipped_by_all(); }))
    return std::unexpected(std::move(*error));
  if (!can_decode_some(filters, made->raw->filters_skipped_by_all()))
    return failure(dataset.path, "its filters have parameters that are not valid");
  return made;
}

std::optional<Error> OwnValues::read_rectangle(const Source& source, const std::string& path,
                                               std::span<const std::uint64_t> start,
                                               std::span<const std::uint64_t> count,
                                               std::span<std::byte> into, ChunkDecoder& decoder) {
  const ElementForm& form = *source.form;
  if (form.copied()) return source.raw->read(start, count, into, decoder, cache_);
  std::vector<std::byte> stored(into.size() / form.size * form.stored_size);
  if (auto error = source.raw->read(start, count, stored, decoder, cache_)) return error;
  const std::lock_guard lock(context_.mutex);
  Elements elements(context_);
  if (auto why = elements.convert(form, stored, into)) return Error{path, std::move(*why)};
  return std::nullopt;
}

Result<std::unique_ptr<ValueStream>> OwnValues::stream_rows(const Dataset& dataset,
                                                            std::uint64_t first,
                                                            std::uint64_t count) {
  now_at(Stage::kValues, dataset.path);
  const bool variable = has_variable_part(dataset.type);
  const Result<std::uint64_t> bytes = streamed_row_bytes(dataset, first, count, context_.limits);
  if (!bytes) return std::unexpected(bytes.error());
  Result<SourcePointer> found = source(dataset);
  if (!found) return std::unexpected(found.error());
  const bool one = dataset.space.one_dimensional();
  if (one && (variable || contains_class(dataset.type, TypeClass::kCompound)))
    return std::make_unique<ElementStream>(*this, std::move(*found), dataset, first, count);
  if (one && (*found)->form->copied())
    return std::make_unique<RawStream>(std::shared_ptr<const RawData>(*found, &*(*found)->raw),
                                       *bytes, first, count);
  return std::make_unique<RectangleStream>(
      [this, from = std::move(*found), path = dataset.path](auto start, auto size, auto into,
                                                            ChunkDecoder& decoder) {
        return read_rectangle(*from, path, start, size, into, decoder);
      },
      dataset, context_.limits.block_bytes, *bytes, first, count);
}

Result<std::vector<std::byte>> OwnValues::read(const Dataset& dataset,
                                               std::span<const std::uint64_t> start,
                                               std::span<const std::uint64_t> count) {
  now_at(Stage::kValues, dataset.path);
  const Result<std::uint64_t> bytes = rectangle_bytes(dataset, start, count);
  if (!bytes) return std::unexpected(bytes.error());
  Result<SourcePointer> found = source(dataset);
  if (!found) return std::unexpected(found.error());
  std::vector<std::byte> out(*bytes);
  ChunkDecoder decoder;
  if (auto error = read_rectangle(**found, dataset.path, start, count, out, decoder))
    return std::unexpected(std::move(*error));
  return out;
}

}  // namespace hepcheck::hep001::own
