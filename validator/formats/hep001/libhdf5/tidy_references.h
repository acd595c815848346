// References that the library read, so that it can write them.
#pragma once

#include <hdf5.h>

#include <cstddef>
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

// The same for elements of any datatype, of which only such references change. False if the library
// cannot compare the datatypes.
inline bool tidy_if_references(hid_t type, std::span<std::byte> elements) {
  const htri_t references = H5Tequal(type, H5T_STD_REF);
  if (references > 0)
    tidy_references(
        {reinterpret_cast<H5R_ref_t*>(elements.data()), elements.size() / sizeof(H5R_ref_t)});
  return references >= 0;
}

}  // namespace hepcheck::hep001::libhdf5
