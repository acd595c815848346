// A table of the model as text: everything that was read, and the roles of its objects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <format>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "validator/formats/hep001/model/datatype.h"
#include "validator/formats/hep001/model/table.h"
#include "validator/testing/number.h"

namespace hepcheck::hep001::model_text {

inline std::string hex(std::span<const std::byte> bytes) {
  std::string made;
  for (const std::byte each : bytes) made += std::format("{:02x}", std::to_integer<int>(each));
  return made;
}
inline std::string hex(const ObjectToken& token) {
  return hex(std::as_bytes(std::span(token.bytes)));
}
inline std::string_view or_none(const std::optional<std::string>& text) {
  return text ? std::string_view(*text) : "-";
}

inline std::string text_of(const Datatype& type) {
  std::string made = std::format(
      "{} {} {} {} {} {} {} {} {} {}", describe(type), type.size, static_cast<int>(type.order),
      type.precision, type.bit_offset, type.is_signed, static_cast<int>(type.padding),
      static_cast<int>(type.character_set), type.tag, static_cast<int>(type.reference));
  const FloatLayout& layout = type.floating;
  made += std::format(" {} {} {} {} {} {} {}", layout.sign_position, layout.exponent_position,
                      layout.exponent_size, layout.mantissa_position, layout.mantissa_size,
                      layout.exponent_bias, layout.implied_one);
  for (const TypeMember& each : type.members)
    made += std::format(" [{} {} {} {}]", each.name, each.offset, hex(each.value),
                        each.type ? text_of(*each.type) : "");
  return made + " " + numbers_text(type.dims) + (type.base ? " of " + text_of(*type.base) : "");
}

inline std::string text_of(const Reference& each) {
  return std::format(" ({} {} {} {} {} {} {})", static_cast<int>(each.kind),
                     static_cast<int>(each.target), hex(each.token), static_cast<int>(each.object),
                     each.path, each.file, each.why);
}

inline std::string text_of(const Dataspace& space) {
  return describe(space) + " " + numbers_text(space.max_extent);
}

inline std::string text_of(const Attributes& attributes) {
  std::string made;
  for (const auto& [name, each] : attributes) {
    made += std::format(" {} {}: {} {} {} {}\n", name, each.name, text_of(each.type),
                        text_of(each.space), hex(each.bytes), or_none(each.unreadable));
    for (const std::string& text : each.strings) made += "  " + text + '\n';
    for (const Reference& reference : each.references) made += text_of(reference);
  }
  return made;
}

inline std::string text_of(const Storage& storage) {
  std::string made = std::format(
      "{} {} {} {} {} {} {} {}", static_cast<int>(storage.layout), storage.address.value_or(0),
      numbers_text(storage.chunk), static_cast<int>(storage.fill_state), hex(storage.fill),
      or_none(storage.fill_string), or_none(storage.fill_form), or_none(storage.fill_unreadable));
  for (const Filter& each : storage.filters)
    made += std::format(" [{} {} {} {} {}]", each.id, each.name, each.optional, each.available,
                        numbers_text(each.parameters));
  return made;
}

inline std::string text_of(const Dataset& dataset) {
  return std::format("{} {} {} {} | {} | {} | {} {}\n{}", dataset.name, dataset.path,
                     hex(dataset.token), text_of(dataset.type), text_of(dataset.space),
                     text_of(dataset.storage), or_none(dataset.unreadable),
                     or_none(dataset.attributes_unreadable), text_of(dataset.attributes));
}

inline std::string text_of(const Group& group) {
  std::string made =
      std::format("{} {} {} {}\n{}", group.path, hex(group.token), or_none(group.unreadable),
                  or_none(group.attributes_unreadable), text_of(group.attributes));
  for (const Child& each : group.children) {
    made +=
        std::format("{} {} {} {} {} {} {} {}\n", each.name, each.path, static_cast<int>(each.link),
                    each.link_target, static_cast<int>(each.object), hex(each.token),
                    each.soft_target ? hex(*each.soft_target) : "-", or_none(each.unreadable));
    if (each.dataset) made += text_of(*each.dataset);
    if (each.group) made += text_of(*each.group);
  }
  return made;
}

inline std::string_view path_of(const std::shared_ptr<const Dataset>& dataset) {
  return dataset ? std::string_view(dataset->path) : "-";
}

// The roles of the objects.
inline std::string roles_of(const Table& table) {
  std::string made = std::format("{} rows\n", table.nrows.value_or(~std::uint64_t{0}));
  for (const Column& each : table.columns)
    made += std::format(" column {} {} {} {} {} {}\n", each.name(), each.path(),
                        logical_rows(table, *each.data), chunk_rows(*each.data),
                        data_bearing_chunks(table, *each.data), has_user_fill(*each.data));
  for (const ListColumn& each : table.lists) {
    made += std::format(" list {} {} {} {}\n", each.name, static_cast<int>(each.end),
                        each.unreadable, each.leaf() ? each.leaf()->path : "-");
    for (const ListLevel& level : each.levels) {
      made += std::format("  {} {} {}", level.path, static_cast<int>(level.cls), level.judged);
      for (const ListMember* member : {&level.offsets, &level.mask, &level.values})
        made += std::format(" {} {}", member->link ? member->link->path : "-",
                            member->data() ? member->data()->path : "-");
      made += '\n';
    }
  }
  for (const Categories& each : table.categories)
    made += std::format(" categories {} {}\n", path_of(each.data), numbers_text(each.columns));
  for (const SearchIndex& each : table.indexes)
    made += std::format(" index {} {} {} {} {} {}\n", path_of(each.data),
                        static_cast<int>(each.kind), numbers_text(each.columns),
                        each.listed_by_list_column, path_of(each.values), each.gate.text());
  for (const auto& each : table.accompanying) made += std::format(" beside {}\n", path_of(each));
  for (const auto& each : table.strays) made += std::format(" stray {}\n", path_of(each));
  made += std::format(" {} {} {} {} {} {} {} {} {}\n", table.lists.size(),
                      table.categories_group != nullptr, table.search_indexes_group != nullptr,
                      table.column_by_token.size(), table.column_by_name.size(),
                      table.list_by_token.size(), table.list_by_name.size(),
                      table.categories_by_token.size(), table.index_by_token.size());
  return made;
}

}  // namespace hepcheck::hep001::model_text
