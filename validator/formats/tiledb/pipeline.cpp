#include "validator/formats/tiledb/pipeline.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <format>

#include "validator/formats/tiledb/datatype.h"

namespace hepcheck::tiledb {

namespace {

constexpr std::array<std::string_view, kDelta + 1> kFilterNames = {
    "none",       "gzip",        "zstd",           "lz4",
    "RLE",        "bzip2",       "double delta",   "bit width reduction",
    "bitshuffle", "byteshuffle", "positive delta", "encryption",
    "MD5",        "SHA-256",     "dictionary",     "float scale",
    "xor",        "bitsort",     "WebP",           "delta"};

// One filter of a pipeline, with the datatype that reaches it.
struct FilterUse {
  const Filter& filter;
  std::size_t index;
  const PipelineUse& in;

  std::uint8_t type() const { return filter.type; }
  std::size_t size() const { return filter.options.size(); }
  std::uint8_t byte(std::size_t at) const {
    return std::to_integer<std::uint8_t>(filter.options[at]);
  }
  bool of_schema() const { return in.role != Role::kHeader; }
};

bool known(std::uint8_t type, std::uint32_t version) {
  if (type == kBitsort) return version == 16 || version == 17;
  return type <= kDelta;
}

// The sizes of the options that the tables of the format give.
std::size_t option_size(std::uint8_t type, std::uint32_t version) {
  switch (type) {
    case kGzip:
    case kZstd:
    case kLz4:
    case kRle:
    case kBzip2:
    case kDictionary: return 5;
    case kDoubleDelta: return version < 20 ? 5 : 6;
    case kDelta: return version < 19 ? 5 : 6;
    case kBitWidth:
    case kPositiveDelta: return 4;
    case kFloatScale: return 24;
    case kWebp: return 12;
    default: return 0;
  }
}

bool sized(const FilterUse& it) { return it.size() == option_size(it.type(), it.in.version); }

constexpr LookRule kPipelineComplete("tiledb-pipeline-complete", fits);
constexpr LookRule kFilterCountFits("tiledb-filter-count-fits", fits);
constexpr LookRule kFilterComplete("tiledb-filter-complete", fits);

void type_known(const FilterUse& it, Look& look) {
  look.ask(
      known(it.type(), it.in.version), [&] { return std::format("filter {}", it.type()); },
      "0 to 16, 18 or 19");
}

void bitsort_retired(const FilterUse& it, Look& look) {
  if (it.in.version != 16 && it.in.version != 17) return;
  look.ask(it.type() != kBitsort, "bitsort (17)",
           "another filter: later libraries refuse the whole schema");
}

std::uint32_t filter_since(std::uint8_t type) {
  switch (type) {
    case kMd5:
    case kSha256: return 4;
    case kDictionary: return 13;
    case kFloatScale: return 15;
    case kXor:
    case kWebp: return 16;
    case kDelta: return 19;
    default: return 1;
  }
}

void type_since(const FilterUse& it, Look& look) {
  if (!known(it.type(), it.in.version) || it.type() == kBitsort || it.in.version == 0) return;
  look.ask(
      it.in.version >= filter_since(it.type()),
      [&] { return std::format("{} in version {}", filter_text(it.type()), it.in.version); },
      [&] { return std::format("version {} or later", filter_since(it.type())); });
}

void no_encryption_in_schema(const FilterUse& it, Look& look) {
  if (!it.of_schema()) return;
  look.ask(it.type() != kEncryption, "the internal encryption filter (11)",
           "a filter that schemas store");
}

void ask_options(const FilterUse& it, Look& look) {
  const std::size_t wanted = option_size(it.type(), it.in.version);
  look.at(it.filter.at + 1);
  look.ask(
      it.size() == wanted,
      [&] { return std::format("{} bytes of options for {}", it.size(), filter_text(it.type())); },
      [&] { return std::format("{} bytes", wanted); });
}

void options_none(const FilterUse& it, Look& look) {
  constexpr std::array kWithout = {kNoFilter, kBitshuffle, kByteshuffle, kEncryption,
                                   kMd5,      kSha256,     kXor,         kBitsort};
  if (std::ranges::contains(kWithout, it.type())) ask_options(it, look);
}
void options_compressor(const FilterUse& it, Look& look) {
  if ((it.type() >= kGzip && it.type() <= kBzip2) || it.type() == kDictionary)
    ask_options(it, look);
}
void options_double_delta(const FilterUse& it, Look& look) {
  if (it.type() == kDoubleDelta) ask_options(it, look);
}
void options_delta(const FilterUse& it, Look& look) {
  if (it.type() == kDelta) ask_options(it, look);
}
void options_window(const FilterUse& it, Look& look) {
  if (it.type() == kBitWidth || it.type() == kPositiveDelta) ask_options(it, look);
}
void options_float_scale(const FilterUse& it, Look& look) {
  if (it.type() == kFloatScale) ask_options(it, look);
}
void options_webp(const FilterUse& it, Look& look) {
  if (it.type() == kWebp) ask_options(it, look);
}

bool has_compressor(std::uint8_t type) {
  return (type >= kGzip && type <= kDoubleDelta) || type == kDictionary || type == kDelta;
}
std::uint8_t compressor_of(std::uint8_t type) {
  return type == kDictionary ? 7 : type == kDelta ? 8 : type;
}
bool is_filter_id(const FilterUse& it) {
  return (it.type() == kDictionary || it.type() == kDelta) && it.byte(0) == it.type();
}

void compressor_byte(const FilterUse& it, Look& look) {
  if (!has_compressor(it.type()) || !sized(it)) return;
  look.at(it.filter.options_at());
  look.ask(
      it.byte(0) == compressor_of(it.type()) || is_filter_id(it),
      [&] { return std::format("compressor {} for {}", it.byte(0), filter_text(it.type())); },
      [&] { return std::format("compressor {}", compressor_of(it.type())); });
}

void compressor_as_filter_id(const FilterUse& it, Look& look) {
  if ((it.type() != kDictionary && it.type() != kDelta) || !sized(it)) return;
  look.at(it.filter.options_at());
  look.ask(
      !is_filter_id(it),
      [&] { return std::format("compressor {}, the filter's type", it.byte(0)); },
      [&] {
        return std::format("compressor {}: compressors have their own numbers",
                           compressor_of(it.type()));
      });
}

void level_range(const FilterUse& it, Look& look) {
  if (it.type() != kGzip && it.type() != kZstd && it.type() != kBzip2) return;
  if (!sized(it)) return;
  const auto level = std::bit_cast<std::int32_t>(load<std::uint32_t>(it.filter.options.data() + 1));
  const std::int32_t least = it.type() == kZstd ? -131072 : -1;
  const std::int32_t most = it.type() == kZstd ? 22 : 9;
  look.at(it.filter.options_at() + 1);
  look.ask(
      level >= least && level <= most,
      [&] { return std::format("level {} of {}", level, filter_text(it.type())); },
      [&] { return std::format("a level from {} to {}", least, most); });
}

// The datatype as which the delta filters take their input, if the options give it.
std::optional<std::uint8_t> reinterpreted(const FilterUse& it) {
  if ((it.type() != kDoubleDelta && it.type() != kDelta) || !sized(it) || it.size() != 6)
    return std::nullopt;
  return it.byte(5);
}

void reinterpret_known(const FilterUse& it, Look& look) {
  const auto datatype = reinterpreted(it);
  if (!datatype) return;
  look.at(it.filter.options_at() + 5);
  look.ask(
      is_known(*datatype), [&] { return std::format("datatype {}", *datatype); },
      "a datatype from 0 to 43; 17 for none");
}

void reinterpret_not_real(const FilterUse& it, Look& look) {
  const auto datatype = reinterpreted(it);
  if (!datatype) return;
  look.at(it.filter.options_at() + 5);
  look.ask(
      !is_float(*datatype), [&] { return datatype_text(*datatype); },
      "a datatype that is not floating point");
}

void window_positive(const FilterUse& it, Look& look) {
  if ((it.type() != kBitWidth && it.type() != kPositiveDelta) || !sized(it)) return;
  look.at(it.filter.options_at());
  look.ask(load<std::uint32_t>(it.filter.options.data()) > 0, "a window of 0 bytes",
           "a window above 0");
}

bool is_byte_width(std::uint64_t width) {
  return width == 1 || width == 2 || width == 4 || width == 8;
}

void scale_byte_width(const FilterUse& it, Look& look) {
  if (it.type() != kFloatScale || !sized(it)) return;
  const auto width = load<std::uint64_t>(it.filter.options.data() + 16);
  look.at(it.filter.options_at() + 16);
  look.ask(
      is_byte_width(width), [&] { return std::format("byte width {}", width); }, "1, 2, 4 or 8");
}

void scale_finite(const FilterUse& it, Look& look) {
  if (it.type() != kFloatScale || !sized(it)) return;
  const auto number = [&](std::size_t at) {
    return std::bit_cast<double>(load<std::uint64_t>(it.filter.options.data() + at));
  };
  const double scale = number(0), offset = number(8);
  look.at(it.filter.options_at());
  look.ask(
      std::isfinite(scale) && scale != 0 && std::isfinite(offset),
      [&] { return std::format("scale {}, offset {}", scale, offset); },
      "a finite scale other than 0, and a finite offset");
}

bool is_webp(const FilterUse& it) { return it.type() == kWebp && sized(it); }

void webp_format(const FilterUse& it, Look& look) {
  if (!is_webp(it)) return;
  look.at(it.filter.options_at() + 4);
  look.ask(
      it.byte(4) <= 4, [&] { return std::format("colour format {}", it.byte(4)); },
      "0 (none) to 4 (BGRA)");
}
void webp_lossless(const FilterUse& it, Look& look) {
  if (!is_webp(it)) return;
  look.at(it.filter.options_at() + 5);
  look.ask(it.byte(5) <= 1, [&] { return std::format("lossless {}", it.byte(5)); }, "0 or 1");
}
void webp_quality(const FilterUse& it, Look& look) {
  if (!is_webp(it)) return;
  const auto quality = std::bit_cast<float>(load<std::uint32_t>(it.filter.options.data()));
  look.at(it.filter.options_at());
  look.ask(
      quality >= 0 && quality <= 100, [&] { return std::format("quality {}", quality); },
      "a quality from 0 to 100");
}
void webp_extent_limit(const FilterUse& it, Look& look) {
  if (!is_webp(it)) return;
  constexpr unsigned kMost = 16383;
  const unsigned y = load<std::uint16_t>(it.filter.options.data() + 6);
  const unsigned x = load<std::uint16_t>(it.filter.options.data() + 8);
  const unsigned depth = it.byte(4) == 3 || it.byte(4) == 4 ? 4 : 3;
  look.at(it.filter.options_at() + 6);
  look.ask(
      y <= kMost && x <= kMost * depth, [&] { return std::format("extents y {}, x {}", y, x); },
      [&] { return std::format("y at most {}, x at most {}", kMost, kMost * depth); });
}
void webp_context(const FilterUse& it, Look& look) {
  if (it.type() != kWebp || !it.of_schema()) return;
  look.ask(
      it.in.role == Role::kAttribute && it.in.datatype == kUint8 && it.in.webp_array,
      [&] {
        return it.in.role != Role::kAttribute ? std::string("WebP outside of an attribute")
               : it.in.datatype != kUint8
                   ? "WebP for an attribute of " + datatype_text(it.in.datatype)
                   : std::string("WebP in an array without an image's dimensions");
      },
      "a UINT8 attribute of a dense array with two dimensions of one integer datatype");
}

void dictionary_first(const FilterUse& it, Look& look) {
  if (!it.of_schema() || it.type() != kDictionary) return;
  look.ask(
      it.index == 0, [&] { return std::format("dictionary as filter {}", it.index); },
      "dictionary as the first filter");
}

bool is_variable_text(const PipelineUse& use) {
  return use.cell_val_num == kVariable &&
         (use.datatype == kStringAscii || use.datatype == kStringUtf8);
}

void dictionary_on_strings(const FilterUse& it, Look& look) {
  if (!it.of_schema() || it.type() != kDictionary) return;
  const bool coordinates = it.in.role == Role::kCoordinates;
  const bool holds =
      it.in.typed ? is_variable_text(it.in) : coordinates && !it.in.inherited_by_other_than_strings;
  look.ask(
      holds,
      [&] {
        return it.in.typed   ? "dictionary on " + datatype_text(it.in.datatype)
               : coordinates ? std::string("a dimension inherits it that is no string")
                             : std::string("dictionary on offsets or validity");
      },
      "a variable-sized string, ASCII or UTF-8");
}

void rle_first_on_strings(const FilterUse& it, Look& look) {
  if (!it.of_schema() || it.type() != kRle || !it.in.typed || it.in.pipeline->filters.size() < 2 ||
      it.in.cell_val_num != kVariable)
    return;
  const bool takes_offsets = (it.in.datatype == kStringAscii && it.in.version >= 12) ||
                             (it.in.datatype == kStringUtf8 && it.in.version >= 17);
  if (!takes_offsets) return;
  look.ask(
      it.index == 0, [&] { return std::format("RLE as filter {}", it.index); },
      "RLE as the first filter of a string");
}

bool takes_numbers(std::uint8_t type) {
  return is_integral(type) || (type >= kBlob && type <= kLastDatatype);
}

constexpr std::uint8_t signed_of(unsigned width) {
  return width == 1 ? kInt8 : width == 2 ? kInt16 : width == 4 ? kInt32 : kInt64;
}

// Whether the filter takes such values; passes on what it makes of them.
bool accepts(const FilterUse& it, std::uint8_t& datatype) {
  switch (it.type()) {
    case kBitWidth:
    case kPositiveDelta: return takes_numbers(datatype);
    case kDoubleDelta:
    case kDelta: {
      const auto as = reinterpreted(it);
      const bool changed = as && *as != kAny && is_known(*as);
      const std::uint8_t input = changed ? *as : datatype;
      if (is_float(input)) return false;
      if (changed && width_of(datatype) % width_of(*as) != 0) return false;
      datatype = input;
      return true;
    }
    case kFloatScale: {
      if (width_of(datatype) != 4 && width_of(datatype) != 8) return false;
      if (!sized(it)) return true;
      const auto width = load<std::uint64_t>(it.filter.options.data() + 16);
      if (is_byte_width(width)) datatype = signed_of(static_cast<unsigned>(width));
      return true;
    }
    case kXor: datatype = signed_of(width_of(datatype)); return true;
    default: return true;
  }
}

void accepts_datatype(const FilterUse& it, Look& look) {
  if (!it.of_schema() || !it.in.typed || !is_known(it.in.datatype)) return;
  std::uint8_t datatype = it.in.datatype;
  for (std::size_t i = 0; i < it.index; ++i)
    if (!accepts({it.in.pipeline->filters[i], i, it.in}, datatype)) return;
  const std::uint8_t given = datatype;
  look.ask(
      accepts(it, datatype),
      [&] { return std::format("{} on {}", filter_text(it.type()), datatype_text(given)); },
      "values that the filter takes");
}

constexpr Rule<FilterUse> kFilterRules[] = {
    {"tiledb-filter-type-known", type_known},
    {"tiledb-filter-bitsort-retired", bitsort_retired},
    {"tiledb-filter-type-since", type_since},
    {"tiledb-filter-options-none", options_none},
    {"tiledb-filter-options-compressor", options_compressor},
    {"tiledb-filter-options-double-delta", options_double_delta},
    {"tiledb-filter-options-delta", options_delta},
    {"tiledb-filter-options-window", options_window},
    {"tiledb-filter-options-float-scale", options_float_scale},
    {"tiledb-filter-options-webp", options_webp},
    {"tiledb-filter-compressor-byte", compressor_byte},
    {"tiledb-filter-compressor-as-filter-id", compressor_as_filter_id},
    {"tiledb-filter-level-range", level_range},
    {"tiledb-filter-reinterpret-known", reinterpret_known},
    {"tiledb-filter-reinterpret-not-real", reinterpret_not_real},
    {"tiledb-filter-window-positive", window_positive},
    {"tiledb-filter-scale-byte-width", scale_byte_width},
    {"tiledb-filter-scale-finite", scale_finite},
    {"tiledb-filter-webp-format", webp_format},
    {"tiledb-filter-webp-lossless", webp_lossless},
    {"tiledb-filter-webp-quality", webp_quality},
    {"tiledb-filter-webp-extent-limit", webp_extent_limit},
};
constexpr Rule<FilterUse> kSchemaFilterRules[] = {
    {"tiledb-filter-no-encryption-in-schema", no_encryption_in_schema},
    {"tiledb-filter-webp-context", webp_context},
    {"tiledb-filter-dictionary-first", dictionary_first},
    {"tiledb-filter-dictionary-on-strings", dictionary_on_strings},
    {"tiledb-filter-rle-first-on-strings", rle_first_on_strings},
    {"tiledb-filter-accepts-datatype", accepts_datatype},
};

}  // namespace

void pipeline_rules(RuleList& list) {
  list.structure<kPipelineComplete, kFilterCountFits, kFilterComplete, kFilterRules,
                 kSchemaFilterRules>();
}

std::string_view filter_name(std::uint8_t type) {
  return type < kFilterNames.size() ? kFilterNames[type] : "unknown";
}

std::string filter_text(std::uint8_t type) {
  return std::format("{} ({})", filter_name(type), type);
}

bool Pipeline::has(std::uint8_t type) const {
  return std::ranges::contains(filters, type, &Filter::type);
}

Pipeline read_pipeline(BoundedReader& read, const Path* path) {
  constexpr std::size_t kMostFilters = 100'000;
  Pipeline made{.at = read.at()};
  if (!read.room<kPipelineComplete>(path, "the head of a filter pipeline", 8)) return made;
  made.max_chunk = read.get<std::uint32_t>().value;
  made.count = read.get<std::uint32_t>().value;
  if (!read.room_for<kFilterCountFits>(path, "filters", made.count, 5)) return made;
  if (made.count > kMostFilters) {
    read.end(std::format("a pipeline of {} filters is more than the limit of {}", made.count,
                         kMostFilters));
    return made;
  }
  for (std::uint32_t i = 0; i < made.count; ++i) {
    const Path filter{.up = path, .kind = "filter", .index = i};
    if (!read.room<kFilterComplete>(&filter, "the head of a filter", 5)) return made;
    Filter each;
    const auto type = read.get<std::uint8_t>();
    each.at = type.at;
    each.type = type.value;
    const std::uint32_t size = read.get<std::uint32_t>().value;
    if (!read.room<kFilterComplete>(&filter, "the options of a filter", size)) return made;
    each.options = read.take_bytes(size);
    made.filters.push_back(each);
  }
  return made;
}

bool judge_pipeline(const PipelineUse& use, const Path* path, BoundedReader& at) {
  bool all = true;
  for (std::size_t i = 0; i < use.pipeline->filters.size(); ++i) {
    const FilterUse each{use.pipeline->filters[i], i, use};
    const Path step{.up = path, .kind = "filter", .index = i};
    const Place place = at.place(&step, each.filter.at);
    all &= judge_each<kFilterRules>(each, place, at.notes());
    if (use.role != Role::kHeader) all &= judge_each<kSchemaFilterRules>(each, place, at.notes());
  }
  return all;
}

void block_pipelines(const Stop& stop, bool of_header, Notes& notes) {
  block_behind<kPipelineComplete, kFilterCountFits, kFilterComplete, kFilterRules>(stop, notes);
  if (!of_header) block_behind<kSchemaFilterRules>(stop, notes);
}

std::string pipeline_text(const Pipeline& pipeline) {
  std::string made;
  for (const Filter& filter : pipeline.filters) {
    if (made.size() > 200) return made + ", ...";
    if (!made.empty()) made += ", ";
    made += filter_name(filter.type);
    if (has_compressor(filter.type) && filter.options.size() >= 5) {
      const auto level =
          std::bit_cast<std::int32_t>(load<std::uint32_t>(filter.options.data() + 1));
      if (level != -1) made += std::format(" {}", level);
    }
  }
  return made.empty() ? "none" : made;
}

}  // namespace hepcheck::tiledb
