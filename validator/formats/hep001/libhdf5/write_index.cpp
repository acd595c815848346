#include "validator/formats/hep001/libhdf5/write_index.h"

#include <algorithm>
#include <cstring>
#include <format>

#include "validator/formats/hep001/libhdf5/error.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

constexpr const char* kList = "SEARCH_INDEX_LIST";

ObjectHandle opened(const File& file, const ObjectToken& token) {
  return ObjectHandle{H5Oopen_by_token(file.context().file, native_token(token))};
}

// --- attributes

bool put_attribute(hid_t object, const char* name, hid_t file_type, hid_t memory_type,
                   const void* value) {
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
// With a terminating NUL, as 7.1 has it for CLASS.
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

// A reference to an object of this file.
class ObjectReference {
 public:
  explicit ObjectReference(hid_t object)
      : made_(H5Rcreate_object(object, ".", H5P_DEFAULT, &reference_) >= 0) {}
  ObjectReference(const ObjectReference&) = delete;
  ObjectReference& operator=(const ObjectReference&) = delete;
  ~ObjectReference() {
    if (made_) H5Rdestroy(&reference_);
  }
  explicit operator bool() const { return made_; }
  const H5R_ref_t& get() const { return reference_; }

 private:
  H5R_ref_t reference_{};
  bool made_;
};

bool put_reference(hid_t object, const char* name, hid_t target) {
  const ObjectReference reference(target);
  return reference && put_attribute(object, name, H5T_STD_REF, H5T_STD_REF, &reference.get());
}

// --- datasets

// A dataset without a link, contiguous, written whole. Equal contents give equal bytes: no times.
ObjectHandle make_dataset(hid_t file, hid_t file_type, hid_t memory_type,
                          const std::vector<hsize_t>& extent, const void* elements) {
  const PropertyHandle properties{H5Pcreate(H5P_DATASET_CREATE)};
  const SpaceHandle space{
      H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr)};
  if (!properties || !space || H5Pset_obj_track_times(properties.get(), false) < 0) return {};
  ObjectHandle dataset{H5Dcreate_anon(file, file_type, space.get(), properties.get(), H5P_DEFAULT)};
  if (!dataset) return {};
  const bool empty = std::ranges::contains(extent, hsize_t{0});
  if (!empty && H5Dwrite(dataset.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements) < 0)
    return {};
  return dataset;
}

// Appends a value as an element in memory: of a variable-length string, a pointer to its text.
void append_element(std::vector<std::byte>& bytes, const OwnedValue& value, bool variable,
                    std::vector<std::string>& texts) {
  if (!variable) {
    bytes.insert(bytes.end(), value.begin(), value.end());
    return;
  }
  const char* text =
      texts.emplace_back(reinterpret_cast<const char*>(value.data()), value.size()).c_str();
  const auto pointer = std::as_bytes(std::span(&text, 1));
  bytes.insert(bytes.end(), pointer.begin(), pointer.end());
}

// What the new index is made from.
struct Place {
  hid_t file;
  hid_t column_type;  // the column's own datatype
  bool variable;      // it is a variable-length string
};

// The index dataset and the datasets that it needs, by the end of their names.
struct Made {
  ObjectHandle index{};
  ObjectHandle values{};
  std::string suffix{};
};

bool make(const Place& place, const std::vector<ChunkMinmax>& entries, Made& into) {
  into.suffix = "__chunk_minmax";
  const std::size_t size = H5Tget_size(place.column_type);
  const TypeHandle type{H5Tcreate(H5T_COMPOUND, 2 * size + 24)};
  const bool complete = H5Tinsert(type.get(), "min", 0, place.column_type) >= 0 &&
                        H5Tinsert(type.get(), "max", size, place.column_type) >= 0 &&
                        H5Tinsert(type.get(), "nan_count", 2 * size, H5T_STD_U64LE) >= 0 &&
                        H5Tinsert(type.get(), "fill_count", 2 * size + 8, H5T_STD_U64LE) >= 0 &&
                        H5Tinsert(type.get(), "n", 2 * size + 16, H5T_STD_U64LE) >= 0;
  if (!complete) return false;
  std::vector<std::byte> bytes;
  bytes.reserve(entries.size() * (2 * size + 24));
  std::vector<std::string> texts;
  texts.reserve(2 * entries.size());  // never grows: elements point into it
  for (const ChunkMinmax& entry : entries) {
    append_element(bytes, entry.min, place.variable, texts);
    append_element(bytes, entry.max, place.variable, texts);
    for (const std::uint64_t n : {entry.nan_count, entry.fill_count, entry.n})
      for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<std::byte>(n >> (8 * i)));
  }
  into.index = make_dataset(place.file, type.get(), type.get(), {entries.size()}, bytes.data());
  return into.index && put_ascii(into.index.get(), "KIND", "CHUNK_MINMAX");
}

bool make(const Place& place, const SortedRows& sorted, Made& into) {
  into.suffix = "__sorted_rows";
  into.index = make_dataset(place.file, H5T_STD_U64LE, H5T_NATIVE_UINT64, {sorted.rows.size()},
                            sorted.rows.data());
  const hid_t index = into.index.get();
  return into.index && put_ascii(index, "KIND", "SORTED_ROWS") &&
         put_number(index, "nan_tail_length", H5T_STD_U64LE, sorted.nan_tail_length) &&
         put_number(index, "fill_tail_length", H5T_STD_U64LE, sorted.fill_tail_length) &&
         put_boolean(index, "ordered", true);
}

bool make(const Place& place, const Bitmap& bitmap, Made& into) {
  into.suffix = "__bitmap";
  std::vector<std::byte> bytes;
  std::vector<std::string> texts;
  texts.reserve(bitmap.values.size());  // never grows: elements point into it
  for (const OwnedValue& value : bitmap.values) append_element(bytes, value, place.variable, texts);
  into.values = make_dataset(place.file, place.column_type, place.column_type,
                             {bitmap.values.size()}, bytes.data());
  into.index = make_dataset(place.file, H5T_STD_U8LE, H5T_NATIVE_UINT8,
                            {bitmap.values.size(), bitmap.row_bytes}, bitmap.bits.data());
  const hid_t index = into.index.get();
  return into.values && into.index && put_ascii(index, "KIND", "BITMAP") &&
         put_reference(index, "VALUES", into.values.get()) &&
         put_boolean(index, "ordered", bitmap.ordered);
}

bool make(const Place& place, const BloomFilters& bloom, Made& into) {
  into.suffix = "__chunk_bloom";
  const BloomParameters& p = bloom.parameters;
  const std::uint64_t m_bytes = p.m_bits / 8;
  into.index = make_dataset(place.file, H5T_STD_U8LE, H5T_NATIVE_UINT8,
                            {bloom.filters.size() / m_bytes, m_bytes}, bloom.filters.data());
  const hid_t index = into.index.get();
  return into.index && put_ascii(index, "KIND", "CHUNK_BLOOM") &&
         put_number(index, "k", H5T_STD_U16LE, p.k) &&
         put_number(index, "m_bits", H5T_STD_U64LE, p.m_bits) &&
         put_number(index, "seed", H5T_STD_U32LE, p.seed) &&
         put_ascii(index, "hash_family", "murmur3_x64_128_double");
}

// --- links

// `name`, or with a number behind it if there is such a link already.
std::string free_name(hid_t group, const std::string& name) {
  std::string candidate = name;
  for (int i = 2; H5Lexists(group, candidate.c_str(), H5P_DEFAULT) > 0; ++i)
    candidate = std::format("{}_{}", name, i);
  return candidate;
}

bool link(hid_t object, hid_t group, const std::string& name) {
  const PropertyHandle utf8{H5Pcreate(H5P_LINK_CREATE)};
  return H5Pset_char_encoding(utf8.get(), H5T_CSET_UTF8) >= 0 &&
         H5Olink(object, group, name.c_str(), utf8.get(), H5P_DEFAULT) >= 0;
}

// Gives an object the name that was wanted, if that is free by now. By two steps, since H5Lmove of
// HDF5 1.14.5 crashes in groups that were opened by token.
bool rename(hid_t object, hid_t group, std::string& name, const std::string& wanted) {
  if (name == wanted || H5Lexists(group, wanted.c_str(), H5P_DEFAULT) > 0) return true;
  if (!link(object, group, wanted) || H5Ldelete(group, name.c_str(), H5P_DEFAULT) < 0) return false;
  name = wanted;
  return true;
}

// The SEARCH_INDEXES group; made if the table has none.
ObjectHandle search_indexes(const File& file, const Table& table) {
  if (table.search_indexes_group) return opened(file, table.search_indexes_group->token);
  const ObjectHandle group = opened(file, table.group.token);
  if (!group) return {};
  const PropertyHandle properties{H5Pcreate(H5P_GROUP_CREATE)};
  if (H5Pset_obj_track_times(properties.get(), false) < 0) return {};
  return ObjectHandle{
      H5Gcreate2(group.get(), "SEARCH_INDEXES", H5P_DEFAULT, properties.get(), H5P_DEFAULT)};
}

// --- lists

// The references of a list as they are in memory, of either generation.
class ListBuffer {
 public:
  explicit ListBuffer(bool standard)
      : standard_(standard), size_(standard ? sizeof(H5R_ref_t) : sizeof(hobj_ref_t)) {}
  ListBuffer(const ListBuffer&) = delete;
  ListBuffer& operator=(const ListBuffer&) = delete;
  ~ListBuffer() {
    if (!standard_) return;
    for (std::size_t i = 0; i < stored_.size() / size_; ++i)
      if (auto* reference = reinterpret_cast<H5R_ref_t*>(stored_.data() + i * size_);
          H5Rget_type(reference) >= H5R_OBJECT2)  // null elements have no type to speak of
        H5Rdestroy(reference);
  }

  hid_t type() const { return standard_ ? H5T_STD_REF : H5T_STD_REF_OBJ; }
  bool read(hid_t attribute, std::size_t count) {
    stored_.resize(count * size_);
    return H5Aread(attribute, type(), stored_.data()) >= 0;
  }
  void keep(std::size_t i) { keep(stored_.data() + i * size_); }
  void keep(const void* reference) {
    const auto* bytes = static_cast<const std::byte*>(reference);
    kept_.insert(kept_.end(), bytes, bytes + size_);
  }
  std::size_t count() const { return kept_.size() / size_; }
  const void* elements() const { return kept_.data(); }

 private:
  bool standard_;
  std::size_t size_;
  std::vector<std::byte> stored_{}, kept_{};  // the second borrows what the first owns
};

// Rewrites a column's SEARCH_INDEX_LIST: without some objects, with another one at the end. The
// new list is written whole before it takes the old one's name.
bool relist(hid_t column, const Dataset& model, const Tokens& without,
            const ObjectReference* added) {
  const Attribute* list = model.attribute(kList);
  if (list && list->unreadable) return false;
  const bool standard = !list || list->type.reference == ReferenceKind::kStandard;
  if (added && !standard) return false;  // add_index needs a conformant table
  ListBuffer buffer(standard);
  if (list) {
    const AttributeHandle old{H5Aopen(column, kList, H5P_DEFAULT)};
    if (!old || !buffer.read(old.get(), list->references.size())) return false;
    for (std::size_t i = 0; i < list->references.size(); ++i)
      if (const Reference& r = list->references[i]; !r.resolved() || !without.contains(r.token))
        buffer.keep(i);
  }
  if (added) buffer.keep(&added->get());
  if (buffer.count() == 0) return !list || H5Adelete(column, kList) >= 0;

  constexpr const char* kNext = "SEARCH_INDEX_LIST being written";
  const hsize_t count = buffer.count();
  const SpaceHandle space{H5Screate_simple(1, &count, nullptr)};
  {
    const AttributeHandle next{
        H5Acreate2(column, kNext, buffer.type(), space.get(), H5P_DEFAULT, H5P_DEFAULT)};
    if (!next || H5Awrite(next.get(), buffer.type(), buffer.elements()) < 0) return false;
  }
  return (!list || H5Adelete(column, kList) >= 0) && H5Arename(column, kNext, kList) >= 0;
}

// Takes objects off the lists of all columns but one, which is seen to already.
bool unlist(const File& file, const Table& table, const Tokens& without, const Column* but) {
  const auto is_leaving = [&](const Reference& r) {
    return r.resolved() && without.contains(r.token);
  };
  return std::ranges::all_of(table.columns, [&](const Column& column) {
    const Attribute* list = column.data->attribute(kList);
    if (&column == but || !list || std::ranges::none_of(list->references, is_leaving)) return true;
    const ObjectHandle dataset = opened(file, column.data->token);
    return dataset && relist(dataset.get(), *column.data, without, nullptr);
  });
}

// Deletes every link of SEARCH_INDEXES to some datasets that no list refers to any more.
bool unlink(const File& file, const Table& table, const Tokens& datasets) {
  const ObjectHandle group = opened(file, table.search_indexes_group->token);
  return group &&
         std::ranges::all_of(table.search_indexes_group->children, [&](const Child& child) {
           return !child.hard() || !datasets.contains(child.token) ||
                  H5Ldelete(group.get(), child.name.c_str(), H5P_DEFAULT) >= 0;
         });
}

}  // namespace

Tokens datasets_of(const Table& table, const std::vector<const SearchIndex*>& indexes) {
  Tokens all;
  for (const SearchIndex* index : indexes) {
    all.insert(index->data->token);
    if (index->values) all.insert(index->values->token);
  }
  for (const SearchIndex& other : table.indexes)
    if (other.values && !all.contains(other.data->token)) all.erase(other.values->token);
  return all;
}

Result<std::string> add_index(const File& file, const Table& table, const Column& column,
                              const IndexContents& index,
                              const std::vector<const SearchIndex*>& replaced) {
  const Dataset& model = *column.data;
  const std::string folder = join_path(table.path(), "SEARCH_INDEXES");
  const ObjectHandle dataset = opened(file, model.token);
  if (!dataset) return library_failure(model.path);
  const TypeHandle stored{H5Dget_type(dataset.get())};
  const TypeHandle type{H5Tcopy(stored.get())};  // a named datatype stays with the column
  const ObjectHandle group = search_indexes(file, table);
  if (!type || !group) return library_failure(folder);

  // Whole, and in place on disk, before anything leads to it.
  Made made;
  const Place place{file.context().file, type.get(), model.type.variable_string()};
  const bool whole = std::visit([&](const auto& contents) { return make(place, contents, made); },
                                index.contents) &&
                     put_utf8(made.index.get(), "description", index.description) && file.flush();
  if (!whole) return library_failure("the new index over " + model.path);

  const std::string wanted = model.name + made.suffix;
  std::string name = free_name(group.get(), wanted);
  std::string values_name = made.values ? free_name(group.get(), name + "_values") : "";
  Tokens old;
  for (const SearchIndex* r : replaced) old.insert(r->data->token);
  const ObjectReference reference(made.index.get());
  const bool listed = reference &&
                      (!made.values || link(made.values.get(), group.get(), values_name)) &&
                      link(made.index.get(), group.get(), name) && file.flush() &&
                      relist(dataset.get(), model, old, &reference);
  if (!listed) return library_failure(join_path(folder, name));
  if (!unlist(file, table, old, &column) || !file.flush())
    return library_failure(model.path + " " + kList);
  if (replaced.empty()) return join_path(folder, name);

  const bool tidy =
      unlink(file, table, datasets_of(table, replaced)) &&
      rename(made.index.get(), group.get(), name, wanted) &&
      (!made.values || rename(made.values.get(), group.get(), values_name, wanted + "_values")) &&
      file.flush();
  if (!tidy) return library_failure(folder);
  return join_path(folder, name);
}

Result<void> remove_indexes(const File& file, const Table& table,
                            const std::vector<const SearchIndex*>& indexes) {
  Tokens tokens;
  for (const SearchIndex* index : indexes) tokens.insert(index->data->token);
  if (!unlist(file, table, tokens, nullptr) || !file.flush()) return library_failure(table.path());
  if (!unlink(file, table, datasets_of(table, indexes)) || !file.flush())
    return library_failure(join_path(table.path(), "SEARCH_INDEXES"));
  return {};
}

}  // namespace hepcheck::hep001::libhdf5
