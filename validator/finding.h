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

  friend bool operator==(const Finding&, const Finding&) = default;
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

  friend bool operator==(const ClauseResult&, const ClauseResult&) = default;
};

// The results of a table, one a clause. Most tables of a file fare alike: what they have in common
// is held once, and each holds only where it differs. To change results, assign new ones.
class ClauseResults {
 public:
  ClauseResults() = default;
  ClauseResults(std::vector<ClauseResult> results)  // NOLINT(google-explicit-constructor)
      : common_(std::make_shared<const std::vector<ClauseResult>>(std::move(results))) {}

  class Iterator {
   public:
    using value_type = ClauseResult;
    using reference = const ClauseResult&;
    using pointer = const ClauseResult*;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::forward_iterator_tag;

    Iterator() = default;
    Iterator(const ClauseResults* results, std::size_t at) : results_(results), at_(at) {}
    reference operator*() const { return differs() ? results_->own_[own_].second : (*results_->common_)[at_]; }
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

 private:
  friend class SharedResults;

  std::shared_ptr<const std::vector<ClauseResult>> common_{};
  std::vector<std::pair<std::size_t, ClauseResult>> own_{};  // by position
};

// Stores the results of one table after the other, together.
class SharedResults {
 public:
  ClauseResults store(const std::vector<ClauseResult>& results);

 private:
  std::shared_ptr<const std::vector<ClauseResult>> common_{};
};

enum class TableVerdict : std::uint8_t {
  kPass,         // nothing failed at the chosen level and nothing mandatory is unchecked
  kFail,         // a violation at the chosen level
  kUnsupported,  // VERSION claims a MAJOR that this program does not implement
  kUnchecked,    // nothing failed, but a mandatory clause could not be checked
};
std::string_view to_string(TableVerdict verdict);

// A column as reports show it.
struct ColumnShape {
  std::string name{};
  std::string datatype{};
  std::uint64_t extent = 0;
  std::uint64_t chunk_rows = 0;
  std::uint64_t chunks = 0;
  std::vector<std::string> indexes{};  // "CHUNK_MINMAX /t/SEARCH_INDEXES/ts"
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
  ClauseResults clauses{};           // all of the specification's file clauses, in its order
};

struct FileReport {
  std::string path{};
  std::optional<Error> error{};  // the file could not be examined at all
  std::vector<Error> unreadable{};  // objects that could not be examined, by path
  std::vector<TableReport> tables{};  // in the order of discovery
};

struct Report {
  std::string hepcheck{};  // version of this program
  const Specification* spec = nullptr;
  std::vector<FileReport> files{};
};

}  // namespace hepcheck
