// What a file holds in one state, as a reader sees it, and what a crash that left it has done.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hepcheck::trace {

struct Content {
  std::string unreadable{};  // why; empty if it was read
  struct Values {
    std::vector<std::uint64_t> sizes{};
    std::uint64_t element = 0;  // bytes
    std::string bytes{};        // row-major

    std::uint64_t rows() const { return sizes.empty() ? 1 : sizes[0]; }
    friend bool operator==(const Values&, const Values&) = default;
  };
  std::map<std::string, Values> values{};  // by path
  // What counts of some of those is said elsewhere: as many rows of each.
  struct Table {
    std::uint64_t rows = 0;
    std::vector<std::string> columns{};  // paths

    friend bool operator==(const Table&, const Table&) = default;
  };
  std::map<std::string, Table> tables{};
  std::set<std::string> broken{};  // "sorted-ties of /events": clauses of what lies in the file
  std::vector<std::string> left_out{};  // what was not compared, and why
};

std::string encoded(const Content& content);
std::optional<Content> decoded(std::string_view bytes);  // none if they are no such thing

enum class Verdict : std::uint8_t {
  kOld,       // what was there before
  kNew,       // what is there in the end
  kBetween,   // some of what came, and nothing wrong
  kResidue,   // the old, and traces of the new that no reader sees
  kDetected,  // a reader is told that something is broken
  kWrong,     // a reader is given what never was
};
inline constexpr std::size_t kVerdicts = 6;
std::string_view to_string(Verdict verdict);  // "OLD"

struct Judgement {
  Verdict verdict{};
  std::string why{};
  bool by_second_reader = false;  // kDetected: only the second reader detects it
};

// Another reader of the same state.
struct SecondReader {
  std::string trouble{};  // what it stumbles over; empty if nothing
  bool residue = false;   // something is beyond what counts
};

// The first and last of all, and those at the flushes around the state.
struct Frame {
  const Content& first;
  const Content& last;
  const Content& before;
  const Content& behind;
};
Judgement judge(const Content& state, const Frame& frame, const SecondReader& second);

}  // namespace hepcheck::trace
