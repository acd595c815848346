// Parses a clause catalogue (conformance/clauses/*.toml), when it is compiled into the library and
// in tools that read a catalogue from disk.
#pragma once

#include <cstddef>
#include <expected>
#include <span>
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

struct ParsedAmbiguity {
  std::string id{}, section{}, question{}, reading{}, alternative{}, why{}, effect{};
  std::vector<std::string> clauses{};  // with those that its `basis` represents
};

struct ParsedChapter {
  std::string number{}, title{};
};

struct ParsedSpecification {
  std::string format{}, id{}, title{}, revision{}, url{};
  bool is_default = false;                // the default revision of its format
  std::vector<ParsedChapter> chapters{};  // as shown in reports
  std::vector<ParsedClause> clauses{};    // in the order of the file
  std::vector<ParsedAmbiguity> ambiguities{};
};

// Every key is checked: an unknown key, a missing or ill-typed value, a duplicate id or one that is
// not in kebab case, and an emitted_as or an ambiguity that names no clause are errors that
// identify the entry.
Result<ParsedSpecification> parse_catalogue(std::string_view toml);

struct CatalogueError {
  std::size_t index;  // of the text that is wrong
  Error error;
};
template <class T>
using CatalogueResult = std::expected<T, CatalogueError>;

// Parses the texts of several catalogues, in their order. A catalogue may be a difference to
// another one of the same format (`follows` in its head, difference.h).
CatalogueResult<std::vector<ParsedSpecification>> parse_catalogues(
    std::span<const std::string> texts);

}  // namespace hepcheck
