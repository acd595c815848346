// hepcheck trace record: runs a program and logs its operations on HDF5 files.
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <format>
#include <fstream>
#include <memory>
#include <print>
#include <stdexcept>
#include <vector>

#include "cli/suggest.h"
#include "cli/trace.h"
#include "reports/escape.h"
#include "validator/fnv1a.h"
#include "validator/read_whole.h"
#include "validator/trace/recorder/embedded.h"
#include "validator/trace/replay.h"

namespace hepcheck::cli {

namespace {

namespace fs = std::filesystem;

struct TraceRecordArguments {
  std::string log = "trace.log", by = "both", files = "*.h5:*.hdf5:*.he5:*.hdf:*.nc:*.nc4";
  std::vector<std::string> command{};
};

class ToolFolder {
 public:
  ToolFolder() {
    std::string pattern = (fs::temp_directory_path() / "hepcheck-XXXXXX").string();
    if (!::mkdtemp(pattern.data())) throw std::runtime_error("no temporary directory: " + pattern);
    path_ = pattern;
  }
  ToolFolder(const ToolFolder&) = delete;
  ToolFolder& operator=(const ToolFolder&) = delete;
  ~ToolFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_{};
};

void add_to(const char* variable, const std::string& path) {
  const char* old = std::getenv(variable);
  ::setenv(variable, (old && *old ? path + ":" + old : path).c_str(), 1);
}

// The environment variables of the recorders.
void prepare(const TraceRecordArguments& arguments, const fs::path& tools) {
  ::setenv("HEPCHECK_RECORD_LOG", fs::absolute(arguments.log).c_str(), 1);
  ::unsetenv("HEPCHECK_RECORD_FAULT");
  ::unsetenv("HEPCHECK_RECORD_FOLDER");
  ::setenv("HEPCHECK_RECORD_FILES", arguments.files.c_str(), 1);
  if (arguments.by != "driver") add_to("LD_PRELOAD", (tools / "libhepcheck_record.so").string());
  if (arguments.by != "preload" && !trace::driver_recorder().empty()) {
    add_to("HDF5_PLUGIN_PATH", tools.string());
    ::setenv("HDF5_DRIVER", "hepcheck_trace", 1);
  }
}

// The exit status of the program, or 128 plus the signal that ended it; -1 if it cannot be run.
int run_program(const TraceRecordArguments& arguments, const fs::path& tools) {
  const pid_t child = ::fork();
  if (child < 0) return -1;
  if (child == 0) {
    prepare(arguments, tools);
    std::vector<char*> words;
    for (const std::string& word : arguments.command)
      words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    ::execvp(words[0], words.data());
    std::println(stderr, "hepcheck: {}: {}", reports::escaped(arguments.command[0]),
                 std::strerror(errno));
    std::fflush(stderr);
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Records the final contents of the files, so that a reader of the log knows whether it is
// complete.
bool append_ends(const std::string& path) {
  const auto log = trace::read_log_file(path);
  if (!log) {
    std::println(stderr, "hepcheck: {}: {}", reports::escaped(path),
                 reports::escaped(log.error().text));
    return false;
  }
  // The inodes, as used in the records, by their last names.
  std::ofstream out(path, std::ios::binary | std::ios::app);
  for (trace::FileNumber file = 0; file < log->files.size(); ++file) {
    std::string name = log->files[file].name;
    for (const trace::Event& event : log->events)
      if (event.file == file && event.kind == trace::Event::Kind::kRename) name = event.data;
    std::error_code none;
    if (!fs::is_regular_file(name, none)) continue;  // to open a FIFO waits for a writer
    const std::optional<std::string> bytes = read_whole(name);
    if (!bytes || !log->files[file].unseen.empty()) continue;
    const std::uint64_t numbers[] = {fnv1a(*bytes)};
    char head[24] = {'F', static_cast<char>(255)};
    const std::uint32_t length = 8;
    const std::uint64_t inode = log->files[file].inode, size = bytes->size();
    std::memcpy(head + 4, &length, 4);
    std::memcpy(head + 8, &inode, 8);
    std::memcpy(head + 16, &size, 8);
    out.write(head, sizeof head).write(reinterpret_cast<const char*>(numbers), 8);
  }
  return static_cast<bool>(out.flush());
}

// On a terminal, what comes next.
void say_what_was_recorded(const std::string& path) {
  const auto log = trace::read_log_file(path);
  if (!log) return;
  const auto writes = std::ranges::count_if(log->events, &trace::Event::changes);
  if (log->files.empty() || writes == 0)
    std::println(stderr, "hepcheck: {}: nothing was recorded: the program wrote to no HDF5 file",
                 reports::escaped(path));
  else
    std::println(stderr, "hepcheck: {} writes to {} files; next: hepcheck trace check {}", writes,
                 log->files.size(), reports::escaped(path));
}

int run(const TraceRecordArguments& arguments) {
  if (arguments.command.empty())
    throw CLI::ValidationError("program", "is missing, as in: hepcheck trace record -- PROGRAM");
  if (arguments.by == "driver" && trace::driver_recorder().empty())
    throw CLI::ValidationError("--by", "driver needs a program that was built with libhdf5");
  if (!trace::begin_log(arguments.log)) {
    std::println(stderr, "hepcheck: {}: cannot be written", reports::escaped(arguments.log));
    return kNotExamined;
  }
  const ToolFolder tools;
  if (!trace::unpack(trace::preload_recorder(), tools.path() / "libhepcheck_record.so") ||
      !trace::unpack(trace::driver_recorder(), tools.path() / "libhepcheck_trace.so")) {
    std::println(stderr, "hepcheck: {}: cannot be written", tools.path().string());
    return kNotExamined;
  }
  const int status = run_program(arguments, tools.path());
  if (status < 0) {
    std::println(stderr, "hepcheck: the program cannot be started");
    return kNotExamined;
  }
  if (!append_ends(arguments.log)) return kNotExamined;
  if (isatty(STDERR_FILENO) != 0) say_what_was_recorded(arguments.log);
  return status;
}

}  // namespace

void add_trace_record(CLI::App& trace, int& status) {
  CLI::App* command =
      trace.add_subcommand("record", "Run a program and log its operations on HDF5 files");
  auto a = std::make_shared<TraceRecordArguments>();
  command->add_option("program", a->command, "The program and its arguments, after --")
      ->type_name("-- PROGRAM...");
  command->add_option("-o,--output", a->log, "The log")->capture_default_str()->type_name("LOG");
  command
      ->add_option("--by", a->by,
                   "How to record: preload intercepts the system calls of programs with a shared C "
                   "library; driver is a file driver of HDF5 1.14 and later, which knows the "
                   "purpose of each write; both")
      ->check(one_of({"both", "preload", "driver"}))
      ->capture_default_str();
  command->add_option("--files", a->files, "Files to record, by name")
      ->capture_default_str()
      ->type_name("PATTERN:...");
  command->footer(
      "A file with the HDF5 signature when it is opened is recorded regardless of its name.\nExit "
      "status: that of the program; 2 usage error; 3 the log cannot be written.");
  command->callback([a, &status] { status = run(*a); });
}

}  // namespace hepcheck::cli
