// The interface between the core and the formats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "validator/bytes.h"
#include "validator/catalogue/clause.h"
#include "validator/members.h"
#include "validator/options.h"
#include "validator/report.h"
#include "validator/result.h"
#include "validator/rule.h"

namespace hepcheck {

enum class Likeness : std::uint8_t {
  kNone,
  kPossible,  // nothing contradicts it, but the format has no signature
  kCertain,
};

// Why a file has no subject.
struct Absence {
  std::string why{};  // empty: it has some, or nothing is known about them
  // Its subjects cannot be reached. Reported unless the container is found to be broken, which
  // explains it.
  std::optional<Error> unreachable{};
};

// What to examine of a file.
struct Request {
  const Specification* spec =
      nullptr;  // a revision of the format; null: the format chooses for each subject
  std::optional<std::string> subject{};  // only this subject, whether it exists or not: "/events"
  const FileOptions& options;
  // Receives the reason why the file has no subject. Null: that is an error, unless the options
  // allow it.
  Absence* absent = nullptr;
  // The reason why another format, which recognised the file, has no subject in it; for the notes
  // of the report.
  std::string_view instead_of{};
};

// The name of a figure, by its key: {"nrows", "row", "rows"}.
struct FigureWords {
  std::string_view key, one, many;
  bool leads = false;  // shown where space is short
  // Reported only by the specifications that ask the question of the format.
  bool of_question = false;
};

// How a format marks the groups of a container that are its tables, and which of their members hold
// something other than columns. A format that examines the container itself reports on those tables
// without knowing the format.
struct TableGroups {
  std::string_view attribute;   // of the group
  std::string_view value;       // of that attribute
  std::string_view indexes;     // the member group of search indexes
  std::string_view categories;  // the member group of the labels of categorical columns
};

// A format: how it recognises its files, and how it judges them. Each has a directory below
// formats/ and one object of this type; formats/formats.cpp lists them. Nothing else in the core
// names a format, and no format names another.
struct Format {
  std::string_view name;     // in --spec, in `format` of the catalogues, and below formats/
  std::string_view title;    // for badges and headings
  std::string_view subject;  // what is judged as a unit: "table"
  std::string_view absent;   // the missing part of a file without subjects: "no table group"
  std::string_view parts;    // the parts of a subject, their key in the JSON report: "columns"
  std::string_view labels;   // what belongs to a part: "indexes"
  // The question that is answered for each part: its key in the JSON report, and in words; empty if
  // there is none.
  std::string_view question{}, question_words{};
  std::span<const std::string_view> tags;     // for viewers that classify findings
  std::span<const FigureWords> figures;       // of a subject, in the order of reports
  std::span<const FigureWords> part_figures;  // of parts, which reports sum up
  std::span<const std::string_view>
      endings;  // suffixes of file names to open in a directory: ".h5"
  // Names of files with such a suffix in which there is nothing to judge: a directory is examined
  // without them.
  std::span<const std::string_view> markers{};

  // From a few bytes; never throws. The name of a file may count as well.
  Likeness (*recognise)(const Bytes& file);
  // Does what is the same for all files before a worker is forked, without reading any. May be
  // null.
  void (*prepare)(const FileOptions& options);
  // Reads the file and appends a SubjectReport for each subject, in the order of discovery, and
  // calls options.on_subject. Reports every problem with the file in the report; throws only
  // std::bad_alloc.
  void (*examine)(const Bytes& file, const Request& wanted, FileReport& into);
  // All rules, for all revisions; each id once.
  std::span<const RuleHead> (*rules)();
  // Whether an input that begins with these bytes can be examined while it arrives (incoming.h).
  // Null: no input can.
  bool (*reads_forwards)(std::span<const std::byte> begin) = nullptr;
  // The format that judges the files that hold its subjects as such; a file without subjects that
  // can be reached is left to it, unless a specification is named. Empty if there is none.
  std::string_view container{};
  // Null if it has no tables in groups of a container.
  const TableGroups* table_groups = nullptr;
  // A format whose subjects can be directories has both: whether a directory as a whole is its
  // subject, and what `examine` does for one. Members were opened before; nothing else can be.
  Likeness (*recognise_directory)(const DirectoryProbe& directory) = nullptr;
  void (*examine_directory)(const Members& members, const Request& wanted,
                            FileReport& into) = nullptr;
};

// The most selective ones first: the first that is certain of a file judges it.
std::span<const Format* const> all_formats();
const Format* find_format(std::string_view name);
const Format& format_of(const Specification& spec);
// The first format that is certain, otherwise the first that considers it possible; null if none
// does.
const Format* recognise(const Bytes& file);
// Likewise of a directory; null also if the path is not a directory.
const Format* recognise_directory(const std::string& path);

// The specification used when none is named: the default revision of the first format.
const Specification& default_specification();

}  // namespace hepcheck
