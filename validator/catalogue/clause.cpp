#include "validator/catalogue/clause.h"

#include <algorithm>

namespace hepcheck {

std::string_view to_string(Level level) {
  switch (level) {
    case Level::kMust: return "MUST";
    case Level::kMustNot: return "MUST NOT";
    case Level::kShould: return "SHOULD";
    case Level::kShouldNot: return "SHOULD NOT";
    case Level::kMay: return "MAY";
  }
  return "?";
}

std::string_view to_string(Subject subject) {
  switch (subject) {
    case Subject::kFile: return "file";
    case Subject::kProducer: return "producer";
    case Subject::kConsumer: return "consumer";
  }
  return "?";
}

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::kNone: return "none";
    case Severity::kInfo: return "info";
    case Severity::kWarning: return "warning";
    case Severity::kError: return "error";
  }
  return "?";
}

const Clause* Specification::find(std::string_view clause_id) const {
  const auto it = std::ranges::find(clauses, clause_id, &Clause::id);
  return it == clauses.end() ? nullptr : &*it;
}

const Specification* find_specification(std::string_view id) {
  const auto specs = all_specifications();
  const auto it = std::ranges::find(specs, id, &Specification::id);
  return it == specs.end() ? nullptr : &*it;
}

const Specification& default_revision(std::string_view format) {
  return *std::ranges::find_if(all_specifications(), [&](const Specification& spec) {
    return spec.is_default && spec.format == format;
  });
}

}  // namespace hepcheck
