// Tables with everything that HEP001 offers, changed in several random places, often in the same
// way: attributes in any form, links of any kind, other datatypes, shapes and storage, reasons why
// something was not read. All that the rules say equals the golden file, which has a line for each
// clause of each revision with the number of findings and of tables without a verdict.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <format>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/formats/hep001/judge.h"
#include "validator/formats/hep001/testing/rule_testing.h"
#include "validator/testing/golden_files.h"
#include "validator/testing/random.h"

namespace hepcheck::hep001::random_tables {
namespace {

constexpr int kTables = 420;  // of each revision

std::shared_ptr<const Datatype> shared(Datatype type) {
  return std::make_shared<const Datatype>(std::move(type));
}

Datatype sequence_of(Datatype base) {
  return {.cls = TypeClass::kVlen, .size = 16, .base = shared(std::move(base))};
}
Datatype array_of(Datatype base) {
  const std::size_t size = 2 * base.size;
  return {.cls = TypeClass::kArray, .size = size, .base = shared(std::move(base)), .dims = {2}};
}
Datatype pair_of(const Datatype& one, const Datatype& other) {
  return compound_type(one.size + other.size,
                       {{.name = "one", .offset = 0, .type = shared(one), .value = {}},
                        {.name = "other", .offset = one.size, .type = shared(other), .value = {}}});
}

// A list, whose elements are lists or strings, or the numbers of a dataset.
void add_level(TableBuilder& t, const std::string& path, const Cells& offsets, const Cells& mask) {
  t.add_group(path);
  t.set(path, ascii("CLASS", "LIST_COLUMN"));
  t.set(path, ascii("KIND", "OFFSETS"));
  t.add_dataset(path + "/OFFSETS", integer_type(8, false), {offsets.size()}, offsets);
  t.add_dataset(path + "/MASK", boolean_type(), {mask.size()}, mask);
}

// Two of everything.
TableBuilder rich_table(bool newer) {
  TableBuilder t = newer ? newer_table() : good_table();
  t.add_column("kind", integer_type(2, true, ByteOrder::kBig), Cells(16, 1), -1, 4);
  t.add_dataset("CATEGORIES/kinds",
                fixed_string_type(3, StringPadding::kNullPad, CharacterSet::kUtf8), {2},
                {"one", "two"});
  t.set("CATEGORIES/kinds", boolean("ordered", true));
  t.set("kind", reference("CATEGORIES", t.to("CATEGORIES/kinds")));
  const std::string index = "SEARCH_INDEXES/passed__bitmap";
  t.add_dataset("SEARCH_INDEXES/passed__values", boolean_type(), {2}, {0, 1});
  t.add_dataset(index, integer_type(1, false), {2, 2}, {0x99, 0x01, 0x66, 0x02});
  t.set(index, ascii("KIND", "BITMAP"));
  t.set(index, utf8("description", "by hand"));
  t.set(index, reference("VALUES", t.to("SEARCH_INDEXES/passed__values")));
  t.set(index, boolean("exhaustive", true));
  t.set("passed", references("SEARCH_INDEX_LIST", {t.to(index)}));
  const auto list = [&](std::initializer_list<const char*> more) {
    std::vector<std::string> names = string_elements(t.attribute("", "column-order"));
    names.insert(names.end(), more.begin(), more.end());
    t.set("", utf8_list("column-order", names));
  };
  if (!newer) {
    list({"kind"});
    return t;
  }
  list({"kind", "deep", "words"});
  Dataset& bitmap = t.dataset(index);
  bitmap.storage.layout = StorageLayout::kChunked;
  bitmap.storage.chunk = {2, 2};
  bitmap.space.max_extent = {Dataspace::kUnlimited, Dataspace::kUnlimited};
  t.set(index, attribute("SOURCE_GENERATION", integer_type(8, false), Cell(7)));
  t.set(index, attribute("SOURCE_NROWS", integer_type(8, false), Cell(10)));
  add_level(t, "deep", {0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4}, Cells(10, 1));
  add_level(t, "deep/VALUES", {0, 2, 2, 3, 5}, {1, 0, 1, 1});
  add_level(t, "deep/VALUES/VALUES", {0, 1, 2, 2, 3, 4}, Cells(5, 1));
  t.add_dataset("deep/VALUES/VALUES/VALUES", integer_type(2, true), {4}, {1, 2, 3, 4});
  add_level(t, "words", {0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3}, Cells(10, 1));
  add_level(t, "words/VALUES", {0, 1, 1, 2}, {1, 0, 1});
  const std::string texts = "words/VALUES/VALUES";
  t.add_group(texts);
  t.set(texts, ascii("CLASS", "STRING_VALUES"));
  t.add_dataset(texts + "/OFFSETS", integer_type(8, false), {3}, {0, 2, 4});
  t.add_dataset(texts + "/CHARS", integer_type(1, false), {4}, {'a', 'b', 0xC3, 0xA9});
  return t;
}

constexpr std::string_view kNames[] = {"CLASS",
                                       "KIND",
                                       "VERSION",
                                       "NROWS",
                                       "TITLE",
                                       "INDEX_COLUMNS",
                                       "GENERATION",
                                       "SOURCE_GENERATION",
                                       "SOURCE_NROWS",
                                       "SEARCH_INDEX_LIST",
                                       "CATEGORIES",
                                       "VALUES",
                                       "MASK",
                                       "OFFSETS",
                                       "CHARS",
                                       "valid_min",
                                       "valid_max",
                                       "ordered",
                                       "exhaustive",
                                       "nan_tail_length",
                                       "fill_tail_length",
                                       "k",
                                       "m_bits",
                                       "seed",
                                       "hash_family",
                                       "column-order",
                                       "_index",
                                       "encoding-type",
                                       "encoding-version",
                                       "description",
                                       "units",
                                       "units_vocabulary",
                                       "Units",
                                       "column_order",
                                       "Ordered",
                                       "kind",
                                       "Index-Columns",
                                       "note"};
constexpr std::string_view kTexts[] = {"COLUMN_TABLE",
                                       "LIST_COLUMN",
                                       "STRING_VALUES",
                                       "OFFSETS",
                                       "Offsets",
                                       "COUNTS",
                                       "1.0",
                                       "1.1",
                                       "2.0",
                                       "1.0.0",
                                       "1.0.0.0",
                                       "01.0",
                                       "BITMAP",
                                       "SORTED_ROWS",
                                       "CHUNK_MINMAX",
                                       "CHUNK_BLOOM",
                                       "bitmap",
                                       "ZONEMAP",
                                       "ts",
                                       "row_id",
                                       "tracks",
                                       "label__CATEGORIES",
                                       "CATEGORIES/kinds",
                                       "categorical",
                                       "dataframe",
                                       "murmur3_x64_128_double",
                                       "murmur3",
                                       "",
                                       "x\xc3",
                                       "\xff",
                                       "\xc3\xa9"};

class Changes {
 public:
  Changes(TableBuilder& t, Random& random) : t_(t), random_(random) {}

  void make() {
    const bool alike = random_.once_in(2);
    std::uint64_t kind = random_.below(kKinds);
    if (alike) name_ = random_.one_of(kNames);
    for (std::uint64_t n = 1 + random_.below(8); n > 0; --n) {
      if (!alike) kind = random_.below(kKinds);
      change(kind);
    }
  }

 private:
  static constexpr std::uint64_t kKinds = 30;

  void change(std::uint64_t kind) {
    const std::string path = any_object();
    // What hides everything else is rare.
    const bool small = !path.empty() || random_.once_in(8);
    if (kind < 8) {
      const std::string_view name = any_name_of(path);
      return t_.set(path, any_attribute(name));
    }
    if (kind < 14) {
      const std::string_view name = name_.empty() ? random_.one_of(kNames) : name_;
      return t_.set(path, any_attribute(name));
    }
    switch (kind) {
      case 14:
      case 15: {
        Attributes& all = t_.attributes(path);
        if (!all.empty()) all.erase(std::next(all.begin(), pick(all.size())));
        return;
      }
      case 16:
        if (small) t_.attributes_unreadable(path) = "attributes that cannot be listed";
        return;
      case 17:
        if (small) unread(path);
        return;
      case 18: return link(path);
      case 19:
      case 20:
      case 21:
      case 22: return dataset(any_dataset());
      case 23: return storage(t_.dataset(any_dataset()).storage);
      case 24:
      case 25: return values(any_dataset());
      case 26:
      case 27: return add();
      case 28:
        if (!path.empty()) t_.remove(path);
        return;
      default:
        if (!path.empty()) rename(path);
    }
  }

  std::ptrdiff_t pick(std::size_t count) {
    return static_cast<std::ptrdiff_t>(random_.below(count));
  }

  // As often the table itself, a column or an index as any other object.
  std::string any_object() {
    const std::uint64_t place = random_.below(4);
    const std::string_view within = place == 1 ? "" : "SEARCH_INDEXES/";
    std::vector<std::string> all = t_.objects();
    if (place == 0) return "";
    if (place < 3)
      std::erase_if(all, [&](const std::string& path) {
        return !path.starts_with(within) || path.find('/', within.size()) != std::string::npos;
      });
    return all.empty() ? "" : all[random_.below(all.size())];
  }
  // One that is always there is added if there is none.
  std::string any_dataset() {
    std::vector<std::string> all;
    for (const std::string& path : t_.objects())
      if (t_.is_dataset(path)) all.push_back(path);
    if (all.empty()) {
      t_.add_dataset("extra", integer_type(4, true), {16}, Cells(16, 1));
      return "extra";
    }
    // Mostly columns.
    if (random_.once_in(2)) {
      std::vector<std::string> columns;
      for (const std::string& path : all)
        if (!path.contains('/')) columns.push_back(path);
      if (!columns.empty()) return columns[random_.below(columns.size())];
    }
    return all[random_.below(all.size())];
  }
  std::string any_group() {
    std::vector<std::string> all;
    for (const std::string& path : t_.objects())
      if (!t_.is_dataset(path)) all.push_back(path);
    return all[random_.below(all.size())];
  }
  // A name that the object has, as if its attribute had been written in another way.
  std::string_view any_name_of(const std::string& path) {
    const Attributes& all = t_.attributes(path);
    if (all.empty()) return random_.one_of(kNames);
    const auto it = std::next(all.begin(), pick(all.size()));
    for (const std::string_view name : kNames)
      if (name == it->first) return name;
    return random_.one_of(kNames);
  }

  // --- Attributes

  Attribute any_attribute(std::string_view name) {
    Attribute made = attribute_of_any_kind(std::string(name));
    if (random_.once_in(30)) {
      made.unreadable = "it is damaged";
      made.bytes.clear();
      made.strings.clear();
      made.references.clear();
    }
    return made;
  }

  Attribute attribute_of_any_kind(std::string name) {
    switch (random_.below(10)) {
      case 0: {
        const std::string_view text = random_.one_of(kTexts);
        return random_.once_in(2) ? ascii(std::move(name), text) : utf8(std::move(name), text);
      }
      case 1:
      case 2: return texts(std::move(name));
      case 3:
      case 4: return references_to_any(std::move(name));
      case 5:
      case 6: return number(std::move(name));
      case 7: {
        const std::uint64_t value = random_.below(4);
        if (value < 2) return boolean(std::move(name), value == 1);
        const Datatype base = integer_type(value, true);
        const Datatype type = enum_type(base, {{"FALSE", 0}, {"TRUE", 1}, {"NONE", 2}});
        return attribute(std::move(name), type, Cell(random_.below(4)));
      }
      case 8: {
        const std::string_view text = random_.one_of(kTexts);
        return variable_length(std::move(name), text);
      }
      default: {
        const Datatype number = integer_type(2, false);
        const Datatype kinds[] = {sequence_of(number), array_of(number), pair_of(number, number),
                                  Datatype{.cls = TypeClass::kBitfield,
                                           .size = 1,
                                           .order = ByteOrder::kLittle,
                                           .precision = 8}};
        Attribute made{.name = std::move(name), .type = kinds[random_.below(4)]};
        if (!has_variable_part(made.type)) made.bytes.resize(made.type.size, std::byte{1});
        return made;
      }
    }
  }

  Attribute texts(std::string name) {
    constexpr StringPadding kPaddings[] = {StringPadding::kNullTerm, StringPadding::kNullPad,
                                           StringPadding::kSpacePad};
    constexpr CharacterSet kSets[] = {CharacterSet::kUtf8, CharacterSet::kUtf8,
                                      CharacterSet::kAscii};
    const std::uint64_t count = random_.once_in(2) ? 1 : random_.below(5);
    std::vector<std::string> all;
    std::size_t size = 1;
    for (std::uint64_t i = 0; i < count; ++i) {
      all.emplace_back(random_.one_of(kTexts));
      size = std::max(size, all.back().size());
    }
    size += random_.below(2);
    const StringPadding padding = random_.one_of(kPaddings);
    const CharacterSet set = random_.one_of(kSets);
    const Datatype type = fixed_string_type(size, padding, set);
    const Cells cells(all.begin(), all.end());
    if (count == 1 && !random_.once_in(8)) return attribute(std::move(name), type, cells[0]);
    if (count == 0 && random_.once_in(2))
      return without_value(attribute(std::move(name), type, Cell("")));
    return attribute(std::move(name), type, cells);
  }

  Attribute references_to_any(std::string name) {
    const std::uint64_t count = random_.once_in(2) ? 1 : random_.below(5);
    std::vector<Reference> all;
    for (std::uint64_t i = 0; i < count; ++i) all.push_back(any_reference());
    Attribute made = references(std::move(name), all);
    if (count == 1 && random_.once_in(2)) made.space = {};
    return random_.once_in(8) ? legacy(std::move(made)) : made;
  }
  Reference any_reference() {
    Reference made = t_.to(any_object());
    switch (random_.below(10)) {
      case 0: return null_reference();
      case 1: return dangling_reference();
      case 2: return reference_elsewhere("other.h5");
      case 3: return region_of(std::move(made));
      case 4: return attribute_of(std::move(made));
      case 5: return t_.outside("/elsewhere");
      default: return made;
    }
  }

  Attribute number(std::string name) {
    constexpr std::size_t kSizes[] = {1, 2, 4, 8, 8};
    const std::size_t size = random_.one_of(kSizes);
    const bool is_signed = random_.once_in(3);
    const ByteOrder order = random_.once_in(3) ? ByteOrder::kBig : ByteOrder::kLittle;
    const auto value = static_cast<std::int64_t>(random_.below(14)) - 2;
    if (random_.once_in(8)) return attribute(std::move(name), ieee_float_type(8), Cell(1.5));
    const Datatype type = integer_type(size, is_signed, order);
    Attribute made = attribute(std::move(name), type, Cell(value));
    if (random_.once_in(6)) return shaped(std::move(made), {random_.below(3)});
    return made;
  }

  // --- Objects

  void unread(const std::string& path) {
    if (path.empty() || random_.once_in(2)) {
      if (t_.is_dataset(path))
        t_.dataset(path).unreadable = "a dataset that is damaged";
      else
        t_.group(path).unreadable = "links that cannot be listed";
      return;
    }
    Child& child = t_.child(path);
    child.dataset.reset();
    child.group.reset();
    child.unreadable = "an object that is damaged";
    if (random_.once_in(2)) child.object = ObjectKind::kUnknown;
  }

  void link(const std::string& path) {
    if (path.empty()) return;
    Child& child = t_.child(path);
    child.dataset.reset();
    child.group.reset();
    constexpr Child::LinkKind kLinks[] = {Child::LinkKind::kSoft, Child::LinkKind::kSoft,
                                          Child::LinkKind::kExternal, Child::LinkKind::kUserDefined,
                                          Child::LinkKind::kHard};
    child.link = random_.one_of(kLinks);
    switch (child.link) {
      case Child::LinkKind::kSoft:
        child.link_target = "/elsewhere";
        if (random_.once_in(2))
          child.soft_target = child.token;
        else
          child.object = ObjectKind::kUnknown;
        break;
      case Child::LinkKind::kHard: child.object = ObjectKind::kNamedDatatype; return;
      default: child.link_target = "other.h5:/x"; child.object = ObjectKind::kUnknown;
    }
    child.token = {};
  }

  Datatype any_type() {
    const Datatype small = integer_type(2, true), real = ieee_float_type(4);
    const Datatype text = fixed_string_type(4, StringPadding::kNullTerm, CharacterSet::kAscii);
    const Datatype varying = variable_string_type(CharacterSet::kUtf8);
    Datatype narrow = integer_type(1, false);
    narrow.precision = 1;
    Datatype bfloat = ieee_float_type(4);
    bfloat.floating.exponent_bias = 126;
    const Datatype all[] = {small,
                            real,
                            text,
                            varying,
                            narrow,
                            bfloat,
                            integer_type(1, false),
                            integer_type(8, false, ByteOrder::kBig),
                            boolean_type(),
                            enum_type(small, {{"FALSE", 0}, {"TRUE", 1}, {"MISSING", 2}}),
                            enum_type(small, {{"FALSE", 1}, {"TRUE", 0}, {"MISSING", 2}}),
                            enum_type(small, {{"A", 0}, {"MISSING", -1}}),
                            standard_reference_type(),
                            opaque_type(3, "tag"),
                            sequence_of(small),
                            array_of(real),
                            pair_of(small, pair_of(real, real)),
                            pair_of(varying, sequence_of(small)),
                            pair_of(sequence_of(pair_of(real, real)), small),
                            chunk_minmax_type(small)};
    return all[random_.below(std::size(all))];
  }

  void dataset(const std::string& path) {
    Dataset& data = t_.dataset(path);
    switch (random_.below(3)) {
      case 0: {
        data.type = any_type();
        data.storage.fill.clear();
        data.storage.fill_string.reset();
        data.storage.fill_form.reset();
        if (data.storage.fill_state != FillState::kUserDefined) break;
        if (data.type.variable_string())
          data.storage.fill_string = "x";
        else if (has_variable_part(data.type))
          data.storage.fill_form = "x";
        else
          data.storage.fill.resize(data.type.size, std::byte{2});
        break;
      }
      case 1: {
        const std::uint64_t rows = random_.below(20);
        const Dataspace spaces[] = {Dataspace{},
                                    null_space(),
                                    simple_space({rows}),
                                    simple_space({rows}),
                                    simple_space({4, rows}),
                                    simple_space({2, 3, 4})};
        data.space = spaces[random_.below(std::size(spaces))];
        break;
      }
      default: {
        if (data.space.extent.empty()) break;
        const std::uint64_t at = random_.below(data.space.extent.size());
        std::uint64_t& extent = data.space.extent[at];
        const std::uint64_t least = extent == 0 ? 0 : extent - 1;
        extent = least + random_.below(3);
        if (random_.once_in(2)) data.space.max_extent = data.space.extent;
      }
    }
    // Sequences in memory are addresses.
    if (has_variable_part(data.type) && !data.type.variable_string()) t_.values.set(data.token, {});
  }

  void storage(Storage& storage) {
    constexpr FillState kStates[] = {FillState::kDefault, FillState::kUserDefined,
                                     FillState::kUndefined};
    switch (random_.below(3)) {
      case 0:
        storage.layout = storage.layout == StorageLayout::kChunked ? StorageLayout::kContiguous
                                                                   : StorageLayout::kChunked;
        if (storage.chunk.empty()) storage.chunk = {1 + random_.below(8)};
        break;
      case 1:
        storage.fill_state = random_.one_of(kStates);
        if (storage.fill_state != FillState::kUserDefined) storage.fill.clear();
        break;
      default: storage.fill_unreadable = "the heap is damaged"; storage.fill.clear();
    }
  }

  // Small numbers in place of the values.
  void values(const std::string& path) {
    const Dataset& data = t_.dataset(path);
    if (has_variable_part(data.type)) return;
    std::vector<std::byte> bytes = random_.bytes(data.space.elements() * data.type.size);
    for (std::byte& byte : bytes) byte &= std::byte{0x81};
    t_.values.set(data.token, std::move(bytes));
  }

  void add() {
    constexpr std::string_view kLinkNames[] = {"aa",    "zz",    "OFFSETS",   "VALUES", "CHARS",
                                               "MASK",  "ts",    "KIND",      "BITMAP", "_x",
                                               "kinds", "x\xff", "CATEGORIES"};
    const std::string group = any_group();
    const std::string_view name = random_.one_of(kLinkNames);
    const std::string path = group.empty() ? std::string(name) : group + '/' + std::string(name);
    if (t_.has(path)) return;
    switch (random_.below(8)) {
      case 0:
      case 1: {
        const std::uint64_t rows = random_.once_in(2) ? 16 : random_.below(20);
        t_.add_dataset(path, integer_type(2, true), {rows}, Cells(rows, 1));
        return;
      }
      case 2: {
        t_.add_dataset(path, integer_type(2, true), {2, 3}, Cells(6, 1));
        return;
      }
      case 3: {
        constexpr std::string_view kClasses[] = {"LIST_COLUMN", "STRING_VALUES", "COLUMN_TABLE"};
        t_.add_group(path);
        const std::string_view cls = random_.one_of(kClasses);
        if (!random_.once_in(3)) t_.set(path, ascii("CLASS", cls));
        return;
      }
      case 4: t_.add_named_datatype(path); return;
      case 5: {
        Child& made = t_.add_soft_link(path, "/t/ts");
        if (t_.has("ts") && random_.once_in(2)) {
          made.soft_target = t_.child("ts").token;
          made.object = ObjectKind::kDataset;
        }
        return;
      }
      case 6: t_.add_external_link(path, "other.h5", "/x"); return;
      default: {
        const std::string existing = any_object();
        if (!existing.empty()) {
          t_.add_hard_link(path, existing);
          return;
        }
        Child& made = t_.add_named_datatype(path);  // the table in itself
        made.object = ObjectKind::kGroup;
        made.token = t_.table.group.token;
      }
    }
  }

  void rename(const std::string& path) {
    constexpr std::string_view kTo[] = {"VALUES", "MASK", "aa",          "zz",     "SEARCH_INDEXES",
                                        "CLASS",  "_y",   "SORTED_ROWS", "OFFSETS"};
    const std::size_t slash = path.rfind('/');
    const std::string group = slash == std::string::npos ? "" : path.substr(0, slash + 1);
    const std::string_view name = random_.one_of(kTo);
    if (!t_.has(group + std::string(name))) t_.rename(path, name);
  }

  TableBuilder& t_;
  Random& random_;
  std::string_view name_{};
};

struct Said {
  std::uint64_t findings = 0, unchecked = 0;
  std::string all{};

  void add(const ClauseResult& result) {
    all += std::format("{} {} {}", to_string(result.verdict), result.examined, result.reason);
    for (const Clause* each : result.blocked_by) all += std::string(each->id) + ' ';
    for (const Finding& each : result.findings) {
      all += std::format("{}|{}|{}|{}|{}|", to_string(each.severity), each.object, each.attribute,
                         each.where, each.more);
      all += each.observed + '|' + each.expected + '|' + each.hint + '|' + each.witness + '\n';
    }
    findings += result.findings.size();
    unchecked += result.verdict == Verdict::kNotChecked;
  }
};

TEST(RandomTables, HaveTheFindingsOfTheGoldenFile) {
  std::string text;
  for (const char* revision : {"hep001-2026-06-16", "hep001-2026-07-09"}) {
    const Specification& spec = *find_specification(revision);
    const bool newer = std::string_view(revision) == "hep001-2026-07-09";
    Random random(5101);
    std::vector<std::pair<const Clause*, Said>> said;
    for (int table = 0; table < kTables; ++table) {
      TableBuilder t = rich_table(newer);
      Changes(t, random).make();
      const SubjectReport report = examine(t.finish(spec), t.values, spec,
                                           {.memory_limit = std::uint64_t{1} << 30, .jobs = 1});
      std::size_t i = 0;
      for (const ClauseResult& result : report.clauses) {
        if (i == said.size()) said.emplace_back(result.clause, Said{});
        said[i++].second.add(result);
      }
    }
    for (const auto& [clause, each] : said)
      if (each.findings + each.unchecked > 1)
        text += std::format("{} {}: {} findings, {} not checked, {}\n", revision, clause->id,
                            each.findings, each.unchecked, golden::digest_of(each.all));
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hep001/golden/random_tables.txt"));
}

}  // namespace
}  // namespace hepcheck::hep001::random_tables
