// Random tables, with links, references, attributes and reasons of any kind at any place: the roles
// of their objects in each revision, the revision that their signs choose, the state of indexes,
// and what is unknown. It equals the golden file: a line for each set of tables, with the number of
// objects in each role.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <format>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/formats/hep001/model/comparable.h"
#include "validator/formats/hep001/model/integers.h"
#include "validator/formats/hep001/model/revision.h"
#include "validator/formats/hep001/model/table.h"
#include "validator/formats/hep001/model/unread.h"
#include "validator/formats/hep001/testing/model_text.h"
#include "validator/testing/golden_files.h"
#include "validator/testing/random.h"

namespace hepcheck::hep001::random_models {
namespace {

using Data = std::vector<std::byte>;

Data bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

// --- Attributes ----------------------------------------------------------------------------------

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed), tokens_(random_.once_in(2)) {}

  Table table() {
    Table made;
    made.group = group("/t", 0);
    perhaps(12, [&] { made.group.attributes.emplace("NROWS", number("NROWS")); }, true);
    perhaps(
        tokens_ ? 12 : 3,
        [&] { made.group.attributes.emplace("GENERATION", number("GENERATION")); }, tokens_);
    return made;
  }
  Random& random() { return random_; }

  // A text in any encoding.
  Attribute text(std::string name, const std::string& value) {
    Attribute made{.name = std::move(name)};
    const bool one = random_.once_in(4);
    if (one) made.space = {.kind = Dataspace::Kind::kSimple, .extent = {1}, .max_extent = {1}};
    switch (random_.below(4)) {
      case 0:
        made.type = variable_string_type(CharacterSet::kUtf8);
        made.strings = {value};
        return unread(std::move(made));
      case 1:
        made.type =
            fixed_string_type(value.size() + 1, StringPadding::kNullTerm, CharacterSet::kAscii);
        made.bytes = bytes_of(value + std::string(1, '\0'));
        break;
      case 2:
        made.type =
            fixed_string_type(value.size() + 2, StringPadding::kSpacePad, CharacterSet::kUtf8);
        made.bytes = bytes_of(value + "  ");
        break;
      default:
        made.type = fixed_string_type(std::max<std::size_t>(1, value.size()),
                                      StringPadding::kNullPad, CharacterSet::kAscii);
        made.bytes = bytes_of(value.empty() ? std::string(1, '\0') : value);
    }
    return unread(std::move(made));
  }

  // A small number: mostly a scalar of 64 bits.
  Attribute number(std::string name) {
    Attribute made{.name = std::move(name)};
    made.type = integer_type(8, false);
    if (random_.once_in(16)) made.type = integer_type(std::size_t{1} << random_.below(4), true);
    if (random_.once_in(8)) made.type.order = ByteOrder::kBig;
    if (random_.once_in(24)) made.type = ieee_float_type(8);
    if (random_.once_in(12))
      made.space = {.kind = Dataspace::Kind::kSimple, .extent = {random_.below(3)}};
    const std::uint64_t value = random_.once_in(4) ? random_.below(3) : 2;
    made.bytes = stored_integer(made.type, value).value_or(Data(made.type.size));
    if (made.space.elements() != 1) made.bytes.resize(made.space.elements() * made.type.size);
    return unread(std::move(made));
  }

  Attribute references(std::string name) {
    Attribute made{.name = std::move(name), .type = standard_reference_type()};
    const std::uint64_t count = random_.below(4);
    if (count != 1) made.space = {.kind = Dataspace::Kind::kSimple, .extent = {count}};
    for (std::uint64_t i = 0; i < count; ++i) {
      Reference each;
      if (!random_.once_in(6)) {
        each.kind = Reference::Kind::kObject;
        each.target =
            random_.once_in(8) ? Reference::Target::kDangling : Reference::Target::kObject;
        each.token = token();
      }
      made.references.push_back(each);
    }
    return unread(std::move(made));
  }

  // --- Objects

  ObjectToken token() {
    ObjectToken made;
    made.bytes[0] = static_cast<std::uint8_t>(1 + random_.below(12));
    return made;
  }

  Datatype type() {
    switch (random_.below(8)) {
      case 0: return boolean_type();
      case 1: return enum_type(integer_type(1, false), {{"FALSE", 0}, {"TRUE", 1}});
      case 2: return enum_type(integer_type(2, true), {{"a", 1}, {"b", 2}});
      case 3: return variable_string_type(CharacterSet::kUtf8);
      case 4: return ieee_float_type(4, ByteOrder::kBig);
      default: return integer_type(4, true);
    }
  }

  std::shared_ptr<Dataset> dataset(const Child& link) {
    auto made = std::make_shared<Dataset>(
        Dataset{.name = link.name, .path = link.path, .token = link.token, .type = type()});
    const std::uint64_t rank = random_.once_in(4) ? random_.below(3) : 1;
    if (rank > 0) made->space.kind = Dataspace::Kind::kSimple;
    for (std::uint64_t d = 0; d < rank; ++d) made->space.extent.push_back(random_.below(5));
    if (random_.once_in(2)) {
      made->storage.layout = StorageLayout::kChunked;
      made->storage.chunk.assign(rank, 1 + random_.below(3));
    }
    constexpr FillState kStates[] = {FillState::kDefault, FillState::kUserDefined,
                                     FillState::kUndefined};
    made->storage.fill_state = random_.one_of(kStates);
    if (made->storage.fill_state == FillState::kUserDefined)
      made->storage.fill.resize(made->type.size - random_.below(2));
    if (random_.once_in(10)) made->storage.fill_unreadable = "its fill value";
    Attributes& all = made->attributes;
    constexpr const char* kKinds[] = {"CHUNK_MINMAX", "SORTED_ROWS", "BITMAP",
                                      "CHUNK_BLOOM",  "BITMAPS",     ""};
    const char* const kind = random_.one_of(kKinds);
    perhaps(2, [&] { all.emplace("KIND", text("KIND", kind)); });
    for (const char* name : {"SEARCH_INDEX_LIST", "CATEGORIES", "VALUES"})
      perhaps(3, [&] { all.emplace(name, references(name)); });
    for (const char* name : {"SOURCE_GENERATION", "SOURCE_NROWS"})
      perhaps(tokens_ ? 12 : 3, [&] { all.emplace(name, number(name)); }, tokens_);
    perhaps(4, [&] { all.emplace("exhaustive", number("exhaustive")); });
    if (random_.once_in(12)) made->unreadable = "the dataset " + link.path;
    if (random_.once_in(12)) made->attributes_unreadable = "attributes of " + link.path;
    return made;
  }

  Group group(std::string path, unsigned depth) {
    Group made{.path = std::move(path), .token = token()};
    constexpr const char* kClasses[] = {"LIST_COLUMN", "STRING_VALUES", "COLUMN_TABLE", "OTHER"};
    const char* const cls = random_.one_of(kClasses);
    if (depth > 0) perhaps(3, [&] { made.attributes.emplace("CLASS", text("CLASS", cls)); }, true);
    constexpr const char* kKinds[] = {"OFFSETS", "OFFSETS", "COUNTS"};
    const char* const kind = random_.one_of(kKinds);
    perhaps(2, [&] { made.attributes.emplace("KIND", text("KIND", kind)); });
    perhaps(5,
            [&] { made.attributes.emplace("SEARCH_INDEX_LIST", references("SEARCH_INDEX_LIST")); });
    if (random_.once_in(15)) made.unreadable = "links of " + made.path;
    if (random_.once_in(15)) made.attributes_unreadable = "attributes of " + made.path;
    std::vector<const char*> names = {"a", "b", "c", "VALUES", "OFFSETS", "MASK", "CHARS"};
    if (depth == 0)
      for (const char* name : {"CATEGORIES", "SEARCH_INDEXES"})
        if (!random_.once_in(4)) made.children.push_back(child(made, name, depth));
    const std::uint64_t count = random_.below(depth == 0 ? 10 : 6);
    for (std::uint64_t i = 0; i < count; ++i) {
      const char* const name = names[random_.below(names.size())];
      if (!made.child(name)) made.children.push_back(child(made, name, depth));
    }
    return made;
  }

  Child child(const Group& parent, const std::string& name, unsigned depth) {
    Child made{.name = name, .path = parent.path + "/" + name};
    constexpr Child::LinkKind kLinks[] = {Child::LinkKind::kSoft, Child::LinkKind::kExternal,
                                          Child::LinkKind::kUserDefined};
    if (random_.once_in(12)) made.link = random_.one_of(kLinks);
    made.token = token();
    const bool reserved = name == "CATEGORIES" || name == "SEARCH_INDEXES";
    const std::uint64_t kind = random_.below(16);
    const bool group_here = reserved ? kind > 3 : kind < 6;
    made.object = kind == 0    ? ObjectKind::kUnknown
                  : kind == 1  ? ObjectKind::kNamedDatatype
                  : group_here ? ObjectKind::kGroup
                               : ObjectKind::kDataset;
    if (random_.once_in(15)) made.unreadable = "the object " + made.path;
    if (!made.hard()) return made;
    if (made.is_dataset() && !random_.once_in(20)) made.dataset = dataset(made);
    if (made.is_group() && depth < 4 && !random_.once_in(20)) {
      made.group = std::make_shared<Group>(group(made.path, depth + 1));
      made.group->token = made.token;
    }
    return made;
  }

 private:
  Attribute unread(Attribute made) {
    if (random_.once_in(20)) {
      made.unreadable = "the attribute " + made.name;
      made.bytes.clear();
      made.strings.clear();
      made.references.clear();
    }
    return made;
  }
  // Once in so many times, or except for that.
  void perhaps(std::uint64_t times, const auto& make, bool otherwise = false) {
    if (random_.once_in(times) != otherwise) make();
  }

  Random random_;
  bool tokens_;  // most indexes have them
};

std::string_view or_none(const std::optional<std::string>& text) {
  return text ? std::string_view(*text) : "-";
}

// --- What is found -------------------------------------------------------------------------------

std::string unknown_of(const Table& table) {
  const Unread unread = unread_of(table);
  std::string made;
  for (const auto& each : {unread.columns, unread.lists, unread.categories, unread.indexes,
                           unread.references, unread.any()})
    made += std::format("{}|", or_none(each));
  for (const char* name : {"CATEGORIES", "SEARCH_INDEXES"})
    made += std::format("{}|", or_none(unlisted(table, name)));
  for (const auto& some :
       {unread_columns(table), unread_categories(table), unread_indexes(table)}) {
    for (const Child* each : some)
      made += std::format("{}: {},", each->path, or_none(why_unread(*each)));
    made += '|';
  }
  return made;
}

// The values of all attributes below a group.
void values_of(const Attributes& attributes, std::string& into) {
  for (const auto& [name, each] : attributes) {
    into += std::format("{} {} {} {} {}:", name, describe(each.space), each.space.elements(),
                        unsigned_value(each).value_or(99), signed_value(each).value_or(99));
    into += std::string(or_none(string_value(each)));
    for (const std::string& text : string_elements(each)) into += '"' + text + '"';
    into += is_string(&each, "BITMAP") ? "bitmap\n" : "\n";
  }
}
void values_of(const Group& group, std::string& into) {
  values_of(group.attributes, into);
  for (const Child& each : group.children) {
    if (each.dataset) {
      values_of(each.dataset->attributes, into);
      const std::vector<std::byte>* const fill = fill_bytes(*each.dataset);
      into += std::format("{} {}\n", fill ? fill->size() : 99, has_user_fill(*each.dataset));
    }
    if (each.group) values_of(*each.group, into);
  }
}

TEST(RandomModels, FindingsEqualTheGoldenFile) {
  constexpr std::uint64_t kSets = 20, kTables = 150;
  std::string text;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    std::string all;
    std::map<std::string, std::size_t> counts;
    for (std::uint64_t i = 0; i < kTables; ++i) {
      Table table = Maker(1'000 * set + i).table();
      const RevisionChoice choice = revision_by_signs(table.group);
      all += std::format("{} {} {} {}\n", choice.revision->spec, static_cast<int>(choice.choice.by),
                         choice.choice.sign, choice.choice.path);
      ++counts[std::format("{}", choice.choice.sign)];
      values_of(table.group, all);
      for (const Revision& each : all_revisions()) {
        assign_roles(table, each);
        all += model_text::roles_of(table) + unknown_of(table) + '\n';
        counts["columns"] += table.columns.size();
        counts["lists"] += table.lists.size();
        counts["indexes"] += table.indexes.size();
        for (const SearchIndex& index : table.indexes)
          ++counts[std::format("state {}", static_cast<int>(index.gate.state))];
      }
    }
    text += std::format("{}: {}\n", set, golden::digest_of(all));
    if (set == 0)
      for (const auto& [what, times] : counts) text += std::format("  {} {}\n", times, what);
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hep001/golden/random_models.txt"));
}

// --- Datatypes -----------------------------------------------------------------------------------

std::shared_ptr<const Datatype> kept(Datatype type) {
  return std::make_shared<const Datatype>(std::move(type));
}

std::vector<Datatype> datatypes() {
  std::vector<Datatype> all = {boolean_type(),
                               enum_type(integer_type(2, true), {{"a", 1}, {"b", -2}}),
                               variable_string_type(CharacterSet::kUtf8),
                               fixed_string_type(4, StringPadding::kNullPad, CharacterSet::kAscii),
                               opaque_type(4, "tag"),
                               standard_reference_type()};
  for (const std::size_t bytes : {1, 2, 3, 4, 8}) {
    all.push_back(integer_type(bytes, bytes % 2 == 0));
    if (bytes % 2 == 0) all.push_back(ieee_float_type(bytes));
    Datatype bits = integer_type(bytes, false);
    bits.cls = TypeClass::kBitfield;
    all.push_back(bits);
  }
  Datatype x87{.cls = TypeClass::kFloat, .size = 16, .order = ByteOrder::kLittle, .precision = 80};
  x87.floating = {79, 64, 15, 0, 64, 16383, false};
  all.push_back(x87);
  all.push_back({.cls = TypeClass::kTime, .size = 4, .order = ByteOrder::kLittle, .precision = 32});
  const std::size_t plain = all.size();
  for (std::size_t i = 0; i < plain; i += 3) {
    const Datatype base = all[i], other = all[plain - 1 - i];
    all.push_back({.cls = TypeClass::kVlen, .size = 16, .base = kept(base)});
    all.push_back(
        {.cls = TypeClass::kArray, .size = 6 * base.size, .base = kept(base), .dims = {2, 3}});
    all.push_back(compound_type(base.size + other.size + 1,
                                {{.name = "x", .offset = 0, .type = kept(base)},
                                 {.name = "y", .offset = base.size + 1, .type = kept(other)}}));
  }
  return all;
}

// The same with one property that is another, valid or not.
std::vector<Datatype> variants(const Datatype& type) {
  std::vector<Datatype> all{type};
  const auto add = [&](const auto& change) {
    all.push_back(type);
    change(all.back());
  };
  using enum ByteOrder;
  add([](Datatype& it) { ++it.size; });
  for (const ByteOrder order : {kBig, kVax, kMixed, kNone})
    add([&](Datatype& it) { it.order = order; });
  add([](Datatype& it) { it.precision -= it.precision > 0; });
  add([](Datatype& it) { ++it.bit_offset; });
  add([](Datatype& it) { it.is_signed = !it.is_signed; });
  add([](Datatype& it) { it.variable_length = !it.variable_length; });
  add([](Datatype& it) { it.padding = StringPadding::kSpacePad; });
  add([](Datatype& it) { it.padding = StringPadding::kOther; });
  add([](Datatype& it) { it.character_set = CharacterSet::kOther; });
  add([](Datatype& it) { it.tag += 'x'; });
  add([](Datatype& it) { it.reference = ReferenceKind::kLegacyObject; });
  add([](Datatype& it) { it.reference = ReferenceKind::kLegacyRegion; });
  add([](Datatype& it) { ++it.floating.sign_position; });
  add([](Datatype& it) { ++it.floating.exponent_position; });
  add([](Datatype& it) { ++it.floating.exponent_size; });
  add([](Datatype& it) { ++it.floating.mantissa_position; });
  add([](Datatype& it) { --it.floating.mantissa_size; });
  add([](Datatype& it) { ++it.floating.exponent_bias; });
  add([](Datatype& it) { it.floating.implied_one = !it.floating.implied_one; });
  add([](Datatype& it) { it.dims = {3, 2}; });
  add([](Datatype& it) { it.base = nullptr; });
  add([](Datatype& it) { it.base = kept(integer_type(2, false, kBig)); });
  if (!type.members.empty()) {
    add([](Datatype& it) { it.members.pop_back(); });
    add([](Datatype& it) { std::ranges::reverse(it.members); });
    add([](Datatype& it) { it.members[1].name = "TRUE"; });
    add([](Datatype& it) { ++it.members[1].offset; });
    add([](Datatype& it) { it.members[1].type = nullptr; });
    add([](Datatype& it) { it.members[1].value = {std::byte{3}}; });
    add([](Datatype& it) { it.members.resize(8); });
  }
  return all;
}

TEST(RandomModels, DatatypesEqualTheGoldenFile) {
  std::string text;
  const Data pattern =
      bytes_of(std::string_view("\x81\x02\xff\x40\0\x7f ab\xf0\0\x01\x80\0\0\x3f"
                                "0123456789abcdef0123456789abcdef0123456789abcdef"
                                "0123456789abcdef0123456789abcdef0123456789abcdef",
                                112));
  for (const Datatype& base : datatypes()) {
    std::string all;
    const std::vector<Datatype> some = variants(base);
    for (const Datatype& one : some) {
      all += std::format("{} {} {} {} {} {} {}", describe(one), or_none(incomparable(one)),
                         is_number(one), has_variable_part(one), is_ieee_float(one),
                         is_boolean_enum(one), is_hep001_boolean(one));
      for (const std::size_t bytes : {1, 2, 4, 8})
        all +=
            std::format(" {} {}", is_unsigned_integer(one, bytes), is_signed_integer(one, bytes));
      for (int cls = 0; cls <= static_cast<int>(TypeClass::kUnknown); ++cls)
        all += contains_class(one, static_cast<TypeClass>(cls)) ? '1' : '0';
      for (const Datatype& other : some)
        all += static_cast<char>('0' + static_cast<int>(compare(one, other)));
      const std::span stored = std::span(pattern).first(std::min(one.size, pattern.size()));
      if (!has_variable_part(one)) all += comparable_form(one, stored);
      if (const auto value = integer_value(one, stored))
        all += std::format(" {} {} {}", value->bits, value->negative, integer_text(one, stored));
      for (const std::uint64_t value :
           {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128}, ~std::uint64_t{0}}) {
        const auto made = stored_integer(one, value);
        all += made ? model_text::hex(*made) : "-";
      }
      for (const Revision& each : all_revisions())
        all += std::format("{} {}\n", each.is_boolean(one), each.is_boolean_column(one));
    }
    text += std::format("{}: {}\n", describe(base), golden::digest_of(all));
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hep001/golden/datatypes.txt"));
}

}  // namespace
}  // namespace hepcheck::hep001::random_models
