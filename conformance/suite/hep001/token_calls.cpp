#include "conformance/suite/hep001/token_calls.h"

#include <algorithm>
#include <cstdlib>
#include <format>

namespace hepcheck::hep001::suite {

namespace {

std::string below(const std::string& group) { return (group == "/" ? "" : group) + "/"; }

std::uint64_t decimal_of(const std::string& decimal) {
  return std::strtoull(decimal.c_str(), nullptr, 10);
}

// The object that a call is about.
std::string object_of(const LibraryCall& call) {
  if (call.words(0).starts_with("attribute-") || call.is("data-write")) return call.rest(3);
  if (call.is("extent")) return call.rest(2);
  return call.rest(1);  // create, delete
}

class CallReading {
 public:
  CallReading(const TableContent& table, TokenCalls& into) : table_(table), into_(into) {
    for (const ColumnContent& column : table.columns) {
      for (const IndexContent& index : column.indexes)
        if (!index_at(index.path)) into_.indexes.push_back({.path = index.path});
      if (column.is_list()) add_levels(below(table.path) + column.name, column.type);
    }
  }

  void take(std::size_t at, const LibraryCall& call) {
    if (call.is("flush") || call.is("close")) return into_.flushes.push_back(at);
    const std::string object = object_of(call);
    if (call.words(0).starts_with("attribute-"))
      attribute(at, call, object);
    else if (call.is("data-write") || call.is("extent") || call.is("create") || call.is("delete"))
      dataset(at, call, object);
  }

 private:
  void add_levels(const std::string& path, const Json& type) {
    if (type.value("class", "") != "list" && type.value("class", "") != "text") return;
    into_.levels.push_back({.path = path});
    if (type.contains("base")) add_levels(path + "/VALUES", type.at("base"));
  }

  IndexCalls* index_at(std::string_view path) {
    const auto at = std::ranges::find(into_.indexes, path, &IndexCalls::path);
    return at == into_.indexes.end() ? nullptr : &*at;
  }

  // An index that this change makes; its values dataset, which bears no token, stays without.
  IndexCalls& made(const std::string& path) {
    if (IndexCalls* index = index_at(path)) return *index;
    return into_.indexes.emplace_back(IndexCalls{.path = path});
  }

  void attribute(std::size_t at, const LibraryCall& call, const std::string& object) {
    const std::string name = call.words(1);
    if (object == table_.path && name == "NROWS") into_.nrows.add(at);
    if (object == table_.path && name == "GENERATION") {
      into_.generation.add(at);
      if (call.is("attribute-write")) into_.generations.push_back(decimal_of(call.words(2)));
    }
    const bool generation = name == "SOURCE_GENERATION", nrows = name == "SOURCE_NROWS";
    if (!object.starts_with(below(table_.path) + "SEARCH_INDEXES/") || !(generation || nrows))
      return;
    IndexCalls& index = made(object);
    index.tokens.add(at);
    if (call.is("attribute-write") && generation)
      index.source_generation = decimal_of(call.words(2));
    if (call.is("attribute-write") && nrows) index.source_nrows = decimal_of(call.words(2));
  }

  void dataset(std::size_t at, const LibraryCall& call, const std::string& object) {
    if (object.starts_with(below(table_.path) + "SEARCH_INDEXES/"))
      return of_index(at, call, object);
    if (call.is("data-write")) {
      const bool of_table = std::ranges::any_of(table_.columns, [&](const ColumnContent& column) {
        const std::string path = below(table_.path) + column.name;
        return object == path || object.starts_with(path + "/");
      });
      if (of_table) into_.data.add(at);
      into_.written[object].emplace_back(decimal_of(call.words(1)), decimal_of(call.words(2)));
      for (LevelCalls& level : into_.levels) {
        if (object == level.path + "/OFFSETS") level.own.add(at);
        if (object == level.path + "/MASK") level.mask.add(at);
        if (object.starts_with(level.path + "/VALUES") || object == level.path + "/CHARS")
          level.below.add(at);
      }
    }
  }

  void of_index(std::size_t at, const LibraryCall& call, const std::string& object) {
    if (IndexCalls* index = index_at(object)) {
      index->deleted |= call.is("delete");
      index->created |= call.is("create");
      index->content.add(at);
    }
  }

  const TableContent& table_;
  TokenCalls& into_;
};

}  // namespace

std::string TokenCalls::place(std::size_t at) const {
  return std::format("call {} of {}: {}", at + 1, all.size(), all[at].what);
}

bool TokenCalls::flushed_between(std::size_t from, std::size_t to) const {
  return std::ranges::any_of(flushes,
                             [&](std::size_t flush) { return from < flush && flush < to; });
}

const LevelCalls* TokenCalls::outermost(std::string_view column) const {
  const auto at = std::ranges::find_if(levels, [&](const LevelCalls& level) {
    return level.path.ends_with("/" + std::string(column));
  });
  return at == levels.end() ? nullptr : &*at;
}

TokenCalls token_calls(const std::vector<LibraryCall>& calls, const TableContent& table) {
  TokenCalls made{.all = calls};
  CallReading reading(table, made);
  for (std::size_t i = 0; i < calls.size(); ++i) reading.take(i, calls[i]);
  return made;
}

}  // namespace hepcheck::hep001::suite
