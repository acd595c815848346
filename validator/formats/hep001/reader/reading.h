// What a reader returned, as text: equal texts, equal readings. Reasons are not part of it, because
// each reader has its own.
#pragma once

#include <span>
#include <string>

#include "validator/formats/hep001/reader/table_file.h"

namespace hepcheck::hep001 {

std::string reading_of(std::span<const std::byte> bytes);  // the first ones, and a digest of all
std::string reading_of(const Datatype& type);
std::string reading_of(const Dataspace& space);
std::string reading_of(const Reference& reference);
std::string reading_of(const Attribute& attribute);
std::string reading_of(const LinkInfo& link);
std::string reading_of(const Storage& storage, const Datatype& type);
std::string reading_of(ObjectKind kind);

}  // namespace hepcheck::hep001
