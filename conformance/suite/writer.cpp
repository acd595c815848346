#include "conformance/suite/writer.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <format>
#include <fstream>
#include <iterator>
#include <numeric>

#include "conformance/corpus.h"
#include "validator/examine_file.h"
#include "validator/formats/hep001/libhdf5/error.h"

namespace hepcheck::hep001::suite {

namespace fs = std::filesystem;

namespace {

Image read_image(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_image(const fs::path& path, const Image& image) {
  std::ofstream(path, std::ios::binary)
      .write(image.data(), static_cast<std::streamsize>(image.size()));
}

// What a file shows after a crash.
enum class Shows : std::uint8_t { kOld, kNew, kOldChanged, kMixture, kUnreadable };

bool same_rows(const TableContent& is, const TableContent& should) {
  if (is.rows != should.rows || is.columns.size() != should.columns.size()) return false;
  return std::ranges::all_of(should.columns, [&](const ColumnContent& column) {
    const ColumnContent* twin = is.column(column.name);
    return twin && std::ranges::equal(twin->values, column.values, same) &&
           std::ranges::equal(twin->labels, column.labels, same);
  });
}

Shows look_at(const fs::path& path, const TableContent& before, const TableContent& after) {
  const Result<FileContent> content = read_content(path.string());
  if (!content) return Shows::kUnreadable;
  const auto at = std::ranges::find(*content, before.path, &TableContent::path);
  if (at == content->end()) return Shows::kUnreadable;
  for (const ColumnContent& column : before.columns) {
    const ColumnContent* is = at->column(column.name);
    if (!is || !is->unreadable.empty()) return Shows::kUnreadable;
  }
  return same_rows(*at, before)    ? Shows::kOld
         : same_rows(*at, after)   ? Shows::kNew
         : at->rows == before.rows ? Shows::kOldChanged
                                   : Shows::kMixture;
}

// The same in a process of its own: nobody knows what the library does with half a file.
Shows look_safely(const fs::path& path, const TableContent& before, const TableContent& after) {
  const pid_t child = ::fork();
  if (child == 0) {
    // Some it reads for ever: two seconds of work are a thousand times what is needed.
    const rlimit work{.rlim_cur = 2, .rlim_max = 2};
    ::setrlimit(RLIMIT_CPU, &work);
    ::alarm(30);
    ::_exit(static_cast<int>(look_at(path, before, after)));
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || !WIFEXITED(status))
    return Shows::kUnreadable;
  return static_cast<Shows>(WEXITSTATUS(status));
}

std::vector<std::string> column_paths(const TableContent& table) {
  std::vector<std::string> paths;
  for (const ColumnContent& column : table.columns)
    paths.push_back((table.path == "/" ? "" : table.path) + "/" + column.name);
  return paths;
}

// The first rows again, and some more of the last; an empty table stays so.
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

// Clauses on what an index says, and on what refers to it.
bool about_index_content(const Clause& clause) {
  return clause.section.starts_with("10.") && clause.section >= "10.4";
}

// One request that writes, and all that came of it.
struct Step {
  std::string name{};  // "table integers, append"
  std::string path{};
  Reply reply{};
  Image before{}, after{};
  std::optional<Recording> recording{};
  const TableContent* expected = nullptr;
  std::optional<TableContent> content{};
  FileReport report{};
};

class WriterJudge {
 public:
  WriterJudge(Session& session, const Specification& spec, const WriterOptions& options)
      : session_(session), spec_(spec), options_(options), folder_(options.folder / "record") {
    fs::create_directories(folder_);
  }

  SuiteReport judge();

 private:
  struct Outcome {
    std::uint64_t examined = 0;
    std::vector<Finding> findings{};
    std::string reason{};
  };

  bool can(std::string_view operation) const {
    return session_.can().operations.contains(std::string(operation));
  }
  bool has(const std::string& feature) const { return session_.can().has(feature); }
  void looked(std::string_view clause) { ++outcomes_[std::string(clause)].examined; }
  void fail(std::string_view clause, const Step& step, std::string where, std::string observed,
            std::string expected) {
    Outcome& outcome = outcomes_[std::string(clause)];
    ++outcome.examined;
    outcome.findings.push_back({.object = step.name,
                                .where = std::move(where),
                                .observed = std::move(observed),
                                .expected = std::move(expected),
                                .hint = reproducible(step.reply.request)});
  }
  void unless(bool holds, std::string_view clause, const Step& step, std::string observed,
              std::string expected) {
    if (holds)
      looked(clause);
    else
      fail(clause, step, "", std::move(observed), std::move(expected));
  }
  std::string reproducible(std::string request) const {
    const std::string folder = folder_.string();
    if (const std::size_t at = request.find(folder); at != std::string::npos)
      request.replace(at, folder.size(), "FILES");
    return request;
  }

  // Doing
  Step perform(std::string name, const std::string& path, Json request);
  bool succeeded(const Step& step, std::string_view charged);
  void table(const std::string& name, const Json& description);
  std::optional<TableContent> written(const std::string& name, const Json& description,
                                      const std::string& path);
  void changes(const std::string& name, const std::string& path, TableContent content);
  std::optional<TableContent> append(const std::string& name, const std::string& path,
                                     const TableContent& before,
                                     const std::vector<std::vector<Json>>& rows);
  bool wanted(const std::string& name) const {
    return options_.tables.empty() ||
           std::ranges::any_of(options_.tables,
                               [&](const auto& pattern) { return glob(pattern, name); });
  }
  void corpus_files();
  void random_tables();

  // Judging
  bool conforms(const Step& step, std::string_view index_clause, std::string_view list_clause);
  void as_described(const Step& step, const TableContent& expected, const Json& description);
  bool order_of_append(const Step& step, const TableContent& before);
  void crashes(const Step& step, const TableContent& before, const TableContent& after);
  void storage(const Step& step, const Json& description);
  void fills(const Step& step, const Json& description);

  std::vector<Difference> compare(const TableContent& expected, const Step& step) const;
  Json allowed(Json description) const;
  std::vector<ClauseResult> results() const;
  ClauseResult result(const Clause& clause) const;

  Session& session_;
  const Specification& spec_;
  const WriterOptions& options_;
  fs::path folder_;
  std::map<std::string, Outcome> outcomes_{};
  std::map<std::string, std::string> inapplicable_{};
  std::set<std::string> unchecked_calls_{};
  std::vector<std::string> notes_{};
  std::uint64_t files_ = 0, states_ = 0, unsettled_ = 0, flagged_ = 0, torn_ = 0;
  std::string torn_example_{};
  std::set<std::string> broken_before_{};  // file clauses that the table at hand breaks already
  bool replay_ = false;                    // the crashes of the table at hand
};

Step WriterJudge::perform(std::string name, const std::string& path, Json request) {
  Step step{.name = std::move(name), .path = path};
  step.before = read_image(path);
  const fs::path log = options_.folder / "record.log";
  std::error_code ignored;
  fs::resize_file(log, 0, ignored);
  step.reply = session_.call(std::move(request));
  step.after = read_image(path);
  if (Result<Recording> recording = read_recording(log)) step.recording = std::move(*recording);
  if (!step.reply.ok()) return step;
  ++files_;
  step.report = examine_file(path, std::nullopt, &spec_, {});
  if (Result<FileContent> content = read_content(path); content && content->size() == 1)
    step.content = std::move(content->front());
  return step;
}

// A step that was not done at all is charged; one that the program does not offer is not.
bool WriterJudge::succeeded(const Step& step, std::string_view charged) {
  if (step.reply.ok() && step.content) return true;
  if (step.reply.kind == Reply::Kind::kError && step.reply.error_kind == "unsupported")
    return false;
  if (step.reply.ok()) {
    std::string found = step.report.error ? step.report.error->text() : "no single table";
    fail(charged, step, "", std::move(found), "a file with one table");
  } else {
    fail(charged, step, "", step.reply.text(), "the request done");
  }
  return false;
}

// The file is read by us, so that all of it counts.
std::vector<Difference> WriterJudge::compare(const TableContent& expected, const Step& step) const {
  Capabilities can = session_.can();
  can.features.insert({"units", "categories", "row-labels", "descriptions"});
  return suite::compare({expected}, {*step.content}, can);
}

// What a description asks for, less what the program does not offer.
Json WriterJudge::allowed(Json description) const {
  if (!has("preallocation")) description.erase("preallocate");
  if (!has("row-labels")) description.erase("row_labels");
  if (!has("units")) description.erase("units_vocabulary");
  if (!has("descriptions")) {
    description.erase("title");
    description.erase("description");
  }
  Json kept = Json::array();
  for (Json column : description.at("columns")) {
    const bool categories = column.contains("categories");
    if (!declared(column.at("type"), session_.can()) ||
        (categories &&
         (!has("categories") || !declared(column.at("categories").at("type"), session_.can()))))
      continue;
    if (!has("chunks")) column.erase("chunk");
    if (!has("filters")) column.erase("filters");
    if (!has("descriptions")) column.erase("description");
    if (!has("units")) {
      column.erase("units");
      column.erase("units_vocabulary");
    }
    if (column.contains("indexes"))
      std::erase_if(column["indexes"].get_ref<Json::array_t&>(), [&](const Json& kind) {
        return !session_.can().indexes.contains(kind.get<std::string>());
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

// Charges what this step broke; what was wrong before is not its doing. False if there is any.
bool WriterJudge::conforms(const Step& step, std::string_view index_clause,
                           std::string_view list_clause) {
  std::set<std::string> broken;
  bool fine = true;
  for (const SubjectReport& table : step.report.subjects)
    for (const ClauseResult& result : table.clauses) {
      const std::string id(result.clause->id);
      if (result.verdict == Verdict::kPass) looked(id);
      if (result.verdict != Verdict::kFail || result.severity != Severity::kError) continue;
      broken.insert(id);
      if (broken_before_.contains(id)) continue;
      fine = false;
      const Finding& first = result.findings.front();
      const std::string where = first.object + (first.where.empty() ? "" : " " + first.where);
      // Who breaks it when there is nothing to maintain yet builds such indexes wrongly at all.
      const bool at_all = !outcomes_[id].findings.empty();
      const std::string_view charged = at_all                                ? ""
                                       : id == "search-index-list-resolves"  ? list_clause
                                       : about_index_content(*result.clause) ? index_clause
                                                                             : "";
      if (charged.empty())
        fail(id, step, where, first.observed, first.expected);
      else
        fail(charged, step, where, std::format("breaks {}: {}", id, first.observed),
             first.expected);
    }
  if (broken.empty()) {
    looked("producer-every-table-conformant");
    looked("class-only-on-conformant-group");
  }
  if (std::ranges::none_of(broken, [&](const std::string& id) {
        return spec_.find(id)->section.starts_with("7.6");
      }))
    looked("producer-colocate-outside");
  broken_before_ = std::move(broken);
  return fine;
}

std::string_view clause_of(const Difference& difference, std::uint64_t rows) {
  switch (difference.aspect) {
    case Aspect::kRows: return rows == 0 ? "freshly-created-nrows-zero" : "nrows-is-row-count";
    case Aspect::kLostColumn:
    case Aspect::kHiddenColumn: return "column-is-direct-child-dataset";
    case Aspect::kOrdered:
      return difference.expected == "ordered" ? "producer-ordered-true-when-meaningful"
                                              : "producer-ordered-not-true-otherwise";
    default: return "producer-every-table-conformant";
  }
}

void WriterJudge::as_described(const Step& step, const TableContent& wanted,
                               const Json& description) {
  TableContent expected = wanted;
  // How a boolean column is stored is the program's business.
  for (ColumnContent& column : expected.columns) {
    const ColumnContent* is = step.content->column(column.name);
    if (is && column.type.at("class") == "boolean") column.type = is->type;
    if (is) {
      column.fill = is->fill;
      column.missing_known = is->missing_known;
    }
  }
  expected.fixed_order = step.content->fixed_order;
  for (const Difference& difference : compare(expected, step)) {
    if (difference.aspect == Aspect::kLostRows || difference.aspect == Aspect::kSurplusRows)
      continue;
    fail(clause_of(difference, expected.rows), step, difference.where,
         "not the table that was asked for: " + difference.observed, difference.expected);
  }
  looked(expected.rows == 0 ? "freshly-created-nrows-zero" : "nrows-is-row-count");
  looked("column-is-direct-child-dataset");
  for (const ColumnContent& column : expected.columns)
    if (column.categories)
      looked(column.categories->ordered ? "producer-ordered-true-when-meaningful"
                                        : "producer-ordered-not-true-otherwise");
  storage(step, description);
  fills(step, description);
}

void WriterJudge::storage(const Step& step, const Json& description) {
  std::set<std::string> chunks;
  bool provenance = step.content->description.has_value(), indexed = false;
  for (const Json& asked : description.at("columns")) {
    const ColumnContent* column = step.content->column(asked.at("name").get<std::string>());
    if (!column) continue;
    if (const std::string chunk = asked.value("chunk", ""); !chunk.empty()) {
      chunks.insert(chunk);
      if (std::to_string(column->chunk) != chunk)
        fail("producer-not-require-uniform-storage", step, "column " + column->name,
             std::format("chunks of {} rows", column->chunk), chunk + ", as asked for");
    }
    if (asked.contains("filters") &&
        asked.at("filters").get<std::vector<std::string>>() != column->filters)
      fail("producer-not-require-uniform-storage", step, "column " + column->name,
           "filters " + Json(column->filters).dump(), asked.at("filters").dump());
    for (const IndexContent& index : column->indexes) {
      indexed = true;
      provenance |= index.description && !index.description->empty();
      if (index.kind != "BITMAP" || !has_order(column->type)) continue;
      const bool sorted = std::ranges::is_sorted(
          index.values, [&](const Json& a, const Json& b) { return less(column->type, a, b); });
      unless(!index.ordered || sorted, "producer-ordered-true-means-order", step,
             "ordered is true over " + shown(index.values), "values in an order, or ordered false");
    }
  }
  if (chunks.size() > 1) looked("producer-not-require-uniform-storage");
  if (indexed)
    unless(provenance, "producer-provenance", step, "no description anywhere",
           "a description that names the origin of the indexes");
  if (description.contains("preallocate")) {
    const std::uint64_t wanted = std::strtoull(
        description.at("preallocate").get_ref<const std::string&>().c_str(), nullptr, 10);
    const bool all = std::ranges::all_of(step.content->columns, [&](const ColumnContent& column) {
      return column.extent == step.content->columns.front().extent && column.extent >= wanted;
    });
    unless(all, "preallocate-equal-extents", step, "extents differ or fall short",
           std::format("every column {} rows long", wanted));
    if (all) looked("preallocation-allowed");
  }
}

void WriterJudge::fills(const Step& step, const Json& description) {
  for (const Json& asked : description.at("columns")) {
    const ColumnContent* column = step.content->column(asked.at("name").get<std::string>());
    if (!column || column->fill.is_null()) continue;
    const Json& type = asked.at("type");
    if (type.at("class") == "boolean") {
      const bool widened = column->type.at("class") == "integer" && column->type.at("size") == 1 &&
                           !column->type.at("signed").get<bool>();
      unless(widened && column->fill.is_string() && std::stoi(column->fill.get<std::string>()) > 1,
             "boolean-fill-gt-1", step,
             std::format("{} with fill value {}", shown(column->type), shown(column->fill)),
             "uint8 with a fill value above 1");
    }
    if (asked.value("domain", "") == "any") {
      const Json& avoid = asked.at("recommended");
      unless(!same(column->fill, avoid), "sentinel-in-domain-other-fill", step,
             std::format("column {}: fill value {}, which is a value of the domain", column->name,
                         shown(column->fill)),
             "another fill value");
    }
  }
}

std::optional<TableContent> WriterJudge::written(const std::string& name, const Json& description,
                                                 const std::string& path) {
  std::error_code ignored;
  fs::remove(path, ignored);
  broken_before_.clear();
  Json asked = description;
  for (Json& column : asked["columns"]) column.erase("recommended");
  Step step = perform(name + ", write", path, {{"op", "write"}, {"file", path}, {"table", asked}});
  if (!succeeded(step, "producer-every-table-conformant")) return std::nullopt;
  conforms(step, "", "");
  as_described(step, described(description), description);
  return std::move(step.content);
}

// Appends rows: `rows` has a list of values for each column.
std::optional<TableContent> WriterJudge::append(const std::string& name, const std::string& path,
                                                const TableContent& before,
                                                const std::vector<std::vector<Json>>& rows) {
  Json columns = Json::array();
  TableContent expected = before;
  const std::uint64_t added = rows.front().size();
  expected.rows += added;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ColumnContent& column = expected.columns[i];
    columns.push_back({{"name", column.name}, {"values", rows[i]}});
    for (const Json& value : rows[i]) {
      column.values.push_back(value);
      if (column.categories)
        column.labels.push_back(value.is_null()
                                    ? Json()
                                    : column.categories->labels.at(std::strtoull(
                                          value.get<std::string>().c_str(), nullptr, 10)));
    }
  }
  const Step step = perform(name + ", append", path,
                            {{"op", "append"},
                             {"file", path},
                             {"table", before.path},
                             {"columns", columns},
                             {"durable", has("durable")}});
  if (!succeeded(step, "mutation-follows-section-11")) return std::nullopt;
  const bool fine =
      conforms(step, "append-updates-indexes-before-commit", "append-removes-list-references");

  const bool at_nrows = order_of_append(step, before);
  bool kept = true, arrived = true;
  for (const Difference& difference : compare(expected, step)) {
    if (difference.aspect == Aspect::kColumnOrder || difference.aspect == Aspect::kLostRows ||
        difference.aspect == Aspect::kSurplusRows)
      continue;
    std::string_view clause = clause_of(difference, expected.rows);
    const bool old = difference.row && *difference.row < before.rows;
    if (old || difference.aspect == Aspect::kLostColumn) {
      kept = false;
      clause = "append-preserves-existing-rows";
    } else if (difference.row) {
      arrived = false;
      clause = "append-writes-rows-before-commit";
    }
    // What was written elsewhere is not where it should be, nor as many rows.
    if (at_nrows || old)
      fail(clause, step, difference.where, difference.observed, difference.expected);
  }
  if (kept) looked("append-preserves-existing-rows");
  if (arrived) looked("retry-overwrites-or-extends");
  looked("nrows-is-row-count");
  for (const char* id : {"append-column-write-order-free", "append-incremental-index",
                         "append-removes-list-references"})
    looked(id);
  for (const ColumnContent& column : step.content->columns)
    for (const IndexContent& index : column.indexes)
      unless(index.kind == "CHUNK_MINMAX" || index.kind == "SORTED_ROWS" ||
                 index.kind == "BITMAP" || index.kind == "CHUNK_BLOOM",
             "append-deletes-unmaintained-indexes", step,
             std::format("column {} still lists an index of KIND {}", column.name, index.kind),
             "what cannot be kept consistent is deleted");
  crashes(step, before, expected);
  // What is done to a file that is broken already says little.
  return fine ? step.content : std::nullopt;
}

// The steps of 11.2, by the calls of the HDF5 library. False if it wrote elsewhere than at NROWS.
bool WriterJudge::order_of_append(const Step& step, const TableContent& before) {
  static constexpr const char* kByCalls[] = {"append-reads-nrows",
                                             "append-extends-before-write",
                                             "append-writes-rows-before-commit",
                                             "append-updates-indexes-before-commit",
                                             "append-commit-last",
                                             "append-flush-after-commit",
                                             "append-durable-flush-before-commit",
                                             "append-durable-flush-after-commit",
                                             "swmr-no-attribute-writes"};
  if (!step.recording || step.recording->calls.empty()) {
    unchecked_calls_.insert(std::begin(kByCalls), std::end(kByCalls));
    return true;
  }
  const std::vector<LibraryCall>& calls = step.recording->calls;
  const std::vector<std::string> columns = column_paths(before);
  const std::string indexes = (before.path == "/" ? "" : before.path) + "/SEARCH_INDEXES/";
  const auto is_commit = [](const LibraryCall& call) {
    return call.words(0).starts_with("attribute-") && call.words(1) == "NROWS";
  };
  const auto place = [&](std::size_t i) {
    return std::format("call {} of {}: {}", i + 1, calls.size(), calls[i].what);
  };
  const auto first = std::ranges::find_if(calls, is_commit);
  if (first == calls.end()) {
    unchecked_calls_.insert(std::begin(kByCalls), std::end(kByCalls));
    return true;
  }
  const auto commit = static_cast<std::size_t>(first - calls.begin());

  bool swmr = false, flushed_before = false, flushed_after = false, data_since_flush = false;
  bool extended_late = false, rows_late = false, index_late = false;
  std::optional<std::size_t> first_late;
  std::optional<std::uint64_t> first_row;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const LibraryCall& call = calls[i];
    const bool late = i > commit;
    const auto is_column = [&](std::string_view path) {
      return std::ranges::contains(columns, path);
    };
    if (call.is("swmr")) {
      swmr = true;
    } else if (call.is("flush") || call.is("close")) {
      (late ? flushed_after : flushed_before) = true;
      if (!late) data_since_flush = false;
      continue;
    } else if (call.is("extent") && is_column(call.rest(2))) {
      if (late && !std::exchange(extended_late, true))
        fail("append-extends-before-write", step, place(i),
             "a column is extended after NROWS is written", "every extent first");
    } else if (call.is("data-write") && is_column(call.rest(3))) {
      const std::uint64_t from = std::strtoull(call.words(1).c_str(), nullptr, 10);
      first_row = std::min(first_row.value_or(from), from);
      data_since_flush = true;
      if (late && !std::exchange(rows_late, true))
        fail("append-writes-rows-before-commit", step, place(i), "rows are written after NROWS",
             "all rows first");
    } else if (call.what.find(indexes) != std::string::npos ||
               call.words(1) == "SEARCH_INDEX_LIST") {
      data_since_flush = true;
      if (late && !std::exchange(index_late, true))
        fail("append-updates-indexes-before-commit", step, place(i), "an index changes after NROWS",
             "indexes first, then NROWS");
    }
    if (late && !first_late) first_late = i;
  }
  if (!first_late)
    looked("append-commit-last");
  else if (!is_commit(calls[*first_late]))
    fail("append-commit-last", step, place(*first_late), "a change after NROWS is written",
         "NROWS is the last thing written");
  else
    fail("append-commit-last", step, place(*first_late),
         calls[commit].is("attribute-delete")
             ? "NROWS is deleted and made anew; a crash in between leaves a table without it"
             : "NROWS is written more than once",
         "one write, the last");
  // A column that is written from another row than N_old; extents say nothing about where.
  const bool at_nrows = first_row.value_or(before.rows) == before.rows;
  if (first_row)
    unless(at_nrows, "append-reads-nrows", step,
           std::format("the first row written is {}", *first_row),
           std::format("{}, the NROWS of the file", before.rows));
  if (!extended_late) looked("append-extends-before-write");
  if (!rows_late) looked("append-writes-rows-before-commit");
  if (!index_late) looked("append-updates-indexes-before-commit");
  unless(flushed_after, "append-flush-after-commit", step,
         "no flush or close after NROWS is written",
         "H5Fflush before the append is reported complete");
  unless(!swmr, "swmr-no-attribute-writes", step, "opened for SWMR writing",
         "no SWMR around an append");
  if (!has("durable")) return at_nrows;
  unless(flushed_before && !data_since_flush, "append-durable-flush-before-commit", step,
         "no flush between the last row or index and NROWS", "H5Fflush after step 4");
  unless(flushed_after, "append-durable-flush-after-commit", step, "no flush after NROWS",
         "H5Fflush after step 5");
  return at_nrows;
}

// Every state that a crash could have left must show the rows of before or of after.
void WriterJudge::crashes(const Step& step, const TableContent& before, const TableContent& after) {
  if (!replay_ || !step.recording || step.recording->operations.empty()) return;
  if (step.recording->mapped || step.recording->replay(step.before) != step.after) {
    notes_.push_back(step.name + ": not all file operations were seen; no crash was replayed");
    return;
  }
  const bool durable = has("durable");
  const fs::path path = options_.folder / "crashed.h5";
  std::set<std::size_t> seen;
  bool held = true;
  for (const CrashState& state : crash_states(*step.recording, durable, options_.seed)) {
    Image image = image_of(state, *step.recording, step.before);
    if (!seen.insert(std::hash<std::string>{}(image)).second) continue;
    ++states_;
    write_image(path, image);
    Shows shows = look_safely(path, before, after);
    if (shows == Shows::kUnreadable && clear_consistency_flags(image)) {
      write_image(path, image);
      shows = look_safely(path, before, after);
      flagged_ += shows != Shows::kUnreadable;
    }
    if (shows == Shows::kOld || shows == Shows::kNew) continue;
    const bool settled =
        state.prefix && std::ranges::contains(step.recording->barriers, state.applied.size());
    // HDF5 writes its metadata piece by piece: in the midst of a flush the file may not be
    // readable, whatever the program does. And without flushes it promises no order at all.
    const bool torn = shows == Shows::kUnreadable && !options_.every_state;
    if (!settled && (torn || !durable)) {
      if (torn && torn_++ == 0) torn_example_ = std::format("{}, crash {}", step.name, state.how());
      if (!torn) ++unsettled_;
      continue;
    }
    if (!std::exchange(held, false)) continue;
    fail(shows != Shows::kMixture ? "append-preserves-existing-rows"
         : durable                ? "append-durable-flush-before-commit"
                                  : "append-writes-rows-before-commit",
         step, std::format("crash {} (--seed {})", state.how(), options_.seed),
         shows == Shows::kMixture      ? "the new NROWS with other rows than the new ones"
         : shows == Shows::kOldChanged ? "the old NROWS with other rows than the old ones"
                                       : "the table cannot be read",
         std::format("exactly {} rows or exactly {}", before.rows, after.rows));
  }
}

// Truncation, updates and index changes, each on the file as it is then.
void WriterJudge::changes(const std::string& name, const std::string& path, TableContent content) {
  const auto differs = [&](const Step& step, const TableContent& expected) {
    for (const Difference& difference : compare(expected, step))
      if (difference.aspect != Aspect::kColumnOrder)
        fail(difference.aspect == Aspect::kRows ? "nrows-is-row-count"
                                                : "mutation-follows-section-11",
             step, difference.where, difference.observed, difference.expected);
  };
  const auto done = [&](const Step& step, std::string_view index_clause,
                        std::string_view list_clause) {
    if (!succeeded(step, "mutation-follows-section-11")) return false;
    const bool fine = conforms(step, index_clause, list_clause);
    differs(step, content);
    looked("mutation-follows-section-11");
    return fine;
  };

  if (can("update") && content.rows > 1) {
    for (ColumnContent& column : content.columns) {
      if (!declared(column.type, session_.can())) continue;
      // The first value goes to the last row, and another row becomes missing.
      const std::uint64_t last = content.rows - 1, middle = content.rows / 2;
      Json rows = Json::array({std::to_string(last)}), values = Json::array({column.values[0]});
      column.values[last] = column.values[0];
      if (column.categories) column.labels[last] = column.labels[0];
      if (middle != last && middle != 0 && !column.fill.is_null()) {
        rows.push_back(std::to_string(middle));
        values.push_back(nullptr);
        column.values[middle] = nullptr;
        if (column.categories) column.labels[middle] = nullptr;
      }
      const Step step = perform(name + ", update " + column.name, path,
                                {{"op", "update"},
                                 {"file", path},
                                 {"table", content.path},
                                 {"column", column.name},
                                 {"rows", rows},
                                 {"values", values}});
      if (!done(step, "inplace-updates-or-deletes-indexes", "inplace-updates-or-deletes-indexes"))
        return;
      looked("inplace-updates-or-deletes-indexes");
      looked("inplace-permitted");
    }
  }
  for (const ColumnContent& column : content.columns)
    if (!column.indexes.empty())
      for (const char* op : {"drop-index", "add-index"}) {
        if (!can(op)) continue;
        const std::string& kind = column.indexes.front().kind;
        const Step step = perform(std::format("{}, {} {}", name, op, column.name), path,
                                  {{"op", op},
                                   {"file", path},
                                   {"table", content.path},
                                   {"column", column.name},
                                   {"kind", kind}});
        if (!done(step, "", "")) return;
        const ColumnContent* now = step.content->column(column.name);
        unless(now && now->has_index(kind) == (op[0] == 'a'), "mutation-follows-section-11", step,
               std::format("{} is {}", kind, op[0] == 'a' ? "not there" : "still there"),
               op[0] == 'a' ? "the index" : "no such index");
      }
  if (can("truncate") && content.rows > 1) {
    for (const bool reclaim : {false, true}) {
      if (reclaim && !has("reclaim")) continue;
      content.rows -= content.rows / 3 + (content.rows > 2 ? 0 : 1);
      for (ColumnContent& column : content.columns) {
        column.values.resize(content.rows);
        if (column.categories) column.labels.resize(content.rows);
      }
      const Step step = perform(name + (reclaim ? ", truncate and reclaim" : ", truncate"), path,
                                {{"op", "truncate"},
                                 {"file", path},
                                 {"table", content.path},
                                 {"rows", std::to_string(content.rows)},
                                 {"reclaim", reclaim}});
      if (!done(step, "truncate-updates-or-deletes-indexes", "truncate-removes-list-references"))
        return;
      looked("truncate-updates-or-deletes-indexes");
      looked("truncate-removes-list-references");
      looked("truncate-logically");
      // The rows that are no longer any are the residue on which the next append starts.
      if (!reclaim && can("append") && content.rows > 0) {
        const bool replay = std::exchange(replay_, false);
        std::optional<TableContent> after =
            append(name + ", after truncation", path, content, more_rows(content));
        replay_ = replay;
        if (!after) return;
        content = std::move(*after);
      }
      if (reclaim)
        for (const ColumnContent& column : step.content->columns)
          unless(column.extent == content.rows, "reclaim-by-rewrite", step,
                 std::format("column {} is {} rows long", column.name, column.extent),
                 std::format("{}, the new NROWS", content.rows));
    }
  }
}

void WriterJudge::table(const std::string& name, const Json& asked) {
  const Json description = allowed(asked);
  if (description.at("columns").empty()) return;
  const std::string path = (folder_ / "table.h5").string();
  std::optional<TableContent> content = written(name, description, path);
  if (!content || std::ranges::any_of(content->columns, [](const ColumnContent& column) {
        return !column.unreadable.empty();
      }))
    return;
  if (can("append") && content->rows > 0) {
    content = append(name, path, *content, more_rows(*content));
    if (!content) return;
  }
  changes(name, path, std::move(*content));
}

// Files that others have left: residue of a crash, an index of a family that nobody knows.
void WriterJudge::corpus_files() {
  if (!can("append")) return;
  for (const conformance::Fixture& fixture : conformance::corpus()) {
    if (!glob("valid/11.2/retry-overwrites-or-extends--*", fixture.file) &&
        !glob("valid/11.2/append-deletes-unmaintained-indexes--*", fixture.file))
      continue;
    if (!wanted(fixture.file)) continue;
    const std::string path = (folder_ / "table.h5").string();
    write_image(path, {reinterpret_cast<const char*>(fixture.image.data()), fixture.image.size()});
    broken_before_.clear();
    const Result<FileContent> content = read_content(path);
    if (!content || content->empty()) continue;
    const std::vector<ColumnContent>& columns = content->front().columns;
    const bool beyond = std::ranges::any_of(columns, [&](const ColumnContent& column) {
      return !declared(column.type, session_.can()) || (column.categories && !has("categories"));
    });
    if (beyond) continue;
    std::vector<std::vector<Json>> rows;
    for (const ColumnContent& column : columns)
      rows.push_back({column.values[0], column.values[1], column.values[0]});
    append(fixture.file, path, content->front(), rows);
  }
}

// Random tables; one that breaks something is made as small as it still does.
void WriterJudge::random_tables() {
  const auto broken = [&] {
    std::set<std::string> ids;
    for (const auto& [id, outcome] : outcomes_)
      if (!outcome.findings.empty()) ids.insert(id);
    return ids;
  };
  for (std::uint64_t i = 0; i < options_.random; ++i) {
    const std::uint64_t seed = options_.seed + i;
    Json description = random_description(seed);
    const std::map<std::string, Outcome> kept = outcomes_;
    for (auto& [id, outcome] : outcomes_) outcome.findings.clear();
    const auto name = [&] { return std::format("random table {}", seed); };
    table(name(), description);
    if (const std::set<std::string> ids = broken(); !ids.empty()) {
      const auto still = [&](const Json& candidate) {
        for (auto& [id, outcome] : outcomes_) outcome.findings.clear();
        table(name() + " (shrunk)", candidate);
        const std::set<std::string> now = broken();
        return std::ranges::any_of(now, [&](const std::string& id) { return ids.contains(id); });
      };
      std::map<std::string, Outcome> smallest = outcomes_;
      for (int tries = 0; tries < 60;) {
        bool smaller_found = false;
        for (const Json& candidate : smaller(description)) {
          if (++tries > 60) break;
          if (!still(candidate)) continue;
          description = candidate;
          smallest = outcomes_;
          smaller_found = true;
          break;
        }
        if (!smaller_found) break;
      }
      outcomes_ = std::move(smallest);
    }
    // What was found before comes first.
    for (const auto& [id, outcome] : kept)
      outcomes_[id].findings.insert(outcomes_[id].findings.begin(), outcome.findings.begin(),
                                    outcome.findings.end());
  }
}

ClauseResult WriterJudge::result(const Clause& clause) const {
  ClauseResult made{.clause = &clause, .severity = clause.default_severity};
  const std::string id(clause.id);
  if (!options_.only.empty() && !options_.only.contains(id)) {
    made.verdict = Verdict::kNotChecked;
    made.reason = "left out by --only";
    return made;
  }
  const auto at = outcomes_.find(id);
  if (at != outcomes_.end() && at->second.examined > 0) {
    made.examined = at->second.examined;
    made.findings = at->second.findings;
    made.verdict = made.findings.empty() ? Verdict::kPass : Verdict::kFail;
    return made;
  }
  const auto state = [&](Verdict verdict, std::string reason) {
    made.verdict = verdict;
    made.reason = std::move(reason);
    return made;
  };
  const auto lacks_operation = [&](const char* prefix, const char* operation) {
    return id.starts_with(prefix) && !can(operation);
  };
  if (id == "future-annotations-lowercase")
    return state(Verdict::kNotApplicable, "it binds the authors of later revisions");
  if (id == "inplace-atomicity-external")
    return state(Verdict::kNotApplicable, "the protocol asks for no atomic edits");
  if (lacks_operation("append-", "append") || lacks_operation("retry-", "append") ||
      lacks_operation("swmr-", "append"))
    return state(Verdict::kNotApplicable, "it does not append");
  if (id.starts_with("append-durable-") && !has("durable"))
    return state(Verdict::kNotApplicable, "it promises no durability");
  if (lacks_operation("truncate-", "truncate") || (id == "reclaim-by-rewrite" && !has("reclaim")))
    return state(Verdict::kNotApplicable, "it does not truncate or reclaim");
  if (lacks_operation("inplace-", "update"))
    return state(Verdict::kNotApplicable, "it does not update in place");
  if ((id.starts_with("preallocat")) && !has("preallocation"))
    return state(Verdict::kNotApplicable, "it does not preallocate");
  if (id == "producer-not-require-uniform-storage" && !has("chunks"))
    return state(Verdict::kNotApplicable, "it takes no chunk lengths");
  if (id == "boolean-fill-gt-1" && !session_.can().datatypes.contains("boolean"))
    return state(Verdict::kNotApplicable, "it writes no booleans");
  if (id.starts_with("producer-ordered-") && !has("categories") &&
      id != "producer-ordered-true-means-order")
    return state(Verdict::kNotApplicable, "it writes no categorical columns");
  if (id == "producer-provenance" && session_.can().indexes.empty())
    return state(Verdict::kNotApplicable, "it builds no indexes");
  if (id == "producer-ordered-true-means-order" && !session_.can().indexes.contains("BITMAP"))
    return state(Verdict::kNotApplicable, "it builds no BITMAP indexes");
  if (id == "producer-every-table-conformant" || id == "class-only-on-conformant-group")
    return state(Verdict::kNotChecked,
                 "every file broke some other clause, which are told each by itself");
  if (unchecked_calls_.contains(id))
    return state(Verdict::kNotChecked, "its calls of the HDF5 library were not seen");
  return state(Verdict::kNotChecked, "nothing was examined");
}

std::vector<ClauseResult> WriterJudge::results() const {
  std::vector<ClauseResult> made;
  for (const Clause& clause : spec_.clauses)
    if (clause.subject == Subject::kProducer) made.push_back(result(clause));
  // Of the others, those that some file kept or broke.
  for (const Clause& clause : spec_.clauses)
    if (clause.subject == Subject::kFile && outcomes_.contains(std::string(clause.id)))
      made.push_back(result(clause));
  return made;
}

SuiteReport WriterJudge::judge() {
  libhdf5::initialise(false);
  SuiteReport report{
      .role = "writer", .program = session_.name(), .about = session_.about(), .spec = &spec_};
  for (const Json& entry : committed_descriptions()) {
    const std::string name = entry.at("name").get<std::string>();
    if (!wanted(name)) continue;
    replay_ = entry.value("crashes", false);
    table("table " + name, entry.at("table"));
  }
  replay_ = true;
  corpus_files();
  replay_ = false;
  random_tables();
  report.clauses = results();
  report.files = files_;
  report.requests = session_.requests();
  report.notes = std::move(notes_);
  if (states_ > 0)
    report.notes.push_back(
        std::format("{} states that a crash could leave were replayed", states_));
  if (torn_ > 0)
    report.notes.push_back(std::format(
        "{} of them, in the midst of a flush, cannot be read: HDF5 does not make a flush atomic "
        "(first: {}; --every-state counts them as failures)",
        torn_, torn_example_));
  if (unsettled_ > 0)
    report.notes.push_back(std::format(
        "{} of them, between flushes, show neither the old rows nor the new ones; HDF5 promises no "
        "order there, and the program no durability",
        unsettled_));
  if (flagged_ > 0)
    report.notes.push_back(std::format(
        "{} of them open only after `h5clear -s`: the file was marked as open for writing",
        flagged_));
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
  return WriterJudge(session, spec, options).judge();
}

}  // namespace hepcheck::hep001::suite
