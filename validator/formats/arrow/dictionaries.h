// The state of the dictionaries while a stream is read: chapter 4.7, and the keys of chapter 2.12.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "validator/formats/arrow/array.h"
#include "validator/formats/arrow/message.h"
#include "validator/formats/arrow/schema.h"

namespace hepcheck::arrow {

// The contents of a DictionaryBatch table.
struct DictionaryBatch {
  std::int64_t id = 0;
  bool is_delta = false;
  Table data{};
};
DictionaryBatch read_dictionary_batch(const SharedBytes& metadata);

// The keys of an array after its batch: the largest, and its position.
struct KeptKeys {
  const Field* field = nullptr;
  std::uint64_t most = 0;
  bool any = false;
  std::string object{};
  std::uint64_t byte = 0;
};

class Dictionaries {
 public:
  // `file`: all dictionaries precede the first record batch, and none is replaced.
  Dictionaries(const Schema& schema, bool file) : schema_(schema), file_(file) {}

  // Judges it. Returns the field whose values it contains; null if its data must not be judged.
  // `after_records`: a record batch came before it.
  const Field* begin(const DictionaryBatch& batch, bool after_records, const Place& place,
                     Notes& notes);
  // The result for its data: the number of values, and the keys in them. `readable`: false if it
  // could not be read.
  void end(const DictionaryBatch& batch, bool readable, std::uint64_t length,
           std::vector<KeptKeys> inner, Unwanted unwanted);

  // The keys of an array of a record batch.
  void use(const KeptKeys& keys, Notes& notes);
  // For such an array, before: the values of its dictionary that its extension type does not want.
  // Null: it was noted that they are not known, or the dictionary has another finding.
  const Unwanted* unwanted(const Field& field, Notes& notes) const;
  // Some could not be read, so none can be called missing.
  void some_unread() { unread_ = true; }
  // After the last message of a stream with record batches.
  void finish(const Path& schema, Notes& notes);

  std::size_t size() const { return states_.size(); }

 private:
  // The largest key in the values that leads to another dictionary.
  struct Inner {
    KeptKeys keys;
    const Field* extended = nullptr;  // with such keys, whose extension type limits the values
    // With which length it was compared last, and its value then.
    std::optional<std::pair<std::uint64_t, std::uint64_t>> compared{};
  };
  struct State {
    bool seen = false;     // there was one
    bool defined = false;  // there was one that is not a delta
    bool invalid = false;  // there was a delta before it
    bool readable = true;
    bool kept = false;  // the last one was not adopted: a replacement in a file
    std::uint64_t length = 0;
    std::map<std::int64_t, Inner> inner{};  // by the id of the other dictionary
    Unwanted unwanted{};
    std::uint64_t resolved = 0;  // the number of changes when the keys inside were last compared
  };

  void lose(std::int64_t id);
  void compare(const KeptKeys& keys, Notes& notes);
  void judge_values_inside(const Field& field, Notes& notes) const;
  void resolve(std::int64_t id, Notes& notes, std::set<std::int64_t>& on_the_way);

  const Schema& schema_;
  bool file_, unread_ = false;
  std::map<std::int64_t, State> states_{};
  std::uint64_t changes_ = 1;
  std::size_t unwanted_ = 0;          // kept in the states
  std::set<std::uint32_t> missed_{};  // fields whose dictionary was missing
  std::set<std::int64_t> missing_{};  // and its id
};

}  // namespace hepcheck::arrow
