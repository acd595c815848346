// Groups that are tables of another format or not, by attributes in any order, with datasets that
// are eligible for SWMR or not for one or more reasons, beside groups of indexes and of categories.
// Which tables there are, with which columns, and what is said of them follows from what was made.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <format>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "validator/catalogue/clause.h"
#include "validator/formats/hdf5/testing/bytes.h"
#include "validator/formats/hdf5/walk.h"
#include "validator/testing/random.h"

namespace hepcheck::hdf5::eligible_tables {
namespace {

using Reasons = std::set<std::string>;

struct Expected {
  std::vector<std::string> columns{}, indexes{}, categories{};
  std::size_t eligible = 0;
  Reasons reasons{};

  bool operator==(const Expected&) const = default;
};

std::string space_of(std::uint64_t size, std::uint64_t most) {
  return testing::message(1, number(2, 1) + number(1, 1) + number(1, 1) + number(1, 1) +
                                 number(size, 8) + number(most, 8));
}
std::string type_head(unsigned type_class, std::uint64_t bits, std::uint64_t size) {
  return number(3U << 4 | type_class, 1) + number(bits, 3) + number(size, 4);
}
std::string dataset_of(const std::string& type, std::uint64_t most, const std::string& layout) {
  return testing::header(space_of(4, most) + testing::message(3, type) +
                         testing::message(5, number(3, 1) + number(10, 1)) +
                         testing::message(8, layout));
}
std::string contiguous(std::uint64_t size) {
  return number(3, 1) + number(1, 1) + number(kUndefined, 8) + number(size, 8);
}
std::string chunked(unsigned index, const std::string& parameters) {
  return number(4, 1) + number(2, 1) + number(0, 1) + number(2, 1) + number(1, 1) + number(2, 1) +
         number(1, 1) + number(index, 1) + parameters + number(kUndefined, 8);
}

struct Kind {
  std::string header;
  Reasons reasons;
};

const std::vector<Kind>& kinds() {
  static const std::string kChunked = "swmr-eligible-chunked", kTree = "swmr-eligible-no-btree1",
                           kIndex = "swmr-eligible-index-kind", kFixed = "swmr-eligible-extendable",
                           kVlen = "swmr-eligible-no-vlen",
                           kRegion = "swmr-eligible-no-region-reference",
                           kHeap = "swmr-eligible-no-heap-reference";
  static const std::string bytes = testing::byte_type();
  static const std::vector<Kind> all{
      {dataset_of(bytes, 8, chunked(3, number(10, 1))), {}},
      {dataset_of(bytes, 4, contiguous(4)), {kChunked}},
      {dataset_of(bytes, 8,
                  number(3, 1) + number(2, 1) + number(2, 1) + number(kUndefined, 8) +
                      number(2, 4) + number(1, 4)),
       {kTree}},
      {dataset_of(bytes, 4, chunked(3, number(10, 1))), {kFixed}},
      {dataset_of(type_head(9, 0, 16) + bytes, 4, contiguous(64)), {kChunked, kVlen}},
      {dataset_of(type_head(9, 0, 16) + bytes, 4,
                  number(3, 1) + number(2, 1) + number(2, 1) + number(kUndefined, 8) +
                      number(2, 4) + number(16, 4)),
       {kTree, kFixed, kVlen}},
      {dataset_of(type_head(7, 1, 12), 4, contiguous(48)), {kChunked, kRegion}},
      {dataset_of(number(4 << 4 | 7, 1) + number(4 | 1 << 4, 3) + number(18, 4), 4, contiguous(72)),
       {kChunked, kHeap}},
      {dataset_of(bytes, 4,
                  number(4, 1) + number(2, 1) + number(0, 1) + number(2, 1) + number(1, 1) +
                      number(4, 1) + number(1, 1) + number(1, 1) + number(kUndefined, 8)),
       {kIndex}}};
  return all;
}

std::string attribute(const std::string& name, const std::string& value) {
  const std::string type = type_head(3, 1, value.size()), space = number(2, 1) + number(0, 3);
  return testing::message(12, number(3, 1) + number(0, 1) + number(name.size() + 1, 2) +
                                  number(type.size(), 2) + number(space.size(), 2) + number(0, 1) +
                                  name + '\0' + type + space + value);
}

class Made {
 public:
  explicit Made(std::uint64_t seed) : random_(seed) {}

  std::string file() {
    std::string links;
    for (std::uint64_t n = 1 + random_.below(4); n > 0; --n)
      links += link("g" + std::to_string(n), table("/g" + std::to_string(n), 2));
    const std::string root = testing::header(testing::link_info() + links);
    const std::uint64_t at = put(root);
    image_.replace(0, testing::kSuperblockBytes,
                   testing::superblock(0, kUndefined, image_.size(), at));
    return image_;
  }
  const std::map<std::string, Expected>& tables() const { return tables_; }

 private:
  std::uint64_t put(const std::string& bytes) {
    image_ += bytes;
    return image_.size() - bytes.size();
  }
  static std::string link(const std::string& name, std::uint64_t address) {
    return testing::link_to(name, address);
  }
  const Kind& dataset(std::string& links, const std::string& name) {
    const Kind& kind = kinds()[random_.once_in(2) ? 0 : random_.below(kinds().size())];
    links += link(name, put(kind.header));
    return kind;
  }
  // The attributes of a group, and whether they make it a table.
  std::pair<std::string, bool> attributes() {
    const std::string yes = attribute("CLASS", "COLUMN_TABLE"), no = attribute("CLASS", "OTHER"),
                      other = attribute("KIND", "COLUMN_TABLE");
    switch (random_.below(8)) {
      case 0: return {no, false};
      case 1: return {other, false};
      case 2: return {yes + no, false};
      case 3: return {no + yes, true};
      case 4: return {yes + other, true};
      default: return {yes, true};
    }
  }
  std::uint64_t table(const std::string& path, unsigned levels) {
    const auto [attributes, is_table] = this->attributes();
    Expected made;
    std::string links;
    for (std::uint64_t i = 0, count = random_.below(5); i < count; ++i) {
      const std::string name = "c" + std::to_string(i);
      const Kind& kind = dataset(links, name);
      made.columns.push_back(path + '/' + name);
      made.eligible += kind.reasons.empty();
      made.reasons.insert(kind.reasons.begin(), kind.reasons.end());
    }
    for (const char* name : {"SEARCH_INDEXES", "CATEGORIES", "OTHERS"}) {
      if (random_.once_in(2)) continue;
      std::string of_group;
      std::vector<std::string> paths;
      for (std::uint64_t i = 0, count = random_.below(3); i < count; ++i) {
        paths.push_back(std::format("{}/{}/x{}", path, name, i));
        dataset(of_group, "x" + std::to_string(i));
      }
      if (levels > 0 && random_.once_in(3))
        of_group += link("t", table(std::format("{}/{}/t", path, name), levels - 1));
      links += link(name, put(testing::header(testing::link_info() + of_group)));
      if (name == std::string("SEARCH_INDEXES")) made.indexes = paths;
      if (name == std::string("CATEGORIES")) made.categories = paths;
    }
    if (is_table) tables_.emplace(path, std::move(made));
    return put(testing::header(testing::link_info() + attributes + links));
  }

  Random random_;
  std::string image_ = std::string(testing::kSuperblockBytes, '\0');
  std::map<std::string, Expected> tables_{};
};

// Three of them at most.
std::string text_of(const Reasons& reasons) {
  constexpr std::size_t kMost = 3;
  std::string text;
  std::size_t shown = 0;
  for (const std::string& each : reasons)
    if (shown++ < kMost) text += (text.empty() ? "" : ", ") + each;
  if (reasons.size() > kMost) text += std::format(" and {} more", reasons.size() - kMost);
  return text;
}

TEST(EligibleTables, AreWhatWasMade) {
  constexpr std::uint64_t kFiles = 300;
  std::size_t tables = 0, many = 0;
  for (std::uint64_t seed = 0; seed < kFiles; ++seed) {
    Made made(seed);
    const std::string image = made.file();
    const Bytes bytes = Bytes::of_image(std::as_bytes(std::span(image)), "image");
    const Limits limits;
    ContainerWalk walk(bytes, 0, *find_specification("hdf5-swmr-2013-10-10"), 1'000, limits, {});
    walk.run();
    for (const std::string& each : walk.notes().broken())
      EXPECT_TRUE(each.starts_with("swmr-eligible-") || each == "swmr-attribute-names-unique")
          << seed << each;
    const auto paths = [&](const std::vector<std::size_t>& datasets) {
      std::vector<std::string> all;
      for (const std::size_t each : datasets)
        all.push_back(walk.objects().path(walk.datasets()[each].object));
      return all;
    };
    std::map<std::string, Expected> found;
    for (const TableRecord& each : walk.tables())
      found.emplace(walk.objects().path(each.object), Expected{.columns = paths(each.columns),
                                                               .indexes = paths(each.indexes),
                                                               .categories = paths(each.categories),
                                                               .eligible = each.eligible});
    std::multiset<std::string> wanted_said, said;
    for (const auto& [path, table] : made.tables()) {
      ++tables;
      many += table.reasons.size() > 3;
      Expected without_reasons = table;
      without_reasons.reasons.clear();
      EXPECT_TRUE(found[path] == without_reasons) << seed << path;
      if (table.eligible < table.columns.size())
        wanted_said.insert(
            std::format("{}: {} of {} columns are SWMR-eligible; the others are not, because of {}",
                        path, table.eligible, table.columns.size(), text_of(table.reasons)));
    }
    EXPECT_EQ(found.size(), made.tables().size()) << seed;
    for (const Finding& each :
         walk.notes().probe_of(ClauseId("swmr-eligible-table-columns")).findings())
      said.insert(std::format("{}: {}", each.object, each.observed));
    EXPECT_EQ(said, wanted_said) << seed;
    if (HasFailure()) return;
  }
  EXPECT_GT(tables, kFiles);
  EXPECT_GT(many, 20u);
}

}  // namespace
}  // namespace hepcheck::hdf5::eligible_tables
