// Several programs side by side, from the JSON reports of their runs.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "conformance/suite/report.h"

namespace hepcheck::suite {

struct MatrixRow {
  std::string clause{}, section{}, level{};
  std::vector<std::string> verdicts{};  // one a program: "pass", "fail", "known", ..., "-"
  std::vector<std::string> reasons{};   // why it failed or was not judged
  // They do not all say the same, programs left aside to which the clause does not apply.
  bool disagreement() const;
};

struct Matrix {
  std::vector<std::string> programs{};  // name, and role where it is needed to tell them apart
  std::vector<MatrixRow> rows{};        // disagreements first, then failures, in order of the text
};

// Reads reports that `hepcheck suite reader|writer --format json` wrote.
Result<Matrix> read_matrix(const std::vector<std::string>& paths, const Specification& spec);

void write(std::ostream& out, const Matrix& matrix, Format format);

}  // namespace hepcheck::suite
