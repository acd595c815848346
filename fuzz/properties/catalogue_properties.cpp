// A catalogue with one error: the message names the entry and the error. And the clauses that words
// of the command line select from a valid one.
#include <algorithm>
#include <format>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/properties/random_values.h"
#include "validator/catalogue/ambiguity.h"
#include "validator/catalogue/clause.h"
#include "validator/catalogue/parse.h"
#include "validator/catalogue/selection.h"

namespace hepcheck {

namespace {

using namespace hepcheck::fuzz;

// --- Entries ------------------------------------------------------------------------------------

struct Key {
  std::string name{};
  std::string value{};  // as TOML
  bool required = true;
};

struct Entry {
  std::string header{};
  std::string label{};  // as messages name it
  std::vector<Key> keys{};

  std::string text() const {
    std::string all = header + '\n';
    for (const Key& each : keys)
      if (!each.value.empty()) all += std::format("{} = {}\n", each.name, each.value);
    return all;
  }
};

std::vector<Entry> entries() {
  const auto clause = [](const char* id, const char* level, const char* more) {
    return Entry{"[[clause]]",
                 std::format("clause \"{}\"", id),
                 {{"id", std::format("\"{}\"", id)},
                  {"section", "\"1.2\""},
                  {"level", std::format("\"{}\"", level)},
                  {"subject", "\"file\""},
                  {"object", "\"o\""},
                  {"basis", "\"definition\""},
                  {"statement", "\"s\""},
                  {"check", "\"c\""},
                  {"default_severity", "\"error\""},
                  {"notes", "\"n\"", false},
                  {"valid_case", "\"v\"", false},
                  {"also_in", "[\"2\"]", false},
                  {"broken_cases", "[\"b\", \"c\"]", false},
                  {"emitted_as", more, false}}};
  };
  return {{"[specification]",
           "[specification]",
           {{"format", "\"f\""},
            {"id", "\"f-1\""},
            {"title", "\"t\""},
            {"revision", "\"1\""},
            {"url", "\"u\""},
            {"default", "true", false}}},
          {"[[chapter]]", "[[chapter]]", {{"number", "\"1\""}, {"title", "\"one\""}}},
          clause("first", "MUST", "[]"),
          clause("second", "SHOULD NOT", "[\"first\"]"),
          {"[[ambiguity]]",
           "ambiguity \"open\"",
           {{"id", "\"open\""},
            {"section", "\"1\""},
            {"question", "\"q\""},
            {"reading", "\"r\""},
            {"alternative", "\"a\""},
            {"why", "\"w\""},
            {"effect", "\"e\""},
            {"clauses", "[\"second\"]", false},
            {"basis", "\"definition\"", false}}}};
}

std::string complaint(const std::vector<Entry>& all) {
  std::string text;
  for (const Entry& each : all) text += each.text();
  const Result<ParsedSpecification> spec = parse_catalogue(text);
  return spec ? "" : spec.error().text();
}

bool is_list(const Key& key) { return key.value.starts_with('['); }

TEST(Catalogues, AreReadAsWritten) {
  std::string text;
  for (const Entry& each : entries()) text += each.text();
  const Result<ParsedSpecification> spec = parse_catalogue(text);
  ASSERT_TRUE(spec) << spec.error().text();
  EXPECT_EQ(spec->format + spec->id + spec->title + spec->revision + spec->url, "ff-1t1u");
  EXPECT_TRUE(spec->is_default);
  ASSERT_EQ(spec->chapters.size(), 1u);
  EXPECT_EQ(spec->chapters[0].number + spec->chapters[0].title, "1one");
  ASSERT_EQ(spec->clauses.size(), 2u);
  const ParsedClause& clause = spec->clauses[1];
  EXPECT_EQ(clause.id, "second");
  EXPECT_EQ(clause.section, "1.2");
  EXPECT_EQ(clause.level, Level::kShouldNot);
  EXPECT_EQ(clause.subject, Subject::kFile);
  EXPECT_EQ(clause.default_severity, Severity::kError);
  EXPECT_EQ(clause.object + clause.basis + clause.statement + clause.check, "odefinitionsc");
  EXPECT_EQ(clause.notes + clause.valid_case, "nv");
  EXPECT_EQ(clause.also_in, std::vector<std::string>{"2"});
  EXPECT_EQ(clause.broken_cases, (std::vector<std::string>{"b", "c"}));
  EXPECT_EQ(clause.emitted_as, std::vector<std::string>{"first"});
  ASSERT_EQ(spec->ambiguities.size(), 1u);
  const ParsedAmbiguity& open = spec->ambiguities[0];
  EXPECT_EQ(open.id + open.section + open.question + open.reading + open.alternative + open.why +
                open.effect,
            "open1qrawe");
  // With the members that its basis requires.
  EXPECT_EQ(open.clauses, (std::vector<std::string>{"second", "first"}));
}

TEST(Catalogues, HaveExactlyTheRequiredKeys) {
  ASSERT_EQ(complaint(entries()), "");
  for (std::size_t e = 0; e < entries().size(); ++e) {
    for (std::size_t k = 0; k < entries()[e].keys.size(); ++k) {
      std::vector<Entry> all = entries();
      Key& key = all[e].keys[k];
      const Key was = key;
      key.value.clear();
      std::string reported = complaint(all);
      if (was.required) {
        EXPECT_TRUE(reported.contains(was.name + " is missing")) << reported;
        EXPECT_TRUE(reported.starts_with(all[e].label + ": ") || was.name == "id") << reported;
      } else {
        EXPECT_EQ(reported, "") << was.name;
      }
      key.value = "7";
      reported = complaint(all);
      const char* const kind = is_list(was)          ? " is not an array"
                               : was.value == "true" ? " is not a boolean"
                                                     : " is not a string";
      EXPECT_TRUE(reported.contains(was.name + kind)) << reported;
      if (!is_list(was)) continue;
      key.value = "[\"first\", 7]";
      EXPECT_TRUE(complaint(all).contains(was.name + " contains a value that is not a string"));
    }
    std::vector<Entry> all = entries();
    all[e].keys.push_back({"another", "\"x\""});
    EXPECT_EQ(complaint(all), all[e].label + ": unknown key another");
  }
}

// If there are two errors, the first is reported.
TEST(Catalogues, ReportTheFirstError) {
  std::vector<Entry> all = entries();
  all[2].keys[1].value = all[2].keys[4].value = "7";
  EXPECT_EQ(complaint(all), "clause \"first\": section is not a string");
}

TEST(Catalogues, HaveKnownWords) {
  const auto with = [](std::size_t key, const std::string& word) {
    std::vector<Entry> all = entries();
    all[3].keys[key].value = '"' + word + '"';
    return complaint(all);
  };
  for (const char* level : {"MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY"})
    EXPECT_EQ(with(2, level), "") << level;
  for (const char* subject : {"file", "producer", "consumer"})
    EXPECT_EQ(with(3, subject), "") << subject;
  for (const char* severity : {"none", "info", "warning", "error"})
    EXPECT_EQ(with(8, severity), "") << severity;
  EXPECT_EQ(with(2, "must"), "clause \"second\": level is \"must\"");
  EXPECT_EQ(with(3, "File"), "clause \"second\": subject is \"File\"");
  EXPECT_EQ(with(8, ""), "clause \"second\": default_severity is \"\"");
}

TEST(Catalogues, HaveIdsOfLowercaseLettersAndDigits) {
  const auto with = [](std::size_t entry, const std::string& id) {
    std::vector<Entry> all = entries();
    all[entry].keys[0].value = '"' + id + '"';
    all[4].keys[7].value = "[\"first\"]";
    return complaint(all);
  };
  for (const std::size_t entry : {3u, 4u}) {
    for (const char* id : {"a", "z", "0", "9", "a-b", "az-09"})
      EXPECT_EQ(with(entry, id), "") << id;
    for (const char* id : {"", "-", "-a", "a-", "A", "a_b", "a b", "a.b", "a{", "a`", "a/", "a:"})
      EXPECT_TRUE(with(entry, id).ends_with("the id is not in kebab case")) << id;
  }
}

TEST(Catalogues, NameExistingClauses) {
  const auto with = [](std::size_t entry, std::size_t key, const std::string& value) {
    std::vector<Entry> all = entries();
    all[entry].keys[key].value = value;
    return complaint(all);
  };
  EXPECT_EQ(with(3, 0, "\"first\""), "clause \"first\": the id occurs twice");
  EXPECT_EQ(with(4, 0, "\"first\""), "ambiguity \"first\": the id occurs twice");
  EXPECT_EQ(with(2, 13, "[\"third\"]"), "clause \"first\": emitted_as names no clause: third");
  EXPECT_EQ(with(4, 7, "[\"second\", \"third\"]"),
            "ambiguity \"open\": clauses names no clause: third");
  std::vector<Entry> all = entries();
  all[4].keys[7].value.clear();
  EXPECT_EQ(complaint(all), "");  // the meaning of its basis
  all[4].keys[8].value = "\"keyword\"";
  EXPECT_EQ(complaint(all), "ambiguity \"open\": no clause depends on it");
  for (const auto& [key, value] : {std::pair(2, "\"MAY\""), {3, "\"producer\""}}) {
    all = entries();
    all[4].keys[7].value.clear();
    all[2].keys[static_cast<std::size_t>(key)].value = value;
    EXPECT_EQ(complaint(all), "ambiguity \"open\": no clause depends on it") << value;
  }
}

TEST(Catalogues, HaveAHeadAndClauses) {
  const std::vector<Entry> all = entries();
  const auto complaint_of = [](const std::string& text) {
    const Result<ParsedSpecification> spec = parse_catalogue(text);
    return spec ? std::string() : spec.error().text();
  };
  EXPECT_EQ(complaint_of(""), "catalogue: no [specification] table");
  EXPECT_EQ(complaint_of("specification = 3"), "catalogue: no [specification] table");
  EXPECT_EQ(complaint_of(all[0].text()), "catalogue: no [[clause]] entries");
  EXPECT_EQ(complaint_of("clause = 3\n" + all[0].text()), "catalogue: no [[clause]] entries");
  EXPECT_EQ(complaint_of("clause = [3]\n" + all[0].text()),
            "catalogue: a [[clause]] entry is not a table");
  EXPECT_EQ(complaint_of("chapter = [3]\n" + all[0].text() + all[2].text()),
            "catalogue: a [[chapter]] entry is not a table");
  EXPECT_EQ(complaint_of("ambiguity = [3]\n" + all[0].text() + all[2].text()),
            "catalogue: an [[ambiguity]] entry is not a table");
  EXPECT_TRUE(complaint_of("\n  ]").starts_with("line 2, column 3: "));
  EXPECT_EQ(complaint_of(all[0].text() + all[2].text()), "");
}

// --- Sections and texts --------------------------------------------------------------------------

TEST(Selections, ContainASectionAndItsSubsections) {
  Clause clause{};
  clause.id = "a-clause-of";
  clause.section = "10.4";
  for (const char* section : {"10", "10.4"}) EXPECT_TRUE(is_of_section(clause, section)) << section;
  for (const char* section : {"1", "10.", "10.4.1", "10.5", "4", "0.4"})
    EXPECT_FALSE(is_of_section(clause, section)) << section;
  for (const char* word : {"a-clause-of", "10", "10.4", "a-*", "*-of", "*clause*"})
    EXPECT_TRUE(names(word, clause)) << word;
  for (const char* word : {"a-clause", "clause-of", "1", "b-*", "10.*"})
    EXPECT_FALSE(names(word, clause)) << word;
}

// Each is found by its name, and by no other.
TEST(Specifications, AreFoundByName) {
  for (const Specification& spec : all_specifications()) {
    EXPECT_EQ(find_specification(spec.id), &spec);
    EXPECT_EQ(find_specification(std::string(spec.id) + "x"), nullptr);
    EXPECT_EQ(&default_revision(spec.format) == &spec, spec.is_default) << spec.id;
    for (const Clause& clause : spec.clauses) {
      EXPECT_EQ(spec.find(clause.id), &clause);
      EXPECT_EQ(clause.mandatory(),
                clause.level == Level::kMust || clause.level == Level::kMustNot);
      EXPECT_EQ(clause.file_checkable(), clause.subject == Subject::kFile &&
                                             clause.level != Level::kMay &&
                                             clause.emitted_as.empty());
    }
    EXPECT_EQ(spec.find("no-such-clause"), nullptr);
    for (const Ambiguity& each : ambiguities(spec)) {
      EXPECT_EQ(find_ambiguity(spec, each.id), &each);
      for (const std::string_view id : each.clauses) EXPECT_TRUE(each.concerns(id)) << id;
      EXPECT_FALSE(each.concerns("no-such-clause"));
    }
    EXPECT_EQ(find_ambiguity(spec, "no-such-one"), nullptr);
  }
  EXPECT_EQ(find_specification(""), nullptr);
}

}  // namespace

}  // namespace hepcheck
