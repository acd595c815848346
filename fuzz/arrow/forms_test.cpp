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
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/corpus.h"
#include "conformance/findings_text.h"
#include "fuzz/arrow/parts.h"
#include "fuzz/variations/byte_mutations.h"
#include "validator/catalogue/clause.h"
#include "validator/examine_file.h"
#include "validator/fnv1a.h"
#include "validator/formats/arrow/testing/build.h"
#include "validator/incoming.h"
#include "validator/testing/golden_files.h"
#include "validator/testing/memory_file.h"
#include "validator/testing/random.h"

namespace hepcheck::arrow::forms {
namespace {

using parts::field_at;
using parts::kContinuation;
using parts::number_at;
using parts::Parts;
using testing::Bytes;
using testing::raw;
using testing::raw_all;

// As before 0.15: the size alone, and four more bytes of padding.
Bytes framed_before(const Bytes& message) {
  const std::uint32_t size = number_at<std::uint32_t>(message, 4);
  if (number_at<std::uint32_t>(message, 0) != kContinuation) return message;
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
    switch (random.below(6)) {
      case 3: {  // one of the list again
        const std::size_t other = list.at + kBlock * random.below(list.count);
        put(0, it.footer.substr(other, kBlock));
        break;
      }
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

constexpr std::size_t kSmall = 8'000;  // bytes of an input

std::vector<const conformance::Fixture*> inputs_up_to(std::size_t most) {
  std::vector<const conformance::Fixture*> made;
  for (const conformance::Fixture* fixture : conformance::files_of_corpus())
    if (fixture->format == "arrow" && !fixture->image.empty() && fixture->image.size() <= most)
      made.push_back(fixture);
  return made;
}

Parts parts_of(const conformance::Fixture& fixture) {
  return parts::parts_of(
      {reinterpret_cast<const char*>(fixture.image.data()), fixture.image.size()});
}

// Judges a changed input by the revision that it chooses, or by that of its fixture.
void add(fuzz::GoldenResults& results, std::string_view group, const conformance::Fixture& fixture,
         const Parts& changed, bool chosen, const FileOptions& options = {.examine = {.jobs = 1}}) {
  const Bytes made = changed.bytes();
  const auto bytes = std::as_bytes(std::span(made));
  const FileReport report =
      examine_image(bytes, fixture.file, std::nullopt,
                    chosen ? nullptr : find_specification(fixture.spec), options);
  results.add(std::string(group), report,
              fuzz::has_error(report) ? std::string() : parts::table_of(bytes));
}

TEST(Forms, ReportsAndTablesEqualTheGoldenFile) {
  fuzz::GoldenResults results;
  for (const conformance::Fixture* fixture : inputs_up_to(20'000)) {
    const Parts whole = parts_of(*fixture);
    const std::uint64_t name = fnv1a(fixture->file) >> 8;
    for (std::size_t i = 0; i < std::size(kForms); ++i) {
      const NamedForm& form = kForms[i];
      // All forms of files; three of a stream.
      if (whole.file() ? i < 6 && (i + name) % 2 > 0 : form.of_files || (i + name) % 2 > 0)
        continue;
      Random random(name + i);
      Parts changed = whole;
      form.make(changed, random);
      const bool chosen = i == 0 || random.once_in(2);
      FileOptions options{.examine = {.jobs = 1}};
      if (random.once_in(4)) options.limits.block_bytes = 100 + random.below(400);
      add(results, form.name, *fixture, changed, chosen, options);
    }
  }
  EXPECT_TRUE(golden::equals(results.text(), "fuzz/arrow/golden/forms.txt"));
}

// --- Metadata ------------------------------------------------------------------------------------

// A flatbuffer inside the part of an input that contains it.
struct Flatbuffer {
  Bytes& part;
  std::size_t begin, size;

  template <class T>
  T number(std::size_t at) const {
    return number_at<T>(std::string_view(part).substr(begin, size), at);
  }
  template <class T>
  void put(std::size_t at, T value) {
    if (at <= size && size - at >= sizeof value) part.replace(begin + at, sizeof value, raw(value));
  }
  // Of a number of `width` bytes; often in the root table.
  std::size_t place(std::size_t width, Random& random) const {
    const std::size_t all = size / width * width, root = number<std::uint32_t>(0) / width * width;
    const bool first = random.once_in(3);
    const std::size_t at = width * random.below(std::max<std::size_t>(1, all / width));
    return first && all > root ? root + at % std::min<std::size_t>(all - root, 8 * width) : at;
  }
};

Flatbuffer one_flatbuffer(Parts& it, Random& random) {
  const std::size_t i = random.below(it.messages.size() + (it.footer.size() > parts::kEnd ? 1 : 0));
  if (i == it.messages.size()) return {it.footer, 0, it.footer.size() - parts::kEnd};
  const std::size_t prefix = number_at<std::uint32_t>(it.messages[i], 0) == kContinuation ? 8 : 4;
  return {it.messages[i], prefix, number_at<std::uint32_t>(it.messages[i], prefix - 4)};
}

// A field of a message or footer, of which the root table has these numbers.
template <class T>
void put_field(Flatbuffer it, unsigned number, T value) {
  const std::size_t at = field_at(std::string_view(it.part).substr(it.begin, it.size), number);
  if (at > 0) it.put(at, value);
}

using Edit = void (*)(Flatbuffer, Random&);
struct NamedEdit {
  std::string_view name;
  Edit make;
};
constexpr NamedEdit kEdits[] = {
    {"another version",
     [](Flatbuffer it, Random& random) {
       put_field(it, 0, static_cast<std::int16_t>(random.below(7)));
     }},
    {"another header",
     [](Flatbuffer it, Random& random) {
       put_field(it, 1, static_cast<std::uint8_t>(random.below(8)));
     }},
    {"an offset to the end",
     [](Flatbuffer it, Random& random) {
       const std::size_t at = it.place(4, random);
       it.put(at, static_cast<std::uint32_t>(it.size - at - random.below(12)));
     }},
    {"names of fields at the end",
     [](Flatbuffer it, Random& random) {
       const std::size_t at = it.place(4, random), end = it.size - random.below(8);
       it.put(at, static_cast<std::uint32_t>(at - end));
     }},
    {"names of fields elsewhere",
     [](Flatbuffer it, Random& random) {
       const std::size_t at = it.place(4, random), end = random.below(it.size + 4);
       it.put(at, static_cast<std::uint32_t>(at - end));
     }},
    {"a small number of 16 bits",
     [](Flatbuffer it, Random& random) {
       const std::size_t at = it.place(2, random);
       it.put(at, static_cast<std::uint16_t>(random.below(16)));
     }},
    {"a number of 16 bits that leads to the end",
     [](Flatbuffer it, Random& random) {
       const std::size_t at = it.place(2, random), table = it.number<std::uint32_t>(0);
       it.put(at, static_cast<std::uint16_t>(it.size - table - random.below(10)));
     }},
    {"a small number of 32 bits",
     [](Flatbuffer it, Random& random) {
       const std::size_t at = it.place(4, random);
       it.put(at, static_cast<std::uint32_t>(random.below(12)));
     }},
    {"another number of 32 bits",
     [](Flatbuffer it, Random& random) {
       const std::size_t at = it.place(4, random);
       it.put(at, static_cast<std::uint32_t>(it.number<std::uint32_t>(at) + random.below(17) - 8));
     }},
    {"another number of 64 bits",
     [](Flatbuffer it, Random& random) {
       const std::size_t at = it.place(8, random);
       it.put(at, it.number<std::uint64_t>(at) + random.below(17) - 8);
     }},
};

TEST(Forms, EditedMetadataEqualTheGoldenFile) {
  fuzz::GoldenResults results;
  for (const conformance::Fixture* fixture : inputs_up_to(kSmall)) {
    const Parts whole = parts_of(*fixture);
    if (whole.messages.empty()) continue;
    const std::uint64_t name = fnv1a(fixture->file) >> 8;
    for (std::size_t i = 0; i < std::size(kEdits); ++i) {
      Random random(name + i);
      Parts changed = whole;
      kEdits[i].make(one_flatbuffer(changed, random), random);
      add(results, kEdits[i].name, *fixture, changed, random.once_in(2));
    }
  }
  EXPECT_TRUE(golden::equals(results.text(), "fuzz/arrow/golden/edited-metadata.txt"));
}

// --- Several changes -----------------------------------------------------------------------------

// Two or three of all forms and edits, one after the other, of fixtures with several batches.
TEST(Forms, SeveralChangesEqualTheGoldenFile) {
  constexpr std::size_t kTimes = 12, kFewest = 3;
  fuzz::GoldenResults results;
  for (const conformance::Fixture* fixture : inputs_up_to(kSmall)) {
    const Parts whole = parts_of(*fixture);
    if (whole.messages.size() < kFewest) continue;
    Random random(fnv1a(fixture->file));
    for (std::size_t i = 0; i < kTimes; ++i) {
      Parts changed = whole;
      for (std::uint64_t n = 2 + random.below(2); n > 0; --n) {
        const bool edit = random.once_in(2) && !changed.messages.empty();
        if (edit) {
          const NamedEdit& one = random.one_of(kEdits);
          one.make(one_flatbuffer(changed, random), random);
        } else {
          const NamedForm& one = random.one_of(kForms);
          if (!one.of_files || changed.file()) one.make(changed, random);
        }
      }
      add(results, whole.file() ? "file" : "stream", *fixture, changed, random.once_in(2));
    }
  }
  EXPECT_TRUE(golden::equals(results.text(), "fuzz/arrow/golden/several-changes.txt"));
}

// --- Values that are not examined ----------------------------------------------------------------

// Sound streams and files of which only so many bytes of values may be examined.
TEST(Forms, FewValuesEqualTheGoldenFile) {
  constexpr std::uint64_t kMost[] = {0, 1, 8, 16, 24, 40, 64, 130, 260};
  fuzz::GoldenResults results;
  for (const conformance::Fixture* fixture : inputs_up_to(kSmall)) {
    if (!fixture->valid) continue;
    const bool file = fixture->file.ends_with(".arrow");
    for (const std::uint64_t most : kMost) {
      FileOptions options{.examine = {.jobs = 1}};
      options.limits.value_bytes = most;
      results.add(std::format("{} {}", file ? "file" : "stream", most),
                  examine_image(fixture->image, fixture->file, std::nullopt,
                                find_specification(fixture->spec), options),
                  "");
    }
  }
  EXPECT_TRUE(golden::equals(results.text(), "fuzz/arrow/golden/few-values.txt"));
}

// Without the line of totals, in which the size of the input is.
std::string findings_of(const FileReport& report) {
  const std::string text = conformance::findings_text(report);
  return text.substr(std::min(text.find("\n note: "), text.size()));
}

// What may follow the last message: up to three words, and a part of one, in both framings.
TEST(Forms, EndsEqualTheGoldenFile) {
  constexpr std::uint32_t kWords[] = {0, kContinuation, 8, 0xFEFFFFFF, 0x80000000};
  std::vector<Bytes> ends = {""};
  for (std::size_t begin = 0, words = 0; words < 3; ++words) {
    const std::size_t end = ends.size();
    for (; begin < end; ++begin)
      for (const std::uint32_t word : kWords) ends.push_back(ends[begin] + raw(word));
  }
  const Bytes whole =
      testing::message(
          testing::kSchemaTag,
          testing::schema({testing::field("a", testing::kIntTag, testing::int_type())})) +
      testing::batch(2, {{2, 0}}, {"", raw_all(1, 2)});
  const FileOptions options{.examine = {.jobs = 1}};
  fuzz::GoldenResults results;
  for (const bool before : {false, true}) {
    Parts parts = parts::parts_of(whole);
    ASSERT_EQ(parts.messages.size(), 2u);
    if (before)
      for (Bytes& each : parts.messages) each = framed_before(each);
    for (const Bytes& end : ends)
      for (const std::size_t more : {0, 1, 3}) {
        parts.rest = end + Bytes(more, more == 1 ? '\0' : '\1');
        const Bytes made = parts.bytes();
        const Specification* spec = find_specification("arrow-columnar-1.0");
        const FileReport report =
            examine_image(std::as_bytes(std::span(made)), "image", std::nullopt, spec, options);
        // As it arrives, its end is known as soon as it is asked for.
        const Descriptor file = memory_file(made);
        Incoming incoming(file.get(), 1 << 20);
        EXPECT_EQ(findings_of(examine_bytes(hepcheck::Bytes::of_incoming(incoming, "image"),
                                            {.spec = spec, .options = options})),
                  findings_of(report));
        results.add(before ? "old framing" : "framing", report, "");
      }
  }
  EXPECT_TRUE(golden::equals(results.text(), "fuzz/arrow/golden/ends.txt"));
}

}  // namespace
}  // namespace hepcheck::arrow::forms
