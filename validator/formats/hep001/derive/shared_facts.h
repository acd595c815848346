// Facts on their way from the processes that read a share of the columns each to the one that
// judges.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/hep001/derive/facts.h"
#include "validator/options.h"
#include "validator/result.h"

namespace hepcheck::hep001 {

// What tells a file from others, and from itself after a change.
struct FileMark {
  std::uint64_t bytes = 0;
  std::uint64_t modified = 0;  // nanoseconds since 1970; 0 if it is not known

  friend bool operator==(const FileMark&, const FileMark&) = default;
};
// `descriptor`: of an open file, or -1.
FileMark mark_of(int descriptor, std::uint64_t bytes);

struct SharedFacts {
  struct OfTable {
    std::string path{}, revision{};
    TableFacts facts{};
  };
  FileMark file{};
  Share share{};
  std::uint64_t value_bytes = 0;  // read for these facts
  std::vector<OfTable> tables{};
};

std::string to_bytes(const SharedFacts& facts);
// The bytes may have any origin. `into` is unspecified after an Error.
std::optional<Error> from_bytes(std::string_view bytes, SharedFacts& into);

// The facts of all shares of a file.
class FactsOfShares {
 public:
  // Each share must be there once, and of this file.
  static Result<FactsOfShares> of(std::span<const std::string> files, const FileMark& file);

  std::uint64_t value_bytes() const;  // all of them read
  // The facts of one table. To be called once for each table.
  Result<TableFacts> take(const Table& table);

 private:
  std::vector<SharedFacts> shares_{};
};

}  // namespace hepcheck::hep001
