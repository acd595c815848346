// Converts groups, datasets and links of a file to model values.
#pragma once

#include <string>

#include "validator/formats/hep001/libhdf5/read_attributes.h"

namespace hepcheck::hep001::libhdf5 {

// A table group with everything below it; roles are not assigned yet. `group` is the opened group;
// its children are read completely, CATEGORIES and SEARCH_INDEXES with their datasets; of other
// subgroups, down to the first table group inside them, only links and kinds. `marker` is the
// attribute CLASS, if it was read already.
Table read_table(const FileContext& context, hid_t group, std::string path,
                 const ObjectToken& token, std::optional<Attribute> marker = {});

// One dataset: datatype, dataspace, storage, fill value, attributes, but not its values. The
// sources of a virtual dataset and external files are not opened.
Dataset read_dataset(const FileContext& context, hid_t dataset, std::string name, std::string path,
                     const ObjectToken& token);

// A link as H5Literate2 reports it.
struct LinkInfo {
  std::string name{};
  Child::LinkKind kind = Child::LinkKind::kHard;
  ObjectToken token{};          // hard links
  std::size_t value_bytes = 0;  // soft and external links
};

// The links of a group, in native order, at most `limit`. A failure of the library stops the
// listing; `trouble` then states why, and the links listed so far are returned.
std::vector<LinkInfo> list_links(hid_t group, std::uint64_t limit,
                                 std::optional<std::string>& trouble);

// A link access list that refuses to follow external links. Lives as long as the program.
hid_t stay_in_file();

// "/" + "a" = "/a", "/t" + "a" = "/t/a".
std::string join_path(const std::string& group, const std::string& name);

}  // namespace hepcheck::hep001::libhdf5
