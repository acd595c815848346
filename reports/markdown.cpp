// Markdown for pull requests and job summaries: the verdict first, then one line for each subject
// that does not conform, followed by the others and by the findings, folded. Everything from a file
// is in a code span, so it cannot act as markup, mention or link.
#include <algorithm>
#include <format>
#include <ostream>
#include <ranges>
#include <span>
#include <vector>

#include "reports/escape.h"
#include "reports/formats.h"
#include "reports/tally.h"

namespace hepcheck::reports {

namespace {

// A comment on a pull request is limited to 65,536 characters; this limit is in bytes.
constexpr std::size_t kMostBytes = 65'000;
// Parts that leave space for others.
constexpr std::size_t kOverviewBytes = 24'000, kPassingBytes = 8'000, kTroubleBytes = 3'000,
                      kAllTroubleBytes = 9'000, kEndBytes = 500;
constexpr std::size_t kMostOfAClause = 5;

std::string code(std::string_view text) {
  const std::string shown = escaped(text);
  if (shown.empty()) return "(empty)";
  std::string out = "`";
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const char c = shown[i];
    // A space at the edge would be stripped; the other characters would end the span or the cell.
    const bool edge = c == ' ' && (i == 0 || i + 1 == shown.size());
    if (c == '`' || c == '|' || edge)
      out += std::format("\\x{:02X}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + '`';
}

// The same in HTML; a single backtick could pair with that of a later code span.
std::string html_code(std::string_view text) {
  std::string out = "<code>";
  for (const char c : escaped_xml(text)) {
    if (c == '`')
      out += "&#96;";
    else
      out += c;
  }
  return out + "</code>";
}

// Text of the catalogue: text in backticks becomes code, everything else is not markup.
std::string catalogue_text(std::string_view text) {
  std::string out;
  bool inside = false;
  for (const char c : text) {
    if (c == '`')
      inside = !inside;
    else if (!inside && std::string_view("<>&*_[]|~\\").contains(c))
      out += '\\';
    out += c;
  }
  return out;
}

const char* sign(Claim claim) {
  switch (claim) {
    case Claim::kConformant: return ":white_check_mark:";
    case Claim::kAccepted: return ":ballot_box_with_check:";
    case Claim::kNotConformant: return ":x:";
    case Claim::kNotDecided: return ":grey_question:";
  }
  return ":grey_question:";
}

// Blocks in order, as long as they fit.
class Page {
 public:
  // Returns whether the block fits.
  bool add(const std::string& block) {
    if (block.size() > room()) return false;
    text_ += block;
    return true;
  }
  std::size_t room() const { return kMostBytes - text_.size(); }
  // In addition to this many bytes.
  std::size_t room_beside(std::size_t bytes) const { return room() - std::min(room(), bytes); }
  const std::string& text() const { return text_; }

 private:
  std::string text_{};
};

// The lines that fit into this many bytes, and their number.
struct Lines {
  std::string text{};
  std::size_t count = 0;
};

template <class Items, class Each>
Lines fitting(const Items& items, std::size_t most, Each line) {
  Lines made;
  for (const auto& item : items) {
    const std::string next = line(item);
    if (made.text.size() + next.size() > most) break;
    made.text += next;
    ++made.count;
  }
  return made;
}

class MarkdownWriter {
 public:
  explicit MarkdownWriter(const Report& report)
      : report_(report), judged_(worst_first(report)), lead_(lead_figure(report)) {}

  void write(std::ostream& out) {
    const Headline head = headline(report_);
    page_.add(std::format("## {} {}: {}\n\n", sign(head.claim), title_of(report_), head.text));
    for (const Settings& settings : report_.settings) write(settings);
    write_overview();
    write_troubles();
    for (const Judged& each : judged_) write(each);
    if (left_out_ > 0)
      page_.add(std::format("The findings of {} more are not shown here.\n\n",
                            counted(left_out_, kind_of(report_))));
    if (report_.against) write_comparison(*report_.against);
    if (!report_.gone.empty())
      write_places(std::format("{} of the baseline gone: hepcheck baseline update",
                               counted(report_.gone.size(), "finding")),
                   report_.gone);
    if (report_.stamped) write_stamp();
    if (shown_ > 0)
      page_.add(
          "`hepcheck explain` with the name of a clause shows what it requires and how to fix a "
          "violation.\n\n");
    out << page_.text() << "hepcheck " << escaped(report_.hepcheck);
    for (const Specification* spec : specifications_of(report_)) out << ", " << spec->id;
    out << "\n";
  }

 private:
  // The first leading figure.
  static const FigureWords* lead_figure(const Report& report) {
    for (const Format* format : formats_of(report))
      for (const FigureWords& words : format->figures)
        if (words.leads) return &words;
    return nullptr;
  }

  std::string row(const Judged& each) const {
    const auto& [file, subject, tally] = each;
    std::string text =
        std::format("| {} | {} {} | {} | {} | {} | {} | {} |", code(subject_name(*file, *subject)),
                    sign(claim_of(*subject)), word(*subject), tally.broken, tally.warned,
                    tally.advised, tally.known, tally.not_checked);
    if (lead_) {
      const Figure* figure = subject->figure(lead_->key);
      text += !figure ? " |" : figure->value ? std::format(" {} |", *figure->value) : " ? |";
    }
    return text + '\n';
  }

  // The elements of `some` that fit, under a heading, and the number of the others.
  std::string table(std::span<const Judged> some, std::size_t most, std::string_view what) const {
    const Lines rows = fitting(some, most, [&](const Judged& each) { return row(each); });
    std::string text = std::format(
        "| {} | Verdict | Broken | Warnings | Advice | Known | Not checked |{}\n"
        "|---|---|--:|--:|--:|--:|--:|{}\n",
        capitalised(kind_of(report_)),
        lead_ ? std::format(" {} |", capitalised(std::string(lead_->many))) : "",
        lead_ ? "--:|" : "");
    text += rows.text + '\n';
    if (rows.count < some.size())
      text += std::format(
          "**{} {} not in this table.**\n\n",
          counted(some.size() - rows.count, std::format("more {} {}", what, kind_of(report_))),
          some.size() - rows.count == 1 ? "is" : "are");
    return text;
  }

  // The elements of `all` with this claim, worst first.
  static std::span<const Judged> with(std::span<const Judged> all, Claim claim) {
    const auto same = std::ranges::equal_range(
        all, claim, [](Claim x, Claim y) { return rank(x) < rank(y); },
        [](const Judged& each) { return claim_of(*each.subject); });
    return {same.begin(), same.end()};
  }

  // Subjects that do not conform are visible; the others are folded if there are many.
  void write_overview() {
    if (judged_.empty()) return;
    constexpr std::size_t kInSight = 20;
    const std::span all(judged_);
    const auto accepted = with(all, Claim::kAccepted), conformant = with(all, Claim::kConformant);
    const auto failing = all.first(all.size() - accepted.size() - conformant.size());
    if (failing.empty() && all.size() <= kInSight) {
      page_.add(table(all, kPassingBytes, "passing"));
      return;
    }
    if (!failing.empty()) page_.add(table(failing, kOverviewBytes, "failing"));
    for (const auto& [some, what] : {std::pair(accepted, "accepted"), {conformant, "conformant"}})
      if (!some.empty())
        page_.add(std::format("<details><summary>{} {}</summary>\n\n{}</details>\n\n",
                              counted(some.size(), kind_of(report_)), what,
                              table(some, kPassingBytes, what)));
  }

  void write(const Settings& settings) {
    std::string text;
    for (const std::string& line : settings_lines(settings))
      text += std::format("- {}: {}\n", code(settings.file), code(line));
    page_.add(text + '\n');
  }

  void write_troubles() {
    std::size_t left = 0, bytes = 0;
    for (const Trouble& trouble : troubles(report_)) {
      const std::string text = bytes < kAllTroubleBytes ? trouble_text(trouble) : std::string();
      bytes += text.size();
      if (text.empty() || !page_.add(text)) left += trouble.places.size();
    }
    if (left > 0)
      page_.add(std::format("- {} cannot be examined\n\n", counted(left, "more place")));
  }

  static std::string trouble_text(const Trouble& trouble) {
    const char* const what = trouble.examined ? "not judged" : "cannot be examined";
    if (trouble.places.size() == 1)
      return std::format("- {} {}: {}\n\n", code(trouble.places.front()), what,
                         code(trouble.reason));
    const Lines names = fitting(trouble.places, kTroubleBytes,
                                [](const std::string& name) { return "- " + code(name) + '\n'; });
    std::string text = std::format("<details><summary>{} {}: {}</summary>\n\n{}",
                                   counted(trouble.places.size(), "place"), what,
                                   html_code(trouble.reason), names.text);
    if (names.count < trouble.places.size())
      text += std::format("- and {} more\n", trouble.places.size() - names.count);
    return text + "\n</details>\n\n";
  }

  void write(const Judged& each) {
    const SubjectReport& subject = *each.subject;
    std::vector<std::string> lines;
    if (!subject.reason.empty())
      lines.push_back(std::format("- not fully checked: {}\n", code(subject.reason)));
    for (const std::string& note : subject.notes) lines.push_back("- " + code(note) + '\n');
    std::size_t broken = 0;
    for (const ClauseResult& result : subject.clauses)
      if (result.verdict == Verdict::kFail && !is_risk(result)) {
        ++broken;
        add_lines(result, to_string(result.severity), lines);
      }
    const std::vector<const ClauseResult*> risks = risks_of(subject);
    for (const ClauseResult* risk : risks) add_lines(*risk, "risk", lines);
    if (lines.empty()) return;
    std::string block =
        std::format("<details><summary>{}: {} with findings{}</summary>\n\n",
                    html_code(subject_name(*each.file, subject)), counted(broken, "clause"),
                    risks.empty() ? "" : std::format(" and {} of the risk profile", risks.size()));
    const std::size_t spare = kEndBytes + block.size();
    const Lines shown =
        fitting(lines, page_.room_beside(spare), [](const std::string& line) { return line; });
    if (shown.count == 0) {
      ++left_out_;
      return;
    }
    block += shown.text;
    if (shown.count < lines.size()) block += "- and more, which do not fit here\n";
    page_.add(block + "\n</details>\n\n");
    shown_ += broken + risks.size();
  }

  // One line for the clause, and one for each group of equal findings.
  static void add_lines(const ClauseResult& result, std::string_view kind,
                        std::vector<std::string>& lines) {
    const Clause& clause = *result.clause;
    std::string text =
        std::format("- **{}** `{}` ({}, section {}){}\n", kind, clause.id, to_string(clause.level),
                    clause.section, result.known() ? ", known" : "");
    std::size_t listed = 0;
    for (const auto& group : alike(result)) {
      if (listed == kMostOfAClause) break;
      const Finding& finding = *group.front();
      ++listed;
      text += std::format("  - {}{}: found {}", code(place(finding)),
                          finding.known ? " (known)" : "", code(finding.observed));
      if (finding.more > 0) text += std::format(" (and {} more)", finding.more);
      text += "; expected " + code(finding.expected);
      if (!finding.witness.empty()) text += "; witness: " + code(finding.witness);
      if (!finding.hint.empty()) text += "; fix: " + code(finding.hint);
      text += '\n';
      if (group.size() == 1) continue;
      text += "    - the same at ";
      for (std::size_t i = 1; i < std::min(group.size(), kMostOfAClause); ++i)
        text += (i == 1 ? "" : ", ") + code(place(*group[i]));
      if (group.size() > kMostOfAClause)
        text += " and " + counted(group.size() - kMostOfAClause, "more place");
      text += '\n';
    }
    std::size_t shown = 0;
    for (const auto& group : alike(result) | std::views::take(kMostOfAClause))
      shown += group.size();
    const std::uint64_t total = result.findings.size() + result.suppressed;
    if (total > shown) text += std::format("  - and {}\n", counted(total - shown, "more place"));
    text += "  - " + catalogue_text(demand(clause)) + '\n';
    lines.push_back(std::move(text));
  }

  // Folded under the title, as long as it fits.
  void write_list(const std::string& title, std::size_t size, const Lines& lines) {
    std::string text = std::format("<details><summary>{}</summary>\n\n{}", title, lines.text);
    if (lines.count < size) text += std::format("- and {} more\n", size - lines.count);
    page_.add(text + "\n</details>\n\n");
  }

  std::size_t room_for_lines() const { return page_.room_beside(2 * kEndBytes); }

  void write_places(const std::string& title, const std::vector<KnownFinding>& places) {
    write_list(title, places.size(),
               fitting(places, room_for_lines(), [](const KnownFinding& each) {
                 return "- " + code(unescaped(describe(each))) + '\n';
               }));
  }

  void write_comparison(const Comparison& against) {
    page_.add(std::format("Since {}: {} new, {} gone, {} still there.\n\n", code(against.earlier),
                          counted(against.fresh.size(), "finding"), against.gone.size(),
                          against.still));
    if (!against.fresh.empty()) write_places("New findings", against.fresh);
    if (!against.gone.empty()) write_places("Findings that are gone", against.gone);
  }

  void write_stamp() {
    page_.add(code(stamp_line(report_)) + "\n\n");
    std::vector<const FileReport*> stamped;
    for (const FileReport& file : report_.files)
      if (file.stamp) stamped.push_back(&file);
    if (stamped.empty()) return;
    write_list("Sizes and digests of the files", stamped.size(),
               fitting(stamped, room_for_lines(), [](const FileReport* file) {
                 return std::format("- {}: {}, SHA-256 {}\n", code(file->path),
                                    counted(file->stamp->bytes, "byte"), code(file->stamp->sha256));
               }));
  }

  const Report& report_;
  std::vector<Judged> judged_;
  const FigureWords* lead_;
  Page page_{};
  std::size_t shown_ = 0, left_out_ = 0;
};

}  // namespace

void write_markdown(std::ostream& out, const Report& report) { MarkdownWriter(report).write(out); }

}  // namespace hepcheck::reports
