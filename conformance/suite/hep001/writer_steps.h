// The requests to a writer about a table, step by step, and the judgement of each step.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "conformance/suite/engine/session.h"
#include "conformance/suite/hep001/crash_replay.h"
#include "conformance/suite/hep001/writer.h"
#include "conformance/suite/hep001/writer_checks.h"

namespace hepcheck::hep001::suite {

// New rows: for each column of a table its values.
using Rows = std::vector<std::vector<Json>>;

// Each step is applied to the present file; `table` is its content before and after the step. A
// step returns false if the table cannot be used further.
class WriterSteps {
 public:
  WriterSteps(Session& session, const Specification& spec, const RunOptions& options);

  bool write(const std::string& name, const Json& description, TableContent& table);
  bool append(const std::string& name, const Rows& rows, TableContent& table,
              Upkeep upkeep = Upkeep::kUnsaid, bool torn_index = false);
  // Puts values into the cells of a column, each `rows[i]`.
  bool update(const std::string& name, const std::string& column,
              const std::vector<std::uint64_t>& rows, const std::vector<Json>& values,
              TableContent& table);
  bool change_index(const std::string& name, Operation operation, const std::string& column,
                    const std::string& kind, TableContent& table);
  bool truncate(const std::string& name, std::uint64_t rows, bool reclaim, TableContent& table,
                Upkeep upkeep = Upkeep::kUnsaid, bool torn_index = false);

  // Starts from a file created by hepcheck.
  bool put_file(const Image& image, TableContent& table);

  // Whether crashes during appends are replayed from now on.
  void replay_crashes(bool replay) { replay_ = replay; }

  const Capabilities& can() const { return can_; }
  Outcomes& outcomes() { return outcomes_; }
  const std::string& file() const { return path_; }
  std::uint64_t files() const { return files_; }
  std::vector<std::string> notes() const;

 private:
  Json in_table(const char* operation, const std::string& table) const;
  void clear();
  bool perform(Step& step, Json request, ClauseId charged, TableContent& table);
  void look_at(Step& step);
  bool done(Step& step, ClauseId charged);
  std::string reproducible(std::string request) const;

  Session& session_;
  const Capabilities& can_;
  const Specification& spec_;
  std::filesystem::path folder_, log_;
  std::string path_;
  CrashReplay crashes_;
  bool replay_ = false;
  Outcomes outcomes_{};
  // File clauses that the table violates already.
  std::set<std::string_view> broken_{};
  std::uint64_t files_ = 0;
};

}  // namespace hepcheck::hep001::suite
