// The reader suite: a program reads the corpus; every consumer clause is judged by its replies.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "conformance/corpus.h"
#include "conformance/suite/arrow/compare.h"
#include "conformance/suite/arrow/random_tables.h"
#include "conformance/suite/engine/reader_judge.h"
#include "validator/formats/arrow/clause_ids.h"

namespace hepcheck::arrow::suite {

// One input of the corpus as seen by the program.
struct Reading {
  const conformance::Fixture* fixture = nullptr;
  std::string path{};                  // its path on disk
  std::optional<Content> expected{};   // nothing if it is invalid
  std::vector<std::string> unknown{};  // its classes that the program does not declare
  Reply describe{}, read{};
  Described described{};
  std::vector<std::vector<Json>> columns{};

  bool ok() const { return describe.ok() && read.ok(); }
  bool answered() const { return describe.answered() && read.answered(); }
  const Reply& first_trouble() const { return describe.ok() ? read : describe; }
  // The first difference from the input.
  std::optional<Difference> difference() const;
};

// The operations of a check. Inputs are read on first use.
class ArrowReaderJudge : public ReaderJudge<Reading> {
 public:
  ArrowReaderJudge(Session& session, const Specification& spec, const RunOptions& options);

  // For files whose framing and types the program declares.
  void reads(Patterns files);           // unchanged
  void agrees(Patterns files);          // unchanged, or a reason why not
  void agrees_if_read(Patterns files);  // the same for files that only the last check may claim
  void refuses(Patterns files);         // an error of any kind
  void ends(Patterns files);            // a result or an error, within the limits
  // Unchanged, or a refusal that names the type: its class, or `name`.
  void converts(Patterns files, std::string_view name = {});
  void counts_rows(Patterns files);  // describes the correct number of rows, or states why not
  void null_counts(Patterns files);  // those of the columns
  void speaks_of(Patterns files, std::string_view word);  // in an error or a diagnostic
  void takes_batches(Patterns files, const std::vector<std::size_t>& batches);
  void child_alone(Patterns files, std::size_t column, std::size_t child);
  void keeps_schema(Patterns files);  // when it copies them
  void keeps_values(Patterns files);
  // Everything that no other clause has claimed: unchanged values, or a refusal that names the
  // type. Random tables have declared types.
  void converts_the_rest();
  void ends_whatever_comes();

  ClauseResult take(const Clause& clause);

 private:
  // The inputs that the program can be requested to read.
  Fixtures select(Patterns files, bool claimed = true);
  void read(Reading& reading) override;
  void parse(Reading& reading);
  Reply asked_to_read(const Reading& reading);
  void reads_random_tables();
  std::optional<Content> copied(const Reading& reading);
  void fail(const Reading& reading, const Difference& difference, const Reply& reply);
  void fail(const Reading& reading, std::string observed, std::string expected, const Reply& reply);
  void compare(const Reading& reading, bool may_refuse);
  void convert(const Reading& reading, std::string_view other = {});
  // What it says beside the types of fields and the sum of rows: nullability, the batches, and what
  // it declares of metadata and null counts.
  void describes(const Reading& reading);
  void survives(std::span<const std::byte> image, const conformance::Fixture& fixture,
                const std::string& where);

  std::vector<RandomTable> random_;
  std::vector<conformance::Fixture> drawn_{};        // the same as files to read
  std::set<const conformance::Fixture*> counted_{};  // their null counts have been compared
  bool undeclared_ =
      false;  // for the present clause, some file was skipped because of undeclared types
  std::string undeclared_words_{};
};

struct ConsumerCheck {
  ClauseId id;
  void (*check)(ArrowReaderJudge&);
};
// In the order in which they claim files.
std::span<const ConsumerCheck> consumer_checks();

SuiteReport judge_reader(Session& session, const Specification& spec, const RunOptions& options);

}  // namespace hepcheck::arrow::suite
