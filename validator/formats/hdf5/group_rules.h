// The links of groups together, and where soft links lead.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/link.h"
#include "validator/formats/hdf5/objects.h"

namespace hepcheck::hdf5 {

// Judges the links of a group, and adds those that leave the file to the risk profile. `info`: null
// in an old-style group.
void judge_links(const std::vector<Link>& links, const Dense* info, const std::string& path,
                 Container& file);

// All links of a file.
class LinkGraph {
 public:
  void add(std::uint32_t group, const Link& link, std::optional<std::uint32_t> target);
  // A hard link of that group to an object that was reached before.
  void again(std::uint32_t group, std::uint32_t target, const Link& link, const Objects& objects);
  // When all groups have been read.
  void judge_all(const Objects& objects, bool whole, Container& file);

  // Follows a path from a group on. `followed`: how many soft links, counted further. `at`: the
  // object where it ends. kUnknown also after too many steps: complete() is false then.
  enum class Way : std::uint8_t { kFound, kNothing, kLoop, kUnknown };
  Way resolve(std::uint32_t group, const std::string& path, unsigned& followed, std::uint32_t& at);
  // Every link has been kept, and every path followed to its end.
  bool complete() const { return complete_; }

 private:
  struct End {
    std::optional<std::uint32_t> object{};  // of a hard link
    std::string soft{};                     // of a soft link
    bool elsewhere = false;                 // another kind of link
  };
  std::unordered_map<std::uint32_t, std::unordered_map<std::string, End>> groups_{};
  struct Soft {
    std::uint32_t group;
    std::string name, value;
    Place at;
  };
  std::vector<Soft> soft_{};
  std::uint64_t kept_ = 0, steps_ = 0, walked_ = 0;  // `walked_`: bytes of paths
  bool complete_ = true;
  std::string cycle_{};
  std::uint64_t cycles_ = 0;
};

}  // namespace hepcheck::hdf5
