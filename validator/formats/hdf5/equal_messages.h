// What was read of messages, by their bytes: thousands of objects have equal ones.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

// For a reader of values (Container::for_values): nobody asks it how often it looked at a clause,
// so what it found to have no error is taken apart only once. Its size has a limit.
template <class T>
class EqualMessages {
 public:
  // Null if no equal one was kept.
  T* find(const Region& message) {
    if (message.size() > kLongest) return nullptr;
    const auto known = known_.find(text_of(message));
    return known == known_.end() ? nullptr : &known->second;
  }
  bool has_room(const Region& message) const {
    return message.size() <= kLongest && known_.size() < kMost;
  }
  // How many are kept: a number for the next one.
  std::uint32_t size() const { return static_cast<std::uint32_t>(known_.size()); }
  // There must be room.
  T& keep(const Region& message, T read) {
    return known_.emplace(text_of(message), std::move(read)).first->second;
  }

 private:
  static constexpr std::size_t kMost = 4'096, kLongest = 1'024;
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  static std::string_view text_of(const Region& message) {
    return {reinterpret_cast<const char*>(message.bytes.data()), message.bytes.size()};
  }

  std::unordered_map<std::string, T, Hash, std::equal_to<>> known_{};
};

}  // namespace hepcheck::hdf5
