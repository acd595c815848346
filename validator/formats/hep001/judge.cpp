#include "validator/formats/hep001/judge.h"

#include <algorithm>
#include <format>
#include <type_traits>
#include <utility>

#include "validator/formats/hep001/model/unread.h"
#include "validator/formats/hep001/rules/version.h"
#include "validator/formats/hep001/strips.h"
#include "validator/machine.h"
#include "validator/parallel.h"
#include "validator/worker_position.h"

namespace hepcheck::hep001 {

namespace {

// --- What a check is about, read off its signature ---------------------------------------------

template <class T>
constexpr bool kOfModel =
    std::is_same_v<T, Table> || std::is_same_v<T, Column> || std::is_same_v<T, Categories> ||
    std::is_same_v<T, SearchIndex> || std::is_same_v<T, ListColumn> ||
    std::is_same_v<T, AnyColumn> || std::is_same_v<T, IndexedColumn> ||
    std::is_same_v<T, ValueSet> || std::is_same_v<T, Probe>;
template <IndexKind kFamily>
constexpr bool kOfModel<FamilyIndex<kFamily>> = true;

// Facts are parameters that are not part of the model: a reference requires them, a pointer accepts
// their absence.
template <class T>
constexpr bool kNeededFacts = std::is_reference_v<T> && !kOfModel<std::remove_cvref_t<T>>;
template <class T>
constexpr bool kTakenFacts = kNeededFacts<T> || std::is_pointer_v<T>;

template <class... Args>
constexpr bool needs_facts(void (*)(Args...)) {
  return (... || kNeededFacts<Args>);
}
template <class... Args>
constexpr bool takes_facts(void (*)(Args...)) {
  return (... || kTakenFacts<Args>);
}
// Whether it is called for each part of one of these kinds.
template <class... Of, class... Args>
constexpr bool over_any_of(void (*)(Args...)) {
  return ([]<class Arg>(std::type_identity<Arg>) {
    return (... || std::is_same_v<Arg, const Of&>);
  }(std::type_identity<Args>()) ||
          ...);
}
constexpr bool over_columns(auto* check) {
  return over_any_of<Column, AnyColumn, IndexedColumn, ValueSet>(check);
}
constexpr bool over_indexes(auto* check) {
  return over_any_of<SearchIndex, MinmaxIndex, SortedIndex, BitmapIndex, BloomIndex>(check);
}

std::vector<RuleHead> heads_of(std::span<const Rule> rules) {
  std::vector<RuleHead> heads;
  for (const Rule& rule : rules)
    heads.push_back(
        {.clause = rule.id.str(),
         .file = rule.id.file(),
         .data = std::visit([](auto* check) { return needs_facts(check); }, rule.check)});
  return heads;
}

// --- Quantifiers -------------------------------------------------------------------------------

// Calls a check for every subject of its kind in a table; for columns, those from `begin` to `end`,
// where list columns follow the datasets. Checks that need facts run only if there are any.
struct Over {
  const Table& table;
  const TableFacts* facts;
  Probe& probe;
  std::size_t begin = 0, end = 0;

  void operator()(void (*check)(const Table&, Probe&)) const { check(table, probe); }
  void operator()(void (*check)(const Table&, const Column&, Probe&)) const {
    for (std::size_t i = begin; i < datasets_end(); ++i) check(table, table.columns[i], probe);
  }
  void operator()(void (*check)(const Table&, const AnyColumn&, Probe&)) const {
    for (std::size_t i = begin; i < end; ++i) check(table, any_column(i), probe);
  }
  void operator()(void (*check)(const Table&, const IndexedColumn&, Probe&)) const {
    for (std::size_t i = begin; i < datasets_end(); ++i)
      check(table, {table, table.columns[i]}, probe);
  }
  void operator()(void (*check)(const Table&, const ValueSet&, Probe&)) const {
    for (std::size_t i = begin; i < end; ++i)
      if (const auto values = value_set(i)) check(table, *values, probe);
  }
  void operator()(void (*check)(const Table&, const ValueSet&, const ColumnFacts&, Probe&)) const {
    for (std::size_t i = begin; i < end; ++i)
      if (const auto values = value_set(i))
        check(table, *values,
              values->leaf ? facts->lists[i - table.columns.size()].leaf : facts->columns[i],
              probe);
  }
  void operator()(void (*check)(const Table&, const Column&, const ColumnFacts*, Probe&)) const {
    for (std::size_t i = begin; i < datasets_end(); ++i)
      check(table, table.columns[i], facts ? &facts->columns[i] : nullptr, probe);
  }
  void operator()(void (*check)(const Table&, const Column&, const ColumnFacts&, Probe&)) const {
    for (std::size_t i = begin; i < datasets_end(); ++i)
      check(table, table.columns[i], facts->columns[i], probe);
  }
  void operator()(void (*check)(const Table&, const ListColumn&, Probe&)) const {
    for (const ListColumn& list : table.lists) check(table, list, probe);
  }
  void operator()(void (*check)(const Table&, const ListColumn&, const ListFacts&, Probe&)) const {
    for (std::size_t i = 0; i < table.lists.size(); ++i)
      check(table, table.lists[i], facts->lists[i], probe);
  }
  void operator()(void (*check)(const Table&, const Categories&, Probe&)) const {
    for (const Categories& categories : table.categories) check(table, categories, probe);
  }
  void operator()(void (*check)(const Table&, const Categories&, const CategoriesFacts*,
                                Probe&)) const {
    for (std::size_t i = 0; i < table.categories.size(); ++i)
      check(table, table.categories[i], facts ? &facts->categories[i] : nullptr, probe);
  }
  void operator()(void (*check)(const Table&, const SearchIndex&, Probe&)) const {
    for (const SearchIndex& index : table.indexes) check(table, index, probe);
  }
  template <IndexKind kFamily>
  void operator()(void (*check)(const Table&, const FamilyIndex<kFamily>&, Probe&)) const {
    for (const SearchIndex& index : table.indexes)
      if (index.kind == kFamily) check(table, family<kFamily>(index), probe);
  }
  template <IndexKind kFamily, class Facts>
  void operator()(void (*check)(const Table&, const FamilyIndex<kFamily>&, const Facts&,
                                Probe&)) const {
    for (std::size_t i = 0; i < table.indexes.size(); ++i)
      if (const auto* of_index = std::get_if<Facts>(&facts->indexes[i]))
        check(table, family<kFamily>(table.indexes[i]), *of_index, probe);
  }

 private:
  std::size_t datasets_end() const { return std::min(end, table.columns.size()); }
  AnyColumn any_column(std::size_t i) const {
    if (i < table.columns.size()) {
      const Dataset& data = *table.columns[i].data;
      return {data.name, data.path, data.attributes, data.attributes_unreadable};
    }
    const ListColumn& list = table.lists[i - table.columns.size()];
    return {list.name, list.path(), list.group().attributes, list.group().attributes_unreadable};
  }
  std::optional<ValueSet> value_set(std::size_t i) const {
    if (i < table.columns.size()) return ValueSet{*table.columns[i].data};
    const Dataset* leaf = table.lists[i - table.columns.size()].leaf();
    return leaf ? std::optional<ValueSet>({*leaf, true}) : std::nullopt;
  }

  template <IndexKind kFamily>
  FamilyIndex<kFamily> family(const SearchIndex& index) const {
    return {index, index.columns.size() == 1 ? &table.columns[index.columns[0]] : nullptr};
  }
};

// --- What could not be read ----------------------------------------------------------------------

// The reason why a rule cannot have examined all of its subjects; nothing if it has.
struct Unseen {
  const Table& table;
  const Unread& unread;
  const Rule& rule;

  using Reason = Unread::Reason;
  static Reason first(const Reason& a, const Reason& b) { return a ? a : b; }
  Reason of_categories() const {
    return first(unread.categories, table.categories.empty() ? Reason() : unread.references);
  }
  Reason of_indexes(bool any) const {
    return first(unread.indexes, any ? unread.references : Reason());
  }

  Reason operator()(void (*)(const Table&, Probe&)) const {
    switch (rule.sees.value()) {
      case Sees::kTableAttributes: return std::nullopt;
      case Sees::kColumns: return first(unread.columns, unread.lists);
      case Sees::kCategories: return first(unread.categories, unread.references);
      case Sees::kIndexes: return of_indexes(!table.indexes.empty());
      case Sees::kEverything: return unread.any();
    }
    std::unreachable();
  }
  template <class Subject, class... More>
  Reason operator()(void (*)(const Table&, Subject, More...)) const {
    using Of = std::remove_cvref_t<Subject>;
    if constexpr (std::is_same_v<Of, Column>)
      return unread.columns;
    else if constexpr (std::is_same_v<Of, IndexedColumn>)
      return first(unread.columns, unread.indexes);
    else if constexpr (std::is_same_v<Of, AnyColumn> || std::is_same_v<Of, ValueSet>)
      return first(unread.columns, unread.lists);
    else if constexpr (std::is_same_v<Of, ListColumn>)
      return unread.lists;
    else if constexpr (std::is_same_v<Of, Categories>)
      return of_categories();
    else if constexpr (std::is_same_v<Of, SearchIndex>)
      return of_indexes(!table.indexes.empty());
    else
      return of_indexes(std::ranges::contains(table.indexes, Of::kKind, &SearchIndex::kind));
  }
};

// --- What reports show -------------------------------------------------------------------------

// A part of which only the name is known.
Part unread_part(const Child& child) {
  return {.name = child.name,
          .type = "cannot be read: " + why_unread(child).value_or(""),
          .figures = {{"extent", {}}, {"chunk_rows", {}}, {"chunks", {}}}};
}

void describe(const Table& table, bool parts, SubjectReport& report) {
  // An unreadable object exists nevertheless.
  const std::vector<const Child*> unread = unread_columns(table);
  const auto unlisted = static_cast<std::uint64_t>(std::ranges::count_if(
      unread_categories(table), [](const Child* child) { return !child->dataset; }));
  report.figures = {{"nrows", table.nrows},
                    {"columns", table.columns.size() + table.lists.size() + unread.size()},
                    {"categories", table.categories.size() + unlisted},
                    {"indexes", table.indexes.size() + unread_indexes(table).size()}};
  if (!parts) return;
  for (const Column& column : table.columns)
    report.parts.push_back({.name = column.name(),
                            .type = describe(column.data->type),
                            .figures = {{"extent", column.data->extent().value_or(0)},
                                        {"chunk_rows", chunk_rows(*column.data)},
                                        {"chunks", data_bearing_chunks(table, *column.data)}}});
  for (const SearchIndex& index : table.indexes) {
    const Attribute* kind = index.data->attribute("KIND");
    const std::string name = kind ? string_value(*kind).value_or("?") : "?";
    for (const std::size_t column : index.columns)
      report.parts[column].labels.push_back(name + " " + index.data->path);
  }
  for (const ListColumn& list : table.lists) report.parts.push_back(part_of(table, list));
  for (const Child* child : unread) report.parts.push_back(unread_part(*child));
}

// A stale index is not a defect, but its contents were not judged.
void note_closed_gates(const Table& table, SubjectReport& report) {
  constexpr std::size_t kMost = 20;
  std::size_t closed = 0;
  for (const SearchIndex& index : table.indexes)
    if (!index.gate.open() && ++closed <= kMost)
      report.notes.push_back(
          std::format("{}: {}; its contents were not judged", index.data->path, index.gate.text()));
  if (closed > kMost)
    report.notes.push_back(std::format("{} more indexes are not valid", closed - kMost));
}

// Filter bits that no value explains are permitted (bloom-superset): a note instead of a finding.
void note_supersets(const Table& table, const TableFacts& facts, SubjectReport& report) {
  for (std::size_t i = 0; i < facts.indexes.size(); ++i) {
    const auto* bloom = std::get_if<BloomFacts>(&facts.indexes[i]);
    if (bloom && bloom->superset_chunks > 0)
      report.notes.push_back(
          std::format("{}: {} of {} filters have bits set that no value of their chunk explains; "
                      "readers examine more chunks than necessary, but their results are correct",
                      table.indexes[i].data->path, bloom->superset_chunks, bloom->chunks));
  }
}

}  // namespace

std::span<const RuleHead> rule_heads() {
  static const std::vector<RuleHead> heads = heads_of(all_rules());
  return heads;
}

TableJudge::TableJudge(const Specification& spec, ExamineOptions options,
                       std::span<const Rule> rules)
    : rules_(rules), judge_(spec, heads_of(rules), std::move(options)) {
  for (std::size_t t = 0; t < judge_.tasks().size(); ++t) {
    const Check& check = rules_[judge_.tasks()[t].rule].check;
    const auto is = [&](auto trait) { return std::visit(trait, check); };
    (is([](auto* c) { return over_columns(c); })              ? over_columns_
     : is([](auto* c) { return over_indexes(c); })            ? over_indexes_
     : is([](auto* c) { return over_any_of<ListColumn>(c); }) ? over_lists_
     : is([](auto* c) { return over_any_of<Categories>(c); }) ? over_categories_
                                                              : once_)
        .push_back(t);
    data_wanted_ |= is([](auto* c) { return takes_facts(c); });
  }
  data_wanted_ = data_wanted_ && judge_.options().depth == Depth::kFull;
}

bool TableJudge::needs_facts_of(const Table& table) const {
  return data_wanted_ && version_claim(table).kind != VersionClaim::Kind::kLaterMajor;
}

std::optional<TableFacts> TableJudge::facts(const Table& table, ValueSource& values,
                                            const Share& share) const {
  if (!needs_facts_of(table)) return std::nullopt;
  const ExamineOptions& options = judge_.options();
  return collect_facts(table, values,
                       {.locate_missing = options.describe_columns,
                        .memory_limit = options.memory_limit,
                        .jobs = options.jobs,
                        .progress = options.progress,
                        .share = share});
}

SubjectReport TableJudge::judge(const Table& table, const std::optional<TableFacts>& facts,
                                const SubjectReport* before) const {
  now_in(table.path());
  const bool described = judge_.options().describe_columns;
  SubjectReport report{.kind = "table", .path = table.path()};
  describe(table, described, report);
  const VersionClaim claim = version_claim(table);
  if (claim.kind == VersionClaim::Kind::kLaterMajor) {
    judge_.refuse(std::format("VERSION \"{}\" declares a later major revision than the 1 that {} "
                              "describes; nothing else was checked",
                              claim.text, judge_.spec().id),
                  report);
    return report;
  }
  if (claim.kind == VersionClaim::Kind::kLaterMinor)
    report.notes.push_back(
        std::format("VERSION \"{}\" is a later minor revision than {}; judged by the rules of 1.0",
                    claim.text, judge_.spec().id));
  note_closed_gates(table, report);
  if (facts) note_supersets(table, *facts, report);
  if (facts) note_lists(table, *facts, report.notes);
  if (facts && described) add_strips(table, *facts, report.parts);
  judge_.settle(run(table, facts ? &*facts : nullptr), before, report);
  now_in({});
  return report;
}

// The result of each task's rule for the table. The columns and the rules of a wide table are
// divided among the threads.
std::vector<Probe> TableJudge::run(const Table& table, const TableFacts* facts) const {
  constexpr std::size_t kWide = 2048;
  const std::size_t columns = table.columns.size() + table.lists.size();
  const unsigned jobs = judge_.options().jobs;
  const unsigned shares = columns < kWide ? 1 : jobs > 0 ? jobs : cores();
  std::vector<std::vector<Probe>> probes;
  for (unsigned share = 0; share < shares; ++share) probes.push_back(judge_.probes());
  const auto check = [&](std::size_t task, std::uint64_t share, std::size_t begin,
                         std::size_t end) {
    now_at(Stage::kChecking, judge_.clause(judge_.tasks()[task]).id);
    std::visit(Over{table, facts, probes[share][task], begin, end},
               rules_[judge_.tasks()[task].rule].check);
  };
  parallel_for(shares, shares, [&](std::uint64_t share) {
    const auto check_all = [&](const std::vector<std::size_t>& tasks) {
      for (std::size_t i = share; i < tasks.size(); i += shares) check(tasks[i], share, 0, 0);
    };
    check_all(once_);
    // Few tables have parts of all kinds.
    if (!table.lists.empty()) check_all(over_lists_);
    if (!table.categories.empty()) check_all(over_categories_);
    if (!table.indexes.empty()) check_all(over_indexes_);
    // A few columns at a time, so that they stay in the cache for all rules.
    constexpr std::size_t kColumns = 32;
    const std::size_t end = columns * (share + 1) / shares;
    for (std::size_t begin = columns * share / shares; begin < end; begin += kColumns)
      for (const std::size_t task : over_columns_)
        check(task, share, begin, std::min(begin + kColumns, end));
  });
  for (unsigned share = 1; share < shares; ++share)
    for (std::size_t task = 0; task < probes[0].size(); ++task)
      probes[0][task].join(std::move(probes[share][task]));
  const Unread unread = unread_of(table);
  if (unread.any())
    for (std::size_t task = 0; task < probes[0].size(); ++task) {
      const Rule& rule = rules_[judge_.tasks()[task].rule];
      if (auto reason = std::visit(Unseen{table, unread, rule}, rule.check))
        probes[0][task].blocked(*std::move(reason));
    }
  return std::move(probes[0]);
}

SubjectReport examine(const Table& table, ValueSource& values, const Specification& spec,
                      const ExamineOptions& options) {
  const TableJudge judge(spec, options);
  return judge.judge(table, judge.facts(table, values));
}

}  // namespace hepcheck::hep001
