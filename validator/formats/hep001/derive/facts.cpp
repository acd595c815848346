#include "validator/formats/hep001/derive/facts.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <new>

#include "validator/formats/hep001/derive/fold.h"
#include "validator/formats/hep001/derive/list_facts.h"
#include "validator/machine.h"
#include "validator/parallel.h"
#include "validator/shortage.h"

namespace hepcheck::hep001 {

namespace {

// The memory for column data after the program and the buffers of its threads.
std::uint64_t column_budget(std::uint64_t limit, unsigned jobs) {
  const std::uint64_t rest = (std::uint64_t{32} << 20) + jobs * (std::uint64_t{2} << 20);
  return limit - std::min(rest, limit / 2);
}

bool has_missing_booleans(const Table& table, const Dataset& column) {
  return column.storage.fill_state == FillState::kUserDefined &&
         table.revision->is_boolean_column(column.type);
}

// The bits of an index for rows that are neither FALSE nor TRUE do not matter.
void leave_indexes_of_no_booleans(const ColumnFacts& column,
                                  const std::vector<std::size_t>& indexes,
                                  std::vector<IndexFacts>& facts) {
  if (!column.no_boolean || column.no_boolean->count == 0) return;
  for (const std::size_t i : indexes)
    std::visit(
        [](auto& each) {
          if constexpr (!std::is_same_v<decltype(each), std::monostate&>)
            if (!each.obstacle)
              each.obstacle = broken("a row is neither FALSE nor TRUE", {"boolean-column-value"});
        },
        facts[i]);
}

// The facts of a family, with the obstacles that are common to all of them.
template <class Facts, class MakeFold>
std::unique_ptr<Fold> family_fold(const Table& table, const SearchIndex& index,
                                  const FoldContext* context, ClauseId one_column, MakeFold make,
                                  IndexFacts& into) {
  Facts& facts = into.emplace<Facts>();
  if (index.columns.size() != 1)
    facts.obstacle =
        index.listed_by_list_column
            ? broken("a list column lists the index", {"list-no-search-index-list"})
            : broken("not exactly one column lists the index", {"index-referenced", one_column});
  else if (index.data->unreadable)
    facts.obstacle = broken(*index.data->unreadable);
  else if (!index.gate.open())
    facts.obstacle = {.reason = index.gate.text(),
                      .broken = index.gate.state == IndexGate::State::kUnknown};
  else if (!table.nrows)
    facts.obstacle = broken("NROWS is not known", {"nrows-present", "nrows-uint64"});
  else if (*table.nrows > table.columns[index.columns[0]].data->extent().value_or(0))
    facts.obstacle = broken("the column is shorter than NROWS", {"extent-ge-nrows"});
  else if (*table.nrows == 0)
    facts.obstacle = {.reason = "no rows", .broken = false};
  else if (has_missing_booleans(table, *table.columns[index.columns[0]].data))
    facts.obstacle = broken(
        "a boolean column with a fill value: the builder of the index may have counted missing "
        "rows",
        {"boolean-column-no-fill"});
  else
    return make(*context, index, facts);
  return nullptr;
}

std::unique_ptr<Fold> index_fold(const Table& table, const SearchIndex& index,
                                 const FoldContext* context, IndexFacts& into) {
  switch (index.kind) {
    case IndexKind::kChunkMinmax:
      return family_fold<MinmaxFacts>(table, index, context, "minmax-one-column", minmax_fold,
                                      into);
    case IndexKind::kSortedRows:
      return family_fold<SortedFacts>(table, index, context, "sorted-one-column", sorted_fold,
                                      into);
    case IndexKind::kBitmap:
      return family_fold<BitmapFacts>(table, index, context, "bitmap-one-column", bitmap_fold,
                                      into);
    case IndexKind::kChunkBloom:
      return family_fold<BloomFacts>(table, index, context, "bloom-one-column", bloom_fold, into);
    case IndexKind::kUnknown: return nullptr;
  }
  return nullptr;
}

using Folds = std::vector<std::unique_ptr<Fold>>;

void fail_all(const Folds& folds, const Error& error) {
  for (const auto& fold : folds) fold->fail(error);
}

using Parts = std::vector<std::unique_ptr<FoldPart>>;

// Feeds parts of all folds with one run. An error states why the rows cannot be read.
std::optional<Error> read_run(const FoldContext& context, const Run& run, const Parts& parts) {
  return for_each_block(context.values.stream_rows(context.column, run.first, run.rows),
                        [&](const Block& block) {
                          for (const auto& part : parts) part->block(block);
                        });
}

// Merges the parts of runs in order, whichever completes first.
class Joiner {
 public:
  explicit Joiner(const Folds& folds) : folds_(folds) {}

  void add(std::uint64_t run, Parts parts) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(run, std::move(parts));
    for (auto it = waiting_.begin(); it != waiting_.end() && it->first == next_;
         it = waiting_.erase(it), ++next_)
      for (std::size_t f = 0; f < folds_.size(); ++f) folds_[f]->join(*it->second[f]);
  }

 private:
  const Folds& folds_;
  std::mutex mutex_{};
  std::map<std::uint64_t, Parts> waiting_{};
  std::uint64_t next_ = 0;
};

// Thrown through parallel_for: the first run that cannot be read determines the result of the
// column.
struct Unreadable {
  Error error;
};

// One pass over a column feeds all its folds. An error states why it cannot be read.
std::optional<Error> read_column(const FoldContext& context, const Folds& folds) {
  const bool one_chunk = context.column.storage.layout != StorageLayout::kChunked;
  const bool whole = one_chunk && std::ranges::any_of(folds, &Fold::whole_chunks);
  const Runs runs =
      whole ? Runs::whole(context.rows) : Runs(context.column, context.rows, context.cuts);
  Joiner joiner(folds);
  try {
    parallel_for(runs.count(), context.jobs, [&](std::uint64_t i) {
      const Run run = runs[i];
      Parts parts;
      for (const auto& fold : folds) parts.push_back(fold->part(run));
      if (auto error = read_run(context, run, parts)) throw Unreadable{std::move(*error)};
      joiner.add(i, std::move(parts));
      if (context.progress) context.progress->advance(run.rows * context.column.type.size);
    });
    for (const auto& fold : folds) fold->finish();
    return std::nullopt;
  } catch (const Unreadable& trouble) {
    return trouble.error;
  } catch (const std::bad_alloc&) {
    record_memory_shortage();
    return Error{context.column.path, "out of memory"};
  }
}

}  // namespace

std::uint64_t memory_limit(const FactOptions& options) {
  if (options.memory_limit > 0) return options.memory_limit;
  return machine_memory() > 0 ? machine_memory() / 4 : std::uint64_t{1} << 30;
}

Runs::Runs(const Dataset& dataset, std::uint64_t rows, const Cuts& cuts) : rows_(rows), step_(1) {
  const bool chunked = dataset.storage.layout == StorageLayout::kChunked;
  const std::uint64_t chunk = chunked ? std::max<std::uint64_t>(1, chunk_rows(dataset)) : 1;
  const std::uint64_t size = std::max<std::uint64_t>(1, dataset.type.size);
  std::uint64_t chunks =
      std::max<std::uint64_t>(1, std::min(cuts.run_bytes / size, cuts.run_rows) / chunk);
  if (chunked) chunks = std::min(chunks, cuts.run_chunks);
  step_ = chunks * chunk;
}

TableFacts collect_facts(const Table& table, ValueSource& values, const FactOptions& options) {
  TableFacts facts;
  facts.columns.resize(table.columns.size());
  facts.indexes.resize(table.indexes.size());
  facts.categories.resize(table.categories.size());
  std::vector<std::vector<std::size_t>> indexes_of(table.columns.size());
  for (std::size_t i = 0; i < table.indexes.size(); ++i) {
    const std::vector<std::size_t>& columns = table.indexes[i].columns;
    if (columns.size() == 1)
      indexes_of[columns[0]].push_back(i);
    else
      index_fold(table, table.indexes[i], nullptr, facts.indexes[i]);
  }
  const unsigned jobs = options.jobs > 0 ? options.jobs : cores();
  const std::uint64_t limit = column_budget(memory_limit(options), jobs);
  for (std::size_t i = 0; i < table.categories.size(); ++i) {
    if (!options.share.has(i)) continue;
    const Dataset& labels = *table.categories[i].data;
    const FoldContext context{table, labels, values,  labels.extent().value_or(0),
                              limit, jobs,   nullptr, options.cuts};
    if (const auto error = read_column(context, {})) facts.categories[i].unread = error->text();
  }
  facts.lists.resize(table.lists.size());
  for (std::size_t i = 0; i < table.lists.size(); ++i) {
    if (!options.share.has(i)) continue;
    const ListColumn& list = table.lists[i];
    ListFacts& of_list = facts.lists[i] = list_facts(list, {table, values, jobs});
    const Dataset* leaf = list.leaf();
    const std::optional<std::uint64_t> end = of_list.levels.back().end;
    if (!leaf || !leaf->space.one_dimensional() || !end) continue;
    const FoldContext context{table, *leaf, values,          std::min(*end, *leaf->extent()),
                              limit, jobs,  options.progress};
    if (options.progress) options.progress->expect(context.rows * leaf->type.size);
    Folds folds;
    if (auto fold = leaf_fold(context, of_list.leaf)) folds.push_back(std::move(fold));
    if (const std::optional<Error> error = read_column(context, folds)) {
      of_list.leaf.unread = error->text();
      fail_all(folds, *error);
    }
  }
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (!options.share.has(c)) continue;
    const Column& column = table.columns[c];
    const FoldContext context{
        table, *column.data, values,           logical_rows(table, *column.data),
        limit, jobs,         options.progress, options.cuts};
    Folds folds;
    if (auto fold = column_fold(context, column, facts.columns[c]))
      folds.push_back(std::move(fold));
    for (const std::size_t i : indexes_of[c])
      if (auto fold = index_fold(table, table.indexes[i], &context, facts.indexes[i]))
        folds.push_back(std::move(fold));
    if (folds.empty() && context.rows == 0) continue;
    if (options.locate_missing)
      if (auto fold = missing_fold(context, facts.columns[c].missing_cells))
        folds.push_back(std::move(fold));
    if (options.progress) options.progress->expect(context.rows * column.data->type.size);
    if (const std::optional<Error> error = read_column(context, folds)) {
      facts.columns[c].unread = error->text();
      fail_all(folds, *error);
    }
    leave_indexes_of_no_booleans(facts.columns[c], indexes_of[c], facts.indexes);
  }
  return facts;
}

TableFacts join_facts(const Table& table, std::vector<TableFacts> of_shares) {
  const auto of = [&](std::size_t part) -> TableFacts& {
    return of_shares[part % of_shares.size()];
  };
  TableFacts facts;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    facts.columns.push_back(std::move(of(i).columns[i]));
  for (std::size_t i = 0; i < table.lists.size(); ++i)
    facts.lists.push_back(std::move(of(i).lists[i]));
  for (std::size_t i = 0; i < table.categories.size(); ++i)
    facts.categories.push_back(std::move(of(i).categories[i]));
  for (std::size_t i = 0; i < table.indexes.size(); ++i) {
    const std::vector<std::size_t>& columns = table.indexes[i].columns;
    facts.indexes.push_back(std::move(of(columns.size() == 1 ? columns[0] : 0).indexes[i]));
  }
  return facts;
}

}  // namespace hepcheck::hep001
