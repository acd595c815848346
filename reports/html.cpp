// The report as one self-contained page. Everything that must be readable immediately and without
// scripts is written here: the verdict, the figures, every violated clause. html/report.js builds
// the rest in the browser from the JSON report that the page contains.
#include <algorithm>
#include <cctype>
#include <format>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <ranges>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "reports/bytes_page.h"
#include "reports/escape.h"
#include "reports/formats.h"
#include "reports/html_parts.h"
#include "reports/json.h"
#include "reports/json_stream.h"
#include "reports/map_json.h"
#include "reports/tally.h"
#include "validator/catalogue/risk.h"
#include "validator/format.h"

namespace hepcheck::reports {

namespace {

using Json = nlohmann::ordered_json;

// --- Words --------------------------------------------------------------------------------------

// The title of the chapter that contains a section: its own, or that of the enclosing section.
std::string_view chapter_title(const Specification& spec, std::string_view section) {
  while (true) {
    const auto it = std::ranges::find(spec.chapters, section, &Chapter::number);
    if (it != spec.chapters.end()) return it->title;
    const std::size_t dot = section.rfind('.');
    if (dot == section.npos) return {};
    section = section.substr(0, dot);
  }
}

// "4.6 IPC File Format"; a title that begins with its number stands alone.
std::string section_title(const Specification& spec, std::string_view section) {
  const std::string_view title = chapter_title(spec, section);
  return title.starts_with(section) ? std::string(title) : std::format("{} {}", section, title);
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

// Text of the catalogue: names of attributes and types are in backticks.
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

const char* state_of(Claim claim) {
  switch (claim) {
    case Claim::kConformant: return "passed";
    case Claim::kAccepted: return "accepted";
    case Claim::kNotConformant: return "broken";
    case Claim::kNotDecided: return "unchecked";
  }
  return "unchecked";
}

const char* sign_of(std::string_view state) {
  return state == "passed"     ? "✓"
         : state == "accepted" ? "≈"
         : state == "broken"   ? "✕"
         : state == "warned"   ? "!"
         : state == "advised"  ? "i"
                               : "?";
}

// The address of a table or a clause within the page, for report.js.
std::string address(const FileReport& file, const SubjectReport& table,
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

// --- The verdict --------------------------------------------------------------------------------

const SubjectReport* only_table(const Report& report) {
  const SubjectReport* found = nullptr;
  for (const FileReport& file : report.files)
    for (const SubjectReport& table : file.subjects) {
      if (found) return nullptr;
      found = &table;
    }
  return found;
}

// What the verdict of a table means, in one or two sentences.
std::string meaning(const SubjectReport& table) {
  const Tally tally(table);
  const std::uint64_t applying =
      tally.passed + tally.broken + tally.warned + tally.advised + tally.risks + tally.known;
  const auto are = [](std::uint64_t n, std::string_view word) {
    return many(n, word) + (n == 1 ? " is" : " are");
  };
  switch (table.verdict) {
    case SubjectVerdict::kPass: {
      std::string out = claim_of(table) == Claim::kAccepted
                            ? std::format("Passed, but: {}.", tally.accepted.words())
                            : std::format("Of the {} that apply to this {}, none is violated.",
                                          many(applying, "clause"), text(table.kind));
      if (tally.warned > 0) out += ' ' + are(tally.warned, "warning") + " given.";
      if (tally.advised > 0) out += ' ' + are(tally.advised, "recommendation") + " not followed.";
      if (tally.risks > 0) out += ' ' + many(tally.risks, "risk") + " listed below.";
      return out;
    }
    case SubjectVerdict::kFail: {
      std::string out = std::format("Of the {} that apply to this {}, {} violated.",
                                    many(applying, "clause"), text(table.kind),
                                    grouped(tally.broken) + (tally.broken == 1 ? " is" : " are"));
      if (tally.known > 0) out += std::format(" The baseline lists {} more.", grouped(tally.known));
      if (tally.not_checked > 0)
        out += std::format(" {} more could not be checked.", grouped(tally.not_checked));
      return out;
    }
    case SubjectVerdict::kUnsupported: return text(capitalised(table.reason)) + '.';
    case SubjectVerdict::kUnchecked:
      return std::format("No violation was found, but {} could not be checked: {}.",
                         many(tally.not_checked, "clause"), text(table.reason));
  }
  return {};
}

std::string seal(Claim claim) {
  const char* path = claim == Claim::kConformant ? "M13 25l8 8 15-18"
                     : claim == Claim::kAccepted ? "M13 20q5-6 11 0t11 0M13 30q5-6 11 0t11 0"
                     : claim == Claim::kNotConformant
                         ? "M16 16l16 16M32 16L16 32"
                         : "M18 19a6 6 0 1 1 8 6c-2 1-2 2-2 4M24 34v.5";
  return std::format(
      R"(<span class="seal" aria-hidden="true"><svg viewBox="0 0 48 48"><path d="{}"/></svg></span>)",
      path);
}

// The problem and the affected files; folded if there are many.
std::string trouble_html(const Trouble& trouble) {
  constexpr std::size_t kMost = 1000;
  const char* const what = trouble.examined ? "not judged" : "cannot be examined";
  if (trouble.places.size() == 1)
    return std::format("<p class=\"note\"><code>{}</code> {}: {}</p>\n",
                       text(trouble.places.front()), what, text(trouble.reason));
  std::string out = std::format("<details class=\"note\"><summary>{} {}: {}</summary>\n<ul>",
                                many(trouble.places.size(), trouble.examined ? "file" : "place"),
                                what, text(trouble.reason));
  for (const std::string& each : trouble.places | std::views::take(kMost))
    out += "<li><code>" + text(each) + "</code></li>\n";
  if (trouble.places.size() > kMost)
    out += std::format("<li>and {}</li>\n", many(trouble.places.size() - kMost, "more place"));
  return out + "</ul></details>\n";
}

std::string verdict_html(const Report& report) {
  const Headline head = headline(report);
  const Totals totals(report);
  const SubjectReport* table = only_table(report);
  std::string out = std::format(R"(<div class="verdict {}">{}<div><h1>{}</h1>)",
                                state_of(head.claim), seal(head.claim), capitalised(head.text));
  if (table) {
    const auto file =
        std::ranges::find_if(report.files, [](const FileReport& f) { return !f.subjects.empty(); });
    out += std::format("<p><code>{}</code></p><p>{}</p>", text(subject_name(*file, *table)),
                       meaning(*table));
  } else if (totals.subjects() > 0) {
    out += std::format(
        "<p>{} in {}: {} conformant, {} accepted, {} not conformant, {} not decided.</p>",
        many(totals.subjects(), kind_of(report)), many(totals.files, "file"),
        grouped(totals.conformant), grouped(totals.accepted), grouped(totals.failed),
        grouped(totals.open));
  }
  if (const std::uint64_t without = totals.acceptance.without_subject; without > 0)
    out += std::format("<p>{} with {}.</p>", many(without, "file"), format_of(*report.spec).absent);
  if (totals.unexamined > 0)
    out +=
        std::format("<p>{} could not be examined completely.</p>", many(totals.unexamined, "file"));
  out += "</div></div>\n";

  for (const Settings& settings : report.settings) {
    out += std::format("<p class=\"note\"><code>{}</code>:", text(settings.file));
    for (const std::string& line : settings_lines(settings)) out += "<br>" + text(line);
    out += "</p>\n";
  }

  for (const Trouble& trouble : troubles(report)) out += trouble_html(trouble);
  if (table)
    for (const std::string& note : table->notes)
      out += std::format("<p class=\"note\">{}</p>\n", text(note));
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

// A figure summed over all subjects of a run, as far as it is known.
struct Sum {
  const Format* format;
  const FigureWords* words;
  std::uint64_t value = 0, known = 0, unknown = 0;

  void add(const std::vector<Figure>& figures) {
    const auto it = std::ranges::find(figures, words->key, &Figure::key);
    if (it == figures.end()) return;
    value += it->value.value_or(0);
    ++(it->value ? known : unknown);
  }
};

// For each format of the subjects: the leading figures, the sums over parts, then the others.
std::vector<Sum> sums_of(const Report& report) {
  std::vector<const Format*> formats;
  for (const FileReport& file : report.files)
    for (const SubjectReport& subject : file.subjects)
      if (const Format* format = &format_of(*subject.spec); !std::ranges::contains(formats, format))
        formats.push_back(format);
  std::vector<Sum> sums;
  const bool only_one = Totals(report).subjects() == 1;
  for (const Format* format : formats) {
    const std::size_t begin = sums.size();
    for (const bool lead : {true, false}) {
      for (const FigureWords& words : format->figures)
        if (words.leads == lead) sums.push_back({format, &words});
      if (lead)
        for (const FigureWords& words : format->part_figures) sums.push_back({format, &words});
    }
    for (const FileReport& file : report.files)
      for (const SubjectReport& subject : file.subjects) {
        if (&format_of(*subject.spec) != format || !has_figures(subject)) continue;
        for (Sum& sum : std::span(sums).subspan(begin)) {
          sum.add(subject.figures);
          // The parts of a violated subject may claim any number.
          for (const Part& part : subject.parts)
            if (subject.verdict != SubjectVerdict::kFail || only_one) sum.add(part.figures);
        }
      }
  }
  return sums;
}

std::string figures_html(const Report& report) {
  std::uint64_t broken = 0, warned = 0, advised = 0, known = 0, unchecked = 0, passed = 0, none = 0,
                risks = 0;
  for (const FileReport& file : report.files)
    for (const SubjectReport& subject : file.subjects) {
      const Tally tally(subject);
      broken += tally.broken;
      warned += tally.warned;
      advised += tally.advised;
      risks += tally.risks;
      known += tally.known;
      unchecked += tally.not_checked;
      passed += tally.passed;
      none += tally.not_applicable;
    }
  const Totals totals(report);
  if (totals.subjects() == 0) return {};
  Figures shape, clauses;
  if (totals.subjects() > 1) {
    const std::string kind = kind_of(report);
    if (kind != "program") shape.add("files", totals.files);
    if (kind != "file") shape.add(kind + "s", totals.subjects());
  }
  const std::vector<Sum> sums = sums_of(report);
  for (const Sum& sum : sums) {
    if (sum.known + sum.unknown == 0) continue;
    // Formats that count the same things are distinguished by their names.
    const bool shared =
        std::ranges::count_if(sums, [&](const Sum& other) {
          return other.words->many == sum.words->many && other.known + other.unknown > 0;
        }) > 1;
    const std::string name = shared ? std::format("{}, {}", sum.words->many, sum.format->title)
                                    : std::string(sum.words->many);
    if (sum.unknown == 0)
      shape.add(name, sum.value);
    else if (sum.known == 0)
      shape.add(name, "?", "");
    else
      shape.add(std::format("{} ({} of {} not known)", name, grouped(sum.unknown),
                            grouped(sum.known + sum.unknown)),
                sum.value);
  }
  clauses.add("broken", broken, "broken");
  clauses.add("with warnings", warned, "warned");
  clauses.add("with advice", advised, "advised");
  if (risks > 0) clauses.add("of the risk profile", risks, "advised");
  if (report.compared) clauses.add("known", known, "plain");
  clauses.add("not checked", unchecked, "unchecked");
  clauses.add("passed", passed, "passed");
  clauses.add("not applicable", none, "plain");
  const std::string what =
      totals.subjects() == 1 ? "Clauses" : "Clauses, counted once for each " + kind_of(report);
  return std::format("<p class=\"counts\">{}</p>\n", text(what)) + clauses.html() + shape.html();
}

// --- What to fix --------------------------------------------------------------------------------

// A violated clause over all subjects of the run.
struct Broken {
  struct Example {
    const FileReport* file;
    const SubjectReport* table;
    const Finding* finding;
  };
  const Specification* spec = nullptr;
  const Clause* clause = nullptr;
  std::size_t order = 0;  // in the specification
  bool known = false;     // the baseline lists all findings
  bool risk = false;      // of the risk profile, and not raised by a policy
  Severity severity = Severity::kNone;
  std::uint64_t tables = 0, places = 0;
  std::size_t blocks = 0;  // clauses that were not checked because of this one
  std::vector<Example> examples{};
  std::vector<Example> others{};  // findings of which only the places are listed
};

constexpr std::size_t kMostExamples = 3, kMostOthers = 300;

void add(Broken& into, const FileReport& file, const SubjectReport& table,
         const ClauseResult& result) {
  into.spec = table.spec;
  into.clause = result.clause;
  into.known = result.known();
  into.risk = is_risk(result);
  into.severity = std::max(into.severity, into.known ? result.severity : result.open_severity());
  ++into.tables;
  if (into.known || !result.suppressed_known) into.places += result.suppressed;
  for (const Finding& finding : result.findings) {
    if (finding.known && !into.known) continue;
    into.places += 1 + finding.more;
    if (into.examples.size() < kMostExamples)
      into.examples.push_back({&file, &table, &finding});
    else if (into.others.size() < kMostOthers)
      into.others.push_back({&file, &table, &finding});
  }
}

// By id, `known` and `risk`.
using BrokenById = std::map<std::tuple<std::string_view, bool, bool>, Broken>;

// How many clauses each violated clause prevents from being checked.
void count_blocked(const Report& report, BrokenById& broken) {
  std::map<std::string_view, std::set<std::string_view>> blocked;
  for (const FileReport& file : report.files)
    for (const SubjectReport& table : file.subjects)
      for (const ClauseResult& result : table.clauses)
        for (const Clause* blocker : result.blocked_by)
          blocked[blocker->id].insert(result.clause->id);
  for (auto& [key, each] : broken) each.blocks = blocked[std::get<0>(key)].size();
}

// Baseline entries last, and the risk profile before them; the most severe first; then clauses that
// prevent the checking of others; then those that affect many tables.
std::vector<Broken> all_broken(const Report& report) {
  BrokenById by_id;
  for (const FileReport& file : report.files)
    for (const SubjectReport& table : file.subjects) {
      std::size_t order = 0;
      for (const ClauseResult& result : table.clauses) {
        ++order;
        if (result.verdict != Verdict::kFail) continue;
        Broken& broken = by_id[{result.clause->id, result.known(), is_risk(result)}];
        add(broken, file, table, result);
        broken.order = order;
      }
    }
  count_blocked(report, by_id);
  std::vector<Broken> sorted;
  for (auto& [key, broken] : by_id) sorted.push_back(std::move(broken));
  std::ranges::sort(sorted, [](const Broken& a, const Broken& b) {
    return std::tuple(a.known, a.risk, b.severity, b.blocks, b.tables, a.order) <
           std::tuple(b.known, b.risk, a.severity, a.blocks, a.tables, b.order);
  });
  return sorted;
}

std::string row(std::string_view name, std::string_view value, std::string_view kind = {}) {
  if (value.empty()) return {};
  return std::format("<dt>{}</dt><dd class=\"{}\">{}</dd>", name, kind, text(value));
}

std::string example_html(const Broken::Example& each, bool many_tables, bool titled, bool fixed) {
  const Finding& finding = *each.finding;
  return "<dl class=\"finding\">" +
         (many_tables ? row(capitalised(each.table->kind == "program" ? "program" : "file"),
                            each.file->path)
                      : std::string()) +
         "<dt>Where</dt><dd><code>" + text(place(finding)) + "</code></dd>" +
         (titled ? std::string()
                 : row("Found", finding.observed, "found") +
                       row("Expected", finding.expected, "expected")) +
         row("Witness", finding.witness) +
         (fixed ? std::string()
                : row(capitalised(std::string(hint_word(*each.table))), finding.hint)) +
         "</dl>\n";
}

// Folded: the places that are not examples; those that are not listed anywhere are counted.
std::string others_html(const Broken& broken, bool many_tables) {
  const std::uint64_t left =
      broken.places - std::min<std::uint64_t>(broken.places, broken.examples.size());
  if (left == 0 || broken.examples.empty()) return {};  // the title counts them
  const std::string title = "and " + many(left, "more place");
  if (broken.others.empty()) return std::format("<p class=\"quiet\">{}.</p>\n", title);
  std::string out =
      std::format("<details class=\"rest\"><summary>{}</summary>\n<ul class=\"places\">", title);
  for (const Broken::Example& each : broken.others)
    out += std::format("<li><code>{}{}</code>: {}</li>\n",
                       many_tables ? text(each.file->path + ':') : "", text(place(*each.finding)),
                       text(each.finding->observed));
  if (left > broken.others.size())
    out += std::format("<li>and {} that this page does not list</li>\n",
                       grouped(left - broken.others.size()));
  return out + "</ul></details>\n";
}

// "Found int64; expected uint64", for the first place.
std::string title_html(const Broken& broken) {
  if (broken.examples.empty()) return many(broken.places, "place") + " not listed (--max-findings)";
  const Finding& first = *broken.examples.front().finding;
  std::string out = std::format("Found <span class=\"found\">{}</span>", text(first.observed));
  if (!first.expected.empty())
    out += std::format("; expected <span class=\"expected\">{}</span>", text(first.expected));
  // Findings of different places may have the same words.
  return out + std::format(" <span class=\"at\">in <code>{}</code>{}</span>", text(place(first)),
                           broken.places > 1 ? " and others" : "");
}

std::string broken_html(const Broken& broken, bool many_tables, const std::string& kind) {
  const Clause& clause = *broken.clause;
  const Broken::Example* first = broken.examples.empty() ? nullptr : &broken.examples.front();
  const std::string link =
      first ? std::format("<a href=\"{}\"><code>{}</code></a>",
                          address(*first->file, *first->table, clause.id), clause.id)
            : std::format("<code>{}</code>", clause.id);
  std::string out = std::format(
      "<li class=\"{}\" id=\"{}-{}\"><h3>{}</h3>\n<p class=\"meta\"><span class=\"word\">{}</span>"
      "<span>{}</span><span>{}, section {}</span><span>{}{}</span>{}</p>\n"
      "<p class=\"demand\"><b>{}:</b> {}</p>\n",
      broken.known ? "none" : state_of(broken.severity),
      broken.known  ? "known"
      : broken.risk ? "risk"
                    : "fix",
      clause.id, title_html(broken), broken.risk ? "risk" : to_string(broken.severity), link,
      to_string(clause.level), section_title(*broken.spec, clause.section),
      many(broken.places, "place"), many_tables ? " in " + many(broken.tables, kind) : "",
      broken.blocks == 0 ? ""
                         : std::format("<span>keeps {} from being checked</span>",
                                       many(broken.blocks, "other clause")),
      is_of_profile(clause) ? "Risk" : "Requirement", prose(clause.statement));
  // Shown once if all examples agree.
  const auto same = [&](auto words) {
    return std::ranges::all_of(broken.examples, [&](const Broken::Example& each) {
      return words(*each.finding) == words(*first->finding);
    });
  };
  const bool one_fix = same([](const Finding& each) { return each.hint; });
  const bool titled =
      same([](const Finding& each) { return std::pair(each.observed, each.expected); });
  if (one_fix && first && !first->finding->hint.empty())
    out +=
        std::format("<p class=\"hint\"><b>{}:</b> {}</p>\n",
                    capitalised(std::string(hint_word(*first->table))), text(first->finding->hint));
  for (const Broken::Example& each : broken.examples)
    out += example_html(each, many_tables, titled, one_fix);
  return out + others_html(broken, many_tables) + "</li>\n";
}

std::string places_html(const std::string& title, const std::vector<KnownFinding>& places,
                        bool open) {
  constexpr std::size_t kMost = 1000;
  if (places.empty()) return {};
  std::string out = std::format("<details class=\"rest\"{}><summary>{}</summary>\n<ul>",
                                open ? " open" : "", title);
  for (const KnownFinding& each : places | std::views::take(kMost))
    out += "<li><code>" + text(unescaped(describe(each))) + "</code></li>\n";
  if (places.size() > kMost)
    out += std::format("<li>and {} more</li>\n", grouped(places.size() - kMost));
  return out + "</ul></details>\n";
}

// The findings of an earlier report, compared with this one.
std::string against_html(const Report& report) {
  if (!report.against) return {};
  const Comparison& against = *report.against;
  return std::format(
             "<section id=\"against\" aria-labelledby=\"against-name\"><h2 "
             "id=\"against-name\">Since "
             "<code>{}</code></h2>\n<p>{} new, {} gone, {} still there.</p>\n",
             text(against.earlier), many(against.fresh.size(), "finding"),
             grouped(against.gone.size()), grouped(against.still)) +
         places_html("New", against.fresh, true) + places_html("Gone", against.gone, false) +
         "</section>\n";
}

// Date, options and digests of the files, if requested.
std::string stamp_html(const Report& report) {
  if (!report.stamped) return {};
  std::string out = std::format(
      "<section id=\"stamp\" aria-labelledby=\"stamp-name\"><h2 id=\"stamp-name\">This run</h2>\n"
      "<p><code>{}</code></p>\n",
      text(stamp_line(report)));
  std::string files;
  for (const FileReport& file : report.files)
    if (file.stamp)
      files +=
          std::format("<li><code>{}</code>: {}, SHA-256 <code>{}</code></li>\n", text(file.path),
                      many(file.stamp->bytes, "byte"), text(file.stamp->sha256));
  if (!files.empty())
    out += std::format(
        "<details class=\"rest\"{}><summary>Sizes and digests of the files</summary>\n"
        "<ul>{}</ul></details>\n",
        report.files.size() <= 5 ? " open" : "", files);
  return out + "</section>\n";
}

std::string fix_html(const Report& report) {
  const std::vector<Broken> all = all_broken(report);
  const bool many_tables = Totals(report).subjects() > 1;
  const std::string kind = kind_of(report);
  constexpr std::ptrdiff_t kAtOnce = 5;
  const auto known = std::ranges::find(all, true, &Broken::known);
  const auto risks = std::ranges::find_if(all.begin(), known, &Broken::risk);
  const auto errors = std::ranges::find_if(
      all.begin(), risks, [&](const Broken& each) { return each.severity != Severity::kError; });
  const auto items = [&](auto from, auto to) {
    std::string out = "<ol class=\"fix\">\n";
    for (auto it = from; it != to; ++it) out += broken_html(*it, many_tables, kind);
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
        "<section id=\"fix\" aria-labelledby=\"fix-name\"><h2 id=\"fix-name\">What to fix "
        "first</h2>\n";
    out += items(all.begin(), shown);
    if (shown != errors)
      out += folded(shown, errors,
                    many(static_cast<std::uint64_t>(errors - shown), "more broken clause"));
    out += "</section>\n";
  }
  if (errors != risks) {
    const auto count = static_cast<std::uint64_t>(risks - errors);
    out +=
        "<section id=\"advice\" aria-labelledby=\"advice-name\"><h2 "
        "id=\"advice-name\">Warnings and advice</h2>\n"
        "<p class=\"quiet\">Warnings, where the specification is ambiguous, and advice. The "
        "verdict does not depend on them.</p>\n";
    out +=
        errors == all.begin() ? items(errors, risks) : folded(errors, risks, many(count, "clause"));
    out += "</section>\n";
  }
  if (risks != known)
    out += std::format(
        "<section id=\"risks\" aria-labelledby=\"risks-name\"><h2 id=\"risks-name\">Risk "
        "profile</h2>\n<p class=\"quiet\">What the {} may do to a program that opens {}. These are "
        "not defects; <code>--policy untrusted</code> turns some of them into failures.</p>\n{}"
        "</section>\n",
        many_tables ? "inputs" : "input", many_tables ? "them" : "it", items(risks, known));
  if (known != all.end() || !report.gone.empty()) {
    out +=
        "<section id=\"known\" aria-labelledby=\"known-name\"><h2 id=\"known-name\">In the "
        "baseline</h2>\n";
    if (known != all.end())
      out += folded(known, all.end(),
                    many(static_cast<std::uint64_t>(all.end() - known), "known clause") +
                        " that do not count against the verdict");
    out += places_html(many(report.gone.size(), "finding") +
                           " of the baseline gone: hepcheck baseline update",
                       report.gone, false) +
           "</section>\n";
  }
  return out;
}

// --- Tables -------------------------------------------------------------------------------------

// Without scripts, only the worst subjects are listed; report.js replaces them by the whole matrix.
std::string tables_html(const Report& report) {
  constexpr std::size_t kMost = 200;
  const Totals totals(report);
  if (totals.subjects() < 2) return {};
  const std::string kind = capitalised(kind_of(report));
  std::vector<const FigureWords*> leads;
  for (const Specification* spec : specifications_of(report))
    for (const FigureWords& words : format_of(*spec).figures)
      if (words.leads && !std::ranges::contains(leads, &words)) leads.push_back(&words);
  std::string out = std::format(
      "<section id=\"tables\" aria-labelledby=\"tables-name\"><h2 id=\"tables-name\">{0}s</h2>\n"
      "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">{0}</th><th "
      "scope=\"col\">Verdict</th>"
      "<th scope=\"col\">Broken</th><th scope=\"col\">Warnings</th><th scope=\"col\">Advice</th>"
      "<th scope=\"col\">Not checked</th>",
      kind);
  for (const FigureWords* words : leads)
    out += std::format("<th scope=\"col\">{}</th>", capitalised(std::string(words->many)));
  out += "</tr></thead><tbody>\n";
  const std::vector<Judged> all = worst_first(report);
  for (const auto& [file, table, tally] : all | std::views::take(kMost)) {
    const char* state = state_of(claim_of(*table));
    out += std::format(
        "<tr><th scope=\"row\"><a href=\"{}\">{}</a></th><td class=\"left {}\"><span "
        "class=\"sign\" aria-hidden=\"true\">{}</span><span "
        "class=\"word\">{}</span></td><td>{}</td>"
        "<td>{}</td><td>{}</td><td>{}</td>",
        address(*file, *table), text(subject_name(*file, *table)), state, sign_of(state),
        word(*table), grouped(tally.broken), grouped(tally.warned), grouped(tally.advised),
        grouped(tally.not_checked));
    for (const FigureWords* words : leads) {
      const Figure* figure = table->figure(words->key);
      out += std::format("<td>{}</td>", !figure         ? std::string()
                                        : figure->value ? grouped(*figure->value)
                                                        : "?");
    }
    out += "</tr>\n";
  }
  out += "</tbody></table></div>\n";
  if (all.size() > kMost)
    out += std::format("<p>and {}.</p>\n", many(all.size() - kMost, "more " + kind_of(report)));
  return out + "</section>\n";
}

// --- The data -----------------------------------------------------------------------------------

// The names of subjects, of their parts and of their figures.
Json words_json(const Format& format) {
  const auto figures = [](std::span<const FigureWords> all) {
    Json list = Json::array();
    for (const FigureWords& words : all)
      list.push_back({{"key", words.key}, {"many", words.many}, {"leads", words.leads}});
    return list;
  };
  return {{"subject", format.subject},
          {"parts", format.parts},
          {"labels", format.labels},
          {"question", format.question},
          {"question_words", format.question_words},
          {"figures", figures(format.figures)},
          {"part_figures", figures(format.part_figures)}};
}

// Results by number: most subjects have equal results, so each distinct result is written once.
class ResultNumbers {
 public:
  void write_numbers(JsonStream& to, const ClauseResults& results) {
    const ClauseResults shared = results.shared();
    if (!shared.empty() && first_ != &shared[0]) {
      first_ = &shared[0];
      numbers_.assign(shared.size(), kNone);
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
      std::size_t own = kNone;
      std::size_t& number = &results[i] == &shared[i] ? numbers_[i] : own;
      if (number == kNone) number = number_of(to.rendered(to_json(results[i])));
      to.value(number);
    }
  }
  void write_results(JsonStream& to) const {
    for (const std::string* text : texts_) to.element(*text);
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  std::size_t number_of(std::string text) {
    const auto [it, fresh] = known_.try_emplace(std::move(text), texts_.size());
    if (fresh) texts_.push_back(&it->first);
    return it->second;
  }

  std::unordered_map<std::string, std::size_t> known_{};
  std::vector<const std::string*> texts_{};  // by number
  const ClauseResult* first_ = nullptr;      // shared by the previous subjects
  std::vector<std::size_t> numbers_{};       // of that
};

// The texts of the clauses of a specification. Programs are judged by other clauses than files.
void write_catalogue(JsonStream& to, const Specification& spec,
                     const std::set<const Clause*>& judged) {
  for (const Clause& clause : spec.clauses)
    if (clause.subject == Subject::kFile || judged.contains(&clause))
      to.value({{"id", clause.id},
                {"statement", clause.statement},
                {"check", clause.check},
                {"notes", clause.notes},
                {"of_files", clause.subject == Subject::kFile}});
}

// The blocks of a subject, which the page opens.
void write_map(JsonStream& to, const FileMap& map) {
  to.begin_object();
  to.member("size", map.size);
  to.member("base", map.base);
  to.member("end", map.end);
  to.member("ranges_left_out", map.ranges_left_out);
  to.member("fields_left_out", map.fields_left_out);
  write_array(to, "trouble", map.trouble,
              [&](const std::string& each) { to.value(escaped(each)); });
  write_ranges(to, map, true);
  write_gaps(to, map.gaps());
  write_findings(to, map);
  to.end();
}

void write_maps(JsonStream& to, const Report& report) {
  std::vector<const FileMap*> maps;
  for (const FileReport& file : report.files)
    for (const SubjectReport& subject : file.subjects)
      maps.push_back(subject.map ? &*subject.map : nullptr);
  if (std::ranges::count(maps, nullptr) == std::ssize(maps)) return;
  write_array(to, "maps", maps, [&](const FileMap* map) {
    if (map)
      write_map(to, *map);
    else
      to.value(nullptr);
  });
}

// {report, results, clauses, chapters, words, subject, sources, maps}. The report equals that of
// --format json, except that the clauses of subjects are indexes into `results`. The maps are those
// of the subjects, in their order, and are missing if there are none.
void write_data(std::ostream& out, const Report& report) {
  JsonStream to(out, JsonStream::Form::kScript);
  ResultNumbers numbers;
  const std::vector<const Specification*> specifications = specifications_of(report);
  to.begin_object();
  to.key("report");
  write_report(to, report, [&](JsonStream&, const ClauseResults& results) {
    numbers.write_numbers(to, results);
  });
  to.key("results");
  to.begin_array();
  numbers.write_results(to);
  to.end();
  std::set<const Clause*> judged;
  for (const FileReport& file : report.files)
    for (const SubjectReport& subject : file.subjects)
      for (const ClauseResult& result : subject.clauses) judged.insert(result.clause);
  write_array(to, "clauses", specifications,
              [&](const Specification* spec) { write_catalogue(to, *spec, judged); });
  to.key("chapters");
  to.begin_object();
  for (const Specification* spec : specifications)
    write_array(to, spec->id, spec->chapters, [&](const Chapter& chapter) {
      to.value({{"number", chapter.number}, {"title", chapter.title}});
    });
  to.end();
  to.key("words");
  to.begin_object();
  for (const Specification* spec : specifications)
    to.member(spec->id, words_json(format_of(*spec)));
  to.end();
  to.member("subject", kind_of(report));
  to.key("sources");
  to.begin_object();
  for (const Specification* spec : specifications) to.member(spec->id, spec->url);
  to.end();
  write_maps(to, report);
  to.end();
}

// The specifications that were used, each with a link to its text.
std::string specifications_html(const Report& report) {
  std::string out;
  for (const Specification* spec : specifications_of(report))
    out += std::format("{}<a href=\"{}\">{}</a>", out.empty() ? "" : ", ", text(spec->url),
                       text(spec->id));
  return out;
}

// Writes the page, with {{name}} replaced by the part of that name or by the output of `data`.
// Replacements are not expanded again.
void fill(std::ostream& out, std::string_view page,
          const std::map<std::string_view, std::string>& parts, const auto& data) {
  while (true) {
    const std::size_t begin = page.find("{{"), end = page.find("}}", begin);
    if (end == page.npos) break;
    out << page.substr(0, begin);
    const std::string_view name = page.substr(begin + 2, end - begin - 2);
    if (name == "data")
      data();
    else
      out << parts.at(name);
    page.remove_prefix(end + 2);
  }
  out << page;
}

}  // namespace

void write_html(std::ostream& out, const Report& report) {
  fill(out, kReportPage,
       {{"title", std::format("{}: {}", title_of(report), headline(report).text)},
        {"kicker", title_of(report)},
        {"style", std::string(kReportStyle)},
        {"style-hash", std::string(kReportStyleHash)},
        {"script", std::string(kReportScript)},
        {"script-hash", std::string(kReportScriptHash)},
        {"verdict", verdict_html(report)},
        {"figures", figures_html(report)},
        {"against", against_html(report)},
        {"fix", fix_html(report)},
        {"stamp", stamp_html(report)},
        {"tables", tables_html(report)},
        {"version", text(report.hepcheck)},
        {"specifications", specifications_html(report)}},
       [&] { write_data(out, report); });
}

void write_bytes_page(std::ostream& out, std::string_view file, std::string_view version,
                      const std::function<void()>& data) {
  fill(out, kBytesPage,
       {{"file", text(file)},
        {"version", text(version)},
        {"style", std::string(kReportStyle)},
        {"style-hash", std::string(kReportStyleHash)},
        {"script", std::string(kBytesScript)},
        {"script-hash", std::string(kBytesScriptHash)}},
       data);
}

}  // namespace hepcheck::reports
