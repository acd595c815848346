// The whole validator on the bytes of a file, through the core driver: bytes in, report out. There
// is a target for each format, with its mutator from fuzz/mutators/, and judged by the
// specification of it that has the most clauses. Oracles: the invariants of every report; the same
// file is judged equally twice; the structure of a subject is judged equally with and without its
// data, unless the data itself violates a clause.
#include <algorithm>
#include <cstring>
#include <random>

#include "fuzz/mutators/mutator.h"
#include "fuzz/targets/report_oracle.h"
#include "fuzz/targets/target.h"
#include "validator/examine_file.h"

using namespace hepcheck;
using namespace hepcheck::fuzz;

namespace {

constexpr std::size_t kMostBytes = 64 * 1024;

const Specification& largest_specification(std::string_view format) {
  const Specification* found = &default_revision(format);
  for (const Specification& each : all_specifications())
    if (each.format == found->format && each.clauses.size() > found->clauses.size()) found = &each;
  return *found;
}

Report report_of(std::string_view format, std::span<const std::byte> image, Depth depth) {
  const Specification& spec = largest_specification(format);
  FileOptions options{.examine = {.depth = depth, .memory_limit = 1 << 20, .jobs = 1}};
  options.limits.attribute_bytes = 1 << 16;
  options.limits.links = 2000;
  Report report{.hepcheck = "fuzz", .spec = &spec};
  // In files of the first format, each subject is judged by its own revision.
  const bool first = all_formats().front()->name == format;
  report.files.push_back(
      examine_image(image, "image", std::nullopt, first ? nullptr : &spec, options));
  return report;
}

// A violated clause that needs the data may replace another one. One defect is one finding.
bool data_fails(const SubjectReport& full, const SubjectReport& shallow) {
  for (std::size_t i = 0; i < full.clauses.size(); ++i)
    if (full.clauses[i].verdict == Verdict::kFail &&
        shallow.clauses[i].verdict == Verdict::kNotChecked)
      return true;
  return false;
}

std::size_t mutate(Repair& repair, std::uint8_t* data, std::size_t size, std::size_t max_size,
                   unsigned seed) {
  std::minstd_rand random(seed);
  const auto below = [&](std::size_t n) { return random() % n; };
  if (size < 64) return LLVMFuzzerMutate(data, size, max_size);
  // Usually a window that keeps its length, so references into the file stay valid.
  for (std::size_t n = 1 + below(3); n > 0; --n) {
    const std::size_t at = below(size);
    const std::size_t window = std::min<std::size_t>(size - at, 1 + below(64));
    switch (below(8)) {
      default: LLVMFuzzerMutate(data + at, window, window); break;
      case 5: data[at] ^= static_cast<std::uint8_t>(1u << below(8)); break;
      case 6:  // a piece of the file over another one
        std::memmove(data + at, data + below(size - window + 1), window);
        break;
      case 7:
        if (below(16) == 0) size = size / 2 + below(size / 2);
        break;
    }
  }
  repair({data, size}, random);
  return size;
}

int judge(std::string_view format, const std::uint8_t* data, std::size_t size) {
  if (size > kMostBytes) return 0;
  const auto image = input(data, size);
  const Report report = report_of(format, image, Depth::kFull);
  check_verdicts(report);
  require(alike(report, report_of(format, image, Depth::kFull)), "judged twice, differently");
  const Report structure = report_of(format, image, Depth::kStructure);
  check_verdicts(structure);
  const auto &full = report.files[0].subjects, &shallow = structure.files[0].subjects;
  require(full.size() == shallow.size(), "as many tables at either depth");
  for (std::size_t t = 0; t < full.size(); ++t)
    for (std::size_t i = 0; i < full[t].clauses.size(); ++i)
      // In the file format of HDF5, a warning about a message may give way to an error in its
      // values.
      if (shallow[t].clauses[i].verdict == Verdict::kFail &&
          (shallow[t].clauses[i].severity == Severity::kError ||
           !shallow[t].clauses[i].clause->id.starts_with("h5-")))
        require(full[t].clauses[i].verdict == Verdict::kFail || data_fails(full[t], shallow[t]),
                full[t].clauses[i].clause->id, " fails without the data alone");
  return 0;
}

}  // namespace

#define FILE_TARGET(format)                                         \
  FUZZ_TARGET(file_##format) { return judge(#format, data, size); } \
  FUZZ_MUTATOR(file_##format) { return mutate(repair_##format, data, size, max_size, seed); }

// FILE_TARGET(NAME) of each format, from the build.
HEPCHECK_FILE_TARGETS
