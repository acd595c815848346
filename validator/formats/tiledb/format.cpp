// The interface of TileDB array schemas to the core.
#include "validator/format.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "validator/formats/tiledb/array.h"
#include "validator/formats/tiledb/report.h"
#include "validator/formats/tiledb/rules.h"
#include "validator/judge.h"
#include "validator/worker_position.h"

namespace hepcheck::tiledb {

namespace {

constexpr std::string_view kEndings[] = {".tdb", ".tdb.tar"};

// Files that mark a group, and a key-value store of TileDB 1.4 to 1.6. Neither is an array.
constexpr std::string_view kGroupMarker = "__tiledb_group.tdb", kStoreMarker = "__kv_schema.tdb";
constexpr std::string_view kMarkers[] = {kGroupMarker, kStoreMarker};

bool is_marker(const Bytes& file) { return std::ranges::contains(kMarkers, name_in(file.name())); }

// There is no signature. The structure of a tile is certain, since 24 bytes and the size of the
// file agree; a name is not.
Likeness recognise(const Bytes& file) {
  if (is_archived_array(file)) return Likeness::kCertain;
  const Folder folder = folder_of(file.name());
  if (looks_like_tile(file))
    return folder == Folder::kNone ? Likeness::kPossible : Likeness::kCertain;
  return folder != Folder::kNone || is_before_format(file) || file.name().ends_with(".tdb")
             ? Likeness::kPossible
             : Likeness::kNone;
}

Likeness recognise_directory(const DirectoryProbe& directory) {
  return directory.has_directory(kSchemaFolder) || directory.has_file(kOldName) ||
                 directory.has_directory("__fragments") || directory.has_directory("__commits") ||
                 directory.has_directory("__meta")
             ? (directory.has_file(kGroupMarker) || directory.has_directory("__group") ||
                        directory.has_file(kStoreMarker)
                    ? Likeness::kNone
                    : Likeness::kCertain)
             : Likeness::kNone;
}

// What is reported of one input.
class Reporting {
 public:
  Reporting(const Request& wanted, FileReport& into)
      : wanted_(wanted), into_(into),
        spec_(wanted.spec ? *wanted.spec : default_revision("tiledb")),
        notes_(spec_, wanted.options.examine.max_findings) {}

  bool is_wanted() {
    if (!wanted_.subject || *wanted_.subject == "/") return true;
    into_.error = Error{into_.path, "no object " + *wanted_.subject};
    return false;
  }
  Notes& notes() { return notes_; }
  const Limits& limits() const { return wanted_.options.limits; }

  // `unsupported`: why this text does not describe the input, if it does not.
  template <class Seen>
  void report(std::string_view kind, const Seen& seen, const std::string& unsupported) {
    now_at(Stage::kChecking);
    SubjectReport subject{.kind = std::string(kind), .path = "/"};
    describe(seen, subject);
    if (wanted_.options.examine.describe_columns) describe_parts(seen, subject);
    if (!unsupported.empty() && notes_.errors() == 0) {
      subject.verdict = SubjectVerdict::kUnsupported;
      subject.reason = unsupported;
    }
    const Judge judge(spec_, rule_heads(), wanted_.options.examine);
    judge.report(std::move(subject), std::move(notes_).probes(), wanted_.options, into_);
  }

  void examine_tree(const Tree& tree) {
    Array array;
    examine_array(tree, limits(), notes_, array);
    std::string unsupported;
    for (const auto& each : array.schemas)
      if (unsupported.empty()) unsupported = each->opened.unsupported;
    for (const auto& [name, reason] : array.unreadable) into_.unreadable.push_back({name, reason});
    report("array", array, unsupported);
  }

 private:
  const Request& wanted_;
  FileReport& into_;
  const Specification& spec_;
  Notes notes_;
};

bool read_all(const Bytes& file, const Limits& limits, std::vector<std::byte>& into,
              std::string& reason) {
  if (file.size() > limits.block_bytes) {
    reason = std::format("an archive larger than the limit of {} bytes", limits.block_bytes);
    return false;
  }
  into.resize(file.size());
  if (file.read(0, into)) return true;
  reason = "it cannot be read";
  return false;
}

void examine_archive(const Bytes& file, Reporting& reporting, FileReport& into) {
  std::vector<std::byte> bytes;
  std::string reason;
  if (!read_all(file, reporting.limits(), bytes, reason)) {
    into.error = Error{into.path, reason};
    return;
  }
  const std::optional<Tree> tree = Tree::of_archive(bytes, reporting.limits(), reason);
  if (!tree) {
    into.error = Error{into.path, reason};
    return;
  }
  reporting.examine_tree(*tree);
}

// Whether the decoded bytes are those of an enumeration, if the path does not tell.
bool is_enumeration(const Opened& opened, Folder folder) {
  if (folder != Folder::kNone) return folder == Folder::kEnumerations;
  return opened.decoded && opened.content.size() >= 4 &&
         load<std::uint32_t>(opened.content.data()) == 0;
}

void examine(const Bytes& file, const Request& wanted, FileReport& into) {
  Reporting reporting(wanted, into);
  if (!reporting.is_wanted()) return;
  if (is_marker(file)) {
    into.error = Error{into.path, name_in(file.name()) == kGroupMarker
                                      ? "the marker of a group, which is not an array schema"
                                      : "the schema of a key-value store, which is not an array "
                                        "schema"};
    return;
  }
  if (is_archive(file)) return examine_archive(file, reporting, into);
  const Folder folder = folder_of(file.name());
  Opened opened;
  open_tile(file, reporting.limits(), reporting.notes(), opened);
  const bool decoded = opened.decoded;
  const std::string name(name_in(file.name()));
  if (is_enumeration(opened, folder)) {
    EnumerationFile seen{.name = name};
    seen.opened = std::move(opened);
    examine_enumeration(file, folder, reporting.limits(), reporting.notes(), seen);
    reporting.report("enumeration", seen, seen.opened.unsupported);
    return;
  }
  SchemaFile seen{.name = name};
  seen.opened = std::move(opened);
  examine_schema(file, folder, reporting.limits(), reporting.notes(), seen, false);
  // Without its content nothing tells which of the two it is.
  if (!decoded && folder == Folder::kNone) block_enumeration(seen.opened.stop, reporting.notes());
  reporting.report("schema", seen, seen.opened.unsupported);
}

void examine_directory(const Members& members, const Request& wanted, FileReport& into) {
  Reporting reporting(wanted, into);
  if (reporting.is_wanted()) reporting.examine_tree(Tree::of(members));
}

constexpr FigureWords kFigures[] = {{"schemas", "schema", "schemas", true},
                                    {"dimensions", "dimension", "dimensions", true},
                                    {"attributes", "attribute", "attributes", true},
                                    {"enumerations", "enumeration", "enumerations"},
                                    {"fields", "field", "fields"},
                                    {"values", "value", "values"}};
constexpr FigureWords kPartFigures[] = {{"entries", "enumeration value", "enumeration values"}};
constexpr std::string_view kTags[] = {"TileDB", "array"};

}  // namespace

extern const Format kFormat;
const Format kFormat = {.name = "tiledb",
                        .title = "TileDB array schema",
                        .subject = "array",
                        .absent = "no TileDB array schema",
                        .parts = "fields",
                        .labels = "properties",
                        .tags = kTags,
                        .figures = kFigures,
                        .part_figures = kPartFigures,
                        .endings = kEndings,
                        .markers = kMarkers,
                        .recognise = recognise,
                        .prepare = nullptr,
                        .examine = examine,
                        .rules = rule_heads,
                        .recognise_directory = recognise_directory,
                        .examine_directory = examine_directory};

}  // namespace hepcheck::tiledb
