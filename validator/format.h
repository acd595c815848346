// The seam between the core and the formats.
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
#include "validator/rule.h"

namespace hepcheck {

enum class Likeness : std::uint8_t {
  kNone,
  kPossible,  // nothing speaks against it, but the format has no signature
  kCertain,
};

// What is to be examined of a file.
struct Request {
  const Specification* spec =
      nullptr;  // a revision of the format; null: it chooses for each subject
  std::optional<std::string> subject{};  // only this one, found or not: "/events"
  const FileOptions& options;
};

// What a figure is called, by its key: {"nrows", "row", "rows"}.
struct FigureWords {
  std::string_view key, one, many;
  bool leads = false;  // it is said where there is room for little
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

// One format: how it knows its files, and how it judges what is in them. Each has a folder below
// formats/ and one of these; formats/formats.cpp lists them. Nothing else in the core names one,
// and none names another.
struct Format {
  std::string_view name;     // in --spec, as `format` in the catalogues, below formats/
  std::string_view title;    // as badges and headings have it
  std::string_view subject;  // what is judged one by one: "table"
  std::string_view absent;   // what a file lacks that has none: "no table group"
  std::string_view parts;    // what a subject has many of, their key in the JSON report: "columns"
  std::string_view labels;   // likewise what hangs on a part: "indexes"
  // What is asked of each part, its key in the JSON report and in words; empty if nothing is.
  std::string_view question{}, question_words{};
  std::span<const std::string_view> tags;     // for viewers that file findings away
  std::span<const FigureWords> figures;       // of a subject, in the order of reports
  std::span<const FigureWords> part_figures;  // of parts, which reports add up
  std::span<const std::string_view> endings;  // of names of files worth opening in a folder: ".h5"

  // From a few bytes; never throws. The name of a file may count as well.
  Likeness (*recognise)(const Bytes& file);
  // Does what is the same for all files, before a worker is forked; reads none. May be null.
  void (*prepare)(const FileOptions& options);
  // Reads the file and appends a SubjectReport for each subject, in the order of discovery, telling
  // options.on_subject. Any trouble with the file ends in the report; std::bad_alloc comes out.
  void (*examine)(const Bytes& file, const Request& wanted, FileReport& into);
  // All that it has, for any of its revisions; each id once.
  std::span<const RuleHead> (*rules)();
  // Whether an input that begins so can be examined while it comes in (incoming.h). Null: none can.
  bool (*reads_forwards)(std::span<const std::byte> begin) = nullptr;
  // Null if it has no tables in groups of a container.
  const TableGroups* table_groups = nullptr;
  // A format whose subjects can be directories has both: whether a directory as a whole is its
  // subject, and what `examine` does for one. Members were opened before; nothing else can be.
  Likeness (*recognise_directory)(const DirectoryProbe& directory) = nullptr;
  void (*examine_directory)(const Members& members, const Request& wanted,
                            FileReport& into) = nullptr;
};

// The choosy ones first: the first that is certain of a file judges it.
std::span<const Format* const> all_formats();
const Format* find_format(std::string_view name);
const Format& format_of(const Specification& spec);
// The first format that is certain, else the first that finds it possible; null if none does.
const Format* recognise(const Bytes& file);
// Likewise of a directory; null also if the path is not a directory.
const Format* recognise_directory(const std::string& path);

// The specification that is used when none is named: the default revision of the first format.
const Specification& default_specification();

}  // namespace hepcheck
