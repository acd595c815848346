// Facts as a text in which all of them count, for golden files.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "validator/formats/hep001/derive/facts.h"
#include "validator/formats/hep001/derive/shared_facts.h"

namespace hepcheck::hep001 {

// The bytes of the facts of a table with one index, but for the version of the program and the
// digest. The explanation of an order has no meaning if nothing is wrong with the order.
inline std::string facts_as_text(TableFacts facts) {
  if (auto* sorted = std::get_if<SortedFacts>(&facts.indexes.at(0)))
    sorted->order_by_padding = sorted->order_by_padding && sorted->order.count > 0;
  SharedFacts shared;
  shared.tables.push_back({.path = "/t", .revision = "", .facts = std::move(facts)});
  std::string bytes = to_bytes(shared);
  bytes.resize(bytes.size() - sizeof(std::uint64_t));
  return bytes.substr(bytes.find('\n') + 1);
}

}  // namespace hepcheck::hep001
