#include "conformance/suite/engine/known_failures.h"

#include <format>
#include <toml++/toml.hpp>
#include <utility>

#include "validator/read_whole.h"
#include "validator/toml_depth.h"

namespace hepcheck::suite {

Result<std::vector<KnownFailure>> read_known(const std::string& path, const Specification& spec) {
  std::vector<KnownFailure> read;
  try {
    const std::optional<std::string> content = read_whole(path);
    if (!content) return failure(path, "cannot be read");
    if (key_parts_in_toml(*content) > kMostKeyParts)
      return failure(path, "a key has too many parts");
    const toml::table file = toml::parse(*content, path);
    const toml::array* entries = file["known"].as_array();
    if (!entries) return failure(path, "there are no [[known]] entries");
    for (const toml::node& node : *entries) {
      const toml::table* entry = node.as_table();
      const auto text = [&](const char* key) {
        return entry ? (*entry)[key].value_or(std::string()) : std::string();
      };
      KnownFailure known{
          .clause = text("clause"), .where = text("where"), .reason = text("reason")};
      if (!spec.find(known.clause))
        return failure(path, std::format("no clause \"{}\"", known.clause));
      if (known.reason.empty())
        return failure(path, std::format("{}: no reason is given", known.clause));
      read.push_back(std::move(known));
    }
  } catch (const toml::parse_error& error) {
    return failure(path, std::string(error.description()));
  }
  return read;
}

}  // namespace hepcheck::suite
