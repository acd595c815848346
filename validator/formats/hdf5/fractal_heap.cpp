#include "validator/formats/hdf5/fractal_heap.h"

#include <algorithm>
#include <bit>
#include <format>
#include <string>

#include "validator/counted.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

unsigned log2_of(std::uint64_t n) { return static_cast<unsigned>(std::bit_width(n)) - 1; }

// --- What is judged -----------------------------------------------------------------------------

struct HeapHeader {
  Region region;
  HeapGeometry geometry;
  Summed sum;
  std::uint64_t id_length = 0;  // by the user of the heap; 0: not known
  unsigned offset_size = 8;
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
  if (g.rows > g.most_rows())
    look.fail(0, std::format("{} rows in a heap of 2^{} bytes", g.rows, g.bits),
              std::format("{} at most", g.most_rows()));
});

// --- The header, by the format specification ----------------------------------------------------

void id_length(const HeapHeader& it, Look& look) {
  constexpr std::uint64_t kMost = 4097;
  if (it.id_length == 0) return;
  look.looked();
  const HeapGeometry& g = it.geometry;
  // An empty heap has no ids yet.
  const bool empty = g.root == kUndefined && g.huge_objects == 0;
  const std::uint64_t least = empty ? 1 : 1 + g.offset_bytes() + g.length_bytes();
  if (g.id_length < least || g.id_length > kMost)
    look.fail(5, std::format("ids of {} bytes", g.id_length),
              std::format("{} to {}", least, kMost));
  else if (g.id_length != it.id_length)
    look.fail(5, std::format("ids of {} bytes", g.id_length),
              std::format("{}, as its records store them", it.id_length));
}

constexpr Rule kIdLengthRule("h5-fractal-heap-id-length", id_length);

struct HeapFilters {
  std::uint64_t stated, used;
};

constexpr Rule kFilterRule("h5-fractal-heap-filter-information", [](const HeapFilters& it,
                                                                    Look& look) {
  look.looked();
  if (it.used != it.stated)
    look.fail(
        7, std::format("{} bytes of filter information, of which {} are used", it.stated, it.used),
        "a filter pipeline of exactly that length");
});

void flags_reserved(const HeapHeader& it, Look& look) {
  look.looked();
  if ((it.geometry.flags & 0xfc) != 0)
    look.fail(9, std::format("flags {:#04x}", it.geometry.flags), "bits 2 to 7 clear");
}

void max_managed(const HeapHeader& it, Look& look) {
  look.looked();
  const HeapGeometry& g = it.geometry;
  const std::uint64_t prefix = g.prefix(it.offset_size);
  const std::uint64_t most = g.most_direct > prefix ? g.most_direct - prefix : 0;
  if (g.most_managed == 0 || g.most_managed > most)
    look.fail(10, std::format("managed objects of up to {} bytes", g.most_managed),
              std::format("1 to {}", most));
}

void starting_rows(const HeapHeader& it, Look& look) {
  look.looked();
  const HeapGeometry& g = it.geometry;
  const bool whole_root = g.starting_rows == 0 && g.rows > 0 && g.root != kUndefined;
  if (g.starting_rows > g.most_rows() || (whole_root && g.rows != g.most_rows()))
    look.fail(0, std::format("{} starting rows, {} rows now", g.starting_rows, g.rows),
              std::format("{} at most", g.most_rows()));
}

void empty_heap(const HeapHeader& it, Look& look) {
  look.looked();
  const HeapGeometry& g = it.geometry;
  const bool nothing = g.managed_size == 0 && g.allocated == 0 && g.iterator == 0 &&
                       g.managed_objects == 0 && g.free == 0 && g.rows == 0;
  if (g.root == kUndefined && !nothing)
    look.fail(0,
              std::format("no root block, {} bytes of managed space, {} managed objects, {} rows",
                          g.managed_size, g.managed_objects, g.rows),
              "no managed space and nothing managed");
  else if (g.root != kUndefined && g.managed_size == 0)
    look.fail(0, "a root block and 0 bytes of managed space", "a size above 0");
}

constexpr Rule<HeapHeader> kHeapRemarkRules[] = {
    {"h5-fractal-heap-flags-reserved", flags_reserved},
    {"h5-fractal-heap-max-managed", max_managed},
    {"h5-fractal-heap-starting-rows", starting_rows},
};
constexpr Rule kEmptyHeapRule("h5-fractal-heap-empty", empty_heap);

// A place of a direct block in a heap with filters.
struct FilteredPlace {
  std::uint64_t address, size;
};

constexpr Rule kFilteredSizeRule("h5-fractal-heap-filtered-size", [](const FilteredPlace& it,
                                                                     Look& look) {
  look.looked();
  if (it.address == kUndefined && it.size != 0)
    look.fail(0, std::format("an empty place with a stored size of {}", it.size), "0");
  else if (it.address != kUndefined && it.size == 0)
    look.fail(0, "a block with a stored size of 0", "a size above 0");
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
  bool found;                   // a block contains the object completely, after its prefix
  bool tiny_elsewhere = false;  // a tiny object is judged by another clause
};

constexpr Rule kHeapIdRule("swmr-fractal-heap-id", [](const HeapId& it, Look& look) {
  look.looked();
  if (it.version != 0) return look.fail(0, std::format("version {}", it.version), "version 0");
  if (it.type > 2)
    return look.fail(0, std::format("type {}", it.type), "0 managed, 1 huge or 2 tiny");
  if (!it.whole) return look.fail(0, "an id that ends before its last field", "offset and length");
  if (!it.found && !it.tiny_elsewhere)
    look.fail(0, std::format("an object of {} bytes at {} of the heap", it.size, it.offset),
              "an object inside a block, after its prefix");
});

struct IdBits {
  unsigned first, type;
};

constexpr Rule kIdReservedRule("h5-fractal-heap-id-reserved", [](const IdBits& it, Look& look) {
  if (it.type > 1) return;
  look.looked();
  if ((it.first & 15U) != 0)
    look.fail(0, std::format("a first byte of {:#04x}", it.first), "bits 0 to 3 clear");
});

struct TinyId {
  std::uint64_t size, most;
};

constexpr Rule kTinyIdRule("h5-fractal-heap-tiny-id", [](const TinyId& it, Look& look) {
  look.looked();
  if (it.size > it.most)
    look.fail(0, std::format("a tiny object of {} bytes", it.size),
              std::format("{} bytes at most, in its id", it.most));
});

// Two managed objects that share bytes, if there are any.
struct HeapApart {
  std::uint64_t before = 0, before_size = 0, offset = kUndefined;
};

constexpr Rule kApartRule("h5-fractal-heap-objects-apart", [](const HeapApart& it, Look& look) {
  look.looked();
  if (it.offset != kUndefined)
    look.fail(0,
              std::format("an object at {} of the heap inside that of {} bytes at {}", it.offset,
                          it.before_size, it.before),
              "objects that share no byte");
});

}  // namespace

void fractal_heap_rules(RuleList& list) {
  list.structure<kHeapHeaderRules, kVersionRule, kGeometryRule, kHeapBlockRules, kCheckedBlockRules,
                 kHeapIdRule, kIdLengthRule, kFilterRule, kHeapRemarkRules, kEmptyHeapRule,
                 kFilteredSizeRule, kIdReservedRule, kTinyIdRule, kApartRule>();
}

// --- Geometry -----------------------------------------------------------------------------------

unsigned HeapGeometry::length_bytes() const {
  return std::min((log2_of(most_direct) + 7) / 8, bytes_for(most_managed));
}

unsigned HeapGeometry::most_rows() const {
  const unsigned first = log2_of(start) + log2_of(width);
  return bits < first ? 0 : bits - first + 1;
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
  HeapReader(std::uint64_t address, Container& file, std::uint64_t id_length)
      : file_(file), address_(address), id_length_(id_length), structure_(file.new_structure()) {}

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
    heap_.place_ = block->region().place;
    if (geometry.filter_length > 0 && !file_.whole_format) {
      file_.notes.not_examined("swmr-fractal-heap-id", "a fractal heap with filters");
      return std::nullopt;
    }
    // The place of what the heap contains is not known.
    heap_.whole_ = geometry.root != kUndefined || empty_as_stated_;
    if (geometry.filter_length > 0 && geometry.rows == 0 && heap_.whole_) {
      const FilteredPlace root{geometry.root, geometry.root_size};
      if (!judge<kFilteredSizeRule>(root, heap_.place_, file_.notes)) heap_.whole_ = false;
    }
    if (geometry.root != kUndefined && heap_.whole_)
      heap_.whole_ = geometry.rows == 0 ? direct(geometry.root, 0, geometry.start,
                                                 {geometry.root_size, geometry.root_mask})
                                        : indirect(geometry.root, 0, geometry.rows);
    std::ranges::sort(heap_.blocks_, {}, &FractalHeap::Stretch::offset);
    if (file_.whole_format)
      heap_.huge_.read(geometry, geometry.filter_length > 0, heap_.place_, file_);
    return std::move(heap_);
  }

 private:
  bool header(const Region& region) {
    const unsigned width = file_.offset_size, length = file_.length_size;
    HeapGeometry& g = heap_.geometry_;
    Cursor read(region);
    read.take(4, "signature");
    g.version = read.u8("version");
    g.id_length = read.u16("id length");
    g.filter_length = read.u16("filter length");
    g.flags = read.u8("flags");
    g.most_managed = read.u32("most managed");
    g.next_huge = read.number(length, "next huge");
    g.huge_tree = read.address(width, "huge tree");
    g.free = read.number(length, "free");
    g.manager = read.address(width, "manager");
    g.managed_size = read.number(length, "managed size");
    g.allocated = read.number(length, "allocated");
    g.iterator = read.number(length, "iterator");
    g.managed_objects = read.number(length, "managed objects");
    g.huge_bytes = read.number(length, "huge bytes");
    g.huge_objects = read.number(length, "huge objects");
    g.tiny_bytes = read.number(length, "tiny bytes");
    g.tiny_objects = read.number(length, "tiny objects");
    g.width = read.u16("width");
    g.start = read.number(length, "start");
    g.most_direct = read.number(length, "most direct");
    g.bits = read.u16("bits");
    g.starting_rows = read.u16("starting rows");
    g.root = read.address(width, "root");
    g.rows = read.u16("rows");
    const HeapHeader header{region, g, sum_of(region), id_length_, width};
    if (!judge<kHeapHeaderRules>(header, region.place, file_.notes) ||
        !judge<kVersionRule>(HeapVersion{g.version}, region.place, file_.notes) ||
        !judge<kGeometryRule>(header, region.place, file_.notes) ||
        !judge<kIdLengthRule>(header, region.place, file_.notes))
      return false;
    if (g.filter_length > 0 && file_.whole_format) {
      g.root_size = read.number(length, "root size");
      g.root_mask = read.u32("root mask");
      if (!filters(read.take(g.filter_length))) return false;
    }
    judge_each<kHeapRemarkRules>(header, region.place, file_.notes);
    empty_as_stated_ = judge<kEmptyHeapRule>(header, region.place, file_.notes);
    return true;
  }

  bool filters(const Region& message) {
    std::optional<Filters> found = read_filters(message, file_);
    if (!found) return false;
    const HeapFilters length{message.size(), found->encoded};
    if (!found->sound || !judge<kFilterRule>(length, message.place, file_.notes)) return false;
    heap_.filters_ = std::move(*found);
    if (!file_.notes.silent())
      file_.profile.filters(heap_.filters_.list,
                            std::format("the fractal heap at {}", file_.base + address_));
    return true;
  }

  std::uint64_t prefix() const {
    return 5 + std::uint64_t{file_.offset_size} + heap_.geometry_.offset_bytes();
  }

  bool block_holds(const Region& region, std::string_view kind, std::uint64_t offset,
                   std::optional<Summed> sum) {
    Cursor read(region);
    read.take(4, "signature");
    const HeapVersion version{read.u8("version")};
    HeapBlock block{.region = region,
                    .kind = kind,
                    .sum = sum,
                    .owner = 0,
                    .owner_wanted = address_,
                    .offset = 0,
                    .offset_wanted = offset};
    block.owner = read.address(file_.offset_size, "owner");
    block.offset = read.number(heap_.geometry_.offset_bytes(), "offset");
    return judge<kHeapBlockRules>(block, region.place, file_.notes) &&
           judge<kVersionRule>(version, region.place, file_.notes) &&
           judge<kCheckedBlockRules>(block, region.place, file_.notes);
  }

  // How a direct block is stored in a heap with filters.
  struct Stored {
    std::uint64_t size = 0;
    std::uint32_t mask = 0;
  };

  bool direct(std::uint64_t address, std::uint64_t offset, std::uint64_t size, Stored stored) {
    const auto met = file_.meet(address, structure_);
    const bool filtered = heap_.geometry_.filter_length > 0;
    const std::uint64_t stored_size = filtered ? stored.size : size;
    auto block = file_.block("FHDB", address, stored_size);
    if (block && filtered)
      block = decode_heap_bytes(heap_.filters_, stored.mask, block->region(), size, file_);
    if (!block) return false;
    const Region region = block->region();
    std::optional<Summed> sum;
    if (heap_.geometry_.blocks_summed()) {
      Cursor checksum(region.part(prefix()));
      sum = Summed{.stored = checksum.u32("checksum"), .at = prefix()};
      // The checksum of the block with zeros in place of the checksum itself.
      const auto bytes = block->bytes().subspan(std::min(prefix(), size));
      const auto own = bytes.first(std::min<std::size_t>(kChecksum, bytes.size()));
      std::vector<std::byte> kept(own.begin(), own.end());
      std::ranges::fill(own, std::byte{0});
      sum->computed = lookup3(region.bytes);
      if (address_recording) record_checksum(region, prefix());
      std::ranges::copy(kept, own.begin());
    }
    if (!block_holds(region, "FHDB", offset, sum)) return false;
    file_.accept("FHDB", address, stored_size);
    name_unused(region.part(prefix() + (sum ? kChecksum : 0)), "free space");
    if (met != Container::Met::kFirst) return false;
    heap_.blocks_.push_back({offset, prefix() + (sum ? kChecksum : 0), std::move(*block)});
    return true;
  }

  bool indirect(std::uint64_t address, std::uint64_t offset, unsigned rows) {
    const HeapGeometry& geometry = heap_.geometry_;
    const std::uint64_t entries = std::uint64_t{rows} * geometry.width;
    const bool filtered = geometry.filter_length > 0;
    const std::uint64_t direct_entries =
        std::uint64_t{std::min(rows, geometry.direct_rows())} * geometry.width;
    const std::uint64_t size =
        prefix() + entries * file_.offset_size + kChecksum +
        (filtered ? direct_entries * (file_.length_size + std::uint64_t{4}) : 0);
    const auto met = file_.meet(address, structure_);
    const auto block = file_.block("FHIB", address, size);
    if (!block || !block_holds(block->region(), "FHIB", offset, sum_of(block->region())))
      return false;
    file_.accept("FHIB", address, size);
    if (met != Container::Met::kFirst) return false;
    bool sound = true;
    const std::size_t number = heap_.inner_.size();
    if (file_.whole_format) heap_.inner_.push_back({offset, rows, {}});
    const Region places = block->region().part(prefix());
    Cursor read(places);
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned column = 0; column < geometry.width; ++column) {
        const Region here = places.part(read.at());
        const std::uint64_t child = read.address(file_.offset_size, "child");
        Stored stored;
        if (filtered && row < geometry.direct_rows()) {
          stored.size = read.number(file_.length_size, "size");
          stored.mask = read.u32("mask");
          if (!judge<kFilteredSizeRule>(FilteredPlace{child, stored.size}, here.place,
                                        file_.notes)) {
            sound = false;
            continue;
          }
        }
        if (file_.whole_format) heap_.inner_[number].taken.push_back(child != kUndefined);
        if (child == kUndefined) continue;
        const std::uint64_t child_size = geometry.block_size(row);
        const std::uint64_t child_offset = offset + geometry.row_offset(row) + column * child_size;
        sound &= row < geometry.direct_rows()
                     ? direct(child, child_offset, child_size, stored)
                     : indirect(child, child_offset, geometry.rows_of(child_size));
        if (file_.exhausted()) return false;
      }
    return sound;
  }

  Container& file_;
  std::uint64_t address_, id_length_;
  std::uint32_t structure_;
  bool empty_as_stated_ = true;  // there is a root block exactly if something is managed
  FractalHeap heap_{};
};

std::optional<FractalHeap> FractalHeap::read(std::uint64_t address, Container& file,
                                             std::uint64_t id_length) {
  return HeapReader(address, file, id_length).read();
}

// --- Objects ------------------------------------------------------------------------------------

namespace {
constexpr unsigned kManagedId = 0, kHugeId = 1, kTinyId = 2;
unsigned type_of_id(const Region& id) {
  return id.size() == 0 ? kManagedId : std::to_integer<unsigned>(id.bytes[0]) >> 4U & 3U;
}
}  // namespace

std::string key_of_heap_id(std::span<const std::byte> id) {
  constexpr unsigned kTypeBits = 0x30, kTinyBits = 0x20, kReservedBits = 0x0f;
  std::string made(reinterpret_cast<const char*>(id.data()), id.size());
  const unsigned first = id.empty() ? kTinyBits : std::to_integer<unsigned>(id.front());
  if ((first & kTypeBits) < kTinyBits) made.front() = static_cast<char>(first & ~kReservedBits);
  return made;
}

// The managed object of an id, if a block contains it.
std::optional<FractalHeap::Managed> FractalHeap::managed(const Region& id) const {
  Cursor read(id);
  const unsigned first = read.u8("id type");
  if (first >> 4U != kManagedId) return std::nullopt;
  const Managed made{read.number(geometry_.offset_bytes()), read.number(geometry_.length_bytes())};
  const auto after = std::ranges::upper_bound(blocks_, made.offset, {}, &Stretch::offset);
  if (!read.good() || after == blocks_.begin()) return std::nullopt;
  const Stretch& block = *std::prev(after);
  const bool found = made.offset - block.offset >= block.prefix && made.offset <= block.end() &&
                     made.size <= block.end() - made.offset;
  return found ? std::optional(made) : std::nullopt;
}

bool FractalHeap::take_ids(const std::vector<Region>& ids, Container& file) {
  for (const Region& id : ids) {
    if (const auto found = managed(id)) managed_.push_back(*found);
    if (type_of_id(id) != kTinyId) continue;
    const unsigned first = std::to_integer<unsigned>(id.bytes[0]);
    std::uint64_t size = first & 15U;
    if (geometry_.id_length > 18 && id.size() > 1)
      size = size << 8U | std::to_integer<std::uint64_t>(id.bytes[1]);
    ++tiny_;
    tiny_bytes_ += size + 1;
  }
  std::ranges::sort(managed_);
  const auto same = std::ranges::unique(managed_);
  managed_.erase(same.begin(), same.end());
  HeapApart apart;
  for (std::size_t i = 1; i < managed_.size() && apart.offset == kUndefined; ++i)
    if (managed_[i - 1].offset + managed_[i - 1].size > managed_[i].offset)
      apart = {managed_[i - 1].offset, managed_[i - 1].size, managed_[i].offset};
  return judge<kApartRule>(apart, place_, file.notes);
}

// A huge object, by its id.
std::optional<Region> FractalHeap::huge(const Region& id, Container& file) {
  const HugeObject* const found = huge_.find(id, file);
  if (!found || !found->inside) return std::nullopt;
  if (found->length > file.limits().block_bytes) {
    file.notes.not_examined(
        "h5-fractal-heap-huge-id",
        std::format("a huge object of {}, which exceeds the limit of {}",
                    counted(found->length, "byte"), counted(file.limits().block_bytes, "byte")));
    return std::nullopt;
  }
  Block stored(found->length, file.place("huge object", found->address));
  if (!file.read(found->address, stored.bytes())) return std::nullopt;
  if (geometry_.filter_length > 0) {
    auto decoded = decode_heap_bytes(filters_, found->mask, stored.region(), found->memory, file);
    if (!decoded) return std::nullopt;
    stored = std::move(*decoded);
  }
  fetched_ = std::move(stored);
  return fetched_.region();
}

void FractalHeap::judge_reserved(const Region& id, Container& file) {
  const unsigned first = Cursor(id).u8();
  if (first >> 6U == 0) judge<kIdReservedRule>(IdBits{first, type_of_id(id)}, id.place, file.notes);
}

std::optional<Region> FractalHeap::object(const Region& id, Container& file) {
  constexpr unsigned kHuge = kHugeId, kTiny = kTinyId;
  Cursor read(id);
  const unsigned first = read.u8("id type");
  HeapId judged{.version = first >> 6U,
                .type = first >> 4U & 3U,
                .whole = true,
                .offset = 0,
                .size = 0,
                .found = true};
  std::optional<Region> found;
  judge_reserved(id, file);
  if (judged.version == 0 && judged.type == kHuge && file.whole_format) return huge(id, file);
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
    judged.tiny_elsewhere = file.whole_format;
    if (judged.version == 0 && file.whole_format) {
      const TinyId tiny{judged.size, geometry_.id_length - (geometry_.id_length > 18 ? 2U : 1U)};
      if (!judge<kTinyIdRule>(tiny, id.place, file.notes)) return std::nullopt;
      if (!judged.found) return std::nullopt;
    }
  } else if (judged.type == 0) {
    judged.offset = read.number(geometry_.offset_bytes(), "offset");
    judged.size = read.number(geometry_.length_bytes(), "size");
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
  if (!judge<kHeapIdRule>(judged, id.place, file.notes)) return std::nullopt;
  if (found) name_contents(*found, "object");
  return found;
}

}  // namespace hepcheck::hdf5
