#include "validator/derive/facts.h"

#include <unistd.h>

#include <new>

#include "validator/derive/fold.h"

namespace hepcheck {

namespace {

// The facts of a family, with the obstacles that are the same for all of them.
template <class Facts, class MakeFold>
std::unique_ptr<Fold> family_fold(const Table& table, const SearchIndex& index,
                                  const FoldContext* context, MakeFold make, IndexFacts& into) {
  Facts& facts = into.emplace<Facts>();
  if (index.columns.size() != 1)
    facts.obstacle = broken("not exactly one column lists the index (index-referenced, *-one-column)");
  else if (index.data->unreadable)
    facts.obstacle = broken(*index.data->unreadable);
  else if (!table.nrows)
    facts.obstacle = broken("NROWS is not known (nrows-present, nrows-uint64)");
  else if (*table.nrows > table.columns[index.columns[0]].data->extent().value_or(0))
    facts.obstacle = broken("the column is shorter than NROWS (extent-ge-nrows)");
  else if (*table.nrows == 0)
    facts.obstacle = {.reason = "no rows", .broken = false};
  else
    return make(*context, index, facts);
  return nullptr;
}

std::unique_ptr<Fold> index_fold(const Table& table, const SearchIndex& index,
                                 const FoldContext* context, IndexFacts& into) {
  switch (index.kind) {
    case IndexKind::kChunkMinmax:
      return family_fold<MinmaxFacts>(table, index, context, minmax_fold, into);
    case IndexKind::kSortedRows:
      return family_fold<SortedFacts>(table, index, context, sorted_fold, into);
    case IndexKind::kBitmap:
      return family_fold<BitmapFacts>(table, index, context, bitmap_fold, into);
    case IndexKind::kChunkBloom:
      return family_fold<BloomFacts>(table, index, context, bloom_fold, into);
    case IndexKind::kUnknown: return nullptr;
  }
  return nullptr;
}

using Folds = std::vector<std::unique_ptr<Fold>>;

void fail_all(const Folds& folds, const Error& error) {
  for (const auto& fold : folds) fold->fail(error);
}

// One pass over a column feeds all its folds.
void read_column(const FoldContext& context, const Folds& folds) {
  Result<std::unique_ptr<ValueStream>> stream = context.values.stream(context.column, context.rows);
  if (!stream) return fail_all(folds, stream.error());
  while (true) {
    Result<std::optional<Block>> next = (*stream)->next();
    if (!next) return fail_all(folds, next.error());
    if (!*next) break;
    for (const auto& fold : folds) fold->block(**next);
  }
  for (const auto& fold : folds) fold->finish();
}

}  // namespace

std::uint64_t memory_limit(const FactOptions& options) {
  if (options.memory_limit > 0) return options.memory_limit;
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && size > 0
             ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) / 4
             : std::uint64_t{1} << 30;
}

TableFacts collect_facts(const Table& table, ValueSource& values, const FactOptions& options) {
  TableFacts facts;
  facts.columns.resize(table.columns.size());
  facts.indexes.resize(table.indexes.size());
  std::vector<std::vector<std::size_t>> indexes_of(table.columns.size());
  for (std::size_t i = 0; i < table.indexes.size(); ++i) {
    const std::vector<std::size_t>& columns = table.indexes[i].columns;
    if (columns.size() == 1)
      indexes_of[columns[0]].push_back(i);
    else
      index_fold(table, table.indexes[i], nullptr, facts.indexes[i]);
  }
  const std::uint64_t limit = memory_limit(options);
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const Column& column = table.columns[c];
    const FoldContext context{table, *column.data, values, logical_rows(table, *column.data), limit};
    Folds folds;
    if (auto fold = column_fold(context, column, facts.columns[c])) folds.push_back(std::move(fold));
    for (const std::size_t i : indexes_of[c])
      if (auto fold = index_fold(table, table.indexes[i], &context, facts.indexes[i]))
        folds.push_back(std::move(fold));
    if (folds.empty()) continue;
    try {
      read_column(context, folds);
    } catch (const std::bad_alloc&) {
      fail_all(folds, {column.path(), "out of memory"});
    }
  }
  return facts;
}

}  // namespace hepcheck
