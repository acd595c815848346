#include "validator/formats/rntuple/exchange/read_table.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <format>
#include <optional>
#include <utility>

#include "validator/formats/rntuple/examination.h"
#include "validator/formats/rntuple/exchange/column_values.h"
#include "validator/formats/rntuple/type_name.h"
#include "validator/utf8.h"

namespace hepcheck::rntuple {

namespace {

using exchange::Array;
using exchange::Kind;
using exchange::Type;

// Why a field has no neutral form.
struct Refused {
  std::string why;
};

struct Numbers {
  std::string_view type;
  Kind kind;
  std::uint64_t width;
  bool is_signed;
};

constexpr Numbers kNumbers[] = {
    {"bool", Kind::kBoolean, 1, false},        {"char", Kind::kInteger, 1, true},
    {"std::int8_t", Kind::kInteger, 1, true},  {"std::uint8_t", Kind::kInteger, 1, false},
    {"std::int16_t", Kind::kInteger, 2, true}, {"std::uint16_t", Kind::kInteger, 2, false},
    {"std::int32_t", Kind::kInteger, 4, true}, {"std::uint32_t", Kind::kInteger, 4, false},
    {"std::int64_t", Kind::kInteger, 8, true}, {"std::uint64_t", Kind::kInteger, 8, false},
    {"float", Kind::kFloat, 4, true},          {"double", Kind::kFloat, 8, true},
};

// The values of a field over all clusters, and how many there are in each.
struct FieldValues {
  Type type{};
  Array array{};
  std::vector<std::uint64_t> counts{};
};

class TableReader {
 public:
  TableReader(const Examination& seen, const ReadOptions& options)
      : seen_(seen), schema_(seen.schema()), options_(options),
        columns_(seen, options.memory, options.schema_only) {}

  ReadTable read() {
    made_.table.rows = options_.schema_only ? 0 : columns_.entries();
    for (std::uint32_t id = 0; id < schema_.fields.size(); ++id) {
      const Field& field = schema_.fields[id];
      if (field.parent != id || options_.skip.contains(std::string(field.name))) continue;
      if (field.projected() && !options_.projected) {
        made_.losses.push_back(std::format("{}: it shows data of other fields", field.name));
        continue;
      }
      try {
        add(id);
      } catch (const Refused& wrong) {
        made_.refused.push_back(std::format("field \"{}\": {}", field.name, wrong.why));
      }
    }
    describe(made_.table.schema.metadata, "hep001:title", seen_.header().name);
    describe(made_.table.schema.metadata, "hep001:description", seen_.header().description);
    return std::move(made_);
  }

 private:
  static void describe(exchange::Metadata& into, std::string key, std::string_view text) {
    if (!text.empty()) into.emplace_back(std::move(key), std::string(text));
  }

  void add(std::uint32_t id) {
    const Field& field = schema_.fields[id];
    FieldValues values = read_field(id, true);
    exchange::Field made{
        .name = std::string(field.name), .type = std::move(values.type), .nullable = nullable_};
    describe(made.metadata, "hep001:description", field.description);
    if (made.type.kind == Kind::kBoolean && options_.small_booleans) {
      made.type = {.kind = Kind::kInteger, .width = 1};
      made.metadata.emplace_back("hep001:fill", "2");
      made.metadata.emplace_back("hep001:valid_min", "0");
      made.metadata.emplace_back("hep001:valid_max", "1");
    }
    if (values.array.length != made_.table.rows)
      throw Refused{"it has another number of values than the RNTuple has entries"};
    made_.table.schema.fields.push_back(std::move(made));
    made_.table.columns.push_back(std::move(values.array));
  }

  [[noreturn]] void refuse(const Field& field) const {
    throw Refused{field.type.empty()
                      ? "an untyped field has no column of a table"
                      : std::format("a column of a table cannot hold {}", field.type)};
  }

  FieldValues read_field(std::uint32_t id, bool top) {
    const Field& field = schema_.fields[id];
    nullable_ = nullable_ && !top;
    if (field.repetitive() || field.role == kStreamed) refuse(field);
    const TypeName type = parse_type(field.type);
    const auto known = std::ranges::find(kNumbers, type.text, &Numbers::type);
    if (known != std::end(kNumbers)) return numbers(id, *known);
    if (type.text == "std::string") return texts(id);
    const bool child = field.children.size() == 1;
    if ((type.outer == "std::optional" || type.outer == "std::unique_ptr") && child && top)
      return optional(id);
    // An enum or an atomic is its subfield.
    const bool transparent = field.role == kLeaf && field.columns.empty() && child;
    if (transparent && !field.projected()) return read_field(field.children[0], top);
    refuse(field);
  }

  // The only column of a field, or the nth of two.
  std::uint32_t column(const Field& field, std::size_t count, std::size_t number) const {
    std::vector<std::uint32_t> ids = field.columns;
    if (ids.empty())
      for (const std::uint32_t alias : field.aliases) ids.push_back(schema_.aliases[alias].column);
    if (ids.size() != count) throw Refused{"it is stored in several representations"};
    return ids[number];
  }

  FieldValues numbers(std::uint32_t id, const Numbers& as) {
    const Field& field = schema_.fields[id];
    const std::uint32_t from = column(field, 1, 0);
    const ColumnType& stored = schema_.columns[from].kind();
    ColumnValues values = columns_.read(from);
    FieldValues made{.type = {.kind = as.kind, .width = as.width, .is_signed = as.is_signed},
                     .counts = values.counts};
    if (as.kind == Kind::kBoolean) made.type.width = 0;
    made.array = exchange::empty_array(made.type);
    made.array.length = values.elements;
    made.array.bytes = widened(values, stored, as);
    return made;
  }

  // Floating point numbers that are stored with less precision.
  static exchange::Buffer widened(ColumnValues& values, const ColumnType& stored,
                                  const Numbers& as) {
    const std::uint64_t width = std::max<std::uint64_t>(1, stored.bits / 8);
    if (as.kind != Kind::kFloat || width == as.width) return std::move(values.bytes);
    exchange::Buffer made(values.elements * as.width);
    for (std::uint64_t i = 0; i < values.elements; ++i) {
      const double number = real_at(values.bytes.data() + i * width, width);
      if (as.width == 8) {
        std::memcpy(made.data() + i * 8, &number, 8);
      } else {
        const auto narrow = static_cast<float>(number);
        std::memcpy(made.data() + i * 4, &narrow, 4);
      }
    }
    return made;
  }

  FieldValues texts(std::uint32_t id) {
    const Field& field = schema_.fields[id];
    const std::uint32_t index = column(field, 2, 0), characters = column(field, 2, 1);
    const std::vector<std::uint64_t> ends = columns_.offsets(index);
    ColumnValues text = columns_.read(characters);
    FieldValues made{.type = {.kind = Kind::kText}, .counts = columns_.counts(index)};
    made.array = exchange::empty_array(made.type);
    made.array.length = ends.size();
    made.array.offsets.insert(made.array.offsets.end(), ends.begin(), ends.end());
    if (!ends.empty() && ends.back() != text.elements)
      throw Refused{"its texts do not have as many characters as stored"};
    made.type.large = text.elements > 0x7FFFFFFF;
    made.array.bytes = std::move(text.bytes);
    for (std::uint64_t i = 0; i < made.array.length; ++i)
      if (!is_utf8(made.array.text(i))) throw Refused{std::format("entry {} is not UTF-8", i)};
    return made;
  }

  FieldValues optional(std::uint32_t id) {
    const Field& field = schema_.fields[id];
    const std::uint32_t from = column(field, 1, 0);
    FieldValues some = read_field(field.children[0], false);
    std::vector<bool> present;
    const bool mask = schema_.columns[from].type == kBit;
    if (mask) {
      const ColumnValues bits = columns_.read(from);
      for (const std::byte bit : bits.bytes) present.push_back(bit != std::byte{});
    } else {
      std::uint64_t before = 0;
      for (const std::uint64_t end : columns_.offsets(from)) {
        present.push_back(end > before);
        before = end;
      }
    }
    nullable_ = true;
    FieldValues made{.type = some.type, .counts = columns_.counts(from)};
    made.array = exchange::empty_array(made.type);
    made.array.bytes.reserve(present.size() * std::max<std::uint64_t>(1, some.type.width));
    std::uint64_t next = 0;
    for (const bool there : present) {
      if (next >= some.array.length && (there || mask))
        throw Refused{"it has fewer values than entries that have one"};
      append(some, there || mask ? std::optional(next) : std::nullopt, made.array);
      made.array.push(!there);
      next += there || mask;
    }
    return made;
  }

  // A value, or zeros under a null.
  static void append(const FieldValues& from, std::optional<std::uint64_t> i, Array& into) {
    if (from.type.kind == Kind::kText) {
      const std::string_view text = i ? from.array.text(*i) : std::string_view();
      const auto bytes = std::as_bytes(std::span(text));
      into.bytes.insert(into.bytes.end(), bytes.begin(), bytes.end());
      into.offsets.push_back(into.bytes.size());
      return;
    }
    const std::uint64_t width = std::max<std::uint64_t>(1, from.type.width);
    const std::string_view value = i ? from.array.fixed(*i, width) : std::string_view();
    const std::uint64_t at = into.bytes.size();
    into.bytes.resize(at + width);
    if (i)
      std::memcpy(into.bytes.data() + at, value.data(), width);
    else
      std::memset(into.bytes.data() + at, 0, width);
  }

  const Examination& seen_;
  const Schema& schema_;
  const ReadOptions& options_;
  ColumnReader columns_;
  ReadTable made_{};
  bool nullable_ = false;  // of the field that is read
};

std::unexpected<NotRead> not_read(std::string_view where, std::string_view why,
                                  bool unknown = false) {
  return std::unexpected(NotRead{std::format("{}: {}", where, why), unknown});
}

}  // namespace

std::expected<ReadTable, NotRead> read_table(const Bytes& file,
                                             const std::optional<std::string>& name,
                                             const ReadOptions& options) {
  const Specification& spec = default_revision("rntuple");
  const RootFile root(file, options.file.limits, 0, spec);
  const AnchorKey* found = nullptr;
  for (const AnchorKey& each : root.anchors()) {
    if (name && each.path != *name && "/" + each.path != *name) continue;
    if (found) return not_read(file.name(), "it contains several RNTuples; name one, FILE:NAME");
    found = &each;
  }
  if (!found)
    return not_read(file.name(),
                    name ? "it contains no RNTuple " + *name : "it contains no RNTuple");
  FileOptions structure = options.file;
  structure.examine.depth = Depth::kStructure;
  Budget decoded(options.file.limits.value_bytes);
  Examination seen(root, *found, spec, structure, decoded, options.memory);
  seen.keep_pages();
  seen.run();
  if (!seen.usable())
    return not_read(found->path,
                    seen.dialect().empty() ? "it cannot be read" : seen.dialect() + " is not read",
                    true);
  try {
    ReadTable made = TableReader(seen, options).read();
    made.path = found->path;
    return made;
  } catch (const Refused& wrong) {
    return not_read(found->path, wrong.why);
  } catch (const ColumnTrouble& wrong) {
    return not_read(found->path, wrong.why);
  }
}

}  // namespace hepcheck::rntuple
