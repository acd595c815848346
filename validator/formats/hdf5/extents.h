// Where the blocks of a file lie, and which of them share bytes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace hepcheck::hdf5 {

// What of the file is taken up by what. Addresses count from the base.
struct Extent {
  std::uint64_t address = 0, size = 0;
  std::uint32_t object = 0;  // whose it is
  std::uint16_t kind = 0;    // of Extents::kind

  std::uint64_t end() const { return address + size; }
};

class Extents {
 public:
  // Blocks that are inside the file: `address + size` is no more than 64 bits hold. Raw data that
  // goes on where the last raw data of the same object ended becomes one extent with it.
  void add(std::string_view kind, std::uint64_t address, std::uint64_t size, std::uint32_t object);
  void add_raw(std::uint64_t address, std::uint64_t size, std::uint32_t object);

  std::string_view kind(const Extent& extent) const { return kinds_[extent.kind]; }
  bool is_raw(const Extent& extent) const { return extent.kind == 0; }

  const std::vector<Extent>& all() const { return extents_; }
  // By address; what begins at the same one, as it was added.
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
