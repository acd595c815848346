// A file with tables, as a reader opens it: what is asked of libhdf5 and of the container reader
// alike. The walk to the tables and the table model above it are the same for both
// (read_tables.h).
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "validator/formats/hep001/model/table.h"
#include "validator/formats/hep001/model/values.h"
#include "validator/limits.h"
#include "validator/result.h"

namespace hepcheck::hep001 {

struct LinkInfo {
  std::string name{};
  Child::LinkKind kind = Child::LinkKind::kHard;
  ObjectToken token{};          // hard links
  std::size_t value_bytes = 0;  // soft and external links
  // Soft links: the path; external ones: "file:path". Only if the reader has it at once.
  std::string value{};
};

// An object of this file to which a soft link leads.
struct SoftTarget {
  ObjectToken token{};
  ObjectKind object = ObjectKind::kUnknown;
};

// An object that was opened. It must not outlive its file.
class OpenObject {
 public:
  virtual ~OpenObject() = default;

  virtual ObjectKind kind() const = 0;
  // One attribute, if the object has it.
  virtual std::optional<Attribute> attribute(const char* name) = 0;
  // All attributes, by name. An attribute that cannot be read is kept, with the reason in
  // `unreadable`. If the attributes cannot be listed, `trouble` states why. `known` is one of them,
  // if it was read already.
  virtual Attributes attributes(std::optional<std::string>& trouble,
                                std::optional<Attribute> known) = 0;

  // --- Groups -----------------------------------------------------------------------------------
  // The links, in native order, at most `limit`. After a failure, `trouble` states why the links
  // are not complete.
  virtual std::vector<LinkInfo> links(std::uint64_t limit, std::optional<std::string>& trouble) = 0;
  // Of a link that is not a hard one: as LinkInfo::value; empty if it cannot be read.
  virtual std::string link_target(const LinkInfo& link) = 0;
  virtual std::optional<SoftTarget> soft_target(const LinkInfo& link) = 0;

  // --- Datasets ---------------------------------------------------------------------------------
  // Datatype, dataspace, storage, fill value, attributes, but not its values. The sources of a
  // virtual dataset and external files are not opened.
  virtual Dataset dataset(std::string name, std::string path, const ObjectToken& token) = 0;
};

class TableFile {
 public:
  virtual ~TableFile() = default;

  virtual const Limits& limits() const = 0;
  virtual std::uint64_t bytes() const = 0;  // the whole file
  virtual Result<ObjectToken> root() = 0;
  // The error is the reason.
  using Opened = std::expected<std::unique_ptr<OpenObject>, std::string>;
  virtual Opened open(const ObjectToken& token) = 0;
  // The kind of an object that cannot be opened, if it is known.
  virtual ObjectKind kind_of_unopenable(OpenObject& parent, const LinkInfo& link) = 0;
  // An object by its path, if there is one.
  virtual std::optional<ObjectToken> find(const std::string& path) = 0;
  // A path of that object; empty if there is none.
  virtual std::string path_of(const ObjectToken& token) = 0;
  // The values of its datasets; as long-lived as the file.
  virtual ValueSource& values() = 0;
  // When everything was read: what the reader has to say about itself.
  virtual std::vector<Error> remarks() { return {}; }
};

}  // namespace hepcheck::hep001
