// The violations of an index, counted value by value from the text of 10.4 to 10.7, and those that
// the validator reports, in the same notation.
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "fuzz/hep001/grammar/column.h"
#include "validator/formats/hep001/judge.h"

namespace hepcheck::hep001::grammar {

// The places where a clause is violated: the first chunk, row or element, and their number.
struct Place {
  std::uint64_t first = 0, count = 0;
  friend bool operator==(const Place&, const Place&) = default;
};
std::ostream& operator<<(std::ostream& out, const Place& place);

// By clause id, followed by " (warning)" if it is not an error; the order clauses of the datatype
// families are all named sorted-order here, both kinds of ties sorted-ties, both clauses about
// nan_count minmax-nan-count-value. A clause that could not be checked is included, as is the note
// about filters with unexplained bits.
using Complaints = std::map<std::string, Place>;

// The same with all positions.
using Wrong = std::map<std::string, std::vector<std::uint64_t>>;
Complaints summary(const Wrong& wrong);

// The sizes by which the validator divides its work, and the number of threads: results must not
// depend on them.
struct Cut {
  Cuts cuts{};
  unsigned jobs = 1;
  std::uint64_t memory_limit = std::uint64_t{1} << 30;
  std::uint64_t block_rows = 4;
  bool blocks_are_chunks = true;

  // Rows at boundaries.
  std::vector<std::uint64_t> boundaries() const;
};
std::ostream& operator<<(std::ostream& out, const Cut& cut);
Cut random_cut(Choices& choices);

// The clauses that are compared.
enum class About : std::uint8_t {
  kContents,  // of indexes: 10.4 to 10.7
  kValues,    // of columns, according to 8.5, 8.7 and 8.8
  kLists,     // chapter 9
};

const Specification& oldest();
const Specification& newest();

SubjectReport report_of(TestTable& table, const Cut& cut = {}, About about = About::kContents,
                        const Specification& spec = oldest());
Complaints complaints(const SubjectReport& report, About about = About::kContents);
Complaints complaints(TestTable& table, const Cut& cut = {}, About about = About::kContents,
                      const Specification& spec = oldest());

// The slow judges. `place` represents the extremes of an entry without values.
Wrong wrong_minmax(const RandomColumn& column, const std::vector<ExpectedChunk>& stored,
                   const Value& place);
// The index may be longer than the column: rows beyond it are residue.
Wrong wrong_order(const RandomColumn& column, const ExpectedOrder& stored);
// Bitmap rows may be longer than they need.
Wrong wrong_bits(const RandomColumn& column, const std::vector<Value>& values,
                 const std::vector<std::byte>& stored);
// Rows of the bits that should be set, or clear; each as often as it has such a bit.
struct WrongBits {
  std::vector<std::uint64_t> clear{}, set{};
};
WrongBits wrong_bit_rows(const RandomColumn& column, const std::vector<Value>& values,
                         const std::vector<std::byte>& stored);
// A lost value is an error, or a warning if the filter was built with sums that wrap. `rows` holds
// the column in stored form, because NaN counts by its bits; it may be empty for a column without
// NaN.
Wrong wrong_filters(const RandomColumn& column, const Filter& filter,
                    const std::vector<std::byte>& stored, const std::vector<std::byte>& rows);
// Sets the bits of the NaN rows, like a producer that does not exclude them.
void insert_nans(const RandomColumn& column, const Filter& filter,
                 const std::vector<std::byte>& rows, std::vector<std::byte>& filters);
// The bytes of the column "c" of a table, unless they are of variable length.
std::vector<std::byte> stored_rows(TestTable& table);

// Without the clauses that were not examined because another one reports that the rows are out of
// place or the index is not a permutation.
Complaints without_blocked(Complaints complaints);

}  // namespace hepcheck::hep001::grammar
