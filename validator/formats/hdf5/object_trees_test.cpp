// Small files of groups, tables, datasets, datatypes and other objects, in trees and in other
// graphs: with several links to an object, links that lead nowhere or back, wrong reference counts,
// old headers, zeros behind messages, marks of tables that are there twice, and datasets that share
// bytes. Everything that a walk says about them, as a whole, under tight limits and about one
// object, equals the golden file: a line for each set of files, with a digest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <format>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "validator/catalogue/clause.h"
#include "validator/formats/hdf5/chunk_list.h"
#include "validator/formats/hdf5/file_map.h"
#include "validator/formats/hdf5/repair/repair_container.h"
#include "validator/formats/hdf5/specifications.h"
#include "validator/formats/hdf5/testing/bytes.h"
#include "validator/formats/hdf5/testing/map_of.h"
#include "validator/formats/hdf5/testing/private_copy.h"
#include "validator/formats/hdf5/walk.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hdf5::object_trees {
namespace {

struct Item {
  enum class Kind { kGroup, kDataset, kChunked, kType, kOther } kind{};
  bool old = false;                  // its header has version 1
  std::vector<std::string> marks{};  // values of attributes CLASS
  struct Link {
    std::string name{};
    std::size_t target = 0;
    std::string soft{};      // the path, instead of a target
    std::string external{};  // the name of a file, instead of a target
  };
  std::vector<Link> links{};
  std::uint32_t references = 1;  // as stated
  std::uint64_t data = 0;        // the address of the values
  std::size_t slack = 0;         // zeros behind each message; with padding, in an old header
};
using Items = std::vector<Item>;  // the first is the root group

// --- Bytes ---------------------------------------------------------------------------------------

struct Message {
  unsigned type = 0;
  std::string data{};
};

std::string header(const std::vector<Message>& messages, const Item& item) {
  std::string body;
  for (const auto& [type, contents] : messages) {
    const std::string data = contents + std::string(item.slack, '\0');
    if (!item.old) {
      body += testing::message(static_cast<std::uint8_t>(type), data);
      continue;
    }
    const std::size_t padded = (data.size() + 7) / 8 * 8;
    body += number(type, 2) + number(padded, 2) + number(0, 4) + data;
    body += std::string(padded - data.size(), '\0');
  }
  if (!item.old) return testing::header(body);
  return number(1, 2) + number(messages.size(), 2) + number(item.references, 4) +
         number(body.size(), 4) + number(0, 4) + body;
}

Message class_of(const std::string& value) {
  const std::string type = number(0x13, 1) + number(0, 3) + number(value.size(), 4),
                    space = number(2, 1) + number(0, 3), name = std::string("CLASS") + '\0';
  return {12, number(3, 1) + number(0, 1) + number(name.size(), 2) + number(type.size(), 2) +
                  number(space.size(), 2) + number(0, 1) + name + type + space + value};
}

std::vector<Message> messages_of(const Item& item, const std::vector<std::uint64_t>& addresses) {
  std::vector<Message> made;
  const auto dataset = [&](const std::string& layout) {
    made.push_back({1, number(2, 1) + number(1, 1) + number(0, 1) + number(1, 1) + number(6, 8)});
    made.push_back({3, testing::byte_type()});
    made.push_back({5, number(3, 1) + number(9, 1)});
    made.push_back({8, layout});
  };
  switch (item.kind) {
    case Item::Kind::kGroup:
      made.push_back({2, number(0, 2) + number(kUndefined, 8) + number(kUndefined, 8)});
      for (const Item::Link& link : item.links) {
        const std::string name = number(link.name.size(), 1) + link.name;
        if (!link.external.empty()) {
          const std::string value =
              number(0, 1) + link.external + number(0, 1) + "/x" + number(0, 1);
          made.push_back({6, number(1, 1) + number(8, 1) + number(64, 1) + name +
                                 number(value.size(), 2) + value});
        } else if (link.soft.empty())
          made.push_back(
              {6, number(1, 1) + number(0, 1) + name +
                      number(link.target < addresses.size() ? addresses[link.target] : 4'000, 8)});
        else
          made.push_back({6, number(1, 1) + number(8, 1) + number(1, 1) + name +
                                 number(link.soft.size(), 2) + link.soft});
      }
      break;
    case Item::Kind::kDataset:
      dataset(number(3, 1) + number(1, 1) + number(item.data, 8) + number(6, 8));
      break;
    case Item::Kind::kChunked:
      dataset(number(4, 1) + number(2, 1) + number(0, 1) + number(2, 1) + number(1, 1) +
              number(2, 1) + number(1, 1) + number(2, 1) + number(item.data, 8));
      break;
    case Item::Kind::kType: made.push_back({3, testing::byte_type()}); break;
    case Item::Kind::kOther: break;
  }
  for (const std::string& each : item.marks) made.push_back(class_of(each));
  if (!item.old && item.references != 1)
    made.push_back({22, number(0, 1) + number(item.references, 4)});
  if (made.empty()) made.push_back({0, number(0, 8)});
  return made;
}

constexpr std::uint64_t kEnd = 4'096;

std::string file_of(const Items& items) {
  std::vector<std::uint64_t> addresses(items.size());
  std::string body;
  // The addresses are known when the sizes are.
  for (int pass = 0; pass < 2; ++pass) {
    body.clear();
    for (std::size_t i = 0; i < items.size(); ++i) {
      addresses[i] = testing::kSuperblockBytes + body.size();
      body += header(messages_of(items[i], addresses), items[i]);
      body.resize((body.size() + 7) / 8 * 8);
    }
  }
  std::string all = testing::superblock(0, kUndefined, kEnd, addresses[0]) + body;
  EXPECT_LE(all.size(), 3'000u);
  all.resize(kEnd);
  return all;
}

// --- Random graphs -------------------------------------------------------------------------------

class Made {
 public:
  explicit Made(std::uint64_t seed) : random_(seed) {}

  Items items() {
    Items all{{.kind = Item::Kind::kGroup, .old = once_in(4)}};
    if (once_in(3)) all[0].marks = marks();
    const std::size_t count = 3 + below(7);
    std::vector<std::size_t> groups{0};
    std::vector<std::uint32_t> links(count + 1);
    links[0] = 1;
    while (all.size() <= count) {
      const std::size_t parent = groups[below(groups.size())];
      add_link(all[parent], all.size());
      ++links[all.size()];
      all.push_back(item());
      if (all.back().kind == Item::Kind::kGroup) groups.push_back(all.size() - 1);
    }
    for (std::size_t more = below(3); more > 0; --more) {
      const std::size_t target = once_in(8) ? all.size() : below(all.size());
      add_link(all[groups[below(groups.size())]], target);
      if (target < all.size()) ++links[target];
    }
    for (const std::size_t group : groups) {
      if (once_in(3)) add_soft_link(all[group], all);
      // Not std::shuffle, whose order depends on the library.
      std::vector<Item::Link>& links_of = all[group].links;
      for (std::size_t i = 0; i + 1 < links_of.size(); ++i)
        std::swap(links_of[i], links_of[i + below(links_of.size() - i)]);
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      // One call after the other: the order inside an expression depends on the compiler.
      all[i].references = links[i] + (once_in(12) ? 1 : 0);
      all[i].references -= once_in(12) ? 1 : 0;
    }
    return all;
  }
  std::string path_of_one(const Items& all) {
    const Item& group = all[0];
    if (group.links.empty()) return "/";
    const Item::Link& first = group.links[below(group.links.size())];
    const std::string path = '/' + first.name;
    if (first.soft.empty() && first.target < all.size() && !all[first.target].links.empty() &&
        !once_in(3))
      return path + '/' + all[first.target].links[0].name;
    return path;
  }

 private:
  std::size_t below(std::size_t end) { return random_() % end; }
  bool once_in(std::size_t times) { return below(times) == 0; }

  std::vector<std::string> marks() {
    const std::string table("COLUMN_TABLE\0", 13), other = "SOMETHING";
    switch (below(4)) {
      case 0: return {table, other};
      case 1: return {other, table};
      case 2: return {other};
      default: return {table};
    }
  }
  Item item() {
    Item made{.old = once_in(4)};
    if (once_in(6)) made.slack = 1 + below(9);
    switch (below(10)) {
      case 0: made.kind = Item::Kind::kType; break;
      case 1: made.kind = once_in(3) ? Item::Kind::kOther : Item::Kind::kType; break;
      case 2:
      case 3:
      case 4:
      case 5: made.kind = Item::Kind::kGroup; break;
      case 6: made.kind = Item::Kind::kChunked; break;
      default: made.kind = Item::Kind::kDataset; break;
    }
    if (made.kind == Item::Kind::kGroup && once_in(3)) made.marks = marks();
    made.data = 3'000 + 8 * below(60);
    if (once_in(20)) made.data += 5'000;
    return made;
  }
  void add_link(Item& group, std::size_t target) {
    const std::size_t which = below(5);
    std::string name = which == 0 ? "SEARCH_INDEXES" : which == 1 ? "CATEGORIES" : "";
    if (name.empty() || std::ranges::contains(group.links, name, &Item::Link::name))
      name = std::string(1, static_cast<char>('a' + group.links.size()));
    group.links.push_back({.name = std::move(name), .target = target});
  }
  void add_soft_link(Item& group, const Items& all) {
    std::string path = once_in(2) ? "/" : "";
    path += once_in(4) ? "nothing" : path_of_one(all).substr(1);
    if (!path.empty()) group.links.push_back({.name = "soft", .soft = std::move(path)});
  }

  std::mt19937_64 random_;
};

// --- What is said --------------------------------------------------------------------------------

std::string text_of(ContainerWalk& walk) {
  std::string text;
  for (const DatasetRecord& each : walk.datasets())
    text += std::format("{} {} {} {} {} {} {} {} {}\n", walk.objects().path(each.object),
                        each.described, each.listed, each.header_version, each.elements,
                        each.chunks, each.stored_bytes, each.open, reasons_text(each.against));
  for (const TableRecord& each : walk.tables())
    text += std::format("{} | {} | {} | {} | {} | {}\n", walk.objects().path(each.object),
                        numbers_text(each.children), numbers_text(each.columns),
                        numbers_text(each.indexes), numbers_text(each.categories), each.eligible);
  text += std::format("{} {} {}\n", walk.found(), walk.all_read(), walk.not_examined());
  if (const auto& bytes = walk.unreached())
    text += std::format("{} {}\n", bytes->between, bytes->behind);
  const std::vector<Probe> probes = std::move(walk.notes()).probes();
  for (std::size_t i = 0; i < probes.size(); ++i) {
    if (probes[i].examined() == 0 && probes[i].plain()) continue;
    text += std::format("{} {} {}\n", kClauseIds[i], probes[i].examined(), probes[i].reason());
    for (const Finding& each : probes[i].findings())
      text += std::format(" {}|{}|{}|{}\n", each.object, each.where, each.observed, each.expected);
  }
  return text;
}

std::string walked(const Bytes& file, const Specification& spec, const Limits& limits,
                   WalkOptions options) {
  ContainerWalk walk(file, 0, spec, 20, limits, std::move(options));
  walk.run();
  return text_of(walk);
}

std::string all_about(const Bytes& file, const std::string& path) {
  const Specification& whole = default_revision("hdf5");
  std::string text = walked(file, whole, {}, {.decode = true});
  text += walked(file, swmr_design(), {}, {});
  text += walked(file, whole, {}, {.decode = true, .only = path});
  text += walked(file, swmr_design(), {}, {.only = path, .being_written = true});
  Limits limits;
  limits.objects = 4;
  text += walked(file, whole, limits, {.decode = true});
  limits = {};
  limits.links = 5;
  text += walked(file, whole, limits, {.decode = true});
  limits = {};
  limits.group_depth = 1;
  text += walked(file, swmr_design(), limits, {});
  for (const std::optional<std::string>& only :
       {std::optional<std::string>(), std::optional(path)}) {
    ChunkListReader lists;
    tell_chunks(file, only, {}, [&](std::string_view message) { lists.take(message); });
    for (const ChunkList& each : std::move(lists).lists().datasets)
      text += std::format("{} {} {}\n", each.path, each.whole, numbers_text(each.numbers));
    const FileMap map = testing::map_of(file, {.only = only});
    for (const FileRange& each : map.ranges)
      text += std::format("{} {} {} {}\n", each.address, each.size, map.kinds[each.kind],
                          map.objects[each.object]);
    for (const std::string& each : map.trouble) text += each + '\n';
  }
  return text;
}

TEST(ObjectTrees, ReportsEqualTheGoldenFile) {
  constexpr std::uint64_t kSets = 20, kFiles = 25;
  std::string text;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    std::string all;
    std::size_t objects = 0;
    for (std::uint64_t i = 0; i < kFiles; ++i) {
      Made made(1'000 * set + i);
      const Items items = made.items();
      const std::string image = file_of(items);
      objects += items.size();
      all += all_about(Bytes::of_image(std::as_bytes(std::span(image)), "made"),
                       made.path_of_one(items));
    }
    text += std::format("{}: {} objects, {} lines, {}\n", set, objects,
                        std::ranges::count(all, '\n'), golden::digest_of(all));
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/object_trees.txt"));
}

// Soft links over links to other files lead to what is not known; all others are judged.
TEST(ObjectTrees, WithLinksToOtherFilesEqualTheGoldenFile) {
  constexpr std::uint64_t kSets = 10, kFiles = 30;
  std::string text;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    std::string all;
    for (std::uint64_t i = 0; i < kFiles; ++i) {
      Items items = Made(80'000 + 1'000 * set + i).items();
      for (std::size_t at = 0; at < items.size(); ++at) {
        std::vector<Item::Link>& links = items[at].links;
        if (items[at].kind != Item::Kind::kGroup) continue;
        // Before, between and behind those that lead to something.
        links.insert(links.begin() + static_cast<std::ptrdiff_t>((i + at) % (links.size() + 1)),
                     {.name = "out", .external = "other.h5"});
        links.insert(links.begin() + static_cast<std::ptrdiff_t>(i % (links.size() + 1)),
                     {.name = "p", .soft = at % 2 == 0 ? "out/x" : "/out"});
        links.push_back({.name = "q", .soft = i % 3 == 0 ? "nothing" : "q"});
      }
      const std::string image = file_of(items);
      all += walked(Bytes::of_image(std::as_bytes(std::span(image)), "made"),
                    default_revision("hdf5"), {}, {.decode = true});
    }
    text += std::format("{}: {} lines, {}\n", set, std::ranges::count(all, '\n'),
                        golden::digest_of(all));
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/object_trees_external.txt"));
}

// Without one of the objects that have one link: its bytes are a gap, which packing closes.
Items without_one(Items items) {
  std::vector<std::uint32_t> links(items.size());
  for (const Item& each : items)
    for (const Item::Link& link : each.links)
      if (link.soft.empty() && link.target < items.size()) ++links[link.target];
  bool dropped = false;
  for (Item& each : items)
    std::erase_if(each.links, [&](const Item::Link& link) {
      const bool nowhere = link.soft.empty() && link.target >= items.size();
      const bool leaves = !dropped && link.soft.empty() && !nowhere && links[link.target] == 1 &&
                          items[link.target].kind != Item::Kind::kGroup;
      dropped |= leaves;
      return leaves || nowhere;
    });
  links[0] += 1;
  for (std::size_t i = 0; i < items.size(); ++i) items[i].references = links[i];
  return items;
}

// The objects of a packed file are those of the file before.
TEST(ObjectTrees, PackedEqualTheGoldenFile) {
  constexpr std::uint64_t kSets = 10, kFiles = 40;
  std::string text;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    std::string all;
    std::size_t smaller = 0;
    for (std::uint64_t i = 0; i < kFiles; ++i) {
      const std::string image = file_of(without_one(Made(50'000 + 1'000 * set + i).items()));
      const Bytes file = Bytes::of_image(std::as_bytes(std::span(image)), "made");
      const auto copy = testing::copy_of("");
      const RepairedSubject packed = pack_container(file, *copy, Limits());
      const std::string bytes = testing::bytes_of(*copy);
      for (const RepairChange& each : packed.changes)
        all += std::format("{} {} {}\n", each.act, each.from, each.to);
      for (const std::string& each : packed.notes) all += each + '\n';
      all += golden::digest_of(bytes) + '\n';
      if (packed.changes.empty()) continue;
      ++smaller;
      EXPECT_LT(bytes.size(), image.size());
      const auto objects = [](const Bytes& of) {
        std::string found;
        const Limits limits;
        ContainerWalk walk(of, 0, default_revision("hdf5"), 1, limits, {.decode = true});
        walk.run();
        for (std::uint32_t object = 0; object < walk.objects().size(); ++object)
          found += walk.objects().path(object) + '\n';
        return found;
      };
      EXPECT_EQ(objects(Bytes::of_image(std::as_bytes(std::span(bytes)), "packed")), objects(file));
    }
    text += std::format("{}: {} smaller, {}\n", set, smaller, golden::digest_of(all));
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/object_trees_packed.txt"));
}

}  // namespace
}  // namespace hepcheck::hdf5::object_trees
