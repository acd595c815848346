#include "validator/formats/arrow/byte_cells.h"

#include "validator/integers.h"

namespace hepcheck::arrow {

ByteCells::ByteCells(std::uint64_t size)
    : map_(ByteMap::of(size, {"metadata", "validity bitmaps", "offsets and type ids", "values"})) {}

void ByteCells::add(const Message& message) {
  map_.add(message.metadata_at(), message.size, kMetadata);
}

void ByteCells::add(const Batch& batch, const Columns& columns) {
  buffer_ = view_ = 0;
  for (std::size_t i = 0; i < columns.size() && buffer_ < batch.buffers.size(); ++i)
    add(columns[i], columns.layout(i), batch);
}

void ByteCells::add_buffer(const Batch& batch, Kind kind) {
  if (buffer_ >= batch.buffers.size()) return;
  const BufferEntry entry = batch.buffer(buffer_++);
  if (entry.offset >= 0 && entry.length > 0)
    map_.add(sum(batch.message.body_at, static_cast<std::uint64_t>(entry.offset)),
             static_cast<std::uint64_t>(entry.length), kind);
}

void ByteCells::add(const Field& field, const ArrayLayout& layout, const Batch& batch) {
  using Layouts = ArrayLayout::Kind;
  if (layout.has_validity(batch.message.version == kV4)) add_buffer(batch, kValidity);
  const bool by_offsets = layout.kind == Layouts::kBinary || layout.kind == Layouts::kList ||
                          layout.kind == Layouts::kSparseUnion ||
                          layout.kind == Layouts::kDenseUnion || layout.kind == Layouts::kListView;
  for (unsigned i = 0; i < layout.data_buffers(); ++i)
    add_buffer(batch, by_offsets && (i == 0 || layout.kind != Layouts::kBinary) ? kOffsets : kData);
  if (layout.kind == Layouts::kView)
    for (std::uint64_t more = batch.of_views(view_++, 1);
         more > 0 && buffer_ < batch.buffers.size(); --more)
      add_buffer(batch, kData);
  if (layout.kind == Layouts::kDictionary) return;
  for (const Field& child : field.children) add(child, child.array_layout(), batch);
}

}  // namespace hepcheck::arrow
