#include "conformance/suite/hep001/writer.h"

#include <algorithm>
#include <cstdlib>
#include <format>
#include <iterator>
#include <span>

#include "conformance/corpus.h"
#include "conformance/suite/hep001/inspect.h"
#include "conformance/suite/hep001/writer_steps.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/trace/recorder/embedded.h"

namespace hepcheck::hep001::suite {

namespace fs = std::filesystem;

namespace {

// Rows like those of a table in reverse order, then the first one.
Rows more_rows(const TableContent& content) {
  Rows rows;
  for (const ColumnContent& column : content.columns) {
    std::vector<Json>& added = rows.emplace_back();
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(content.rows, 5); ++i)
      added.push_back(column.values[content.rows - 1 - i]);
    added.push_back(column.values.front());
  }
  return rows;
}

// The first rows of those.
Rows first_of(Rows rows, std::size_t count) {
  for (std::vector<Json>& values : rows) values.resize(std::min(count, values.size()));
  return rows;
}

// The requests of a description, without those that the program or the revision does not support.
Json offered(Json description, const Capabilities& can, const Specification& spec) {
  if (!can.has("preallocation")) description.erase("preallocate");
  if (!can.has("row-labels")) description.erase("row_labels");
  if (!can.has("units")) description.erase("units_vocabulary");
  if (!can.has("descriptions")) {
    description.erase("title");
    description.erase("description");
  }
  Json kept = Json::array();
  for (Json column : description.at("columns")) {
    const bool categories = column.contains("categories");
    if (column.at("type").at("class") == "list" && !revision_of(spec).list_columns) continue;
    if (column.value("domain", "") == "full" && !spec.find(kFullDomain.str())) continue;
    if (!declared(column.at("type"), can) ||
        (categories &&
         (!can.has("categories") || !declared(column.at("categories").at("type"), can))))
      continue;
    if (!can.has("chunks")) column.erase("chunk");
    if (!can.has("filters")) column.erase("filters");
    if (!can.has("descriptions")) column.erase("description");
    if (!can.has("units")) {
      column.erase("units");
      column.erase("units_vocabulary");
    }
    if (column.contains("indexes"))
      std::erase_if(column["indexes"].get_ref<Json::array_t&>(), [&](const Json& kind) {
        return !can.indexes.contains(kind.get<std::string>());
      });
    kept.push_back(std::move(column));
  }
  description["columns"] = std::move(kept);
  if (description.contains("row_labels"))
    for (const Json& label : description.at("row_labels"))
      if (std::ranges::none_of(description.at("columns"),
                               [&](const Json& column) { return column.at("name") == label; })) {
        description.erase("row_labels");
        break;
      }
  return description;
}

// Clauses with findings.
std::set<std::string_view> failed(const Outcomes& outcomes) {
  std::set<std::string_view> ids;
  for (const auto& [id, outcome] : outcomes)
    if (!outcome.findings.empty()) ids.insert(id);
  return ids;
}

void forget_findings(Outcomes& outcomes) {
  for (auto& [id, outcome] : outcomes) outcome.findings.clear();
}

// Creates one table after another, changes it, and judges every step.
class WriterSession {
 public:
  WriterSession(Session& session, const Specification& spec, const RunOptions& options)
      : session_(session), can_(session.can()), spec_(spec), options_(options),
        steps_(session, spec, options), outcomes_(steps_.outcomes()) {}

  SuiteReport judge();

 private:
  void committed_tables();
  void corpus_files();
  void random_tables();
  Outcomes smallest_that_fails(const std::string& name, Json description,
                               const std::set<std::string_view>& ids);
  void table(const std::string& name, const Json& asked, const Json& further, bool crashes);
  bool wanted(const std::string& name) const;

  // False if the table cannot be used further.
  bool appends(const std::string& name, Rows rows, bool crashes, TableContent& table);
  bool updates(const std::string& name, TableContent& table);
  bool index_changes(const std::string& name, TableContent& table);
  bool truncations(const std::string& name, TableContent& table);
  struct Number {
    std::string path, name;
    std::uint64_t value;
  };
  bool edit(const std::vector<Number>& numbers);
  void torn_indexes();
  void torn_by_append(const std::string& kind);
  void torn_by_truncation(const std::string& kind);
  bool write_indexed(const std::string& name, const std::string& kind, TableContent& table);
  bool tear(const TableContent& table, std::uint64_t rows);

  void keeps_promises();
  ClauseResult result(const Clause& clause) const;

  Session& session_;
  const Capabilities& can_;
  const Specification& spec_;
  const RunOptions& options_;
  WriterSteps steps_;
  Outcomes& outcomes_;
};

// ----------------------------------------------------------------------------------- changes

// Rows, no rows, and one row.
bool WriterSession::appends(const std::string& name, Rows rows, bool crashes, TableContent& table) {
  if (!can_.does("append")) return true;
  if (rows.empty() && table.rows > 0) rows = more_rows(table);
  if (rows.empty()) return true;
  const bool tokens = revision_of(spec_).tokens;
  steps_.replay_crashes(crashes);
  // First while all indexes are valid, which an append may change.
  const bool appended = (!tokens || steps_.append(name + ", append and maintain indexes",
                                                  first_of(rows, 1), table, Upkeep::kMaintain)) &&
                        steps_.append(name + ", append", rows, table);
  steps_.replay_crashes(false);
  return appended &&
         (!tokens || steps_.append(name + ", append and leave indexes", first_of(rows, 2), table,
                                   Upkeep::kLeave)) &&
         steps_.append(name + ", append no rows", first_of(rows, 0), table) &&
         steps_.append(name + ", append a row", first_of(rows, 1), table);
}

// In each column the first value moves to the last row, and another row becomes missing: positions
// that do not increase. Finally an empty change.
bool WriterSession::updates(const std::string& name, TableContent& table) {
  if (!can_.does("update") || table.rows < 2) return true;
  std::string any;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const ColumnContent& column = table.columns[i];
    if (!declared(column.type, can_)) continue;
    const std::uint64_t last = table.rows - 1, middle = table.rows / 2;
    std::vector<std::uint64_t> rows{last};
    std::vector<Json> values{column.values.front()};
    if (middle != last && middle != 0 && !column.fill.is_null()) {
      rows.push_back(middle);
      values.push_back(nullptr);
    }
    any = column.name;
    if (!steps_.update(name, any, rows, values, table)) return false;
  }
  return any.empty() || steps_.update(name + " at no rows", any, {}, {}, table);
}

// Drops every index separately and builds it again, in the state that updates have left.
bool WriterSession::index_changes(const std::string& name, TableContent& table) {
  std::vector<std::pair<std::string, std::string>> indexes;
  for (const ColumnContent& column : table.columns)
    for (const IndexContent& index : column.indexes) indexes.emplace_back(column.name, index.kind);
  for (const auto& [column, kind] : indexes) {
    if (can_.does("drop-index") && !steps_.change_index(name, kDropIndex, column, kind, table))
      return false;
    if (can_.does("drop-index") && can_.does("add-index") && can_.indexes.contains(kind) &&
        !steps_.change_index(name, kAddIndex, column, kind, table))
      return false;
  }
  return true;
}

// A third of the rows is truncated, and rows are appended in their place; then another third with
// its storage, and all of them. Truncated rows are the residue on which appends start.
bool WriterSession::truncations(const std::string& name, TableContent& table) {
  if (!can_.does("truncate") || table.rows < 2) return true;
  const auto two_thirds = [&] { return table.rows - std::max<std::uint64_t>(table.rows / 3, 1); };
  const auto append = [&](const Rows& rows) {
    return !can_.does("append") || steps_.append(name + ", append after truncation", rows, table);
  };
  const Rows rows = more_rows(table);
  if (!steps_.truncate(name, two_thirds(), false, table) || !append(rows)) return false;
  if (revision_of(spec_).tokens)
    for (const Upkeep upkeep : {Upkeep::kMaintain, Upkeep::kLeave})
      if (table.rows > 1 && !steps_.truncate(name, table.rows - 1, false, table, upkeep))
        return false;
  if (can_.has("reclaim") && !steps_.truncate(name, two_thirds(), true, table)) return false;
  return steps_.truncate(name, 0, false, table) && append(rows) &&
         (!can_.has("reclaim") || steps_.truncate(name, 0, true, table)) && append(rows);
}

// ------------------------------------------------------------------------------------ tables

bool WriterSession::wanted(const std::string& name) const {
  return is_wanted(name, options_.tables);
}

// `further`: rows to append, if those of the table give no example.
void WriterSession::table(const std::string& name, const Json& asked, const Json& further,
                          bool crashes) {
  const Json description = offered(asked, can_, spec_);
  if (description.at("columns").empty()) return;
  TableContent content;
  if (!steps_.write(name, description, content)) return;
  Rows rows;
  for (const ColumnContent& column : content.columns)
    if (further.contains(column.name))
      rows.push_back(further.at(column.name).get<std::vector<Json>>());
  if (rows.size() != content.columns.size()) rows.clear();
  appends(name, rows, crashes, content) && updates(name, content) && index_changes(name, content) &&
      truncations(name, content);
}

void WriterSession::committed_tables() {
  for (const Json& entry : committed_descriptions()) {
    const std::string name = entry.at("name").get<std::string>();
    if (!wanted(name)) continue;
    table("table " + name, entry.at("table"), entry.value("append", Json::object()),
          entry.value("crashes", false));
  }
}

// Writes numbers to attributes of the file, as another program may between two steps.
bool WriterSession::edit(const std::vector<Number>& numbers) {
  std::vector<libhdf5::Edit> edits;
  for (const Number& each : numbers)
    edits.push_back({.kind = libhdf5::Edit::Kind::kSetNumber,
                     .path = each.path,
                     .name = each.name,
                     .number = each.value});
  const std::optional<Image> made = edited_safely(read_image(steps_.file()), edits);
  if (made) write_image(steps_.file(), *made);
  return made.has_value();
}

// Indexes that a crashed change left with partial contents and the tokens that its commit would
// have made valid: repeating the change makes exactly these tokens current.
void WriterSession::torn_indexes() {
  if (!revision_of(spec_).tokens) return;
  for (const std::string& kind : can_.indexes) {
    torn_by_append(kind);
    torn_by_truncation(kind);
  }
}

// A column of distinct numbers with an index, four rows per chunk.
bool WriterSession::write_indexed(const std::string& name, const std::string& kind,
                                  TableContent& table) {
  Json column{{"name", "n"},
              {"type", {{"class", "integer"}, {"size", 4}, {"order", "little"}, {"signed", true}}},
              {"values", {"5", "3", "8", "1", "9", "2", "7", "4"}},
              {"indexes", Json::array({kind})}};
  if (can_.has("chunks")) column["chunk"] = "4";
  return wanted(name) && declared(column.at("type"), can_) &&
         steps_.write(name, {{"path", "/t"}, {"columns", Json::array({column})}}, table) &&
         table.generation && !table.columns.front().indexes.empty();
}

// Tokens of the next commit, with `rows` rows.
bool WriterSession::tear(const TableContent& table, std::uint64_t rows) {
  const std::string& index = table.columns.front().indexes.front().path;
  return edit({{index, "SOURCE_GENERATION", *table.generation + 1}, {index, "SOURCE_NROWS", rows}});
}

// And a GENERATION that another process has changed in the meantime. The index does not contain the
// new values.
void WriterSession::torn_by_append(const std::string& kind) {
  const std::string name = "an append that crashed over " + kind;
  TableContent table;
  if (!can_.does("append") || !write_indexed(name, kind, table)) return;
  const Rows rows{{"105", "103", "108"}};
  if (!tear(table, table.rows + 3) ||
      !steps_.append(name + ", append as many rows", rows, table, Upkeep::kLeave, true))
    return;
  if (!table.generation || !edit({{table.path, "GENERATION", *table.generation + 5}})) return;
  *table.generation += 5;
  steps_.append(name + ", append after another process", rows, table, Upkeep::kLeave);
}

// With fewer rows, some of which the index does not contain either.
void WriterSession::torn_by_truncation(const std::string& kind) {
  const std::string name = "a truncation that crashed over " + kind;
  TableContent table;
  const Rows rows{{"105", "103", "108", "101", "109"}};
  if (can_.does("truncate") && can_.does("append") && write_indexed(name, kind, table) &&
      steps_.append(name + ", append before it", rows, table, Upkeep::kLeave) && table.generation &&
      tear(table, table.rows - 2))
    steps_.truncate(name + ", once more", table.rows - 2, false, table, Upkeep::kLeave, true);
}

// Files left by other programs: residue of a crash, an index of an unknown family.
void WriterSession::corpus_files() {
  static constexpr ClauseId kShow[] = {"retry-overwrites-or-extends",
                                       "append-deletes-unmaintained-indexes"};
  if (!can_.does("append")) return;
  for (const conformance::Fixture& fixture : conformance::corpus_of(spec_)) {
    if (!fixture.valid || !std::ranges::contains(kShow, fixture.clause, &ClauseId::str) ||
        !wanted(fixture.file))
      continue;
    TableContent content;
    if (!steps_.put_file(
            {reinterpret_cast<const char*>(fixture.image.data()), fixture.image.size()}, content))
      continue;
    const bool beyond = std::ranges::any_of(content.columns, [&](const ColumnContent& column) {
      return !declared(column.type, can_) || (column.categories && !can_.has("categories"));
    });
    if (beyond) continue;
    Rows rows;
    for (const ColumnContent& column : content.columns)
      rows.push_back({column.values[0], column.values[1], column.values[0]});
    steps_.replay_crashes(true);
    steps_.append(fixture.file + ", append", rows, content);
    steps_.replay_crashes(false);
  }
}

// Random tables; one that causes a failure is shrunk as long as the failure persists.
void WriterSession::random_tables() {
  for (std::uint64_t i = 0; i < options_.random; ++i) {
    const std::uint64_t seed = options_.seed + i;
    const std::string name = std::format("random table {}", seed);
    const Json description = random_description(seed);
    const Outcomes before = outcomes_;
    const std::set<std::string_view> known = failed(before);
    forget_findings(outcomes_);
    table(name, description, Json::object(), false);
    std::set<std::string_view> ids = failed(outcomes_);
    std::erase_if(ids, [&](std::string_view id) { return known.contains(id); });
    if (!ids.empty()) outcomes_ = smallest_that_fails(name + " (shrunk)", description, ids);
    // Earlier results come first.
    for (const auto& [id, outcome] : before)
      outcomes_[id].findings.insert(outcomes_[id].findings.begin(), outcome.findings.begin(),
                                    outcome.findings.end());
  }
}

// The result for the smallest description found that fails some clause as the given one did.
Outcomes WriterSession::smallest_that_fails(const std::string& name, Json description,
                                            const std::set<std::string_view>& ids) {
  constexpr int kTries = 60;
  const auto still = [&](const Json& candidate) {
    forget_findings(outcomes_);
    table(name, candidate, Json::object(), false);
    return std::ranges::any_of(failed(outcomes_),
                               [&](std::string_view id) { return ids.contains(id); });
  };
  Outcomes smallest = outcomes_;
  int tries = 0;
  for (bool found = true; found && tries < kTries;) {
    found = false;
    for (const Json& candidate : smaller(description)) {
      if (++tries > kTries) break;
      if (!still(candidate)) continue;
      description = candidate;
      smallest = outcomes_;
      found = true;
      break;
    }
  }
  return smallest;
}

// ----------------------------------------------------------------------------------- results

ClauseResult WriterSession::result(const Clause& clause) const {
  ClauseResult made{.clause = &clause, .severity = clause.default_severity};
  const auto told = [&](Verdict verdict, std::string_view reason) {
    made.verdict = verdict;
    made.reason = reason;
    return made;
  };
  const std::string_view id = clause.id;
  Outcome all;
  std::vector<std::string_view> charged = predecessors(id);
  charged.push_back(id);
  for (const std::string_view each : charged)
    if (const auto at = outcomes_.find(each); at != outcomes_.end()) {
      all.examined += at->second.examined;
      all.unseen |= at->second.unseen;
      std::ranges::copy(at->second.findings, std::back_inserter(all.findings));
    }
  if (all.examined > 0) {
    made.examined = all.examined;
    made.findings = std::move(all.findings);
    made.verdict = made.findings.empty() ? Verdict::kPass : Verdict::kFail;
    return made;
  }
  for (const std::string_view each : charged)
    if (const std::string_view reason = why_not(each, can_); !reason.empty())
      return told(Verdict::kNotApplicable, reason);
  if (id == ClauseId("producer-every-table-conformant").str() ||
      id == ClauseId("class-only-on-conformant-group").str())
    return told(Verdict::kNotChecked,
                "every file violated some other clause, which is reported separately");
  if (all.unseen)
    return told(Verdict::kNotChecked, "its calls of the HDF5 library were not recorded");
  return told(Verdict::kNotChecked, "nothing was examined");
}

void WriterSession::keeps_promises() {
  for (const BrokenPromise& each : broken_promises(session_)) {
    Outcome& outcome = outcomes_[ClauseId("producer-every-table-conformant").str()];
    ++outcome.examined;
    outcome.findings.push_back({.object = "hello",
                                .observed = each.observed,
                                .expected = each.expected,
                                .hint = each.request});
  }
}

SuiteReport WriterSession::judge() {
  libhdf5::initialise(false);
  committed_tables();
  torn_indexes();
  corpus_files();
  random_tables();
  keeps_promises();
  SuiteReport report = writer_report(
      session_, spec_, options_, steps_.files(),
      [&](std::string_view id) { return outcomes_.contains(id); },
      [&](const Clause& clause) { return result(clause); });
  const std::vector<std::string> noted = steps_.notes();
  report.notes.insert(report.notes.begin(), noted.begin(), noted.end());
  report.notes.push_back(std::format(
      "FILES is a directory of yours; random tables are those of --seed {}", options_.seed));
  return report;
}

}  // namespace

Result<std::vector<std::string>> recording_environment(const fs::path& folder) {
  const fs::path recorder = folder / "libhepcheck_record.so";
  if (!trace::unpack(trace::preload_recorder(), recorder))
    return failure(recorder.string(), "cannot be written");
  const char* others = std::getenv("LD_PRELOAD");
  return std::vector<std::string>{
      "LD_PRELOAD=" + recorder.string() + (others ? std::string(":") + others : ""),
      "HEPCHECK_RECORD_LOG=" + (folder / "record.log").string(),
      "HEPCHECK_RECORD_FOLDER=" + (folder / "record").string() + "/"};
}

SuiteReport judge_writer(Session& session, const Specification& spec, const RunOptions& options) {
  return WriterSession(session, spec, options).judge();
}

}  // namespace hepcheck::hep001::suite
