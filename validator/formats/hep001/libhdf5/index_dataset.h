// Writes the datasets of one search index: new ones without a link, or existing ones in place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "validator/formats/hep001/derive/build_index.h"
#include "validator/formats/hep001/libhdf5/handle.h"

namespace hepcheck::hep001::libhdf5 {

struct BloomFilters {
  BloomParameters parameters{};
  std::vector<std::byte> filters{};
};

// The state of the table that an index describes (12.2), in revisions that have tokens.
struct ValidityTokens {
  std::uint64_t generation = 0, nrows = 0;
  bool first = false;  // the table has no GENERATION yet
};

struct IndexContents {
  std::variant<std::vector<ChunkMinmax>, SortedRows, Bitmap, BloomFilters> contents{};
  std::string description{};  // provenance
  std::optional<ValidityTokens> tokens{};
};

// The input for the datasets.
struct IndexSource {
  hid_t file;
  hid_t column_type;  // the column's own datatype
  bool variable;      // it is a variable-length string
};

struct IndexDatasets {
  ObjectHandle index{};
  ObjectHandle values{};  // BITMAP: the values dataset
};

// The suffix of the dataset names of a family.
const char* suffix_of(const IndexContents& index);

// Creates the datasets completely, except for the tokens, without a link to them. Nothing if it
// fails.
std::optional<IndexDatasets> make_datasets(const IndexSource& source, const IndexContents& index);

// Whether the datasets of an index can store these contents in place: they have the datatypes that
// make_datasets would choose, and any extent.
bool can_take(const IndexSource& source, const IndexContents& index, const IndexDatasets& old);
// Stores these contents, except for the tokens.
bool refill(const IndexSource& source, const IndexContents& index, const IndexDatasets& old);

// Writes a scalar uint64 attribute. An existing one of this form is overwritten.
bool put_uint64(hid_t object, const char* name, std::uint64_t value);

// A reference to an object of a file.
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

}  // namespace hepcheck::hep001::libhdf5
