// The reader suite: a program reads each file of the corpus. There are no clauses on consumers, so
// every clause is judged by what the program makes of the files that keep or break it.
#pragma once

#include "conformance/suite/engine/reader_judge.h"
#include "conformance/suite/hdf5/contents.h"

namespace hepcheck::hdf5::suite {

class FileReader : public FileJudge {
 public:
  using FileJudge::FileJudge;

  // The files of a clause, as far as they are wanted.
  void judge(const Clause& clause);

  std::vector<FileOutcome>& outcomes() { return outcomes_; }

 private:
  void judge(const Fixture& fixture);
  FileOutcome outcome(const Fixture& fixture, const Reply& reply);
  void sound(const Fixture& fixture, const FileOutcome& outcome, const Reply& reply);

  Reading reading_{};  // of the last file that was read
  bool undeclared_ = false;
  std::vector<FileOutcome> outcomes_{};
};

SuiteReport judge_reader(Session& session, const Specification& spec, const RunOptions& options);

}  // namespace hepcheck::hdf5::suite
