// Records the extents of the blocks of a file, and finds overlaps.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace hepcheck::hdf5 {

// The used parts of the file. Addresses are relative to the base.
struct Extent {
  std::uint64_t address = 0, size = 0;
  std::uint32_t object = 0;  // the owner
  std::uint16_t kind = 0;    // of Extents::kind

  std::uint64_t end() const { return address + size; }
};

class Extents {
 public:
  // Blocks inside the file: `address + size` must fit into 64 bits. Raw data that continues the
  // last raw data of the same object is merged with it.
  void add(std::string_view kind, std::uint64_t address, std::uint64_t size, std::uint32_t object);
  void add_raw(std::uint64_t address, std::uint64_t size, std::uint32_t object);

  std::string_view kind(const Extent& extent) const { return kinds_[extent.kind]; }
  bool is_raw(const Extent& extent) const { return extent.kind == 0; }

  const std::vector<Extent>& all() const { return extents_; }
  // By address; extents with the same address in the order of insertion.
  const std::vector<Extent>& sorted();

 private:
  std::uint16_t number_of(std::string_view kind);

  std::vector<std::string_view> kinds_{"raw data"};
  std::vector<Extent> extents_{};
  std::size_t last_raw_ = kNone;
  bool sorted_ = true;

  static constexpr std::size_t kNone = ~std::size_t{0};
};

}  // namespace hepcheck::hdf5
