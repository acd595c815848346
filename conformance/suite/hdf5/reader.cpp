#include "conformance/suite/hdf5/reader.h"

#include <algorithm>
#include <format>

#include "conformance/suite/engine/text.h"
#include "validator/wildcard.h"

namespace hepcheck::hdf5::suite {

namespace {

// Sound files that a reader may refuse.
struct MayRefuse {
  std::string_view files, reason;
};
constexpr MayRefuse kMayRefuse[] = {
    {"valid/FF-IV.A.1.a/swmr-ohdr-unknown-message-ignored--that-says-to-fail.h5",
     "the file says that a program that does not know the message must not open it"},
    {"valid/FF-II.A/swmr-superblock-status-*", "the file says that a program has it open"},
    {"valid/3/swmr-eof-lags-while-writing--newest-chunk-behind.h5", "the same"},
    {"valid/II.B/h5-driver-family-*", "it is one of several files"},
    {"valid/II.B/h5-driver-multi-*", "it is one of several files"},
    {"valid/IV.A.2.l/h5-risk-filter-private--*", "the filter is nobody's"},
};

bool may_refuse(const std::string& file) {
  return std::ranges::any_of(
      kMayRefuse, [&](const MayRefuse& each) { return fits(file, std::string(each.files)); });
}

// Values of more bytes are not requested; contents.json has none.
constexpr int kMostBytes = 65536;

// A refusal that the other members of an outcome do not show.
std::string said(const Reading& reading) {
  return reading.refused.empty() ? reading.excused : reading.refused;
}

}  // namespace

FileOutcome FileReader::outcome(const Fixture& fixture, const Reply& reply) {
  using Kind = FileOutcome::Kind;
  FileOutcome made{.file = fixture.file, .clause = fixture.clause, .sound = fixture.valid};
  reading_ = {};
  const auto as = [&](Kind kind, std::string detail) {
    made.kind = kind;
    made.detail = std::move(detail);
    return made;
  };
  switch (reply.kind) {
    case Reply::Kind::kOk: break;
    case Reply::Kind::kRefused:
    case Reply::Kind::kError: return as(Kind::kRefused, reply.message);
    case Reply::Kind::kCrash: return as(Kind::kCrash, reply.message);
    case Reply::Kind::kTimeout: return as(Kind::kHang, reply.message);
    case Reply::Kind::kTooMuch: return as(Kind::kTooMuch, reply.message);
    case Reply::Kind::kNonsense: return as(Kind::kMalformed, reply.message);
    case Reply::Kind::kNotAsked: return as(Kind::kNotAsked, reply.message);
  }
  const std::vector<Contents> contents = contents_of(fixture.file);
  const Parsed<Reading> read = caught("read", [&] { return compare(reply.body, contents, can()); });
  if (!read) return as(Kind::kMalformed, read.error());
  reading_ = *read;
  if (read->wrong)
    return as(Kind::kWrong, std::format("{}: {}, and not {}", read->wrong->where,
                                        read->wrong->observed, read->wrong->expected));
  if (!said(*read).empty()) return as(Kind::kPart, said(*read));
  return as(read->unjudged ? Kind::kUnjudged : Kind::kRight, "");
}

// What a sound file demands beyond what every file does.
void FileReader::sound(const Fixture& fixture, const FileOutcome& outcome, const Reply& reply) {
  using Kind = FileOutcome::Kind;
  if (may_refuse(fixture.file)) return;
  if (outcome.kind == Kind::kRefused && !reply.unsupported())
    fail(fixture.file, "", reply.text(), "its contents: the file is sound", reply.request);
  if (outcome.kind == Kind::kPart && !reading_.refused.empty())
    fail(fixture.file, "", "refused: " + reading_.refused,
         "its contents: the file is sound, and the datatypes are declared", reply.request);
}

void FileReader::judge(const Fixture& fixture) {
  using Kind = FileOutcome::Kind;
  const std::string path = path_of(fixture);
  put(path, fixture.image);
  const Reply reply = call(fixture.image, path,
                           {{"op", "read"}, {"file", path}, {"most", std::to_string(kMostBytes)}});
  const FileOutcome& made = outcomes_.emplace_back(outcome(fixture, reply));
  if (made.kind == Kind::kNotAsked) return not_checked(made.detail);
  looked();
  switch (made.kind) {
    case Kind::kWrong:
      fail(fixture.file, reading_.wrong->where, reading_.wrong->observed,
           reading_.wrong->expected + (fixture.valid ? "" : ", or a refusal"), reply.request);
      break;
    case Kind::kCrash:
    case Kind::kHang:
    case Kind::kTooMuch:
    case Kind::kMalformed:
      fail(fixture.file, "", reply.answered() ? made.detail : reply.text(),
           "its contents, or a refusal", reply.request);
      break;
    default:
      if (fixture.valid) sound(fixture, made, reply);
  }
}

void FileReader::judge(const Clause& clause) {
  for (const Fixture& fixture : conformance::corpus())
    if (fixture.spec == spec_.id && fixture.clause == clause.id && wanted(fixture)) judge(fixture);
}

SuiteReport judge_reader(Session& session, const Specification& spec, const RunOptions& options) {
  FileReader judge(session, spec, options);
  ResultsByClause results;
  for (const Clause& clause : spec.clauses) {
    const bool has_files = std::ranges::any_of(conformance::corpus(), [&](const auto& fixture) {
      return fixture.spec == spec.id && fixture.clause == clause.id &&
             is_wanted(fixture.file, options.files);
    });
    if (!has_files || options.leaves_out(clause.id)) continue;
    judge.judge(clause);
    results[clause.id] = judge.take(clause);
  }
  const std::uint64_t files = judge.outcomes().size();
  SuiteReport report = reader_report(session, spec, options, std::move(results), files);
  report.outcomes = std::move(judge.outcomes());
  report.notes.push_back(
      "FIXTURES is the directory that `hepcheck fixtures export FIXTURES` creates");
  return report;
}

}  // namespace hepcheck::hdf5::suite
