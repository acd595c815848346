// Values of a file, as long as they stay within the limits.
#pragma once

#include <atomic>

#include "validator/formats/hep001/model/values.h"
#include "validator/limits.h"

namespace hepcheck::hep001::libhdf5 {

// Passes on what `source` reads, counts it, and refuses what goes beyond `limits`. A small file
// that claims endless values (a compression bomb, chunks that were never written) ends here.
class LimitedValues : public ValueSource {
 public:
  LimitedValues(ValueSource& source, const Limits& limits, std::uint64_t file_bytes);

  Result<std::unique_ptr<ValueStream>> stream_rows(const Dataset& dataset, std::uint64_t first,
                                                   std::uint64_t count) override;
  Result<std::vector<std::byte>> read(const Dataset& dataset, std::span<const std::uint64_t> start,
                                      std::span<const std::uint64_t> count) override;

  // Counts `bytes` more; an Error if that is too much.
  std::optional<Error> spend(const std::string& path, std::uint64_t bytes);

 private:
  std::optional<Error> refuse(const Dataset& dataset) const;

  ValueSource& source_;
  const Limits& limits_;
  std::uint64_t most_by_ratio_;
  std::atomic<std::uint64_t> spent_ = 0;
};

}  // namespace hepcheck::hep001::libhdf5
