// Schemas and bodies are written here, not by validator/formats/arrow/exchange, which writes no
// views, list views or run ends; messages and the footer are framed alike.
#include "conformance/suite/arrow/random_tables.h"

#include <algorithm>
#include <array>
#include <format>
#include <functional>
#include <iterator>
#include <optional>
#include <random>
#include <string_view>
#include <utility>

#include "validator/formats/arrow/exchange/flat.h"
#include "validator/formats/arrow/exchange/framing.h"
#include "validator/formats/arrow/shapes.h"

namespace hepcheck::arrow::suite {

namespace {

using hepcheck::suite::Capabilities;

constexpr std::size_t kAlignment = 64, kMostInline = 12;
constexpr std::int64_t kUnitsOfADay[] = {86'400, 86'400'000, 86'400'000'000, 86'400'000'000'000};

template <class T>
std::string raw(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// A signed number in this many bytes, little-endian.
std::string number(std::int64_t value, std::uint64_t width) {
  std::string bytes = raw(value);
  bytes.resize(width, value < 0 ? '\xFF' : '\0');
  return bytes;
}

std::string bits(const std::vector<bool>& flags) {
  std::string made((flags.size() + 7) / 8, '\0');
  for (std::size_t i = 0; i < flags.size(); ++i)
    if (flags[i]) made[i / 8] = static_cast<char>(made[i / 8] | 1 << i % 8);
  return made;
}

FlatTable int_type(std::uint64_t width, bool is_signed) {
  return FlatTable()
      .scalar(0, static_cast<std::int32_t>(8 * width))
      .scalar(1, static_cast<std::uint8_t>(is_signed));
}

FlatTable with_unit(std::uint64_t unit) {
  return FlatTable().scalar(0, static_cast<std::int16_t>(unit));
}

// --- The schema ----------------------------------------------------------------------------------

struct Words {
  std::int64_t id = 0;
  bool ordered = false;
  std::uint64_t count = 0;
};

struct Drawn {
  std::string name{};
  bool nullable = false;
  TypeTag tag{};
  FlatTable type{};
  std::uint64_t width = 0;  // bytes of a slot, an offset or an index; elements of a fixed-size list
  std::function<std::string()> slot{};  // draws a value of fixed width
  std::vector<Drawn> children{};
  std::optional<Words> words{};  // of the dictionary that it is encoded with
};

FlatTable field_table(const Drawn& it) {
  FlatTable made;
  made.text(field::kName, it.name)
      .scalar(field::kNullable, static_cast<std::uint8_t>(it.nullable))
      .scalar(field::kTypeTag, static_cast<std::uint8_t>(it.tag))
      .table(field::kType, it.type);
  if (it.words)
    made.table(
        field::kDictionary,
        FlatTable()
            .scalar(dictionary_encoding::kId, it.words->id)
            .table(dictionary_encoding::kIndexType, int_type(it.width, true))
            .scalar(dictionary_encoding::kIsOrdered, static_cast<std::uint8_t>(it.words->ordered)));
  std::vector<FlatTable> children;
  for (const Drawn& child : it.children) children.push_back(field_table(child));
  return made.tables(field::kChildren, std::move(children));
}

FlatTable schema_table(const std::vector<Drawn>& fields) {
  std::vector<FlatTable> made;
  for (const Drawn& each : fields) made.push_back(field_table(each));
  return FlatTable()
      .scalar(schema::kEndianness, std::int16_t{0})
      .tables(schema::kFields, std::move(made));
}

// --- Batches and messages ------------------------------------------------------------------------

class Body {
 public:
  void node(std::uint64_t length, std::uint64_t nulls) {
    nodes_ += raw(static_cast<std::int64_t>(length)) + raw(static_cast<std::int64_t>(nulls));
  }
  void buffer(const std::string& content) {
    buffers_ += raw(static_cast<std::int64_t>(bytes_.size())) +
                raw(static_cast<std::int64_t>(content.size()));
    bytes_ += content;
    bytes_.resize((bytes_.size() + kAlignment - 1) / kAlignment * kAlignment, '\0');
  }
  void data_buffers(const std::vector<std::string>& all) {
    counts_ += raw(static_cast<std::int64_t>(all.size()));
    for (const std::string& each : all) buffer(each);
  }

  FlatTable table(std::uint64_t rows) const {
    FlatTable made;
    made.scalar(record_batch::kLength, static_cast<std::int64_t>(rows))
        .structs(record_batch::kNodes, count(nodes_, 16), nodes_)
        .structs(record_batch::kBuffers, count(buffers_, 16), buffers_);
    if (!counts_.empty()) made.structs(record_batch::kVariadicCounts, count(counts_, 8), counts_);
    return made;
  }
  const std::string& bytes() const { return bytes_; }

  static std::uint32_t count(const std::string& structs, std::size_t size) {
    return static_cast<std::uint32_t>(structs.size() / size);
  }

 private:
  std::string nodes_{}, buffers_{}, counts_{}, bytes_{};
};

class Image {
 public:
  Image(const std::vector<Drawn>& fields, bool stream) : fields_(fields), framing_(stream) {
    made_ += framing_.begin();
    message(Header::kSchema, schema_table(fields), {});
  }

  void dictionary(std::int64_t id, const Body& values, std::uint64_t length) {
    message(Header::kDictionaryBatch,
            FlatTable()
                .scalar(dictionary_batch::kId, id)
                .table(dictionary_batch::kData, values.table(length)),
            values.bytes());
  }
  void batch(const Body& columns, std::uint64_t rows) {
    message(Header::kRecordBatch, columns.table(rows), columns.bytes());
  }

  std::string finished() {
    made_ += framing_.end(schema_table(fields_));
    return std::move(made_);
  }

 private:
  void message(Header kind, FlatTable header, const std::string& body) {
    made_ += framing_.message(kind, std::move(header), made_.size(),
                              static_cast<std::int64_t>(body.size()));
    made_ += body;
  }

  const std::vector<Drawn>& fields_;
  Framing framing_;
  std::string made_{};
};

// --- Drawing -------------------------------------------------------------------------------------

class Draw {
 public:
  Draw(const Capabilities& can, bool newer, std::uint64_t seed)
      : can_(can), newer_(newer), random_(seed) {}

  bool possible() { return !classes(0).empty(); }
  std::uint64_t below(std::uint64_t n) { return random_() % n; }

  std::string image(bool stream) {
    const std::uint64_t rows = below(4) == 0 ? below(2) : 1 + below(40), most = 1 + below(20);
    std::vector<Drawn> fields;
    for (std::uint64_t i = 0, n = 1 + below(5); i < n; ++i)
      fields.push_back(field(std::format("c{}", i), 3));
    Image made(fields, stream);
    for (const Drawn& each : fields) dictionaries_of(each, made);
    for (std::uint64_t at = 0; at < rows; at += most) {
      const std::uint64_t count = std::min(most, rows - at);
      Body body;
      for (const Drawn& each : fields) array(each, count, body);
      made.batch(body, count);
    }
    return made.finished();
  }

 private:
  static bool has_children(std::string_view name) {
    return name.ends_with("list") || name.ends_with("list-view") || name == "struct" ||
           name == "run-end-encoded";
  }
  static bool is_newer(std::string_view name) {
    return name.ends_with("-view") || name == "run-end-encoded";
  }

  // Those that may occur so many levels above the innermost.
  std::vector<std::string_view> classes(int depth) const {
    std::vector<std::string_view> made;
    for (const std::string& each : can_.datatypes)
      if (each != "union" && each != "map" && (newer_ || !is_newer(each)) &&
          (depth > 0 || !has_children(each)) && (each != "dictionary" || has_words()))
        made.push_back(each);
    return made;
  }
  bool has_words() const {
    return can_.datatypes.contains("utf8") || can_.datatypes.contains("bool");
  }

  Drawn field(std::string name, int depth) {
    const std::vector<std::string_view> possible = classes(depth);
    Drawn made{.name = std::move(name), .nullable = below(3) > 0};
    of_class(possible[below(possible.size())], depth, made);
    return made;
  }

  void of_class(std::string_view name, int depth, Drawn& made) {
    constexpr std::pair<std::string_view, TypeTag> kTags[] = {
        {"null", TypeTag::kNull},
        {"int", TypeTag::kInt},
        {"float", TypeTag::kFloatingPoint},
        {"bool", TypeTag::kBool},
        {"binary", TypeTag::kBinary},
        {"utf8", TypeTag::kUtf8},
        {"large-binary", TypeTag::kLargeBinary},
        {"large-utf8", TypeTag::kLargeUtf8},
        {"binary-view", TypeTag::kBinaryView},
        {"utf8-view", TypeTag::kUtf8View},
        {"fixed-size-binary", TypeTag::kFixedSizeBinary},
        {"date", TypeTag::kDate},
        {"time", TypeTag::kTime},
        {"timestamp", TypeTag::kTimestamp},
        {"duration", TypeTag::kDuration},
        {"decimal", TypeTag::kDecimal},
        {"interval", TypeTag::kInterval},
        {"struct", TypeTag::kStruct},
        {"list", TypeTag::kList},
        {"large-list", TypeTag::kLargeList},
        {"fixed-size-list", TypeTag::kFixedSizeList},
        {"list-view", TypeTag::kListView},
        {"large-list-view", TypeTag::kLargeListView},
        {"run-end-encoded", TypeTag::kRunEndEncoded}};
    if (name == "dictionary") return encoded(made);
    made.tag = std::ranges::find(kTags, name, &std::pair<std::string_view, TypeTag>::first)->second;
    switch (made.tag) {
      case TypeTag::kNull: made.nullable = true; break;
      case TypeTag::kStruct:
        for (std::uint64_t i = 0, n = 1 + below(3); i < n; ++i)
          made.children.push_back(field(std::format("f{}", i), depth - 1));
        break;
      case TypeTag::kRunEndEncoded: runs(depth, made); break;
      case TypeTag::kFixedSizeList:
        made.width = 1 + below(3);
        made.type.scalar(0, static_cast<std::int32_t>(made.width));
        made.children.push_back(field("item", depth - 1));
        break;
      default:
        made.width = name.starts_with("large") ? 8 : 4;
        if (has_children(name))
          made.children.push_back(field("item", depth - 1));
        else
          fixed(made);
    }
  }

  // Types of fixed width; of the others nothing has to be drawn.
  void fixed(Drawn& made) {
    const std::uint64_t unit = below(4), width = std::uint64_t{1} << below(4);
    switch (made.tag) {
      case TypeTag::kInt:
        made.type = int_type(width, below(2) == 0);
        made.slot = [this, width] { return integer(width); };
        break;
      case TypeTag::kFloatingPoint: {
        const std::uint64_t precision = below(3);
        made.type = with_unit(precision);
        made.slot = [this, precision] { return real(std::uint64_t{2} << precision); };
        break;
      }
      case TypeTag::kFixedSizeBinary: {
        const std::uint64_t size = 1 + below(9);
        made.type.scalar(0, static_cast<std::int32_t>(size));
        made.slot = [this, size] { return bytes(size); };
        break;
      }
      case TypeTag::kDate:
        made.type = with_unit(0);
        made.slot = [this] { return small(4); };
        break;
      case TypeTag::kTime: {
        const std::uint64_t of_time = unit < 2 ? 4 : 8;
        made.type = with_unit(unit).scalar(1, static_cast<std::int32_t>(8 * of_time));
        made.slot = [this, unit, of_time] {
          return number(
              static_cast<std::int64_t>(below(static_cast<std::uint64_t>(kUnitsOfADay[unit]))),
              of_time);
        };
        break;
      }
      case TypeTag::kTimestamp:
        made.type = with_unit(unit);
        if (below(2) == 0) made.type.text(1, "UTC");
        made.slot = [this] { return small(8); };
        break;
      case TypeTag::kDuration:
        made.type = with_unit(unit);
        made.slot = [this] { return small(8); };
        break;
      case TypeTag::kDecimal: decimal(made); break;
      case TypeTag::kInterval: {
        const bool parts = newer_ && below(2) == 0;
        made.type = with_unit(parts ? 2 : 0);
        made.slot = [this, parts] {
          std::string value = small(4);
          if (!parts) return value;
          value += small(4);
          return value += integer(8);
        };
        break;
      }
      default: break;
    }
  }

  void decimal(Drawn& made) {
    const std::uint64_t width = newer_ ? std::uint64_t{4} << below(4) : 16;
    const bool narrow = width == 4;
    made.type.scalar(0, narrow ? 9 : 18)
        .scalar(1, static_cast<std::int32_t>(below(9)))
        .scalar(2, static_cast<std::int32_t>(8 * width));
    const std::uint64_t most = narrow ? 999'999'999 : 999'999'999'999'999'999;
    made.slot = [this, most, width] {
      return number(
          static_cast<std::int64_t>(below(2 * most + 1)) - static_cast<std::int64_t>(most), width);
    };
  }

  // Nulls are those of the values.
  void runs(int depth, Drawn& made) {
    const std::uint64_t width = std::uint64_t{2} << below(3);
    made.children.push_back(
        {.name = "run_ends", .tag = TypeTag::kInt, .type = int_type(width, true), .width = width});
    Drawn values{.name = "values", .nullable = made.nullable};
    const std::vector<std::string_view> possible = classes(depth - 1);
    of_class(possible[below(possible.size())], depth - 1, values);
    made.nullable = values.nullable;
    made.children.push_back(std::move(values));
  }

  // Strings, if they are declared; otherwise booleans.
  void encoded(Drawn& made) {
    const bool texts = can_.datatypes.contains("utf8");
    made.tag = texts ? TypeTag::kUtf8 : TypeTag::kBool;
    made.width = std::uint64_t{1} << below(3);
    made.words =
        Words{.id = dictionaries_++, .ordered = below(2) == 0, .count = texts ? 1 + below(5) : 2};
  }

  void dictionaries_of(const Drawn& it, Image& into) {
    if (it.words) {
      const std::uint64_t count = it.words->count;
      Body body;
      body.node(count, 0);
      body.buffer("");
      if (it.tag == TypeTag::kBool) {
        body.buffer("\2");
      } else {
        std::string ends = raw(std::int32_t{0}), texts;
        for (std::uint64_t i = 0; i < count; ++i) {
          texts += static_cast<char>('a' + i);
          ends += raw(static_cast<std::int32_t>(i + 1));
        }
        body.buffer(ends);
        body.buffer(texts);
      }
      into.dictionary(it.words->id, body, count);
    }
    for (const Drawn& child : it.children) dictionaries_of(child, into);
  }

  // --- Arrays ---

  void array(const Drawn& it, std::uint64_t length, Body& into) {
    if (it.tag == TypeTag::kNull) return into.node(length, length);
    if (it.tag == TypeTag::kRunEndEncoded) return run_ends(it, length, into);
    std::vector<bool> valid(length, true);
    for (std::uint64_t i = 0; i < length && it.nullable; ++i) valid[i] = below(4) > 0;
    const auto nulls = static_cast<std::uint64_t>(std::ranges::count(valid, false));
    into.node(length, nulls);
    into.buffer(nulls > 0 ? bits(valid) : "");
    if (it.words)
      return into.buffer(slots(valid, it.width, [&] {
        return number(static_cast<std::int64_t>(below(it.words->count)), it.width);
      }));
    if (it.slot) return into.buffer(slots(valid, 0, it.slot));
    switch (it.tag) {
      case TypeTag::kBool: {
        std::vector<bool> values(length);
        for (std::uint64_t i = 0; i < length; ++i) values[i] = below(2) == 0;
        return into.buffer(bits(values));
      }
      case TypeTag::kUtf8View:
      case TypeTag::kBinaryView: return views(it.tag == TypeTag::kUtf8View, valid, into);
      case TypeTag::kListView:
      case TypeTag::kLargeListView: return list_views(it, length, into);
      case TypeTag::kList:
      case TypeTag::kLargeList: return lists(it, valid, into);
      case TypeTag::kFixedSizeList: return array(it.children[0], length * it.width, into);
      case TypeTag::kStruct:
        for (const Drawn& child : it.children) array(child, length, into);
        return;
      default: variable(it, valid, into);
    }
  }

  // Zero bytes under nulls; `width` 0: those of a value.
  template <class Slot>
  static std::string slots(const std::vector<bool>& valid, std::uint64_t width, Slot slot) {
    std::string made;
    for (const bool there : valid) {
      const std::string value = slot();
      made += there ? value : std::string(width == 0 ? value.size() : width, '\0');
    }
    return made;
  }

  void variable(const Drawn& it, const std::vector<bool>& valid, Body& into) {
    const bool texts = it.tag == TypeTag::kUtf8 || it.tag == TypeTag::kLargeUtf8;
    std::string ends = number(0, it.width), all;
    for (const bool there : valid) {
      if (there) all += value(texts, below(5));
      ends += number(static_cast<std::int64_t>(all.size()), it.width);
    }
    into.buffer(ends);
    into.buffer(all);
  }

  void lists(const Drawn& it, const std::vector<bool>& valid, Body& into) {
    std::string ends = number(0, it.width);
    std::uint64_t end = 0;
    for (const bool there : valid) {
      if (there) end += below(4);
      ends += number(static_cast<std::int64_t>(end), it.width);
    }
    into.buffer(ends);
    array(it.children[0], end, into);
  }

  // Data buffers have bytes that no view covers, and some views have the bytes of another one.
  void views(bool texts, const std::vector<bool>& valid, Body& into) {
    std::vector<std::string> data(below(4));
    std::string made, last(2 * sizeof(std::int64_t), '\0');
    for (const bool there : valid) {
      if (!there) {
        made += std::string(16, '\0');
        continue;
      }
      const std::string content = value(texts, data.empty()    ? below(4)
                                               : below(3) == 0 ? 14
                                                               : below(9));
      const std::string size = raw(static_cast<std::int32_t>(content.size()));
      if (content.size() <= kMostInline) {
        made += size + content + std::string(kMostInline - content.size(), '\0');
      } else if (below(4) == 0) {
        made += last;
      } else {
        const std::uint64_t index = below(data.size());
        data[index] += "..";
        last = size + content.substr(0, 4) + raw(static_cast<std::int32_t>(index)) +
               raw(static_cast<std::int32_t>(data[index].size()));
        data[index] += content;
        made += last;
      }
    }
    into.buffer(made);
    into.data_buffers(data);
  }

  // In any order, with overlaps and gaps; those of nulls too.
  void list_views(const Drawn& it, std::uint64_t length, Body& into) {
    const std::uint64_t elements = length == 0 ? 0 : below(2 * length + 1);
    std::string offsets, sizes;
    for (std::uint64_t i = 0; i < length; ++i) {
      const std::uint64_t size = std::min(below(4), elements);
      offsets += number(static_cast<std::int64_t>(below(elements - size + 1)), it.width);
      sizes += number(static_cast<std::int64_t>(size), it.width);
    }
    into.buffer(offsets);
    into.buffer(sizes);
    array(it.children[0], elements, into);
  }

  void run_ends(const Drawn& it, std::uint64_t length, Body& into) {
    const std::uint64_t width = it.children[0].width;
    into.node(length, 0);
    std::string ends;
    std::uint64_t count = 0;
    for (std::uint64_t end = 0; end < length; ++count) {
      end = std::min(length, end + 1 + below(4));
      ends += number(static_cast<std::int64_t>(end), width);
    }
    into.node(count, 0);
    into.buffer("");
    into.buffer(ends);
    array(it.children[1], count, into);
  }

  // --- Values ---

  std::string bytes(std::uint64_t size) {
    std::string made;
    for (std::uint64_t i = 0; i < size; ++i) made += static_cast<char>(below(256));
    return made;
  }

  // So many characters or bytes.
  std::string value(bool texts, std::uint64_t size) {
    constexpr std::string_view kLetters[] = {"a", "Z", " ", "\n", "\"", "é", "世", "😀"};
    if (!texts) return bytes(size);
    std::string made;
    for (std::uint64_t i = 0; i < size; ++i) made += kLetters[below(std::size(kLetters))];
    return made;
  }

  std::string small(std::uint64_t width) {
    return number(static_cast<std::int64_t>(below(1'000'000)) - 500'000, width);
  }

  // Signed or not: the smallest and largest numbers of the width, or any.
  std::string integer(std::uint64_t width) {
    const std::uint64_t top = std::uint64_t{1} << (8 * width - 1), all = top | (top - 1);
    const std::uint64_t ends[] = {0, 1, all, top, top - 1};
    return number(
        static_cast<std::int64_t>(below(2) == 0 ? ends[below(std::size(ends))] : random_()), width);
  }

  // Numbers, both zeros and infinities: NaN payloads do not have to be preserved.
  std::string real(std::uint64_t width) {
    const std::uint64_t sign = std::uint64_t{1} << (8 * width - 1);
    const std::uint64_t infinity = width == 2   ? 0x7C00
                                   : width == 4 ? 0x7F800000
                                                : 0x7FF0000000000000;
    std::uint64_t made = below(4) == 0 ? infinity * below(2) : random_() % infinity;
    if (below(2) == 0) made |= sign;
    return number(static_cast<std::int64_t>(made), width);
  }

  const Capabilities& can_;
  bool newer_;
  std::mt19937_64 random_;
  std::int64_t dictionaries_ = 0;
};

}  // namespace

std::vector<RandomTable> random_tables(const Capabilities& can, const Specification& spec,
                                       std::uint64_t seed, std::uint64_t count) {
  std::vector<RandomTable> made;
  const bool newer = spec.find("arrow-view-buffer-size") != nullptr;
  if (!(can.has("stream") || can.has("file")) || !Draw(can, newer, seed).possible()) return made;
  for (std::uint64_t i = 0; i < count; ++i) {
    Draw draw(can, newer, seed + i);
    const bool stream = can.has("stream") && (draw.below(2) == 0 || !can.has("file"));
    made.push_back(
        {std::format("random/{}.{}", seed + i, stream ? "arrows" : "arrow"), draw.image(stream)});
  }
  return made;
}

}  // namespace hepcheck::arrow::suite
