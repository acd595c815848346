// Reads a clause catalogue (conformance/clauses/*.toml). Used when the catalogue is compiled
// into the library, and by tools that read a catalogue from disk.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "validator/catalogue/clause.h"
#include "validator/result.h"

namespace hepcheck {

struct ParsedClause {
  std::string id{}, section{}, object{}, basis{}, statement{}, check{}, valid_case{}, notes{};
  Level level = Level::kMust;
  Subject subject = Subject::kFile;
  Severity default_severity = Severity::kError;
  std::vector<std::string> broken_cases{}, emitted_as{}, also_in{};
};

struct ParsedSpecification {
  std::string id{}, title{}, revision{};
  std::vector<ParsedClause> clauses{};  // in the order of the file
};

// Every key is checked: an unknown key, a missing or ill-typed one, an id that occurs twice
// or is no kebab-case phrase, and an emitted_as that names no clause are errors that say
// which clause they are in.
Result<ParsedSpecification> parse_catalogue(std::string_view toml);

}  // namespace hepcheck
