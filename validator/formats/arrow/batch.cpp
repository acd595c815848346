#include "validator/formats/arrow/batch.h"

#include <algorithm>
#include <format>

#include "validator/formats/arrow/rule.h"
#include "validator/formats/arrow/schema_rules.h"

namespace hepcheck::arrow {

namespace {

struct Counts {
  std::uint64_t nodes, buffers;  // the existing ones
  Extent wanted;
};

struct Compression {
  std::int8_t codec, method;
};

struct Declared {
  bool experimental;
};

constexpr Rule kBatchLength("arrow-batch-length-not-negative", [](const Batch& it, Look& look) {
  look.ask(it.length >= 0, [&] { return std::format("a length of {}", it.length); }, "0 or more");
});

void node_count(const Counts& it, Look& look) {
  look.ask(
      it.nodes == it.wanted.nodes, [&] { return std::format("{} nodes", it.nodes); },
      [&] { return std::format("{}, one for each field", it.wanted.nodes); });
}

void buffer_count(const Counts& it, Look& look) {
  look.ask(
      it.buffers == it.wanted.buffers, [&] { return std::format("{} buffers", it.buffers); },
      [&] { return std::format("{}, by the layouts of the fields", it.wanted.buffers); });
}

void codec_known(const Compression& it, Look& look) {
  look.ask(
      it.codec == 0 || it.codec == 1, [&] { return std::format("codec {}", it.codec); },
      "0 (LZ4_FRAME) or 1 (ZSTD)");
}

void method_known(const Compression& it, Look& look) {
  look.ask(it.method == 0, [&] { return std::format("method {}", it.method); }, "0 (BUFFER)");
}

constexpr Rule kDeclared("arrow-compression-declared-in-batch", [](const Declared& it, Look& look) {
  look.ask(
      !it.experimental,
      [] { return std::format("the key {} of the message", kExperimentalCompression); },
      "RecordBatch.compression");
});

// The numbers of data buffers of views.
struct Variadic {
  const Vector& counts;
  std::uint64_t views;
};

void counts_present(const Variadic& it, Look& look) {
  if (it.views == 0) return;
  look.ask(it.counts.present(), "no variadicBufferCounts",
           [&] { return std::format("a count for each of {} view fields", it.views); });
}

void counts_for_each_view(const Variadic& it, Look& look) {
  if (!it.counts.present()) return;
  look.ask(
      it.counts.size() == it.views, [&] { return std::format("{} counts", it.counts.size()); },
      [&] { return std::format("{}, one for each view field", it.views); });
}

void counts_not_negative(const Variadic& it, Look& look) {
  if (!it.counts.present()) return;
  std::uint32_t i = 0;
  while (i < it.counts.size() && it.counts.get<std::int64_t>(i) >= 0) ++i;
  look.ask(
      i == it.counts.size(),
      [&] { return std::format("count {} of view field {}", it.counts.get<std::int64_t>(i), i); },
      "0 or more");
}

constexpr Rule<Variadic> kVariadic[] = {
    {"arrow-variadic-counts-present", counts_present},
    {"arrow-variadic-counts-one-for-each-view", counts_for_each_view},
    {"arrow-variadic-counts-not-negative", counts_not_negative}};

constexpr Rule<Counts> kNodeCount("arrow-batch-node-count", node_count);
constexpr Rule<Counts> kBufferCount("arrow-batch-buffer-count", buffer_count);
constexpr Rule<Compression> kCompression[] = {{"arrow-compression-codec-known", codec_known},
                                              {"arrow-compression-method-known", method_known}};

bool experimental(const Batch& batch) {
  const Vector pairs = Table::root(*batch.metadata).vector(message::kCustomMetadata);
  return std::ranges::any_of(read_metadata(pairs), [](const KeyValue& pair) {
    return pair.key == kExperimentalCompression;
  });
}

void judge_compression(Batch& batch, const Place& place, Notes& notes) {
  if (!judge_each<kDeclared>(Declared{experimental(batch)}, place, notes) || experimental(batch))
    batch.unreadable_by = kDeclared.id.str();
  const Table table = Table(*batch.metadata, batch.at).table(record_batch::kCompression);
  if (!table.present()) return;
  const Compression stated{table.get<std::int8_t>(body_compression::kCodec),
                           table.get<std::int8_t>(body_compression::kMethod)};
  for (const Rule<Compression>& rule : kCompression)
    if (!judge_rule(rule, stated, place, notes)) batch.unreadable_by = rule.id.str();
  batch.codec = static_cast<Codec>(stated.codec);
}

}  // namespace

Batch read_batch(const Message& message, const SharedBytes& metadata, const Table& table) {
  return {.message = message,
          .metadata = metadata,
          .length = table.get<std::int64_t>(record_batch::kLength),
          .nodes = table.vector(record_batch::kNodes),
          .buffers = table.vector(record_batch::kBuffers),
          .variadic = table.vector(record_batch::kVariadicCounts),
          .at = table.at()};
}

std::uint64_t Batch::of_views(std::uint64_t first, std::uint64_t count) const {
  std::uint64_t all = 0;
  for (std::uint64_t i = first; i < first + count && i < variadic.size(); ++i)
    all = sum(all, static_cast<std::uint64_t>(std::max<std::int64_t>(
                       0, variadic.get<std::int64_t>(static_cast<std::uint32_t>(i)))));
  return all;
}

Extent extent_of(const Field& field, const ArrayLayout& layout, bool union_validity) {
  Extent extent{.nodes = 1,
                .buffers = layout.data_buffers() + (layout.has_validity(union_validity) ? 1u : 0u),
                .views = layout.kind == ArrayLayout::Kind::kView ? 1u : 0u};
  if (layout.kind == ArrayLayout::Kind::kDictionary) return extent;
  for (const Field& child : field.children)
    extent += extent_of(child, child.array_layout(), union_validity);
  return extent;
}

Extent extent_of(const Columns& columns, bool union_validity) {
  if (columns.extents) return (*columns.extents)[union_validity ? 1 : 0];
  Extent extent;
  for (std::size_t i = 0; i < columns.size(); ++i)
    extent += extent_of(columns[i], columns.layout(i), union_validity);
  return extent;
}

std::vector<ColumnParts> parts_of(const Batch& batch, const Columns& columns) {
  std::vector<ColumnParts> parts;
  ColumnParts at;
  // A batch may list nothing for most columns.
  const auto left = [&] {
    return at.node < batch.nodes.size() || at.buffer < batch.buffers.size();
  };
  for (; at.column < columns.size() && left(); ++at.column) {
    at.bytes = 0;
    parts.push_back(at);
    const Extent extent =
        extent_of(columns[at.column], columns.layout(at.column), batch.message.version == kV4);
    const std::uint64_t buffers = sum(extent.buffers, batch.of_views(at.view, extent.views));
    std::uint64_t& bytes = parts.back().bytes;
    for (std::uint64_t k = 0; k < buffers && at.buffer < batch.buffers.size(); ++k, ++at.buffer)
      bytes = sum(bytes, static_cast<std::uint64_t>(std::max<std::int64_t>(
                             0, batch.buffer(static_cast<std::uint32_t>(at.buffer)).length)));
    at.node += extent.nodes;
    at.view += extent.views;
  }
  return parts;
}

bool judge_batch(Batch& batch, const Columns& columns, const Path& path, Notes& notes) {
  const Place place{.path = &path, .byte = batch.message.metadata_at() + batch.at};
  if (!judge<kBatchLength>(batch, place, notes)) return false;
  judge_compression(batch, place, notes);
  Counts counts{batch.nodes.size(), batch.buffers.size(), {}};
  counts.wanted = extent_of(columns, batch.message.version == kV4);
  const bool as_stated =
      judge<kVariadic>(Variadic{batch.variadic, counts.wanted.views}, place, notes);
  const bool nodes = judge<kNodeCount>(counts, place, notes);
  if (!as_stated) {
    block<kBufferCount>(path.text() + ": the data buffers of its views are not known", {}, notes);
    return false;
  }
  counts.wanted.buffers = sum(counts.wanted.buffers, batch.of_views(0, counts.wanted.views));
  return judge<kBufferCount>(counts, place, notes) && nodes;
}

void batch_rules(RuleList& list) {
  list.structure<kBatchLength, kVariadic, kNodeCount, kBufferCount, kCompression, kDeclared>();
}

}  // namespace hepcheck::arrow
