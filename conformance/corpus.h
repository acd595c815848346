// The fixture corpus, built into the program: files with the expected results of a validator.
// fixtures/FORMAT/manifest.json is the source; the README.md next to it documents its fields.
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

// The expected result for one table of a fixture: clause ids by severity.
struct Expectation {
  std::string group{};  // path of the table group
  Ids fails{}, warns{}, informs{};
  friend bool operator==(const Expectation&, const Expectation&) = default;
};

// A file as seen by one revision: a file of several revisions gives as many fixtures.
struct Fixture {
  std::string file{};  // relative to fixtures/FORMAT/
  std::string sha256{};
  std::string format{}, spec{};
  std::string clause{};       // the clause for which it exists
  std::string reported_as{};  // the id of the finding, if it differs from the clause
  std::string shows{};        // one sentence
  std::string ambiguity{};    // id of the ambiguity on which the expectation depends, if any
  std::string outcome{};      // the verdict, if neither pass nor fail: "unsupported", "unchecked"
  bool valid = false;
  bool asserted = false;  // the group must be named; it cannot be discovered
  std::string group{};
  Ids keeps{};      // further clauses that a valid fixture shows at an edge
  Ids unchecked{};  // clauses that, among others, cannot be checked
  std::vector<Expectation> tables{};
  std::span<const std::byte> image{};  // the bytes of the file

  // The clauses that it shows, as valid or as broken.
  bool is_about(std::string_view id) const;
};

// The fixtures of all formats, in the order of their manifests; for each file, the oldest revision
// first.
const std::vector<Fixture>& corpus();
// Those of one revision. Much quicker, because only the manifest of its format is read.
const std::vector<Fixture>& corpus_of(const Specification& spec);
// Each file once, as seen by its last revision.
std::vector<const Fixture*> files_of_corpus();
// One packed file, by its path below fixtures/; empty if there is none.
std::span<const std::byte> packed_file(std::string_view name);

// The manifest of the files of one revision, with only its expectations.
std::string manifest_by(const Specification& spec);

// The result of this program for a fixture.
FileReport examine(const Fixture& fixture, const ExamineOptions& options = {});

// The findings of this program in a fixture, table by table.
struct Observation {
  std::vector<Expectation> tables{};
  std::vector<SubjectVerdict> verdicts{};
  Ids passed{};     // clauses that some table passed
  Ids unchecked{};  // clauses that were not checked in some table, with the reason
  std::string error{};
};
Observation observe(const Fixture& fixture, const ExamineOptions& options = {});

// The reason why the observation differs from the expectation; empty if it does not.
std::string difference(const Fixture& fixture, const Observation& observation);

}  // namespace hepcheck::conformance
