#include "validator/formats/arrow/exchange/read_table.h"

#include <algorithm>
#include <cstring>
#include <format>
#include <map>
#include <set>
#include <unordered_map>

#include "validator/formats/arrow/budget.h"
#include "validator/formats/arrow/dictionaries.h"
#include "validator/formats/arrow/examination.h"
#include "validator/formats/arrow/exchange/read_array.h"
#include "validator/formats/arrow/footer.h"
#include "validator/formats/arrow/schema_rules.h"

namespace hepcheck::arrow {

namespace {

constexpr std::uint64_t kStart = 8, kTail = 10;
constexpr std::int64_t kNoLabel = -1;

// The values of all dictionary batches of one id, each once, in the order of their first
// occurrence.
struct United {
  const Field* field = nullptr;                            // any field that uses them
  std::vector<std::pair<Message, SharedBytes>> batches{};  // in the present dictionary
  bool read = false;                                       // present values:
  exchange::Array values{};                                // as they stand
  std::vector<std::int64_t> positions{};  // the position of each of them among the labels
  std::shared_ptr<exchange::Labels> labels{};
  std::unordered_map<std::string, std::int64_t> known{};  // position by identity
};

class TableReader {
 public:
  TableReader(const Bytes& input, const FileOptions& options, std::uint64_t memory)
      : input_(input), options_(options), budget_(input.size(), memory, options.limits),
        spare_(memory / 4), memory_(memory), silent_(*find_specification("arrow-columnar-1.5"), 0),
        silence_(silent_) {}

  ReadTable read() {
    if (is_file(input_))
      file();
    else
      stream();
    if (!schema_) throw Unreadable{"the input", "it has no schema"};
    narrow();
    return {.table = std::move(table_), .losses = std::move(losses_)};
  }

 private:
  void stream() {
    MessageWalk walk(input_, 0, input_.size(), false, options_.limits, silent_);
    MessageWalk::Step step;
    while ((step = walk.next()) == MessageWalk::Step::kMessage)
      take(walk.message(), walk.metadata());
    if (step == MessageWalk::Step::kBroken)
      throw Unreadable{"the stream", "it cannot be read completely"};
  }

  // Dictionaries first, then batches, both in the order of the footer.
  void file() {
    const std::uint64_t size = input_.size();
    std::byte word[4];
    if (size < kStart + kTail || !input_.read(size - kTail, word))
      throw Unreadable{"the footer", "it cannot be read"};
    const std::uint64_t length = load<std::uint32_t>(word);
    if (length > size - kStart - kTail) throw Unreadable{"the footer", "it cannot be read"};
    const std::uint64_t at = size - kTail - length;
    const auto footer = read_footer(input_, at, length, options_.limits, silent_);
    if (!footer) throw Unreadable{"the footer", "it cannot be read"};

    Found found;
    MessageWalk walk(input_, begin_of_stream(at), at, false, options_.limits, silent_);
    while (walk.next() == MessageWalk::Step::kMessage) {
      const Message& message = walk.message();
      if (message.header == Header::kSchema) take(message, walk.metadata());
      if (message.header != Header::kRecordBatch && message.header != Header::kDictionaryBatch) {
        found.others.emplace(message.at, message.header);
        if (message.header != Header::kSchema) take(message, walk.metadata());
        continue;
      }
      found.by_offset.emplace(message.at, found.batches.size());
      found.batches.push_back(message);
    }
    found.whole = true;
    if (!schema_ && footer->schema) adopt(*footer->schema, footer->bytes, footer->at);
    const Listed listed = judge_blocks(input_, *footer, found, options_.limits, silent_);
    for (const Message& each : listed.dictionaries) take_from_file(each);
    for (const Message& each : listed.record_batches) take_from_file(each);
  }

  std::uint64_t begin_of_stream(std::uint64_t end) const {
    std::uint64_t at = kStart, word = 0;
    for (; at < 64 && at + 8 <= end; at += 8) {
      std::byte bytes[8];
      if (!input_.read(at, bytes)) break;
      word = load<std::uint64_t>(bytes);
      if (word != 0) return at;
    }
    return kStart;
  }

  void take_from_file(const Message& message) {
    const SharedBytes metadata = read_bytes(input_, message.metadata_at(), message.size);
    if (!metadata) throw Unreadable{message.path().text(), "it cannot be read"};
    take(message, metadata);
  }

  void take(const Message& message, const SharedBytes& metadata) {
    switch (message.header) {
      case Header::kSchema:
        if (!schema_)
          adopt(read_schema(header_of(metadata), options_.limits.objects), metadata,
                message.metadata_at());
        break;
      case Header::kDictionaryBatch: dictionary(message, metadata); break;
      case Header::kRecordBatch: record(message, metadata); break;
      default: losses_.push_back(message.path().text() + ": it is not a batch"); break;
    }
  }

  void adopt(Schema schema, const SharedBytes& bytes, std::uint64_t byte) {
    schema_ = std::move(schema);
    schema_->bytes = bytes;
    schema_->byte = byte;
    settle_schema(*schema_, silent_);
    if (!schema_->whole || !schema_->invalidated_by.empty())
      throw Unreadable{"the schema", "it is invalid"};
    for (const auto& [id, fields] : schema_->dictionaries) dictionaries_[id].field = fields.front();
    for (const Field& field : schema_->fields) {
      exchange::Field made = neutral_field(field);
      if (field.encoding) {
        United& united = dictionaries_.at(field.encoding->id);
        if (!united.labels) {
          united.labels = std::make_shared<exchange::Labels>();
          united.labels->type = made.type;
          united.labels->values = exchange::empty_array(made.type);
        }
        made.type = {.kind = exchange::Kind::kInteger,
                     .width = 8,
                     .is_signed = true,
                     .labels = united.labels,
                     .ordered = field.encoding->ordered};
      }
      table_.columns.push_back(exchange::empty_array(made.type));
      table_.schema.fields.push_back(std::move(made));
    }
    for (const KeyValue& pair : schema_->metadata)
      table_.schema.metadata.emplace_back(pair.key.value_or(""), pair.value.value_or(""));
  }

  void dictionary(const Message& message, const SharedBytes& metadata) {
    if (!schema_) throw Unreadable{message.path().text(), "it precedes the schema"};
    const DictionaryBatch said = read_dictionary_batch(metadata);
    const auto it = dictionaries_.find(said.id);
    if (it == dictionaries_.end()) return;  // for no field
    if (!said.is_delta) it->second.batches.clear();
    it->second.batches.emplace_back(message, metadata);
    // Other dictionaries may contain keys of this one.
    for (auto& [id, united] : dictionaries_) united.read = false;
  }

  // The values of the present dictionary. Its inner dictionaries may follow it.
  United& settled(std::int64_t id) {
    United& united = dictionaries_.at(id);
    if (united.read) return united;
    if (!under_way_.insert(id).second)
      throw Unreadable{std::format("dictionary {}", id), "it contains keys of itself"};
    const exchange::Type type = neutral_type(*united.field);
    united.values = exchange::empty_array(type);
    for (const auto& [message, metadata] : united.batches) {
      const DictionaryBatch said = read_dictionary_batch(metadata);
      Batch batch = read_batch(message, metadata, said.data);
      exchange::append(type, united.values, columns(batch, {.values = united.field}, true).front());
    }
    united.read = true;
    under_way_.erase(id);
    if (!united.labels) return united;
    united.positions.clear();
    for (std::uint64_t i = 0; i < united.values.length; ++i)
      united.positions.push_back(label(united, type, i));
    return united;
  }

  // The position of a value among the labels, to which it is added if necessary; none for a null.
  std::int64_t label(United& united, const exchange::Type& type, std::uint64_t i) {
    if (united.values.null(i)) return kNoLabel;
    const auto next = static_cast<std::int64_t>(united.labels->values.length);
    const auto [it, added] = united.known.emplace(exchange::identity(type, united.values, i), next);
    if (added)
      exchange::append(type, united.labels->values, exchange::slice(type, united.values, i, 1));
    return it->second;
  }

  std::vector<exchange::Array> columns(Batch& batch, const Columns& columns, bool below) {
    const Path path = batch.message.path();
    if (!judge_batch(batch, columns, path, silent_) || !batch.message.body_inside ||
        !batch.unreadable_by.empty())
      throw Unreadable{path.text(), "it cannot be read"};
    Body body(input_, batch, budget_, spare_, true, budget_.memory());
    ArrayReader reader(body, schema_->order(), memory_, silent_,
                       [this](const Field& field, exchange::Array keys, bool inside) {
                         return decoded(field, std::move(keys), inside);
                       });
    std::vector<exchange::Array> made;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      made.push_back(reader.column(columns[i], columns.layout(i)));
      if (!below && made.back().length != static_cast<std::uint64_t>(batch.length))
        throw Unreadable{path.text(), "its columns have different lengths"};
    }
    return made;
  }

  exchange::Array decoded(const Field& field, exchange::Array keys, bool below) {
    United& united = settled(field.encoding->id);
    const exchange::Type type = neutral_type(field);
    exchange::Array values = below ? exchange::empty_array(type) : exchange::Array();
    for (std::uint64_t i = 0; i < keys.length; ++i) {
      std::int64_t key = 0;
      std::memcpy(&key, keys.bytes.data() + 8 * i, 8);
      const bool inside = key >= 0 && static_cast<std::uint64_t>(key) < united.values.length;
      // Below a column, a key without a value is under a null of a parent.
      if (!inside && !keys.null(i) && !below)
        throw Unreadable{std::format("field \"{}\"", field.name.value_or("")),
                         std::format("key {} has no value", key)};
      const bool known = inside && !keys.null(i);
      if (below) {
        memory_.take(1, 8);
        exchange::append(
            type, values,
            known ? exchange::slice(type, united.values, static_cast<std::uint64_t>(key), 1)
                  : null_value(type));
        continue;
      }
      key = known ? united.positions[static_cast<std::uint64_t>(key)] : kNoLabel;
      std::memcpy(keys.bytes.data() + 8 * i, &key, 8);
      if (key == kNoLabel) keys.set_null(i);
    }
    return below ? std::move(values) : std::move(keys);
  }

  static exchange::Array null_value(const exchange::Type& type) {
    exchange::Array made = exchange::empty_array(type);
    made.length = 1;
    using enum exchange::Kind;
    if (type.kind == kBoolean) made.bytes.resize(1);
    if (type.kind == kInteger || type.kind == kFloat || type.kind == kFixedBytes)
      made.bytes.resize(type.width);
    if (!made.offsets.empty()) made.offsets.push_back(0);
    const std::uint64_t inside = type.kind == kFixedList ? type.width
                                 : type.kind == kStruct  ? 1
                                                         : 0;
    for (std::size_t k = 0; k < type.children.size(); ++k)
      for (std::uint64_t i = 0; i < inside; ++i)
        exchange::append(type.children[k].type, made.children[k],
                         null_value(type.children[k].type));
    made.set_null(0);
    return made;
  }

  void record(const Message& message, const SharedBytes& metadata) {
    if (!schema_) throw Unreadable{message.path().text(), "it precedes the schema"};
    Batch batch = read_batch(message, metadata, header_of(metadata));
    std::vector<exchange::Array> made = columns(batch, {.fields = &schema_->fields}, false);
    for (std::size_t i = 0; i < made.size(); ++i)
      exchange::append(table_.schema.fields[i].type, table_.columns[i], made[i]);
    table_.rows += static_cast<std::uint64_t>(batch.length);
  }

  // Keys of the width of the field, or of the next width that fits all labels.
  void narrow() {
    for (std::size_t c = 0; c < table_.columns.size(); ++c) {
      const Field& field = schema_->fields[c];
      if (!field.encoding) continue;
      exchange::Type& type = table_.schema.fields[c].type;
      settled(field.encoding->id);  // including dictionaries that no row uses
      type.width = static_cast<std::uint64_t>(field.encoding->bit_width) / 8;
      type.is_signed = field.encoding->is_signed;
      const auto room = [&] {
        const auto bits = static_cast<unsigned>(8 * type.width) - (type.is_signed ? 1u : 0u);
        return bits >= 63 || type.labels->values.length < (std::uint64_t{1} << bits);
      };
      while (type.width < 8 && !room()) type.width *= 2;
      exchange::Array& keys = table_.columns[c];
      exchange::Buffer narrow(keys.length * type.width);
      for (std::uint64_t i = 0; i < keys.length; ++i)
        std::memcpy(narrow.data() + i * type.width, keys.bytes.data() + 8 * i, type.width);
      keys.bytes = std::move(narrow);
    }
  }

  const Bytes& input_;
  const FileOptions& options_;
  InputBudget budget_;
  SpareSlabs spare_;
  Memory memory_;
  Notes silent_;
  Notes::Silence silence_;
  std::optional<Schema> schema_{};
  std::map<std::int64_t, United> dictionaries_{};
  std::set<std::int64_t> under_way_{};
  exchange::Table table_{};
  std::vector<std::string> losses_{};
};

}  // namespace

Result<ReadTable> read_table(const Bytes& input, const FileOptions& options, std::uint64_t memory) {
  try {
    return TableReader(input, options, memory).read();
  } catch (const Unreadable& wrong) {
    return failure(wrong.where, wrong.why);
  }
}

}  // namespace hepcheck::arrow
