#include "validator/formats/hep001/exchange/encode.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_set>

#include "validator/formats/hep001/derive/codec.h"
#include "validator/formats/hep001/derive/facts.h"
#include "validator/formats/hep001/derive/order.h"
#include "validator/formats/hep001/exchange/mapping.h"
#include "validator/formats/hep001/exchange/type_text.h"
#include "validator/formats/hep001/model/integers.h"

namespace hepcheck::hep001 {

namespace {

using exchange::Array;
using exchange::Kind;

constexpr std::size_t kLongString = 1024;

void store(std::uint64_t bits, std::size_t size, ByteOrder order, std::byte* into) {
  for (std::size_t k = 0; k < size; ++k)
    into[order == ByteOrder::kBig ? size - 1 - k : k] =
        static_cast<std::byte>(k < 8 ? bits >> (8 * k) : 0);
}

// The significant bits as a number of at most 64 bits; false if it does not fit.
bool store_number(const Datatype& to, std::int64_t value, bool negative, std::byte* into) {
  if (to.size > 8 || !has_significant_bits(to)) return false;
  auto bits = static_cast<std::uint64_t>(value);
  const std::uint32_t room = to.precision - (to.is_signed ? 1 : 0);
  if (negative && (!to.is_signed || (room < 63 && value < -(std::int64_t{1} << room))))
    return false;
  if (!negative && room < 64 && bits >> room != 0) return false;
  if (to.precision < 64) bits &= (std::uint64_t{1} << to.precision) - 1;
  store(bits << to.bit_offset, to.size, to.order, into);
  return true;
}

bool store_integer(const Datatype& to, const exchange::Type& type, const Array& array,
                   std::uint64_t i, std::byte* into) {
  const std::int64_t value = exchange::integer_at(type, array, i);
  return store_number(code_type(to), value, type.is_signed && value < 0, into);
}

bool store_member(const Datatype& to, std::string_view name, std::byte* into) {
  const TypeMember* member = find_member(to, std::string(name));
  if (!member || name == "MISSING") return false;
  std::ranges::copy(member->value, into);
  return true;
}

bool store_text(const Datatype& to, std::string_view text, std::byte* into, Arena& arena) {
  if (to.variable_length) {
    if (text.contains('\0')) return false;
    auto& kept = arena.emplace_back(text.size() + 1);
    std::memcpy(kept.data(), text.data(), text.size());
    const std::byte* at = kept.data();
    std::memcpy(into, &at, sizeof at);
    return true;
  }
  if (text.size() > to.size) return false;
  const auto padding = static_cast<std::byte>(to.padding == StringPadding::kSpacePad ? ' ' : '\0');
  std::fill_n(into, to.size, padding);
  std::memcpy(into, text.data(), text.size());
  return strip_padding({reinterpret_cast<const char*>(into), to.size}, to.padding) == text;
}

bool store_sequence(const Datatype& to, const exchange::Type& type, const Array& array,
                    std::uint64_t i, std::byte* into, Arena& arena) {
  const std::uint64_t begin = array.offsets[i], length = array.offsets[i + 1] - begin;
  const std::size_t size = to.base->size;
  auto& kept = arena.emplace_back(length * size);
  if (type.kind == Kind::kBytes) {
    if (size != 1) return false;
    std::memcpy(kept.data(), array.bytes.data() + begin, length);
  } else {
    for (std::uint64_t k = 0; k < length; ++k)
      if (!encode(*to.base, type.children[0].type, array.children[0], begin + k,
                  kept.data() + k * size, arena))
        return false;
  }
  const std::size_t count = length;
  const std::byte* at = length > 0 ? kept.data() : nullptr;
  std::memcpy(into, &count, sizeof count);
  std::memcpy(into + sizeof count, &at, sizeof at);
  return true;
}

// A dimension of an array type; the inner ones are nested lists.
bool store_array(const Datatype& to, std::size_t dimension, const exchange::Type& type,
                 const Array& array, std::uint64_t i, std::byte* into, Arena& arena) {
  if (type.kind != Kind::kFixedList || type.width != to.dims[dimension]) return false;
  std::size_t size = to.base->size;
  for (std::size_t d = dimension + 1; d < to.dims.size(); ++d) size *= to.dims[d];
  const exchange::Type& inner = type.children[0].type;
  const Array& inside = array.children[0];
  for (std::uint64_t k = 0; k < type.width; ++k) {
    const std::uint64_t at = i * type.width + k;
    if (inside.null(at)) return false;
    const bool right =
        dimension + 1 < to.dims.size()
            ? store_array(to, dimension + 1, inner, inside, at, into + k * size, arena)
            : encode(*to.base, inner, inside, at, into + k * size, arena);
    if (!right) return false;
  }
  return true;
}

bool is_plain_copy(const Datatype& to, const exchange::Type& type) {
  const bool little = to.order == ByteOrder::kLittle || to.size == 1;
  if (type.kind == Kind::kFloat) return is_ieee_float(to) && little && to.size == type.width;
  if (type.kind == Kind::kFixedBytes) return to.is(TypeClass::kOpaque) && to.size == type.width;
  return type.kind == Kind::kInteger && to.is(TypeClass::kInteger) && little &&
         to.size == type.width && to.precision == 8 * to.size && to.is_signed == type.is_signed;
}

}  // namespace

bool encode(const Datatype& to, const exchange::Type& type, const Array& array, std::uint64_t i,
            std::byte* into, Arena& arena) {
  if (array.null(i)) return false;
  if (type.labels && to.is(TypeClass::kEnum)) {
    const auto at = static_cast<std::uint64_t>(exchange::integer_at(type, array, i));
    return type.labels->type.kind == Kind::kText && !type.labels->values.null(at) &&
           store_member(to, type.labels->values.text(at), into);
  }
  switch (type.kind) {
    case Kind::kNull: return false;
    case Kind::kBoolean:
      return code_type(to).is(TypeClass::kInteger) &&
             store_number(code_type(to), std::to_integer<int>(array.bytes[i]), false, into);
    case Kind::kInteger:
      return (to.is(TypeClass::kInteger) || to.is(TypeClass::kBitfield) ||
              to.is(TypeClass::kEnum)) &&
             store_integer(to, type, array, i, into);
    case Kind::kFloat: {
      if (!is_ieee_float(to) || to.size != type.width) return false;
      std::uint64_t bits = 0;
      std::memcpy(&bits, array.bytes.data() + i * type.width, type.width);
      store(bits, to.size, to.order, into);
      return true;
    }
    case Kind::kText:
      if (to.is(TypeClass::kEnum)) return store_member(to, array.text(i), into);
      return to.is(TypeClass::kString) && store_text(to, array.text(i), into, arena);
    case Kind::kBytes:
      if (to.is(TypeClass::kString)) return store_text(to, array.text(i), into, arena);
      return to.is(TypeClass::kVlen) && store_sequence(to, type, array, i, into, arena);
    case Kind::kFixedBytes:
      if (!to.is(TypeClass::kOpaque) || to.size != type.width) return false;
      std::memcpy(into, array.bytes.data() + i * type.width, type.width);
      return true;
    case Kind::kList:
      return to.is(TypeClass::kVlen) && store_sequence(to, type, array, i, into, arena);
    case Kind::kFixedList:
      return to.is(TypeClass::kArray) && store_array(to, 0, type, array, i, into, arena);
    case Kind::kStruct:
      if (!to.is(TypeClass::kCompound) || to.members.size() != type.children.size()) return false;
      for (std::size_t k = 0; k < to.members.size(); ++k)
        if (to.members[k].name != type.children[k].name ||
            !encode(*to.members[k].type, type.children[k].type, array.children[k], i,
                    into + to.members[k].offset, arena))
          return false;
      return true;
  }
  return false;
}

std::optional<std::vector<std::byte>> encode_all(const Datatype& to, const exchange::Type& type,
                                                 const Array& array, Arena& arena,
                                                 std::uint64_t& wrong) {
  std::vector<std::byte> made(array.length * to.size);
  if (is_plain_copy(to, type)) {
    std::memcpy(made.data(), array.bytes.data(), made.size());
    return made;
  }
  for (std::uint64_t i = 0; i < array.length; ++i)
    if (!array.null(i) && !encode(to, type, array, i, made.data() + i * to.size, arena)) {
      wrong = i;
      return std::nullopt;
    }
  return made;
}

std::optional<Datatype> own_datatype(const exchange::Type& type, const Array& array) {
  switch (type.kind) {
    case Kind::kNull: return integer_type(1, true);
    case Kind::kBoolean: return boolean_type();
    case Kind::kInteger: return integer_type(type.width, type.is_signed);
    case Kind::kFloat: return ieee_float_type(type.width);
    case Kind::kFixedBytes:
      if (type.width == 0) return std::nullopt;  // HDF5 has no values of no bytes
      return opaque_type(type.width);
    case Kind::kText: {
      std::size_t longest = 0;
      for (std::uint64_t i = 0; i < array.length; ++i)
        if (!array.null(i)) longest = std::max(longest, array.text(i).size());
      if (longest > kLongString) return variable_string_type(CharacterSet::kUtf8);
      return fixed_string_type(longest + 1, StringPadding::kNullTerm, CharacterSet::kUtf8);
    }
    case Kind::kBytes:
      return Datatype{.cls = TypeClass::kVlen,
                      .size = 16,
                      .base = std::make_shared<const Datatype>(integer_type(1, false))};
    case Kind::kList: {
      const auto base = own_datatype(type.children[0].type, array.children[0]);
      if (!base || !(base->is(TypeClass::kInteger) || base->is(TypeClass::kFloat)))
        return std::nullopt;
      return Datatype{
          .cls = TypeClass::kVlen, .size = 16, .base = std::make_shared<const Datatype>(*base)};
    }
    case Kind::kFixedList: {
      Datatype made{.cls = TypeClass::kArray};
      const exchange::Type* inner = &type;
      const Array* inside = &array;
      std::uint64_t elements = 1;
      for (; inner->kind == Kind::kFixedList; inner = &inner->children[0].type) {
        made.dims.push_back(inner->width);
        if (__builtin_mul_overflow(elements, inner->width, &elements)) return std::nullopt;
        inside = &inside->children[0];
      }
      const auto base = own_datatype(*inner, *inside);
      if (!base || base->is(TypeClass::kVlen) ||
          __builtin_mul_overflow(elements, base->size, &made.size) || made.size == 0)
        return std::nullopt;
      made.base = std::make_shared<const Datatype>(*base);
      return made;
    }
    case Kind::kStruct: {
      Datatype made{.cls = TypeClass::kCompound};
      for (std::size_t k = 0; k < type.children.size(); ++k) {
        const auto member = own_datatype(type.children[k].type, array.children[k]);
        const bool atomic = member && !member->is(TypeClass::kVlen) &&
                            !member->is(TypeClass::kCompound) && !member->is(TypeClass::kArray);
        if (!atomic) return std::nullopt;
        made.members.push_back({.name = type.children[k].name,
                                .offset = made.size,
                                .type = std::make_shared<const Datatype>(*member)});
        made.size += member->size;
      }
      if (made.members.empty() || !names_tell(made.members)) return std::nullopt;
      return made;
    }
  }
  return std::nullopt;
}

namespace {

// A value of a datatype; different k give different values, as long as the type has enough.
void candidate(const Datatype& type, std::uint64_t k, std::byte* into, Arena& arena) {
  if (type.is(TypeClass::kEnum) && type.base) {
    if (is_truth(type) || type.members.empty()) {
      store_number(*type.base, static_cast<std::int64_t>(k % 2), false, into);
      return;
    }
    std::ranges::copy(type.members[k % type.members.size()].value, into);
    return;
  }
  if (type.is(TypeClass::kInteger) || type.is(TypeClass::kBitfield)) {
    const std::uint64_t mask =
        type.precision < 64 ? (std::uint64_t{1} << type.precision) - 1 : ~std::uint64_t{0};
    const std::uint64_t first =
        type.is_signed ? (std::uint64_t{1} << (type.precision - 1)) + 1 : mask;
    store(((type.is_signed ? first + k : first - k) & mask) << type.bit_offset, type.size,
          type.order, into);
    return;
  }
  if (is_ieee_float(type)) {
    const std::uint64_t most = type.size == 8   ? 0x479E000000000000
                               : type.size == 4 ? 0x7CF00000
                                                : 0x7BFF;
    store(most - k, type.size, type.order, into);
    return;
  }
  if (type.is(TypeClass::kString)) {
    std::string text;
    for (std::uint64_t rest = k; rest > 0; rest = (rest - 1) / 26)
      text += static_cast<char>('A' + (rest - 1) % 26);
    if (!type.variable_length) text.resize(std::min(text.size(), type.size));
    store_text(type, text, into, arena);
    return;
  }
  if (type.is(TypeClass::kOpaque)) return store(k, type.size, ByteOrder::kLittle, into);
  if (type.is(TypeClass::kCompound)) {
    std::fill_n(into, type.size, std::byte{0});
    for (const TypeMember& member : type.members)
      candidate(*member.type, k, into + member.offset, arena);
    return;
  }
  if (type.is(TypeClass::kArray)) {
    for (std::size_t at = 0; at + type.base->size <= type.size; at += type.base->size)
      candidate(*type.base, k, into + at, arena);
    return;
  }
  if (type.is(TypeClass::kVlen)) {
    const std::size_t length = k == 0 ? 0 : 1;
    auto& kept = arena.emplace_back(type.base->size);
    candidate(*type.base, k, kept.data(), arena);
    const std::byte* at = length > 0 ? kept.data() : nullptr;
    std::memcpy(into, &length, sizeof length);
    std::memcpy(into + sizeof length, &at, sizeof at);
  }
}

// The values that are not null.
class Occurring {
 public:
  explicit Occurring(const Stored& stored) : stored_(stored) {}

  bool has(std::span<const std::byte> value) {
    const Datatype& type = stored_.type;
    if (first_ && !type.variable_string()) {  // nearly always the first one
      first_ = false;
      return equals_one(value);
    }
    if (is_ieee_float(type) && is_nan_form(comparable_form(type, value))) return equals_one(value);
    if (forms_.empty())
      any([&](std::span<const std::byte> each) {
        forms_.insert(comparable_form(type, each));
        return false;
      });
    return forms_.contains(comparable_form(type, value));
  }

  template <class Test>
  bool any(Test test) const {
    const std::size_t size = stored_.type.size;
    for (std::uint64_t i = 0; i < stored_.array.length; ++i)
      if (!stored_.array.null(i) && test(stored_.elements.subspan(i * size, size))) return true;
    return false;
  }

 private:
  // By the test that readers use (8.5).
  bool equals_one(std::span<const std::byte> value) const {
    Dataset data{.type = stored_.type};
    data.storage.fill_state = FillState::kUserDefined;
    data.storage.fill.assign(value.begin(), value.end());
    if (has_variable_part(data.type)) data.storage.fill_form = comparable_form(data.type, value);
    const Block block{.rows = stored_.array.length, .bytes = stored_.elements, .strings = {}};
    return visit_fast_codec(data.type, [&](const auto& codec) {
      const Missing missing(codec, data);
      for (std::uint64_t i = 0; i < block.rows; ++i)
        if (missing(key_at(codec, block, data.type.size, i)) && !stored_.array.null(i)) return true;
      return false;
    });
  }

  const Stored& stored_;
  bool first_ = true;
  std::unordered_set<std::string> forms_{};
};

// The minimum and maximum of these values, without NaN, by their comparable forms.
struct Extremes {
  std::vector<std::byte> least{}, greatest{};
  std::string least_form{}, greatest_form{};
};
Extremes extremes(const Occurring& occurring, const Datatype& type) {
  Extremes made;
  occurring.any([&](std::span<const std::byte> each) {
    const std::string form = comparable_form(type, each);
    if (is_nan_form(form)) return false;
    if (made.least.empty() || form < made.least_form) {
      made.least.assign(each.begin(), each.end());
      made.least_form = form;
    }
    if (made.greatest.empty() || form > made.greatest_form) {
      made.greatest.assign(each.begin(), each.end());
      made.greatest_form = form;
    }
    return false;
  });
  return made;
}

// The minimum and maximum of a datatype, and NaN for floats.
std::vector<std::vector<std::byte>> ends_of(const Datatype& type) {
  std::vector<std::vector<std::byte>> made;
  const auto add = [&](std::uint64_t bits) {
    store(bits, type.size, type.order, made.emplace_back(type.size).data());
  };
  if (is_ieee_float(type)) {
    const std::uint64_t infinity = type.size == 8   ? 0x7FF0000000000000
                                   : type.size == 4 ? 0x7F800000
                                                    : 0x7C00;
    const std::uint64_t sign = std::uint64_t{1} << (8 * type.size - 1);
    add(infinity - 1);
    add(sign | (infinity - 1));
    add(infinity);
    add(sign | infinity);
    add(infinity | infinity >> 1);
    return made;
  }
  const std::uint64_t mask =
      type.precision < 64 ? (std::uint64_t{1} << type.precision) - 1 : ~std::uint64_t{0};
  const std::uint64_t top = std::uint64_t{1} << (type.precision - 1);
  if (type.is_signed) {
    add(top << type.bit_offset);
    add((mask ^ top) << type.bit_offset);
  } else {
    add(mask << type.bit_offset);
    add(0);
  }
  return made;
}

std::optional<Fill> outside(Occurring& occurring, const Datatype& type) {
  const Extremes all = extremes(occurring, type);
  if (all.least.empty()) return std::nullopt;
  for (std::vector<std::byte>& each : ends_of(type)) {
    const std::string form = comparable_form(type, each);
    if (is_nan_form(form) ? !occurring.has(each)
                          : form < all.least_form || form > all.greatest_form)
      return Fill{std::move(each), ValidRange{all.least, all.greatest}};
  }
  return std::nullopt;
}

}  // namespace

bool is_outside(const Datatype& type, const std::vector<std::byte>& fill, const ValidRange& range) {
  const auto value = [&](const std::vector<std::byte>& stored) -> StoredValue {
    if (!type.variable_string()) return stored;
    const char* text = nullptr;
    std::memcpy(&text, stored.data(), sizeof text);
    return std::as_bytes(std::span(std::string_view(text)));
  };
  const StoredValue min = value(*range.min), max = value(*range.max), it = value(fill);
  // Nothing more is known without an order.
  if (!can_compare(type)) return !equal_values(type, it, min) && !equal_values(type, it, max);
  return !(compare_values(type, it, min) >= 0) || !(compare_values(type, it, max) <= 0);
}

std::optional<Fill> choose_fill(const Stored& stored,
                                const std::optional<std::vector<std::byte>>& wanted,
                                const ValidRange& stated, std::uint64_t least_code, Arena& arena) {
  const Datatype& type = stored.type;
  Occurring occurring(stored);
  const auto recommended = recommended_fill(type);
  const bool sentinel_occurs = least_code == 0 && recommended && !type.is(TypeClass::kString) &&
                               Occurring(stored).has(*recommended);
  const auto is_code = [&](const std::vector<std::byte>& value) {
    if (least_code == 0) return false;
    const auto code = integer_value(type, value);
    return !code || (!code->negative && code->bits < least_code);
  };
  if (wanted && !is_code(*wanted) && !occurring.has(*wanted)) {
    if (!sentinel_occurs) return Fill{.value = *wanted};
    if (stated.min && stated.max && is_outside(type, *wanted, stated))
      return Fill{.value = *wanted, .range = stated};
    const Extremes all = extremes(occurring, type);
    const ValidRange range{all.least, all.greatest};
    if (is_outside(type, *wanted, range)) return Fill{.value = *wanted, .range = range};
  }
  if (sentinel_occurs) return outside(occurring, type);
  std::vector<std::byte> value(type.size);
  for (std::uint64_t k = 0; k <= stored.array.length + least_code + 1; ++k) {
    candidate(type, k, value.data(), arena);
    if (!is_code(value) && !occurring.has(value)) return Fill{.value = value};
  }
  return std::nullopt;
}

}  // namespace hepcheck::hep001
