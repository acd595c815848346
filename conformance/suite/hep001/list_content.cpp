#include "conformance/suite/hep001/list_content.h"

#include <cstdlib>
#include <format>

namespace hepcheck::hep001::suite {

namespace {

// The reason why the rows of a list column are unavailable.
struct Unreadable {
  std::string why{};
};

std::uint64_t count_in(const Json& decimal) {
  return decimal.is_string()
             ? std::strtoull(decimal.get_ref<const std::string&>().c_str(), nullptr, 10)
             : 0;
}

class ListReader {
 public:
  ListReader(const ListColumn& list, ValueSource& values, ColumnContent& column)
      : list_(list), values_(values), column_(column) {}

  Json type(std::size_t depth = 0) const {
    if (depth == list_.levels.size()) return leaf_type();
    if (list_.levels[depth].cls == ListClass::kStrings) return {{"class", "text"}};
    Json made{{"class", "list"}};
    if (is_judged(depth)) made["base"] = type(depth + 1);
    return made;
  }

  // The entries of a level, the outermost being 0; below the last one, elements of the leaf.
  std::vector<Json> entries(std::size_t depth, std::uint64_t count, const std::string& path) {
    if (depth == list_.levels.size()) return leaf(count, path);
    const ListLevel& level = list_.levels[depth];
    if (!is_judged(depth)) throw Unreadable{"a KIND of a later revision"};
    if (count + 1 == 0) throw Unreadable{"more entries than can be counted"};
    const std::vector<Json> offsets = member(level.offsets, path + "OFFSETS", count + 1);
    const std::uint64_t below = count_in(offsets.back());
    const bool texts = level.cls == ListClass::kStrings;
    const std::vector<Json> elements = texts ? member(level.values, path + "CHARS", below)
                                             : entries(depth + 1, below, path + "VALUES/");
    std::vector<Json> present(count, "1");
    if (level.mask.link) present = member(level.mask, path + "MASK", count);
    std::vector<Json> made;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t from = count_in(offsets[i]), to = count_in(offsets[i + 1]);
      if (from > to || to > elements.size()) throw Unreadable{"OFFSETS that decrease"};
      if (present[i] == "0")
        made.emplace_back();
      else
        made.push_back(texts ? text(elements, from, to) : slice(elements, from, to));
    }
    return made;
  }

 private:
  bool is_judged(std::size_t depth) const { return list_.levels[depth].judged; }

  Json leaf_type() const {
    const Dataset* leaf = list_.leaf();
    return leaf ? type_notation(leaf->type) : Json{{"class", "unknown"}};
  }

  std::vector<Json> leaf(std::uint64_t count, const std::string& path) {
    const Dataset* leaf = list_.leaf();
    if (!leaf) throw Unreadable{"no leaf dataset"};
    note(path.substr(0, path.size() - 1), *leaf, count);
    return taken(present_elements(*leaf, values_, count, column_));
  }

  std::vector<Json> member(const ListMember& member, const std::string& name, std::uint64_t count) {
    const Dataset* data = member.data();
    if (!data) throw Unreadable{name + " is not a dataset"};
    note(name, *data, count);
    return taken(elements(*data, values_, count));
  }

  void note(const std::string& name, const Dataset& data, std::uint64_t needed) {
    const std::uint64_t extent = data.extent().value_or(0);
    column_.members.push_back({name, extent, needed});
    if (extent < needed)
      throw Unreadable{std::format("{} has {} elements, and needs {}", name, extent, needed)};
  }

  static std::vector<Json> taken(Result<std::vector<Json>> read) {
    if (!read) throw Unreadable{read.error().text()};
    return std::move(*read);
  }

  static Json slice(const std::vector<Json>& elements, std::uint64_t from, std::uint64_t to) {
    Json made = Json::array();
    for (std::uint64_t i = from; i < to; ++i) made.push_back(elements[i]);
    return made;
  }

  static Json text(const std::vector<Json>& bytes, std::uint64_t from, std::uint64_t to) {
    std::string made;
    for (std::uint64_t i = from; i < to; ++i) made += static_cast<char>(count_in(bytes[i]));
    return string_notation(made);
  }

  const ListColumn& list_;
  ValueSource& values_;
  ColumnContent& column_;
};

std::optional<std::string> text_of(const Attribute* attribute) {
  return attribute ? string_value(*attribute) : std::nullopt;
}

}  // namespace

ColumnContent list_content(const Table& table, const ListColumn& list, ValueSource& values) {
  ColumnContent column{{.name = list.name}};
  column.units = text_of(list.group().attribute("units"));
  column.units_vocabulary = text_of(list.group().attribute("units_vocabulary"));
  column.own_vocabulary = column.units_vocabulary.has_value();
  if (!column.own_vocabulary)
    column.units_vocabulary = text_of(table.attribute("units_vocabulary"));
  column.description = text_of(list.group().attribute("description"));
  ListReader reader(list, values, column);
  column.type = reader.type();
  try {
    column.values = reader.entries(0, table.nrows.value_or(0), "");
  } catch (const Unreadable& trouble) {
    column.unreadable = trouble.why;
  }
  return column;
}

}  // namespace hepcheck::hep001::suite
