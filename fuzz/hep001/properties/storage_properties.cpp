// Chunks as stored in a file: filtered here in a simple way, with any mask and any checksum; both
// readers decode them and report what they cannot decode. Datatypes are read as they were created.
#include <hdf5.h>
#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>

#include "fuzz/hep001/properties/image.h"
#include "fuzz/hep001/properties/readers.h"
#include "fuzz/properties/random_values.h"
#include "validator/catalogue/clause.h"
#include "validator/examine_file.h"
#include "validator/formats/hep001/libhdf5/file.h"
#include "validator/formats/hep001/libhdf5/file_values.h"
#include "validator/formats/hep001/libhdf5/make_type.h"
#include "validator/formats/hep001/libhdf5/read_datatype.h"
#include "validator/formats/hep001/storage/lzf.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

using namespace hepcheck::fuzz;
using Bytes = std::vector<std::byte>;

// --- Simple implementations of filters -----------------------------------------------------------

enum class Step : std::uint8_t { kShuffle, kDeflate, kFletcher32, kMissing };

// An unregistered filter number.
constexpr H5Z_filter_t kMissingFilter = 400;

Bytes shuffled(const Bytes& from, std::size_t size) {
  Bytes made = from;
  const std::size_t elements = from.size() / size;
  for (std::size_t e = 0; e < elements; ++e)
    for (std::size_t b = 0; b < size; ++b) made[b * elements + e] = from[e * size + b];
  return made;
}

Bytes deflated(const Bytes& from) {
  libdeflate_compressor* const compressor = libdeflate_alloc_compressor(1);
  Bytes made(libdeflate_zlib_compress_bound(compressor, from.size()));
  made.resize(
      libdeflate_zlib_compress(compressor, from.data(), from.size(), made.data(), made.size()));
  libdeflate_free_compressor(compressor);
  return made;
}

// Big-endian words of 16 bits, the last one padded; each sum adds its carry at once.
std::uint32_t plain_sum(const Bytes& bytes) {
  std::uint32_t one = 0, two = 0;
  const auto carried = [](std::uint32_t sum) { return (sum & 0xffff) + (sum >> 16); };
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    const auto low = i + 1 < bytes.size() ? bytes[i + 1] : std::byte{0};
    one = carried(one + (std::to_integer<std::uint32_t>(bytes[i]) << 8 |
                         std::to_integer<std::uint32_t>(low)));
    two = carried(two + one);
  }
  return two << 16 | one;
}

// How a checksum is corrupted: not at all, with swapped bytes as in the first releases, or wrong.
enum class SumForm : std::uint8_t { kGood, kExchanged, kWrong };

Bytes summed(Bytes bytes, SumForm form) {
  std::uint32_t sum = plain_sum(bytes);
  if (form == SumForm::kExchanged) sum = (sum & 0x00ff00ff) << 8 | (sum >> 8 & 0x00ff00ff);
  if (form == SumForm::kWrong) sum += 0x00010001;
  for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<std::byte>(sum >> 8 * i));
  return bytes;
}

// --- Files ---------------------------------------------------------------------------------------

struct StoredChunk {
  std::uint32_t mask = 0;
  SumForm sum = SumForm::kGood;
  Bytes values{};
};

// A dataset "d" of rows of opaque elements, chunk by chunk.
struct Stored {
  std::size_t element_bytes = 1;
  std::uint64_t chunk_rows = 1;
  std::vector<Step> steps{};
  std::vector<StoredChunk> chunks{};

  std::uint64_t rows() const { return chunk_rows * chunks.size(); }
  bool undoable(std::size_t step) const {
    return steps[step] != Step::kMissing ||
           std::ranges::all_of(
               chunks, [&](const StoredChunk& chunk) { return (chunk.mask >> step & 1) != 0; });
  }
  friend std::ostream& operator<<(std::ostream& out, const Stored& it) {
    out << it.element_bytes << " bytes, " << it.chunk_rows << " rows a chunk, filters";
    for (const Step step : it.steps) out << ' ' << static_cast<int>(step);
    for (const StoredChunk& chunk : it.chunks)
      out << ", mask " << chunk.mask << " sum " << static_cast<int>(chunk.sum);
    return out;
  }
};

Bytes random_values(Choices& c, std::size_t count) {
  Noise noise(c.bits() | 1);
  Bytes bytes(count);
  const std::uint64_t kind = c.below(4);
  for (std::byte& byte : bytes)
    byte = kind == 0   ? std::byte{0}
           : kind == 1 ? std::byte{0xff}
           : kind == 2 ? static_cast<std::byte>(noise.below(3))
                       : static_cast<std::byte>(noise.bits());
  return bytes;
}

Stored random_stored(Choices& c) {
  constexpr std::size_t kSizes[] = {1, 2, 3, 4, 8, 10};
  // Sums are folded every 360 words.
  constexpr std::uint64_t kRows[] = {1, 2, 5, 64, 359, 360, 361, 721, 1500};
  Stored made{.element_bytes = c.of(kSizes), .chunk_rows = c.of(kRows)};
  for (std::uint64_t n = 1 + c.below(4); n > 0; --n) {
    const auto step = static_cast<Step>(c.below(4));
    // The library passes its parameters only to the first of two equal filters.
    const bool again = step == Step::kDeflate || step == Step::kFletcher32;
    if (again || !std::ranges::contains(made.steps, step)) made.steps.push_back(step);
  }
  const std::uint32_t all = (1u << made.steps.size()) - 1;
  // Most files do not use the missing filter, except perhaps in one chunk.
  std::uint32_t always = 0;
  for (std::size_t i = 0; i < made.steps.size(); ++i)
    if (made.steps[i] == Step::kMissing && !c.one_in(4)) always |= 1u << i;
  for (std::uint64_t n = 1 + c.below(4); n > 0; --n) {
    StoredChunk chunk{.values = random_values(c, made.chunk_rows * made.element_bytes)};
    chunk.mask = (c.maybe() ? 0 : static_cast<std::uint32_t>(c.bits()) & all) | always;
    if (c.one_in(6)) chunk.sum = SumForm::kExchanged;
    if (c.one_in(12)) chunk.sum = SumForm::kWrong;
    made.chunks.push_back(std::move(chunk));
  }
  return made;
}

Bytes encoded(const Stored& stored, const StoredChunk& chunk) {
  Bytes bytes = chunk.values;
  for (std::size_t i = 0; i < stored.steps.size(); ++i) {
    if ((chunk.mask >> i & 1) != 0) continue;
    switch (stored.steps[i]) {
      case Step::kShuffle: bytes = shuffled(bytes, stored.element_bytes); break;
      case Step::kDeflate: bytes = deflated(bytes); break;
      case Step::kFletcher32: bytes = summed(std::move(bytes), chunk.sum); break;
      case Step::kMissing: break;
    }
  }
  return bytes;
}

Bytes image_of(const Stored& stored) {
  return image_with([&](hid_t file) {
    const TypeHandle type{H5Tcreate(H5T_OPAQUE, stored.element_bytes)};
    const hsize_t rows = stored.rows(), most = H5S_UNLIMITED, chunk = stored.chunk_rows;
    const SpaceHandle space{H5Screate_simple(1, &rows, &most)};
    const PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
    H5Pset_chunk(list.get(), 1, &chunk);
    for (const Step step : stored.steps) switch (step) {
        case Step::kShuffle: H5Pset_shuffle(list.get()); break;
        case Step::kDeflate: H5Pset_deflate(list.get(), 1); break;
        case Step::kFletcher32: H5Pset_fletcher32(list.get()); break;
        case Step::kMissing:
          H5Pset_filter(list.get(), kMissingFilter, H5Z_FLAG_OPTIONAL, 0, nullptr);
          break;
      }
    const ObjectHandle dataset{
        H5Dcreate2(file, "d", type.get(), space.get(), H5P_DEFAULT, list.get(), H5P_DEFAULT)};
    RC_ASSERT(static_cast<bool>(dataset));
    for (std::size_t i = 0; i < stored.chunks.size(); ++i) {
      const Bytes bytes = encoded(stored, stored.chunks[i]);
      const hsize_t first = i * chunk;
      RC_ASSERT(H5Dwrite_chunk(dataset.get(), H5P_DEFAULT, stored.chunks[i].mask, &first,
                               bytes.size(), bytes.data()) >= 0);
    }
  });
}

// --- Reading files -------------------------------------------------------------------------------

// The dataset "d" of an image.
struct Reader {
  File file;
  ObjectHandle dataset{};
  Dataset model{};
  FileValues values;

  explicit Reader(const Bytes& image)
      : file(File::open_image(image, {}).value()),
        dataset(H5Dopen2(file.context().file, "d", H5P_DEFAULT)), values(file.context()) {
    H5O_info2_t info;
    H5Oget_info3(dataset.get(), &info, H5O_INFO_BASIC);
    model = read_dataset(file.context(), dataset.get(), "d", "/d", token_of(info.token));
  }

  // All rows, or the reason why not.
  Result<Bytes> rows() {
    Bytes all;
    const auto error = for_each_block(values.stream(model, *model.extent()), [&](const Block& it) {
      all.insert(all.end(), it.bytes.begin(), it.bytes.end());
    });
    if (error) return std::unexpected(*error);
    return all;
  }
};

// The same without the library.
Result<Bytes> rows_by_own(const Bytes& image) {
  OwnReader own(image);
  const Dataset& model = own.dataset("d");
  return rows_of(own.values(), model, 0, *model.extent());
}

// How often the container reader reports a violation of a clause in an image.
std::uint64_t broken(const Bytes& image, std::string_view clause) {
  FileOptions options{.examine = {.jobs = 1}};
  const FileReport report =
      examine_image(image, "image", std::nullopt, &default_revision("hdf5"), options);
  for (const SubjectReport& subject : report.subjects)
    for (const ClauseResult& result : subject.clauses)
      if (result.clause->id == clause) return result.findings.size() + result.suppressed;
  return 0;
}

bool is_summed(const Stored& stored, const StoredChunk& chunk) {
  for (std::size_t i = 0; i < stored.steps.size(); ++i)
    if (stored.steps[i] == Step::kFletcher32 && (chunk.mask >> i & 1) == 0) return true;
  return false;
}

RC_GTEST_PROP(StoredChunks, AreReadByTheirMasksAndChecksums, ()) {
  const Stored stored = draw("stored", random_stored);
  const Bytes image = image_of(stored);
  Bytes wanted;
  std::optional<std::size_t> wrong;  // the first chunk with a wrong checksum
  for (std::size_t i = 0; i < stored.chunks.size(); ++i) {
    const StoredChunk& chunk = stored.chunks[i];
    wanted.insert(wanted.end(), chunk.values.begin(), chunk.values.end());
    if (!wrong && chunk.sum == SumForm::kWrong && is_summed(stored, chunk)) wrong = i;
  }
  std::optional<std::size_t> missing;
  for (std::size_t i = 0; i < stored.steps.size(); ++i)
    if (!missing && !stored.undoable(i)) missing = i;

  const Result<Bytes> rows = Reader(image).rows(), by_own = rows_by_own(image);
  if (missing) {
    for (const Result<Bytes>* each : {&rows, &by_own}) {
      RC_ASSERT(!*each);
      RC_ASSERT(each->error().text() == "/d: filter 400 is not available");
    }
    return;
  }
  // If hepcheck's reader does not support a filter, the library reads the chunk and reports errors
  // in its own words.
  const bool known = !std::ranges::contains(stored.steps, Step::kMissing);
  if (wrong) {
    RC_ASSERT(!rows);
    if (known)
      RC_ASSERT(rows.error().text() ==
                std::format("/d: chunk {}: fletcher32: the checksum does not match", *wrong));
    RC_ASSERT(!by_own);
    RC_ASSERT(by_own.error().text() ==
              std::format("/d: chunk {}: fletcher32: the checksum does not match", *wrong));
  } else {
    RC_ASSERT(rows.has_value());
    RC_ASSERT(*rows == wanted);
    RC_ASSERT(by_own.has_value());
    RC_ASSERT(*by_own == wanted);
  }
  if (!known) return;
  RC_ASSERT(broken(image, "swmr-chunk-decodes") == 0);
  RC_ASSERT((broken(image, "swmr-chunk-fletcher32") > 0) == wrong.has_value());
}

// --- LZF -----------------------------------------------------------------------------------------

struct Packed {
  Bytes packed{}, plain{};
};

// Runs of literals, and repetitions at any distance and of any length.
Packed random_packed(Choices& c) {
  Packed made;
  Noise noise(c.bits() | 1);
  const auto put = [&](std::uint64_t byte) { made.packed.push_back(static_cast<std::byte>(byte)); };
  for (std::uint64_t n = 1 + c.below(12); n > 0; --n) {
    const std::uint64_t lengths[] = {1, 32, 1 + c.below(32)};
    if (made.plain.empty() || c.one_in(3)) {
      const std::uint64_t length = c.of(lengths);
      put(length - 1);
      for (std::uint64_t i = 0; i < length; ++i) {
        made.plain.push_back(static_cast<std::byte>(noise.bits()));
        made.packed.push_back(made.plain.back());
      }
      continue;
    }
    const std::uint64_t furthest = std::min<std::uint64_t>(made.plain.size(), 8192);
    const std::uint64_t distances[] = {1, furthest, 1 + c.below(furthest)},
                        repeated[] = {3, 8, 9, 264, 3 + c.below(262)};
    const std::uint64_t distance = c.of(distances), length = c.of(repeated);
    const std::uint64_t high = (distance - 1) >> 8;
    if (length < 9) {
      put((length - 2) << 5 | high);
    } else {
      put(7 << 5 | high);
      put(length - 9);
    }
    put((distance - 1) & 0xff);
    for (std::uint64_t i = 0; i < length; ++i)
      made.plain.push_back(made.plain[made.plain.size() - distance]);
  }
  return made;
}

RC_GTEST_PROP(Lzf, RoundTrips, ()) {
  const auto made = draw("packed", [](Choices& c) {
    const Packed packed = random_packed(c);
    return std::pair(packed.packed, packed.plain);
  });
  const auto& [packed, plain] = made;
  Bytes unpacked(plain.size());
  RC_ASSERT(decode_lzf(packed, unpacked));
  RC_ASSERT(unpacked == plain);
  // Neither into a smaller nor into a larger buffer, nor without its last byte.
  Bytes less(plain.size() - 1), more(plain.size() + 1);
  RC_ASSERT(!decode_lzf(packed, less));
  RC_ASSERT(!decode_lzf(packed, more));
  RC_ASSERT(!decode_lzf(std::span(packed).first(packed.size() - 1), unpacked));
  // There is nothing before the beginning.
  const Bytes before = {std::byte{0}, std::byte{7}, std::byte{1 << 5}, std::byte{1}};
  RC_ASSERT(
      !decode_lzf(before, std::span(unpacked).first(std::min<std::size_t>(4, unpacked.size()))));
}

// --- Residue and external storage ----------------------------------------------------------------

// Replaces bytes that occur once.
void replace_once(Bytes& image, const std::vector<hsize_t>& was, const std::vector<hsize_t>& is) {
  const auto old = std::as_bytes(std::span(was)), fresh = std::as_bytes(std::span(is));
  const auto found = std::ranges::search(image, old);
  RC_ASSERT(!found.empty());
  RC_ASSERT(std::search(found.begin() + 1, image.end(), old.begin(), old.end()) == image.end());
  std::ranges::copy(fresh, found.begin());
}

// A dataset that states a smaller size than before has chunks beyond the grid, in one dimension or
// both: they are ignored.
RC_GTEST_PROP(StoredChunks, BeyondTheGridAreIgnored, ()) {
  constexpr hsize_t kChunk = 3, kMost = 1'000'003;
  const auto pick = [](const char* name, std::uint64_t first, std::uint64_t end) {
    return *rc::gen::inRange<std::uint64_t>(first, end).as(name);
  };
  const std::vector<hsize_t> was = {kChunk * pick("tall", 1, 4), kChunk * pick("wide", 1, 4), kMost,
                                    kMost};
  const std::vector<hsize_t> is = {pick("rows", 1, was[0] + 1), pick("columns", 1, was[1] + 1),
                                   kMost, kMost};
  const auto stored = *rc::gen::arbitrary<std::uint16_t>().as("stored");
  Bytes image = image_with(
      [&](hid_t file) {
        const SpaceHandle space{H5Screate_simple(2, was.data(), was.data() + 2)};
        const PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
        const hsize_t chunk[] = {kChunk, kChunk};
        H5Pset_chunk(list.get(), 2, chunk);
        const ObjectHandle dataset{
            H5Dcreate2(file, "d", H5T_STD_U8LE, space.get(), H5P_DEFAULT, list.get(), H5P_DEFAULT)};
        int number = 0;
        for (hsize_t row = 0; row < was[0]; row += kChunk)
          for (hsize_t column = 0; column < was[1]; column += kChunk) {
            const hsize_t at[] = {row, column};
            const Bytes bytes(kChunk * kChunk, static_cast<std::byte>(++number));
            if ((stored >> number & 1) != 0)
              RC_ASSERT(H5Dwrite_chunk(dataset.get(), H5P_DEFAULT, 0, at, bytes.size(),
                                       bytes.data()) >= 0);
          }
      },
      H5F_LIBVER_EARLIEST);
  replace_once(image, was, is);
  Bytes wanted;
  for (hsize_t row = 0; row < is[0]; ++row)
    for (hsize_t column = 0; column < is[1]; ++column) {
      const auto number = row / kChunk * (was[1] / kChunk) + column / kChunk + 1;
      wanted.push_back((stored >> number & 1) != 0 ? static_cast<std::byte>(number) : std::byte{0});
    }
  Reader reader(image);
  RC_ASSERT(reader.model.space.extent == (std::vector<std::uint64_t>{is[0], is[1]}));
  RC_ASSERT(reader.rows().value() == wanted);
  RC_ASSERT(rows_by_own(image).value() == wanted);
}

// A chunk that was never written has the fill value, unless that is never written either.
TEST(StoredChunks, ThatAreMissingHaveTheFillValue) {
  constexpr hsize_t kRows = 4, kChunk = 2;
  for (const H5D_fill_time_t when : {H5D_FILL_TIME_ALLOC, H5D_FILL_TIME_IFSET, H5D_FILL_TIME_NEVER})
    for (const bool chunked : {true, false}) {
      const Bytes image = image_with(
          [&](hid_t file) {
            const SpaceHandle space{H5Screate_simple(1, &kRows, nullptr)};
            const PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
            if (chunked) H5Pset_chunk(list.get(), 1, &kChunk);
            const unsigned char fill = 7;
            H5Pset_fill_value(list.get(), H5T_STD_U8LE, &fill);
            H5Pset_fill_time(list.get(), when);
            const ObjectHandle dataset{H5Dcreate2(file, "d", H5T_STD_U8LE, space.get(), H5P_DEFAULT,
                                                  list.get(), H5P_DEFAULT)};
            if (!chunked) return;
            const Bytes values(kChunk, std::byte{9});
            const hsize_t first = 0;
            ASSERT_GE(H5Dwrite_chunk(dataset.get(), H5P_DEFAULT, 0, &first, kChunk, values.data()),
                      0);
          },
          H5F_LIBVER_LATEST);
      const std::byte missing{when == H5D_FILL_TIME_NEVER ? std::uint8_t{0} : std::uint8_t{7}};
      Bytes wanted(kRows, missing);
      if (chunked) std::ranges::fill_n(wanted.begin(), kChunk, std::byte{9});
      EXPECT_EQ(Reader(image).rows().value(), wanted) << when << chunked;
      EXPECT_EQ(rows_by_own(image).value(), wanted) << when << chunked;
    }
}

// The target of a chunk in a version 1 index.
TEST(StoredChunks, BeyondTheEndOfTheFileAreErrors) {
  constexpr hsize_t kRows = 8, kChunk = 4;
  haddr_t address = 0;
  const Bytes image = image_with(
      [&](hid_t file) {
        const SpaceHandle space{H5Screate_simple(1, &kRows, nullptr)};
        const PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
        H5Pset_chunk(list.get(), 1, &kChunk);
        const ObjectHandle dataset{
            H5Dcreate2(file, "d", H5T_STD_U8LE, space.get(), H5P_DEFAULT, list.get(), H5P_DEFAULT)};
        const Bytes values(kRows, std::byte{9});
        H5Dwrite(dataset.get(), H5T_STD_U8LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        const hsize_t second = kChunk;
        hsize_t size = 0;
        unsigned mask = 0;
        ASSERT_GE(H5Dget_chunk_info_by_coord(dataset.get(), &second, &mask, &address, &size), 0);
      },
      H5F_LIBVER_EARLIEST);
  // All of its bytes are in the file, or all except one.
  for (const hsize_t beyond : {0, 1}) {
    Bytes mutated = image;
    replace_once(mutated, {address}, {image.size() - kChunk + beyond});
    const Result<Bytes> rows = Reader(mutated).rows();
    EXPECT_EQ(rows.has_value(), beyond == 0);
    const std::string message = rows ? "" : rows.error().text();
    EXPECT_EQ(message, beyond == 0 ? "" : "/d: chunk 1: it is beyond the end of the file");
    EXPECT_EQ(rows_by_own(mutated).has_value(), beyond == 0);
  }
}

// The class of a table may be a string in a heap, limited to the bytes of the heap.
TEST(TextsInHeaps, EndWithTheirObjects) {
  const Bytes image = image_with(
      [](hid_t file) {
        const ObjectHandle root{H5Gopen2(file, "/", H5P_DEFAULT)};
        const TypeHandle type{H5Tcopy(H5T_C_S1)};
        H5Tset_size(type.get(), H5T_VARIABLE);
        const SpaceHandle scalar{H5Screate(H5S_SCALAR)};
        const AttributeHandle made{
            H5Acreate2(root.get(), "CLASS", type.get(), scalar.get(), H5P_DEFAULT, H5P_DEFAULT)};
        const char* text = "COLUMN_TABLE";
        H5Awrite(made.get(), type.get(), &text);
      },
      H5F_LIBVER_EARLIEST);
  const auto at = [](const Bytes& bytes, std::span<const std::byte> what) {
    const auto found = std::ranges::search(bytes, what);
    EXPECT_FALSE(found.empty());
    return static_cast<std::size_t>(found.begin() - bytes.begin());
  };
  const std::uint64_t heap = at(image, std::as_bytes(std::span(std::string_view("GCOL"))));
  constexpr std::uint32_t kLength = 12;
  std::array<std::byte, 12> element{};  // the length, then the heap
  std::memcpy(element.data(), &kLength, 4);
  std::memcpy(element.data() + 4, &heap, 8);
  const std::size_t length = at(image, element);
  const auto tables = [&](unsigned stated) {
    Bytes mutated = image;
    mutated[length] = static_cast<std::byte>(stated);
    const FileReport report =
        examine_image(mutated, "image", std::nullopt, &default_revision("hdf5"), {});
    return report.subjects.at(0).figure("tables")->value;
  };
  EXPECT_EQ(tables(kLength), 1u);
  for (const unsigned other : {0u, 1u, kLength - 1, kLength + 2}) EXPECT_EQ(tables(other), 0u);
}

// Trailing spaces of a string count unless it is space-padded.
TEST(TextsInHeaders, AreReadWithoutTheirPadding) {
  for (const auto& [padding, text, wanted] :
       {std::tuple(H5T_STR_SPACEPAD, "COLUMN_TABLE   ", 1u),
        std::tuple(H5T_STR_SPACEPAD, " COLUMN_TABLE  ", 0u),
        std::tuple(H5T_STR_NULLPAD, "COLUMN_TABLE\0\0\0", 1u),
        std::tuple(H5T_STR_NULLPAD, "COLUMN_TABLE   ", 0u),
        std::tuple(H5T_STR_NULLTERM, "COLUMN_TABLE\0xx", 1u),
        std::tuple(H5T_STR_NULLTERM, "COLUMN_TABLE   ", 0u)}) {
    const Bytes image = image_with([&](hid_t file) {
      const ObjectHandle root{H5Gopen2(file, "/", H5P_DEFAULT)};
      const TypeHandle type{H5Tcopy(H5T_C_S1)};
      H5Tset_size(type.get(), 15);
      H5Tset_strpad(type.get(), padding);
      const SpaceHandle scalar{H5Screate(H5S_SCALAR)};
      const AttributeHandle made{
          H5Acreate2(root.get(), "CLASS", type.get(), scalar.get(), H5P_DEFAULT, H5P_DEFAULT)};
      H5Awrite(made.get(), type.get(), text);
    });
    const FileReport report =
        examine_image(image, "image", std::nullopt, &default_revision("hdf5"), {});
    EXPECT_EQ(report.subjects.at(0).figure("tables")->value, wanted) << padding << text;
  }
}

// Other files are not opened, whatever they contain.
TEST(StoredElsewhere, IsNotRead) {
  const std::filesystem::path other = std::filesystem::absolute("other-file.bin");
  std::ofstream(other, std::ios::binary) << std::string(100, 'x');
  const hsize_t rows = 10;
  const Bytes external = image_with([&](hid_t file) {
    const SpaceHandle space{H5Screate_simple(1, &rows, nullptr)};
    const PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
    ASSERT_GE(H5Pset_external(list.get(), other.c_str(), 0, 100), 0);
    const ObjectHandle dataset{
        H5Dcreate2(file, "d", H5T_STD_U8LE, space.get(), H5P_DEFAULT, list.get(), H5P_DEFAULT)};
    ASSERT_TRUE(dataset);
  });
  const Bytes virtually = image_with([&](hid_t file) {
    const SpaceHandle space{H5Screate_simple(1, &rows, nullptr)};
    const PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
    ASSERT_GE(H5Pset_virtual(list.get(), space.get(), other.c_str(), "d", space.get()), 0);
    const ObjectHandle dataset{
        H5Dcreate2(file, "d", H5T_STD_U8LE, space.get(), H5P_DEFAULT, list.get(), H5P_DEFAULT)};
    ASSERT_TRUE(dataset);
  });
  for (const auto& [image, layout, words] :
       {std::tuple(external, StorageLayout::kExternal,
                   "/d: stored in external files, which are never opened"),
        std::tuple(virtually, StorageLayout::kVirtual,
                   "/d: a virtual dataset; its source files are never opened")}) {
    Reader reader(image);
    EXPECT_EQ(reader.model.storage.layout, layout);
    EXPECT_EQ(reader.model.space.extent, std::vector<std::uint64_t>{rows});
    const Result<Bytes> read = reader.rows();
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().text(), words);
    const std::uint64_t start[] = {0}, count[] = {1};
    EXPECT_FALSE(reader.values.read(reader.model, start, count));
    OwnReader own(image);
    EXPECT_EQ(own.dataset("d").storage.layout, layout);
    EXPECT_EQ(own.dataset("d").space.extent, std::vector<std::uint64_t>{rows});
    EXPECT_EQ(rows_by_own(image).error().text(), words);
    EXPECT_FALSE(own.values().read(own.dataset("d"), start, count));
  }
  std::filesystem::remove(other);
}

// --- Datatypes -----------------------------------------------------------------------------------

std::shared_ptr<const Datatype> kept(Datatype type) {
  return std::make_shared<const Datatype>(std::move(type));
}

// Every field, although describe() and compare() omit some.
bool alike(const Datatype& a, const Datatype& b) {
  const auto both = [](const auto& one, const auto& other) {
    return one && other ? alike(*one, *other) : one == other;
  };
  const auto members = [&](const TypeMember& one, const TypeMember& other) {
    return one.name == other.name && one.offset == other.offset && one.value == other.value &&
           both(one.type, other.type);
  };
  return a.cls == b.cls && a.size == b.size && a.order == b.order && a.precision == b.precision &&
         a.bit_offset == b.bit_offset && a.is_signed == b.is_signed && a.floating == b.floating &&
         a.variable_length == b.variable_length && a.padding == b.padding &&
         a.character_set == b.character_set && a.tag == b.tag && a.reference == b.reference &&
         std::ranges::equal(a.members, b.members, members) && both(a.base, b.base) &&
         a.dims == b.dims;
}

Datatype random_bits(Choices& c, TypeClass cls) {
  Datatype type = integer_type(1 + c.below(8), c.maybe() && cls == TypeClass::kInteger);
  type.cls = cls;
  if (c.maybe()) type.order = ByteOrder::kBig;
  if (c.one_in(3)) {
    type.precision = static_cast<std::uint32_t>(1 + c.below(8 * type.size));
    type.bit_offset = static_cast<std::uint32_t>(c.below(8 * type.size - type.precision + 1));
  }
  return type;
}

Datatype random_type(Choices& c, int depth) {
  constexpr std::size_t kFloats[] = {2, 4, 8};
  constexpr StringPadding kPaddings[] = {StringPadding::kNullTerm, StringPadding::kNullPad,
                                         StringPadding::kSpacePad};
  const CharacterSet set = c.maybe() ? CharacterSet::kUtf8 : CharacterSet::kAscii;
  switch (c.below(depth > 0 ? 9 : 6)) {
    case 0: return random_bits(c, TypeClass::kInteger);
    case 1: return random_bits(c, TypeClass::kBitfield);
    case 2: return ieee_float_type(c.of(kFloats), c.maybe() ? ByteOrder::kBig : ByteOrder::kLittle);
    case 3: return fixed_string_type(1 + c.below(20), c.of(kPaddings), set);
    case 4: return variable_string_type(set);
    case 5:
      return {.cls = TypeClass::kOpaque, .size = 1 + c.below(20), .tag = c.maybe() ? "" : "a tag"};
    case 6: {
      Datatype type{.cls = TypeClass::kCompound};
      for (std::uint64_t n = 1 + c.below(4); n > 0; --n) {
        const Datatype member = random_type(c, depth - 1);
        type.size += c.below(3);  // nothing is there
        type.members.push_back(
            {.name = "m" + std::to_string(n), .offset = type.size, .type = kept(member)});
        type.size += member.size;
      }
      return type;
    }
    case 7: {
      Datatype type{.cls = TypeClass::kArray, .base = kept(random_type(c, depth - 1))};
      type.size = type.base->size;
      for (std::uint64_t n = 1 + c.below(3); n > 0; --n) {
        type.dims.push_back(1 + c.below(4));
        type.size *= type.dims.back();
      }
      return type;
    }
    default: {
      const Datatype base = integer_type(1 + c.below(4), c.maybe());
      Datatype type{.cls = TypeClass::kEnum, .size = base.size, .order = base.order};
      type.is_signed = base.is_signed;
      type.base = kept(base);
      for (std::uint64_t n = c.below(5), i = 0; i < n; ++i) {
        Bytes value(base.size, std::byte{0});
        value[0] = static_cast<std::byte>(3 * i);
        type.members.push_back({.name = "e" + std::to_string(i), .value = value});
      }
      return type;
    }
  }
}

RC_GTEST_PROP(Datatypes, AreReadAsCreated, ()) {
  initialise(false);
  const auto made = draw("type", [](Choices& c) {
                      const Datatype type = random_type(c, 3);
                      return std::pair(describe(type), kept(type));
                    }).second;
  const TypeHandle type = make_type(*made);
  RC_ASSERT(static_cast<bool>(type));
  std::optional<std::string> trouble;
  RC_ASSERT(alike(read_datatype(type.get(), {}, trouble), *made));
  RC_ASSERT(!trouble);
  // As the datatype of a dataset, in old and new versions of its message.
  for (const H5F_libver_t version : {H5F_LIBVER_EARLIEST, H5F_LIBVER_V110}) {
    bool created = false;
    const Bytes image = image_with(
        [&](hid_t file) {
          const hsize_t none = 0;
          const SpaceHandle space{H5Screate_simple(1, &none, nullptr)};
          const ObjectHandle dataset{H5Dcreate2(file, "d", type.get(), space.get(), H5P_DEFAULT,
                                                H5P_DEFAULT, H5P_DEFAULT)};
          created = static_cast<bool>(dataset);
        },
        version);
    // An enumeration without names cannot be stored.
    RC_ASSERT(created || describe(*made).contains("{}"));
    if (!created) continue;
    const OwnReader own(image);
    RC_ASSERT(own.dataset("d").unreadable.value_or("") == "");
    RC_ASSERT(alike(own.dataset("d").type, *made));
  }
}

// Types that the builders cannot create, read by both readers.
TEST(Datatypes, OfOtherMachines) {
  initialise(false);
  std::optional<std::string> trouble;
  const auto read = [&](hid_t type) {
    const Datatype made = read_datatype(type, {}, trouble);
    const Bytes image = image_with(
        [&](hid_t file) {
          const hsize_t none = 0;
          const SpaceHandle space{H5Screate_simple(1, &none, nullptr)};
          const ObjectHandle dataset{
              H5Dcreate2(file, "d", type, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
          EXPECT_TRUE(dataset);
        },
        H5F_LIBVER_V110, H5F_LIBVER_LATEST);
    const OwnReader own(image);
    EXPECT_EQ(own.dataset("d").unreadable.value_or(""), "");
    EXPECT_TRUE(alike(own.dataset("d").type, made)) << describe(made);
    return made;
  };
  const Datatype vax = read(H5T_VAX_F64);
  EXPECT_EQ(vax.order, ByteOrder::kVax);
  EXPECT_EQ(vax.floating.exponent_bias, 0x401u);
  EXPECT_TRUE(vax.floating.implied_one);
  const Datatype time = read(H5T_UNIX_D64BE);
  EXPECT_TRUE(time.is(TypeClass::kTime));
  EXPECT_EQ(time.order, ByteOrder::kBig);
  EXPECT_EQ(time.precision, 64u);
  EXPECT_EQ(read(H5T_STD_REF).reference, ReferenceKind::kStandard);
  EXPECT_EQ(read(H5T_STD_REF_OBJ).reference, ReferenceKind::kLegacyObject);
  EXPECT_EQ(read(H5T_STD_REF_DSETREG).reference, ReferenceKind::kLegacyRegion);
  // The length of a tag is stored in one byte.
  for (const std::size_t length : {1, 7, 8, 127, 128, 200, 247}) {
    const TypeHandle opaque{H5Tcreate(H5T_OPAQUE, 3)};
    const std::string tag(length, 't');
    ASSERT_GE(H5Tset_tag(opaque.get(), tag.c_str()), 0);
    EXPECT_EQ(read(opaque.get()).tag, tag);
  }
  // A significand whose first bit is stored, or always one, implies none.
  for (const auto& [norm, implied] :
       {std::pair(H5T_NORM_NONE, false), std::pair(H5T_NORM_MSBSET, false),
        std::pair(H5T_NORM_IMPLIED, true)}) {
    const TypeHandle type{H5Tcopy(H5T_IEEE_F32LE)};
    H5Tset_norm(type.get(), norm);
    EXPECT_EQ(read(type.get()).floating.implied_one, implied);
  }
  const TypeHandle sequence{H5Tvlen_create(H5T_STD_I16BE)};
  const Datatype sequences = read(sequence.get());
  EXPECT_TRUE(sequences.is(TypeClass::kVlen));
  ASSERT_TRUE(sequences.base);
  EXPECT_TRUE(alike(*sequences.base, integer_type(2, true, ByteOrder::kBig)));
  EXPECT_FALSE(trouble);
}

}  // namespace

}  // namespace hepcheck::hep001::libhdf5
