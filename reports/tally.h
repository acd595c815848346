// Numbers and phrases that several report formats share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/counted.h"
#include "validator/format.h"
#include "validator/report.h"

namespace hepcheck::reports {

// The claim about a subject or a run. A verdict states what a gate does; a claim states what was
// found.
enum class Claim : std::uint8_t {
  kConformant,     // everything that applies was checked and holds
  kAccepted,       // nothing fails, but something was suppressed or skipped
  kNotConformant,  // a violation that counts
  kNotDecided,     // something that counts could not be checked, or there is nothing to judge
};
std::string_view to_string(
    Claim claim);  // "conformant", "accepted", "not conformant", "not decided"

// The reasons why a subject or a run without failures is not conformant. Clauses, except for the
// last.
struct Acceptance {
  std::uint64_t known = 0;            // violated, and listed in the baseline
  std::uint64_t lowered = 0;          // violated, but the user set the level
  std::uint64_t skipped = 0;          // by --skip, or by a skip in the settings
  std::uint64_t not_asked = 0;        // by --only
  std::uint64_t structure = 0;        // by --depth
  std::uint64_t known_unchecked = 0;  // not checked, as the baseline lists
  std::uint64_t unchecked = 0;        // not checked
  std::uint64_t without_subject = 0;  // files that contain nothing to judge

  Acceptance& operator+=(const Acceptance& other);
  friend bool operator==(const Acceptance&, const Acceptance&) = default;
  bool nothing() const { return *this == Acceptance(); }
  // The reasons that occur, each with its key in the JSON report: "1 known violation".
  struct Item {
    std::string_view key;
    std::uint64_t count;
    std::string words;
  };
  std::vector<Item> items() const;
  std::string words() const;  // "1 known violation, 2 clauses skipped"
};

// The clauses of a subject, counted by verdict.
struct Tally {
  std::uint64_t broken = 0, warned = 0, advised = 0;  // by the most severe finding
  std::uint64_t risks = 0;                            // of the risk profile; not in the others
  std::uint64_t places = 0;                           // findings of violated clauses
  std::uint64_t known = 0;                            // with findings that are all in the baseline
  std::uint64_t passed = 0, not_applicable = 0, not_checked = 0;
  Acceptance accepted{};

  explicit Tally(const SubjectReport& subject);
};

Claim claim_of(const SubjectReport& subject);

// Whether a violated clause belongs to the risk profile and is no more than a remark, because no
// policy raises it. Reports list such clauses apart from defects.
bool is_risk(const ClauseResult& result);
std::vector<const ClauseResult*> risks_of(const SubjectReport& subject);

// The subjects of a run, counted.
struct Totals {
  std::uint64_t files = 0, unexamined = 0;  // unexamined: a file, or part of it
  std::uint64_t conformant = 0, accepted = 0, failed = 0, open = 0;
  Acceptance acceptance{};  // of the accepted subjects, and of the run

  explicit Totals(const Report& report);
  std::uint64_t subjects() const { return conformant + accepted + failed + open; }
  Claim claim() const;
};

using hepcheck::counted;
std::string counted(std::uint64_t n, const FigureWords& words);
std::string capitalised(std::string words);  // as an initial capital
// The name of the subjects of a run: "table"; "subject" if there are several kinds.
std::string kind_of(const Report& report);
// The specifications of its subjects, that of the report first; only that one if there are no
// subjects.
std::vector<const Specification*> specifications_of(const Report& report);
// The formats of these, each once.
std::vector<const Format*> formats_of(const Report& report);
// FILE:SUBJECT as reports show it; the file alone if it is its only subject ("/" in byte formats).
std::string subject_name(const FileReport& file, const SubjectReport& subject);
// Where the file is named already: the subject, or the file if it is its only subject.
const std::string& short_name(const FileReport& file, const SubjectReport& subject);
// The title: the names of these formats.
std::string title_of(const Report& report);
// Whether a file was judged, with its figures and parts, and not the behaviour of a program.
bool has_figures(const SubjectReport& subject);
// The label of the suggested action of a finding: "fix"; for a judged program "reproduce", the
// request that shows the failure.
std::string_view hint_word(const SubjectReport& subject);
// The leading figures, each with its value if known.
struct LeadFigure {
  const FigureWords* words;
  std::optional<std::uint64_t> value;
};
std::vector<LeadFigure> lead_figures(const SubjectReport& subject);
// "conformant", "conformant for integer, float", "accepted", "NOT CONFORMANT", ... Not escaped.
std::string word(const SubjectReport& subject);

// The lines about a settings file: "settings in force", then what it relaxes, then what it
// selected. Not escaped.
std::vector<std::string> settings_lines(const Settings& settings);

// A short summary of the run and its claim: "conformant", "2 of 5 tables not conformant", "not
// fully checked", "accepted: 1 known violation".
struct Headline {
  std::string text{};
  Claim claim = Claim::kNotDecided;
  bool scoped = false;  // conformant, for a part of the features
};
Headline headline(const Report& report);

// The place of a known finding, escaped: "FILE:OBJECT[@ATTRIBUTE][ WHERE]: CLAUSE".
std::string describe(const KnownFinding& known);

// OBJECT[@ATTRIBUTE][ WHERE], not escaped.
std::string place(const Finding& finding);

// "found int64; expected uint64", not escaped.
std::string failing(const Finding& finding);

// The requirement of a clause, shown after what was found: "must hold: ...", "should hold: ...", or
// of the risk profile "risk: ...".
std::string demand(const Clause& clause);

// Findings that differ only in their places, in the order of the first of each.
std::vector<std::vector<const Finding*>> alike(const ClauseResult& result);

// The clauses that were not checked, by reason.
struct Unchecked {
  std::string_view reason{};
  std::vector<const Clause*> clauses{};
};
std::vector<Unchecked> not_checked(const SubjectReport& subject);

// Files that could not be examined, or contain nothing to judge, by reason.
struct Trouble {
  std::string reason{};               // not escaped, and neither are the places
  std::vector<std::string> places{};  // "a.h5", "b.h5:/t"
  bool examined = false;              // the file contains nothing to judge, which is not an error
};
std::vector<Trouble> troubles(const Report& report);

int rank(Claim claim);  // the most severe is 0

// The subjects of a run, worst first: by claim, then by the number of violated clauses.
struct Judged {
  const FileReport* file;
  const SubjectReport* subject;
  Tally tally;
};
std::vector<Judged> worst_first(const Report& report);

// "since old.json: 2 findings new, 1 gone, 3 still there"
std::string comparison_line(const Comparison& against);
// "hepcheck 0.1.0 on 2026-06-16T12:00:00Z, with --strict"; not escaped.
std::string stamp_line(const Report& report);

// The reason why a file was not examined, without its path.
std::string file_trouble(const FileReport& file);

}  // namespace hepcheck::reports
