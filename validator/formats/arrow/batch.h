// A record batch, alone or as the data of a dictionary batch: chapter 4.3.
#pragma once

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

// What a batch says of a buffer of its body.
struct BufferEntry {
  std::int64_t offset = 0, length = 0;
};

// The RecordBatch table; it holds on to the metadata that it is in.
struct Batch {
  Message message{};
  SharedBytes metadata{};
  std::int64_t length = 0;
  Vector nodes{}, buffers{}, variadic{};
  std::uint64_t at = 0;  // of the table, in the metadata
  std::optional<Codec> codec{};
  // The clause for which no buffer of it can be read; empty if there is none.
  std::string_view unreadable_by{};

  Node node(std::uint32_t i) const {
    return {nodes.get<std::int64_t>(i, 16), nodes.get<std::int64_t>(i, 16, 8)};
  }
  BufferEntry buffer(std::uint32_t i) const {
    return {buffers.get<std::int64_t>(i, 16), buffers.get<std::int64_t>(i, 16, 8)};
  }
  // Data buffers of `count` views from one on, as far as the batch says so; 0 is as good as any
  // other number behind its end.
  std::uint64_t of_views(std::uint64_t first, std::uint64_t count) const;
};

Batch read_batch(const Message& message, const SharedBytes& metadata, const Table& table);

// The columns that a batch has: the fields of a schema as arrays, or one dictionary's values.
struct Columns {
  const std::vector<Field>* fields = nullptr;
  const Field* values = nullptr;

  std::size_t size() const { return values ? 1 : fields->size(); }
  const Field& operator[](std::size_t i) const { return values ? *values : (*fields)[i]; }
  Layout layout(std::size_t i) const {
    return values ? values->layout : (*fields)[i].array_layout();
  }
};

// How many nodes and buffers the arrays of a field have. Views have as many buffers more as the
// batch says.
struct Extent {
  std::uint64_t nodes = 0, buffers = 0, views = 0;

  Extent& operator+=(const Extent& other) {
    nodes += other.nodes;
    buffers += other.buffers;
    views += other.views;
    return *this;
  }
};
Extent extent_of(const Field& field, const Layout& layout, bool union_validity);

// What a batch lists for the arrays of a column: from which node, buffer and view count on, and the
// bytes of its buffers.
struct ColumnParts {
  std::size_t column = 0;
  std::uint64_t node = 0, buffer = 0, view = 0;
  std::uint64_t bytes = 0;
};
// One for each column, in order. The counts of the batch need not hold: a buffer that the batch
// does not list has no bytes, and a first node may not be there.
std::vector<ColumnParts> parts_of(const Batch& batch, const Columns& columns);

// What a batch says of itself as a whole. False if its arrays cannot be told apart.
bool judge_batch(Batch& batch, const Columns& columns, const Path& path, Notes& notes);

}  // namespace hepcheck::arrow
