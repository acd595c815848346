#include "validator/formats/hep001/testing/defects.h"

#include <unistd.h>

#include <algorithm>
#include <random>

#include "validator/formats/hep001/libhdf5/apply_step.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/repair/cases.h"
#include "validator/rewrite.h"

namespace hepcheck::hep001 {

namespace {

using Random = std::mt19937;

struct Defect {
  const char* name;
  // The steps, or none if the table has no place for it.
  std::vector<Step> (*steps)(const Table& table, Random& random);
};

Dataspace one_element() {
  return {.kind = Dataspace::Kind::kSimple, .extent = {1}, .max_extent = {1}};
}

// A number in another integer datatype, and perhaps in a list.
Attribute odd_number(const std::string& name, std::uint64_t value, Random& random) {
  constexpr std::size_t kSizes[] = {2, 4, 8};
  const std::size_t size = kSizes[random() % 3];
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(value >> (8 * i));
  Attribute made = scalar_attribute(name, integer_type(size, true), bytes);
  if (random() % 2 == 0) made.space = one_element();
  return made;
}

Attribute odd_text(const std::string& name, const std::string& value, Random& random) {
  const bool padded = random() % 2 == 0;
  const auto padding = padded ? StringPadding::kSpacePad : StringPadding::kNullPad;
  const auto set = name == "CLASS" || name == "VERSION" || name == "KIND" ? CharacterSet::kUtf8
                                                                          : CharacterSet::kAscii;
  const std::size_t size = value.size() + 3;
  std::vector<std::byte> bytes(size, padded ? std::byte{' '} : std::byte{0});
  std::ranges::copy(std::as_bytes(std::span(value)), bytes.begin());
  Attribute made = scalar_attribute(name, fixed_string_type(size, padding, set), bytes);
  if (random() % 2 == 0) made.space = one_element();
  return made;
}

template <const char* const& kName>
std::vector<Step> text_of_table(const Table& table, Random& random) {
  const Attribute* attribute = table.attribute(kName);
  const auto text = attribute ? only_text(*attribute) : std::nullopt;
  // A blank at the end would be taken for padding.
  if (!text || text->ends_with(' ') ||
      std::ranges::any_of(*text, [](char c) { return static_cast<unsigned char>(c) > 0x7e; }))
    return {};
  return {put_attribute(table.path(), odd_text(kName, *text, random))};
}
constexpr const char* kClass = "CLASS";
constexpr const char* kVersion = "VERSION";
constexpr const char* kTitle = "TITLE";

std::vector<Step> nrows(const Table& table, Random& random) {
  if (!table.nrows || *table.nrows > 30'000) return {};
  return {put_attribute(table.path(), odd_number("NROWS", *table.nrows, random))};
}

std::vector<Step> generation(const Table& table, Random& random) {
  const Attribute* token = table.attribute("GENERATION");
  const auto value = token ? only_number(*token) : std::nullopt;
  if (!value || *value > 30'000) return {};
  if (random() % 2 == 0 && !table.indexes.empty())
    return {drop_attribute(table.path(), "GENERATION")};
  return {put_attribute(table.path(), odd_number("GENERATION", *value, random))};
}

std::vector<Step> order(const Table& table, Random& random) {
  const Attribute* list = table.attribute("column-order");
  if (!list) return {};
  std::vector<std::string> names = string_elements(*list);
  if (names.empty()) return {};
  switch (random() % 3) {
    case 0: names.push_back(names[random() % names.size()]); break;
    case 1: names.insert(names.begin(), "no such column"); break;
    default:
      if (names.size() < 2) return {};
      names.erase(names.begin() + static_cast<std::ptrdiff_t>(random() % names.size()));
  }
  return {put_attribute(table.path(), utf8_list_attribute("column-order", names))};
}

const SearchIndex* any_index(const Table& table, Random& random) {
  if (table.indexes.empty()) return nullptr;
  const SearchIndex& index = table.indexes[random() % table.indexes.size()];
  return index.kind == IndexKind::kUnknown || index.columns.size() != 1 ? nullptr : &index;
}

std::vector<Step> kind(const Table& table, Random& random) {
  const SearchIndex* index = any_index(table, random);
  const Attribute* attribute = index ? index->data->attribute("KIND") : nullptr;
  const auto text = attribute ? only_text(*attribute) : std::nullopt;
  if (!text) return {};
  return {put_attribute(index->data->path, odd_text("KIND", *text, random))};
}

std::vector<Step> token(const Table& table, Random& random) {
  const SearchIndex* index = any_index(table, random);
  if (!index || !table.revision->tokens) return {};
  const char* name = random() % 2 == 0 ? "SOURCE_NROWS" : "SOURCE_GENERATION";
  if (!index->data->attribute(name)) return {};
  if (random() % 2 == 0) return {drop_attribute(index->data->path, name)};
  return {put_attribute(index->data->path, number_attribute(name, random() % 1000 + 40'000))};
}

// An attribute that its family needs.
std::vector<Step> part_of_index(const Table& table, Random& random) {
  const SearchIndex* index = any_index(table, random);
  if (!index) return {};
  for (const char* name : {"nan_tail_length", "k", "VALUES", "m_bits"})
    if (index->data->attribute(name)) return {drop_attribute(index->data->path, name)};
  return {drop_attribute(index->data->path, "KIND")};
}

std::vector<Step> list_of_indexes(const Table& table, Random& random) {
  const SearchIndex* index = any_index(table, random);
  if (!index) return {};
  const Dataset& column = *table.columns[index->columns.front()].data;
  const Attribute* list = column.attribute("SEARCH_INDEX_LIST");
  if (!list || list->references.empty()) return {};
  std::vector<Reference> references = list->references;
  references.push_back(references.front());
  if (random() % 2 == 0) references.push_back({});
  return {put_attribute(column.path, reference_list("SEARCH_INDEX_LIST", references))};
}

std::vector<Step> reserved_rows(const Table& table, Random& random) {
  if (table.columns.size() < 2) return {};
  const Dataset& column = *table.columns[random() % table.columns.size()].data;
  const bool grows = column.storage.layout == StorageLayout::kChunked &&
                     !column.space.max_extent.empty() &&
                     column.space.max_extent.front() == Dataspace::kUnlimited;
  const bool others = std::ranges::all_of(table.columns, [](const Column& each) {
    return each.data->storage.layout == StorageLayout::kChunked &&
           !each.data->space.max_extent.empty() &&
           each.data->space.max_extent.front() == Dataspace::kUnlimited;
  });
  if (!grows || !others) return {};
  return {extend(column.path, column.extent().value_or(0) + 1 + random() % 5)};
}

std::vector<Step> bound(const Table& table, Random& random) {
  for (const Column& column : table.columns)
    for (const char* name : {"valid_min", "valid_max"}) {
      const Attribute* attribute = column.data->attribute(name);
      const auto value = attribute ? only_number(*attribute) : std::nullopt;
      const bool integer =
          column.data->type.is(TypeClass::kInteger) || is_ieee_float(column.data->type);
      if (value && integer && *value < 100 && random() % 2 == 0)
        return {put_attribute(column.path(), odd_number(name, *value, random))};
    }
  return {};
}

constexpr Defect kDefects[] = {
    {"CLASS in another form", text_of_table<kClass>},
    {"VERSION in another form", text_of_table<kVersion>},
    {"TITLE in another form", text_of_table<kTitle>},
    {"NROWS of another type", nrows},
    {"GENERATION of another type, or absent", generation},
    {"names of columns missing, repeated or unknown", order},
    {"KIND in another form", kind},
    {"a token missing or stale", token},
    {"an index without an attribute", part_of_index},
    {"an index listed twice", list_of_indexes},
    {"reserved rows of one column", reserved_rows},
    {"a bound of another type", bound},
};

}  // namespace

Result<std::vector<std::string>> add_defects(int descriptor, const std::string& path,
                                             unsigned count, unsigned seed) {
  libhdf5::initialise(false);
  Random random(seed);
  std::vector<std::string> made;
  for (unsigned tries = 0; made.size() < count && tries < 20; ++tries) {
    const Defect& defect = kDefects[random() % std::size(kDefects)];
    if (std::ranges::contains(made, defect.name)) continue;
    auto rewrite = Rewrite::of_private(Descriptor{dup(descriptor)}, "damaged");
    if (!rewrite) return std::unexpected(rewrite.error());
    {
      Result<libhdf5::File> file = libhdf5::File::open_for_writing(**rewrite, "damaged", {});
      if (!file) return std::unexpected(file.error());
      Result<Table> table = libhdf5::read_table_at(*file, path);
      if (!table) return std::unexpected(table.error());
      assign_roles(*table, *revision_by_signs(table->group).revision);
      const std::vector<Step> steps = defect.steps(*table, random);
      for (const Step& step : steps)
        if (const auto done = libhdf5::apply_step(*file, step); !done)
          return std::unexpected(done.error());
      if (!steps.empty()) made.push_back(defect.name);
      if (!file->close()) return failure("damaged", "it cannot be written");
    }
    if (const auto done = (*rewrite)->finish(); !done) return std::unexpected(done.error());
  }
  return made;
}

}  // namespace hepcheck::hep001
