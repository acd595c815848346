#include "conformance/suite/arrow/writer.h"

#include <algorithm>
#include <format>
#include <map>
#include <optional>

#include "conformance/corpus.h"
#include "conformance/suite/arrow/compare.h"
#include "conformance/suite/arrow/random_tables.h"
#include "conformance/suite/engine/judgement.h"
#include "validator/examine_file.h"
#include "validator/formats/arrow/shapes.h"
#include "validator/read_whole.h"
#include "validator/wildcard.h"

namespace hepcheck::arrow::suite {

namespace fs = std::filesystem;

namespace {

constexpr ClauseId kConformant = "arrow-producer-every-output-conformant",
                   kAligned = "arrow-producer-aligned-memory", kV4 = "arrow-producer-v4-mode",
                   kEnds = "arrow-producer-ends-stream", kSubset = "arrow-producer-any-subset",
                   kNoPrivate = "arrow-producer-no-private-types";
constexpr ClauseId kWriterChecks[] = {kAligned, kV4, kConformant, kEnds, kSubset, kNoPrivate};
// The clauses on files by which they are judged.
constexpr ClauseId kAlign64 = "arrow-buffer-align-64", kTypeKnown = "arrow-field-type-known",
                   kPrefixComplete = "arrow-message-prefix-complete";

// Tables that are described to programs: the contents of these files, each with another type or
// another edge.
constexpr std::string_view kTables[] = {
    "valid/2.2/arrow-lengths-are-int64--*",
    "valid/2.3/*",
    "valid/2.4/arrow-nested-own-validity--*",
    "valid/2.4/arrow-validity-elided--*",
    "valid/2.4/arrow-validity-size--*",
    "valid/2.5/arrow-bool-data-size--*",
    "valid/2.5/arrow-fixed-size-binary-data-size--*",
    "valid/2.5/arrow-primitive-data-size--*",
    "valid/2.6/arrow-binary-any-bytes--*",
    "valid/2.6/arrow-binary-empty-array-without-offsets--no-bytes*",
    "valid/2.6/arrow-binary-offsets-size--*",
    "valid/2.7/arrow-list-empty-array-without-offsets--no-bytes*",
    "valid/2.7/arrow-list-offsets-ascending--lists-of-lists*",
    "valid/2.7/arrow-list-offsets-size--*",
    "valid/2.8/*",
    "valid/2.9/arrow-field-name-utf8--*",
    "valid/2.9/arrow-struct-hidden-child-values--*",
    "valid/2.9/arrow-struct-without-children--no-fields*",
    "valid/2.10/*",
    "valid/2.10.1/arrow-dense-union-offsets-ascending--in-turn*",
    "valid/2.10.1/arrow-union-type-id-known--*",
    "valid/2.10.2/arrow-sparse-union-child-not-shorter--*",
    "valid/2.11/*",
    "valid/2.12/arrow-dictionary-any-type--*",
    "valid/2.12/arrow-dictionary-index-in-range--above-127*",
    "valid/2.12/arrow-dictionary-index-signed-preferred--*",
    "valid/4/arrow-batches-of-any-length--*",
    "valid/4.2/arrow-consumer-nullable-round-trip--*",
    "valid/4.2/arrow-schema-without-fields--no-rows*",
    "valid/4.3/arrow-consumer-offset-relative-to-body--*",
    "valid/4.5/arrow-stream-without-batches--*",
    "valid/4.7/arrow-dictionary-delta-has-base--*",
    "valid/4.7/arrow-dictionary-replacement-in-stream--*",
    "valid/4.8/arrow-metadata-three-levels--*",
    "valid/4.9/arrow-extension-unknown--*",
    "valid/Schema.fbs/arrow-consumer-day-time-optional--*",
    "valid/Schema.fbs/arrow-decimal-scale-any--*",
    "valid/Schema.fbs/arrow-dictionary-index-width--*",
    "valid/Schema.fbs/arrow-dictionary-ordered-any--*",
    "valid/Schema.fbs/arrow-int-width--*",
    "valid/Schema.fbs/arrow-list-one-child--*",
    "valid/Schema.fbs/arrow-map-keys-sorted-true--texts*",
    "valid/Schema.fbs/arrow-map-one-child--*",
    "valid/Schema.fbs/arrow-time-value-range--*",
    "valid/Schema.fbs/arrow-timestamp-timezone-form--*",
    "valid/Schema.fbs/arrow-timestamp-without-timezone--*",
    "valid/Schema.fbs/arrow-union-v4-bitmap--elided*",
    // Of format 1.5.
    "valid/3.7/arrow-view-any-bytes--*",
    "valid/3.7/arrow-view-buffer-size--*",
    "valid/3.7/arrow-view-data-shared--*",
    "valid/3.7/arrow-view-short-is-inline--*",
    "valid/3.8.2/arrow-list-view-any-order--*",
    "valid/3.8.2/arrow-list-view-null-slot-not-empty--*",
    "valid/3.8.2/arrow-list-view-offsets-size--*",
    "valid/3.14/arrow-run-end-any-values--*",
    "valid/3.14/arrow-run-end-empty--*",
    "valid/3.14/arrow-run-end-inside-others--*",
    "valid/3.14/arrow-run-end-nulls-as-runs--*",
    "valid/3.14/arrow-run-end-type--*",
    "valid/4.4/arrow-variadic-counts-*",
    "valid/4.4/arrow-view-no-data-buffers--*",
    "valid/Schema.fbs/arrow-decimal-256--*",
    "valid/Schema.fbs/arrow-decimal-narrow--*",
    "valid/Schema.fbs/arrow-interval-month-day-nano--*",
};

struct Table {
  std::string name{};
  Content content{};
  std::set<std::string_view>
      asked_for{};  // clauses that a program violates by following the request
};

void add_random_tables(const Capabilities& can, const Specification& spec,
                       const RunOptions& options, std::vector<Table>& into) {
  for (const RandomTable& each : random_tables(can, spec, options.seed, options.random))
    if (is_wanted(each.name, options.tables))
      if (Result<Content> content =
              read_content(std::as_bytes(std::span(each.image)), each.name, spec))
        into.push_back({each.name, std::move(*content)});
}

std::vector<Table> tables_of(const Specification& spec, const RunOptions& options) {
  std::vector<Table> made;
  for (const std::string_view pattern : kTables)
    for (const conformance::Fixture& fixture : conformance::corpus_of(spec)) {
      if (!fits(fixture.file, std::string(pattern))) continue;
      if (!is_wanted(fixture.file, options.tables)) continue;
      Result<Content> content = read_content(fixture.image, fixture.file, spec);
      if (!content) continue;
      Table& table = made.emplace_back(fixture.file, std::move(*content));
      for (const conformance::Expectation& expected : fixture.tables)
        for (const conformance::Ids* ids : {&expected.warns, &expected.informs})
          table.asked_for.insert(ids->begin(), ids->end());
    }
  return made;
}

// In the form of requests. Without `metadata` none is requested.
Json described(const Content& content, bool metadata) {
  Json fields = content.fields;
  const auto strip = [](Json& of, const auto& self) -> void {
    for (Json& field : of) {
      field.erase("metadata");
      self(field.at("children"), self);
    }
  };
  if (!metadata) strip(fields, strip);
  Json batches = Json::array();
  for (const BatchContent& batch : content.batches) {
    Json columns = Json::array();
    for (const ColumnContent& column : batch.columns) columns.push_back(column.values);
    batches.push_back({{"rows", std::to_string(batch.rows)}, {"columns", columns}});
  }
  Json made{{"fields", fields}, {"batches", batches}};
  if (metadata) made["metadata"] = content.metadata;
  return made;
}

// How to write a table.
struct Manner {
  std::string framing{};
  std::string version{}, compression{};  // no compression if empty

  std::string text() const {
    return framing + (version.empty() ? "" : ", " + version) +
           (compression.empty() ? "" : ", " + compression);
  }
};

class WriterSession {
 public:
  WriterSession(Session& session, const Specification& spec, const RunOptions& options)
      : session_(session), can_(session.can()), spec_(spec), options_(options) {}

  SuiteReport judge();

 private:
  void write(const Table& table, const Manner& manner);
  void look_at(const Table& table, const Manner& manner, const std::string& image,
               const std::string& request);
  // False if it has an error.
  bool validate(const Table& table, const std::string& framing, const std::string& where,
                const std::string& image, const std::string& request);
  void keeps_promises();
  ClauseResult result(const Clause& clause);
  Judgement& on(const ClauseId& id) { return judgements_[id.str()]; }

  Session& session_;
  const Capabilities& can_;
  const Specification& spec_;
  const RunOptions& options_;
  std::map<std::string_view, Judgement> judgements_{};  // by clause id
  std::map<std::string_view, std::uint64_t>
      warned_{};  // outputs for which a clause gives only a warning
  std::uint64_t files_ = 0;
};

bool WriterSession::validate(const Table& table, const std::string& framing,
                             const std::string& where, const std::string& image,
                             const std::string& request) {
  const FileReport report =
      examine_image(std::as_bytes(std::span(image)), where, std::nullopt, &spec_, FileOptions{});
  if (report.error || report.subjects.empty()) {
    on(kConformant).fail(where, "", "not an Arrow file or stream", "one", request);
    return false;
  }
  bool sound = true;
  for (const ClauseResult& each : report.subjects.front().clauses) {
    if (each.verdict == Verdict::kNotApplicable || each.verdict == Verdict::kNotChecked ||
        table.asked_for.contains(each.clause->id))
      continue;
    Judgement& clause = judgements_[each.clause->id];
    clause.looked();
    for (const Finding& finding : each.findings) {
      if (finding.severity == Severity::kError || !each.clause->mandatory())
        clause.fail(where, finding.object, finding.observed, finding.expected, request);
      if (finding.severity == Severity::kError) sound = false;
    }
    if (each.verdict == Verdict::kFail && each.clause->mandatory() &&
        std::ranges::none_of(each.findings, [](const Finding& finding) {
          return finding.severity == Severity::kError;
        }))
      ++warned_[each.clause->id];
    const auto passed_on = [&](const ClauseId& from, const ClauseId& to) {
      if (each.clause->id != from.str()) return;
      on(to).looked();
      for (const Finding& finding : each.findings)
        on(to).fail(where, finding.object, finding.observed, finding.expected, request);
    };
    passed_on(kAlign64, kAligned);
    passed_on(kTypeKnown, kNoPrivate);
    if (framing == "stream") passed_on(kPrefixComplete, kEnds);
  }
  return sound;
}

void WriterSession::look_at(const Table& table, const Manner& manner, const std::string& image,
                            const std::string& request) {
  const std::string where = table.name + " as " + manner.text();
  ++files_;
  Judgement& conformant = on(kConformant);
  conformant.looked();
  const bool sound = validate(table, manner.framing, where, image, request);
  if (!sound)
    conformant.fail(where, "", "violates clauses on files, which are reported separately",
                    "no errors", request);
  const Result<Content> content = read_content(std::as_bytes(std::span(image)), where, spec_);
  if (!content) {
    if (sound) conformant.fail(where, "", content.error().text(), "a sound output", request);
    return;
  }
  const bool metadata = can_.has("metadata");
  auto difference = schema_difference(table.content.fields, content->fields,
                                      metadata ? Compared::kAll : Compared::kNullability);
  if (!difference && metadata)
    difference = metadata_difference(table.content.metadata, content->metadata);
  if (!difference) difference = value_difference(columns_of(table.content), columns_of(*content));
  if (difference)
    conformant.fail(where, difference->where, difference->observed, difference->expected, request);
  if (content->is_file != (manner.framing == "file"))
    conformant.fail(where, "", content->is_file ? "a file" : "a stream", "a " + manner.framing,
                    request);
  const bool v4 = !manner.version.empty();
  if (v4) on(kV4).looked();
  const std::set<std::int16_t> version{v4 ? arrow::kV4 : arrow::kV5};
  if (content->versions != version)
    on(v4 ? kV4 : kConformant)
        .fail(where, "versions of messages", shown(Json(content->versions)), shown(Json(version)),
              request);
  bool any = false;
  for (const BatchContent& batch : content->batches) any |= batch.rows > 0;
  const std::set<std::string> codecs =
      manner.compression.empty() ? std::set<std::string>{} : std::set{manner.compression};
  // Batches without rows need not be compressed.
  if (content->codecs != codecs && (any || !content->codecs.empty()))
    conformant.fail(where, "compression", shown(Json(content->codecs)), shown(Json(codecs)),
                    request);
}

void WriterSession::write(const Table& table, const Manner& manner) {
  const std::string path = (options_.folder / ("written-" + std::to_string(files_))).string();
  std::error_code ignored;
  fs::remove_all(path, ignored);
  Json request{{"op", "write"}, {"file", path}, {"framing", manner.framing}};
  if (!manner.version.empty()) request["version"] = manner.version;
  if (!manner.compression.empty()) request["compression"] = manner.compression;
  request["table"] = described(table.content, can_.has("metadata"));
  Reply reply = session_.call(std::move(request));
  if (reply.kind == Reply::Kind::kNotAsked || reply.unsupported()) return;
  const std::string folder = options_.folder.string();
  for (std::size_t at; (at = reply.request.find(folder)) != std::string::npos;)
    reply.request.replace(at, folder.size(), "FILES");
  if (!reply.ok()) {
    on(kConformant).looked();
    on(kConformant)
        .fail(table.name + " as " + manner.text(), "", reply.text(), "a file", reply.request);
    return;
  }
  const std::optional<std::string> image = read_whole(path, kLargestOfProgram);
  if (!image) {
    on(kConformant).looked();
    on(kConformant)
        .fail(table.name + " as " + manner.text(), "", "there is no file", "one", reply.request);
    return;
  }
  on(kSubset).looked();
  look_at(table, manner, *image, reply.request);
}

void WriterSession::keeps_promises() {
  for (const BrokenPromise& each : broken_promises(session_)) {
    on(kConformant).looked();
    on(kConformant).fail("hello", "", each.observed, each.expected, each.request);
  }
}

ClauseResult WriterSession::result(const Clause& clause) {
  Judgement& judgement = judgements_[clause.id];
  if (clause.subject == Subject::kProducer &&
      !std::ranges::contains(kWriterChecks, clause.id, &ClauseId::str))
    judgement.not_applicable("no program can show it: it is a matter of documentation");
  if (!can_.does("write")) judgement.not_applicable("it does not write");
  if (clause.id == kEnds.str() && !can_.has("stream"))
    judgement.not_applicable("it writes no streams");
  return judgement.take(clause);
}

SuiteReport WriterSession::judge() {
  std::vector<std::string> framings;
  for (const char* framing : {"stream", "file"})
    if (can_.has(framing)) framings.emplace_back(framing);
  std::vector<Table> tables;
  if (can_.does("write")) {
    tables = tables_of(spec_, options_);
    add_random_tables(can_, spec_, options_, tables);
  }
  std::erase_if(tables, [&](const Table& table) {
    return std::ranges::any_of(classes_in(table.content.fields), [&](const std::string& name) {
      return !can_.datatypes.contains(name);
    });
  });
  for (const Table& table : tables)
    for (const std::string& framing : framings) {
      write(table, {.framing = framing});
      if (can_.has("v4")) write(table, {.framing = framing, .version = "v4"});
      for (const char* codec : {"lz4", "zstd"})
        if (can_.has(codec)) write(table, {.framing = framing, .compression = codec});
    }
  if (can_.does("write") && !can_.has("v4")) on(kV4).lacks("no mode that writes V4", "one");
  keeps_promises();

  SuiteReport report = writer_report(
      session_, spec_, options_, files_,
      [&](std::string_view id) { return judgements_.contains(id); },
      [&](const Clause& clause) { return result(clause); });
  for (const auto& [id, count] : warned_)
    report.notes.push_back(std::format("{} gives warnings for {} outputs", id, count));
  report.notes.push_back(std::format(
      "FILES is a directory of yours; random tables are those of --seed {}", options_.seed));
  return report;
}

}  // namespace

std::span<const ClauseId> producer_checks() { return kWriterChecks; }

SuiteReport judge_writer(Session& session, const Specification& spec, const RunOptions& options) {
  return WriterSession(session, spec, options).judge();
}

}  // namespace hepcheck::arrow::suite
