// A catalogue that follows another one expands to its complete text.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <format>
#include <iterator>
#include <string>
#include <vector>

#include "validator/catalogue/parse.h"
#include "validator/fnv1a.h"
#include "validator/testing/golden_files.h"
#include "validator/testing/random.h"

namespace hepcheck {

namespace {

std::string head(const std::string& id, const std::string& rest = "") {
  return "[specification]\nformat = \"f\"\nid = \"" + id +
         "\"\ntitle = \"t\"\nrevision = \"r\"\nurl = \"u\"\n" + rest;
}

std::string chapters() {
  std::string text;
  for (const char* number : {"2", "2.10", "Schema.fbs", "3"})
    text += "[[chapter]]\nnumber = \"" + std::string(number) + "\"\ntitle = \"c\"\n";
  return text;
}

std::string clause(const std::string& id, const std::string& section, const std::string& rest = "",
                   const std::string& severity = "error") {
  return "[[clause]]\nid = \"" + id + "\"\nsection = \"" + section +
         "\"\nlevel = \"MUST\"\nsubject = \"file\"\nobject = \"o\"\nbasis = \"keyword\"\n"
         "statement = \"s\"\ncheck = \"c\"\ndefault_severity = \"" +
         severity + "\"\n" + rest;
}

std::string ambiguity(const std::string& id, const std::string& section, const std::string& clauses,
                      const std::string& reading = "a") {
  return "[[ambiguity]]\nid = \"" + id + "\"\nsection = \"" + section +
         "\"\nquestion = \"?\"\nreading = \"" + reading +
         "\"\nalternative = \"b\"\nwhy = \"c\"\neffect = \"d\"\nclauses = " + clauses + "\n";
}

std::string base() {
  return head("one", "default = true\n") + chapters() +
         clause("alpha", "1", "also_in = [\"1.2\", \"9\"]\nnotes = \"n\"\nmd_lines = [\"1-2\"]\n") +
         clause("beta", "1.2") + clause("gamma", "1.2") + clause("delta", "Schema.fbs") +
         ambiguity("open", "1.2", "[\"beta\", \"gamma\"]") +
         ambiguity("settled", "1", "[\"gamma\"]");
}

std::string difference(const std::string& rest, const std::string& before = "") {
  return before + head("two", "follows = \"one\"\n") + rest;
}

std::string flat(const ParsedSpecification& spec) {
  std::string out = spec.format + "|" + spec.title + "|" + spec.revision + "|" + spec.url;
  for (const ParsedChapter& each : spec.chapters) out += "\n# " + each.number + " " + each.title;
  const auto list = [&](const std::vector<std::string>& items) {
    for (const std::string& item : items) out += "," + item;
    out += "|";
  };
  for (const ParsedClause& each : spec.clauses) {
    out += "\n" + each.id + "|" + each.section + "|" + each.object + "|" + each.basis + "|" +
           each.statement + "|" + each.check + "|" + each.valid_case + "|" + each.notes + "|" +
           std::to_string(static_cast<int>(each.level)) +
           std::to_string(static_cast<int>(each.subject)) +
           std::to_string(static_cast<int>(each.default_severity));
    list(each.broken_cases);
    list(each.emitted_as);
    list(each.also_in);
  }
  for (const ParsedAmbiguity& each : spec.ambiguities) {
    out += "\n? " + each.id + "|" + each.section + "|" + each.question + "|" + each.reading + "|" +
           each.alternative + "|" + each.why + "|" + each.effect + "|";
    list(each.clauses);
  }
  return out;
}

std::string complaint(std::vector<std::string> texts) {
  const auto specs = parse_catalogues(texts);
  return specs ? "" : std::to_string(specs.error().index) + " " + specs.error().error.text();
}

TEST(Difference, ExpandsToTheWholeText) {
  const std::string two =
      difference("[renumbered]\n\"1\" = \"2\"\n\"1.2\" = \"2.10\"\n[sections]\nbeta = \"3\"\n" +
                     clause("epsilon", "2.9") + clause("zeta", "Schema.fbs") +
                     "[[clause]]\nid = \"alpha\"\nnotes = \"\"\ndefault_severity = \"info\"\n" +
                     "[[ambiguity]]\nid = \"open\"\nreading = \"x\"\n" +
                     ambiguity("new", "2.1", "[\"epsilon\"]"),
                 "dropped = [\"gamma\"]\n");
  const std::string whole =
      head("two") + chapters() + clause("alpha", "2", "also_in = [\"2.10\", \"9\"]\n", "info") +
      clause("epsilon", "2.9") + clause("delta", "Schema.fbs") + clause("zeta", "Schema.fbs") +
      clause("beta", "3") + ambiguity("new", "2.1", "[\"epsilon\"]") +
      ambiguity("open", "2.10", "[\"beta\"]", "x");
  for (const std::vector<std::string>& texts :
       {std::vector{base(), two}, std::vector{two, base()}}) {
    const auto specs = parse_catalogues(texts);
    ASSERT_TRUE(specs) << specs.error().error.text();
    const ParsedSpecification& expanded = (*specs)[(*specs)[0].id == "two" ? 0 : 1];
    const auto expected = parse_catalogue(whole);
    ASSERT_TRUE(expected) << expected.error().text();
    EXPECT_EQ(flat(expanded), flat(*expected));
    EXPECT_FALSE(expanded.is_default);  // the head is not inherited
  }
}

TEST(Difference, FollowsADifference) {
  const std::string three =
      head("three", "follows = \"two\"\n") + "[[clause]]\nid = \"alpha\"\nstatement = \"new\"\n";
  const std::string two = difference("[[clause]]\nid = \"alpha\"\ncheck = \"other\"\n");
  const std::vector<std::string> texts{three, base(), two};
  const auto specs = parse_catalogues(texts);
  ASSERT_TRUE(specs) << specs.error().error.text();
  EXPECT_EQ((*specs)[0].clauses[0].statement, "new");
  EXPECT_EQ((*specs)[0].clauses[0].check, "other");
  EXPECT_EQ((*specs)[1].clauses[0].statement, "s");
  EXPECT_EQ((*specs)[0].chapters.size(), 4U);  // inherited, since none is given
}

// An ambiguity that depended on dropped clauses only, and depends on others now.
TEST(Difference, ChangesTheClausesOfAnAmbiguity) {
  const std::string entry = "[[ambiguity]]\nid = \"settled\"\nclauses = [\"beta\"]\n";
  const std::vector<std::string> texts{base(), difference(entry, "dropped = [\"gamma\"]\n")};
  const auto specs = parse_catalogues(texts);
  ASSERT_TRUE(specs) << specs.error().error.text();
  const std::vector<ParsedAmbiguity>& all = (*specs)[1].ambiguities;
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].id, "settled");
  EXPECT_EQ(all[0].reading, "a");
  EXPECT_EQ(all[0].clauses, std::vector<std::string>{"beta"});
  EXPECT_EQ(all[1].clauses, std::vector<std::string>{"beta"});
}

TEST(Difference, RejectsInvalidInput) {
  const auto with = [](const std::string& rest, const std::string& before = "") {
    return complaint({base(), difference(rest, before)});
  };
  EXPECT_EQ(with(clause("new", "2")), "");
  EXPECT_EQ(complaint({difference("")}), "0 [specification]: follows names no catalogue: one");
  EXPECT_EQ(complaint({head("one", "follows = \"two\"\n"), difference("")}),
            "0 [specification]: follows leads back to one");
  EXPECT_EQ(complaint({head("one", "follows = \"one\"\n")}),
            "0 [specification]: follows leads back to one");
  std::string other = base();
  other.replace(other.find("\"f\""), 3, "\"g\"");
  EXPECT_EQ(complaint({other, difference("")}),
            "1 [specification]: follows names a catalogue of another format: one");
  EXPECT_EQ(with("", "dropped = [\"no-such\"]\n"),
            "1 catalogue: dropped names no-such, which the base does not have");
  EXPECT_EQ(with("", "dropped = [\"beta\", \"beta\"]\n"), "1 catalogue: dropped names beta twice");
  EXPECT_EQ(with("", "dropped = 3\n"), "1 catalogue: dropped is not an array");
  EXPECT_EQ(with("", "dropped = [3]\n"),
            "1 catalogue: dropped contains a value that is not a string");
  EXPECT_EQ(with(clause("beta", "1.2"), "dropped = [\"beta\"]\n"),
            "1 clause \"beta\": it is both dropped and given");
  EXPECT_EQ(with("[[clause]]\nid = \"beta\"\n"), "1 clause \"beta\": the entry changes nothing");
  EXPECT_EQ(with("[[clause]]\nid = \"beta\"\ncheck = \"c\"\n"),
            "1 clause \"beta\": check is the same in the base");
  EXPECT_EQ(with("[[clause]]\nid = \"alpha\"\nalso_in = [\"1.2\", \"9\"]\n"),
            "1 clause \"alpha\": also_in is the same in the base");
  EXPECT_EQ(with(clause("new", "2") + clause("new", "2")), "1 clause \"new\": the id occurs twice");
  EXPECT_EQ(with("[[clause]]\nid = \"new\"\ncheck = \"x\"\n"),
            "1 clause \"new\": section is missing");
  EXPECT_EQ(with("[[ambiguity]]\nid = \"open\"\nreading = \"a\"\n"),
            "1 ambiguity \"open\": reading is the same in the base");
  EXPECT_EQ(with("[sections]\nno-such = \"3\"\n"),
            "1 catalogue: sections names no-such, which is not inherited");
  EXPECT_EQ(with("[sections]\nbeta = \"1.2\"\n"), "1 catalogue: sections does not change beta");
  EXPECT_EQ(with("[renumbered]\n\"7\" = \"8\"\n"),
            "1 catalogue: renumbered names section 7, which no inherited entry has");
  EXPECT_EQ(with("[renumbered]\n\"1\" = 8\n"),
            "1 catalogue: renumbered contains a value that is not a string");
  EXPECT_EQ(with("", "sections = 3\n"), "1 catalogue: sections is not a table");
  // The first of several is reported.
  EXPECT_EQ(with("", "renumbered = 3\nsections = 3\ndropped = [3, \"no-such\"]\n"),
            "1 catalogue: dropped contains a value that is not a string");
  EXPECT_EQ(with("", "renumbered = 3\nsections = 3\n"), "1 catalogue: renumbered is not a table");
  EXPECT_EQ(with("", "clause = 3\n"), "1 catalogue: clause is not an array");
  EXPECT_EQ(with("", "clause = [3]\n"), "1 catalogue: an entry of clause is not a table");
}

std::vector<std::string> three_catalogues() {
  const std::string two =
      difference("[renumbered]\n\"1\" = \"2\"\n\"1.2\" = \"2.10\"\n[sections]\nbeta = \"3\"\n" +
                     clause("epsilon", "2.9", "emitted_as = [\"zeta\"]\n") +
                     clause("zeta", "Schema.fbs", "broken_cases = [\"z\"]\nvalid_case = \"v\"\n") +
                     "[[clause]]\nid = \"alpha\"\nnotes = \"\"\ndefault_severity = \"info\"\n" +
                     "[[ambiguity]]\nid = \"open\"\nreading = \"x\"\n" +
                     ambiguity("new", "2.1", "[\"epsilon\"]"),
                 "dropped = [\"gamma\"]\n");
  const std::string three =
      "dropped = [\"epsilon\", \"new\"]\n" + head("three", "follows = \"two\"\n") +
      "[renumbered]\n\"2.10\" = \"2.11\"\n" + chapters() + clause("last", "Schema.fbs.2") +
      ambiguity("settled", "2.1.1", "[\"last\"]") + "basis = \"keyword\"\n";
  return {base(), two, three};
}

// What is said of the catalogues, or a digest of what they contain.
std::string outcome(const std::vector<std::string>& texts) {
  const auto specs = parse_catalogues(texts);
  if (!specs) {
    // The words of the library may change.
    const bool parsed = !specs.error().error.context.starts_with("line ");
    return parsed ? complaint(texts) : "no TOML";
  }
  std::string parsed;
  for (const ParsedSpecification& each : *specs) parsed += flat(each) + '\n';
  return std::format("{:016x}", fnv1a(parsed));
}

// Lines of three catalogues that follow each other, each of them left out, twice, or with another
// value.
TEST(Difference, EditedLines) {
  const std::vector<std::string> whole = three_catalogues();
  std::string all;
  const auto add = [&](std::vector<std::string> texts, std::size_t at, const std::string& text,
                       const std::string& what) {
    texts[at] = text;
    all += what + ": " + outcome(texts) + '\n';
  };
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (std::size_t begin = 0; begin < whole[i].size();) {
      const std::size_t end = whole[i].find('\n', begin) + 1;
      const std::string line = whole[i].substr(begin, end - begin);
      const std::string before = whole[i].substr(0, begin), after = whole[i].substr(end);
      const std::string where = std::format("{} {}", i, line.substr(0, line.size() - 1));
      add(whole, i, before + after, where + " left out");
      add(whole, i, before + line + line + after, where + " twice");
      if (const std::size_t sign = line.find("= "); sign != std::string::npos)
        for (const char* value : {"7", "\"beta\"", "\"1.2\"", "[\"alpha\"]", "[\"x\", \"gamma\"]"})
          add(whole, i, before + line.substr(0, sign + 2) + value + '\n' + after,
              where + " -> " + value);
      begin = end;
    }
  EXPECT_TRUE(golden::equals(all, "validator/catalogue/golden/edited_lines.txt"));
}

// Two to four lines that are edited: the first mistake is reported.
TEST(Difference, SeveralEditedLines) {
  constexpr std::uint64_t kSets = 20, kCatalogues = 100;
  std::vector<std::vector<std::string>> lines;
  for (const std::string& text : three_catalogues()) {
    std::vector<std::string>& of_text = lines.emplace_back();
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin) + 1;
      of_text.push_back(text.substr(begin, end - begin));
      begin = end;
    }
  }
  // Entries of a difference that is otherwise right, each of which is a mistake.
  constexpr const char* kBefore[] = {"renumbered = 3\n", "sections = 3\n", "dropped = 3\n",
                                     "dropped = [\"no-such\", \"beta\", \"beta\"]\n",
                                     "dropped = [3, \"gamma\"]\n"};
  constexpr const char* kTables[] = {
      "[sections]\nno-such = \"3\"\nother = \"4\"\n", "[sections]\nbeta = \"1.2\"\nalpha = 3\n",
      "[renumbered]\n\"7\" = \"8\"\n\"6\" = \"8\"\n", "[renumbered]\n\"1\" = 8\n\"7\" = \"8\"\n"};
  std::string text;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    std::string all;
    for (std::uint64_t i = 0; i < kCatalogues; ++i) {
      Random random(set * kCatalogues + i);
      std::vector<std::vector<std::string>> edited = lines;
      if (random.once_in(2)) {
        for (std::uint64_t n = 2 + random.below(3); n > 0; --n) {
          std::vector<std::string>& of_text = edited[random.below(edited.size())];
          const std::size_t at = random.below(of_text.size());
          std::string& line = of_text[at];
          constexpr const char* kValues[] = {"7", "\"beta\"", "\"1.2\"", "[\"alpha\"]",
                                             "[\"x\", \"gamma\"]"};
          const std::size_t sign = line.find("= ");
          if (sign == std::string::npos || random.once_in(4))
            line = random.once_in(2) ? "" : line + line;
          else
            line = line.substr(0, sign + 2) + random.one_of(kValues) + '\n';
        }
      } else {
        std::string before, tables;
        const std::uint64_t first = random.below(std::size(kBefore));
        if (random.once_in(2)) before = kBefore[first];
        if (!before.starts_with("sections")) tables += kTables[random.below(2)];
        if (!before.starts_with("renumbered")) tables += kTables[2 + random.below(2)];
        edited[1] = {difference(tables, before)};
        edited[2] = {head("three", "follows = \"two\"\n")};
      }
      std::vector<std::string> texts;
      for (const std::vector<std::string>& of_text : edited) {
        std::string& whole = texts.emplace_back();
        for (const std::string& line : of_text) whole += line;
      }
      all += outcome(texts) + '\n';
    }
    text += std::format("{}: {}\n", set, golden::digest_of(all));
  }
  EXPECT_TRUE(golden::equals(text, "validator/catalogue/golden/several_edited_lines.txt"));
}

// A complete catalogue has no entries to drop or to move.
TEST(Difference, NeedsABase) {
  for (const char* key :
       {"dropped = [\"beta\"]\n", "sections = {beta = \"3\"}\n", "renumbered = {\"1\" = \"2\"}\n"})
    EXPECT_TRUE(complaint({key + base()}).ends_with(" needs a catalogue that is followed")) << key;
}

}  // namespace

}  // namespace hepcheck
