// A file during the examination: the parameters of its superblock, its bytes, and the results.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "validator/budget.h"
#include "validator/formats/hdf5/address_map.h"
#include "validator/formats/hdf5/extents.h"
#include "validator/formats/hdf5/notes.h"
#include "validator/formats/hdf5/profile.h"
#include "validator/formats/hdf5/region.h"
#include "validator/formats/hdf5/rule.h"
#include "validator/limits.h"
#include "validator/windows.h"

namespace hepcheck::hdf5 {

struct EaTotals;

inline constexpr std::uint64_t kChecksum = 4;  // bytes of the checksum at the end of a structure

// Addresses are relative to the base, unless stated otherwise.
class Container {
 public:
  // All of them must outlive it.
  Container(const Bytes& file, const Limits& limits, Notes& notes);
  // A reader of values reads structures again whenever it needs them. Types keep their messages for
  // it, and no extents are collected.
  void read_for_values();

  // --- What the superblock says -----------------------------------------------------------------
  std::uint64_t base = 0;         // from the first byte of the file
  unsigned offset_size = 8;       // O, bytes of an address
  unsigned length_size = 8;       // L, bytes of a size
  std::uint64_t end = 0;          // the end of all accesses
  bool open_for_writing = false;  // by its flags
  // The state during a write is examined more strictly: the file may be shorter than stated, and
  // contents that the headers do not include yet count, too.
  bool being_written = false;
  // Judged by the File Format Specification. Structures that only its clauses are about are read
  // only then.
  bool whole_format = false;
  // For a reader of values (read_for_values).
  bool for_values = false;
  unsigned superblock_version = 0;
  // The node sizes of version 1 trees and of symbol nodes follow from these, doubled.
  unsigned group_leaf_k = 4, group_internal_k = 16, chunk_k = 32;
  // The superblock extension may state other numbers, and cannot be read: the nodes of version 1
  // trees are not examined.
  bool k_unknown = false;
  std::uint64_t extension = kUndefined;  // the header of the superblock extension
  // A driver that cannot be read, or is not known, may spread raw data over other files.
  bool spread_unknown = false;

  // --- Reading ----------------------------------------------------------------------------------
  // The whole block, if it is inside the file; a finding otherwise.
  std::optional<Block> block(std::string_view kind, std::uint64_t address, std::uint64_t size);
  // The existing part of it, at least one byte; a finding otherwise.
  std::optional<Block> beginning(std::string_view kind, std::uint64_t address, std::uint64_t most);
  // Bytes that are known to be inside the file; false if the read budget is exhausted.
  bool read(std::uint64_t address, std::span<std::byte> into);
  // Bytes that a metadata cache image has in place of those at this address.
  void replace(std::uint64_t address, std::span<const std::byte> bytes) {
    replaced_[address] = bytes;
  }
  bool inside(std::uint64_t address, std::uint64_t size) const {
    return address <= end && size <= end - address;
  }
  // Whether raw data may be in another file, which is then not examined.
  bool may_be_elsewhere(std::uint64_t address, std::uint64_t size);
  Place place(std::string_view kind, std::uint64_t address, std::uint64_t offset = 0) const {
    return {kind, base + address, offset};
  }
  // The read budget is exhausted: the file refers to the same bytes repeatedly, or cannot be read
  // any more. Nothing else will be read.
  bool exhausted() const { return exhausted_; }
  // Work that a few bytes of the file can request many times; false when the budget is exhausted.
  bool charge(std::uint64_t bytes);
  // The remaining budget for finding the cause of a wrong checksum.
  std::uint64_t tries = std::uint64_t{64} << 20;
  const Bytes& file() const { return windows_.file(); }
  const Limits& limits() const { return limits_; }

  // --- What was found ---------------------------------------------------------------------------
  // A block that has been accepted. What is read a second time is no block of its own.
  void accept(std::string_view kind, std::uint64_t address, std::uint64_t size) {
    if (!notes.silent() && !for_values) extents.add(kind, address, size, notes.object());
  }
  // A block of a structure with its own number.
  enum class Met : std::uint8_t { kFirst, kInThisOne, kInAnother };
  Met meet(std::uint64_t address, std::uint32_t structure);
  std::uint32_t new_structure() { return ++structures_; }

  // Receives the statistics of each extensible array whose blocks are valid, by the address of its
  // header.
  std::function<void(std::uint64_t address, const EaTotals& totals)> totals{};

  Notes& notes;
  Extents extents{};
  std::set<std::uint64_t> overlapping{};  // addresses of blocks that share bytes; up to a limit
  Profile profile{};

 private:
  void give_up(std::string where);
  void overlay(std::uint64_t address, std::span<std::byte> into) const;

  Windows windows_;
  const Limits& limits_;
  Budget budget_;  // the remaining read budget
  bool exhausted_ = false;
  bool told_elsewhere_ = false;
  std::uint32_t structures_ = 0;
  AddressMap<std::uint32_t> met_{};  // address to structure
  // Without overlaps, by address.
  std::map<std::uint64_t, std::span<const std::byte>> replaced_{};
};

}  // namespace hepcheck::hdf5
