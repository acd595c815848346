// Moves the structures of a file together, so that the space between them, which nothing uses,
// goes.
//
// All structures keep their order, their bytes and the remainder of their address modulo 8. What
// changes are addresses, wherever the reader finds them: in structures, in references and in
// variable-length values; the checksums of the blocks that contain them; and the end-of-file
// address. Addresses in bytes that cannot be changed, such as those of compressed chunks, stay, and
// what they lead to stays where it is. The new file is read again: it has to have the same
// structures with the same addresses, each as it was moved.
#pragma once

#include <cstdint>

#include "validator/bytes.h"
#include "validator/limits.h"
#include "validator/result.h"
#include "validator/rewrite.h"

namespace hepcheck::hdf5 {

struct Packed {
  std::uint64_t size_before = 0, size_after = 0;  // of the file; equal if nothing was gained
  std::uint64_t unused_before = 0, unused_after = 0;
  std::uint64_t structures = 0, addresses = 0, checksums = 0;  // that were moved or changed
  std::uint64_t fixed = 0;  // structures that stayed, because their addresses cannot be changed
  bool lists = false;       // lists of free space were dropped
};

// `to`: an empty file that has begun; its contents count only if a smaller size is returned. The
// error says why the file cannot be packed.
Result<Packed> pack(const Bytes& file, Rewrite& to, const Limits& limits);

}  // namespace hepcheck::hdf5
