#include "reports/baseline.h"

#include <algorithm>
#include <format>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <stdexcept>
#include <tuple>

#include "reports/escape.h"
#include "reports/json.h"

namespace hepcheck::reports {

namespace {

using Json = nlohmann::ordered_json;

auto key(const KnownFinding& known) {
  return std::tie(known.file, known.subject, known.clause, known.object, known.attribute,
                  known.where, known.not_checked);
}

struct ByPlace {
  bool operator()(const KnownFinding& a, const KnownFinding& b) const { return key(a) < key(b); }
};

// The known findings, and how often each was matched. Two findings can share a place.
struct Use {
  std::vector<KnownFinding> known{};
  std::size_t met = 0;
};
using Known = std::map<KnownFinding, Use, ByPlace>;

KnownFinding remembered(const std::string& file, const SubjectReport& table,
                        const ClauseResult& result, const Finding& finding) {
  return {.file = file,
          .subject = table.path,
          .clause = std::string(result.clause->id),
          .object = finding.object,
          .attribute = finding.attribute,
          .where = finding.where,
          .more = finding.more};
}

// A clause that was not skipped by the user, but could not be checked.
bool is_open(const SubjectReport& subject, const ClauseResult& result) {
  return result.verdict == Verdict::kNotChecked && result.left_out == LeftOut::kNot &&
         subject.verdict != SubjectVerdict::kUnsupported;
}

KnownFinding remembered_unchecked(const std::string& file, const SubjectReport& table,
                                  const ClauseResult& result) {
  return {.file = file,
          .subject = table.path,
          .clause = std::string(result.clause->id),
          .not_checked = result.reason};
}

KnownFinding remembered_suppressed(const std::string& file, const SubjectReport& table,
                                   const ClauseResult& result) {
  return {.file = file,
          .subject = table.path,
          .clause = std::string(result.clause->id),
          .suppressed = result.suppressed};
}

// Consumes one use of `found`, if one that is not smaller is left.
bool take(Known& known, const KnownFinding& found) {
  const auto it = known.find(found);
  if (it == known.end() || it->second.met == it->second.known.size()) return false;
  const KnownFinding& entry = it->second.known[it->second.met];
  ++it->second.met;
  return found.more <= entry.more && found.suppressed <= entry.suppressed;
}

// Files by their name in the baseline, to determine whether this run looked for an entry.
class Examined {
 public:
  Examined(const Report& report, const Rename& rename,
           const std::function<bool(const std::string&)>& whole) {
    for (const FileReport& file : report.files) {
      File& entry = files_[rename(file.path)];
      entry.whole = entry.whole || (!file.error && file.unreadable.empty() && whole(file.path));
      for (const SubjectReport& table : file.subjects) entry.subjects.emplace(table.path, &table);
    }
  }

  bool looked_for(const KnownFinding& known) const {
    const auto file = files_.find(known.file);
    if (file == files_.end()) return false;
    const auto [begin, end] = file->second.subjects.equal_range(known.subject);
    if (begin == end) return file->second.whole;
    // A file has one entry per path for each requested specification.
    return std::ranges::all_of(begin, end, [&](const auto& each) {
      return std::ranges::all_of(each.second->clauses, [&](const ClauseResult& result) {
        return result.clause->id != known.clause || looked_for(known, result);
      });
    });
  }

 private:
  static bool looked_for(const KnownFinding& known, const ClauseResult& result) {
    if (result.verdict == Verdict::kNotChecked)
      return !known.not_checked.empty() && result.left_out == LeftOut::kNot;
    // The entry may be one of the findings that are not shown.
    return result.suppressed == 0 || !known.not_checked.empty();
  }

  struct File {
    bool whole = false;
    std::multimap<std::string, const SubjectReport*> subjects{};
  };
  std::map<std::string, File> files_{};
};

// An entry that this run looked for and did not find.
std::vector<KnownFinding> gone_of(const Known& known, const Examined& examined) {
  std::vector<KnownFinding> gone;
  for (const auto& [place, use] : known)
    for (std::size_t i = use.met; i < use.known.size(); ++i)
      if (examined.looked_for(use.known[i])) gone.push_back(use.known[i]);
  return gone;
}

// A comparison covers findings, but not clauses that could not be checked.
std::vector<KnownFinding> findings_of(const Report& report, const Rename& rename) {
  std::vector<KnownFinding> found = baseline_of(report, rename).known;
  std::erase_if(found, [](const KnownFinding& each) { return !each.not_checked.empty(); });
  return found;
}

}  // namespace

Baseline baseline_of(const Report& report, const Rename& rename) {
  Baseline baseline{.spec = std::string(report.spec->id)};
  for (const FileReport& file : report.files) {
    const std::string name = rename(file.path);
    for (const SubjectReport& table : file.subjects)
      for (const ClauseResult& result : table.clauses) {
        for (const Finding& finding : result.findings)
          baseline.known.push_back(remembered(name, table, result, finding));
        if (result.suppressed > 0)
          baseline.known.push_back(remembered_suppressed(name, table, result));
        if (is_open(table, result))
          baseline.known.push_back(remembered_unchecked(name, table, result));
      }
  }
  return baseline;
}

void apply(const Baseline& baseline, const Rename& rename,
           const std::function<bool(const std::string& path)>& whole, const ExamineOptions& options,
           Report& report) {
  Known known;
  for (const KnownFinding& each : baseline.known) known[each].known.push_back(each);
  for (FileReport& file : report.files) {
    const std::string name = rename(file.path);
    for (SubjectReport& table : file.subjects) {
      ClauseResults::Differences changed;
      for (std::size_t i = 0; i < table.clauses.size(); ++i) {
        const bool open = is_open(table, table.clauses[i]);
        if (table.clauses[i].verdict != Verdict::kFail && !open) continue;
        ClauseResult result = table.clauses[i];
        if (open) result.reason_known = take(known, remembered_unchecked(name, table, result));
        for (Finding& finding : result.findings)
          finding.known = take(known, remembered(name, table, result, finding));
        result.suppressed_known =
            result.suppressed > 0 && take(known, remembered_suppressed(name, table, result));
        changed.push_back({i, std::move(result)});
      }
      table.clauses = ClauseResults::with(table.clauses, std::move(changed));
      decide(table, options);
    }
  }
  report.compared = true;
  report.gone = gone_of(known, Examined(report, rename, whole));
}

Comparison compare(const Report& report, const Report& earlier, std::string name,
                   const std::function<bool(const std::string& path)>& whole) {
  const Rename as_it_is = [](const std::string& path) { return path; };
  Known known;
  for (const KnownFinding& each : findings_of(earlier, as_it_is)) known[each].known.push_back(each);
  Comparison made{.earlier = std::move(name)};
  for (KnownFinding& each : findings_of(report, as_it_is)) {
    if (take(known, each))
      ++made.still;
    else
      made.fresh.push_back(std::move(each));
  }
  made.gone = gone_of(known, Examined(report, as_it_is, whole));
  return made;
}

Baseline updated(const Baseline& baseline, const Baseline& found,
                 const std::vector<KnownFinding>& gone, bool add) {
  std::multiset<KnownFinding, ByPlace> left(gone.begin(), gone.end());
  const std::set<KnownFinding, ByPlace> places(found.known.begin(), found.known.end());
  Baseline made{.spec = baseline.spec};
  for (const KnownFinding& each : baseline.known) {
    if (const auto it = left.find(each); it != left.end())
      left.erase(it);
    else if (!add || !places.contains(each))
      made.known.push_back(each);
  }
  if (add) made.known.insert(made.known.end(), found.known.begin(), found.known.end());
  return made;
}

Result<Baseline> read_baseline(std::string_view text, const std::string& name) {
  try {
    const Json json = parse_bounded(text);
    const auto known = json.find("known"), spec = json.find("spec");
    if (json.size() != 2 || known == json.end() || !known->is_array() || spec == json.end() ||
        !spec->is_string())
      throw std::runtime_error(
          "expected \"spec\", a string, and \"known\", a list, and no other members");
    Baseline baseline;
    baseline.spec = spec->get<std::string>();
    for (const Json& each : *known) baseline.known.push_back(known_from_json(each));
    return baseline;
  } catch (const Json::parse_error& error) {
    return failure(
        name,
        std::format("not a hepcheck baseline: invalid or incomplete JSON at byte {}", error.byte));
  } catch (const std::exception& error) {
    return failure(name, std::string("not a hepcheck baseline: ") + error.what());
  }
}

void write_baseline(std::ostream& out, const Baseline& baseline) {
  // Writes one line for each finding, sorted, so that changes of the file are easy to review.
  std::vector<KnownFinding> sorted = baseline.known;
  std::ranges::stable_sort(sorted, ByPlace());
  out << "{\n \"spec\": " << Json(baseline.spec).dump() << ",\n \"known\": [";
  for (std::size_t i = 0; i < sorted.size(); ++i)
    out << (i == 0 ? "\n  " : ",\n  ") << to_json(sorted[i]).dump();
  out << "\n ]\n}\n";
}

}  // namespace hepcheck::reports
