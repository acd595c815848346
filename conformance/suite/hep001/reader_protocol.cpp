// Requirements of the protocol on readers that no clause covers: parts of a table, modes, a file
// that changes between requests.
#include <algorithm>
#include <format>
#include <ranges>

#include "conformance/suite/hep001/reader.h"
#include "conformance/suite/hep001/recording.h"

namespace hepcheck::hep001::suite {

namespace fs = std::filesystem;
using conformance::Fixture;

// A part of a table: rows from `first` on, `count` of them or all, of some columns or all.
struct TableReaderJudge::Window {
  std::uint64_t first = 0;
  std::optional<std::uint64_t> count{};
  std::vector<std::string> columns{};

  std::string text() const {
    return std::format("first {}{}{}", first, count ? std::format(", count {}", *count) : "",
                       columns.empty() ? "" : ", columns " + shown(columns));
  }
};

namespace {

constexpr std::string_view kNotThere = "it is not in the reply";

// The rows of a table in a part.
// The elements [first, first + count) of what exists of them.
std::vector<Json> part(const std::vector<Json>& values, std::uint64_t first, std::uint64_t count) {
  return values | std::views::drop(first) | std::views::take(count) |
         std::ranges::to<std::vector>();
}

}  // namespace

void TableReaderJudge::read_part(const Reading& seen, const TableContent& table,
                                 const Window& window) {
  const auto described = std::ranges::find(seen.got, table.path, &TableContent::path);
  // A table that cannot be read is reported by other checks.
  if (described == seen.got.end() || !described->read) return;
  // So are columns that it does not list.
  if (std::ranges::any_of(window.columns, [&](const std::string& name) {
        return described->column(name) == nullptr;
      }))
    return;
  const std::uint64_t most = table.rows - std::min(window.first, table.rows);
  Json request = object({{"request.op", "read"},
                         {"in_table.file", seen.path},
                         {"in_table.table", table.path},
                         {"read.first", std::to_string(window.first)}});
  if (window.count) request.update(object({{"read.count", std::to_string(*window.count)}}));
  if (!window.columns.empty()) request.update(object({{"read.columns", window.columns}}));
  const Reply reply = call(seen, request);
  const std::string where = std::format("{} {}", table.path, window.text());
  if (reply.kind == Reply::Kind::kNotAsked) return not_checked(reply.message);
  if (reply.unsupported()) return;
  ++result_.examined;

  TableContent is{.path = described->path};
  for (const ColumnDescription& column : described->columns) {
    is.columns.push_back({column, {}, {}});
    is.columns.back().unreadable = kNotThere;
  }
  const bool beyond = window.first > table.rows || window.count.value_or(0) > most;
  if (!reply.ok()) {
    // A request for rows that do not exist may be refused.
    if (!beyond || !reply.answered()) fail(seen, where, reply.text(), "these rows", reply.request);
    return;
  }
  if (const Parsed<void> parsed = parse_values(reply.body, is); !parsed)
    return fail(seen, where, parsed.error(), "these rows", reply.request);
  const auto asked_for = [&](const std::string& name) {
    return window.columns.empty() || std::ranges::contains(window.columns, name);
  };
  // Errors in the whole column are reported by other checks.
  const auto left_out = [&](const ColumnContent& column) {
    const ColumnContent* whole = described->column(column.name);
    return !asked_for(column.name) || !whole || !whole->unreadable.empty() ||
           seen.misread(table, *table.column(column.name)) ||
           (whole->categories &&
            !std::ranges::equal(whole->labels, table.column(column.name)->labels, same));
  };
  for (const ColumnContent& column : is.columns)
    if (!asked_for(column.name) && column.unreadable != kNotThere)
      fail(seen, where, std::format("the column {} too", column.name), "the requested columns",
           reply.request);
  TableContent should{.path = table.path, .rows = std::min(window.count.value_or(most), most)};
  for (const ColumnContent& column : table.columns)
    if (!left_out(column))
      should.columns.push_back({column, part(column.values, window.first, should.rows),
                                part(column.labels, window.first, should.rows)});
  for (const Difference& difference : compare_rows(should, is, can()))
    fail(seen, std::format("{}: {}", where, difference.where), difference.observed,
         difference.expected, reply.request);
}

void TableReaderJudge::reads_parts(Patterns files, bool thorough) {
  for (const Fixture* fixture : select(files)) {
    const Reading& seen = reading(*fixture);
    if (!seen.complete() || seen.other_rows()) continue;
    for (const TableContent& table : seen.expected) {
      if (table.columns.empty()) continue;
      const std::uint64_t rows = table.rows;
      const std::string &last = table.columns.back().name, &front = table.columns.front().name;
      if (!thorough) {
        read_part(seen, table, {rows / 3, rows / 2, {last}});
        continue;
      }
      std::set<std::uint64_t> boundaries = {1, 2, rows / 2, rows > 0 ? rows - 1 : 0, rows};
      for (const ColumnContent& column : table.columns)
        if (column.chunk > 0)
          for (const std::uint64_t at : {column.chunk - 1, column.chunk, column.chunk + 1})
            if (at < rows) boundaries.insert(at);
      read_part(seen, table, {0, 0, {}});
      read_part(seen, table, {0, {}, {last, front}});
      read_part(seen, table, {0, rows, {last}});
      read_part(seen, table, {0, rows + 3, {}});
      read_part(seen, table, {rows + 2, 1, {}});
      for (const std::uint64_t first : boundaries) {
        read_part(seen, table, {first, {}, {}});
        read_part(seen, table, {first, 1, {}});
        read_part(seen, table, {first > 0 ? first - 1 : 0, 2, {front}});
      }
    }
  }
}

void TableReaderJudge::describe_in_mode(const Reading& seen, std::string_view mode, bool refused) {
  const Reply reply = call(
      seen,
      object({{"request.op", "describe"}, {"describe.file", seen.path}, {"describe.mode", mode}}));
  const std::string where = std::format("describe in mode {}", mode);
  if (reply.kind == Reply::Kind::kNotAsked) return not_checked(reply.message);
  ++result_.examined;
  const Parsed<Description> described =
      reply.ok() ? parse_description(reply.body) : std::unexpected(reply.text());
  const std::string& path = seen.fixture->group;
  const bool lists =
      described && std::ranges::contains(described->tables, path, &TableContent::path);
  const bool refuses = reply.kind == Reply::Kind::kRefused ||
                       (described && !lists && described->refused.contains(path));
  if (refused ? !refuses : !lists)
    fail(seen, where,
         described ? lists ? "lists the table" : "does not list the table" : described.error(),
         refused ? "refused, for what HEP001 does not describe" : "the table", reply.request);
}

void TableReaderJudge::keeps_modes(Patterns foreign, Patterns conformant) {
  const auto offers = [&](const char* mode) { return can().modes.contains(mode); };
  if (!finds_tables()) return;
  for (const Fixture* fixture : select(foreign)) {
    const Reading& seen = reading(*fixture);
    if (offers("strict")) describe_in_mode(seen, "strict", true);
    if (offers("lenient")) describe_in_mode(seen, "lenient", false);
  }
  for (const Fixture* fixture : select(conformant)) {
    const Reading& seen = reading(*fixture);
    if (!seen.complete() || !seen.lists_all()) continue;
    for (const char* mode : {"strict", "lenient"})
      if (offers(mode)) describe_in_mode(seen, mode, false);
  }
}

// One name for different files in turn: cached data is stale.
void TableReaderJudge::sees_changes(std::string_view before, std::string_view after) {
  const std::vector<const Fixture*> pair = select({before, after});
  if (pair.size() != 2) return;
  for (const Fixture* fixture : pair)
    if (!reading(*fixture).complete()) return;
  for (const Fixture* fixture : pair) {
    const Reading& seen = reading(*fixture);
    Reading now{.fixture = fixture,
                .path = (options_.folder / "changing.h5").string(),
                .expected = seen.expected};
    std::error_code ignored;
    fs::remove(now.path, ignored);
    put(now.path, fixture->image);
    read_all(now);
    ++result_.examined;
    const std::string_view where = "a file that changes between requests";
    if (!now.complete())
      fail(now, std::string(where), now.trouble, "the file in its present state", now.request);
    else
      for (const Difference& difference : compare(seen.got, now.got, can()))
        fail(now, std::format("{}: {} {}", where, difference.table, difference.where),
             difference.observed, difference.expected, now.describe.request);
    if (queries() && now.complete() && now.lists_all()) ask_whether_stale(now);
  }
}

// All rows that contain a value, by an index if there is one.
void TableReaderJudge::ask_whether_stale(const Reading& now) {
  for (const TableContent& table : now.expected)
    for (const ColumnContent& column : table.columns) {
      if (!has_order(column.type) || !declared(column.type, can()) || now.misread(table, column))
        continue;
      const Json predicate = object({{"predicate.column", column.name},
                                     {"predicate.test", "range"},
                                     {"predicate.min", nullptr},
                                     {"predicate.max", nullptr}});
      const Reply reply = call(now, object({{"request.op", "query"},
                                            {"in_table.file", now.path},
                                            {"in_table.table", table.path},
                                            {"query.where", predicate},
                                            {"query.indexes", "use"}}));
      if (reply.kind == Reply::Kind::kNotAsked) return not_checked(reply.message);
      if (reply.unsupported()) continue;
      ++result_.examined;
      const Parsed<Answer> answer =
          reply.ok() ? parse_answer(reply.body) : std::unexpected(reply.text());
      if (!answer || answer->rows != matching_rows(table, column, predicate))
        fail(now, "a query of a file that changes between requests",
             answer ? std::format("{} rows", answer->rows.size()) : answer.error(),
             "the rows of the file in its present state", reply.request);
    }
}

void TableReaderJudge::does_what_it_declares() {
  for (const BrokenPromise& each : broken_promises(session_)) {
    lacks(each.observed, each.expected);
    result_.findings.back().hint = reproducible(each.request);
  }
}

}  // namespace hepcheck::hep001::suite
