// The common part of judging readers of all formats: the judge places the files of the corpus where
// the program finds them, sends requests about them, detects when the program changes one, and
// builds the report. A format supplies the content of a file as seen by the program (`Reading`),
// the requests for it, and a table of checks.
#pragma once

#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/corpus.h"
#include "conformance/suite/engine/judgement.h"
#include "conformance/suite/engine/options.h"
#include "conformance/suite/engine/session.h"
#include "reports/suite_report.h"

namespace hepcheck::suite {

class FileJudge : public Judgement {
 public:
  using Patterns = std::initializer_list<std::string_view>;

  // All must outlive it.
  FileJudge(Session& session, const Specification& spec, const RunOptions& options)
      : session_(session), spec_(spec), options_(options) {}

  const Capabilities& can() const { return session_.can(); }

 protected:
  using Fixture = conformance::Fixture;
  using Fixtures = std::vector<const Fixture*>;

  // The fixtures of the specification that match a pattern, selected or not; each pattern matches
  // some.
  Fixtures matching(Patterns files) const;
  bool wanted(const Fixture& fixture) const { return is_wanted(fixture.file, options_.files); }

  std::string path_of(const Fixture& fixture) const {
    return (options_.folder / fixture.file).string();
  }
  // Writes a file, replacing anything that the program has put there.
  static void put(const std::string& path, std::span<const std::byte> image);
  // A request as anyone can send it: FIXTURES represents the directory.
  std::string reproducible(std::string request) const;
  // Sends a request about a file, which must not change it.
  Reply call(std::span<const std::byte> image, const std::string& path, Json request);

  Session& session_;
  const Specification& spec_;
  const RunOptions& options_;
  // The files about which some clause was judged.
  std::set<const Fixture*> claimed_{};
};

// `Reading` has the members `const Fixture* fixture` and `std::string path`.
template <class Reading>
class ReaderJudge : public FileJudge {
 public:
  using FileJudge::FileJudge;
  std::uint64_t files() const { return readings_.size(); }

 protected:
  // Queries the program about a file that was just replaced.
  virtual void read(Reading& reading) = 0;

  // The file as seen by the program; it is read on first use.
  Reading& reading(const Fixture& fixture) {
    const auto [at, fresh] = readings_.try_emplace(&fixture);
    Reading& reading = at->second;
    if (!fresh) return reading;
    reading.fixture = &fixture;
    reading.path = path_of(fixture);
    put(reading.path, fixture.image);
    read(reading);
    return reading;
  }
  Reply call(const Reading& reading, Json request) {
    return FileJudge::call(reading.fixture->image, reading.path, std::move(request));
  }
  using FileJudge::call;
  const std::map<const Fixture*, Reading>& readings() const { return readings_; }

 private:
  std::map<const Fixture*, Reading> readings_{};
};

using ResultsByClause = std::map<std::string_view, ClauseResult>;

// Runs a table of checks: each has the id of its clause, and a function that takes the judge.
template <class Judge, class Check>
void run_checks(std::span<const Check> checks, const Specification& spec, const RunOptions& options,
                Judge& judge, ResultsByClause& into) {
  for (const Check& each : checks) {
    const Clause* clause = spec.find(each.id.str());
    if (!clause || options.leaves_out(clause->id)) continue;
    each.check(judge);
    into[clause->id] = judge.take(*clause);
  }
}

// The report of a reader: every clause on consumers, and every other one that has been judged.
SuiteReport reader_report(const Session& session, const Specification& spec,
                          const RunOptions& options, ResultsByClause results, std::uint64_t files);

}  // namespace hepcheck::suite
