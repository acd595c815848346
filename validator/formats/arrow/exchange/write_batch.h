// Converts neutral arrays to the nodes and buffers of a record batch: chapters 2 and 4.3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "validator/exchange/table.h"
#include "validator/formats/arrow/compression.h"
#include "validator/formats/arrow/exchange/flat.h"

namespace hepcheck::arrow {

// The body of a batch; it refers to the arrays.
class BodyWriter {
 public:
  explicit BodyWriter(std::optional<Codec> codec) : codec_(codec) {}

  void add(const exchange::Type& type, const exchange::Array& array);

  FlatTable table(std::uint64_t rows) const;
  std::int64_t length() const { return static_cast<std::int64_t>(length_); }
  // Its parts, in order, padding included.
  const std::vector<std::span<const std::byte>>& pieces() const { return pieces_; }

 private:
  void validity(const exchange::Array& array);
  void buffer(std::span<const std::byte> bytes);
  void made(std::string bytes);
  template <class T>
  void offsets(const exchange::Array& array);
  void meant(const exchange::Type& type, const exchange::Array& array, std::uint64_t width);

  std::optional<Codec> codec_;
  std::string nodes_{}, buffers_{};
  std::uint32_t node_count_ = 0, buffer_count_ = 0;
  std::uint64_t length_ = 0;
  std::vector<std::span<const std::byte>> pieces_{};
  std::deque<std::string> own_{};
};

}  // namespace hepcheck::arrow
