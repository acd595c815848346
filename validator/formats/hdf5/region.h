// Bytes of a metadata block with their position in the file, and bounds-checked access to them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "validator/integers.h"

namespace hepcheck::hdf5 {

// An address or a size with all bits set, in any width: an address that refers to nothing, a
// dimension without a maximum. A sum or a product that overflows is undefined, too.
constexpr std::uint64_t kUndefined = kLargestNumber;

// The position of something, as shown in findings: "FAHD @ 2048 + 12". Addresses are counted from
// the first byte of the file.
struct Place {
  std::string_view kind{};  // "FAHD"; of a string with static lifetime
  std::uint64_t block = 0;  // the beginning of the block
  std::uint64_t offset = 0;
  bool decoded = false;  // the offset is in what filters gave back, and not in the file

  std::string text() const;
};

// A view.
struct Region {
  std::span<const std::byte> bytes{};
  Place place{};

  std::uint64_t size() const { return bytes.size(); }
  // The existing part of `size` bytes from `at`.
  Region part(std::uint64_t at, std::uint64_t size = kUndefined) const {
    const std::uint64_t begin = std::min<std::uint64_t>(at, bytes.size());
    const std::uint64_t count = std::min<std::uint64_t>(size, bytes.size() - begin);
    return {bytes.subspan(begin, count),
            {place.kind, place.block, place.offset + begin, place.decoded}};
  }
  bool begins(std::string_view letters) const {
    return bytes.size() >= letters.size() &&
           std::ranges::equal(bytes.first(letters.size()), std::as_bytes(std::span(letters)));
  }
};

class FieldRecording;
// Null unless the fields of structures are asked for (fields.h).
inline thread_local FieldRecording* field_recording = nullptr;
// `value`: null if the field is no number. There must be a recording.
void record_field(const Place& place, std::uint64_t at, std::uint64_t size, const char* name,
                  const std::uint64_t* value);
// What the bytes are that no field is read of: the contents of an object of a heap, space without
// use, or a message that nothing needs here. Bytes of which fields are read keep the names of
// these; then contents go first.
enum class Rest : std::uint8_t { kContents, kUnused, kNotDecoded };
void record_rest(const Place& place, std::uint64_t size, Rest rest, const char* name);
inline void name_contents(const Region& region, const char* name) {
  if (field_recording) record_rest(region.place, region.size(), Rest::kContents, name);
}
inline void name_unused(const Place& place, std::uint64_t size, const char* name) {
  if (field_recording) record_rest(place, size, Rest::kUnused, name);
}
inline void name_unused(const Region& region, const char* name = "unused space") {
  name_unused(region.place, region.size(), name);
}
// The bytes of a part of a structure, such as a message.
void record_group(const Region& region, const char* name);

class AddressRecording;
// Null unless the places of addresses and checksums are asked for (addresses.h).
inline thread_local AddressRecording* address_recording = nullptr;
// There must be a recording.
void record_address(const Place& place, std::uint64_t at, unsigned width, std::uint64_t value);
// A checksum of the bytes of `summed`, stored at `at` from its beginning: after these bytes, or
// among them, which are zeros then.
void record_checksum(const Region& summed, std::uint64_t at);

// Reads consecutive numbers. After the end they are 0, and good() is false. `name`: of the field,
// for those who ask for the fields of a structure.
class Cursor {
 public:
  explicit Cursor(const Region& region) : region_(region) {}

  bool good() const { return good_; }
  std::uint64_t at() const { return at_; }
  std::uint64_t rest() const { return region_.size() - at_; }

  // Reads a little-endian number of 0 to 8 bytes.
  std::uint64_t number(unsigned width, const char* name = nullptr) {
    switch (width) {  // nearly all numbers have one of these widths
      case 1: return u8(name);
      case 2: return u16(name);
      case 4: return u32(name);
      case 8: return u64(name);
      default: break;
    }
    const std::span<const std::byte> bytes = step(width);
    std::uint64_t value = 0;
    for (std::size_t i = std::min(bytes.size(), sizeof value); i > 0; --i)
      value = value << 8 | std::to_integer<std::uint64_t>(bytes[i - 1]);
    record(width, name, value);
    return value;
  }
  std::uint8_t u8(const char* name = nullptr) { return whole<std::uint8_t>(name); }
  std::uint16_t u16(const char* name = nullptr) { return whole<std::uint16_t>(name); }
  std::uint32_t u32(const char* name = nullptr) { return whole<std::uint32_t>(name); }
  std::uint64_t u64(const char* name = nullptr) { return whole<std::uint64_t>(name); }
  // The same, but kUndefined if all bits are set.
  std::uint64_t number_or_undefined(unsigned width, const char* name = nullptr) {
    const std::uint64_t value = number(width, name);
    return width < 8 && value == (std::uint64_t{1} << 8 * width) - 1 ? kUndefined : value;
  }
  // The same, of something else in the file.
  std::uint64_t address(unsigned width, const char* name = nullptr) {
    const std::uint64_t value = number_or_undefined(width, name);
    if (address_recording && good_ && value != kUndefined)
      record_address(region_.place, at_ - width, width, value);
    return value;
  }
  void skip(std::uint64_t size) { step(size); }
  Region take(std::uint64_t size, const char* name = nullptr) {
    const std::uint64_t begin = at_;
    const std::uint64_t taken = step(size).size();
    if (name && field_recording) record_field(region_.place, begin, taken, name, nullptr);
    return region_.part(begin, taken);
  }

 private:
  template <class T>
  T whole(const char* name) {
    const std::span<const std::byte> bytes = step(sizeof(T));
    const T value = bytes.empty() ? T{0} : load<T>(bytes.data());
    record(sizeof(T), name, value);
    return value;
  }
  void record(unsigned width, const char* name, std::uint64_t value) {
    if (name && field_recording && good_)
      record_field(region_.place, at_ - width, width, name, &value);
  }
  std::span<const std::byte> step(std::uint64_t size) {
    if (!good_ || size > rest()) {
      good_ = false;
      return {};
    }
    const auto bytes = region_.bytes.subspan(at_, size);
    at_ += size;
    return bytes;
  }

  Region region_;
  std::uint64_t at_ = 0;
  bool good_ = true;
};

// Owns the bytes of one block.
class Block {
 public:
  Block() = default;
  // Not initialised.
  Block(std::uint64_t size, Place place)
      : bytes_(std::make_unique_for_overwrite<std::byte[]>(size)), size_(size), place_(place) {}

  std::span<std::byte> bytes() { return {bytes_.get(), size_}; }
  Region region() const { return {{bytes_.get(), size_}, place_}; }

 private:
  std::unique_ptr<std::byte[]> bytes_{};
  std::uint64_t size_ = 0;
  Place place_{};
};

}  // namespace hepcheck::hdf5
