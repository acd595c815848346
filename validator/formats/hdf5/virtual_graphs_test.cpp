// Virtual datasets whose sources are one another, in any graph: a loop is reported exactly if there
// is one. And mappings in both versions of their block, with any names, selections and flags, some
// of them changed: everything that is reported equals the golden file.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <format>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validator/catalogue/clause.h"
#include "validator/examine_file.h"
#include "validator/formats/hdf5/testing/bytes.h"
#include "validator/formats/hdf5/testing/report_text.h"
#include "validator/testing/golden_files.h"
#include "validator/testing/random.h"

namespace hepcheck::hdf5::virtual_graphs {
namespace {

constexpr std::uint64_t kRoot = 48, kFirst = 512, kStep = 256, kHeap = 4'096, kHeapBytes = 8'192,
                        kEnd = kHeap + kHeapBytes;
const std::string kAll = number(3, 4) + number(1, 4) + number(0, 8);

std::string name_of(std::uint64_t number) { return {static_cast<char>('a' + number)}; }

// Of two dimensions.
std::string dataset_header(const std::string& layout) {
  return testing::header(testing::message(1, number(2, 1) + number(2, 1) + number(0, 1) +
                                                 number(1, 1) + number(5, 8) + number(3, 8)) +
                         testing::message(3, testing::byte_type()) +
                         testing::message(5, number(3, 1) + number(10, 1)) +
                         testing::message(8, layout));
}

// Datasets with these blocks of mappings; one without a block is not virtual.
std::string file_of(const std::vector<std::string>& blocks) {
  std::string links = testing::link_info(), heap = "GCOL" + number(1, 4) + number(kHeapBytes, 8);
  std::vector<std::string> headers;
  std::uint64_t objects = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    links += testing::link_to(name_of(i), kFirst + kStep * i);
    if (blocks[i].empty()) {
      headers.push_back(
          dataset_header(number(3, 1) + number(1, 1) + number(kUndefined, 8) + number(15, 8)));
      continue;
    }
    ++objects;
    heap +=
        number(objects, 2) + number(1, 2) + number(0, 4) + number(blocks[i].size(), 8) + blocks[i];
    heap.resize((heap.size() + 7) / 8 * 8);
    headers.push_back(
        dataset_header(number(4, 1) + number(3, 1) + number(kHeap, 8) + number(objects, 4)));
  }
  heap += number(0, 8) + number(kHeapBytes - heap.size(), 8);
  EXPECT_LE(heap.size(), kHeapBytes);
  std::string image = testing::superblock(0, kUndefined, kEnd, kRoot) + testing::header(links);
  for (std::size_t i = 0; i < headers.size(); ++i) {
    EXPECT_LE(image.size(), kFirst + kStep * i);
    image.resize(kFirst + kStep * i);
    image += headers[i];
  }
  image.resize(kHeap);
  image += heap;
  image.resize(kEnd);
  return image;
}

FileReport report_of(const std::string& image) {
  return examine_image(std::as_bytes(std::span(image)), "image", std::nullopt,
                       &default_revision("hdf5"), {.examine = {.jobs = 1}});
}

Verdict verdict_of(const FileReport& report, std::string_view clause) {
  for (const SubjectReport& subject : report.subjects)
    for (const ClauseResult& result : subject.clauses)
      if (result.clause->id == clause) return result.verdict;
  return Verdict::kNotApplicable;
}

// --- Graphs --------------------------------------------------------------------------------------

using Graph = std::vector<std::vector<std::uint64_t>>;

bool has_loop(const Graph& graph) {
  std::vector<std::vector<bool>> leads(graph.size(), std::vector<bool>(graph.size()));
  for (std::size_t from = 0; from < graph.size(); ++from)
    for (const std::uint64_t to : graph[from])
      if (to < graph.size()) leads[from][to] = true;
  for (std::size_t by = 0; by < graph.size(); ++by)
    for (std::size_t from = 0; from < graph.size(); ++from)
      for (std::size_t to = 0; to < graph.size(); ++to)
        if (leads[from][by] && leads[by][to]) leads[from][to] = true;
  for (std::size_t i = 0; i < graph.size(); ++i)
    if (leads[i][i]) return true;
  return false;
}

TEST(VirtualGraphs, LoopsAreFoundExactly) {
  std::size_t loops = 0, missing = 0;
  constexpr std::uint64_t kFiles = 600;
  for (std::uint64_t seed = 0; seed < kFiles; ++seed) {
    Random random(seed);
    Graph graph(2 + random.below(6));
    bool astray = false;
    std::vector<std::string> blocks;
    for (std::vector<std::uint64_t>& sources : graph) {
      for (std::uint64_t n = random.below(3); n > 0; --n)
        sources.push_back(random.below(graph.size() + (random.once_in(6) ? 1 : 0)));
      std::string block = number(0, 1) + number(sources.size(), 8);
      for (const std::uint64_t each : sources) {
        astray |= each == graph.size();
        block += std::string(".\0/", 3) + name_of(each) + '\0' + kAll + kAll;
      }
      blocks.push_back(sources.empty() ? "" : testing::summed(block));
    }
    const FileReport report = report_of(file_of(blocks));
    const bool loop = has_loop(graph);
    EXPECT_EQ(verdict_of(report, "h5-risk-virtual-loop") == Verdict::kFail, loop) << seed;
    EXPECT_EQ(verdict_of(report, "h5-virtual-here-exists") == Verdict::kFail, astray) << seed;
    loops += loop;
    missing += astray;
  }
  EXPECT_GT(loops, kFiles / 8);
  EXPECT_LT(loops, kFiles * 7 / 8);
  EXPECT_GT(missing, kFiles / 20);
}

// --- Mappings ------------------------------------------------------------------------------------

std::string selection(Random& random) {
  const std::uint64_t rank = random.once_in(10) ? 1 + random.below(3) : 2;
  switch (random.below(4)) {
    case 0: return kAll;
    case 1: {
      std::string made = number(2, 4) + number(1, 4) + number(0, 4) + number(8 + 8 * rank, 4) +
                         number(rank, 4) + number(1, 4);
      std::string last;
      for (std::uint64_t d = 0; d < rank; ++d) {
        const std::uint64_t first = random.below(3);
        made += number(first, 4);
        last += number(first + random.below(3), 4);
      }
      return made + last;
    }
    default: {
      const bool newest = random.once_in(2);
      const unsigned width = newest ? 4 : 8;
      std::string made = number(2, 4) + number(newest ? 3 : 2, 4) + number(1, 1);
      made += newest ? number(width, 1) : number(4 + 32 * rank, 4);
      made += number(rank, 4);
      for (std::uint64_t d = 0; d < rank; ++d) {
        const std::uint64_t begin = random.below(3), block = 1 + random.below(2),
                            stride = block + random.below(2);
        const std::uint64_t count = d == 0 && random.once_in(5) ? kUndefined : 1 + random.below(2);
        made += number(begin, width) + number(stride, width) + number(count, width) +
                number(block, width);
      }
      return made;
    }
  }
}

std::string mappings(Random& random) {
  constexpr std::string_view kFileNames[] = {".", ".", ".", "other.h5", "", "part-%b.h5", "/x.h5"};
  constexpr std::string_view kDatasets[] = {"/a", "b",    "/c",  "/",     "/none", "",
                                            "%b", "/%%b", "a/b", "/../a", "/a/.",  "//b"};
  const bool newer = random.once_in(2);
  const std::uint64_t count = 1 + random.below(4);
  std::string made = number(newer ? 1 : 0, 1) + number(count, 8);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t flags = !newer               ? 0
                                : random.once_in(12) ? random.below(16)
                                                     : random.below(5);
    if (newer) made += number(flags, 1);
    if ((flags & 4) == 0) {
      if ((flags & 1) != 0) {
        made += number(random.below(i + 2), 8);
      } else {
        made += random.one_of(kFileNames);
        made += '\0';
      }
    }
    if ((flags & 2) != 0) {
      made += number(random.below(i + 2), 8);
    } else {
      made += random.one_of(kDatasets);
      made += '\0';
    }
    made += selection(random);
    made += selection(random);
  }
  if (random.once_in(10)) ++made[random.below(made.size())];
  if (random.once_in(20)) made.resize(made.size() - 1 - random.below(4));
  if (random.once_in(20)) made += '\0';
  made = testing::summed(made);
  if (random.once_in(40)) ++made.back();
  return made;
}

TEST(VirtualGraphs, FindingsEqualTheGoldenFile) {
  constexpr std::uint64_t kSets = 8, kFiles = 120;
  std::string text;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    std::string all;
    testing::Violations violated;
    for (std::uint64_t i = 0; i < kFiles; ++i) {
      Random random(set * kFiles + i);
      std::vector<std::string> blocks;
      for (std::uint64_t n = 1 + random.below(3); n > 0; --n)
        blocks.push_back(random.once_in(4) ? "" : mappings(random));
      const FileReport report = report_of(file_of(blocks));
      all += testing::text_of(report);
      testing::count(report, violated);
    }
    text += std::format("{}: {}\n", set, golden::digest_of(all)) + testing::text_of(violated);
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/virtual_graphs.txt"));
}

}  // namespace
}  // namespace hepcheck::hdf5::virtual_graphs
