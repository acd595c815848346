#include "validator/formats/arrow/revision.h"

#include <algorithm>
#include <format>
#include <optional>
#include <utility>

#include "validator/formats/arrow/batch.h"
#include "validator/formats/arrow/dictionaries.h"
#include "validator/formats/arrow/examination.h"
#include "validator/formats/arrow/footer.h"
#include "validator/formats/arrow/schema_rules.h"
#include "validator/formats/arrow/type_rules.h"
#include "validator/incoming.h"

namespace hepcheck::arrow {

namespace {

constexpr std::uint64_t kBeginOfFile = 8, kEndOfFile = 10, kMostZeros = 64;

std::uint32_t word_at(const Bytes& input, std::uint64_t at) {
  std::byte bytes[4] = {};
  if (input.incoming()) input.incoming()->reach(at + 4);
  return input.read(at, bytes) ? load<std::uint32_t>(bytes) : 0;
}

// Reads messages without judging them.
class Peek {
 public:
  Peek(const Bytes& input, const Limits& limits)
      : input_(input), limits_(limits), most_(message_limits(limits)),
        notes_(default_revision("arrow"), 0), silence_(notes_) {}

  std::optional<Choice> sign() {
    std::optional<Message> first = message_at(begin());
    if (first && first->header == Header::kSchema) {
      if (auto found = sign_of(read_schema(header_of(metadata_), limits_.objects))) return found;
      const std::uint64_t next = first->at + rounded_up(first->prefix + first->size, 8);
      return message_at(next) ? sign_of_batch() : std::nullopt;
    }
    return is_file(input_) && !input_.incoming() ? sign_of_footer() : std::nullopt;
  }

 private:
  std::uint64_t begin() const {
    if (!is_file(input_)) return 0;
    std::uint64_t at = kBeginOfFile;
    while (at < kMostZeros && word_at(input_, at) == 0 && word_at(input_, at + 4) == 0) at += 8;
    return at;
  }

  std::optional<Message> message_at(std::uint64_t at) {
    const std::uint32_t first = word_at(input_, at);
    Message message{.at = at, .prefix = first == 0xFFFFFFFF ? 8u : 4u};
    message.size = first == 0xFFFFFFFF ? word_at(input_, at + 4) : first;
    if (message.size == 0 || message.size > most_.metadata) return std::nullopt;
    const std::uint64_t end = sum(message.metadata_at(), message.size);
    if (input_.incoming()) input_.incoming()->reach(end);
    if (end > input_.size()) return std::nullopt;
    metadata_ = read_bytes(input_, message.metadata_at(), message.size);
    if (!metadata_ || !read_message(metadata_, most_, message, notes_)) return std::nullopt;
    return message;
  }

  static Choice made(std::string sign, const Path& path) {
    return {.by = ChosenBy::kSign, .sign = std::move(sign), .path = path.text()};
  }

  static std::optional<Choice> sign_of(const Schema& schema) {
    const Path path{.kind = "schema"};
    return sign_of(schema.fields, nullptr, path);
  }

  static std::optional<Choice> sign_of(const std::vector<Field>& fields, const Field* parent,
                                       const Path& up) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const Field& field = fields[i];
      const Path path = path_of(up, parent ? "child" : "field", i, field);
      if (std::string type = newer_type(field.type); !type.empty())
        return made("a field of type " + type, path);
      const KeyValue* name = find_pair(field, kExtensionName);
      if (name && name->value.value_or("").starts_with("arrow."))
        return made(std::format("the extension type {}", *name->value), path);
      if (auto found = sign_of(field.children, &field, path)) return found;
    }
    return std::nullopt;
  }

  std::optional<Choice> sign_of_batch() const {
    const Table root = Table::root(*metadata_);
    const auto header = static_cast<Header>(root.get<std::uint8_t>(message::kHeaderTag));
    Table batch = header_of(metadata_);
    if (header == Header::kDictionaryBatch)
      batch = batch.table(dictionary_batch::kData);
    else if (header != Header::kRecordBatch)
      return std::nullopt;
    if (!batch.present() || !batch.vector(record_batch::kVariadicCounts).present())
      return std::nullopt;
    return made("a batch with variadicBufferCounts",
                Path{.kind = header == Header::kRecordBatch ? "batch" : "dictionary", .index = 0});
  }

  std::optional<Choice> sign_of_footer() {
    const std::uint64_t size = input_.size();
    if (size < kBeginOfFile + kEndOfFile) return std::nullopt;
    const std::uint32_t stated = word_at(input_, size - kEndOfFile);
    if (stated == 0 || stated > size - kBeginOfFile - kEndOfFile) return std::nullopt;
    const std::optional<Footer> footer =
        read_footer(input_, size - kEndOfFile - stated, stated, limits_, notes_);
    return footer && footer->schema ? sign_of(*footer->schema) : std::nullopt;
  }

  const Bytes& input_;
  const Limits& limits_;
  MessageLimits most_;
  Notes notes_;
  Notes::Silence silence_;
  SharedBytes metadata_{};  // of the message that was read last
};

}  // namespace

RevisionChoice choose_revision(const Bytes& input, const Request& wanted) {
  if (wanted.spec) return {.spec = wanted.spec, .choice = {.by = ChosenBy::kOption}};
  const Specification* newest = find_specification("arrow-columnar-1.5");
  if (std::optional<Choice> sign = Peek(input, wanted.options.limits).sign())
    return {.spec = newest, .choice = *std::move(sign)};
  return {.spec = &default_revision("arrow"), .choice = {.by = ChosenBy::kDefault}};
}

}  // namespace hepcheck::arrow
