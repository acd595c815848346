// The structures of a file, read from manually written bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <format>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "validator/formats/hdf5/array_elements.h"
#include "validator/formats/hdf5/btree2.h"
#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/dataspace.h"
#include "validator/formats/hdf5/datatype.h"
#include "validator/formats/hdf5/decode.h"
#include "validator/formats/hdf5/eligibility.h"
#include "validator/formats/hdf5/extensible_array.h"
#include "validator/formats/hdf5/fill.h"
#include "validator/formats/hdf5/filter_rules.h"
#include "validator/formats/hdf5/filters.h"
#include "validator/formats/hdf5/fractal_heap.h"
#include "validator/formats/hdf5/heap_filters.h"
#include "validator/formats/hdf5/layout.h"
#include "validator/formats/hdf5/local_heap.h"
#include "validator/formats/hdf5/lookup3.h"
#include "validator/formats/hdf5/specifications.h"
#include "validator/formats/hdf5/superblock.h"
#include "validator/formats/hdf5/unpack.h"

namespace hepcheck::hdf5 {
namespace {

// Bytes, the least significant first.
class Made {
 public:
  Made& put(std::uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; ++i) bytes_.push_back(static_cast<std::byte>(value >> 8 * i));
    return *this;
  }
  Made& text(std::string_view letters) {
    for (const char c : letters) put(static_cast<unsigned char>(c), 1);
    return *this;
  }
  Made& sum() { return put(lookup3(bytes_), 4); }
  Region region() const { return {bytes_, {"test", 0, 0}}; }
  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  std::vector<std::byte> bytes_{};
};

// A file of zeros, and the findings about it.
struct Desk {
  std::vector<std::byte> image{4096};
  Bytes bytes = Bytes::of_image(image, "test");
  Limits limits{};
  Notes notes{swmr_design(), 100, [](std::uint32_t) { return std::string("/"); }};
  Container file{bytes, limits, notes};

  Desk() { file.end = image.size(); }
  std::uint64_t findings(const ClauseId& clause) const {
    return notes.probe_of(clause).total_findings();
  }
};

TEST(Superblock, OfVersion3) {
  const std::string_view signature("\x89HDF\r\n\x1a\n", 8);
  const auto made = [&](std::uint8_t status, std::uint64_t end) {
    Made it;
    it.text(signature).put(3, 1).put(8, 1).put(8, 1).put(status, 1);
    it.put(0, 8).put(kUndefined, 8).put(end, 8).put(48, 8).sum();
    return it;
  };
  const auto judged = [](Made&& it) {
    Desk desk;
    holds(parse_superblock(it.region(), 100), it.region().place, desk.notes);
    return desk.notes.failed();
  };
  EXPECT_TRUE(judged(made(0, 100)).none());
  const Superblock usual = parse_superblock(made(0, 100).region(), 100);
  EXPECT_EQ(usual.group_leaf_k, 4);
  EXPECT_EQ(usual.group_internal_k, 16);
  EXPECT_EQ(usual.chunk_k, 32);
  const ClauseId eof = "swmr-superblock-eof", sum = "swmr-superblock-checksum",
                 closed = "swmr-superblock-status-closed";
  EXPECT_TRUE(judged(made(0, 101)).test(eof.place()));
  EXPECT_TRUE(judged(made(0, 47)).test(eof.place()));
  // A writer is still active: the file may be shorter than its stated size.
  EXPECT_FALSE(judged(made(5, 101)).test(eof.place()));
  EXPECT_TRUE(judged(made(5, 101)).test(closed.place()));
  Made torn = made(0, 100);
  torn.bytes()[20] = std::byte{1};
  EXPECT_TRUE(judged(std::move(torn)).test(sum.place()));
  Made cut = made(0, 100);
  cut.bytes().resize(40);
  EXPECT_TRUE(judged(std::move(cut)).test(eof.place()));
}

TEST(Superblock, PlacesOfSizesThatAreNot) {
  const auto places = [](std::uint8_t version, std::uint8_t offset_size, std::uint8_t length_size) {
    Made it;
    it.text({"\x89HDF\r\n\x1a\n", 8}).put(version, 1);
    if (version < 2) it.put(0, 4);
    it.put(offset_size, 1).put(length_size, 1).put(0, 100);
    Desk desk;
    holds(parse_superblock(it.region(), 200), it.region().place, desk.notes);
    std::string made;
    for (const ClauseId& clause :
         {ClauseId("swmr-superblock-offset-size"), ClauseId("swmr-superblock-length-size")})
      for (const Finding& each : desk.notes.probe_of(clause).findings()) made += each.where + ';';
    return made;
  };
  EXPECT_EQ(places(0, 3, 8), "test @ 0 + 13;");
  EXPECT_EQ(places(0, 8, 3), "test @ 0 + 14;");
  EXPECT_EQ(places(3, 3, 8), "test @ 0 + 9;");
  EXPECT_EQ(places(3, 8, 3), "test @ 0 + 10;");
}

// Of several reserved fields that are not zero, the first is reported.
TEST(Superblock, ReservedFields) {
  for (const unsigned version : {0U, 1U})
    for (unsigned set = 1; set < 8; ++set) {
      Made it;
      it.text({"\x89HDF\r\n\x1a\n", 8}).put(version, 1).put(0, 2).put(set & 1, 1).put(0, 1);
      it.put(8, 1).put(8, 1).put(set >> 1 & 1, 1).put(4, 2).put(16, 2).put(0, 4);
      if (version == 1) it.put(32, 2).put(set >> 2, 2);
      it.put(0, 8)
          .put(kUndefined, 8)
          .put(4096, 8)
          .put(kUndefined, 8)
          .put(0, 8)
          .put(96, 8)
          .put(0, 24);
      const Superblock read = parse_superblock(it.region(), 4096);
      const std::optional<std::uint64_t> wanted = (set & 1) != 0   ? std::optional(11)
                                                  : (set & 2) != 0 ? std::optional(15)
                                                  : version == 1   ? std::optional(26)
                                                                   : std::nullopt;
      EXPECT_EQ(read.not_reserved, wanted) << version << ' ' << set;
    }
}

// At 0, or after a user block of 512 bytes times a power of two.
TEST(Superblock, IsSearchedAtThePermittedAddresses) {
  const auto found = [](std::size_t at) {
    std::vector<std::byte> image(8192);
    const std::string_view signature("\x89HDF\r\n\x1a\n", 8);
    std::ranges::copy(std::as_bytes(std::span(signature)),
                      image.begin() + static_cast<std::ptrdiff_t>(at));
    return find_signature(Bytes::of_image(image, "test"));
  };
  for (const std::size_t at : {0, 512, 1024, 2048, 4096}) EXPECT_EQ(found(at), at);
  for (const std::size_t at : {1, 256, 1536, 2560, 3072}) EXPECT_EQ(found(at), std::nullopt);
}

TEST(Dataspace, SizesAndMaxima) {
  Desk desk;
  Made good;
  good.put(2, 1).put(1, 1).put(1, 1).put(1, 1).put(5, 8).put(kUndefined, 8);
  const auto space = read_dataspace(good.region(), desk.file);
  ASSERT_TRUE(space);
  EXPECT_EQ(space->elements(), 5U);
  EXPECT_EQ(space->unlimited(), 1U);
  Made above;
  above.put(2, 1).put(1, 1).put(1, 1).put(1, 1).put(5, 8).put(4, 8);
  EXPECT_FALSE(read_dataspace(above.region(), desk.file));
  EXPECT_EQ(desk.findings("swmr-dataspace-max"), 1U);
  Made cut;
  cut.put(2, 1).put(2, 1).put(0, 1).put(1, 1).put(5, 8);
  EXPECT_FALSE(read_dataspace(cut.region(), desk.file));
  EXPECT_EQ(desk.findings("swmr-dataspace-fits"), 1U);
}

// An array of one element of the datatype that follows, `levels` times.
Made nested(unsigned levels) {
  Made made;
  for (unsigned i = 0; i < levels; ++i) made.put(0x3a, 1).put(0, 3).put(4, 4).put(1, 1).put(1, 4);
  made.put(0x10, 1).put(8, 3).put(4, 4).put(0, 2).put(32, 2);
  return made;
}

TEST(Datatype, DeepNestingIsReadOrReportedAsTooDeep) {
  Desk desk;
  EXPECT_TRUE(read_datatype(nested(40).region(), desk.file));
  EXPECT_TRUE(desk.notes.not_examined().empty());
  EXPECT_FALSE(read_datatype(nested(64).region(), desk.file));
  EXPECT_EQ(desk.notes.not_examined().size(), 1U);
  EXPECT_TRUE(desk.notes.failed().none());
}

TEST(Datatype, MembersAreInsideTheirCompound) {
  const auto compound = [](std::uint8_t offset) {
    Made made;
    made.put(0x36, 1).put(1, 3).put(8, 4).text("a").put(0, 1).put(offset, 1);
    made.put(0x10, 1).put(0, 3).put(4, 4).put(0, 2).put(32, 2);
    return made;
  };
  Desk desk;
  EXPECT_TRUE(read_datatype(compound(4).region(), desk.file));
  EXPECT_FALSE(read_datatype(compound(5).region(), desk.file));
  EXPECT_EQ(desk.findings("swmr-datatype-member-inside"), 1U);
}

// The layout message has the minimum of pointers before the minimum of elements; the header of the
// array has the opposite order.
TEST(DataLayout, ParametersOfAnExtensibleArray) {
  Desk desk;
  Made made;
  made.put(4, 1).put(2, 1).put(0, 1).put(2, 1).put(1, 1).put(10, 1).put(4, 1);
  made.put(4, 1).put(32, 1).put(4, 1).put(2, 1).put(16, 1).put(10, 1).put(96, 8);
  const DataLayout layout = parse_layout(made.region(), desk.file);
  EXPECT_TRUE(layout.whole);
  EXPECT_EQ(layout.index(), IndexType::kExtensibleArray);
  EXPECT_EQ(layout.min_pointers, 2);
  EXPECT_EQ(layout.min_elements, 16);
  EXPECT_EQ(layout.chunk_bytes(), 40U);
  EXPECT_EQ(layout.address, 96U);
}

TEST(DataLayout, SizesOfEightBytesAreTheWidest) {
  Desk desk;
  const auto layout = [&](std::uint8_t width) {
    Made made;
    made.put(4, 1).put(2, 1).put(0, 1).put(2, 1).put(width, 1).put(10, width).put(4, width);
    made.put(1, 1).put(96, 8);
    return parse_layout(made.region(), desk.file);
  };
  EXPECT_TRUE(layout(8).whole);
  EXPECT_EQ(layout(8).chunk_bytes(), 40U);
  EXPECT_FALSE(layout(9).whole);
}

// Only version 2 states whether there is a value.
TEST(Fill, Values) {
  Desk desk;
  const auto size = [&](std::uint8_t version, std::uint8_t defined) {
    Made made;
    made.put(version, 1).put(2, 1).put(0, 1).put(defined, 1).put(4, 4).put(7, 4);
    const auto fill = read_fill(made.region(), false, 4, desk.file);
    return fill ? fill->size : -2;
  };
  EXPECT_EQ(size(1, 0), 4);
  EXPECT_EQ(size(1, 1), 4);
  EXPECT_EQ(size(2, 0), std::nullopt);
  EXPECT_EQ(size(2, 1), 4);
}

// A list of as many free blocks as fit: two with two numbers each, which fill the segment.
TEST(LocalHeap, FullOfFreeBlocks) {
  const auto heap = [](std::uint64_t next_of_second) {
    Desk desk;
    Made made;
    made.text("HEAP").put(0, 4).put(32, 8).put(0, 8).put(64, 8);
    made.put(0, 32).put(16, 8).put(16, 8).put(next_of_second, 8).put(16, 8);
    std::ranges::copy(made.bytes(), desk.image.begin());
    const bool read = LocalHeap::read(0, desk.file).has_value();
    EXPECT_EQ(desk.findings("swmr-local-heap-free-list"), read ? 0U : 1U);
    return read;
  };
  EXPECT_TRUE(heap(1));
  EXPECT_FALSE(heap(0));  // the first one again
}

TEST(FractalHeap, OfTwoToThePowerOf64Bytes) {
  const auto heap = [](std::uint16_t bits) {
    Desk desk;
    Made made;
    made.text("FRHP").put(0, 1).put(8, 2).put(0, 2).put(2, 1).put(512, 4);
    made.put(0, 8).put(kUndefined, 8).put(0, 8).put(kUndefined, 8);
    for (int i = 0; i < 8; ++i) made.put(0, 8);
    made.put(4, 2).put(512, 8).put(1024, 8).put(bits, 2).put(1, 2).put(kUndefined, 8).put(0, 2);
    made.sum();
    std::ranges::copy(made.bytes(), desk.image.begin());
    (void)FractalHeap::read(0, desk.file);
    EXPECT_EQ(desk.findings("swmr-fractal-heap-checksum"), 0U);
    return desk.findings("swmr-fractal-heap-geometry");
  };
  EXPECT_EQ(heap(64), 0U);
  EXPECT_EQ(heap(65), 1U);
}

TEST(Eligibility, NamesThreeReasons) {
  const auto text = [](std::size_t count) {
    ClauseSet clauses;
    for (std::size_t i = 0; i < count; ++i) clauses.set(i);
    return reasons_text(clauses);
  };
  const std::string three = std::format("{}, {}, {}", kClauseIds[0], kClauseIds[1], kClauseIds[2]);
  EXPECT_EQ(text(0), "parts that were not examined");
  EXPECT_EQ(text(3), three);
  EXPECT_EQ(text(4), three + " and 1 more");
  EXPECT_EQ(text(6), three + " and 3 more");
}

// Each property of a dataset by itself is against SWMR writing, and by its own clause.
TEST(Eligibility, OfEveryPropertyAlone) {
  struct Case {
    const char* clause;
    std::function<void(Dataset&)> change;
    bool heap_reference = false;
  };
  const Case cases[] = {
      {"", [](Dataset&) {}},
      {"swmr-eligible-header-checksummed", [](Dataset& d) { d.header_version = 1; }},
      {"swmr-eligible-no-btree1", [](Dataset& d) { d.layout.version = 3; }},
      {"swmr-eligible-index-kind",
       [](Dataset& d) { d.layout.index_byte = static_cast<std::uint8_t>(IndexType::kImplicit); }},
      {"swmr-eligible-index-kind",
       [](Dataset& d) { d.layout.index_byte = static_cast<std::uint8_t>(IndexType::kSingle); }},
      {"swmr-eligible-extendable", [](Dataset& d) { d.space.maxima = {10}; }},
      {"swmr-eligible-no-vlen", [](Dataset& d) { d.type.variable_length = true; }},
      {"swmr-eligible-no-region-reference", [](Dataset& d) { d.type.region_reference = true; }},
      {"swmr-eligible-no-heap-reference", [](Dataset& d) { d.type.attribute_reference = true; }},
      {"swmr-eligible-no-heap-reference", [](Dataset&) {}, true},
      {"swmr-eligible-in-file", [](Dataset& d) { d.external = true; }},
  };
  for (const Case& each : cases) {
    Desk desk;
    Dataset dataset{.header_version = 2, .known = Dataset::Known::kLayout};
    dataset.space.version = 2;
    dataset.space.rank = 1;
    dataset.space.sizes = {10};
    dataset.space.maxima = {kUndefined};
    dataset.type.nodes = std::make_shared<const TypeNodes>(1);
    dataset.layout.version = 4;
    dataset.layout.class_byte = static_cast<std::uint8_t>(LayoutClass::kChunked);
    dataset.layout.index_byte = static_cast<std::uint8_t>(IndexType::kExtensibleArray);
    dataset.layout.dimensionality = 2;
    dataset.layout.chunk = {4, 1};
    each.change(dataset);
    judge_eligibility(dataset, each.heap_reference, desk.notes);
    for (const char* clause :
         {"swmr-eligible-header-checksummed", "swmr-eligible-chunked", "swmr-eligible-no-btree1",
          "swmr-eligible-index-kind", "swmr-eligible-extendable", "swmr-eligible-no-vlen",
          "swmr-eligible-no-region-reference", "swmr-eligible-no-heap-reference",
          "swmr-eligible-in-file"}) {
      const auto at =
          std::ranges::find(kClauseIds, std::string_view(clause)) - std::begin(kClauseIds);
      EXPECT_EQ(desk.notes.failed().test(static_cast<std::size_t>(at)),
                std::string_view(clause) == each.clause)
          << clause << " of " << each.clause;
    }
  }
}

// The example of the specification, without its optimisations: element 12345 is in super block 13.
TEST(ExtensibleArray, BlocksOfElements) {
  const Dataset dataset;
  const EaHeader plain{.dataset = dataset, .max_bits = 32, .min_elements = 1, .min_pointers = 2};
  EXPECT_EQ(plain.start(13), 8191U);
  EXPECT_EQ(plain.data_blocks(13), 64U);
  EXPECT_EQ(plain.elements(13), 128U);
  const EaHeader usual{.dataset = dataset,
                       .max_bits = 32,
                       .index_elements = 4,
                       .min_elements = 16,
                       .min_pointers = 4,
                       .page_bits = 10};
  EXPECT_EQ(usual.index_super_blocks(), 4U);
  EXPECT_EQ(usual.super_blocks(), 25U);
}

// Each of the statistics counts.
TEST(ExtensibleArray, WithoutIndexBlockIsEmpty) {
  Dataset dataset;
  dataset.layout.max_bits = 32;
  dataset.layout.index_elements = 4;
  dataset.layout.min_elements = 16;
  dataset.layout.min_pointers = 4;
  dataset.layout.page_bits = 10;
  Made bytes;
  bytes.text("EAHD");
  const auto findings = [&](const EaStatistics& stated) {
    Desk desk;
    holds(EaHeader{.dataset = dataset,
                   .region = bytes.region(),
                   .element_size_wanted = 8,
                   .element_size = 8,
                   .max_bits = 32,
                   .index_elements = 4,
                   .min_elements = 16,
                   .min_pointers = 4,
                   .page_bits = 10,
                   .stated = stated},
          bytes.region().place, desk.notes);
    return desk.findings("swmr-earray-empty");
  };
  EXPECT_EQ(findings({}), 0u);
  for (const auto member :
       {&EaStatistics::super_blocks, &EaStatistics::super_block_bytes, &EaStatistics::data_blocks,
        &EaStatistics::data_block_bytes, &EaStatistics::max_index, &EaStatistics::realized}) {
    EaStatistics stated;
    stated.*member = 1;
    EXPECT_EQ(findings(stated), 1u);
  }
}

// One byte more than the size of a chunk needs, and at most eight; all eight since layout version
// 5.
TEST(ArrayElements, WidthOfStoredSizes) {
  Desk desk;
  Dataset dataset;
  dataset.layout.version = 4;
  dataset.layout.dimensionality = 2;
  const auto width = [&](std::uint64_t bytes) {
    dataset.layout.chunk = {bytes, 1};
    return stored_size_width(dataset, desk.file);
  };
  EXPECT_EQ(width(1), 2U);
  EXPECT_EQ(width(255), 2U);
  EXPECT_EQ(width(256), 3U);
  EXPECT_EQ(width((1 << 24) - 1), 4U);
  EXPECT_EQ(width(1 << 24), 5U);
  EXPECT_EQ(width(std::uint64_t{1} << 56), 8U);
  dataset.layout.version = 5;
  EXPECT_EQ(width(1), 8U);
}

TEST(Tree2, CapacityForRecords) {
  const Tree2Wanted wanted{.type = Tree2Type::kChunks, .record_size = 24};
  const Tree2Header header{.wanted = wanted, .node_size = 2048, .record_size = 24, .depth = 1};
  const Tree2Shape shape = shape_of(header);
  ASSERT_EQ(shape.levels.size(), 2U);
  EXPECT_EQ(shape.levels[0].most, 84U);
  EXPECT_EQ(shape.levels[1].most, 61U);
}

// The dimension without a maximum is the slowest, at any position.
// A root exactly if there are records; and a merge below half the split.
TEST(Tree2, HeadersOfTreesWithRecordsAndWithout) {
  const Tree2Wanted wanted{.type = Tree2Type::kChunks, .record_size = 11};
  Made signature;
  signature.text("BTHD");
  const auto header = [&] {
    return Tree2Header{.region = signature.region(),
                       .wanted = wanted,
                       .type = static_cast<std::uint8_t>(Tree2Type::kChunks),
                       .node_size = 512,
                       .record_size = 11,
                       .split = 100,
                       .merge = 40};
  };
  for (const std::uint64_t total : {0, 1})
    for (const std::uint16_t records : {std::uint16_t{0}, std::uint16_t{1}})
      for (const std::uint16_t depth : {std::uint16_t{0}, std::uint16_t{1}, std::uint16_t{2}})
        for (const std::uint64_t root : {kUndefined, std::uint64_t{0}, std::uint64_t{100}}) {
          Tree2Header made = header();
          made.total = total;
          made.root_records = records;
          made.depth = depth;
          made.root = root;
          Desk desk;
          const bool empty = total == 0 && records == 0 && depth == 0;
          EXPECT_EQ(holds(made, {"BTHD", 0, 0}, desk.notes), empty == (root == kUndefined));
          EXPECT_EQ(desk.findings("swmr-btree2-root-defined"), !empty && root == kUndefined);
          EXPECT_EQ(desk.findings("swmr-btree2-empty-root-undefined"), empty && root != kUndefined);
        }
  for (const auto& [split, merge, good] :
       {std::tuple(0, 0, false), std::tuple(1, 0, false), std::tuple(2, 1, false),
        std::tuple(3, 1, true), std::tuple(100, 0, false), std::tuple(100, 1, true),
        std::tuple(100, 49, true), std::tuple(100, 50, false), std::tuple(99, 49, true),
        std::tuple(99, 50, false), std::tuple(101, 40, false), std::tuple(255, 40, false)}) {
    Tree2Header made = header();
    made.split = static_cast<std::uint8_t>(split);
    made.merge = static_cast<std::uint8_t>(merge);
    Desk desk;
    holds(made, {"BTHD", 0, 0}, desk.notes);
    EXPECT_EQ(desk.findings("swmr-btree2-percentages"), !good) << split << ' ' << merge;
  }
  for (const std::uint16_t depth : {std::uint16_t{32}, std::uint16_t{33}}) {
    Tree2Header made = header();
    made.total = made.root_records = 1;
    made.root = 100;
    made.node_size = 1U << 30;
    made.depth = depth;
    Desk desk;
    holds(made, {"BTHD", 0, 0}, desk.notes);
    EXPECT_EQ(desk.findings("swmr-btree2-depth"), depth > 32);
  }
}

TEST(Numbering, MovesTheUnlimitedDimensionToTheFront) {
  Dataset dataset;
  dataset.space.rank = 2;
  dataset.space.maxima = {6, kUndefined};
  dataset.layout.dimensionality = 3;
  dataset.layout.chunk = {2, 5, 4};
  Numbering numbering(dataset);
  numbering.go_to(4);
  EXPECT_EQ(numbering.scaled()[0], 1U);
  EXPECT_EQ(numbering.scaled()[1], 1U);
  numbering.next();
  numbering.next();
  EXPECT_EQ(numbering.scaled()[0], 0U);
  EXPECT_EQ(numbering.scaled()[1], 2U);
}

TEST(Fletcher32, OddBytesAndManyWords) {
  EXPECT_EQ(fletcher32(Made().put(0x01, 1).region().bytes), 0x01000100U);
  EXPECT_EQ(fletcher32(Made().put(0x0201, 2).put(0x0403, 2).region().bytes), 0x05080406U);
  Made long_one;
  for (int i = 0; i < 4000; ++i) long_one.put(0xff, 1);
  EXPECT_EQ(fletcher32(long_one.region().bytes), 0xffffffffU);
}

// --- Numbers in as few bits as they need --------------------------------------------------------

// "12ab" is two bytes.
std::vector<std::byte> of_hex(std::string_view digits) {
  std::vector<std::byte> made;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    made.push_back(
        static_cast<std::byte>(std::stoul(std::string(digits.substr(i, 2)), nullptr, 16)));
  return made;
}

struct Unpacked {
  bool good = false;
  std::vector<std::byte> bytes{};

  friend bool operator==(const Unpacked&, const Unpacked&) = default;
};

template <class Undo>
Unpacked undone(Undo undo, const std::vector<std::uint32_t>& values, std::string_view packed,
                std::uint64_t size, std::size_t elements) {
  Unpacked made{.good = false, .bytes = std::vector<std::byte>(size * elements)};
  made.good = undo(Filter{.values = values}, of_hex(packed), size, made.bytes);
  return made;
}

TEST(Unpack, NumbersOfNbit) {
  const auto undo = unpack_nbit;
  // Four bits at bit 6 of two bytes, which are in both: 0xa and 0x5.
  const std::vector<std::uint32_t> little{8, 0, 2, 1, 2, 0, 4, 6};
  EXPECT_EQ(undone(undo, little, "a5", 2, 2), (Unpacked{true, of_hex("80024001")}));
  EXPECT_EQ(undone(undo, {8, 0, 2, 1, 2, 1, 4, 6}, "a5", 2, 2),
            (Unpacked{true, of_hex("02800140")}));
  EXPECT_EQ(undone(undo, {8, 0, 1, 1, 3, 0, 24, 0}, "123456", 3, 1),
            (Unpacked{true, of_hex("563412")}));
  EXPECT_EQ(undone(undo, {8, 0, 1, 1, 3, 0, 23, 1}, "2468ac", 3, 1),
            (Unpacked{true, of_hex("ac6824")}));
  // A compound: three bits, two plain bytes after a byte of padding, an array of two of five bits.
  const std::vector<std::uint32_t> compound{0, 0, 1, 3, 6, 3, 0, 1, 1, 0, 3, 2,
                                            2, 4, 2, 4, 2, 2, 1, 1, 0, 5, 0};
  EXPECT_EQ(undone(undo, compound, "a9acf8", 6, 1), (Unpacked{false, of_hex("000000000000")}));
  EXPECT_EQ(undone(undo, compound, "acaf4ff0", 6, 1), (Unpacked{true, of_hex("1400657a0f1e")}))
      << "101 01100101 01111010 01111 11110";
  // Nothing to pack.
  EXPECT_EQ(undone(undo, {3, 1, 2}, "01020304", 2, 2), (Unpacked{true, of_hex("01020304")}));
  EXPECT_FALSE(undone(undo, {3, 1, 2}, "010203", 2, 2).good);
}

TEST(Unpack, DescriptionsOfNbitThatAreNotFollowed) {
  const auto follows = [](const std::vector<std::uint32_t>& values, std::uint64_t size) {
    return undone(unpack_nbit, values, std::string(64, '0'), size, 1).good;
  };
  EXPECT_TRUE(follows({8, 0, 1, 1, 4, 0, 17, 15}, 4));
  EXPECT_FALSE(follows({8, 0, 1, 1, 4, 0, 17, 16}, 4)) << "bits beyond the element";
  EXPECT_FALSE(follows({8, 0, 1, 1, 4, 0, 17, 4}, 5)) << "another size";
  EXPECT_FALSE(follows({8, 0, 1, 5, 4, 0, 17, 4}, 4)) << "an unknown class";
  EXPECT_FALSE(follows({8, 0, 1, 4, 0}, 1)) << "no bytes";
  EXPECT_FALSE(follows({3, 0}, 4));
  EXPECT_FALSE(follows({3, 0, 1}, 4));
  EXPECT_TRUE(follows({0, 0, 1, 2, 4, 4, 2}, 4));
  EXPECT_FALSE(follows({0, 0, 1, 2, 4, 4, 3}, 4)) << "an array of one and a third";
  EXPECT_TRUE(follows({0, 0, 1, 3, 4, 1, 3, 4, 1}, 4));
  EXPECT_FALSE(follows({0, 0, 1, 3, 4, 1, 4, 4, 1}, 4)) << "a member behind the compound";
  EXPECT_FALSE(follows({0, 0, 1, 3, 4, 1, 3, 4, 2}, 4)) << "a member over the end";
  EXPECT_FALSE(follows({0, 0, 1, 2, 1U << 20, 4, 1}, 1U << 20)) << "very many fields";
  std::vector<std::uint32_t> nested{0, 0, 1};
  for (int i = 0; i < 100; ++i) nested.insert(nested.end(), {2, 4});
  nested.insert(nested.end(), {4, 4});
  EXPECT_FALSE(follows(nested, 4)) << "arrays of arrays";
}

std::vector<std::uint32_t> scaled(std::uint32_t scaling, std::uint32_t factor, std::uint32_t size,
                                  std::uint32_t big = 0, std::uint32_t filled = 0,
                                  std::uint32_t fill = 0) {
  std::vector<std::uint32_t> values(20);
  values[0] = scaling;
  values[1] = factor;
  values[4] = size;
  values[6] = big;
  values[7] = filled;
  values[8] = fill;
  return values;
}

TEST(Unpack, NumbersOfScaleOffset) {
  const auto undo = unpack_scale_offset;
  // 4 bits, from 1 on; the first of them is 0.
  const std::string head =
      "0400000008"
      "0100000000000000"
      "0000000000000000";
  EXPECT_EQ(undone(undo, scaled(2, 0, 2), head + "05f0", 2, 3),
            (Unpacked{true, of_hex("010006001000")}));
  EXPECT_EQ(undone(undo, scaled(2, 0, 2, 1), head + "05f0", 2, 3),
            (Unpacked{true, of_hex("000100060010")}));
  EXPECT_EQ(undone(undo, scaled(2, 0, 2, 0, 1, 0x1234), head + "05f0", 2, 3),
            (Unpacked{true, of_hex("010006003412")}));
  EXPECT_EQ(undone(undo, scaled(2, 16, 2), "01020304", 2, 2), (Unpacked{true, of_hex("01020304")}));
  // No bits: all are the minimum. All bits: as they are.
  EXPECT_EQ(undone(undo, scaled(2, 0, 1),
                   "00000000"
                   "08"
                   "0700000000000000"
                   "0000000000000000",
                   1, 2),
            (Unpacked{true, of_hex("0707")}));
  EXPECT_EQ(undone(undo, scaled(2, 0, 1),
                   "08000000"
                   "08"
                   "0700000000000000"
                   "0000000000000000"
                   "0102",
                   1, 2),
            (Unpacked{true, of_hex("0102")}));
  // As libhdf5 stores 1/8, 2/8 and so on with three decimals: 0 and 125 thousandths above 0.125.
  EXPECT_EQ(undone(undo, scaled(0, 3, 8),
                   "0b00000008"
                   "000000000000c03f"
                   "0000000000000000"
                   "0001f4",
                   8, 2),
            (Unpacked{true, of_hex("000000000000c03f"
                                   "000000000000d03f")}));
  EXPECT_EQ(undone(undo, scaled(0, 3, 4),
                   "0b00000008"
                   "0000003e00000000"
                   "0000000000000000"
                   "0001f4",
                   4, 2),
            (Unpacked{true, of_hex("0000003e"
                                   "0000803e")}));
  const auto follows = [&](const std::vector<std::uint32_t>& values, std::uint64_t size,
                           std::string_view packed) {
    return undone(undo, values, packed, size, 2).good;
  };
  EXPECT_FALSE(follows(scaled(2, 0, 2), 4, head + "05f0")) << "another size";
  EXPECT_FALSE(follows(scaled(2, 0, 3), 3, head + "05f0")) << "three bytes";
  EXPECT_FALSE(follows(scaled(0, 3, 2), 2, head + "05f0")) << "a half-precision number";
  EXPECT_FALSE(follows(scaled(2, 0, 2), 2, head)) << "too short";
  EXPECT_FALSE(follows(scaled(2, 0, 2), 2, head.substr(0, 40))) << "half a head";
  EXPECT_FALSE(follows(scaled(2, 0, 1), 1,
                       "0900000008"
                       "0100000000000000"
                       "0000000000000000"
                       "ffffff"))
      << "nine bits of a byte";
  EXPECT_FALSE(follows(scaled(2, 16, 2), 2, "010203"));
}

// Of several names without a zero, the first is reported.
TEST(Filters, NamesEndInZeros) {
  for (const unsigned version : {1U, 2U})
    for (unsigned without = 0; without < 8; ++without) {
      Made made;
      made.put(version, 1).put(3, 1);
      if (version == 1) made.put(0, 6);
      std::optional<std::uint64_t> wanted;
      for (unsigned i = 0; i < 3; ++i) {
        const bool ends = (without >> i & 1) == 0;
        if (!ends && !wanted) wanted = made.bytes().size();
        made.put(300 + i, 2).put(8, 2).put(0, 2).put(0, 2).text("filters").put(ends ? 0 : 'x', 1);
      }
      Desk desk;
      Notes notes(default_revision("hdf5"), 100, [](std::uint32_t) { return std::string("/"); });
      notes.keep_places(10);
      Container file(desk.bytes, desk.limits, notes);
      EXPECT_TRUE(read_filters(made.region(), file));
      ASSERT_EQ(notes.placed().size(), wanted ? 1u : 0u) << without;
      if (wanted) {
        EXPECT_EQ(notes.placed()[0].clause, "h5-filters-name-terminated");
        EXPECT_EQ(notes.placed()[0].at.offset, *wanted);
      }
    }
}

TEST(Filters, ThatChangeNoByte) {
  Filter filter{.id = filter_id::kScaleOffset, .values = std::vector<std::uint32_t>(20)};
  filter.values[0] = 2;
  filter.values[1] = 32;
  filter.values[4] = 4;
  EXPECT_TRUE(leaves_chunks_alone(filter));
  filter.values[1] = 31;
  EXPECT_FALSE(leaves_chunks_alone(filter));
  filter.values[1] = 32;
  filter.id = filter_id::kDeflate;
  EXPECT_FALSE(leaves_chunks_alone(filter));
  filter = {.id = filter_id::kNbit, .values = {3, 1, 10}};
  EXPECT_TRUE(leaves_chunks_alone(filter));
  filter.values[1] = 0;
  EXPECT_FALSE(leaves_chunks_alone(filter));
}

// Scale-offset with every scaling and factor: only all bits of integers are left alone.
TEST(Filters, ThatPackNothingForEveryFactor) {
  for (const std::uint32_t scaling : {0, 1, 2, 3})
    for (const std::uint32_t size : {1, 2, 4, 8})
      for (std::uint32_t factor = 0; factor <= 65; ++factor) {
        Filter filter{.id = filter_id::kScaleOffset};
        filter.values.assign(20, 0);
        filter.values[0] = scaling;
        filter.values[1] = factor;
        filter.values[4] = size;
        EXPECT_EQ(leaves_chunks_alone(filter), scaling == 2 && factor == 8 * size)
            << scaling << ' ' << size << ' ' << factor;
        filter.values.pop_back();
        EXPECT_FALSE(leaves_chunks_alone(filter));
      }
}

// --- The filters of heaps -----------------------------------------------------------------------

// A zlib stream whose only block is stored as it is.
std::vector<std::byte> deflated(const std::vector<std::byte>& bytes) {
  std::uint32_t one = 1, two = 0;
  for (const std::byte each : bytes) {
    one = (one + std::to_integer<std::uint32_t>(each)) % 65'521;
    two = (two + one) % 65'521;
  }
  Made made;
  made.put(0x78, 1).put(0x01, 1).put(1, 1).put(bytes.size(), 2).put(~bytes.size(), 2);
  made.bytes().insert(made.bytes().end(), bytes.begin(), bytes.end());
  for (const std::uint32_t each : {two >> 8, two, one >> 8, one}) made.put(each, 1);
  return made.bytes();
}

std::vector<std::byte> shuffled(const std::vector<std::byte>& bytes, std::size_t size) {
  std::vector<std::byte> made = bytes;
  const std::size_t count = bytes.size() / size;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t byte = 0; byte < size; ++byte) made[byte * count + i] = bytes[i * size + byte];
  return made;
}

// Up to four filters in any order, each of which may be skipped.
TEST(HeapFilters, AreUndoneInAnyOrder) {
  std::vector<std::byte> plain(150);
  for (std::size_t i = 0; i < plain.size(); ++i) plain[i] = static_cast<std::byte>(i * 7);
  for (unsigned code = 0; code < 256; ++code)
    for (std::uint32_t mask = 0; mask < 16; mask += 5) {
      Filters filters;
      std::vector<std::byte> stored = plain;
      std::string text;
      for (unsigned i = 0; i < 4; ++i) {
        const unsigned id = code >> 2 * i & 3U;
        if (id == 0) continue;
        const bool skipped = (mask >> filters.list.size() & 1U) != 0;
        filters.list.push_back({.id = static_cast<std::uint16_t>(id), .values = {4}});
        text += std::format("{}{} ", id, skipped ? " skipped" : "");
        if (skipped) continue;
        if (id == filter_id::kDeflate) stored = deflated(stored);
        if (id == filter_id::kShuffle) stored = shuffled(stored, 4);
        if (id == filter_id::kFletcher32) {
          Made sum;
          sum.put(fletcher32(stored), 4);
          stored.insert(stored.end(), sum.bytes().begin(), sum.bytes().end());
        }
      }
      const HeapBytes made = undo_heap_filters(filters, mask, stored, plain.size());
      EXPECT_EQ(made.trouble, "") << text;
      EXPECT_FALSE(made.unknown);
      EXPECT_TRUE(made.bytes == plain) << text;
    }
}

// Wherever a read begins and ends, before, inside or behind what is replaced.
TEST(Container, ReadsWhatReplacesItsBytes) {
  Desk desk;
  std::vector<std::byte> wanted(64);
  for (std::size_t i = 0; i < wanted.size(); ++i)
    desk.image[i] = wanted[i] = static_cast<std::byte>(i);
  const std::string first = "replaced", second = "by", third = "others";
  for (const auto& [at, text] :
       {std::pair(3, &first), std::pair(11, &second), std::pair(20, &third)}) {
    const auto bytes = std::as_bytes(std::span(*text));
    desk.file.replace(static_cast<std::uint64_t>(at), bytes);
    std::ranges::copy(bytes, wanted.begin() + at);
  }
  for (std::size_t begin = 0; begin < 32; ++begin)
    for (std::size_t size = 1; size < 32; ++size) {
      std::vector<std::byte> read(size);
      ASSERT_TRUE(desk.file.read(begin, read));
      EXPECT_TRUE(std::ranges::equal(read, std::span(wanted).subspan(begin, size)))
          << begin << ' ' << size;
    }
}

TEST(Container, RepeatedReadsAreLimited) {
  Desk desk;
  std::uint64_t read = 0;
  while (desk.file.block("test", 0, 4096)) read += 4096;
  EXPECT_TRUE(desk.file.exhausted());
  EXPECT_LT(read, std::uint64_t{2} << 20);
  EXPECT_EQ(desk.notes.not_examined().size(), 1U);
}

}  // namespace
}  // namespace hepcheck::hdf5
