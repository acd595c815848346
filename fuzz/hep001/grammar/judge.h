// What is wrong with an index, counted value by value from the text of 10.4 to 10.7, and what the
// validator says of it, in the same words.
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "fuzz/hep001/grammar/column.h"
#include "validator/formats/hep001/judge.h"

namespace hepcheck::hep001::grammar {

// Where a clause does not hold: the first chunk, row or element, and how many there are.
struct Place {
  std::uint64_t first = 0, count = 0;
  friend bool operator==(const Place&, const Place&) = default;
};
std::ostream& operator<<(std::ostream& out, const Place& place);

// By clause id, with " (warning)" behind it if it is no error; the orders of the datatype families
// are all called sorted-order here, both kinds of ties sorted-ties, both clauses about nan_count
// minmax-nan-count-value. A clause that could not be checked counts, too, and so does the note
// about filters that have more bits than they need.
using Complaints = std::map<std::string, Place>;

// The same with all positions.
using Wrong = std::map<std::string, std::vector<std::uint64_t>>;
Complaints summary(const Wrong& wrong);

// How the validator cuts its work, and by how many threads it is done: nothing that may be seen in
// what it says.
struct Cut {
  Cuts cuts{};
  unsigned jobs = 1;
  std::uint64_t memory_limit = std::uint64_t{1} << 30;
  std::uint64_t block_rows = 4;
  bool blocks_are_chunks = true;

  // Rows at which something ends.
  std::vector<std::uint64_t> borders() const;
};
std::ostream& operator<<(std::ostream& out, const Cut& cut);
Cut random_cut(Choices& choices);

// Which clauses are judged.
enum class About : std::uint8_t {
  kContents,  // of indexes: 10.4 to 10.7
  kValues,    // of columns, as 8.5, 8.7 and 8.8 ask for them
  kLists,     // chapter 9
};

const Specification& oldest();
const Specification& newest();

SubjectReport report_of(TestTable& table, const Cut& cut = {}, About about = About::kContents,
                        const Specification& spec = oldest());
Complaints complaints(const SubjectReport& report, About about = About::kContents);
Complaints complaints(TestTable& table, const Cut& cut = {}, About about = About::kContents,
                      const Specification& spec = oldest());

// The slow judges. `place` stands where an entry has no extremes.
Wrong wrong_minmax(const RandomColumn& column, const std::vector<ExpectedChunk>& stored,
                   const Value& place);
// The index may be longer than the column has rows: what is no row there is residue.
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
// A lost value is an error, or a warning if the filter was made with sums that wrap. `rows` holds
// the column as it is stored, because NaN counts by its bits; of a column without NaN it may be
// empty.
Wrong wrong_filters(const RandomColumn& column, const Filter& filter,
                    const std::vector<std::byte>& stored, const std::vector<std::byte>& rows);
// Sets the bits of the NaN rows as a producer does who does not leave them out.
void insert_nans(const RandomColumn& column, const Filter& filter,
                 const std::vector<std::byte>& rows, std::vector<std::byte>& filters);
// The bytes of the column "c" of a table, unless they are of variable length.
std::vector<std::byte> stored_rows(TestTable& table);

// Without the clauses that were not looked at, because another one says that the rows are out of
// place or the index is no permutation.
Complaints without_blocked(Complaints complaints);

}  // namespace hepcheck::hep001::grammar
