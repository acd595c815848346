// Random links and attributes in a heap, with their indexes by name and by the order of creation,
// and random tables of shared messages with their uses: with a mistake in some. What is read of
// them and all findings equal the golden file: a line for each set with a digest, and the number of
// findings of each clause.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <format>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/btree2.h"
#include "validator/formats/hdf5/dense.h"
#include "validator/formats/hdf5/link.h"
#include "validator/formats/hdf5/object_header.h"
#include "validator/formats/hdf5/shared_table.h"
#include "validator/formats/hdf5/testing/said.h"
#include "validator/formats/hdf5/testing/small_heap.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hdf5::random_dense {
namespace {

using testing::hash_of;
using testing::Mistakes;
using testing::SmallHeap;
using testing::Zeros;

constexpr std::uint64_t kFile = 32'768;

std::string text_of(const Region& bytes) {
  return {reinterpret_cast<const char*>(bytes.bytes.data()), bytes.bytes.size()};
}
// What is said of the whole file.
void add_notes(const Zeros& zeros, testing::Said& said) {
  said.add(zeros.notes);
  for (const Notes::NotExamined& each : zeros.notes.not_examined()) said.all += each.reason + '\n';
}
template <class T>
void exchange_two(std::vector<T>& all, Random& random, Mistakes& mistakes) {
  if (all.size() < 2 || !mistakes.made()) return;
  const std::size_t first = random.below(all.size());
  std::swap(all[first], all[random.below(all.size())]);
}

// --- Links and attributes ------------------------------------------------------------------------

struct Named {
  std::string name{}, id{};
  std::uint64_t order = 0;
  std::uint8_t flags = 0;

  std::tuple<std::uint32_t, std::string> place() const { return {hash_of(name), name}; }
};

// Each object of the heap is the order of creation, and the name.
void read_some(std::uint64_t seed, testing::Said& said) {
  constexpr std::uint64_t kHeap = 1'024, kNames = 4'096, kOrders = 5'120;
  constexpr const char* kSome[] = {"n36468", "n85629", "n23426",    "n159205", "n104308", "n159644",
                                   "a",      "b",      "c\xC3\xA4", "d.e",     "",        "./x"};
  Random random(seed);
  Mistakes mistakes(random, 40);
  Zeros zeros(kFile);
  zeros.notes.keep_places(100);
  zeros.file.whole_format = !random.once_in(6);
  const bool links = random.once_in(2), tracked = !random.once_in(4);
  const bool descending = random.once_in(4), indexed = tracked && !random.once_in(3);
  const unsigned id_length = links ? 7 : 8;
  SmallHeap heap(kHeap, id_length);
  std::vector<Named> all;
  std::uint64_t next = random.once_in(8) && !links ? 65'530 : 0, greatest = 0;
  for (const char* name : kSome) {
    if (!random.once_in(2) || (name[0] == '\0' && !mistakes.made())) continue;
    Named made{.name = name, .order = descending ? 65'540 - next : next};
    greatest = std::max(greatest, made.order);
    next += 1 + random.below(2);
    constexpr std::uint8_t kFlags[] = {0, 0, 0, 1, 4, 0x40, 2};
    if (!links) made.flags = random.one_of(kFlags);
    if (mistakes.made()) made.flags = random.once_in(2) ? 6 : 8;
    // A shared attribute is in another heap.
    made.id = (made.flags & 2) != 0 ? std::string(id_length, '\2')
                                    : heap.add(number(made.order, 8) + made.name);
    if (mistakes.made()) made.id[random.below(made.id.size())] ^= 1;
    all.push_back(std::move(made));
  }
  heap.write(zeros);
  std::ranges::sort(all, {}, &Named::place);
  exchange_two(all, random, mistakes);
  std::vector<std::string> names, orders;
  for (const Named& each : all) {
    const std::string hash = number(mistakes.perhaps(hash_of(each.name)), 4);
    names.push_back(links ? hash + each.id
                          : each.id + number(each.flags, 1) + number(each.order, 4) + hash);
  }
  const unsigned record = static_cast<unsigned>(names.empty() ? id_length : names[0].size());
  write_index(zeros, kNames, links ? 5 : 8, names.empty() ? (links ? 11 : 17) : record, names,
              mistakes);
  std::ranges::stable_sort(all, {}, &Named::order);
  exchange_two(all, random, mistakes);
  if (!all.empty() && mistakes.made())
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(random.below(all.size())));
  if (!all.empty() && mistakes.made()) all.push_back(all[random.below(all.size())]);
  for (Named& each : all) {
    each.order = mistakes.perhaps(each.order);
    if (mistakes.made()) each.flags ^= 1;
    if (mistakes.made()) each.id[1 + random.below(4)] ^= 1;
    orders.push_back(links ? number(each.order, 8) + each.id
                           : each.id + number(each.flags, 1) + number(each.order, 4));
  }
  write_index(zeros, kOrders, links ? 6 : 9, links ? 15 : 13, orders, mistakes);
  const Dense where{.heap = kHeap,
                    .names = kNames,
                    .order_index = indexed ? kOrders : kUndefined,
                    .maximum = random.once_in(6) ? 65'535 : mistakes.perhaps(greatest),
                    .tracked = tracked,
                    .indexed = indexed,
                    .at = {"OHDR", 100, 20}};
  const bool states_order = tracked && !random.once_in(12);
  const DenseTake take = [&](const Region& message) -> std::optional<DenseMessage> {
    const std::string bytes = text_of(message);
    said.all += bytes.substr(std::min<std::size_t>(8, bytes.size())) + ' ';
    if (bytes.size() < 8) return std::nullopt;
    Cursor read(message);
    const std::uint64_t order = read.u64("order");
    return DenseMessage{.name = bytes.substr(8),
                        .utf8 = bytes.find('\xC3') != std::string::npos,
                        .name_at = {"FHDB", 2'048, 15},
                        .order = states_order ? std::optional(order) : std::nullopt};
  };
  const DenseShared shared = [&](const Region& id, const std::function<bool(const Region&)>& use) {
    for (const Named& each : all)
      if (each.id == text_of(id)) {
        const std::string message = number(each.order, 8) + each.name;
        return use({std::as_bytes(std::span(message)), id.place});
      }
    return false;
  };
  const bool without = random.once_in(8);
  said.all += std::format(
      "{}\n", read_dense(where, links ? Tree2Type::kLinkNames : Tree2Type::kAttributeNames,
                         zeros.file, take, without ? DenseShared() : shared));
  add_notes(zeros, said);
}

// --- Shared messages -----------------------------------------------------------------------------

constexpr std::uint8_t kAttribute = 12;

struct Stored {
  std::uint8_t type = 0;
  std::string bytes{}, id{};  // in the heap, or none
  std::uint64_t header = kUndefined;
  std::uint64_t uses = 0, copies = 0;
  bool plain = true;
  std::optional<std::size_t> part{};  // another message that this one uses
};

class Table {
 public:
  Table(std::uint64_t seed, testing::Said& said) : random_(seed), said_(said) {
    zeros_.notes.keep_places(100);
    constexpr std::uint8_t kTypes[] = {1, 3, 5, 11, kAttribute};
    // Of up to eight indexes, the first three may have messages.
    std::vector<std::vector<std::uint8_t>> of_index(random_.once_in(6) ? 8 : 1 + random_.below(3));
    for (const std::uint8_t each : kTypes)
      if (!random_.once_in(9))
        of_index[random_.below(std::min<std::size_t>(3, of_index.size()))].push_back(each);
    std::string table = mistakes_.letters("SMTB");
    for (std::size_t i = 0; i < of_index.size(); ++i) table += index(i, of_index[i]);
    zeros_.write(kTable, mistakes_.block(table));
    const std::uint64_t kind = random_.below(20);
    message_ = number(mistakes_.perhaps(0), 1);
    message_ += number(mistakes_.made() ? kUndefined : kTable, 8);
    message_ += number(mistakes_.made() ? 9 * random_.below(2) : of_index.size(), 1);
    if (mistakes_.made()) message_.pop_back();
    if (kind == 0) shared_.unknown();
    if (kind > 1) shared_.read({std::as_bytes(std::span(message_)), {"OHDR", 0, 0}});
    use_all();
  }

 private:
  static constexpr std::uint64_t kTable = 256, kHeaders = 512, kRoom = 8'192;

  std::uint64_t place_of(std::size_t index) const { return kRoom * (1 + index); }

  // Its header in the table; writes its records and its heap.
  std::string index(std::size_t number_of_it, const std::vector<std::uint8_t>& types) {
    const std::uint64_t at = place_of(number_of_it), heap_at = at + 4'096;
    SmallHeap heap(heap_at, 8);
    unsigned mask = 0;
    for (const std::uint8_t each : types) mask |= 1U << each;
    std::vector<std::pair<std::uint32_t, std::string>> records;
    const std::size_t count = types.empty() ? 0 : random_.below(6);
    for (std::size_t i = 0; i < count; ++i) {
      Stored made{.type = types[random_.below(types.size())]};
      made.bytes = std::string(4 + random_.below(9), static_cast<char>('a' + messages_.size()));
      if (random_.once_in(3)) made.bytes.resize(made.bytes.size() + random_.below(9));
      if (mistakes_.made()) made.bytes.clear();
      const std::uint32_t hash = hash_of(made.bytes, made.type);
      const std::string stated = number(mistakes_.perhaps(hash), 4);
      if (random_.once_in(4)) {
        const std::string padding(random_.once_in(3) ? random_.below(9) : 0, '\0');
        made.header = header_of(made, padding);
        std::string record = number(1, 1) + stated + number(0, 1);
        record += number(mistakes_.perhaps(made.type), 1) + number(0, 2);
        record += number(mistakes_.made() ? kFile : made.header, 8);
        records.emplace_back(hash, record);
      } else {
        made.id = heap.add(made.bytes);
        made.plain = !mistakes_.made();
        made.uses = random_.below(4);
        if (random_.once_in(4)) made.copies = 1 + random_.below(2);
        std::uint64_t stated_uses = made.uses + random_.below(made.copies + 1);
        // The part of an attribute counts once for all of its uses.
        if (made.type == kAttribute && made.uses > 0 && !parts_.empty()) {
          made.part = parts_.back();
          parts_.pop_back();
        } else if (made.type != kAttribute && random_.once_in(2)) {
          parts_.push_back(messages_.size());
          ++stated_uses;
        }
        std::string id = made.id;
        if (mistakes_.made()) id[random_.below(5)] ^= 1;
        std::string record = number(mistakes_.made() ? 2 : 0, 1) + stated;
        record += number(mistakes_.perhaps(stated_uses), 4) + id;
        records.emplace_back(hash, record);
      }
      messages_.push_back(std::move(made));
      if (mistakes_.made()) records.push_back(records.back());
    }
    if (!types.empty()) heap.write(zeros_);
    const bool tree = random_.once_in(2);
    if (tree) std::ranges::stable_sort(records, {}, [](const auto& each) { return each.first; });
    exchange_two(records, random_, mistakes_);
    std::vector<std::string> bytes;
    for (const auto& [hash, record] : records) bytes.push_back(record);
    const bool none = bytes.empty();
    const std::uint64_t most = random_.once_in(2) ? bytes.size() : bytes.size() + random_.below(4);
    if (tree && !none) {
      write_index(zeros_, at, 7, 17, bytes, mistakes_);
    } else if (!none) {
      std::string list = mistakes_.letters("SMLI");
      for (const std::string& each : bytes) list += each;
      zeros_.write(at, mistakes_.block(list));
    }
    std::string made = number(mistakes_.perhaps(0), 1);
    made += number(mistakes_.made() ? 2 : tree ? 1 : 0, 1);
    if (mistakes_.made()) mask |= random_.once_in(2) ? 4 : 8;
    made += number(mask, 2);
    made += number(random_.below(8), 4);
    // A tree has as many messages as its cutoff, or more.
    const std::uint64_t list_most = tree ? random_.below(bytes.size() + 1) : most;
    const std::uint64_t tree_least = tree ? std::min(bytes.size(), list_most + 1) : list_most + 1;
    made += number(mistakes_.perhaps(list_most), 2);
    made += number(mistakes_.perhaps(tree_least), 2);
    made += number(mistakes_.perhaps(bytes.size()), 2);
    made += number(mistakes_.made() || none ? kUndefined : at, 8);
    made += number(mistakes_.made() || none ? kUndefined : heap_at, 8);
    return made;
  }

  // An object that has the message, with zeros behind it.
  std::uint64_t header_of(const Stored& message, const std::string& padding) {
    const std::uint64_t at = kHeaders + 256 * headers_++;
    std::string data = message.bytes + padding;
    if (mistakes_.made()) data += 'x';
    if (random_.once_in(2)) {
      std::string all = testing::message(0, std::string(random_.below(3), '\0'));
      all += testing::message(message.type, data);
      if (random_.once_in(4)) all += testing::message(message.type, "another");
      zeros_.write(at, testing::header(all));
      return at;
    }
    data.resize((data.size() + 7) / 8 * 8);
    zeros_.write(at, number(1, 1) + number(0, 1) + number(1, 2) + number(1, 4) +
                         number(8 + data.size(), 4) + number(0, 4) + number(message.type, 2) +
                         number(data.size(), 2) + number(0, 4) + data);
    return at;
  }

  bool plain(const Region& bytes) {
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      const Stored& each = messages_[i];
      if (each.bytes != text_of(bytes) || each.id.empty()) continue;
      return each.plain && (!each.part || use(*each.part));
    }
    return true;
  }
  bool use(std::size_t i) {
    const Stored& message = messages_[i];
    // Objects may use what no index knows.
    std::string id = message.id.empty() ? std::string(8, '\1') : message.id;
    const std::uint8_t type = message.id.empty() ? std::uint8_t{5} : message.type;
    const bool good = shared_.use(
        {std::as_bytes(std::span(id)), {"OHDR", 600 + 16 * i, 4}}, static_cast<MessageType>(type),
        [&](const Region& bytes, MessageType) { return plain(bytes); },
        [&](const Region& bytes) {
          said_.all += text_of(bytes) + ' ';
          return !message.part || use(*message.part);
        });
    said_.all += std::format("{} {}\n", i, good);
    return good;
  }

  void use_all() {
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      const Stored& each = messages_[i];
      if (each.id.empty() && !mistakes_.made()) continue;
      // Other objects use parts as well.
      for (std::uint64_t n = 0; n < each.uses; ++n) use(i);
      for (std::uint64_t n = 0; n < each.copies; ++n)
        shared_.own_copy({.type = static_cast<MessageType>(each.type),
                          .flags = static_cast<std::uint8_t>(random_.once_in(4) ? 0 : 0x40),
                          .data = {std::as_bytes(std::span(each.bytes)), {"OHDR", 700, 0}}});
    }
    if (random_.once_in(6)) zeros_.notes.keep_places(50);
    shared_.judge_missed();
    shared_.judge_counts();
    said_.all += std::format("{}\n", shared_.known());
    add_notes(zeros_, said_);
    for (const Extent& each : zeros_.file.extents.sorted())
      said_.all += std::format("{}+{} ", each.address, each.size);
  }

  Random random_;
  testing::Said& said_;
  Mistakes mistakes_{random_, 60};
  Zeros zeros_{kFile};
  SharedTable shared_{zeros_.file};
  std::string message_{};
  std::vector<Stored> messages_{};
  std::vector<std::size_t> parts_{};  // those that an attribute may use
  std::uint64_t headers_ = 0;
};

TEST(RandomDense, ReadingsEqualTheGoldenFile) {
  constexpr std::uint64_t kSets = 20, kTimes = 150;
  std::string text;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    testing::Said dense, tables;
    for (std::uint64_t i = 0; i < kTimes; ++i) {
      read_some(1'000 * set + i, dense);
      Table(1'000 * set + i, tables);
    }
    text += dense.text(set, "links and attributes, ");
    text += tables.text(set, "shared messages, ");
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/random_dense.txt"));
}

}  // namespace
}  // namespace hepcheck::hdf5::random_dense
