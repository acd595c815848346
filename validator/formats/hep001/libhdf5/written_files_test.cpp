// What every kind of change leaves of a file: each object with its attributes, storage and values,
// the properties with which it was created, and each link. The differences equal the golden file,
// and so do the sizes of the files. Their bytes depend on what ran before: the library writes some
// bytes of references without setting them.
#include <gtest/gtest.h>
#include <hdf5.h>
#include <malloc.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <format>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "validator/formats/hep001/libhdf5/apply_step.h"
#include "validator/formats/hep001/libhdf5/edit.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/file.h"
#include "validator/formats/hep001/libhdf5/index_dataset.h"
#include "validator/formats/hep001/libhdf5/library_file.h"
#include "validator/formats/hep001/libhdf5/read_attributes.h"
#include "validator/formats/hep001/libhdf5/read_dataset.h"
#include "validator/formats/hep001/libhdf5/read_datatype.h"
#include "validator/formats/hep001/libhdf5/testing/failing_calls.h"
#include "validator/formats/hep001/libhdf5/testing/memory_hdf5.h"
#include "validator/formats/hep001/libhdf5/write_table.h"
#include "validator/formats/hep001/model/comparable.h"
#include "validator/formats/hep001/reader/reading.h"
#include "validator/testing/golden_files.h"
#include "validator/testing/number.h"

namespace hepcheck::hep001::libhdf5::written_files {
namespace {

using hep001::Step;
using testing::changed;
using testing::MemoryFile;
using testing::text_type;
using testing::write_attribute;
using Bytes = std::vector<std::byte>;
using Lines = std::set<std::string>;

// --- What is in a file ---------------------------------------------------------------------------

std::string properties_of(hid_t list) {
  H5D_alloc_time_t allocated{};
  H5D_fill_time_t filled{};
  hbool_t times = false;
  unsigned most = 0, least = 0, order = 0, options = 0;
  H5Pget_alloc_time(list, &allocated);
  H5Pget_fill_time(list, &filled);
  H5Pget_obj_track_times(list, &times);
  H5Pget_attr_phase_change(list, &most, &least);
  H5Pget_attr_creation_order(list, &order);
  if (H5Pget_layout(list) == H5D_CHUNKED) H5Pget_chunk_opts(list, &options);
  H5Eclear2(H5E_DEFAULT);
  return std::format("allocated {} filled {} times {} attributes {} {} order {} options {}",
                     static_cast<int>(allocated), static_cast<int>(filled), times, most, least,
                     order, options);
}

// All objects and links below a group.
class Dump {
 public:
  explicit Dump(const MemoryFile& file) : context_(file.context()), objects_(context_) {
    const ObjectHandle root{H5Gopen2(context_.file, "/", H5P_DEFAULT)};
    group(root.get(), "/");
    H5Eclear2(H5E_DEFAULT);
  }
  Lines lines{};

 private:
  void attributes(hid_t object, const std::string& path) {
    std::optional<std::string> trouble;
    for (const auto& [name, each] : read_attributes(context_, object, trouble)) {
      std::string text = std::format("{}@{} {} {} {}", path, name, reading_of(each.type),
                                     reading_of(each.space), reading_of(each.bytes));
      for (const std::string& string : each.strings) text += std::format(" \"{}\"", string);
      for (const Reference& reference : each.references)
        text += std::format(" ({} {} {} {})", static_cast<int>(reference.kind),
                            static_cast<int>(reference.target), reading_of(reference.object),
                            reference.resolved() ? objects_.path_of(reference.token) : "");
      H5A_info_t info;
      H5Aget_info_by_name(object, ".", name.c_str(), &info, H5P_DEFAULT);
      lines.insert(text + std::format(" set {}", static_cast<int>(info.cset)));
    }
    EXPECT_EQ(trouble, std::nullopt);
  }

  void dataset(hid_t object, const std::string& path) {
    const Dataset model = read_dataset(context_, object, "", path, {});
    const PropertyHandle list{H5Dget_create_plist(object)};
    std::string text =
        std::format("{} {} {} {} {}", path, reading_of(model.type), reading_of(model.space),
                    reading_of(model.storage, model.type), properties_of(list.get()));
    const bool elsewhere = model.storage.layout == StorageLayout::kExternal ||
                           model.storage.layout == StorageLayout::kVirtual;
    const TypeHandle type{H5Dget_type(object)};
    const std::uint64_t count = model.space.elements();
    if (!elsewhere && count > 0 && H5Tdetect_class(type.get(), H5T_REFERENCE) == 0) {
      Bytes values(count * model.type.size);
      H5Dread(object, type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
      // Pointers are followed.
      std::string forms;
      if (has_variable_part(model.type))
        for (std::uint64_t i = 0; i < count; ++i)
          forms += comparable_form(model.type,
                                   std::span(values).subspan(i * model.type.size, model.type.size));
      text += " values " +
              (forms.empty() ? reading_of(values) : reading_of(std::as_bytes(std::span(forms))));
    }
    lines.insert(text);
    attributes(object, path);
  }

  void group(hid_t object, const std::string& path) {
    const PropertyHandle list{H5Gget_create_plist(object)};
    hbool_t times = false;
    H5Pget_obj_track_times(list.get(), &times);
    lines.insert(std::format("{} group times {}", path, times));
    attributes(object, path);
    std::optional<std::string> trouble;
    for (const LinkInfo& link : list_links(object, 1'000, trouble)) {
      const std::string at = join_path(path, link.name);
      H5L_info2_t info;
      H5Lget_info2(object, link.name.c_str(), &info, H5P_DEFAULT);
      std::string text = std::format("{} link {} set {} {}", at, static_cast<int>(link.kind),
                                     static_cast<int>(info.cset), link_target(object, link));
      const bool seen = link.kind == Child::LinkKind::kHard && !seen_.insert(link.token).second;
      lines.insert(text + (seen ? " again" : ""));
      if (seen || link.kind != Child::LinkKind::kHard) continue;
      const ObjectHandle opened{H5Oopen(object, link.name.c_str(), H5P_DEFAULT)};
      const H5I_type_t kind = H5Iget_type(opened.get());
      if (kind == H5I_GROUP) group(opened.get(), at);
      if (kind == H5I_DATASET) dataset(opened.get(), at);
    }
  }

  FileContext context_;
  LibraryFile objects_;
  std::set<ObjectToken> seen_{};
};

// What became of a file: the lines that are no longer there, and those that are new.
std::string difference(const MemoryFile& before, const MemoryFile& after) {
  const Lines old = Dump(before).lines, now = Dump(after).lines;
  std::string text;
  for (const std::string& each : old)
    if (!now.contains(each)) text += "  - " + each + '\n';
  for (const std::string& each : now)
    if (!old.contains(each)) text += "  + " + each + '\n';
  return text;
}

// --- A file with something of every kind ---------------------------------------------------------

PropertyHandle untimed(hid_t cls) {
  PropertyHandle made{H5Pcreate(cls)};
  H5Pset_obj_track_times(made.get(), false);
  return made;
}

ObjectHandle make(const MemoryFile& file, const char* path, hid_t type,
                  const std::vector<hsize_t>& extent, const PropertyHandle& list,
                  bool growable = false) {
  const std::vector<hsize_t> most(extent.size(), H5S_UNLIMITED);
  const SpaceHandle space{H5Screate_simple(static_cast<int>(extent.size()), extent.data(),
                                           growable ? most.data() : nullptr)};
  ObjectHandle made{
      H5Dcreate2(file.id(), path, type, space.get(), H5P_DEFAULT, list.get(), H5P_DEFAULT)};
  EXPECT_TRUE(made) << path;
  return made;
}

void refer(hid_t object, const char* name, const std::vector<const char*>& targets) {
  std::vector<H5R_ref_t> references(targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (*targets[i]) H5Rcreate_object(object, targets[i], H5P_DEFAULT, &references[i]);
  write_attribute(object, name, H5T_STD_REF, {targets.size()}, references.data());
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (*targets[i]) H5Rdestroy(&references[i]);
}

MemoryFile rich_file() {
  MemoryFile file;
  const PropertyHandle groups = untimed(H5P_GROUP_CREATE), plain = untimed(H5P_DATASET_CREATE);
  for (const char* path : {"/g", "/g/h", "/other"})
    ObjectHandle{H5Gcreate2(file.id(), path, H5P_DEFAULT, groups.get(), H5P_DEFAULT)};
  const std::int32_t numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, fill = -1;
  const auto write = [&](const ObjectHandle& to) {
    EXPECT_GE(H5Dwrite(to.get(), H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers), 0);
  };
  const hsize_t four = 4;
  const PropertyHandle chunked = untimed(H5P_DATASET_CREATE);
  H5Pset_chunk(chunked.get(), 1, &four);
  H5Pset_fill_value(chunked.get(), H5T_NATIVE_INT32, &fill);
  {
    const ObjectHandle x = make(file, "/g/x", H5T_STD_I32LE, {10}, chunked, true);
    write(x);
    write_attribute(x.get(), "range", H5T_STD_I32BE, {2}, numbers);
    const TypeHandle variable = text_type(H5T_VARIABLE, H5T_STR_NULLTERM, H5T_CSET_UTF8);
    const char* units[] = {"m", nullptr, "s"};
    write_attribute(x.get(), "units", variable.get(), {3}, units);
    const SpaceHandle null{H5Screate(H5S_NULL)};
    AttributeHandle{
        H5Acreate2(x.get(), "nothing", H5T_STD_U8LE, null.get(), H5P_DEFAULT, H5P_DEFAULT)};
    write(make(file, "/g/y", H5T_STD_I32LE, {6}, plain));
    const PropertyHandle compact = untimed(H5P_DATASET_CREATE);
    H5Pset_layout(compact.get(), H5D_COMPACT);
    const ObjectHandle c = make(file, "/g/compact", H5T_STD_I32LE, {5}, compact);
    write(c);
    write_attribute(c.get(), "scalar", H5T_STD_I32LE, {}, numbers);
    write(make(file, "/g/wide", H5T_STD_I32LE, {5, 2}, plain));
    make(file, "/g/references", H5T_STD_REF_OBJ, {2}, plain);
    const ObjectHandle texts = make(file, "/g/texts", variable.get(), {3}, plain);
    EXPECT_GE(H5Dwrite(texts.get(), variable.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, units), 0);
    const TypeHandle sequence{H5Tvlen_create(H5T_STD_I32LE)};
    make(file, "/g/h/sequences", sequence.get(), {2}, plain);
    const PropertyHandle external = untimed(H5P_DATASET_CREATE);
    H5Pset_external(external.get(), "elsewhere.bin", 0, 24);
    make(file, "/g/h/external", H5T_STD_I32LE, {6}, external);
    const PropertyHandle virtually = untimed(H5P_DATASET_CREATE);
    const hsize_t six = 6;
    const SpaceHandle space{H5Screate_simple(1, &six, nullptr)};
    H5Pset_virtual(virtually.get(), space.get(), "elsewhere.h5", "d", space.get());
    make(file, "/g/h/virtual", H5T_STD_I32LE, {6}, virtually);
    make(file, "/g/h/empty", H5T_STD_I32LE, {6}, plain);  // nothing is stored
    const ObjectHandle referring = make(file, "/g/h/referring", H5T_STD_I32LE, {6}, plain);
    write(referring);
    refer(referring.get(), "to", {"/g/x"});
    const ObjectHandle labelled = make(file, "/g/h/labelled", H5T_STD_I32LE, {6}, plain);
    write(labelled);
    write_attribute(labelled.get(), "label", variable.get(), {3}, units);
    const PropertyHandle fixed = untimed(H5P_DATASET_CREATE);
    H5Pset_chunk(fixed.get(), 1, &four);
    write(make(file, "/g/h/fixed", H5T_STD_I32LE, {10}, fixed));
  }
  const ObjectHandle g = file.open("/g"), h = file.open("/g/h");
  write_attribute(g.get(), "numbers", H5T_STD_I32LE, {3}, numbers);
  write_attribute(g.get(), "big", H5T_STD_I32BE, {4}, numbers);
  write_attribute(g.get(), "one", H5T_STD_I32LE, {1}, numbers);
  write_attribute(g.get(), "square", H5T_STD_I32LE, {2, 2}, numbers);
  write_attribute(g.get(), "name", text_type(4).get(), {}, "abc");
  write_attribute(g.get(), "count", H5T_STD_U16BE, {}, numbers);
  const ObjectHandle x = file.open("/g/x");
  refer(x.get(), "list", {"/g/y", "", "/other"});
  refer(h.get(), "list", {"/g/x", "/g/y", "", "/g/compact"});
  hobj_ref_t old[3]{};
  EXPECT_GE(H5Rcreate(&old[0], file.id(), "/g/x", H5R_OBJECT, -1), 0);
  EXPECT_GE(H5Rcreate(&old[2], file.id(), "/g/y", H5R_OBJECT, -1), 0);
  write_attribute(h.get(), "old", H5T_STD_REF_OBJ, {3}, old);
  const TypeHandle variable = text_type(H5T_VARIABLE);
  const char* texts[] = {"first", "second", nullptr, "fourth"};
  write_attribute(h.get(), "texts", variable.get(), {4}, texts);
  H5Lcreate_soft("x", g.get(), "soft", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("away.h5", "/d", g.get(), "away", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(g.get(), "y", h.get(), "y again", H5P_DEFAULT, H5P_DEFAULT);
  return file;
}

// --- Steps of repairs ----------------------------------------------------------------------------

Attribute attribute(std::string name, Datatype type, Bytes bytes,
                    std::optional<std::vector<std::uint64_t>> extent = std::nullopt) {
  Attribute made = scalar_attribute(std::move(name), std::move(type), std::move(bytes));
  if (extent) made.space = {.kind = Dataspace::Kind::kSimple, .extent = *extent};
  return made;
}

Bytes counted_bytes(std::size_t size) {
  Bytes made(size);
  for (std::size_t i = 0; i < size; ++i) made[i] = static_cast<std::byte>(i + 1);
  return made;
}

Step recreated(std::string path, Step::Fill fill = Step::Fill::kKeep, Bytes value = {},
               std::optional<Datatype> type = std::nullopt) {
  return {.kind = Step::Kind::kRecreate,
          .path = std::move(path),
          .type = std::move(type),
          .fill = fill,
          .fill_value = std::move(value)};
}

std::vector<Step> attribute_steps(const MemoryFile& file) {
  std::vector<Step> steps;
  const auto put_at = [&](const char* path, Attribute value) {
    steps.push_back(put_attribute(path, std::move(value)));
  };
  using enum ByteOrder;
  Datatype bits = integer_type(4, true, kBig);
  bits.precision = 20;
  bits.bit_offset = 5;
  Datatype field = integer_type(2, false);
  field.cls = TypeClass::kBitfield;
  put_at("/g", attribute("new", integer_type(1, false), counted_bytes(1)));
  put_at("/g", attribute("new", integer_type(8, true, kBig), counted_bytes(16), {{2}}));
  put_at("/g", attribute("new", bits, counted_bytes(24), {{2, 3}}));
  put_at("/g", attribute("new", field, counted_bytes(2)));
  put_at("/g/x", attribute("new", ieee_float_type(2, kBig), counted_bytes(2)));
  put_at("/g/x", attribute("new", ieee_float_type(4), counted_bytes(4)));
  put_at("/g/x", attribute("new", ieee_float_type(8, kBig), counted_bytes(8)));
  put_at("/", attribute("new", integer_type(2, true), {}, {{0}}));
  put_at("/", attribute("new", opaque_type(3, "a tag"), counted_bytes(3)));
  put_at("/", attribute("new", boolean_type(), {std::byte{1}}));
  put_at("/other", attribute("name of é", integer_type(1, true), counted_bytes(1)));
  put_at("/g", ascii_attribute("name", "longer than before"));
  put_at("/g", ascii_attribute("name", ""));
  put_at("/g", utf8_attribute("numbers", "é"));
  put_at("/g", utf8_list_attribute("big", {"a", "", "ccc"}));
  put_at("/g", number_attribute("count", 0x0102030405060708));
  put_at("/g", boolean_attribute("count", false));
  // References to nothing, to an object by its token, and to one by its path.
  Reference none, by_token{.kind = Reference::Kind::kObject}, by_path = by_token, lost = by_token;
  by_token.token = file.token("/g/y");
  by_path.path = "/g/compact";
  lost.path = "/nowhere";
  put_at("/g/x", reference_attribute("list", by_token));
  put_at("/g/x", reference_attribute("to", by_path));
  put_at("/g/x", reference_attribute("to", none));
  put_at("/g/x", reference_list("list", {by_path, none, by_token}));
  put_at("/g/x", reference_list("list", {none, none}));
  put_at("/g/x", reference_list("list", {}));
  put_at("/g/x", reference_list("list", {by_path, lost}));  // nothing of it stays
  put_at("/nowhere", number_attribute("count", 1));
  steps.push_back(drop_attribute("/g", "name"));
  steps.push_back(drop_attribute("/g", "no such name"));
  steps.push_back(rename_attribute("/g", "name", "other name"));
  steps.push_back(rename_attribute("/g", "name", "big"));
  steps.push_back(rename_attribute("/g/x", "no such name", "other"));
  return steps;
}

std::vector<Step> object_steps(const MemoryFile& file) {
  const auto bytes_of = [](std::int32_t value) {
    Bytes made(4);
    std::memcpy(made.data(), &value, sizeof value);
    return made;
  };
  std::vector<Step> steps = {
      remove_link("/g/y"),
      remove_link("/g/soft"),
      remove_link("/nowhere"),
      link_to("/other/é", file.token("/g/y"), "/g/y"),
      link_to("/g/x", file.token("/g/y"), "/g/y"),
      link_to("/other/nothing", {}, "/nowhere"),
      move_link("/g/y", "/other/moved"),
      move_link("/g/soft", "/other/soft"),
      move_link("/g/away", "/g/h/away"),
      move_link("/g/h", "/other/h"),
      move_link("/g/y", "/g/x"),
      extend("/g/x", 13),
      extend("/g/x", 10),
      extend("/g/x", 6),
      extend("/g/y", 7),
      extend("/g/wide", 6),
      extend("/g", 6),
  };
  for (const char* path : {"/g/x", "/g/y", "/g/compact", "/g/h/fixed", "/g/h/empty"}) {
    steps.push_back(recreated(path));
    steps.push_back(recreated(path, Step::Fill::kSet, bytes_of(-5)));
    steps.push_back(recreated(path, Step::Fill::kRemove));
  }
  steps.push_back(recreated("/g/x", Step::Fill::kKeep, {}, integer_type(4, false)));
  steps.push_back(recreated("/g/x", Step::Fill::kKeep, {}, integer_type(8, true)));
  steps.push_back(recreated("/g/x", Step::Fill::kSet, counted_bytes(8)));
  steps.push_back(
      recreated("/g/y", Step::Fill::kSet, bytes_of(7), integer_type(4, true, ByteOrder::kBig)));
  for (const char* path : {"/g", "/g/wide", "/g/references", "/g/texts", "/g/h/sequences",
                           "/g/h/external", "/g/h/virtual", "/nowhere"})
    steps.push_back(recreated(path));
  return steps;
}

std::string name_of(const Step& step) {
  constexpr const char* kNames[] = {"put",  "drop", "rename", "unlink",
                                    "link", "move", "extend", "recreate"};
  std::string text = std::format("{} {}", kNames[static_cast<std::size_t>(step.kind)], step.path);
  if (step.kind == Step::Kind::kPutAttribute)
    text += std::format("@{} {}", step.value.name, describe_value(step.value));
  else if (!step.name.empty())
    text += "@" + step.name;
  if (!step.other.empty()) text += " to " + step.other;
  if (step.kind == Step::Kind::kExtend) text += std::format(" to {}", step.extent);
  if (step.type) text += " as " + describe(*step.type);
  if (step.fill != Step::Fill::kKeep)
    text += step.fill == Step::Fill::kSet ? " with a fill value" : " without a fill value";
  return text;
}

// Golden files are those of one version of the library.
void expect_golden(const std::string& text, const char* name) {
  if (HEPCHECK_HDF5 >= 2) {
    EXPECT_TRUE(golden::equals(text, std::format("validator/formats/hep001/golden/{}", name)));
  }
}

TEST(WrittenFiles, AfterStepsEqualTheGoldenFile) {
  const MemoryFile file = rich_file();
  std::vector<Step> steps = attribute_steps(file);
  for (Step& each : object_steps(file)) steps.push_back(std::move(each));
  std::string text;
  for (const Step& step : steps) {
    bool done = false;
    const MemoryFile after =
        changed(file, [&](const File& opened) { done = apply_step(opened, step).has_value(); });
    const std::string lines = difference(file, after);
    text += std::format("{}: {}, {} bytes\n{}", name_of(step), done ? "done" : "fails",
                        after.image().size(), lines);
    if (!done) {
      EXPECT_EQ(lines, "") << name_of(step);
    }
  }
  expect_golden(text, "steps.txt");
}

// --- Properties of datasets that are created again -----------------------------------------------

// Everything but the fill value.
std::string storage_of(const MemoryFile& file, const char* path) {
  const ObjectHandle opened = file.open(path);
  const Dataset model = read_dataset(file.context(), opened.get(), "", path, {});
  const PropertyHandle list{H5Dget_create_plist(opened.get())};
  Storage storage = model.storage;
  storage.fill_state = FillState::kDefault;
  storage.fill.clear();
  return reading_of(storage, model.type) + ' ' + properties_of(list.get());
}

TEST(RecreatedDatasets, HaveTheSameProperties) {
  constexpr H5Z_filter_t kUnknownFilter = 400;
  using Set = std::function<herr_t(hid_t)>;
  const unsigned parameters[] = {7, 8, 9};
  const std::vector<std::pair<const char*, Set>> all = {
      {"nothing", [](hid_t) { return 0; }},
      {"early", [](hid_t list) { return H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY); }},
      {"late", [](hid_t list) { return H5Pset_alloc_time(list, H5D_ALLOC_TIME_LATE); }},
      {"incremental", [](hid_t list) { return H5Pset_alloc_time(list, H5D_ALLOC_TIME_INCR); }},
      {"filled always", [](hid_t list) { return H5Pset_fill_time(list, H5D_FILL_TIME_ALLOC); }},
      {"never filled", [](hid_t list) { return H5Pset_fill_time(list, H5D_FILL_TIME_NEVER); }},
      {"times", [](hid_t list) { return H5Pset_obj_track_times(list, true); }},
      {"phases", [](hid_t list) { return H5Pset_attr_phase_change(list, 5, 2); }},
      {"order", [](hid_t list) { return H5Pset_attr_creation_order(list, H5P_CRT_ORDER_TRACKED); }},
      {"index of the order",
       [](hid_t list) {
         return H5Pset_attr_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
       }},
      {"unfiltered edges",
       [](hid_t list) {
         H5Pset_deflate(list, 3);
         return H5Pset_chunk_opts(list, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
       }},
      {"filters",
       [](hid_t list) {
         H5Pset_shuffle(list);
         H5Pset_deflate(list, 3);
         return H5Pset_fletcher32(list);
       }},
      {"packing", [](hid_t list) { return H5Pset_nbit(list); }},
      {"a scale", [](hid_t list) { return H5Pset_scaleoffset(list, H5Z_SO_INT, 3); }},
      {"an unknown filter", [&](hid_t list) {
         return H5Pset_filter(list, kUnknownFilter, H5Z_FLAG_OPTIONAL, 3, parameters);
       }}};
  const hsize_t four = 4;
  for (const H5D_layout_t layout : {H5D_CHUNKED, H5D_CONTIGUOUS, H5D_COMPACT})
    for (const auto& [name, set] : all)
      for (const Step::Fill fill : {Step::Fill::kKeep, Step::Fill::kSet, Step::Fill::kRemove}) {
        const MemoryFile file;
        const PropertyHandle list = untimed(H5P_DATASET_CREATE);
        if (layout == H5D_CHUNKED)
          H5Pset_chunk(list.get(), 1, &four);
        else
          H5Pset_layout(list.get(), layout);
        const std::int32_t old = 9;
        H5Pset_fill_value(list.get(), H5T_NATIVE_INT32, &old);
        // The parameters of this filter contain the fill value.
        if (std::string_view(name) == "a scale" && fill != Step::Fill::kKeep) continue;
        const bool possible = set(list.get()) >= 0;
        ASSERT_TRUE(possible || layout != H5D_CHUNKED) << name;
        if (!possible) continue;
        const SpaceHandle space{H5Screate_simple(1, &four, nullptr)};
        ObjectHandle{H5Dcreate2(file.id(), "/d", H5T_STD_I32LE, space.get(), H5P_DEFAULT,
                                list.get(), H5P_DEFAULT)};
        H5Eclear2(H5E_DEFAULT);
        if (!file.has("/d")) continue;  // no such combination
        const std::string before = storage_of(file, "/d");
        Step step = recreated("/d", fill);
        if (fill == Step::Fill::kSet) step.fill_value = counted_bytes(4);
        const MemoryFile after = changed(
            file, [&](const File& opened) { EXPECT_TRUE(apply_step(opened, step)) << name; });
        EXPECT_EQ(storage_of(after, "/d"), before) << name << static_cast<int>(fill);
      }
}

// --- Edits of copies -----------------------------------------------------------------------------

std::vector<Edit> edits() {
  using enum Edit::Kind;
  std::vector<Edit> made;
  for (const char* path : {"/g/y", "/g/soft", "/nowhere"}) made.push_back({kUnlink, path});
  for (const char* name : {"name", "nothing"}) made.push_back({kDropAttribute, "/g", name});
  made.push_back({kDropAttribute, "/nowhere", "name"});
  const auto drop = [&](const char* path, const char* name, std::set<std::uint64_t> elements) {
    made.push_back({kDropElements, path, name, 0, std::move(elements)});
  };
  for (const auto& elements : {std::set<std::uint64_t>{0}, {1, 2}, {0, 1, 2}, {3}, {}})
    drop("/g", "numbers", elements);
  drop("/g", "big", {1});
  drop("/g", "one", {0});
  drop("/g", "square", {0});
  drop("/g", "name", {0});
  drop("/g", "nothing", {0});
  for (const auto& elements : {std::set<std::uint64_t>{0}, {2}, {1, 3}, {0, 1, 2, 3}}) {
    drop("/g/h", "list", elements);
    drop("/g/h", "texts", elements);
  }
  drop("/g/h", "old", {1});
  made.push_back({kSetNumber, "/g", "count", 300});
  made.push_back({kSetNumber, "/g", "nothing", 300});
  const auto shorten = [&](const char* path, std::uint64_t rows) {
    for (const Edit::Kind kind : {kShrink, kCut})
      made.push_back({.kind = kind, .path = path, .number = rows});
  };
  for (const std::uint64_t rows : {0, 3, 9, 10}) shorten("/g/x", rows);
  for (const std::uint64_t rows : {0, 3, 6}) shorten("/g/y", rows);
  for (const char* path :
       {"/g", "/g/compact", "/g/wide", "/g/references", "/g/texts", "/g/h/sequences",
        "/g/h/external", "/g/h/virtual", "/g/h/empty", "/g/h/referring", "/g/h/labelled"})
    shorten(path, 1);
  shorten("/g/h/empty", 0);
  for (const std::uint64_t rows : {0, 5}) shorten("/g/h/fixed", rows);
  return made;
}

std::string name_of(const Edit& edit) {
  constexpr const char* kNames[] = {"unlink", "drop", "drop of", "set", "shrink", "cut"};
  std::string text = std::format("{} {}", kNames[static_cast<std::size_t>(edit.kind)], edit.path);
  if (!edit.name.empty()) text += "@" + edit.name;
  for (const std::uint64_t each : edit.elements) text += std::format(" {}", each);
  if (edit.kind == Edit::Kind::kShrink || edit.kind == Edit::Kind::kCut)
    text += std::format(" to {}", edit.number);
  return text;
}

TEST(WrittenFiles, AfterEditsEqualTheGoldenFile) {
  const MemoryFile file = rich_file();
  const Bytes image = file.image();
  std::string text;
  const auto add = [&](const std::string& name, const Result<Image>& made) {
    text +=
        std::format("{}: {}\n", name,
                    made ? std::format("{} bytes", made->size()) : made.error().context + " fails");
    if (made) text += difference(file, MemoryFile(*made));
  };
  for (const Edit& edit : edits()) add(name_of(edit), edited(image, std::span(&edit, 1)));
  const std::vector<Edit> all = edits();
  add("two edits", edited(image, std::span(all).first(2)));
  add("two edits, of which one fails", edited(image, std::span(all).subspan(1, 2)));
  add("compacted", compacted(image));
  const MemoryFile described;
  write_attribute(described.open("/").get(), "number", H5T_STD_I32BE, {}, "1234");
  const SpaceHandle null{H5Screate(H5S_NULL)};
  {
    const ObjectHandle root = described.open("/");
    AttributeHandle{
        H5Acreate2(root.get(), "nothing", H5T_STD_I32BE, null.get(), H5P_DEFAULT, H5P_DEFAULT)};
  }
  const Result<Image> compact = compacted(described.image());
  ASSERT_TRUE(compact);
  text += std::format("compacted, with attributes of the root group: {} bytes\n", compact->size());
  for (const std::string& each : Dump(MemoryFile(*compact)).lines) text += "  " + each + '\n';
  expect_golden(text, "edits.txt");
}

// A list of references that became shorter has no bytes of other memory.
TEST(WrittenFiles, HaveNoBytesOfMemory) {
#ifdef M_PERTURB
  const Bytes image = rich_file().image();
  const Edit edit{
      .kind = Edit::Kind::kDropElements, .path = "/g/h", .name = "list", .elements = {0}};
  constexpr int kFilled = 0x5a;  // memory is filled with its complement
  H5garbage_collect();           // the library keeps memory for later
  mallopt(M_PERTURB, kFilled);
  const Result<Image> made = edited(image, std::span(&edit, 1));
  mallopt(M_PERTURB, 0);
  ASSERT_TRUE(made);
  const Bytes filling(3, ~std::byte{kFilled});
  EXPECT_TRUE(std::ranges::search(image, filling).empty());
  EXPECT_TRUE(std::ranges::search(*made, filling).empty());
#endif
}

// --- New tables ----------------------------------------------------------------------------------

NewTable table_with_everything(const Bytes& values, const char* const* texts) {
  const auto data = [&](const char* name, Datatype type, std::uint64_t rows) {
    return NewDataset{.name = name, .type = std::move(type), .rows = rows, .values = values.data()};
  };
  const NewAttribute scalar{
      .name = "scalar", .type = integer_type(2, true), .bytes = {values[1], values[2]}};
  NewAttribute list{
      .name = "list", .type = integer_type(1, false), .bytes = {values[3], values[4]}, .count = 2};
  NewAttribute none{.name = "none", .type = integer_type(1, false), .bytes = {}, .count = 0};
  NewTable table{.rows = 3, .attributes = {scalar, list, none}};
  table.categories = {
      data("kinds", fixed_string_type(2, StringPadding::kNullPad, CharacterSet::kUtf8), 2),
      data("colours é", integer_type(1, false), 4)};
  table.categories[1].attributes = {scalar};
  NewDataset a = data("a", integer_type(4, true, ByteOrder::kBig), 3);
  a.fill = Bytes{values[9], values[8], values[7], values[6]};
  a.attributes = {list};
  NewDataset b = data("b", integer_type(1, false), 3);
  b.categories = 1;
  NewDataset c = data("c é", integer_type(1, false), 3);
  c.categories = 0;
  NewDataset t = data("t", variable_string_type(CharacterSet::kUtf8), 3);
  t.values = reinterpret_cast<const std::byte*>(texts);
  NewGroup inner{.name = "VALUES",
                 .members = {data("OFFSETS", integer_type(8, false), 2)},
                 .attributes = {scalar}};
  NewGroup outer{.name = "l",
                 .members = {inner, data("OFFSETS", integer_type(8, false), 4)},
                 .attributes = {list}};
  table.columns = {a, b, c, t, outer, data("e", ieee_float_type(8), 0)};
  table.index_columns = {{"b", "a"}};
  return table;
}

TEST(WrittenFiles, WithNewTablesEqualTheGoldenFile) {
  const Bytes values = counted_bytes(70'000 * 16);
  const char* const texts[] = {"one", "", "three"};
  const NewTable table = table_with_everything(values, texts);
  std::string text;
  const auto add = [&](const char* name, const NewTable& made, bool rich, const char* path) {
    const MemoryFile before = rich ? rich_file() : MemoryFile();
    const MemoryFile after(before.image());
    const auto done = write_table(after.id(), path, made);
    text += std::format(
        "{} at {}: {}\n", name, path,
        done ? std::format("{} bytes", after.image().size()) : done.error().context + " fails");
    if (done) text += difference(before, after);
  };
  add("everything", table, false, "/");
  for (const char* path : {"/t", "/g/t", "/new/newer/t", "/g", "/g/x/t", "/g/soft/t"})
    add("everything", table, true, path);
  add("nothing", {.rows = 0, .attributes = {}}, false, "/");
  add("an index without columns",
      {.rows = 0, .attributes = {}, .index_columns = std::vector<std::string>()}, false, "/t");
  NewTable unknown{.rows = 1, .attributes = {}};
  unknown.columns = {
      NewDataset{.name = "u", .type = {.size = 4}, .rows = 1, .values = values.data()}};
  add("a datatype that cannot be made", unknown, false, "/t");
  // The chunks of many rows, and of large ones.
  for (const auto& [size, rows] : {std::pair(1, 65'535),
                                   {1, 65'536},
                                   {1, 65'537},
                                   {8, 65'537},
                                   {9, 60'000},
                                   {16, 70'000},
                                   {524'287, 2},
                                   {524'288, 2},
                                   {524'289, 2},
                                   {300'000, 2}}) {
    NewTable large{.rows = static_cast<std::uint64_t>(rows), .attributes = {}};
    large.columns = {NewDataset{.name = "c",
                                .type = opaque_type(static_cast<std::size_t>(size), ""),
                                .rows = large.rows,
                                .values = values.data()}};
    const MemoryFile file;
    ASSERT_TRUE(write_table(file.id(), "/t", large));
    const ObjectHandle opened = file.open("/t/c");
    const Dataset model = read_dataset(file.context(), opened.get(), "", "", {});
    text += std::format("{} rows of {} bytes: chunks of {}\n", rows, size,
                        numbers_text(model.storage.chunk));
  }
  expect_golden(text, "tables.txt");
}

// --- Indexes -------------------------------------------------------------------------------------

std::vector<std::pair<const char*, IndexContents>> index_contents(std::uint64_t rows) {
  std::vector<ChunkMinmax> extremes;
  SortedRows sorted{.rows = {}, .nan_tail_length = 3, .fill_tail_length = 5};
  Bitmap bitmap{.values = {}, .ordered = rows % 2 == 1, .row_bytes = (rows + 7) / 8};
  for (std::uint64_t i = 0; i < rows; ++i) {
    extremes.push_back({counted_bytes(4), counted_bytes(4), i, i << 40, ~i});
    sorted.rows.push_back(rows - 1 - i);
  }
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(rows, 3); ++i)
    bitmap.values.push_back(counted_bytes(4));
  bitmap.bits = counted_bytes(bitmap.values.size() * bitmap.row_bytes);
  const BloomFilters bloom{.parameters = {.k = 513, .m_bits = 64, .seed = 0x01020304},
                           .filters = counted_bytes(8 * rows)};
  return {{"extremes", {.contents = extremes, .description = "made by é"}},
          {"order", {.contents = sorted, .description = ""}},
          {"bits", {.contents = bitmap, .description = "bits"}},
          {"filters", {.contents = bloom, .description = "filters"}}};
}

// Every attribute but references becomes a list of one zero.
void reshape_attributes(hid_t object) {
  std::optional<std::string> trouble;
  for (const auto& [name, each] : read_attributes({}, object, trouble)) {
    if (each.type.is(TypeClass::kReference)) continue;
    const AttributeHandle old{H5Aopen(object, name.c_str(), H5P_DEFAULT)};
    const TypeHandle type{H5Aget_type(old.get())};
    ASSERT_GE(H5Adelete(object, name.c_str()), 0);
    write_attribute(object, name.c_str(), type.get(), {1}, Bytes(each.type.size).data());
  }
}

// A dataset with a filter that is not available cannot be filled again, nor can one that is not
// there, or whose extent is limited.
TEST(IndexDatasets, ThatCannotBeWrittenAreNotTaken) {
  const MemoryFile file;
  IndexContents contents = index_contents(3)[1].second;
  contents.tokens = ValidityTokens{.generation = 1, .nrows = 3};
  const IndexSource source{file.id(), H5T_STD_I32BE, false};
  const hsize_t rows = 3, any = H5S_UNLIMITED;
  for (const bool filtered : {false, true})
    for (const hsize_t most : {any, rows, hsize_t{1'000'000}})
      for (const hid_t type : {H5T_STD_U64LE, H5T_STD_U64BE, H5T_STD_U32LE}) {
        const PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
        H5Pset_chunk(list.get(), 1, &rows);
        if (filtered) H5Pset_filter(list.get(), 400, H5Z_FLAG_OPTIONAL, 0, nullptr);
        const SpaceHandle space{H5Screate_simple(1, &rows, &most)};
        IndexDatasets made;
        made.index =
            ObjectHandle{H5Dcreate_anon(file.id(), type, space.get(), list.get(), H5P_DEFAULT)};
        ASSERT_TRUE(made.index);
        EXPECT_EQ(can_take(source, contents, made),
                  !filtered && most == any && H5Tequal(type, H5T_STD_U64LE) > 0);
      }
  EXPECT_FALSE(can_take(source, contents, {}));
}

// Chunks have at most one mebibyte; an index that is not larger has one.
TEST(IndexDatasets, HaveChunksOfAMebibyte) {
  constexpr hsize_t kMost = hsize_t{1} << 20;
  for (const std::uint64_t rows : {1'000, 131'072, 131'073, 300'000})
    for (auto& [name, contents] : index_contents(rows)) {
      contents.tokens = ValidityTokens{.generation = 1, .nrows = rows};
      const MemoryFile file;
      const auto made = make_datasets({file.id(), H5T_STD_I32BE, false}, contents);
      ASSERT_TRUE(made) << name;
      const SpaceHandle space{H5Dget_space(made->index.get())};
      const TypeHandle type{H5Dget_type(made->index.get())};
      const PropertyHandle list{H5Dget_create_plist(made->index.get())};
      const int rank = H5Sget_simple_extent_ndims(space.get());
      std::vector<hsize_t> extent(static_cast<std::size_t>(rank)), chunk(extent.size());
      H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr);
      ASSERT_EQ(H5Pget_chunk(list.get(), rank, chunk.data()), rank);
      hsize_t bytes = H5Tget_size(type.get()), all = bytes;
      for (std::size_t d = 0; d < chunk.size(); ++d) {
        bytes *= chunk[d];
        all *= extent[d];
      }
      EXPECT_LE(bytes, kMost) << name << rows;
      EXPECT_GE(bytes, std::min(all, kMost / 2)) << name << rows;
    }
}

TEST(WrittenFiles, WithIndexesEqualTheGoldenFile) {
  std::string text;
  const TypeHandle variable = text_type(H5T_VARIABLE, H5T_STR_NULLTERM, H5T_CSET_UTF8);
  for (const bool tokens : {false, true})
    for (const bool texts : {false, true})
      for (const std::uint64_t rows : {0, 3, 600}) {
        if (texts && rows == 600) continue;
        for (auto& [name, contents] : index_contents(rows)) {
          if (tokens) contents.tokens = ValidityTokens{.generation = 1, .nrows = rows};
          const MemoryFile before, after(before.image());
          const IndexSource source{after.id(), texts ? variable.get() : H5T_STD_I32BE, texts};
          const auto made = make_datasets(source, contents);
          ASSERT_TRUE(made);
          ASSERT_GE(H5Olink(made->index.get(), after.id(), "index", H5P_DEFAULT, H5P_DEFAULT), 0);
          if (made->values)
            H5Olink(made->values.get(), after.id(), "values", H5P_DEFAULT, H5P_DEFAULT);
          text +=
              std::format("{} of {} rows{}{}: {}, {}\n", name, rows, tokens ? ", with tokens" : "",
                          texts ? ", of texts" : "", suffix_of(contents), after.image().size());
          text += difference(before, after);
          // What can be filled again becomes as if it were new.
          for (auto& [other_name, other] : index_contents(rows + 2)) {
            if (tokens) other.tokens = ValidityTokens{.generation = 2, .nrows = rows};
            const bool same = other.contents.index() == contents.contents.index();
            // The bytes of filters have the form of bits.
            const bool alike = same || std::pair<std::string_view, std::string_view>(
                                           name, other_name) == std::pair("bits", "filters");
            EXPECT_EQ(can_take(source, other, *made), tokens && alike) << name << other_name;
            if (!tokens || !same) continue;
            EXPECT_TRUE(refill(source, other, *made));
            text += std::format(" filled again: {}, {}\n", after.image().size(),
                                golden::digest_of(difference(before, after)));
            // The same if its attributes had another shape.
            const std::string wanted = difference(before, after);
            reshape_attributes(made->index.get());
            EXPECT_TRUE(refill(source, other, *made));
            EXPECT_EQ(difference(before, after), wanted);
          }
        }
      }
  expect_golden(text, "indexes.txt");
}

// --- Calls that fail
// ------------------------------------------------------------------------------

// What a command leaves of a file that it changes; nothing if it reports a failure.
std::optional<Bytes> rewritten(const Bytes& image, const std::function<bool(const File&)>& change) {
  const auto rewrite = Rewrite::of_private(memory_file(image), "changed").value();
  auto opened = File::open_for_writing(*rewrite, "changed", Limits());
  if (!opened || !change(*opened) || !opened->close()) return std::nullopt;
  const hepcheck::Bytes bytes = hepcheck::Bytes::of_descriptor(rewrite->descriptor(), "changed");
  Bytes after(bytes.size());
  EXPECT_TRUE(bytes.read(0, after));
  return after;
}

// Lets each call of `change` fail in turn.
void add(testing::Failures& failures, const std::function<std::optional<Bytes>()>& change) {
  using Fate = testing::Failures::Fate;
  const std::optional<Bytes> whole = change();
  std::optional<Bytes> made;
  failures.add(
      3, [&] { made = change(); },
      [&] {
        // Some new objects have the time.
        return !made                               ? Fate::kReported
               : made == whole || made == change() ? Fate::kHarmless
                                                   : Fate::kSilent;
      });
}

// A change is made completely, or the failure is reported.
TEST(FailingCalls, OfChangesAreReported) {
  const MemoryFile file = rich_file();
  const Bytes image = file.image();
  testing::Failures steps, changes, tables, indexes;
  std::vector<Step> all = attribute_steps(file);
  for (Step& each : object_steps(file)) all.push_back(std::move(each));
  for (const Step& step : all)
    add(steps, [&] {
      return rewritten(image,
                       [&](const File& opened) { return apply_step(opened, step).has_value(); });
    });
  const auto or_nothing = [](Result<Image> made) {
    return made ? std::optional(std::move(*made)) : std::nullopt;
  };
  for (const Edit& edit : edits())
    add(changes, [&] { return or_nothing(edited(image, std::span(&edit, 1))); });
  const Bytes values = counted_bytes(64), empty = empty_file().value();
  const char* const texts[] = {"one", "", "three"};
  const NewTable table = table_with_everything(values, texts);
  add(tables, [&] { return or_nothing(empty_file()); });
  const auto written = [&](const char* path, const NewTable& made) {
    return rewritten(empty, [&](const File& opened) {
      return write_table(opened.context().file, path, made).has_value();
    });
  };
  for (const char* path : {"/", "/new/newer/t"}) add(tables, [&] { return written(path, table); });
  // In copies of references, the library leaves some bytes undefined.
  NewTable plain{.rows = 3, .attributes = table.attributes};
  plain.columns = {table.columns.front(), table.columns.back()};
  const Bytes simple = written("/t", plain).value();
  add(changes, [&] { return or_nothing(compacted(simple)); });
  const TypeHandle variable = text_type(H5T_VARIABLE, H5T_STR_NULLTERM, H5T_CSET_UTF8);
  for (const bool texts_indexed : {false, true})
    for (auto& [name, contents] : index_contents(3))
      add(indexes, [&] {
        return rewritten(empty, [&](const File& opened) {
          const hid_t id = opened.context().file;
          const IndexSource source{id, texts_indexed ? variable.get() : H5T_STD_I32BE,
                                   texts_indexed};
          contents.tokens = ValidityTokens{.generation = 1, .nrows = 3};
          const auto made = make_datasets(source, contents);
          return made && H5Olink(made->index.get(), id, "index", H5P_DEFAULT, H5P_DEFAULT) >= 0 &&
                 can_take(source, contents, *made) && refill(source, contents, *made);
        });
      });
  expect_golden(std::format("Steps:\n{}Edits:\n{}Tables:\n{}Indexes:\n{}", steps.text(),
                            changes.text(), tables.text(), indexes.text()),
                "failing_changes.txt");
}

}  // namespace
}  // namespace hepcheck::hep001::libhdf5::written_files
