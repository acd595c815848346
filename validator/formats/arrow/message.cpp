#include "validator/formats/arrow/message.h"

#include <algorithm>
#include <format>

#include "validator/formats/arrow/rule.h"
#include "validator/formats/arrow/schema_rules.h"
#include "validator/incoming.h"

namespace hepcheck::arrow {

namespace {

constexpr std::uint32_t kContinuation = 0xFFFFFFFF;

// --- Chapter 4.1 ---------------------------------------------------------------------------------

// A position where a message may begin.
struct Boundary {
  std::uint64_t rest;  // bytes of the input from here
  std::uint32_t word;  // the first four bytes; 0 if there are fewer
  bool old_framing;    // the word may be the size of the metadata
  bool after_continuation;
};

void prefix_complete(const Boundary& it, Look& look) {
  look.ask(
      it.rest >= 8 || (it.rest >= 4 && it.word != kContinuation),
      [&] { return std::format("{} bytes at the end of the stream", it.rest); },
      "no more bytes, or a whole prefix");
}

void continuation(const Boundary& it, Look& look) {
  look.ask(
      it.word == kContinuation || it.word == 0 || it.old_framing,
      [&] { return std::format("{:#010x}", it.word); }, "the continuation indicator 0xffffffff");
}

constexpr Rule kMarkerRule("arrow-stream-eos-eight-bytes", [](const Boundary& it, Look& look) {
  const bool long_marker = it.word == kContinuation;
  if (!it.after_continuation) return;
  look.ask(long_marker, "the marker 00000000 after messages with continuation",
           "the marker ffffffff 00000000");
});

// Four zero bytes where a message of a stream could begin.
struct ZeroWord {
  std::uint64_t rest;  // bytes of the input from here, if they are few
  std::uint32_t next;  // the four bytes behind them
};

constexpr Rule kNotZeros("arrow-stream-end-not-zeros", [](const ZeroWord& it, Look& look) {
  look.ask(it.rest <= 8 || it.next != 0, "zeros where messages could be, and no end of the stream",
           "a message, or the marker of the end of the stream");
});

struct MetadataSize {
  std::int64_t size;
  std::uint64_t at, prefix, end;
};

constexpr Rule kSizePositive("arrow-message-metadata-size-positive", [](const MetadataSize& it,
                                                                        Look& look) {
  look.ask(
      it.size >= 0, [&] { return std::format("a metadata size of {}", it.size); }, "0 or more");
});

constexpr Rule kInInput("arrow-message-metadata-in-input", [](const MetadataSize& it, Look& look) {
  const std::uint64_t left = it.end - it.at - it.prefix;
  look.ask(
      static_cast<std::uint64_t>(it.size) <= left,
      [&] { return std::format("{} bytes of metadata where {} are left", it.size, left); },
      "metadata inside the input");
});

constexpr Rule kPadded("arrow-message-metadata-padded", [](const MetadataSize& it, Look& look) {
  look.ask(
      (it.prefix + static_cast<std::uint64_t>(it.size)) % 8 == 0,
      [&] { return std::format("a prefix of {} and {} bytes of metadata", it.prefix, it.size); },
      "a multiple of 8 bytes");
});

struct FramingOf {
  bool old;
};

constexpr Rule kFraming("arrow-message-continuation-present", [](const FramingOf& it, Look& look) {
  look.ask(!it.old, "a message with a prefix of 4 bytes",
           "the continuation indicator before the size");
});

struct Version {
  std::int16_t version;
};

std::string version_name(std::int16_t version) { return std::format("V{}", version + 1); }

constexpr Rule kReadable("arrow-message-version-readable", [](const Version& it, Look& look) {
  look.ask(
      it.version == kV4 || it.version == kV5,
      [&] { return std::format("metadata version {} ({})", it.version, version_name(it.version)); },
      "3 (V4) or 4 (V5)");
});

struct Uniform {
  std::int16_t first, version;
};

constexpr Rule kUniform("arrow-message-version-uniform", [](const Uniform& it, Look& look) {
  look.ask(
      it.version == it.first,
      [&] { return std::format("{} after {}", version_name(it.version), version_name(it.first)); },
      "one version for all messages");
});

struct HeaderTag {
  unsigned tag;
};

void header_present(const HeaderTag& it, Look& look) {
  look.ask(it.tag != 0, "a message without a header", "a header");
}

void header_known(const HeaderTag& it, Look& look) {
  look.ask(it.tag <= kKnownHeaders, [&] { return std::format("header {}", it.tag); }, "1 to 5");
}

void message_kinds(const HeaderTag& it, Look& look) {
  look.ask(
      it.tag <= static_cast<unsigned>(Header::kRecordBatch),
      [&] {
        return it.tag == static_cast<unsigned>(Header::kTensor) ? "a Tensor message"
                                                                : "a SparseTensor message";
      },
      "DictionaryBatch and RecordBatch messages after the Schema");
}

constexpr Rule kBodyLength("arrow-message-body-length-not-negative", [](const Message& it,
                                                                        Look& look) {
  look.ask(
      it.body_length >= 0, [&] { return std::format("a body of {} bytes", it.body_length); },
      "0 or more");
});

void body_padded(const Message& it, Look& look) {
  look.ask(
      it.body_length % 8 == 0, [&] { return std::format("a body of {} bytes", it.body_length); },
      "a multiple of 8 bytes");
}

void schema_no_body(const Message& it, Look& look) {
  if (it.header != Header::kSchema) return;
  look.ask(
      it.body_length == 0, [&] { return std::format("a body of {} bytes", it.body_length); },
      "no body");
}

struct BodyExtent {
  const Message& message;
  std::uint64_t end;
};

constexpr Rule kBodyInside("arrow-message-body-in-input", [](const BodyExtent& it, Look& look) {
  const auto length = static_cast<std::uint64_t>(it.message.body_length);
  const std::uint64_t left = it.end - std::min(it.end, it.message.body_at);
  look.ask(
      length <= left,
      [&] { return std::format("a body of {} bytes where {} are left", length, left); },
      "a body inside the input");
});

constexpr Rule<Boundary> kBoundary[] = {{"arrow-message-prefix-complete", prefix_complete},
                                        {"arrow-message-continuation", continuation}};
constexpr Rule<HeaderTag> kHeaderRules[] = {{"arrow-message-header-present", header_present},
                                            {"arrow-message-header-known", header_known},
                                            {"arrow-stream-message-kinds", message_kinds}};
constexpr Rule<Message> kBodyPadded[] = {{"arrow-message-body-padded", body_padded},
                                         {"arrow-schema-message-no-body", schema_no_body}};

}  // namespace

Path Message::path() const {
  switch (header) {
    case Header::kSchema: return {.kind = "schema"};
    case Header::kDictionaryBatch: return {.kind = "dictionary", .index = number};
    case Header::kRecordBatch: return {.kind = "batch", .index = number};
    default: return {.kind = "message", .index = number};
  }
}

SharedBytes read_bytes(const Bytes& file, std::uint64_t at, std::uint64_t size) {
  auto bytes = std::make_shared<std::vector<std::byte>>(size);
  return file.read(at, *bytes) ? bytes : nullptr;
}

Table header_of(const SharedBytes& metadata) {
  return Table::root(*metadata).table(message::kHeader);
}

MessageLimits message_limits(const Limits& limits) {
  return {.metadata = limits.block_bytes, .tables = 4 * limits.objects};
}

VerifyLimits verify_limits(const MessageLimits& limits, std::uint64_t size) {
  constexpr std::uint64_t kTexts = std::uint64_t{256} << 20;
  return {.tables = std::min(limits.tables, product(8, size)),
          .texts = sum(kTexts, product(16, size))};
}

bool read_message(const SharedBytes& metadata, const MessageLimits& limits, Message& message,
                  Notes& notes) {
  const Path path = message.path();
  const Place place{.path = &path, .byte = message.metadata_at()};
  const Table root = verify_root(*metadata, place, notes);
  if (!root.present() || !verify_scalar(root, message::kVersion, 2, place, notes)) return false;
  message.version = root.get<std::int16_t>(message::kVersion);
  if (!judge<kReadable>(Version{message.version}, place, notes)) return false;
  const VerifyLimits most = verify_limits(limits, metadata->size());
  switch (verify(*metadata, kMessageShape, most, place, notes)) {
    case Soundness::kBroken: return false;
    case Soundness::kTooMuch:
      notes.blocked(
          "arrow-fb-offset-in-bounds",
          path.text() +
              ": its tables are nested too deeply, or its tables and strings are shared too often");
      return false;
    case Soundness::kSound: break;
  }
  const unsigned tag = root.get<std::uint8_t>(message::kHeaderTag);
  message.header = tag <= kKnownHeaders ? static_cast<Header>(tag) : Header::kNone;
  message.body_length = root.get<std::int64_t>(message::kBodyLength);
  return true;
}

MessageWalk::MessageWalk(const Bytes& file, std::uint64_t begin, std::uint64_t end, bool cut,
                         const Limits& limits, Notes& notes)
    : file_(file), at_(begin), end_(end), cut_(cut), limits_(message_limits(limits)),
      notes_(notes) {}

std::uint64_t MessageWalk::end_behind(std::uint64_t at, std::uint64_t size) const {
  if (Incoming* const incoming = file_.incoming()) incoming->reach(sum(at, size));
  return end();
}

std::uint32_t MessageWalk::word(std::uint64_t at) const {
  std::byte bytes[4] = {};
  const std::uint64_t end = end_behind(at, 4);
  return at <= end && end - at >= 4 && file_.read(at, bytes) ? load<std::uint32_t>(bytes) : 0;
}

// A positive word where a message should begin: the size of its metadata, if they look valid. In a
// file without continuation indicators there is no other evidence.
bool MessageWalk::old_framing(std::uint32_t word) const {
  if (word > 0x7FFFFFFF || word > file_.size()) return false;
  return !continuation_ || reads_as_message(at_, word);
}

// In the legacy framing.
bool MessageWalk::reads_as_message(std::uint64_t at, std::uint32_t size) const {
  if (size > limits_.metadata || size > end_behind(at + 4, size) - at - 4) return false;
  const SharedBytes metadata = read_bytes(file_, at + 4, size);
  if (!metadata) return false;
  const Notes::Silence silence(notes_);
  Message message{.at = at, .prefix = 4, .size = size};
  return read_message(metadata, limits_, message, notes_);
}

MessageWalk::Step MessageWalk::prefix() {
  const std::uint64_t end = end_behind(at_, 8);
  if (at_ == end) return Step::kEnd;
  std::optional<Notes::Silence> silence;
  if (cut_) silence.emplace(notes_);
  const std::uint64_t rest = end - at_;
  const std::uint32_t first = word(at_);
  const Boundary boundary{rest, first, first != kContinuation && first != 0 && old_framing(first),
                          continuation_};
  const Path path{.kind = "message", .index = messages_};
  const Place place{.path = &path, .byte = at_};
  if (!judge<kBoundary>(boundary, place, notes_)) return Step::kBroken;
  message_ = {.at = at_, .prefix = first == kContinuation ? 8u : 4u, .number = messages_};
  const auto stated = static_cast<std::int32_t>(first == kContinuation ? word(at_ + 4) : first);
  const std::uint64_t wanted = static_cast<std::uint64_t>(std::max(0, stated));
  const MetadataSize size{stated, at_, message_.prefix, end_behind(message_.metadata_at(), wanted)};
  if (!judge<kSizePositive>(size, place, notes_)) return Step::kBroken;
  if (stated == 0) {
    if (first == 0 && !cut_ && end_ >= file_.size()) {
      const std::uint64_t left = end_behind(at_, 12) - at_;
      zeros_ = !judge<kNotZeros>(ZeroWord{left, word(at_ + 4)}, place, notes_);
    }
    if (began() && !zeros_) judge_each<kMarkerRule>(boundary, place, notes_);
    at_ += message_.prefix;
    return Step::kMarker;
  }
  if (!judge<kInInput>(size, place, notes_)) return Step::kBroken;
  message_.size = static_cast<std::uint64_t>(stated);
  message_.body_at = message_.metadata_at() + message_.size;
  silence.reset();
  judge_each<kPadded>(size, place, notes_);
  return Step::kMessage;
}

MessageWalk::Step MessageWalk::next() {
  const Step step = stopped_ ? Step::kBroken : prefix();
  if (step != Step::kMessage) return step;
  const Path path{.kind = "message", .index = messages_};
  if (message_.size > limits_.metadata ||
      !(metadata_ = read_bytes(file_, message_.metadata_at(), message_.size))) {
    notes_.blocked("arrow-fb-root-in-bounds", std::format("{}: {} bytes of metadata are not read",
                                                          path.text(), message_.size));
    return Step::kBroken;
  }
  return content() ? Step::kMessage : Step::kBroken;
}

bool MessageWalk::content() {
  const Path unnamed{.kind = "message", .index = messages_};
  const Place start{.path = &unnamed, .byte = message_.at};
  const bool is_old = message_.prefix == 4;
  if (!began() || (is_old && !old_)) judge_each<kFraming>(FramingOf{is_old}, start, notes_);
  (is_old ? old_ : continuation_) = true;
  if (!read_message(metadata_, limits_, message_, notes_)) return false;
  ++messages_;
  if (!first_version_) first_version_ = message_.version;
  const Table root = Table::root(*metadata_);
  judge<kHeaderRules>(HeaderTag{root.get<std::uint8_t>(message::kHeaderTag)}, start, notes_);
  number();
  const Path path = message_.path();
  const Place place{.path = &path, .byte = message_.at};
  judge_each<kUniform>(Uniform{*first_version_, message_.version}, place, notes_);
  const bool batch =
      message_.header == Header::kRecordBatch || message_.header == Header::kDictionaryBatch;
  judge_metadata(read_metadata(root.vector(message::kCustomMetadata)), path, message_.metadata_at(),
                 notes_, batch ? kExperimentalCompression : "");
  const bool goes_on = judge<kBodyLength>(message_, place, notes_);
  message_.body_inside = goes_on;
  if (goes_on) {
    judge_each<kBodyPadded>(message_, place, notes_);
    std::optional<Notes::Silence> silence;
    if (cut_) silence.emplace(notes_);
    const auto length = static_cast<std::uint64_t>(message_.body_length);
    const BodyExtent extent{message_, end_behind(message_.body_at, length)};
    message_.body_inside = judge<kBodyInside>(extent, place, notes_);
  }
  stopped_ = !message_.body_inside;
  if (!stopped_) at_ = behind();
  return true;
}

void MessageWalk::number() {
  if (message_.header == Header::kRecordBatch) message_.number = batches_++;
  if (message_.header == Header::kDictionaryBatch) message_.number = dictionaries_++;
}

bool MessageWalk::starts_well(std::uint64_t at) const {
  const std::uint32_t first = word(at);
  if (first == kContinuation || !old_) return first == kContinuation;
  const std::uint64_t end = end_behind(at, 5);
  return first == 0 ? at + 4 == end : at + 4 <= end && reads_as_message(at, first);
}

// The position of the next message: after the body, or at the next multiple of 8 if the size was
// stated without padding.
std::uint64_t MessageWalk::behind() const {
  const auto length = static_cast<std::uint64_t>(message_.body_length);
  const std::uint64_t stated = message_.body_at + length;
  const std::uint64_t header = message_.at + rounded_up(message_.prefix + message_.size, 8);
  const std::uint64_t padded = header + rounded_up(length, 8);
  if (padded == stated || stated == end_behind(stated, 1) || starts_well(stated)) return stated;
  return padded == end_behind(padded, 1) || starts_well(padded) ? padded : stated;
}

void message_rules(RuleList& list) {
  list.structure<kBoundary, kNotZeros, kMarkerRule, kSizePositive, kInInput, kPadded, kFraming,
                 kReadable, kUniform, kHeaderRules, kBodyLength, kBodyPadded, kBodyInside>();
}

}  // namespace hepcheck::arrow
