#include "validator/formats/hdf5/superblock.h"

#include <algorithm>
#include <array>
#include <format>

#include "validator/formats/hdf5/lookup3.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::array kSizes = {2, 4, 8, 16, 32};
constexpr std::uint8_t kLastSuperblockVersion = 3;

bool is_size(std::uint8_t size) { return std::ranges::contains(kSizes, size); }

void version(const Superblock& it, Look& look) {
  if (it.no_version) return;
  look.looked();
  if (it.version > kLastSuperblockVersion)
    look.fail(8, std::format("version {}", it.version), "version 0, 1, 2 or 3");
}

void subversions(const Superblock& it, Look& look) {
  if (it.version > 1 || it.cut) return;
  look.looked();
  if (it.free_space_version != 0)
    look.fail(9, std::format("version {} of the free-space information", it.free_space_version),
              "version 0");
  else if (it.root_version != 0)
    look.fail(10, std::format("version {} of the root symbol table entry", it.root_version),
              "version 0");
  else if (it.shared_version != 0)
    look.fail(12, std::format("version {} of the shared header messages", it.shared_version),
              "version 0");
}

void offset_size(const Superblock& it, Look& look) {
  if (it.cut) return;
  look.looked();
  if (!is_size(it.offset_size))
    look.fail(it.version < 2 ? 13 : 9, std::format("offsets of {} bytes", it.offset_size),
              "2, 4, 8, 16 or 32");
}

void length_size(const Superblock& it, Look& look) {
  if (it.cut) return;
  look.looked();
  if (!is_size(it.length_size))
    look.fail(it.version < 2 ? 14 : 10, std::format("lengths of {} bytes", it.length_size),
              "2, 4, 8, 16 or 32");
}

void k_positive(const Superblock& it, Look& look) {
  if (it.version > 1 || it.cut) return;
  look.looked();
  if (it.group_leaf_k == 0) look.fail(16, "group leaf K 0", "a number above 0");
  if (it.group_internal_k == 0) look.fail(18, "group internal K 0", "a number above 0");
  if (it.version == 1 && it.chunk_k == 0) look.fail(24, "indexed-storage K 0", "a number above 0");
}

// The field means nothing before version 3, but libhdf5 refuses files with other bits.
void flags_known(const Superblock& it, Look& look) {
  if (it.version > 2 || it.cut || it.another_version()) return;
  look.looked();
  if ((it.unused_flags & ~7U) != 0)
    look.fail(it.version < 2 ? 20 : 11, std::format("consistency flags {:#x}", it.unused_flags),
              "no bit above bit 2");
}

void reserved_zero(const Superblock& it, Look& look) {
  if (it.version > 1 || it.cut || it.another_version()) return;
  look.looked();
  if (it.not_reserved) look.fail(*it.not_reserved, "a reserved byte that is not zero", "zero");
}

void checksum(const Superblock& it, Look& look) {
  if (it.version < 2 || !it.whole) return;
  look.looked();
  if (it.checksum != it.computed_checksum)
    look.fail(it.length - 4, std::format("checksum {:08x}", it.checksum),
              std::format("{:08x}, that of the bytes before it", it.computed_checksum));
}

void free_space_undefined(const Superblock& it, Look& look) {
  if (it.version > 1 || !it.whole) return;
  look.looked();
  if (it.free_space != kUndefined)
    look.fail((it.version == 0 ? 24 : 28) + it.offset_size,
              std::format("address {} of the free-space information", it.free_space),
              "an undefined address");
}

void eof(const Superblock& it, Look& look) {
  if (!it.cut && !it.fits()) return;
  look.looked();
  if (!it.whole) return look.fail(0, "the file ends inside the superblock", "a whole superblock");
  const std::uint64_t at = it.end_of_file_at();
  const std::uint64_t there = it.file_size - it.position;
  if (it.end_of_file < it.base || it.end() < it.length)
    look.fail(at, std::format("end-of-file address {}, base {}", it.end_of_file, it.base),
              "an address after the superblock");
  else if (it.end() > there && !it.open_for_writing() && !it.being_written && !it.one_of_several)
    look.fail(at,
              std::format("end-of-file address {}, the file has {} bytes",
                          sum(it.end(), it.position), it.file_size),
              "a file that reaches to its end-of-file address",
              "The file was truncated, or was never flushed; obtain it again from its source.");
}

void status_reserved(const Superblock& it, Look& look) {
  if (it.version != 3 || it.cut) return;
  look.looked();
  if ((it.status & 0xf8) != 0)
    look.fail(11, std::format("status flags {:#04x}", it.status), "bits 3 to 7 clear");
}

void status_swmr_with_write(const Superblock& it, Look& look) {
  if (it.version != 3 || it.cut) return;
  look.looked();
  if ((it.status & 4) != 0 && (it.status & 1) == 0)
    look.fail(
        11, std::format("status flags {:#04x}: open for SWMR writing, not for writing", it.status),
        "bit 0 with bit 2");
}

void status_closed(const Superblock& it, Look& look) {
  if (it.version != 3 || it.cut) return;
  look.looked();
  if (it.open_for_writing())
    look.fail(11,
              std::format("status flags {:#04x}: the file is open for {}writing, or was not closed",
                          it.status, (it.status & 4) != 0 ? "SWMR " : ""),
              "flags 0 in a file that no program has open",
              "All findings are about a snapshot. If no writer is running any more, h5clear -s "
              "clears the flags.");
}

// These end nothing.
constexpr Rule<Superblock> kSuperblockRemarks[] = {
    {"h5-superblock-flags-known", flags_known},
    {"h5-superblock-reserved-zero", reserved_zero},
};
constexpr Rule<Superblock> kSuperblockFieldRules[] = {
    {"swmr-superblock-version", version},
    {"swmr-superblock-subversions", subversions},
    {"swmr-superblock-offset-size", offset_size},
    {"swmr-superblock-length-size", length_size},
    {"swmr-superblock-k-positive", k_positive},
    {"swmr-superblock-checksum", checksum},
    {"swmr-superblock-free-space-undefined", free_space_undefined},
    {"swmr-superblock-eof", eof},
    {"swmr-superblock-status-reserved", status_reserved},
    {"swmr-superblock-status-swmr-with-write", status_swmr_with_write},
    {"swmr-superblock-status-closed", status_closed},
};

void parse_old(Cursor& read, Superblock& into) {
  into.free_space_version = read.u8("free space version");
  into.root_version = read.u8("root version");
  const auto reserved = [&](unsigned width) {
    const std::uint64_t at = read.at();
    if (read.number(width, "reserved") != 0 && !into.not_reserved) into.not_reserved = at;
  };
  reserved(1);
  into.shared_version = read.u8("shared version");
  into.offset_size = read.u8("offset size");
  into.length_size = read.u8("length size");
  reserved(1);
  into.group_leaf_k = read.u16("group leaf k");
  into.group_internal_k = read.u16("group internal k");
  into.unused_flags = read.u32("unused flags");
  if (into.version == 1) {
    into.chunk_k = read.u16("chunk k");
    reserved(2);
  }
}

// The common fields at the beginning, then the addresses.
void parse_fields(const Region& region, Superblock& into) {
  Cursor read(region);
  read.take(8, "signature");
  into.version = read.u8("version");
  into.no_version = !read.good();
  if (into.version > kLastSuperblockVersion) return;
  if (into.version < 2) {
    parse_old(read, into);
  } else {
    into.offset_size = read.u8("offset size");
    into.length_size = read.u8("length size");
    into.status = read.u8("status");
    into.unused_flags = into.status;
  }
  into.cut = !read.good();
  const unsigned width = into.offset_size, sizes = into.length_size;
  if (into.cut || !into.fits()) return;
  into.base = read.number_or_undefined(width, "base");
  (into.version < 2 ? into.free_space : into.extension) =
      read.address(width, into.version < 2 ? "free space" : "extension");
  into.end_of_file = read.number_or_undefined(width, "end of file");
  if (into.version < 2) {
    into.driver = read.address(width, "driver");
    into.root_entry = read.take(sizes + width + 24);
    Cursor entry(into.root_entry);
    entry.skip(sizes);
    into.root = entry.address(width, "root");
  } else {
    into.root = read.address(width, "root");
    into.computed_checksum = lookup3(region.bytes.first(read.at()));
    if (address_recording) record_checksum(region.part(0, read.at()), read.at());
    into.checksum = read.u32("checksum");
  }
  into.whole = read.good();
  into.length = read.at();
}

}  // namespace

void superblock_rules(RuleList& list) {
  list.structure<kSuperblockRemarks, kSuperblockFieldRules>();
}

bool holds(const Superblock& superblock, const Place& at, Notes& notes) {
  judge_each<kSuperblockRemarks>(superblock, at, notes);
  return judge<kSuperblockFieldRules>(superblock, at, notes);
}

std::optional<std::uint64_t> find_signature(const Bytes& file) {
  constexpr std::array kSignature = {std::byte{0x89}, std::byte{'H'},  std::byte{'D'},
                                     std::byte{'F'},  std::byte{'\r'}, std::byte{'\n'},
                                     std::byte{0x1a}, std::byte{'\n'}};
  std::array<std::byte, kSignature.size()> bytes{};
  for (std::uint64_t at = 0; file.read(at, bytes); at = at == 0 ? 512 : 2 * at)
    if (bytes == kSignature) return at;
  return std::nullopt;
}

Superblock parse_superblock(const Region& region, std::uint64_t file_size) {
  Superblock made{.position = region.place.block, .file_size = file_size};
  parse_fields(region, made);
  return made;
}

}  // namespace hepcheck::hdf5
