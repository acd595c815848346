// What the acts have in common: where a violation is, and how a value is converted without loss.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/hep001/repair/acts.h"

namespace hepcheck::hep001 {

// The object that a finding is about.
struct Host {
  enum class Role : std::uint8_t { kNone, kTable, kColumn, kList, kIndex, kCategories, kOther };
  Role role = Role::kNone;
  const Attributes* attributes = nullptr;
  const Dataset* dataset = nullptr;  // null: a group
  const Group* group = nullptr;

  const Attribute* attribute(std::string_view name) const;
};
Host host_of(const Table& table, const std::string& path);

// The child of the table group, or of a group below it, with this path.
const Child* child_at(const Group& group, const std::string& path);
// The column that has the path.
const Column* column_at(const Table& table, const std::string& path);
// The index whose dataset, or whose values, have the path; or null.
const SearchIndex* index_at(const Table& table, const std::string& path);

std::string_view last_name(std::string_view path);

// "PATH@NAME", as in options.
std::string place_of(const Finding& finding);

// Nothing is done, because...
RepairPlan left(std::string why, std::vector<std::string> options = {});
RepairPlan rebuilt_index();  // in the end
RepairPlan changed(const Attribute* before, std::string path, Attribute after, std::string act);

// The only text of a string attribute of one element.
std::optional<std::string> only_text(const Attribute& attribute);
// The only value of an attribute of one element, if it is a whole number, in any datatype.
std::optional<std::uint64_t> only_number(const Attribute& attribute);
// Whether it plainly means true or false.
std::optional<bool> only_boolean(const Attribute& attribute);

// The same number in another datatype; nothing if that cannot represent it exactly.
std::optional<std::vector<std::byte>> converted(const Datatype& from,
                                                std::span<const std::byte> value,
                                                const Datatype& to);
// A value from the command line, in the form in which a column stores it: a number, the name of an
// enumeration member, a text.
std::optional<std::vector<std::byte>> parsed_value(const Datatype& type, const std::string& text);

// Plans for --set, --drop and --rename at the place of a finding, if the user passed one.
std::optional<RepairPlan> decided(const Case& c);
std::vector<std::string> ways_to_move(const Case& c);

}  // namespace hepcheck::hep001
