// Chunked datasets of random types whose chunks went through one to three filters, seven to nine,
// or 30 to 32: with the client values that belong to the type and the chunk, or with one of them
// changed, in all chunks or but in some, with chunks that are partial, stored as they are, too
// short or too long. Everything that is reported, the map of the file, and what packing makes of
// it, equals the golden file, which has lines for each filter that is applied first.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <format>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/catalogue/clause.h"
#include "validator/examine_file.h"
#include "validator/formats/hdf5/decode.h"
#include "validator/formats/hdf5/repair/repair_container.h"
#include "validator/formats/hdf5/testing/bytes.h"
#include "validator/formats/hdf5/testing/lists.h"
#include "validator/formats/hdf5/testing/map_of.h"
#include "validator/formats/hdf5/testing/private_copy.h"
#include "validator/formats/hdf5/testing/repairs.h"
#include "validator/formats/hdf5/testing/report_text.h"
#include "validator/testing/golden_files.h"
#include "validator/testing/random.h"

namespace hepcheck::hdf5::random_filters {
namespace {

using Words = std::vector<std::uint32_t>;

// A datatype message, and what n-bit and scale-offset say of it.
struct Type {
  std::string bytes{};
  std::uint32_t size = 0, bits = 0;  // of an element, and of what n-bit keeps of it
  Words nbit{};
  bool described = true;  // by n-bit, if it is not part of another type
  bool real = false;
  std::uint32_t is_signed = 0, big_endian = 0;
  std::vector<std::uint32_t> references{};  // where an element has them
};

class Types {
 public:
  explicit Types(Random& random) : random_(random) {}

  Type any(unsigned depth = 0) {
    switch (random_.below(depth < 2 ? 18 : 12)) {
      case 0:
      case 1:
      case 2:
      case 3: return integer();
      case 4:
      case 5:
      case 6: return real();
      case 7:
      case 8: return text();
      case 9: return plain(4, 0, 1 + random_.number(3), number(0, 2));
      case 10: return plain(5, 8, 1 + random_.number(9), std::string("tag\0\0\0\0\0", 8));
      case 11: {
        Type made = plain(7, 0, 8, "");
        made.references = {0};
        return made;
      }
      case 12: return enumeration();
      case 13:
      case 14: return array(depth);
      case 15: return old_compound();
      default: return compound(depth);
    }
  }

 private:
  std::string head(unsigned type_class, std::uint64_t bits, std::uint64_t size) const {
    return number(version_ << 4 | type_class, 1) + number(bits, 3) + number(size, 4);
  }
  Type numeric(unsigned type_class, std::uint64_t bits, std::uint32_t size,
               const std::string& rest) {
    const std::uint32_t offset = random_.once_in(4) ? random_.number(8) : 0;
    const std::uint32_t precision =
        offset > 0 || random_.once_in(4) ? 1 + random_.number(8 * size - offset) : 8 * size;
    const auto order = static_cast<std::uint32_t>(bits & 1);
    return {.bytes = head(type_class, bits, size) + number(offset, 2) + number(precision, 2) + rest,
            .size = size,
            .bits = precision,
            .nbit = {1, size, order, precision, offset},
            .big_endian = order};
  }
  Type integer() {
    constexpr std::uint32_t kSizes[] = {1, 2, 4, 8, 1, 2, 4, 8, 3, 16};
    const std::uint32_t size = random_.one_of(kSizes);
    const std::uint64_t order = random_.below(2), sign = random_.below(2);
    Type made = numeric(0, order | sign << 3, size, "");
    made.is_signed = static_cast<std::uint32_t>(sign);
    return made;
  }
  Type real() {
    struct Form {
      std::uint32_t size, exponent, mantissa, bias;
    };
    constexpr Form kForms[] = {{2, 5, 10, 15}, {4, 8, 23, 127}, {8, 11, 52, 1023}};
    const Form form = random_.one_of(kForms);
    const std::uint64_t order = random_.below(2), sign = 8 * form.size - 1;
    const std::string rest = number(form.mantissa, 1) + number(form.exponent, 1) + number(0, 1) +
                             number(form.mantissa, 1) + number(form.bias, 4);
    return {.bytes = head(1, order | 2 << 4 | sign << 8, form.size) + number(0, 2) +
                     number(8 * form.size, 2) + rest,
            .size = form.size,
            .bits = 8 * form.size,
            .nbit = {1, form.size, static_cast<std::uint32_t>(order), 8 * form.size, 0},
            .real = true,
            .big_endian = static_cast<std::uint32_t>(order)};
  }
  Type plain(unsigned type_class, std::uint64_t bits, std::uint32_t size, const std::string& rest) {
    std::string more = rest;
    if (type_class == 4) more += number(8 * size, 2);
    return {.bytes = head(type_class, bits, size) + more,
            .size = size,
            .bits = 8 * size,
            .nbit = {4, size},
            .described = false};
  }
  Type text() {
    const std::uint64_t padding = random_.below(3), charset = random_.below(2);
    return plain(3, padding | charset << 4, 1 + random_.number(6), "");
  }
  Type enumeration() {
    const Type base = integer();
    return plain(8, 2, base.size,
                 base.bytes + std::string("a\0b\0", 4) + std::string(2 * base.size, '\1'));
  }
  Type array(unsigned depth) {
    const Type base = any(depth + 1);
    const std::uint32_t count = 1 + random_.number(3);
    Type made{
        .bytes = head(10, 0, count * base.size) + number(1, 1) + number(count, 4) + base.bytes,
        .size = count * base.size,
        .bits = count * base.bits,
        .nbit = {2, count * base.size}};
    made.nbit.insert(made.nbit.end(), base.nbit.begin(), base.nbit.end());
    for (std::uint32_t i = 0; i < count; ++i)
      for (const std::uint32_t at : base.references) made.references.push_back(i * base.size + at);
    return made;
  }
  Type compound(unsigned depth) {
    Type made{};
    std::string members;
    const std::uint32_t count = 1 + random_.number(3);
    for (std::uint32_t i = 0; i < count; ++i) {
      const Type part = any(depth + 1);
      members +=
          std::string(1, static_cast<char>('a' + i)) + '\0' + number(made.size, 1) + part.bytes;
      made.nbit.push_back(made.size);
      made.nbit.insert(made.nbit.end(), part.nbit.begin(), part.nbit.end());
      for (const std::uint32_t at : part.references) made.references.push_back(made.size + at);
      made.size += part.size;
      made.bits += part.bits;
    }
    const Words begin = {3, made.size, count};
    made.nbit.insert(made.nbit.begin(), begin.begin(), begin.end());
    made.bytes = head(6, count, made.size) + members;
    return made;
  }

  // Its members may have dimensions, which are an array to n-bit.
  Type old_compound() {
    version_ = 1;
    Type made{};
    std::string members;
    const std::uint32_t count = 1 + random_.number(3);
    for (std::uint32_t i = 0; i < count; ++i) {
      const Type part = random_.once_in(3)   ? real()
                        : random_.once_in(4) ? plain(5, 8, 3, std::string("tag\0\0\0\0\0", 8))
                                             : integer();
      const std::uint32_t rank = random_.number(3);
      std::uint32_t times = 1;
      std::string sizes;
      for (std::uint32_t d = 0; d < 4; ++d) {
        const std::uint32_t size = d < rank ? 1 + random_.number(3) : 0;
        if (d < rank) times *= size;
        sizes += number(size, 4);
      }
      members += std::string(1, static_cast<char>('a' + i)) + std::string(7, '\0') +
                 number(made.size, 4) + number(rank, 1) + number(0, 11) + sizes + part.bytes;
      made.nbit.push_back(made.size);
      if (times > 1) made.nbit.insert(made.nbit.end(), {2, times * part.size});
      made.nbit.insert(made.nbit.end(), part.nbit.begin(), part.nbit.end());
      made.size += times * part.size;
      made.bits += times * part.bits;
    }
    const Words begin = {3, made.size, count};
    made.nbit.insert(made.nbit.begin(), begin.begin(), begin.end());
    made.bytes = head(6, count, made.size) + members;
    version_ = 3;
    return made;
  }

  Random& random_;
  unsigned version_ = 3;
};

struct Applied {
  std::uint16_t id = 0, flags = 0;
  Words values{};
};

class Made {
 public:
  explicit Made(std::uint64_t seed) : random_(seed) {}

  std::uint16_t first() const { return filters_.front().id; }

  std::string file() {
    type_ = Types(random_).any();
    chunk_ = {1 + random_.below(4), 1 + random_.below(4)};
    // Partial chunks at the edge, unless the dataset ends with one.
    sizes_ = {chunk_[0] * (1 + random_.below(2)), chunk_[1] + random_.below(chunk_[1])};
    const bool many = random_.once_in(16), most = random_.once_in(24);
    for (std::uint64_t n = (most ? 30 : many ? 7 : 1) + random_.below(3); n > 0; --n)
      filters_.push_back(most ? Applied{.id = 3} : filter());
    const std::string index = array_header();
    const std::string all = dataset_header();
    std::string image = testing::superblock(0, kUndefined, kEnd, kRoot);
    put(image, kRoot,
        testing::header(testing::link_info() + testing::link_to("d", kDataset) +
                        testing::link_to("g", kGroup) + testing::link_to("l", kLast)));
    put(image, kDataset, all);
    put(image, kArray, index);
    put(image, kBlock, block_);
    put(image, kGroup, testing::header(testing::link_info()));
    put(image, kChunks, chunks_);
    put(image, kLast, testing::header(testing::link_info()));
    image.resize(kEnd);
    return image;
  }

 private:
  static constexpr std::uint64_t kRoot = 48, kDataset = 256, kArray = 1'536, kBlock = 1'600,
                                 kGroup = 2'000, kChunks = 2'048, kLast = 12'000, kEnd = 12'288;

  static void put(std::string& image, std::uint64_t at, const std::string& bytes) {
    EXPECT_LE(image.size(), at);
    image.resize(at);
    image += bytes;
  }
  std::uint32_t elements() const { return static_cast<std::uint32_t>(chunk_[0] * chunk_[1]); }
  std::uint64_t chunk_bytes() const { return std::uint64_t{elements()} * type_.size; }

  // With the values that a library gives it.
  Applied filter() {
    constexpr std::uint16_t kIds[] = {1, 2, 3, 4, 5, 5, 5, 6, 6, 6, 6, 32'000, 300};
    Applied made{.id = random_.one_of(kIds),
                 .flags = static_cast<std::uint16_t>(random_.once_in(3) ? 1 : 0)};
    // Scale-offset of what is no number is one error of many.
    if (made.id == 6 && type_.nbit[0] != 1 && !random_.once_in(8)) made.id = 2;
    switch (made.id) {
      case 1: made.values = {random_.number(10)}; break;
      case 2: made.values = {type_.size}; break;
      case 4: made.values = {random_.once_in(2) ? 0x20u : 0x04u, 8, 8 * type_.size, 8}; break;
      case 5: {
        Words description;
        if (type_.described) description = type_.nbit;
        made.values = {static_cast<std::uint32_t>(3 + description.size()),
                       random_.once_in(8) ? 1u : 0u, elements()};
        made.values.insert(made.values.end(), description.begin(), description.end());
        break;
      }
      case 6:
        made.values = {type_.real ? 0u : 2u,
                       type_.real ? random_.number(4) : random_.number(8 * type_.size + 1),
                       elements(),
                       type_.real ? 1u : 0u,
                       type_.size,
                       type_.is_signed,
                       type_.big_endian,
                       random_.number(2)};
        made.values.resize(20);
        break;
      case 32'000: made.values = {4, 0x105, static_cast<std::uint32_t>(chunk_bytes())}; break;
      case 300: made.values = {1, 2, 3}; break;
      default: break;
    }
    if (random_.once_in(2)) change(made.values);
    return made;
  }
  void change(Words& values) {
    if (values.empty() || random_.once_in(8)) {
      values.resize(random_.below(values.size() + 2));
      return;
    }
    std::uint32_t& value = values[random_.below(values.size())];
    switch (random_.below(5)) {
      case 0: value += 1; break;
      case 1: value -= 1; break;
      case 2: value = 0; break;
      case 3: value = 2 * value + 1; break;
      default: value = values[random_.below(values.size())]; break;
    }
  }

  std::string filter_message() {
    const bool older = random_.once_in(2);
    std::string made = number(older ? 1 : 2, 1) + number(filters_.size(), 1);
    if (older) made += number(0, 6);
    for (const Applied& each : filters_) {
      const bool named = random_.once_in(3);
      std::string name = named ? std::string("name\0\0\0\0", 8) : "";
      made += number(each.id, 2);
      if (older || each.id >= 256)
        made += number(name.size(), 2);
      else
        name.clear();
      made += number(each.flags, 2) + number(each.values.size(), 2) + name;
      for (const std::uint32_t value : each.values) made += number(value, 4);
      if (older && each.values.size() % 2 != 0) made += number(0, 4);
    }
    return made;
  }

  // --- Chunks

  std::string plain_chunk() {
    constexpr std::string_view kTexts[] = {"abc", "ab\0cd", "\xff", "gr\xc3\xbc\xc3\x9f", ""};
    std::string made;
    while (made.size() < chunk_bytes()) {
      const std::string_view text = random_.one_of(kTexts);
      made += text;
      const std::uint64_t value = random_.below(256);
      made += number(value, 1 + random_.number(4));
    }
    made.resize(chunk_bytes());
    constexpr std::uint64_t kObjects[] = {kRoot, kDataset, kGroup, kGroup, kLast, kLast, 0, kEnd};
    for (std::uint64_t i = 0; i < elements(); ++i)
      for (const std::uint32_t at : type_.references)
        made.replace(i * type_.size + at, 8, number(random_.one_of(kObjects), 8));
    return made;
  }
  // Letters are bytes of any value.
  std::string noise(std::uint64_t size) {
    std::string made;
    for (std::uint64_t i = 0; i < size; ++i) made += static_cast<char>(random_.below(256));
    return made;
  }
  static std::string shuffled(const std::string& bytes, std::size_t size) {
    if (size < 2 || bytes.size() < size) return bytes;
    const std::size_t count = bytes.size() / size;
    std::string made = bytes;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t byte = 0; byte < size; ++byte)
        made[byte * count + i] = bytes[i * size + byte];
    return made;
  }
  // A block of deflate that is stored.
  static std::string deflated(const std::string& bytes) {
    std::uint32_t one = 1, two = 0;
    for (const char each : bytes) {
      one = (one + static_cast<unsigned char>(each)) % 65'521;
      two = (two + one) % 65'521;
    }
    std::string sum = number(two << 16 | one, 4);
    std::ranges::reverse(sum);
    return "\x78\1\1" + number(bytes.size(), 2) + number(~bytes.size(), 2) + bytes + sum;
  }
  static std::string lzf(const std::string& bytes) {
    std::string made;
    for (std::size_t at = 0; at < bytes.size(); at += 32) {
      const std::string part = bytes.substr(at, 32);
      made += number(part.size() - 1, 1) + part;
    }
    return made;
  }
  std::string scaled(std::uint64_t size) {
    const std::uint64_t bits = random_.below(8 * std::uint64_t{type_.size} + 1);
    const std::uint64_t packed = random_.once_in(8) ? size : (elements() * bits + 7) / 8;
    const std::uint64_t width = random_.once_in(16) ? 4 : 8;
    const std::string least = noise(8);
    std::string made = number(bits, 4) + number(width, 1) + least + number(0, 8);
    made += noise(packed + random_.below(2));
    return made;
  }
  std::string through(const Applied& filter, const std::string& bytes) {
    switch (filter.id) {
      case 1: return deflated(bytes);
      case 2: return shuffled(bytes, filter.values.empty() ? 1 : filter.values[0]);
      case 3: return bytes + number(fletcher32(std::as_bytes(std::span(bytes))), 4);
      case 5: {
        if (filter.values.size() > 1 && filter.values[1] == 1) return bytes;
        return noise((elements() * std::uint64_t{type_.bits} + 7) / 8 + random_.below(2));
      }
      case 6: return scaled(bytes.size());
      case 32'000: return lzf(bytes);
      default: return bytes;
    }
  }

  // A fixed array, its block, and the chunks that it lists.
  std::string array_header() {
    const unsigned width = std::min(8, 2 + (std::bit_width(chunk_bytes()) - 1) / 8);
    const std::uint64_t columns = sizes_[1] > chunk_[1] ? 2 : 1;
    const std::uint64_t count = sizes_[0] / chunk_[0] * columns;
    plain_edges_ = random_.once_in(2);
    const bool edges_only = random_.once_in(4);
    std::string records;
    for (std::uint64_t i = 0; i < count; ++i) {
      std::string data = plain_chunk();
      const bool over = columns == 2 && i % 2 == 1 && sizes_[1] % chunk_[1] != 0;
      std::uint64_t mask = 0;
      if (!over || !plain_edges_) {
        if (random_.once_in(5)) mask = random_.below(std::uint64_t{1} << filters_.size());
        for (std::size_t f = 0; f < filters_.size(); ++f)
          if ((mask >> f & 1) == 0) data = through(filters_[f], data);
        if (random_.once_in(10)) data.resize(data.size() + 1);
        if (random_.once_in(10) && data.size() > 2) data.resize(data.size() - 1 - random_.below(2));
        if (random_.once_in(10)) ++data[random_.below(data.size())];
      }
      const bool absent = random_.once_in(8) || (edges_only && !over);
      records += number(absent ? kUndefined : kChunks + chunks_.size(), 8) +
                 number(absent ? 0 : data.size(), width) + number(mask, 4);
      if (!absent) chunks_ += data;
    }
    const std::string client = number(0, 1) + number(1, 1);
    block_ = testing::summed("FADB" + client + number(kArray, 8) + records);
    return testing::summed("FAHD" + client + number(12 + width, 1) + number(10, 1) +
                           number(count, 8) + number(kBlock, 8));
  }

  std::string dataset_header() {
    const std::string space = number(2, 1) + number(2, 1) + number(1, 1) + number(1, 1) +
                              number(sizes_[0], 8) + number(sizes_[1], 8) + number(sizes_[0], 8) +
                              number(sizes_[1], 8);
    const std::string layout = number(4, 1) + number(2, 1) + number(plain_edges_ ? 1 : 0, 1) +
                               number(3, 1) + number(1, 1) + number(chunk_[0], 1) +
                               number(chunk_[1], 1) + number(type_.size, 1) + number(3, 1) +
                               number(10, 1) + number(kArray, 8);
    return testing::header(testing::message(1, space) + testing::message(3, type_.bytes) +
                           testing::message(5, number(3, 1) + number(10, 1)) +
                           testing::message(8, layout) + testing::message(11, filter_message()));
  }

  Random random_;
  Type type_{};
  std::array<std::uint64_t, 2> chunk_{}, sizes_{};
  std::vector<Applied> filters_{};
  std::string block_{}, chunks_{};
  bool plain_edges_ = false;
};

struct Sum {
  std::size_t files = 0, packed = 0;
  std::string all{};
  testing::Violations violated{};
};

TEST(RandomFilters, ReportsEqualTheGoldenFile) {
  constexpr std::uint64_t kFiles = 2'000;
  std::map<std::uint16_t, Sum> sums;
  for (std::uint64_t seed = 0; seed < kFiles; ++seed) {
    Made made(seed);
    const std::string image = made.file();
    Sum& sum = sums[made.first()];
    ++sum.files;
    const Specification& spec =
        seed % 8 == 0 ? *find_specification("hdf5-swmr-2013-10-10") : default_revision("hdf5");
    const FileReport report = examine_image(std::as_bytes(std::span(image)), "image", std::nullopt,
                                            &spec, {.examine = {.jobs = 1}});
    sum.all += testing::text_of(report);
    testing::count(report, sum.violated);
    const Bytes bytes = Bytes::of_image(std::as_bytes(std::span(image)), "image");
    sum.all += testing::all_of(testing::map_of(bytes, {.fields = true}));
    const auto copy = testing::copy_of("");
    const RepairedSubject packed = pack_container(bytes, *copy, Limits());
    sum.all += testing::text_of(packed) + golden::digest_of(testing::bytes_of(*copy));
    sum.packed += !packed.changes.empty();
  }
  std::string text;
  for (const auto& [id, sum] : sums)
    text += std::format("filter {}: {} files, {} packed, {}\n", id, sum.files, sum.packed,
                        golden::digest_of(sum.all)) +
            testing::text_of(sum.violated);
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/random_filters.txt"));
}

}  // namespace
}  // namespace hepcheck::hdf5::random_filters
