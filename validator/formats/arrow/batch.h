// A record batch, alone or as the data of a dictionary batch: chapter 4.3.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "validator/formats/arrow/compression.h"
#include "validator/formats/arrow/message.h"
#include "validator/formats/arrow/schema.h"

namespace hepcheck::arrow {

struct Node {
  std::int64_t length = 0, null_count = 0;
};

// A buffer as stated by a batch.
struct BufferEntry {
  std::int64_t offset = 0, length = 0;
};

// The RecordBatch table; it refers to the metadata that contains it.
struct Batch {
  Message message{};
  SharedBytes metadata{};
  std::int64_t length = 0;
  Vector nodes{}, buffers{}, variadic{};
  std::uint64_t at = 0;  // of the table, in the metadata
  std::optional<Codec> codec{};
  // The clause because of which none of its buffers can be read; empty if there is none.
  std::string_view unreadable_by{};

  Node node(std::uint32_t i) const {
    return {nodes.get<std::int64_t>(i, 16), nodes.get<std::int64_t>(i, 16, 8)};
  }
  BufferEntry buffer(std::uint32_t i) const {
    return {buffers.get<std::int64_t>(i, 16), buffers.get<std::int64_t>(i, 16, 8)};
  }
  // The data buffers of `count` views from one on, as stated by the batch; 0 beyond its end.
  std::uint64_t of_views(std::uint64_t first, std::uint64_t count) const;
};

Batch read_batch(const Message& message, const SharedBytes& metadata, const Table& table);

// The numbers of nodes and buffers of the arrays of a field. Views have additional buffers, as
// stated by the batch.
struct Extent {
  std::uint64_t nodes = 0, buffers = 0, views = 0;

  Extent& operator+=(const Extent& other) {
    nodes += other.nodes;
    buffers += other.buffers;
    views += other.views;
    return *this;
  }
};

// The columns of a batch: the fields of a schema as arrays, or the values of one dictionary.
struct Columns {
  const std::vector<Field>* fields = nullptr;
  const Field* values = nullptr;
  // The extent of all columns, where it is known, without and with validity bitmaps of unions: a
  // schema may have many fields, and a stream many batches.
  const std::array<Extent, 2>* extents = nullptr;

  std::size_t size() const { return values ? 1 : fields->size(); }
  const Field& operator[](std::size_t i) const { return values ? *values : (*fields)[i]; }
  ArrayLayout layout(std::size_t i) const {
    return values ? values->layout : (*fields)[i].array_layout();
  }
};

Extent extent_of(const Field& field, const ArrayLayout& layout, bool union_validity);
Extent extent_of(const Columns& columns, bool union_validity);

// What a batch lists for the arrays of a column: from which node, buffer and view count on, and the
// bytes of its buffers.
struct ColumnParts {
  std::size_t column = 0;
  std::uint64_t node = 0, buffer = 0, view = 0;
  std::uint64_t bytes = 0;
};
// One for each column, in order, up to the last one for which the batch lists anything. The counts
// of the batch need not hold: a buffer that the batch does not list has no bytes, and a first node
// may not be there.
std::vector<ColumnParts> parts_of(const Batch& batch, const Columns& columns);

// Judges the batch as a whole. False if its arrays cannot be delimited.
bool judge_batch(Batch& batch, const Columns& columns, const Path& path, Notes& notes);

}  // namespace hepcheck::arrow
