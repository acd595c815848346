// The streams and files of the corpus in other forms: with messages framed as before format 0.15,
// in another order, twice or missing; with and without an end; streams taken out of files; files
// whose blocks lead elsewhere, or which have bytes before or behind the stream. Each is judged by
// the revision that it chooses, and by that of its fixture. What is reported, and the tables that
// are read, equal the golden file, which has a line for each form.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <format>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/corpus.h"
#include "conformance/table_text.h"
#include "fuzz/variations/byte_mutations.h"
#include "validator/bytes.h"
#include "validator/catalogue/clause.h"
#include "validator/examine_file.h"
#include "validator/fnv1a.h"
#include "validator/formats/arrow/exchange/read_table.h"
#include "validator/formats/arrow/testing/build.h"
#include "validator/testing/golden_files.h"
#include "validator/testing/random.h"

namespace hepcheck::arrow::forms {
namespace {

using testing::Bytes;
using testing::raw;
using testing::raw_all;

template <class T>
T number_at(std::string_view bytes, std::size_t at) {
  T made{};
  if (at <= bytes.size() && bytes.size() - at >= sizeof made)
    std::memcpy(&made, bytes.data() + at, sizeof made);
  return made;
}

// Where a field of the root table of a flatbuffer is; 0 if it is absent.
std::size_t field_at(std::string_view buffer, unsigned field) {
  const std::size_t table = number_at<std::uint32_t>(buffer, 0);
  const std::size_t names =
      table - static_cast<std::size_t>(std::int64_t{number_at<std::int32_t>(buffer, table)});
  if (4 + 2 * field >= number_at<std::uint16_t>(buffer, names)) return 0;
  const std::size_t offset = number_at<std::uint16_t>(buffer, names + 4 + 2 * field);
  return offset == 0 ? 0 : table + offset;
}

constexpr std::uint32_t kContinuation = 0xFFFFFFFF;
constexpr std::size_t kBegin = 8, kEnd = 10;  // before the stream of a file, and behind its footer

// A file in parts; a stream has messages only.
struct Parts {
  Bytes begin{}, footer{};
  std::vector<Bytes> messages{};
  Bytes rest{};  // the end of the stream, and what is not taken apart

  bool file() const { return !begin.empty(); }
  Bytes bytes() const {
    Bytes made = begin;
    for (const Bytes& each : messages) made += each;
    return made + rest + footer;
  }
};

Parts parts_of(std::string_view input) {
  Parts made;
  if (input.starts_with("ARROW1") && input.size() > kBegin + kEnd) {
    const std::size_t size = number_at<std::uint32_t>(input, input.size() - kEnd) + kEnd;
    const std::size_t footer = size < input.size() - kBegin ? input.size() - size : input.size();
    made.begin = input.substr(0, kBegin);
    made.footer = input.substr(footer);
    input = input.substr(kBegin, footer - kBegin);
  }
  while (number_at<std::uint32_t>(input, 0) == kContinuation) {
    const std::uint64_t metadata = number_at<std::uint32_t>(input, 4);
    if (metadata == 0 || metadata > input.size() - 8) break;
    const std::size_t body = field_at(input.substr(8, metadata), 3);
    const auto length = body == 0 ? 0 : number_at<std::uint64_t>(input, 8 + body);
    if (length > input.size() - 8 - metadata) break;
    const std::uint64_t size = 8 + metadata + length;
    made.messages.emplace_back(input.substr(0, size));
    input.remove_prefix(size);
  }
  made.rest = input;
  return made;
}

// As before 0.15: the size alone, and four more bytes of padding.
Bytes framed_before(const Bytes& message) {
  const std::uint32_t size = number_at<std::uint32_t>(message, 4);
  return raw(size + 4) + message.substr(8, size) + raw(0) + message.substr(8 + size);
}

// --- Forms ---------------------------------------------------------------------------------------

using Form = void (*)(Parts&, Random&);

void old_framing(Parts& it, Random&) {
  for (Bytes& each : it.messages) each = framed_before(each);
  if (it.rest == testing::end_of_stream()) it.rest = raw_all(0, 0);
}

void old_framing_of_one(Parts& it, Random& random) {
  if (it.messages.empty()) return;
  Bytes& one = it.messages[random.below(it.messages.size())];
  one = framed_before(one);
}

void another_order(Parts& it, Random& random) {
  if (it.messages.size() < 2) return;
  const std::size_t i = random.below(it.messages.size() - 1);
  std::swap(it.messages[i], it.messages[i + 1]);
}

void one_message_twice(Parts& it, Random& random) {
  if (it.messages.empty()) return;
  const std::size_t i = random.below(it.messages.size()), j = random.below(it.messages.size() + 1);
  const Bytes copy = it.messages[i];
  it.messages.insert(it.messages.begin() + static_cast<std::ptrdiff_t>(j), copy);
}

void one_message_missing(Parts& it, Random& random) {
  if (it.messages.empty()) return;
  it.messages.erase(it.messages.begin() +
                    static_cast<std::ptrdiff_t>(random.below(it.messages.size())));
}

void another_end(Parts& it, Random& random) {
  const Bytes ends[] = {"",
                        raw(0),
                        raw_all(0, 0),
                        raw(kContinuation),
                        testing::end_of_stream() + testing::end_of_stream(),
                        testing::end_of_stream() + raw_all(0, 0, 0),
                        raw_all(8, 0, 0),
                        raw_all(0xFFFFFFFE, 0)};
  it.rest = ends[random.below(std::size(ends))];
}

void stream_of_file(Parts& it, Random&) {
  it.begin.clear();
  it.footer.clear();
}

void zeros_before_the_stream(Parts& it, Random& random) {
  it.begin += Bytes(8 * (1 + random.below(8)), '\0');
}

// One of the two lists of blocks in a footer; empty if it is not inside.
struct List {
  std::size_t at = 0;
  std::uint32_t count = 0;
};
constexpr std::size_t kBlock = 24;

List list_of(const Bytes& footer, Random& random) {
  const std::size_t field = field_at(footer, 2 + random.number(2));
  if (field == 0) return {};
  const std::size_t at = field + number_at<std::uint32_t>(footer, field);
  const auto count = number_at<std::uint32_t>(footer, at);
  if (at + 4 > footer.size() || count > (footer.size() - at - 4) / kBlock) return {};
  return {.at = at + 4, .count = count};
}

// A block leads to another place, most of them near the footer.
void other_blocks(Parts& it, Random& random) {
  const std::int64_t footer = static_cast<std::int64_t>(it.bytes().size() - it.footer.size());
  for (std::uint64_t n = 1 + random.below(2); n > 0; --n) {
    const List list = list_of(it.footer, random);
    if (list.count == 0) continue;
    const std::size_t block = list.at + kBlock * random.below(list.count);
    const auto offset = number_at<std::int64_t>(it.footer, block),
               body = number_at<std::int64_t>(it.footer, block + 16);
    const auto metadata = number_at<std::int32_t>(it.footer, block + 8);
    const auto put = [&](std::size_t where, const Bytes& bytes) {
      it.footer.replace(block + where, bytes.size(), bytes);
    };
    const std::int64_t places[] = {footer - 16, footer - 12, footer - 9, footer - 8, footer - 7,
                                   footer - 4,  footer - 1,  footer,     footer + 8, 8,
                                   0,           offset + 8,  offset - 8, offset + 4};
    switch (random.below(5)) {
      case 0:
        put(16, raw(footer - offset - metadata + static_cast<std::int64_t>(random.below(3)) - 1));
        break;
      case 1: put(8, raw(metadata + (random.once_in(2) ? 8 : -8))); break;
      case 2: put(16, raw(body + (random.once_in(2) ? 8 : -8))); break;
      default:
        put(0, raw(random.one_of(places)));
        if (random.once_in(2))
          put(8, raw(std::int32_t{1 + static_cast<std::int32_t>(random.below(8))}) + raw(0) +
                     raw(std::int64_t{0}));
    }
  }
}

void count_of_blocks(Parts& it, Random& random) {
  if (const List list = list_of(it.footer, random); list.count > 0)
    it.footer.replace(list.at - 4, 4, raw(list.count - 1));
}

struct NamedForm {
  std::string_view name;
  Form make;
  bool of_files = false;
};
constexpr NamedForm kForms[] = {
    {"old framing", old_framing},
    {"old framing of one", old_framing_of_one},
    {"another order", another_order},
    {"one message twice", one_message_twice},
    {"one message missing", one_message_missing},
    {"another end", another_end},
    {"stream of a file", stream_of_file, true},
    {"zeros before the stream", zeros_before_the_stream, true},
    {"other blocks", other_blocks, true},
    {"other blocks, again", other_blocks, true},
    {"a block missing", count_of_blocks, true},
};

// --- Results -------------------------------------------------------------------------------------

std::string table_of(std::span<const std::byte> bytes) {
  const auto read = read_table(hepcheck::Bytes::of_image(bytes, "image"), {}, 1 << 20);
  if (!read) return read.error().text() + '\n';
  std::string text = conformance::table_text(read->table);
  for (const std::string& each : read->losses) text += each + '\n';
  return text;
}

TEST(Forms, ReportsAndTablesEqualTheGoldenFile) {
  fuzz::GoldenResults results;
  for (const conformance::Fixture* fixture : conformance::files_of_corpus()) {
    if (fixture->format != "arrow" || fixture->image.empty() || fixture->image.size() > 20'000)
      continue;
    const Parts parts =
        parts_of({reinterpret_cast<const char*>(fixture->image.data()), fixture->image.size()});
    const std::uint64_t name = fnv1a(fixture->file) >> 8;
    for (std::size_t i = 0; i < std::size(kForms); ++i) {
      const NamedForm& form = kForms[i];
      // All forms of files; three of a stream.
      if (parts.file() ? i < 6 && (i + name) % 2 > 0 : form.of_files || (i + name) % 2 > 0)
        continue;
      Random random(name + i);
      Parts changed = parts;
      form.make(changed, random);
      const Bytes made = changed.bytes();
      const auto bytes = std::as_bytes(std::span(made));
      const bool chosen = i == 0 || random.once_in(2);
      const FileReport report = examine_image(bytes, "image", std::nullopt,
                                              chosen ? nullptr : find_specification(fixture->spec),
                                              {.examine = {.jobs = 1}});
      results.add(std::string(form.name), report,
                  fuzz::has_error(report) ? std::string() : table_of(bytes));
    }
  }
  EXPECT_TRUE(golden::equals(results.text(), "fuzz/arrow/golden/forms.txt"));
}

}  // namespace
}  // namespace hepcheck::arrow::forms
