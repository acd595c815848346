// Plain structures as bytes, for another process of this program. parts(archive, value) calls
// archive(member...) with the members of each structure; an archive that also has values of other
// kinds derives from these and adds overloads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "validator/shorten.h"
#include "validator/spread.h"

namespace hepcheck {

// The member lists of what several archives hold.
template <class T>
  requires std::is_same_v<std::remove_const_t<T>, Spread::Cell>
void parts(auto& archive, T& value) {
  auto& [at, count] = value;
  archive(at, count);
}
template <class T>
  requires std::is_same_v<std::remove_const_t<T>, MissingCells>
void parts(auto& archive, T& value) {
  auto& [rows_per_cell, missing] = value;
  archive(rows_per_cell, missing);
}

class ArchiveWriter {
 public:
  void operator()(this auto& self, const auto&... values) { (self.put(values), ...); }
  std::string bytes() && { return std::move(bytes_); }

  void put(std::uint64_t value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes_.append(raw, sizeof raw);
  }
  void put(const std::string& text) {
    put(text.size());
    bytes_ += text;
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  void put(Enum value) {
    put(static_cast<std::uint64_t>(value));
  }
  void put(this auto& self, const Spread& spread) {
    self.put(spread.width());
    self.put(spread.cells());
  }
  template <class T>
  void put(this auto& self, const std::optional<T>& value) {
    self.put(std::uint64_t{value.has_value()});
    if (value) self.put(*value);
  }
  template <class T>
  void put(this auto& self, const std::vector<T>& values) {
    self.put(values.size());
    for (const T& value : values) self.put(value);
  }
  template <class T>
    requires std::is_class_v<T>
  void put(this auto& self, const T& value) {
    parts(self, value);
  }

 private:
  std::string bytes_{};
};

// The bytes may have any origin: what an ArchiveWriter cannot have written is rejected. Memory is
// bounded by a small multiple of the number of bytes.
class ArchiveReader {
 public:
  // `longest`: the maximum size of a text.
  explicit ArchiveReader(std::string_view bytes, std::uint64_t longest = kLongestText)
      : rest_(bytes), longest_(longest) {}

  void operator()(this auto& self, auto&... values) { (self.get(values), ...); }
  bool good() const { return good_; }
  bool complete() const { return good_ && rest_.empty(); }
  void fail() {
    good_ = false;
    rest_ = {};
  }

  void get(std::uint64_t& value) {
    value = 0;
    if (rest_.size() < sizeof value) return fail();
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
  }
  // A number up to `last`; 0 after an error.
  std::uint64_t number(std::uint64_t last) {
    std::uint64_t value = 0;
    get(value);
    if (value <= last) return value;
    fail();
    return 0;
  }
  void get(bool& value) { value = number(1) == 1; }
  void get(std::string& text) {
    const std::uint64_t size = number(std::min<std::uint64_t>(rest_.size(), longest_));
    if (size > rest_.size()) return fail();
    text = rest_.substr(0, size);
    rest_.remove_prefix(size);
  }
  // last_of(Enum) is the last value.
  template <class Enum>
    requires std::is_enum_v<Enum>
  void get(Enum& value) {
    value = static_cast<Enum>(number(static_cast<std::uint64_t>(last_of(Enum{}))));
  }
  void get(this auto& self, Spread& spread) {
    std::uint64_t width = 0;
    std::vector<Spread::Cell> cells;
    self(width, cells);
    spread = Spread::of(width, cells);
    // The cells of a Spread have equal widths and ascending positions.
    if (spread.width() != width || spread.cells() != cells) self.fail();
  }
  template <class T>
  void get(this auto& self, std::optional<T>& value) {
    if (self.number(1) == 1) self.get(value.emplace());
  }
  template <class T>
  void get(this auto& self, std::vector<T>& values) {
    // Every element needs at least eight bytes.
    const std::uint64_t count = self.number(self.rest() / sizeof(std::uint64_t));
    for (std::uint64_t i = 0; i < count && self.good(); ++i) self.get(values.emplace_back());
  }
  template <class T>
    requires std::is_class_v<T>
  void get(this auto& self, T& value) {
    parts(self, value);
  }

  std::size_t rest() const { return rest_.size(); }  // bytes

 private:
  std::string_view rest_;
  std::uint64_t longest_;
  bool good_ = true;
};

}  // namespace hepcheck
