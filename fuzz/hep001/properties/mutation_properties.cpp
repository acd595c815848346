// Mutates each part of a table in every way, one at a time, and compares the reports with golden
// files: golden/mutations-*.txt has a line for each part, with the number of its mutations that
// violate each clause, and a digest of the reports. The tables are one with everything that HEP001
// offers, which is also mutated in two parts at once, and those of mutated_tables.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <format>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "conformance/findings_text.h"
#include "fuzz/hep001/grammar/judge.h"
#include "fuzz/hep001/properties/mutated_tables.h"
#include "validator/catalogue/clause.h"
#include "validator/formats/hep001/derive/facts.h"
#include "validator/formats/hep001/derive/shared_facts.h"
#include "validator/formats/hep001/judge.h"
#include "validator/formats/hep001/testing/build.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hep001 {

namespace {

namespace fs = std::filesystem;

using grammar::TestTable;
using Mutation = std::function<void(TableBuilder&)>;
// By the mutated part, in order.
struct Mutations {
  struct OfThing {
    std::string thing, path;
    bool link;  // the object may not exist any more
    std::vector<Mutation> mutations{};
  };
  std::vector<OfThing> all{};
  void add(const std::string& path, const std::string& what, Mutation mutation) {
    const std::string thing = path + what;
    if (all.empty() || all.back().thing != thing) all.push_back({thing, path, what == " link"});
    all.back().mutations.push_back(std::move(mutation));
  }
};

// --- Findings ------------------------------------------------------------------------------------

// Appends the texts with a character after each: std::format takes more time than the examination.
void append(std::string& all, char after, std::initializer_list<std::string_view> texts) {
  for (const std::string_view text : texts) {
    all += text;
    all += after;
  }
  all.back() = '\n';
}

void append(std::string& all, const Finding& it) {
  append(all, '|',
         {to_string(it.severity), it.object, it.attribute, it.where, it.observed, it.expected,
          it.hint, it.witness, std::to_string(it.more)});
}

// For one table: the whole report is added to `all`, violated clauses are counted.
void add(const SubjectReport& report, std::string& all,
         std::map<std::string, std::size_t>& broken) {
  for (const ClauseResult& result : report.clauses) {
    append(all, ' ',
           {result.clause->id, to_string(result.verdict), std::to_string(result.examined),
            result.reason});
    for (const Finding& finding : result.findings) append(all, finding);
    if (result.verdict == Verdict::kFail)
      ++broken[std::format("{} {}", to_string(result.severity), result.clause->id)];
    if (result.verdict == Verdict::kNotChecked) ++broken["not checked"];
  }
  for (const std::string& note : report.notes) all += note + '\n';
  all += conformance::findings_text(FileReport{.path = "t.h5", .subjects = {report}});
}

// --- Attributes --------------------------------------------------------------------------------

// A reference to an object of the whole tables; null if it does not exist.
Reference target_in(TableBuilder& t, const std::string& path) {
  return path.empty() || t.has(path) ? t.to(path) : null_reference();
}

void mutate_attribute(const std::string& path, const std::string& name, Mutations& into) {
  // Another mutation may have removed it.
  const auto add = [&](Mutation mutation) {
    into.add(path, '@' + name, [=](TableBuilder& t) {
      if (t.attributes(path).contains(name)) mutation(t);
    });
  };
  const auto change = [&](auto make) {
    add([=](TableBuilder& t) { t.set(path, make(t, t.attribute(path, name))); });
  };
  add([=](TableBuilder& t) { t.erase(path, name); });
  add([=](TableBuilder& t) {
    t.erase(path, name);
    t.attributes_unreadable(path) = "cannot be listed";
  });
  change([](TableBuilder&, Attribute a) {
    a.unreadable = "cannot be read";
    a.bytes.clear();
    a.strings.clear();
    a.references.clear();
    return a;
  });
  for (const std::uint64_t length : {0, 1, 2, 3})
    add([=](TableBuilder& t) { t.set(path, shaped(t.attribute(path, name), {length})); });
  change([](TableBuilder&, const Attribute& a) { return shaped(a, {1, 1}); });
  change([](TableBuilder&, const Attribute& a) { return without_value(a); });
  for (const bool is_signed : {false, true})
    for (const std::size_t size : {1, 2, 4, 8})
      for (const int value : {0, 1, 5})
        add([=](TableBuilder& t) {
          t.set(path, attribute(name, integer_type(size, is_signed), Cell(value)));
        });
  change([=](auto&, auto&) { return attribute(name, ieee_float_type(8), Cell(1.0)); });
  change([=](auto&, auto&) { return utf8(name, "x"); });
  change([=](auto&, auto&) { return utf8(name, ""); });
  change([=](auto&, auto&) { return utf8(name, "x\xc3"); });
  change([=](auto&, auto&) { return ascii(name, "x"); });
  change([=](auto&, auto&) { return variable_length(name, "x"); });
  change([=](auto&, auto&) { return boolean(name, true); });
  change([=](auto&, auto&) { return boolean(name, false); });
  change([=](auto&, auto&) { return utf8_list(name, {"ts", "ts", "nothing"}); });
  for (const char* target : {"", "ts", "label", "CATEGORIES", "CATEGORIES/label__CATEGORIES",
                             "SEARCH_INDEXES/ts__sorted", "SEARCH_INDEXES/label__values"})
    change([=](TableBuilder& t, auto&) { return reference(name, target_in(t, target)); });
  change([=](auto&, auto&) { return reference(name, null_reference()); });
  change([=](auto&, auto&) { return reference(name, dangling_reference()); });
  change([=](auto&, auto&) { return reference(name, reference_elsewhere("o.h5")); });
  change([=](TableBuilder& t, auto&) {
    return reference(name, region_of(target_in(t, "SEARCH_INDEXES/ts__sorted")));
  });
  change([=](TableBuilder& t, auto&) {
    return references(name, {target_in(t, "ts"), target_in(t, "ts"), null_reference()});
  });
  change([=](TableBuilder& t, auto&) {
    const Reference target = target_in(t, "SEARCH_INDEXES/ts__sorted");
    return references(name, {null_reference(), region_of(target), attribute_of(target), target});
  });
  change([](TableBuilder&, Attribute a) {
    return a.type.is(TypeClass::kReference) ? legacy(std::move(a)) : a;
  });
  change([](TableBuilder&, Attribute a) {
    if (a.type.is(TypeClass::kReference)) a.type.reference = ReferenceKind::kLegacyRegion;
    return a;
  });
  change([=](auto&, auto&) { return utf8_list(name, {"x", "x\xc3"}); });
  change([=](auto&, auto&) {
    return utf8_list(name, {"nobody", "CATEGORIES/label__CATEGORIES", "nobody"});
  });
  for (const Datatype& type :
       {enum_type(integer_type(1, true, ByteOrder::kBig), {{"FALSE", 0}, {"TRUE", 1}}),
        enum_type(integer_type(1, false), {{"FALSE", 0}, {"TRUE", 1}}),
        enum_type(integer_type(1, true), {{"FALSE", 0}, {"TRUE", 1}, {"MISSING", 2}}),
        enum_type(integer_type(1, true), {{"FALSE", 1}, {"TRUE", 0}}),
        enum_type(integer_type(1, true), {{"FALSE", 0}, {"TRUE", 5}})})
    for (const int value : {1, 5})
      change([=](auto&, auto&) { return attribute(name, type, Cell(value)); });
  // The same text in the other case, with an additional letter, and words from other places.
  const auto reword = [&](auto word) {
    change([=](TableBuilder&, const Attribute& a) {
      const std::optional<std::string> text =
          a.type.fixed_string() ? string_value(a) : std::nullopt;
      return text ? ascii(name, word(*text)) : a;
    });
  };
  reword([](std::string text) {
    for (char& c : text)
      if (std::isalpha(static_cast<unsigned char>(c))) c ^= 0x20;
    return text;
  });
  reword([](const std::string& text) { return text + 'x'; });
  for (const char* word : {"BITMAP", "OFFSETS", "COLUMN_TABLE", "LIST_COLUMN", "1.1", "1.01",
                           "01.0", "1.0.0", "1.0.0.0", "2.0", "0.9", "dataframe", "categorical"})
    reword([=](const std::string&) { return std::string(word); });
  for (const std::size_t bit : {0, 1, 7})
    add([=](TableBuilder& t) {
      Attribute& a = t.attribute(path, name);
      if (!a.bytes.empty()) a.bytes[0] ^= std::byte{1} << bit;
    });
  change([](TableBuilder&, Attribute a) {
    if (a.type.fixed_string()) a.type.padding = StringPadding::kNullTerm;
    return a;
  });
  change([](TableBuilder&, Attribute a) {
    if (a.type.fixed_string()) a.type.padding = StringPadding::kSpacePad;
    return a;
  });
  change([](TableBuilder&, Attribute a) {
    if (!a.type.is(TypeClass::kInteger)) return a;
    a.type.order = ByteOrder::kBig;
    std::ranges::reverse(a.bytes);
    return a;
  });
}

constexpr const char* kNames[] = {"CLASS",         "VERSION",
                                  "NROWS",         "TITLE",
                                  "INDEX_COLUMNS", "column-order",
                                  "_index",        "description",
                                  "units",         "units_vocabulary",
                                  "encoding-type", "SEARCH_INDEX_LIST",
                                  "CATEGORIES",    "valid_min",
                                  "valid_max",     "KIND",
                                  "VALUES",        "ordered",
                                  "exhaustive",    "GENERATION",
                                  "SOURCE_NROWS",  "MASK",
                                  "OFFSETS",       "CHARS",
                                  "CHUNK_MINMAX",  "class",
                                  "Nrows",         "column_order",
                                  "Ordered",       "UNITS",
                                  "Description",   "search-index-list",
                                  "user",          "STRING_VALUES",
                                  "encoding-type", "encoding-version"};

void mutate_attributes(TableBuilder& whole, const std::string& path, Mutations& into) {
  for (const auto& [name, attribute] : whole.attributes(path)) mutate_attribute(path, name, into);
  for (const char* name : kNames)
    if (!whole.attributes(path).contains(name)) {
      const auto add = [&](auto make) {
        into.add(path, " names", [=](TableBuilder& t) { t.set(path, make(t)); });
      };
      add([=](auto&) { return utf8(name, "x"); });
      add([=](auto&) { return variable_length(name, "dataframe"); });
      add([=](auto&) { return ascii(name, "categorical"); });
      add([=](TableBuilder& t) { return reference(name, target_in(t, "ts")); });
    }
  into.add(path, " names",
           [=](TableBuilder& t) { t.attributes_unreadable(path) = "cannot be listed"; });
}

// --- Links -------------------------------------------------------------------------------------

void mutate_link(TableBuilder& whole, const std::string& path, Mutations& into) {
  if (path.empty()) return;
  const std::size_t slash = path.rfind('/');
  const std::string prefix = slash == std::string::npos ? "" : path.substr(0, slash + 1);
  const auto add = [&](Mutation mutation) { into.add(path, " link", std::move(mutation)); };
  add([=](TableBuilder& t) { t.remove(path); });
  add([=](TableBuilder& t) {
    t.remove(path);
    t.group(slash == std::string::npos ? "" : path.substr(0, slash)).unreadable =
        "cannot be listed";
  });
  add([=](TableBuilder& t) {
    Child& child = t.child(path);
    child.dataset.reset();
    child.group.reset();
    child.object = ObjectKind::kUnknown;
    child.unreadable = "cannot be opened";
  });
  for (const char* name :
       {"_x", "NROWS", "BITMAP", "\xff", "CATEGORIES", "SEARCH_INDEXES", "OFFSETS"})
    add([=](TableBuilder& t) {
      if (!t.has(prefix + name)) t.rename(path, name);
    });
  const auto replace = [&](auto put) {
    add([=](TableBuilder& t) {
      t.remove(path);
      put(t);
    });
  };
  replace([=](TableBuilder& t) { t.add_soft_link(path, "/elsewhere"); });
  replace([=](TableBuilder& t) { t.add_external_link(path, "o.h5", "/x"); });
  replace([=](TableBuilder& t) { t.add_user_link(path); });
  replace([=](TableBuilder& t) { t.add_named_datatype(path); });
  replace([=](TableBuilder& t) { t.add_group(path); });
  replace([=](TableBuilder& t) {
    t.add_group(path);
    t.set(path, ascii("CLASS", "COLUMN_TABLE"));
  });
  replace([=](TableBuilder& t) { t.add_dataset(path, integer_type(1, false), {3}, {1, 2, 3}); });
  if (!whole.is_dataset(path)) return;
  for (const char* where : {"", "CATEGORIES/", "SEARCH_INDEXES/"})
    add([=](TableBuilder& t) {
      const std::string group = std::string(where).substr(0, std::string(where).find('/'));
      const bool there = group.empty() || (t.has(group) && t.child(group).group);
      if (there && !t.has(std::string(where) + "again"))
        t.add_hard_link(std::string(where) + "again", path);
    });
}

void mutate_group(TableBuilder& whole, const std::string& path, Mutations& into) {
  if (whole.is_dataset(path)) return;
  const std::string below = path.empty() ? "more" : path + "/more";
  const auto add = [&](Mutation mutation) { into.add(path, " group", std::move(mutation)); };
  add([=](TableBuilder& t) { t.group(path).unreadable = "cannot be listed"; });
  const auto add_below = [&](Mutation mutation) {
    add([=](TableBuilder& t) {
      if (!t.has(below)) mutation(t);
    });
  };
  add_below([=](TableBuilder& t) {
    t.add_dataset(below, integer_type(1, false), {10}, Cells(10, Cell(1)));
  });
  add_below(
      [=](TableBuilder& t) { t.add_dataset(below, integer_type(1, false), {2, 2}, {1, 2, 3, 4}); });
  add_below([=](TableBuilder& t) { t.add_group(below); });
  for (const char* name : {"COLUMN_TABLE", "LIST_COLUMN", "STRING_VALUES"})
    add_below([=](TableBuilder& t) {
      t.add_group(below);
      t.set(below, ascii("CLASS", name));
    });
}

// --- Datasets ----------------------------------------------------------------------------------

// As many values of another datatype, all zeros.
void retype(TableBuilder& t, const std::string& path, const Datatype& type) {
  Dataset& data = t.dataset(path);
  data.type = type;
  data.storage.fill.assign(data.storage.fill.empty() ? 0 : type.size, std::byte{0xFF});
  data.storage.fill_string.reset();
  std::uint64_t elements = data.space.extent.empty() ? 1 : data.space.elements();
  if (type.variable_string()) {
    if (!data.storage.fill.empty()) data.storage.fill_string = "none";
    data.storage.fill.clear();
    return t.values.set_strings(data.token, std::vector<std::string>(elements, "x"));
  }
  if (has_variable_part(type)) data.storage.fill.clear();
  t.values.set(data.token, std::vector<std::byte>(elements * type.size));
}

// A compound of a number, and of an array or a sequence.
Datatype in_parts(const Datatype& base, TypeClass cls) {
  Datatype many{.cls = cls,
                .size = cls == TypeClass::kArray ? 2 * base.size : 16,
                .base = std::make_shared<const Datatype>(base)};
  if (cls == TypeClass::kArray) many.dims = {2};
  const std::size_t size = 2 + many.size;
  return compound_type(
      size,
      {{.name = "a", .offset = 0, .type = std::make_shared<const Datatype>(integer_type(2, true))},
       {.name = "b", .offset = 2, .type = std::make_shared<const Datatype>(std::move(many))}});
}

void mutate_dataset(TableBuilder& whole, const std::string& path, Mutations& into) {
  if (!whole.is_dataset(path)) return;
  const auto add = [&](Mutation mutation) { into.add(path, " dataset", std::move(mutation)); };
  add([=](TableBuilder& t) {
    Dataset& d = t.dataset(path);
    d = {.name = d.name, .path = d.path, .token = d.token};
    d.unreadable = t.child(path).unreadable = "cannot be opened";
  });
  for (const int more : {-1, 1})
    for (const std::size_t d : {0, 1})
      add([=](TableBuilder& t) {
        auto& extent = t.dataset(path).space.extent;
        if (d < extent.size() && extent[d] > 0) extent[d] += static_cast<std::uint64_t>(more);
      });
  for (const std::vector<std::uint64_t>& extent :
       {std::vector<std::uint64_t>{}, {0}, {1}, {9}, {10}, {11}, {10, 1}, {0, 0}, {1, 1, 1}})
    add([=](TableBuilder& t) { t.dataset(path).space = simple_space(extent); });
  add([=](TableBuilder& t) { t.dataset(path).space = null_space(); });

  const auto shared = [](const Datatype& type) { return std::make_shared<const Datatype>(type); };
  const Datatype types[] = {
      integer_type(1, true),
      integer_type(1, false),
      integer_type(2, true),
      integer_type(8, false),
      integer_type(8, false, ByteOrder::kBig),
      integer_type(8, true, ByteOrder::kBig),
      ieee_float_type(8),
      ieee_float_type(8, ByteOrder::kBig),
      boolean_type(),
      enum_type(integer_type(1, true), {{"A", 0}, {"B", 1}}),
      enum_type(integer_type(1, true), {{"FALSE", 0}, {"TRUE", 1}, {"MISSING", 3}}),
      fixed_string_type(6, StringPadding::kNullPad, CharacterSet::kUtf8),
      variable_string_type(CharacterSet::kUtf8),
      opaque_type(4, ""),
      standard_reference_type(),
      {.cls = TypeClass::kArray, .size = 4, .base = shared(integer_type(2, true)), .dims = {2}},
      compound_type(2, {{.name = "a", .offset = 0, .type = shared(integer_type(2, true))}}),
      in_parts(integer_type(2, true), TypeClass::kVlen),
      in_parts(integer_type(2, true), TypeClass::kArray),
      in_parts(in_parts(boolean_type(), TypeClass::kArray), TypeClass::kVlen),
      in_parts(in_parts(boolean_type(), TypeClass::kArray), TypeClass::kArray),
      ieee_float_type(2),
      opaque_type(1, "")};
  for (const Datatype& type : types) add([=](TableBuilder& t) { retype(t, path, type); });

  for (const FillState state : {FillState::kDefault, FillState::kUndefined})
    add([=](TableBuilder& t) {
      Storage& storage = t.dataset(path).storage;
      storage.fill_state = state;
      storage.fill.clear();
      storage.fill_string.reset();
    });
  for (const unsigned byte : {0x00u, 0x01u, 0x02u, 0x28u, 0xFFu})
    add([=](TableBuilder& t) {
      Dataset& data = t.dataset(path);
      data.storage.fill_state = FillState::kUserDefined;
      if (data.type.variable_string())
        data.storage.fill_string = std::string(1, static_cast<char>(byte));
      else
        data.storage.fill.assign(data.type.size, static_cast<std::byte>(byte));
    });
  add([=](TableBuilder& t) {
    Storage& storage = t.dataset(path).storage;
    storage.fill_unreadable = "no conversion";
    storage.fill.clear();
  });
  add([=](TableBuilder& t) {
    Storage& storage = t.dataset(path).storage;
    storage.fill_state = FillState::kUserDefined;
    storage.fill_unreadable = "no conversion";
    storage.fill.clear();
  });
  for (const StorageLayout layout :
       {StorageLayout::kContiguous, StorageLayout::kCompact, StorageLayout::kVirtual})
    add([=](TableBuilder& t) {
      t.dataset(path).storage.layout = layout;
      t.dataset(path).storage.chunk.clear();
    });
  for (const std::uint64_t chunk : {1, 3, 5, 10, 100})
    add([=](TableBuilder& t) {
      Dataset& data = t.dataset(path);
      data.storage.layout = StorageLayout::kChunked;
      data.storage.chunk.assign(std::max<std::size_t>(1, data.space.rank()), chunk);
    });
}

// --- Values ------------------------------------------------------------------------------------

// In stored form; none for objects that are not datasets or have variable-length parts.
std::optional<std::vector<std::byte>> stored_bytes(TableBuilder& whole, const std::string& path) {
  if (!whole.is_dataset(path) || has_variable_part(whole.dataset(path).type)) return std::nullopt;
  const Dataset& data = whole.dataset(path);
  const std::vector<std::uint64_t> start(data.space.rank(), 0);
  auto bytes = whole.values.read(data, start, data.space.extent);
  return bytes ? std::optional(*std::move(bytes)) : std::nullopt;
}

// Flips a bit of each byte; in long values of every n-th.
void mutate_values(TableBuilder& whole, const std::string& path, Mutations& into) {
  const auto bytes = stored_bytes(whole, path);
  if (!bytes) return;
  const std::size_t step = bytes->size() / 200 + 1;
  for (std::size_t at = 0; at < bytes->size(); at += step)
    into.add(path, " values", [=](TableBuilder& t) {
      std::vector<std::byte> mutated = *bytes;
      mutated[at] ^= std::byte{1} << at % 8;
      t.values.set(t.dataset(path).token, std::move(mutated));
    });
}

// Each element is swapped with the next one, takes its value, or becomes all zeros or ones.
void mutate_elements(TableBuilder& whole, const std::string& path, Mutations& into) {
  const auto bytes = stored_bytes(whole, path);
  if (!bytes) return;
  const std::size_t size = whole.dataset(path).type.size;
  for (std::size_t at = 0; at + size <= bytes->size(); at += size) {
    const auto add = [&](auto mutation) {
      into.add(path, " elements", [=](TableBuilder& t) {
        std::vector<std::byte> mutated = *bytes;
        mutation(std::span(mutated).subspan(at));
        t.values.set(t.dataset(path).token, std::move(mutated));
      });
    };
    add([=](auto from) { std::ranges::fill(from.first(size), std::byte{0}); });
    add([=](auto from) { std::ranges::fill(from.first(size), std::byte{0xFF}); });
    if (at + 2 * size > bytes->size()) continue;
    add([=](auto from) { std::ranges::copy(from.subspan(size, size), from.begin()); });
    add([=](auto from) { std::ranges::swap_ranges(from.first(size), from.subspan(size, size)); });
  }
}

// The fields of a compound: one is removed, renamed, retyped, swapped, or added.
void mutate_fields(TableBuilder& whole, const std::string& path, Mutations& into) {
  if (!whole.is_dataset(path) || !whole.dataset(path).type.is(TypeClass::kCompound)) return;
  const auto add = [&](auto mutation) {
    into.add(path, " fields", [=](TableBuilder& t) { mutation(t.dataset(path).type.members); });
  };
  using Members = std::vector<TypeMember>;
  for (std::size_t i = 0; i < whole.dataset(path).type.members.size(); ++i) {
    add([=](Members& members) { members.erase(members.begin() + static_cast<std::ptrdiff_t>(i)); });
    add([=](Members& members) { members[i].name += 'x'; });
    add([=](Members& members) { std::swap(members[i], members[(i + 1) % members.size()]); });
    const auto retype = [&](auto change) {
      add([=](Members& members) {
        Datatype type = *members[i].type;
        change(type);
        members[i].type = std::make_shared<const Datatype>(std::move(type));
      });
    };
    retype([](Datatype& type) {
      type.order = type.order == ByteOrder::kBig ? ByteOrder::kLittle : ByteOrder::kBig;
    });
    retype([](Datatype& type) { type.is_signed = !type.is_signed; });
    retype([](Datatype& type) { type = integer_type(1, false); });
    retype([](Datatype& type) { type = ieee_float_type(2); });
  }
  add([](Members& members) {
    members.push_back(members.front());
    members.back().name = "more";
  });
}

// Every entry of CHUNK_MINMAX has the fill value as min, as max, or as both.
void mutate_extremes(TableBuilder& whole, const std::string& path, Mutations& into) {
  if (!path.ends_with("__minmax")) return;
  const Dataset& data = whole.dataset(path);
  const std::size_t column = path.find('/') + 1;
  const auto& fill = whole.dataset(path.substr(column, path.rfind("__") - column)).storage.fill;
  const std::uint64_t start[] = {0};
  const auto bytes = whole.values.read(data, start, data.space.extent);
  if (!bytes || fill.empty()) return;
  for (std::size_t entry = 0; entry < data.space.extent[0]; ++entry)
    for (const unsigned which : {1u, 2u, 3u})
      into.add(path, " extremes", [=, size = data.type.size](TableBuilder& t) {
        std::vector<std::byte> mutated = *bytes;
        for (const unsigned field : {0u, 1u})
          if ((which >> field & 1) != 0)
            std::ranges::copy(
                fill, std::span(mutated).subspan(entry * size + field * fill.size()).begin());
        t.values.set(t.dataset(path).token, std::move(mutated));
      });
}

// Every bit of a bitmap.
void mutate_bits(TableBuilder& whole, const std::string& path, Mutations& into) {
  if (!path.ends_with("__bitmap")) return;
  const Dataset& data = whole.dataset(path);
  const std::uint64_t start[] = {0, 0};
  const auto bytes = whole.values.read(data, start, data.space.extent);
  if (!bytes) return;
  for (std::size_t bit = 0; bit < 8 * bytes->size(); ++bit)
    into.add(path, " bits", [=](TableBuilder& t) {
      std::vector<std::byte> mutated = *bytes;
      mutated[bit / 8] ^= std::byte{1} << bit % 8;
      t.values.set(t.dataset(path).token, std::move(mutated));
    });
}

// The table has fewer rows, or more; its indexes do not follow.
void mutate_rows(TableBuilder&, const std::string& path, Mutations& into) {
  if (!path.empty()) return;
  for (const int rows : {0, 1, 3, 4, 5, 8, 9, 11, 12, 13})
    into.add(path, " rows", [=](TableBuilder& t) {
      for (const std::string& each : t.objects())
        for (const char* name : {"NROWS", "SOURCE_NROWS"})
          if (t.attributes(each).contains(name))
            t.set(each, attribute(name, integer_type(8, false), Cell(rows)));
    });
}

// --- All mutations -------------------------------------------------------------------------------

using MutateObject = void (*)(TableBuilder&, const std::string&, Mutations&);

Mutations all_mutations(TableBuilder& whole, std::initializer_list<MutateObject> mutators) {
  Mutations mutations;
  for (const std::string& path : whole.objects())
    for (const MutateObject each : mutators) each(whole, path, mutations);
  return mutations;
}

// The reports about the mutated tables, line by line, equal the golden file.
class GoldenFile {
 public:
  GoldenFile(std::string_view name, const Specification& spec)
      : name_(std::format("fuzz/hep001/golden/mutations-{}.txt", name)), spec_(spec),
        kept_(golden::file_text(fs::path(HEPCHECK_SOURCE) / name_)) {}
  ~GoldenFile() {
    EXPECT_FALSE(std::getline(kept_, line_)) << "not any more: " << line_;
    EXPECT_TRUE(golden::equals(text_, name_));
  }

  // make(i) returns a table for each i below `count`, or none. With `counted`, the line states how
  // many violate which clauses.
  void expect(const std::string& thing, std::size_t count, bool counted, const auto& make) {
    std::string all;
    std::map<std::string, std::size_t> broken;
    std::size_t made = 0;
    for (std::size_t i = 0; i < count; ++i)
      if (std::optional<TestTable> table = make(i)) {
        ++made;
        add(examine(table->finish(spec_), table->values, spec_, {.jobs = 1}), all, broken);
      }
    std::string line = std::format("{} {}:", thing, made);
    if (counted)
      for (const auto& [what, times] : broken) line += std::format(" {} {},", what, times);
    line += ' ' + golden::digest_of(all);
    std::getline(kept_, line_);
    EXPECT_EQ(line, line_);
    text_ += line + '\n';
  }

 private:
  std::string name_;
  const Specification& spec_;
  std::istringstream kept_;
  std::string line_{}, text_{};
};

void expect_golden(
    GoldenFile& golden_file, const std::string& name, const std::function<TestTable()>& make,
    const Mutations& mutations, bool counted = true,
    const std::function<void(TestTable&)>& also = [](TestTable&) {}) {
  golden_file.expect(name + "unchanged", 1, true,
                     [&](std::size_t) { return std::optional(make()); });
  for (const Mutations::OfThing& of : mutations.all)
    golden_file.expect(name + of.thing, of.mutations.size(), counted, [&](std::size_t i) {
      TestTable table = make();
      of.mutations[i](table);
      also(table);
      return std::optional(std::move(table));
    });
}

// Each mutation with another one of the table.
void expect_golden_pairs(GoldenFile& golden_file, const std::function<TestTable()>& make,
                         const Mutations& mutations, std::size_t step = 1777) {
  struct Other {
    const std::string* path;
    const Mutation* mutation;
  };
  std::vector<Other> others;
  for (const Mutations::OfThing& of : mutations.all)
    for (const Mutation& mutation : of.mutations) others.push_back({&of.path, &mutation});
  std::size_t next = 0;
  for (const Mutations::OfThing& of : mutations.all)
    golden_file.expect(of.thing + " and another", of.mutations.size(), false,
                       [&](std::size_t i) -> std::optional<TestTable> {
                         next = (next + step) % others.size();
                         const Other& other = others[next];
                         const bool gone =
                             of.link && (*other.path + '/').starts_with(of.path + '/');
                         if (gone) return std::nullopt;
                         TestTable table = make();
                         of.mutations[i](table);
                         (*other.mutation)(table);
                         return table;
                       });
}

TestTable as_test_table(TableBuilder table) {
  TestTable made;
  static_cast<TableBuilder&>(made) = std::move(table);
  return made;
}
TestTable older_whole() { return as_test_table(good_table()); }
TestTable newer_whole() { return as_test_table(newer_table()); }

constexpr std::initializer_list<MutateObject> kEverything = {
    mutate_attributes, mutate_link, mutate_group, mutate_dataset,
    mutate_fields,     mutate_rows, mutate_values};

void expect_whole_as_kept(TestTable (*make)(), const Specification& spec) {
  TestTable whole = make();
  GoldenFile golden_file(spec.id, spec);
  expect_golden(golden_file, "", make, all_mutations(whole, kEverything));
}
TEST(Mutations, OfTheOlderTable) { expect_whole_as_kept(older_whole, grammar::oldest()); }
TEST(Mutations, OfTheNewerTable) { expect_whole_as_kept(newer_whole, grammar::newest()); }

void expect_pairs_of_whole_as_kept(TestTable (*make)(), const Specification& spec) {
  TestTable whole = make();
  GoldenFile golden_file(std::format("pairs-{}", spec.id), spec);
  expect_golden_pairs(golden_file, make, all_mutations(whole, kEverything));
}
TEST(Pairs, OfTheOlderTable) { expect_pairs_of_whole_as_kept(older_whole, grammar::oldest()); }
TEST(Pairs, OfTheNewerTable) { expect_pairs_of_whole_as_kept(newer_whole, grammar::newest()); }

// Mutates the attributes of the column, of its bounds and of its indexes.
void mutate_column(TableBuilder& whole, const std::string& path, Mutations& into) {
  if (!path.ends_with("c") && !path.contains("c__")) return;
  for (const char* bound : {"valid_min", "valid_max", "nan_tail_length", "fill_tail_length"})
    if (whole.attributes(path).contains(bound)) mutate_attribute(path, bound, into);
  for (const MutateObject each :
       {mutate_dataset, mutate_fields, mutate_extremes, mutate_elements, mutate_bits})
    each(whole, path, into);
}

void expect_datatypes_as_kept(const Specification& spec) {
  GoldenFile golden_file(std::format("datatypes-{}", spec.id), spec);
  for (const grammar::MutatedTable& each : grammar::tables_of_datatypes(spec)) {
    TestTable whole = each.make();
    expect_golden(golden_file, each.name + ' ', each.make,
                  all_mutations(whole, {mutate_rows, mutate_column}));
  }
}
TEST(MutatedDatatypes, OfTheOlder) { expect_datatypes_as_kept(grammar::oldest()); }
TEST(MutatedDatatypes, OfTheNewer) { expect_datatypes_as_kept(grammar::newest()); }

void expect_tangled_as_kept(const Specification& spec) {
  GoldenFile golden_file(std::format("tangled-{}", spec.id), spec);
  TestTable whole = grammar::tangled_table();
  expect_golden(golden_file, "", grammar::tangled_table,
                all_mutations(whole, {mutate_attributes, mutate_link, mutate_group, mutate_rows}),
                false);
}
TEST(MutatedTangle, OfTheOlder) { expect_tangled_as_kept(grammar::oldest()); }
TEST(MutatedTangle, OfTheNewer) { expect_tangled_as_kept(grammar::newest()); }

TEST(MutatedLists, OfNestedLists) {
  GoldenFile golden_file("lists", grammar::newest());
  TestTable whole = grammar::nested_lists();
  expect_golden(golden_file, "", grammar::nested_lists,
                all_mutations(whole, {mutate_attributes, mutate_link, mutate_group, mutate_dataset,
                                      mutate_elements, mutate_values}));
}
TEST(Pairs, OfNestedLists) {
  GoldenFile golden_file("pairs-lists", grammar::newest());
  TestTable whole = grammar::nested_lists();
  const Mutations mutations =
      all_mutations(whole, {mutate_attributes, mutate_link, mutate_group, mutate_dataset});
  for (const std::size_t step : {1777, 577})
    expect_golden_pairs(golden_file, grammar::nested_lists, mutations, step);
}

// --- Wrong contents ------------------------------------------------------------------------------

// The newer table after two rows of each column changed places. Each index and several values are
// wrong, and so every mutation shows in what is still checked.
TestTable wrong_whole() {
  TestTable t = newer_whole();
  for (const Child& child : t.group().children) {
    if (!child.dataset) continue;
    const std::optional<std::vector<std::byte>> bytes = stored_bytes(t, child.name);
    if (!bytes) continue;
    std::vector<std::byte> swapped = *bytes;
    const std::size_t size = child.dataset->type.size;
    std::ranges::swap_ranges(std::span(swapped).subspan(size, size),
                             std::span(swapped).subspan(6 * size, size));
    t.values.set(child.dataset->token, std::move(swapped));
  }
  const auto set_row = [&](const std::string& column, std::size_t row, const Cell& cell) {
    std::vector<std::byte> bytes = stored_bytes(t, column).value();
    const Datatype& type = t.dataset(column).type;
    std::ranges::copy(cell.stored_as(type), std::span(bytes).subspan(row * type.size).begin());
    t.values.set(t.dataset(column).token, std::move(bytes));
  };
  set_row("ts", 7, 500);   // beyond valid_max
  set_row("label", 2, 3);  // not a category, and not a value of the bitmap
  set_row("tracks/VALUES", 1, 600);
  t.set("SEARCH_INDEXES/label__bitmap", boolean("exhaustive", true));
  return t;
}

// The same value in other datatypes and dataspaces, legal or not.
std::vector<Attribute> encodings_of(const Attribute& a) {
  std::vector<Attribute> made;
  for (const Dataspace& space : {Dataspace{}, simple_space({1}), simple_space({1, 1})})
    if (a.space.elements() == 1) {
      made.push_back(a);
      made.back().space = space;
    }
  const auto add = [&](Attribute encoded) {
    encoded.space = a.space;
    made.push_back(std::move(encoded));
  };
  const auto little = ByteOrder::kLittle, big = ByteOrder::kBig;
  if (a.type.is(TypeClass::kString)) {
    Cells cells;
    std::size_t longest = 1;
    for (const std::string& text : string_elements(a)) {
      cells.emplace_back(text);
      longest = std::max(longest, text.size());
    }
    for (const CharacterSet set : {CharacterSet::kAscii, CharacterSet::kUtf8}) {
      add(attribute(a.name, variable_string_type(set), cells));
      for (const StringPadding padding :
           {StringPadding::kNullTerm, StringPadding::kNullPad, StringPadding::kSpacePad})
        add(attribute(a.name, fixed_string_type(longest + 1, padding, set), cells));
    }
  } else if (a.type.is(TypeClass::kReference)) {
    add(legacy(a));
    for (const bool first : {false, true}) {
      std::vector<Reference> all = a.references;
      all.insert(first ? all.begin() : all.end(), null_reference());
      made.push_back(references(a.name, all));
      made.push_back(legacy(references(a.name, std::move(all))));
    }
  } else if (const std::optional<std::int64_t> value = signed_value(a)) {
    const Cell cell(*value);
    for (const ByteOrder order : {little, big})
      for (const std::size_t size : {1, 2, 4, 8})
        for (const bool is_signed : {false, true})
          add(attribute(a.name, integer_type(size, is_signed, order), cell));
    add(attribute(a.name, ieee_float_type(8), Cell(static_cast<double>(*value))));
    for (const Datatype& base : {integer_type(1, true), integer_type(1, false),
                                 integer_type(2, true), integer_type(2, true, big)}) {
      add(attribute(a.name, enum_type(base, {{"TRUE", 1}, {"FALSE", 0}}), cell));
      add(attribute(a.name, enum_type(base, {{"NO", 0}, {"YES", 1}}), cell));
    }
  }
  return made;
}

void encode_attributes(TableBuilder& whole, const std::string& path, Mutations& into) {
  for (const auto& [name, attribute] : whole.attributes(path))
    for (const Attribute& encoded : encodings_of(attribute))
      into.add(path, '@' + name, [=](TableBuilder& t) { t.set(path, encoded); });
}

// Every object in SEARCH_INDEXES, with its KIND, another, or none, is in the list of every column:
// alone, first, last, or only there.
void list_indexes(TableBuilder& whole, const std::string& path, Mutations& into) {
  const bool list = !whole.is_dataset(path) && whole.attributes(path).contains("CLASS");
  if (path.contains('/') || path.empty() || (!whole.is_dataset(path) && !list)) return;
  constexpr const char* kList = "SEARCH_INDEX_LIST";
  const auto list_of = [](TableBuilder& t, const std::string& column) {
    return t.attributes(column).contains(kList) ? t.attribute(column, kList).references
                                                : std::vector<Reference>{};
  };
  for (const std::string& index : whole.objects()) {
    if (!index.starts_with("SEARCH_INDEXES/")) continue;
    for (const char* kind : {"as it is", "", "SUFFIX_TREE"})
      for (const char* where : {"alone", "first", "last", "only here"})
        into.add(path, " lists " + index, [=](TableBuilder& t) {
          const std::string_view at = where;
          if (at == "only here")
            for (const std::string& other : t.objects())
              if (std::vector<Reference> left = list_of(t, other); !left.empty()) {
                std::erase_if(left,
                              [&](const Reference& r) { return r.token == t.to(index).token; });
                t.set(other, references(kList, std::move(left)));
              }
          std::vector<Reference> all = at == "alone" ? std::vector<Reference>{} : list_of(t, path);
          all.insert(at == "first" ? all.begin() : all.end(), t.to(index));
          t.set(path, references(kList, std::move(all)));
          if (*kind != '\0' && kind != std::string_view("as it is"))
            t.set(index, ascii("KIND", kind));
          if (*kind == '\0' && t.attributes(index).contains("KIND")) t.erase(index, "KIND");
        });
  }
}

std::string as_bytes(TableFacts facts) {
  SharedFacts shared;
  shared.tables.push_back({.path = "/t", .revision = "", .facts = std::move(facts)});
  return to_bytes(shared);
}

// Facts that are collected in shares are those of one run.
void expect_same_in_shares(TestTable& t, const Specification& spec) {
  t.finish(spec);
  const std::string whole = as_bytes(collect_facts(t.table, t.values, {.jobs = 1}));
  std::vector<TableFacts> shares;
  for (Share share{0, 3}; share.number < 3; ++share.number)
    shares.push_back(collect_facts(t.table, t.values, {.jobs = 1, .share = share}));
  EXPECT_EQ(as_bytes(join_facts(t.table, std::move(shares))), whole);
}

TEST(MutatedWrongTable, OfTheNewer) {
  GoldenFile golden_file("wrong", grammar::newest());
  TestTable whole = wrong_whole();
  expect_golden(golden_file, "", wrong_whole,
                all_mutations(whole, {encode_attributes, mutate_rows}));
  expect_golden(golden_file, "", wrong_whole, all_mutations(whole, {list_indexes}), true,
                [](TestTable& t) { expect_same_in_shares(t, grammar::newest()); });
}

}  // namespace

}  // namespace hepcheck::hep001
