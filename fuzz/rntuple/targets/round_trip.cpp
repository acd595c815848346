// Envelopes of an RNTuple that were read completely and are written again. Oracle: the same bytes.
#include "validator/formats/rntuple/testing/round_trip.h"

#include <random>
#include <vector>

#include "fuzz/mutators/mutator.h"
#include "fuzz/targets/target.h"

using namespace hepcheck;
using namespace hepcheck::fuzz;

FUZZ_TARGET(round_trip) {
  // Envelopes with a wrong checksum are not read.
  std::vector<std::uint8_t> image(data, data + size);
  std::minstd_rand random(1);
  repair_rntuple(image, random);
  const rntuple::RoundTrip trip =
      rntuple::round_trip(Bytes::of_image(std::as_bytes(std::span(image)), "image"));
  require(trip.difference.empty(), trip.difference);
  return 0;
}
