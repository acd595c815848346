#include "conformance/suite/hep001/reader.h"

#include <algorithm>
#include <cassert>
#include <format>

#include "conformance/suite/hep001/recording.h"
#include "validator/formats/hep001/libhdf5/error.h"

namespace hepcheck::hep001::suite {

namespace fs = std::filesystem;
using conformance::Fixture;

namespace {

constexpr ClauseId kLossless = "consumer-lossless-read";

// An ordinary table.
constexpr std::string_view kPlain = "valid/14.1/worked-example-accepted--five-rows.h5";

}  // namespace

bool Reading::ignores(const TableContent& table) const {
  return describe.ok() && !refused.contains(table.path) &&
         !std::ranges::contains(got, table.path, &TableContent::path);
}

bool Reading::misread(const TableContent& table, const ColumnContent& column) const {
  const auto at = std::ranges::find(got, table.path, &TableContent::path);
  if (at == got.end() || !at->read) return false;
  const ColumnContent* twin = at->column(column.name);
  return !twin || !std::ranges::equal(twin->values, column.values, same);
}

bool Reading::answered() const {
  return describe.answered() && std::ranges::all_of(reads, &Reply::answered);
}

bool Reading::lists_all() const {
  return std::ranges::all_of(expected, [&](const TableContent& table) {
    return std::ranges::contains(got, table.path, &TableContent::path);
  });
}

bool Reading::other_rows() const {
  return std::ranges::contains(differences, Aspect::kRows, &Difference::aspect);
}

void TableReaderJudge::read(Reading& reading) {
  if (Result<FileContent> content = read_content(reading.fixture->image, spec_))
    reading.expected = std::move(*content);
  read_all(reading);
}

void TableReaderJudge::read_all(Reading& reading) {
  const auto stop = [&](const Reply& reply, std::string why) {
    reading.trouble = std::move(why);
    reading.request = reply.request;
  };
  reading.describe =
      call(reading, object({{"request.op", "describe"}, {"describe.file", reading.path}}));
  if (!reading.describe.ok()) return stop(reading.describe, reading.describe.text());
  Parsed<Description> described = parse_description(reading.describe.body);
  if (!described) {
    reading.describe.kind = Reply::Kind::kNonsense;
    reading.describe.message = described.error();
    return stop(reading.describe, reading.describe.text());
  }
  reading.refused = std::move(described->refused);
  reading.got = std::move(described->tables);
  for (TableContent& table : reading.got) {
    // If the table does not exist, no further requests are sent about it.
    if (!std::ranges::contains(reading.expected, table.path, &TableContent::path)) continue;
    Reply reply = call(reading, object({{"request.op", "read"},
                                        {"in_table.file", reading.path},
                                        {"in_table.table", table.path}}));
    if (reply.ok())
      if (const auto parsed = parse_values(reply.body, table); !parsed) {
        reply.kind = Reply::Kind::kNonsense;
        reply.message = parsed.error();
      }
    table.read = reply.ok();
    if (!reply.ok()) stop(reply, reply.text());
    reading.reads.push_back(std::move(reply));
  }
  for (const TableContent& table : reading.expected)
    if (reading.refused.contains(table.path) && reading.trouble.empty())
      stop(reading.describe, "refuses " + table.path);
  reading.differences = compare(reading.expected, reading.got, can());
  std::erase_if(reading.differences, [&](const Difference& difference) {
    return difference.aspect <= Aspect::kLostLater && reading.refused.contains(difference.table);
  });
}

TableReaderJudge::Fixtures TableReaderJudge::select(Patterns files) const {
  Fixtures selected = matching(files);
  std::erase_if(selected, [&](const Fixture* fixture) { return !wanted(*fixture); });
  return selected;
}

// A column of a datatype that the program does not claim to read. No program declares "unknown".
bool TableReaderJudge::beyond(const Reading& reading) const {
  const auto undeclared = [&](const Json& type) {
    return std::ranges::any_of(classes_in(type), [&](const std::string& cls) {
      return cls != "unknown" && !can().datatypes.contains(cls);
    });
  };
  for (const TableContent& table : reading.expected)
    for (const ColumnContent& column : table.columns)
      if (undeclared(column.type) || (column.categories && undeclared(column.categories->type)))
        return true;
  return false;
}

bool TableReaderJudge::left_out() const {
  return std::ranges::any_of(readings(), [&](const auto& each) { return beyond(each.second); });
}

void TableReaderJudge::fail(const Reading& reading, std::string where, std::string observed,
                            std::string expected, const std::string& request) {
  Judgement::fail(std::string(reading.fixture->file), std::move(where), std::move(observed),
                  std::move(expected),
                  reproducible(request.empty() ? reading.describe.request : request));
}

// Fails the clause if the file could not be read; not if it must not be.
bool TableReaderJudge::readable(const Reading& reading) {
  if (reading.complete()) return true;
  if (reading.describe.kind == Reply::Kind::kNotAsked) {
    not_checked(reading.trouble);
    return false;
  }
  const bool excused = reading.answered() && (reading.other_rows() || beyond(reading));
  const bool charged = !only_unclaimed_ || !claimed_.contains(reading.fixture);
  if (!excused && charged)
    fail(reading, "", reading.trouble, "a conformant table, read", reading.request);
  return reading.describe.ok();
}

void TableReaderJudge::take_differences(const Reading& reading, Aspects aspects) {
  // A table that is not listed has no other result.
  const bool about_tables =
      std::ranges::any_of(aspects, [](Aspect aspect) { return aspect <= Aspect::kLostLater; });
  if (!reading.lists_all() && !about_tables) {
    result_.reason = "it does not list the tables";
    return;
  }
  ++result_.examined;
  for (const Difference& difference : reading.differences)
    if (std::ranges::contains(aspects, difference.aspect))
      fail(reading, std::format("{} {}", difference.table, difference.where), difference.observed,
           difference.expected);
}

void TableReaderJudge::reads(Patterns files, Aspects aspects) {
  for (const Fixture* fixture : select(files)) {
    if (!compared_.insert(fixture).second) continue;
    const Reading& seen = reading(*fixture);
    if (readable(seen))
      take_differences(seen, aspects);
    else
      ++result_.examined;
    claimed_.insert(fixture);
  }
}

void TableReaderJudge::agrees(Patterns files, Aspects aspects) {
  for (const Fixture* fixture : select(files)) {
    if (!compared_.insert(fixture).second) continue;
    const Reading& seen = reading(*fixture);
    if (seen.describe.ok()) take_differences(seen, aspects);
  }
}

bool TableReaderJudge::accepted(std::string_view file) {
  for (const Fixture* fixture : select({file})) {
    const Reading& seen = reading(*fixture);
    return seen.complete() && !seen.got.empty();
  }
  return false;
}

// Clauses report a program that lists no tables at all: its treatment of unusual ones is not
// informative.
bool TableReaderJudge::finds_tables() {
  const std::vector<Fixture>& fixtures = conformance::corpus_of(spec_);
  const auto plain = std::ranges::find(fixtures, kPlain, &Fixture::file);
  assert(plain != fixtures.end());
  return reading(*plain).lists_all();
}

void TableReaderJudge::refuses(Patterns files) {
  for (const Fixture* fixture : select(files)) {
    const Reading& seen = reading(*fixture);
    ++result_.examined;
    claimed_.insert(fixture);
    if (!seen.answered()) {
      fail(seen, "", seen.trouble, "to be refused", seen.request);
    } else if (!seen.got.empty()) {
      fail(seen, seen.got.front().path,
           std::format("lists the table, VERSION {}", seen.got.front().version), "to be refused");
    } else {
      if (seen.describe.ok() && !seen.refused.contains(fixture->group) && finds_tables())
        fail(seen, fixture->group, "neither listed nor refused", "to be refused");
      refuses_data(seen);
    }
  }
}

// Not listing a table is one thing, not returning its data another.
void TableReaderJudge::refuses_data(const Reading& seen) {
  const std::string& table = seen.fixture->group;
  const Json read =
      object({{"request.op", "read"}, {"in_table.file", seen.path}, {"in_table.table", table}});
  Json query =
      object({{"request.op", "query"},
              {"in_table.file", seen.path},
              {"in_table.table", table},
              {"query.where", object({{"predicate.column", "id"}, {"predicate.test", "missing"}})},
              {"query.indexes", "none"}});
  for (const Json& request : {read, query}) {
    if (request.at("op") == "query" && !queries()) continue;
    const Reply reply = call(seen, request);
    if (reply.kind == Reply::Kind::kNotAsked) return not_checked(reply.message);
    if (reply.kind != Reply::Kind::kRefused && !reply.unsupported())
      fail(seen, table, reply.ok() ? "returns its data" : reply.text(),
           "to be refused: an error of kind refused", reply.request);
  }
}

void TableReaderJudge::tolerates(Patterns files) {
  for (const Fixture* fixture : select(files)) {
    const Reading& seen = reading(*fixture);
    ++result_.examined;
    if (!seen.answered())
      fail(seen, "", seen.trouble, "either to be read or to be refused", seen.request);
  }
}

void TableReaderJudge::recognises(Patterns files) {
  for (const Fixture* fixture : select(files)) {
    const Reading& seen = reading(*fixture);
    ++result_.examined;
    if (!seen.answered()) {
      fail(seen, "", seen.trouble, "the table is listed or refused", seen.request);
      continue;
    }
    if (!seen.describe.ok() || !finds_tables()) continue;  // refused as a whole
    for (const TableContent& table : seen.expected)
      if (!seen.refused.contains(table.path) &&
          std::ranges::find(seen.got, table.path, &TableContent::path) == seen.got.end())
        fail(seen, table.path, "neither listed nor refused", "a table: CLASS is COLUMN_TABLE");
  }
}

void TableReaderJudge::diagnoses(std::string_view file, const std::string& path) {
  for (const Fixture* fixture : select({file})) {
    const Reading& seen = reading(*fixture);
    ++result_.examined;
    claimed_.insert(fixture);
    const auto names = [&](const Reply& reply) {
      return std::ranges::contains(reply.diagnosed, path) ||
             reply.message.find(path) != std::string::npos;
    };
    if (!seen.answered())
      fail(seen, "", seen.trouble, "a diagnostic that names " + path, seen.request);
    else if (!names(seen.describe) && std::ranges::none_of(seen.reads, names))
      fail(seen, path, "no diagnostic names it", "a diagnostic with the path");
  }
}

void TableReaderJudge::same_values(std::string_view one, std::string_view other) {
  const std::vector<const Fixture*> pair = select({one, other});
  if (pair.size() != 2) return;
  const Reading &plain = reading(*pair[0]), &adorned = reading(*pair[1]);
  claimed_.insert(pair.begin(), pair.end());
  if (!readable(plain) || !readable(adorned) || !plain.lists_all()) return;
  ++result_.examined;
  for (std::size_t i = 0; i < std::min(plain.got.size(), adorned.got.size()); ++i)
    for (const ColumnContent& column : plain.got[i].columns) {
      const ColumnContent* twin = adorned.got[i].column(column.name);
      if (!twin || !std::ranges::equal(column.values, twin->values, same))
        fail(adorned, std::format("{} column {}", adorned.got[i].path, column.name),
             twin ? shown(twin->values, 120) : "not listed", shown(column.values, 120));
    }
}

ClauseResult TableReaderJudge::take(const Clause& clause) {
  only_unclaimed_ = false;
  compared_.clear();
  // It applies to any table.
  if (clause.id == kLossless.str() && left_out())
    not_applicable("it applies to every table, and the program declares some datatypes");
  return Judgement::take(clause);
}

SuiteReport judge_reader(Session& session, const Specification& spec, const RunOptions& options) {
  libhdf5::initialise(false);
  TableReaderJudge judge(session, spec, options);
  ResultsByClause results;
  run_checks(newer_consumer_checks(), spec, options, judge, results);
  run_checks(consumer_checks(), spec, options, judge, results);
  SuiteReport report = reader_report(session, spec, options, std::move(results), judge.files());
  if (judge.left_out()) {
    for (std::string datatype : judge.can().datatypes) {
      std::ranges::replace(datatype, '-', ' ');
      report.scope.push_back(std::move(datatype));
    }
    if (report.scope.empty()) report.scope = {"no datatype"};
  }
  report.notes.push_back(
      "FIXTURES is the directory that `hepcheck fixtures export FIXTURES` creates.");
  return report;
}

}  // namespace hepcheck::hep001::suite
