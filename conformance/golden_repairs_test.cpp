// Repairs of the whole corpus, and of tables with defects chosen at random: what can be repaired
// becomes conformant with equal values, for the rest the reason is given, and repairing again
// changes nothing. Golden files list what is done about each broken fixture, by itself and with the
// options that are offered for what is left.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <format>
#include <map>
#include <random>
#include <set>

#include "conformance/corpus.h"
#include "conformance/findings_text.h"
#include "validator/fnv1a.h"
#include "validator/formats/hep001/libhdf5/edit.h"
#include "validator/formats/hep001/libhdf5/file.h"
#include "validator/formats/hep001/repair/repair.h"
#include "validator/formats/hep001/testing/defects.h"
#include "validator/testing/golden_files.h"
#include "validator/testing/memory_file.h"

namespace hepcheck::conformance {
namespace {

// A file in memory.
std::vector<std::byte> bytes_of(int file) {
  const Bytes bytes = Bytes::of_descriptor(file, "copy");
  std::vector<std::byte> all(bytes.size());
  EXPECT_TRUE(bytes.read(0, all));
  return all;
}

hep001::RepairRequest request_of(const std::optional<std::string>& group,
                                 const Specification* spec) {
  hep001::RepairRequest request{.group = group, .spec = spec};
  request.date = std::chrono::sys_seconds(std::chrono::seconds(0));
  request.file.examine.jobs = 1;
  return request;
}

Result<std::vector<RepairedSubject>> repaired(int file, const hep001::RepairRequest& request) {
  auto rewrite = Rewrite::of_private(Descriptor{dup(file)}, "copy");
  if (!rewrite) return std::unexpected(rewrite.error());
  auto subjects = hep001::repair_tables(**rewrite, "copy", request);
  if (const auto done = (*rewrite)->finish(); subjects && !done)
    return std::unexpected(done.error());
  return subjects;
}

std::map<std::string, std::string> digests_of(int file, const std::optional<std::string>& group) {
  std::map<std::string, std::string> made;
  const auto digests = hep001::digest_tables(Bytes::of_descriptor(file, "copy"), group, {}, {});
  if (digests)
    for (const ValueDigest& each : *digests) made[each.path] = each.sha256;
  return made;
}

// The violations of a file, as the repair counts them.
std::uint64_t violations(int file, const std::optional<std::string>& group,
                         const Specification* spec, bool& undecided) {
  FileOptions options;
  options.examine.max_findings = 1'000'000;
  options.examine.jobs = 1;
  const FileReport report = examine_within_memory(
      Bytes::of_descriptor(file, "copy"), {.spec = spec, .subject = group, .options = options});
  std::uint64_t count = 0;
  for (const SubjectReport& subject : report.subjects) {
    undecided |= subject.verdict == SubjectVerdict::kUnchecked ||
                 subject.verdict == SubjectVerdict::kUnsupported;
    for (const ClauseResult& result : subject.clauses)
      for (const Finding& finding : result.findings)
        count += finding.severity >= Severity::kWarning;
  }
  return count;
}

// Repairs a file, checks what holds for every repair, and returns what was done.
std::vector<RepairedSubject> checked_repair(std::span<const std::byte> image,
                                            const std::optional<std::string>& group,
                                            const Specification* spec, const std::string& name) {
  const Descriptor copy = memory_file(image);
  const auto subjects = repaired(copy.get(), request_of(group, spec));
  if (!subjects) {
    ADD_FAILURE() << name << ": " << subjects.error().text();
    return {};
  }
  std::uint64_t left = 0, changes = 0;
  for (const RepairedSubject& subject : *subjects) {
    left += subject.left.size();
    changes += subject.changes.size();
    for (const RepairLeft& each : subject.left) EXPECT_NE(each.why, "") << name << each.clause;
  }
  // Everything that is not repaired is listed, and nothing else is violated.
  bool undecided = false;
  EXPECT_EQ(violations(copy.get(), group, spec, undecided), left) << name;
  const std::vector<std::byte> once = bytes_of(copy.get());
  if (changes == 0) {
    // Equal bytes have equal values, and the next repair would begin with what this one did.
    EXPECT_TRUE(std::ranges::equal(once, image)) << name;
    return *subjects;
  }
  const Descriptor original = memory_file(image);
  const auto before = digests_of(original.get(), group), after = digests_of(copy.get(), group);
  for (const auto& [path, digest] : after)
    if (const auto old = before.find(path); old != before.end()) {
      EXPECT_EQ(old->second, digest) << name << " " << path;
    }
  const auto again = repaired(copy.get(), request_of(group, spec));
  EXPECT_TRUE(again) << name;
  EXPECT_TRUE(bytes_of(copy.get()) == once) << name << ": repairing twice changes the file";
  return *subjects;
}

std::string text_of(const RepairedSubject& subject) {
  std::string text;
  for (const RepairChange& change : subject.changes)
    text += line(std::format(" repaired {} {}{}{}: {}",
                             change.clause.empty() ? "stale" : change.clause, change.object,
                             change.attribute.empty() ? "" : "@", change.attribute, change.act));
  for (const RepairLeft& left : subject.left) {
    std::string options;
    for (const std::string& each : left.options) options += "; " + each;
    text += line(std::format(" left {} {}{}{}: {}{}", left.clause, left.object,
                             left.attribute.empty() ? "" : "@", left.attribute, left.why, options));
  }
  return text;
}

// The kind of an option such as "--fill x=VALUE", and what a user might pass to it.
std::optional<std::string> decide(std::string_view option, RepairDecisions& decisions) {
  constexpr std::pair<std::string_view, std::string_view> kValues[] = {
      {"=VALUE", "=-7"},          {"=MIN:MAX", "=-3:1000000"}, {"=N", "=3"},
      {"=TEXT", "=some text"},    {"=COLUMN,...", "=ts,x"},    {"=COLUMN", "=ts"},
      {"=NEW_NAME", "=new name"}, {"=/NEW/PATH", "=/moved/it"}};
  std::string text(option.substr(option.find(' ') + 1));
  for (const auto& [asked, given] : kValues)
    if (text.ends_with(asked)) text.replace(text.size() - asked.size(), asked.size(), given);
  text.resize(std::min(text.find('|'), text.size()));
  using Kind = RepairDecisions::Kind;
  for (const Kind kind : {Kind::kFill, Kind::kRange, Kind::kRename, Kind::kSet, Kind::kDrop})
    if (option.starts_with(std::format("{} ", RepairDecisions::option_of(kind))))
      return decisions.add(kind, text);
  return std::format("unknown: {}", option);
}

// What becomes of a file if a user passes one of the options that are offered for each violation
// that was left: the first, or in every second file the last.
std::string decided_repairs(const Fixture& fixture, const std::optional<std::string>& group,
                            const std::vector<RepairedSubject>& before) {
  const Specification* const spec = find_specification(fixture.spec);
  hep001::RepairRequest request = request_of(group, spec);
  const bool first = fnv1a(fixture.file) / 256 % 2 == 0;
  std::set<std::string> passed;
  std::string text = std::format("[{}]\n", fixture.file);
  for (const RepairedSubject& subject : before)
    for (const RepairLeft& left : subject.left) {
      if (left.options.empty()) continue;
      const std::string& option = first ? left.options.front() : left.options.back();
      if (!passed.insert(option).second) continue;
      if (const auto why = decide(option, request.decisions)) text += line(" refused: " + *why);
    }
  if (request.decisions.empty()) return {};
  const Descriptor copy = memory_file(fixture.image);
  const auto subjects = repaired(copy.get(), request);
  if (!subjects) return text + line(" fails: " + subjects.error().text());
  bool undecided = false;
  const std::uint64_t left = violations(copy.get(), group, spec, undecided);
  text += std::format(" {} violations{}\n", left, undecided ? ", undecided" : "");
  for (const RepairedSubject& subject : *subjects) text += text_of(subject);
  for (const std::string& each : request.decisions.unused()) text += line(" unused " + each);
  return text;
}

TEST(Repairs, WithWhatIsOffered) {
  std::string text;
  for (const Fixture* fixture : files_of_corpus()) {
    if (fixture->format != "hep001" || fixture->valid || fnv1a(fixture->file) / 512 % 5 > 0)
      continue;
    const std::optional<std::string> group =
        fixture->asserted ? std::optional(fixture->group) : std::nullopt;
    const Descriptor copy = memory_file(fixture->image);
    const auto subjects =
        repaired(copy.get(), request_of(group, find_specification(fixture->spec)));
    ASSERT_TRUE(subjects) << fixture->file;
    text += decided_repairs(*fixture, group, *subjects);
  }
  if (HEPCHECK_HDF5 >= 2) {
    EXPECT_TRUE(golden::equals(text, "conformance/golden/repairs-decided.txt"));
  }
}

// --- Edited tables -------------------------------------------------------------------------------

using hep001::libhdf5::Edit;

// All that may be missing below a group, and its numbers, which may be others.
void add_edits(const std::string& path, const hep001::Attributes& attributes,
               std::vector<Edit>& into) {
  for (const auto& [name, attribute] : attributes) {
    into.push_back({.kind = Edit::Kind::kDropAttribute, .path = path, .name = name});
    if (attribute.space.scalar() && attribute.type.is(hep001::TypeClass::kInteger))
      for (const std::uint64_t number : {0, 5})
        into.push_back(
            {.kind = Edit::Kind::kSetNumber, .path = path, .name = name, .number = number});
  }
}

void add_edits(const hep001::Group& group, std::vector<Edit>& into) {
  add_edits(group.path, group.attributes, into);
  for (const hep001::Child& child : group.children) {
    into.push_back({.kind = Edit::Kind::kUnlink, .path = child.path});
    if (child.dataset) add_edits(child.path, child.dataset->attributes, into);
    if (child.group) add_edits(*child.group, into);
  }
}

std::string name_of(const Edit& edit) {
  constexpr const char* kActs[] = {"without",
                                   "without attribute",
                                   "with fewer elements of",
                                   "with another number",
                                   "with fewer rows",
                                   "cut"};
  return std::format("{} {} {} {}", kActs[static_cast<std::size_t>(edit.kind)], edit.path,
                     edit.name, edit.number);
}

TEST(Repairs, OfEditedTables) {
  constexpr std::size_t kEdits = 6;  // of each table
  std::string text;
  for (const Fixture* fixture : files_of_corpus()) {
    const std::uint64_t number = fnv1a(fixture->file) / 512;
    if (fixture->format != "hep001" || !fixture->valid || fixture->asserted ||
        !fixture->outcome.empty() || fixture->tables.size() != 1 || number % 17 > 0)
      continue;
    const std::string& group = fixture->tables.front().group;
    const auto file = hep001::libhdf5::File::open_image(fixture->image);
    if (!file) continue;
    const auto table = hep001::libhdf5::read_table_at(*file, group);
    ASSERT_TRUE(table) << fixture->file;
    std::vector<Edit> edits;
    add_edits(table->group, edits);
    for (std::size_t i = 0; i < std::min(kEdits, edits.size()); ++i) {
      const Edit& edit = edits[(number / 17 + i * (edits.size() / kEdits + 1)) % edits.size()];
      text += line(std::format("[{} {}]", fixture->file, name_of(edit)));
      const auto image = hep001::libhdf5::edited(fixture->image, std::span(&edit, 1));
      if (!image) {
        text += line(" not edited: " + image.error().cause);
        continue;
      }
      const Descriptor copy = memory_file(*image);
      const auto subjects =
          repaired(copy.get(), request_of(group, find_specification(fixture->spec)));
      if (!subjects) text += line(" fails: " + subjects.error().text());
      for (const RepairedSubject& subject : subjects.value_or(std::vector<RepairedSubject>{}))
        text += text_of(subject);
    }
  }
  if (HEPCHECK_HDF5 >= 2) {
    EXPECT_TRUE(golden::equals(text, "conformance/golden/repairs-edited.txt"));
  }
}

TEST(Repairs, OfTheCorpus) {
  std::string text;
  std::size_t whole = 0, all = 0;
  for (const Fixture* fixture : files_of_corpus()) {
    if (fixture->format != "hep001" || fixture->valid) continue;
    text += std::format("[{}]\n", fixture->file);
    const std::optional<std::string> group =
        fixture->asserted ? std::optional(fixture->group) : std::nullopt;
    bool nothing_left = true;
    for (const RepairedSubject& subject :
         checked_repair(fixture->image, group, find_specification(fixture->spec), fixture->file)) {
      text += text_of(subject);
      nothing_left &= subject.left.empty();
    }
    ++all;
    whole += nothing_left;
  }
  text += std::format("{} of {} become conformant\n", whole, all);
  if (HEPCHECK_HDF5 >= 2) {
    EXPECT_TRUE(golden::equals(text, "conformance/golden/repairs-hep001.txt"));
  }
}

// Valid tables stay as they are, except for stale indexes.
TEST(Repairs, OfValidTables) {
  for (const Fixture* fixture : files_of_corpus()) {
    if (fixture->format != "hep001" || !fixture->valid || fixture->outcome == "unsupported")
      continue;
    const std::optional<std::string> group =
        fixture->asserted ? std::optional(fixture->group) : std::nullopt;
    for (const RepairedSubject& subject :
         checked_repair(fixture->image, group, find_specification(fixture->spec), fixture->file))
      for (const RepairChange& change : subject.changes)
        EXPECT_TRUE(change.clause.empty() ||
                    std::ranges::any_of(fixture->tables,
                                        [&](const Expectation& table) {
                                          return table.warns.contains(change.clause);
                                        }))
            << fixture->file << " " << change.clause;
  }
}

// HEPCHECK_REPAIRS=500 in the environment takes more tables.
TEST(Repairs, OfTablesWithSeveralDefects) {
  std::vector<const Fixture*> bases;
  for (const Fixture* fixture : files_of_corpus())
    if (fixture->format == "hep001" && fixture->valid && !fixture->asserted &&
        fixture->outcome.empty() && fixture->tables.size() == 1 &&
        fixture->tables.front().warns.empty())
      bases.push_back(fixture);
  const char* wanted = std::getenv("HEPCHECK_REPAIRS");
  const int tables = wanted ? std::atoi(wanted) : 40;
  std::mt19937 random(20261124);
  int whole = 0, damaged = 0;
  for (int i = 0; i < tables; ++i) {
    const Fixture& base = *bases[random() % bases.size()];
    const Descriptor file = memory_file(base.image);
    const auto defects = hep001::add_defects(file.get(), base.tables.front().group,
                                             1 + static_cast<unsigned>(random() % 3),
                                             static_cast<unsigned>(random()));
    if (!defects || defects->empty()) continue;
    ++damaged;
    std::string name = base.file;
    for (const std::string& each : *defects) name += ", " + each;
    const std::vector<std::byte> image = bytes_of(file.get());
    bool nothing_left = true;
    // The revision is that of the base: a defect may hide its features.
    for (const RepairedSubject& subject :
         checked_repair(image, base.tables.front().group, find_specification(base.spec), name)) {
      nothing_left &= subject.left.empty();
      for (const RepairLeft& left : subject.left)
        ADD_FAILURE() << name << " left " << left.clause << " " << left.object << "@"
                      << left.attribute << ": " << left.why;
    }
    whole += nothing_left;
  }
  EXPECT_EQ(whole, damaged);
  EXPECT_GT(damaged, tables / 2);
}

}  // namespace
}  // namespace hepcheck::conformance
