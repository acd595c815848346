// Tables with datasets of any datatype, storage and fill value, with attributes of any datatype and
// links of any kind, some to one another, made at random; and all that a reader reads of a file.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <format>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/read_datatype.h"
#include "validator/formats/hep001/libhdf5/testing/memory_hdf5.h"
#include "validator/formats/hep001/reader/open_tables.h"
#include "validator/formats/hep001/reader/read_tables.h"
#include "validator/formats/hep001/testing/model_text.h"
#include "validator/testing/random.h"

namespace hepcheck::hep001::libhdf5::testing {

class RandomFile {
 public:
  explicit RandomFile(std::uint64_t seed)
      : random_(seed), version_(random_.once_in(2) ? H5F_LIBVER_EARLIEST : H5F_LIBVER_LATEST) {
    initialise(false);
    const PropertyHandle access{H5Pcreate(H5P_FILE_ACCESS)};
    H5Pset_fapl_core(access.get(), 4096, false);
    H5Pset_libver_bounds(access.get(), version_, H5F_LIBVER_LATEST);
    const std::string name = std::format("random objects {}", seed);
    file_ = FileHandle{H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get())};
    group("/t");
    const TypeHandle text = testing::text_type(13);
    const ObjectHandle table{H5Gopen2(file_.get(), "/t", H5P_DEFAULT)};
    testing::write_attribute(table.get(), "CLASS", text.get(), {}, "COLUMN_TABLE");
    for (const char* each : {"/t/CATEGORIES", "/t/SEARCH_INDEXES", "/t/g"})
      if (random_.once_in(2)) group(each);
    for (std::uint64_t n = 2 + random_.below(6); n > 0; --n) dataset();
    for (std::uint64_t n = random_.below(8); n > 0; --n) attribute();
    for (std::uint64_t n = random_.below(5); n > 0; --n) link();
  }
  std::vector<std::byte> image() const { return testing::image_of(file_.get()); }
  // A group with attributes without values, of deeply nested datatypes.
  void nested_types(int count) {
    group("/t/nested");
    const ObjectHandle group{H5Gopen2(file_.get(), "/t/nested", H5P_DEFAULT)};
    const SpaceHandle none{H5Screate(H5S_NULL)};
    for (int i = 0; i < count; ++i) {
      const TypeHandle type = this->type(4);
      const AttributeHandle made{H5Acreate2(group.get(), std::format("a{}", i).c_str(), type.get(),
                                            none.get(), H5P_DEFAULT, H5P_DEFAULT)};
      H5Eclear2(H5E_DEFAULT);  // some are refused
    }
  }

 private:
  void group(const char* path) {
    const PropertyHandle list{H5Pcreate(H5P_GROUP_CREATE)};
    H5Pset_obj_track_times(list.get(), false);
    EXPECT_TRUE(ObjectHandle(H5Gcreate2(file_.get(), path, H5P_DEFAULT, list.get(), H5P_DEFAULT)));
    groups_.emplace_back(path);
    objects_.emplace_back(path);
  }
  std::string any_of(const std::vector<std::string>& all) { return all[random_.below(all.size())]; }
  std::string name() {
    const std::string group = any_of(groups_);
    return std::format("{}/{}{}", group, random_.once_in(6) ? "\u00e4 " : "x", ++names_);
  }

  // --- Datatypes
  TypeHandle integer() {
    const hid_t all[] = {H5T_STD_I8LE,  H5T_STD_U8BE,  H5T_STD_I16BE, H5T_STD_U16LE, H5T_STD_I32LE,
                         H5T_STD_U32BE, H5T_STD_I64BE, H5T_STD_U64LE, H5T_STD_B16LE, H5T_STD_B8BE};
    TypeHandle made{H5Tcopy(random_.one_of(all))};
    if (random_.once_in(3)) {
      // The library refuses integers most of whose bits are unused.
      const std::size_t bits = 8 * H5Tget_size(made.get()),
                        precision = bits / 2 + 1 + random_.below(bits / 2);
      H5Tset_precision(made.get(), precision);
      H5Tset_offset(made.get(), static_cast<int>(random_.below(bits - precision + 1)));
    }
    return made;
  }
  TypeHandle real() {
    const hid_t all[] = {H5T_IEEE_F32LE, H5T_IEEE_F64BE, H5T_IEEE_F64LE, H5T_NATIVE_LDOUBLE};
    TypeHandle made{H5Tcopy(random_.one_of(all))};
    if (random_.once_in(4)) {
      // Of 16 bits: a sign, an exponent and a mantissa.
      const std::size_t exponent = 3 + random_.below(6);
      H5Tset_fields(made.get(), 15, 15 - exponent, exponent, 0, 15 - exponent);
      H5Tset_ebias(made.get(), random_.below(200));
      constexpr H5T_norm_t kNorms[] = {H5T_NORM_IMPLIED, H5T_NORM_MSBSET, H5T_NORM_NONE};
      H5Tset_norm(made.get(), random_.one_of(kNorms));
      H5Tset_precision(made.get(), 16);
      H5Tset_size(made.get(), 2);
    }
    return made;
  }
  TypeHandle text() {
    constexpr H5T_str_t kPaddings[] = {H5T_STR_NULLTERM, H5T_STR_NULLPAD, H5T_STR_SPACEPAD};
    constexpr H5T_cset_t kSets[] = {H5T_CSET_ASCII, H5T_CSET_UTF8};
    const std::size_t size = random_.once_in(2) ? H5T_VARIABLE : 1 + random_.below(9);
    const H5T_str_t padding = random_.one_of(kPaddings);
    return testing::text_type(size, padding, random_.one_of(kSets));
  }
  TypeHandle enumeration() {
    const TypeHandle base{H5Tcopy(random_.once_in(2) ? H5T_STD_I8LE : H5T_STD_U16BE)};
    TypeHandle made{H5Tenum_create(base.get())};
    for (std::uint64_t i = 0, n = random_.below(4); i < n; ++i) {
      const std::vector<std::byte> value{static_cast<std::byte>(i), static_cast<std::byte>(7 + i)};
      H5Tenum_insert(made.get(), std::format("m{}", i).c_str(), value.data());
    }
    return made;
  }
  TypeHandle compound(int depth) {
    std::vector<TypeHandle> members;
    std::vector<std::size_t> offsets;
    std::size_t at = 0;
    for (std::uint64_t n = 1 + random_.below(3); n > 0; --n) {
      at += random_.below(3);
      offsets.push_back(at);
      members.push_back(type(depth - 1));
      at += H5Tget_size(members.back().get());
    }
    TypeHandle made{H5Tcreate(H5T_COMPOUND, at + random_.below(4))};
    for (std::size_t i = 0; i < members.size(); ++i)
      EXPECT_GE(H5Tinsert(made.get(), std::format("f{}", i).c_str(), offsets[i], members[i].get()),
                0);
    return made;
  }
  TypeHandle type(int depth) {
    switch (random_.below(depth > 0 ? 11 : 7)) {
      case 0:
      case 1: return integer();
      case 2: return real();
      case 3: return text();
      case 4: return enumeration();
      case 5: {
        TypeHandle made{H5Tcreate(H5T_OPAQUE, 1 + random_.below(6))};
        H5Tset_tag(made.get(), random_.once_in(2) ? "" : "a tag");
        return made;
      }
      case 6: {
        const hid_t all[] = {H5T_STD_REF, H5T_STD_REF_OBJ, H5T_STD_REF_DSETREG, H5T_UNIX_D32LE};
        return TypeHandle{H5Tcopy(random_.one_of(all))};
      }
      case 7:
      case 8: return compound(depth);
      case 9: {
        // Of references in sequences, the library stores another size than it states.
        const TypeHandle base = type(depth - 1);
        const bool references = H5Tdetect_class(base.get(), H5T_REFERENCE) > 0;
        return references ? integer() : TypeHandle{H5Tvlen_create(base.get())};
      }
      default: {
        const TypeHandle base = type(depth - 1);
        Extent dims;
        for (std::uint64_t n = 1 + random_.below(3); n > 0; --n)
          dims.push_back(1 + random_.below(3));
        return TypeHandle{
            H5Tarray_create2(base.get(), static_cast<unsigned>(dims.size()), dims.data())};
      }
    }
  }
  static bool plain(hid_t type) {
    std::optional<std::string> trouble;
    const Datatype model = read_datatype(type, {}, trouble);
    return !has_variable_part(model) && !contains_class(model, TypeClass::kReference);
  }

  // --- Datasets
  SpaceHandle space(Extent& extent, bool& growable) {
    extent.clear();
    growable = false;
    if (random_.once_in(12)) return SpaceHandle{H5Screate(H5S_NULL)};
    if (random_.once_in(8)) return SpaceHandle{H5Screate(H5S_SCALAR)};
    Extent most;
    for (std::uint64_t n = random_.once_in(3) ? 3 : 1; n > 0; --n) {
      extent.push_back(random_.below(7));
      most.push_back(random_.once_in(3)   ? H5S_UNLIMITED
                     : random_.once_in(3) ? extent.back() + 1 + random_.below(9)
                                          : extent.back());
      growable = growable || most.back() != extent.back();
    }
    return SpaceHandle{
        H5Screate_simple(static_cast<int>(extent.size()), extent.data(), most.data())};
  }
  void filters(hid_t list) {
    for (std::uint64_t n = random_.below(4); n > 0; --n) switch (random_.below(4)) {
        case 0: H5Pset_shuffle(list); break;
        case 1: H5Pset_deflate(list, random_.number(10)); break;
        case 2: H5Pset_fletcher32(list); break;
        default: {
          const unsigned values[] = {random_.number(9), 7, 0xFFFFFFFF};
          H5Pset_filter(list, 307, H5Z_FLAG_OPTIONAL, random_.below(4), values);
        }
      }
  }
  void fill(hid_t list, hid_t type) {
    if (random_.once_in(5)) {
      H5Pset_fill_value(list, type, nullptr);
    } else if (H5Tis_variable_str(type) > 0) {
      const char* value = random_.once_in(2) ? "fill \u00e4" : "";
      if (random_.once_in(2)) H5Pset_fill_value(list, type, &value);
    } else if (plain(type) && random_.once_in(2)) {
      H5Pset_fill_value(list, type, random_.bytes(H5Tget_size(type)).data());
    }
  }
  void dataset() {
    const TypeHandle type = this->type(2);
    Extent extent;
    bool growable = false;
    const SpaceHandle space = this->space(extent, growable);
    const PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
    H5Pset_obj_track_times(list.get(), false);
    fill(list.get(), type.get());
    const bool simple = !extent.empty();
    if (simple && (growable || random_.once_in(3))) {
      Extent chunk;
      for (std::size_t d = 0; d < extent.size(); ++d)
        chunk.push_back(1 + random_.below(growable ? 4 : std::max<hsize_t>(1, extent[d])));
      H5Pset_chunk(list.get(), static_cast<int>(chunk.size()), chunk.data());
      filters(list.get());
    } else if (random_.once_in(3)) {
      H5Pset_layout(list.get(), H5D_COMPACT);
    } else if (simple && random_.once_in(4)) {
      H5Pset_external(list.get(), "values.bin", 8, 1 << 20);
    } else if (simple && random_.once_in(4)) {
      for (int n = 1; n <= 2; ++n)
        H5Pset_virtual(list.get(), space.get(), std::format("source{}.h5", n).c_str(), "d",
                       space.get());
    }
    const std::string path = name();
    const ObjectHandle made{H5Dcreate2(file_.get(), path.c_str(), type.get(), space.get(),
                                       H5P_DEFAULT, list.get(), H5P_DEFAULT)};
    H5Eclear2(H5E_DEFAULT);
    if (!made) return;  // some combinations are refused
    objects_.push_back(path);
    if (simple && plain(type.get()) && random_.below(3) > 0)
      values(made.get(), list.get(), type.get(), extent);
  }
  // Some of them; the others are fill values.
  void values(hid_t dataset, hid_t list, hid_t type, const Extent& extent) {
    if (H5Pget_layout(list) == H5D_VIRTUAL || H5Pget_external_count(list) > 0) return;
    Extent start, count;
    hsize_t all = 1;
    for (const hsize_t size : extent) {
      start.push_back(random_.below(size + 1));
      count.push_back(random_.below(size - start.back() + 1));
      all *= count.back();
    }
    if (all == 0) return;
    const SpaceHandle space{H5Dget_space(dataset)}, memory{H5Screate_simple(1, &all, nullptr)};
    H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    const std::vector<std::byte> bytes = random_.bytes(all * H5Tget_size(type));
    EXPECT_GE(H5Dwrite(dataset, type, memory.get(), space.get(), H5P_DEFAULT, bytes.data()), 0);
  }

  // --- Attributes and links
  void reference(hid_t type, std::byte* to) {
    const std::string target = any_of(objects_);
    const SpaceHandle one{H5Screate(H5S_SCALAR)};
    if (H5Tequal(type, H5T_STD_REF_OBJ) > 0) {
      H5Rcreate(to, file_.get(), target.c_str(), H5R_OBJECT, H5I_INVALID_HID);
    } else if (H5Tequal(type, H5T_STD_REF_DSETREG) > 0) {
      const ObjectHandle object{H5Dopen2(file_.get(), target.c_str(), H5P_DEFAULT)};
      const SpaceHandle all{object ? H5Dget_space(object.get()) : H5I_INVALID_HID};
      if (all) H5Rcreate(to, file_.get(), target.c_str(), H5R_DATASET_REGION, all.get());
    } else {
      H5R_ref_t made;
      if (H5Rcreate_object(file_.get(), target.c_str(), H5P_DEFAULT, &made) >= 0)
        std::memcpy(to, &made, sizeof made);
    }
    H5Eclear2(H5E_DEFAULT);
  }
  void attribute() {
    const TypeHandle type = this->type(1);
    Extent extent;
    bool growable = false;
    const SpaceHandle space = this->space(extent, growable);
    const ObjectHandle object{H5Oopen(file_.get(), any_of(objects_).c_str(), H5P_DEFAULT)};
    const std::string name = std::format("a{}", ++names_);
    const AttributeHandle made{
        H5Acreate2(object.get(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT)};
    H5Eclear2(H5E_DEFAULT);
    if (!made) return;
    const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get()));
    const std::size_t size = H5Tget_size(type.get());
    if (count == 0) return;
    if (H5Tget_class(type.get()) == H5T_REFERENCE) {
      std::vector<std::byte> values(count * size);
      for (std::size_t i = 0; i < count; ++i)
        if (!random_.once_in(4)) reference(type.get(), values.data() + i * size);
      EXPECT_GE(H5Awrite(made.get(), type.get(), values.data()), 0);
      // They keep the file open.
      if (H5Tequal(type.get(), H5T_STD_REF) > 0)
        for (std::size_t i = 0; i < count; ++i)
          H5Rdestroy(reinterpret_cast<H5R_ref_t*>(values.data() + i * size));
      H5Eclear2(H5E_DEFAULT);
    } else if (H5Tis_variable_str(type.get()) > 0) {
      std::vector<std::string> texts;
      std::vector<const char*> values;
      for (std::size_t i = 0; i < count; ++i) texts.emplace_back(random_.below(6), 'v');
      for (const std::string& each : texts)
        values.push_back(each.size() == 5 ? nullptr : each.c_str());
      EXPECT_GE(H5Awrite(made.get(), type.get(), values.data()), 0);
    } else if (plain(type.get())) {
      EXPECT_GE(H5Awrite(made.get(), type.get(), random_.bytes(count * size).data()), 0);
    }
  }
  void link() {
    const std::string target = any_of(objects_), path = name();
    switch (random_.below(4)) {
      case 0:
        H5Lcreate_hard(file_.get(), target.c_str(), file_.get(), path.c_str(), H5P_DEFAULT,
                       H5P_DEFAULT);
        break;
      case 1:
      case 2:
        H5Lcreate_soft((random_.once_in(3) ? "nowhere/x" : target).c_str(), file_.get(),
                       path.c_str(), H5P_DEFAULT, H5P_DEFAULT);
        break;
      default:
        H5Lcreate_external("other.h5", target.c_str(), file_.get(), path.c_str(), H5P_DEFAULT,
                           H5P_DEFAULT);
    }
  }

  Random random_;
  H5F_libver_t version_;
  FileHandle file_{};
  std::vector<std::string> groups_{}, objects_{};
  int names_ = 0;
};

// Under limits, what was read of a datatype before one of them is no part of the model, and the own
// reader follows paths through as many links and objects as it may read.
inline void forget_partial(Attributes& attributes) {
  for (auto& [name, attribute] : attributes) {
    if (attribute.unreadable) attribute.type = {};
    for (Reference& each : attribute.references) each.path.clear();
  }
}
inline void forget_partial(Group& group) {
  forget_partial(group.attributes);
  for (Child& child : group.children) {
    if (child.link == Child::LinkKind::kSoft) {
      child.object = ObjectKind::kUnknown;
      child.soft_target.reset();
    }
    if (child.group) forget_partial(*child.group);
    if (!child.dataset) continue;
    if (child.dataset->unreadable) child.dataset->type = {};
    forget_partial(child.dataset->attributes);
  }
}

// The bytes of each dataset.
inline std::string values_of(const Group& group, ValueSource& source) {
  std::string text;
  for (const Child& child : group.children) {
    if (child.group) text += values_of(*child.group, source);
    if (!child.dataset || child.dataset->unreadable || child.dataset->space.extent.empty())
      continue;
    const Dataset& dataset = *child.dataset;
    std::string bytes;
    const auto add = [&](const Block& block) {
      if (block.strings.empty()) bytes += model_text::hex(block.bytes);
      for (const std::string_view each : block.strings) bytes += std::format("{} ", each);
    };
    // All rows, and those from the middle of a chunk to the middle of another one.
    const std::uint64_t rows = dataset.space.extent[0];
    auto trouble = for_each_block(source.stream(dataset, rows), add);
    bytes += '|';
    if (!trouble && rows > 0)
      trouble = for_each_block(source.stream_rows(dataset, rows / 3, rows - rows / 3 - 1), add);
    text += std::format("{}: {}\n", dataset.path, trouble ? trouble->cause : bytes);
  }
  return text;
}

// All that is read of the tables of a file: the model and the values.
inline std::string tables_of(std::span<const std::byte> image, hepcheck::Reader reader,
                             const std::optional<Limits>& limits = std::nullopt) {
  FileOptions options;
  options.reader = reader;
  if (limits) options.limits = *limits;
  const auto file = open_tables(hepcheck::Bytes::of_image(image, "file"), options);
  if (!file) return file.error().text();
  std::string text;
  for_each_table(
      **file,
      {.table =
           [&](Table&& table) {
             if (limits) forget_partial(table.group);
             text += model_text::text_of(table.group) + values_of(table.group, (*file)->values());
           },
       .unreadable = [&](const Error& each) { text += each.text() + '\n'; },
       .other = [&](const std::string& at, const std::string& value) { text += at + value; }});
  return text;
}

}  // namespace hepcheck::hep001::libhdf5::testing
