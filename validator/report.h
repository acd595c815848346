// What a run says of files and of what is in them. The one model that all report forms share, and
// all formats.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/clause_results.h"
#include "validator/finding.h"
#include "validator/result.h"
#include "validator/spread.h"

namespace hepcheck {

enum class SubjectVerdict : std::uint8_t {
  kPass,         // nothing failed at the chosen level and nothing mandatory is unchecked
  kFail,         // a violation at the chosen level
  kUnsupported,  // it claims a revision that this program does not judge
  kUnchecked,    // nothing failed, but a mandatory clause could not be checked
};
std::string_view to_string(SubjectVerdict verdict);

// A number that reports show. The format has the words for its key (format.h).
struct Figure {
  std::string key{};                     // its name in the JSON report: "nrows"
  std::optional<std::uint64_t> value{};  // none: not known

  friend bool operator==(const Figure&, const Figure&) = default;
};

// Where along something, unit by unit, the contents differ from what they should be.
struct Strip {
  std::string kind{}, path{};  // "SORTED_ROWS", where it lies
  std::string state{};         // what the format says of it first: "stale: ..."; empty if nothing
  bool compared = false;       // the contents were held against what they should be
  std::string reason{};        // why not
  std::string unit{};          // what positions are: "chunk", "row", "page"
  Spread differences{};
  std::vector<Figure> marks{};  // further numbers for the picture

  friend bool operator==(const Strip&, const Strip&) = default;
};

// A level of a part whose values are nested, the outermost first.
struct Layer {
  std::string kind{}, path{};     // "list", where it lies
  std::vector<Figure> figures{};  // entries, nulls
  std::string reason{};           // why its contents are not known

  friend bool operator==(const Layer&, const Layer&) = default;
};

// A part of a subject as reports show it: a column, a field, a record batch.
struct Part {
  std::string name{};
  std::string type{};
  std::vector<Figure> figures{};
  std::vector<std::string> labels{};  // what hangs on it: "CHUNK_MINMAX /t/SEARCH_INDEXES/ts"
  MissingCells missing{};
  std::vector<Strip> strips{};  // if the data was looked at
  std::vector<Layer> layers{};  // of nested values
  // What the format asks of each part: "yes", "no", "undecided"; and the clauses that say so. Empty
  // where nothing is asked.
  std::string answer{};
  std::vector<std::string> reasons{};
};

// What takes up how many bytes of a file, in equal cells from its beginning to its end, for a
// picture.
struct ByteMap {
  static constexpr std::uint64_t kMostCells = 256;

  std::uint64_t size = 0;              // of the file
  std::vector<std::string> kinds{};    // "metadata", "raw data"
  std::vector<std::uint64_t> bytes{};  // of the first cell those of each kind, then of the next

  // A map of a file without bytes of any kind.
  static ByteMap of(std::uint64_t size, std::vector<std::string> kinds);
  // Counts the bytes from `begin` on, as far as the file has them, as bytes of that kind.
  void add(std::uint64_t begin, std::uint64_t count, std::size_t kind);

  friend bool operator==(const ByteMap&, const ByteMap&) = default;
};

// A word for what is judged: letters and spaces, not many. Reports that come from elsewhere may say
// anything.
bool is_kind(std::string_view word);

enum class ChosenBy : std::uint8_t {
  kOption,   // the user named it
  kDefault,  // nothing spoke for another
  kSign,     // what was judged bears a sign of it
};
std::string_view to_string(ChosenBy chosen_by);  // "option", "default", "auto"

// How the specification of a subject was chosen.
struct Choice {
  ChosenBy by = ChosenBy::kOption;
  std::string sign{};  // "an attribute GENERATION"
  std::string path{};  // where it is

  friend bool operator==(const Choice&, const Choice&) = default;
};

// What was found of one thing that a format judges: a table, a stream.
struct SubjectReport {
  std::string kind{};                   // "table"; the format's word for what it judges
  std::string path{};                   // in the file
  const Specification* spec = nullptr;  // what it was held against
  Choice choice{};                      // and why
  SubjectVerdict verdict = SubjectVerdict::kPass;
  std::string reason{};  // unsupported, unchecked: why
  // What alone it was judged for, where that is not all there is: "integer", "float".
  std::vector<std::string> scope{};
  std::vector<std::string> notes{};  // said, but no finding: "VERSION 1.3 is a later minor..."
  std::vector<Figure> figures{};
  std::vector<Part> parts{};        // unless nobody wants to see them
  std::optional<ByteMap> layout{};  // likewise, where the format knows it
  ClauseResults clauses{};          // all of the specification's file clauses, in its order

  const Figure* figure(std::string_view key) const;  // null if there is none
};

enum class StopCause : std::uint8_t { kSignal, kLimit, kExit };
std::string_view to_string(StopCause cause);  // "signal", "limit", "exit"

// What ended the examination of a file before it was done, and where that was.
struct Stop {
  StopCause cause = StopCause::kSignal;
  std::string name{};          // "SIGSEGV", "time", "status 1"
  std::string stage{};         // "reading the values of"
  std::string object{};        // a path in the file, or a clause; empty if the stage has none
  std::string subject{};       // the path of the subject, where the object is not of itself in one
  bool lacked_memory = false;  // the limit that it met is the one on memory

  std::string text() const;
};

// What ties what is said of a file to its bytes.
struct FileStamp {
  std::uint64_t bytes = 0;
  std::string sha256{};  // in hexadecimal

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

struct FileReport {
  std::string path{};
  std::optional<FileStamp> stamp{};       // where it was asked for
  std::optional<Error> error{};           // the file could not be examined, or not to its end
  std::optional<Stop> stop{};             // the examination was cut short; `error` says so in words
  std::vector<Error> unreadable{};        // objects that could not be examined, by path
  std::vector<SubjectReport> subjects{};  // in the order of discovery
  // Something was left out because memory ran short. Not part of any written report.
  bool lacked_memory = false;
};

// A finding as a baseline remembers it: by its place, not by its words. Or that nothing could be
// found: by its reason.
struct KnownFinding {
  std::string file{}, subject{}, clause{}, object{}, attribute{}, where{};
  std::uint64_t more = 0;
  // Findings beyond --max-findings of that clause and subject, which have no place.
  std::uint64_t suppressed = 0;
  std::string not_checked{};  // no finding: the clause was not checked, for this reason

  friend bool operator==(const KnownFinding&, const KnownFinding&) = default;
};

// What a settings file made a run overlook: "skip nrows-uint64: the writer is being mended",
// "fail-on: never".
struct Relaxation {
  std::string setting{};  // its key in the file
  std::string clause{};   // empty: not of one clause
  std::string value{};

  std::string text() const;
  friend bool operator==(const Relaxation&, const Relaxation&) = default;
};

// A settings file that was in force.
struct Settings {
  std::string file{};
  std::vector<std::string> paths{};  // what was examined, where the file said so
  std::vector<Relaxation> relaxed{};

  friend bool operator==(const Settings&, const Settings&) = default;
};

// Findings held against those of an earlier report, by their places. What this run did not look at
// is not gone.
struct Comparison {
  std::string earlier{};  // its name
  std::vector<KnownFinding> fresh{}, gone{};
  std::uint64_t still = 0;

  friend bool operator==(const Comparison&, const Comparison&) = default;
};

struct Report {
  std::string hepcheck{};               // version of this program
  const Specification* spec = nullptr;  // of all subjects that do not name another
  std::vector<Settings> settings{};     // of a report that was joined, perhaps several
  std::vector<FileReport> files{};
  bool compared = false;               // with a baseline
  std::vector<KnownFinding> gone{};    // in the baseline, but not found any more
  std::string date{};                  // of the run, as 2026-06-16T12:00:00Z; empty: not known
  std::vector<std::string> options{};  // of the run, where a stamp was asked for
  bool stamped = false;                // date, options and what ties files to their bytes are shown
  std::optional<Comparison> against{};
};

// The process's exit status for a report: 0 conformant, 1 a violation, 3 something could not
// be examined. A violation outweighs what could not be examined.
// With `violations_count` false, a violation bars nothing.
int exit_status(const Report& report, bool violations_count = true);

}  // namespace hepcheck
