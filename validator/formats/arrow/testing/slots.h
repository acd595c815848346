// A column of any number of slots of which some are null, and what is to be found of the others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <format>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/arrow/testing/build.h"
#include "validator/formats/arrow/testing/judge.h"
#include "validator/testing/random.h"

namespace hepcheck::arrow::testing {

struct Column {
  Bytes validity{};
  std::vector<bool> nulls{};
  std::int64_t null_count = 0;

  Column(Random& random, std::size_t slots) : nulls(slots) {
    if (random.once_in(2)) return;
    validity.assign((slots + 7) / 8, '\0');
    for (std::size_t i = 0; i < slots; ++i) {
      nulls[i] = random.once_in(4);
      null_count += nulls[i];
      if (!nulls[i]) validity[i / 8] = static_cast<char>(validity[i / 8] | 1 << i % 8);
    }
  }
};

// The result of a clause about each slot, or each that is not null.
inline std::string wanted(const Column& column, const std::function<bool(std::size_t)>& good,
                          bool nulls_too = false) {
  std::optional<std::size_t> first;
  std::size_t count = 0;
  for (std::size_t i = 0; i < column.nulls.size(); ++i) {
    if ((column.nulls[i] && !nulls_too) || good(i)) continue;
    ++count;
    if (!first) first = i;
  }
  if (!first) return std::format("pass {}", column.nulls.size());
  return std::format("fail {}: slot {}", column.nulls.size(), *first) +
         (count > 1 ? std::format(" +{}", count - 1) : "");
}

// A result without what is said of the slot.
inline std::string without_values(const std::string& text) {
  const std::size_t byte = text.find(": ", std::min(text.find("slot"), text.size()));
  if (byte == text.npos) return text;
  const std::size_t more = text.find(" +", byte);
  return text.substr(0, byte) + (more == text.npos ? "" : text.substr(more));
}
inline std::string found(const Bytes& stream, std::string_view clause) {
  return without_values(result_of(stream, "arrow-columnar-1.5", clause));
}

inline std::size_t some_slots(Random& random) {
  constexpr std::size_t kSome[] = {1, 7, 63, 64, 65, 130, 200, 4'100};
  return random.once_in(40) ? kSome[7] : kSome[random.below(7)];
}

}  // namespace hepcheck::arrow::testing
