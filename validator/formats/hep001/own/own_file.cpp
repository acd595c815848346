#include "validator/formats/hep001/own/own_file.h"

#include <format>
#include <optional>
#include <utility>

#include "validator/formats/hdf5/object_parts.h"
#include "validator/formats/hdf5/superblock.h"
#include "validator/formats/hep001/own/attribute.h"
#include "validator/formats/hep001/own/context.h"
#include "validator/formats/hep001/own/dataset.h"
#include "validator/formats/hep001/own/paths.h"
#include "validator/formats/hep001/own/values.h"

namespace hepcheck::hep001::own {

namespace {

struct OwnState {
  OwnState(const Bytes& bytes, std::uint64_t position, const Limits& reading_limits)
      : file(bytes), limits(reading_limits), context(file, position, limits) {}

  const Bytes file;
  const Limits limits;
  Context context;
  Paths paths{context};
  OwnValues values{context};
};

class OwnObject : public OpenObject {
 public:
  OwnObject(OwnState& state, hdf5::ObjectHeader header, ObjectKind kind)
      : state_(state), header_(std::move(header)), kind_(kind) {}

  ObjectKind kind() const override { return kind_; }

  std::optional<Attribute> attribute(const char* name) override {
    read();
    const auto it = attributes_->find(std::string_view(name));
    if (it != attributes_->end()) return it->second;
    return std::nullopt;
  }

  Attributes attributes(std::optional<std::string>& trouble, std::optional<Attribute>) override {
    read();
    trouble = trouble_;
    Attributes all = std::move(*attributes_);
    attributes_.reset();
    return all;
  }

  std::vector<LinkInfo> links(std::uint64_t limit, std::optional<std::string>& trouble) override {
    const std::lock_guard lock(state_.context.mutex);
    return links_of(header_, "", limit, state_.context, trouble);
  }
  std::string link_target(const LinkInfo& link) override { return link.value; }
  std::optional<SoftTarget> soft_target(const LinkInfo& link) override {
    const std::lock_guard lock(state_.context.mutex);
    const auto address = state_.paths.resolve(header_.address, link.value);
    if (!address || link.value.empty()) return std::nullopt;
    return SoftTarget{token_at(*address), state_.context.target(*address).kind};
  }
  Dataset dataset(std::string name, std::string path, const ObjectToken& token) override {
    const std::lock_guard lock(state_.context.mutex);
    return read_dataset(header_, std::move(name), std::move(path), token, state_.context);
  }

 private:
  void read() {
    if (attributes_) return;
    const std::lock_guard lock(state_.context.mutex);
    trouble_.reset();
    attributes_ = read_attributes(header_, state_.context, trouble_);
  }

  OwnState& state_;
  hdf5::ObjectHeader header_;
  ObjectKind kind_;
  std::optional<Attributes> attributes_{};
  std::optional<std::string> trouble_{};
};

class OwnFile : public TableFile {
 public:
  explicit OwnFile(std::unique_ptr<OwnState> state) : state_(std::move(state)) {}

  const Limits& limits() const override { return state_->limits; }
  std::uint64_t bytes() const override { return state_->file.size(); }
  Result<ObjectToken> root() override { return token_at(state_->context.walk.superblock().root); }
  Opened open(const ObjectToken& token) override {
    const std::lock_guard lock(state_->context.mutex);
    std::optional<std::string> trouble;
    auto header = state_->context.header(own::address_of(token), trouble);
    if (!header) return std::unexpected(std::move(*trouble));
    const ObjectKind kind = own::kind_of(*header);
    if (kind == ObjectKind::kUnknown)
      return std::unexpected("it is not a group, a dataset or a datatype");
    if (kind == ObjectKind::kNamedDatatype) {
      const Attempt attempt(state_->context);
      const hdf5::Message& type = *header->find(hdf5::MessageType::kDatatype);
      const bool sound =
          state_->context.walk.shared().datatype(type.data, type.shared()).has_value();
      if (auto why = attempt.trouble(); why || !sound)
        return std::unexpected(why.value_or("its datatype is refused"));
    }
    return std::make_unique<OwnObject>(*state_, std::move(*header), kind);
  }
  ObjectKind kind_of_unopenable(OpenObject&, const LinkInfo&) override {
    return ObjectKind::kUnknown;
  }
  std::optional<ObjectToken> find(const std::string& path) override {
    const std::lock_guard lock(state_->context.mutex);
    const auto address = state_->paths.resolve(state_->context.walk.superblock().root, path);
    return address ? std::optional(token_at(*address)) : std::nullopt;
  }
  std::string path_of(const ObjectToken& token) override {
    const std::lock_guard lock(state_->context.mutex);
    return state_->paths.path_of(own::address_of(token));
  }
  ValueSource& values() override { return state_->values; }

 private:
  std::unique_ptr<OwnState> state_;
};

}  // namespace

Result<std::unique_ptr<TableFile>> open_file(const Bytes& file, const Limits& limits) {
  const std::optional<std::uint64_t> position = hdf5::find_signature(file);
  if (file.size() == 0) return failure(file.name(), "the file is empty");
  if (!position) return failure(file.name(), "not an HDF5 file");
  auto state = std::make_unique<OwnState>(file, *position, limits);
  const Attempt attempt(state->context);
  const bool opened = state->context.walk.open();
  const hdf5::Superblock& superblock = state->context.walk.superblock();
  if (opened && superblock.root != hdf5::kUndefined && !attempt.trouble())
    return std::make_unique<OwnFile>(std::move(state));
  if (superblock.whole && superblock.fits() && !superblock.open_for_writing() &&
      superblock.end_of_file > file.size())
    return failure(file.name(), std::format("truncated: {} of {} bytes are there", file.size(),
                                            superblock.end_of_file));
  std::string why = state->context.walk.not_examined();
  if (why.empty()) why = attempt.trouble().value_or("the superblock names no root group");
  return failure(file.name(), std::move(why));
}

}  // namespace hepcheck::hep001::own
