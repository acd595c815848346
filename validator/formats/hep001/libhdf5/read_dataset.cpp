#include "validator/formats/hep001/libhdf5/read_dataset.h"

#include <algorithm>
#include <format>

#include "validator/counted.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/read_datatype.h"
#include "validator/formats/hep001/model/comparable.h"
#include "validator/integers.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

herr_t refuse_external_link(const char*, const char*, const char*, const char*, unsigned*, hid_t,
                            void*) {
  return -1;
}

struct LinkListing {
  std::vector<LinkInfo> links{};
  std::uint64_t limit = 0;
};

herr_t add_link(hid_t, const char* name, const H5L_info2_t* info, void* data) {
  auto& listing = *static_cast<LinkListing*>(data);
  if (listing.links.size() >= listing.limit) return 1;
  LinkInfo link{.name = name};
  if (info->type == H5L_TYPE_HARD) {
    link.kind = Child::LinkKind::kHard;
    link.token = token_of(info->u.token);
  } else {
    link.kind = info->type == H5L_TYPE_SOFT       ? Child::LinkKind::kSoft
                : info->type == H5L_TYPE_EXTERNAL ? Child::LinkKind::kExternal
                                                  : Child::LinkKind::kUserDefined;
    link.value_bytes = info->u.val_size;
  }
  listing.links.push_back(std::move(link));
  return 0;
}

StorageLayout layout_of(hid_t properties, std::optional<std::string>& trouble) {
  const H5D_layout_t layout = H5Pget_layout(properties);
  switch (layout) {
    case H5D_COMPACT: return StorageLayout::kCompact;
    case H5D_CHUNKED: return StorageLayout::kChunked;
    case H5D_VIRTUAL: return StorageLayout::kVirtual;
    default: break;
  }
  const int external = layout == H5D_CONTIGUOUS ? H5Pget_external_count(properties) : -1;
  if (external < 0) trouble = last_error("").cause;
  return external > 0 ? StorageLayout::kExternal : StorageLayout::kContiguous;
}

std::vector<Filter> read_filters(hid_t properties, std::optional<std::string>& trouble) {
  std::vector<Filter> filters;
  const int count = H5Pget_nfilters(properties);
  if (count < 0) trouble = last_error("").cause;
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0, config = 0;
    unsigned values[32] = {};
    std::size_t n = std::size(values);
    char name[256] = {};
    const H5Z_filter_t id = H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &n, values,
                                           sizeof name - 1, name, &config);
    if (id < 0) {
      trouble = last_error("").cause;
      break;
    }
    Filter filter{.id = id, .name = name, .optional = (flags & H5Z_FLAG_OPTIONAL) != 0};
    filter.parameters.assign(values, values + std::min(n, std::size(values)));
    filter.available = H5Zfilter_avail(id) > 0;
    filters.push_back(std::move(filter));
  }
  return filters;
}

// The fill value in the dataset's own datatype, so no conversion changes it.
void read_fill_value(hid_t properties, hid_t type, const Datatype& model, Storage& into) {
  H5D_fill_value_t state = H5D_FILL_VALUE_ERROR;
  if (H5Pfill_value_defined(properties, &state) < 0 || state == H5D_FILL_VALUE_ERROR) {
    into.fill_unreadable = last_error("").cause;
    return;
  }
  into.fill_state = state == H5D_FILL_VALUE_USER_DEFINED ? FillState::kUserDefined
                    : state == H5D_FILL_VALUE_DEFAULT    ? FillState::kDefault
                                                         : FillState::kUndefined;
  if (into.fill_state != FillState::kUserDefined) return;
  if (model.variable_string()) {
    char* text = nullptr;
    if (H5Pget_fill_value(properties, type, &text) < 0)
      into.fill_unreadable = last_error("").cause;
    else
      into.fill_string = text ? text : "";
    H5free_memory(text);
    return;
  }
  std::vector<std::byte> fill(model.size);
  if (model.size == 0 || H5Pget_fill_value(properties, type, fill.data()) < 0) {
    into.fill_unreadable = last_error("").cause;
  } else if (has_variable_part(model)) {
    into.fill_form = comparable_form(model, fill);
    const SpaceHandle one{H5Screate(H5S_SCALAR)};
    H5Treclaim(type, one.get(), H5P_DEFAULT, fill.data());
  } else {
    into.fill = std::move(fill);
  }
}

Storage read_storage(hid_t properties, hid_t type, const Datatype& model,
                     std::optional<std::string>& trouble) {
  Storage into;
  into.layout = layout_of(properties, trouble);
  if (into.layout == StorageLayout::kChunked) {
    hsize_t chunk[H5S_MAX_RANK] = {};
    const int rank = H5Pget_chunk(properties, H5S_MAX_RANK, chunk);
    if (rank > 0)
      into.chunk.assign(chunk, chunk + rank);
    else if (rank < 0)
      trouble = last_error("").cause;
  }
  into.filters = read_filters(properties, trouble);
  read_fill_value(properties, type, model, into);
  return into;
}

// H5Dget_space on a virtual dataset may open its source files; the mapping contains the same
// extent.
Dataspace virtual_space(hid_t properties, std::optional<std::string>& trouble) {
  const SpaceHandle space{H5Pget_virtual_vspace(properties, 0)};
  if (!space) {
    H5Eclear2(H5E_DEFAULT);
    return {.kind = Dataspace::Kind::kNull};
  }
  return read_space(space.get(), trouble);
}

}  // namespace

std::string link_target(hid_t group, const LinkInfo& link) {
  constexpr std::size_t kLongest = 64 * 1024;
  if (link.value_bytes == 0 || link.value_bytes > kLongest) return {};
  std::vector<char> value(link.value_bytes + 1, '\0');
  if (H5Lget_val(group, link.name.c_str(), value.data(), link.value_bytes, H5P_DEFAULT) < 0) {
    H5Eclear2(H5E_DEFAULT);
    return {};
  }
  if (link.kind == Child::LinkKind::kSoft) return value.data();
  if (link.kind != Child::LinkKind::kExternal) return {};
  const char *file = nullptr, *path = nullptr;
  unsigned flags = 0;
  if (H5Lunpack_elink_val(value.data(), link.value_bytes, &flags, &file, &path) < 0) return {};
  return std::string(file) + ":" + path;
}

namespace {

// For a contiguous dataset, if it is stored completely.
std::optional<std::uint64_t> address_of(hid_t dataset, std::uint64_t bytes,
                                        std::span<const std::uint64_t> extent) {
  const std::optional<std::uint64_t> all = checked_product(extent, bytes);
  if (!all) return std::nullopt;
  const haddr_t address = H5Dget_offset(dataset);
  if (address == HADDR_UNDEF || H5Dget_storage_size(dataset) != *all) return std::nullopt;
  return address;
}

}  // namespace

hid_t stay_in_file() {
  static const hid_t list = [] {
    const hid_t made = H5Pcreate(H5P_LINK_ACCESS);
    H5Pset_elink_cb(made, refuse_external_link, nullptr);
    return made;
  }();
  return list;
}

std::vector<LinkInfo> list_links(hid_t group, std::uint64_t limit,
                                 std::optional<std::string>& trouble) {
  LinkListing listing{.limit = limit};
  hsize_t position = 0;
  const herr_t status =
      H5Literate2(group, H5_INDEX_NAME, H5_ITER_NATIVE, &position, add_link, &listing);
  if (status < 0)
    trouble = "links: " + last_error("").cause;
  else if (status > 0)
    trouble = std::format("more links than the limit of {}", limit);
  return std::move(listing.links);
}

Dataset read_dataset(const FileContext& context, hid_t dataset, std::string name, std::string path,
                     const ObjectToken& token) {
  Dataset into{.name = std::move(name), .path = std::move(path), .token = token};
  const TypeHandle type{H5Dget_type(dataset)};
  const PropertyHandle properties{type ? H5Dget_create_plist(dataset) : H5I_INVALID_HID};
  if (!properties) {
    into.unreadable = last_error("").cause;
    return into;
  }
  into.type = read_datatype(type.get(), context.limits, into.unreadable);
  if (into.unreadable) return into;
  into.storage = read_storage(properties.get(), type.get(), into.type, into.unreadable);
  if (into.storage.layout == StorageLayout::kVirtual) {
    into.space = virtual_space(properties.get(), into.unreadable);
  } else {
    const SpaceHandle space{H5Dget_space(dataset)};
    if (!space) {
      into.unreadable = last_error("").cause;
      return into;
    }
    into.space = read_space(space.get(), into.unreadable);
    if (into.storage.layout == StorageLayout::kContiguous)
      into.storage.address = address_of(dataset, into.type.size, into.space.extent);
  }
  into.attributes = read_attributes(context, dataset, into.attributes_unreadable);
  return into;
}

}  // namespace hepcheck::hep001::libhdf5
