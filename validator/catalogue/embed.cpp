// Build step: turns the catalogues into C++ tables, so that the program carries them and a
// rule for an id that no catalogue has does not compile.
//
//   embed_catalogue IDS_DIRECTORY DATA_SOURCE CATALOGUE.toml...
//
// IDS_FOLDER/FORMAT/clause_ids.h has the ids of all revisions of a format and the type of an id.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <print>
#include <set>
#include <sstream>

#include "validator/catalogue/parse.h"
#include "validator/read_whole.h"

namespace {

using hepcheck::ParsedAmbiguity;
using hepcheck::ParsedClause;
using hepcheck::ParsedSpecification;

std::string literal(std::string_view text) {
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
  for (const std::string& item : items) out << literal(item) << ", ";
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
      rows << literal(text) << ",\n     ";
    rows << clauses << "},\n";
  }
  out << "constexpr Ambiguity kAmbiguities" << spec << "[] = {\n" << rows.str() << "};\n";
}

void write_chapters(std::ostream& out, std::size_t spec,
                    const std::vector<hepcheck::ParsedChapter>& chapters) {
  if (chapters.empty()) return;
  out << "constexpr Chapter kChapters" << spec << "[] = {\n";
  for (const auto& [number, title] : chapters)
    out << "    {" << literal(number) << ", " << literal(title) << "},\n";
  out << "};\n";
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
      rows << "    {" << literal(clause.id) << ", " << literal(clause.section) << ", Level("
           << static_cast<int>(clause.level) << "), Subject(" << static_cast<int>(clause.subject)
           << "), Severity(" << static_cast<int>(clause.default_severity) << "),\n     "
           << literal(clause.object) << ", " << literal(clause.basis) << ",\n     "
           << literal(clause.statement) << ",\n     " << literal(clause.check) << ",\n     "
           << literal(clause.valid_case) << ", " << broken << ",\n     " << literal(clause.notes)
           << ",\n     " << emitted << ", " << also << "},\n";
    }
    write_chapters(out, s, specs[s].chapters);
    out << "constexpr Clause kClauses" << s << "[] = {\n" << rows.str() << "};\n";
    write_ambiguities(out, s, specs[s].ambiguities);
  }
  out << "constexpr Specification kSpecifications[] = {\n";
  for (std::size_t s = 0; s < specs.size(); ++s)
    out << "    {" << literal(specs[s].format) << ", " << literal(specs[s].id) << ", "
        << literal(specs[s].title) << ", " << literal(specs[s].revision) << ", "
        << literal(specs[s].url) << ", " << (specs[s].is_default ? "true" : "false") << ", "
        << (specs[s].chapters.empty() ? "{}" : "kChapters" + std::to_string(s)) << ", kClauses" << s
        << "},\n";
  out << "};\n}  // namespace\n\n"
         "std::span<const Specification> all_specifications() { return kSpecifications; }\n\n"
         "std::span<const Ambiguity> ambiguities(const Specification& spec) {\n";
  for (std::size_t s = 0; s < specs.size(); ++s)
    if (!specs[s].ambiguities.empty())
      out << "  if (spec.id == " << literal(specs[s].id) << ") return kAmbiguities" << s << ";\n";
  out << "  return {};\n}\n}  // namespace hepcheck\n";
}

using IdsByFormat = std::map<std::string, std::set<std::string>>;

// The ids of each format, or the error in the set of catalogues: an id denotes one requirement
// across formats, and each format has one default revision.
hepcheck::Result<IdsByFormat> ids_of(const std::vector<ParsedSpecification>& specs) {
  IdsByFormat ids;
  std::map<std::string, std::string> format_of;
  std::map<std::string, int> defaults;
  for (const ParsedSpecification& spec : specs) {
    defaults[spec.format] += spec.is_default;
    for (const ParsedClause& clause : spec.clauses) {
      ids[spec.format].insert(clause.id);
      const auto [it, fresh] = format_of.emplace(clause.id, spec.format);
      if (it->second != spec.format)
        return hepcheck::failure("clause \"" + clause.id + "\"",
                                 "both " + it->second + " and " + spec.format + " have this id");
    }
  }
  for (const auto& [format, count] : defaults)
    if (count != 1)
      return hepcheck::failure(format, std::to_string(count) + " catalogues say default = true");
  return ids;
}

std::string ids_header(const std::string& format, const std::set<std::string>& ids) {
  std::ostringstream out;
  out << "// Made from conformance/clauses by catalogue/embed.cpp; do not edit.\n#pragma once\n\n"
         "#include <initializer_list>\n#include <string_view>\n#include <vector>\n\n"
         "#include \"validator/rule.h\"\n\nnamespace hepcheck::"
      << format
      << " {\n// The clause ids of every revision, sorted.\n"
         "inline constexpr std::string_view kClauseIds[] = {\n";
  for (const std::string& id : ids) out << "    " << literal(id) << ",\n";
  out << "};\n\n"
         "using ClauseId = ClauseIdOf<kClauseIds>;\n\n"
         "// The ids of the clauses that prevent another one from being checked:\n"
         "// probe.blocked(\"...\", by({"
      << literal(*ids.begin())
      << "})).\n"
         "inline std::vector<std::string_view> by(std::initializer_list<ClauseId> clauses) {\n"
         "  return texts_of<kClauseIds>(clauses);\n"
         "}\n}  // namespace hepcheck::"
      << format << "\n";
  return out.str();
}

// Does not touch an unchanged file: a change of the ids recompiles every rule.
bool replace(const std::filesystem::path& path, const std::string& text) {
  if (hepcheck::read_whole(path.string()) == text) return true;
  std::ofstream out(path, std::ios::binary);
  out << text;
  return static_cast<bool>(out.flush());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::println(stderr, "usage: embed_catalogue IDS_DIRECTORY DATA_SOURCE CATALOGUE.toml...");
    return 2;
  }
  std::vector<std::string> texts;
  for (int i = 3; i < argc; ++i) texts.push_back(hepcheck::read_whole(argv[i]).value_or(""));
  auto parsed = hepcheck::parse_catalogues(texts);
  if (!parsed) {
    std::println(stderr, "{}: {}", argv[3 + parsed.error().index], parsed.error().error.text());
    return 1;
  }
  std::vector<ParsedSpecification>& specs = *parsed;
  const auto ids = ids_of(specs);
  if (!ids) {
    std::println(stderr, "{}", ids.error().text());
    return 1;
  }
  for (const auto& [format, names] : *ids) {
    const auto folder = std::filesystem::path(argv[1]) / format;
    std::filesystem::create_directories(folder);
    if (!replace(folder / "clause_ids.h", ids_header(format, names))) return 1;
  }
  std::ranges::stable_sort(specs, {}, &ParsedSpecification::format);
  std::ostringstream data;
  write_data(data, specs);
  return replace(argv[2], data.str()) ? 0 : 1;
}
