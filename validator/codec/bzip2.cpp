#include <bzlib.h>

#include <limits>
#include <new>

#include "validator/codec/pieces.h"

namespace hepcheck::codec {

namespace {

// A decompressor of the library, which needs at most 4 MB.
class Bunzip {
 public:
  Bunzip() {
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }
  Bunzip(const Bunzip&) = delete;
  Bunzip& operator=(const Bunzip&) = delete;
  ~Bunzip() { BZ2_bzDecompressEnd(&stream_); }

  Step operator()(Input from, std::span<std::byte> to) {
    constexpr std::size_t kMost = std::numeric_limits<unsigned>::max();
    const auto in = static_cast<unsigned>(std::min(from.size(), kMost));
    const auto out = static_cast<unsigned>(std::min(to.size(), kMost));
    // The library takes a pointer to what it only reads.
    stream_.next_in = reinterpret_cast<char*>(const_cast<std::byte*>(from.data()));
    stream_.avail_in = in;
    stream_.next_out = reinterpret_cast<char*>(to.data());
    stream_.avail_out = out;
    const int status = BZ2_bzDecompress(&stream_);
    if (status == BZ_MEM_ERROR) throw std::bad_alloc();
    Step step{.in = in - stream_.avail_in, .out = out - stream_.avail_out};
    if (status == BZ_STREAM_END)
      step.ended = true;
    else if (status != BZ_OK)
      step.error = "not a valid bzip2 stream";
    return step;
  }

 private:
  bz_stream stream_{};
};

}  // namespace

Decoded bzip2(Input input, const Wanted& wanted) {
  Bunzip library;
  return in_pieces(input, wanted,
                   [&](Input from, std::span<std::byte> to) { return library(from, to); });
}

}  // namespace hepcheck::codec
