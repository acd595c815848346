// Parses the replies of a program, which may send anything: a violation of the protocol becomes a
// message.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "conformance/suite/engine/reply.h"
#include "conformance/suite/hep001/content.h"

namespace hepcheck::hep001::suite {

// The values that the hello of a program may contain.
extern const Vocabulary kWords;

struct Description {
  FileContent tables{};
  std::set<std::string> refused{};  // paths
};
Parsed<Description> parse_description(const Json& body);

// Adds the values of a reply to `read` to a described table.
Parsed<void> parse_values(const Json& body, TableContent& into);

// The reply to a query.
struct Answer {
  std::vector<std::uint64_t> rows{};
  std::set<std::string> used{};  // families of indexes
};
Parsed<Answer> parse_answer(const Json& body);

}  // namespace hepcheck::hep001::suite
