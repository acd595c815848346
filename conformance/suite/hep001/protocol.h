// The definition of the protocol: its operations, and every member of a request or reply.
// conformance/protocol.md describes their meaning, protocol.schema.json their form. The suite names
// members by keys from here, so a missing one does not compile, and the tests require for each a
// program that gets it wrong.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string_view>

#include "conformance/suite/engine/reply.h"

namespace hepcheck::hep001::suite {

using namespace hepcheck::suite;

// The values of capabilities.
inline constexpr std::string_view kOperations[] = {"describe", "read",      "query",
                                                   "write",    "append",    "truncate",
                                                   "update",   "add-index", "drop-index"};
inline constexpr std::string_view kDatatypes[] = {
    "integer", "other-integer", "float",    "other-float", "string",   "vlen-string",
    "enum",    "opaque",        "bitfield", "time",        "compound", "array",
    "vlen",    "reference",     "boolean",  "list",        "text"};
inline constexpr std::string_view kIndexes[] = {"CHUNK_MINMAX", "SORTED_ROWS", "BITMAP",
                                                "CHUNK_BLOOM"};
inline constexpr std::string_view kModes[] = {"lenient", "strict", "none", "use", "verify"};
inline constexpr std::string_view kFeatures[] = {
    "categories", "row-labels", "units",         "descriptions", "durable",
    "chunks",     "filters",    "preallocation", "reclaim",      "provenance"};

// A member, and its owner: the name of a definition in the schema.
struct Member {
  std::string_view of, name;
  // For display: the suite only requires its presence, at most.
  bool for_people = false;
};
inline constexpr Member kMembers[] = {
    {"request", "id"},
    {"request", "op"},
    {"hello", "protocol"},
    {"hello", "spec"},
    {"describe", "file"},
    {"describe", "mode"},
    {"in_table", "file"},
    {"in_table", "table"},
    {"read", "columns"},
    {"read", "first"},
    {"read", "count"},
    {"query", "where"},
    {"query", "indexes"},
    {"predicate", "column"},
    {"predicate", "test"},
    {"predicate", "value"},
    {"predicate", "min"},
    {"predicate", "max"},
    {"write", "file"},
    {"write", "table"},
    {"append", "columns"},
    {"append", "durable"},
    {"append", "indexes"},
    {"truncate", "rows"},
    {"truncate", "reclaim"},
    {"truncate", "indexes"},
    {"update", "column"},
    {"update", "rows"},
    {"update", "values"},
    {"add-index", "column"},
    {"add-index", "kind"},
    {"drop-index", "column"},
    {"drop-index", "kind"},

    // A table to be written.
    {"description", "path"},
    {"description", "title"},
    {"description", "description"},
    {"description", "units_vocabulary"},
    {"description", "row_labels"},
    {"description", "preallocate"},
    {"description", "columns"},
    {"asked", "name"},
    {"asked", "type"},
    {"asked", "values"},
    {"asked", "fill"},
    {"asked", "valid_min"},
    {"asked", "valid_max"},
    {"asked", "domain"},
    {"asked", "units"},
    {"asked", "units_vocabulary"},
    {"asked", "description"},
    {"asked", "categories"},
    {"asked", "chunk"},
    {"asked", "filters"},
    {"asked", "indexes"},

    {"reply", "id"},
    {"reply", "ok"},
    {"reply", "error"},
    {"reply", "diagnostics"},
    {"error", "kind"},
    {"error", "message"},
    {"diagnostic", "path"},
    {"diagnostic", "message", true},
    {"ok", "protocol"},
    {"ok", "name"},
    {"ok", "capabilities"},
    {"ok", "tables"},
    {"ok", "refused"},
    {"ok", "columns"},
    {"ok", "rows"},
    {"ok", "used"},
    {"capabilities", "operations"},
    {"capabilities", "version"},
    {"capabilities", "datatypes"},
    {"capabilities", "indexes"},
    {"capabilities", "modes"},
    {"capabilities", "features"},
    {"table", "path"},
    {"table", "version"},
    {"table", "rows"},
    {"table", "title"},
    {"table", "description"},
    {"table", "columns"},
    {"table", "row_labels"},
    {"refusal", "path"},
    {"refusal", "reason", true},
    {"column", "name"},
    {"column", "type"},
    {"column", "units"},
    {"column", "units_vocabulary"},
    {"column", "description"},
    {"column", "categories"},
    {"column", "boolean"},

    // Members of both operations.
    {"categories", "type"},
    {"categories", "labels"},
    {"categories", "ordered"},
    {"values_of", "name"},
    {"values_of", "values"},
    {"values_of", "labels"},
    {"values_of", "unreadable"},
    {"type", "class"},
    {"type", "size"},
    {"type", "order"},
    {"type", "signed"},
    {"type", "precision"},
    {"type", "offset"},
    {"type", "charset"},
    {"type", "padding"},
    {"type", "tag"},
    {"type", "base"},
    {"type", "members"},
    {"type", "fields"},
    {"type", "dims"},
    {"type", "form"},
    {"value", "bits"},
    {"value", "value", true},
    {"value", "bytes"},
};

// A member by its name in the table, "read.first".
class Key {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): keys are written as literals
  consteval Key(const char* text) {
    const std::string_view place = text;
    const std::size_t dot = place.find('.');
    for (const Member& member : kMembers)
      if (dot != place.npos && member.of == place.substr(0, dot) &&
          member.name == place.substr(dot + 1))
        name_ = text + dot + 1;
    if (!name_) throw "not a member of the protocol";
  }
  const char* name() const { return name_; }

 private:
  const char* name_ = nullptr;
};

// An object of the protocol: object({{"read.first", "3"}}).
struct With {
  Key key;
  Json value;
};
inline Json object(std::initializer_list<With> members) {
  Json made = Json::object();
  for (const With& member : members) made[member.key.name()] = member.value;
  return made;
}

}  // namespace hepcheck::hep001::suite
