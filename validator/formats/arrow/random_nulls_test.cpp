// Columns in several layers of lists, structs, unions and runs, each with nulls of its own: how
// many of the values in the innermost one, which must not be null, are null where no layer hides
// them, is what following each slot says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <format>
#include <string>
#include <utility>
#include <vector>

#include "validator/formats/arrow/testing/build.h"
#include "validator/formats/arrow/testing/slots.h"
#include "validator/testing/random.h"

namespace hepcheck::arrow::random_nulls {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

class Layers {
 public:
  explicit Layers(std::uint64_t seed) : random_(seed) {
    rows_ = 1 + random_.below(90);
    const unsigned layers = 1 + random_.number(3);
    field_ = layer(layers, std::vector<bool>(rows_, true));
  }

  Bytes stream() const {
    const BodyOf body = body_of(buffers_);
    return message(kSchemaTag, schema({field_})) +
           message(kRecordTag, record_batch(static_cast<std::int64_t>(rows_), nodes_, body),
                   body.bytes) +
           end_of_stream();
  }
  std::size_t nulls() const { return nulls_; }
  const std::string& text() const { return text_; }

 private:
  using Visible = std::vector<bool>;  // slots that no layer hides so far

  TableOf with_child(std::uint8_t tag, TableOf type, unsigned left, const Visible& child) {
    return field("f", tag, std::move(type), {layer(left - 1, child)});
  }
  void add_offsets(const std::vector<std::int32_t>& offsets) {
    Bytes bytes;
    for (const std::int32_t each : offsets) bytes += raw(each);
    buffers_.push_back(bytes);
  }
  // With some slots that nothing refers to, which nothing hides.
  std::size_t some_more(std::size_t least) {
    return least + (random_.once_in(6) ? 1 + random_.below(3) : 0);
  }

  TableOf layer(unsigned left, Visible visible) {
    const std::size_t slots = visible.size();
    const std::uint64_t kind = left == 0 ? 0 : 1 + random_.below(7);
    text_ += std::format("{} ", kind);
    if (kind == 5 || kind == 6 || kind == 7) {
      nodes_.push_back({static_cast<std::int64_t>(slots), 0});
    } else {
      const Column column(random_, slots);
      nodes_.push_back({static_cast<std::int64_t>(slots), column.null_count});
      buffers_.push_back(column.validity);
      for (std::size_t i = 0; i < slots; ++i) {
        nulls_ += kind == 0 && visible[i] && column.nulls[i];
        visible[i] = visible[i] && !column.nulls[i];
      }
    }
    switch (kind) {
      case 0:
        buffers_.emplace_back(slots, '\1');
        return field("leaf", kIntTag, int_type(8), {}, false);
      case 1: return with_child(kStructTag, {}, left, visible);
      case 2: return list(left, visible);
      case 3: return fixed_size_list(left, visible);
      case 4: return list_view(left, visible);
      case 5: return sparse_union(left, visible);
      case 6: return dense_union(left, visible);
      default: return runs(left, visible);
    }
  }

  TableOf list(unsigned left, const Visible& visible) {
    std::vector<std::int32_t> offsets{0};
    for (std::size_t i = 0; i < visible.size(); ++i)
      offsets.push_back(offsets.back() + static_cast<std::int32_t>(random_.below(3)));
    Visible child(some_more(static_cast<std::size_t>(offsets.back())), true);
    for (std::size_t i = 0; i < visible.size(); ++i)
      for (std::int32_t at = offsets[i]; at < offsets[i + 1]; ++at)
        if (!visible[i]) child[static_cast<std::size_t>(at)] = false;
    add_offsets(offsets);
    return with_child(kListTag, {}, left, child);
  }

  TableOf fixed_size_list(unsigned left, const Visible& visible) {
    constexpr std::uint8_t kFixedSizeListTag = 16;
    const std::size_t size = random_.below(4);
    Visible child(some_more(size * visible.size()), true);
    for (std::size_t i = 0; i < size * visible.size(); ++i) child[i] = visible[i / size];
    return with_child(kFixedSizeListTag, {{{0, raw(static_cast<std::int32_t>(size))}}}, left,
                      child);
  }

  // A slot of the child that two lists have is visible if one of them is.
  TableOf list_view(unsigned left, const Visible& visible) {
    constexpr std::uint8_t kListViewTag = 25;
    const std::size_t length = random_.below(2 * visible.size() + 1);
    std::vector<std::int32_t> offsets, sizes;
    Visible hidden(length), seen(length), child(length);
    for (const bool each : visible) {
      const std::size_t begin = random_.below(length + 1);
      const std::size_t size = std::min(length - begin, static_cast<std::size_t>(random_.below(4)));
      for (std::size_t at = begin; at < begin + size; ++at) (each ? seen : hidden)[at] = true;
      offsets.push_back(static_cast<std::int32_t>(begin));
      sizes.push_back(static_cast<std::int32_t>(size));
    }
    for (std::size_t at = 0; at < length; ++at) child[at] = seen[at] || !hidden[at];
    add_offsets(offsets);
    add_offsets(sizes);
    return with_child(kListViewTag, {}, left, child);
  }

  TableOf sparse_union(unsigned left, const Visible& visible) {
    Bytes ids;
    for (std::size_t i = 0; i < visible.size(); ++i) ids += random_.once_in(2) ? '\0' : '\1';
    buffers_.push_back(ids);
    const TableOf first = layer(left - 1, visible);
    nodes_.push_back({static_cast<std::int64_t>(visible.size()), 0});
    buffers_.insert(buffers_.end(), {"", Bytes(visible.size(), '\1')});
    return field("u", kUnionTag, {{{0, raw(std::int16_t{0})}}},
                 {first, field("other", kIntTag, int_type(8))});
  }

  TableOf dense_union(unsigned left, const Visible& visible) {
    std::vector<std::int32_t> offsets;
    std::int32_t next = 0;
    for (std::size_t i = 0; i < visible.size(); ++i) {
      offsets.push_back(next);
      if (!random_.once_in(3)) ++next;
    }
    Visible child(some_more(static_cast<std::size_t>(next) + 1), true);
    for (const bool seen : {false, true})
      for (std::size_t i = 0; i < visible.size(); ++i)
        if (visible[i] == seen) child[static_cast<std::size_t>(offsets[i])] = seen;
    buffers_.emplace_back(visible.size(), '\0');
    add_offsets(offsets);
    return with_child(kUnionTag, {{{0, raw(std::int16_t{1})}}}, left, child);
  }

  TableOf runs(unsigned left, const Visible& visible) {
    constexpr std::uint8_t kRunEndTag = 22;
    std::vector<std::int32_t> ends;
    Visible child;
    for (std::size_t begin = 0; begin < visible.size();) {
      const std::size_t end = std::min<std::size_t>(visible.size(), begin + 1 + random_.below(4));
      bool any = false;
      for (std::size_t i = begin; i < end; ++i) any = any || visible[i];
      child.push_back(any);
      ends.push_back(static_cast<std::int32_t>(end));
      begin = end;
    }
    nodes_.push_back({static_cast<std::int64_t>(ends.size()), 0});
    buffers_.emplace_back();
    add_offsets(ends);
    return field("r", kRunEndTag, {},
                 {field("run_ends", kIntTag, int_type(), {}, false), layer(left - 1, child)});
  }

  Random random_;
  std::size_t rows_ = 0, nulls_ = 0;
  std::vector<NodeOf> nodes_{};
  std::vector<Bytes> buffers_{};
  std::string text_{};
  TableOf field_{};
};

TEST(RandomNulls, CountWhereNothingHidesThem) {
  std::size_t some = 0;
  for (std::uint64_t seed = 0; seed < 1'500; ++seed) {
    const Layers layers(seed);
    some += layers.nulls() > 0;
    const std::string result =
        result_of(layers.stream(), "arrow-columnar-1.5", "arrow-field-not-nullable-no-nulls");
    const std::string wanted =
        layers.nulls() == 0 ? "pass" : std::format("fail 1: {} nulls", layers.nulls());
    // Fields of run ends are not nullable, either.
    EXPECT_EQ(result.substr(0, layers.nulls() == 0 ? 4 : result.size()), wanted)
        << seed << ": " << layers.text();
  }
  EXPECT_GT(some, 300u);
}

}  // namespace
}  // namespace hepcheck::arrow::random_nulls
