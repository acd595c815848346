// Random object headers of both versions, with continuations and with messages of all types: sound
// ones, those that are too long, too short or repeated, with any flags, and those of another kind
// of object. What is read of them, and all findings, equal the golden file: a line for each set
// with a digest, and the number of findings of each clause.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <format>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/attribute.h"
#include "validator/formats/hdf5/object_header.h"
#include "validator/formats/hdf5/object_messages.h"
#include "validator/formats/hdf5/object_parts.h"
#include "validator/formats/hdf5/shared_message.h"
#include "validator/formats/hdf5/testing/mistakes.h"
#include "validator/formats/hdf5/testing/said.h"
#include "validator/formats/hdf5/testing/zeros.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hdf5::random_headers {
namespace {

using testing::Said;
using testing::summed;
using testing::Zeros;

constexpr std::uint64_t kHeader = 1'024, kParts = 4'096, kPart = 1'024, kType = 512, kHeap = 640,
                        kSegment = 704, kFile = 12'288;

struct Stated {
  unsigned type = 0;
  unsigned flags = 0;
  std::string data{};
};

class Made {
 public:
  explicit Made(std::uint64_t seed) : random_(seed) {
    zeros_.notes.keep_places(200);
    zeros_.file.whole_format = !random_.once_in(8);
    old_ = random_.once_in(2);
    if (!old_) flags_ = random_.number(64);
    // A datatype of another object, and the names of files.
    zeros_.write(kType, testing::header(testing::message(3, testing::byte_type())));
    const std::string names("\0\0\0\0\0\0\0\0one\0\0\0\0\0two\0\0\0\0\0\0\0\0\0\0\0\0\0", 32);
    zeros_.write(kHeap, "HEAP" + number(0, 4) + number(names.size(), 8) + number(1, 8) +
                            number(kSegment, 8));
    zeros_.write(kSegment, random_.once_in(12) ? std::string(32, 'x') : names);
    collect();
    write();
  }

  void read(Said& said) {
    Headers headers(zeros_.file);
    SharedMessages shared(zeros_.file, headers);
    const auto header = headers.read(kHeader);
    said.all += std::format("{}\n", header.has_value());
    if (header) read(*header, shared, said);
    said.all += std::format("{} {}\n", headers.read(kHeader).has_value(),
                            headers.peek(kHeader).has_value());
    said.add(zeros_.notes);
    for (const Notes::NotExamined& each : zeros_.notes.not_examined())
      said.all += each.reason + '\n';
    for (const Extent& each : zeros_.file.extents.sorted())
      said.all += std::format("{}+{} ", each.address, each.size);
  }

 private:
  void read(const ObjectHeader& header, SharedMessages& shared, Said& said) {
    said.all += std::format("{} {} {} {} {} {} {} {}\n", header.version, header.flags,
                            header.reserved, header.stated_messages, header.references,
                            header.max_compact, header.min_dense, header.blocks.size());
    for (const Message& each : header.messages)
      said.all += std::format("{} {} {} {} {}\n", static_cast<unsigned>(each.type), each.flags,
                              each.order, each.data.size(), each.data.place.text());
    const ObjectKind kind = kind_of(header);
    said.all +=
        std::format("{} {}\n", static_cast<unsigned>(kind), judge_kind(header, zeros_.file));
    judge_messages(header, kind, zeros_.file);
    read_attributes(header, zeros_.file, shared, [&](const Attribute& each) {
      said.all += std::format("{} {} {} {}\n", each.name, each.utf8, each.value.size(),
                              each.name_at.text());
    });
    if (kind == ObjectKind::kGroup) {
      std::vector<Link> links;
      said.all += std::format("{}\n", read_links(header, "/g", zeros_.file, links));
      for (const Link& each : links)
        said.all += std::format("{} {} {} {} {}\n", each.name, each.type, each.target, each.value,
                                each.order.value_or(99));
    }
    if (kind == ObjectKind::kDataset) {
      const Dataset made = read_dataset(header, "/d", zeros_.file, shared);
      said.all += std::format("{} {} {} {} {}\n", static_cast<unsigned>(made.known), made.rank(),
                              made.type.size, made.layout.version, made.external);
      if (made.files)
        for (const ExternalFiles::Slot& each : made.files->slots)
          said.all +=
              std::format("{} {} {} {}\n", each.name, each.offset, each.size, made.files->bytes());
    }
    judge_slack(header, zeros_.file);
    said.all += std::format("{} {}\n", zeros_.file.profile.left_over, shared.any());
  }

  bool wrong() { return mistakes_.made(); }

  // --- Messages
  void add(unsigned type) {
    Stated made{.type = type, .data = data_of(type)};
    constexpr unsigned kFlags[] = {1, 2, 4, 6, 8, 0x10, 0x20, 0x30, 0x38, 0x40, 0x80};
    if (random_.once_in(12)) made.flags = random_.one_of(kFlags);
    // In another header, or in the heap of a table that does not exist.
    if ((made.flags & 2) != 0 && random_.once_in(2)) {
      made.data = number(random_.once_in(3) ? 2 : 3, 1);
      made.data += number(random_.once_in(6) ? 1 : 2, 1);
      made.data += number(random_.once_in(6) ? kFile : kType, 8);
    }
    if (random_.once_in(12)) made.data.resize(made.data.size() + 1 + random_.below(9));
    if (random_.once_in(30)) made.data += "xy";
    if (random_.once_in(40))
      made.data.resize(made.data.size() - std::min<std::size_t>(made.data.size(), 2));
    messages_.push_back(std::move(made));
  }

  std::string data_of(unsigned type) {
    switch (type) {
      case 0: {
        const char letter = random_.once_in(6) ? 'n' : '\0';
        return std::string(random_.below(12), letter);
      }
      case 1: return number(2, 1) + number(1, 1) + number(0, 1) + number(1, 1) + number(4, 8);
      case 2: {
        const bool tracked = random_.once_in(2);
        return number(0, 1) + number(tracked ? 1 : 0, 1) + (tracked ? number(9, 8) : "") +
               number(kUndefined, 16);
      }
      case 3: return testing::byte_type();
      case 4: return number(1, 4) + "f";
      case 5:
        return number(3, 1) + number(random_.once_in(3) ? 0x2a : 0x0a, 1) + number(1, 4) + "f";
      case 6: {
        const bool ordered = random_.once_in(2);
        const std::string name(1 + random_.below(2), static_cast<char>('a' + messages_.size()));
        return number(1, 1) + number(ordered ? 4 : 0, 1) +
               (ordered ? number(messages_.size() % 5, 8) : "") + number(name.size(), 1) + name +
               number(kHeader, 8);
      }
      case 7: {
        const std::uint64_t used = random_.below(3);
        std::string made = number(random_.once_in(12) ? 2 : 1, 1) + number(0, 3);
        made += number(random_.once_in(12) ? 0 : 2, 2) + number(used, 2) + number(kHeap, 8);
        for (std::uint64_t i = 0; i < used; ++i) {
          constexpr std::uint64_t kNames[] = {8, 16, 16, 0, 24, 40};
          constexpr std::uint64_t kSizes[] = {0, 2, 4, kUndefined, std::uint64_t{1} << 63};
          made += number(random_.one_of(kNames), 8);
          made += number(random_.one_of(kSizes), 8);
          made += number(random_.one_of(kSizes), 8);
        }
        return made;
      }
      case 8:
        if (random_.once_in(2)) return number(3, 1) + number(0, 1) + number(4, 2) + "four";
        return number(3, 1) + number(1, 1) + number(kUndefined, 8) + number(4, 8);
      case 10: {
        const unsigned which = random_.number(4);
        return number(0, 1) + number(which, 1) +
               ((which & 1) != 0 ? number(3, 2) + number(1, 2) : "") +
               ((which & 2) != 0 ? number(4, 2) + number(8, 2) : "");
      }
      case 11:
        return number(2, 1) + number(1, 1) + number(1, 2) + number(1, 2) + number(1, 2) +
               number(6, 4);
      case 12: return attribute();
      case 13: return random_.once_in(8) ? "comment" : std::string("comment\0", 8);
      case 14: return old_time();
      case 17: return number(kUndefined, 8) + number(kHeap, 8);
      case 18: {
        std::string made = number(random_.once_in(8) ? 2 : 1, 1);
        return made + number(random_.once_in(8) ? 1 : 0, 3) + number(99, 4);
      }
      case 21: {
        const bool tracked = random_.once_in(2);
        return number(0, 1) + number(tracked ? 1 : 0, 1) +
               (tracked ? number(random_.below(4), 2) : "") + number(kUndefined, 16);
      }
      case 22: {
        const std::string made = number(random_.once_in(8) ? 1 : 0, 1);
        return made + number(random_.below(3), 4);
      }
      default: return std::string(random_.below(30), 'u');
    }
  }

  std::string attribute() {
    const unsigned version = 1 + random_.number(3);
    const std::string name(1 + random_.below(3), static_cast<char>('p' + messages_.size() % 8));
    const std::string zero(random_.once_in(20) ? 0 : 1, '\0');
    const std::string space = number(2, 1) + number(0, 1) + number(0, 1) + number(0, 1);
    const bool shared = version > 1 && random_.once_in(4);
    const std::string type =
        shared ? number(3, 1) + number(2, 1) + number(kType, 8) : testing::byte_type();
    const auto part = [&](const std::string& bytes) {
      return version > 1 ? bytes : bytes + std::string((8 - bytes.size() % 8) % 8, '\0');
    };
    std::string made = number(version, 1) + number(shared ? 1 : 0, 1);
    made += number(name.size() + zero.size(), 2) + number(type.size(), 2) + number(space.size(), 2);
    if (version == 3) made += number(random_.once_in(8) ? 2 : random_.below(2), 1);
    made += part(name + zero) + part(type) + part(space) + "v";
    return made;
  }

  std::string old_time() {
    constexpr const char* kTimes[] = {"20260131235960", "20261231000000", "20261331000000",
                                      "20260100000000", "20260132000000", "20260101240000",
                                      "20260101006000", "20260101000061", "2026010100000x"};
    std::string made = random_.once_in(2) ? kTimes[0] : random_.one_of(kTimes);
    return made + (random_.once_in(8) ? std::string("\0\1", 2) : std::string(2, '\0'));
  }

  // Those of a kind of object, and some others.
  void collect() {
    switch (random_.below(6)) {
      case 0: add(2); break;
      case 1: add(17); break;
      case 2:
      case 3:
        if (!random_.once_in(12)) add(1);
        if (!random_.once_in(12)) add(3);
        if (random_.once_in(4)) add(4);
        if (!random_.once_in(6)) add(5);
        if (random_.once_in(4)) add(7);
        if (!random_.once_in(12)) add(8);
        break;
      case 4: add(3); break;
      default: break;
    }
    constexpr unsigned kOthers[] = {0, 0, 6, 6, 6, 10, 11, 12, 12, 12, 12, 13, 14, 18, 21, 22};
    const std::uint64_t many = random_.once_in(6) ? 12 : random_.below(6);
    for (std::uint64_t n = many; n > 0; --n) add(random_.one_of(kOthers));
    constexpr unsigned kRare[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 17, 19, 20, 23, 24, 25, 200};
    if (random_.once_in(3)) add(random_.one_of(kRare));
    // In any order.
    for (std::size_t i = 1; i < messages_.size(); ++i)
      if (random_.once_in(3)) std::swap(messages_[i], messages_[random_.below(i)]);
  }

  // --- Headers
  std::string bytes_of(const Stated& message, std::uint64_t order) {
    std::string data = message.data;
    if (old_ && !wrong()) data.resize((data.size() + 7) / 8 * 8);
    std::string made = number(message.type, old_ ? 2 : 1);
    made += number(mistakes_.perhaps(data.size()), 2) + number(message.flags, 1);
    if (old_) made += number(wrong() ? 1 : 0, 3);
    if (!old_ && (flags_ & 4) != 0) made += number(order, 2);
    return made + data;
  }

  void write() {
    // Blocks of messages; each but the last ends with a continuation.
    std::vector<std::string> blocks(1);
    std::uint64_t orders = 0;
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      if (random_.once_in(5)) blocks.emplace_back();
      blocks.back() += bytes_of(messages_[i], orders);
      orders += random_.once_in(8) ? 0 : 1;
    }
    std::uint64_t count = messages_.size() + blocks.size() - 1;
    for (std::size_t i = blocks.size(); i-- > 1;) {
      std::string block = blocks[i];
      if (!old_) {
        if (random_.once_in(4)) block += std::string(random_.below(6), '\0');
        block = mistakes_.block(mistakes_.letters("OCHK") + block);
      }
      const std::uint64_t at = kParts + kPart * (i - 1);
      zeros_.write(at, block);
      std::string data = number(wrong() ? (random_.once_in(2) ? kHeader : kParts) : at, 8);
      data += number(wrong() ? 8 * random_.below(2) : block.size(), 8);
      blocks[i - 1] += bytes_of({.type = 16, .data = data}, orders);
    }
    if (!old_ && random_.once_in(4)) blocks[0] += std::string(random_.below(6), '\0');
    if (old_) {
      std::string made = number(1, 1) + number(wrong() ? 1 : 0, 1);
      made += number(mistakes_.perhaps(count), 2);
      made += number(1 + random_.below(2), 4);
      made += number(mistakes_.perhaps(blocks[0].size()), 4);
      made += number(wrong() ? 1 : 0, 4);
      zeros_.write(kHeader, made + blocks[0]);
      return;
    }
    if (wrong()) flags_ |= 64U << random_.below(2);
    std::string made = mistakes_.letters("OHDR");
    made += number(mistakes_.perhaps(2), 1) + number(flags_, 1);
    if ((flags_ & 0x20) != 0) made += number(7, 16);
    if ((flags_ & 0x10) != 0) {
      made += number(random_.below(6), 2);
      made += number(random_.below(5), 2);
    }
    const unsigned width = 1U << (flags_ & 3);
    made += number(mistakes_.perhaps(blocks[0].size()), width) + blocks[0];
    zeros_.write(kHeader, mistakes_.block(made));
  }

  Random random_;
  testing::Mistakes mistakes_{random_, 60};
  Zeros zeros_{kFile};
  bool old_ = false;
  unsigned flags_ = 0;
  std::vector<Stated> messages_{};
};

TEST(RandomHeaders, ReadingsEqualTheGoldenFile) {
  EXPECT_TRUE(golden::equals(testing::said_of_sets<Made>(20, 200),
                             "validator/formats/hdf5/golden/random_headers.txt"));
}

}  // namespace
}  // namespace hepcheck::hdf5::random_headers
