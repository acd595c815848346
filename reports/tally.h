// Numbers and words that several report formats share.
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

// What may be said of a subject, or of a run. A verdict says what a gate does; this, what was seen.
enum class Claim : std::uint8_t {
  kConformant,     // all that applies was checked, and holds
  kAccepted,       // nothing bars it, but something was let pass or left out
  kNotConformant,  // a violation that counts
  kNotDecided,     // something that counts could not be checked, or there is nothing to judge
};
std::string_view to_string(
    Claim claim);  // "conformant", "accepted", "not conformant", "not decided"

// What keeps a subject or a run that nothing bars from being conformant. Clauses, but for the last.
struct Acceptance {
  std::uint64_t known = 0;            // broken, as the baseline lists
  std::uint64_t lowered = 0;          // broken, but the user set their level
  std::uint64_t skipped = 0;          // by --skip, or a skip of the settings
  std::uint64_t not_asked = 0;        // by --only
  std::uint64_t structure = 0;        // by --depth
  std::uint64_t known_unchecked = 0;  // not checked, as the baseline lists
  std::uint64_t unchecked = 0;        // not checked
  std::uint64_t without_subject = 0;  // files in which there is nothing to judge

  Acceptance& operator+=(const Acceptance& other);
  friend bool operator==(const Acceptance&, const Acceptance&) = default;
  bool nothing() const { return *this == Acceptance(); }
  // Those that there are, each with its key in the JSON report: "1 known violation".
  struct Item {
    std::string_view key;
    std::uint64_t count;
    std::string words;
  };
  std::vector<Item> items() const;
  std::string words() const;  // "1 known violation, 2 clauses skipped"
};

// The clauses of a subject, counted.
struct Tally {
  std::uint64_t broken = 0, warned = 0, advised = 0;  // by their gravest finding
  std::uint64_t places = 0;                           // findings of the broken ones
  std::uint64_t known = 0;                            // with findings, all in the baseline
  std::uint64_t passed = 0, not_applicable = 0, not_checked = 0;
  Acceptance accepted{};

  explicit Tally(const SubjectReport& subject);
};

Claim claim_of(const SubjectReport& subject);

// The subjects of a run, counted.
struct Totals {
  std::uint64_t files = 0, unexamined = 0;  // unexamined: a file, or part of it
  std::uint64_t conformant = 0, accepted = 0, failed = 0, open = 0;
  Acceptance acceptance{};  // of those that are accepted, and of the run

  explicit Totals(const Report& report);
  std::uint64_t subjects() const { return conformant + accepted + failed + open; }
  Claim claim() const;
};

using hepcheck::counted;
std::string counted(std::uint64_t n, const FigureWords& words);
std::string capitalised(std::string words);  // in its first letter
// What the subjects of a run are called: "table"; "subject" if they are of several kinds.
std::string kind_of(const Report& report);
// What its subjects were held against, that of the report first; that one alone if there are none.
std::vector<const Specification*> specifications_of(const Report& report);
// The formats of these, each once.
std::vector<const Format*> formats_of(const Report& report);
// What heads it: the names of these.
std::string title_of(const Report& report);
// Whether it was judged as a file, with its figures and parts, and not by what a program does.
bool has_figures(const SubjectReport& subject);
// What a finding is called that says what to do: "fix"; of a program that was judged, "reproduce":
// the request that shows it.
std::string_view hint_word(const SubjectReport& subject);
// The figures that are said where there is room for little, each with its value, if it is known.
struct LeadFigure {
  const FigureWords* words;
  std::optional<std::uint64_t> value;
};
std::vector<LeadFigure> lead_figures(const SubjectReport& subject);
// "conformant", "conformant for integer, float", "accepted", "NOT CONFORMANT", ... Not escaped.
std::string word(const SubjectReport& subject);

// What is said of a settings file: first "settings in force", then what it relaxes, if anything,
// and what it chose. Not escaped.
std::vector<std::string> settings_lines(const Settings& settings);

// The run in a few words, and what they claim: "conformant", "2 of 5 tables not conformant", "not
// fully checked", "accepted: 1 known violation".
struct Headline {
  std::string text{};
  Claim claim = Claim::kNotDecided;
  bool scoped = false;  // conformant, for a part of what there is
};
Headline headline(const Report& report);

// The place of a known finding, escaped: "FILE:OBJECT[@ATTRIBUTE][ WHERE]: CLAUSE".
std::string describe(const KnownFinding& known);

// OBJECT[@ATTRIBUTE][ WHERE], not escaped.
std::string place(const Finding& finding);

// "found int64; expected uint64", not escaped.
std::string failing(const Finding& finding);

// What a clause asks for, after what was found: "must hold: ..." or "should hold: ...".
std::string demand(const Clause& clause);

// Findings that differ in their places alone, in the order of the first of each.
std::vector<std::vector<const Finding*>> alike(const ClauseResult& result);

// The clauses that were not checked, for each reason.
struct Unchecked {
  std::string_view reason{};
  std::vector<const Clause*> clauses{};
};
std::vector<Unchecked> not_checked(const SubjectReport& subject);

// What could not be examined, or holds nothing to be judged, by what is the matter.
struct Trouble {
  std::string reason{};               // not escaped, as are the places
  std::vector<std::string> places{};  // "a.h5", "b.h5:/t"
  bool examined = false;              // there is nothing to be judged, and that is no error
};
std::vector<Trouble> troubles(const Report& report);

int rank(Claim claim);  // the gravest is 0

// The subjects of a run, the worst first: the gravest claim, then what breaks the most clauses.
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

// Why a file was not examined, without its path in front.
std::string file_trouble(const FileReport& file);

}  // namespace hepcheck::reports
