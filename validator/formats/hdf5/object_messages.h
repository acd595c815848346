// The messages of an object together: which may stand beside one another, and those that describe
// neither a dataset nor the links of a group.
#pragma once

#include <cstdint>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/link.h"
#include "validator/formats/hdf5/object_header.h"
#include "validator/formats/hdf5/objects.h"

namespace hepcheck::hdf5 {

// Whether an object is of a known kind. The clause on the root group judges the root.
void judge_object_kind(const Object& object, Container& file);
// Judges the messages of an object of that kind.
void judge_messages(const ObjectHeader& header, ObjectKind kind, Container& file);

// When its links have been read: how many, if all of them were.
void judge_link_storage(const ObjectHeader& header, const Dense* info, const GroupInfo& phase,
                        std::uint64_t links, Container& file);
// The same for attributes. `large`: one of them is too large for a header.
void judge_attribute_storage(const ObjectHeader& header, const Dense* info,
                             std::uint64_t attributes, bool large, Container& file);

// Bytes behind the contents of messages. Only for objects without an error.
void judge_slack(const ObjectHeader& header, Container& file);
// Names the fields of messages that nothing else reads, if fields are recorded.
void name_messages(const ObjectHeader& header, Container& file);

}  // namespace hepcheck::hdf5
