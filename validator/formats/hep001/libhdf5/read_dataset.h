// Converts datasets and links of a file to model values.
#pragma once

#include <string>
#include <vector>

#include "validator/formats/hep001/libhdf5/read_attributes.h"
#include "validator/formats/hep001/reader/table_file.h"

namespace hepcheck::hep001::libhdf5 {

// One dataset: datatype, dataspace, storage, fill value, attributes, but not its values. The
// sources of a virtual dataset and external files are not opened.
Dataset read_dataset(const FileContext& context, hid_t dataset, std::string name, std::string path,
                     const ObjectToken& token);

// The links of a group, in native order, at most `limit`. A failure of the library stops the
// listing; `trouble` then states why, and the links listed so far are returned.
std::vector<LinkInfo> list_links(hid_t group, std::uint64_t limit,
                                 std::optional<std::string>& trouble);

// A link access list that refuses to follow external links. Lives as long as the program.
hid_t stay_in_file();

// The path of a soft link, "file:path" of an external one; empty if it cannot be read.
std::string link_target(hid_t group, const LinkInfo& link);

}  // namespace hepcheck::hep001::libhdf5
