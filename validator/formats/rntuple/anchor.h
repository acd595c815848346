// The anchor object of an RNTuple: its version, and where header and footer are. Big-endian.
#pragma once

#include <cstdint>
#include <string>

#include "validator/formats/rntuple/root_file.h"

namespace hepcheck::rntuple {

// Where an envelope is, according to the anchor.
struct Extent {
  std::uint64_t seek = 0, size = 0, length = 0;  // stored and uncompressed size
};

struct Anchor {
  bool later_class = false;  // the key class ROOT::RNTuple
  std::uint16_t class_version = 0;
  bool versioned = false;  // the four numbers were read
  std::uint16_t epoch = 0, major = 0, minor = 0, patch = 0;
  Extent header{}, footer{};
  std::uint64_t max_key_size = 0;  // 0 if it has none
  std::uint64_t member_bytes = 0;

  // Readings of later drafts are accepted.
  bool later_draft() const { return class_version >= 5; }
};

struct AnchorRead {
  enum class State : std::uint8_t {
    kUsable,
    kBroken,       // a clause does not hold
    kUnsupported,  // it is another dialect, which `dialect` names
    kUnread,       // it lies behind the end of the file, or needs too much; `reason`
  };
  State state = State::kBroken;
  Anchor anchor{};
  std::string dialect{}, reason{};
  std::string_view stopped_by{};
};

AnchorRead read_anchor(const RootFile& root, const AnchorKey& at, const Path& path, Notes& notes);
// "rc2-a", "rc2-b or rc2-c", "epoch 1"
std::string dialect_of(const Anchor& anchor);

void anchor_rules(RuleList& list);

}  // namespace hepcheck::rntuple
