#include "validator/formats/hdf5/link.h"

#include <format>

#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::uint8_t kHard = Link::kHard, kSoft = Link::kSoft, kFirstOwn = Link::kExternal;

std::string text_of(const Region& region) {
  return {reinterpret_cast<const char*>(region.bytes.data()), region.bytes.size()};
}

// --- Link messages ------------------------------------------------------------------------------

struct LinkFields {
  std::uint8_t version = 0, flags = 0, type = 0;
  std::uint64_t name_length = 0, target = kUndefined;
  bool whole = false;
  Region name{}, value{};
  std::uint8_t charset = 0;
  std::optional<std::uint64_t> order{};
  std::uint64_t encoded = 0;

  bool typed() const { return (flags & 8) != 0; }
  bool has_charset() const { return (flags & 16) != 0; }
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

// --- What a link says ---------------------------------------------------------------------------

void link_charset(const LinkFields& it, Look& look) {
  if (!it.has_charset()) return;
  look.looked();
  if (it.charset > 1)
    look.fail(0, std::format("character set {}", it.charset), "0 (ASCII) or 1 (UTF-8)");
}

void soft_value_not_empty(const LinkFields& it, Look& look) {
  if (it.type != kSoft) return;
  look.looked();
  if (it.value.size() == 0) look.fail(0, "a soft link with a value of 0 bytes", "a path");
}

// The two strings of an external link, without their zeros.
std::optional<ExternalTarget> strings_of(std::string_view value) {
  if (value.size() < 3 || value.back() != '\0') return std::nullopt;
  value.remove_prefix(1);
  const std::size_t first = value.find('\0'), second = value.find('\0', first + 1);
  if (second != value.size() - 1) return std::nullopt;
  return ExternalTarget{value.substr(0, first), value.substr(first + 1, second - first - 1)};
}

std::string_view view_of(const Region& region) {
  return {reinterpret_cast<const char*>(region.bytes.data()), region.bytes.size()};
}

void external_form(const LinkFields& it, Look& look) {
  if (it.type != Link::kExternal) return;
  look.looked();
  if (!strings_of(view_of(it.value)))
    look.fail(0, std::format("a value of {} bytes that is not two strings", it.value.size()),
              "a byte, then two strings that end in zeros");
}

void external_version(const LinkFields& it, Look& look) {
  if (it.type != Link::kExternal || it.value.bytes.empty()) return;
  look.looked();
  const auto first = std::to_integer<unsigned>(it.value.bytes.front());
  if (first != 0)
    look.fail(0, std::format("version and flags {:#04x} of an external link", first), "0");
}

constexpr Rule<LinkFields> kLinkMeaningRules[] = {
    {"h5-link-charset", link_charset},
    {"h5-link-soft-value-not-empty", soft_value_not_empty},
    {"h5-link-external-form", external_form},
    {"h5-link-external-version", external_version},
};

void type_stored_hard(const LinkFields& it, Look& look) {
  if (it.type != kHard) return;
  look.looked();
  if (it.typed()) look.fail(2, "the type of a hard link", "no type, which means a hard link");
}

void charset_stored_ascii(const LinkFields& it, Look& look) {
  look.looked();
  if (it.has_charset() && it.charset == 0)
    look.fail(0, "the character set ASCII", "no character set, which means ASCII");
}

void soft_value_nul(const LinkFields& it, Look& look) {
  if (it.type != kSoft) return;
  look.looked();
  if (view_of(it.value).find('\0') != std::string_view::npos)
    look.fail(0, "a zero in the path of a soft link", "none");
}

void external_names(const LinkFields& it, Look& look) {
  if (it.type != Link::kExternal) return;
  const auto target = strings_of(view_of(it.value));
  if (!target) return;
  look.looked();
  if (target->file.empty() || target->object.empty())
    look.fail(0, target->file.empty() ? "no name of a file" : "no path of an object", "both");
}

constexpr Rule<LinkFields> kLinkFormRules[] = {
    {"h5-link-type-stored-hard", type_stored_hard},
    {"h5-link-charset-stored-ascii", charset_stored_ascii},
    {"h5-link-soft-value-nul", soft_value_nul},
    {"h5-link-external-names", external_names},
};

LinkFields parse_link(const Region& message, unsigned offset_size) {
  Cursor read(message);
  LinkFields made{.version = read.u8("version"), .flags = read.u8("flags")};
  if ((made.flags & 8) != 0) made.type = read.u8("type");
  if ((made.flags & 4) != 0) made.order = read.u64("order");
  if (made.has_charset()) made.charset = read.u8("charset");
  made.name_length = read.number(1U << (made.flags & 3U), "name length");
  // A missing length is not 0.
  if (!read.good()) made.name_length = kUndefined;
  made.name = read.take(made.name_length, "name");
  if (made.type == kHard)
    made.target = read.address(offset_size, "target");
  else
    made.value = read.take(read.u16("value length"), "value");
  made.whole = read.good();
  made.encoded = read.at();
  return made;
}

// --- Where links and attributes are kept --------------------------------------------------------

struct Info {
  std::uint8_t version = 0, flags = 0;
  bool whole = false;
  Dense dense{};
  std::uint64_t encoded = 0;
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

// --- The order of creation ----------------------------------------------------------------------

void maximum(const Dense& it, Look& look) {
  if (!it.tracked) return;
  look.looked();
  if (it.maximum >> 63U != 0)
    look.fail(2, std::format("maximum creation order {:#x}", it.maximum), "less than 2^63");
}

void order_index(const Dense& it, Look& look) {
  if (!it.indexed) return;
  look.looked();
  if ((it.heap == kUndefined) != (it.order_index == kUndefined))
    look.fail(0,
              it.heap == kUndefined ? "an index of the creation order without a heap"
                                    : "a heap without an index of the creation order",
              "both, or none");
}

constexpr Rule<Dense> kLinkOrderRules[] = {
    {"h5-link-info-maximum", maximum},
    {"h5-link-info-order-index", order_index},
};
constexpr Rule<Dense> kAttributeOrderRule("h5-attribute-info-order-index", order_index);

// The clause also applies to the flags of headers (object_messages.cpp).
constexpr Rule kIndexedRule("h5-link-order-indexed-tracked", [](const Dense& it, Look& look) {
  look.looked();
  if (it.indexed && !it.tracked)
    look.fail(1, "an index of a creation order that is not tracked", "both, or only tracked");
});

constexpr Rule kPhaseRule("h5-group-info-phase-change", [](const GroupInfo& it, Look& look) {
  if (!it.stated) return;
  look.looked();
  if (it.max_compact < it.min_dense)
    look.fail(2, std::format("maximum compact {}, minimum dense {}", it.max_compact, it.min_dense),
              "a maximum not below the minimum");
});

// `order`: bytes of the maximum creation order.
Info parse_info(const Region& message, std::uint64_t order, unsigned offset_size) {
  Cursor read(message);
  Info made{.version = read.u8("version"), .flags = read.u8("flags")};
  made.dense.at = message.place;
  made.dense.tracked = (made.flags & 1) != 0;
  made.dense.indexed = (made.flags & 2) != 0;
  if (made.dense.tracked) made.dense.maximum = read.number(static_cast<unsigned>(order), "maximum");
  made.dense.heap = read.address(offset_size, "heap");
  made.dense.names = read.address(offset_size, "names");
  if (made.dense.indexed) made.dense.order_index = read.address(offset_size, "order index");
  made.whole = read.good();
  made.encoded = read.at();
  return made;
}

}  // namespace

void link_rules(RuleList& list) {
  list.structure<kLinkRules, kLinkInfoRules, kAttributeInfoRule, kGroupInfoRule, kLinkMeaningRules,
                 kLinkFormRules, kLinkOrderRules, kAttributeOrderRule, kIndexedRule, kPhaseRule>();
}

std::optional<Link> read_link(const Region& message, Container& file) {
  const LinkFields fields = parse_link(message, file.offset_size);
  if (!judge<kLinkRules>(fields, message.place, file.notes) || !file.charge(fields.name_length))
    return std::nullopt;
  Link made{.name = text_of(fields.name),
            .utf8 = fields.has_charset() && fields.charset == 1,
            .hard = fields.type == kHard,
            .type = fields.type,
            .order = fields.order,
            .value = text_of(fields.value),
            .target = fields.target,
            .at = message.place,
            .name_at = fields.name.place};
  if (judge<kLinkMeaningRules>(fields, message.place, file.notes))
    judge_each<kLinkFormRules>(fields, message.place, file.notes);
  return made;
}

std::optional<ExternalTarget> external_target(const Link& link) {
  return link.type == Link::kExternal ? strings_of(link.value) : std::nullopt;
}

std::optional<Dense> read_link_info(const Region& message, Container& file) {
  const Info info = parse_info(message, 8, file.offset_size);
  if (!judge<kLinkInfoRules>(info, message.place, file.notes)) return std::nullopt;
  judge_each<kLinkOrderRules>(info.dense, message.place, file.notes);
  judge<kIndexedRule>(info.dense, message.place, file.notes);
  return info.dense;
}

std::optional<Dense> read_attribute_info(const Region& message, Container& file) {
  const Info info = parse_info(message, 2, file.offset_size);
  if (!judge<kAttributeInfoRule>(info, message.place, file.notes) ||
      !judge<kAttributePlaceRule>(info, message.place, file.notes))
    return std::nullopt;
  judge<kAttributeOrderRule>(info.dense, message.place, file.notes);
  judge<kIndexedRule>(info.dense, message.place, file.notes);
  return info.dense;
}

std::optional<GroupInfo> read_group_info(const Region& message, Container& file) {
  Cursor read(message);
  Info info{.version = read.u8("version"), .flags = read.u8("flags")};
  GroupInfo made;
  if ((info.flags & 1) != 0) {
    made.stated = true;
    made.max_compact = read.u16("max compact");
    made.min_dense = read.u16("min dense");
  }
  if ((info.flags & 2) != 0) read.take(4, "estimates");
  info.whole = read.good();
  made.encoded = read.at();
  if (!judge<kGroupInfoRule>(info, message.place, file.notes)) return std::nullopt;
  judge<kPhaseRule>(made, message.place, file.notes);
  return made;
}

std::uint64_t encoded_link(const Region& message, const Container& file) {
  return parse_link(message, file.offset_size).encoded;
}

std::uint64_t encoded_info(const Region& message, std::uint64_t order, const Container& file) {
  return parse_info(message, order, file.offset_size).encoded;
}

}  // namespace hepcheck::hdf5
