// Dimension labels: the layout that every release writes, and that of the table in the text.
//                                                              [array_schema.md, "Dimension Label"]
#include <algorithm>
#include <format>

#include "validator/formats/tiledb/schema.h"

namespace hepcheck::tiledb {

namespace {

constexpr std::size_t kMostLabels = 100'000;

constexpr LookRule kLabelCountFits("tiledb-schema-label-count-fits", fits);
constexpr LookRule kLabelComplete("tiledb-label-complete", fits);
constexpr LookRule kLabelNameLength("tiledb-label-name-length", fits);
constexpr LookRule kLabelUriLength("tiledb-label-uri-length", fits);
constexpr LookRule kLabelAttrLength("tiledb-label-attr-name-length", fits);

constexpr LookRule kLabelTable("tiledb-label-table-layout", [](const Schema& it, Look& look) {
  if (it.label_count.value == 0) return;
  look.at("label_count", it.label_count.at);
  look.ask(!it.labels_of_table, "labels in the layout of the table, which no release reads",
           "the layout that every release writes");
});

struct LabelUse {
  const Label& it;
  const Schema& in;
};

void label_dim_index(const LabelUse& use, Look& look) {
  look.at("dimension", use.it.dimension.at);
  look.ask(
      use.it.dimension.value < use.in.dimensions.size(),
      [&] { return std::format("dimension {}", use.it.dimension.value); },
      [&] { return std::format("one of {} dimensions", use.in.dimensions.size()); });
}
void label_order(const LabelUse& use, Look& look) {
  look.at("order", use.it.order.at);
  look.ask(
      use.it.order.value <= 2, [&] { return std::format("{}", use.it.order.value); },
      "1 (increasing) or 2 (decreasing)");
}
void label_order_not_unordered(const LabelUse& use, Look& look) {
  look.at("order", use.it.order.at);
  look.ask(use.it.order.value != 0, "an unordered label", "1 (increasing) or 2 (decreasing)");
}
void label_name_nonempty(const LabelUse& use, Look& look) {
  look.at("name", use.it.name.at);
  look.ask(!use.it.name.value.empty(), "an empty name", "a name");
}
void label_uri_nonempty(const LabelUse& use, Look& look) {
  look.at("uri", use.it.uri.at);
  look.ask(!use.it.uri.value.empty(), "an empty URI", "a URI");
}
void label_attr_nonempty(const LabelUse& use, Look& look) {
  look.at("attribute", use.it.attribute.at);
  look.ask(!use.it.attribute.value.empty(), "an empty attribute name",
           "the name of the attribute with the label's data");
}
void label_relative_flag(const LabelUse& use, Look& look) {
  look.at("relative", use.it.relative.at);
  look.ask(
      use.it.relative.value <= 1, [&] { return std::format("{}", use.it.relative.value); },
      "0 or 1");
}
void label_external_flag(const LabelUse& use, Look& look) {
  look.at("external", use.it.external.at);
  look.ask(
      use.it.external.value <= 1, [&] { return std::format("{}", use.it.external.value); },
      "0 or 1");
}
void label_internal_relative(const LabelUse& use, Look& look) {
  if (use.it.external.value != 0) return;
  look.at("relative", use.it.relative.at);
  look.ask(use.it.relative.value != 0, "a label of the array with a URI that is not relative",
           "a relative URI");
}
void label_datatype(const LabelUse& use, Look& look) {
  look.at("datatype", use.it.datatype.at);
  look.ask(
      is_dimension_type(use.it.datatype.value),
      [&] { return datatype_text(use.it.datatype.value); },
      "an integer, floating-point, date or time datatype, or STRING_ASCII");
}
void label_cell_val_num(const LabelUse& use, Look& look) {
  if (!is_dimension_type(use.it.datatype.value)) return;
  const bool string = use.it.datatype.value == kStringAscii;
  look.at("cell_val_num", use.it.cell_val_num.at);
  look.ask(
      use.it.cell_val_num.value == (string ? kVariable : 1),
      [&] { return std::format("{}", use.it.cell_val_num.value); },
      string ? "4294967295 for STRING_ASCII" : "1");
}
void label_dimension_datatype(const LabelUse& use, Look& look) {
  if (use.it.dimension.value >= use.in.dimensions.size()) return;
  const Dimension& dimension = use.in.dimensions[use.it.dimension.value];
  if (!dimension.allowed()) return;
  look.at("dimension", use.it.dimension.at);
  look.ask(
      is_integral(dimension.datatype.value),
      [&] { return "a label on a dimension of " + datatype_text(dimension.datatype.value); },
      "an integer, date or time dimension");
}
void label_relative_uri_form(const LabelUse& use, Look& look) {
  if (use.it.relative.value != 1 || use.it.uri.value.empty()) return;
  look.at("uri", use.it.uri.at);
  look.ask(is_relative_uri(text_of(use.it.uri.value)),
           "a URI with a scheme, a leading slash, a component \"..\" or a NUL",
           "a path inside the array");
}
void label_table_start_size(const LabelUse& use, Look& look) {
  if (!use.in.labels_of_table) return;
  const std::uint64_t most = use.it.cell_val_num.value == kVariable ? use.it.domain_size.value : 0;
  look.at("start_size", use.it.start_size.at);
  look.ask(
      use.it.start_size.value <= most,
      [&] { return std::format("a first value of {} bytes", use.it.start_size.value); },
      [&] { return std::format("{} at most", most); });
}

constexpr Rule<LabelUse> kLabelRules[] = {
    {"tiledb-label-dim-index", label_dim_index},
    {"tiledb-label-order", label_order},
    {"tiledb-label-order-not-unordered", label_order_not_unordered},
    {"tiledb-label-name-nonempty", label_name_nonempty},
    {"tiledb-label-uri-nonempty", label_uri_nonempty},
    {"tiledb-label-attr-name-nonempty", label_attr_nonempty},
    {"tiledb-label-relative-flag", label_relative_flag},
    {"tiledb-label-external-flag", label_external_flag},
    {"tiledb-label-internal-relative", label_internal_relative},
    {"tiledb-label-datatype", label_datatype},
    {"tiledb-label-cell-val-num", label_cell_val_num},
    {"tiledb-label-dimension-datatype", label_dimension_datatype},
    {"tiledb-label-relative-uri-form", label_relative_uri_form},
    {"tiledb-label-table-start-size", label_table_start_size},
};

Stored<Raw> text_taken(BoundedReader& read, std::uint64_t size) {
  const std::uint64_t at = read.at();
  return {read.take_bytes(size), at};
}

// A text whose length is stored before it.
template <const auto& kRule, class Length>
bool read_sized(BoundedReader& read, const Path& path, std::string_view what, Stored<Raw>& into) {
  if (!read.room<kRule>(&path, what, sizeof(Length))) return false;
  const Length length = read.get<Length>().value;
  if (!read.room<kRule>(&path, what, length)) return false;
  into = text_taken(read, length);
  return true;
}

bool read_label(BoundedReader& read, const Path& path, Label& it) {
  if (!read.room<kLabelComplete>(&path, "a label", 4)) return false;
  it.dimension = read.get<std::uint32_t>();
  if (!read_sized<kLabelNameLength, std::uint32_t>(read, path, "the name of a label", it.name))
    return false;
  if (!read.room<kLabelComplete>(&path, "a label", 1)) return false;
  it.relative = read.get<std::uint8_t>();
  if (!read_sized<kLabelUriLength, std::uint64_t>(read, path, "the URI of a label", it.uri) ||
      !read_sized<kLabelAttrLength, std::uint32_t>(read, path, "the attribute of a label",
                                                   it.attribute) ||
      !read.room<kLabelComplete>(&path, "a label", 7))
    return false;
  it.order = read.get<std::uint8_t>();
  it.datatype = read.get<std::uint8_t>();
  it.cell_val_num = read.get<std::uint32_t>();
  it.external = read.get<std::uint8_t>();
  return true;
}

bool read_label_of_table(BoundedReader& read, const Path& path, Label& it) {
  if (!read.room<kLabelComplete>(&path, "a label", 5)) return false;
  it.dimension = read.get<std::uint32_t>();
  it.order = read.get<std::uint8_t>();
  if (!read_sized<kLabelNameLength, std::uint64_t>(read, path, "the name of a label", it.name) ||
      !read.room<kLabelComplete>(&path, "a label", 1))
    return false;
  it.relative = read.get<std::uint8_t>();
  if (!read_sized<kLabelUriLength, std::uint64_t>(read, path, "the URI of a label", it.uri) ||
      !read_sized<kLabelAttrLength, std::uint32_t>(read, path, "the attribute of a label",
                                                   it.attribute) ||
      !read.room<kLabelComplete>(&path, "a label", 21))
    return false;
  it.datatype = read.get<std::uint8_t>();
  it.cell_val_num = read.get<std::uint32_t>();
  it.domain_size = read.get<std::uint64_t>();
  it.start_size = read.get<std::uint64_t>();
  if (!read.room<kLabelComplete>(&path, "the domain of a label", it.domain_size.value))
    return false;
  it.domain = text_taken(read, it.domain_size.value);
  if (!read.room<kLabelComplete>(&path, "a label", 1)) return false;
  it.external = read.get<std::uint8_t>();
  return true;
}

bool read_count(BoundedReader& read, Schema& into) {
  const Path path{.kind = "labels"};
  if (!read.room<kLabelCountFits>(&path, "the number of labels", 4)) return false;
  into.label_count = read.get<std::uint32_t>();
  if (!read.room_for<kLabelCountFits>(&path, "labels", into.label_count.value, 28)) return false;
  if (into.label_count.value <= kMostLabels) return true;
  read.end(std::format("more than {} labels", kMostLabels));
  return false;
}

}  // namespace

bool is_relative_uri(std::string_view uri) {
  if (uri.starts_with('/') || uri.contains("://") || uri.contains('\0')) return false;
  for (std::size_t at = 0; at <= uri.size();) {
    const std::size_t end = std::min(uri.find('/', at), uri.size());
    if (uri.substr(at, end - at) == "..") return false;
    at = end + 1;
  }
  return true;
}

void label_rules(RuleList& list) {
  list.structure<kLabelCountFits, kLabelComplete, kLabelNameLength, kLabelUriLength,
                 kLabelAttrLength, kLabelTable, kLabelRules>();
}

void block_labels(const Stop& stop, Notes& notes) {
  block_behind<kLabelCountFits, kLabelComplete, kLabelNameLength, kLabelUriLength, kLabelAttrLength,
               kLabelTable, kLabelRules>(stop, notes);
}

void read_labels(BoundedReader& read, Schema& into) {
  if (!read_count(read, into)) return;
  for (std::uint32_t i = 0; i < into.label_count.value; ++i) {
    const Path path{.kind = "label", .index = i};
    Label each{.at = read.at()};
    if (!read_label(read, path, each)) return;
    into.labels.push_back(each);
  }
  into.reached = Reached::kLabels;
}

bool read_labels_of_table(Raw content, std::uint64_t at, Notes& notes, const Source& source,
                          Schema& into, std::uint64_t& end) {
  BoundedReader read(content.subspan(at), notes, source, at);
  if (!read_count(read, into)) return false;
  for (std::uint32_t i = 0; i < into.label_count.value; ++i) {
    const Path path{.kind = "label", .index = i};
    Label each{.at = read.at()};
    if (!read_label_of_table(read, path, each)) return false;
    into.labels.push_back(each);
  }
  into.reached = Reached::kLabels;
  end = read.at();
  return true;
}

void judge_labels(const Schema& schema, BoundedReader& at) {
  const Path list{.kind = "labels"};
  if (schema.reached >= Reached::kLabels && schema.number() >= 18)
    judge_each<kLabelTable>(schema, at.place(&list, schema.label_count.at), at.notes());
  for (std::size_t i = 0; i < schema.labels.size(); ++i) {
    const Label& each = schema.labels[i];
    const Path path = path_of("label", i, each.name);
    judge_each<kLabelRules>(LabelUse{each, schema}, at.place(&path, each.at), at.notes());
  }
}

}  // namespace hepcheck::tiledb
