// The names of links and attributes.
#pragma once

#include <string_view>

#include "validator/formats/hdf5/notes.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

struct NameOf {
  std::string_view bytes;
  bool utf8;  // its character set; otherwise ASCII, or not stated
};

void judge_link_name(const NameOf& name, const Place& at, Notes& notes);
// The findings are about the attribute.
void judge_attribute_name(const NameOf& name, const Place& at, Notes& notes);

// What makes a name of a file lead out of its folder: "absolute", "two dots"; empty if nothing
// does.
std::string_view leads_out(std::string_view file_name);

}  // namespace hepcheck::hdf5
