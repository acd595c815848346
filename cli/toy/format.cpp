// The toy format, whole: the example of docs/new-format.md.
#include "validator/format.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "toy/clause_ids.h"
#include "validator/judge.h"
#include "validator/look.h"

namespace hepcheck::toy {

namespace {

// The reader: what is in a list, and where a finding about it is.
struct List {
  char version = 0;
  std::uint64_t stated = 0, present = 0;  // numbers of values
  std::vector<std::byte> values{};        // those that are there
};
struct At {
  std::string path{}, part{};
  std::string object() const { return path; }
  std::string where() const { return part; }
};
using Notes = NotesOf<kClauseIds, At>;
using Look = LookOf<Notes>;

bool read_list(const Bytes& bytes, List& into) {
  std::array<std::byte, 5> head{};
  if (!bytes.read(0, head)) return false;
  into.version = static_cast<char>(head[3]);
  into.stated = std::to_integer<std::uint64_t>(head[4]);
  into.present = bytes.size() - head.size();
  into.values.resize(std::min(into.stated, into.present));
  return bytes.read(head.size(), into.values);
}

// The rules.
constexpr LookRule kVersion("toy-version", [](const List& list, Look& look) {
  look.ask(list.version == '1', std::format("byte {:#04x}", list.version), "the digit 1");
});
constexpr LookRule kSize("toy-size", [](const List& list, Look& look) {
  look.ask(list.present == list.stated, std::format("{} bytes of values", list.present),
           std::format("{}", list.stated));
});
constexpr LookRule kAscending("toy-ascending", [](const List& list, Look& look) {
  const auto& values = list.values;
  if (values.empty()) return;
  const auto at = std::ranges::is_sorted_until(values) - values.begin();
  look.ask(std::ranges::is_sorted(values), std::format("value {} is smaller", at), "values ascend");
});

std::span<const RuleHead> rule_heads() {
  static const std::vector<RuleHead> all = joined({[](RuleList& list) {
    list.structure<kVersion, kSize>();
    list.values<kAscending>();
  }});
  return all;
}

// One list, as a subject of its own.
bool examine_list(const Bytes& bytes, const std::string& path, const Request& wanted,
                  FileReport& into) {
  List list;
  if (!read_list(bytes, list)) return false;
  const Specification& spec = wanted.spec ? *wanted.spec : default_revision("toy");
  Notes notes(spec, wanted.options.examine.max_findings);
  const At at{.path = path};
  if (judge<kVersion>(list, at, notes) && judge<kSize>(list, at, notes))
    judge<kAscending>(list, at, notes);
  else
    block<kAscending>("the list is broken", {}, notes);
  const Judge judged(spec, rule_heads(), wanted.options.examine);
  judged.report({.kind = "list", .path = path}, std::move(notes).probes(), wanted.options, into);
  return true;
}

bool begins(std::span<const std::byte> bytes, std::string_view with) {
  return bytes.size() >= with.size() &&
         std::ranges::equal(bytes.first(with.size()), std::as_bytes(std::span(with)));
}

Likeness recognise(const Bytes& file) {
  std::array<std::byte, 3> magic{};
  return file.read(0, magic) && begins(magic, "TOY") ? Likeness::kCertain : Likeness::kNone;
}

void examine(const Bytes& file, const Request& wanted, FileReport& into) {
  if (wanted.subject && *wanted.subject != "/")
    into.error = Error{into.path, "no object " + *wanted.subject};
  else if (!examine_list(file, "/", wanted, into))
    into.error = Error{into.path, "too short for a list"};
}

// The directory form: each member whose name ends with .toy is a list.
Likeness recognise_directory(const DirectoryProbe& directory) {
  return begins(directory.begin("toy.index", 6), "TOYDIR") ? Likeness::kCertain : Likeness::kNone;
}

void examine_directory(const Members& members, const Request& wanted, FileReport& into) {
  for (const Member& member : members.all()) {
    const std::string path = '/' + member.name;
    const bool regular = member.kind == MemberKind::kFile;
    if (wanted.subject && *wanted.subject != path) continue;
    if (member.error)
      into.unreadable.push_back({path, member.error->cause});
    else if (!regular && member.kind != MemberKind::kDirectory)
      into.unreadable.push_back({path, std::string(to_string(member.kind)) + " is not examined"});
    else if (regular && path.ends_with(".toy") && !examine_list(member.bytes, path, wanted, into))
      into.unreadable.push_back({path, "too short for a list"});
  }
  if (into.subjects.empty() && into.unreadable.empty() && !wanted.options.allow_no_subjects)
    into.error = Error{into.path, "no list in this directory"};
}

constexpr std::string_view kEndings[] = {".toy"};

}  // namespace

extern const Format kFormat;
const Format kFormat = {.name = "toy",
                        .title = "Toy lists",
                        .subject = "list",
                        .absent = "no list",
                        .parts = "values",
                        .labels = "labels",
                        .tags = {},
                        .figures = {},
                        .part_figures = {},
                        .endings = kEndings,
                        .recognise = recognise,
                        .prepare = nullptr,
                        .examine = examine,
                        .rules = rule_heads,
                        .recognise_directory = recognise_directory,
                        .examine_directory = examine_directory};

}  // namespace hepcheck::toy
