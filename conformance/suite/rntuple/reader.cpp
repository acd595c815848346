#include "conformance/suite/rntuple/reader.h"

#include <initializer_list>
#include <string>
#include <string_view>

#include "conformance/suite/rntuple/contents.h"
#include "validator/formats/rntuple/clause_ids.h"

namespace hepcheck::rntuple::suite {

namespace {

constexpr MayRefuse kMayRefuse[] = {
    {"valid/6*/rntuple-locator-object64--*", "a page is in an object store"},
    {"valid/6*/rntuple-object64-location-any--*", "the same"},
    {"valid/6/rntuple-locator-uri-ascii--*", "a page is behind a URI"},
    {"valid/7.2/rntuple-footer-flags-not-repeated--bit-137.root",
     "the feature bit is for tests of refusals"},
    {"valid/7.1.1/rntuple-field-parents-acyclic--two-hundred-levels.root",
     "its values nest deeper than replies may"},
};

// The sound file of which those to be refused are made.
constexpr std::string_view kOriginal =
    "valid/7.2.1/rntuple-schema-extension-empty--record-of-8.root";

class Reader : public FileReader {
 public:
  Reader(Session& session, const Specification& spec, const RunOptions& options)
      : FileReader(session, spec, options, kMayRefuse) {}

  // Each file is read, with the right values. What the program does not declare is no failure.
  void reads(Patterns files) {
    std::string undeclared;
    bool any = false;
    for (const Fixture* fixture : chosen(files)) {
      const Read& made = read(*fixture);
      if (made.outcome.kind == FileOutcome::Kind::kNotAsked) {
        not_checked(made.outcome.detail);
        continue;
      }
      const bool part = made.outcome.kind == FileOutcome::Kind::kPart;
      if (made.reply.unsupported() || (part && made.content.refused.empty())) {
        undeclared = made.outcome.detail;
        continue;
      }
      any = true;
      if (fixture->valid) {
        judge(*fixture);
      } else {
        looked();
        if (made.outcome.kind != FileOutcome::Kind::kRight)
          fail(fixture->file, "", seen(made), "its contents", made.reply.request);
      }
    }
    if (!any && !undeclared.empty())
      not_applicable("the program does not support it: " + undeclared);
  }

  // Each file ends in a refusal of the whole RNTuple. A program that refuses their sound original,
  // too, shows nothing.
  void refuses(Patterns files) {
    const Read& original = read(*matching({kOriginal}).front());
    if (original.outcome.kind == FileOutcome::Kind::kRefused)
      return not_checked("it refuses the sound file, too: " + original.outcome.detail);
    for (const Fixture* fixture : chosen(files)) {
      const Read& made = read(*fixture);
      if (made.outcome.kind == FileOutcome::Kind::kNotAsked) {
        not_checked(made.outcome.detail);
        continue;
      }
      looked();
      const bool whole = made.outcome.kind == FileOutcome::Kind::kRefused || all_refused(made);
      if (!whole)
        fail(fixture->file, "", seen(made), "a refusal, and no values", made.reply.request);
    }
  }

  // Whatever the program makes of a file, it ends, within its limits.
  void ends(Patterns files) {
    for (const Fixture* fixture : chosen(files)) judge(*fixture);
  }

  void cannot(const char* reason) { not_checked(reason); }

 protected:
  Json request(const std::string& path) const override { return {{"op", "read"}, {"file", path}}; }
  FileContent compare(const Fixture& fixture, const Json& body) override {
    return suite::compare(fixture.file, body, can());
  }

 private:
  using FileReader::judge;

  Fixtures chosen(Patterns files) const {
    Fixtures made = matching(files);
    std::erase_if(made, [&](const Fixture* each) { return !wanted(*each); });
    return made;
  }

  static bool all_refused(const Read& made) {
    if (made.outcome.kind != FileOutcome::Kind::kPart) return false;
    for (const Json& each : list(made.reply.body, "ntuples"))
      if (!has(each, "refused")) return false;
    return true;
  }

  static std::string seen(const Read& made) {
    if (!made.reply.ok()) return made.reply.text();
    return made.outcome.detail.empty() ? "its values" : made.outcome.detail;
  }
};

constexpr const char* kNoMetadata = "the protocol does not return metadata of users";
constexpr const char* kPermission = "a reader may do so, and need not";
constexpr const char* kConversion =
    "it is about conversion to and from HEP001 tables, and the protocol has no such operation";

struct Check {
  ClauseId id;
  void (*check)(Reader&);
};

constexpr Check kChecks[] = {
    {"rntuple-consumer-minor-ignored",
     [](Reader& r) { r.reads({"valid/1/rntuple-version-minor-patch-any--*"}); }},
    {"rntuple-consumer-version-not-gating",
     [](Reader& r) {
       r.reads({"valid/1/rntuple-version-minor-patch-any--*"});
       r.refuses({"invalid/4.1/rntuple-feature-bits-defined--bit-*"});
     }},
    {"rntuple-consumer-unknown-epoch-refused",
     [](Reader& r) { r.refuses({"invalid/1/rntuple-version-epoch--*"}); }},
    {"rntuple-dialect-named",
     [](Reader& r) {
       r.refuses({"invalid/1/rntuple-version-release-candidate--*",
                  "invalid/2/rntuple-anchor-class--epoch-1*"});
     }},
    {"rntuple-consumer-locators-only",
     [](Reader& r) {
       r.reads({"valid/2/rntuple-key-holds-several-objects--*", "valid/2/rntuple-any-order--*",
                "valid/C.2/rntuple-other-objects--broken-chain*"});
     }},
    {"rntuple-consumer-bounded-inflate",
     [](Reader& r) { r.ends({"invalid/3/rntuple-block-uncompressed-size--*"}); }},
    {"rntuple-consumer-abort-unknown-feature",
     [](Reader& r) { r.refuses({"invalid/4.1/rntuple-feature-bits-defined--bit*"}); }},
    {"rntuple-consumer-seek-by-frame-size",
     [](Reader& r) {
       r.reads({"valid/5/rntuple-frame-surplus--*", "valid/7/rntuple-envelope-surplus--*"});
     }},
    {"rntuple-consumer-decode-zigzag",
     [](Reader& r) { r.reads({"valid/7.1.2/rntuple-sorted-ascending-true--negative*"}); }},
    {"rntuple-consumer-decode-page-wise",
     [](Reader& r) { r.reads({"valid/7.1.2/rntuple-sorted-ascending-true--two-pages*"}); }},
    {"rntuple-consumer-bit-order",
     [](Reader& r) {
       r.reads({"valid/8.1/rntuple-map-bool--*", "valid/8.3.7/*",
                "valid/7.1.2/rntuple-bit-padding-any--*"});
     }},
    {"rntuple-consumer-unknown-column-ignored",
     [](Reader& r) { r.reads({"valid/7.1.2/rntuple-column-type-unknown--*"}); }},
    {"rntuple-consumer-deferred-zeros",
     [](Reader& r) { r.reads({"valid/7.1.2/rntuple-deferred-index-nonzero--*"}); }},
    {"rntuple-consumer-alias-values",
     [](Reader& r) {
       r.can().has("projected") ? r.reads({"valid/7.1.3/rntuple-alias-*"})
                                : r.not_applicable("the program does not list projected fields");
     }},
    {"rntuple-consumer-feature-or",
     [](Reader& r) { r.refuses({"invalid/4.1/rntuple-feature-bits-defined--in-the-footer*"}); }},
    {"rntuple-consumer-rvec-alias",
     [](Reader& r) { r.reads({"invalid/8.3.2/rntuple-map-rvec-name--*"}); }},
    {"rntuple-consumer-dense-optional",
     [](Reader& r) { r.reads({"valid/8.3.8/rntuple-map-optional-dense--*"}); }},
    {"rntuple-consumer-cardinality-values",
     [](Reader& r) {
       r.can().has("projected") ? r.reads({"valid/8.7/rntuple-map-cardinality-index--*"})
                                : r.not_applicable("the program does not list projected fields");
     }},
};

// Clauses that are never judged, beside those on conversion.
struct Unjudged {
  ClauseId id;
  const char* reason;
};
constexpr Unjudged kUnjudged[] = {
    {"rntuple-consumer-checksum-cross-check", kPermission},
    {"rntuple-consumer-metadata-unknown-ignored", kNoMetadata},
    {"rntuple-consumer-metadata-versions", kNoMetadata},
};

// Why a clause is never judged; nothing if it is.
const char* why_unjudged(const Clause& clause) {
  if (clause.subject == Subject::kConsumer && clause.section == "X") return kConversion;
  for (const Unjudged& each : kUnjudged)
    if (clause.id == each.id.str()) return each.reason;
  return nullptr;
}

}  // namespace

SuiteReport judge_reader(Session& session, const Specification& spec, const RunOptions& options) {
  Reader judge(session, spec, options);
  ResultsByClause results;
  run_checks<Reader, Check>(kChecks, spec, options, judge, results);
  for (const Clause& clause : spec.clauses)
    if (const char* reason = why_unjudged(clause); reason && !options.leaves_out(clause.id)) {
      judge.cannot(reason);
      results[clause.id] = judge.take(clause);
    }
  return judge.report(std::move(results));
}

void add_judged(std::set<std::string_view>& ids) {
  for (const Check& each : kChecks) ids.insert(each.id.str());
}

}  // namespace hepcheck::rntuple::suite
