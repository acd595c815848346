// Reading, writing and refusing through the library: contents of a file as compared by a trace,
// changes to a copy, and the drivers.
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <format>

#include "fuzz/hep001/properties/image.h"
#include "fuzz/hep001/properties/readers.h"
#include "fuzz/properties/random_values.h"
#include "validator/descriptor.h"
#include "validator/formats/hep001/libhdf5/checksum.h"
#include "validator/formats/hep001/libhdf5/descriptor_driver.h"
#include "validator/formats/hep001/libhdf5/edit.h"
#include "validator/formats/hep001/libhdf5/file.h"
#include "validator/formats/hep001/libhdf5/file_values.h"
#include "validator/formats/hep001/libhdf5/image_driver.h"
#include "validator/formats/hep001/libhdf5/read_content.h"
#include "validator/testing/memory_file.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

using namespace hepcheck::fuzz;
using Bytes = std::vector<std::byte>;

ObjectHandle make_group(hid_t file, const char* path) {
  return ObjectHandle{H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
}

// A text of `size` bytes, or of variable length.
void put_text(hid_t object, const char* name, const std::string& text, std::size_t size,
              H5T_str_t padding = H5T_STR_NULLTERM) {
  const TypeHandle type{H5Tcopy(H5T_C_S1)};
  H5Tset_size(type.get(), size);
  H5Tset_strpad(type.get(), padding);
  const SpaceHandle scalar{H5Screate(H5S_SCALAR)};
  const AttributeHandle made{
      H5Acreate2(object, name, type.get(), scalar.get(), H5P_DEFAULT, H5P_DEFAULT)};
  const char* pointer = text.c_str();
  std::string stored = text;
  if (size != H5T_VARIABLE) stored.resize(size, padding == H5T_STR_SPACEPAD ? ' ' : '\0');
  ASSERT_GE(H5Awrite(made.get(), type.get(),
                     size == H5T_VARIABLE ? static_cast<const void*>(&pointer) : stored.data()),
            0);
}

void put_numbers(hid_t object, const char* name, const std::vector<std::uint64_t>& numbers) {
  const hsize_t count = numbers.size();
  const SpaceHandle space{count == 1 ? H5Screate(H5S_SCALAR)
                                     : H5Screate_simple(1, &count, nullptr)};
  const AttributeHandle made{
      H5Acreate2(object, name, H5T_STD_U64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT)};
  ASSERT_GE(H5Awrite(made.get(), H5T_NATIVE_UINT64, numbers.data()), 0);
}

ObjectHandle make_dataset(hid_t file, const char* path, const std::vector<hsize_t>& extent,
                          const std::vector<hsize_t>& chunk = {}) {
  const SpaceHandle space{
      H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr)};
  const PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
  if (!chunk.empty()) H5Pset_chunk(list.get(), static_cast<int>(chunk.size()), chunk.data());
  return ObjectHandle{
      H5Dcreate2(file, path, H5T_STD_U16LE, space.get(), H5P_DEFAULT, list.get(), H5P_DEFAULT)};
}

// --- Contents ------------------------------------------------------------------------------------

// Tables are recognised by their CLASS, in any storage; columns are directly in them.
TEST(Contents, TablesAreIdentifiedByTheirClass) {
  struct Form {
    std::size_t size;
    H5T_str_t padding;
    const char* text;
    bool table;
  };
  for (const Form& form : {Form{13, H5T_STR_NULLTERM, "COLUMN_TABLE", true},
                           Form{12, H5T_STR_NULLPAD, "COLUMN_TABLE", true},
                           Form{20, H5T_STR_NULLPAD, "COLUMN_TABLE", true},
                           Form{20, H5T_STR_SPACEPAD, "COLUMN_TABLE", true},
                           Form{4095, H5T_STR_SPACEPAD, "COLUMN_TABLE", true},
                           Form{4096, H5T_STR_SPACEPAD, "COLUMN_TABLE", false},
                           Form{H5T_VARIABLE, H5T_STR_NULLTERM, "COLUMN_TABLE", true},
                           Form{H5T_VARIABLE, H5T_STR_NULLTERM, "COLUMN_TABLES", false},
                           Form{13, H5T_STR_NULLTERM, "COLUMN_TABL", false},
                           Form{13, H5T_STR_NULLPAD, "COLUMN_TABLES", false},
                           Form{20, H5T_STR_NULLPAD, " COLUMN_TABLE", false}}) {
    const Bytes image = image_with([&](hid_t file) {
      const ObjectHandle table = make_group(file, "/t");
      put_text(table.get(), "CLASS", form.text, form.size, form.padding);
      put_numbers(table.get(), "NROWS", {7});
      make_group(file, "/t/g");
      for (const char* path : {"/t/a", "/t/g/b", "/tc"}) make_dataset(file, path, {7});
    });
    const trace::Content content = read_content(memory_file(image).get(), Opening::kPlain);
    const std::string about = std::format("{} as {}", form.text, form.size);
    EXPECT_EQ(content.unreadable, "") << about;
    EXPECT_EQ(content.values.size(), 3u);
    ASSERT_EQ(content.tables.size(), form.table ? 1u : 0u) << about;
    if (!form.table) continue;
    EXPECT_EQ(content.tables.at("/t").rows, 7u);
    EXPECT_EQ(content.tables.at("/t").columns, std::vector<std::string>{"/t/a"});
  }
}

TEST(Contents, TablesAreReadWithoutRows) {
  for (const std::vector<std::uint64_t>& rows : {std::vector<std::uint64_t>{}, {7, 7}, {7}}) {
    const Bytes image = image_with([&](hid_t file) {
      const ObjectHandle root{H5Gopen2(file, "/", H5P_DEFAULT)};
      put_text(root.get(), "CLASS", "COLUMN_TABLE", 13);
      if (!rows.empty()) put_numbers(root.get(), "NROWS", rows);
      make_dataset(file, "/a", {7});
    });
    const trace::Content content = read_content(memory_file(image).get(), Opening::kPlain);
    if (rows.size() == 1) {
      EXPECT_EQ(content.unreadable, "");
      EXPECT_EQ(content.tables.at("/").columns, std::vector<std::string>{"/a"});
    } else {
      EXPECT_EQ(content.unreadable, "/: NROWS cannot be read");
    }
  }
}

// 14 bytes of values, then 6.
TEST(Contents, AreReadUpToALimit) {
  const Bytes image = image_with([&](hid_t file) {
    make_dataset(file, "/a", {7});
    make_dataset(file, "/b", {3});
    const SpaceHandle null{H5Screate(H5S_NULL)}, scalar{H5Screate(H5S_SCALAR)};
    ObjectHandle{
        H5Dcreate2(file, "/c", H5T_STD_U16LE, null.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
    ObjectHandle{H5Dcreate2(file, "/d", H5T_STD_REF_OBJ, scalar.get(), H5P_DEFAULT, H5P_DEFAULT,
                            H5P_DEFAULT)};
  });
  const Descriptor file = memory_file(image);
  const auto left_out = [&](std::uint64_t most) {
    return read_content(file.get(), Opening::kPlain, most).left_out;
  };
  const std::string reference = "/d: references";
  using Texts = std::vector<std::string>;
  EXPECT_EQ(left_out(20), Texts{reference});
  EXPECT_EQ(left_out(19), (Texts{"/b: 6 bytes of values", reference}));
  EXPECT_EQ(left_out(14), (Texts{"/b: 6 bytes of values", reference}));
  EXPECT_EQ(left_out(13), (Texts{"/a: 14 bytes of values", reference}));
  EXPECT_EQ(left_out(5), (Texts{"/a: 14 bytes of values", "/b: 6 bytes of values", reference}));
  const trace::Content all = read_content(file.get(), Opening::kPlain);
  EXPECT_EQ(all.values.at("/a").bytes.size(), 14u);
  EXPECT_EQ(all.values.at("/c").bytes.size(), 0u);
}

// --- Tables --------------------------------------------------------------------------------------

constexpr const char* kTable = "/t";

Table table_in(const Bytes& image) {
  const Result<File> file = File::open_image(image);
  EXPECT_TRUE(file);
  return read_table_at(*file, kTable).value();
}

// By the reader without the library.
Table table_by_own(const Bytes& image) {
  const OwnReader own(image);
  return read_table_at(*own.file, kTable).value();
}

void put(Bytes& image, std::size_t at, std::byte value) { image.at(at) = value; }

// The position of some letters that occur once.
std::size_t place_of(const Bytes& image, std::string_view letters) {
  const auto found = std::ranges::search(image, std::as_bytes(std::span(letters)));
  EXPECT_FALSE(found.empty()) << letters;
  return static_cast<std::size_t>(found.begin() - image.begin());
}

// If one attribute cannot be decoded, the library lists none; the attributes of HEP001 are read
// nevertheless.
TEST(Tables, AttributesNextToABrokenOneAreRead) {
  constexpr std::array kNames = {"CLASS",
                                 "VERSION",
                                 "NROWS",
                                 "TITLE",
                                 "INDEX_COLUMNS",
                                 "column-order",
                                 "_index",
                                 "encoding-type",
                                 "encoding-version",
                                 "description",
                                 "units_vocabulary",
                                 "units",
                                 "SEARCH_INDEX_LIST",
                                 "CATEGORIES",
                                 "valid_min",
                                 "valid_max",
                                 "KIND",
                                 "VALUES",
                                 "ordered",
                                 "nan_tail_length",
                                 "fill_tail_length",
                                 "k",
                                 "m_bits",
                                 "seed",
                                 "hash_family",
                                 "GENERATION",
                                 "SOURCE_GENERATION",
                                 "SOURCE_NROWS",
                                 "exhaustive",
                                 "MASK"};
  Bytes image = image_with(
      [&](hid_t file) {
        const ObjectHandle table = make_group(file, kTable);
        for (const char* name : kNames) put_numbers(table.get(), name, {5});
        put_numbers(table.get(), "other", {5});
        put_numbers(table.get(), "BROKEN!", {5});
      },
      H5F_LIBVER_EARLIEST);
  EXPECT_FALSE(table_in(image).group.attributes_unreadable);
  put(image, place_of(image, "BROKEN!") + 8, std::byte{0x1f});  // a datatype of class 15
  const Table table = table_in(image);
  ASSERT_TRUE(table.group.attributes_unreadable);
  EXPECT_TRUE(table.group.attributes_unreadable->starts_with("attributes: "));
  EXPECT_EQ(table.group.attributes.size(), kNames.size());
  for (const char* name : kNames) EXPECT_TRUE(table.group.attributes.contains(name)) << name;
}

// Up to 64 KiB including the terminator, which the library stores.
TEST(Tables, LongTargetsOfLinksAreRead) {
  for (const std::size_t length : {1, 65'534, 65'535}) {
    const Bytes image = image_with(
        [&](hid_t file) {
          make_group(file, kTable);
          EXPECT_GE(H5Lcreate_soft(std::string(length, 'x').c_str(), file, "/t/soft", H5P_DEFAULT,
                                   H5P_DEFAULT),
                    0);
          EXPECT_GE(H5Lcreate_external("o.h5", "/x", file, "/t/there", H5P_DEFAULT, H5P_DEFAULT),
                    0);
        },
        H5F_LIBVER_EARLIEST);
    for (const Table& table : {table_in(image), table_by_own(image)}) {
      ASSERT_EQ(table.group.children.size(), 2u);
      for (const Child& child : table.group.children)
        EXPECT_EQ(child.link_target,
                  child.name == "soft" ? std::string(length, 'x') : std::string("o.h5:/x"));
    }
  }
}

// An object without links has been deleted, even if its bytes remain where the reference points.
TEST(Tables, ReferencesToDeletedOrForeignObjects) {
  haddr_t address = 0;
  Bytes image = image_with(
      [&](hid_t file) {
        const ObjectHandle table = make_group(file, kTable);
        const ObjectHandle data = make_dataset(file, "/t/d", {3});
        const SpaceHandle scalar{H5Screate(H5S_SCALAR)};
        hobj_ref_t reference{};
        ASSERT_GE(H5Rcreate(&reference, file, "/t/d", H5R_OBJECT, -1), 0);
        address = reference;
        const AttributeHandle made{H5Acreate2(table.get(), "old", H5T_STD_REF_OBJ, scalar.get(),
                                              H5P_DEFAULT, H5P_DEFAULT)};
        ASSERT_GE(H5Awrite(made.get(), H5T_STD_REF_OBJ, &reference), 0);
      },
      H5F_LIBVER_EARLIEST);
  const auto reference_in = [](const Bytes& bytes, const char* name) {
    std::vector<Reference> both;
    for (const Table& table : {table_in(bytes), table_by_own(bytes)})
      both.push_back(table.group.attributes.find(std::string_view(name))->second.references.at(0));
    EXPECT_EQ(both[0].target, both[1].target);
    EXPECT_EQ(both[0].path, both[1].path);
    EXPECT_EQ(both[0].object, both[1].object);
    EXPECT_EQ(both[0].why, both[1].why);
    return both[1];
  };
  const Reference there = reference_in(image, "old");
  EXPECT_EQ(there.target, Reference::Target::kObject);
  EXPECT_EQ(there.path, "/t/d");
  EXPECT_EQ(there.object, ObjectKind::kDataset);
  ASSERT_EQ(image.at(address), std::byte{1});      // a header of version 1
  ASSERT_EQ(image.at(address + 4), std::byte{1});  // one link
  put(image, address + 4, std::byte{0});
  const Reference gone = reference_in(image, "old");
  EXPECT_EQ(gone.target, Reference::Target::kDangling);
  EXPECT_EQ(gone.why, "the object has been deleted");
}

// --- Rows without elements -----------------------------------------------------------------------

TEST(Values, OfRowsWithoutElements) {
  for (const std::vector<hsize_t>& chunk : {std::vector<hsize_t>{}, {2, 3}}) {
    const Bytes image = image_with([&](hid_t file) { make_dataset(file, "/d", {5, 0}, chunk); });
    const Result<File> file = File::open_image(image);
    ASSERT_TRUE(file);
    const ObjectHandle opened{H5Dopen2(file->context().file, "/d", H5P_DEFAULT)};
    H5O_info2_t info;
    H5Oget_info3(opened.get(), &info, H5O_INFO_BASIC);
    const Dataset model =
        read_dataset(file->context(), opened.get(), "d", "/d", token_of(info.token));
    FileValues values(file->context());
    std::uint64_t rows = 0;
    EXPECT_FALSE(for_each_block(values.stream(model, 5), [&](const Block& block) {
      rows += block.rows;
      EXPECT_TRUE(block.bytes.empty());
    }));
    EXPECT_EQ(rows, 5u);
    OwnReader own(image);
    EXPECT_EQ(rows_of(own.values(), own.dataset("d"), 0, 5).value(), Bytes());
  }
}

// --- Changes to a copy ---------------------------------------------------------------------------

std::vector<std::uint64_t> numbers_in(const Bytes& image) {
  const Result<File> file = File::open_image(image);
  const AttributeHandle list{
      H5Aopen_by_name(file->context().file, "/", "list", H5P_DEFAULT, H5P_DEFAULT)};
  if (!list) return {};
  const SpaceHandle space{H5Aget_space(list.get())};
  std::vector<std::uint64_t> numbers(
      static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get())));
  H5Aread(list.get(), H5T_NATIVE_UINT64, numbers.data());
  return numbers;
}

// Any elements of a list, and none that it does not have.
RC_GTEST_PROP(Edits, RemoveTheNamedElements, ()) {
  const auto count = 2 + *rc::gen::inRange<std::uint64_t>(0, 5).as("elements");
  const auto dropped =
      *rc::gen::container<std::set<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(0, count + 1))
           .as("dropped");
  std::vector<std::uint64_t> numbers, wanted;
  for (std::uint64_t i = 0; i < count; ++i) {
    numbers.push_back(100 + i);
    if (!dropped.contains(i)) wanted.push_back(100 + i);
  }
  const Bytes image = image_with([&](hid_t file) {
    const ObjectHandle root{H5Gopen2(file, "/", H5P_DEFAULT)};
    put_numbers(root.get(), "list", numbers);
  });
  const Edit edit{
      .kind = Edit::Kind::kDropElements, .path = "/", .name = "list", .elements = dropped};
  const Result<Image> made = edited(image, std::array{edit});
  RC_ASSERT(made.has_value() == (!dropped.empty() && *dropped.rbegin() < count));
  if (made) RC_ASSERT(numbers_in(*made) == wanted);
}

// Objects with several hard links are copied once.
TEST(Edits, TooLargeCopiesAreRefused) {
  constexpr hsize_t kRows = 1 << 20;
  const auto linked = [&](int links) {
    return image_with([&](hid_t file) {
      const ObjectHandle dataset = make_dataset(file, "d", {kRows});
      const std::vector<std::uint16_t> values(kRows, 1);
      H5Dwrite(dataset.get(), H5T_NATIVE_UINT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
      for (int i = 1; i < links; ++i)
        H5Olink(dataset.get(), file, std::to_string(i).c_str(), H5P_DEFAULT, H5P_DEFAULT);
    });
  };
  EXPECT_TRUE(compacted(linked(32)));
  const Result<Image> larger = compacted(linked(34));
  ASSERT_FALSE(larger);
  EXPECT_EQ(larger.error().text(), "a copy of the file: became too large");
}

// --- Drivers -------------------------------------------------------------------------------------

// Bytes that were never written are zeros, whatever they were before.
TEST(Drivers, BytesBeyondTheEndOfAnImageAreZeros) {
  initialise(false);
  constexpr hsize_t kRows = 300'000;
  WritableImage image{.most = 10'000'000};
  const PropertyHandle access{H5Pcreate(H5P_FILE_ACCESS)};
  ASSERT_TRUE(write_into(access.get(), image));
  const FileHandle file{H5Fcreate("made", H5F_ACC_TRUNC, H5P_DEFAULT, access.get())};
  const SpaceHandle space{H5Screate_simple(1, &kRows, nullptr)};
  const PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
  H5Pset_alloc_time(list.get(), H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(list.get(), H5D_FILL_TIME_NEVER);
  const ObjectHandle dataset{
      H5Dcreate2(file.get(), "d", H5T_STD_U8LE, space.get(), H5P_DEFAULT, list.get(), H5P_DEFAULT)};
  Bytes values(kRows, std::byte{0x55});
  ASSERT_GE(H5Dread(dataset.get(), H5T_STD_U8LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  EXPECT_EQ(values, Bytes(kRows));
  EXPECT_FALSE(image.failed);
}

// Exactly the maximum number of bytes.
TEST(Drivers, ImagesGrowToTheirLimit) {
  initialise(false);
  const auto made = [](std::size_t most) {
    WritableImage image{.most = most};
    {
      const PropertyHandle access{H5Pcreate(H5P_FILE_ACCESS)};
      write_into(access.get(), image);
      const FileHandle file{H5Fcreate("made", H5F_ACC_TRUNC, H5P_DEFAULT, access.get())};
      make_dataset(file.get(), "d", {1000});
    }
    return image;
  };
  const WritableImage whole = made(1 << 20);
  ASSERT_FALSE(whole.failed);
  EXPECT_FALSE(made(whole.bytes.size()).failed);
  EXPECT_TRUE(made(whole.bytes.size() - 1).failed);
}

TEST(Drivers, ReadFilesAreNotWritten) {
  const Bytes image = image_with([](hid_t file) { make_dataset(file, "d", {10}); });
  const Descriptor file = memory_file(image);
  const PropertyHandle access{H5Pcreate(H5P_FILE_ACCESS)};
  ASSERT_TRUE(read_from(access.get(), file.get()));
  EXPECT_TRUE(FileHandle{H5Fopen("image", H5F_ACC_RDONLY, access.get())});
  EXPECT_FALSE(FileHandle{H5Fopen("image", H5F_ACC_RDWR, access.get())});
  EXPECT_FALSE(FileHandle{H5Fcreate("image", H5F_ACC_TRUNC, H5P_DEFAULT, access.get())});
  Bytes after(image.size() + 1);
  EXPECT_EQ(pread(file.get(), after.data(), after.size(), 0), static_cast<ssize_t>(image.size()));
  after.pop_back();
  EXPECT_EQ(after, image);
}

// The mark of a file that is open for writing is byte 11 of superblocks from version 3 on; in older
// ones, that byte has another meaning, or none.
TEST(Drivers, FilesMarkedAsOpenAreRead) {
  for (const auto& [version, superblock] :
       {std::pair(H5F_LIBVER_EARLIEST, 0), std::pair(H5F_LIBVER_V18, 2),
        std::pair(H5F_LIBVER_V110, 3)}) {
    Bytes image = image_with([](hid_t file) { make_dataset(file, "d", {10}); }, version);
    ASSERT_EQ(image[8], static_cast<std::byte>(superblock));
    const auto marked = [&] {
      const Descriptor file = memory_file(image);
      const Result<File> opened = File::open_descriptor(file.get(), "image");
      EXPECT_TRUE(opened) << superblock;
      return opened && opened->marked_as_open();
    };
    EXPECT_FALSE(marked()) << superblock;
    if (superblock == 0) continue;  // there it is reserved, and the library checks it
    put(image, 11, std::byte{1});
    const std::uint32_t sum = metadata_checksum(std::span(image).first(44));
    for (std::size_t i = 0; i < 4; ++i) put(image, 44 + i, static_cast<std::byte>(sum >> 8 * i));
    EXPECT_EQ(marked(), superblock == 3) << superblock;
  }
}

// Metadata is read in windows of 16 KiB, of which there are 256: pieces inside one, across two or
// in none, and windows that replace others.
TEST(Drivers, MetadataInManyWindowsIsRead) {
  constexpr hsize_t kRows = 3 << 20;  // two bytes each
  const Bytes image = image_with([&](hid_t file) {
    const ObjectHandle table = make_group(file, kTable);
    const auto put_bytes = [&](const std::string& name, hsize_t count, Noise& noise) {
      Bytes bytes(count);
      for (std::byte& byte : bytes) byte = static_cast<std::byte>(noise.bits());
      const SpaceHandle space{H5Screate_simple(1, &count, nullptr)};
      const AttributeHandle made{H5Acreate2(table.get(), name.c_str(), H5T_STD_U8LE, space.get(),
                                            H5P_DEFAULT, H5P_DEFAULT)};
      ASSERT_GE(H5Awrite(made.get(), H5T_STD_U8LE, bytes.data()), 0);
    };
    Noise noise(7);
    for (int i = 0; i < 400; ++i) {
      put_bytes(std::format("a{}", i), 1 + noise.below(i % 40 == 0 ? 20'000 : 900), noise);
      if (i != 200) continue;
      const ObjectHandle between = make_dataset(file, "/between", {kRows});
      const std::vector<std::uint16_t> values(kRows, 1);
      H5Dwrite(between.get(), H5T_NATIVE_UINT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    }
  });
  const Table wanted = table_in(image);
  ASSERT_EQ(wanted.group.attributes.size(), 400u);
  const Descriptor file = memory_file(image);
  const Result<File> opened = File::open_descriptor(file.get(), "image");
  ASSERT_TRUE(opened);
  const Table table = read_table_at(*opened, kTable).value();
  ASSERT_EQ(table.group.attributes.size(), 400u);
  const Table by_own = table_by_own(image);
  ASSERT_EQ(by_own.group.attributes.size(), 400u);
  for (const auto& [name, attribute] : wanted.group.attributes) {
    EXPECT_EQ(table.group.attributes.find(name)->second.bytes, attribute.bytes) << name;
    EXPECT_EQ(by_own.group.attributes.find(name)->second.bytes, attribute.bytes) << name;
  }
}

// --- Checksums -----------------------------------------------------------------------------------

// The checksums of superblocks and of object headers written by the library: of any number of
// bytes.
RC_GTEST_PROP(Checksums, OfMetadataEqualThoseOfTheLibrary, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(0, 40).as("bytes of an attribute");
  const auto text = *rc::gen::container<std::string>(size, rc::gen::inRange('a', 'z')).as("name");
  const Bytes image = image_with([&](hid_t file) {
    const ObjectHandle root{H5Gopen2(file, "/", H5P_DEFAULT)};
    put_numbers(root.get(), ("x" + text).c_str(), {size});
  });
  const auto number = [&](std::size_t at, std::size_t width) {
    std::uint64_t value = 0;
    for (std::size_t i = width; i-- > 0;)
      value = value << 8 | std::to_integer<std::uint64_t>(image.at(at + i));
    return value;
  };
  RC_ASSERT(number(8, 1) >= 2);  // the version of the superblock
  RC_ASSERT(metadata_checksum(std::span(image).first(44)) == number(44, 4));
  // The root's header: signature, version, flags, times if they are kept, the size of its chunk 0.
  const std::size_t header = number(36, 8), flags = number(header + 5, 1);
  const std::size_t prefix = 6 + ((flags & 0x20) != 0 ? 16 : 0) + ((flags & 0x10) != 0 ? 4 : 0);
  const std::size_t width = std::size_t{1} << (flags & 3);
  const std::size_t length = prefix + width + number(header + prefix, width);
  RC_ASSERT(metadata_checksum(std::span(image).subspan(header, length)) ==
            number(header + length, 4));
}

}  // namespace

}  // namespace hepcheck::hep001::libhdf5
