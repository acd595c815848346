// Combines the messages of an object: its attributes, the links of a group, the description of a
// dataset.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "validator/formats/hdf5/attribute.h"
#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/dataset.h"
#include "validator/formats/hdf5/link.h"
#include "validator/formats/hdf5/object_header.h"
#include "validator/formats/hdf5/objects.h"
#include "validator/formats/hdf5/shared_message.h"

namespace hepcheck::hdf5 {

// The kind of object with these messages. An incomplete dataset is still a dataset.
ObjectKind kind_of(const ObjectHeader& header);
// Judges whether it has the messages that its kind requires. False if one is missing.
bool judge_kind(const ObjectHeader& header, Container& file);

// Judges all attributes, compact and dense, and passes each that can be read to the listener. False
// if one of them was refused, or not read. `known`: of a reader of values.
bool read_attributes(const ObjectHeader& header, Container& file, SharedMessages& shared,
                     const AttributeListener& listener, KnownAttributes* known = nullptr);

// Adds the links of a group, in any storage. False if part of them was refused, or not read.
// `path`: of the group.
bool read_links(const ObjectHeader& header, const std::string& path, Container& file,
                std::vector<Link>& links);

// As far as its messages are valid and examined.
Dataset read_dataset(const ObjectHeader& header, const std::string& path, Container& file,
                     SharedMessages& shared);

}  // namespace hepcheck::hdf5
