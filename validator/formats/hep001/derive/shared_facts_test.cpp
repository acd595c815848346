// Facts as bytes: nothing is lost, and no bytes do harm.
#include "validator/formats/hep001/derive/shared_facts.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <string>
#include <utility>
#include <vector>

#include "validator/descriptor.h"
#include "validator/formats/hep001/testing/build.h"

namespace hepcheck::hep001 {

namespace {

constexpr FileMark kFile{.bytes = 4096, .modified = 1'800'000'000'000'000'001};

// No two have the same values.
class Numbered {
 public:
  std::uint64_t number() { return ++last_; }
  std::string text() { return "text " + std::to_string(number()); }
  Obstacle obstacle() { return {text(), number() % 2 == 0, {"nrows-present", "nrows-uint64"}}; }
  Difference difference() {
    Difference made{number(), number(), text(), text(), text(), {}};
    made.where.add(number());
    made.where.add(1000 + number(), 3);
    return made;
  }
  ColumnFacts column() {
    return {obstacle(),   text(),       difference(), difference(),
            difference(), difference(), difference(), {number(), {number(), number()}}};
  }

 private:
  std::uint64_t last_ = 0;
};

SharedFacts example() {
  Numbered n;
  TableFacts facts;
  facts.columns = {n.column(), {}};
  facts.categories = {{n.text()}, {}};
  ListLevelFacts level{n.number(),     n.number(),     n.obstacle(),   n.obstacle(),
                       n.obstacle(),   n.obstacle(),   n.obstacle(),   n.obstacle(),
                       n.text(),       n.difference(), n.difference(), n.difference(),
                       n.difference(), n.difference(), n.difference(), n.number(),
                       n.number(),     n.number()};
  facts.lists = {{{level, {}}, n.column()}, {}};
  facts.indexes.emplace_back();
  facts.indexes.emplace_back(
      MinmaxFacts{n.obstacle(), n.number(), n.number(), n.number(), n.difference(), n.difference(),
                  n.difference(), n.difference(), n.difference(), n.difference(), n.difference(),
                  n.difference(), n.difference(), n.difference()});
  facts.indexes.emplace_back(
      SortedFacts{n.obstacle(), n.number(), n.number(), n.number(), n.difference(), n.difference(),
                  true, n.difference(), n.difference(), n.difference(), n.difference(),
                  n.difference(), n.difference(), n.number(), n.number(), n.text(), n.text()});
  facts.indexes.emplace_back(BitmapFacts{n.obstacle(), n.difference(), n.difference(), true,
                                         n.number(), n.difference(), n.difference(),
                                         n.difference()});
  facts.indexes.emplace_back(BloomFacts{n.obstacle(), n.number(), n.difference(), n.text(), true,
                                        n.difference(), n.difference(), n.number(), n.number()});
  return {.file = kFile,
          .share = {1, 3},
          .value_bytes = n.number(),
          .tables = {{"/t", "hep001-2026-07-09", std::move(facts)}}};
}

// The bytes of these facts with another content and its digest.
std::string with_digest(std::string content) {
  const std::uint64_t digest = XXH3_64bits(content.data(), content.size());
  return content.append(reinterpret_cast<const char*>(&digest), sizeof digest);
}
std::string without_digest(const std::string& bytes) { return bytes.substr(0, bytes.size() - 8); }

TEST(SharedFacts, ReturnAsTheyWere) {
  const std::string bytes = to_bytes(example());
  SharedFacts read;
  ASSERT_FALSE(from_bytes(bytes, read));
  // Every member is in the bytes (shared_facts.cpp does not compile otherwise).
  EXPECT_EQ(to_bytes(read), bytes);
  const TableFacts facts = example().tables.at(0).facts;
  const TableFacts& same = read.tables.at(0).facts;
  EXPECT_EQ(read.file, kFile);
  EXPECT_EQ(read.share, (Share{1, 3}));
  EXPECT_EQ(same.columns.at(0).missing->where, facts.columns.at(0).missing->where);
  EXPECT_EQ(same.columns.at(0).obstacle->by, facts.columns.at(0).obstacle->by);
  EXPECT_EQ(same.columns.at(0).missing_cells.missing, facts.columns.at(0).missing_cells.missing);
  EXPECT_FALSE(same.columns.at(1).missing);
  EXPECT_EQ(std::get<SortedFacts>(same.indexes.at(2)).fill_tail_witness,
            std::get<SortedFacts>(facts.indexes.at(2)).fill_tail_witness);
  EXPECT_EQ(std::get<BloomFacts>(same.indexes.at(4)).superset_chunks,
            std::get<BloomFacts>(facts.indexes.at(4)).superset_chunks);
}

TEST(SharedFacts, AreRejectedIfTruncatedOrChanged) {
  const std::string bytes = to_bytes(example());
  SharedFacts read;
  const std::size_t first_line = bytes.find('\n') + 1;
  const auto error = [&](const std::string& some) {
    const auto found = from_bytes(some, read);
    return found ? found->context.substr(0, std::string_view("no facts").size()) : "none";
  };
  for (std::size_t size = 0; size < bytes.size(); ++size)
    ASSERT_EQ(error(bytes.substr(0, size)), size < first_line + 8 ? "no facts" : "damaged ")
        << size;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ (1 << at % 8));
    ASSERT_EQ(error(changed), at < first_line ? "no facts" : "damaged ") << at;
  }
}

// Every change of a file that the system notices.
TEST(SharedFacts, MarksOfFiles) {
  const Descriptor file{memfd_create("marked", MFD_CLOEXEC)};
  ASSERT_TRUE(file);
  const auto mark = [&](time_t seconds, long nanoseconds, std::uint64_t bytes) {
    const timespec times[] = {{0, 0}, {seconds, nanoseconds}};
    EXPECT_EQ(futimens(file.get(), times), 0);
    return mark_of(file.get(), bytes);
  };
  EXPECT_EQ(mark(7, 5, 3), (FileMark{.bytes = 3, .modified = 7'000'000'005}));
  EXPECT_EQ(mark(7, 0, 3), (FileMark{.bytes = 3, .modified = 7'000'000'000}));
  EXPECT_EQ(mark(8, 999'999'999, 4), (FileMark{.bytes = 4, .modified = 8'999'999'999}));
  EXPECT_EQ(mark_of(-1, 5), (FileMark{.bytes = 5}));
}

// Whoever computes the digest again gets the same bytes back, or an error.
TEST(SharedFacts, AreReadExactlyOrNotAtAll) {
  const std::string content = without_digest(to_bytes(example()));
  SharedFacts read;
  for (std::size_t size = 0; size < content.size(); ++size)
    ASSERT_TRUE(from_bytes(with_digest(content.substr(0, size)), read)) << size;
  EXPECT_TRUE(from_bytes(with_digest(content + '\0'), read));
  std::size_t accepted = 0;
  for (std::size_t at = 0; at < content.size(); ++at)
    for (const int flip : {1, 2, 0x80, 0xFF}) {
      std::string changed = content;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      SharedFacts made;
      if (from_bytes(with_digest(changed), made)) continue;
      ++accepted;
      ASSERT_EQ(to_bytes(made), with_digest(changed)) << at;
    }
  EXPECT_GT(accepted, 1000u);  // numbers and letters
}

TEST(SharedFacts, NameKnownClauses) {
  std::string content = without_digest(to_bytes(example()));
  content.replace(content.find("nrows-present"), 13, "nrows-unknown");
  SharedFacts read;
  const auto error = from_bytes(with_digest(content), read);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->text(), "invalid facts");
}

std::string share(std::uint64_t number, std::uint64_t count, FileMark file = kFile) {
  return to_bytes({.file = file, .share = {number, count}, .value_bytes = 10 + number});
}

std::string refusal(const std::vector<std::string>& files) {
  const auto made = FactsOfShares::of(files, kFile);
  return made ? std::to_string(made->value_bytes()) : made.error().text();
}

TEST(FactsOfShares, NeedEveryShareOnce) {
  const std::string other = "facts of another file, or of this one before a change";
  EXPECT_EQ(refusal({share(0, 1)}), "10");
  EXPECT_EQ(refusal({share(1, 2), share(0, 2)}), "21");
  EXPECT_EQ(refusal({share(0, 2)}), "1 of the 2 shares of the facts");
  EXPECT_EQ(refusal({share(0, 1), share(0, 1)}), "2 of the 1 shares of the facts");
  EXPECT_EQ(refusal({share(1, 2), share(1, 2)}), "facts of share 2/2 twice");
  EXPECT_EQ(refusal({share(2, 2), share(1, 2)}), "invalid facts");
  EXPECT_EQ(refusal({share(0, 1, {.bytes = 4095, .modified = kFile.modified})}), other);
  EXPECT_EQ(refusal({share(0, 1, {.bytes = 4096, .modified = 1})}), other);
  EXPECT_EQ(refusal({"text"}).substr(0, 20), "no facts of hepcheck");
  EXPECT_EQ(refusal({""}).substr(0, 20), "no facts of hepcheck");
}

// A table without rows and with as many columns, and the facts about it that a share has.
class OfColumns {
 public:
  explicit OfColumns(int columns) {
    for (int i = 0; i < columns; ++i)
      t.add_column("c" + std::to_string(i), integer_type(4, true), {1, 2}, -1, 64);
    t.finish();
  }
  std::string share(std::uint64_t number, std::uint64_t count, const std::string& path = "/t",
                    std::string_view revision = {}) {
    TableFacts facts = collect_facts(t.table, t.values, {.jobs = 1, .share = {number, count}});
    return to_bytes(
        {.file = kFile,
         .share = {number, count},
         .tables = {{path, std::string(revision.empty() ? t.table.revision->spec : revision),
                     std::move(facts)}}});
  }
  std::string taken(const std::vector<std::string>& files) const {
    auto made = FactsOfShares::of(files, kFile);
    if (!made) return made.error().text();
    const auto facts = made->take(t.table);
    if (!facts) return facts.error().text();
    EXPECT_FALSE(made->take(t.table));  // once
    return to_bytes({.tables = {{"", "", *facts}}});
  }
  TableBuilder t{"/t", 2};
};

TEST(FactsOfShares, AreThoseOfOneRun) {
  for (const int columns : {0, 1, 2, 5}) {
    OfColumns table(columns);
    const std::string alone = table.taken({table.share(0, 1)});
    EXPECT_NE(alone.find("hepcheck facts"), std::string::npos) << alone;
    for (const std::uint64_t count : {2, 3, 7}) {
      std::vector<std::string> files;
      for (std::uint64_t i = 0; i < count; ++i) files.push_back(table.share(i, count));
      EXPECT_EQ(table.taken(files), alone) << columns << " columns, " << count << " shares";
    }
  }
}

TEST(FactsOfShares, AreOfTheTable) {
  OfColumns table(2), wider(3);
  const std::string other = "/t: the facts were collected with other options";
  EXPECT_EQ(table.taken({wider.share(0, 1)}), other);
  EXPECT_EQ(wider.taken({table.share(0, 1)}), other);
  EXPECT_EQ(table.taken({table.share(0, 1, "/u")}), other);
  EXPECT_EQ(table.taken({table.share(0, 1, "/t", "hep001-2026-06-16x")}), other);
  EXPECT_EQ(table.taken({share(0, 1)}), other);
}

}  // namespace

}  // namespace hepcheck::hep001
