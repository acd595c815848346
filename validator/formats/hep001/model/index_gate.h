// The consumer validity check: whether the contents of a search index count.
//
// Where the revision has tokens, they count only while SOURCE_GENERATION and SOURCE_NROWS of the
// index equal GENERATION and NROWS of the table, all four there, scalar and uint64. An index that
// fails the check is treated as absent, and is no defect for that.
#pragma once

#include <cstdint>
#include <string>

namespace hepcheck::hep001 {

struct Dataset;
struct Table;

struct IndexGate {
  enum class State : std::uint8_t {
    kValid,     // or the revision has no tokens
    kStale,     // the tokens name another state of the table
    kDisabled,  // a token is absent or of the wrong form, which is a defect of its own
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
