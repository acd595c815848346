// What a run says: findings, verdicts, reports. The one model that all report formats share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
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
  std::uint64_t more = 0;                // further places of the same kind that are not listed
  Severity severity = Severity::kError;  // stamped by the engine
  bool known = false;  // listed in the baseline: shown, but it does not make the table fail

  friend bool operator==(const Finding&, const Finding&) = default;
};

enum class Verdict : std::uint8_t { kPass, kFail, kNotApplicable, kNotChecked };
std::string_view to_string(Verdict verdict);  // "pass", "fail", "not-applicable", "not-checked"

struct ClauseResult {
  const Clause* clause = nullptr;
  Verdict verdict = Verdict::kNotApplicable;
  // Of the gravest finding; the catalogue's default while there is none.
  Severity severity = Severity::kError;
  std::string reason{};        // why not checked or not applicable
  std::uint64_t examined = 0;  // places that were looked at
  std::vector<Finding> findings{};
  std::uint64_t suppressed = 0;  // findings beyond --max-findings
  bool skipped_by_user = false;
  bool suppressed_known = false;  // the baseline lists as many suppressed findings

  // Of the gravest finding that is not known; none if there is no such finding.
  Severity open_severity() const;
  bool known() const { return verdict == Verdict::kFail && open_severity() == Severity::kNone; }

  friend bool operator==(const ClauseResult&, const ClauseResult&) = default;
};

// The results of a table, one a clause. Most tables of a file fare alike: what they have in common
// is held once, and each holds only where it differs. To change results, assign new ones.
class ClauseResults {
 public:
  using Common = std::shared_ptr<const std::vector<ClauseResult>>;
  using Own = std::vector<std::pair<std::size_t, ClauseResult>>;  // by position

  ClauseResults() = default;
  ClauseResults(std::vector<ClauseResult> results)  // NOLINT(google-explicit-constructor)
      : common_(std::make_shared<const std::vector<ClauseResult>>(std::move(results))) {}
  ClauseResults(Common common, Own own) : common_(std::move(common)), own_(std::move(own)) {}

  class Iterator {
   public:
    using value_type = ClauseResult;
    using reference = const ClauseResult&;
    using pointer = const ClauseResult*;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::forward_iterator_tag;

    Iterator() = default;
    Iterator(const ClauseResults* results, std::size_t at) : results_(results), at_(at) {}
    reference operator*() const {
      return differs() ? results_->own_[own_].second : (*results_->common_)[at_];
    }
    pointer operator->() const { return &**this; }
    Iterator& operator++() {
      own_ += differs();
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return std::exchange(*this, std::next(*this)); }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    bool differs() const {
      return own_ < results_->own_.size() && results_->own_[own_].first == at_;
    }
    const ClauseResults* results_ = nullptr;
    std::size_t at_ = 0, own_ = 0;  // own_: the first difference not passed yet
  };
  using value_type = ClauseResult;
  using const_iterator = Iterator;

  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size()}; }
  std::size_t size() const { return common_ ? common_->size() : 0; }
  bool empty() const { return size() == 0; }
  const ClauseResult& operator[](std::size_t i) const;

  const Common& common() const { return common_; }  // null if there are no results
  const Own& own() const { return own_; }

 private:
  Common common_{};
  Own own_{};
};

// Stores the results of one table after the other, together.
class SharedResults {
 public:
  ClauseResults store(const std::vector<ClauseResult>& results);

 private:
  ClauseResults::Common common_{};
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
  bool compared = false;     // the contents were held against the column
  std::string reason{};      // why not
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
  std::uint64_t width = 0;             // columns
  std::vector<ColumnShape> columns{};  // unless nobody wants to see them
  std::uint64_t categories = 0;
  std::uint64_t indexes = 0;
};

struct TableReport {
  std::string path{};
  TableVerdict verdict = TableVerdict::kPass;
  std::string reason{};              // unsupported, unchecked: why
  std::vector<std::string> notes{};  // said, but no finding: "VERSION 1.3 is a later minor..."
  TableShape shape{};
  ClauseResults clauses{};  // all of the specification's file clauses, in its order
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
  std::optional<Error> error{};       // the file could not be examined, or not to its end
  std::optional<Stop> stop{};         // the examination was cut short; `error` says so in words
  std::vector<Error> unreadable{};    // objects that could not be examined, by path
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
