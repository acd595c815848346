// Builds, verifies and drops the search indexes of one column of a file.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>

#include "validator/examine_file.h"
#include "validator/formats/hep001/derive/bloom.h"
#include "validator/formats/hep001/model/table.h"

namespace hepcheck::hep001 {

struct IndexPlace {
  std::string file{};
  std::optional<std::string> group{};  // none: the only table group of the file
  std::string column{};
  IndexKind kind = IndexKind::kUnknown;
  const Specification* spec = nullptr;  // null: the revision whose features the table shows
};

// How the file is changed (validator/rewrite.h).
struct WriteOptions {
  bool in_place = false;
  std::function<void()> waiting{};  // called if another process has to finish first
};

struct IndexOptions {
  FileOptions file{};
  WriteOptions write{};
  bool replace = false;            // an existing index of this kind over the column
  std::uint64_t max_values = 256;  // BITMAP: distinct values
  double bits_per_value = 10;      // CHUNK_BLOOM; m_bits is rounded up to a power of two
  std::optional<std::uint32_t>
      hashes{};            // CHUNK_BLOOM: k; none: a value suitable for bits_per_value
  std::uint32_t seed = 0;  // CHUNK_BLOOM
  std::optional<BloomParameters> bloom{};          // CHUNK_BLOOM: instead of the three above
  std::string builder = "hepcheck";                // for the description
  std::optional<std::chrono::sys_seconds> date{};  // the same; none: build_time()
};

// The reason why nothing was done. The file is unchanged.
struct IndexRefusal {
  // true: HEP001 or the state of the table does not allow it; false: something could not be read,
  // examined or written.
  bool forbidden = false;
  Error error{};
  bool misplaced = false;  // such an index exists already, or does not exist: the command is wrong
  int exit_status() const { return misplaced ? 2 : forbidden ? 1 : 3; }
};
// What was done: one sentence with the paths of the datasets.
using IndexOutcome = std::expected<std::string, IndexRefusal>;

// Builds an index over a table that is conformant, except for an index to be replaced. In a
// revision with validity tokens it gets the present ones of the table, and may grow.
IndexOutcome build_index(const IndexPlace& place, const IndexOptions& options);

// Removes the column's indexes of this kind from the file, in any state.
IndexOutcome drop_index(const IndexPlace& place, const FileOptions& options,
                        const WriteOptions& write = {});

// Examines the column's indexes of this kind by the clauses about them only, reported under the
// path of the first.
struct VerifyOptions {
  FileOptions file{};
  bool stale = false;  // compare the contents with the table regardless of the validity check
};
FileReport verify_index(const IndexPlace& place, const VerifyOptions& options);

}  // namespace hepcheck::hep001
