// Links of groups, and where paths lead.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "validator/formats/hdf5/object_header.h"
#include "validator/formats/hep001/own/context.h"
#include "validator/formats/hep001/reader/table_file.h"

namespace hepcheck::hep001::own {

// The links of a group, at most `limit`. If they are not complete, `trouble` states why.
// Context::mutex must be locked.
std::vector<LinkInfo> links_of(const hdf5::ObjectHeader& header, const std::string& path,
                               std::uint64_t limit, Context& context,
                               std::optional<std::string>& trouble);

class Paths {
 public:
  explicit Paths(Context& context) : context_(context) {}

  // Where a path leads from a group, by hard links and soft links; nothing if it leads to no object
  // of this file.
  std::optional<std::uint64_t> resolve(std::uint64_t group, std::string path);
  // A path of an object, the first one in depth first order; empty if there is none.
  std::string path_of(std::uint64_t address);

 private:
  struct Target {
    bool hard = false;
    std::uint64_t address = 0;
    std::string soft{};  // empty: another kind of link
  };
  using Names = std::unordered_map<std::string, Target>;
  const Names& names(std::uint64_t group);
  void find_all();

  Context& context_;
  std::unordered_map<std::uint64_t, Names> groups_{};
  std::uint64_t kept_ = 0;  // links
  bool found_all_ = false;
  std::unordered_map<std::uint64_t, std::string> paths_{};
};

}  // namespace hepcheck::hep001::own
