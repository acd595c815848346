// The search indexes of one column in a file: building, verifying, dropping them.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>

#include "validator/examine_file.h"
#include "validator/formats/hep001/model/table.h"

namespace hepcheck::hep001 {

struct IndexPlace {
  std::string file{};
  std::optional<std::string> group{};  // none: the only table group of the file
  std::string column{};
  IndexKind kind = IndexKind::kUnknown;
  const Specification* spec = nullptr;  // null: the revision that the table bears signs of
};

// How the file is changed (validator/rewrite.h).
struct WriteOptions {
  bool in_place = false;
  std::function<void()> waiting{};  // told if another index has to be done with first
};

struct IndexOptions {
  FileOptions file{};
  WriteOptions write{};
  bool replace = false;                   // an index of this kind that the column has already
  std::uint64_t max_values = 256;         // BITMAP: distinct values
  double bits_per_value = 10;             // CHUNK_BLOOM; m_bits is rounded up to a power of two
  std::optional<std::uint32_t> hashes{};  // CHUNK_BLOOM: k; none: what suits bits_per_value
  std::uint32_t seed = 0;                 // CHUNK_BLOOM
  std::string builder = "hepcheck";       // for the description
};

// Why nothing was done. The file is then as it was.
struct IndexRefusal {
  // true: HEP001 or the state of the table forbids it; false: something could not be read,
  // examined or written.
  bool forbidden = false;
  Error error{};
  bool misplaced = false;  // there is such an index already, or none: the command is wrong
  int exit_status() const { return misplaced ? 2 : forbidden ? 1 : 3; }
};
// What was done, one sentence with the paths of the datasets.
using IndexOutcome = std::expected<std::string, IndexRefusal>;

// Builds an index over a table that is conformant, but for an index that is to be replaced. In a
// revision with validity tokens it gets those of the table as it is, and may grow.
IndexOutcome build_index(const IndexPlace& place, const IndexOptions& options);

// Takes the column's indexes of this kind out of the file, however broken they are.
IndexOutcome drop_index(const IndexPlace& place, const FileOptions& options,
                        const WriteOptions& write = {});

// Examines the column's indexes of this kind by the clauses about them and no others, under the
// path of the first.
struct VerifyOptions {
  FileOptions file{};
  bool stale = false;  // as if every validity check passed: are the contents those of the table?
};
FileReport verify_index(const IndexPlace& place, const VerifyOptions& options);

}  // namespace hepcheck::hep001
