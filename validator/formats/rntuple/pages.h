// Pages: their checksums, their decoding, and what their values show (7.1.2, 7.3.2).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "validator/formats/rntuple/page_list.h"

namespace hepcheck::rntuple {

// What is asked of the values of a column.
struct Wants {
  bool index = false;  // the offsets of a collection
  bool order = false;  // order and sign
  bool ascii = false;
  bool tags = false;
  bool mask = false;               // of optional values, a bit each
  std::uint64_t alternatives = 0;  // of a variant

  friend auto operator<=>(const Wants&, const Wants&) = default;
};

// The elements of a variant with one tag.
struct TagFacts {
  std::uint32_t tag = 0;
  std::uint64_t count = 0, first = 0, most = 0;  // elements, the first and the largest index
  bool ascending = true;                         // each index is one more than the one before
};

struct Values {
  std::uint64_t elements = 0;
  // Numbers in an order-preserving form; of an index the offsets themselves.
  std::uint64_t first = 0, last = 0;
  // The first element that breaks an order, if there is one.
  std::optional<std::uint64_t> falls{}, rises{}, negative{}, nan{}, non_ascii{};
  std::uint64_t largest_step = 0, step_at = 0;  // of an index
  std::vector<TagFacts> tags{};
  std::optional<std::uint64_t> bad_tag{};  // the element
  std::uint32_t bad_tag_value = 0;
  std::uint64_t unset = 0;  // bits of a mask
};

struct PageFacts {
  enum class Sum : std::uint8_t { kNone, kStored, kRaw, kPlain, kWrong, kNoRoom };

  bool done = false;    // it was looked at
  bool usable = false;  // it was decoded
  Sum sum = Sum::kNone;
  std::uint64_t stated = 0, real = 0;  // checksums
  Block block{};
  std::string unread{};  // why it was not looked at
  Values values{};
};

// One distinct range of bytes, decoded in one way.
struct PageJob {
  PageInfo page{};
  std::uint16_t type = 0, bits = 0;
  Wants wants{};
};

// Decodes pages on several threads.
std::vector<PageFacts> look_at_pages(const Context& context, const std::vector<PageJob>& jobs,
                                     unsigned threads);

// Judges checksum and compression of one page. Whether its values are known.
bool judge_page(const PageFacts& facts, const PageInfo& page, const Place& at, Context& context);

// What the columns of all clusters are judged by.
void page_rules(RuleList& list);

}  // namespace hepcheck::rntuple
