// The encoding of a worker's results as numbers and texts. The receiver does not trust it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>

namespace hepcheck::hdf5 {

using Tell = std::function<void(std::string_view message)>;

class MessageWriter {
 public:
  // A message begins with the letter of its kind.
  explicit MessageWriter(char kind) : bytes_(1, kind) {}

  void put(std::uint64_t value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes_.append(raw, sizeof raw);
  }
  void put(std::string_view text) {
    put(std::uint64_t{text.size()});
    bytes_ += text;
  }
  std::size_t size() const { return bytes_.size(); }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class MessageReader {
 public:
  explicit MessageReader(std::string_view message) : rest_(message) {
    if (!rest_.empty()) kind_ = rest_.front(), rest_.remove_prefix(1);
  }

  char kind() const { return kind_; }
  bool more() const { return good_ && !rest_.empty(); }
  // All requested data existed.
  bool good() const { return good_; }

  std::uint64_t number() {
    std::uint64_t value = 0;
    if (rest_.size() < sizeof value) return fail();
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  std::string text() {
    const std::uint64_t size = number();
    if (size > rest_.size()) return fail(), std::string();
    std::string text(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return text;
  }

 private:
  std::uint64_t fail() {
    good_ = false;
    rest_ = {};
    return 0;
  }

  std::string_view rest_;
  char kind_ = 0;
  bool good_ = true;
};

}  // namespace hepcheck::hdf5
