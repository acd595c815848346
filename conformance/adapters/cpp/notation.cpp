#include "notation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <format>

namespace adapter {

namespace {

std::string encode64(const unsigned char* data, std::size_t size) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < size; i += 3) {
    std::uint32_t word = 0;
    for (std::size_t j = 0; j < 3; ++j) word = word << 8 | (i + j < size ? data[i + j] : 0u);
    for (std::size_t j = 0; j < 4; ++j)
      text += i + j <= size ? digits[word >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

Bytes decode64(const std::string& text) {
  Bytes bytes;
  std::uint32_t word = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    const int digit = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                                             : 63;
    word = word << 6 | static_cast<std::uint32_t>(digit);
    if ((bits += 6) >= 8) bytes.push_back(static_cast<unsigned char>(word >> (bits -= 8)));
  }
  return bytes;
}

bool big_endian(hid_t type) { return H5Tget_order(type) == H5T_ORDER_BE; }

// The bits of an element of up to 8 bytes.
std::uint64_t load(hid_t type, const unsigned char* at) {
  const std::size_t size = H5Tget_size(type);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < size; ++i) bits = bits << 8 | at[big_endian(type) ? i : size - 1 - i];
  return bits;
}

void store(hid_t type, std::uint64_t bits, unsigned char* at) {
  const std::size_t size = H5Tget_size(type);
  for (std::size_t i = 0; i < size; ++i)
    at[big_endian(type) ? size - 1 - i : i] = static_cast<unsigned char>(bits >> 8 * i);
}

bool is_ieee(hid_t type) {
  for (const hid_t known : {H5T_IEEE_F16LE, H5T_IEEE_F16BE, H5T_IEEE_F32LE, H5T_IEEE_F32BE,
                            H5T_IEEE_F64LE, H5T_IEEE_F64BE})
    if (H5Tequal(type, known) > 0) return true;
  return false;
}

Json raw(const unsigned char* data, std::size_t size) { return {{"bytes", encode64(data, size)}}; }

std::string member_name(hid_t type, unsigned i) {
  char* name = H5Tget_member_name(type, i);
  std::string copy = name;
  H5free_memory(name);
  return copy;
}

// Converts an integer of more than 64 bits to decimal.
std::string decode_wide(hid_t type, const unsigned char* at) {
  const std::size_t size = H5Tget_size(type), precision = H5Tget_precision(type),
                    offset = static_cast<std::size_t>(H5Tget_offset(type));
  const bool big = H5Tget_order(type) == H5T_ORDER_BE;
  const auto bit = [&](std::size_t i) {
    const std::size_t byte = (offset + i) / 8;
    return (at[big ? size - 1 - byte : byte] >> (offset + i) % 8 & 1) != 0;
  };
  // A negative number is one less than its inverted bits.
  const bool negative = H5Tget_sign(type) == H5T_SGN_2 && bit(precision - 1);
  constexpr std::uint32_t kPart = 1'000'000'000;
  std::vector<std::uint32_t> parts{0};  // of nine digits, the least significant first
  const auto twice_and = [&](std::uint32_t carry, std::uint32_t factor) {
    for (std::uint32_t& part : parts) {
      const std::uint32_t n = factor * part + carry;
      part = n % kPart;
      carry = n / kPart;
    }
    if (carry > 0) parts.push_back(carry);
  };
  for (std::size_t i = precision; i-- > 0;) twice_and(bit(i) != negative, 2);
  if (negative) twice_and(1, 1);
  std::string digits = (negative ? "-" : "") + std::to_string(parts.back());
  for (std::size_t i = parts.size() - 1; i-- > 0;) digits += std::format("{:09}", parts[i]);
  return digits;
}

Json decode_integer(hid_t type, const unsigned char* at) {
  const std::size_t precision = H5Tget_precision(type);
  if (H5Tget_size(type) > 8) return decode_wide(type, at);
  std::uint64_t bits = load(type, at) >> H5Tget_offset(type);
  if (precision < 64) bits &= (std::uint64_t{1} << precision) - 1;
  if (H5Tget_sign(type) != H5T_SGN_2) return std::to_string(bits);
  if (precision < 64 && bits >> (precision - 1)) bits |= ~std::uint64_t{0} << precision;
  return std::to_string(static_cast<std::int64_t>(bits));
}

std::uint64_t integer_bits(hid_t type, const std::string& digits) {
  std::uint64_t bits = digits.starts_with('-') ? static_cast<std::uint64_t>(std::stoll(digits))
                                               : std::stoull(digits);
  if (H5Tget_precision(type) < 64) bits &= (std::uint64_t{1} << H5Tget_precision(type)) - 1;
  return bits << H5Tget_offset(type);
}

Json decode_float(hid_t type, const unsigned char* at) {
  static const char digits[] = "0123456789abcdef";
  const std::uint64_t bits = load(type, at);
  std::string hex;
  for (std::size_t i = 2 * H5Tget_size(type); i-- > 0;) hex += digits[bits >> 4 * i & 15];
  return {{"bits", hex}};
}

std::string stripped(std::string stored, H5T_str_t padding) {
  if (padding == H5T_STR_NULLTERM) return stored.substr(0, stored.find('\0'));
  const std::size_t end = stored.find_last_not_of(padding == H5T_STR_SPACEPAD ? ' ' : '\0');
  return stored.substr(0, end + 1);
}

double number(const Json& value) {
  const std::string& hex = value.at("bits").get_ref<const std::string&>();
  const std::uint64_t bits = std::stoull(hex, nullptr, 16);
  if (hex.size() == 16) return std::bit_cast<double>(bits);
  if (hex.size() == 8) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  // binary16: sign, 5 bits of exponent, 10 of mantissa.
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double mantissa = static_cast<double>(bits & 1023), sign = bits >> 15 ? -1 : 1;
  if (exponent == 31) return mantissa != 0 ? NAN : sign * INFINITY;
  return sign * (exponent ? std::ldexp(mantissa + 1024, exponent - 25) : std::ldexp(mantissa, -24));
}

bool is_float(const Json& value) { return value.is_object() && value.contains("bits"); }

}  // namespace

bool is_boolean(const Json& type) {
  if (type.at("class") != "enum" || type.at("base").at("size") != 1) return false;
  const Json &members = type.at("members"), &wanted = kBoolean.at("members");
  return std::is_permutation(members.begin(), members.end(), wanted.begin(), wanted.end());
}

Json text_notation(const std::string& bytes) {
  try {
    (void)Json(bytes).dump();
    return bytes;
  } catch (const Json::exception&) {
    return raw(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  }
}

std::string bytes_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  const Bytes bytes = decode64(value.at("bytes").get<std::string>());
  return {bytes.begin(), bytes.end()};
}

Json describe_type(hid_t type) {
  const std::size_t size = H5Tget_size(type);
  const auto sized = [&](const char* name) {
    return Json{{"class", name}, {"size", size}, {"order", big_endian(type) ? "big" : "little"}};
  };
  const auto with_precision = [&](Json made) {
    if (H5Tget_precision(type) != 8 * size) {
      made["precision"] = H5Tget_precision(type);
      if (H5Tget_offset(type)) made["offset"] = H5Tget_offset(type);
    }
    return made;
  };
  switch (H5Tget_class(type)) {
    case H5T_INTEGER: {
      Json made = sized("integer");
      made["signed"] = H5Tget_sign(type) == H5T_SGN_2;
      return with_precision(made);
    }
    case H5T_FLOAT: {
      Json made = sized("float");
      if (!is_ieee(type)) made["precision"] = H5Tget_precision(type);
      return made;
    }
    case H5T_BITFIELD: return with_precision(sized("bitfield"));
    case H5T_TIME: return sized("time");
    case H5T_STRING: {
      Json made{{"class", "string"}};
      const bool variable = H5Tis_variable_str(type) > 0;
      made["size"] = variable ? Json("variable") : Json(size);
      // The library also reads numbers that have no meaning yet.
      const H5T_cset_t charset = H5Tget_cset(type);
      if (charset == H5T_CSET_ASCII || charset == H5T_CSET_UTF8)
        made["charset"] = charset == H5T_CSET_ASCII ? "ascii" : "utf-8";
      const H5T_str_t padding = H5Tget_strpad(type);
      if (!variable && padding <= H5T_STR_SPACEPAD)
        made["padding"] = padding == H5T_STR_NULLTERM  ? "null-term"
                          : padding == H5T_STR_NULLPAD ? "null-pad"
                                                       : "space-pad";
      return made;
    }
    case H5T_OPAQUE: {
      char* tag = H5Tget_tag(type);
      Json made{{"class", "opaque"}, {"size", size}, {"tag", text_notation(tag ? tag : "")}};
      H5free_memory(tag);
      return made;
    }
    case H5T_ENUM: {
      const Id base(H5Tget_super(type));
      Json members = Json::array();
      Bytes value(size);
      for (int i = 0; i < H5Tget_nmembers(type); ++i) {
        H5_CHECK(H5Tget_member_value(type, static_cast<unsigned>(i), value.data()));
        members.push_back(Json::array(
            {member_name(type, static_cast<unsigned>(i)), decode_integer(base, value.data())}));
      }
      return {{"class", "enum"}, {"base", describe_type(base)}, {"members", members}};
    }
    case H5T_COMPOUND: {
      Json fields = Json::array();
      for (int i = 0; i < H5Tget_nmembers(type); ++i)
        fields.push_back(
            Json::array({member_name(type, static_cast<unsigned>(i)),
                         describe_type(Id(H5Tget_member_type(type, static_cast<unsigned>(i))))}));
      return {{"class", "compound"}, {"fields", fields}};
    }
    case H5T_ARRAY: {
      std::vector<hsize_t> dims(static_cast<std::size_t>(H5Tget_array_ndims(type)));
      H5Tget_array_dims2(type, dims.data());
      return {{"class", "array"}, {"dims", dims}, {"base", describe_type(Id(H5Tget_super(type)))}};
    }
    case H5T_VLEN: return {{"class", "vlen"}, {"base", describe_type(Id(H5Tget_super(type)))}};
    case H5T_REFERENCE:
      return {{"class", "reference"},
              {"form", H5Tequal(type, H5T_STD_REF_OBJ) > 0       ? "object"
                       : H5Tequal(type, H5T_STD_REF_DSETREG) > 0 ? "region"
                                                                 : "standard"}};
    default: return {{"class", "unknown"}, {"size", size}};
  }
}

Id make_type(const Json& notation) {
  const std::string cls = notation.at("class");
  const bool big = notation.value("order", "") == "big";
  if (cls == "boolean") return Id(H5Tcopy(H5T_STD_U8LE));  // wide enough for a fill value (8.5)
  if (cls == "integer" || cls == "bitfield") {
    const hid_t bases[] = {H5T_STD_U8LE, H5T_STD_I8LE, H5T_STD_B8LE};
    Id type(H5Tcopy(bases[cls == "bitfield" ? 2 : notation.at("signed").get<bool>()]));
    const std::size_t size = notation.at("size");
    H5_CHECK(H5Tset_size(type, size));
    H5_CHECK(H5Tset_order(type, big ? H5T_ORDER_BE : H5T_ORDER_LE));
    H5_CHECK(H5Tset_precision(type, notation.value("precision", 8 * size)));
    H5_CHECK(H5Tset_offset(type, notation.value("offset", std::size_t{0})));
    return type;
  }
  if (cls == "float") {
    if (notation.contains("precision"))
      throw std::domain_error("a non-standard floating-point format");
    switch (notation.at("size").get<int>()) {
      case 2: return Id(H5Tcopy(big ? H5T_IEEE_F16BE : H5T_IEEE_F16LE));
      case 4: return Id(H5Tcopy(big ? H5T_IEEE_F32BE : H5T_IEEE_F32LE));
      default: return Id(H5Tcopy(big ? H5T_IEEE_F64BE : H5T_IEEE_F64LE));
    }
  }
  if (cls == "string") {
    Id type(H5Tcopy(H5T_C_S1));
    const Json& size = notation.at("size");
    H5_CHECK(H5Tset_size(type, size.is_string() ? H5T_VARIABLE : size.get<std::size_t>()));
    H5_CHECK(H5Tset_cset(type, notation.at("charset") == "ascii" ? H5T_CSET_ASCII : H5T_CSET_UTF8));
    const std::string padding = notation.value("padding", "null-term");
    H5_CHECK(H5Tset_strpad(type, padding == "null-term"  ? H5T_STR_NULLTERM
                                 : padding == "null-pad" ? H5T_STR_NULLPAD
                                                         : H5T_STR_SPACEPAD));
    return type;
  }
  if (cls == "opaque") {
    Id type(H5Tcreate(H5T_OPAQUE, notation.at("size")));
    H5_CHECK(H5Tset_tag(type, notation.at("tag").get<std::string>().c_str()));
    return type;
  }
  if (cls == "enum") {
    const Id base = make_type(notation.at("base"));
    Id type(H5Tenum_create(base));
    Bytes value(8);
    for (const Json& member : notation.at("members")) {
      store(base, integer_bits(base, member.at(1)), value.data());
      H5_CHECK(H5Tenum_insert(type, member.at(0).get<std::string>().c_str(), value.data()));
    }
    return type;
  }
  if (cls == "compound") {
    std::vector<Id> fields;
    std::size_t size = 0;
    for (const Json& field : notation.at("fields")) {
      fields.push_back(make_type(field.at(1)));
      size += H5Tget_size(fields.back());
    }
    Id type(H5Tcreate(H5T_COMPOUND, size));
    std::size_t offset = 0;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      H5_CHECK(H5Tinsert(type, notation.at("fields")[i].at(0).get<std::string>().c_str(), offset,
                         fields[i]));
      offset += H5Tget_size(fields[i]);
    }
    return type;
  }
  const Id base = make_type(notation.at("base"));
  if (cls == "vlen") return Id(H5Tvlen_create(base));
  if (cls == "array") {
    const auto dims = notation.at("dims").get<std::vector<hsize_t>>();
    return Id(H5Tarray_create2(base, static_cast<unsigned>(dims.size()), dims.data()));
  }
  throw std::domain_error("datatype class " + cls);
}

Json decode(hid_t type, const unsigned char* at) {
  const std::size_t size = H5Tget_size(type);
  switch (H5Tget_class(type)) {
    case H5T_INTEGER: return decode_integer(type, at);
    case H5T_ENUM: return decode_integer(Id(H5Tget_super(type)), at);
    case H5T_FLOAT: return is_ieee(type) ? decode_float(type, at) : raw(at, size);
    case H5T_STRING: {
      if (H5Tis_variable_str(type) <= 0)
        return text_notation(
            stripped({reinterpret_cast<const char*>(at), size}, H5Tget_strpad(type)));
      const char* pointer;
      std::memcpy(&pointer, at, sizeof pointer);
      return text_notation(pointer ? pointer : "");
    }
    case H5T_COMPOUND: {
      Json fields = Json::array();
      for (unsigned i = 0; i < static_cast<unsigned>(H5Tget_nmembers(type)); ++i)
        fields.push_back(
            decode(Id(H5Tget_member_type(type, i)), at + H5Tget_member_offset(type, i)));
      return fields;
    }
    case H5T_ARRAY:
    case H5T_VLEN: {
      const Id base(H5Tget_super(type));
      hvl_t items{size / H5Tget_size(base), const_cast<unsigned char*>(at)};
      if (H5Tget_class(type) == H5T_VLEN) std::memcpy(&items, at, sizeof items);
      Json list = Json::array();
      for (std::size_t i = 0; i < items.len; ++i)
        list.push_back(decode(base, static_cast<unsigned char*>(items.p) + i * H5Tget_size(base)));
      return list;
    }
    default: return raw(at, size);
  }
}

void Encoder::encode(hid_t type, const Json& value, unsigned char* into) {
  const std::size_t size = H5Tget_size(type);
  switch (H5Tget_class(type)) {
    case H5T_INTEGER: return store(type, integer_bits(type, value), into);
    case H5T_ENUM: {
      const Id base(H5Tget_super(type));
      return store(base, integer_bits(base, value), into);
    }
    case H5T_FLOAT:
      return store(type, std::stoull(value.at("bits").get<std::string>(), nullptr, 16), into);
    case H5T_STRING: {
      const std::string bytes = bytes_of(value);
      if (H5Tis_variable_str(type) > 0) {
        Bytes& copy = alive_.emplace_back(bytes.begin(), bytes.end());
        copy.push_back(0);
        const unsigned char* pointer = copy.data();
        std::memcpy(into, &pointer, sizeof pointer);
        return;
      }
      if (bytes.size() > size) throw std::domain_error("a string is too long for its datatype");
      std::memset(into, H5Tget_strpad(type) == H5T_STR_SPACEPAD ? ' ' : 0, size);
      std::memcpy(into, bytes.data(), bytes.size());
      return;
    }
    case H5T_COMPOUND:
      for (unsigned i = 0; i < value.size(); ++i)
        encode(Id(H5Tget_member_type(type, i)), value[i], into + H5Tget_member_offset(type, i));
      return;
    case H5T_ARRAY:
    case H5T_VLEN: {
      const Id base(H5Tget_super(type));
      const std::size_t step = H5Tget_size(base);
      unsigned char* items = into;
      if (H5Tget_class(type) == H5T_VLEN) {
        items = alive_.emplace_back(step * value.size() + 1).data();
        const hvl_t list{value.size(), items};
        std::memcpy(into, &list, sizeof list);
      }
      for (std::size_t i = 0; i < value.size(); ++i) encode(base, value[i], items + i * step);
      return;
    }
    default: {
      const Bytes bytes = decode64(value.at("bytes"));
      if (bytes.size() != size) throw std::domain_error("bytes do not fit the datatype");
      std::memcpy(into, bytes.data(), size);
    }
  }
}

Bytes Encoder::all(hid_t type, const std::vector<Json>& values) {
  const std::size_t size = H5Tget_size(type);
  Bytes elements(size * values.size() + 1);
  for (std::size_t i = 0; i < values.size(); ++i)
    encode(type, values[i], elements.data() + i * size);
  return elements;
}

std::vector<Json> read_rows(hid_t dataset, hsize_t first, hsize_t count) {
  std::vector<Json> rows;
  if (count == 0) return rows;
  const Id type(H5Dget_type(dataset)), space(H5Dget_space(dataset));
  const Id memory(H5Screate_simple(1, &count, nullptr));
  H5_CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, nullptr, &count, nullptr));
  const std::size_t size = H5Tget_size(type);
  Bytes elements(size * count);
  H5_CHECK(H5Dread(dataset, type, memory, space, H5P_DEFAULT, elements.data()));
  for (hsize_t i = 0; i < count; ++i) rows.push_back(decode(type, elements.data() + i * size));
  H5Treclaim(type, memory, H5P_DEFAULT, elements.data());
  return rows;
}

std::vector<Json> read_attribute(hid_t owner, const std::string& name) {
  std::vector<Json> values;
  if (H5Aexists(owner, name.c_str()) <= 0) return values;
  const Id attribute(H5Aopen(owner, name.c_str(), H5P_DEFAULT));
  const Id type(H5Aget_type(attribute)), space(H5Aget_space(attribute));
  const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
  const std::size_t size = H5Tget_size(type);
  Bytes elements(size * count + 1);
  if (count) H5_CHECK(H5Aread(attribute, type, elements.data()));
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(decode(type, elements.data() + i * size));
  H5Treclaim(type, space, H5P_DEFAULT, elements.data());
  return values;
}

std::optional<std::string> text_attribute(hid_t owner, const std::string& name) {
  const std::vector<Json> values = read_attribute(owner, name);
  if (values.size() != 1 || !values[0].is_string()) return std::nullopt;
  return values[0].get<std::string>();
}

std::optional<Json> fill_value(hid_t dataset) {
  const Id type(H5Dget_type(dataset)), plist(H5Dget_create_plist(dataset));
  H5D_fill_value_t state;
  H5_CHECK(H5Pfill_value_defined(plist, &state));
  if (state != H5D_FILL_VALUE_USER_DEFINED) return std::nullopt;
  Bytes element(H5Tget_size(type));
  H5_CHECK(H5Pget_fill_value(plist, type, element.data()));
  Json fill = decode(type, element.data());
  H5Treclaim(type, Id(H5Screate(H5S_SCALAR)), H5P_DEFAULT, element.data());
  return fill;
}

void write_rows(hid_t dataset, hsize_t first, const std::vector<Json>& values) {
  if (values.empty()) return;
  const hsize_t count = values.size();
  const Id type(H5Dget_type(dataset)), space(H5Dget_space(dataset));
  const Id memory(H5Screate_simple(1, &count, nullptr));
  H5_CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, nullptr, &count, nullptr));
  Encoder encoder;
  H5_CHECK(H5Dwrite(dataset, type, memory, space, H5P_DEFAULT, encoder.all(type, values).data()));
}

bool is_nan(const Json& value) { return is_float(value) && std::isnan(number(value)); }

namespace {

// Parts of an element, by their bits: other members are for display.
bool same(const Json& a, const Json& b) {
  if (a.is_array() && b.is_array()) return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
  return is_float(a) && is_float(b) ? a.at("bits") == b.at("bits") : a == b;
}

}  // namespace

bool equal(const Json& type, const Json& a, const Json& b) {
  if (type.at("class") == "float" && is_float(a) && is_float(b)) return number(a) == number(b);
  return same(a, b);
}

bool is_missing(const Json& type, const Json& value, const Json& fill) {
  return is_nan(fill) ? is_nan(value) : equal(type, value, fill);
}

bool less(const Json& type, const Json& a, const Json& b) {
  if (is_float(a)) return number(a) < number(b);
  if (type.at("class") == "integer" || type.at("class") == "enum" ||
      type.at("class") == "boolean") {
    const std::string x = a, y = b;
    const bool minus = x.starts_with('-');
    if (minus != y.starts_with('-')) return minus;
    const auto magnitude = x.size() != y.size() ? x.size() <=> y.size() : x <=> y;
    return minus ? magnitude > 0 : magnitude < 0;
  }
  return bytes_of(a) < bytes_of(b);
}

bool has_order(const Json& type) {
  const std::string cls = type.at("class");
  return cls == "integer" || cls == "enum" || cls == "boolean" || cls == "string" ||
         cls == "opaque" || (cls == "float" && !type.contains("precision"));
}

}  // namespace adapter
