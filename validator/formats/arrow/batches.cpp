#include "validator/formats/arrow/batches.h"

#include <algorithm>
#include <format>

#include "validator/machine.h"
#include "validator/parallel.h"
#include "validator/place.h"

namespace hepcheck::arrow {

Batches::Batches(const Bytes& file, const Schema& schema, bool is_file, Budget& budget,
                 const ExamineOptions& options, Notes& notes)
    : file_(file), schema_(schema), is_file_(is_file), budget_(budget),
      values_(options.depth == Depth::kFull), jobs_(options.jobs > 0 ? options.jobs : cores()),
      notes_(notes), dictionaries_(schema, is_file), spare_(budget.memory() / (2 * jobs_)) {
  totals_.fields.resize(schema.fields.size());
}

Batches::Outcome Batches::judge_arrays(Batch& batch, const Columns& columns, std::uint64_t memory) {
  Outcome made{.notes = notes_.fresh()};
  look_into(batch, columns, memory, made);
  return made;
}

void Batches::look_into(Batch& batch, const Columns& columns, std::uint64_t memory, Outcome& into) {
  const Notes::Gather gather(into.notes);
  const Path path = batch.message.path();
  judge_batch_length(batch.length, {.path = &path, .byte = batch.message.metadata_at() + batch.at},
                     into.notes);
  if (!judge_batch(batch, columns, path, into.notes) || !batch.message.body_inside) return;
  judge_body(batch, path, into.notes);
  if (!batch.unreadable_by.empty())
    into.notes.blocked("arrow-null-count-exact", path.text() + ": its buffers cannot be read",
                       {batch.unreadable_by});
  Body body(file_, batch, budget_, spare_, values_, memory);
  Arrays(body, schema_.order(), into.notes, [&](const Keys& keys) {
    if (keys.used > 0)
      into.keys.push_back({keys.field, keys.most, keys.any, keys.place.object(), keys.place.byte});
  }).columns(columns, path);
  into.readable = true;
}

void Batches::dictionary(const Message& message, const SharedBytes& metadata) {
  flush();
  ++totals_.dictionary_batches;
  const Path path = message.path();
  const DictionaryBatch said = read_dictionary_batch(metadata);
  const Field* field =
      dictionaries_.begin(said, {.path = &path, .byte = message.metadata_at()}, notes_);
  if (!field) return;
  bool readable = false;
  std::uint64_t length = 0;
  std::vector<KeptKeys> keys;
  Batch batch = read_batch(message, metadata, said.data);
  const std::string_view spoilt =
      schema_.spoilt_by == "arrow-schema-endianness-known" ? schema_.spoilt_by : field->spoilt_by;
  if (!spoilt.empty()) {
    notes_.blocked("arrow-batch-node-count", path.text() + ": its values cannot be laid out",
                   {spoilt});
  } else {
    Outcome outcome = judge_arrays(batch, {.values = field}, budget_.memory());
    notes_.join(std::move(outcome.notes));
    keys = std::move(outcome.keys);
    const std::int64_t stated = batch.node(0).length;
    readable = outcome.readable && stated >= 0 && stated == batch.length;
    length = static_cast<std::uint64_t>(std::max<std::int64_t>(0, stated));
  }
  dictionaries_.end(said, readable, length, std::move(keys));
}

void Batches::record(const Message& message, const SharedBytes& metadata) {
  const Path path = message.path();
  now_at(Stage::kValues, path.text());
  Batch batch = read_batch(message, metadata, header_of(metadata));
  add_up(batch);
  if (!schema_.spoilt_by.empty() || !schema_.whole) {
    notes_.blocked("arrow-batch-node-count", path.text() + ": its arrays cannot be laid out",
                   schema_.spoilt_by.empty() ? std::vector<std::string_view>{}
                                             : std::vector{schema_.spoilt_by});
    return;
  }
  waiting_.push_back(std::move(batch));
  if (waiting_.size() >= jobs_) flush();
}

void Batches::flush() {
  std::vector<std::optional<Outcome>> outcomes(waiting_.size());
  parallel_for(waiting_.size(), jobs_, [&](std::uint64_t i) {
    outcomes[i] = judge_arrays(waiting_[i], {.fields = &schema_.fields}, budget_.memory() / jobs_);
  });
  for (std::optional<Outcome>& outcome : outcomes) {
    notes_.join(std::move(outcome->notes));
    for (const KeptKeys& keys : outcome->keys) dictionaries_.use(keys, notes_);
  }
  waiting_.clear();
}

void Batches::add_up(const Batch& batch) {
  ++totals_.batches;
  totals_.rows =
      sum(totals_.rows, static_cast<std::uint64_t>(std::max<std::int64_t>(0, batch.length)));
  totals_.buffers += batch.buffers.size();
  std::uint64_t node = 0, buffer = 0;
  std::uint32_t view = 0;
  for (std::size_t i = 0; i < schema_.fields.size(); ++i) {
    const Field& field = schema_.fields[i];
    const Extent extent = extent_of(field, field.array_layout(), batch.message.version == kV4);
    FieldTotals& total = totals_.fields[i];
    const Node first =
        node < batch.nodes.size() ? batch.node(static_cast<std::uint32_t>(node)) : Node{};
    total.slots =
        sum(total.slots, static_cast<std::uint64_t>(std::max<std::int64_t>(0, first.length)));
    total.nulls =
        sum(total.nulls, static_cast<std::uint64_t>(std::max<std::int64_t>(0, first.null_count)));
    std::uint64_t buffers = extent.buffers;
    for (std::uint64_t k = 0; k < extent.views && view < batch.variadic.size(); ++k, ++view)
      buffers = sum(buffers, static_cast<std::uint64_t>(std::max<std::int64_t>(
                                 0, batch.variadic.get<std::int64_t>(view))));
    for (std::uint64_t k = 0; k < buffers && buffer < batch.buffers.size(); ++k, ++buffer)
      total.bytes =
          sum(total.bytes, static_cast<std::uint64_t>(std::max<std::int64_t>(
                               0, batch.buffer(static_cast<std::uint32_t>(buffer)).length)));
    node += extent.nodes;
  }
}

void Batches::finish(bool whole) {
  flush();
  const Path schema{.kind = "schema"};
  if (whole && !is_file_ && totals_.batches > 0) dictionaries_.finish(schema, notes_);
}

}  // namespace hepcheck::arrow
