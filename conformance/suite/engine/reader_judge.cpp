#include "conformance/suite/engine/reader_judge.h"

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <fstream>
#include <ranges>

#include "validator/read_whole.h"
#include "validator/wildcard.h"

namespace hepcheck::suite {

namespace fs = std::filesystem;

namespace {

std::string_view chars(std::span<const std::byte> image) {
  return {reinterpret_cast<const char*>(image.data()), image.size()};
}

// A file of another size is not read: it may have any size, or not be a regular file.
bool holds(const std::string& path, std::span<const std::byte> image) {
  std::error_code trouble;
  if (fs::file_size(path, trouble) != image.size() || trouble) return false;
  return read_whole(path, image.size()) == chars(image);
}

}  // namespace

bool is_wanted(std::string_view name, const std::vector<std::string>& globs) {
  return globs.empty() || std::ranges::any_of(globs, [&](const std::string& glob) {
           return fits(std::string(name), glob);
         });
}

FileJudge::Fixtures FileJudge::matching(Patterns files) const {
  Fixtures found;
  for (const std::string_view each : files) {
    const std::string pattern(each);
    const std::size_t before = found.size();
    for (const Fixture& fixture : conformance::corpus_of(spec_))
      if (!fixture.asserted && fits(fixture.file, pattern)) found.push_back(&fixture);
    assert(found.size() > before && "no fixture matches a pattern of a check");
  }
  return found;
}

void FileJudge::put(const std::string& path, std::span<const std::byte> image) {
  std::error_code ignored;
  if (!fs::is_regular_file(fs::symlink_status(path, ignored))) fs::remove_all(path, ignored);
  fs::create_directories(fs::path(path).parent_path(), ignored);
  std::ofstream(path, std::ios::binary)
      .write(chars(image).data(), static_cast<std::streamsize>(image.size()));
}

std::string FileJudge::reproducible(std::string request) const {
  if (const std::string folder = options_.folder.string(); !folder.empty())
    for (std::size_t at = 0; (at = request.find(folder, at)) != std::string::npos;)
      request.replace(at, folder.size(), "FIXTURES");
  return request;
}

Reply FileJudge::call(std::span<const std::byte> image, const std::string& path, Json request) {
  Reply reply = session_.call(std::move(request));
  reply.request = reproducible(std::move(reply.request));
  if (holds(path, image)) return reply;
  put(path, image);
  reply.kind = Reply::Kind::kNonsense;
  reply.message = "it changed the file that it was requested to read";
  return reply;
}

SuiteReport reader_report(const Session& session, const Specification& spec,
                          const RunOptions& options, ResultsByClause results, std::uint64_t files) {
  SuiteReport report{
      .role = "reader", .program = session.name(), .about = session.about(), .spec = &spec};
  for (const Clause& clause : spec.clauses) {
    if (clause.subject != Subject::kConsumer && !results.contains(clause.id)) continue;
    if (const auto at = results.find(clause.id); at != results.end())
      report.clauses.push_back(std::move(at->second));
    else
      report.clauses.push_back(
          {.clause = &clause,
           .verdict = Verdict::kNotChecked,
           .reason = options.only.empty() ? "the suite has no check for it" : kNotSelected});
  }
  report.notes = notes_on(session);
  report.files = files;
  report.requests = session.requests();
  return report;
}

}  // namespace hepcheck::suite
