// The contents of an HDF5 file are read twice: tables through libhdf5, the container from raw
// bytes. If the attributes and datasets differ, one of the readers is wrong.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <format>
#include <functional>
#include <iterator>
#include <map>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/two_readers_testing.h"
#include "validator/descriptor.h"
#include "validator/formats/hdf5/superblock.h"
#include "validator/formats/hdf5/unpack.h"
#include "validator/formats/hdf5/walk.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/file.h"
#include "validator/formats/hep001/storage/packed.h"
#include "validator/testing/number.h"
#include "validator/testing/random.h"

using namespace hepcheck;
namespace fs = std::filesystem;

namespace {

// As far as both readers support it.
struct Value {
  unsigned type_class = 0;
  std::uint64_t size = 0, elements = 0;
  std::vector<std::byte> bytes{};
};
struct Values {
  unsigned type_class = 0;
  std::uint64_t size = 0;
  std::vector<std::uint64_t> extent{}, maximum{}, chunk{};
  std::vector<unsigned> filters{};
};
struct Object {
  std::map<std::string, Value> attributes{};
  std::optional<Values> dataset{};
  bool examined = true;
};
using Objects = std::map<std::uint64_t, Object>;  // by the address of the header

// None for a file that is not a container, or was not examined.
std::optional<Objects> from_raw_bytes(const Bytes& file) {
  Objects made;
  const auto position = hdf5::find_signature(file);
  if (!position) return std::nullopt;
  std::optional<hdf5::ContainerWalk> walk;
  const auto object = [&](std::uint32_t number) -> Object& {
    return made[walk->objects()[number].address];
  };
  hdf5::WalkOptions options;
  options.attributes = [&](const hdf5::Attribute& each) {
    const auto bytes = each.value.bytes;
    object(walk->notes().object())
        .attributes.emplace(each.name,
                            Value{.type_class = static_cast<unsigned>(each.type.type_class),
                                  .size = each.type.size,
                                  .elements = each.space.elements(),
                                  .bytes = {bytes.begin(), bytes.end()}});
  };
  options.datasets = [&](const hdf5::Dataset& each) {
    Values values{.type_class = static_cast<unsigned>(each.type.type_class),
                  .size = each.type.size,
                  .extent = {each.space.size().begin(), each.space.size().end()},
                  .maximum = {each.space.maximum().begin(), each.space.maximum().end()}};
    if (each.layout.chunked()) values.chunk = {each.chunk().begin(), each.chunk().end()};
    for (const hdf5::Filter& filter : each.filters.list) values.filters.push_back(filter.id);
    object(each.object).dataset = std::move(values);
  };
  const Limits limits;
  walk.emplace(file, *position, default_revision("hdf5"), 1, limits, std::move(options));
  walk->run();
  if (!walk->not_examined().empty()) return std::nullopt;
  for (const auto& each : walk->notes().not_examined()) object(each.object).examined = false;
  return made;
}

// For types with a variable-length part, the library states the size in memory, and treats
// variable-length strings as strings.
void overlook_variable(const hep001::Datatype& type, unsigned& our_class, std::uint64_t& our_size,
                       unsigned& their_class, std::uint64_t& their_size) {
  if (!hep001::has_variable_part(type) && !type.is(hep001::TypeClass::kReference)) return;
  our_size = their_size = 0;
  if (type.variable_string()) our_class = their_class;
}

// Compares the results of libhdf5 with the raw bytes.
class Comparison {
 public:
  Comparison(Objects objects, std::string file)
      : objects_(std::move(objects)), file_(std::move(file)) {}

  std::size_t attributes = 0, datasets = 0;

  void table(const hep001::Table& table) {
    const Object& object = at(table.group.token);
    if (!table.group.attributes_unreadable && object.examined)
      compare(table.group.attributes, object, table.path());
    group(table.group);
  }

 private:
  // The attributes of groups below a table are not read.
  void group(const hep001::Group& group) {
    for (const hep001::Child& child : group.children) {
      if (child.group) this->group(*child.group);
      if (child.dataset && !child.dataset->unreadable) dataset(*child.dataset);
    }
  }

  // By the address of its header, which is the token. An object without attributes and values
  // leaves no trace.
  const Object& at(const hep001::ObjectToken& token) {
    std::uint64_t address = 0;
    std::memcpy(&address, token.bytes.data(), sizeof address);
    return objects_[address];
  }

  void dataset(const hep001::Dataset& theirs) {
    const Object& object = at(theirs.token);
    const std::string place = file_ + ':' + theirs.path;
    if (!object.examined) return;
    if (!theirs.attributes_unreadable) compare(theirs.attributes, object, theirs.path);
    ASSERT_TRUE(object.dataset) << place;
    ++datasets;
    Values ours = *object.dataset;
    auto type_class = static_cast<unsigned>(theirs.type.cls);
    std::uint64_t size = theirs.type.size;
    overlook_variable(theirs.type, ours.type_class, ours.size, type_class, size);
    EXPECT_EQ(ours.type_class, type_class) << place;
    EXPECT_EQ(ours.size, size) << place;
    // For a virtual dataset, libhdf5 only reports the mapping, which may have no size.
    if (theirs.storage.layout != hep001::StorageLayout::kVirtual) {
      EXPECT_EQ(ours.extent, theirs.space.extent) << place;
      EXPECT_EQ(ours.maximum, theirs.space.max_extent) << place;
    }
    EXPECT_EQ(ours.chunk, theirs.storage.chunk) << place;
    std::vector<unsigned> filters;
    for (const hep001::Filter& each : theirs.storage.filters)
      filters.push_back(static_cast<unsigned>(each.id));
    EXPECT_EQ(ours.filters, filters) << place;
  }

  void compare(const hep001::Attributes& theirs, const Object& object, const std::string& path) {
    const auto names = [](const auto& all) {
      std::vector<std::string> made;
      for (const auto& [name, attribute] : all) made.push_back(name);
      return made;
    };
    EXPECT_EQ(names(object.attributes), names(theirs)) << file_ << ':' << path;
    for (const auto& [name, attribute] : theirs) {
      const auto it = object.attributes.find(name);
      if (it == object.attributes.end() || attribute.unreadable) continue;
      ++attributes;
      Value ours = it->second;
      auto type_class = static_cast<unsigned>(attribute.type.cls);
      std::uint64_t size = attribute.type.size;
      overlook_variable(attribute.type, ours.type_class, ours.size, type_class, size);
      const bool null = attribute.space.kind == hep001::Dataspace::Kind::kNull;
      const std::string place = std::format("{}:{}@{}", file_, path, name);
      EXPECT_EQ(ours.type_class, type_class) << place;
      EXPECT_EQ(ours.size, size) << place;
      EXPECT_EQ(ours.elements, null ? 0 : attribute.space.elements()) << place;
      if (!attribute.bytes.empty()) {
        EXPECT_EQ(ours.bytes, attribute.bytes) << place;
      }
    }
  }

  Objects objects_;
  std::string file_;
};

struct Totals {
  std::size_t groups = 0, attributes = 0, datasets = 0;
};

// The root is treated as a table unless there are groups with CLASS.
enum class Which : std::uint8_t { kTables, kRoot };

void read_twice(const fs::path& path, Which which, Totals& totals) {
  hep001::libhdf5::initialise(false);
  const Result<Descriptor> opened = open_for_reading(path);
  ASSERT_TRUE(opened) << path;
  const auto file = hep001::libhdf5::File::open_descriptor(opened->get(), path);
  if (!file) return;
  auto objects = from_raw_bytes(Bytes::of_descriptor(opened->get(), path));
  if (!objects) return;
  Comparison comparison(*std::move(objects), path.string());
  const auto compare = [&](const hep001::Table& table) {
    ++totals.groups;
    comparison.table(table);
  };
  if (which == Which::kTables)
    hep001::libhdf5::for_each_table(*file, {.table = [&](hep001::Table&& table) { compare(table); },
                                            .unreadable = [](const Error&) {}});
  else if (const Result<hep001::Table> root = hep001::libhdf5::read_table_at(*file, "/"))
    compare(*root);
  totals.attributes += comparison.attributes;
  totals.datasets += comparison.datasets;
}

// Memory shared with a child.
class SharedTotals {
 public:
  SharedTotals()
      : at_(::mmap(nullptr, sizeof(Totals), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                   0)) {
    if (at_ == MAP_FAILED) throw std::bad_alloc();
    new (at_) Totals;
  }
  SharedTotals(const SharedTotals&) = delete;
  SharedTotals& operator=(const SharedTotals&) = delete;
  ~SharedTotals() { ::munmap(at_, sizeof(Totals)); }

  Totals& operator*() { return *static_cast<Totals*>(at_); }

 private:
  void* at_;
};

// In child processes: a library with assertions aborts on some files. `died`: their number.
Totals read_safely(std::span<const fs::path> paths, Which which, std::size_t& died) {
  SharedTotals totals;
  for (const fs::path& path : paths) {
    const std::optional<int> status = in_a_child([&] {
      const int before = failures();
      read_twice(path, which, *totals);
      std::fflush(nullptr);
      return failures() > before ? 1 : 0;
    });
    died += !status;
    EXPECT_EQ(status.value_or(0), 0) << path;
  }
  return *totals;
}

TEST(TwoReaders, AgreeAboutTables) {
  Totals totals;
  const std::vector<fs::path> paths = files_below(fs::path(HEPCHECK_FIXTURES) / "hep001");
  for (std::size_t i = 0; i < paths.size(); i += 2) read_twice(paths[i], Which::kTables, totals);
  EXPECT_GT(totals.groups, 400u);
  EXPECT_GT(totals.datasets, totals.groups);
  EXPECT_GT(totals.attributes, 5 * totals.groups);
}

TEST(TwoReaders, AgreeAboutContainers) {
  std::size_t died = 0;
  const std::vector<fs::path> paths = files_below(fs::path(HEPCHECK_FIXTURES) / "hdf5/valid");
  const Totals totals = read_safely(paths, Which::kRoot, died);
  EXPECT_LT(died, paths.size() / 20);
  EXPECT_GT(totals.groups, paths.size() / 2);
  EXPECT_GT(totals.datasets, paths.size() / 2);
  EXPECT_GT(totals.attributes, 40u);
}

TEST(TwoReaders, AgreeAboutRealFiles) {
  const fs::path folder = fs::path(HEPCHECK_FIXTURES) / "../../shared/corpus";
  if (!fs::is_directory(folder)) GTEST_SKIP() << "the files are not here";
  std::vector<fs::path> paths;
  for (const char* part : {"hdf5/hdf5", "hdf5/jhdf", "hdf5/pyfive", "foreign"})
    std::ranges::move(files_below(folder / part), std::back_inserter(paths));
  std::size_t died = 0;
  const Totals totals = read_safely(paths, Which::kRoot, died);
  EXPECT_LT(died, paths.size() / 20);
  EXPECT_GT(totals.groups, 100u);
  EXPECT_GT(totals.attributes, 40u);
  EXPECT_GT(totals.datasets, 200u);
}

// --- Filters that both undo with code of their own
// ------------------------------------------------

using Data = std::vector<std::byte>;

// The values of the filter for a type of `size` bytes.
void nbit_type(std::vector<unsigned>& into, unsigned size, Random& random, unsigned depth) {
  const std::uint64_t kind = depth < 3 ? random.below(5) : random.below(2);
  if (kind <= 1) {
    if (kind == 1 && random.once_in(2)) {
      into.insert(into.end(), {4, size});
      return;
    }
    into.insert(into.end(), {1, size});
    into.push_back(random.number(2));
    const unsigned precision = 1 + random.number(8 * size);
    into.push_back(precision);
    into.push_back(random.number(8 * size - precision + 1));
  } else if (kind == 2 && size % 2 == 0) {
    into.insert(into.end(), {2, size});
    nbit_type(into, size / 2, random, depth + 1);
  } else {
    into.insert(into.end(), {3, size, size > 1 ? 2U : 1U});
    const unsigned first = size > 1 ? 1 + random.number(size - 1) : 1;
    into.push_back(0);
    nbit_type(into, first, random, depth + 1);
    if (size == 1) return;
    into.push_back(first);
    nbit_type(into, size - first, random, depth + 1);
  }
}

// Whether both succeed; what they return is the same.
bool both_unpack(auto one, auto other, const std::vector<unsigned>& values, const Data& packed,
                 unsigned size, unsigned elements) {
  Data made(elements * size), also_made(elements * size);
  const bool done = one(values, packed, made).has_value();
  EXPECT_EQ(done, other({.values = {values.begin(), values.end()}}, packed, size, also_made));
  if (done) {
    EXPECT_EQ(made, also_made);
  }
  return done;
}

TEST(TwoReaders, UnpackNbitAlike) {
  std::size_t good = 0;
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    Random random(i);
    const unsigned size = 1 + random.number(12), elements = 1 + random.number(4);
    std::vector<unsigned> values{0, 0, elements};
    nbit_type(values, size, random, 0);
    values[0] = static_cast<unsigned>(values.size());
    const Data packed = random.bytes(random.below(elements * size + 1));
    ASSERT_EQ(hep001::nbit_bytes(values), std::uint64_t{elements} * size);
    good += both_unpack(hep001::unpack_nbit, hdf5::unpack_nbit, values, packed, size, elements);
    if (HasFailure()) FAIL() << i;
  }
  EXPECT_GT(good, 500u);
}

TEST(TwoReaders, UnpackScaleOffsetAlike) {
  std::size_t good = 0;
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    Random random(i);
    const bool real = random.once_in(3);
    const unsigned size = real ? 4U << random.number(2) : 1U << random.number(4);
    const unsigned elements = 1 + random.number(5);
    std::vector<unsigned> values{real ? 0U : 2U, real ? random.number(4) : 0U, elements,
                                 real ? 1U : 0U, size};
    for (int n = 0; n < 3; ++n) values.push_back(random.number(2));
    for (int n = 0; n < 2; ++n) values.push_back(random.number(1'000));
    values.resize(20);
    const unsigned bits = random.number(8 * size + 2);
    Data packed;
    put_number(packed, bits, 4);
    put_number(packed, 8, 1);
    put_number(packed, real ? std::uint64_t{random.number(1'000)} << 50 : random.below(1'000), 8);
    packed.resize(21);
    const Data numbers = random.bytes((elements * bits + 7) / 8);
    packed.insert(packed.end(), numbers.begin(), numbers.end());
    if (random.once_in(6)) packed.resize(random.below(packed.size()));
    ASSERT_EQ(hep001::scale_offset_bytes(values), std::uint64_t{elements} * size);
    good += both_unpack(hep001::unpack_scale_offset, hdf5::unpack_scale_offset, values, packed,
                        size, elements);
    if (HasFailure()) FAIL() << i;
  }
  EXPECT_GT(good, 500u);
}

}  // namespace
