#include "validator/trace/content.h"

#include <algorithm>
#include <array>
#include <format>

#include "validator/trace/parts.h"

namespace hepcheck::trace {

std::string encoded(const Content& content) {
  PartWriter to;
  to.text(content.unreadable);
  to.number(content.values.size());
  for (const auto& [path, values] : content.values) {
    to.text(path);
    to.number(values.sizes.size());
    for (const std::uint64_t size : values.sizes) to.number(size);
    to.number(values.element);
    to.text(values.bytes);
  }
  to.number(content.tables.size());
  for (const auto& [path, table] : content.tables) {
    to.text(path);
    to.number(table.rows);
    to.number(table.columns.size());
    for (const std::string& column : table.columns) to.text(column);
  }
  to.number(content.broken.size());
  for (const std::string& clause : content.broken) to.text(clause);
  to.number(content.left_out.size());
  for (const std::string& reason : content.left_out) to.text(reason);
  return std::move(to.bytes);
}

std::optional<Content> decoded(std::string_view bytes) {
  PartReader from(bytes);
  Content content{.unreadable = from.text()};
  for (std::uint64_t n = from.count(); n > 0 && from.good(); --n) {
    Content::Values& values = content.values[from.text()];
    for (std::uint64_t d = from.count(); d > 0; --d) values.sizes.push_back(from.number());
    values.element = from.number();
    values.bytes = from.text();
  }
  for (std::uint64_t n = from.count(); n > 0 && from.good(); --n) {
    Content::Table& table = content.tables[from.text()];
    table.rows = from.number();
    for (std::uint64_t c = from.count(); c > 0; --c) table.columns.push_back(from.text());
  }
  for (std::uint64_t n = from.count(); n > 0 && from.good(); --n)
    content.broken.insert(from.text());
  for (std::uint64_t n = from.count(); n > 0 && from.good(); --n)
    content.left_out.push_back(from.text());
  if (!from.done()) return std::nullopt;
  return content;
}

std::string_view to_string(CrashVerdict verdict) {
  constexpr std::array<std::string_view, kVerdicts> kWords = {"OLD",     "NEW",      "BETWEEN",
                                                              "RESIDUE", "DETECTED", "WRONG"};
  return kWords[static_cast<std::size_t>(verdict)];
}

namespace {

using Values = Content::Values;
using Table = Content::Table;

const Values* find(const Content& content, const std::string& path) {
  const auto found = content.values.find(path);
  return found == content.values.end() ? nullptr : &found->second;
}
const Table* table_of(const Content& content, const std::string& path) {
  const auto found = content.tables.find(path);
  return found == content.tables.end() ? nullptr : &found->second;
}
bool is_column(const Content& content, const std::string& path) {
  return std::ranges::any_of(content.tables, [&](const auto& each) {
    return std::ranges::contains(each.second.columns, path);
  });
}

// The bytes of element number n of `from` if it is inside `values`; empty otherwise.
std::string_view element(const Values& values, const Values& from, std::uint64_t number) {
  if (values.sizes.size() != from.sizes.size() || values.element != from.element) return {};
  std::uint64_t at = 0, step = 1;
  for (std::size_t d = from.sizes.size(); d > 0; --d) {
    const std::uint64_t index = number % from.sizes[d - 1];
    if (index >= values.sizes[d - 1]) return {};
    at += index * step;
    step *= values.sizes[d - 1];
    number /= from.sizes[d - 1];
  }
  return std::string_view(values.bytes).substr(at * values.element, values.element);
}

// The first element that differs from the element at its position in all others; none if there is
// none.
std::optional<std::uint64_t> first_unknown_element(const Values& values,
                                                   const std::vector<const Values*>& others) {
  if (values.element == 0) return std::nullopt;
  for (std::uint64_t i = 0; i * values.element < values.bytes.size(); ++i) {
    const std::string_view is =
        std::string_view(values.bytes).substr(i * values.element, values.element);
    if (std::ranges::none_of(
            others, [&](const Values* other) { return other && element(*other, values, i) == is; }))
      return i;
  }
  return std::nullopt;
}

// This many rows are equal in both.
bool same_rows(const Values& a, const Values& b, std::uint64_t rows) {
  if (a.element != b.element || a.rows() < rows || b.rows() < rows ||
      a.sizes.size() != b.sizes.size() || a.sizes.empty() ||
      !std::equal(a.sizes.begin() + 1, a.sizes.end(), b.sizes.begin() + 1))
    return false;
  const std::uint64_t row = a.rows() == 0 ? 0 : a.bytes.size() / a.rows();
  return std::string_view(a.bytes).substr(0, rows * row) ==
         std::string_view(b.bytes).substr(0, rows * row);
}

bool same_table(const std::string& path, const Content& a, const Content& b) {
  const Table *one = table_of(a, path), *other = table_of(b, path);
  if (!one || !other) return one == other;
  return one->rows == other->rows && one->columns == other->columns &&
         std::ranges::all_of(one->columns, [&](const std::string& column) {
           const Values *is = find(a, column), *was = find(b, column);
           return is && was && same_rows(*is, *was, one->rows);
         });
}

std::string wrong_table(const std::string& path, const Content& state, const Frame& frame) {
  const Table *is = table_of(state, path), *first = table_of(frame.first, path),
              *last = table_of(frame.last, path);
  if (!is) return first && last ? path + " is not a table any more" : std::string();
  if (!last) return {};
  const std::uint64_t least = first ? std::min(first->rows, last->rows) : 0;
  if (is->rows < least || is->rows > std::max(first ? first->rows : 0, last->rows))
    return std::format("{} shows {} rows; valid here: {} to {}", path, is->rows, least,
                       std::max(first ? first->rows : 0, last->rows));
  for (const std::string& column : last->columns) {
    const Values *values = find(state, column), *goal = find(frame.last, column),
                 *start = find(frame.first, column);
    if (!values && is->rows == 0) continue;
    if (!values) {
      // An added column may appear at any time.
      if (start || !first || is->rows > first->rows)
        return std::format("{} has {} rows, and the column {} does not exist", path, is->rows,
                           column);
      continue;
    }
    const bool right =
        (goal && same_rows(*values, *goal, is->rows)) ||
        (start && first && is->rows <= first->rows && same_rows(*values, *start, is->rows));
    if (!right)
      return std::format("{} has {} rows, and the column {} has other rows ({} are present)", path,
                         is->rows, column, values->rows());
  }
  return {};
}

std::string wrong_values(const std::string& path, const Content& state, const Frame& frame) {
  const Values* is = find(state, path);
  const Values *first = find(frame.first, path), *last = find(frame.last, path);
  if (!is) return first && last ? path + " does not exist any more" : std::string();
  if (!first && !last) return {};
  const std::vector<const Values*> known = {first, last, find(frame.before, path),
                                            find(frame.behind, path)};
  for (std::size_t d = 0; d < is->sizes.size(); ++d)
    if (std::ranges::none_of(known, [&](const Values* each) {
          return each && each->sizes.size() == is->sizes.size() && each->sizes[d] >= is->sizes[d];
        }))
      return std::format("{} has the size {} in dimension {}, which it never had", path,
                         is->sizes[d], d);
  if (const auto at = first_unknown_element(*is, known))
    return std::format("{}: element {} has a value that it never had", path, *at);
  return {};
}

bool same(const Content& a, const Content& b) {
  std::set<std::string> paths;
  for (const Content* each : {&a, &b}) {
    for (const auto& [path, table] : each->tables)
      if (!same_table(path, a, b)) return false;
    for (const auto& [path, values] : each->values) paths.insert(path);
  }
  return std::ranges::all_of(paths, [&](const std::string& path) {
    if (is_column(a, path) || is_column(b, path)) return true;
    const Values *one = find(a, path), *other = find(b, path);
    return one && other ? *one == *other : one == other;
  });
}

}  // namespace

Judgement judge(const Content& state, const Frame& frame, const SecondReader& second) {
  if (!state.unreadable.empty())
    return {.verdict = CrashVerdict::kDetected, .why = state.unreadable};
  std::set<std::string> tables, others;
  for (const Content* each : {&frame.first, &frame.last}) {
    for (const auto& [path, table] : each->tables) tables.insert(path);
    for (const auto& [path, values] : each->values) others.insert(path);
  }
  for (const std::string& path : tables)
    if (std::string wrong = wrong_table(path, state, frame); !wrong.empty())
      return {.verdict = CrashVerdict::kWrong, .why = std::move(wrong)};
  for (const std::string& path : others)
    if (!is_column(frame.first, path) && !is_column(frame.last, path))
      if (std::string wrong = wrong_values(path, state, frame); !wrong.empty())
        return {.verdict = CrashVerdict::kWrong, .why = std::move(wrong)};
  for (const std::string& clause : state.broken)
    if (!frame.first.broken.contains(clause) && !frame.last.broken.contains(clause))
      return {.verdict = CrashVerdict::kWrong, .why = "it breaks " + clause};
  if (!second.trouble.empty())
    return {.verdict = CrashVerdict::kDetected, .why = second.trouble, .by_second_reader = true};
  const bool is_new = same(state, frame.behind);
  if (!same(state, frame.before))
    return {.verdict = is_new ? CrashVerdict::kNew : CrashVerdict::kBetween};
  // Contents that no reader uses: rows that are not committed yet, and other content that only
  // hepcheck's reader finds.
  const bool as_before = state.values == frame.before.values,
             as_behind = is_new && state.values == frame.behind.values;
  if (as_before && (as_behind || !second.residue)) return {.verdict = CrashVerdict::kOld};
  return {.verdict = as_behind ? CrashVerdict::kNew : CrashVerdict::kResidue};
}

}  // namespace hepcheck::trace
