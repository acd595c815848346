// Every kind of datatype with every clause that examines values: each is judged, correct and wrong,
// or reported as not checked with the reason. Nothing passes without having been examined.
#include <algorithm>
#include <cstring>
#include <map>
#include <memory>

#include "validator/formats/hep001/derive/build_index.h"
#include "validator/formats/hep001/judge.h"
#include "validator/formats/hep001/testing/rule_testing.h"

namespace hepcheck::hep001 {

namespace {

using Bytes = std::vector<std::byte>;
__extension__ using Wide = __int128;

// The order of the values of a datatype, by the specification or by arithmetic.
enum class Order : std::uint8_t {
  kListed,      // section 10.5 defines an order
  kOtherFloat,  // floats that 10.5 does not list: an index triggers a warning, and is judged
                // nevertheless
  kArithmetic,  // other numbers: they have ranges, and no index
  kNone,
};

struct Kind {
  std::string name;
  Datatype type;
  Order order;
  // In increasing order if there is one; `fill` is below `low`, and `twin` equals `mid` in
  // different bytes if possible.
  Bytes fill, low, mid, twin, high, beyond;
  std::optional<Bytes> nan{};
  bool explained = true;  // its bits are explained: values can be distinguished
  bool hashed = false;    // it has canonical bytes
};

Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::shared_ptr<const Datatype> shared(Datatype type) {
  return std::make_shared<const Datatype>(std::move(type));
}

// Bits of a number, from `first` on, in little-endian bytes.
void put_bits(Bytes& into, std::uint64_t first, std::uint64_t count, Wide bits) {
  for (std::uint64_t i = 0; i < count; ++i)
    if ((bits >> std::min<std::uint64_t>(i, 127) & 1) != 0)
      into[(first + i) / 8] |= std::byte{1} << (first + i) % 8;
    else
      into[(first + i) / 8] &= ~(std::byte{1} << (first + i) % 8);
}

Bytes number(const Datatype& type, Wide value, bool around = false) {
  const Datatype& code = type.base ? *type.base : type;
  Bytes bytes(type.size, around ? std::byte{0xFF} : std::byte{0});
  put_bits(bytes, code.bit_offset, code.precision, value);
  if (code.order == ByteOrder::kBig) std::ranges::reverse(bytes);
  return bytes;
}

// Small whole numbers; -0 and NaN if requested.
Bytes real(const Datatype& type, int value, bool negative_zero = false, bool nan = false) {
  const FloatLayout& f = type.floating;
  Bytes bytes(type.size);
  const auto magnitude = static_cast<unsigned>(std::abs(value));
  const int power = magnitude == 0 ? 0 : std::bit_width(magnitude) - 1;
  const int shift = static_cast<int>(f.mantissa_size) - (f.implied_one ? 0 : 1) - power;
  Wide mantissa = static_cast<Wide>(magnitude) << shift;
  if (nan) mantissa = static_cast<Wide>(3) << (f.mantissa_size - 2);
  const Wide exponent = nan ? -1 : magnitude == 0 ? 0 : static_cast<Wide>(f.exponent_bias) + power;
  put_bits(bytes, f.mantissa_position, f.mantissa_size, mantissa);
  put_bits(bytes, f.exponent_position, f.exponent_size, exponent);
  put_bits(bytes, f.sign_position, 1, value < 0 || negative_zero);
  if (type.order == ByteOrder::kBig) std::ranges::reverse(bytes);
  return bytes;
}

Kind numbers(std::string name, Datatype type, Order order, bool hashed = false) {
  const auto of = [&](int value, bool around = false) { return number(type, value, around); };
  return {name, type, order, of(1), of(3), of(5), of(5, true), of(7), of(9), {}, true, hashed};
}

Kind reals(std::string name, Datatype type, Order order, bool explained = true) {
  return {name,
          type,
          order,
          real(type, -9),
          real(type, -3),
          real(type, 0),
          real(type, 0, true),
          real(type, 7),
          real(type, 9),
          real(type, 0, false, true),
          explained,
          order == Order::kListed};
}

Kind texts(std::string name, Datatype type, Order order, bool hashed) {
  const auto of = [&](std::string_view text) { return Cell(text).stored_as(type); };
  Bytes twin = of("d");
  if (type.padding == StringPadding::kNullTerm && type.fixed_string()) twin[3] = std::byte{'x'};
  if (type.variable_string()) {
    const auto raw = [](std::string_view text) { return bytes_of(text); };
    return {name,     type,     order,    raw("a"), raw("b"), raw("d"),
            raw("d"), raw("f"), raw("h"), {},       true,     hashed};
  }
  return {name, type, order, of("a"), of("b"), of("d"), twin, of("f"), of("h"), {}, true, hashed};
}

Datatype narrow(Datatype type, std::uint32_t precision, std::uint32_t offset) {
  type.precision = precision;
  type.bit_offset = offset;
  return type;
}
Datatype of_class(TypeClass cls, std::size_t size, ByteOrder order = ByteOrder::kLittle) {
  return {
      .cls = cls, .size = size, .order = order, .precision = static_cast<std::uint32_t>(8 * size)};
}
Datatype float_of(std::size_t size, std::uint32_t exponent, std::uint32_t mantissa,
                  ByteOrder order = ByteOrder::kLittle, bool implied = true) {
  Datatype type = of_class(TypeClass::kFloat, size, order);
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
Datatype grades(const Datatype& base) {
  return enum_type(base, {{"MISSING", 1}, {"LOW", 3}, {"MID", 5}, {"HIGH", 7}, {"BEYOND", 9}});
}
Datatype array_of(Datatype base) {
  const std::size_t size = 2 * base.size;
  return {.cls = TypeClass::kArray, .size = size, .base = shared(std::move(base)), .dims = {2}};
}

// Each part twice.
Kind arrays(std::string name, const Kind& of) {
  const auto twice = [](Bytes bytes) {
    const Bytes copy = bytes;
    bytes.insert(bytes.end(), copy.begin(), copy.end());
    return bytes;
  };
  return {name,          array_of(of.type), Order::kNone,   twice(of.fill),   twice(of.low),
          twice(of.mid), twice(of.twin),    twice(of.high), twice(of.beyond), {},
          of.explained};
}

// The number in a field, with gaps around it.
Kind compounds(std::string name, const Kind& of) {
  const auto wrap = [](const Bytes& part, char gap) {
    Bytes bytes(part.size() + 2, static_cast<std::byte>(gap));
    std::ranges::copy(part, bytes.begin() + 1);
    return bytes;
  };
  const Datatype type = compound_type(
      of.type.size + 2, {{.name = "f", .offset = 1, .type = shared(of.type), .value = {}}});
  return {name,
          type,
          Order::kNone,
          wrap(of.fill, 0),
          wrap(of.low, 0),
          wrap(of.mid, 0),
          wrap(of.twin, 'x'),
          wrap(of.high, 0),
          wrap(of.beyond, 0),
          {},
          of.explained};
}

// With one number each, at any position.
Kind sequences(std::string name, const Kind& of) {
  static std::vector<std::unique_ptr<Bytes>> items;
  const auto wrap = [](const Bytes& item) {
    struct {
      std::size_t length;
      const std::byte* items;
    } sequence{1, items.emplace_back(std::make_unique<Bytes>(item))->data()};
    return bytes_of({reinterpret_cast<const char*>(&sequence), sizeof sequence});
  };
  const Datatype type{.cls = TypeClass::kVlen, .size = 16, .base = shared(of.type)};
  return {name,         type,          Order::kNone,  wrap(of.fill),   wrap(of.low),
          wrap(of.mid), wrap(of.twin), wrap(of.high), wrap(of.beyond), {},
          of.explained};
}

Kind references_of(std::string name, ReferenceKind reference, bool explained) {
  Datatype type = standard_reference_type();
  type.reference = reference;
  type.size = reference == ReferenceKind::kStandard       ? 64
              : reference == ReferenceKind::kLegacyRegion ? 12
                                                          : 8;
  const auto of = [&](int value) { return Bytes(type.size, static_cast<std::byte>(value)); };
  return {name, type, Order::kNone, of(1), of(3), of(5), of(5), of(7), of(9), {}, explained};
}

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = [] {
    const auto big = ByteOrder::kBig;
    const auto string = [](StringPadding padding) {
      return fixed_string_type(4, padding, CharacterSet::kUtf8);
    };
    Datatype vax = ieee_float_type(4);
    vax.order = ByteOrder::kVax;
    std::vector<Kind> made{
        numbers("int8", integer_type(1, true), Order::kListed, true),
        numbers("uint8", integer_type(1, false), Order::kListed, true),
        numbers("int16 big-endian", integer_type(2, true, big), Order::kListed, true),
        numbers("uint64", integer_type(8, false), Order::kListed, true),
        numbers("int24", integer_type(3, true), Order::kListed),
        numbers("12 bits of 16", narrow(integer_type(2, false), 12, 3), Order::kListed),
        numbers("int72", integer_type(9, true, big), Order::kListed),
        numbers("int128", integer_type(16, true), Order::kListed),
        numbers("uint128 big-endian", integer_type(16, false, big), Order::kListed),
        numbers("64 bits of 128", narrow(integer_type(16, true), 64, 5), Order::kListed),
        numbers("8000 bits", integer_type(1000, true), Order::kListed),
        numbers("enumeration", grades(integer_type(2, true)), Order::kListed),
        numbers("enumeration of 12 bits", grades(narrow(integer_type(2, true, big), 12, 0)),
                Order::kListed),
        numbers("enumeration of int128", grades(integer_type(16, true)), Order::kListed),
        reals("float16", ieee_float_type(2), Order::kListed),
        reals("float32 big-endian", ieee_float_type(4, big), Order::kListed),
        reals("float64", ieee_float_type(8), Order::kListed),
        reals("bfloat16", float_of(2, 8, 7), Order::kOtherFloat),
        reals("bfloat16 big-endian", float_of(2, 8, 7, big), Order::kOtherFloat),
        reals("float of 19 bits in 4 bytes", float_of(4, 8, 10), Order::kOtherFloat),
        reals("long double", float_of(16, 15, 64, ByteOrder::kLittle, false), Order::kOtherFloat),
        reals("binary128", float_of(16, 15, 112, big), Order::kOtherFloat),
        reals("float of 8 bits", float_of(1, 4, 3), Order::kOtherFloat, false),
        reals("VAX float", vax, Order::kOtherFloat, false),
        numbers("time", of_class(TypeClass::kTime, 4), Order::kArithmetic),
        numbers("time of 12 bytes", of_class(TypeClass::kTime, 12, big), Order::kArithmetic),
        numbers("bitfield", of_class(TypeClass::kBitfield, 1), Order::kArithmetic),
        numbers("bitfield of 12 bits", narrow(of_class(TypeClass::kBitfield, 2), 12, 1),
                Order::kArithmetic),
        numbers("bitfield of 16 bytes", narrow(of_class(TypeClass::kBitfield, 16), 120, 1),
                Order::kArithmetic),
        texts("null-terminated strings", string(StringPadding::kNullTerm), Order::kListed, true),
        texts("null-padded strings", string(StringPadding::kNullPad), Order::kListed, true),
        texts("space-padded strings", string(StringPadding::kSpacePad), Order::kListed, true),
        texts("variable-length strings", variable_string_type(CharacterSet::kUtf8), Order::kListed,
              true),
        texts("opaque", opaque_type(1), Order::kListed, true),
        references_of("H5T_STD_REF", ReferenceKind::kStandard, false),
        references_of("object references", ReferenceKind::kLegacyObject, true),
        references_of("region references", ReferenceKind::kLegacyRegion, false),
    };
    const auto kind = [&](std::string_view name) {
      return *std::ranges::find(made, name, &Kind::name);
    };
    Kind unknown = numbers("unknown class", integer_type(4, true), Order::kNone);
    unknown.type = {.cls = TypeClass::kUnknown, .size = 4};
    unknown.explained = false;
    made.push_back(unknown);
    made.push_back(arrays("arrays of 12-bit integers", kind("12 bits of 16")));
    made.push_back(arrays("arrays of floats", kind("float32 big-endian")));
    made.push_back(arrays("arrays of bfloat16", kind("bfloat16")));
    made.push_back(arrays("arrays of strings", kind("null-terminated strings")));
    made.push_back(arrays("arrays of VAX floats", kind("VAX float")));
    made.push_back(compounds("compounds", kind("12 bits of 16")));
    made.push_back(compounds("compounds of long doubles", kind("long double")));
    made.push_back(compounds("compounds of references", kind("H5T_STD_REF")));
    made.push_back(sequences("sequences", kind("12 bits of 16")));
    made.push_back(sequences("sequences of bfloat16", kind("bfloat16")));
    return made;
  }();
  return all;
}

// --- Tables --------------------------------------------------------------------------------------

std::string text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void store(TableBuilder& t, const std::string& path, const std::vector<Bytes>& rows) {
  const Dataset& dataset = t.dataset(path);
  if (dataset.type.variable_string()) {
    std::vector<std::string> texts;
    for (const Bytes& row : rows) texts.push_back(text_of(row));
    return t.values.set_strings(dataset.token, std::move(texts));
  }
  Bytes all;
  for (const Bytes& row : rows) all.insert(all.end(), row.begin(), row.end());
  t.values.set(dataset.token, std::move(all));
}

// A table with the single column x, in chunks of three rows.
TableBuilder with_column(const Kind& kind, const std::vector<Bytes>& rows, const Bytes& fill) {
  TableBuilder t("/t", rows.size());
  Dataset& x = t.add_dataset("x", kind.type, {rows.size()});
  x.storage.layout = StorageLayout::kChunked;
  x.storage.chunk = {3};
  x.storage.fill_state = FillState::kUserDefined;
  if (kind.type.variable_string())
    x.storage.fill_string = text_of(fill);
  else
    x.storage.fill = fill;
  store(t, "x", rows);
  return t;
}
// A chunk with all kinds of values, one with the twin, a missing row, and NaN if it exists, and a
// chunk of missing rows.
std::vector<Bytes> rows_of(const Kind& kind) {
  return {kind.high, kind.low, kind.mid, kind.twin, kind.fill, kind.nan.value_or(kind.fill),
          kind.fill, kind.fill};
}

Attribute scalar(const char* name, const Kind& kind, const Bytes& value) {
  Attribute made{.name = name};
  made.type = kind.type;
  if (kind.type.variable_string())
    made.strings = {text_of(value)};
  else if (!has_variable_part(kind.type))
    made.bytes = value;
  return made;
}

void list(TableBuilder& t, std::string_view kind) {
  t.set("SEARCH_INDEXES/i", ascii("KIND", kind));
  t.set("x", references("SEARCH_INDEX_LIST", {t.to("SEARCH_INDEXES/i")}));
}

Bytes joined(std::initializer_list<Bytes> parts) {
  Bytes all;
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// --- Verdicts ------------------------------------------------------------------------------------

using Results = std::map<std::string, ClauseResult, std::less<>>;

Results judged(TableBuilder& t) {
  Results results;
  for (const ClauseResult& result :
       examine(t.finish(), t.values, older_revision(), {.jobs = 1}).clauses)
    results.emplace(result.clause->id, result);
  return results;
}

void expect(const Results& results, std::string_view clause, Verdict verdict,
            const std::string& what) {
  const auto it = results.find(clause);
  ASSERT_NE(it, results.end()) << clause;
  const ClauseResult& result = it->second;
  EXPECT_EQ(to_string(result.verdict), to_string(verdict))
      << clause << ", " << what << ": " << result.reason
      << (result.findings.empty() ? "" : result.findings[0].observed);
  if (verdict == Verdict::kPass) {
    EXPECT_GT(result.examined, 0u) << clause << ", " << what;
  }
  if (verdict == Verdict::kNotChecked) {
    EXPECT_NE(result.reason, "") << clause << ", " << what;
  }
}

// The clauses about data, whose names begin with this.
std::vector<std::string> data_clauses(std::string_view prefix) {
  std::vector<std::string> found;
  for (const RuleHead& head : rule_heads())
    if (head.data && head.clause.starts_with(prefix) && older_revision().find(head.clause))
      found.emplace_back(head.clause);
  return found;
}

// --- 8.5: ranges ---------------------------------------------------------------------------------

Results ranged(const Kind& kind, const std::vector<Bytes>& rows, const Bytes& fill,
               const Bytes& least, const Bytes& greatest) {
  TableBuilder t = with_column(kind, rows, fill);
  t.set("x", scalar("valid_min", kind, least));
  t.set("x", scalar("valid_max", kind, greatest));
  return judged(t);
}

TEST(EveryDatatype, HasARangeOrAReason) {
  for (const Kind& kind : kinds()) {
    const bool can = kind.order != Order::kNone && kind.explained;
    const auto if_it_can = [&](Verdict verdict) { return can ? verdict : Verdict::kNotChecked; };
    const std::vector<Bytes> rows = rows_of(kind);

    Results results = ranged(kind, rows, kind.fill, kind.low, kind.high);
    for (const char* clause :
         {"fill-strictly-outside-valid-range", "valid-range-ordered", "data-within-valid-range"})
      expect(results, clause, if_it_can(Verdict::kPass), kind.name);

    results = ranged(kind, {kind.low, kind.high}, kind.twin, kind.low, kind.high);
    expect(results, "fill-strictly-outside-valid-range", if_it_can(Verdict::kFail), kind.name);

    results = ranged(kind, {kind.fill}, kind.fill, kind.high, kind.low);
    expect(results, "valid-range-ordered", if_it_can(Verdict::kFail), kind.name);

    results = ranged(kind, {kind.low, kind.beyond}, kind.fill, kind.low, kind.high);
    expect(results, "data-within-valid-range", if_it_can(Verdict::kFail), kind.name);

    // A bound is inside the range, whatever the order.
    const bool equal = kind.explained && !has_variable_part(kind.type);
    results = ranged(kind, {kind.low}, kind.twin, kind.low, kind.mid);
    expect(results, "fill-strictly-outside-valid-range",
           can || equal ? Verdict::kFail : Verdict::kNotChecked, kind.name + ", bound");
  }
}

// --- 8.5: Table 1, enumerations, booleans --------------------------------------------------------

TEST(EveryDatatype, HasARecommendedFillValueOrNone) {
  for (const Kind& kind : kinds()) {
    const auto recommended = recommended_fill(kind.type);
    TableBuilder right = with_column(kind, rows_of(kind), kind.fill);
    expect(judged(right), "sentinel-in-domain-declare-range",
           recommended ? Verdict::kPass : Verdict::kNotApplicable, kind.name);
    if (!recommended) continue;
    TableBuilder wrong = with_column(kind, {kind.low, *recommended}, kind.fill);
    expect(judged(wrong), "sentinel-in-domain-declare-range", Verdict::kFail, kind.name);
  }
}

TEST(EveryDatatype, IsAnEnumerationOrIsNot) {
  for (const Kind& kind : kinds()) {
    const bool is = kind.type.is(TypeClass::kEnum);
    const auto if_it_is = [&](Verdict verdict) { return is ? verdict : Verdict::kNotApplicable; };
    TableBuilder right = with_column(kind, rows_of(kind), kind.fill);
    for (const char* clause :
         {"enum-fill-not-ordinary-member", "enum-missing-member", "enum-fill-is-missing-code"})
      expect(judged(right), clause, if_it_is(Verdict::kPass), kind.name);
    if (!is) continue;
    TableBuilder ordinary = with_column(kind, {kind.low}, kind.twin);
    expect(judged(ordinary), "enum-fill-not-ordinary-member", Verdict::kFail, kind.name);
    Kind other = kind;
    std::erase_if(other.type.members, [](const TypeMember& m) { return m.name == "MISSING"; });
    TableBuilder without = with_column(other, rows_of(kind), kind.fill);
    expect(judged(without), "enum-missing-member", Verdict::kFail, kind.name);
    TableBuilder elsewhere = with_column(kind, {kind.low}, number(kind.type, 11));
    expect(judged(elsewhere), "enum-fill-is-missing-code", Verdict::kFail, kind.name);
  }
}

TEST(EveryDatatype, IsABooleanOrIsNot) {
  for (const Kind& kind : kinds()) {
    TableBuilder t = with_column(kind, rows_of(kind), kind.fill);
    expect(judged(t), "boolean-widen", Verdict::kNotApplicable, kind.name);
    expect(judged(t), "fill-outside-logical-range", Verdict::kNotApplicable, kind.name);
  }
  const Kind boolean = numbers("boolean", boolean_type(), Order::kListed);
  TableBuilder t = with_column(boolean, {{std::byte{1}}}, {std::byte{2}});
  expect(judged(t), "boolean-widen", Verdict::kPass, "boolean");
  expect(judged(t), "fill-outside-logical-range", Verdict::kPass, "boolean");
}

// --- 8.7 -----------------------------------------------------------------------------------------

TEST(EveryDatatype, IsACodeOrCannotBe) {
  for (const Kind& kind : kinds()) {
    const bool is = kind.type.is(TypeClass::kInteger);
    const auto if_it_is = [&](Verdict verdict) { return is ? verdict : Verdict::kNotChecked; };
    const auto coded = [&](const std::vector<Bytes>& rows, const Bytes& fill) {
      TableBuilder t = with_column(kind, rows, fill);
      t.add_group("CATEGORIES");
      t.add_dataset("CATEGORIES/x", integer_type(1, false), {6}, {0, 1, 2, 3, 4, 5});
      t.set("x", reference("CATEGORIES", t.to("CATEGORIES/x")));
      return judged(t);
    };
    const Results right = coded({kind.low, kind.mid, kind.twin, kind.beyond}, kind.beyond);
    expect(right, "categorical-integer", is ? Verdict::kPass : Verdict::kFail, kind.name);
    expect(right, "code-in-range", if_it_is(Verdict::kPass), kind.name);
    expect(right, "fill-not-a-valid-code", if_it_is(Verdict::kPass), kind.name);
    expect(coded({kind.low, kind.high}, kind.beyond), "code-in-range", if_it_is(Verdict::kFail),
           kind.name);
    expect(coded({kind.low}, kind.twin), "fill-not-a-valid-code", if_it_is(Verdict::kFail),
           kind.name);
  }
}

// --- 10.4 and 10.5 -------------------------------------------------------------------------------

bool is_float(const Kind& kind) { return kind.type.is(TypeClass::kFloat); }
bool judged_in_order(const Kind& kind) {
  return (kind.order == Order::kListed || kind.order == Order::kOtherFloat) && kind.explained;
}

// The findings about the datatype, if an index needs an order.
void expect_order_clauses(const Results& results, const Kind& kind, const std::string& family) {
  const TypeClass cls = kind.type.cls;
  const bool excluded = cls == TypeClass::kCompound || cls == TypeClass::kArray ||
                        cls == TypeClass::kVlen || cls == TypeClass::kReference;
  expect(results, family + "-excluded-type", excluded ? Verdict::kFail : Verdict::kPass, kind.name);
  expect(results, family + "-orderable-type",
         excluded                       ? Verdict::kNotApplicable
         : kind.order == Order::kListed ? Verdict::kPass
                                        : Verdict::kFail,
         kind.name);
  if (kind.order == Order::kOtherFloat) {
    EXPECT_EQ(results.find(family + "-orderable-type")->second.severity, Severity::kWarning);
  }
}

struct Entry {
  Bytes min, max;
  int nan_count, fill_count, n;
};

Results with_minmax(const Kind& kind, const std::vector<Entry>& entries) {
  static std::vector<std::unique_ptr<std::string>> texts;
  TableBuilder t = with_column(kind, rows_of(kind), kind.fill);
  const Datatype count = integer_type(8, false);
  t.add_group("SEARCH_INDEXES");
  t.add_dataset("SEARCH_INDEXES/i", chunk_minmax_type(kind.type), {entries.size()});
  const auto element = [&](const Bytes& bytes) {
    if (!kind.type.variable_string()) return bytes;
    const char* text = texts.emplace_back(std::make_unique<std::string>(text_of(bytes)))->c_str();
    return bytes_of({reinterpret_cast<const char*>(&text), sizeof text});
  };
  std::vector<Bytes> rows;
  for (const Entry& e : entries)
    rows.push_back(joined({element(e.min), element(e.max), number(count, e.nan_count),
                           number(count, e.fill_count), number(count, e.n)}));
  store(t, "SEARCH_INDEXES/i", rows);
  list(t, "CHUNK_MINMAX");
  return judged(t);
}

TEST(EveryDatatype, HasChunkExtremesOrAReason) {
  for (const Kind& kind : kinds()) {
    const int nans = kind.nan ? 1 : 0;
    const std::vector<Entry> right{{kind.low, kind.high, 0, 0, 3},
                                   {kind.mid, kind.twin, nans, 2 - nans, 3},
                                   {kind.fill, kind.fill, 0, 2, 2}};
    const Results results = with_minmax(kind, right);
    expect_order_clauses(results, kind, "minmax");
    for (const std::string& clause : data_clauses("minmax-")) {
      const bool of_floats = clause == "minmax-nan-count-value" || clause == "minmax-nan-excluded";
      const bool of_others = clause == "minmax-nan-count-zero-non-float";
      const bool silent = is_float(kind) ? of_others : of_floats;
      expect(results, clause,
             silent                  ? Verdict::kNotApplicable
             : judged_in_order(kind) ? Verdict::kPass
                                     : Verdict::kNotChecked,
             kind.name);
    }
    const auto wrong = [&](std::size_t chunk, auto change, const char* clause) {
      std::vector<Entry> entries = right;
      change(entries[chunk]);
      expect(with_minmax(kind, entries), clause,
             judged_in_order(kind) ? Verdict::kFail : Verdict::kNotChecked, kind.name);
    };
    wrong(0, [&](Entry& e) { e.min = kind.twin; }, "minmax-min-value");
    wrong(0, [&](Entry& e) { e.max = kind.twin; }, "minmax-max-value");
    wrong(0, [&](Entry& e) { e.min = kind.fill; }, "minmax-fill-excluded");
    wrong(0, [&](Entry& e) { e.n = 2; }, "minmax-n-full-chunk");
    wrong(1, [&](Entry& e) { e.fill_count = 3; }, "minmax-fill-count-value");
    wrong(
        1, [&](Entry& e) { e.nan_count = 2; },
        is_float(kind) ? "minmax-nan-count-value" : "minmax-nan-count-zero-non-float");
    wrong(2, [&](Entry& e) { e.n = 3; }, "minmax-n-last-chunk");
    wrong(2, [&](Entry& e) { e.min = kind.low; }, "minmax-all-missing-min-fill");
    wrong(2, [&](Entry& e) { e.max = kind.low; }, "minmax-all-missing-max-fill");
    if (kind.nan) wrong(0, [&](Entry& e) { e.max = *kind.nan; }, "minmax-nan-excluded");
  }
}

Results with_sorted(const Kind& kind, const Cells& order, int nan_tail, int fill_tail) {
  TableBuilder t = with_column(kind, rows_of(kind), kind.fill);
  t.add_group("SEARCH_INDEXES");
  t.add_dataset("SEARCH_INDEXES/i", integer_type(8, false), {order.size()}, order);
  t.set("SEARCH_INDEXES/i", attribute("nan_tail_length", integer_type(8, false), Cell(nan_tail)));
  t.set("SEARCH_INDEXES/i", attribute("fill_tail_length", integer_type(8, false), Cell(fill_tail)));
  t.set("SEARCH_INDEXES/i", boolean("ordered", true));
  list(t, "SORTED_ROWS");
  return judged(t);
}

// The clause about the order of such values, and those that only floats have.
std::string order_clause(const Kind& kind) {
  switch (kind.type.cls) {
    case TypeClass::kInteger: return "sorted-integer-order";
    case TypeClass::kFloat: return "sorted-float-order";
    case TypeClass::kOpaque: return "sorted-opaque-order";
    case TypeClass::kEnum: return "sorted-enum-order";
    case TypeClass::kString: return "sorted-string-bytewise";
    default: return "";
  }
}
bool speaks_of(const std::string& clause, const Kind& kind) {
  if (clause == "sorted-string-padding-stripped") return kind.type.fixed_string();
  if (clause == "sorted-negative-zero" || clause == "sorted-nan-tail-last" ||
      clause == "sorted-nan-tail-order")
    return is_float(kind);
  for (const char* of_one : {"sorted-integer-order", "sorted-float-order", "sorted-opaque-order",
                             "sorted-enum-order", "sorted-boolean-order", "sorted-string-bytewise"})
    if (clause == of_one) return clause == order_clause(kind);
  return true;
}

TEST(EveryDatatype, IsSortedOrHasAReason) {
  for (const Kind& kind : kinds()) {
    // Rows 4, 6 and 7 are missing; row 5 is NaN, or missing.
    const Cells right = kind.nan ? Cells{1, 2, 3, 0, 4, 6, 7, 5} : Cells{1, 2, 3, 0, 4, 5, 6, 7};
    const int nans = kind.nan ? 1 : 0;
    const Results results = with_sorted(kind, right, nans, 4 - nans);
    expect_order_clauses(results, kind, "sorted");
    for (const std::string& clause : data_clauses("sorted-")) {
      expect(results, clause,
             !speaks_of(clause, kind) ? Verdict::kNotApplicable
             : judged_in_order(kind)  ? Verdict::kPass
                                      : Verdict::kNotChecked,
             kind.name);
    }
    if (kind.order == Order::kArithmetic || kind.order == Order::kNone) continue;
    const auto wrong = [&](std::size_t a, std::size_t b, const std::string& clause) {
      Cells order = right;
      std::swap(order[a], order[b]);
      expect(with_sorted(kind, order, nans, 4 - nans), clause,
             judged_in_order(kind) ? Verdict::kFail : Verdict::kNotChecked, kind.name);
    };
    wrong(0, 1, order_clause(kind));
    // The twin of zero has the opposite sign.
    wrong(1, 2, is_float(kind) ? "sorted-negative-zero" : "sorted-ties");
    wrong(3, 4, "sorted-fill-tail-placement");
    wrong(4, 5, "sorted-fill-tail-order");
    if (kind.nan) wrong(6, 7, "sorted-nan-tail-last");
    Cells twice = right;
    twice[0] = twice[1];
    for (const auto& [order, nan_tail, fill_tail, clause] :
         {std::tuple(twice, nans, 4 - nans, "sorted-permutation"),
          std::tuple(right, nans + 1, 4 - nans, "sorted-nan-tail-length-value"),
          std::tuple(right, nans, 5 - nans, "sorted-fill-tail-length-value")})
      expect(with_sorted(kind, order, nan_tail, fill_tail), clause,
             judged_in_order(kind) ? Verdict::kFail : Verdict::kNotChecked, kind.name);
  }
}

// --- 10.6 ----------------------------------------------------------------------------------------

Results with_bitmap(const Kind& kind, const std::vector<Bytes>& values, const Cells& bits) {
  TableBuilder t = with_column(kind, rows_of(kind), kind.fill);
  t.add_group("SEARCH_INDEXES");
  t.add_dataset("SEARCH_INDEXES/i", integer_type(1, false), {values.size(), 1}, bits);
  t.add_dataset("SEARCH_INDEXES/v", kind.type, {values.size()});
  store(t, "SEARCH_INDEXES/v", values);
  t.set("SEARCH_INDEXES/i", reference("VALUES", t.to("SEARCH_INDEXES/v")));
  list(t, "BITMAP");
  return judged(t);
}

TEST(EveryDatatype, HasABitmapOrAReason) {
  for (const Kind& kind : kinds()) {
    const std::vector<Bytes> values{kind.twin, kind.high};
    const auto expect_bits = [&](const Cells& bits, std::string_view clause, Verdict verdict) {
      expect(with_bitmap(kind, values, bits), clause,
             kind.explained ? verdict : Verdict::kNotChecked, kind.name);
    };
    for (const std::string& clause : data_clauses("bitmap-"))
      expect_bits({0b1100, 0b1}, clause, Verdict::kPass);
    expect_bits({0b1000, 0b1}, "bitmap-bit-set", Verdict::kFail);
    expect_bits({0b0100, 0b1}, "bitmap-bit-set", Verdict::kFail);
    expect_bits({0b1110, 0b1}, "bitmap-bit-clear", Verdict::kFail);
    expect_bits({0b101100, 0b1}, "bitmap-bit-clear", Verdict::kFail);  // NaN, or missing
    expect_bits({0b00110000, 0b10000000}, "bitmap-lsb-first", Verdict::kFail);
    expect(with_bitmap(kind, {kind.mid, kind.twin}, {0b1100, 0b1100}), "bitmap-values-distinct",
           kind.explained ? Verdict::kFail : Verdict::kNotChecked, kind.name);
    if (!kind.nan || !kind.explained) continue;
    // Under NaN itself, only the bits of NaN rows are free.
    for (const int bits : {0, 0b100000})
      for (const char* clause : {"bitmap-bit-set", "bitmap-bit-clear"})
        expect(with_bitmap(kind, {*kind.nan, kind.high}, {bits, 0b1}), clause, Verdict::kPass,
               kind.name);
    expect(with_bitmap(kind, {*kind.nan, kind.high}, {0b10, 0b1}), "bitmap-bit-clear",
           Verdict::kFail, kind.name);
  }
}

// --- 10.7 ----------------------------------------------------------------------------------------

Results with_bloom(const Kind& kind, const std::vector<std::byte>& bits) {
  TableBuilder t = with_column(kind, rows_of(kind), kind.fill);
  t.add_group("SEARCH_INDEXES");
  t.add_dataset("SEARCH_INDEXES/i", integer_type(1, false), {3, 8});
  store(t, "SEARCH_INDEXES/i", {bits});
  t.set("SEARCH_INDEXES/i", attribute("k", integer_type(2, false), Cell(3)));
  t.set("SEARCH_INDEXES/i", attribute("m_bits", integer_type(8, false), Cell(64)));
  t.set("SEARCH_INDEXES/i", attribute("seed", integer_type(4, false), Cell(0)));
  t.set("SEARCH_INDEXES/i", ascii("hash_family", "murmur3_x64_128_double"));
  list(t, "CHUNK_BLOOM");
  return judged(t);
}

TEST(EveryDatatype, IsHashedOrHasAReason) {
  for (const Kind& kind : kinds()) {
    Bytes right(24);
    if (kind.hashed) {
      TableBuilder t = with_column(kind, rows_of(kind), kind.fill);
      auto rows = t.values.stream(t.dataset("x"), 8);
      ASSERT_TRUE(rows);
      right = *build_chunk_bloom(t.dataset("x"), **rows, {.k = 3, .m_bits = 64, .seed = 0});
    }
    const auto if_hashed = [&](Verdict verdict) {
      return kind.hashed ? verdict : Verdict::kNotChecked;
    };
    const Results results = with_bloom(kind, right);
    expect(results, "bloom-membership", if_hashed(Verdict::kPass), kind.name);
    expect(results, "bloom-nan-not-inserted",
           !kind.nan || kind.order != Order::kListed ? Verdict::kNotApplicable : Verdict::kPass,
           kind.name);
    int refused = 0;
    for (const char* clause :
         {"bloom-type", "bloom-no-reference-column", "bloom-no-composite-column"})
      refused += results.find(clause)->second.verdict == Verdict::kFail;
    EXPECT_EQ(refused, kind.hashed ? 0 : 1) << kind.name;
    expect(with_bloom(kind, Bytes(24)), "bloom-membership", if_hashed(Verdict::kFail), kind.name);
  }
}

// Every clause about data is tested above, for every datatype.
TEST(EveryDatatype, IsJudgedByEveryClauseAboutData) {
  const Ids asked{"data-within-valid-range", "enum-missing-member",
                  "boolean-widen",           "sentinel-in-domain-declare-range",
                  "code-in-range",           "bloom-membership",
                  "bloom-nan-not-inserted"};
  for (const std::string& clause : data_clauses("")) {
    const bool by_family = clause.starts_with("minmax-") || clause.starts_with("sorted-") ||
                           clause.starts_with("bitmap-");
    EXPECT_TRUE(by_family || std::ranges::contains(asked, clause)) << clause;
  }
}

// Exactly the indexable types are judged: `index build` and the rules agree.
TEST(EveryDatatype, IsIndexedExactlyIfRulesPermitIt) {
  for (const Kind& kind : kinds()) {
    const auto builds = [&](IndexKind family) {
      return !index_refusal(family, kind.type, revision_of(older_revision()));
    };
    EXPECT_EQ(builds(IndexKind::kChunkMinmax), kind.order == Order::kListed) << kind.name;
    EXPECT_EQ(builds(IndexKind::kSortedRows), kind.order == Order::kListed) << kind.name;
    EXPECT_EQ(builds(IndexKind::kChunkBloom), kind.hashed) << kind.name;
    const bool kept = !contains_class(kind.type, TypeClass::kReference) &&
                      (!has_variable_part(kind.type) || kind.type.variable_string());
    EXPECT_EQ(builds(IndexKind::kBitmap), kind.explained && kept) << kind.name;
  }
}

}  // namespace

}  // namespace hepcheck::hep001
