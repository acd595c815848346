// Build step: turns the catalogues into C++ tables, so that the program carries them and a
// rule for an id that no catalogue has does not compile.
//
//   embed_catalogue IDS_HEADER DATA_SOURCE CATALOGUE.toml...
#include <cstdio>
#include <fstream>
#include <iterator>
#include <print>
#include <set>
#include <sstream>

#include "validator/catalogue/parse.h"

namespace {

using hepcheck::ParsedAmbiguity;
using hepcheck::ParsedClause;
using hepcheck::ParsedSpecification;

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + '"';
}

std::string list_name(std::size_t spec, std::size_t entry, const char* what) {
  return "k" + std::string(what) + std::to_string(spec) + "_" + std::to_string(entry);
}

std::string list(std::ostream& out, std::string name, const std::vector<std::string>& items) {
  if (items.empty()) return "{}";
  out << "constexpr std::string_view " << name << "[] = {";
  for (const std::string& item : items) out << quoted(item) << ", ";
  out << "};\n";
  return name;
}

void write_ambiguities(std::ostream& out, std::size_t spec,
                       const std::vector<ParsedAmbiguity>& ambiguities) {
  if (ambiguities.empty()) return;
  std::ostringstream rows;
  for (std::size_t a = 0; a < ambiguities.size(); ++a) {
    const ParsedAmbiguity& each = ambiguities[a];
    const std::string clauses = list(out, list_name(spec, a, "Hanging"), each.clauses);
    rows << "    {";
    for (const std::string& text : {each.id, each.section, each.question, each.reading,
                                    each.alternative, each.why, each.effect})
      rows << quoted(text) << ",\n     ";
    rows << clauses << "},\n";
  }
  out << "constexpr Ambiguity kAmbiguities" << spec << "[] = {\n" << rows.str() << "};\n";
}

void write_data(std::ostream& out, const std::vector<ParsedSpecification>& specs) {
  out << "// Made from conformance/clauses by catalogue/embed.cpp; do not edit.\n"
         "#include \"validator/catalogue/ambiguity.h\"\n\n"
         "namespace hepcheck {\nnamespace {\n";
  for (std::size_t s = 0; s < specs.size(); ++s) {
    std::ostringstream rows;
    for (std::size_t c = 0; c < specs[s].clauses.size(); ++c) {
      const ParsedClause& clause = specs[s].clauses[c];
      const std::string broken = list(out, list_name(s, c, "Broken"), clause.broken_cases);
      const std::string emitted = list(out, list_name(s, c, "Emitted"), clause.emitted_as);
      const std::string also = list(out, list_name(s, c, "Also"), clause.also_in);
      rows << "    {" << quoted(clause.id) << ", " << quoted(clause.section) << ", Level("
           << static_cast<int>(clause.level) << "), Subject(" << static_cast<int>(clause.subject)
           << "), Severity(" << static_cast<int>(clause.default_severity) << "),\n     "
           << quoted(clause.object) << ", " << quoted(clause.basis) << ",\n     "
           << quoted(clause.statement) << ",\n     " << quoted(clause.check) << ",\n     "
           << quoted(clause.valid_case) << ", " << broken << ",\n     " << quoted(clause.notes)
           << ",\n     " << emitted << ", " << also << "},\n";
    }
    out << "constexpr Clause kClauses" << s << "[] = {\n" << rows.str() << "};\n";
    write_ambiguities(out, s, specs[s].ambiguities);
  }
  out << "constexpr Specification kSpecifications[] = {\n";
  for (std::size_t s = 0; s < specs.size(); ++s)
    out << "    {" << quoted(specs[s].id) << ", " << quoted(specs[s].title) << ", "
        << quoted(specs[s].revision) << ", " << quoted(specs[s].url) << ", kClauses" << s << "},\n";
  out << "};\n}  // namespace\n\n"
         "std::span<const Specification> all_specifications() { return kSpecifications; }\n\n"
         "std::span<const Ambiguity> ambiguities(const Specification& spec) {\n";
  for (std::size_t s = 0; s < specs.size(); ++s)
    if (!specs[s].ambiguities.empty())
      out << "  if (spec.id == " << quoted(specs[s].id) << ") return kAmbiguities" << s << ";\n";
  out << "  return {};\n}\n}  // namespace hepcheck\n";
}

void write_ids(std::ostream& out, const std::vector<ParsedSpecification>& specs) {
  std::set<std::string> ids;
  for (const ParsedSpecification& spec : specs)
    for (const ParsedClause& clause : spec.clauses) ids.insert(clause.id);
  out << "// Made from conformance/clauses by catalogue/embed.cpp; do not edit.\n#pragma once\n\n"
         "#include <string_view>\n\nnamespace hepcheck {\n"
         "// The clause ids of every catalogue, sorted.\n"
         "inline constexpr std::string_view kAllClauseIds[] = {\n";
  for (const std::string& id : ids) out << "    " << quoted(id) << ",\n";
  out << "};\n}  // namespace hepcheck\n";
}

// Leaves a file that is the same alone: every rule is compiled again when the ids change.
bool replace(const char* path, const std::string& text) {
  std::ifstream in(path, std::ios::binary);
  if (in && std::string{std::istreambuf_iterator<char>(in), {}} == text) return true;
  std::ofstream out(path, std::ios::binary);
  out << text;
  return static_cast<bool>(out.flush());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::println(stderr, "usage: embed_catalogue IDS_HEADER DATA_SOURCE CATALOGUE.toml...");
    return 2;
  }
  std::vector<ParsedSpecification> specs;
  for (int i = 3; i < argc; ++i) {
    std::ifstream in(argv[i], std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    auto spec = hepcheck::parse_catalogue(text);
    if (!spec) {
      std::println(stderr, "{}: {}", argv[i], spec.error().text());
      return 1;
    }
    specs.push_back(std::move(*spec));
  }
  std::ostringstream ids, data;
  write_ids(ids, specs);
  write_data(data, specs);
  return replace(argv[1], ids.str()) && replace(argv[2], data.str()) ? 0 : 1;
}
