#include "validator/formats/hep001/index_file.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <format>
#include <new>

#include "validator/formats/hep001/derive/build_index.h"
#include "validator/formats/hep001/index_contents.h"
#include "validator/formats/hep001/index_table.h"
#include "validator/formats/hep001/judge.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/file.h"
#include "validator/formats/hep001/libhdf5/file_values.h"
#include "validator/formats/hep001/libhdf5/library_file.h"
#include "validator/formats/hep001/libhdf5/write_index.h"
#include "validator/rewrite.h"

namespace hepcheck::hep001 {

namespace {

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

Result<FoundTable> table_of(const libhdf5::File& file, const IndexPlace& place) {
  libhdf5::LibraryFile objects(file.context());
  return find_table(objects, place);
}

// The table, in a file that no other program changes.
Result<Table> settled_table(const libhdf5::File& file, const IndexPlace& place) {
  if (file.marked_as_open())
    return failure(place.file,
                   "it is open for writing, or a program was killed while it had it open (then use "
                   "h5clear -s)");
  return table_of(file, place).transform([](FoundTable&& found) { return std::move(found.table); });
}

// Changes the table, checks the result, and commits it.
template <class Change, class Look>
IndexOutcome change_table(Rewrite& rewrite, const IndexPlace& place, const Limits& limits,
                          Change change, Look look) {
  if (const auto begun = rewrite.begin(); !begun) return impossible(begun.error());
  const auto made = [&] -> IndexOutcome {
    Result<libhdf5::File> file = libhdf5::File::open_for_writing(rewrite, place.file, limits);
    if (!file) return impossible(file.error());
    const Result<FoundTable> found = table_of(*file, place);
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

}  // namespace hepcheck::hep001
