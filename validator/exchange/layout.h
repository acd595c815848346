// The layout of a table without its values, for formats that describe arrays by a schema.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hepcheck::exchange {

// A filter of the values of a column, in the order in which they are applied when writing.
struct StoredFilter {
  std::string name{};  // "shuffle", "deflate", "zstd", "lz4", "bzip2", or another
  std::optional<int> level{};
};

struct ColumnLayout {
  enum class Kind : std::uint8_t { kInteger, kFloat, kBoolean, kText, kOpaque };

  std::string name{};
  Kind kind{};
  unsigned width = 1;  // bytes of a value
  bool is_signed = false;
  bool utf8 = false;
  std::uint64_t count = 1;        // values of a cell: bytes of a fixed text or opaque value
  bool variable = false;          // any number of them
  std::vector<std::byte> fill{};  // of one cell, little-endian
  std::optional<std::size_t> categories{};  // the position of those of the codes
  std::uint64_t chunk = 0;                  // rows of a chunk; 0: not chunked
  std::vector<StoredFilter> filters{};
};

struct CategoriesLayout {
  std::string name{};
  bool ordered = false;
  std::vector<std::string> values{};  // UTF-8
};

struct TableLayout {
  std::string path{};
  std::uint64_t rows = 0;
  std::vector<ColumnLayout> columns{};
  std::vector<CategoriesLayout> categories{};
  std::vector<std::string> refused{};  // columns without a layout, by name, and why
  std::vector<std::string> losses{};   // properties that a layout does not have
};

}  // namespace hepcheck::exchange
