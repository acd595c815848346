#include "validator/formats/hep001/libhdf5/read_attributes.h"

#include <cstring>
#include <format>

#include "validator/counted.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/read_datatype.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

// Variable-length memory that the library allocated, freed on every path.
class VlenGuard {
 public:
  VlenGuard(hid_t type, hid_t space, void* buffer) : type_(type), space_(space), buffer_(buffer) {}
  VlenGuard(const VlenGuard&) = delete;
  VlenGuard& operator=(const VlenGuard&) = delete;
  ~VlenGuard() { H5Treclaim(type_, space_, H5P_DEFAULT, buffer_); }

 private:
  hid_t type_, space_;
  void* buffer_;
};

// The path of an opened object; an object without a link counts as deleted.
void resolve_to(hid_t object, Reference& reference) {
  H5O_info2_t info;
  if (H5Oget_info3(object, &info, H5O_INFO_BASIC) < 0) {
    reference.target = Reference::Target::kDangling;
    reference.why = last_error("").cause;
  } else if (info.rc == 0) {
    reference.target = Reference::Target::kDangling;
    reference.why = "the object has been deleted";
  } else {
    reference.target = Reference::Target::kObject;
    reference.token = token_of(info.token);
    reference.object = object_kind(info.type);
  }
}

Reference resolve_standard(const FileContext& context, const H5R_ref_t& stored) {
  Reference reference;
  switch (H5Rget_type(&stored)) {
    case H5R_OBJECT2: reference.kind = Reference::Kind::kObject; break;
    case H5R_DATASET_REGION2: reference.kind = Reference::Kind::kRegion; break;
    case H5R_ATTR: reference.kind = Reference::Kind::kAttribute; break;
    default: return reference;  // null: 1.14.5 reports an all-zero element as type 0
  }
  // A reference that names another file would make H5Ropen_object open that file.
  const ssize_t length = H5Rget_file_name(&stored, nullptr, 0);
  std::string file(length > 0 ? static_cast<std::size_t>(length) : 0, '\0');
  if (length < 0 || (length > 0 && H5Rget_file_name(&stored, file.data(), file.size() + 1) < 0)) {
    reference.target = Reference::Target::kDangling;
    reference.why = last_error("").cause;
    return reference;
  }
  // The length of the library includes the terminator of a stored name, but not that of the name of
  // the file itself: a stored name refers to another file even if this file has the same name.
  if (!file.empty() && file != context.name) {
    reference.target = Reference::Target::kElsewhere;
    file.resize(std::strlen(file.c_str()));
    reference.file = std::move(file);
    return reference;
  }
  const ObjectHandle object{
      H5Ropen_object(const_cast<H5R_ref_t*>(&stored), H5P_DEFAULT, H5P_DEFAULT)};
  if (!object) {
    reference.target = Reference::Target::kDangling;
    reference.why = last_error("").cause;
    return reference;
  }
  resolve_to(object.get(), reference);
  return reference;
}

template <class Stored>
Reference resolve_legacy(const FileContext& context, H5R_type_t kind, const Stored& stored) {
  Reference reference;
  const Stored null{};
  if (std::memcmp(&stored, &null, sizeof stored) == 0) return reference;
  reference.kind = kind == H5R_OBJECT1 ? Reference::Kind::kObject : Reference::Kind::kRegion;
  const ObjectHandle object{H5Rdereference2(context.file, H5P_DEFAULT, kind, &stored)};
  if (!object) {
    reference.target = Reference::Target::kDangling;
    reference.why = last_error("").cause;
    return reference;
  }
  resolve_to(object.get(), reference);
  return reference;
}

void read_references(const FileContext& context, hid_t id, Attribute& into) {
  const std::uint64_t count = into.space.elements();
  const auto unreadable = [&] { into.unreadable = last_error("").cause; };
  switch (into.type.reference) {
    case ReferenceKind::kStandard: {
      std::vector<H5R_ref_t> stored(count);
      std::memset(static_cast<void*>(stored.data()), 0, count * sizeof(H5R_ref_t));
      if (H5Aread(id, H5T_STD_REF, stored.data()) < 0) return unreadable();
      for (H5R_ref_t& element : stored) {
        into.references.push_back(resolve_standard(context, element));
        if (!into.references.back().null()) H5Rdestroy(&element);
      }
      break;
    }
    case ReferenceKind::kLegacyObject: {
      std::vector<hobj_ref_t> stored(count);
      if (H5Aread(id, H5T_STD_REF_OBJ, stored.data()) < 0) return unreadable();
      for (const hobj_ref_t& element : stored)
        into.references.push_back(resolve_legacy(context, H5R_OBJECT1, element));
      break;
    }
    case ReferenceKind::kLegacyRegion: {
      std::vector<hdset_reg_ref_t> stored(count);
      if (H5Aread(id, H5T_STD_REF_DSETREG, stored.data()) < 0) return unreadable();
      for (const hdset_reg_ref_t& element : stored)
        into.references.push_back(resolve_legacy(context, H5R_DATASET_REGION1, element));
      break;
    }
  }
}

void read_variable_strings(hid_t id, hid_t type, hid_t space, const Limits& limits,
                           Attribute& into) {
  std::vector<char*> stored(into.space.elements(), nullptr);
  if (H5Aread(id, type, stored.data()) < 0) {
    into.unreadable = last_error("").cause;
    return;
  }
  const VlenGuard guard(type, space, stored.data());
  for (const char* text : stored) {
    if (text && std::strlen(text) > limits.string_bytes) {
      into.strings.clear();
      into.unreadable =
          "a string is longer than the limit of " + counted(limits.string_bytes, "byte");
      return;
    }
    into.strings.emplace_back(text ? text : "");
  }
}

Attribute read_opened(const FileContext& context, hid_t id, const char* name) {
  Attribute into{.name = name};
  const TypeHandle type{H5Aget_type(id)};
  const SpaceHandle space{type ? H5Aget_space(id) : H5I_INVALID_HID};
  if (!space) {
    into.unreadable = last_error("").cause;
    return into;
  }
  into.type = read_datatype(type.get(), context.limits, into.unreadable);
  into.space = read_space(space.get(), into.unreadable);
  if (into.unreadable) return into;

  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(into.space.elements(), into.type.size, &bytes) ||
      bytes > context.limits.attribute_bytes) {
    into.unreadable = "its value claims to exceed the limit of " +
                      counted(context.limits.attribute_bytes, "byte");
    return into;
  }
  if (bytes == 0) return into;
  if (into.type.is(TypeClass::kReference)) {
    read_references(context, id, into);
  } else if (into.type.variable_string()) {
    read_variable_strings(id, type.get(), space.get(), context.limits, into);
  } else if (!has_variable_part(into.type) && !contains_class(into.type, TypeClass::kReference)) {
    into.bytes.resize(bytes);
    if (H5Aread(id, type.get(), into.bytes.data()) < 0) {
      into.bytes.clear();
      into.unreadable = last_error("").cause;
    }
  }
  return into;
}

struct Listing {
  const FileContext& context;
  std::vector<Attributes::value_type> all{};
  std::string known{};  // the name of one that was read already
  bool full = false;
};

// If one attribute cannot be decoded, the library refuses to list any; the attributes of HEP001 may
// still be opened by name.
constexpr const char* kKnownNames[] = {"CLASS",
                                       "VERSION",
                                       "NROWS",
                                       "TITLE",
                                       "INDEX_COLUMNS",
                                       "column-order",
                                       "_index",
                                       "encoding-type",
                                       "encoding-version",
                                       "description",
                                       "units_vocabulary",
                                       "units",
                                       "SEARCH_INDEX_LIST",
                                       "CATEGORIES",
                                       "valid_min",
                                       "valid_max",
                                       "KIND",
                                       "VALUES",
                                       "ordered",
                                       "nan_tail_length",
                                       "fill_tail_length",
                                       "k",
                                       "m_bits",
                                       "seed",
                                       "hash_family",
                                       "GENERATION",
                                       "SOURCE_GENERATION",
                                       "SOURCE_NROWS",
                                       "exhaustive",
                                       "MASK"};

herr_t add_attribute(hid_t object, const char* name, const H5A_info_t*, void* data) {
  auto& listing = *static_cast<Listing*>(data);
  if (listing.known == name) return 0;
  if (listing.all.size() >= listing.context.limits.attributes) {
    listing.full = true;
    return 1;
  }
  const AttributeHandle id{H5Aopen(object, name, H5P_DEFAULT)};
  if (id) {
    listing.all.emplace_back(name, read_opened(listing.context, id.get(), name));
  } else {
    Attribute unreadable{.name = name};
    unreadable.unreadable = last_error("").cause;
    listing.all.emplace_back(name, std::move(unreadable));
  }
  return 0;
}

}  // namespace

ObjectToken token_of(const H5O_token_t& token) {
  ObjectToken copy;
  static_assert(sizeof token == sizeof copy.bytes);
  std::memcpy(copy.bytes.data(), &token, sizeof token);
  return copy;
}

H5O_token_t native_token(const ObjectToken& token) {
  H5O_token_t copy;
  std::memcpy(&copy, token.bytes.data(), sizeof copy);
  return copy;
}

ObjectKind object_kind(H5O_type_t type) {
  switch (type) {
    case H5O_TYPE_GROUP: return ObjectKind::kGroup;
    case H5O_TYPE_DATASET: return ObjectKind::kDataset;
    case H5O_TYPE_NAMED_DATATYPE: return ObjectKind::kNamedDatatype;
    default: return ObjectKind::kUnknown;
  }
}

Dataspace read_space(hid_t space, std::optional<std::string>& trouble) {
  Dataspace into;
  switch (H5Sget_simple_extent_type(space)) {
    case H5S_SCALAR: into.kind = Dataspace::Kind::kScalar; break;
    case H5S_SIMPLE: into.kind = Dataspace::Kind::kSimple; break;
    default: into.kind = Dataspace::Kind::kNull;
  }
  if (into.kind != Dataspace::Kind::kSimple) return into;
  hsize_t extent[H5S_MAX_RANK] = {}, maximum[H5S_MAX_RANK] = {};
  const int rank = H5Sget_simple_extent_dims(space, extent, maximum);
  if (rank > 0) {
    into.extent.assign(extent, extent + rank);
    into.max_extent.assign(maximum, maximum + rank);
  } else if (rank < 0) {
    trouble = last_error("").cause;
  }
  return into;
}

Attributes read_attributes(const FileContext& context, hid_t object,
                           std::optional<std::string>& trouble, std::optional<Attribute> known) {
  Listing listing{.context = context};
  if (known) {
    listing.known = known->name;
    listing.all.emplace_back(known->name, std::move(*known));
  }
  hsize_t position = 0;
  if (H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, &position, add_attribute, &listing) < 0) {
    trouble = "attributes: " + last_error("").cause;
    for (const char* name : kKnownNames) {
      const AttributeHandle id{H5Aopen(object, name, H5P_DEFAULT)};
      if (id) listing.all.emplace_back(name, read_opened(context, id.get(), name));
    }
    H5Eclear2(H5E_DEFAULT);
  }
  if (listing.full)
    trouble = std::format("more attributes than the limit of {}", context.limits.attributes);
  return Attributes(std::move(listing.all));
}

std::optional<Attribute> read_attribute(const FileContext& context, hid_t object,
                                        const char* name) {
  const AttributeHandle id{H5Aopen(object, name, H5P_DEFAULT)};
  if (id) return read_opened(context, id.get(), name);
  Attribute unreadable{.name = name};
  unreadable.unreadable = last_error("").cause;
  const bool exists = H5Aexists(object, name) > 0;
  H5Eclear2(H5E_DEFAULT);
  return exists ? std::optional(std::move(unreadable)) : std::nullopt;
}

}  // namespace hepcheck::hep001::libhdf5
