// A FlatBuffers writer: tables as values, written front to back, children after their parents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace hepcheck::arrow {

class FlatTable {
 public:
  // Fields by number. A field that is not given is absent.
  template <class T>
  FlatTable& scalar(unsigned id, T value) {
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    fields_.emplace_back(id, std::move(bytes));
    return *this;
  }
  FlatTable& text(unsigned id, std::string_view value) {
    fields_.emplace_back(id, Text{std::string(value)});
    return *this;
  }
  FlatTable& table(unsigned id, FlatTable value) {
    fields_.emplace_back(id, std::vector{std::move(value)});
    return *this;
  }
  FlatTable& tables(unsigned id, std::vector<FlatTable> values) {
    fields_.emplace_back(id, Tables{std::move(values)});
    return *this;
  }
  // A vector of `count` scalars or structs, in their memory layout.
  FlatTable& structs(unsigned id, std::uint32_t count, std::string bytes) {
    fields_.emplace_back(id, Structs{count, std::move(bytes)});
    return *this;
  }

  // The flatbuffer with this table as its root.
  std::string finished() const;

 private:
  struct Text {
    std::string value;
  };
  struct Structs {
    std::uint32_t count;
    std::string bytes;
  };
  struct Tables {
    std::vector<FlatTable> values;
  };
  // A scalar as its bytes; one table as a vector of one, since a table cannot hold itself.
  using Value = std::variant<std::string, Text, Structs, std::vector<FlatTable>, Tables>;

  std::uint32_t put(std::string& into) const;

  std::vector<std::pair<unsigned, Value>> fields_{};
};

}  // namespace hepcheck::arrow
