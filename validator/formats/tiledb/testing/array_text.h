// The TileDB array that has the layout of a table, as lines for golden files.
#pragma once

#include <cstdint>
#include <format>
#include <string>
#include <string_view>

#include "validator/exchange/layout.h"
#include "validator/formats/tiledb/exchange/write_array.h"
#include "validator/testing/file_text.h"

namespace hepcheck::tiledb::testing {

// A digest of each member, and what the array loses; nothing if the layout has no column.
inline std::string array_text(const exchange::TableLayout& layout) {
  constexpr std::uint64_t kTime = 1'700'000'000'000;
  if (layout.columns.empty()) return {};
  std::string text;
  const NewArray array = array_of(layout, kTime);
  for (const NewMember& each : array.members) {
    const std::string_view bytes(reinterpret_cast<const char*>(each.bytes.data()),
                                 each.bytes.size());
    text += std::format("{} {}\n", each.path, golden::digest_of(bytes));
  }
  for (const std::string& each : array.losses) text += each + '\n';
  return text;
}

}  // namespace hepcheck::tiledb::testing
