// The report as one page for people, with nothing outside it. What must be readable at once and
// without scripts is written here: the verdict, the figures, every broken clause. html/report.js
// makes the rest in the browser, from the JSON report that the page carries.
#include <algorithm>
#include <cctype>
#include <format>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "reports/escape.h"
#include "reports/formats.h"
#include "reports/html_parts.h"
#include "reports/json.h"
#include "reports/tally.h"

namespace hepcheck::reports {

namespace {

using Json = nlohmann::ordered_json;

// --- Words --------------------------------------------------------------------------------------

struct Chapter {
  std::string_view number, title;
};
// The families of indexes are chapters of their own: few tables have all of them.
constexpr Chapter kChapters[] = {
    {"2", "Conformance"},
    {"3", "Terminology"},
    {"4", "Data model"},
    {"5", "Object references"},
    {"6", "Boolean attributes"},
    {"7", "The table group"},
    {"8", "Columns"},
    {"9", "Row index columns"},
    {"10", "Search indexes"},
    {"10.4", "CHUNK_MINMAX"},
    {"10.5", "SORTED_ROWS"},
    {"10.6", "BITMAP"},
    {"10.7", "CHUNK_BLOOM"},
    {"11", "Appending, truncation"},
    {"12", "Consistency"},
    {"13", "Names"},
    {"14", "Examples"},
    {"16", "Compatibility"},
};

std::string_view chapter_title(std::string_view section) {
  const auto named = [&](std::string_view number) {
    const auto it = std::ranges::find(kChapters, number, &Chapter::number);
    return it == std::end(kChapters) ? std::string_view() : it->title;
  };
  const std::string_view exact = named(section);
  return exact.empty() ? named(section.substr(0, section.find('.'))) : exact;
}

std::string grouped(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (std::ptrdiff_t at = std::ssize(digits) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), "\u202F");
  return digits;
}

std::string many(std::uint64_t n, std::string_view word) {
  return std::format("{} {}{}", grouped(n), word, n == 1 ? "" : "s");
}

std::string text(std::string_view from_a_file) { return escaped_xml(from_a_file); }

// Text of the catalogue: names of attributes and types stand in backticks.
std::string prose(std::string_view from_the_catalogue) {
  std::string out;
  bool inside = false;
  for (const char c : text(from_the_catalogue)) {
    if (c != '`')
      out += c;
    else
      out += (inside = !inside) ? "<code>" : "</code>";
  }
  return inside ? out + "</code>" : out;
}

const char* state_of(Severity severity) {
  switch (severity) {
    case Severity::kError: return "broken";
    case Severity::kWarning: return "warned";
    default: return "advised";
  }
}

const char* state_of(TableVerdict verdict) {
  switch (verdict) {
    case TableVerdict::kPass: return "passed";
    case TableVerdict::kFail: return "broken";
    default: return "unchecked";
  }
}

const char* sign_of(std::string_view state) {
  return state == "passed"    ? "✓"
         : state == "broken"  ? "✕"
         : state == "warned"  ? "!"
         : state == "advised" ? "i"
                              : "?";
}

// The address of a table or a clause within the page, for report.js.
std::string address(const FileReport& file, const TableReport& table,
                    std::string_view clause = {}) {
  const auto part = [](std::string_view shown) {
    std::string out;
    for (const char c : escaped(shown))
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 ||
          std::string_view("-_.!~*'()").contains(c))
        out += c;
      else
        out += std::format("%{:02X}", static_cast<unsigned char>(c));
    return out;
  };
  std::string out = "#/" + part(file.path) + '/' + part(table.path);
  if (!clause.empty()) out += '/' + part(clause);
  return text(out);
}

std::string capitalised(std::string words) {
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z')
    words[0] = static_cast<char>(words[0] - 'a' + 'A');
  return words;
}

// --- The verdict --------------------------------------------------------------------------------

const TableReport* only_table(const Report& report) {
  const TableReport* found = nullptr;
  for (const FileReport& file : report.files)
    for (const TableReport& table : file.tables) {
      if (found) return nullptr;
      found = &table;
    }
  return found;
}

// What the verdict of one table means, in a sentence or two.
std::string meaning(const TableReport& table) {
  const Tally tally(table);
  const std::uint64_t applying =
      tally.passed + tally.broken + tally.warned + tally.advised + tally.known;
  const auto are = [](std::uint64_t n, std::string_view word) {
    return many(n, word) + (n == 1 ? " is" : " are");
  };
  switch (table.verdict) {
    case TableVerdict::kPass: {
      std::string out = std::format(
          "Of the {} that apply to this table, none is broken{}.", many(applying, "clause"),
          tally.known == 0 ? "" : " but " + grouped(tally.known) + " that the baseline lists");
      if (tally.warned > 0) out += ' ' + are(tally.warned, "warning") + " given.";
      if (tally.advised > 0) out += ' ' + are(tally.advised, "recommendation") + " not followed.";
      if (tally.not_checked > 0) out += ' ' + are(tally.not_checked, "clause") + " not checked.";
      return out;
    }
    case TableVerdict::kFail: {
      std::string out =
          std::format("Of the {} that apply to this table, {} broken.", many(applying, "clause"),
                      grouped(tally.broken) + (tally.broken == 1 ? " is" : " are"));
      if (tally.known > 0) out += std::format(" {} more the baseline lists.", grouped(tally.known));
      if (tally.not_checked > 0)
        out += std::format(" {} more could not be checked.", grouped(tally.not_checked));
      return out;
    }
    case TableVerdict::kUnsupported: return text(capitalised(table.reason)) + '.';
    case TableVerdict::kUnchecked:
      return std::format("Nothing broken was found, but {} could not be checked: {}.",
                         many(tally.not_checked, "clause"), text(table.reason));
  }
  return {};
}

std::string seal(TableVerdict verdict) {
  const char* path = verdict == TableVerdict::kPass ? "M13 25l8 8 15-18"
                     : verdict == TableVerdict::kFail
                         ? "M16 16l16 16M32 16L16 32"
                         : "M18 19a6 6 0 1 1 8 6c-2 1-2 2-2 4M24 34v.5";
  return std::format(
      R"(<span class="seal" aria-hidden="true"><svg viewBox="0 0 48 48"><path d="{}"/></svg></span>)",
      path);
}

std::string verdict_html(const Report& report) {
  const Headline head = headline(report);
  const Totals totals(report);
  const TableReport* table = only_table(report);
  std::string out = std::format(R"(<div class="verdict {}">{}<div><h1>{}</h1>)",
                                state_of(head.verdict), seal(head.verdict), capitalised(head.text));
  if (table) {
    const auto file =
        std::ranges::find_if(report.files, [](const FileReport& f) { return !f.tables.empty(); });
    out += std::format("<p><code>{}</code></p><p>{}</p>", text(file->path + ':' + table->path),
                       meaning(*table));
  } else if (totals.tables() > 0) {
    out += std::format("<p>{} in {}: {} conformant, {} not conformant, {} not decided.</p>",
                       many(totals.tables(), "table"), many(totals.files, "file"),
                       grouped(totals.passed), grouped(totals.failed), grouped(totals.open));
  }
  if (totals.unexamined > 0)
    out += std::format("<p>{} could not be examined whole.</p>", many(totals.unexamined, "file"));
  out += "</div></div>\n";

  constexpr std::size_t kMost = 50;
  std::vector<std::string> troubles;
  for (const FileReport& file : report.files) {
    if (file.error)
      troubles.push_back(std::format("<code>{}</code> cannot be examined: {}", text(file.path),
                                     text(file_trouble(file))));
    for (const Error& error : file.unreadable)
      troubles.push_back(std::format("<code>{}</code> cannot be examined: {}",
                                     text(file.path + ':' + error.context), text(error.cause)));
  }
  if (table)
    for (const std::string& note : table->notes) troubles.push_back(text(note));
  for (const std::string& trouble : std::span(troubles).first(std::min(kMost, troubles.size())))
    out += std::format("<p class=\"note\">{}</p>\n", trouble);
  if (troubles.size() > kMost)
    out += std::format("<p class=\"note\">{} more of this kind.</p>\n",
                       grouped(troubles.size() - kMost));
  return out;
}

// --- Figures ------------------------------------------------------------------------------------

class Figures {
 public:
  void add(std::string_view name, std::uint64_t value, std::string_view state = {}) {
    add(name, grouped(value), std::format("{}{}", state, value == 0 ? " zero" : ""));
  }
  void add(std::string_view name, const std::string& value, const std::string& classes) {
    out_ += std::format("<div class=\"{}\"><dt>{}</dt><dd>{}</dd></div>", classes, name, value);
  }
  std::string html() const { return "<dl class=\"figures\">" + out_ + "</dl>\n"; }

 private:
  std::string out_{};
};

std::string figures_html(const Report& report) {
  std::uint64_t rows = 0, columns = 0, chunks = 0, indexes = 0, categories = 0;
  std::uint64_t broken = 0, warned = 0, advised = 0, known = 0, unchecked = 0, passed = 0, none = 0;
  bool rows_known = true;
  for (const FileReport& file : report.files)
    for (const TableReport& table : file.tables) {
      rows += table.shape.nrows.value_or(0);
      rows_known = rows_known && table.shape.nrows;
      columns += table.shape.width;
      for (const ColumnShape& column : table.shape.columns) chunks += column.chunks;
      indexes += table.shape.indexes;
      categories += table.shape.categories;
      const Tally tally(table);
      broken += tally.broken;
      warned += tally.warned;
      advised += tally.advised;
      known += tally.known;
      unchecked += tally.not_checked;
      passed += tally.passed;
      none += tally.not_applicable;
    }
  const Totals totals(report);
  if (totals.tables() == 0) return {};
  Figures shape, clauses;
  if (totals.tables() > 1) {
    shape.add("files", totals.files);
    shape.add("tables", totals.tables());
  }
  if (rows_known)
    shape.add("rows", rows);
  else
    shape.add("rows", "?", "");
  shape.add("columns", columns);
  shape.add("chunks", chunks);
  shape.add("search indexes", indexes);
  shape.add("categories", categories);
  clauses.add("broken", broken, "broken");
  clauses.add("warnings", warned, "warned");
  clauses.add("advice", advised, "advised");
  if (report.compared) clauses.add("known", known, "plain");
  clauses.add("not checked", unchecked, "unchecked");
  clauses.add("passed", passed, "passed");
  clauses.add("not applicable", none, "plain");
  return clauses.html() + shape.html();
}

// --- What to mend -------------------------------------------------------------------------------

// A clause that does not hold, over all tables of the run.
struct Broken {
  struct Example {
    const FileReport* file;
    const TableReport* table;
    const Finding* finding;
  };
  const Clause* clause = nullptr;
  std::size_t order = 0;  // in the specification
  bool known = false;     // the baseline lists all of it
  Severity severity = Severity::kNone;
  std::uint64_t tables = 0, places = 0;
  std::size_t blocks = 0;  // clauses that were not checked because of this one
  std::vector<Example> examples{};
};

constexpr std::size_t kMostExamples = 3;

void add(Broken& into, const FileReport& file, const TableReport& table,
         const ClauseResult& result) {
  into.clause = result.clause;
  into.known = result.known();
  into.severity = std::max(into.severity, into.known ? result.severity : result.open_severity());
  ++into.tables;
  into.places += result.suppressed;
  for (const Finding& finding : result.findings) {
    if (finding.known && !into.known) continue;
    into.places += 1 + finding.more;
    if (into.examples.size() < kMostExamples) into.examples.push_back({&file, &table, &finding});
  }
}

// The text has the id, and not as a part of another one.
bool names(std::string_view reason, std::string_view id) {
  const auto within = [&](std::size_t at) {
    return at < reason.size() &&
           (std::isalnum(static_cast<unsigned char>(reason[at])) != 0 || reason[at] == '-');
  };
  for (std::size_t at = 0; (at = reason.find(id, at)) != reason.npos; ++at)
    if (!within(at - 1) && !within(at + id.size())) return true;
  return false;
}

// Clauses that could not be checked name, in brackets, the broken ones that stand in the way.
using BrokenById = std::map<std::pair<std::string_view, bool>, Broken>;  // by id and `known`

void count_blocked(const Report& report, BrokenById& broken) {
  std::map<std::string_view, std::set<std::string_view>> blocked;
  std::set<std::string> reasons;
  for (const FileReport& file : report.files)
    for (const TableReport& table : file.tables)
      for (const ClauseResult& result : table.clauses) {
        if (result.verdict != Verdict::kNotChecked ||
            !reasons.insert(std::string(result.clause->id) + result.reason).second)
          continue;
        for (const auto& [key, each] : broken)
          if (names(result.reason, key.first)) blocked[key.first].insert(result.clause->id);
      }
  for (auto& [key, each] : broken) each.blocks = blocked[key.first].size();
}

// What the baseline lists last; gravest first; then what bars the checking of others; then what
// many tables have.
std::vector<Broken> all_broken(const Report& report) {
  BrokenById by_id;
  for (const FileReport& file : report.files)
    for (const TableReport& table : file.tables) {
      std::size_t order = 0;
      for (const ClauseResult& result : table.clauses) {
        ++order;
        if (result.verdict != Verdict::kFail) continue;
        Broken& broken = by_id[{result.clause->id, result.known()}];
        add(broken, file, table, result);
        broken.order = order;
      }
    }
  count_blocked(report, by_id);
  std::vector<Broken> sorted;
  for (auto& [key, broken] : by_id) sorted.push_back(std::move(broken));
  std::ranges::sort(sorted, [](const Broken& a, const Broken& b) {
    return std::tuple(a.known, b.severity, b.blocks, b.tables, a.order) <
           std::tuple(b.known, a.severity, a.blocks, a.tables, b.order);
  });
  return sorted;
}

std::string row(std::string_view name, std::string_view value, std::string_view kind = {}) {
  if (value.empty()) return {};
  return std::format("<dt>{}</dt><dd class=\"{}\">{}</dd>", name, kind, text(value));
}

std::string broken_html(const Broken& broken, bool many_tables) {
  const Clause& clause = *broken.clause;
  const Broken::Example* first = broken.examples.empty() ? nullptr : &broken.examples.front();
  const std::string link =
      first ? std::format("<a href=\"{}\"><code>{}</code></a>",
                          address(*first->file, *first->table, clause.id), clause.id)
            : std::format("<code>{}</code>", clause.id);
  std::string out = std::format(
      "<li class=\"{}\" id=\"{}-{}\"><h3>{}</h3>\n<p class=\"meta\"><span class=\"word\">{}</span>"
      "<span>{}</span><span>{}, section {} {}</span><span>{}{}</span>{}</p>\n",
      broken.known ? "none" : state_of(broken.severity), broken.known ? "known" : "mend", clause.id,
      prose(clause.statement), to_string(broken.severity), link, to_string(clause.level),
      clause.section, chapter_title(clause.section), many(broken.places, "place"),
      many_tables ? " in " + many(broken.tables, "table") : "",
      broken.blocks == 0 ? ""
                         : std::format("<span>keeps {} from being checked</span>",
                                       many(broken.blocks, "other clause")));
  // One hint is enough where all examples have the same.
  const bool one_hint = std::ranges::all_of(broken.examples, [&](const Broken::Example& each) {
    return each.finding->hint == first->finding->hint;
  });
  if (one_hint && first && !first->finding->hint.empty())
    out += std::format("<p class=\"hint\"><b>Mend:</b> {}</p>\n", text(first->finding->hint));
  for (const Broken::Example& each : broken.examples) {
    const Finding& finding = *each.finding;
    out += "<dl class=\"finding\">" + (many_tables ? row("File", each.file->path) : std::string()) +
           "<dt>Where</dt><dd><code>" + text(place(finding)) + "</code></dd>" +
           row("Found", finding.observed, "found") + row("Expected", finding.expected, "expected") +
           row("Witness", finding.witness) +
           (one_hint ? std::string() : row("Mend", finding.hint)) + "</dl>\n";
  }
  std::uint64_t listed = 0;
  for (const Broken::Example& each : broken.examples)
    listed += each.finding->severity != Severity::kNone;
  if (broken.places > listed)
    out +=
        std::format("<p class=\"quiet\">and {}.</p>\n", many(broken.places - listed, "more place"));
  return out + "</li>\n";
}

std::string gone_html(const std::vector<KnownFinding>& gone) {
  if (gone.empty()) return {};
  std::string out = std::format(
      "<details class=\"rest\"><summary>{} of the baseline gone: hepcheck baseline "
      "update</summary>\n<ul>",
      many(gone.size(), "finding"));
  for (const KnownFinding& each : gone)
    out += "<li><code>" + text(unescaped(describe(each))) + "</code></li>\n";
  return out + "</ul></details>\n";
}

std::string mend_html(const Report& report) {
  const std::vector<Broken> all = all_broken(report);
  const bool many_tables = Totals(report).tables() > 1;
  constexpr std::ptrdiff_t kAtOnce = 5;
  const auto known = std::ranges::find(all, true, &Broken::known);
  const auto errors = std::ranges::find_if(
      all.begin(), known, [](const Broken& each) { return each.severity != Severity::kError; });
  const auto items = [&](auto from, auto to) {
    std::string out = "<ol class=\"mend\">\n";
    for (auto it = from; it != to; ++it) out += broken_html(*it, many_tables);
    return out + "</ol>\n";
  };
  const auto folded = [&](auto from, auto to, const std::string& title) {
    return std::format("<details class=\"rest\"><summary>{}</summary>\n{}</details>\n", title,
                       items(from, to));
  };
  std::string out;
  if (errors != all.begin()) {
    const auto shown = all.begin() + std::min(kAtOnce, errors - all.begin());
    out +=
        "<section id=\"mend\" aria-labelledby=\"mend-name\"><h2 id=\"mend-name\">What to mend "
        "first</h2>\n";
    out += items(all.begin(), shown);
    if (shown != errors)
      out += folded(shown, errors,
                    many(static_cast<std::uint64_t>(errors - shown), "more broken clause"));
    out += "</section>\n";
  }
  if (errors != known) {
    const auto count = static_cast<std::uint64_t>(known - errors);
    out +=
        "<section id=\"advice\" aria-labelledby=\"advice-name\"><h2 id=\"advice-name\">Worth a "
        "look</h2>\n"
        "<p class=\"quiet\">Warnings, where the specification is open, and advice. The verdict "
        "does not "
        "depend on them.</p>\n";
    out +=
        errors == all.begin() ? items(errors, known) : folded(errors, known, many(count, "clause"));
    out += "</section>\n";
  }
  if (known != all.end() || !report.gone.empty()) {
    out +=
        "<section id=\"known\" aria-labelledby=\"known-name\"><h2 id=\"known-name\">In the "
        "baseline</h2>\n";
    if (known != all.end())
      out += folded(known, all.end(),
                    many(static_cast<std::uint64_t>(all.end() - known), "known clause") +
                        " that do not count against the verdict");
    out += gone_html(report.gone) + "</section>\n";
  }
  return out;
}

// --- Tables -------------------------------------------------------------------------------------

// Without scripts the first of them; report.js puts the whole matrix in its place.
std::string tables_html(const Report& report) {
  constexpr std::size_t kMost = 200;
  const Totals totals(report);
  if (totals.tables() < 2) return {};
  std::string out =
      "<section id=\"tables\" aria-labelledby=\"tables-name\"><h2 id=\"tables-name\">Tables</h2>\n"
      "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Table</th><th "
      "scope=\"col\">Verdict</th>"
      "<th scope=\"col\">Broken</th><th scope=\"col\">Warnings</th><th scope=\"col\">Advice</th>"
      "<th scope=\"col\">Not checked</th><th scope=\"col\">Rows</th><th scope=\"col\">Columns</th>"
      "</tr></thead><tbody>\n";
  std::size_t shown = 0;
  for (const FileReport& file : report.files)
    for (const TableReport& table : file.tables) {
      if (++shown > kMost) continue;
      const Tally tally(table);
      const char* state = state_of(table.verdict);
      out += std::format(
          "<tr><th scope=\"row\"><a href=\"{}\">{}</a></th><td class=\"left {}\"><span "
          "class=\"sign\" aria-hidden=\"true\">{}</span><span "
          "class=\"word\">{}</span></td><td>{}</td>"
          "<td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
          address(file, table), text(file.path + ':' + table.path), state, sign_of(state),
          word(table.verdict), grouped(tally.broken), grouped(tally.warned), grouped(tally.advised),
          grouped(tally.not_checked), table.shape.nrows ? grouped(*table.shape.nrows) : "?",
          grouped(table.shape.width));
    }
  out += "</tbody></table></div>\n";
  if (shown > kMost) out += std::format("<p>and {}.</p>\n", many(shown - kMost, "more table"));
  return out + "</section>\n";
}

// --- The data -----------------------------------------------------------------------------------

// JSON that no element or comment can end or begin in.
std::string for_script(const Json& json) {
  std::string out;
  for (const char c : json.dump()) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

// What the clauses of a specification say; made once.
const std::string& catalogue_json(const Specification& spec) {
  static const std::map<std::string_view, std::string> all = [] {
    std::map<std::string_view, std::string> made;
    for (const Specification& each : all_specifications()) {
      Json clauses = Json::array();
      for (const Clause& clause : each.clauses)
        if (clause.subject == Subject::kFile)
          clauses.push_back({{"id", clause.id},
                             {"statement", clause.statement},
                             {"check", clause.check},
                             {"notes", clause.notes}});
      made[each.id] = for_script(clauses);
    }
    return made;
  }();
  return all.at(spec.id);
}

// {report, results, clauses, chapters, source}. The report is that of --format json, but for the
// clauses of tables: as most tables fare alike, they are numbers of `results`.
std::string data_json(const Report& report) {
  Json document = to_json(report);
  Json results = Json::array();
  std::map<std::string, std::size_t> known;
  for (Json& file : document["files"])
    for (Json& table : file["tables"])
      for (Json& clause : table["clauses"]) {
        const auto [it, fresh] = known.try_emplace(clause.dump(), results.size());
        if (fresh) results.push_back(std::move(clause));
        clause = it->second;
      }
  Json chapters = Json::array();
  for (const Chapter& each : kChapters)
    chapters.push_back({{"number", each.number}, {"title", each.title}});
  return std::format(R"({{"report":{},"results":{},"clauses":{},"chapters":{},"source":{}}})",
                     for_script(document), for_script(results), catalogue_json(*report.spec),
                     for_script(chapters), for_script(report.spec->url));
}

// Writes the page with {{name}} replaced; what is put in is not looked at again.
void fill(std::ostream& out, std::string_view page,
          const std::map<std::string_view, std::string>& parts) {
  while (true) {
    const std::size_t begin = page.find("{{"), end = page.find("}}", begin);
    if (end == page.npos) break;
    out << page.substr(0, begin) << parts.at(page.substr(begin + 2, end - begin - 2));
    page.remove_prefix(end + 2);
  }
  out << page;
}

}  // namespace

void write_html(std::ostream& out, const Report& report) {
  fill(out, kReportPage,
       {{"title", "HEP001: " + headline(report).text},
        {"style", std::string(kReportStyle)},
        {"style-hash", std::string(kReportStyleHash)},
        {"script", std::string(kReportScript)},
        {"script-hash", std::string(kReportScriptHash)},
        {"verdict", verdict_html(report)},
        {"figures", figures_html(report)},
        {"mend", mend_html(report)},
        {"tables", tables_html(report)},
        {"version", text(report.hepcheck)},
        {"specification", text(report.spec->id)},
        {"source", text(report.spec->url)},
        {"data", data_json(report)}});
}

}  // namespace hepcheck::reports
