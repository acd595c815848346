#include <format>
#include <new>
#include <utility>
#include <variant>

#include "validator/formats/hep001/index_table.h"
#include "validator/formats/hep001/judge.h"
#include "validator/formats/hep001/reader/open_tables.h"
#include "validator/formats/hep001/rules/rule.h"

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
  prepare_readers(options.file);
  Result<OpenedTables> opened = open_tables(place.file, options.file);
  if (!opened) return void(report.error = opened.error());
  TableFile& file = *opened->file;
  Result<FoundTable> found = find_table(file, place);
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
  SubjectReport examined = examine(table, file.values(), spec_of(table), only);
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
  report.unreadable = file.remarks();
}

}  // namespace

FileReport verify_index(const IndexPlace& place, const VerifyOptions& options) {
  FileReport report{.path = place.file};
  try {
    verify(place, options, report);
  } catch (const std::bad_alloc&) {
    report.error = Error{place.file, "out of memory"};
  }
  return report;
}

}  // namespace hepcheck::hep001
