#include "validator/formats/hep001/libhdf5/library_file.h"

#include <utility>

#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/read_dataset.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

class LibraryObject : public OpenObject {
 public:
  LibraryObject(const FileContext& context, ObjectHandle id)
      : context_(context), id_(std::move(id)) {}

  hid_t id() const { return id_.get(); }

  ObjectKind kind() const override {
    switch (H5Iget_type(id_.get())) {
      case H5I_DATASET: return ObjectKind::kDataset;
      case H5I_GROUP: return ObjectKind::kGroup;
      case H5I_DATATYPE: return ObjectKind::kNamedDatatype;
      default: return ObjectKind::kUnknown;
    }
  }
  std::optional<Attribute> attribute(const char* name) override {
    return read_attribute(context_, id_.get(), name);
  }
  Attributes attributes(std::optional<std::string>& trouble,
                        std::optional<Attribute> known) override {
    return read_attributes(context_, id_.get(), trouble, std::move(known));
  }
  std::vector<LinkInfo> links(std::uint64_t limit, std::optional<std::string>& trouble) override {
    return list_links(id_.get(), limit, trouble);
  }
  std::string link_target(const LinkInfo& link) override {
    return libhdf5::link_target(id_.get(), link);
  }
  std::optional<SoftTarget> soft_target(const LinkInfo& link) override {
    H5O_info2_t info;
    std::optional<SoftTarget> target;
    if (H5Oget_info_by_name3(id_.get(), link.name.c_str(), &info, H5O_INFO_BASIC, stay_in_file()) >=
        0)
      target = {token_of(info.token), object_kind(info.type)};
    H5Eclear2(H5E_DEFAULT);
    return target;
  }
  Dataset dataset(std::string name, std::string path, const ObjectToken& token) override {
    return read_dataset(context_, id_.get(), std::move(name), std::move(path), token);
  }

 private:
  const FileContext& context_;
  ObjectHandle id_;
};

}  // namespace

std::uint64_t LibraryFile::bytes() const {
  hsize_t size = 0;
  return H5Fget_filesize(context_.file, &size) < 0 ? 0 : size;
}

Result<ObjectToken> LibraryFile::root() {
  H5O_info2_t info;
  if (H5Oget_info3(context_.file, &info, H5O_INFO_BASIC) < 0) return library_failure("/");
  return token_of(info.token);
}

TableFile::Opened LibraryFile::open(const ObjectToken& token) {
  ObjectHandle id{H5Oopen_by_token(context_.file, native_token(token))};
  if (!id) return std::unexpected(last_error("").cause);
  return std::make_unique<LibraryObject>(context_, std::move(id));
}

ObjectKind LibraryFile::kind_of_unopenable(OpenObject& parent, const LinkInfo& link) {
  // All objects are of this class.
  const hid_t group = static_cast<LibraryObject&>(parent).id();
  H5O_info2_t info;
  const bool known =
      H5Oget_info_by_name3(group, link.name.c_str(), &info, H5O_INFO_BASIC, stay_in_file()) >= 0;
  H5Eclear2(H5E_DEFAULT);
  return known ? object_kind(info.type) : ObjectKind::kUnknown;
}

std::optional<ObjectToken> LibraryFile::find(const std::string& path) {
  H5O_info2_t info;
  const bool found =
      H5Oget_info_by_name3(context_.file, path.c_str(), &info, H5O_INFO_BASIC, stay_in_file()) >= 0;
  H5Eclear2(H5E_DEFAULT);
  return found ? std::optional(token_of(info.token)) : std::nullopt;
}

std::string LibraryFile::path_of(const ObjectToken& token) {
  const ObjectHandle object{H5Oopen_by_token(context_.file, native_token(token))};
  char name[4096] = {};
  if (object && H5Iget_name(object.get(), name, sizeof name) <= 0) name[0] = '\0';
  H5Eclear2(H5E_DEFAULT);
  return name;
}

ValueSource& LibraryFile::values() {
  if (!values_) values_ = std::make_unique<FileValues>(context_, fast_);
  return *values_;
}

}  // namespace hepcheck::hep001::libhdf5
