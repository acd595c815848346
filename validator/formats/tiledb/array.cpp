#include "validator/formats/tiledb/array.h"

#include <algorithm>
#include <cmath>
#include <format>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace hepcheck::tiledb {

namespace {

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::string without_zeros(std::string_view digits) {
  const std::size_t at = std::min(digits.find_first_not_of('0'), digits.size() - 1);
  return std::string(digits.substr(at));
}

// Numbers of any length in decimal.
bool less_number(const std::string& a, const std::string& b) {
  return std::pair(a.size(), std::string_view(a)) < std::pair(b.size(), std::string_view(b));
}

// --- Names of schema files
// ----------------------------------------------------------------------------

struct NameUse {
  const SchemaName& it;
  std::string_view name;
};

void name_form(const NameUse& use, Look& look) {
  look.ask(use.it.formed, "another form", "__<t1>_<t2>_<32 hexadecimal digits>");
}
void name_no_version(const NameUse& use, Look& look) {
  if (!use.it.formed) return;
  look.ask(!use.it.versioned, "a version at the end", "__<t1>_<t2>_<32 hexadecimal digits>");
}
void name_timestamps(const NameUse& use, Look& look) {
  if (!use.it.formed) return;
  const std::string most = "9223372036854775807";
  look.ask(
      !less_number(use.it.t2, use.it.t1) && !less_number(most, use.it.t2),
      [&] { return std::format("{} and {}", use.it.t1, use.it.t2); },
      "timestamps in order, of 63 bits");
}
constexpr Rule<NameUse> kSchemaNameRules[] = {
    {"tiledb-schema-name-form", name_form},
    {"tiledb-schema-name-no-version", name_no_version},
    {"tiledb-schema-name-timestamps", name_timestamps},
};

constexpr LookRule kOldVersion("tiledb-dir-old-file-version", [](const Schema& it, Look& look) {
  look.ask(
      it.number() <= 9, [&] { return std::format("version {}", it.number()); },
      "a version up to 9 in __array_schema.tdb");
});
constexpr LookRule kNewVersion("tiledb-dir-new-file-version", [](const Schema& it, Look& look) {
  look.ask(
      it.number() >= 10, [&] { return std::format("version {}", it.number()); },
      "a version from 10 on in __schema");
});

// --- The directory
// ------------------------------------------------------------------------------------

struct DirectoryContents {
  bool old_schema = false;
  std::size_t entries = 0;  // of __schema
};
constexpr LookRule kHasSchema("tiledb-dir-has-schema", [](const DirectoryContents& it, Look& look) {
  look.ask(it.old_schema || it.entries > 0, "no schema",
           "__array_schema.tdb, or a file in __schema");
});

struct EntryUse {
  const Entry& it;
};
constexpr LookRule kSchemaEntries("tiledb-dir-schema-entries", [](const EntryUse& use, Look& look) {
  look.ask(
      use.it.kind == MemberKind::kFile, [&] { return std::string(to_string(use.it.kind)); },
      "a schema file");
});

// An entry of the map of enumerations, and the file that it names.
struct MapUse {
  const EnumerationEntry& it;
  bool exists = false;
  const EnumerationFile* file = nullptr;  // if it was read
};
constexpr LookRule kFileExists("tiledb-dir-enum-file-exists", [](const MapUse& use, Look& look) {
  if (!is_file_component(text_of(use.it.file.value))) return;
  look.at("file_name", use.it.file.at);
  look.ask(
      use.exists, [&] { return std::format("no file {}", shown_name(text_of(use.it.file.value))); },
      "a file in __enumerations");
});
constexpr LookRule kNameEqualsMap("tiledb-enum-name-equals-map", [](const MapUse& use, Look& look) {
  if (!use.file || !use.file->enumeration.named || use.file->enumeration.name.value.empty()) return;
  const std::string_view name = text_of(use.file->enumeration.name.value);
  look.at("name", use.it.name.at);
  look.ask(
      name == text_of(use.it.name.value),
      [&] {
        return std::format("\"{}\", its file has \"{}\"", shown_name(text_of(use.it.name.value)),
                           shown_name(name));
      },
      "the name in the file");
});

struct FileNameUse {
  const Enumeration& it;
  std::string_view file;
};
constexpr LookRule kPathEqualsFile("tiledb-enum-path-equals-file", [](const FileNameUse& use,
                                                                      Look& look) {
  const std::string_view path = text_of(use.it.path.value);
  if (!use.it.named || path.empty() || path.contains('/')) return;
  look.at("path", use.it.path.at);
  look.ask(
      path == use.file, [&] { return std::format("path name {}", shown_name(path)); },
      [&] { return std::format("the file's name, {}", shown_name(use.file)); });
});

struct OrphanUse {
  const Entry& it;
  bool named = false;
};
constexpr LookRule kOrphan("tiledb-enum-orphan", [](const OrphanUse& use, Look& look) {
  look.ask(use.named, "no schema names it", "an enumeration of a schema");
});

// An attribute, and the number of values of its enumeration.
struct CountUse {
  const Attribute& it;
  std::uint64_t count;

  Wide greatest() const {
    return it.datatype.value == kBool ? Wide{255} : greatest_of(it.datatype.value);
  }
};
constexpr LookRule kRepresentable("tiledb-enum-index-representable", [](const CountUse& use,
                                                                        Look& look) {
  look.at("datatype", use.it.datatype.at);
  look.ask(
      Wide{use.count} - 1 <= use.greatest(), [&] { return std::format("{} values", use.count); },
      [&] { return to_text(use.greatest() + 1) + " at most, the positions of the datatype"; });
});
constexpr LookRule kBelowMax("tiledb-enum-below-type-max", [](const CountUse& use, Look& look) {
  if (Wide{use.count} - 1 > use.greatest()) return;
  look.at("datatype", use.it.datatype.at);
  look.ask(
      Wide{use.count} < use.greatest(), [&] { return std::format("{} values", use.count); },
      [&] { return "fewer than " + to_text(use.greatest()); });
});

// --- Evolution
// ----------------------------------------------------------------------------------------

struct Succession {
  const Schema& before;
  const Schema& after;
};

// The extent of a dimension, with the whole domain where there is none.
std::optional<Wide> whole_extent(const Dimension& it) {
  if (!it.is_sound() || !is_integral(it.datatype.value)) return std::nullopt;
  if (it.has_extent()) return unsigned_at(it.extent.value, it.datatype.value);
  return integer_at(it.high(), it.datatype.value) - integer_at(it.low(), it.datatype.value) + 1;
}
bool same_extent(const Dimension& a, const Dimension& b) {
  if (a.has_extent() == b.has_extent()) return std::ranges::equal(a.extent.value, b.extent.value);
  if (const auto extent = whole_extent(a); extent) return extent == whole_extent(b);
  if (!a.is_sound() || !is_float(a.datatype.value)) return false;
  const Dimension& with = a.has_extent() ? a : b;
  const std::uint8_t type = a.datatype.value;
  return float_at(with.extent.value, type) ==
         float_difference(float_at(a.high(), type), float_at(a.low(), type), type);
}

// What evolution cannot change and differs; empty if nothing does.
std::string difference_of(const Schema& a, const Schema& b) {
  if (a.array_type.value != b.array_type.value) return "another array type";
  if (a.tile_order.value != b.tile_order.value) return "another tile order";
  if (a.cell_order.value != b.cell_order.value) return "another cell order";
  if (a.capacity.value != b.capacity.value) return "another capacity";
  if (a.duplicates.value != b.duplicates.value) return "another flag of duplicates";
  if (a.dimensions.size() != b.dimensions.size()) return "another number of dimensions";
  for (std::size_t i = 0; i < a.dimensions.size(); ++i) {
    const Dimension &was = a.dimensions[i], &is = b.dimensions[i];
    const char* what = nullptr;
    if (!std::ranges::equal(was.name.value, is.name.value))
      what = "name";
    else if (was.datatype.value != is.datatype.value)
      what = "datatype";
    else if (was.cell_val_num.value != is.cell_val_num.value)
      what = "number of values per cell";
    else if (!std::ranges::equal(was.domain.value, is.domain.value))
      what = "domain";
    else if (!same_extent(was, is))
      what = "tile extent";
    if (what) return std::format("another {} of dimension {}", what, i);
  }
  return {};
}

constexpr LookRule kDimensionsEqual("tiledb-evolution-dimensions-equal", [](const Succession& it,
                                                                            Look& look) {
  const std::string difference = difference_of(it.before, it.after);
  look.ask(difference.empty(), difference, "what the schema before has");
});

bool less_bytes(Raw a, Raw b) { return text_of(a) < text_of(b); }

bool contains(const Range& after, const Range& before, const Dimension& of) {
  const std::uint8_t type = of.datatype.value;
  if (of.is_variable()) {
    if (after.size == 0) return true;
    return before.size > 0 && !less_bytes(before.low, after.low) &&
           !less_bytes(after.high, before.high);
  }
  if (is_float(type))
    return float_at(after.low, type) <= float_at(before.low, type) &&
           float_at(before.high, type) <= float_at(after.high, type);
  if (!is_integral(type)) return true;
  return integer_at(after.low, type) <= integer_at(before.low, type) &&
         integer_at(before.high, type) <= integer_at(after.high, type);
}

bool has_ranges(const Schema& schema) {
  return schema.current_domain && schema.current_domain->has_ranges();
}
// Ranges that are broken in themselves are not compared.
bool is_comparable(const Schema& schema) {
  for (std::size_t i = 0; i < schema.current_domain->ranges.size(); ++i) {
    const Range& range = schema.current_domain->ranges[i];
    const Dimension& of = schema.dimensions[i];
    if (of.is_variable() ? range.minimum_size > range.size : range.low.empty()) return false;
    if (!of.is_variable() && is_float(of.datatype.value) &&
        (std::isnan(float_at(range.low, of.datatype.value)) ||
         std::isnan(float_at(range.high, of.datatype.value))))
      return false;
  }
  return true;
}

constexpr LookRule kGrows("tiledb-evolution-current-domain-grows", [](const Succession& it,
                                                                      Look& look) {
  if (!it.after.current_domain || !has_ranges(it.before) || !is_comparable(it.before) ||
      !difference_of(it.before, it.after).empty())
    return;
  if (!has_ranges(it.after)) {
    look.ask(it.after.current_domain->empty.value == 0, "an empty current domain",
             "one that contains that of the schema before");
    return;
  }
  if (!is_comparable(it.after)) return;
  look.at(it.after.current_domain->version.at);
  for (std::size_t i = 0; i < it.after.dimensions.size(); ++i)
    look.ask(
        contains(it.after.current_domain->ranges[i], it.before.current_domain->ranges[i],
                 it.after.dimensions[i]),
        [&] { return std::format("a smaller range of dimension {}", i); },
        "one that contains that of the schema before");
});

// --- Labels
// -------------------------------------------------------------------------------------------

struct LabelArray {
  const Label& label;
  const Schema& of;
  bool exists = false;
  const Schema* newest = nullptr;  // of the label's array, if it could be read

  const Attribute* attribute() const {
    const auto it = std::ranges::find_if(newest->attributes, [&](const Attribute& each) {
      return std::ranges::equal(each.name.value, label.attribute.value);
    });
    return it == newest->attributes.end() ? nullptr : &*it;
  }
};
constexpr LookRule kLabelArrayExists("tiledb-label-array-exists", [](const LabelArray& it,
                                                                     Look& look) {
  look.at("uri", it.label.uri.at);
  look.ask(
      it.exists,
      [&] { return std::format("no array {}", shown_name(text_of(it.label.uri.value))); },
      "an array with the label's data");
});
void label_array_datatype(const LabelArray& it, Look& look) {
  const Attribute* const data = it.attribute();
  look.at("attribute", it.label.attribute.at);
  look.ask(
      data && data->datatype.value == it.label.datatype.value &&
          data->cell_val_num.value == it.label.cell_val_num.value,
      [&] {
        return data ? std::format("{}, {} values per cell", datatype_text(data->datatype.value),
                                  data->cell_val_num.value)
                    : std::string("no such attribute in the label's array");
      },
      [&] {
        return std::format("{}, {} values per cell", datatype_text(it.label.datatype.value),
                           it.label.cell_val_num.value);
      });
}
void label_array_order(const LabelArray& it, Look& look) {
  const Attribute* const data = it.attribute();
  if (!data) return;
  look.at("order", it.label.order.at);
  look.ask(
      data->order.value == it.label.order.value,
      [&] {
        return std::format("order {}, that of the data is {}", it.label.order.value,
                           data->order.value);
      },
      "the order of the data");
}
void label_array_dimension(const LabelArray& it, Look& look) {
  if (it.label.dimension.value >= it.of.dimensions.size()) return;
  const Dimension& dimension = it.of.dimensions[it.label.dimension.value];
  look.at("dimension", it.label.dimension.at);
  look.ask(
      it.newest->dimensions.size() == 1 &&
          it.newest->dimensions[0].datatype.value == dimension.datatype.value &&
          it.newest->dimensions[0].cell_val_num.value == dimension.cell_val_num.value,
      [&] {
        return it.newest->dimensions.size() == 1
                   ? "a label's array over " +
                         datatype_text(it.newest->dimensions[0].datatype.value)
                   : std::format("a label's array of {} dimensions", it.newest->dimensions.size());
      },
      [&] { return "one dimension of " + datatype_text(dimension.datatype.value); });
}
constexpr Rule<LabelArray> kLabelArrayRules[] = {
    {"tiledb-label-array-datatype", label_array_datatype},
    {"tiledb-label-array-order", label_array_order},
    {"tiledb-label-array-dimension", label_array_dimension},
};

// --- Examination
// --------------------------------------------------------------------------------------

std::string joined_path(std::string_view folder, std::string_view name) {
  return std::string(folder) + '/' + std::string(name);
}

std::string enumeration_folder() { return joined_path(kSchemaFolder, kEnumerationFolder); }

bool has_any_schema(const Tree& tree, const std::string& array) {
  const std::string prefix = array.empty() ? "" : array + '/';
  if (tree.has_file(prefix + std::string(kOldName))) return true;
  return std::ranges::any_of(tree.in(prefix + std::string(kSchemaFolder)),
                             [](const Entry* each) { return each->kind == MemberKind::kFile; });
}

void order_by_age(std::vector<std::unique_ptr<SchemaFile>>& schemas) {
  const auto key = [](const std::unique_ptr<SchemaFile>& it) {
    const SchemaName& name = it->parsed;
    return std::tuple(!it->old, name.formed, name.t2.size(), name.t2, name.t1.size(), name.t1,
                      it->name);
  };
  std::ranges::sort(schemas, {}, key);
}

// The schema of the array in that directory that is newest, read without a word.
std::unique_ptr<SchemaFile> newest_schema(const Tree& tree, const std::string& array,
                                          const Limits& limits, Notes& notes) {
  const Notes::Silence silence(notes);
  std::vector<std::unique_ptr<SchemaFile>> schemas;
  const auto add = [&](const Entry& entry, bool old) {
    if (entry.kind != MemberKind::kFile || !entry.error.empty()) return;
    auto made = std::make_unique<SchemaFile>();
    made->name = name_in(entry.name);
    made->old = old;
    made->parsed = SchemaName::of(made->name);
    schemas.push_back(std::move(made));
  };
  const std::string prefix = array + '/';
  if (const Entry* old = tree.find(prefix + std::string(kOldName))) add(*old, true);
  const std::string folder = prefix + std::string(kSchemaFolder);
  for (const Entry* each : tree.in(folder)) add(*each, false);
  if (schemas.empty()) return nullptr;
  order_by_age(schemas);
  SchemaFile& newest = *schemas.back();
  const Entry* const entry =
      tree.find(newest.old ? prefix + newest.name : joined_path(folder, newest.name));
  if (!entry) return nullptr;
  open_tile(entry->bytes, limits, notes, newest.opened);
  if (newest.opened.decoded) read_schema(newest.opened, notes, newest.schema);
  return newest.whole() ? std::move(schemas.back()) : nullptr;
}

class ArrayExamination {
 public:
  ArrayExamination(const Tree& tree, const Limits& limits, Notes& notes, Array& into)
      : tree_(tree), limits_(limits), notes_(notes), into_(into) {}

  void run() {
    find_schemas();
    order_by_age(into_.schemas);
    find_enumerations();
    for (const auto& each : into_.schemas) judge_map(*each);
    judge_succession();
    for (const auto& each : into_.schemas) judge_label_arrays(*each);
    count_the_rest();
  }

 private:
  Place at(const Source& source) const { return {.source = &source}; }

  void find_schemas() {
    const auto entries = tree_.in(kSchemaFolder);
    const Entry* const old = tree_.find(kOldName);
    DirectoryContents layout{.old_schema = old && old->kind == MemberKind::kFile};
    if (old && !layout.old_schema)
      into_.unreadable.emplace_back(kOldName,
                                    std::string(to_string(old->kind)) + " is not examined");
    const Source whole;
    for (const Entry* each : entries) layout.entries += name_in(each->name) != kEnumerationFolder;
    judge_each<kHasSchema>(layout, Place{.source = &whole}, notes_);
    if (layout.old_schema) add_schema(*old, Folder::kOldSchema);
    for (const Entry* each : entries) {
      if (name_in(each->name) == kEnumerationFolder) continue;
      const Source source{.file = each->name};
      judge_each<kSchemaEntries>(EntryUse{*each}, at(source), notes_);
      if (each->kind == MemberKind::kFile) add_schema(*each, Folder::kSchemas);
    }
  }

  void add_schema(const Entry& entry, Folder folder) {
    if (!entry.error.empty()) {
      into_.unreadable.emplace_back(entry.name, entry.error);
      all_read_ = false;
      return;
    }
    if (!has_room(entry)) {
      all_read_ = false;
      return;
    }
    auto made = std::make_unique<SchemaFile>();
    made->opened.source.file = entry.name;
    made->name = name_in(entry.name);
    examine_schema(entry.bytes, folder, limits_, notes_, *made, true);
    held_ += made->opened.file.size() + made->opened.content.size();
    all_read_ &= made->schema.reached >= Reached::kEnumerations ||
                 (made->whole() && made->schema.number() < 20);
    into_.schemas.push_back(std::move(made));
  }

  // All files of an array are held at the same time.
  bool has_room(const Entry& entry) {
    if (held_ <= limits_.block_bytes) return true;
    into_.unreadable.emplace_back(
        entry.name, std::format("the files before it take more than the limit of {} bytes",
                                limits_.block_bytes));
    return false;
  }

  void find_enumerations() {
    std::unordered_set<std::string_view> named;
    for (const auto& file : into_.schemas)
      for (const EnumerationEntry& each : file->schema.enumerations)
        named.insert(text_of(each.file.value));
    for (const Entry* each : tree_.in(enumeration_folder())) {
      const std::string_view name = name_in(each->name);
      const Source source{.file = each->name};
      const bool is_named = named.contains(name);
      if (all_read_)
        judge_each<kOrphan>(OrphanUse{*each, is_named}, at(source), notes_);
      else
        block<kOrphan>("not all schemas could be read", {}, notes_);
      if (each->kind != MemberKind::kFile || (!is_named && !is_enumeration_name(name))) continue;
      if (!each->error.empty()) {
        into_.unreadable.emplace_back(each->name, each->error);
        continue;
      }
      if (!has_room(*each)) continue;
      auto made = std::make_unique<EnumerationFile>();
      made->name = name;
      made->opened.source.file = each->name;
      examine_enumeration(each->bytes, Folder::kEnumerations, limits_, notes_, *made);
      held_ += made->opened.file.size() + made->opened.content.size();
      files_.emplace(made->name, made.get());
      into_.enumerations.push_back(std::move(made));
    }
  }

  const EnumerationFile* file_of(const EnumerationEntry& entry) const {
    const auto it = files_.find(std::string(text_of(entry.file.value)));
    return it == files_.end() ? nullptr : it->second;
  }

  void judge_map(const SchemaFile& file) {
    const Schema& schema = file.schema;
    const std::uint64_t before = notes_.fails();
    std::unordered_map<std::string_view, const EnumerationFile*> by_name;
    for (std::size_t i = 0; i < schema.enumerations.size(); ++i) {
      const EnumerationEntry& each = schema.enumerations[i];
      const std::string_view name = text_of(each.file.value);
      MapUse use{.it = each, .file = file_of(each)};
      use.exists =
          is_file_component(name) && tree_.has_file(joined_path(enumeration_folder(), name));
      const Path path = path_of("enumeration", i, each.name);
      const Place place{
          .source = &file.opened.source, .path = &path, .byte = each.at, .decoded = true};
      judge_each<kFileExists>(use, place, notes_);
      judge_each<kNameEqualsMap>(use, place, notes_);
      by_name.emplace(text_of(each.name.value), use.file);
    }
    if (notes_.fails() == before) judge_file_names_unique(schema, file.opened, notes_);
    for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
      const Attribute& each = schema.attributes[i];
      const auto found = by_name.find(text_of(each.enumeration.value));
      if (each.enumeration.value.empty() || found == by_name.end() || !found->second) continue;
      const Enumeration& values = found->second->enumeration;
      if (!values.whole || !(is_integer(each.datatype.value) || each.datatype.value == kBool) ||
          (values.is_variable() && values.offsets_size.value % 8 != 0))
        continue;
      const Path path = path_of("attribute", i, each.name);
      const Place place{
          .source = &file.opened.source, .path = &path, .byte = each.at, .decoded = true};
      judge_each<kRepresentable>(CountUse{each, values.count()}, place, notes_);
      judge_each<kBelowMax>(CountUse{each, values.count()}, place, notes_);
    }
  }

  void judge_succession() {
    const SchemaFile* before = nullptr;
    for (const auto& file : into_.schemas) {
      if (!file->whole()) continue;
      if (before) {
        const Path path{.kind = "schema"};
        const Place place{
            .source = &file->opened.source, .path = &path, .byte = 0, .decoded = true};
        const Succession both{before->schema, file->schema};
        judge_each<kDimensionsEqual>(both, place, notes_);
        if (file->parsed.formed && (before->parsed.formed || before->old))
          judge_each<kGrows>(both, place, notes_);
      }
      before = file.get();
    }
  }

  void judge_label_arrays(const SchemaFile& file) {
    for (std::size_t i = 0; i < file.schema.labels.size(); ++i) {
      const Label& each = file.schema.labels[i];
      const std::string_view uri = text_of(each.uri.value);
      if (each.external.value != 0 || each.relative.value != 1 || uri.empty() ||
          !is_relative_uri(uri))
        continue;
      std::string array(uri);
      while (array.ends_with('/')) array.pop_back();
      const Path path = path_of("label", i, each.name);
      const Place place{
          .source = &file.opened.source, .path = &path, .byte = each.at, .decoded = true};
      LabelArray use{.label = each, .of = file.schema};
      use.exists = !array.empty() && tree_.has_directory(array) && has_any_schema(tree_, array);
      judge_each<kLabelArrayExists>(use, place, notes_);
      if (!use.exists) continue;
      constexpr std::size_t kMostLabelArrays = 100;
      if (++label_arrays_ > kMostLabelArrays) {
        block<kLabelArrayRules>(std::format("more than {} arrays of labels", kMostLabelArrays), {},
                                notes_);
        continue;
      }
      const auto newest = newest_schema(tree_, array, limits_, notes_);
      if (!newest) {
        block<kLabelArrayRules>("the label's array cannot be read", {}, notes_);
        continue;
      }
      use.newest = &newest->schema;
      judge_each<kLabelArrayRules>(use, place, notes_);
    }
  }

  void count_the_rest() {
    for (const Entry* each : tree_.in("")) {
      if (each->name == kSchemaFolder || each->name == kOldName) continue;
      const std::uint64_t inside =
          each->kind == MemberKind::kDirectory ? tree_.in(each->name).size() : 1;
      const bool known =
          each->kind == MemberKind::kDirectory &&
          (each->name == "__fragments" || each->name == "__commits" ||
           each->name == "__fragment_meta" || each->name == "__meta" || each->name == "__labels");
      const std::string what = known ? each->name : "others";
      auto it = std::ranges::find(into_.not_judged, what, &NotJudged::what);
      if (it == into_.not_judged.end()) it = into_.not_judged.insert(it, NotJudged{.what = what});
      it->count += known ? inside : 1;
    }
  }

  const Tree& tree_;
  const Limits& limits_;
  Notes& notes_;
  Array& into_;
  bool all_read_ = true;
  std::uint64_t held_ = 0;        // bytes of files, stored and decoded
  std::size_t label_arrays_ = 0;  // that were read
  std::unordered_map<std::string, const EnumerationFile*> files_{};
};

}  // namespace

void array_rules(RuleList& list) {
  list.structure<kSchemaNameRules, kOldVersion, kNewVersion, kHasSchema, kSchemaEntries,
                 kFileExists, kNameEqualsMap, kPathEqualsFile, kOrphan, kRepresentable, kBelowMax,
                 kDimensionsEqual, kGrows, kLabelArrayExists, kLabelArrayRules>();
}

SchemaName SchemaName::of(std::string_view name) {
  SchemaName made;
  if (!name.starts_with("__")) return made;
  std::vector<std::string_view> parts;
  for (std::size_t at = 2; at <= name.size();) {
    const std::size_t end = std::min(name.find('_', at), name.size());
    parts.push_back(name.substr(at, end - at));
    at = end + 1;
  }
  const auto hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  made.formed = (parts.size() == 3 || (parts.size() == 4 && all_digits(parts[3]))) &&
                all_digits(parts[0]) && all_digits(parts[1]) && parts[2].size() == 32 &&
                std::ranges::all_of(parts[2], hex);
  if (!made.formed) return made;
  made.versioned = parts.size() == 4;
  made.t1 = without_zeros(parts[0]);
  made.t2 = without_zeros(parts[1]);
  return made;
}

std::string_view name_in(std::string_view path) { return path.substr(path.rfind('/') + 1); }

Folder folder_of(std::string_view path) {
  const std::string_view name = name_in(path);
  if (name == kOldName) return Folder::kOldSchema;
  if (name.size() == path.size()) return Folder::kNone;
  const std::string_view folder = name_in(path.substr(0, path.size() - name.size() - 1));
  if (folder == kSchemaFolder) return Folder::kSchemas;
  return folder == kEnumerationFolder ? Folder::kEnumerations : Folder::kNone;
}

void examine_schema(const Bytes& file, Folder folder, const Limits& limits, Notes& notes,
                    SchemaFile& into, bool in_array) {
  into.old = folder == Folder::kOldSchema;
  into.parsed = SchemaName::of(into.name);
  const Place place{.source = &into.opened.source};
  if (folder == Folder::kSchemas)
    judge_each<kSchemaNameRules>(NameUse{into.parsed, into.name}, place, notes);
  if (!into.opened.seen) open_tile(file, limits, notes, into.opened);
  if (!into.opened.decoded) return block_schema(into.opened.stop, notes);
  if (!read_schema(into.opened, notes, into.schema)) return block_schema(into.opened.stop, notes);
  judge_schema(into.schema, into.opened, notes, in_array);
  if (into.schema.reached < Reached::kHead) return;
  if (folder == Folder::kOldSchema) judge_each<kOldVersion>(into.schema, place, notes);
  if (folder == Folder::kSchemas) judge_each<kNewVersion>(into.schema, place, notes);
}

void examine_enumeration(const Bytes& file, Folder folder, const Limits& limits, Notes& notes,
                         EnumerationFile& into) {
  if (!into.opened.seen) open_tile(file, limits, notes, into.opened);
  if (!into.opened.decoded) return block_enumeration(into.opened.stop, notes);
  read_enumeration(into.opened, notes, into.enumeration);
  judge_enumeration(into.enumeration, into.opened, notes);
  if (folder != Folder::kEnumerations) return;
  const Path path{.kind = "enumeration"};
  judge_each<kPathEqualsFile>(
      FileNameUse{into.enumeration, into.name},
      Place{.source = &into.opened.source, .path = &path, .byte = 0, .decoded = true}, notes);
}

void examine_array(const Tree& tree, const Limits& limits, Notes& notes, Array& into) {
  ArrayExamination(tree, limits, notes, into).run();
}

}  // namespace hepcheck::tiledb
