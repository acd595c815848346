// Files of the corpus with one byte changed, or truncated: the findings about them, and the values
// read from those without errors, equal the golden files. golden/NAME.txt has a line for each kind
// of mutation, with the number of mutations that violate each clause (except informative ones), and
// a digest of all reports and values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <format>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/findings_text.h"
#include "validator/bytes.h"
#include "validator/examine_file.h"
#include "validator/exchange/table.h"
#include "validator/formats/arrow/exchange/read_table.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::arrow {

namespace {

namespace fs = std::filesystem;

// Small files that together have all types, messages and framings.
constexpr const char* kFiles[] = {
    "valid/2.10.1/arrow-dense-union-offsets-ascending--in-turn.arrows",
    "valid/2.10.2/arrow-sparse-union-unselected-any--nulls-and-others.arrows",
    "valid/2.12/arrow-dictionary-any-type--structs-with-two-children.arrow",
    "valid/2.4/arrow-null-slot-content-any--date-decimal-and-time.arrows",
    "valid/2.6/arrow-binary-offsets-size--exact-large.arrows",
    "valid/2.8/arrow-fixed-size-list-child-length--lists-of-lists.arrows",
    "valid/2.9/arrow-struct-hidden-child-values--example-of-the-text.arrows",
    "valid/4.1/arrow-message-continuation-present--none.arrows",
    "valid/4.1/arrow-message-custom-metadata--one-pair.arrows",
    "valid/4.3/arrow-batch-preorder--struct-first.arrow",
    "valid/4.4/arrow-schema-big-endian--intervals.arrows",
    "valid/4.4/arrow-schema-big-endian--large-lists.arrows",
    "valid/4.4/arrow-schema-big-endian--maps.arrows",
    "valid/4.4/arrow-schema-big-endian--several.arrow",
    "valid/4.5/arrow-stream-interleaved--in-turn.arrows",
    "valid/4.6/arrow-file-footer-order-differs--deltas-swapped.arrow",
    "valid/4.6/arrow-footer-dictionaries-complete--base-and-delta.arrow",
    "valid/4.7/arrow-dictionary-nested-order-any--outer-first.arrows",
    "valid/4.7/arrow-dictionary-replacement-in-stream--second-example-of-the-text.arrows",
    "valid/4.8/arrow-metadata-three-levels--all-three.arrow",
    "valid/4.9/arrow-extension-metadata-needs-name--both.arrows",
    "valid/File.fbs/arrow-block-metadata-length--old-framing.arrow",
    "valid/File.fbs/arrow-footer-custom-metadata--one-pair.arrow",
    "valid/Message.fbs/arrow-compression-lz4-frame--words.arrow",
    "valid/Message.fbs/arrow-compression-zstd-frame--several.arrows",
    "valid/Message.fbs/arrow-compression-stored--minus-1-and-plain.arrows",
    "valid/Schema.fbs/arrow-decimal-value-fits-precision--18-nines.arrows",
    "valid/Schema.fbs/arrow-decimal-value-fits-precision--38-nines.arrows",
    "valid/Schema.fbs/arrow-decimal-value-fits-precision--big-endian.arrows",
    "valid/Schema.fbs/arrow-dictionary-index-width--all-widths.arrows",
    "valid/Schema.fbs/arrow-dictionary-nested-encoding--in-a-struct.arrows",
    "valid/Schema.fbs/arrow-map-keys-sorted-true--dates.arrows",
    "valid/Schema.fbs/arrow-map-keys-sorted-true--signed.arrows",
    "valid/Schema.fbs/arrow-map-keys-sorted-true--unsigned.arrows",
    "valid/Schema.fbs/arrow-map-keys-sorted-true--floats.arrows",
    "valid/Schema.fbs/arrow-map-keys-sorted-true--texts.arrows",
    "valid/Schema.fbs/arrow-time-value-range--nanos.arrows",
    "valid/Schema.fbs/arrow-time-value-range--seconds.arrows",
    "valid/Schema.fbs/arrow-timestamp-timezone-form--offset.arrows",
    "valid/Schema.fbs/arrow-union-v4-bitmap--dense-of-v4.arrows",
    "valid/flatbuffers/arrow-fb-shared-objects--one-vtable-one-key.arrows",
    "invalid/Schema.fbs/arrow-type-newer-than-1-0--decimals-of-all-widths.arrows",
    "invalid/Schema.fbs/arrow-type-newer-than-1-0--listviews-in-any-order.arrows",
    "invalid/Schema.fbs/arrow-type-newer-than-1-0--run-ends.arrow",
    "invalid/Schema.fbs/arrow-type-newer-than-1-0--runs-of-texts.arrows",
    "invalid/Schema.fbs/arrow-type-newer-than-1-0--views-of-all-lengths.arrows",
};

// The same for format 1.5: its layouts, and extension types with rules about values.
constexpr const char* kNewerFiles[] = {
    "valid/3.7/arrow-view-buffer-index-in-range--last-of-three.arrows",
    "valid/3.7/arrow-view-data-shared--one-inside-another.arrows",
    "valid/3.7/arrow-view-null-slot-any--anything.arrows",
    "valid/3.8.2/arrow-list-view-null-slot-not-empty--garbage-under-a-null.arrows",
    "valid/3.8.2/arrow-list-view-offsets-size--large-list-view.arrows",
    "valid/3.14/arrow-run-end-type--64-bits.arrows",
    "valid/3.14/arrow-run-end-type--big-endian.arrows",
    "valid/3.14/arrow-run-end-type--in-a-file.arrow",
    "valid/4.4/arrow-variadic-counts-dictionary--of-a-dictionary.arrows",
    "valid/4.4/arrow-variadic-counts-order--two-and-one.arrows",
    "valid/CanonicalExtensions.rst/arrow-json-values-valid--utf8-view.arrows",
    "valid/CanonicalExtensions.rst/arrow-timestamp-offset-range--unused-in-a-dictionary.arrows",
    "valid/CanonicalExtensions.rst/arrow-variable-tensor-uniform-shape--with-null.arrows",
    "valid/Schema.fbs/arrow-decimal-narrow--32-little.arrows",
    "valid/Schema.fbs/arrow-interval-month-day-nano--signs.arrows",
};

using Image = std::vector<std::byte>;

// The text in which a library explains why data cannot be decoded is excluded.
bool fails_to_decode(const FileReport& report) {
  return std::ranges::any_of(report.subjects, [](const SubjectReport& subject) {
    return std::ranges::any_of(subject.clauses, [](const ClauseResult& result) {
      return result.clause->id == "arrow-compression-decodes" && result.verdict == Verdict::kFail;
    });
  });
}

// All reports and reads of some images, and the number of images that violate each clause.
class Kept {
 public:
  explicit Kept(const Specification& spec) : spec_(spec) {}

  void add(const Image& image) {
    ++images_;
    FileReport report = examine_image(image, "image", std::nullopt, &spec_,
                                      {.examine = {.memory_limit = 1 << 20, .jobs = 1}});
    if (fails_to_decode(report)) return;
    all_ += conformance::findings_text(report);
    bool error = report.subjects.empty();
    for (const SubjectReport& subject : report.subjects)
      for (const ClauseResult& result : subject.clauses) {
        if (result.verdict == Verdict::kNotChecked) ++broken_["not checked"];
        if (result.verdict != Verdict::kFail) continue;
        if (result.severity != Severity::kInfo)
          ++broken_[std::string(result.clause->id.substr(std::string_view("arrow-").size()))];
        error |= result.severity == Severity::kError;
      }
    if (!error) read(image);
  }
  std::string line(const std::string& name) const {
    std::string made = std::format("{} {}:", name, images_);
    for (const auto& [what, count] : broken_) made += std::format(" {} {},", what, count);
    return made + ' ' + golden::digest_of(all_) + '\n';
  }

 private:
  void read(const Image& image) {
    const auto made = read_table(Bytes::of_image(image, "image"), {}, 1 << 20);
    if (!made) {
      all_ += "unreadable: " + made.error().text() + '\n';
      return;
    }
    const exchange::Table& table = made->table;
    all_ += std::format("{} rows\n", table.rows);
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const exchange::Field& field = table.schema.fields[i];
      all_ += std::format("{} {}\n", field.name, exchange::describe(field.type));
      for (const auto& [key, value] : field.metadata) all_ += key + '=' + value + '\n';
      for (std::uint64_t row = 0; row < table.rows && row < 1000; ++row)
        all_ += exchange::identity(field.type, table.columns[i], row);
    }
    for (const std::string& each : made->losses) all_ += each + '\n';
  }

  const Specification& spec_;
  std::size_t images_ = 0;
  std::string all_{};
  std::map<std::string, std::size_t> broken_{};
};

// With each byte changed in turn.
template <class Change>
Kept with_each(const Image& whole, std::initializer_list<Change> changes,
               const Specification& spec) {
  Kept made(spec);
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const Change change : changes) {
      Image mutated = whole;
      mutated[at] = static_cast<std::byte>(change(std::to_integer<unsigned>(whole[at]), at));
      if (mutated[at] != whole[at]) made.add(mutated);
    }
  return made;
}

void expect_golden(const std::string& file, const Specification& spec) {
  using Change = unsigned (*)(unsigned, std::size_t);
  const std::string bytes = golden::file_text(fs::path(HEPCHECK_FIXTURES) / "arrow" / file);
  ASSERT_FALSE(bytes.empty());
  const auto view = std::as_bytes(std::span(bytes));
  const Image whole(view.begin(), view.end());
  const Kept moved = with_each<Change>(whole,
                                       {[](unsigned byte, std::size_t) { return byte + 1; },
                                        [](unsigned byte, std::size_t) { return byte + 4; }},
                                       spec);
  const Kept other = with_each<Change>(whole, {[](unsigned byte, std::size_t at) {
                                         return at % 2 == 0 ? 0xFF : byte ^ 1u << at % 8;
                                       }},
                                       spec);
  Kept cut(spec);
  for (std::size_t size = 0; size <= whole.size(); size += size % 64 < 16 ? 1 : 4)
    cut.add({view.begin(), view.begin() + static_cast<std::ptrdiff_t>(size)});
  const std::string text = moved.line("moved") + other.line("other") + cut.line("cut");
  EXPECT_TRUE(golden::equals(text, "fuzz/arrow/golden/" + fs::path(file).stem().string() + ".txt"));
}

std::string name_of_test(const ::testing::TestParamInfo<const char*>& one) {
  std::string name = fs::path(one.param).stem().string();
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

class Mutations : public ::testing::TestWithParam<const char*> {};
class NewerMutations : public ::testing::TestWithParam<const char*> {};

TEST_P(Mutations, ReportsEqualTheGoldenFiles) {
  expect_golden(GetParam(), *find_specification("arrow-columnar-1.0"));
}

TEST_P(NewerMutations, ReportsEqualTheGoldenFiles) {
  expect_golden(GetParam(), *find_specification("arrow-columnar-1.5"));
}

INSTANTIATE_TEST_SUITE_P(Arrow, Mutations, ::testing::ValuesIn(kFiles), name_of_test);
INSTANTIATE_TEST_SUITE_P(Arrow, NewerMutations, ::testing::ValuesIn(kNewerFiles), name_of_test);

}  // namespace

}  // namespace hepcheck::arrow
