// The common part of judging readers by whole files: a program reads each file of the corpus once.
// A sound file must be read; a broken one may be refused, or read with the values that it or its
// sound original has. A format compares a reply with what the file has.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/suite/engine/difference.h"
#include "conformance/suite/engine/reader_judge.h"

namespace hepcheck::suite {

// What a program has read of a file.
struct FileContent {
  // The first thing that no description of the file has: values, names, what is missing.
  std::optional<Difference> wrong{};
  // The first refusal of something in it. `excused`: of datatypes that the program does not
  // declare, or of values that are not in the file.
  std::string refused{}, excused{};
  bool unjudged = false;  // something in it has no expected value
};

// Sound files that a reader may refuse.
struct MayRefuse {
  std::string_view files, reason;
};

// A JSON file of the corpus, which the generators wrote: "hdf5/contents.json".
Json corpus_document(std::string_view name);

class FileReader : public FileJudge {
 public:
  FileReader(Session& session, const Specification& spec, const RunOptions& options,
             std::span<const MayRefuse> may_refuse)
      : FileJudge(session, spec, options), may_refuse_(may_refuse) {}
  virtual ~FileReader() = default;

  // Whether the clause has files that are wanted.
  bool has_files(const Clause& clause) const;
  // The files of a clause, as far as they are wanted.
  void judge(const Clause& clause);
  // Judges the clauses with files; `results` has those that were judged otherwise.
  SuiteReport report(ResultsByClause results);

 protected:
  struct Read {
    FileOutcome outcome{};
    FileContent content{};
    Reply reply{};
  };
  // The request to read a file.
  virtual Json request(const std::string& path) const = 0;
  // Compares the body of a reply with what the file has. Throws `Malformed`.
  virtual FileContent compare(const Fixture& fixture, const Json& body) = 0;

  // The file as seen by the program; it is read on first use.
  const Read& read(const Fixture& fixture);
  void judge(const Fixture& fixture);

 private:
  bool is_file_of(const Fixture& fixture, const Clause& clause) const;
  void decide(const Fixture& fixture, Read& read);
  void sound(const Fixture& fixture, const Read& read);

  std::span<const MayRefuse> may_refuse_;
  std::map<const Fixture*, Read> reads_{};
};

}  // namespace hepcheck::suite
