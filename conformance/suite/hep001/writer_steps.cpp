#include "conformance/suite/hep001/writer_steps.h"

#include <algorithm>
#include <format>
#include <iterator>
#include <span>
#include <utility>

#include "conformance/suite/hep001/inspect.h"

namespace hepcheck::hep001::suite {

namespace fs = std::filesystem;

namespace {

void add_value(ColumnContent& column, const Json& value) {
  column.values.push_back(value);
  if (column.categories) column.labels.push_back(column.categories->label(value));
}

void set_value(ColumnContent& column, std::uint64_t row, const Json& value) {
  column.values[row] = value;
  if (column.categories) column.labels[row] = column.categories->label(value);
}

const char* word_of(Upkeep upkeep) { return upkeep == Upkeep::kMaintain ? "maintain" : "leave"; }

void cut(TableContent& table, std::uint64_t rows) {
  table.rows = rows;
  for (ColumnContent& column : table.columns) {
    column.values.resize(rows);
    if (column.categories) column.labels.resize(rows);
  }
}

}  // namespace

WriterSteps::WriterSteps(Session& session, const Specification& spec, const RunOptions& options)
    : session_(session), can_(session.can()), spec_(spec), folder_(options.folder / "record"),
      log_(options.folder / "record.log"), path_((folder_ / "table.h5").string()),
      crashes_({.spec = &spec, .seed = options.seed, .every_state = options.every_state},
               session.can()) {
  fs::create_directories(folder_);
}

std::vector<std::string> WriterSteps::notes() const { return crashes_.notes(); }

// ------------------------------------------------------------------------------- one step

Json WriterSteps::in_table(const char* operation, const std::string& table) const {
  return object({{"request.op", operation}, {"in_table.file", path_}, {"in_table.table", table}});
}

std::string WriterSteps::reproducible(std::string request) const {
  const std::string folder = folder_.string();
  if (const std::size_t at = request.find(folder); at != std::string::npos)
    request.replace(at, folder.size(), "FILES");
  return request;
}

// Starts again: everything that the program has left outside the table is removed.
void WriterSteps::clear() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  fs::create_directories(folder_, ignored);
  broken_.clear();
}

bool WriterSteps::perform(Step& step, Json request, ClauseId charged, TableContent& table) {
  step.broken_before = broken_;
  step.file = fs::path(path_).filename().string();
  step.before_files = read_folder(folder_);
  trace::begin_log(log_.string());
  step.reply = session_.call(std::move(request));
  step.request = reproducible(step.reply.request);
  if (step.reply.ok()) look_at(step);
  if (!done(step, charged)) return false;
  table = std::move(*step.content);
  return true;
}

void WriterSteps::look_at(Step& step) {
  step.after_files = read_folder(folder_);
  if (Result<Recording> recording = read_recording(log_)) step.recording = std::move(*recording);
  ++files_;
  Inspection found = inspect(path_, spec_, step.before.rows);
  step.report = std::move(found.report);
  step.old_rows_readable = std::move(found.readable);
  if (found.content && found.content->size() == 1) step.content = std::move(found.content->front());
}

// Whether the request was executed, and the table can be used further. A request that was not
// executed is charged, unless the program does not support it.
bool WriterSteps::done(Step& step, ClauseId charged) {
  StepProbe probe(charged.str(), step, can_, outcomes_);
  if (!step.reply.ok()) {
    if (step.reply.unsupported()) check_declined(step, can_, outcomes_);
    if (!step.reply.unsupported() && step.reply.kind != Reply::Kind::kNotAsked)
      probe.fail("", step.reply.text(), "the request to be executed");
    return false;
  }
  if (!step.content) {
    probe.fail("", step.report.error ? step.report.error->text() : "no single table",
               "a file with one table");
    return false;
  }
  check(step, spec_, can_, outcomes_);
  broken_ = step.broken;
  // The result for a file that violates clauses already is not informative, and neither is a crash
  // during its change.
  if (!whole(*step.content)) return false;
  const bool replayed = step.operation == kAppend || revision_of(spec_).tokens;
  if (replay_ && replayed && step.operation != kWrite) crashes_.judge(step, probe);
  return step.operation == kWrite || step.conforms();
}

// --------------------------------------------------------------------------------- steps

bool WriterSteps::write(const std::string& name, const Json& description, TableContent& table) {
  clear();
  Json asked = description;
  for (Json& column : asked["columns"]) column.erase("recommended");
  Step step{.name = name + ", write",
            .operation = kWrite,
            .description = description,
            .should = described(description)};
  return perform(step,
                 object({{"request.op", "write"}, {"write.file", path_}, {"write.table", asked}}),
                 "producer-every-table-conformant", table);
}

bool WriterSteps::put_file(const Image& image, TableContent& table) {
  clear();
  write_image(path_, image);
  Result<FileContent> content = read_content(std::as_bytes(std::span(image)), spec_);
  if (!content || content->empty()) return false;
  table = std::move(content->front());
  return true;
}

// The columns are in another order than those of the table.
bool WriterSteps::append(const std::string& name, const Rows& rows, TableContent& table,
                         Upkeep upkeep, bool torn_index) {
  Step step{.name = name,
            .operation = kAppend,
            .upkeep = upkeep,
            .torn_index = torn_index,
            .before = table,
            .should = table};
  step.should.rows += rows.front().size();
  Json columns = Json::array();
  for (std::size_t i = rows.size(); i-- > 0;) {
    ColumnContent& column = step.should.columns[i];
    columns.push_back(object({{"values_of.name", column.name}, {"values_of.values", rows[i]}}));
    for (const Json& value : rows[i]) add_value(column, value);
  }
  Json request = in_table("append", table.path);
  request.update(object({{"append.columns", columns}, {"append.durable", can_.has("durable")}}));
  if (upkeep != Upkeep::kUnsaid) request.update(object({{"append.indexes", word_of(upkeep)}}));
  return perform(step, std::move(request), "mutation-follows-section-11", table);
}

bool WriterSteps::update(const std::string& name, const std::string& column,
                         const std::vector<std::uint64_t>& rows, const std::vector<Json>& values,
                         TableContent& table) {
  Step step{.name = std::format("{}, update {}", name, column),
            .operation = kUpdate,
            .column = column,
            .changed_rows = rows.size(),
            .before = table,
            .should = table};
  const auto changed = std::ranges::find(step.should.columns, column, &ColumnContent::name);
  std::vector<std::string> positions;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    positions.push_back(std::to_string(rows[i]));
    set_value(*changed, rows[i], values[i]);
  }
  Json request = in_table("update", table.path);
  request.update(
      object({{"update.column", column}, {"update.rows", positions}, {"update.values", values}}));
  return perform(step, std::move(request), "mutation-follows-section-11", table);
}

bool WriterSteps::change_index(const std::string& name, Operation operation,
                               const std::string& column, const std::string& kind,
                               TableContent& table) {
  const bool adds = operation == kAddIndex;
  const char* const op = adds ? "add-index" : "drop-index";
  Step step{.name = std::format("{}, {} {} {}", name, op, column, kind),
            .operation = operation,
            .column = column,
            .kind = kind,
            .before = table,
            .should = table};
  Json request = in_table(op, table.path);
  request.update(adds ? object({{"add-index.column", column}, {"add-index.kind", kind}})
                      : object({{"drop-index.column", column}, {"drop-index.kind", kind}}));
  return perform(step, std::move(request), "mutation-follows-section-11", table);
}

bool WriterSteps::truncate(const std::string& name, std::uint64_t rows, bool reclaim,
                           TableContent& table, Upkeep upkeep, bool torn_index) {
  Step step{.name = std::format("{}, truncate to {}{}", name, rows, reclaim ? " and reclaim" : ""),
            .operation = reclaim ? kReclaim : kTruncate,
            .upkeep = upkeep,
            .torn_index = torn_index,
            .before = table,
            .should = table};
  cut(step.should, rows);
  Json request = in_table("truncate", table.path);
  request.update(object({{"truncate.rows", std::to_string(rows)}, {"truncate.reclaim", reclaim}}));
  if (upkeep != Upkeep::kUnsaid) request.update(object({{"truncate.indexes", word_of(upkeep)}}));
  return perform(step, std::move(request), "mutation-follows-section-11", table);
}

}  // namespace hepcheck::hep001::suite
