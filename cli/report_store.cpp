#include "cli/report_store.h"

#include <algorithm>
#include <format>
#include <utility>

#include "validator/counted.h"
#include "validator/isolate/report_size.h"

namespace hepcheck::cli {

namespace {

// The maximum memory for a byte of a message: eight bytes are an empty string, for which a growing
// list has capacity twice.
constexpr std::uint64_t kGrowth = 8;

const void* base_of(const ClauseResults& results) {
  const ClauseResults shared = results.shared();
  return shared.empty() ? nullptr : &shared[0];
}

}  // namespace

ReportStore::ReportStore(const std::vector<Target>& targets, std::uint64_t most_subjects,
                         std::uint64_t most_bytes)
    : targets_(targets), fresh_{.reader = isolate::ReportReader(most_subjects)},
      most_bytes_(most_bytes), coming_(targets.size(), fresh_), reports_(targets.size()) {}

FileReport ReportStore::too_much(std::size_t file) const {
  const std::string& path = targets_[file].path;
  return {
      .path = path,
      .error = Error{
          path, std::format("the limit of reports was reached: the results for all files exceed {}",
                            counted(most_bytes_, "byte"))}};
}

void ReportStore::take(std::size_t file, std::string_view message) {
  Coming& coming = coming_[file];
  if (coming.too_much) return;
  const std::uint64_t more = kGrowth * message.size();
  if (held_ + coming_bytes_ + more > most_bytes_) {
    coming_bytes_ -= std::exchange(coming.bytes, 0);
    coming = {.too_much = true};
    return;
  }
  coming.bytes += more;
  coming_bytes_ += more;
  coming.reader.take(message);
}

FileReport ReportStore::finish(std::size_t file) {
  Coming coming = std::exchange(coming_[file], fresh_);
  coming_bytes_ -= coming.bytes;
  if (coming.too_much) return too_much(file);
  return std::move(coming.reader).report(targets_[file].path);
}

void ReportStore::share(SubjectReport& subject) {
  const std::size_t size = subject.clauses.size();
  for (auto it = common_.begin(); it != common_.end(); ++it) {
    if (it->size() != size) continue;
    ClauseResults::Differences differences = subject.clauses.differences_from(*it);
    if (differences.size() > size / 8) continue;
    subject.clauses = ClauseResults::with(*it, std::move(differences));
    std::rotate(common_.begin(), it, it + 1);
    return;
  }
  constexpr std::size_t kMost = 16;
  if (common_.size() < kMost && size > 0) common_.push_back(subject.clauses.shared());
}

std::uint64_t ReportStore::size_of(const FileReport& report, std::set<const void*>& bases) const {
  std::uint64_t bytes = isolate::bytes_held(report);
  for (const SubjectReport& subject : report.subjects) {
    const void* const base = base_of(subject.clauses);
    if (base && !bases_.contains(base) && bases.insert(base).second)
      bytes += isolate::bytes_held(subject.clauses.shared());
  }
  return bytes;
}

void ReportStore::keep(std::size_t file, FileReport report) {
  for (SubjectReport& subject : report.subjects) share(subject);
  std::set<const void*> bases;
  const std::uint64_t bytes = size_of(report, bases);
  if (held_ + coming_bytes_ + bytes > most_bytes_) {
    reports_[file] = too_much(file);
    return;
  }
  held_ += bytes;
  bases_.merge(bases);
  reports_[file] = std::move(report);
}

}  // namespace hepcheck::cli
