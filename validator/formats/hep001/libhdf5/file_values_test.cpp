// Values read without the library equal the values that the library reads.
#include "validator/formats/hep001/libhdf5/file_values.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <format>
#include <fstream>
#include <numeric>
#include <thread>

#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/file.h"
#include "validator/formats/hep001/libhdf5/read_dataset.h"
#include "validator/formats/hep001/own/own_file.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

using Bytes = std::vector<std::byte>;
using Extent = std::vector<hsize_t>;

enum class Step { kShuffle, kDeflate, kFletcher32, kScaleOffset, kNbit };

// The creation properties of a dataset.
struct Recipe {
  hid_t type = H5T_STD_I64LE;
  Extent extent{1000};
  Extent chunk{};  // empty: contiguous
  std::vector<Step> filters{};
  bool compact = false;
  const void* fill = nullptr;
  hsize_t rows_written = ~hsize_t{0};
  H5Z_filter_t missing = 0;  // one more filter, before the others
  unsigned flag = H5Z_FLAG_OPTIONAL;
  Extent most{};  // of the extent, in the latest version of the format; empty: the extent
};

// A file with one dataset "d", deleted at the end of the test.
class Made {
 public:
  explicit Made(const Recipe& recipe) {
    initialise(false);
    static int number = 0;
    path_ = std::filesystem::temp_directory_path() /
            std::format("hepcheck-{}-{}.h5", getpid(), number++);
    const PropertyHandle access{H5Pcreate(H5P_FILE_ACCESS)};
    if (!recipe.most.empty())
      H5Pset_libver_bounds(access.get(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    const FileHandle file{H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get())};
    const SpaceHandle space{H5Screate_simple(static_cast<int>(recipe.extent.size()),
                                             recipe.extent.data(),
                                             recipe.most.empty() ? nullptr : recipe.most.data())};
    const PropertyHandle list = creation_list(recipe);
    const ObjectHandle dataset{H5Dcreate2(file.get(), "d", recipe.type, space.get(), H5P_DEFAULT,
                                          list.get(), H5P_DEFAULT)};
    EXPECT_TRUE(dataset);
    write(dataset.get(), recipe);
  }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
  ~Made() { std::filesystem::remove(path_); }

  const std::filesystem::path& path() const { return path_; }

  // As the library reads it.
  Bytes by_library() const {
    const FileHandle file{H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)};
    const ObjectHandle dataset{H5Dopen2(file.get(), "d", H5P_DEFAULT)};
    const TypeHandle type{H5Dget_type(dataset.get())};
    const SpaceHandle space{H5Dget_space(dataset.get())};
    Bytes bytes(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get())) *
                H5Tget_size(type.get()));
    EXPECT_GE(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), 0);
    return bytes;
  }

  // The position of chunk `number` of a one-dimensional dataset.
  std::pair<haddr_t, hsize_t> place_of(hsize_t number) const {
    const FileHandle file{H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)};
    const ObjectHandle dataset{H5Dopen2(file.get(), "d", H5P_DEFAULT)};
    haddr_t address = HADDR_UNDEF;
    hsize_t size = 0;
    unsigned mask = 0;
    EXPECT_GE(H5Dget_chunk_info(dataset.get(), H5S_ALL, number, nullptr, &mask, &address, &size),
              0);
    return {address, size};
  }

  // Stores a chunk unchanged.
  void store_chunk(hsize_t first_row, std::uint32_t mask, const Bytes& bytes) const {
    store_chunk(Extent{first_row}, mask, bytes);
  }
  void store_chunk(const Extent& first, std::uint32_t mask, const Bytes& bytes) const {
    const FileHandle file{H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)};
    const ObjectHandle dataset{H5Dopen2(file.get(), "d", H5P_DEFAULT)};
    EXPECT_GE(
        H5Dwrite_chunk(dataset.get(), H5P_DEFAULT, mask, first.data(), bytes.size(), bytes.data()),
        0);
  }

  void flip_byte(std::uint64_t at) const {
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const int byte = file.get();
    file.seekp(static_cast<std::streamoff>(at));
    file.put(static_cast<char>(byte ^ 0x5A));
  }

  // As written by the first releases of the checksum filter.
  void swap_checksum(hsize_t chunk) const {
    const auto [address, size] = place_of(chunk);
    const auto at = static_cast<std::streamoff>(address + size - 4);
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    char sum[4];
    file.seekg(at).read(sum, 4);
    std::swap(sum[0], sum[1]);
    std::swap(sum[2], sum[3]);
    file.seekp(at).write(sum, 4);
  }

  Bytes image() const {
    std::ifstream in(path_, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
  }

 private:
  static PropertyHandle creation_list(const Recipe& recipe) {
    PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
    if (recipe.compact) H5Pset_layout(list.get(), H5D_COMPACT);
    if (!recipe.chunk.empty())
      H5Pset_chunk(list.get(), static_cast<int>(recipe.chunk.size()), recipe.chunk.data());
    if (recipe.fill) H5Pset_fill_value(list.get(), recipe.type, recipe.fill);
    if (recipe.missing != 0) H5Pset_filter(list.get(), recipe.missing, recipe.flag, 0, nullptr);
    for (const Step step : recipe.filters) switch (step) {
        case Step::kShuffle: H5Pset_shuffle(list.get()); break;
        case Step::kDeflate: H5Pset_deflate(list.get(), 4); break;
        case Step::kFletcher32: H5Pset_fletcher32(list.get()); break;
        case Step::kScaleOffset: H5Pset_scaleoffset(list.get(), H5Z_SO_INT, 0); break;
        case Step::kNbit: H5Pset_nbit(list.get()); break;
      }
    return list;
  }

  // Bytes that are compressible, but not trivially.
  static void write(hid_t dataset, const Recipe& recipe) {
    Extent count = recipe.extent;
    count[0] = std::min(count[0], recipe.rows_written);
    if (count[0] == 0) return;
    const std::size_t elements =
        std::accumulate(count.begin(), count.end(), std::size_t{1}, std::multiplies<>());
    Bytes bytes(elements * H5Tget_size(recipe.type));
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<std::byte>(i % 8 < 2 ? i * i / 13 : i % 8 == 2 ? i / 800 : 0);
    const SpaceHandle space{H5Dget_space(dataset)};
    const Extent start(count.size(), 0);
    H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    const SpaceHandle memory{
        H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr)};
    EXPECT_GE(H5Dwrite(dataset, recipe.type, memory.get(), space.get(), H5P_DEFAULT, bytes.data()),
              0);
  }

  std::filesystem::path path_;
};

// A file's dataset "d", ready to be read.
struct Reader {
  Bytes image{};
  File file;
  Dataset model;
  FileValues values;

  explicit Reader(File opened)
      : file(std::move(opened)), model(read_model("d")), values(file.context()) {}
  explicit Reader(const Made& made, const Limits& limits = {})
      : Reader(File::open(made.path(), limits).value()) {}

  Dataset read_model(const std::string& name) const {
    const hid_t id = file.context().file;
    const ObjectHandle dataset{H5Dopen2(id, name.c_str(), H5P_DEFAULT)};
    H5O_info2_t info;
    H5Oget_info3(dataset.get(), &info, H5O_INFO_BASIC);
    return read_dataset(file.context(), dataset.get(), name, "/" + name, token_of(info.token));
  }

  bool raw() const {
    const ObjectHandle dataset{H5Dopen2(file.context().file, "d", H5P_DEFAULT)};
    const FileBytes bytes = file_bytes(file.context());
    return contiguous_data(bytes, model) ||
           chunked_data(file.context(), bytes, dataset.get(), model);
  }

  Result<Bytes> rows(std::uint64_t first, std::uint64_t count) {
    auto stream = values.stream_rows(model, first, count);
    if (!stream) return std::unexpected(stream.error());
    Bytes all;
    std::uint64_t row = first;
    while (true) {
      auto next = (*stream)->next();
      if (!next) return std::unexpected(next.error());
      if (!*next) return all;
      EXPECT_EQ((*next)->first_row, row);
      row += (*next)->rows;
      all.insert(all.end(), (*next)->bytes.begin(), (*next)->bytes.end());
    }
  }
  Result<Bytes> all() { return rows(0, *model.extent()); }
};

// The same for the reader without the library.
struct OwnReader {
  Bytes image;
  std::unique_ptr<TableFile> file;
  Dataset model;

  explicit OwnReader(const Made& made, const Limits& limits = {})
      : image(made.image()),
        file(own::open_file(hepcheck::Bytes::of_image(image, "d.h5"), limits).value()),
        model(read_model()) {}

  Dataset read_model() const {
    const ObjectToken token = file->find("/d").value();
    return file->open(token).value()->dataset("d", "/d", token);
  }
};

// All values of "d" by the reader without the library.
Result<Bytes> by_own_reader(const Made& made, const Limits& limits) {
  const OwnReader reader(made, limits);
  Bytes all;
  const auto trouble = for_each_block(
      reader.file->values().stream(reader.model, *reader.model.extent()),
      [&](const Block& block) { all.insert(all.end(), block.bytes.begin(), block.bytes.end()); });
  if (trouble) return std::unexpected(*trouble);
  return all;
}

void expect_same(const Recipe& recipe, bool raw = true) {
  const Made made(recipe);
  const Bytes expected = made.by_library();
  Reader reader(made);
  EXPECT_EQ(reader.raw(), raw);
  EXPECT_EQ(reader.all().value(), expected);

  // The same from memory, and a part that begins and ends inside chunks.
  const Bytes image = made.image();
  Reader in_memory(File::open_image(image).value());
  EXPECT_EQ(in_memory.raw(), raw);
  EXPECT_EQ(in_memory.all().value(), expected);
  const std::uint64_t rows = recipe.extent[0], row_bytes = expected.size() / rows;
  const std::uint64_t first = rows / 3, count = rows / 2;
  const Bytes part(expected.begin() + static_cast<std::ptrdiff_t>(first * row_bytes),
                   expected.begin() + static_cast<std::ptrdiff_t>((first + count) * row_bytes));
  EXPECT_EQ(reader.rows(first, count).value(), part);
}

// All orders of all subsets of the three filters.
std::vector<std::vector<Step>> pipelines() {
  std::vector<std::vector<Step>> made;
  for (unsigned subset = 0; subset < 8; ++subset) {
    std::vector<Step> steps;
    for (const Step step : {Step::kShuffle, Step::kDeflate, Step::kFletcher32})
      if (subset >> static_cast<unsigned>(step) & 1) steps.push_back(step);
    do made.push_back(steps);
    while (std::ranges::next_permutation(steps).found);
  }
  return made;
}

TEST(FileValues, ReadsEveryPipelineLikeTheLibrary) {
  const TypeHandle odd{H5Tcreate(H5T_OPAQUE, 3)}, text{H5Tcopy(H5T_C_S1)};
  H5Tset_size(text.get(), 10);
  const TypeHandle pair{H5Tcreate(H5T_COMPOUND, 12)};
  H5Tinsert(pair.get(), "a", 0, H5T_STD_I32BE);
  H5Tinsert(pair.get(), "b", 4, H5T_IEEE_F64LE);
  for (const auto& filters : pipelines())
    for (const hid_t type : {H5T_STD_I8LE, H5T_STD_U16BE, H5T_IEEE_F32LE, H5T_STD_I64LE, odd.get(),
                             text.get(), pair.get()}) {
      SCOPED_TRACE(std::format("{} filters, {} bytes", filters.size(), H5Tget_size(type)));
      expect_same({.type = type, .chunk = {64}, .filters = filters});
    }
}

TEST(FileValues, ReadsSeveralDimensions) {
  for (const auto& filters : pipelines()) {
    expect_same({.extent = {37, 29}, .chunk = {8, 10}, .filters = filters});
    expect_same({.extent = {12, 7, 9}, .chunk = {5, 7, 2}, .filters = filters});
  }
  expect_same({.extent = {37, 29}});
}

// The library lists the chunks in a wrong order if another dimension than the first grows, unless
// the others have one chunk: then it reads the values itself.
TEST(FileValues, ReadsChunksThatAreNumberedByAnotherDimension) {
  constexpr hsize_t kAny = H5S_UNLIMITED;
  for (const hsize_t rows : {3, 5, 6})
    expect_same({.extent = {6, 9}, .chunk = {rows, 2}, .most = {6, kAny}}, rows == 6);
  for (const hsize_t rows : {3, 6}) {
    expect_same({.extent = {6, 9}, .chunk = {rows, 2}, .most = {kAny, 9}});
    expect_same({.extent = {6, 9}, .chunk = {rows, 2}, .most = {kAny, kAny}});
    expect_same({.extent = {6, 9}, .chunk = {rows, 2}, .most = {7, 9}});
  }
}

TEST(FileValues, ReadsRectangles) {
  for (const Extent& chunk : {Extent{}, Extent{8, 10}}) {
    const Made made({.type = H5T_STD_U16LE, .extent = {37, 29}, .chunk = chunk});
    const Bytes all = made.by_library();
    Reader reader(made);
    const std::uint64_t start[] = {5, 9}, count[] = {20, 13};
    Bytes expected;
    for (std::uint64_t r = 5; r < 25; ++r)
      for (std::uint64_t b = (r * 29 + 9) * 2; b < (r * 29 + 22) * 2; ++b)
        expected.push_back(all[b]);
    EXPECT_EQ(reader.values.read(reader.model, start, count).value(), expected);
    const std::uint64_t outside[] = {30, 9};
    EXPECT_FALSE(reader.values.read(reader.model, outside, count));
  }
}

// Chunks are cached for the next rectangle, and chunks of the same number of different datasets are
// distinguished.
TEST(FileValues, DoesNotReadBeyondAChunk) {
  // Long enough to be read in place, the first one at the end of the file.
  const Made made(
      {.type = H5T_STD_U8LE, .extent = {1, 8192}, .chunk = {1, 4096}, .rows_written = 0});
  made.store_chunk(Extent{0, 4096}, 0, Bytes(4096, std::byte{5}));
  made.store_chunk(Extent{0, 0}, 0, Bytes(4096, std::byte{3}));
  const FileHandle file{H5Fopen(made.path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)};
  const ObjectHandle dataset{H5Dopen2(file.get(), "d", H5P_DEFAULT)};
  haddr_t address = HADDR_UNDEF;
  hsize_t size = 0;
  const hsize_t first[] = {0, 0};
  ASSERT_GE(H5Dget_chunk_info_by_coord(dataset.get(), first, nullptr, &address, &size), 0);
  ASSERT_EQ(address + size, std::filesystem::file_size(made.path()));
  EXPECT_EQ(Reader(made).all().value(), made.by_library());
}

TEST(FileValues, DistinguishesTheChunksOfDatasets) {
  const Made made({.type = H5T_STD_U8LE, .extent = {37, 29}, .chunk = {8, 10}});
  const Bytes wanted = made.by_library(), others(wanted.size(), std::byte{0xA7});
  {
    const FileHandle file{H5Fopen(made.path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT)};
    ASSERT_GE(H5Ocopy(file.get(), "d", file.get(), "e", H5P_DEFAULT, H5P_DEFAULT), 0);
    const ObjectHandle copy{H5Dopen2(file.get(), "e", H5P_DEFAULT)};
    ASSERT_GE(H5Dwrite(copy.get(), H5T_STD_U8LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, others.data()), 0);
  }
  Reader reader(made);
  const Dataset other = reader.read_model("e");
  const std::uint64_t start[] = {0, 0}, count[] = {37, 29};
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(reader.values.read(reader.model, start, count).value(), wanted);
    EXPECT_EQ(reader.values.read(other, start, count).value(), others);
  }
}

TEST(FileValues, ReadsUnstoredChunksAsTheFillValue) {
  const std::int32_t fill = -7;
  const auto three = {Step::kShuffle, Step::kDeflate, Step::kFletcher32};
  expect_same({.type = H5T_STD_I32LE, .chunk = {64}, .fill = &fill, .rows_written = 130});
  expect_same(
      {.type = H5T_STD_I32LE, .chunk = {64}, .filters = three, .fill = &fill, .rows_written = 130});
  expect_same({.type = H5T_STD_I32LE, .chunk = {64}, .filters = three, .rows_written = 130});
  // The library has no address for chunks that were never written.
  expect_same({.type = H5T_STD_I32LE, .fill = &fill, .rows_written = 0}, false);
}

TEST(FileValues, DelegatesOtherDatasetsToTheLibrary) {
  expect_same({.extent = {100}, .compact = true}, false);
  expect_same({.type = H5T_STD_I32LE, .chunk = {64}, .filters = {Step::kScaleOffset}}, false);
  expect_same({.type = H5T_STD_I32LE, .chunk = {64}, .filters = {Step::kNbit, Step::kDeflate}},
              false);
}

TEST(FileValues, ReadsManySmallAndFewLargeChunks) {
  expect_same({.extent = {5000}, .chunk = {1}});
  expect_same({.extent = {200'000}, .chunk = {100'000}});
  expect_same(
      {.extent = {200'000}, .chunk = {100'000}, .filters = {Step::kShuffle, Step::kDeflate}});
  expect_same({.extent = {200'000}});
}

TEST(FileValues, ObeysTheFilterMask) {
  const Made made({.chunk = {64}, .filters = {Step::kShuffle, Step::kDeflate, Step::kFletcher32}});
  Bytes chunk(64 * 8);
  for (std::size_t i = 0; i < chunk.size(); ++i) chunk[i] = static_cast<std::byte>(i);
  made.store_chunk(0, 0b111, chunk);   // without any filter
  made.store_chunk(64, 0b110, chunk);  // only shuffled
  const Bytes expected = made.by_library();
  EXPECT_TRUE(std::ranges::equal(chunk, std::span(expected).first(chunk.size())));
  Reader reader(made);
  EXPECT_TRUE(reader.raw());
  EXPECT_EQ(reader.all().value(), expected);
}

// A filter that this library has only while the object exists.
class Passing {
 public:
  static constexpr H5Z_filter_t kId = 400;
  Passing() {
    initialise(false);
    static constexpr H5Z_class2_t kFilter{H5Z_CLASS_T_VERS, kId,     1,       1,
                                          "passing",        nullptr, nullptr, pass};
    H5Zregister(&kFilter);
  }
  Passing(const Passing&) = delete;
  Passing& operator=(const Passing&) = delete;
  ~Passing() { H5Zunregister(kId); }

 private:
  static std::size_t pass(unsigned, std::size_t, const unsigned*, std::size_t bytes, std::size_t*,
                          void**) {
    return bytes;
  }
};

// Mandatory or optional: the library does not need a filter that no chunk was stored with.
TEST(FileValues, IgnoresAMissingFilterThatEveryChunkSkips) {
  for (const unsigned flag : {H5Z_FLAG_OPTIONAL, H5Z_FLAG_MANDATORY})
    for (const bool deflated : {false, true}) {
      std::optional<Made> made, mixed, unwritten;
      {
        const Passing filter;
        Recipe recipe{.extent = {192}, .chunk = {64}, .missing = Passing::kId, .flag = flag};
        if (deflated) recipe.filters = {Step::kDeflate};
        mixed.emplace(recipe);
        recipe.rows_written = 0;
        made.emplace(recipe);
        unwritten.emplace(recipe);
        Bytes chunk(64 * 8);
        for (std::size_t i = 0; i < chunk.size(); ++i) chunk[i] = static_cast<std::byte>(i);
        made->store_chunk(0, 0b11, chunk);
        made->store_chunk(128, 0b11, chunk);
        mixed->store_chunk(64, 0b11, chunk);
      }
      for (const auto& each : {&made, &unwritten}) {
        const Bytes expected = (*each)->by_library();
        Reader reader(**each);
        EXPECT_EQ(reader.all().value(), expected);
      }
      Reader reader(*mixed);
      const auto refused = reader.all();
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().cause, "filter 400 (passing) is not available");
    }
}

// Every kind of damage is an error that names the chunk, and only if that chunk is read.
void expect_damage(const Made& made, const std::string& cause) {
  Reader reader(made);
  ASSERT_TRUE(reader.raw());
  const Result<Bytes> read = reader.all();
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().context, "/d");
  EXPECT_TRUE(read.error().cause.starts_with("chunk 2: ")) << read.error().text();
  EXPECT_NE(read.error().cause.find(cause), std::string::npos) << read.error().text();
  EXPECT_TRUE(reader.rows(0, 128));
}

TEST(FileValues, NamesACorruptChunk) {
  const Made made({.chunk = {64}, .filters = {Step::kShuffle, Step::kDeflate}});
  made.flip_byte(made.place_of(2).first + 40);
  expect_damage(made, "deflate: ");
}

TEST(FileValues, NamesAChunkWithAWrongChecksum) {
  const Made made({.chunk = {64}, .filters = {Step::kFletcher32}});
  made.flip_byte(made.place_of(2).first + 40);
  expect_damage(made, "fletcher32: the checksum does not match");
}

TEST(FileValues, AcceptsTheChecksumsOfOldReleases) {
  const Made made({.chunk = {64}, .filters = {Step::kFletcher32}});
  const Bytes expected = made.by_library(), before = made.image();
  made.swap_checksum(2);
  EXPECT_NE(made.image(), before);
  EXPECT_EQ(made.by_library(), expected);
  EXPECT_EQ(Reader(made).all().value(), expected);
}

TEST(FileValues, NamesAChunkOfAWrongSize) {
  const std::vector<Step> deflate = {Step::kDeflate}, fletcher = {Step::kFletcher32};
  for (const std::size_t size : {1, 3, 511, 513, 5000}) {
    SCOPED_TRACE(size);
    const Made masked({.chunk = {64}, .filters = deflate});
    masked.store_chunk(128, 1, Bytes(size));
    expect_damage(masked,
                  std::format("it has {} byte{} instead of 512", size, size == 1 ? "" : "s"));
    const Made garbage({.chunk = {64}, .filters = deflate});
    garbage.store_chunk(128, 0, Bytes(size, std::byte{0xC3}));
    expect_damage(garbage, "deflate: ");
  }
  const Made tiny({.chunk = {64}, .filters = fletcher});
  tiny.store_chunk(128, 0, Bytes(3));
  expect_damage(tiny, "fletcher32: the checksum is missing");
}

// A complete chunk of the size of another dataset: it inflates, but to the wrong length.
TEST(FileValues, NamesAChunkThatInflatesToAWrongLength) {
  for (const hsize_t rows : {32, 128}) {
    const Made donor({.extent = {rows}, .chunk = {rows}, .filters = {Step::kDeflate}});
    const auto [address, size] = donor.place_of(0);
    const Bytes image = donor.image();
    const Made made({.chunk = {64}, .filters = {Step::kDeflate}});
    made.store_chunk(128, 0,
                     {image.begin() + static_cast<std::ptrdiff_t>(address),
                      image.begin() + static_cast<std::ptrdiff_t>(address + size)});
    expect_damage(made,
                  rows < 64 ? "it has 256 bytes instead of 512" : "more than 512 bytes come out");
  }
}

TEST(FileValues, RefusesChunksBeyondTheLimit) {
  const Made made({.extent = {100}, .chunk = {100}, .filters = {Step::kDeflate}});
  Reader reader(made, {.block_bytes = 799});
  const Result<Bytes> read = reader.all();
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().cause.find("limit"), std::string::npos) << read.error().text();
  EXPECT_TRUE(Reader(made, {.block_bytes = 800}).all());
}

// Without filters, only the requested parts are read. Some chunks were never written.
TEST(FileValues, ReadsLargeChunksInParts) {
  constexpr std::uint64_t kRow = 320;
  const std::int64_t fill = 7;
  const Made made({.extent = {20, 40}, .chunk = {8, 30}, .fill = &fill, .rows_written = 8});
  Reader reader(made, {.block_bytes = kRow});
  EXPECT_TRUE(reader.raw());
  EXPECT_EQ(reader.all().value(), made.by_library());
  EXPECT_EQ(reader.rows(5, 12).value(), Reader(made).rows(5, 12).value());
  EXPECT_EQ(by_own_reader(made, {.block_bytes = kRow}).value(), made.by_library());
  EXPECT_FALSE(by_own_reader(made, {.block_bytes = kRow - 1}));
}

TEST(FileValues, RefusesRowsBeyondTheLimit) {
  const Made made({.extent = {10, 40}});
  for (const std::uint64_t limit : {319, 320}) {
    const Result<Bytes> read = Reader(made, {.block_bytes = limit}).all();
    EXPECT_EQ(read.has_value(), limit == 320);
    if (!read) {
      EXPECT_EQ(read.error().cause, "a row is larger than the limit of 319 bytes");
    }
  }
}

TEST(FileValues, DetectsATruncatedFile) {
  for (const Extent& chunk : {Extent{}, Extent{64}}) {
    const Made made({.chunk = chunk});
    Bytes image = made.image();
    Reader reader(made);
    std::filesystem::resize_file(made.path(), image.size() - 4096);
    EXPECT_FALSE(reader.all());
  }
}

TEST(FileValues, ServesManyThreads) {
  const Made made(
      {.extent = {100'000}, .chunk = {1000}, .filters = {Step::kShuffle, Step::kDeflate}});
  const Made other({.type = H5T_STD_I32LE,
                    .extent = {100'000},
                    .chunk = {1000},
                    .filters = {Step::kScaleOffset}});
  for (const Made* each : {&made, &other}) {
    const Bytes expected = each->by_library();
    Reader reader(*each);
    std::vector<Bytes> parts(8);
    {
      std::vector<std::jthread> threads;
      for (std::uint64_t t = 0; t < parts.size(); ++t)
        threads.emplace_back([&, t] { parts[t] = reader.rows(t * 12'500, 12'500).value(); });
    }
    Bytes all;
    for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
    EXPECT_EQ(all, expected);
  }
}

// The comparable forms of all values of "d", by either reader.
std::vector<std::string> forms_of(ValueSource& values, const Dataset& model) {
  std::vector<std::string> all;
  const auto trouble =
      for_each_block(values.stream(model, *model.extent()), [&](const Block& block) {
        EXPECT_EQ(block.first_row, all.size());
        EXPECT_EQ(block.strings.size(), block.rows);
        all.insert(all.end(), block.strings.begin(), block.strings.end());
      });
  EXPECT_FALSE(trouble) << trouble->text();
  return all;
}

// Elements with texts and lists, in several blocks: every row has its own.
TEST(FileValues, ReadsElementsOfSeveralBlocks) {
  constexpr hsize_t kRows = 50'000;
  struct Element {
    const char* text;
    std::int32_t number;
    hvl_t list;
  };
  std::vector<std::string> texts;
  std::vector<std::int16_t> numbers(kRows);
  std::vector<Element> elements;
  for (hsize_t i = 0; i < kRows; ++i) {
    texts.push_back(std::format("row {}", i));
    numbers[i] = static_cast<std::int16_t>(i);
  }
  for (hsize_t i = 0; i < kRows; ++i)
    elements.push_back({texts[i].c_str(), static_cast<std::int32_t>(i), {i % 2, &numbers[i]}});
  const TypeHandle text{H5Tcopy(H5T_C_S1)}, list{H5Tvlen_create(H5T_NATIVE_INT16)};
  H5Tset_size(text.get(), H5T_VARIABLE);
  const TypeHandle pair{H5Tcreate(H5T_COMPOUND, sizeof(Element))};
  H5Tinsert(pair.get(), "text", offsetof(Element, text), text.get());
  H5Tinsert(pair.get(), "number", offsetof(Element, number), H5T_NATIVE_INT32);
  const TypeHandle nested{H5Tcopy(pair.get())};
  H5Tinsert(nested.get(), "list", offsetof(Element, list), list.get());
  std::vector<const char*> pointers;
  for (const std::string& each : texts) pointers.push_back(each.c_str());
  const std::pair<hid_t, const void*> types[] = {{text.get(), pointers.data()},
                                                 {pair.get(), elements.data()},
                                                 {nested.get(), elements.data()}};
  for (const auto& [type, written] : types)
    for (const Recipe& form :
         {Recipe{}, Recipe{.chunk = {7000}},
          Recipe{.chunk = {kRows}, .filters = {Step::kShuffle, Step::kDeflate}}}) {
      SCOPED_TRACE(std::format("{} {}", H5Tget_size(type), form.filters.size()));
      Recipe recipe = form;
      recipe.type = type;
      recipe.extent = {kRows};
      recipe.rows_written = 0;
      const Made made(recipe);
      {
        const FileHandle file{H5Fopen(made.path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT)};
        const ObjectHandle dataset{H5Dopen2(file.get(), "d", H5P_DEFAULT)};
        ASSERT_GE(H5Dwrite(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, written), 0);
      }
      Reader reader(made);
      const std::vector<std::string> wanted = forms_of(reader.values, reader.model);
      const OwnReader own_reader(made);
      ASSERT_EQ(forms_of(own_reader.file->values(), own_reader.model), wanted);
      ASSERT_EQ(wanted.size(), kRows);
      for (hsize_t i = 0; i < kRows; i += 997) ASSERT_TRUE(wanted[i].contains(texts[i])) << i;
    }
}

TEST(Fletcher32, OfKnownData) {
  EXPECT_EQ(fletcher32({}), 0u);
  const std::byte bytes[] = {std::byte{1}, std::byte{2}, std::byte{3}};
  // 0x0102 + 0x0300 = 0x0402, and 0x0102 + 0x0402 = 0x0504.
  EXPECT_EQ(fletcher32(bytes), 0x05040402u);
}

}  // namespace

}  // namespace hepcheck::hep001::libhdf5
