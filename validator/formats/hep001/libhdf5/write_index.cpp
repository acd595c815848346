#include "validator/formats/hep001/libhdf5/write_index.h"

#include <algorithm>
#include <cstring>
#include <format>

#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/tidy_references.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

constexpr const char* kList = "SEARCH_INDEX_LIST";

ObjectHandle opened(const File& file, const ObjectToken& token) {
  return ObjectHandle{H5Oopen_by_token(file.context().file, native_token(token))};
}

// --- links

// `name`, or with a number appended if there is such a link already.
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

// Gives an object the intended name if it is available now. In two steps, because H5Lmove of HDF5
// 1.14.5 crashes in groups that were opened by token.
bool rename(hid_t object, hid_t group, std::string& name, const std::string& wanted) {
  if (name == wanted || H5Lexists(group, wanted.c_str(), H5P_DEFAULT) > 0) return true;
  if (!link(object, group, wanted) || H5Ldelete(group, name.c_str(), H5P_DEFAULT) < 0) return false;
  name = wanted;
  return true;
}

// The SEARCH_INDEXES group; created if the table has none.
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

// The references of a list in memory, of either generation.
class ListBuffer {
 public:
  explicit ListBuffer(bool standard)
      : standard_(standard), size_(standard ? sizeof(H5R_ref_t) : sizeof(hobj_ref_t)) {}
  ListBuffer(const ListBuffer&) = delete;
  ListBuffer& operator=(const ListBuffer&) = delete;
  ~ListBuffer() {
    if (!standard_) return;
    for (std::size_t i = 0; i < stored_.size() / size_; ++i)
      if (is_set(*reference(i))) H5Rdestroy(reference(i));
  }

  hid_t type() const { return standard_ ? H5T_STD_REF : H5T_STD_REF_OBJ; }
  bool read(hid_t attribute, std::size_t count) {
    stored_.resize(count * size_);
    if (H5Aread(attribute, type(), stored_.data()) < 0) return false;
    if (standard_) tidy_references({reference(0), count});
    return true;
  }
  void keep(std::size_t i) { keep(stored_.data() + i * size_); }
  void keep(const void* reference) {
    const auto* bytes = static_cast<const std::byte*>(reference);
    kept_.insert(kept_.end(), bytes, bytes + size_);
  }
  std::size_t count() const { return kept_.size() / size_; }
  const void* elements() const { return kept_.data(); }

 private:
  H5R_ref_t* reference(std::size_t i) {
    return reinterpret_cast<H5R_ref_t*>(stored_.data() + i * size_);
  }
  bool standard_;
  std::size_t size_;
  std::vector<std::byte> stored_{}, kept_{};  // the second member refers to memory of the first
};

// Rewrites a column's SEARCH_INDEX_LIST without some objects, and with another one at the end. The
// new list is written completely before it takes the name of the old one.
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

// Removes objects from the lists of all columns except one, which is updated already.
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

// Deletes every link of SEARCH_INDEXES to datasets that no list refers to any more.
bool unlink(const File& file, const Table& table, const Tokens& datasets) {
  const ObjectHandle group = opened(file, table.search_indexes_group->token);
  return group &&
         std::ranges::all_of(table.search_indexes_group->children, [&](const Child& child) {
           return !child.hard() || !datasets.contains(child.token) ||
                  H5Ldelete(group.get(), child.name.c_str(), H5P_DEFAULT) >= 0;
         });
}

}  // namespace

namespace {

// 12.2, the tokens: a new index describes the present table, so the tokens are written after its
// contents.
bool put_tokens(hid_t index, const std::optional<ValidityTokens>& tokens) {
  return !tokens || (put_uint64(index, "SOURCE_GENERATION", tokens->generation) &&
                     put_uint64(index, "SOURCE_NROWS", tokens->nrows));
}

// Indexes that are about to change must fail the validity check first, also on disk. They get the
// token of a past state, which no later state can have; an index that an append left with the
// tokens of a state that was never committed gets it as well.
bool make_tokens_fail(const File& file, const std::vector<const SearchIndex*>& indexes,
                      const ValidityTokens& now) {
  return std::ranges::all_of(indexes,
                             [&](const SearchIndex* index) {
                               if (!index->data->attribute("SOURCE_GENERATION")) return true;
                               const ObjectHandle dataset = opened(file, index->data->token);
                               return dataset && put_uint64(dataset.get(), "SOURCE_GENERATION",
                                                            now.generation - 1);
                             }) &&
         file.flush();
}

// A table gets its GENERATION before an index gets tokens.
bool put_generation(const File& file, const Table& table, const ValidityTokens& tokens) {
  if (!tokens.first) return true;
  const ObjectHandle group = opened(file, table.group.token);
  return group && put_uint64(group.get(), "GENERATION", tokens.generation) && file.flush();
}

// The input of the new index, valid while the handles are open.
struct Source {
  ObjectHandle column{};
  TypeHandle type{};
  bool variable = false;

  Source(const File& file, const Dataset& model)
      : column(opened(file, model.token)), variable(model.type.variable_string()) {
    const TypeHandle stored{H5Dget_type(column.get())};
    type = TypeHandle{H5Tcopy(stored.get())};  // a named datatype belongs to the column
  }
  IndexSource of(const File& file) const { return {file.context().file, type.get(), variable}; }
};

// Refills a stale index in place, which is how it is updated (11.3). Nothing if its datasets cannot
// store the new contents.
std::optional<Result<std::string>> refilled(const File& file, const Table& table,
                                            const Source& source, const IndexContents& index,
                                            const std::vector<const SearchIndex*>& replaced) {
  if (!index.tokens || replaced.size() != 1) return std::nullopt;
  const SearchIndex& old = *replaced.front();
  if (old.values && !datasets_of(table, replaced).contains(old.values->token))
    return std::nullopt;  // another bitmap needs these values
  IndexDatasets datasets{.index = opened(file, old.data->token)};
  if (old.values) datasets.values = opened(file, old.values->token);
  if (!can_take(source.of(file), index, datasets)) return std::nullopt;
  const bool done = refill(source.of(file), index, datasets) && file.flush() &&
                    put_tokens(datasets.index.get(), index.tokens) && file.flush();
  if (!done) return library_failure(old.data->path);
  return old.data->path;
}

}  // namespace

Result<std::string> add_index(const File& file, const Table& table, const Column& column,
                              const IndexContents& index,
                              const std::vector<const SearchIndex*>& replaced, bool refill) {
  const Dataset& model = *column.data;
  const std::string folder = join_path(table.path(), "SEARCH_INDEXES");
  const Source source(file, model);
  if (!source.column || !source.type) return library_failure(model.path);
  if (index.tokens) {
    const bool ready = make_tokens_fail(file, replaced, *index.tokens) &&
                       put_generation(file, table, *index.tokens);
    if (!ready) return library_failure(table.path());
  }
  if (refill)
    if (auto done = refilled(file, table, source, index, replaced)) return *done;

  const ObjectHandle group = search_indexes(file, table);
  if (!group) return library_failure(folder);
  // Complete, and on disk, before any link leads to it.
  const std::optional<IndexDatasets> made = make_datasets(source.of(file), index);
  if (!made || !file.flush() || !put_tokens(made->index.get(), index.tokens) || !file.flush())
    return library_failure("the new index over " + model.path);

  const std::string wanted = model.name + suffix_of(index);
  std::string name = free_name(group.get(), wanted);
  std::string values_name = made->values ? free_name(group.get(), name + "_values") : "";
  Tokens old;
  for (const SearchIndex* r : replaced) old.insert(r->data->token);
  const ObjectReference reference(made->index.get());
  const bool listed = reference &&
                      (!made->values || link(made->values.get(), group.get(), values_name)) &&
                      link(made->index.get(), group.get(), name) && file.flush() &&
                      relist(source.column.get(), model, old, &reference);
  if (!listed) return library_failure(join_path(folder, name));
  if (!unlist(file, table, old, &column) || !file.flush())
    return library_failure(model.path + " " + kList);
  if (replaced.empty()) return join_path(folder, name);

  const bool tidy =
      unlink(file, table, datasets_of(table, replaced)) &&
      rename(made->index.get(), group.get(), name, wanted) &&
      (!made->values || rename(made->values.get(), group.get(), values_name, wanted + "_values")) &&
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
