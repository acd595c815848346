// Repairs the checksums of an HDF5 container as the reader reports them.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "validator/report.h"

namespace hepcheck::fuzz {

inline void put_number(std::span<std::uint8_t> bytes, std::size_t at, std::size_t size,
                       std::uint64_t value) {
  for (std::size_t i = 0; i < size; ++i)
    bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

template <class Number>
std::optional<Number> number_in(std::string_view text, int base) {
  Number number{};
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (trouble != std::errc() || end == text.data()) return std::nullopt;
  return number;
}

// "FAHD @ 2048 + 24" and "1f2e3d4c, that of the bytes before it".
inline bool put_checksum(std::span<std::uint8_t> image, const Finding& finding) {
  const std::string_view where = finding.where;
  const std::size_t at = where.find(" @ "), plus = where.find(" + ");
  if (at == where.npos || plus == where.npos) return false;
  const auto block = number_in<std::size_t>(where.substr(at + 3), 10);
  const auto offset = number_in<std::size_t>(where.substr(plus + 3), 10);
  const auto sum = number_in<std::uint32_t>(finding.expected, 16);
  if (!block || !offset || !sum || *block + *offset + 4 > image.size()) return false;
  put_number(image, *block + *offset, 4, *sum);
  return true;
}

// Those that the report names; false if there is none.
inline bool repair_checksums(std::span<std::uint8_t> image, const FileReport& report) {
  bool repaired = false;
  for (const SubjectReport& subject : report.subjects)
    for (const ClauseResult& result : subject.clauses)
      if (result.clause->id.ends_with("-checksum"))
        for (const Finding& finding : result.findings) repaired |= put_checksum(image, finding);
  return repaired;
}

}  // namespace hepcheck::fuzz
