// The order in which a change of a table called the HDF5 library, with regard to validity tokens,
// contents of indexes and members of list columns (HEP001 2026-07-09, section 12).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/suite/hep001/content.h"
#include "conformance/suite/hep001/recording.h"

namespace hepcheck::hep001::suite {

// First and last of some calls.
struct Span {
  std::optional<std::size_t> first{}, last{};
  void add(std::size_t at) {
    if (!first) first = at;
    last = at;
  }
};

// The operations on one index, without its values dataset.
struct IndexCalls {
  std::string path{};
  Span tokens{}, content{};
  std::optional<std::uint64_t> source_generation{}, source_nrows{};  // as last written
  bool deleted = false, created = false;
};

// The operations on one level of a list column.
struct LevelCalls {
  std::string path{};
  Span own{}, below{};  // OFFSETS; VALUES, CHARS and everything below them
  Span mask{};
};

struct TokenCalls {
  std::vector<LibraryCall> all{};
  Span generation{}, nrows{};                // of the table group
  std::vector<std::uint64_t> generations{};  // the written ones
  Span data{};                               // rows of columns and members of list columns
  std::vector<IndexCalls> indexes{};
  std::vector<LevelCalls> levels{};  // of all list columns, the outermost first
  std::vector<std::size_t> flushes{};
  std::map<std::string, std::vector<std::pair<std::uint64_t, std::uint64_t>>> written{};  // by path

  std::string place(std::size_t at) const;  // "call 3 of 17: flush"
  bool flushed_between(std::size_t from, std::size_t to) const;
  const LevelCalls* outermost(std::string_view column) const;
};

TokenCalls token_calls(const std::vector<LibraryCall>& calls, const TableContent& table);

}  // namespace hepcheck::hep001::suite
