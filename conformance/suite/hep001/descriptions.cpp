// Descriptions of tables: the committed ones, random ones, smaller ones.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <format>
#include <random>

#include "conformance/suite/hep001/writer.h"

namespace hepcheck::hep001::suite {

// conformance/descriptions.json
asm(".section .rodata\n"
    "hepcheck_descriptions_begin: .incbin \"" HEPCHECK_DESCRIPTIONS
    "\"\n"
    "hepcheck_descriptions_end: .byte 0\n"
    ".previous\n");
extern "C" const char hepcheck_descriptions_begin[], hepcheck_descriptions_end[];

namespace {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  Json table() {
    Json columns = Json::array();
    rows_ = std::vector{0, 1, 2, 7, 8, 9, 20, 65}[below(8)];
    const std::size_t count = 1 + below(4);
    for (std::size_t i = 0; i < count; ++i) columns.push_back(column(std::format("c{}", i)));
    Json made{{"path", below(2) ? "/t" : "/group/table"}, {"columns", std::move(columns)}};
    if (below(3) == 0) made["title"] = "T\u00e4ble";
    if (below(3) == 0) made["row_labels"] = Json::array({"c0"});
    if (below(3) == 0) made["preallocate"] = std::to_string(rows_ + static_cast<int>(below(40)));
    return made;
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }

  Json column(std::string name) {
    Json made{{"name", std::move(name)}};
    Json type = this->type();
    const std::uint64_t distinct = 1 + below(12);
    Json values = Json::array();
    std::vector<Json> pool;
    for (std::uint64_t i = 0; i < distinct; ++i) pool.push_back(value(type));
    for (int i = 0; i < rows_; ++i)
      values.push_back(below(6) == 0 ? Json() : pool[below(pool.size())]);
    if (below(3)) made["chunk"] = std::to_string(1 + below(20));
    if (below(3) == 0) made["filters"] = Json::array({"shuffle", "deflate"});
    if (below(4) == 0) made["units"] = "m";
    Json indexes = Json::array();
    const std::string cls = type.at("class").get<std::string>();
    if (has_order(type) && below(2)) indexes.push_back("CHUNK_MINMAX");
    if (has_order(type) && below(2)) indexes.push_back("SORTED_ROWS");
    if (below(2)) indexes.push_back("BITMAP");
    if ((cls == "integer" || cls == "float" || cls == "string") && below(2))
      indexes.push_back("CHUNK_BLOOM");
    made["type"] = std::move(type);
    made["values"] = std::move(values);
    if (!indexes.empty()) made["indexes"] = std::move(indexes);
    return made;
  }

  Json type() {
    const char* order = below(4) ? "little" : "big";
    switch (below(6)) {
      case 0:
      case 1:
        return {{"class", "integer"},
                {"size", 1 << below(4)},
                {"order", order},
                {"signed", below(2) == 0}};
      case 2: return {{"class", "float"}, {"size", 4 << below(2)}, {"order", order}};
      case 3:
        return {{"class", "string"},
                {"size", 1 + below(12)},
                {"charset", "utf-8"},
                {"padding", below(2) ? "null-pad" : "space-pad"}};
      case 4: return {{"class", "string"}, {"size", "variable"}, {"charset", "utf-8"}};
      default: return {{"class", "opaque"}, {"size", 1 + below(5)}, {"tag", "t"}};
    }
  }

  Json value(const Json& type) {
    const std::string cls = type.at("class").get<std::string>();
    if (cls == "integer") {
      const int bits = 8 * type.at("size").get<int>();
      // Near 0, near the ends, anywhere; never the recommended fill values.
      std::uint64_t number = below(3) ? below(100) : random_();
      if (!type.at("signed").get<bool>()) {
        if (bits < 64) number &= (std::uint64_t{1} << bits) - 1;
        const std::uint64_t fill = bits < 64 ? (std::uint64_t{1} << bits) - 1 : ~std::uint64_t{0};
        return std::to_string(number == fill ? 0 : number);
      }
      const auto cut = static_cast<std::int64_t>(number << (64 - bits)) >> (64 - bits);
      const auto fill = (std::int64_t{-1} << (bits - 1)) + 1;
      return std::to_string(cut == fill ? 0 : cut);
    }
    if (cls == "float") {
      static constexpr double kValues[] = {0.0,   -0.0,     1.5,  -2.25,     1e9,
                                           -1e-9, INFINITY, 42.0, -INFINITY, NAN};
      const double x = kValues[below(std::size(kValues))];
      if (type.at("size") == 8)
        return {{"bits", std::format("{:016x}", std::bit_cast<std::uint64_t>(x))}};
      return {{"bits", std::format("{:08x}", std::bit_cast<std::uint32_t>(static_cast<float>(x)))}};
    }
    if (cls == "string") {
      std::string text;
      const std::uint64_t most =
          type.at("size").is_string() ? 20 : type.at("size").get<std::uint64_t>();
      const std::uint64_t length = 1 + below(most);
      while (text.size() < length) text += static_cast<char>('a' + below(26));
      return text;
    }
    std::string bytes;
    for (std::uint64_t i = type.at("size").get<std::uint64_t>(); i > 0; --i)
      bytes += static_cast<char>(below(255));  // all 0xFF is a common fill value
    return {{"bytes", base64(bytes)}};
  }

  std::mt19937_64 random_;
  int rows_ = 0;
};

Json without(Json object, const std::string& key) {
  object.erase(key);
  return object;
}

}  // namespace

std::vector<Json> committed_descriptions() {
  const Json all = Json::parse(hepcheck_descriptions_begin, hepcheck_descriptions_end);
  return all.at("descriptions").get<std::vector<Json>>();
}

Json random_description(std::uint64_t seed) { return Draw(seed).table(); }

std::vector<Json> smaller(const Json& table) {
  std::vector<Json> made;
  const Json& columns = table.at("columns");
  const auto with_columns = [&](const auto& change) {
    Json copy = table;
    for (Json& column : copy["columns"]) change(column);
    if (copy != table) made.push_back(std::move(copy));
  };
  for (std::size_t i = 0; i < columns.size() && columns.size() > 1; ++i) {
    Json copy = table;
    copy["columns"].erase(i);
    copy.erase("row_labels");
    made.push_back(std::move(copy));
  }
  for (const std::size_t parts : {2, 1})  // the first half of the rows, all rows but the last
    with_columns([&](Json& column) {
      Json& values = column["values"];
      const std::size_t n = values.size();
      values.erase(values.begin() + static_cast<std::ptrdiff_t>(parts == 2 ? n / 2 : n - (n > 0)),
                   values.end());
    });
  for (const char* key : {"title", "row_labels", "preallocate"})
    if (table.contains(key)) made.push_back(without(table, key));
  for (const char* key : {"filters", "units", "indexes", "chunk"})
    with_columns([&](Json& column) { column.erase(key); });
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (std::size_t k = 0; k < columns[i].value("indexes", Json::array()).size(); ++k) {
      Json copy = table;
      copy["columns"][i]["indexes"].erase(k);
      made.push_back(std::move(copy));
    }
  return made;
}

TableContent described(const Json& table) {
  const auto text = [](const Json& from, const char* key) -> std::optional<std::string> {
    if (!from.contains(key) || from.at(key).is_null()) return std::nullopt;
    return from.at(key).get<std::string>();
  };
  TableContent content{.path = table.at("path").get<std::string>(), .version = "1.0"};
  content.title = text(table, "title");
  content.description = text(table, "description");
  for (const Json& each : table.at("columns")) {
    ColumnContent column{{.name = each.at("name").get<std::string>(), .type = each.at("type")}};
    column.values = each.at("values").get<std::vector<Json>>();
    column.fill = each.value("fill", Json());
    column.valid_min = each.value("valid_min", Json());
    column.valid_max = each.value("valid_max", Json());
    column.units = text(each, "units");
    column.units_vocabulary = text(each, "units_vocabulary");
    column.own_vocabulary = column.units_vocabulary.has_value();
    if (!column.own_vocabulary) column.units_vocabulary = text(table, "units_vocabulary");
    column.description = text(each, "description");
    if (const Json categories = each.value("categories", Json()); !categories.is_null()) {
      column.categories = {.type = categories.at("type"),
                           .labels = categories.at("labels").get<std::vector<Json>>(),
                           .ordered = categories.at("ordered").get<bool>()};
      for (const Json& code : column.values)
        column.labels.push_back(column.categories->label(code));
    }
    content.rows = column.values.size();
    content.columns.push_back(std::move(column));
  }
  content.row_labels = table.value("row_labels", std::vector<std::string>());
  return content;
}

}  // namespace hepcheck::hep001::suite
