// Messages and superblocks of every version in which up to three bytes differ from sound ones, so
// that there are several faults at once, or which are cut: whether they are read, and all findings
// with their places. They equal the golden file: a line for each sound message, with a digest.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <format>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/dataspace.h"
#include "validator/formats/hdf5/driver.h"
#include "validator/formats/hdf5/fill.h"
#include "validator/formats/hdf5/filters.h"
#include "validator/formats/hdf5/layout.h"
#include "validator/formats/hdf5/link.h"
#include "validator/formats/hdf5/selection.h"
#include "validator/formats/hdf5/space_info.h"
#include "validator/formats/hdf5/superblock.h"
#include "validator/formats/hdf5/testing/zeros.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hdf5::random_messages {
namespace {

using testing::summed;
using testing::Zeros;

using Read = std::function<bool(const Region&, Container&)>;

struct Kind {
  std::string_view name{};
  std::vector<std::string> sound{};
  Read read{};
};

std::string filter(unsigned id, const std::string& name, std::initializer_list<unsigned> values,
                   bool old) {
  std::string made = number(id, 2);
  if (old || id >= 256) made += number(name.size(), 2);
  made += number(1, 2) + number(values.size(), 2) + name;
  for (const unsigned each : values) made += number(each, 4);
  if (old && values.size() % 2 != 0) made += number(0, 4);
  return made;
}

std::string filters(bool old) {
  const std::string name("filter\0\0", 8);
  return number(old ? 1 : 2, 1) + number(4, 1) + (old ? number(0, 6) : "") +
         filter(2, old ? name : "", {4}, old) + filter(1, old ? name : "", {6}, old) +
         filter(300, name, {1, 2, 3}, old) + filter(32'000, name, {}, old);
}

std::string old_superblock(unsigned version) {
  std::string made = "\x89HDF\r\n\x1a\n" + number(version, 1) + number(0, 4) + number(8, 1) +
                     number(8, 1) + number(0, 1) + number(4, 2) + number(16, 2) + number(0, 4);
  if (version == 1) made += number(32, 2) + number(0, 2);
  return made + number(0, 8) + number(kUndefined, 8) + number(4096, 8) + number(kUndefined, 8) +
         number(0, 8) + number(96, 8) + number(0, 4 + 4 + 16);
}

std::string layout(unsigned index, const std::string& parameters) {
  return number(4, 1) + number(2, 1) + number(0, 1) + number(3, 1) + number(1, 1) + number(2, 1) +
         number(3, 1) + number(4, 1) + number(index, 1) + parameters + number(1024, 8);
}

std::string hyperslab(unsigned version, unsigned width) {
  std::string made = number(2, 4) + number(version, 4);
  if (version >= 2) made += number(1, 1);
  if (version == 3) made += number(width, 1);
  if (version < 3) made += version == 1 ? number(0, 4) + number(24, 4) : number(68, 4);
  made += number(2, 4);
  if (version == 1) return made + number(1, 4) + number(1, 16);
  for (int d = 0; d < 2; ++d)
    for (const unsigned each : {1U, 4U, 3U, 2U}) made += number(each, version == 2 ? 8 : width);
  return made;
}

template <class Result>
Read reads(Result (*read)(const Region&, Container&)) {
  return [read](const Region& message, Container& file) {
    if constexpr (requires(Result result) { result.has_value(); })
      return read(message, file).has_value();
    else
      return (static_cast<void>(read(message, file)), true);
  };
}

// Two dimensions and the size of an element, as before version 3.
std::string old_layout(unsigned version, unsigned layout_class, const std::string& values) {
  std::string made = number(version, 1) + number(3, 1) + number(layout_class, 1) + number(0, 5);
  if (layout_class != 0) made += number(1024, 8);
  return made + number(4, 4) + number(6, 4) + number(4, 4) + values;
}

struct Around {
  bool filtered = false, early = true, external = false, type_sound = true;
};

// Of a dataset of four by six elements.
Read layout_of(const std::array<std::uint64_t, 2>& maxima, const Around& around = {}) {
  return [maxima, around](const Region& message, Container& file) {
    Dataspace space;
    space.version = 2;
    space.rank = 2;
    space.sizes = {4, 6};
    space.maxima = {maxima[0], maxima[1]};
    const LayoutContext context{.space = space,
                                .type_size = 4,
                                .type_sound = around.type_sound,
                                .filtered = around.filtered,
                                .early = around.early,
                                .external = around.external,
                                .file = file};
    return read_layout(message, context, file).has_value();
  };
}

std::vector<Kind> kinds() {
  const std::string two(16, '\1');
  return {
      {"superblock",
       {old_superblock(0), old_superblock(1), testing::superblock(0, kUndefined, 4096, 96)},
       [](const Region& message, Container& file) {
         return holds(parse_superblock(message, 4096), message.place, file.notes);
       }},
      {"filters", {filters(true), filters(false)}, reads(read_filters)},
      {"dataspace",
       {number(1, 1) + number(2, 1) + number(1, 1) + number(0, 5) + number(4, 8) + number(6, 8) +
            number(4, 8) + number(9, 8),
        number(2, 1) + number(2, 1) + number(1, 1) + number(1, 1) + number(4, 8) + number(6, 8) +
            number(4, 8) + number(kUndefined, 8),
        number(2, 1) + number(0, 3)},
       reads(read_dataspace)},
      {"fill value",
       {number(1, 1) + number(2, 1) + number(0, 2) + number(4, 4) + number(7, 4),
        number(2, 1) + number(2, 1) + number(0, 1) + number(1, 1) + number(4, 4) + number(7, 4),
        number(3, 1) + number(0x29, 1) + number(4, 4) + number(7, 4)},
       [](const Region& message, Container& file) {
         return read_fill(message, false, 4, file).has_value();
       }},
      {"old fill value",
       {number(4, 4) + number(7, 4)},
       [](const Region& message, Container& file) {
         return read_fill(message, true, 4, file).has_value();
       }},
      {"layout",
       {number(3, 1) + number(0, 1) + number(96, 2) + std::string(96, 'x'),
        number(3, 1) + number(1, 1) + number(1024, 8) + number(96, 8),
        number(3, 1) + number(2, 1) + number(3, 1) + number(1024, 8) + number(2, 4) + number(3, 4) +
            number(4, 4),
        layout(2, ""), layout(3, number(10, 1))},
       layout_of({4, 6})},
      {"layout with one dimension without a limit",
       {layout(4, number(32, 1) + number(4, 1) + number(4, 1) + number(16, 1) + number(10, 1))},
       layout_of({4, kUndefined})},
      {"layout with two of them",
       {layout(5, number(512, 4) + number(100, 1) + number(40, 1))},
       layout_of({kUndefined, kUndefined})},
      {"old layout",
       {old_layout(1, 0, number(96, 4) + std::string(96, 'x')), old_layout(1, 1, ""),
        old_layout(2, 1, ""), old_layout(2, 2, number(4, 4))},
       layout_of({4, 6})},
      {"layout without space",
       {number(3, 1) + number(1, 1) + number(kUndefined, 8) + number(7, 8),
        number(4, 1) + number(1, 1) + number(kUndefined, 8) + number(0, 8)},
       layout_of({4, 6})},
      {"layout with filters",
       {number(3, 1) + number(2, 1) + number(3, 1) + number(1024, 8) + number(2, 4) + number(3, 4) +
            number(4, 4),
        layout(3, number(10, 1))},
       layout_of({4, 6}, {.filtered = true, .early = false})},
      {"layout of other files",
       {number(3, 1) + number(1, 1) + number(kUndefined, 8) + number(96, 8),
        number(3, 1) + number(1, 1) + number(kUndefined, 8) + number(7, 8)},
       layout_of({4, 9}, {.external = true})},
      {"layout of another type",
       {number(3, 1) + number(1, 1) + number(1024, 8) + number(95, 8)},
       layout_of({4, 6}, {.early = false, .type_sound = false})},
      {"link",
       {number(1, 1) + number(0x1c, 1) + number(0, 1) + number(5, 8) + number(1, 1) + number(4, 1) +
            "name" + number(512, 8),
        number(1, 1) + number(8, 1) + number(1, 1) + number(4, 1) + "soft" + number(5, 2) + "/path",
        number(1, 1) + number(8, 1) + number(64, 1) + number(3, 1) + "out" + number(9, 2) +
            std::string("\0file\0/x\0", 9)},
       reads(read_link)},
      {"link info",
       {number(0, 1) + number(3, 1) + number(9, 8) + number(512, 8) + number(600, 8) +
        number(700, 8)},
       reads(read_link_info)},
      {"attribute info",
       {number(0, 1) + number(3, 1) + number(9, 2) + number(512, 8) + number(600, 8) +
        number(700, 8)},
       reads(read_attribute_info)},
      {"group info",
       {number(0, 1) + number(3, 1) + number(8, 2) + number(6, 2) + number(4, 2) + number(8, 2)},
       reads(read_group_info)},
      {"driver",
       {number(0, 1) + "NCSAfami" + number(8, 2) + number(1024, 8),
        number(0, 1) + "NCSAmult" + number(56, 2) + number(0x020201010101, 8) + number(0, 8) +
            number(999, 8) + number(1000, 8) + number(1999, 8) + number('a', 8) + number('b', 8)},
       reads(read_driver_message)},
      {"file space info",
       {number(1, 1) + number(1, 1) + number(1, 1) + number(1, 8) + number(512, 8) + number(0, 2) +
            number(4096, 8) + number(1024, 8) + number(2048, 8) + number(kUndefined, 8) +
            number(kUndefined, 8) + number(kUndefined, 8) + number(kUndefined, 8) +
            number(kUndefined, 8) + number(kUndefined, 8) + number(kUndefined, 8) +
            number(kUndefined, 8) + number(kUndefined, 8) + number(kUndefined, 8),
        number(0, 1) + number(1, 1) + number(1, 8) + number(1024, 8) + number(2048, 8) +
            number(kUndefined, 8) + number(kUndefined, 8) + number(kUndefined, 8) +
            number(kUndefined, 8)},
       reads(read_space_info)},
      {"selection",
       {hyperslab(1, 4), hyperslab(2, 8), hyperslab(3, 4), hyperslab(3, 2),
        number(1, 4) + number(1, 4) + number(0, 4) + number(24, 4) + number(2, 4) + number(2, 4) +
            two,
        number(3, 4) + number(1, 4) + number(0, 8)},
       [](const Region& message, Container& file) {
         const auto made = read_selection(message, 2, file);
         if (made) judge_form(*made, file);
         return made.has_value();
       }},
  };
}

std::string changed(std::string message, std::mt19937_64& random) {
  const auto below = [&](std::uint64_t end) { return random() % end; };
  for (std::uint64_t n = below(4); n > 0; --n) {
    char& byte = message[below(message.size())];
    switch (below(4)) {
      case 0: ++byte; break;
      case 1: --byte; break;
      case 2: byte = static_cast<char>(byte ^ 1 << below(8)); break;
      default: byte = static_cast<char>(below(256)); break;
    }
  }
  if (below(12) == 0) message.resize(below(message.size()));
  return message;
}

// What is said of variants of a message.
class Said {
 public:
  explicit Said(const Kind& kind) : kind_(kind) {}

  // Whether it is read.
  bool add(const std::string& message) {
    Zeros zeros;
    zeros.notes.keep_places(20);
    const bool good = kind_.read({std::as_bytes(std::span(message)), {"test", 0, 0}}, zeros.file);
    ++count_;
    read_ += good;
    all_ += good ? "read\n" : "refused\n";
    for (const Notes::Placed& each : zeros.notes.placed()) {
      clauses_.insert(each.clause);
      all_ +=
          std::format("{} {}: {}; {}\n", each.clause, each.at.offset, each.observed, each.expected);
    }
    return good;
  }
  std::string text() const {
    return std::format("{} of {} read, {} clauses violated, {}\n", read_, count_, clauses_.size(),
                       golden::digest_of(all_));
  }

 private:
  const Kind& kind_;
  std::string all_{};
  std::set<std::string_view> clauses_{};
  std::size_t count_ = 0, read_ = 0;
};

TEST(RandomMessages, FindingsEqualTheGoldenFile) {
  constexpr int kVariants = 400;
  std::string text;
  for (const Kind& kind : kinds())
    for (std::size_t i = 0; i < kind.sound.size(); ++i) {
      std::mt19937_64 random(i);
      Said said(kind);
      EXPECT_TRUE(said.add(kind.sound[i])) << kind.name << ' ' << i;
      for (int variant = 1; variant < kVariants; ++variant)
        said.add(changed(kind.sound[i], random));
      text += std::format("{} {}: {}", kind.name, i, said.text());
    }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/random_messages.txt"));
}

// Versions, flags, types and other small numbers are at the beginning.
TEST(RandomMessages, OtherBytesAtTheBeginning) {
  constexpr std::size_t kBytes = 24;
  std::string text;
  for (const Kind& kind : kinds())
    for (std::size_t i = 0; i < kind.sound.size(); ++i) {
      Said said(kind);
      for (std::size_t at = 0; at < std::min(kBytes, kind.sound[i].size()); ++at)
        for (const unsigned value : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 32, 64, 128, 254, 255}) {
          std::string message = kind.sound[i];
          message[at] = static_cast<char>(value);
          said.add(message);
        }
      text += std::format("{} {}: {}", kind.name, i, said.text());
    }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/message_bytes.txt"));
}

}  // namespace
}  // namespace hepcheck::hdf5::random_messages
