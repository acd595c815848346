// The parts of the checks that keep state: when bytes were written, and which blocks, chunks and
// datasets a reader found. Each is compared with a simple model.
#include "validator/formats/hdf5/trace/seen.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <format>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/lookup3.h"
#include "validator/formats/hdf5/testing/trace_logs.h"
#include "validator/formats/hdf5/trace/check.h"
#include "validator/formats/hdf5/trace/watch.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hdf5::trace {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLast = ~std::uint64_t{0};

// --- Spans ---------------------------------------------------------------------------------------

TEST(Spans, MeetIfTheyShareAByte) {
  const Span span{10, 20};
  EXPECT_TRUE(span.meets({19, 30}));
  EXPECT_TRUE(span.meets({0, 11}));
  EXPECT_TRUE(span.meets({12, 13}));
  EXPECT_FALSE(span.meets({20, 30}));
  EXPECT_FALSE(span.meets({0, 10}));
}

TEST(Spans, HoldTheirPartsAndThemselves) {
  const Span span{10, 20};
  EXPECT_TRUE(span.holds({10, 20}));
  EXPECT_TRUE(span.holds({11, 19}));
  EXPECT_FALSE(span.holds({9, 20}));
  EXPECT_FALSE(span.holds({10, 21}));
}

TEST(Spans, EndWithTheAddressSpace) {
  EXPECT_EQ(Span::of(5, 7).end, 12u);
  EXPECT_EQ(Span::of(kLast - 3, 3).end, kLast);
  EXPECT_EQ(Span::of(kLast - 3, 4).end, kLast);
  EXPECT_EQ(Span::of(kLast - 3, kLast).end, kLast);
}

// --- Times ---------------------------------------------------------------------------------------

// The first and the last time of each byte.
class PlainTimes {
 public:
  explicit PlainTimes(std::uint64_t size) {
    for (std::uint64_t at = 0; at < size; ++at) write({at, at + 1}, Times::kBefore);
  }
  void write(const Span& span, std::int64_t time) {
    for (std::uint64_t at = span.begin; at < span.end; ++at) {
      first_.try_emplace(at, time);
      last_[at] = time;
    }
  }
  std::int64_t complete(const Span& span) const {
    std::int64_t latest = Times::kBefore;
    for (std::uint64_t at = span.begin; at < span.end; ++at) {
      const auto found = first_.find(at);
      if (found == first_.end()) return Times::kNever;
      latest = std::max(latest, found->second);
    }
    return latest;
  }
  std::int64_t last(std::uint64_t at) const {
    const auto found = last_.find(at);
    return found == last_.end() ? Times::kNever : found->second;
  }

 private:
  std::map<std::uint64_t, std::int64_t> first_{}, last_{};
};

TEST(WriteTimes, EqualThoseOfEachByte) {
  constexpr std::uint64_t kBytes = 48;
  std::mt19937_64 random(20261128);
  for (int run = 0; run < 300; ++run) {
    const std::uint64_t size = random() % 12;
    Times times;
    times.begin(size);
    PlainTimes plain(size);
    for (std::int64_t time = 0; time < 8; ++time) {
      const std::uint64_t begin = random() % kBytes;
      const Span span{begin, begin + 1 + random() % 10};
      times.write(span, time);
      plain.write(span, time);
      for (std::uint64_t at = 0; at < kBytes + 12; ++at) {
        ASSERT_EQ(times.last(at), plain.last(at)) << "run " << run << " byte " << at;
        for (const std::uint64_t length : {1, 3, 9})
          ASSERT_EQ(times.complete({at, at + length}), plain.complete({at, at + length}))
              << "run " << run << " bytes " << at << " + " << length;
      }
    }
  }
}

TEST(WriteTimes, OfTheLastBytesOfTheAddressSpace) {
  Times times;
  times.begin(0);
  EXPECT_EQ(times.last(0), Times::kNever);
  times.write({kLast - 10, kLast}, 3);
  times.write({kLast - 20, kLast - 8}, 4);
  EXPECT_EQ(times.last(kLast - 9), 4);
  EXPECT_EQ(times.last(kLast - 8), 3);
  EXPECT_EQ(times.complete({kLast - 10, kLast}), 3);
  EXPECT_EQ(times.complete({kLast - 20, kLast}), 4);
  EXPECT_EQ(times.complete({kLast - 21, kLast}), Times::kNever);
}

// --- Chunks --------------------------------------------------------------------------------------

using Position = std::vector<std::uint64_t>;

TEST(ChunkLists, KeepTheLaterOfTwoAtOnePosition) {
  std::mt19937_64 random(7);
  for (int run = 0; run < 200; ++run) {
    const std::size_t rank = 1 + random() % 3;
    // Few different numbers, among them large ones, so that positions repeat.
    const std::uint64_t numbers[] = {0, 1, 2, std::uint64_t{1} << 40, kLast};
    ChunkList list;
    std::map<Position, std::uint64_t> expected;
    for (std::uint64_t i = random() % 12; i > 0; --i) {
      Position at;
      for (std::size_t d = 0; d < rank; ++d) at.push_back(numbers[random() % 5]);
      list.add(at, {.span = {i, i + 1}});
      expected[at] = i;
    }
    list.sort();
    ASSERT_EQ(list.size(), expected.size());
    std::size_t n = 0;
    for (const auto& [at, begin] : expected) {
      EXPECT_TRUE(std::ranges::equal(list[n].place, at));
      EXPECT_EQ(list[n++].chunk.span.begin, begin);
      ASSERT_TRUE(list.find(at));
      EXPECT_EQ(list.find(at)->span.begin, begin);
    }
    Position other(rank, 3);
    EXPECT_FALSE(list.find(other));
    other.back() = kLast - 1;
    EXPECT_FALSE(list.find(other));
  }
}

TEST(ChunkLists, ExtentsIncludeChunksThatBeginInside) {
  DatasetSeen dataset;
  dataset.sizes = {10, 6};
  dataset.maxima = {kUndefined, 6};
  dataset.chunk = {4, 3};
  const auto inside = [&](std::uint64_t row, std::uint64_t column) {
    return dataset.inside(Position{row, column});
  };
  EXPECT_TRUE(inside(0, 0));
  EXPECT_TRUE(inside(2, 1));
  EXPECT_FALSE(inside(3, 0));
  EXPECT_FALSE(inside(0, 2));
  EXPECT_FALSE(inside(std::uint64_t{1} << 62, 0));  // 4 times this is 2^64
  EXPECT_EQ(dataset.unlimited(), 1u);
}

// --- Datasets ------------------------------------------------------------------------------------

Datasets::Kept dataset_at(std::uint64_t header, std::string path = "") {
  auto made = std::make_shared<DatasetSeen>();
  made->header = header;
  made->path = std::move(path);
  return made;
}

TEST(SeenDatasets, AreFoundByTheirHeaders) {
  Datasets all;
  for (const std::uint64_t header : {10, 20, 30}) all.put(dataset_at(header));
  EXPECT_EQ(all.find(20)->header, 20u);
  for (const std::uint64_t other : {0, 15, 31}) EXPECT_FALSE(all.contains(other));
  all.replace(dataset_at(20, "/new"));
  EXPECT_EQ(all.find(20)->path, "/new");
  EXPECT_EQ(all.find(10)->path, "");
  EXPECT_EQ(all.find(30)->path, "");
}

// Each is paired with its own earlier state, whichever others appear or disappear.
TEST(SeenDatasets, ArePairedByTheirHeaders) {
  std::mt19937_64 random(3);
  for (int run = 0; run < 200; ++run) {
    Datasets before, now;
    for (std::uint64_t header = 0; header < 6; ++header) {
      if (random() % 2 == 0) before.put(dataset_at(header, "before"));
      if (random() % 2 == 0) now.put(dataset_at(header, "now"));
    }
    std::vector<std::uint64_t> visited;
    each_dataset(now, before, [&](const DatasetSeen& dataset, const DatasetSeen* old) {
      visited.push_back(dataset.header);
      EXPECT_EQ(old, before.find(dataset.header));
    });
    std::vector<std::uint64_t> wanted;
    for (const DatasetSeen& each : now.all()) wanted.push_back(each.header);
    EXPECT_EQ(visited, wanted);
  }
}

// --- Blocks --------------------------------------------------------------------------------------

TEST(SeenBlocks, AreFoundByTheirBytes) {
  std::mt19937_64 random(11);
  for (int run = 0; run < 300; ++run) {
    Seen seen;
    for (std::uint64_t begin = 0; begin < 40; begin += 1 + random() % 6)
      if (random() % 3 != 0)
        // Some overlap several later ones.
        seen.blocks.push_back({.kind = "OHDR", .span = {begin, begin + 1 + random() % 15}});
    std::uint64_t reach = 0;
    for (const BlockSeen& block : seen.blocks)
      seen.reach.push_back(reach = std::max(reach, block.span.end));
    for (std::uint64_t at = 0; at < 60; ++at) {
      const auto begins = std::ranges::find_if(
          seen.blocks, [&](const BlockSeen& block) { return block.span.begin == at; });
      EXPECT_EQ(seen.block_at(at), begins == seen.blocks.end() ? nullptr : &*begins);
      for (const std::uint64_t length : {1, 4}) {
        const Span span{at, at + length};
        const auto meets = std::ranges::find_if(
            seen.blocks, [&](const BlockSeen& block) { return block.span.meets(span); });
        EXPECT_EQ(seen.block_in(span), meets == seen.blocks.end() ? nullptr : &*meets);
      }
    }
  }
}

// --- Bytes ---------------------------------------------------------------------------------------

TEST(BlockBytes, NumbersAreLittleEndianAndInside) {
  const std::string_view bytes("\x01\x02\x03\xff\x05", 5);
  EXPECT_EQ(number_at(bytes, 0, 2), 0x0201u);
  EXPECT_EQ(number_at(bytes, 3, 2), 0x05ffu);
  EXPECT_EQ(number_at(bytes, 4, 2), kUndefined);
  EXPECT_EQ(number_at(bytes, 5, 0), 0u);
  EXPECT_EQ(number_at(bytes, 6, 0), kUndefined);
  EXPECT_EQ(number_at(bytes, 0, 8), kUndefined);
}

TEST(BlockBytes, KindsAreSignatures) {
  for (const std::string_view kind :
       {"OHDR", "OCHK", "BTHD", "BTIN", "BTLF", "EAHD", "EAIB", "EASB", "EADB", "FAHD",
        "FADB", "FRHP", "FHIB", "FHDB", "FSHD", "FSSE", "TREE", "SNOD", "HEAP", "GCOL"}) {
    EXPECT_EQ(kind_of(kind), kind);
    EXPECT_EQ(kind_of(std::string(kind) + "more"), kind);
    EXPECT_EQ(kind_of(kind.substr(0, 3)), "");
  }
  EXPECT_EQ(kind_of("\x89HDF\r\n\x1a\n and more"), "superblock");
  EXPECT_EQ(kind_of("\x89HDF\r\n\x1a"), "");
  EXPECT_EQ(kind_of(""), "");
}

std::string with_sum(std::string bytes) {
  std::uint32_t sum = lookup3(std::as_bytes(std::span(bytes)));
  for (int i = 0; i < 4; ++i, sum >>= 8) bytes.push_back(static_cast<char>(sum & 0xff));
  return bytes;
}

TEST(BlockBytes, ChecksumsAreAtTheEndOrAfterSomeBytes) {
  const std::string sound = with_sum("BTLF and some records");
  EXPECT_TRUE(sum_holds("BTLF", sound));
  EXPECT_TRUE(sum_holds("BTLF", sound + std::string(3, '\0')));
  EXPECT_TRUE(sum_holds("BTLF", sound + std::string(900, 'x')));
  EXPECT_FALSE(sum_holds("BTLF", "x" + sound));
  for (std::size_t i = 0; i < sound.size(); ++i) {
    std::string wrong = sound;
    wrong[i] = static_cast<char>(wrong[i] ^ 1);
    EXPECT_FALSE(sum_holds("BTLF", wrong)) << i;
    EXPECT_TRUE(sum_holds("TREE", wrong));  // has no checksum
  }
  EXPECT_FALSE(sum_holds("OHDR", "short"));
  EXPECT_TRUE(sum_holds("HEAP", "short"));
  // After at least 6 bytes, and within the first 8192; at the end of any number.
  EXPECT_TRUE(sum_holds("OHDR", with_sum("OHDR")));
  EXPECT_FALSE(sum_holds("OHDR", with_sum("OHDR5") + "more"));
  EXPECT_TRUE(sum_holds("OHDR", with_sum("OHDR56") + "more"));
  EXPECT_TRUE(sum_holds("OHDR", with_sum(std::string(8188, 'x')) + "more"));
  EXPECT_FALSE(sum_holds("OHDR", with_sum(std::string(8189, 'x')) + "more"));
  EXPECT_TRUE(sum_holds("OHDR", with_sum(std::string(9000, 'x'))));
  // Superblocks have one from version 2 on.
  for (const auto& [version, holds] :
       {std::pair(0, true), std::pair(1, true), std::pair(2, false), std::pair(3, false)}) {
    std::string superblock = "\x89HDF\r\n\x1a\n";
    superblock.push_back(static_cast<char>(version));
    superblock += std::string(40, '\7');
    EXPECT_EQ(sum_holds("superblock", superblock), holds) << version;
  }
}

// --- Results -------------------------------------------------------------------------------------

TEST(WriteResults, KeepAsManyFindingsAsWanted) {
  const ClauseId clause("swmr-io-atomic");
  Results results(2);
  results.looked(clause, 5);
  for (const char* where : {"first", "second", "third", "fourth"})
    results.fail(clause, "/d", where, "observed", "expected");
  results.not_checked(ClauseId("swmr-io-order-kept"), "why");
  const std::vector<ClauseOutcome> all = std::move(results).take();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].clause, "swmr-io-atomic");
  EXPECT_EQ(all[0].examined, 9u);
  ASSERT_EQ(all[0].findings.size(), 2u);
  EXPECT_EQ(all[0].findings[0].where, "first");
  EXPECT_EQ(all[0].findings[1].where, "second");
  EXPECT_EQ(all[0].more, 2u);
  EXPECT_EQ(all[1].clause, "swmr-io-order-kept");
  EXPECT_EQ(all[1].not_checked, "why");
  EXPECT_EQ(all[1].examined, 0u);
}

// A clause passes only if everything that it asks for was looked at.
TEST(WriteResults, DecideTheVerdictOfAClause) {
  const Finding finding{.object = "/d", .observed = "observed"};
  for (const std::uint64_t examined : {0u, 3u})
    for (const std::string_view why : {"", "why"})
      for (const bool fails : {false, true})
        for (const std::string_view elsewhere : {"", "elsewhere"}) {
          ClauseOutcome outcome{.clause = "swmr-io-atomic", .examined = examined, .more = 1};
          outcome.not_checked = why;
          if (fails) outcome.findings.push_back(finding);
          const SubjectReport subject = subject_of({outcome}, elsewhere, 10);
          const auto found =
              std::ranges::find(subject.clauses, outcome.clause,
                                [](const ClauseResult& each) { return each.clause->id; });
          ASSERT_NE(found, subject.clauses.end());
          const ClauseResult& result = *found;
          if (fails) {
            EXPECT_EQ(result.verdict, Verdict::kFail);
            EXPECT_EQ(result.findings.size(), 1u);
            EXPECT_EQ(result.suppressed, 1u);
          } else if (!why.empty()) {
            EXPECT_EQ(result.verdict, Verdict::kNotChecked);
            EXPECT_EQ(result.reason, "why");
          } else if (examined > 0) {
            EXPECT_EQ(result.verdict, Verdict::kPass);
            EXPECT_EQ(result.examined, examined);
          } else if (!elsewhere.empty()) {
            EXPECT_EQ(result.verdict, Verdict::kNotChecked);
            EXPECT_EQ(result.reason, "elsewhere");
          } else {
            EXPECT_EQ(result.verdict, Verdict::kNotApplicable);
            EXPECT_EQ(result.reason, "the log contains no such event");
          }
        }
}

// --- Marks ---------------------------------------------------------------------------------------

// A superblock whose addresses have `width` bytes; the third of them is the end of the file.
Image marked_image(unsigned version, unsigned width, std::uint8_t flags, std::size_t before = 0) {
  std::string block = "\x89HDF\r\n\x1a\n";
  for (const unsigned byte : {version, width, width, unsigned{flags}})
    block.push_back(static_cast<char>(byte));
  for (unsigned address = 0; address < 4; ++address)
    for (unsigned i = 0; i < width; ++i) block.push_back(static_cast<char>(i == 0 ? 64 : 0));
  return std::string(before, 'x') + with_sum(block) + std::string(40, 'y');
}

TEST(Marks, AreThoseOfVersionsTwoAndThree) {
  for (const unsigned width : {4, 8})
    for (const std::size_t before : {std::size_t{0}, std::size_t{512}}) {
      EXPECT_EQ(marks_of(marked_image(3, width, 5, before)), 5);
      EXPECT_EQ(marks_of(marked_image(2, width, 1, before)), 1);
      EXPECT_EQ(marks_of(marked_image(1, width, 5, before)), 0);
      EXPECT_EQ(marks_of(marked_image(4, width, 5, before)), 0);
    }
  EXPECT_EQ(marks_of("no HDF5 file"), 0);
  EXPECT_EQ(marks_of(marked_image(3, 8, 5).substr(0, 11)), 0);
  // All of the superblock has to be there.
  EXPECT_EQ(marks_of(marked_image(3, 8, 5).substr(0, 47)), 0);
  EXPECT_EQ(marks_of(marked_image(3, 8, 5).substr(0, 48)), 5);
  EXPECT_TRUE(swmr_marked(marked_image(3, 8, 5)));
  for (const int flags : {0, 1, 4})
    EXPECT_FALSE(swmr_marked(marked_image(3, 8, static_cast<std::uint8_t>(flags))));
}

TEST(Marks, AreClearedAndNothingElse) {
  for (const unsigned width : {4, 8})
    for (const std::size_t before : {std::size_t{0}, std::size_t{512}}) {
      Image image = marked_image(3, width, 5, before);
      EXPECT_TRUE(clear_marks(image));
      EXPECT_EQ(image, marked_image(3, width, 0, before));
      EXPECT_FALSE(clear_marks(image));
      // With the end of the file.
      image = marked_image(3, width, 5, before);
      EXPECT_TRUE(clear_marks(image, /*end=*/true));
      EXPECT_EQ(number_at(image, before + 12 + 2 * width, width), image.size());
      EXPECT_EQ(number_at(image, before + 12 + width, width), 64u);
      EXPECT_EQ(number_at(image, before + 12 + 3 * width, width), 64u);
      EXPECT_TRUE(sum_holds("superblock", std::string_view(image).substr(before, 16 + 4 * width)));
      EXPECT_EQ(marks_of(image), 0);
    }
  // A torn superblock stays as it is.
  Image torn = marked_image(3, 8, 5);
  torn[20] = static_cast<char>(torn[20] ^ 1);
  const Image was = torn;
  EXPECT_FALSE(clear_marks(torn));
  EXPECT_EQ(torn, was);
}

// --- States --------------------------------------------------------------------------------------

std::string text_of(const Seen& seen) {
  std::string text =
      std::format("{} {} {} {}\n", seen.unreadable, seen.readable, seen.base, seen.end);
  for (const auto* list : {&seen.blocks, &seen.raw})
    for (const BlockSeen& each : *list)
      text +=
          std::format("{} {} {} of {}\n", each.kind, each.span.begin, each.span.end, each.object);
  for (const DatasetSeen& each : seen.datasets.all()) {
    text += std::format("{} @ {} index {} sizes", each.path, each.header, each.index_address);
    for (const std::uint64_t size : each.sizes) text += std::format(" {}", size);
    for (const auto& [place, chunk] : each.chunks.all()) {
      text += "\n chunk";
      for (const std::uint64_t number : place) text += std::format(" {}", number);
      text += std::format(" @ {} {} by {} @ {}", chunk.span.begin, chunk.span.end, chunk.by,
                          chunk.by_block);
    }
    text += '\n';
  }
  for (const Trouble& each : seen.errors)
    text += std::format("{} {} {} {} {}\n", each.clause, each.kind, each.block, each.offset,
                        each.observed);
  for (const std::string& each : seen.beyond) text += "beyond: " + each + '\n';
  for (const auto& [header, path] : seen.objects()) text += std::format("{} {}\n", header, path);
  return text;
}

// The small containers of the corpus, by path.
std::vector<fs::path> small_containers() {
  const fs::path folder = fs::path(HEPCHECK_SOURCE) / "fixtures/hdf5/valid";
  std::vector<fs::path> paths;
  for (const fs::directory_entry& each : fs::recursive_directory_iterator(folder))
    if (each.path().extension() == ".h5" && each.file_size() < 6'000) paths.push_back(each.path());
  std::ranges::sort(paths);
  return paths;
}

// A superblock that states something else, alone and with another byte that is wrong: what is seen
// equals the golden file.
TEST(SeenStates, MistakesBesideTheSuperblock) {
  constexpr std::size_t kSize = 48, kSumAt = 44, kEnd = 28;
  std::mt19937_64 random(7);
  std::map<std::string, std::string> said;
  for (const fs::path& path : small_containers()) {
    const Image whole = golden::file_text(path);
    if (whole.size() < kSize || (whole[8] != 2 && whole[8] != 3) || whole[9] != 8) continue;
    for (const auto& [at, change] :
         {std::pair(kEnd, 8), std::pair(kEnd, -8), std::pair(kEnd + 3, 1),
          std::pair(std::size_t{11}, 1), std::pair(std::size_t{36}, 1)}) {
      Image image = whole;
      image[at] = static_cast<char>(image[at] + change);
      const std::uint32_t sum = lookup3(std::as_bytes(std::span(image)).first(kSumAt));
      for (std::size_t k = 0; k < sizeof sum; ++k)
        image[kSumAt + k] = static_cast<char>(sum >> 8 * k);
      const std::string name = std::format("byte {} by {}", at, change);
      said[name] += text_of(see_on_disk(image));
      char& other = image[kSize + random() % (image.size() - kSize)];
      other = static_cast<char>(other + 1);
      said[name + ", and another"] += text_of(see_on_disk(image));
    }
  }
  std::string text;
  for (const auto& [name, all] : said)
    text += std::format("{}: {}\n", name, golden::digest_of(all));
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/trace_mistakes.txt"));
}

// Reading only what a change affects gives the same as reading all: any byte of each structure of a
// few containers.
TEST(SeenStates, ReadingWhatChangedEqualsReadingAll) {
  std::size_t partly = 0;
  std::mt19937_64 random(5);
  const std::vector<fs::path> paths = small_containers();
  ASSERT_GT(paths.size(), 100u);
  for (std::size_t i = 0; i < paths.size(); i += 7) {
    Image image = golden::file_text(paths[i]);
    image.resize(image.size() + 4096);
    const Seen before = see_with_room(image);
    if (!before.readable || before.blocks.empty()) continue;
    for (int change = 0; change < 6; ++change) {
      const Span of = before.blocks[random() % before.blocks.size()].span;
      const std::uint64_t at = of.begin + random() % (of.end - of.begin);
      if (at >= image.size()) continue;
      const char was = std::exchange(image[at], static_cast<char>(random()));
      const Seen after = see_again(image, before, {at, at + 1});
      EXPECT_EQ(text_of(after), text_of(see_with_room(image))) << paths[i] << " byte " << at;
      partly += after.readable;
      image[at] = was;
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(partly, 100u);
}

// A state is readable, or it is said why not; and everything that is seen of it equals the golden
// file: a line for each directory.
TEST(SeenStates, EqualTheGoldenFile) {
  std::map<std::string, std::pair<std::size_t, std::string>> folders;
  std::vector<fs::path> paths;
  const fs::path fixtures = fs::path(HEPCHECK_SOURCE) / "fixtures/hdf5";
  for (const fs::directory_entry& each : fs::recursive_directory_iterator(fixtures))
    if (each.path().extension() == ".h5" && each.file_size() <= 3'000) paths.push_back(each.path());
  std::ranges::sort(paths);
  for (const fs::path& path : paths) {
    const Seen seen = see_on_disk(golden::file_text(path));
    EXPECT_EQ(seen.readable, seen.unreadable.empty()) << path << ' ' << seen.unreadable;
    auto& [readable, text] = folders[path.parent_path().lexically_relative(fixtures).string()];
    readable += seen.readable;
    text += path.filename().string() + '\n' + text_of(seen);
    for (const DatasetSeen& each : seen.datasets.all()) {
      text += std::format("{} {} {} {} {} {} {} {} {} {} {}", each.described, each.chunked,
                          to_string(each.index), each.layout_version, each.filtered,
                          each.variable_length, each.heap_reference, each.reference.value_or(99),
                          each.element_size, each.unlimited(), each.references.size());
      for (const std::uint64_t size : each.chunk) text += std::format(" {}", size);
      text += '\n';
    }
  }
  std::string text;
  for (const auto& [folder, all] : folders)
    text += std::format("{}: {} readable, {}\n", folder, all.first, golden::digest_of(all.second));
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/seen_states.txt"));
}

// The same along the writes of every log, where one state leads to the next.
TEST(SeenStates, FollowTheWritesOfLogs) {
  std::size_t writes = 0;
  for (const fs::path& path : log_files()) {
    const hepcheck::trace::Log log = log_of(path);
    ASSERT_FALSE(log.files.empty()) << path;
    Image image = hepcheck::trace::before(log.files[0]);
    image.resize(image.size() + 2 * kRoom);
    Seen seen = see_with_room(image);
    for (const hepcheck::trace::Event& event : log.events) {
      if (event.kind != hepcheck::trace::Event::Kind::kWrite || event.file != 0) continue;
      hepcheck::trace::apply(event, image);
      seen = see_again(image, seen, Span::of(event.position, event.data.size()));
      const Seen whole = see_with_room(image);
      ASSERT_EQ(text_of(seen), text_of(whole)) << path << " record " << event.record;
      ASSERT_EQ(seen.reach, whole.reach) << path << " record " << event.record;
      ASSERT_EQ(seen.raw_reach, whole.raw_reach) << path << " record " << event.record;
      ++writes;
    }
  }
  EXPECT_GT(writes, 500u);
}

}  // namespace
}  // namespace hepcheck::hdf5::trace
