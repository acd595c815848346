#include "validator/examine_file.h"

#include <new>

#include "validator/descriptor.h"
#include "validator/hdf5/error.h"
#include "validator/hdf5/file.h"
#include "validator/hdf5/file_values.h"
#include "validator/hdf5/limited_values.h"
#include "validator/place.h"

namespace hepcheck {

namespace {

void examine_opened(const hdf5::File& file, const std::optional<std::string>& group,
                    const Specification& spec, const FileOptions& options, FileReport& report) {
  hdf5::FileValues all_values(file.context());
  hdf5::LimitedValues values(all_values, options.limits, file.bytes());
  const auto add = [&](const Table& table) {
    now_at(Stage::kChecking, table.path());
    report.tables.push_back(examine(table, values, spec, options.examine));
    if (options.on_table) options.on_table(report.tables.back());
  };
  if (group) {
    Result<Table> table = hdf5::read_table_at(file, *group);
    if (table)
      add(*table);
    else
      report.error = table.error();
    return;
  }
  hdf5::for_each_table(
      file, {.table = [&](Table&& table) { add(table); },
             .unreadable = [&](Error error) { report.unreadable.push_back(std::move(error)); }});
  if (report.tables.empty() && report.unreadable.empty() && !options.allow_no_tables)
    report.error = Error{report.path, "no table group: no group has CLASS = COLUMN_TABLE"};
}

FileReport examine_with(Result<hdf5::File> file, const std::string& name,
                        const std::optional<std::string>& group, const Specification& spec,
                        const FileOptions& options) {
  FileReport report{.path = name};
  if (file)
    examine_opened(*file, group, spec, options, report);
  else
    report.error = file.error();
  return report;
}

}  // namespace

void prepare(const FileOptions& options) { hdf5::initialise(options.allow_plugins); }

FileReport examine_file(const std::string& path, const std::optional<std::string>& group,
                        const Specification& spec, const FileOptions& options) {
  const Result<Descriptor> file = open_for_reading(path);
  if (!file) return {.path = path, .error = file.error()};
  try {
    return examine_descriptor(file->get(), path, group, spec, options);
  } catch (const std::bad_alloc&) {
    return {.path = path, .error = Error{path, "out of memory"}};
  }
}

FileReport examine_descriptor(int descriptor, const std::string& name,
                              const std::optional<std::string>& group, const Specification& spec,
                              const FileOptions& options) {
  prepare(options);
  now_at(Stage::kOpening);
  return examine_with(hdf5::File::open_descriptor(descriptor, name, options.limits), name, group, spec,
                      options);
}

FileReport examine_image(std::span<const std::byte> image, const std::string& name,
                         const std::optional<std::string>& group, const Specification& spec,
                         const FileOptions& options) {
  prepare(options);
  try {
    return examine_with(hdf5::File::open_image(image, options.limits), name, group, spec, options);
  } catch (const std::bad_alloc&) {
    return {.path = name, .error = Error{name, "out of memory"}};
  }
}

int exit_status(const Report& report, bool violations_count) {
  bool unexamined = false;
  for (const FileReport& file : report.files) {
    unexamined |= file.error.has_value() || !file.unreadable.empty();
    for (const TableReport& table : file.tables) {
      const bool failed = table.verdict == TableVerdict::kFail;
      if (failed && violations_count) return 1;
      unexamined |= !failed && table.verdict != TableVerdict::kPass;
    }
  }
  return unexamined ? 3 : 0;
}

}  // namespace hepcheck
