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
      into.stored_size = read.number(file.length_size, "stored size");
      into.mask = read.u32("mask");
      break;
    case IndexType::kFixedArray: into.page_bits = read.u8("page bits"); break;
    case IndexType::kExtensibleArray:
      into.max_bits = read.u8("max bits");
      into.index_elements = read.u8("index elements");
      into.min_pointers = read.u8("min pointers");
      into.min_elements = read.u8("min elements");
      into.page_bits = read.u8("page bits");
      break;
    case IndexType::kTree2:
      into.node_size = read.u32("node size");
      into.split = read.u8("split");
      into.merge = read.u8("merge");
      break;
    default: break;
  }
}

// Versions 4 and 5.
void parse_chunked(Cursor& read, const Container& file, DataLayout& into) {
  into.flags = read.u8("flags");
  into.dimensionality = read.u8("dimensionality");
  into.width = read.u8("width");
  if (into.dimensionality > into.chunk.size() || into.width < 1 || into.width > 8) return;
  for (unsigned d = 0; d < into.dimensionality; ++d)
    into.chunk[d] = read.number(into.width, "chunk size");
  into.index_byte = read.u8("index type");
  parse_parameters(read, file, into);
  into.address = read.address(file.offset_size, "address");
  into.whole = read.good();
  into.encoded = read.at();
}

void parse_old(Cursor& read, const Container& file, DataLayout& into) {
  into.dimensionality = read.u8("dimensionality");
  into.class_byte = read.u8("class");
  into.reserved = read.number(5, "reserved") != 0;
  if (into.dimensionality > into.chunk.size()) return;
  if (into.layout_class() != LayoutClass::kCompact)
    into.address = read.address(file.offset_size, "address");
  for (unsigned d = 0; d < into.dimensionality; ++d) into.chunk[d] = read.u32("chunk size");
  if (into.layout_class() == LayoutClass::kCompact) {
    into.size = read.u32("size");
    into.compact = read.take(into.size, "values");
  }
  into.whole = read.good();
  into.encoded = read.at();
}

void parse_new(Cursor& read, const Container& file, DataLayout& into) {
  into.class_byte = read.u8("class");
  switch (into.layout_class()) {
    case LayoutClass::kCompact:
      into.size = read.u16("size");
      into.compact = read.take(into.size, "values");
      break;
    case LayoutClass::kContiguous:
      into.address = read.address(file.offset_size, "address");
      into.size = read.number(file.length_size, "size");
      break;
    case LayoutClass::kChunked:
      if (into.version > 3) return parse_chunked(read, file, into);
      into.dimensionality = read.u8("dimensionality");
      into.address = read.address(file.offset_size, "address");
      if (into.dimensionality > into.chunk.size()) return;
      for (unsigned d = 0; d < into.dimensionality; ++d) into.chunk[d] = read.u32("chunk size");
      break;
    case LayoutClass::kVirtual:
      into.address = read.address(file.offset_size, "address");
      into.heap_index = read.u32("heap index");
      break;
  }
  into.whole = read.good();
  into.encoded = read.at();
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
  DataLayout made{.version = read.u8("version")};
  if (made.version < 1 || made.version > kLastLayoutVersion) return made;
  if (made.version < 3)
    parse_old(read, file, made);
  else
    parse_new(read, file, made);
  return made;
}

}  // namespace hepcheck::hdf5
