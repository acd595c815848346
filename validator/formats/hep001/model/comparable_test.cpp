#include "validator/formats/hep001/model/comparable.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <deque>
#include <format>
#include <limits>
#include <map>
#include <random>

#include "validator/formats/hep001/testing/build.h"
#include "validator/testing/random.h"

namespace hepcheck::hep001 {

namespace {

using Bytes = std::vector<std::byte>;

Datatype float_type(std::size_t bytes, std::uint32_t exponent, std::uint32_t mantissa,
                    bool implied = true) {
  Datatype type = ieee_float_type(bytes);
  type.precision = 1 + exponent + mantissa;
  type.floating = {exponent + mantissa,
                   mantissa,
                   exponent,
                   0,
                   mantissa,
                   (std::uint64_t{1} << (exponent - 1)) - 1,
                   implied};
  return type;
}

template <class T>
Bytes bytes_of(const T& value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  return {bytes.begin(), bytes.end()};
}
Bytes reversed(Bytes bytes) {
  std::ranges::reverse(bytes);
  return bytes;
}

// The comparable forms of two numbers compare like the numbers, in both byte orders.
template <class T>
void expect_as(Datatype type, T a, const Bytes& stored_a, T b, const Bytes& stored_b) {
  const std::string form = comparable_form(type, stored_a), other = comparable_form(type, stored_b);
  EXPECT_EQ(is_nan_form(form), a != a);
  EXPECT_EQ(holds_nan(form), a != a);
  if (a == a && b == b) {
    EXPECT_EQ(form < other, a < b) << describe(type);
    EXPECT_EQ(form == other, a == b) << describe(type);
  }
  type.order = ByteOrder::kBig;
  EXPECT_EQ(comparable_form(type, reversed(stored_a)), form);
}

// bfloat16 is the upper half of binary32.
TEST(ComparableFloats, EveryBfloat16) {
  const Datatype type = float_type(2, 8, 7);
  EXPECT_EQ(incomparable(type), std::nullopt);
  EXPECT_TRUE(is_number(type));
  for (std::uint32_t a = 0; a < 0x10000; ++a)
    for (const std::uint32_t step : {1u, 0x80u, 0x4001u, 0x8000u}) {
      const std::uint32_t b = (a + step) & 0xFFFF;
      expect_as(type, std::bit_cast<float>(a << 16), bytes_of(static_cast<std::uint16_t>(a)),
                std::bit_cast<float>(b << 16), bytes_of(static_cast<std::uint16_t>(b)));
    }
}

TEST(ComparableFloats, IeeeInsideAndOutside) {
  std::mt19937_64 random(3);
  const Datatype type = ieee_float_type(8);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t exponent = random() % 2048 << 52;
    const auto a = std::bit_cast<double>(exponent | (random() & 3) | (random() << 63));
    const auto b = std::bit_cast<double>(exponent | (random() & 3) | (random() << 63));
    expect_as(type, a, bytes_of(a), b, bytes_of(b));
  }
}

// As the processor computes it, if it supports the type.
TEST(ComparableFloats, X87) {
  if (std::numeric_limits<long double>::digits != 64) GTEST_SKIP() << "no x87";
  const Datatype type = float_type(sizeof(long double), 15, 64, false);
  ASSERT_EQ(incomparable(type), std::nullopt);
  std::mt19937_64 random(5);
  using Limits = std::numeric_limits<long double>;
  std::vector<long double> numbers{0.0L,
                                   -0.0L,
                                   1.0L,
                                   Limits::min(),
                                   Limits::denorm_min(),
                                   -Limits::denorm_min(),
                                   Limits::max(),
                                   Limits::infinity(),
                                   -Limits::infinity(),
                                   Limits::quiet_NaN(),
                                   1.0L + Limits::epsilon()};
  while (numbers.size() < 200)
    numbers.push_back(std::ldexp(static_cast<long double>(random()) - 0x1p63L,
                                 static_cast<int>(random() % 140) - 70));
  numbers.push_back(std::nextafter(Limits::min(), 0.0L));  // the largest subnormal
  for (const long double a : numbers)
    for (const long double b : numbers) expect_as(type, a, bytes_of(a), b, bytes_of(b));
}

// Encodings that no processor since the 80387 accepts as numbers, and two encodings of one number.
TEST(ComparableFloats, X87UnusualEncodings) {
  const Datatype type = float_type(10, 15, 64, false);
  const auto stored = [](std::uint64_t mantissa, std::uint16_t exponent) {
    Bytes bytes = bytes_of(mantissa);
    bytes.push_back(static_cast<std::byte>(exponent & 0xFF));
    bytes.push_back(static_cast<std::byte>(exponent >> 8));
    return bytes;
  };
  constexpr std::uint64_t kLeading = std::uint64_t{1} << 63;
  const auto form = [&](std::uint64_t mantissa, std::uint16_t exponent) {
    return comparable_form(type, stored(mantissa, exponent));
  };
  EXPECT_EQ(form(kLeading | 5, 0), form(kLeading | 5, 1));  // pseudo-denormal
  EXPECT_TRUE(holds_nan(form(5, 1)));                       // unnormal
  EXPECT_TRUE(holds_nan(form(0, 0x7FFF)));                  // pseudo-infinity
  EXPECT_FALSE(holds_nan(form(kLeading, 0x7FFF)));          // infinity
  EXPECT_TRUE(holds_nan(form(kLeading | 1, 0x7FFF)));
  EXPECT_LT(form(kLeading - 1, 0), form(kLeading, 1));
}

TEST(ComparableFloats, Binary128ByHand) {
  const Datatype type = float_type(16, 15, 112);
  const auto stored = [](std::uint64_t high, std::uint64_t low) {
    Bytes bytes = bytes_of(low);
    const Bytes rest = bytes_of(high);
    bytes.insert(bytes.end(), rest.begin(), rest.end());
    return bytes;
  };
  // In increasing order; the zeros are one value.
  const std::vector<Bytes> values{stored(0xFFFF000000000000, 0),
                                  stored(0xC000000000000000, 0),
                                  stored(0xBFFF000000000000, 1),
                                  stored(0x8000000000000000, 1),
                                  stored(0, 0),
                                  stored(0, 1),
                                  stored(0x3FFF000000000000, 0),
                                  stored(0x3FFF000000000000, 1),
                                  stored(0x3FFF000000000001, 0),
                                  stored(0x7FFF000000000000, 0)};
  for (std::size_t i = 1; i < values.size(); ++i)
    EXPECT_LT(comparable_form(type, values[i - 1]), comparable_form(type, values[i])) << i;
  EXPECT_EQ(comparable_form(type, stored(0x8000000000000000, 0)),
            comparable_form(type, stored(0, 0)));
  EXPECT_TRUE(holds_nan(comparable_form(type, stored(0x7FFF000000000000, 1))));
  EXPECT_TRUE(holds_nan(comparable_form(type, stored(0xFFFF000000000001, 0))));
}

TEST(ComparableFloats, UnexplainedFormatsAreNotComparable) {
  Datatype vax = ieee_float_type(4);
  vax.order = ByteOrder::kVax;
  Datatype uncovered = float_type(4, 8, 22);
  uncovered.precision = 32;
  Datatype overlapping = float_type(4, 8, 23);
  overlapping.floating.exponent_position = 20;
  Datatype outside = float_type(4, 8, 23);
  outside.floating.sign_position = 32;
  for (const Datatype& type :
       {vax, uncovered, overlapping, outside, float_type(1, 4, 3), float_type(4, 8, 23, false),
        Datatype{.cls = TypeClass::kFloat, .size = 16, .order = ByteOrder::kLittle}}) {
    EXPECT_TRUE(incomparable(type)) << describe(type);
    EXPECT_FALSE(is_number(type)) << describe(type);
    const Bytes value(type.size, std::byte{7});
    EXPECT_EQ(comparable_form(type, value).size(), 1 + type.size);  // the bytes unchanged
  }
}

TEST(ComparableIntegers, OfEveryWidth) {
  std::mt19937_64 random(9);
  __extension__ using Wide = __int128;
  for (const std::size_t bytes : {1, 3, 8, 9, 13, 16})
    for (const bool is_signed : {false, true}) {
      Datatype type = integer_type(bytes, is_signed);
      type.bit_offset = bytes > 1 ? 3 : 0;
      type.precision = static_cast<std::uint32_t>(8 * bytes) - 2 * type.bit_offset;
      for (int i = 0; i < 500; ++i) {
        const auto any = [&] {
          const Wide bits =
              (static_cast<Wide>(random()) << 64 | static_cast<Wide>(random())) >> random() % 127;
          const auto unused = 128 - static_cast<int>(type.precision);
          __extension__ using Bits = unsigned __int128;
          const Bits up = static_cast<Bits>(bits) << unused;
          return is_signed ? static_cast<Wide>(up) >> unused : static_cast<Wide>(up >> unused);
        };
        const Wide a = any(), b = random() % 4 == 0 ? a : any();
        const auto stored = [&](Wide value) {
          // Bits next to the number are set or not.
          __extension__ using Bits = unsigned __int128;
          const Bits mask = ((Bits{1} << (type.precision - 1)) - 1) << 1 | 1;
          Bits bits = (static_cast<Bits>(value) & mask) << type.bit_offset;
          if (random() & 1) bits |= ~(mask << type.bit_offset);
          Bytes all = bytes_of(bits);
          all.resize(bytes);
          return all;
        };
        expect_as(type, a, stored(a), b, stored(b));
      }
    }
}

TEST(ComparableTimesAndBitfields, SignedAndNot) {
  Datatype time{.cls = TypeClass::kTime, .size = 4, .order = ByteOrder::kLittle, .precision = 32};
  Datatype bits{
      .cls = TypeClass::kBitfield, .size = 16, .order = ByteOrder::kLittle, .precision = 120};
  const auto form = [](const Datatype& type, std::uint64_t value) {
    Bytes bytes = bytes_of(value);
    bytes.resize(type.size);
    return comparable_form(type, bytes);
  };
  EXPECT_LT(form(time, 0xFFFFFFFF), form(time, 0));
  EXPECT_LT(form(bits, 0), form(bits, 0xFFFFFFFF));
  Bytes padded(16);
  padded[15] = std::byte{0xFF};
  EXPECT_EQ(comparable_form(bits, padded), form(bits, 0));
}

std::shared_ptr<const Datatype> shared(Datatype type) {
  return std::make_shared<const Datatype>(std::move(type));
}
Datatype array_of(Datatype base, std::uint64_t count) {
  const std::size_t size = base.size * count;
  return {.cls = TypeClass::kArray, .size = size, .base = shared(std::move(base)), .dims = {count}};
}
std::string form_of(const Datatype& type, std::string_view text) {
  return comparable_form(type, std::as_bytes(std::span(text)));
}
using std::string_view_literals::operator""sv;

TEST(ComparableParts, OfArrays) {
  const Datatype strings =
      array_of(fixed_string_type(4, StringPadding::kNullTerm, CharacterSet::kAscii), 2);
  EXPECT_EQ(form_of(strings, "a\0bczz\0z"sv), form_of(strings, "a\0\0\0zz\0\0"sv));
  EXPECT_NE(form_of(strings, "ab\0\0c\0\0\0"sv), form_of(strings, "a\0\0\0bc\0\0"sv));
  const Datatype floats = array_of(ieee_float_type(4), 2);
  EXPECT_EQ(form_of(floats, "\0\0\0\x80\1\0\0\0"sv), form_of(floats, "\0\0\0\0\1\0\0\0"sv));
  const std::string with_nan = form_of(floats, "\0\0\xC0\x7F\1\0\0\0"sv);
  EXPECT_TRUE(holds_nan(with_nan));
  EXPECT_FALSE(is_nan_form(with_nan));
  const Datatype other = array_of(ieee_float_type(4, ByteOrder::kBig), 2);
  EXPECT_EQ(form_of(other, "\0\0\0\1\x80\0\0\0"sv), form_of(floats, "\1\0\0\0\0\0\0\0"sv));
}

TEST(ComparableParts, OfCompoundsWithGaps) {
  Datatype twelve = integer_type(2, true);
  twelve.precision = 12;
  const Datatype type = compound_type(
      8, {{.name = "a", .offset = 4, .type = shared(twelve), .value = {}},
          {.name = "b", .offset = 1, .type = shared(integer_type(1, false)), .value = {}}});
  EXPECT_EQ(form_of(type, "g\5aps\xF1xx"sv), form_of(type, "\0\5\0\0s\1\0\0"sv));
  EXPECT_NE(form_of(type, "\0\5\0\0s\1\0\0"sv), form_of(type, "\0\6\0\0s\1\0\0"sv));
  // A field beyond the end is omitted.
  const Datatype broken = compound_type(
      2, {{.name = "a", .offset = 1, .type = shared(integer_type(8, true)), .value = {}}});
  EXPECT_EQ(form_of(broken, "ab"sv).size(), 1u);
}

TEST(ComparableParts, InVariableLengthData) {
  struct Sequence {
    std::size_t length;
    const void* items;
  };
  Datatype twelve = integer_type(2, true);
  twelve.precision = 12;
  const Datatype type{.cls = TypeClass::kVlen, .size = 16, .base = shared(twelve)};
  const std::uint16_t some[] = {0xF005, 7}, same[] = {5, 0x8007};
  const auto form = [&](std::size_t length, const void* items) {
    return comparable_form(type, bytes_of(Sequence{length, items}));
  };
  EXPECT_EQ(form(2, some), form(2, same));
  EXPECT_NE(form(2, some), form(1, some));
  EXPECT_NE(form(1, some), form(0, nullptr));
  const Datatype text = array_of(variable_string_type(CharacterSet::kUtf8), 2);
  const char* const a[] = {"x", nullptr};
  const std::string x = "x";
  const char* const b[] = {x.c_str(), ""};
  EXPECT_EQ(comparable_form(text, bytes_of(a)), comparable_form(text, bytes_of(b)));
}

// Values of any datatype, of few numbers and letters each, so that many are equal, or differ in
// nothing but the places where texts and sequences end.
class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed) : random_(seed) {}

  Datatype type(int depth) {
    const std::uint64_t kind = random_.below(depth > 0 ? 8 : 5);
    const ByteOrder order = random_.once_in(2) ? ByteOrder::kBig : ByteOrder::kLittle;
    switch (kind) {
      case 0:
      case 1: {
        constexpr std::size_t kSizes[] = {1, 2, 4, 8};
        const std::size_t size = random_.one_of(kSizes);
        return integer_type(size, random_.once_in(2), order);
      }
      case 2: return ieee_float_type(random_.once_in(2) ? 4 : 8, order);
      case 3: {
        constexpr StringPadding kPaddings[] = {StringPadding::kNullTerm, StringPadding::kNullPad,
                                               StringPadding::kSpacePad};
        return fixed_string_type(1 + random_.below(3), random_.one_of(kPaddings),
                                 CharacterSet::kUtf8);
      }
      case 4: return variable_string_type(CharacterSet::kUtf8);
      case 5: {
        std::vector<TypeMember> members;
        std::size_t at = 0;
        for (std::uint64_t n = 1 + random_.below(3); n > 0; --n) {
          at += random_.below(3);
          Datatype member = type(depth - 1);
          const std::size_t size = member.size;
          members.push_back({.name = std::string(1, 'a' + static_cast<char>(n)),
                             .offset = at,
                             .type = shared(std::move(member)),
                             .value = {}});
          at += size;
        }
        return compound_type(at + random_.below(3), std::move(members));
      }
      case 6: return array_of(type(depth - 1), 1 + random_.below(2));
      default: return {.cls = TypeClass::kVlen, .size = 16, .base = shared(type(depth - 1))};
    }
  }

  // The bytes of a value, what it says, and whether some of it is NaN.
  struct Value {
    Bytes bytes{};
    std::string text{};
    bool nan = false;
  };
  Value value(const Datatype& type) {
    Value made{.bytes = random_.bytes(type.size)};  // gaps have any bytes
    fill(type, made.bytes, made);
    return made;
  }

 private:
  void fill(const Datatype& type, std::span<std::byte> into, Value& made) {
    const auto put = [&](const auto& stored) {
      Bytes bytes = bytes_of(stored);
      bytes.resize(into.size());
      if (type.order == ByteOrder::kBig) std::ranges::reverse(bytes);
      std::ranges::copy(bytes, into.begin());
    };
    switch (type.cls) {
      case TypeClass::kInteger: {
        const std::uint64_t number = random_.below(2);
        put(number);
        made.text += std::format("{} ", number);
        break;
      }
      case TypeClass::kFloat: {
        constexpr double kNumbers[] = {0.0, -0.0, 1.0, std::numeric_limits<double>::quiet_NaN()};
        const double number = random_.one_of(kNumbers);
        if (type.size == 4)
          put(static_cast<float>(number));
        else
          put(number);
        made.nan |= std::isnan(number);
        made.text += std::isnan(number) ? "NaN " : std::format("{} ", number == 0 ? 0 : number);
        break;
      }
      case TypeClass::kString: {
        const std::string text(random_.below(type.variable_length ? 3 : type.size + 1), 'v');
        made.text += std::format("'{}' ", text);
        if (type.variable_length) {
          const char* const pointer =
              text.empty() && random_.once_in(2) ? nullptr : texts_.emplace_back(text).c_str();
          put(pointer);
          break;
        }
        const std::byte pad{
            static_cast<unsigned char>(type.padding == StringPadding::kSpacePad ? ' ' : '\0')};
        for (std::size_t i = 0; i < into.size(); ++i)
          if (i < text.size())
            into[i] = std::byte{'v'};
          else if (i == text.size() || type.padding != StringPadding::kNullTerm)
            into[i] = pad;
        break;
      }
      case TypeClass::kCompound:
        made.text += "(";
        for (const TypeMember& each : type.members)
          fill(*each.type, into.subspan(each.offset, each.type->size), made);
        made.text += ") ";
        break;
      case TypeClass::kArray:
        for (std::size_t at = 0; at < into.size(); at += type.base->size)
          fill(*type.base, into.subspan(at, type.base->size), made);
        break;
      default: {
        const std::size_t length = random_.below(3);
        Bytes& items = items_.emplace_back(random_.bytes(length * type.base->size));
        made.text += "[";
        for (std::size_t i = 0; i < length; ++i)
          fill(*type.base, std::span(items).subspan(i * type.base->size, type.base->size), made);
        made.text += "] ";
        const std::byte* const pointer = length > 0 ? items.data() : nullptr;
        std::memcpy(into.data(), &length, sizeof length);
        std::memcpy(into.data() + sizeof length, &pointer, sizeof pointer);
      }
    }
  }

  Random random_;
  std::deque<std::string> texts_{};  // their addresses are stable
  std::deque<Bytes> items_{};
};

TEST(ComparableParts, AreEqualIfTheySayTheSame) {
  std::size_t equal = 0, nans = 0;
  for (std::uint64_t seed = 0; seed < 3'000; ++seed) {
    RandomValues random(seed);
    const Datatype type = random.type(3);
    ASSERT_EQ(incomparable(type), std::nullopt);
    std::map<std::string, std::string> form_of_text, text_of_form;
    for (int i = 0; i < 12; ++i) {
      const RandomValues::Value value = random.value(type);
      const std::string form = comparable_form(type, value.bytes);
      const auto known = form_of_text.emplace(value.text, form);
      equal += !known.second;
      ASSERT_EQ(known.first->second, form) << describe(type) << ": " << value.text;
      ASSERT_EQ(text_of_form.emplace(form, value.text).first->second, value.text) << describe(type);
      ASSERT_EQ(holds_nan(form), value.nan) << describe(type) << ": " << value.text;
      ASSERT_EQ(is_nan_form(form), value.nan && type.is(TypeClass::kFloat)) << describe(type);
      nans += value.nan;
    }
  }
  EXPECT_GT(equal, 5'000U);
  EXPECT_GT(nans, 1'000U);
}

TEST(Incomparable, IncompleteReferences) {
  Datatype object = standard_reference_type();
  object.reference = ReferenceKind::kLegacyObject;
  EXPECT_FALSE(incomparable(object));
  EXPECT_TRUE(incomparable(standard_reference_type()));
  EXPECT_TRUE(incomparable(array_of(standard_reference_type(), 2)));
  EXPECT_TRUE(incomparable(Datatype{.cls = TypeClass::kUnknown, .size = 4}));
  Datatype vax = ieee_float_type(4);
  vax.order = ByteOrder::kVax;
  EXPECT_TRUE(incomparable(
      compound_type(4, {{.name = "f", .offset = 0, .type = shared(vax), .value = {}}})));
}

}  // namespace

}  // namespace hepcheck::hep001
