// LZF, the compression filter of h5py (id 32000): a run of literals, or a copy of earlier output,
// after a control byte.
#include <algorithm>

#include "validator/codec/codec.h"
#include "validator/integers.h"

namespace hepcheck::codec {

Decoded lzf_into(Input input, std::span<std::byte> output) {
  std::size_t in = 0, out = 0;
  const auto next = [&] { return std::to_integer<std::size_t>(input[in++]); };
  const auto is_full = [&](std::size_t length) { return output.size() - out < length; };
  while (in < input.size()) {
    const std::size_t control = next();
    if (control < 32) {  // literal bytes
      const std::size_t length = control + 1;
      if (input.size() - in < length) return {.error = "LZF data end inside a run of literals"};
      if (is_full(length)) return {.size = output.size()};
      std::ranges::copy(input.subspan(in, length),
                        output.begin() + static_cast<std::ptrdiff_t>(out));
      in += length, out += length;
      continue;
    }
    std::size_t length = control >> 5;  // a copy of earlier output
    if (input.size() - in < (length == 7 ? 2u : 1u)) return {.error = "LZF data end inside a copy"};
    if (length == 7) length += next();
    length += 2;
    const std::size_t distance = ((control & 31) << 8 | next()) + 1;
    if (distance > out) return {.error = "LZF data copy from before their beginning"};
    if (is_full(length)) return {.size = output.size()};
    for (const std::size_t end = out + length; out < end; ++out)
      output[out] = output[out - distance];
  }
  return {.size = out, .taken = in, .ended = true};
}

Decoded lzf(Input input, std::uint64_t most, Slab& output) {
  // Three bytes of input give 264 bytes of output at most.
  constexpr std::uint64_t kRatio = 88;
  return lzf_into(input, output.take(std::min(most, product(input.size(), kRatio))));
}

}  // namespace hepcheck::codec
