#include "validator/formats/hep001/derive/index_elements.h"

#include <algorithm>
#include <array>

#include "validator/formats/hep001/derive/codec.h"

namespace hepcheck::hep001 {

namespace {

// Row numbers from an index of any unsigned width and byte order.
void decode_rows(const std::byte* from, std::size_t count, const Datatype& type,
                 std::uint64_t* into) {
  const auto copy = [&]<class T>(T) {
    for (std::size_t i = 0; i < count; ++i) into[i] = load<T>(from + i * sizeof(T));
  };
  const bool native = !is_foreign(type.order) && type.precision == 8 * type.size;
  if (native && type.size == 8) return copy(std::uint64_t());
  if (native && type.size == 4) return copy(std::uint32_t());
  for (std::size_t i = 0; i < count; ++i)
    into[i] = index_element(type, {from + i * type.size, type.size});
}

}  // namespace

std::uint64_t index_element(const Datatype& type, StoredValue stored) {
  const bool whole = type.precision == 8 * type.size && type.size <= 8;
  if (whole) return load_unsigned(stored.data(), type.size, type.order);
  const std::optional<Integer> value = integer_value(type, stored);
  return value ? value->bits : kBeyond64Bits;
}

std::optional<Error> for_each_element_group(
    const FoldContext& context, const Dataset& index, const Run& run,
    const std::function<bool(std::span<const std::uint64_t>)>& use) {
  constexpr std::uint64_t kGroup = 4096;
  std::array<std::uint64_t, kGroup> rows;
  return for_each_block(
      context.values.stream_rows(index, run.first, run.rows), [&](const Block& block) {
        for (std::uint64_t i = 0; i < block.rows; i += kGroup) {
          const std::uint64_t count = std::min(kGroup, block.rows - i);
          decode_rows(block.bytes.data() + i * index.type.size, count, index.type, rows.data());
          if (!use({rows.data(), count})) return false;
        }
        if (context.progress) context.progress->advance(block.rows * index.type.size);
        return true;
      });
}

}  // namespace hepcheck::hep001
