#include "validator/formats/hdf5/dataset.h"

namespace hepcheck::hdf5 {

std::uint64_t most_chunks(const Dataset& dataset, unsigned dimension) {
  const std::uint64_t most = dataset.space.maxima[dimension];
  return most == kUndefined ? kUndefined : divided_up(most, dataset.layout.chunk[dimension]);
}

std::uint64_t most_chunks_of_all(const Dataset& dataset, unsigned but) {
  std::uint64_t count = 1;
  for (unsigned d = 0; d < dataset.rank(); ++d)
    if (d != but) count = product(count, most_chunks(dataset, d));
  return count;
}

std::uint64_t chunks_of_extent(const Dataset& dataset) {
  std::uint64_t count = 1;
  for (unsigned d = 0; d < dataset.rank(); ++d)
    count = product(count, divided_up(dataset.space.sizes[d], dataset.layout.chunk[d]));
  return count;
}

}  // namespace hepcheck::hdf5
