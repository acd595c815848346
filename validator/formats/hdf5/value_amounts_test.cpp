// How many values are examined: those of a chunk inside the extent, the first million wherever they
// are, and each object of the heap as far as an element reaches. Compared with what shapes and
// lengths say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <format>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/dataset.h"
#include "validator/formats/hdf5/datatype.h"
#include "validator/formats/hdf5/testing/zeros.h"
#include "validator/formats/hdf5/values.h"
#include "validator/testing/random.h"

namespace hepcheck::hdf5::value_amounts {
namespace {

using testing::Zeros;

constexpr std::uint64_t kMost = 1'000'000, kHeap = 4'096;

Region region_of(const std::string& bytes) {
  return {std::as_bytes(std::span(bytes)), {"test", 0, 0}};
}

std::string head(unsigned version, unsigned type_class, std::uint64_t bits, std::uint64_t size) {
  return number(version << 4 | type_class, 1) + number(bits, 3) + number(size, 4);
}
// ASCII, padded with zeros.
std::string letter_type(unsigned version) { return head(version, 3, 1, 1); }
std::string sequence_of(const std::string& base) { return head(1, 9, 0, 16) + base; }
std::string element(std::uint64_t length, std::uint64_t index) {
  return number(length, 4) + number(kHeap, 8) + number(index, 4);
}

struct Examined : Zeros {
  GlobalHeaps heaps{file};
  Headers headers{file};
  Profile profile{};
  Values values{file, heaps, headers, profile};

  explicit Examined(std::size_t size = 4096) : Zeros(size) {}

  // Objects 1, 2 and so on.
  void collection(const std::vector<std::string>& objects) {
    std::string made = "GCOL" + number(1, 4) + number(image.size() - kHeap, 8);
    for (std::size_t i = 0; i < objects.size(); ++i) {
      made += number(i + 1, 2) + number(1, 2) + number(0, 4) + number(objects[i].size(), 8);
      made += objects[i];
      made.resize((made.size() + 7) / 8 * 8);
    }
    ASSERT_LE(made.size() + 16, image.size() - kHeap);
    made += number(0, 8) + number(image.size() - kHeap - made.size(), 8);
    write(kHeap, made);
  }
  void take(const std::string& type, const std::string& elements) {
    const auto read = read_datatype(region_of(type), file);
    ASSERT_TRUE(read && read->sound);
    values.begin(*read, Values::Of::kData);
    values.take(region_of(elements));
    values.end({"test", 0, 0});
  }
  std::uint64_t examined(const ClauseId& clause) const { return notes.probe_of(clause).examined(); }
};

// --- Chunks --------------------------------------------------------------------------------------

// A letter that is none of ASCII is found if it is inside the extent.
TEST(ValueAmounts, OfChunksOfEveryRank) {
  Random random(1);
  std::size_t found = 0, all = 0;
  for (int shape = 0; shape < 150; ++shape) {
    Dataset dataset{.object = 1, .known = Dataset::Known::kLayout};
    const unsigned rank = 1 + random.number(4);
    dataset.space.rank = static_cast<std::uint8_t>(rank);
    dataset.layout.version = 4;
    dataset.layout.class_byte = static_cast<std::uint8_t>(LayoutClass::kChunked);
    dataset.layout.dimensionality = static_cast<std::uint8_t>(rank + 1);
    std::vector<std::uint64_t> chunk, counts;
    std::uint64_t elements = 1, chunks = 1;
    for (unsigned d = 0; d < rank; ++d) {
      chunk.push_back(1 + random.below(3));
      const std::uint64_t size = 1 + random.below(2 * chunk[d] + 1);
      dataset.space.sizes[d] = size;
      dataset.layout.chunk[d] = chunk[d];
      counts.push_back(size / chunk[d] + 1);  // some of them begin outside
      elements *= chunk[d];
      chunks *= counts[d];
    }
    dataset.layout.chunk[rank] = 1;
    for (std::uint64_t i = 0; i < chunks; ++i) {
      Examined made;
      const std::string type = letter_type(3);
      const auto read = read_datatype(region_of(type), made.file);
      ASSERT_TRUE(read);
      dataset.type = *read;
      std::vector<std::uint64_t> scaled(rank), at(rank);
      std::uint64_t inside = 1, left = i;
      const std::uint64_t wrong = random.below(elements);
      std::uint64_t left_at = wrong;
      bool reached = true;
      for (unsigned d = rank; d-- > 0;) {
        scaled[d] = left % counts[d];
        left /= counts[d];
        const std::uint64_t begin = scaled[d] * chunk[d], size = dataset.space.sizes[d];
        inside *= begin < size ? std::min(chunk[d], size - begin) : 0;
        reached = reached && begin + left_at % chunk[d] < size;
        left_at /= chunk[d];
      }
      std::string bytes(elements, 'a');
      bytes[wrong] = '\xff';
      made.values.begin(dataset.type, Values::Of::kData);
      made.values.chunk(dataset, scaled, region_of(bytes));
      made.values.end({"test", 0, 0});
      EXPECT_EQ(made.examined("h5-string-ascii"), inside) << shape << ' ' << i;
      EXPECT_EQ(made.found("h5-string-ascii").size(), reached ? 1u : 0u) << shape << ' ' << i;
      found += reached;
      ++all;
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(found, all / 8);
  EXPECT_LT(found, all);
}

// --- The first million ---------------------------------------------------------------------------

// In an array, in the dimensions of a member, in a sequence, and in two that follow one another.
TEST(ValueAmounts, OfTheFirstMillionInsideOneElement) {
  const auto array_of = [](std::uint64_t count) {
    return head(2, 10, 0, count) + number(1, 1) + number(0, 3) + number(count, 4) + number(0, 4) +
           letter_type(2);
  };
  const auto member = [](const char* name, std::uint64_t offset, std::uint64_t count) {
    std::string made = name;
    made.resize(8);
    return made + number(offset, 4) + number(1, 1) + number(0, 11) + number(count, 4) +
           number(0, 12) + letter_type(1);
  };
  for (const std::uint64_t count : {kMost - 1, kMost, kMost + 1}) {
    struct Case {
      const char* name;
      std::string type, elements;
      std::uint64_t others;  // values that are no letters, which count as well
      std::uint64_t letters;
    };
    const std::string letters(count, 'a');
    const std::vector<Case> cases{
        {"array", array_of(count), letters, 0, count},
        {"two arrays", array_of(count / 2), letters.substr(0, count / 2 * 2), 0, count / 2 * 2},
        {"member", head(1, 6, 1, count) + member("a", 0, count), letters, 0, count},
        {"second member", head(1, 6, 2, count) + member("a", 0, 2) + member("b", 2, count - 2),
         letters, 0, count},
        {"sequence", sequence_of(letter_type(1)), element(count, 1), 1, count},
        {"two sequences", sequence_of(letter_type(1)), element(2, 2) + element(count - 2, 1), 2,
         count}};
    for (const Case& each : cases) {
      Examined made(kHeap + 2 * kMost);
      made.collection({letters, "aa"});
      made.take(each.type, each.elements);
      const bool beyond = each.letters + each.others > kMost;
      EXPECT_EQ(made.examined("h5-string-ascii"), beyond ? kMost - each.others : each.letters)
          << each.name << ' ' << count;
      std::vector<std::string> why;
      for (const Notes::NotExamined& note : made.notes.not_examined()) why.push_back(note.reason);
      EXPECT_EQ(why, beyond ? std::vector<std::string>{"values beyond the first million"}
                            : std::vector<std::string>{})
          << each.name << ' ' << count;
    }
  }
}

// --- Objects of the heap -------------------------------------------------------------------------

struct Named {
  std::uint64_t length = 0, index = 0;
};

// Sequences of sequences of bytes, of which many are named again, with the same length or another.
class Nested {
 public:
  explicit Nested(Random& random) : depth_(1 + random.below(4)), objects_(kEach * depth_) {
    for (std::uint64_t level = 1; level < depth_; ++level)
      for (std::uint64_t i = 0; i < kEach; ++i) {
        std::vector<Named>& object = objects_[(level - 1) * kEach + i];
        object.resize(1 + random.below(60));
        for (Named& each : object) each = named(random, level + 1);
      }
    for (std::uint64_t i = 0; i < kEach; ++i)
      objects_[(depth_ - 1) * kEach + i].resize(1'000 + random.below(3'000));
    dataset_.resize(1 + random.below(4'000));
    for (Named& each : dataset_) each = named(random, 1);
  }
  std::string type() const {
    std::string made = testing::byte_type();
    for (std::uint64_t level = 0; level < depth_; ++level) made = sequence_of(made);
    return made;
  }
  std::string elements() const { return bytes_of(dataset_); }
  std::vector<std::string> heap() const {
    std::vector<std::string> made;
    for (std::size_t i = 0; i < objects_.size(); ++i)
      made.push_back(i / kEach + 1 == depth_ ? std::string(objects_[i].size(), 'x')
                                             : bytes_of(objects_[i]));
    return made;
  }
  // Of all values of variable length.
  std::uint64_t bytes() {
    std::uint64_t all = 0;
    for (const Named& each : dataset_) all += bytes_in(each, 1);
    return all;
  }

 private:
  static constexpr std::uint64_t kEach = 4;

  static std::string bytes_of(const std::vector<Named>& all) {
    std::string made;
    for (const Named& each : all) made += element(each.length, each.index);
    return made;
  }
  Named named(Random& random, std::uint64_t level) const {
    const std::uint64_t length = random.below(level == depth_ ? 4'000 : 60);
    return {length, (level - 1) * kEach + random.below(kEach) + 1};
  }
  // An object that is shorter than an element says has no values.
  std::uint64_t bytes_in(const Named& named, std::uint64_t level) {
    const std::vector<Named>& object = objects_[named.index - 1];
    if (named.length > object.size()) return 0;
    if (level == depth_) return named.length;
    const auto [known, fresh] = known_.try_emplace({named.index, named.length});
    if (!fresh) return known->second;
    std::uint64_t all = 16 * named.length;
    for (std::uint64_t i = 0; i < named.length; ++i) all += bytes_in(object[i], level + 1);
    return known_[{named.index, named.length}] = all;
  }

  std::uint64_t depth_;
  std::vector<std::vector<Named>> objects_;
  std::vector<Named> dataset_{};
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> known_{};
};

// More than a GiB, and more than a thousand times the size of the file.
TEST(ValueAmounts, OfObjectsThatAreNamedAgain) {
  std::size_t found = 0;
  constexpr int kFiles = 80;
  for (int i = 0; i < kFiles; ++i) {
    Random random(static_cast<std::uint64_t>(i));
    Nested first(random);
    const std::size_t size = random.once_in(3) ? 4'000'000 : 100'000;
    Examined made(kHeap + size);
    made.collection(first.heap());
    made.take(first.type(), first.elements());
    made.take(first.type(), first.elements());
    made.values.judge_rest();
    const std::uint64_t bytes = 2 * first.bytes();
    const bool much = bytes > std::uint64_t{1} << 30 && bytes / 1'000 > made.image.size();
    EXPECT_EQ(
        made.found("h5-risk-vlen-amplification"),
        much ? std::vector<std::string>{std::format("{} bytes of variable-length values", bytes)}
             : std::vector<std::string>{})
        << i;
    found += much;
  }
  EXPECT_GT(found, std::size_t{kFiles} / 10);
  EXPECT_LT(found, std::size_t{kFiles} / 2);
}

}  // namespace
}  // namespace hepcheck::hdf5::value_amounts
