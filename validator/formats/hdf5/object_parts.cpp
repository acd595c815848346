#include "validator/formats/hdf5/object_parts.h"

#include <algorithm>
#include <format>
#include <functional>
#include <utility>

#include "validator/formats/hdf5/attribute.h"
#include "validator/formats/hdf5/dataset_rules.h"
#include "validator/formats/hdf5/dense.h"
#include "validator/formats/hdf5/group_rules.h"
#include "validator/formats/hdf5/names.h"
#include "validator/formats/hdf5/object_messages.h"
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

bool judge_kind(const ObjectHeader& header, Container& file) {
  return judge<kKindRules>(has_of(header), place_of(header), file.notes);
}

bool read_attributes(const ObjectHeader& header, Container& file, SharedMessages& shared,
                     const AttributeListener& listener, KnownAttributes* known) {
  constexpr std::uint64_t kTooLarge = 65'536;  // for a message of a header
  std::vector<std::string> all;
  bool sound = true, whole = true, large = false, padded = header.version == 1;
  const auto take = [&](const Region& message) -> std::optional<DenseMessage> {
    large |= message.size() >= kTooLarge;
    const std::optional<Attribute> read =
        known ? std::optional<Attribute>() : read_attribute(message, padded, file, shared);
    const Attribute* const attribute = known  ? known->read(message, padded, file, shared)
                                       : read ? &*read
                                              : nullptr;
    if (attribute) listener(*attribute);
    file.notes.in_attribute({});
    sound &= attribute != nullptr;
    if (!attribute) return std::nullopt;
    all.push_back(attribute->name);
    return DenseMessage{.name = all.back(), .utf8 = attribute->utf8, .name_at = attribute->name_at};
  };
  for (const Message& message : header.messages) {
    if (message.type != MessageType::kAttribute) continue;
    whole &= shared.with(
        message.data, MessageType::kAttribute, message.shared(), [&](const Region& data) {
          const std::optional<DenseMessage> made = take(data);
          if (made && file.whole_format)
            judge_attribute_name({made->name, made->utf8}, made->name_at, file.notes);
          return made.has_value();
        });
  }
  padded = false;
  std::optional<Dense> dense;
  if (const Message* info = header.find(MessageType::kAttributeInfo)) {
    dense = read_attribute_info(info->data, file);
    sound &= dense.has_value();
    if (dense && dense->any())
      sound &= read_dense(*dense, Tree2Type::kAttributeNames, file, take,
                          [&](const Region& id, const std::function<bool(const Region&)>& use) {
                            return shared.attribute(id, use);
                          });
  }
  // A record that leads to another attribute is one defect.
  if (sound)
    judge<kAttributeNameRule>(names_of(all, std::identity{}), place_of(header), file.notes);
  if (file.whole_format && sound)
    judge_attribute_storage(header, dense ? &*dense : nullptr, all.size(), large, file);
  return whole && sound;
}

bool read_links(const ObjectHeader& header, const std::string& path, Container& file,
                std::vector<Link>& links) {
  // Without these, the location of the links is unknown.
  std::optional<Dense> dense;
  if (const Message* info = header.find(MessageType::kLinkInfo)) {
    dense = read_link_info(info->data, file);
    if (!dense) return false;
  }
  GroupInfo phase;
  if (const Message* info = header.find(MessageType::kGroupInfo)) {
    const std::optional<GroupInfo> read = read_group_info(info->data, file);
    if (!read) return false;
    phase = *read;
  }
  bool sound = true;
  if (const Message* table = header.find(MessageType::kSymbolTable))
    sound &= read_symbol_table(parse_symbol_table(table->data, file), file, links);
  for (const Message& message : header.messages) {
    if (message.type != MessageType::kLink) continue;
    std::optional<Link> link = read_link(message.data, file);
    sound &= link.has_value();
    if (!link) continue;
    if (file.whole_format) judge_link_name({link->name, link->utf8}, link->name_at, file.notes);
    links.push_back(std::move(*link));
  }
  if (dense && dense->any())
    sound &= read_dense(*dense, Tree2Type::kLinkNames, file,
                        [&](const Region& message) -> std::optional<DenseMessage> {
                          std::optional<Link> link = read_link(message, file);
                          if (!link) return std::nullopt;
                          DenseMessage made{link->name, link->utf8, link->name_at, link->order};
                          links.push_back(std::move(*link));
                          return made;
                        });
  if (file.whole_format && sound) {
    const Dense* info = dense ? &*dense : nullptr;
    judge_link_storage(header, info, phase, links.size(), file);
    judge_links(links, info, path, file);
  }
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
    if (old_fill() && fill(MessageType::kFill) && filters() && external_files() && layout())
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
    return with(MessageType::kDataspace, false, [&](const Region& data) {
      made_.space_at = data.place;
      return keep(read_dataspace(data, file_), made_.space);
    });
  }
  bool type() {
    const Message* message = header_.find(MessageType::kDatatype);
    return message && keep(shared_.datatype(message->data, message->shared()), made_.type);
  }
  // None if the datatype is at fault, by itself or because the layout has chunks of other elements.
  std::optional<std::uint32_t> element_size() const {
    if (!made_.type.sound) return std::nullopt;
    const Message* message = header_.find(MessageType::kLayout);
    if (message && !message->shared()) {
      const DataLayout layout = parse_layout(message->data, file_);
      const unsigned last = layout.dimensionality;
      if (layout.chunked() && layout.whole && last > 0 && layout.chunk[last - 1] != made_.type.size)
        return std::nullopt;
    }
    return made_.type.size;
  }
  bool old_fill() {
    if (!fill(MessageType::kOldFill)) return false;
    old_fill_ = std::exchange(made_.fill, std::nullopt);
    if (!header_.has(MessageType::kFill)) made_.fill = old_fill_;
    return true;
  }
  bool fill(MessageType type) {
    return with(type, true, [&](const Region& data) {
      const bool old = type == MessageType::kOldFill;
      made_.fill = read_fill(data, old, element_size(), file_);
      if (made_.fill && !old && old_fill_)
        judge_fills(*old_fill_, *made_.fill, data.place, file_.notes);
      return made_.fill.has_value();
    });
  }
  bool filters() {
    return with(MessageType::kFilters, true, [&](const Region& data) {
      made_.filters_at = data.place;
      return keep(read_filters(data, file_), made_.filters);
    });
  }
  // A list that is refused does not keep the layout from being examined.
  bool external_files() {
    // Without a layout, the list may be what should be one.
    if (const Message* list = header_.find(MessageType::kExternalFiles);
        list && file_.whole_format && !list->shared() && header_.has(MessageType::kLayout))
      made_.files = read_external_files(list->data, file_);
    return true;
  }
  bool layout() {
    return with(MessageType::kLayout, false, [&](const Region& data) {
      made_.layout_at = data.place;
      const LayoutContext context{.space = made_.space,
                                  .type_size = made_.type.size,
                                  // Other specifications may not have the clause that it violates.
                                  .type_sound = made_.type.sound || !file_.whole_format,
                                  .filtered = made_.filtered(),
                                  .early = made_.fill && made_.fill->early(),
                                  .external = made_.external,
                                  .file = file_};
      return keep(read_layout(data, context, file_), made_.layout);
    });
  }

  const ObjectHeader& header_;
  Container& file_;
  SharedMessages& shared_;
  Dataset made_{};
  std::optional<Fill> old_fill_{};
};

}  // namespace

Dataset read_dataset(const ObjectHeader& header, const std::string& path, Container& file,
                     SharedMessages& shared) {
  Dataset made = DatasetReader(header, file, shared).read();
  judge_dataset(made, path, file);
  return made;
}

}  // namespace hepcheck::hdf5
