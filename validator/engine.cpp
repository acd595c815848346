#include "validator/engine.h"

#include <algorithm>
#include <format>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "validator/derive/facts.h"
#include "validator/maps.h"
#include "validator/place.h"
#include "validator/rules/rule.h"
#include "validator/rules/version.h"

namespace hepcheck {

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

// Runs one check over every subject of its kind in a table.
class Runner {
 public:
  Runner(const Table& table, const TableFacts* facts) : table_(table), facts_(facts) {}

  void run(const Check& check, Probe& probe) const {
    std::visit([&](auto* function) { over(function, signature(function), probe); }, check);
  }

 private:
  void over(auto* check, Signature<const Table&, Probe&>, Probe& probe) const {
    check(table_, probe);
  }
  void over(auto* check, Signature<const Table&, const Column&, Probe&>, Probe& probe) const {
    for (const Column& column : table_.columns) check(table_, column, probe);
  }
  void over(auto* check, Signature<const Table&, const Categories&, Probe&>, Probe& probe) const {
    for (const Categories& categories : table_.categories) check(table_, categories, probe);
  }
  void over(auto* check, Signature<const Table&, const SearchIndex&, Probe&>,
            Probe& probe) const {
    for (const SearchIndex& index : table_.indexes) check(table_, index, probe);
  }
  template <IndexKind kFamily>
  void over(auto* check, Signature<const Table&, const FamilyIndex<kFamily>&, Probe&>,
            Probe& probe) const {
    for (const SearchIndex& index : table_.indexes)
      if (index.kind == kFamily) check(table_, family<kFamily>(index), probe);
  }
  void over(auto* check, Signature<const Table&, const Column&, const ColumnFacts&, Probe&>,
            Probe& probe) const {
    for (std::size_t i = 0; i < table_.columns.size(); ++i)
      check(table_, table_.columns[i], facts_->columns[i], probe);
  }
  template <IndexKind kFamily, class Facts>
  void over(auto* check, Signature<const Table&, const FamilyIndex<kFamily>&, const Facts&, Probe&>,
            Probe& probe) const {
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

bool needs_facts(const Check& check) {
  return std::visit([](auto* function) { return kNeedsFacts<decltype(function)>; }, check);
}

TableShape shape_of(const Table& table) {
  TableShape shape{.nrows = table.nrows,
                   .columns = {},
                   .categories = table.categories.size(),
                   .indexes = table.indexes.size()};
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

void settle(ClauseResult& result, const Probe& probe, const ExamineOptions& options) {
  const Clause& clause = *result.clause;
  result.examined = probe.examined();
  result.findings = probe.findings();
  result.suppressed = probe.total_findings() - probe.findings().size();
  for (Finding& finding : result.findings)
    finding.severity = effective(finding.severity, clause, options);
  if (probe.total_findings() > 0) {
    result.verdict = Verdict::kFail;
    result.severity = effective(probe.worst(), clause, options);
  } else if (!probe.reason().empty()) {
    result.verdict = Verdict::kNotChecked;
    result.reason = probe.reason();
  } else if (probe.examined() > 0) {
    result.verdict = Verdict::kPass;
  } else {
    result.verdict = Verdict::kNotApplicable;
  }
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

TableReport unsupported(const Table& table, const Specification& spec,
                        const VersionClaim& claim) {
  TableReport report{.path = table.path(), .verdict = TableVerdict::kUnsupported, .reason = {},
                     .notes = {}, .shape = shape_of(table), .clauses = {}};
  report.reason = std::format("VERSION \"{}\" claims a later major revision than the 1 that "
                              "{} describes; nothing else was checked",
                              claim.text, spec.id);
  for (const Clause& clause : spec.clauses) {
    if (clause.subject != Subject::kFile) continue;
    ClauseResult result = result_for(clause);
    result.verdict = Verdict::kNotChecked;
    result.reason = "a later major revision";
    report.clauses.push_back(std::move(result));
  }
  return report;
}

}  // namespace

TableReport examine(const Table& table, ValueSource& values, const Specification& spec,
                    const ExamineOptions& options) {
  const VersionClaim claim = version_claim(table);
  if (claim.kind == VersionClaim::Kind::kLaterMajor) return unsupported(table, spec, claim);

  TableReport report{.path = table.path(), .reason = {}, .notes = {}, .shape = shape_of(table),
                     .clauses = {}};
  if (claim.kind == VersionClaim::Kind::kLaterMinor)
    report.notes.push_back(std::format(
        "VERSION \"{}\" is a later minor revision than {}; judged by the rules of 1.0", claim.text,
        spec.id));

  const auto wanted = [&](std::string_view id) {
    return (options.only.empty() || options.only.contains(id)) && !options.skip.contains(id);
  };
  const std::vector<Line>& lines = lines_of(spec);
  const bool data_wanted = std::ranges::any_of(lines, [&](const Line& line) {
    return line.rule && needs_facts(line.rule->check) && wanted(line.clause->id);
  });
  std::optional<TableFacts> facts;
  if (data_wanted && options.depth == Depth::kFull)
    facts = collect_facts(table, values,
                          {.memory_limit = options.memory_limit, .jobs = options.jobs,
                           .progress = options.progress});

  if (facts) note_supersets(table, *facts, report);
  if (facts) add_maps(table, *facts, report.shape);

  const Runner runner(table, facts ? &*facts : nullptr);
  report.clauses.reserve(lines.size());
  for (const auto& [clause, rule] : lines) {
    ClauseResult result = result_for(*clause);
    if (!rule) {
      settle_without_rule(result);
    } else if (!wanted(clause->id)) {
      result.verdict = Verdict::kNotChecked;
      const auto why = options.skip_reasons.find(clause->id);
      result.reason = why == options.skip_reasons.end() ? "left out by the user"
                                                        : "left out by the user: " + why->second;
      result.skipped_by_user = true;
    } else if (needs_facts(rule->check) && !facts) {
      result.verdict = Verdict::kNotChecked;
      result.reason = "it needs the data, and only the structure was looked at";
    } else {
      Probe probe(clause->default_severity, options.max_findings);
      now_at(Stage::kChecking, clause->id);
      runner.run(rule->check, probe);
      settle(result, probe, options);
    }
    report.clauses.push_back(std::move(result));
  }
  judge(report, options);
  return report;
}

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
