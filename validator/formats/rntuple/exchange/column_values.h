// The elements of a column over all clusters, for converting them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "validator/exchange/table.h"
#include "validator/formats/rntuple/examination.h"

namespace hepcheck::rntuple {

// A column cannot be read, or is too large.
struct ColumnTrouble {
  std::string why;
};

struct ColumnValues {
  std::uint64_t elements = 0;
  exchange::Buffer bytes{};  // little-endian, of the width of the type; a byte for each bit
  std::vector<std::uint64_t> counts{};  // of the elements of each cluster
};

// A floating point number of 2, 4 or 8 bytes.
double real_at(const std::byte* at, std::uint64_t width);

class ColumnReader {
 public:
  // `memory`: bytes that all columns together may take. `nothing`: as if there were no clusters.
  ColumnReader(const Examination& seen, std::uint64_t memory, bool nothing)
      : seen_(seen), left_(memory), nothing_(nothing) {}

  std::uint64_t entries() const;
  // Elements before the first one of a deferred column are zeros.
  ColumnValues read(std::uint32_t column);
  // The ends of collections over all clusters, of an index column; counted from the first cluster
  // on, unlike those that are stored.
  std::vector<std::uint64_t> offsets(std::uint32_t column);
  std::vector<std::uint64_t> counts(std::uint32_t column) const;

 private:
  template <class Each>
  void each_cluster(const Each& each) const;
  void take(std::uint64_t bytes);

  const Examination& seen_;
  std::uint64_t left_;
  bool nothing_;
};

}  // namespace hepcheck::rntuple
