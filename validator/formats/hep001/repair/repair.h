// Repairs the tables of a copy of a file, and digests their values.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "validator/examine_file.h"
#include "validator/repair/repair.h"
#include "validator/rewrite.h"

namespace hepcheck::hep001 {

struct RepairRequest {
  std::optional<std::string> group{};   // only this table
  const Specification* spec = nullptr;  // null: chosen by the features of each table
  const Specification* to = nullptr;    // the revision that the tables are moved to
  std::set<std::string, std::less<>> only{};
  RepairDecisions decisions{};
  FileOptions file{};
  std::string builder = "hepcheck";
  std::optional<std::chrono::sys_seconds> date{};  // of indexes that are built
};

// Makes every repair that is certain, in the order of the text, until none is left. `copy` has
// begun; if nothing is to be repaired, nothing is written. An Error if the file has no table, or
// cannot be read or written.
Result<std::vector<RepairedSubject>> repair_tables(Rewrite& copy, const std::string& name,
                                                   const RepairRequest& request);

// Digests of the values that belong to each table: of columns the rows below NROWS, of lists the
// entries that these need, of labels all. `rows`: of columns by their paths, where a table has no
// readable NROWS, and of datasets outside tables that are digested as well.
Result<std::vector<ValueDigest>> digest_tables(const Bytes& file,
                                               const std::optional<std::string>& group,
                                               const FileOptions& options,
                                               const std::map<std::string, std::uint64_t>& rows);

// Digests of all values of all datasets of a file. `references`: also of datasets with references,
// whose values change when objects are moved.
Result<std::vector<ValueDigest>> digest_datasets(const Bytes& file, const FileOptions& options,
                                                 Reader reader, bool references);

}  // namespace hepcheck::hep001
