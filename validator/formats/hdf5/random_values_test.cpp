// Values of random types: strings, sequences and references at any depth, in compounds and arrays,
// as data, attributes, fill values, in chunks and in contiguous storage, with objects of the heap
// that hold texts, sequences, regions and blocks of references, some of them wrong. Everything that
// is said about several datasets of a file equals the golden file: a line for each set of files.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <format>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/dataset.h"
#include "validator/formats/hdf5/datatype.h"
#include "validator/formats/hdf5/testing/said.h"
#include "validator/formats/hdf5/testing/zeros.h"
#include "validator/formats/hdf5/values.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hdf5::random_values {
namespace {

using testing::Zeros;

constexpr std::uint64_t kDataset = 1'024, kGroup = 1'536, kNothing = 2'048, kRaw = 2'560,
                        kHalf = 3'072, kOutside = 20'000, kFirst = 4'096, kSecond = 8'192,
                        kHeap = 4'096, kEnd = kSecond + kHeap;

struct Type {
  enum class Kind { kText, kSequence, kReference, kCompound, kArray, kBytes } kind{};
  std::string bytes{};  // the message
  std::uint64_t size = 0, count = 1;
  unsigned reference = 0;  // its kind
  bool text = false;       // a sequence of letters
  std::vector<Type> parts{};
};

// Calls that are random are statements of their own: the order inside an expression depends on the
// compiler.
class Made {
 public:
  explicit Made(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t end) { return random_() % end; }
  bool once_in(std::uint64_t times) { return below(times) == 0; }

  Type type(unsigned depth) {
    switch (below(depth < 3 ? 11 : 8)) {
      case 0: return string();
      case 1:
      case 2:
      case 3: return sequence(depth);
      case 4:
      case 5:
      case 6: return reference();
      case 7: return bytes();
      case 8:
      case 9: return compound(depth);
      default: return array(depth);
    }
  }

  std::string element(const Type& type) {
    std::string made;
    switch (type.kind) {
      case Type::Kind::kBytes:
      case Type::Kind::kText:
        made = content();
        made.resize(type.size, once_in(2) ? '\0' : 'x');
        break;
      case Type::Kind::kSequence: made = sequence_of(type); break;
      case Type::Kind::kReference:
        if (type.reference == 0) {
          made = number(address(), 8);
        } else if (type.reference == 1) {
          made = once_in(8) ? number(0, 12) : heap_id(3);
        } else {
          made = revised();
        }
        break;
      case Type::Kind::kCompound:
        for (const Type& part : type.parts) made += element(part);
        break;
      case Type::Kind::kArray:
        for (std::uint64_t i = 0; i < type.count; ++i) made += element(type.parts[0]);
        break;
    }
    made.resize(type.size);
    return made;
  }

  // Objects 1 to kObjects, each with other contents.
  std::string collection() {
    std::string made = "GCOL" + number(1, 4) + number(kHeap, 8);
    sizes_.emplace_back();
    for (std::uint64_t index = 1; index <= kObjects; ++index) {
      std::string data = object(index % 4);
      if (data.empty()) data = "x";
      if (once_in(12)) data.resize(below(data.size() + 1) + 1);
      sizes_.back().push_back(data.size());
      made += number(index, 2) + number(1, 2) + number(0, 4) + number(data.size(), 8) + data;
      made.resize((made.size() + 7) / 8 * 8);
    }
    EXPECT_LE(made.size() + 16, kHeap);
    made += number(0, 8) + number(kHeap - made.size(), 8);
    made.resize(kHeap);
    return made;
  }

 private:
  static constexpr std::uint64_t kObjects = 20;

  static std::string head(unsigned type_class, std::uint64_t bits, std::uint64_t size) {
    return number(4U << 4 | type_class, 1) + number(bits, 3) + number(size, 4);
  }
  Type string() {
    const std::uint64_t size = 1 + below(12);
    const std::uint64_t padding = below(3);
    return {
        .kind = Type::Kind::kText, .bytes = head(3, padding | below(2) << 4, size), .size = size};
  }
  Type bytes() {
    const std::uint64_t size = once_in(2) ? 1 : 6 + below(12);
    if (size == 1)
      return {.kind = Type::Kind::kBytes,
              .bytes = head(0, 0, 1) + number(0, 2) + number(8, 2),
              .size = 1};
    return {.kind = Type::Kind::kBytes,
            .bytes = head(5, 8, size) + std::string("tag\0\0\0\0\0", 8),
            .size = size};
  }
  Type sequence(unsigned depth) {
    const bool text = once_in(2);
    Type base = text ? Type{.bytes = head(3, 0, 1), .size = 1} : type(depth + 1);
    std::uint64_t bits = text ? 1 | below(3) << 4 : 0;
    if (text && once_in(2)) bits |= 1 << 8;
    return {.kind = Type::Kind::kSequence,
            .bytes = head(9, bits, 16) + base.bytes,
            .size = 16,
            .text = text,
            .parts = {std::move(base)}};
  }
  Type reference() {
    const auto kind = static_cast<unsigned>(below(5));
    const std::uint64_t size = kind == 0 ? 8 : kind == 1 ? 12 : 18;
    return {.kind = Type::Kind::kReference,
            .bytes = head(7, kind > 1 ? kind | 0x10 : kind, size),
            .size = size,
            .reference = kind};
  }
  Type compound(unsigned depth) {
    Type made{.kind = Type::Kind::kCompound};
    std::string members;
    const std::uint64_t count = 1 + below(3);
    for (std::uint64_t i = 0; i < count; ++i) {
      Type part = type(depth + 1);
      members +=
          std::string(1, static_cast<char>('a' + i)) + '\0' + number(made.size, 2) + part.bytes;
      made.size += part.size;
      made.parts.push_back(std::move(part));
    }
    // Offsets of two bytes belong to larger compounds.
    if (made.size < 256) {
      made.parts.push_back({.kind = Type::Kind::kBytes, .size = 256 - made.size});
      made.size = 256;
    }
    made.bytes = head(6, count, made.size) + members;
    return made;
  }
  Type array(unsigned depth) {
    Type base = type(depth + 1);
    const std::uint64_t count = 1 + below(3);
    return {.kind = Type::Kind::kArray,
            .bytes = head(10, 0, count * base.size) + number(1, 1) + number(count, 4) + base.bytes,
            .size = count * base.size,
            .count = count,
            .parts = {std::move(base)}};
  }

  std::string content() {
    using std::string_view;
    constexpr string_view kTexts[] = {"plain",
                                      "",
                                      "gr\xc3\xbc\xc3\x9f",
                                      "\xff\xfe",
                                      "cut \xe2\x82",
                                      string_view("zero\0and \xff", 10),
                                      "\x80\4 code.",
                                      "\x80\1 none.",
                                      "cos\nsystem\n.",
                                      "(imodule\nname\n.",
                                      "c\nname\n.",
                                      "cmo dule\nname\n.",
                                      string_view("\xac\xed\0\5 object", 11),
                                      "class_name Lambda \"4w"};
    return std::string(kTexts[below(std::size(kTexts))]);
  }
  std::uint64_t address() {
    constexpr std::uint64_t kAddresses[] = {kDataset,       kDataset, kDataset, kGroup,
                                            kHalf,          kHalf,    kNothing, 0,
                                            kLargestNumber, kOutside, kEnd,     kEnd - 1};
    return kAddresses[below(once_in(2) ? 4 : std::size(kAddresses))];
  }
  // The id of an object, mostly one with contents of that kind.
  std::string heap_id(std::uint64_t kind) {
    std::uint64_t at = once_in(2) ? kFirst : kSecond;
    std::uint64_t index = once_in(10) ? below(kObjects + 3) : kind + 4 * below(kObjects / 4);
    if (once_in(20)) at = once_in(2) ? 0 : once_in(2) ? kLargestNumber : kNothing;
    if (once_in(30)) index = once_in(3) ? 65'535 : index + 65'536;
    held_ = at >= kFirst && at <= kSecond && index >= 1 && index <= kObjects
                ? sizes_[at == kSecond][index - 1]
                : 5;
    return number(at, 8) + number(index, 4);
  }
  std::string sequence_of(const Type& type) {
    const bool nested = type.parts[0].kind == Type::Kind::kSequence && !type.text;
    std::string id = heap_id(nested ? 1 : once_in(4) ? below(4) : 0);
    std::uint64_t length = held_ / type.parts[0].size;
    if (once_in(3)) length = length > 1 && once_in(2) ? length - 1 : length + below(2);
    if (once_in(12)) length = 0;
    return number(length, 4) + id;
  }
  std::string revised() {
    if (once_in(8)) return std::string(18, '\0');
    const std::uint64_t kind = once_in(12) ? below(7) : 2 + below(3);
    const std::uint64_t flags = once_in(8) ? below(4) : 0;
    std::string made = number(kind, 1) + number(flags, 1);
    if (kind == 2 && flags == 0) {
      const std::uint64_t token = once_in(10) ? below(12) : 8;
      return made + number(token, 1) + number(address(), 8);
    }
    const std::string id = heap_id(2);
    const std::uint64_t size = once_in(8) ? below(80) : held_;
    return made + number(size, 4) + id;
  }
  std::string coordinates(std::uint64_t count, unsigned width) {
    std::string made;
    for (std::uint64_t i = 0; i < count; ++i) made += number(below(once_in(6) ? 8 : 4), width);
    return made;
  }
  std::string selection() {
    const std::uint64_t rank = once_in(8) ? 1 + below(3) : 2;
    const std::uint64_t reserved = once_in(12) ? 1 : 0;
    const std::uint64_t count = 1 + below(3);
    switch (below(5)) {
      case 0: return number(0, 4) + number(1, 4) + number(reserved, 8);
      case 1: return number(3, 4) + number(1, 4) + number(reserved, 8);
      case 2: {
        const std::uint64_t length = 8 + 4 * rank * count + (once_in(8) ? 1 : 0);
        return number(1, 4) + number(1, 4) + number(reserved, 4) + number(length, 4) +
               number(rank, 4) + number(count, 4) + coordinates(rank * count, 4);
      }
      case 3: {
        std::string made = number(2, 4) + number(1, 4) + number(reserved, 4) +
                           number(8 + 8 * rank * count, 4) + number(rank, 4) + number(count, 4);
        for (std::uint64_t i = 0; i < count; ++i) {
          const std::string corner = coordinates(rank, 4);
          made += corner;
          made += once_in(6) ? coordinates(rank, 4) : corner;
        }
        return made;
      }
      default: {
        const unsigned width = once_in(2) ? 8 : 2;
        std::string made =
            number(2, 4) + number(3, 4) + number(1, 1) + number(width, 1) + number(rank, 4);
        for (std::uint64_t d = 0; d < rank; ++d) {
          const std::uint64_t block = 1 + below(2);
          made += number(below(2), width);
          made += number(block + below(2), width);
          made += number(once_in(12) ? kLargestNumber : 1 + below(2), width) + number(block, width);
        }
        return made;
      }
    }
  }
  std::string named(const std::string& name) { return number(name.size(), 2) + name; }
  // The block of a reference.
  std::string block() {
    const bool external = once_in(4), region = once_in(2);
    std::string made;
    if (external) {
      const std::uint64_t token = once_in(8) ? 17 : 1 + below(16);
      made = number(token, 1) + std::string(token, 't');
      made += named(once_in(8) ? "" : once_in(8) ? std::string("a\0b", 3) : "other.h5");
    } else {
      made = number(once_in(10) ? 4 : 8, 1) + number(address(), 8);
    }
    if (!region) return made + named(once_in(8) ? "" : once_in(2) ? "units" : "missing");
    const std::uint64_t rank = once_in(10) ? below(40) : 2;
    const std::string selected = selection();
    const std::uint64_t more = once_in(8) ? 1 : 0;
    return made + number(selected.size() + more, 4) + number(rank, 4) + selected;
  }
  std::string object(std::uint64_t kind) {
    switch (kind) {
      case 0: {
        std::string made = content();
        if (once_in(3)) made += content();
        return made;
      }
      case 1: {
        std::string made;
        for (std::uint64_t n = 1 + below(3); n > 0; --n) {
          const std::string length = number(below(4), 4);
          const std::uint64_t at = once_in(2) ? kFirst : kSecond;
          made += length + number(at, 8) + number(1 + below(kObjects), 4);
        }
        return made;
      }
      case 2: return block();
      default: {
        const std::string of = number(address(), 8);
        return of + selection();
      }
    }
  }

  std::mt19937_64 random_;
  std::vector<std::vector<std::uint64_t>> sizes_{};  // of the objects of each collection
  std::uint64_t held_ = 0;                           // by the object that was named last
};

// Of an object that has a dataspace, and no layout.
std::string half_a_header() {
  return testing::header(testing::message(1, number(2, 1) + number(2, 1) + number(0, 1) +
                                                 number(1, 1) + number(5, 8) + number(3, 8)) +
                         testing::message(3, testing::byte_type()));
}

std::string dataset_header() {
  return testing::header(
      testing::message(1, number(2, 1) + number(2, 1) + number(0, 1) + number(1, 1) + number(5, 8) +
                              number(3, 8)) +
      testing::message(3, testing::byte_type()) + testing::message(5, number(3, 1) + number(9, 1)) +
      testing::message(8, number(3, 1) + number(1, 1) + number(kRaw, 8) + number(15, 8)));
}

Region region_of(const std::string& bytes, const char* kind) {
  return {std::as_bytes(std::span(bytes)), {kind, 100, 0}};
}

class File {
 public:
  explicit File(std::uint64_t seed) : made_(seed) {
    zeros_.notes.keep_places(100);
    zeros_.write(kDataset, dataset_header());
    zeros_.write(kGroup, testing::header(testing::link_info()));
    zeros_.write(kHalf, half_a_header());
    zeros_.write(kFirst, made_.collection());
    zeros_.write(kSecond, made_.collection());
    known_.name = "units";
  }

  void values(std::uint32_t object) {
    const Type type = made_.type(0);
    const auto read = read_datatype(region_of(type.bytes, "type"), zeros_.file);
    ASSERT_TRUE(read && read->sound);
    said.all += std::format("{} {}\n", Values::wanted(*read), Values::has_addresses(*read));
    zeros_.notes.enter(object);
    std::string elements;
    for (int i = 0; i < 6; ++i) elements += made_.element(type);
    Dataset dataset{.object = object, .known = Dataset::Known::kLayout, .type = *read};
    dataset.space.rank = 2;
    dataset.space.sizes = {3, 2};
    if (!made_.once_in(3)) {
      const auto when = static_cast<std::uint8_t>(made_.below(3));
      dataset.fill = Fill{.size = made_.once_in(2) ? type.size : 0, .when = when};
    }
    switch (Values::wanted(*read) ? made_.below(6) : 6) {
      case 0: return attribute(*read, elements);
      case 1: return fill(dataset, elements);
      case 2: return stored(dataset, elements, LayoutClass::kCompact);
      case 3: return stored(dataset, elements, LayoutClass::kContiguous);
      case 4: return chunks(dataset, elements);
      case 5:
        values_.begin(*read, Values::Of::kData);
        values_.take(region_of(elements, "values"));
        return values_.end({"values", 100, 0});
      default: return;
    }
  }

  std::string text() {
    values_.judge_rest();
    said.add(zeros_.notes);
    for (const Notes::NotExamined& each : zeros_.notes.not_examined())
      said.all += std::format("{}: {}\n", each.object, each.reason);
    const std::vector<Probe> probes = std::move(zeros_.notes).probes();
    for (std::size_t i = 0; i < probes.size(); ++i)
      if (probes[i].examined() > 0)
        said.all += std::format("{} {}\n", kClauseIds[i], probes[i].examined());
    return said.all;
  }

  testing::Said said{};

 private:
  void attribute(const Datatype& type, const std::string& elements) {
    known_.type = type;
    known_.space.version = 2;
    known_.space.rank = 1;
    known_.space.sizes[0] = 6;
    known_.value = region_of(elements, "attribute");
    const std::uint32_t number = zeros_.file.notes.object();
    const std::uint64_t object = number % 2 == 0 ? kDataset : kGroup;
    values_.attribute(known_, object);
    if (number > 2) values_.all_attributes_of(object);
  }
  void fill(Dataset& dataset, const std::string& elements) {
    const std::span bytes = std::as_bytes(std::span(elements)).first(dataset.type.size);
    dataset.fill = Fill{.size = dataset.type.size, .value = {bytes.begin(), bytes.end()}};
    values_.fill(dataset);
  }
  void stored(Dataset& dataset, const std::string& elements, LayoutClass layout) {
    dataset.layout.class_byte = static_cast<std::uint8_t>(layout);
    dataset.layout.compact = region_of(elements, "compact");
    dataset.layout.address = kEnd;
    zeros_.write(kEnd, elements);
    zeros_.file.end = kEnd + elements.size();
    values_.begin(dataset.type, Values::Of::kData);
    values_.stored(dataset);
    values_.end({"stored", 100, 0});
    zeros_.file.end = kEnd;
  }
  // Chunks of two rows and columns, of which the last has one row inside the extent.
  void chunks(Dataset& dataset, const std::string& elements) {
    dataset.layout.version = 4;
    dataset.layout.class_byte = static_cast<std::uint8_t>(LayoutClass::kChunked);
    dataset.layout.dimensionality = 3;
    dataset.layout.chunk = {2, 2, dataset.type.size};
    values_.begin(dataset.type, Values::Of::kData);
    for (const std::uint64_t row : {0U, 1U, 2U})
      values_.chunk(dataset, std::array<std::uint64_t, 2>{row, 0}, region_of(elements, "chunk"));
    values_.end({"chunks", 100, 0});
  }

  Made made_;
  Zeros zeros_{kEnd + 65'536};
  GlobalHeaps heaps_{zeros_.file};
  Headers headers_{zeros_.file};
  Profile profile_{};
  Attribute known_{};
  Values values_{zeros_.file, heaps_, headers_, profile_};
};

TEST(RandomValues, ReportsEqualTheGoldenFile) {
  constexpr std::uint64_t kSets = 20, kFiles = 60;
  std::string text;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    testing::Said all;
    for (std::uint64_t i = 0; i < kFiles; ++i) {
      File file(1'000 * set + i);
      for (std::uint32_t object = 1; object <= 6; ++object) file.values(object);
      all.all += file.text();
      for (const auto& [clause, times] : file.said.violated) all.violated[clause] += times;
    }
    text += all.text(set);
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/random_values.txt"));
}

}  // namespace
}  // namespace hepcheck::hdf5::random_values
