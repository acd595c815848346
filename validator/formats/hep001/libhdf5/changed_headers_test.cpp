// Datasets of every storage, fill value and filter, with attributes and links of every kind, of
// which each byte of the object headers gets other values; in old headers, which have no checksums,
// and in new ones, whose checksums are repaired. What the reader without the library reads equals
// the golden file: a line for each object, with the number of results that differ and a digest.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <format>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "validator/bytes.h"
#include "validator/formats/hep001/libhdf5/checksum.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/handle.h"
#include "validator/formats/hep001/libhdf5/index_dataset.h"
#include "validator/formats/hep001/libhdf5/testing/memory_hdf5.h"
#include "validator/formats/hep001/own/own_file.h"
#include "validator/formats/hep001/reader/read_tables.h"
#include "validator/formats/hep001/testing/model_text.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hep001::libhdf5::changed_headers {
namespace {

using Image = std::vector<std::byte>;
using testing::Extent;
using testing::text_type;
using testing::write_attribute;

// --- A file --------------------------------------------------------------------------------------

PropertyHandle untimed(hid_t cls) {
  PropertyHandle list{H5Pcreate(cls)};
  H5Pset_obj_track_times(list.get(), false);
  return list;
}

ObjectHandle dataset(hid_t file, const char* name, hid_t type, const Extent& extent,
                     const std::function<void(hid_t)>& set) {
  const PropertyHandle list = untimed(H5P_DATASET_CREATE);
  set(list.get());
  const SpaceHandle space{extent.empty() ? H5Screate(H5S_SCALAR)
                                         : H5Screate_simple(static_cast<int>(extent.size()),
                                                            extent.data(), extent.data())};
  ObjectHandle made{
      H5Dcreate2(file, name, type, space.get(), H5P_DEFAULT, list.get(), H5P_DEFAULT)};
  EXPECT_TRUE(made) << name;
  return made;
}

Image made_file(H5F_libver_t version) {
  initialise(false);
  const PropertyHandle access{H5Pcreate(H5P_FILE_ACCESS)};
  H5Pset_fapl_core(access.get(), 4096, false);
  H5Pset_libver_bounds(access.get(), version, H5F_LIBVER_LATEST);
  const PropertyHandle creation = untimed(H5P_FILE_CREATE);
  const FileHandle made{H5Fcreate("headers", H5F_ACC_TRUNC, creation.get(), access.get())};
  const hid_t file = made.get();
  const std::int32_t numbers[] = {1, 2, 3, 4, 5, 6}, fill = -7;
  const hsize_t two = 2;
  const TypeHandle texts = text_type(H5T_VARIABLE), pair{H5Tcreate(H5T_COMPOUND, 12)};
  H5Tinsert(pair.get(), "a", 0, H5T_STD_I32LE);
  H5Tinsert(pair.get(), "b", 4, H5T_IEEE_F64BE);
  const auto plain = [](hid_t) {};
  const auto filled = [&](hid_t list) { H5Pset_fill_value(list, H5T_NATIVE_INT32, &fill); };
  const auto chunked = [&](hid_t list) { H5Pset_chunk(list, 1, &two); };
  {
    const ObjectHandle written = dataset(file, "contiguous", H5T_STD_I32LE, {6}, filled);
    H5Dwrite(written.get(), H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
    write_attribute(written.get(), "numbers", H5T_STD_I16BE, {3}, numbers);
    write_attribute(written.get(), "text", text_type(5).get(), {}, "abcd");
    const char* const words[] = {"one", nullptr, "three"};
    write_attribute(written.get(), "words", texts.get(), {3}, words);
  }
  {
    const ObjectHandle compact = dataset(file, "compact", H5T_STD_I32LE, {3, 2},
                                         [&](hid_t list) { H5Pset_layout(list, H5D_COMPACT); });
    H5Dwrite(compact.get(), H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
  }
  {
    const ObjectHandle filtered = dataset(file, "filtered", H5T_STD_I32LE, {6}, [&](hid_t list) {
      chunked(list);
      filled(list);
      H5Pset_shuffle(list);
      H5Pset_deflate(list, 1);
      H5Pset_fletcher32(list);
    });
    H5Dwrite(filtered.get(), H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
  }
  {
    const ObjectHandle packed = dataset(file, "packed", H5T_STD_I32BE, {6}, [&](hid_t list) {
      chunked(list);
      H5Pset_scaleoffset(list, H5Z_SO_INT, 0);
    });
    H5Dwrite(packed.get(), H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
  }
  dataset(file, "unwritten", H5T_STD_I32LE, {6}, [&](hid_t list) {
    chunked(list);
    filled(list);
  });
  dataset(file, "never filled", pair.get(), {2},
          [](hid_t list) { H5Pset_fill_time(list, H5D_FILL_TIME_NEVER); });
  dataset(file, "undefined", H5T_STD_U8LE, {},
          [](hid_t list) { H5Pset_fill_value(list, H5T_NATIVE_UINT8, nullptr); });
  dataset(file, "texts", texts.get(), {2}, plain);
  const char* const word = "fill";
  dataset(file, "filled texts", texts.get(), {2},
          [&](hid_t list) { H5Pset_fill_value(list, texts.get(), &word); });
  dataset(file, "external", H5T_STD_U8LE, {6},
          [](hid_t list) { H5Pset_external(list, "other.bin", 0, 6); });
  const PropertyHandle groups = untimed(H5P_GROUP_CREATE);
  const ObjectHandle group{H5Gcreate2(file, "group", H5P_DEFAULT, groups.get(), H5P_DEFAULT)};
  H5Lcreate_soft("/contiguous", group.get(), "soft", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("../texts", group.get(), "up", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("other.h5", "/x", group.get(), "away", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(file, "compact", group.get(), "hard", H5P_DEFAULT, H5P_DEFAULT);
  const ObjectHandle target{H5Oopen(file, "contiguous", H5P_DEFAULT)};
  const ObjectReference reference(target.get());
  write_attribute(group.get(), "to", H5T_STD_REF, {}, &reference.get());
  hobj_ref_t old{};
  H5Rcreate(&old, file, "packed", H5R_OBJECT, -1);
  write_attribute(group.get(), "old", H5T_STD_REF_OBJ, {1}, &old);
  H5Fflush(file, H5F_SCOPE_LOCAL);
  Image image(static_cast<std::size_t>(H5Fget_file_image(file, nullptr, 0)));
  EXPECT_GT(H5Fget_file_image(file, image.data(), image.size()), 0);
  return image;
}

// --- Where the headers are -----------------------------------------------------------------------

struct Place {
  std::size_t begin = 0, end = 0;
  bool summed = false;  // its checksum is behind it
};

std::uint64_t number_at(const Image& image, std::size_t at, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = width; i-- > 0;)
    value = value << 8 | std::to_integer<std::uint64_t>(image.at(at + i));
  return value;
}

// Its first block.
Place header_at(const Image& image, std::size_t at) {
  if (number_at(image, at, 1) == 1) return {at, at + 16 + number_at(image, at + 8, 4), false};
  const std::uint64_t flags = number_at(image, at + 5, 1);
  const std::size_t prefix = 6 + ((flags & 0x20) != 0 ? 16 : 0) + ((flags & 0x10) != 0 ? 4 : 0);
  const std::size_t width = std::size_t{1} << (flags & 3);
  return {at, at + prefix + width + number_at(image, at + prefix, width), true};
}

void repair(Image& image, const Place& place) {
  if (!place.summed) return;
  const std::uint32_t sum =
      metadata_checksum(std::span(image).subspan(place.begin, place.end - place.begin));
  for (std::size_t i = 0; i < 4; ++i) image[place.end + i] = static_cast<std::byte>(sum >> 8 * i);
}

// The message about the layout of contiguous values, in a header of version 1, as older versions
// have it: the number of dimensions, the class, an address, and the dimensions.
Image with_old_layout(Image image, std::size_t header, int version) {
  constexpr std::byte kLayout{8}, kContiguous{1}, kPresent{3};
  std::size_t at = header + 16;
  while (image.at(at) != kLayout) at += 8 + number_at(image, at + 2, 2);
  at += 8;
  EXPECT_EQ(image.at(at), kPresent);
  EXPECT_EQ(image.at(at + 1), kContiguous);
  const std::vector<std::byte> address(image.begin() + static_cast<std::ptrdiff_t>(at + 2),
                                       image.begin() + static_cast<std::ptrdiff_t>(at + 10));
  std::fill_n(image.begin() + static_cast<std::ptrdiff_t>(at), 24, std::byte{0});
  image[at] = static_cast<std::byte>(version);
  image[at + 1] = std::byte{1};
  image[at + 2] = kContiguous;
  std::ranges::copy(address, image.begin() + static_cast<std::ptrdiff_t>(at + 8));
  image[at + 16] = std::byte{6};
  return image;
}

// --- What is read --------------------------------------------------------------------------------

std::string values_of(TableFile& file, const Dataset& model) {
  constexpr std::uint64_t kMost = 1'000;
  if (model.unreadable || model.space.elements() > kMost || model.type.size > kMost) return "";
  const std::vector<std::uint64_t> start(model.space.rank());
  const auto read = file.values().read(model, start, model.space.extent);
  std::string text = read ? model_text::hex(*read) : read.error().text();
  if (!model.extent()) return text;
  const auto trouble =
      for_each_block(file.values().stream(model, *model.extent()), [&](const Block& block) {
        text += std::format(" {} {}", block.first_row, block.rows);
        if (!has_variable_part(model.type)) text += model_text::hex(block.bytes);
        for (const std::string_view each : block.strings) text += std::format(" \"{}\"", each);
      });
  return text + (trouble ? trouble->text() : "");
}

std::string object_text(const Image& image, std::uint64_t address, const std::string& name) {
  const Bytes bytes = Bytes::of_image(image, "image");
  const auto file = own::open_file(bytes, {.block_bytes = 1 << 16});
  if (!file) return file.error().text();
  ObjectToken token;
  for (std::size_t i = 0; i < 8; ++i) token.bytes[i] = static_cast<std::uint8_t>(address >> 8 * i);
  const auto opened = (*file)->open(token);
  if (!opened) return opened.error();
  std::string text;
  if ((*opened)->kind() == ObjectKind::kDataset) {
    const Dataset model = (*opened)->dataset(name, "/" + name, token);
    return model_text::text_of(model) + values_of(**file, model);
  }
  std::optional<std::string> trouble;
  for (const LinkInfo& link : (*opened)->links(100, trouble)) {
    const auto target =
        link.kind == Child::LinkKind::kSoft ? (*opened)->soft_target(link) : std::nullopt;
    text += std::format("{} {} {} {} {} {}\n", link.name, static_cast<int>(link.kind),
                        link.value_bytes, (*opened)->link_target(link), model_text::hex(link.token),
                        target ? model_text::hex(target->token) : "");
  }
  text += trouble.value_or("-");
  trouble.reset();
  text += model_text::text_of((*opened)->attributes(trouble, std::nullopt));
  return text + trouble.value_or("-");
}

// The object at that address, with each byte of its header changed.
std::string line_of(const Image& image, std::uint64_t address, const std::string& name) {
  const Place place = header_at(image, address);
  EXPECT_LE(place.end + 4, image.size());
  std::map<std::string, int> results;
  for (std::size_t at = place.begin; at < place.end; ++at)
    for (const int other : {0x01, 0x02, 0x10, 0xff}) {
      Image changed = image;
      changed[at] ^= static_cast<std::byte>(other);
      repair(changed, place);
      ++results[object_text(changed, address, name)];
    }
  std::string all;
  for (const auto& [result, times] : results) all += std::format("{} times {}\n", times, result);
  return std::format("{}: {} bytes, {} results, {}\n", name, place.end - place.begin,
                     results.size(), golden::digest_of(all));
}

TEST(OwnReader, OfChangedHeadersEqualsTheGoldenFile) {
  std::string text;
  for (const H5F_libver_t version : {H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST}) {
    const Image image = made_file(version);
    const Bytes bytes = Bytes::of_image(image, "image");
    const auto file = own::open_file(bytes, Limits()).value();
    text += version == H5F_LIBVER_EARLIEST ? "old headers\n" : "new headers\n";
    for (const char* name :
         {"contiguous", "compact", "filtered", "packed", "unwritten", "never filled", "undefined",
          "texts", "filled texts", "external", "group"}) {
      const auto token = file->find(std::string("/") + name);
      ASSERT_TRUE(token) << name;
      std::uint64_t address = 0;
      for (std::size_t i = 8; i-- > 0;) address = address << 8 | token->bytes[i];
      text += line_of(image, address, name);
      if (version != H5F_LIBVER_EARLIEST || std::string_view(name) != "contiguous") continue;
      for (const int layout : {1, 2}) {
        const Image older = with_old_layout(image, address, layout);
        EXPECT_EQ(object_text(older, address, name), object_text(image, address, name));
        text += std::format("layout of version {}, ", layout) + line_of(older, address, name);
      }
    }
  }
  if (HEPCHECK_HDF5 >= 2) {
    EXPECT_TRUE(golden::equals(text, "validator/formats/hep001/golden/headers.txt"));
  }
}

}  // namespace
}  // namespace hepcheck::hep001::libhdf5::changed_headers
