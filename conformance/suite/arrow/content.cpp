// An independent oracle: it walks arrays like validator/formats/arrow/exchange/read_array.cpp, with
// which it shares only framing, schemas and bodies. Neither may use the other.
#include "conformance/suite/arrow/content.h"

#include <algorithm>
#include <format>
#include <map>
#include <set>
#include <stdexcept>

#include "conformance/suite/engine/text.h"
#include "validator/formats/arrow/array.h"
#include "validator/formats/arrow/batch.h"
#include "validator/formats/arrow/body.h"
#include "validator/formats/arrow/dictionaries.h"
#include "validator/formats/arrow/examination.h"
#include "validator/formats/arrow/schema_rules.h"
#include "validator/utf8.h"

namespace hepcheck::arrow::suite {

namespace {

// The maximum number of slots that are converted to cells.
constexpr std::int64_t kMostSlots = 1'000'000;

struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

Json text_notation(std::string_view text) {
  if (is_utf8(text)) return std::string(text);
  return {{"bytes", base64(text)}};
}

Json optional_notation(const std::optional<std::string_view>& text) {
  return text ? text_notation(*text) : Json(nullptr);
}

// --- The schema ---------------------------------------------------------------------------------

constexpr const char* kTimeUnits[] = {"s", "ms", "us", "ns"};
constexpr const char* kIntervalUnits[] = {"year-month", "day-time", "month-day-nano"};

template <std::size_t N>
std::string unit(const char* const (&names)[N], std::int16_t i) {
  if (i < 0 || static_cast<std::size_t>(i) >= N) throw Unreadable(std::format("unit {}", i));
  return names[i];
}

Json int_notation(std::int32_t bits, bool is_signed) {
  return {{"class", "int"}, {"bits", bits}, {"signed", is_signed}};
}

Json type_notation(const Type& type) {
  const auto of = [](const char* name) { return Json{{"class", name}}; };
  switch (type.tag) {
    case TypeTag::kNull: return of("null");
    case TypeTag::kInt: return int_notation(type.bit_width, type.is_signed);
    case TypeTag::kFloatingPoint: return {{"class", "float"}, {"bits", 16 << type.unit}};
    case TypeTag::kBinary: return of("binary");
    case TypeTag::kUtf8: return of("utf8");
    case TypeTag::kLargeBinary: return of("large-binary");
    case TypeTag::kLargeUtf8: return of("large-utf8");
    case TypeTag::kBool: return of("bool");
    case TypeTag::kDecimal:
      return {{"class", "decimal"},
              {"precision", type.precision},
              {"scale", type.scale},
              {"bits", type.bit_width}};
    case TypeTag::kDate: return {{"class", "date"}, {"unit", type.unit == 0 ? "day" : "ms"}};
    case TypeTag::kTime:
      return {{"class", "time"}, {"unit", unit(kTimeUnits, type.unit)}, {"bits", type.bit_width}};
    case TypeTag::kTimestamp:
      return {{"class", "timestamp"},
              {"unit", unit(kTimeUnits, type.unit)},
              {"timezone", type.timezone.empty() ? Json(nullptr) : text_notation(type.timezone)}};
    case TypeTag::kInterval:
      return {{"class", "interval"}, {"unit", unit(kIntervalUnits, type.unit)}};
    case TypeTag::kDuration: return {{"class", "duration"}, {"unit", unit(kTimeUnits, type.unit)}};
    case TypeTag::kList: return of("list");
    case TypeTag::kLargeList: return of("large-list");
    case TypeTag::kStruct: return of("struct");
    case TypeTag::kUnion: {
      Json ids = Json::array();
      for (std::size_t i = 0; i < type.type_ids.size(); ++i) ids.push_back(type.type_ids[i]);
      return {{"class", "union"}, {"mode", type.mode == 0 ? "sparse" : "dense"}, {"ids", ids}};
    }
    case TypeTag::kFixedSizeBinary: return {{"class", "fixed-size-binary"}, {"size", type.size}};
    case TypeTag::kFixedSizeList: return {{"class", "fixed-size-list"}, {"size", type.size}};
    case TypeTag::kMap: return {{"class", "map"}, {"sorted", type.keys_sorted}};
    case TypeTag::kUtf8View: return of("utf8-view");
    case TypeTag::kBinaryView: return of("binary-view");
    case TypeTag::kListView: return of("list-view");
    case TypeTag::kLargeListView: return of("large-list-view");
    case TypeTag::kRunEndEncoded: return of("run-end-encoded");
    default: throw Unreadable(type_name(static_cast<unsigned>(type.tag)) + " came later");
  }
}

// The types that 1.0 does not have.
bool is_newer(const Field& field) {
  switch (field.type.tag) {
    case TypeTag::kUtf8View:
    case TypeTag::kBinaryView:
    case TypeTag::kListView:
    case TypeTag::kLargeListView:
    case TypeTag::kRunEndEncoded: return true;
    default: return std::ranges::any_of(field.children, is_newer);
  }
}

Json metadata_notation(const std::vector<KeyValue>& metadata) {
  Json pairs = Json::array();
  for (const KeyValue& pair : metadata)
    pairs.push_back({optional_notation(pair.key), optional_notation(pair.value)});
  return pairs;
}

Json field_notation(const Field& field) {
  Json made{{"name", optional_notation(field.name)},
            {"nullable", field.nullable},
            {"type", type_notation(field.type)}};
  if (field.type.tag == TypeTag::kUnion && !field.type.has_type_ids)
    for (std::size_t i = 0; i < field.children.size(); ++i) made["type"]["ids"].push_back(i);
  if (field.encoding)
    made["dictionary"] = {
        {"index", int_notation(field.encoding->bit_width, field.encoding->is_signed)},
        {"ordered", field.encoding->ordered}};
  made["children"] = Json::array();
  for (const Field& child : field.children) made["children"].push_back(field_notation(child));
  made["metadata"] = metadata_notation(field.metadata);
  return made;
}

// --- Cells --------------------------------------------------------------------------------------

std::string_view chars(ByteSpan bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// An integer of any width in decimal digits.
std::string decimal_of(ByteSpan bytes, bool is_signed, std::endian order) {
  std::vector<std::uint8_t> digits;  // base 256, most significant first
  for (std::size_t i = 0; i < bytes.size(); ++i)
    digits.push_back(
        static_cast<std::uint8_t>(bytes[order == std::endian::big ? i : bytes.size() - 1 - i]));
  const bool negative = is_signed && !digits.empty() && (digits.front() & 0x80) != 0;
  if (negative) {
    unsigned carry = 1;
    for (std::size_t i = digits.size(); i-- > 0;) {
      carry += static_cast<std::uint8_t>(~digits[i]);
      digits[i] = static_cast<std::uint8_t>(carry);
      carry >>= 8;
    }
  }
  std::string text;
  while (std::ranges::any_of(digits, [](std::uint8_t digit) { return digit != 0; })) {
    unsigned rest = 0;
    for (std::uint8_t& digit : digits) {
      rest = rest << 8 | digit;
      digit = static_cast<std::uint8_t>(rest / 10);
      rest %= 10;
    }
    text += static_cast<char>('0' + rest);
  }
  if (text.empty()) text = "0";
  if (negative) text += '-';
  std::ranges::reverse(text);
  return text;
}

std::string hexadecimal(ByteSpan bytes, std::endian order) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    text += std::format("{:02x}", static_cast<unsigned>(
                                      bytes[order == std::endian::big ? i : bytes.size() - 1 - i]));
  return text;
}

Json fixed_notation(const Type& type, ByteSpan slot, std::endian order) {
  const auto part = [&](std::size_t at, std::size_t size) {
    return decimal_of(slot.subspan(at, size), true, order);
  };
  switch (type.tag) {
    case TypeTag::kInt: return decimal_of(slot, type.is_signed, order);
    case TypeTag::kFloatingPoint: return {{"bits", hexadecimal(slot, order)}};
    case TypeTag::kFixedSizeBinary: return {{"bytes", base64(chars(slot))}};
    case TypeTag::kInterval:
      if (type.unit == 0) return part(0, 4);
      if (type.unit == 1) return Json::array({part(0, 4), part(4, 4)});
      return Json::array({part(0, 4), part(4, 4), part(8, 8)});
    default: return decimal_of(slot, true, order);
  }
}

bool bit(ByteSpan bits, std::uint64_t i) {
  return (static_cast<unsigned>(bits[i / 8]) >> (i % 8) & 1) != 0;
}

// Dictionaries, batch by batch as they arrived: the first one, and its deltas.
struct Dictionary {
  const Field* field = nullptr;
  std::vector<Batch> batches{};
};

class ContentReader {
 public:
  ContentReader(const Bytes& input, const Specification& spec)
      : input_(input), spec_(spec), notes_(spec, 1), silence_(notes_),
        budget_(input.size(), std::uint64_t{1} << 30, Limits{}) {}

  Content read();

 private:
  class Cells;
  void stream();
  void file();
  void adopt(const Schema& schema, const SharedBytes& bytes);
  void take(const Message& message, const SharedBytes& metadata);
  void dictionary(const Message& message, const SharedBytes& metadata);
  void record(const Message& message, const SharedBytes& metadata);
  const std::vector<Json>& values(std::int64_t id);

  const Bytes& input_;
  const Specification& spec_;
  Notes notes_;
  Notes::Silence silence_;
  InputBudget budget_;
  SpareSlabs spare_{0};
  std::optional<Schema> schema_{};
  std::map<std::int64_t, Dictionary> dictionaries_{};
  std::map<std::int64_t, std::vector<Json>> known_{};  // values of the present dictionaries
  std::set<std::int64_t> on_the_way_{};
  Content content_{};
};

// The arrays of one batch in order.
class ContentReader::Cells {
 public:
  Cells(ContentReader& reader, const Batch& batch)
      : reader_(reader), batch_(batch),
        body_(reader.input_, batch, reader.budget_, reader.spare_, true, std::uint64_t{1} << 30),
        union_validity_(batch.message.version == kV4), order_(reader.schema_->order()) {}

  ColumnContent column(const Field& field, const ArrayLayout& layout) {
    ColumnContent made{.null_count = batch_.node(node_).null_count};
    made.values = array(field, layout);
    if (layout.kind == ArrayLayout::Kind::kStruct) made.children = std::move(children_);
    return made;
  }

 private:
  std::vector<Json> array(const Field& field, const ArrayLayout& layout);
  std::vector<Json> child(const Field& field, std::size_t i) {
    return array(field.children[i], field.children[i].array_layout());
  }
  ByteSpan buffer() {
    const Path path{.kind = "array"};
    const Loaded loaded = body_.load(buffer_++, path, 0, reader_.notes_, Want::kAll);
    if (!loaded.usable()) throw Unreadable("a buffer that cannot be read");
    return loaded.bytes;
  }
  ByteSpan slots(ByteSpan bytes, std::uint64_t count, std::uint64_t width) const {
    if (product(count, width) > bytes.size()) throw Unreadable("a buffer that is too short");
    return bytes;
  }
  std::uint64_t offset(ByteSpan offsets, std::uint64_t i, std::uint64_t width,
                       std::uint64_t end) const {
    const std::int64_t at = offset_at(offsets, i, width, order_);
    if (at < 0 || static_cast<std::uint64_t>(at) > end) throw Unreadable("an offset out of bounds");
    return static_cast<std::uint64_t>(at);
  }
  std::vector<Json> fixed(const Field& field, const ArrayLayout& layout, std::uint64_t length);
  std::vector<Json> binary(const Field& field, const ArrayLayout& layout, std::uint64_t length);
  std::vector<Json> lists(const Field& field, const ArrayLayout& layout, std::uint64_t length);
  std::vector<Json> views(const Field& field, std::uint64_t length, ByteSpan validity);
  std::vector<Json> list_views(const Field& field, const ArrayLayout& layout, std::uint64_t length);
  std::vector<Json> runs(const Field& field, std::uint64_t length);
  std::vector<Json> structs(const Field& field, std::uint64_t length);
  std::vector<Json> unions(const Field& field, const ArrayLayout& layout, std::uint64_t length,
                           ByteSpan validity);
  std::vector<Json> keys(const Field& field, const ArrayLayout& layout, std::uint64_t length,
                         ByteSpan validity);

  ContentReader& reader_;
  const Batch& batch_;
  Body body_;
  bool union_validity_;
  std::endian order_;
  std::uint32_t node_ = 0, buffer_ = 0, view_ = 0;
  std::vector<std::vector<Json>> children_{};  // of the last struct
};

std::vector<Json> ContentReader::Cells::array(const Field& field, const ArrayLayout& layout) {
  const Node node = batch_.node(node_++);
  if (node.length < 0 || node.length > kMostSlots)
    throw Unreadable(std::format("an array of {} slots", node.length));
  const auto length = static_cast<std::uint64_t>(node.length);
  ByteSpan validity;
  if (layout.has_validity(union_validity_)) {
    validity = buffer();
    if (!validity.empty()) slots(validity, divided_up(length, 8), 1);
  }
  std::vector<Json> values;
  switch (layout.kind) {
    case ArrayLayout::Kind::kNull: values.assign(length, nullptr); break;
    case ArrayLayout::Kind::kFixedWidth: values = fixed(field, layout, length); break;
    case ArrayLayout::Kind::kBool: {
      const ByteSpan bits = slots(buffer(), divided_up(length, 8), 1);
      for (std::uint64_t i = 0; i < length; ++i) values.push_back(bit(bits, i));
      break;
    }
    case ArrayLayout::Kind::kBinary: values = binary(field, layout, length); break;
    case ArrayLayout::Kind::kList:
    case ArrayLayout::Kind::kFixedSizeList: values = lists(field, layout, length); break;
    case ArrayLayout::Kind::kStruct: values = structs(field, length); break;
    case ArrayLayout::Kind::kSparseUnion:
    case ArrayLayout::Kind::kDenseUnion: values = unions(field, layout, length, validity); break;
    case ArrayLayout::Kind::kDictionary: values = keys(field, layout, length, validity); break;
    case ArrayLayout::Kind::kView: values = views(field, length, validity); break;
    case ArrayLayout::Kind::kListView: values = list_views(field, layout, length); break;
    case ArrayLayout::Kind::kRunEndEncoded: values = runs(field, length); break;
    default: throw Unreadable("a layout that is not known");
  }
  if (!validity.empty())
    for (std::uint64_t i = 0; i < length; ++i)
      if (!bit(validity, i)) values[i] = nullptr;
  return values;
}

std::vector<Json> ContentReader::Cells::fixed(const Field& field, const ArrayLayout& layout,
                                              std::uint64_t length) {
  const ByteSpan bytes = slots(buffer(), length, layout.width);
  std::vector<Json> values;
  for (std::uint64_t i = 0; i < length; ++i)
    values.push_back(
        fixed_notation(field.type, bytes.subspan(i * layout.width, layout.width), order_));
  return values;
}

std::vector<Json> ContentReader::Cells::binary(const Field& field, const ArrayLayout& layout,
                                               std::uint64_t length) {
  const ByteSpan offsets = buffer(), bytes = buffer();
  if (length == 0) return {};
  slots(offsets, length + 1, layout.width);
  const bool is_text = field.type.tag == TypeTag::kUtf8 || field.type.tag == TypeTag::kLargeUtf8;
  std::vector<Json> values;
  for (std::uint64_t i = 0; i < length; ++i) {
    const std::uint64_t end = offset(offsets, i + 1, layout.width, bytes.size());
    const std::uint64_t begin = offset(offsets, i, layout.width, end);
    const std::string_view text = chars(bytes.subspan(begin, end - begin));
    values.push_back(is_text ? text_notation(text) : Json{{"bytes", base64(text)}});
  }
  return values;
}

std::vector<Json> ContentReader::Cells::lists(const Field& field, const ArrayLayout& layout,
                                              std::uint64_t length) {
  const bool is_fixed = layout.kind == ArrayLayout::Kind::kFixedSizeList;
  const ByteSpan offsets = is_fixed ? ByteSpan() : buffer();
  const std::vector<Json> below = child(field, 0);
  if (length == 0) return {};
  if (!is_fixed) slots(offsets, length + 1, layout.width);
  std::vector<Json> values;
  for (std::uint64_t i = 0; i < length; ++i) {
    std::uint64_t begin = i * layout.width, end = begin + layout.width;
    if (!is_fixed) {
      end = offset(offsets, i + 1, layout.width, below.size());
      begin = offset(offsets, i, layout.width, end);
    }
    if (end > below.size()) throw Unreadable("a child that is too short");
    Json list = Json::array();
    for (std::uint64_t k = begin; k < end; ++k) list.push_back(below[k]);
    values.push_back(std::move(list));
  }
  return values;
}

std::vector<Json> ContentReader::Cells::views(const Field& field, std::uint64_t length,
                                              ByteSpan validity) {
  constexpr std::uint64_t kView = 16, kMostInline = 12;
  const ByteSpan all = slots(buffer(), length, kView);
  std::vector<ByteSpan> data;
  for (std::uint64_t more = batch_.of_views(view_++, 1); more > 0; --more) data.push_back(buffer());
  std::vector<Json> values;
  for (std::uint64_t i = 0; i < length; ++i) {
    if (!validity.empty() && !bit(validity, i)) {
      values.push_back(nullptr);
      continue;
    }
    const ByteSpan view = all.subspan(kView * i, kView);
    const std::uint64_t size = offset(view, 0, 4, kLargestNumber);
    ByteSpan bytes;
    if (size <= kMostInline) {
      bytes = view.subspan(4, size);
    } else {
      const std::uint64_t from = offset(view, 2, 4, kLargestNumber);
      if (from >= data.size()) throw Unreadable("a data buffer that is not there");
      const std::uint64_t at = offset(view, 3, 4, data[from].size());
      if (size > data[from].size() - at) throw Unreadable("a value out of bounds");
      bytes = data[from].subspan(at, size);
    }
    values.push_back(field.type.tag == TypeTag::kUtf8View ? text_notation(chars(bytes))
                                                          : Json{{"bytes", base64(chars(bytes))}});
  }
  return values;
}

std::vector<Json> ContentReader::Cells::list_views(const Field& field, const ArrayLayout& layout,
                                                   std::uint64_t length) {
  const ByteSpan offsets = slots(buffer(), length, layout.width);
  const ByteSpan sizes = slots(buffer(), length, layout.width);
  const std::vector<Json> below = child(field, 0);
  std::vector<Json> values;
  std::uint64_t cells = 0;
  for (std::uint64_t i = 0; i < length; ++i) {
    const std::uint64_t begin = offset(offsets, i, layout.width, below.size());
    const std::uint64_t size = offset(sizes, i, layout.width, below.size() - begin);
    cells += size;
    if (cells > kMostSlots) throw Unreadable("lists of more than a million values");
    Json list = Json::array();
    for (std::uint64_t k = begin; k < begin + size; ++k) list.push_back(below[k]);
    values.push_back(std::move(list));
  }
  return values;
}

std::vector<Json> ContentReader::Cells::runs(const Field& field, std::uint64_t length) {
  const std::vector<Json> ends = child(field, 0), below = child(field, 1);
  std::vector<Json> values;
  for (std::size_t i = 0; values.size() < length; ++i) {
    if (i >= ends.size() || i >= below.size()) throw Unreadable("runs that end too early");
    const std::uint64_t end = std::stoull(ends[i].get<std::string>());
    while (values.size() < std::min(end, length)) values.push_back(below[i]);
  }
  return values;
}

std::vector<Json> ContentReader::Cells::structs(const Field& field, std::uint64_t length) {
  std::vector<Json> values(length, Json::array());
  std::vector<std::vector<Json>> children;
  for (std::size_t i = 0; i < field.children.size(); ++i) {
    const std::vector<Json>& below = children.emplace_back(child(field, i));
    if (below.size() < length) throw Unreadable("a child that is too short");
    for (std::uint64_t k = 0; k < length; ++k) values[k].push_back(below[k]);
  }
  children_ = std::move(children);
  return values;
}

std::vector<Json> ContentReader::Cells::unions(const Field& field, const ArrayLayout& layout,
                                               std::uint64_t length, ByteSpan validity) {
  const bool dense = layout.kind == ArrayLayout::Kind::kDenseUnion;
  const ByteSpan ids = slots(buffer(), length, 1);
  const ByteSpan offsets = dense ? slots(buffer(), length, 4) : ByteSpan();
  std::vector<std::vector<Json>> below;
  for (std::size_t i = 0; i < field.children.size(); ++i) below.push_back(child(field, i));
  const std::vector<int> by_id = children_by_id(field);
  std::vector<Json> values;
  for (std::uint64_t i = 0; i < length; ++i) {
    if (!validity.empty() && !bit(validity, i)) {
      values.push_back(nullptr);
      continue;
    }
    const auto id = static_cast<std::int8_t>(ids[i]);
    const int chosen = id < 0 ? -1 : by_id[static_cast<std::size_t>(id)];
    if (chosen < 0) throw Unreadable("an undefined type id");
    const std::vector<Json>& from = below[static_cast<std::size_t>(chosen)];
    const std::uint64_t at = dense ? offset(offsets, i, 4, from.size()) : i;
    if (at >= from.size()) throw Unreadable("a child that is too short");
    values.push_back({{"id", id}, {"value", from[at]}});
  }
  return values;
}

std::vector<Json> ContentReader::Cells::keys(const Field& field, const ArrayLayout& layout,
                                             std::uint64_t length, ByteSpan validity) {
  const ByteSpan bytes = slots(buffer(), length, layout.width);
  std::vector<Json> values;
  const std::vector<Json>* from = nullptr;
  for (std::uint64_t i = 0; i < length; ++i) {
    if (!validity.empty() && !bit(validity, i)) {
      values.push_back(nullptr);
      continue;
    }
    if (!from) from = &reader_.values(field.encoding->id);
    const std::string digits = decimal_of(bytes.subspan(i * layout.width, layout.width),
                                          field.encoding->is_signed, order_);
    const auto key = digits.starts_with('-') ? kLargestNumber : std::stoull(digits);
    // Under a null of a parent, keys are arbitrary.
    values.push_back(key < from->size() ? (*from)[key] : Json(nullptr));
  }
  return values;
}

// Decoded on first use: an inner dictionary may follow the one that uses it.
const std::vector<Json>& ContentReader::values(std::int64_t id) {
  const auto [at, fresh] = known_.try_emplace(id);
  if (!fresh) return at->second;
  if (!on_the_way_.insert(id).second) throw Unreadable("a dictionary inside itself");
  const Dictionary& dictionary = dictionaries_[id];
  std::vector<Json> made;
  for (const Batch& batch : dictionary.batches) {
    const ColumnContent more =
        Cells(*this, batch).column(*dictionary.field, dictionary.field->layout);
    made.insert(made.end(), more.values.begin(), more.values.end());
  }
  on_the_way_.erase(id);
  return known_[id] = std::move(made);
}

void ContentReader::adopt(const Schema& schema, const SharedBytes& bytes) {
  if (schema_) throw Unreadable("two schemas");
  schema_ = schema;
  schema_->bytes = bytes;
  settle_schema(*schema_, notes_);
  if (!schema_->invalidated_by.empty() || !schema_->whole) throw Unreadable("an invalid schema");
  if (!spec_.find("arrow-view-buffer-size") && std::ranges::any_of(schema_->fields, is_newer))
    throw Unreadable("a type that came later");
  for (const Field& field : schema_->fields) content_.fields.push_back(field_notation(field));
  content_.metadata = metadata_notation(schema_->metadata);
  content_.big_endian = schema_->endianness == 1;
  content_.features = schema_->features;
}

void ContentReader::dictionary(const Message& message, const SharedBytes& metadata) {
  const DictionaryBatch said = read_dictionary_batch(metadata);
  const auto fields = schema_->dictionaries.find(said.id);
  if (fields == schema_->dictionaries.end()) throw Unreadable("a dictionary of no field");
  Dictionary& dictionary = dictionaries_[said.id];
  dictionary.field = fields->second.front();
  Batch batch = read_batch(message, metadata, said.data);
  if (!judge_batch(batch, {.values = dictionary.field}, Path{.kind = "batch"}, notes_))
    throw Unreadable("an invalid dictionary");
  if (batch.codec) content_.codecs.insert(*batch.codec == Codec::kZstd ? "zstd" : "lz4");
  if (!said.is_delta) dictionary.batches.clear();
  dictionary.batches.push_back(std::move(batch));
  known_.clear();
}

void ContentReader::record(const Message& message, const SharedBytes& metadata) {
  Batch batch = read_batch(message, metadata, header_of(metadata));
  const Columns columns{.fields = &schema_->fields};
  if (!judge_batch(batch, columns, Path{.kind = "batch"}, notes_))
    throw Unreadable("an invalid batch");
  if (batch.codec) content_.codecs.insert(*batch.codec == Codec::kZstd ? "zstd" : "lz4");
  BatchContent& made = content_.batches.emplace_back();
  made.rows = batch.length;
  Cells cells(*this, batch);
  for (std::size_t i = 0; i < columns.size(); ++i)
    made.columns.push_back(cells.column(columns[i], columns.layout(i)));
}

void ContentReader::take(const Message& message, const SharedBytes& metadata) {
  if (!metadata || !message.body_inside) throw Unreadable("an incomplete message");
  content_.versions.insert(message.version);
  if (message.header == Header::kDictionaryBatch)
    dictionary(message, metadata);
  else if (message.header == Header::kRecordBatch)
    record(message, metadata);
  else
    throw Unreadable("a message of another kind");
}

void ContentReader::stream() {
  MessageWalk walk(input_, 0, input_.size(), false, Limits{}, notes_);
  MessageWalk::Step step = walk.next();
  for (; step == MessageWalk::Step::kMessage; step = walk.next()) {
    const Message& message = walk.message();
    if (message.header == Header::kSchema) {
      content_.versions.insert(message.version);
      adopt(read_schema(header_of(walk.metadata()), Limits{}.objects), walk.metadata());
    } else if (!schema_) {
      throw Unreadable("no schema");
    } else {
      take(message, walk.metadata());
    }
  }
  if (step == MessageWalk::Step::kBroken || !schema_) throw Unreadable("an invalid stream");
}

void ContentReader::file() {
  constexpr std::uint64_t kTail = 10;
  std::byte word[4];
  if (input_.size() < 8 + kTail || !input_.read(input_.size() - kTail, word))
    throw Unreadable("no footer");
  const std::uint64_t size = load<std::uint32_t>(word);
  if (size > input_.size() - kTail - 8) throw Unreadable("no footer");
  const std::uint64_t at = input_.size() - kTail - size;
  const std::optional<Footer> footer = read_footer(input_, at, size, Limits{}, notes_);
  if (!footer || !footer->schema) throw Unreadable("an invalid footer");
  adopt(*footer->schema, footer->bytes);
  content_.versions.insert(footer->version);
  for (const std::vector<Block>* blocks : {&footer->dictionaries, &footer->record_batches})
    for (const Block& block : *blocks) {
      MessageWalk walk(input_, static_cast<std::uint64_t>(block.offset), at, false, Limits{},
                       notes_);
      if (walk.next() != MessageWalk::Step::kMessage) throw Unreadable("an invalid block");
      take(walk.message(), walk.metadata());
    }
}

Content ContentReader::read() {
  content_.is_file = is_file(input_);
  if (content_.is_file)
    file();
  else
    stream();
  return std::move(content_);
}

}  // namespace

Result<Content> read_content(std::span<const std::byte> image, const std::string& name,
                             const Specification& spec) {
  const Bytes input = Bytes::of_image(image, name);
  try {
    return ContentReader(input, spec).read();
  } catch (const Unreadable& unreadable) {
    return failure(name, unreadable.what());
  }
}

std::vector<std::string> classes_in(const Json& fields) {
  std::vector<std::string> found;
  for (const Json& field : fields) {
    found.push_back(field.at("type").at("class").get<std::string>());
    if (field.contains("dictionary")) found.emplace_back("dictionary");
    if (field.contains("children"))
      for (std::string& below : classes_in(field.at("children"))) found.push_back(std::move(below));
  }
  return found;
}

}  // namespace hepcheck::arrow::suite
