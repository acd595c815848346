// Streams in which dictionaries come, grow, are replaced, are missing or belong to no field, in any
// order with record batches whose keys need them. What is said of them is what the order of
// messages says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <format>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "validator/formats/arrow/testing/build.h"
#include "validator/formats/arrow/testing/judge.h"
#include "validator/testing/random.h"

namespace hepcheck::arrow::random_dictionaries {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

// How often a clause was asked, and the first violation of it.
struct Asked {
  std::uint64_t times = 0;
  std::string first{};

  void ask(bool good, const std::string& observed) {
    ++times;
    if (!good && first.empty()) first = observed;
  }
  std::string text() const {
    if (times == 0) return "not applicable";
    return first.empty() ? std::format("pass {}", times) : std::format("fail {}: {}", times, first);
  }
};

struct State {
  bool seen = false, defined = false, invalid = false, missing = false;
  std::uint64_t length = 0;
};

// Reads messages as they come.
class Reader {
 public:
  explicit Reader(std::vector<std::int64_t> columns) : columns_(std::move(columns)) {
    for (const std::int64_t id : columns_) states_[id];
  }

  void dictionary(std::int64_t id, std::uint64_t length, bool delta) {
    const bool known = states_.contains(id);
    in_schema.ask(known, std::format("id {}", id));
    if (!known) return;
    State& state = states_[id];
    const bool first = !state.seen;
    state.seen = true;
    if (delta) {
      base.ask(state.defined, std::format("a delta for id {}", id));
      state.invalid = state.invalid || !state.defined;
    }
    if (first && !state.missing && !(delta && !state.defined))
      before_batches.ask(batches_ == 0,
                         std::format("the first dictionary of id {} after a record batch", id));
    state.length = delta ? state.length + length : length;
    state.defined = state.defined || !delta;
  }

  // The greatest key of each column; none if it has no key.
  void record(const std::vector<std::optional<std::uint64_t>>& greatest) {
    ++batches_;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      State& state = states_[columns_[i]];
      if (!greatest[i] || missed_.contains(i) || state.invalid) continue;
      before_use.ask(state.defined, std::format("no dictionary of id {}", columns_[i]));
      if (!state.defined) {
        missed_.insert(i);
        state.missing = true;
        continue;
      }
      in_range.ask(*greatest[i] < state.length, std::format("index {}", *greatest[i]));
    }
  }

  void end() {
    if (batches_ == 0) return;
    for (const auto& [id, state] : states_)
      if (!state.missing) included.ask(state.seen, std::format("no dictionary of id {}", id));
  }

  Asked in_schema{}, base{}, before_batches{}, before_use{}, in_range{}, included{};

 private:
  std::vector<std::int64_t> columns_;
  std::map<std::int64_t, State> states_{};
  std::set<std::size_t> missed_{};
  std::uint64_t batches_ = 0;
};

Bytes dictionary_message(std::int64_t id, std::uint64_t length, bool delta) {
  const auto values = static_cast<std::int64_t>(length);
  const BodyOf body = body_of({"", Bytes(length, '\1')});
  return message(kDictionaryTag,
                 dictionary_batch(id, record_batch(values, {{values, 0}}, body), delta),
                 body.bytes);
}

TEST(RandomDictionaries, FollowTheOrderOfMessages) {
  for (std::uint64_t seed = 0; seed < 800; ++seed) {
    Random random(seed);
    std::vector<std::int64_t> columns;
    Tables fields;
    for (std::uint64_t n = 1 + random.below(3); n > 0; --n) {
      columns.push_back(static_cast<std::int64_t>(random.below(3)));
      fields.push_back(dictionary(field("k", kIntTag, int_type(8)), columns.back()));
    }
    Reader reader(columns);
    Bytes stream = message(kSchemaTag, schema(fields));
    const bool orderly = random.once_in(2);
    if (orderly)
      for (const std::int64_t id : std::set(columns.begin(), columns.end())) {
        reader.dictionary(id, 3, false);
        stream += dictionary_message(id, 3, false);
      }
    for (std::uint64_t n = 1 + random.below(7); n > 0; --n) {
      if (random.once_in(2)) {
        const std::int64_t id = random.once_in(12) ? 7 : random.once_in(2) ? columns[0] : 1;
        const std::uint64_t length = random.below(5);
        const bool delta = random.once_in(2);
        reader.dictionary(id, length, delta);
        stream += dictionary_message(id, length, delta);
        continue;
      }
      constexpr std::int64_t kRows[] = {0, 1, 3, 70};
      const std::int64_t rows = random.one_of(kRows);
      std::vector<std::optional<std::uint64_t>> greatest;
      std::vector<NodeOf> nodes;
      std::vector<Bytes> buffers;
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const bool null = random.once_in(6);
        std::optional<std::uint64_t> most;
        Bytes keys;
        for (std::int64_t row = 0; row < rows; ++row) {
          const std::uint64_t key = random.below(random.once_in(70) ? 12 : 3);
          keys += raw(static_cast<std::int32_t>(key));
          if (!null) most = std::max(most.value_or(0), key);
        }
        greatest.push_back(most);
        nodes.push_back({rows, null ? rows : 0});
        const auto bytes = static_cast<std::size_t>((rows + 7) / 8);
        buffers.insert(buffers.end(), {null ? Bytes(bytes, '\0') : Bytes(), keys});
      }
      reader.record(greatest);
      stream += batch(rows, nodes, buffers);
    }
    reader.end();
    const std::vector<std::string> results =
        results_of(stream + end_of_stream(), "arrow-columnar-1.5",
                   {"arrow-dictionary-id-in-schema", "arrow-dictionary-delta-has-base",
                    "arrow-stream-initial-dictionaries-first", "arrow-stream-dictionary-before-use",
                    "arrow-dictionary-index-in-range", "arrow-stream-dictionary-included"});
    const Asked* const asked[] = {&reader.in_schema,  &reader.base,     &reader.before_batches,
                                  &reader.before_use, &reader.in_range, &reader.included};
    for (std::size_t i = 0; i < results.size(); ++i)
      EXPECT_EQ(results[i], asked[i]->text()) << seed << ' ' << i;
  }
}

}  // namespace
}  // namespace hepcheck::arrow::random_dictionaries
