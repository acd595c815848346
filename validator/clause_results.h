// What the clauses of a specification say of one subject, one result a clause.
//
// Most subjects of a file fare alike. What they have in common is held once, and each holds only
// where it differs: ten thousand tables take little more room than one.
#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "validator/finding.h"

namespace hepcheck {

// Immutable; copies share what they hold.
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

  // `base`, but for the differences. Positions at its end and beyond it are new results; there is
  // no gap among them. Where much differs, what is made shares nothing.
  static ClauseResults with(const ClauseResults& base, Differences differences);
  // What `with` has to be given to make these of `base`, which has no more results than they.
  Differences differences_from(const ClauseResults& base) const;

  // What they share with others: the base for results that are like these.
  ClauseResults shared() const;

  class Iterator {
   public:
    using value_type = ClauseResult;
    using reference = const ClauseResult&;
    using pointer = const ClauseResult*;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::forward_iterator_tag;

    Iterator() = default;
    Iterator(const ClauseResults* results, std::size_t at) : results_(results), at_(at) {}
    reference operator*() const { return (*results_)[at_]; }
    pointer operator->() const { return &(*results_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return std::exchange(*this, std::next(*this)); }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    const ClauseResults* results_ = nullptr;
    std::size_t at_ = 0;
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
