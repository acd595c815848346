// hepcheck clauses ambiguities: where the text is ambiguous, and the interpretation of this
// program.
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>
#include <print>
#include <vector>

#include "cli/coverage.h"
#include "conformance/corpus.h"
#include "validator/catalogue/ambiguity.h"

namespace hepcheck::cli {

namespace {

std::vector<std::string_view> marked_fixtures(const Specification& spec,
                                              const Ambiguity& ambiguity) {
  std::vector<std::string_view> files;
  for (const conformance::Fixture& fixture : conformance::corpus_of(spec))
    if (fixture.ambiguity == ambiguity.id) files.push_back(fixture.file);
  return files;
}

// One line each; only the beginning of a long list.
void print_list(const char* title, std::span<const std::string_view> items) {
  constexpr std::size_t kShown = 12;
  if (items.empty()) return std::println("  {:<12} none", title);
  for (std::size_t i = 0; i < std::min(items.size(), kShown); ++i)
    std::println("  {:<12} {}", i == 0 ? title : "", items[i]);
  if (items.size() > kShown)
    std::println("  {:<12} and {} more; --format json lists all", "", items.size() - kShown);
}

void print_text(const Specification& spec) {
  std::println("{} ambiguities of {}", ambiguities(spec).size(), spec.id);
  for (const Ambiguity& each : ambiguities(spec)) {
    std::println("\n{} (section {})", each.id, each.section);
    for (const auto& [title, text] : {std::pair{"Question", each.question},
                                      {"Reading", each.reading},
                                      {"Alternative", each.alternative},
                                      {"Why", each.why},
                                      {"Effect", each.effect}})
      std::println("  {:<12} {}", title, text);
    print_list("Clauses", each.clauses);
    print_list("Fixtures", marked_fixtures(spec, each));
  }
}

void print_json(const Specification& spec) {
  nlohmann::ordered_json entries = nlohmann::ordered_json::array();
  for (const Ambiguity& each : ambiguities(spec))
    entries.push_back({{"id", each.id},
                       {"section", each.section},
                       {"question", each.question},
                       {"reading", each.reading},
                       {"alternative", each.alternative},
                       {"why", each.why},
                       {"effect", each.effect},
                       {"clauses", std::vector(each.clauses.begin(), each.clauses.end())},
                       {"fixtures", marked_fixtures(spec, each)}});
  const nlohmann::ordered_json json{{"spec", spec.id}, {"ambiguities", std::move(entries)}};
  std::cout << json.dump(1) << '\n';
}

}  // namespace

int print_ambiguities(const Specification& spec, bool json) {
  if (json)
    print_json(spec);
  else
    print_text(spec);
  return 0;
}

}  // namespace hepcheck::cli
