#include "validator/formats/arrow/batches.h"

#include <algorithm>
#include <format>
#include <iterator>
#include <utility>

#include "validator/machine.h"
#include "validator/parallel.h"
#include "validator/worker_position.h"

namespace hepcheck::arrow {

namespace {

// Bytes: columns that a thread processes together, at least and at most; columns that several
// threads share; batches that are judged concurrently, from a file and from streamed input, which
// is buffered until then.
constexpr std::uint64_t kTogether = std::uint64_t{1} << 20, kMostTogether = std::uint64_t{4} << 20,
                        kWorthThreads = std::uint64_t{1} << 18,
                        kMostWaiting = std::uint64_t{256} << 20,
                        kMostHeld = std::uint64_t{16} << 20;
// Ranges for a thread. Each has notes of its own, which cost as much as examining 100 KiB; a thread
// may have to wait for the last one of another.
constexpr std::uint64_t kRangesOfThread = 32;

constexpr std::size_t kMostBatches = 256;    // judged concurrently
constexpr std::size_t kMostPictures = 1024;  // of fields

// Of a body that the input has.
std::uint64_t body_bytes(const Message& message) {
  return message.body_inside ? static_cast<std::uint64_t>(message.body_length) : 0;
}

}  // namespace

Batches::Batches(const Bytes& file, const Schema& schema, bool is_file, InputBudget& budget,
                 const ExamineOptions& options, Notes& notes)
    : file_(file), schema_(schema), is_file_(is_file), budget_(budget),
      values_(options.depth == Depth::kFull), pictures_(options.describe_columns),
      jobs_(options.jobs > 0 ? options.jobs : cores()), notes_(notes),
      dictionaries_(schema, is_file), spare_(budget.memory() / (2 * jobs_)) {
  totals_.fields.resize(schema.fields.size());
  const Columns columns{.fields = &schema.fields};
  extents_ = {extent_of(columns, false), extent_of(columns, true)};
  if (options.describe_columns && !file.incoming()) cells_.emplace(file.size());
}

void Batches::begin(Begun& begun, std::uint64_t together) {
  auto& [batch, columns, outcome, ranges] = begun;
  const Path path = batch.message.path();
  judge_batch_length(batch.length, {.path = &path, .byte = batch.message.metadata_at() + batch.at},
                     outcome.notes);
  if (!judge_batch(batch, columns, path, outcome.notes) || !batch.message.body_inside) return;
  judge_body(batch, path, outcome.notes);
  outcome.readable = true;
  ranges = divided(batch, columns, together);
}

Batches::Outcome Batches::judge_arrays(const Begun& begun, const ColumnRange& range,
                                       unsigned jobs) {
  Outcome made{.notes = begun.outcome.notes.fresh()};
  const Path path = begun.batch.message.path();
  now_at(Stage::kValues, path.text());
  Body body(file_, begun.batch, budget_, spare_, values_, budget_.memory() / jobs_, jobs);
  const auto on_keys = [&](const Keys& keys) {
    if (keys.unexamined) {
      const std::string reason = keys.place.object() + ": it could not be examined";
      made.notes.blocked("arrow-dictionary-index-in-range", reason);
      made.notes.blocked(is_file_ ? ClauseId("arrow-file-dictionary-defined")
                                  : ClauseId("arrow-stream-dictionary-before-use"),
                         reason);
    }
    if (keys.used)
      made.keys.push_back({keys.field, keys.most, keys.any, keys.place.object(), keys.place.byte});
  };
  // No dictionary changes while record batches are judged.
  const auto unwanted_of = [&](const Field& field) {
    return dictionaries_.unwanted(field, made.notes);
  };
  Arrays(body, schema_.order(), made.notes, on_keys, unwanted_of,
         begun.columns.values ? &made.unwanted : nullptr)
      .columns(begun.columns, range, path);
  return made;
}

// Large arrays are divided as well, so no thread waits for the one with the largest array.
unsigned Batches::jobs_inside(std::size_t tasks) const {
  return jobs_ == 1 ? 1
                    : 1 + jobs_ / static_cast<unsigned>(std::clamp<std::size_t>(tasks, 1, jobs_));
}

void Batches::judge(std::vector<Begun>& batches) {
  struct Task {
    Begun& begun;
    const ColumnRange& range;
    std::optional<Outcome> outcome{};
  };
  std::vector<Task> tasks;
  std::uint64_t all = 0, bytes = 0;
  for (const Begun& begun : batches) all = sum(all, body_bytes(begun.batch.message));
  const std::uint64_t together =
      std::clamp(all / (kRangesOfThread * jobs_), kTogether, kMostTogether);
  for (Begun& begun : batches) {
    begun.outcome.notes.gather();
    begin(begun, together);
    for (const ColumnRange& range : begun.ranges) {
      tasks.push_back({begun, range});
      bytes = sum(bytes, range.bytes);
    }
  }
  parallel_for(tasks.size(), bytes >= kWorthThreads ? jobs_ : 1, [&](std::uint64_t i) {
    tasks[i].outcome = judge_arrays(tasks[i].begun, tasks[i].range, jobs_inside(tasks.size()));
  });
  for (Task& task : tasks) {
    Outcome& whole = task.begun.outcome;
    whole.notes.join(std::move(task.outcome->notes));
    std::ranges::move(task.outcome->keys, std::back_inserter(whole.keys));
    whole.unwanted = std::move(task.outcome->unwanted);  // a dictionary has one column, so one task
  }
  for (Begun& begun : batches) begun.outcome.notes.let_go();
}

void Batches::dictionary(const Message& message, const SharedBytes& metadata) {
  flush();
  ++totals_.dictionary_batches;
  if (cells_) cells_->add(message);
  const Path path = message.path();
  const DictionaryBatch said = read_dictionary_batch(metadata);
  const Field* field = dictionaries_.begin(said, totals_.batches > 0,
                                           {.path = &path, .byte = message.metadata_at()}, notes_);
  if (!field) return;
  bool readable = false;
  std::uint64_t length = 0;
  std::vector<KeptKeys> keys;
  Unwanted unwanted;
  Batch batch = read_batch(message, metadata, said.data);
  const std::string_view invalidated_by = schema_.invalidated_by == "arrow-schema-endianness-known"
                                              ? schema_.invalidated_by
                                              : field->invalidated_by;
  if (!invalidated_by.empty()) {
    notes_.blocked("arrow-batch-node-count", path.text() + ": its values cannot be laid out",
                   {invalidated_by});
  } else {
    if (cells_) cells_->add(batch, {.values = field});
    std::vector<Begun> one;
    one.push_back({batch, {.values = field}, {.notes = notes_.fresh()}});
    judge(one);
    Outcome& outcome = one.front().outcome;
    notes_.join(std::move(outcome.notes));
    keys = std::move(outcome.keys);
    unwanted = std::move(outcome.unwanted);
    const std::int64_t stated = batch.node(0).length;
    readable = outcome.readable && stated >= 0 && stated == batch.length;
    length = static_cast<std::uint64_t>(std::max<std::int64_t>(0, stated));
  }
  dictionaries_.end(said, readable, length, std::move(keys), std::move(unwanted));
}

void Batches::record(const Message& message, const SharedBytes& metadata) {
  const Path path = message.path();
  Batch batch = read_batch(message, metadata, header_of(metadata));
  if (cells_) cells_->add(message);
  add_up(batch);
  if (!schema_.invalidated_by.empty() || !schema_.whole) {
    notes_.blocked("arrow-batch-node-count", path.text() + ": its arrays cannot be laid out",
                   schema_.invalidated_by.empty() ? std::vector<std::string_view>{}
                                                  : std::vector{schema_.invalidated_by});
    return;
  }
  if (cells_) cells_->add(batch, {.fields = &schema_.fields});
  waiting_bytes_ += message.size + body_bytes(message);
  waiting_.push_back(std::move(batch));
  const std::uint64_t most = file_.incoming() ? kMostHeld : kMostWaiting;
  if (waiting_bytes_ >= std::min(most, budget_.memory() / 8) || waiting_.size() >= kMostBatches)
    flush();
}

void Batches::flush() {
  std::vector<Begun> batches;
  for (Batch& batch : waiting_)
    batches.push_back({std::move(batch),
                       {.fields = &schema_.fields, .extents = &extents_},
                       {.notes = notes_.fresh()}});
  waiting_.clear();
  waiting_bytes_ = 0;
  judge(batches);
  for (Begun& begun : batches) {
    notes_.join(std::move(begun.outcome.notes));
    for (const KeptKeys& keys : begun.outcome.keys) dictionaries_.use(keys, notes_);
  }
}

void Batches::add_up(const Batch& batch) {
  ++totals_.batches;
  totals_.rows =
      sum(totals_.rows, static_cast<std::uint64_t>(std::max<std::int64_t>(0, batch.length)));
  totals_.buffers += batch.buffers.size();
  for (const ColumnParts& each : parts_of(batch, {.fields = &schema_.fields})) {
    FieldTotals& total = totals_.fields[each.column];
    const Node first =
        each.node < batch.nodes.size() ? batch.node(static_cast<std::uint32_t>(each.node)) : Node{};
    total.slots =
        sum(total.slots, static_cast<std::uint64_t>(std::max<std::int64_t>(0, first.length)));
    total.nulls =
        sum(total.nulls, static_cast<std::uint64_t>(std::max<std::int64_t>(0, first.null_count)));
    if (pictures_ && each.column < kMostPictures && first.length >= 0 && first.null_count >= 0)
      total.null_cells.add(static_cast<std::uint64_t>(first.length),
                           static_cast<std::uint64_t>(first.null_count));
    total.bytes = sum(total.bytes, each.bytes);
  }
}

void Batches::finish(bool whole) {
  flush();
  const Path schema{.kind = "schema"};
  if (whole && !is_file_ && totals_.batches > 0) dictionaries_.finish(schema, notes_);
}

}  // namespace hepcheck::arrow
