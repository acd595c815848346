#include "validator/formats/hdf5/cache_image.h"

#include <algorithm>
#include <array>
#include <format>
#include <unordered_map>
#include <vector>

#include "validator/counted.h"
#include "validator/formats/hdf5/pages.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

// --- The message --------------------------------------------------------------------------------

struct ImageMessage {
  std::uint8_t version = 0;
  std::uint64_t address = kUndefined, size = 0;
  bool whole = false;
};

constexpr Rule kImageMessageRule("h5-cache-image-message", [](const ImageMessage& it, Look& look) {
  look.looked();
  if (!it.whole)
    look.fail(0, "a message that ends before its last field", "an address and a length");
  else if (it.version != 0)
    look.fail(0, std::format("version {}", it.version), "version 0");
  else if (it.address == kUndefined)
    look.fail(1, "an undefined address of the image", "an address");
  else if (it.size == 0)
    look.fail(1, "an image of 0 bytes", "a length above 0");
});

struct ImageReach {
  const ImageMessage& message;
  const Container& file;
};

constexpr Rule kImageInsideRule("h5-cache-image-inside-file", [](const ImageReach& it, Look& look) {
  look.looked();
  if (!it.file.inside(it.message.address, it.message.size))
    look.fail(
        0, std::format("an image of {} bytes at address {}", it.message.size, it.message.address),
        std::format("an image that ends by {}, the end of the file", it.file.end));
});

// --- The image ----------------------------------------------------------------------------------

struct ImageHead {
  Region region;
  Summed sum;
  std::uint64_t wanted_size;
  std::uint8_t version = 0, flags = 0;
  std::uint64_t size = 0;
  std::uint32_t entries = 0;
  std::uint64_t entries_at = 0;
};

void image_signature(const ImageHead& it, Look& look) {
  look.looked();
  if (!it.region.begins("MDCI")) look.fail(0, "other bytes", "MDCI");
}

void image_checksum(const ImageHead& it, Look& look) {
  look.looked();
  if (!it.sum.good())
    look.fail(it.sum.at, std::format("checksum {:08x}", it.sum.stored),
              std::format("{:08x}, that of the bytes before it", it.sum.computed));
}

void image_version(const ImageHead& it, Look& look) {
  look.looked();
  if (it.version != 0)
    look.fail(4, std::format("version {}", it.version), "version 0");
  else if ((it.flags & 1) != 0)
    look.fail(5, std::format("flags {:#04x}: a resize status", it.flags), "bit 0 clear");
}

void image_length(const ImageHead& it, Look& look) {
  look.looked();
  if (it.size != it.wanted_size)
    look.fail(6, std::format("a length of {} bytes", it.size),
              std::format("{}, as in the message", it.wanted_size));
  else if (it.entries == 0)
    look.fail(it.entries_at, "0 entries", "one entry at least");
}

constexpr Rule<ImageHead> kImageRules[] = {
    {"h5-cache-image-signature", image_signature},
    {"h5-cache-image-checksum", image_checksum},
    {"h5-cache-image-version", image_version},
    {"h5-cache-image-length", image_length},
};

// --- Its entries --------------------------------------------------------------------------------

constexpr std::uint8_t kDirtyFlag = 1, kRecentFlag = 2, kParentFlag = 4, kChildFlag = 8;
constexpr std::uint8_t kKnownFlags = kDirtyFlag | kRecentFlag | kParentFlag | kChildFlag;
constexpr std::uint8_t kSuperblockType = 25, kLastType = 26;

struct ImageEntry {
  std::uint64_t at = 0;  // in the image
  std::uint8_t type = 0, flags = 0, ring = 0, age = 0;
  std::uint16_t children = 0, dirty_children = 0, stated_parents = 0;
  std::uint64_t address = kUndefined, size = 0;
  std::vector<std::uint64_t> parents{};
  Region bytes{};
  bool whole = false;
};

// The signature of the blocks of each type; empty if they have none, or are stored filtered.
constexpr std::array<std::string_view, kLastType + 1> kSignatures = {
    "TREE", "SNOD", "HEAP", "",     "GCOL", "",     "",     "BTHD", "BTIN",
    "BTLF", "FRHP", "",     "FHIB", "FSHD", "FSSE", "SMTB", "SMLI", "EAHD",
    "EAIB", "EASB", "EADB", "",     "FAHD", "FADB", "",     "",     ""};
constexpr std::uint8_t kHeaderType = 5;

bool looks_as_stated(const ImageEntry& it) {
  if (it.type == kHeaderType)
    return it.bytes.begins("OHDR") || (it.bytes.size() > 0 && it.bytes.bytes[0] == std::byte{1});
  return it.bytes.begins(kSignatures[it.type]);
}

struct ImageEntries {
  std::vector<ImageEntry> list{};
  std::uint32_t stated = 0;
  std::uint64_t end = 0, wanted_end = 0;  // of the last entry
  const Container& file;
};

void entries_fit(const ImageEntries& it, Look& look) {
  look.looked(it.stated);
  const bool whole = it.list.size() == it.stated && (it.list.empty() || it.list.back().whole);
  if (!whole) {
    const ImageEntry& last = it.list.back();
    look.fail(last.at,
              std::format("entry {} of {}: {} bytes for address {}, {} parents", it.list.size() - 1,
                          it.stated, last.size, last.address, last.stated_parents),
              "entries of a block each that end before the checksum");
  } else if (it.end != it.wanted_end) {
    look.fail(it.end, std::format("{} entries end at {}", it.stated, it.end),
              std::format("{}, where the checksum begins", it.wanted_end));
  }
}

void entry_kind(const ImageEntries& it, Look& look) {
  constexpr unsigned kLastRing = 5, kMostAge = 100;
  look.looked(it.list.size());
  for (const ImageEntry& each : it.list) {
    if (each.type > kLastType || !looks_as_stated(each))
      look.fail(each.at, std::format("an entry of type {}", each.type),
                "the type of the block that it holds");
    else if (each.ring < 1 || each.ring > kLastRing || each.age > kMostAge ||
             each.flags > kKnownFlags)
      look.fail(each.at,
                std::format("ring {}, age {}, flags {:#04x}", each.ring, each.age, each.flags),
                "a ring of 1 to 5, an age of 0 to 100, flags below 0x10");
    else if (each.dirty_children > each.children)
      look.fail(each.at, std::format("{} dirty children of {}", each.dirty_children, each.children),
                "no more than there are children");
  }
}

void entry_once(const ImageEntries& it, Look& look) {
  look.looked(it.list.size());
  std::vector<const ImageEntry*> sorted;
  for (const ImageEntry& each : it.list) sorted.push_back(&each);
  std::ranges::stable_sort(sorted, {}, &ImageEntry::address);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const ImageEntry& each = *sorted[i];
    if (!it.file.inside(each.address, each.size))
      look.fail(each.at, std::format("{} bytes for address {}", each.size, each.address),
                "a block inside the file");
    else if (i > 0 && sorted[i - 1]->address + sorted[i - 1]->size > each.address)
      look.fail(each.at, std::format("a block for address {} twice", each.address), "once");
  }
}

void entry_parents(const ImageEntries& it, Look& look) {
  look.looked(it.list.size());
  std::unordered_map<std::uint64_t, std::uint64_t> named;  // how often, by address
  for (const ImageEntry& each : it.list) {
    for (const std::uint64_t parent : each.parents) {
      const auto found = named.find(parent);
      if (found == named.end())
        return look.fail(each.at,
                         std::format("the parent {}, which no entry before it has", parent),
                         "the address of an earlier entry");
      ++found->second;
    }
    named.try_emplace(each.address, 0);
  }
  for (const ImageEntry& each : it.list) {
    const std::uint64_t children = named[each.address];
    if (each.children != children)
      return look.fail(each.at,
                       std::format("{} children, and {} entries that name it as parent",
                                   each.children, children),
                       std::format("{} children", children));
    if (((each.flags & kChildFlag) != 0) != !each.parents.empty() ||
        ((each.flags & kParentFlag) != 0) != (children > 0))
      return look.fail(each.at,
                       std::format("flags {:#04x} with {} parents and {} children", each.flags,
                                   each.parents.size(), children),
                       "flags that say whether there are parents and children");
  }
}

constexpr Rule kEntriesFit("h5-cache-image-entry-fits", entries_fit);
constexpr Rule<ImageEntries> kImageEntryRules[] = {
    {"h5-cache-image-entry-kind", entry_kind},
    {"h5-cache-image-entry-once", entry_once},
    {"h5-cache-image-parents", entry_parents},
};

// The entries, as far as the first one that does not fit. Each takes more than fourteen bytes.
void parse_entries(const Region& image, std::uint64_t at, ImageEntries& into) {
  Cursor read(image);
  read.skip(at);
  for (std::uint32_t i = 0; i < into.stated; ++i) {
    ImageEntry entry{.at = read.at(),
                     .type = read.u8("type"),
                     .flags = read.u8("flags"),
                     .ring = read.u8("ring"),
                     .age = read.u8("age"),
                     .children = read.u16("children"),
                     .dirty_children = read.u16("dirty children"),
                     .stated_parents = read.u16("stated parents")};
    read.take(4, "rank");  // the rank among the recently used ones
    entry.address = read.address(into.file.offset_size, "address");
    entry.size = read.number(into.file.length_size, "size");
    for (unsigned p = 0; p < entry.stated_parents && read.good(); ++p)
      entry.parents.push_back(read.address(into.file.offset_size, "parent"));
    entry.bytes = read.take(entry.size);
    name_contents(entry.bytes, "block");
    entry.whole = read.good() && entry.size > 0 && entry.address != kUndefined;
    into.list.push_back(std::move(entry));
    if (!into.list.back().whole) return;
  }
  into.end = read.at();
}

}  // namespace

void cache_image_rules(RuleList& list) {
  list.structure<kImageMessageRule, kImageInsideRule, kImageRules, kEntriesFit, kImageEntryRules>();
}

std::optional<CacheImage> read_cache_image(const Region& message, Container& file) {
  Cursor fields(message);
  ImageMessage stated{.version = fields.u8("version")};
  stated.address = fields.address(file.offset_size, "address");
  stated.size = fields.number(file.length_size, "size");
  stated.whole = fields.good();
  if (!judge<kImageMessageRule>(stated, message.place, file.notes)) return std::nullopt;
  CacheImage made{.address = stated.address, .damaged = true};
  const Place place = file.place("MDCI", stated.address);
  if (!judge<kImageInsideRule>(ImageReach{stated, file}, place, file.notes)) return made;
  if (stated.size > file.limits().block_bytes) {
    file.notes.not_examined("h5-cache-image-checksum",
                            "an image of the metadata cache that exceeds the limit of " +
                                counted(file.limits().block_bytes, "byte"));
    return made;
  }
  made.block = Block(stated.size, place);
  if (!file.read(stated.address, made.block.bytes())) return made;
  const Region image = made.block.region();
  Cursor read(image);
  read.take(4, "signature");
  ImageHead head{.region = image,
                 .sum = sum_of(image),
                 .wanted_size = stated.size,
                 .version = read.u8("version"),
                 .flags = read.u8("flags")};
  head.size = read.number(file.length_size, "size");
  head.entries_at = read.at();
  head.entries = read.u32("entries");
  if (!judge<kImageRules>(head, place, file.notes)) return made;
  file.accept("MDCI", stated.address, stated.size);
  const Region inside = image.part(0, image.size() - kChecksum);
  ImageEntries entries{.stated = head.entries, .wanted_end = inside.size(), .file = file};
  parse_entries(inside, read.at(), entries);
  if (!judge<kEntriesFit>(entries, place, file.notes) ||
      !judge<kImageEntryRules>(entries, place, file.notes))
    return made;
  for (const ImageEntry& each : entries.list)
    if (each.type < kSuperblockType) file.replace(each.address, each.bytes.bytes);
  made.damaged = false;
  return made;
}

}  // namespace hepcheck::hdf5
