#include "validator/formats/arrow/examination.h"

#include <algorithm>
#include <cstring>
#include <format>
#include <unordered_set>
#include <utility>

#include "validator/formats/arrow/rule.h"
#include "validator/formats/arrow/schema_rules.h"
#include "validator/incoming.h"
#include "validator/worker_position.h"

namespace hepcheck::arrow {

namespace {

constexpr std::string_view kMagic = "ARROW1", kFeatherMagic = "FEA1";
// After the leading magic and its padding; the size of the footer and the trailing magic.
constexpr std::uint64_t kAfterMagic = 8, kTail = 10;

bool has(const Bytes& input, std::uint64_t at, std::string_view text) {
  std::byte bytes[8];
  const std::span<std::byte> some(bytes, text.size());
  return input.read(at, some) && std::memcmp(bytes, text.data(), text.size()) == 0;
}

template <class T>
T number_at(const Bytes& input, std::uint64_t at) {
  std::byte bytes[sizeof(T)] = {};
  return input.read(at, bytes) ? load<T>(bytes) : T{};
}

// Not the magic at its beginning.
bool ends_with_magic(const Bytes& input) {
  const std::uint64_t size = input.size();
  return size >= kMagic.size() && has(input, size - kMagic.size(), kMagic) &&
         (size >= 2 * kMagic.size() || !has(input, 0, kMagic));
}

// --- Chapter 4.5: streams ------------------------------------------------------------------------

struct FirstMessage {
  Header header;
  bool any;
};

constexpr Rule kSchemaFirst("arrow-stream-schema-first", [](const FirstMessage& it, Look& look) {
  look.ask(
      it.any && it.header == Header::kSchema,
      [&] {
        return !it.any                                 ? "a stream without messages"
               : it.header == Header::kRecordBatch     ? "a record batch"
               : it.header == Header::kDictionaryBatch ? "a dictionary batch"
                                                       : "a Schema after other messages";
      },
      "a Schema as the first message");
});

struct SchemaCount {
  bool again;
};

constexpr Rule kOneSchema("arrow-stream-one-schema", [](const SchemaCount& it, Look& look) {
  look.ask(!it.again, "a second Schema message", "one Schema");
});

struct Behind {
  std::uint64_t marker, end;
};

constexpr Rule kAfterMarker("arrow-stream-nothing-after-eos", [](const Behind& it, Look& look) {
  look.ask(
      it.marker == it.end, [&] { return std::format("{} bytes more", it.end - it.marker); },
      "the end of the input after the marker");
});

// --- Chapter 4.6: files --------------------------------------------------------------------------

struct Magic {
  const Bytes& input;
};

constexpr Rule kMagicStart("arrow-file-magic-start", [](const Magic& it, Look& look) {
  look.ask(has(it.input, 0, kMagic), "other bytes", "ARROW1");
});

constexpr Rule kMagicEnd("arrow-file-magic-end", [](const Magic& it, Look& look) {
  look.ask(ends_with_magic(it.input), "other bytes", "ARROW1");
});

constexpr Rule kMagicPadding("arrow-file-magic-padding-zero", [](const Magic& it, Look& look) {
  const auto padding = number_at<std::uint16_t>(it.input, kMagic.size());
  look.ask(padding == 0, [&] { return std::format("{:#06x}", padding); }, "two zero bytes");
});

struct FooterSize {
  std::int64_t stated, most;
};

constexpr Rule kFooterSize("arrow-file-footer-size-in-range", [](const FooterSize& it, Look& look) {
  look.ask(
      it.stated > 0 && it.stated <= it.most,
      [&] { return std::format("a footer of {} bytes", it.stated); },
      [&] { return std::format("1 to {} bytes", std::max<std::int64_t>(0, it.most)); });
});

struct Begin {
  std::uint64_t at;
};

constexpr Rule kBegin("arrow-file-stream-at-eight", [](const Begin& it, Look& look) {
  look.ask(
      it.at == kAfterMagic, [&] { return std::format("the stream begins at {}", it.at); },
      "8, directly after the padded magic");
});

struct Marker {
  bool there;
};

constexpr Rule kMarker("arrow-file-eos-present", [](const Marker& it, Look& look) {
  look.ask(it.there, "no marker before the footer", "the marker of the end of the stream");
});

struct Between {
  std::uint64_t size;
  bool zero;
};

constexpr Rule kBetween("arrow-file-nothing-between-eos-and-footer", [](const Between& it,
                                                                        Look& look) {
  look.ask(
      it.size == 0 || (it.size < 8 && it.zero),
      [&] { return std::format("{} bytes between the marker and the footer", it.size); },
      "the footer directly after the marker");
});

struct SchemaMessage {
  bool there;
};

constexpr Rule kSchemaMessage("arrow-file-schema-message-present", [](const SchemaMessage& it,
                                                                      Look& look) {
  look.ask(it.there, "a schema in the footer only", "a Schema message in the stream");
});

Place place_at(std::uint64_t byte) { return {.byte = byte}; }

bool is_batch(Header header) {
  return header == Header::kDictionaryBatch || header == Header::kRecordBatch;
}

}  // namespace

// For streamed input, the end is not awaited.
bool is_file(const Bytes& input) {
  return has(input, 0, kMagic) || (!input.incoming() && ends_with_magic(input));
}

bool is_feather_v1(const Bytes& input) { return has(input, 0, kFeatherMagic); }

bool looks_like_stream(const Bytes& input) {
  const auto first = number_at<std::uint32_t>(input, 0);
  const std::uint64_t prefix = first == 0xFFFFFFFF ? 8 : 4;
  const auto size = prefix == 8 ? number_at<std::uint32_t>(input, 4) : first;
  if (input.size() < prefix + 8 || size < 8 || size > 0x7FFFFFFF || size > input.size() - prefix)
    return false;
  const auto root = number_at<std::uint32_t>(input, prefix);
  return root >= 4 && root % 4 == 0 && root <= size - 4 && (prefix == 8 || (4 + size) % 8 == 0);
}

Examination::Examination(const Bytes& input, const Specification& spec, const FileOptions& options,
                         std::uint64_t memory)
    : input_(input), options_(options),
      budget_(input.incoming() ? 0 : input.size(), memory, options.limits),
      notes_(spec, options.examine.max_findings), is_file_(is_file(input)) {}

void Examination::run() {
  now_at(Stage::kWalking);
  if (is_file_)
    whole_file();
  else
    stream();
}

void Examination::adopt(Schema schema, const SharedBytes& bytes, std::uint64_t byte,
                        const Path& path, bool judged) {
  schema_ = std::move(schema);
  schema_->bytes = bytes;
  schema_->byte = byte;
  if (judged)
    judge_schema(*schema_, path, notes_);
  else
    settle_schema(*schema_, notes_);
  if (!schema_->whole)
    notes_.blocked("arrow-field-type-known", "schema: it has too many fields to be examined");
}

void Examination::stream() {
  MessageWalk walk(input_, 0, input_.size(), false, options_.limits, notes_);
  std::optional<Batches> batches;
  bool others = false;  // messages of a kind that the format has not
  const auto next = [&] {
    if (!batches || batches->idle()) let_go(walk.at());
    return walk.next();
  };
  MessageWalk::Step step = next();
  for (; step == MessageWalk::Step::kMessage; step = next()) {
    came(walk.at());
    const Message& message = walk.message();
    const Path path = message.path();
    const Place place{.path = &path, .byte = message.at};
    if (message.header == Header::kSchema) {
      if (!judge<kOneSchema>(SchemaCount{batches.has_value()}, place, notes_)) break;
      judge<kSchemaFirst>(FirstMessage{message.header, true}, place, notes_);
      adopt(read_schema(header_of(walk.metadata()), options_.limits.objects), walk.metadata(),
            message.metadata_at(), path, true);
      batches.emplace(input_, *schema_, false, budget_, options_.examine, notes_);
      continue;
    }
    others |= !is_batch(message.header);
    if (!is_batch(message.header)) continue;
    if (!batches) {
      judge<kSchemaFirst>(FirstMessage{message.header, true}, place, notes_);
      break;
    }
    if (message.header == Header::kDictionaryBatch)
      batches->dictionary(message, walk.metadata());
    else
      batches->record(message, walk.metadata());
  }
  version_ = walk.first_version();
  const bool ended =
      (step == MessageWalk::Step::kMarker && !walk.zeros()) || step == MessageWalk::Step::kEnd;
  if (ended && !batches && !others)
    judge<kSchemaFirst>(FirstMessage{Header::kNone, false}, place_at(0), notes_);
  if (step == MessageWalk::Step::kMarker) {
    if (input_.incoming()) input_.incoming()->reach(Incoming::kWithoutEnd);
    if (!walk.zeros())
      judge_each<kAfterMarker>(Behind{walk.at(), input_.size()}, place_at(walk.at()), notes_);
  }
  if (!batches) return;
  batches->finish(ended);
  totals_ = batches->totals();
  cells_ = batches->cells();
  dictionaries_ = batches->dictionaries();
}

// Called for streamed input when the bytes before `end` have arrived or are processed.
void Examination::came(std::uint64_t end) {
  if (input_.incoming()) budget_.add(end - std::exchange(come_, end));
}

void Examination::let_go(std::uint64_t begin) {
  if (input_.incoming()) input_.incoming()->let_go(begin);
}

// The first byte of the footer; the end of the input if it cannot be found.
std::uint64_t Examination::footer_at() {
  const std::uint64_t size = input_.size();
  if (judge<kMagicStart>(Magic{input_}, place_at(0), notes_))
    judge_each<kMagicPadding>(Magic{input_}, place_at(kMagic.size()), notes_);
  const std::uint64_t end = size < kMagic.size() ? 0 : size - kMagic.size();
  if (!judge<kMagicEnd>(Magic{input_}, place_at(end), notes_) || size < kTail) return size;
  const FooterSize stated{
      number_at<std::int32_t>(input_, size - kTail),
      static_cast<std::int64_t>(size) - static_cast<std::int64_t>(kAfterMagic + kTail)};
  if (!judge<kFooterSize>(stated, place_at(size - kTail), notes_)) return size;
  return size - kTail - static_cast<std::uint64_t>(stated.stated);
}

std::uint64_t Examination::begin_of_stream(std::uint64_t end, bool cut) {
  std::uint64_t at = kAfterMagic;
  while (at < 64 && at + 8 <= end && number_at<std::uint64_t>(input_, at) == 0) at += 8;
  const auto word = number_at<std::uint32_t>(input_, at);
  const bool starts = at + 4 <= end && (word == 0xFFFFFFFF ||
                                        (word > 0 && word <= 0x7FFFFFFF && word <= end - at - 4));
  if (!starts) at = std::min(kAfterMagic, end);
  if (!cut || starts) judge_each<kBegin>(Begin{at}, place_at(at), notes_);
  return at;
}

void Examination::keep(const MessageWalk& walk, Found& found) {
  const Message& message = walk.message();
  if (!is_batch(message.header)) {
    found.others.emplace(message.at, message.header);
    return;
  }
  found.by_offset.emplace(message.at, found.batches.size());
  found.batches.push_back(message);
}

void Examination::walk_file(MessageWalk& walk, bool cut, Found& found) {
  bool late = false;  // a Schema after other messages
  MessageWalk::Step step;
  while ((step = walk.next()) == MessageWalk::Step::kMessage) {
    const Message& message = walk.message();
    const Path path = message.path();
    const Place place{.path = &path, .byte = message.at};
    if (message.header == Header::kSchema) {
      if (!judge<kOneSchema>(SchemaCount{schema_.has_value()}, place, notes_)) break;
      late = !found.batches.empty();
      if (!judge<kSchemaFirst>(FirstMessage{late ? Header::kNone : message.header, true}, place,
                               notes_))
        break;
      adopt(read_schema(header_of(walk.metadata()), options_.limits.objects), walk.metadata(),
            message.metadata_at(), path, true);
    }
    if (!found.first_bytes) {
      found.first_bytes = walk.metadata();
      found.first_metadata =
          read_metadata(Table::root(*found.first_bytes).vector(message::kCustomMetadata));
    }
    keep(walk, found);
    if (found.batches.size() > options_.limits.links) {
      notes_.blocked("arrow-message-prefix-complete", "the file has too many messages");
      break;
    }
  }
  found.first_version = version_ = walk.first_version();
  found.whole = step == MessageWalk::Step::kMarker || step == MessageWalk::Step::kEnd;
  found.stopped_at = step == MessageWalk::Step::kMessage ? walk.message().at : walk.at();
  if (!found.whole || cut) return;
  judge_each<kMarker>(Marker{step == MessageWalk::Step::kMarker}, place_at(walk.at()), notes_);
  if (step != MessageWalk::Step::kMarker) return;
  const std::uint64_t size = walk.end() - walk.at();
  const bool zero =
      size == 0 ||
      (size < 8 && number_at<std::uint64_t>(input_, walk.at()) << (64 - 8 * size) == 0);
  judge_each<kBetween>(Between{size, zero}, place_at(walk.at()), notes_);
}

void Examination::whole_file() {
  const std::uint64_t end = footer_at(), size = input_.size();
  const bool cut = end == size;
  std::optional<Footer> footer;
  if (!cut) footer = read_footer(input_, end, size - kTail - end, options_.limits, notes_);
  Found found;
  MessageWalk walk(input_, begin_of_stream(end, cut), end, cut, options_.limits, notes_);
  walk_file(walk, cut, found);
  judge_file(footer, found);
}

void Examination::judge_file(const std::optional<Footer>& footer, Found& found) {
  const bool in_stream = schema_.has_value();
  if (footer && found.whole && footer->schema)
    judge_each<kSchemaMessage>(SchemaMessage{in_stream}, place_at(kAfterMagic), notes_);
  if (footer) judge_footer(*footer, schema(), found, notes_);
  if (!in_stream && footer && footer->schema) {
    const Path up{.kind = "footer"}, path{.up = &up, .kind = "schema"};
    adopt(*footer->schema, footer->bytes, footer->at, path, true);
  }
  Listed listed;
  if (footer) listed = judge_blocks(input_, *footer, found, options_.limits, notes_);
  if (schema_) judge_messages(found, listed);
}

// The dictionaries first, in the order of the footer; those that it does not list, in the order of
// the stream.
void Examination::judge_messages(const Found& found, const Listed& listed) {
  Batches batches(input_, *schema_, true, budget_, options_.examine, notes_);
  if (!found.whole) batches.some_unread();
  std::unordered_set<std::uint64_t> done;
  const auto judge = [&](const Message& message, Header kind) {
    if (message.header != kind || !done.insert(message.at).second) return;
    const SharedBytes metadata = read_bytes(input_, message.metadata_at(), message.size);
    if (!metadata) return;
    if (kind == Header::kDictionaryBatch)
      batches.dictionary(message, metadata);
    else
      batches.record(message, metadata);
  };
  // Where a block leads elsewhere, the place of its dictionary is known from the stream only.
  if (!listed.all_dictionaries)
    for (const Message& each : found.batches) judge(each, Header::kDictionaryBatch);
  for (const Message& each : listed.dictionaries) judge(each, Header::kDictionaryBatch);
  for (const Message& each : found.batches) judge(each, Header::kDictionaryBatch);
  for (const Message& each : found.batches) judge(each, Header::kRecordBatch);
  for (const Message& each : listed.record_batches) judge(each, Header::kRecordBatch);
  batches.finish(true);
  totals_ = batches.totals();
  cells_ = batches.cells();
  dictionaries_ = batches.dictionaries();
}

void examination_rules(RuleList& list) {
  list.structure<kSchemaFirst, kOneSchema, kAfterMarker, kMagicStart, kMagicEnd, kMagicPadding,
                 kFooterSize, kBegin, kMarker, kBetween, kSchemaMessage>();
}

}  // namespace hepcheck::arrow
