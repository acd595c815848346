#include "validator/formats/hdf5/objects.h"

#include <format>

#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

void not_smaller(const Object& it, Look& look) {
  look.looked();
  if (it.stated_links < it.links)
    look.fail(0, std::format("reference count {}, with {} hard links", it.stated_links, it.links),
              std::format("{}", it.links),
              "Deleting one of the links would free the object while it is still in use.");
}

void not_larger(const Object& it, Look& look) {
  look.looked();
  if (it.stated_links > it.links)
    look.fail(0, std::format("reference count {}, with {} hard links", it.stated_links, it.links),
              std::format("{}", it.links), "The space of the object would never be freed.");
}

constexpr Rule<Object> kObjectsRules[] = {
    {"swmr-ohdr-reference-count", not_smaller},
    {"swmr-ohdr-reference-count-excess", not_larger},
};

}  // namespace

void reference_rules(RuleList& list) { list.structure<kObjectsRules>(); }

Objects::Found Objects::at(std::uint64_t address, std::uint32_t parent, const std::string& name) {
  const auto [number, fresh] = by_address_.try_emplace(address, size());
  if (fresh)
    all_.push_back(
        {.address = address, .parent = parent, .depth = all_[parent].depth + 1, .name = name});
  return {number, fresh};
}

void Objects::set_root(std::uint64_t address) {
  all_[0].address = address;
  by_address_.try_emplace(address, 0);
}

std::string Objects::path(std::uint32_t number) const {
  constexpr std::size_t kLongest = 4000;
  if (number == 0) return "/";
  std::vector<std::uint32_t> way;
  std::size_t length = 0;
  for (; number != 0 && length < kLongest; number = all_[number].parent) {
    way.push_back(number);
    length += 1 + all_[number].name.size();
  }
  std::string path = number == 0 ? "" : "...";
  for (auto it = way.rbegin(); it != way.rend(); ++it) path += "/" + all_[*it].name;
  return path;
}

Place header_place(const Object& object, const Container& file) {
  return file.place(object.header_version == 2 ? "OHDR" : "object header", object.address);
}

void judge_reference_count(const Object& object, Container& file) {
  judge<kObjectsRules>(object, header_place(object, file), file.notes);
}

}  // namespace hepcheck::hdf5
