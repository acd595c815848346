// Views and run ends are looked at many at a time: a fault is found wherever it is among sound
// ones.
#include <gtest/gtest.h>
#include <zstd.h>

#include <array>
#include <string>

#include "validator/formats/arrow/testing/build.h"
#include "validator/formats/arrow/testing/judge.h"

namespace hepcheck::arrow {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

constexpr std::uint8_t kRunEndTag = 22, kUtf8ViewTag = 24;
constexpr std::string_view kSpec = "arrow-columnar-1.5";

// By turns a value in the view and one in the first or, in the second half, the second data buffer.
struct ManyViews {
  static constexpr std::size_t kSlots = 300;

  Bytes views{}, validity = Bytes(37, '\xFF') + '\x0F';
  std::array<Bytes, 2> data{};
  bool null = false;

  ManyViews() {
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
      Bytes& values = data[slot < kSlots / 2 ? 0 : 1];
      if (slot % 2 == 0)
        views += inside("ab");
      else
        views += outside(14, "aaaa", slot < kSlots / 2 ? 0 : 1, values.size());
      if (slot % 2 != 0) values += "aaaaaaaaaaaa\xC3\xA4";
    }
  }
  static Bytes inside(const Bytes& text, std::int32_t length = 2) {
    return raw(length) + text + Bytes(12 - text.size(), '\0');
  }
  static Bytes outside(std::int32_t length, const Bytes& prefix, std::int32_t buffer,
                       std::size_t offset) {
    return raw(length) + prefix + raw_all(buffer, static_cast<std::int32_t>(offset));
  }

  std::string result(std::string_view clause) const {
    const BodyOf body = body_of({validity, views, data[0], data[1]});
    TableOf header = record_batch(kSlots, {{kSlots, null ? 1 : 0}}, body);
    header.fields.emplace_back(4u, Elements{8, raw(std::int64_t{2})});
    return result_of(message(kSchemaTag, schema({field("v", kUtf8ViewTag)})) +
                         message(kRecordTag, header, body.bytes) + end_of_stream(),
                     kSpec, clause);
  }
};

TEST(Vectors, Views) {
  const struct {
    std::string_view clause;
    Bytes view;
  } faults[] = {
      {"arrow-view-length-not-negative", ManyViews::inside("ab", -1)},
      {"arrow-view-inline-padding-zero", ManyViews::inside("abc")},
      {"arrow-view-inline-padding-zero", ManyViews::inside("ab" + Bytes(9, '\0') + "c")},
      {"arrow-view-inline-padding-zero", ManyViews::inside("aaaaaaaaaa" + Bytes("\0c", 2), 10)},
      {"arrow-utf8-view-values-valid", ManyViews::inside("a\xFF")},
      {"arrow-view-buffer-index-in-range", ManyViews::outside(14, "aaaa", 2, 28)},
      {"arrow-view-buffer-index-in-range", ManyViews::outside(14, "aaaa", -1, 28)},
      {"arrow-view-range-in-buffer", ManyViews::outside(15, "aaaa", 0, 74 * 14)},
      {"arrow-view-prefix-equal", ManyViews::outside(14, "aaab", 0, 28)},
      {"arrow-utf8-view-values-valid", ManyViews::outside(14,
                                                          "\xA4"
                                                          "aaa",
                                                          0, 27)},
      {"arrow-utf8-view-values-valid", ManyViews::outside(13, "aaaa", 0, 28)}};
  for (const auto& [clause, view] : faults) {
    EXPECT_EQ(ManyViews().result(clause), "pass 300");
    for (const std::size_t slot : {0u, 1u, 62u, 63u, 64u, 149u, 150u, 255u, 256u, 299u}) {
      ManyViews many;
      many.views.replace(16 * slot, 16, view);
      EXPECT_EQ(many.result(clause).find("fail 300: slot " + std::to_string(slot) + ": "), 0u)
          << clause << ' ' << slot << ' ' << many.result(clause);
      // What is in a null slot does not count.
      many.validity[slot / 8] = static_cast<char>(many.validity[slot / 8] & ~(1 << slot % 8));
      many.null = true;
      EXPECT_EQ(many.result(clause), "pass 300") << slot;
    }
  }
}

// A byte in the middle of one value is no UTF-8, though its view and its borders are sound.
TEST(Vectors, DataOfViews) {
  for (const std::size_t slot : {1u, 63u, 65u, 149u, 151u, 255u, 299u}) {
    ManyViews many;
    constexpr std::size_t kFirst = ManyViews::kSlots / 2, kMiddle = 6, kSize = 14;
    const std::size_t number = (slot < kFirst ? slot : slot - kFirst) / 2;
    many.data[slot < kFirst ? 0 : 1].at(kSize * number + kMiddle) = '\xFF';
    EXPECT_EQ(many.result("arrow-utf8-view-values-valid")
                  .find("fail 300: slot " + std::to_string(slot) + ": "),
              0u)
        << slot << ' ' << many.result("arrow-utf8-view-values-valid");
    EXPECT_EQ(many.result("arrow-view-prefix-equal"), "pass 300");
  }
}

// One of the threads that share the views meets a data buffer that is too large for the limit.
TEST(Vectors, DataThatIsNotExamined) {
  constexpr std::size_t kSlots = (1 << 18) + 1, kData = 8 << 20;
  FileOptions options;
  options.limits.value_bytes = kData / 2;
  const auto result = [&](std::size_t slot) {
    Bytes views(16 * kSlots, '\0'), frame(ZSTD_compressBound(kData), '\0');
    views.replace(16 * slot, 16, ManyViews::outside(14, "aaaa", 0, 0));
    const Bytes data(kData, 'a');
    frame.resize(ZSTD_compress(frame.data(), frame.size(), data.data(), data.size(), 3));
    const BodyOf body =
        body_of({"", raw(std::int64_t{-1}) + views, raw(static_cast<std::int64_t>(kData)) + frame});
    TableOf header = record_batch(kSlots, {{kSlots, 0}}, body);
    header.fields.emplace_back(3u, TableOf{{{0, raw(std::int8_t{1})}}});
    header.fields.emplace_back(4u, Elements{8, raw(std::int64_t{1})});
    return result_of(message(kSchemaTag, schema({field("v", kUtf8ViewTag)})) +
                         message(kRecordTag, header, body.bytes) + end_of_stream(),
                     kSpec, "arrow-view-range-in-buffer", options);
  };
  for (const std::size_t slot : {std::size_t{0}, kSlots - 1})
    EXPECT_EQ(result(slot).find("not checked: "), 0u) << slot << ' ' << result(slot);
}

TEST(Vectors, RunEnds) {
  constexpr std::int32_t kRuns = 1200;
  const auto result = [](std::size_t changed, std::int32_t by) {
    Bytes ends;
    for (std::int32_t run = 0; run < kRuns; ++run) ends += raw(3 * run + 3);
    ends.replace(4 * changed, 4, raw(static_cast<std::int32_t>(3 * changed + 3) + by));
    const Bytes stream =
        message(kSchemaTag, schema({field("r", kRunEndTag, {},
                                          {field("run_ends", kIntTag, int_type(), {}, false),
                                           field("values", kIntTag, int_type())})})) +
        batch(3 * kRuns, {{3 * kRuns, 0}, {kRuns, 0}, {kRuns, 0}},
              {Bytes(), ends, Bytes(), Bytes(4 * kRuns, '\1')}) +
        end_of_stream();
    return result_of(stream, kSpec, "arrow-run-ends-ascending");
  };
  EXPECT_EQ(result(5, 0), "pass 1200");
  for (const std::size_t run : {1u, 511u, 512u, 513u, 1024u, 1025u, 1199u}) {
    EXPECT_EQ(result(run, -2), "pass 1200") << run;
    EXPECT_EQ(result(run, -3).find("fail 1200: slot " + std::to_string(run) + ": "), 0u) << run;
  }
}

}  // namespace
}  // namespace hepcheck::arrow
