// hepcheck repair: writes a copy of a file in which what is certain is repaired.
#include "validator/formats/hep001/repair/repair.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <format>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <print>

#include "cli/commands.h"
#include "cli/exchange.h"
#include "cli/limits.h"
#include "cli/suggest.h"
#include "cli/target.h"
#include "reports/escape.h"
#include "reports/repair_report.h"
#include "validator/copy_file.h"
#include "validator/exchange/new_file.h"
#include "validator/format.h"
#include "validator/formats/hdf5/repair/repair_container.h"
#include "validator/formats/hep001/index_table.h"
#include "validator/formats/hep001/libhdf5/edit.h"
#include "validator/formats/hep001/model/revision.h"
#include "validator/isolate/examine.h"
#include "validator/isolate/report_stream.h"
#include "validator/isolate/worker.h"
#include "validator/rewrite.h"
#include "validator/shorten.h"

namespace hepcheck::cli {

namespace {

struct RepairArguments {
  std::string file{}, output{};
  std::string spec = "auto", to{}, format{};
  std::vector<std::string> formats{"text"};
  std::vector<std::string> only{}, limits{};
  std::vector<std::string> fills{}, ranges{}, renames{}, sets{}, drops{};
  std::uint64_t memory_limit = 0;
  bool dry_run = false, force = false, quiet = false, compact = false;
  bool allow_plugins = false, no_isolation = false;
};

using Decision = RepairDecisions::Kind;

RepairDecisions decisions_of(const RepairArguments& a) {
  RepairDecisions made;
  const auto add = [&](Decision kind, const std::vector<std::string>& texts) {
    for (const std::string& text : texts)
      if (const auto wrong = made.add(kind, text))
        throw CLI::ValidationError(std::string(RepairDecisions::option_of(kind)), *wrong);
  };
  add(Decision::kFill, a.fills);
  add(Decision::kRange, a.ranges);
  add(Decision::kRename, a.renames);
  add(Decision::kSet, a.sets);
  add(Decision::kDrop, a.drops);
  return made;
}

// A revision of tables, or a specification of the container; null for "auto".
const Specification* repairable(const std::string& name, const char* option, bool container) {
  if (name == "auto" || name.empty()) return nullptr;
  const Specification& spec = specification_named(name);
  if (spec.format != "hep001" && !(container && spec.format.starts_with("hdf5")))
    throw CLI::ValidationError(option,
                               "\"" + name + "\" has no repairs: there are repairs for hep001" +
                                   (container ? " and for the HDF5 container" : "") + " alone");
  return &spec;
}

// --- the protocol

struct Way {
  std::string_view name;
  void (*write)(std::ostream& out, const reports::RepairProtocol& protocol);
};
constexpr Way kWays[] = {{"text", reports::write_repair_text},
                         {"json", reports::write_repair_json},
                         {"html", reports::write_repair_html},
                         {"h5py", reports::write_repair_python},
                         {"c", reports::write_repair_c}};

struct Written {
  const Way* way;
  std::string file{};  // empty: standard output
};

std::vector<Written> ways_of(const std::vector<std::string>& words) {
  std::vector<Written> made;
  for (const std::string& word : words) {
    const std::size_t sign = word.find('=');
    const std::string name = word.substr(0, sign);
    const auto way = std::ranges::find(kWays, name, &Way::name);
    if (way == std::end(kWays))
      throw CLI::ValidationError("--format",
                                 "no format \"" + name + "\": text, json, html, h5py or c");
    made.push_back({&*way, sign == std::string::npos ? "" : word.substr(sign + 1)});
  }
  return made;
}

bool write_protocol(const reports::RepairProtocol& protocol, const RepairArguments& a) {
  bool written = true;
  for (const Written& each : ways_of(a.formats)) {
    if (each.file.empty()) {
      if (!a.quiet) each.way->write(std::cout, protocol);
      written &= static_cast<bool>(std::cout.flush());
      continue;
    }
    std::ofstream out(each.file, std::ios::binary);
    each.way->write(out, protocol);
    if (out.flush()) continue;
    std::println(stderr, "hepcheck: {}: cannot be written", reports::escaped(each.file));
    written = false;
  }
  return written;
}

// --- in workers

constexpr char kRepaired = 'm', kNotRepaired = 'f';

// The answer of a worker that sends one message.
Result<std::string> answer_of(std::span<const int> files, const isolate::Bounds& bounds,
                              const std::function<Result<std::string>()>& work, bool isolated) {
  if (!isolated) return work();
  std::string answered;
  const isolate::Outcome outcome = isolate::run_in_worker(
      files,
      [&](const isolate::Send& send, WorkerPosition&) {
        signal(SIGXFSZ, SIG_IGN);
        // Its parent tells what ended it, and removes unfinished files.
        for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE}) signal(number, SIG_DFL);
        const Result<std::string> made = work();
        send(made ? kRepaired + *made : kNotRepaired + made.error().text());
      },
      [&](std::string_view message) { answered = message; }, bounds);
  if (!outcome.refused.empty())
    std::println(stderr, "hepcheck: this system refuses part of the sandbox: {}",
                 reports::escaped(outcome.refused));
  if (outcome.error) return std::unexpected(*outcome.error);
  if (outcome.stop) return failure(outcome.stop->text());
  if (answered.starts_with(kRepaired)) return answered.substr(1);
  if (!answered.starts_with(kNotRepaired))
    return failure("the worker process sent an invalid answer");
  std::string why = answered.substr(1);
  shorten(why);
  return failure(std::move(why));
}

struct Work {
  const RepairArguments& a;
  std::string path{};
  std::optional<std::string> group{};
  const Specification *spec = nullptr, *to = nullptr;
  FileOptions options{};
  isolate::Bounds bounds{};

  // The file itself is repaired, not its tables.
  bool of_container() const { return spec && spec->format != "hep001"; }
};

Result<std::vector<RepairedSubject>> repair_container(const Work& work, Rewrite& copy,
                                                      bool reopen) {
  hdf5::ContainerRepair request{.spec = work.spec,
                                .only = {work.a.only.begin(), work.a.only.end()},
                                .file = work.options,
                                .compact = work.a.compact};
  if (reopen)
    request.reopened = [](std::span<const std::byte> image) {
      return hep001::libhdf5::edited(image, {});
    };
  return hdf5::repair_container(copy, work.path, request).transform([](RepairedSubject&& subject) {
    return std::vector{std::move(subject)};
  });
}

// Repairs the copy, in a worker that can change nothing else.
Result<RepairMessage> repair_copy(const Work& work, int copy, std::uint64_t size,
                                  bool reopen = true) {
  const int own = fcntl(copy, F_DUPFD_CLOEXEC, 3);
  auto rewrite = Rewrite::of_private(Descriptor{own}, work.path);
  if (!rewrite) return std::unexpected(rewrite.error());
  hep001::RepairRequest request{.group = work.group, .spec = work.spec, .to = work.to};
  request.only = {work.a.only.begin(), work.a.only.end()};
  request.decisions = decisions_of(work.a);
  request.file = work.options;
  request.builder = "hepcheck " HEPCHECK_VERSION;
  request.date = hep001::build_time();
  isolate::Bounds bounds = work.bounds;
  bounds.output = own;
  constexpr std::uint64_t kGrowth = std::uint64_t{1} << 30;
  bounds.output_size = std::max(2 * size, size + kGrowth);
  const auto made = answer_of(
      {{own}}, bounds,
      [&] -> Result<std::string> {
        auto subjects = work.of_container() ? repair_container(work, **rewrite, reopen)
                                            : hep001::repair_tables(**rewrite, work.path, request);
        if (!subjects) return std::unexpected(subjects.error());
        if (const auto done = (*rewrite)->finish(); !done) return std::unexpected(done.error());
        return encoded(*subjects, request.decisions.unused());
      },
      !work.a.no_isolation);
  if (!made) return std::unexpected(made.error());
  return decoded_repairs(*made);
}

using Digests = Result<std::vector<ValueDigest>>;

Digests digests_by(const Work& work, int file, const std::function<Digests(const Bytes&)>& digest) {
  const auto made = answer_of(
      {{file}}, work.bounds,
      [&] -> Result<std::string> {
        const Digests digests = digest(Bytes::of_descriptor(file, work.path));
        if (!digests) return std::unexpected(digests.error());
        return encoded(*digests);
      },
      !work.a.no_isolation);
  if (!made) return std::unexpected(made.error());
  return decoded_digests(*made);
}

Digests digests_of(const Work& work, int file, const std::map<std::string, std::uint64_t>& rows,
                   bool references) {
  return digests_by(work, file, [&](const Bytes& bytes) {
    return work.of_container()
               ? hep001::digest_datasets(bytes, work.options, Reader::kOwn, references)
               : hep001::digest_tables(bytes, work.group, work.options, rows);
  });
}

// --- Unused space

// A file without a name, in the directory of another.
Descriptor unnamed_beside(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
#ifdef O_TMPFILE
  if (Descriptor made{open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)}) return made;
#endif
  // Not every file system has such files.
  std::string name = folder + "/.hepcheck-new-XXXXXX";
  Descriptor made{mkostemp(name.data(), O_CLOEXEC)};
  if (made) unlink(name.c_str());
  return made;
}

struct LibraryComparison {
  std::string differs{};       // where it finds other values in the second file than in the first
  std::string not_compared{};  // why it did not compare them
};

LibraryComparison compared_by_library(const Work& work, int before, int after) {
  const auto digest = [&](const Bytes& bytes) {
    return hep001::digest_datasets(bytes, work.options, Reader::kLibrary, false);
  };
  const Digests old = digests_by(work, before, digest);
  if (!old) return {.not_compared = old.error().text()};
  const Digests now = digests_by(work, after, digest);
  if (!now) return {.differs = "the file, which it cannot read: " + now.error().text()};
  for (const ValueDigest& each : *old)
    if (!std::ranges::contains(*now, each)) return {.differs = each.path};
  return {};
}

// Writes the copy without unused space to `packed`, in a worker that can change nothing else.
Result<RepairedSubject> pack_copy(const Work& work, int copy, int packed) {
  struct stat before{};
  if (packed < 0 || fstat(copy, &before) != 0) return failure("", "no second copy can be written");
  const auto size = static_cast<std::uint64_t>(before.st_size);
  const int own = fcntl(packed, F_DUPFD_CLOEXEC, 3);
  auto rewrite = Rewrite::of_private(Descriptor{own}, work.path);
  if (!rewrite) return std::unexpected(rewrite.error());
  isolate::Bounds bounds = work.bounds;
  bounds.output = own;
  bounds.output_size = size;
  const auto made = answer_of(
      {{copy, own}}, bounds,
      [&] -> Result<std::string> {
        const RepairedSubject subject = hdf5::pack_container(Bytes::of_descriptor(copy, work.path),
                                                             **rewrite, work.options.limits);
        if (const auto done = (*rewrite)->finish(); !done) return std::unexpected(done.error());
        return encoded(std::vector{subject}, {});
      },
      !work.a.no_isolation);
  if (!made) return std::unexpected(made.error());
  Result<RepairMessage> message = decoded_repairs(*made);
  if (!message) return std::unexpected(message.error());
  if (message->subjects.size() != 1)
    return failure("", "the worker process sent an invalid answer");
  RepairedSubject subject = std::move(message->subjects.front());
  if (subject.changes.empty()) return subject;
  const LibraryComparison library = compared_by_library(work, copy, packed);
  if (!library.differs.empty())
    return failure("", "the HDF5 library would find other values in " + library.differs);
  if (!library.not_compared.empty())
    subject.notes.push_back(
        "the HDF5 library did not compare the values before and after the move: " +
        library.not_compared);
  return subject;
}

// Drops the unused space of the copy. What was done belongs to the container, which is a subject of
// its own if tables were repaired. Whether there was any; none if the copy cannot be written.
std::optional<bool> drop_unused(const Work& work, const exchange::NewFile& copy,
                                std::vector<RepairedSubject>& subjects) {
  const Descriptor file = unnamed_beside(copy.temporary());
  Result<RepairedSubject> packed = pack_copy(work, copy.descriptor(), file.get());
  if (!packed) {
    const std::string why = packed.error().text();
    packed = RepairedSubject{
        .kind = "container", .path = "/", .spec = std::string(default_revision("hdf5").id)};
    packed->notes.push_back("unused space inside the file stays: " + why);
  }
  struct stat after{};
  if (!packed->changes.empty() &&
      (fstat(file.get(), &after) != 0 || ftruncate(copy.descriptor(), 0) != 0 ||
       !copy_bytes(file.get(), copy.descriptor(), static_cast<std::uint64_t>(after.st_size))))
    return std::nullopt;
  const bool dropped = !packed->changes.empty();
  auto container = std::ranges::find(subjects, "container", &RepairedSubject::kind);
  if (container == subjects.end() && (!packed->changes.empty() || !packed->notes.empty()))
    container =
        subjects.insert(container, {.kind = "container", .path = "/", .spec = packed->spec});
  for (RepairChange& change : packed->changes) container->changes.push_back(std::move(change));
  for (std::string& note : packed->notes) container->notes.push_back(std::move(note));
  return dropped;
}

FileReport verdict_of(const Work& work, int file) {
  const Bytes bytes = Bytes::of_descriptor(file, work.path);
  const Request request{
      .spec = work.to ? work.to : work.spec, .subject = work.group, .options = work.options};
  FileOptions options = work.options;
  options.examine.describe_columns = options.examine.describe_answers = false;
  if (work.a.no_isolation) return examine_within_memory(bytes, request);
  isolate::ReportReader reader(work.options.limits.subjects);
  isolate::examine_isolated(bytes, request, work.bounds,
                            [&](std::string_view message) { reader.take(message); });
  return std::move(reader).report(work.path);
}

// The paths that datasets of the copy had in the original.
std::map<std::string, std::string> old_names(const std::vector<RepairedSubject>& subjects) {
  std::map<std::string, std::string> names;
  for (const RepairedSubject& subject : subjects)
    for (const RepairChange& change : subject.changes)
      if (change.attribute.empty() && change.from.starts_with('/') && change.to.starts_with('/'))
        names[change.to] = change.from;
  return names;
}

// Pairs the values of the copy with those of the original.
std::vector<reports::ValueProof> paired(const std::vector<ValueDigest>& before,
                                        const std::vector<ValueDigest>& after,
                                        const std::map<std::string, std::string>& names) {
  std::vector<reports::ValueProof> proofs;
  for (const ValueDigest& each : after) {
    const auto renamed = names.find(each.path);
    const std::string& name = renamed == names.end() ? each.path : renamed->second;
    const auto old = std::ranges::find(before, name, &ValueDigest::path);
    proofs.push_back({.before = old == before.end() ? ValueDigest() : *old, .after = each});
  }
  return proofs;
}

bool same_bytes(int a, int b) {
  struct stat first{}, second{};
  if (fstat(a, &first) != 0 || fstat(b, &second) != 0 || first.st_size != second.st_size)
    return false;
  std::vector<char> left(std::size_t{1} << 20), right(left.size());
  for (off_t at = 0; at < first.st_size;) {
    const ssize_t n = pread(a, left.data(), left.size(), at);
    if (n <= 0 || pread(b, right.data(), static_cast<std::size_t>(n), at) != n ||
        !std::equal(left.begin(), left.begin() + n, right.begin()))
      return false;
    at += n;
  }
  return true;
}

// Digests the values before and after. A container is read by the library only if it was changed:
// damaged structures can make the library loop. `references`: they have the same addresses.
std::optional<Error> prove_values(const Work& work, int original, int copy, bool references,
                                  reports::RepairProtocol& protocol) {
  if (work.of_container() && protocol.identical) return std::nullopt;
  auto now = digests_of(work, copy, {}, references);
  if (!now && work.of_container()) now = std::vector<ValueDigest>();
  if (!now) return now.error();
  const auto names = old_names(protocol.subjects);
  std::map<std::string, std::uint64_t> rows;
  for (const ValueDigest& each : *now)
    rows[names.contains(each.path) ? names.at(each.path) : each.path] = each.values;
  auto old = digests_of(work, original, rows, references);
  if (!old && work.of_container()) old = std::vector<ValueDigest>();
  if (!old) return old.error();
  protocol.values = paired(*old, *now, names);
  return std::nullopt;
}

std::string folder_for_dry_run() {
  std::error_code trouble;
  const auto folder = std::filesystem::temp_directory_path(trouble);
  return (trouble ? std::filesystem::path(".") : folder) / "repaired";
}

Result<Work> work_of(const RepairArguments& a) {
  const std::vector<Target> targets = targets_of(a.file);
  std::error_code trouble;
  if (a.file == "-" || std::filesystem::is_directory(a.file, trouble))
    throw CLI::ValidationError("file", "expected FILE or FILE:/group");
  if (targets.front().error) return std::unexpected(*targets.front().error);
  const AllLimits limits = limits_of(a.limits);
  Work work{.a = a, .path = targets.front().path, .group = targets.front().group};
  work.spec = repairable(a.spec, "--spec", true);
  work.to = repairable(a.to, "--to", false);
  if (work.of_container() && (work.to || work.group))
    throw CLI::ValidationError("--spec", "\"" + a.spec + "\" is about the file, not about tables");
  if (work.to && work.spec && work.to < work.spec)
    throw CLI::ValidationError("--to", "\"" + a.to + "\" is older than " + a.spec);
  work.options.limits = limits.reading;
  work.options.allow_plugins = a.allow_plugins;
  work.options.examine.memory_limit = a.memory_limit;
  work.options.examine.max_findings = 1;
  work.bounds = isolate::settled(limits.worker);
  return work;
}

int run(const RepairArguments& a) {
  ways_of(a.formats);  // a wrong one is reported before anything is done
  decisions_of(a);
  if (is_url(a.file)) return refused(a.file, a.file + ": " + kNoUrls, 3);
  if (a.output.empty() && !a.dry_run)
    throw CLI::ValidationError("--output", "is required, unless --dry-run is given");
  const Result<Work> work = work_of(a);
  if (!work) return refused(a.file, work.error().text(), 3);
  for (const std::string& word : a.only)
    check_names(std::vector{work->to     ? work->to
                            : work->spec ? work->spec
                                         : &default_revision("hep001")},
                word, "--only");
  leave_nothing_behind(a.quiet);
  const Result<Descriptor> original = open_for_reading(work->path);
  if (!original) return refused(work->path, original.error().text(), 3);
  const Format* const format = recognise(Bytes::of_descriptor(original->get(), work->path));
  if (format && format->name != "hep001" && format->name != "hdf5")
    return refused(work->path,
                   std::format("this is {}; there are repairs for HDF5 files and the HEP001 tables "
                               "in them alone",
                               format->title),
                   3);
  struct stat before{}, after{};
  if (fstat(original->get(), &before) != 0) return refused(work->path, "it cannot be read", 3);
  const auto size = static_cast<std::uint64_t>(before.st_size);
  auto copy = exchange::NewFile::of(
      a.dry_run ? folder_for_dry_run() : a.output,
      {.replace = a.force || a.dry_run, .durable = !a.dry_run, .source = work->path});
  if (!copy) return refused(a.output, copy.error().text(), 3);
  if (copy->descriptor() < 0) throw CLI::ValidationError("--output", "names no file");
  if (!copy_bytes(original->get(), copy->descriptor(), size))
    return refused(a.output, "no copy can be written", 3);
  // A program that writes to the original meanwhile may have given the copy parts of two states.
  if (fstat(original->get(), &after) != 0 || before.st_size != after.st_size ||
      before.st_mtim.tv_sec != after.st_mtim.tv_sec ||
      before.st_mtim.tv_nsec != after.st_mtim.tv_nsec)
    return refused(work->path, "another program changed the file in the meantime", 3);

  prepare(work->options);
  auto made = repair_copy(*work, copy->descriptor(), size);
  // The library may fail on a damaged file; what does not need it is repaired nevertheless.
  if (!made && work->of_container() && copy_bytes(original->get(), copy->descriptor(), size))
    made = repair_copy(*work, copy->descriptor(), size, false);
  if (!made) return refused(work->path, made.error().text(), 3);
  const std::optional<bool> moved =
      a.compact ? drop_unused(*work, *copy, made->subjects) : std::optional(false);
  if (!moved) return refused(a.output, "no copy can be written", 3);
  reports::RepairProtocol protocol{.hepcheck = HEPCHECK_VERSION,
                                   .from = work->path,
                                   .to = a.dry_run && a.output.empty() ? "the copy" : a.output,
                                   .dry_run = a.dry_run};
  protocol.subjects = std::move(made->subjects);
  protocol.unused = std::move(made->unused);
  protocol.reader =
      *moved ? "the reader of raw bytes in a process of its own"
             : "the reader of raw bytes, which shares no code with the HDF5 library that wrote the "
               "copy, in a process of its own";
  if (*moved && work->of_container())
    protocol.reader += ", without datasets of references, whose stored addresses changed";
  protocol.identical = same_bytes(original->get(), copy->descriptor());
  protocol.verdict = verdict_of(*work, copy->descriptor());
  if (const auto wrong =
          prove_values(*work, original->get(), copy->descriptor(), !*moved, protocol))
    return refused(work->path, wrong->text(), 3);
  // A repair never changes a value; a copy in which one differs does not get its name.
  for (const reports::ValueProof& proof : protocol.values)
    if (!proof.unchanged() && !proof.before.sha256.empty())
      return refused(
          work->path,
          std::format("{}: {}; nothing was written", proof.after.path,
                      proof.after.sha256.empty()
                          ? "the values can no longer be read in the copy: " + proof.after.trouble
                          : "the values in the copy differ"),
          3);
  if (!a.dry_run)
    if (const auto done = copy->finish(); !done) return refused(a.output, done.error().text(), 3);
  if (!write_protocol(protocol, a)) return 3;
  const Report report{.hepcheck = HEPCHECK_VERSION,
                      .spec = work->spec ? work->spec : &default_revision("hep001"),
                      .files = {protocol.verdict}};
  return exit_status(report);
}

void add_options(CLI::App& command, RepairArguments& a) {
  command.add_option("file", a.file, "The file; it is never changed")
      ->required()
      ->type_name("FILE[:/GROUP]");
  command.add_option("-o,--output", a.output, "The copy to write")->type_name("FIXED.h5");
  command.add_flag("-n,--dry-run", a.dry_run, "Write no copy, only the protocol");
  command.add_flag("-f,--force", a.force, "Replace FIXED.h5 if it exists");
  command.add_option("--only", a.only, "Repair only these clauses: ids, patterns or sections")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("CLAUSES");
  command
      .add_option("--spec", a.spec,
                  "Revision of the specification; auto: chosen by the features of each table")
      ->capture_default_str();
  command.add_option("--to", a.to, "Move tables of an older revision to this one")
      ->type_name("SPEC");
  const auto decision = [&](const char* name, std::vector<std::string>& into, const char* about,
                            const char* type) {
    command.add_option(name, into, about)->type_name(type)->allow_extra_args(false);
  };
  command.add_flag(
      "--compact", a.compact,
      "Drop the unused space inside the file and at its end, and what is after its end-of-file "
      "address");
  decision("--fill", a.fills, "A fill value for a column; none: remove it", "COLUMN=VALUE");
  decision("--range", a.ranges, "The valid range of a column", "COLUMN=MIN:MAX");
  decision("--rename", a.renames, "Another name or place, for a column, link or attribute",
           "OLD=NEW");
  decision("--set", a.sets, "The value of an attribute", "OBJECT@NAME=VALUE");
  decision("--drop", a.drops, "Remove a link or an attribute that is in the way", "PATH[@NAME]");
  command
      .add_option("--format", a.formats,
                  "The protocol, as FORMAT or FORMAT=FILE: text, json, html; h5py and c show the "
                  "changes as programs")
      ->type_name("FORMAT")
      ->allow_extra_args(false);
  command.add_flag("-q,--quiet", a.quiet, "Print only errors");
  command
      .add_option("--limit", a.limits,
                  "Set a limit, such as time=3600; see hepcheck validate --help")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME=N,...");
  take_size(command.add_option(
      "--memory-limit", a.memory_limit,
      "Memory for column data, such as 512MB or 2GiB [a quarter of the machine's]"));
  command.add_flag("--allow-plugins", a.allow_plugins, "Let the HDF5 library load filter plugins");
  command.add_flag("--no-isolation", a.no_isolation,
                   "Work in this process, without a sandbox: for debuggers");
}

}  // namespace

void add_repair(CLI::App& app, int& status) {
  auto a = std::make_shared<RepairArguments>();
  CLI::App* command =
      app.add_subcommand("repair", "Write a copy in which what is certain is repaired");
  add_options(*command, *a);
  command->footer(
      "Repairs what needs no decision, in the order of the text: attributes in another form, "
      "legacy\nreferences, column-order, reserved storage, tokens and indexes. Everything else is "
      "listed with\nthe options that decide it. Values of columns never change; the protocol shows "
      "their digests.\nThe copy is examined before it gets its name. docs/repair.md describes the "
      "repairs.\nExit status: 0 the copy is conformant; 1 violations are left in it; 2 usage "
      "error; "
      "3 something\ncould not be read, checked or written.");
  command->callback([a, &status] { status = run(*a); });
}

}  // namespace hepcheck::cli
