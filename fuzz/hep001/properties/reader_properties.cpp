// Files with datatypes, attributes, links and values of every kind: the two readers return the
// same, for every object and every value.
#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <format>
#include <string>
#include <vector>

#include "fuzz/hep001/properties/image.h"
#include "fuzz/hep001/properties/readers.h"
#include "fuzz/properties/random_values.h"
#include "validator/formats/hep001/libhdf5/file.h"
#include "validator/formats/hep001/reader/both.h"
#include "validator/formats/hep001/reader/library.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

using namespace hepcheck::fuzz;
using Image = std::vector<std::byte>;

// --- Datatypes -----------------------------------------------------------------------------------

TypeHandle text_type(Choices& c, std::size_t size) {
  constexpr H5T_str_t kPaddings[] = {H5T_STR_NULLTERM, H5T_STR_NULLPAD, H5T_STR_SPACEPAD};
  TypeHandle type{H5Tcopy(H5T_C_S1)};
  H5Tset_size(type.get(), size);
  H5Tset_cset(type.get(), c.maybe() ? H5T_CSET_UTF8 : H5T_CSET_ASCII);
  if (size != H5T_VARIABLE) H5Tset_strpad(type.get(), c.of(kPaddings));
  return type;
}

TypeHandle number_type(Choices& c) {
  const hid_t all[] = {H5T_STD_U8LE,  H5T_STD_I16LE,  H5T_STD_I32BE,  H5T_STD_U64LE,
                       H5T_STD_B16BE, H5T_IEEE_F32LE, H5T_IEEE_F64BE, H5T_UNIX_D32LE};
  return TypeHandle{H5Tcopy(c.of(all))};
}

TypeHandle enum_type_of(Choices& c) {
  TypeHandle type{H5Tenum_create(c.maybe() ? H5T_STD_I8LE : H5T_STD_I16BE)};
  for (std::uint64_t i = 0, n = 1 + c.below(3); i < n; ++i) {
    const std::int16_t value = static_cast<std::int16_t>(0x0101 * (3 * i + 1));
    H5Tenum_insert(type.get(), std::string(1 + 3 * i, static_cast<char>('a' + i)).c_str(), &value);
  }
  return type;
}

TypeHandle any_type(Choices& c, int depth) {
  switch (c.below(depth > 0 ? 10 : 6)) {
    case 0:
    case 1: return number_type(c);
    case 2: return text_type(c, 1 + c.below(9));
    case 3: return text_type(c, H5T_VARIABLE);
    case 4: {
      TypeHandle type{H5Tcreate(H5T_OPAQUE, 1 + c.below(9))};
      H5Tset_tag(type.get(), c.maybe() ? "a tag" : "");
      return type;
    }
    case 5: return enum_type_of(c);
    case 6: return TypeHandle{H5Tvlen_create(any_type(c, depth - 1).get())};
    case 7: {
      const hsize_t dims[] = {1 + c.below(3), 1 + c.below(2)};
      return TypeHandle{H5Tarray_create2(any_type(c, depth - 1).get(),
                                         1 + static_cast<unsigned>(c.below(2)), dims)};
    }
    default: {
      std::vector<TypeHandle> members;
      std::size_t size = 0;
      std::vector<std::size_t> offsets;
      for (std::uint64_t n = 1 + c.below(3); n > 0; --n) {
        members.push_back(any_type(c, depth - 1));
        size += c.below(3);  // nothing is there
        offsets.push_back(size);
        size += H5Tget_size(members.back().get());
      }
      TypeHandle type{H5Tcreate(H5T_COMPOUND, size + c.below(2))};
      // In any order.
      for (std::size_t i = 0; i < members.size(); ++i) {
        const std::size_t at = offsets.size() % 2 == 0 ? members.size() - 1 - i : i;
        H5Tinsert(type.get(), std::string(at + 1, 'm').c_str(), offsets[at], members[at].get());
      }
      return type;
    }
  }
}

// --- Values --------------------------------------------------------------------------------------

// Elements in memory, and what their pointers refer to.
class Values {
 public:
  Values(hid_t file, std::uint64_t seed) : file_(file), noise_(seed | 1) {}
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;
  ~Values() {
    for (H5R_ref_t* each : references_) H5Rdestroy(each);
  }

  void* elements(hid_t type, std::uint64_t count) {
    const std::size_t size = H5Tget_size(type);
    std::byte* const made = room(size * std::max<std::uint64_t>(1, count));
    for (std::uint64_t i = 0; i < count; ++i) one(type, made + i * size);
    return made;
  }

 private:
  std::byte* room(std::size_t bytes) {
    return rooms_.emplace_back(std::make_unique<std::byte[]>(bytes)).get();
  }

  void one(hid_t type, std::byte* into) {
    const std::size_t size = H5Tget_size(type);
    switch (H5Tget_class(type)) {
      case H5T_STRING:
        if (H5Tis_variable_str(type) > 0) return variable_text(into);
        for (std::size_t i = 0; i < size; ++i)
          into[i] = static_cast<std::byte>("ab \0x"[noise_.below(5)]);
        return;
      case H5T_VLEN: {
        const TypeHandle base{H5Tget_super(type)};
        hvl_t value{.len = noise_.below(4), .p = nullptr};
        if (value.len > 0) value.p = elements(base.get(), value.len);
        std::memcpy(into, &value, sizeof value);
        return;
      }
      case H5T_ARRAY: {
        const TypeHandle base{H5Tget_super(type)};
        const std::size_t each = H5Tget_size(base.get());
        for (std::size_t at = 0; at + each <= size; at += each) one(base.get(), into + at);
        return;
      }
      case H5T_COMPOUND:
        for (int i = 0; i < H5Tget_nmembers(type); ++i) {
          const auto number = static_cast<unsigned>(i);
          const TypeHandle member{H5Tget_member_type(type, number)};
          one(member.get(), into + H5Tget_member_offset(type, number));
        }
        return;
      case H5T_REFERENCE: return reference(type, into);
      default:
        for (std::size_t i = 0; i < size; ++i) into[i] = static_cast<std::byte>(noise_.bits());
    }
  }

  void variable_text(std::byte* into) {
    const std::string& text = texts_.emplace_back(noise_.below(6), 'v');
    const char* pointer = noise_.below(6) == 0 ? nullptr : text.c_str();
    std::memcpy(into, &pointer, sizeof pointer);
  }

  void reference(hid_t type, std::byte* into) {
    const std::uint64_t kind = noise_.below(4);
    if (kind == 0) return;  // null
    const char* target = noise_.below(2) == 0 ? "/" : "/target";
    if (H5Tequal(type, H5T_STD_REF_OBJ) > 0) {
      ASSERT_GE(H5Rcreate(into, file_, target, H5R_OBJECT, -1), 0);
      return;
    }
    auto* const made = reinterpret_cast<H5R_ref_t*>(into);
    if (kind == 1) {
      ASSERT_GE(H5Rcreate_object(file_, target, H5P_DEFAULT, made), 0);
    } else if (kind == 2) {
      const hsize_t rows = 3;
      const SpaceHandle space{H5Screate_simple(1, &rows, nullptr)};
      ASSERT_GE(H5Rcreate_region(file_, "/target", space.get(), H5P_DEFAULT, made), 0);
    } else {
      ASSERT_GE(H5Rcreate_attr(file_, "/target", "name", H5P_DEFAULT, made), 0);
    }
    references_.push_back(made);
  }

  hid_t file_;
  Noise noise_;
  std::deque<std::string> texts_{};
  std::deque<std::unique_ptr<std::byte[]>> rooms_{};
  std::vector<H5R_ref_t*> references_{};
};

// --- Files ---------------------------------------------------------------------------------------

SpaceHandle any_space(Choices& c, bool may_be_null, bool may_grow = false) {
  if (may_be_null && c.one_in(8)) return SpaceHandle{H5Screate(H5S_NULL)};
  if (c.one_in(5)) return SpaceHandle{H5Screate(H5S_SCALAR)};
  std::vector<hsize_t> extent{c.below(6)};
  if (c.one_in(3)) extent.push_back(1 + c.below(3));
  std::vector<hsize_t> most;
  for (const hsize_t size : extent) {
    const std::uint64_t kind = may_grow ? c.below(3) : 0;
    most.push_back(kind == 0 ? std::max<hsize_t>(size, 1) : kind == 1 ? size + 5 : H5S_UNLIMITED);
  }
  return SpaceHandle{H5Screate_simple(static_cast<int>(extent.size()), extent.data(), most.data())};
}

// Attributes in the header or in a heap, in a known order or not.
void set_attributes(hid_t list, Choices& c) {
  constexpr unsigned kOrders[] = {0, H5P_CRT_ORDER_TRACKED,
                                  H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED};
  if (c.maybe()) H5Pset_attr_phase_change(list, 0, 0);
  H5Pset_attr_creation_order(list, c.of(kOrders));
}

// A datatype that is an object of the file, or the same.
TypeHandle perhaps_committed(hid_t file, const std::string& name, Choices& c, TypeHandle type) {
  if (c.one_in(4))
    H5Tcommit2(file, name.c_str(), type.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Eclear2(H5E_DEFAULT);
  return type;
}

// Values that are in other files, which are never opened.
void add_stored_elsewhere(hid_t file, const std::string& name, bool external) {
  const hsize_t rows = 6;
  const SpaceHandle space{H5Screate_simple(1, &rows, nullptr)};
  const PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
  if (external)
    H5Pset_external(list.get(), "other.bin", 3, 6);
  else
    H5Pset_virtual(list.get(), space.get(), "other.h5", "d", space.get());
  ObjectHandle{H5Dcreate2(file, name.c_str(), H5T_STD_U8LE, space.get(), H5P_DEFAULT, list.get(),
                          H5P_DEFAULT)};
}

std::uint64_t elements_in(const SpaceHandle& space) {
  return static_cast<std::uint64_t>(
      std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space.get())));
}

void add_attribute(hid_t object, const std::string& name, Choices& c, Values& values) {
  const TypeHandle type =
      c.one_in(4) ? TypeHandle{H5Tcopy(c.maybe() ? H5T_STD_REF : H5T_STD_REF_OBJ)} : any_type(c, 2);
  const SpaceHandle space = any_space(c, true);
  const AttributeHandle made{
      H5Acreate2(object, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT)};
  if (!made) return;  // not in every version of the format
  const std::uint64_t count = elements_in(space);
  if (count == 0) return;
  ASSERT_GE(H5Awrite(made.get(), type.get(), values.elements(type.get(), count)), 0);
}

void add_filters(hid_t list, Choices& c, hid_t type) {
  for (std::uint64_t n = c.below(3); n > 0; --n) switch (c.below(5)) {
      case 4: {
        // One that nobody has; every chunk skips it. A model keeps 32 of its parameters.
        constexpr std::size_t kCounts[] = {0, 1, 31, 32, 33, 40};
        std::vector<unsigned> parameters(c.of(kCounts));
        for (unsigned& each : parameters) each = static_cast<unsigned>(c.bits());
        H5Pset_filter(list, 400, H5Z_FLAG_OPTIONAL, parameters.size(), parameters.data());
        break;
      }
      case 0: H5Pset_deflate(list, 1); break;
      case 1: H5Pset_fletcher32(list); break;
      case 2:
        if (H5Pget_nfilters(list) == 0) H5Pset_shuffle(list);
        break;
      default:
        if (H5Tget_class(type) != H5T_INTEGER || H5Pget_nfilters(list) > 0) break;
        if (c.maybe())
          H5Pset_nbit(list);
        else
          H5Pset_scaleoffset(list, H5Z_SO_INT, 0);
    }
}

void add_dataset(hid_t file, const std::string& name, Choices& c, Values& values) {
  if (c.one_in(12)) return add_stored_elsewhere(file, name, c.maybe());
  const TypeHandle type = perhaps_committed(file, "type of " + name, c, any_type(c, 2));
  const bool chunked = c.maybe();
  const SpaceHandle space = any_space(c, false, chunked);
  const PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
  set_attributes(list.get(), c);
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank > 0 && chunked) {
    std::vector<hsize_t> chunk;
    for (int d = 0; d < rank; ++d) chunk.push_back(1 + c.below(4));
    H5Pset_chunk(list.get(), rank, chunk.data());
    add_filters(list.get(), c, type.get());
  } else if (c.one_in(3)) {
    H5Pset_layout(list.get(), H5D_COMPACT);
  }
  // The library does not read values that were neither written nor filled.
  const bool written = elements_in(space) > 0 && !c.one_in(5);
  const std::uint64_t fill = c.below(written ? 4 : 2);
  if (fill == 1) H5Pset_fill_value(list.get(), type.get(), values.elements(type.get(), 1));
  if (fill == 2) H5Pset_fill_value(list.get(), type.get(), nullptr);
  if (fill == 3) H5Pset_fill_time(list.get(), H5D_FILL_TIME_NEVER);
  const ObjectHandle made{H5Dcreate2(file, name.c_str(), type.get(), space.get(), H5P_DEFAULT,
                                     list.get(), H5P_DEFAULT)};
  if (!made) return;  // the library does not fill every datatype
  if (written) {
    ASSERT_GE(H5Dwrite(made.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                       values.elements(type.get(), elements_in(space))),
              0);
  }
  if (c.one_in(3)) add_attribute(made.get(), "of the dataset", c, values);
}

void add_link(hid_t file, const std::string& name, Choices& c) {
  const char* paths[] = {
      "/target", "target", "./group/../x", "//group//inner", "group/soft", "nothing", "", "/"};
  const char* path = c.of(paths);
  switch (c.below(4)) {
    case 0:
      if (*path) H5Lcreate_soft(path, file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      break;
    case 1:
      H5Lcreate_external("other.h5", "/x", file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      break;
    case 2: {
      // Of a class that only its writer knows.
      static constexpr H5L_class_t kClass{
          .version = H5L_LINK_CLASS_T_VERS,
          .id = static_cast<H5L_type_t>(H5L_TYPE_UD_MIN + 5),
          .comment = "own",
          .create_func = nullptr,
          .move_func = nullptr,
          .copy_func = nullptr,
          .trav_func = [](const char*, hid_t, const void*, std::size_t, hid_t, hid_t) -> hid_t {
            return -1;
          },
          .del_func = nullptr,
          .query_func = nullptr};
      H5Lregister(&kClass);
      H5Lcreate_ud(file, name.c_str(), kClass.id, "any value", c.below(10), H5P_DEFAULT,
                   H5P_DEFAULT);
      H5Lunregister(kClass.id);
      break;
    }
    default: H5Lcreate_hard(file, "/group", file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
  }
}

// A group whose links are in its header, in a heap, or in an old tree.
void add_group(hid_t file, const std::string& name, Choices& c, Values& values) {
  const PropertyHandle list{H5Pcreate(H5P_GROUP_CREATE)};
  constexpr unsigned kOrders[] = {0, H5P_CRT_ORDER_TRACKED,
                                  H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED};
  H5Pset_link_creation_order(list.get(), c.of(kOrders));
  if (c.maybe()) H5Pset_link_phase_change(list.get(), 0, 0);
  set_attributes(list.get(), c);
  const ObjectHandle made{H5Gcreate2(file, name.c_str(), H5P_DEFAULT, list.get(), H5P_DEFAULT)};
  if (!made) return;  // not in every version of the format
  for (std::uint64_t i = 0, n = c.below(4); i < n; ++i)
    add_link(made.get(), std::format("{} é", 9 - i), c);
  for (std::uint64_t i = 0, n = c.below(3); i < n; ++i)
    add_attribute(made.get(), std::format("b{}", i), c, values);
}

Image file_of(Choices& c) {
  constexpr H5F_libver_t kVersions[] = {H5F_LIBVER_EARLIEST, H5F_LIBVER_V18, H5F_LIBVER_V110};
  const H5F_libver_t version = c.of(kVersions);
  const PropertyHandle creation{H5Pcreate(H5P_FILE_CREATE)};
  if (c.one_in(5)) H5Pset_userblock(creation.get(), 512);
  return image_with(
      [&](hid_t file) {
        const hsize_t three = 3;
        const SpaceHandle space{H5Screate_simple(1, &three, nullptr)};
        const ObjectHandle target{H5Dcreate2(file, "target", H5T_STD_U8LE, space.get(), H5P_DEFAULT,
                                             H5P_DEFAULT, H5P_DEFAULT)};
        const ObjectHandle group{H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
        const ObjectHandle inner{
            H5Gcreate2(file, "group/inner", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
        H5Lcreate_soft("../target", group.get(), "soft", H5P_DEFAULT, H5P_DEFAULT);
        const SpaceHandle scalar{H5Screate(H5S_SCALAR)};
        const AttributeHandle name{
            H5Acreate2(target.get(), "name", H5T_STD_U8LE, scalar.get(), H5P_DEFAULT, H5P_DEFAULT)};
        Values values(file, c.bits());
        const ObjectHandle root{H5Gopen2(file, "/", H5P_DEFAULT)};
        for (std::uint64_t i = 0, n = c.below(4); i < n; ++i)
          add_attribute(root.get(), std::format("a{}", i), c, values);
        for (std::uint64_t i = 0, n = 1 + c.below(4); i < n; ++i)
          add_dataset(file, std::format("d{}", i), c, values);
        for (std::uint64_t i = 0, n = c.below(4); i < n; ++i)
          add_link(file, std::format("l{}", i), c);
        for (std::uint64_t i = 0, n = c.below(3); i < n; ++i)
          add_group(file, std::format("g{}", i), c, values);
      },
      version, H5F_LIBVER_LATEST, creation.get());
}

// --- Reading -------------------------------------------------------------------------------------

void read_values(ValueSource& values, const Group& group) {
  for (const Child& child : group.children) {
    if (child.group) read_values(values, *child.group);
    if (!child.dataset || child.dataset->unreadable || !child.dataset->extent()) continue;
    const Dataset& dataset = *child.dataset;
    for_each_block(values.stream(dataset, *dataset.extent()), [](const Block&) {});
    const std::vector<std::uint64_t> start(dataset.space.rank());
    (void)values.read(dataset, start, dataset.space.extent);
  }
}

// The disagreements; empty if the readers agree.
std::string disagreements(const Image& image, const Limits& limits = {}) {
  const auto bytes = hepcheck::Bytes::of_image(image, "image");
  FileOptions options;
  options.limits = limits;
  prepare_library(options);
  auto own = own::open_file(bytes, options.limits);
  auto library = open_with_library(bytes, options, /*fast=*/false);
  if (!own || !library) return "one of them does not open the file";
  const auto both = compare_readers(std::move(*own), std::move(*library));
  const Result<Table> root = read_table_at(*both, "/");
  if (!root) return root.error().text();
  read_values(both->values(), root->group);
  std::string text;
  for (const Error& each : both->remarks()) text += each.text() + '\n';
  return text;
}

RC_GTEST_PROP(Readers, AgreeAboutEveryObjectAndValue, ()) {
  Noise choices(*rc::gen::arbitrary<std::uint64_t>().as("file") | 1);
  const Image image = file_of(choices);
  RC_ASSERT(disagreements(image) == "");
  // Also about what exceeds a limit that does not depend on how it is stored.
  Limits limits;
  switch (choices.below(3)) {
    case 0: limits.type_depth = choices.below(3); break;
    case 1: limits.type_members = choices.below(3); break;
    default: limits.string_bytes = choices.below(6);
  }
  RC_ASSERT(disagreements(image, limits) == "");
}

// 16 soft links one after the other are followed, as by the library.
TEST(Readers, FollowSixteenSoftLinks) {
  const Image image = image_with([](hid_t file) {
    const ObjectHandle group{H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
    const ObjectHandle inner{H5Gcreate2(file, "g/h", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
    for (int i = 1; i <= 17; ++i) {
      const std::string to = i == 1 ? "/g" : std::format("l{}", i - 1);
      H5Lcreate_soft(to.c_str(), file, std::format("l{}", i).c_str(), H5P_DEFAULT, H5P_DEFAULT);
    }
    H5Lcreate_soft("h/../h", group.get(), "up", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("./h//", group.get(), "here", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("circle", group.get(), "circle", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/g/h/back", file, "away", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/g", inner.get(), "back", H5P_DEFAULT, H5P_DEFAULT);
  });
  const auto bytes = hepcheck::Bytes::of_image(image, "image");
  const FileOptions options;
  prepare_library(options);
  auto own = own::open_file(bytes, options.limits);
  auto library = open_with_library(bytes, options, /*fast=*/false);
  ASSERT_TRUE(own && library);
  const auto group = (*own)->find("/g"), inner = (*own)->find("/g/h");
  ASSERT_TRUE(group && inner);
  EXPECT_EQ((*own)->find("l1"), group);
  EXPECT_EQ((*own)->find("/l16"), group);
  EXPECT_EQ((*own)->find("/l16/h"), inner);
  EXPECT_EQ((*own)->find("/l16/here"), std::nullopt);  // one more
  EXPECT_EQ((*own)->find("/l15/here"), inner);
  EXPECT_EQ((*own)->find("/l17"), std::nullopt);
  EXPECT_EQ((*own)->find("/g/circle"), std::nullopt);
  EXPECT_EQ((*own)->find("/g/up"), std::nullopt);  // ".." is a name
  EXPECT_EQ((*own)->find("/away/h"), inner);       // two that begin at the root group
  EXPECT_EQ((*own)->path_of(*inner), "/g/h");
  EXPECT_EQ((*own)->path_of(*(*own)->root()), "/");
  for (const char* path :
       {"l1", "/l16", "/l16/h", "/l17", "/g/circle", "/g/here", "/l3/here", "/away/h"})
    EXPECT_EQ((*own)->find(path), (*library)->find(path)) << path;
}

// The path of a link and what follows it are followed up to twice the length of a path, 128 KiB
// together; the paths of external links are not.
TEST(Readers, FollowLongPaths) {
  const auto dots = [](std::size_t size) {
    std::string path;
    while (path.size() + 2 <= size) path += "./";
    return path + std::string(size - path.size(), '/');
  };
  constexpr std::size_t kSoft = 60'001, kMost = 2 * 64 * 1024;
  const Image image = image_with([&](hid_t file) {
    const ObjectHandle group{H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
    const ObjectHandle inner{H5Gcreate2(file, "g/h", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
    H5Lcreate_soft((dots(kSoft - 1) + "g").c_str(), file, "soft", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external("other.h5", "/g", file, "away", H5P_DEFAULT, H5P_DEFAULT);
  });
  const auto own = own::open_file(hepcheck::Bytes::of_image(image, "image"), {}).value();
  const auto inner = own->find("/g/h");
  ASSERT_TRUE(inner);
  EXPECT_EQ(own->find("/soft/h"), inner);
  for (const std::size_t more : {0, 1, 2})
    EXPECT_EQ(own->find("/soft/" + dots(kMost - kSoft - 3 + more) + "/h"),
              more == 0 ? inner : std::nullopt)
        << more;
  EXPECT_EQ(own->find("/away"), std::nullopt);
  EXPECT_EQ(own->find("/away/g/h"), std::nullopt);
  EXPECT_EQ(own->find("/away/away/g"), std::nullopt);
}

// Paths of objects are looked for among as many as the limit says.
TEST(Readers, FindPathsUpToTheLimitOfObjects) {
  const Image image = image_with([](hid_t file) {
    for (const char* path : {"a", "b", "b/c", "d"})
      ObjectHandle{H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
  });
  for (const std::uint64_t most : {0, 1, 2, 3, 4, 5, 6}) {
    const auto own = own::open_file(hepcheck::Bytes::of_image(image, "image"), {.objects = most});
    ASSERT_TRUE(own);
    std::uint64_t found = 0;
    for (const char* path : {"/", "/a", "/b", "/b/c", "/d"}) {
      const std::string known = (*own)->path_of((*own)->find(path).value());
      EXPECT_TRUE(known.empty() || known == path) << known;
      found += !known.empty();
    }
    EXPECT_EQ(found, std::min<std::uint64_t>(most, 5));
  }
}

// A reference whose address is zero, or undefined, names nothing.
TEST(Readers, ReferencesWithoutAnAddressDangle) {
  haddr_t address = 0;
  const Image image = image_with(
      [&](hid_t file) {
        const ObjectHandle target{
            H5Gcreate2(file, "target", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
        H5O_info2_t info;
        H5Oget_info3(target.get(), &info, H5O_INFO_BASIC);
        std::memcpy(&address, &info.token, sizeof address);
        const ObjectHandle root{H5Gopen2(file, "/", H5P_DEFAULT)};
        const SpaceHandle scalar{H5Screate(H5S_SCALAR)};
        const AttributeHandle made{
            H5Acreate2(root.get(), "to", H5T_STD_REF, scalar.get(), H5P_DEFAULT, H5P_DEFAULT)};
        ASSERT_TRUE(made);
        H5R_ref_t reference{};
        ASSERT_GE(H5Rcreate_object(file, "target", H5P_DEFAULT, &reference), 0);
        ASSERT_GE(H5Awrite(made.get(), H5T_STD_REF, &reference), 0);
        H5Rdestroy(&reference);
      },
      H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
  // Its kind and flags, the size of the token, and the token.
  std::vector<std::byte> stored{std::byte{2}, std::byte{0}, std::byte{8}};
  for (int i = 0; i < 8; ++i) stored.push_back(static_cast<std::byte>(address >> 8 * i));
  const auto reference_with = [&](std::uint64_t to) {
    Image mutated = image;
    const auto found = std::ranges::search(mutated, stored);
    EXPECT_FALSE(found.empty());
    for (int i = 0; i < 8; ++i) found[3 + i] = static_cast<std::byte>(to >> 8 * i);
    const OwnReader own(mutated);
    return own.root.group.attribute("to")->references.at(0);
  };
  EXPECT_TRUE(reference_with(address).resolved());
  EXPECT_EQ(reference_with(address).path, "/target");
  EXPECT_EQ(reference_with(0).why, "it names no object");
  EXPECT_EQ(reference_with(~std::uint64_t{0}).why, "it names no object");
  EXPECT_TRUE(reference_with(1).why.starts_with("the object at 1: ")) << reference_with(1).why;
}

// If one of them cannot be read, being of an unknown kind, no reference of the attribute is known.
TEST(Readers, ReferencesOfUnknownKindsLeaveNone) {
  const Image image = image_with(
      [&](hid_t file) {
        const ObjectHandle target{
            H5Gcreate2(file, "target", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
        const ObjectHandle root{H5Gopen2(file, "/", H5P_DEFAULT)};
        const hsize_t two = 2;
        const SpaceHandle space{H5Screate_simple(1, &two, nullptr)};
        const AttributeHandle made{
            H5Acreate2(root.get(), "to", H5T_STD_REF, space.get(), H5P_DEFAULT, H5P_DEFAULT)};
        ASSERT_TRUE(made);
        H5R_ref_t both[2]{};
        for (H5R_ref_t& each : both)
          ASSERT_GE(H5Rcreate_object(file, "target", H5P_DEFAULT, &each), 0);
        ASSERT_GE(H5Awrite(made.get(), H5T_STD_REF, both), 0);
        for (H5R_ref_t& each : both) H5Rdestroy(&each);
      },
      H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
  const OwnReader sound(image);
  EXPECT_EQ(sound.root.group.attribute("to")->references.size(), 2u);
  // Their kind and flags, and the size of the token.
  const std::vector<std::byte> begin{std::byte{2}, std::byte{0}, std::byte{8}};
  for (const bool second : {false, true}) {
    Image mutated = image;
    const auto found =
        second ? std::ranges::find_end(mutated, begin) : std::ranges::search(mutated, begin);
    ASSERT_FALSE(found.empty());
    found.front() = std::byte{9};
    const OwnReader own(mutated);
    const Attribute& attribute = *own.root.group.attribute("to");
    EXPECT_TRUE(attribute.unreadable);
    EXPECT_TRUE(attribute.references.empty());
  }
}

// A sequence without an address is empty, whatever length it states.
TEST(Readers, SequencesWithoutAnAddressAreEmpty) {
  const Image image = image_with([](hid_t file) {
    const hsize_t rows = 3;
    const SpaceHandle space{H5Screate_simple(1, &rows, nullptr)};
    const TypeHandle type{H5Tvlen_create(H5T_STD_I32LE)};
    const ObjectHandle made{
        H5Dcreate2(file, "lists", type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
    std::int32_t items[] = {1, 2, 3, 4, 5};
    const hvl_t values[] = {{5, items}, {5, items}, {5, items}};
    ASSERT_GE(H5Dwrite(made.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
  });
  const std::uint64_t heap = static_cast<std::uint64_t>(
      std::ranges::search(image, std::as_bytes(std::span("GCOL").first(4))).begin() -
      image.begin());
  ASSERT_LT(heap, image.size());
  std::vector<std::byte> stored(12);
  stored[0] = std::byte{5};
  std::memcpy(stored.data() + 4, &heap, sizeof heap);
  Image mutated = image;
  // The second of three rows of 16 bytes.
  const auto first = std::ranges::search(mutated, stored).begin();
  ASSERT_NE(first, mutated.end());
  std::fill_n(first + 16 + 4, 8, std::byte{0});
  OwnReader own(mutated);
  const auto rows = rows_of(own.values(), own.dataset("lists"), 0, 3);
  ASSERT_TRUE(rows) << rows.error().text();
  ASSERT_EQ(rows->size(), 48u);
  for (const auto& [row, wanted] : {std::pair(0, 5u), std::pair(1, 0u), std::pair(2, 5u)}) {
    std::uint64_t length = 0;
    std::memcpy(&length, rows->data() + 16 * row, sizeof length);
    EXPECT_EQ(length, wanted) << row;
  }
}

// A file without its last bytes is truncated; one whose superblock leads nowhere is not.
TEST(Readers, StateWhyAFileCannotBeOpened) {
  const Image image = image_with([](hid_t file) {
    const ObjectHandle group{H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
  });
  const auto reason = [](const Image& bytes) {
    const auto opened = own::open_file(hepcheck::Bytes::of_image(bytes, "image"), {});
    return opened ? std::string() : opened.error().cause;
  };
  EXPECT_EQ(reason(image), "");
  Image cut = image;
  cut.pop_back();
  EXPECT_EQ(reason(cut),
            std::format("truncated: {} of {} bytes are there", cut.size(), image.size()));
  EXPECT_EQ(reason({}), "the file is empty");
  EXPECT_EQ(reason(Image(100)), "not an HDF5 file");
  Image broken = image;
  broken[40] = std::byte{0x55};  // in the address of the root group
  EXPECT_NE(reason(broken), "");
  EXPECT_FALSE(reason(broken).contains("truncated")) << reason(broken);
}

// References in sequences are of the same kind as others, for both readers.
TEST(Readers, AgreeAboutReferencesInSequences) {
  const Image image = image_with([](hid_t file) {
    const hsize_t rows = 2;
    const SpaceHandle space{H5Screate_simple(1, &rows, nullptr)};
    for (const hid_t kind : {H5T_STD_REF_OBJ, H5T_STD_REF_DSETREG}) {
      const std::string name = kind == H5T_STD_REF_OBJ ? "objects" : "regions";
      const TypeHandle type{H5Tvlen_create(kind)};
      const ObjectHandle made{H5Dcreate2(file, name.c_str(), type.get(), space.get(), H5P_DEFAULT,
                                         H5P_DEFAULT, H5P_DEFAULT)};
      ASSERT_TRUE(made);
    }
  });
  const OwnReader own(image);
  EXPECT_EQ(own.dataset("objects").type.base->reference, ReferenceKind::kLegacyObject);
  EXPECT_EQ(own.dataset("regions").type.base->reference, ReferenceKind::kLegacyRegion);
  EXPECT_EQ(disagreements(image), "");
}

// Only values that are stored have an address.
TEST(Readers, AddressesAreThoseOfStoredValues) {
  const Image image = image_with([](hid_t file) {
    const hsize_t rows = 4;
    const SpaceHandle space{H5Screate_simple(1, &rows, nullptr)};
    for (const char* name : {"written", "not written"}) {
      const ObjectHandle made{
          H5Dcreate2(file, name, H5T_STD_U8LE, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
      const std::uint8_t values[] = {11, 12, 13, 14};
      if (*name == 'w') H5Dwrite(made.get(), H5T_STD_U8LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    }
  });
  const OwnReader own(image);
  EXPECT_EQ(own.dataset("not written").storage.address, std::nullopt);
  ASSERT_TRUE(own.dataset("written").storage.address.has_value());
  EXPECT_EQ(image.at(*own.dataset("written").storage.address + 3), std::byte{14});
}

}  // namespace

}  // namespace hepcheck::hep001::libhdf5
