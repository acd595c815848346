#include "validator/formats/arrow/footer.h"

#include <algorithm>
#include <format>
#include <unordered_set>

#include "validator/formats/arrow/rule.h"
#include "validator/formats/arrow/schema_rules.h"

namespace hepcheck::arrow {

namespace {

// --- The footer as a whole -----------------------------------------------------------------------

struct Compared {
  const Footer& footer;
  const Schema* stream;  // null: the stream has none
  std::optional<std::int16_t> version;
  const std::vector<KeyValue>& first_metadata;
};

void version_equal(const Compared& it, Look& look) {
  if (!it.version) return;
  look.ask(
      it.footer.version == *it.version, [&] { return std::format("V{}", it.footer.version + 1); },
      [&] { return std::format("V{}, as the messages", *it.version + 1); });
}

void schema_present(const Compared& it, Look& look) {
  look.ask(it.footer.schema.has_value(), "a footer without a schema", "a copy of the schema");
}

// With the default ids of a union that states none.
Type filled_in(const Field& field) {
  Type type = field.type;
  if (type.tag != TypeTag::kUnion || type.has_type_ids) return type;
  type.has_type_ids = true;
  for (std::size_t i = 0; i < field.children.size(); ++i)
    type.type_ids.push_back(static_cast<std::int32_t>(i));
  return type;
}

// The difference between two fields; empty if they are equal.
std::string difference(const Field& a, const Field& b, const std::string& path) {
  if (a.name.value_or("") != b.name.value_or("")) return path + ": the name";
  if (a.nullable != b.nullable) return path + ": nullable";
  if (filled_in(a) != filled_in(b)) return path + ": the type";
  if (a.encoding != b.encoding) return path + ": the dictionary encoding";
  if (a.children.size() != b.children.size()) return path + ": the number of children";
  for (std::size_t i = 0; i < a.children.size(); ++i)
    if (std::string text =
            difference(a.children[i], b.children[i], std::format("{}.child[{}]", path, i));
        !text.empty())
      return text;
  return {};
}

std::string difference(const Schema& a, const Schema& b) {
  if (a.endianness != b.endianness) return "the endianness";
  if (a.fields.size() != b.fields.size())
    return std::format("{} fields, and {} in the stream", a.fields.size(), b.fields.size());
  for (std::size_t i = 0; i < a.fields.size(); ++i)
    if (std::string text = difference(a.fields[i], b.fields[i], std::format("field[{}]", i));
        !text.empty())
      return text;
  return {};
}

void schema_equal(const Compared& it, Look& look) {
  if (!it.stream || !it.footer.schema) return;
  const std::string text = difference(*it.footer.schema, *it.stream);
  look.ask(text.empty(), [&] { return text; }, "the schema of the stream");
}

bool same_pairs(std::vector<KeyValue> a, std::vector<KeyValue> b) {
  const auto before = [](const KeyValue& x, const KeyValue& y) {
    return std::tie(x.key, x.value) < std::tie(y.key, y.value);
  };
  std::ranges::sort(a, before);
  std::ranges::sort(b, before);
  return a == b;
}

bool same_metadata(const std::vector<Field>& a, const std::vector<Field>& b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    if (!same_pairs(a[i].metadata, b[i].metadata) || !same_metadata(a[i].children, b[i].children))
      return false;
  return true;
}

void metadata_equal(const Compared& it, Look& look) {
  if (!it.stream || !it.footer.schema) return;
  look.ask(same_pairs(it.footer.schema->metadata, it.stream->metadata) &&
               same_metadata(it.footer.schema->fields, it.stream->fields),
           "other custom metadata than in the stream", "the same pairs");
}

void custom_metadata_identical(const Compared& it, Look& look) {
  if (!it.stream) return;
  look.ask(
      same_pairs(it.footer.metadata, it.first_metadata),
      [&] {
        return std::format("{} pairs of custom metadata, and {} in the first message",
                           it.footer.metadata.size(), it.first_metadata.size());
      },
      "the same pairs");
}

constexpr Rule<Compared> kFooterRules[] = {
    {"arrow-footer-version-equal", version_equal},
    {"arrow-footer-version-identical", version_equal},
    {"arrow-footer-schema-present", schema_present},
    {"arrow-footer-schema-metadata-equal", metadata_equal},
    {"arrow-footer-custom-metadata-identical", custom_metadata_identical}};
// In a schema that differs, the metadata are not compared.
constexpr Rule<Compared> kFooterSchema[] = {
    {"arrow-footer-schema-equal", schema_equal},
    {"arrow-footer-schema-metadata-identical", metadata_equal}};

// --- Blocks --------------------------------------------------------------------------------------

struct BlockIn {
  const Block& block;
  std::uint64_t end;  // where the footer begins
};

std::string extent(const Block& block) {
  return std::format("offset {}, {} and {} bytes", block.offset, block.metadata_length,
                     block.body_length);
}

void in_file(const BlockIn& it, Look& look) {
  const Block& block = it.block;
  const bool positive = block.offset >= 8 && block.metadata_length > 0 && block.body_length >= 0;
  const std::uint64_t end = sum(sum(static_cast<std::uint64_t>(block.offset),
                                    static_cast<std::uint64_t>(block.metadata_length)),
                                static_cast<std::uint64_t>(block.body_length));
  look.ask(
      positive && end <= it.end, [&] { return extent(block); },
      [&] { return std::format("a block between 8 and {}, where the footer begins", it.end); });
}

void offset_aligned(const BlockIn& it, Look& look) {
  look.ask(
      it.block.offset % 8 == 0, [&] { return std::format("offset {}", it.block.offset); },
      "a multiple of 8");
}

// The contents at the offset of a block.
struct BlockMessage {
  const Block& block;
  std::optional<Message> message;
  Header header = Header::kNone;
  bool in_stream = false;
};

constexpr Rule kPoints("arrow-block-points-to-message", [](const BlockMessage& it, Look& look) {
  look.ask(
      it.message.has_value(), [&] { return std::format("no message at {}", it.block.offset); },
      "the prefix of a message");
});

constexpr Rule kInStream("arrow-block-message-in-stream", [](const BlockMessage& it, Look& look) {
  look.ask(
      it.in_stream,
      [&] { return std::format("a message at {} that is not in the stream", it.block.offset); },
      "a message of the stream inside the file");
});

const char* kind_of(Header header) {
  switch (header) {
    case Header::kSchema: return "a Schema message";
    case Header::kDictionaryBatch: return "a dictionary batch";
    case Header::kRecordBatch: return "a record batch";
    default: return "a message of another kind";
  }
}

constexpr Rule kRecordKind("arrow-block-record-batch-kind", [](const BlockMessage& it, Look& look) {
  look.ask(it.header == Header::kRecordBatch, [&] { return kind_of(it.header); }, "a record batch");
});

constexpr Rule kFooterDictionaryKind("arrow-block-dictionary-kind", [](const BlockMessage& it,
                                                                       Look& look) {
  look.ask(
      it.header == Header::kDictionaryBatch, [&] { return kind_of(it.header); },
      "a dictionary batch");
});

void metadata_length(const BlockMessage& it, Look& look) {
  const std::uint64_t wanted = it.message->prefix + it.message->size;
  look.ask(
      static_cast<std::uint64_t>(it.block.metadata_length) == wanted,
      [&] { return std::format("metaDataLength {}", it.block.metadata_length); },
      [&] { return std::format("{}: the prefix and the metadata", wanted); });
}

void body_length(const BlockMessage& it, Look& look) {
  look.ask(
      it.block.body_length == it.message->body_length,
      [&] { return std::format("bodyLength {}", it.block.body_length); },
      [&] { return std::format("{}, as the message says", it.message->body_length); });
}

constexpr Rule<BlockIn> kPlace[] = {{"arrow-block-in-file", in_file},
                                    {"arrow-block-offset-aligned", offset_aligned}};
constexpr Rule<BlockMessage> kLengths[] = {{"arrow-block-metadata-length", metadata_length},
                                           {"arrow-block-body-length", body_length}};

// --- Lists of blocks -----------------------------------------------------------------------------

struct BlockList {
  const std::vector<Block>& blocks;
  std::uint64_t missing = 0;  // messages of the stream that are not listed
  std::uint64_t missing_at = 0;
};

void complete(const BlockList& it, Look& look) {
  look.ask(
      it.missing == 0,
      [&] { return std::format("{} not listed, the first at {}", it.missing, it.missing_at); },
      "a block for each of the stream");
}

constexpr Rule kOnce("arrow-footer-block-once", [](const BlockList& it, Look& look) {
  std::unordered_set<std::int64_t> seen;
  const auto again = std::ranges::find_if(
      it.blocks, [&](const Block& block) { return !seen.insert(block.offset).second; });
  look.ask(
      again == it.blocks.end(), [&] { return std::format("offset {} twice", again->offset); },
      "each block once");
});

constexpr Rule kOrder("arrow-footer-blocks-in-stream-order", [](const BlockList& it, Look& look) {
  const auto back = std::ranges::adjacent_find(
      it.blocks, [](const Block& a, const Block& b) { return b.offset < a.offset; });
  look.ask(
      back == it.blocks.end(),
      [&] { return std::format("offset {} after {}", (back + 1)->offset, back->offset); },
      "blocks in the order of the stream");
});

// Of blocks that have no findings of their own.
constexpr Rule kAsInStream("arrow-footer-blocks-as-in-stream", kOrder.check);

constexpr Rule<BlockList> kRecordsComplete("arrow-footer-record-batches-complete", complete);
constexpr Rule<BlockList> kDictionariesComplete("arrow-footer-dictionaries-complete", complete);

std::vector<Block> read_blocks(const Vector& structs, std::uint64_t start) {
  std::vector<Block> blocks;
  blocks.reserve(structs.size());
  for (std::uint32_t i = 0; i < structs.size(); ++i)
    blocks.push_back({structs.get<std::int64_t>(i, 24), structs.get<std::int32_t>(i, 24, 8),
                      structs.get<std::int64_t>(i, 24, 16), start + structs.at(i, 24)});
  return blocks;
}

class BlockJudge {
 public:
  BlockJudge(const Bytes& file, const Footer& footer, const Found& found, const Limits& limits,
             Notes& notes)
      : file_(file), footer_(footer), found_(found), limits_(message_limits(limits)),
        notes_(notes) {}

  std::vector<Message> list(const std::vector<Block>& blocks, Header kind);
  bool all_sound() const { return sound_; }
  void complete();

 private:
  std::optional<Message> look_up(const Block& block, bool& in_stream, Header& header) const;
  std::optional<Message> message_at(std::uint64_t at) const;
  std::optional<Message> judge_one(const Block& block, Header kind, std::uint64_t number,
                                   const Place& place, bool& no_finding);
  template <const auto& kRules>
  void complete(const std::vector<Block>& blocks, Header kind, std::string_view name);

  const Bytes& file_;
  const Footer& footer_;
  const Found& found_;
  MessageLimits limits_;
  Notes& notes_;
  bool sound_ = true;  // each block leads to a message of its kind
};

std::optional<Message> BlockJudge::message_at(std::uint64_t at) const {
  std::byte prefix[8];
  if (footer_.at < at || footer_.at - at < 8 || !file_.read(at, prefix)) return std::nullopt;
  const std::uint32_t first = load<std::uint32_t>(prefix);
  Message message{.at = at, .prefix = first == 0xFFFFFFFF ? 8u : 4u};
  message.size = first == 0xFFFFFFFF ? load<std::uint32_t>(prefix + 4) : first;
  if (message.size == 0 || message.size > limits_.metadata ||
      message.size > footer_.at - at - message.prefix)
    return std::nullopt;
  message.body_at = message.metadata_at() + message.size;
  const SharedBytes metadata = read_bytes(file_, message.metadata_at(), message.size);
  const Notes::Silence silence(notes_);
  if (!metadata || !read_message(metadata, limits_, message, notes_)) return std::nullopt;
  message.body_inside =
      message.body_length >= 0 &&
      static_cast<std::uint64_t>(message.body_length) <= footer_.at - message.body_at;
  return message;
}

std::optional<Message> BlockJudge::look_up(const Block& block, bool& in_stream,
                                           Header& header) const {
  const auto at = static_cast<std::uint64_t>(block.offset);
  if (const auto it = found_.by_offset.find(at); it != found_.by_offset.end()) {
    in_stream = true;
    header = found_.batches[it->second].header;
    return found_.batches[it->second];
  }
  in_stream = found_.others.contains(at);
  const std::optional<Message> message = message_at(at);
  if (message) header = message->header;
  return message;
}

std::optional<Message> BlockJudge::judge_one(const Block& block, Header kind, std::uint64_t number,
                                             const Place& place, bool& no_finding) {
  if (!judge<kPlace>(BlockIn{block, footer_.at}, place, notes_)) return std::nullopt;
  BlockMessage it{block, {}, {}, false};
  it.message = look_up(block, it.in_stream, it.header);
  // The walk ended there with a finding.
  if (!it.message && !found_.whole && static_cast<std::uint64_t>(block.offset) == found_.stopped_at)
    return std::nullopt;
  if (!judge<kPoints>(it, place, notes_)) return std::nullopt;
  const bool right_kind = kind == Header::kRecordBatch
                              ? judge<kRecordKind>(it, place, notes_)
                              : judge<kFooterDictionaryKind>(it, place, notes_);
  if (!right_kind) return std::nullopt;
  if (found_.whole) no_finding &= judge_each<kInStream>(it, place, notes_);
  no_finding &= judge_each<kLengths>(it, place, notes_);
  if (!it.in_stream) it.message->number = number;
  return it.message;
}

std::vector<Message> BlockJudge::list(const std::vector<Block>& blocks, Header kind) {
  const Path footer{.kind = "footer"};
  const bool records = kind == Header::kRecordBatch;
  const char* name = records ? "recordBatches" : "dictionaries";
  std::vector<Message> messages;
  std::vector<Block> different, sound;
  std::unordered_set<std::int64_t> seen;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (!seen.insert(blocks[i].offset).second) continue;
    different.push_back(blocks[i]);
    const Path path{.up = &footer, .kind = name, .index = i};
    bool no_finding = true;
    if (std::optional<Message> message =
            judge_one(blocks[i], kind, i, {.path = &path, .byte = blocks[i].byte}, no_finding))
      messages.push_back(*message);
    else
      sound_ = no_finding = false;
    if (no_finding) sound.push_back(blocks[i]);
  }
  const Path path{.up = &footer, .kind = name};
  const Place place{.path = &path, .byte = footer_.at};
  judge_each<kOnce>(BlockList{blocks}, place, notes_);
  if (sound_) judge_each<kOrder>(BlockList{different}, place, notes_);
  judge_each<kAsInStream>(BlockList{sound}, place, notes_);
  return messages;
}

template <const auto& kRules>
void BlockJudge::complete(const std::vector<Block>& blocks, Header kind, std::string_view name) {
  std::unordered_set<std::uint64_t> listed;
  for (const Block& block : blocks) listed.insert(static_cast<std::uint64_t>(block.offset));
  BlockList it{blocks};
  for (const Message& message : found_.batches)
    if (message.header == kind && !listed.contains(message.at) && it.missing++ == 0)
      it.missing_at = message.at;
  const Path footer{.kind = "footer"}, path{.up = &footer, .kind = name};
  judge_each<kRules>(it, {.path = &path, .byte = footer_.at}, notes_);
}

void BlockJudge::complete() {
  if (!sound_ || !found_.whole) return;
  complete<kRecordsComplete>(footer_.record_batches, Header::kRecordBatch, "recordBatches");
  complete<kDictionariesComplete>(footer_.dictionaries, Header::kDictionaryBatch, "dictionaries");
}

}  // namespace

std::optional<Footer> read_footer(const Bytes& file, std::uint64_t at, std::uint64_t size,
                                  const Limits& limits, Notes& notes) {
  const Path path{.kind = "footer"};
  const Place place{.path = &path, .byte = at};
  const MessageLimits most = message_limits(limits);
  const SharedBytes bytes = size <= most.metadata ? read_bytes(file, at, size) : nullptr;
  const Soundness soundness =
      bytes ? verify(*bytes, kFooterShape, verify_limits(most, size), place, notes)
            : Soundness::kTooMuch;
  if (soundness == Soundness::kTooMuch)
    notes.blocked("arrow-fb-offset-in-bounds", "footer: reading it exceeds the limits");
  if (soundness != Soundness::kSound) return std::nullopt;
  const Table table = Table::root(*bytes);
  Footer made{.bytes = bytes, .at = at, .version = table.get<std::int16_t>(footer::kVersion)};
  if (const Table schema = table.table(footer::kSchema); schema.present()) {
    made.schema = read_schema(schema, limits.objects);
    made.schema->bytes = bytes;
    made.schema->byte = at;
  }
  made.dictionaries = read_blocks(table.vector(footer::kDictionaries), at);
  made.record_batches = read_blocks(table.vector(footer::kRecordBatches), at);
  made.metadata = read_metadata(table.vector(footer::kCustomMetadata));
  judge_metadata(made.metadata, path, at, notes);
  return made;
}

Listed judge_blocks(const Bytes& file, const Footer& footer, const Found& found,
                    const Limits& limits, Notes& notes) {
  BlockJudge judge(file, footer, found, limits, notes);
  Listed listed;
  listed.dictionaries = judge.list(footer.dictionaries, Header::kDictionaryBatch);
  listed.all_dictionaries = judge.all_sound();
  listed.record_batches = judge.list(footer.record_batches, Header::kRecordBatch);
  judge.complete();
  return listed;
}

void judge_footer(const Footer& footer, const Schema* schema, const Found& found, Notes& notes) {
  const Path path{.kind = "footer"};
  // Read like the other schema: children that the type cannot have are not included.
  Footer read = footer;
  if (read.schema) settle_schema(*read.schema, notes);
  if (schema && read.schema && !(schema->whole && read.schema->whole)) {
    const std::string why = "footer: the schema has too many fields to be examined";
    notes.blocked("arrow-footer-schema-equal", why);
    notes.blocked("arrow-footer-schema-metadata-equal", why);
    notes.blocked("arrow-footer-schema-metadata-identical", why);
  }
  const Compared compared{read, schema, found.first_version, found.first_metadata};
  const Place place{.path = &path, .byte = footer.at};
  judge_each<kFooterRules>(compared, place, notes);
  judge<kFooterSchema>(compared, place, notes);
}

void footer_rules(RuleList& list) {
  list.structure<kFooterRules, kFooterSchema, kPlace, kPoints, kRecordKind, kFooterDictionaryKind,
                 kInStream, kLengths, kRecordsComplete, kDictionariesComplete, kOnce, kOrder,
                 kAsInStream>();
}

}  // namespace hepcheck::arrow
