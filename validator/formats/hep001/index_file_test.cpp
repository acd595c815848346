// What building and dropping an index leaves of everything else in a file: other indexes, their
// tokens, the lists of all columns, names that are taken, values datasets that others need.
#include "validator/formats/hep001/index_file.h"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <filesystem>
#include <format>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "validator/catalogue/clause.h"
#include "validator/descriptor.h"
#include "validator/exchange/testing/folder.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/index_dataset.h"
#include "validator/formats/hep001/libhdf5/library_file.h"
#include "validator/formats/hep001/libhdf5/testing/failing_calls.h"
#include "validator/formats/hep001/libhdf5/testing/random_file.h"
#include "validator/formats/hep001/libhdf5/write_index.h"
#include "validator/formats/hep001/own/own_file.h"
#include "validator/formats/hep001/reader/read_tables.h"
#include "validator/rewrite.h"
#include "validator/testing/file_text.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hep001 {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;
using Lists = std::map<std::string, Texts>;  // of indexes, by column
using exchange::testing::Folder;
using libhdf5::AttributeHandle, libhdf5::FileHandle, libhdf5::ObjectHandle,
    libhdf5::ObjectReference, libhdf5::SpaceHandle;

constexpr const char *kOlder = "hep001-2026-06-16", *kNewer = "hep001-2026-07-09";
constexpr const char* kIndexes = "/events/SEARCH_INDEXES/";

// A copy of a table with indexes of every family.
struct File {
  Folder folder{};
  std::string path = folder.file("table.h5");
  const char* spec;

  explicit File(const char* revision) : spec(revision) {
    fs::copy(fs::path(HEPCHECK_SOURCE) /
                 "fixtures/hep001/valid/12/index-content-correct--every-family.h5",
             path);
    libhdf5::initialise(false);
    if (spec != std::string_view(kNewer)) return;
    put("/events", "GENERATION", 7);
    for (const SearchIndex& index : table().indexes) {
      put(index.data->path, "SOURCE_GENERATION", 7);
      put(index.data->path, "SOURCE_NROWS", *table().nrows);
      if (index.kind == IndexKind::kBitmap) put_exhaustive(index.data->path);
    }
  }

  void change(const std::function<void(hid_t)>& make) const {
    const FileHandle file{H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)};
    ASSERT_TRUE(file);
    make(file.get());
  }

  // A scalar attribute, in place of one of this name.
  void put(const std::string& object, const char* name, std::uint64_t value,
           hid_t type = H5T_STD_U64LE) const {
    change([&](hid_t file) {
      const ObjectHandle opened{H5Oopen(file, object.c_str(), H5P_DEFAULT)};
      if (H5Aexists(opened.get(), name) > 0) H5Adelete(opened.get(), name);
      const SpaceHandle scalar{H5Screate(H5S_SCALAR)};
      const AttributeHandle made{
          H5Acreate2(opened.get(), name, type, scalar.get(), H5P_DEFAULT, H5P_DEFAULT)};
      ASSERT_GE(H5Awrite(made.get(), H5T_NATIVE_UINT64, &value), 0);
    });
  }
  void put_exhaustive(const std::string& object) const {
    change([&](hid_t file) {
      const ObjectHandle opened{H5Oopen(file, object.c_str(), H5P_DEFAULT)};
      const AttributeHandle ordered{H5Aopen(opened.get(), "ordered", H5P_DEFAULT)};
      const libhdf5::TypeHandle type{H5Aget_type(ordered.get())};
      const SpaceHandle scalar{H5Screate(H5S_SCALAR)};
      const AttributeHandle made{H5Acreate2(opened.get(), "exhaustive", type.get(), scalar.get(),
                                            H5P_DEFAULT, H5P_DEFAULT)};
      const std::int8_t yes = 1;
      ASSERT_GE(H5Awrite(made.get(), type.get(), &yes), 0);
    });
  }

  // The SEARCH_INDEX_LIST of a column: names in SEARCH_INDEXES; "" is a null reference.
  void list(const char* column, const Texts& names, bool legacy = false) const {
    change([&](hid_t file) {
      const ObjectHandle opened{H5Oopen(file, column, H5P_DEFAULT)};
      if (H5Aexists(opened.get(), "SEARCH_INDEX_LIST") > 0)
        H5Adelete(opened.get(), "SEARCH_INDEX_LIST");
      const hsize_t count = names.size();
      const SpaceHandle space{H5Screate_simple(1, &count, nullptr)};
      const hid_t type = legacy ? H5T_STD_REF_OBJ : H5T_STD_REF;
      const AttributeHandle made{H5Acreate2(opened.get(), "SEARCH_INDEX_LIST", type, space.get(),
                                            H5P_DEFAULT, H5P_DEFAULT)};
      std::vector<hobj_ref_t> old(count);
      std::vector<H5R_ref_t> standard(count);
      for (std::size_t i = 0; i < count; ++i) {
        if (names[i].empty()) continue;
        const std::string target = kIndexes + names[i];
        if (legacy)
          ASSERT_GE(H5Rcreate(&old[i], file, target.c_str(), H5R_OBJECT, -1), 0);
        else
          ASSERT_GE(H5Rcreate_object(file, target.c_str(), H5P_DEFAULT, &standard[i]), 0);
      }
      ASSERT_GE(
          H5Awrite(made.get(), type, legacy ? static_cast<void*>(old.data()) : standard.data()), 0);
      for (std::size_t i = 0; i < count && !legacy; ++i)
        if (!names[i].empty()) H5Rdestroy(&standard[i]);
    });
  }

  Table table() const {
    const auto file = open_for_reading(path);
    const Bytes bytes = Bytes::of_descriptor(file->get(), path);
    const auto opened = own::open_file(bytes, Limits());
    Table made = read_table_at(**opened, "/events").value();
    assign_roles(made, revision_of(*find_specification(spec)));
    return made;
  }

  // "sorted_rows bitmap" for each column.
  Lists lists() const {
    std::map<std::string, Texts> made;
    for (const Column& column : table().columns)
      if (const Attribute* listed = column.data->attribute("SEARCH_INDEX_LIST"))
        for (const Reference& each : listed->references)
          made[column.name()].push_back(
              each.resolved() ? each.path.substr(std::string(kIndexes).size()) : "");
    return made;
  }
  std::set<std::string> names() const {
    std::set<std::string> made;
    const Table all = table();
    for (const Child& child : all.search_indexes_group->children) made.insert(child.name);
    return made;
  }
  // "SOURCE_GENERATION SOURCE_NROWS" by index.
  std::map<std::string, std::string> tokens() const {
    std::map<std::string, std::string> made;
    for (const SearchIndex& index : table().indexes) {
      std::string& text = made[index.data->name];
      for (const char* name : {"SOURCE_GENERATION", "SOURCE_NROWS"})
        if (const Attribute* token = index.data->attribute(name))
          text += std::format("{}{} of {}", text.empty() ? "" : ", ",
                              unsigned_value(*token).value_or(0), token->type.size);
    }
    return made;
  }
  // The stored values of each dataset of a fixed size.
  std::map<std::string, std::vector<std::byte>> values() const {
    const auto file = open_for_reading(path);
    const Bytes bytes = Bytes::of_descriptor(file->get(), path);
    const auto opened = own::open_file(bytes, Limits());
    std::map<std::string, std::vector<std::byte>> made;
    const Table all = table();
    const auto read = [&](const Dataset& dataset) {
      if (has_variable_part(dataset.type)) return;
      const std::vector<std::uint64_t> start(dataset.space.rank());
      made[dataset.path] = (*opened)->values().read(dataset, start, dataset.space.extent).value();
    };
    for (const Column& column : all.columns) read(*column.data);
    for (const Child& child : all.search_indexes_group->children)
      if (child.dataset) read(*child.dataset);
    return made;
  }

  IndexPlace place(const char* column, IndexKind kind) const {
    return {.file = path,
            .group = "/events",
            .column = column,
            .kind = kind,
            .spec = find_specification(spec)};
  }
  // The sentence, or the reason why not.
  std::string build(const char* column, IndexKind kind, bool replace = false) const {
    const IndexOutcome done =
        build_index(place(column, kind), {.replace = replace, .date = std::chrono::sys_seconds{}});
    return done ? *done : done.error().error.text();
  }
  std::string drop(const char* column, IndexKind kind) const {
    const IndexOutcome done = drop_index(place(column, kind), {});
    return done ? *done : done.error().error.text();
  }
  // Calls `use` with the file and its table; what it writes stays, also if it fails.
  template <class Use>
  void write(Use use) const {
    const auto rewrite = Rewrite::of(path, {}).value();
    ASSERT_TRUE(rewrite->begin());
    const Limits limits;
    auto opened = libhdf5::File::open_for_writing(*rewrite, path, limits);
    ASSERT_TRUE(opened);
    libhdf5::LibraryFile objects(opened->context());
    Table table = read_table_at(objects, "/events").value();
    assign_roles(table, revision_of(*find_specification(spec)));
    use(*opened, table);
    EXPECT_TRUE(opened->close());
    EXPECT_TRUE(rewrite->finish());
  }
  // A copy of the bitmap over row_id, with the same values dataset, which energy lists as well.
  void share_values() const {
    const std::string first = kIndexes + std::string("row_id__bitmap");
    change([&](hid_t opened) {
      ASSERT_GE(H5Ocopy(opened, first.c_str(), opened, (first + "_copy").c_str(), H5P_DEFAULT,
                        H5P_DEFAULT),
                0);
      const ObjectHandle copy{H5Oopen(opened, (first + "_copy").c_str(), H5P_DEFAULT)};
      H5Adelete(copy.get(), "VALUES");
      const ObjectHandle values{H5Oopen(opened, (first + "_values").c_str(), H5P_DEFAULT)};
      const ObjectReference reference(values.get());
      const SpaceHandle scalar{H5Screate(H5S_SCALAR)};
      const AttributeHandle made{
          H5Acreate2(copy.get(), "VALUES", H5T_STD_REF, scalar.get(), H5P_DEFAULT, H5P_DEFAULT)};
      ASSERT_GE(H5Awrite(made.get(), H5T_STD_REF, &reference.get()), 0);
    });
    Texts of_energy = lists().contains("energy") ? lists().at("energy") : Texts{};
    of_energy.emplace_back("row_id__bitmap_copy");
    list("/events/energy", of_energy);
  }
  // Errors, of any clause.
  Texts errors() const {
    Texts made;
    for (const SubjectReport& subject :
         examine_file(path, std::nullopt, find_specification(spec), {}).subjects)
      for (const ClauseResult& result : subject.clauses)
        if (result.verdict == Verdict::kFail && result.severity == Severity::kError)
          made.emplace_back(result.clause->id);
    return made;
  }
};

// Everything that the two have in common is equal.
void expect_others_unchanged(const std::map<std::string, std::vector<std::byte>>& before,
                             const std::map<std::string, std::vector<std::byte>>& after,
                             const std::set<std::string>& except = {}) {
  for (const auto& [path, bytes] : before) {
    if (except.contains(path)) continue;
    const auto found = after.find(path);
    ASSERT_NE(found, after.end()) << path;
    EXPECT_EQ(found->second, bytes) << path;
  }
}

// --- Lists ---------------------------------------------------------------------------------------

TEST(IndexFiles, NewIndexesAreListedLast) {
  const File file(kOlder);
  const auto lists = file.lists();
  const auto values = file.values();
  const auto names = file.names();
  const std::string done = file.build("row_id", IndexKind::kSortedRows);
  EXPECT_TRUE(done.starts_with("/events/SEARCH_INDEXES/row_id__sorted_rows: built over row_id, "))
      << done;
  auto wanted = lists;
  wanted["row_id"].push_back("row_id__sorted_rows");
  EXPECT_EQ(file.lists(), wanted);
  auto wanted_names = names;
  wanted_names.insert("row_id__sorted_rows");
  EXPECT_EQ(file.names(), wanted_names);
  expect_others_unchanged(values, file.values());
  EXPECT_EQ(file.errors(), Texts{});
  // And dropped: as before.
  EXPECT_EQ(file.drop("row_id", IndexKind::kSortedRows),
            "/events/SEARCH_INDEXES/row_id__sorted_rows: dropped");
  EXPECT_EQ(file.lists(), lists);
  EXPECT_EQ(file.names(), names);
  EXPECT_EQ(file.values(), values);
}

// An index that several columns list leaves all of their lists, and nothing else does.
TEST(IndexFiles, DroppedIndexesLeaveEveryList) {
  for (const bool legacy : {false, true}) {
    const File file(kOlder);
    const std::string index = "ts__sorted_rows", other = "ts__chunk_minmax";
    file.list("/events/ts", {other, index});
    file.list("/events/energy", {index}, legacy);
    file.list("/events/label", {"", index, other, index}, legacy);
    EXPECT_EQ(file.drop("ts", IndexKind::kSortedRows),
              "/events/SEARCH_INDEXES/ts__sorted_rows: dropped");
    const auto after = file.lists();
    EXPECT_EQ(after.at("ts"), Texts{other});
    EXPECT_FALSE(after.contains("energy"));
    EXPECT_EQ(after.at("label"), (Texts{"", other}));
    EXPECT_FALSE(file.names().contains(index));
    EXPECT_TRUE(file.names().contains(other));
  }
}

// The lists of a file, in which this index of a column comes last.
Lists with_last(Lists lists, const std::string& column, const std::string& index) {
  std::erase(lists[column], index);
  lists[column].push_back(index);
  return lists;
}

// The table is conformant without that index.
TEST(IndexFiles, ReplacedIndexesLeaveEveryList) {
  const File file(kOlder);
  const auto lists = file.lists();
  for (const char* column : {"energy", "row_id"}) {
    Texts listed = lists.contains(column) ? lists.at(column) : Texts{};
    listed.insert(listed.begin(), "ts__sorted_rows");
    file.list((std::string("/events/") + column).c_str(), listed);
  }
  const std::string done = file.build("ts", IndexKind::kSortedRows, true);
  EXPECT_TRUE(done.contains("built over ts")) << done;
  EXPECT_EQ(file.lists(), with_last(lists, "ts", "ts__sorted_rows"));
  EXPECT_EQ(file.errors(), Texts{});
}

// Two of one kind over one column are replaced by one.
TEST(IndexFiles, AllReplacedIndexesLeaveTheList) {
  const File file(kOlder);
  const auto names = file.names();
  const auto lists = file.lists();
  file.change([](hid_t opened) {
    const std::string first = kIndexes + std::string("ts__sorted_rows");
    ASSERT_GE(
        H5Ocopy(opened, first.c_str(), opened, (first + "_b").c_str(), H5P_DEFAULT, H5P_DEFAULT),
        0);
  });
  Texts listed = lists.at("ts");
  listed.insert(listed.begin(), "ts__sorted_rows_b");
  file.list("/events/ts", listed);
  const std::string done = file.build("ts", IndexKind::kSortedRows, true);
  EXPECT_TRUE(done.contains("built over ts")) << done;
  EXPECT_EQ(file.lists(), with_last(lists, "ts", "ts__sorted_rows"));
  EXPECT_EQ(file.names(), names);
  EXPECT_EQ(file.errors(), Texts{});
}

// --- Names ---------------------------------------------------------------------------------------

TEST(IndexFiles, NamesThatAreTakenGetANumber) {
  const File file(kOlder);
  const auto names = file.names();
  const auto values = file.values();
  // Hard links to an index of another column, under the wanted names.
  file.change([](hid_t opened) {
    for (const char* name : {"row_id__bitmap", "row_id__bitmap_2", "row_id__bitmap_3_values"})
      ASSERT_GE(H5Lcreate_hard(opened, "/events/SEARCH_INDEXES/ts__sorted_rows", opened,
                               (kIndexes + std::string(name)).c_str(), H5P_DEFAULT, H5P_DEFAULT),
                0);
  });
  const std::string done = file.build("row_id", IndexKind::kBitmap);
  EXPECT_TRUE(done.starts_with("/events/SEARCH_INDEXES/row_id__bitmap_3: built")) << done;
  EXPECT_EQ(file.lists().at("row_id").back(), "row_id__bitmap_3");
  auto wanted = names;
  wanted.insert({"row_id__bitmap", "row_id__bitmap_2", "row_id__bitmap_3",
                 "row_id__bitmap_3_values", "row_id__bitmap_3_values_2"});
  EXPECT_EQ(file.names(), wanted);
  expect_others_unchanged(values, file.values());
}

// A replaced index and its values get their names back.
TEST(IndexFiles, ReplacedIndexesKeepTheirNames) {
  for (const auto& [column, kind, name] :
       {std::tuple("ts", IndexKind::kSortedRows, "ts__sorted_rows"),
        std::tuple("ts", IndexKind::kChunkMinmax, "ts__chunk_minmax"),
        std::tuple("label", IndexKind::kBitmap, "label__bitmap")}) {
    const File file(kOlder);
    const std::string first = file.build(column, kind, true);
    EXPECT_TRUE(first.starts_with(kIndexes + std::string(name) + ": built")) << first;
    const auto names = file.names();
    const auto lists = file.lists();
    const auto values = file.values();
    const std::string second = file.build(column, kind, true);
    EXPECT_EQ(second, first);
    EXPECT_EQ(file.names(), names);
    EXPECT_EQ(file.lists(), lists);
    EXPECT_EQ(file.values(), values);
    EXPECT_EQ(file.errors(), Texts{});
  }
}

// --- Values datasets -----------------------------------------------------------------------------

// Two bitmaps of two columns refer to the same values dataset.
TEST(IndexFiles, ValuesThatAnotherBitmapNeedsStay) {
  {
    const File file(kOlder);
    const std::string built = file.build("row_id", IndexKind::kBitmap);
    ASSERT_TRUE(built.contains("built over row_id")) << built;
    const std::string first = kIndexes + std::string("row_id__bitmap");
    file.share_values();
    const auto values = file.values();
    EXPECT_EQ(file.drop("row_id", IndexKind::kBitmap),
              "/events/SEARCH_INDEXES/row_id__bitmap: dropped");
    EXPECT_TRUE(file.names().contains("row_id__bitmap_values"));
    expect_others_unchanged(values, file.values(), {first});
    // Nothing needs them any more.
    EXPECT_EQ(file.drop("energy", IndexKind::kBitmap),
              "/events/SEARCH_INDEXES/row_id__bitmap_copy: dropped");
    EXPECT_FALSE(file.names().contains("row_id__bitmap_values"));
  }
}

// A stale bitmap is filled again in place, unless another one needs its values.
TEST(IndexFiles, ValuesThatAnotherBitmapNeedsAreNotFilledAgain) {
  for (const bool shared : {false, true}) {
    const File file(kNewer);
    ASSERT_TRUE(file.build("row_id", IndexKind::kBitmap).contains("built over row_id"));
    if (shared) file.share_values();
    const auto names = file.names();
    const auto values = file.values();
    const std::string path = kIndexes + std::string("row_id__bitmap_values");
    file.write([&](const libhdf5::File& opened, const Table& table) {
      const SearchIndex* old = nullptr;
      for (const SearchIndex& index : table.indexes)
        if (index.data->name == "row_id__bitmap") old = &index;
      ASSERT_TRUE(old);
      const Column& column = table.columns.at(old->columns.at(0));
      const std::size_t size = column.data->type.size;
      const libhdf5::IndexContents contents{
          .contents = Bitmap{.values = {OwnedValue(size, std::byte{1})},
                             .row_bytes = 2,
                             .bits = std::vector<std::byte>(2)},
          .tokens = libhdf5::ValidityTokens{.generation = 8, .nrows = 10}};
      const auto made = libhdf5::add_index(opened, table, column, contents, {old}, true);
      EXPECT_TRUE(made) << made.error().text();
    });
    const auto after = file.values();
    EXPECT_EQ(after.at(path) == values.at(path), shared);
    EXPECT_EQ(file.names() == names, !shared);
    EXPECT_EQ(file.tokens().at("row_id__bitmap"), "8 of 8, 10 of 8");
  }
}

// --- Tokens --------------------------------------------------------------------------------------

TEST(IndexFiles, TokensOfOthersStay) {
  const File file(kNewer);
  // One that is stale, one of a state that was never committed, one without tokens.
  file.put("/events/SEARCH_INDEXES/ts__chunk_minmax", "SOURCE_GENERATION", 5);
  file.put("/events/SEARCH_INDEXES/name__chunk_bloom", "SOURCE_NROWS", 3);
  const auto tokens = file.tokens();
  const auto values = file.values();
  EXPECT_TRUE(file.build("row_id", IndexKind::kSortedRows).contains("built over row_id"));
  auto wanted = tokens;
  wanted["row_id__sorted_rows"] = "7 of 8, 10 of 8";
  EXPECT_EQ(file.tokens(), wanted);
  // A stale one is replaced.
  EXPECT_TRUE(file.build("ts", IndexKind::kChunkMinmax, true).contains("built over ts"));
  wanted["ts__chunk_minmax"] = "7 of 8, 10 of 8";
  EXPECT_EQ(file.tokens(), wanted);
  expect_others_unchanged(values, file.values());
  EXPECT_EQ(unsigned_value(*file.table().attribute("GENERATION")), 7u);
  // Filled in place a second time: GENERATION of the table, and the number of its rows.
  file.put("/events", "GENERATION", 9);
  file.put("/events", "NROWS", 6);
  EXPECT_TRUE(file.build("ts", IndexKind::kChunkMinmax, true).contains("built over ts"));
  wanted["ts__chunk_minmax"] = "9 of 8, 6 of 8";
  EXPECT_EQ(file.tokens(), wanted);
  EXPECT_EQ(file.errors(), Texts{});
  EXPECT_TRUE(file.drop("ts", IndexKind::kChunkMinmax).contains("dropped"));
  wanted.erase("ts__chunk_minmax");
  EXPECT_EQ(file.tokens(), wanted);
}

// Before anything is replaced, the tokens of all that will be are those of a past state, and the
// table has its GENERATION: here the next step fails, because the group of the indexes is not
// there.
TEST(IndexFiles, TokensFailBeforeAnythingIsReplaced) {
  for (const bool first : {false, true}) {
    const File file(kNewer);
    file.change([](hid_t opened) {
      H5Adelete_by_name(opened, "/events/SEARCH_INDEXES/ts__chunk_minmax", "SOURCE_GENERATION",
                        H5P_DEFAULT);
    });
    const auto names = file.names();
    const auto values = file.values();
    auto wanted = file.tokens();
    ASSERT_GT(wanted.size(), 3u);
    for (auto& [name, text] : wanted)
      if (name != "ts__chunk_minmax") text.front() = '8';
    file.write([&](const libhdf5::File& opened, Table& table) {
      Group elsewhere = *table.search_indexes_group;
      elsewhere.token.bytes[2] = 0x7f;
      table.search_indexes_group = &elsewhere;
      std::vector<const SearchIndex*> replaced;
      for (const SearchIndex& index : table.indexes) replaced.push_back(&index);
      const libhdf5::IndexContents contents{
          .contents = SortedRows{},
          .tokens = libhdf5::ValidityTokens{.generation = 9, .nrows = 10, .first = first}};
      EXPECT_FALSE(
          libhdf5::add_index(opened, table, table.columns.at(0), contents, replaced, false));
    });
    EXPECT_EQ(file.tokens(), wanted);
    EXPECT_EQ(unsigned_value(*file.table().attribute("GENERATION")), first ? 9u : 7u);
    EXPECT_EQ(file.names(), names);
    EXPECT_EQ(file.values(), values);
  }
}

// All indexes of the kind that a column lists are replaced, with tokens or without.
TEST(IndexFiles, SeveralIndexesOfAKindAreReplaced) {
  for (const auto& [column, kind, name] :
       {std::tuple("ts", IndexKind::kSortedRows, "ts__sorted_rows"),
        std::tuple("ts", IndexKind::kChunkMinmax, "ts__chunk_minmax"),
        std::tuple("label", IndexKind::kBitmap, "label__bitmap"),
        std::tuple("name", IndexKind::kChunkBloom, "name__chunk_bloom")})
    for (const int without_tokens : {0, 1, 2}) {
      const File file(kNewer);
      file.build(column, kind, true);  // under the names that it gives
      const auto lists = file.lists();
      const auto names = file.names();
      const auto tokens = file.tokens();
      const Texts copies = {std::string(name) + "_b", std::string(name) + "_a"};
      file.change([&](hid_t opened) {
        const std::string first = kIndexes + std::string(name);
        for (const std::string& copy : copies)
          ASSERT_GE(H5Ocopy(opened, first.c_str(), opened, (kIndexes + copy).c_str(), H5P_DEFAULT,
                            H5P_DEFAULT),
                    0);
        if (without_tokens == 0) return;
        const ObjectHandle one{
            H5Oopen(opened, (kIndexes + copies[without_tokens == 1 ? 0 : 1]).c_str(), H5P_DEFAULT)};
        for (const char* token : {"SOURCE_GENERATION", "SOURCE_NROWS"})
          ASSERT_GE(H5Adelete(one.get(), token), 0);
      });
      // The values of a copied bitmap are those of the first one.
      Texts listed = lists.at(column);
      listed.insert(listed.end(), copies.begin(), copies.end());
      file.list(("/events/" + std::string(column)).c_str(), listed);
      const std::string done = file.build(column, kind, true);
      EXPECT_TRUE(done.contains("built over")) << done;
      EXPECT_EQ(file.names(), names) << name << without_tokens;
      EXPECT_EQ(file.tokens(), tokens) << name;
      auto after = file.lists();
      std::ranges::sort(after.at(column));
      Texts wanted = lists.at(column);
      std::ranges::sort(wanted);
      EXPECT_EQ(after.at(column), wanted) << name;
      EXPECT_EQ(file.errors(), Texts{}) << name;
    }
}

// Tokens and elements of an old index may have fewer than 8 bytes; the new ones do not.
TEST(IndexFiles, NarrowTokensAndElementsAreReplaced) {
  const File file(kNewer);
  const std::string index = kIndexes + std::string("ts__sorted_rows");
  file.put(index, "SOURCE_GENERATION", 7, H5T_STD_U32LE);
  file.put(index, "SOURCE_NROWS", 10, H5T_STD_U16BE);
  EXPECT_TRUE(file.build("ts", IndexKind::kSortedRows, true).contains("built over ts"));
  EXPECT_EQ(file.tokens().at("ts__sorted_rows"), "7 of 8, 10 of 8");
  EXPECT_EQ(file.errors(), Texts{});

  // Row numbers of two bytes, in a dataset that could grow.
  file.change([&](hid_t opened) {
    const ObjectHandle old{H5Oopen(opened, index.c_str(), H5P_DEFAULT)};
    const hsize_t rows = 10, most = H5S_UNLIMITED, chunk = 4;
    const SpaceHandle space{H5Screate_simple(1, &rows, &most)};
    const libhdf5::PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
    H5Pset_chunk(list.get(), 1, &chunk);
    const std::string narrow = index + "_narrow";
    const ObjectHandle made{H5Dcreate2(opened, narrow.c_str(), H5T_STD_U16LE, space.get(),
                                       H5P_DEFAULT, list.get(), H5P_DEFAULT)};
    std::uint64_t numbers[10];
    ASSERT_GE(H5Dread(old.get(), H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers), 0);
    ASSERT_GE(H5Dwrite(made.get(), H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers), 0);
    for (const char* name : {"KIND", "ordered", "nan_tail_length", "fill_tail_length",
                             "SOURCE_GENERATION", "SOURCE_NROWS"}) {
      const AttributeHandle from{H5Aopen(old.get(), name, H5P_DEFAULT)};
      const libhdf5::TypeHandle type{H5Aget_type(from.get())};
      const SpaceHandle scalar{H5Aget_space(from.get())};
      std::byte value[64]{};
      ASSERT_GE(H5Aread(from.get(), type.get(), value), 0) << name;
      const AttributeHandle to{
          H5Acreate2(made.get(), name, type.get(), scalar.get(), H5P_DEFAULT, H5P_DEFAULT)};
      ASSERT_GE(H5Awrite(to.get(), type.get(), value), 0) << name;
    }
    H5Ldelete(opened, index.c_str(), H5P_DEFAULT);
    ASSERT_GE(H5Lmove(opened, narrow.c_str(), opened, index.c_str(), H5P_DEFAULT, H5P_DEFAULT), 0);
  });
  Texts listed = file.lists().at("ts");
  for (std::string& each : listed)
    if (each != "ts__chunk_minmax") each = "ts__sorted_rows";
  file.list("/events/ts", listed);
  EXPECT_EQ(file.errors(), Texts{});
  file.put("/events", "GENERATION", 8);
  EXPECT_TRUE(file.build("ts", IndexKind::kSortedRows, true).contains("built over ts"));
  const Table table = file.table();
  const Dataset& made = *table.search_indexes_group->child("ts__sorted_rows")->dataset;
  EXPECT_EQ(made.type.size, 8u);
  EXPECT_EQ(made.space.extent, std::vector<std::uint64_t>{10});
  EXPECT_EQ(file.tokens().at("ts__sorted_rows"), "8 of 8, 10 of 8");
  EXPECT_EQ(file.errors(), Texts{});
}

// The attributes and the storage of new indexes.
TEST(IndexFiles, NewIndexesHaveTheFormOfTheirFamily) {
  const File file(kNewer);
  for (const IndexKind kind : {IndexKind::kSortedRows, IndexKind::kChunkMinmax, IndexKind::kBitmap})
    EXPECT_TRUE(file.build("row_id", kind).contains("built over"));
  const IndexOutcome bloom =
      build_index(file.place("row_id", IndexKind::kChunkBloom),
                  {.bloom = BloomParameters{.k = 3, .m_bits = 512, .seed = 9},
                   .date = std::chrono::sys_seconds{}});
  ASSERT_TRUE(bloom.has_value()) << bloom.error().error.text();
  EXPECT_EQ(file.errors(), Texts{});
  const Table table = file.table();
  const auto index = [&](const char* name) -> const Dataset& {
    return *table.search_indexes_group->child(name)->dataset;
  };
  // With a terminating zero.
  for (const auto& [name, size] :
       {std::pair("row_id__sorted_rows", 12u), std::pair("row_id__chunk_minmax", 13u),
        std::pair("row_id__bitmap", 7u), std::pair("row_id__chunk_bloom", 12u)}) {
    const Attribute& kind = *index(name).attribute("KIND");
    EXPECT_EQ(kind.type.size, size) << name;
    EXPECT_EQ(kind.type.padding, StringPadding::kNullTerm) << name;
    EXPECT_TRUE(index(name).attribute("description")->type.padding == StringPadding::kNullPad);
  }
  const Dataset& filters = index("row_id__chunk_bloom");
  EXPECT_EQ(filters.space.extent.at(1), 64u);
  for (const auto& [name, size, value] :
       {std::tuple("k", 2u, 3u), std::tuple("m_bits", 8u, 512u), std::tuple("seed", 4u, 9u)}) {
    const Attribute* attribute = filters.attribute(name);
    ASSERT_TRUE(attribute) << name;
    EXPECT_EQ(attribute->type.size, size) << name;
    EXPECT_EQ(unsigned_value(*attribute), value) << name;
  }
  EXPECT_EQ(string_value(*filters.attribute("hash_family")), "murmur3_x64_128_double");
  // Chunks of 512 bytes along the dimension that grows, or of 64 bytes of bits, and of no more than
  // one element otherwise, unless there are more elements.
  using Extent = std::vector<std::uint64_t>;
  EXPECT_EQ(index("row_id__sorted_rows").storage.chunk, Extent{64});
  const Dataset& bitmap = index("row_id__bitmap");
  EXPECT_EQ(bitmap.storage.chunk, (Extent{bitmap.space.extent.at(0), 64}));
  const Dataset& minmax = index("row_id__chunk_minmax");
  EXPECT_EQ(minmax.storage.chunk,
            Extent{std::max(minmax.space.extent.at(0), 512 / minmax.type.size)});
  EXPECT_EQ(filters.storage.chunk,
            (Extent{std::max<std::uint64_t>(filters.space.extent.at(0), 8), 64}));
}

// The first index of a table in a revision with tokens.
TEST(IndexFiles, TheFirstTokensAreThoseOfGenerationZero) {
  const File file(kOlder);
  for (const SearchIndex& index : file.table().indexes) {
    const Table table = file.table();
    if (index.columns.empty()) continue;
    const std::string column = table.columns[index.columns[0]].name();
    if (!file.lists().contains(column)) continue;
    EXPECT_TRUE(file.drop(column.c_str(), index.kind).contains("dropped"));
  }
  EXPECT_EQ(file.names(), std::set<std::string>{});
  file.change(
      [](hid_t opened) { H5Adelete_by_name(opened, "/events", "GENERATION", H5P_DEFAULT); });
  const IndexOutcome done = build_index({.file = file.path,
                                         .group = "/events",
                                         .column = "ts",
                                         .kind = IndexKind::kSortedRows,
                                         .spec = find_specification(kNewer)},
                                        {});
  ASSERT_TRUE(done.has_value()) << done.error().error.text();
  EXPECT_EQ(unsigned_value(*file.table().attribute("GENERATION")), 0u);
  EXPECT_EQ(file.tokens(),
            (std::map<std::string, std::string>{{"ts__sorted_rows", "0 of 8, 10 of 8"}}));
}

// --- Calls that fail
// ------------------------------------------------------------------------------

// An index is built or dropped completely, or the failure is reported and the file unchanged.
TEST(FailingCalls, WhileIndexesChangeAreReported) {
  using Fate = libhdf5::testing::Failures::Fate;
  libhdf5::testing::Failures failures;
  for (const char* revision : {kOlder, kNewer}) {
    const File file(revision);
    const std::string before = golden::file_text(file.path);
    // In references, the library leaves some bytes undefined.
    const auto contents = [&] {
      const std::string bytes = golden::file_text(file.path);
      return libhdf5::testing::tables_of(std::as_bytes(std::span(bytes)), Reader::kOwn);
    };
    const auto add = [&](const std::function<IndexOutcome()>& change) {
      ASSERT_TRUE(change());
      const std::string whole = contents();
      bool done = false;
      failures.add(
          1,
          [&] {
            std::ofstream(file.path, std::ios::binary) << before;
            done = change().has_value();
          },
          [&] {
            if (!done) {
              EXPECT_TRUE(golden::file_text(file.path) == before);
            }
            return !done ? Fate::kReported : contents() == whole ? Fate::kHarmless : Fate::kSilent;
          });
      std::ofstream(file.path, std::ios::binary) << before;
    };
    for (const IndexKind kind : {IndexKind::kChunkMinmax, IndexKind::kSortedRows,
                                 IndexKind::kBitmap, IndexKind::kChunkBloom}) {
      const IndexPlace place = file.place("energy", kind);
      add([&] {
        return build_index(place, {.replace = true, .date = std::chrono::sys_seconds{}});
      });
    }
    add([&] { return drop_index(file.place("ts", IndexKind::kSortedRows), {}); });
  }
  const std::string text = failures.text();
  if (HEPCHECK_HDF5 >= 2) {
    EXPECT_TRUE(golden::equals(text, "validator/formats/hep001/golden/failing_indexes.txt"));
  }
}

}  // namespace
}  // namespace hepcheck::hep001
