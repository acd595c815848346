// A clause of a specification, as the catalogue in conformance/clauses/ describes it.
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

// One atomic normative sentence. All texts live as long as the program.
struct Clause {
  std::string_view id;
  std::string_view section;
  Level level;
  Subject subject;
  Severity default_severity;
  std::string_view object;     // what kind of thing it speaks about
  std::string_view basis;      // keyword, definition, derived, note
  std::string_view statement;  // paraphrase
  std::string_view check;      // how it is checked
  std::string_view valid_case;
  std::span<const std::string_view> broken_cases;
  std::string_view notes;  // the reading taken
  // A file cannot show this defect apart from these clauses, which are reported instead.
  std::span<const std::string_view> emitted_as;
  std::span<const std::string_view> also_in;

  // A file can break it, and the finding carries this very id.
  bool file_checkable() const {
    return subject == Subject::kFile && level != Level::kMay && emitted_as.empty();
  }
  bool mandatory() const { return level == Level::kMust || level == Level::kMustNot; }
};

// A part of a specification's text, as reports head it: "10.4", "CHUNK_MINMAX".
struct Chapter {
  std::string_view number, title;
};

// One revision of one specification: its clauses in the order of the text.
struct Specification {
  std::string_view format;  // what its revisions have in common
  std::string_view id;      // the format and the revision, joined by -
  std::string_view title;
  std::string_view revision;
  std::string_view url;  // where its text can be read
  bool is_default;       // the revision of its format that is used when none is named
  std::span<const Chapter> chapters;
  std::span<const Clause> clauses;

  const Clause* find(std::string_view clause_id) const;
};

// Every specification compiled in, those of a format together and oldest first.
std::span<const Specification> all_specifications();
const Specification* find_specification(std::string_view id);
// The revision of a format that is used when none is named. There is exactly one.
const Specification& default_revision(std::string_view format);

}  // namespace hepcheck
