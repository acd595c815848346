// A clause of a specification, as described by the catalogue in conformance/clauses/.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace hepcheck {

enum class Level : std::uint8_t { kMust, kMustNot, kShould, kShouldNot, kMay };
enum class Subject : std::uint8_t { kFile, kProducer, kConsumer };
enum class Severity : std::uint8_t { kNone, kInfo, kWarning, kError };

std::string_view to_string(Level level);        // "MUST", "MUST NOT", ...
std::string_view to_string(Subject subject);    // "file", "producer", "consumer"
std::string_view to_string(Severity severity);  // "none", "info", "warning", "error"

// One atomic requirement. All texts live as long as the program.
struct Clause {
  std::string_view id;
  std::string_view section;
  Level level;
  Subject subject;
  Severity default_severity;
  std::string_view object;     // the kind of object it is about
  std::string_view basis;      // keyword, definition, derived, note
  std::string_view statement;  // paraphrase
  std::string_view check;      // how it is checked
  std::string_view valid_case;
  std::span<const std::string_view> broken_cases;
  std::string_view notes;  // the interpretation taken
  // A file cannot show a violation of this clause separately from these clauses, which are reported
  // instead.
  std::span<const std::string_view> emitted_as;
  std::span<const std::string_view> also_in;

  // A file can violate it, and the finding has this id.
  bool file_checkable() const {
    return subject == Subject::kFile && level != Level::kMay && emitted_as.empty();
  }
  bool mandatory() const { return level == Level::kMust || level == Level::kMustNot; }
};

// A section of a specification, as shown in reports: "10.4", "CHUNK_MINMAX".
struct Chapter {
  std::string_view number, title;
};

// One revision of one specification: its clauses in the order of the text.
struct Specification {
  std::string_view format;  // the common part of the names of its revisions
  std::string_view id;      // the format and the revision, joined by -
  std::string_view title;
  std::string_view revision;
  std::string_view url;  // the location of its text
  bool is_default;       // the default revision of its format
  std::span<const Chapter> chapters;
  std::span<const Clause> clauses;

  const Clause* find(std::string_view clause_id) const;
};

// Every specification in the program, grouped by format and oldest first.
std::span<const Specification> all_specifications();
const Specification* find_specification(std::string_view id);
// The default revision of a format. There is exactly one.
const Specification& default_revision(std::string_view format);

}  // namespace hepcheck
