#include "conformance/suite/engine/file_reader.h"

#include <algorithm>
#include <format>

#include "validator/wildcard.h"

namespace hepcheck::suite {

Json corpus_document(std::string_view name) {
  const auto bytes = conformance::packed_file(name);
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  return Json::parse(text, text + bytes.size());
}

bool FileReader::is_file_of(const Fixture& fixture, const Clause& clause) const {
  return fixture.clause == clause.id && wanted(fixture);
}

bool FileReader::has_files(const Clause& clause) const {
  return std::ranges::any_of(conformance::corpus_of(spec_),
                             [&](const Fixture& fixture) { return is_file_of(fixture, clause); });
}

void FileReader::decide(const Fixture& fixture, Read& read) {
  using Kind = FileOutcome::Kind;
  read.outcome = {.file = fixture.file, .clause = fixture.clause, .sound = fixture.valid};
  const auto as = [&](Kind kind, std::string detail) {
    read.outcome.kind = kind;
    read.outcome.detail = std::move(detail);
  };
  switch (read.reply.kind) {
    case Reply::Kind::kOk: break;
    case Reply::Kind::kRefused:
    case Reply::Kind::kError: return as(Kind::kRefused, read.reply.message);
    case Reply::Kind::kCrash: return as(Kind::kCrash, read.reply.message);
    case Reply::Kind::kTimeout: return as(Kind::kHang, read.reply.message);
    case Reply::Kind::kTooMuch: return as(Kind::kTooMuch, read.reply.message);
    case Reply::Kind::kNonsense: return as(Kind::kMalformed, read.reply.message);
    case Reply::Kind::kNotAsked: return as(Kind::kNotAsked, read.reply.message);
  }
  const Parsed<FileContent> content =
      caught("read", [&] { return compare(fixture, read.reply.body); });
  if (!content) return as(Kind::kMalformed, content.error());
  read.content = *content;
  if (content->wrong)
    return as(Kind::kWrong, std::format("{}: {}, and not {}", content->wrong->where,
                                        content->wrong->observed, content->wrong->expected));
  const std::string& said = content->refused.empty() ? content->excused : content->refused;
  if (!said.empty()) return as(Kind::kPart, said);
  as(content->unjudged ? Kind::kUnjudged : Kind::kRight, "");
}

const FileReader::Read& FileReader::read(const Fixture& fixture) {
  const auto [at, fresh] = reads_.try_emplace(&fixture);
  Read& read = at->second;
  if (!fresh) return read;
  const std::string path = path_of(fixture);
  put(path, fixture.image);
  read.reply = call(fixture.image, path, request(path));
  decide(fixture, read);
  return read;
}

// What a sound file demands beyond what every file does.
void FileReader::sound(const Fixture& fixture, const Read& read) {
  using Kind = FileOutcome::Kind;
  if (std::ranges::any_of(may_refuse_, [&](const MayRefuse& each) {
        return fits(fixture.file, std::string(each.files));
      }))
    return;
  if (read.outcome.kind == Kind::kRefused && !read.reply.unsupported())
    fail(fixture.file, "", read.reply.text(), "its contents: the file is sound",
         read.reply.request);
  if (read.outcome.kind == Kind::kPart && !read.content.refused.empty())
    fail(fixture.file, "", "refused: " + read.content.refused,
         "its contents: the file is sound, and the datatypes are declared", read.reply.request);
}

void FileReader::judge(const Fixture& fixture) {
  using Kind = FileOutcome::Kind;
  const Read& made = read(fixture);
  if (made.outcome.kind == Kind::kNotAsked) return not_checked(made.outcome.detail);
  looked();
  switch (made.outcome.kind) {
    case Kind::kWrong:
      fail(fixture.file, made.content.wrong->where, made.content.wrong->observed,
           made.content.wrong->expected + (fixture.valid ? "" : ", or a refusal"),
           made.reply.request);
      break;
    case Kind::kCrash:
    case Kind::kHang:
    case Kind::kTooMuch:
    case Kind::kMalformed:
      fail(fixture.file, "", made.reply.answered() ? made.outcome.detail : made.reply.text(),
           "its contents, or a refusal", made.reply.request);
      break;
    default:
      if (fixture.valid) sound(fixture, made);
  }
}

void FileReader::judge(const Clause& clause) {
  for (const Fixture& fixture : conformance::corpus_of(spec_))
    if (is_file_of(fixture, clause)) judge(fixture);
}

SuiteReport FileReader::report(ResultsByClause results) {
  for (const Clause& clause : spec_.clauses) {
    if (results.contains(clause.id) || !has_files(clause) || options_.leaves_out(clause.id))
      continue;
    judge(clause);
    results[clause.id] = take(clause);
  }
  SuiteReport report = reader_report(session_, spec_, options_, std::move(results), reads_.size());
  // In the order of the specification.
  for (const Clause& clause : spec_.clauses)
    for (const Fixture& fixture : conformance::corpus_of(spec_))
      if (const auto at = reads_.find(&fixture); at != reads_.end() && is_file_of(fixture, clause))
        report.outcomes.push_back(std::move(at->second.outcome));
  report.files = report.outcomes.size();
  report.notes.push_back(
      "FIXTURES is the directory that `hepcheck fixtures export FIXTURES` creates");
  return report;
}

}  // namespace hepcheck::suite
