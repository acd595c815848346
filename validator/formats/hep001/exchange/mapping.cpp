#include "validator/formats/hep001/exchange/mapping.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <format>

#include "validator/formats/hep001/derive/codec.h"
#include "validator/formats/hep001/model/integers.h"

namespace hepcheck::hep001 {

namespace {

using exchange::Array;
using exchange::Kind;
using How = Mapping::How;

std::unexpected<Error> no_form(const Datatype& type) {
  return failure(describe(type), "the other format cannot store this type");
}

bool is_plain_size(std::size_t size) { return size == 1 || size == 2 || size == 4 || size == 8; }

exchange::Type integer(std::size_t width, bool is_signed) {
  return {.kind = Kind::kInteger, .width = width, .is_signed = is_signed};
}

Result<Mapping> integer_mapping(const Datatype& type) {
  if (!has_significant_bits(type) || type.precision > 64 || type.size > 8) return no_form(type);
  std::size_t width = 1;
  while (width < type.size) width *= 2;
  Mapping made{.stored = type, .type = integer(width, type.is_signed)};
  const bool plain =
      type.is(TypeClass::kInteger) && is_plain_size(type.size) && type.precision == 8 * type.size;
  made.how = !plain                                    ? How::kBits
             : is_foreign(type.order) && type.size > 1 ? How::kSwap
                                                       : How::kCopy;
  return made;
}

Result<Mapping> enum_mapping(const Datatype& type, const MappingOptions& options) {
  if (is_truth(type)) return truth_mapping(type);
  if (!is_integral(type) || type.size > 8) return no_form(type);
  if (options.enums_as_numbers) {
    Result<Mapping> made = integer_mapping(*type.base);
    if (made) made->stored = *type.base;
    return made;
  }
  Mapping made{.how = How::kMember, .stored = type};
  auto labels = std::make_shared<exchange::Labels>();
  labels->type.kind = Kind::kText;
  labels->values = exchange::empty_array(labels->type);
  for (const TypeMember& member : type.members) {
    if (member.name == "MISSING") continue;
    const auto code = integer_value(*type.base, member.value);
    if (!code || !is_utf8(member.name)) return no_form(type);
    made.positions.emplace(static_cast<std::int64_t>(code->bits), labels->values.length);
    labels->values.push(false);
    const auto name = std::as_bytes(std::span(member.name));
    labels->values.bytes.insert(labels->values.bytes.end(), name.begin(), name.end());
    labels->values.offsets.push_back(labels->values.bytes.size());
  }
  const std::uint64_t count = labels->values.length;
  made.type = integer(count <= 0x80 ? 1 : count <= 0x8000 ? 2 : 4, true);
  made.type.labels = std::move(labels);
  return made;
}

Result<Mapping> compound_mapping(const Datatype& type, const MappingOptions& options) {
  Mapping made{.how = How::kFields, .stored = type, .type = {.kind = Kind::kStruct}};
  for (const TypeMember& member : type.members) {
    if (!member.type || !is_utf8(member.name)) return no_form(type);
    Result<Mapping> part = mapping_of(*member.type, options);
    if (!part) return part;
    made.type.children.push_back({.name = member.name, .type = part->type});
    made.offsets.push_back(member.offset);
    made.parts.push_back(std::move(*part));
  }
  return made;
}

// The outermost dimension first.
Result<Mapping> array_mapping(const Datatype& type, const MappingOptions& options) {
  if (!type.base || type.dims.empty() || type.dims[0] == 0 || type.dims[0] > 0x7FFFFFFF)
    return no_form(type);
  Datatype inner = *type.base;
  if (type.dims.size() > 1) {
    inner = type;
    inner.dims.erase(inner.dims.begin());
    inner.size = type.size / type.dims[0];
  }
  Result<Mapping> part = mapping_of(inner, options);
  if (!part) return part;
  Mapping made{.how = How::kArray, .stored = type};
  made.type = {.kind = Kind::kFixedList, .width = type.dims[0]};
  made.type.children.push_back({.name = "item", .type = part->type});
  made.parts.push_back(std::move(*part));
  return made;
}

Result<Mapping> sequence_mapping(const Datatype& type, const MappingOptions& options) {
  if (!type.base) return no_form(type);
  Result<Mapping> part = mapping_of(*type.base, options);
  if (!part) return part;
  Mapping made{.how = How::kSequence, .stored = type, .type = {.kind = Kind::kList}};
  made.type.children.push_back({.name = "item", .type = part->type});
  made.parts.push_back(std::move(*part));
  return made;
}

// Reserves memory for more elements of `width` bytes.
std::byte* room(Array& into, std::uint64_t count, std::uint64_t width) {
  const std::size_t before = into.bytes.size();
  into.bytes.resize(before + count * width);
  return into.bytes.data() + before;
}

void lengthen(Array& into, std::uint64_t count) {
  into.length += count;
  if (!into.valid.empty()) into.valid.resize((into.length + 7) / 8, 0xFF);
}

void copy(const std::byte* first, std::size_t stride, std::uint64_t count, std::size_t width,
          Array& into) {
  std::byte* to = room(into, count, width);
  if (stride == width) {
    std::memcpy(to, first, count * width);
    return;
  }
  for (std::uint64_t i = 0; i < count; ++i) std::memcpy(to + i * width, first + i * stride, width);
}

void swap(const std::byte* first, std::size_t stride, std::uint64_t count, std::size_t width,
          Array& into) {
  std::byte* to = room(into, count, width);
  const auto each = [&]<class T>(T) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const T value = load<T>(first + i * stride, true);
      std::memcpy(to + i * width, &value, width);
    }
  };
  if (width == 2)
    each(std::uint16_t());
  else if (width == 4)
    each(std::uint32_t());
  else
    each(std::uint64_t());
}

std::int64_t code_at(const Datatype& code, const std::byte* at) {
  const std::uint64_t bits = load_unsigned(at, code.size, code.order)
                             << (64 - code.precision - code.bit_offset);
  return code.is_signed ? static_cast<std::int64_t>(bits) >> (64 - code.precision)
                        : static_cast<std::int64_t>(bits >> (64 - code.precision));
}

void bits(const Mapping& mapping, const std::byte* first, std::size_t stride, std::uint64_t count,
          Array& into) {
  std::byte* to = room(into, count, mapping.type.width);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::int64_t value = code_at(mapping.stored, first + i * stride);
    std::memcpy(to + i * mapping.type.width, &value, mapping.type.width);
  }
}

void truths(const Mapping& mapping, const std::byte* first, std::size_t stride, std::uint64_t count,
            const HiddenRows& hidden, Array& into) {
  std::byte* to = room(into, count, 1);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::int64_t value = code_at(code_type(mapping.stored), first + i * stride);
    if (value != 0 && value != 1 && !hidden[i])
      throw Unconvertible{i, std::format("the value {} is neither FALSE nor TRUE", value)};
    to[i] = static_cast<std::byte>(value == 1);
  }
}

void members(const Mapping& mapping, const std::byte* first, std::size_t stride,
             std::uint64_t count, const HiddenRows& hidden, Array& into) {
  std::byte* to = room(into, count, mapping.type.width);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::int64_t code = code_at(*mapping.stored.base, first + i * stride);
    const auto at = mapping.positions.find(code);
    if (at == mapping.positions.end() && !hidden[i])
      throw Unconvertible{i, std::format("the code {} is not a member of the enumeration", code)};
    const std::uint64_t position = at == mapping.positions.end() ? 0 : at->second;
    std::memcpy(to + i * mapping.type.width, &position, mapping.type.width);
  }
}

}  // namespace

bool is_truth(const Datatype& type) {
  if (!type.is(TypeClass::kEnum) || !is_integral(type) || type.size > 8) return false;
  const TypeMember *no = find_member(type, "FALSE"), *yes = find_member(type, "TRUE");
  const std::size_t known = 2 + (find_member(type, "MISSING") != nullptr);
  return no && yes && type.members.size() == known &&
         integer_value(*type.base, no->value) == Integer{0, false} &&
         integer_value(*type.base, yes->value) == Integer{1, false};
}

Mapping truth_mapping(const Datatype& type) {
  return {.how = How::kBoolean, .stored = type, .type = {.kind = Kind::kBoolean}};
}

Result<Mapping> mapping_of(const Datatype& type, const MappingOptions& options) {
  const auto simple = [&](How how, exchange::Type to) {
    return Mapping{.how = how, .stored = type, .type = std::move(to)};
  };
  switch (type.cls) {
    case TypeClass::kInteger:
    case TypeClass::kBitfield: return integer_mapping(type);
    case TypeClass::kFloat:
      if (!is_ieee_float(type)) return no_form(type);
      return simple(is_foreign(type.order) ? How::kSwap : How::kCopy,
                    {.kind = Kind::kFloat, .width = type.size});
    case TypeClass::kString:
      return simple(type.variable_length ? How::kPointer : How::kText,
                    {.kind = options.binary ? Kind::kBytes : Kind::kText});
    case TypeClass::kOpaque:
      if (type.size > 0x7FFFFFFF) return no_form(type);
      return simple(How::kCopy, {.kind = Kind::kFixedBytes, .width = type.size});
    case TypeClass::kEnum: return enum_mapping(type, options);
    case TypeClass::kCompound: return compound_mapping(type, options);
    case TypeClass::kArray: return array_mapping(type, options);
    case TypeClass::kVlen: return sequence_mapping(type, options);
    case TypeClass::kTime:
    case TypeClass::kReference:
    case TypeClass::kUnknown: break;
  }
  return no_form(type);
}

void convert_text(const Mapping& mapping, std::string_view text, std::uint64_t element, bool hidden,
                  Array& into) {
  if (mapping.type.kind == Kind::kText && !is_utf8(text)) {
    if (!hidden) throw Unconvertible{element, "a string that is not UTF-8"};
    text = {};
  }
  const auto bytes = std::as_bytes(std::span(text));
  lengthen(into, 1);
  into.bytes.insert(into.bytes.end(), bytes.begin(), bytes.end());
  into.offsets.push_back(into.bytes.size());
}

namespace {

// The length of a string of up to 8 bytes, the first one least significant, without padding.
std::uint64_t short_length(std::uint64_t word, bool ends_at_nul) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  if (!ends_at_nul) return 8 - static_cast<std::uint64_t>(std::countl_zero(word)) / 8;
  const std::uint64_t nuls = (word - kOnes) & ~word & (kOnes << 7);
  return nuls == 0 ? 8 : static_cast<std::uint64_t>(std::countr_zero(nuls)) / 8;
}

// The same as below for short strings, which cannot be invalid.
void short_texts(const Datatype& stored, const std::byte* first, std::size_t stride,
                 std::uint64_t count, Array& into) {
  const std::size_t before = into.bytes.size(), offsets = into.offsets.size();
  into.bytes.resize(before + count * stored.size + sizeof(std::uint64_t));
  into.offsets.resize(offsets + count);
  const bool ends_at_nul = stored.padding == StringPadding::kNullTerm;
  const auto put = [&](auto load_word) {
    std::byte* const begin = into.bytes.data();
    std::uint64_t* const ends = into.offsets.data() + offsets;
    std::uint64_t at = before;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t word = load_word(first + i * stride);
      std::memcpy(begin + at, &word, sizeof word);
      at += short_length(word, ends_at_nul);
      ends[i] = at;
    }
    return at;
  };
  const std::uint64_t at =
      stored.size == sizeof(std::uint64_t)
          ? put([](const std::byte* from) {  // a constant size is loaded without a call
              std::uint64_t word = 0;
              std::memcpy(&word, from, sizeof word);
              return word;
            })
          : put([size = stored.size](const std::byte* from) {
              std::uint64_t word = 0;
              std::memcpy(&word, from, size);
              return word;
            });
  into.bytes.resize(at);
  lengthen(into, count);
}

void texts(const Mapping& mapping, const std::byte* first, std::size_t stride, std::uint64_t count,
           const HiddenRows& hidden, Array& into) {
  const Datatype& stored = mapping.stored;
  const std::span<const std::byte> all{first, count == 0 ? 0 : (count - 1) * stride + stored.size};
  const bool plain = mapping.type.kind != Kind::kText || is_ascii(all);
  const bool by_nul =
      stored.padding == StringPadding::kNullTerm || stored.padding == StringPadding::kNullPad;
  if (plain && stored.size <= 8 && by_nul && std::endian::native == std::endian::little)
    return short_texts(stored, first, stride, count, into);
  const std::size_t before = into.bytes.size();
  std::byte* to = room(into, count, stored.size);
  const std::byte* const begin = into.bytes.data();
  for (std::uint64_t i = 0; i < count; ++i) {
    std::string_view text = strip_padding(
        {reinterpret_cast<const char*>(first + i * stride), stored.size}, stored.padding);
    if (!plain && !is_utf8(text)) {
      if (!hidden[i]) {
        into.bytes.resize(before);
        throw Unconvertible{i, "a string that is not UTF-8"};
      }
      text.remove_suffix(text.size());  // memcpy does not permit a null pointer
    }
    std::memcpy(to, text.data(), text.size());
    to += text.size();
    into.offsets.push_back(static_cast<std::uint64_t>(to - begin));
  }
  into.bytes.resize(static_cast<std::size_t>(to - begin));
  lengthen(into, count);
}

void sequences(const Mapping& mapping, const std::byte* first, std::size_t stride,
               std::uint64_t count, const HiddenRows& hidden, Array& into) {
  const Mapping& part = mapping.parts[0];
  for (std::uint64_t i = 0; i < count; ++i) {
    struct {
      std::size_t length;
      const std::byte* at;
    } each;  // as hvl_t
    std::memcpy(&each, first + i * stride, sizeof each);
    if (each.length > 0 && !hidden[i]) {
      try {
        convert(part, each.at, part.stored.size, each.length, {}, into.children[0]);
      } catch (const Unconvertible& wrong) {
        throw Unconvertible{i, wrong.why};
      }
    }
    into.offsets.push_back(into.children[0].length);
  }
  lengthen(into, count);
}

}  // namespace

void convert(const Mapping& mapping, const std::byte* first, std::size_t stride,
             std::uint64_t count, const HiddenRows& hidden, Array& into) {
  const std::size_t width = mapping.type.width;
  switch (mapping.how) {
    case How::kText: return texts(mapping, first, stride, count, hidden, into);
    case How::kSequence: return sequences(mapping, first, stride, count, hidden, into);
    case How::kPointer:
      for (std::uint64_t i = 0; i < count; ++i)
        convert_text(mapping, VariableStringCodec().key(first + i * stride), i, hidden[i], into);
      return;
    case How::kCopy: copy(first, stride, count, width, into); break;
    case How::kSwap: swap(first, stride, count, width, into); break;
    case How::kBits: bits(mapping, first, stride, count, into); break;
    case How::kBoolean: truths(mapping, first, stride, count, hidden, into); break;
    case How::kMember: members(mapping, first, stride, count, hidden, into); break;
    case How::kArray: {
      const Mapping& part = mapping.parts[0];
      const std::size_t size = part.stored.size;
      if (stride == width * size) {
        const HiddenRows elements{hidden.rows, hidden.per * width};
        try {
          convert(part, first, size, count * width, elements, into.children[0]);
        } catch (const Unconvertible& wrong) {
          throw Unconvertible{wrong.element / width, wrong.why};
        }
      } else {
        for (std::uint64_t i = 0; i < count; ++i) {
          const std::uint8_t one = hidden[i];
          try {
            convert(part, first + i * stride, size, width, {&one, width}, into.children[0]);
          } catch (const Unconvertible& wrong) {
            throw Unconvertible{i, wrong.why};
          }
        }
      }
      break;
    }
    case How::kFields:
      for (std::size_t k = 0; k < mapping.parts.size(); ++k)
        convert(mapping.parts[k], first + mapping.offsets[k], stride, count, hidden,
                into.children[k]);
      break;
  }
  lengthen(into, count);
}

}  // namespace hepcheck::hep001
