#include "validator/formats/hdf5/driver.h"

#include <algorithm>
#include <array>
#include <format>
#include <optional>
#include <set>
#include <vector>

#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::uint64_t kBlockHead = 16, kNameSize = 8;
// The six kinds of data of a multi driver; the first is the superblock.
constexpr std::size_t kDriverKinds = 6;

// --- What is judged -----------------------------------------------------------------------------

struct DriverReach {
  std::uint64_t address, size, file_size;  // from the first byte of the file

  bool inside() const { return address <= file_size && size <= file_size - address; }
};

constexpr Rule kDriverReachRule("h5-driver-block-inside-file", [](const DriverReach& it,
                                                                  Look& look) {
  look.looked();
  if (!it.inside())
    look.fail(0, std::format("a block of {} bytes", it.size),
              std::format("a block that ends in the file of {} bytes", it.file_size));
});

struct DriverVersion {
  std::uint8_t version;
};

void driver_version(const DriverVersion& it, Look& look) {
  look.looked();
  if (it.version != 0) look.fail(0, std::format("version {}", it.version), "version 0");
}

constexpr Rule kBlockVersionRule("h5-driver-block-version", driver_version);
constexpr Rule kMessageVersionRule("h5-driver-message-version", driver_version);

struct DriverMessage {
  std::uint64_t size;
  std::uint16_t stated;
  bool whole;
};

constexpr Rule kMessageFitsRule("h5-driver-message-fits", [](const DriverMessage& it, Look& look) {
  look.looked();
  if (!it.whole)
    look.fail(0, std::format("{} bytes of information in a message of {}", it.stated, it.size),
              "a message that holds them");
  else if (it.stated == 0)
    look.fail(9, "0 bytes of information", "one byte at least");
});

// The information of a driver, wherever it stands.
struct DriverContent {
  const std::string& name;
  Region content;

  bool multi() const { return name == "NCSAmult"; }
  bool family() const { return name == "NCSAfami"; }
  // Where the data of a kind goes, from 1; a byte of 0 means the kind itself.
  std::uint64_t map(std::uint64_t kind) const {
    const auto stated = std::to_integer<std::uint64_t>(content.bytes[kind]);
    return stated == 0 ? kind + 1 : stated;
  }
  bool map_sound() const {
    if (content.size() < 8) return false;
    for (std::uint64_t i = 0; i < kDriverKinds; ++i)
      if (map(i) > kDriverKinds || map(map(i) - 1) != map(i)) return false;
    return true;
  }
};

void identification(const DriverContent& it, Look& look) {
  look.looked();
  const bool printable =
      std::ranges::all_of(it.name, [](char c) { return c >= 0x20 && c <= 0x7e; });
  if (!printable)
    look.fail(0, "a name with a byte that is not a printable ASCII character",
              "eight ASCII characters");
  else if (it.name.starts_with("NCSA") && !it.multi() && !it.family())
    look.fail(0, std::format("the driver \"{}\"", it.name), "NCSAfami or NCSAmult");
}

void multi_map(const DriverContent& it, Look& look) {
  if (!it.multi()) return;
  look.looked();
  if (it.content.size() < 8)
    return look.fail(0, std::format("{} bytes of information", it.content.size()),
                     "a map of 8 bytes");
  std::string text;
  for (std::uint64_t i = 0; i < kDriverKinds; ++i)
    text += std::format(" {}", std::to_integer<unsigned>(it.content.bytes[i]));
  if (!it.map_sound())
    look.fail(0, "the map" + text,
              "numbers from 0 to 6, and each kind that receives data sent to itself");
}

// The members: a start and an end each, then a name each.
void multi_members(const DriverContent& it, Look& look) {
  if (!it.multi() || !it.map_sound()) return;
  look.looked();
  std::vector<std::uint64_t> members;  // in the order in which they first occur
  for (std::uint64_t i = 0; i < kDriverKinds; ++i)
    if (!std::ranges::contains(members, it.map(i))) members.push_back(it.map(i));
  Cursor read(it.content);
  read.skip(8);
  std::set<std::uint64_t> starts;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::uint64_t at = read.at(), start = read.u64("start");
    read.skip(8);
    if (!read.good())
      return look.fail(at, std::format("{} bytes of information", it.content.size()),
                       std::format("start and end of {} members", members.size()));
    if (i == 0 && start != 0)
      return look.fail(at, std::format("the superblock in a member that starts at {}", start),
                       "a start of 0");
    if (!starts.insert(start).second)
      return look.fail(at, std::format("two members that start at {}", start),
                       "a start for each member");
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Region rest = it.content.part(read.at());
    const auto zero = std::ranges::find(rest.bytes, std::byte{0});
    const auto length = static_cast<std::uint64_t>(zero - rest.bytes.begin());
    if (zero == rest.bytes.end() || rounded_up(length + 1, 8) > rest.size())
      return look.fail(read.at(), std::format("name {} does not end in the information", i),
                       "a name that ends with NUL, padded to a multiple of 8");
    const Region padding = rest.part(length, rounded_up(length + 1, 8) - length);
    if (length == 0 ||
        std::ranges::any_of(padding.bytes, [](std::byte b) { return b != std::byte{0}; }))
      return look.fail(read.at(), std::format("name {} of {} bytes, not padded", i, length),
                       "a name that ends with NUL, padded to a multiple of 8");
    read.skip(rounded_up(length + 1, 8));
  }
}

void family_size(const DriverContent& it, Look& look) {
  if (!it.family()) return;
  look.looked();
  Cursor read(it.content);
  const std::uint64_t size = read.u64("size");
  if (!read.good())
    look.fail(0, std::format("{} bytes of information", it.content.size()), "8 bytes");
  else if (size == 0)
    look.fail(0, "members of 0 bytes", "a size above 0");
}

constexpr Rule<DriverContent> kDriverContentRules[] = {
    {"h5-driver-identification", identification},
    {"h5-driver-multi-map", multi_map},
    {"h5-driver-multi-members", multi_members},
    {"h5-driver-family-size", family_size},
};

std::string letters(const Region& region) {
  return {reinterpret_cast<const char*>(region.bytes.data()), region.bytes.size()};
}

}  // namespace

void driver_rules(RuleList& list) {
  list.structure<kDriverReachRule, kBlockVersionRule, kMessageVersionRule, kMessageFitsRule,
                 kDriverContentRules>();
}

Driver read_driver_block(std::uint64_t address, Container& file) {
  // More is never needed; the names of members are short.
  constexpr std::uint64_t kMostContent = std::uint64_t{1} << 20;
  const Place place = file.place("driver information", address);
  const std::uint64_t file_size = file.file().size();
  DriverReach reach{sum(file.base, address), kBlockHead, file_size};
  Driver made;
  if (!reach.inside()) {
    judge<kDriverReachRule>(reach, place, file.notes);
    return made;
  }
  Block head(kBlockHead, place);
  if (!file.read(address, head.bytes())) return made;
  Cursor read(head.region());
  const DriverVersion version{read.u8("version")};
  read.take(3, "reserved");
  const std::uint32_t stated = read.u32("stated");
  made.name = letters(read.take(kNameSize, "name"));
  reach.size = kBlockHead + stated;
  if (!judge<kDriverReachRule>(reach, place, file.notes)) return {};
  file.accept("driver information", address, reach.size);
  if (!judge<kBlockVersionRule>(version, place, file.notes)) return made;
  Block content(std::min<std::uint64_t>(stated, kMostContent),
                file.place("driver information", address, kBlockHead));
  if (!file.read(address + kBlockHead, content.bytes())) return made;
  name_contents(content.region(), "information");
  const DriverContent judged{made.name, content.region()};
  judge<kDriverContentRules>(judged, judged.content.place, file.notes);
  return made;
}

Driver read_driver_message(const Region& message, Container& file) {
  Cursor read(message);
  const DriverVersion version{read.u8("version")};
  Driver made{letters(read.take(kNameSize, "name"))};
  const std::uint16_t stated = read.u16("stated");
  const Region content = read.take(stated);
  name_contents(content, "information");
  const DriverMessage whole{message.size(), stated, read.good()};
  made.encoded = read.at();
  if (made.name.size() < kNameSize) made.name.clear();
  if (!judge<kMessageVersionRule>(version, message.place, file.notes) ||
      !judge<kMessageFitsRule>(whole, message.place, file.notes))
    return made;
  const DriverContent judged{made.name, content};
  judge<kDriverContentRules>(judged, judged.content.place, file.notes);
  return made;
}

}  // namespace hepcheck::hdf5
