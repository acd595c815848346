// Values of a file, within the limits.
#pragma once

#include <atomic>

#include "validator/formats/hep001/model/values.h"
#include "validator/limits.h"

namespace hepcheck::hep001 {

// Passes on the values that `source` reads, counts them, and refuses values beyond `limits`. This
// stops small files that claim unlimited values (a compression bomb, chunks that were never
// written).
class LimitedValues : public ValueSource {
 public:
  LimitedValues(ValueSource& source, const Limits& limits, std::uint64_t file_bytes);

  Result<std::unique_ptr<ValueStream>> stream_rows(const Dataset& dataset, std::uint64_t first,
                                                   std::uint64_t count) override;
  Result<std::vector<std::byte>> read(const Dataset& dataset, std::span<const std::uint64_t> start,
                                      std::span<const std::uint64_t> count) override;

  // Counts `bytes` more; an Error if the limit is exceeded.
  std::optional<Error> spend(const std::string& path, std::uint64_t bytes);

  std::uint64_t spent() const { return spent_; }
  // Whether so many bytes exceed no limit.
  bool permits(std::uint64_t bytes) const {
    return bytes <= limits_.value_bytes && bytes <= most_by_ratio_;
  }

 private:
  std::optional<Error> refuse(const Dataset& dataset) const;

  ValueSource& source_;
  const Limits& limits_;
  std::uint64_t most_by_ratio_;
  std::atomic<std::uint64_t> spent_ = 0;
};

}  // namespace hepcheck::hep001
