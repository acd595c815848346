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
    if (ClauseAccount* clause = find(rule.clause)) clause->rule = true;

  for (const Fixture& fixture : corpus()) {
    if (fixture.spec != spec.id) continue;
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

nlohmann::ordered_json to_json(const Account& account) {
  using Json = nlohmann::ordered_json;
  const auto count = [&](auto&& predicate) {
    return std::ranges::count_if(account.clauses, predicate);
  };
  const auto checkable = [](const ClauseAccount& a) { return a.clause->file_checkable(); };
  const auto of_file = [&](auto&& also) {
    return count([&](const ClauseAccount& a) { return checkable(a) && also(a); });
  };
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
           {{"total", count(checkable)},
            {"rule", of_file([](const ClauseAccount& a) { return a.rule; })},
            {"valid", of_file([](const ClauseAccount& a) { return !a.valid.empty() && a.passes; })},
            {"broken", of_file([](const ClauseAccount& a) { return !a.broken.empty(); })},
            {"kill", of_file([](const ClauseAccount& a) { return a.kill; })}}},
          {"accept",
           {{"total", count([](const ClauseAccount& a) { return is_accept(*a.clause); })},
            {"fixture", count([](const ClauseAccount& a) {
               return is_accept(*a.clause) && !a.valid.empty();
             })}}},
          {"aliased",
           {{"total", count([](const ClauseAccount& a) { return is_aliased(*a.clause); })},
            {"fixture", count([](const ClauseAccount& a) {
               return is_aliased(*a.clause) && !a.broken.empty();
             })}}},
          {"producer", {{"total", count([](const ClauseAccount& a) {
                           return a.clause->subject == Subject::kProducer;
                         })}}},
          {"consumer", {{"total", count([](const ClauseAccount& a) {
                           return a.clause->subject == Subject::kConsumer;
                         })}}},
          {"missing", missing(account)},
          {"disagreements", account.disagreements},
          {"by_clause", std::move(by_clause)}};
}

}  // namespace hepcheck::conformance
