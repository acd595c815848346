// What is reported of changed or random files, as a golden text: a line for each group of files
// with their number, the number of those that violate a clause, the number of those that leave
// something undecided, and a digest of all that is reported; after these, a line for each violated
// clause with the number of files.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <format>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "conformance/findings_text.h"
#include "fuzz/choices.h"
#include "validator/catalogue/clause.h"
#include "validator/report.h"
#include "validator/testing/file_text.h"

namespace hepcheck::fuzz {

using Image = std::vector<std::uint8_t>;

inline Image image_of(std::span<const std::byte> bytes) {
  const auto begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return {begin, begin + bytes.size()};
}

// The places of bytes that no earlier image has with the same bytes around them: many files of a
// corpus are nearly alike.
class NewPlaces {
 public:
  std::vector<std::size_t> of(const Image& image) {
    constexpr std::size_t kBefore = 7, kBehind = 3;  // bytes
    std::vector<std::size_t> made;
    for (std::size_t at = 0; at < image.size(); ++at) {
      const std::size_t begin = at - std::min(at, kBefore);
      const std::size_t end = std::min(image.size(), at + kBehind);
      const std::string_view around(reinterpret_cast<const char*>(image.data()) + begin,
                                    end - begin);
      if (seen_.emplace(around).second) made.push_back(at);
    }
    return made;
  }

 private:
  std::unordered_set<std::string> seen_{};
};

// What the byte at this place is replaced by: its successor, and in turn its predecessor, 0, 0xFF
// and another bit.
inline std::set<std::uint8_t> replacements(const Image& image, std::size_t at) {
  const int byte = image[at];
  const int others[] = {byte - 1, 0, 0xFF, byte ^ (1 << at / 4 % 8)};
  std::set<std::uint8_t> made = {static_cast<std::uint8_t>(byte + 1),
                                 static_cast<std::uint8_t>(others[at % 4])};
  made.erase(image[at]);
  return made;
}

// Up to three changes of any places: a byte, or bytes of another place, or zeros.
inline void change_several(Choices& c, Image& image) {
  if (image.empty()) return;
  for (std::uint64_t n = 1 + c.below(3); n > 0; --n) {
    const std::size_t at = c.below(image.size());
    const std::size_t size = std::min<std::size_t>(image.size() - at, 1 + c.below(16));
    const auto to = image.begin() + static_cast<std::ptrdiff_t>(at);
    switch (c.below(4)) {
      case 0: image[at] = static_cast<std::uint8_t>(image[at] + 1); break;
      case 1: image[at] = static_cast<std::uint8_t>(c.below(256)); break;
      case 2: std::fill_n(to, size, std::uint8_t{0}); break;
      default: {
        const std::size_t from = c.below(image.size() - size + 1);
        const Image copy(image.begin() + static_cast<std::ptrdiff_t>(from),
                         image.begin() + static_cast<std::ptrdiff_t>(from + size));
        std::ranges::copy(copy, to);
      }
    }
  }
}

// Other choices for each of many cases.
inline Noise noise_of(std::uint64_t number) { return Noise((number + 1) * 0x9E3779B97F4A7C15); }

class GoldenResults {
 public:
  // Of one file of this group; `more`: what else is known of it.
  void add(const std::string& group, const FileReport& report, std::string_view more) {
    Group& into = groups_[group];
    ++into.files;
    bool open = report.error || !report.unreadable.empty();
    std::set<std::string_view> violated;
    for (const SubjectReport& subject : report.subjects) {
      open |= subject.verdict == SubjectVerdict::kUnchecked;
      for (const ClauseResult& result : subject.clauses)
        if (result.verdict == Verdict::kFail) violated.insert(result.clause->id);
    }
    into.violations += !violated.empty();
    into.undecided += open;
    into.text += conformance::findings_text(report);
    into.text += more;
    // Only the digest of what there was is needed.
    constexpr std::size_t kMost = std::size_t{1} << 16;
    if (into.text.size() > kMost) into.text = golden::digest_of(into.text);
    for (const std::string_view each : violated) ++clauses_[std::string(each)];
  }

  std::string text() const {
    std::string made;
    for (const auto& [name, it] : groups_)
      made += std::format("{}: {} {} {} {}\n", name, it.files, it.violations, it.undecided,
                          golden::digest_of(it.text));
    for (const auto& [clause, count] : clauses_) made += std::format("  {} {}\n", clause, count);
    return made;
  }

 private:
  struct Group {
    std::size_t files = 0, violations = 0, undecided = 0;
    std::string text{};
  };

  std::map<std::string, Group> groups_{};
  std::map<std::string, std::size_t> clauses_{};
};

inline bool has_error(const FileReport& report) {
  return report.error || std::ranges::any_of(report.subjects, [](const SubjectReport& each) {
           return each.verdict == SubjectVerdict::kFail;
         });
}

}  // namespace hepcheck::fuzz
