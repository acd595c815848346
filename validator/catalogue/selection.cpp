#include "validator/catalogue/selection.h"

#include "validator/wildcard.h"

namespace hepcheck {

bool is_of_section(const Clause& clause, std::string_view section) {
  return clause.section.starts_with(section) &&
         (clause.section.size() == section.size() || clause.section[section.size()] == '.');
}

bool names(const std::string& word, const Clause& clause) {
  return clause.id == word || is_of_section(clause, word) || fits(std::string(clause.id), word);
}

}  // namespace hepcheck
