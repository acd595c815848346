// Links to objects, and the messages about the storage of links in a group.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

// A link of a group, in any storage.
struct Link {
  static constexpr std::uint8_t kHard = 0, kSoft = 1, kExternal = 64;

  std::string name{};
  bool utf8 = false;  // its character set, as a message states it
  bool hard = false;
  std::uint8_t type = kHard;
  std::optional<std::uint64_t> order{};  // of its creation
  std::string value{};                   // of a link that is not hard
  std::uint64_t target = kUndefined;     // of a hard link: the header
  Place at{}, name_at{};
  // An entry of a symbol table may repeat parts of the header of the group.
  struct Scratch {
    std::uint64_t tree = kUndefined, heap = kUndefined;
    Place at{};
  };
  std::optional<Scratch> scratch{};
};

// A link message, or a heap object that is one. None if it is refused. Its name is not judged: in a
// heap, an index tells first whether it is the name of the link.
std::optional<Link> read_link(const Region& message, Container& file);

// The file and the object of an external link; none if its value has another form.
struct ExternalTarget {
  std::string_view file, object;
};
std::optional<ExternalTarget> external_target(const Link& link);

// The storage of dense links or attributes, and what is said about the order of their creation.
struct Dense {
  std::uint64_t heap = kUndefined, names = kUndefined;
  std::uint64_t order_index = kUndefined;
  std::uint64_t maximum = 0;  // creation order, if it is tracked
  bool tracked = false, indexed = false;
  Place at{};  // of the message

  bool any() const { return heap != kUndefined && names != kUndefined; }
};
// None if they are refused.
std::optional<Dense> read_link_info(const Region& message, Container& file);
std::optional<Dense> read_attribute_info(const Region& message, Container& file);
// The message of a group about its compact links and its names.
struct GroupInfo {
  std::uint16_t max_compact = 8, min_dense = 6;  // the defaults
  bool stated = false;                           // the two
  std::uint64_t encoded = 0;                     // bytes of the message that are used
};
std::optional<GroupInfo> read_group_info(const Region& message, Container& file);

// Bytes of a link message, or of a message about links or attributes, that are used; it must be
// sound.
std::uint64_t encoded_link(const Region& message, const Container& file);
std::uint64_t encoded_info(const Region& message, std::uint64_t order, const Container& file);

}  // namespace hepcheck::hdf5
