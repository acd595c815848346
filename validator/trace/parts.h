// Encodes numbers and texts as bytes, for pipes between processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hepcheck::trace {

class PartWriter {
 public:
  void number(std::uint64_t value) {
    for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(value >> 8 * i & 0xff));
  }
  void text(std::string_view value) {
    number(value.size());
    bytes += value;
  }
  std::string bytes{};
};

// The sender is untrusted: missing data reads as 0 or empty, and good() is false.
class PartReader {
 public:
  explicit PartReader(std::string_view bytes) : bytes_(bytes) {}

  bool good() const { return good_; }
  bool done() const { return good_ && bytes_.empty(); }
  std::uint64_t number() {
    std::uint64_t value = 0;
    const std::string_view eight = take(8);
    for (std::size_t i = eight.size(); i > 0; --i)
      value = value << 8 | static_cast<unsigned char>(eight[i - 1]);
    return value;
  }
  std::string text() { return std::string(take(number())); }
  // The number of elements that follow, of at least 8 bytes each.
  std::uint64_t count() {
    const std::uint64_t value = number();
    good_ = good_ && value <= bytes_.size() / 8;
    return good_ ? value : 0;
  }

 private:
  std::string_view take(std::uint64_t size) {
    good_ = good_ && size <= bytes_.size();
    const std::string_view taken = bytes_.substr(0, good_ ? size : 0);
    bytes_.remove_prefix(taken.size());
    return taken;
  }

  std::string_view bytes_;
  bool good_ = true;
};

}  // namespace hepcheck::trace
