#include "validator/formats/hdf5/array_elements.h"

#include <algorithm>
#include <bit>
#include <format>

#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

struct EmptyElement {
  std::uint64_t size;
  std::uint32_t mask;
};

constexpr Rule kElementRule("swmr-element-empty", [](const EmptyElement& it, Look& look) {
  look.looked();
  if (it.size != 0 || it.mask != 0)
    look.fail(0, std::format("an undefined address with size {} and mask {:#x}", it.size, it.mask),
              "size 0 and mask 0");
});

}  // namespace

void array_element_rules(RuleList& list) { list.structure<kElementRule>(); }

unsigned stored_size_width(const Dataset& dataset, const Container& file) {
  if (dataset.layout.version >= 5) return file.length_size;
  const auto log = static_cast<unsigned>(std::bit_width(dataset.layout.chunk_bytes())) - 1;
  return std::min(8U, 1 + (log + 8) / 8);
}

std::uint64_t element_size(const Dataset& dataset, const Container& file) {
  return file.offset_size + (dataset.filtered() ? stored_size_width(dataset, file) + 4U : 0U);
}

Numbering::Numbering(const Dataset& dataset) : rank_(dataset.rank()) {
  unsigned at = 0;
  for (const bool endless : {true, false})
    for (unsigned d = 0; d < rank_; ++d)
      if ((dataset.space.maxima[d] == kUndefined) == endless) order_[at++] = d;
  for (unsigned d = 0; d < rank_; ++d)
    counts_[d] = std::max<std::uint64_t>(1, most_chunks(dataset, d));
}

void Numbering::go_to(std::uint64_t number) {
  for (unsigned i = rank_; i > 1; --i) {
    scaled_[order_[i - 1]] = number % counts_[order_[i - 1]];
    number /= counts_[order_[i - 1]];
  }
  scaled_[order_[0]] = number;
}

void Elements::take(const Region& elements, std::uint64_t number, std::uint64_t most) {
  numbering_.go_to(number);
  Cursor read(elements);
  Chunk chunk{.size = chunks_.chunk_bytes(), .at = elements.place};
  for (; read.rest() >= size_; ++number, numbering_.next()) {
    chunk.at.offset = elements.place.offset + read.at();
    chunk.address = read.address(file_.offset_size, "address");
    if (dataset_.filtered()) {
      chunk.size = read.number(size_width_, "size");
      chunk.mask = read.u32("mask");
    }
    if (chunk.address == kUndefined) {
      if (dataset_.filtered())
        judge<kElementRule>(EmptyElement{chunk.size, chunk.mask}, chunk.at, file_.notes);
      continue;
    }
    beyond_last_ = number + 1;
    if (number >= most) continue;
    chunk.scaled = numbering_.scaled();
    chunks_.take(chunk);
  }
}

}  // namespace hepcheck::hdf5
