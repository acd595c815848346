// The queries that a reader is asked, and how its answers are judged.
#include <algorithm>
#include <charconv>
#include <format>

#include "conformance/suite/hep001/reader.h"

namespace hepcheck::hep001::suite {

using conformance::Fixture;

namespace {

std::string rows_text(const std::vector<std::uint64_t>& rows) {
  std::string text = "rows";
  for (std::size_t i = 0; i < rows.size(); ++i)
    text += i < 12 ? (i ? ", " : " ") + std::to_string(rows[i]) : i == 12 ? ", ..." : "";
  return rows.empty() ? "no rows" : text;
}

// Different values of a column, smallest first if they have an order.
std::vector<Json> distinct_values(const ColumnContent& column) {
  std::vector<Json> values;
  for (const Json& value : column.values)
    if (!value.is_null() && !is_nan(value) && std::ranges::none_of(values, [&](const Json& one) {
          return equal_values(column.type, one, value);
        }))
      values.push_back(value);
  if (has_order(column.type))
    std::ranges::sort(values,
                      [&](const Json& a, const Json& b) { return less(column.type, a, b); });
  return values;
}

// An integer between those of a column, which no row has.
std::optional<Json> absent_value(const ColumnContent& column, const std::vector<Json>& values) {
  if (column.type.at("class") != "integer") return std::nullopt;
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    const std::string& digits = values[i].get_ref<const std::string&>();
    std::int64_t number = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc() ||
        number == INT64_MAX)
      continue;
    Json next = std::to_string(number + 1);
    if (next != values[i + 1] && next != column.fill) return next;
  }
  return std::nullopt;
}

// Predicates over a column: values that occur, one that no row has, ranges with two ends, one and
// none, missing, NaN.
std::vector<Json> predicates(const ColumnContent& column, bool thorough) {
  const std::vector<Json> values = distinct_values(column);
  std::vector<Json> made;
  const auto add = [&](Json predicate) {
    Json named = object({{"predicate.column", column.name}});
    named.update(predicate);
    made.push_back(std::move(named));
  };
  const auto equal = [&](const Json& value) {
    add(object({{"predicate.test", "equal"}, {"predicate.value", value}}));
  };
  const auto range = [&](const Json& low, const Json& high) {
    add(object({{"predicate.test", "range"}, {"predicate.min", low}, {"predicate.max", high}}));
  };
  const std::size_t step = thorough ? 1 : std::max<std::size_t>(1, values.size() / 2);
  for (std::size_t i = 0; i < values.size() && made.size() < 16; i += step) equal(values[i]);
  if (!column.fill.is_null() && !is_nan(column.fill) && thorough) equal(column.fill);
  if (thorough)
    if (const auto absent = absent_value(column, values)) equal(*absent);
  if (has_order(column.type) && !values.empty()) {
    range(values[values.size() / 4], values[values.size() * 3 / 4]);
    if (thorough) {
      range(values.front(), nullptr);
      range(values[values.size() / 2], nullptr);
      range(nullptr, values[values.size() / 2]);
      range(nullptr, nullptr);
      if (values.size() > 1) range(values.back(), values.front());
    }
  }
  add(object({{"predicate.test", "missing"}}));
  if (column.type.at("class") == "float") add(object({{"predicate.test", "nan"}}));
  return made;
}

// Equal for columns that no query distinguishes.
std::string outline(const ColumnContent& column) {
  return Json({column.type, column.values, column.fill, column.chunk, column.filters,
               column.categories.has_value()})
      .dump();
}

}  // namespace

// What of the indexes that an answer names as used cannot be; empty if all can.
std::string TableReaderJudge::wrong_use(const Answer& answer, const ColumnContent& column,
                                        std::string_view mode) const {
  for (const std::string& kind : answer.used) {
    const char* const why = mode == "none"                  ? "told to use none"
                            : !column.has_index(kind)       ? "which the column has not"
                            : !can().indexes.contains(kind) ? "which it does not declare"
                                                            : nullptr;
    if (why) return std::format("used {}, {}", brief(kind, 100), why);
  }
  return {};
}

const TableReaderJudge::QueryResult& TableReaderJudge::ask(const Reading& reading,
                                                           const std::string& table,
                                                           const Json& predicate,
                                                           std::string_view mode) {
  const Json request = object({{"request.op", "query"},
                               {"in_table.file", reading.path},
                               {"in_table.table", table},
                               {"query.where", predicate},
                               {"query.indexes", mode}});
  const auto [at, fresh] = answers_.try_emplace(request.dump());
  QueryResult& result = at->second;
  if (!fresh) return result;
  result.reply = call(reading, request);
  if (!result.reply.ok()) return result;
  if (Parsed<Answer> answer = parse_answer(result.reply.body)) {
    result.answer = std::move(*answer);
  } else {
    result.reply.kind = Reply::Kind::kNonsense;
    result.reply.message = answer.error();
  }
  return result;
}

// If the program misreads the values of a column, only answers beyond the last row count as
// failures.
void TableReaderJudge::ask_column(const Reading& reading, const TableContent& table,
                                  const ColumnContent& column, const Asked& asked, bool misread) {
  for (const Json& predicate : predicates(column, asked.thorough)) {
    const std::string& test = predicate.at("test").get_ref<const std::string&>();
    if (!asked.tests.empty() && !asked.tests.contains(test)) continue;
    const auto& [reply, answer] = ask(reading, table.path, predicate, asked.mode);
    const std::string where = std::format("{} {} {}", table.path, asked.mode, predicate.dump());
    if (reply.unsupported()) continue;
    if (reply.kind == Reply::Kind::kNotAsked) return not_checked(reply.message);
    ++result_.examined;
    const std::vector<std::uint64_t> expected = matching_rows(table, column, predicate);
    if (!reply.ok())
      fail(reading, where, reply.text(), rows_text(expected), reply.request);
    else if (misread ? !answer.rows.empty() && answer.rows.back() >= table.rows
                     : answer.rows != expected)
      fail(reading, where, rows_text(answer.rows), rows_text(expected), reply.request);
    else if (const std::string use = wrong_use(answer, column, asked.mode); !use.empty())
      fail(reading, where, use, "the families that were used", reply.request);
  }
}

void TableReaderJudge::asks(Patterns files, const Asked& asked) {
  if (!queries()) return not_applicable("it answers no queries");
  if (!asked.kind.empty() && asked.mode == "use" &&
      !can().indexes.contains(std::string(asked.kind)))
    return not_applicable(std::format("it does not use {} indexes", asked.kind));
  for (const Fixture* fixture : select(files)) {
    const Reading& seen = reading(*fixture);
    claimed_.insert(fixture);
    if (asked.once && !seen.complete()) continue;
    for (const TableContent& table : seen.expected)
      for (const ColumnContent& column : table.columns) {
        const bool wanted = asked.all_columns ||
                            (asked.kind.empty() ? asked.mode == "none" || !column.indexes.empty()
                                                : column.has_index(asked.kind));
        if (!wanted || column.is_list() || !column.unreadable.empty() ||
            !declared(column.type, can()))
          continue;
        if (asked.once && !columns_asked_.insert(outline(column)).second) continue;
        const bool misread = seen.other_rows() || seen.misread(table, column);
        if (seen.ignores(table) || (misread && !asked.tail))
          result_.reason = "it does not read these values, which other clauses report";
        else
          ask_column(seen, table, column, asked, misread);
      }
  }
}

void TableReaderJudge::same_answers(Patterns files) {
  if (!queries()) return not_applicable("it answers no queries");
  if (can().indexes.empty()) return not_applicable("it uses no indexes");
  for (const Fixture* fixture : select(files)) {
    const Reading& seen = reading(*fixture);
    // Excluded: files claimed by other checks, and those whose index another interpretation makes
    // wrong.
    const bool disputed = std::ranges::any_of(
        fixture->tables, [&](const auto& table) { return table.warns.contains(fixture->clause); });
    if (!seen.complete() || disputed) continue;
    for (const TableContent& table : seen.expected)
      for (const ColumnContent& column : table.columns)
        if (!column.indexes.empty() && declared(column.type, can()) && !seen.ignores(table) &&
            !seen.misread(table, column) && !same_answers(seen, table, column))
          return;
  }
}

// False if the program receives no further requests.
bool TableReaderJudge::same_answers(const Reading& seen, const TableContent& table,
                                    const ColumnContent& column) {
  for (const Json& predicate : predicates(column, false)) {
    const QueryResult& with = ask(seen, table.path, predicate, "use");
    const QueryResult& without = ask(seen, table.path, predicate, "none");
    if (with.reply.kind == Reply::Kind::kNotAsked) {
      not_checked(with.reply.message);
      return false;
    }
    if (with.reply.unsupported()) continue;
    // A program that cannot be told to ignore indexes must return the rows of a scan of the column.
    const bool scanned = without.reply.unsupported();
    const std::vector<std::uint64_t> found =
        scanned ? matching_rows(table, column, predicate) : without.answer.rows;
    ++result_.examined;
    const auto text_of = [](const QueryResult& result) {
      return result.reply.ok() ? rows_text(result.answer.rows) : result.reply.text();
    };
    const std::string where = std::format("{} {}", table.path, predicate.dump());
    const bool answered = with.reply.ok() && (scanned || without.reply.ok());
    if (!answered || with.answer.rows != found)
      fail(seen, where, "with indexes " + text_of(with),
           "without " + (scanned ? rows_text(found) : text_of(without)), with.reply.request);
    else if (const std::string use = wrong_use(with.answer, column, "use"); !use.empty())
      fail(seen, where, use, "the families that were used", with.reply.request);
  }
  return true;
}

}  // namespace hepcheck::hep001::suite
