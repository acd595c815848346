#include "validator/formats/hdf5/layout.h"

#include <algorithm>
#include <utility>

namespace hepcheck::hdf5 {

namespace {

constexpr std::uint8_t kLastLayoutVersion = 5;

void parse_parameters(Cursor& read, const Container& file, DataLayout& into) {
  switch (into.index()) {
    case IndexType::kSingle:
      if ((into.flags & DataLayout::kSingleFiltered) == 0) break;
      into.stored_size = read.number(file.length_size);
      into.mask = read.u32();
      break;
    case IndexType::kFixedArray: into.page_bits = read.u8(); break;
    case IndexType::kExtensibleArray:
      into.max_bits = read.u8();
      into.index_elements = read.u8();
      into.min_pointers = read.u8();
      into.min_elements = read.u8();
      into.page_bits = read.u8();
      break;
    case IndexType::kTree2:
      into.node_size = read.u32();
      into.split = read.u8();
      into.merge = read.u8();
      break;
    default: break;
  }
}

// Versions 4 and 5.
void parse_chunked(Cursor& read, const Container& file, DataLayout& into) {
  into.flags = read.u8();
  into.dimensionality = read.u8();
  into.width = read.u8();
  if (into.dimensionality > into.chunk.size() || into.width < 1 || into.width > 8) return;
  for (unsigned d = 0; d < into.dimensionality; ++d) into.chunk[d] = read.number(into.width);
  into.index_byte = read.u8();
  parse_parameters(read, file, into);
  into.address = read.address(file.offset_size);
  into.whole = read.good();
}

void parse_old(Cursor& read, const Container& file, DataLayout& into) {
  into.dimensionality = read.u8();
  into.class_byte = read.u8();
  read.skip(5);
  if (into.dimensionality > into.chunk.size()) return;
  if (into.layout_class() != LayoutClass::kCompact) into.address = read.address(file.offset_size);
  for (unsigned d = 0; d < into.dimensionality; ++d) into.chunk[d] = read.u32();
  if (into.layout_class() == LayoutClass::kCompact) {
    into.size = read.u32();
    read.skip(into.size);
  }
  into.whole = read.good();
}

void parse_new(Cursor& read, const Container& file, DataLayout& into) {
  into.class_byte = read.u8();
  switch (into.layout_class()) {
    case LayoutClass::kCompact:
      into.size = read.u16();
      read.skip(into.size);
      break;
    case LayoutClass::kContiguous:
      into.address = read.address(file.offset_size);
      into.size = read.number(file.length_size);
      break;
    case LayoutClass::kChunked:
      if (into.version > 3) return parse_chunked(read, file, into);
      into.dimensionality = read.u8();
      into.address = read.address(file.offset_size);
      if (into.dimensionality > into.chunk.size()) return;
      for (unsigned d = 0; d < into.dimensionality; ++d) into.chunk[d] = read.u32();
      break;
    case LayoutClass::kVirtual:
      into.address = read.address(file.offset_size);
      read.skip(4);
      break;
  }
  into.whole = read.good();
}

}  // namespace

std::string_view to_string(LayoutClass layout_class) {
  switch (layout_class) {
    case LayoutClass::kCompact: return "compact";
    case LayoutClass::kContiguous: return "contiguous";
    case LayoutClass::kChunked: return "chunked";
    case LayoutClass::kVirtual: return "virtual";
  }
  return "?";
}

std::string_view to_string(IndexType type) {
  switch (type) {
    case IndexType::kTree1: return "version 1 B-tree";
    case IndexType::kSingle: return "single chunk";
    case IndexType::kImplicit: return "implicit";
    case IndexType::kFixedArray: return "fixed array";
    case IndexType::kExtensibleArray: return "extensible array";
    case IndexType::kTree2: return "version 2 B-tree";
  }
  return "?";
}

std::uint64_t DataLayout::chunk_bytes() const {
  std::uint64_t bytes = 1;
  for (unsigned d = 0; d < dimensionality && d < chunk.size(); ++d)
    bytes = product(bytes, chunk[d]);
  return bytes;
}

DataLayout parse_layout(const Region& message, const Container& file) {
  Cursor read(message);
  DataLayout made{.version = read.u8()};
  if (made.version < 1 || made.version > kLastLayoutVersion) return made;
  if (made.version < 3)
    parse_old(read, file, made);
  else
    parse_new(read, file, made);
  return made;
}

}  // namespace hepcheck::hdf5
