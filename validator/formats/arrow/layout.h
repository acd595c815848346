// The memory layout of the arrays of a type: chapter 2 of format 1.0, chapter 3 of format 1.5.
#pragma once

#include <cstdint>

namespace hepcheck::arrow {

struct ArrayLayout {
  enum class Kind : std::uint8_t {
    kUnknown,  // the type has no known layout
    kNull,
    kFixedWidth,
    kBool,
    kBinary,
    kList,
    kFixedSizeList,
    kStruct,
    kSparseUnion,
    kDenseUnion,
    kDictionary,  // the indices of a dictionary-encoded array
    // Since formats 1.3 and 1.4. Under 1.0 their nodes and buffers are counted, nothing else.
    kRunEndEncoded,
    kView,
    kListView,
  };

  Kind kind = Kind::kUnknown;
  // Bytes of a slot, an offset or a view; entries of a slot of a fixed-size list.
  std::uint64_t width = 0;

  bool has_validity(bool union_has) const {
    switch (kind) {
      case Kind::kUnknown:
      case Kind::kNull:
      case Kind::kRunEndEncoded: return false;
      case Kind::kSparseUnion:
      case Kind::kDenseUnion: return union_has;
      default: return true;
    }
  }
  // Without the validity bitmap, and without the data buffers of views.
  unsigned data_buffers() const {
    switch (kind) {
      case Kind::kFixedWidth:
      case Kind::kBool:
      case Kind::kList:
      case Kind::kSparseUnion:
      case Kind::kDictionary:
      case Kind::kView: return 1;
      case Kind::kBinary:
      case Kind::kDenseUnion:
      case Kind::kListView: return 2;
      default: return 0;
    }
  }
};

}  // namespace hepcheck::arrow
