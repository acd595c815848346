// The reader suite: a program reads the corpus and answers queries; every consumer clause is
// judged by what it replies.
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

// One file of the corpus as the program sees it.
struct Reading {
  const conformance::Fixture* fixture = nullptr;
  std::string path{};  // where it lies on disk
  FileContent expected{};
  Reply describe{};
  std::vector<Reply> reads{};  // one a described table
  FileContent got{};
  std::set<std::string> refused{};  // tables that it will not process
  std::vector<Difference> differences{};
  std::string trouble{}, request{};  // why there is no content, after which request

  bool answered() const;  // every reply was in the protocol
  bool complete() const { return trouble.empty(); }
  bool lists_all() const;   // no table is missing
  bool other_rows() const;  // it takes other rows for the table's: what follows is no wonder
  bool ignores(const TableContent& table) const;  // neither lists nor refuses it
  bool misread(const TableContent& table, const ColumnContent& column) const;  // other values
};

// What clauses are judged by. Files are read, and queries asked, when first needed.
class Judge : public ReaderJudge<Reading> {
 public:
  using Aspects = std::initializer_list<Aspect>;

  using ReaderJudge::ReaderJudge;

  // What the check of a clause may say. Without any of these the clause was not checked.
  void reads(Patterns files, Aspects aspects);   // and they can be read at all
  void agrees(Patterns files, Aspects aspects);  // as far as they can be read
  void refuses(Patterns files);
  void tolerates(Patterns files);   // or refuses; anything in the protocol
  void recognises(Patterns files);  // lists the tables or refuses them by name
  void diagnoses(std::string_view file, const std::string& path);
  struct Asked {
    std::string_view mode = "use";
    std::string_view kind{};             // columns with an index of this KIND; any if empty
    std::set<std::string_view> tests{};  // all if empty
    bool thorough = false;               // every value, not a few
    bool tail = false;                   // also of who takes other rows for the table's
    bool once = false;                   // of columns that are alike, one
    bool all_columns = false;            // whether they have an index or not
  };
  void asks(Patterns files, const Asked& asked);  // answers are those of a scan by us
  void same_answers(Patterns files);              // with and without indexes
  void same_values(std::string_view one, std::string_view other);
  // What the protocol asks for, whatever the clauses say.
  void reads_parts(Patterns files, bool thorough);  // some rows, some columns
  void keeps_modes(Patterns foreign, Patterns conformant);
  void sees_changes(std::string_view before, std::string_view after);  // of one file
  void does_what_it_declares();

  bool queries() const { return session_.can().operations.contains("query"); }
  bool accepted(std::string_view file);  // read as if nothing were wrong
  bool finds_tables();
  // Some table that was read has columns of datatypes that the program does not declare.
  bool left_out() const;

  // Gives the clause that has been judged since the last call.
  ClauseResult take(const Clause& clause);
  // Files that a clause before has spoken for: their loss is not charged again.
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
  struct Told {
    Reply reply{};
    Answer answer{};  // if it is ok
  };
  const Told& ask(const Reading& reading, const std::string& table, const Json& predicate,
                  std::string_view mode);
  std::string wrong_use(const Answer& answer, const ColumnContent& column,
                        std::string_view mode) const;
  bool same_answers(const Reading& reading, const TableContent& table, const ColumnContent& column);
  void ask_column(const Reading& reading, const TableContent& table, const ColumnContent& column,
                  const Asked& asked, bool misread);

  std::map<std::string, Told> answers_{};
  std::set<std::string> columns_asked_{};             // those that are asked of once
  std::set<const conformance::Fixture*> compared_{};  // for the clause at hand
  bool only_unclaimed_ = false;
};

// A consumer clause and what judges it; in the order in which they claim files.
struct ConsumerCheck {
  ClauseId id;
  void (*check)(Judge&);
};
std::span<const ConsumerCheck> consumer_checks();
// Of clauses that only the revision of 2026-07-09 has.
std::span<const ConsumerCheck> newer_consumer_checks();

SuiteReport judge_reader(Session& session, const Specification& spec, const RunOptions& options);

}  // namespace hepcheck::hep001::suite
