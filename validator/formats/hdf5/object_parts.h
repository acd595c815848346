// What the messages of an object add up to: its attributes, the links of a group, the description
// of a dataset.
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

// What kind of object has these messages. What lacks one that datasets have is one, still.
ObjectKind kind_of(const ObjectHeader& header);
// Whether it has what its kind must have.
void judge_kind(const ObjectHeader& header, Container& file);

// Judges all attributes, compact and dense, and passes each that can be read to the listener.
void read_attributes(const ObjectHeader& header, Container& file, SharedMessages& shared,
                     const AttributeListener& listener);

// Adds the links of a group, however it keeps them. False if part of them was refused, or not read.
bool read_links(const ObjectHeader& header, Container& file, std::vector<Link>& links);

// As far as its messages hold, and are examined.
Dataset read_dataset(const ObjectHeader& header, Container& file, SharedMessages& shared);

}  // namespace hepcheck::hdf5
