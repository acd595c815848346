// What is wrong with an index, counted value by value from the text of 10.4 to 10.7, and what the
// validator says of it, in the same words.
#pragma once

#include <set>
#include <string>

#include "fuzz/hep001/grammar/column.h"
#include "validator/formats/hep001/judge.h"

namespace hepcheck::hep001::grammar {

// Clause ids; the orders of the datatype families are all called sorted-order here, both kinds
// of ties sorted-ties, both clauses about nan_count minmax-nan-count-value.
using Ids = std::set<std::string>;

// Only the clauses about the contents of indexes.
const ExamineOptions& content_options();

// What the validator finds under these options; a clause that it could not check counts, too.
Ids complaints(TestTable& table);

// The slow judges. `place` stands where an entry has no extremes.
Ids wrong_minmax(const RandomColumn& column, const std::vector<ExpectedChunk>& stored,
                 const Value& place);
Ids wrong_order(const RandomColumn& column, const ExpectedOrder& stored);
Ids wrong_bits(const RandomColumn& column, const std::vector<Value>& values,
               const std::vector<std::byte>& stored);
// A lost value is an error, or a warning if the filter was made with sums that wrap.
Ids lost_values(const RandomColumn& column, const Filter& filter,
                const std::vector<std::byte>& stored);

// Without the clauses that were not looked at, because another one says that the rows are out of
// place or the index is no permutation.
Ids without_blocked(Ids ids);
// Whether bits come from NaN is a guess by design; what remains is about membership.
Ids without_nan_guess(Ids ids);

}  // namespace hepcheck::hep001::grammar
