// Numbers and words that several report formats share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "validator/finding.h"

namespace hepcheck::reports {

// The clauses of a table, counted.
struct Tally {
  std::uint64_t broken = 0, warned = 0, advised = 0;  // by their gravest finding
  std::uint64_t places = 0;                           // findings of the broken ones
  std::uint64_t known = 0;                            // broken, but in the baseline
  std::uint64_t passed = 0, not_applicable = 0, not_checked = 0;

  explicit Tally(const TableReport& table);
};

// The tables of a run, counted.
struct Totals {
  std::uint64_t files = 0, unexamined = 0;  // unexamined: a file, or part of it
  std::uint64_t passed = 0, failed = 0, open = 0;

  explicit Totals(const Report& report);
  std::uint64_t tables() const { return passed + failed + open; }
};

std::string counted(std::uint64_t n, std::string_view word);  // "1 row", "2 rows"
std::string_view word(TableVerdict verdict);                  // "conformant", ...

// The run in a few words and whether they are good news: "conformant", "2 of 5 tables not
// conformant", "not fully checked".
struct Headline {
  std::string text{};
  TableVerdict verdict = TableVerdict::kUnchecked;
};
Headline headline(const Report& report);

// The place of a known finding, escaped: "FILE:OBJECT[@ATTRIBUTE][ WHERE]: CLAUSE".
std::string describe(const KnownFinding& known);

// OBJECT[@ATTRIBUTE][ WHERE], not escaped.
std::string place(const Finding& finding);

// Why a file was not examined, without its path in front.
std::string file_trouble(const FileReport& file);

}  // namespace hepcheck::reports
