#include "validator/formats/hep001/libhdf5/index_dataset.h"

#include <algorithm>
#include <deque>
#include <span>

namespace hepcheck::hep001::libhdf5 {

namespace {

// --- attributes

// Overwrites an attribute of the same datatype; an attribute of another datatype is created again.
bool put_attribute(hid_t object, const char* name, hid_t file_type, hid_t memory_type,
                   const void* value) {
  const htri_t there = H5Aexists(object, name);
  if (there < 0) return false;
  if (there > 0) {
    {
      const AttributeHandle old{H5Aopen(object, name, H5P_DEFAULT)};
      const TypeHandle type{H5Aget_type(old.get())};
      const SpaceHandle space{H5Aget_space(old.get())};
      const htri_t same = H5Tequal(type.get(), file_type);
      if (!space || same < 0) return false;
      if (same > 0 && H5Sget_simple_extent_type(space.get()) == H5S_SCALAR)
        return H5Awrite(old.get(), memory_type, value) >= 0;
    }
    if (H5Adelete(object, name) < 0) return false;
  }
  const SpaceHandle scalar{H5Screate(H5S_SCALAR)};
  const AttributeHandle attribute{
      H5Acreate2(object, name, file_type, scalar.get(), H5P_DEFAULT, H5P_DEFAULT)};
  return attribute && H5Awrite(attribute.get(), memory_type, value) >= 0;
}

bool put_text(hid_t object, const char* name, const std::string& value, H5T_str_t padding,
              H5T_cset_t set, std::size_t size) {
  const TypeHandle type{H5Tcopy(H5T_C_S1)};
  return H5Tset_size(type.get(), size) >= 0 && H5Tset_strpad(type.get(), padding) >= 0 &&
         H5Tset_cset(type.get(), set) >= 0 &&
         put_attribute(object, name, type.get(), type.get(), value.c_str());
}
// With a terminating NUL, as 7.1 requires for CLASS.
bool put_ascii(hid_t object, const char* name, const std::string& value) {
  return put_text(object, name, value, H5T_STR_NULLTERM, H5T_CSET_ASCII, value.size() + 1);
}
bool put_utf8(hid_t object, const char* name, const std::string& value) {
  return put_text(object, name, value, H5T_STR_NULLPAD, H5T_CSET_UTF8,
                  std::max<std::size_t>(1, value.size()));
}
bool put_number(hid_t object, const char* name, hid_t file_type, std::uint64_t value) {
  return put_attribute(object, name, file_type, H5T_NATIVE_UINT64, &value);
}

bool put_boolean(hid_t object, const char* name, bool value) {
  const TypeHandle type{H5Tenum_create(H5T_STD_I8LE)};
  const std::int8_t no = 0, yes = 1;
  return H5Tenum_insert(type.get(), "FALSE", &no) >= 0 &&
         H5Tenum_insert(type.get(), "TRUE", &yes) >= 0 &&
         put_attribute(object, name, type.get(), type.get(), value ? &yes : &no);
}

// An existing reference is kept: it refers to the same object.
bool put_reference(hid_t object, const char* name, hid_t target) {
  if (const htri_t there = H5Aexists(object, name); there != 0) return there > 0;
  const ObjectReference reference(target);
  return reference && put_attribute(object, name, H5T_STD_REF, H5T_STD_REF, &reference.get());
}

// --- elements

// The elements of one dataset, in memory. `own` holds those that had to be built.
struct Elements {
  TypeHandle file_type{}, memory_type{};
  std::vector<hsize_t> extent{};
  const void* data = nullptr;
  std::size_t grows = 0;  // the dimension along which it grows with the table
  std::vector<std::byte> own{};
  std::deque<std::string> texts{};  // the targets of pointers in `own`; their addresses are stable

  bool empty() const { return std::ranges::contains(extent, hsize_t{0}); }
};

Elements elements_of(hid_t file_type, hid_t memory_type, std::vector<hsize_t> extent,
                     const void* data) {
  Elements elements;
  elements.file_type = TypeHandle{H5Tcopy(file_type)};
  elements.memory_type = TypeHandle{H5Tcopy(memory_type)};
  elements.extent = std::move(extent);
  elements.data = data;
  return elements;
}

// Appends a value as an element in memory: for a variable-length string, a pointer to its text.
void append(Elements& elements, const OwnedValue& value, bool variable) {
  if (!variable) {
    elements.own.insert(elements.own.end(), value.begin(), value.end());
    return;
  }
  const char* text =
      elements.texts.emplace_back(reinterpret_cast<const char*>(value.data()), value.size())
          .c_str();
  const auto pointer = std::as_bytes(std::span(&text, 1));
  elements.own.insert(elements.own.end(), pointer.begin(), pointer.end());
}

// --- families

const char* kind_of(const std::vector<ChunkMinmax>&) { return "CHUNK_MINMAX"; }
const char* kind_of(const SortedRows&) { return "SORTED_ROWS"; }
const char* kind_of(const Bitmap&) { return "BITMAP"; }
const char* kind_of(const BloomFilters&) { return "CHUNK_BLOOM"; }

Elements elements_of(const IndexSource& source, const std::vector<ChunkMinmax>& entries) {
  const std::size_t size = H5Tget_size(source.column_type);
  const TypeHandle type{H5Tcreate(H5T_COMPOUND, 2 * size + 24)};
  const bool complete = H5Tinsert(type.get(), "min", 0, source.column_type) >= 0 &&
                        H5Tinsert(type.get(), "max", size, source.column_type) >= 0 &&
                        H5Tinsert(type.get(), "nan_count", 2 * size, H5T_STD_U64LE) >= 0 &&
                        H5Tinsert(type.get(), "fill_count", 2 * size + 8, H5T_STD_U64LE) >= 0 &&
                        H5Tinsert(type.get(), "n", 2 * size + 16, H5T_STD_U64LE) >= 0;
  if (!complete) return {};
  Elements elements = elements_of(type.get(), type.get(), {entries.size()}, nullptr);
  elements.own.reserve(entries.size() * (2 * size + 24));
  for (const ChunkMinmax& entry : entries) {
    append(elements, entry.min, source.variable);
    append(elements, entry.max, source.variable);
    for (const std::uint64_t n : {entry.nan_count, entry.fill_count, entry.n})
      for (int i = 0; i < 8; ++i) elements.own.push_back(static_cast<std::byte>(n >> (8 * i)));
  }
  elements.data = elements.own.data();
  return elements;
}

Elements elements_of(const IndexSource&, const SortedRows& sorted) {
  return elements_of(H5T_STD_U64LE, H5T_NATIVE_UINT64, {sorted.rows.size()}, sorted.rows.data());
}
Elements elements_of(const IndexSource&, const Bitmap& bitmap) {
  Elements elements = elements_of(H5T_STD_U8LE, H5T_NATIVE_UINT8,
                                  {bitmap.values.size(), bitmap.row_bytes}, bitmap.bits.data());
  elements.grows = 1;
  return elements;
}
Elements elements_of(const IndexSource&, const BloomFilters& bloom) {
  const std::uint64_t m_bytes = bloom.parameters.m_bits / 8;
  return elements_of(H5T_STD_U8LE, H5T_NATIVE_UINT8, {bloom.filters.size() / m_bytes, m_bytes},
                     bloom.filters.data());
}

template <class Contents>
Elements values_of(const IndexSource&, const Contents&) {
  return {};  // only bitmaps have a values dataset
}
Elements values_of(const IndexSource& source, const Bitmap& bitmap) {
  Elements elements =
      elements_of(source.column_type, source.column_type, {bitmap.values.size()}, nullptr);
  for (const OwnedValue& value : bitmap.values) append(elements, value, source.variable);
  elements.data = elements.own.data();
  return elements;
}

bool put_attributes(const IndexDatasets&, const std::vector<ChunkMinmax>&, bool) { return true; }
bool put_attributes(const IndexDatasets& to, const SortedRows& sorted, bool) {
  const hid_t index = to.index.get();
  return put_number(index, "nan_tail_length", H5T_STD_U64LE, sorted.nan_tail_length) &&
         put_number(index, "fill_tail_length", H5T_STD_U64LE, sorted.fill_tail_length) &&
         put_boolean(index, "ordered", true);
}
bool put_attributes(const IndexDatasets& to, const Bitmap& bitmap, bool tokens) {
  const hid_t index = to.index.get();
  // Every distinct value that is not missing is listed; older revisions do not have this attribute.
  return put_reference(index, "VALUES", to.values.get()) &&
         put_boolean(index, "ordered", bitmap.ordered) &&
         (!tokens || put_boolean(index, "exhaustive", true));
}
bool put_attributes(const IndexDatasets& to, const BloomFilters& bloom, bool) {
  const hid_t index = to.index.get();
  const BloomParameters& p = bloom.parameters;
  return put_number(index, "k", H5T_STD_U16LE, p.k) &&
         put_number(index, "m_bits", H5T_STD_U64LE, p.m_bits) &&
         put_number(index, "seed", H5T_STD_U32LE, p.seed) &&
         put_ascii(index, "hash_family", "murmur3_x64_128_double");
}

bool put_attributes(const IndexDatasets& to, const IndexContents& index) {
  const bool tokens = index.tokens.has_value();
  return std::visit(
             [&](const auto& contents) {
               return put_ascii(to.index.get(), "KIND", kind_of(contents)) &&
                      put_attributes(to, contents, tokens);
             },
             index.contents) &&
         put_utf8(to.index.get(), "description", index.description);
}

struct AllElements {
  Elements index, values;
};
AllElements all_elements(const IndexSource& source, const IndexContents& index) {
  return std::visit(
      [&](const auto& contents) {
        return AllElements{elements_of(source, contents), values_of(source, contents)};
      },
      index.contents);
}

// --- datasets

// Chunks of at most one mebibyte, the last dimension first: a row of bits is read at once. Those of
// a small index can grow.
std::vector<hsize_t> chunk_of(const Elements& elements) {
  constexpr hsize_t kLeast = 512, kLeastBits = 64, kMost = hsize_t{1} << 20;
  std::vector<hsize_t> chunk(elements.extent.size());
  hsize_t bytes = std::max<hsize_t>(1, H5Tget_size(elements.file_type.get()));
  for (std::size_t i = chunk.size(); i-- > 0;) {
    const hsize_t room = i != elements.grows ? 1 : i > 0 ? kLeastBits : kLeast / bytes;
    chunk[i] = std::min(std::max({hsize_t{1}, elements.extent[i], room}),
                        std::max<hsize_t>(1, kMost / bytes));
    bytes *= chunk[i];
  }
  return chunk;
}

bool write(hid_t dataset, const Elements& elements) {
  return elements.empty() || H5Dwrite(dataset, elements.memory_type.get(), H5S_ALL, H5S_ALL,
                                      H5P_DEFAULT, elements.data) >= 0;
}

// Creates a dataset without a link and writes it completely. Equal contents give equal bytes: no
// times. In revisions with tokens, stale indexes are refilled in place, so the dataset can grow.
ObjectHandle make_dataset(hid_t file, const Elements& elements, bool growable) {
  const PropertyHandle properties{H5Pcreate(H5P_DATASET_CREATE)};
  const auto rank = static_cast<int>(elements.extent.size());
  const std::vector<hsize_t> chunk = chunk_of(elements);
  const std::vector<hsize_t> unlimited(elements.extent.size(), H5S_UNLIMITED);
  const SpaceHandle space{
      H5Screate_simple(rank, elements.extent.data(), growable ? unlimited.data() : nullptr)};
  if (!properties || !space || H5Pset_obj_track_times(properties.get(), false) < 0) return {};
  if (growable && H5Pset_chunk(properties.get(), rank, chunk.data()) < 0) return {};
  ObjectHandle dataset{
      H5Dcreate_anon(file, elements.file_type.get(), space.get(), properties.get(), H5P_DEFAULT)};
  if (dataset && !write(dataset.get(), elements)) return {};
  return dataset;
}

// Whether all filters can process the data.
bool can_encode(hid_t properties) {
  for (int i = 0, count = H5Pget_nfilters(properties); i < count; ++i) {
    unsigned flags = 0, able = 0;
    std::size_t parameters = 0;
    const H5Z_filter_t filter = H5Pget_filter2(properties, static_cast<unsigned>(i), &flags,
                                               &parameters, nullptr, 0, nullptr, &able);
    if (filter < 0 || (able & H5Z_FILTER_CONFIG_ENCODE_ENABLED) == 0) return false;
  }
  return true;
}

bool can_take(hid_t dataset, const Elements& elements) {
  const TypeHandle type{H5Dget_type(dataset)};
  const SpaceHandle space{H5Dget_space(dataset)};
  const PropertyHandle properties{H5Dget_create_plist(dataset)};
  const std::size_t rank = elements.extent.size();
  std::vector<hsize_t> most(rank);
  return elements.file_type && H5Tequal(type.get(), elements.file_type.get()) > 0 &&
         H5Pget_layout(properties.get()) == H5D_CHUNKED && can_encode(properties.get()) &&
         H5Sget_simple_extent_ndims(space.get()) == static_cast<int>(rank) &&
         H5Sget_simple_extent_dims(space.get(), nullptr, most.data()) >= 0 &&
         std::ranges::all_of(most, [](hsize_t each) { return each == H5S_UNLIMITED; });
}

bool refill(hid_t dataset, const Elements& elements) {
  return H5Dset_extent(dataset, elements.extent.data()) >= 0 && write(dataset, elements);
}

}  // namespace

const char* suffix_of(const IndexContents& index) {
  constexpr const char* kSuffixes[] = {"__chunk_minmax", "__sorted_rows", "__bitmap",
                                       "__chunk_bloom"};
  return kSuffixes[index.contents.index()];
}

std::optional<IndexDatasets> make_datasets(const IndexSource& source, const IndexContents& index) {
  const AllElements elements = all_elements(source, index);
  if (!elements.index.file_type) return std::nullopt;
  const bool growable = index.tokens.has_value();
  IndexDatasets made;
  if (elements.values.file_type) {
    made.values = make_dataset(source.file, elements.values, growable);
    if (!made.values) return std::nullopt;
  }
  made.index = make_dataset(source.file, elements.index, growable);
  if (!made.index || !put_attributes(made, index)) return std::nullopt;
  return made;
}

bool can_take(const IndexSource& source, const IndexContents& index, const IndexDatasets& old) {
  const AllElements elements = all_elements(source, index);
  return old.index && can_take(old.index.get(), elements.index) &&
         (!elements.values.file_type ||
          (old.values && can_take(old.values.get(), elements.values)));
}

bool refill(const IndexSource& source, const IndexContents& index, const IndexDatasets& old) {
  const AllElements elements = all_elements(source, index);
  return refill(old.index.get(), elements.index) &&
         (!elements.values.file_type || refill(old.values.get(), elements.values)) &&
         put_attributes(old, index);
}

bool put_uint64(hid_t object, const char* name, std::uint64_t value) {
  return put_number(object, name, H5T_STD_U64LE, value);
}

}  // namespace hepcheck::hep001::libhdf5
