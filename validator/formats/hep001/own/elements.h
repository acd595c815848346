// Elements of the file as elements in memory: the data of variable-length parts is in heaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/hep001/own/context.h"
#include "validator/formats/hep001/own/datatype.h"

namespace hepcheck::hep001::own {

// The text of a variable-length string; nothing if it is null. It ends at the first zero.
struct HeapText {
  std::optional<std::string> text{};
  std::optional<std::string> trouble{};
};
HeapText heap_text(std::span<const std::byte> element, Context& context);

// Converts elements, which are valid until clear(). Context::mutex must be locked.
class Elements {
 public:
  explicit Elements(Context& context);

  // Returns the reason if they cannot be read.
  std::optional<std::string> convert(const ElementForm& form, std::span<const std::byte> stored,
                                     std::span<std::byte> into);
  // One variable-length string; null strings are empty.
  std::optional<std::string> text(std::span<const std::byte> stored, std::string_view& into);
  void clear() { parts_.clear(); }

 private:
  std::optional<std::string> one(const ElementForm& form, std::span<const std::byte> stored,
                                 std::span<std::byte> into, unsigned level);
  std::optional<std::string> sequence(const ElementForm& form, std::span<const std::byte> stored,
                                      std::span<std::byte> into, unsigned level);
  struct Data {
    bool null = false;
    std::uint64_t count = 0;
    std::span<const std::byte> bytes{};  // until the next one is asked for
  };
  std::optional<std::string> data(std::span<const std::byte> stored, std::uint64_t element_bytes,
                                  Data& into);
  std::optional<std::span<std::byte>> room(std::uint64_t bytes);

  Context& context_;
  std::vector<std::unique_ptr<std::byte[]>> parts_{};
  std::byte* free_ = nullptr;  // in the last part
  std::uint64_t left_ = 0;     // bytes there
  // Elements may refer to the same object of a heap again and again.
  std::uint64_t budget_;
};

}  // namespace hepcheck::hep001::own
