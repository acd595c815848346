// The use of each part of a file, for its picture: metadata, and buffers by purpose.
#pragma once

#include <cstdint>
#include <vector>

#include "validator/formats/arrow/batch.h"
#include "validator/report.h"

namespace hepcheck::arrow {

class ByteCells {
 public:
  // `size`: bytes of the file.
  explicit ByteCells(std::uint64_t size);

  // The metadata of a message.
  void add(const Message& message);
  // The buffers of a batch with arbitrary counts.
  void add(const Batch& batch, const Columns& columns);

  // Other bytes are not included: prefixes, padding, footer.
  const ByteMap& map() const { return map_; }

 private:
  enum Kind : std::uint8_t { kMetadata, kValidity, kOffsets, kData };

  void add(const Field& field, const ArrayLayout& layout, const Batch& batch);
  void add_buffer(const Batch& batch, Kind kind);

  ByteMap map_;
  std::uint32_t buffer_ = 0;  // the next one
  std::uint32_t view_ = 0;
};

}  // namespace hepcheck::arrow
