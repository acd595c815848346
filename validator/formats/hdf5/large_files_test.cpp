// Lists and maps of files with more chunks, objects and findings than a message of a worker holds,
// with chunks beyond 4 GiB and at the edge of a dataset, and with a user block. The files are
// written by hand: sparse, and only as large as they are on paper.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <format>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "validator/descriptor.h"
#include "validator/formats/hdf5/chunk_list.h"
#include "validator/formats/hdf5/fields.h"
#include "validator/formats/hdf5/file_map.h"
#include "validator/formats/hdf5/specifications.h"
#include "validator/formats/hdf5/superblock.h"
#include "validator/formats/hdf5/testing/bytes.h"
#include "validator/formats/hdf5/walk.h"
#include "validator/testing/golden_files.h"
#include "validator/worker_position.h"

namespace hepcheck::hdf5::large_files_tests {
namespace {

using testing::header;
using testing::message;

namespace fs = std::filesystem;

// Objects of the root group, one after the other behind the superblock.
class MadeFile {
 public:
  explicit MadeFile(std::uint64_t base = 0) : base_(base) {}

  // A dataset of bytes.
  void dataset(const std::string& name, std::span<const std::uint64_t> sizes,
               const std::string& layout) {
    std::string space = number(2, 1) + number(sizes.size(), 1) + number(0, 1) + number(1, 1);
    for (const std::uint64_t size : sizes) space += number(size, 8);
    const std::string fill = number(3, 1) + number(0x09, 1);  // allocated early
    objects_.emplace_back(name, header(message(1, space) + message(3, testing::byte_type()) +
                                       message(5, fill) + message(8, layout)));
  }

  // The addresses of the objects, in the order of their names; of the root group, the last one.
  std::vector<std::uint64_t> addresses() const {
    std::vector<std::uint64_t> all{testing::kSuperblockBytes};
    for (const auto& [name, bytes] : objects_) all.push_back(all.back() + bytes.size());
    return all;
  }

  // The file with this end, counted from the base.
  Descriptor written(std::uint64_t end) const {
    const std::vector<std::uint64_t> at = addresses();
    std::string links = testing::link_info();
    for (std::size_t i = 0; i < objects_.size(); ++i)
      links += testing::link_to(objects_[i].first, at[i]);
    std::string all = testing::superblock(base_, kUndefined, base_ + end, at.back());
    for (const auto& [name, bytes] : objects_) all += bytes;
    all += header(links);
    EXPECT_LE(all.size(), end);
    Descriptor file{memfd_create("made", MFD_CLOEXEC)};
    EXPECT_EQ(ftruncate(file.get(), static_cast<off_t>(base_ + end)), 0);
    EXPECT_EQ(pwrite(file.get(), all.data(), all.size(), static_cast<off_t>(base_)),
              static_cast<ssize_t>(all.size()));
    return file;
  }

 private:
  std::uint64_t base_;
  std::vector<std::pair<std::string, std::string>> objects_{};
};

std::string implicit_layout(std::span<const std::uint64_t> chunk, std::uint64_t address) {
  std::string made =
      number(4, 1) + number(2, 1) + number(0, 1) + number(chunk.size() + 1, 1) + number(8, 1);
  for (const std::uint64_t size : chunk) made += number(size, 8);
  return made + number(1, 8) + number(2, 1) + number(address, 8);
}
std::string contiguous_layout(std::uint64_t address, std::uint64_t size) {
  return number(3, 1) + number(1, 1) + number(address, 8) + number(size, 8);
}

// As a worker tells it, with the number of its messages.
ChunkLists chunks_of(const Descriptor& file, std::size_t& messages) {
  ChunkListReader reader;
  messages = 0;
  tell_chunks(Bytes::of_descriptor(file.get(), "made"), {}, {}, [&](std::string_view each) {
    reader.take(each);
    ++messages;
  });
  return std::move(reader).lists();
}
FileMap map_of(const Descriptor& file, const MapOptions& options, std::size_t& messages) {
  const Limits limits;
  FileMapReader reader;
  messages = 0;
  tell_map(Bytes::of_descriptor(file.get(), "made"), limits, options, [&](std::string_view each) {
    reader.take(each);
    ++messages;
  });
  return std::move(reader).map();
}

// --- Chunks --------------------------------------------------------------------------------------

// Two datasets, of which one has more chunks than a message holds, and incomplete ones at its edge.
TEST(LargeLists, OfManyChunksBeyond4Gibibytes) {
  constexpr std::uint64_t kFar = (std::uint64_t{1} << 32) - 100, kColumns = 5, kWidth = 2;
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 31;
  const std::vector<std::uint64_t> sizes{5'000, kColumns}, chunk{3, kWidth}, few{4, 4}, whole{2, 2},
      wide{3 * kHalf}, half{kHalf};
  const std::uint64_t rows = (sizes[0] + 2) / 3, across = 3, bytes = chunk[0] * chunk[1];
  for (const std::uint64_t base : {0, 512}) {
    MadeFile made(base);
    made.dataset("few", few, implicit_layout(whole, 8'000));
    made.dataset("many", sizes, implicit_layout(chunk, kFar));
    made.dataset("wide", wide, implicit_layout(half, kFar));
    const Descriptor file = made.written(kFar + 3 * kHalf);
    std::size_t messages = 0;
    const ChunkLists lists = chunks_of(file, messages);
    EXPECT_EQ(lists.trouble, std::vector<std::string>{});
    EXPECT_GT(messages, 5u);
    ASSERT_EQ(lists.datasets.size(), 3u);
    for (const ChunkList& each : lists.datasets) EXPECT_TRUE(each.whole);
    EXPECT_EQ(lists.datasets[2].numbers,
              (std::vector<std::uint64_t>{0, 0, base + kFar, kHalf, kHalf, 0, base + kFar + kHalf,
                                          kHalf, 2 * kHalf, 0, base + kFar + 2 * kHalf, kHalf}));
    EXPECT_EQ(lists.datasets[0].numbers,
              (std::vector<std::uint64_t>{0, 0, 0, base + 8'000, 4, 0, 2, 0, base + 8'004, 4,  //
                                          2, 0, 0, base + 8'008, 4, 2, 2, 0, base + 8'012, 4}));
    const ChunkList& many = lists.datasets[1];
    ASSERT_EQ(many.count(), rows * across);
    for (std::uint64_t i = 0; i < many.count(); ++i)
      ASSERT_TRUE(std::ranges::equal(
          many.at(i), std::vector<std::uint64_t>{i / across * chunk[0], i % across * kWidth, 0,
                                                 base + kFar + i * bytes, bytes}))
          << i;
    const FileMap map = map_of(file, {}, messages);
    EXPECT_EQ(map.trouble, std::vector<std::string>{});
    EXPECT_EQ(map.base, base);
    EXPECT_EQ(map.end, base + kFar + 3 * kHalf);
    EXPECT_EQ(map.size, map.end);
    const auto raw = std::ranges::find_if(map.ranges, [&](const FileRange& each) {
      return each.kind == FileMap::kRaw && map.objects[each.object] == "/many";
    });
    ASSERT_NE(raw, map.ranges.end());
    EXPECT_EQ(raw->address, base + kFar);
    EXPECT_EQ(raw->size, rows * across * bytes);
  }
}

// --- Maps ----------------------------------------------------------------------------------------

constexpr std::size_t kMany = 3'000;

std::string name_of(std::size_t i) { return std::format("dataset with the number {:05}", i); }

// Each dataset is a range of its own, with an owner of its own.
TEST(LargeMaps, OfManyObjects) {
  for (const std::uint64_t base : {0, 512}) {
    MadeFile made(base);
    const std::vector<std::uint64_t> sizes{1};
    for (std::size_t i = 0; i < kMany; ++i)
      made.dataset(name_of(i), sizes, contiguous_layout(1'000'000 + 2 * i, 1));
    std::size_t messages = 0;
    const FileMap map = map_of(made.written(1'010'000), {}, messages);
    EXPECT_GT(messages, 6u);
    EXPECT_EQ(map.trouble, std::vector<std::string>{});
    const std::vector<std::uint64_t> at = made.addresses();
    std::map<std::string, std::vector<FileRange>> ranges;
    for (const FileRange& each : map.ranges) ranges[map.objects[each.object]].push_back(each);
    ASSERT_EQ(map.objects.size(), kMany + 1);
    ASSERT_EQ(map.ranges.size(), 2 * kMany + 2);
    EXPECT_EQ(map.kinds, (std::vector<std::string>{"raw data", "superblock", "OHDR"}));
    for (std::size_t i = 0; i < kMany; ++i) {
      const std::vector<FileRange>& of = ranges['/' + name_of(i)];
      ASSERT_EQ(of.size(), 2u) << i;
      EXPECT_EQ(map.kinds[of[0].kind], "OHDR");
      EXPECT_EQ(of[0].address, base + at[i]);
      EXPECT_EQ(of[0].end(), base + at[i + 1]);
      EXPECT_EQ(of[1].kind, FileMap::kRaw);
      EXPECT_EQ(of[1].address, base + 1'000'000 + 2 * i);
      EXPECT_EQ(of[1].size, 1u);
    }
  }
}

// Each finding is told once, whatever is told between them.
TEST(LargeMaps, OfManyFindings) {
  MadeFile made;
  const std::vector<std::uint64_t> sizes{7};
  for (std::size_t i = 0; i < 1'000; ++i)
    made.dataset(name_of(i), sizes, contiguous_layout(i % 2 == 0 ? 900'000 : 1'000'000 + i, 7));
  std::size_t messages = 0;
  const FileMap map = map_of(made.written(1'000'000), {.fields = true}, messages);
  std::map<std::string, std::size_t> found;
  for (const FileFinding& each : map.findings) found[each.object + ' ' + each.clause]++;
  std::set<std::string> outside;
  for (const FileFinding& each : map.findings)
    if (each.object != "/" && each.expected.contains("1000000")) outside.insert(each.object);
  for (const auto& [place, count] : found) EXPECT_EQ(count, 1u) << place;
  EXPECT_EQ(outside.size(), 500u);
  for (std::size_t i = 1; i < 1'000; i += 2) EXPECT_TRUE(outside.contains('/' + name_of(i))) << i;
}

// --- Maps of limited size ------------------------------------------------------------------------

// As many lines as wanted at most, of which those about findings come first.
TEST(LimitedMaps, HaveTheLinesThatMatter) {
  std::vector<fs::path> paths;
  for (const char* kind : {"valid", "invalid"})
    for (const fs::directory_entry& each :
         fs::recursive_directory_iterator(fs::path(HEPCHECK_SOURCE) / "fixtures/hdf5" / kind))
      if (each.path().extension() == ".h5" && each.file_size() < 6'000)
        paths.push_back(each.path());
  std::ranges::sort(paths);
  std::size_t limited = 0;
  for (std::size_t i = 0; i < paths.size(); i += 9) {
    const std::string image = golden::file_text(paths[i]);
    const Bytes file = Bytes::of_image(std::as_bytes(std::span(image)), "fixture");
    const auto position = find_signature(file);
    if (!position) continue;
    const Limits limits;
    FieldRecording recording;
    ContainerWalk walk(file, *position, default_revision("hdf5"), 1, limits, {.decode = true});
    walk.notes().keep_places(kMostPlaced);
    walk.run();
    const FileMap all = limited_map(walk, recording, 1'000'000);
    // Every finding at a byte, whatever else was found before it.
    EXPECT_EQ(all.findings.size(),
              static_cast<std::size_t>(std::ranges::count_if(
                  walk.notes().placed(),
                  [](const auto& each) { return !each.clause.starts_with("h5-risk-"); })))
        << paths[i];
    EXPECT_EQ(all.ranges_left_out, 0u) << paths[i];
    EXPECT_EQ(all.fields_left_out, 0u) << paths[i];
    const auto has_finding = [&](const FileRange& range) {
      return std::ranges::any_of(all.findings, [&](const FileFinding& each) {
        return each.address >= range.address && each.address < range.end();
      });
    };
    const auto key = [](const FileMap& map, const FileRange& range) {
      return std::tuple(range.address, range.size, map.kinds[range.kind],
                        map.objects[range.object]);
    };
    std::map<decltype(key(all, all.ranges[0])), std::vector<FileField>> fields_of_all;
    for (const FileRange& each : all.ranges) fields_of_all[key(all, each)];
    for (const FileField& each : all.fields)
      fields_of_all[key(all, all.ranges[each.range])].push_back(each);
    for (const std::uint64_t lines : {0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144}) {
      const FileMap map = limited_map(walk, recording, lines);
      EXPECT_LE(map.ranges.size() + map.fields.size(), lines) << paths[i] << ' ' << lines;
      EXPECT_EQ(map.ranges.size() + map.ranges_left_out, all.ranges.size()) << paths[i];
      EXPECT_EQ(map.findings, all.findings) << paths[i];
      EXPECT_EQ(map.size, all.size);
      EXPECT_EQ(map.end, all.end);
      // Some ranges are left out only if there is no room; then those with findings stay.
      EXPECT_EQ(map.ranges_left_out == 0, all.ranges.size() <= lines / 2) << paths[i] << lines;
      std::size_t wanted = 0;
      for (const FileRange& each : all.ranges) wanted += has_finding(each);
      if (map.ranges_left_out > 0) {
        EXPECT_EQ(map.ranges.size(), std::min<std::size_t>(wanted, lines / 2)) << paths[i] << lines;
        for (const FileRange& each : map.ranges) EXPECT_TRUE(has_finding(each)) << paths[i];
      }
      // The fields of a range are there completely, or not at all.
      std::vector<std::vector<FileField>> fields(map.ranges.size());
      for (const FileField& each : map.fields) fields[each.range].push_back(each);
      std::uint64_t closed = 0, room = lines - map.ranges.size() - map.fields.size();
      for (std::size_t n = 0; n < map.ranges.size(); ++n) {
        const std::vector<FileField>& whole = fields_of_all[key(map, map.ranges[n])];
        if (map.ranges[n].kind == FileMap::kRaw) {
          EXPECT_TRUE(fields[n].empty());
          continue;
        }
        const bool closed_here = fields[n].empty() && !whole.empty();
        closed += closed_here;
        if (closed_here) {
          EXPECT_GT(whole.size(), room) << paths[i] << ' ' << lines;
          continue;
        }
        ASSERT_EQ(fields[n].size(), whole.size()) << paths[i] << ' ' << lines;
        for (std::size_t k = 0; k < whole.size(); ++k) {
          EXPECT_EQ(fields[n][k].address, whole[k].address);
          EXPECT_EQ(fields[n][k].name, whole[k].name);
          EXPECT_EQ(fields[n][k].value, whole[k].value);
        }
      }
      EXPECT_EQ(map.fields_left_out, closed) << paths[i] << ' ' << lines;
      limited += closed > 0;
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(limited, 100u);
}

// Whoever asks why a worker died learns which object it was reading.
TEST(WalkPosition, IsTheObjectThatIsRead) {
  MadeFile made;
  for (const char* name : {"one", "two"})
    made.dataset(name, std::vector<std::uint64_t>{1}, contiguous_layout(2'000, 1));
  const Descriptor written = made.written(4'096);
  const Bytes file = Bytes::of_descriptor(written.get(), "made");
  WorkerPosition place;
  record_position(&place);
  std::vector<std::string> read;
  const Limits limits;
  ContainerWalk walk(file, 0, default_revision("hdf5"), 1, limits,
                     {.datasets = [&](const Dataset&) {
                       EXPECT_EQ(position_here().stage, Stage::kReading);
                       read.push_back(position_here().object);
                     }});
  walk.run();
  record_position(nullptr);
  EXPECT_EQ(read, (std::vector<std::string>{"/one", "/two"}));
}

}  // namespace
}  // namespace hepcheck::hdf5::large_files_tests
