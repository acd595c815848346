#include "validator/formats/arrow/dictionaries.h"

#include <algorithm>
#include <format>
#include <utility>

#include "validator/formats/arrow/rule.h"

namespace hepcheck::arrow {

namespace {

struct Known {
  const DictionaryBatch& batch;
  bool in_schema;
};

void id_in_schema(const Known& it, Look& look) {
  look.ask(
      it.in_schema, [&] { return std::format("id {}", it.batch.id); },
      "the id of a dictionary-encoded field");
}

void data_present(const Known& it, Look& look) {
  look.ask(it.batch.data.present(), "a dictionary batch without data",
           "a record batch of one column");
}

struct Base {
  const DictionaryBatch& batch;
  bool defined;
};

constexpr Rule kBase("arrow-dictionary-delta-has-base", [](const Base& it, Look& look) {
  if (!it.batch.is_delta) return;
  look.ask(
      it.defined, [&] { return std::format("a delta for id {}", it.batch.id); },
      "a dictionary of this id before it");
});

constexpr Rule kNoReplacement("arrow-file-no-dictionary-replacement", [](const Base& it,
                                                                         Look& look) {
  if (it.batch.is_delta) return;
  look.ask(
      !it.defined, [&] { return std::format("a second dictionary of id {}", it.batch.id); },
      "one for each id, and deltas");
});

struct First {
  std::int64_t id;
  bool after_records;
};

constexpr Rule kInitialFirst("arrow-stream-initial-dictionaries-first", [](const First& it,
                                                                           Look& look) {
  look.ask(
      !it.after_records,
      [&] { return std::format("the first dictionary of id {} after a record batch", it.id); },
      "the first dictionary of each id before the first record batch");
});

// A field in which some slots have keys.
struct Needed {
  std::int64_t id;
  bool defined;
};

void defined(const Needed& it, Look& look) {
  look.ask(
      it.defined, [&] { return std::format("no dictionary of id {}", it.id); },
      "the dictionary that the keys need");
}

struct KeyRange {
  std::uint64_t most, length;
};

constexpr Rule kInRange("arrow-dictionary-index-in-range", [](const KeyRange& it, Look& look) {
  look.ask(
      it.most < it.length, [&] { return std::format("index {}", it.most); },
      [&] { return std::format("an index below {}, the values of the dictionary", it.length); });
});

struct Included {
  std::int64_t id;
  bool there;
};

constexpr Rule kIncluded("arrow-stream-dictionary-included", [](const Included& it, Look& look) {
  look.ask(
      it.there, [&] { return std::format("no dictionary of id {}", it.id); },
      "a dictionary for each id of the schema");
});

constexpr Rule<Known> kKnown[] = {{"arrow-dictionary-id-in-schema", id_in_schema},
                                  {"arrow-dictionary-data-present", data_present}};
constexpr Rule<Needed> kBeforeUse("arrow-stream-dictionary-before-use", defined);
constexpr Rule<Needed> kDefined("arrow-file-dictionary-defined", defined);

}  // namespace

DictionaryBatch read_dictionary_batch(const SharedBytes& metadata) {
  const Table table = header_of(metadata);
  return {.id = table.get<std::int64_t>(dictionary_batch::kId),
          .is_delta = table.get<std::uint8_t>(dictionary_batch::kIsDelta) != 0,
          .data = table.table(dictionary_batch::kData)};
}

const Field* Dictionaries::begin(const DictionaryBatch& batch, bool after_records,
                                 const Place& place, Notes& notes) {
  const auto fields = schema_.dictionaries.find(batch.id);
  const bool first = fields != schema_.dictionaries.end() && !states_[batch.id].seen;
  if (fields != schema_.dictionaries.end()) states_[batch.id].seen = true;
  if (!judge<kKnown>(Known{batch, fields != schema_.dictionaries.end()}, place, notes)) {
    if (fields != schema_.dictionaries.end()) lose(batch.id);
    return nullptr;
  }
  if (schema_.unusable.contains(batch.id)) return nullptr;
  State& state = states_[batch.id];
  const Base base{batch, state.defined};
  if (!state.defined && unread_)
    lose(batch.id);  // its base may be what could not be read
  else if (!judge<kBase>(base, place, notes))
    state.invalid = true;
  else if (!file_ && first && !missing_.contains(batch.id))
    judge_each<kInitialFirst>(First{batch.id, after_records}, place, notes);
  state.kept = file_ && !judge<kNoReplacement>(base, place, notes);
  // Its values follow the extension type of any field.
  const auto extended = std::ranges::find_if(fields->second, [](const Field* field) {
    return field->extension.kind != Extension::Kind::kNone;
  });
  return extended == fields->second.end() ? fields->second.front() : *extended;
}

// Its values are not known, so no key can be called wrong.
void Dictionaries::lose(std::int64_t id) {
  State& state = states_[id];
  state.defined = true;
  state.readable = false;
}

namespace {

constexpr std::size_t kMostUnwanted = std::size_t{1} << 18;  // kept, of all dictionaries

// Those of a delta, whose values begin at slot `at` of the dictionary.
void add(Unwanted delta, std::uint64_t at, Unwanted& into) {
  into.known &= delta.known;
  into.too_many |= delta.too_many;
  into.inside.merge(delta.inside);
  into.too_many |= into.values.size() + delta.values.size() > Unwanted::kMost;
  if (into.too_many) return;
  for (Unwanted::Value& value : delta.values) {
    value.slot = sum(at, value.slot);
    into.values.push_back(value);
  }
}

}  // namespace

void Dictionaries::end(const DictionaryBatch& batch, bool readable, std::uint64_t length,
                       std::vector<KeptKeys> inner, Unwanted unwanted) {
  State& state = states_[batch.id];
  ++changes_;
  if (state.kept) return;
  unwanted_ -= state.unwanted.values.size();
  if (!batch.is_delta) {
    state.defined = true;
    state.readable = readable;
    state.length = length;
    state.inner.clear();
    state.unwanted = std::move(unwanted);
  } else {
    state.readable &= readable;
    add(std::move(unwanted), state.length, state.unwanted);
    state.length = sum(state.length, length);
  }
  state.unwanted.too_many |= unwanted_ + state.unwanted.values.size() > kMostUnwanted;
  if (state.unwanted.too_many) state.unwanted.values = {};
  unwanted_ += state.unwanted.values.size();
  for (KeptKeys& keys : inner) {
    const std::int64_t id = keys.field->encoding->id;
    const auto [it, added] = state.inner.try_emplace(id, Inner{keys});
    if (limits_values(*keys.field)) it->second.extended = keys.field;
    if (added) continue;
    KeptKeys& most = it->second.keys;
    if (keys.any && (!most.any || keys.most > most.most)) most = std::move(keys);
  }
}

void Dictionaries::use(const KeptKeys& keys, Notes& notes) {
  compare(keys, notes);
  std::set<std::int64_t> on_the_way;
  resolve(keys.field->encoding->id, notes, on_the_way);
}

void Dictionaries::compare(const KeptKeys& keys, Notes& notes) {
  const Path path{.kind = keys.object};
  const Place place{.path = &path, .byte = keys.byte};
  const std::int64_t id = keys.field->encoding->id;
  if (schema_.unusable.contains(id) || missed_.contains(keys.field->number)) return;
  const State& state = states_[id];
  if (state.invalid) return;
  if (!state.defined && unread_) return;
  const Needed needed{id, state.defined};
  if (!(file_ ? judge<kDefined>(needed, place, notes) : judge<kBeforeUse>(needed, place, notes))) {
    missed_.insert(keys.field->number);
    missing_.insert(id);
    return;
  }
  if (!state.readable || !keys.any) return;
  if (unread_ && keys.most >= state.length)
    block<kInRange>(place.object() + ": some dictionary batches could not be read", {}, notes);
  else
    judge_each<kInRange>(KeyRange{keys.most, state.length}, place, notes);
}

const Unwanted* Dictionaries::unwanted(const Field& field, Notes& notes) const {
  const std::int64_t id = field.encoding->id;
  const auto state = states_.find(id);
  if (unread_) {
    block_extension_values(field, "some dictionary batches could not be read", notes);
    return nullptr;
  }
  const bool known = state != states_.end() && state->second.defined && !state->second.invalid &&
                     state->second.readable && state->second.unwanted.known;
  if (!known) return nullptr;
  if (const Field* of = state->second.unwanted.of; of && of->extension != field.extension) {
    block_extension_values(
        field, std::format("dictionary {}: its values were compared with other metadata", id),
        notes);
    return nullptr;
  }
  return &state->second.unwanted;
}

// Which keys in the values of a dictionary are used is not recorded.
void Dictionaries::judge_values_inside(const Field& field, Notes& notes) const {
  const Unwanted* known = unwanted(field, notes);
  if (!known) return;
  if (known->values.empty() && !known->too_many) return pass_extension_values(field, 1, notes);
  block_extension_values(
      field,
      std::format("dictionary {}: which of its values are used by values of another dictionary is "
                  "not recorded",
                  field.encoding->id),
      notes);
}

void Dictionaries::resolve(std::int64_t id, Notes& notes, std::set<std::int64_t>& on_the_way) {
  State& state = states_[id];
  for (const Field* field : state.unwanted.inside)
    block_extension_values(
        *field,
        std::format("dictionary {}: which parts of its values are used is not recorded", id),
        notes);
  if (state.inner.empty() || state.resolved == changes_ || !on_the_way.insert(id).second) return;
  state.resolved = changes_;
  for (auto& [inner, kept] : state.inner) {
    const std::pair now{kept.keys.most, states_[inner].length};
    if (std::exchange(kept.compared, now) != now) compare(kept.keys, notes);
    if (kept.extended) judge_values_inside(*kept.extended, notes);
    resolve(inner, notes, on_the_way);
  }
}

void Dictionaries::finish(const Path& schema, Notes& notes) {
  for (const auto& [id, fields] : schema_.dictionaries) {
    if (missing_.contains(id) || schema_.unusable.contains(id)) continue;
    const auto state = states_.find(id);
    const bool there = state != states_.end() && state->second.seen;
    judge_each<kIncluded>(Included{id, there},
                          {.path = &schema, .byte = schema_.byte + fields.front()->at}, notes);
  }
}

void dictionary_rules(RuleList& list) {
  list.structure<kKnown, kBase, kNoReplacement, kInitialFirst>();
  list.values<kBeforeUse, kDefined, kInRange>();
  list.structure<kIncluded>();
}

}  // namespace hepcheck::arrow
