// Arrays of texts whose values are any parts of a buffer, so that some begin or end inside a
// character: what is found is what a simple decoder says of each visible slot.
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

namespace hepcheck::arrow::random_texts {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text[0]);
    const std::size_t size = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
    if (size == 0 || text.size() < size) return false;
    for (std::size_t i = 1; i < size; ++i)
      if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return false;
    text.remove_prefix(size);
  }
  return true;
}

// Whole characters of one to four bytes, rarely with a byte that is none.
Bytes some_text(Random& random, std::size_t size) {
  constexpr const char* kParts[] = {"a", "b c", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9D\x84\x9E"};
  const bool pure = random.once_in(2);
  Bytes made;
  while (made.size() < size) made += !pure && random.once_in(40) ? "\xff" : random.one_of(kParts);
  return made;
}

Bytes stream_of(std::uint8_t tag, const Column& column, const std::vector<Bytes>& buffers,
                std::size_t data_buffers) {
  const auto slots = static_cast<std::int64_t>(column.nulls.size());
  const BodyOf body = body_of(buffers);
  TableOf data = record_batch(slots, {{slots, column.null_count}}, body);
  if (tag == 24)
    data.fields.emplace_back(4u, Elements{8, raw(static_cast<std::int64_t>(data_buffers))});
  return message(kSchemaTag, schema({field("t", tag)})) + message(kRecordTag, data, body.bytes) +
         end_of_stream();
}

TEST(RandomTexts, InViews) {
  constexpr std::uint8_t kUtf8View = 24;
  std::size_t failures = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const std::size_t slots = some_slots(random);
    const Column column(random, slots);
    std::vector<Bytes> data(1 + random.below(3));
    for (Bytes& each : data) each = some_text(random, 40 + random.below(400));
    // All of them whole, a few that are not, or any parts, one behind the other or anywhere.
    const std::uint64_t odd = random.below(3);
    const bool in_turn = random.once_in(2);
    std::size_t at = 0, which = 0;
    Bytes views;
    std::vector<std::string_view> values;
    for (std::size_t i = 0; i < slots; ++i) {
      if (!in_turn || random.once_in(10)) which = random.below(data.size());
      const Bytes& buffer = data[which];
      if (!in_turn || at + 13 >= buffer.size()) at = random.below(buffer.size() - 13);
      std::size_t size = 13 + random.below(std::min<std::size_t>(20, buffer.size() - at - 12));
      if (odd == 0 || (odd == 1 && !random.once_in(50))) {
        const auto inside = [&](std::size_t place) {
          return place < buffer.size() &&
                 (static_cast<unsigned char>(buffer[place]) & 0xC0) == 0x80;
        };
        while (inside(at)) --at;
        while (inside(at + size)) ++size;
      }
      const std::string_view value = std::string_view(buffer).substr(at, size);
      values.push_back(value);
      views += raw(static_cast<std::int32_t>(value.size())) + Bytes(value.substr(0, 4)) +
               raw(static_cast<std::int32_t>(which)) + raw(static_cast<std::int32_t>(at));
      at += value.size();
    }
    std::vector<Bytes> buffers = {column.validity, views};
    buffers.insert(buffers.end(), data.begin(), data.end());
    const std::string result = wanted(column, [&](std::size_t i) { return is_utf8(values[i]); });
    failures += result.starts_with("fail");
    EXPECT_EQ(
        found(stream_of(kUtf8View, column, buffers, data.size()), "arrow-utf8-view-values-valid"),
        result)
        << seed;
  }
  EXPECT_GT(failures, 100u);
  EXPECT_LT(failures, 450u);
}

TEST(RandomTexts, BehindOffsets) {
  std::size_t failures = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const std::size_t slots = some_slots(random);
    const Column column(random, slots);
    const bool odd = random.once_in(2);
    Bytes data, offsets = raw(0);
    std::vector<std::size_t> ends;
    for (std::size_t i = 0; i < slots; ++i) {
      data += some_text(random, random.below(random.once_in(4) ? 40 : 4));
      // Some characters are parted between two slots.
      const std::size_t cut = odd && random.once_in(30) ? 1 : 0;
      const std::size_t before = ends.empty() ? 0 : ends.back();
      ends.push_back(std::max(before, data.size() - std::min(cut, data.size())));
      offsets += raw(static_cast<std::int32_t>(ends.back()));
    }
    std::vector<std::string_view> values;
    for (std::size_t i = 0; i < slots; ++i) {
      const std::size_t begin = i == 0 ? 0 : ends[i - 1];
      values.push_back(std::string_view(data).substr(begin, ends[i] - begin));
    }
    const std::string result = wanted(column, [&](std::size_t i) { return is_utf8(values[i]); });
    failures += result.starts_with("fail");
    EXPECT_EQ(found(stream_of(kUtf8Tag, column, {column.validity, offsets, data}, 0),
                    "arrow-utf8-values-valid"),
              result)
        << seed;
  }
  EXPECT_GT(failures, 100u);
  EXPECT_LT(failures, 450u);
}

}  // namespace
}  // namespace hepcheck::arrow::random_texts
