// Envelopes (chapter 7), and the bytes of the file that an RNTuple refers to.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/budget.h"
#include "validator/formats/rntuple/anchor.h"
#include "validator/formats/rntuple/frame.h"
#include "validator/formats/rntuple/root_file.h"

namespace hepcheck::rntuple {

// Bytes that an envelope link or a page locator refers to.
struct Referenced {
  Range range{};
  // Of a page: its page list, cluster, column and page. Of an envelope: its kind and number.
  std::array<std::uint32_t, 4> who{};
  bool page = false;

  friend auto operator<=>(const Referenced&, const Referenced&) = default;
};

// What the parts of an examination share.
struct Context {
  const RootFile& root;
  const Limits& limits;
  const Anchor& anchor;
  Budget& decoded;       // bytes of output that decoding may still make
  std::uint64_t memory;  // bytes that may be held at a time
  Notes& notes;
  std::vector<Referenced> referenced{};
  // Something that is not a finding was not examined.
  bool incomplete = false;
};

enum class Reach : std::uint8_t { kThere, kOutside, kUnread };

// Whether the bytes are in the file; judges it. `extra`: bytes behind that belong to it.
Reach reach(Context& context, std::uint64_t offset, std::uint64_t size, const Place& at);

enum class EnvelopeType : std::uint16_t { kHeader = 1, kFooter = 2, kPageList = 3, kMetadata = 4 };

struct Envelope {
  bool usable = false;
  std::vector<std::byte> bytes{};
  std::optional<std::uint64_t> offset{};  // in the file, if the bytes are raw
  std::uint64_t stored = 0;
  // If it is not usable: the clause that does not hold, or why it was not examined.
  std::string reason{};

  std::uint64_t checksum() const;  // as it is stored
  std::uint64_t payload_end() const { return bytes.size() - 8; }
};

constexpr std::uint64_t kPayload = 8;  // where it begins

Envelope read_envelope(Context& context, const Extent& extent, EnvelopeType type,
                       std::uint32_t number, const Path& path);

void envelope_rules(RuleList& list);

}  // namespace hepcheck::rntuple
