// Digests of the values of a table, independent of how they are stored.
#include <algorithm>
#include <deque>
#include <format>
#include <functional>
#include <set>

#include "validator/formats/hep001/reader/open_tables.h"
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

std::optional<Dataset> dataset_at(TableFile& file, const std::string& path) {
  const std::optional<ObjectToken> token = file.find(path);
  if (!token) return std::nullopt;
  const TableFile::Opened object = file.open(*token);
  if (!object || (*object)->kind() != ObjectKind::kDataset) return std::nullopt;
  return (*object)->dataset(path.substr(path.rfind('/') + 1), path, *token);
}

// Every dataset that hard links reach, each once, by its first path.
void for_each_dataset(TableFile& file, const std::function<void(const Dataset&)>& visit) {
  struct Waiting {
    ObjectToken token{};
    std::string name{}, path{};
  };
  const Result<ObjectToken> root = file.root();
  if (!root) return;
  std::set<ObjectToken> known{*root};
  std::deque<Waiting> waiting{{.token = *root, .path = "/"}};
  for (; !waiting.empty(); waiting.pop_front()) {
    const Waiting& now = waiting.front();
    const TableFile::Opened object = file.open(now.token);
    if (!object) continue;
    if ((*object)->kind() == ObjectKind::kDataset)
      visit((*object)->dataset(now.name, now.path, now.token));
    if ((*object)->kind() != ObjectKind::kGroup) continue;
    std::optional<std::string> trouble;
    for (LinkInfo& link : (*object)->links(file.limits().objects, trouble))
      if (link.kind == Child::LinkKind::kHard && known.insert(link.token).second) {
        std::string path = join_path(now.path, link.name);
        waiting.push_back({link.token, std::move(link.name), std::move(path)});
      }
  }
}

}  // namespace

Result<std::vector<ValueDigest>> digest_tables(const Bytes& bytes,
                                               const std::optional<std::string>& group,
                                               const FileOptions& options,
                                               const std::map<std::string, std::uint64_t>& rows) {
  FileOptions by_own = options;
  by_own.reader = Reader::kOwn;
  const Result<std::unique_ptr<TableFile>> file = open_tables(bytes, by_own);
  if (!file) return std::unexpected(file.error());
  LimitedValues values((*file)->values(), options.limits, (*file)->bytes());
  std::vector<ValueDigest> digests;
  const auto add = [&](Table&& table) {
    // With lists and without tokens, whatever the revision: the digest is that of the stored
    // values.
    assign_roles(table, all_revisions().back());
    Digester(table, values, rows, digests).run();
  };
  if (group) {
    Result<Table> table = read_table_at(**file, *group);
    if (!table) return std::unexpected(table.error());
    add(std::move(*table));
  } else {
    for_each_table(**file, {.table = add, .unreadable = [](const Error&) {}});
  }
  // What a repair made a part of a table.
  const Table none;
  for (const auto& [path, count] : rows)
    if (!std::ranges::contains(digests, path, &ValueDigest::path))
      if (const auto data = dataset_at(**file, path))
        Digester(none, values, rows, digests).other(*data, count);
  return digests;
}

Result<std::vector<ValueDigest>> digest_datasets(const Bytes& bytes, const FileOptions& options,
                                                 Reader reader, bool references) {
  FileOptions by_reader = options;
  by_reader.reader = reader;
  const Result<std::unique_ptr<TableFile>> file = open_tables(bytes, by_reader);
  if (!file) return std::unexpected(file.error());
  LimitedValues values((*file)->values(), options.limits, (*file)->bytes());
  std::vector<ValueDigest> digests;
  const Table none;
  const std::map<std::string, std::uint64_t> nothing;
  for_each_dataset(**file, [&](const Dataset& data) {
    if (data.extent() && (references || !contains_class(data.type, TypeClass::kReference)))
      Digester(none, values, nothing, digests).other(data, *data.extent());
  });
  return digests;
}

}  // namespace hepcheck::hep001
