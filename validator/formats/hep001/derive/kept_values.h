// Values of a column kept in memory for random access.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "validator/formats/hep001/derive/codec.h"
#include "validator/slab.h"

namespace hepcheck::hep001 {

// Values by number, as stored: a block of elements of a fixed size, or strings of any length.
class KeptValues {
 public:
  explicit KeptValues(const Datatype& type)
      : text_(type.variable_string()), element_bytes_(type.size) {}

  // The number of bytes for one value, as far as it is known beforehand.
  std::uint64_t cost() const {
    return text_ ? sizeof(std::string) : std::max<std::uint64_t>(1, element_bytes_);
  }
  // Reserves memory for this many values; several threads may then set different ones.
  void make_room(std::uint64_t count) {
    if (text_)
      strings_.resize(count);
    else
      bytes_ = LargeBlock(count * element_bytes_);
  }
  // The value numbered `i` and the following ones, from rows of a block.
  void set(std::uint64_t i, const Block& block, std::uint64_t from, std::uint64_t count) {
    if (text_)
      std::ranges::copy(block.strings.subspan(from, count),
                        strings_.begin() + static_cast<std::ptrdiff_t>(i));
    else
      std::memcpy(bytes_.get() + i * element_bytes_, block.bytes.data() + from * element_bytes_,
                  count * element_bytes_);
  }
  void clear() {
    bytes_ = {};
    strings_ = {};
  }
  StoredValue stored(std::uint64_t i) const {
    if (text_) return std::as_bytes(std::span(strings_[i]));
    return {bytes_.get() + i * element_bytes_, element_bytes_};
  }

  // The key of a value, with a codec of the datatype.
  template <class Codec>
  typename Codec::Key key(const Codec& codec, std::uint64_t i) const {
    if constexpr (std::is_same_v<Codec, VariableStringCodec>)
      return strings_[i];
    else
      return codec.key(at<Codec>(i));
  }
  // Prefetches a value ahead of its use.
  template <class Codec>
  void prefetch(std::uint64_t i) const {
    if constexpr (!std::is_same_v<Codec, VariableStringCodec>) __builtin_prefetch(at<Codec>(i));
  }

 private:
  template <class Codec>
  const std::byte* at(std::uint64_t i) const {
    if constexpr (requires { Codec::kBytes; })
      return bytes_.get() + i * Codec::kBytes;
    else
      return bytes_.get() + i * element_bytes_;
  }

  bool text_;
  std::size_t element_bytes_;
  LargeBlock bytes_{};
  std::vector<std::string> strings_{};
};

}  // namespace hepcheck::hep001
