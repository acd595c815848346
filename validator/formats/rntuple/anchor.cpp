#include "validator/formats/rntuple/anchor.h"

#include <xxhash.h>

#include <algorithm>
#include <format>
#include <vector>

#include "validator/formats/rntuple/block.h"
#include "validator/formats/rntuple/rule.h"
#include "validator/integers.h"

namespace hepcheck::rntuple {

namespace {

template <class T>
T from_big(ByteSpan bytes, std::size_t at) {
  return load<T>(bytes.data() + at, std::endian::big);
}

// Byte count and class version; epoch to patch and the extents of header and footer; the checksum.
constexpr std::uint64_t kClassPrefix = 6, kOldMembers = 56, kMembers = 64, kChecksum = 8;
constexpr std::uint32_t kCounted = 0x40000000;
constexpr std::uint16_t kFirstVersioned = 4, kFirstDraft = 5, kFirstKeySize = 6;
// An anchor is not larger, even with members that are still to come.
constexpr std::uint32_t kMostObject = 1 << 20;

// --- C.3: the record of the anchor ---------------------------------------------------------------

struct AnchorRecord {
  std::string fault{};
};

constexpr Rule kKeyRecord("rntuple-anchor-key-record", [](const AnchorRecord& it, Look& look) {
  look.ask(it.fault.empty(), it.fault, "a record with the header that the list of keys has");
});

std::string fault_of(const Key& listed, const std::optional<Key>& record, std::uint64_t limit) {
  if (!record) return std::format("no record at {}", listed.seek);
  if (record->bytes != listed.bytes || record->object != listed.object ||
      record->length != listed.length || record->seek != listed.seek ||
      record->class_name != listed.class_name || record->name != listed.name)
    return std::format("another record at {}", listed.seek);
  if (record->length != record->header)
    return std::format("fKeylen {} of a header of {} bytes", record->length, record->header);
  if (record->bytes < record->length)
    return std::format("fNbytes {} with fKeylen {}", record->bytes, record->length);
  if (sum(listed.seek, static_cast<std::uint64_t>(record->bytes)) > limit)
    return std::format("a record of {} bytes, of which {} are there", record->bytes,
                       limit - listed.seek);
  return {};
}

struct AnchorObject {
  ByteSpan bytes;
  std::uint16_t class_version = 0;
};

constexpr Rule kByteCount("rntuple-anchor-byte-count", [](const AnchorObject& it, Look& look) {
  const auto count = from_big<std::uint32_t>(it.bytes, 0);
  const auto size = static_cast<std::uint32_t>(it.bytes.size());
  const bool whole = count == (kCounted | (size - 4));
  const bool without = size >= 12 && count == (kCounted | (size - 12));
  const bool holds = it.class_version < kFirstDraft     ? whole
                     : it.class_version < kFirstKeySize ? whole || without
                                                        : without;
  look.ask(
      holds, [&] { return std::format("byte count {:#010x}", count); },
      [&] {
        return std::format("{:#010x} in an object of {} bytes of class version {}",
                           kCounted | (size - (it.class_version < kFirstDraft ? 4 : 12)), size,
                           it.class_version);
      });
});

constexpr Rule kAnchorMembers("rntuple-anchor-members", [](const AnchorObject& it, Look& look) {
  const std::uint64_t size = it.bytes.size();
  const std::uint64_t members =
      size < kClassPrefix + kChecksum ? 0 : size - kClassPrefix - kChecksum;
  const bool holds = it.class_version < kFirstDraft ? members == kOldMembers
                     : it.class_version < kFirstKeySize
                         ? members == kOldMembers || members == kMembers
                         : members >= kMembers;
  look.ask(
      holds, [&] { return std::format("{} bytes of members", members); },
      [&] {
        return std::format("{} bytes in class version {}",
                           it.class_version < kFirstDraft ? "56" : "64 or more", it.class_version);
      });
});

constexpr Rule kAnchorChecksum("rntuple-anchor-checksum", [](const AnchorObject& it, Look& look) {
  const std::uint64_t end = it.bytes.size() - kChecksum;
  const auto stated = from_big<std::uint64_t>(it.bytes, end);
  const std::uint64_t real = XXH3_64bits(it.bytes.data() + kClassPrefix, end - kClassPrefix);
  look.ask(
      stated == real, [&] { return std::format("{:#018x}", stated); },
      [&] { return std::format("{:#018x}, the XXH3 of the members", real); });
});

// --- Chapters 1 and 2: the version ---------------------------------------------------------------

std::string version_text(const Anchor& it) {
  return std::format("{}.{}.{}.{}", it.epoch, it.major, it.minor, it.patch);
}

constexpr Rule kEpoch("rntuple-version-epoch", [](const Anchor& it, Look& look) {
  look.ask(it.epoch <= 1, [&] { return "version " + version_text(it); }, "epoch 0 or 1");
});

constexpr Rule kAnchorClass("rntuple-anchor-class", [](const Anchor& it, Look& look) {
  look.ask(
      it.later_class ? it.epoch != 0 || it.major != 2 : it.epoch != 1,
      [&] {
        return std::format("class {} around version {}",
                           it.later_class ? "ROOT::RNTuple" : "ROOT::Experimental::RNTuple",
                           version_text(it));
      },
      [&] {
        return it.later_class ? "ROOT::Experimental::RNTuple around candidate 2"
                              : "ROOT::RNTuple around epoch 1";
      });
});

constexpr Rule kCandidate("rntuple-version-release-candidate", [](const Anchor& it, Look& look) {
  look.ask(
      it.major == 2, [&] { return "version " + version_text(it); },
      "0.2, the release candidate that this specification describes");
});

constexpr Rule kMaxKeySize("rntuple-dialect-max-key-size", [](const Anchor& it, Look& look) {
  look.ask(
      !it.later_draft() && it.member_bytes <= kOldMembers,
      [&] {
        return std::format("later draft: class version {}, anchor with maximum key size",
                           it.class_version);
      },
      "class version 4");
});

Anchor members_of(ByteSpan bytes, std::uint16_t class_version) {
  Anchor it{.class_version = class_version,
            .versioned = true,
            .epoch = from_big<std::uint16_t>(bytes, 6),
            .major = from_big<std::uint16_t>(bytes, 8),
            .minor = from_big<std::uint16_t>(bytes, 10),
            .patch = from_big<std::uint16_t>(bytes, 12)};
  std::size_t at = 14;
  for (std::uint64_t* number : {&it.header.seek, &it.header.size, &it.header.length,
                                &it.footer.seek, &it.footer.size, &it.footer.length}) {
    *number = from_big<std::uint64_t>(bytes, at);
    at += 8;
  }
  it.member_bytes = bytes.size() - kClassPrefix - kChecksum;
  if (it.member_bytes >= kMembers) it.max_key_size = from_big<std::uint64_t>(bytes, at);
  return it;
}

}  // namespace

std::string dialect_of(const Anchor& anchor) {
  if (!anchor.later_class && anchor.class_version < kFirstVersioned) return "release candidate 1";
  if (anchor.epoch == 0 && anchor.major == 2 && !anchor.later_class)
    return anchor.later_draft() ? "rc2-b or rc2-c" : "rc2-a";
  if (anchor.epoch == 0) return std::format("release candidate {}", anchor.major);
  return std::format("epoch {}", anchor.epoch);
}

AnchorRead read_anchor(const RootFile& root, const AnchorKey& at, const Path& path, Notes& notes) {
  using State = AnchorRead::State;
  AnchorRead made;
  const Key& listed = at.key;
  Place place{.path = &path, .byte = listed.seek};
  const std::uint64_t limit = root.limit();
  const std::uint64_t stated = listed.bytes < 0 ? 0 : static_cast<std::uint64_t>(listed.bytes);
  const std::uint64_t end = sum(listed.seek, stated);
  if (root.cut() && end > limit && end <= root.end()) {
    made.state = State::kUnread;
    made.reason = "the anchor lies behind the end of the file";
    made.stopped_by = "rntuple-root-end-in-file";
    return made;
  }
  std::vector<std::byte> bytes;
  if (listed.seek >= root.begin() && listed.seek < limit)
    bytes.resize(std::min<std::uint64_t>({limit - listed.seek, std::uint64_t{1} << 21}));
  if (!bytes.empty() && !root.file().read(listed.seek, bytes)) bytes.clear();
  made.stopped_by = "rntuple-anchor-key-record";
  const std::optional<Key> record = read_key(bytes);
  const AnchorRecord seen{fault_of(listed, record, limit)};
  if (!judge<kKeyRecord>(seen, place, notes)) return made;
  const std::uint64_t size = stated - listed.length;
  if (listed.object > kMostObject || stated > bytes.size()) {
    made.state = State::kUnread;
    made.reason = std::format("an anchor of {} bytes is beyond the limits", listed.object);
    return made;
  }
  const ByteSpan stored = ByteSpan(bytes).subspan(listed.length, size);
  std::vector<std::byte> object(listed.object);
  place.byte = listed.seek + listed.length;
  Block block = scan_block(stored, object.size());
  if (block.usable()) decode_block(stored, object, block);
  made.stopped_by = "rntuple-block-decodes";
  if (!judge_block(block, place, notes)) {
    if (block.fault == Block::Fault::kNotDecoded) {
      made.state = State::kUnread;
      made.reason = block.observed;
    }
    return made;
  }
  AnchorObject it{object};
  if (object.size() >= kClassPrefix) it.class_version = from_big<std::uint16_t>(object, 4);
  const bool later = listed.class_name == "ROOT::RNTuple";
  if (!later && object.size() >= kClassPrefix && it.class_version < kFirstVersioned) {
    made.state = State::kUnsupported;
    made.anchor.class_version = it.class_version;
    made.dialect = dialect_of(made.anchor);
    return made;
  }
  if (later && object.size() >= kClassPrefix + kOldMembers + kChecksum) {
    Anchor anchor = members_of(object, it.class_version);
    anchor.later_class = true;
    made.anchor = anchor;
    made.stopped_by = "rntuple-anchor-class";
    if (!judge<kAnchorClass>(anchor, place, notes)) return made;
    if (anchor.epoch == 0) judge<kCandidate>(anchor, place, notes);
    made.state = State::kUnsupported;
    made.dialect = dialect_of(anchor);
    return made;
  }
  made.stopped_by = "rntuple-anchor-byte-count";
  if (object.size() >= kClassPrefix && !judge<kByteCount>(it, place, notes)) return made;
  made.stopped_by = "rntuple-anchor-members";
  if (!judge<kAnchorMembers>(it, place, notes)) return made;
  made.stopped_by = "rntuple-anchor-checksum";
  if (!judge<kAnchorChecksum>(it, place, notes)) return made;
  made.anchor = members_of(object, it.class_version);
  made.stopped_by = "rntuple-version-epoch";
  if (!judge<kEpoch>(made.anchor, place, notes)) return made;
  made.stopped_by = "rntuple-anchor-class";
  if (!judge<kAnchorClass>(made.anchor, place, notes)) return made;
  judge<kCandidate>(made.anchor, place, notes);
  if (made.anchor.epoch != 0 || made.anchor.major != 2) {
    made.state = State::kUnsupported;
    made.dialect = dialect_of(made.anchor);
    return made;
  }
  judge<kMaxKeySize>(made.anchor, place, notes);
  made.state = State::kUsable;
  return made;
}

void anchor_rules(RuleList& list) {
  list.structure<kKeyRecord, kByteCount, kAnchorMembers, kAnchorChecksum, kEpoch, kAnchorClass,
                 kCandidate, kMaxKeySize>();
}

}  // namespace hepcheck::rntuple
