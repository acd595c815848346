#include "validator/examine_file.h"

#include <new>

#include "validator/hdf5/error.h"
#include "validator/hdf5/file.h"
#include "validator/hdf5/file_values.h"

namespace hepcheck {

namespace {

void examine_opened(const hdf5::File& file, const std::optional<std::string>& group,
                    const Specification& spec, const FileOptions& options, FileReport& report) {
  hdf5::FileValues values(file.context());
  const auto add = [&](const Table& table) {
    report.tables.push_back(examine(table, values, spec, options.examine));
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

template <class Open>
FileReport examine_with(Open open, const std::string& name,
                        const std::optional<std::string>& group, const Specification& spec,
                        const FileOptions& options) {
  FileReport report{.path = name};
  hdf5::initialise(options.allow_plugins);
  try {
    Result<hdf5::File> file = open();
    if (file)
      examine_opened(*file, group, spec, options, report);
    else
      report.error = file.error();
  } catch (const std::bad_alloc&) {
    report.error = Error{name, "out of memory"};
  }
  return report;
}

}  // namespace

FileReport examine_file(const std::string& path, const std::optional<std::string>& group,
                        const Specification& spec, const FileOptions& options) {
  return examine_with([&] { return hdf5::File::open(path, options.limits); }, path, group, spec,
                      options);
}

FileReport examine_image(std::span<const std::byte> image, const std::string& name,
                         const std::optional<std::string>& group, const Specification& spec,
                         const FileOptions& options) {
  return examine_with([&] { return hdf5::File::open_image(image, options.limits); }, name, group,
                      spec, options);
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
