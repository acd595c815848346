// Makes the primitive changes of a repair in a file that is open for writing.
#pragma once

#include "validator/formats/hep001/libhdf5/file.h"
#include "validator/formats/hep001/repair/step.h"

namespace hepcheck::hep001::libhdf5 {

// Makes one change. An attribute is written completely under another name before it takes the
// place of an old one. After an Error the file may contain a part of the change.
Result<void> apply_step(const File& file, const Step& step);

// Whether an object outside the attributes of these objects may refer to `target`: the reason, or
// nothing. References to an object that is created again at another address would be lost.
std::optional<std::string> referred_elsewhere(const File& file, const ObjectToken& target,
                                              const std::vector<ObjectToken>& known);

// The dataset at a path, whether it is a part of a table or not.
std::optional<Dataset> dataset_at(const File& file, const std::string& path);

// The number of hard links to an object.
std::uint64_t hard_links(const File& file, const ObjectToken& object);

}  // namespace hepcheck::hep001::libhdf5
