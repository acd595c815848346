// Digests of the values of a table, independent of how they are stored.
#include <algorithm>
#include <format>

#include "validator/formats/hep001/libhdf5/apply_step.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/file.h"
#include "validator/formats/hep001/libhdf5/file_values.h"
#include "validator/formats/hep001/repair/cases.h"
#include "validator/formats/hep001/repair/repair.h"
#include "validator/formats/hep001/storage/limited_values.h"
#include "validator/sha256.h"

namespace hepcheck::hep001 {

namespace {

void add_bytes(Sha256& hash, std::span<const std::byte> bytes) {
  hash.add({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
}

class Digester {
 public:
  using Rows = std::map<std::string, std::uint64_t>;

  Digester(const Table& table, ValueSource& values, const Rows& rows,
           std::vector<ValueDigest>& into)
      : table_(table), values_(values), known_(rows), into_(into) {
    if (const Attribute* nrows = table.attribute("NROWS")) rows_ = only_number(*nrows);
  }

  void run() {
    for (const Column& column : table_.columns)
      add(*column.data,
          std::min(rows_.value_or(~std::uint64_t{0}), column.data->extent().value_or(0)));
    for (const ListColumn& list : table_.lists) add(list);
    for (const Categories& categories : table_.categories)
      if (categories.data->extent()) add(*categories.data, *categories.data->extent());
  }

  // A dataset outside a table.
  void other(const Dataset& data, std::uint64_t rows) {
    add(data, std::min(rows, data.extent().value_or(0)));
  }

 private:
  void add(const Dataset& data, std::uint64_t rows) {
    ValueDigest digest{.subject = table_.path(), .path = data.path, .values = rows};
    Sha256 hash;
    const auto trouble = for_each_block(values_.stream(data, rows), [&](const Block& block) {
      // Values with variable parts are given as texts; their bytes are addresses.
      if (block.strings.empty()) add_bytes(hash, block.bytes);
      for (const std::string_view text : block.strings) {
        const std::uint64_t size = text.size();
        add_bytes(hash, std::as_bytes(std::span(&size, 1)));
        add_bytes(hash, std::as_bytes(std::span(text)));
      }
    });
    if (trouble)
      digest.trouble = trouble->cause;
    else
      digest.sha256 = hash.hexadecimal();
    into_.push_back(std::move(digest));
  }

  // The members of each level, as far as the rows need them.
  void add(const ListColumn& list) {
    std::uint64_t entries = rows_.value_or(0);
    for (const ListLevel& level : list.levels) {
      const Dataset* offsets = level.offsets.data();
      if (!offsets || offsets->extent().value_or(0) <= entries) return;
      add(*offsets, entries + 1);
      if (const Dataset* mask = level.mask.data(); mask && mask->extent().value_or(0) >= entries)
        add(*mask, entries);
      const auto last = last_offset(*offsets, entries);
      if (!last) return;
      if (const Dataset* values = level.values.data();
          values && values->extent().value_or(0) >= *last)
        add(*values, *last);
      entries = *last;
    }
  }

  std::optional<std::uint64_t> last_offset(const Dataset& offsets, std::uint64_t entries) {
    Attribute last{.type = offsets.type};
    const auto rows = values_.stream_rows(offsets, entries, 1);
    if (for_each_block(rows, [&](const Block& block) {
          last.bytes.assign(block.bytes.begin(), block.bytes.end());
        }))
      return std::nullopt;
    return only_number(last);
  }

  const Table& table_;
  ValueSource& values_;
  const Rows& known_;
  std::vector<ValueDigest>& into_;
  std::optional<std::uint64_t> rows_{};
};

}  // namespace

Result<std::vector<ValueDigest>> digest_tables(const Bytes& bytes,
                                               const std::optional<std::string>& group,
                                               const FileOptions& options,
                                               const std::map<std::string, std::uint64_t>& rows) {
  libhdf5::initialise(options.allow_plugins);
  Result<libhdf5::File> file =
      libhdf5::File::open_descriptor(bytes.descriptor(), bytes.name(), options.limits);
  if (!file) return std::unexpected(file.error());
  libhdf5::FileValues all_values(file->context());
  LimitedValues values(all_values, options.limits, file->bytes());
  std::vector<ValueDigest> digests;
  const auto add = [&](Table&& table) {
    // With lists and without tokens, whatever the revision: the digest is that of the stored
    // values.
    assign_roles(table, all_revisions().back());
    Digester(table, values, rows, digests).run();
  };
  if (group) {
    Result<Table> table = libhdf5::read_table_at(*file, *group);
    if (!table) return std::unexpected(table.error());
    add(std::move(*table));
  } else {
    libhdf5::for_each_table(*file, {.table = add, .unreadable = [](const Error&) {}});
  }
  // What a repair made a part of a table.
  const Table none;
  for (const auto& [path, count] : rows)
    if (!std::ranges::contains(digests, path, &ValueDigest::path))
      if (const auto data = libhdf5::dataset_at(*file, path))
        Digester(none, values, rows, digests).other(*data, count);
  return digests;
}

}  // namespace hepcheck::hep001
