// Array directories: their names, every schema and enumeration in them, and what follows from all
// of them together.                                  [array_file_hierarchy.md, timestamped_name.md]
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/formats/tiledb/enumeration.h"
#include "validator/formats/tiledb/tree.h"

namespace hepcheck::tiledb {

constexpr std::string_view kSchemaFolder = "__schema", kEnumerationFolder = "__enumerations",
                           kOldName = "__array_schema.tdb";

// A name of the form __t1_t2_uuid, or with a version behind it.
struct SchemaName {
  bool formed = false, versioned = false;
  std::string t1{}, t2{};  // digits without leading zeros

  static SchemaName of(std::string_view name);
};

// A file that was examined as a schema.
struct SchemaFile {
  std::string name{};  // of the file, without directories
  SchemaName parsed{};
  bool old = false;  // __array_schema.tdb
  Opened opened{};
  Schema schema{};

  bool whole() const { return schema.reached == Reached::kEnd; }
};

struct EnumerationFile {
  std::string name{};
  Opened opened{};
  Enumeration enumeration{};
};

// Where a file on its own lies, as far as its path tells.
enum class Folder : std::uint8_t { kNone, kSchemas, kEnumerations, kOldSchema };
Folder folder_of(std::string_view path);
std::string_view name_in(std::string_view path);

// Examine one file completely. `folder` tells what it is, and whether its name counts.
void examine_schema(const Bytes& file, Folder folder, const Limits& limits, Notes& notes,
                    SchemaFile& into, bool in_array);
void examine_enumeration(const Bytes& file, Folder folder, const Limits& limits, Notes& notes,
                         EnumerationFile& into);

// Files that are not judged, by the directory they are in.
struct NotJudged {
  std::string what{};
  std::uint64_t count = 0;
};

struct Array {
  std::vector<std::unique_ptr<SchemaFile>> schemas{};  // the oldest first
  std::vector<std::unique_ptr<EnumerationFile>> enumerations{};
  std::vector<NotJudged> not_judged{};
  std::vector<std::pair<std::string, std::string>> unreadable{};  // name, reason

  const SchemaFile* newest() const { return schemas.empty() ? nullptr : schemas.back().get(); }
};

void examine_array(const Tree& tree, const Limits& limits, Notes& notes, Array& into);

}  // namespace hepcheck::tiledb
