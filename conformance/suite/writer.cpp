#include "conformance/suite/writer.h"

#include <algorithm>
#include <cstdlib>
#include <format>
#include <utility>

#include "conformance/corpus.h"
#include "conformance/suite/crash_replay.h"
#include "conformance/suite/safely.h"
#include "conformance/suite/writer_checks.h"
#include "validator/examine_file.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/wildcard.h"

namespace hepcheck::hep001::suite {

namespace fs = std::filesystem;

namespace {

// For each column the first rows again, and one more of the last.
std::vector<std::vector<Json>> more_rows(const TableContent& content) {
  std::vector<std::vector<Json>> rows;
  for (const ColumnContent& column : content.columns) {
    std::vector<Json>& added = rows.emplace_back();
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(content.rows, 5); ++i)
      added.push_back(column.values[i]);
    added.push_back(column.values.back());
  }
  return rows;
}

void add_value(ColumnContent& column, const Json& value) {
  column.values.push_back(value);
  if (column.categories) column.labels.push_back(column.categories->label(value));
}

void set_value(ColumnContent& column, std::uint64_t row, const Json& value) {
  column.values[row] = value;
  if (column.categories) column.labels[row] = column.categories->label(value);
}

void cut(TableContent& table, std::uint64_t rows) {
  table.rows = rows;
  for (ColumnContent& column : table.columns) {
    column.values.resize(rows);
    if (column.categories) column.labels.resize(rows);
  }
}

// What a description asks for, less what the program does not offer.
Json offered(Json description, const Capabilities& can) {
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

// Makes one table after the other, changes it, and has every step judged.
class WriterSession {
 public:
  WriterSession(Session& session, const Specification& spec, const WriterOptions& options)
      : session_(session), can_(session.can()), spec_(spec), options_(options),
        folder_(options.folder / "record"), path_((folder_ / "table.h5").string()),
        crashes_({.file = options.folder / "crashed.h5",
                  .seed = options.seed,
                  .every_state = options.every_state},
                 session.can()) {
    fs::create_directories(folder_);
  }

  SuiteReport judge();

 private:
  // Tables
  void committed_tables();
  void corpus_files();
  void random_tables();
  Outcomes smallest_that_fails(const std::string& name, Json description);
  void table(const std::string& name, const Json& asked);
  bool wanted(const std::string& name) const;

  // What is done with a table: the table as it is then, unless one cannot go on with it.
  std::optional<TableContent> write(const std::string& name, const Json& description);
  std::optional<TableContent> append(const std::string& name, const TableContent& before,
                                     const std::vector<std::vector<Json>>& rows);
  // The same where `table` is as it was and then as it should be; false if one cannot go on.
  bool update(const std::string& name, TableContent& table, std::size_t column);
  bool change_index(const std::string& name, const TableContent& table, const ColumnContent& column,
                    Operation operation);
  bool truncate(const std::string& name, TableContent& table, bool reclaim);
  void changes(const std::string& name, TableContent table);

  // Steps
  Json request(const char* operation, const std::string& table, Json more) const;
  void perform(Step& step, Json request);
  void examine(Step& step) const;
  bool done(Step& step, ClauseId charged);
  std::string reproducible(std::string request) const;

  std::vector<ClauseResult> results() const;
  ClauseResult result(const Clause& clause) const;

  Session& session_;
  const Capabilities& can_;
  const Specification& spec_;
  const WriterOptions& options_;
  fs::path folder_;
  std::string path_;
  Outcomes outcomes_{};
  CrashReplay crashes_;
  bool replay_ = false;  // the crashes of the table at hand
  // File clauses that the table at hand breaks already.
  std::set<std::string_view> broken_{};
  std::uint64_t files_ = 0;
};

// ------------------------------------------------------------------------------------- steps

Json WriterSession::request(const char* operation, const std::string& table, Json more) const {
  Json made{{"op", operation}, {"file", path_}, {"table", table}};
  made.update(more);
  return made;
}

std::string WriterSession::reproducible(std::string request) const {
  const std::string folder = folder_.string();
  if (const std::size_t at = request.find(folder); at != std::string::npos)
    request.replace(at, folder.size(), "FILES");
  return request;
}

void WriterSession::perform(Step& step, Json request) {
  step.broken_before = broken_;
  step.file = fs::path(path_).filename().string();
  step.before_files = read_folder(folder_);
  const fs::path log = options_.folder / "record.log";
  std::error_code ignored;
  fs::resize_file(log, 0, ignored);
  step.reply = session_.call(std::move(request));
  step.request = reproducible(step.reply.request);
  step.after_files = read_folder(folder_);
  if (Result<Recording> recording = read_recording(log)) step.recording = std::move(*recording);
  if (!step.reply.ok()) return;
  ++files_;
  // A process of its own goes first: not every file that a program leaves can be read unharmed.
  const bool harmless = safely([&] { return examine(step), 0; }).has_value();
  if (harmless)
    examine(step);
  else
    step.report.error = Error{path_, "reading it crashes or does not end"};
}

void WriterSession::examine(Step& step) const {
  step.report = examine_file(path_, std::nullopt, &spec_, {});
  Result<FileContent> content = read_content(path_);
  if (!content || content->size() != 1) return;
  step.content = std::move(content->front());
  if (step.operation == kAppend && !whole(*step.content))
    step.old_rows_readable = readable_columns(path_, step.before.rows);
}

// Whether the request was done, and the table is one to go on with. A step that was not done at
// all is charged; one that the program does not offer is not.
bool WriterSession::done(Step& step, ClauseId charged) {
  StepProbe probe(charged.str(), step, can_, outcomes_);
  if (!step.reply.ok()) {
    const bool offered =
        step.reply.kind != Reply::Kind::kError || step.reply.error_kind != "unsupported";
    if (offered) probe.fail("", step.reply.text(), "the request done");
    return false;
  }
  if (!step.content) {
    probe.fail("", step.report.error ? step.report.error->text() : "no single table",
               "a file with one table");
    return false;
  }
  check(step, can_, outcomes_);
  broken_ = step.broken;
  // What is done to a file that is broken already says little, nor does a crash on the way there.
  if (!whole(*step.content)) return false;
  if (replay_ && step.operation == kAppend) crashes_.judge(step, probe);
  return step.operation == kWrite || step.conforms();
}

std::optional<TableContent> WriterSession::write(const std::string& name, const Json& description) {
  std::error_code ignored;
  fs::remove(path_, ignored);
  broken_.clear();
  Json asked = description;
  for (Json& column : asked["columns"]) column.erase("recommended");
  Step step{.name = name + ", write",
            .operation = kWrite,
            .description = description,
            .should = described(description)};
  perform(step, {{"op", "write"}, {"file", path_}, {"table", asked}});
  if (!done(step, "producer-every-table-conformant")) return std::nullopt;
  return std::move(step.content);
}

std::optional<TableContent> WriterSession::append(const std::string& name,
                                                  const TableContent& before,
                                                  const std::vector<std::vector<Json>>& rows) {
  Json columns = Json::array();
  Step step{.name = name + ", append", .operation = kAppend, .before = before, .should = before};
  step.should.rows += rows.front().size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ColumnContent& column = step.should.columns[i];
    columns.push_back({{"name", column.name}, {"values", rows[i]}});
    for (const Json& value : rows[i]) add_value(column, value);
  }
  perform(step,
          request("append", before.path, {{"columns", columns}, {"durable", can_.has("durable")}}));
  if (!done(step, "mutation-follows-section-11")) return std::nullopt;
  return std::move(step.content);
}

// The first value goes to the last row, and another row becomes missing.
bool WriterSession::update(const std::string& name, TableContent& table, std::size_t at) {
  Step step{.operation = kUpdate, .before = table};
  ColumnContent& column = table.columns[at];
  step.name = name + ", update " + column.name;
  const std::uint64_t last = table.rows - 1, middle = table.rows / 2;
  Json rows = Json::array({std::to_string(last)}), values = Json::array({column.values[0]});
  set_value(column, last, column.values[0]);
  if (middle != last && middle != 0 && !column.fill.is_null()) {
    rows.push_back(std::to_string(middle));
    values.push_back(nullptr);
    set_value(column, middle, nullptr);
  }
  step.should = table;
  perform(step, request("update", table.path,
                        {{"column", column.name}, {"rows", rows}, {"values", values}}));
  return done(step, "mutation-follows-section-11");
}

bool WriterSession::change_index(const std::string& name, const TableContent& table,
                                 const ColumnContent& column, Operation operation) {
  const char* op = operation == kAddIndex ? "add-index" : "drop-index";
  // It is there until it is dropped.
  if (!can_.does(op) || !can_.does("drop-index")) return true;
  Step step{.name = std::format("{}, {} {}", name, op, column.name),
            .operation = operation,
            .column = column.name,
            .kind = column.indexes.front().kind,
            .before = table,
            .should = table};
  perform(step, request(op, table.path, {{"column", step.column}, {"kind", step.kind}}));
  return done(step, "mutation-follows-section-11");
}

// Takes a third of the rows off, at least one.
bool WriterSession::truncate(const std::string& name, TableContent& table, bool reclaim) {
  Step step{.name = name + (reclaim ? ", truncate and reclaim" : ", truncate"),
            .operation = reclaim ? kReclaim : kTruncate,
            .before = table};
  cut(table, table.rows - (table.rows / 3 + (table.rows > 2 ? 0 : 1)));
  step.should = table;
  perform(step, request("truncate", table.path,
                        {{"rows", std::to_string(table.rows)}, {"reclaim", reclaim}}));
  return done(step, "mutation-follows-section-11");
}

// Truncation, updates and index changes, each on the file as it is then.
void WriterSession::changes(const std::string& name, TableContent table) {
  if (can_.does("update") && table.rows > 1)
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      if (declared(table.columns[i].type, can_) && !update(name, table, i)) return;
  for (const ColumnContent& column : table.columns)
    if (!column.indexes.empty())
      for (const Operation operation : {kDropIndex, kAddIndex})
        if (!change_index(name, table, column, operation)) return;
  if (!can_.does("truncate") || table.rows <= 1) return;
  if (!truncate(name, table, false)) return;
  // The rows that are no longer any are the residue on which the next append starts.
  if (can_.does("append") && table.rows > 0) {
    const bool replay = std::exchange(replay_, false);
    std::optional<TableContent> longer =
        append(name + ", after truncation", table, more_rows(table));
    replay_ = replay;
    if (!longer) return;
    table = std::move(*longer);
  }
  if (can_.has("reclaim")) truncate(name, table, true);
}

// ------------------------------------------------------------------------------------ tables

bool WriterSession::wanted(const std::string& name) const {
  return options_.tables.empty() ||
         std::ranges::any_of(options_.tables,
                             [&](const std::string& pattern) { return fits(name, pattern); });
}

void WriterSession::table(const std::string& name, const Json& asked) {
  const Json description = offered(asked, can_);
  if (description.at("columns").empty()) return;
  std::optional<TableContent> content = write(name, description);
  if (content && can_.does("append") && content->rows > 0)
    content = append(name, *content, more_rows(*content));
  if (content) changes(name, std::move(*content));
}

void WriterSession::committed_tables() {
  for (const Json& entry : committed_descriptions()) {
    const std::string name = entry.at("name").get<std::string>();
    if (!wanted(name)) continue;
    replay_ = entry.value("crashes", false);
    table("table " + name, entry.at("table"));
  }
}

// Files that others have left: residue of a crash, an index of a family that nobody knows.
void WriterSession::corpus_files() {
  static constexpr ClauseId kShow[] = {"retry-overwrites-or-extends",
                                       "append-deletes-unmaintained-indexes"};
  if (!can_.does("append")) return;
  replay_ = true;
  for (const conformance::Fixture& fixture : conformance::corpus()) {
    if (!fixture.valid || !std::ranges::contains(kShow, fixture.clause, &ClauseId::str) ||
        !wanted(fixture.file))
      continue;
    write_image(path_, {reinterpret_cast<const char*>(fixture.image.data()), fixture.image.size()});
    broken_.clear();
    const Result<FileContent> content = read_content(path_);
    if (!content || content->empty()) continue;
    const std::vector<ColumnContent>& columns = content->front().columns;
    const bool beyond = std::ranges::any_of(columns, [&](const ColumnContent& column) {
      return !declared(column.type, can_) || (column.categories && !can_.has("categories"));
    });
    if (beyond) continue;
    std::vector<std::vector<Json>> rows;
    for (const ColumnContent& column : columns)
      rows.push_back({column.values[0], column.values[1], column.values[0]});
    append(fixture.file, content->front(), rows);
  }
  replay_ = false;
}

// Random tables; one that breaks something is made as small as it still does.
void WriterSession::random_tables() {
  for (std::uint64_t i = 0; i < options_.random; ++i) {
    const std::uint64_t seed = options_.seed + i;
    const std::string name = std::format("random table {}", seed);
    const Json description = random_description(seed);
    const Outcomes before = outcomes_;
    forget_findings(outcomes_);
    table(name, description);
    if (!failed(outcomes_).empty())
      outcomes_ = smallest_that_fails(name + " (shrunk)", description);
    // What was found before comes first.
    for (const auto& [id, outcome] : before)
      outcomes_[id].findings.insert(outcomes_[id].findings.begin(), outcome.findings.begin(),
                                    outcome.findings.end());
  }
}

// What came of the smallest description found that fails some clause as the given one did.
Outcomes WriterSession::smallest_that_fails(const std::string& name, Json description) {
  constexpr int kTries = 60;
  const std::set<std::string_view> ids = failed(outcomes_);
  const auto still = [&](const Json& candidate) {
    forget_findings(outcomes_);
    table(name, candidate);
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
  if (!options_.only.empty() && !options_.only.contains(std::string(id)))
    return told(Verdict::kNotChecked, "left out by --only");
  const auto at = outcomes_.find(id);
  if (at != outcomes_.end() && at->second.examined > 0) {
    made.examined = at->second.examined;
    made.findings = at->second.findings;
    made.verdict = made.findings.empty() ? Verdict::kPass : Verdict::kFail;
    return made;
  }
  if (const std::string_view reason = why_not(id, can_); !reason.empty())
    return told(Verdict::kNotApplicable, reason);
  if (id == ClauseId("producer-every-table-conformant").str() ||
      id == ClauseId("class-only-on-conformant-group").str())
    return told(Verdict::kNotChecked,
                "every file broke some other clause, which are told each by itself");
  if (at != outcomes_.end() && at->second.unseen)
    return told(Verdict::kNotChecked, "its calls of the HDF5 library were not seen");
  return told(Verdict::kNotChecked, "nothing was examined");
}

std::vector<ClauseResult> WriterSession::results() const {
  std::vector<ClauseResult> made;
  for (const Clause& clause : spec_.clauses)
    if (clause.subject == Subject::kProducer) made.push_back(result(clause));
  // Of the others, those that some file kept or broke.
  for (const Clause& clause : spec_.clauses)
    if (clause.subject == Subject::kFile && outcomes_.contains(clause.id))
      made.push_back(result(clause));
  return made;
}

SuiteReport WriterSession::judge() {
  libhdf5::initialise(false);
  committed_tables();
  corpus_files();
  random_tables();
  SuiteReport report{.role = "writer",
                     .program = session_.name(),
                     .about = session_.about(),
                     .spec = &spec_,
                     .clauses = results(),
                     .files = files_,
                     .requests = session_.requests(),
                     .notes = crashes_.notes()};
  report.notes.push_back(std::format(
      "FILES is a folder of yours; random tables are those of --seed {}", options_.seed));
  return report;
}

}  // namespace

Result<std::vector<std::string>> recording_environment(const fs::path& folder) {
  const Result<fs::path> recorder = unpack_recorder(folder);
  if (!recorder) return std::unexpected(recorder.error());
  const char* others = std::getenv("LD_PRELOAD");
  return std::vector<std::string>{
      "LD_PRELOAD=" + recorder->string() + (others ? std::string(":") + others : ""),
      "HEPCHECK_RECORD_LOG=" + (folder / "record.log").string(),
      "HEPCHECK_RECORD_FOLDER=" + (folder / "record").string() + "/"};
}

SuiteReport judge_writer(Session& session, const Specification& spec,
                         const WriterOptions& options) {
  return WriterSession(session, spec, options).judge();
}

}  // namespace hepcheck::hep001::suite
