#include "validator/formats/hdf5/link.h"

#include <format>

#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::uint8_t kHard = 0, kSoft = 1, kFirstOwn = 64;

std::string text_of(const Region& region) {
  return {reinterpret_cast<const char*>(region.bytes.data()), region.bytes.size()};
}

// --- Link messages ------------------------------------------------------------------------------

struct LinkFields {
  std::uint8_t version = 0, flags = 0, type = 0;
  std::uint64_t name_length = 0, target = kUndefined;
  bool whole = false;
  Region name{};
};

void version(const LinkFields& it, Look& look) {
  look.looked();
  if (it.version != 1) look.fail(0, std::format("version {}", it.version), "version 1");
}

void flags_reserved(const LinkFields& it, Look& look) {
  look.looked();
  if ((it.flags & 0xe0) != 0)
    look.fail(1, std::format("flags {:#04x}", it.flags), "bits 5 to 7 clear");
}

void type(const LinkFields& it, Look& look) {
  if ((it.flags & 8) == 0) return;
  look.looked();
  if (it.type > kSoft && it.type < kFirstOwn)
    look.fail(2, std::format("link type {}", it.type), "1, or 64 and more");
}

void name_not_empty(const LinkFields& it, Look& look) {
  look.looked();
  if (it.name_length == 0) look.fail(2, "a name of 0 bytes", "a name");
}

void message_fits(const LinkFields& it, Look& look) {
  look.looked();
  if (!it.whole)
    look.fail(
        0,
        std::format("a name of {} bytes and what follows it, in a shorter message", it.name_length),
        "a message that holds the link");
}

void target_defined(const LinkFields& it, Look& look) {
  if (it.type != kHard) return;
  look.looked();
  if (it.target == kUndefined)
    look.fail(0, "a hard link to an undefined address", "the address of an object header");
}

constexpr Rule<LinkFields> kLinkRules[] = {
    {"swmr-link-version", version},
    {"swmr-link-flags-reserved", flags_reserved},
    {"swmr-link-type", type},
    {"swmr-link-name-not-empty", name_not_empty},
    {"swmr-link-message-fits", message_fits},
    {"swmr-link-target-defined", target_defined},
};

LinkFields parse_link(const Region& message, unsigned offset_size) {
  Cursor read(message);
  LinkFields made{.version = read.u8(), .flags = read.u8()};
  if ((made.flags & 8) != 0) made.type = read.u8();
  if ((made.flags & 4) != 0) read.skip(8);
  if ((made.flags & 16) != 0) read.skip(1);
  made.name_length = read.number(1U << (made.flags & 3U));
  // A missing length is not 0.
  if (!read.good()) made.name_length = kUndefined;
  made.name = read.take(made.name_length);
  if (made.type == kHard)
    made.target = read.address(offset_size);
  else
    read.skip(read.u16());
  made.whole = read.good();
  return made;
}

// --- Where links and attributes are kept --------------------------------------------------------

struct Info {
  std::uint8_t version = 0, flags = 0;
  bool whole = false;
  Dense dense{};
};

void info_version(const Info& it, Look& look) {
  look.looked();
  if (it.version != 0)
    look.fail(0, std::format("version {}", it.version), "version 0");
  else if (it.flags > 3)  // the last known value of the three
    look.fail(1, std::format("flags {:#04x}", it.flags), "only bits 0 and 1");
  else if (!it.whole)
    look.fail(0,
              std::format("flags {:#04x}, and a message that ends before its last field", it.flags),
              "a message that holds its fields");
}

void both_or_none(const Info& it, Look& look) {
  if ((it.dense.heap == kUndefined) != (it.dense.names == kUndefined))
    look.fail(
        0,
        it.dense.heap == kUndefined ? "a name index without a heap" : "a heap without a name index",
        "both, or none");
}

void heap_and_index(const Info& it, Look& look) {
  look.looked();
  both_or_none(it, look);
}

constexpr Rule<Info> kLinkInfoRules[] = {
    {"swmr-link-info-version", info_version},
    {"swmr-link-info-heap-and-index", heap_and_index},
};
constexpr Rule<Info> kAttributeInfoRule("swmr-attribute-info-version", info_version);
constexpr Rule<Info> kAttributePlaceRule("swmr-attribute-info-version", both_or_none);
constexpr Rule<Info> kGroupInfoRule("swmr-group-info-version", info_version);

// `order`: bytes of the maximum creation order.
Info parse_info(const Region& message, std::uint64_t order, unsigned offset_size) {
  Cursor read(message);
  Info made{.version = read.u8(), .flags = read.u8()};
  if ((made.flags & 1) != 0) read.skip(order);
  made.dense.heap = read.address(offset_size);
  made.dense.names = read.address(offset_size);
  if ((made.flags & 2) != 0) read.skip(offset_size);
  made.whole = read.good();
  return made;
}

}  // namespace

void link_rules(RuleList& list) {
  list.structure<kLinkRules, kLinkInfoRules, kAttributeInfoRule, kGroupInfoRule>();
}

std::optional<Link> read_link(const Region& message, Container& file) {
  const LinkFields fields = parse_link(message, file.offset_size);
  if (!judge<kLinkRules>(fields, message.place, file.notes) || !file.charge(fields.name_length))
    return std::nullopt;
  return Link{.name = text_of(fields.name),
              .hard = fields.type == kHard,
              .target = fields.target,
              .at = message.place};
}

std::optional<Dense> read_link_info(const Region& message, Container& file) {
  const Info info = parse_info(message, 8, file.offset_size);
  if (!judge<kLinkInfoRules>(info, message.place, file.notes)) return std::nullopt;
  return info.dense;
}

std::optional<Dense> read_attribute_info(const Region& message, Container& file) {
  const Info info = parse_info(message, 2, file.offset_size);
  if (!judge<kAttributeInfoRule>(info, message.place, file.notes) ||
      !judge<kAttributePlaceRule>(info, message.place, file.notes))
    return std::nullopt;
  return info.dense;
}

bool group_info_holds(const Region& message, Container& file) {
  Cursor read(message);
  Info info{.version = read.u8(), .flags = read.u8()};
  if ((info.flags & 1) != 0) read.skip(4);
  if ((info.flags & 2) != 0) read.skip(4);
  info.whole = read.good();
  return judge<kGroupInfoRule>(info, message.place, file.notes);
}

}  // namespace hepcheck::hdf5
