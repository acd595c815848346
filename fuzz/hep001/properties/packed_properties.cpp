// Values that were packed by filters of libhdf5: the program's own reader gives what the library
// reads.
#include <hdf5.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "fuzz/hep001/properties/image.h"
#include "fuzz/properties/random_values.h"
#include "validator/formats/hep001/libhdf5/file.h"
#include "validator/formats/hep001/own/own_file.h"
#include "validator/formats/hep001/reader/read_tables.h"
#include "validator/formats/hep001/storage/packed.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

using namespace hepcheck::fuzz;
using Octets = std::vector<std::byte>;

enum class Packing : std::uint8_t { kNbit, kScaleOffset, kSzip };

struct PackedRecipe {
  Packing packing = Packing::kNbit;
  bool floating = false, is_signed = false, big = false, checked = false, fill = false;
  bool compound = false;  // of the type, an array of it, and a byte
  std::size_t bytes = 4;
  std::uint64_t precision = 32, offset = 0;
  int factor = 0;
  std::uint64_t rows = 10, chunk = 4, noise = 0;

  friend std::ostream& operator<<(std::ostream& out, const PackedRecipe& p) {
    return out << "packing " << static_cast<int>(p.packing) << (p.floating ? " float" : " integer")
               << (p.is_signed ? " signed" : "") << (p.big ? " big" : "")
               << (p.checked ? " fletcher32" : "") << (p.fill ? " fill" : "")
               << (p.compound ? " compound" : "") << " bytes " << p.bytes << " precision "
               << p.precision << " offset " << p.offset << " factor " << p.factor << " rows "
               << p.rows << " chunk " << p.chunk << " noise " << p.noise;
  }
};

PackedRecipe random_packed_recipe(Choices& c) {
  constexpr std::size_t kSizes[] = {4, 1, 2, 8};
  PackedRecipe p;
  p.packing = static_cast<Packing>(c.below(3));
  p.floating = c.one_in(3);
  p.bytes = p.floating ? (c.maybe() ? 8 : 4) : c.of(kSizes);
  p.is_signed = c.maybe();
  p.big = c.maybe();
  p.precision = 8 * p.bytes;
  if (p.packing == Packing::kNbit && !p.floating) {
    p.precision = 1 + c.below(8 * p.bytes);
    p.offset = c.below(8 * p.bytes - p.precision + 1);
    p.compound = c.one_in(3);
  }
  if (p.packing == Packing::kScaleOffset)
    p.factor = p.floating ? static_cast<int>(c.below(4))
                          : static_cast<int>(c.below(8 * p.bytes + 1));  // 0: as few as possible
  p.fill = c.maybe();
  p.checked = c.one_in(4);
  p.rows = 1 + c.below(40);
  p.chunk = 1 + c.below(20);
  if (p.packing == Packing::kSzip) p.chunk = 16;
  p.noise = c.bits();
  return p;
}

TypeHandle type_of(const PackedRecipe& p) {
  if (p.floating)
    return TypeHandle{H5Tcopy(p.bytes == 4 ? (p.big ? H5T_IEEE_F32BE : H5T_IEEE_F32LE)
                                           : (p.big ? H5T_IEEE_F64BE : H5T_IEEE_F64LE))};
  TypeHandle type{H5Tcopy(H5T_STD_I8LE)};
  H5Tset_size(type.get(), p.bytes);
  H5Tset_order(type.get(), p.big ? H5T_ORDER_BE : H5T_ORDER_LE);
  H5Tset_sign(type.get(), p.is_signed ? H5T_SGN_2 : H5T_SGN_NONE);
  H5Tset_precision(type.get(), p.precision);
  H5Tset_offset(type.get(), p.offset);
  if (!p.compound) return type;
  TypeHandle all{H5Tcreate(H5T_COMPOUND, 4 * p.bytes + 3)};
  const hsize_t two = 2;
  const TypeHandle array{H5Tarray_create2(type.get(), 1, &two)};
  H5Tinsert(all.get(), "a", 1, type.get());
  H5Tinsert(all.get(), "b", 1 + p.bytes, array.get());
  H5Tinsert(all.get(), "c", 1 + 3 * p.bytes, H5T_STD_U8LE);
  return all;
}

// Nothing if the library cannot pack such values.
std::optional<Octets> image_of(const PackedRecipe& p, Octets& read) {
  bool made = false;
  Octets image = image_with([&](hid_t file) {
    const TypeHandle type = type_of(p);
    const std::size_t bytes = H5Tget_size(type.get());
    const hsize_t rows = p.rows, chunk = p.chunk;
    const SpaceHandle space{H5Screate_simple(1, &rows, nullptr)};
    const PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
    H5Pset_chunk(list.get(), 1, &chunk);
    Noise noise(p.noise | 1);
    Octets fill(bytes), values(bytes * p.rows);
    for (std::byte& each : fill) each = static_cast<std::byte>(noise.below(3));
    if (p.fill && !p.floating) H5Pset_fill_value(list.get(), type.get(), fill.data());
    switch (p.packing) {
      case Packing::kNbit: H5Pset_nbit(list.get()); break;
      case Packing::kScaleOffset:
        H5Pset_scaleoffset(list.get(), p.floating ? H5Z_SO_FLOAT_DSCALE : H5Z_SO_INT, p.factor);
        break;
      case Packing::kSzip:
        H5Pset_szip(list.get(), noise.maybe() ? H5_SZIP_NN_OPTION_MASK : H5_SZIP_EC_OPTION_MASK, 8);
        break;
    }
    if (p.checked) H5Pset_fletcher32(list.get());
    const ObjectHandle dataset{
        H5Dcreate2(file, "d", type.get(), space.get(), H5P_DEFAULT, list.get(), H5P_DEFAULT)};
    if (!dataset) return;
    // Values near one another, some equal to the fill value.
    for (std::uint64_t i = 0; i < p.rows; ++i)
      for (std::size_t b = 0; b < bytes; ++b) {
        const bool low = p.big ? b + 1 == bytes : b == 0;
        values[i * bytes + b] = p.floating && !low           ? std::byte{0x3f}
                                : noise.below(4) == 0 || low ? static_cast<std::byte>(noise.bits())
                                                             : fill[b];
      }
    made = H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0;
    if (!made) return;
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    read.resize(values.size());
  });
  H5Eclear2(H5E_DEFAULT);
  if (!made) return std::nullopt;
  return image;
}

RC_GTEST_PROP(Packed, IsReadLikeTheLibraryReadsIt, ()) {
  const PackedRecipe p = draw("packed", random_packed_recipe);
  Octets expected;
  const auto image = image_of(p, expected);
  if (!image) return;
  {
    const auto file = File::open_image(*image);
    RC_ASSERT(file.has_value());
    const ObjectHandle dataset{H5Dopen2(file->context().file, "d", H5P_DEFAULT)};
    const TypeHandle type{H5Dget_type(dataset.get())};
    RC_ASSERT(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, expected.data()) >=
              0);
  }
  const auto bytes = hepcheck::Bytes::of_image(*image, "image");
  const auto own = own::open_file(bytes, Limits());
  RC_ASSERT(own.has_value());
  const auto root = hep001::read_table_at(**own, "/");
  RC_ASSERT(root.has_value());
  const Child* child = root->group.child("d");
  RC_ASSERT(child && child->dataset && !child->dataset->unreadable);
  const std::uint64_t start[] = {0}, count[] = {p.rows};
  const auto values = (*own)->values().read(*child->dataset, start, count);
  RC_ASSERT(values.has_value());
  RC_ASSERT(*values == expected);
}

// Every part of the head of a chunk: the number of bits (four bytes), the size of the minimum, and
// the minimum.
TEST(PackedHeads, AreReadToTheirLastByte) {
  // Four numbers of two bytes, unsigned, little-endian, without a fill value.
  std::vector<unsigned> parameters(20);
  std::ranges::copy(std::vector<unsigned>{2, 0, 4, 0, 2, 0, 0, 0}, parameters.begin());
  Octets chunk(22), into(8);
  const auto reason = [&] {
    const Unpacked done = unpack_scale_offset(parameters, chunk, into);
    return done ? std::string() : done.error();
  };
  chunk[0] = std::byte{2};
  chunk[4] = std::byte{8};
  chunk[5] = std::byte{5};
  chunk[6] = std::byte{1};
  chunk[21] = std::byte{0b00'01'10'00};
  EXPECT_EQ(reason(), "");
  EXPECT_EQ(into, (Octets{std::byte{5}, std::byte{1}, std::byte{6}, std::byte{1}, std::byte{7},
                          std::byte{1}, std::byte{5}, std::byte{1}}));
  for (const auto& [at, bits] : {std::pair(0, "17"), std::pair(1, "4354"), std::pair(2, "1114114"),
                                 std::pair(3, "285212674")}) {
    const std::byte was = std::exchange(chunk[static_cast<std::size_t>(at)], std::byte{17});
    EXPECT_EQ(reason(), std::string(bits) + " bits of each number");
    chunk[static_cast<std::size_t>(at)] = was;
  }
  chunk.resize(21);
  EXPECT_NE(reason(), "");
  chunk.resize(20);
  EXPECT_EQ(reason(), "it ends before its minimum");
}

}  // namespace

}  // namespace hepcheck::hep001::libhdf5
