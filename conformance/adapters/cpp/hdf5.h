// The HDF5 C library with owned handles and errors as exceptions.
#pragma once

#include <hdf5.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace adapter {

inline constexpr hsize_t kChunk =
    64;  // elements per chunk of the datasets written here, by default

template <class T>
T check(T result, const char* what) {
  if (result < 0) throw std::runtime_error(std::string(what) + " failed");
  return result;
}
#define H5_CHECK(call) ::adapter::check(call, #call)

// Any HDF5 identifier; closed by its last owner.
class Id {
 public:
  Id() = default;
  explicit Id(hid_t id) : id_(check(id, "opening an HDF5 object")) {}
  Id(Id&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Id& operator=(Id&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  Id(const Id& other) : id_(other.id_) {
    if (id_ >= 0) H5Iinc_ref(id_);
  }
  ~Id() {
    if (id_ >= 0) H5Idec_ref(id_);
  }
  operator hid_t() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_ = -1;
};

struct Link {
  std::string name;
  H5L_type_t type;
};

inline std::vector<Link> links(hid_t group) {
  std::vector<Link> found;
  H5_CHECK(H5Literate2(
      group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr,
      [](hid_t, const char* name, const H5L_info2_t* info, void* into) -> herr_t {
        static_cast<std::vector<Link>*>(into)->push_back({name, info->type});
        return 0;
      },
      &found));
  return found;
}

inline bool same_object(hid_t a, hid_t b) {
  H5O_info2_t one, other;
  H5_CHECK(H5Oget_info3(a, &one, H5O_INFO_BASIC));
  H5_CHECK(H5Oget_info3(b, &other, H5O_INFO_BASIC));
  int difference = 0;
  H5_CHECK(H5Otoken_cmp(a, &one.token, &other.token, &difference));
  return difference == 0;
}

inline std::string path_of(hid_t object) {
  std::string path(static_cast<std::size_t>(H5_CHECK(H5Iget_name(object, nullptr, 0))), '\0');
  H5Iget_name(object, path.data(), path.size() + 1);
  return path;
}

inline std::string join(const std::string& group, const std::string& name) {
  return (group == "/" ? "" : group) + "/" + name;
}

}  // namespace adapter
