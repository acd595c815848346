// What a run says: findings, verdicts, reports. The one model that all report formats share.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "validator/catalogue/clause.h"
#include "validator/result.h"
#include "validator/spread.h"

namespace hepcheck {

// A place where a clause does not hold.
struct Finding {
  std::string object{};     // HDF5 path
  std::string attribute{};  // attribute of that object, if the finding is about one
  std::string where{};      // part of the data: "row 318", "chunk 2", "element 0"
  std::string observed{};   // what is there
  std::string expected{};   // what the clause asks for
  std::string hint{};       // how to mend it
  // Index contents: a query and the row that a reader who trusts the index would lose or
  // wrongly return, or why there is none.
  std::string witness{};
  std::uint64_t more = 0;  // further places of the same kind that are not listed
  Severity severity = Severity::kError;  // stamped by the engine
  bool known = false;  // listed in the baseline: shown, but it does not make the table fail
};

enum class Verdict : std::uint8_t { kPass, kFail, kNotApplicable, kNotChecked };
std::string_view to_string(Verdict verdict);  // "pass", "fail", "not-applicable", "not-checked"

struct ClauseResult {
  const Clause* clause = nullptr;
  Verdict verdict = Verdict::kNotApplicable;
  // Of the gravest finding; the catalogue's default while there is none.
  Severity severity = Severity::kError;
  std::string reason{};  // why not checked or not applicable
  std::uint64_t examined = 0;  // places that were looked at
  std::vector<Finding> findings{};
  std::uint64_t suppressed = 0;  // findings beyond --max-findings
  bool skipped_by_user = false;
  bool suppressed_known = false;  // the baseline lists as many suppressed findings

  // Of the gravest finding that is not known; none if there is no such finding.
  Severity open_severity() const;
  bool known() const { return verdict == Verdict::kFail && open_severity() == Severity::kNone; }
};

enum class TableVerdict : std::uint8_t {
  kPass,         // nothing failed at the chosen level and nothing mandatory is unchecked
  kFail,         // a violation at the chosen level
  kUnsupported,  // VERSION claims a MAJOR that this program does not implement
  kUnchecked,    // nothing failed, but a mandatory clause could not be checked
};
std::string_view to_string(TableVerdict verdict);

// Where the contents of an index differ from what its column asks for.
struct IndexMap {
  enum class Unit : std::uint8_t { kChunk, kRow, kElement };  // of the index, in its order

  std::string kind{}, path{};
  bool compared = false;  // the contents were held against the column
  std::string reason{};   // why not
  Unit unit = Unit::kChunk;  // what positions are
  Spread differences{};
  std::uint64_t fill_tail = 0, nan_tail = 0;  // SORTED_ROWS: elements for such rows
};
std::string_view to_string(IndexMap::Unit unit);  // "chunk", "row", "element"

// A column as reports show it.
struct ColumnShape {
  std::string name{};
  std::string datatype{};
  std::uint64_t extent = 0;
  std::uint64_t chunk_rows = 0;
  std::uint64_t chunks = 0;
  std::vector<std::string> indexes{};  // "CHUNK_MINMAX /t/SEARCH_INDEXES/ts"
  MissingCells missing{};
  std::vector<IndexMap> maps{};  // of its indexes, if the data was looked at
};

struct TableShape {
  std::optional<std::uint64_t> nrows{};
  std::vector<ColumnShape> columns{};
  std::uint64_t categories = 0;
  std::uint64_t indexes = 0;
};

struct TableReport {
  std::string path{};
  TableVerdict verdict = TableVerdict::kPass;
  std::string reason{};              // unsupported, unchecked: why
  std::vector<std::string> notes{};  // said, but no finding: "VERSION 1.3 is a later minor..."
  TableShape shape{};
  std::vector<ClauseResult> clauses{};  // all of the specification's file clauses, in its order
};

enum class StopCause : std::uint8_t { kSignal, kLimit, kExit };
std::string_view to_string(StopCause cause);  // "signal", "limit", "exit"

// What ended the examination of a file before it was done, and where that was.
struct Stop {
  StopCause cause = StopCause::kSignal;
  std::string name{};    // "SIGSEGV", "time", "status 1"
  std::string stage{};   // "reading the values of"
  std::string object{};  // HDF5 path or clause; empty if the stage has none

  std::string text() const;
};

struct FileReport {
  std::string path{};
  std::optional<Error> error{};  // the file could not be examined, or not to its end
  std::optional<Stop> stop{};    // the examination was cut short; `error` says so in words
  std::vector<Error> unreadable{};  // objects that could not be examined, by path
  std::vector<TableReport> tables{};  // in the order of discovery
};

// A finding as a baseline remembers it: by its place, not by its words.
struct KnownFinding {
  std::string file{}, table{}, clause{}, object{}, attribute{}, where{};
  std::uint64_t more = 0;
  // Findings beyond --max-findings of that clause and table, which have no place.
  std::uint64_t suppressed = 0;
};

struct Report {
  std::string hepcheck{};  // version of this program
  const Specification* spec = nullptr;
  std::vector<FileReport> files{};
  bool compared = false;             // with a baseline
  std::vector<KnownFinding> gone{};  // in the baseline, but not found any more
};

}  // namespace hepcheck
