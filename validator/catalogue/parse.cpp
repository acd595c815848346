#include "validator/catalogue/parse.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <toml++/toml.hpp>
#include <utility>

#include "validator/catalogue/difference.h"

namespace hepcheck {

namespace {

template <class T, std::size_t N>
std::optional<T> by_name(const std::array<std::pair<std::string_view, T>, N>& names,
                         std::string_view name) {
  const auto it = std::ranges::find(names, name, &std::pair<std::string_view, T>::first);
  return it == names.end() ? std::nullopt : std::optional<T>(it->second);
}

constexpr std::array<std::pair<std::string_view, Level>, 5> kLevels{{
    {"MUST", Level::kMust},
    {"MUST NOT", Level::kMustNot},
    {"SHOULD", Level::kShould},
    {"SHOULD NOT", Level::kShouldNot},
    {"MAY", Level::kMay},
}};
constexpr std::array<std::pair<std::string_view, Subject>, 3> kSubjects{{
    {"file", Subject::kFile},
    {"producer", Subject::kProducer},
    {"consumer", Subject::kConsumer},
}};
constexpr std::array<std::pair<std::string_view, Severity>, 4> kSeverities{{
    {"none", Severity::kNone},
    {"info", Severity::kInfo},
    {"warning", Severity::kWarning},
    {"error", Severity::kError},
}};
constexpr std::string_view kClauseKeys[] = {"id",         "section",
                                            "level",      "subject",
                                            "object",     "basis",
                                            "statement",  "check",
                                            "notes",      "valid_case",
                                            "also_in",    "broken_cases",
                                            "emitted_as", "default_severity",
                                            "md_lines",   "fingerprint"};
constexpr std::string_view kHeadKeys[] = {"format", "id",      "title",   "revision",
                                          "url",    "default", "remarks", "follows"};
constexpr std::string_view kChapterKeys[] = {"number", "title"};
constexpr std::string_view kAmbiguityKeys[] = {
    "id", "section", "question", "reading", "alternative", "why", "effect", "clauses", "basis"};

bool is_kebab_case(std::string_view id) {
  if (id.empty() || id.front() == '-' || id.back() == '-') return false;
  return std::ranges::all_of(
      id, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

// Reads the keys of one entry and remembers the first error.
class EntryReader {
 public:
  explicit EntryReader(const toml::table& table) : table_(table) {}

  std::string text(std::string_view key, bool required = true) {
    const toml::node* node = table_.get(key);
    if (!node) {
      if (required) complain(std::string(key) + " is missing");
      return {};
    }
    if (const auto* value = node->as_string()) return value->get();
    complain(std::string(key) + " is not a string");
    return {};
  }

  bool flag(std::string_view key) {
    const toml::node* node = table_.get(key);
    if (!node) return false;
    if (const auto* value = node->as_boolean()) return value->get();
    complain(std::string(key) + " is not a boolean");
    return false;
  }

  std::vector<std::string> texts(std::string_view key) {
    std::vector<std::string> values;
    const toml::node* node = table_.get(key);
    if (!node) return values;
    const toml::array* array = node->as_array();
    if (!array) complain(std::string(key) + " is not an array");
    for (std::size_t i = 0; array && i < array->size(); ++i) {
      if (const auto* value = (*array)[i].as_string())
        values.push_back(value->get());
      else
        complain(std::string(key) + " contains a value that is not a string");
    }
    return values;
  }

  template <class T, std::size_t N>
  T one_of(std::string_view key, const std::array<std::pair<std::string_view, T>, N>& names) {
    const std::string value = text(key);
    const std::optional<T> found = by_name(names, value);
    if (!found) complain(std::string(key) + " is \"" + value + "\"");
    return found.value_or(names[0].second);
  }

  void reject_other_keys(std::span<const std::string_view> known) {
    for (const auto& [key, node] : table_)
      if (!std::ranges::contains(known, key.str()))
        complain("unknown key " + std::string(key.str()));
  }

  void complain(std::string what) {
    if (!complaint_) complaint_ = std::move(what);
  }
  const std::optional<std::string>& complaint() const { return complaint_; }

 private:
  const toml::table& table_;
  std::optional<std::string> complaint_;
};

Result<ParsedClause> parse_clause(const toml::table& table) {
  EntryReader read(table);
  ParsedClause clause;
  clause.id = read.text("id");
  clause.section = read.text("section");
  clause.level = read.one_of("level", kLevels);
  clause.subject = read.one_of("subject", kSubjects);
  clause.default_severity = read.one_of("default_severity", kSeverities);
  clause.object = read.text("object");
  clause.basis = read.text("basis");
  clause.statement = read.text("statement");
  clause.check = read.text("check");
  clause.valid_case = read.text("valid_case", false);
  clause.notes = read.text("notes", false);
  clause.broken_cases = read.texts("broken_cases");
  clause.emitted_as = read.texts("emitted_as");
  clause.also_in = read.texts("also_in");
  read.reject_other_keys(kClauseKeys);
  if (!is_kebab_case(clause.id)) read.complain("the id is not in kebab case");
  if (read.complaint()) return failure("clause \"" + clause.id + "\"", *read.complaint());
  return clause;
}

// `clauses` are the clauses of the catalogue that the ambiguity may name.
Result<ParsedAmbiguity> parse_ambiguity(const toml::table& table,
                                        const std::vector<ParsedClause>& clauses) {
  EntryReader read(table);
  ParsedAmbiguity ambiguity;
  ambiguity.id = read.text("id");
  ambiguity.section = read.text("section");
  ambiguity.question = read.text("question");
  ambiguity.reading = read.text("reading");
  ambiguity.alternative = read.text("alternative");
  ambiguity.why = read.text("why");
  ambiguity.effect = read.text("effect");
  ambiguity.clauses = read.texts("clauses");
  const std::string basis = read.text("basis", false);
  read.reject_other_keys(kAmbiguityKeys);
  if (!is_kebab_case(ambiguity.id)) read.complain("the id is not in kebab case");
  for (const std::string& id : ambiguity.clauses)
    if (!std::ranges::contains(clauses, id, &ParsedClause::id))
      read.complain("clauses names no clause: " + id);
  if (!basis.empty())
    for (const ParsedClause& clause : clauses)
      if (clause.basis == basis && clause.subject == Subject::kFile &&
          (clause.level == Level::kMust || clause.level == Level::kMustNot))
        ambiguity.clauses.push_back(clause.id);
  if (ambiguity.clauses.empty()) read.complain("no clause depends on it");
  if (read.complaint()) return failure("ambiguity \"" + ambiguity.id + "\"", *read.complaint());
  return ambiguity;
}

Result<toml::table> parse_toml(std::string_view text) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    std::ostringstream where;
    where << "line " << error.source().begin.line << ", column " << error.source().begin.column;
    return failure(where.str(), std::string(error.description()));
  }
}

// `document` is a whole catalogue, not a difference.
Result<ParsedSpecification> parse_document(const toml::table& document) {
  ParsedSpecification spec;
  const toml::table* head = document["specification"].as_table();
  if (!head) return failure("catalogue", "no [specification] table");
  EntryReader read(*head);
  spec.format = read.text("format");
  spec.is_default = read.flag("default");
  spec.id = read.text("id");
  spec.title = read.text("title");
  spec.revision = read.text("revision");
  spec.url = read.text("url");
  read.reject_other_keys(kHeadKeys);
  if (read.complaint()) return failure("[specification]", *read.complaint());

  if (const toml::array* chapters = document["chapter"].as_array())
    for (const toml::node& node : *chapters) {
      const toml::table* table = node.as_table();
      if (!table) return failure("catalogue", "a [[chapter]] entry is not a table");
      EntryReader chapter(*table);
      spec.chapters.push_back({chapter.text("number"), chapter.text("title")});
      chapter.reject_other_keys(kChapterKeys);
      if (chapter.complaint()) return failure("[[chapter]]", *chapter.complaint());
    }

  const toml::array* clauses = document["clause"].as_array();
  if (!clauses) return failure("catalogue", "no [[clause]] entries");
  std::set<std::string> ids;
  for (const toml::node& node : *clauses) {
    const toml::table* table = node.as_table();
    if (!table) return failure("catalogue", "a [[clause]] entry is not a table");
    Result<ParsedClause> clause = parse_clause(*table);
    if (!clause) return std::unexpected(clause.error());
    if (!ids.insert(clause->id).second)
      return failure("clause \"" + clause->id + "\"", "the id occurs twice");
    spec.clauses.push_back(std::move(*clause));
  }
  for (const ParsedClause& clause : spec.clauses)
    for (const std::string& target : clause.emitted_as)
      if (!ids.contains(target))
        return failure("clause \"" + clause.id + "\"", "emitted_as names no clause: " + target);

  // Both kinds of ids are anchors on one page.
  if (const toml::array* ambiguities = document["ambiguity"].as_array())
    for (const toml::node& node : *ambiguities) {
      const toml::table* table = node.as_table();
      if (!table) return failure("catalogue", "an [[ambiguity]] entry is not a table");
      Result<ParsedAmbiguity> ambiguity = parse_ambiguity(*table, spec.clauses);
      if (!ambiguity) return std::unexpected(ambiguity.error());
      if (!ids.insert(ambiguity->id).second)
        return failure("ambiguity \"" + ambiguity->id + "\"", "the id occurs twice");
      spec.ambiguities.push_back(std::move(*ambiguity));
    }
  return spec;
}

std::string head_text(const toml::table& document, std::string_view key) {
  return document["specification"][key].value_or<std::string>("");
}

bool is_difference(const toml::table& document) {
  const toml::table* const head = document["specification"].as_table();
  return head && head->contains("follows");
}

// Expands the catalogues one after the other, each after the one that it follows.
class Expansion {
 public:
  explicit Expansion(std::vector<toml::table> documents) : documents_(std::move(documents)) {}

  Result<const toml::table*> operator()(std::size_t index) {
    toml::table& document = documents_[index];
    if (done_.contains(index)) return &document;
    if (!is_difference(document)) {
      for (const char* key : {"dropped", "renumbered", "sections"})
        if (document.contains(key))
          return failure("catalogue", std::string(key) + " needs a catalogue that is followed");
      return &document;
    }
    const std::string id = head_text(document, "id"), base = head_text(document, "follows");
    if (!open_.insert(index).second)
      return failure("[specification]", "follows leads back to " + id);
    const auto it = std::ranges::find(
        documents_, base, [](const toml::table& each) { return head_text(each, "id"); });
    if (base.empty() || it == documents_.end())
      return failure("[specification]", "follows names no catalogue: " + base);
    if (head_text(*it, "format") != head_text(document, "format"))
      return failure("[specification]", "follows names a catalogue of another format: " + base);
    const auto expanded = (*this)(static_cast<std::size_t>(it - documents_.begin()));
    if (!expanded) return std::unexpected(expanded.error());
    Result<toml::table> whole = expand_difference(document, **expanded);
    if (!whole) return std::unexpected(whole.error());
    document = std::move(*whole);
    done_.insert(index);
    return &document;
  }

 private:
  std::vector<toml::table> documents_;
  std::set<std::size_t> open_, done_;
};

}  // namespace

CatalogueResult<std::vector<ParsedSpecification>> parse_catalogues(
    std::span<const std::string> texts) {
  std::vector<toml::table> documents;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    Result<toml::table> document = parse_toml(texts[i]);
    if (!document) return std::unexpected(CatalogueError{i, document.error()});
    documents.push_back(std::move(*document));
  }
  Expansion expand(std::move(documents));
  std::vector<ParsedSpecification> specs;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Result<const toml::table*> whole = expand(i);
    if (!whole) return std::unexpected(CatalogueError{i, whole.error()});
    Result<ParsedSpecification> spec = parse_document(**whole);
    if (!spec) return std::unexpected(CatalogueError{i, spec.error()});
    specs.push_back(std::move(*spec));
  }
  return specs;
}

Result<ParsedSpecification> parse_catalogue(std::string_view text) {
  const std::string texts[] = {std::string(text)};
  auto specs = parse_catalogues(texts);
  if (!specs) return std::unexpected(specs.error().error);
  return std::move(specs->front());
}

}  // namespace hepcheck
