#include "conformance/suite/arrow/reader.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <format>

#include "conformance/suite/engine/text.h"
#include "validator/examine_file.h"
#include "validator/read_whole.h"

namespace hepcheck::arrow::suite {

namespace fs = std::filesystem;
using conformance::Fixture;

namespace {

bool is_file(const Fixture& fixture) { return fixture.file.ends_with(".arrow"); }
std::string framing(const Fixture& fixture) { return is_file(fixture) ? "file" : "stream"; }

Json request_for(std::string_view op, const Fixture& fixture, const std::string& path) {
  return {{"op", op}, {"file", path}, {"framing", framing(fixture)}};
}

// Only letters, in lower case: "LargeList" and "large-list" are the same word.
std::string letters(std::string_view text) {
  std::string made;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)))
      made += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return made;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

std::optional<Difference> Reading::difference() const {
  if (!expected) return std::nullopt;
  if (auto other = schema_difference(expected->fields, described.fields, Compared::kTypes))
    return other;
  std::int64_t should = 0, is = 0;
  for (const BatchContent& batch : expected->batches) should += batch.rows;
  for (const std::int64_t each : described.rows) is += each;
  if (should != is) return Difference{"rows", std::to_string(is), std::to_string(should)};
  return value_difference(columns_of(*expected), columns);
}

// ----------------------------------------------------------------------------------- reading

ArrowReaderJudge::ArrowReaderJudge(Session& session, const Specification& spec,
                                   const RunOptions& options)
    : ReaderJudge(session, spec, options),
      random_(random_tables(session.can(), spec, options.seed, options.random)) {
  for (const RandomTable& each : random_)
    drawn_.push_back({.file = each.name,
                      .format = std::string(spec.format),
                      .spec = std::string(spec.id),
                      .valid = true,
                      .image = std::as_bytes(std::span(each.image))});
}

ArrowReaderJudge::Fixtures ArrowReaderJudge::select(Patterns files, bool claimed) {
  Fixtures selected;
  for (const Fixture* fixture : matching(files)) {
    if (claimed) claimed_.insert(fixture);
    if (!wanted(*fixture)) continue;
    if (!can().has(framing(*fixture))) {
      undeclared_ = true;
      undeclared_words_ = std::format("it does not read {}s", framing(*fixture));
      continue;
    }
    selected.push_back(fixture);
  }
  return selected;
}

void ArrowReaderJudge::read(Reading& reading) {
  const Fixture& fixture = *reading.fixture;
  if (Result<Content> content = read_content(fixture.image, fixture.file, spec_)) {
    reading.expected = std::move(*content);
    for (std::string& name : classes_in(reading.expected->fields))
      if (!can().datatypes.contains(name) && !std::ranges::contains(reading.unknown, name))
        reading.unknown.push_back(std::move(name));
  }
  reading.describe = call(reading, request_for("describe", fixture, reading.path));
  if (reading.describe.ok() && reading.expected)
    reading.read = call(reading, request_for("read", fixture, reading.path));
  parse(reading);
}

namespace {

template <class Parse>
void parsed(Reply& reply, std::string_view operation, Parse parse) {
  if (!reply.ok()) return;
  if (const auto made = caught(operation, parse); !made) {
    reply.kind = Reply::Kind::kNonsense;
    reply.message = made.error();
  }
}

}  // namespace

void ArrowReaderJudge::parse(Reading& reading) {
  parsed(reading.describe, "describe",
         [&] { reading.described = parse_described(reading.describe.body); });
  if (!reading.describe.ok() || !reading.expected) return;  // it was not requested
  parsed(reading.read, "read", [&] {
    reading.columns = parse_columns(reading.read.body);
    // Without batches the columns cannot be identified.
    if (reading.columns.empty()) reading.columns.resize(reading.expected->fields.size());
  });
}

// ----------------------------------------------------------------------------------- verdicts

void ArrowReaderJudge::fail(const Reading& reading, std::string observed, std::string expected,
                            const Reply& reply) {
  Judgement::fail(reading.fixture->file, "", std::move(observed), std::move(expected),
                  reply.request);
}

void ArrowReaderJudge::fail(const Reading& reading, const Difference& difference,
                            const Reply& reply) {
  Judgement::fail(reading.fixture->file, difference.where, difference.observed, difference.expected,
                  reply.request);
}

void ArrowReaderJudge::compare(const Reading& reading, bool may_refuse) {
  if (!reading.expected) return;
  if (!reading.unknown.empty()) {
    undeclared_ = true;
    undeclared_words_ = "it does not declare " + joined(reading.unknown);
    return;
  }
  if (reading.first_trouble().kind == Reply::Kind::kNotAsked)
    return not_checked(reading.first_trouble().message);
  looked();
  if (!reading.ok()) {
    if (!may_refuse || !reading.answered())
      fail(reading, reading.first_trouble().text(), "its values", reading.first_trouble());
  } else if (const auto difference = reading.difference()) {
    fail(reading, *difference, reading.read);
  }
}

void ArrowReaderJudge::reads(Patterns files) {
  for (const Fixture* fixture : select(files)) compare(reading(*fixture), false);
}

void ArrowReaderJudge::agrees(Patterns files) {
  for (const Fixture* fixture : select(files)) compare(reading(*fixture), true);
}

void ArrowReaderJudge::agrees_if_read(Patterns files) {
  for (const Fixture* fixture : select(files, false)) {
    if (claimed_.contains(fixture) || !reading(*fixture).ok()) continue;
    claimed_.insert(fixture);
    compare(reading(*fixture), true);
  }
}

// Undeclared types are requested nevertheless.
Reply ArrowReaderJudge::asked_to_read(const Reading& reading) {
  return reading.describe.ok() ? call(reading, request_for("read", *reading.fixture, reading.path))
                               : reading.describe;
}

void ArrowReaderJudge::refuses(Patterns files) {
  for (const Fixture* fixture : select(files)) {
    const Reading& seen = reading(*fixture);
    const Reply reply = asked_to_read(seen);
    if (reply.kind == Reply::Kind::kNotAsked) return not_checked(reply.message);
    looked();
    if (reply.ok() || !reply.answered()) fail(seen, reply.text(), "an error", reply);
  }
}

void ArrowReaderJudge::ends(Patterns files) {
  for (const Fixture* fixture : select(files)) {
    const Reading& seen = reading(*fixture);
    const Reply reply = asked_to_read(seen);
    if (reply.kind == Reply::Kind::kNotAsked) return not_checked(reply.message);
    looked();
    if (!reply.answered()) fail(seen, reply.text(), "a result or an error", reply);
  }
}

void ArrowReaderJudge::counts_rows(Patterns files) {
  for (const Fixture* fixture : select(files)) {
    const Reading& seen = reading(*fixture);
    if (seen.describe.kind == Reply::Kind::kNotAsked) return not_checked(seen.describe.message);
    looked();
    if (!seen.describe.answered()) {
      fail(seen, seen.describe.text(), "the number of rows, or a refusal", seen.describe);
      continue;
    }
    if (!seen.describe.ok()) continue;
    const FileReport report =
        examine_image(fixture->image, fixture->file, std::nullopt, &spec_, FileOptions{});
    const Figure* rows = report.subjects.empty() ? nullptr : report.subjects[0].figure("rows");
    std::uint64_t described = 0;
    for (const std::int64_t each : seen.described.rows)
      described += static_cast<std::uint64_t>(each);
    if (rows && rows->value && *rows->value != described)
      fail(seen, std::format("{} rows", described), std::format("{}, or a refusal", *rows->value),
           seen.describe);
  }
}

void ArrowReaderJudge::null_counts(Patterns files) {
  if (!can().has("null-counts")) return not_applicable("it does not report null counts");
  for (const Fixture* fixture : select(files)) {
    const Reading& seen = reading(*fixture);
    if (!seen.expected || !seen.unknown.empty() || !seen.describe.ok()) continue;
    looked();
    if (const auto difference = null_count_difference(*seen.expected, seen.described))
      fail(seen, *difference, seen.describe);
    counted_.insert(fixture);
  }
}

void ArrowReaderJudge::speaks_of(Patterns files, std::string_view word) {
  const auto names = [&](std::string_view text) { return letters(text).contains(word); };
  for (const Fixture* fixture : select(files)) {
    const Reading& seen = reading(*fixture);
    if (seen.describe.kind == Reply::Kind::kNotAsked) return not_checked(seen.describe.message);
    looked();
    const auto told = [&](const Reply& reply) {
      return std::ranges::any_of(reply.diagnosed, names) || (!reply.ok() && names(reply.message));
    };
    if (!told(seen.describe) && !told(seen.read))
      fail(seen, seen.ok() ? "there is no diagnostic" : seen.first_trouble().text(),
           std::format("an error or a diagnostic that names the {}", word), seen.describe);
  }
}

void ArrowReaderJudge::takes_batches(Patterns files, const std::vector<std::size_t>& batches) {
  if (!can().has("batches")) return not_applicable("it does not return batches by number");
  for (const Fixture* fixture : select(files)) {
    const Reading& seen = reading(*fixture);
    if (!seen.expected || !seen.unknown.empty()) continue;
    Json request = request_for("read", *fixture, seen.path);
    for (const std::size_t batch : batches) request["batches"].push_back(std::to_string(batch));
    Reply reply = call(seen, std::move(request));
    if (reply.kind == Reply::Kind::kNotAsked) return not_checked(reply.message);
    looked();
    std::vector<std::vector<std::vector<Json>>> each;
    parsed(reply, "read", [&] {
      for (const Json& batch : list(reply.body, "batches"))
        each.push_back(parse_columns({{"batches", Json::array({batch})}}));
    });
    if (!reply.ok() || each.size() != batches.size()) {
      fail(seen, reply.ok() ? std::format("{} batches", each.size()) : reply.text(),
           "the requested batches in order", reply);
      continue;
    }
    for (std::size_t i = 0; i < batches.size(); ++i)
      if (auto difference = value_difference(columns_of(*seen.expected, {batches[i]}), each[i])) {
        difference->where = std::format("batch {} {}", i, difference->where);
        fail(seen, *difference, reply);
      }
  }
}

void ArrowReaderJudge::child_alone(Patterns files, std::size_t column, std::size_t child) {
  if (!can().has("children")) return;
  for (const Fixture* fixture : select(files)) {
    const Reading& seen = reading(*fixture);
    if (!seen.expected || !seen.unknown.empty()) continue;
    Json request = request_for("read", *fixture, seen.path);
    request["child"] = {std::to_string(column), std::to_string(child)};
    Reply reply = call(seen, std::move(request));
    if (reply.kind == Reply::Kind::kNotAsked) return not_checked(reply.message);
    looked();
    std::vector<std::vector<Json>> columns, should(1);
    for (const BatchContent& batch : seen.expected->batches) {
      const std::vector<Json>& values = batch.columns.at(column).children.at(child);
      should[0].insert(should[0].end(), values.begin(), values.end());
    }
    parsed(reply, "read", [&] { columns = parse_columns(reply.body); });
    if (!reply.ok())
      fail(seen, reply.text(), "the values of the child", reply);
    else if (const auto difference = value_difference(should, columns))
      fail(seen, *difference, reply);
  }
}

// The result of writing what the program had read.
std::optional<Content> ArrowReaderJudge::copied(const Reading& reading) {
  const std::string to = (options_.folder / ("copy-" + framing(*reading.fixture))).string();
  std::error_code ignored;
  fs::remove_all(to, ignored);
  Json request = request_for("copy", *reading.fixture, reading.path);
  request["to"] = to;
  const Reply reply = call(reading, std::move(request));
  if (reply.kind == Reply::Kind::kNotAsked) {
    not_checked(reply.message);
    return std::nullopt;
  }
  looked();
  if (!reply.ok()) {
    fail(reading, reply.text(), "a copy", reply);
    return std::nullopt;
  }
  const std::string image = read_whole(to, kLargestOfProgram).value_or("");
  Result<Content> content = read_content(std::as_bytes(std::span(image)), "the copy", spec_);
  if (!content) {
    fail(reading, content.error().text(), "a sound copy", reply);
    return std::nullopt;
  }
  return std::move(*content);
}

void ArrowReaderJudge::keeps_schema(Patterns files) {
  if (!can().does("copy")) return not_applicable("it does not write what it reads");
  for (const Fixture* fixture : select(files)) {
    const Reading& seen = reading(*fixture);
    if (!seen.expected || !seen.unknown.empty()) continue;
    const std::optional<Content> copy = copied(seen);
    if (!copy) continue;
    auto difference = schema_difference(seen.expected->fields, copy->fields, Compared::kAll);
    if (!difference) difference = metadata_difference(seen.expected->metadata, copy->metadata);
    if (difference) fail(seen, *difference, seen.describe);
  }
}

void ArrowReaderJudge::keeps_values(Patterns files) {
  if (!can().does("copy")) return;
  for (const Fixture* fixture : select(files)) {
    const Reading& seen = reading(*fixture);
    if (!seen.expected || !seen.unknown.empty()) continue;
    const std::optional<Content> copy = copied(seen);
    if (!copy) continue;
    auto difference = schema_difference(seen.expected->fields, copy->fields, Compared::kAll);
    if (!difference) difference = value_difference(columns_of(*seen.expected), columns_of(*copy));
    if (difference) fail(seen, *difference, seen.describe);
  }
}

void ArrowReaderJudge::convert(const Reading& seen, std::string_view other) {
  if (!seen.expected) return;
  const Reply& trouble = seen.first_trouble();
  if (trouble.kind == Reply::Kind::kNotAsked) return not_checked(trouble.message);
  looked();
  if (seen.ok()) {
    if (const auto difference = seen.difference()) fail(seen, *difference, seen.read);
  } else if (!seen.answered()) {
    fail(seen, trouble.text(), "its values, or an error", trouble);
  } else if (!other.empty() && letters(trouble.message).contains(letters(other))) {
    return;
  } else if (seen.unknown.empty() && seen.expected->codecs.empty() && !seen.expected->big_endian) {
    fail(seen, trouble.text(), "its values: its types are declared", trouble);
  } else if (!seen.unknown.empty() &&
             std::ranges::none_of(seen.unknown, [&](const std::string& name) {
               return letters(trouble.message).contains(letters(name));
             })) {
    fail(seen, trouble.text(), "a refusal that names " + joined(seen.unknown), trouble);
  }
}

void ArrowReaderJudge::converts(Patterns files, std::string_view name) {
  for (const Fixture* fixture : select(files)) convert(reading(*fixture), name);
}

void ArrowReaderJudge::describes(const Reading& seen) {
  if (!seen.expected || !seen.ok() || !seen.unknown.empty()) return;
  if (seen.difference()) return;  // it has been reported
  auto difference = description_difference(*seen.expected, seen.described, can());
  if (!difference && can().has("null-counts") && !counted_.contains(seen.fixture))
    difference = null_count_difference(*seen.expected, seen.described);
  if (difference) fail(seen, *difference, seen.describe);
}

void ArrowReaderJudge::converts_the_rest() {
  for (const Fixture* fixture : select({"valid/*"}, false)) {
    if (!claimed_.contains(fixture)) convert(reading(*fixture));
    describes(reading(*fixture));
  }
  reads_random_tables();
}

void ArrowReaderJudge::reads_random_tables() {
  for (const Fixture& each : drawn_) {
    if (!wanted(each)) continue;
    compare(reading(each), false);
    describes(reading(each));
  }
}

void ArrowReaderJudge::survives(std::span<const std::byte> image, const Fixture& fixture,
                                const std::string& where) {
  const std::string path = path_of(fixture);
  put(path, image);
  for (const char* op : {"describe", "read"}) {
    const Reply reply = call(image, path, request_for(op, fixture, path));
    if (reply.kind == Reply::Kind::kNotAsked) return not_checked(reply.message);
    looked();
    if (!reply.answered())
      Judgement::fail(fixture.file, where, reply.text(), "a result or an error", reply.request);
    if (!reply.ok()) return;
  }
}

// All broken files that no clause has claimed, and every prefix of a small stream and of a small
// file.
void ArrowReaderJudge::ends_whatever_comes() {
  for (const Fixture* fixture : select({"invalid/*"}, false))
    if (!claimed_.contains(fixture)) survives(fixture->image, *fixture, "");
  for (const Fixture* fixture :
       select({"valid/2.9/arrow-struct-hidden-child-values--example-of-the-text.arrows",
               "valid/4.6/arrow-file-magic-start--at-both-ends.arrow"},
              false))
    for (std::size_t size = 0; size <= fixture->image.size(); ++size)
      survives(fixture->image.first(size), *fixture, std::format("its first {} bytes", size));
}

ClauseResult ArrowReaderJudge::take(const Clause& clause) {
  ClauseResult taken = Judgement::take(clause);
  // No request about it was possible.
  if (taken.verdict == Verdict::kNotChecked && taken.examined == 0 && undeclared_) {
    taken.verdict = Verdict::kNotApplicable;
    taken.reason = undeclared_words_;
  }
  undeclared_ = false;
  return taken;
}

SuiteReport judge_reader(Session& session, const Specification& spec, const RunOptions& options) {
  ArrowReaderJudge judge(session, spec, options);
  ResultsByClause results;
  run_checks(consumer_checks(), spec, options, judge, results);
  SuiteReport report = reader_report(session, spec, options, std::move(results), judge.files());
  report.notes.push_back(
      std::format("FIXTURES is the directory that `hepcheck fixtures export FIXTURES` creates; "
                  "random tables are those of --seed {}",
                  options.seed));
  return report;
}

}  // namespace hepcheck::arrow::suite
