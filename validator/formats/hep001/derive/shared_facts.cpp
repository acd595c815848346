#include "validator/formats/hep001/derive/shared_facts.h"

#include <sys/stat.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <format>
#include <optional>
#include <type_traits>
#include <utility>

#include "validator/archive.h"
#include "validator/catalogue/clause.h"
#include "validator/integers.h"

namespace hepcheck::hep001 {

// --- The members of facts, for an archive --------------------------------------------------------

template <class T, class U>
concept FactOf = std::is_same_v<std::remove_const_t<T>, U>;

// The structured bindings name every member, so a new member does not compile until it is sent too.
void parts(auto& archive, FactOf<Obstacle> auto& value) {
  auto& [reason, broken, by] = value;
  archive(reason, broken, by);
}
void parts(auto& archive, FactOf<Difference> auto& value) {
  auto& [count, first, stored, computed, witness, where] = value;
  archive(count, first, stored, computed, witness, where);
}
void parts(auto& archive, FactOf<ColumnFacts> auto& value) {
  auto& [obstacle, unread, missing, outside_range, code_out_of_range, sentinel, no_boolean,
         missing_cells] = value;
  archive(obstacle, unread, missing, outside_range, code_out_of_range, sentinel, no_boolean,
          missing_cells);
}
void parts(auto& archive, FactOf<CategoriesFacts> auto& value) {
  auto& [unread] = value;
  archive(unread);
}
void parts(auto& archive, FactOf<MinmaxFacts> auto& value) {
  auto& [obstacle, chunks, chunks_with_values, chunks_all_missing, nan_count, fill_count, n_full,
         n_last, min, max, nan_included, fill_included, all_missing_min, all_missing_max] = value;
  archive(obstacle, chunks, chunks_with_values, chunks_all_missing, nan_count, fill_count, n_full,
          n_last, min, max, nan_included, fill_included, all_missing_min, all_missing_max);
}
void parts(auto& archive, FactOf<SortedFacts> auto& value) {
  auto& [obstacle, rows, nan_rows, fill_rows, permutation, order, order_by_padding, ties, zero_ties,
         nan_placement, fill_placement, nan_order, fill_order, nan_tail_length, fill_tail_length,
         nan_tail_witness, fill_tail_witness] = value;
  archive(obstacle, rows, nan_rows, fill_rows, permutation, order, order_by_padding, ties,
          zero_ties, nan_placement, fill_placement, nan_order, fill_order, nan_tail_length,
          fill_tail_length, nan_tail_witness, fill_tail_witness);
}
void parts(auto& archive, FactOf<BitmapFacts> auto& value) {
  auto& [obstacle, missing_bit, extra_bit, reversed, values, duplicate_value, unlisted, pad_bits] =
      value;
  archive(obstacle, missing_bit, extra_bit, reversed, values, duplicate_value, unlisted, pad_bits);
}
void parts(auto& archive, FactOf<BloomFacts> auto& value) {
  auto& [obstacle, chunks, lost, explanation, only_wrapped_fits, excluded_inserted,
         excluded_perhaps, excluded_chunks, superset_chunks] = value;
  archive(obstacle, chunks, lost, explanation, only_wrapped_fits, excluded_inserted,
          excluded_perhaps, excluded_chunks, superset_chunks);
}
void parts(auto& archive, FactOf<ListLevelFacts> auto& value) {
  auto& [entries, end, no_entries, no_end, offsets, mask, nulls, strings, unread, first, decrease,
         mask_value, null_not_empty, not_utf8, byte_order_mark, null_entries, empty_entries,
         longest] = value;
  archive(entries, end, no_entries, no_end, offsets, mask, nulls, strings, unread, first, decrease,
          mask_value, null_not_empty, not_utf8, byte_order_mark, null_entries, empty_entries,
          longest);
}
void parts(auto& archive, FactOf<ListFacts> auto& value) {
  auto& [levels, leaf] = value;
  archive(levels, leaf);
}
void parts(auto& archive, FactOf<TableFacts> auto& value) {
  auto& [columns, lists, categories, indexes] = value;
  archive(columns, lists, categories, indexes);
}
void parts(auto& archive, FactOf<SharedFacts::OfTable> auto& value) {
  auto& [path, revision, facts] = value;
  archive(path, revision, facts);
}
void parts(auto& archive, FactOf<SharedFacts> auto& value) {
  auto& [file, share, value_bytes, tables] = value;
  archive(file.bytes, file.modified, share.number, share.count, value_bytes, tables);
}

namespace {

// The version of the program determines the form.
constexpr std::string_view kMagic = "hepcheck facts " HEPCHECK_VERSION "\n";

class FactWriter : public ArchiveWriter {
 public:
  using ArchiveWriter::put;
  void put(std::string_view clause) { put(std::string(clause)); }
  void put(const IndexFacts& facts) {
    put(std::uint64_t{facts.index()});
    std::visit(
        [this](const auto& each) {
          if constexpr (!std::is_same_v<decltype(each), const std::monostate&>) put(each);
        },
        facts);
  }
};

class FactReader : public ArchiveReader {
 public:
  using ArchiveReader::ArchiveReader;
  using ArchiveReader::get;
  void get(std::string_view& clause) {
    std::string id;
    get(id);
    for (const Specification& spec : all_specifications())
      if (const Clause* known = spec.find(id)) {
        clause = known->id;
        return;
      }
    fail();
  }
  void get(IndexFacts& facts) {
    switch (number(std::variant_size_v<IndexFacts> - 1)) {
      case 1: return get(facts.emplace<1>());
      case 2: return get(facts.emplace<2>());
      case 3: return get(facts.emplace<3>());
      case 4: return get(facts.emplace<4>());
      default: facts.emplace<0>();
    }
  }
};

std::uint64_t digest_of(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

// Whether there is an entry for each part of a table that belongs to the share.
bool fits(const Table& table, const TableFacts& facts, const Share& share) {
  if (facts.columns.size() != table.columns.size() || facts.lists.size() != table.lists.size() ||
      facts.categories.size() != table.categories.size() ||
      facts.indexes.size() != table.indexes.size())
    return false;
  for (std::size_t i = 0; i < table.lists.size(); ++i)
    if (share.has(i) && facts.lists[i].levels.size() != table.lists[i].levels.size()) return false;
  return true;
}

}  // namespace

FileMark mark_of(int descriptor, std::uint64_t bytes) {
  constexpr std::uint64_t kNanoseconds = 1'000'000'000;
  struct stat found{};
  if (descriptor < 0 || fstat(descriptor, &found) != 0) return {.bytes = bytes};
  return {.bytes = bytes,
          .modified = static_cast<std::uint64_t>(found.st_mtim.tv_sec) * kNanoseconds +
                      static_cast<std::uint64_t>(found.st_mtim.tv_nsec)};
}

std::string to_bytes(const SharedFacts& facts) {
  FactWriter writer;
  writer(facts);
  std::string bytes = std::string(kMagic) + std::move(writer).bytes();
  const std::uint64_t digest = digest_of(bytes);
  char raw[sizeof digest];
  std::memcpy(raw, &digest, sizeof digest);
  return bytes.append(raw, sizeof raw);
}

std::optional<Error> from_bytes(std::string_view bytes, SharedFacts& into) {
  std::uint64_t digest = 0;
  if (!bytes.starts_with(kMagic) || bytes.size() < kMagic.size() + sizeof digest)
    return Error{"no facts of hepcheck " HEPCHECK_VERSION, {}};
  const std::string_view content = bytes.substr(0, bytes.size() - sizeof digest);
  std::memcpy(&digest, bytes.data() + content.size(), sizeof digest);
  if (digest != digest_of(content)) return Error{"damaged facts", {}};
  // A text can be long: what was found and expected of a string value.
  FactReader reader(content.substr(kMagic.size()), content.size());
  reader(into);
  if (!reader.complete() || into.share.number >= into.share.count)
    return Error{"invalid facts", {}};
  return std::nullopt;
}

Result<FactsOfShares> FactsOfShares::of(std::span<const std::string> files, const FileMark& file) {
  FactsOfShares made;
  made.shares_.resize(files.size());
  std::vector<bool> there(files.size());
  for (const std::string& each : files) {
    SharedFacts facts;
    if (auto error = from_bytes(each, facts)) return std::unexpected(std::move(*error));
    if (facts.file != file) return failure("facts of another file, or of this one before a change");
    const auto [number, count] = facts.share;
    if (count != files.size())
      return failure(std::format("{} of the {} shares of the facts", files.size(), count));
    if (there[number]) return failure(std::format("facts of share {}/{} twice", number + 1, count));
    there[number] = true;
    made.shares_[number] = std::move(facts);
  }
  return made;
}

std::uint64_t FactsOfShares::value_bytes() const {
  std::uint64_t all = 0;
  for (const SharedFacts& share : shares_) all = sum(all, share.value_bytes);
  return all;
}

Result<TableFacts> FactsOfShares::take(const Table& table) {
  std::vector<TableFacts> of_shares;
  for (SharedFacts& share : shares_) {
    const auto found = std::ranges::find(share.tables, table.path(), &SharedFacts::OfTable::path);
    if (found == share.tables.end() || found->revision != table.revision->spec ||
        !fits(table, found->facts, share.share))
      return failure(table.path(), "the facts were collected with other options");
    of_shares.push_back(std::move(found->facts));
    share.tables.erase(found);
  }
  return join_facts(table, std::move(of_shares));
}

}  // namespace hepcheck::hep001
