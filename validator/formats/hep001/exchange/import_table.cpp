#include "validator/formats/hep001/exchange/import_table.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <format>
#include <optional>

#include "validator/exchange/new_file.h"
#include "validator/formats/hep001/exchange/plan.h"
#include "validator/formats/hep001/judge.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/file.h"
#include "validator/formats/hep001/libhdf5/file_values.h"
#include "validator/formats/hep001/libhdf5/read_attributes.h"
#include "validator/formats/hep001/libhdf5/write_table.h"
#include "validator/machine.h"
#include "validator/rewrite.h"

namespace hepcheck::hep001 {

namespace {

using Done = std::expected<void, ExchangeRefusal>;

std::unexpected<ExchangeRefusal> impossible(Error error) {
  return std::unexpected(ExchangeRefusal{false, std::move(error)});
}

// The written table must have no error before it becomes visible to others.
Done judged(const libhdf5::File& file, const std::string& path, const Specification& spec,
            const FileOptions& options) {
  Result<Table> table = libhdf5::read_table_at(file, path);
  if (!table) return impossible(table.error());
  assign_roles(*table, revision_of(spec));
  libhdf5::FileValues values(file.context());
  ExamineOptions all = options.examine;
  all.describe_columns = all.describe_answers = false;
  all.allow_unchecked = true;
  const SubjectReport report = examine(*table, values, spec, all);
  for (const ClauseResult& result : report.clauses) {
    if (result.verdict != Verdict::kFail || result.severity != Severity::kError) continue;
    const Finding& finding = result.findings.front();
    return std::unexpected(ExchangeRefusal{
        true,
        {finding.object, std::format("the table would not be conformant: {}: {}; expected {}",
                                     result.clause->id, finding.observed, finding.expected)}});
  }
  return {};
}

Done written(hid_t file, const std::string& path, const Plan& plan) {
  if (path != "/") {
    // Each part of the path must exist before the next can be queried.
    for (std::size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
      if (H5Lexists(file, path.substr(0, at).c_str(), H5P_DEFAULT) <= 0) break;
      if (at == std::string::npos)
        return std::unexpected(ExchangeRefusal{false, {path, "it exists already"}});
    }
  }
  if (const auto done = libhdf5::write_table(file, path, plan.table); !done)
    return impossible(done.error());
  return {};
}

// The group on the way to `path` that is a table, below which no other table may be (7.6).
std::optional<std::string> table_above(const libhdf5::File& file, const std::string& path) {
  for (std::size_t end = 0; end != std::string::npos; end = path.find('/', end + 1)) {
    const std::string group = end == 0 ? "/" : path.substr(0, end);
    const libhdf5::ObjectHandle object{H5Oopen(file.context().file, group.c_str(), H5P_DEFAULT)};
    if (!object) break;
    const auto marker = libhdf5::read_attribute(file.context(), object.get(), "CLASS");
    if (marker && string_value(*marker) == "COLUMN_TABLE") return group;
  }
  return std::nullopt;
}

bool locks_wanted() {
  const char* wanted = std::getenv("HDF5_USE_FILE_LOCKING");
  return !wanted || (std::strcmp(wanted, "FALSE") != 0 && std::strcmp(wanted, "0") != 0);
}

// Everything is written, or nothing if it would not be a table without an error. Failures on the
// way never reach the library, which crashes if a write fails while it closes a file.
Done changed(Rewrite& rewrite, const TablePlace& place, const std::string& path, const Plan& plan,
             const ImportOptions& options) {
  if (const auto begun = rewrite.begin(); !begun) return impossible(begun.error());
  const auto made = [&] -> Done {
    Result<libhdf5::File> file =
        libhdf5::File::open_for_writing(rewrite, place.file, options.file.limits);
    if (!file) return impossible(file.error());
    Done done = written(file->context().file, path, plan);
    if (!file->close() && done) return impossible({place.file, "it cannot be completed"});
    return done;
  };
  const auto seen = [&] -> Done {
    const auto file =
        libhdf5::File::open_descriptor(rewrite.descriptor(), place.file, options.file.limits);
    if (!file) return impossible(file.error());
    return judged(*file, path, *place.spec, options.file);
  };
  Done done = made();
  if (done && !rewrite.failed()) done = seen();
  // A failed write is the cause of all later failures.
  const bool complete = done || rewrite.failed();
  const Result<void> ended = complete ? rewrite.finish() : rewrite.abandon();
  return ended ? done : impossible(ended.error());
}

// A file that is created with the table.
Done into_new_file(const TablePlace& place, const std::string& path, const Plan& plan,
                   const ImportOptions& options) {
  Result<exchange::NewFile> fresh = exchange::NewFile::of(place.file, {.durable = true});
  if (!fresh) return impossible(fresh.error());
  const auto empty = libhdf5::empty_file();
  if (!empty) return impossible(empty.error());
  fresh->write(*empty);
  fresh->flush();
  if (fresh->failed()) return impossible(fresh->finish().error());
  const auto rewrite = Rewrite::of(fresh->temporary(), {.in_place = true, .lock = false});
  if (!rewrite) return impossible(rewrite.error());
  const Done done = changed(**rewrite, place, path, plan, options);
  if (const auto& failure = (*rewrite)->what_failed())
    return impossible({place.file, failure->cause});  // its name is unknown
  if (!done) return done;
  if (const auto finished = fresh->finish(); !finished) return impossible(finished.error());
  return {};
}

// An existing file, changed through a copy unless in place.
Done into_old_file(const TablePlace& place, const std::string& path, const Plan& plan,
                   const ImportOptions& options) {
  const auto rewrite = Rewrite::of(
      place.file,
      {.in_place = options.in_place, .lock = locks_wanted(), .waiting = options.waiting});
  if (!rewrite) return impossible(rewrite.error());
  {
    const auto file =
        libhdf5::File::open_descriptor((*rewrite)->descriptor(), place.file, options.file.limits);
    if (!file) return impossible(file.error());
    if (file->marked_as_open())
      return impossible({place.file,
                         "it is open for writing, or a program was killed while it had it open "
                         "(then use h5clear -s)"});
    if (const auto above = table_above(*file, path))
      return impossible(
          {path, std::format("{} is a table, and no other table may be below it", *above)});
  }
  return changed(**rewrite, place, path, plan, options);
}

}  // namespace

std::expected<Imported, ExchangeRefusal> import_table(const exchange::Table& table,
                                                      const TablePlace& place,
                                                      const ImportOptions& options) {
  libhdf5::initialise(options.file.allow_plugins);
  Plan plan;
  try {
    const std::uint64_t limit = options.file.examine.memory_limit;
    plan_table(table, revision_of(*place.spec), (limit > 0 ? limit : machine_memory() / 4) / 2,
               plan);
  } catch (const Unstorable& wrong) {
    return std::unexpected(ExchangeRefusal{true, {wrong.where, wrong.why}});
  }
  const std::string path = place.group.value_or("/");
  std::error_code trouble;
  const bool there = std::filesystem::exists(place.file, trouble);
  if (there && path == "/")
    return impossible(
        {place.file, "it exists already; name a group for the table, as FILE:/group"});
  const Done done =
      there ? into_old_file(place, path, plan, options) : into_new_file(place, path, plan, options);
  if (!done) return std::unexpected(done.error());
  return Imported{.rows = table.rows, .losses = std::move(plan.losses)};
}

}  // namespace hepcheck::hep001
