// Numbers in every form compared with the native interpretation of the same bits: integers of any
// width, floats of any layout, values with NaN in a part. And equality of datatypes.
#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <format>
#include <functional>
#include <limits>
#include <set>

#include "fuzz/hep001/grammar/unusual_types.h"
#include "fuzz/hep001/properties/random_values.h"
#include "validator/formats/hep001/derive/facts.h"
#include "validator/formats/hep001/derive/order.h"
#include "validator/formats/hep001/model/comparable.h"
#include "validator/formats/hep001/model/integers.h"

namespace hepcheck::hep001::grammar {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::shared_ptr<const Datatype> shared(Datatype type) {
  return std::make_shared<const Datatype>(std::move(type));
}

Value draw_shown(const std::string& name, const std::function<Value(Choices&)>& make) {
  return draw(name, [&](Choices& c) { return Shown{make(c)}; }).value;
}

std::vector<std::byte> encode_text(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

// --- Integers ------------------------------------------------------------------------------------

// Draws an integer of any size, precision and offset; sometimes the code of an enumeration.
Datatype draw_integer_type() {
  return draw("datatype", [](Choices& c) {
    Datatype type = c.maybe() ? unusual_type(c, Unusual::kWideInteger)
                              : random_type(c, Family::kUnusualInteger);
    return c.one_in(4) ? enum_type(std::move(type), {{"ZERO", 0}}) : type;
  });
}

// Places the bits of a number in the positions of the datatype, surrounded by others.
std::vector<std::byte> stored_bits(const Datatype& number, Integer value, Noise& noise) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < number.size; ++i)
    bytes.push_back(static_cast<std::byte>(noise.below(256)));
  for (std::uint32_t i = 0; i < number.precision; ++i) {
    const std::size_t at = number.bit_offset + i;
    const std::byte mask = std::byte{1} << at % 8;
    bytes[at / 8] &= ~mask;
    if ((value >> std::min(i, 127u) & 1) != 0) bytes[at / 8] |= mask;
  }
  if (number.order == ByteOrder::kBig) std::ranges::reverse(bytes);
  return bytes;
}

// A number in the range of the datatype, near a power of two.
Integer draw_near_power(const Datatype& number) {
  const Value value = draw_shown("value", [&](Choices& c) {
    const Integer power = Integer{1} << c.below(std::min(number.precision, 120u) + 1);
    const Integer near = power + static_cast<Integer>(c.below(3)) - 1;
    return number.is_signed && c.maybe() ? -near : near;
  });
  const auto integer = std::get<Integer>(value);
  if (number.precision <= 120) {
    const Integer end = Integer{1} << (number.precision - (number.is_signed ? 1 : 0));
    RC_PRE(integer < end && integer >= (number.is_signed ? -end : 0));
  }
  return integer;
}

RC_GTEST_PROP(Integers, AreReadInAnyForm, ()) {
  const Datatype type = draw_integer_type();
  const Datatype& number = code_type(type);
  const Integer value = draw_near_power(number);
  Noise noise = draw_noise();
  const std::vector<std::byte> stored = stored_bits(number, value, noise);
  RC_ASSERT(integer_text(type, stored) == show(value));

  constexpr Integer kEnd = Integer{1} << 64;
  Attribute attribute{.name = "n"};
  attribute.type = type;
  attribute.bytes = stored;
  const auto as_unsigned = unsigned_value(attribute);
  const auto as_signed = signed_value(attribute);
  RC_ASSERT(as_unsigned.has_value() == (value >= 0 && value < kEnd));
  RC_ASSERT(as_signed.has_value() == (value >= -kEnd / 2 && value < kEnd / 2));
  if (as_unsigned) RC_ASSERT(static_cast<Integer>(*as_unsigned) == value);
  if (as_signed) RC_ASSERT(static_cast<Integer>(*as_signed) == value);
  const auto whole = integer_value(type, stored);
  RC_ASSERT(whole.has_value() == (value >= -kEnd / 2 && value < kEnd));
  if (whole) RC_ASSERT(whole->negative == (value < 0));

  attribute.bytes.pop_back();  // nothing is left
  RC_ASSERT(!unsigned_value(attribute) && !signed_value(attribute));
  RC_ASSERT(integer_text(type, attribute.bytes) == "no number");
}

RC_GTEST_PROP(Integers, AreStoredIfTheyFit, ()) {
  const Datatype type = draw_integer_type();
  const Datatype& number = code_type(type);
  const std::uint64_t value =
      draw("value", [](Choices& c) { return (std::uint64_t{1} << c.below(64)) + c.below(3) - 1; });
  const std::uint32_t bits = number.precision - (number.is_signed ? 1 : 0);
  const bool room = std::bit_width(value) <= static_cast<int>(std::min(bits, 64u));
  const auto stored = stored_integer(type, value);
  RC_ASSERT(stored.has_value() == room);
  Noise none(0);
  if (stored) RC_ASSERT(*stored == stored_bits(number, static_cast<Integer>(value), none));
}

// --- Floats --------------------------------------------------------------------------------------

std::vector<std::byte> stored_word(std::uint64_t bits, std::size_t size, ByteOrder order) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<std::byte>(bits >> 8 * i));
  if (order == ByteOrder::kBig) std::ranges::reverse(bytes);
  return bytes;
}

// The same number, including the sign of zero; any NaN.
bool same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

Datatype bfloat16(ByteOrder order) {
  return {.cls = TypeClass::kFloat,
          .size = 2,
          .order = order,
          .precision = 16,
          .floating = {15, 7, 8, 0, 7, 127, true}};
}

// Every pattern of 16 bits, and its comparison with the previous one.
void expect_all_patterns(const Datatype& type, const std::function<double(std::uint16_t)>& number) {
  std::vector<std::byte> last = stored_word(0, 2, type.order);
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto stored = stored_word(bits, 2, type.order);
    const double wanted = number(static_cast<std::uint16_t>(bits));
    const double before = number(static_cast<std::uint16_t>(bits == 0 ? 0 : bits - 1));
    ASSERT_TRUE(same(float_value(type, stored), wanted)) << bits;
    ASSERT_EQ(hep001::is_nan(type, stored), std::isnan(wanted)) << bits;
    ASSERT_TRUE(compare_values(type, stored, last) == (wanted <=> before)) << bits;
    ASSERT_EQ(equal_values(type, stored, stored), wanted == wanted) << bits;
    last = stored;
  }
}

TEST(Floats, Binary16) {
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig})
    expect_all_patterns(ieee_float_type(2, order), [](std::uint16_t bits) {
      return static_cast<double>(std::bit_cast<_Float16>(bits));
    });
}

TEST(Floats, Bfloat16) {
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig})
    expect_all_patterns(bfloat16(order), [](std::uint16_t bits) -> double {
      return std::bit_cast<float>(std::uint32_t{bits} << 16);
    });
}

#if LDBL_MANT_DIG == 64
// The native 80-bit format, including subnormal and pseudo-subnormal numbers. Other exponents
// without a leading bit are invalid on all machines.
RC_GTEST_PROP(Floats, OfTheX87, ()) {
  const Datatype type{.cls = TypeClass::kFloat,
                      .size = 16,
                      .order = ByteOrder::kLittle,
                      .precision = 80,
                      .floating = {79, 64, 15, 0, 64, 16383, false}};
  struct Drawn {
    std::vector<std::byte> stored{};
    long double value = 0;
  };
  const auto draw_one = [](const std::string& name) {
    return draw(name, [](Choices& c) {
      constexpr std::uint64_t kLeading = std::uint64_t{1} << 63;
      constexpr std::uint16_t kExponents[] = {0, 1, 2, 0x3FFF, 0x4000, 0x7FFE, 0x7FFF};
      std::uint16_t head = c.of(kExponents);
      std::uint64_t mantissa = c.below(3) << c.below(64);
      if (head != 0) mantissa |= kLeading;
      if (c.maybe()) head |= 0x8000;
      Drawn made{.stored = std::vector<std::byte>(16)};
      std::memcpy(made.stored.data(), &mantissa, 8);
      std::memcpy(made.stored.data() + 8, &head, 2);
      std::memcpy(&made.value, made.stored.data(), 10);
      for (std::size_t i = 10; i < 16; ++i) made.stored[i] = static_cast<std::byte>(c.below(256));
      return std::pair(made.stored, made.value);
    });
  };
  const auto [stored, value] = draw_one("a");
  const auto [other, other_value] = draw_one("b");
  RC_ASSERT(compare_values(type, stored, other) == (value <=> other_value));
  RC_ASSERT(equal_values(type, stored, other) == (value == other_value));
  const auto near = static_cast<double>(value);
  // A number that a double cannot represent becomes the nearest one of the same class.
  if (!std::isinf(value) && std::isinf(near))
    RC_ASSERT(std::isfinite(float_value(type, stored)));
  else if (value != 0 && near == 0)
    RC_ASSERT(float_value(type, stored) != 0);
  else if (static_cast<long double>(near) == value || std::isnan(value))
    RC_ASSERT(same(float_value(type, stored), near));
}
#endif

// The three parts of a float at any position: adjacent, separate, or with a shared bit.
Datatype any_layout(Choices& c) {
  FloatLayout f{.exponent_size = static_cast<std::uint32_t>(8 + c.below(4)),
                .mantissa_size = static_cast<std::uint32_t>(7 + c.below(20)),
                .implied_one = true};
  f.exponent_bias = (std::uint64_t{1} << (f.exponent_size - 1)) - 1;
  struct Place {
    std::uint32_t* first;
    std::uint32_t size;
  };
  std::vector<Place> parts{{&f.mantissa_position, f.mantissa_size},
                           {&f.exponent_position, f.exponent_size},
                           {&f.sign_position, 1}};
  std::swap(parts[c.below(3)], parts[2]);
  std::swap(parts[c.below(2)], parts[1]);
  auto at = static_cast<std::uint32_t>(c.below(3));
  for (const Place& part : parts) {
    if (at > 0 && c.one_in(6)) --at;
    *part.first = at;
    at += part.size + static_cast<std::uint32_t>(c.one_in(4));
  }
  Datatype type{.cls = TypeClass::kFloat,
                .size = (at + 7) / 8,
                .order = c.maybe() ? ByteOrder::kBig : ByteOrder::kLittle,
                .precision = 1 + f.exponent_size + f.mantissa_size,
                .floating = f};
  if (c.one_in(6)) type.precision += c.maybe() ? 1 : -1;
  if (c.one_in(6)) --type.size;
  return type;
}

bool has_whole_parts(const Datatype& type) {
  const FloatLayout& f = type.floating;
  std::set<std::uint32_t> bits{f.sign_position};
  for (std::uint32_t i = 0; i < f.exponent_size; ++i) bits.insert(f.exponent_position + i);
  for (std::uint32_t i = 0; i < f.mantissa_size; ++i) bits.insert(f.mantissa_position + i);
  const bool apart = bits.size() == 1 + f.exponent_size + f.mantissa_size;
  return apart && bits.size() == type.precision && *bits.rbegin() < 8 * type.size;
}

TEST(Floats, HaveArbitraryParts) {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    Noise choices(seed * 0x9e3779b97f4a7c15u);
    const Datatype type = any_layout(choices);
    const bool whole = is_ieee_float(type) || has_whole_parts(type);
    ASSERT_EQ(!incomparable(type), whole) << seed;
    if (!whole) continue;
    const Value a = unusual_value(choices, type), b = unusual_value(choices, type);
    const auto stored = encode(type, a, choices), other = encode(type, b, choices);
    ASSERT_EQ(compare_values(type, stored, other) < 0, less(a, b)) << seed;
    ASSERT_EQ(equal_values(type, stored, other), equal(a, b)) << seed;
  }
}

// --- Displayed and recommended values ------------------------------------------------------------

TEST(Shown, LongValuesAreTruncated) {
  for (const std::size_t length : {0, 1, 79, 80, 81, 200}) {
    const std::string text(length, 'x');
    const std::string wanted =
        length <= 80 ? '"' + text + '"' : '"' + std::string(80, 'x') + "\"...";
    EXPECT_EQ(format_string(text), wanted) << length;
    EXPECT_EQ(format_value(variable_string_type(CharacterSet::kUtf8), encode_text(text)), wanted);
  }
  for (const std::size_t size : {1, 31, 32, 33, 100}) {
    std::string wanted = "0x";
    for (std::size_t i = 0; i < std::min<std::size_t>(size, 32); ++i) wanted += "61";
    if (size > 32) wanted += "...";
    EXPECT_EQ(format_value(opaque_type(size), encode_text(std::string(size, 'a'))), wanted);
  }
}

// Unsigned integers with the bytes of the greatest number of this many digits, which is left.
TEST(Shown, LongNumbersAreTruncated) {
  for (const std::size_t digits : {1, 9, 10, 18, 19, 79, 80, 81, 100}) {
    // 10^(digits - 1), by multiplication.
    std::vector<std::byte> bytes(48);
    bytes[0] = std::byte{1};
    for (std::size_t n = 1; n < digits; ++n) {
      unsigned carry = 0;
      for (std::byte& byte : bytes) {
        carry += 10 * std::to_integer<unsigned>(byte);
        byte = static_cast<std::byte>(carry);
        carry >>= 8;
      }
    }
    const std::string text = '1' + std::string(digits - 1, '0');
    const Datatype type = integer_type(bytes.size(), false);
    EXPECT_EQ(integer_text(type, bytes), text);
    EXPECT_EQ(format_value(type, bytes),
              digits <= 80 ? text : std::format("{}... ({} digits)", text.substr(0, 40), digits));
  }
}

// Table 1 of section 8.5.
TEST(Recommended, FillValuesAreThoseOfTheTable) {
  const auto expect = [](Datatype type, const Value& value) {
    for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
      type.order = order;
      EXPECT_EQ(recommended_fill(type), std::optional(encode(type, value))) << describe(type);
    }
  };
  for (const std::size_t size : {1, 2, 4, 8}) {
    const Integer end = Integer{1} << (8 * size - 1);
    expect(integer_type(size, true), 1 - end);
    expect(integer_type(size, false), 2 * end - 1);
  }
  expect(ieee_float_type(4), 9.9692099683868690e+36);
  expect(ieee_float_type(8), 9.9692099683868690e+36);
  for (const Datatype& type : {integer_type(3, true), integer_type(16, false), ieee_float_type(2),
                               boolean_type(), opaque_type(4), bfloat16(ByteOrder::kLittle)})
    EXPECT_EQ(recommended_fill(type), std::nullopt) << describe(type);
}

// --- NaN in a part -------------------------------------------------------------------------------

// A value with NaN in a part equals nothing, not even itself, and is not NaN.
RC_GTEST_PROP(Parts, WithNanEqualNothing, ()) {
  const Datatype part = draw("part", [](Choices& c) {
    return c.maybe() ? ieee_float_type(c.maybe() ? 8 : 4) : unusual_type(c, Unusual::kOtherFloat);
  });
  const Datatype number = integer_type(2, true, ByteOrder::kBig);
  const bool array = draw("array", [](Choices& c) { return c.maybe(); });
  Datatype type = array ? Datatype{.cls = TypeClass::kArray,
                                   .size = 3 * part.size,
                                   .base = shared(part),
                                   .dims = {3}}
                        : compound_type(2 + part.size,
                                        {{"n", 0, shared(number), {}}, {"x", 2, shared(part), {}}});
  const std::size_t at = array ? part.size * draw("at", [](Choices& c) { return c.below(3); }) : 2;
  // Nested more deeply, or not.
  const bool deep = draw("deep", [](Choices& c) { return c.maybe(); });
  if (deep) type = compound_type(type.size, {{"all", 0, shared(type), {}}});
  Noise noise = draw_noise();
  const auto put = [&](double value) {
    std::vector<std::byte> stored(type.size);
    std::ranges::copy(encode(part, value, noise), stored.begin() + static_cast<std::ptrdiff_t>(at));
    return stored;
  };
  const auto plain = put(1), nan = put(kNan);
  RC_ASSERT(equal_values(type, plain, plain));
  RC_ASSERT(!equal_values(type, nan, nan));
  RC_ASSERT(!equal_values(type, nan, plain) && !equal_values(type, plain, nan));
  RC_ASSERT(!hep001::is_nan(type, nan) && !hep001::is_nan(type, plain));
  RC_ASSERT(holds_nan(comparable_form(type, nan)) && !holds_nan(comparable_form(type, plain)));
}

// --- The same datatype ---------------------------------------------------------------------------

struct Change {
  const char* what;
  std::function<void(Datatype&)> make;
  Sameness then;
};

void expect_sameness(const Datatype& type, const std::vector<Change>& changes) {
  EXPECT_EQ(compare(type, type), Sameness::kIdentical) << describe(type);
  for (const Change& change : changes) {
    Datatype other = type;
    change.make(other);
    EXPECT_EQ(compare(type, other), change.then) << describe(type) << ": " << change.what;
    EXPECT_EQ(compare(other, type), change.then) << describe(type) << ": " << change.what;
    // The same one level deeper.
    const auto array = [](const Datatype& base) {
      return Datatype{.cls = TypeClass::kArray, .size = 64, .base = shared(base), .dims = {2}};
    };
    const auto record = [](const Datatype& field) {
      return compound_type(
          64, {{"n", 0, shared(integer_type(4, true)), {}}, {"x", 8, shared(field), {}}});
    };
    EXPECT_EQ(compare(array(type), array(other)), change.then) << change.what;
    EXPECT_EQ(compare(record(type), record(other)), change.then) << change.what;
  }
}

constexpr auto kSame = Sameness::kIdentical, kOrder = Sameness::kByteOrderOnly,
               kOther = Sameness::kDifferent;

void to_big(Datatype& type) { type.order = ByteOrder::kBig; }
void change_base(Datatype& type, const std::function<void(Datatype&)>& change) {
  Datatype base = *type.base;
  change(base);
  type.order = base.order;
  type.base = shared(base);
}

TEST(SameDatatypes, NumbersAfterOneChange) {
  const std::vector<Change> numbers{
      {"byte order", to_big, kOrder},
      {"size", [](Datatype& t) { ++t.size; }, kOther},
      {"precision", [](Datatype& t) { --t.precision; }, kOther},
      {"offset", [](Datatype& t) { ++t.bit_offset; }, kOther},
      {"class", [](Datatype& t) { t.cls = TypeClass::kOpaque; }, kOther},
      {"tag", [](Datatype& t) { t.tag = "x"; }, kSame}};
  for (const TypeClass cls : {TypeClass::kInteger, TypeClass::kTime, TypeClass::kBitfield}) {
    Datatype type = integer_type(4, true);
    type.cls = cls;
    expect_sameness(type, numbers);
  }
  expect_sameness(integer_type(4, true),
                  {{"sign", [](Datatype& t) { t.is_signed = false; }, kOther}});
  expect_sameness(integer_type(1, true), {{"byte order", to_big, kSame}});
  expect_sameness(ieee_float_type(4), numbers);
  using Part = std::uint32_t FloatLayout::*;
  for (const Part part :
       {&FloatLayout::sign_position, &FloatLayout::exponent_position, &FloatLayout::exponent_size,
        &FloatLayout::mantissa_position, &FloatLayout::mantissa_size})
    expect_sameness(ieee_float_type(4),
                    {{"a part", [=](Datatype& t) { ++(t.floating.*part); }, kOther}});
  expect_sameness(ieee_float_type(8),
                  {{"bias", [](Datatype& t) { ++t.floating.exponent_bias; }, kOther},
                   {"leading bit", [](Datatype& t) { t.floating.implied_one = false; }, kOther}});
}

TEST(SameDatatypes, StringsAndBytesAfterOneChange) {
  const auto padding = [](Datatype& t) { t.padding = StringPadding::kSpacePad; };
  const auto ascii = [](Datatype& t) { t.character_set = CharacterSet::kAscii; };
  expect_sameness(fixed_string_type(8, StringPadding::kNullPad, CharacterSet::kUtf8),
                  {{"padding", padding, kOther},
                   {"character set", ascii, kOther},
                   {"size", [](Datatype& t) { ++t.size; }, kOther},
                   {"length", [](Datatype& t) { t.variable_length = true; }, kOther}});
  expect_sameness(variable_string_type(CharacterSet::kUtf8),
                  {{"padding", padding, kSame}, {"character set", ascii, kOther}});
  expect_sameness(opaque_type(4, "a"), {{"tag", [](Datatype& t) { t.tag = "b"; }, kSame},
                                        {"size", [](Datatype& t) { ++t.size; }, kOther}});
  expect_sameness(
      standard_reference_type(),
      {{"kind", [](Datatype& t) { t.reference = ReferenceKind::kLegacyObject; }, kOther}});
}

TEST(SameDatatypes, OfPartsAfterOneChange) {
  const auto two = [](Datatype& t) { t.dims = {3}; };
  const auto big_base = [](Datatype& t) { change_base(t, to_big); };
  for (const TypeClass cls : {TypeClass::kArray, TypeClass::kVlen}) {
    const Datatype type{.cls = cls, .size = 16, .base = shared(integer_type(4, true)), .dims = {4}};
    expect_sameness(type, {{"shape", two, cls == TypeClass::kArray ? kOther : kSame},
                           {"byte order of the base", big_base, kOrder},
                           {"base", [](Datatype& t) { t.base = shared(boolean_type()); }, kOther},
                           {"no base", [](Datatype& t) { t.base = nullptr; }, kOther}});
  }
  const Datatype part = integer_type(2, true);
  expect_sameness(
      compound_type(8, {{"a", 0, shared(part), {}}, {"b", 4, shared(part), {}}}),
      {{"name", [](Datatype& t) { t.members[1].name = "c"; }, kOther},
       {"order of fields", [](Datatype& t) { std::swap(t.members[0], t.members[1]); }, kOther},
       {"one less", [](Datatype& t) { t.members.pop_back(); }, kOther},
       {"place", [](Datatype& t) { t.members[1].offset = 6; }, kSame},
       {"byte order of one",
        [&](Datatype& t) { t.members[0].type = shared(integer_type(2, true, ByteOrder::kBig)); },
        kOrder},
       {"another and byte order",
        [&](Datatype& t) {
          t.members[0].type = shared(integer_type(2, false));
          t.members[1].type = shared(integer_type(2, true, ByteOrder::kBig));
        },
        kOther}});
}

TEST(SameDatatypes, EnumerationsAfterOneChange) {
  const auto of = [](ByteOrder order, std::size_t size = 2) {
    return enum_type(integer_type(size, true, order), {{"B", 2}, {"A", 1}, {"C", -1}});
  };
  expect_sameness(
      of(ByteOrder::kLittle),
      {{"byte order, and the codes with it", [&](Datatype& t) { t = of(ByteOrder::kBig); }, kOrder},
       {"order of members", [](Datatype& t) { std::ranges::reverse(t.members); }, kSame},
       {"name", [](Datatype& t) { t.members[0].name = "D"; }, kOther},
       {"code", [](Datatype& t) { t.members[0].value[0] = std::byte{9}; }, kOther},
       {"swapped codes", [](Datatype& t) { std::swap(t.members[0].value, t.members[1].value); },
        kOther},
       {"one less", [](Datatype& t) { t.members.pop_back(); }, kOther},
       {"base", [](Datatype& t) { t.base = shared(integer_type(2, false)); }, kOther},
       {"no base", [](Datatype& t) { t.base = nullptr; }, kOther}});
  expect_sameness(of(ByteOrder::kLittle, 1),
                  {{"byte order", [&](Datatype& t) { t = of(ByteOrder::kBig, 1); }, kSame}});
}

}  // namespace

}  // namespace hepcheck::hep001::grammar
