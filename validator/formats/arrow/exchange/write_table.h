// Writes a neutral table as a file or a stream, batch by batch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "validator/exchange/new_file.h"
#include "validator/exchange/table.h"

namespace hepcheck::arrow {

enum class Compression : std::uint8_t { kNone, kLz4, kZstd };

struct WriteOptions {
  bool stream = false;  // without the framing of a file
  Compression compression = Compression::kNone;
  // The largest offset of types that are not large. A batch with larger ones is split.
  std::uint64_t most_offset = 0x7FFFFFFF;
};

struct Written {
  std::uint64_t rows = 0, batches = 0, bytes = 0;
};

// Writes the whole source and finishes the file. The bytes depend only on the table and the
// options.
Result<Written> write_table(exchange::Source& source, exchange::NewFile& into,
                            const WriteOptions& options);

}  // namespace hepcheck::arrow
