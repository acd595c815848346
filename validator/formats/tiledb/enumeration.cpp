#include "validator/formats/tiledb/enumeration.h"

#include <algorithm>
#include <format>
#include <functional>
#include <numeric>

#include "validator/utf8.h"

namespace hepcheck::tiledb {

namespace {

constexpr LookRule kEnumComplete("tiledb-enum-complete", fits);
constexpr LookRule kEnumNameLength("tiledb-enum-name-length", fits);
constexpr LookRule kEnumPathLength("tiledb-enum-path-length", fits);
constexpr LookRule kEnumDataFits("tiledb-enum-data-fits", fits);
constexpr LookRule kEnumOffsetsFits("tiledb-enum-offsets-fits", fits);

struct EnumerationUse {
  const Enumeration& it;
  const Opened& file;
};

constexpr LookRule kEnumEnd("tiledb-enum-end", [](const EnumerationUse& use, Look& look) {
  look.at(use.it.end);
  look.ask(
      use.it.end == use.file.content.size(),
      [&] {
        return std::format("{} bytes behind the last field", use.file.content.size() - use.it.end);
      },
      "an enumeration that ends with its last field");
});

constexpr LookRule kEnumTileVersion("tiledb-enum-tile-version", [](const EnumerationUse& use,
                                                                   Look& look) {
  if (use.file.tile.version == 0) return;
  look.ask(
      use.file.tile.version >= 20,
      [&] { return std::format("tile version {}", use.file.tile.version); },
      "20 or later, which brought enumerations");
});
constexpr LookRule kEnumVersionKnown("tiledb-enum-version-known", [](const Enumeration& it,
                                                                     Look& look) {
  look.at("version", it.version.at);
  look.ask(
      it.version.value == 0, [&] { return std::format("version {}", it.version.value); },
      "version 0");
});

void enum_name_nonempty(const Enumeration& it, Look& look) {
  look.at("name", it.name.at);
  look.ask(!it.name.value.empty(), "an empty name", "a name");
}
void enum_path_component(const Enumeration& it, Look& look) {
  const std::string_view name = text_of(it.path.value);
  look.at("path", it.path.at);
  look.ask(
      !name.empty() && !name.contains('/'),
      [&] { return name.empty() ? "an empty path name" : "a path name with a slash"; },
      "the name of a file");
}
constexpr Rule<Enumeration> kEnumNameRules[] = {
    {"tiledb-enum-name-nonempty", enum_name_nonempty},
    {"tiledb-enum-path-component", enum_path_component},
};

void enum_datatype_known(const Enumeration& it, Look& look) {
  look.at("datatype", it.datatype.at);
  look.ask(
      is_known(it.datatype.value), [&] { return std::format("datatype {}", it.datatype.value); },
      "a datatype from 0 to 43");
}
void enum_cell_val_num(const Enumeration& it, Look& look) {
  look.at("cell_val_num", it.cell_val_num.at);
  look.ask(it.cell_val_num.value > 0, "0 values per cell",
           "a number above 0, or 4294967295 for variable size");
}
void enum_ordered_flag(const Enumeration& it, Look& look) {
  look.at("ordered", it.ordered.at);
  look.ask(it.ordered.value <= 1, [&] { return std::format("{}", it.ordered.value); }, "0 or 1");
}
constexpr Rule<Enumeration> kEnumHeadRules[] = {
    {"tiledb-enum-datatype-known", enum_datatype_known},
    {"tiledb-enum-cell-val-num", enum_cell_val_num},
    {"tiledb-enum-ordered-flag", enum_ordered_flag},
};

std::uint64_t value_width(const Enumeration& it) {
  return product(width_of(it.datatype.value), it.cell_val_num.value);
}

void enum_fixed_data_size(const Enumeration& it, Look& look) {
  if (it.is_variable() || value_width(it) == 0) return;
  look.at("data_size", it.data_size.at);
  look.ask(
      it.data_size.value % value_width(it) == 0,
      [&] { return std::format("{} bytes", it.data_size.value); },
      [&] { return std::format("whole values of {} bytes", value_width(it)); });
}
void enum_data_needs_offsets(const Enumeration& it, Look& look) {
  if (!it.is_variable() || it.data_size.value == 0) return;
  look.at("offsets_size", it.offsets_size.at);
  look.ask(it.offsets_size.value > 0, "data without offsets", "an offset for each value");
}
void enum_offsets_size(const Enumeration& it, Look& look) {
  if (!it.is_variable()) return;
  look.at("offsets_size", it.offsets_size.at);
  look.ask(
      it.offsets_size.value % 8 == 0,
      [&] { return std::format("{} bytes of offsets", it.offsets_size.value); }, "a multiple of 8");
}
bool has_offsets(const Enumeration& it) {
  return it.is_variable() && it.offsets_size.value % 8 == 0 && it.offsets_size.value > 0;
}
void enum_first_zero(const Enumeration& it, Look& look) {
  if (!has_offsets(it)) return;
  look.at("offsets", it.offsets.at);
  look.ask(
      it.offset(0) == 0 || it.offset(0) > it.data_size.value,
      [&] { return std::format("the first offset is {}", it.offset(0)); }, "0");
}
// The first offset that is less than the one before; the number of them if there is none.
std::uint64_t first_descent(const Enumeration& it) {
  const std::uint64_t count = it.offsets_size.value / 8;
  for (std::uint64_t i = 1; i < count; ++i)
    if (it.offset(i) < it.offset(i - 1)) return i;
  return count;
}
void enum_ascending(const Enumeration& it, Look& look) {
  if (!has_offsets(it)) return;
  const std::uint64_t at = first_descent(it);
  look.at(it.offsets.at + 8 * at);
  look.ask(
      at == it.offsets_size.value / 8,
      [&] {
        return std::format("offset {} is {}, after {}", at, it.offset(at), it.offset(at - 1));
      },
      "offsets that do not descend");
}
void enum_within_data(const Enumeration& it, Look& look) {
  if (!has_offsets(it) || first_descent(it) < it.offsets_size.value / 8) return;
  const std::uint64_t last = it.offsets_size.value / 8 - 1;
  look.at(it.offsets.at + 8 * last);
  look.ask(
      it.offset(last) <= it.data_size.value,
      [&] { return std::format("the last offset is {}", it.offset(last)); },
      [&] { return std::format("at most {}, the size of the data", it.data_size.value); });
}
constexpr Rule<Enumeration> kEnumValueRules[] = {
    {"tiledb-enum-fixed-data-size", enum_fixed_data_size},
    {"tiledb-enum-data-needs-offsets", enum_data_needs_offsets},
    {"tiledb-enum-offsets-size", enum_offsets_size},
    {"tiledb-enum-offsets-first-zero", enum_first_zero},
    {"tiledb-enum-offsets-ascending", enum_ascending},
    {"tiledb-enum-offsets-within-data", enum_within_data},
};

constexpr std::uint64_t kMostValues = 10'000'000;

// --- The values themselves

void enum_values_unique(const Enumeration& it, Look& look) {
  if (!it.has_values()) return;
  const std::uint64_t count = it.count();
  look.looked();
  // Equal values are neighbours in the order of their digests.
  std::vector<std::pair<std::size_t, std::uint32_t>> by_hash;
  by_hash.reserve(count);
  const std::hash<std::string_view> hash;
  for (std::uint64_t i = 0; i < count; ++i)
    by_hash.emplace_back(hash(text_of(it.value(i))), static_cast<std::uint32_t>(i));
  std::ranges::sort(by_hash);
  std::uint64_t first = count, other = 0, more = 0;
  for (std::uint64_t i = 1; i < count; ++i) {
    const auto [digest, number] = by_hash[i];
    if (by_hash[i - 1].first != digest) continue;
    const std::uint32_t before = by_hash[i - 1].second;
    if (!std::ranges::equal(it.value(number), it.value(before))) continue;
    if (first != count) ++more;
    if (number < first) first = number, other = before;
  }
  if (first == count) return;
  look.at(it.data.at + static_cast<std::uint64_t>(it.value(first).data() - it.data.value.data()));
  look.fail(std::format("value {} equals value {}{}", first, other,
                        more > 0 ? std::format(", and {} more", more) : ""),
            "values that differ");
}

void enum_text(const Enumeration& it, Look& look) {
  const std::uint8_t type = it.datatype.value;
  if (!it.has_values() || (type != kStringAscii && type != kStringUtf8)) return;
  look.looked();
  for (std::uint64_t i = 0; i < it.count(); ++i) {
    const Raw value = it.value(i);
    if (type == kStringAscii ? is_ascii(value) : well_formed_utf8(value) == value.size()) continue;
    look.at(it.data.at + static_cast<std::uint64_t>(value.data() - it.data.value.data()));
    look.fail(std::format("value {}: {}", i, hexadecimal(value)),
              type == kStringAscii ? "bytes below 128" : "well-formed UTF-8");
  }
}
constexpr Rule<Enumeration> kEnumContentRules[] = {
    {"tiledb-enum-values-unique", enum_values_unique},
    {"tiledb-enum-text", enum_text},
};

Stored<Raw> bytes_taken(BoundedReader& read, std::uint64_t size) {
  const std::uint64_t at = read.at();
  return {read.take_bytes(size), at};
}

void read_fields(BoundedReader& read, const Path& path, Enumeration& it) {
  if (!read.room<kEnumComplete>(&path, "the version", 4)) return;
  it.version = read.get<std::uint32_t>();
  if (!read.room<kEnumNameLength>(&path, "the length of the name", 4)) return;
  const auto name = read.get<std::uint32_t>().value;
  if (!read.room<kEnumNameLength>(&path, "the name", name)) return;
  it.name = bytes_taken(read, name);
  if (!read.room<kEnumPathLength>(&path, "the length of the path name", 4)) return;
  const auto file = read.get<std::uint32_t>().value;
  if (!read.room<kEnumPathLength>(&path, "the path name", file)) return;
  it.path = bytes_taken(read, file);
  it.named = true;
  if (!read.room<kEnumComplete>(&path, "the head of the values", 14)) return;
  it.datatype = read.get<std::uint8_t>();
  it.cell_val_num = read.get<std::uint32_t>();
  it.ordered = read.get<std::uint8_t>();
  it.data_size = read.get<std::uint64_t>();
  if (!read.room<kEnumDataFits>(&path, "the data", it.data_size.value)) return;
  it.data = bytes_taken(read, it.data_size.value);
  if (it.is_variable()) {
    if (!read.room<kEnumComplete>(&path, "the size of the offsets", 8)) return;
    it.offsets_size = read.get<std::uint64_t>();
    if (!read.room<kEnumOffsetsFits>(&path, "the offsets", it.offsets_size.value)) return;
    it.offsets = bytes_taken(read, it.offsets_size.value);
  }
  it.end = read.at();
  it.whole = true;
}

}  // namespace

std::uint64_t Enumeration::count() const {
  if (is_variable()) return offsets_size.value / 8;
  return value_width(*this) > 0 ? data_size.value / value_width(*this) : 0;
}

bool Enumeration::has_values() const {
  if (!whole || count() > kMostValues) return false;
  if (!is_variable()) return value_width(*this) > 0 && data_size.value % value_width(*this) == 0;
  if (!has_offsets(*this)) return false;
  const std::uint64_t n = count();
  return first_descent(*this) == n && offset(n - 1) <= data_size.value;
}

Raw Enumeration::value(std::uint64_t i) const {
  if (!is_variable()) return data.value.subspan(i * value_width(*this), value_width(*this));
  const std::uint64_t begin = offset(i);
  const std::uint64_t until = i + 1 < count() ? offset(i + 1) : data_size.value;
  return data.value.subspan(begin, until - begin);
}

void enumeration_rules(RuleList& list) {
  list.structure<kEnumComplete, kEnumNameLength, kEnumPathLength, kEnumDataFits, kEnumOffsetsFits,
                 kEnumEnd, kEnumTileVersion, kEnumVersionKnown, kEnumNameRules, kEnumHeadRules,
                 kEnumValueRules>();
  list.values<kEnumContentRules>();
}

void read_enumeration(Opened& file, Notes& notes, Enumeration& into) {
  BoundedReader read(file.content, notes, file.source);
  const Path path{.kind = "enumeration"};
  read_fields(read, path, into);
  file.stop = read.stop();
}

void judge_enumeration(const Enumeration& it, const Opened& file, Notes& notes) {
  const Path path{.kind = "enumeration"};
  const Place place{.source = &file.source, .path = &path, .decoded = true};
  judge_each<kEnumTileVersion>(EnumerationUse{it, file},
                               Place{.source = &file.source, .path = &path}, notes);
  if (file.content.size() >= 4) judge_each<kEnumVersionKnown>(it, place, notes);
  if (it.named) judge_each<kEnumNameRules>(it, place, notes);
  if (it.ordered.at > 0) judge_each<kEnumHeadRules>(it, place, notes);
  if (it.whole) {
    judge_each<kEnumValueRules>(it, place, notes);
    if (it.count() > kMostValues)
      block_behind<kEnumContentRules>({true, {}, std::format("more than {} values", kMostValues)},
                                      notes);
    else
      judge_each<kEnumContentRules>(it, place, notes);
    judge_each<kEnumEnd>(EnumerationUse{it, file}, place, notes);
    return;
  }
  if (!it.named) block_behind<kEnumPathLength, kEnumNameRules>(file.stop, notes);
  if (it.ordered.at == 0) block_behind<kEnumHeadRules>(file.stop, notes);
  block_behind<kEnumDataFits, kEnumOffsetsFits, kEnumValueRules, kEnumContentRules, kEnumEnd>(
      file.stop, notes);
}

void block_enumeration(const Stop& stop, Notes& notes) {
  block_behind<kEnumComplete, kEnumNameLength, kEnumPathLength, kEnumDataFits, kEnumOffsetsFits,
               kEnumEnd, kEnumTileVersion, kEnumVersionKnown, kEnumNameRules, kEnumHeadRules,
               kEnumValueRules, kEnumContentRules>(stop, notes);
}

}  // namespace hepcheck::tiledb
