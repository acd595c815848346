// The clauses on extensible arrays.
#include <algorithm>
#include <bit>
#include <format>
#include <string>

#include "validator/formats/hdf5/extensible_array.h"

namespace hepcheck::hdf5 {

namespace {

std::string checksum_text(const Summed& sum) { return std::format("checksum {:08x}", sum.stored); }
std::string checksum_wanted(const Summed& sum) {
  return std::format("{:08x}, that of the bytes before it", sum.computed);
}

// --- The header ---------------------------------------------------------------------------------

void header_signature(const EaHeader& it, Look& look) {
  look.looked();
  if (!it.region.begins("EAHD")) look.fail(0, "other bytes", "EAHD");
}

void header_checksum(const EaHeader& it, Look& look) {
  look.looked();
  if (!it.sum.good()) look.fail(it.sum.at, checksum_text(it.sum), checksum_wanted(it.sum));
}

void header_version(const EaHeader& it, Look& look) {
  look.looked();
  if (it.version != 0) look.fail(4, std::format("version {}", it.version), "version 0");
}

void client(const EaHeader& it, Look& look) {
  look.looked();
  const unsigned wanted = it.dataset.filtered() ? 1 : 0;
  if (it.client != wanted)
    look.fail(5, std::format("client {}", it.client),
              wanted == 1 ? "1, that of filtered chunks" : "0, that of chunks without filters");
}

void element_size(const EaHeader& it, Look& look) {
  look.looked();
  if (it.element_size != it.element_size_wanted)
    look.fail(6, std::format("elements of {} bytes", it.element_size),
              std::format("{} bytes", it.element_size_wanted));
}

void parameters_as_layout(const EaHeader& it, Look& look) {
  look.looked();
  const DataLayout& layout = it.dataset.layout;
  const auto compare = [&](std::uint64_t at, std::string_view name, unsigned stated,
                           unsigned wanted) {
    if (stated != wanted)
      look.fail(at, std::format("{} {}", name, stated),
                std::format("{}, as in the layout", wanted));
    return stated == wanted;
  };
  // One mismatched parameter is sufficient.
  (void)(compare(7, "max bits", it.max_bits, layout.max_bits) &&
         compare(8, "index elements", it.index_elements, layout.index_elements) &&
         compare(9, "min elements", it.min_elements, layout.min_elements) &&
         compare(10, "min pointers", it.min_pointers, layout.min_pointers) &&
         compare(11, "page bits", it.page_bits, layout.page_bits));
}

void parameters_range(const EaHeader& it, Look& look) {
  look.looked();
  const auto bad = [&](std::uint64_t at, std::string observed, std::string expected) {
    look.fail(at, std::move(observed), std::move(expected));
  };
  if (it.max_bits < 1 || it.max_bits > 64)
    return bad(7, std::format("max bits {}", it.max_bits), "1 to 64");
  if (it.index_elements < 1) return bad(8, "index elements 0", "1 or more");
  if (!std::has_single_bit(it.min_elements))
    return bad(9, std::format("min elements {}", it.min_elements), "a power of two");
  if (!std::has_single_bit(it.min_pointers) || it.min_pointers < 2)
    return bad(10, std::format("min pointers {}", it.min_pointers), "a power of two from 2 on");
  if (it.page_bits < 1 || it.page_bits > it.max_bits)
    return bad(11, std::format("page bits {}", it.page_bits),
               std::format("1 to {}, the max bits", it.max_bits));
  if (it.log_elements() + it.index_super_blocks() > it.max_bits + 1U)
    return bad(9,
               std::format("min elements {} and min pointers {} with max bits {}", it.min_elements,
                           it.min_pointers, it.max_bits),
               "parameters that leave no less than no super blocks");
  const bool unpaged = it.page_bits >= 16 ||
                       (std::uint64_t{it.min_elements} * it.min_pointers <= it.page_elements() &&
                        it.index_elements <= it.page_elements());
  if (!unpaged)
    bad(11, std::format("page bits {}", it.page_bits),
        "pages that fit every block in the index block");
}

void empty(const EaHeader& it, Look& look) {
  if (it.index_block != kUndefined) return;
  look.looked();
  const EaStatistics& all = it.stated;
  const std::uint64_t any = all.super_blocks | all.super_block_bytes | all.data_blocks |
                            all.data_block_bytes | all.max_index | all.realized;
  if (any != 0) look.fail(12, "statistics above 0 without an index block", "0 everywhere");
}

constexpr Rule<EaHeader> kEaHeaderRules[] = {
    {"swmr-earray-header-signature", header_signature},
    {"swmr-earray-header-checksum", header_checksum},
    {"swmr-earray-header-version", header_version},
    {"swmr-earray-client", client},
    {"swmr-earray-element-size", element_size},
    {"swmr-earray-parameters-as-layout", parameters_as_layout},
    {"swmr-earray-parameters-range", parameters_range},
    {"swmr-earray-empty", empty},
};

// --- Its blocks ---------------------------------------------------------------------------------

template <EaKind kKind>
void signature(const EaBlock& it, Look& look) {
  if (it.kind != kKind) return;
  look.looked();
  if (!it.region.begins(to_string(kKind)))
    look.fail(0, "other bytes", std::string(to_string(kKind)));
}

template <EaKind kKind>
void checksum(const EaBlock& it, Look& look) {
  if (it.kind != kKind) return;
  look.looked();
  if (!it.sum.good()) look.fail(it.sum.at, checksum_text(it.sum), checksum_wanted(it.sum));
}

void block_version(const EaBlock& it, Look& look) {
  look.looked();
  if (it.version != 0) look.fail(4, std::format("version {}", it.version), "version 0");
}

void block_client(const EaBlock& it, Look& look) {
  look.looked();
  if (it.client != it.client_wanted)
    look.fail(5, std::format("client {}", it.client),
              std::format("{}, as in the header", it.client_wanted));
}

void block_owner(const EaBlock& it, Look& look) {
  look.looked();
  if (it.owner != it.owner_wanted)
    look.fail(6, std::format("header address {}", it.owner),
              std::format("{}, the header that leads here", it.owner_wanted));
}

constexpr Rule<EaBlock> kBlockRules[] = {
    {"swmr-earray-index-block-signature", signature<EaKind::kIndex>},
    {"swmr-earray-super-block-signature", signature<EaKind::kSuper>},
    {"swmr-earray-data-block-signature", signature<EaKind::kData>},
    {"swmr-earray-index-block-checksum", checksum<EaKind::kIndex>},
    {"swmr-earray-super-block-checksum", checksum<EaKind::kSuper>},
    {"swmr-earray-data-block-checksum", checksum<EaKind::kData>},
    {"swmr-earray-block-version", block_version},
    {"swmr-earray-block-client", block_client},
    {"swmr-earray-block-owner", block_owner},
};

template <EaKind kKind>
void offset(const EaOffset& it, Look& look) {
  if (it.kind != kKind) return;
  look.looked();
  if (it.stated != it.wanted && it.stated != it.also)
    look.fail(0, std::format("block offset {}", it.stated),
              std::format("{}, the number of its first element", it.wanted));
}

constexpr Rule<EaOffset> kOffsetRules[] = {
    {"swmr-earray-super-block-offset", offset<EaKind::kSuper>},
    {"swmr-earray-data-block-offset", offset<EaKind::kData>},
};

void bitmap_tail(const EaBitmap& it, Look& look) {
  look.looked();
  if (const std::uint64_t bit = first_page_bit(it.bits, it.pages); bit != kUndefined)
    look.fail(bit / 8, std::format("bit {} of {} pages", bit, it.pages),
              "no bits after the last page");
}

void bitmap_block(const EaBitmap& it, Look& look) {
  look.looked();
  Cursor read(it.blocks);
  for (std::uint64_t block = 0; read.rest() > 0; ++block) {
    if (read.address(it.offset_size) != kUndefined) continue;
    for (std::uint64_t page = block * it.of_block; page < (block + 1) * it.of_block; ++page)
      if (page_bit(it.bits, page))
        return look.fail(
            page / 8, std::format("the bit of page {}, of the absent data block {}", page, block),
            "no bits of absent blocks");
  }
}

constexpr Rule<EaBitmap> kBitmapRules[] = {
    {"swmr-earray-bitmap-tail", bitmap_tail},
    {"swmr-earray-bitmap-block", bitmap_block},
};

constexpr Rule kPageRule("swmr-earray-page-checksum", [](const EaPage& it, Look& look) {
  look.looked();
  if (!it.sum.good())
    look.fail(it.sum.at, std::format("checksum {:08x} of page {}", it.sum.stored, it.number),
              std::format("{:08x}, that of its elements", it.sum.computed));
});

// --- The statistics -----------------------------------------------------------------------------

template <std::uint64_t EaStatistics::* kMember, unsigned kPlace>
void statistic(const EaTotals& it, Look& look) {
  constexpr std::string_view kNames[] = {
      "super blocks",     "bytes of super blocks", "data blocks", "bytes of data blocks", "",
      "elements realized"};
  look.looked();
  if (it.stated.*kMember != it.found.*kMember)
    look.fail(12 + kPlace * it.length_size,
              std::format("{} {}", it.stated.*kMember, kNames[kPlace]),
              std::format("{}, as found", it.found.*kMember));
}

void max_index(const EaTotals& it, Look& look) {
  look.looked();
  if (it.beyond_last > it.stated.max_index)
    look.fail(12 + 4 * it.length_size,
              std::format("maximum index {}, with a chunk at element {}", it.stated.max_index,
                          it.beyond_last - 1),
              "a number above that of every chunk",
              "Readers treat elements at and beyond the maximum index as absent.");
}

constexpr Rule<EaTotals> kEaTotalRules[] = {
    {"swmr-earray-super-block-count", statistic<&EaStatistics::super_blocks, 0>},
    {"swmr-earray-super-block-bytes", statistic<&EaStatistics::super_block_bytes, 1>},
    {"swmr-earray-data-block-count", statistic<&EaStatistics::data_blocks, 2>},
    {"swmr-earray-data-block-bytes", statistic<&EaStatistics::data_block_bytes, 3>},
    {"swmr-earray-max-index", max_index},
    {"swmr-earray-realized", statistic<&EaStatistics::realized, 5>},
};

}  // namespace

void extensible_array_rules(RuleList& list) {
  list.structure<kEaHeaderRules, kBlockRules, kOffsetRules, kBitmapRules, kPageRule,
                 kEaTotalRules>();
}

bool holds(const EaHeader& header, const Place& at, Notes& notes) {
  return judge<kEaHeaderRules>(header, at, notes);
}
bool holds(const EaBlock& block, const Place& at, Notes& notes) {
  return judge<kBlockRules>(block, at, notes);
}
bool holds(const EaOffset& offset, const Place& at, Notes& notes) {
  return judge<kOffsetRules>(offset, at, notes);
}
bool holds(const EaBitmap& bitmap, const Place& at, Notes& notes) {
  return judge<kBitmapRules>(bitmap, at, notes);
}
bool holds(const EaPage& page, const Place& at, Notes& notes) {
  return judge<kPageRule>(page, at, notes);
}
bool holds(const EaTotals& totals, const Place& at, Notes& notes) {
  return judge<kEaTotalRules>(totals, at, notes);
}

std::string_view to_string(EaKind kind) {
  switch (kind) {
    case EaKind::kIndex: return "EAIB";
    case EaKind::kSuper: return "EASB";
    case EaKind::kData: return "EADB";
  }
  return "?";
}

unsigned EaHeader::log_elements() const {
  return static_cast<unsigned>(std::bit_width(min_elements)) - 1;
}

unsigned EaHeader::index_super_blocks() const {
  return 2 * (static_cast<unsigned>(std::bit_width(min_pointers)) - 1);
}

unsigned EaHeader::super_blocks() const {
  return 1 + max_bits - log_elements() - index_super_blocks();
}

std::uint64_t EaHeader::data_blocks(unsigned super_block) const {
  return std::uint64_t{1} << super_block / 2;
}

std::uint64_t EaHeader::elements(unsigned super_block) const {
  return product(min_elements, std::uint64_t{1} << (super_block + 1) / 2);
}

std::uint64_t EaHeader::start(unsigned super_block) const {
  const std::uint64_t blocks =
      super_block < 64 ? (std::uint64_t{1} << super_block) - 1 : kUndefined;
  return product(min_elements, blocks);
}

std::uint64_t EaHeader::pages(unsigned super_block) const {
  return paged(super_block) ? elements(super_block) / page_elements() : 0;
}

}  // namespace hepcheck::hdf5
