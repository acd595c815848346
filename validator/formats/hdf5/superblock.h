// The superblock: versions 0 to 3.
#pragma once

#include <cstdint>
#include <optional>

#include "validator/bytes.h"
#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/region.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

// Its contents. Defaults apply to fields that a version does not have.
struct Superblock {
  std::uint64_t position = 0;  // of its signature, from the first byte of the file
  std::uint64_t file_size = 0;
  bool being_written = false;  // Container::being_written
  // Its driver spreads the addresses over several files, of which this is one.
  bool one_of_several = false;
  bool whole = false;        // it is complete
  bool cut = false;          // not even the part before the addresses is
  bool no_version = false;   // the file ends with the signature
  std::uint64_t length = 0;  // its own checksum, if it is complete
  std::uint8_t version = 0;
  std::uint8_t free_space_version = 0, root_version = 0, shared_version = 0;
  std::uint8_t offset_size = 8, length_size = 8;
  std::uint16_t group_leaf_k = 4, group_internal_k = 16, chunk_k = 32;
  std::uint8_t status = 0;
  std::uint32_t unused_flags = 0;  // of versions 0 to 2
  std::optional<std::uint64_t>
      not_reserved{};  // versions 0 and 1: where a reserved byte is not zero
  std::uint64_t base = 0;
  std::uint64_t free_space = kUndefined;              // versions 0 and 1
  std::uint64_t extension = kUndefined;               // versions 2 and 3
  std::uint64_t end_of_file = 0;                      // as stored, from the first byte of the file
  std::uint64_t driver = kUndefined;                  // versions 0 and 1
  std::uint64_t root = kUndefined;                    // the header of the root group
  Region root_entry{};                                // versions 0 and 1: its symbol table entry
  std::uint32_t checksum = 0, computed_checksum = 0;  // versions 2 and 3

  // It states versions of other structures that do not exist: its own version may be wrong.
  bool another_version() const {
    return free_space_version != 0 || root_version != 0 || shared_version != 0;
  }
  // Addresses and sizes fit into 64 bits; otherwise nothing else of the file is examined.
  bool fits() const { return offset_size <= 8 && length_size <= 8; }
  bool open_for_writing() const { return version == 3 && (status & 5) != 0; }
  // The end-of-file address, relative to the base; the addresses of a file that was moved move with
  // it.
  std::uint64_t end() const { return end_of_file - base; }
  // Where the end-of-file address is stored.
  std::uint64_t end_of_file_at() const {
    return (version == 0 ? 24U : version == 1 ? 28U : 12U) + 2U * offset_size;
  }
};
bool holds(const Superblock& superblock, const Place& at, Notes& notes);

// The position of the signature: 0, 512, 1024, 2048 and so on; none if this is not an HDF5 file.
std::optional<std::uint64_t> find_signature(const Bytes& file);

// `region`: the superblock from its signature, as far as it exists.
Superblock parse_superblock(const Region& region, std::uint64_t file_size);

}  // namespace hepcheck::hdf5
