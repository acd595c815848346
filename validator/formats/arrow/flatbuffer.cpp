#include "validator/formats/arrow/flatbuffer.h"

#include <format>
#include <vector>

#include "validator/formats/arrow/rule.h"

namespace hepcheck::arrow {

// --- Reading ------------------------------------------------------------------------------------

Table::Table(ByteSpan bytes, std::uint64_t at) : at_(at) {
  if (at > bytes.size() || bytes.size() - at < 4) return;
  const std::int64_t vtable = static_cast<std::int64_t>(at) - load<std::int32_t>(&bytes[at]);
  if (vtable < 0 || static_cast<std::uint64_t>(vtable) + 4 > bytes.size()) return;
  vtable_ = static_cast<std::uint64_t>(vtable);
  vtable_size_ = load<std::uint16_t>(&bytes[vtable_]);
  if (vtable_ + vtable_size_ > bytes.size()) return;
  bytes_ = bytes;
}

Table Table::root(ByteSpan bytes) {
  return bytes.size() < 4 ? Table() : Table(bytes, load<std::uint32_t>(bytes.data()));
}

std::optional<std::uint64_t> Table::field(unsigned id) const {
  const std::uint64_t entry = 4 + 2 * std::uint64_t{id};
  if (!present() || entry + 2 > vtable_size_) return std::nullopt;
  const std::uint16_t offset = load<std::uint16_t>(&bytes_[vtable_ + entry]);
  if (offset == 0 || at_ + offset >= bytes_.size()) return std::nullopt;
  return at_ + offset;
}

std::optional<std::uint64_t> Table::target(unsigned id) const {
  const std::optional<std::uint64_t> place = field(id);
  if (!place || *place + 4 > bytes_.size()) return std::nullopt;
  const std::uint64_t at = *place + load<std::uint32_t>(&bytes_[*place]);
  return at + 4 <= bytes_.size() ? std::optional(at) : std::nullopt;
}

Table Table::table(unsigned id) const {
  const std::optional<std::uint64_t> at = target(id);
  return at ? Table(bytes_, *at) : Table();
}

Vector Table::vector(unsigned id) const {
  const std::optional<std::uint64_t> at = target(id);
  return at ? Vector(bytes_, *at + 4, load<std::uint32_t>(&bytes_[*at])) : Vector();
}

std::optional<std::string_view> Table::string(unsigned id) const {
  const std::optional<std::uint64_t> at = target(id);
  if (!at) return std::nullopt;
  const std::uint32_t size = load<std::uint32_t>(&bytes_[*at]);
  if (size > bytes_.size() - *at - 4) return std::nullopt;
  return std::string_view(reinterpret_cast<const char*>(bytes_.data()) + *at + 4, size);
}

Table Vector::table(std::uint32_t i) const {
  const std::uint64_t place = first_ + 4 * std::uint64_t{i};
  if (place + 4 > bytes_.size()) return {};
  return {bytes_, place + load<std::uint32_t>(&bytes_[place])};
}

// --- The chapter: flatbuffers -------------------------------------------------------------------

namespace {

// An object of a flatbuffer of `size` bytes, `at` bytes from its start.
struct RootOffset {
  std::uint64_t size, root;
};
struct Aligned {
  std::string_view what;
  std::uint64_t at, align;
};
struct Vtable {
  std::uint64_t size;
  std::int64_t at;
  std::uint32_t length;  // as stated; 0 if it is outside
};
struct FieldEntry {
  const Shape& shape;
  std::uint64_t size, table;
  unsigned id, entry, width;
};
struct ObjectSize {
  const Shape& shape;
  std::uint64_t size, table, stated;
  unsigned beyond;  // the first field that it does not cover, or none
  std::uint64_t entry;
};
struct Offset {
  std::uint64_t size, at, value;
};
struct VectorExtent {
  std::uint64_t size, at, count, width;
};
struct StringExtent {
  std::uint64_t size, at, length;
};
struct Terminator {
  unsigned value;
};
struct UnionValue {
  const Shape& shape;
  unsigned tag;
  bool present;
};

constexpr Rule kRoot("arrow-fb-root-in-bounds", [](const RootOffset& it, Look& look) {
  look.ask(
      it.size >= 8 && it.root >= 4 && it.root <= it.size - 4,
      [&] { return std::format("root offset {} in {} bytes of metadata", it.root, it.size); },
      "8 bytes or more, and a root table inside them");
});

constexpr Rule kAlignment("arrow-fb-alignment", [](const Aligned& it, Look& look) {
  look.ask(
      it.at % it.align == 0,
      [&] { return std::format("{} {} bytes from the start of the metadata", it.what, it.at); },
      [&] { return std::format("a multiple of {}", it.align); });
});

constexpr Rule kVtable("arrow-fb-vtable-in-bounds", [](const Vtable& it, Look& look) {
  const bool inside = it.at >= 0 && static_cast<std::uint64_t>(it.at) + 4 <= it.size;
  const bool holds = inside && it.length >= 4 && it.length % 2 == 0 &&
                     static_cast<std::uint64_t>(it.at) + it.length <= it.size;
  look.ask(
      holds,
      [&] {
        return inside ? std::format("a vtable of {} bytes at {} of {}", it.length, it.at, it.size)
                      : std::format("a vtable at {} of {}", it.at, it.size);
      },
      "a vtable inside the metadata, of an even length of 4 or more");
});

constexpr Rule kField("arrow-fb-field-in-bounds", [](const FieldEntry& it, Look& look) {
  look.ask(
      it.table + it.entry + it.width <= it.size,
      [&] {
        return std::format("field {} of {}: {} bytes at {} of {}", it.id, it.shape.name, it.width,
                           it.table + it.entry, it.size);
      },
      "a field inside the metadata");
});

constexpr unsigned kNone = ~0u;

constexpr Rule kObjectSize("arrow-fb-table-size", [](const ObjectSize& it, Look& look) {
  const bool fits = it.stated >= 4 && it.table + it.stated <= it.size;
  look.ask(
      fits && it.beyond == kNone,
      [&] {
        std::string text = std::format("object size {} of {}", it.stated, it.shape.name);
        if (fits) text += std::format(", field {} at {}", it.beyond, it.entry);
        return text;
      },
      "a size that covers every field, inside the metadata");
});

constexpr Rule kOffset("arrow-fb-offset-in-bounds", [](const Offset& it, Look& look) {
  look.ask(
      it.value != 0 && it.at + it.value + 4 <= it.size,
      [&] { return std::format("offset {} at {} of {}", it.value, it.at, it.size); },
      "an offset that leads forwards, to a place inside the metadata");
});

constexpr Rule kVector("arrow-fb-vector-in-bounds", [](const VectorExtent& it, Look& look) {
  look.ask(
      it.count <= (it.size - it.at - 4) / it.width,
      [&] {
        return std::format("{} elements of {} bytes where {} bytes are left", it.count, it.width,
                           it.size - it.at - 4);
      },
      "all elements inside the metadata");
});

constexpr Rule kString("arrow-fb-string-in-bounds", [](const StringExtent& it, Look& look) {
  look.ask(
      it.length < it.size - it.at - 4,
      [&] {
        return std::format("a string of {} bytes where {} bytes are left", it.length,
                           it.size - it.at - 4);
      },
      "the string and a zero byte inside the metadata");
});

constexpr Rule kTerminator("arrow-fb-string-terminated", [](const Terminator& it, Look& look) {
  look.ask(
      it.value == 0, [&] { return std::format("the byte {:#04x} after a string", it.value); },
      "a zero byte");
});

constexpr Rule kUnion("arrow-fb-union-value", [](const UnionValue& it, Look& look) {
  look.ask(
      it.tag == 0 || it.present,
      [&] { return std::format("{}: a union of tag {} without a value", it.shape.name, it.tag); },
      "a value");
});

unsigned width_in_table(const FieldShape& field) {
  return field.kind == FieldKind::kScalar || field.kind == FieldKind::kStruct ? field.width : 4;
}

// Verifies a flatbuffer, up to the first defect.
class Verifier {
 public:
  Verifier(ByteSpan bytes, const VerifyLimits& limits, const Place& start, Notes& notes)
      : bytes_(bytes), limits_(limits), start_(start), notes_(notes) {}

  Table root();
  bool scalar(const Table& table, unsigned id, unsigned width);
  Soundness all(const Shape& shape);

 private:
  template <const auto& kRules, class Structure>
  bool sound(const Structure& structure, std::uint64_t at) {
    Place place = start_;
    place.byte += at;
    return judge<kRules>(structure, place, notes_);
  }
  bool aligned(std::string_view what, std::uint64_t at, std::uint64_t align) {
    return sound<kAlignment>(Aligned{what, at, align}, at);
  }
  template <class T>
  T number(std::uint64_t at) const {
    return load<T>(&bytes_[at]);
  }

  bool table(std::uint64_t at, const Shape& shape, std::uint64_t depth);
  bool vtable(std::uint64_t at);
  void object_size(std::uint64_t at, const Shape& shape);
  bool field(std::uint64_t table, unsigned id, const Shape& shape, std::uint64_t depth);
  bool value(std::uint64_t place, const FieldShape& field, unsigned tag, std::uint64_t depth);
  bool string(std::uint64_t at);
  bool vector(std::uint64_t at, const FieldShape& field, std::uint64_t depth);
  unsigned entry(std::uint64_t table, unsigned id) const;
  // The target of an offset; none if it is invalid.
  std::optional<std::uint64_t> follow(std::uint64_t at);

  ByteSpan bytes_;
  VerifyLimits limits_;
  const Place& start_;
  Notes& notes_;
  std::uint64_t tables_ = 0, texts_ = 0;
  bool too_much_ = false;
};

Table Verifier::root() {
  const std::uint64_t size = bytes_.size();
  const std::uint64_t root = size >= 4 ? number<std::uint32_t>(0) : 0;
  if (!sound<kRoot>(RootOffset{size, root}, 0) || !aligned("a table", root, 4) || !vtable(root))
    return {};
  return {bytes_, root};
}

bool Verifier::scalar(const Table& table, unsigned id, unsigned width) {
  static constexpr Shape kRootShape{.name = "the root table"};
  const unsigned offset = entry(table.at(), id);
  if (offset == 0) return true;
  const std::uint64_t at = table.at() + offset;
  return sound<kField>(FieldEntry{kRootShape, bytes_.size(), table.at(), id, offset, width},
                       table.at()) &&
         aligned("a field", at, width);
}

Soundness Verifier::all(const Shape& shape) {
  const Table found = root();
  const bool sound = found.present() && table(found.at(), shape, 0);
  return too_much_ ? Soundness::kTooMuch : sound ? Soundness::kSound : Soundness::kBroken;
}

bool Verifier::vtable(std::uint64_t at) {
  const std::int64_t place = static_cast<std::int64_t>(at) - number<std::int32_t>(at);
  const bool inside = place >= 0 && static_cast<std::uint64_t>(place) + 4 <= bytes_.size();
  const std::uint32_t length =
      inside ? number<std::uint16_t>(static_cast<std::uint64_t>(place)) : 0;
  return sound<kVtable>(Vtable{bytes_.size(), place, length}, at) &&
         aligned("a vtable", static_cast<std::uint64_t>(place), 2);
}

unsigned Verifier::entry(std::uint64_t table, unsigned id) const {
  const auto vtable =
      static_cast<std::uint64_t>(static_cast<std::int64_t>(table) - number<std::int32_t>(table));
  return 4 + 2 * id + 2 <= number<std::uint16_t>(vtable)
             ? number<std::uint16_t>(vtable + 4 + 2 * std::uint64_t{id})
             : 0;
}

void Verifier::object_size(std::uint64_t at, const Shape& shape) {
  const auto vtable =
      static_cast<std::uint64_t>(static_cast<std::int64_t>(at) - number<std::int32_t>(at));
  ObjectSize object{shape, bytes_.size(), at, number<std::uint16_t>(vtable + 2), kNone, 0};
  for (unsigned id = 0; id < shape.fields.size() && object.beyond == kNone; ++id) {
    const unsigned offset = entry(at, id);
    if (offset == 0) continue;
    if (offset >= 4 && offset + width_in_table(shape.fields[id]) <= object.stated) continue;
    object.beyond = id;
    object.entry = offset;
  }
  sound<kObjectSize>(object, at);
}

bool Verifier::table(std::uint64_t at, const Shape& shape, std::uint64_t depth) {
  if (depth > limits_.depth || tables_++ >= limits_.tables) {
    too_much_ = true;
    return false;
  }
  if (!aligned("a table", at, 4) || !vtable(at)) return false;
  object_size(at, shape);
  for (unsigned id = 0; id < shape.fields.size(); ++id)
    if (!field(at, id, shape, depth)) return false;
  return true;
}

bool Verifier::field(std::uint64_t table, unsigned id, const Shape& shape, std::uint64_t depth) {
  const FieldShape& field = shape.fields[id];
  const unsigned offset = entry(table, id);
  unsigned tag = 0;
  if (field.kind == FieldKind::kUnion) {
    if (const unsigned tag_at = entry(table, id - 1)) tag = number<std::uint8_t>(table + tag_at);
    if (!sound<kUnion>(UnionValue{shape, tag, offset != 0}, table)) return false;
  }
  if (offset == 0) return true;
  const unsigned width = width_in_table(field);
  const std::uint64_t place = table + offset;
  if (!sound<kField>(FieldEntry{shape, bytes_.size(), table, id, offset, width}, table) ||
      !aligned(
          "a field", place,
          field.kind == FieldKind::kScalar || field.kind == FieldKind::kStruct ? field.align : 4))
    return false;
  return value(place, field, tag, depth);
}

std::optional<std::uint64_t> Verifier::follow(std::uint64_t at) {
  const std::uint64_t value = number<std::uint32_t>(at);
  if (!sound<kOffset>(Offset{bytes_.size(), at, value}, at)) return std::nullopt;
  return at + value;
}

bool Verifier::value(std::uint64_t place, const FieldShape& field, unsigned tag,
                     std::uint64_t depth) {
  if (field.kind == FieldKind::kScalar || field.kind == FieldKind::kStruct) return true;
  if (field.kind == FieldKind::kUnion && tag == 0) return true;  // is treated as absent
  const std::optional<std::uint64_t> target = follow(place);
  if (!target) return false;
  static constexpr Shape kUnknown{.name = "a table of an unknown kind"};
  switch (field.kind) {
    case FieldKind::kString: return string(*target);
    case FieldKind::kTable: return table(*target, *field.shape, depth + 1);
    case FieldKind::kUnion:
      return table(*target, tag < field.members.size() ? *field.members[tag] : kUnknown, depth + 1);
    default: return vector(*target, field, depth);
  }
}

bool Verifier::string(std::uint64_t at) {
  if (!aligned("the length of a string", at, 4)) return false;
  const std::uint64_t length = number<std::uint32_t>(at), end = at + 4 + length;
  if (!sound<kString>(StringExtent{bytes_.size(), at, length}, at) ||
      !sound<kTerminator>(Terminator{number<std::uint8_t>(end)}, end))
    return false;
  texts_ += length;
  too_much_ |= texts_ > limits_.texts;
  return !too_much_;
}

bool Verifier::vector(std::uint64_t at, const FieldShape& field, std::uint64_t depth) {
  const bool tables = field.kind == FieldKind::kTables;
  const std::uint64_t width = tables ? 4 : field.width;
  if (!aligned("the length of a vector", at, 4)) return false;
  const std::uint32_t count = number<std::uint32_t>(at);
  if (!sound<kVector>(VectorExtent{bytes_.size(), at, count, width}, at)) return false;
  if (count > 0 && !aligned("the elements of a vector", at + 4, tables ? 4 : field.align))
    return false;
  if (!tables) return true;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::optional<std::uint64_t> target = follow(at + 4 + 4 * std::uint64_t{i});
    if (!target || !table(*target, *field.shape, depth + 1)) return false;
  }
  return true;
}

}  // namespace

Table verify_root(ByteSpan bytes, const Place& at, Notes& notes) {
  return Verifier(bytes, {}, at, notes).root();
}

bool verify_scalar(const Table& root, unsigned id, unsigned width, const Place& at, Notes& notes) {
  return Verifier(root.bytes(), {}, at, notes).scalar(root, id, width);
}

Soundness verify(ByteSpan bytes, const Shape& shape, const VerifyLimits& limits, const Place& at,
                 Notes& notes) {
  return Verifier(bytes, limits, at, notes).all(shape);
}

void flatbuffer_rules(RuleList& list) {
  list.structure<kRoot, kVtable, kObjectSize, kField, kOffset, kVector, kString, kTerminator,
                 kAlignment, kUnion>();
}

}  // namespace hepcheck::arrow
