// The whole validator on arbitrary HDF5 images, through the core driver: bytes in, report out.
// Oracles: what holds of every report; the same image is judged the same twice; a table's
// structure is judged the same with and without its data.
//
// The mutator knows the file format a little: it changes bytes near the objects, keeps the
// end-of-file address of the superblock and the checksums of the parts that carry one, so that the
// library does not turn the image away at its door.
#include <algorithm>
#include <cstring>
#include <random>

#include "fuzz/targets/report_oracle.h"
#include "fuzz/targets/target.h"
#include "validator/format.h"
#include "validator/examine_file.h"
#include "validator/formats/hep001/libhdf5/checksum.h"

using namespace hepcheck;
using namespace hepcheck::fuzz;

namespace {

constexpr std::size_t kMostBytes = 64 * 1024;

using Bytes = std::span<std::uint8_t>;

std::uint64_t little(Bytes bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value |= std::uint64_t{bytes[at + i]} << (8 * i);
  return value;
}
void put_little(Bytes bytes, std::size_t at, std::size_t size, std::uint64_t value) {
  for (std::size_t i = 0; i < size; ++i)
    bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

void checksum(Bytes image, std::size_t from, std::size_t size) {
  if (size > image.size() || from > image.size() - size || image.size() - from - size < 4) return;
  const auto covered = std::as_bytes(image.subspan(from, size));
  put_little(image, from + size, 4, hep001::libhdf5::metadata_checksum(covered));
}

constexpr std::uint8_t kSignature[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

void mend_superblock(Bytes image) {
  if (image.size() < 96) return;
  std::ranges::copy(kSignature, image.begin());
  const std::uint8_t version = image[8];
  if (version <= 1)
    put_little(image, version == 0 ? 40 : 44, 8, image.size());  // end-of-file address
  if (version == 2 || version == 3) {
    put_little(image, 28, 8, image.size());
    checksum(image, 0, 44);
  }
}

// Object headers of version 2 and their continuation blocks say how long they are.
void mend_headers(Bytes image) {
  for (std::size_t at = 0; at + 16 < image.size(); ++at) {
    if (std::memcmp(&image[at], "OHDR", 4) != 0) continue;
    const std::uint8_t flags = image[at + 5];
    const std::size_t size_at = at + 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0);
    const std::size_t width = std::size_t{1} << (flags & 3);
    if (size_at + width > image.size()) continue;
    checksum(image, at, size_at + width - at + little(image, size_at, width));
  }
}

Report report_of(std::span<const std::byte> image, Depth depth) {
  const Specification& spec = default_specification();
  FileOptions options{.examine = {.depth = depth, .memory_limit = 1 << 20, .jobs = 1}};
  options.limits.attribute_bytes = 1 << 16;
  options.limits.links = 2000;
  Report report{.hepcheck = "fuzz", .spec = &spec};
  report.files.push_back(examine_image(image, "image", std::nullopt, &spec, options));
  return report;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  std::minstd_rand random(seed);
  const auto below = [&](std::size_t n) { return random() % n; };
  if (size < 64) return LLVMFuzzerMutate(data, size, max_size);
  // Mostly a window that keeps its length, so that addresses stay right.
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
  const Bytes image(data, size);
  if (below(8) != 0) mend_superblock(image);
  if (below(8) != 0) mend_headers(image);
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > kMostBytes) return 0;
  const auto image = input(data, size);
  const Report report = report_of(image, Depth::kFull);
  check_verdicts(report);
  require(alike(report, report_of(image, Depth::kFull)), "judged twice, differently");
  const Report structure = report_of(image, Depth::kStructure);
  check_verdicts(structure);
  const auto &full = report.files[0].subjects, &shallow = structure.files[0].subjects;
  require(full.size() == shallow.size(), "as many tables at either depth");
  for (std::size_t t = 0; t < full.size(); ++t)
    for (std::size_t i = 0; i < full[t].clauses.size(); ++i)
      if (shallow[t].clauses[i].verdict == Verdict::kFail)
        require(full[t].clauses[i].verdict == Verdict::kFail, full[t].clauses[i].clause->id,
                " fails without the data alone");
  return 0;
}
