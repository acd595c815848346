// The chunks of every dataset and the use of every byte, of all containers of the corpus.
#include "validator/formats/hdf5/testing/lists.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <format>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/descriptor.h"
#include "validator/formats/hdf5/chunk_list.h"
#include "validator/formats/hdf5/fields.h"
#include "validator/formats/hdf5/file_map.h"
#include "validator/formats/hdf5/specifications.h"
#include "validator/formats/hdf5/superblock.h"
#include "validator/formats/hdf5/testing/map_of.h"
#include "validator/formats/hdf5/walk.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hdf5 {
namespace {

namespace fs = std::filesystem;
using testing::all_of;
using testing::chunks_of;
using testing::containers;
using testing::text_of;

// A file that is open for reading; throws if it cannot be opened.
class Opened {
 public:
  explicit Opened(const fs::path& path)
      : file_(open_for_reading(path.string()).value()),
        bytes_(Bytes::of_descriptor(file_.get(), path.string())) {}
  const Bytes& bytes() const { return bytes_; }

 private:
  Descriptor file_;
  Bytes bytes_;
};

TEST(Lists, EqualTheGoldenFile) {
  std::string text;
  for (const fs::path& path : containers()) {
    const Opened file(path);
    const Bytes& bytes = file.bytes();
    text += '[' + path.lexically_relative(fs::path(HEPCHECK_SOURCE) / "fixtures/hdf5").string() +
            "]\n" + text_of(chunks_of(bytes)) + text_of(testing::map_of(bytes));
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/lists.txt"));
}

// What the parts of a map say about its bytes: ranges are in order, gaps are what no range covers,
// overlaps what two do.
TEST(Lists, GapsAndOverlapsFollowFromTheRanges) {
  for (const fs::path& path : containers()) {
    const Opened file(path);
    const FileMap map = testing::map_of(file.bytes());
    if (map.size > 1 << 20) continue;
    EXPECT_TRUE(std::ranges::is_sorted(map.ranges, {}, &FileRange::address)) << path;
    std::vector<unsigned> uses(map.size + 1);
    for (const FileRange& each : map.ranges)
      for (std::uint64_t at = each.address; at < std::min(each.end(), map.size); ++at) ++uses[at];
    std::vector<bool> gap(map.size + 1);
    for (const FileMap::Gap& each : map.gaps())
      for (std::uint64_t at = each.address; at < std::min(each.address + each.size, map.size); ++at)
        gap[at] = true;
    std::vector<bool> overlap(map.size + 1);
    for (const FileMap::Overlap& each : map.overlaps())
      for (std::uint64_t at = each.address; at < std::min(each.address + each.size, map.size); ++at)
        overlap[at] = true;
    const std::uint64_t end = std::min(map.end, map.size);
    for (std::uint64_t at = map.base; at < end; ++at) {
      EXPECT_EQ(gap[at], uses[at] == 0) << path << " byte " << at;
      EXPECT_EQ(overlap[at], uses[at] > 1) << path << " byte " << at;
      if (HasFailure()) return;
    }
  }
}

// The structures of a few files, field by field.
TEST(Fields, EqualTheGoldenFile) {
  std::string text;
  for (const char* name : {"valid/III.F/h5-virtual-block-flags--each.h5",
                           "valid/III.G/h5-fractal-heap-huge-id--indirect.h5",
                           "valid/FF-II.A/swmr-superblock-version--version-0.h5",
                           "valid/FF-II.A/swmr-superblock-offset-size--of-2-bytes.h5",
                           "valid/FF-IV.A.2.i/swmr-layout-fits--of-every-kind.h5"}) {
    const fs::path path = fs::path(HEPCHECK_SOURCE) / "fixtures/hdf5" / name;
    const Opened file(path);
    const FileMap map = testing::map_of(file.bytes(), {.fields = true});
    text += std::format("[{}]\n", name);
    std::size_t last = map.ranges.size();
    for (const FileField& each : map.fields) {
      const FileRange& range = map.ranges[each.range];
      if (std::exchange(last, each.range) != each.range)
        text += std::format("{} of {} @ {}\n", map.kinds[range.kind], map.objects[range.object],
                            range.address);
      text += std::format(" +{} {} {} {}\n", each.address - range.address, each.size,
                          each.name.empty() ? "-" : each.name, each.value.substr(0, 60));
    }
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/fields.txt"));
}

// Everything that maps say of all containers, as a digest for each directory: fields and findings
// with all their members, one object alone, and what a low limit leaves.
TEST(Fields, DigestsEqualTheGoldenFile) {
  std::map<std::string, std::string> all;
  std::map<std::string, std::size_t> fields, findings;
  for (const fs::path& path : containers()) {
    const Opened file(path);
    const Bytes& bytes = file.bytes();
    if (bytes.size() > 1 << 16) continue;
    const std::string folder =
        path.parent_path().lexically_relative(fs::path(HEPCHECK_SOURCE) / "fixtures/hdf5").string();
    std::string& text = all[folder];
    const auto add = [&](const FileMap& map) {
      text += all_of(map);
      fields[folder] += map.fields.size();
      findings[folder] += map.findings.size();
    };
    const FileMap whole = testing::map_of(bytes, {.fields = true});
    add(whole);
    if (!whole.objects.empty())
      add(testing::map_of(bytes, {.fields = true, .only = whole.objects.back()}));
    Limits limits;
    limits.objects = 3;
    limits.block_bytes = 300;
    limits.chunks = 3;
    add(testing::map_of(bytes, {.fields = true}, limits));
    text += text_of(chunks_of(bytes, std::nullopt, limits));
  }
  std::string text;
  for (const auto& [folder, each] : all)
    text += std::format("{}: {} fields, {} findings, {}\n", folder, fields[folder],
                        findings[folder], golden::digest_of(each));
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/map_digests.txt"));
}

// Messages whose bytes have no fields, and why.
const std::map<std::string_view, std::string_view> kWithoutFields = {
    {"unknown message", "the format does not define it"},
    {"bogus", "a message of tests, whose contents mean nothing"},
    {"file space info", "an older library marked it as out of date"},
    {"K values", "it has no effect outside the superblock extension"},
};

// The message that has no fields; empty if the name is that of a field.
std::string_view without_fields(std::string_view name) {
  constexpr std::string_view kNotDecoded = "not decoded";
  if (!name.ends_with(kNotDecoded)) return {};
  const std::size_t end = name.find(':');
  return end == name.npos ? kNotDecoded : name.substr(0, end);
}

// The fields of a range are its bytes, in order and without gaps; and no field is recorded unless
// it is asked for.
TEST(Fields, AreAllBytesOfEveryStructure) {
  std::uint64_t named = 0;
  std::set<std::string, std::less<>> without;
  for (const fs::path& path : containers()) {
    const Opened file(path);
    const Bytes& bytes = file.bytes();
    if (bytes.size() > 1 << 16) continue;
    EXPECT_TRUE(testing::map_of(bytes).fields.empty()) << path;
    const FileMap map = testing::map_of(bytes, {.fields = true});
    std::vector<std::uint64_t> reached(map.ranges.size());
    for (std::size_t i = 0; i < map.ranges.size(); ++i) reached[i] = map.ranges[i].address;
    for (const FileField& each : map.fields) {
      EXPECT_EQ(each.address, reached[each.range]) << path << " byte " << each.address;
      reached[each.range] += each.size;
      named += each.name.empty() ? 0 : each.size;
      // Where reading ends at an error, the rest has no names.
      if (map.trouble.empty() &&
          !std::ranges::contains(map.findings, Severity::kError, &FileFinding::severity)) {
        const std::string_view message = without_fields(each.name);
        EXPECT_TRUE(!each.name.empty() && (message.empty() || kWithoutFields.contains(message)))
            << path << " " << map.kinds[map.ranges[each.range].kind] << " byte " << each.address
            << " " << each.name;
        if (!message.empty()) without.emplace(message);
      }
      EXPECT_FALSE(each.value.empty()) << path;
    }
    for (std::size_t i = 0; i < map.ranges.size(); ++i)
      EXPECT_EQ(reached[i],
                map.ranges[i].kind == FileMap::kRaw ? map.ranges[i].address : map.ranges[i].end())
          << path;
    if (HasFailure()) return;
  }
  EXPECT_GT(named, 10'000u);
  for (const auto& [message, why] : kWithoutFields)
    EXPECT_TRUE(without.contains(message)) << message << " has fields everywhere";
}

// A single object: its ranges are those that the whole file has for it.
TEST(Fields, OfOneObject) {
  const fs::path path =
      fs::path(HEPCHECK_SOURCE) / "fixtures/hdf5/valid/III.F/h5-virtual-block-flags--each.h5";
  const Opened file(path);
  const Bytes& bytes = file.bytes();
  const FileMap map = testing::map_of(bytes, {.fields = true, .only = "/d"});
  EXPECT_EQ(map.objects, std::vector<std::string>{"/d"});
  EXPECT_EQ(map.trouble, std::vector<std::string>{});
  std::set<std::string> kinds;
  for (const FileRange& each : map.ranges) kinds.insert(map.kinds[each.kind]);
  EXPECT_EQ(kinds, (std::set<std::string>{"GCOL", "OHDR"}));
  const FileMap none = testing::map_of(bytes, {.fields = true, .only = "/x"});
  EXPECT_TRUE(none.ranges.empty());
  EXPECT_EQ(none.trouble, std::vector<std::string>{"no object /x"});
}

// What a map says about violations is what an examination finds, except for risks.
TEST(Fields, HaveTheFindingsOfAnExamination) {
  const auto text = [](std::uint64_t address, const auto& each) {
    return std::format("{} @ {} of {}: {}; {}", each.clause, address, each.object, each.observed,
                       each.expected);
  };
  std::size_t risks = 0;
  for (const fs::path& path : containers()) {
    const Opened file(path);
    const Bytes& bytes = file.bytes();
    const std::optional<std::uint64_t> position = find_signature(bytes);
    if (bytes.size() > 1 << 16 || !position) continue;
    const Limits limits;
    ContainerWalk walk(bytes, *position, default_revision("hdf5"), 1, limits, {.decode = true});
    walk.notes().keep_places(1'000);
    walk.run();
    std::vector<std::string> wanted, found;
    for (const Notes::Placed& each : walk.notes().placed()) {
      const bool risk = each.clause.starts_with("h5-risk-");
      risks += risk;
      // What the filters of a block give has no address of its own.
      if (!risk)
        wanted.push_back(text(each.at.block + (each.at.decoded ? 0 : each.at.offset), each));
    }
    for (const FileFinding& each : testing::map_of(bytes, {.fields = true}).findings)
      found.push_back(text(each.address, each));
    EXPECT_EQ(found, wanted) << path;
  }
  EXPECT_GT(risks, 10u);
}

// A finding is at its byte, unless that byte is in what a filter gave back; then it is at the
// block. Risks are at no byte, and findings after them are in the map nevertheless.
TEST(Fields, AddressesOfFindings) {
  const fs::path path =
      fs::path(HEPCHECK_SOURCE) / "fixtures/hdf5/valid/III.F/h5-virtual-block-flags--each.h5";
  const Opened file(path);
  const Limits limits;
  FieldRecording recording;
  ContainerWalk walk(file.bytes(), *find_signature(file.bytes()), default_revision("hdf5"), 100,
                     limits, {.decode = true});
  walk.notes().keep_places(100);
  walk.run();
  ASSERT_TRUE(walk.notes().placed().empty());
  walk.notes().fail("h5-string-ascii", {.kind = "raw data", .block = 50, .offset = 7}, "a", "b");
  walk.notes().fail("h5-risk-vlen-amplification", {.kind = "raw data", .block = 60}, "c", "d");
  walk.notes().fail("h5-string-ascii",
                    {.kind = "raw data", .block = 70, .offset = 9, .decoded = true}, "e", "f");
  walk.notes().fail("h5-string-utf8", {.kind = "raw data", .block = 80, .offset = 1}, "g", "h");
  const FileMap map = limited_map(walk, recording, 10);
  std::string text;
  for (const FileFinding& each : map.findings)
    text += std::format("{} {} {}{}; ", each.clause, each.observed, each.address,
                        each.decoded ? " decoded" : "");
  EXPECT_EQ(text, "h5-string-ascii a 57; h5-string-ascii e 70 decoded; h5-string-utf8 g 81; ");
}

// A dataset whose values are in a collection that is larger than the limit.
TEST(Lists, NameTheDatasetsOfWhichAPartWasNotExamined) {
  const fs::path path =
      fs::path(HEPCHECK_SOURCE) / "fixtures/hdf5/valid/III.F/h5-virtual-block-flags--each.h5";
  const Opened file(path);
  const Bytes& bytes = file.bytes();
  Limits limits;
  limits.block_bytes = 512;
  EXPECT_EQ(testing::map_of(bytes, {.fields = true}, limits).trouble,
            std::vector<std::string>{"/d: part of it is invalid, or was not examined"});
}

TEST(Lists, OfOtherFilesAreEmpty) {
  const std::string text = "no HDF5 file";
  const Bytes bytes = Bytes::of_image(std::as_bytes(std::span(text)), "other");
  const std::vector<std::string> why = {"not an HDF5 file: the superblock signature is missing"};
  const ChunkLists lists = chunks_of(bytes);
  EXPECT_TRUE(lists.datasets.empty());
  EXPECT_FALSE(lists.whole);
  EXPECT_EQ(lists.trouble, why);
  const FileMap map = testing::map_of(bytes);
  EXPECT_TRUE(map.ranges.empty());
  EXPECT_TRUE(map.findings.empty());
  EXPECT_EQ(map.size, text.size());
  EXPECT_EQ(map.trouble, why);
}

// The lists below one object are those of the whole file for it.
TEST(Lists, OfOneObject) {
  std::size_t seen = 0;
  for (const fs::path& path : containers()) {
    const Opened file(path);
    const Bytes& bytes = file.bytes();
    const ChunkLists all = chunks_of(bytes);
    if (!all.whole || all.datasets.size() > 10) continue;
    for (const ChunkList& each : all.datasets) {
      const ChunkLists one = chunks_of(bytes, each.path);
      ASSERT_EQ(one.datasets.size(), 1u) << path << each.path;
      EXPECT_EQ(text_of(one), text_of(ChunkLists{.datasets = {each}, .whole = true})) << path;
      ++seen;
    }
    const ChunkLists none = chunks_of(bytes, "/there is no such object");
    EXPECT_FALSE(none.whole);
    EXPECT_EQ(none.trouble, std::vector<std::string>{"no object /there is no such object"});
  }
  EXPECT_GT(seen, 100u);
}

}  // namespace
}  // namespace hepcheck::hdf5
