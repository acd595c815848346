// The parser of clause catalogues on any text.
// Oracle: what it accepts has distinct ids in kebab case, and says where it does not accept.
#include <set>

#include "fuzz/targets/target.h"
#include "validator/catalogue/parse.h"

using namespace hepcheck;
using namespace hepcheck::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Result<ParsedSpecification> parsed = parse_catalogue(text(data, size));
  if (!parsed) {
    require(!parsed.error().text().empty(), "an error without a text");
    return 0;
  }
  std::set<std::string> ids;
  for (const ParsedClause& clause : parsed->clauses) {
    require(ids.insert(clause.id).second, "an id that occurs twice");
    require(!clause.id.empty() && clause.id.find_first_not_of(
                                      "abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos,
            "an id that is no kebab-case phrase");
  }
  for (const ParsedClause& clause : parsed->clauses)
    for (const std::string& id : clause.emitted_as)
      require(ids.contains(id), "emitted_as names no clause");
  return 0;
}
