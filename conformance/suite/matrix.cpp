#include "conformance/suite/matrix.h"

#include <algorithm>
#include <format>
#include <fstream>
#include <ostream>
#include <set>

namespace hepcheck::suite {

namespace {

bool judged(const std::string& verdict) {
  return verdict == "pass" || verdict == "fail" || verdict == "known";
}

bool failed(const MatrixRow& row) {
  return std::ranges::any_of(row.verdicts,
                             [](const std::string& v) { return v == "fail" || v == "known"; });
}

std::string reason_of(const Json& clause) {
  if (clause.contains("reason")) return clause.at("reason").get<std::string>();
  if (!clause.contains("findings")) return {};
  const Json& first = clause.at("findings").front();
  std::string text = std::format("{} {}: {}", first.value("object", ""), first.value("where", ""),
                                 first.value("observed", ""));
  if (const std::size_t n = clause.at("findings").size(); n > 1)
    text += std::format(" (and {} more)", n - 1);
  return text;
}

std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, 1, '\\');
  return text;
}

void write_text(std::ostream& out, const Matrix& matrix) {
  std::size_t widest = 0;
  for (const MatrixRow& row : matrix.rows) widest = std::max(widest, row.clause.size());
  for (std::size_t i = 0; i < matrix.programs.size(); ++i)
    out << std::format("[{}] {}\n", i + 1, matrix.programs[i]);
  const auto line = [&](const MatrixRow& row) {
    out << std::format("{:<{}}  {:<5} {:<10}", row.clause, widest, row.section, row.level);
    for (std::size_t i = 0; i < row.verdicts.size(); ++i)
      out << std::format("  [{}] {:<14}", i + 1, row.verdicts[i]);
    out << '\n';
    for (std::size_t i = 0; i < row.verdicts.size(); ++i)
      if (row.verdicts[i] == "fail" || row.verdicts[i] == "known")
        out << std::format("    [{}] {}\n", i + 1, row.reasons[i]);
  };
  const auto part = [&](const char* title, auto wanted) {
    out << std::format("\n{}: {}\n", title, std::ranges::count_if(matrix.rows, wanted));
    for (const MatrixRow& row : matrix.rows)
      if (wanted(row)) line(row);
  };
  part("disagreements", [](const MatrixRow& row) { return row.disagreement(); });
  part("failed by all", [](const MatrixRow& row) { return !row.disagreement() && failed(row); });
  part("agreed", [](const MatrixRow& row) { return !row.disagreement() && !failed(row); });
}

void write_markdown(std::ostream& out, const Matrix& matrix) {
  out << "| clause | section | level |";
  for (const std::string& program : matrix.programs) out << ' ' << escaped(program) << " |";
  out << "\n|---|---|---|";
  for (std::size_t i = 0; i < matrix.programs.size(); ++i) out << "---|";
  out << '\n';
  for (const MatrixRow& row : matrix.rows) {
    out << std::format("| {} | {} | {} |", row.disagreement() ? "**" + row.clause + "**" : row.clause,
                       row.section, row.level);
    for (std::size_t i = 0; i < row.verdicts.size(); ++i)
      out << ' ' << row.verdicts[i]
          << (row.verdicts[i] == "fail" || row.verdicts[i] == "known"
                  ? ": " + escaped(row.reasons[i])
                  : "")
          << " |";
    out << '\n';
  }
}

Json to_json(const Matrix& matrix) {
  Json rows = Json::array();
  for (const MatrixRow& row : matrix.rows) {
    Json cells = Json::array();
    for (std::size_t i = 0; i < row.verdicts.size(); ++i) {
      Json cell{{"verdict", row.verdicts[i]}};
      if (!row.reasons[i].empty()) cell["reason"] = row.reasons[i];
      cells.push_back(std::move(cell));
    }
    rows.push_back({{"clause", row.clause}, {"section", row.section}, {"level", row.level},
                    {"disagreement", row.disagreement()}, {"programs", std::move(cells)}});
  }
  return {{"schema", "hepcheck-suite-matrix-1"}, {"programs", matrix.programs}, {"clauses", rows}};
}

}  // namespace

bool MatrixRow::disagreement() const {
  std::set<std::string_view> different;
  for (const std::string& verdict : verdicts)
    if (judged(verdict)) different.insert(verdict);
  return different.size() > 1;
}

Result<Matrix> read_matrix(const std::vector<std::string>& paths, const Specification& spec) {
  Matrix matrix;
  std::vector<Json> reports;
  for (const std::string& path : paths) {
    std::ifstream in(path);
    Json report = Json::parse(in, nullptr, false);
    if (!in || report.is_discarded() || !report.is_object() ||
        report.value("schema", "") != "hepcheck-suite-1")
      return failure(path, "not a report of hepcheck suite --format json");
    reports.push_back(std::move(report));
  }
  try {
    for (const Json& report : reports)
      matrix.programs.push_back(std::format("{} ({})", report.at("program").at("name").get<std::string>(),
                                            report.at("role").get<std::string>()));
    for (const Clause& clause : spec.clauses) {
      MatrixRow row{.clause = std::string(clause.id), .section = std::string(clause.section),
                    .level = std::string(to_string(clause.level))};
      bool known = false;
      for (const Json& report : reports) {
        const Json& clauses = report.at("clauses");
        const auto at = std::ranges::find_if(clauses, [&](const Json& each) {
          return each.at("id").get_ref<const std::string&>() == clause.id;
        });
        known |= at != clauses.end();
        const bool excused = at != clauses.end() && at->value("known", false);
        row.verdicts.push_back(at == clauses.end() ? "-"
                               : excused           ? "known"
                                                   : at->at("verdict").get<std::string>());
        row.reasons.push_back(at == clauses.end() ? "" : reason_of(*at));
      }
      if (known) matrix.rows.push_back(std::move(row));
    }
  } catch (const Json::exception& trouble) {
    return failure("report", trouble.what());
  }
  std::ranges::stable_sort(matrix.rows, {}, [](const MatrixRow& row) {
    return row.disagreement() ? 0 : failed(row) ? 1 : 2;
  });
  return matrix;
}

void write(std::ostream& out, const Matrix& matrix, Format format) {
  switch (format) {
    case Format::kText: write_text(out, matrix); break;
    case Format::kMarkdown: write_markdown(out, matrix); break;
    case Format::kJson:
      out << to_json(matrix).dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  }
}

}  // namespace hepcheck::suite
