#include "validator/formats/hdf5/extensible_array.h"

#include "validator/formats/hdf5/array_elements.h"

namespace hepcheck::hdf5 {

namespace {

class Array {
 public:
  Array(const Dataset& dataset, Container& file, Chunks& chunks)
      : file_(file), elements_(dataset, file, chunks), structure_(file.new_structure()),
        header_{.dataset = dataset, .element_size_wanted = elements_.size()} {}

  bool walk(std::uint64_t address) {
    const std::uint64_t size = 16 + 6 * std::uint64_t{file_.length_size} + file_.offset_size;
    const auto met = file_.meet(address, structure_);
    const auto block = file_.block("EAHD", address, size);
    if (!block || !header(block->region())) return false;
    address_ = address;
    file_.accept("EAHD", address, size);
    if (met != Container::Met::kFirst) return false;
    if (header_.index_block == kUndefined) return true;
    if (!index_block()) return false;
    const EaTotals totals{header_.stated, found_, elements_.beyond_last(), file_.length_size};
    if (file_.totals) file_.totals(address, totals);
    // A writer that has the file open writes the header last.
    return (file_.open_for_writing && !file_.being_written) ||
           holds(totals, block->region().place, file_.notes);
  }

 private:
  bool header(const Region& region) {
    const unsigned length = file_.length_size;
    header_.region = region;
    header_.sum = sum_of(region);
    Cursor read(region);
    read.take(4, "signature");
    header_.version = read.u8("version");
    header_.client = read.u8("client");
    header_.element_size = read.u8("element size");
    header_.max_bits = read.u8("max bits");
    header_.index_elements = read.u8("index elements");
    header_.min_elements = read.u8("min elements");
    header_.min_pointers = read.u8("min pointers");
    header_.page_bits = read.u8("page bits");
    EaStatistics& all = header_.stated;
    all.super_blocks = read.number(length, "super blocks");
    all.super_block_bytes = read.number(length, "super block bytes");
    all.data_blocks = read.number(length, "data blocks");
    all.data_block_bytes = read.number(length, "data block bytes");
    all.max_index = read.number(length, "max index");
    all.realized = read.number(length, "realized elements");
    header_.index_block = read.address(file_.offset_size, "index block");
    return holds(header_, region.place, file_.notes);
  }

  std::uint64_t most() const { return file_.being_written ? kUndefined : header_.stated.max_index; }

  // Judges the common part of blocks, and accepts them; the rest of `size` bytes may be pages.
  bool accept(EaKind kind, std::uint64_t address, const Region& region, std::uint64_t size,
              Container::Met met) {
    EaBlock block{.kind = kind,
                  .region = region,
                  .sum = sum_of(region),
                  .client_wanted = header_.client,
                  .owner_wanted = address_};
    Cursor read(region);
    read.take(4, "signature");
    block.version = read.u8("version");
    block.client = read.u8("client");
    block.owner = read.address(file_.offset_size, "owner");
    if (!holds(block, region.place, file_.notes)) return false;
    file_.accept(to_string(kind), address, size);
    return met == Container::Met::kFirst;
  }

  bool index_block() {
    const unsigned width = file_.offset_size;
    const std::uint64_t elements = header_.index_elements * elements_.size();
    const std::uint64_t pointers = 2 * (header_.min_pointers - std::uint64_t{1});
    const std::uint64_t fixed = 6 + std::uint64_t{width};
    const std::uint64_t size =
        fixed + elements + (pointers + header_.super_blocks()) * width + kChecksum;
    const auto met = file_.meet(header_.index_block, structure_);
    const auto block = file_.block("EAIB", header_.index_block, size);
    if (!block || !accept(EaKind::kIndex, header_.index_block, block->region(), size, met))
      return false;
    found_.realized = header_.index_elements;
    const Region region = block->region();
    elements_.take(region.part(fixed, elements), 0, most());
    bool sound = true;
    Cursor read(region.part(fixed + elements));
    for (unsigned u = 0, place = 0; u < header_.index_super_blocks(); ++u)
      for (std::uint64_t k = 0; k < header_.data_blocks(u); ++k, ++place) {
        const std::uint64_t address = read.address(width, "address");
        if (address == kUndefined) continue;
        const std::uint64_t quirk = sum(header_.start(u), product(place, header_.elements(u)));
        sound &= data_block(address, u, k, quirk, {});
        if (file_.exhausted()) return false;
      }
    for (unsigned s = 0; s < header_.super_blocks(); ++s) {
      const std::uint64_t address = read.address(width, "address");
      if (address != kUndefined) sound &= super_block(address, header_.index_super_blocks() + s);
      if (file_.exhausted()) return false;
    }
    return sound;
  }

  bool super_block(std::uint64_t address, unsigned u) {
    const unsigned width = file_.offset_size;
    const std::uint64_t blocks = header_.data_blocks(u), pages = header_.pages(u);
    const std::uint64_t bitmap = product(blocks, divided_up(pages, 8));
    const std::uint64_t fixed = 6 + std::uint64_t{width} + header_.offset_bytes();
    const std::uint64_t size = sum(sum(fixed, bitmap), product(blocks, width) + kChecksum);
    const auto met = file_.meet(address, structure_);
    const auto block = file_.block("EASB", address, size);
    if (!block || !accept(EaKind::kSuper, address, block->region(), size, met)) return false;
    ++found_.super_blocks;
    found_.super_block_bytes += size;
    const Region region = block->region();
    judge_offset(EaKind::kSuper, region, header_.start(u), header_.start(u));
    const EaBitmap bits{.bits = region.part(fixed, bitmap),
                        .pages = product(blocks, pages),
                        .of_block = pages,
                        .blocks = region.part(fixed + bitmap, blocks * width),
                        .offset_size = width};
    name_contents(bits.bits, "page bits");
    if (pages > 0 && !holds(bits, bits.bits.place, file_.notes)) return false;
    bool sound = true;
    Cursor read(bits.blocks);
    for (std::uint64_t k = 0; k < blocks; ++k) {
      const std::uint64_t block_address = read.address(width, "block address");
      if (block_address == kUndefined) continue;
      const std::uint64_t first = sum(header_.start(u), product(k, header_.elements(u)));
      sound &= data_block(block_address, u, k, first, bits.bits);
      if (file_.exhausted()) return false;
    }
    return sound;
  }

  void judge_offset(EaKind kind, const Region& region, std::uint64_t wanted, std::uint64_t also) {
    const Region field = region.part(6 + file_.offset_size, header_.offset_bytes());
    Cursor read(field);
    holds(EaOffset{kind, read.number(header_.offset_bytes(), "block offset"), wanted, also},
          field.place, file_.notes);
  }

  // Block k of super block u. `bitmap`: the page bits of all blocks of the super block.
  bool data_block(std::uint64_t address, unsigned u, std::uint64_t k, std::uint64_t quirk,
                  const Region& bitmap) {
    const std::uint64_t pages = header_.pages(u), count = header_.elements(u);
    const std::uint64_t fixed = 6 + std::uint64_t{file_.offset_size} + header_.offset_bytes();
    const std::uint64_t values = product(count, elements_.size());
    const std::uint64_t size = sum(sum(fixed + kChecksum, values), product(pages, kChecksum));
    if (!file_.inside(address, size)) {
      file_.block("EADB", address, size);
      return false;
    }
    const std::uint64_t beginning = pages > 0 ? fixed + kChecksum : size;
    const auto met = file_.meet(address, structure_);
    const auto block = file_.block("EADB", address, beginning);
    if (!block || !accept(EaKind::kData, address, block->region(), size, met)) return false;
    ++found_.data_blocks;
    found_.data_block_bytes += size;
    found_.realized += count;
    const std::uint64_t first = sum(header_.start(u), product(k, count));
    judge_offset(EaKind::kData, block->region(), first, quirk);
    const std::uint64_t number = sum(header_.index_elements, first);
    if (pages == 0) {
      elements_.take(block->region().part(fixed, values), number, most());
      return true;
    }
    return take_pages(address + beginning, k * pages, pages, bitmap, number);
  }

  bool take_pages(std::uint64_t address, std::uint64_t first_bit, std::uint64_t pages,
                  const Region& bitmap, std::uint64_t number) {
    const std::uint64_t values = header_.page_elements() * elements_.size();
    bool sound = true;
    for (std::uint64_t page = 0; page < pages; ++page) {
      if (page_bit(bitmap, first_bit + page)) {
        const auto block = file_.block("EADB page", address, values + kChecksum);
        if (!block) return false;
        const Region region = block->region();
        if (holds(EaPage{sum_of(region), page}, region.place, file_.notes))
          elements_.take(region.part(0, values), number, most());
        else
          sound = false;
      } else {
        name_unused(file_.place("EADB", address), values + kChecksum, "page not in use");
      }
      address += values + kChecksum;
      number += header_.page_elements();
    }
    return sound;
  }

  Container& file_;
  Elements elements_;
  std::uint32_t structure_;
  EaHeader header_;
  std::uint64_t address_ = kUndefined;
  EaStatistics found_{};
};

}  // namespace

bool walk_extensible_array(const Dataset& dataset, Container& file, Chunks& chunks) {
  return Array(dataset, file, chunks).walk(dataset.layout.address);
}

}  // namespace hepcheck::hdf5
