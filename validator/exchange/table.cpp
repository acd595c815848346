#include "validator/exchange/table.h"

#include <algorithm>
#include <cstring>
#include <format>

template class std::vector<std::byte, hepcheck::exchange::Uninitialised<std::byte>>;

namespace hepcheck::exchange {

namespace {

const std::string* value_of(const Metadata& metadata, std::string_view key) {
  const auto it = std::ranges::find(metadata, key, &Metadata::value_type::first);
  return it == metadata.end() ? nullptr : &it->second;
}

bool has_offsets(const Type& type) {
  return type.kind == Kind::kText || type.kind == Kind::kBytes || type.kind == Kind::kList;
}

// Bytes of a value of fixed width.
std::uint64_t fixed_width(const Type& type) {
  switch (type.kind) {
    case Kind::kBoolean: return 1;
    case Kind::kInteger:
    case Kind::kFloat:
    case Kind::kFixedBytes: return type.width;
    default: return 0;
  }
}

std::uint64_t per_value(const Type& type) { return type.kind == Kind::kFixedList ? type.width : 1; }

void put(std::string& into, std::uint64_t number) {
  into.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void identify(const Type& type, const Array& array, std::uint64_t i, std::string& into) {
  if (array.null(i) || type.kind == Kind::kNull) {
    into += '\0';
    return;
  }
  into += '\1';
  if (type.labels) {
    const auto position = static_cast<std::uint64_t>(integer_at(type, array, i));
    if (position < type.labels->values.length)
      return identify(type.labels->type, type.labels->values, position, into);
    into += '\2';
  }
  const auto elements = [&](std::uint64_t begin, std::uint64_t end) {
    put(into, end - begin);
    for (std::uint64_t k = begin; k < end; ++k)
      identify(type.children[0].type, array.children[0], k, into);
  };
  switch (type.kind) {
    case Kind::kNull: break;
    case Kind::kBoolean:
    case Kind::kInteger:
    case Kind::kFloat:
    case Kind::kFixedBytes: into += array.fixed(i, fixed_width(type)); break;
    case Kind::kText:
    case Kind::kBytes:
      put(into, array.text(i).size());
      into += array.text(i);
      break;
    case Kind::kList: elements(array.offsets[i], array.offsets[i + 1]); break;
    case Kind::kFixedList: elements(i * type.width, (i + 1) * type.width); break;
    case Kind::kStruct:
      for (std::size_t k = 0; k < type.children.size(); ++k)
        identify(type.children[k].type, array.children[k], i, into);
      break;
  }
}

std::string difference(const std::vector<Field>& a, const std::vector<Field>& b) {
  if (a.size() != b.size()) return std::format("{} columns and {}", a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].name != b[i].name)
      return std::format("column {}: \"{}\" and \"{}\"", i, a[i].name, b[i].name);
    if (const auto one = describe(a[i].type), other = describe(b[i].type); one != other)
      return std::format("column \"{}\": {} and {}", a[i].name, one, other);
  }
  return {};
}

}  // namespace

const std::string* Field::find(std::string_view key) const { return value_of(metadata, key); }
const std::string* Schema::find(std::string_view key) const { return value_of(metadata, key); }

void Array::set_null(std::uint64_t i) {
  if (valid.empty()) valid.assign((length + 7) / 8, 0xFF);
  const auto bit = static_cast<std::uint8_t>(1 << i % 8);
  if ((valid[i / 8] & bit) == 0) return;
  valid[i / 8] = static_cast<std::uint8_t>(valid[i / 8] & ~bit);
  ++nulls;
}

Array empty_array(const Type& type) {
  Array made;
  if (has_offsets(type)) made.offsets.push_back(0);
  for (const Field& child : type.children) made.children.push_back(empty_array(child.type));
  return made;
}

void append(const Type& type, Array& to, const Array& from) {
  const std::uint64_t before = to.length;
  to.length += from.length;
  if (!to.valid.empty()) to.valid.resize((to.length + 7) / 8, 0xFF);
  if (from.nulls > 0)
    for (std::uint64_t at = 0; at < from.length; at += 8)
      if (from.valid[at / 8] != 0xFF)
        for (std::uint64_t i = at; i < std::min(at + 8, from.length); ++i)
          if (from.null(i)) to.set_null(before + i);
  if (!from.offsets.empty()) {
    const std::uint64_t end = to.offsets.back();
    for (std::uint64_t i = 1; i <= from.length; ++i) to.offsets.push_back(end + from.offsets[i]);
  }
  to.bytes.insert(to.bytes.end(), from.bytes.begin(), from.bytes.end());
  for (std::size_t k = 0; k < type.children.size(); ++k)
    append(type.children[k].type, to.children[k], from.children[k]);
}

Array slice(const Type& type, const Array& array, std::uint64_t first, std::uint64_t count) {
  Array made;
  made.length = count;
  for (std::uint64_t i = 0; array.nulls > 0 && i < count; ++i)
    if (array.null(first + i)) made.set_null(i);
  std::uint64_t begin = first * per_value(type), end = (first + count) * per_value(type);
  if (has_offsets(type)) {
    begin = array.offsets[first];
    end = array.offsets[first + count];
    for (std::uint64_t i = 0; i <= count; ++i)
      made.offsets.push_back(array.offsets[first + i] - begin);
  }
  const std::uint64_t width =
      type.kind == Kind::kText || type.kind == Kind::kBytes ? 1 : fixed_width(type);
  const auto at = array.bytes.begin();
  made.bytes.assign(at + static_cast<std::ptrdiff_t>(begin * width),
                    at + static_cast<std::ptrdiff_t>(end * width));
  for (std::size_t k = 0; k < type.children.size(); ++k)
    made.children.push_back(slice(type.children[k].type, array.children[k], begin, end - begin));
  return made;
}

Batch slice(const Schema& schema, const Batch& batch, std::uint64_t first, std::uint64_t count) {
  Batch made{.rows = count};
  for (std::size_t i = 0; i < batch.columns.size(); ++i)
    made.columns.push_back(slice(schema.fields[i].type, batch.columns[i], first, count));
  return made;
}

Result<Table> whole(Source& source) {
  Table table{.schema = source.schema()};
  for (const Field& field : table.schema.fields) table.columns.push_back(empty_array(field.type));
  while (true) {
    const Result<std::optional<Batch>> batch = source.next();
    if (!batch) return std::unexpected(batch.error());
    if (!*batch) return table;
    table.rows += (*batch)->rows;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      append(table.schema.fields[i].type, table.columns[i], (*batch)->columns[i]);
  }
}

std::int64_t integer_at(const Type& type, const Array& array, std::uint64_t i) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, array.bytes.data() + i * type.width, type.width);
  const auto unused = static_cast<unsigned>(64 - 8 * type.width);
  const std::uint64_t high = bits << unused;
  return type.is_signed ? static_cast<std::int64_t>(high) >> unused
                        : static_cast<std::int64_t>(high >> unused);
}

std::string describe(const Type& type) {
  const auto children = [&](std::string text) {
    text += '<';
    for (std::size_t i = 0; i < type.children.size(); ++i)
      text += std::format("{}{}: {}", i > 0 ? ", " : "", type.children[i].name,
                          describe(type.children[i].type));
    return text + '>';
  };
  std::string text;
  switch (type.kind) {
    case Kind::kNull: text = "null"; break;
    case Kind::kBoolean: text = "boolean"; break;
    case Kind::kInteger:
      text = std::format("{}int{}", type.is_signed ? "" : "u", 8 * type.width);
      break;
    case Kind::kFloat: text = std::format("float{}", 8 * type.width); break;
    case Kind::kText: text = "text"; break;
    case Kind::kBytes: text = "bytes"; break;
    case Kind::kFixedBytes: text = std::format("{} bytes", type.width); break;
    case Kind::kList: text = children("list"); break;
    case Kind::kFixedList: text = children(std::format("list of {}", type.width)); break;
    case Kind::kStruct: text = children("struct"); break;
  }
  if (!type.meaning.empty()) text = std::format("{} ({})", type.meaning, text);
  if (type.labels)
    text += std::format(" among labels of {}{}", describe(type.labels->type),
                        type.ordered ? ", ordered" : "");
  return text;
}

std::string identity(const Type& type, const Array& array, std::uint64_t i) {
  std::string made;
  identify(type, array, i, made);
  return made;
}

std::string difference(const Table& a, const Table& b) {
  if (std::string fields = difference(a.schema.fields, b.schema.fields); !fields.empty())
    return fields;
  if (a.rows != b.rows) return std::format("{} rows and {}", a.rows, b.rows);
  for (std::size_t c = 0; c < a.columns.size(); ++c)
    for (std::uint64_t i = 0; i < a.rows; ++i)
      if (identity(a.schema.fields[c].type, a.columns[c], i) !=
          identity(b.schema.fields[c].type, b.columns[c], i))
        return std::format("column \"{}\", row {}", a.schema.fields[c].name, i);
  return {};
}

}  // namespace hepcheck::exchange
