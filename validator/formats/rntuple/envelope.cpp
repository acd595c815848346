#include "validator/formats/rntuple/envelope.h"

#include <xxhash.h>

#include <format>

#include "validator/formats/rntuple/rule.h"
#include "validator/worker_position.h"

namespace hepcheck::rntuple {

namespace {

// --- Chapter 6: locators in the file -------------------------------------------------------------

struct InFile {
  std::uint64_t offset, size, begin, limit;
};

constexpr Rule kInFile("rntuple-locator-in-file", [](const InFile& it, Look& look) {
  look.ask(
      it.begin <= it.offset && it.offset <= it.limit && it.size <= it.limit - it.offset,
      [&] { return std::format("{} bytes at {}", it.size, it.offset); },
      [&] { return std::format("bytes from {} to {}", it.begin, it.limit); });
});

// --- Chapter 7: envelopes ------------------------------------------------------------------------

struct EnvelopeLength {
  std::uint64_t length;
};
constexpr Rule kMinimum("rntuple-envelope-minimum", [](const EnvelopeLength& it, Look& look) {
  look.ask(it.length >= 16, [&] { return std::format("{} bytes", it.length); }, "16 bytes or more");
});

struct EnvelopeBytes {
  ByteSpan bytes;
  EnvelopeType type;

  std::uint64_t first() const { return load<std::uint64_t>(bytes.data()); }
};
constexpr Rule kEnvelopeChecksum("rntuple-envelope-checksum", [](const EnvelopeBytes& it,
                                                                 Look& look) {
  const std::uint64_t end = it.bytes.size() - 8;
  const auto stated = load<std::uint64_t>(it.bytes.data() + end);
  const std::uint64_t real = XXH3_64bits(it.bytes.data(), end);
  look.ask(
      stated == real, [&] { return std::format("{:#018x}", stated); },
      [&] { return std::format("{:#018x}, the XXH3 of the envelope", real); });
});

void envelope_type(const EnvelopeBytes& it, Look& look) {
  look.ask((it.first() & 0xFFFF) == static_cast<std::uint64_t>(it.type),
           [&] { return std::format("type {:#x}", it.first() & 0xFFFF); },
           [&] { return std::format("type {}", static_cast<int>(it.type)); });
}

void envelope_length(const EnvelopeBytes& it, Look& look) {
  look.ask(
      it.first() >> 16 == it.bytes.size(),
      [&] { return std::format("length {}", it.first() >> 16); },
      [&] { return std::format("{}, as the link says", it.bytes.size()); });
}

constexpr Rule<EnvelopeBytes> kPreamble[] = {
    {"rntuple-envelope-type", envelope_type},
    {"rntuple-envelope-length", envelope_length},
};

}  // namespace

Reach reach(Context& context, std::uint64_t offset, std::uint64_t size, const Place& at) {
  const RootFile& root = context.root;
  if (root.cut() && offset >= root.begin() && sum(offset, size) > root.limit() &&
      sum(offset, size) <= root.end()) {
    block<kInFile>("it lies behind the end of the file", {"rntuple-root-end-in-file"},
                   context.notes);
    return Reach::kUnread;
  }
  const InFile it{offset, size, root.begin(), root.limit()};
  return judge<kInFile>(it, at, context.notes) ? Reach::kThere : Reach::kOutside;
}

std::uint64_t Envelope::checksum() const {
  return load<std::uint64_t>(bytes.data() + bytes.size() - 8);
}

Envelope read_envelope(Context& context, const Extent& extent, EnvelopeType type,
                       std::uint32_t number, const Path& path) {
  Envelope made;
  now_at(Stage::kReading, path.text());
  const Place at{.path = &path, .byte = extent.seek};
  switch (reach(context, extent.seek, extent.size, at)) {
    case Reach::kThere: break;
    case Reach::kOutside: made.reason = "it is outside the file"; return made;
    case Reach::kUnread: made.reason = "it lies behind the end of the file"; return made;
  }
  made.stored = extent.size;
  if (!judge<kMinimum>(EnvelopeLength{extent.length}, at, context.notes)) {
    made.reason = "it is too short";
    return made;
  }
  const auto unread = [&](std::string reason) {
    made.reason = std::move(reason);
    context.incomplete = true;
    return made;
  };
  if (context.anchor.max_key_size > 0 && extent.size > context.anchor.max_key_size)
    return unread("a blob that is cut into several keys is not examined");
  if (extent.size > context.memory)
    return unread(std::format("an envelope of {} bytes exceeds the limit of memory", extent.size));
  std::vector<std::byte> stored(extent.size);
  if (!context.root.file().read(extent.seek, stored)) return unread("it cannot be read");
  Block block = scan_block(stored, extent.length);
  if (block.usable() && !block.raw) {
    if (extent.length > context.memory || !context.decoded.take(extent.length))
      return unread(std::format("decompressing {} bytes would exceed the limits of memory or time",
                                extent.length));
    made.bytes.resize(extent.length);
    decode_block(stored, made.bytes, block);
  } else if (block.raw) {
    made.bytes = std::move(stored);
    made.offset = extent.seek;
  }
  if (!judge_block(block, at, context.notes)) {
    if (block.fault == Block::Fault::kNotDecoded) return unread(block.observed);
    made.reason = "it cannot be decompressed";
    return made;
  }
  const EnvelopeBytes it{made.bytes, type};
  if (!judge<kEnvelopeChecksum>(it, at, context.notes)) {
    made.reason = "its checksum does not hold";
    return made;
  }
  made.usable = judge_each<kPreamble>(it, at, context.notes);
  // The range of an envelope that is broken is not to be believed either.
  if (made.usable)
    context.referenced.push_back({{extent.seek, extent.seek + extent.size},
                                  {static_cast<std::uint32_t>(type), number, 0, 0}});
  if (!made.usable) made.reason = "its preamble does not hold";
  return made;
}

void envelope_rules(RuleList& list) {
  list.structure<kInFile, kMinimum, kEnvelopeChecksum, kPreamble>();
}

}  // namespace hepcheck::rntuple
