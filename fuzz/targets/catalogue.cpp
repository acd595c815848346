// The parser of clause catalogues on any text, and on a text that follows another one: the text
// before the first NUL is the base. Oracle: an accepted catalogue has distinct ids in kebab case,
// and an error states its position.
#include <set>
#include <string>
#include <vector>

#include "fuzz/targets/target.h"
#include "validator/catalogue/parse.h"

using namespace hepcheck;
using namespace hepcheck::fuzz;

FUZZ_TARGET(catalogue) {
  const std::string input(text(data, size));
  std::vector<std::string> texts{input.substr(0, input.find('\0'))};
  if (texts[0].size() < input.size()) texts.push_back(input.substr(texts[0].size() + 1));
  const auto parsed = parse_catalogues(texts);
  if (!parsed) {
    require(!parsed.error().error.text().empty(), "an error without a text");
    require(parsed.error().index < texts.size(), "an error in a text that was not given");
    return 0;
  }
  for (const ParsedSpecification& spec : *parsed) {
    std::set<std::string> ids;
    for (const ParsedClause& clause : spec.clauses) {
      require(ids.insert(clause.id).second, "an id that occurs twice");
      require(!clause.id.empty() &&
                  clause.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") ==
                      std::string::npos,
              "an id that is not in kebab case");
    }
    for (const ParsedClause& clause : spec.clauses)
      for (const std::string& id : clause.emitted_as)
        require(ids.contains(id), "emitted_as names no clause");
  }
  return 0;
}
