// Whatever one reader returns otherwise than the other is a remark, and equal readings are none.
#include "validator/formats/hep001/reader/both.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <format>
#include <functional>
#include <span>
#include <utility>

#include "validator/formats/hep001/reader/reading.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hep001 {

namespace {

ObjectToken token_of(std::uint8_t number) { return {.bytes = {number}}; }

// What a reader returns for a file of one dataset below the root.
struct Content {
  Result<ObjectToken> root = token_of(1);
  std::optional<std::string> refused{};  // the reason why the dataset cannot be opened
  ObjectKind kind = ObjectKind::kDataset;
  std::optional<ObjectToken> found = token_of(2);
  std::string path = "/d";
  LinkInfo link{.name = "d", .token = token_of(2)};
  bool second_link = false;
  std::optional<std::string> links_trouble{}, attributes_trouble{};
  std::string target = "/elsewhere";
  std::optional<SoftTarget> soft = SoftTarget{token_of(2), ObjectKind::kDataset};
  Attribute attribute{};
  bool second_attribute = false;
  Dataset dataset{};
  std::vector<std::byte> bytes{};
  std::vector<std::string> texts{};
  std::size_t texts_per_row = 1;
  std::uint64_t rows = 0, rows_per_block = 4;
  std::optional<std::uint64_t> fails_in_row{};
  bool part_fails = false;
};

Content usual() {
  Content made;
  made.attribute.name = "a";
  made.attribute.type = standard_reference_type();
  made.attribute.space = {.kind = Dataspace::Kind::kSimple, .extent = {2}, .max_extent = {2}};
  made.attribute.references = {{.kind = Reference::Kind::kObject,
                                .target = Reference::Target::kObject,
                                .token = token_of(2),
                                .object = ObjectKind::kDataset},
                               {.kind = Reference::Kind::kObject,
                                .target = Reference::Target::kObject,
                                .token = token_of(1),
                                .object = ObjectKind::kGroup}};
  made.rows = 10;
  made.dataset.name = "d";
  made.dataset.path = "/d";
  made.dataset.type = ieee_float_type(8);
  made.dataset.space = {.kind = Dataspace::Kind::kSimple, .extent = {10}, .max_extent = {20}};
  made.dataset.storage = {.layout = StorageLayout::kChunked,
                          .chunk = {4},
                          .filters = {{.id = 1, .name = "deflate", .parameters = {6}}},
                          .fill_state = FillState::kUserDefined,
                          .fill = std::vector<std::byte>(8)};
  for (std::uint64_t i = 0; i < made.rows * 8; ++i) made.bytes.push_back(static_cast<std::byte>(i));
  return made;
}

class FakeStream : public ValueStream {
 public:
  explicit FakeStream(const Content& content) : content_(content) {}

  Result<std::optional<Block>> next() override {
    if (content_.fails_in_row && at_ >= *content_.fails_in_row)
      return failure("/d", "a broken chunk");
    if (at_ == content_.rows) return std::nullopt;
    const std::uint64_t rows = std::min(content_.rows_per_block, content_.rows - at_);
    texts_.assign(content_.texts.begin(), content_.texts.end());
    Block block{.first_row = at_, .rows = rows, .bytes = {}, .strings = {}};
    if (texts_.empty())
      block.bytes = std::span(content_.bytes).subspan(at_ * 8, rows * 8);
    else
      block.strings =
          std::span(texts_).subspan(at_ * content_.texts_per_row, rows * content_.texts_per_row);
    at_ += rows;
    return block;
  }

 private:
  const Content& content_;
  std::vector<std::string_view> texts_{};
  std::uint64_t at_ = 0;
};

class FakeFile : public TableFile, public ValueSource {
 public:
  explicit FakeFile(Content content) : content_(std::move(content)) {}

  const Limits& limits() const override { return limits_; }
  std::uint64_t bytes() const override { return 1000; }
  Result<ObjectToken> root() override { return content_.root; }
  Opened open(const ObjectToken& token) override;
  ObjectKind kind_of_unopenable(OpenObject&, const LinkInfo&) override {
    return ObjectKind::kUnknown;
  }
  std::optional<ObjectToken> find(const std::string&) override { return content_.found; }
  std::string path_of(const ObjectToken&) override { return content_.path; }
  ValueSource& values() override { return *this; }

  Result<std::unique_ptr<ValueStream>> stream_rows(const Dataset&, std::uint64_t,
                                                   std::uint64_t) override {
    return std::make_unique<FakeStream>(content_);
  }
  Result<std::vector<std::byte>> read(const Dataset&, std::span<const std::uint64_t>,
                                      std::span<const std::uint64_t>) override {
    if (content_.part_fails) return failure("/d", "a broken chunk");
    return content_.bytes;
  }

 private:
  Limits limits_{};
  Content content_;
};

class FakeObject : public OpenObject {
 public:
  FakeObject(const Content& content, ObjectKind kind) : content_(content), kind_(kind) {}

  ObjectKind kind() const override { return kind_; }
  std::optional<Attribute> attribute(const char*) override { return content_.attribute; }
  Attributes attributes(std::optional<std::string>& trouble, std::optional<Attribute>) override {
    trouble = content_.attributes_trouble;
    Attributes all;
    all.emplace("a", content_.attribute);
    if (content_.second_attribute) all.emplace("b", Attribute{.name = "b"});
    return all;
  }
  std::vector<LinkInfo> links(std::uint64_t, std::optional<std::string>& trouble) override {
    trouble = content_.links_trouble;
    std::vector<LinkInfo> all{content_.link};
    if (content_.second_link) all.push_back({.name = "e", .token = token_of(3)});
    return all;
  }
  std::string link_target(const LinkInfo&) override { return content_.target; }
  std::optional<SoftTarget> soft_target(const LinkInfo&) override { return content_.soft; }
  Dataset dataset(std::string, std::string, const ObjectToken&) override {
    return content_.dataset;
  }

 private:
  const Content& content_;
  ObjectKind kind_;
};

TableFile::Opened FakeFile::open(const ObjectToken& token) {
  if (token == token_of(1)) return std::make_unique<FakeObject>(content_, ObjectKind::kGroup);
  if (content_.refused) return std::unexpected(*content_.refused);
  return std::make_unique<FakeObject>(content_, content_.kind);
}

using Change = std::function<void(Content&)>;

void read_values(ValueSource& values, const Dataset& dataset) {
  const auto stream = values.stream_rows(dataset, 0, 10);
  while (true) {
    const auto block = (*stream)->next();
    if (!block || !*block) break;
  }
}

// The remarks after one thing was read from a pair of files.
std::vector<Error> remarks(const Content& own, const Content& library,
                           const std::function<void(TableFile&)>& use) {
  const auto both =
      compare_readers(std::make_unique<FakeFile>(own), std::make_unique<FakeFile>(library));
  use(*both);
  return both->remarks();
}

// A way to use a file, and a change that it has to notice.
struct Case {
  const char* what;
  std::function<void(TableFile&)> use;
  Change change;
};

void read_root(TableFile& file) { (void)file.root(); }
void open_dataset(TableFile& file) { (void)file.open(token_of(2)); }
void read_attribute(TableFile& file) { (void)(*file.open(token_of(1)))->attribute("a"); }
void read_attributes(TableFile& file) {
  std::optional<std::string> trouble;
  (void)(*file.open(token_of(1)))->attributes(trouble, std::nullopt);
}
void read_links(TableFile& file) {
  std::optional<std::string> trouble;
  (void)(*file.open(token_of(1)))->links(10, trouble);
}
void read_target(TableFile& file) { (void)(*file.open(token_of(1)))->link_target({.name = "d"}); }
void read_soft(TableFile& file) { (void)(*file.open(token_of(1)))->soft_target({.name = "d"}); }
void read_dataset(TableFile& file) {
  (void)(*file.open(token_of(2)))->dataset("d", "/d", token_of(2));
}
void find(TableFile& file) { (void)file.find("/d"); }
void name(TableFile& file) { (void)file.path_of(token_of(2)); }
void stream(TableFile& file) { read_values(file.values(), usual().dataset); }
void stream_texts(TableFile& file) {
  Dataset dataset = usual().dataset;
  dataset.type = variable_string_type(CharacterSet::kUtf8);
  read_values(file.values(), dataset);
}
void read_part(TableFile& file) { (void)file.values().read(usual().dataset, {}, {}); }

const Case kCases[] = {
    {"root", read_root, [](Content& c) { c.root = token_of(9); }},
    {"no root", read_root, [](Content& c) { c.root = failure("/", "no root"); }},
    {"object refused", open_dataset, [](Content& c) { c.refused = "a wrong checksum"; }},
    {"kind", open_dataset, [](Content& c) { c.kind = ObjectKind::kNamedDatatype; }},
    {"attribute type", read_attribute, [](Content& c) { c.attribute.type.size = 11; }},
    {"attribute unreadable", read_attribute, [](Content& c) { c.attribute.unreadable = "why"; }},
    {"attribute extent", read_attribute, [](Content& c) { c.attribute.space.extent = {3}; }},
    {"attribute bytes", read_attribute, [](Content& c) { c.attribute.bytes = {std::byte{1}}; }},
    {"attribute text", read_attribute, [](Content& c) { c.attribute.strings = {"t"}; }},
    {"reference missing", read_attribute, [](Content& c) { c.attribute.references.pop_back(); }},
    {"reference target", read_attribute,
     [](Content& c) { c.attribute.references[1].token = token_of(7); }},
    {"reference kind", read_attribute,
     [](Content& c) { c.attribute.references[1].kind = Reference::Kind::kRegion; }},
    {"reference object", read_attribute,
     [](Content& c) { c.attribute.references[1].object = ObjectKind::kDataset; }},
    {"reference file", read_attribute, [](Content& c) { c.attribute.references[1].file = "f"; }},
    {"reference dangling", read_attribute,
     [](Content& c) {
       c.attribute.references[1] = {.kind = Reference::Kind::kObject,
                                    .target = Reference::Target::kDangling,
                                    .why = "no object"};
     }},
    {"one more attribute", read_attributes, [](Content& c) { c.second_attribute = true; }},
    {"no list of attributes", read_attributes, [](Content& c) { c.attributes_trouble = "why"; }},
    {"link name", read_links, [](Content& c) { c.link.name = "f"; }},
    {"link kind", read_links, [](Content& c) { c.link.kind = Child::LinkKind::kSoft; }},
    {"link object", read_links, [](Content& c) { c.link.token = token_of(8); }},
    {"link size", read_links, [](Content& c) { c.link.value_bytes = 1; }},
    {"one more link", read_links, [](Content& c) { c.second_link = true; }},
    {"no list of links", read_links, [](Content& c) { c.links_trouble = "why"; }},
    {"target", read_target, [](Content& c) { c.target = "/there"; }},
    {"soft link", read_soft, [](Content& c) { c.soft.reset(); }},
    {"soft link, object", read_soft, [](Content& c) { c.soft->token = token_of(5); }},
    {"soft link, kind", read_soft, [](Content& c) { c.soft->object = ObjectKind::kGroup; }},
    {"dataset unreadable", read_dataset, [](Content& c) { c.dataset.unreadable = "why"; }},
    {"type class", read_dataset, [](Content& c) { c.dataset.type.cls = TypeClass::kInteger; }},
    {"type size", read_dataset, [](Content& c) { c.dataset.type.size = 4; }},
    {"byte order", read_dataset, [](Content& c) { c.dataset.type.order = ByteOrder::kBig; }},
    {"precision", read_dataset, [](Content& c) { c.dataset.type.precision = 63; }},
    {"bit offset", read_dataset, [](Content& c) { c.dataset.type.bit_offset = 1; }},
    {"sign", read_dataset, [](Content& c) { c.dataset.type.is_signed = true; }},
    {"sign position", read_dataset, [](Content& c) { c.dataset.type.floating.sign_position = 1; }},
    {"exponent", read_dataset, [](Content& c) { c.dataset.type.floating.exponent_position = 1; }},
    {"exponent size", read_dataset, [](Content& c) { c.dataset.type.floating.exponent_size = 1; }},
    {"bias", read_dataset, [](Content& c) { c.dataset.type.floating.exponent_bias = 1; }},
    {"mantissa", read_dataset, [](Content& c) { c.dataset.type.floating.mantissa_position = 1; }},
    {"mantissa size", read_dataset, [](Content& c) { c.dataset.type.floating.mantissa_size = 1; }},
    {"implied bit", read_dataset, [](Content& c) { c.dataset.type.floating.implied_one = false; }},
    {"space", read_dataset, [](Content& c) { c.dataset.space.kind = Dataspace::Kind::kNull; }},
    {"extent", read_dataset, [](Content& c) { c.dataset.space.extent = {11}; }},
    {"maximum", read_dataset, [](Content& c) { c.dataset.space.max_extent = {21}; }},
    {"layout", read_dataset,
     [](Content& c) { c.dataset.storage.layout = StorageLayout::kContiguous; }},
    {"chunk", read_dataset, [](Content& c) { c.dataset.storage.chunk = {5}; }},
    {"filter", read_dataset, [](Content& c) { c.dataset.storage.filters[0].id = 2; }},
    {"filter name", read_dataset, [](Content& c) { c.dataset.storage.filters[0].name = "zip"; }},
    {"filter flag", read_dataset, [](Content& c) { c.dataset.storage.filters[0].optional = true; }},
    {"filter known", read_dataset,
     [](Content& c) { c.dataset.storage.filters[0].available = false; }},
    {"filter values", read_dataset,
     [](Content& c) { c.dataset.storage.filters[0].parameters = {7}; }},
    {"fill state", read_dataset,
     [](Content& c) { c.dataset.storage.fill_state = FillState::kDefault; }},
    {"fill", read_dataset, [](Content& c) { c.dataset.storage.fill[3] = std::byte{1}; }},
    {"fill text", read_dataset, [](Content& c) { c.dataset.storage.fill_string = "x"; }},
    {"fill form", read_dataset, [](Content& c) { c.dataset.storage.fill_form = "x"; }},
    {"fill unreadable", read_dataset, [](Content& c) { c.dataset.storage.fill_unreadable = "y"; }},
    {"dataset attribute", read_dataset,
     [](Content& c) { c.dataset.attributes.emplace("a", Attribute{.name = "a"}); }},
    {"dataset attributes", read_dataset,
     [](Content& c) { c.dataset.attributes_unreadable = "why"; }},
    {"found object", find, [](Content& c) { c.found = token_of(4); }},
    {"nothing found", find, [](Content& c) { c.found.reset(); }},
    {"path", name, [](Content& c) { c.path = "/other"; }},
    {"first value", stream, [](Content& c) { c.bytes[0] = std::byte{0xEE}; }},
    {"last value", stream, [](Content& c) { c.bytes.back() = std::byte{0xEE}; }},
    {"fewer rows", stream, [](Content& c) { c.rows = 9; }},
    {"rows that fail", stream, [](Content& c) { c.fails_in_row = 8; }},
    {"part", read_part, [](Content& c) { c.bytes[70] = std::byte{0xEE}; }},
    {"longer part", read_part, [](Content& c) { c.bytes.push_back(std::byte{1}); }},
    {"part that fails", read_part, [](Content& c) { c.part_fails = true; }},
};

TEST(BothReaders, AreSilentWhereTheyAgree) {
  for (const Case& each : kCases) {
    EXPECT_TRUE(remarks(usual(), usual(), each.use).empty()) << each.what;
    // The same change in both. Where both refuse, the reasons may differ.
    Content changed = usual();
    each.change(changed);
    const auto all = remarks(changed, changed, each.use);
    EXPECT_TRUE(all.empty()) << each.what << ": " << all.front().text();
  }
}

TEST(BothReaders, NoticeWhatOneOfThemReturnsOtherwise) {
  for (const Case& each : kCases) {
    Content changed = usual();
    each.change(changed);
    EXPECT_EQ(remarks(usual(), changed, each.use).size(), 1) << each.what;
    EXPECT_EQ(remarks(changed, usual(), each.use).size(), 1) << each.what << ", the other way";
  }
}

// Every remark with its place, and of long readings what is around the first difference.
TEST(BothReaders, RemarksEqualTheGoldenFile) {
  std::string text;
  const auto add = [&](const std::string& what, const std::vector<Error>& all) {
    text += std::format("[{}]\n", what);
    for (const Error& each : all) text += each.text() + '\n';
  };
  for (const Case& each : kCases) {
    Content changed = usual();
    each.change(changed);
    add(each.what, remarks(usual(), changed, each.use));
    add(std::string(each.what) + ", the other way", remarks(changed, usual(), each.use));
  }
  for (const std::size_t at : {0, 39, 40, 41, 600}) {
    Content own = usual();
    own.target = std::string(at, 'a') + "own" + std::string(400, 'b');
    Content library = usual();
    library.target = std::string(at, 'a') + "library" + std::string(at % 300, 'c');
    add(std::format("a target that differs at {}", at), remarks(own, library, read_target));
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hep001/golden/remarks.txt"));
}

TEST(BothReaders, StopAfterAHundredRemarks) {
  Content changed = usual();
  changed.target = "/other";
  for (const std::size_t times : {99, 100, 101})
    EXPECT_EQ(remarks(usual(), changed,
                      [&](TableFile& file) {
                        for (std::size_t i = 0; i < times; ++i) read_target(file);
                      })
                  .size(),
              std::min<std::size_t>(times, 100));
}

// The readers yield blocks of different sizes.
TEST(BothReaders, CompareRowsAcrossBlocks) {
  for (const std::uint64_t of_own : {1, 3, 4, 10})
    for (const std::uint64_t of_library : {1, 3, 4, 10}) {
      Content own = usual(), library = usual();
      own.rows_per_block = of_own;
      library.rows_per_block = of_library;
      EXPECT_TRUE(remarks(own, library, stream).empty()) << of_own << ", " << of_library;
      for (std::uint64_t row = 0; row < 10; ++row) {
        Content changed = library;
        changed.bytes[row * 8 + 7] = std::byte{0xEE};
        const auto all = remarks(own, changed, stream);
        ASSERT_EQ(all.size(), 1) << of_own << ", " << of_library;
        EXPECT_NE(all[0].cause.find(std::format("own reader: has in row {} 8 bytes", row)),
                  std::string::npos)
            << all[0].cause;
        // The reading of the library comes last.
        EXPECT_TRUE(all[0].cause.ends_with("ee")) << all[0].cause;
      }
    }
}

TEST(BothReaders, CompareTexts) {
  Content own = usual();
  own.texts.assign(10, "a text");
  own.texts[9] = "another";
  Content library = own;
  library.rows_per_block = 3;
  EXPECT_TRUE(remarks(own, library, stream_texts).empty());
  library.texts[8] = "a tezt";
  const auto all = remarks(own, library, stream_texts);
  ASSERT_EQ(all.size(), 1);
  EXPECT_TRUE(all[0].cause.starts_with(kReadersContradict)) << all[0].cause;
  EXPECT_NE(all[0].cause.find("in row 8"), std::string::npos) << all[0].cause;
}

// Several texts of a row are only counted, in blocks of any size.
TEST(BothReaders, CountTheTextsOfARow) {
  Content own = usual(), library = usual();
  own.texts.assign(20, "a text");
  own.texts_per_row = 2;
  library = own;
  library.rows_per_block = 3;
  EXPECT_TRUE(remarks(own, library, stream_texts).empty());
  library.texts_per_row = 1;
  const auto all = remarks(own, library, stream_texts);
  ASSERT_EQ(all.size(), 1);
  EXPECT_NE(all[0].cause.find("8 texts"), std::string::npos) << all[0].cause;
}

// What a remark says about a datatype.
TEST(BothReaders, DescribeDatatypesCompletely) {
  const std::string implied = reading_of(ieee_float_type(4));
  EXPECT_TRUE(implied.ends_with("sign 31 exponent 23+8 bias 127 mantissa 0+23 implied")) << implied;
  Datatype stored = ieee_float_type(4);
  stored.floating.implied_one = false;
  EXPECT_TRUE(reading_of(stored).ends_with("mantissa 0+23"));
  EXPECT_TRUE(reading_of(integer_type(2, true)).ends_with(" signed"));
  EXPECT_FALSE(reading_of(integer_type(2, false)).ends_with(" signed"));
  const std::string text = reading_of(variable_string_type(CharacterSet::kUtf8));
  EXPECT_TRUE(text.contains(" variable ")) << text;
  EXPECT_TRUE(reading_of(fixed_string_type(3, StringPadding::kNullPad, CharacterSet::kUtf8))
                  .contains(" fixed "));
  EXPECT_TRUE(reading_of(opaque_type(3, "a tag")).ends_with(" tag a tag"));
  EXPECT_TRUE(reading_of(enum_type(integer_type(1, false), {{"NO", 0}, {"YES", 1}}))
                  .contains("{NO @ 0 = 1 bytes 00} {YES @ 0 = 1 bytes 01} of [class "));
}

// Every byte counts, although only the first ones are shown.
TEST(BothReaders, TellBytesApart) {
  for (const std::size_t size : {1, 31, 32, 33, 64, 100})
    for (std::size_t at = 0; at <= size; ++at) {
      Content own = usual();
      own.attribute.bytes.assign(size, std::byte{7});
      Content library = own;
      if (at < size) library.attribute.bytes[at] = std::byte{8};
      EXPECT_EQ(remarks(own, library, read_attribute).size(), at < size ? 1u : 0u)
          << size << ' ' << at;
      const std::span<const std::byte> fill = library.attribute.bytes;
      Storage one{.fill_state = FillState::kUserDefined, .fill = own.attribute.bytes};
      Storage other{.fill_state = FillState::kUserDefined, .fill = {fill.begin(), fill.end()}};
      EXPECT_EQ(
          reading_of(one, integer_type(4, false)) == reading_of(other, integer_type(4, false)),
          at == size)
          << size << ' ' << at;
    }
}

// A library that fails later in the same dataset fails all the same.
TEST(BothReaders, AgreeThatRowsFailWhereverTheyNotice) {
  Content own = usual(), library = usual();
  own.fails_in_row = 4;
  library.fails_in_row = 8;
  EXPECT_TRUE(remarks(own, library, stream).empty());
  library.fails_in_row.reset();
  EXPECT_EQ(remarks(own, library, stream).size(), 1);
}

TEST(BothReaders, ReturnWhatTheOwnReaderReads) {
  Content library = usual();
  library.dataset.type.size = 4;
  const auto both =
      compare_readers(std::make_unique<FakeFile>(usual()), std::make_unique<FakeFile>(library));
  EXPECT_EQ((*both->open(token_of(2)))->dataset("d", "/d", token_of(2)).type.size, 8);
  const auto all = both->remarks();
  ASSERT_EQ(all.size(), 1);
  EXPECT_NE(all[0].cause.find("size 8"), std::string::npos) << all[0].cause;
  EXPECT_NE(all[0].cause.find("size 4"), std::string::npos) << all[0].cause;
}

}  // namespace

}  // namespace hepcheck::hep001
