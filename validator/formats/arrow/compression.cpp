#include "validator/formats/arrow/compression.h"

#include <algorithm>
#include <format>

#include "validator/codec/codec.h"
#include "validator/formats/arrow/rule.h"
#include "validator/shortage.h"

namespace hepcheck::arrow {

namespace {

constexpr std::uint32_t kLz4Magic = 0x184D2204, kZstdMagic = 0xFD2FB528;
constexpr std::uint64_t kPrefix = 8;

// --- Message.fbs ---------------------------------------------------------------------------------

struct Prefix {
  Codec codec;
  ByteSpan buffer;
  std::int64_t stated;  // of a buffer that has one

  ByteSpan frame() const { return buffer.subspan(kPrefix); }
};

constexpr Rule kPresent("arrow-compression-prefix-present", [](const Prefix& it, Look& look) {
  look.ask(
      it.buffer.size() >= kPrefix, [&] { return std::format("{} bytes", it.buffer.size()); },
      "none, or 8 and more: the uncompressed length");
});

constexpr Rule kLengthValid("arrow-compression-length-valid", [](const Prefix& it, Look& look) {
  look.ask(
      it.stated >= -1, [&] { return std::format("an uncompressed length of {}", it.stated); },
      "-1, 0 or more");
});

void begins_with(const Prefix& it, std::uint32_t magic, Look& look) {
  const ByteSpan frame = it.frame();
  const std::uint32_t first = frame.size() >= 4 ? load<std::uint32_t>(frame.data()) : 0;
  look.ask(
      frame.size() >= 4 && first == magic,
      [&] {
        return frame.size() < 4 ? std::format("{} bytes of data", frame.size())
                                : std::format("data that begin with {:#010x}", first);
      },
      [&] { return std::format("a frame, which begins with {:#010x}", magic); });
}

void lz4_frame(const Prefix& it, Look& look) {
  if (it.codec == Codec::kLz4Frame) begins_with(it, kLz4Magic, look);
}
void zstd_frame(const Prefix& it, Look& look) {
  if (it.codec == Codec::kZstd) begins_with(it, kZstdMagic, look);
}

struct Decoding {
  const Prefix& prefix;
  const codec::Decoded& frame;

  ByteSpan behind() const { return prefix.frame().subspan(frame.taken); }
};

void decodes(const Decoding& it, Look& look) {
  look.ask(
      it.frame.error.empty(),
      [&] { return std::format("{} after {} bytes", it.frame.error, it.frame.size); },
      "data that decode");
}

void one_frame(const Decoding& it, Look& look) {
  if (it.prefix.codec != Codec::kLz4Frame || !it.frame.ended) return;
  const ByteSpan behind = it.behind();
  look.ask(
      behind.size() < 4 || load<std::uint32_t>(behind.data()) != kLz4Magic,
      [&] { return std::format("another frame after {} bytes", it.frame.taken); },
      "a single frame");
}

void size_exact(const Decoding& it, Look& look) {
  const auto stated = static_cast<std::uint64_t>(it.prefix.stated);
  look.ask(
      it.frame.ended && it.frame.size == stated,
      [&] {
        return std::format("{}{} bytes", it.frame.ended ? "" : "more than ",
                           it.frame.ended ? it.frame.size : stated);
      },
      [&] { return std::format("{} bytes, as the prefix says", stated); });
}

void no_trailing_bytes(const Decoding& it, Look& look) {
  look.ask(
      it.behind().empty(), [&] { return std::format("{} bytes more", it.behind().size()); },
      "nothing after the frame");
}

constexpr Rule<Prefix> kFrames[] = {{"arrow-compression-lz4-frame", lz4_frame},
                                    {"arrow-compression-zstd-frame", zstd_frame}};
constexpr Rule<Decoding> kDecoding[] = {
    {"arrow-compression-decodes", decodes},
    {"arrow-compression-lz4-one-frame", one_frame},
    {"arrow-compression-size-exact", size_exact},
    {"arrow-compression-no-trailing-bytes", no_trailing_bytes},
};

}  // namespace

Decompressed decompress(ByteSpan buffer, Codec codec, std::uint64_t most, Slab* output,
                        const Place& at, Notes& notes) {
  using State = Decompressed::State;
  Prefix prefix{codec, buffer, 0};
  if (!judge<kPresent>(prefix, at, notes)) return {};
  prefix.stated = load<std::int64_t>(buffer.data());
  if (!judge<kLengthValid>(prefix, at, notes)) return {};
  if (prefix.stated == -1) return {.state = State::kUsable, .stored = true};
  if (prefix.stated == 0 && prefix.frame().empty()) return {.state = State::kUsable};
  if (!judge<kFrames>(prefix, at, notes)) return {};
  const auto stated = static_cast<std::uint64_t>(prefix.stated);
  // A frame that states too much may be broken, or far smaller: decoding its beginning tells.
  constexpr std::uint64_t kLook = std::uint64_t{16} << 20;
  const bool fits = stated <= most;
  const codec::Wanted wanted{fits ? stated + 1 : std::min(most, kLook), fits ? output : nullptr};
  const auto too_much = [&](std::uint64_t decoded) -> Decompressed {
    record_memory_shortage();
    block<kDecoding>(at.object() + ": decompressing it would exceed the limits of memory or time",
                     {}, notes);
    return {.state = State::kTooMuch, .decoded = decoded};
  };
  if (wanted.most == 0) return too_much(0);
  const codec::Decoded frame = codec == Codec::kLz4Frame ? codec::lz4_frame(prefix.frame(), wanted)
                                                         : codec::zstd(prefix.frame(), wanted);
  if (!fits && !frame.ended && frame.error.empty()) return too_much(frame.size);
  if (!judge<kDecoding>(Decoding{prefix, frame}, at, notes)) return {.decoded = frame.size};
  return {.state = State::kUsable, .size = frame.size, .decoded = frame.size};
}

void block_compression(const std::string& reason, const std::vector<std::string_view>& by,
                       Notes& notes) {
  block<kPresent, kLengthValid, kFrames, kDecoding>(reason, by, notes);
}

void compression_rules(RuleList& list) {
  list.values<kPresent, kLengthValid, kFrames, kDecoding>();
}

}  // namespace hepcheck::arrow
