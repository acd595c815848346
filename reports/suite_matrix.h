// Several programs side by side, from the JSON reports of their runs.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "reports/suite_report.h"

namespace hepcheck::suite {

// What one program's report says of one clause.
struct MatrixCell {
  bool judged = false;  // false: its report does not know the clause
  ClauseResult result{};
  std::string known{};  // the reason, if all of it is a known failure

  std::string verdict() const;  // "pass", "fail", "known", "not-applicable", "not-checked", "-"
  bool failed() const { return judged && result.verdict == Verdict::kFail; }
  std::string reason() const;  // why it failed or was not judged; the first place of several
};

struct MatrixRow {
  const Clause* clause = nullptr;
  std::vector<MatrixCell> cells{};  // one a program

  // They do not all say the same, programs left aside to which the clause does not apply.
  bool disagreement() const;
  bool failed() const;  // by any of them
};

// What the programs made of one file; an outcome is empty if a report does not have the file.
struct MatrixFile {
  std::string file{}, clause{};
  bool sound = false;
  struct Cell {
    std::string outcome{}, detail{};
  };
  std::vector<Cell> cells{};  // one a program
};

struct MatrixProgram {
  std::string name{}, role{};
  std::vector<std::string> scope{};  // as in its report
  std::string text() const { return name + " (" + role + ")"; }
};

struct Matrix {
  const Specification* spec = nullptr;
  std::vector<MatrixProgram> programs{};
  std::vector<MatrixRow> rows{};    // disagreements first, then failures, in order of the text
  std::vector<MatrixFile> files{};  // if the reports have them, by name
};

// Makes a matrix from the texts of reports, each with the name that messages about it contain.
Result<Matrix> make_matrix(const std::vector<std::pair<std::string, std::string>>& reports,
                           const Specification& spec);
// Reads reports that `hepcheck suite reader|writer --format json` wrote, all by one revision.
Result<Matrix> read_matrix(const std::vector<std::string>& paths);

void write(std::ostream& out, const Matrix& matrix, const Writing& how);
// File by file: how often there was each outcome, then the outcomes of broken and of sound files.
// As text, Markdown or JSON.
void write_files(std::ostream& out, const Matrix& matrix, const Writing& how);

// The same for the writers of reports/: every program is a file with one table, and its clauses
// come in the order of the rows.
Report as_report(const Matrix& matrix);

}  // namespace hepcheck::suite
