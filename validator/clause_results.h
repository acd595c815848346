// The results of the clauses of a specification for one subject, one result per clause.
//
// Most subjects of a file have similar results. The common results are stored once, and each
// subject stores only the differences: ten thousand tables need little more memory than one.
#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "validator/finding.h"

namespace hepcheck {

// Immutable; copies share the data.
class ClauseResults {
 public:
  struct Difference {
    std::size_t at = 0;  // position of the clause
    ClauseResult result{};
  };
  using Differences = std::vector<Difference>;  // by position, each once

  ClauseResults() = default;
  explicit ClauseResults(std::vector<ClauseResult> results)
      : base_(std::make_shared<const std::vector<ClauseResult>>(std::move(results))) {}

  // `base` with the differences applied. Positions at its end and beyond are new results, without
  // gaps. If there are many differences, the result shares nothing with `base`.
  static ClauseResults with(const ClauseResults& base, Differences differences);
  // The differences that `with` needs to produce these results from `base`, which must not have
  // more results.
  Differences differences_from(const ClauseResults& base) const;

  // The part that is shared with others: a suitable base for similar results.
  ClauseResults shared() const;
  // The same results, all of which can be shared.
  ClauseResults merged() const;

  class Iterator {
   public:
    using value_type = ClauseResult;
    using reference = const ClauseResult&;
    using pointer = const ClauseResult*;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::forward_iterator_tag;

    Iterator() = default;
    // Only the first position and the one after the last.
    Iterator(const ClauseResults* results, std::size_t at) : results_(results), at_(at) {}
    reference operator*() const { return is_own() ? own()[next_own_].result : base()[at_]; }
    pointer operator->() const { return &**this; }
    Iterator& operator++() {
      if (is_own()) ++next_own_;
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return std::exchange(*this, std::next(*this)); }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    const std::vector<ClauseResult>& base() const { return *results_->base_; }
    const Differences& own() const { return results_->own_; }
    bool is_own() const { return next_own_ < own().size() && own()[next_own_].at == at_; }

    const ClauseResults* results_ = nullptr;
    std::size_t at_ = 0, next_own_ = 0;  // the first of the own results that is not before `at_`
  };
  using value_type = ClauseResult;
  using const_iterator = Iterator;

  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size()}; }
  std::size_t size() const { return base_ ? base_->size() : 0; }
  bool empty() const { return size() == 0; }
  const ClauseResult& operator[](std::size_t i) const;

 private:
  std::shared_ptr<const std::vector<ClauseResult>> base_{};
  Differences own_{};  // from base_
};

}  // namespace hepcheck
