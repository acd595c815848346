// hepcheck baseline: known findings.
#include "cli/baseline.h"

#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <format>
#include <memory>
#include <print>

#include "cli/commands.h"
#include "cli/confined_file.h"
#include "cli/limits.h"
#include "reports/baseline.h"
#include "reports/escape.h"
#include "reports/tally.h"
#include "validator/read_whole.h"

namespace hepcheck::cli {

namespace {

namespace fs = std::filesystem;

// Paths inside the directory of the baseline are stored relative to it.
reports::Rename renamer(const std::string& baseline) {
  const fs::path folder = fs::weakly_canonical(fs::absolute(baseline)).parent_path();
  return [folder](const std::string& path) -> std::string {
    if (path == "-") return path;
    const fs::path whole = fs::weakly_canonical(fs::absolute(path));
    const fs::path near = whole.lexically_relative(folder);
    return near.empty() || *near.begin() == ".." ? whole.generic_string() : near.generic_string();
  };
}

Result<std::string> text_of(const ExaminingArguments& arguments) {
  if (arguments.confined_baseline) return read_confined(*arguments.confined_baseline);
  if (auto text = read_whole(arguments.baseline)) return *std::move(text);
  return failure(arguments.baseline, "cannot be read");
}

// Whether these specifications can find what the baseline lists. A baseline created under `auto`
// names the default revision of that time; another revision may be the default now, and its clauses
// count as well.
bool suits(const reports::Baseline& baseline, std::span<const Specification* const> specs) {
  if (baseline.spec == names_of(specs)) return true;
  if (!std::ranges::contains(specs, nullptr)) return false;
  const Specifications known = known_of(specs);
  const auto named = std::ranges::find(known, baseline.spec, &Specification::id);
  return named != known.end() && std::ranges::all_of(baseline.known, [&](const KnownFinding& each) {
           return std::ranges::any_of(known, [&](const Specification* spec) {
             return spec->find(each.clause) != nullptr;
           });
         });
}

reports::Baseline baseline_from(const ExaminingArguments& arguments,
                                std::span<const Specification* const> specs) {
  const auto baseline = text_of(arguments).and_then(
      [&](const std::string& text) { return reports::read_baseline(text, arguments.baseline); });
  if (!baseline)
    throw CLI::ValidationError("--baseline", reports::escaped(baseline.error().text()));
  if (!suits(*baseline, specs))
    throw CLI::ValidationError("--baseline", "made for " + reports::escaped(baseline->spec) +
                                                 ", not for " + names_of(specs));
  return *baseline;
}

void compare(const reports::Baseline& baseline, const std::string& path, ExaminedRun& made) {
  reports::apply(
      baseline, renamer(path), [&](const std::string& file) { return made.whole.contains(file); },
      made.options.examine, made.report);
}

int store(const std::string& path, const reports::Baseline& baseline) {
  // Written next to the baseline and then renamed, so that the baseline is never incomplete. A
  // file, perhaps a link, that already has the temporary name is not written to.
  const std::string fresh = std::format("{}.new-{}", path, getpid());
  if (Descriptor file{open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)}) {
    std::error_code trouble = std::make_error_code(std::errc::io_error);
    if (write_through(std::move(file),
                      [&](std::ostream& out) { reports::write_baseline(out, baseline); }))
      fs::rename(fresh, path, trouble);
    if (!trouble) return 0;
    fs::remove(fresh, trouble);
  }
  std::println(stderr, "hepcheck: {}: cannot be written", reports::escaped(path));
  return 3;
}

// "3 findings", "1 finding and 2 clauses not checked"
std::string contents_of(const reports::Baseline& baseline) {
  const auto unchecked = static_cast<std::uint64_t>(std::ranges::count_if(
      baseline.known, [](const KnownFinding& each) { return !each.not_checked.empty(); }));
  std::string text = reports::counted(baseline.known.size() - unchecked, "finding");
  if (unchecked > 0) text += " and " + reports::counted(unchecked, "clause") + " not checked";
  return text;
}

// Files that could not be examined and tables of a later major revision have no findings to record.
int after_trouble(const Report& report, int status) {
  for (const FileReport& file : report.files) {
    for (const SubjectReport& subject : file.subjects) {
      if (subject.verdict != SubjectVerdict::kUnsupported) continue;
      std::println(stderr, "hepcheck: {}:{}: {}", reports::escaped(file.path),
                   reports::escaped(subject.path), reports::escaped(subject.reason));
      status = 3;
    }
    if (!file.error && file.unreadable.empty()) continue;
    std::println(stderr, "hepcheck: {}: cannot be examined completely",
                 reports::escaped(file.path));
    status = 3;
  }
  return status;
}

int create_baseline(ExaminingArguments arguments, const CLI::App& command) {
  const ExaminedRun made = examine_all(arguments, command);
  if (arguments.baseline.empty()) throw CLI::RequiredError("--baseline");
  std::error_code trouble;
  if (const auto& confined = arguments.confined_baseline)
    if (const auto file = open_confined(*confined, O_RDONLY); !file)
      throw CLI::ValidationError("--baseline", reports::escaped(file.error().text()));
  if (fs::exists(arguments.baseline, trouble))
    throw CLI::ValidationError(
        "--baseline", reports::escaped(arguments.baseline) + " exists; hepcheck baseline update");
  auto baseline = reports::baseline_of(made.report, renamer(arguments.baseline));
  baseline.spec = names_of(made.specs);
  const int status = store(arguments.baseline, baseline);
  if (status == 0)
    std::println("{}: {}", reports::escaped(arguments.baseline), contents_of(baseline));
  return after_trouble(made.report, status);
}

// Removes entries that are gone; adds new findings only if requested.
int update_baseline(ExaminingArguments arguments, const CLI::App& command, bool add) {
  ExaminedRun made = examine_all(arguments, command);
  if (arguments.baseline.empty()) throw CLI::RequiredError("--baseline");
  const reports::Baseline baseline = baseline_from(arguments, made.specs);
  const reports::Baseline found = reports::baseline_of(made.report, renamer(arguments.baseline));
  compare(baseline, arguments.baseline, made);
  const auto changed = reports::updated(baseline, found, made.report.gone, add);
  for (const KnownFinding& gone : made.report.gone)
    std::println("gone: {}", reports::describe(gone));
  const int status = store(arguments.baseline, changed);
  if (status == 0)
    std::println("{}: {}; {} before", reports::escaped(arguments.baseline), contents_of(changed),
                 contents_of(baseline));
  return after_trouble(made.report, status);
}

}  // namespace

void compare_with_baseline(const ExaminingArguments& arguments, ExaminedRun& made) {
  if (!arguments.baseline.empty())
    compare(baseline_from(arguments, made.specs), arguments.baseline, made);
}

void add_baseline(CLI::App& app, int& status) {
  auto* command =
      app.add_subcommand("baseline", "Record known findings, so that only new ones fail");
  command->require_subcommand(1);

  auto* create = command->add_subcommand("create", "Record every finding of these files");
  auto created = std::make_shared<ExaminingArguments>();
  add_examining(create, created);
  create->get_option("--baseline")->description("The file to write; it must not exist");
  create->footer(
      "Clauses that could not be checked are recorded too, with the reason.\nExit status: 0 "
      "written; 2 usage error; 3 written without what could not be examined, or\nit cannot be "
      "written.\n\n" +
      limits_help());
  create->callback([created, create, &status] { status = create_baseline(*created, *create); });

  auto* update = command->add_subcommand("update", "Remove entries that no longer occur");
  auto changed = std::make_shared<ExaminingArguments>();
  add_examining(update, changed);
  auto add = std::make_shared<bool>(false);
  update->add_flag("--add", *add, "Add new findings too");
  update->get_option("--baseline")->description("The baseline to change");
  update->footer(
      "Exit status: 0 written; 2 usage error; 3 written without what could not be examined, or\nit "
      "cannot be written.\n\n" +
      limits_help());
  update->callback([=, &status] { status = update_baseline(*changed, *update, *add); });
}

}  // namespace hepcheck::cli
