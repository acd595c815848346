// Values of files: reading without the library, with threads, in blocks and rectangles gives the
// values that the library reads; limits are exact.
#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <thread>

#include "fuzz/hep001/properties/image.h"
#include "fuzz/hep001/properties/readers.h"
#include "fuzz/properties/random_values.h"
#include "validator/formats/hep001/libhdf5/file.h"
#include "validator/formats/hep001/libhdf5/file_values.h"
#include "validator/formats/hep001/storage/limited_values.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

using namespace hepcheck::fuzz;
using Bytes = std::vector<std::byte>;
using Extent = std::vector<std::uint64_t>;

// --- Creating files ------------------------------------------------------------------------------

enum class Step : std::uint8_t { kShuffle, kDeflate, kFletcher32 };

// How to create a dataset "d" of opaque elements.
struct Recipe {
  std::size_t element_bytes = 1;
  Extent extent{}, chunk{};  // no chunk: contiguous
  std::vector<Step> filters{};
  bool fill = false, never_filled = false;
  bool plain_edges = false;  // partial edge chunks are not filtered
  std::uint64_t limited =
      0;  // dimensions that cannot grow, one bit each: they determine the chunk index
  std::uint64_t noise = 0;  // the bytes, and which chunks are omitted or stored directly

  friend std::ostream& operator<<(std::ostream& out, const Recipe& r) {
    const auto show = [&](const char* name, const auto& list) {
      out << name;
      for (const auto n : list) out << ' ' << static_cast<std::uint64_t>(n);
    };
    out << r.element_bytes << " bytes";
    show(", extent", r.extent);
    show(", chunk", r.chunk);
    show(", filters", r.filters);
    return out << (r.fill ? ", a fill value" : "") << (r.never_filled ? ", never filled" : "")
               << (r.plain_edges ? ", plain edges" : "") << ", limited " << r.limited << ", noise "
               << r.noise;
  }
};

// Blocks have 256 KiB; runs longer than 4 KiB are read directly.
Recipe random_recipe(Choices& c) {
  constexpr std::size_t kSmall[] = {1, 2, 4, 8, 3, 10}, kLarge[] = {65536, 32768, 40000, 300'000};
  constexpr std::uint64_t kRows[] = {5, 1, 64, 100, 63, 65, 1000};
  const auto near = [&](std::uint64_t n) { return n + c.below(3) - (n > 1); };
  Recipe recipe;
  const std::uint64_t rank = 1 + c.below(3);
  if (rank == 1 && c.maybe()) {
    recipe.element_bytes = c.of(kLarge);
    recipe.extent = {1 + c.below(20)};
    if (c.maybe()) recipe.chunk = {1 + c.below(12)};
  } else {
    recipe.element_bytes = c.of(kSmall);
    for (std::uint64_t d = 0; d < rank; ++d)
      recipe.extent.push_back(rank == 1 ? near(c.of(kRows)) : 1 + c.below(12));
    if (rank > 1 && c.one_in(3)) recipe.extent.back() = near(4096 / recipe.element_bytes);
    if (c.maybe())
      for (const std::uint64_t n : recipe.extent) recipe.chunk.push_back(1 + c.below(n + 2));
  }
  if (!recipe.chunk.empty())
    for (std::uint64_t n = c.below(4); n > 0; --n)
      recipe.filters.push_back(static_cast<Step>(c.below(3)));
  recipe.fill = recipe.element_bytes < 1000 && c.maybe();  // it has to fit into an object header
  recipe.never_filled = c.one_in(4);
  recipe.limited = c.below(8);
  recipe.noise = c.bits();
  recipe.plain_edges = !recipe.filters.empty() && c.one_in(4);
  return recipe;
}

std::uint64_t product(const Extent& extent) {
  return std::accumulate(extent.begin(), extent.end(), std::uint64_t{1}, std::multiplies<>());
}

// Bytes that compress, but not completely.
Bytes some_bytes(std::uint64_t count, Noise& noise) {
  Bytes bytes(count);
  for (std::size_t i = 0; i < bytes.size(); i += 1 + noise.below(40))
    bytes[i] = static_cast<std::byte>(noise.bits());
  return bytes;
}

PropertyHandle creation_list(const Recipe& recipe, hid_t type) {
  PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
  const std::vector<hsize_t> chunk(recipe.chunk.begin(), recipe.chunk.end());
  if (!chunk.empty()) H5Pset_chunk(list.get(), static_cast<int>(chunk.size()), chunk.data());
  for (const Step step : recipe.filters) switch (step) {
      case Step::kShuffle: H5Pset_shuffle(list.get()); break;
      case Step::kDeflate: H5Pset_deflate(list.get(), 1); break;
      case Step::kFletcher32: H5Pset_fletcher32(list.get()); break;
    }
  if (recipe.plain_edges) H5Pset_chunk_opts(list.get(), H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
  Bytes fill(recipe.element_bytes);
  for (std::size_t i = 0; i < fill.size(); ++i) fill[i] = static_cast<std::byte>(7 * i + 1);
  if (recipe.fill) H5Pset_fill_value(list.get(), type, fill.data());
  if (recipe.never_filled) H5Pset_fill_time(list.get(), H5D_FILL_TIME_NEVER);
  return list;
}

// Writes all rows, or only the first ones, so later chunks are never stored; then optionally one
// chunk directly, without filters.
void write(hid_t dataset, const Recipe& recipe) {
  Noise noise(recipe.noise | 1);
  Extent count = recipe.extent;
  if (noise.maybe()) count[0] = noise.below(count[0] + 1);
  if (count[0] > 0) {
    const std::vector<hsize_t> size(count.begin(), count.end()), start(count.size(), 0);
    const SpaceHandle space{H5Dget_space(dataset)};
    H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr);
    const SpaceHandle memory{H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr)};
    const TypeHandle type{H5Dget_type(dataset)};
    const Bytes bytes = some_bytes(product(count) * recipe.element_bytes, noise);
    RC_ASSERT(H5Dwrite(dataset, type.get(), memory.get(), space.get(), H5P_DEFAULT, bytes.data()) >=
              0);
  }
  if (recipe.chunk.empty() || noise.maybe()) return;
  std::vector<hsize_t> offset;
  for (std::size_t d = 0; d < recipe.chunk.size(); ++d)
    offset.push_back(noise.below(recipe.extent[d]) / recipe.chunk[d] * recipe.chunk[d]);
  const Bytes bytes = some_bytes(product(recipe.chunk) * recipe.element_bytes, noise);
  const auto all = static_cast<std::uint32_t>((1u << recipe.filters.size()) - 1);
  RC_ASSERT(H5Dwrite_chunk(dataset, H5P_DEFAULT, all, offset.data(), bytes.size(), bytes.data()) >=
            0);
}

Bytes image_of(const Recipe& recipe) {
  return image_with([&](hid_t file) {
    const TypeHandle type{H5Tcreate(H5T_OPAQUE, recipe.element_bytes)};
    const std::vector<hsize_t> extent(recipe.extent.begin(), recipe.extent.end());
    std::vector<hsize_t> most(extent.size(), H5S_UNLIMITED);
    for (std::size_t d = 0; d < extent.size(); ++d)
      if ((recipe.limited >> d & 1) != 0 && !recipe.chunk.empty())
        most[d] = std::max(recipe.extent[d], recipe.chunk[d]);
    const SpaceHandle space{H5Screate_simple(static_cast<int>(extent.size()), extent.data(),
                                             recipe.chunk.empty() ? nullptr : most.data())};
    const PropertyHandle list = creation_list(recipe, type.get());
    const ObjectHandle dataset{
        H5Dcreate2(file, "d", type.get(), space.get(), H5P_DEFAULT, list.get(), H5P_DEFAULT)};
    RC_ASSERT(static_cast<bool>(dataset));
    write(dataset.get(), recipe);
  });
}

// --- Reading files -------------------------------------------------------------------------------

// The dataset "d" of an image.
struct Reader {
  File file;
  ObjectHandle dataset{};
  Dataset model{};
  FileValues values;

  explicit Reader(const Bytes& image, const Limits& limits = {})
      : file(File::open_image(image, limits).value()),
        dataset(H5Dopen2(file.context().file, "d", H5P_DEFAULT)), values(file.context()) {
    H5O_info2_t info;
    H5Oget_info3(dataset.get(), &info, H5O_INFO_BASIC);
    model = read_dataset(file.context(), dataset.get(), "d", "/d", token_of(info.token));
  }

  // A part of it, as read by the library.
  Bytes by_library(const Extent& start, const Extent& count) const {
    const std::vector<hsize_t> from(start.begin(), start.end()), size(count.begin(), count.end());
    Bytes bytes(product(count) * model.type.size);
    if (bytes.empty()) return bytes;
    const SpaceHandle space{H5Dget_space(dataset.get())};
    H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, from.data(), nullptr, size.data(), nullptr);
    const SpaceHandle memory{H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr)};
    const TypeHandle type{H5Dget_type(dataset.get())};
    RC_ASSERT(H5Dread(dataset.get(), type.get(), memory.get(), space.get(), H5P_DEFAULT,
                      bytes.data()) >= 0);
    return bytes;
  }
};

// With several threads concurrently.
Bytes rows_in_thirds(ValueSource& values, const Dataset& model) {
  const std::uint64_t rows = *model.extent();
  std::vector<Bytes> parts(3);
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t t = 0; t < parts.size(); ++t)
      threads.emplace_back([&, t] {
        const std::uint64_t first = rows * t / 3, end = rows * (t + 1) / 3;
        parts[t] = rows_of(values, model, first, end - first).value_or(Bytes());
      });
  }
  Bytes all;
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// By each of the readers.
RC_GTEST_PROP(Files, AreReadLikeTheLibraryReadsThem, ()) {
  const Recipe recipe = draw("recipe", random_recipe);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>().as("parts");
  Noise noise(seed | 1);
  const Bytes image = image_of(recipe);
  Reader reader(image);
  OwnReader own(image);
  std::vector<std::pair<ValueSource*, const Dataset*>> sources{{&reader.values, &reader.model}};
  // The library writes no element size for a second shuffle.
  if (own.dataset("d").unreadable)
    RC_ASSERT(own.dataset("d").unreadable->contains("h5-filter-shuffle-values"));
  else
    sources.emplace_back(&own.values(), &own.dataset("d"));
  const Extent& extent = recipe.extent;
  for (int part = 0; part < 4; ++part) {
    Extent start, count;
    for (const std::uint64_t n : extent) {
      start.push_back(part == 0 ? 0 : noise.below(n + 1));
      count.push_back(part == 0 ? n : noise.below(n - start.back() + 1));
    }
    const Bytes wanted = reader.by_library(start, count);
    Extent row_start = start, row_count = count;
    for (std::size_t d = 1; d < extent.size(); ++d) {
      row_start[d] = 0;
      row_count[d] = extent[d];
    }
    const Bytes wanted_rows = reader.by_library(row_start, row_count);
    for (const auto& [values, model] : sources) {
      RC_ASSERT(values->read(*model, start, count).value() == wanted);
      RC_ASSERT(rows_of(*values, *model, start[0], count[0]).value() == wanted_rows);
    }
  }
  const Bytes whole = reader.by_library(Extent(extent.size(), 0), extent);
  const std::uint64_t within = noise.below(extent[0]);
  for (const auto& [values, model] : sources) {
    // No row beyond them, wherever it begins.
    for (const std::uint64_t first : {std::uint64_t{0}, within, extent[0]})
      RC_ASSERT(!values->stream_rows(*model, first, extent[0] - first + 1).has_value());
    // Nor a rectangle.
    Extent start(extent.size(), 0), count = extent;
    ++count.back();
    RC_ASSERT(!values->read(*model, start, count).has_value());
    RC_ASSERT(rows_in_thirds(*values, *model) == whole);
  }
}

// The maximum ratio of deflate: 1032 to 1.
TEST(Files, ZerosAreTheMostCompressible) {
  constexpr hsize_t kBytes = 1 << 20;
  const Bytes image = image_with([&](hid_t file) {
    const SpaceHandle space{H5Screate_simple(1, &kBytes, nullptr)};
    const PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
    H5Pset_chunk(list.get(), 1, &kBytes);
    H5Pset_deflate(list.get(), 9);
    const ObjectHandle dataset{
        H5Dcreate2(file, "d", H5T_STD_U8LE, space.get(), H5P_DEFAULT, list.get(), H5P_DEFAULT)};
    const Bytes zeros(kBytes);
    H5Dwrite(dataset.get(), H5T_STD_U8LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros.data());
  });
  EXPECT_LT(image.size(), 4000u);
  Reader reader(image);
  EXPECT_FALSE(for_each_block(reader.values.stream(reader.model, kBytes), [](const Block&) {}));
}

// Strings are read through the library, 32768 per block, and in smaller blocks without it.
TEST(Files, StringsOfSeveralBlocks) {
  for (const std::uint64_t rows : {32767, 32768, 32769, 65537}) {
    std::vector<std::string> texts;
    for (std::uint64_t row = 0; row < rows; ++row)
      texts.push_back(row % 5 == 0 ? "" : std::to_string(row));
    const Bytes image = image_with([&](hid_t file) {
      const TypeHandle type{H5Tcopy(H5T_C_S1)};
      H5Tset_size(type.get(), H5T_VARIABLE);
      const hsize_t extent[] = {rows};
      const SpaceHandle space{H5Screate_simple(1, extent, nullptr)};
      const ObjectHandle dataset{
          H5Dcreate2(file, "d", type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
      std::vector<const char*> pointers;
      for (const std::string& text : texts) pointers.push_back(text.c_str());
      EXPECT_GE(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()),
                0);
    });
    Reader reader(image);
    OwnReader own(image);
    for (const auto& [values, model] :
         {std::pair<ValueSource*, const Dataset*>(&reader.values, &reader.model),
          std::pair<ValueSource*, const Dataset*>(&own.values(), &own.dataset("d"))})
      for (const std::uint64_t first : {std::uint64_t{0}, rows - 32768 * (rows / 32768)}) {
        std::uint64_t row = first;
        const auto error = for_each_block(values->stream_rows(*model, first, rows - first),
                                          [&](const Block& block) {
                                            ASSERT_EQ(block.strings.size(), block.rows);
                                            for (const std::string_view text : block.strings)
                                              ASSERT_EQ(text, texts.at(row++));
                                          });
        EXPECT_FALSE(error);
        EXPECT_EQ(row, rows);
      }
  }
}

// --- Limits --------------------------------------------------------------------------------------

constexpr const char* kPath = "/d";

bool speaks_of_limit(const std::optional<Error>& error) {
  return error && error->cause.contains("limit");
}

ObjectHandle make_group(hid_t file, const char* path) {
  return ObjectHandle{H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
}
// `n` values; 0 means a scalar.
void make_attribute(hid_t object, const char* name, hid_t type, hsize_t n, const void* data) {
  const SpaceHandle space{n == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &n, nullptr)};
  const AttributeHandle made{H5Acreate2(object, name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT)};
  H5Awrite(made.get(), type, data);
}
ObjectHandle make_table(hid_t file) {
  ObjectHandle table = make_group(file, "/t");
  const TypeHandle name{H5Tcopy(H5T_C_S1)};
  H5Tset_size(name.get(), 13);
  make_attribute(table.get(), "CLASS", name.get(), 0, "COLUMN_TABLE");
  return table;
}

// A table whose parts are counted below.
//
//   /               links g, t
//   /g/g            two groups below the root, deepest /g/g/g: three
//   /t              five attributes, CLASS among them; links a, SEARCH_INDEXES
//   /t/a            2-fold array of a compound with 3 fields; an attribute of 40 bytes, and a
//   string
//                   of 30
Bytes counted_table() {
  return image_with([&](hid_t file) {
    for (const char* path : {"/g", "/g/g", "/g/g/g"}) make_group(file, path);
    const ObjectHandle table = make_table(file);
    const std::uint64_t numbers[5] = {};
    for (const char* each : {"A", "B", "X", "Y"})
      make_attribute(table.get(), each, H5T_STD_U64LE, 0, numbers);
    make_group(file, "/t/SEARCH_INDEXES");

    const TypeHandle fields{H5Tcreate(H5T_COMPOUND, 3)};
    for (const char* field : {"p", "q", "r"})
      H5Tinsert(fields.get(), field, static_cast<std::size_t>(*field - 'p'), H5T_STD_U8LE);
    const hsize_t two[] = {2}, rows[] = {10};
    const TypeHandle pair{H5Tarray_create2(fields.get(), 1, two)};
    const SpaceHandle space{H5Screate_simple(1, rows, nullptr)};
    const ObjectHandle column{
        H5Dcreate2(file, "/t/a", pair.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
    make_attribute(column.get(), "forty", H5T_STD_U64LE, 5, numbers);
    const TypeHandle text{H5Tcopy(H5T_C_S1)};
    H5Tset_size(text.get(), H5T_VARIABLE);
    const char* thirty = "thirty bytes, neither more nor";
    make_attribute(column.get(), "text", text.get(), 0, &thirty);
  });
}

// Whether anything in the file exceeded a limit, for both readers.
class Beyond {
 public:
  explicit Beyond(const Bytes& image, const Limits& limits) {
    const Visitor visit{.table = [&](Table&& table) { look(table.group); },
                        .unreadable = [&](const Error& error) { note(error.cause); }};
    for_each_table(*File::open_image(image, limits), visit);
    const bool by_library = std::exchange(any_, false);
    const auto own = own::open_file(hepcheck::Bytes::of_image(image, "image"), limits);
    for_each_table(**own, visit);
    EXPECT_EQ(any_, by_library) << texts_;
  }
  bool any() const { return any_; }

 private:
  void note(const std::optional<std::string>& text) {
    if (!text || !text->contains("limit")) return;
    any_ = true;
    texts_ += *text + '\n';
  }
  void look(const Attributes& attributes) {
    for (const auto& [name, attribute] : attributes) note(attribute.unreadable);
  }
  void look(const Group& group) {
    note(group.unreadable);
    note(group.attributes_unreadable);
    look(group.attributes);
    for (const Child& child : group.children) {
      note(child.unreadable);
      if (child.group) look(*child.group);
      if (!child.dataset) continue;
      note(child.dataset->unreadable);
      note(child.dataset->attributes_unreadable);
      look(child.dataset->attributes);
    }
  }
  bool any_ = false;
  std::string texts_{};
};

TEST(FileLimits, AdmitTheDocumentedAmount) {
  struct Limit {
    const char* name;
    std::uint64_t Limits::* member;
    std::uint64_t most;
  };
  const Bytes image = counted_table();
  for (const Limit& limit :
       {Limit{"attributes", &Limits::attributes, 5},
        Limit{"attribute-size", &Limits::attribute_bytes, 40},
        Limit{"string-size", &Limits::string_bytes, 30}, Limit{"links", &Limits::links, 6},
        Limit{"objects", &Limits::objects, 6}, Limit{"group-depth", &Limits::group_depth, 3},
        Limit{"type-depth", &Limits::type_depth, 2}, Limit{"subjects", &Limits::subjects, 1},
        Limit{"type-members", &Limits::type_members, 3}}) {
    const auto beyond = [&](std::uint64_t value) {
      Limits limits;
      limits.*limit.member = value;
      return Beyond(image, limits).any();
    };
    EXPECT_TRUE(beyond(limit.most - 1)) << limit.name;
    EXPECT_FALSE(beyond(limit.most)) << limit.name;
    EXPECT_FALSE(beyond(limit.most + 1)) << limit.name;
  }
}

// Those of a table are counted from the table on.
TEST(FileLimits, GroupsInsideATable) {
  const Bytes image = image_with([&](hid_t file) {
    make_table(file);
    for (const char* path : {"/t/x", "/t/x/y", "/t/x/y/z"}) make_group(file, path);
  });
  for (const std::uint64_t most : {2, 3, 4}) {
    EXPECT_EQ(Beyond(image, {.group_depth = most}).any(), most < 3) << most;
    EXPECT_EQ(Beyond(image, {.objects = most}).any(), most < 3) << most;
  }
}

// Values in memory, read under limits: all of them repeatedly, with the bytes counted.
RC_GTEST_PROP(ValueLimits, AdmitTheDocumentedAmount, ()) {
  const std::uint64_t rows = 1 + *rc::gen::inRange<std::uint64_t>(0, 40).as("rows");
  const std::uint64_t columns = 1 + *rc::gen::inRange<std::uint64_t>(0, 5).as("columns");
  const std::uint64_t chunk_rows = 1 + *rc::gen::inRange<std::uint64_t>(0, 9).as("chunk");
  const std::uint64_t more = *rc::gen::inRange<std::uint64_t>(0, 3).as("one less, equal, one more");
  MemoryValues source;
  source.block_rows = 1 + *rc::gen::inRange<std::uint64_t>(0, 9).as("block");
  Dataset dataset{.name = "d", .path = kPath, .token = {}};
  dataset.type = {.cls = TypeClass::kOpaque, .size = 3};
  dataset.space = {.kind = Dataspace::Kind::kSimple, .extent = {rows, columns}};
  dataset.storage.layout = StorageLayout::kChunked;
  dataset.storage.chunk = {chunk_rows, 2};
  const std::uint64_t bytes = rows * columns * 3;
  source.set(dataset.token, Bytes(bytes));

  const auto refused = [&](const Limits& limits, std::uint64_t times) {
    LimitedValues values(source, limits, 1);
    std::optional<Error> trouble;
    for (std::uint64_t i = 0; i < times && !trouble; ++i) {
      if (i % 2 == 0) {
        trouble = for_each_block(values.stream(dataset, rows), [](const Block&) {});
      } else {
        const std::uint64_t start[] = {0, 0};
        const auto read = values.read(dataset, start, dataset.space.extent);
        if (!read) trouble = read.error();
      }
    }
    RC_ASSERT(!trouble || speaks_of_limit(trouble));
    return trouble.has_value();
  };
  RC_ASSERT(refused({.value_bytes = 3 * bytes + more - 1}, 3) == (more == 0));
  const std::uint64_t chunks = (rows + chunk_rows - 1) / chunk_rows * ((columns + 1) / 2);
  RC_ASSERT(refused({.chunks = chunks + more - 1}, 1) == (more == 0));
  // The same for a part of it.
  const Limits limits{.chunks = chunks + more - 1};
  LimitedValues values(source, limits, 1);
  const std::uint64_t start[] = {0, 0}, one[] = {1, 1};
  RC_ASSERT(values.read(dataset, start, one).has_value() == (more > 0));
}

// More than the numbers can count.
TEST(ValueLimits, UnlimitedRectangles) {
  MemoryValues nothing;
  Dataset dataset{.name = "d", .path = kPath, .token = {}};
  dataset.type = {.cls = TypeClass::kOpaque, .size = 3};
  dataset.space = {.kind = Dataspace::Kind::kSimple, .extent = Extent(2, std::uint64_t{1} << 32)};
  const Limits limits{.value_bytes = 1000};
  LimitedValues values(nothing, limits, 1);
  const std::uint64_t start[] = {0, 0};
  EXPECT_TRUE(speaks_of_limit(values.read(dataset, start, dataset.space.extent).error()));
}

// The first GiB is free.
TEST(ValueLimits, RatioToTheSizeOfTheFile) {
  constexpr std::uint64_t kFree = std::uint64_t{1} << 30;
  MemoryValues nothing;
  for (const std::uint64_t ratio : {std::uint64_t{0}, std::uint64_t{100}, std::uint64_t{10'000}}) {
    const Limits limits{.ratio = ratio};
    LimitedValues values(nothing, limits, 1000);
    EXPECT_FALSE(values.spend(kPath, kFree));
    EXPECT_FALSE(values.spend(kPath, 1000 * ratio));
    EXPECT_TRUE(speaks_of_limit(values.spend(kPath, 1)));
  }
  const Limits none{.value_bytes = ~std::uint64_t{0}, .ratio = ~std::uint64_t{0}};
  LimitedValues endless(nothing, none, ~std::uint64_t{0});
  EXPECT_FALSE(endless.spend(kPath, ~std::uint64_t{0}));
}

TEST(ValueLimits, LongestString) {
  MemoryValues source;
  Dataset dataset{.name = "d", .path = kPath, .token = {}};
  dataset.type = {.cls = TypeClass::kString, .size = 8};
  dataset.type.variable_length = true;
  dataset.space = {.kind = Dataspace::Kind::kSimple, .extent = {3}};
  source.set_strings(dataset.token, {"", std::string(30, 'x'), "a"});
  for (const std::uint64_t longest : {29, 30, 31}) {
    const Limits limits{.string_bytes = longest};
    LimitedValues values(source, limits, 1);
    const auto error = for_each_block(values.stream(dataset, 3), [](const Block&) {});
    EXPECT_EQ(speaks_of_limit(error), longest < 30) << longest;
  }
  // They count as bytes that are read.
  for (const std::uint64_t most : {30, 31, 32}) {
    const Limits limits{.value_bytes = most};
    LimitedValues values(source, limits, 1);
    const auto error = for_each_block(values.stream(dataset, 3), [](const Block&) {});
    EXPECT_EQ(speaks_of_limit(error), most < 31) << most;
  }
}

// One row, and one chunk that has to be decoded, of 8 * 60 bytes.
TEST(ValueLimits, LargestRowAndChunk) {
  for (const bool filtered : {false, true}) {
    Recipe recipe{.element_bytes = 8, .extent = {60}, .chunk = {60}, .noise = 3};
    if (filtered) recipe.filters = {Step::kDeflate};
    if (!filtered) recipe = {.element_bytes = 8, .extent = {4, 60}, .noise = 3};
    const Bytes image = image_of(recipe);
    for (const std::uint64_t most : {479, 480, 481}) {
      Reader reader(image, {.block_bytes = most});
      OwnReader own(image, {.block_bytes = most});
      for (const auto& rows : {rows_of(reader.values, reader.model, 0, recipe.extent[0]),
                               rows_of(own.values(), own.dataset("d"), 0, recipe.extent[0])}) {
        EXPECT_EQ(rows.has_value(), most >= 480) << most;
        EXPECT_TRUE(rows.has_value() || speaks_of_limit(rows.error())) << most;
      }
    }
  }
  // A chunk that needs no decoding requires no memory for the whole chunk.
  const Bytes image =
      image_of(Recipe{.element_bytes = 8, .extent = {60}, .chunk = {60}, .noise = 3});
  Reader plain(image, {.block_bytes = 8});
  OwnReader own(image, {.block_bytes = 8});
  const auto rows = rows_of(own.values(), own.dataset("d"), 0, 60);
  ASSERT_TRUE(rows.has_value()) << rows.error().text();
  EXPECT_EQ(*rows, plain.by_library({0}, {60}));
  EXPECT_EQ(rows_of(plain.values, plain.model, 0, 60).value(), *rows);
}

}  // namespace

}  // namespace hepcheck::hep001::libhdf5
