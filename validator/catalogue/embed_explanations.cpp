// Build step: converts the texts in conformance/explain/ to C++, one entry for each clause.
//
//   embed_explanations SOURCE EXPLAIN_DIRECTORY PENDING_DIRECTORY CATALOGUE.toml...
//
// EXPLAIN_DIRECTORY/FORMAT/ contains the texts and the examples for all revisions of a format.
// PENDING_DIRECTORY/SPECIFICATION.txt lists the clauses that are not finished; they may lack a
// text.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <toml++/toml.hpp>
#include <vector>

#include "validator/catalogue/parse.h"
#include "validator/read_whole.h"
#include "validator/wildcard.h"

namespace {

std::string text_of(const toml::table& table, const char* key) {
  return table[key].value_or<std::string>("");
}

toml::array& tables(toml::table& document, const char* key) {
  toml::array* array = document[key].as_array();
  if (!array || !array->is_array_of_tables())
    throw std::runtime_error(std::string("no [[") + key + "]]");
  return *array;
}

// The reason why each clause matters, by its id. Clauses share a text only if [[same]] declares
// them equivalent.
std::map<std::string, std::string> whys(toml::table& words, const std::set<std::string>& ids,
                                        const std::set<std::string>& pending) {
  std::map<std::string, std::string> by_id, by_text;
  const auto add = [&](const std::string& id, const std::string& text) {
    if (!ids.contains(id)) throw std::runtime_error("words for an unknown clause: " + id);
    if (text.empty() || !by_id.emplace(id, text).second)
      throw std::runtime_error("no words, or twice: " + id);
  };
  const auto claim = [&](const std::string& id, const std::string& text) {
    const auto [other, fresh] = by_text.emplace(text, id);
    if (!fresh) throw std::runtime_error("the same words for " + id + " and " + other->second);
  };
  for (const auto& [id, text] : *words["why"].as_table()) {
    add(std::string(id), text.value_or<std::string>(""));
    claim(std::string(id), text.value_or<std::string>(""));
  }
  if (words.contains("same"))
    for (const toml::node& each : tables(words, "same")) {
      const std::string text = text_of(*each.as_table(), "why");
      claim(text_of(*each.as_table(), "demand"), text);
      for (const toml::node& id : *(*each.as_table())["clauses"].as_array())
        add(id.value_or<std::string>(""), text);
    }
  for (const std::string& id : ids)
    if (!by_id.contains(id) && !pending.contains(id))
      throw std::runtime_error("no words for " + id);
  return by_id;
}

// The clauses of a specification that are not finished.
void add_pending(const std::filesystem::path& list, std::set<std::string>& into) {
  std::ifstream in(list);
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#') into.insert(line);
}

// The description of a fix: the first entry with a matching pattern.
const toml::table* fix_of(toml::table& words, const std::string& id) {
  if (!words.contains("fix")) return nullptr;
  for (const toml::node& each : tables(words, "fix"))
    for (const toml::node& pattern : *(*each.as_table())["clauses"].as_array())
      if (hepcheck::fits(id, pattern.value_or<std::string>(""))) return each.as_table();
  return nullptr;
}

// One literal per line. The suffix saves the compiler from counting the characters, for which clang
// has a limit.
std::string literal(const std::string& text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (c == '\n')
      out += i + 1 < text.size() ? "\\n\"\n    \"" : "\\n";
    else
      out += c;
  }
  return out + "\"sv";
}

using Entries = std::map<std::string, std::string>;  // C++ by id

// Adds the explanations of the clauses of one format, in all revisions.
void explain(const std::set<std::string>& ids, const std::set<std::string>& pending,
             const std::filesystem::path& folder, Entries& into) {
  toml::table words = toml::parse_file((folder / "words.toml").string());
  toml::table made = toml::parse_file((folder / "examples.toml").string());
  std::map<std::string, const toml::table*> example_of;
  for (const toml::node& each : tables(made, "example"))
    example_of[text_of(*each.as_table(), "clause")] = each.as_table();
  for (const auto& [id, why] : whys(words, ids, pending)) {
    const toml::table* const fix = fix_of(words, id);
    std::string entry = "{" + literal(id) + ", " + literal(why) + ",\n    " +
                        literal(fix ? text_of(*fix, "text") : "");
    const auto example = example_of.find(id);
    for (const char* key :
         {"fixture", "shows", "bad", "good", "hepcheck", "effects", "python", "c"}) {
      std::string text = example == example_of.end() ? "" : text_of(*example->second, key);
      if (text.empty() && fix) text = text_of(*fix, key);
      entry += ",\n    " + literal(text);
    }
    into[id] = entry + "},\n";
    if (example != example_of.end()) example_of.erase(example);
  }
  if (!example_of.empty())
    throw std::runtime_error("an example of an unknown clause: " + example_of.begin()->first);
}

void embed(const char* to, const std::filesystem::path& folder,
           const std::filesystem::path& pending_folder, std::span<const char* const> catalogues) {
  std::map<std::string, std::set<std::string>> ids;  // by format
  std::set<std::string> pending;
  std::vector<std::string> texts;
  for (const char* path : catalogues) texts.push_back(hepcheck::read_whole(path).value_or(""));
  const auto specs = hepcheck::parse_catalogues(texts);
  if (!specs)
    throw std::runtime_error(catalogues[specs.error().index] + (": " + specs.error().error.text()));
  for (const hepcheck::ParsedSpecification& spec : *specs) {
    add_pending(pending_folder / (spec.id + ".txt"), pending);
    for (const hepcheck::ParsedClause& clause : spec.clauses) ids[spec.format].insert(clause.id);
  }
  Entries sorted;
  // A format under development may have no texts yet.
  for (const auto& [format, of_format] : ids)
    if (std::filesystem::exists(folder / format))
      explain(of_format, pending, folder / format, sorted);

  std::ofstream out(to);
  out << "#include \"validator/catalogue/explanation.h\"\n\n#include <algorithm>\n#include "
         "<iterator>"
         "\n\nnamespace hepcheck {\n\nnamespace {\nusing namespace std::string_view_literals;\n"
         "constexpr Explanation kAll[] = {\n";
  for (const auto& [id, entry] : sorted) out << entry;
  out << "};\n}  // namespace\n\n"
         "const Explanation* explanation(std::string_view clause) {\n"
         "  const auto it = std::ranges::lower_bound(kAll, clause, {}, &Explanation::clause);\n"
         "  return it != std::end(kAll) && it->clause == clause ? it : nullptr;\n}\n\n"
         "}  // namespace hepcheck\n";
  if (!out.flush()) throw std::runtime_error(std::string(to) + " cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return EXIT_FAILURE;
  try {
    embed(argv[1], argv[2], argv[3], std::span<const char* const>(argv + 4, argv + argc));
  } catch (const std::exception& error) {
    std::cerr << "embed_explanations: " << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
