// Streams of several columns of every layout, within one another, in several batches and with
// dictionaries that are extended and replaced. Some have mistakes. What is reported, grouped by the
// type of the first column, equals the golden file, and so do the tables that those without an
// error are read as.
#include <gtest/gtest.h>
#include <lz4frame.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <format>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/table_text.h"
#include "fuzz/arrow/parts.h"
#include "fuzz/choices.h"
#include "fuzz/variations/byte_mutations.h"
#include "validator/bytes.h"
#include "validator/catalogue/clause.h"
#include "validator/examine_file.h"
#include "validator/formats/arrow/exchange/read_table.h"
#include "validator/formats/arrow/testing/build.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::arrow::random_arrays {
namespace {

using fuzz::Choices;
using testing::Bytes;
using testing::raw;
using testing::raw_all;
using testing::TableOf;

constexpr std::uint64_t kStreams = 3'000, kCompressed = 600, kMany = 1'800;

// Those of the types in Schema.fbs.
struct Tag {
  enum : std::uint8_t {
    kNull = 1,
    kInt = 2,
    kFloat = 3,
    kBinary = 4,
    kText = 5,
    kBool = 6,
    kDecimal = 7,
    kDate = 8,
    kTime = 9,
    kTimestamp = 10,
    kInterval = 11,
    kList = 12,
    kStruct = 13,
    kUnion = 14,
    kFixedBinary = 15,
    kFixedList = 16,
    kMap = 17,
    kDuration = 18,
    kLargeBinary = 19,
    kLargeText = 20,
    kLargeList = 21,
    kRuns = 22,
    kBinaryView = 23,
    kTextView = 24,
    kListView = 25,
    kLargeListView = 26,
  };
};

// A column, or a part of one.
struct Shape {
  std::uint8_t tag = Tag::kNull;
  std::int64_t width = 0;  // bytes of a value, an offset or a view; values of a fixed list
  std::int16_t unit = 0;
  bool is_signed = true, dense = false, keys_sorted = false;
  bool nullable = true;
  std::vector<Shape> children{};
  std::int64_t dictionary = -1;  // its id; all else but these describes its values
  std::int64_t key_width = 0;
  bool key_signed = true;
  const char* extension = nullptr;
  const char* metadata = "";  // of the extension
};

class Builder {
 public:
  // `compressed`: each buffer has a frame of the codec that is drawn, or is stored.
  // `rarely`: one in so many places has a mistake, in half of the streams.
  explicit Builder(Choices& c, bool compressed = false, std::uint64_t rarely = 50)
      : c_(c), big_(c.one_in(6)), odd_(c.maybe()), rarely_(rarely),
        codec_(compressed ? static_cast<int>(c.below(2)) : kNoCodec) {}

  Bytes stream() {
    const std::uint64_t columns = 1 + c_.below(3);
    for (std::uint64_t i = 0; i < columns; ++i) shapes_.push_back(shape(3));
    testing::Tables fields;
    for (std::size_t i = 0; i < shapes_.size(); ++i) fields.push_back(field(shapes_[i], name(i)));
    schema_ = testing::schema(std::move(fields), big_);
    Bytes made = testing::message(testing::kSchemaTag, schema_);
    for (std::size_t id = 0; id < dictionaries_.size(); ++id)
      if (!mistake()) made += dictionary(static_cast<std::int64_t>(id), mistake());
    for (std::uint64_t i = 0, batches = 1 + c_.below(3); i < batches; ++i) {
      if (i > 0 && !dictionaries_.empty() && c_.maybe()) {
        const bool delta = c_.maybe();
        made += dictionary(static_cast<std::int64_t>(c_.below(dictionaries_.size())), delta);
      }
      made += batch(slots());
    }
    return c_.maybe() ? made + testing::end_of_stream() : made;
  }
  std::uint8_t first_tag() const { return shapes_[0].tag; }

  // The stream as a file. At times, blocks of its footer are in another order, missing, there twice
  // or lead elsewhere.
  Bytes file(const Bytes& stream) {
    const parts::Parts all = parts::parts_of(stream);
    std::vector<Bytes> dictionaries, records;
    Bytes made("ARROW1\0\0", 8);
    for (const Bytes& each : all.messages) {
      const Bytes metadata = each.substr(8, parts::number_at<std::uint32_t>(each, 4));
      const auto tag = parts::number_at<std::uint8_t>(metadata, parts::field_at(metadata, 1));
      const Bytes block = raw_all(static_cast<std::int64_t>(made.size()),
                                  static_cast<std::int32_t>(8 + metadata.size()), std::int32_t{0},
                                  static_cast<std::int64_t>(each.size() - 8 - metadata.size()));
      if (tag == testing::kDictionaryTag) dictionaries.push_back(block);
      if (tag == testing::kRecordTag) records.push_back(block);
      made += each;
    }
    if (all.rest.empty()) made += testing::end_of_stream();
    made += all.rest;
    TableOf footer{{{0, raw(std::int16_t{4})}, {1, schema_}}};
    for (const auto& [number, blocks] : {std::pair(2u, &dictionaries), {3u, &records}}) {
      Bytes list;
      if (odd_) change(*blocks);
      for (const Bytes& each : *blocks) list += each;
      footer.fields.emplace_back(number, testing::Elements{24, list});
    }
    const Bytes last = testing::padded(testing::flatbuffer(footer));
    return made + last + raw(static_cast<std::int32_t>(last.size())) + "ARROW1";
  }

 private:
  void change(std::vector<Bytes>& blocks) {
    for (std::uint64_t n = c_.below(3); n > 0 && !blocks.empty(); --n) {
      const std::size_t at = c_.below(blocks.size()), other = c_.below(blocks.size());
      switch (c_.below(5)) {
        case 0:
        case 1: std::swap(blocks[at], blocks[other]); break;
        case 2: blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(at)); break;
        case 3: blocks.push_back(Bytes(blocks[at])); break;
        default: blocks[at][0] = static_cast<char>(blocks[at][0] + 8);
      }
    }
  }

  std::int64_t slots() {
    constexpr std::int64_t kSome[] = {0, 1, 2, 3, 7, 8, 9, 17, 65};
    return kSome[c_.below(std::size(kSome))];
  }

  // Of a length that messages show, and of one that they cut; or empty.
  Bytes name(std::size_t i) {
    if (c_.one_in(20)) return {};
    if (c_.one_in(6)) return Bytes(79 + c_.below(3), static_cast<char>('a' + i));
    return c_.one_in(8) ? std::format("\"c\\{}", i) : std::format("c{}", i);
  }

  // --- Types
  Shape shape(int depth) {
    Shape made;
    switch (c_.below(depth > 0 ? 22 : 12)) {
      case 0:
      case 1:
        made = {.tag = Tag::kInt, .width = std::int64_t{1} << c_.below(4), .is_signed = c_.maybe()};
        break;
      case 2: made = {.tag = Tag::kFloat, .width = std::int64_t{2} << c_.below(3)}; break;
      case 3: made = {.tag = Tag::kBool}; break;
      case 4:
        made = c_.maybe()
                   ? Shape{.tag = c_.maybe() ? Tag::kText : Tag::kBinary, .width = 4}
                   : Shape{.tag = c_.maybe() ? Tag::kLargeText : Tag::kLargeBinary, .width = 8};
        break;
      case 5:
      case 6: made = {.tag = c_.maybe() ? Tag::kTextView : Tag::kBinaryView, .width = 16}; break;
      case 7: made = temporal(); break;
      case 8:
        made = {.tag = Tag::kInterval, .unit = static_cast<std::int16_t>(c_.below(3))};
        made.width = made.unit == 0 ? 4 : made.unit == 1 ? 8 : 16;
        break;
      case 9: made = {.tag = Tag::kDecimal, .width = std::int64_t{4} << c_.below(4)}; break;
      case 10:
        made = c_.one_in(4) ? Shape{.tag = Tag::kNull}
                            : Shape{.tag = Tag::kFixedBinary,
                                    .width = static_cast<std::int64_t>(1 + c_.below(5))};
        break;
      case 11: return with_dictionary(depth);
      case 12:
      case 13:
        made = {.tag = c_.maybe() ? Tag::kList : Tag::kLargeList};
        made.width = made.tag == Tag::kList ? 4 : 8;
        made.children.push_back(shape(depth - 1));
        break;
      case 14:
        made = {.tag = c_.maybe() ? Tag::kListView : Tag::kLargeListView};
        made.width = made.tag == Tag::kListView ? 4 : 8;
        made.children.push_back(shape(depth - 1));
        break;
      case 15:
        made = {.tag = Tag::kFixedList, .width = static_cast<std::int64_t>(c_.below(4))};
        made.children.push_back(shape(depth - 1));
        break;
      case 16:
        made = {.tag = Tag::kStruct};
        for (std::uint64_t i = 0, n = c_.one_in(9) ? 7 + c_.below(3) : 1 + c_.below(3); i < n; ++i)
          made.children.push_back(shape(n > 3 ? 0 : depth - 1));
        break;
      case 17:
        made = {.tag = Tag::kRuns};
        made.children = {
            {.tag = Tag::kInt, .width = std::int64_t{2} << c_.below(3), .nullable = false},
            shape(depth - 1)};
        break;
      case 18: {
        made = {.tag = Tag::kMap, .width = 4};
        Shape entries{.tag = Tag::kStruct, .nullable = false};
        entries.children = {key(), shape(depth - 1)};
        made.children.push_back(std::move(entries));
        made.keys_sorted = c_.one_in(3);
        break;
      }
      case 19:
      case 20: return extended();
      default:
        made = {.tag = Tag::kUnion, .dense = c_.maybe()};
        for (std::uint64_t i = 0, n = 1 + c_.below(2); i < n; ++i)
          made.children.push_back(shape(depth - 1));
    }
    if (c_.one_in(6)) made.nullable = false;
    return made;
  }

  // The dictionaries of its values come before its own. Some columns share one.
  Shape with_dictionary(int depth) {
    if (!dictionaries_.empty() && c_.one_in(5)) {
      const std::size_t id = c_.below(dictionaries_.size());
      Shape made = dictionaries_[id];
      made.dictionary = static_cast<std::int64_t>(id);
      made.nullable = c_.maybe();
      if (c_.one_in(3)) made.extension = nullptr;
      return made;
    }
    Shape made{.tag = Tag::kText, .width = 4};
    if (depth > 0 && c_.one_in(3)) {
      made = {.tag = c_.maybe() ? Tag::kStruct : Tag::kList, .width = 4};
      made.children.push_back(c_.maybe() ? with_dictionary(depth - 1) : shape(depth - 1));
    } else if (depth > 0 && c_.maybe()) {
      made = c_.maybe() ? extended() : shape(depth - 1);
    }
    return in_dictionary(std::move(made));
  }
  Shape in_dictionary(Shape made) {
    made.nullable = c_.below(6) > 0;
    made.dictionary = static_cast<std::int64_t>(dictionaries_.size());
    made.key_width = std::int64_t{1} << c_.below(4);
    made.key_signed = c_.maybe();
    dictionaries_.push_back(made);
    dictionaries_.back().dictionary = -1;
    dictionaries_.back().nullable = c_.one_in(4);
    return made;
  }

  // The keys of a map, of a type that has an order or of one that has none.
  Shape key() {
    Shape made;
    switch (c_.below(7)) {
      case 0: made = {.tag = Tag::kText, .width = 4}; break;
      case 1: made = {.tag = Tag::kLargeBinary, .width = 8}; break;
      case 2: made = {.tag = Tag::kTextView, .width = 16}; break;
      case 3: made = {.tag = Tag::kFloat, .width = std::int64_t{2} << c_.below(3)}; break;
      case 4: made = temporal(); break;
      case 5: made = {.tag = Tag::kFixedBinary, .width = 3}; break;
      default:
        made = {.tag = Tag::kInt, .width = std::int64_t{1} << c_.below(4), .is_signed = c_.maybe()};
    }
    made.nullable = c_.one_in(9);
    return made;
  }

  // Extension types with rules about values.
  Shape extended() {
    switch (c_.below(4)) {
      case 0: {
        Shape made{.tag = c_.maybe() ? Tag::kText : Tag::kTextView, .extension = "arrow.json"};
        made.width = made.tag == Tag::kText ? 4 : 16;
        return made;
      }
      case 1: {
        Shape made{.tag = Tag::kStruct, .extension = "arrow.timestamp_with_offset"};
        const Shape minutes{.tag = Tag::kInt, .width = 2, .nullable = false};
        made.children = {{.tag = Tag::kTimestamp, .width = 8, .nullable = false}, minutes};
        if (c_.one_in(3)) made.children[1] = in_dictionary(minutes);
        made.children[1].nullable = mistake();
        return made;
      }
      case 2: return {.tag = Tag::kInt, .width = 1, .extension = "arrow.bool8"};
      default: {
        constexpr const char* kMetadata[] = {"{}", R"({"uniform_shape": [null, 2]})",
                                             R"({"uniform_shape": [1, null]})"};
        Shape made{.tag = Tag::kStruct,
                   .extension = "arrow.variable_shape_tensor",
                   .metadata = kMetadata[c_.below(3)]};
        made.children = {{.tag = Tag::kList, .width = 4}, {.tag = Tag::kFixedList, .width = 2}};
        made.children[0].children = {{.tag = Tag::kFloat, .width = 4}};
        made.children[1].children = {{.tag = Tag::kInt, .width = 4}};
        return made;
      }
    }
  }

  Shape temporal() {
    switch (c_.below(4)) {
      case 0: {
        const auto unit = static_cast<std::int16_t>(c_.below(2));
        return {.tag = Tag::kDate, .width = unit == 0 ? 4 : 8, .unit = unit};
      }
      case 1: {
        const auto unit = static_cast<std::int16_t>(c_.below(4));
        return {.tag = Tag::kTime, .width = unit < 2 ? 4 : 8, .unit = unit};
      }
      case 2:
        return {.tag = Tag::kTimestamp, .width = 8, .unit = static_cast<std::int16_t>(c_.below(4))};
      default:
        return {.tag = Tag::kDuration, .width = 8, .unit = static_cast<std::int16_t>(c_.below(4))};
    }
  }

  TableOf type_of(const Shape& it) const {
    const auto bits = static_cast<std::int32_t>(8 * it.width);
    switch (it.tag) {
      case Tag::kInt: return testing::int_type(bits, it.is_signed);
      case Tag::kFloat: return {{{0, raw(static_cast<std::int16_t>(it.width / 4))}}};
      case Tag::kDecimal:
        return {{{0, raw(std::int32_t{9})}, {1, raw(std::int32_t{2})}, {2, raw(bits)}}};
      case Tag::kTime: return {{{0, raw(it.unit)}, {1, raw(bits)}}};
      case Tag::kDate:
      case Tag::kInterval:
      case Tag::kDuration: return {{{0, raw(it.unit)}}};
      case Tag::kTimestamp: return {{{0, raw(it.unit)}, {1, testing::Text{"UTC"}}}};
      case Tag::kFixedBinary:
      case Tag::kFixedList: return {{{0, raw(static_cast<std::int32_t>(it.width))}}};
      case Tag::kUnion: return {{{0, raw(static_cast<std::int16_t>(it.dense))}}};
      case Tag::kMap: return {{{0, raw(static_cast<std::uint8_t>(it.keys_sorted))}}};
      default: return {};
    }
  }

  static TableOf pair(const Bytes& key, const Bytes& value) {
    return {{{0, testing::Text{key}}, {1, testing::Text{value}}}};
  }

  static Bytes child_name(const Shape& it, const Bytes& name, std::size_t i) {
    constexpr const char *kEntry[] = {"key", "value"}, *kRun[] = {"run_ends", "values"},
                         *kTimes[] = {"timestamp", "offset_minutes"},
                         *kTensor[] = {"data", "shape"};
    const std::string_view extension = it.extension ? it.extension : "";
    if (extension.ends_with("offset")) return kTimes[i];
    if (extension.ends_with("tensor")) return kTensor[i];
    if (it.tag == Tag::kMap) return "entries";
    if (it.tag == Tag::kRuns) return kRun[i];
    if (name == "entries" && i < 2) return kEntry[i];
    return it.tag == Tag::kStruct || it.tag == Tag::kUnion ? std::to_string(i) : "item";
  }

  TableOf field(const Shape& it, const Bytes& name) const {
    testing::Tables children;
    for (std::size_t i = 0; i < it.children.size(); ++i)
      children.push_back(field(it.children[i], child_name(it, name, i)));
    TableOf made = testing::field(name, it.tag, type_of(it), std::move(children), it.nullable);
    if (it.extension)
      made.fields.emplace_back(6u, testing::Tables{pair("ARROW:extension:name", it.extension),
                                                   pair("ARROW:extension:metadata", it.metadata)});
    if (it.dictionary < 0) return made;
    return testing::dictionary(
        std::move(made), it.dictionary,
        testing::int_type(static_cast<std::int32_t>(8 * it.key_width), it.key_signed));
  }

  // --- Values
  struct Parts {
    std::vector<testing::NodeOf> nodes{};
    std::vector<Bytes> buffers{};
    std::vector<std::int64_t> variadic{};
  };

  Bytes number(std::int64_t value, std::int64_t width) const {
    Bytes made;
    for (std::int64_t i = 0; i < width; ++i)
      made += static_cast<char>(i < 8 ? value >> 8 * i : value >> 63);
    if (big_) std::ranges::reverse(made);
    return made;
  }

  // Rarely, and in some streams only.
  bool mistake() { return odd_ && c_.one_in(rarely_); }

  // The bitmap, and which slots are null.
  std::vector<bool> validity(const Shape& it, std::int64_t slots, Parts& into) {
    std::vector<bool> nulls(static_cast<std::size_t>(slots));
    std::int64_t count = 0;
    if (it.nullable && c_.maybe())
      for (std::size_t i = 0; i < nulls.size(); ++i) {
        nulls[i] = c_.below(3) == 0;
        count += nulls[i];
      }
    Bytes bits;
    if (count > 0 || c_.one_in(5)) {
      bits.assign((nulls.size() + 7) / 8, '\0');
      for (std::size_t i = 0; i < nulls.size(); ++i)
        if (!nulls[i]) bits[i / 8] = static_cast<char>(bits[i / 8] | 1 << i % 8);
    }
    into.nodes.push_back({slots, mistake() ? count + 1 : count});
    into.buffers.push_back(bits);
    return nulls;
  }

  std::int64_t any_value(const Shape& it) {
    if (it.extension) return mistake() ? 2 : static_cast<std::int64_t>(c_.below(2));
    // Minutes of an offset among them.
    if (it.tag == Tag::kInt && it.width == 2 && !mistake())
      return static_cast<std::int64_t>(c_.below(2'000)) - 1'000;
    if (it.tag == Tag::kTime)
      return static_cast<std::int64_t>(c_.below(mistake() ? 1 << 30 : 86'400));
    if (it.tag == Tag::kDecimal || it.tag == Tag::kDate || it.tag == Tag::kInterval)
      return static_cast<std::int64_t>(c_.below(1'000)) * (it.tag == Tag::kDate ? 86'400'000 : 1) *
             (it.width > 4 || it.tag != Tag::kDate ? 1 : 0);
    return static_cast<std::int64_t>(c_.bits() >> c_.below(64));
  }

  Bytes text(const Shape& it) {
    if (it.extension) {
      constexpr const char* kJson[] = {
          "1",           "null", "[1, 2.5e3]", R"({"a": [true]})", R"("long text in quotes")",
          R"({"a": {}})"};
      constexpr const char* kWrong[] = {"", "nul", "[1", R"({"a"})", "1 2"};
      if (mistake()) return c_.one_in(4) ? Bytes(2'000, '[') : kWrong[c_.below(5)];
      return kJson[c_.below(6)];
    }
    constexpr const char* kParts[] = {"a", "bc", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9D\x84\x9E"};
    Bytes made;
    for (std::uint64_t i = c_.below(4) == 0 ? 9 : c_.below(5); i > 0; --i)
      made += kParts[c_.below(5)];
    if (mistake() && !made.empty()) made.pop_back();
    return made;
  }

  void put(const Shape& it, std::int64_t slots, Parts& into) {
    if (it.dictionary >= 0) {
      const std::vector<bool> nulls = validity(it, slots, into);
      Bytes keys;
      for (std::size_t i = 0; i < nulls.size(); ++i)
        keys += number(mistake() ? 100 : static_cast<std::int64_t>(c_.below(3)), it.key_width);
      into.buffers.push_back(keys);
      return;
    }
    switch (it.tag) {
      case Tag::kNull: into.nodes.push_back({slots, slots}); return;
      case Tag::kRuns: return runs(it, slots, into);
      case Tag::kUnion: return unions(it, slots, into);
      default: break;
    }
    const std::vector<bool> nulls = validity(it, slots, into);
    switch (it.tag) {
      case Tag::kBool: {
        Bytes bits((nulls.size() + 7) / 8, '\0');
        for (char& each : bits) each = static_cast<char>(c_.below(256));
        into.buffers.push_back(bits);
        return;
      }
      case Tag::kText:
      case Tag::kBinary:
      case Tag::kLargeText:
      case Tag::kLargeBinary: return texts(it, nulls, into);
      case Tag::kTextView:
      case Tag::kBinaryView: return views(it, nulls, into);
      case Tag::kList:
      case Tag::kLargeList:
      case Tag::kMap: return lists(it, nulls, into);
      case Tag::kListView:
      case Tag::kLargeListView: return list_views(it, nulls, into);
      case Tag::kFixedList:
        return put(it.children[0], slots * it.width + (mistake() ? 1 : 0), into);
      case Tag::kStruct:
        if (it.extension && it.children[0].tag == Tag::kList)
          return tensors(it, nulls.size(), into);
        for (const Shape& each : it.children) put(each, slots + (mistake() ? 1 : 0), into);
        return;
      default: break;
    }
    Bytes values;
    for (std::size_t i = 0; i < nulls.size(); ++i) {
      if (it.tag == Tag::kInterval && it.unit > 0) {
        values += number(any_value(it), 4) + number(any_value(it), 4);
        if (it.unit == 2) values += number(any_value(it), 8);
      } else {
        values += number(any_value(it), it.width);
      }
    }
    into.buffers.push_back(values);
  }

  void texts(const Shape& it, const std::vector<bool>& nulls, Parts& into) {
    Bytes offsets = number(0, it.width), bytes;
    for (std::size_t i = 0; i < nulls.size(); ++i) {
      if (!nulls[i] || c_.one_in(4)) bytes += text(it);
      offsets += number(static_cast<std::int64_t>(bytes.size()) + (mistake() ? 1 : 0), it.width);
    }
    into.buffers.push_back(nulls.empty() && c_.maybe() ? Bytes() : offsets);
    into.buffers.push_back(bytes);
  }

  void views(const Shape& it, const std::vector<bool>& nulls, Parts& into) {
    std::vector<Bytes> data(c_.below(3));
    Bytes all;
    for (const bool null : nulls) {
      const Bytes each = null ? Bytes() : text(it);
      Bytes view = number(static_cast<std::int64_t>(each.size()), 4);
      if (each.size() <= 12) {
        view += each;
      } else {
        if (data.empty()) data.emplace_back();
        Bytes& buffer = data[c_.below(data.size())];
        // Some share the bytes of one before.
        const std::size_t there = c_.maybe() ? buffer.find(each) : Bytes::npos;
        const std::size_t place = there == Bytes::npos ? buffer.size() : there;
        view += each.substr(0, 4) + number(&buffer - data.data() + (mistake() ? 1 : 0), 4) +
                number(static_cast<std::int64_t>(place), 4);
        if (place == buffer.size()) buffer += each;
      }
      view.resize(16);
      all += view;
    }
    into.variadic.push_back(static_cast<std::int64_t>(data.size()));
    into.buffers.push_back(all);
    into.buffers.insert(into.buffers.end(), data.begin(), data.end());
  }

  void lists(const Shape& it, const std::vector<bool>& nulls, Parts& into) {
    std::int64_t at = 0;
    Bytes offsets = number(0, it.width);
    for (std::size_t i = 0; i < nulls.size(); ++i) {
      if (!nulls[i] || c_.one_in(4)) at += static_cast<std::int64_t>(c_.below(4));
      offsets += number(at, it.width);
    }
    into.buffers.push_back(nulls.empty() && c_.maybe() ? Bytes() : offsets);
    put(it.children[0], at + (c_.one_in(5) ? 2 : mistake() && at > 0 ? -1 : 0), into);
  }

  // Two sizes for each tensor, and as many values as they say, mostly.
  void tensors(const Shape& it, std::size_t slots, Parts& into) {
    Bytes offsets = number(0, 4), sizes;
    std::int64_t at = 0;
    for (std::size_t i = 0; i < slots; ++i) {
      const std::int64_t one = mistake() ? 3 : 1 + static_cast<std::int64_t>(c_.below(2)),
                         other = mistake() ? 0 : 2;
      sizes += number(one, 4) + number(mistake() ? -1 : other, 4);
      at += mistake() ? 1 : one * other;
      offsets += number(at, 4);
    }
    const auto length = static_cast<std::int64_t>(slots);
    validity(it.children[0], length, into);
    into.buffers.push_back(offsets);
    put(it.children[0].children[0], at, into);
    validity(it.children[1], length, into);
    validity(it.children[1].children[0], 2 * length, into);
    into.buffers.push_back(sizes);
  }

  // In any order, and overlapping.
  void list_views(const Shape& it, const std::vector<bool>& nulls, Parts& into) {
    const auto length = static_cast<std::int64_t>(c_.below(9));
    Bytes offsets, sizes;
    for (std::size_t i = 0; i < nulls.size(); ++i) {
      const auto first =
          static_cast<std::int64_t>(c_.below(static_cast<std::uint64_t>(length) + 1));
      const auto size =
          static_cast<std::int64_t>(c_.below(static_cast<std::uint64_t>(length - first) + 1));
      offsets += number(first, it.width);
      sizes += number(size + (mistake() ? 9 : 0), it.width);
    }
    into.buffers.push_back(offsets);
    into.buffers.push_back(sizes);
    put(it.children[0], length, into);
  }

  void runs(const Shape& it, std::int64_t slots, Parts& into) {
    into.nodes.push_back({slots, 0});
    Bytes ends;
    std::int64_t count = 0;
    for (std::int64_t at = 0; at < slots; ++count) {
      at += 1 + static_cast<std::int64_t>(c_.below(4));
      ends += number(mistake() ? 0 : at, it.children[0].width);
    }
    into.nodes.push_back({count, 0});
    into.buffers.emplace_back();
    into.buffers.push_back(ends);
    put(it.children[1], count, into);
  }

  void unions(const Shape& it, std::int64_t slots, Parts& into) {
    into.nodes.push_back({slots, 0});
    Bytes types, offsets;
    std::vector<std::int64_t> lengths(it.children.size(), it.dense ? 0 : slots);
    for (std::int64_t i = 0; i < slots; ++i) {
      const std::size_t child = c_.below(it.children.size());
      types += static_cast<char>(mistake() ? 9 : child);
      if (it.dense) offsets += number(lengths[child]++, 4);
    }
    into.buffers.push_back(types);
    if (it.dense) into.buffers.push_back(offsets);
    for (std::size_t i = 0; i < it.children.size(); ++i) put(it.children[i], lengths[i], into);
  }

  // --- Messages
  static constexpr int kNoCodec = -1, kLz4 = 0;

  Bytes frame(const Bytes& plain) const {
    Bytes made(
        std::max(LZ4F_compressFrameBound(plain.size(), nullptr), ZSTD_compressBound(plain.size())),
        '\0');
    made.resize(
        codec_ == kLz4
            ? LZ4F_compressFrame(made.data(), made.size(), plain.data(), plain.size(), nullptr)
            : ZSTD_compress(made.data(), made.size(), plain.data(), plain.size(), 1));
    return made;
  }

  // The buffers as they are in the body.
  std::vector<Bytes> stored(std::vector<Bytes> buffers) {
    for (Bytes& each : buffers) {
      if (codec_ == kNoCodec || each.empty()) continue;
      const auto size = static_cast<std::int64_t>(each.size());
      each = c_.one_in(4) ? raw(std::int64_t{-1}) + each
                          : raw(size + (mistake() ? 1 : 0)) + frame(each);
    }
    return buffers;
  }

  TableOf data_of(std::int64_t slots, const Parts& parts, const testing::BodyOf& body) const {
    TableOf made = testing::record_batch(slots, parts.nodes, body);
    if (codec_ != kNoCodec)
      made.fields.emplace_back(3u, TableOf{{{0, raw(static_cast<std::int8_t>(codec_))}}});
    if (parts.variadic.empty()) return made;
    Bytes counts;
    for (const std::int64_t each : parts.variadic) counts += raw(each);
    made.fields.emplace_back(4u, testing::Elements{8, counts});
    return made;
  }

  Bytes batch(std::int64_t slots) {
    Parts parts;
    for (const Shape& each : shapes_) put(each, slots, parts);
    const testing::BodyOf body = testing::body_of(stored(parts.buffers));
    return testing::message(testing::kRecordTag, data_of(slots, parts, body), body.bytes);
  }

  Bytes dictionary(std::int64_t id, bool delta) {
    const auto count = static_cast<std::int64_t>(delta ? c_.below(3) : 3 + c_.below(3));
    Parts parts;
    put(dictionaries_[static_cast<std::size_t>(id)], count, parts);
    const testing::BodyOf body = testing::body_of(stored(parts.buffers));
    return testing::message(testing::kDictionaryTag,
                            testing::dictionary_batch(id, data_of(count, parts, body), delta),
                            body.bytes);
  }

  Choices& c_;
  bool big_, odd_;
  std::uint64_t rarely_;
  int codec_;                          // of CompressionType in Message.fbs
  std::vector<Shape> dictionaries_{};  // their values
  std::vector<Shape> shapes_{};
  TableOf schema_{};
};

TEST(RandomArrays, ReportsAndTablesEqualTheGoldenFile) {
  constexpr std::string_view kNewer = "arrow-columnar-1.5",
                             kSpecs[] = {"arrow-columnar-1.0", "", kNewer, kNewer, kNewer};
  fuzz::GoldenResults results;
  for (std::uint64_t i = 1; i <= kStreams; ++i) {
    fuzz::Noise choices(i * 0x9E3779B97F4A7C15);
    Builder builder(choices);
    const Bytes stream = builder.stream();
    const auto bytes = std::as_bytes(std::span(stream));
    const FileReport report =
        examine_image(bytes, "image", std::nullopt,
                      find_specification(kSpecs[i % std::size(kSpecs)]), {.examine = {.jobs = 1}});
    std::string table;
    if (!fuzz::has_error(report)) {
      const auto read =
          read_table(hepcheck::Bytes::of_image(bytes, "image"), {}, i % 3 == 0 ? 1 << 12 : 1 << 20);
      table = read ? conformance::table_text(read->table) : read.error().text() + '\n';
      for (const std::string& each : read ? read->losses : std::vector<std::string>{})
        table += each + '\n';
    }
    results.add(std::format("type {:02}", builder.first_tag()), report, table);
  }
  EXPECT_TRUE(golden::equals(results.text(), "fuzz/arrow/golden/random-arrays.txt"));
}

// Compressed buffers of which some exceed what may be decoded.
TEST(RandomArrays, ReportsUnderLimitsEqualTheGoldenFile) {
  fuzz::GoldenResults results;
  for (std::uint64_t i = 1; i <= kCompressed; ++i) {
    fuzz::Noise choices(i * 0x9E3779B97F4A7C15);
    Builder builder(choices, true);
    const Bytes stream = builder.stream();
    for (const std::uint64_t most : {0, 24, 60, 200, 1'000, 100'000}) {
      FileOptions options{.examine = {.jobs = 1}};
      options.limits.value_bytes = most;
      const FileReport report =
          examine_image(std::as_bytes(std::span(stream)), "image", std::nullopt,
                        find_specification("arrow-columnar-1.5"), options);
      results.add(std::format("type {:02}, {} bytes", builder.first_tag(), most), report, {});
    }
  }
  EXPECT_TRUE(golden::equals(results.text(), "fuzz/arrow/golden/limited-arrays.txt"));
}

// Streams and files with many mistakes, judged completely or under a limit that may be reached
// anywhere: of the fields that are read, of messages, of the bytes of one, of values or of
// findings.
TEST(RandomArrays, ReportsOfManyMistakesEqualTheGoldenFile) {
  using Limit = void (*)(FileOptions&, Choices&);
  constexpr std::pair<std::string_view, Limit> kLimits[] = {
      {"no limit", [](FileOptions&, Choices&) {}},
      {"fields",
       [](FileOptions& to, Choices& c) { to.limits.objects = 1 + c.below(c.maybe() ? 4 : 14); }},
      {"messages", [](FileOptions& to, Choices& c) { to.limits.links = c.below(5); }},
      {"bytes of a message",
       [](FileOptions& to, Choices& c) { to.limits.block_bytes = 100 + 50 * c.below(20); }},
      {"values", [](FileOptions& to, Choices& c) { to.limits.value_bytes = c.below(200); }},
      {"findings", [](FileOptions& to, Choices& c) { to.examine.max_findings = c.below(3); }},
  };
  fuzz::GoldenResults results;
  for (std::uint64_t i = 1; i <= kMany; ++i) {
    fuzz::Noise choices((kStreams + i) * 0x9E3779B97F4A7C15);
    const bool file = choices.maybe();
    Builder builder(choices, choices.one_in(4), 15);
    const Bytes stream = builder.stream();
    const Bytes input = file ? builder.file(stream) : stream;
    const auto bytes = std::as_bytes(std::span(input));
    const auto& [name, limit] = kLimits[i % std::size(kLimits)];
    FileOptions options{.examine = {.jobs = 1}};
    limit(options, choices);
    const std::string_view spec = choices.one_in(4) ? "arrow-columnar-1.0" : "arrow-columnar-1.5";
    const FileReport report =
        examine_image(bytes, "image", std::nullopt, find_specification(spec), options);
    std::string table;
    if (!fuzz::has_error(report)) table = parts::table_of(bytes);
    results.add(std::format("{}, {}", file ? "file" : "stream", name), report, table);
  }
  EXPECT_TRUE(golden::equals(results.text(), "fuzz/arrow/golden/many-mistakes.txt"));
}

}  // namespace
}  // namespace hepcheck::arrow::random_arrays
