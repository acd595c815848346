#include "validator/formats/hdf5/fixed_array.h"

#include <algorithm>
#include <format>

#include "validator/formats/hdf5/array_elements.h"
#include "validator/formats/hdf5/pages.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

// --- What is judged -----------------------------------------------------------------------------

struct ArrayHeader {
  const Dataset& dataset;
  Region region;
  std::uint64_t element_size_wanted, count_wanted;
  Summed sum{};
  std::uint8_t version = 0, client = 0, element_size = 0, page_bits = 0;
  std::uint64_t count = 0, block = kUndefined;

  bool paged() const { return page_bits < 64 && count > std::uint64_t{1} << page_bits; }
  std::uint64_t page_elements() const { return std::uint64_t{1} << page_bits; }
  std::uint64_t pages() const { return paged() ? divided_up(count, page_elements()) : 0; }
};

void header_signature(const ArrayHeader& it, Look& look) {
  look.looked();
  if (!it.region.begins("FAHD")) look.fail(0, "other bytes", "FAHD");
}

void header_checksum(const ArrayHeader& it, Look& look) {
  look.looked();
  if (!it.sum.good())
    look.fail(it.sum.at, std::format("checksum {:08x}", it.sum.stored),
              std::format("{:08x}, that of the bytes before it", it.sum.computed));
}

void header_version(const ArrayHeader& it, Look& look) {
  look.looked();
  if (it.version != 0) look.fail(4, std::format("version {}", it.version), "version 0");
}

void client(const ArrayHeader& it, Look& look) {
  look.looked();
  const unsigned wanted = it.dataset.filtered() ? 1 : 0;
  if (it.client != wanted)
    look.fail(5, std::format("client {}", it.client),
              wanted == 1 ? "1, that of filtered chunks" : "0, that of chunks without filters");
}

void header_element_size(const ArrayHeader& it, Look& look) {
  look.looked();
  if (it.element_size != it.element_size_wanted)
    look.fail(6, std::format("elements of {} bytes", it.element_size),
              std::format("{} bytes", it.element_size_wanted));
}

void page_bits_as_layout(const ArrayHeader& it, Look& look) {
  look.looked();
  if (it.page_bits != it.dataset.layout.page_bits)
    look.fail(7, std::format("page bits {}", it.page_bits),
              std::format("{}, as in the layout", it.dataset.layout.page_bits));
}

void page_bits_range(const ArrayHeader& it, Look& look) {
  look.looked();
  if (it.page_bits < 1 || it.page_bits > 63)
    look.fail(7, std::format("page bits {}", it.page_bits), "1 to 63");
}

void count(const ArrayHeader& it, Look& look) {
  look.looked();
  if (it.count != it.count_wanted)
    look.fail(8, std::format("{} elements", it.count),
              std::format("{}, one for each chunk of the maximum extent", it.count_wanted));
}

constexpr Rule<ArrayHeader> kArrayHeaderRules[] = {
    {"swmr-farray-header-signature", header_signature},
    {"swmr-farray-header-checksum", header_checksum},
    {"swmr-farray-header-version", header_version},
    {"swmr-farray-client", client},
    {"swmr-farray-element-size", header_element_size},
    {"swmr-farray-page-bits-as-layout", page_bits_as_layout},
    {"swmr-farray-page-bits-range", page_bits_range},
    {"swmr-farray-count", count},
};

struct ArrayBlock {
  const ArrayHeader& header;
  std::uint64_t header_address;
  Region region;
  Summed sum;  // of the part before the first page
  std::uint8_t version = 0, client = 0;
  std::uint64_t owner = 0;
  Region bitmap{};
};

void block_signature(const ArrayBlock& it, Look& look) {
  look.looked();
  if (!it.region.begins("FADB")) look.fail(0, "other bytes", "FADB");
}

void block_checksum(const ArrayBlock& it, Look& look) {
  look.looked();
  if (!it.sum.good())
    look.fail(it.sum.at, std::format("checksum {:08x}", it.sum.stored),
              std::format("{:08x}, that of the bytes before it", it.sum.computed));
}

void block_version(const ArrayBlock& it, Look& look) {
  look.looked();
  if (it.version != 0) look.fail(4, std::format("version {}", it.version), "version 0");
}

void block_client(const ArrayBlock& it, Look& look) {
  look.looked();
  if (it.client != it.header.client)
    look.fail(5, std::format("client {}", it.client),
              std::format("{}, as in the header", it.header.client));
}

void block_owner(const ArrayBlock& it, Look& look) {
  look.looked();
  if (it.owner != it.header_address)
    look.fail(6, std::format("header address {}", it.owner),
              std::format("{}, the header that leads here", it.header_address));
}

void bitmap_tail(const ArrayBlock& it, Look& look) {
  if (!it.header.paged()) return;
  look.looked();
  if (const std::uint64_t bit = first_page_bit(it.bitmap, it.header.pages()); bit != kUndefined)
    look.fail(it.bitmap.place.offset + bit / 8,
              std::format("the bit of page {} of {} pages", bit, it.header.pages()),
              "no bits after the last page");
}

constexpr Rule<ArrayBlock> kArrayBlockRules[] = {
    {"swmr-farray-block-signature", block_signature},
    {"swmr-farray-block-checksum", block_checksum},
    {"swmr-farray-block-version", block_version},
    {"swmr-farray-block-client", block_client},
    {"swmr-farray-block-owner", block_owner},
    {"swmr-farray-bitmap-tail", bitmap_tail},
};

struct Page {
  Summed sum;
  std::uint64_t number;
};

constexpr Rule kArrayPageRule("swmr-farray-page-checksum", [](const Page& it, Look& look) {
  look.looked();
  if (!it.sum.good())
    look.fail(it.sum.at, std::format("checksum {:08x} of page {}", it.sum.stored, it.number),
              std::format("{:08x}, that of its elements", it.sum.computed));
});

// --- Reading ------------------------------------------------------------------------------------

class FixedArrayReader {
 public:
  FixedArrayReader(const Dataset& dataset, Container& file, Chunks& chunks)
      : file_(file), elements_(dataset, file, chunks), structure_(file.new_structure()),
        header_{.dataset = dataset,
                .region = {},
                .element_size_wanted = elements_.size(),
                .count_wanted = most_chunks_of_all(dataset)} {}

  bool walk(std::uint64_t address) {
    const std::uint64_t size = 12 + std::uint64_t{file_.length_size} + file_.offset_size;
    const auto met = file_.meet(address, structure_);
    const auto block = file_.block("FAHD", address, size);
    if (!block || !header(block->region())) return false;
    file_.accept("FAHD", address, size);
    if (met != Container::Met::kFirst) return false;
    return header_.block == kUndefined || data_block(address);
  }

 private:
  bool header(const Region& region) {
    header_.region = region;
    header_.sum = sum_of(region);
    Cursor read(region);
    read.take(4, "signature");
    header_.version = read.u8("version");
    header_.client = read.u8("client");
    header_.element_size = read.u8("element size");
    header_.page_bits = read.u8("page bits");
    header_.count = read.number(file_.length_size, "count");
    header_.block = read.address(file_.offset_size, "block");
    return judge<kArrayHeaderRules>(header_, region.place, file_.notes);
  }

  // In a block with pages, this is the part before the first.
  bool data_block(std::uint64_t header_address) {
    const std::uint64_t bitmap = divided_up(header_.pages(), 8);
    const std::uint64_t fixed = 6 + std::uint64_t{file_.offset_size};
    const std::uint64_t elements = product(header_.count, elements_.size());
    const std::uint64_t size =
        sum(sum(fixed, header_.paged() ? sum(bitmap, product(header_.pages(), kChecksum)) : 0),
            sum(elements, kChecksum));
    if (!file_.inside(header_.block, size)) {
      file_.block("FADB", header_.block, size);
      return false;
    }
    const std::uint64_t first = header_.paged() ? fixed + bitmap + kChecksum : size;
    const auto met = file_.meet(header_.block, structure_);
    const auto read_block = file_.block("FADB", header_.block, first);
    if (!read_block) return false;
    const Region region = read_block->region();
    ArrayBlock block{header_, header_address, region, sum_of(region)};
    Cursor read(region);
    read.take(4, "signature");
    block.version = read.u8("version");
    block.client = read.u8("client");
    block.owner = read.address(file_.offset_size, "owner");
    block.bitmap = read.take(bitmap, "page bits");
    if (!judge<kArrayBlockRules>(block, region.place, file_.notes)) return false;
    file_.accept("FADB", header_.block, size);
    if (met != Container::Met::kFirst) return false;
    if (header_.paged()) return pages(block.bitmap, header_.block + first);
    elements_.take(region.part(read.at(), elements), 0);
    return true;
  }

  bool pages(const Region& bitmap, std::uint64_t address) {
    bool sound = true;
    for (std::uint64_t page = 0; page < header_.pages(); ++page) {
      const std::uint64_t first = page * header_.page_elements();
      const std::uint64_t count = std::min(header_.page_elements(), header_.count - first);
      const std::uint64_t size = count * elements_.size() + kChecksum;
      if (page_bit(bitmap, page)) {
        const auto block = file_.block("FADB page", address, size);
        if (!block) return false;
        const Region region = block->region();
        if (judge<kArrayPageRule>(Page{sum_of(region), page}, region.place, file_.notes))
          elements_.take(region.part(0, size - kChecksum), first);
        else
          sound = false;
      } else {
        name_unused(file_.place("FADB", address), size, "page not in use");
      }
      address += size;
    }
    return sound;
  }

  Container& file_;
  Elements elements_;
  std::uint32_t structure_;
  ArrayHeader header_;
};

}  // namespace

void fixed_array_rules(RuleList& list) {
  list.structure<kArrayHeaderRules, kArrayBlockRules, kArrayPageRule>();
}

bool walk_fixed_array(const Dataset& dataset, Container& file, Chunks& chunks) {
  return FixedArrayReader(dataset, file, chunks).walk(dataset.layout.address);
}

}  // namespace hepcheck::hdf5
