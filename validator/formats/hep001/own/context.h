// What the parts of the reader share: the opened container, and how its verdict becomes the reason
// why a part of a table is not examined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "validator/bytes.h"
#include "validator/formats/hdf5/object_parts.h"
#include "validator/formats/hdf5/walk.h"
#include "validator/formats/hep001/model/table.h"
#include "validator/formats/hep001/own/datatype.h"
#include "validator/limits.h"

namespace hepcheck::hep001::own {

// An object as references see it.
struct TargetObject {
  ObjectKind kind = ObjectKind::kUnknown;
  std::uint32_t links = 0;
  std::string unreadable{};  // the reason; empty if it can be read
};

class Context {
 public:
  // Both must outlive it. There must be a signature at `position`.
  Context(const Bytes& bytes, std::uint64_t position, const Limits& reading_limits);

  const Bytes& file;
  const Limits& limits;
  hdf5::ContainerWalk walk;
  // Locked while anything is read through `walk`.
  std::recursive_mutex mutex{};

  hdf5::Container& container() { return walk.container(); }
  // The header at that address; otherwise `trouble` states why not.
  std::optional<hdf5::ObjectHeader> header(std::uint64_t address,
                                           std::optional<std::string>& trouble);
  const TargetObject& target(std::uint64_t address);
  // As read_datatype; types of equal messages are read once.
  ReadType type(const hdf5::Datatype& type, std::optional<std::string>& trouble);

  hdf5::KnownAttributes known_attributes{};
  // An attribute of the model without its value, and the form of that.
  struct Described {
    Attribute attribute{};
    std::shared_ptr<const ElementForm> form{};
  };
  std::vector<std::optional<Described>> described{};  // by the numbers of attributes

 private:
  std::unordered_map<std::uint64_t, std::string> refused_{};  // headers, with the reason
  std::unordered_map<std::uint64_t, TargetObject> targets_{};
  std::vector<std::optional<ReadType>> types_{};  // by the numbers of types
};

// Reads a part of the container. While it exists, no other one may begin.
class Attempt {
 public:
  explicit Attempt(Context& context)
      : context_(context), before_(context.walk.notes().not_examined().size()) {
    context.walk.notes().enter(0);
  }
  // The reason why the part cannot be trusted, if there is one.
  std::optional<std::string> trouble() const;

 private:
  Context& context_;
  std::size_t before_;
};

ObjectToken token_at(std::uint64_t address);
std::uint64_t address_of(const ObjectToken& token);
ObjectKind kind_of(const hdf5::ObjectHeader& header);

// As C strings end.
std::string until_zero(std::string text);

}  // namespace hepcheck::hep001::own
