#include "conformance/accounting.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "validator/format.h"

namespace hepcheck::conformance {

namespace {

bool expects(const Fixture& fixture, std::string_view id) {
  return std::ranges::any_of(fixture.tables, [&](const Expectation& table) {
    return table.fails.contains(id) || table.warns.contains(id) || table.informs.contains(id);
  });
}

bool is_accept(const Clause& clause) {
  return clause.subject == Subject::kFile && clause.level == Level::kMay;
}

bool is_aliased(const Clause& clause) {
  return clause.subject == Subject::kFile && !clause.emitted_as.empty();
}

}  // namespace

Account take_account(const Specification& spec) {
  Account account{.spec = &spec};
  std::unordered_map<std::string_view, std::size_t> position;
  for (const Clause& clause : spec.clauses) {
    position.emplace(clause.id, account.clauses.size());
    account.clauses.push_back({.clause = &clause});
  }
  const auto find = [&](std::string_view id) -> ClauseAccount* {
    const auto it = position.find(id);
    return it == position.end() ? nullptr : &account.clauses[it->second];
  };
  for (const RuleHead& rule : format_of(spec).rules())
    if (ClauseAccount* clause = find(rule.clause); clause && clause->clause->file_checkable())
      clause->rule = true;

  for (const Fixture& fixture : corpus_of(spec)) {
    const Observation seen = observe(fixture);
    if (const std::string why = difference(fixture, seen); !why.empty()) {
      account.disagreements.push_back(fixture.file + ": " + why);
      continue;
    }
    if (fixture.valid) {
      Ids about = fixture.keeps;
      about.insert(fixture.clause);
      for (const std::string& id : about)
        if (ClauseAccount* clause = find(id)) clause->valid.push_back(&fixture);
      for (const std::string& id : seen.passed) find(id)->passes = true;
      continue;
    }
    if (ClauseAccount* clause = find(fixture.clause)) clause->broken.push_back(&fixture);
    ClauseAccount* clause = find(fixture.clause);
    if (clause && !clause->kill && expects(fixture, fixture.clause)) {
      ExamineOptions without;
      without.skip.insert(fixture.clause);
      clause->kill = !difference(fixture, observe(fixture, without)).empty();
    }
  }
  return account;
}

std::vector<std::string> missing(const Account& account) {
  std::vector<std::string> ids;
  for (const ClauseAccount& each : account.clauses) {
    const Clause& clause = *each.clause;
    const bool checkable = clause.file_checkable();
    if (checkable &&
        !(each.rule && each.kill && each.passes && !each.valid.empty() && !each.broken.empty()))
      ids.emplace_back(clause.id);
    else if (is_accept(clause) && each.valid.empty())
      ids.emplace_back(clause.id);
    else if (is_aliased(clause) && each.broken.empty())
      ids.emplace_back(clause.id);
  }
  return ids;
}

Counts counts_of(const Account& account) {
  Counts counts;
  for (const ClauseAccount& each : account.clauses) {
    const Clause& clause = *each.clause;
    counts.producer += clause.subject == Subject::kProducer;
    counts.consumer += clause.subject == Subject::kConsumer;
    if (is_accept(clause)) {
      ++counts.accept.total;
      counts.accept.covered += !each.valid.empty();
    }
    if (is_aliased(clause)) {
      ++counts.aliased.total;
      counts.aliased.covered += !each.broken.empty();
    }
    if (!clause.file_checkable()) continue;
    ++counts.checkable;
    counts.rule += each.rule;
    counts.valid += !each.valid.empty() && each.passes;
    counts.broken += !each.broken.empty();
    counts.kill += each.kill;
  }
  return counts;
}

nlohmann::ordered_json to_json(const Account& account) {
  using Json = nlohmann::ordered_json;
  const Counts counts = counts_of(account);
  const auto files = [](const std::vector<const Fixture*>& fixtures) {
    Json list = Json::array();
    for (const Fixture* fixture : fixtures) list.push_back(fixture->file);
    return list;
  };
  Json by_clause = Json::array();
  for (const ClauseAccount& a : account.clauses)
    by_clause.push_back({{"id", a.clause->id},
                         {"section", a.clause->section},
                         {"level", to_string(a.clause->level)},
                         {"subject", to_string(a.clause->subject)},
                         {"rule", a.rule},
                         {"valid", files(a.valid)},
                         {"broken", files(a.broken)},
                         {"kill", a.kill}});
  return {{"clauses", account.clauses.size()},
          {"file",
           {{"total", counts.checkable},
            {"rule", counts.rule},
            {"valid", counts.valid},
            {"broken", counts.broken},
            {"kill", counts.kill}}},
          {"accept", {{"total", counts.accept.total}, {"fixture", counts.accept.covered}}},
          {"aliased", {{"total", counts.aliased.total}, {"fixture", counts.aliased.covered}}},
          {"producer", {{"total", counts.producer}}},
          {"consumer", {{"total", counts.consumer}}},
          {"missing", missing(account)},
          {"disagreements", account.disagreements},
          {"by_clause", std::move(by_clause)}};
}

}  // namespace hepcheck::conformance
