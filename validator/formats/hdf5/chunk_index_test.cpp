// Indexes of each kind over the same six chunks, with one entry changed at a time: the chunks that
// are listed, what is counted, and all findings. They equal the golden file, which has a block for
// each kind of index: the unchanged one, and a line for each kind of change with a result for each
// entry that is changed.
#include "validator/formats/hdf5/chunk_index.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <format>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/array_elements.h"
#include "validator/formats/hdf5/testing/chunk_walk.h"
#include "validator/formats/hdf5/testing/zeros.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hdf5::chunk_indexes {
namespace {

using testing::summed;
using testing::Zeros;

constexpr std::uint64_t kIndex = 256, kBlock = 1024, kSecondBlock = 1600, kThirdBlock = 2000,
                        kData = 4096;
constexpr std::uint64_t kRows = 2, kColumns = 3, kElement = 4;

struct Entry {
  std::array<std::uint64_t, 2> scaled{};
  std::uint64_t address = 0, size = kRows * kColumns * kElement;
  std::uint32_t mask = 0;
};
using Entries = std::vector<Entry>;

// Of a dataset of four rows and six columns, which can have eight rows: the last two are beyond its
// size. They are stored in another order than they have.
Entries six_chunks(bool filtered) {
  constexpr std::array<std::uint64_t, 6> kPlaces{3, 0, 1, 5, 2, 4};
  Entries made;
  for (std::uint64_t i = 0; i < kPlaces.size(); ++i)
    made.push_back({.scaled = {i / 2, i % 2},
                    .address = kData + 64 * kPlaces[i],
                    .size = filtered ? 20 + i : kRows * kColumns * kElement,
                    .mask = filtered && i == 2 ? 1U : 0U});
  return made;
}

Dataset dataset_of(IndexType kind, bool filtered) {
  Dataset made;
  made.space.rank = 2;
  made.space.sizes = {4, 6};
  made.space.maxima = {8, 6};
  made.type.size = kElement;
  if (filtered) made.filters.list = {{.id = filter_id::kDeflate, .values = {6}}};
  made.layout.version = kind == IndexType::kTree1 ? 3 : 4;
  made.layout.class_byte = static_cast<std::uint8_t>(LayoutClass::kChunked);
  made.layout.index_byte = static_cast<std::uint8_t>(kind);
  made.layout.address = kIndex;
  made.layout.dimensionality = 3;
  made.layout.chunk = {kRows, kColumns, kElement};
  made.layout.node_size = 512;
  made.layout.split = 100;
  made.layout.merge = 40;
  made.layout.max_bits = 32;
  made.layout.index_elements = made.layout.min_elements = made.layout.min_pointers = 2;
  made.layout.page_bits = 10;
  made.layout_at = {"OHDR", 100, 20};
  return made;
}

// A file with an index, and what a walk through it gives.
class IndexFile {
 public:
  IndexFile(IndexType kind, bool filtered, unsigned width, bool paged, const Entries& entries)
      : width_(width), dataset_(dataset_of(kind, filtered)) {
    zeros_.file.offset_size = zeros_.file.length_size = width;
    zeros_.file.base = 512;
    zeros_.file.end = 8192 - 512;
    zeros_.notes.keep_places(100);
    if (paged) dataset_.layout.page_bits = 1;
    switch (kind) {
      case IndexType::kTree1: tree1(entries); break;
      case IndexType::kTree2: tree2(entries); break;
      case IndexType::kFixedArray: fixed_array(entries); break;
      case IndexType::kExtensibleArray: extensible_array(entries); break;
      default: break;
    }
  }

  std::string result() { return testing::walked(zeros_, dataset_); }

 private:
  bool filtered() const { return dataset_.filtered(); }
  void write(std::uint64_t at, const std::string& bytes) { zeros_.write(512 + at, bytes); }
  std::string address(std::uint64_t value) const { return number(value, width_); }

  // As arrays and version 2 trees store it.
  std::string stored(const Entry& entry) const {
    const unsigned size = stored_size_width(dataset_, zeros_.file);
    return address(entry.address) +
           (filtered() ? number(entry.size, size) + number(entry.mask, 4) : "");
  }
  std::string empty() const {
    Entry none{.address = kUndefined, .size = 0};
    return stored(none);
  }
  // The elements of an array, in their order.
  std::vector<std::string> elements(const Entries& entries) const {
    std::vector<std::string> made(8, empty());
    for (std::size_t i = 0; i < entries.size(); ++i) made[i] = stored(entries[i]);
    return made;
  }
  static std::string joined(const std::vector<std::string>& all, std::size_t begin,
                            std::size_t end) {
    std::string made;
    for (std::size_t i = begin; i < end; ++i) made += all[i];
    return made;
  }

  // Two leaves below a root.
  void tree1(const Entries& entries) {
    const auto key = [](const Entry& entry) {
      return number(entry.size, 4) + number(entry.mask, 4) + number(entry.scaled[0] * kRows, 8) +
             number(entry.scaled[1] * kColumns, 8) + number(0, 8);
    };
    const Entry bound{.scaled = {9, 0}};
    zeros_.file.chunk_k = 2;
    const auto node = [&](unsigned level, std::uint64_t left, std::uint64_t right,
                          const std::vector<std::pair<Entry, std::uint64_t>>& children,
                          const Entry& last) {
      std::string made = "TREE" + number(1, 1) + number(level, 1) + number(children.size(), 2) +
                         address(left) + address(right);
      for (const auto& [entry, child] : children) made += key(entry) + address(child);
      return made + key(last);
    };
    const auto leaf = [&](std::size_t begin, std::size_t end) {
      std::vector<std::pair<Entry, std::uint64_t>> made;
      for (std::size_t i = begin; i < end; ++i) made.emplace_back(entries[i], entries[i].address);
      return made;
    };
    write(kIndex, node(1, kUndefined, kUndefined, {{entries[0], kBlock}, {entries[3], kThirdBlock}},
                       bound));
    write(kBlock, node(0, kUndefined, kThirdBlock, leaf(0, 3), entries[3]));
    write(kThirdBlock, node(0, kBlock, kUndefined, leaf(3, 6), bound));
  }

  // Two leaves below a root that has the third record.
  void tree2(const Entries& entries) {
    std::vector<std::string> records;
    for (const Entry& each : entries)
      records.push_back(stored(each) + number(each.scaled[0], 8) + number(each.scaled[1], 8));
    const unsigned type = filtered() ? 11 : 10;
    write(kIndex, summed("BTHD" + number(0, 1) + number(type, 1) + number(512, 4) +
                         number(records[0].size(), 2) + number(1, 2) + number(100, 1) +
                         number(40, 1) + address(kBlock) + number(1, 2) + number(6, width_)));
    const std::string head = number(0, 1) + number(type, 1);
    write(kBlock, summed("BTIN" + head + records[2] + address(kSecondBlock) + number(2, 1) +
                         address(kSecondBlock + 512) + number(3, 1)));
    write(kSecondBlock, summed("BTLF" + head + joined(records, 0, 2)));
    write(kSecondBlock + 512, summed("BTLF" + head + joined(records, 3, 6)));
  }

  // With pages, the third of four is not in use, and its elements are not read.
  void fixed_array(const Entries& entries) {
    const auto all = elements(entries);
    const unsigned client = filtered() ? 1 : 0;
    const bool paged = dataset_.layout.page_bits == 1;
    write(kIndex, summed("FAHD" + number(0, 1) + number(client, 1) + number(all[0].size(), 1) +
                         number(dataset_.layout.page_bits, 1) + number(all.size(), width_) +
                         address(kBlock)));
    const std::string head = "FADB" + number(0, 1) + number(client, 1) + address(kIndex);
    if (!paged) return write(kBlock, summed(head + joined(all, 0, all.size())));
    std::string block = summed(head + number(0xd0, 1));
    for (std::size_t page = 0; page < 4; ++page) {
      const std::string bytes = summed(joined(all, 2 * page, 2 * page + 2));
      block += page == 2 ? std::string(bytes.size(), '\x55') : bytes;
    }
    write(kBlock, block);
  }

  // Two elements in the index block, two in the first data block, and four in the second.
  void extensible_array(const Entries& entries) {
    const auto all = elements(entries);
    const unsigned client = filtered() ? 1 : 0;
    const std::uint64_t size = all[0].size(), fixed = 6 + width_ + 4 + 4;
    const std::string statistics = number(0, width_) + number(0, width_) + number(2, width_) +
                                   number(2 * fixed + 6 * size, width_) + number(6, width_) +
                                   number(8, width_);
    write(kIndex, summed("EAHD" + number(0, 1) + number(client, 1) + number(size, 1) +
                         number(32, 1) + number(2, 1) + number(2, 1) + number(2, 1) +
                         number(10, 1) + statistics + address(kBlock)));
    const std::string head = number(0, 1) + number(client, 1) + address(kIndex);
    std::string block =
        "EAIB" + head + joined(all, 0, 2) + address(kSecondBlock) + address(kThirdBlock);
    for (int i = 0; i < 30; ++i) block += address(kUndefined);
    write(kBlock, summed(block));
    write(kSecondBlock, summed("EADB" + head + number(0, 4) + joined(all, 2, 4)));
    write(kThirdBlock, summed("EADB" + head + number(2, 4) + joined(all, 4, 8)));
  }

  unsigned width_;
  Zeros zeros_{8192};
  Dataset dataset_;
};

struct Change {
  std::string_view name;
  void (*apply)(Entries&, std::size_t);
};
constexpr Change kChanges[] = {
    {"no address", [](Entries& all, std::size_t i) { all[i].address = kUndefined; }},
    {"beyond the file", [](Entries& all, std::size_t i) { all[i].address = 7670; }},
    {"at the next one",
     [](Entries& all, std::size_t i) { all[i].address = all[(i + 1) % all.size()].address; }},
    {"no bytes", [](Entries& all, std::size_t i) { all[i].size = 0; }},
    {"one byte more", [](Entries& all, std::size_t i) { ++all[i].size; }},
    {"a mask", [](Entries& all, std::size_t i) { all[i].mask = 2; }},
    {"neither", [](Entries& all, std::size_t i) { all[i].size = all[i].mask = 0; }},
    {"in the last row", [](Entries& all, std::size_t i) { all[i].scaled[0] = 3; }},
    {"below the last row", [](Entries& all, std::size_t i) { all[i].scaled[0] = 4; }},
    {"right of the last column", [](Entries& all, std::size_t i) { all[i].scaled[1] = 2; }},
    {"where the first is", [](Entries& all, std::size_t i) { all[i].scaled = {0, 0}; }},
    {"exchanged",
     [](Entries& all, std::size_t i) { std::swap(all[i], all[(i + 1) % all.size()]); }},
};

TEST(ChunkIndexes, WithOneEntryChangedEqualTheGoldenFile) {
  std::string text;
  for (const IndexType kind :
       {IndexType::kTree1, IndexType::kTree2, IndexType::kFixedArray, IndexType::kExtensibleArray})
    for (const bool filtered : {false, true})
      for (const unsigned width : {4U, 8U})
        for (const bool paged : {false, true}) {
          if (paged && kind != IndexType::kFixedArray) continue;
          const auto result = [&](const Entries& entries) {
            return IndexFile(kind, filtered, width, paged, entries).result();
          };
          text += std::format("[{}{}{}, addresses of {} bytes]\n{}\n", to_string(kind),
                              filtered ? ", filtered" : "", paged ? ", paged" : "", width,
                              result(six_chunks(filtered)));
          for (const Change& change : kChanges) {
            text += std::format(" {}:", change.name);
            for (std::size_t i = 0; i < 6; ++i) {
              Entries entries = six_chunks(filtered);
              change.apply(entries, i);
              text += ' ' + golden::digest_of(result(entries));
            }
            text += '\n';
          }
        }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/chunk_indexes.txt"));
}

}  // namespace
}  // namespace hepcheck::hdf5::chunk_indexes
