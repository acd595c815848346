#include "validator/formats/hdf5/fractal_heap.h"

#include <algorithm>
#include <bit>
#include <format>
#include <string>

#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

unsigned log2_of(std::uint64_t n) { return static_cast<unsigned>(std::bit_width(n)) - 1; }

// --- What is judged -----------------------------------------------------------------------------

struct HeapHeader {
  Region region;
  HeapGeometry geometry;
  Summed sum;
};

void header_signature(const HeapHeader& it, Look& look) {
  look.looked();
  if (!it.region.begins("FRHP")) look.fail(0, "other bytes", "FRHP");
}

void header_checksum(const HeapHeader& it, Look& look) {
  look.looked();
  if (!it.sum.good())
    look.fail(it.sum.at, std::format("checksum {:08x}", it.sum.stored),
              std::format("{:08x}, that of the bytes before it", it.sum.computed));
}

constexpr Rule kGeometryRule("swmr-fractal-heap-geometry", [](const HeapHeader& it, Look& look) {
  look.looked();
  const HeapGeometry& g = it.geometry;
  const auto power = [](std::uint64_t n) { return std::has_single_bit(n); };
  if (!power(g.width) || !power(g.start) || !power(g.most_direct) || g.start > g.most_direct)
    return look.fail(
        0, std::format("rows of {} blocks from {} to {} bytes", g.width, g.start, g.most_direct),
        "powers of two, the first size not above the last");
  if (g.bits > 64) return look.fail(0, std::format("a heap of 2^{} bytes", g.bits), "2^64 at most");
  const unsigned first = log2_of(g.start) + log2_of(g.width);
  const unsigned most = g.bits < first ? 0 : g.bits - first + 1;
  if (g.rows > most)
    look.fail(0, std::format("{} rows in a heap of 2^{} bytes", g.rows, g.bits),
              std::format("{} at most", most));
});

// The version of the header and of its blocks.
struct HeapVersion {
  std::uint8_t version;
};

constexpr Rule kVersionRule("swmr-fractal-heap-version", [](const HeapVersion& it, Look& look) {
  look.looked();
  if (it.version != 0) look.fail(4, std::format("version {}", it.version), "version 0");
});

constexpr Rule<HeapHeader> kHeapHeaderRules[] = {
    {"swmr-fractal-heap-signature", header_signature},
    {"swmr-fractal-heap-checksum", header_checksum},
};

struct HeapBlock {
  Region region;
  std::string_view kind;
  std::optional<Summed> sum;  // none: it has no checksum
  std::uint64_t owner, owner_wanted, offset, offset_wanted;
};

void block_signature(const HeapBlock& it, Look& look) {
  look.looked();
  if (!it.region.begins(it.kind)) look.fail(0, "other bytes", std::string(it.kind));
}

void block_checksum(const HeapBlock& it, Look& look) {
  if (!it.sum) return;
  look.looked();
  if (!it.sum->good())
    look.fail(it.sum->at, std::format("checksum {:08x}", it.sum->stored),
              std::format("{:08x}, that of the block", it.sum->computed));
}

void owner(const HeapBlock& it, Look& look) {
  look.looked();
  if (it.owner != it.owner_wanted)
    look.fail(5, std::format("header address {}", it.owner),
              std::format("{}, the header that leads here", it.owner_wanted));
}

void block_offset(const HeapBlock& it, Look& look) {
  look.looked();
  if (it.offset != it.offset_wanted)
    look.fail(5, std::format("block offset {}", it.offset),
              std::format("{}, the offset of the block in the heap", it.offset_wanted));
}

constexpr Rule<HeapBlock> kHeapBlockRules[] = {
    {"swmr-fractal-heap-block-signature", block_signature},
    {"swmr-fractal-heap-block-checksum", block_checksum},
};
constexpr Rule<HeapBlock> kCheckedBlockRules[] = {
    {"swmr-fractal-heap-owner", owner},
    {"swmr-fractal-heap-block-offset", block_offset},
};

struct HeapId {
  unsigned version, type;
  bool whole;  // the id is complete
  std::uint64_t offset, size;
  bool found;  // a block contains the object completely, after its prefix
};

constexpr Rule kIdRule("swmr-fractal-heap-id", [](const HeapId& it, Look& look) {
  look.looked();
  if (it.version != 0) return look.fail(0, std::format("version {}", it.version), "version 0");
  if (it.type > 2)
    return look.fail(0, std::format("type {}", it.type), "0 managed, 1 huge or 2 tiny");
  if (!it.whole) return look.fail(0, "an id that ends before its last field", "offset and length");
  if (!it.found)
    look.fail(0, std::format("an object of {} bytes at {} of the heap", it.size, it.offset),
              "an object inside a block, after its prefix");
});

}  // namespace

void fractal_heap_rules(RuleList& list) {
  list.structure<kHeapHeaderRules, kVersionRule, kGeometryRule, kHeapBlockRules, kCheckedBlockRules,
                 kIdRule>();
}

// --- Geometry -----------------------------------------------------------------------------------

unsigned HeapGeometry::length_bytes() const {
  return std::min((log2_of(most_direct) + 7) / 8, bytes_for(most_managed));
}

unsigned HeapGeometry::direct_rows() const { return log2_of(most_direct / start) + 2; }

std::uint64_t HeapGeometry::block_size(unsigned row) const {
  return row < 2 ? start : row < 65 ? product(start, std::uint64_t{1} << (row - 1)) : kUndefined;
}

std::uint64_t HeapGeometry::row_offset(unsigned row) const {
  return row == 0 ? 0 : product(width, block_size(std::max(row, 1U)));
}

unsigned HeapGeometry::rows_of(std::uint64_t size) const {
  const unsigned first = log2_of(start) + log2_of(width);
  return log2_of(size) < first ? 0 : log2_of(size) - first + 1;
}

// --- Reading ------------------------------------------------------------------------------------

class HeapReader {
 public:
  HeapReader(std::uint64_t address, Container& file)
      : file_(file), address_(address), structure_(file.new_structure()) {}

  std::optional<FractalHeap> read() {
    const unsigned width = file_.offset_size, length = file_.length_size;
    std::uint64_t size = 26 + 12 * std::uint64_t{length} + 3 * std::uint64_t{width};
    const auto met = file_.meet(address_, structure_);
    auto block = file_.block("FRHP", address_, size);
    if (!block) return std::nullopt;
    Cursor filters(block->region().part(7, 2));
    if (const std::uint16_t filter = filters.u16(); filter > 0 && block->region().begins("FRHP")) {
      size += length + kChecksum + filter;
      block = file_.block("FRHP", address_, size);
      if (!block) return std::nullopt;
    }
    if (!header(block->region())) return std::nullopt;
    file_.accept("FRHP", address_, size);
    if (met != Container::Met::kFirst) return std::nullopt;
    const HeapGeometry& geometry = heap_.geometry_;
    if (geometry.filter_length > 0) {
      file_.notes.not_examined("swmr-fractal-heap-id", "a fractal heap with filters");
      return std::nullopt;
    }
    if (geometry.root != kUndefined)
      heap_.whole_ = geometry.rows == 0 ? direct(geometry.root, 0, geometry.start)
                                        : indirect(geometry.root, 0, geometry.rows);
    std::ranges::sort(heap_.blocks_, {}, &FractalHeap::Stretch::offset);
    return std::move(heap_);
  }

 private:
  bool header(const Region& region) {
    const unsigned width = file_.offset_size, length = file_.length_size;
    HeapGeometry& g = heap_.geometry_;
    Cursor read(region);
    read.skip(4);
    g.version = read.u8();
    g.id_length = read.u16();
    g.filter_length = read.u16();
    g.flags = read.u8();
    g.most_managed = read.u32();
    read.skip(10 * std::uint64_t{length} + 2 * std::uint64_t{width});  // huge, free, counts
    g.width = read.u16();
    g.start = read.number(length);
    g.most_direct = read.number(length);
    g.bits = read.u16();
    read.skip(2);  // initial rows
    g.root = read.address(width);
    g.rows = read.u16();
    const HeapHeader header{region, g, sum_of(region)};
    return judge<kHeapHeaderRules>(header, region.place, file_.notes) &&
           judge<kVersionRule>(HeapVersion{g.version}, region.place, file_.notes) &&
           judge<kGeometryRule>(header, region.place, file_.notes);
  }

  std::uint64_t prefix() const {
    return 5 + std::uint64_t{file_.offset_size} + heap_.geometry_.offset_bytes();
  }

  bool block_holds(const Region& region, std::string_view kind, std::uint64_t offset,
                   std::optional<Summed> sum) {
    Cursor read(region);
    read.skip(4);
    const HeapVersion version{read.u8()};
    HeapBlock block{.region = region,
                    .kind = kind,
                    .sum = sum,
                    .owner = 0,
                    .owner_wanted = address_,
                    .offset = 0,
                    .offset_wanted = offset};
    block.owner = read.address(file_.offset_size);
    block.offset = read.number(heap_.geometry_.offset_bytes());
    return judge<kHeapBlockRules>(block, region.place, file_.notes) &&
           judge<kVersionRule>(version, region.place, file_.notes) &&
           judge<kCheckedBlockRules>(block, region.place, file_.notes);
  }

  bool direct(std::uint64_t address, std::uint64_t offset, std::uint64_t size) {
    const auto met = file_.meet(address, structure_);
    auto block = file_.block("FHDB", address, size);
    if (!block) return false;
    const Region region = block->region();
    std::optional<Summed> sum;
    if (heap_.geometry_.blocks_summed()) {
      Cursor stored(region.part(prefix()));
      sum = Summed{.stored = stored.u32(), .at = prefix()};
      // The checksum of the block with zeros in place of the checksum itself.
      const auto bytes = block->bytes().subspan(std::min(prefix(), size));
      const auto own = bytes.first(std::min<std::size_t>(kChecksum, bytes.size()));
      std::vector<std::byte> kept(own.begin(), own.end());
      std::ranges::fill(own, std::byte{0});
      sum->computed = lookup3(region.bytes);
      std::ranges::copy(kept, own.begin());
    }
    if (!block_holds(region, "FHDB", offset, sum)) return false;
    file_.accept("FHDB", address, size);
    if (met != Container::Met::kFirst) return false;
    heap_.blocks_.push_back({offset, prefix() + (sum ? kChecksum : 0), std::move(*block)});
    return true;
  }

  bool indirect(std::uint64_t address, std::uint64_t offset, unsigned rows) {
    const HeapGeometry& geometry = heap_.geometry_;
    const std::uint64_t entries = std::uint64_t{rows} * geometry.width;
    const std::uint64_t size = prefix() + entries * file_.offset_size + kChecksum;
    const auto met = file_.meet(address, structure_);
    const auto block = file_.block("FHIB", address, size);
    if (!block || !block_holds(block->region(), "FHIB", offset, sum_of(block->region())))
      return false;
    file_.accept("FHIB", address, size);
    if (met != Container::Met::kFirst) return false;
    bool sound = true;
    Cursor read(block->region().part(prefix()));
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned column = 0; column < geometry.width; ++column) {
        const std::uint64_t child = read.address(file_.offset_size);
        if (child == kUndefined) continue;
        const std::uint64_t child_size = geometry.block_size(row);
        const std::uint64_t child_offset = offset + geometry.row_offset(row) + column * child_size;
        sound &= row < geometry.direct_rows()
                     ? direct(child, child_offset, child_size)
                     : indirect(child, child_offset, geometry.rows_of(child_size));
        if (file_.exhausted()) return false;
      }
    return sound;
  }

  Container& file_;
  std::uint64_t address_;
  std::uint32_t structure_;
  FractalHeap heap_{};
};

std::optional<FractalHeap> FractalHeap::read(std::uint64_t address, Container& file) {
  return HeapReader(address, file).read();
}

std::optional<Region> FractalHeap::object(const Region& id, Container& file) const {
  constexpr unsigned kHuge = 1, kTiny = 2;
  Cursor read(id);
  const unsigned first = read.u8();
  HeapId judged{.version = first >> 6U,
                .type = first >> 4U & 3U,
                .whole = true,
                .offset = 0,
                .size = 0,
                .found = true};
  std::optional<Region> found;
  if (judged.version == 0 && judged.type == kHuge) {
    file.notes.not_examined("swmr-fractal-heap-id", "a huge object of a fractal heap");
    return std::nullopt;
  }
  if (judged.type == kTiny) {
    // The id contains the object. A long one has a second length byte.
    judged.size = (first & 15U) + 1U;
    if (geometry_.id_length > 18) judged.size = ((first & 15U) << 8U | read.u8()) + 1U;
    found = read.take(judged.size);
    judged.found = read.good();
  } else if (judged.type == 0) {
    judged.offset = read.number(geometry_.offset_bytes());
    judged.size = read.number(geometry_.length_bytes());
    judged.whole = read.good();
    const auto after = std::ranges::upper_bound(blocks_, judged.offset, {}, &Stretch::offset);
    judged.found = false;
    if (judged.whole && after != blocks_.begin()) {
      const Stretch& block = *std::prev(after);
      const std::uint64_t at = judged.offset - block.offset;
      const Region all = block.block.region();
      judged.found = at >= block.prefix && at <= all.size() && judged.size <= all.size() - at;
      found = all.part(at, judged.size);
    }
    if (judged.whole && !judged.found && !whole_) return std::nullopt;
  }
  if (!judge<kIdRule>(judged, id.place, file.notes)) return std::nullopt;
  return found;
}

}  // namespace hepcheck::hdf5
