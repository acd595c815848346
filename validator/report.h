// The report of a run: files, and the subjects in them. All report formats and all formats share
// this model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/clause_results.h"
#include "validator/file_map.h"
#include "validator/finding.h"
#include "validator/result.h"
#include "validator/spread.h"

namespace hepcheck {

enum class SubjectVerdict : std::uint8_t {
  kPass,         // nothing failed at the chosen level and nothing mandatory is unchecked
  kFail,         // a violation at the chosen level
  kUnsupported,  // it declares a revision that this program does not judge
  kUnchecked,    // nothing failed, but a mandatory clause could not be checked
};
std::string_view to_string(SubjectVerdict verdict);

// A number in reports. The format supplies the words for its key (format.h).
struct Figure {
  std::string key{};                     // its name in the JSON report: "nrows"
  std::optional<std::uint64_t> value{};  // none: unknown

  friend bool operator==(const Figure&, const Figure&) = default;
};

// The positions along an object at which the contents differ from the expected contents.
struct Strip {
  std::string kind{}, path{};  // "SORTED_ROWS", its path
  std::string state{};         // a remark of the format: "stale: ..."; empty if none
  bool compared = false;       // the contents were compared with the expected contents
  std::string reason{};        // why not
  std::string unit{};          // the unit of positions: "chunk", "row", "page"
  Spread differences{};
  std::vector<Figure> marks{};  // further numbers for the picture

  friend bool operator==(const Strip&, const Strip&) = default;
};

// A level of a part whose values are nested, the outermost first; or a section of a part, such as a
// cluster, in the order of the rows.
struct Layer {
  std::string kind{}, path{};     // "list", its path; "cluster", "cluster 3"
  std::vector<Figure> figures{};  // entries, nulls
  std::string reason{};           // why its contents are not known

  friend bool operator==(const Layer&, const Layer&) = default;
};

// A part of a subject as reports show it: a column, a field, a record batch.
struct Part {
  std::string name{};
  std::string type{};
  std::vector<Figure> figures{};
  std::vector<std::string> labels{};  // what belongs to it: "CHUNK_MINMAX /t/SEARCH_INDEXES/ts"
  MissingCells missing{};
  std::vector<Strip> strips{};  // if the data was examined
  std::vector<Layer> layers{};  // for nested values
  // The answer to the question of the format about each part: "yes", "no", "undecided"; and the
  // clauses that decide it. Empty if there is no question.
  std::string answer{};
  std::vector<std::string> reasons{};
};

// The use of the bytes of a file, in equal cells from its beginning to its end, for a picture.
struct ByteMap {
  static constexpr std::uint64_t kMostCells = 256;

  std::uint64_t size = 0;              // of the file
  std::vector<std::string> kinds{};    // "metadata", "raw data"
  std::vector<std::uint64_t> bytes{};  // for the first cell one number per kind, then for the next

  // A map of a file without bytes of any kind.
  static ByteMap of(std::uint64_t size, std::vector<std::string> kinds);
  // Counts the bytes from `begin` on, as far as the file has them, as bytes of that kind.
  void add(std::uint64_t begin, std::uint64_t count, std::size_t kind);

  friend bool operator==(const ByteMap&, const ByteMap&) = default;
};

// A word for the kind of subject: a few letters and spaces. Reports of other origin may contain
// anything.
bool is_kind(std::string_view word);

enum class ChosenBy : std::uint8_t {
  kOption,   // the user named it
  kDefault,  // no evidence for another one
  kSign,     // the subject shows evidence of it
};
std::string_view to_string(ChosenBy chosen_by);  // "option", "default", "auto"

// How the specification of a subject was selected.
struct Choice {
  ChosenBy by = ChosenBy::kOption;
  std::string sign{};  // "an attribute GENERATION"
  std::string path{};  // the path of the evidence

  friend bool operator==(const Choice&, const Choice&) = default;
};

// The result for one subject: a table, a stream.
struct SubjectReport {
  std::string kind{};                   // "table"; the format's word for its subjects
  std::string path{};                   // in the file
  const Specification* spec = nullptr;  // the specification that it was judged by
  Choice choice{};                      // and why
  SubjectVerdict verdict = SubjectVerdict::kPass;
  std::string reason{};  // unsupported, unchecked: the reason
  // The only features for which it was judged, if not all: "integer", "float".
  std::vector<std::string> scope{};
  std::vector<std::string>
      notes{};  // remarks that are not findings: "VERSION 1.3 is a later minor..."
  std::vector<Figure> figures{};
  std::vector<Part> parts{};        // unless no report shows them
  std::optional<ByteMap> layout{};  // likewise, if the format knows it
  std::optional<FileMap> map{};     // its bytes, field by field, if a report shows them
  ClauseResults clauses{};          // all of the specification's file clauses, in its order

  const Figure* figure(std::string_view key) const;  // null if there is none
};

enum class StopCause : std::uint8_t { kSignal, kLimit, kExit };
std::string_view to_string(StopCause cause);  // "signal", "limit", "exit"

// The cause that ended the examination of a file early, and the position.
struct Stop {
  StopCause cause = StopCause::kSignal;
  std::string name{};          // "SIGSEGV", "time", "status 1"
  std::string stage{};         // "reading the values of"
  std::string object{};        // a path in the file, or a clause; empty if the stage has none
  std::string subject{};       // the path of the subject, unless the object itself determines it
  bool lacked_memory = false;  // the limit that it met is the one on memory

  std::string text() const;
};

// Identifies the bytes that a report describes.
struct FileStamp {
  std::uint64_t bytes = 0;
  std::string sha256{};  // in hexadecimal

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

struct FileReport {
  std::string path{};
  std::optional<FileStamp> stamp{};       // if requested
  std::optional<Error> error{};           // the file could not be examined, or not completely
  std::optional<Stop> stop{};             // the examination was cut short; `error` describes it
  std::vector<Error> unreadable{};        // objects that could not be examined, by path
  std::vector<SubjectReport> subjects{};  // in the order of discovery
  // Something was left out because memory ran short. Not part of any written report.
  bool lacked_memory = false;
};

// A finding as recorded in a baseline: by its place, not by its wording. Or a clause that was not
// checked: by its reason.
struct KnownFinding {
  std::string file{}, subject{}, clause{}, object{}, attribute{}, where{};
  std::uint64_t more = 0;
  // Findings beyond --max-findings of that clause and subject, which have no place.
  std::uint64_t suppressed = 0;
  std::string not_checked{};  // not a finding: the clause was not checked, for this reason

  friend bool operator==(const KnownFinding&, const KnownFinding&) = default;
};

// A check that a settings file relaxed: "skip nrows-uint64: the writer is being fixed", "fail-on:
// never".
struct Relaxation {
  std::string setting{};  // its key in the file
  std::string clause{};   // empty: not about one clause
  std::string value{};

  std::string text() const;
  friend bool operator==(const Relaxation&, const Relaxation&) = default;
};

// A settings file that was applied.
struct Settings {
  std::string file{};
  std::vector<std::string> paths{};  // the paths that were examined, if the file selected them
  std::vector<Relaxation> relaxed{};

  friend bool operator==(const Settings&, const Settings&) = default;
};

// Findings compared with those of an earlier report, by their places. Content that this run did not
// examine does not count as gone.
struct Comparison {
  std::string earlier{};  // its name
  std::vector<KnownFinding> fresh{}, gone{};
  std::uint64_t still = 0;

  friend bool operator==(const Comparison&, const Comparison&) = default;
};

struct Report {
  std::string hepcheck{};               // version of this program
  const Specification* spec = nullptr;  // of all subjects that do not name their own
  std::vector<Settings> settings{};     // several, if reports were merged
  std::vector<FileReport> files{};
  bool compared = false;               // with a baseline
  std::vector<KnownFinding> gone{};    // in the baseline, but not found in this run
  std::string date{};                  // of the run, as 2026-06-16T12:00:00Z; empty: not known
  std::vector<std::string> options{};  // of the run, if a stamp was requested
  bool stamped = false;                // date, options and digests are shown
  std::optional<Comparison> against{};
};

// The exit status of the process for a report: 0 conformant, 1 a violation, 3 something could not
// be examined. Status 1 takes precedence over 3. With `violations_count` false, violations do not
// count.
int exit_status(const Report& report, bool violations_count = true);

}  // namespace hepcheck
