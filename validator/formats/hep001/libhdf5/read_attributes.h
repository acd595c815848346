// Reads the attributes of an object, with references resolved.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "validator/formats/hep001/libhdf5/handle.h"
#include "validator/formats/hep001/model/table.h"
#include "validator/limits.h"

namespace hepcheck::hep001::libhdf5 {

// The properties of a file that reading its objects requires.
struct FileContext {
  hid_t file = H5I_INVALID_HID;
  std::string name{};  // as returned by H5Fget_name: references to other names lead to other files
  Limits limits{};
  std::span<const std::byte> image{};  // the whole file, if it was opened from memory
};

ObjectToken token_of(const H5O_token_t& token);
H5O_token_t native_token(const ObjectToken& token);
ObjectKind object_kind(H5O_type_t type);

// The dataspace of an attribute or dataset. `trouble` is set if the library cannot describe it; the
// result must not be used then.
Dataspace read_space(hid_t space, std::optional<std::string>& trouble);

// All attributes of `object`, by name. An attribute that cannot be read is kept, with the reason in
// `unreadable`. If the attributes cannot be listed, `trouble` states why. `known` is one of them,
// if it was read already.
Attributes read_attributes(const FileContext& context, hid_t object,
                           std::optional<std::string>& trouble,
                           std::optional<Attribute> known = {});

// One attribute, if the object has it.
std::optional<Attribute> read_attribute(const FileContext& context, hid_t object, const char* name);

}  // namespace hepcheck::hep001::libhdf5
