#include "validator/formats/hep001/engine.h"

#include <algorithm>
#include <format>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "validator/formats/hep001/derive/facts.h"
#include "validator/formats/hep001/rules/rule.h"
#include "validator/formats/hep001/rules/version.h"
#include "validator/formats/hep001/strips.h"
#include "validator/machine.h"
#include "validator/parallel.h"
#include "validator/place.h"

namespace hepcheck::hep001 {

namespace {

// A clause about files, with the rule that speaks for it, if one does.
struct Line {
  const Clause* clause;
  const Rule* rule;
};

// What a table is held against, in the order of the specification; made once.
const std::vector<Line>& lines_of(const Specification& spec) {
  static const std::unordered_map<std::string_view, std::vector<Line>> all = [] {
    std::unordered_map<std::string_view, const Rule*> rules;
    for (const Rule& rule : all_rules()) rules.emplace(rule.id.str(), &rule);
    std::unordered_map<std::string_view, std::vector<Line>> made;
    for (const Specification& each : all_specifications())
      for (const Clause& clause : each.clauses) {
        if (clause.subject != Subject::kFile) continue;
        const auto it = rules.find(clause.id);
        made[each.id].push_back({&clause, it == rules.end() ? nullptr : it->second});
      }
    return made;
  }();
  return all.at(spec.id);
}

// The arguments that a check takes, taken apart so that the engine can choose its loop.
template <class... Args>
struct Signature {};
template <class... Args>
constexpr Signature<Args...> signature(void (*)(Args...)) {
  return {};
}

template <class T>
constexpr bool kNeedsFacts = false;
template <class... Args>
constexpr bool kNeedsFacts<void (*)(Args...)> =
    (... || (std::is_same_v<Args, const ColumnFacts&> || std::is_same_v<Args, const MinmaxFacts&> ||
             std::is_same_v<Args, const SortedFacts&> || std::is_same_v<Args, const BitmapFacts&> ||
             std::is_same_v<Args, const BloomFacts&>));
template <class T>
constexpr bool kTakesFacts = kNeedsFacts<T>;
template <class... Args>
constexpr bool kTakesFacts<void (*)(Args...)> =
    kNeedsFacts<void (*)(Args...)> || (... || (std::is_same_v<Args, const ColumnFacts*> ||
                                               std::is_same_v<Args, const CategoriesFacts*>));
template <class T>
constexpr bool kOverColumns = false;
template <class... Args>
constexpr bool kOverColumns<void (*)(Args...)> = (... || std::is_same_v<Args, const Column&>);

bool needs_facts(const Check& check) {
  return std::visit([](auto* function) { return kNeedsFacts<decltype(function)>; }, check);
}
// It has more to say once the data was looked at.
bool takes_facts(const Check& check) {
  return std::visit([](auto* function) { return kTakesFacts<decltype(function)>; }, check);
}
bool over_columns(const Check& check) {
  return std::visit([](auto* function) { return kOverColumns<decltype(function)>; }, check);
}

// Runs one check over every subject of its kind in a table; of columns, over those from `begin` to
// `end`.
class Runner {
 public:
  Runner(const Table& table, const TableFacts* facts) : table_(table), facts_(facts) {}

  void run(const Check& check, Probe& probe, std::size_t begin = 0, std::size_t end = 0) const {
    std::visit([&](auto* function) { over(function, signature(function), probe, begin, end); },
               check);
  }

 private:
  void over(auto* check, Signature<const Table&, Probe&>, Probe& probe, std::size_t,
            std::size_t) const {
    check(table_, probe);
  }
  void over(auto* check, Signature<const Table&, const Column&, Probe&>, Probe& probe,
            std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) check(table_, table_.columns[i], probe);
  }
  void over(auto* check, Signature<const Table&, const Column&, const ColumnFacts*, Probe&>,
            Probe& probe, std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i)
      check(table_, table_.columns[i], facts_ ? &facts_->columns[i] : nullptr, probe);
  }
  void over(auto* check, Signature<const Table&, const Column&, const ColumnFacts&, Probe&>,
            Probe& probe, std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i)
      check(table_, table_.columns[i], facts_->columns[i], probe);
  }
  void over(auto* check, Signature<const Table&, const Categories&, Probe&>, Probe& probe,
            std::size_t, std::size_t) const {
    for (const Categories& categories : table_.categories) check(table_, categories, probe);
  }
  void over(auto* check, Signature<const Table&, const Categories&, const CategoriesFacts*, Probe&>,
            Probe& probe, std::size_t, std::size_t) const {
    for (std::size_t i = 0; i < table_.categories.size(); ++i)
      check(table_, table_.categories[i], facts_ ? &facts_->categories[i] : nullptr, probe);
  }
  void over(auto* check, Signature<const Table&, const SearchIndex&, Probe&>, Probe& probe,
            std::size_t, std::size_t) const {
    for (const SearchIndex& index : table_.indexes) check(table_, index, probe);
  }
  template <IndexKind kFamily>
  void over(auto* check, Signature<const Table&, const FamilyIndex<kFamily>&, Probe&>, Probe& probe,
            std::size_t, std::size_t) const {
    for (const SearchIndex& index : table_.indexes)
      if (index.kind == kFamily) check(table_, family<kFamily>(index), probe);
  }
  template <IndexKind kFamily, class Facts>
  void over(auto* check, Signature<const Table&, const FamilyIndex<kFamily>&, const Facts&, Probe&>,
            Probe& probe, std::size_t, std::size_t) const {
    for (std::size_t i = 0; i < table_.indexes.size(); ++i)
      if (const auto* facts = std::get_if<Facts>(&facts_->indexes[i]))
        check(table_, family<kFamily>(table_.indexes[i]), *facts, probe);
  }

  template <IndexKind kFamily>
  FamilyIndex<kFamily> family(const SearchIndex& index) const {
    const Column* column = index.columns.size() == 1 ? &table_.columns[index.columns[0]] : nullptr;
    return {index, column};
  }

  const Table& table_;
  const TableFacts* facts_;
};

TableShape shape_of(const Table& table, bool described) {
  TableShape shape{.nrows = table.nrows,
                   .width = table.columns.size(),
                   .columns = {},
                   .categories = table.categories.size(),
                   .indexes = table.indexes.size()};
  if (!described) return shape;
  for (const Column& column : table.columns)
    shape.columns.push_back({.name = column.name(),
                             .datatype = describe(column.data->type),
                             .extent = column.data->extent().value_or(0),
                             .chunk_rows = chunk_rows(*column.data),
                             .chunks = data_bearing_chunks(table, *column.data),
                             .indexes = {}});
  for (const SearchIndex& index : table.indexes) {
    const Attribute* kind = index.data->attribute("KIND");
    const std::string name = kind ? string_value(*kind).value_or("?") : "?";
    for (const std::size_t column : index.columns)
      shape.columns[column].indexes.push_back(name + " " + index.data->path);
  }
  return shape;
}

// Applies the user's severities, --strict and --fail-on to what a finding came with.
Severity effective(Severity severity, const Clause& clause, const ExamineOptions& options) {
  if (const auto chosen = options.severities.find(clause.id); chosen != options.severities.end())
    return chosen->second;
  if (options.strict && clause.mandatory() && severity == Severity::kWarning)
    return Severity::kError;
  if (options.fail_on_should && !clause.mandatory() && severity != Severity::kNone)
    return Severity::kError;
  return severity;
}

// A clause that no rule speaks for under its own id.
void settle_without_rule(ClauseResult& result) {
  const Clause& clause = *result.clause;
  result.verdict = Verdict::kNotApplicable;
  if (clause.level == Level::kMay) {
    result.reason = "a permission";
  } else if (!clause.emitted_as.empty()) {
    result.reason = "reported as " + std::string(clause.emitted_as.front());
    if (clause.emitted_as.size() > 1)
      result.reason += std::format(" and {} more", clause.emitted_as.size() - 1);
  } else {
    result.verdict = Verdict::kNotChecked;
    result.reason = "no rule for it in this version of hepcheck";
  }
}

// Filter bits that no value explains are permitted (bloom-superset): no finding, but worth a word.
void note_supersets(const Table& table, const TableFacts& facts, TableReport& report) {
  for (std::size_t i = 0; i < facts.indexes.size(); ++i) {
    const auto* bloom = std::get_if<BloomFacts>(&facts.indexes[i]);
    if (bloom && bloom->superset_chunks > 0)
      report.notes.push_back(std::format(
          "{}: {} of {} filters have bits set that no value of their chunk explains; readers look "
          "into more chunks than they need, and still get right answers",
          table.indexes[i].data->path, bloom->superset_chunks, bloom->chunks));
  }
}

ClauseResult result_for(const Clause& clause) {
  return {.clause = &clause, .severity = clause.default_severity, .reason = {}, .findings = {}};
}

std::vector<ClauseResult> all_unsupported(const Specification& spec) {
  std::vector<ClauseResult> results;
  for (const auto& [clause, rule] : lines_of(spec)) {
    results.push_back(result_for(*clause));
    results.back().verdict = Verdict::kNotChecked;
    results.back().reason = "a later major revision";
  }
  return results;
}

}  // namespace

Engine::Engine(const Specification& spec, ExamineOptions options)
    : spec_(spec), options_(std::move(options)) {
  const auto wanted = [&](std::string_view id) {
    return (options_.only.empty() || options_.only.contains(id)) && !options_.skip.contains(id);
  };
  for (const auto& [clause, rule] : lines_of(spec)) {
    ClauseResult& result = results_.emplace_back(result_for(*clause));
    const bool data = rule && needs_facts(rule->check);
    if (!rule) {
      settle_without_rule(result);
    } else if (!wanted(clause->id)) {
      result.verdict = Verdict::kNotChecked;
      const auto why = options_.skip_reasons.find(clause->id);
      result.reason = why == options_.skip_reasons.end() ? "left out by the user"
                                                         : "left out by the user: " + why->second;
      result.skipped_by_user = true;
    } else if (data && options_.depth == Depth::kStructure) {
      result.verdict = Verdict::kNotChecked;
      result.reason = "it needs the data, and only the structure was looked at";
    } else {
      (over_columns(rule->check) ? column_tasks_ : tasks_).push_back({rule, results_.size() - 1});
      data_wanted_ |= takes_facts(rule->check) && options_.depth == Depth::kFull;
    }
  }
}

std::optional<TableFacts> Engine::facts(const Table& table, ValueSource& values) const {
  if (!data_wanted_ || version_claim(table).kind == VersionClaim::Kind::kLaterMajor)
    return std::nullopt;
  return collect_facts(table, values,
                       {.locate_missing = options_.describe_columns,
                        .memory_limit = options_.memory_limit,
                        .jobs = options_.jobs,
                        .progress = options_.progress});
}

TableReport Engine::judge(const Table& table, const std::optional<TableFacts>& facts) {
  TableReport report{.path = table.path(),
                     .reason = {},
                     .notes = {},
                     .shape = shape_of(table, options_.describe_columns),
                     .clauses = {}};
  const VersionClaim claim = version_claim(table);
  if (claim.kind == VersionClaim::Kind::kLaterMajor) {
    report.verdict = TableVerdict::kUnsupported;
    report.reason = std::format(
        "VERSION \"{}\" claims a later major revision than the 1 that "
        "{} describes; nothing else was checked",
        claim.text, spec_.id);
    report.clauses = stored_.store(all_unsupported(spec_));
    return report;
  }
  if (claim.kind == VersionClaim::Kind::kLaterMinor)
    report.notes.push_back(
        std::format("VERSION \"{}\" is a later minor revision than {}; judged by the rules of 1.0",
                    claim.text, spec_.id));
  if (facts) note_supersets(table, *facts, report);
  if (facts && options_.describe_columns) add_maps(table, *facts, report.shape);

  const Runner runner(table, facts ? &*facts : nullptr);
  const auto probes_for = [&](const std::vector<Task>& tasks) {
    std::vector<Probe> probes;
    probes.reserve(tasks.size());
    for (const Task& task : tasks)
      probes.emplace_back(results_[task.result].clause->default_severity, options_.max_findings);
    return probes;
  };
  const auto run = [&](const Task& task, Probe& probe, std::size_t begin = 0, std::size_t end = 0) {
    now_at(Stage::kChecking, results_[task.result].clause->id);
    runner.run(task.rule->check, probe, begin, end);
  };
  // The columns and the rules of a wide table are shared out among the threads.
  constexpr std::size_t kWide = 2048;
  const std::size_t columns = table.columns.size();
  const unsigned shares = columns < kWide ? 1 : options_.jobs > 0 ? options_.jobs : cores();
  std::vector<Probe> probes = probes_for(tasks_);
  std::vector<std::vector<Probe>> column_probes;
  for (unsigned share = 0; share < shares; ++share)
    column_probes.push_back(probes_for(column_tasks_));
  parallel_for(shares, shares, [&](std::uint64_t share) {
    for (std::size_t t = share; t < tasks_.size(); t += shares) run(tasks_[t], probes[t]);
    // A few columns at a time, so that they stay in the cache for all rules.
    constexpr std::size_t kColumns = 32;
    const std::size_t end = columns * (share + 1) / shares;
    for (std::size_t begin = columns * share / shares; begin < end; begin += kColumns)
      for (std::size_t t = 0; t < column_tasks_.size(); ++t)
        run(column_tasks_[t], column_probes[share][t], begin, std::min(begin + kColumns, end));
  });

  bool changed = last_.empty();
  for (std::size_t t = 0; t < tasks_.size(); ++t)
    changed |= settle(results_[tasks_[t].result], probes[t]);
  for (std::size_t t = 0; t < column_tasks_.size(); ++t) {
    Probe& whole = column_probes[0][t];
    for (unsigned share = 1; share < shares; ++share)
      whole.join(std::move(column_probes[share][t]));
    changed |= settle(results_[column_tasks_[t].result], whole);
  }

  if (changed) last_ = stored_.store(results_);
  report.clauses = last_;
  hepcheck::judge(report, options_);
  return report;
}

// Takes over what a rule said. False if that is what it said of the table before.
bool Engine::settle(ClauseResult& result, Probe& probe) const {
  const Clause& clause = *result.clause;
  const std::uint64_t found = probe.total_findings();
  const Verdict verdict = found > 0                 ? Verdict::kFail
                          : !probe.reason().empty() ? Verdict::kNotChecked
                          : probe.examined() > 0    ? Verdict::kPass
                                                    : Verdict::kNotApplicable;
  if (found == 0 && result.verdict == verdict && result.examined == probe.examined() &&
      result.reason == probe.reason())
    return false;
  result.verdict = verdict;
  result.severity =
      found > 0 ? effective(probe.worst(), clause, options_) : clause.default_severity;
  result.reason = found > 0 ? std::string() : probe.reason();
  result.examined = probe.examined();
  result.findings = std::move(probe).findings();
  result.suppressed = found - result.findings.size();
  for (Finding& finding : result.findings)
    finding.severity = effective(finding.severity, clause, options_);
  return true;
}

TableReport examine(const Table& table, ValueSource& values, const Specification& spec,
                    const ExamineOptions& options) {
  Engine engine(spec, options);
  return engine.judge(table, engine.facts(table, values));
}

}  // namespace hepcheck::hep001

namespace hepcheck {

void judge(TableReport& report, const ExamineOptions& options) {
  if (report.verdict == TableVerdict::kUnsupported) return;
  report.verdict = TableVerdict::kPass;
  report.reason.clear();
  for (const ClauseResult& result : report.clauses) {
    if (result.open_severity() == Severity::kError) {
      report.verdict = TableVerdict::kFail;
      report.reason.clear();
      return;
    }
    const bool open = result.verdict == Verdict::kNotChecked && result.clause->mandatory() &&
                      !result.skipped_by_user;
    if (open && !options.allow_unchecked && report.verdict == TableVerdict::kPass) {
      report.verdict = TableVerdict::kUnchecked;
      report.reason = std::string(result.clause->id) + ": " + result.reason;
    }
  }
}

}  // namespace hepcheck
