// Writes schemas and enumerations from what was read of them alone, and tiles around them.
#include <zlib.h>

#include <algorithm>
#include <new>

#include "validator/formats/tiledb/datatype.h"
#include "validator/formats/tiledb/enumeration.h"

namespace hepcheck::tiledb {

namespace {

class Writer {
 public:
  template <class T>
  void put(T value) {
    for (unsigned i = 0; i < sizeof(T); ++i)
      bytes_.push_back(static_cast<std::byte>(value >> (8 * i)));
  }
  void put(Raw bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  // With its length before it.
  template <class Length = std::uint32_t>
  void put_sized(Raw bytes) {
    put(static_cast<Length>(bytes.size()));
    put(bytes);
  }
  void put(const Pipeline& pipeline) {
    put(pipeline.max_chunk);
    put(static_cast<std::uint32_t>(pipeline.filters.size()));
    for (const Filter& filter : pipeline.filters) {
      put(filter.type);
      put_sized(filter.options);
    }
  }
  void put(const Dimension& it, std::uint32_t version) {
    put_sized(it.name.value);
    if (version >= 5) {
      put(it.datatype.value);
      put(it.cell_val_num.value);
      put(it.filters);
      put(it.domain_size.value);
    }
    put(it.domain.value);
    put(it.null_extent.value);
    put(it.extent.value);
  }
  void put(const Attribute& it, std::uint32_t version) {
    put_sized(it.name.value);
    put(it.datatype.value);
    put(it.cell_val_num.value);
    put(it.filters);
    if (version >= 6) put_sized<std::uint64_t>(it.fill.value);
    if (version >= 7) {
      put(it.nullable.value);
      put(it.validity.value);
    }
    if (version >= 17) put(it.order.value);
    if (version >= 20) put_sized(it.enumeration.value);
  }
  void put(const Label& it, bool of_table) {
    put(it.dimension.value);
    if (of_table) {
      put(it.order.value);
      put_sized<std::uint64_t>(it.name.value);
    } else {
      put_sized(it.name.value);
    }
    put(it.relative.value);
    put_sized<std::uint64_t>(it.uri.value);
    put_sized(it.attribute.value);
    if (!of_table) put(it.order.value);
    put(it.datatype.value);
    put(it.cell_val_num.value);
    if (of_table) {
      put(it.domain_size.value);
      put(it.start_size.value);
      put(it.domain.value);
    }
    put(it.external.value);
  }
  void put(const CurrentDomain& it, const Schema& schema) {
    put(it.version.value);
    put(it.empty.value);
    if (it.empty.value != 0) return;
    put(it.type.value);
    for (std::size_t i = 0; i < it.ranges.size(); ++i) {
      if (schema.dimensions[i].is_variable()) {
        put(it.ranges[i].size);
        put(it.ranges[i].minimum_size);
      }
      put(it.ranges[i].bytes);
    }
  }

  std::vector<std::byte> bytes() && { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_{};
};

std::vector<std::byte> compressed(Raw content) {
  constexpr int kLevel = 1;
  uLongf size = compressBound(static_cast<uLong>(content.size()));
  std::vector<std::byte> made(size);
  if (compress2(reinterpret_cast<Bytef*>(made.data()), &size,
                reinterpret_cast<const Bytef*>(content.data()), static_cast<uLong>(content.size()),
                kLevel) != Z_OK)
    throw std::bad_alloc();
  made.resize(size);
  return made;
}

}  // namespace

std::vector<std::byte> write_tile(std::uint32_t version, Raw content) {
  constexpr std::uint32_t kChunkBytes = 65536;
  Writer payload, pipeline, out;
  const std::uint64_t chunks = std::max<std::uint64_t>(1, divided_up(content.size(), kChunkBytes));
  payload.put(chunks);
  for (std::uint64_t i = 0; i < chunks; ++i) {
    const Raw piece = content.subspan(
        i * kChunkBytes, std::min<std::uint64_t>(kChunkBytes, content.size() - i * kChunkBytes));
    const std::vector<std::byte> data = compressed(piece);
    const auto original = static_cast<std::uint32_t>(piece.size());
    const auto size = static_cast<std::uint32_t>(data.size());
    for (const std::uint32_t each : {original, size, 16u, 0u, 1u, original, size})
      payload.put(each);
    payload.put(Raw(data));
  }
  pipeline.put(kChunkBytes);
  pipeline.put(std::uint32_t{1});
  pipeline.put(kGzip);
  pipeline.put(std::uint32_t{5});
  pipeline.put(kGzip);
  pipeline.put(std::uint32_t{1});
  const std::vector<std::byte> stored = std::move(payload).bytes();
  out.put(version);
  out.put(std::uint64_t{stored.size()});
  out.put(std::uint64_t{content.size()});
  out.put(kChar);
  out.put(std::uint64_t{1});
  out.put(std::uint8_t{0});
  const std::vector<std::byte> filters = std::move(pipeline).bytes();
  out.put_sized(filters);
  out.put(Raw(stored));
  return std::move(out).bytes();
}

std::vector<std::byte> write_schema(const Schema& schema) {
  Writer out;
  const std::uint32_t version = schema.number();
  out.put(version);
  if (version >= 5) out.put(schema.duplicates.value);
  out.put(schema.array_type.value);
  out.put(schema.tile_order.value);
  out.put(schema.cell_order.value);
  out.put(schema.capacity.value);
  out.put(schema.coordinates);
  out.put(schema.offsets);
  if (version >= 7) out.put(schema.validity);
  if (version < 5) out.put(schema.domain_datatype.value);
  out.put(static_cast<std::uint32_t>(schema.dimensions.size()));
  for (const Dimension& each : schema.dimensions) out.put(each, version);
  out.put(static_cast<std::uint32_t>(schema.attributes.size()));
  for (const Attribute& each : schema.attributes) out.put(each, version);
  if (version >= 18) {
    out.put(static_cast<std::uint32_t>(schema.labels.size()));
    for (const Label& each : schema.labels) out.put(each, schema.labels_of_table);
  }
  if (version >= 20) {
    out.put(static_cast<std::uint32_t>(schema.enumerations.size()));
    for (const EnumerationEntry& each : schema.enumerations) {
      out.put_sized(each.name.value);
      out.put_sized(each.file.value);
    }
  }
  if (version >= 22 && schema.current_domain) out.put(*schema.current_domain, schema);
  return std::move(out).bytes();
}

std::vector<std::byte> write_enumeration(const Enumeration& it) {
  Writer out;
  out.put(it.version.value);
  out.put_sized(it.name.value);
  out.put_sized(it.path.value);
  out.put(it.datatype.value);
  out.put(it.cell_val_num.value);
  out.put(it.ordered.value);
  out.put_sized<std::uint64_t>(it.data.value);
  if (it.is_variable()) out.put_sized<std::uint64_t>(it.offsets.value);
  return std::move(out).bytes();
}

}  // namespace hepcheck::tiledb
