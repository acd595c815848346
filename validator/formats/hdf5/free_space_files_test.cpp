// Small files whose free space is in the lists of several managers: sections of several sizes and
// types, in order or not, which share bytes or not, over blocks that are used or not, with totals
// that are right or not, in files with pages and without. Everything that is reported equals the
// golden file: a line for each set of files, with a digest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <format>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "validator/formats/hdf5/specifications.h"
#include "validator/formats/hdf5/testing/bytes.h"
#include "validator/formats/hdf5/testing/said.h"
#include "validator/formats/hdf5/walk.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hdf5::free_space_files {
namespace {

using testing::summed;

constexpr std::uint64_t kEnd = 16'384, kFirstManager = 512, kManagers = 12, kRoom = 256;

struct Section {
  std::uint64_t offset = 0, size = 0;
  unsigned type = 0;
};
// Sections of one size.
using Set = std::vector<Section>;

struct Manager {
  std::vector<Set> sets{};
  std::uint64_t total = 0, unstored = 0;

  std::uint64_t stored() const {
    std::uint64_t made = 0;
    for (const Set& each : sets) made += each.size();
    return made;
  }
};

class Made {
 public:
  explicit Made(std::uint64_t seed) : random_(seed) {}

  std::string file() {
    std::string image(kEnd, '\0');
    const bool paged = once_in(3);
    const auto write = [&](std::uint64_t at, const std::string& bytes) {
      ASSERT_LE(at + bytes.size(), image.size());
      image.replace(at, bytes.size(), bytes);
    };
    std::string managers;
    std::uint64_t at = kFirstManager, before = kUndefined;
    for (unsigned kind = 0; kind < kManagers; ++kind) {
      // Some are not there, and some have the address of another.
      if (once_in(3) || at + kRoom > 3 * kRoom + kFirstManager) {
        managers += number(once_in(80) ? before : kUndefined, 8);
        continue;
      }
      write(at, bytes_of(manager(paged, kind), at));
      managers += number(before = at, 8);
      at += kRoom;
    }
    const std::string info = number(1, 1) + number(paged ? 1 : 0, 1) + number(1, 1) + number(1, 8) +
                             number(512, 8) + number(0, 2) +
                             number(once_in(9) ? kEnd + 1 : kEnd, 8) + managers;
    write(0, testing::superblock(0, 128, kEnd, 64));
    write(64, testing::header(testing::link_info()));
    write(128, testing::header(testing::message(0x17, info)));
    return image;
  }

 private:
  std::uint64_t below(std::uint64_t end) { return random_() % end; }
  bool once_in(std::uint64_t times) { return below(times) == 0; }

  Manager manager(bool paged, unsigned kind) {
    std::map<std::uint64_t, Set> sets;
    const unsigned type = !paged ? 0 : kind < 6 ? 1 : 2;
    for (std::uint64_t n = 1 + below(5); n > 0; --n) {
      constexpr std::uint64_t kSizes[] = {16, 64, 400, 512, 2'000};
      const std::uint64_t size = kSizes[below(std::size(kSizes))];
      Section made{.offset = 1'536 + 64 * below(220), .size = size, .type = type};
      if (paged && !once_in(4)) made.offset = (made.offset + 511) / 512 * 512;
      if (once_in(16)) made.offset = kEnd - size + 1;
      if (once_in(24)) made.offset = 32;
      if (once_in(24)) made.offset = 400 + 64 * below(16);
      if (once_in(24)) made.type = static_cast<unsigned>(below(4));
      sets[size].push_back(made);
    }
    Manager all;
    for (auto& [size, set] : sets) {
      if (!once_in(6)) std::ranges::sort(set, {}, &Section::offset);
      all.sets.push_back(set);
      for (const Section& each : set) all.total += each.size;
    }
    if (once_in(6) && all.sets.size() > 1) std::swap(all.sets.front(), all.sets.back());
    if (once_in(12)) all.sets.insert(all.sets.begin(), Set());
    if (once_in(6)) all.total += below(2) == 0 ? 1 : 0xffff'ffff'ffff'ffff;
    if (once_in(12)) all.unstored = 1;
    return all;
  }

  // A header, and behind it the list.
  std::string bytes_of(const Manager& manager, std::uint64_t at) {
    constexpr std::uint64_t kHeader = 82, kMost = 65'536;
    std::string list = "FSSE" + number(0, 1) + number(once_in(24) ? at + 1 : at, 8);
    for (const Set& set : manager.sets) {
      const std::uint64_t count = set.size() + (once_in(24) ? 1 : 0);
      list += number(count, 1) + number(set.empty() ? 8 : set[0].size, 3);
      for (const Section& each : set) list += number(each.offset, 8) + number(each.type, 1);
    }
    list = summed(list);
    const std::uint64_t stored = manager.stored(), room = list.size() + 8 * below(2);
    return summed("FSHD" + number(0, 1) + number(1, 1) + number(manager.total, 8) +
                  number(stored + manager.unstored, 8) + number(stored, 8) +
                  number(manager.unstored, 8) + number(3, 2) + number(80, 2) + number(120, 2) +
                  number(64, 2) + number(kMost, 8) + number(at + kHeader, 8) +
                  number(list.size(), 8) + number(room, 8)) +
           list;
  }

  std::mt19937_64 random_;
};

TEST(FreeSpaceFiles, ReportsEqualTheGoldenFile) {
  constexpr std::uint64_t kSets = 20, kFiles = 40;
  std::string text;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    testing::Said said;
    for (std::uint64_t i = 0; i < kFiles; ++i) {
      const std::string image = Made(1'000 * set + i).file();
      const Limits limits;
      ContainerWalk walk(Bytes::of_image(std::as_bytes(std::span(image)), "made"), 0,
                         default_revision("hdf5"), 20, limits, {.decode = true});
      walk.run();
      const auto& bytes = walk.unreached();
      said.all +=
          bytes ? std::format("{} {}\n", bytes->between, bytes->behind) : std::string("?\n");
      const std::vector<Probe> probes = std::move(walk.notes()).probes();
      for (std::size_t clause = 0; clause < probes.size(); ++clause) {
        const Probe& probe = probes[clause];
        if (probe.examined() == 0 && probe.plain()) continue;
        said.all += std::format("{} {} {}\n", kClauseIds[clause], probe.examined(), probe.reason());
        if (!probe.findings().empty()) said.count(kClauseIds[clause]);
        for (const Finding& each : probe.findings())
          said.all += std::format(" {}|{}|{}\n", each.where, each.observed, each.expected);
      }
    }
    text += said.text(set);
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/free_space_files.txt"));
}

}  // namespace
}  // namespace hepcheck::hdf5::free_space_files
