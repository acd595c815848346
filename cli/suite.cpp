// hepcheck suite: judges programs that read or write a format.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <format>
#include <fstream>
#include <iostream>
#include <memory>
#include <print>

#include "cli/commands.h"
#include "cli/coverage.h"
#include "cli/output.h"
#include "cli/stamp.h"
#include "cli/suggest.h"
#include "cli/ticker.h"
#include "conformance/suite/engine/interrupt.h"
#include "conformance/suite/engine/known_failures.h"
#include "conformance/suite/suites.h"
#include "reports/escape.h"
#include "reports/formats.h"
#include "reports/suite_matrix.h"
#include "reports/suite_report.h"

namespace hepcheck::cli {

namespace {

namespace fs = std::filesystem;
using namespace suite;

constexpr int kCouldNotRun = 3;

struct Options {
  std::vector<std::string> command{};
  std::string spec{default_revision("hep001").id};
  std::string format{}, output{}, known{}, keep{}, transcript{};
  std::vector<std::string> only{};  // as they are named
  suite::RunOptions run{};
  double timeout = 10;
  std::uint64_t memory = 0, storage = 1024;  // MiB
  bool verbose = false;
};

const Suite& suite_of(const Specification& spec) {
  const Suite* suite = find_suite(spec.format);
  if (!suite)
    throw CLI::ValidationError("--spec", std::format("hepcheck has no suite for {}", spec.id));
  return *suite;
}

// A temporary directory, removed at the end unless --keep names one.
class Folder {
 public:
  explicit Folder(const std::string& kept) : kept_(!kept.empty()) {
    if (kept_) {
      fs::create_directories(kept);
      path_ = fs::absolute(kept);
    } else {
      std::string pattern = (fs::temp_directory_path() / "hepcheck-XXXXXX").string();
      if (!::mkdtemp(pattern.data()))
        throw std::runtime_error("no temporary directory: " + pattern);
      path_ = pattern;
    }
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code trouble;
    if (kept_ || (fs::remove_all(path_, trouble), !trouble)) return;
    // A program may have left directories without permissions.
    open_all(path_);
    fs::remove_all(path_, trouble);
  }
  const fs::path& path() const { return path_; }

 private:
  static void open_all(const fs::path& folder) {
    std::error_code ignored;
    fs::permissions(folder, fs::perms::owner_all, fs::perm_options::add, ignored);
    std::vector<fs::path> inside;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
      if (!entry.is_symlink(ignored) && entry.is_directory(ignored)) inside.push_back(entry.path());
    for (const fs::path& each : inside) open_all(each);
  }

  bool kept_;
  fs::path path_{};
};

CLI::Validator one_of_forms() {
  std::vector<std::string> names;
  for (const reports::Form& format : reports::all_forms()) names.emplace_back(format.name);
  return one_of(std::move(names));
}

// The value of --format, or else the format of the suffix.
std::string form_wanted(const std::string& format, const std::string& file) {
  if (!format.empty()) return format;
  const std::string_view told = form_by_suffix(file);
  return told.empty() ? "text" : std::string(told);
}

Writing writing(const std::string& format, const std::string& file, bool verbose = false) {
  return {.form = form_wanted(format, file),
          .hepcheck = HEPCHECK_VERSION,
          .date = date_of_run(),
          .verbose = verbose};
}

std::set<std::string> chosen(const Options& options, const Specification& spec) {
  const Specification* const specs[] = {&spec};
  std::set<std::string> ids;
  for (const std::string& word : options.only) {
    check_names(specs, word, "--only");
    for (const Clause* clause : clauses_named(spec, word)) ids.emplace(clause->id);
  }
  return ids;
}

// Writes to --output, or to standard output; returns the exit status of the process on failure.
template <class Write>
int write_out(const std::string& file, Write write) {
  if (file.empty()) {
    write(std::cout);
    if (std::cout.flush()) return 0;
    std::println(stderr, "hepcheck: cannot write to standard output");
    return kCouldNotRun;
  }
  std::ofstream out(file, std::ios::binary);
  write(out);
  if (out.flush()) return 0;
  std::println(stderr, "hepcheck: {}: cannot be written", reports::escaped(file));
  return kCouldNotRun;
}

Session::Options session_options(const Options& options, const Specification& spec,
                                 std::ofstream& transcript) {
  Session::Options made{
      .patience = std::chrono::milliseconds(static_cast<std::int64_t>(options.timeout * 1000)),
      .spec = std::string(spec.id),
      .words = suite_of(spec).words,
      .most_ends = suite_of(spec).most_ends};
  if (options.transcript.empty()) return made;
  transcript.open(options.transcript);
  if (!transcript) throw std::runtime_error(options.transcript + ": cannot be written");
  made.transcript = [&transcript](std::string_view what, std::string_view line) {
    transcript << "{\"" << what << "\": " << line << "}\n";
  };
  return made;
}

// The judge of the readers or of the writers of a format.
enum class Role : std::uint8_t { kReader, kWriter };

// Sends hello, runs the judge, applies the known failures, writes the report.
int run_to_its_end(const Options& options, Role role) {
  const Specification& spec = specification_named(options.spec);
  const Suite& suite = suite_of(spec);
  if (role == Role::kWriter && !suite.writer)
    throw CLI::ValidationError("--spec",
                               std::format("hepcheck has no suite for writers of {}", spec.id));
  RunOptions run = options.run;
  run.only = chosen(options, spec);
  std::vector<KnownFailure> known;
  if (!options.known.empty()) {
    Result<std::vector<KnownFailure>> read = read_known(options.known, spec);
    if (!read) {
      std::println(stderr, "hepcheck: {}", reports::escaped(read.error().text()));
      return kUsageError;
    }
    known = std::move(*read);
    // A skipped clause has not passed.
    std::erase_if(known, [&](const KnownFailure& each) { return run.leaves_out(each.clause); });
  }
  const Folder folder(options.keep);
  run.folder = folder.path();
  std::vector<std::string> environment;
  if (role == Role::kWriter && suite.environment)
    environment = suite.environment(folder.path()).value_or(std::vector<std::string>{});
  std::ofstream transcript;
  Session session(std::make_unique<Program>(Launch{.command = options.command,
                                                   .environment = std::move(environment),
                                                   .folder = folder.path(),
                                                   .memory = options.memory << 20,
                                                   .storage = options.storage << 20}),
                  session_options(options, spec, transcript));
  if (const Reply reply = session.hello(); !reply.ok()) {
    // A program that was not found has no other trouble.
    const std::string why =
        session.started() ? "no hello: " + reply.text() : "cannot be started: " + reply.message;
    std::println(stderr, "hepcheck: {}: {}", reports::escaped(options.command.front()),
                 reports::escaped(why));
    return kCouldNotRun;
  }
  const Ticker ticker("judging", false);
  SuiteReport report = (role == Role::kReader ? suite.reader : suite.writer)(session, spec, run);
  session.finish();
  Ticker::stop();
  if (report.scope.empty()) report.scope = scope_of(session.can(), suite.words);
  report.known = std::move(known);
  report.partial = !run.files.empty() || !run.tables.empty();
  apply_known(report);
  if (const int trouble = write_out(options.output, [&](std::ostream& out) {
        write(out, report, writing(options.format, options.output, options.verbose));
      }))
    return trouble;
  const int status = exit_status(report);
  // What was not asked is the consequence of a failure, known or not, unless nothing failed.
  if (status != 0 || session.given_up().empty() ||
      std::ranges::contains(report.clauses, Verdict::kFail, &ClauseResult::verdict))
    return status;
  std::println(stderr, "hepcheck: {}: not judged to the end: {}",
               reports::escaped(options.command.front()), reports::escaped(session.given_up()));
  return kCouldNotRun;
}

// The same; if interrupted, it ends the program and removes the files first.
int run(const Options& options, Role role) {
  int interrupted = 0;
  {
    const Interruptible interruptible;
    try {
      return run_to_its_end(options, role);
    } catch (const Interrupted& by) {
      interrupted = by.signal;
    }
  }
  ::raise(interrupted);
  return kCouldNotRun;
}

void add_format(CLI::App& command, std::string& format, std::string& output) {
  command.add_option("--format", format, "Report format [text]")
      ->check(one_of_forms())
      ->type_name("FORMAT");
  command
      .add_option("-o,--output", output,
                  "Write the report to this file, in the format of its suffix")
      ->type_name("FILE");
}

void add_common(CLI::App& command, Options& options) {
  add_format(command, options.format, options.output);
  command
      .add_option("--spec", options.spec,
                  "The revision to judge by; the program learns it, and may ignore it")
      ->capture_default_str()
      ->type_name("REVISION");
  command.add_option("--known", options.known, "Expected failures, with reasons")
      ->check(CLI::ExistingFile)
      ->type_name("FILE");
  command
      .add_option("--only", options.only,
                  "Judge only these clauses: an id, a pattern such as 'minmax-*' or a section such "
                  "as 12.2; may be repeated")
      ->allow_extra_args(false)
      ->type_name("CLAUSES");
  command.add_option("--timeout", options.timeout, "Seconds to wait for a reply")
      ->check(number_within(0.001, 1e9))
      ->capture_default_str()
      ->type_name("SECONDS");
  command
      .add_option("--memory", options.memory,
                  "MiB of memory that the program may use [half of the machine's]")
      ->check(CLI::Range(1, 1 << 24))
      ->type_name("MIB");
  command.add_option("--storage", options.storage, "MiB of files that it may leave")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str()
      ->type_name("MIB");
  command.add_option("--keep", options.keep, "Keep the files of the run in this directory")
      ->type_name("DIR");
  command
      .add_option("--transcript", options.transcript, "Write every request and reply to this file")
      ->type_name("FILE");
  command.add_flag("-v,--verbose", options.verbose,
                   "Also list clauses that passed or are not applicable");
  command.add_option("command", options.command, "The program and its arguments, after --")
      ->required()
      ->type_name("CMD");
}

void add_random(CLI::App& command, Options& options, const char* seed, const char* random) {
  command.add_option("--seed", options.run.seed, seed)->capture_default_str()->type_name("N");
  command.add_option("--random", options.run.random, random)->capture_default_str()->type_name("N");
}

struct CompareOptions {
  std::vector<std::string> reports{};
  std::string format{}, output{};
  bool files = false;
};

int compare_reports(const CompareOptions& options) {
  const Result<Matrix> matrix = read_matrix(options.reports);
  if (!matrix) {
    std::println(stderr, "hepcheck: {}", reports::escaped(matrix.error().text()));
    return kUsageError;
  }
  const Writing how = writing(options.format, options.output);
  if (options.files && how.form != "text" && how.form != "markdown" && how.form != "json")
    throw CLI::ValidationError("--files", "it needs the format text, markdown or json");
  if (options.files && matrix->files.empty())
    throw CLI::ValidationError(
        "--files", "the reports have no outcomes of files (only those for HDF5 and RNTuples have)");
  return write_out(options.output, [&](std::ostream& out) {
    options.files ? write_files(out, *matrix, how) : write(out, *matrix, how);
  });
}

}  // namespace

void add_suite(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "suite", "Judge a program that reads or writes tables or Arrow, or reads HDF5 or RNTuples");
  command->require_subcommand(1);
  command->footer(
      "The program communicates over standard input and output by the protocol "
      "of\nconformance/protocol.md, for Arrow (--spec arrow-columnar-1.0) of "
      "conformance/protocol-arrow.md,\nfor HDF5 files (--spec hdf5-file-format-4.0) of "
      "conformance/protocol-hdf5.md,\nfor RNTuples (--spec rntuple-0.2.0.0) of "
      "conformance/protocol-rntuple.md.\nExit status: 0 all as expected, 1 failures, 2 usage "
      "error, "
      "3 the program could not be run.");
  auto reader = std::make_shared<Options>();
  auto* reader_command = command->add_subcommand(
      "reader", "Judge a reader: every clause on consumers, over the corpus");
  add_common(*reader_command, *reader);
  reader_command
      ->add_option("--files", reader->run.files,
                   "Use only matching files of the corpus, such as 'valid/10.*'; may be repeated")
      ->allow_extra_args(false)
      ->type_name("GLOB");
  add_random(*reader_command, *reader, "Seed of random tables (Arrow)",
             "Number of random tables in addition to the corpus (Arrow)");
  reader_command->callback([reader, &status] { status = run(*reader, Role::kReader); });

  auto writer = std::make_shared<Options>();
  auto* writer_command = command->add_subcommand(
      "writer", "Judge a writer: every clause on producers; for tables, including crashes");
  add_common(*writer_command, *writer);
  add_random(*writer_command, *writer, "Seed of random tables and of crash states (HEP001)",
             "Number of random tables in addition to the committed ones");
  writer_command
      ->add_option("--tables", writer->run.tables,
                   "Use only matching committed tables and files of the corpus; may be repeated")
      ->allow_extra_args(false)
      ->type_name("GLOB");
  writer_command->add_flag("--every-state", writer->run.every_state,
                           "Require a readable file also after a crash during a flush (HEP001)");
  writer_command->callback([writer, &status] { status = run(*writer, Role::kWriter); });

  auto compared = std::make_shared<CompareOptions>();
  auto* compare_command =
      command->add_subcommand("compare", "Compare programs by the JSON reports of their runs");
  add_format(*compare_command, compared->format, compared->output);
  compare_command->add_option("report", compared->reports, "Reports of --format json")
      ->required()
      ->check(CLI::ExistingFile)
      ->type_name("FILE");
  compare_command->add_flag("--files", compared->files,
                            "List the files instead of the clauses: who refuses them, who misreads "
                            "them, who crashes (HDF5)");
  compare_command->callback([compared, &status] { status = compare_reports(*compared); });
}

}  // namespace hepcheck::cli
