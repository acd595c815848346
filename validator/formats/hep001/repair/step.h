// The primitive changes of which a repair consists, as data: libhdf5/apply_step.h makes them in a
// file, code.h shows them as programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/hep001/model/table.h"

namespace hepcheck::hep001 {

// One change. Paths are absolute.
struct Step {
  enum class Kind : std::uint8_t {
    kPutAttribute,     // writes `value` to the object at `path`, in place of one of that name
    kDropAttribute,    // removes the attribute `name` of the object at `path`
    kRenameAttribute,  // renames the attribute `name` of the object at `path` to `other`
    kUnlink,           // removes the link `path`
    kLink,             // a hard link `path` to the object at `other`, which is `token`
    kMove,             // moves the link `path` to `other`
    kExtend,           // extends the dataset at `path` to `extent` rows
    kRecreate,         // the dataset at `path` with another datatype or fill value; its stored
                       // values, its other properties and its attributes stay the same
  };
  enum class Fill : std::uint8_t { kKeep, kSet, kRemove };

  Kind kind = Kind::kPutAttribute;
  std::string path{};
  std::string name{}, other{};
  Attribute value{};
  ObjectToken token{};
  std::uint64_t extent = 0;
  std::optional<Datatype> type{};  // kRecreate: whose values have the same bytes
  Fill fill = Fill::kKeep;         // kRecreate
  std::vector<std::byte> fill_value{};
};

// Steps by their kind.
Step put_attribute(std::string path, Attribute value);
Step drop_attribute(std::string path, std::string name);
Step rename_attribute(std::string path, std::string name, std::string to);
Step remove_link(std::string path);
Step link_to(std::string path, const ObjectToken& token, std::string target);
Step move_link(std::string path, std::string to);
Step extend(std::string path, std::uint64_t rows);

// Attributes in the forms that the specification requires.
Attribute ascii_attribute(std::string name, std::string_view value);  // terminated by a NUL
Attribute utf8_attribute(std::string name, std::string_view value);   // null-padded
Attribute utf8_list_attribute(std::string name, const std::vector<std::string>& values);
Attribute number_attribute(std::string name, std::uint64_t value);  // uint64
Attribute boolean_attribute(std::string name, bool value);
// H5T_STD_REF: a scalar, or a list.
Attribute reference_attribute(std::string name, const Reference& target);
Attribute reference_list(std::string name, std::vector<Reference> targets);
// A scalar of any datatype without variable parts.
Attribute scalar_attribute(std::string name, Datatype type, std::vector<std::byte> bytes);

// What an attribute contains, for display: "H5T_STD_REF_OBJ (2) /t/a, /t/b".
std::string describe_value(const Attribute& attribute);

}  // namespace hepcheck::hep001
