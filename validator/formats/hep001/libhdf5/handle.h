// Ownership of HDF5 identifiers. Only files in this directory include <hdf5.h>.
#pragma once

#include <hdf5.h>

#include <utility>

namespace hepcheck::hep001::libhdf5 {

// Owns one HDF5 id and closes it once. Move-only: an id has one owner. The closing function is part
// of the type, so a mix-up does not compile.
template <herr_t (*kClose)(hid_t)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(hid_t id) : id_(id) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) kClose(id_);
  }

  // For callers that need the result of closing.
  bool close() { return kClose(std::exchange(id_, H5I_INVALID_HID)) >= 0; }

  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_ = H5I_INVALID_HID;
};

using FileHandle = Handle<H5Fclose>;
using ObjectHandle = Handle<H5Oclose>;
using AttributeHandle = Handle<H5Aclose>;
using TypeHandle = Handle<H5Tclose>;
using SpaceHandle = Handle<H5Sclose>;
using PropertyHandle = Handle<H5Pclose>;

}  // namespace hepcheck::hep001::libhdf5
