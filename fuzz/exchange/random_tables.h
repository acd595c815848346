// Random types and values of tables in transit, and datatypes of which Arrow has no equivalent.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/choices.h"
#include "validator/exchange/table.h"
#include "validator/formats/hep001/exchange/mapping.h"
#include "validator/formats/hep001/exchange/type_text.h"

namespace hepcheck::fuzz {

using exchange::Array;
using exchange::empty_array;
using exchange::Field;
using exchange::Kind;
using exchange::Labels;
using exchange::Type;
using hep001::Datatype;

inline Type random_integer(Choices& c) {
  return {.kind = Kind::kInteger,
          .width = std::uint64_t{1} << c.below(4),
          .is_signed = c.below(2) == 0};
}

// The parts of structs and arrays.
inline Type random_atom(Choices& c) {
  switch (c.below(5)) {
    case 0: return random_integer(c);
    case 1: return {.kind = Kind::kBoolean};
    case 2: return {.kind = Kind::kFloat, .width = std::uint64_t{2} << c.below(3)};
    case 3: return {.kind = Kind::kText};
    default: return {.kind = Kind::kFixedBytes, .width = 1 + c.below(5)};
  }
}

// Labels of several bytes or of none. `twice`: some of them are equal.
inline Type random_labelled(Choices& c, bool twice = false) {
  constexpr std::string_view kLabels[] = {"a", "bc", "", "\xC3\xA9", "a longer label"};
  Type type = random_integer(c);
  auto labels = std::make_shared<Labels>();
  labels->type.kind = Kind::kText;
  labels->values = empty_array(labels->type);
  const std::size_t first = c.below(std::size(kLabels));
  for (std::uint64_t i = 0, n = 1 + c.below(4); i < n; ++i) {
    const std::string_view text = kLabels[(first + (twice ? i / 2 : i)) % std::size(kLabels)];
    labels->values.push(false);
    for (const char each : text) labels->values.bytes.push_back(static_cast<std::byte>(each));
    labels->values.offsets.push_back(labels->values.bytes.size());
  }
  type.labels = std::move(labels);
  type.ordered = c.below(2) == 0;
  return type;
}

// Integers with a logical type.
inline Type random_meaning(Choices& c) {
  constexpr const char* kFour[] = {"date[day]", "time[s]", "time[ms]", "interval[year-month]"};
  constexpr const char* kEight[] = {"time[us]", "timestamp[ns]", "timestamp[s, Europe/Zurich]",
                                    "duration[ms]"};
  const bool four = c.below(2) == 0;
  return {.kind = Kind::kInteger,
          .width = four ? 4u : 8u,
          .is_signed = true,
          .meaning = four ? kFour[c.below(4)] : kEight[c.below(4)]};
}

// `below`: of a list.
inline Type random_type(Choices& c, int depth, bool below) {
  switch (c.below(depth > 0 ? below ? 7 : 12 : 3)) {
    case 0:
    case 1: return random_atom(c);
    case 2: return c.below(2) == 0 ? random_integer(c) : random_meaning(c);
    case 3:
    case 4: {
      Type type{.kind = Kind::kList, .large = c.below(4) == 0};
      type.children.push_back(
          {.name = "item", .type = random_type(c, depth - 1, true), .nullable = true});
      return type;
    }
    case 5: {
      Type type{.kind = Kind::kStruct};
      for (std::uint64_t i = 0, n = 1 + c.below(3); i < n; ++i)
        type.children.push_back(
            {.name = std::string(1, static_cast<char>('p' + i)), .type = random_atom(c)});
      return type;
    }
    case 6: {
      Type type{.kind = Kind::kFixedList, .width = 1 + c.below(3)};
      type.children.push_back({.name = "item", .type = random_atom(c)});
      return type;
    }
    case 7:
    case 8: return random_labelled(c);
    case 9: return {.kind = Kind::kNull};
    case 10: return {.kind = Kind::kBytes};
    default: return {.kind = Kind::kText, .large = true};
  }
}

inline void random_value(Choices& c, const Type& type, bool may_be_null, Array& into) {
  const bool null = may_be_null && type.kind != Kind::kNull && c.below(4) == 0;
  const auto put = [&](std::uint64_t bits, std::uint64_t width) {
    for (std::uint64_t i = 0; i < width; ++i)
      into.bytes.push_back(static_cast<std::byte>(i < 8 ? bits >> (8 * i) : bits));
  };
  switch (type.kind) {
    case Kind::kBoolean: put(c.below(2), 1); break;
    case Kind::kInteger:
      if (type.meaning.starts_with("time[")) {
        put(c.below(86'400), type.width);  // it is of a day
      } else if (type.labels) {
        put(c.below(type.labels->values.length), type.width);
      } else {
        // Values that equal recommended fill values are included.
        const std::uint64_t odd[] = {0, 0xFF, 0x81, 0x8001, 0x80000001, 0x8000000000000001, ~0ull};
        put(c.below(3) == 0 ? odd[c.below(7)] : c.bits(), type.width);
      }
      break;
    case Kind::kFloat: put(c.below(3) == 0 ? ~c.below(8) : c.bits(), type.width); break;
    case Kind::kFixedBytes: put(c.bits(), type.width); break;
    case Kind::kText:
    case Kind::kBytes:
      if (!null || c.below(4) == 0)  // the value under a null is not part of the table
        for (std::uint64_t i = 0, n = c.below(4); i < n; ++i) put('A' + c.below(3), 1);
      into.offsets.push_back(into.bytes.size());
      break;
    case Kind::kList:
      if (!null || c.below(4) == 0)
        for (std::uint64_t i = 0, n = c.below(4); i < n; ++i)
          random_value(c, type.children[0].type, true, into.children[0]);
      into.offsets.push_back(into.children[0].length);
      break;
    case Kind::kFixedList:
      for (std::uint64_t i = 0; i < type.width; ++i)
        random_value(c, type.children[0].type, false, into.children[0]);
      break;
    case Kind::kStruct:
      for (std::size_t k = 0; k < type.children.size(); ++k)
        random_value(c, type.children[k].type, false, into.children[k]);
      break;
    case Kind::kNull: break;
  }
  into.push(null);
}

// --- Datatypes that Arrow does not have ----------------------------------------------------------
// No two arguments of a call are random: compilers evaluate them in different orders.

inline hep001::ByteOrder random_order(Choices& c) {
  return c.below(2) == 0 ? hep001::ByteOrder::kBig : hep001::ByteOrder::kLittle;
}

// Also with fewer bits than its bytes have, and of three bytes and more.
inline Datatype random_bits(Choices& c) {
  const hep001::ByteOrder order = random_order(c);
  const bool is_signed = c.below(2) == 0;
  Datatype type = hep001::integer_type(1 + c.below(8), is_signed, order);
  if (c.below(2) == 0) {
    const std::uint64_t room = 8 * type.size - 7;
    type.precision = static_cast<std::uint32_t>(7 + c.below(room) + (room > 1 ? 0 : 1));
    type.bit_offset = static_cast<std::uint32_t>(c.below(8 * type.size - type.precision + 1));
  }
  if (c.below(3) == 0) {
    type.cls = hep001::TypeClass::kBitfield;
    type.is_signed = false;
  }
  return type;
}

inline Datatype random_enum(Choices& c) {
  const hep001::ByteOrder order = random_order(c);
  Datatype base = hep001::integer_type(std::size_t{1} << c.below(4), true, order);
  std::vector<std::pair<std::string, std::int64_t>> members{{"MISSING", -5}};
  for (std::int64_t i = 0, n = 1 + static_cast<std::int64_t>(c.below(4)); i < n; ++i)
    members.emplace_back(std::string(1, static_cast<char>('A' + i)), 7 - 3 * i);
  return hep001::enum_type(std::move(base), members);
}

inline Datatype random_string(Choices& c) {
  const auto set = static_cast<hep001::CharacterSet>(c.below(2));
  const auto padding = static_cast<hep001::StringPadding>(c.below(3));
  return hep001::fixed_string_type(1 + c.below(9), padding, set);
}

// `inside`: of an array or a compound, in which names of an enumeration become texts.
inline Datatype random_atomic(Choices& c, bool inside) {
  switch (c.below(inside ? 5 : 6)) {
    case 0: return random_bits(c);
    case 1: {
      const hep001::ByteOrder order = random_order(c);
      return hep001::ieee_float_type(std::size_t{2} << c.below(3), order);
    }
    case 2: return random_string(c);
    case 3: {
      const char* const tag = c.below(2) == 0 ? "a tag" : "";
      return hep001::opaque_type(1 + c.below(5), tag);
    }
    case 4: {
      const hep001::ByteOrder order = random_order(c);
      const bool is_signed = c.below(2) == 0;
      return hep001::integer_type(std::size_t{1} << c.below(4), is_signed, order);
    }
    default: return random_enum(c);
  }
}

inline Datatype random_datatype(Choices& c) {
  switch (c.below(8)) {
    case 0: {
      Datatype made{.cls = hep001::TypeClass::kArray};
      const Datatype base = random_atomic(c, true);
      made.size = base.size;
      for (std::uint64_t i = 0, n = 1 + c.below(2); i < n; ++i) {
        made.dims.push_back(1 + c.below(3));
        made.size *= made.dims.back();
      }
      made.base = std::make_shared<const Datatype>(base);
      return made;
    }
    case 1: {
      std::vector<hep001::TypeMember> members;
      std::size_t end = 0;
      for (std::uint64_t i = 0, n = 1 + c.below(3); i < n; ++i) {
        const Datatype type = random_atomic(c, true);
        end += c.below(3);  // a gap
        members.push_back({.name = std::string(1, static_cast<char>('p' + i)),
                           .offset = end,
                           .type = std::make_shared<const Datatype>(type)});
        end += type.size;
      }
      return hep001::compound_type(end, std::move(members));
    }
    case 2: return hep001::variable_string_type(static_cast<hep001::CharacterSet>(c.below(2)));
    case 3: {
      Datatype made{.cls = hep001::TypeClass::kVlen, .size = 16};
      made.base = std::make_shared<const Datatype>(hep001::ieee_float_type(8, random_order(c)));
      return made;
    }
    default: return random_atomic(c, false);
  }
}

// A value of the datatype that is not at the end of its range.
inline void random_element(Choices& c, const hep001::Mapping& mapping, bool may_be_null,
                           Array& into) {
  using How = hep001::Mapping::How;
  const Type& type = mapping.type;
  const bool null = may_be_null && c.below(4) == 0;
  const auto put = [&](std::uint64_t bits, std::uint64_t width) {
    for (std::uint64_t i = 0; i < width; ++i)
      into.bytes.push_back(static_cast<std::byte>(bits >> 8 * i));
  };
  switch (mapping.how) {
    case How::kFields:
      for (std::size_t k = 0; k < mapping.parts.size(); ++k)
        random_element(c, mapping.parts[k], false, into.children[k]);
      break;
    case How::kArray:
      for (std::uint64_t i = 0; i < type.width; ++i)
        random_element(c, mapping.parts[0], false, into.children[0]);
      break;
    case How::kSequence:
      for (std::uint64_t i = 0, n = null ? 0 : c.below(4); i < n; ++i)
        random_element(c, mapping.parts[0], false, into.children[0]);
      into.offsets.push_back(into.children[0].length);
      break;
    case How::kMember: put(c.below(type.labels->values.length), type.width); break;
    case How::kText:
    case How::kPointer:
      for (std::uint64_t
               i = 0,
               n = null ? 0 : c.below(mapping.stored.variable_length ? 5 : mapping.stored.size);
           i < n; ++i)
        put('A' + c.below(3), 1);
      into.offsets.push_back(into.bytes.size());
      break;
    case How::kBits:
    case How::kCopy:
    case How::kSwap:
    case How::kBoolean:
      if (type.kind == Kind::kInteger) {
        const std::uint64_t most = std::uint64_t{1} << (mapping.stored.precision - 2);
        put(c.bits() % most, type.width);
      } else {
        put(c.bits() >> 2,
            std::min<std::uint64_t>(8, type.width));  // of floats neither NaN nor infinite
      }
      break;
  }
  into.push(null);
}

}  // namespace hepcheck::fuzz
