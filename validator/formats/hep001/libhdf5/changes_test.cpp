// Changes of a file through the library: datasets that are created again with another fill value,
// references that would be lost, objects and attributes that become shorter, tables at new paths.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <format>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "validator/descriptor.h"
#include "validator/formats/hep001/libhdf5/apply_step.h"
#include "validator/formats/hep001/libhdf5/edit.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/index_dataset.h"
#include "validator/formats/hep001/libhdf5/read_content.h"
#include "validator/formats/hep001/libhdf5/read_datatype.h"
#include "validator/formats/hep001/libhdf5/testing/memory_hdf5.h"
#include "validator/formats/hep001/libhdf5/write_table.h"
#include "validator/formats/hep001/model/comparable.h"
#include "validator/formats/hep001/own/own_file.h"
#include "validator/rewrite.h"
#include "validator/testing/golden_files.h"
#include "validator/testing/memory_file.h"
#include "validator/testing/random.h"
#include "validator/trace/content.h"

namespace hepcheck::hep001::libhdf5 {
namespace {

using testing::changed;
using testing::Extent;
using testing::image_of;
using testing::MemoryFile;
using testing::Values;

// --- Datasets that are created again -------------------------------------------------------------

// Three chunks of four rows, of which any may never have been written; the last one is incomplete.
TEST(RecreatedDatasets, HaveTheSameValues) {
  constexpr std::int32_t kOld = -1, kNew = -2;
  // The last has chunks that are stored without their filter.
  enum class Storage { kCompact, kContiguous, kChunked, kDeflated, kUnfiltered };
  for (const Storage storage : {Storage::kCompact, Storage::kContiguous, Storage::kChunked,
                                Storage::kDeflated, Storage::kUnfiltered})
    for (const Step::Fill fill : {Step::Fill::kKeep, Step::Fill::kSet, Step::Fill::kRemove})
      for (unsigned written = 0; written < 8; ++written) {
        const bool filtered = storage == Storage::kDeflated || storage == Storage::kUnfiltered;
        const bool chunked = storage == Storage::kChunked || filtered;
        const MemoryFile file;
        const PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
        const hsize_t chunk = 4, rows = 10;
        if (chunked)
          H5Pset_chunk(list.get(), 1, &chunk);
        else
          H5Pset_layout(list.get(), storage == Storage::kCompact ? H5D_COMPACT : H5D_CONTIGUOUS);
        if (filtered) H5Pset_deflate(list.get(), 6);
        H5Pset_fill_value(list.get(), H5T_NATIVE_INT32, &kOld);
        {
          const SpaceHandle space{H5Screate_simple(1, &rows, nullptr)};
          const ObjectHandle made{H5Dcreate2(file.id(), "/d", H5T_STD_I32LE, space.get(),
                                             H5P_DEFAULT, list.get(), H5P_DEFAULT)};
          for (hsize_t i = 0; i < 3; ++i) {
            if ((written >> i & 1) == 0) continue;
            const hsize_t begin = i * chunk, count = std::min(chunk, rows - begin);
            const Values values(chunk, static_cast<std::int32_t>(10 * (i + 1)));
            if (storage == Storage::kUnfiltered) {
              ASSERT_GE(H5Dwrite_chunk(made.get(), H5P_DEFAULT, 1, &begin,
                                       values.size() * sizeof values[0], values.data()),
                        0);
              continue;
            }
            const SpaceHandle memory{H5Screate_simple(1, &count, nullptr)};
            H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &begin, nullptr, &count, nullptr);
            ASSERT_GE(H5Dwrite(made.get(), H5T_NATIVE_INT32, memory.get(), space.get(), H5P_DEFAULT,
                               values.data()),
                      0);
          }
        }
        file.put_numbers("/d", "a", {1, 2, 3});
        file.put_numbers("/d", "b", {4});
        const Values before = file.values("/d");
        Step step{.kind = Step::Kind::kRecreate, .path = "/d", .fill = fill};
        const auto value = std::as_bytes(std::span(&kNew, 1));
        if (fill == Step::Fill::kSet) step.fill_value.assign(value.begin(), value.end());
        const MemoryFile after = changed(
            file, [&](const File& opened) { EXPECT_TRUE(apply_step(opened, step)) << written; });
        EXPECT_EQ(after.values("/d"), before) << static_cast<int>(storage) << ' ' << written;
        EXPECT_EQ(after.numbers("/d", "a"), (Values{1, 2, 3}));
        EXPECT_EQ(after.numbers("/d", "b"), Values{4});
        const ObjectHandle made = after.open("/d");
        const PropertyHandle properties{H5Dget_create_plist(made.get())};
        H5D_fill_value_t defined{};
        H5Pfill_value_defined(properties.get(), &defined);
        EXPECT_EQ(defined == H5D_FILL_VALUE_USER_DEFINED, fill != Step::Fill::kRemove);
        std::int32_t filled = 0;
        H5Pget_fill_value(properties.get(), H5T_NATIVE_INT32, &filled);
        EXPECT_EQ(filled, fill == Step::Fill::kKeep ? kOld : fill == Step::Fill::kSet ? kNew : 0);
        EXPECT_EQ(H5Pget_nfilters(properties.get()), filtered ? 1 : 0);
        if (HasFailure()) return;
      }
}

// A fill value stays what it is, of whatever datatype the same bytes are afterwards: set, by
// default, or undefined.
TEST(RecreatedDatasets, KeepTheirFillValue) {
  const auto bytes_of = [](hid_t dataset) {
    const TypeHandle type{H5Dget_type(dataset)};
    std::vector<std::byte> made(10 * H5Tget_size(type.get()));
    EXPECT_GE(H5Dread(dataset, type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, made.data()), 0);
    return made;
  };
  struct Filled {
    H5D_fill_value_t state{};
    std::vector<std::byte> value = std::vector<std::byte>(4);
  };
  const auto fill_of = [](hid_t dataset) {
    const TypeHandle type{H5Dget_type(dataset)};
    const PropertyHandle list{H5Dget_create_plist(dataset)};
    Filled made;
    EXPECT_GE(H5Pfill_value_defined(list.get(), &made.state), 0);
    if (made.state != H5D_FILL_VALUE_UNDEFINED) {
      EXPECT_GE(H5Pget_fill_value(list.get(), type.get(), made.value.data()), 0);
    }
    return made;
  };
  constexpr std::int32_t kFill = 0x01020304;
  const std::optional<Datatype> types[] = {std::nullopt, integer_type(4, true),
                                           integer_type(4, true, ByteOrder::kBig),
                                           integer_type(4, false), ieee_float_type(4)};
  for (const H5D_fill_value_t state :
       {H5D_FILL_VALUE_DEFAULT, H5D_FILL_VALUE_USER_DEFINED, H5D_FILL_VALUE_UNDEFINED})
    for (const bool chunked : {false, true})
      for (const std::optional<Datatype>& type : types)
        for (const Step::Fill fill : {Step::Fill::kKeep, Step::Fill::kSet, Step::Fill::kRemove}) {
          const MemoryFile file;
          const PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
          const hsize_t chunk = 4;
          if (chunked) H5Pset_chunk(list.get(), 1, &chunk);
          if (state != H5D_FILL_VALUE_DEFAULT)
            H5Pset_fill_value(list.get(), H5T_NATIVE_INT32,
                              state == H5D_FILL_VALUE_UNDEFINED ? nullptr : &kFill);
          file.dataset("/d", {10}, list.get());
          const auto bytes = bytes_of(file.open("/d").get());
          const Filled before = fill_of(file.open("/d").get());
          ASSERT_EQ(before.state, state);
          Step step{.kind = Step::Kind::kRecreate, .path = "/d", .type = type, .fill = fill};
          if (fill == Step::Fill::kSet) step.fill_value.assign(4, std::byte{5});
          const MemoryFile after =
              changed(file, [&](const File& opened) { EXPECT_TRUE(apply_step(opened, step)); });
          EXPECT_EQ(bytes_of(after.open("/d").get()), bytes);
          const Filled now = fill_of(after.open("/d").get());
          if (fill == Step::Fill::kKeep) {
            EXPECT_EQ(now.state, state);
            EXPECT_EQ(now.value, before.value);
          } else if (fill == Step::Fill::kSet) {
            EXPECT_EQ(now.state, H5D_FILL_VALUE_USER_DEFINED);
            EXPECT_EQ(now.value, step.fill_value);
          } else {
            EXPECT_EQ(now.state, H5D_FILL_VALUE_DEFAULT);
          }
          if (type) {
            std::optional<std::string> trouble;
            const TypeHandle made{H5Dget_type(after.open("/d").get())};
            EXPECT_EQ(describe(read_datatype(made.get(), {}, trouble)), describe(*type));
          }
          if (HasFailure()) return;
        }
}

// A step that fails at any point changes nothing, and those after it are made.
TEST(Steps, ThatFailLeaveNothing) {
  const auto reference = [](const char* path) {
    return Reference{
        .kind = Reference::Kind::kObject, .target = Reference::Target::kObject, .path = path};
  };
  const auto names_of = [](const MemoryFile& file) {
    std::string names;
    const ObjectHandle group = file.open("/g");
    H5O_info2_t info;
    EXPECT_GE(H5Oget_info3(group.get(), &info, H5O_INFO_NUM_ATTRS), 0);
    for (hsize_t i = 0; i < info.num_attrs; ++i) {
      char name[100] = {};
      H5Aget_name_by_idx(group.get(), ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name,
                         H5P_DEFAULT);
      names += std::string(name) + ' ';
    }
    return names;
  };
  for (const bool there : {false, true})
    for (const std::size_t wrong : {0, 1, 2, 3, 4}) {
      const MemoryFile file;
      file.group("/g");
      file.dataset("/d", {2});
      if (there) file.put_numbers("/g", "list", {1, 2});
      Attribute list{.name = "list", .type = standard_reference_type()};
      list.space = {.kind = Dataspace::Kind::kSimple, .extent = {3}, .max_extent = {3}};
      for (std::size_t i = 0; i < 3; ++i)
        list.references.push_back(reference(i == wrong ? "/nowhere" : "/d"));
      if (wrong == 4) list.type.cls = TypeClass::kTime;  // which cannot be made
      const bool right = wrong == 3;
      const MemoryFile after = changed(file, [&](const File& opened) {
        EXPECT_EQ(
            apply_step(opened, {.kind = Step::Kind::kPutAttribute, .path = "/g", .value = list})
                .has_value(),
            right);
        EXPECT_TRUE(apply_step(opened, {.kind = Step::Kind::kMove, .path = "/d", .other = "/e"}));
      });
      EXPECT_EQ(names_of(after), there || right ? "list " : "") << wrong;
      if (there && !right) {
        EXPECT_EQ(after.numbers("/g", "list"), (Values{1, 2})) << wrong;
      }
      EXPECT_TRUE(after.has("/e"));
    }
}

// More rows than are copied at once.
TEST(RecreatedDatasets, HaveTheValuesOfManyRows) {
  const MemoryFile file;
  file.dataset("/d", {3'000'000});
  const Values before = file.values("/d");
  const MemoryFile after = changed(file, [&](const File& opened) {
    EXPECT_TRUE(apply_step(opened, {.kind = Step::Kind::kRecreate, .path = "/d"}));
  });
  EXPECT_TRUE(after.values("/d") == before);
}

// Any object of the file may refer to it, in any order, except those that are known.
TEST(References, ElsewhereAreFoundInEveryObject) {
  const std::vector<const char*> places = {"/a", "/b", "/b/c", "/b/d", "/z"};
  for (const char* from : places)
    for (const char* known : {"/", "/a", "/b", "/b/c", "/b/d", "/z", "/t"}) {
      const MemoryFile file;
      for (const char* path : {"/a", "/b", "/b/c", "/t"}) file.group(path);
      for (const char* path : {"/b/d", "/z", "/t/x"}) file.dataset(path, {2});
      file.refer(from, "link", "/t/x");
      std::optional<std::string> found;
      changed(file, [&](const File& opened) {
        found = referred_elsewhere(opened, file.token("/t/x"), {file.token(known)});
      });
      if (std::string_view(from) == known)
        EXPECT_EQ(found, std::nullopt) << from;
      else
        EXPECT_EQ(found, std::format("{} refers to it by the attribute link", from)) << known;
    }
}

// What cannot be followed to its targets may lead to the object.
TEST(References, ThatCannotBeFollowedMayBeToTheObject) {
  for (const bool in_dataset : {true, false}) {
    const MemoryFile file;
    for (const char* path : {"/a", "/t"}) file.group(path);
    file.dataset("/t/x", {2});
    const hsize_t one = 1;
    const SpaceHandle space{H5Screate_simple(1, &one, nullptr)};
    const TypeHandle pair{H5Tcreate(H5T_COMPOUND, 8 + sizeof(hobj_ref_t))};
    H5Tinsert(pair.get(), "number", 0, H5T_STD_U64LE);
    H5Tinsert(pair.get(), "object", 8, H5T_STD_REF_OBJ);
    if (in_dataset) {
      ObjectHandle{H5Dcreate2(file.id(), "/a/list", pair.get(), space.get(), H5P_DEFAULT,
                              H5P_DEFAULT, H5P_DEFAULT)};
    } else {
      const ObjectHandle group = file.open("/a");
      AttributeHandle{
          H5Acreate2(group.get(), "pairs", pair.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT)};
    }
    for (const char* known : {"/t", "/a"})
      changed(file, [&](const File& opened) {
        const auto found = referred_elsewhere(opened, file.token("/t/x"), {file.token(known)});
        if (in_dataset)
          EXPECT_EQ(found, "/a/list contains references, which may lead to it") << known;
        else if (std::string_view(known) == "/t")
          EXPECT_EQ(found, "/a has an attribute pairs that may refer to it");
        else
          EXPECT_EQ(found, std::nullopt);
      });
  }
}

// What cannot be read may refer to the object as well.
TEST(References, InWhatCannotBeReadMayBeToTheObject) {
  for (const bool attribute : {true, false}) {
    std::vector<std::byte> image;
    {
      const MemoryFile file(empty_file().value(), H5F_LIBVER_EARLIEST);
      for (const char* path : {"/a", "/t"}) file.group(path);
      file.dataset("/t/x", {2});
      file.dataset("/a/y", {2});
      file.put_numbers(attribute ? "/a" : "/t", "BROKEN!", {5});
      image = file.image();
      if (attribute) {
        // A datatype of class 15, behind the name.
        const std::string_view name = "BROKEN!";
        const auto found = std::ranges::search(image, std::as_bytes(std::span(name)));
        ASSERT_FALSE(found.empty());
        *(found.begin() + 8) = std::byte{0x1f};
      } else {
        // The first message of the header, which is a dataspace, is of version 9.
        haddr_t address = 0;
        const ObjectToken token = file.token("/a/y");
        std::memcpy(&address, token.bytes.data(), sizeof address);
        ASSERT_EQ(image.at(address + 16), std::byte{1});
        image[address + 24] = std::byte{9};
      }
    }
    const MemoryFile broken(image);
    const ObjectToken target = broken.token("/t/x");
    changed(broken, [&](const File& opened) {
      EXPECT_EQ(referred_elsewhere(opened, target, {broken.token("/t")}),
                attribute ? "/a has attributes that cannot be read"
                          : "/a/y cannot be opened, and may refer to it");
      EXPECT_EQ(referred_elsewhere(opened, target, {broken.token("/t"), broken.token("/a")}),
                attribute
                    ? std::nullopt
                    : std::optional<std::string>("/a/y cannot be opened, and may refer to it"));
      EXPECT_EQ(hard_links(opened, target), 1u);
      ObjectToken nowhere;
      nowhere.bytes[0] = 1;
      EXPECT_EQ(hard_links(opened, nowhere), 0u);
    });
  }
}

TEST(Links, Move) {
  const MemoryFile file;
  for (const char* path : {"/a", "/b"}) file.group(path);
  file.dataset("/a/x", {3});
  ASSERT_GE(H5Lcreate_hard(file.id(), "/a/x", file.id(), "/b/again", H5P_DEFAULT, H5P_DEFAULT), 0);
  std::uint64_t links = 0;
  const MemoryFile after = changed(file, [&](const File& opened) {
    links = hard_links(opened, file.token("/a/x"));
    EXPECT_EQ(hard_links(opened, file.token("/a")), 1u);
    EXPECT_TRUE(apply_step(opened, {.kind = Step::Kind::kMove, .path = "/a/x", .other = "/b/y"}));
    EXPECT_EQ(hard_links(opened, file.token("/a/x")), 2u);
    EXPECT_FALSE(apply_step(opened, {.kind = Step::Kind::kMove, .path = "/a/x", .other = "/b/z"}));
    EXPECT_FALSE(
        apply_step(opened, {.kind = Step::Kind::kMove, .path = "/b/y", .other = "/b/again"}));
  });
  EXPECT_EQ(links, 2u);
  EXPECT_FALSE(after.has("/a/x"));
  EXPECT_EQ(after.values("/b/y"), (Values{0, 1, 2}));
  EXPECT_EQ(after.token("/b/y"), after.token("/b/again"));
  H5L_info2_t info;
  ASSERT_GE(H5Lget_info2(after.id(), "/b/y", &info, H5P_DEFAULT), 0);
  EXPECT_EQ(info.cset, H5T_CSET_UTF8);
}

// --- Parts that are removed ----------------------------------------------------------------------

TEST(Edits, ShrinkTheFirstDimension) {
  for (const bool chunked : {false, true})
    for (const std::size_t rank : {1, 2, 3})
      for (const hsize_t rows : {0, 1, 5, 6, 7}) {
        const MemoryFile file;
        const Extent extent = rank == 1   ? Extent{6}
                              : rank == 2 ? Extent{6, 4}
                                          : Extent{6, 2, 7},
                     chunk(rank, 2);
        const PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
        if (chunked) H5Pset_chunk(list.get(), static_cast<int>(rank), chunk.data());
        file.dataset("/d", extent, list.get(), chunked);
        file.put_numbers("/d", "a", {7});
        const Values before = file.values("/d");
        for (const Edit::Kind kind : {Edit::Kind::kShrink, Edit::Kind::kCut}) {
          const Edit edit{.kind = kind, .path = "/d", .number = rows};
          const auto image = edited(file.image(), std::span(&edit, 1));
          const bool possible = rows < 6 && (chunked || (kind == Edit::Kind::kCut && rank == 1));
          ASSERT_EQ(image.has_value(), possible) << rank << ' ' << rows << ' ' << chunked;
          if (!possible) continue;
          const MemoryFile after(*image);
          Extent wanted = extent;
          wanted[0] = rows;
          EXPECT_EQ(after.extent("/d"), wanted);
          const Values values = after.values("/d");
          EXPECT_EQ(values.size(), before.size() / 6 * rows);
          EXPECT_TRUE(std::ranges::equal(values, std::span(before).first(values.size())));
          EXPECT_EQ(after.numbers("/d", "a"), Values{7});
        }
      }
}

// The name of a dataset that is replaced keeps its character set.
TEST(Edits, KeepTheCharacterSetOfALink) {
  for (const H5T_cset_t set : {H5T_CSET_ASCII, H5T_CSET_UTF8}) {
    const MemoryFile file;
    file.dataset("/old", {6});
    const PropertyHandle names{H5Pcreate(H5P_LINK_CREATE)};
    H5Pset_char_encoding(names.get(), set);
    ASSERT_GE(H5Lmove(file.id(), "/old", file.id(), "/d", names.get(), H5P_DEFAULT), 0);
    const Edit edit{.kind = Edit::Kind::kCut, .path = "/d", .number = 5};
    const auto image = edited(file.image(), std::span(&edit, 1));
    ASSERT_TRUE(image);
    const MemoryFile after(*image);
    H5L_info2_t info;
    ASSERT_GE(H5Lget_info2(after.id(), "/d", &info, H5P_DEFAULT), 0);
    EXPECT_EQ(info.cset, set);
  }
}

// Every kind of chunk index; an array of a fixed size, and a single chunk, cannot become empty.
TEST(Edits, ShrinkChunkIndexesOfEveryKind) {
  struct Kind {
    H5D_chunk_index_t index;
    Extent extent, most, chunk;
    bool early = false;
  };
  constexpr hsize_t kAny = H5S_UNLIMITED;
  for (const Kind& kind :
       {Kind{H5D_CHUNK_IDX_SINGLE, {6}, {6}, {6}}, Kind{H5D_CHUNK_IDX_NONE, {6}, {6}, {2}, true},
        Kind{H5D_CHUNK_IDX_FARRAY, {6}, {6}, {2}}, Kind{H5D_CHUNK_IDX_EARRAY, {6}, {kAny}, {2}},
        Kind{H5D_CHUNK_IDX_BT2, {6, 2}, {kAny, kAny}, {2, 1}}})
    for (const hsize_t rows : {0, 1, 5}) {
      const MemoryFile file(empty_file().value(), H5F_LIBVER_LATEST);
      const PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
      const int rank = static_cast<int>(kind.extent.size());
      H5Pset_chunk(list.get(), rank, kind.chunk.data());
      if (kind.early) H5Pset_alloc_time(list.get(), H5D_ALLOC_TIME_EARLY);
      Values values(kind.extent.size() == 1 ? 6 : 12);
      std::iota(values.begin(), values.end(), 1);
      {
        const SpaceHandle space{H5Screate_simple(rank, kind.extent.data(), kind.most.data())};
        const ObjectHandle made{H5Dcreate2(file.id(), "/d", H5T_STD_I32LE, space.get(), H5P_DEFAULT,
                                           list.get(), H5P_DEFAULT)};
        H5D_chunk_index_t index{};
        H5Dget_chunk_index_type(made.get(), &index);
        ASSERT_EQ(index, kind.index);
        ASSERT_GE(
            H5Dwrite(made.get(), H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
            0);
      }
      const Edit edit{.kind = Edit::Kind::kShrink, .path = "/d", .number = rows};
      const auto image = edited(file.image(), std::span(&edit, 1));
      const bool possible =
          rows > 0 || (kind.index != H5D_CHUNK_IDX_FARRAY && kind.index != H5D_CHUNK_IDX_SINGLE);
      ASSERT_EQ(image.has_value(), possible) << static_cast<int>(kind.index) << ' ' << rows;
      if (!image) continue;
      const Values after = MemoryFile(*image).values("/d");
      EXPECT_EQ(after.size(), values.size() / 6 * rows);
      EXPECT_TRUE(std::ranges::equal(after, std::span(values).first(after.size())));
    }
}

TEST(Edits, DropAnyElements) {
  const Values all{10, 11, 12, 13};
  for (unsigned dropped = 0; dropped < 32; ++dropped) {
    const MemoryFile file;
    file.group("/g");
    file.put_numbers("/g", "list", all);
    Edit edit{.kind = Edit::Kind::kDropElements, .path = "/g", .name = "list"};
    Values wanted;
    for (unsigned i = 0; i < 5; ++i)
      if ((dropped >> i & 1) != 0)
        edit.elements.insert(i);
      else if (i < all.size())
        wanted.push_back(all[i]);
    const auto image = edited(file.image(), std::span(&edit, 1));
    ASSERT_EQ(image.has_value(), dropped > 0 && dropped < 16) << dropped;
    if (!image) continue;
    EXPECT_EQ(MemoryFile(*image).numbers("/g", "list"),
              wanted.empty() ? std::optional<Values>() : wanted);
  }
}

TEST(Edits, DropAttributes) {
  const MemoryFile file;
  file.group("/g");
  for (const char* name : {"a", "b", "c"}) file.put_numbers("/g", name, {1});
  const Edit edits[] = {{.kind = Edit::Kind::kDropAttribute, .path = "/g", .name = "b"},
                        {.kind = Edit::Kind::kDropAttribute, .path = "/g", .name = "a"}};
  const auto image = edited(file.image(), edits);
  ASSERT_TRUE(image);
  const MemoryFile after(*image);
  EXPECT_EQ(after.numbers("/g", "a"), std::nullopt);
  EXPECT_EQ(after.numbers("/g", "b"), std::nullopt);
  EXPECT_EQ(after.numbers("/g", "c"), Values{1});
  const Edit twice[] = {edits[0], edits[0]};
  EXPECT_FALSE(edited(file.image(), twice));
}

// Every object and attribute, and links of each kind.
TEST(Edits, CompactedFilesHaveEverything) {
  const MemoryFile file;
  for (const char* path : {"/a", "/a/b"}) file.group(path);
  file.dataset("/a/x", {40});
  file.dataset("/gone", {4'000});
  file.put_numbers("/", "root", {1, 2});
  file.put_numbers("/a/x", "unit", {3});
  ASSERT_GE(H5Lcreate_soft("/a/x", file.id(), "/soft", H5P_DEFAULT, H5P_DEFAULT), 0);
  ASSERT_GE(H5Ldelete(file.id(), "/gone", H5P_DEFAULT), 0);
  const std::vector<std::byte> before = file.image();
  const auto image = compacted(before);
  ASSERT_TRUE(image) << image.error().text();
  EXPECT_LT(image->size(), before.size());
  const MemoryFile after(*image);
  EXPECT_EQ(after.values("/a/x"), file.values("/a/x"));
  EXPECT_EQ(after.values("/soft"), file.values("/a/x"));
  EXPECT_TRUE(after.has("/a/b"));
  EXPECT_EQ(after.numbers("/", "root"), (Values{1, 2}));
  EXPECT_EQ(after.numbers("/a/x", "unit"), Values{3});
  // References would lead nowhere in another file.
  file.refer("/a", "link", "/a/x");
  EXPECT_TRUE(compacted(file.image()));
  file.refer("/", "link", "/a/x");
  EXPECT_FALSE(compacted(file.image()));
}

// --- Tables at new paths -------------------------------------------------------------------------

// Groups that exist are used as far as they lead; the others are new, whatever else has their name.
TEST(NewTables, AreAtTheirPaths) {
  for (const char* path : {"/t", "/a/t", "/a/b/t", "/a/c/t", "/b/a/t", "/x/a/t", "/x/y/b/t"}) {
    const MemoryFile file;
    for (const char* group : {"/a", "/a/b", "/b", "/c"}) file.group(group);
    const NewTable table{.rows = 0, .attributes = {}};
    ASSERT_TRUE(write_table(file.id(), path, table)) << path;
    EXPECT_TRUE(file.has(path));
    for (const char* other :
         {"/t", "/a/t", "/a/b/t", "/a/c/t", "/b/t", "/b/a/t", "/c/t", "/x/a/t", "/x/y/b/t"})
      EXPECT_EQ(file.has(other), std::string_view(other) == path) << path << ' ' << other;
    const ObjectHandle made = file.open(path);
    EXPECT_GT(H5Aexists(made.get(), "NROWS"), 0);
  }
}

// --- What is read of a file ----------------------------------------------------------------------

// A table has all datasets directly in its group as columns, and no others.
TEST(Contents, HaveTheColumnsOfEachTable) {
  const MemoryFile file;
  for (const char* group : {"/a", "/a/deeper", "/b"}) file.group(group);
  for (const char* dataset : {"/a/x", "/a/y", "/a/z", "/a/deeper/w", "/b/v", "/u"})
    file.dataset(dataset, {2});
  for (const char* table : {"/", "/a", "/b"}) {
    const ObjectHandle group = file.open(table);
    const TypeHandle text{H5Tcopy(H5T_C_S1)};
    H5Tset_size(text.get(), 13);
    const SpaceHandle scalar{H5Screate(H5S_SCALAR)};
    const AttributeHandle made{
        H5Acreate2(group.get(), "CLASS", text.get(), scalar.get(), H5P_DEFAULT, H5P_DEFAULT)};
    ASSERT_GE(H5Awrite(made.get(), text.get(), "COLUMN_TABLE"), 0);
    ASSERT_TRUE(put_uint64(group.get(), "NROWS", 2));
  }
  const trace::Content content =
      read_content(memory_file(file.image()).get(), Opening::kPlain, 1 << 20);
  EXPECT_EQ(content.unreadable, "");
  std::map<std::string, std::vector<std::string>> columns;
  for (const auto& [path, table] : content.tables) columns[path] = table.columns;
  EXPECT_EQ(columns, (std::map<std::string, std::vector<std::string>>{
                         {"/", {"/u"}}, {"/a", {"/a/x", "/a/y", "/a/z"}}, {"/b", {"/b/v"}}}));
}

// In the order of their names, values are read as long as they fit; those that do not are named.
TEST(Contents, HaveAsManyValuesAsTheLimit) {
  const MemoryFile file;
  const std::pair<const char*, hsize_t> datasets[] = {{"/a", 4}, {"/b", 2}, {"/c", 10}, {"/d", 1}};
  for (const auto& [path, rows] : datasets) file.dataset(path, {rows});
  const Descriptor bytes = memory_file(file.image());
  for (std::uint64_t most = 0; most < 80; ++most) {
    const trace::Content content = read_content(bytes.get(), Opening::kPlain, most);
    std::vector<std::string> wanted, left_out, read;
    std::uint64_t left = most;
    for (const auto& [path, rows] : datasets) {
      if (rows * 4 > left) {
        left_out.push_back(std::format("{}: {} bytes of values", path, rows * 4));
        continue;
      }
      left -= rows * 4;
      wanted.emplace_back(path);
    }
    for (const auto& [path, values] : content.values) read.push_back(path);
    EXPECT_EQ(read, wanted) << most;
    EXPECT_EQ(content.left_out, left_out) << most;
  }
}

// The contents of tables with broken indexes, and which clauses make readers return other rows.
TEST(Contents, OfTheCorpusEqualTheGoldenFile) {
  namespace fs = std::filesystem;
  constexpr std::uintmax_t kLargest = 20'000;
  std::string text;
  for (const char* folder : {"valid/10.4", "invalid/7.3", "invalid/8.7", "invalid/10.4",
                             "invalid/10.5", "invalid/10.6", "invalid/10.7"}) {
    std::vector<fs::path> paths;
    for (const fs::directory_entry& each :
         fs::directory_iterator(fs::path(HEPCHECK_FIXTURES) / "hep001" / folder))
      if (each.path().extension() == ".h5" && each.file_size() <= kLargest)
        paths.push_back(each.path());
    std::ranges::sort(paths);
    std::map<std::string, std::size_t> broken;
    std::string all;
    for (const fs::path& path : paths) {
      const std::string image = golden::file_text(path);
      trace::Content content = read_content(memory_file(image).get(), Opening::kPlain, 1 << 20);
      judge_tables(std::as_bytes(std::span(image)), content);
      for (const std::string& each : content.broken) ++broken[each];
      content.unreadable.resize(content.unreadable.empty() ? 0 : 1);  // the reason is the library's
      all += path.filename().string() + trace::encoded(content);
    }
    text += std::format("{}: {}\n", folder, golden::digest_of(all));
    for (const auto& [clause, times] : broken) text += std::format("  {} {}\n", times, clause);
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hep001/golden/contents.txt"));
}

// Incomplete chunks at the edge may be stored without any of the filters.
TEST(OwnValues, OfUnfilteredEdgeChunks) {
  initialise(false);
  constexpr hsize_t kRows = 10, kChunk = 4;
  for (const int filters : {0, 1, 2, 3})
    for (const unsigned options : {0U, unsigned{H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS}}) {
      const PropertyHandle access{H5Pcreate(H5P_FILE_ACCESS)};
      H5Pset_fapl_core(access.get(), 4096, false);
      H5Pset_libver_bounds(access.get(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
      const FileHandle file{H5Fcreate("edge chunks", H5F_ACC_TRUNC, H5P_DEFAULT, access.get())};
      ASSERT_TRUE(file);
      const PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
      H5Pset_chunk(list.get(), 1, &kChunk);
      H5Pset_chunk_opts(list.get(), options);
      if (filters > 0) H5Pset_shuffle(list.get());
      if (filters > 1) H5Pset_deflate(list.get(), 6);
      if (filters > 2) H5Pset_fletcher32(list.get());
      const hsize_t most = H5S_UNLIMITED;
      const SpaceHandle space{H5Screate_simple(1, &kRows, &most)};
      Values values(kRows);
      std::iota(values.begin(), values.end(), 1'000'000);
      {
        const ObjectHandle made{H5Dcreate2(file.get(), "d", H5T_STD_I32LE, space.get(), H5P_DEFAULT,
                                           list.get(), H5P_DEFAULT)};
        ASSERT_GE(
            H5Dwrite(made.get(), H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
            0);
      }
      const std::vector<std::byte> image = image_of(file.get());
      const auto opened = own::open_file(Bytes::of_image(image, "image"), Limits()).value();
      const ObjectToken token = opened->find("/d").value();
      const auto object = opened->open(token);
      ASSERT_TRUE(object);
      const Dataset dataset = (*object)->dataset("d", "/d", token);
      const std::uint64_t start[] = {0}, count[] = {kRows};
      const auto read = opened->values().read(dataset, start, count);
      ASSERT_TRUE(read) << read.error().text();
      EXPECT_TRUE(std::ranges::equal(*read, std::as_bytes(std::span(values))))
          << filters << ' ' << options;
    }
}

// Texts and sequences, each of which refers to an object of a heap by a length, an address and a
// number, with others of these: as much as the length states of the object, nothing if there is no
// address, and an error if there is no such object, or it is too short.
TEST(OwnValues, OfOtherObjectsOfTheHeap) {
  constexpr std::size_t kRows = 5, kElement = 16;
  const hsize_t rows = kRows;
  const SpaceHandle space{H5Screate_simple(1, &rows, nullptr)};
  for (const bool text : {true, false}) {
    const MemoryFile file;
    const TypeHandle type =
        text ? testing::text_type(H5T_VARIABLE) : TypeHandle{H5Tvlen_create(H5T_STD_I16LE)};
    const ObjectHandle made{H5Dcreate2(file.id(), "/d", type.get(), space.get(), H5P_DEFAULT,
                                       H5P_DEFAULT, H5P_DEFAULT)};
    const char* const texts[kRows] = {"one", "", nullptr, "three", "and four"};
    std::int16_t numbers[] = {1, 2, 3, 4};
    const hvl_t lists[kRows] = {
        {3, numbers}, {0, nullptr}, {1, numbers}, {4, numbers}, {2, numbers}};
    ASSERT_GE(H5Dwrite(made.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                       text ? static_cast<const void*>(texts) : lists),
              0);
    const std::vector<std::byte> image = file.image();
    const haddr_t begin = H5Dget_offset(made.get());
    struct Element {
      std::uint32_t count = 0, index = 0;
      std::uint64_t address = 0;
    };
    const auto element_at = [&](const std::vector<std::byte>& bytes, std::size_t row) {
      const std::byte* const at = bytes.data() + begin + row * kElement;
      Element read;
      std::memcpy(&read.count, at, 4);
      std::memcpy(&read.address, at + 4, 8);
      std::memcpy(&read.index, at + 12, 4);
      return read;
    };
    // How many items each object has, and the row that has them.
    std::map<std::uint32_t, std::pair<std::uint32_t, std::size_t>> objects;
    std::uint64_t heap = 0;
    for (std::size_t row = 0; row < kRows; ++row)
      if (const Element each = element_at(image, row); each.count > 0) {
        objects[each.index] = {each.count, row};
        heap = each.address;
      }
    ASSERT_EQ(objects.size(), text ? 3U : 4U);
    std::size_t errors = 0;
    for (std::uint64_t seed = 0; seed < 800; ++seed) {
      Random random(seed);
      std::vector<std::byte> changed = image;
      for (std::uint64_t n = 1 + random.below(3); n > 0; --n) {
        std::byte* const at = changed.data() + begin + random.below(kRows) * kElement;
        constexpr std::uint32_t kCounts[] = {0, 1, 2, 3, 4, 5, 9, 0x80000000, 0xffffffff};
        const std::uint64_t addresses[] = {0, heap, heap + 8, 1, 1'000'000, ~std::uint64_t{0}};
        const std::uint32_t indexes[] = {0, objects.begin()->first, objects.rbegin()->first,
                                         objects.rbegin()->first + 1,
                                         0x10000 + objects.begin()->first};
        if (const std::uint64_t part = random.below(3); part == 0)
          std::memcpy(at, &kCounts[random.below(std::size(kCounts))], 4);
        else if (part == 1)
          std::memcpy(at + 4, &addresses[random.below(std::size(addresses))], 8);
        else
          std::memcpy(at + 12, &indexes[random.below(std::size(indexes))], 4);
      }
      const auto opened = own::open_file(Bytes::of_image(changed, "image"), Limits()).value();
      const ObjectToken token = opened->find("/d").value();
      const Dataset dataset = opened->open(token).value()->dataset("d", "/d", token);
      std::vector<std::string> wanted, read;
      bool right = true;
      for (std::size_t row = 0; row < kRows; ++row) {
        const Element each = element_at(changed, row);
        const bool none = each.count == 0 || each.address == 0;
        const auto found = objects.find(each.index);
        right &= none || (each.address == heap && found != objects.end() &&
                          each.count <= found->second.first);
        if (!right) break;
        const std::size_t from = none ? 0 : found->second.second;
        if (text) {
          wanted.push_back(none ? "" : std::string(texts[from]).substr(0, each.count));
        } else {
          const hvl_t list{none ? 0 : each.count, none ? nullptr : lists[from].p};
          wanted.push_back(comparable_form(dataset.type, std::as_bytes(std::span(&list, 1))));
        }
      }
      const auto trouble =
          for_each_block(opened->values().stream(dataset, kRows), [&](const Block& block) {
            read.insert(read.end(), block.strings.begin(), block.strings.end());
          });
      ASSERT_EQ(trouble.has_value(), !right) << seed << (trouble ? trouble->text() : "");
      if (right) {
        ASSERT_EQ(read, wanted) << seed;
      } else {
        ++errors;
      }
    }
    EXPECT_GT(errors, 100U);
    EXPECT_LT(errors, 700U);
  }
}

std::string text_of(const Attribute& attribute) {
  std::string text = attribute.unreadable.value_or("");
  for (const Reference& each : attribute.references)
    text +=
        std::format("{} {} {} {} {} {}", static_cast<int>(each.kind), static_cast<int>(each.target),
                    static_cast<int>(each.object), each.path, each.file, each.why);
  return text;
}

// References to an object, a region and an attribute, of this file and of another one, an old one
// to a region, and lists; with each byte of the heap that has their data changed, and those of
// addresses. What is read of them equals the golden file: a line for each, with the number of
// results that differ and a digest.
TEST(OwnReferences, OfChangedBytesEqualTheGoldenFile) {
  initialise(false);
  const PropertyHandle access{H5Pcreate(H5P_FILE_ACCESS)};
  H5Pset_fapl_core(access.get(), 4096, false);
  // Headers without checksums.
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
  const PropertyHandle without_times{H5Pcreate(H5P_FILE_CREATE)};
  H5Pset_obj_track_times(without_times.get(), false);
  std::vector<FileHandle> files;
  const hsize_t rows = 4;
  const SpaceHandle space{H5Screate_simple(1, &rows, nullptr)}, scalar{H5Screate(H5S_SCALAR)};
  for (const char* name : {"this", "other"}) {
    const hid_t file =
        files.emplace_back(H5Fcreate(name, H5F_ACC_TRUNC, without_times.get(), access.get())).get();
    const ObjectHandle made{
        H5Dcreate2(file, "x", H5T_STD_I32LE, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
    const AttributeHandle attribute{
        H5Acreate2(made.get(), "a", H5T_STD_I32LE, scalar.get(), H5P_DEFAULT, H5P_DEFAULT)};
    ASSERT_TRUE(made && attribute);
  }
  const hsize_t first = 1, count = 2;
  H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &first, nullptr, &count, nullptr);
  const hid_t file = files[0].get();
  const auto put = [&](const std::string& name, hid_t type, const void* reference) {
    const AttributeHandle made{
        H5Acreate2(file, name.c_str(), type, scalar.get(), H5P_DEFAULT, H5P_DEFAULT)};
    ASSERT_GE(H5Awrite(made.get(), type, reference), 0) << name;
  };
  for (std::size_t i = 0; i < files.size(); ++i) {
    const hid_t to = files[i].get();
    H5R_ref_t references[3];
    ASSERT_GE(H5Rcreate_object(to, "x", H5P_DEFAULT, &references[0]), 0);
    ASSERT_GE(H5Rcreate_region(to, "x", space.get(), H5P_DEFAULT, &references[1]), 0);
    ASSERT_GE(H5Rcreate_attr(to, "x", "a", H5P_DEFAULT, &references[2]), 0);
    for (H5R_ref_t& each : references) {
      put(std::format("{} {}", i == 0 ? "here" : "elsewhere", &each - references), H5T_STD_REF,
          &each);
      H5Rdestroy(&each);
    }
  }
  hdset_reg_ref_t old{};
  ASSERT_GE(H5Rcreate(&old, file, "x", H5R_DATASET_REGION, space.get()), 0);
  put("old", H5T_STD_REF_DSETREG, &old);
  constexpr std::size_t kListed = 3;
  H5R_ref_t listed[kListed];
  hobj_ref_t old_listed[kListed] = {};
  for (H5R_ref_t& each : listed) ASSERT_GE(H5Rcreate_object(file, "x", H5P_DEFAULT, &each), 0);
  for (const std::size_t i : {0, 2})
    ASSERT_GE(H5Rcreate(&old_listed[i], file, "x", H5R_OBJECT, H5I_INVALID_HID), 0);
  testing::write_attribute(file, "list", H5T_STD_REF, {kListed}, listed);
  testing::write_attribute(file, "old list", H5T_STD_REF_OBJ, {kListed}, old_listed);
  for (H5R_ref_t& each : listed) H5Rdestroy(&each);
  const std::vector<std::byte> image = image_of(file);

  constexpr std::string_view kHeap = "GCOL";
  constexpr std::size_t kHeapBytes = 4096;
  const auto heap = std::ranges::search(std::span(image), std::as_bytes(std::span(kHeap)));
  ASSERT_FALSE(heap.empty());
  const std::size_t begin = static_cast<std::size_t>(&heap.front() - image.data());
  std::size_t end = std::min(begin + kHeapBytes, image.size());
  while (image[end - 1] == std::byte{}) --end;
  std::map<std::string, std::map<std::string, int>> results;
  const auto read = [&](const std::vector<std::byte>& changed_image) {
    const auto opened = own::open_file(Bytes::of_image(changed_image, "image"), Limits()).value();
    const auto root = opened->open(opened->root().value());
    ASSERT_TRUE(root);
    std::optional<std::string> trouble;
    const Attributes attributes = (*root)->attributes(trouble, std::nullopt);
    for (const auto& [name, each] : attributes) ++results[name][text_of(each)];
    EXPECT_EQ(trouble, std::nullopt);
  };
  const auto read_each = [&](std::size_t from, std::size_t to) {
    for (std::size_t at = from; at < to; ++at)
      for (const int other : {0, 0x01, 0x80, 0xff}) {
        std::vector<std::byte> changed_image = image;
        changed_image[at] ^= static_cast<std::byte>(other);
        read(changed_image);
      }
  };
  read_each(begin, end);
  // The kind, flags and size before an address, and the address.
  constexpr std::size_t kBefore = 3;
  const auto address = std::as_bytes(std::span(&old_listed[0], 1));
  const auto lists = std::ranges::search(std::span(image), std::as_bytes(std::span("list", 4)));
  ASSERT_FALSE(lists.empty());
  for (auto from = lists.begin(); from != std::span(image).end(); ++from) {
    const auto found =
        std::ranges::search(from, std::span(image).end(), address.begin(), address.end());
    if (found.empty()) break;
    from = found.begin();
    const auto at = static_cast<std::size_t>(from - std::span(image).begin());
    read_each(at - kBefore, at + address.size());
    std::vector<std::byte> undefined = image;
    std::ranges::fill_n(undefined.begin() + static_cast<std::ptrdiff_t>(at), 8, std::byte{0xff});
    read(undefined);
  }
  std::string text;
  for (const auto& [name, texts] : results) {
    std::string all;
    for (const auto& [result, times] : texts) all += std::format("{} times {}\n", times, result);
    text += std::format("{}: {} results, {}\n", name, texts.size(), golden::digest_of(all));
  }
  if (HEPCHECK_HDF5 >= 2) {
    EXPECT_TRUE(golden::equals(text, "validator/formats/hep001/golden/references.txt"));
  }
}

// A reference that states the name of a file is one to another file, even if it is the name of this
// one.
TEST(LibraryReferences, ThatStateAFileAreElsewhere) {
  const MemoryFile from, to;
  from.dataset("/x", {2});
  to.dataset("/x", {2});
  H5R_ref_t references[2];
  ASSERT_GE(H5Rcreate_object(to.id(), "/x", H5P_DEFAULT, &references[0]), 0);
  ASSERT_GE(H5Rcreate_object(from.id(), "/x", H5P_DEFAULT, &references[1]), 0);
  const ObjectHandle object = to.open("/x");
  testing::write_attribute(object.get(), "list", H5T_STD_REF, {2}, references);
  for (H5R_ref_t& each : references) H5Rdestroy(&each);
  for (const std::string& name : {to.context().name, from.context().name}) {
    const FileContext context{.file = to.id(), .name = name};
    const std::optional<Attribute> read = read_attribute(context, object.get(), "list");
    ASSERT_TRUE(read);
    ASSERT_EQ(read->references.size(), 2u);
    EXPECT_EQ(read->references[1].target, Reference::Target::kElsewhere) << name;
    EXPECT_EQ(read->references[1].file, from.context().name);
  }
}

// The reader without the library finds a path to each object, also behind those of several names.
TEST(OwnPaths, LeadToEveryObject) {
  const MemoryFile file;
  for (const char* group : {"/a", "/a/b", "/d"}) file.group(group);
  for (const char* dataset : {"/a/x", "/a/b/y", "/d/z", "/w"}) file.dataset(dataset, {2});
  const std::pair<const char*, const char*> names[] = {
      {"/a/x", "/a/first"}, {"/a/b", "/d/again"}, {"/", "/d/root"}, {"/w", "/a/b/w"}};
  for (const auto& [target, name] : names)
    ASSERT_GE(H5Lcreate_hard(file.id(), target, file.id(), name, H5P_DEFAULT, H5P_DEFAULT), 0);
  const std::vector<std::byte> image = file.image();
  const auto opened = own::open_file(Bytes::of_image(image, "image"), Limits()).value();
  for (const char* path : {"/", "/a", "/a/b", "/d", "/a/x", "/a/b/y", "/d/z", "/w"}) {
    const ObjectToken token = file.token(path);
    const std::string found = opened->path_of(token);
    ASSERT_FALSE(found.empty()) << path;
    EXPECT_EQ(opened->find(found), token) << path << ' ' << found;
  }
}

// A link that is refused does not hide the others of its group, which soft links lead through.
TEST(OwnPaths, LeadPastARefusedLink) {
  constexpr std::size_t kLinks = 4, kEntries = 8, kEntryBytes = 40;
  const MemoryFile file(empty_file().value(), H5F_LIBVER_EARLIEST);
  file.group("/g");
  for (std::size_t i = 0; i < kLinks; ++i) {
    const std::string path = std::format("/g/{}", i), soft = std::format("/soft {}", i);
    file.dataset(path.c_str(), {2});
    ASSERT_GE(H5Lcreate_soft(path.c_str(), file.id(), soft.c_str(), H5P_DEFAULT, H5P_DEFAULT), 0);
  }
  const std::vector<std::byte> image = file.image();
  constexpr std::string_view kNode = "SNOD";
  const auto node = std::ranges::search(std::span(image), std::as_bytes(std::span(kNode)));
  ASSERT_FALSE(node.empty());
  for (std::size_t broken = 0; broken < kLinks; ++broken) {
    std::vector<std::byte> changed_image = image;
    // The position of its name in the heap.
    const auto at = static_cast<std::size_t>(&node.front() - image.data()) + kEntries;
    changed_image[at + broken * kEntryBytes + 5] = std::byte{1};
    const auto opened = own::open_file(Bytes::of_image(changed_image, "image"), Limits()).value();
    for (std::size_t i = 0; i < kLinks; ++i)
      for (const std::string& path : {std::format("/g/{}", i), std::format("/soft {}", i)}) {
        const std::optional<ObjectToken> found = opened->find(path);
        if (i == broken)
          EXPECT_EQ(found, std::nullopt) << path;
        else
          EXPECT_EQ(found, file.token(path.c_str())) << path;
      }
  }
}

// Links are in several nodes, of which any may be damaged: that is said, whatever was read before.
TEST(Links, OfADamagedNodeAreAnError) {
  constexpr std::size_t kLinks = 20;
  constexpr std::string_view kNode = "SNOD";
  const MemoryFile file(empty_file().value(), H5F_LIBVER_EARLIEST);
  file.group("/g");
  for (std::size_t i = 0; i < kLinks; ++i) file.group(std::format("/g/{}", i).c_str());
  const std::vector<std::byte> image = file.image();
  const auto all = std::as_bytes(std::span(kNode));
  const auto links_of = [](std::span<const std::byte> of, std::optional<std::string>& trouble) {
    const auto opened = File::open_image(of);
    EXPECT_TRUE(opened);
    const ObjectHandle group{H5Gopen2(opened->context().file, "/g", H5P_DEFAULT)};
    return list_links(group.get(), 1'000, trouble);
  };
  std::optional<std::string> trouble;
  EXPECT_EQ(links_of(image, trouble).size(), kLinks);
  EXPECT_EQ(trouble, std::nullopt);
  std::size_t nodes = 0;
  for (std::size_t at = 0; at + kNode.size() <= image.size(); ++at) {
    if (!std::ranges::equal(std::span(image).subspan(at, kNode.size()), all)) continue;
    std::vector<std::byte> damaged = image;
    damaged[at] = std::byte{'X'};
    trouble.reset();
    const std::size_t found = links_of(damaged, trouble).size();
    // Groups below have nodes, too.
    nodes += found < kLinks;
    EXPECT_EQ(trouble.has_value(), found < kLinks) << at;
  }
  EXPECT_GT(nodes, 2u);
}

}  // namespace
}  // namespace hepcheck::hep001::libhdf5
