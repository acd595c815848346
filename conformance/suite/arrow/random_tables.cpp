#include "conformance/suite/arrow/random_tables.h"

#include <algorithm>
#include <cstring>
#include <format>
#include <random>
#include <stdexcept>

#include "validator/exchange/new_file.h"
#include "validator/exchange/table.h"
#include "validator/formats/arrow/exchange/write_table.h"
#include "validator/read_whole.h"

namespace hepcheck::arrow::suite {

namespace {

using exchange::Array;
using exchange::Kind;
using exchange::Type;
using hepcheck::suite::Capabilities;

constexpr const char* kUnits[] = {"s", "ms", "us", "ns"};
constexpr std::int64_t kUnitsOfADay[] = {86'400, 86'400'000, 86'400'000'000, 86'400'000'000'000};

Type integer(std::uint64_t width, bool is_signed, std::string meaning = {}) {
  return {.kind = Kind::kInteger,
          .width = width,
          .is_signed = is_signed,
          .meaning = std::move(meaning)};
}

class Draw {
 public:
  Draw(const Capabilities& can, std::uint64_t seed) : can_(can), random_(seed) {}

  exchange::Table table() {
    exchange::Table made{.rows = below(4) == 0 ? below(2) : 1 + below(40)};
    for (std::uint64_t i = 0, n = 1 + below(5); i < n; ++i) {
      exchange::Field field = this->field(std::format("c{}", i), 3);
      Array array = exchange::empty_array(field.type);
      for (std::uint64_t row = 0; row < made.rows; ++row) value(field, array);
      made.schema.fields.push_back(std::move(field));
      made.columns.push_back(std::move(array));
    }
    return made;
  }
  std::uint64_t below(std::uint64_t n) { return random_() % n; }

 private:
  exchange::Field field(std::string name, int depth) {
    exchange::Field made{
        .name = std::move(name), .type = type(depth), .nullable = below(3) > 0, .metadata = {}};
    if (made.type.kind == Kind::kNull) made.nullable = true;
    return made;
  }

  Type type(int depth) {
    std::vector<std::string_view> classes;
    for (const std::string& each : can_.datatypes)
      if (each != "union" && each != "map" && !each.ends_with("-view") &&
          each != "run-end-encoded" && (depth > 0 || !has_children(each)))
        classes.push_back(each);
    // A program that declares none of them is not requested to use any.
    if (classes.empty()) throw std::runtime_error("no type is declared");
    return of_class(classes[below(classes.size())], depth);
  }
  static bool has_children(std::string_view name) {
    return name.ends_with("list") || name == "struct";
  }

  Type of_class(std::string_view name, int depth) {
    const std::uint64_t unit = below(4);
    if (name == "null") return {.kind = Kind::kNull};
    if (name == "int") return integer(std::uint64_t{1} << below(4), below(2) == 0);
    if (name == "float") return {.kind = Kind::kFloat, .width = std::uint64_t{2} << below(3)};
    if (name == "bool") return {.kind = Kind::kBoolean};
    if (name.ends_with("binary") && name != "fixed-size-binary")
      return {.kind = Kind::kBytes, .large = name.starts_with("large")};
    if (name.ends_with("utf8")) return {.kind = Kind::kText, .large = name.starts_with("large")};
    if (name == "fixed-size-binary") return {.kind = Kind::kFixedBytes, .width = 1 + below(9)};
    if (name == "date") return integer(4, true, "date[day]");
    if (name == "time")
      return integer(unit < 2 ? 4 : 8, true, std::format("time[{}]", kUnits[unit]));
    if (name == "timestamp")
      return integer(8, true,
                     std::format("timestamp[{}{}]", kUnits[unit], below(2) ? ", UTC" : ""));
    if (name == "duration") return integer(8, true, std::format("duration[{}]", kUnits[unit]));
    if (name == "decimal") return integer(8, true, std::format("decimal128(18, {})", below(9)));
    if (name == "interval") return integer(4, true, "interval[year-month]");
    if (name == "dictionary") return labelled();
    Type made{.kind = name == "struct"            ? Kind::kStruct
                      : name == "fixed-size-list" ? Kind::kFixedList
                                                  : Kind::kList,
              .width = name == "fixed-size-list" ? 1 + below(3) : 0,
              .large = name == "large-list"};
    for (std::uint64_t i = 0, n = name == "struct" ? 1 + below(3) : 1; i < n; ++i)
      made.children.push_back(
          field(name == "struct" ? std::format("f{}", i) : std::string("item"), depth - 1));
    return made;
  }

  // Strings, if they are declared; otherwise booleans.
  Type labelled() {
    Type made = integer(std::uint64_t{1} << below(3), true);
    auto labels = std::make_shared<exchange::Labels>();
    const bool texts = can_.datatypes.contains("utf8");
    labels->type.kind = texts ? Kind::kText : Kind::kBoolean;
    labels->values = exchange::empty_array(labels->type);
    for (std::uint64_t i = 0, n = texts ? 1 + below(5) : 2; i < n; ++i) {
      labels->values.bytes.push_back(static_cast<std::byte>(texts ? 'a' + i : i));
      if (texts) labels->values.offsets.push_back(i + 1);
      labels->values.push(false);
    }
    made.labels = std::move(labels);
    made.ordered = below(2) == 0;
    return made;
  }

  static void put(Array& into, const void* from, std::size_t size) {
    const auto* bytes = static_cast<const std::byte*>(from);
    into.bytes.insert(into.bytes.end(), bytes, bytes + size);
  }

  void value(const exchange::Field& field, Array& into) {
    const Type& type = field.type;
    const bool null = field.nullable && type.kind != Kind::kNull && below(4) == 0;
    switch (type.kind) {
      case Kind::kNull: break;
      case Kind::kBoolean: {
        const auto bit = static_cast<std::byte>(below(2));
        into.bytes.push_back(bit);
        break;
      }
      case Kind::kInteger: {
        const std::int64_t each = number(type);
        put(into, &each, type.width);
        break;
      }
      case Kind::kFloat: real(type.width, into); break;
      case Kind::kFixedBytes:
        for (std::uint64_t i = 0; i < type.width; ++i)
          into.bytes.push_back(static_cast<std::byte>(below(256)));
        break;
      case Kind::kText:
      case Kind::kBytes:
        for (std::uint64_t i = 0, n = null ? 0 : below(5); i < n; ++i) letter(type.kind, into);
        into.offsets.push_back(into.bytes.size());
        break;
      case Kind::kList:
        for (std::uint64_t i = 0, n = null ? 0 : below(4); i < n; ++i)
          value(type.children[0], into.children[0]);
        into.offsets.push_back(into.children[0].length);
        break;
      case Kind::kFixedList:
        for (std::uint64_t i = 0; i < type.width; ++i) value(type.children[0], into.children[0]);
        break;
      case Kind::kStruct:
        for (std::size_t k = 0; k < type.children.size(); ++k)
          value(type.children[k], into.children[k]);
        break;
    }
    into.push(null);
  }

  void letter(Kind kind, Array& into) {
    constexpr std::string_view kLetters[] = {"a", "Z", " ", "\n", "\"", "é", "世", "😀"};
    if (kind == Kind::kBytes) return into.bytes.push_back(static_cast<std::byte>(below(256)));
    const std::string_view each = kLetters[below(std::size(kLetters))];
    put(into, each.data(), each.size());
  }

  std::int64_t number(const Type& type) {
    if (type.labels) return static_cast<std::int64_t>(below(type.labels->values.length));
    if (type.meaning.starts_with("time["))
      for (std::size_t i = 0; i < std::size(kUnits); ++i)
        if (type.meaning == std::format("time[{}]", kUnits[i]))
          return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(kUnitsOfADay[i]));
    if (type.meaning.starts_with("decimal"))
      return static_cast<std::int64_t>(below(2'000'000'000'000'000'000)) - 999'999'999'999'999'999;
    if (!type.meaning.empty()) return static_cast<std::int64_t>(below(1'000'000)) - 500'000;
    const auto bits = static_cast<unsigned>(8 * type.width);
    const std::uint64_t top = std::uint64_t{1} << (bits - 1), all = top | (top - 1);
    const std::uint64_t ends[] = {0, 1, all, top, top - 1};
    return static_cast<std::int64_t>(below(2) == 0 ? ends[below(std::size(ends))] : random_());
  }

  // Numbers, both zeros and infinities: NaN payloads do not have to be preserved.
  void real(std::uint64_t width, Array& into) {
    const std::uint64_t sign = std::uint64_t{1} << (8 * width - 1);
    const std::uint64_t infinity = width == 2   ? 0x7C00
                                   : width == 4 ? 0x7F800000
                                                : 0x7FF0000000000000;
    std::uint64_t bits = below(4) == 0 ? infinity * below(2) : random_() % infinity;
    if (below(2) == 0) bits |= sign;
    put(into, &bits, width);
  }

  const Capabilities& can_;
  std::mt19937_64 random_;
};

// In batches of this many rows.
class Parts : public exchange::Source {
 public:
  Parts(exchange::Table table, std::uint64_t rows)
      : schema_(std::move(table.schema)), all_{table.rows, std::move(table.columns)}, rows_(rows) {}
  const exchange::Schema& schema() const override { return schema_; }
  Result<std::optional<exchange::Batch>> next() override {
    if (at_ == all_.rows) return std::optional<exchange::Batch>{};
    const std::uint64_t count = std::min(rows_, all_.rows - at_);
    at_ += count;
    return exchange::slice(schema_, all_, at_ - count, count);
  }

 private:
  exchange::Schema schema_;
  exchange::Batch all_;
  std::uint64_t rows_, at_ = 0;
};

}  // namespace

std::vector<RandomTable> random_tables(const Capabilities& can, std::uint64_t seed,
                                       std::uint64_t count, const std::filesystem::path& folder) {
  std::vector<RandomTable> made;
  if (can.datatypes.empty() || !(can.has("stream") || can.has("file"))) return made;
  std::filesystem::create_directories(folder);
  const std::string path = folder / "random";
  for (std::uint64_t i = 0; i < count; ++i) {
    Draw draw(can, seed + i);
    exchange::Table table = draw.table();
    const bool stream = can.has("stream") && (draw.below(2) == 0 || !can.has("file"));
    Parts parts(std::move(table), 1 + draw.below(20));
    auto file = exchange::NewFile::of(path, {.replace = true});
    if (!file || !arrow::write_table(parts, *file, {.stream = stream})) return made;
    made.push_back({std::format("random/{}.{}", seed + i, stream ? "arrows" : "arrow"),
                    read_whole(path).value_or("")});
  }
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  return made;
}

}  // namespace hepcheck::arrow::suite
