// The contents of a file in one state, as a reader sees them, and the effect of the crash that left
// it.
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
  std::string unreadable{};  // the reason; empty if it was read
  struct Values {
    std::vector<std::uint64_t> sizes{};
    std::uint64_t element = 0;  // bytes
    std::string bytes{};        // row-major

    std::uint64_t rows() const { return sizes.empty() ? 1 : sizes[0]; }
    friend bool operator==(const Values&, const Values&) = default;
  };
  std::map<std::string, Values> values{};  // by path
  // The number of valid elements of some of them is stated elsewhere: each has as many rows.
  struct Table {
    std::uint64_t rows = 0;
    std::vector<std::string> columns{};  // paths

    friend bool operator==(const Table&, const Table&) = default;
  };
  std::map<std::string, Table> tables{};
  std::set<std::string> broken{};  // "sorted-ties of /events": violated clauses of the contents
  std::vector<std::string> left_out{};  // what was not compared, and the reason
};

std::string encoded(const Content& content);
std::optional<Content> decoded(std::string_view bytes);  // none if they are not tables

enum class CrashVerdict : std::uint8_t {
  kOld,       // the old contents
  kNew,       // the final contents
  kBetween,   // some of the new contents, and nothing wrong
  kResidue,   // the old contents, and traces of the new that no reader uses
  kDetected,  // a reader reports an error
  kWrong,     // a reader returns values that never existed
};
inline constexpr std::size_t kVerdicts = 6;
std::string_view to_string(CrashVerdict verdict);  // "OLD"

struct Judgement {
  CrashVerdict verdict{};
  std::string why{};
  bool by_second_reader = false;  // kDetected: only the second reader detects it
};

// Another reader of the same state.
struct SecondReader {
  std::string trouble{};  // its error; empty if there is none
  bool residue = false;   // there is content outside the valid part
};

// The first and last state, and those at the flushes around the state.
struct Frame {
  const Content& first;
  const Content& last;
  const Content& before;
  const Content& behind;
};
Judgement judge(const Content& state, const Frame& frame, const SecondReader& second);

}  // namespace hepcheck::trace
