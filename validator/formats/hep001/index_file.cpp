#include "validator/formats/hep001/index_file.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <format>
#include <new>
#include <variant>

#include "validator/formats/hep001/derive/build_index.h"
#include "validator/formats/hep001/index_contents.h"
#include "validator/formats/hep001/judge.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/file.h"
#include "validator/formats/hep001/libhdf5/file_values.h"
#include "validator/formats/hep001/libhdf5/write_index.h"
#include "validator/formats/hep001/rules/rule.h"
#include "validator/rewrite.h"

namespace hepcheck::hep001 {

namespace {

// Whether a check examines one search index of `kind`, or of any kind.
struct AboutIndex {
  IndexKind kind;

  template <class... Rest>
  bool operator()(void (*)(const Table&, const SearchIndex&, Rest...)) const {
    return true;
  }
  template <IndexKind kFamily, class... Rest>
  bool operator()(void (*)(const Table&, const FamilyIndex<kFamily>&, Rest...)) const {
    return kind == kFamily;
  }
  template <class... Rest>
  bool operator()(void (*)(Rest...)) const {
    return false;
  }
};

std::unexpected<IndexRefusal> forbidden(std::string where, std::string why) {
  return std::unexpected(
      IndexRefusal{.forbidden = true, .error = {std::move(where), std::move(why)}});
}
std::unexpected<IndexRefusal> misplaced(Error error) {
  return std::unexpected(IndexRefusal{.error = std::move(error), .misplaced = true});
}

std::unexpected<IndexRefusal> impossible(Error error) {
  return std::unexpected(IndexRefusal{.forbidden = false, .error = std::move(error)});
}

// The named table, or the only one, as interpreted by its revision.
struct Found {
  Table table{};
  RevisionChoice choice{};
};
Result<Found> find_table(const libhdf5::File& file, const IndexPlace& place) {
  const auto ready = [&](Table&& table) {
    Found found{.table = std::move(table)};
    found.choice = place.spec ? RevisionChoice{.revision = &revision_of(*place.spec)}
                              : revision_by_signs(found.table.group);
    assign_roles(found.table, *found.choice.revision);
    return found;
  };
  if (place.group) return libhdf5::read_table_at(file, *place.group).transform(ready);
  std::vector<Table> tables;
  libhdf5::for_each_table(file,
                          {.table = [&](Table&& table) { tables.push_back(std::move(table)); },
                           .unreadable = [](const Error&) {}});
  if (tables.size() == 1) return ready(std::move(tables.front()));
  if (tables.empty()) return failure("", "no table group");
  return failure(
      "", std::format("{} tables; name one as FILE:{}", tables.size(), tables.front().path()));
}

const Specification& spec_of(const Table& table) {
  return *find_specification(table.revision->spec);
}

Result<const Column*> find_column(const Table& table, const std::string& name) {
  const auto it = table.column_by_name.find(name);
  if (table.list_by_name.contains(name))
    return failure(table.path(),
                   '"' + name + "\" is a list column, which cannot have search indexes");
  if (it == table.column_by_name.end()) return failure(table.path(), "no column \"" + name + '"');
  return &table.columns[it->second];
}

std::vector<const SearchIndex*> indexes_of(const Table& table, const Column& column,
                                           IndexKind kind) {
  const auto position = static_cast<std::size_t>(&column - table.columns.data());
  std::vector<const SearchIndex*> found;
  for (const SearchIndex& index : table.indexes)
    if (index.kind == kind && std::ranges::contains(index.columns, position))
      found.push_back(&index);
  return found;
}

// Removes indexes from the model, as if they had never existed in the file.
void forget(Table& table, const std::vector<const SearchIndex*>& indexes) {
  const libhdf5::Tokens leaving = libhdf5::datasets_of(table, indexes);
  for (Child& child : table.group.children) {
    if (child.name == "SEARCH_INDEXES" && child.group)
      std::erase_if(child.group->children,
                    [&](const Child& c) { return leaving.contains(c.token); });
    if (!child.dataset) continue;
    const auto list = child.dataset->attributes.find("SEARCH_INDEX_LIST");
    if (list == child.dataset->attributes.end()) continue;
    std::vector<Reference>& references = list->second.references;
    const auto removed = std::erase_if(
        references, [&](const Reference& r) { return r.resolved() && leaving.contains(r.token); });
    if (removed > 0 && references.empty())
      child.dataset->attributes.erase(list);
    else if (removed > 0)
      list->second.space.extent = {references.size()};
  }
  assign_roles(table, *table.revision);
}

// Reduces a table to these indexes and the columns that list them.
void keep_only(Table& table, const std::vector<const SearchIndex*>& indexes) {
  std::vector<const SearchIndex*> others;
  for (const SearchIndex& index : table.indexes)
    if (!std::ranges::contains(indexes, &index)) others.push_back(&index);
  libhdf5::Tokens listing;
  for (const SearchIndex* index : indexes)
    for (const std::size_t c : index->columns) listing.insert(table.columns[c].data->token);
  std::erase_if(table.group.children, [&](const Child& child) {
    return child.dataset && !listing.contains(child.token);
  });
  forget(table, others);
}

// The reason why an index must not be added to a table with this report.
std::optional<IndexRefusal> objection(const SubjectReport& report) {
  if (report.verdict == SubjectVerdict::kPass) return std::nullopt;
  if (report.verdict != SubjectVerdict::kFail)
    return IndexRefusal{.forbidden = false,
                        .error = {report.path, "not fully checked: " + report.reason}};
  for (const ClauseResult& result : report.clauses) {
    if (result.verdict != Verdict::kFail || result.severity != Severity::kError) continue;
    const Finding& finding = result.findings.front();
    return IndexRefusal{
        .forbidden = true,
        .error = {report.path,
                  std::format("the table is not conformant, see hepcheck validate; {} ({}): {}{}: "
                              "{}; expected {}",
                              result.clause->id, result.clause->section, finding.object,
                              finding.attribute.empty() ? "" : "@" + finding.attribute,
                              finding.observed, finding.expected)}};
  }
  return std::nullopt;
}

// ------------------------------------------------------------------------------------- changes

// The library takes the same lock; the variable that disables it applies here too.
bool locks_wanted() {
  const char* wanted = std::getenv("HDF5_USE_FILE_LOCKING");
  return !wanted || (std::strcmp(wanted, "FALSE") != 0 && std::strcmp(wanted, "0") != 0);
}

// The table, in a file that no other program changes.
Result<Table> settled_table(const libhdf5::File& file, const IndexPlace& place) {
  if (file.marked_as_open())
    return failure(place.file,
                   "it is open for writing, or a program was killed while it had it open (then use "
                   "h5clear -s)");
  return find_table(file, place).transform([](Found&& found) { return std::move(found.table); });
}

// Changes the table, checks the result, and commits it.
template <class Change, class Look>
IndexOutcome change_table(Rewrite& rewrite, const IndexPlace& place, const Limits& limits,
                          Change change, Look look) {
  if (const auto begun = rewrite.begin(); !begun) return impossible(begun.error());
  const auto made = [&] -> IndexOutcome {
    Result<libhdf5::File> file = libhdf5::File::open_for_writing(rewrite, place.file, limits);
    if (!file) return impossible(file.error());
    const Result<Found> found = find_table(*file, place);
    if (!found) return impossible(found.error());
    IndexOutcome outcome = change(*file, found->table);
    if (!file->close() && outcome) return impossible({place.file, "it cannot be completed"});
    return outcome;
  };
  const auto seen = [&] -> Result<void> {
    const auto file = libhdf5::File::open_descriptor(rewrite.descriptor(), place.file, limits);
    if (!file) return std::unexpected(file.error());
    const Result<Table> table = settled_table(*file, place);
    if (!table) return std::unexpected(table.error());
    if (!look(*table)) return failure(place.file, "the written data cannot be read again");
    return {};
  };
  IndexOutcome outcome = made();
  if (outcome && !rewrite.failed())
    if (const Result<void> right = seen(); !right) outcome = impossible(right.error());
  // A failed write is the cause of all later failures.
  const bool complete = outcome || rewrite.failed();
  const Result<void> ended = complete ? rewrite.finish() : rewrite.abandon();
  return ended ? outcome : impossible(ended.error());
}

// Applies it to a file that no other program changes in the meantime, or not at all.
template <class Work>
IndexOutcome rewriting(const IndexPlace& place, const WriteOptions& options, Work work) {
  const auto rewrite = Rewrite::of(
      place.file,
      {.in_place = options.in_place, .lock = locks_wanted(), .waiting = options.waiting});
  if (!rewrite) return impossible(rewrite.error());
  IndexOutcome outcome = work(**rewrite);
  // Not while another program is writing: the table may be incomplete.
  if (!outcome && outcome.error().forbidden && (*rewrite)->changed())
    return impossible({place.file, "another program changed the file in the meantime"});
  return outcome;
}

// The column's indexes of this kind, or the reason why there are none.
Result<std::vector<const SearchIndex*>> existing_indexes(const Table& table,
                                                         const IndexPlace& place) {
  const Result<const Column*> column = find_column(table, place.column);
  if (!column) return std::unexpected(column.error());
  auto indexes = indexes_of(table, **column, place.kind);
  if (indexes.empty())
    return failure((*column)->path(), std::format("no {} index", name_of(place.kind)));
  return indexes;
}

// Whether the only violations of an index, if any, concern its contents.
bool sound_but_for_contents(const Table& table, ValueSource& values, ExamineOptions options) {
  options.depth = Depth::kStructure;
  options.allow_unchecked = true;
  return !objection(examine(table, values, spec_of(table), options));
}

struct Wanted {
  BuiltIndex built{};
  bool refill = false;  // the replaced index is valid except for its contents
};

// The new contents of the index, or the reason why the column cannot have one.
std::expected<Wanted, IndexRefusal> wanted_index(const libhdf5::File& file, const IndexPlace& place,
                                                 const IndexOptions& options) {
  Result<Table> table = settled_table(file, place);
  if (!table) return impossible(table.error());
  const Result<const Column*> found = find_column(*table, place.column);
  if (!found) return impossible(found.error());
  const std::shared_ptr<const Dataset> column = (*found)->data;
  if (const auto reason = index_refusal(place.kind, column->type, *table->revision))
    return forbidden(column->path, std::format("no {} index: {}", name_of(place.kind), *reason));
  const auto existing = indexes_of(*table, **found, place.kind);
  if (!existing.empty() && !options.replace)
    return misplaced({existing[0]->data->path,
                      std::format("a {} index over {} exists already; --replace replaces it",
                                  name_of(place.kind), column->name)});
  libhdf5::FileValues values(file.context());
  Wanted wanted;
  wanted.refill = existing.size() == 1 && table->revision->tokens &&
                  sound_but_for_contents(*table, values, options.file.examine);
  const RevisionChoice other = revision_by_signs(table->group);
  forget(*table, existing);
  if (auto refusal = objection(examine(*table, values, spec_of(*table), options.file.examine))) {
    if (other.revision != table->revision)
      refusal->error.cause +=
          std::format("; it has {}, as in --spec {}", other.choice.sign, other.revision->spec);
    return std::unexpected(std::move(*refusal));
  }
  Result<BuiltIndex> made = index_contents(place.kind, *table, *column, values, options);
  if (!made) return impossible(made.error());
  wanted.built = std::move(*made);
  return wanted;
}

IndexOutcome build(Rewrite& rewrite, const IndexPlace& place, const IndexOptions& options) {
  const auto wanted = [&] -> std::expected<Wanted, IndexRefusal> {
    const auto file =
        libhdf5::File::open_descriptor(rewrite.descriptor(), place.file, options.file.limits);
    if (!file) return impossible(file.error());
    return wanted_index(*file, place, options);
  }();
  if (!wanted) return std::unexpected(wanted.error());
  return change_table(
      rewrite, place, options.file.limits,
      [&](const libhdf5::File& file, const Table& table) -> IndexOutcome {
        const Result<const Column*> column = find_column(table, place.column);
        if (!column) return impossible(column.error());
        const auto path =
            libhdf5::add_index(file, table, **column, wanted->built.index,
                               indexes_of(table, **column, place.kind), wanted->refill);
        if (!path) return impossible(path.error());
        return std::format("{}: built over {}, {}", *path, place.column, wanted->built.summary);
      },
      [&](const Table& table) {
        const auto indexes = existing_indexes(table, place);
        return indexes && indexes->size() == 1;
      });
}

IndexOutcome drop(Rewrite& rewrite, const IndexPlace& place, const Limits& limits) {
  {
    // A copy is made only if it is needed.
    const auto file = libhdf5::File::open_descriptor(rewrite.descriptor(), place.file, limits);
    if (!file) return impossible(file.error());
    const Result<Table> table = settled_table(*file, place);
    if (!table) return impossible(table.error());
    if (const auto indexes = existing_indexes(*table, place); !indexes)
      return misplaced(indexes.error());
  }
  return change_table(
      rewrite, place, limits,
      [&](const libhdf5::File& file, const Table& table) -> IndexOutcome {
        const auto indexes = existing_indexes(table, place);
        if (!indexes) return impossible(indexes.error());
        if (const auto removed = libhdf5::remove_indexes(file, table, *indexes); !removed)
          return impossible(removed.error());
        std::string paths;
        for (const SearchIndex* index : *indexes)
          paths += (paths.empty() ? "" : ", ") + index->data->path;
        return paths + ": dropped";
      },
      [&](const Table& table) { return !existing_indexes(table, place); });
}

// In revisions with tokens: whether the contents of each index are valid.
std::vector<std::string> gate_notes(const Table& table, bool stale) {
  std::vector<std::string> notes;
  if (!table.revision->tokens) return notes;
  for (const SearchIndex& index : table.indexes)
    notes.push_back(std::format(
        "{}{}{}", table.indexes.size() > 1 ? index.data->path + ": " : "", index.gate.text(),
        index.gate.open() ? ""
        : stale           ? "; its contents were compared with the table nevertheless"
                          : "; its contents were not examined; --stale examines them"));
  return notes;
}

void verify(const IndexPlace& place, const VerifyOptions& options, FileReport& report) {
  Result<libhdf5::File> file = libhdf5::File::open(place.file, options.file.limits);
  if (!file) return void(report.error = file.error());
  Result<Found> found = find_table(*file, place);
  if (!found) return void(report.error = found.error());
  Table& table = found->table;
  const auto indexes = existing_indexes(table, place);
  if (!indexes) return void(report.error = indexes.error());
  ExamineOptions only = options.file.examine;
  only.only.clear();
  for (const Rule& rule : all_rules())
    if (std::visit(AboutIndex{place.kind}, rule.check)) only.only.emplace(rule.id.str());
  const std::string path = (*indexes)[0]->data->path;
  keep_only(table, *indexes);
  const std::vector<std::string> notes = gate_notes(table, options.stale);
  if (options.stale)
    for (SearchIndex& index : table.indexes) index.gate = {};
  libhdf5::FileValues values(file->context());
  SubjectReport examined = examine(table, values, spec_of(table), only);
  std::vector<ClauseResult> about_it;
  for (const ClauseResult& result : examined.clauses)
    if (!result.skipped_by_user()) about_it.push_back(result);
  examined.clauses = ClauseResults(std::move(about_it));
  examined.path = path;
  examined.choice = std::move(found->choice.choice);
  examined.notes.insert(examined.notes.begin(), notes.begin(), notes.end());
  examined.figures.clear();
  examined.parts.clear();
  report.subjects.push_back(std::move(examined));
}

// Runs it with the library prepared; exhausted memory is a regular outcome.
IndexOutcome within_memory(const IndexPlace& place, const FileOptions& options, auto work) {
  libhdf5::initialise(options.allow_plugins);
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return impossible({place.file, "out of memory"});
  }
}

}  // namespace

IndexOutcome build_index(const IndexPlace& place, const IndexOptions& options) {
  return within_memory(place, options.file, [&] {
    return rewriting(place, options.write,
                     [&](Rewrite& rewrite) { return build(rewrite, place, options); });
  });
}

IndexOutcome drop_index(const IndexPlace& place, const FileOptions& options,
                        const WriteOptions& write) {
  return within_memory(place, options, [&] {
    return rewriting(place, write,
                     [&](Rewrite& rewrite) { return drop(rewrite, place, options.limits); });
  });
}

FileReport verify_index(const IndexPlace& place, const VerifyOptions& options) {
  FileReport report{.path = place.file};
  const IndexOutcome outcome = within_memory(place, options.file, [&] {
    verify(place, options, report);
    return IndexOutcome();
  });
  if (!outcome) report.error = outcome.error().error;
  return report;
}

}  // namespace hepcheck::hep001
