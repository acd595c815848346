#include "conformance/corpus.h"

#include <algorithm>
#include <charconv>
#include <format>
#include <iterator>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <ranges>
#include <stdexcept>
#include <unordered_map>

#include "conformance/corpus_pack.h"
#include "validator/format.h"

namespace hepcheck::conformance {

namespace {

using Json = nlohmann::json;

Ids ids(const Json& object, const char* key) {
  return object.contains(key) ? object.at(key).get<Ids>() : Ids{};
}

Expectation expectation(const Json& object) {
  return {.group = object.at("group").get<std::string>(),
          .fails = ids(object, "fails"),
          .warns = ids(object, "warns"),
          .informs = ids(object, "informs")};
}

Fixture fixture(const Json& entry) {
  Fixture made;
  made.file = entry.at("file").get<std::string>();
  made.sha256 = entry.at("sha256").get<std::string>();
  made.clause = entry.at("clause").get<std::string>();
  made.reported_as = entry.value("alias", "");
  made.shows = entry.at("shows").get<std::string>();
  made.ambiguity = entry.value("ambiguity", "");
  made.outcome = entry.value("outcome", "");
  made.valid = entry.at("kind").get<std::string>() == "valid";
  made.asserted = entry.value("asserted", false);
  made.group = entry.at("group").get<std::string>();
  made.keeps = ids(entry, "keeps");
  made.unchecked = ids(entry, "unchecked");
  if (entry.contains("tables"))
    for (const Json& table : entry.at("tables")) made.tables.push_back(expectation(table));
  else
    made.tables.push_back(expectation(entry));
  return made;
}

// The revisions of a manifest, oldest first.
std::vector<std::string> revisions(const Json& manifest) {
  auto specs = manifest.value("later", std::vector<std::string>{});
  specs.insert(specs.begin(), manifest.at("spec").get<std::string>());
  return specs;
}

// The revisions that make a statement about one file.
std::span<const std::string> revisions_of(const Json& entry,
                                          const std::vector<std::string>& specs) {
  const auto first = std::ranges::find(specs, entry.at("spec").get<std::string>());
  const auto last = std::ranges::find(specs, entry.value("until", specs.back()));
  if (first == specs.end() || last == specs.end() || last < first)
    throw std::invalid_argument("revisions of " + entry.at("file").get<std::string>());
  return {first, last + 1};
}

// The statement of a revision about one file: the entry, with the differences applied.
Json seen_by(const std::string& spec, const Json& entry) {
  Json merged = entry;
  if (entry.contains("revisions"))
    merged.merge_patch(entry.at("revisions").value(spec, Json::object()));
  merged["spec"] = spec;
  merged.erase("until");
  merged.erase("revisions");
  return merged;
}

// The manifest of a format; null if it has no corpus.
Json manifest_of(std::string_view format) {
  const auto manifest = packed_file(std::string(format) + "/manifest.json");
  const auto* text = reinterpret_cast<const char*>(manifest.data());
  return manifest.empty() ? Json() : Json::parse(text, text + manifest.size());
}

// The fixtures of a format, of one revision if `only` names it, in the order of the manifest; for
// each file, the oldest revision first.
std::vector<Fixture> fixtures_of(std::string_view format, std::string_view only = {}) {
  std::vector<Fixture> made;
  const Json manifest = manifest_of(format);
  if (manifest.is_null()) return made;
  const std::vector<std::string> specs = revisions(manifest);
  for (const Json& entry : manifest.at("fixtures"))
    for (const std::string& spec : revisions_of(entry, specs)) {
      if (!only.empty() && spec != only) continue;
      Fixture& one =
          made.emplace_back(fixture(entry.contains("revisions") ? seen_by(spec, entry) : entry));
      one.spec = spec;
      one.format = format;
      one.image = packed_file(one.format + '/' + one.file);
    }
  return made;
}

void sort_findings(const SubjectReport& report, Expectation& into) {
  for (const ClauseResult& result : report.clauses)
    for (const Finding& finding : result.findings) {
      Ids& list = finding.severity == Severity::kError     ? into.fails
                  : finding.severity == Severity::kWarning ? into.warns
                                                           : into.informs;
      list.emplace(result.clause->id);
    }
}

std::string listed(const Ids& ids) {
  std::string text;
  for (const std::string& id : ids) text += (text.empty() ? "" : ", ") + id;
  return text.empty() ? "none" : text;
}

}  // namespace

bool Fixture::is_about(std::string_view id) const {
  return clause == id || reported_as == id || (valid && keeps.contains(id));
}

std::span<const PackedFile> packed_files() {
  static const auto files = [] {
    std::vector<PackedFile> made;
    const std::span<const std::byte> blob = packed_corpus();
    const std::string_view text(reinterpret_cast<const char*>(blob.data()), blob.size());
    std::size_t offset = text.find("\n\n") + 2;
    for (const auto line : text.substr(0, offset - 2) | std::views::split('\n')) {
      std::size_t size = 0;
      const char* name = std::from_chars(line.data(), line.data() + line.size(), size).ptr + 1;
      made.push_back({{name, line.data() + line.size()}, blob.subspan(offset, size)});
      offset += size;
    }
    return made;
  }();
  return files;
}

std::span<const std::byte> packed_file(std::string_view name) {
  static const auto all = [] {
    std::unordered_map<std::string_view, std::span<const std::byte>> made;
    for (const PackedFile& file : packed_files()) made.emplace(file.name, file.bytes);
    return made;
  }();
  const auto it = all.find(name);
  return it == all.end() ? std::span<const std::byte>() : it->second;
}

const std::vector<Fixture>& corpus() {
  static const std::vector<Fixture> fixtures = [] {
    std::vector<Fixture> made;
    for (const Format* format : all_formats())
      std::ranges::move(fixtures_of(format->name), std::back_inserter(made));
    return made;
  }();
  return fixtures;
}

const std::vector<Fixture>& corpus_of(const Specification& spec) {
  static std::mutex mutex;
  static std::map<std::string_view, std::vector<Fixture>> read;
  const std::scoped_lock lock(mutex);
  const auto [at, fresh] = read.try_emplace(spec.id);
  if (fresh) at->second = fixtures_of(spec.format, spec.id);
  return at->second;
}

std::vector<const Fixture*> files_of_corpus() {
  std::vector<const Fixture*> last;
  for (const Fixture& fixture : corpus()) {
    if (last.empty() || last.back()->file != fixture.file) last.push_back(nullptr);
    last.back() = &fixture;
  }
  return last;
}

std::string manifest_by(const Specification& spec) {
  const Json whole = manifest_of(spec.format);
  Json fixtures = Json::array();
  if (!whole.is_null()) {
    const std::vector<std::string> specs = revisions(whole);
    for (const Json& entry : whole.at("fixtures"))
      if (std::ranges::contains(revisions_of(entry, specs), spec.id))
        fixtures.push_back(seen_by(std::string(spec.id), entry));
  }
  return Json{{"schema", 1}, {"spec", spec.id}, {"fixtures", std::move(fixtures)}}.dump(1) + '\n';
}

FileReport examine(const Fixture& fixture, const ExamineOptions& options) {
  FileOptions file_options;
  file_options.examine = options;
  const Specification* spec = find_specification(fixture.spec);
  if (!spec)
    return {.path = fixture.file, .error = Error{fixture.file, "no specification " + fixture.spec}};
  return examine_image(fixture.image, fixture.file,
                       fixture.asserted ? std::optional(fixture.group) : std::nullopt, spec,
                       file_options);
}

Observation observe(const Fixture& fixture, const ExamineOptions& options) {
  const FileReport report = examine(fixture, options);
  Observation seen;
  if (report.error) seen.error = report.error->text();
  for (const Error& error : report.unreadable) seen.error += error.text();
  for (const SubjectReport& table : report.subjects) {
    Expectation found{.group = table.path};
    sort_findings(table, found);
    seen.tables.push_back(std::move(found));
    seen.verdicts.push_back(table.verdict);
    for (const ClauseResult& result : table.clauses) {
      if (result.verdict == Verdict::kPass) seen.passed.emplace(result.clause->id);
      if (result.verdict == Verdict::kNotChecked && !result.reason.empty())
        seen.unchecked.emplace(result.clause->id);
    }
  }
  return seen;
}

std::string difference(const Fixture& fixture, const Observation& seen) {
  if (!seen.error.empty()) return seen.error;
  for (const std::string& id : fixture.unchecked)
    if (!seen.unchecked.contains(id)) return id + " is reported as checked";
  if (seen.tables.size() != fixture.tables.size())
    return std::format("{} subjects instead of {}", seen.tables.size(), fixture.tables.size());
  for (std::size_t i = 0; i < seen.tables.size(); ++i) {
    const Expectation& found = seen.tables[i];
    const auto wanted = std::ranges::find(fixture.tables, found.group, &Expectation::group);
    if (wanted == fixture.tables.end()) return "an unexpected subject at " + found.group;
    const auto compare = [&](const char* what, const Ids& is, const Ids& should) {
      return is == should ? std::string()
                          : std::format("{}: {} {} instead of {}", found.group, what, listed(is),
                                        listed(should));
    };
    for (const std::string& text : {compare("errors", found.fails, wanted->fails),
                                    compare("warnings", found.warns, wanted->warns),
                                    compare("infos", found.informs, wanted->informs)})
      if (!text.empty()) return text;
    const std::string_view verdict =
        !fixture.outcome.empty()
            ? std::string_view(fixture.outcome)
            : to_string(wanted->fails.empty() ? SubjectVerdict::kPass : SubjectVerdict::kFail);
    if (to_string(seen.verdicts[i]) != verdict)
      return std::format("{}: verdict {} instead of {}", found.group, to_string(seen.verdicts[i]),
                         verdict);
  }
  return {};
}

}  // namespace hepcheck::conformance
