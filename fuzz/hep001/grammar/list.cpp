#include "fuzz/hep001/grammar/list.h"

#include <algorithm>
#include <array>

namespace hepcheck::hep001::grammar {

namespace {

// Texts of one code point; the first is the simplest.
constexpr std::string_view kPoints[] = {"a",
                                        "z",
                                        std::string_view("\0", 1),
                                        "\xc3\xa9",
                                        "e\xcc\x81",
                                        "\xe6\xbc\xa2",
                                        "\xf0\x9f\x98\x80"};

std::string random_text(Choices& choices, const std::vector<std::uint64_t>& lengths) {
  std::uint64_t points = choices.below(4);
  if (choices.one_in(16)) points = place_near(choices, 600, lengths);
  std::string text;
  for (std::uint64_t i = 0; i < points; ++i) text += choices.of(kPoints);
  return text;
}

// The number of elements of an entry; small, so the level below stays small.
std::uint64_t random_length(Choices& choices, std::uint64_t so_far, std::uint64_t most,
                            const std::vector<std::uint64_t>& lengths) {
  if (so_far >= most) return 0;
  if (choices.one_in(12)) return place_near(choices, most - so_far + 1, lengths);
  return choices.below(3);
}

// Offsets and mask after the last entry are arbitrary.
void add_tails(RandomLevel& level, Choices& choices) {
  for (std::uint64_t n = choices.below(3); n > 0; --n) level.offsets.push_back(choices.below(9));
  if (level.has_mask)
    for (std::uint64_t n = choices.below(3); n > 0; --n)
      level.mask.push_back(static_cast<std::uint8_t>(choices.below(256)));
}

void append(std::vector<std::byte>& bytes, std::uint64_t value, bool big_endian) {
  for (unsigned i = 0; i < 8; ++i)
    bytes.push_back(static_cast<std::byte>(value >> (8 * (big_endian ? 7 - i : i))));
}

void store(TestTable& table, const std::string& path, std::vector<std::byte> bytes) {
  table.values.set(table.dataset(path).token, std::move(bytes));
}

void add_mask(TestTable& table, const std::string& group, const RandomLevel& level) {
  if (!level.has_mask) return;
  table.add_dataset(group + "/MASK", boolean_type(), {level.mask.size()});
  std::vector<std::byte> bytes;
  for (const std::uint8_t each : level.mask) bytes.push_back(std::byte{each});
  store(table, group + "/MASK", std::move(bytes));
}

// The slow reading of a text: code point by code point.
bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned first = byte(i);
    const std::size_t size = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : 4;
    if (size == 4 && first >> 3 != 30) return false;
    if (text.size() - i < size) return false;
    std::uint32_t point = size == 1 ? first : first & ((1u << (7 - size)) - 1);
    for (std::size_t k = 1; k < size; ++k) {
      if (byte(i + k) >> 6 != 2) return false;
      point = point << 6 | (byte(i + k) & 0x3f);
    }
    constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
    if (point < kLeast[size] || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))
      return false;
    i += size;
  }
  return true;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const RandomList& list) {
  out << list.nrows << " rows";
  for (const RandomLevel& level : list.levels) {
    out << "; offsets";
    for (const std::uint64_t each : level.offsets) out << ' ' << each;
    if (level.has_mask) out << ", mask";
    for (const unsigned each : level.mask) out << ' ' << each;
  }
  if (!list.strings) return out << "; " << list.leaf << " elements";
  out << "; bytes";
  for (const char each : list.chars)
    out << ' ' << static_cast<int>(static_cast<unsigned char>(each));
  return out;
}

RandomList random_list(Choices& choices, std::uint64_t nrows, std::uint64_t most_rows,
                       const std::vector<std::uint64_t>& lengths) {
  RandomList list{.nrows = nrows};
  std::uint64_t depth = 1 + choices.below(choices.one_in(4) ? 5 : 2);
  list.strings = choices.maybe();
  if (list.strings && depth == 1) depth = 2;  // strings are elements of lists, not rows
  list.big_endian = choices.one_in(4);
  std::uint64_t entries = nrows;
  for (std::uint64_t i = 0; i < depth; ++i) {
    const bool texts = list.strings && i + 1 == depth;
    RandomLevel level{.has_mask = choices.maybe()};
    for (std::uint64_t entry = 0; entry < entries; ++entry) {
      const bool null = level.has_mask && choices.one_in(4);
      const std::uint64_t begin = level.offsets.back();
      const std::string text = texts && !null ? random_text(choices, lengths) : "";
      list.chars += text;
      level.offsets.push_back(begin + (null ? 0
                                       : texts
                                           ? text.size()
                                           : random_length(choices, begin, most_rows, lengths)));
      if (level.has_mask) level.mask.push_back(null ? 0 : 1);
    }
    entries = level.offsets.back();
    add_tails(level, choices);
    list.levels.push_back(std::move(level));
  }
  const std::uint64_t tail = choices.below(3);
  list.leaf = entries + tail;
  if (list.strings) list.chars += std::string(tail, '\xff');
  return list;
}

void mutate(RandomList& list, Choices& choices) {
  std::uint64_t entries = list.nrows;
  const std::uint64_t at = choices.below(list.levels.size());
  for (std::uint64_t i = 0; i < at; ++i) entries = list.levels[i].offsets[entries];
  RandomLevel& level = list.levels[at];
  const std::uint64_t what = choices.below(3);
  if (what == 0) {
    const std::uint64_t place = choices.below(entries + 1), last = level.offsets[entries];
    level.offsets[place] = choices.below(place == entries ? last + 1 : last + 3);
  } else if (what == 1 && level.has_mask && entries > 0) {
    level.mask[choices.below(entries)] = static_cast<std::uint8_t>(choices.below(4));
  } else if (list.strings && !list.chars.empty()) {
    constexpr unsigned char kBytes[] = {'b', 0x80, 0xc3, 0xe6, 0xed, 0xef, 0xbb, 0xbf, 0xf4, 0xff};
    list.chars[choices.below(list.chars.size())] = static_cast<char>(choices.of(kBytes));
  }
}

void add(TestTable& table, const std::string& name, const RandomList& list) {
  const ByteOrder order = list.big_endian ? ByteOrder::kBig : ByteOrder::kLittle;
  std::string group = name;
  for (std::size_t i = 0; i < list.levels.size(); ++i, group += "/VALUES") {
    const RandomLevel& level = list.levels[i];
    const bool texts = list.strings && i + 1 == list.levels.size();
    table.add_group(group);
    table.set(group, ascii("CLASS", texts ? "STRING_VALUES" : "LIST_COLUMN"));
    if (!texts) table.set(group, ascii("KIND", "OFFSETS"));
    table.add_dataset(group + "/OFFSETS", integer_type(8, false, order), {level.offsets.size()});
    std::vector<std::byte> offsets;
    for (const std::uint64_t each : level.offsets) append(offsets, each, list.big_endian);
    store(table, group + "/OFFSETS", std::move(offsets));
    add_mask(table, group, level);
    if (texts) {
      table.add_dataset(group + "/CHARS", integer_type(1, false), {list.chars.size()});
      const auto bytes = std::as_bytes(std::span(list.chars));
      store(table, group + "/CHARS", {bytes.begin(), bytes.end()});
    } else if (i + 1 == list.levels.size()) {
      table.add_dataset(group + "/VALUES", integer_type(2, true, order), {list.leaf});
      store(table, group + "/VALUES", std::vector<std::byte>(2 * list.leaf));
    }
  }
}

Wrong wrong_list(const RandomList& list) {
  Wrong wrong;
  std::uint64_t entries = list.nrows;
  for (std::size_t i = 0; i < list.levels.size(); ++i) {
    const RandomLevel& level = list.levels[i];
    if (level.offsets[0] != 0) wrong["list-offsets-first-zero"].push_back(0);
    for (std::uint64_t entry = 0; entry < entries; ++entry) {
      const std::uint64_t begin = level.offsets[entry], end = level.offsets[entry + 1];
      if (end < begin) wrong["list-offsets-non-decreasing"].push_back(entry);
      if (level.has_mask && level.mask[entry] > 1) wrong["list-mask-value"].push_back(entry);
      if (level.has_mask && level.mask[entry] == 0 && begin < end)
        wrong["list-null-entry-empty"].push_back(entry);
      if (!list.strings || i + 1 < list.levels.size() || begin >= end || end > list.chars.size())
        continue;
      const std::string_view text = std::string_view(list.chars).substr(begin, end - begin);
      if (!is_utf8(text))
        wrong["string-chars-utf8"].push_back(entry);
      else if (text.starts_with("\xef\xbb\xbf"))
        wrong["string-chars-no-bom (warning)"].push_back(entry);
    }
    entries = level.offsets[entries];
  }
  return wrong;
}

}  // namespace hepcheck::hep001::grammar
