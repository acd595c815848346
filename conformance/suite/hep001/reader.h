// The reader suite: a program reads the corpus and answers queries; every consumer clause is judged
// by its replies.
#pragma once

#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "conformance/corpus.h"
#include "conformance/suite/engine/reader_judge.h"
#include "conformance/suite/hep001/compare.h"
#include "validator/formats/hep001/clause_ids.h"

namespace hepcheck::hep001::suite {

// One file of the corpus as seen by the program.
struct Reading {
  const conformance::Fixture* fixture = nullptr;
  std::string path{};  // its path on disk
  FileContent expected{};
  Reply describe{};
  std::vector<Reply> reads{};  // one per described table
  FileContent got{};
  std::set<std::string> refused{};  // tables that the program refuses
  std::vector<Difference> differences{};
  std::string trouble{}, request{};  // the reason why there is no content, and the request

  bool answered() const;  // every reply conformed to the protocol
  bool complete() const { return trouble.empty(); }
  bool lists_all() const;  // no table is missing
  bool other_rows()
      const;  // it returns other rows of the table: further differences follow from that
  bool ignores(const TableContent& table) const;  // neither lists nor refuses it
  bool misread(const TableContent& table, const ColumnContent& column) const;  // other values
};

// The operations of a check. Files are read, and queries sent, on first use.
class TableReaderJudge : public ReaderJudge<Reading> {
 public:
  using Aspects = std::initializer_list<Aspect>;

  using ReaderJudge::ReaderJudge;

  // The possible results of a check. Without any of these the clause was not checked.
  void reads(Patterns files, Aspects aspects);   // and they can be read at all
  void agrees(Patterns files, Aspects aspects);  // as far as they can be read
  void refuses(Patterns files);
  void tolerates(Patterns files);   // or refuses; any reply of the protocol
  void recognises(Patterns files);  // lists the tables or refuses them by name
  void diagnoses(std::string_view file, const std::string& path);
  struct Asked {
    std::string_view mode = "use";
    std::string_view kind{};             // columns with an index of this KIND; any if empty
    std::set<std::string_view> tests{};  // all if empty
    bool thorough = false;               // every value, instead of a few
    bool tail = false;                   // also for programs that return other rows of the table
    bool once = false;                   // one of similar columns
    bool all_columns = false;            // whether they have an index or not
  };
  void asks(Patterns files, const Asked& asked);  // answers equal those of a scan by hepcheck
  void same_answers(Patterns files);              // with and without indexes
  void same_values(std::string_view one, std::string_view other);
  // Requirements of the protocol, independent of the clauses.
  void reads_parts(Patterns files, bool thorough);  // some rows, some columns
  void keeps_modes(Patterns foreign, Patterns conformant);
  void sees_changes(std::string_view before, std::string_view after);  // of one file
  void does_what_it_declares();

  bool queries() const { return session_.can().operations.contains("query"); }
  bool accepted(std::string_view file);  // read as if it were valid
  bool finds_tables();
  // Some table that was read has columns of datatypes that the program does not declare.
  bool left_out() const;

  // Returns the clause that was judged since the last call.
  ClauseResult take(const Clause& clause);
  // Files that an earlier clause has claimed: their failure is not charged again.
  void charge_only_unclaimed() { only_unclaimed_ = true; }

 private:
  void read(Reading& reading) override;
  void read_all(Reading& reading);
  void refuses_data(const Reading& seen);
  Fixtures select(Patterns files) const;
  bool beyond(const Reading& reading) const;
  void fail(const Reading& reading, std::string where, std::string observed, std::string expected,
            const std::string& request = {});
  bool readable(const Reading& reading);
  void take_differences(const Reading& reading, Aspects aspects);
  struct Window;
  void read_part(const Reading& reading, const TableContent& table, const Window& window);
  void ask_whether_stale(const Reading& now);
  void describe_in_mode(const Reading& reading, std::string_view mode, bool refused);
  struct QueryResult {
    Reply reply{};
    Answer answer{};  // if it is ok
  };
  const QueryResult& ask(const Reading& reading, const std::string& table, const Json& predicate,
                         std::string_view mode);
  std::string wrong_use(const Answer& answer, const ColumnContent& column,
                        std::string_view mode) const;
  bool same_answers(const Reading& reading, const TableContent& table, const ColumnContent& column);
  void ask_column(const Reading& reading, const TableContent& table, const ColumnContent& column,
                  const Asked& asked, bool misread);

  std::map<std::string, QueryResult> answers_{};
  std::set<std::string> columns_asked_{};             // those that are queried once
  std::set<const conformance::Fixture*> compared_{};  // for the present clause
  bool only_unclaimed_ = false;
};

// A consumer clause and its check, in the order in which they claim files.
struct ConsumerCheck {
  ClauseId id;
  void (*check)(TableReaderJudge&);
};
std::span<const ConsumerCheck> consumer_checks();
// Checks of clauses that only the revision of 2026-07-09 has.
std::span<const ConsumerCheck> newer_consumer_checks();

SuiteReport judge_reader(Session& session, const Specification& spec, const RunOptions& options);

}  // namespace hepcheck::hep001::suite
