// Mutated containers, and everything that is reported about them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/hdf5/checksums.h"
#include "validator/catalogue/clause.h"
#include "validator/examine_file.h"
#include "validator/testing/file_text.h"

namespace hepcheck::hdf5 {

// After a repaired block there may be another.
inline constexpr int kRepairs = 6;

using Image = std::vector<std::uint8_t>;
using Counts = std::map<std::string, std::size_t>;

inline Image image_of(const std::filesystem::path& path) {
  const std::string bytes = golden::file_text(path);
  return {bytes.begin(), bytes.end()};
}

// --- Findings ------------------------------------------------------------------------------------

// std::format takes more time than the examination.
inline void append(std::string& all, const Clause& clause, const Finding& it) {
  for (const std::string_view text :
       {std::string_view(clause.id), to_string(it.severity), std::string_view(it.object),
        std::string_view(it.attribute), std::string_view(it.where), std::string_view(it.observed),
        std::string_view(it.expected), std::string_view(it.hint)}) {
    all += text;
    all += '|';
  }
  all += std::to_string(it.more);
  all += '\n';
}

// Added to `all`; the violated clauses to `broken`.
inline void add(const FileReport& report, std::string& all, std::map<std::string, bool>& broken) {
  if (report.error) all += report.error->text() + '\n';
  for (const SubjectReport& subject : report.subjects) {
    for (const std::string_view text :
         {std::string_view(subject.path), to_string(subject.verdict)}) {
      all += text;
      all += ' ';
    }
    all += subject.reason + '\n';
    for (const std::string& note : subject.notes) all += note + '\n';
    std::size_t at = 0;
    for (const ClauseResult& result : subject.clauses) {
      ++at;
      if (result.verdict == Verdict::kNotApplicable) continue;  // most of them
      all += std::to_string(at);
      all += to_string(result.verdict);
      all += ' ';
      all += std::to_string(result.examined);
      all += result.reason;
      for (const Finding& finding : result.findings) append(all, *result.clause, finding);
      if (result.verdict == Verdict::kFail) broken[std::string(result.clause->id)] = true;
      if (result.verdict == Verdict::kNotChecked) broken["not checked"] = true;
    }
  }
}

// --- Mutations -----------------------------------------------------------------------------------

struct Results {
  std::size_t mutations = 0, telling = 0;  // informative: those that violate something
  Counts broken{};
  std::string all{};
};

// Checksums that fit again, those of blocks in blocks included.
inline void repair(Image& image, const Specification& spec) {
  for (int level = 0; level < kRepairs; ++level)
    if (!fuzz::repair_checksums(
            image, examine_image(std::as_bytes(std::span(image)), "image", std::nullopt, &spec,
                                 {.examine = {.jobs = 1}})))
      return;
}

inline void mutate(Image image, const Specification& spec, Results& into) {
  FileOptions options{.examine = {.jobs = 1}};
  std::map<std::string, bool> broken;
  ++into.mutations;
  for (int level = 0; level < kRepairs; ++level) {
    const FileReport report =
        examine_image(std::as_bytes(std::span(image)), "image", std::nullopt, &spec, options);
    add(report, into.all, broken);
    if (!fuzz::repair_checksums(image, report)) break;
  }
  into.telling += !broken.empty();
  for (const auto& [clause, is] : broken) ++into.broken[clause];
}

}  // namespace hepcheck::hdf5
