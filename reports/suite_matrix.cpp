#include "reports/suite_matrix.h"

#include <algorithm>
#include <format>
#include <map>
#include <ostream>
#include <set>

#include "reports/escape.h"
#include "reports/json.h"
#include "reports/tally.h"
#include "validator/read_whole.h"

namespace hepcheck::suite {

namespace {

void write_text(std::ostream& out, const Matrix& matrix) {
  std::size_t widest = 0;
  for (const MatrixRow& row : matrix.rows) widest = std::max(widest, row.clause->id.size());
  for (std::size_t i = 0; i < matrix.programs.size(); ++i)
    out << std::format("[{}] {}\n", i + 1, reports::escaped(matrix.programs[i].text()));
  const auto line = [&](const MatrixRow& row) {
    out << std::format("{:<{}}  {:<5} {:<10}", row.clause->id, widest, row.clause->section,
                       to_string(row.clause->level));
    std::string gap = "  ";
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const std::string verdict = row.cells[i].verdict();
      out << std::format("{}[{}] {}", gap, i + 1, verdict);
      gap = std::string(16 - verdict.size(), ' ');
    }
    out << '\n';
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      if (row.cells[i].failed()) out << std::format("    [{}] {}\n", i + 1, row.cells[i].reason());
  };
  const auto part = [&](const char* title, auto wanted) {
    out << std::format("\n{}: {}\n", title, std::ranges::count_if(matrix.rows, wanted));
    for (const MatrixRow& row : matrix.rows)
      if (wanted(row)) line(row);
  };
  part("disagreements", [](const MatrixRow& row) { return row.disagreement(); });
  part("failed by all", [](const MatrixRow& row) { return !row.disagreement() && row.failed(); });
  part("agreed", [](const MatrixRow& row) { return !row.disagreement() && !row.failed(); });
}

void write_markdown(std::ostream& out, const Matrix& matrix) {
  out << "| clause | section | level |";
  for (const MatrixProgram& program : matrix.programs)
    out << ' ' << reports::table_cell(reports::escaped(program.text())) << " |";
  out << "\n|---|---|---|";
  for (std::size_t i = 0; i < matrix.programs.size(); ++i) out << "---|";
  out << '\n';
  for (const MatrixRow& row : matrix.rows) {
    const std::string mark = row.disagreement() ? "**" : "";
    out << std::format("| {}{}{} | {} | {} |", mark, row.clause->id, mark, row.clause->section,
                       to_string(row.clause->level));
    for (const MatrixCell& cell : row.cells)
      out << ' ' << cell.verdict()
          << (cell.failed() ? ": " + reports::table_cell(cell.reason()) : "") << " |";
    out << '\n';
  }
}

// --- File by file -------------------------------------------------------------------------------

// What is worth a look: a detail is shown for these.
bool notable(const std::string& outcome) {
  return !outcome.empty() &&
         std::ranges::none_of(outcome, [](char c) { return c >= 'a' && c <= 'z'; });
}

// Outcomes of sound or broken files by word, one number a program.
std::map<std::string, std::vector<std::size_t>> tally_of(const Matrix& matrix, bool sound) {
  std::map<std::string, std::vector<std::size_t>> counts;
  for (const MatrixFile& file : matrix.files)
    if (file.sound == sound)
      for (std::size_t i = 0; i < file.cells.size(); ++i)
        if (const std::string& word = file.cells[i].outcome; !word.empty()) {
          counts[word].resize(file.cells.size());
          ++counts[word][i];
        }
  return counts;
}

// A sound file that everybody reads is only counted.
bool listed(const MatrixFile& file) {
  return !file.sound || std::ranges::any_of(file.cells, [](const MatrixFile::Cell& cell) {
    return !cell.outcome.empty() && cell.outcome != "right" && cell.outcome != "not compared";
  });
}

void write_files_as_text(std::ostream& out, const Matrix& matrix) {
  for (std::size_t i = 0; i < matrix.programs.size(); ++i)
    out << std::format("[{}] {}\n", i + 1, reports::escaped(matrix.programs[i].text()));
  for (const bool sound : {false, true}) {
    out << std::format("\n{} files\n", sound ? "sound" : "broken");
    for (const auto& [word, counts] : tally_of(matrix, sound)) {
      out << std::format("  {:<16}", word);
      for (const std::size_t count : counts) out << std::format("{:>6}", count);
      out << '\n';
    }
    for (const MatrixFile& file : matrix.files) {
      if (file.sound != sound || !listed(file)) continue;
      out << std::format("{}\n   ", reports::escaped(file.file));
      for (std::size_t i = 0; i < file.cells.size(); ++i)
        out << std::format(" [{}] {}", i + 1,
                           file.cells[i].outcome.empty() ? "-" : file.cells[i].outcome);
      out << '\n';
      for (std::size_t i = 0; i < file.cells.size(); ++i)
        if (notable(file.cells[i].outcome))
          out << std::format("    [{}] {}\n", i + 1, reports::escaped(file.cells[i].detail));
    }
  }
}

void write_files_as_markdown(std::ostream& out, const Matrix& matrix) {
  const auto head = [&](const char* first) {
    out << "\n| " << first << " |";
    for (const MatrixProgram& program : matrix.programs)
      out << ' ' << reports::table_cell(reports::escaped(program.name)) << " |";
    out << "\n|---|";
    for (std::size_t i = 0; i < matrix.programs.size(); ++i) out << "---|";
    out << '\n';
  };
  for (const bool sound : {false, true}) {
    out << (sound ? "\n" : "") << (sound ? "## Sound files\n" : "## Broken files\n");
    head("outcome");
    for (const auto& [word, counts] : tally_of(matrix, sound)) {
      out << "| " << word << " |";
      for (const std::size_t count : counts) out << ' ' << count << " |";
      out << '\n';
    }
    head("file");
    for (const MatrixFile& file : matrix.files) {
      if (file.sound != sound || !listed(file)) continue;
      out << "| `" << reports::table_cell(reports::escaped(file.file)) << "` |";
      for (const MatrixFile::Cell& cell : file.cells)
        out << ' ' << (notable(cell.outcome) ? "**" + cell.outcome + "**" : cell.outcome) << " |";
      out << '\n';
    }
  }
}

Json files_to_json(const Matrix& matrix) {
  Json files = Json::array();
  for (const MatrixFile& file : matrix.files) {
    Json cells = Json::array();
    for (const MatrixFile::Cell& cell : file.cells)
      cells.push_back(
          cell.outcome.empty() ? Json() : Json{{"outcome", cell.outcome}, {"detail", cell.detail}});
    files.push_back({{"file", file.file},
                     {"clause", file.clause},
                     {"sound", file.sound},
                     {"programs", std::move(cells)}});
  }
  return files;
}

Json to_json(const Matrix& matrix) {
  Json programs = Json::array(), rows = Json::array();
  for (const MatrixProgram& program : matrix.programs) programs.push_back(program.text());
  for (const MatrixRow& row : matrix.rows) {
    Json cells = Json::array();
    for (const MatrixCell& each : row.cells) {
      Json cell{{"verdict", each.verdict()}};
      if (const std::string reason = each.reason(); !reason.empty()) cell["reason"] = reason;
      cells.push_back(std::move(cell));
    }
    rows.push_back({{"clause", row.clause->id},
                    {"section", row.clause->section},
                    {"level", to_string(row.clause->level)},
                    {"disagreement", row.disagreement()},
                    {"programs", std::move(cells)}});
  }
  Json made{{"schema", "hepcheck-suite-matrix-1"}, {"programs", programs}, {"clauses", rows}};
  if (!matrix.files.empty()) made["files"] = files_to_json(matrix);
  return made;
}

// A member that is a list; an empty one if it is absent and may be.
Json list_in(const Json& report, const char* member, bool required = false) {
  Json list = required ? report.at(member) : report.value(member, Json::array());
  if (!list.is_array()) throw std::runtime_error(std::format("\"{}\" is not a list", member));
  return list;
}

Verdict verdict_of(const std::string& word) {
  for (const Verdict each :
       {Verdict::kPass, Verdict::kFail, Verdict::kNotApplicable, Verdict::kNotChecked})
    if (to_string(each) == word) return each;
  throw std::runtime_error("an unknown verdict");
}

// A clause as to_json of a report has it.
MatrixCell cell_of(const Json& json, const Clause& clause) {
  MatrixCell cell{.judged = true,
                  .result = {.clause = &clause, .severity = clause.default_severity}};
  cell.result.verdict = verdict_of(json.at("verdict").get<std::string>());
  cell.result.reason = json.value("reason", "");
  cell.result.examined = json.at("examined").get<std::uint64_t>();
  // Filled one by one: what is thrown while an aggregate is made may be freed twice (g++).
  for (const Json& json_finding : list_in(json, "findings")) {
    Finding finding;
    finding.object = json_finding.at("object").get<std::string>();
    finding.where = json_finding.at("where").get<std::string>();
    finding.observed = json_finding.at("observed").get<std::string>();
    finding.expected = json_finding.at("expected").get<std::string>();
    finding.hint = json_finding.value("reproduce", "");
    cell.result.findings.push_back(std::move(finding));
  }
  if (cell.failed() && json.at("known").get<bool>())
    cell.known = json.at("findings").at(0).at("known").get<std::string>();
  if (cell.failed() && cell.result.findings.empty())
    throw std::runtime_error("a failure without a place");
  return cell;
}

}  // namespace

std::string MatrixCell::verdict() const {
  return !judged ? "-" : known.empty() ? std::string(to_string(result.verdict)) : "known";
}

std::string MatrixCell::reason() const {
  if (!known.empty()) return reports::escaped(known);
  if (!failed()) return reports::escaped(result.reason);
  const Finding& first = result.findings.front();
  std::string text = reports::escaped(std::format("{}: {}", reports::place(first), first.observed));
  if (const std::size_t n = result.findings.size(); n > 1)
    text += std::format(" (and {} more)", n - 1);
  return text;
}

bool MatrixRow::disagreement() const {
  std::set<std::string> different;
  for (const MatrixCell& cell : cells)
    if (cell.failed() || (cell.judged && cell.result.verdict == Verdict::kPass))
      different.insert(cell.verdict());
  return different.size() > 1;
}

bool MatrixRow::failed() const { return std::ranges::any_of(cells, &MatrixCell::failed); }

namespace {

bool is_outcome(const std::string& word) {
  using Kind = FileOutcome::Kind;
  for (auto kind = Kind::kRight; kind <= Kind::kNotAsked;
       kind = static_cast<Kind>(static_cast<int>(kind) + 1))
    if (to_string(kind) == word) return true;
  return false;
}

// The messages of the JSON library quote the text, which may be anything.
std::unexpected<Error> not_one(const std::string& name, const std::string& why) {
  return failure(name, "not a report of hepcheck suite --format json: " + why);
}

}  // namespace

Result<Matrix> make_matrix(const std::vector<std::pair<std::string, std::string>>& reports,
                           const Specification& spec) {
  Matrix matrix{.spec = &spec};
  std::map<std::string, MatrixFile> files;
  std::vector<std::map<const Clause*, MatrixCell>> cells_of_reports;
  for (const auto& [name, text] : reports) try {
      const Json report = reports::parse_bounded(text);
      if (report.at("schema") != "hepcheck-suite-1") throw std::runtime_error("a different schema");
      MatrixProgram program;
      program.name = reports::brief(report.at("program").at("name").get<std::string>(), 200);
      program.role = report.at("role").get<std::string>();
      if (program.role != "reader" && program.role != "writer")
        throw std::runtime_error("an unknown role");
      // Reports of earlier versions have no scope.
      for (const Json& datatype : list_in(report, "scope")) {
        program.scope.push_back(datatype.get<std::string>());
        if (!is_kind(program.scope.back()))
          throw std::runtime_error("\"scope\" is not a list of words");
      }
      if (report.value("specification", std::string(spec.id)) != spec.id)
        throw std::runtime_error("judged by a different revision than the first one");
      matrix.programs.push_back(std::move(program));
      auto& cells = cells_of_reports.emplace_back();
      for (const Json& json : list_in(report, "clauses", true))
        if (const Clause* clause = spec.find(json.at("id").get<std::string>()))
          cells[clause] = cell_of(json, *clause);
      for (const Json& json : list_in(report, "outcomes")) {
        const std::string file = json.at("file").get<std::string>();
        MatrixFile& row = files[file];
        row.file = file;
        row.clause = json.at("clause").get<std::string>();
        row.sound = json.at("sound").get<bool>();
        row.cells.resize(reports.size());
        row.cells[matrix.programs.size() - 1] = {.outcome = json.at("outcome").get<std::string>(),
                                                 .detail = json.at("detail").get<std::string>()};
        if (!is_outcome(row.cells[matrix.programs.size() - 1].outcome))
          throw std::runtime_error("an unknown outcome");
      }
    } catch (const Json::parse_error& trouble) {
      return not_one(name, std::format("invalid or incomplete JSON at byte {}", trouble.byte));
    } catch (const Json::exception&) {
      return not_one(name, "a member is missing, or of a different kind");
    } catch (const std::exception& trouble) {
      return not_one(name, trouble.what());
    }
  for (const Clause& clause : spec.clauses) {
    MatrixRow row{.clause = &clause};
    for (const auto& cells : cells_of_reports) {
      const auto at = cells.find(&clause);
      row.cells.push_back(at == cells.end() ? MatrixCell{} : at->second);
    }
    if (std::ranges::any_of(row.cells, &MatrixCell::judged)) matrix.rows.push_back(std::move(row));
  }
  for (auto& [name, row] : files) matrix.files.push_back(std::move(row));
  std::ranges::stable_sort(matrix.rows, {}, [](const MatrixRow& row) {
    return row.disagreement() ? 0 : row.failed() ? 1 : 2;
  });
  return matrix;
}

namespace {

// The revision by which a report judges; the first that there is if it does not say so.
const Specification& revision_in(const std::string& report) {
  Json json;
  try {
    json = reports::parse_bounded(report);
  } catch (const std::exception&) {
  }
  if (json.is_object() && json.contains("specification") && json.at("specification").is_string())
    if (const auto* spec = find_specification(json.at("specification").get<std::string>()))
      return *spec;
  return all_specifications().front();
}

}  // namespace

Result<Matrix> read_matrix(const std::vector<std::string>& paths) {
  std::vector<std::pair<std::string, std::string>> reports;
  for (const std::string& path : paths) {
    std::optional<std::string> text = read_whole(path);
    if (!text) return failure(path, "cannot be read");
    reports.emplace_back(path, *std::move(text));
  }
  return make_matrix(reports, revision_in(reports.front().second));
}

void write(std::ostream& out, const Matrix& matrix, const Writing& how) {
  if (how.form == "text")
    write_text(out, matrix);
  else if (how.form == "markdown")
    write_markdown(out, matrix);
  else if (how.form == "json")
    out << to_json(matrix).dump(2, ' ', true, Json::error_handler_t::replace) << '\n';
  else
    write_as_files(out, as_report(matrix), how);
}

void write_files(std::ostream& out, const Matrix& matrix, const Writing& how) {
  if (how.form == "markdown")
    write_files_as_markdown(out, matrix);
  else if (how.form == "json")
    write(out, matrix, how);
  else
    write_files_as_text(out, matrix);
}

Report as_report(const Matrix& matrix) {
  Report report{.spec = matrix.spec};
  for (std::size_t i = 0; i < matrix.programs.size(); ++i) {
    std::vector<KnownResult> clauses;
    for (const MatrixRow& row : matrix.rows)
      if (const MatrixCell& cell = row.cells[i]; cell.judged)
        clauses.push_back({cell.result, cell.known});
    const MatrixProgram& program = matrix.programs[i];
    report.files.push_back(as_report(*matrix.spec, program.name, program.role, std::move(clauses)));
    report.files.back().subjects.front().scope = program.scope;
  }
  return report;
}

}  // namespace hepcheck::suite
