#include "validator/formats/arrow/exchange/read_array.h"

#include <algorithm>
#include <cstring>
#include <format>

#include "validator/formats/arrow/array.h"
#include "validator/formats/arrow/exchange/types.h"

namespace hepcheck::arrow {

namespace {

using exchange::Kind;

[[noreturn]] void refuse(const Field& field, std::string why) {
  throw Unreadable{std::format("field \"{}\"", field.name.value_or("")), std::move(why)};
}

exchange::Type integer(std::int32_t bits, bool is_signed) {
  return {.kind = Kind::kInteger,
          .width = static_cast<std::uint64_t>(bits) / 8,
          .is_signed = is_signed};
}

exchange::Type interval(const Type& type) {
  if (type.unit == 0) return integer(32, true);
  exchange::Type made{.kind = Kind::kStruct};
  const auto part = [&](const char* name, std::int32_t bits) {
    made.children.push_back({.name = name, .type = integer(bits, true)});
  };
  if (type.unit == 2) part("months", 32);
  part("days", 32);
  if (type.unit == 2)
    part("nanoseconds", 64);
  else
    part("milliseconds", 32);
  return made;
}

exchange::Type list_type(const Field& field, Kind kind, std::uint64_t width = 0) {
  exchange::Type made{.kind = kind, .width = width};
  for (const Field& child : field.children) made.children.push_back(neutral_field(child));
  return made;
}

exchange::Type values_type(const Field& field) {
  const Type& type = field.type;
  const auto size = static_cast<std::uint64_t>(std::max(0, type.size));
  switch (type.tag) {
    case TypeTag::kNull: return {.kind = Kind::kNull};
    case TypeTag::kInt: return integer(type.bit_width, type.is_signed);
    case TypeTag::kFloatingPoint:
      return {.kind = Kind::kFloat, .width = std::uint64_t{2} << type.unit};
    case TypeTag::kBinary:
    case TypeTag::kLargeBinary:
    case TypeTag::kBinaryView: return {.kind = Kind::kBytes};
    case TypeTag::kUtf8:
    case TypeTag::kLargeUtf8:
    case TypeTag::kUtf8View: return {.kind = Kind::kText};
    case TypeTag::kBool: return {.kind = Kind::kBoolean};
    case TypeTag::kDecimal:
    case TypeTag::kDuration:
    case TypeTag::kTimestamp: return integer(64, true);
    case TypeTag::kDate: return integer(type.unit == 0 ? 32 : 64, true);
    case TypeTag::kTime: return integer(type.bit_width, true);
    case TypeTag::kInterval: return interval(type);
    case TypeTag::kList:
    case TypeTag::kLargeList:
    case TypeTag::kListView:
    case TypeTag::kLargeListView: return list_type(field, Kind::kList);
    case TypeTag::kStruct: return list_type(field, Kind::kStruct);
    case TypeTag::kFixedSizeBinary:
      if (size == 0) refuse(field, "FixedSizeBinary of 0 bytes has no equivalent");
      return {.kind = Kind::kFixedBytes, .width = size};
    case TypeTag::kFixedSizeList:
      if (size == 0) refuse(field, "FixedSizeList of 0 elements has no equivalent");
      return list_type(field, Kind::kFixedList, size);
    case TypeTag::kRunEndEncoded: return neutral_field(field.children.at(1)).type;
    default: break;
  }
  refuse(field, type_name(static_cast<unsigned>(type.tag)) + " cannot be stored in HEP001");
}

}  // namespace

exchange::Type neutral_type(const Field& field) {
  exchange::Type made = values_type(field);
  if (const auto meaning = meaning_of(field.type)) made.meaning = *meaning;
  return made;
}

exchange::Field neutral_field(const Field& field) {
  exchange::Field made{.name = std::string(field.name.value_or("")),
                       .type = neutral_type(field),
                       .nullable = field.nullable};
  for (const KeyValue& pair : field.metadata)
    made.metadata.emplace_back(pair.key.value_or(""), pair.value.value_or(""));
  return made;
}

std::int64_t ArrayReader::number(ByteSpan bytes, std::uint64_t i, std::uint64_t width) const {
  const std::byte* at = bytes.data() + i * width;
  switch (width) {
    case 1: return load<std::int8_t>(at);
    case 2: return load<std::int16_t>(at, order_);
    case 4: return load<std::int32_t>(at, order_);
    default: return load<std::int64_t>(at, order_);
  }
}

// The next buffer; the examination guarantees that it is complete.
ByteSpan ArrayReader::buffer(std::uint64_t least) {
  const Path path{.kind = "buffer"};
  const Loaded loaded = body_.load(buffer_++, path, 0, silent_, Want::kAll);
  if (!loaded.usable() || loaded.bytes.size() < least)
    throw Unreadable{"a buffer", "it is too small, or needs too much memory"};
  return loaded.bytes;
}

void ArrayReader::copy_validity(const Field& field, bool present, exchange::Array& into) {
  const Node node = batch_.node(node_++);
  if (node.length < 0 || node.null_count < 0 || node.null_count > node.length)
    refuse(field, "its length is invalid");
  into.length = static_cast<std::uint64_t>(node.length);
  if (!present) return;
  const std::uint64_t size = divided_up(into.length, 8);
  const ByteSpan bitmap = buffer(node.null_count > 0 ? size : 0);
  if (node.null_count == 0) return;
  memory_.take(size, 1);
  into.valid.resize(size);
  std::memcpy(into.valid.data(), bitmap.data(), size);
  for (std::uint64_t i = 0; i < into.length; ++i)
    into.nulls += (into.valid[i / 8] >> i % 8 & 1) == 0;
}

void ArrayReader::fixed(const Field& field, std::uint64_t width, exchange::Array& into) {
  const ByteSpan values = buffer(product(into.length, width));
  memory_.take(into.length, width);
  into.bytes.assign(values.begin(),
                    values.begin() + static_cast<std::ptrdiff_t>(into.length * width));
  if (order_ == std::endian::little || field.type.tag == TypeTag::kFixedSizeBinary) return;
  for (std::uint64_t i = 0; i < into.length; ++i)
    std::reverse(into.bytes.begin() + static_cast<std::ptrdiff_t>(i * width),
                 into.bytes.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
}

// Those that fit into 64 bits.
void ArrayReader::decimals(const Field& field, std::uint64_t width, exchange::Array& into) {
  exchange::Array whole{.length = into.length};
  fixed(field, width, whole);
  memory_.take(into.length, 8);
  into.bytes.resize(8 * into.length);
  for (std::uint64_t i = 0; i < into.length; ++i) {
    const std::string_view value = whole.fixed(i, width);
    const std::uint64_t kept = std::min<std::uint64_t>(8, width);
    const char sign = value[kept - 1] < 0 ? '\xFF' : '\0';
    if (value.find_first_not_of(sign, kept) != std::string_view::npos && !into.null(i))
      refuse(field, std::format("the decimal in slot {} of a batch has more than 64 bits", i));
    std::memset(into.bytes.data() + 8 * i, sign, 8);
    std::memcpy(into.bytes.data() + 8 * i, value.data(), kept);
  }
}

// Intervals of several parts, each in the byte order of the schema.
void ArrayReader::parts(const Field& field, exchange::Array& into) {
  const exchange::Type type = neutral_type(field);
  std::uint64_t width = 0;
  for (const exchange::Field& part : type.children) width += part.type.width;
  const ByteSpan values = buffer(product(into.length, width));
  memory_.take(into.length, width);
  std::uint64_t within = 0;
  for (const exchange::Field& part : type.children) {
    exchange::Array& made = into.children.emplace_back();
    made.length = into.length;
    for (std::uint64_t i = 0; i < into.length; ++i) {
      const std::int64_t each =
          number(values.subspan(i * width + within, part.type.width), 0, part.type.width);
      const auto bytes = std::as_bytes(std::span(&each, 1)).first(part.type.width);
      made.bytes.insert(made.bytes.end(), bytes.begin(), bytes.end());
    }
    within += part.type.width;
  }
}

void ArrayReader::booleans(exchange::Array& into) {
  const ByteSpan bits = buffer(divided_up(into.length, 8));
  memory_.take(into.length, 1);
  into.bytes.resize(into.length);
  for (std::uint64_t i = 0; i < into.length; ++i)
    into.bytes[i] = bits[i / 8] >> static_cast<int>(i % 8) & std::byte{1};
}

void ArrayReader::texts(const Field& field, std::uint64_t width, exchange::Array& into) {
  into.offsets.push_back(0);
  const bool empty = into.length == 0;
  const ByteSpan offsets = buffer(empty ? 0 : product(into.length + 1, width));
  const ByteSpan bytes = buffer(0);
  memory_.take(into.length, 8);
  for (std::uint64_t i = 0; i < into.length; ++i) {
    const auto begin = static_cast<std::uint64_t>(number(offsets, i, width));
    const auto end = static_cast<std::uint64_t>(number(offsets, i + 1, width));
    if (begin > end || end > bytes.size()) refuse(field, "its offsets are invalid");
    if (!into.null(i)) {
      memory_.take(end - begin, 1);
      into.bytes.insert(into.bytes.end(), bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                        bytes.begin() + static_cast<std::ptrdiff_t>(end));
    }
    into.offsets.push_back(into.bytes.size());
  }
}

// 16 bytes per slot: a length, then the bytes themselves or their position.
void ArrayReader::views(const Field& field, exchange::Array& into) {
  const ByteSpan views = buffer(product(into.length, 16));
  const std::int64_t more =
      view_ < batch_.variadic.size() ? batch_.variadic.get<std::int64_t>(view_) : 0;
  ++view_;
  if (more < 0 || static_cast<std::uint64_t>(more) > batch_.buffers.size())
    refuse(field, "its buffers cannot be delimited");
  std::vector<ByteSpan> data;
  for (std::int64_t i = 0; i < more; ++i) data.push_back(buffer(0));
  into.offsets.push_back(0);
  memory_.take(into.length, 8);
  for (std::uint64_t i = 0; i < into.length; ++i) {
    const ByteSpan view = views.subspan(16 * i, 16);
    const std::int64_t length = number(view, 0, 4);
    if (!into.null(i) && length != 0) {
      if (length < 0) refuse(field, "a view has a negative length");
      const auto size = static_cast<std::uint64_t>(length);
      ByteSpan text;
      if (size <= 12) {
        text = view.subspan(4, size);
      } else {
        const auto buffer = static_cast<std::uint64_t>(number(view, 2, 4));
        const auto offset = static_cast<std::uint64_t>(number(view, 3, 4));
        if (buffer >= data.size() || sum(offset, size) > data[buffer].size())
          refuse(field, "a view refers outside its buffer");
        text = data[buffer].subspan(offset, size);
      }
      memory_.take(size, 1);
      into.bytes.insert(into.bytes.end(), text.begin(), text.end());
    }
    into.offsets.push_back(into.bytes.size());
  }
}

// Bytes between entries, shared bytes, and bytes under a null are omitted or copied, so entries are
// adjacent.
void ArrayReader::gather(const Field& child, const exchange::Array& from,
                         const std::vector<Span>& spans, exchange::Array& into) {
  const exchange::Type type = neutral_type(child);
  const bool all = spans.size() == 1 && spans[0].begin == 0 && spans[0].end == from.length;
  if (all) {
    into = from;
    return;
  }
  into = exchange::empty_array(type);
  for (const Span& each : spans) {
    memory_.take(each.end - each.begin, 8);
    exchange::append(type, into, exchange::slice(type, from, each.begin, each.end - each.begin));
  }
}

void ArrayReader::list(const Field& field, const ArrayLayout& layout, exchange::Array& into) {
  using enum TypeTag;
  const bool view = layout.kind == ArrayLayout::Kind::kListView;
  const TypeTag tag = field.type.tag;
  const std::uint64_t width = tag == kLargeList || tag == kLargeListView ? 8 : 4;
  const std::uint64_t slots = into.length + (view || into.length == 0 ? 0 : 1);
  const ByteSpan offsets = buffer(product(slots, width));
  const ByteSpan sizes = view ? buffer(product(into.length, width)) : ByteSpan();
  std::vector<Span> spans;
  std::uint64_t at = 0;
  into.offsets.push_back(0);
  memory_.take(into.length, 8);
  // The offsets are copied before the child reuses the memory of their buffer.
  for (std::uint64_t i = 0; i < into.length; ++i) {
    const auto begin = static_cast<std::uint64_t>(number(offsets, i, width));
    const std::uint64_t end = view ? begin + static_cast<std::uint64_t>(number(sizes, i, width))
                                   : static_cast<std::uint64_t>(number(offsets, i + 1, width));
    if (begin > end) refuse(field, "its offsets are invalid");
    if (!into.null(i) && end > begin) {
      if (!spans.empty() && spans.back().end == begin)
        spans.back().end = end;
      else
        spans.push_back({begin, end});
      at += end - begin;
    }
    into.offsets.push_back(at);
  }
  const exchange::Array inside = child(field.children[0]);
  for (const Span& each : spans)
    if (each.end > inside.length) refuse(field, "its offsets refer outside its values");
  // Lists may share elements any number of times.
  if (view && at > inside.length && !memory_.takes(at, 8))
    refuse(field,
           std::format("its lists have {} elements, which take more memory than the limit", at));
  gather(field.children[0], inside, spans, into.children.emplace_back());
}

namespace {

// The bytes of an array and of what is below it.
std::uint64_t size_of(const exchange::Array& array) {
  std::uint64_t size = array.bytes.size() + 8 * array.offsets.size();
  for (const exchange::Array& child : array.children) size += size_of(child);
  return size;
}

}  // namespace

void ArrayReader::run_ends(const Field& field, exchange::Array& into) {
  const std::uint64_t length = into.length;
  const exchange::Array ends = child(field.children[0]), values = child(field.children[1]);
  const exchange::Type end_type = neutral_type(field.children[0]);
  const exchange::Type type = neutral_type(field.children[1]);
  into = exchange::empty_array(type);
  // A few bytes may state any length, so the memory is taken before anything is repeated.
  const auto take = [&](std::uint64_t count, std::uint64_t width) {
    if (!memory_.takes(count, width))
      refuse(field,
             std::format("{} slots, with runs repeated, take more memory than the limit", length));
  };
  take(length, 8 + type.width);
  std::uint64_t at = 0;
  for (std::uint64_t i = 0; i < ends.length && at < length; ++i) {
    const std::int64_t end = exchange::integer_at(end_type, ends, i);
    if (end < 0 || i >= values.length) refuse(field, "its run ends are invalid");
    const exchange::Array one = exchange::slice(type, values, i, 1);
    const std::uint64_t stop = std::min(length, static_cast<std::uint64_t>(end));
    if (stop > at) take(stop - at, size_of(one));
    for (; at < stop; ++at) exchange::append(type, into, one);
  }
  if (at < length) refuse(field, "its run ends do not reach its length");
}

void ArrayReader::keys(std::uint64_t width, bool is_signed, exchange::Array& into) {
  const ByteSpan values = buffer(product(into.length, width));
  memory_.take(into.length, 8);
  into.bytes.resize(8 * into.length);
  const std::uint64_t mask = width == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * width) - 1;
  for (std::uint64_t i = 0; i < into.length; ++i) {
    std::int64_t key = number(values, i, width);
    if (!is_signed) key = static_cast<std::int64_t>(static_cast<std::uint64_t>(key) & mask);
    std::memcpy(into.bytes.data() + 8 * i, &key, 8);
  }
}

exchange::Array ArrayReader::array(const Field& field, const ArrayLayout& layout, bool below) {
  exchange::Array into;
  const std::size_t mark = body_.mark();
  const auto type_width = static_cast<std::uint64_t>(field.type.bit_width) / 8;
  copy_validity(field, layout.has_validity(batch_.message.version == kV4), into);
  switch (layout.kind) {
    case ArrayLayout::Kind::kNull: memory_.take(into.length, 1); break;
    case ArrayLayout::Kind::kDictionary:
      keys(layout.width, field.encoding->is_signed, into);
      body_.release(mark);
      return decode_(field, std::move(into), below);
    case ArrayLayout::Kind::kFixedWidth:
      if (field.type.tag == TypeTag::kDecimal)
        decimals(field, type_width, into);
      else if (field.type.tag == TypeTag::kInterval && field.type.unit > 0)
        parts(field, into);
      else
        fixed(field, layout.width, into);
      break;
    case ArrayLayout::Kind::kBool: booleans(into); break;
    case ArrayLayout::Kind::kBinary: texts(field, layout.width, into); break;
    case ArrayLayout::Kind::kView: views(field, into); break;
    case ArrayLayout::Kind::kList:
    case ArrayLayout::Kind::kListView: list(field, layout, into); break;
    case ArrayLayout::Kind::kRunEndEncoded: run_ends(field, into); break;
    case ArrayLayout::Kind::kFixedSizeList:
    case ArrayLayout::Kind::kStruct: {
      memory_.take(into.length, 1);
      const std::uint64_t slots =
          product(into.length, layout.kind == ArrayLayout::Kind::kStruct ? 1 : layout.width);
      for (const Field& each : field.children) {
        exchange::Array made = child(each);
        if (made.length < slots) refuse(field, "it has fewer values than slots");
        into.children.push_back(made.length == slots
                                    ? std::move(made)
                                    : exchange::slice(neutral_type(each), made, 0, slots));
      }
      break;
    }
    default: refuse(field, "HEP001 cannot store its values");
  }
  body_.release(mark);
  return into;
}

}  // namespace hepcheck::arrow
