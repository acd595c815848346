// The consumer validity check: whether the contents of a search index are valid.
//
// If the revision has tokens, they are valid only while SOURCE_GENERATION and SOURCE_NROWS of the
// index equal GENERATION and NROWS of the table, and all four exist as scalar uint64. An index that
// fails the check is treated as absent; that alone is not a defect.
#pragma once

#include <cstdint>
#include <string>

namespace hepcheck::hep001 {

struct Dataset;
struct Table;

struct IndexGate {
  enum class State : std::uint8_t {
    kValid,     // or the revision has no tokens
    kStale,     // the tokens describe another state of the table
    kDisabled,  // a token is absent or has the wrong form, which is a separate defect
    kUnknown,   // a token cannot be read
  };
  State state = State::kValid;
  std::string why{};  // "SOURCE_GENERATION 3, GENERATION 4"; empty if valid

  bool open() const { return state == State::kValid; }
  // "stale: SOURCE_GENERATION 3, GENERATION 4"; "valid".
  std::string text() const;
};

IndexGate gate_of(const Table& table, const Dataset& index);

}  // namespace hepcheck::hep001
