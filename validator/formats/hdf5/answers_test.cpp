// The answers of a worker about the chunks and the bytes of a file: a reader takes valid ones
// completely, and reports any other one; gaps and overlaps of any ranges, at any addresses.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "validator/formats/hdf5/chunk_list.h"
#include "validator/formats/hdf5/file_map.h"
#include "validator/formats/hdf5/message.h"

namespace hepcheck::hdf5::answers {
namespace {

constexpr std::uint64_t kLast = ~std::uint64_t{0};
const std::string kIncomplete = "the answer of the worker is incomplete";

using Texts = std::vector<std::string>;

// One of numbers and texts.
class Answer {
 public:
  explicit Answer(char kind) : writer_(kind) {}
  Answer& number(std::uint64_t value) {
    writer_.put(value);
    return *this;
  }
  Answer& text(std::string_view value) {
    writer_.put(value);
    return *this;
  }
  std::string bytes() const { return writer_.bytes(); }
  operator std::string() const { return bytes(); }

 private:
  MessageWriter writer_;
};

// --- Gaps and overlaps ---------------------------------------------------------------------------

TEST(FileMaps, HaveTheGapsAndOverlapsOfTheirRanges) {
  constexpr std::uint64_t kBytes = 64;
  std::mt19937_64 random(20261128);
  for (int run = 0; run < 2000; ++run) {
    // At the beginning of the address space, or at its end.
    const std::uint64_t at = run % 2 == 0 ? 0 : kLast - kBytes;
    FileMap map;
    map.base = at + random() % 8;
    map.end = at + kBytes - random() % 8;
    for (std::uint64_t n = random() % 8; n > 0; --n) {
      const std::uint64_t begin = random() % kBytes;
      map.ranges.push_back({.address = at + begin, .size = random() % (kBytes - begin + 1)});
    }
    std::ranges::stable_sort(map.ranges, {}, &FileRange::address);
    std::vector<std::set<std::size_t>> uses(kBytes);
    for (std::size_t i = 0; i < map.ranges.size(); ++i)
      for (std::uint64_t byte = map.ranges[i].address; byte < map.ranges[i].end(); ++byte)
        uses[byte - at].insert(i);

    std::vector<bool> gap(kBytes), overlap(kBytes);
    std::uint64_t reached = 0;
    for (const FileMap::Gap& each : map.gaps()) {
      EXPECT_GT(each.size, 0u);
      EXPECT_GE(each.address - at, reached);
      reached = each.address - at + each.size;
      for (std::uint64_t i = 0; i < each.size; ++i) gap[each.address - at + i] = true;
    }
    for (const FileMap::Overlap& each : map.overlaps()) {
      EXPECT_LT(each.first, each.second);
      for (std::uint64_t i = 0; i < each.size; ++i) {
        const std::uint64_t byte = each.address - at + i;
        overlap[byte] = true;
        EXPECT_TRUE(uses[byte].contains(each.first) && uses[byte].contains(each.second));
      }
    }
    for (std::uint64_t byte = 0; byte < kBytes; ++byte) {
      const bool inside = at + byte >= map.base && at + byte < map.end;
      if (inside) {
        EXPECT_EQ(gap[byte], uses[byte].empty()) << "run " << run << " byte " << byte;
      } else {
        EXPECT_TRUE(!gap[byte] || uses[byte].empty()) << "run " << run << " byte " << byte;
      }
      EXPECT_EQ(overlap[byte], uses[byte].size() > 1) << "run " << run << " byte " << byte;
    }
    if (HasFailure()) return;
  }
}

// --- The map of a file ---------------------------------------------------------------------------

FileMap answered_map(const Texts& messages) {
  FileMapReader reader;
  for (const std::string& each : messages) reader.take(each);
  return std::move(reader).map();
}

Answer range(std::uint64_t address, std::uint64_t size, std::uint64_t kind = 0,
             std::uint64_t object = 0) {
  return Answer('r').number(address).number(size).number(kind).number(object);
}
Answer field(std::uint64_t range, std::uint64_t address, std::uint64_t size) {
  return Answer('f').number(range).number(address).number(size).text("name").text("value");
}
const std::string kNames = Answer('k').text("raw data").text("OHDR"),
                  kOwners = Answer('o').text("/").text("/d"),
                  kMapEnd = Answer('e').number(100).number(8).number(90);

TEST(MapAnswers, AreTakenAsSent) {
  const std::string finding =
      Answer('n').number(20).number(2).number(1).text("clause").text("/d").text("seen").text(
          "wanted");
  const FileMap map =
      answered_map({kNames, kOwners, range(8, 12), range(20, 30, 1, 1), range(20, kLast - 20, 0, 1),
                    field(0, 8, 12), field(1, 20, 0), field(1, 49, 1), field(1, 50, 0), finding,
                    Answer('e').number(100).number(8).number(90).text("why")});
  EXPECT_EQ(map.size, 100u);
  EXPECT_EQ(map.base, 8u);
  EXPECT_EQ(map.end, 90u);
  EXPECT_EQ(map.kinds, (Texts{"raw data", "OHDR"}));
  EXPECT_EQ(map.objects, (Texts{"/", "/d"}));
  EXPECT_EQ(map.trouble, Texts{"why"});
  ASSERT_EQ(map.ranges.size(), 3u);
  EXPECT_EQ(map.ranges[1].address, 20u);
  EXPECT_EQ(map.ranges[1].end(), 50u);
  EXPECT_EQ(map.ranges[1].kind, 1u);
  EXPECT_EQ(map.ranges[1].object, 1u);
  EXPECT_EQ(map.ranges[2].end(), kLast);
  ASSERT_EQ(map.fields.size(), 4u);
  EXPECT_EQ(map.fields[2].range, 1u);
  EXPECT_EQ(map.fields[2].address, 49u);
  EXPECT_EQ(map.fields[2].size, 1u);
  EXPECT_EQ(map.fields[2].name, "name");
  EXPECT_EQ(map.fields[2].value, "value");
  ASSERT_EQ(map.findings.size(), 1u);
  EXPECT_EQ(map.findings[0].address, 20u);
  EXPECT_EQ(map.findings[0].severity, static_cast<Severity>(2));
  EXPECT_TRUE(map.findings[0].decoded);
  EXPECT_EQ(map.findings[0].clause, "clause");
  EXPECT_EQ(map.findings[0].object, "/d");
  EXPECT_EQ(map.findings[0].observed, "seen");
  EXPECT_EQ(map.findings[0].expected, "wanted");
}

// The first message that is not valid, after some that are, and all after it.
TEST(MapAnswers, ThatAreNotValidAreReported) {
  const Texts begin = {kNames, kOwners, range(8, 12), range(20, 30, 1, 1), field(1, 20, 1)};
  const auto trouble = [&](const std::string& message, bool end = true) {
    Texts all = begin;
    all.push_back(message);
    if (end) all.push_back(kMapEnd);
    const FileMap map = answered_map(all);
    // Ranges and fields are consistent all the same.
    for (const FileRange& each : map.ranges) {
      EXPECT_LT(each.kind, map.kinds.size());
      EXPECT_LT(each.object, map.objects.size());
    }
    for (const FileField& each : map.fields) EXPECT_LT(each.range, map.ranges.size());
    return map.trouble;
  };
  EXPECT_EQ(trouble(range(20, 1, 1, 1)), Texts{});
  EXPECT_EQ(trouble(field(1, 21, 29)), Texts{});
  for (const std::string& wrong :
       {std::string(), std::string("x"), range(19, 1).bytes(), range(20, 1, 2).bytes(),
        range(20, 1, 0, 2).bytes(), range(20, kLast - 19).bytes(),
        range(20, 1).bytes().substr(0, 32), Answer('k').number(3).bytes() + "ab",
        Answer('o').number(kLast).bytes(), field(2, 20, 1).bytes(), field(0, 8, 1).bytes(),
        field(1, 19, 1).bytes(), field(1, 51, 0).bytes(), field(1, 49, 2).bytes(),
        field(1, 21, kLast).bytes(), Answer('f').number(1).number(20).number(1).bytes(),
        Answer('n').number(1).number(2).bytes()})
    EXPECT_EQ(trouble(wrong), Texts{kIncomplete}) << wrong.size() << ' ' << wrong;
  EXPECT_EQ(trouble(range(20, 1, 1, 1), false), Texts{kIncomplete});
  // Nothing follows the end.
  EXPECT_EQ(trouble(kMapEnd), Texts{kIncomplete});
  EXPECT_EQ(trouble(Answer('e').number(1).number(2), false), Texts{kIncomplete});
  EXPECT_EQ(trouble(Answer('e').number(1).number(2).number(3).number(9), false),
            (Texts{"", kIncomplete}));
}

TEST(MapAnswers, SeveritiesAreThoseThatExist) {
  for (const std::uint64_t severity : {std::uint64_t{0}, std::uint64_t{1}, kLast}) {
    const FileMap map = answered_map(
        {Answer('n').number(1).number(severity).number(0).text("c").text("o").text("s").text("w"),
         kMapEnd});
    ASSERT_EQ(map.findings.size(), 1u);
    EXPECT_EQ(map.findings[0].severity,
              severity == kLast ? Severity::kError : static_cast<Severity>(severity));
    EXPECT_FALSE(map.findings[0].decoded);
  }
}

// --- The chunks of a file ------------------------------------------------------------------------

ChunkLists answered_lists(const Texts& messages) {
  ChunkListReader reader;
  for (const std::string& each : messages) reader.take(each);
  return std::move(reader).lists();
}

// Two dimensions.
Answer dataset(std::uint64_t number, std::string_view path) {
  return Answer('d')
      .number(number)
      .text(path)
      .text("fixed array")
      .number(2)
      .number(10)
      .number(6)
      .number(4)
      .number(3);
}
Answer chunk(std::uint64_t number, std::uint64_t row = 0) {
  return Answer('c').number(number).number(row).number(3).number(1).number(kLast).number(7);
}
const std::string kListEnd = Answer('e');

TEST(ChunkAnswers, AreTakenAsSent) {
  const std::string two = chunk(7, 4).bytes() + chunk(7, 8).bytes().substr(9);
  const ChunkLists lists = answered_lists({dataset(7, "/a"), dataset(3, "/a: b"), chunk(3), two,
                                           chunk(3, kLast), Answer('e').text("/a").text("why")});
  EXPECT_FALSE(lists.whole);
  EXPECT_EQ(lists.trouble, Texts{"/a: why"});
  ASSERT_EQ(lists.datasets.size(), 2u);
  const ChunkList &a = lists.datasets[0], &b = lists.datasets[1];
  EXPECT_EQ(a.path, "/a");
  EXPECT_EQ(a.index, "fixed array");
  EXPECT_EQ(a.shape, (std::vector<std::uint64_t>{10, 6}));
  EXPECT_EQ(a.chunk, (std::vector<std::uint64_t>{4, 3}));
  EXPECT_FALSE(a.whole);
  EXPECT_TRUE(b.whole);  // whose path looks like the trouble
  using Numbers = std::vector<std::uint64_t>;
  EXPECT_EQ(a.numbers, (Numbers{4, 3, 1, kLast, 7, 8, 3, 1, kLast, 7}));
  EXPECT_EQ(b.numbers, (Numbers{0, 3, 1, kLast, 7, kLast, 3, 1, kLast, 7}));
  ASSERT_EQ(b.count(), 2u);
  EXPECT_EQ(b.at(1)[0], kLast);
  EXPECT_EQ(b.at(1).size(), 5u);
}

TEST(ChunkAnswers, WithoutTroubleAreWhole) {
  const ChunkLists lists = answered_lists({dataset(0, "/a"), dataset(1, "/b"), chunk(1), kListEnd});
  EXPECT_TRUE(lists.whole);
  EXPECT_TRUE(lists.datasets[0].whole && lists.datasets[1].whole);
  // A trouble of all of them.
  const ChunkLists other = answered_lists({dataset(0, "/a"), Answer('e').text("").text("why")});
  EXPECT_FALSE(other.whole);
  EXPECT_EQ(other.trouble, Texts{"why"});
  EXPECT_TRUE(other.datasets[0].whole);
  // Without an end.
  const ChunkLists cut = answered_lists({dataset(0, "/a"), chunk(0)});
  EXPECT_FALSE(cut.whole);
  EXPECT_FALSE(cut.datasets[0].whole);
  EXPECT_EQ(cut.trouble, Texts{kIncomplete});
}

TEST(ChunkAnswers, ThatAreNotValidAreReported) {
  const auto trouble = [&](const std::string& message, const std::string& end = kListEnd) {
    return answered_lists({dataset(7, "/a"), chunk(7), message, end}).trouble;
  };
  EXPECT_EQ(trouble(dataset(8, "/b")), Texts{});
  EXPECT_EQ(trouble(chunk(7, 4)), Texts{});
  Answer large('d');
  large.number(9).text("/c").text("single").number(kLast);
  for (const std::string& wrong :
       {std::string(), std::string("x"), dataset(7, "/b").bytes(), large.bytes(),
        dataset(8, "/b").number(1).bytes(),
        dataset(8, "/b").bytes().substr(0, dataset(8, "/b").bytes().size() - 1), chunk(8).bytes(),
        chunk(7).number(1).bytes(), chunk(7).bytes().substr(0, 48)})
    EXPECT_EQ(trouble(wrong), Texts{kIncomplete}) << wrong.size() << ' ' << wrong;
  EXPECT_EQ(trouble(kListEnd), Texts{kIncomplete});
  EXPECT_EQ(trouble(chunk(7, 4), Answer('e').text("/a")), (Texts{"/a: ", kIncomplete}));
}

// As many dimensions as a dataset can have.
TEST(ChunkAnswers, HaveUpTo32Dimensions) {
  for (const std::uint64_t rank : {0, 1, 32, 33}) {
    Answer message('d');
    message.number(0).text("/a").text("single").number(rank);
    for (std::uint64_t i = 0; i < 2 * rank; ++i) message.number(i);
    const ChunkLists lists = answered_lists({message, kListEnd});
    EXPECT_EQ(lists.whole, rank <= 32) << rank;
    if (rank > 32) continue;
    ASSERT_EQ(lists.datasets.size(), 1u);
    EXPECT_EQ(lists.datasets[0].rank(), rank);
    EXPECT_EQ(lists.datasets[0].count(), 0u);
    if (rank == 32) {
      EXPECT_EQ(lists.datasets[0].shape.back(), 31u);
      EXPECT_EQ(lists.datasets[0].chunk.front(), 32u);
    }
  }
}

}  // namespace
}  // namespace hepcheck::hdf5::answers
