// The fixture corpus, compiled into the program: files with what a validator must find in
// them. fixtures/FORMAT/manifest.json is the source; the README.md beside it says what its fields
// mean.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "validator/catalogue/clause.h"
#include "validator/examine_file.h"
#include "validator/report.h"

namespace hepcheck::conformance {

using Ids = std::set<std::string, std::less<>>;

// What is to be found in one table of a fixture: clause ids by severity.
struct Expectation {
  std::string group{};  // path of the table group
  Ids fails{}, warns{}, informs{};
  friend bool operator==(const Expectation&, const Expectation&) = default;
};

// A file as one revision sees it: a file that several hold in is as many fixtures.
struct Fixture {
  std::string file{};  // relative to fixtures/FORMAT/
  std::string sha256{};
  std::string format{}, spec{};
  std::string clause{};       // the clause it exists for
  std::string reported_as{};  // the id that the finding carries, if not that of the clause
  std::string shows{};        // one sentence
  std::string ambiguity{};    // id of the ambiguity that the expectation hangs on, if any
  std::string outcome{};      // the verdict, if neither pass nor fail: "unsupported", "unchecked"
  bool valid = false;
  bool asserted = false;  // the group has to be named; it cannot be discovered
  std::string group{};
  Ids keeps{};      // further clauses that a valid fixture keeps at an edge
  Ids unchecked{};  // clauses that nobody can check, among others
  std::vector<Expectation> tables{};
  std::span<const std::byte> image{};  // the bytes of the file

  // The clauses that it shows from its side, valid or broken.
  bool is_about(std::string_view id) const;
};

// Of all formats, in the order of their manifests; the revisions of a file in turn, oldest first.
const std::vector<Fixture>& corpus();
// Each file once, as the last revision that it holds in sees it.
std::vector<const Fixture*> files_of_corpus();
// One file of what is packed, by its path below fixtures/; empty if there is none.
std::span<const std::byte> packed_file(std::string_view name);

// The manifest of the files that one revision has, with what it says of them alone.
std::string manifest_by(const Specification& spec);

// What this program says of a fixture.
FileReport examine(const Fixture& fixture, const ExamineOptions& options = {});

// What this program finds in a fixture, table by table.
struct Observation {
  std::vector<Expectation> tables{};
  std::vector<SubjectVerdict> verdicts{};
  Ids passed{};     // clauses that some table passed
  Ids unchecked{};  // clauses that were not checked in some table, for a reason that is said
  std::string error{};
};
Observation observe(const Fixture& fixture, const ExamineOptions& options = {});

// Why the observation is not what the fixture demands; empty if it is.
std::string difference(const Fixture& fixture, const Observation& observation);

}  // namespace hepcheck::conformance
