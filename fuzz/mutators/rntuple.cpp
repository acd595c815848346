// RNTuples: the magic of the file, and the checksums of anchors and raw envelopes.
#include <cstring>

#include "fuzz/mutators/mutator.h"
#include "fuzz/rntuple/checksums.h"

namespace hepcheck::fuzz {

void repair_rntuple(Image file, std::minstd_rand& random) {
  if (file.size() > 4 && random() % 8 != 0) std::memcpy(file.data(), "root", 4);
  if (random() % 8 != 0) rntuple::repair_checksums(file);
}

}  // namespace hepcheck::fuzz
