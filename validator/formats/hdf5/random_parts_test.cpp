// Random parts of a file as a whole: images of the metadata cache, messages about its space and its
// pages, blocks that share bytes, bytes around its data, and what it asks of a program that opens
// it. All findings, and what is read, equal the golden file: a line for each set with a digest, and
// the number of findings of each clause.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <format>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/cache_image.h"
#include "validator/formats/hdf5/file_risks.h"
#include "validator/formats/hdf5/filters.h"
#include "validator/formats/hdf5/free_space.h"
#include "validator/formats/hdf5/overlaps.h"
#include "validator/formats/hdf5/profile.h"
#include "validator/formats/hdf5/space_info.h"
#include "validator/formats/hdf5/superblock.h"
#include "validator/formats/hdf5/testing/mistakes.h"
#include "validator/formats/hdf5/testing/said.h"
#include "validator/formats/hdf5/testing/zeros.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hdf5::random_parts {
namespace {

using testing::Mistakes;
using testing::Said;
using testing::Zeros;

constexpr std::uint64_t kBase = 512, kEnd = 8'192;

void place_in(Zeros& zeros, Random& random) {
  zeros.notes.keep_places(100);
  zeros.file.base = kBase;
  zeros.file.end = kEnd;
  zeros.file.offset_size = zeros.file.length_size = random.once_in(2) ? 4 : 8;
  zeros.file.open_for_writing = random.once_in(8);
}
Region message_of(const std::string& bytes) {
  return {std::as_bytes(std::span(bytes)), {"OHDR", 100, 20}};
}

// --- Images of the metadata cache ----------------------------------------------------------------

struct Entry {
  std::uint64_t address = 0;
  unsigned type = 0;
  std::string bytes{};
  std::vector<std::uint64_t> parents{};
  unsigned children = 0;
};

void cache_image(Random& random, Said& said) {
  constexpr std::pair<unsigned, const char*> kTypes[] = {
      {0, "TREE"},  {1, "SNOD"},  {2, "HEAP"},  {4, "GCOL"},  {5, "OHDR"},  {5, "\1"},
      {7, "BTHD"},  {9, "BTLF"},  {10, "FRHP"}, {13, "FSHD"}, {15, "SMTB"}, {17, "EAHD"},
      {20, "EADB"}, {22, "FAHD"}, {23, "FADB"}, {25, "x"},    {26, "y"}};
  constexpr std::uint64_t kImage = 6'000;
  Mistakes mistakes(random, 40);
  Zeros zeros(kEnd + kBase);
  place_in(zeros, random);
  const unsigned width = zeros.file.offset_size;
  std::vector<Entry> entries;
  std::uint64_t next = 64;
  const std::uint64_t count = 1 + random.below(6);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto [type, letters] = random.one_of(kTypes);
    Entry made{.address = next, .type = type, .bytes = letters};
    made.bytes.resize(made.bytes.size() + random.below(20), 'z');
    next += made.bytes.size() + random.below(2);
    for (Entry& each : entries)
      if (random.once_in(3)) {
        made.parents.push_back(each.address);
        ++each.children;
      }
    if (mistakes.made()) made.address = random.once_in(2) ? 64 : kEnd - 1;
    if (mistakes.made()) made.parents.push_back(9'999);
    if (mistakes.made()) made.bytes[0] = 'q';
    entries.push_back(std::move(made));
  }
  std::string body;
  for (const Entry& each : entries) {
    const unsigned flags = static_cast<unsigned>(random.below(4)) | (each.children > 0 ? 4U : 0U) |
                           (each.parents.empty() ? 0U : 8U);
    constexpr unsigned kFlips[] = {1, 2, 4, 8, 16};
    body += number(mistakes.made() ? random.below(40) : each.type, 1);
    body += number(mistakes.made() ? flags ^ random.one_of(kFlips) : flags, 1);
    body += number(mistakes.made() ? 6 * random.below(2) : 1 + random.below(5), 1);
    body += number(mistakes.made() ? 101 : random.once_in(2) ? 100 : 0, 1);
    body += number(mistakes.perhaps(each.children), 2);
    body += number(mistakes.made() ? each.children + 1 : random.below(each.children + 1), 2);
    body += number(mistakes.perhaps(each.parents.size()), 2) + number(0, 4);
    body += number(mistakes.made() ? kUndefined : each.address, width);
    body += number(mistakes.perhaps(each.bytes.size()), width);
    for (const std::uint64_t parent : each.parents) body += number(parent, width);
    body += each.bytes;
  }
  if (mistakes.made()) body += '\0';
  const std::uint64_t size = 6 + width + 4 + body.size() + 4;
  std::string image = mistakes.letters("MDCI");
  image += number(mistakes.perhaps(0), 1);
  image += number(mistakes.made() ? 1 : random.once_in(2) ? 2 : 0, 1);
  image += number(mistakes.perhaps(size), width);
  image += number(mistakes.perhaps(entries.size()), 4) + body;
  zeros.write(kBase + kImage, mistakes.block(image));
  std::string message = number(mistakes.perhaps(0), 1);
  message += number(mistakes.made() ? kUndefined : kImage, width);
  message += number(mistakes.made() ? kEnd * random.below(2) : size, width);
  if (mistakes.made()) message.pop_back();
  if (random.once_in(20)) zeros.limits.block_bytes = random.once_in(2) ? size : size - 1;
  const auto made = read_cache_image(message_of(message), zeros.file);
  said.all +=
      made ? std::format("{} {} {}\n", made->address, made->damaged, made->block.region().size())
           : std::string("none\n");
  // What is there now.
  for (const std::uint64_t at : {std::uint64_t{64}, entries.back().address}) {
    std::vector<std::byte> bytes(24);
    if (zeros.file.inside(at, bytes.size()) && zeros.file.read(at, bytes))
      said.all.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  said.add(zeros.notes);
  for (const Notes::NotExamined& each : zeros.notes.not_examined()) said.all += each.reason + '\n';
}

// --- The space of a file, and its pages ----------------------------------------------------------

void space(Random& random, Said& said) {
  constexpr std::uint64_t kGibibyte = std::uint64_t{1} << 30;
  constexpr std::uint64_t kPages[] = {0,     511,       512,           512, 1'024, 1'024,
                                      4'096, kGibibyte, kGibibyte + 1, 513, 8'192, 600};
  constexpr std::uint64_t kVersions[] = {0, 1, 1, 1, 1, 2},
                          kStrategies[] = {0, 1, 1, 1, 2, 3, 4, 5};
  Zeros zeros(kEnd + kBase);
  place_in(zeros, random);
  const unsigned width = zeros.file.offset_size;
  const std::uint64_t version = random.one_of(kVersions), strategy = random.one_of(kStrategies),
                      persist = random.once_in(2) ? 0 : 1 + random.below(4) / 3;
  std::string message = number(version, 1) + number(strategy, 1);
  if (version > 0) message += number(persist, 1);
  message += number(1, width);
  if (version > 0) {
    message += number(random.one_of(kPages), width) + number(0, 2);
    constexpr std::uint64_t kEnds[] = {kUndefined, 0, kEnd - 1, kEnd, kEnd + 1};
    message += number(random.one_of(kEnds), width);
  }
  constexpr std::uint64_t kManagers[] = {kUndefined, kUndefined, kUndefined, 100, 200, 300, 400};
  const unsigned managers = version == 0 ? (strategy == 1 ? 6 : 0) : persist != 0 ? 12 : 0;
  const bool any = random.once_in(2);
  for (unsigned i = 0; i < managers; ++i) {
    const std::uint64_t one = random.once_in(3) ? random.one_of(kManagers) : 1'000 + i;
    message += number(any ? one : kUndefined, width);
  }
  if (random.once_in(12)) message.resize(message.size() - 1 - random.below(2));
  if (random.once_in(12)) message += '\0';
  const auto info = read_space_info(message_of(message), zeros.file);
  if (info) {
    said.all += std::format("{} {} {} {} {} {} {} {} {} {}\n", info->threshold, info->page_size,
                            info->end_of_allocation, numbers_text(info->managers),
                            info->lists.size(), info->lists.place.text(), info->encoded,
                            info->pages_known(), info->names_manager(), info->paged());
    for (std::uint64_t n = random.below(6); n > 0; --n) {
      constexpr std::uint64_t kSizes[] = {1, 64, 511, 512, 513, 1'024, 2'000};
      const std::uint64_t size = random.one_of(kSizes);
      std::uint64_t at = 512 * random.below(10);
      if (random.once_in(3)) at += 512 - size % 512;
      if (random.once_in(4)) at += random.below(3);
      if (at + size > kEnd) continue;
      if (random.once_in(4))
        zeros.file.extents.add_raw(at, size, 1);
      else
        zeros.file.accept(random.once_in(2) ? "OHDR" : "TREE", at, size);
    }
    CacheImage image{.address = kEnd - 1'024,
                     .block = Block(random.once_in(2) ? 1'024 : 1'000, {})};
    const std::uint64_t end = random.once_in(3) ? kEnd - 1 : kEnd;
    const bool with_image = random.once_in(3);
    said.all +=
        std::format("{}\n", judge_pages(*info, end, with_image ? &image : nullptr, zeros.file));
  }
  said.add(zeros.notes);
}

// --- Sections of free space ----------------------------------------------------------------------

// In files with pages and without: those that end or begin at the border of a page, or beside it,
// and those that share bytes with one another or with a block.
void sections(Random& random, Said& said) {
  constexpr std::uint64_t kPage = 512, kSuperblock = 48;
  Zeros zeros(kEnd + kBase);
  place_in(zeros, random);
  const std::uint64_t kind = random.below(3);
  const bool paged = kind == 0;
  std::vector<std::optional<FreeSpace>> managers(12);
  std::uint64_t at = random.once_in(3) ? kSuperblock - random.below(2) : kPage;
  for (std::size_t i = 0; i < managers.size(); ++i) {
    if (!random.once_in(3)) continue;
    FreeSpace made{.at = {"FSHD", 100 + i, 0}, .whole = !random.once_in(8)};
    for (std::uint64_t n = random.below(4); n > 0; --n) {
      constexpr std::uint64_t kSizes[] = {0, 1, 64, 400, kPage - 1, kPage, kPage + 1, 2 * kPage};
      FreeSection section{.offset = at, .size = random.one_of(kSizes), .at = {"FSSE", 200 + i, n}};
      const std::uint64_t rest = kPage - at % kPage;
      if (random.once_in(3)) section.size = rest;
      if (random.once_in(6)) section.size = rest + 1;
      section.type = static_cast<std::uint8_t>(!paged ? 0 : i < 6 ? 1 : 2);
      if (random.once_in(24)) section.type = static_cast<std::uint8_t>(random.below(3));
      at += section.size;
      if (random.once_in(2)) at = (at + kPage - 1) / kPage * kPage;
      if (random.once_in(4)) at += 64;
      if (random.once_in(30)) at -= std::min<std::uint64_t>(at, 1);
      if (random.once_in(60)) at = kEnd - 64;
      made.total += section.size;
      made.sections.push_back(section);
    }
    if (random.once_in(12)) ++made.total;
    if (random.once_in(12)) made.order = SetOrder{.before = 7, .after = 6};
    managers[i] = std::move(made);
  }
  for (std::uint64_t n = random.below(3); n > 0; --n)
    zeros.file.accept("OHDR", 64 * random.below(60), 64);
  const std::optional<std::uint64_t> page_size =
      kind == 2 ? std::nullopt : std::optional(paged ? kPage : 0);
  judge_file_space(managers, page_size, kSuperblock, zeros.file);
  said.add(zeros.notes);
}

// --- Superblocks ---------------------------------------------------------------------------------

void superblock(Random& random, Said& said) {
  constexpr std::uint64_t kVersions[] = {0, 0, 1, 1, 2, 2, 3, 3, 3, 4};
  constexpr std::uint64_t kWidths[] = {8, 8, 8, 8, 4, 4, 2, 16, 32, 0, 3};
  Mistakes mistakes(random, 20);
  Zeros zeros(kEnd + kBase);
  place_in(zeros, random);
  const std::uint64_t version = random.one_of(kVersions), width = random.one_of(kWidths);
  const std::uint64_t length = random.once_in(3) ? random.one_of(kWidths) : width;
  std::string made = "\x89HDF\r\n\x1a\n" + number(version, 1);
  const auto reserved = [&](unsigned bytes) {
    made += number(mistakes.made() ? random.once_in(2) ? 1 : 0x80 : 0, bytes);
  };
  if (version < 2) {
    for (int i = 0; i < 4; ++i) reserved(1);
    made += number(width, 1) + number(length, 1);
    reserved(1);
    made += number(mistakes.made() ? 0 : 4, 2);
    made += number(mistakes.made() ? 0 : 16, 2);
    made += number(mistakes.made() ? 8 : random.below(8), 4);
    if (version == 1) {
      made += number(mistakes.made() ? 0 : 32, 2);
      reserved(2);
    }
  } else {
    made += number(width, 1) + number(length, 1);
    constexpr std::uint64_t kStatus[] = {0, 0, 0, 1, 4, 5, 2, 8, 0x80};
    made += number(random.one_of(kStatus), 1);
  }
  const unsigned bytes = static_cast<unsigned>(width);
  const std::uint64_t total =
      made.size() + (version < 2 ? 5 : 4) * width + (version < 2 ? length + 24 : 4);
  constexpr std::uint64_t kBases[] = {0, 0, 0, 512, kUndefined};
  const std::uint64_t base = random.one_of(kBases);
  const auto address = [&](std::uint64_t value) { made += number(value, bytes); };
  address(base);
  address(mistakes.made() ? 100 : kUndefined);
  const std::uint64_t ends[] = {kEnd,      kEnd - 1,  kEnd + 1, total,
                                total - 1, total + 1, 0,        kUndefined};
  address(base + random.one_of(ends));
  if (version < 2) address(kUndefined);
  if (version < 2) made += number(0, static_cast<unsigned>(length));
  address(96);
  if (version < 2) made += number(1, 4) + number(0, 4) + number(0, 16);
  if (version >= 2) made = mistakes.block(made);
  if (random.once_in(6)) made.resize(random.below(made.size() + 1));
  if (random.once_in(6)) made += '\0';
  Superblock is =
      parse_superblock({std::as_bytes(std::span(made)), {"superblock", kBase, 0}}, kBase + kEnd);
  is.being_written = random.once_in(8);
  is.one_of_several = random.once_in(8);
  said.all +=
      std::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}\n", is.whole, is.cut,
                  is.no_version, is.length, is.offset_size, is.length_size, is.group_leaf_k,
                  is.group_internal_k, is.chunk_k, is.status, is.unused_flags,
                  is.not_reserved.value_or(0), is.base, is.free_space, is.extension, is.end_of_file,
                  is.driver, is.root, is.fits(), is.open_for_writing());
  said.all += std::format("{} {} {}\n", is.end_of_file_at(), is.another_version(),
                          holds(is, {"superblock", kBase, 0}, zeros.notes));
  said.add(zeros.notes);
}

// --- Blocks that share bytes ---------------------------------------------------------------------

void blocks(Random& random, Said& said) {
  Zeros zeros(kEnd + kBase);
  place_in(zeros, random);
  zeros.file.whole_format = !random.once_in(4);
  std::uint64_t at = 0;
  for (std::uint64_t n = random.below(12); n > 0; --n) {
    constexpr std::uint64_t kSizes[] = {0, 1, 8, 100, 300, 1'000};
    const std::uint64_t size = random.one_of(kSizes);
    if (random.once_in(3)) at = random.below(2'000);
    if (random.once_in(5)) at += 8;
    const auto object = static_cast<std::uint32_t>(random.below(3));
    if (random.once_in(2))
      zeros.file.extents.add_raw(at, size, object);
    else
      zeros.file.extents.add(random.once_in(2) ? "OHDR" : "TREE", at, size, object);
    at += size;
    // Values that follow those before are one block with them, but not after a look at all blocks.
    if (random.once_in(6)) (void)zeros.file.extents.sorted();
  }
  if (random.once_in(4)) zeros.file.end = at + random.below(2);
  const Unreached bytes = unreached_bytes(zeros.file);
  said.all += std::format("{} {}\n", bytes.between, bytes.behind);
  for (const Extent& each : zeros.file.extents.sorted())
    said.all += std::format("{} {} {} {}\n", each.address, each.size, each.object,
                            zeros.file.extents.kind(each));
  judge_overlaps(zeros.file, [&](std::uint32_t object, const ClauseId& clause) {
    said.all += std::format("{} {}\n", object, clause.str());
  });
  for (const std::uint64_t each : zeros.file.overlapping) said.all += std::format("{} ", each);
  // Around the number and the share of bytes that matter.
  constexpr std::uint64_t kHidden[] = {0, 408, 409, 410, 1'023, 1'024, 1'025, 5'000};
  constexpr std::uint64_t kFiles[] = {8'192, 20'479, 20'480, 20'481, 30'000};
  Unreached hidden{.between = random.one_of(kHidden)};
  hidden.behind = random.once_in(2) ? random.one_of(kHidden) : 0;
  zeros.file.profile.left_over = random.once_in(3) ? random.one_of(kHidden) : 0;
  zeros.file.end = random.one_of(kFiles);
  const std::uint64_t free = random.once_in(3) ? random.one_of(kHidden) : 0;
  judge_hidden_bytes(hidden, free, random.once_in(4) ? 1 : 0, zeros.file);
  said.add(zeros.notes);
}

// --- What a file asks of a program ---------------------------------------------------------------

std::string some_name(Random& random) {
  constexpr const char* kNames[] = {"a.h5",     "b/c.h5",    "../d.h5",        "/e.h5",
                                    "",         "/dev/null", "${ORIGIN}/f.h5", "/proc/1",
                                    "C:\\x.h5", "g/../../h", "${ORIGIN}/../i", "b/c.h5"};
  std::string made = random.one_of(kNames);
  if (random.once_in(12)) made += std::string(190 + random.below(20), 'n');
  return made;
}

void profile(Random& random, Said& said) {
  Zeros zeros(kEnd + kBase);
  place_in(zeros, random);
  Profile& into = zeros.file.profile;
  for (std::uint64_t n = random.below(4) == 0 ? 40 : random.below(6); n > 0; --n) {
    const std::string path = std::format("/{}", n);
    const std::string name = some_name(random);
    switch (random.below(7)) {
      case 0: into.external_link(path, name, "/o"); break;
      case 1: into.virtual_source(path, name, "/d"); break;
      case 2: {
        constexpr std::uint16_t kFilters[] = {1,   2,   3,   4,      5,      6,     7,
                                              255, 256, 257, 32'015, 32'767, 32'768};
        std::vector<Filter> list;
        for (std::uint64_t i = 1 + random.below(3); i > 0; --i) {
          list.push_back({.id = random.one_of(kFilters)});
          if (random.once_in(2)) list.back().name = "some";
        }
        into.filters(list, path);
        break;
      }
      case 3:
      case 4: {
        std::vector<Profile::Storage> pieces;
        for (std::uint64_t i = 1 + random.below(3); i > 0; --i) {
          const std::string piece = random.once_in(2) ? name : some_name(random);
          const std::uint64_t begin = 10 * random.below(5);
          constexpr std::uint64_t kSizes[] = {0, 10, 20, 35, kLargestNumber};
          pieces.push_back({piece, begin, random.one_of(kSizes)});
        }
        into.external_storage(path, static_cast<std::uint32_t>(random.below(3)), pieces);
        break;
      }
      case 5: into.add(Profile::Kind::kUserLink, path + name); break;
      default:
        into.add(
            random.once_in(2) ? Profile::Kind::kExternalReference : Profile::Kind::kVirtualPattern,
            name);
    }
  }
  into.judge_all(zeros.file);
  constexpr std::string_view kBegins[] = {"PK\3\4", "%PDF", "MZ", "#!", "MATLAB", "other", ""};
  constexpr std::uint64_t kAfter[] = {0, 1, 2, 100, kBase};
  const std::uint64_t before = random.once_in(2) ? 0 : kBase, after = random.one_of(kAfter);
  if (before > 0) zeros.write(0, random.one_of(kBegins));
  if (before > 0 && random.once_in(4)) zeros.write(before - 1, "x");
  const std::string_view behind = random.one_of(kBegins);
  zeros.write(kEnd + kBase - after, behind.substr(0, after));
  judge_file_risks({.begin = before,
                    .end = kEnd + kBase - after,
                    .open_for_writing = zeros.file.open_for_writing,
                    .driver = random.once_in(6) ? "family" : "",
                    .image_bytes = random.once_in(6) ? 1U : 0U},
                   zeros.file);
  judge_profile(zeros.file);
  said.add(zeros.notes);
}

// --- Results -------------------------------------------------------------------------------------

TEST(RandomParts, FindingsEqualTheGoldenFile) {
  constexpr std::pair<std::string_view, void (*)(Random&, Said&)> kParts[] = {
      {"cache images, ", cache_image}, {"pages, ", space},   {"sections, ", sections},
      {"superblocks, ", superblock},   {"blocks, ", blocks}, {"profiles, ", profile}};
  constexpr std::uint64_t kSets = 8, kTimes = 150;
  std::string text;
  for (std::uint64_t set = 0; set < kSets; ++set)
    for (const auto& [name, make] : kParts) {
      Said said;
      for (std::uint64_t i = 0; i < kTimes; ++i) {
        Random random(1'000 * set + i);
        make(random, said);
      }
      text += said.text(set, name);
    }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/random_parts.txt"));
}

}  // namespace
}  // namespace hepcheck::hdf5::random_parts
