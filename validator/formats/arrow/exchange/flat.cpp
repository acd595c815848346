#include "validator/formats/arrow/exchange/flat.h"

#include <algorithm>

namespace hepcheck::arrow {

namespace {

void align(std::string& into, std::size_t unit) {
  into.resize((into.size() + unit - 1) / unit * unit);
}

template <class T>
void patch(std::string& into, std::size_t at, T value) {
  std::memcpy(into.data() + at, &value, sizeof value);
}

// Makes the offset at `at` refer to the next position.
void lead(std::string& into, std::size_t at) {
  patch(into, at, static_cast<std::uint32_t>(into.size() - at));
}

void put_count(std::string& into, std::uint32_t count) {
  const std::size_t at = into.size();
  into.resize(at + sizeof count);
  patch(into, at, count);
}

}  // namespace

// Writes its vtable, then the table, then the targets of its offsets; returns the position of the
// table.
std::uint32_t FlatTable::put(std::string& into) const {
  unsigned slots = 0;
  std::vector<const std::pair<unsigned, Value>*> widest;
  for (const auto& field : fields_) {
    slots = std::max(slots, field.first + 1);
    widest.push_back(&field);
  }
  const auto width = [](const std::pair<unsigned, Value>* field) {
    const auto* scalar = std::get_if<std::string>(&field->second);
    return scalar ? scalar->size() : sizeof(std::uint32_t);
  };
  std::ranges::stable_sort(widest, std::greater<>(), width);

  // Fields of 8 bytes begin 8 bytes after the beginning of the table.
  const bool wide = !widest.empty() && width(widest.front()) == 8;
  std::uint16_t size = wide ? 8 : 4;
  std::vector<std::uint16_t> places(slots, 0);
  for (const auto* field : widest) {
    places[field->first] = size;
    size = static_cast<std::uint16_t>(size + width(field));
  }
  const std::size_t vtable_size = 4 + 2 * places.size();
  into.resize(into.size() + (8 - (into.size() + vtable_size) % 8) % 8);  // aligns the table to 8
  const std::size_t vtable = into.size(), table = vtable + vtable_size;
  into.resize(table + size);
  patch(into, vtable, static_cast<std::uint16_t>(vtable_size));
  patch(into, vtable + 2, size);
  for (std::size_t i = 0; i < places.size(); ++i) patch(into, vtable + 4 + 2 * i, places[i]);
  patch(into, table, static_cast<std::int32_t>(vtable_size));

  for (const auto& [id, value] : fields_) {
    const std::size_t at = table + places[id];
    if (const auto* scalar = std::get_if<std::string>(&value)) {
      std::memcpy(into.data() + at, scalar->data(), scalar->size());
    } else if (const auto* text = std::get_if<Text>(&value)) {
      align(into, 4);
      lead(into, at);
      put_count(into, static_cast<std::uint32_t>(text->value.size()));
      into += text->value;
      into += '\0';
    } else if (const auto* structs = std::get_if<Structs>(&value)) {
      align(into, 4);
      if (into.size() % 8 == 0) into.resize(into.size() + 4);  // aligns the elements to 8
      lead(into, at);
      put_count(into, structs->count);
      into += structs->bytes;
    } else if (const auto* one = std::get_if<std::vector<FlatTable>>(&value)) {
      const std::uint32_t child = one->front().put(into);
      patch(into, at, static_cast<std::uint32_t>(child - at));
    } else if (const auto* tables = std::get_if<Tables>(&value)) {
      align(into, 4);
      lead(into, at);
      put_count(into, static_cast<std::uint32_t>(tables->values.size()));
      std::size_t element = into.size();
      into.resize(element + 4 * tables->values.size());
      for (const FlatTable& each : tables->values) {
        const std::uint32_t child = each.put(into);
        patch(into, element, static_cast<std::uint32_t>(child - element));
        element += 4;
      }
    }
  }
  return static_cast<std::uint32_t>(table);
}

std::string FlatTable::finished() const {
  std::string made(4, '\0');
  const std::uint32_t root = put(made);
  patch(made, 0, root);
  align(made, 8);
  return made;
}

}  // namespace hepcheck::arrow
