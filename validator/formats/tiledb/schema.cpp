#include "validator/formats/tiledb/schema.h"

#include <algorithm>
#include <format>
#include <unordered_map>

#include "validator/utf8.h"

namespace hepcheck::tiledb {

namespace {

constexpr std::size_t kMostEntries = 100'000;

// --- Layout
// -----------------------------------------------------------------------------------------

constexpr LookRule kHeadComplete("tiledb-schema-head-complete", fits);
constexpr LookRule kMapCountFits("tiledb-schema-enum-count-fits", fits);
constexpr LookRule kMapNameLength("tiledb-schema-enum-name-length", fits);
constexpr LookRule kMapFileLength("tiledb-schema-enum-filename-length", fits);

struct End {
  std::uint64_t at = 0, size = 0;
};
constexpr LookRule kSchemaEnd("tiledb-schema-end", [](const End& it, Look& look) {
  look.at(it.at);
  look.ask(
      it.at == it.size,
      [&] { return std::format("{} bytes behind the last field", it.size - it.at); },
      "a schema that ends with its last field");
});

constexpr LookRule kSchemaVersionKnown("tiledb-schema-version-known", [](const Schema& it,
                                                                         Look& look) {
  look.ask(it.number() != 0, "version 0", "a version from 1 on");
});

struct TwoVersions {
  std::uint32_t tile = 0, schema = 0;
};
constexpr LookRule kVersionsEqual("tiledb-tile-version-equals-schema", [](const TwoVersions& it,
                                                                          Look& look) {
  if (it.tile == 0) return;
  look.ask(
      it.tile == it.schema,
      [&] { return std::format("tile version {}, schema version {}", it.tile, it.schema); },
      "one version");
});

// --- Fields
// -------------------------------------------------------------------------------------------

void dups_flag(const Schema& it, Look& look) {
  if (it.number() < 5) return;
  look.at("duplicates", it.duplicates.at);
  look.ask(
      it.duplicates.value <= 1, [&] { return std::format("{}", it.duplicates.value); }, "0 or 1");
}
void dups_sparse_only(const Schema& it, Look& look) {
  if (it.number() < 5 || it.array_type.value > 1) return;
  look.at("duplicates", it.duplicates.at);
  look.ask(!it.is_dense() || it.duplicates.value == 0 || it.duplicates.value > 1,
           "a dense array that allows duplicates", "duplicates in sparse arrays only");
}
void array_type(const Schema& it, Look& look) {
  look.at("array_type", it.array_type.at);
  look.ask(
      it.array_type.value <= 1, [&] { return std::format("{}", it.array_type.value); },
      "0 (dense) or 1 (sparse)");
}
void tile_order(const Schema& it, Look& look) {
  look.at("tile_order", it.tile_order.at);
  look.ask(
      it.tile_order.value <= 1, [&] { return std::format("{}", it.tile_order.value); },
      "0 (row-major) or 1 (column-major)");
}
constexpr std::uint8_t kHilbert = 4;
void cell_order(const Schema& it, Look& look) {
  look.at("cell_order", it.cell_order.at);
  look.ask(
      it.cell_order.value <= 1 || (it.cell_order.value == kHilbert && it.number() >= 7),
      [&] { return std::format("{}", it.cell_order.value); },
      "0 (row-major), 1 (column-major), or from version 7 on 4 (Hilbert)");
}
void hilbert_sparse(const Schema& it, Look& look) {
  if (it.cell_order.value != kHilbert || it.number() < 7 || it.array_type.value > 1) return;
  look.at("cell_order", it.cell_order.at);
  look.ask(it.is_sparse(), "a dense array in Hilbert order", "Hilbert order in sparse arrays only");
}
void schema_capacity(const Schema& it, Look& look) {
  if (!it.is_sparse()) return;
  look.at("capacity", it.capacity.at);
  look.ask(it.capacity.value > 0, "capacity 0", "a capacity above 0 in a sparse array");
}

constexpr Rule<Schema> kHeadRules[] = {
    {"tiledb-schema-dups-flag", dups_flag},
    {"tiledb-schema-dups-sparse-only", dups_sparse_only},
    {"tiledb-schema-array-type", array_type},
    {"tiledb-schema-tile-order", tile_order},
    {"tiledb-schema-cell-order", cell_order},
    {"tiledb-schema-hilbert-sparse", hilbert_sparse},
    {"tiledb-schema-capacity", schema_capacity},
};

// --- What follows from dimensions and attributes
// ------------------------------------------------------

constexpr LookRule kHilbertDims("tiledb-schema-hilbert-dims", [](const Schema& it, Look& look) {
  if (it.cell_order.value != kHilbert || it.number() < 7) return;
  look.at("dimension_count", it.dimension_count.at);
  look.ask(
      it.dimensions.size() <= 16,
      [&] { return std::format("{} dimensions", it.dimensions.size()); },
      "at most 16 dimensions in Hilbert order");
});

bool inherits(const Schema& it, const Dimension& dimension) {
  return it.number() < 5 || dimension.filters.empty();
}

constexpr LookRule kCoordsDoubleDelta("tiledb-coords-double-delta-real", [](const Schema& it,
                                                                            Look& look) {
  if (!it.coordinates.has(kDoubleDelta)) return;
  look.at("coordinates", it.coordinates.at);
  look.ask(std::ranges::none_of(it.dimensions,
                                [&](const Dimension& each) {
                                  return is_float(each.datatype.value) && inherits(it, each);
                                }),
           "double delta for the coordinates of a floating-point dimension",
           "a filter that takes the values of every dimension without its own");
});

constexpr LookRule kCoordsRle("tiledb-coords-rle-first", [](const Schema& it, Look& look) {
  if (it.number() < 12 || it.coordinates.filters.size() < 2 || !it.coordinates.has(kRle)) return;
  look.at("coordinates", it.coordinates.at);
  const auto& filters = it.coordinates.filters;
  const bool later = std::any_of(filters.begin() + 1, filters.end(),
                                 [](const Filter& each) { return each.type == kRle; });
  look.ask(!later || std::ranges::none_of(it.dimensions,
                                          [&](const Dimension& each) {
                                            return each.datatype.value == kStringAscii &&
                                                   each.is_variable() && inherits(it, each);
                                          }),
           "RLE behind other filters for the coordinates of a string dimension",
           "RLE as the first filter");
});

constexpr LookRule kDenseNeedsAttr("tiledb-schema-dense-needs-attr", [](const Schema& it,
                                                                        Look& look) {
  if (!it.is_dense()) return;
  look.at("attribute_count", it.attribute_count.at);
  look.ask(!it.attributes.empty(), "a dense array without attributes", "at least one attribute");
});

constexpr LookRule kOrderedDense1d("tiledb-schema-ordered-attr-dense-1d", [](const Schema& it,
                                                                             Look& look) {
  const auto ordered = std::ranges::find_if(it.attributes, [](const Attribute& each) {
    return each.order.value == 1 || each.order.value == 2;
  });
  if (ordered == it.attributes.end() || it.array_type.value > 1) return;
  look.at(ordered->order.at);
  look.ask(it.is_dense() && it.dimensions.size() == 1, "an ordered attribute of another array",
           "a dense array of one dimension");
});

// A name with its place.
struct NamePlace {
  const char* kind;
  std::size_t index;
  Stored<Raw> name;
};

std::vector<NamePlace> all_names(const Schema& schema, bool enumerations) {
  std::vector<NamePlace> made;
  const auto add = [&](const char* kind, const auto& list) {
    for (std::size_t i = 0; i < list.size(); ++i) made.push_back({kind, i, list[i].name});
  };
  if (enumerations) {
    add("enumeration", schema.enumerations);
    return made;
  }
  add("dimension", schema.dimensions);
  add("attribute", schema.attributes);
  add("label", schema.labels);
  return made;
}

void ask_unique(const std::vector<NamePlace>& names, Look& look) {
  std::unordered_map<std::string_view, const NamePlace*> seen;
  for (const NamePlace& each : names) {
    const auto [other, fresh] = seen.emplace(text_of(each.name.value), &each);
    look.looked();
    if (fresh) continue;
    const Path path = path_of(each.kind, each.index, each.name);
    look.at(path, each.name.at);
    look.fail(std::format("the name of {} {}", other->second->kind, other->second->index),
              "a name of its own");
  }
}

constexpr LookRule kNamesUnique("tiledb-schema-names-unique", [](const Schema& it, Look& look) {
  ask_unique(all_names(it, false), look);
});

constexpr LookRule kNameText("tiledb-name-text", [](const Schema& it, Look& look) {
  for (const bool enumerations : {false, true})
    for (const NamePlace& each : all_names(it, enumerations)) {
      const std::string_view name = text_of(each.name.value);
      const Path path = path_of(each.kind, each.index, each.name);
      look.at(path, each.name.at);
      look.ask(
          is_utf8(name) && !name.contains('\0'), [&] { return hexadecimal(each.name.value); },
          "UTF-8 without NUL");
    }
});

// A datatype that something has.
struct DatatypeUse {
  std::uint8_t datatype = 0;
  std::uint32_t version = 0;
};
constexpr LookRule kDatatypeSince("tiledb-datatype-since", [](const DatatypeUse& it, Look& look) {
  if (!is_known(it.datatype)) return;
  look.ask(
      it.version >= datatype_since(it.datatype),
      [&] { return std::format("{} in version {}", datatype_text(it.datatype), it.version); },
      [&] { return std::format("version {} or later", datatype_since(it.datatype)); });
});

// --- The map of enumerations
// --------------------------------------------------------------------------

void map_name_nonempty(const EnumerationEntry& it, Look& look) {
  look.at("name", it.name.at);
  look.ask(!it.name.value.empty(), "an empty name", "a name");
}
bool is_component(std::string_view name) {
  return !name.empty() && name != "." && name != ".." &&
         name.find_first_of(std::string_view("/\\\0", 3)) == name.npos;
}
void file_component(const EnumerationEntry& it, Look& look) {
  look.at("file_name", it.file.at);
  look.ask(
      is_component(text_of(it.file.value)),
      [&] { return it.file.value.empty() ? "an empty file name" : "a path or no file name"; },
      "the name of a file in __enumerations");
}
void file_form(const EnumerationEntry& it, Look& look) {
  const std::string_view name = text_of(it.file.value);
  if (!is_component(name)) return;
  look.at("file_name", it.file.at);
  look.ask(is_enumeration_name(name), "another form", "__<32 hexadecimal digits>_<version>");
}
constexpr Rule<EnumerationEntry> kMapRules[] = {
    {"tiledb-schema-enum-name-nonempty", map_name_nonempty},
    {"tiledb-schema-enum-filename-component", file_component},
    {"tiledb-schema-enum-filename-form", file_form},
};
constexpr LookRule kMapNamesUnique("tiledb-schema-enum-names-unique",
                                   [](const Schema& it, Look& look) {
                                     ask_unique(all_names(it, true), look);
                                   });

constexpr LookRule kMapFilesUnique("tiledb-schema-enum-filenames-unique", [](const Schema& it,
                                                                             Look& look) {
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < it.enumerations.size(); ++i) {
    const EnumerationEntry& each = it.enumerations[i];
    const auto [other, fresh] = seen.emplace(text_of(each.file.value), i);
    look.looked();
    // Two entries that share a name too are reported for that.
    if (fresh || std::ranges::equal(it.enumerations[other->second].name.value, each.name.value))
      continue;
    const Path path = path_of("enumeration", i, each.name);
    look.at(path, each.file.at);
    look.fail(std::format("the file of enumeration {}", other->second), "a file of its own");
  }
});

// --- Reading
// ------------------------------------------------------------------------------------------

bool read_head(BoundedReader& read, Opened& file, Schema& into) {
  const Path path{.kind = "schema"};
  if (!read.room<kHeadComplete>(&path, "the head of a schema", 4)) return true;
  into.version = read.get<std::uint32_t>();
  if (!judge_version(into.number(), "schema", read.place(&path, 0), read.notes(), file))
    return false;
  if (!judge<kSchemaVersionKnown>(into, read.place(&path, 0), read.notes())) {
    read.end("the version is unknown", "tiledb-schema-version-known");
    return true;
  }
  if (!read.room<kHeadComplete>(&path, "the head of a schema", into.number() >= 5 ? 12 : 11))
    return true;
  if (into.number() >= 5) into.duplicates = read.get<std::uint8_t>();
  into.array_type = read.get<std::uint8_t>();
  into.tile_order = read.get<std::uint8_t>();
  into.cell_order = read.get<std::uint8_t>();
  into.capacity = read.get<std::uint64_t>();
  into.reached = Reached::kHead;
  return true;
}

void read_pipelines(BoundedReader& read, Schema& into) {
  const Path coordinates{.kind = "coordinates_filters"}, offsets{.kind = "offsets_filters"},
      validity{.kind = "validity_filters"};
  into.coordinates = read_pipeline(read, &coordinates);
  if (read.stopped()) return;
  into.offsets = read_pipeline(read, &offsets);
  if (read.stopped()) return;
  if (into.number() >= 7) into.validity = read_pipeline(read, &validity);
  if (!read.stopped()) into.reached = Reached::kPipelines;
}

Stored<Raw> read_text(BoundedReader& read, std::uint64_t size) {
  const std::uint64_t at = read.at();
  return {read.take_bytes(size), at};
}

void read_map(BoundedReader& read, Schema& into) {
  const Path list{.kind = "enumerations"};
  if (!read.room<kMapCountFits>(&list, "the number of enumerations", 4)) return;
  into.enumeration_count = read.get<std::uint32_t>();
  if (!read.room_for<kMapCountFits>(&list, "enumerations", into.enumeration_count.value, 8)) return;
  if (into.enumeration_count.value > kMostEntries)
    return read.end(std::format("more than {} enumerations", kMostEntries));
  for (std::uint32_t i = 0; i < into.enumeration_count.value; ++i) {
    const Path path{.kind = "enumeration", .index = i};
    EnumerationEntry each{.at = read.at()};
    if (!read.room<kMapNameLength>(&path, "the length of a name", 4)) return;
    const auto name = read.get<std::uint32_t>().value;
    if (!read.room<kMapNameLength>(&path, "a name", name)) return;
    each.name = read_text(read, name);
    if (!read.room<kMapFileLength>(&path, "the length of a file name", 4)) return;
    const auto file = read.get<std::uint32_t>().value;
    if (!read.room<kMapFileLength>(&path, "a file name", file)) return;
    each.file = read_text(read, file);
    into.enumerations.push_back(each);
  }
  into.reached = Reached::kEnumerations;
}

// Everything behind the labels.
void read_rest(BoundedReader& read, Schema& into) {
  if (into.number() >= 20) read_map(read, into);
  if (read.stopped()) return;
  if (into.number() >= 22) read_current_domain(read, into);
  if (read.stopped()) return;
  into.end = read.at();
  into.reached = Reached::kEnd;
}

void block_map(const Stop& stop, Notes& notes) {
  block_behind<kMapCountFits, kMapNameLength, kMapFileLength, kMapRules, kMapNamesUnique,
               kMapFilesUnique>(stop, notes);
}

void block_cross(const Stop& stop, Notes& notes) {
  block_behind<kHilbertDims, kCoordsDoubleDelta, kCoordsRle, kDenseNeedsAttr, kOrderedDense1d,
               kNamesUnique, kNameText>(stop, notes);
}

// What lies behind the place where reading ended.
void block_rest(const Schema& schema, const Stop& stop, Notes& notes) {
  const std::uint32_t version = schema.number();
  const Reached reached = schema.reached;
  if (reached < Reached::kHead) block_behind<kHeadRules, kVersionsEqual>(stop, notes);
  if (reached < Reached::kAttributes) block_pipelines(stop, false, notes);
  if (reached < Reached::kDomain) block_domain(stop, notes);
  if (reached < Reached::kAttributes) {
    block_attributes(stop, version, notes);
    block_cross(stop, notes);
    block_behind<kDatatypeSince>(stop, notes);
  }
  if (reached < Reached::kLabels && version >= 18) block_labels(stop, notes);
  if (reached < Reached::kEnumerations && version >= 20) block_map(stop, notes);
  if (reached < Reached::kCurrentDomain && version >= 22) block_current_domain(stop, notes);
  block_behind<kSchemaEnd>(stop, notes);
}

}  // namespace

bool is_enumeration_name(std::string_view name) {
  constexpr std::size_t kDigits = 32;
  if (!name.starts_with("__") || name.size() < 2 + kDigits + 2 || name[2 + kDigits] != '_')
    return false;
  const auto hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return std::ranges::all_of(name.substr(2, kDigits), hex) &&
         std::ranges::all_of(name.substr(3 + kDigits), digit);
}

bool is_file_component(std::string_view name) { return is_component(name); }

void schema_rules(RuleList& list) {
  list.structure<kHeadComplete, kSchemaVersionKnown, kVersionsEqual, kHeadRules, kHilbertDims,
                 kCoordsDoubleDelta, kCoordsRle, kDenseNeedsAttr, kOrderedDense1d, kNamesUnique,
                 kNameText, kDatatypeSince, kMapCountFits, kMapNameLength, kMapFileLength,
                 kMapRules, kMapNamesUnique, kMapFilesUnique, kSchemaEnd>();
}

bool read_schema(Opened& file, Notes& notes, Schema& into) {
  BoundedReader read(file.content, notes, file.source);
  if (!read_head(read, file, into)) return false;
  if (!read.stopped()) read_pipelines(read, into);
  if (!read.stopped()) read_domain(read, into);
  if (!read.stopped()) read_attributes(read, into);
  if (read.stopped() || into.number() < 18) {
    if (!read.stopped()) read_rest(read, into);
    file.stop = read.stop();
    return true;
  }
  // The released layout of labels is tried first, and without a word, since that of the table may
  // fit where it does not.
  const std::uint64_t at = read.at();
  const std::uint64_t before = notes.fails();
  Schema trial = into;
  bool released = true;
  {
    const Notes::Silence silence(notes);
    BoundedReader again(std::span(file.content).subspan(at), notes, file.source, at);
    read_labels(again, trial);
    if (!again.stopped()) read_rest(again, trial);
    released = !again.stopped() && trial.end == file.content.size() && notes.fails() == before;
    if (!released && trial.label_count.value > 0) {
      std::uint64_t end = 0;
      Schema of_table = into;
      if (read_labels_of_table(file.content, at, notes, file.source, of_table, end)) {
        BoundedReader behind(std::span(file.content).subspan(end), notes, file.source, end);
        read_rest(behind, of_table);
        if (!behind.stopped() && of_table.end == file.content.size()) into.labels_of_table = true;
      }
    }
  }
  if (into.labels_of_table) {
    std::uint64_t end = 0;
    read_labels_of_table(file.content, at, notes, file.source, into, end);
    BoundedReader behind(std::span(file.content).subspan(end), notes, file.source, end);
    read_rest(behind, into);
    file.stop = behind.stop();
    return true;
  }
  read_labels(read, into);
  if (!read.stopped()) read_rest(read, into);
  file.stop = read.stop();
  return true;
}

void judge_schema(const Schema& schema, const Opened& file, Notes& notes,
                  bool files_judged_elsewhere) {
  BoundedReader at(file.content, notes, file.source);
  const Path path{.kind = "schema"};
  const Place place = at.place(&path, 0);
  if (schema.reached >= Reached::kHead) {
    judge_each<kVersionsEqual>(TwoVersions{file.tile.version, schema.number()}, place, notes);
    judge_each<kHeadRules>(schema, place, notes);
  }
  const auto pipeline = [&](const Pipeline& one, Role role, const char* name, bool webp) {
    const Path kind{.kind = name};
    PipelineUse use{.pipeline = &one, .role = role, .version = schema.number(), .webp_array = webp};
    use.inherited_by_other_than_strings =
        std::ranges::any_of(schema.dimensions, [&](const Dimension& each) {
          return inherits(schema, each) &&
                 !(each.datatype.value == kStringAscii && each.is_variable());
        });
    judge_pipeline(use, &kind, at);
  };
  pipeline(schema.coordinates, Role::kCoordinates, "coordinates_filters", false);
  pipeline(schema.offsets, Role::kOffsets, "offsets_filters", false);
  pipeline(schema.validity, Role::kValidity, "validity_filters", false);
  judge_domain(schema, at);
  judge_attributes(schema, at);
  judge_labels(schema, at);
  const auto since = [&](const char* kind, const auto& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Path each = path_of(kind, i, list[i].name);
      judge_each<kDatatypeSince>(DatatypeUse{list[i].datatype.value, schema.number()},
                                 at.place(&each, list[i].datatype.at), notes);
    }
  };
  if (schema.number() >= 5) {
    since("dimension", schema.dimensions);
  } else if (schema.reached >= Reached::kDomain) {
    const Path domain{.kind = "domain"};
    judge_each<kDatatypeSince>(DatatypeUse{schema.domain_datatype.value, schema.number()},
                               at.place(&domain, schema.domain_datatype.at), notes);
  }
  since("attribute", schema.attributes);
  since("label", schema.labels);
  if (schema.reached >= Reached::kDomain) {
    judge_each<kHilbertDims>(schema, place, notes);
    judge_each<kCoordsDoubleDelta>(schema, place, notes);
    judge_each<kCoordsRle>(schema, place, notes);
  }
  if (schema.reached >= Reached::kAttributes) {
    judge_each<kDenseNeedsAttr>(schema, place, notes);
    judge_each<kOrderedDense1d>(schema, place, notes);
    judge_each<kNamesUnique>(schema, place, notes);
    judge_each<kNameText>(schema, place, notes);
  }
  for (std::size_t i = 0; i < schema.enumerations.size(); ++i) {
    const EnumerationEntry& each = schema.enumerations[i];
    const Path entry = path_of("enumeration", i, each.name);
    judge_each<kMapRules>(each, at.place(&entry, each.at), notes);
  }
  if (schema.reached >= Reached::kEnumerations) judge_each<kMapNamesUnique>(schema, place, notes);
  if (schema.reached >= Reached::kEnumerations && !files_judged_elsewhere)
    judge_each<kMapFilesUnique>(schema, place, notes);
  if (schema.current_domain) judge_current_domain(schema, at);
  if (schema.reached == Reached::kEnd)
    judge_each<kSchemaEnd>(End{schema.end, file.content.size()}, place, notes);
  else
    block_rest(schema, file.stop, notes);
}

void judge_file_names_unique(const Schema& schema, const Opened& file, Notes& notes) {
  const Path path{.kind = "schema"};
  if (schema.reached >= Reached::kEnumerations)
    judge_each<kMapFilesUnique>(
        schema, Place{.source = &file.source, .path = &path, .byte = 0, .decoded = true}, notes);
}

void block_schema(const Stop& stop, Notes& notes) {
  Schema none;
  none.version.value = kLastVersion;
  block_behind<kHeadComplete, kSchemaVersionKnown>(stop, notes);
  block_rest(none, stop, notes);
}

}  // namespace hepcheck::tiledb
