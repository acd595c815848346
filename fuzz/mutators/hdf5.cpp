// The HDF5 container: repairs every checksum at which the reader fails, block after block, so that
// changes under them are reached; and the end of the file.
#include <algorithm>

#include "fuzz/hdf5/checksums.h"
#include "fuzz/mutators/mutator.h"
#include "validator/examine_file.h"

namespace hepcheck::fuzz {

namespace {

constexpr std::uint8_t kSignature[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

// With offsets of 8 bytes and no user block, as usual.
void repair_superblock(Image image) {
  if (image.size() < 96) return;
  std::ranges::copy(kSignature, image.begin());
  const std::uint8_t version = image[8];
  if (version <= 1) put_number(image, version == 0 ? 40 : 44, 8, image.size());
  if (version == 2 || version == 3) put_number(image, 28, 8, image.size());
}

// The checksums at which the reader fails; false if there is none.
bool repair_known_checksums(Image image) {
  FileOptions options{.examine = {.depth = Depth::kStructure,
                                  .describe_columns = false,
                                  .describe_answers = false}};
  return repair_checksums(image, examine_image(std::as_bytes(image), "image", std::nullopt,
                                               &default_revision("hdf5"), options));
}

}  // namespace

void repair_hdf5(Image file, std::minstd_rand& random) {
  // After a repaired block there may be another.
  constexpr int kLevels = 6;
  if (random() % 8 != 0) repair_superblock(file);
  if (random() % 8 == 0) return;
  for (int i = 0; i < kLevels && repair_known_checksums(file); ++i) {
  }
}

}  // namespace hepcheck::fuzz
