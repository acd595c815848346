// Each byte of the valid schemas, enumerations and archives of arrays in the corpus is replaced,
// one at a time: the stored ones, and the decoded ones in tiles without filters. What is reported
// equals the golden files, and so does what those files are read as that have no error.
#include "fuzz/variations/byte_mutations.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <format>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/corpus.h"
#include "conformance/table_text.h"
#include "validator/catalogue/clause.h"
#include "validator/formats/tiledb/exchange/read_array.h"
#include "validator/formats/tiledb/tile.h"
#include "validator/integers.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::fuzz::tiledb {
namespace {

constexpr std::size_t kLargest = 1'500;  // bytes of a tile or content whose bytes are all replaced
constexpr std::size_t kBlock = 512;      // of an archive

void put_number(Image& into, std::uint64_t value, unsigned width) {
  for (unsigned i = 0; i < width; ++i) into.push_back(static_cast<std::uint8_t>(value >> 8 * i));
}

// What the tile holds; empty if it cannot be decoded.
Image content_of(std::span<const std::byte> tile) {
  namespace tdb = hepcheck::tiledb;
  tdb::Notes notes(default_revision("tiledb"), 1);
  tdb::Opened opened;
  tdb::open_tile(Bytes::of_image(tile, "tile"), {}, notes, opened);
  return opened.decoded ? image_of(opened.content) : Image{};
}

// A tile of one chunk without filters, of the version of another one.
Image tile_around(const Image& content, std::span<const std::byte> like) {
  constexpr unsigned kChar = 4, kNoFilters = 8;
  Image made;
  put_number(made, load<std::uint32_t>(like.data()), 4);
  put_number(made, 20 + content.size(), 8);
  put_number(made, content.size(), 8);
  put_number(made, kChar, 1);
  put_number(made, 1, 8);  // the size of a cell
  put_number(made, 0, 1);  // no encryption
  put_number(made, kNoFilters, 4);
  put_number(made, std::max<std::size_t>(content.size(), 65'536), 4);
  put_number(made, 0, 4);
  put_number(made, 1, 8);
  for (const std::size_t each : {content.size(), content.size(), std::size_t{0}})
    put_number(made, each, 4);
  made.insert(made.end(), content.begin(), content.end());
  return made;
}

// --- Archives ------------------------------------------------------------------------------------

struct Entry {
  Image header{};
  Image content{};
};

std::vector<Entry> entries_of(std::span<const std::byte> archive) {
  std::vector<Entry> made;
  for (std::size_t at = 0; at + kBlock <= archive.size() && archive[at] != std::byte{};) {
    Entry entry{.header = image_of(archive.subspan(at, kBlock))};
    const std::string digits(entry.header.begin() + 124, entry.header.begin() + 135);
    const std::size_t size = std::stoul(digits, nullptr, 8);
    entry.content = image_of(archive.subspan(at + kBlock, size));
    at += kBlock + rounded_up(size, kBlock);
    made.push_back(std::move(entry));
  }
  return made;
}

void write_octal(Image& header, std::size_t at, std::size_t digits, std::size_t value) {
  const std::string text = std::format("{:0{}o}", value, digits);
  std::ranges::copy(text, header.begin() + static_cast<std::ptrdiff_t>(at));
  header[at + digits] = 0;
}

Image archive_of(const std::vector<Entry>& entries) {
  Image made;
  for (const Entry& entry : entries) {
    Image header = entry.header;
    write_octal(header, 124, 11, entry.content.size());
    std::fill_n(header.begin() + 148, 8, std::uint8_t{' '});
    std::size_t sum = 0;
    for (const std::uint8_t byte : header) sum += byte;
    write_octal(header, 148, 6, sum);
    made.insert(made.end(), header.begin(), header.end());
    made.insert(made.end(), entry.content.begin(), entry.content.end());
    made.resize(rounded_up(made.size(), kBlock));
  }
  made.resize(made.size() + 2 * kBlock);
  return made;
}

// --- All files -----------------------------------------------------------------------------------

bool is_archive(const conformance::Fixture& fixture) { return fixture.file.ends_with(".tar"); }

class TileDBMutations : public ::testing::Test {
 protected:
  template <class Change>
  void each_fixture(const Change& change) {
    for (const conformance::Fixture* fixture : conformance::files_of_corpus())
      if (fixture->format == "tiledb" && fixture->valid) {
        section_ = std::filesystem::path(fixture->file).parent_path().filename();
        change(*fixture);
      }
  }

  // Calls `use` with every change of an image.
  template <class Use>
  void each_change(const Image& image, const Use& use) {
    if (image.size() > kLargest) return;
    for (const std::size_t at : places_.of(image))
      for (const std::uint8_t other : replacements(image, at)) {
        Image changed = image;
        changed[at] = other;
        use(changed);
      }
  }

  void examine(const Image& changed, const conformance::Fixture& of) {
    const auto bytes = std::as_bytes(std::span(changed));
    const FileReport report = examine_image(bytes, of.file, std::nullopt,
                                            find_specification(of.spec), {.examine = {.jobs = 1}});
    std::string table;
    if (!has_error(report)) {
      const auto read = hepcheck::tiledb::read_array(Bytes::of_image(bytes, of.file), {});
      table = read ? conformance::table_text(read->table) : read.error();
      for (const std::string& each : read ? read->losses : std::vector<std::string>{})
        table += each + '\n';
    }
    results_.add(section_, report, table);
  }

  // Whether no fixture before had this text in this section.
  bool is_new(const std::string& text) { return texts_.insert(section_ + ' ' + text).second; }

  void expect_golden(const std::string& name) {
    EXPECT_TRUE(golden::equals(results_.text(), "fuzz/tiledb/golden/" + name + ".txt"));
  }

 private:
  std::string section_{};
  std::set<std::string> texts_{};
  NewPlaces places_{};
  GoldenResults results_{};
};

TEST_F(TileDBMutations, OfTiles) {
  each_fixture([&](const conformance::Fixture& fixture) {
    if (is_archive(fixture)) return;
    each_change(image_of(fixture.image), [&](const Image& changed) { examine(changed, fixture); });
  });
  expect_golden("tiles");
}

TEST_F(TileDBMutations, OfContents) {
  each_fixture([&](const conformance::Fixture& fixture) {
    if (is_archive(fixture)) return;
    each_change(content_of(fixture.image), [&](const Image& changed) {
      examine(tile_around(changed, fixture.image), fixture);
    });
  });
  expect_golden("contents");
}

TEST_F(TileDBMutations, OfArchivedArrays) {
  each_fixture([&](const conformance::Fixture& fixture) {
    if (!is_archive(fixture)) return;
    const std::vector<Entry> entries = entries_of(fixture.image);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto stored = std::as_bytes(std::span(entries[i].content));
      const auto with = [&](std::size_t which, Image Entry::* part, const Image& changed) {
        std::vector<Entry> all = entries;
        all[which].*part = changed;
        examine(archive_of(all), fixture);
      };
      each_change(content_of(stored), [&](const Image& changed) {
        with(i, &Entry::content, tile_around(changed, stored));
      });
      // The name, the kind and the name of the directory; all else is the archive's.
      each_change(entries[i].header,
                  [&](const Image& changed) { with(i, &Entry::header, changed); });
    }
  });
  expect_golden("arrays");
}

TEST_F(TileDBMutations, OfSeveralPlaces) {
  constexpr std::uint64_t kEach = 60;
  std::uint64_t number = 0;
  each_fixture([&](const conformance::Fixture& fixture) {
    if (is_archive(fixture)) return;
    const Image content = content_of(fixture.image);
    for (std::uint64_t i = 0; i < kEach && content.size() <= kLargest; ++i) {
      Noise choices = noise_of(number++);
      Image changed = content;
      change_several(choices, changed);
      examine(tile_around(changed, fixture.image), fixture);
    }
  });
  expect_golden("places");
}

// --- Texts ---------------------------------------------------------------------------------------

struct Text {
  std::size_t at = 0;  // of its length, a number of `width` bytes
  unsigned width = 0;
  std::string text{};
};

// Everything that may be a text behind its length.
std::vector<Text> texts_of(const Image& content) {
  constexpr std::uint64_t kLongest = 100;
  const auto bytes = std::as_bytes(std::span(content));
  std::vector<Text> made;
  for (const unsigned width : {4u, 8u})
    for (std::size_t at = 0; at + width < content.size(); ++at) {
      const std::uint64_t size = width == 4 ? load<std::uint32_t>(bytes.data() + at)
                                            : load<std::uint64_t>(bytes.data() + at);
      const std::size_t begin = at + width;
      if (size == 0 || size > std::min<std::uint64_t>(kLongest, content.size() - begin)) continue;
      const std::string text(content.begin() + static_cast<std::ptrdiff_t>(begin),
                             content.begin() + static_cast<std::ptrdiff_t>(begin + size));
      if (std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; }))
        made.push_back({at, width, text});
    }
  return made;
}

Image with_text(const Image& content, const Text& old, const std::string& text) {
  const auto begin = content.begin() + static_cast<std::ptrdiff_t>(old.at);
  Image made(content.begin(), begin);
  put_number(made, text.size(), old.width);
  made.insert(made.end(), text.begin(), text.end());
  made.insert(made.end(), begin + old.width + static_cast<std::ptrdiff_t>(old.text.size()),
              content.end());
  return made;
}

// Names, URIs and values are other texts, longer or shorter, or those of other places.
TEST_F(TileDBMutations, OfTexts) {
  const std::string nul("a\0b", 3);
  each_fixture([&](const conformance::Fixture& fixture) {
    if (is_archive(fixture)) return;
    const Image content = content_of(fixture.image);
    if (content.size() > kLargest) return;
    const std::vector<Text> texts = texts_of(content);
    for (const Text& each : texts) {
      if (!is_new(each.text)) continue;
      std::set<std::string> others = {"",
                                      "/",
                                      each.text + "x",
                                      each.text.substr(1),
                                      each.text + "/..",
                                      "..",
                                      "../a",
                                      "a/../b",
                                      "a//b",
                                      "a/b/c",
                                      "a:/b",
                                      "x/..y",
                                      "..x/y",
                                      "\xC3\xA9",
                                      "\xFF",
                                      nul,
                                      "__x",
                                      "file://a/b",
                                      "/a",
                                      "a/",
                                      ".",
                                      "./a"};
      for (const Text& other : texts) others.insert(other.text);
      others.erase(each.text);
      for (const std::string& text : others)
        examine(tile_around(with_text(content, each, text), fixture.image), fixture);
    }
  });
  expect_golden("texts");
}

void set_name(Image& header, const std::string& name) {
  std::fill_n(header.begin(), 100, std::uint8_t{0});
  std::ranges::copy(name.substr(0, 99), header.begin());
}

std::string name_of(const Image& header) { return reinterpret_cast<const char*>(header.data()); }

// More schemas, enumerations and directories, some of them broken, under other names.
void change_entries(Choices& c, std::vector<Entry>& entries) {
  for (std::uint64_t n = 1 + c.below(4); n > 0 && !entries.empty(); --n) {
    const std::size_t at = c.below(entries.size());
    Entry copy = entries[at];
    std::string name = name_of(copy.header);
    switch (c.below(7)) {
      case 0:
      case 1:  // other timestamps, or another directory
        for (char& letter : name)
          if (letter >= '0' && letter <= '8' && c.one_in(6)) ++letter;
        set_name(copy.header, name);
        if (c.maybe()) {
          Image content = content_of(std::as_bytes(std::span(copy.content)));
          change_several(c, content);
          if (!content.empty())
            copy.content = tile_around(content, std::as_bytes(std::span(entries[at].content)));
        }
        entries.push_back(std::move(copy));
        break;
      case 2:
        if (copy.content.size() > 60) copy.content.resize(c.below(copy.content.size()));
        entries[at] = std::move(copy);
        break;
      case 3: entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(at)); break;
      case 4: entries[at].header[156] = static_cast<std::uint8_t>('0' + c.below(8)); break;
      case 5: {
        constexpr const char* kDirectories[] = {"array/", "array/__schema/", "array/__labels/",
                                                "array/__fragments/", "other/"};
        copy.content.clear();
        copy.header[156] = '5';
        set_name(copy.header, kDirectories[c.below(5)]);
        entries.push_back(std::move(copy));
        break;
      }
      default:
        set_name(copy.header, "array/__commits/" + std::to_string(c.below(3)));
        entries.push_back(std::move(copy));
    }
  }
}

TEST_F(TileDBMutations, OfEntriesOfArchives) {
  constexpr std::uint64_t kEach = 300;
  std::uint64_t number = 0;
  each_fixture([&](const conformance::Fixture& fixture) {
    if (!is_archive(fixture)) return;
    for (std::uint64_t i = 0; i < kEach; ++i) {
      Noise choices = noise_of(number++);
      std::vector<Entry> entries = entries_of(fixture.image);
      change_entries(choices, entries);
      examine(archive_of(entries), fixture);
    }
  });
  expect_golden("entries");
}

}  // namespace
}  // namespace hepcheck::fuzz::tiledb
