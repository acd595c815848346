// References that the library read, so that it can write them.
#pragma once

#include <hdf5.h>

#include <span>

namespace hepcheck::hep001::libhdf5 {

// Null elements have no type.
inline bool is_set(const H5R_ref_t& reference) { return H5Rget_type(&reference) >= H5R_OBJECT2; }

// The library leaves some bytes of a reference that it read uninitialised and would write them: the
// file would contain addresses of this process.
inline void tidy_references(std::span<H5R_ref_t> references) {
  for (H5R_ref_t& reference : references) {
    H5R_ref_t clean{};
    if (is_set(reference)) {
      H5Rcopy(&reference, &clean);
      H5Rdestroy(&reference);
    }
    reference = clean;
  }
}

}  // namespace hepcheck::hep001::libhdf5
