// Repairs the container of a copy of a file: what a writer left that did not close the file.
//
// The marks of a file that is open for writing are cleared, and its end-of-file address becomes
// what a reader of the open file used: the actual end. Lists of free space, which refer to no data,
// are made again. Nothing else is certain. A wrong checksum
// shows that bytes changed after they were written; it is never renewed.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "validator/bytes.h"
#include "validator/limits.h"
#include "validator/options.h"
#include "validator/repair/repair.h"
#include "validator/rewrite.h"

namespace hepcheck::hdf5 {

struct ContainerRepair {
  const Specification* spec = nullptr;
  std::set<std::string, std::less<>> only{};
  FileOptions file{};
  // Drop the bytes after the end-of-file address, and unused ones at the end of the file.
  bool compact = false;
  // The image of a file after a library opened it for writing and closed it: it lists the free
  // space again. May be empty.
  std::function<Result<std::vector<std::byte>>(std::span<const std::byte>)> reopened{};
};

// `copy` has begun; if nothing is to be repaired, nothing is written.
Result<RepairedSubject> repair_container(Rewrite& copy, const std::string& name,
                                         const ContainerRepair& request);

// Writes the file without the unused space inside it to `to`, an empty file that has begun, if
// nothing but addresses changes by it (pack.h). Without a change in the result, its contents do not
// count, and a note says why the space stays.
RepairedSubject pack_container(const Bytes& file, Rewrite& to, const Limits& limits);

}  // namespace hepcheck::hdf5
