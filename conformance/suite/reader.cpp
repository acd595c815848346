#include "conformance/suite/reader.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <format>
#include <fstream>

#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/wildcard.h"

namespace hepcheck::hep001::suite {

namespace fs = std::filesystem;
using conformance::Fixture;

namespace {

std::string rows_text(const std::vector<std::uint64_t>& rows) {
  std::string text = "rows";
  for (std::size_t i = 0; i < rows.size(); ++i)
    text += i < 12 ? (i ? ", " : " ") + std::to_string(rows[i]) : i == 12 ? ", ..." : "";
  return rows.empty() ? "no rows" : text;
}

// The rows of a reply to a query, in order; nothing if it has none in the protocol's form.
std::optional<std::vector<std::uint64_t>> rows_of(const Json& body) {
  if (!body.contains("rows") || !body.at("rows").is_array()) return std::nullopt;
  std::vector<std::uint64_t> rows;
  for (const Json& each : body.at("rows")) {
    if (!each.is_string()) return std::nullopt;
    const std::string& digits = each.get_ref<const std::string&>();
    std::uint64_t row = 0;
    const auto [end, trouble] = std::from_chars(digits.data(), digits.data() + digits.size(), row);
    if (trouble != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    rows.push_back(row);
  }
  std::ranges::sort(rows);
  return rows;
}

// Predicates over a column: values that occur, one that no row may have, ranges with one and two
// ends, missing, NaN.
std::vector<Json> predicates(const ColumnContent& column, bool thorough) {
  std::vector<Json> values;
  for (const Json& value : column.values)
    if (!value.is_null() && !is_nan(value) && std::ranges::none_of(values, [&](const Json& one) {
          return equal_values(column.type, one, value);
        }))
      values.push_back(value);
  const bool ordered = has_order(column.type);
  if (ordered)
    std::ranges::sort(values,
                      [&](const Json& a, const Json& b) { return less(column.type, a, b); });
  std::vector<Json> made;
  const std::size_t step = thorough ? 1 : std::max<std::size_t>(1, values.size() / 2);
  for (std::size_t i = 0; i < values.size() && made.size() < 16; i += step)
    made.push_back({{"test", "equal"}, {"value", values[i]}});
  if (!column.fill.is_null() && !is_nan(column.fill) && thorough)
    made.push_back({{"test", "equal"}, {"value", column.fill}});
  if (ordered && !values.empty()) {
    const auto range = [&](const Json& low, const Json& high) {
      made.push_back({{"test", "range"}, {"min", low}, {"max", high}});
    };
    range(values[values.size() / 4], values[values.size() * 3 / 4]);
    if (thorough) {
      range(values.front(), nullptr);
      range(values[values.size() / 2], nullptr);
      range(nullptr, values[values.size() / 2]);
    }
  }
  made.push_back({{"test", "missing"}});
  if (column.type.at("class") == "float") made.push_back({{"test", "nan"}});
  for (Json& predicate : made) {
    Json named{{"column", column.name}};
    named.update(predicate);
    predicate = std::move(named);
  }
  return made;
}

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

Reading& Judge::reading(const Fixture& fixture) {
  const auto [at, fresh] = readings_.try_emplace(&fixture);
  Reading& reading = at->second;
  if (!fresh) return reading;
  reading.fixture = &fixture;
  const fs::path path = options_.folder / fixture.file;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(fixture.image.data()),
             static_cast<std::streamsize>(fixture.image.size()));
  reading.path = path.string();
  if (Result<FileContent> content = read_content(reading.path))
    reading.expected = std::move(*content);
  read_all(reading);
  return reading;
}

void Judge::read_all(Reading& reading) {
  const auto stop = [&](const Reply& reply, std::string why) {
    reading.trouble = std::move(why);
    reading.request = reply.request;
  };
  reading.describe = session_.call({{"op", "describe"}, {"file", reading.path}});
  if (!reading.describe.ok()) return stop(reading.describe, reading.describe.text());
  std::vector<std::string> refused;
  Parsed described = parse_description(reading.describe.body, refused);
  reading.refused = {refused.begin(), refused.end()};
  if (!described) {
    reading.describe.kind = Reply::Kind::kNonsense;
    return stop(reading.describe, "nonsense: " + described.error());
  }
  reading.got = std::move(*described);
  for (TableContent& table : reading.got) {
    Reply reply = session_.call({{"op", "read"}, {"file", reading.path}, {"table", table.path}});
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

std::vector<const Fixture*> Judge::select(Patterns files) {
  std::vector<const Fixture*> selected;
  for (const std::string_view pattern : files) {
    bool any = false;
    for (const Fixture& fixture : conformance::corpus()) {
      if (fixture.spec != default_revision("hep001").id || fixture.asserted ||
          !fits(fixture.file, std::string(pattern)))
        continue;
      any = true;
      if (wanted(fixture)) selected.push_back(&fixture);
    }
    assert(any && "no fixture matches a pattern of a check");
  }
  return selected;
}

bool Judge::wanted(const Fixture& fixture) const {
  return options_.files.empty() || std::ranges::any_of(options_.files, [&](const auto& pattern) {
           return fits(fixture.file, pattern);
         });
}

// A column is of a datatype that the program does not claim to read.
bool Judge::beyond(const Reading& reading) const {
  for (const TableContent& table : reading.expected)
    for (const ColumnContent& column : table.columns)
      if (!declared(column.type, can()) ||
          (column.categories && !declared(column.categories->type, can())))
        return true;
  return false;
}

void Judge::fail(const Reading& reading, std::string where, std::string observed,
                 std::string expected, const std::string& request) {
  result_.verdict = Verdict::kFail;
  std::string file = reading.fixture->file;
  result_.findings.push_back(
      {.object = std::move(file),
       .where = std::move(where),
       .observed = std::move(observed),
       .expected = std::move(expected),
       .hint = reproducible(request.empty() ? reading.describe.request : request)});
}

// A request that anybody can send: `hepcheck fixtures export FIXTURES` makes the files.
std::string Judge::reproducible(std::string request) const {
  const std::string folder = options_.folder.string();
  if (const std::size_t at = request.find(folder); at != std::string::npos)
    request.replace(at, folder.size(), "FIXTURES");
  return request;
}

// Fails the clause if the file could not be read; not if it was not to be.
bool Judge::readable(const Reading& reading) {
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

void Judge::take_differences(const Reading& reading, Aspects aspects) {
  // Of a table that is not listed nothing can be said, but that.
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

void Judge::reads(Patterns files, Aspects aspects) {
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

void Judge::agrees(Patterns files, Aspects aspects) {
  for (const Fixture* fixture : select(files)) {
    if (!compared_.insert(fixture).second) continue;
    const Reading& seen = reading(*fixture);
    if (seen.describe.ok()) take_differences(seen, aspects);
  }
}

bool Judge::accepted(std::string_view file) {
  for (const Fixture* fixture : select({file})) {
    const Reading& seen = reading(*fixture);
    return seen.complete() && !seen.got.empty();
  }
  return false;
}

void Judge::refuses(Patterns files) {
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
      // Not listing it is one thing, not giving data another.
      const Reply reply =
          session_.call({{"op", "read"}, {"file", seen.path}, {"table", fixture->group}});
      if (reply.ok()) fail(seen, fixture->group, "reads it", "to be refused", reply.request);
    }
  }
}

void Judge::tolerates(Patterns files) {
  for (const Fixture* fixture : select(files)) {
    const Reading& seen = reading(*fixture);
    ++result_.examined;
    if (!seen.answered())
      fail(seen, "", seen.trouble, "either to be read or to be refused", seen.request);
  }
}

void Judge::recognises(Patterns files) {
  for (const Fixture* fixture : select(files)) {
    const Reading& seen = reading(*fixture);
    ++result_.examined;
    if (!seen.answered()) {
      fail(seen, "", seen.trouble, "the table is listed or refused", seen.request);
      continue;
    }
    if (!seen.describe.ok()) continue;  // refused as a whole
    for (const TableContent& table : seen.expected)
      if (!seen.refused.contains(table.path) &&
          std::ranges::find(seen.got, table.path, &TableContent::path) == seen.got.end())
        fail(seen, table.path, "neither listed nor refused", "a table: CLASS is COLUMN_TABLE");
  }
}

void Judge::diagnoses(std::string_view file, const std::string& path) {
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

const Reply& Judge::ask(const Reading& reading, const std::string& table, const Json& predicate,
                        std::string_view mode) {
  const Json request{{"op", "query"},
                     {"file", reading.path},
                     {"table", table},
                     {"where", predicate},
                     {"indexes", mode}};
  const auto [at, fresh] = answers_.try_emplace(request.dump());
  if (fresh) at->second = session_.call(request);
  return at->second;
}

void Judge::ask_column(const Reading& reading, const TableContent& table,
                       const ColumnContent& column, const Asked& asked) {
  for (const Json& predicate : predicates(column, asked.thorough)) {
    const std::string& test = predicate.at("test").get_ref<const std::string&>();
    if (!asked.tests.empty() && !asked.tests.contains(test)) continue;
    const Reply& reply = ask(reading, table.path, predicate, asked.mode);
    const std::string where = std::format("{} {} {}", table.path, asked.mode, predicate.dump());
    if (reply.kind == Reply::Kind::kError && reply.error_kind == "unsupported") continue;
    if (reply.kind == Reply::Kind::kNotAsked) return not_checked(reply.message);
    ++result_.examined;
    const auto rows = reply.ok() ? rows_of(reply.body) : std::nullopt;
    const std::vector<std::uint64_t> expected = matching_rows(table, column, predicate);
    if (!rows)
      fail(reading, where, reply.ok() ? "no rows in the reply" : reply.text(), rows_text(expected),
           reply.request);
    else if (*rows != expected)
      fail(reading, where, rows_text(*rows), rows_text(expected), reply.request);
  }
}

void Judge::asks(Patterns files, const Asked& asked) {
  if (!queries()) return not_applicable("it answers no queries");
  if (!asked.kind.empty() && asked.mode == "use" &&
      !can().indexes.contains(std::string(asked.kind)))
    return not_applicable(std::format("it does not use {} indexes", asked.kind));
  for (const Fixture* fixture : select(files)) {
    const Reading& seen = reading(*fixture);
    claimed_.insert(fixture);
    for (const TableContent& table : seen.expected)
      for (const ColumnContent& column : table.columns) {
        const bool wanted = asked.kind.empty() ? asked.mode == "none" || !column.indexes.empty()
                                               : column.has_index(asked.kind);
        if (!wanted || !column.unreadable.empty() || !declared(column.type, can())) continue;
        const bool misread = seen.other_rows() || seen.misread(table, column);
        if (seen.ignores(table) || (misread && !asked.tail))
          result_.reason = "it does not read these values, which other clauses tell";
        else
          ask_column(seen, table, column, asked);
      }
  }
}

void Judge::same_answers(Patterns files) {
  if (!queries()) return not_applicable("it answers no queries");
  if (can().indexes.empty()) return not_applicable("it uses no indexes");
  for (const Fixture* fixture : select(files)) {
    const Reading& seen = reading(*fixture);
    // Left out: files charged elsewhere, and those whose index another reading rules out.
    const bool disputed = std::ranges::any_of(
        fixture->tables, [&](const auto& table) { return table.warns.contains(fixture->clause); });
    if (!seen.complete() || disputed) continue;
    for (const TableContent& table : seen.expected)
      for (const ColumnContent& column : table.columns) {
        if (column.indexes.empty() || !declared(column.type, can()) || seen.ignores(table) ||
            seen.misread(table, column))
          continue;
        for (const Json& predicate : predicates(column, false)) {
          const Reply& with = ask(seen, table.path, predicate, "use");
          const Reply& without = ask(seen, table.path, predicate, "none");
          if (with.kind == Reply::Kind::kNotAsked) return not_checked(with.message);
          if (!without.ok()) continue;
          ++result_.examined;
          const auto one = with.ok() ? rows_of(with.body) : std::nullopt;
          const auto other = rows_of(without.body);
          if (other && one != other)
            fail(seen, std::format("{} {}", table.path, predicate.dump()),
                 one ? "with indexes " + rows_text(*one) : with.text(),
                 "without " + rows_text(*other), with.request);
        }
      }
  }
}

void Judge::same_values(std::string_view one, std::string_view other) {
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

void Judge::lacks(std::string observed, std::string expected) {
  ++result_.examined;
  result_.verdict = Verdict::kFail;
  result_.findings.push_back(
      {.object = "hello", .observed = std::move(observed), .expected = std::move(expected)});
}

void Judge::not_applicable(std::string reason) {
  if (result_.verdict == Verdict::kFail) return;
  result_.verdict = Verdict::kNotApplicable;
  result_.reason = std::move(reason);
}

void Judge::not_checked(std::string reason) {
  if (result_.verdict == Verdict::kFail) return;
  result_.verdict = Verdict::kNotChecked;
  result_.reason = std::move(reason);
}

ClauseResult Judge::take(const Clause& clause) {
  ClauseResult taken = std::move(result_);
  result_ = {.verdict = Verdict::kPass};
  only_unclaimed_ = false;
  compared_.clear();
  taken.clause = &clause;
  taken.severity = clause.default_severity;
  if (taken.verdict == Verdict::kPass && taken.examined == 0) {
    taken.verdict = Verdict::kNotChecked;
    if (taken.reason.empty()) taken.reason = "nothing was examined";
  }
  if (taken.verdict == Verdict::kPass || taken.verdict == Verdict::kFail) taken.reason.clear();
  return taken;
}

SuiteReport judge_reader(Session& session, const Specification& spec,
                         const ReaderOptions& options) {
  SuiteReport report{
      .role = "reader", .program = session.name(), .about = session.about(), .spec = &spec};
  Judge judge(session, options);
  libhdf5::initialise(false);
  std::map<std::string_view, ClauseResult> results;
  for (const ConsumerCheck& check : consumer_checks()) {
    const std::string_view id = check.id.str();
    const Clause* clause = spec.find(id);
    if (!clause || (!options.only.empty() && !options.only.contains(std::string(id)))) continue;
    check.check(judge);
    results[id] = judge.take(*clause);
  }
  for (const Clause& clause : spec.clauses) {
    if (clause.subject != Subject::kConsumer) continue;
    if (const auto at = results.find(clause.id); at != results.end())
      report.clauses.push_back(std::move(at->second));
    else
      report.clauses.push_back({.clause = &clause,
                                .verdict = Verdict::kNotChecked,
                                .reason = options.only.empty() ? "the suite has no check for it"
                                                               : "left out by --only"});
  }
  report.notes.push_back("FIXTURES is the folder that `hepcheck fixtures export FIXTURES` makes.");
  report.files = judge.files();
  report.requests = session.requests();
  return report;
}

}  // namespace hepcheck::hep001::suite
