// Random fixed and extensible arrays of chunks: of any parameters, with pages, blocks and elements
// that are there or not, of datasets in which any dimension is unlimited, and with a mistake in
// some. The chunks that are listed, what is counted, and all findings equal the golden file: a line
// for each set of arrays with a digest, and the number of findings of each clause.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <format>
#include <string>
#include <vector>

#include "validator/formats/hdf5/array_elements.h"
#include "validator/formats/hdf5/testing/chunk_walk.h"
#include "validator/formats/hdf5/testing/mistakes.h"
#include "validator/formats/hdf5/testing/said.h"
#include "validator/formats/hdf5/testing/zeros.h"
#include "validator/testing/golden_files.h"
#include "validator/testing/random.h"

namespace hepcheck::hdf5::random_arrays {
namespace {

using testing::summed;

constexpr std::uint64_t kBase = 512, kIndex = 256, kBlocks = 1'024, kData = 20'480, kEnd = 40'960;
constexpr unsigned kElement = 2;

// A dataset of one to three dimensions and its index.
class Made {
 public:
  explicit Made(std::uint64_t seed) : random_(seed) {
    width_ = random_.once_in(2) ? 4 : 8;
    zeros_.file.offset_size = zeros_.file.length_size = width_;
    zeros_.file.base = kBase;
    zeros_.file.end = kEnd;
    zeros_.notes.keep_places(100);
    if (random_.once_in(12)) zeros_.file.open_for_writing = true;
    const bool endless = random_.once_in(2);
    shape(endless);
    size_ = element_size(dataset_, zeros_.file);
    if (endless)
      extensible_array();
    else
      fixed_array();
  }

  std::string result() { return testing::walked(zeros_, dataset_); }
  const Notes& notes() const { return zeros_.notes; }

 private:
  std::uint64_t below(std::uint64_t end) { return random_.below(end); }
  bool wrong() { return mistakes_.made(); }
  std::uint64_t perhaps(std::uint64_t right) { return mistakes_.perhaps(right); }
  std::string block(const std::string& bytes) { return mistakes_.block(bytes); }

  void shape(bool endless) {
    Dataset& made = dataset_;
    const unsigned rank = 1 + random_.number(3);
    made.space.rank = static_cast<std::uint8_t>(rank);
    const unsigned unlimited = random_.number(rank);
    for (unsigned d = 0; d < rank; ++d) {
      const std::uint64_t chunk = 1 + below(3), most = 1 + below(rank == 1 ? 40 : 9);
      const bool grows = endless && d == unlimited;
      made.space.sizes[d] = grows ? below(60) : 1 + below(most);
      made.space.maxima[d] = grows ? kUndefined : most;
      made.layout.chunk[d] = static_cast<std::uint32_t>(chunk);
    }
    made.layout.chunk[rank] = kElement;
    made.layout.dimensionality = static_cast<std::uint8_t>(rank + 1);
    made.type.size = kElement;
    if (random_.once_in(2)) {
      made.filters.list = {{.id = filter_id::kDeflate, .values = {6}}};
      if (random_.once_in(3))
        made.filters.list.push_back({.id = filter_id::kShuffle, .values = {2}});
    }
    made.layout.version = random_.once_in(3) ? 5 : 4;
    made.layout.class_byte = static_cast<std::uint8_t>(LayoutClass::kChunked);
    made.layout.index_byte =
        static_cast<std::uint8_t>(endless ? IndexType::kExtensibleArray : IndexType::kFixedArray);
    made.layout.address = kIndex;
    made.layout_at = {"OHDR", 100, 20};
  }

  // Not what a mistake leads to.
  void write(std::uint64_t at, const std::string& bytes) {
    if (at + bytes.size() < kData) zeros_.write(kBase + at, bytes);
  }
  std::string address(std::uint64_t value) const { return number(value, width_); }
  // Room for a block, rarely that of another one or beyond the file.
  std::uint64_t place(std::uint64_t size) {
    if (wrong()) return random_.once_in(2) ? kBlocks : kEnd - size + 1;
    const std::uint64_t at = next_;
    next_ += size + 8 * below(2);
    return at;
  }
  bool fits(std::uint64_t size) const { return next_ + size + 8 < kData; }

  std::string element() {
    const bool here = !random_.once_in(3);
    const std::uint64_t bytes = dataset_.layout.chunk_bytes();
    std::uint64_t at = kUndefined, size = 0;
    std::uint32_t mask = 0;
    if (here || wrong()) {
      size = dataset_.filtered() ? 1 + below(bytes + 4) : bytes;
      if (random_.once_in(6)) mask = static_cast<std::uint32_t>(below(4));
    }
    if (here) {
      at = data_;
      data_ += size + 8 * below(2);
      if (wrong()) at = random_.once_in(2) ? kData : kEnd - size + 1;
    }
    std::string made = address(at);
    if (dataset_.filtered())
      made += number(size, stored_size_width(dataset_, zeros_.file)) + number(mask, 4);
    return made;
  }
  std::string elements(std::uint64_t count) {
    std::string made;
    for (std::uint64_t i = 0; i < count; ++i) made += element();
    return made;
  }
  // The head of a block, with the address of the header.
  std::string head(const std::string& signature) {
    std::string made = mistakes_.letters(signature);
    made += number(perhaps(0), 1);
    made += number(perhaps(client()), 1);
    return made + address(perhaps(kIndex));
  }
  unsigned client() const { return dataset_.filtered() ? 1 : 0; }
  // Bits of pages, of which the last are no pages.
  std::string bits(const std::vector<bool>& used) {
    std::string made((used.size() + 7) / 8, '\0');
    const std::uint64_t room = 8 * made.size();
    for (std::uint64_t i = 0; i < room; ++i)
      if (i < used.size() ? used[i] : wrong())
        made[i / 8] = static_cast<char>(made[i / 8] | 0x80 >> i % 8);
    return made;
  }

  void fixed_array() {
    std::uint64_t count = 1;
    for (unsigned d = 0; d < dataset_.rank(); ++d)
      count *= (dataset_.space.maxima[d] + dataset_.layout.chunk[d] - 1) / dataset_.layout.chunk[d];
    constexpr std::uint8_t kBits[] = {0, 1, 1, 2, 2, 3, 4, 5, 6, 63, 64, 200};
    dataset_.layout.page_bits = random_.one_of(kBits);
    const unsigned page_bits = dataset_.layout.page_bits;
    const std::uint64_t page = page_bits < 64 ? std::uint64_t{1} << page_bits : kUndefined;
    std::string header = "FAHD" + number(perhaps(0), 1);
    header += number(perhaps(client()), 1);
    header += number(perhaps(size_), 1);
    header += number(perhaps(page_bits), 1);
    header += number(perhaps(count), width_);
    const std::uint64_t at = place(0);
    header += address(random_.once_in(20) ? kUndefined : at);
    write(kIndex, block(header));
    std::string made = head("FADB");
    if (count <= page) return write(at, block(made + elements(count)));
    const std::uint64_t pages = (count + page - 1) / page;
    std::vector<bool> used;
    for (std::uint64_t i = 0; i < pages; ++i) used.push_back(!random_.once_in(4));
    made = block(made + bits(used));
    for (std::uint64_t i = 0; i < pages; ++i) {
      const std::uint64_t of_page = std::min(page, count - i * page);
      made += used[i] ? block(elements(of_page)) : std::string(of_page * size_ + 4, '\x55');
    }
    write(at, made);
  }

  // Those of the format, by super block.
  std::uint64_t blocks_of(unsigned u) const { return std::uint64_t{1} << u / 2; }
  std::uint64_t elements_of(unsigned u) const {
    return std::uint64_t{dataset_.layout.min_elements} << (u + 1) / 2;
  }
  std::uint64_t start_of(unsigned u) const {
    return dataset_.layout.min_elements * ((std::uint64_t{1} << u) - 1);
  }
  std::uint64_t pages_of(unsigned u) const {
    const std::uint64_t page = std::uint64_t{1} << dataset_.layout.page_bits;
    return elements_of(u) > page ? elements_of(u) / page : 0;
  }
  std::string number_of_element(std::uint64_t first) {
    return number(perhaps(first), (dataset_.layout.max_bits + 7U) / 8);
  }

  // Its address, or none.
  std::uint64_t data_block(unsigned u, std::uint64_t k, std::vector<bool>& used) {
    const std::uint64_t count = elements_of(u), pages = pages_of(u);
    const std::uint64_t size =
        6 + width_ + (dataset_.layout.max_bits + 7) / 8 + count * size_ + 4 * (pages + 1);
    const bool there = fits(size) && !random_.once_in(3);
    for (std::uint64_t i = 0; i < pages; ++i) used.push_back(there ? !random_.once_in(3) : wrong());
    if (!there) return kUndefined;
    std::string made = head("EADB");
    // In blocks of the index block, libhdf5 writes another number.
    made += number_of_element(start_of(u) + k * count);
    if (pages == 0) {
      made = block(made + elements(count));
    } else {
      made = block(made);
      const std::uint64_t page = count / pages;
      for (std::uint64_t i = 0; i < pages; ++i)
        made += used[used.size() - pages + i] ? block(elements(page))
                                              : std::string(page * size_ + 4, '\x55');
    }
    data_blocks_ += 1;
    data_block_bytes_ += made.size();
    realized_ += count;
    const std::uint64_t at = place(made.size());
    write(at, made);
    return at;
  }
  std::uint64_t super_block(unsigned u) {
    const std::uint64_t size = 6 + width_ + 8 + blocks_of(u) * (width_ + pages_of(u)) + 4;
    if (!fits(size) || random_.once_in(4)) return kUndefined;
    std::vector<bool> used;
    std::string addresses;
    for (std::uint64_t k = 0; k < blocks_of(u); ++k) {
      std::vector<bool> of_block;
      addresses += address(data_block(u, k, of_block));
      used.insert(used.end(), of_block.begin(), of_block.end());
    }
    std::string made = head("EASB");
    made += number_of_element(start_of(u));
    // Each data block has whole bytes, so there may be more of them than pages need.
    std::string of_pages = bits(used);
    of_pages.resize(blocks_of(u) * ((pages_of(u) + 7) / 8));
    made = block(made + of_pages + addresses);
    if (next_ + made.size() + 8 >= kData) return kUndefined;
    super_blocks_ += 1;
    super_block_bytes_ += made.size();
    const std::uint64_t at = place(made.size());
    write(at, made);
    return at;
  }

  void extensible_array() {
    DataLayout& layout = dataset_.layout;
    constexpr std::uint8_t kMaxBits[] = {5, 8, 10, 16, 32}, kPowers[] = {1, 2, 4},
                           kPointers[] = {2, 2, 4}, kPages[] = {2, 3, 3, 4, 4};
    layout.max_bits = random_.one_of(kMaxBits);
    layout.index_elements = static_cast<std::uint8_t>(1 + below(4));
    layout.min_elements = random_.one_of(kPowers);
    layout.min_pointers = random_.one_of(kPointers);
    layout.page_bits = random_.one_of(kPages);
    if (random_.once_in(8)) {
      constexpr std::uint8_t kFew[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, kMany[] = {1, 2, 8, 64, 128};
      layout.max_bits = random_.one_of(kFew);
      layout.min_elements = random_.one_of(kMany);
      layout.min_pointers = random_.one_of(kMany);
      layout.page_bits = random_.one_of(kFew);
      return write(kIndex, summed(header_of(kBlocks)));
    }
    if (random_.once_in(20)) {
      std::uint8_t* const any[] = {&layout.max_bits, &layout.index_elements, &layout.min_elements,
                                   &layout.min_pointers, &layout.page_bits};
      constexpr std::uint8_t kOdd[] = {0, 1, 3, 16, 33, 64, 65, 255};
      *random_.one_of(any) = random_.one_of(kOdd);
      return write(kIndex, summed(header_of(kBlocks)));
    }
    const auto log = [](unsigned n) { return static_cast<unsigned>(std::bit_width(n)) - 1; };
    const unsigned direct = 2 * log(layout.min_pointers),
                   all = 1 + layout.max_bits - log(layout.min_elements);
    std::string made = head("EAIB");
    made += elements(layout.index_elements);
    realized_ = layout.index_elements;
    for (unsigned u = 0; u < direct; ++u)
      for (std::uint64_t k = 0; k < blocks_of(u); ++k) {
        std::vector<bool> none;
        made += address(data_block(u, k, none));
      }
    for (unsigned u = direct; u < all; ++u)
      made +=
          address(u < 8 && start_of(u + 1) >> layout.max_bits == 0 ? super_block(u) : kUndefined);
    made = block(made);
    const std::uint64_t at = place(made.size());
    write(at, made);
    write(kIndex, block(header_of(random_.once_in(20) ? kUndefined : at)));
  }

  std::string header_of(std::uint64_t index_block) {
    const DataLayout& layout = dataset_.layout;
    std::string made = "EAHD" + number(perhaps(0), 1);
    for (const std::uint64_t each :
         {std::uint64_t{client()}, size_, std::uint64_t{layout.max_bits},
          std::uint64_t{layout.index_elements}, std::uint64_t{layout.min_elements},
          std::uint64_t{layout.min_pointers}, std::uint64_t{layout.page_bits}})
      made += number(perhaps(each), 1);
    // Chunks at or above the maximum index do not count.
    const std::uint64_t most = random_.once_in(4) ? below(60) : 300;
    const bool empty = index_block == kUndefined && random_.once_in(2);
    for (const std::uint64_t each :
         {super_blocks_, super_block_bytes_, data_blocks_, data_block_bytes_, most, realized_})
      made += number(empty ? 0 : perhaps(each), width_);
    return made + address(index_block);
  }

  Random random_;
  testing::Mistakes mistakes_{random_};
  unsigned width_ = 8;
  testing::Zeros zeros_{kEnd + kBase};
  Dataset dataset_{};
  std::uint64_t size_ = 0;  // of an element
  std::uint64_t next_ = kBlocks, data_ = kData;
  std::uint64_t super_blocks_ = 0, super_block_bytes_ = 0, data_blocks_ = 0, data_block_bytes_ = 0,
                realized_ = 0;
};

TEST(RandomArrays, WhatIsFoundEqualsTheGoldenFile) {
  constexpr std::uint64_t kSets = 20, kArrays = 200;
  std::string text;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    testing::Said said;
    std::size_t sound = 0;
    for (std::uint64_t i = 0; i < kArrays; ++i) {
      Made made(1'000 * set + i);
      const std::string result = made.result();
      sound += result.find("| sound") != std::string::npos;
      said.all += result + '\n';
      said.add(made.notes());
    }
    text += said.text(set, std::format("{} sound, ", sound));
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/random_arrays.txt"));
}

}  // namespace
}  // namespace hepcheck::hdf5::random_arrays
