#include "validator/formats/hdf5/object_parts.h"

#include <algorithm>
#include <format>
#include <functional>
#include <utility>

#include "validator/formats/hdf5/attribute.h"
#include "validator/formats/hdf5/dense.h"
#include "validator/formats/hdf5/rule.h"
#include "validator/formats/hdf5/symbol_table.h"

namespace hepcheck::hdf5 {

namespace {

Place place_of(const ObjectHeader& header) { return header.blocks.front().region().place; }

// --- Kinds --------------------------------------------------------------------------------------

struct Has {
  bool space, type, layout, fill, group;
};

void dataspace(const Has& it, Look& look) {
  if (!it.layout) return;
  look.looked();
  if (!it.space) look.fail(0, "a layout without a dataspace", "a dataspace message");
}

void datatype(const Has& it, Look& look) {
  if (!it.layout) return;
  look.looked();
  if (!it.type) look.fail(0, "a layout without a datatype", "a datatype message");
}

void layout(const Has& it, Look& look) {
  if (it.group || !it.space || !it.type) return;
  look.looked();
  if (!it.layout) look.fail(0, "a dataspace and a datatype without a layout", "a layout message");
}

void fill(const Has& it, Look& look) {
  if (!it.layout) return;
  look.looked();
  if (!it.fill) look.fail(0, "no fill value message of type 0x5", "one");
}

constexpr Rule<Has> kKindRules[] = {
    {"swmr-dataset-has-dataspace", dataspace},
    {"swmr-dataset-has-datatype", datatype},
    {"swmr-dataset-has-layout", layout},
    {"swmr-dataset-has-fill", fill},
};

Has has_of(const ObjectHeader& header) {
  return {.space = header.has(MessageType::kDataspace),
          .type = header.has(MessageType::kDatatype),
          .layout = header.has(MessageType::kLayout),
          .fill = header.has(MessageType::kFill),
          .group = header.has(MessageType::kSymbolTable) || header.has(MessageType::kLinkInfo)};
}

// --- Names --------------------------------------------------------------------------------------

// A name that occurs twice, if one does.
struct Names {
  const std::string* twice;
};

void unique(const Names& it, Look& look) {
  look.looked();
  if (it.twice) look.fail(0, std::format("\"{}\" twice", *it.twice), "each name once");
}

constexpr Rule kAttributeNameRule("swmr-attribute-names-unique", unique);
constexpr Rule kLinkNameRule("swmr-link-names-unique", unique);

template <class Thing, class NameOf>
Names names_of(const std::vector<Thing>& things, NameOf name) {
  std::vector<const std::string*> names;
  names.reserve(things.size());
  for (const Thing& each : things) names.push_back(&std::invoke(name, each));
  const auto below = [](const std::string* a, const std::string* b) { return *a < *b; };
  if (!std::ranges::is_sorted(names, below)) std::ranges::sort(names, below);
  const auto same = [](const std::string* a, const std::string* b) { return *a == *b; };
  const auto twice = std::ranges::adjacent_find(names, same);
  return {twice == names.end() ? nullptr : *twice};
}

}  // namespace

void object_part_rules(RuleList& list) {
  list.structure<kKindRules, kAttributeNameRule, kLinkNameRule>();
}

ObjectKind kind_of(const ObjectHeader& header) {
  const Has has = has_of(header);
  if (has.layout) return ObjectKind::kDataset;
  if (has.group) return ObjectKind::kGroup;
  if (has.type) return has.space ? ObjectKind::kDataset : ObjectKind::kCommittedType;
  return ObjectKind::kOther;
}

void judge_kind(const ObjectHeader& header, Container& file) {
  judge<kKindRules>(has_of(header), place_of(header), file.notes);
}

void read_attributes(const ObjectHeader& header, Container& file, SharedMessages& shared,
                     const AttributeListener& listener) {
  std::vector<std::string> all;
  const auto take = [&](const Region& message) -> std::optional<std::string> {
    std::optional<Attribute> attribute = read_attribute(message, file, shared);
    file.notes.in_attribute({});
    if (!attribute) return std::nullopt;
    listener(*attribute);
    all.push_back(std::move(attribute->name));
    return all.back();
  };
  for (const Message& message : header.messages) {
    if (message.type != MessageType::kAttribute) continue;
    shared.with(message.data, MessageType::kAttribute, message.shared(),
                [&](const Region& data) { return take(data).has_value(); });
  }
  if (const Message* info = header.find(MessageType::kAttributeInfo)) {
    const std::optional<Dense> dense = read_attribute_info(info->data, file);
    if (dense && dense->any()) read_dense(*dense, Tree2Type::kAttributeNames, file, take);
  }
  judge<kAttributeNameRule>(names_of(all, std::identity{}), place_of(header), file.notes);
}

bool read_links(const ObjectHeader& header, Container& file, std::vector<Link>& links) {
  // Without these, the location of the links is unknown.
  std::optional<Dense> dense;
  if (const Message* info = header.find(MessageType::kLinkInfo)) {
    dense = read_link_info(info->data, file);
    if (!dense) return false;
  }
  if (const Message* info = header.find(MessageType::kGroupInfo))
    if (!group_info_holds(info->data, file)) return false;
  bool sound = true;
  if (const Message* table = header.find(MessageType::kSymbolTable))
    sound &= read_symbol_table(parse_symbol_table(table->data, file), file, links);
  for (const Message& message : header.messages) {
    if (message.type != MessageType::kLink) continue;
    std::optional<Link> link = read_link(message.data, file);
    sound &= link.has_value();
    if (link) links.push_back(std::move(*link));
  }
  if (dense && dense->any())
    sound &= read_dense(*dense, Tree2Type::kLinkNames, file,
                        [&](const Region& message) -> std::optional<std::string> {
                          std::optional<Link> link = read_link(message, file);
                          if (!link) return std::nullopt;
                          links.push_back(std::move(*link));
                          return links.back().name;
                        });
  return sound && judge<kLinkNameRule>(names_of(links, &Link::name), place_of(header), file.notes);
}

namespace {

// The messages of a dataset in the order of their dependencies.
class DatasetReader {
 public:
  DatasetReader(const ObjectHeader& header, Container& file, SharedMessages& shared)
      : header_(header), file_(file), shared_(shared) {
    made_.object = file.notes.object();
    made_.header_version = header.version;
    made_.external = header.has(MessageType::kExternalFiles);
  }

  Dataset read() {
    if (!space() || !type()) return std::move(made_);
    made_.known = Dataset::Known::kType;
    if (fill(MessageType::kOldFill) && fill(MessageType::kFill) && filters() && layout())
      made_.known = Dataset::Known::kLayout;
    return std::move(made_);
  }

 private:
  // Whether `use` accepts such a message; `without`: or there is none.
  bool with(MessageType type, bool without, const std::function<bool(const Region&)>& use) {
    const Message* message = header_.find(type);
    return message ? shared_.with(message->data, type, message->shared(), use) : without;
  }

  template <class T>
  static bool keep(std::optional<T> value, T& into) {
    if (value) into = std::move(*value);
    return value.has_value();
  }

  bool space() {
    return with(MessageType::kDataspace, false,
                [&](const Region& data) { return keep(read_dataspace(data, file_), made_.space); });
  }
  bool type() {
    const Message* message = header_.find(MessageType::kDatatype);
    return message && keep(shared_.datatype(message->data, message->shared()), made_.type);
  }
  bool fill(MessageType type) {
    return with(type, true, [&](const Region& data) {
      const bool old = type == MessageType::kOldFill;
      made_.fill = read_fill(data, old, made_.type.size, file_);
      return made_.fill.has_value();
    });
  }
  bool filters() {
    return with(MessageType::kFilters, true,
                [&](const Region& data) { return keep(read_filters(data, file_), made_.filters); });
  }
  bool layout() {
    return with(MessageType::kLayout, false, [&](const Region& data) {
      made_.layout_at = data.place;
      const LayoutContext context{.space = made_.space,
                                  .type_size = made_.type.size,
                                  .filtered = made_.filtered(),
                                  .early = made_.fill && made_.fill->early(),
                                  .file = file_};
      return keep(read_layout(data, context, file_), made_.layout);
    });
  }

  const ObjectHeader& header_;
  Container& file_;
  SharedMessages& shared_;
  Dataset made_{};
};

}  // namespace

Dataset read_dataset(const ObjectHeader& header, Container& file, SharedMessages& shared) {
  return DatasetReader(header, file, shared).read();
}

}  // namespace hepcheck::hdf5
