// Columns of views of any values, of which some are wrong, beyond the first part of a column that
// is read in parts as well: which slot is named first, and how many there are, is what a loop over
// the slots says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/arrow/testing/build.h"
#include "validator/formats/arrow/testing/slots.h"
#include "validator/testing/random.h"
#include "validator/utf8.h"

namespace hepcheck::arrow::random_views {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

constexpr std::uint8_t kBinaryViewTag = 23, kUtf8ViewTag = 24;
constexpr std::size_t kInside = 12;  // the longest value that a view contains
// Of the views that are read at once, and of those that are shared out to threads.
constexpr std::size_t kPart = 16'384, kPiece = 262'144;

struct Verdicts {
  bool length = true, padding = true, index = true, range = true, prefix = true, text = true;
};

class Views {
 public:
  Views(Random& random, std::size_t slots, std::uint64_t rarely)
      : random_(random), rarely_(rarely), data_(random.below(4)) {
    const bool broken = random.once_in(3);
    for (Bytes& each : data_) {
      const std::size_t size = 60 + random.below(200);
      while (each.size() < size)
        each += random.once_in(4) ? "\xC3\xA4" : broken && random.once_in(60) ? "\xC3" : "a";
    }
    for (std::size_t i = 0; i < slots; ++i) add();
  }

  const std::vector<Verdicts>& verdicts() const { return verdicts_; }
  Bytes stream(const Column& column, std::uint8_t tag) const {
    std::vector<Bytes> buffers{column.validity, views_};
    buffers.insert(buffers.end(), data_.begin(), data_.end());
    const BodyOf body = body_of(buffers);
    const auto slots = static_cast<std::int64_t>(verdicts_.size());
    TableOf header = record_batch(slots, {{slots, column.null_count}}, body);
    header.fields.emplace_back(4u, Elements{8, raw(static_cast<std::int64_t>(data_.size()))});
    return message(kSchemaTag, schema({field("v", tag)})) +
           message(kRecordTag, header, body.bytes) + end_of_stream();
  }

 private:
  bool wrong() { return random_.once_in(rarely_); }

  void add() {
    Verdicts good;
    if (wrong())
      add_wrong_length(good);
    else if (data_.empty() || random_.once_in(2))
      add_inside(good);
    else
      add_outside(good);
    verdicts_.push_back(good);
  }

  void add_wrong_length(Verdicts& good) {
    const std::int32_t lengths[] = {-1, -13, INT32_MIN};
    views_ += raw(random_.one_of(lengths)) + Bytes(12, '\xFF');
    good.length = false;
  }

  void add_inside(Verdicts& good) {
    const std::size_t length = random_.below(kInside + 1);
    Bytes value;
    while (value.size() < length) value += random_.once_in(9) ? "\xC3\xA4" : "b";
    if (!wrong() && value.size() > length) value.back() = '\0', value[length - 1] = 'c';
    value.resize(length);
    good.text = is_utf8(value);
    Bytes all = value + Bytes(kInside - length, '\0');
    if (length < kInside && wrong()) {
      all[length + random_.below(kInside - length)] = random_.once_in(2) ? '\1' : '\xF0';
      good.padding = false;
    }
    views_ += raw(static_cast<std::int32_t>(length)) + all;
  }

  void add_outside(Verdicts& good) {
    std::size_t index = random_.below(data_.size());
    const Bytes& data = data_[index];
    const std::size_t begin =
        random_.once_in(3) && end_ < data.size() ? end_ : random_.below(data.size());
    std::size_t length = kInside + 1 + random_.below(30);
    if (begin + length > data.size() || random_.once_in(9)) length = data.size() - begin;
    if (wrong()) {
      good.range = false;
      length = data.size() - begin + 1;
    }
    if (length <= kInside) return add_inside(good = {});
    auto offset = static_cast<std::int32_t>(begin);
    if (good.range && wrong()) {
      good.range = false;
      offset = random_.once_in(2) ? -1 : static_cast<std::int32_t>(data.size());
    }
    Bytes prefix = data.substr(begin, 4) + Bytes(4, 'x');
    prefix.resize(4);
    if (good.range) {
      end_ = begin + length;
      // Of what is needed only: not the rest of the text.
      good.text = is_utf8(std::string_view(data).substr(begin, length));
      if (wrong()) {
        ++prefix[random_.below(4)];
        good.prefix = false;
      }
    }
    if (wrong()) {
      good = {.index = false};
      const std::size_t others[] = {data_.size(), data_.size() + 1, 0xFFFF'FFFF};
      index = random_.one_of(others);
    }
    views_ += raw(static_cast<std::int32_t>(length)) + prefix +
              raw_all(static_cast<std::uint32_t>(index), offset);
  }

  Random& random_;
  std::uint64_t rarely_;
  std::vector<Bytes> data_;
  std::size_t end_ = 0;  // of the value before
  Bytes views_{};
  std::vector<Verdicts> verdicts_{};
};

void compare(std::uint64_t seed, std::size_t slots) {
  Random random(seed);
  const std::uint64_t often[] = {slots * 4, 300, 30, 1'000'000};
  const Column column(random, slots);
  const std::uint64_t rarely = random.one_of(often);
  const Views views(random, slots, rarely);
  const bool texts = !random.once_in(3);
  const Bytes stream = views.stream(column, texts ? kUtf8ViewTag : kBinaryViewTag);
  const struct {
    std::string_view clause;
    bool Verdicts::* good;
  } clauses[] = {{"arrow-view-length-not-negative", &Verdicts::length},
                 {"arrow-view-inline-padding-zero", &Verdicts::padding},
                 {"arrow-view-buffer-index-in-range", &Verdicts::index},
                 {"arrow-view-range-in-buffer", &Verdicts::range},
                 {"arrow-view-prefix-equal", &Verdicts::prefix},
                 {"arrow-utf8-view-values-valid", &Verdicts::text}};
  std::vector<std::string_view> ids;
  for (const auto& each : clauses) ids.push_back(each.clause);
  const std::vector<std::string> results = results_of(stream, "arrow-columnar-1.5", ids);
  for (std::size_t n = 0; n < ids.size(); ++n) {
    const auto member = clauses[n].good;
    const bool applies = texts || member != &Verdicts::text;
    const auto good = [&](std::size_t i) { return views.verdicts()[i].*member; };
    EXPECT_EQ(without_values(results[n]), applies ? wanted(column, good) : "not applicable")
        << ids[n] << ' ' << seed << ' ' << slots;
  }
}

TEST(RandomViews, OfFewSlots) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    compare(seed, some_slots(random));
  }
}

TEST(RandomViews, OfManySlots) {
  constexpr std::size_t kSlots[] = {kPart - 1,      kPart,     kPart + 1, kPart + 64,
                                    2 * kPart - 63, 2 * kPart, kPart + 9, kPiece + 70};
  for (std::uint64_t seed = 0; seed < 8; ++seed) compare(seed, kSlots[seed]);
}

// Long texts that all contain the same wrong byte: each of them is read from there on, until the
// bytes that were read are out of proportion to the input. Then nothing is said of the JSON in
// them.
TEST(RandomViews, OfTextsThatOverlapTooOften) {
  constexpr std::size_t kLength = 1'000'000, kAlways = std::size_t{64} << 20, kTimes = 16;
  const Bytes data = Bytes(10, '1') + '\xFF' + Bytes(kLength - 11, '1');
  TableOf type = field("v", kUtf8ViewTag);
  type.fields.emplace_back(6u,
                           Tables{{{{0, Text{"ARROW:extension:name"}}, {1, Text{"arrow.json"}}}}});
  for (const std::size_t slots : {1u, 40u, 80u, 90u, 200u}) {
    Bytes views;
    for (std::size_t i = 0; i < slots; ++i)
      views += raw(static_cast<std::int32_t>(kLength)) + "1111" + raw_all(0, 0);
    const BodyOf body = body_of({"", views, data});
    const auto count = static_cast<std::int64_t>(slots);
    TableOf header = record_batch(count, {{count, 0}}, body);
    header.fields.emplace_back(4u, Elements{8, raw(std::int64_t{1})});
    const Bytes stream = message(kSchemaTag, schema({type})) +
                         message(kRecordTag, header, body.bytes) + end_of_stream();
    const std::vector<std::string> results = results_of(
        stream, "arrow-columnar-1.5", {"arrow-utf8-view-values-valid", "arrow-json-values-valid"});
    const std::size_t most = kAlways + kTimes * stream.size();
    const bool refused = slots * (kLength - 10) > most;
    EXPECT_TRUE(results[0].starts_with("fail")) << slots << ' ' << results[0];
    EXPECT_EQ(results[1], refused
                              ? "not checked: batch[0].field[0:\"v\"]: its values overlap too often"
                              : "not applicable")
        << slots;
  }
}

}  // namespace
}  // namespace hepcheck::arrow::random_views
