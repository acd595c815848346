// The bytes of a file, read by the program's own reader and by libhdf5. Oracle: where both return
// something, they return the same. Whether only one of them refuses a damaged file is not judged.
#include "fuzz/targets/target.h"
#include "validator/examine_file.h"
#include "validator/formats/hep001/reader/both.h"

using namespace hepcheck;
using namespace hepcheck::fuzz;

FUZZ_TARGET(readers) {
  constexpr std::size_t kMostBytes = 64 * 1024;
  if (size > kMostBytes) return 0;
  FileOptions options{.examine = {.memory_limit = 1 << 20, .jobs = 1}, .reader = Reader::kBoth};
  options.limits.attribute_bytes = 1 << 16;
  options.limits.links = 2000;
  const FileReport report =
      examine_image(input(data, size), "image", std::nullopt, nullptr, options);
  for (const Error& error : report.unreadable)
    require(!error.cause.starts_with(hep001::kReadersContradict), error.text());
  return 0;
}
