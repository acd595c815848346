// What a program replies, taken apart. It may send anything: what is not in the protocol comes back
// as a sentence that says so.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "conformance/suite/engine/reply.h"
#include "conformance/suite/hep001/content.h"

namespace hepcheck::hep001::suite {

// What the hello of a program can name.
extern const Vocabulary kWords;

struct Description {
  FileContent tables{};
  std::set<std::string> refused{};  // paths
};
Parsed<Description> parse_description(const Json& body);

// Puts the values of a reply to `read` into a table that was described.
Parsed<void> parse_values(const Json& body, TableContent& into);

// The reply to a query.
struct Answer {
  std::vector<std::uint64_t> rows{};
  std::set<std::string> used{};  // families of indexes
};
Parsed<Answer> parse_answer(const Json& body);

}  // namespace hepcheck::hep001::suite
