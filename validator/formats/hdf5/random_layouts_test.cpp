// Random datasets with layouts of every version and class, of any rank and extent, filtered or not,
// with space that is allocated early or not at all, and with a mistake in some. What is read of
// them, their chunks if the layout itself leads to these, and all findings equal the golden file: a
// line for each set with a digest, and the number of findings of each clause.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <format>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/hdf5/object_header.h"
#include "validator/formats/hdf5/object_parts.h"
#include "validator/formats/hdf5/shared_message.h"
#include "validator/formats/hdf5/testing/chunk_walk.h"
#include "validator/formats/hdf5/testing/mistakes.h"
#include "validator/formats/hdf5/testing/said.h"
#include "validator/formats/hdf5/testing/zeros.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hdf5::random_layouts {
namespace {

using testing::message;
using testing::Said;
using testing::Zeros;

constexpr std::uint64_t kHeader = 1'024, kData = 4'096, kEnd = 8'192;

class Made {
 public:
  explicit Made(std::uint64_t seed) : random_(seed) {
    zeros_.notes.keep_places(100);
    zeros_.file.whole_format = !random_.once_in(8);
    zeros_.file.spread_unknown = random_.once_in(12);
    const std::uint64_t version = random_.once_in(40) ? random_.below(8) : 1 + random_.below(5);
    version_ = static_cast<unsigned>(version);
    constexpr unsigned kClasses[] = {0, 1, 1, 2, 2, 2, 2, 3};
    class_ = random_.one_of(kClasses);
    if (class_ == 3 && version_ < 4) class_ = 1;
    extent();
    filtered_ = class_ == 2 && random_.once_in(2);
    constexpr unsigned kSizes[] = {1, 2, 4, 8};
    element_ = random_.one_of(kSizes);
    write();
  }

  void read(Said& said) {
    Headers headers(zeros_.file);
    SharedMessages shared(zeros_.file, headers);
    const auto header = headers.read(kHeader);
    if (!header) return said.add(zeros_.notes);
    const Dataset made = read_dataset(*header, "/d", zeros_.file, shared);
    const DataLayout& layout = made.layout;
    said.all += std::format("{} {} {} {} {} {} {} {} {} {}\n", static_cast<unsigned>(made.known),
                            layout.version, layout.class_byte, layout.address, layout.size,
                            layout.dimensionality, layout.flags, layout.index_byte,
                            layout.compact.size(), layout.encoded);
    for (unsigned d = 0; d < made.rank(); ++d)
      said.all +=
          std::format("{} {} {},", made.space.sizes[d], made.space.maxima[d], layout.chunk[d]);
    if (made.known == Dataset::Known::kLayout) {
      said.all += std::format("{}\n", made.space.elements());
      if (layout.chunked())
        said.all += std::format("{} {}\n", chunks_of_extent(made), most_chunks_of_all(made));
      if (layout.chunked() &&
          (made.index() == IndexType::kSingle || made.index() == IndexType::kImplicit ||
           layout.address == kUndefined))
        said.all += testing::walked(zeros_, made) + '\n';
    }
    said.add(zeros_.notes);
  }

 private:
  bool wrong() { return mistakes_.made(); }
  std::uint64_t perhaps(std::uint64_t right) { return mistakes_.perhaps(right); }

  void extent() {
    const unsigned rank = class_ == 2 && !wrong() ? 1 + random_.number(3) : random_.number(4);
    for (unsigned d = 0; d < rank; ++d) {
      const std::uint64_t size = random_.once_in(8) ? 0 : 1 + random_.below(6);
      sizes_.push_back(size);
      std::uint64_t most = size;
      if (class_ == 2 || wrong()) {
        if (random_.once_in(3)) most = kUndefined;
        if (random_.once_in(3)) most = size + random_.below(3);
      }
      maxima_.push_back(most);
    }
  }
  bool grows() const { return sizes_ != maxima_; }
  std::uint64_t bytes() const {
    std::uint64_t made = element_;
    for (const std::uint64_t each : sizes_) made *= each;
    return made;
  }

  std::string space() {
    std::string made = number(2, 1) + number(sizes_.size(), 1);
    const bool stated = grows() || random_.once_in(2);
    made += number(stated ? 1 : 0, 1) + number(sizes_.empty() ? 0 : 1, 1);
    for (const std::uint64_t each : sizes_) made += number(each, 8);
    for (const std::uint64_t each : maxima_)
      if (stated) made += number(each, 8);
    return made;
  }

  // Of values, or of an index; or of nothing.
  std::uint64_t address(std::uint64_t size) {
    if (random_.once_in(4)) return kUndefined;
    if (!wrong()) return kData;
    return random_.once_in(2) ? kEnd - size : kEnd - size + 1;
  }

  std::string values() {
    const std::uint64_t size = perhaps(bytes());
    std::string made = number(size, version_ < 3 ? 4 : 2);
    return made + std::string(std::min<std::uint64_t>(size, 2'000), 'v');
  }

  std::string old_layout() {
    const std::uint64_t dimensions = sizes_.size() + (class_ == 2 || random_.once_in(2) ? 1 : 0);
    std::string made = number(version_, 1) + number(perhaps(dimensions), 1);
    made += number(class_, 1);
    made += number(wrong() ? 1 : 0, 5);
    if (class_ != 0) made += number(address(bytes()), 8);
    for (std::size_t d = 0; d < sizes_.size(); ++d)
      made += number(perhaps(class_ == 2 ? 1 + random_.below(3) : sizes_[d]), 4);
    if (dimensions > sizes_.size()) made += number(perhaps(element_), 4);
    return class_ == 0 ? made + values() : made;
  }

  std::string chunked() {
    std::vector<std::uint64_t> chunk;
    std::size_t unlimited = 0;
    bool whole = true;
    for (const std::uint64_t most : maxima_) {
      unlimited += most == kUndefined;
      std::uint64_t size = 1 + random_.below(3);
      if (most != kUndefined && most > 0 && random_.once_in(2)) size = most;
      whole = whole && size == most;
      chunk.push_back(wrong() ? 0 : size);
    }
    unsigned index = unlimited == 1       ? 4
                     : unlimited > 1      ? 5
                     : whole              ? 1
                     : random_.once_in(2) ? 2
                                          : 3;
    if (index == 2 && filtered_) index = 3;
    if (random_.once_in(12)) index = random_.number(7);
    early_ = index == 2 && !wrong();
    unsigned flags = index == 1 && filtered_ ? 2 : 0;
    if (random_.once_in(8)) flags |= 1;
    if (wrong()) flags ^= 2U << random_.below(3);
    const unsigned width = random_.once_in(6) ? 1 + random_.number(8) : 1;
    std::string made = number(flags, 1) + number(perhaps(chunk.size() + 1), 1);
    made += number(wrong() ? 9 * random_.below(2) : width, 1);
    for (const std::uint64_t each : chunk) made += number(each, width);
    made += number(perhaps(element_), width) + number(index, 1);
    if (index == 1 && (flags & 2) != 0) {
      made += number(perhaps(17), 8);
      made += number(random_.below(3), 4);
    }
    if (index == 3) made += number(wrong() ? 0 : 10, 1);
    if (index == 4) {
      std::string parameters("\x20\4\4\x10\x0a");
      if (wrong()) parameters[random_.below(parameters.size())] = '\0';
      made += parameters;
    }
    if (index == 5) {
      constexpr std::uint64_t kNode = 512;
      made += number(wrong() ? 0 : kNode, 4);
      made += number(wrong() ? 101 : 100, 1);
      made += number(wrong() ? 0 : 40, 1);
    }
    return made + number(address(64), 8);
  }

  std::string new_layout() {
    std::string made = number(version_, 1) + number(wrong() ? 4 : class_, 1);
    if (class_ == 0) return made + values();
    if (class_ == 1) {
      made += number(address(bytes()), 8);
      return made + number(random_.once_in(6) ? 0 : perhaps(bytes()), 8);
    }
    if (class_ == 3) return made + number(kUndefined, 8) + number(0, 4);
    if (version_ > 3) return made + chunked();
    made += number(perhaps(sizes_.size() + 1), 1);
    made += number(address(64), 8);
    for (std::size_t d = 0; d < sizes_.size(); ++d)
      made += number(wrong() ? 0 : 1 + random_.below(3), 4);
    return made + number(perhaps(element_), 4);
  }

  void write() {
    std::string layout = version_ < 3 ? old_layout() : new_layout();
    if (random_.once_in(20)) layout.pop_back();
    if (random_.once_in(20)) layout += '\0';
    std::string all = message(1, space());
    all += message(3, number(0x10, 1) + number(0, 3) + number(element_, 4) + number(0, 2) +
                          number(8 * element_, 2));
    const unsigned allocation = early_ || random_.once_in(4) ? 1 : 2 + random_.number(2);
    all += message(5, number(3, 1) + number(allocation | random_.number(3) << 2, 1));
    if (filtered_)
      all += message(11, number(2, 1) + number(1, 1) + number(1, 2) + number(1, 2) + number(1, 2) +
                             number(6, 4));
    all += message(8, layout);
    zeros_.write(kHeader, testing::header(all));
  }

  Random random_;
  testing::Mistakes mistakes_{random_, 30};
  Zeros zeros_{kEnd};
  unsigned version_ = 3, class_ = 1, element_ = 1;
  bool filtered_ = false, early_ = false;
  std::vector<std::uint64_t> sizes_{}, maxima_{};
};

TEST(RandomLayouts, ReadingsEqualTheGoldenFile) {
  EXPECT_TRUE(golden::equals(testing::said_of_sets<Made>(20, 300),
                             "validator/formats/hdf5/golden/random_layouts.txt"));
}

}  // namespace
}  // namespace hepcheck::hdf5::random_layouts
